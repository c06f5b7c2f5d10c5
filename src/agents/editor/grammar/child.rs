//! The parent's end: starts the child, gives it the text, reads what it found.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use tokio::io::AsyncWriteExt;

use super::super::finding::Finding;
use super::{KIND, VERB};
use crate::agents::child::{self, Child, Launch, Line};
use crate::agents::vars::Vars;
use crate::text::doc::Doc;

/// How long a child that has said all may take to end.
const GRACE: Duration = Duration::from_secs(5);
/// A word that comes so often is the writer's own.
const OWN: usize = 2;

/// A place, as the child writes it.
#[derive(Deserialize)]
struct Place {
    from: usize,
    to: usize,
    what: String,
    with: Vec<String>,
    spelling: bool,
}

/// A child that does not outlive the wish for what it finds.
struct Ends(Child);

impl Drop for Ends {
    fn drop(&mut self) {
        self.0.kill();
    }
}

pub(super) async fn look(
    text: String,
    program: &str,
    folder: &Path,
) -> Result<Vec<Finding>, String> {
    let launch = Launch {
        program: this(program)?,
        args: vec![OsString::from(VERB)],
        folder: folder.to_owned(),
        vars: Vars::of_process().kept(&[]),
    };
    let mut child = Ends(Child::spawn(&launch).map_err(|e| e.to_string())?);
    let (Some(mut input), Some(mut lines)) = (child.0.take_input(), child.0.take_lines()) else {
        return Err("its pipes could not be opened".to_owned());
    };
    // It reads all before it writes.
    input
        .write_all(text.as_bytes())
        .await
        .map_err(|e| e.to_string())?;
    drop(input);
    let mut places = Vec::new();
    while let Some(line) = lines.next().await.map_err(|e| e.to_string())? {
        let Line::Whole(bytes) = line else {
            return Err("it wrote what is no line".to_owned());
        };
        let place: Place = serde_json::from_slice(&bytes)
            .map_err(|e| format!("it wrote what is no finding: {e}"))?;
        places.push(place);
    }
    let status = child.0.wait(GRACE).await;
    if !status.is_some_and(|s| s.success()) {
        return Err(format!("it ended early ({})", child::how(status)));
    }
    let made = tokio::task::spawn_blocking(move || findings(&text, places));
    made.await.map_err(|e| e.to_string())
}

/// This very program, unless the configuration names one.
fn this(program: &str) -> Result<PathBuf, String> {
    if program.is_empty() {
        std::env::current_exe().map_err(|e| e.to_string())
    } else {
        Ok(PathBuf::from(program))
    }
}

/// Those that stand in the prose and are no words of the writer's own.
fn findings(text: &str, places: Vec<Place>) -> Vec<Finding> {
    let doc = Doc::of(text);
    let own = |place: &Place| {
        let at = doc.words.partition_point(|w| w.range.end <= place.from);
        let word = doc.words.get(at).filter(|w| w.range.start < place.to);
        let named =
            |w: &str| w.starts_with(char::is_uppercase) || w.contains(|c: char| c.is_numeric());
        place.spelling && word.is_none_or(|w| doc.count(w) >= OWN || named(doc.spelt(w)))
    };
    let in_prose = |place: &Place| {
        let same = text.get(place.from..place.to) == Some(doc.plain(place.from..place.to));
        same && doc
            .prose
            .blocks
            .iter()
            .any(|b| b.range.contains(&place.from))
    };
    let kept = places
        .into_iter()
        .filter(|p| p.from < p.to && in_prose(p) && !own(p));
    kept.map(finding).collect()
}

fn finding(place: Place) -> Finding {
    let with: Vec<String> = place.with.iter().map(|w| format!("“{w}”")).collect();
    Finding {
        kind: KIND,
        meant: false,
        at: place.from..place.to,
        what: place.what,
        change: match with.as_slice() {
            [] => "See whether it is meant.".to_owned(),
            all => format!("Perhaps {}.", all.join(" or ")),
        },
        fix: Vec::new(),
    }
}

//! Coming to a workspace with a window: a folder of Markdown is asked about, and on the first run the sample is made.
//! Verbs that scripts use do neither.

use std::path::Path;

use super::context::Cx;
use super::error::CliError;
use super::sample::Made;
use super::{host, out, sample, window};
use crate::config::Workspace;
use crate::config::collection::is_markdown;
use crate::ui::doorstep::{Door, Doorstep};
use crate::ui::run::{self, Ends};
use crate::ui::terminal::Kind;

/// Says in a folder's corner of the state folder that its writer chose to write elsewhere.
const ELSEWHERE: &str = "elsewhere";

/// Says in a workspace's corner of it that a sample is still to be made: a host ran when the first window came.
const DUE: &str = "sample-due";

/// Where a window is to be opened.
pub(super) struct Arrival {
    /// The surroundings, perhaps of another folder than at first.
    pub(super) cx: Cx,
    /// The sample was made just now.
    pub(super) sample: bool,
    /// The signals that are listened to since the question; none when nothing was asked.
    pub(super) ends: Option<Ends>,
}

/// The surroundings in which the window opens; none when the writer chose to leave.
pub(super) async fn arrive(cx: &Cx) -> Result<Option<Arrival>, CliError> {
    let here = std::env::current_dir().unwrap_or_else(|_| cx.places.home.clone());
    let (door, mut ends) = match question(cx, &here) {
        Some(asked) => ask(asked, window::means(cx).kind).await?,
        None => (Door::Home, None),
    };
    let (cx, wanted) = match door {
        Door::Leave => return Ok(None),
        Door::Here => {
            sample::clear(&here);
            (cx.at(Workspace::at(&here)), false)
        }
        Door::HereWithSample => (cx.at(Workspace::at(&here)), true),
        Door::Home => {
            if !cx.is_named && Workspace::holding(&here).is_none() {
                remember(cx, &here);
            }
            // Only the workspace nobody named is furnished unasked.
            (cx.clone(), !cx.is_named)
        }
    };
    let sample = wanted && with_sample(&cx).await;
    // Told to end meanwhile, it opens no window first.
    let over = ends.as_mut().is_some_and(Ends::have_come);
    Ok((!over).then_some(Arrival { cx, sample, ends }))
}

/// Makes the sample where no window was yet: in a new workspace, or in one that a verb has made. That it could not be made
/// stops nothing.
async fn with_sample(cx: &Cx) -> bool {
    let (workspace, state) = (&cx.workspace, cx.places.state_of(&cx.workspace));
    let due = state.join(DUE);
    let made = if !workspace.is_made() {
        sample::make(workspace, run::now())
    } else if due.exists() || !window::was_in(&state) {
        if sample::fits(workspace) {
            // What a verb has left behind would not see it.
            host::rest(cx).await;
        }
        sample::add(workspace, run::now())
    } else {
        return false;
    };
    let made = made.unwrap_or_else(|e| {
        // That nothing can be written here is said by whoever has to write.
        if !e.is_locked_out() {
            out::say(e);
        }
        Made::Not
    });
    // Where neither can be kept, there is no sample, which harms nothing.
    drop(match made {
        Made::Later => std::fs::create_dir_all(&state).and_then(|()| std::fs::write(&due, "")),
        Made::Now | Made::Not => std::fs::remove_file(&due),
    });
    made == Made::Now
}

/// What is to be asked in this folder; nothing when the writer named a workspace, when there is one above, or when
/// it was answered before.
fn question(cx: &Cx, here: &Path) -> Option<Doorstep> {
    let plain = cx.is_named
        || Workspace::holding(here).is_some()
        || here == cx.places.home
        || here == cx.workspace.root()
        || corner(cx, here).exists();
    let files = if plain { 0 } else { markdown_in(here) };
    let means = window::means(cx);
    (files > 0).then(|| Doorstep {
        folder: window::named(here),
        files,
        home: window::named(cx.workspace.root()),
        theme: means.styles(None),
    })
}

async fn ask(question: Doorstep, kind: Kind) -> Result<(Door, Option<Ends>), CliError> {
    let handle = tokio::runtime::Handle::current();
    let asked = tokio::task::spawn_blocking(move || run::ask(&question, kind, &handle));
    let asked = asked
        .await
        .map_err(|e| CliError::Bug(format!("the question broke off ({e})")))?;
    asked.map_err(|e| CliError::Refused {
        why: e.to_string(),
        hint: None,
    })
}

/// How many Markdown files lie in a folder itself.
fn markdown_in(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    let fits = |name: &str| !name.starts_with('.') && is_markdown(name);
    entries
        .filter_map(Result::ok)
        .filter(|e| e.file_name().to_str().is_some_and(fits) && e.path().is_file())
        .count()
}

fn corner(cx: &Cx, here: &Path) -> std::path::PathBuf {
    cx.places.state_of(&Workspace::at(here)).join(ELSEWHERE)
}

/// Not being asked again costs a file; where it cannot be kept, it is asked again.
fn remember(cx: &Cx, here: &Path) {
    if markdown_in(here) == 0 || here == cx.places.home {
        return;
    }
    let file = corner(cx, here);
    if let Some(folder) = file.parent() {
        drop(std::fs::create_dir_all(folder));
    }
    drop(std::fs::write(file, ""));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn only_markdown_that_lies_in_the_folder_itself_counts() {
        let dir = tempfile::tempdir().unwrap();
        let put = |name: &str| std::fs::write(dir.path().join(name), "x").unwrap();
        put("a.md");
        put("B.MARKDOWN");
        put(".hidden.md");
        put("c.txt");
        std::fs::create_dir(dir.path().join("d.md")).unwrap();
        assert_eq!(markdown_in(dir.path()), 2);
        assert_eq!(markdown_in(&dir.path().join("gone")), 0);
    }
}

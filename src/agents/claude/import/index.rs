//! The first reading of a history: every line once, none of them kept.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;

use memchr::memmem;
use serde_json::Value;

use super::entry::{self, What};
use super::lines::{Line, Lines};
use super::tree::{self, Node};
use super::{About, Gaps, History};
use crate::text::mend::mend;
use crate::text::{head, one_line};

/// How entries begin that the program writes: where reading goes on in a line that was glued together.
const MARKS: [&[u8]; 3] = [b"{\"parentUuid\":", b"{\"type\":", b"{\"uuid\":"];
/// How often that is tried in one line.
const TRIES: usize = 16;
/// Longest first prompt in a list, in bytes.
const PROMPT_MAX: usize = 400;

/// Reads a history once through.
pub(super) fn read(path: &Path) -> io::Result<History> {
    let file = File::open(path)?;
    let mut lines = Lines::new(file.try_clone()?);
    let mut index = Index::new(path);
    while let Some(line) = lines.next()? {
        index.line(&line);
    }
    let (bytes, count, crc32) = (lines.bytes(), lines.count, lines.crc.finalize());
    index.about = About {
        bytes,
        lines: count,
        crc32,
        ..index.about
    };
    let mut gaps = index.gaps;
    let turns = tree::grow(&index.nodes, &index.places, &mut gaps);
    Ok(History {
        file,
        about: index.about,
        turns,
        gaps,
    })
}

/// Prompts and answers that stand whole among the first bytes of a history.
pub(super) fn messages(path: &Path, bytes: u64) -> io::Result<u64> {
    let mut lines = Lines::new(File::open(path)?);
    let mut index = Index::new(path);
    while let Some(line) = lines.next()? {
        let len = line.bytes.map_or(0, <[u8]>::len) as u64;
        if line.at + len > bytes {
            break;
        }
        index.line(&line);
    }
    Ok(index.about.messages)
}

struct Index {
    about: About,
    gaps: Gaps,
    nodes: Vec<Node>,
    /// Where each entry stands among the nodes.
    places: HashMap<String, usize>,
    /// How much the title counts that is known.
    rank: u8,
    /// The answer that was counted last.
    answer: Option<String>,
}

impl Index {
    fn new(path: &Path) -> Self {
        let id = path.file_stem().unwrap_or_default().to_string_lossy();
        Self {
            about: About {
                path: path.to_owned(),
                id: id.into_owned(),
                ..About::default()
            },
            gaps: Gaps::default(),
            nodes: Vec::new(),
            places: HashMap::new(),
            rank: 0,
            answer: None,
        }
    }

    fn line(&mut self, line: &Line<'_>) {
        let Some(bytes) = line.bytes else {
            return self.gaps.unread(line.no, "longer than 64 MiB");
        };
        if bytes.trim_ascii().is_empty() {
            return;
        }
        if let Some(entry) = parse(bytes) {
            return self.entry(&entry, line, (line.at, bytes.len()));
        }
        let why = if bytes.contains(&0) {
            "NUL bytes in it"
        } else if serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok() {
            "JSON, but no entry"
        } else if line.ended {
            "no JSON"
        } else {
            "cut off"
        };
        match salvage(bytes) {
            Some((from, entry)) => {
                self.gaps
                    .unread(line.no, format!("{why}; the entry at its end is whole"));
                self.entry(&entry, line, (line.at + from as u64, bytes.len() - from));
            }
            None => self.gaps.unread(line.no, why),
        }
    }

    fn entry(&mut self, entry: &Value, line: &Line<'_>, (at, len): (u64, usize)) {
        let Some(what) = entry::what(entry) else {
            let kind = entry["type"].as_str().map_or("none", |k| head(k, 40));
            let why = format!("its kind is not known: {}", one_line(kind));
            return self.gaps.unread(line.no, why);
        };
        if entry::is_mute(entry) {
            self.gaps.unread(line.no, "nothing is said in it");
        }
        if let Some((rank, title)) = entry::title(entry).filter(|(rank, _)| *rank >= self.rank) {
            self.rank = rank;
            self.about.title = Some(one_line(head(title, PROMPT_MAX)));
        }
        let (uuid, parent) = entry::links(entry);
        if entry["isSidechain"] == true {
            self.gaps.sidechain += u64::from(uuid.is_some());
            return;
        }
        let Some(uuid) = uuid else { return };
        if self.places.contains_key(uuid) {
            self.gaps.repeated += 1;
            return;
        }
        self.places.insert(uuid.to_owned(), self.nodes.len());
        let ts = entry::time(entry);
        self.note(entry, what, ts);
        self.nodes.push(Node {
            parent: parent.map(str::to_owned),
            what,
            line: line.no,
            ts: ts.unwrap_or(self.about.times.1),
            place: (at, u32::try_from(len).unwrap_or(u32::MAX)),
            model: model(entry),
        });
    }

    /// What the history is about.
    fn note(&mut self, entry: &Value, what: What, ts: Option<i64>) {
        let about = &mut self.about;
        if let Some(ts) = ts {
            if about.times.0 == 0 {
                about.times.0 = ts;
            }
            about.times.1 = about.times.1.max(ts);
        }
        if about.folder.is_none() {
            about.folder = entry["cwd"].as_str().map(Into::into);
        }
        if matches!(what, What::Prompt | What::Queued) {
            about.messages += 1;
            if about.prompt.is_none() {
                let text = entry::prompt(entry);
                about.prompt = Some(one_line(head(text.trim(), PROMPT_MAX)));
            }
        }
        if what == What::Answer {
            let id = entry["message"]["id"].as_str();
            if id.is_none() || id != self.answer.as_deref() {
                about.messages += 1;
                self.answer = id.map(str::to_owned);
            }
        }
    }
}

fn model(entry: &Value) -> Option<String> {
    let model = entry["message"]["model"].as_str()?;
    (model != entry::SYNTHETIC).then(|| model.to_owned())
}

/// An object in a line; half characters in it are mended.
pub(super) fn parse(line: &[u8]) -> Option<Value> {
    let entry = serde_json::from_slice(line).or_else(|_| serde_json::from_str(&mend(line)));
    entry.ok().filter(Value::is_object)
}

/// The whole entry that ends a line whose beginning is damaged, and where it begins.
fn salvage(line: &[u8]) -> Option<(usize, Value)> {
    let mut starts: Vec<usize> = MARKS
        .iter()
        .flat_map(|mark| memmem::find_iter(line, mark))
        .filter(|at| *at > 0)
        .collect();
    starts.sort_unstable();
    let tries = starts.into_iter().take(TRIES);
    let mut whole = tries.filter_map(|at| {
        let entry = parse(line.get(at..)?)?;
        (entry["uuid"].is_string() && entry["type"].is_string()).then_some((at, entry))
    });
    whole.next()
}

//! Where histories lie, and which of them are of a folder.

use std::cmp::Reverse;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::index::parse;
use super::lines::Lines;
use super::{About, History, entry};
use crate::agents::claude::native::{self, Home};
use crate::agents::vars::Vars;
use crate::text::{head, one_line};

/// So many bytes are read whole for one list, the newest histories first; of older ones only the beginning is.
const WHOLE: u64 = 1024 * 1024 * 1024;
/// Lines at the beginning of a history among which its folder is.
const BEGINNING: u64 = 200;

/// A history that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// What it is about.
    pub about: About,
    /// Turns of its main line, and branches beside that.
    pub sizes: (u64, u64),
    /// Lines that could not be read.
    pub unread: u64,
    /// Whether it was read whole; else only its beginning is known.
    pub whole: bool,
}

/// One that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// Its file.
    pub path: PathBuf,
    /// Bytes of it.
    pub bytes: u64,
    /// When it was last written, milliseconds since 1970.
    pub when: i64,
    /// Why.
    pub why: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} could not be read: {}.",
            self.path.display(),
            self.why
        )
    }
}

/// A file among the program's records.
struct Record {
    path: PathBuf,
    /// Name of the folder it lies in.
    key: String,
    bytes: u64,
    /// When it was last written, milliseconds since 1970.
    mtime: i64,
}

/// The histories of a folder and those below it, of all folders when none is named, the newest first. `from` is where the
/// program keeps its records, when not where `vars` say. What cannot be read is told beside.
///
/// # Errors
/// When there is no folder of records.
pub fn find(
    from: Option<&Path>,
    vars: &Vars,
    folder: Option<&Path>,
) -> io::Result<(Vec<Found>, Vec<Unreadable>)> {
    let home = match from {
        Some(from) => Home::at(from),
        None => Home::of(vars).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?,
    };
    let folder = folder.map(native::real);
    let mut records = records(&home.records())?;
    records.sort_by_key(|r| Reverse(r.mtime));
    let (mut found, mut wrong, mut read) = (Vec::new(), Vec::new(), 0);
    for record in records {
        let looked = look(&record, folder.as_deref(), &mut read);
        match looked {
            Ok(one) => found.extend(one),
            Err(e) => wrong.push(Unreadable {
                path: record.path,
                bytes: record.bytes,
                when: record.mtime,
                why: e.to_string(),
            }),
        }
    }
    // As they are shown: a copy, or a change of its title, does not make one new.
    found.sort_by_key(|one| Reverse(one.about.times.1));
    Ok((found, wrong))
}

fn records(root: &Path) -> io::Result<Vec<Record>> {
    let mut all = Vec::new();
    for dir in std::fs::read_dir(root)?.flatten() {
        let key = dir.file_name().to_string_lossy().into_owned();
        for file in std::fs::read_dir(dir.path())
            .into_iter()
            .flatten()
            .flatten()
        {
            let path = file.path();
            let named = path.extension().is_some_and(|e| e == "jsonl");
            let Ok(meta) = file.metadata() else { continue };
            if !named || !meta.is_file() {
                continue;
            }
            all.push(Record {
                path,
                key: key.clone(),
                bytes: meta.len(),
                mtime: meta.modified().map_or(0, millis),
            });
        }
    }
    Ok(all)
}

fn millis(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Looks at a record; none when it is of another folder, or holds no conversation. One of which nothing can be read is
/// an error: there may have been one.
fn look(record: &Record, folder: Option<&Path>, read: &mut u64) -> io::Result<Option<Found>> {
    let about = beginning(record)?;
    if let Some(folder) = folder {
        let inside = about.folder.as_ref().map(|at| at.starts_with(folder));
        if !inside.unwrap_or_else(|| lies_in(&record.key, &native::key(folder))) {
            return Ok(None);
        }
    }
    *read += record.bytes;
    if *read > WHOLE {
        return Ok(about.prompt.is_some().then_some(Found {
            about,
            sizes: (0, 0),
            unread: 0,
            whole: false,
        }));
    }
    let history = History::open(&record.path)?;
    let branches = history.branches();
    let Some(main) = branches.first() else {
        return damaged(&history).map_or(Ok(None), |why| Err(io::Error::other(why)));
    };
    let mut about = history.about.clone();
    if about.times == (0, 0) {
        about.times = (record.mtime, record.mtime);
    }
    Ok(Some(Found {
        sizes: (main.len() as u64, branches.len() as u64 - 1),
        unread: history.gaps.unread_all,
        whole: true,
        about,
    }))
}

/// Whether the folder of records is that of a folder, or of one below it, as far as their names tell.
fn lies_in(key: &str, folder: &str) -> bool {
    let rest = key.strip_prefix(folder);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-') || folder.ends_with('-'))
}

/// Why a history without a turn is none; nothing where it never had one, as one in which only its title was set.
fn damaged(history: &History) -> Option<&'static str> {
    match (history.about.bytes, history.gaps.unread_all) {
        (0, _) => Some("it is empty"),
        (_, 0) => None,
        _ => Some("nothing that was said stands in a whole line"),
    }
}

/// What the first lines of a record say.
fn beginning(record: &Record) -> io::Result<About> {
    let id = record.path.file_stem().unwrap_or_default();
    let mut about = About {
        path: record.path.clone(),
        id: id.to_string_lossy().into_owned(),
        bytes: record.bytes,
        times: (record.mtime, record.mtime),
        ..About::default()
    };
    let mut lines = Lines::new(std::fs::File::open(&record.path)?);
    while let Some(line) = lines.next()? {
        let entry = line.bytes.and_then(parse);
        if let Some(entry) = entry.filter(|e| e["isSidechain"] != true) {
            let folder = about.folder.take();
            about.folder = folder.or_else(|| entry["cwd"].as_str().map(Into::into));
            if entry::what(&entry) == Some(entry::What::Prompt) && about.prompt.is_none() {
                let text = entry::prompt(&entry);
                about.prompt = Some(one_line(head(text.trim(), 400)));
            }
        }
        if line.no >= BEGINNING || (about.folder.is_some() && about.prompt.is_some()) {
            break;
        }
    }
    Ok(about)
}

//! One file of entries: its first line says whose they are, each further one holds one.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Key, LogError, Tried};
use crate::domain::event::{Kind, Seq};
use crate::log::disk::{self, Disk, DiskFile, NEW, Open};
use crate::log::line::MARK;
use crate::log::pieces::next_line_start;
use crate::log::scan::{Found, Scan};

/// Bytes at the beginning of a file among which its first line is.
const TITLE: u64 = 64 * 1024;
/// Bytes at its end among which the newest line is looked for first.
const TAIL: u64 = 256 * 1024;

/// What a line holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Line {
    /// An entry.
    Entry,
    /// What was noted of the session.
    Summary,
}

impl Line {
    /// Its kind, and its one key.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Entry => ("sdk.entry", "entry"),
            Self::Summary => ("sdk.summary", "data"),
        }
    }

    /// What stands between the time and the value.
    fn lead(self) -> String {
        let (kind, name) = self.names();
        format!(",\"kind\":\"{kind}\",\"{name}\":")
    }

    /// The value in a line, as it came.
    fn value<'a>(self, found: &Found<'a>) -> Option<&'a str> {
        let known = matches!(&found.event.kind, Kind::Unknown { name } if name == self.names().0);
        let lead = self.lead();
        let at = memchr::memmem::find(found.line, lead.as_bytes())?;
        let value = found.line.get(at + lead.len()..)?.strip_suffix(b"}")?;
        std::str::from_utf8(value).ok().filter(|_| known)
    }
}

/// What the first line says.
#[derive(Serialize, Deserialize)]
pub(super) struct Title {
    #[serde(rename = "project_key")]
    group: String,
    #[serde(rename = "session_id")]
    pub(super) session: String,
    #[serde(rename = "subpath", default, skip_serializing_if = "Option::is_none")]
    pub(super) sub: Option<String>,
}

/// A file that is written.
pub(super) struct Ledger {
    file: Arc<dyn DiskFile>,
    next: Seq,
    /// It does not end with a newline.
    ends_open: bool,
    /// Of the entries in it.
    uuids: HashSet<String>,
}

#[derive(Deserialize)]
struct Named<'a> {
    #[serde(borrow)]
    uuid: Cow<'a, str>,
}

fn uuid(entry: &str) -> Option<String> {
    let named: Named = serde_json::from_str(entry).ok()?;
    Some(named.uuid.into_owned())
}

impl Ledger {
    /// Opens a file for appending; makes it, with its first line, where there is none.
    pub(super) fn open(
        disk: &dyn Disk,
        path: &Path,
        key: &Key,
        now: i64,
    ) -> Result<Self, LogError> {
        if disk.stat(path).is_err() {
            make(disk, path, key, now)?;
        }
        let file = disk.open(path, Open::Append).tried("open", path)?;
        let len = file.stat().tried("look at", path)?.len;
        let mut uuids = HashSet::new();
        let mut scan = Scan::default();
        scan.run(&*file, (0, len), &mut |found| {
            uuids.extend(Line::Entry.value(&found).and_then(uuid));
        })
        .and_then(|()| scan.settle(&*file, len))
        .tried("read", path)?;
        if let Some(why) = scan.found.read_only() {
            let path = path.display();
            return Err(LogError::Entry(format!("{path} can only be read: {why}")));
        }
        let last = disk::read_range(&*file, len.saturating_sub(1), len).tried("read", path)?;
        Ok(Self {
            file,
            next: scan.next,
            ends_open: !matches!(last.as_slice(), [] | b"\n"),
            uuids,
        })
    }

    /// Appends values, one line each; durable when this returns. Gives how many are new.
    pub(super) fn append(&mut self, line: Line, values: &[&RawValue], now: i64) -> io::Result<u64> {
        let mut added = 0;
        for value in values {
            let name = uuid(value.get()).filter(|_| line == Line::Entry);
            if name.is_some_and(|name| !self.uuids.insert(name)) {
                continue;
            }
            let seal = if self.ends_open { "\n" } else { "" };
            let mut bytes = seal.as_bytes().to_vec();
            bytes.extend_from_slice(MARK);
            let lead = line.lead();
            bytes.extend_from_slice(format!("{},\"ts\":{now}{lead}", self.next).as_bytes());
            bytes.extend_from_slice(value.get().as_bytes());
            bytes.extend_from_slice(b"}\n");
            disk::append_all(&*self.file, &bytes)?;
            self.ends_open = false;
            self.next += 1;
            added += 1;
        }
        // A batch that is given again may have been written, and not synced, the first time.
        self.file.sync()?;
        Ok(added)
    }
}

/// Makes a file of nothing but its first line, durable when this returns.
fn make(disk: &dyn Disk, path: &Path, key: &Key, now: i64) -> Result<(), LogError> {
    let dir = path.parent().unwrap_or(path);
    disk::ensure_dir(disk, dir).tried("make", dir)?;
    for name in disk.list(dir).unwrap_or_default() {
        // Left half made by a process that died: the lock says that no other is at work.
        if name.starts_with(NEW) {
            let _left = disk.remove(&dir.join(name));
        }
    }
    let title = Title {
        group: key.group.clone(),
        session: key.session.clone(),
        sub: key.sub.clone(),
    };
    let said = serde_json::to_string(&title).map_err(Into::into);
    let said = said.tried("write", path)?;
    let mut line = MARK.to_vec();
    let said = said.get(1..).unwrap_or_default();
    line.extend_from_slice(format!("0,\"ts\":{now},\"kind\":\"sdk.session\",{said}\n").as_bytes());
    disk::put_file(disk, path, &line).tried("write", path)
}

/// Gives the values in a file to `each`, in order; false where there is no such file.
pub(super) fn read(
    disk: &dyn Disk,
    path: &Path,
    line: Line,
    each: &mut dyn FnMut(&str),
) -> Result<bool, LogError> {
    let Some((file, len)) = open(disk, path)? else {
        return Ok(false);
    };
    let mut take = |found: Found<'_>| {
        if let Some(value) = line.value(&found) {
            each(value);
        }
    };
    Scan::default()
        .run(&*file, (0, len), &mut take)
        .tried("read", path)?;
    Ok(true)
}

/// What was noted last.
pub(super) fn newest(disk: &dyn Disk, path: &Path) -> Result<Option<String>, LogError> {
    let Some((file, len)) = open(disk, path)? else {
        return Ok(None);
    };
    if len > TAIL {
        let from = next_line_start(&*file, len - TAIL, len).tried("read", path)?;
        let found = last(&*file, (from, len), Scan::within(None)).tried("read", path)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    last(&*file, (0, len), Scan::default()).tried("read", path)
}

/// The last of what was noted in a stretch of a file.
fn last(file: &dyn DiskFile, part: (u64, u64), mut scan: Scan) -> io::Result<Option<String>> {
    let mut newest = None;
    scan.run(file, part, &mut |found| {
        if let Some(value) = Line::Summary.value(&found) {
            newest = Some(value.to_owned());
        }
    })?;
    Ok(newest)
}

/// What the first line of a file says; none where it cannot be read any more.
pub(super) fn title(disk: &dyn Disk, path: &Path) -> Result<Option<Title>, LogError> {
    let Some((file, len)) = open(disk, path)? else {
        return Ok(None);
    };
    let bytes = disk::read_range(&*file, 0, len.min(TITLE)).tried("read", path)?;
    let line = bytes.split(|b| *b == b'\n').next().unwrap_or_default();
    Ok(serde_json::from_slice(line).ok())
}

/// A file, and its length.
type Opened = (Arc<dyn DiskFile>, u64);

/// Opens a file for reading, with its length; none where there is none.
fn open(disk: &dyn Disk, path: &Path) -> Result<Option<Opened>, LogError> {
    let file = match disk.open(path, Open::Read) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file.tried("open", path)?,
    };
    let len = file.stat().tried("look at", path)?.len;
    Ok(Some((file, len)))
}

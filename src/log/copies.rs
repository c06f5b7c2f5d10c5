//! Copies that sync tools leave beside a log or a draft when it was changed in two places.
//!
//! Such a file is told by its name: all of the original's, with more between stem and ending. It is
//! never opened as a log, never mixed in, moved or removed; it is listed, and compared when asked.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};

use crate::domain::SessionId;
use crate::domain::head::Head;
use crate::text::hash::sha256;

use super::blobs;
use super::deeds::BOOK;
use super::disk::{self, Disk, DiskFile, NEW, Open};
use super::heads::Listed;
use super::pieces::{Body, Pieces};
use super::store::{Area, Store};

/// Letters in a session's id.
const ID_LEN: usize = 36;
/// Ending of a log's name.
const LOG: &str = ".jsonl";
/// Files of a session's own folder that come in copies: stem and ending. The second is named by its
/// whole name or, by tools that take it for an ending, by nothing.
const OWN: [(&str, &str, &str); 3] = [
    ("draft.md", "draft", ".md"),
    (".session", ".session", ""),
    (".session", "", ".session"),
];

/// A copy of a log, or of a file in a session's folder, that a sync tool seems to have made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Copy {
    /// The session it is named for.
    pub session: SessionId,
    /// The file, relative to the workspace.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// Nothing is in it that is not kept in its place as well.
    pub same: bool,
    /// Lines in it that the file it is a copy of does not have.
    pub lines: u64,
    /// Why it could not be compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<String>,
}

impl Store {
    /// The copies beside the log and the draft of one session, or of all.
    pub fn copies(&self, only: Option<SessionId>) -> Vec<Copy> {
        let mut found = Vec::new();
        for area in Area::BOTH {
            for (collection, names) in self.listing(area) {
                for name in names {
                    let wanted = |id: &SessionId| only.is_none_or(|only| only == *id);
                    if let Some(id) = session_of(&name).filter(wanted) {
                        let spot = self.spot(area, &collection, id);
                        found.push(self.compare(id, &spot.dir.join(&name), &spot.log()));
                    }
                }
            }
        }
        let listed = match only {
            Some(id) => self.head(id).into_iter().collect(),
            None => self.heads(),
        };
        for one in &listed {
            self.copies_of_draft(one.id, &one.head, &mut found);
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        found
    }

    fn copies_of_draft(&self, id: SessionId, head: &Head, found: &mut Vec<Copy>) {
        let inner = |folder: &&str| {
            let parts = Path::new(folder).components();
            // A log may come from anywhere: nothing outside the workspace is looked at.
            parts.into_iter().all(|p| matches!(p, Component::Normal(_)))
        };
        let folder = head.place.as_ref().map(|p| p.folder.as_str());
        let (Some(folder), Some(workspace)) = (folder.filter(inner), self.rig.root.parent()) else {
            return;
        };
        let folder = workspace.join(folder);
        for name in self.rig.disk.list(&folder).unwrap_or_default() {
            if let Some(original) = own_original(&name) {
                let path = folder.join(&name);
                let mut copy = self.compare(id, &path, &folder.join(original));
                copy.same |= self.is_version(id, &path);
                found.push(copy);
            }
        }
    }

    /// Whether a text is one of the versions that the log keeps.
    fn is_version(&self, id: SessionId, path: &Path) -> bool {
        let text = blobs::get(&*self.rig.disk, path);
        text.is_ok_and(|text| self.blob_get(id, &sha256(&text)).is_ok())
    }

    fn compare(&self, session: SessionId, path: &Path, original: &Path) -> Copy {
        let workspace = self.rig.root.parent().unwrap_or(&self.rig.root);
        let shown = path.strip_prefix(workspace).unwrap_or(path);
        let (bytes, lines, unread) = match compare(&*self.rig.disk, path, original) {
            Ok((bytes, lines)) => (bytes, lines, None),
            Err(e) => (0, 0, Some(e.to_string())),
        };
        Copy {
            session,
            path: shown.to_string_lossy().into_owned(),
            bytes,
            same: lines == 0 && unread.is_none(),
            lines,
            unread,
        }
    }
}

/// Says in the list which logs have copies beside them; reads none.
pub(super) fn tell(listed: &mut [Listed], beside: &HashMap<SessionId, usize>) {
    for one in listed {
        let Some(n) = beside.get(&one.id) else {
            continue;
        };
        let copies = match n {
            1 => "1 copy made by a sync tool lies".to_owned(),
            n => format!("{n} copies made by a sync tool lie"),
        };
        let id = one.id;
        let said = format!("{copies} beside its log; `fascicle verify {id}` says what is in it.");
        one.trouble = Some(match one.trouble.take() {
            Some(trouble) => format!("{trouble} {said}"),
            None => said,
        });
    }
}

/// The session whose log this is by name.
pub(super) fn log_of(name: &str) -> Option<SessionId> {
    let stem = name.strip_suffix(LOG)?;
    let id: SessionId = stem.parse().ok()?;
    // Ids can be written in several ways, and only one of them is a log's name.
    (id.to_string() == stem).then_some(id)
}

/// The session of whose log this is a copy by name: a whole id with more behind it.
pub(super) fn session_of(name: &str) -> Option<SessionId> {
    let stem = name.strip_suffix(LOG)?;
    let (id, more) = stem.split_at_checked(ID_LEN)?;
    let apart = !more.starts_with(|c: char| c.is_ascii_alphanumeric());
    log_of(&format!("{id}{LOG}")).filter(|_| apart && !more.is_empty())
}

/// Whether a file among the logs ends like one and is named like none, nor like a copy of one.
pub(super) fn is_odd(name: &str) -> bool {
    let is_known = name.starts_with(NEW) || name == BOOK;
    let is_named = log_of(name).is_some() || session_of(name).is_some();
    name.ends_with(LOG) && !is_known && !is_named
}

/// The file of a session's folder of which this is a copy by name.
fn own_original(name: &str) -> Option<&'static str> {
    let of = |(original, stem, ending): &(&'static str, &str, &str)| {
        let more = name.strip_prefix(stem)?.strip_suffix(ending)?;
        (!name.starts_with(NEW) && is_tools(more)).then_some(*original)
    };
    OWN.iter().find_map(of)
}

/// Whether a sync tool would add this to a name. Writers name files too: a mere word is no sign.
fn is_tools(more: &str) -> bool {
    let numbered = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
    let inner = more
        .strip_prefix(" (")
        .and_then(|rest| rest.strip_suffix(')'));
    let machine = |name: &str| {
        let plain = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'-';
        name.bytes().all(plain) && name.bytes().any(|b| b.is_ascii_uppercase())
    };
    more.to_lowercase().contains("conflict")
        || inner.is_some_and(numbered)
        || more.strip_prefix(' ').is_some_and(numbered)
        || more.strip_prefix('-').is_some_and(machine)
}

/// Size of a copy, and how many of its lines the original lacks.
fn compare(disk: &dyn Disk, copy: &Path, original: &Path) -> io::Result<(u64, u64)> {
    let copy = disk.open(copy, Open::Read)?;
    let bytes = copy.stat()?.len;
    let original = match disk.open(original, Open::Read) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => None,
        other => Some(other?),
    };
    let mut known = HashSet::new();
    if let Some(original) = original {
        if disk::begins_with(&*original, &*copy)? {
            return Ok((bytes, 0));
        }
        each_line(&*original, |line| {
            known.insert(line);
        })?;
    }
    let mut lacking = 0;
    each_line(&*copy, |line| lacking += u64::from(!known.contains(&line)))?;
    Ok((bytes, lacking))
}

/// Gives a hash of each line; of one too long to be loaded, that of its checksum.
fn each_line(file: &dyn DiskFile, mut with: impl FnMut(u64)) -> io::Result<()> {
    let mut pieces = Pieces::new(file, 0, file.stat()?.len);
    while let Some(piece) = pieces.next()? {
        let mut hash = DefaultHasher::new();
        match piece.body {
            Body::Text([]) => continue,
            Body::Text(line) => line.hash(&mut hash),
            Body::Nul => piece.len.hash(&mut hash),
            Body::Long { crc, .. } => (crc.finalize(), piece.len).hash(&mut hash),
        }
        with(hash.finish());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0197c0de-7a10-7c3e-9b55-1f2e3d4c5b6a";

    /// What the tools put behind a stem.
    const MORE: [&str; 12] = [
        ".sync-conflict-20261129-101010-ABCDEFG", // Syncthing
        " (Ann's conflicted copy 2026-11-29)",    // Dropbox
        " (Case Conflict 1)",                     // Dropbox
        " (conflicted copy 2026-11-29 101010)",   // Nextcloud
        "_conflict-20261129-101010",              // ownCloud
        " (SFConflict ann@example.org 2026-11-29-10-10-10)", // Seafile
        ".Conflict",                              // Resilio
        " [conflicted]",                          // pCloud
        "-LAPTOP",                                // OneDrive
        "-DESKTOP-4A7QX",                         // OneDrive
        " (1)",                                   // Google Drive
        " 2",                                     // iCloud
    ];

    #[test]
    fn a_copy_is_told_by_the_name_that_a_sync_tool_gives_it() {
        for more in MORE {
            let name = format!("{ID}{more}.jsonl");
            assert_eq!(session_of(&name), ID.parse().ok(), "{name}");
            assert_eq!(log_of(&name), None, "{name}");
            let draft = format!("draft{more}.md");
            assert_eq!(own_original(&draft), Some("draft.md"), "{draft}");
            let mark = format!(".session{more}");
            assert_eq!(own_original(&mark), Some(".session"), "{mark}");
        }
        let mark = ".sync-conflict-20261129-101010-ABCDEFG.session";
        assert_eq!(own_original(mark), Some(".session"));
    }

    #[test]
    fn other_names_are_no_copies() {
        let log = format!("{ID}.jsonl");
        assert_eq!((session_of(&log), log_of(&log)), (None, ID.parse().ok()));
        let simple = format!("{}.jsonl", ID.replace('-', ""));
        let upper = log.to_uppercase().replace("JSONL", "jsonl");
        for name in [
            ID,
            "collection.jsonl",
            ".jsonl",
            &format!("{ID}a.jsonl"),
            &format!("{ID}-LAPTOP.json"),
            &format!(".new-{ID}.jsonl"),
            &format!("copy of {ID}.jsonl"),
            &format!("{}é.jsonl", ID.split_at(35).0),
            &simple,
            &upper,
        ] {
            assert_eq!((session_of(name), log_of(name)), (None, None), "{name}");
        }
        for name in [
            "draft.md",
            ".session",
            "draft-notes.md",
            "draft old.md",
            "drafts 2.md",
            "draft 2.txt",
            "draft-2.md",
            "notes.session",
            ".new-1-ThreadId(2)-draft (1).md",
            "draft().md",
        ] {
            assert_eq!(own_original(name), None, "{name}");
        }
    }
}

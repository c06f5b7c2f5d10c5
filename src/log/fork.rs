//! A variant's log: its parent's byte for byte up to one of its events, then its own.
//!
//! The parent is read without its lock, also while it grows, and nothing of it is touched. Its blobs never change, so
//! the variant's are the same files under a second name, where the disk gives one.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::sync::Arc;

use crc32fast::Hasher;

use crate::domain::event::{Forked, Kind, Origin, Prefix, Seq, Status};
use crate::domain::{CollectionId, Head, SessionId, damage};

use super::create::Making;
use super::disk::{self, Disk, DiskFile, Open};
use super::findings::Findings;
use super::pen::Sink;
use super::pieces::last_line_end;
use super::scan::{Scan, Seen};
use super::store::{Area, Spot, Store};
use super::writer::Writer;
use super::{LogError, Tried, blobs};
use crate::text::counted;

/// How much of a log is copied at once.
const STRIDE: u64 = 1024 * 1024;
/// Why a turn ended that was open at the fork.
const CUT: &str = "forked here";

/// What a variant is to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variant {
    /// Its id.
    pub id: SessionId,
    /// Its name within the family; from its first prompt when none.
    pub title: Option<String>,
    /// Its collection.
    pub collection: CollectionId,
    /// Its folder, relative to the workspace.
    pub folder: String,
}

/// A variant that was made.
pub struct Made {
    /// What writes its log.
    pub writer: Writer,
    /// The head as of its own first events.
    pub head: Head,
    /// What of the parent could not be read or taken along, one sentence each.
    pub unread: Vec<String>,
    /// How many bytes stood behind the parent's last whole line: it is torn, or on its way.
    pub torn: u64,
}

/// The part of a parent's log that a variant begins with.
struct Shared {
    /// Its newest event.
    seq: Seq,
    /// Its bytes.
    bytes: u64,
    /// Whether they end in the middle of a line: a newline comes before anything else then.
    ends_open: bool,
    /// Bytes behind them that are no whole line.
    torn: u64,
    scan: Scan,
    /// What the parent has found out itself.
    known: Findings,
    head: Head,
    /// The blobs it names.
    named: BTreeSet<String>,
}

/// A parent's log, and how much of it a variant begins with.
pub(super) struct Branch {
    from: Spot,
    log: Arc<dyn DiskFile>,
    shared: Shared,
}

impl Branch {
    /// Puts what is shared into a variant's log, and the first events that are its own; these happened at `ts`, now
    /// when none.
    pub(super) fn begin(
        &self,
        store: &Store,
        spot: &Spot,
        variant: Variant,
        making: &mut Making<'_>,
        ts: Option<i64>,
    ) -> Result<(), LogError> {
        let shared = &self.shared;
        let lost = store.lend(&self.from, spot, &shared.named)?;
        let copied = copy(&*self.log, &*making.file, shared);
        let crc32 = copied.tried("copy", &self.from.log())?;
        (making.next, making.sum) = (shared.scan.next, shared.scan.sum);
        let at = Origin {
            session: self.from.id,
            seq: shared.seq,
        };
        let bytes = shared.bytes;
        let prefix = Prefix { at, bytes, crc32 };
        for kind in own(shared, variant, prefix, lost) {
            match ts {
                Some(ts) => making.push_at(ts, kind)?,
                None => making.push(kind)?,
            }
        }
        Ok(())
    }
}

impl Store {
    /// Makes a variant's log: the parent's up to and including event `at`, its newest when none, then `forked`; a turn
    /// that is open there ends. All is durable when this returns; when it fails, there is no variant. What of the
    /// parent cannot be read is listed in the variant's log. The sink is told of the events that are the variant's own.
    /// Gives the writer, and the head as of those.
    pub fn fork(
        &self,
        parent: SessionId,
        at: Option<Seq>,
        variant: Variant,
        sink: Sink,
    ) -> Result<(Writer, Head), LogError> {
        let made = self.fork_with((parent, at), variant, |_| Ok(()), sink)?;
        Ok((made.writer, made.head))
    }

    /// The same; `stage` is given the draft that it begins with, if there is one that can be read, before there is a
    /// variant: when that fails there is none.
    pub fn fork_with(
        &self,
        (parent, at): (SessionId, Option<Seq>),
        variant: Variant,
        stage: impl FnOnce(&[u8]) -> io::Result<()>,
        sink: Sink,
    ) -> Result<Made, LogError> {
        let ready = self.branch(parent, at)?;
        let spot = self.spot(Area::Sessions, &variant.collection, variant.id);
        let folder = self.rig.root.with_file_name(&variant.folder);
        let mut head = ready.shared.head.clone();
        let mut unread = Vec::new();
        let fill = |making: &mut Making<'_>| {
            ready.begin(self, &spot, variant, making, None)?;
            making.events.iter().for_each(|event| head.apply(event));
            let known = ready.shared.known.clone().events();
            let own = making.events.iter().map(|event| &event.kind);
            unread = known.iter().chain(own).filter_map(unread_of).collect();
            match self.draft_in(&spot, &head) {
                Some(text) => stage(&text).tried("write a draft in", &folder),
                None => Ok(()),
            }
        };
        let writer = self.make(&spot, fill, sink)?;
        self.remember(&spot, &ready.shared);
        Ok(Made {
            writer,
            head,
            unread,
            torn: ready.shared.torn,
        })
    }

    /// The newest version of a draft, where it can be read.
    fn draft_in(&self, spot: &Spot, head: &Head) -> Option<Vec<u8>> {
        let name = head.draft.as_ref().map(|v| &v.sha256)?;
        blobs::get(&*self.rig.disk, &spot.blobs().join(name)).ok()
    }

    /// Reads what a variant of a session as of an event, its newest when none, begins with.
    pub(super) fn branch(&self, parent: SessionId, at: Option<Seq>) -> Result<Branch, LogError> {
        let from = self.find(parent)?;
        let path = from.log();
        let log = self.rig.disk.open(&path, Open::Read).tried("open", &path)?;
        let shared = share(&*log, at).tried("read", &path)?;
        let shared = shared.ok_or_else(|| none(parent, at))?;
        Ok(Branch { from, log, shared })
    }

    /// Gives a variant the blobs it names, durable when this returns. Gives back how many are missing.
    fn lend(&self, from: &Spot, to: &Spot, named: &BTreeSet<String>) -> Result<u64, LogError> {
        let (disk, into) = (&*self.rig.disk, to.blobs());
        let mut lost = 0;
        for name in named {
            let mut given = give(disk, &from.blobs().join(name), &into.join(name));
            if is_absent(&given) {
                // The parent may have been moved in this moment: into the trash, or out of it.
                let now = self
                    .folder_of(from.id)
                    .map(|dir| dir.join("blobs").join(name));
                given = now.map_or(given, |path| give(disk, &path, &into.join(name)));
            }
            if is_absent(&given) {
                lost += 1;
                continue;
            }
            given.tried("copy", &from.blobs().join(name))?;
        }
        disk.sync_dir(&into).tried("sync", &into)?;
        Ok(lost)
    }

    /// Keeps what was read of the parent as what is known of the variant: nobody reads it once more for that.
    fn remember(&self, spot: &Spot, shared: &Shared) {
        if !shared.ends_open {
            self.know(spot, shared.bytes, &shared.scan, &shared.head);
        }
    }
}

/// There is no such event.
fn none(id: SessionId, at: Option<Seq>) -> LogError {
    match at {
        Some(seq) => LogError::NoEvent { id, seq },
        None => LogError::Empty(id),
    }
}

/// Reads a log up to an event, its newest when none is named. None when there is no such event.
fn share(log: &dyn DiskFile, at: Option<Seq>) -> io::Result<Option<Shared>> {
    let len = log.stat()?.len;
    let mut newest = None;
    let mut find = |seen: Seen<'_>| {
        let place = seen.place();
        if at.is_none_or(|at| place.0 <= at) {
            newest = Some(place);
        }
        at.is_none_or(|at| place.0 < at)
    };
    Scan::default().skim_each(log, (0, len), &mut find)?;
    let found = newest.filter(|(seq, _)| at.is_none_or(|at| at == *seq));
    let Some((seq, end)) = found else {
        return Ok(None);
    };
    let newline = newline(log, end, len)?;
    let mut bytes = end + newline;
    if at.is_none() {
        // Whole lines behind it are damage, which is kept and said; a torn one may be on its way.
        bytes = last_line_end(log, bytes, len)?;
    }
    let (mut scan, mut head, mut named) = (Scan::default(), Head::default(), BTreeSet::new());
    let mut known = Findings::default();
    scan.skim_each(log, (0, bytes), &mut |mut seen| {
        seen.apply(&mut head);
        if let Seen::Event(found) = &mut seen {
            let blob = blobs::named(&mut found.event.kind);
            named.extend(blob.filter(|name| blobs::is_name(name)).map(str::to_owned));
            if let Kind::Recovered { damage, missing } = &found.event.kind {
                known.damage.extend(damage.iter().cloned());
                known.missing.extend(missing);
            }
        }
        true
    })?;
    scan.settle(log, bytes)?;
    Ok(Some(Shared {
        seq,
        bytes,
        ends_open: bytes == end,
        torn: if at.is_none() { len - bytes } else { 0 },
        scan,
        known,
        head,
        named,
    }))
}

/// How many bytes end the line that ends at an offset; none where something else follows, or nothing.
fn newline(log: &dyn DiskFile, end: u64, len: u64) -> io::Result<u64> {
    let behind = disk::read_range(log, end, len.min(end + 2))?;
    Ok(match behind.as_slice() {
        [b'\n', ..] => 1,
        b"\r\n" => 2,
        _ => 0,
    })
}

/// Copies what is shared. Gives the checksum of it.
fn copy(from: &dyn DiskFile, to: &dyn DiskFile, shared: &Shared) -> io::Result<String> {
    let crc32 = parts(from, shared.bytes, |part| disk::append_all(to, part))?;
    if shared.ends_open {
        disk::append_all(to, b"\n")?;
    }
    Ok(crc32)
}

/// Whether a variant's log begins with the bytes that were copied into it.
pub(super) fn is_prefix(log: &dyn DiskFile, from: &Prefix) -> io::Result<bool> {
    Ok(parts(log, from.bytes, |_| Ok(()))? == from.crc32)
}

/// The first bytes of a file, part by part. Gives the checksum of all.
fn parts(
    file: &dyn DiskFile,
    bytes: u64,
    mut with: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<String> {
    let (mut at, mut crc) = (0, Hasher::new());
    while at < bytes {
        let part = disk::read_range(file, at, bytes.min(at + STRIDE))?;
        if part.is_empty() {
            // Somebody has cut it meanwhile.
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        crc.update(&part);
        with(&part)?;
        at += part.len() as u64;
    }
    Ok(format!("{:08x}", crc.finalize()))
}

/// The first events that are the variant's own.
fn own(shared: &Shared, variant: Variant, from: Prefix, lost: u64) -> Vec<Kind> {
    let mut kinds = vec![Kind::Forked(Forked {
        id: variant.id,
        from,
        title: variant.title,
        collection: variant.collection,
        folder: variant.folder,
        app: env!("CARGO_PKG_VERSION").to_owned(),
    })];
    let open = shared.head.turn.as_ref().filter(|t| t.end.is_none());
    kinds.extend(open.map(|turn| Kind::TurnFinished {
        turn: turn.no,
        status: Status::Interrupted,
        reason: Some(CUT.to_owned()),
        events: 0,
        crc32: String::new(),
    }));
    kinds.extend(shared.scan.found.clone().events());
    kinds.extend((lost > 0).then(|| Kind::Note {
        turn: None,
        text: format!(
            "{} that the log names could not be taken along: the parent has lost them.",
            counted(lost, "text")
        ),
    }));
    kinds
}

/// What an event says of what could not be read or taken along.
fn unread_of(kind: &Kind) -> Option<String> {
    match kind {
        Kind::Recovered { damage, missing } => {
            let told = damage::told(damage, missing)?;
            Some(format!("Not all of the parent can be read. {told}"))
        }
        Kind::Note { text, .. } => Some(text.clone()),
        _ => None,
    }
}

/// Gives a blob a second name, or copies it where the disk gives none.
fn give(disk: &dyn Disk, from: &Path, to: &Path) -> io::Result<()> {
    match disk.link(from, to) {
        Ok(()) => Ok(()),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Err(e),
        Err(_) => disk::put_file(disk, to, &blobs::get(disk, from)?),
    }
}

fn is_absent(given: &io::Result<()>) -> bool {
    matches!(given, Err(e) if e.kind() == io::ErrorKind::NotFound)
}

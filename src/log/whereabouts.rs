//! Whether an open log is still the file at its path.

use std::path::{Path, PathBuf};
use std::{io, iter};

use super::disk::{Disk, DiskFile, read_range};

/// Where an open log is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Whereabouts {
    /// At its path.
    Home,
    /// At another, under its own name: a folder above it was moved.
    Moved(PathBuf),
    /// Nowhere it could be read from again, or not as it was written.
    Lost(Loss),
}

/// What has become of a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Loss {
    /// It has no name any more.
    Deleted,
    /// It has another name, which is not known.
    Gone,
    /// Another file has its name.
    Replaced,
    /// Bytes that were written are no longer in it.
    Cut,
    /// It is in its place, and takes nothing more.
    Refused,
}

impl Loss {
    /// What has happened, to go on with in a sentence about the log.
    pub(super) const fn told(self) -> &'static str {
        match self {
            Self::Deleted => "was deleted while it was written",
            Self::Gone => "was moved away while it was written",
            Self::Replaced => "was replaced by another file while it was written",
            Self::Cut => "was cut off by another program while it was written",
            Self::Refused => "could not be written to its end",
        }
    }
}

/// Where a log is that was opened at `path` and of which `written` bytes are known. None when the
/// system does not say, as on a network that is down.
pub(super) fn look(
    disk: &dyn Disk,
    path: &Path,
    file: &dyn DiskFile,
    written: u64,
) -> Option<Whereabouts> {
    match look_once(disk, path, file, written) {
        // It may have been moved between two questions.
        Some(Whereabouts::Lost(Loss::Gone)) => look_once(disk, path, file, written),
        seen => seen,
    }
}

fn look_once(
    disk: &dyn Disk,
    path: &Path,
    file: &dyn DiskFile,
    written: u64,
) -> Option<Whereabouts> {
    // In this order: what is absent now has lost its name already when the names are counted.
    let there = disk.stat(path);
    let open = file.stat().ok()?;
    if open.len < written {
        return Some(Whereabouts::Lost(Loss::Cut));
    }
    match there {
        Ok(there) if there.same_file(open) => return Some(Whereabouts::Home),
        Ok(_) => return Some(Whereabouts::Lost(Loss::Replaced)),
        Err(e) if is_absent(&e) => {}
        Err(_) => return None,
    }
    if open.links == 0 {
        return Some(Whereabouts::Lost(Loss::Deleted));
    }
    let moved = file.path().filter(|now| {
        let named = now.file_name() == path.file_name();
        // Its own folder came with it, or it was not a folder above both that was moved.
        let whole = disk.stat(&now.with_extension("").join("blobs")).is_ok();
        named && whole && disk.stat(now).is_ok_and(|there| there.same_file(open))
    });
    Some(match moved {
        // It came back in this moment.
        Some(now) if now == path => Whereabouts::Home,
        Some(now) => Whereabouts::Moved(now),
        None => Whereabouts::Lost(Loss::Gone),
    })
}

/// How much counts of a file that others cut: not the end of `recent` that was appended behind the
/// cut, and no more than was seen to be right before `recent` was written. `recent` then follows.
pub(super) fn uncut(file: &dyn DiskFile, seen: u64, recent: &[u8]) -> io::Result<u64> {
    let len = file.stat()?.len;
    let end = read_range(file, len.saturating_sub(recent.len() as u64), len)?;
    let newlines = memchr::memchr_iter(b'\n', recent).map(|n| n + 1);
    let mut ends = iter::once(0)
        .chain(newlines)
        .filter_map(|n| recent.get(n..));
    let appended = ends.find(|part| end.ends_with(part)).map_or(0, <[u8]>::len);
    Ok(seen.min(len - appended as u64))
}

fn is_absent(e: &io::Error) -> bool {
    matches!(
        e.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::log::disk::Stat;

    struct Bytes(&'static [u8]);

    impl DiskFile for Bytes {
        fn append(&self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::Unsupported.into())
        }
        fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<usize> {
            let mut rest = self.0.get(usize::try_from(at).unwrap()..).unwrap_or(&[]);
            io::Read::read(&mut rest, into)
        }
        fn sync(&self) -> io::Result<()> {
            Ok(())
        }
        fn stat(&self) -> io::Result<Stat> {
            let len = self.0.len() as u64;
            Ok(Stat {
                len,
                ..Stat::default()
            })
        }
    }

    #[test]
    fn what_counts_of_a_cut_file_ends_where_it_was_cut() {
        // Seen with three lines; two were written since.
        let recent = b"dddd\neeee\n";
        let cases: [(&[u8], u64); 7] = [
            (b"aa\nbb\ncc\ndddd\nee", 9),
            (b"aa\nbb\nc", 7),
            (b"aa\nbb\ncdddd\neeee\n", 7),
            (b"aa\nbb\neeee\n", 6),
            (b"aa\nbb\ncc\ndddeeee\n", 9),
            (b"eeee\n", 0),
            (b"", 0),
        ];
        for (file, want) in cases {
            let shown = String::from_utf8_lossy(file);
            assert_eq!(uncut(&Bytes(file), 9, recent).unwrap(), want, "{shown:?}");
        }
        assert_eq!(uncut(&Bytes(b"aa\nb"), 9, b"").unwrap(), 4);
    }
}

//! Cuts a file into lines, and lines at runs of NUL, in blocks of 1 MiB: no file is too large, no
//! line is loaded whole beyond 16 MiB.

use std::io;

use crc32fast::Hasher;

use super::disk::DiskFile;

/// How much is read at once.
const BLOCK: usize = 1024 * 1024;
/// How much is read to look for a line.
const SMALL_BLOCK: usize = 64 * 1024;
/// Longer lines are never loaded whole.
pub(crate) const LINE_MAX: usize = 16 * 1024 * 1024;
/// What is kept of a longer line.
const HEAD: usize = 4 * 1024;

/// A line, or the part of one that a run of NUL bytes cuts off. A line of JSON holds no NUL.
pub(crate) struct Piece<'a> {
    /// Offset in the file.
    pub(crate) at: u64,
    /// Bytes, without the newline.
    pub(crate) len: u64,
    /// What it is.
    pub(crate) body: Body<'a>,
    /// What follows it.
    pub(crate) end: End,
}

/// What a piece is.
pub(crate) enum Body<'a> {
    /// Bytes without NUL.
    Text(&'a [u8]),
    /// Nothing but NUL.
    Nul,
    /// A line too long to load.
    Long {
        /// Its first 4 KiB.
        head: &'a [u8],
        /// Its last byte.
        last: u8,
        /// Checksum of all of it.
        crc: Hasher,
    },
}

/// What follows a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// The newline.
    Line,
    /// More of the same line: NUL after text, or text after NUL.
    Cut,
    /// Nothing: the file ends without a newline.
    File,
}

/// The pieces of a stretch of a file.
pub(crate) struct Pieces<'f> {
    file: &'f dyn DiskFile,
    /// What is read and not yet given out begins at `pos`.
    buf: Vec<u8>,
    pos: usize,
    /// Offset in the file of the end of `buf`.
    read: u64,
    to: u64,
    block: usize,
}

impl<'f> Pieces<'f> {
    /// Those from `from`, which begins a line, up to `to`.
    pub(crate) fn new(file: &'f dyn DiskFile, from: u64, to: u64) -> Self {
        Self {
            file,
            buf: Vec::new(),
            pos: 0,
            read: from,
            to,
            block: BLOCK,
        }
    }

    /// The same, for a look at the first few: reads less at once.
    pub(crate) fn few(file: &'f dyn DiskFile, from: u64, to: u64) -> Self {
        Self {
            block: SMALL_BLOCK,
            ..Self::new(file, from, to)
        }
    }

    /// The next one; empty lines are passed over.
    pub(crate) fn next(&mut self) -> io::Result<Option<Piece<'_>>> {
        loop {
            if self.rest().is_empty() && !self.fill()? {
                return Ok(None);
            }
            match self.rest().first().copied() {
                Some(b'\n') => self.pos += 1,
                Some(0) => return self.nul().map(Some),
                _ => return self.text().map(Some),
            }
        }
    }

    fn rest(&self) -> &[u8] {
        self.buf.get(self.pos..).unwrap_or_default()
    }

    fn offset(&self) -> u64 {
        self.read - self.rest().len() as u64
    }

    /// Reads a block more; false at the end.
    fn fill(&mut self) -> io::Result<bool> {
        self.buf.drain(..self.pos);
        self.pos = 0;
        let left = self.to.saturating_sub(self.read);
        let want = usize::try_from(left).unwrap_or(self.block).min(self.block);
        let had = self.buf.len();
        self.buf.resize(had + want, 0);
        let into = self.buf.get_mut(had..).unwrap_or_default();
        let got = loop {
            match self.file.read_at(self.read, into) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        self.buf.truncate(had + got.as_ref().map_or(0, |n| *n));
        let got = got?;
        self.read += got as u64;
        Ok(got > 0)
    }

    /// A run of NUL: counted, never kept.
    fn nul(&mut self) -> io::Result<Piece<'_>> {
        let at = self.offset();
        let end = loop {
            if let Some(n) = self.rest().iter().position(|b| *b != 0) {
                self.pos += n;
                break self.end_at_pos();
            }
            self.pos = self.buf.len();
            if !self.fill()? {
                break End::File;
            }
        };
        let len = self.offset() - at;
        if end == End::Line {
            self.pos += 1;
        }
        let body = Body::Nul;
        Ok(Piece { at, len, body, end })
    }

    fn text(&mut self) -> io::Result<Piece<'_>> {
        let at = self.offset();
        let mut searched = 0;
        loop {
            let unseen = self.rest().get(searched..).unwrap_or_default();
            let found = memchr::memchr2(b'\n', 0, unseen).map(|n| searched + n);
            searched = found.unwrap_or(self.rest().len());
            if searched > LINE_MAX {
                return self.long(at);
            }
            if found.is_some() || !self.fill()? {
                break;
            }
        }
        let start = self.pos;
        self.pos += searched;
        let end = self.end_at_pos();
        let len = searched as u64;
        let text = start..self.pos;
        if end == End::Line {
            self.pos += 1;
        }
        let body = Body::Text(self.buf.get(text).unwrap_or_default());
        Ok(Piece { at, len, body, end })
    }

    fn long(&mut self, at: u64) -> io::Result<Piece<'_>> {
        let head = self.rest().get(..HEAD).unwrap_or_default().to_vec();
        let (mut crc, mut len, mut last) = (Hasher::new(), 0, 0);
        loop {
            let found = memchr::memchr2(b'\n', 0, self.rest());
            let n = found.unwrap_or(self.rest().len());
            let part = self.rest().get(..n).unwrap_or_default();
            crc.update(part);
            last = part.last().copied().unwrap_or(last);
            len += n as u64;
            self.pos += n;
            if found.is_some() || !self.fill()? {
                break;
            }
        }
        let end = self.end_at_pos();
        // Only the head is lent out: it takes the place of the bytes before `pos`, already consumed.
        let start = self.pos;
        self.buf.splice(..start, head.iter().copied());
        self.pos = head.len();
        if end == End::Line {
            self.pos += 1;
        }
        let head = self.buf.get(..head.len()).unwrap_or_default();
        let body = Body::Long { head, last, crc };
        Ok(Piece { at, len, body, end })
    }

    fn end_at_pos(&self) -> End {
        match self.rest().first() {
            None => End::File,
            Some(b'\n') => End::Line,
            Some(_) => End::Cut,
        }
    }
}

/// Offset behind the last newline in `from..to`; `from` when there is none.
pub(crate) fn last_line_end(file: &dyn DiskFile, from: u64, to: u64) -> io::Result<u64> {
    let mut end = to;
    let step = SMALL_BLOCK as u64;
    while end > from {
        let start = end.saturating_sub(step).max(from);
        let bytes = super::disk::read_range(file, start, end)?;
        if let Some(n) = memchr::memrchr(b'\n', &bytes) {
            return Ok(start + n as u64 + 1);
        }
        end = start;
    }
    Ok(from)
}

/// Offset behind the first newline at or after `at`; `to` when there is none before it.
pub(crate) fn next_line_start(file: &dyn DiskFile, mut at: u64, to: u64) -> io::Result<u64> {
    let step = SMALL_BLOCK as u64;
    while at < to {
        let bytes = super::disk::read_range(file, at, (at + step).min(to))?;
        if let Some(n) = memchr::memchr(b'\n', &bytes) {
            return Ok(at + n as u64 + 1);
        }
        if bytes.is_empty() {
            break;
        }
        at += bytes.len() as u64;
    }
    Ok(to)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::log::disk::Stat;

    struct Bytes(Vec<u8>);

    impl DiskFile for Bytes {
        fn append(&self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::Unsupported.into())
        }
        fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<usize> {
            let rest = self.0.get(usize::try_from(at).unwrap()..).unwrap_or(&[]);
            let n = rest.len().min(into.len());
            into[..n].copy_from_slice(&rest[..n]);
            Ok(n)
        }
        fn sync(&self) -> io::Result<()> {
            Ok(())
        }
        fn stat(&self) -> io::Result<Stat> {
            Ok(Stat::default())
        }
    }

    fn cut(bytes: &[u8]) -> Vec<(u64, u64, String, End)> {
        let file = Bytes(bytes.to_vec());
        let mut pieces = Pieces::new(&file, 0, bytes.len() as u64);
        let mut out = Vec::new();
        while let Some(p) = pieces.next().unwrap() {
            let body = match p.body {
                Body::Text(t) => String::from_utf8_lossy(t).into_owned(),
                Body::Nul => "NUL".to_owned(),
                Body::Long { head, last, .. } => format!("{} {}", head.len(), char::from(last)),
            };
            out.push((p.at, p.len, body, p.end));
        }
        out
    }

    #[test]
    fn lines_are_cut_at_newlines_and_at_runs_of_nul() {
        let want = [
            (0, 2, "ab", End::Line),
            (4, 3, "cd\u{fffd}", End::Cut),
            (7, 2, "NUL", End::Cut),
            (9, 1, "e", End::Line),
            (11, 3, "NUL", End::Line),
            (15, 1, "f", End::File),
        ];
        let want = want.map(|(at, len, body, end)| (at, len, body.to_owned(), end));
        assert_eq!(cut(b"ab\n\ncd\xff\0\0e\n\0\0\0\nf"), want);
        assert_eq!(cut(b""), []);
    }

    #[test]
    fn a_line_over_16_mib_is_known_by_its_head_and_the_next_one_is_whole() {
        let mut bytes = vec![b'x'; LINE_MAX + 5];
        bytes.push(b'}');
        bytes.extend_from_slice(b"\nnext\n");
        let long = (LINE_MAX + 6) as u64;
        assert_eq!(
            cut(&bytes),
            [
                (0, long, "4096 }".to_owned(), End::Line),
                (long + 1, 4, "next".to_owned(), End::Line)
            ]
        );
    }

    #[test]
    fn a_nul_run_over_several_blocks_is_one_piece() {
        let mut bytes = vec![0; 3 * BLOCK + 1];
        bytes.push(b'a');
        let len = bytes.len() as u64 - 1;
        assert_eq!(
            cut(&bytes),
            [
                (0, len, "NUL".to_owned(), End::Cut),
                (len, 1, "a".to_owned(), End::File)
            ]
        );
    }

    #[test]
    fn line_ends_are_found_from_both_sides() {
        let file = Bytes(b"ab\ncd\nef".to_vec());
        assert_eq!(last_line_end(&file, 0, 8).unwrap(), 6);
        assert_eq!(last_line_end(&file, 6, 8).unwrap(), 6);
        assert_eq!(next_line_start(&file, 1, 8).unwrap(), 3);
        assert_eq!(next_line_start(&file, 6, 8).unwrap(), 8);
    }
}

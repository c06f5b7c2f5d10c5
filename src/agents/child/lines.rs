//! Lines out of bytes: any split of the stream gives the same lines, and no line can fill the memory.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};

/// Longest line that is kept.
pub const LINE_MAX: usize = 16 * 1024 * 1024;
/// How much of a longer one is kept as a sample.
const SAMPLE: usize = 4 * 1024;
/// Bytes read at once.
const CHUNK: usize = 64 * 1024;
/// A buffer that one long line made larger than this is given back.
const ROOMY: usize = 1024 * 1024;

/// A line, without its newline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// One that ended with a newline.
    Whole(Vec<u8>),
    /// The last one, cut by the end of the stream.
    Cut(Vec<u8>),
    /// One above the limit, skipped.
    TooLong {
        /// Its bytes.
        len: u64,
        /// Its beginning.
        head: Vec<u8>,
    },
}

/// The bytes that came and were not yet given out.
#[derive(Debug)]
pub struct Splitter {
    max: usize,
    bytes: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// Up to where no newline was found.
    looked: usize,
    /// The line being skipped: its length so far and its beginning.
    skipping: Option<(u64, Vec<u8>)>,
}

impl Splitter {
    /// Keeps lines up to so many bytes.
    pub const fn new(max: usize) -> Self {
        Self {
            max,
            bytes: Vec::new(),
            start: 0,
            looked: 0,
            skipping: None,
        }
    }

    /// Takes in what came.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The next line, when it is there.
    pub fn pop(&mut self) -> Option<Line> {
        let unseen = self.bytes.get(self.looked..).unwrap_or_default();
        let Some(step) = memchr::memchr(b'\n', unseen) else {
            self.looked = self.bytes.len();
            self.skip_if_long();
            return None;
        };
        let end = self.looked + step;
        let line = self.bytes.get(self.start..end).unwrap_or_default();
        let line = match self.skipping.take() {
            Some((len, head)) => Line::TooLong {
                len: len + line.len() as u64,
                head,
            },
            None if line.len() > self.max => too_long(line),
            None => Line::Whole(line.to_vec()),
        };
        self.start = end + 1;
        self.looked = self.start;
        self.forget();
        Some(line)
    }

    /// What is left at the end of the stream.
    pub fn end(&mut self) -> Option<Line> {
        let rest = std::mem::take(&mut self.bytes);
        let rest = rest.get(self.start..).unwrap_or_default();
        (self.start, self.looked) = (0, 0);
        match self.skipping.take() {
            Some((len, head)) => Some(Line::TooLong {
                len: len + rest.len() as u64,
                head,
            }),
            None if rest.is_empty() => None,
            None if rest.len() > self.max => Some(too_long(rest)),
            None => Some(Line::Cut(rest.to_vec())),
        }
    }

    fn skip_if_long(&mut self) {
        let line = self.bytes.get(self.start..).unwrap_or_default();
        if self.skipping.is_none() && line.len() <= self.max {
            return;
        }
        let len = line.len() as u64;
        let head = line.iter().take(SAMPLE).copied().collect();
        let (skipped, _) = self.skipping.get_or_insert((0, head));
        *skipped += len;
        self.start = self.bytes.len();
        self.forget();
    }

    /// Lets go of what was given out, once that is most of the buffer.
    fn forget(&mut self) {
        if self.start * 2 < self.bytes.len() {
            return;
        }
        self.bytes.drain(..self.start);
        self.looked -= self.start;
        self.start = 0;
        if self.bytes.capacity() > ROOMY && self.bytes.len() < CHUNK {
            self.bytes.shrink_to(CHUNK);
        }
    }
}

fn too_long(line: &[u8]) -> Line {
    Line::TooLong {
        len: line.len() as u64,
        head: line.iter().take(SAMPLE).copied().collect(),
    }
}

/// The lines of a stream.
#[derive(Debug)]
pub struct Lines<R> {
    from: R,
    splitter: Splitter,
    chunk: Box<[u8]>,
    ended: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// The lines of that stream.
    pub fn new(from: R) -> Self {
        Self {
            from,
            splitter: Splitter::new(LINE_MAX),
            chunk: vec![0; CHUNK].into_boxed_slice(),
            ended: false,
        }
    }

    /// The next line; none at the end. Nothing is lost when the wait is given up.
    ///
    /// # Errors
    /// When the stream cannot be read.
    pub async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            if let Some(line) = self.splitter.pop() {
                return Ok(Some(line));
            }
            if self.ended {
                return Ok(self.splitter.end());
            }
            let n = self.from.read(&mut self.chunk).await?;
            self.ended = n == 0;
            self.splitter.push(self.chunk.get(..n).unwrap_or_default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(pieces: &[&[u8]], max: usize) -> Vec<Line> {
        let mut splitter = Splitter::new(max);
        let mut out = Vec::new();
        for piece in pieces {
            splitter.push(piece);
            out.extend(std::iter::from_fn(|| splitter.pop()));
        }
        out.extend(splitter.end());
        out
    }

    #[test]
    fn a_line_above_the_limit_is_skipped_and_the_next_one_is_read() {
        let got = split(&[b"abcdefgh", b"ijkl", b"mn\nok\nrest"], 8);
        let want = [
            Line::TooLong {
                len: 14,
                head: b"abcdefghijkl".to_vec(),
            },
            Line::Whole(b"ok".to_vec()),
            Line::Cut(b"rest".to_vec()),
        ];
        assert_eq!(got, want);
    }

    #[test]
    fn memory_is_given_back_after_a_long_line() {
        let mut splitter = Splitter::new(LINE_MAX);
        for _ in 0..160 {
            splitter.push(&vec![b'x'; CHUNK]);
            assert_eq!(splitter.pop(), None);
        }
        splitter.push(b"\n");
        assert!(matches!(splitter.pop(), Some(Line::Whole(l)) if l.len() == 160 * CHUNK));
        assert!(splitter.bytes.capacity() <= ROOMY);
    }

    /// The sample of a long line depends on how it came; its length and all else do not.
    fn without_sample(lines: Vec<Line>) -> Vec<Line> {
        lines
            .into_iter()
            .map(|line| match line {
                Line::TooLong { len, .. } => Line::TooLong { len, head: vec![] },
                other => other,
            })
            .collect()
    }

    proptest! {
        #[test]
        fn any_split_gives_the_same_lines(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 0..200),
            cuts in proptest::collection::vec(0..200usize, 0..8),
        ) {
            let mut cuts: Vec<usize> = cuts.into_iter().map(|c| c.min(bytes.len())).collect();
            cuts.sort_unstable();
            let mut pieces = Vec::new();
            let mut from = 0;
            for cut in cuts {
                pieces.push(&bytes[from..cut]);
                from = cut;
            }
            pieces.push(&bytes[from..]);
            let whole = split(&[&bytes], 20);
            prop_assert_eq!(without_sample(split(&pieces, 20)), without_sample(whole));
        }
    }
}

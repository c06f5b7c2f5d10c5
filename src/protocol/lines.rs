//! Lines of JSON over a byte stream: one end reads, one writes, and neither waits for the other.

use std::io;

use memchr::memchr;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio_util::bytes::BytesMut;

/// Longest line either side takes, in bytes: a prompt of 5 MB is 30 MB when every letter is escaped.
pub const LINE_MAX: usize = 64 * 1024 * 1024;
/// Longest line of whoever has nothing long to say: a first line, and a window that is told.
pub const SHORT_MAX: usize = 64 * 1024;

/// Bytes read or written at once; a buffer larger than this is given back when it was used.
const BATCH: usize = 64 * 1024;

/// What can go wrong with a line.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// The connection is gone.
    #[error("The connection to the host is gone.")]
    Gone,
    /// A line is too long.
    #[error("A line of more than {0} bytes is more than the connection takes.")]
    TooLong(usize),
    /// A line is not of the protocol.
    #[error("A line that is not of the protocol came over the connection: {0}.")]
    Garbage(#[from] serde_json::Error),
}

impl From<io::Error> for WireError {
    fn from(_: io::Error) -> Self {
        Self::Gone
    }
}

/// A connection that speaks in lines. Its two ends may be used side by side: who waits to write must still
/// read, else two sides that both have much to say wait for each other.
#[derive(Debug)]
pub struct Lines<S> {
    /// What the other side says.
    pub from: Reader<S>,
    /// What is said to it.
    pub to: Writer<S>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Lines<S> {
    /// Over a byte stream; takes lines of up to [`SHORT_MAX`] bytes.
    pub fn new(io: S) -> Self {
        let (read, write) = tokio::io::split(io);
        Self {
            from: Reader {
                io: read,
                buffer: BytesMut::new(),
                seen: 0,
                max: SHORT_MAX,
            },
            to: Writer {
                io: write,
                buffer: Vec::new(),
            },
        }
    }
}

/// The end that reads.
#[derive(Debug)]
pub struct Reader<S> {
    io: ReadHalf<S>,
    buffer: BytesMut,
    /// So many bytes of the buffer hold no newline.
    seen: usize,
    max: usize,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Reader<S> {
    /// Takes lines of up to [`LINE_MAX`] bytes from now on.
    pub fn take_long(&mut self) {
        self.max = LINE_MAX;
    }

    /// The next line without its newline; none when the other side has closed. What it had begun to say
    /// then is dropped. A call that is given up loses nothing.
    pub async fn line(&mut self) -> Result<Option<BytesMut>, WireError> {
        loop {
            let unseen = self.buffer.get(self.seen..).unwrap_or_default();
            let end = memchr(b'\n', unseen).map(|at| self.seen + at);
            self.seen = self.buffer.len();
            if end.unwrap_or(self.seen) > self.max {
                return Err(WireError::TooLong(self.max));
            }
            if let Some(end) = end {
                return Ok(Some(self.cut(end)));
            }
            self.buffer.reserve(BATCH / 8);
            if self.io.read_buf(&mut self.buffer).await? == 0 {
                return Ok(None);
            }
        }
    }

    /// The next line, as what it says.
    pub async fn read<T: DeserializeOwned>(&mut self) -> Result<Option<T>, WireError> {
        let line = self.line().await?;
        Ok(line.map(|l| serde_json::from_slice(&l)).transpose()?)
    }

    fn cut(&mut self, end: usize) -> BytesMut {
        self.seen = 0;
        let mut line = self.buffer.split_to(end + 1);
        line.truncate(end);
        if end > BATCH {
            // What follows moves to a buffer of its own, so that the long one goes with its line.
            self.buffer = BytesMut::from(&*self.buffer);
        }
        line
    }
}

/// The end that writes.
#[derive(Debug)]
pub struct Writer<S> {
    io: WriteHalf<S>,
    buffer: Vec<u8>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Writer<S> {
    /// Writes a line and hands it to the system. One that is too long is not written at all.
    pub async fn write<T: Serialize + Sync>(&mut self, value: &T) -> Result<(), WireError> {
        self.push(value)?;
        self.flush().await
    }

    /// Writes a line; it may wait for [`Writer::flush`].
    pub async fn feed<T: Serialize + Sync>(&mut self, value: &T) -> Result<(), WireError> {
        self.push(value)?;
        if self.buffer.len() < BATCH {
            return Ok(());
        }
        self.flush().await
    }

    /// Hands what was fed to the system. Once begun it must be waited for, or the connection given up.
    pub async fn flush(&mut self) -> Result<(), WireError> {
        self.io.write_all(&self.buffer).await?;
        self.buffer.clear();
        self.buffer.shrink_to(BATCH);
        Ok(self.io.flush().await?)
    }

    fn push<T: Serialize>(&mut self, value: &T) -> Result<(), WireError> {
        let before = self.buffer.len();
        let written = serde_json::to_writer(&mut self.buffer, value);
        let long = self.buffer.len() - before > LINE_MAX;
        if written.is_err() || long {
            self.buffer.truncate(before);
            self.buffer.shrink_to(BATCH);
        }
        written?;
        if long {
            return Err(WireError::TooLong(LINE_MAX));
        }
        self.buffer.push(b'\n');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[tokio::test]
    async fn lines_come_as_they_were_said_however_they_were_cut() {
        let (ours, mut theirs) = tokio::io::duplex(7);
        let mut lines = Lines::new(ours);
        let said = tokio::spawn(async move {
            for piece in ["\"on", "e\"\n\"two\"", "\n\n\"thr", "ee\"\n\"half"] {
                theirs.write_all(piece.as_bytes()).await.unwrap();
            }
        });
        for word in ["\"one\"", "\"two\"", "", "\"three\""] {
            let line = lines.from.line().await.unwrap().unwrap();
            assert_eq!(line, word.as_bytes());
        }
        assert_eq!(lines.from.line().await.unwrap(), None, "half a line");
        said.await.unwrap();
    }

    #[tokio::test]
    async fn a_line_without_end_is_not_kept_beyond_the_bound() {
        let (ours, mut theirs) = tokio::io::duplex(4096);
        let mut lines = Lines::new(ours);
        let said =
            tokio::spawn(async move { while theirs.write_all(&[b'x'; 4096]).await.is_ok() {} });
        let end = lines.from.line().await;
        assert!(matches!(end, Err(WireError::TooLong(SHORT_MAX))), "{end:?}");
        assert!(lines.from.buffer.capacity() <= 4 * SHORT_MAX);
        drop(lines);
        said.await.unwrap();
    }

    #[tokio::test]
    async fn a_long_line_takes_its_memory_with_it() {
        let (ours, mut theirs) = tokio::io::duplex(4096);
        let mut lines = Lines::new(ours);
        lines.from.take_long();
        let said = tokio::spawn(async move {
            let long = "x".repeat(3_000_000);
            theirs
                .write_all(format!("{long}\nnext\n").as_bytes())
                .await
                .unwrap();
            theirs
        });
        assert_eq!(lines.from.line().await.unwrap().unwrap().len(), 3_000_000);
        assert_eq!(&*lines.from.line().await.unwrap().unwrap(), b"next");
        assert!(lines.from.buffer.capacity() <= 2 * BATCH);
        drop(said.await.unwrap());
    }

    #[tokio::test]
    async fn what_is_too_long_is_not_begun() {
        let (ours, theirs) = tokio::io::duplex(4096);
        let mut lines = Lines::new(ours);
        let long = "x".repeat(LINE_MAX);
        let end = lines.to.write(&long).await;
        assert!(matches!(end, Err(WireError::TooLong(LINE_MAX))), "{end:?}");
        lines.to.write(&"short").await.unwrap();
        let heard: Option<String> = Lines::new(theirs).from.read().await.unwrap();
        assert_eq!(heard.as_deref(), Some("short"));
    }
}

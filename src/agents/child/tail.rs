//! The end of what a child writes to its standard error: read always, kept in part.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::ChildStderr;
use tokio::task::JoinHandle;

/// Bytes kept.
const KEPT: usize = 4096;
/// Lines quoted in a reason.
const QUOTED: usize = 3;
/// How long the end of the stream is waited for: a grandchild may hold it open.
const PATIENCE: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(super) struct Tail {
    kept: Arc<Mutex<VecDeque<u8>>>,
    reader: Option<JoinHandle<()>>,
}

impl Tail {
    pub(super) fn of(stderr: Option<ChildStderr>) -> Self {
        let kept = Arc::new(Mutex::new(VecDeque::new()));
        let reader = stderr.map(|s| tokio::spawn(drain(s, Arc::clone(&kept))));
        Self { kept, reader }
    }

    /// The last lines in one, without control characters.
    pub(super) async fn words(&mut self) -> String {
        if let Some(reader) = self.reader.take() {
            let _ended = tokio::time::timeout(PATIENCE, reader).await;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        last_lines(&String::from_utf8_lossy(kept.make_contiguous()))
    }
}

async fn drain(mut stderr: ChildStderr, kept: Arc<Mutex<VecDeque<u8>>>) {
    let mut chunk = vec![0; KEPT];
    while let Ok(n) = stderr.read(&mut chunk).await {
        if n == 0 {
            break;
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(chunk.iter().take(n));
        let over = kept.len().saturating_sub(KEPT);
        kept.drain(..over);
    }
}

fn last_lines(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty());
    let mut last: Vec<&str> = lines.rev().take(QUOTED).collect();
    last.reverse();
    let joined = last.join(" / ");
    joined.chars().filter(|c| !c.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_quoted_in_order_and_clean() {
        assert_eq!(last_lines("a\n\nb\nc\x1b[0m\n d \n"), "b / c[0m / d");
        assert_eq!(last_lines(""), "");
    }
}

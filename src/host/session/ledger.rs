//! The session's log as its actor sees it: what was handed over, what is on disk, what waits for that.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use tokio::sync::mpsc;

use super::Todo;
use crate::domain::{Event, Head, Kind};
use crate::log::{Writer, Written};

/// Bytes on their way to the disk above which the agent is not listened to (session-log recovery table).
const BYTES_IN_FLIGHT: u64 = 8 * 1024 * 1024;

/// The log's near side.
pub(super) struct Ledger {
    /// The fold of what is on disk.
    pub(super) head: Head,
    /// What keeps it from being written.
    pub(super) trouble: Option<String>,
    writer: Writer,
    /// The newest mark handed to the writer, and whether something was appended behind it.
    mark: u64,
    unmarked: bool,
    reached: u64,
    /// Deeds that wait, each for its mark.
    gates: VecDeque<(u64, Todo)>,
}

impl Ledger {
    pub(super) fn new(writer: Writer, head: Head) -> Self {
        let (mark, reached) = (0, 0);
        Self {
            head,
            trouble: None,
            writer,
            mark,
            unmarked: true,
            reached,
            gates: VecDeque::new(),
        }
    }

    pub(super) fn append(&mut self, kind: Kind) {
        self.unmarked = true;
        self.writer.append(vec![kind]);
    }

    /// Appends a version of the draft; its text is durable before the line is written.
    pub(super) fn append_draft(&mut self, kind: Kind, text: Vec<u8>) {
        self.unmarked = true;
        self.writer.append_with_blob(text, kind);
    }

    /// Keeps a deed until all that was appended is on disk; gives it back when it is.
    pub(super) fn gate(&mut self, todo: Todo) -> Option<Todo> {
        if std::mem::take(&mut self.unmarked) {
            self.mark += 1;
            self.writer.mark(self.mark);
        }
        self.wait(todo)
    }

    /// The same, until all of it is durable: a power cut takes none of it away.
    pub(super) fn gate_durable(&mut self, todo: Todo) -> Option<Todo> {
        self.unmarked = false;
        self.mark += 1;
        self.writer.mark_durable(self.mark);
        self.wait(todo)
    }

    fn wait(&mut self, todo: Todo) -> Option<Todo> {
        if self.reached == self.mark {
            return Some(todo);
        }
        self.gates.push_back((self.mark, todo));
        None
    }

    /// Takes in an event that is on disk.
    pub(super) fn written(&mut self, event: &Event) {
        self.head.apply(event);
    }

    /// Everything before a mark is on disk: gives back the deeds that waited for it.
    pub(super) fn reached(&mut self, mark: u64) -> Vec<Todo> {
        self.reached = mark;
        let free = self.gates.iter().take_while(|(at, _)| *at <= mark).count();
        self.gates.drain(..free).map(|(_, todo)| todo).collect()
    }

    /// Whether no deed waits for the disk. A disk in trouble settles nothing more.
    pub(super) fn is_settled(&self) -> bool {
        self.gates.is_empty() || self.trouble.is_some()
    }

    /// Counts the bytes that are not in the log yet.
    pub(super) fn pending(&self) -> Arc<AtomicU64> {
        self.writer.pending()
    }

    /// Whether the disk in trouble has left something in memory: it would be lost with it.
    pub(super) fn holds_back(&self) -> bool {
        self.trouble.is_some() && self.writer.pending_bytes() > 0
    }

    /// Whether the agent may say more.
    pub(super) fn has_room(&self) -> bool {
        self.writer.pending_bytes() < BYTES_IN_FLIGHT
    }

    /// Syncs and closes the log; gives back its head, with what was still on its way from the writer.
    pub(super) async fn close(self, written: &mut mpsc::UnboundedReceiver<Written>) -> Head {
        let (writer, mut head) = (self.writer, self.head);
        // It may wait for the disk, so not on this thread.
        drop(tokio::task::spawn_blocking(move || drop(writer)).await);
        while let Ok(last) = written.try_recv() {
            if let Written::Event(event) = last {
                head.apply(&event);
            }
        }
        head
    }
}

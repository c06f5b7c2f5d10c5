//! What was written to a log since it was last seen to be right: it may have to be written again.

/// Most bytes that are written without a look at where they go.
const UNSEEN_MAX: usize = 1024 * 1024;
/// Most bytes that are kept, about, while looks show nothing.
const KEPT_MAX: usize = 16 * UNSEEN_MAX;

/// The end of a log, as it was written.
pub(super) struct Recent {
    /// Offset in the log from which `bytes` follow.
    seen: u64,
    bytes: Vec<u8>,
    /// How many were written since the last look.
    unseen: usize,
    /// Whether looks can show anything here: else nothing is kept.
    looks: bool,
}

impl Recent {
    pub(super) const fn new(seen: u64, looks: bool) -> Self {
        Self {
            seen,
            bytes: Vec::new(),
            unseen: 0,
            looks,
        }
    }

    /// Offset in the log from which [`Recent::bytes`] follow.
    pub(super) const fn seen(&self) -> u64 {
        self.seen
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether looks can show anything here.
    pub(super) const fn looks(&self) -> bool {
        self.looks
    }

    /// Whether much was written without a look at where it goes.
    pub(super) const fn is_due(&self) -> bool {
        self.unseen > UNSEEN_MAX
    }

    /// Remembers bytes as they are written.
    pub(super) fn wrote(&mut self, bytes: &[u8]) {
        if self.looks {
            self.bytes.extend_from_slice(bytes);
            self.unseen += bytes.len();
        }
    }

    /// Takes in that the log was seen to be right, of this length.
    pub(super) fn right(&mut self, len: u64) {
        (self.seen, self.unseen) = (len, 0);
        self.bytes.clear();
    }

    /// Takes in that a look showed nothing. The oldest lines go when there are too many.
    pub(super) fn unknown(&mut self) {
        self.unseen = 0;
        let Some(over) = self.bytes.len().checked_sub(KEPT_MAX).filter(|n| *n > 0) else {
            return;
        };
        let line = self.bytes.get(over..).unwrap_or_default();
        let gone = memchr::memchr(b'\n', line).map_or(self.bytes.len(), |n| over + n + 1);
        self.bytes.drain(..gone);
        self.seen += gone as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &[u8] = &[b'a'; 999];

    /// Writes so many bytes, in lines of 1000, with a look when it is due that shows nothing.
    fn write(recent: &mut Recent, bytes: usize) -> usize {
        let mut looks = 0;
        for _ in 0..bytes / 1000 {
            recent.wrote(LINE);
            recent.wrote(b"\n");
            if recent.is_due() {
                recent.unknown();
                looks += 1;
            }
        }
        looks
    }

    #[test]
    fn nothing_is_kept_or_due_where_looks_show_nothing() {
        let mut recent = Recent::new(7, false);
        assert_eq!(write(&mut recent, 3 * UNSEEN_MAX), 0);
        assert_eq!((recent.seen(), recent.bytes()), (7, &b""[..]));
        assert_eq!(recent.bytes.capacity(), 0);
    }

    #[test]
    fn a_look_that_shows_nothing_keeps_what_was_written_and_is_not_repeated_at_once() {
        let mut recent = Recent::new(7, true);
        assert_eq!(write(&mut recent, 2 * UNSEEN_MAX + 10_000), 2);
        assert_eq!(recent.seen(), 7);
        assert!(recent.bytes().len() > 2 * UNSEEN_MAX && !recent.is_due());
        recent.right(9);
        assert_eq!((recent.seen(), recent.bytes()), (9, &b""[..]));
    }

    #[test]
    fn what_is_kept_has_a_bound_begins_with_a_line_and_follows_what_was_seen() {
        let mut recent = Recent::new(7, true);
        write(&mut recent, KEPT_MAX + 5 * UNSEEN_MAX);
        let (kept, written) = (recent.bytes(), (KEPT_MAX + 5 * UNSEEN_MAX) / 1000 * 1000);
        assert!(kept.len() <= KEPT_MAX + UNSEEN_MAX + 1000 && kept.len() > KEPT_MAX - 1000);
        assert!(kept.starts_with(LINE) && kept.get(999) == Some(&b'\n'));
        assert_eq!(recent.seen() + kept.len() as u64, 7 + written as u64);
    }
}

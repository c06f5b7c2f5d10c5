//! Count and checksum of a turn's lines, by which a byte changed in silence is found.

use crc32fast::Hasher;
use serde::{Deserialize, Serialize};

use crate::domain::event::Kind;

/// Count and checksum of the lines since `turn.started`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Sum {
    events: u64,
    crc: u32,
}

impl Sum {
    /// Takes in a line.
    pub(crate) fn line(&mut self, line: &[u8]) {
        let mut crc = Hasher::new_with_initial(self.crc);
        crc.update(line);
        self.add(crc);
    }

    /// Takes in a line too long to load, by its checksum.
    pub(crate) fn long(&mut self, line: &Hasher) {
        let mut crc = Hasher::new_with_initial(self.crc);
        crc.combine(line);
        self.add(crc);
    }

    fn add(&mut self, mut crc: Hasher) {
        crc.update(b"\n");
        self.events += 1;
        self.crc = crc.finalize();
    }

    /// What `turn.finished` says of the lines before it.
    pub(crate) fn figures(self) -> (u64, String) {
        (self.events, format!("{:08x}", self.crc))
    }
}

/// Carries a sum over an event's line.
pub(crate) fn carry(sum: &mut Option<Sum>, kind: &Kind, add: impl FnOnce(&mut Sum)) {
    match kind {
        Kind::TurnStarted { .. } => add(sum.insert(Sum::default())),
        Kind::TurnFinished { .. } => *sum = None,
        _ => {
            if let Some(sum) = sum {
                add(sum);
            }
        }
    }
}

/// Fills in what the end of a turn says of its lines.
pub(crate) fn count(kind: &mut Kind, sum: Option<Sum>) {
    if let Kind::TurnFinished { events, crc32, .. } = kind {
        (*events, *crc32) = sum.unwrap_or_default().figures();
    }
}

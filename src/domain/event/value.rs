//! What events carry besides words and numbers.

use serde::{Deserialize, Serialize};

use super::Seq;
use crate::domain::SessionId;

/// How a turn ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The agent said all it had to say.
    Ok,
    /// The writer stopped it.
    Interrupted,
    /// The agent, its server or its process gave up.
    Failed,
    /// The host died before the end was known.
    Lost,
}

/// Who made a version of a draft.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The writer, in Fascicle.
    You,
    /// The agent of that name.
    Agent(String),
    /// Another program changed `draft.md`.
    Outside,
    /// An undo brought it back.
    Undo,
    /// The writer restored an older version.
    Restore,
    /// The writer took words of another version or of another session.
    Take,
}

/// A place in a session's log: an event, and the draft as of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Origin {
    /// The session.
    pub session: SessionId,
    /// The event.
    pub seq: Seq,
}

/// Where a log was forked from: the bytes both begin with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Prefix {
    /// The parent, and its newest event that both have.
    #[serde(flatten)]
    pub at: Origin,
    /// Bytes of the parent's log that were copied.
    pub bytes: u64,
    /// CRC-32 (IEEE) over them, 8 hex digits.
    pub crc32: String,
}

/// The writer's answer to a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Yes, this time.
    Once,
    /// Yes, until this session's agent is started anew.
    Session,
    /// No.
    Deny,
    /// Nobody answered before the turn ended.
    Lapsed,
}

/// What `usage` counts; a figure that the agent did not give stays `None` (*unknown*, never zero).
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read, those from a cache included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    /// Tokens written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
    /// Tokens read from a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read: Option<u64>,
    /// Cost of this turn in US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// Share of the model's window in use, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<f64>,
    /// Tokens that the newest request and its answer held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_use: Option<u64>,
    /// Tokens that the model's window holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// Whether `in_use` was not counted by the agent but reckoned from the letters.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guessed: bool,
}

impl Usage {
    /// Adds another turn's figures; the share of the window is the newer one.
    pub(crate) fn add(&mut self, more: &Self) {
        plus(&mut self.input, more.input);
        plus(&mut self.output, more.output);
        plus(&mut self.cache_read, more.cache_read);
        plus(&mut self.cost_usd, more.cost_usd);
        self.context = more.context.or(self.context);
        self.window = more.window.or(self.window);
        if more.in_use.is_some() || more.context.is_some() {
            self.in_use = more.in_use;
            self.guessed = more.guessed;
        }
    }

    /// The window as it is after a summary took the place of the beginning: so much is held, as reckoned.
    #[allow(clippy::cast_precision_loss, reason = "a share of a window")]
    pub(crate) fn shrunk(&mut self, held: u64, guessed: bool) {
        let before = self.in_use.filter(|n| *n > 0);
        self.context = match (self.window, self.context, before) {
            (Some(window), ..) if window > 0 => Some(held as f64 / window as f64),
            (None, Some(share), Some(before)) => Some(share * held as f64 / before as f64),
            _ => None,
        };
        self.in_use = Some(held);
        self.guessed = guessed;
    }
}

fn plus<T: std::ops::Add<Output = T> + Copy>(sum: &mut Option<T>, more: Option<T>) {
    *sum = match (*sum, more) {
        (Some(a), Some(b)) => Some(a + b),
        (a, b) => a.or(b),
    };
}

/// What an agent tells of the limit its login or key has; what it does not tell stays `None`.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Limit {
    /// Whether it is reached.
    #[serde(default)]
    pub reached: bool,
    /// Share of it in use, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<f64>,
    /// When it begins anew, milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resets: Option<i64>,
}

/// Bytes of a log that are no event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Damage {
    /// Byte offset in the log.
    pub at: u64,
    /// Bytes.
    pub len: u64,
    /// `torn`, `nul`, `json`, `splice`, `repeated`, `conflict`, `long`, `kind`, `version` or `checksum`.
    pub why: String,
}

/// A process, told apart from a later one with the same number.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Process {
    /// Process id.
    pub pid: u32,
    /// Start time in clock ticks since boot (`/proc/PID/stat`, field 22).
    pub start: u64,
    /// Boot id of the machine.
    pub boot: String,
}

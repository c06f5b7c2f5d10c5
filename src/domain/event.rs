//! One line of a log, decoded. The field names are the log's own (`docs/format.md`).

mod kind;
mod lines;
mod value;

use serde::{Deserialize, Serialize};

pub use kind::Kind;
pub use lines::{
    Abandoned, Adopted, AgentStarted, BriefPart, Compacted, DraftFile, DraftProposed, Forked,
    Imported, Limited, MemoryInjected, Pinned, Raw, RecipeStarted, Retry, Staged, Unread,
};
pub use value::{Answer, By, Damage, Limit, Origin, Prefix, Process, Status, Usage};

/// Number of an event in its log: 0, 1, 2, …
pub type Seq = u64;
/// Number of a turn in its session: 1, 2, 3, …
pub type TurnNo = u32;

/// An event with its place and time.
///
/// As JSON it is flat: `{"seq":3,"ts":1764500000000,"kind":"renamed","title":"Letter"}`. So windows are told of it; a line
/// of a log has `"v":1` before that.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Event {
    /// Place in the log.
    pub seq: Seq,
    /// Milliseconds since 1970, information only: order is by `seq`.
    pub ts: i64,
    /// What happened.
    #[serde(flatten)]
    pub kind: Kind,
}

impl Compacted {
    /// Whether an agent did so with a record of its own.
    pub fn by_agent(&self) -> bool {
        self.why == "agent"
    }
}

impl Kind {
    /// The turn it belongs to.
    pub fn turn(&self) -> Option<TurnNo> {
        match self {
            Self::Prompt { turn, .. }
            | Self::TurnStarted { turn, .. }
            | Self::AgentStarted(AgentStarted { turn, .. })
            | Self::Thinking { turn, .. }
            | Self::Delta { turn, .. }
            | Self::Message { turn, .. }
            | Self::Abandoned(Abandoned { turn, .. })
            | Self::ToolDelta { turn, .. }
            | Self::ToolStarted { turn, .. }
            | Self::ToolFinished { turn, .. }
            | Self::Asked { turn, .. }
            | Self::Answered { turn, .. }
            | Self::Usage { turn, .. }
            | Self::Limited(Limited { turn, .. })
            | Self::Retry(Retry { turn, .. })
            | Self::Raw(Raw { turn, .. })
            | Self::TurnRecovered { turn, .. }
            | Self::DraftProposed(DraftProposed { turn, .. })
            | Self::MemoryInjected(MemoryInjected { turn, .. })
            | Self::Compacted(Compacted { turn, .. })
            | Self::TurnFinished { turn, .. } => Some(*turn),
            Self::DraftSaved { turn, .. } | Self::Note { turn, .. } => *turn,
            _ => None,
        }
    }

    /// Whether a writer's word or a turn's edge hangs on it: synced to disk at once
    /// (session-log policy), not within 250 ms like a piece of a stream.
    pub fn is_edge(&self) -> bool {
        !(self.is_piece() || matches!(self, Self::Seen { .. }))
    }

    /// Whether it is one of the many pieces in which an answer comes.
    pub fn is_piece(&self) -> bool {
        matches!(
            self,
            Self::Thinking { .. } | Self::Delta { .. } | Self::ToolDelta { .. }
        )
    }
}

//! What a transcript is made of.

use crate::domain::event::{Answer, By, Compacted, Seq, Status, TurnNo};
use crate::domain::text::Text;

/// One thing to show.
#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    /// The writer's words.
    Prompt {
        /// The event.
        seq: Seq,
        /// When, milliseconds since 1970.
        ts: i64,
        /// The turn it begins.
        turn: TurnNo,
        /// The words.
        text: Text,
    },
    /// Part of an answer.
    Part {
        /// Its first event.
        seq: Seq,
        /// When that was.
        ts: i64,
        /// The turn.
        turn: TurnNo,
        /// Name of the agent, when known.
        agent: Option<String>,
        /// What.
        part: Part,
    },
    /// The end of a turn.
    End {
        /// The event.
        seq: Seq,
        /// When.
        ts: i64,
        /// The turn.
        turn: TurnNo,
        /// How.
        status: Status,
        /// Why.
        reason: Option<String>,
    },
    /// The draft changed without a tool call.
    Draft {
        /// The event.
        seq: Seq,
        /// When.
        ts: i64,
        /// Who.
        by: By,
        /// Words that came and went.
        added: u64,
        /// Words that went.
        removed: u64,
    },
    /// A line to know: a retry, damage, a notice.
    Note {
        /// The event.
        seq: Seq,
        /// When.
        ts: i64,
        /// The line.
        text: String,
    },
    /// A summary stands for the beginning from here on, in what agents are sent.
    Compacted {
        /// The event.
        seq: Seq,
        /// When.
        ts: i64,
        /// The summary, and what it stands for.
        what: Compacted,
    },
    /// An event of a later version.
    Unknown {
        /// The event.
        seq: Seq,
        /// Its kind.
        name: String,
    },
}

/// Part of an answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Part {
    /// Words; `open` while they stream.
    Words {
        /// Block of the turn.
        block: u32,
        /// So far.
        text: Text,
        /// More may come.
        open: bool,
    },
    /// Reasoning.
    Thinking {
        /// Block of the turn.
        block: u32,
        /// So far.
        text: String,
    },
    /// A tool call.
    Call {
        /// The call.
        call: String,
        /// Name of the tool.
        name: String,
        /// Argument as JSON, as far as it was written.
        input: Text,
        /// Whether the argument is whole and the tool runs.
        started: bool,
        /// Its result.
        done: Option<Done>,
        /// Words that came and went in the draft by it.
        changed: Option<(u64, u64)>,
        /// The text it put before the writer, to be decided.
        proposes: Option<Seq>,
    },
    /// A question.
    Asked {
        /// The call it is about.
        call: String,
        /// One line.
        what: String,
        /// The whole request as JSON.
        input: Text,
        /// The answer.
        answer: Option<Answer>,
    },
}

/// Result of a tool call.
#[derive(Clone, PartialEq, Debug)]
pub struct Done {
    /// Whether it did what was asked.
    pub ok: bool,
    /// Milliseconds.
    pub ms: u64,
    /// What the agent was told.
    pub output: Text,
}

impl Item {
    /// Number of the first event it comes from.
    pub fn seq(&self) -> Seq {
        match self {
            Self::Prompt { seq, .. }
            | Self::Part { seq, .. }
            | Self::End { seq, .. }
            | Self::Draft { seq, .. }
            | Self::Note { seq, .. }
            | Self::Compacted { seq, .. }
            | Self::Unknown { seq, .. } => *seq,
        }
    }
}

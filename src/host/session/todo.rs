//! What reaches a session, and what it has yet to do.

use tokio::sync::{OwnedMutexGuard, OwnedSemaphorePermit, oneshot};

use super::draft::{Both, Change, Made, Taking};
use super::still::Held;
use crate::domain::ask::{self, Reply, Request, Which};
use crate::domain::tool::ToolResult;
use crate::domain::{Kind, Seq, TurnNo};
use crate::host::turn::{Act, AskNo};

/// Nobody else gives folders other names while this lives.
pub(in crate::host) type Alone = OwnedMutexGuard<()>;

/// What reaches a session.
pub(in crate::host) enum Msg {
    /// A request about it, and where its reply goes.
    Ask(Request, oneshot::Sender<Reply>),
    /// One of the few places is free.
    Granted(OwnedSemaphorePermit),
    /// The agent that waits to be started may.
    MayStart(OwnedSemaphorePermit),
    /// Too many agents are kept warm: let this one end.
    Cool,
    /// No folder gets another name: the session may go to the trash.
    MayTrash(AskNo, Alone),
    /// The draft's file may have changed.
    Look,
    /// Hold still, and say when.
    Hold(oneshot::Sender<Held>),
    /// The orphan of a cut turn is gone; what it had saved.
    Recovered(Option<String>),
    /// What a tool of a turn wanted of the collection is gathered.
    Gathered(TurnNo, String, ToolResult),
    /// Log something, and answer when it is on disk.
    Log(Kind, oneshot::Sender<Reply>),
    /// The host ends: stop a running turn, or only say when none runs.
    Close {
        /// Stop it.
        now: bool,
    },
}

/// What the actor does when its time has come: what the machine says, and what follows from it.
pub(super) enum Todo {
    /// What the machine says.
    Act(Act),
    /// Give the prompt of a turn to the agent: the brief it goes with is in the log.
    Brief { turn: TurnNo, text: String },
    /// Run a tool, when what was typed and what came from outside is a version.
    Tool {
        call: String,
        name: String,
        input: String,
    },
    /// Run it, with all of that in the log.
    Run {
        call: String,
        name: String,
        input: String,
    },
    /// Put the version that was just logged where the writer sees it, and tell the agent.
    Saved {
        made: Made,
        text: Vec<u8>,
        hash: String,
    },
    /// Make a text the draft again, with the version that was just logged beside it.
    Beside { made: Made, both: Both },
    /// Look at the draft's file, and make a version of what was typed if that is wanted.
    Look { settles: bool },
    /// Take in what a window typed.
    Edit { to: AskNo, change: Change },
    /// Tell the window that it is in the log.
    Edited {
        to: AskNo,
        text: Option<String>,
        beside: Option<Seq>,
        typed: bool,
    },
    /// Tell a window that what was typed is a version.
    Settled { to: AskNo },
    /// Answer a window with the draft, as of a version.
    Show { to: AskNo, at: Option<Seq> },
    /// Put a reply into the draft.
    PutReply { to: AskNo, seq: Seq, how: ask::Into },
    /// Put words of another text into the draft.
    Take { to: AskNo, taking: Taking },
    /// Tell the window that they are in the log: in the draft, or beside it.
    Taken {
        to: AskNo,
        text: Option<String>,
        aside: bool,
    },
    /// Make an older version the draft again.
    Restore { to: AskNo, seq: Seq },
    /// Make a draft that is not UTF-8 one that is.
    Convert { to: AskNo },
    /// Tell the agent that its text waits for the writer's word.
    Proposed { call: String, words: u64 },
    /// Undo the newest deed, or do the newest that was undone again.
    GoBack {
        to: AskNo,
        which: Which,
        again: bool,
    },
    /// Move the session to the trash and end.
    Trash { to: AskNo, one: Alone },
    /// Say that it holds still.
    Still,
    /// Say that what was to be logged is on disk.
    Logged,
}

impl Todo {
    /// Whether it reads or changes the draft as its newest event in the log says.
    pub(super) fn is_of_draft(&self) -> bool {
        matches!(
            self,
            Self::Tool { .. }
                | Self::Run { .. }
                | Self::Beside { .. }
                | Self::Look { .. }
                | Self::Edit { .. }
                | Self::Settled { .. }
                | Self::Show { .. }
                | Self::PutReply { .. }
                | Self::Take { .. }
                | Self::Taken { .. }
                | Self::Restore { .. }
                | Self::Convert { .. }
                | Self::GoBack { .. }
                | Self::Still
        )
    }
}

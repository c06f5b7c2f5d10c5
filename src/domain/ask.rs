//! The first of the two verbs: a request and its one reply.

mod drawer;
mod make;
mod reply;
mod which;

use serde::{Deserialize, Serialize};

use super::drawer::MemoryDeed;
use super::event::{Answer, Origin, Seq, TurnNo};
use super::id::{CollectionId, SessionId, WindowId};

use super::recipe::Recipe;
use super::search;
use super::splice::Splice;
use super::stage::Stage;

pub use drawer::DrawerDeed;
pub use make::{NewImport, NewSession, NewVariant};
pub use reply::{Brought, Gathered, Refiled, Reply, Status, Undone};
pub use which::Which;

/// What a window or a command asks of the host. The arrow says which [`Reply`] it gets when it is done; each may be
/// [`Reply::Refused`] in its place, which says why, and what to do, for a writer.
///
/// As JSON the field `ask` names it, beside its own fields: `{"ask":"send","session":"…","text":"…"}`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub enum Request {
    /// Makes a session, and sends its first prompt when there is one, or a recipe's. → `Created`, or `Unprompted`
    New(NewSession),
    /// Makes a collection. → `Collection`
    NewCollection {
        /// Title.
        title: String,
    },
    /// A deed on a collection, or between two of them. → as [`DrawerDeed`] says
    Drawer {
        /// What.
        #[serde(flatten)]
        deed: DrawerDeed,
    },
    /// Sends a prompt; it waits when a turn runs. → `Accepted`
    Send {
        /// To.
        session: SessionId,
        /// The words, byte for byte.
        text: String,
    },
    /// Makes a variant of a session as of one of its events, and sends its first prompt when there is one. The parent
    /// goes on as it is. → `Created`, or `Unprompted`
    Fork(NewVariant),
    /// Makes a session, and variants of it, of a history of Claude Code; the file is only read. → `Imported`
    Import(NewImport),
    /// Makes a session the main line of its family, or does so no more. → `Done`, or `Busy` when a turn runs and `busy`
    /// is [`Busy::Ask`]
    Adopt {
        /// The main line to be.
        session: SessionId,
        /// What is done with a turn that runs in one of the two.
        busy: Busy,
    },
    /// Puts words of another text into the draft: a version by *take*. One that was made on an older draft is merged
    /// by paragraph. Where `from` is the proposal that waits, it is answered by this. → `Edited`
    Take {
        /// Into the draft of.
        session: SessionId,
        /// The draft's event that the changes were made from: a version or an edit; 0 when there was no draft.
        base: Seq,
        /// What changes, in order.
        splices: Vec<Splice>,
        /// Where the words come from.
        from: Origin,
        /// More of them may still be taken: where that text stands beside the draft or is proposed for it, it goes on to.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        rest: bool,
    },
    /// The versions of a draft. → `Versions`
    Versions {
        /// Of.
        session: SessionId,
    },
    /// The brief of a session. → `Brief`
    Brief {
        /// Of.
        session: SessionId,
        /// As that turn was sent it; as the next turn gets it when none.
        turn: Option<TurnNo>,
    },
    /// Something about the memory of a collection. → `Memory`, `Text` or `Accepted`
    Memory {
        /// Which; its sessions' proposals, and the writer's voice with it.
        collection: CollectionId,
        /// What.
        #[serde(flatten)]
        deed: MemoryDeed,
    },
    /// Lets the prompts run that were waiting when the host died. → `Done`
    Continue {
        /// Of.
        session: SessionId,
    },
    /// Takes a waiting prompt back. → `Text` with its words
    Unqueue {
        /// Of.
        session: SessionId,
        /// Its number.
        n: u32,
    },
    /// Gives a waiting prompt other words. → `Done`
    Requeue {
        /// Of.
        session: SessionId,
        /// Its number.
        n: u32,
        /// The words.
        text: String,
    },
    /// Goes on where the newest turn was cut, failed or was stopped: when it had written something the agent
    /// is asked to go on from there, else its prompt is sent again. One that runs is stopped first. → `Accepted`
    Again {
        /// Of.
        session: SessionId,
    },
    /// Queues the steps of a recipe. → `Done`
    Follow {
        /// On.
        session: SessionId,
        /// What to do.
        recipe: Recipe,
    },
    /// Puts a summary in the place of the beginning of what the agent is sent; it waits when a turn runs. → `Accepted`
    Compact {
        /// Of.
        session: SessionId,
        /// What the summary is to keep above all.
        focus: Option<String>,
    },
    /// Begins to write in a workspace that another machine has left without a word. → `Done`
    TakeOver,
    /// Stops the running turn. → `Done`
    Stop {
        /// Of.
        session: SessionId,
    },
    /// Answers a question. → `Done`
    Answer {
        /// Of.
        session: SessionId,
        /// The call; the oldest question when none.
        call: Option<String>,
        /// The answer.
        answer: Answer,
    },
    /// A deed on a session. → `Done`
    Do {
        /// Of.
        session: SessionId,
        /// What.
        deed: Deed,
    },
    /// Events before a number, newest page first. → `Page`
    Page {
        /// Of.
        session: SessionId,
        /// Only events with a smaller number; the end of the log when none.
        before: Option<Seq>,
        /// About how many bytes of log.
        bytes: u64,
    },
    /// The whole text behind a [`Text::Blob`](super::Text). → `Text`
    Blob {
        /// Of.
        session: SessionId,
        /// `sha256:…`.
        blob: String,
    },
    /// The draft; looks at `draft.md` first, so that an outside change is a version. → `Draft`
    Draft {
        /// Of.
        session: SessionId,
        /// The version made by that event; the newest when none.
        at: Option<Seq>,
    },
    /// Finds words in all drafts, prompts and replies, for a moment; where it pauses it can go on. → `Hits`
    Search {
        /// The words; all of them must stand in one text, what is in quotation marks as it is.
        words: String,
        /// Only in this collection.
        collection: Option<CollectionId>,
        /// Where to go on; from the beginning when none.
        from: Option<search::From>,
    },
    /// Changes the draft, as the writer types; at most a second after the first of the changes. One that was made
    /// on an older draft is merged by paragraph; by words where all that came since was typed too. → `Edited`
    Edit {
        /// Of.
        session: SessionId,
        /// The draft's event that the text was made from: a version or an edit; 0 when there was no draft.
        base: Seq,
        /// What changed, in order.
        splices: Vec<Splice>,
        /// Typed in an earlier sitting: what the draft says since is newer, and stays where both changed a paragraph.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        late: bool,
    },
    /// Makes what was typed a version, as at a pause or on leaving. → `Done`
    Settle {
        /// Of.
        session: SessionId,
    },
    /// Keeps a window's unsent text. → `Done`
    KeepUnsent {
        /// Of that session; of the session to be made when none.
        session: Option<SessionId>,
        /// The window.
        window: WindowId,
        /// The text; empty forgets it.
        text: String,
    },
    /// Gives a window's unsent text back. → `Text`
    Unsent {
        /// Of that session; of the session to be made when none.
        session: Option<SessionId>,
        /// The window.
        window: WindowId,
    },
    /// How the host is. → `Status`
    Status,
    /// Ends the host; running turns are waited for, or stopped now. → `Done`
    Shutdown {
        /// Stop running turns.
        now: bool,
    },
}

impl Request {
    /// Whether it changes anything on disk.
    pub fn writes(&self) -> bool {
        if let Self::Memory { deed, .. } = self {
            return deed.writes();
        }
        !matches!(
            self,
            Self::Page { .. }
                | Self::Blob { .. }
                | Self::Search { .. }
                | Self::Versions { .. }
                | Self::Brief { .. }
                | Self::Unsent { .. }
                | Self::Status
                | Self::Shutdown { .. }
        )
    }

    /// Whether it begins something, which a host that is ending does no more. What helps its turns to their end,
    /// what only reads and what keeps unsent words goes on.
    pub fn begins(&self) -> bool {
        self.writes()
            && !matches!(
                self,
                Self::Stop { .. } | Self::Answer { .. } | Self::KeepUnsent { .. } | Self::TakeOver
            )
    }
}

/// A deed on one session.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "deed", rename_all = "snake_case")]
pub enum Deed {
    /// Another title.
    Rename {
        /// The title.
        title: String,
    },
    /// Tags on and off.
    Tag {
        /// On.
        add: Vec<String>,
        /// Off.
        remove: Vec<String>,
    },
    /// Where the piece stands; none takes it off.
    Stage {
        /// The stage.
        stage: Option<Stage>,
    },
    /// Another agent from the next turn on.
    Choose {
        /// Its name in the configuration.
        agent: String,
        /// Its model.
        model: Option<String>,
    },
    /// Out of the list.
    Archive,
    /// Back from the archive or the trash.
    Restore,
    /// Into the trash.
    Trash,
    /// Undoes the newest deed. → `Undone`
    Undo(Which),
    /// Does again what was undone last, where nothing was done since. → `Undone`
    Redo(Which),
    /// Says that a window has shown everything up to a number.
    Seen {
        /// The number.
        upto: Seq,
    },
    /// Puts what was said into the draft: a reply, or a prompt of the writer's.
    ReplyToDraft {
        /// First event of the message (`Item::seq`).
        seq: Seq,
        /// Where.
        how: Into,
    },
    /// Makes an older version the draft again, as a new version.
    RestoreDraft {
        /// The version's event, or an edit behind one.
        seq: Seq,
    },
    /// Gives a version a name, or takes it off.
    Pin {
        /// The version's event.
        version: Seq,
        /// The name.
        name: Option<String>,
    },
    /// Leaves the draft as it is: the proposal that waits, or the version that stands beside it, is answered by no.
    Dismiss {
        /// The event of the proposal, or of that version.
        proposal: Seq,
    },
    /// Makes a draft that is not UTF-8 one that is; the original stays a version.
    Convert,
    /// Accepts what a damaged log holds, so that it can be written again.
    Accept,
}

/// What is done with a turn that runs where something is to be adopted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Busy {
    /// Nothing: the writer is asked.
    Ask,
    /// Its end is waited for.
    Wait,
    /// It is stopped.
    Stop,
    /// It is left alone: the adoption that waits for its end is called off.
    CallOff,
}

/// Where a reply goes in the draft.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Into {
    /// In its place.
    Replace,
    /// Behind it, after an empty line.
    Append,
    /// Before it, with an empty line after.
    Insert,
}

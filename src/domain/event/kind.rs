//! What an event can tell: the table of `docs/format.md` as a type.

use serde::{Deserialize, Serialize};

use super::lines::{
    Abandoned, Adopted, AgentStarted, Compacted, DraftFile, DraftProposed, Forked, Imported,
    Limited, MemoryInjected, Pinned, Raw, RecipeStarted, Retry, Staged,
};
use super::{Answer, By, Damage, Origin, Seq, Status, TurnNo, Usage};
use crate::domain::head::Place;
use crate::domain::{CollectionId, SessionId, Splice, Text};

/// What happened. Kinds that this version does not know become [`Kind::Unknown`] and stay in the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind")]
pub enum Kind {
    /// First line of a log.
    #[serde(rename = "session.created")]
    Created {
        /// The session; must equal the file's stem.
        id: SessionId,
        /// Title given by the writer; none yet for one that is named by its first prompt.
        title: Option<String>,
        /// Its collection when it was made.
        collection: CollectionId,
        /// Its folder, relative to the workspace, with `/`.
        folder: String,
        /// Agent chosen for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<String>,
        /// Version of the program.
        app: String,
    },
    /// The log was written from another program's history.
    #[serde(rename = "imported")]
    Imported(Imported),
    /// The log is a variant's from here on: all lines before this one are its parent's, byte for byte.
    #[serde(rename = "forked")]
    Forked(Forked),
    /// This session is the main line of its family; the two folders exchange names.
    #[serde(rename = "adopted")]
    Adopted(Adopted),
    /// A process took the log for writing.
    #[serde(rename = "opened")]
    Opened {
        /// Process id.
        pid: u32,
        /// Name of the machine.
        host: String,
        /// Version of the program.
        app: String,
    },
    /// What a scan before the first append found.
    #[serde(rename = "recovered")]
    Recovered {
        /// Bytes that are no event.
        damage: Vec<Damage>,
        /// Numbers that are missing, first and last of each run.
        missing: Vec<(Seq, Seq)>,
    },
    /// The writer's words, in the log before any agent gets them.
    #[serde(rename = "user.prompt")]
    Prompt {
        /// The turn it begins.
        turn: TurnNo,
        /// The words.
        text: Text,
        /// The queued prompt it was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        queued: Option<u32>,
    },
    /// A prompt that waits, in the order of the numbers; it takes the place of one with its number.
    #[serde(rename = "queued")]
    Queued {
        /// Its number in this session, from 1; for a turn done again that of its step, else 0.
        n: u32,
        /// The words.
        text: Text,
    },
    /// A waiting prompt was taken back.
    #[serde(rename = "unqueued")]
    Unqueued {
        /// Its number.
        n: u32,
    },
    /// A recipe begins: the waiting prompts numbered `first` and on are its steps.
    #[serde(rename = "recipe.started")]
    RecipeStarted(RecipeStarted),
    /// A recipe reached a limit: its steps wait for the writer, and then count from nothing.
    #[serde(rename = "recipe.paused")]
    RecipePaused {
        /// Which limit, for a writer.
        why: String,
    },
    /// The recipe is over: its last step has ended well, or no step waits any more.
    #[serde(rename = "recipe.ended")]
    RecipeEnded,
    /// An agent is about to get the prompt.
    #[serde(rename = "turn.started")]
    TurnStarted {
        /// The turn.
        turn: TurnNo,
        /// Name of the agent in the configuration.
        agent: String,
        /// The agent's own id of this conversation.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent_session: Option<String>,
        /// Model asked for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        /// Whether the agent continues an own record.
        resume: bool,
    },
    /// The agent's process, so that an orphan can be found.
    #[serde(rename = "agent.started")]
    AgentStarted(AgentStarted),
    /// Reasoning, as it comes.
    #[serde(rename = "thinking")]
    Thinking {
        /// The turn.
        turn: TurnNo,
        /// Block of this turn.
        block: u32,
        /// The piece.
        text: Text,
    },
    /// Words of the reply, as they come.
    #[serde(rename = "delta")]
    Delta {
        /// The turn.
        turn: TurnNo,
        /// Block of this turn.
        block: u32,
        /// The piece.
        text: Text,
    },
    /// A finished block: replaces its deltas in every view.
    #[serde(rename = "message")]
    Message {
        /// The turn.
        turn: TurnNo,
        /// Block of this turn.
        block: u32,
        /// Whole text.
        text: Text,
    },
    /// These blocks of the turn are superseded: the agent began its answer again.
    #[serde(rename = "abandoned")]
    Abandoned(Abandoned),
    /// A piece of a tool call's argument, as it is written.
    #[serde(rename = "tool.delta")]
    ToolDelta {
        /// The turn.
        turn: TurnNo,
        /// The call.
        call: String,
        /// Name of the tool.
        name: String,
        /// The piece: raw JSON of the argument.
        text: Text,
    },
    /// A tool call is complete and runs.
    #[serde(rename = "tool.started")]
    ToolStarted {
        /// The turn.
        turn: TurnNo,
        /// The call.
        call: String,
        /// Name of the tool.
        name: String,
        /// Argument as JSON.
        input: Text,
    },
    /// A tool call is done.
    #[serde(rename = "tool.finished")]
    ToolFinished {
        /// The turn.
        turn: TurnNo,
        /// The call.
        call: String,
        /// Whether it did what was asked.
        ok: bool,
        /// Milliseconds it took.
        ms: u64,
        /// What the agent was told.
        output: Text,
    },
    /// The agent may not go on without an answer.
    #[serde(rename = "permission.asked")]
    Asked {
        /// The turn.
        turn: TurnNo,
        /// The call it is about.
        call: String,
        /// What it wants to do, one line.
        what: String,
        /// The whole request as JSON.
        #[serde(default)]
        input: Text,
    },
    /// The question is closed.
    #[serde(rename = "permission.answered")]
    Answered {
        /// The turn.
        turn: TurnNo,
        /// The call it was about.
        call: String,
        /// The answer.
        answer: Answer,
    },
    /// A version of the draft; its text is the blob of that name.
    #[serde(rename = "draft.saved")]
    DraftSaved {
        /// The turn that made it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        turn: Option<TurnNo>,
        /// Hash of the text: 64 hex digits, the blob's name.
        sha256: String,
        /// Bytes.
        bytes: u64,
        /// Words (`text::count`).
        words: u64,
        /// Who.
        by: By,
        /// The version it was made from.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        base: Option<Seq>,
        /// Words that came against the version before.
        #[serde(default)]
        added: u64,
        /// Words that went.
        #[serde(default)]
        removed: u64,
        /// A version that stands beside this one, the draft: both changed the same paragraphs of `base`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        beside: Option<Seq>,
        /// Where its words come from: the version that was restored, the draft that words were taken from.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Origin>,
        /// More of that text may still be taken: where it stands beside the draft or is proposed for it, it goes on to.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        rest: bool,
    },
    /// An agent's text that is to be the draft when the writer says so; it takes the place of one that is not answered.
    #[serde(rename = "draft.proposed")]
    DraftProposed(DraftProposed),
    /// The writer has decided on a proposal: what was kept of it is a version of its own.
    #[serde(rename = "draft.answered")]
    DraftAnswered {
        /// The proposal's event.
        proposal: Seq,
    },
    /// A version got a name, or lost it.
    #[serde(rename = "pinned")]
    Pinned(Pinned),
    /// The writer typed. The draft is the newest version with all changes behind it.
    #[serde(rename = "draft.edited")]
    DraftEdited {
        /// The draft's event before this one; 0 when there was no draft.
        base: Seq,
        /// What changed, in order.
        splices: Vec<Splice>,
    },
    /// What `draft.md` holds where it could not be made the newest version.
    #[serde(rename = "draft.file")]
    DraftFile(DraftFile),
    /// What the turn cost.
    #[serde(rename = "usage")]
    Usage {
        /// The turn.
        turn: TurnNo,
        /// Figures.
        #[serde(flatten)]
        usage: Usage,
    },
    /// How much of the agent's limit is used.
    #[serde(rename = "limit")]
    Limited(Limited),
    /// The agent waits before it tries again.
    #[serde(rename = "retry")]
    Retry(Retry),
    /// Something the agent or the host wants known.
    #[serde(rename = "note")]
    Note {
        /// The turn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        turn: Option<TurnNo>,
        /// One line.
        text: String,
    },
    /// Bytes of the agent that are no valid line, kept as they came.
    #[serde(rename = "agent.raw")]
    Raw(Raw),
    /// What a finishing orphan of this turn saved.
    #[serde(rename = "turn.recovered")]
    TurnRecovered {
        /// The turn.
        turn: TurnNo,
        /// Its text, whole.
        text: Text,
    },
    /// The end of a turn.
    #[serde(rename = "turn.finished")]
    TurnFinished {
        /// The turn.
        turn: TurnNo,
        /// How.
        status: Status,
        /// Why, for a writer; none when all is well.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// Lines from `turn.started` up to this one, itself not counted. Filled in by the writer of the log.
        #[serde(default)]
        events: u64,
        /// CRC-32 (IEEE) over those raw lines with their newlines, 8 hex digits. Filled in likewise.
        #[serde(default)]
        crc32: String,
    },
    /// A window showed everything up to this number.
    #[serde(rename = "seen")]
    Seen {
        /// The number.
        upto: Seq,
    },
    /// Another title.
    #[serde(rename = "renamed")]
    Renamed {
        /// The title.
        title: String,
    },
    /// Tags came and went.
    #[serde(rename = "tagged")]
    Tagged {
        /// New tags.
        #[serde(default)]
        add: Vec<String>,
        /// Tags taken off.
        #[serde(default)]
        remove: Vec<String>,
    },
    /// The next turn uses another agent or model.
    #[serde(rename = "agent.chosen")]
    AgentChosen {
        /// Name of the agent in the configuration.
        agent: String,
        /// Model, if not the agent's own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
    },
    /// Where the piece stands now.
    #[serde(rename = "staged")]
    Staged(Staged),
    /// The brief that agents are sent from this turn on, another than before.
    #[serde(rename = "memory.injected")]
    MemoryInjected(MemoryInjected),
    /// What agents are sent of the conversation up to here is a summary from now on; the log keeps all.
    #[serde(rename = "compacted")]
    Compacted(Compacted),
    /// Out of the list, not gone.
    #[serde(rename = "archived")]
    Archived,
    /// Back in the list.
    #[serde(rename = "restored")]
    Restored,
    /// Into the trash.
    #[serde(rename = "trashed")]
    Trashed,
    /// Out of the trash.
    #[serde(rename = "untrashed")]
    Untrashed,
    /// The session's folder is elsewhere.
    #[serde(rename = "moved")]
    Moved {
        /// Its collection.
        collection: CollectionId,
        /// Its folder, relative to the workspace.
        folder: String,
        /// Where it was, when the writer moves it; another such line without this says that the folder has its new name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        was: Option<Place>,
        /// The move that this one takes back; such a one is no deed of its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        undoes: Option<Seq>,
    },
    /// A deed was undone.
    #[serde(rename = "undone")]
    Undone {
        /// Number of the deed.
        deed: Seq,
    },
    /// A kind of a later version, or a line whose fields this version cannot read.
    #[serde(rename = "unknown")]
    Unknown {
        /// Its name.
        name: String,
    },
}

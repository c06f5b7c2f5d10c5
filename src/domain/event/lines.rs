//! The lines of a log that say the most, each as a type of its own.

use serde::{Deserialize, Serialize};

use super::{Limit, Prefix, Process, Seq, TurnNo};
use crate::domain::{CollectionId, Limits, SessionId, Stage, Text};

/// What `forked` says: where a variant comes from and what it is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Forked {
    /// The session; must equal the file's stem.
    pub id: SessionId,
    /// What was copied.
    pub from: Prefix,
    /// Name of the variant; none yet for one that is named by its first prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its collection.
    pub collection: CollectionId,
    /// Its folder, relative to the workspace, with `/`.
    pub folder: String,
    /// Version of the program.
    pub app: String,
}

/// What `adopted` says: which session became the main line, and in whose place.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Adopted {
    /// The session the family began with.
    pub family: SessionId,
    /// The main line from now on: this session.
    pub main: SessionId,
    /// The main line until now.
    pub was: SessionId,
    /// Its number in the family, from 1; the highest decides.
    pub n: u32,
    /// The folder that becomes the main line's, relative to the workspace.
    pub folder: String,
    /// The folder that the former main line gets for it.
    pub other: String,
    /// The adoption in the log of `was` that this one takes back; such a one is no deed of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<Seq>,
}

/// What `draft.proposed` says of an agent's text that waits for the writer's word.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DraftProposed {
    /// The turn that made it.
    pub turn: TurnNo,
    /// Hash of the text: 64 hex digits, the blob's name.
    pub sha256: String,
    /// Bytes.
    pub bytes: u64,
    /// Words (`text::count`).
    pub words: u64,
    /// The agent's name.
    pub agent: String,
    /// The version it was made from; none when there was no draft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Seq>,
    /// Words that come against that version.
    #[serde(default)]
    pub added: u64,
    /// Words that go.
    #[serde(default)]
    pub removed: u64,
}

/// What `agent.started` says of the process of an agent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AgentStarted {
    /// The turn.
    pub turn: TurnNo,
    /// The process.
    #[serde(flatten)]
    pub process: Process,
    /// The agent's own id of this conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_session: Option<String>,
    /// The model as the agent names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// What `recipe.started` says of the steps and their limits.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RecipeStarted {
    /// Its title.
    pub title: String,
    /// Number of the first step's prompt.
    pub first: u32,
    /// Names of the steps, in order.
    pub steps: Vec<String>,
    /// Where it stops before its end.
    #[serde(flatten)]
    pub limits: Limits,
}

/// What `retry` says of a wait before the next try.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Retry {
    /// The turn.
    pub turn: TurnNo,
    /// Which try failed, from 1.
    pub attempt: u32,
    /// Milliseconds until the next.
    pub wait_ms: u64,
    /// Why, for a writer.
    pub why: String,
}

/// What `pinned` says of a version.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Pinned {
    /// The version's event.
    pub version: Seq,
    /// The name; none takes it off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The name it had before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// The deed that this takes back; such a line is no deed of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<Seq>,
}

/// What `memory.injected` says: the brief as it is sent, and what it was made of.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MemoryInjected {
    /// The first turn it is sent with.
    pub turn: TurnNo,
    /// The whole brief, exactly as sent.
    pub text: Text,
    /// What it was made of, in the order of the text.
    pub parts: Vec<BriefPart>,
    /// Names of the parts that are others than in the brief before; empty for the first one of a session.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
}

/// One part of a brief.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BriefPart {
    /// Which: `product`, `workspace_rules`, `collection_rules`, `voice`, `profile`, `memory`, `pieces`.
    pub part: String,
    /// The file it was read from, relative to the workspace with `/`; none for one that is made from the logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// SHA-256 of its text as sent, 64 hex digits.
    pub sha256: String,
    /// Its bytes as sent.
    pub bytes: u64,
    /// Bytes that were left out because the part has a bound; 0 when it is whole.
    #[serde(default)]
    pub left_out: u64,
}

/// What `compacted` says: a summary stands for the beginning of the conversation in what agents are sent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Compacted {
    /// The turn it was made for or in.
    pub turn: TurnNo,
    /// The newest event that the summary stands for; 0 where an agent shortened a record of its own, which
    /// changes nothing in what other agents are sent.
    pub upto: Seq,
    /// The summary; empty where an agent of its own record keeps it to itself.
    pub summary: Text,
    /// Why: `full`, `asked`, `refused` (the model found the conversation too long), `agent` (it did so itself).
    pub why: String,
    /// Tokens of the conversation before; none where nobody said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
    /// Tokens after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// How many messages the summary stands for, beside what an earlier summary stood for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<u64>,
}

/// What `imported` says: the log was written from another program's history.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Imported {
    /// Whose: `claude` for Claude Code.
    pub from: String,
    /// The history's id there.
    pub id: String,
    /// The file it was read from.
    pub path: String,
    /// Bytes that were read of it.
    pub bytes: u64,
    /// Lines among them.
    pub lines: u64,
    /// CRC-32 (IEEE) over those bytes, 8 hex digits.
    pub crc32: String,
    /// Lines that could not be read, the first hundred.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<Unread>,
    /// How many there are of them.
    #[serde(default)]
    pub unread_all: u64,
}

/// A line of a history that could not be read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unread {
    /// Its number, from 1.
    pub line: u64,
    /// Why.
    pub why: String,
}

/// What `draft.file` says of a file that could not be made the newest version.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DraftFile {
    /// Hash of the older text that it still holds; none when it is the newest version again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds: Option<String>,
}

/// What `agent.raw` says: bytes of the agent that are no valid line, kept as they came.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Raw {
    /// The turn.
    pub turn: TurnNo,
    /// What is wrong with them.
    pub why: String,
    /// The bytes, base64.
    pub base64: Text,
}

/// What `abandoned` says: the agent began its answer again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Abandoned {
    /// The turn.
    pub turn: TurnNo,
    /// First block that no longer counts.
    pub from: u32,
    /// Last block that no longer counts.
    pub to: u32,
}

/// What `limit` says of how much of the agent's limit is used.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Limited {
    /// The turn.
    pub turn: TurnNo,
    /// Figures.
    #[serde(flatten)]
    pub limit: Limit,
}

/// What `staged` says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Staged {
    /// The stage; none takes it off.
    pub stage: Option<Stage>,
    /// It stood in the collection's file, and no deed has put it there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub found: bool,
}

impl Staged {
    /// A stage that the writer gives.
    pub const fn to(stage: Option<Stage>) -> Self {
        let found = false;
        Self { stage, found }
    }
}

//! An agent as the configuration describes it.

use serde::{Deserialize, Serialize};

/// Which code speaks to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentKind {
    /// The Claude Code command line.
    Claude,
    /// Chat completions over HTTP.
    Openai,
    /// The embedded copy editor.
    Editor,
    /// A written stream, for tests.
    Scripted,
}

impl AgentKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Claude, Self::Openai, Self::Editor, Self::Scripted];

    /// Whether it can search the web where a collection allows that.
    pub const fn searches(self) -> bool {
        matches!(self, Self::Claude)
    }

    /// As a configuration names it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Openai => "openai",
            Self::Editor => "editor",
            Self::Scripted => "scripted",
        }
    }
}

/// An agent the writer can choose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentSpec {
    /// Its name in the configuration and on the screen.
    pub name: String,
    /// Which code speaks to it.
    pub kind: AgentKind,
    /// Program: a name on PATH or a path. For `scripted`, the file of the stream.
    pub command: String,
    /// Arguments added to ours.
    pub args: Vec<String>,
    /// Variables passed on beside the few that every child gets.
    pub env: Vec<String>,
    /// Model asked for.
    pub model: Option<String>,
    /// Root of the HTTP interface, up to and with `/v1`.
    pub base_url: Option<String>,
    /// Variable that holds the key.
    pub api_key_env: Option<String>,
    /// Command that prints the key.
    pub api_key_command: Vec<String>,
    /// Tokens of the model's window, where the writer says so.
    pub context: Option<u64>,
    /// Per cent of the window at which the conversation is summarised; the default where none is said.
    pub compact_at: Option<u64>,
}

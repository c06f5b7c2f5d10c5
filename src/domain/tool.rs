//! What the agent can do: the shape of the one table that every backend serves.

use serde::{Deserialize, Serialize};

/// A tool as a model is told of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ToolSpec {
    /// Name, `snake_case`.
    pub name: &'static str,
    /// What it does, for the model.
    pub about: &'static str,
    /// JSON Schema of its argument.
    pub schema: &'static str,
}

/// What an agent is to do about a draft that cannot be used: nothing that it has mends it.
pub const NOT_YOURS: &str = "Only the writer can mend that: say what is wrong, and do not try again in this turn. What was written before is kept.";

/// What a tool answered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ToolResult {
    /// Whether it did what was asked.
    pub ok: bool,
    /// What the agent is told.
    pub output: String,
}

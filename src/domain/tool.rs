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

/// What a tool answered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ToolResult {
    /// Whether it did what was asked.
    pub ok: bool,
    /// What the agent is told.
    pub output: String,
}

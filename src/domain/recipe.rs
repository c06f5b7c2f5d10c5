//! A recipe: prompts that are sent one after the other, and where it has to stop.

use serde::{Deserialize, Serialize};

/// Prompts to be sent one by one.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Recipe {
    /// Its title.
    pub title: String,
    /// Its steps, in order; at least one.
    pub steps: Vec<Step>,
    /// Where it stops before its end.
    #[serde(default)]
    pub limits: Limits,
}

/// One prompt of a recipe.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Step {
    /// Its name: "Outline".
    pub name: String,
    /// The prompt.
    pub text: String,
}

/// What a recipe may use before it waits for the writer. A limit that is not set does not count.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Limits {
    /// Turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<u32>,
    /// Tokens, read and written together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// US dollars, as the agent tells them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
}

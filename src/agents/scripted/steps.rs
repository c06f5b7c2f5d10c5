//! The format of a written stream.
//!
//! `{"turns": [[STEP, …], …]}`: each prompt plays the next turn, the last one repeats. `{"steps": [STEP, …]}`
//! is one turn. `"salvage"` is what a finished orphan is said to have saved; with `"process": true` it counts
//! as a process. A step is an object with one key: an event of the seam by its name, or one of the others
//! below. In its texts `{prompt}`, `{brief}`, `{history}` (number of messages), `{result}` (of the newest tool
//! call) and `{i}` (in `each`) are filled in.

use std::borrow::Cow;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::agents::backend::AgentEvent;

/// A whole file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Script {
    #[serde(default)]
    pub(super) turns: Vec<Vec<Value>>,
    #[serde(default)]
    pub(super) steps: Vec<Value>,
    #[serde(default)]
    pub(super) salvage: Option<String>,
    #[serde(default)]
    pub(super) process: bool,
}

/// Reads a file.
pub(super) fn read(path: &Path) -> Result<Script, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut script: Script =
        serde_json::from_slice(&bytes).map_err(|e| format!("{}: {e}", path.display()))?;
    if script.turns.is_empty() {
        script.turns.push(std::mem::take(&mut script.steps));
    }
    Ok(script)
}

/// A step, its texts filled in.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Step {
    /// A step many times, so many milliseconds apart; `{i}` counts from 1.
    Each {
        n: u64,
        #[serde(default)]
        ms: u64,
        step: Box<Value>,
    },
    /// Milliseconds.
    Wait(u64),
    /// Waits for an order: `answer`, `tool_result`, `interrupt`, `close`.
    AwaitOrder(String),
    /// Says nothing more; an interrupt still ends the turn.
    Hang(bool),
    /// Hears no interrupt from here on.
    Deaf(bool),
    /// The events end without an end of the turn.
    Exit(bool),
    /// Bytes that are no valid line.
    Raw { why: String, base64: String },
    /// An event of the seam. `started` is told by itself on the first prompt when the file does not, and `ended`, as
    /// ok, at the end of the turn.
    #[serde(untagged)]
    Event(AgentEvent),
}

impl Step {
    /// Reads a step and fills in its texts.
    pub(super) fn read(step: &Value, fill: &[(&str, &str)]) -> Result<Self, String> {
        // An inner step is filled when it is its turn: `{i}` is not known before.
        let step = if step.get("each").is_none() {
            let mut filled = step.clone();
            fill_in(&mut filled, fill);
            Cow::Owned(filled)
        } else {
            Cow::Borrowed(step)
        };
        Self::deserialize(&*step).map_err(|e| format!("no step: {step}: {e}"))
    }
}

fn fill_in(value: &mut Value, fill: &[(&str, &str)]) {
    match value {
        Value::String(text) => {
            for (name, with) in fill {
                if text.contains(name) {
                    *text = text.replace(name, with);
                }
            }
        }
        Value::Array(all) => all.iter_mut().for_each(|v| fill_in(v, fill)),
        Value::Object(all) => all.values_mut().for_each(|v| fill_in(v, fill)),
        _ => {}
    }
}

//! A session of the sample as it is written: a title and steps, read by people first (`assets/sample/README.md`).

use serde::Deserialize;

use super::SampleError;
use crate::domain::event::Status;

/// A session.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Script {
    /// Its title; a variant's is made from its main line's.
    #[serde(default)]
    pub(super) title: String,
    /// Its tags.
    #[serde(default)]
    pub(super) tags: Vec<String>,
    /// How many hours before now it begins.
    pub(super) hours: i64,
    /// Its name within its family.
    #[serde(default)]
    variant: Option<String>,
    /// Whose variant it is.
    #[serde(default)]
    from: Option<From>,
    /// What happened, in order.
    #[serde(rename = "step")]
    pub(super) steps: Vec<Step>,
}

/// Where a variant leaves its main line.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct From {
    /// The main line, by the name of its file.
    session: String,
    /// The steps that both share.
    steps: usize,
}

/// One thing that happened.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Step {
    /// A prompt.
    You(String),
    /// A whole reply.
    Says(String),
    /// A reply that was never finished.
    Begins(String),
    /// The agent writes the draft.
    Writes(String),
    /// The agent changes one passage.
    Replaces {
        /// The passage.
        old: String,
        /// What stands there then.
        new: String,
    },
    /// The writer writes the draft.
    Typed(String),
    /// The turn ends, not well and for no reason that needs saying.
    Ends(Status),
    /// The turn fails, for a reason.
    Failed(String),
    /// Time passes.
    Minutes(i64),
}

/// All sessions, variants with the steps of their main line before their own.
pub(super) fn all(sources: &[(&'static str, &'static str)]) -> Result<Vec<Script>, SampleError> {
    let mut read: Vec<(&str, Script)> = Vec::new();
    for &(name, text) in sources {
        let wrong = |why: String| SampleError::Script { name, why };
        let mut script: Script = toml::from_str(text).map_err(|e| wrong(e.to_string()))?;
        if let Some(from) = &script.from {
            let main = read.iter().find(|(n, _)| *n == from.session);
            let (_, main) = main.ok_or_else(|| wrong("its main line comes later".to_owned()))?;
            let shared = main.steps.get(..from.steps);
            let mut steps = shared
                .ok_or_else(|| wrong("its main line is shorter".to_owned()))?
                .to_vec();
            steps.append(&mut script.steps);
            script.steps = steps;
            if let Some(variant) = &script.variant {
                script.title = format!("{}: {variant}", main.title);
            }
        }
        read.push((name, script));
    }
    Ok(read.into_iter().map(|(_, script)| script).collect())
}

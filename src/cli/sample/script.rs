//! A session of the sample as it is written: a title and steps, read by people first (`assets/sample/README.md`).

use serde::Deserialize;

use super::SampleError;
use crate::domain::Stage;
use crate::domain::event::Status;

/// A session.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Script {
    /// Its title.
    #[serde(default)]
    pub(super) title: String,
    /// Its tags.
    #[serde(default)]
    pub(super) tags: Vec<String>,
    /// Where the piece stands.
    #[serde(default)]
    pub(super) stage: Option<Stage>,
    /// How many hours before now it begins; a variant begins where its main line ends.
    #[serde(default)]
    pub(super) hours: i64,
    /// Its name within its family.
    #[serde(default)]
    pub(super) variant: Option<String>,
    /// Whose variant it is.
    #[serde(default)]
    pub(super) from: Option<From>,
    /// What happened, in order.
    #[serde(rename = "step")]
    pub(super) steps: Vec<Step>,
}

/// Where a variant leaves its main line.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct From {
    /// The main line, by the name of its file.
    pub(super) session: String,
    /// The steps that both share.
    pub(super) steps: usize,
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

/// A session from its file.
pub(super) fn read(name: &'static str, text: &str) -> Result<Script, SampleError> {
    toml::from_str(text).map_err(|e| SampleError::Script {
        name,
        why: e.to_string(),
    })
}

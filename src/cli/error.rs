//! What can go wrong in a command: the line for the writer, the way out, the exit code.

use crate::config::{ConfigError, Problem};
use crate::domain::event::Status;
use crate::log::LogError;
use crate::memory::desk::MemoryError;

/// Exit code of what was not done for a reason the writer can mend.
pub(super) const NOT_DONE: u8 = 1;
/// Exit code of a command line that makes no sense.
pub(super) const USAGE: u8 = 2;
/// Exit code of a mistake of ours (`EX_SOFTWARE` of sysexits.h).
pub(super) const BUG: u8 = 70;

/// Why a command did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(super) enum CliError {
    /// The command line makes no sense.
    #[error("{0}")]
    Usage(String),
    /// No session answers to that name.
    #[error("There is no session {0:?}.")]
    NoSession(String, Vec<String>),
    /// Several sessions answer to that name.
    #[error("{0:?} names more than one session.")]
    Several(String, Vec<String>),
    /// The configuration has mistakes.
    #[error("{}", lines(.0))]
    Config(Vec<Problem>),
    /// A place, a setting or a collection.
    #[error(transparent)]
    Place(#[from] ConfigError),
    /// The host said no.
    #[error("{why}")]
    Refused {
        /// Why.
        why: String,
        /// The way out.
        hint: Option<String>,
    },
    /// A log could not be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A memory could not be read.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The turn that was waited for did not end well.
    #[error("{}", ended(*.0, .1.as_deref()))]
    Ended(Status, Option<String>),
    /// `verify --strict` found something.
    #[error("The logs are not whole; what is damaged or missing is named above.")]
    NotWhole,
    /// The window needs a terminal.
    #[error("The window needs a terminal.")]
    NoTerminal,
    /// The answer could not be written. A closed pipe is the reader's own wish and stays quiet.
    #[error("The answer could not be written: {0}.")]
    Output(#[from] std::io::Error),
    /// Standard input is not what it should be.
    #[error("Standard input could not be read as text: {0}.")]
    Input(std::io::Error),
    /// A mistake of ours.
    #[error("This is a bug in Fascicle: {0}.")]
    Bug(String),
}

impl CliError {
    /// A refusal with the way out.
    pub(super) fn refused(why: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Refused {
            why: why.into(),
            hint: Some(hint.into()),
        }
    }

    /// Whether the reader of our output went away, which is no error.
    pub(super) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(e) if e.kind() == std::io::ErrorKind::BrokenPipe)
    }

    /// The exit code.
    pub(super) fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => USAGE,
            Self::Bug(_) => BUG,
            _ => NOT_DONE,
        }
    }

    /// The way out, one line each.
    pub(super) fn hints(&self) -> Vec<String> {
        match self {
            Self::NoSession(_, near) if near.is_empty() => {
                vec!["See the sessions with: fascicle list --all".to_owned()]
            }
            Self::NoSession(_, near) => near.clone(),
            Self::Several(_, all) => {
                let how = "Name one by its ID, or by as much of its beginning as no other has.";
                all.iter().cloned().chain([how.to_owned()]).collect()
            }
            Self::Usage(_) => vec!["See: fascicle --help".to_owned()],
            Self::Config(_) => {
                vec![
                    "Nothing was changed. Mend the line, or take it out: then it is as if never set. `fascicle doctor` looks again."
                        .to_owned(),
                ]
            }
            Self::Place(ConfigError::NoCollection(_)) => {
                vec!["See them with: fascicle collection list".to_owned()]
            }
            Self::Refused { hint, .. } => hint.iter().cloned().collect(),
            Self::NoTerminal => {
                vec!["To read without one: fascicle list, fascicle show ID".to_owned()]
            }
            Self::Bug(_) => vec![
                "The details are in the diagnostics file; fascicle doctor names it.".to_owned(),
            ],
            _ => Vec::new(),
        }
    }
}

fn lines(problems: &[Problem]) -> String {
    let all: Vec<String> = problems.iter().map(Problem::to_string).collect();
    all.join("\n")
}

fn ended(status: Status, reason: Option<&str>) -> String {
    let how = match status {
        Status::Ok => "ended well",
        Status::Interrupted => "was stopped",
        Status::Failed => "failed",
        Status::Lost => "was lost",
    };
    match reason {
        Some(why) => format!("The turn {how}: {}.", why.trim_end_matches('.')),
        None => format!("The turn {how}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_tell_a_slip_from_a_refusal_from_a_bug() {
        assert_eq!(CliError::Usage(String::new()).code(), 2);
        assert_eq!(CliError::refused("no", "yes").code(), 1);
        assert_eq!(CliError::Bug(String::new()).code(), 70);
    }

    #[test]
    fn a_turn_that_did_not_end_well_says_why() {
        let error = CliError::Ended(Status::Failed, Some("no server.".into()));
        assert_eq!(error.to_string(), "The turn failed: no server.");
    }
}

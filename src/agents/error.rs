//! What can go wrong before an agent speaks, each with the way out.

use std::io;
use std::path::PathBuf;

/// Why an agent could not be used. What is shown is what happened; [`AgentError::fix`] says what to do,
/// [`AgentError::told`] both.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// No such program.
    #[error("`{program}` was not found.")]
    NotFound {
        /// As it was looked for.
        program: String,
    },
    /// A folder.
    #[error("`{}` is a folder, not a program.", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// A file, but not one that may be run.
    #[error("`{}` is not executable.", path.display())]
    NotExecutable {
        /// The file.
        path: PathBuf,
    },
    /// The system refused to run it.
    #[error("`{}` could not be run: {source}.", program.display())]
    Spawn {
        /// The program.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The working folder is missing: the system reports that as a missing program.
    #[error("The folder `{}` is missing, so no agent can be started in it.", folder.display())]
    NoFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// `--version` gave none.
    #[error("`{} --version` did not answer with a version ({said}).", program.display())]
    NoVersion {
        /// The program.
        program: PathBuf,
        /// What it said instead.
        said: String,
    },
    /// A file for the agent could not be written or read.
    #[error("`{}` could not be written: {source}.", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It ended before it was ready.
    #[error("{name} ended before it was ready ({how}){said}.")]
    EndedEarly {
        /// Name of the agent.
        name: &'static str,
        /// Exit code or signal.
        how: String,
        /// Its last words, with a leading colon, or nothing.
        said: String,
    },
    /// It refused to begin.
    #[error("{name} refused to begin: {why}.")]
    Refused {
        /// Name of the agent.
        name: &'static str,
        /// In its words.
        why: String,
    },
    /// It never became ready.
    #[error("{name} was not ready after {secs} s and was ended.")]
    NotReady {
        /// Name of the agent.
        name: &'static str,
        /// Seconds waited.
        secs: u64,
    },
    /// The key's variable is not set.
    #[error("The variable `{name}` holds no key.")]
    NoKey {
        /// The variable.
        name: String,
    },
    /// The key's command gave none.
    #[error("The key's command `{program}` gave no key ({why}).")]
    KeyCommand {
        /// The program, without its arguments.
        program: String,
        /// Why.
        why: String,
    },
    /// The configuration lacks something.
    #[error("The agent `{agent}` has no `{key}`.")]
    Missing {
        /// The agent.
        agent: String,
        /// The key.
        key: &'static str,
        /// An example line.
        example: &'static str,
    },
    /// A server was not reached, refused, or answered with something else.
    #[error("{what}")]
    Server {
        /// What happened, a sentence.
        what: String,
        /// What to do about it, a sentence.
        fix: String,
    },
}

impl AgentError {
    /// The one line that mends it; none where only its own words can tell.
    pub fn fix(&self) -> Option<String> {
        let fixed = match self {
            Self::NotFound { program } if program.contains('/') => {
                "Correct this agent's `command`: nothing is at that path."
            }
            Self::NotFound { .. } => "Install it, or set this agent's `command` to its path.",
            Self::Folder { .. } => "Set this agent's `command` to the program itself.",
            Self::NotExecutable { path } => {
                return Some(format!(
                    "Run `chmod +x {}`, or set this agent's `command` to another program.",
                    path.display()
                ));
            }
            Self::Spawn { .. } => "Set this agent's `command` to a program for this machine.",
            Self::NoFolder { .. } => "Restore it and send again.",
            Self::NoVersion { .. } => "Set this agent's `command` to Claude Code.",
            Self::File { .. } => "Free space or fix its permissions, then send again.",
            Self::NotReady { .. } => "Try again; when it happens twice, run it by hand to see why.",
            Self::NoKey { .. } => "Set it, or set `api_key_command` of this agent.",
            Self::KeyCommand { .. } => {
                "Run it by hand to see why, or correct this agent's `api_key_command`."
            }
            Self::Missing { example, .. } => {
                return Some(format!("Add {example} to its table in the configuration."));
            }
            Self::Server { fix, .. } => fix,
            Self::EndedEarly { .. } | Self::Refused { .. } => return None,
        };
        Some(fixed.to_owned())
    }

    /// What happened and what to do, for a writer.
    pub fn told(&self) -> String {
        match self.fix() {
            Some(fix) => format!("{self} {fix}"),
            None => self.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_be_done_fits_what_happened() {
        let at = |path: &str| PathBuf::from(path);
        let not_found = |program: &str| AgentError::NotFound {
            program: program.to_owned(),
        };
        for (error, fix) in [
            (not_found("claude"), "Install it"),
            (not_found("/opt/claude"), "Correct"),
            (
                AgentError::NotExecutable { path: at("/a/b") },
                "chmod +x /a/b",
            ),
            (AgentError::Folder { path: at("/a") }, "the program itself"),
        ] {
            assert!(error.told().contains(fix), "{}", error.told());
        }
        let refused = AgentError::Refused {
            name: "It",
            why: "no".to_owned(),
        };
        assert_eq!(refused.told(), "It refused to begin: no.");
    }
}

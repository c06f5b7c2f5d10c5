//! `memory`.

use clap::{Args, Subcommand};

/// `memory`.
#[derive(Args, Debug)]
pub struct Memory {
    /// The collection: id, title or folder; the inbox when none is named
    #[arg(short, long, global = true)]
    pub collection: Option<String>,
    /// What to do; list when nothing is said.
    #[command(subcommand)]
    pub verb: Option<MemoryVerb>,
}

/// What can be done with the memory of a collection.
#[derive(Subcommand, Debug)]
pub enum MemoryVerb {
    /// List what waits, and the lines of the memory with their age
    List,
    /// Make a proposal a line of the memory
    Accept {
        /// Its number
        proposal: u64,
        /// Other words for it
        #[arg(long, allow_hyphen_values = true)]
        text: Option<String>,
        /// A line of the memory, whole, that goes into the archive for it
        #[arg(long, value_name = "LINE", allow_hyphen_values = true)]
        instead: Option<String>,
    },
    /// Refuse a proposal; it is not made again
    Refuse {
        /// Its number
        proposal: u64,
    },
    /// Undo the answer to a proposal; without a number the newest deed
    Undo {
        /// Its number
        proposal: Option<u64>,
    },
    /// Move lines, as `list` shows them or whole as `list --json` has them, into the archive, which is not sent
    Archive {
        /// The lines
        #[arg(required = true, allow_hyphen_values = true)]
        lines: Vec<String>,
        /// Out of the archive again
        #[arg(long)]
        back: bool,
    },
    /// Put accepted lines back that are missing since another program saved or removed the memory
    PutBack,
    /// Let those lines go: the memory is meant as it is
    LetGo,
    /// Print a version of a file, or make it the file's text again
    Version {
        /// MEMORY.md, PROFILE.md or VOICE.md
        file: String,
        /// Its number, as `list --json` has it
        version: u64,
        /// Make it the text again, as a new version
        #[arg(long)]
        restore: bool,
    },
    /// Ask the agent of a finished piece for its line in the index and for what is worth keeping
    Ask {
        /// The session
        id: String,
    },
}

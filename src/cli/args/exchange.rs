//! Arguments of `import` and `store`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// `import`.
#[derive(Args, Debug)]
pub struct Import {
    /// From whom.
    #[command(subcommand)]
    pub verb: ImportVerb,
}

/// Whose histories can be imported.
#[derive(Subcommand, Debug)]
pub enum ImportVerb {
    /// List Claude Code's own histories of a folder; with --all or --pick, make sessions of them. Its files stay as they are
    #[command(
        after_help = "Examples:\n  fascicle import claude\n  fascicle import claude ~/essays --all -c sample\n  fascicle import claude / --pick 0198a3 --dry-run"
    )]
    Claude(Claude),
}

/// `import claude`.
#[derive(Args, Debug)]
pub struct Claude {
    /// Histories of this folder and those below it; of the current folder when none is named
    pub dir: Option<PathBuf>,
    /// Where Claude Code keeps its records [default: CLAUDE_CONFIG_DIR, else ~/.claude]
    #[arg(long, value_name = "FOLDER")]
    pub from: Option<PathBuf>,
    /// Import all that are listed
    #[arg(long, conflicts_with = "pick")]
    pub all: bool,
    /// Import these: ids, or their unique beginnings
    #[arg(long, value_name = "ID", num_args = 1..)]
    pub pick: Vec<String>,
    /// The collection they go into: id, title or folder; the inbox when none
    #[arg(short, long)]
    pub collection: Option<String>,
    /// Say what would be imported, and import nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Import what is here already once more, as another session
    #[arg(long)]
    pub again: bool,
}

/// `store`.
#[derive(Args, Debug)]
pub struct Store {
    /// What to do.
    #[command(subcommand)]
    pub verb: StoreVerb,
}

/// What can be done with a store.
#[derive(Subcommand, Debug)]
pub enum StoreVerb {
    /// Serve a folder over standard input and output until that ends: JSON-RPC 2.0, one request a line
    Serve {
        /// The folder; made if need be. One process at a time
        root: PathBuf,
    },
}

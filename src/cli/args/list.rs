//! `list`.

use clap::Args;

/// `list`.
#[derive(Args, Debug)]
pub struct List {
    /// Only this collection: id, title or folder
    #[arg(short, long)]
    pub collection: Option<String>,
    /// Archived sessions too
    #[arg(long)]
    pub all: bool,
    /// Only what names each of them, one a line: its title, or its id where several have that
    #[arg(long, conflicts_with = "json")]
    pub names: bool,
}

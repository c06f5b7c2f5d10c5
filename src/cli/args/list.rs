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
}

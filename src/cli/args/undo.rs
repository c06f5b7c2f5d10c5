//! The arguments of `undo` and `redo`.

use clap::Args;

/// `undo` and `redo`.
#[derive(Args, Debug)]
pub struct Back {
    /// The session; the title of a piece means it and all its variants: what was done last in any of them
    pub id: String,
    /// That deed, by its number, if it is the newest still: so one of an earlier day is undone
    #[arg(long, value_name = "N")]
    pub deed: Option<u64>,
    /// List what can be undone and done again, the newest first, and change nothing
    #[arg(long, conflicts_with = "deed")]
    pub list: bool,
}

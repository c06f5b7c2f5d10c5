//! `brief`.

use clap::Args;

/// `brief`.
#[derive(Args, Debug)]
pub struct Brief {
    /// The session
    pub id: String,
    /// As that turn was sent it; without it, as the next turn will get it
    #[arg(long, value_name = "N")]
    pub turn: Option<u32>,
}

//! The arguments of `adopt`.

use clap::Args;

/// `adopt`.
#[derive(Args, Debug)]
pub struct Adopt {
    /// The session that becomes the main line
    pub id: String,
    /// Wait for the end of a turn that runs in it or in the main line
    #[arg(long)]
    pub wait: bool,
    /// Stop such a turn; what was written so far is kept
    #[arg(long, conflicts_with = "wait")]
    pub stop: bool,
    /// Call an adoption off that waits for the end of a turn
    #[arg(long, conflicts_with_all = ["wait", "stop"])]
    pub call_off: bool,
}

//! `compact` as it is written.

use clap::Args;

/// `compact`.
#[derive(Args, Debug)]
pub struct Compact {
    /// The session
    pub id: String,
    /// What the summary is to keep above all
    #[arg(long, value_name = "TEXT")]
    pub focus: Option<String>,
    /// Wait until it is made, and fail unless it was
    #[arg(long)]
    pub wait: bool,
}

//! Arguments of `fork`.

use clap::Args;

/// `fork`.
#[derive(Args, Debug)]
pub struct Fork {
    /// The session
    pub id: String,
    /// As it was at that event, which the variant still has; as it is now when none
    #[arg(long, value_name = "SEQ")]
    pub at: Option<u64>,
    /// The variant's name; from its prompt when there is none
    #[arg(long)]
    pub name: Option<String>,
    /// A first prompt for it; `-` reads it from standard input
    #[arg(long)]
    pub prompt: Option<String>,
}

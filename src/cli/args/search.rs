//! `search`.

use clap::Args;

/// `search`.
#[derive(Args, Debug)]
pub struct Search {
    /// Words that must all stand in one text, small and capital letters alike; a phrase in quotation marks
    #[arg(required = true, value_name = "TEXT")]
    pub words: Vec<String>,
    /// Only in this collection
    #[arg(short, long)]
    pub collection: Option<String>,
}

//! `export`.

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use crate::text::export::Format;

/// `export`.
#[derive(Args, Debug)]
pub struct Export {
    /// The session; where none has that name, the collection
    pub id: String,
    /// The format
    #[arg(long, value_name = "FORMAT")]
    pub to: Format,
    /// The file to write; md, html and txt go to standard output without it
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The transcript of the session instead of its draft
    #[arg(long)]
    pub transcript: bool,
    /// Replace a file that is there
    #[arg(long)]
    pub force: bool,
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.about()))
    }
}

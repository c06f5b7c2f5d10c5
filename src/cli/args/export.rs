//! `export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

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

/// What a text can be made into.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Markdown, as it is written
    Md,
    /// A page for a browser
    Html,
    /// Plain text
    Txt,
    /// For word processors; needs pandoc
    Docx,
    /// For e-readers; needs pandoc
    Epub,
    /// For printing; needs pandoc and a program it makes PDF with
    Pdf,
}

impl Format {
    /// Its name, which is also how its files end.
    pub fn name(self) -> &'static str {
        match self {
            Self::Md => "md",
            Self::Html => "html",
            Self::Txt => "txt",
            Self::Docx => "docx",
            Self::Epub => "epub",
            Self::Pdf => "pdf",
        }
    }
}

//! Arguments of the verbs about drafts and their versions: `draft`, `compare` and `take`.

use clap::Args;

/// `draft`.
#[derive(Args, Debug)]
pub struct Draft {
    /// The session
    pub id: String,
    /// As it was at that event, or as the version of that name
    #[arg(long, value_name = "SEQ|NAME", group = "deed")]
    pub at: Option<String>,
    /// List its versions and what agents proposed, oldest first: number, time, who, words, what came and went, name
    #[arg(long, group = "deed")]
    pub versions: bool,
    /// Make that version the draft again; what is the draft now stays a version
    #[arg(long, value_name = "SEQ|NAME", group = "deed")]
    pub restore: Option<String>,
    /// Give a version a name, which then stands for its number; an empty one takes it off
    #[arg(long, num_args = 2, value_names = ["SEQ", "NAME"], group = "deed")]
    pub pin: Vec<String>,
    /// Make a draft in Windows-1252 or UTF-16 one in UTF-8; the original stays a version
    #[arg(long, group = "deed")]
    pub convert: bool,
    /// Leave the draft as it is: what an agent has proposed is answered by no
    #[arg(long, group = "deed")]
    pub dismiss: bool,
}

/// `compare`.
#[derive(Args, Debug)]
pub struct Compare {
    /// A session, or one of its versions: ID, ID@SEQ or ID@NAME
    pub a: String,
    /// Another one
    pub b: String,
}

/// `take`.
#[derive(Args, Debug)]
pub struct Take {
    /// The session whose draft gets the words
    pub id: String,
    /// Whose words: a session's draft, or one of its versions (ID@SEQ, ID@NAME)
    #[arg(long, value_name = "ID[@SEQ]")]
    pub from: String,
    /// Only that paragraph, by its number in `compare ID FROM`; may be given more than once
    #[arg(long, value_name = "N")]
    pub paragraph: Vec<usize>,
}

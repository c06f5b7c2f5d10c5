//! `collection`, `stage` and `move`.

use clap::{Args, Subcommand};

/// `stage`.
#[derive(Args, Debug)]
pub struct Stage {
    /// The session
    pub id: String,
    /// idea, outline, draft, revising or done; `-` takes it off
    pub stage: String,
    /// With `done`: ask the agent for what is worth keeping, as proposals
    #[arg(long)]
    pub ask: bool,
}

/// `move`.
#[derive(Args, Debug)]
pub struct Move {
    /// The session; its variants go with it
    pub id: String,
    /// The collection: id, title or folder
    pub collection: String,
    /// The session alone, without its variants
    #[arg(long)]
    pub alone: bool,
    /// Wait for the end of a turn that runs
    #[arg(long, conflicts_with = "stop")]
    pub wait: bool,
    /// Stop a turn that runs
    #[arg(long)]
    pub stop: bool,
}

/// `collection`.
#[derive(Args, Debug)]
pub struct Collection {
    /// What to do.
    #[command(subcommand)]
    pub verb: CollectionVerb,
}

/// What can be done with collections.
#[derive(Subcommand, Debug)]
pub enum CollectionVerb {
    /// Make a collection; prints its id
    New {
        /// Its title; the folder's name with --from
        #[arg(required_unless_present = "from")]
        title: Option<String>,
        /// Make it of the Markdown files in this folder: each becomes a session, the files stay as they are
        #[arg(long, value_name = "DIR")]
        from: Option<std::path::PathBuf>,
    },
    /// List the collections
    List {
        /// Only what names each of them, one a line: its title, or its id where that means another
        #[arg(long, conflicts_with = "json")]
        names: bool,
    },
    /// Take a collection out of the drawer; nothing in it changes
    Archive {
        /// Its id, title or folder
        collection: String,
    },
    /// Put a collection back into the drawer
    Restore {
        /// Its id, title or folder
        collection: String,
    },
    /// Give a collection another title; its folder keeps its name
    Rename {
        /// Its id, title or folder
        collection: String,
        /// The new title
        title: String,
    },
    /// Say what a collection is, in a line; an empty one takes it out
    Describe {
        /// Its id, title or folder
        collection: String,
        /// The line
        about: String,
    },
    /// Set how many words a collection, a day or a piece is to have; 0 takes the target out
    Target(Target),
    /// Put a collection at a place in the drawer, or its pieces into an order
    Order(Order),
    /// Let agents search the web and read pages in a collection, or no longer
    Web {
        /// Its id, title or folder
        collection: String,
        /// Not any more
        #[arg(long)]
        off: bool,
    },
    /// Undo the newest change of a collection, and say what that was
    Undo(ShelfBack),
    /// Make the change of a collection again that was undone last, and say what that was
    Redo(ShelfBack),
}

/// `collection undo` and `collection redo`.
#[derive(Args, Debug)]
pub struct ShelfBack {
    /// Its id, title or folder
    pub collection: String,
    /// That change, also where it is older than an hour or lets agents do more; it has to be the newest of its kind
    #[arg(long, value_name = "N")]
    pub deed: Option<u64>,
}

/// `collection target`.
#[derive(Args, Debug)]
pub struct Target {
    /// Its id, title or folder
    pub collection: String,
    /// Words
    pub words: u64,
    /// Words a day instead of the whole
    #[arg(long, conflicts_with = "piece")]
    pub day: bool,
    /// Words of this piece instead of the whole
    #[arg(long, value_name = "ID")]
    pub piece: Option<String>,
}

/// `collection order`.
#[derive(Args, Debug)]
pub struct Order {
    /// Its id, title or folder
    pub collection: String,
    /// Its place in the drawer, the smallest number first; `-` takes it out
    #[arg(long, value_name = "N", conflicts_with = "pieces")]
    pub at: Option<String>,
    /// The pieces in their order; those that are not named come after
    #[arg(required_unless_present = "at")]
    pub pieces: Vec<String>,
}

//! Arguments of the verbs about what waits: `queue` and `recipe`.

use clap::{Args, Subcommand};

/// `queue`.
#[derive(Args, Debug)]
pub struct Queue {
    /// The session
    pub id: String,
    /// Let what waits go on: after a stop, a failure or a restart nothing is sent unasked
    #[arg(long, group = "deed")]
    pub go: bool,
    /// Take that prompt back, and print its words
    #[arg(long, value_name = "N", group = "deed")]
    pub take_back: Option<u32>,
    /// Give that prompt other words; it keeps its place. `-` reads them from standard input
    #[arg(long, num_args = 2, value_names = ["N", "TEXT"], group = "deed", allow_hyphen_values = true)]
    pub change: Vec<String>,
}

/// `recipe`.
#[derive(Args, Debug)]
pub struct Recipe {
    /// What to do.
    #[command(subcommand)]
    pub verb: RecipeVerb,
}

/// What can be done with recipes.
#[derive(Subcommand, Debug)]
pub enum RecipeVerb {
    /// List the recipes, where each comes from, and what is wrong with one
    List {
        /// Only their names, one a line
        #[arg(long, conflicts_with = "json")]
        names: bool,
    },
    /// Print a recipe as it stands in its file
    Show {
        /// Its name, or a file
        recipe: String,
    },
    /// Send the steps of a recipe, one after the other; returns at once, the host goes on with it
    Run {
        /// The session
        id: String,
        /// Its name, or a file
        recipe: String,
    },
}

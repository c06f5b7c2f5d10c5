//! What the window is told when it opens.

use jiff::tz::TimeZone;

use super::attention::Caller;
use super::errand::First;
use super::keymap::Keymap;
use super::theme::Theme;
use crate::domain::notice::Build;
use crate::domain::{Recipe, WindowId};

/// An agent the writer can choose for the next turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choice {
    /// Its name in the configuration.
    pub agent: String,
    /// Model, if not the agent's own.
    pub model: Option<String>,
}

/// What does not change while the window is open.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The workspace, as people name it.
    pub workspace: String,
    /// Whose unsent texts these are.
    pub window: WindowId,
    /// Agents to choose from, the default first.
    pub agents: Vec<Choice>,
    /// Why the default agent cannot write yet, as far as a look for its program tells; none when it can.
    pub unready: Option<String>,
    /// What it is told for its first minutes.
    pub first: First,
    /// Keys.
    pub keys: Keymap,
    /// What is wrong with the keys the writer chose, with file and line.
    pub wrong: Vec<String>,
    /// Styles.
    pub theme: Theme,
    /// Where the writer is.
    pub zone: TimeZone,
    /// Whether the page moves by a quarter of the pane while words stream at its end, not by rows.
    pub quarters: bool,
    /// How the writer is called, once for each question and each end that was not seen.
    pub caller: Caller,
    /// Recipes to choose from.
    pub recipes: Vec<Recipe>,
    /// What is wrong with recipes that are not among them, with file and line.
    pub recipes_wrong: Vec<String>,
    /// The program this window is.
    pub build: Build,
}

//! What the window is told when it opens.

use jiff::tz::TimeZone;

use super::attention::Caller;
use super::errand::First;
use super::keymap::Keymap;
use super::terminal::Kind;
use super::theme::{Look, Theme, contrast};
use crate::config::theme as file;
use crate::domain::WindowId;
use crate::domain::notice::Build;

/// An agent the writer can choose for the next turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choice {
    /// Its name in the configuration.
    pub agent: String,
    /// Model, if not the agent's own.
    pub model: Option<String>,
}

/// What the terminal has, and what the writer wants of it.
#[derive(Clone, Debug)]
pub struct Means {
    /// What the environment says of it.
    pub kind: Kind,
    /// The theme, from which the styles are made once it is known on what page.
    pub theme: file::Theme,
    /// Why it is not the one that was asked for.
    pub trouble: Option<String>,
    /// Whether the page is light, by the writer's own word.
    pub light: Option<bool>,
    /// Whether the window takes the mouse.
    pub mouse: bool,
    /// Whether addresses are links.
    pub links: bool,
    /// Whether the page moves by a quarter of the pane while words stream at its end, not by rows.
    pub quarters: bool,
    /// The writer's own editor, a shell's words.
    pub editor: Option<String>,
}

impl Default for Means {
    fn default() -> Self {
        Self {
            kind: Kind::default(),
            theme: file::Theme::built_in(),
            trouble: None,
            light: None,
            mouse: false,
            links: true,
            quarters: true,
            editor: Some("vi".to_owned()),
        }
    }
}

impl Means {
    /// The styles on a page that answered with a colour, or on one that has not.
    pub fn styles(&self, page: Option<[u8; 3]>) -> Theme {
        let said = self.light.or(self.kind.light);
        let light = said.or(page.map(contrast::is_light));
        Theme::of(
            &self.theme,
            Look {
                light,
                ..self.kind.look()
            },
        )
    }

    /// Whether the terminal is to be asked for the colour of its page.
    pub fn asks_for_page(&self) -> bool {
        let known = self.light.or(self.kind.light).is_some();
        !known && self.kind.colours != super::theme::Colours::None
    }
}

/// The agents of the configuration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Agents {
    /// To choose from, the default first.
    pub choices: Vec<Choice>,
    /// Why the default one cannot write yet, as far as a look for its program tells; none when it can.
    pub unready: Option<String>,
    /// Those that can use the web where a collection allows it.
    pub web: Vec<String>,
}

/// The recipes there are.
#[derive(Clone, Debug, Default)]
pub struct Recipes {
    /// To choose from.
    pub choices: Vec<crate::domain::Recipe>,
    /// What is wrong with those that are not among them, with file and line.
    pub wrong: Vec<String>,
}

/// What does not change while the window is open.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The workspace, as people name it.
    pub workspace: String,
    /// Whose unsent texts these are.
    pub window: WindowId,
    /// Agents.
    pub agents: Agents,
    /// What it is told for its first minutes.
    pub first: First,
    /// Keys.
    pub keys: Keymap,
    /// What is wrong with the keys the writer chose, with file and line.
    pub wrong: Vec<String>,
    /// Styles.
    pub theme: Theme,
    /// The terminal.
    pub means: Means,
    /// Where the writer is.
    pub zone: TimeZone,
    /// How the writer is called, once for each question and each end that was not seen.
    pub caller: Caller,
    /// Recipes.
    pub recipes: Recipes,
    /// The program this window is.
    pub build: Build,
}

//! Themes: what each part of the window looks like, in files. `docs/themes.md` says how one is written.

mod paint;
mod parse;

use std::path::{Path, PathBuf};

pub use paint::{NAMED, Paint, Style, Weight};

use super::nearest::nearest;
use super::problem::Problem;
use super::{Places, plain};

/// The theme that holds when none is named.
pub const DEFAULT: &str = "plain";

/// Themes that are there without any file.
const BUILT_IN: [(&str, &str); 3] = [
    (DEFAULT, include_str!("../../assets/themes/plain.toml")),
    ("paper", include_str!("../../assets/themes/paper.toml")),
    (
        "contrast",
        include_str!("../../assets/themes/contrast.toml"),
    ),
];

/// Bytes of the longest file that is read.
const LONGEST: u64 = 64 * 1024;

/// A part of the window that has a look of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Role {
    /// Its name in a file.
    pub name: &'static str,
    /// What it has when a file does not name it: words, as in a file.
    pub default: &'static str,
    /// What it is.
    pub about: &'static str,
}

const fn role(name: &'static str, default: &'static str, about: &'static str) -> Role {
    Role {
        name,
        default,
        about,
    }
}

/// Every role. The window reads them in this order.
pub const ROLES: [Role; 13] = [
    role(
        "page",
        "",
        "Words, and the page under everything: `ink on paper`. Without it, the terminal's own.",
    ),
    role(
        "dim",
        "",
        "What is there to be looked up: times, hints, folded steps.",
    ),
    role("accent", "bold", "You are here; what is being written."),
    role("you", "", "Your label above a prompt."),
    role("agent", "", "The agent's label above a reply."),
    role("warn", "bold", "What needs you, and what failed."),
    role("ok", "", "What went well and was not seen yet."),
    role("code", "", "Code."),
    role("quote", "italic", "Quoted text."),
    role("heading", "bold", "Headings, titles, keys."),
    role(
        "selected",
        "reversed",
        "The row or the text that is chosen.",
    ),
    role("rule", "", "The thin rule between panes, edges of boxes."),
    role(
        "never",
        "underlined",
        "Words in a draft that your voice never writes.",
    ),
];

/// The looks of all roles, as [`ROLES`] lists them. None where a file names none.
pub type Set = [Option<Style>; ROLES.len()];

/// A theme's looks on one kind of page.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tone {
    /// For terminals of every colour.
    pub full: Set,
    /// For 256 colours, where that is not to be computed.
    pub many: Set,
    /// For sixteen.
    pub few: Set,
}

/// A theme.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Theme {
    /// What it is, in a line.
    pub about: String,
    /// On a dark page.
    pub dark: Tone,
    /// On a light one.
    pub light: Tone,
}

impl Theme {
    /// The one that holds when none is named.
    pub fn built_in() -> Self {
        Self::named(DEFAULT).unwrap_or_default()
    }

    /// One that is there without any file.
    pub fn named(name: &str) -> Option<Self> {
        let (_, text) = BUILT_IN.iter().find(|b| b.0 == name)?;
        Some(parse::parse(Path::new(name), text).0)
    }

    /// Takes a file's text apart, and says what is wrong in it.
    pub fn parse(path: &Path, text: &str) -> (Self, Vec<Problem>) {
        parse::parse(path, text)
    }
}

/// The theme of that name, and what is wrong with it: then it is the default. A file of the writer's comes before
/// a theme of the same name that is built in.
pub fn find(places: &Places, name: &str) -> (Theme, Vec<Problem>) {
    let path = file(places, name);
    match read(&path) {
        Ok(Some(text)) => match Theme::parse(&path, &text) {
            (theme, problems) if problems.is_empty() => (theme, problems),
            (_, problems) => (Theme::built_in(), problems),
        },
        Ok(None) => match Theme::named(name) {
            Some(theme) => (theme, Vec::new()),
            None => (
                Theme::built_in(),
                vec![Problem::of(&path, none(places, name))],
            ),
        },
        Err(why) => (Theme::built_in(), vec![Problem::of(&path, why)]),
    }
}

/// Names of all themes: those built in, then the writer's own by name.
pub fn names(places: &Places) -> Vec<String> {
    let mut own: Vec<String> = std::fs::read_dir(folder(places))
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|e| Some(e.file_name().to_str()?.strip_suffix(".toml")?.to_owned()))
        .collect();
    own.sort();
    let mut all: Vec<String> = BUILT_IN.iter().map(|b| b.0.to_owned()).collect();
    own.retain(|name| !all.contains(name));
    all.append(&mut own);
    all
}

/// Says that no theme has this name, with the nearest or all of them.
pub(super) fn none(places: &Places, name: &str) -> String {
    let names = names(places);
    match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("There is no theme {name:?}. Did you mean {near:?}?"),
        None => format!(
            "There is no theme {name:?}. There are: {}.",
            names.join(", ")
        ),
    }
}

/// The folder of the writer's own themes.
pub fn folder(places: &Places) -> PathBuf {
    places.config.with_file_name("themes")
}

/// A name is one of a file, never a way to another folder.
fn file(places: &Places, name: &str) -> PathBuf {
    let plain: String = name
        .chars()
        .filter(|c| !matches!(c, '/' | '\\' | '\0'))
        .collect();
    folder(places).join(format!("{plain}.toml"))
}

fn read(path: &Path) -> Result<Option<String>, String> {
    match std::fs::metadata(path) {
        Err(_) => return Ok(None),
        Ok(there) if there.len() > LONGEST => return Err("It is too long for a theme.".to_owned()),
        Ok(_) => {}
    }
    let bytes = plain::bytes(path).map_err(|e| format!("It could not be read: {e}."))?;
    plain::utf8(bytes).map(Some)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test")]
    use super::*;

    fn places() -> (tempfile::TempDir, Places) {
        let dir = tempfile::tempdir().unwrap();
        let places = Places::under(dir.path());
        std::fs::create_dir_all(folder(&places)).unwrap();
        (dir, places)
    }

    #[test]
    fn every_theme_that_is_built_in_is_right() {
        for (name, text) in BUILT_IN {
            let (theme, problems) = Theme::parse(Path::new(name), text);
            assert_eq!(problems, [], "{name}");
            assert!(theme.about.ends_with('.'), "{name}");
        }
    }

    #[test]
    fn a_writers_file_comes_first_and_a_bad_one_is_said_and_not_used() {
        let (_dir, places) = places();
        let write = |name: &str, text: &str| {
            std::fs::write(folder(&places).join(name), text).unwrap();
        };
        write(
            "mine.toml",
            "about = \"Mine.\"\n[dark]\naccent = \"#ff0000\"\n",
        );
        assert_eq!(find(&places, "mine").0.about, "Mine.");
        write("paper.toml", "about = \"My paper.\"\n");
        assert_eq!(find(&places, "paper").0.about, "My paper.");
        assert_eq!(names(&places), ["plain", "paper", "contrast", "mine"]);
        write("mine.toml", "[dark]\n\nacent = \"#ff0000\"\n");
        let (theme, problems) = find(&places, "mine");
        assert_eq!(theme, Theme::built_in());
        assert_eq!(problems[0].line, Some(3));
        assert!(
            problems[0].to_string().contains("Did you mean \"accent\"?"),
            "{problems:?}"
        );
    }

    #[test]
    fn a_name_that_no_theme_has_is_answered_with_the_nearest() {
        let (_dir, places) = places();
        let (theme, problems) = find(&places, "papr");
        assert_eq!(theme, Theme::built_in());
        assert!(
            problems[0].what.contains("Did you mean \"paper\"?"),
            "{problems:?}"
        );
        let (_, problems) = find(&places, "../../config");
        assert!(
            problems[0].what.starts_with("There is no theme"),
            "{problems:?}"
        );
    }
}

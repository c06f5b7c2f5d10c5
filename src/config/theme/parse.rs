//! A theme's file, checked against the table of roles.

use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::paint::{Palette, Style};
use super::{ROLES, Set, Theme, Tone};
use crate::config::file::{Walk, unknown};
use crate::config::problem::Problem;

/// Takes a text apart. What is right is in the theme even where other things are wrong.
pub(super) fn parse(path: &Path, text: &str) -> (Theme, Vec<Problem>) {
    let mut walk = Walk::new(path, text);
    let mut theme = Theme::default();
    let root = match DeTable::parse(text) {
        Ok(root) => root.into_inner(),
        Err(e) => return (theme, vec![Problem::syntax(path, text, &e)]),
    };
    let (mut dark, mut light) = (None, None);
    for (name, value) in &root {
        let (byte, name) = (name.span().start, name.get_ref().as_ref());
        match (name, value.get_ref()) {
            ("about", DeValue::String(about)) => theme.about = about.to_string(),
            ("dark", DeValue::Table(t)) => dark = Some(walk.tone(t, "dark")),
            ("light", DeValue::Table(t)) => light = Some(walk.tone(t, "light")),
            ("about", _) => walk.wrong(byte, "about takes a text.".to_owned()),
            ("dark" | "light", _) => {
                walk.wrong(byte, format!("{name} is a table: write [{name}]."));
            }
            _ => {
                let names = ["about", "dark", "light"].into_iter();
                walk.wrong(byte, unknown("table", name, "a theme", names));
            }
        }
    }
    // A theme of one page has that page everywhere.
    let either = dark.clone().or_else(|| light.clone()).unwrap_or_default();
    theme.light = light.unwrap_or_else(|| either.clone());
    theme.dark = dark.unwrap_or(either);
    (theme, walk.problems)
}

impl Walk<'_> {
    fn tone(&mut self, table: &DeTable<'_>, place: &str) -> Tone {
        let mut tone = Tone {
            full: self.set(table, place, Palette::Full),
            ..Tone::default()
        };
        for (name, palette, set) in [
            ("256", Palette::Many, &mut tone.many),
            ("16", Palette::Few, &mut tone.few),
        ] {
            let found = table.iter().find(|(n, _)| n.get_ref().as_ref() == name);
            if let Some((_, value)) = found
                && let DeValue::Table(inner) = value.get_ref()
            {
                *set = self.set(inner, &format!("{place}.{name}"), palette);
            }
        }
        tone
    }

    fn set(&mut self, table: &DeTable<'_>, place: &str, palette: Palette) -> Set {
        let mut set = Set::default();
        for (name, value) in table {
            let (byte, name) = (name.span().start, name.get_ref().as_ref());
            let fallback = palette == Palette::Full && matches!(name, "256" | "16");
            let role = ROLES.iter().position(|r| r.name == name);
            match (role.and_then(|r| set.get_mut(r)), value.get_ref()) {
                (Some(slot), DeValue::String(text)) => match Style::parse(text, palette) {
                    Ok(style) => *slot = Some(style),
                    Err(what) => self.wrong(byte, format!("{name}: {what}")),
                },
                (Some(_), _) => self.wrong(byte, format!("{name} takes a text, such as \"bold\".")),
                (None, DeValue::Table(_)) if fallback => {}
                (None, _) if fallback => {
                    self.wrong(byte, format!("{name} is a table: write [{place}.{name}]."));
                }
                (None, _) => {
                    let names = ROLES.iter().map(|r| r.name);
                    self.wrong(byte, unknown("role", name, &format!("[{place}]"), names));
                }
            }
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> Vec<String> {
        let (_, problems) = parse(Path::new("t.toml"), text);
        problems.iter().map(Problem::to_string).collect()
    }

    #[test]
    fn each_mistake_is_named_with_its_line_and_what_would_be_right() {
        for (text, said) in [
            (
                "[darc]\n",
                "t.toml:1: There is no table \"darc\" in a theme. Did you mean \"dark\"?",
            ),
            (
                "[dark]\nacent = \"bold\"",
                "t.toml:2: There is no role \"acent\" in [dark]. Did you mean \"accent\"?",
            ),
            (
                "[dark]\naccent = 3",
                "t.toml:2: accent takes a text, such as \"bold\".",
            ),
            (
                "[dark]\n256 = 3",
                "t.toml:2: 256 is a table: write [dark.256].",
            ),
            ("light = 3", "t.toml:1: light is a table: write [light]."),
            (
                "[dark.16]\n\naccent = \"cian\"",
                "t.toml:3: accent: \"cian\" is no colour and no weight. Did you mean \"cyan\"?",
            ),
        ] {
            assert_eq!(wrong(text), [said], "{text:?}");
        }
        assert!(wrong("[dark\n").iter().all(|w| w.starts_with("t.toml:1:")));
    }

    #[test]
    fn a_theme_of_one_page_has_it_everywhere() {
        let (theme, _) = parse(Path::new("t"), "[light]\naccent = \"#112233\"");
        assert_eq!(theme.dark, theme.light);
        assert_ne!(theme.dark, Tone::default());
    }
}

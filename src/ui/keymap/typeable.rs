//! Which keys a writer can have for a command: those that a terminal can tell from others, and that take no letter
//! from a text.

use crossterm::event::{KeyCode, KeyModifiers};

use super::{Key, left_alone};
use crate::ui::commands::Place;

/// What a terminal sends for Ctrl with a character, where that is another key (ASCII control characters).
const SAME: [(char, &str); 4] = [
    ('i', "Tab"),
    ('m', "Enter"),
    ('h', "Backspace"),
    ('[', "Esc"),
];
/// Characters beside letters for which there is a control character of their own.
const CONTROL: [char; 6] = [' ', '@', '\\', ']', '^', '_'];

/// A key for a command that has keys in these places. The error is a sentence.
pub(super) fn read(name: &str, places: &[Place]) -> Result<Key, String> {
    let key = Key::parse(name).ok_or_else(|| {
        format!("{name:?} is no key; write it like \"ctrl-p\", \"alt-enter\", \"f2\" or \"J\".")
    })?;
    if left_alone(key) {
        return Err(format!("{} is left to your terminal.", key.shown()));
    }
    if let (true, KeyCode::Char(c)) = (name.contains("shift-"), key.code) {
        let great = c.to_uppercase();
        return Err(format!(
            "{name:?} comes as the letter itself: write \"{great}\"."
        ));
    }
    match key.code {
        KeyCode::Char(c) if key.mods.contains(KeyModifiers::CONTROL) => with_control(key, c)?,
        KeyCode::Char(_) if key.mods.is_empty() => letter(key, places)?,
        _ => {}
    }
    Ok(key)
}

/// A terminal sends one byte for Ctrl with a character: some of those are other keys, some characters have none.
fn with_control(key: Key, c: char) -> Result<(), String> {
    if let Some((_, same)) = SAME.iter().find(|s| s.0 == c) {
        let shown = key.shown();
        return Err(format!(
            "{shown} cannot be told from {same} in a terminal; choose another key."
        ));
    }
    if c.is_ascii_lowercase() || CONTROL.contains(&c) {
        return Ok(());
    }
    let shown = key.shown();
    Err(format!(
        "{shown} cannot be typed in a terminal; choose another key."
    ))
}

/// A plain character is text where text is written.
fn letter(key: Key, places: &[Place]) -> Result<(), String> {
    let in_text = [Place::Anywhere, Place::Composer];
    if places.iter().any(|p| in_text.contains(p)) {
        let shown = key.shown();
        return Err(format!(
            "{shown} would be missing where you write; add ctrl- or alt- to it."
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn a_key_that_cannot_be_typed_is_refused_with_the_reason() {
        for (name, part) in [
            ("ctrl-i", "Tab"),
            ("ctrl-m", "Enter"),
            ("ctrl-[", "Esc"),
            ("ctrl-h", "Backspace"),
            ("ctrl-1", "cannot be typed"),
            ("shift-j", "write \"J\""),
            ("ctrl-a", "left to your terminal"),
            ("p", "where you write"),
            ("bogus", "is no key"),
        ] {
            let why = read(name, &[Place::Anywhere]).unwrap_err();
            assert!(why.contains(part), "{name}: {why}");
            assert!(why.ends_with('.'), "{why}");
        }
    }

    #[test]
    fn a_letter_is_a_key_where_nothing_is_written() {
        read("p", &[Place::List, Place::Transcript]).unwrap();
        read("ctrl-]", &[Place::Composer]).unwrap();
        read("alt-p", &[Place::Anywhere]).unwrap();
    }
}

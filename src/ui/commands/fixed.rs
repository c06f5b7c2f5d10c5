//! The keys of the caret: editing keys that every text field has, which are the text's own and no commands. They are told
//! where keys are told, and cannot be bound.

use super::Place;
use crate::ui::keymap::{Key, Keymap};

/// A few keys that do one thing.
#[derive(Clone, Copy, Debug)]
pub struct Fixed {
    /// Their names, as in the configuration.
    keys: &'static [&'static str],
    /// What the help calls it.
    pub title: &'static str,
    /// One sentence.
    pub doc: &'static str,
    /// The text they belong to; both where none.
    only: Option<Place>,
}

const fn both(keys: &'static [&'static str], title: &'static str, doc: &'static str) -> Fixed {
    Fixed {
        keys,
        title,
        doc,
        only: None,
    }
}

const fn one(
    only: Place,
    keys: &'static [&'static str],
    title: &'static str,
    doc: &'static str,
) -> Fixed {
    Fixed {
        only: Some(only),
        ..both(keys, title, doc)
    }
}

const ROWS: [Fixed; 12] = [
    both(
        &["shift-left", "shift-right", "shift-up", "shift-down"],
        "Select, as with any move",
        "Selects; with Shift every other move of the caret does too.",
    ),
    both(
        &["ctrl-left", "ctrl-right"],
        "A word back, or on",
        "Moves by a word; so does Alt.",
    ),
    one(
        Place::Draft,
        &["ctrl-up", "ctrl-down"],
        "A paragraph back, or on",
        "Moves by a paragraph.",
    ),
    both(
        &["home", "end"],
        "Ends of the row",
        "Goes to the start or the end of the row; from there, of the paragraph.",
    ),
    both(
        &["ctrl-home"],
        "Beginning of the text",
        "Goes to the beginning of the text.",
    ),
    both(
        &["ctrl-end"],
        "End of the text",
        "Goes to the end of the text.",
    ),
    both(
        &["ctrl-w", "ctrl-backspace", "alt-backspace"],
        "Delete the word before",
        "Deletes the word before the caret.",
    ),
    both(
        &["ctrl-del", "alt-del"],
        "Delete the word behind",
        "Deletes the word behind the caret.",
    ),
    one(
        Place::Draft,
        &["ctrl-u"],
        "Delete to the start of the row",
        "Deletes to the start of the row; from there, the row above in its paragraph.",
    ),
    one(
        Place::Draft,
        &["ctrl-k"],
        "Delete to the end of the row",
        "Deletes to the end of the row; at the end of the paragraph, what parts it from the next.",
    ),
    one(
        Place::Composer,
        &["ctrl-u"],
        "Delete to the start of the line",
        "Deletes everything from the start of the line, on however many rows it stands.",
    ),
    one(
        Place::Composer,
        &["ctrl-k"],
        "Delete to the end of the line",
        "Deletes everything to the end of the line, on however many rows it stands.",
    ),
];

/// The keys of the caret in a place, as people read them; none where nothing is written. One that the writer gave to a
/// command is left out; where a command has it only at times, as in an empty composer, it stays.
pub fn fixed(place: Place, keys: &Keymap) -> Vec<(Vec<String>, &'static Fixed)> {
    let here = |row: &&Fixed| match row.only {
        Some(only) => only == place,
        None => matches!(place, Place::Composer | Place::Draft),
    };
    let taken = |key: Key| keys.find(place, key).is_some_and(|c| c.yields.is_none());
    let names = |row: &'static Fixed| {
        let parsed = row.keys.iter().filter_map(|name| Key::parse(name));
        let free = parsed.filter(|key| !taken(*key));
        (free.map(Key::shown).collect::<Vec<_>>(), row)
    };
    let all = ROWS.iter().filter(here).map(names);
    all.filter(|(names, _)| !names.is_empty()).collect()
}

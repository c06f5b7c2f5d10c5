//! Footnotes as a reader meets them: numbered by their first mark, their words behind all others.

use std::collections::HashMap;

use pulldown_cmark::{CowStr, Event, Tag, TagEnd};

/// The same text with its footnotes at the end, in the order of their marks; each is called by its number. Notes that no
/// mark leads to come last: their words are not lost.
pub(super) fn at_the_end<'a>(events: impl Iterator<Item = Event<'a>>) -> Vec<Event<'a>> {
    let (mut all, notes) = apart(events);
    let mut numbers = Numbers::default();
    for event in &mut all {
        numbers.mark(event);
    }
    let mut left: Vec<Option<Note<'a>>> = notes.into_iter().map(Some).collect();
    while let Some(note) = next(&mut left, &numbers) {
        for mut event in note.events {
            numbers.mark(&mut event);
            all.push(event);
        }
    }
    all
}

/// The note with the lowest number; where none has one, the next.
fn next<'a>(left: &mut [Option<Note<'a>>], numbers: &Numbers) -> Option<Note<'a>> {
    let number = |note: &Note<'_>| numbers.known(&note.label).unwrap_or(usize::MAX);
    let waits = left.iter_mut().filter(|slot| slot.is_some());
    let first = waits.min_by_key(|slot| slot.as_ref().map(number));
    first.and_then(Option::take)
}

/// A footnote: what it is called where it is written, and all of it.
struct Note<'a> {
    label: CowStr<'a>,
    events: Vec<Event<'a>>,
}

/// The text without its notes, and these.
fn apart<'a>(events: impl Iterator<Item = Event<'a>>) -> (Vec<Event<'a>>, Vec<Note<'a>>) {
    let (mut text, mut notes) = (Vec::new(), Vec::new());
    let mut open: Vec<Note<'a>> = Vec::new();
    for event in events {
        if let Event::Start(Tag::FootnoteDefinition(label)) = &event {
            let label = label.clone();
            let events = Vec::new();
            open.push(Note { label, events });
        }
        let ends = matches!(event, Event::End(TagEnd::FootnoteDefinition));
        let into = open.last_mut().map_or(&mut text, |note| &mut note.events);
        into.push(event);
        if ends {
            notes.extend(open.pop());
        }
    }
    notes.append(&mut open);
    (text, notes)
}

/// The numbers of notes, by what they are called.
#[derive(Default)]
struct Numbers(HashMap<String, usize>);

impl Numbers {
    fn known(&self, label: &str) -> Option<usize> {
        self.0.get(&label.to_lowercase()).copied()
    }

    /// Puts the number where the label stood.
    fn mark(&mut self, event: &mut Event<'_>) {
        if let Event::FootnoteReference(label) | Event::Start(Tag::FootnoteDefinition(label)) =
            event
        {
            let next = self.0.len() + 1;
            let number = self.0.entry(label.to_lowercase()).or_insert(next);
            *label = number.to_string().into();
        }
    }
}

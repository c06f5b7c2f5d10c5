//! Footnotes as a reader meets them: numbered by their first mark, their words behind all others.

use std::collections::{HashMap, HashSet};

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
    let number = |note: &Note<'_>| match numbers.known(&note.label) {
        Some(number) if !numbers.is_said(&note.label) => number,
        _ => usize::MAX,
    };
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
struct Numbers {
    known: HashMap<String, usize>,
    /// Those whose words were told.
    said: HashSet<String>,
    /// The last number.
    last: usize,
}

impl Numbers {
    fn known(&self, label: &str) -> Option<usize> {
        self.known.get(&label.to_lowercase()).copied()
    }

    fn is_said(&self, label: &str) -> bool {
        self.said.contains(&label.to_lowercase())
    }

    /// Puts the number where the label stood. A second note of one name has one of its own: marks lead to the first.
    fn mark(&mut self, event: &mut Event<'_>) {
        let (label, is_again) = match event {
            Event::FootnoteReference(label) => (label, false),
            Event::Start(Tag::FootnoteDefinition(label)) => {
                let is_again = !self.said.insert(label.to_lowercase());
                (label, is_again)
            }
            _ => return,
        };
        let known = self.known(label).filter(|_| !is_again);
        let number = known.unwrap_or(self.last + 1);
        self.last = self.last.max(number);
        if !is_again {
            self.known.insert(label.to_lowercase(), number);
        }
        *label = number.to_string().into();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{html, plain};

    #[test]
    fn two_notes_of_one_name_have_a_number_each() {
        let text = "A[^1] and b[^2].\n\n[^1]: One.\n\n[^1]: Once more.\n\n[^2]: Two.\n";
        let told = plain(text);
        let notes = "[1] One.\n\n[2] Two.\n\n[3] Once more.\n";
        assert!(told.ends_with(notes), "{told}");
        let page = html("T", text);
        let ids = page.matches("class=\"footnote-definition\" id=").count();
        assert_eq!(ids, 3, "{page}");
        assert_eq!(page.matches("id=\"1\"").count(), 1, "{page}");
    }
}

//! Words that the writer never writes, from `VOICE.md`.

use super::super::finding::{Change, Finding};
use crate::text::doc::Doc;
use crate::text::voice::{Hit, Voice};

const KIND: &str = "voice";

pub(super) fn find(doc: &Doc<'_>, voice: &str) -> Vec<Finding> {
    let voice = Voice::read(voice);
    let hits = voice.find(doc).into_iter();
    hits.map(|hit| finding(doc, hit)).collect()
}

fn finding(doc: &Doc<'_>, hit: Hit<'_>) -> Finding {
    let at = hit.at;
    let spelt = doc.plain(at.clone());
    let instead = hit.never.instead.as_ref();
    let instead = instead.map(|new| as_capital(spelt, new));
    Finding {
        kind: KIND,
        meant: false,
        what: format!("VOICE.md says that you never write “{spelt}”."),
        change: match &instead {
            Some(new) => format!("Write “{new}”."),
            None => "Say it in another way.".to_owned(),
        },
        fix: instead
            .into_iter()
            .map(|new| Change::new(at.clone(), new))
            .collect(),
        at,
    }
}

/// A word with a capital where the one it replaces has one.
fn as_capital(old: &str, new: &str) -> String {
    let mut letters = new.chars();
    match letters.next() {
        Some(first) if old.starts_with(char::is_uppercase) => {
            first.to_uppercase().chain(letters).collect()
        }
        _ => new.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::editor::finding::changed;

    #[test]
    fn a_word_that_has_another_in_its_place_is_mended() {
        let text = "Utilize it. We delve.";
        let found = find(&Doc::of(text), "Never: delve\nNever: utilize → use");
        assert_eq!(found.len(), 2);
        let mended = changed(text, found.into_iter().flat_map(|f| f.fix)).0;
        assert_eq!(mended, "Use it. We delve.");
    }
}

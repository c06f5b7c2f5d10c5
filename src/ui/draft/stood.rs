//! Where the writer stood in a draft: kept with the window's place, and found again in a text that may be another since.

use serde::{Deserialize, Serialize};

use super::editor::Editor;
use crate::domain::SessionId;
use crate::ui::focus::Pane;

/// Bytes before the caret by which its place is known again.
const BEFORE: usize = 64;
/// Drafts whose place is kept.
const MOST: usize = 100;

/// How the drafts of a window were left.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Left {
    /// The pane from which the writer came to the draft.
    pub from: Pane,
    /// A draft stands beside the page where there is room.
    pub stands: bool,
    /// Where the writer stood in each, the one that is open last.
    pub stood: Vec<Stood>,
}

/// Where the writer stood in a draft.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stood {
    /// Of.
    pub session: SessionId,
    /// Bytes before the caret.
    pub at: usize,
    /// Rows of the page above it.
    pub above: usize,
    /// The words just before it.
    pub before: String,
}

impl Stood {
    /// Where the caret of a draft is; none at its beginning, where a draft opens anyway.
    pub(super) fn of(session: SessionId, editor: &Editor) -> Option<Self> {
        let (at, words) = (editor.caret(), editor.words());
        let from = words.floor(at.saturating_sub(BEFORE));
        (at > words.start()).then(|| Self {
            session,
            at,
            above: editor.page.above(),
            before: words.slice(from..at),
        })
    }

    /// The same place in a text: behind the same words, the nearest where they stand more than once; else as far from
    /// the beginning as it was.
    pub(super) fn place_in(&self, text: &str) -> usize {
        let is_it = |end: usize| text.get(..end).is_some_and(|t| t.ends_with(&self.before));
        if is_it(self.at) {
            return self.at;
        }
        let ends = text.match_indices(&self.before);
        let ends = ends.map(|(at, words)| at + words.len());
        ends.min_by_key(|end| end.abs_diff(self.at))
            .unwrap_or(self.at)
    }
}

/// Those that were kept and those of the drafts that are open now; no more than some, the last ones.
pub(super) fn all(
    kept: &[Stood],
    now: Vec<Stood>,
    is_open: impl Fn(SessionId) -> bool,
) -> Vec<Stood> {
    let shut = kept.iter().filter(|stood| !is_open(stood.session));
    let mut all: Vec<Stood> = shut.cloned().chain(now).collect();
    all.drain(..all.len().saturating_sub(MOST));
    all
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    fn id(n: u128) -> SessionId {
        SessionId::new(uuid::Uuid::from_u128(n))
    }

    fn stood(text: &str, behind: &str) -> Stood {
        let mut editor = Editor::new(text);
        editor.go(text.find(behind).unwrap() + behind.len(), false);
        Stood::of(id(1), &editor).unwrap()
    }

    #[test]
    fn the_place_is_found_again_behind_its_words_wherever_they_stand_now() {
        let text = "One.\n\nThe ferry was late.\n\nThree.";
        let place = stood(text, "The ferry");
        for (now, behind) in [
            (text.to_owned(), "The ferry"),
            (format!("New.\n\n{text}"), "One.\n\nThe ferry"),
            (
                format!("{text} One.\n\nThe ferry, again"),
                "One.\n\nThe ferry",
            ),
        ] {
            let want = now.find(behind).unwrap() + behind.len();
            assert_eq!(place.place_in(&now), want, "{now:?}");
        }
    }

    #[test]
    fn a_text_without_those_words_opens_as_far_from_its_beginning() {
        let place = stood("One.\n\nThe ferry was late.", "The ferry");
        let mut editor = Editor::new("ééééééé");
        editor.stand(place.place_in("ééééééé"), 3);
        assert_eq!(editor.caret(), 14, "at its end where it is shorter");
        assert_eq!(Stood::of(id(1), &Editor::new("\u{feff}One.")), None);
    }

    #[test]
    fn the_places_of_a_hundred_drafts_are_kept() {
        let place = |n: u128| Stood {
            session: id(n),
            ..stood("One.", "One")
        };
        let kept: Vec<Stood> = (0..100).map(place).collect();
        let all = all(&kept, vec![place(5), place(200)], |s| s == id(5));
        assert_eq!(all.len(), MOST);
        assert_eq!(all.first().unwrap().session, id(1));
        assert_eq!(all.last().unwrap().session, id(200));
    }
}

//! Which rows a few words find: letters of a title, the beginning of a tag, the word of a state or of a stage.

use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::Ranked;
use crate::domain::{Row, Stage};
use crate::text::folded;
use crate::ui::panes;

/// Letters from which a word can mean a state or a stage.
const STATE_MIN: usize = 3;
/// A session in no other state.
const IDLE: &str = "idle";

/// What is looked for.
pub(super) struct Filter {
    words: Vec<(String, Atom)>,
    matcher: Matcher,
    chars: Vec<char>,
}

impl Filter {
    /// None when nothing is asked.
    pub(super) fn of(query: &str) -> Option<Self> {
        let atom = |word: String| {
            let kind = AtomKind::Fuzzy;
            let atom = Atom::new(
                &word,
                CaseMatching::Ignore,
                Normalization::Smart,
                kind,
                false,
            );
            (word, atom)
        };
        let words: Vec<_> = query.split_whitespace().map(|w| atom(folded(w))).collect();
        (!words.is_empty()).then(|| Self {
            words,
            matcher: Matcher::new(Config::DEFAULT),
            chars: Vec::new(),
        })
    }

    /// How well a row fits that stands at a stage, 0 being best; none when it does not.
    pub(super) fn fit(&mut self, of: &Ranked, stage: Option<Stage>) -> Option<u8> {
        let mut worst = 0;
        for (word, atom) in &self.words {
            if is_plain(word, of, stage) {
                continue;
            }
            let hay = Utf32Str::new(&of.hay, &mut self.chars);
            // A tag is named, not guessed.
            if word.starts_with('#') || atom.score(hay, &mut self.matcher).is_none() {
                return None;
            }
            worst = 1;
        }
        Some(worst)
    }
}

/// Whether a word stands there as it is.
fn is_plain(word: &str, of: &Ranked, stage: Option<Stage>) -> bool {
    let means = |of: &str| word.len() >= STATE_MIN && of.starts_with(word);
    of.hay.contains(word)
        || means(panes::word(of.row.state).unwrap_or(IDLE))
        || stage.is_some_and(|stage| means(stage.word()))
}

/// What is looked at: what it is called and its tags, as they are compared.
pub(super) fn hay(row: &Row, called: &str) -> String {
    let tags = row.tags.iter().map(|t| format!(" #{t}"));
    let text = std::iter::once(called.to_owned()).chain(tags);
    folded(&text.collect::<String>())
}

//! The table of checks: each reads the whole draft and says what it finds.

mod balance;
mod dashes;
mod doubled;
mod echo;
mod length;
mod names;
mod quotes;
mod spacing;
mod style;
mod voice;

pub use names::KIND as NAMES;
pub(super) use quotes::spoken;

use super::finding::Finding;
use crate::text::doc::Doc;

/// A check: its name, words that also call it, what it looks for, and how.
#[derive(Clone, Copy)]
pub struct Check {
    /// Its name, as findings carry it.
    pub name: &'static str,
    /// Words of a prompt that mean it.
    pub words: &'static [&'static str],
    /// What it looks for.
    pub about: &'static str,
    run: fn(&Doc<'_>, &Asked) -> Vec<Finding>,
}

/// What a writer asks for beside what is always looked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Asked {
    /// The writer's voice, as its file says.
    pub voice: String,
    /// What was found elsewhere: grammar, by the feature of that name.
    pub more: Vec<Finding>,
}

/// All checks.
pub const CHECKS: &[Check] = &[
    Check {
        name: "doubled words",
        words: &["doubled", "double", "words"],
        about: "a word or a phrase that stands twice in a row",
        run: |doc, _| doubled::find(doc),
    },
    Check {
        name: "repetition",
        words: &["repetition", "repetitions", "repeated", "echo", "echoes"],
        about: "words and phrases that come again close by",
        run: |doc, _| echo::find(doc),
    },
    Check {
        name: "length",
        words: &["length", "lengths", "long"],
        about: "sentences and paragraphs far longer than the others of this piece",
        run: |doc, _| length::find(doc),
    },
    Check {
        name: "names",
        words: &["names", "name"],
        about: "a name spelt in two ways",
        run: |doc, _| names::find(doc),
    },
    Check {
        name: "quotation marks",
        words: &["quotation", "quotes", "quote", "marks", "apostrophes"],
        about: "quotation marks and apostrophes of two kinds",
        run: |doc, _| quotes::find(doc),
    },
    Check {
        name: "dashes",
        words: &["dashes", "dash", "dots", "ellipses"],
        about: "dashes and dots of two kinds",
        run: |doc, _| dashes::find(doc),
    },
    Check {
        name: "spacing",
        words: &["spacing", "spaces", "space", "punctuation"],
        about: "spaces too many, too few or not as elsewhere",
        run: |doc, _| spacing::find(doc),
    },
    Check {
        name: "balance",
        words: &["balance", "unbalanced", "brackets", "pairs"],
        about: "quotation marks and brackets without their other half",
        run: |doc, _| balance::find(doc),
    },
    Check {
        name: "voice",
        words: &["voice", "never", "forbidden"],
        about: "words that VOICE.md says you never write",
        run: |doc, asked| voice::find(doc, &asked.voice),
    },
    #[cfg(feature = "grammar")]
    Check {
        name: super::grammar::KIND,
        words: &["grammar", "spelling"],
        about: "English grammar and spelling",
        run: |_, asked| asked.more.clone(),
    },
];

/// Everything that is found, in the order of the text.
pub fn findings(doc: &Doc<'_>, asked: &Asked) -> Vec<Finding> {
    let mut found: Vec<Finding> = CHECKS.iter().flat_map(|c| (c.run)(doc, asked)).collect();
    found.sort_by_key(|f| (f.at.start, f.at.end));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::editor::finding::changed;

    /// What a check finds in a text, how many, and the text with all of it mended.
    pub(super) fn mends(find: fn(&Doc<'_>) -> Vec<Finding>, text: &str, n: usize, mended: &str) {
        let found = find(&Doc::of(text));
        assert_eq!(found.len(), n, "{text}: {found:?}");
        assert_eq!(
            changed(text, found.into_iter().flat_map(|f| f.fix)).0,
            mended
        );
    }
}

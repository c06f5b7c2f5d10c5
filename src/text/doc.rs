//! A draft as checks read it: blocks of prose, their sentences, and the words with their places.

use std::collections::HashMap;
use std::ops::Range;

use icu_segmenter::options::WordBreakInvariantOptions;
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};

use super::prose::{Block, GONE, OPAQUE, Prose, Role, prose};
use super::{folded, is_cjk, places, sentences};

/// A draft taken apart.
#[derive(Debug)]
pub struct Doc<'a> {
    /// As it was written.
    pub text: &'a str,
    /// Its prose, in place.
    pub prose: Prose,
    /// All sentences, in order.
    pub sentences: Vec<Sentence>,
    /// All words, in order. Chinese and Japanese ones are found by a dictionary.
    pub words: Vec<Word>,
    /// What the words are.
    pub terms: Vec<Term>,
}

/// A sentence.
#[derive(Clone, Debug)]
pub struct Sentence {
    /// Where it stands.
    pub range: Range<usize>,
    /// Number of its block.
    pub block: usize,
    /// Its words.
    pub words: Range<usize>,
}

/// A word at its place.
#[derive(Clone, Debug)]
pub struct Word {
    /// Where it stands.
    pub range: Range<usize>,
    /// Number of its term.
    pub term: usize,
    /// Number of its sentence.
    pub sentence: usize,
}

/// A word as often as it occurs, capitals or not.
#[derive(Clone, Debug)]
pub struct Term {
    /// In small letters, as it stands first.
    pub text: String,
    /// As it is compared.
    key: String,
    /// How often.
    pub count: usize,
}

/// A visible character at its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sign {
    /// Where it begins.
    pub at: usize,
    /// What it is; [`OPAQUE`] where something else than prose stands.
    pub c: char,
}

impl Sign {
    /// Behind it.
    pub fn end(self) -> usize {
        self.at + self.c.len_utf8()
    }
}

impl<'a> Doc<'a> {
    /// Takes a draft apart.
    pub fn of(text: &'a str) -> Self {
        let mut doc = Self {
            text,
            prose: prose(text),
            sentences: Vec::new(),
            words: Vec::new(),
            terms: Vec::new(),
        };
        let mut reader = Reader {
            known: HashMap::new(),
            breaks: WordSegmenter::new_auto(WordBreakInvariantOptions::default()),
        };
        let blocks = std::mem::take(&mut doc.prose.blocks);
        for (number, block) in blocks.iter().enumerate() {
            reader.block(&mut doc, number, block);
        }
        doc.prose.blocks = blocks;
        doc
    }

    /// The masked text of a place.
    pub fn plain(&self, range: Range<usize>) -> &str {
        self.prose.plain.get(range).unwrap_or_default()
    }

    /// A word as it is written.
    pub fn spelt(&self, word: &Word) -> &str {
        self.plain(word.range.clone())
    }

    /// A word as it is compared with those of other texts.
    pub fn key(&self, word: &Word) -> &str {
        self.terms.get(word.term).map_or("", |t| &t.key)
    }

    /// What a word is.
    pub fn term(&self, word: &Word) -> &str {
        self.terms.get(word.term).map_or("", |t| &t.text)
    }

    /// How often a word occurs.
    pub fn count(&self, word: &Word) -> usize {
        self.terms.get(word.term).map_or(0, |t| t.count)
    }

    /// How often the `n`-th of the most frequent words occurs.
    pub fn often(&self, n: usize) -> usize {
        let mut counts: Vec<usize> = self.terms.iter().map(|t| t.count).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        counts.get(n).copied().unwrap_or(1)
    }

    /// The words of a sentence.
    pub fn words_of(&self, sentence: &Sentence) -> &[Word] {
        self.words.get(sentence.words.clone()).unwrap_or_default()
    }

    /// What a reader sees of a block, sign by sign.
    pub fn signs(&self, block: &Block) -> Vec<Sign> {
        let from = block.range.start;
        let seen = |(at, c): (usize, char)| (c != GONE).then_some(Sign { at: from + at, c });
        self.prose
            .of(block)
            .char_indices()
            .filter_map(seen)
            .collect()
    }

    /// The sentence at a place: the last one that begins at or before it.
    pub fn sentence_at(&self, at: usize) -> Option<&Sentence> {
        let after = self.sentences.partition_point(|s| s.range.start <= at);
        self.sentences.get(after.checked_sub(1)?)
    }

    /// The number of the paragraph at a place, from 1; headings count with what follows them.
    pub fn paragraph_at(&self, at: usize) -> usize {
        let before = self.prose.blocks.iter().take_while(|b| b.range.start <= at);
        before.filter(|b| !is_heading(b)).count().max(1)
    }
}

/// Whether a block is a heading.
pub fn is_heading(block: &Block) -> bool {
    matches!(block.role, Role::Heading(_))
}

struct Reader {
    known: HashMap<String, usize>,
    breaks: WordSegmenterBorrowed<'static>,
}

impl Reader {
    fn block(&mut self, doc: &mut Doc<'_>, number: usize, block: &Block) {
        let plain = doc.prose.of(block).to_owned();
        for sentence in sentences(&plain) {
            let words = doc.words.len();
            let text = plain.get(sentence.clone()).unwrap_or_default();
            let at = block.range.start + sentence.start;
            self.sentence(doc, text, at);
            if doc.words.len() > words {
                doc.sentences.push(Sentence {
                    range: at..at + text.len(),
                    block: number,
                    words: words..doc.words.len(),
                });
            }
        }
    }

    fn sentence(&mut self, doc: &mut Doc<'_>, text: &str, at: usize) {
        let mut run: Option<Range<usize>> = None;
        for (from, word) in places(text) {
            let end = from + word.len();
            if word.starts_with(is_cjk) {
                match &mut run {
                    Some(run) if run.end == from => run.end = end,
                    _ => {
                        self.run(doc, text, run.take(), at);
                        run = Some(from..end);
                    }
                }
            } else {
                self.run(doc, text, run.take(), at);
                self.word(doc, word, at + from);
            }
        }
        self.run(doc, text, run, at);
    }

    /// Letters that stand together: a dictionary knows which of them are words.
    fn run(&mut self, doc: &mut Doc<'_>, text: &str, run: Option<Range<usize>>, at: usize) {
        let Some(run) = run else { return };
        let letters = text.get(run.clone()).unwrap_or_default();
        let mut from = 0;
        for to in self.breaks.segment_str(letters) {
            if let Some(word) = letters.get(from..to).filter(|w| !w.is_empty()) {
                self.word(doc, word, at + run.start + from);
            }
            from = to;
        }
    }

    fn word(&mut self, doc: &mut Doc<'_>, word: &str, at: usize) {
        let next = doc.terms.len();
        let term = *self.known.entry(folded(word)).or_insert_with_key(|key| {
            doc.terms.push(Term {
                text: word.to_lowercase(),
                key: key.clone(),
                count: 0,
            });
            next
        });
        if let Some(term) = doc.terms.get_mut(term) {
            term.count += 1;
        }
        doc.words.push(Word {
            range: at..at + word.len(),
            term,
            sentence: doc.sentences.len(),
        });
    }
}

/// Whether a sign is space.
pub fn is_space(c: char) -> bool {
    c.is_whitespace()
}

/// Whether a sign is a letter, a digit or something that stands for words.
pub fn is_wordy(c: char) -> bool {
    c.is_alphanumeric() || c == OPAQUE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let doc = Doc::of(text);
        doc.words.iter().map(|w| doc.spelt(w).to_owned()).collect()
    }

    #[test]
    fn words_are_found_with_and_without_spaces() {
        assert_eq!(
            words("It’s *here*, `not` there."),
            ["It’s", "here", "there"]
        );
        assert_eq!(words("我们喜欢音乐"), ["我们", "喜欢", "音乐"]);
    }

    #[test]
    fn each_word_knows_its_sentence_and_each_place_its_paragraph() {
        let doc = Doc::of("# One\n\nTwo. Three four.\n\nFive.");
        let of: Vec<usize> = doc.words.iter().map(|w| w.sentence).collect();
        assert_eq!(of, [0, 1, 2, 2, 3]);
        assert_eq!(doc.paragraph_at(0), 1);
        assert_eq!(doc.paragraph_at(doc.text.len() - 1), 2);
        assert_eq!(doc.sentence_at(14).map(|s| s.range.start), Some(12));
    }
}

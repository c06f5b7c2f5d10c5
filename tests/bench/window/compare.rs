//! What comparing two long drafts costs, in processor time of this process.

use std::fmt::Write as _;

use fascicle::text::compare::compare;

use crate::book::{Book, Figure};
use crate::stage::cpu_of;

/// Paragraphs of a draft, and words of each: 20,000 words.
const PARAGRAPHS: usize = 250;
const WORDS: usize = 80;
/// How often they are compared; their mean counts.
const TIMES: u32 = 20;

/// Two drafts of 20,000 words: first one that was revised, then one that shares no paragraph with the other.
pub fn measure(book: &mut Book) {
    let original = written(1, |_, _| false);
    let revised = written(1, |paragraph, word| paragraph % 2 == 0 && word % 13 == 0);
    let other = written(2, |_, _| false);
    let figures = [&revised, &other].map(|right| {
        let from = cpu_of(std::process::id());
        for _ in 0..TIMES {
            std::hint::black_box(compare(&original, right));
        }
        let ms = (cpu_of(std::process::id()) - from) * 1e3 / f64::from(TIMES);
        Figure::of(ms, 200.0, "ms CPU")
    });
    book.mark(
        "two drafts of 20,000 words compared: every second paragraph revised; none in common",
        "–",
        figures.into(),
    );
}

/// Paragraphs of words drawn from a small vocabulary, some words replaced.
fn written(seed: u32, replaced: impl Fn(usize, usize) -> bool) -> String {
    let mut state = seed;
    let mut draw = || {
        // The constants of Numerical Recipes' linear congruential generator.
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 20
    };
    let mut text = String::new();
    for paragraph in 0..PARAGRAPHS {
        for word in 0..WORDS {
            let drawn = draw();
            if replaced(paragraph, word) {
                text.push_str("otherwise ");
            } else {
                // Writing to a string does not fail.
                let _ = write!(text, "word{drawn} ");
            }
        }
        text.push_str("ends.\n\n");
    }
    text
}

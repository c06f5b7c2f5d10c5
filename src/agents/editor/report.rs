//! What is made of a draft without changing it, piece by piece. Each piece is told as soon as it is there; when
//! nobody listens the work ends.

use std::ops::RangeInclusive;

use super::checks::{Asked, findings};
use super::finding::Finding;
use super::turn::Draft;
use super::{listing, measure, outline, words};
use crate::text::count;
use crate::text::doc::Doc;

/// Takes a piece; false when nobody listens any more.
type Tell<'a> = &'a mut dyn FnMut(String) -> bool;

/// All findings in some paragraphs and of some checks. The numbers are those of the whole draft.
pub(super) fn proofread(
    draft: &Draft,
    asked: &Asked,
    paragraphs: &[RangeInclusive<usize>],
    kinds: &[&str],
    tell: Tell<'_>,
) {
    let doc = Doc::of(&draft.text);
    let last = doc.paragraph_at(draft.text.len());
    let missing: Vec<_> = paragraphs.iter().filter_map(|p| beyond(p, last)).collect();
    if !missing.is_empty() && !tell(words::no_paragraph(&missing, last)) {
        return;
    }
    // Nothing is left to read.
    if paragraphs
        .iter()
        .all(|p| *p.end() == 0 || *p.start() > last)
        && !paragraphs.is_empty()
    {
        return;
    }
    let all = findings(&doc, asked);
    let wanted = |f: &Finding| {
        let here = || doc.paragraph_at(f.at.start);
        (kinds.is_empty() || kinds.contains(&f.kind))
            && (paragraphs.is_empty() || paragraphs.iter().any(|p| p.contains(&here())))
    };
    let found: Vec<(usize, &Finding)> = (1..).zip(&all).filter(|(_, f)| wanted(f)).collect();
    if !tell(listing::head(
        draft.version,
        count(&draft.text),
        found.len(),
    )) {
        return;
    }
    for (number, finding) in &found {
        if !tell(listing::entry(&doc, *number, finding)) {
            return;
        }
    }
    tell(listing::foot(&found));
}

/// The part of some numbers that is behind the last one there is, or before the first.
pub(super) fn beyond(
    numbers: &RangeInclusive<usize>,
    last: usize,
) -> Option<RangeInclusive<usize>> {
    let (from, to) = (*numbers.start(), *numbers.end());
    if to > last {
        return Some(from.max(last + 1)..=to);
    }
    (from == 0).then_some(0..=0)
}

/// The draft in numbers.
pub(super) fn measured(draft: &Draft, tell: Tell<'_>) {
    each(measure::measure(&Doc::of(&draft.text), draft.version), tell);
}

/// The draft's outline.
pub(super) fn outlined(draft: &Draft, tell: Tell<'_>) {
    each(outline::outline(&Doc::of(&draft.text)), tell);
}

fn each(lines: Vec<String>, tell: Tell<'_>) {
    for line in lines {
        if !tell(line) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(paragraphs: &[RangeInclusive<usize>]) -> String {
        let draft = Draft {
            version: 1,
            text: "# Head\n\nOne the the.\n\nTwo and and.\n".to_owned(),
        };
        let mut said = String::new();
        proofread(&draft, &Asked::default(), paragraphs, &[], &mut |piece| {
            said.push_str(&piece);
            true
        });
        said
    }

    #[test]
    fn a_paragraph_that_there_is_none_of_is_told_as_such() {
        assert_eq!(
            told(&[99..=99]),
            "There is no paragraph 99: the draft has 2.\n\n"
        );
        assert_eq!(
            told(&[0..=0]),
            "There is no paragraph 0: the draft has 2.\n\n"
        );
        assert_eq!(
            told(&[7..=9, 12..=12]),
            "There are no paragraphs 7–9, 12: the draft has 2.\n\n"
        );
        let some = told(&[2..=5]);
        assert!(
            some.starts_with("There are no paragraphs 3–5: the draft has 2.\n\nVersion 1"),
            "{some}"
        );
        assert!(
            some.contains("and and") && !some.contains("the the"),
            "{some}"
        );
    }
}

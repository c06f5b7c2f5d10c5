//! What is made of a draft without changing it, piece by piece. Each piece is told as soon as it is there; when
//! nobody listens the work ends.

use std::ops::RangeInclusive;

use super::checks::{Asked, findings};
use super::finding::Finding;
use super::turn::Draft;
use super::{listing, measure, outline};
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

//! What is drawn and stepped over as one: a grapheme cluster, or the sign of a paste.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

use super::chips::{Chips, is_reserved};
use crate::text::{TAB, clean, width};

/// One step of the caret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Glyph<'a> {
    /// Where it begins in its line, in bytes.
    pub(super) at: usize,
    /// As it stands in the line.
    pub(super) raw: &'a str,
    /// As it is drawn.
    pub(super) shown: Cow<'a, str>,
    /// Cells it takes.
    pub(super) cells: usize,
    /// Whether it stands for a paste.
    pub(super) chip: bool,
}

/// The glyphs of a part of a line that begins at `from`.
pub(super) fn glyphs<'a>(
    part: &'a str,
    from: usize,
    chips: &'a Chips,
) -> impl Iterator<Item = Glyph<'a>> {
    part.split_inclusive(is_reserved)
        .flat_map(|run| {
            // A mark behind a paste's sign must not join it, nor the sign what is before it.
            let sign = run
                .char_indices()
                .next_back()
                .filter(|(_, c)| is_reserved(*c));
            let (text, sign) = run.split_at(sign.map_or(run.len(), |(at, _)| at));
            text.graphemes(true)
                .chain((!sign.is_empty()).then_some(sign))
        })
        .scan(from, move |at, raw| {
            let start = std::mem::replace(at, *at + raw.len());
            Some(glyph(start, raw, chips))
        })
}

fn glyph<'a>(at: usize, raw: &'a str, chips: &Chips) -> Glyph<'a> {
    let label = raw.chars().next().and_then(|c| chips.label(c));
    let chip = label.is_some();
    let shown = match label {
        Some(label) => Cow::Owned(label),
        None if raw == "\t" => Cow::Owned(" ".repeat(TAB)),
        // A line of the text has no newline: what would be drawn as one is a separator of another kind.
        None => match clean(raw) {
            Cow::Owned(sign) => Cow::Owned(sign.replace('\n', "⏎")),
            lent @ Cow::Borrowed(_) => lent,
        },
    };
    Glyph {
        at,
        raw,
        cells: width(&shown),
        shown,
        chip,
    }
}

//! Where the caret goes.

use unicode_segmentation::UnicodeSegmentation;

use super::chips::Chips;
use super::glyph::glyphs;
use super::layout::byte_of;
use super::model::{At, Model};

/// One glyph back, or to the end of the line before.
pub(super) fn left(model: &Model, chips: &Chips) -> Option<At> {
    let (row, col) = model.caret();
    if col == 0 {
        return before(model, row);
    }
    let line = model.line(row);
    let end = byte_of(line, col);
    let last = glyphs(line, 0, chips).take_while(|g| g.at < end).last()?;
    Some((row, col_of(line, last.at)))
}

/// One glyph on, or to the start of the next line.
pub(super) fn right(model: &Model, chips: &Chips) -> Option<At> {
    let (row, col) = model.caret();
    let line = model.line(row);
    let from = byte_of(line, col);
    match glyphs(line, 0, chips).find(|g| g.at + g.raw.len() > from) {
        Some(glyph) => Some((row, col_of(line, glyph.at + glyph.raw.len()))),
        None => after(model, row),
    }
}

/// To the start of the word before.
pub(super) fn word_left(model: &Model) -> Option<At> {
    let (row, col) = model.caret();
    if col == 0 {
        return before(model, row);
    }
    let line = model.line(row);
    let end = byte_of(line, col);
    let start = line
        .split_word_bound_indices()
        .take_while(|(at, _)| *at < end)
        .filter(|(_, word)| !word.trim().is_empty())
        .last()
        .map_or(0, |(at, _)| at);
    Some((row, col_of(line, start)))
}

/// Behind the next word.
pub(super) fn word_right(model: &Model) -> Option<At> {
    let (row, col) = model.caret();
    let line = model.line(row);
    let from = byte_of(line, col);
    if from == line.len() {
        return after(model, row);
    }
    let end = line
        .split_word_bound_indices()
        .map(|(at, word)| (at + word.len(), word))
        .find(|(end, word)| *end > from && !word.trim().is_empty())
        .map_or(line.len(), |(end, _)| end);
    Some((row, col_of(line, end)))
}

/// The end of the text.
pub(super) fn end(model: &Model) -> At {
    let row = model.lines().len().saturating_sub(1);
    (row, line_end(model, row))
}

/// Characters of a line.
pub(super) fn line_end(model: &Model, row: usize) -> usize {
    model.line(row).chars().count()
}

fn before(model: &Model, row: usize) -> Option<At> {
    let row = row.checked_sub(1)?;
    Some((row, line_end(model, row)))
}

fn after(model: &Model, row: usize) -> Option<At> {
    (row + 1 < model.lines().len()).then_some((row + 1, 0))
}

fn col_of(line: &str, byte: usize) -> usize {
    line.get(..byte).map_or(0, |before| before.chars().count())
}

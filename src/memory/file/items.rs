//! The list items of a memory: each is something to know, with the heading it stands under.

use std::ops::Range;

use super::place::sorts;
use crate::memory::brief::conflict::Conflicts;
use crate::memory::brief::lines::{Line, archived, is_archive, lines};

/// Something to know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// Its lines with their ends, in bytes.
    pub at: Range<usize>,
    /// Its words as they stand, marker included; several lines are parted by `\n`.
    pub text: String,
    /// The heading it stands under; that of the archive itself, and the title of the file, are none.
    pub heading: Option<String>,
    /// It stands in the archive and is not sent.
    pub archived: bool,
}

/// Bytes of a byte order mark.
pub(super) fn mark(text: &str) -> usize {
    if text.starts_with('\u{feff}') { 3 } else { 0 }
}

/// The lines behind a byte order mark, and whether each is archived.
pub(super) fn read(text: &str) -> (Vec<Line<'_>>, Vec<bool>) {
    let skip = mark(text);
    let mut all = lines(text.get(skip..).unwrap_or_default());
    for line in &mut all {
        line.at += skip;
    }
    let gone = archived(&all);
    (all, gone)
}

/// The items of a memory, in order.
pub fn items(text: &str) -> Vec<Item> {
    let (all, gone) = read(text);
    let title = title(&all);
    let marks = Conflicts::of(&all).left_out;
    let mut found: Vec<Item> = Vec::new();
    let mut heading = None;
    let mut open = false;
    for (n, (line, archived)) in all.iter().zip(gone).enumerate() {
        let end = (line.at + line.text.len() + 1).min(text.len());
        if line.heading.is_some() {
            heading = named(line).filter(|_| title != Some(n));
            open = false;
        } else if marks.get(n) == Some(&true) {
            open = false;
        } else if begins(line) {
            open = true;
            found.push(Item {
                at: line.at..end,
                text: line.text.trim_end().to_owned(),
                heading: heading.clone(),
                archived,
            });
        } else if line.text.trim().is_empty() || line.code {
            open = false;
        } else if let Some(last) = found.last_mut().filter(|_| open) {
            last.at.end = end;
            last.text.push('\n');
            last.text.push_str(line.text.trim_end());
        }
    }
    found
}

/// What is said of the marks that git has left in a file; none where there is none.
pub fn in_conflict(text: &str, path: &str) -> Option<String> {
    Conflicts::of(&read(text).0).told(path)
}

/// The item with these words, in the archive or out of it.
pub(super) fn item_at(text: &str, words: &str, archived: bool) -> Option<Item> {
    let mut all = items(text).into_iter();
    all.find(|i| i.archived == archived && i.text == words)
}

/// The title of the file: the first heading, where it is of the first level and no other is, unless lines are sorted
/// below it.
pub(super) fn title(all: &[Line<'_>]) -> Option<usize> {
    let own = |(_, line): &(usize, &Line<'_>)| line.heading.is_some() && !is_archive(line.text);
    let mut heads = all.iter().enumerate().filter(own);
    let (at, first) = heads.next()?;
    let only = !heads.any(|(_, line)| line.heading == Some(1));
    (first.heading == Some(1) && only && !sorts(first.text)).then_some(at)
}

/// The words of a heading that items are sorted under; the archive's own sorts nothing.
fn named(line: &Line<'_>) -> Option<String> {
    let sorts = line.heading.is_some() && !is_archive(line.text);
    sorts.then(|| words_of(line.text).to_owned())
}

/// A heading's words.
pub(super) fn words_of(heading: &str) -> &str {
    heading.trim().trim_matches('#').trim()
}

/// Whether an item of the outermost list begins here.
pub(super) fn begins(line: &Line<'_>) -> bool {
    let words = line.text.trim_start_matches(' ');
    let indent = line.text.len() - words.len();
    !line.code && indent < 2 && is_marked(words)
}

fn is_marked(words: &str) -> bool {
    let behind = words.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if behind.len() < words.len() {
        behind.strip_prefix(['.', ')'])
    } else {
        words.strip_prefix(['-', '*', '+'])
    };
    rest.is_some_and(|r| r.starts_with([' ', '\t']) && !r.trim().is_empty())
}

//! Words in quotation marks, or emphasised, of a line that says that they are never written.

use super::Never;
use super::lists::{AND, ARROWS, COMMAS, ENDS, REACH, SAY};
use super::read::{are, dash, first, plain, says_never};
use crate::text::folded;
use crate::text::quotes::{is_quote, quoted};

/// So many words say at most that another one is better.
const PRAISE: usize = 3;

/// The words in quotation marks of a line that says they are never written.
pub(super) fn said(line: &str) -> Option<Vec<Never>> {
    let line = &quoting(line);
    let all = quoted(line);
    let last = line.get(all.last()?.end..)?;
    let ends = folded(last.trim_matches(|c: char| is_quote(c) || ".。 ".contains(c)));
    let before = before_quoted(line)?;
    let begins = says_never(before, SAY);
    let japanese = before.is_empty() && ENDS.contains(&ends.as_str());
    let found = if begins || japanese {
        listed(line)
    } else {
        Vec::new()
    };
    (!found.is_empty()).then_some(found)
}

/// What stands before the first quotation mark that opens.
fn before_quoted(line: &str) -> Option<&str> {
    let mut chars = line.get(..quoted(line).first()?.start)?.chars();
    chars.next_back();
    Some(chars.as_str())
}

/// Whether an entry is words in quotation marks, whatever stands behind them.
pub(super) fn begins_quoted(entry: &str) -> bool {
    before_quoted(entry).is_some_and(|before| are(&folded(before), &[SAY, AND]))
}

/// The words in quotation marks of a line, as far as nothing but a comma or an *and* parts them: what stands behind a dash,
/// a full stop or a *but* is another matter.
pub(super) fn listed(line: &str) -> Vec<Never> {
    let mut found: Vec<Never> = Vec::new();
    // How many there are before the last one that a comma alone parts from those before it.
    let (mut end, mut before, mut apart) = (0, "", usize::MAX);
    for at in quoted(line) {
        let between = line.get(end..at.start).unwrap_or_default();
        let between = between.trim_matches(|c: char| is_quote(c) || c.is_whitespace());
        let word = line.get(at.clone()).unwrap_or_default();
        if end > 0 && ARROWS.contains(&between) {
            instead(&mut found, word);
        } else if end == 0 || joins(before, between) {
            if between.starts_with(COMMAS) && !between.contains(char::is_alphanumeric) {
                apart = found.len();
            }
            found.extend(Never::of(plain(word), None));
        } else {
            break;
        }
        (end, before) = (at.end, word);
    }
    let rest = line.get(end..).unwrap_or_default();
    if praises(rest) {
        found.truncate(apart.max(1));
    }
    let rest = rest.trim_matches(|c: char| is_quote(c) || "*_ ".contains(c));
    if let Some(new) = ARROWS.iter().find_map(|arrow| rest.strip_prefix(arrow)) {
        instead(&mut found, first(new, dash));
    }
    found
}

/// Whether an entry is a word in quotation marks that is better than those before it.
pub(super) fn is_praise(entry: &str) -> bool {
    let last = quoted(entry).pop();
    let behind = last.and_then(|at| entry.get(at.end..));
    begins_quoted(entry) && behind.is_some_and(praises)
}

/// Whether what stands behind a word says no more than that it is to be written: *is better*.
fn praises(rest: &str) -> bool {
    let rest = rest.trim_start_matches(is_quote);
    let clause = rest.split(|c: char| ".。,，:：;；—–(（".contains(c)).next();
    let small = folded(clause.unwrap_or_default().trim());
    let words: Vec<&str> = small.split_whitespace().collect();
    words.len() <= PRAISE && words.iter().any(|word| REACH.contains(word))
}

/// Says what to write in the place of the last one.
fn instead(found: &mut [Never], new: &str) {
    if let Some(never) = found.last_mut() {
        never.instead = Some(plain(new).to_owned()).filter(|n| !n.is_empty());
    }
}

/// Whether what stands behind a word and before the next leaves both in one list.
fn joins(before: &str, between: &str) -> bool {
    let mark = |c: char| is_quote(c) || c.is_whitespace() || "/&*_".contains(c);
    let fits = |c: char| c.is_alphanumeric() || mark(c) || ",，、،".contains(c);
    let ended = before.ends_with(['.', '。', '!', '?']) && between.is_empty();
    !ended && between.chars().all(fits) && are(&folded(between), &[AND])
}

/// The line with the words that it emphasises, where it has said *never*, in quotation marks; other marks of emphasis are
/// left out.
fn quoting(line: &str) -> String {
    let held = quoted(line);
    let (mut out, mut rest) = (String::new(), line);
    while let Some((before, marked)) = rest
        .find(['*', '_'])
        .and_then(|at| rest.split_at_checked(at))
    {
        let inner = marked.trim_start_matches(['*', '_']);
        let marks = marked.strip_suffix(inner).unwrap_or_default();
        let at = line.len() - marked.len();
        let free =
            !before.ends_with(char::is_alphanumeric) && !held.iter().any(|h| h.contains(&at));
        out.push_str(before);
        rest = inner;
        if let Some((word, behind)) = inner.split_once(marks)
            && free
            && word.contains(char::is_alphanumeric)
            && !word.contains(is_quote)
            && !are(&folded(word), &[SAY])
            && says_never(&out, &[])
        {
            out.extend(["“", word, "”"]);
            rest = behind;
        }
    }
    out + rest
}

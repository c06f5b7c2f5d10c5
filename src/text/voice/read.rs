//! Reading the words that are never written: below a heading or a lead, behind a colon, in quotation marks.

use super::Never;
use super::lists::{
    AND, ARROWS, BRACKETS, COMMAS, DASHES, FORGET, IDIOMS, NEVER, NOT, REACH, RULES, SAY, VERBS, WE,
};
use super::marked::{begins_quoted, is_praise, listed, said};
use crate::text::quotes::{closers, is_quote};
use crate::text::{folded, is_cjk};

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) never: Vec<Never>,
    /// What stands among such words and is not understood as one.
    pub(super) missed: Vec<String>,
    within: Option<Within>,
}

/// What makes the lines that are read words never written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Within {
    /// A heading of this level.
    Heading(usize),
    /// A lead with nothing behind its colon: the items below it that are indented as far.
    List(usize),
}

/// Reads a voice.
pub(super) fn read(text: &str) -> Read {
    let mut found = Read::default();
    for line in text.lines() {
        let bare = line.trim_start_matches([' ', '\t', '>']);
        let indent = line.len() - bare.len();
        let bare = bare.trim_end();
        let title = bare.trim_start_matches('#');
        match bare.len() - title.len() {
            _ if bare.is_empty() => {}
            0 => found.line(bare, indent),
            level => found.heading(level, title),
        }
    }
    found
}

impl Read {
    /// Takes in a heading, and the words behind its colon.
    fn heading(&mut self, level: usize, title: &str) {
        if is_never(title) {
            self.within = Some(Within::Heading(level));
        } else if !matches!(self.within, Some(Within::Heading(own)) if own < level) {
            self.within = None;
        }
        if let Some((lead, words)) = title.split_once([':', '：'])
            && is_never(lead)
            && !are(&folded(words), &[SAY, AND])
        {
            self.entries(words, true);
        }
    }

    /// Takes in a line that is no heading.
    fn line(&mut self, line: &str, indent: usize) {
        let item = item(line);
        if let Some(Within::List(least)) = self.within
            && (item.is_none() || indent < least)
        {
            self.within = None;
        }
        let text = item.unwrap_or(line);
        if self.told(text) {
            return;
        }
        let bare = |text: &'_ str| text.trim_matches(['*', '_', ' ']).to_owned();
        let parted = text.split_once([':', '：']);
        let lead = parted.map(|(lead, words)| (bare(lead), bare(words)));
        match lead {
            Some((lead, words)) if is_never(&lead) => {
                if words.is_empty() {
                    let least = item.map_or(0, |_| indent + 1);
                    self.within = self.within.or(Some(Within::List(least)));
                }
                self.entries(&words, true);
            }
            // A list below it goes on with what is to be written.
            Some((lead, words)) if is_reach(&lead) => {
                self.within = self.within.filter(|_| !words.is_empty());
            }
            // A paragraph that begins so is about something else.
            Some(_) if item.is_none() => {}
            _ if self.within.is_some() => self.forbidden(text),
            _ => {}
        }
    }

    /// Takes in a line that says it: *never say “journey”*. One without words in quotation marks is a rule: among words that
    /// are never written, it is not understood. False where it is no such line.
    fn told(&mut self, line: &str) -> bool {
        if let Some(words) = said(line) {
            self.never.extend(words);
            return true;
        }
        let rule = self.within.is_some() && !line.contains([':', '：']) && is_rule(line);
        if rule {
            self.missed.push(line.to_owned());
        }
        rule
    }

    /// Takes in an item among such words. What stands behind the colon of one is its reason, or such words themselves, of a
    /// kind that stands before it.
    fn forbidden(&mut self, item: &str) {
        let Some((lead, rest)) = colon(item) else {
            return self.entries(item, false);
        };
        let rest = rest.trim();
        let is_kind =
            lead.starts_with(char::is_uppercase) && (rest.contains(COMMAS) || begins_quoted(rest));
        match rest {
            // The words are those below it.
            "" => {}
            words if is_kind => self.entries(words, true),
            _ => self.entries(lead, false),
        }
    }

    /// The words of a line's first sentence: parted by commas, the last two of several, or of those behind a colon, by *and*.
    fn entries(&mut self, line: &str, behind_colon: bool) {
        let sentence = first(line, full_stop);
        let mut all = parted(sentence, comma);
        let whole =
            |last: &str| arrow(last).is_some() || IDIOMS.contains(&folded(last.trim()).as_str());
        if (behind_colon || all.len() > 1)
            && let Some(last) = all.pop_if(|last| !whole(last))
        {
            all.extend(parted(last, and));
        }
        for (n, whole) in all.into_iter().enumerate() {
            let is_known = n > 0 && is_praise(whole) || self.entry(whole);
            if !is_known {
                self.missed.push(whole.trim().to_owned());
            }
        }
    }

    /// One of them: `old → new` names what to write in its place; what follows a dash is a reason. False where it is not
    /// understood.
    fn entry(&mut self, whole: &str) -> bool {
        if begins_quoted(whole) {
            let words = listed(whole);
            let some = !words.is_empty();
            self.never.extend(words);
            return some;
        }
        let entry = first(whole, dash);
        // A letter stands for whatever is parted so.
        let letter = plain(entry).chars().count() == 1 && !entry.contains(is_cjk);
        if letter && entry.len() < whole.len() {
            return false;
        }
        let (old, new) = arrow(entry).map_or((entry, ""), |(old, new)| (old, plain(new)));
        let instead = Some(new.to_owned()).filter(|n| !n.is_empty());
        let words = old.split('/').map(plain);
        let mut understood = true;
        for word in words.filter(|word| word.contains(char::is_alphanumeric)) {
            let never = Never::of(word, instead.clone());
            understood &= never.is_some();
            self.never.extend(never);
        }
        understood
    }
}

/// What an item of a list says.
fn item(line: &str) -> Option<&str> {
    let numbered = || {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = rest.strip_prefix(['.', ')'])?;
        (rest.len() + 1 < line.len()).then_some(rest)
    };
    let rest = line.strip_prefix(['-', '*', '+', '•']);
    let rest = rest.or_else(numbered)?;
    rest.starts_with([' ', '\t']).then(|| rest.trim_start())
}

/// Whether a line so far says *never*, and no other words than these, if there are such, behind it.
pub(super) fn says_never(line: &str, words: &[&str]) -> bool {
    let fits = |rest: &str| words.is_empty() || are(rest, &[words]);
    behind(&small(line), &[NEVER, NOT]).is_some_and(|(_, rest)| fits(rest))
}

/// Whether a line forbids something that is no word: a whole sentence is a rule for agents.
fn is_rule(line: &str) -> bool {
    let line = small(line);
    let sentence = line.ends_with('.');
    let first = |text: &str, of: &[&str]| of.contains(&text.split(' ').next().unwrap_or_default());
    let forbids = behind(&line, &[NEVER]).is_some_and(|(never, rest)| {
        first(rest, RULES) || !rest.is_empty() && (sentence || never == "avoid")
    });
    forbids || sentence && (first(&line, RULES) || first(&line, VERBS))
}

/// A line as it is compared, without marks of emphasis and without who does it.
fn small(line: &str) -> String {
    let small = folded(line.trim_matches(|c: char| c.is_whitespace() || "*_".contains(c)));
    let mut rest = small.as_str();
    while let Some((word, more)) = rest.split_once(' ')
        && WE.contains(&word)
    {
        rest = more;
    }
    rest.to_owned()
}

/// The longest of these words that a line begins with, and what stands behind it.
fn behind<'a>(line: &'a str, words: &[&[&'static str]]) -> Option<(&'static str, &'a str)> {
    let found = words.iter().copied().flatten().filter_map(|word| {
        let rest = line.strip_prefix(word)?;
        let whole = rest.is_empty() || rest.starts_with(' ') || word.starts_with(is_cjk);
        whole.then(|| (*word, rest.trim()))
    });
    found.max_by_key(|(word, _)| word.len())
}

/// Whether a text has no words but these.
pub(super) fn are(text: &str, words: &[&[&str]]) -> bool {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    parts
        .filter(|p| !p.is_empty())
        .all(|part| words.iter().any(|of| of.contains(&part)))
}

/// Whether a heading says that what follows is not to be written.
fn is_never(heading: &str) -> bool {
    let small = folded(heading.trim());
    let has = |words: &[&str]| words.iter().any(|word| small.contains(word));
    let begins = behind(&small, &[NEVER]).is_some();
    (begins || has(&["never", "forbidden", "avoid", "banned"])) && !has(FORGET)
}

/// Whether a lead says that what follows is to be written.
fn is_reach(lead: &str) -> bool {
    let spaced = format!("{} ", folded(lead.trim()));
    let starts = |r: &&str| spaced.starts_with(&format!("{r} "));
    REACH.iter().any(starts)
}

/// What something parts: how long it is where it begins. In brackets or quotation marks nothing is parted.
fn parted(line: &str, by: impl Fn(&str, &str) -> Option<usize>) -> Vec<&str> {
    let (mut out, mut from) = (Vec::new(), 0);
    let mut chars = line.char_indices();
    while let Some((at, c)) = chars.next() {
        let behind = chars.as_str();
        let bracket = BRACKETS.iter().find(|(open, _)| *open == c);
        let pair = bracket.map(|(_, close)| *close).or_else(|| closers(c));
        let (before, here) = line.split_at_checked(at).unwrap_or_default();
        if let Some(end) = pair.and_then(|marks| behind.find(|c| marks.contains(c))) {
            let inside = behind.get(..end).unwrap_or_default().chars().count();
            chars.nth(inside);
        } else if at >= from
            && let Some(len) = by(before, here)
        {
            out.push(line.get(from..at).unwrap_or_default());
            from = at + len;
        }
    }
    out.push(line.get(from..).unwrap_or_default());
    out
}

/// What stands before the first place where something is parted.
pub(super) fn first(line: &str, by: impl Fn(&str, &str) -> Option<usize>) -> &str {
    parted(line, by).first().copied().unwrap_or_default()
}

/// What stands before and behind a colon that is none of a time or an address, in no brackets or quotation marks.
fn colon(item: &str) -> Option<(&str, &str)> {
    let lead = first(item, |_, here| {
        let rest = here.strip_prefix(':');
        let ends = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
        (ends || here.starts_with('：')).then_some(1)
    });
    let mut rest = item.get(lead.len()..)?.chars();
    rest.next().map(|_| (lead, rest.as_str()))
}

fn comma(_: &str, here: &str) -> Option<usize> {
    let c = here.chars().next()?;
    COMMAS.contains(&c).then(|| c.len_utf8())
}

pub(super) fn dash(_: &str, here: &str) -> Option<usize> {
    let found = DASHES.iter().find(|dash| here.starts_with(**dash));
    found.map(|dash| dash.len())
}

/// An *and* with white space around it.
fn and(_: &str, here: &str) -> Option<usize> {
    let (word, rest) = here.strip_prefix(' ')?.split_once(' ')?;
    let parts = AND.contains(&folded(word).as_str()) && !rest.trim().is_empty();
    parts.then(|| here.len() - rest.len())
}

/// The end of a sentence with another behind it: a short word may be shortened.
fn full_stop(before: &str, here: &str) -> Option<usize> {
    if here.starts_with('。') {
        return Some('。'.len_utf8());
    }
    let rest = here.strip_prefix(['.', '!', '?'])?.strip_prefix(' ')?;
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next()?;
    let another = rest.chars().next().is_some_and(char::is_uppercase);
    (another && word.chars().count() > 2).then_some(1)
}

/// What is not written, and what in its place.
fn arrow(entry: &str) -> Option<(&str, &str)> {
    ARROWS.iter().find_map(|arrow| entry.split_once(arrow))
}

/// A word without its marks and without what stands in brackets behind it.
pub(super) fn plain(word: &str) -> &str {
    let word = word.split(['(', '（']).next().unwrap_or_default();
    word.trim_matches(|c: char| c.is_whitespace() || is_quote(c) || "'*_.。".contains(c))
}

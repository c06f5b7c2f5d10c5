//! Reading the words that are never written: below a heading, behind a colon, in quotation marks.

use super::Never;
use crate::text::quotes::{closers, is_quote, quoted};
use crate::text::{folded, is_cjk};

/// Headings and leads that begin a list of such words, as they are compared.
const NEVER: &[&str] = &[
    "never",
    "avoid",
    "forbidden",
    "banned",
    "don't",
    "do not",
    "not",
    "no",
    "никогда",
    "избегать",
    "избегай",
    "нельзя",
    "не писать",
    "запрещено",
    "从不",
    "不用",
    "不写",
    "不要",
    "禁用",
    "避免",
    "nie",
    "niemals",
    "jamais",
    "évite",
    "nunca",
    "evita",
    "禁止",
];
/// Leads of words that are to be written: under a heading of forbidden ones they forbid nothing.
const REACH: &[&str] = &[
    "reach for",
    "prefer",
    "use",
    "write",
    "choose",
    "instead",
    "rather",
    "better",
    "always",
    "allowed",
    "fine",
    "вместо",
    "лучше",
    "писать",
    "можно",
    "stattdessen",
    "lieber",
    "改用",
    "可用",
    "宜用",
];
/// Words that say no before one in quotation marks only.
const NOT: &[&str] = &["не", "никогда не", "别"];
/// Behind *never* these begin a rule; what else stands there unmarked can be a phrase, such as *never mind*.
const RULES: &[&str] = &[
    "say", "write", "use", "using", "begin", "start", "end", "put",
];
/// Who does it.
const WE: &[&str] = &["i", "we", "you", "please", "ich", "wir", "я", "мы"];
/// What may stand between *never* and a word in quotation marks. Anything else makes it a rule, such as *never begin with
/// “And”*, that forbids no word.
const SAY: &[&str] = &[
    "ever",
    "say",
    "write",
    "use",
    "using",
    "the",
    "a",
    "any",
    "word",
    "words",
    "phrase",
    "phrases",
    "term",
    "terms",
    "expression",
    "expressions",
    "like",
    "such",
    "as",
    "these",
    "пиши",
    "пишем",
    "писать",
    "говори",
    "используй",
    "использовать",
    "слово",
    "слова",
    "das",
    "wort",
    "die",
    "wörter",
    "dis",
    "écris",
    "utilise",
    "le",
    "les",
    "mot",
    "mots",
    "digas",
    "escribas",
    "uses",
    "la",
    "las",
    "palabra",
    "palabras",
    "用",
    "使用",
    "写",
    "说",
    "词",
    "词语",
];
/// What may stand between two of them.
const AND: &[&str] = &[
    "and", "or", "nor", "и", "или", "ни", "und", "oder", "et", "ou", "y", "o", "ni", "和", "或",
    "及", "や", "と",
];
/// How a line ends that says it behind them.
const ENDS: &[&str] = &[
    "は使わない",
    "は書かない",
    "を使わない",
    "は避ける",
    "を避ける",
];
/// Brackets: what stands in them is not parted.
const BRACKETS: &[(char, &str)] = &[('(', ")"), ('（', "）")];
/// What parts the entries of a line.
const COMMAS: &[char] = &[',', '，', '、', '،', ';', '；', '؛'];
/// What stands between a word and what is written in its place.
const ARROWS: &[&str] = &["→", "->", "=>"];

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) never: Vec<Never>,
    /// What stands among such words and is not understood as one.
    pub(super) missed: Vec<String>,
}

/// Reads a voice.
pub(super) fn read(text: &str) -> Read {
    let mut found = Read::default();
    let mut within = None;
    for line in text.lines().map(str::trim) {
        let level = line.chars().take_while(|c| *c == '#').count();
        if level > 0 {
            let ends = within.is_some_and(|w| level <= w);
            within = if is_never(line.trim_start_matches('#')) {
                Some(level)
            } else {
                within.filter(|_| !ends)
            };
            continue;
        }
        let item = line.trim_start_matches(['-', '*', '+', '•', ' ']);
        if found.told(item, within.is_some()) {
            continue;
        }
        let parted = item.split_once([':', '：']);
        let lead = parted.map(|(lead, words)| (lead.trim_matches('*'), words));
        match lead {
            Some((lead, words)) if is_never(lead) => found.entries(words.trim_start_matches('*')),
            // A list below it goes on with what is to be written.
            Some((lead, words)) if is_reach(lead) => {
                within = within.filter(|_| !words.trim_matches('*').trim().is_empty());
            }
            // A paragraph that begins so is about something else.
            Some(_) if item == line => {}
            _ if within.is_some() => found.entries(item),
            _ => {}
        }
    }
    found
}

impl Read {
    /// Takes in a line that says it: *never say “journey”*. One without words in quotation marks is a rule: among words that
    /// are never written, it is not understood. False where it is no such line.
    fn told(&mut self, line: &str, within: bool) -> bool {
        if let Some(words) = said(line) {
            self.never.extend(words);
            return true;
        }
        let rule = within && !line.contains([':', '：']) && is_rule(line);
        if rule {
            self.missed.push(line.to_owned());
        }
        rule
    }

    /// The words of one line: parted by commas; `old → new` names what to write in the place of that one entry.
    fn entries(&mut self, line: &str) {
        for whole in parted(line) {
            // What follows a dash is a reason.
            let entry = whole.split(" — ").next().unwrap_or_default();
            let entry = entry.split(" - ").next().unwrap_or_default();
            let arrow = ARROWS.iter().find_map(|a| entry.split_once(a));
            let (old, new) = arrow.map_or((entry, ""), |(old, new)| (old, plain(new)));
            let instead = Some(new.to_owned()).filter(|n| !n.is_empty());
            for word in old.split('/').map(plain) {
                match Never::of(word, instead.clone()) {
                    Some(never) => self.never.push(never),
                    None if word.contains(char::is_alphanumeric) => {
                        self.missed.push(whole.trim().to_owned());
                    }
                    None => {}
                }
            }
        }
    }
}

/// The words in quotation marks of a line that says they are never written.
fn said(line: &str) -> Option<Vec<Never>> {
    let all = quoted(line);
    let first = all.first()?;
    let mut chars = line.get(..first.start)?.chars();
    chars.next_back();
    let before = chars.as_str();
    let last = line.get(all.last()?.end..)?;
    let ends = folded(last.trim_matches(|c: char| is_quote(c) || ".。 ".contains(c)));
    let begins = behind(&small(before), &[NEVER, NOT]).is_some_and(|(_, rest)| are(rest, SAY));
    let japanese = before.is_empty() && ENDS.contains(&ends.as_str());
    if !begins && !japanese {
        return None;
    }
    let mut found: Vec<Never> = Vec::new();
    let mut end = first.start;
    for at in all {
        let between = line.get(end..at.start).unwrap_or_default();
        let between = between.trim_matches(|c: char| is_quote(c) || c.is_whitespace());
        let word = plain(line.get(at.clone()).unwrap_or_default());
        end = at.end;
        if ARROWS.contains(&between) {
            if let Some(never) = found.last_mut() {
                never.instead = Some(word.to_owned());
            }
        } else if are(&folded(between), AND) {
            found.extend(Never::of(word, None));
        } else {
            break;
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Whether a line forbids something that is no word.
fn is_rule(line: &str) -> bool {
    behind(&small(line), &[NEVER]).is_some_and(|(never, rest)| {
        let first = rest.split(' ').next().unwrap_or_default();
        RULES.contains(&first) || never == "avoid" && !rest.is_empty()
    })
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
fn are(text: &str, words: &[&str]) -> bool {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    parts
        .filter(|p| !p.is_empty())
        .all(|part| words.contains(&part))
}

/// Whether a heading says that what follows is not to be written.
fn is_never(heading: &str) -> bool {
    let small = folded(heading.trim());
    behind(&small, &[NEVER]).is_some()
        || ["never", "forbidden", "avoid", "banned"]
            .iter()
            .any(|n| small.contains(n))
}

/// Whether a lead says that what follows is to be written.
fn is_reach(lead: &str) -> bool {
    let spaced = format!("{} ", folded(lead.trim()));
    let starts = |r: &&str| spaced.starts_with(&format!("{r} "));
    REACH.iter().any(starts)
}

/// The entries of a line: commas in brackets or quotation marks part nothing.
fn parted(line: &str) -> Vec<&str> {
    let (mut out, mut from) = (Vec::new(), 0);
    let mut chars = line.char_indices();
    while let Some((at, c)) = chars.next() {
        let behind = chars.as_str();
        let bracket = BRACKETS.iter().find(|(open, _)| *open == c);
        let pair = bracket.map(|(_, close)| *close).or_else(|| closers(c));
        if let Some(end) = pair.and_then(|marks| behind.find(|c| marks.contains(c))) {
            let inside = behind.get(..end).unwrap_or_default().chars().count();
            chars.nth(inside);
        } else if COMMAS.contains(&c) {
            out.push(line.get(from..at).unwrap_or_default());
            from = at + c.len_utf8();
        }
    }
    out.push(line.get(from..).unwrap_or_default());
    out
}

/// A word without its marks and without what stands in brackets behind it.
fn plain(word: &str) -> &str {
    let word = word.split(['(', '（']).next().unwrap_or_default();
    word.trim_matches(|c: char| c.is_whitespace() || is_quote(c) || "'*_.。".contains(c))
}

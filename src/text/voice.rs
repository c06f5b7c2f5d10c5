//! What the writer's voice says, as far as a text can be checked for it: words that are never written.

use std::ops::Range;

use super::doc::{Doc, Sign, Word};
use super::prose::GONE;
use super::{counted, is_cjk, one_line};

/// Headings and leads that begin a list of such words.
const NEVER: &[&str] = &[
    "never",
    "avoid",
    "forbidden",
    "banned",
    "don't",
    "don’t",
    "do not",
    "not",
    "no",
    "никогда",
    "избегать",
    "нельзя",
    "не писать",
    "запрещено",
    "从不",
    "不用",
    "不写",
    "禁用",
    "避免",
    "nie",
    "jamais",
    "nunca",
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
/// What stands between such marks is not parted.
const PAIRS: &[(char, char)] = &[
    ('(', ')'),
    ('（', '）'),
    ('"', '"'),
    ('“', '”'),
    ('„', '“'),
    ('«', '»'),
    ('「', '」'),
    ('『', '』'),
];
/// What parts the entries of a line.
const COMMAS: &[char] = &[',', '，', '、', ';', '；'];
/// What stands between a word and what is written in its place.
const ARROWS: &[&str] = &["→", "->", "=>"];
/// A longer entry is a rule and not a word.
const WORDS_MAX: usize = 6;
/// Words that are named where they are counted.
const NAMED: usize = 4;

/// The writer's voice.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Voice {
    never: Vec<Never>,
}

/// A word or phrase that is never written, and what to write in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Never {
    words: Vec<String>,
    /// It has no spaces by which words could be told: it is looked for sign by sign.
    run: Option<Vec<char>>,
    /// What to write instead.
    pub instead: Option<String>,
}

/// A place where it is written all the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hit<'a> {
    /// Where, in bytes of the text.
    pub at: Range<usize>,
    /// What is never written.
    pub never: &'a Never,
}

impl Voice {
    /// Reads the words that stand under a heading such as *Never*, or behind such a word and a colon.
    pub fn read(text: &str) -> Self {
        let mut never = Vec::new();
        let mut within = None;
        for line in text.lines().map(str::trim) {
            let level = line.chars().take_while(|c| *c == '#').count();
            if level > 0 {
                let ends = within.is_some_and(|w| level <= w);
                let begins = is_never(line.trim_start_matches('#'));
                within = if begins {
                    Some(level)
                } else {
                    within.filter(|_| !ends)
                };
                continue;
            }
            let item = line.trim_start_matches(['-', '*', '+', '•', ' ']);
            let parted = item.split_once([':', '：']);
            let lead = parted.map(|(lead, words)| (lead.trim_matches('*'), words));
            match lead {
                Some((lead, words)) if is_never(lead) => {
                    entries(words.trim_start_matches('*'), &mut never);
                }
                // A list below it goes on with what is to be written.
                Some((lead, words)) if is_reach(lead) => {
                    within = within.filter(|_| !words.trim_matches('*').trim().is_empty());
                }
                // A paragraph that begins so is about something else.
                Some(_) if item == line => {}
                _ if within.is_some() => entries(item, &mut never),
                _ => {}
            }
        }
        Self { never }
    }

    /// Whether it forbids nothing.
    pub fn is_empty(&self) -> bool {
        self.never.is_empty()
    }

    /// Every place of a text where something is written that it forbids, in order and apart from each other; of two
    /// that begin at one place, the longer.
    pub fn find(&self, doc: &Doc<'_>) -> Vec<Hit<'_>> {
        let mut found = Vec::new();
        if self.is_empty() {
            return found;
        }
        for from in 0..doc.words.len() {
            let rest = doc.words.get(from..).unwrap_or_default();
            let hits = self.never.iter().filter(|n| n.run.is_none());
            found.extend(hits.filter_map(|n| n.at_words(doc, rest)));
        }
        for block in &doc.prose.blocks {
            let mut signs = doc.signs(block);
            // A word without spaces may go on in the next line.
            signs.retain(|s| !s.c.is_whitespace());
            let runs = self.never.iter().filter(|n| n.run.is_some());
            found.extend(runs.flat_map(|n| n.at_signs(&signs)));
        }
        found.sort_by_key(|hit| (hit.at.start, std::cmp::Reverse(hit.at.end)));
        let mut end = 0;
        found.retain(|hit| {
            let apart = hit.at.start >= end;
            end = if apart { hit.at.end } else { end };
            apart
        });
        found
    }

    /// Where a text has what it forbids.
    pub fn marks(&self, text: &str) -> Vec<Range<usize>> {
        if self.is_empty() {
            return Vec::new();
        }
        let doc = Doc::of(text);
        self.find(&doc).into_iter().map(|hit| hit.at).collect()
    }

    /// `2 words that you never write: delve, tapestry`; none where a text has none of them.
    pub fn told(&self, text: &str) -> Option<String> {
        let doc = Doc::of(text);
        let marks = self.find(&doc);
        let mut words: Vec<String> = Vec::new();
        for hit in &marks {
            let word = on_one_line(doc.plain(hit.at.clone()));
            if !words.contains(&word) {
                words.push(word);
            }
        }
        let many = marks.len() as u64;
        (many > 0).then(|| {
            let more = words.len().saturating_sub(NAMED);
            words.truncate(NAMED);
            let rest = if more > 0 { ", …" } else { "" };
            let what = counted(many, "word");
            format!("{what} that you never write: {}{rest}", words.join(", "))
        })
    }
}

impl Never {
    /// A word or phrase; none where it is a rule, or empty.
    fn of(word: &str, instead: Option<String>) -> Option<Self> {
        let doc = Doc::of(word);
        let words: Vec<String> = doc.words.iter().map(|w| doc.term(w).to_owned()).collect();
        let run = word.chars().all(is_cjk).then(|| word.chars().collect());
        (1..=WORDS_MAX).contains(&words.len()).then_some(Self {
            words,
            run,
            instead,
        })
    }

    fn at_words(&self, doc: &Doc<'_>, rest: &[Word]) -> Option<Hit<'_>> {
        let own = rest.get(..self.words.len())?;
        let same = own.iter().zip(&self.words).all(|(w, n)| doc.term(w) == n);
        let (first, last) = (own.first()?, own.last()?);
        let joined = own.windows(2).all(|pair| match pair {
            [a, b] => is_joint(doc.plain(a.range.end..b.range.start)),
            _ => true,
        });
        (same && joined && first.sentence == last.sentence).then_some(Hit {
            at: first.range.start..last.range.end,
            never: self,
        })
    }

    fn at_signs<'a>(&'a self, signs: &[Sign]) -> Vec<Hit<'a>> {
        let run = self.run.as_deref().unwrap_or_default();
        let is = |part: &&[Sign]| part.iter().zip(run).all(|(sign, c)| sign.c == *c);
        let hit = |part: &[Sign]| {
            Some(Hit {
                at: part.first()?.at..part.last()?.end(),
                never: self,
            })
        };
        let parts = signs.windows(run.len().max(1));
        parts.filter(is).filter_map(hit).collect()
    }
}

/// A word or phrase as it is named: small, without what stood between its lines.
fn on_one_line(spelt: &str) -> String {
    let plain = spelt.replace(GONE, "");
    let parts: Vec<&str> = plain.split_whitespace().collect();
    let glue = if plain.starts_with(is_cjk) { "" } else { " " };
    one_line(&parts.join(glue)).to_lowercase()
}

/// Whether what stands between two words leaves them one phrase: a comma does not.
fn is_joint(between: &str) -> bool {
    between
        .chars()
        .all(|c| c.is_whitespace() || c == GONE || "-‐‑".contains(c))
}

/// Whether a heading says that what follows is not to be written.
fn is_never(heading: &str) -> bool {
    let small = heading.trim().to_lowercase();
    let spaced = format!("{small} ");
    let starts =
        |n: &&&str| spaced.starts_with(&format!("{n} ")) || !n.is_ascii() && small.starts_with(**n);
    let named = NEVER.iter().any(|n| starts(&n));
    named
        || ["never", "forbidden", "avoid", "banned"]
            .iter()
            .any(|n| small.contains(n))
}

/// Whether a lead says that what follows is to be written.
fn is_reach(lead: &str) -> bool {
    let spaced = format!("{} ", lead.trim().to_lowercase());
    let starts = |r: &&str| spaced.starts_with(&format!("{r} "));
    REACH.iter().any(starts)
}

/// The words of one line: parted by commas; `old → new` names what to write in the place of that one entry.
fn entries(line: &str, found: &mut Vec<Never>) {
    for entry in parted(line) {
        // What follows a dash is a reason.
        let entry = entry.split(" — ").next().unwrap_or_default();
        let entry = entry.split(" - ").next().unwrap_or_default();
        let arrow = ARROWS.iter().find_map(|a| entry.split_once(a));
        let (old, new) = arrow.map_or((entry, ""), |(old, new)| (old, plain(new)));
        let instead = Some(new.to_owned()).filter(|n| !n.is_empty());
        let words = old.split('/');
        found.extend(words.filter_map(|word| Never::of(plain(word), instead.clone())));
    }
}

/// The entries of a line: commas in brackets or quotation marks part nothing.
fn parted(line: &str) -> Vec<&str> {
    let (mut out, mut from) = (Vec::new(), 0);
    let mut chars = line.char_indices();
    while let Some((at, c)) = chars.next() {
        let behind = chars.as_str();
        let pair = PAIRS.iter().find(|(open, _)| *open == c);
        if let Some(end) = pair.and_then(|(_, close)| behind.find(*close)) {
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
    word.trim_matches(|c: char| c.is_whitespace() || "\"“”'‘’`«»「」『』*_.。".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    const VOICE: &str = "# Voice\n\nPlain words.\n\n## Never\n\n- delve, \"rich tapestry\"\n- utilize → use (it is shorter)\n- 众所周知\n\n## Tone\n\n- calm\n\nAvoid: очень\n";

    fn found(voice: &str, text: &str) -> Vec<String> {
        let voice = Voice::read(voice);
        let marks = voice.marks(text).into_iter();
        marks
            .map(|at| text.get(at).unwrap_or_default().to_owned())
            .collect()
    }

    #[test]
    fn the_words_under_a_heading_are_read() {
        let words = |voice: &str| -> Vec<String> {
            let voice = Voice::read(voice);
            voice.never.iter().map(|n| n.words.join(" ")).collect()
        };
        assert_eq!(
            words(VOICE),
            ["delve", "rich tapestry", "utilize", "众所周知", "очень"]
        );
        assert!(Voice::read("Nothing here.\n\n- not a list of words").is_empty());
    }

    #[test]
    fn an_arrow_belongs_to_its_own_entry_of_a_list() {
        let read = |voice: &str| -> Vec<(String, Option<String>)> {
            let never = Voice::read(voice).never.into_iter();
            never.map(|n| (n.words.join(" "), n.instead)).collect()
        };
        let is = |word: &str, new: &str| {
            let new = Some(new.to_owned()).filter(|n| !n.is_empty());
            (word.to_owned(), new)
        };
        assert_eq!(
            read("- Never: \"leverage\", delve into → look at, nobody"),
            [
                is("leverage", ""),
                is("delve into", "look at"),
                is("nobody", "")
            ]
        );
        assert_eq!(
            read(
                "Never: utilize → use (shorter, plainer), “in order to” -> \"to\" — always, a/b => c"
            ),
            [
                is("utilize", "use"),
                is("in order to", "to"),
                is("a", "c"),
                is("b", "c")
            ]
        );
        assert_eq!(read("Never: an open ( bracket, b").len(), 2);
    }

    #[test]
    fn words_to_reach_for_are_not_forbidden_by_the_heading_above_them() {
        let words = |voice: &str| -> Vec<String> {
            let never = Voice::read(voice).never.into_iter();
            never.map(|n| n.words.join(" ")).collect()
        };
        for reach in [
            "Reach for: tide, rope",
            "**Reach for:** tide, rope",
            "- Prefer: tide, rope",
            "Reach for:\n\n- tide\n- rope",
            "A word on tone: tide, rope",
        ] {
            let voice = format!("## Never\n\n- delve\n\n{reach}\n");
            assert_eq!(words(&voice), ["delve"], "{reach}");
        }
    }

    #[test]
    fn what_is_never_written_is_found_in_any_script() {
        let text =
            "Utilize it. We delve.\n\n众所周知，очень хорошо. A calm, rich\ntapestry; delved.";
        assert_eq!(
            found(VOICE, text),
            ["Utilize", "delve", "众所周知", "очень", "rich\ntapestry"]
        );
    }

    #[test]
    fn a_phrase_is_found_over_the_end_of_a_line_and_not_over_a_mark_or_a_paragraph() {
        let voice = "Never: rich tapestry, cutting edge, at the end of the day";
        let cases: [(&str, &[&str]); 8] = [
            ("a rich\ntapestry.", &["rich\ntapestry"]),
            ("A rich\r\ntapestry", &["rich\r\ntapestry"]),
            ("a **rich** tapestry", &["rich** tapestry"]),
            ("the cutting-edge", &["cutting-edge"]),
            ("(At the end of the day…)", &["At the end of the day"]),
            ("rich, tapestry", &[]),
            ("rich\n\ntapestry", &[]),
            ("`rich tapestry`", &[]),
        ];
        for (text, want) in cases {
            assert_eq!(found(voice, text), want, "{text:?}");
        }
    }

    #[test]
    fn words_without_spaces_are_found_wherever_they_stand() {
        let voice = "禁用：事实上、的确、とても";
        let cases: [(&str, &[&str]); 5] = [
            ("这事实上很好。", &["事实上"]),
            ("他说的是真的。的确！", &["的确"]),
            ("这件事\n事实\n上不难", &["事实\n上"]),
            ("とても寒い。とて\nも", &["とても", "とて\nも"]),
            ("事实。上面", &[]),
        ];
        for (text, want) in cases {
            assert_eq!(found(voice, text), want, "{text:?}");
        }
    }

    #[test]
    fn what_was_found_is_told_in_a_line_with_count_and_words() {
        let voice = Voice::read("Never: delve, tapestry, a, b, c, d");
        assert_eq!(voice.told("Nothing."), None);
        assert_eq!(
            voice.told("Delve! They delve: a tapestry").as_deref(),
            Some("4 words that you never write: delve, a, tapestry")
        );
        let broken = Voice::read("Never: rich tapestry, 事实上");
        assert_eq!(
            broken.told("A **Rich**\ntapestry 事实\n上").as_deref(),
            Some("2 words that you never write: rich tapestry, 事实上")
        );
        let many = voice.told("a b c d delve").unwrap_or_default();
        assert!(many.ends_with(": a, b, c, d, …"), "{many}");
    }
}

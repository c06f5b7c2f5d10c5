//! What the writer's voice says, as far as a text can be checked for it: words that are never written.

mod lists;
mod marked;
mod read;

use std::ops::Range;

use super::doc::{Doc, Sign, Word};
use super::prose::GONE;
use super::{counted, is_cjk, one_line};

/// A longer entry is a rule and not a word.
const WORDS_MAX: usize = 6;
/// Words that are named where they are counted.
const NAMED: usize = 4;

/// The writer's voice.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Voice {
    never: Vec<Never>,
    missed: Vec<String>,
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
    /// Reads the words that stand under a heading such as *Never*, behind such a word and a colon, or behind it in quotation
    /// marks.
    pub fn read(text: &str) -> Self {
        let read = read::read(text);
        Self {
            never: read.never,
            missed: read.missed,
        }
    }

    /// What stands among such words and is not understood as one.
    pub fn missed(&self) -> &[String] {
        &self.missed
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
        let words: Vec<String> = doc.words.iter().map(|w| doc.key(w).to_owned()).collect();
        let run = word.chars().all(is_cjk).then(|| word.chars().collect());
        (1..=WORDS_MAX).contains(&words.len()).then_some(Self {
            words,
            run,
            instead,
        })
    }

    fn at_words(&self, doc: &Doc<'_>, rest: &[Word]) -> Option<Hit<'_>> {
        let own = rest.get(..self.words.len())?;
        let same = own.iter().zip(&self.words).all(|(w, n)| doc.key(w) == n);
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

    fn words(voice: &str) -> Vec<String> {
        let voice = Voice::read(voice);
        voice.never.iter().map(|n| n.words.join(" ")).collect()
    }

    #[test]
    fn a_line_that_says_it_forbids_the_words_in_quotation_marks() {
        let cases: [(&str, &[&str]); 18] = [
            ("Never say “journey”.", &["journey"]),
            ("- Don't use \"utilize\"", &["utilize"]),
            (
                "Don’t use the words ‘delve’ or ‘tapestry’.",
                &["delve", "tapestry"],
            ),
            ("Avoid: delve, tapestry", &["delve", "tapestry"]),
            (
                "Avoid “rich tapestry”, “delve”, and “boast”",
                &["rich tapestry", "delve", "boast"],
            ),
            (
                "We never write “journey” when we mean “trip”.",
                &["journey"],
            ),
            ("Never say “utilize”; say “use”.", &["utilize"]),
            ("Никогда не пиши «очень».", &["очень"]),
            ("Nie „quasi“ oder „sozusagen“.", &["quasi", "sozusagen"]),
            ("不要用“众所周知”。", &["众所周知"]),
            ("「とても」は使わない。", &["とても"]),
            ("Never begin a sentence with “And”.", &[]),
            ("Never put a comma before “and”.", &[]),
            ("Never use the passive voice.", &[]),
            ("Northern words: \"aye\"", &[]),
            ("Note: I never said “aye”.", &[]),
            ("Nobody says “aye” here.", &[]),
            ("They call it “the ford”.", &[]),
        ];
        for (line, want) in cases {
            assert_eq!(words(&format!("## Tone\n\n{line}\n")), want, "{line}");
        }
        let voice = Voice::read("Never say “utilize” → “use”");
        let instead = voice.never.first().and_then(|n| n.instead.as_deref());
        assert_eq!(instead, Some("use"));
    }

    #[test]
    fn words_never_written_are_read_however_people_write_them_down() {
        let cases: [(&str, &[&str]); 30] = [
            (
                "Avoid:\n\n- journey\n- delve\n\nThe tone:\n\n- calm",
                &["journey", "delve"],
            ),
            (
                "Avoid:\n1. journey\n2) delve\nrest\n- calm",
                &["journey", "delve"],
            ),
            ("- Never say:\n  - journey\n- calm", &["journey"]),
            ("**Avoid:**\n* journey\n\n**Prefer:**\n* trip", &["journey"]),
            ("Don't forget:\n\n- Mara", &[]),
            ("Avoid: journey and delve", &["journey", "delve"]),
            ("Avoid: journey or delve", &["journey", "delve"]),
            (
                "Avoid: journey, delve, and tapestry",
                &["journey", "delve", "tapestry"],
            ),
            (
                "Avoid: journey, delve and tapestry.",
                &["journey", "delve", "tapestry"],
            ),
            (
                "Avoid: delve, first and foremost",
                &["delve", "first and foremost"],
            ),
            (
                "Avoid: “rock and roll” and delve",
                &["rock and roll", "delve"],
            ),
            ("Avoid: and, or, but", &["and", "or", "but"]),
            ("Never say *journey* or “delve”.", &["journey", "delve"]),
            (
                "**Never** say “the *real* thing” or _delve_.",
                &["the real thing", "delve"],
            ),
            ("You *never* write snake_case or “delve”.", &[]),
            (
                "### Words never written: journey, delve",
                &["journey", "delve"],
            ),
            ("### Never: words and phrases\n\n- delve", &["delve"]),
            ("> Never say “journey”", &["journey"]),
            ("> Avoid:\n>\n> - journey", &["journey"]),
            ("Avoid: journey. Use trip instead.", &["journey"]),
            ("Never say “journey” — “trip” is better", &["journey"]),
            ("Never say “journey”, but “trip” is fine.", &["journey"]),
            ("Avoid: “journey” — “trip” is better", &["journey"]),
            ("I avoid “delve”. “journey” is fine.", &["delve"]),
            ("Never say “delve.” “Journey” is fine.", &["delve"]),
            (
                "# Never\n\n- “delve” and its kin\n- words like “dig”",
                &["delve", "dig"],
            ),
            (
                "# Never\n\n- rock and roll\n- journey - overused",
                &["rock and roll", "journey"],
            ),
            (
                "# Never\n\n- a — b\n- Do not moralise at the end.\n- Explain the joke.",
                &[],
            ),
            (
                "# Never\n\n- “and/or”, “either”/“or” → one of both",
                &["and or", "either", "or"],
            ),
            ("Note: the ferry\n\n- Avoid the ford", &[]),
        ];
        for (voice, want) in cases {
            assert_eq!(words(&format!("# Voice\n\n{voice}\n")), want, "{voice}");
        }
    }

    #[test]
    fn what_stands_behind_a_colon_is_a_reason_or_words_of_a_kind() {
        let cases: [(&str, &[&str]); 12] = [
            ("- delve: overused", &["delve"]),
            ("- Delve: overused", &["delve"]),
            ("- delve: overused, vague", &["delve"]),
            ("- delve, journey: overused", &["delve", "journey"]),
            ("- “delve”: say “dig”", &["delve"]),
            ("- **delve**: overused", &["delve"]),
            ("- 众所周知：太俗", &["众所周知"]),
            (
                "- Fillers: very, really and just",
                &["very", "really", "just"],
            ),
            ("- Clichés: “rich tapestry”", &["rich tapestry"]),
            ("- Fillers:\n  - very", &["very"]),
            ("- “note: well”", &["note well"]),
            ("- delve → dig: shorter", &["delve"]),
        ];
        for (item, want) in cases {
            assert_eq!(words(&format!("## Never\n\n{item}\n")), want, "{item}");
        }
    }

    #[test]
    fn a_word_that_is_said_to_be_better_is_not_forbidden() {
        let cases: [(&str, &[&str]); 9] = [
            ("Never say “journey”, “trip” is better", &["journey"]),
            ("Never say “journey”, “trip” is better.", &["journey"]),
            (
                "Never say “journey” or “voyage”, “trip” is fine",
                &["journey", "voyage"],
            ),
            ("Avoid: “journey”, “trip” is better", &["journey"]),
            ("Никогда не пиши «очень», «весьма» лучше", &["очень"]),
            (
                "Never say “journey”, “trip” in essays.",
                &["journey", "trip"],
            ),
            (
                "Avoid “journey”, “trip”: plain words are better.",
                &["journey", "trip"],
            ),
            ("Never say “journey” and “trip”", &["journey", "trip"]),
            ("Never write “better” or “fine”", &["better", "fine"]),
        ];
        for (line, want) in cases {
            assert_eq!(words(&format!("## Tone\n\n{line}\n")), want, "{line}");
        }
    }

    #[test]
    fn a_sentence_among_words_never_written_is_a_rule_for_agents() {
        let voice = Voice::read(
            "# Never\n\n- a — b\n- Do not moralise at the end.\n- At the end of the day.\n",
        );
        assert_eq!(voice.missed(), ["a — b", "Do not moralise at the end."]);
        assert_eq!(voice.never.len(), 1);
    }

    #[test]
    fn what_is_not_understood_among_words_never_written_is_known() {
        let text = "## Never\n\nThese are never written:\n\n- delve, anything at all that sounds like a brochure\n- Never use adverbs\n- avoid “And”\n- Don't begin with “But”\n- never mind\n- tapestry\n\n## Tone\n\nNever shout.\n";
        assert_eq!(words(text), ["delve", "and", "never mind", "tapestry"]);
        assert_eq!(
            Voice::read(text).missed(),
            [
                "anything at all that sounds like a brochure",
                "Never use adverbs",
                "Don't begin with “But”"
            ]
        );
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
    fn what_is_never_written_is_found_however_it_is_written() {
        let voice = "Never: don’t worry, café, straße";
        let text = "Don't worry. The CAFE\u{301}, the STRASSE, a cafe.";
        assert_eq!(
            found(voice, text),
            ["Don't worry", "CAFE\u{301}", "STRASSE"]
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

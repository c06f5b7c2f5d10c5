//! What a writer wants of the editor. A prompt is understood as a whole or not at all: *fix the plot* is no order
//! to change anything.

use std::ops::RangeInclusive;

use super::checks::CHECKS;
use crate::text::{distance, is_cjk, places};

/// What is wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    /// Findings, in these paragraphs (all when none is named), of these checks (all when none is named).
    Proofread {
        paragraphs: Vec<RangeInclusive<usize>>,
        kinds: Vec<&'static str>,
    },
    /// All mechanical changes.
    FixAll,
    /// The changes of these findings.
    Fix(Vec<RangeInclusive<usize>>),
    /// Findings of a kind that there is none of.
    NoKind(String),
    /// `fix` without a number.
    FixWhat,
    /// Numbers or kinds for what is always made of the whole draft.
    Whole(&'static str),
    /// Spelling, by a build that does not look at it.
    Spelling,
    /// What was done is to be taken back.
    Undo,
    Measure,
    Outline,
    Help,
    Unknown,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verb {
    Proofread,
    Fix,
    Measure,
    Outline,
    Help,
    Spelling,
    Undo,
}

/// What means what, in small letters. A word for word list: a phrase is told by its words.
const VERBS: &[(&str, Verb)] = &[
    ("proofread", Verb::Proofread),
    ("proof", Verb::Proofread),
    ("check", Verb::Proofread),
    ("review", Verb::Proofread),
    ("copyedit", Verb::Proofread),
    ("edit", Verb::Proofread),
    ("read", Verb::Proofread),
    ("校对", Verb::Proofread),
    ("校對", Verb::Proofread),
    ("检查", Verb::Proofread),
    ("檢查", Verb::Proofread),
    ("校正", Verb::Proofread),
    ("проверь", Verb::Proofread),
    ("проверить", Verb::Proofread),
    ("проверка", Verb::Proofread),
    ("вычитай", Verb::Proofread),
    ("вычитка", Verb::Proofread),
    ("корректура", Verb::Proofread),
    ("fix", Verb::Fix),
    ("correct", Verb::Fix),
    ("apply", Verb::Fix),
    ("修正", Verb::Fix),
    ("修改", Verb::Fix),
    ("改正", Verb::Fix),
    ("исправь", Verb::Fix),
    ("исправить", Verb::Fix),
    ("правь", Verb::Fix),
    ("measure", Verb::Measure),
    ("count", Verb::Measure),
    ("stats", Verb::Measure),
    ("statistics", Verb::Measure),
    ("字数", Verb::Measure),
    ("统计", Verb::Measure),
    ("字數", Verb::Measure),
    ("統計", Verb::Measure),
    ("измерь", Verb::Measure),
    ("статистика", Verb::Measure),
    ("посчитай", Verb::Measure),
    ("wordcount", Verb::Measure),
    ("spellcheck", Verb::Spelling),
    ("spelling", Verb::Spelling),
    ("spell", Verb::Spelling),
    ("undo", Verb::Undo),
    ("revert", Verb::Undo),
    ("outline", Verb::Outline),
    ("structure", Verb::Outline),
    ("大纲", Verb::Outline),
    ("大綱", Verb::Outline),
    ("提纲", Verb::Outline),
    ("目录", Verb::Outline),
    ("план", Verb::Outline),
    ("содержание", Verb::Outline),
    ("структура", Verb::Outline),
    ("help", Verb::Help),
    ("hello", Verb::Help),
    ("hi", Verb::Help),
    ("帮助", Verb::Help),
    ("幫助", Verb::Help),
    ("помощь", Verb::Help),
    ("справка", Verb::Help),
];
/// Words that change nothing.
const FILL: &[&str] = &[
    "please",
    "the",
    "my",
    "this",
    "it",
    "draft",
    "text",
    "piece",
    "me",
    "a",
    "an",
    "for",
    "of",
    "to",
    "in",
    "and",
    "paragraph",
    "paragraphs",
    "number",
    "numbers",
    "no",
    "nos",
    "finding",
    "findings",
    "only",
    "just",
    "now",
    "again",
    "word",
    "words",
    "them",
    "that",
    "check",
    "请",
    "一下",
    "草稿",
    "全文",
    "第",
    "段",
    "号",
    "个",
    "和",
    "пожалуйста",
    "текст",
    "черновик",
    "мой",
    "весь",
    "и",
    "абзац",
    "абзацы",
];
/// Words that mean everything.
const ALL: &[&str] = &[
    "all",
    "everything",
    "every",
    "全部",
    "所有",
    "都",
    "всё",
    "все",
];

/// Understands a prompt.
pub(super) fn wanted(prompt: &str) -> Wanted {
    let words = words(prompt);
    let said = |w: &Said| matches!(w, Said::Verb(_));
    let Some(Said::Verb(verb)) = words.iter().find(|w| said(w)) else {
        return if words.is_empty() && prompt.trim_matches(['?', '？', ' ', '\n']).is_empty() {
            Wanted::Help
        } else {
            Wanted::Unknown
        };
    };
    let rest = || words.iter().skip_while(|w| !said(w)).skip(1);
    let others: Vec<&String> = words.iter().filter_map(Said::other).collect();
    match others.as_slice() {
        [] => {}
        // `proofread` and a word: which kinds there are is worth more than that it was not understood.
        [word] if *verb == Verb::Proofread && word.starts_with("spell") => return Wanted::Spelling,
        [word] if *verb == Verb::Proofread && words.first() == Some(&Said::Verb(*verb)) => {
            return Wanted::NoKind((*word).clone());
        }
        _ => return Wanted::Unknown,
    }
    let numbers: Vec<RangeInclusive<usize>> = rest().filter_map(Said::numbers).collect();
    let kinds: Vec<&str> = rest().filter_map(Said::kind).collect();
    let all = rest().any(|w| *w == Said::All);
    let whole = numbers.is_empty() && kinds.is_empty();
    match verb {
        Verb::Proofread => Wanted::Proofread {
            paragraphs: numbers,
            kinds,
        },
        Verb::Measure if !whole => Wanted::Whole("measure"),
        Verb::Outline if !whole => Wanted::Whole("outline"),
        Verb::Fix if !kinds.is_empty() => Wanted::FixWhat,
        Verb::Fix if all && numbers.is_empty() => Wanted::FixAll,
        Verb::Fix if numbers.is_empty() => Wanted::FixWhat,
        Verb::Fix => Wanted::Fix(numbers),
        Verb::Measure => Wanted::Measure,
        Verb::Outline => Wanted::Outline,
        Verb::Help => Wanted::Help,
        Verb::Undo => Wanted::Undo,
        Verb::Spelling => spelling(),
    }
}

/// Spelling is looked at by the check of grammar, where it is built in.
fn spelling() -> Wanted {
    let check = CHECKS.iter().find(|c| c.words.contains(&"spelling"));
    check.map_or(Wanted::Spelling, |check| Wanted::Proofread {
        paragraphs: Vec::new(),
        kinds: vec![check.name],
    })
}

/// Whether a prompt is something that the editor does.
pub(super) fn is_order(prompt: &str) -> bool {
    !matches!(
        wanted(prompt),
        Wanted::Unknown | Wanted::NoKind(_) | Wanted::Whole(_) | Wanted::Spelling | Wanted::Undo
    )
}

#[derive(Clone, PartialEq, Eq)]
enum Said {
    Verb(Verb),
    Numbers(RangeInclusive<usize>),
    Kind(&'static str),
    All,
    Fill,
    /// A word that is none of these.
    Other(String),
}

impl Said {
    fn other(&self) -> Option<&String> {
        match self {
            Self::Other(word) => Some(word),
            _ => None,
        }
    }

    fn numbers(&self) -> Option<RangeInclusive<usize>> {
        match self {
            Self::Numbers(range) => Some(range.clone()),
            _ => None,
        }
    }

    fn kind(&self) -> Option<&'static str> {
        match self {
            Self::Kind(kind) => Some(kind),
            _ => None,
        }
    }
}

fn words(prompt: &str) -> Vec<Said> {
    let mut found: Vec<Said> = Vec::new();
    let mut end = 0;
    for (at, word) in pieces(prompt) {
        let between = prompt.get(end..at).unwrap_or_default().trim();
        end = at + word.len();
        let joined = matches!(between, "-" | "–" | "—" | "～" | "~" | "到" | "至");
        let said = said(
            &word.to_lowercase(),
            found.iter().any(|s| matches!(s, Said::Verb(_))),
        );
        match (found.last_mut(), &said) {
            (Some(Said::Numbers(from)), Said::Numbers(to)) if joined => {
                let (a, b) = (*from.start(), *to.end());
                // From the later to the earlier one is the same.
                *from = a.min(b)..=a.max(b);
            }
            _ => found.push(said),
        }
    }
    found
}

/// The words of a prompt; Chinese ones as long as they are known.
fn pieces(prompt: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut skip = 0;
    for (at, word) in places(prompt) {
        if at < skip {
            continue;
        }
        if !word.starts_with(is_cjk) {
            found.push((at, word.to_owned()));
            continue;
        }
        let rest = prompt.get(at..).unwrap_or_default();
        let known = VERBS
            .iter()
            .map(|(w, _)| *w)
            .chain(FILL.iter().copied())
            .chain(ALL.iter().copied());
        let longest = known
            .filter(|w| !w.is_ascii() && rest.starts_with(w))
            .max_by_key(|w| w.len());
        // Between two numbers it is a mark.
        if longest.is_none() && matches!(word, "到" | "至") {
            continue;
        }
        let word = longest.unwrap_or(word);
        skip = at + word.len();
        found.push((at, word.to_owned()));
    }
    found
}

fn said(word: &str, after_verb: bool) -> Said {
    if !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()) {
        // One that is too large for any draft is a number all the same.
        let n = word.parse().unwrap_or(usize::MAX);
        return Said::Numbers(n..=n);
    }
    if ALL.contains(&word) {
        return Said::All;
    }
    let verb = VERBS.iter().find(|(w, _)| *w == word).map(|(_, v)| *v);
    if after_verb {
        let kind = CHECKS.iter().find(|c| c.words.contains(&word));
        if FILL.contains(&word) && kind.is_none_or(|c| c.name == "doubled words") {
            return Said::Fill;
        }
        if let Some(kind) = kind {
            return Said::Kind(kind.name);
        }
    }
    match verb {
        Some(verb) if !after_verb => Said::Verb(verb),
        Some(Verb::Spelling) => Said::Other(word.to_owned()),
        Some(_) => Said::Fill,
        None if FILL.contains(&word) => Said::Fill,
        None => slip(word, after_verb),
    }
}

/// A word that is nearly one of those known.
fn slip(word: &str, after_verb: bool) -> Said {
    let letters = word.chars().count();
    let near = |known: &str| {
        let far = distance(word, known);
        let most = if letters >= 8 { 2 } else { 1 };
        letters >= 5 && (far <= most || far == 2 && is_shuffled(word, known))
    };
    let other = || Said::Other(word.to_owned());
    if !after_verb {
        let verb = VERBS.iter().find(|(w, _)| near(w));
        return verb.map_or_else(other, |(_, v)| Said::Verb(*v));
    }
    let kind = CHECKS.iter().find(|c| c.words.iter().any(|w| near(w)));
    kind.map_or_else(other, |c| Said::Kind(c.name))
}

/// Whether two words have the same letters: two of them have changed places.
fn is_shuffled(a: &str, b: &str) -> bool {
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    sorted(a) == sorted(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(paragraphs: &[RangeInclusive<usize>], kinds: &[&'static str]) -> Wanted {
        Wanted::Proofread {
            paragraphs: paragraphs.to_vec(),
            kinds: kinds.to_vec(),
        }
    }

    #[test]
    fn the_orders_are_known_in_several_tongues_and_with_small_slips() {
        for prompt in [
            "proofread",
            "Proofread!",
            "please proofread my draft",
            "prooffread",
            "porofread it",
            "校对",
            "请检查全文",
            "проверь текст",
        ] {
            assert_eq!(wanted(prompt), read(&[], &[]), "{prompt}");
        }
        for prompt in ["measure", "Mesure", "count the words", "统计字数", "измерь"] {
            assert_eq!(wanted(prompt), Wanted::Measure, "{prompt}");
        }
        for prompt in ["outline", "大纲", "план"] {
            assert_eq!(wanted(prompt), Wanted::Outline, "{prompt}");
        }
        for prompt in ["help", "Help?", "?", "帮助", "помощь", ""] {
            assert_eq!(wanted(prompt), Wanted::Help, "{prompt}");
        }
    }

    #[test]
    fn numbers_and_kinds_are_read() {
        assert_eq!(
            wanted("fix 1 3, 5-7"),
            Wanted::Fix(vec![1..=1, 3..=3, 5..=7])
        );
        assert_eq!(wanted("修正 2 到 4"), Wanted::Fix(vec![2..=4]));
        assert_eq!(wanted("исправь 2 и 3"), Wanted::Fix(vec![2..=2, 3..=3]));
        assert_eq!(wanted("Fix all"), Wanted::FixAll);
        assert_eq!(wanted("修正全部"), Wanted::FixAll);
        assert_eq!(wanted("исправь всё"), Wanted::FixAll);
        assert_eq!(wanted("fix"), Wanted::FixWhat);
        assert_eq!(wanted("fix it"), Wanted::FixWhat);
        assert_eq!(wanted("proofread paragraphs 3–7"), read(&[3..=7], &[]));
        assert_eq!(
            wanted("check names and qoutes"),
            read(&[], &["names", "quotation marks"])
        );
    }

    #[test]
    fn numbers_that_no_draft_has_are_numbers_all_the_same() {
        let most = usize::MAX;
        assert_eq!(wanted("proofread 9-3"), read(&[3..=9], &[]));
        assert_eq!(wanted("fix 5-2"), Wanted::Fix(vec![2..=5]));
        assert_eq!(
            wanted("fix 99999999999999999999"),
            Wanted::Fix(vec![most..=most])
        );
        assert_eq!(wanted("measure 3-7"), Wanted::Whole("measure"));
        assert_eq!(wanted("outline names"), Wanted::Whole("outline"));
    }

    #[test]
    fn a_kind_that_there_is_none_of_is_told_from_an_order_not_understood() {
        for prompt in ["proofread nosuchkind", "check NoSuchKind please"] {
            let wanted = wanted(prompt);
            assert_eq!(wanted, Wanted::NoKind("nosuchkind".to_owned()), "{prompt}");
        }
        for prompt in ["fix nosuchkind", "Read the draft as a stranger would."] {
            assert_eq!(wanted(prompt), Wanted::Unknown, "{prompt}");
        }
    }

    #[test]
    #[cfg(not(feature = "grammar"))]
    fn what_is_often_asked_of_an_editor_is_understood_where_it_cannot_be_done_too() {
        for prompt in [
            "spellcheck",
            "spell check my draft",
            "check spelling",
            "check the spelling",
        ] {
            assert_eq!(wanted(prompt), Wanted::Spelling, "{prompt}");
            assert!(!is_order(prompt), "{prompt}");
        }
        for prompt in ["undo", "undo that", "revert it"] {
            assert_eq!(wanted(prompt), Wanted::Undo, "{prompt}");
        }
        assert_eq!(wanted("word count"), Wanted::Measure);
        assert_eq!(wanted("undo the ending"), Wanted::Unknown);
    }

    #[test]
    fn what_is_more_than_an_order_is_not_taken_for_one() {
        for prompt in [
            "fix the plot hole in chapter 3",
            "write an ending",
            "make it shorter",
            "fix all the boring bits",
            "给我写一首诗",
            "напиши рассказ",
        ] {
            assert_eq!(wanted(prompt), Wanted::Unknown, "{prompt}");
        }
    }
}

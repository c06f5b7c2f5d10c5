//! Which lines say the same, and which say something else about the same name or term.

use std::collections::BTreeMap;

use super::items::Item;
use super::place::heading_of;
use super::source::source;
use crate::domain::drawer::{Proposed, What};
use crate::text::{folded, quotes};

/// Words that begin a sentence and name nothing.
const FIRST: &[&str] = &[
    "all", "and", "at", "every", "he", "i", "in", "it", "no", "on", "she", "there", "they", "this",
    "we", "when", "you", "er", "sie", "es", "il", "elle", "on", "он", "она", "это",
];
/// Articles.
const ARTICLES: &[&str] = &[
    "the", "a", "an", "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem",
    "einer", "le", "la", "les", "un", "une", "el", "los", "las", "una", "il", "lo", "gli", "uno",
    "o", "os", "as", "um", "uma", "de", "het", "een",
];
/// Words that say whose something is.
const WHOSE: &[&str] = &[
    "my", "your", "his", "her", "its", "our", "their", "mein", "meine", "sein", "seine", "ihr",
    "ihre", "unser", "unsere", "mon", "ma", "mes", "son", "sa", "ses", "notre", "leur", "mi", "su",
    "sus", "nuestro", "nuestra", "mio", "mia", "suo", "sua", "seu", "meu", "mijn", "zijn", "haar",
];
/// Words of a name at most.
const NAME_MAX: usize = 3;

/// A text without what does not change its meaning: capitals, marks, spaces, its source.
pub fn norm(text: &str) -> String {
    let (words, _) = source(text);
    kept(words, is_sign)
}

fn plain(words: &str) -> String {
    kept(words, |_, _, _| false)
}

/// A sign that is part of what it stands at, given what stands before and behind it: *C#* and *C++* are two, *-5* is not
/// *5*, and *1990-95* is two numbers.
fn is_sign(before: Option<char>, c: char, behind: Option<char>) -> bool {
    let stands = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace());
    match c {
        '#' | '+' => stands(before) || stands(behind),
        '-' | '−' => {
            !before.is_some_and(char::is_alphanumeric) && behind.is_some_and(char::is_numeric)
        }
        _ => false,
    }
}

/// Letters and digits, and which other signs are; all else parts words.
fn kept(words: &str, sign: fn(Option<char>, char, Option<char>) -> bool) -> String {
    let all: Vec<char> = folded(words).chars().filter(|c| *c != '\'').collect();
    let at = |n: Option<usize>| n.and_then(|n| all.get(n)).copied();
    let letter = |(n, c): (usize, &char)| {
        let counts = c.is_alphanumeric() || sign(at(n.checked_sub(1)), *c, at(n.checked_add(1)));
        if counts { *c } else { ' ' }
    };
    let kept: String = all.iter().enumerate().map(letter).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The items outside the archive that are about the same name or term as a proposal, and say something else. `abouts`
/// has what the proposals were about that lines come from.
pub fn contradicted<'a>(
    items: &'a [Item],
    says: &Proposed,
    abouts: &BTreeMap<&str, &str>,
) -> Vec<&'a Item> {
    let keys = keys(items, says, abouts);
    let own = norm(&says.text);
    let subject = Subject::of(source(&says.text).0);
    let same = |item: &&Item| {
        let other = !item.archived && norm(&item.text) != own;
        other && keys.iter().any(|key| is_about(item, key, &subject, abouts))
    };
    items.iter().filter(same).collect()
}

/// What a proposal is about: what its agent says; else a term in quotation marks, bold words, what stands before a colon.
/// A name at the beginning is one where names are proposed, or where the memory has it as one: most sentences begin with
/// a capital.
fn keys(items: &[Item], says: &Proposed, abouts: &BTreeMap<&str, &str>) -> Vec<Subject> {
    let (words, _) = source(&says.text);
    let mut keys = match &says.about {
        Some(about) => vec![Subject::of(about)],
        None => explicit(words),
    };
    if says.about.is_none()
        && let Some(name) = leading(words)
    {
        let named = matches!(says.what, What::Name | What::Term);
        if named || items.iter().any(|item| is_named(item, &name, abouts)) {
            keys.push(name);
        }
    }
    keys.retain(|key| !key.words.is_empty());
    keys
}

/// Whether a line has that name as one: in bold, before a colon, below a heading of names, or as what it was about when
/// it was proposed.
fn is_named(item: &Item, name: &Subject, abouts: &BTreeMap<&str, &str>) -> bool {
    let (words, _) = source(&item.text);
    let heading = item.heading.as_deref().unwrap_or_default();
    let listed = [What::Name, What::Term].iter().map(heading_of);
    let listed = { listed }.any(|of| of.eq_ignore_ascii_case(heading.trim_end_matches(':')));
    let explicit = explicit(words).iter().any(|key| key.words == name.words);
    explicit || was_about(item, name, abouts) || listed && Subject::of(words).begins(name).is_some()
}

fn was_about(item: &Item, key: &Subject, abouts: &BTreeMap<&str, &str>) -> bool {
    let about = abouts.get(item.text.as_str());
    about.is_some_and(|about| Subject::of(about).words == key.words)
}

/// Whether a line is about a name or term: it begins with it, or quotes or emphasises it, or came as what is about it. What belongs to
/// somebody is another thing than they are: it must be what the text speaks of, too.
fn is_about(item: &Item, key: &Subject, text: &Subject, abouts: &BTreeMap<&str, &str>) -> bool {
    let (words, _) = source(&item.text);
    let begins = match Subject::of(words).begins(key) {
        Some(Begin::Of(owned)) => text.owned(key) == Some(owned),
        Some(Begin::Itself) => key.owns.last() != Some(&true),
        None => false,
    };
    let marked = || quoted(words).into_iter().chain(emphasised(words));
    let mut terms = marked().map(Subject::of);
    begins || was_about(item, key, abouts) || terms.any(|term| term.words == key.words)
}

/// The words that a text begins with, without what stands before a noun in many languages.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Subject {
    /// Its words, plain.
    words: Vec<String>,
    /// Those that something belongs to: `Ilse’s`.
    owns: Vec<bool>,
    /// A word such as *her* stood before them.
    of_somebody: bool,
}

impl Subject {
    fn of(text: &str) -> Self {
        let mut all = Self {
            words: Vec::new(),
            owns: Vec::new(),
            of_somebody: false,
        };
        for word in text.split_whitespace() {
            all.take(&folded(word));
        }
        let before = |word: &String| ARTICLES.contains(&word.as_str()) || is_whose(word);
        while all.words.len() > 1 && all.words.first().is_some_and(before) {
            all.of_somebody |= all.words.first().is_some_and(|word| is_whose(word));
            all.words.remove(0);
            all.owns.remove(0);
        }
        all
    }

    fn take(&mut self, word: &str) {
        let word = word.strip_prefix("l'").unwrap_or(word);
        let end = word.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '\'');
        let owner = end.strip_suffix("'s").or_else(|| end.strip_suffix('\''));
        let owner = owner.filter(|owner| owner.chars().any(char::is_alphanumeric));
        for part in plain(owner.unwrap_or(word))
            .split(' ')
            .filter(|p| !p.is_empty())
        {
            self.words.push(part.to_owned());
            self.owns.push(false);
        }
        if let Some(last) = self.owns.last_mut() {
            *last = owner.is_some();
        }
    }

    /// Whether it begins with a name, and whether what it says is of that.
    fn begins(&self, key: &Self) -> Option<Begin<'_>> {
        let many = key.words.len();
        if many > 0 && self.words.starts_with(&key.words) {
            let owns = self.owns.get(many - 1) == Some(&true);
            let owned = self.words.get(many).filter(|_| owns);
            return Some(owned.map_or(Begin::Itself, |word| Begin::Of(word.as_str())));
        }
        // Scripts without spaces: whatever comes behind it.
        let (own, key) = (self.words.join(" "), key.words.join(" "));
        let cjk = key.chars().next_back().is_some_and(crate::text::is_cjk);
        (cjk && own.starts_with(&key)).then_some(Begin::Itself)
    }

    /// What it speaks of that belongs to somebody: `father` in *Her father* and in *Ilse’s father*.
    fn owned(&self, key: &Self) -> Option<&str> {
        match self.begins(key) {
            Some(Begin::Of(owned)) => Some(owned),
            Some(Begin::Itself) => None,
            None => self
                .words
                .first()
                .filter(|_| self.of_somebody)
                .map(String::as_str),
        }
    }
}

/// What a text that begins with a name speaks of.
enum Begin<'a> {
    /// The one who has the name.
    Itself,
    /// Something that belongs to them.
    Of(&'a str),
}

fn is_whose(word: &str) -> bool {
    WHOSE.contains(&word)
}

/// Terms in quotation marks, an emphasised one that it begins with, what stands before a colon. Words emphasised further
/// on are often none: *never*.
fn explicit(words: &str) -> Vec<Subject> {
    let first = words.starts_with(['*', '_']);
    let first = emphasised(words).into_iter().take(usize::from(first));
    let terms = quoted(words).into_iter().chain(first);
    let mut keys: Vec<Subject> = terms.map(Subject::of).collect();
    if let Some((head, _)) = words.split_once([':', '：']) {
        let short = head.split_whitespace().count() <= NAME_MAX;
        keys.extend(short.then(|| Subject::of(head)));
    }
    keys
}

/// The name that a text begins with.
fn leading(words: &str) -> Option<Subject> {
    let name: Vec<&str> = words
        .split_whitespace()
        .take_while(|w| w.chars().next().is_some_and(char::is_uppercase))
        .take(NAME_MAX)
        .collect();
    let name = Subject::of(&name.join(" "));
    let first = name.words.first()?;
    if FIRST.contains(&first.as_str()) || ARTICLES.contains(&first.as_str()) || is_whose(first) {
        return None;
    }
    Some(name)
}

/// The terms in quotation marks.
fn quoted(words: &str) -> Vec<&str> {
    let marked = quotes::quoted(words).into_iter();
    let found = marked.filter_map(|at| words.get(at));
    found.filter(|term| is_term(term)).collect()
}

/// The words between `*` or `_`, however many of them.
fn emphasised(words: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut before, mut rest) = (None, words);
    while let Some(at) = rest.find(['*', '_']) {
        let (passed, open) = rest.split_at(at);
        before = passed.chars().next_back().or(before);
        let behind = open.trim_start_matches(open.chars().next().unwrap_or('*'));
        let (mark, _) = open.split_at(open.len() - behind.len());
        // An underscore in a word is one of its letters.
        let in_word = mark.starts_with('_') && before.is_some_and(char::is_alphanumeric);
        let term = behind.split_once(mark).filter(|_| !in_word);
        rest = match term.filter(|(term, _)| term.trim() == *term && is_term(term)) {
            Some((term, behind)) => {
                found.push(term);
                behind
            }
            None => behind,
        };
        before = mark.chars().next();
    }
    found
}

/// Whether it is of a length that terms have.
fn is_term(words: &str) -> bool {
    (1..=80).contains(&words.trim().len())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::memory::file::items;

    const MEMORY: &str = "## Names\n\n- Ilse is the ferryman's daughter. *(03 Session, 2026-11-30)*\n- Old Brandt: the ferryman, sixty.\n- 阿依莎是船夫的女儿。\n\n## Terms\n\n- We write “the ford”, never “the crossing”.\n- **Host**: the process.\n\n## Archive\n\n- Ilse is ten.\n";

    fn proposed(what: What, text: &str, about: Option<&str>) -> Proposed {
        Proposed {
            session: "0197c0de-7a10-7c3e-9b55-1f2e3d4c5b6a".parse().unwrap(),
            turn: 1,
            call: "c1".to_owned(),
            what,
            text: text.to_owned(),
            reason: String::new(),
            about: about.map(str::to_owned),
        }
    }

    #[test]
    fn what_says_something_else_about_a_name_or_term_is_found_and_nothing_else() {
        use What::{Fact, Name, Term};
        let more = "\n## Facts\n\n- The ferry is a barge.\n- Ilse’s father is the ferryman.\n- Winter was mild.\n- Fact number 1.\n- Hallam is a town. *(One, 2026-11-30)*\n";
        let memory = MEMORY.replace("\n## Archive", &format!("{more}\n## Archive"));
        let items = items(&memory);
        let abouts = BTreeMap::from([("- Hallam is a town. *(One, 2026-11-30)*", "Hallam")]);
        let (ilse, father) = ("Ilse is t", "Ilse’s fa");
        for (what, text, about, want) in [
            (Fact, "Ilse is nine years old.", None, vec![ilse]),
            (
                Name,
                "She is the miller's daughter.",
                Some("ILSE"),
                vec![ilse],
            ),
            (Fact, "Ilse is the ferryman’s daughter", None, vec![]),
            (Name, "Old Brandt is seventy.", None, vec!["Old Brand"]),
            (Fact, "The valley is long.", None, vec![]),
            (
                Term,
                "Write ‘the ford’ with a capital.",
                None,
                vec!["We write "],
            ),
            (
                Fact,
                "host: a person who receives guests.",
                None,
                vec!["**Host**:"],
            ),
            (Name, "她九岁。", Some("阿依莎"), vec!["阿依莎是船夫的女儿"]),
            (Name, "Ils is short.", None, vec![]),
            (
                Term,
                "It is a rowing boat.",
                Some("ferry"),
                vec!["The ferry"],
            ),
            (
                Fact,
                "It is a rowing boat.",
                Some("the ferry"),
                vec!["The ferry"],
            ),
            (Term, "The ferryman is a boat.", Some("ferryman"), vec![]),
            (Fact, "Ilse's father is a miller.", None, vec![father]),
            (
                Name,
                "Her father is a miller.",
                Some("Ilse"),
                vec![ilse, father],
            ),
            (Name, "He is a miller.", Some("Ilse's father"), vec![father]),
            (Fact, "Winter begins in chapter two.", None, vec![]),
            (Fact, "Fact number 2.", None, vec![]),
            (Fact, "Hallam is a village.", None, vec!["Hallam is"]),
            (
                Name,
                "Winter is the dog.",
                Some("Winter"),
                vec!["Winter wa"],
            ),
        ] {
            let says = proposed(what, text, about);
            let found = contradicted(&items, &says, &abouts);
            let found = found
                .iter()
                .map(|i| i.text.chars().skip(2).take(9).collect());
            assert_eq!(found.collect::<Vec<String>>(), want, "{text}");
        }
    }

    #[test]
    fn an_emphasised_term_is_one_wherever_it_stands() {
        let memory = "- The boat is *the chain ferry*, never a barge.\n- We write __the ford__ in full.\n- Ilse *never* sleeps.\n- The file a_host_b * is * long.\n";
        let items = items(memory);
        for (text, about, want) in [
            (
                "The boat is a barge.",
                Some("the chain ferry"),
                vec!["The boat "],
            ),
            ("Write the ford short.", Some("Ford"), vec!["We write "]),
            ("*The chain ferry* is a barge.", None, vec!["The boat "]),
            ("Jon *never* rows.", None, vec![]),
            ("A host has guests.", Some("host"), vec![]),
            ("It is.", Some("is"), vec![]),
        ] {
            let says = proposed(What::Term, text, about);
            let found = contradicted(&items, &says, &BTreeMap::new()).into_iter();
            let found = found.map(|i| i.text.chars().skip(2).take(9).collect());
            assert_eq!(found.collect::<Vec<String>>(), want, "{text}");
        }
    }

    #[test]
    fn capitals_marks_and_source_make_no_difference() {
        let line = "- Ilse is the ferryman's daughter. *(03 Session, 2026-11-30)*";
        assert_eq!(norm(line), norm("ILSE is the  ferryman’s daughter"));
        assert_ne!(norm(line), norm("Ilse is the ferryman's sister"));
        for (one, other) in [("-5 degrees", "5 degrees"), ("C#", "C++"), ("1+1", "1 1")] {
            assert_ne!(norm(one), norm(other), "{one}");
        }
        for (one, other) in [("- It rows", "it rows!"), ("# A 1990-95", "a 1990 95")] {
            assert_eq!(norm(one), norm(other), "{one}");
        }
    }
}

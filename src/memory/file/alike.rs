//! Which lines say the same, and which say something else about the same name or term.

use super::items::Item;
use super::source::source;

/// Marks around a quoted term.
const QUOTES: [(char, char); 8] = [
    ('"', '"'),
    ('“', '”'),
    ('„', '“'),
    ('«', '»'),
    ('「', '」'),
    ('『', '』'),
    ('`', '`'),
    ('‘', '’'),
];
/// Words that begin a sentence and name nothing.
const FIRST: &[&str] = &[
    "a", "all", "an", "and", "at", "every", "he", "her", "his", "i", "in", "it", "no", "on", "our",
    "she", "the", "there", "they", "this", "we", "when", "you", "der", "die", "das", "ein", "eine",
    "er", "sie", "es", "le", "la", "les", "un", "une", "il", "elle", "el", "los", "las", "on",
    "он", "она", "это",
];
/// Words of a name at most.
const NAME_MAX: usize = 3;

/// A text without what does not change its meaning: capitals, marks, spaces, its source.
pub fn norm(text: &str) -> String {
    let (words, _) = source(text);
    plain(words)
}

fn plain(words: &str) -> String {
    let letter = |c: char| if c.is_alphanumeric() { c } else { ' ' };
    let small = words.to_lowercase();
    let kept: String = small
        .chars()
        .filter(|c| !matches!(c, '\'' | '’'))
        .map(letter)
        .collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The items outside the archive that are about the same name or term as a text, and say something else.
pub fn contradicted<'a>(items: &'a [Item], text: &str, about: Option<&str>) -> Vec<&'a Item> {
    let mut keys: Vec<String> = about.map(plain).into_iter().collect();
    keys.extend(leading(text));
    keys.retain(|k| !k.is_empty());
    let own = norm(text);
    let same = |item: &&Item| {
        let (words, _) = source(&item.text);
        !item.archived && norm(&item.text) != own && keys.iter().any(|key| is_about(words, key))
    };
    items.iter().filter(same).collect()
}

/// Whether a line is about a name or term: it begins with it, or quotes it.
fn is_about(words: &str, key: &str) -> bool {
    let whole = plain(words);
    let begins = whole.strip_prefix(key).is_some_and(|rest| {
        let cjk = key.chars().next_back().is_some_and(crate::text::is_cjk);
        rest.is_empty() || rest.starts_with(' ') || cjk
    });
    begins || quoted(words).iter().any(|term| plain(term) == key)
}

/// What a text is about, as far as it shows: a term in quotation marks, bold words, what stands before a colon, a name
/// at its beginning.
fn leading(text: &str) -> Vec<String> {
    let (words, _) = source(text);
    let mut keys: Vec<String> = quoted(words).into_iter().map(plain).collect();
    if let Some((head, _)) = words.split_once([':', '：']) {
        keys.extend((head.split_whitespace().count() <= NAME_MAX).then(|| plain(head)));
    }
    let name: Vec<&str> = words
        .split_whitespace()
        .take_while(|w| w.chars().next().is_some_and(char::is_uppercase))
        .take(NAME_MAX)
        .collect();
    let name = plain(&name.join(" "));
    let name = name.strip_suffix(" s").unwrap_or(&name);
    if !FIRST.contains(&name.split(' ').next().unwrap_or_default()) {
        keys.push(name.to_owned());
    }
    keys
}

/// The terms in quotation marks or bold.
fn quoted(words: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (open, close) in QUOTES {
        let mut rest = words;
        while let Some((_, behind)) = rest.split_once(open) {
            let Some((term, after)) = behind.split_once(close) else {
                break;
            };
            found.push(term);
            rest = after;
        }
    }
    let bold = words.strip_prefix("**").and_then(|w| w.split_once("**"));
    found.extend(bold.map(|(term, _)| term));
    found.retain(|t| (1..=80).contains(&t.trim().len()));
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::memory::file::items;

    const MEMORY: &str = "## Names\n\n- Ilse is the ferryman's daughter. *(03 Session, 2026-11-30)*\n- Old Brandt: the ferryman, sixty.\n- 阿依莎是船夫的女儿。\n\n## Terms\n\n- We write “the ford”, never “the crossing”.\n- **Host**: the process.\n\n## Archive\n\n- Ilse is ten.\n";

    #[test]
    fn what_says_something_else_about_a_name_or_term_is_found() {
        let items = items(MEMORY);
        let against = |text: &str, about: Option<&str>| -> Vec<String> {
            let found = contradicted(&items, text, about);
            found
                .iter()
                .map(|i| i.text.chars().skip(2).take(9).collect())
                .collect()
        };
        for (text, about, want) in [
            ("Ilse is nine years old.", None, vec!["Ilse is t"]),
            (
                "She is the miller's daughter.",
                Some("ILSE"),
                vec!["Ilse is t"],
            ),
            ("Ilse is the ferryman’s daughter", None, vec![]),
            ("Old Brandt is seventy.", None, vec!["Old Brand"]),
            ("The valley is long.", None, vec![]),
            ("Write ‘the ford’ with a capital.", None, vec!["We write "]),
            (
                "host: a person who receives guests.",
                None,
                vec!["**Host**:"],
            ),
            ("她九岁。", Some("阿依莎"), vec!["阿依莎是船夫的女儿"]),
            ("Ils is short.", None, vec![]),
        ] {
            assert_eq!(against(text, about), want, "{text}");
        }
    }

    #[test]
    fn capitals_marks_and_source_make_no_difference() {
        let line = "- Ilse is the ferryman's daughter. *(03 Session, 2026-11-30)*";
        assert_eq!(norm(line), norm("ILSE is the  ferryman’s daughter"));
        assert_ne!(norm(line), norm("Ilse is the ferryman's sister"));
    }
}

//! Several texts as one, each meaning what it means alone.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Tag};

use super::parser;

/// What ends a block of HTML that has not ended by itself, by how it begins.
const HTML: &[(&str, &str)] = &[
    ("<!--", "-->"),
    ("<![cdata[", "]]>"),
    ("<?", "?>"),
    ("<!", ">"),
    ("<script", "</script>"),
    ("<pre", "</pre>"),
    ("<style", "</style>"),
    ("<textarea", "</textarea>"),
];

/// The brackets of a link whose words say which address it has.
const EMPTY: &str = "[]";

/// One text of several. A footnote or an address of links that is called as one of another text has a name of its own in
/// it, and code that is not closed ends with its text.
pub fn joined(parts: &[String]) -> String {
    let last = parts.len().saturating_sub(1);
    let mut parts = parts.to_vec();
    for part in parts.iter_mut().take(last) {
        *part = closed(part);
    }
    let mut read: Vec<Labels> = parts.iter().map(|part| Labels::of(part)).collect();
    for at in 0..parts.len() {
        let others = (0..parts.len()).filter(|other| *other != at);
        let strange: Vec<&Labels> = others.filter_map(|other| read.get(other)).collect();
        let Some(own) = read.get(at) else { continue };
        let taken = own.defined.iter().filter(|label| {
            let before = read.iter().take(at);
            let defined = { before }.any(|other| other.defined.contains(*label));
            defined || strange.iter().any(|other| other.only_named(label))
        });
        let names: Vec<(String, String)> = taken
            .map(|label| (label.clone(), free(label, &read)))
            .collect();
        let Some(part) = parts.get_mut(at).filter(|_| !names.is_empty()) else {
            continue;
        };
        *part = renamed(part, &names);
        if let Some(slot) = read.get_mut(at) {
            *slot = Labels::of(part);
        }
    }
    parts.join("\n\n")
}

/// A name that no text has, in brackets or not.
fn free(label: &str, all: &[Labels]) -> String {
    let is_free = |name: &String| all.iter().all(|labels| !labels.in_brackets.contains(name));
    let mut names = (2..).map(|n| format!("{label}-{n}"));
    names.find(is_free).unwrap_or_default()
}

/// What a text calls by a name in brackets; those of footnotes begin with `^`.
struct Labels {
    /// What it says itself.
    defined: BTreeSet<String>,
    /// All that stands in brackets anywhere: with another's words behind it, it would be a link.
    in_brackets: BTreeSet<String>,
}

impl Labels {
    fn of(text: &str) -> Self {
        let mut parsed = parser(text).into_offset_iter();
        let links = parsed.reference_definitions().iter();
        let mut defined: BTreeSet<String> = links.map(|(label, _)| key(label)).collect();
        for (event, _) in parsed.by_ref() {
            if let Event::Start(Tag::FootnoteDefinition(label)) = event {
                defined.insert(key(&format!("^{label}")));
            }
        }
        let opened = text.split('[').skip(1);
        let inner = opened.filter_map(|rest| rest.split_once(']'));
        let in_brackets = inner.map(|(label, _)| key(label)).collect();
        Self {
            defined,
            in_brackets,
        }
    }

    /// Whether it has that name in brackets and says nothing of it.
    fn only_named(&self, label: &str) -> bool {
        self.in_brackets.contains(label) && !self.defined.contains(label)
    }
}

/// A name as names are compared.
fn key(label: &str) -> String {
    let words: Vec<&str> = label.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// A text in which some names are others.
fn renamed(text: &str, names: &[(String, String)]) -> String {
    let mut changes = changes(text, names);
    changes.sort_by_key(|(at, _)| at.start);
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (at, new) in changes.iter().filter(|(at, _)| !at.is_empty()) {
        if let Some(kept) = text.get(from..at.start) {
            out.push_str(kept);
            out.push_str(new);
            from = at.end;
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

/// Where names stand that are to be others, and what comes there.
fn changes(text: &str, names: &[(String, String)]) -> Vec<(Range<usize>, String)> {
    let new = |label: &str| {
        let label = key(label);
        let known = names.iter().find(|(old, _)| *old == label);
        known.map(|(_, new)| new.as_str())
    };
    let parsed = parser(text).into_offset_iter();
    let defined = parsed.reference_definitions().iter();
    let mut changes: Vec<_> = defined
        .filter_map(|(label, def)| first_brackets(text, def.span.clone(), new(label)?))
        .collect();
    for (event, at) in parsed {
        changes.extend(match event {
            Event::Start(Tag::FootnoteDefinition(label)) | Event::FootnoteReference(label) => {
                new(&format!("^{label}")).and_then(|new| first_brackets(text, at, new))
            }
            Event::Start(Tag::Link { link_type, id, .. } | Tag::Image { link_type, id, .. }) => {
                new(&id).and_then(|new| last_brackets(text, at, link_type, new))
            }
            _ => None,
        });
    }
    changes
}

/// The brackets that a footnote or the address of links begins with.
fn first_brackets(text: &str, at: Range<usize>, new: &str) -> Option<(Range<usize>, String)> {
    let own = text.get(at.clone())?;
    let (open, close) = (own.find('[')?, own.find(']')?);
    Some((at.start + open..at.start + close + 1, format!("[{new}]")))
}

/// The brackets of a link that say which address it has; where there are none, its words have all of them.
fn last_brackets(
    text: &str,
    at: Range<usize>,
    kind: LinkType,
    new: &str,
) -> Option<(Range<usize>, String)> {
    let own = text.get(at.clone())?;
    match kind {
        LinkType::Reference => {
            let open = own.rfind('[')?;
            Some((at.start + open..at.end, format!("[{new}]")))
        }
        LinkType::Collapsed => {
            // The empty brackets stand behind what is told as the link.
            let from = at.end - if own.ends_with(EMPTY) { EMPTY.len() } else { 0 };
            let empty = from..from + EMPTY.len();
            let is_there = text.get(empty.clone()) == Some(EMPTY);
            is_there.then(|| (empty, format!("[{new}]")))
        }
        LinkType::Shortcut => {
            let close = own.rfind(']')?;
            Some((at.start + close..at.end, format!("][{new}]")))
        }
        _ => None,
    }
}

/// A text whose last block is closed: what comes behind it is not taken in.
fn closed(text: &str) -> String {
    let probed = format!("{text}\n\nx");
    // Only what stands in no list and no quotation goes on behind an empty line.
    let (mut block, mut open, mut deep) = (None, None, 0_usize);
    for (event, at) in parser(&probed).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                let code = matches!(tag, Tag::CodeBlock(CodeBlockKind::Fenced(_)));
                let takes = deep == 0 && (code || matches!(tag, Tag::HtmlBlock));
                block = takes.then_some(at);
                deep += 1;
            }
            Event::End(_) => {
                block = None;
                deep = deep.saturating_sub(1);
            }
            _ if at.end == probed.len() => open.clone_from(&block),
            _ => {}
        }
    }
    let begun = open.and_then(|at| text.get(at.start..));
    match begun.and_then(end_of) {
        Some(end) => format!("{text}\n{end}"),
        None => text.to_owned(),
    }
}

/// What closes a block that begins so.
fn end_of(block: &str) -> Option<String> {
    let block = block.trim_start();
    if let Some(mark) = block.chars().next().filter(|c| "`~".contains(*c)) {
        return Some(block.chars().take_while(|c| *c == mark).collect());
    }
    let small = block.to_lowercase();
    let kind = HTML.iter().find(|(begins, _)| small.starts_with(begins));
    kind.map(|(_, end)| (*end).to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::{html, plain};
    use super::*;

    fn of(parts: &[&str]) -> String {
        let parts: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
        joined(&parts)
    }

    #[test]
    fn notes_and_links_of_a_text_are_its_own_whatever_the_others_call_theirs() {
        let piece = |name: &str| {
            format!(
                "# {name}\n\nIce[^1], [here][x], [x][], [X] and ![x].\n\n[^1]: Note of {name}.\n\n[x]: https://{name}.example"
            )
        };
        let whole = of(&[&piece("a"), &piece("b"), &piece("c")]);
        let page = html("T", &whole);
        assert!(!page.contains("x-2"), "{page}");
        let (first, rest) = page.split_once("<h1>b</h1>").unwrap_or_default();
        let (second, third) = rest.split_once("<h1>c</h1>").unwrap_or_default();
        for (text, name) in [(first, "a"), (second, "b"), (third, "c")] {
            let address = format!("\"https://{name}.example\"");
            assert_eq!(text.matches(&address).count(), 4, "{name}: {page}");
            assert_eq!(text.matches(".example").count(), 4, "{name}: {page}");
        }
        let text = plain(&whole);
        let notes = "[1] Note of a.\n\n[2] Note of b.\n\n[3] Note of c.\n";
        assert!(text.ends_with(notes), "{text}");
        assert!(whole.starts_with(&piece("a")), "{whole}");
    }

    #[test]
    fn what_is_called_nothing_in_a_text_gets_no_words_of_another() {
        let whole = of(&[
            "# A\n\nSo [sic] it is[^1].",
            "# B\n\n[sic] [^1]\n\n[sic]: https://b.example\n\n[^1]: B's",
        ]);
        let page = html("T", &whole);
        assert!(page.contains("<p>So [sic] it is[^1].</p>"), "{page}");
        assert!(
            page.contains("<a href=\"https://b.example\">sic</a>"),
            "{page}"
        );
        let alone = "# A\n\n[x]\n\n[x]: https://a.example";
        assert_eq!(of(&[alone, "# B"]), format!("{alone}\n\n# B"));
    }

    #[test]
    fn a_block_that_is_not_closed_ends_with_its_text() {
        for (text, want) in [
            ("a\n\n```rust\nlet x;", "\n```"),
            ("a\n\n~~~~\n```\n~~~", "\n~~~~"),
            ("a\n\n<!-- not yet", "\n-->"),
            ("<pre>\na", "\n</pre>"),
            ("```\na\n```", ""),
            ("- ```\n  a", ""),
            ("> ```\n> a", ""),
            ("<!-- a -->", ""),
            ("a", ""),
        ] {
            let whole = of(&[text, "# B\n\n*b*"]);
            assert_eq!(whole, format!("{text}{want}\n\n# B\n\n*b*"));
            assert!(html("T", &whole).contains("<p><em>b</em></p>"), "{whole}");
        }
    }
}

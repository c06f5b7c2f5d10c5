//! Markdown as lines of marked text, for a screen that breaks them into rows of its own width.
//!
//! All text is cleaned here, after parsing: an entity can spell a control character too.

mod line;
mod page;
mod table;

use std::borrow::Cow;

use pulldown_cmark::{Event, Options, Parser, Tag};

pub use line::{Line, Mark};
use page::Page;

use super::head;

/// The lines of a text, with an empty one between blocks. What the parser keeps to itself, such as
/// the addresses of named links, is shown as it was written.
pub fn lines(text: &str) -> Vec<Line> {
    let text = &*lone_returns(text, "␍");
    let mut page = Page::default();
    let mut depth = 0_usize;
    let mut told = 0;
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        if depth == 0 && range.start > told {
            page.verbatim(text.get(told..range.start).unwrap_or_default());
        }
        depth = deeper(depth, &event);
        if depth == 0 {
            told = told.max(range.end);
        }
        page.take(event);
    }
    page.verbatim(text.get(told..).unwrap_or_default());
    page.into_lines()
}

/// Bytes of a growing text that make up finished blocks: what follows can no longer change them. The
/// rest is the open tail, to be laid out again when it grows.
pub fn finished(text: &str) -> usize {
    let whole_lines = text.rfind('\n').map_or(0, |at| at + 1);
    // A sign of the same length, so that offsets hold.
    let text = &*lone_returns(head(text, whole_lines), "\x01");
    let mut depth = 0_usize;
    let (mut last, mut closes) = (0, false);
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        if depth == 0 {
            (last, closes) = (range.start, ends_with_its_lines(&event));
        }
        depth = deeper(depth, &event);
    }
    let blank = text.trim_end_matches([' ', '\t', '\r', '\n']).len();
    let newlines = text.bytes().skip(blank).filter(|b| *b == b'\n').count();
    if closes && newlines > 1 {
        text.len()
    } else {
        line_start(text, last)
    }
}

/// Whether an empty line ends a block for good. A list, a quote or code may go on behind it.
fn ends_with_its_lines(begins: &Event<'_>) -> bool {
    matches!(
        begins,
        Event::Rule | Event::Start(Tag::Paragraph | Tag::Heading { .. } | Tag::Table(_))
    )
}

/// A carriage return alone would end a line for the parser, and be seen by nobody.
fn lone_returns<'a>(text: &'a str, sign: &str) -> Cow<'a, str> {
    if !text.contains('\r') {
        return Cow::Borrowed(text);
    }
    let parts: Vec<String> = text
        .split("\r\n")
        .map(|part| part.replace('\r', sign))
        .collect();
    Cow::Owned(parts.join("\r\n"))
}

fn deeper(depth: usize, event: &Event<'_>) -> usize {
    match event {
        Event::Start(_) => depth + 1,
        Event::End(_) => depth.saturating_sub(1),
        _ => depth,
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |newline| newline + 1)
}

fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::*;

    fn plain(text: &str) -> Vec<String> {
        lines(text)
            .into_iter()
            .map(|l| format!("{}{}", l.lead, l.text))
            .collect()
    }

    fn check(text: &str, want: &[&str]) {
        assert_eq!(plain(text), want, "{text:?}");
    }

    #[test]
    fn blocks_have_air_between_them() {
        check(
            "# Title\nOne\ntwo  \nthree\n\n\n\nFour",
            &["Title", "", "One\ntwo\nthree", "", "Four"],
        );
        check("a\n\n***\n\nb", &["a", "", page::RULE, "", "b"]);
        check("", &[]);
    }

    #[test]
    fn tight_lists_are_tight_and_loose_ones_loose() {
        check(
            "- a\n- b\n  - c\n1. x",
            &["• a", "• b", "  ◦ c", "", "1. x"],
        );
        check("7. a\n\n8. b\n\n   c", &["7. a", "", "8. b", "", "   c"]);
        check("- [ ] open\n- [x] done", &["• [ ] open", "• [x] done"]);
    }

    #[test]
    fn quotes_carry_their_bar_on_every_row() {
        check("> a\n> #\n\nb", &["▎ a", "", "b"]);
        check("> a\n>\n> > #\n\nb", &["▎ a", "", "b"]);
        check("- \n> - >\n", &["• ", "", "▎ • "]);
        check("> a\n>\n> b\n> > c", &["▎ a", "▎", "▎ b", "▎", "▎ ▎ c"]);
        let line = lines("> - a").pop().unwrap();
        assert_eq!((line.lead.as_str(), line.hang.as_str()), ("▎ • ", "▎   "));
    }

    #[test]
    fn code_is_kept_as_it_is() {
        check(
            "```rust\nfn a() {\n\n\tb();\n}\n```\nend",
            &["  fn a() {", "  ", "      b();", "  }", "", "end"],
        );
        check("use `x  y` now", &["use `x  y` now"]);
        check(
            "<b>bold</b> and\n\n<div>\nx\n</div>",
            &["<b>bold</b> and", "", "<div>", "x", "</div>"],
        );
    }

    #[test]
    fn links_show_where_they_lead() {
        check(
            "[here](http://x.y/z) <http://a.b>",
            &["here (http://x.y/z) http://a.b"],
        );
        check("![sea](s.png)", &["[image: sea] (s.png)"]);
        check(
            "see [a][1]\n\n[1]: http://x",
            &["see a (http://x)", "", "[1]: http://x"],
        );
    }

    #[test]
    fn tables_are_aligned_by_cells() {
        check(
            "| a | n |\n|---|--:|\n| 灯台 | 5 |\n| b | 1,204 |",
            &["a         n", "────  ─────", "灯台      5", "b     1,204"],
        );
    }

    #[test]
    fn marks_cover_what_they_mark() {
        let line = lines("a *b **c*** ~~d~~").pop().unwrap();
        assert_eq!(line.text, "a b c d");
        let both = Mark::EMPHASIS.with(Mark::STRONG);
        assert_eq!(
            line.marks,
            [
                (2, Mark::NONE),
                (4, Mark::EMPHASIS),
                (5, both),
                (6, Mark::NONE),
                (7, Mark::STRUCK)
            ]
        );
        assert!(lines("## H").pop().unwrap().marks[0].1.has(Mark::HEADING));
    }

    #[test]
    fn no_entity_smuggles_a_control_character_in() {
        check("a&#27;[2J&#x9b;b&#x202e;", &["a␛[2J⟨009B⟩b⟨202E⟩"]);
        check("[a](<x&#27;y>) `\x1b`", &["a (x␛y) `␛`"]);
    }

    #[test]
    fn only_blocks_that_cannot_change_are_finished() {
        for (text, done) in [
            ("one", ""),
            ("one\n\n", "one\n\n"),
            ("one\n\ntwo", "one\n\n"),
            ("one\ntwo\n", ""),
            ("one\n\ntwo\n", "one\n\n"),
            ("- a\n\n- b\n", ""),
            ("- a\n\nb\n\n", "- a\n\nb\n\n"),
            ("- a\n\n", ""),
            ("> a\n\n", ""),
            ("a\n\n<pre>\n\n", "a\n\n"),
            ("a\n\n```\nx\n\ny\n", "a\n\n"),
            ("a\n\n    code\n", "a\n\n"),
            ("a\n***", ""),
        ] {
            assert_eq!(finished(text), done.len(), "{text:?}");
        }
    }

    fn in_pieces(text: &str, cuts: &[usize]) -> Vec<Line> {
        let mut out: Vec<Line> = Vec::new();
        let mut from = 0;
        let mut add = |part: &str| {
            let part = lines(part);
            if !out.is_empty() && !part.is_empty() {
                out.push(Line::default());
            }
            out.extend(part);
        };
        for cut in cuts {
            let end = head(text, *cut).len();
            if end > from {
                let done = finished(text.get(from..end).unwrap());
                add(text.get(from..from + done).unwrap());
                from += done;
            }
        }
        add(text.get(from..).unwrap());
        out
    }

    proptest! {
        #[test]
        fn a_growing_text_ends_as_it_would_have_been_at_once(
            parts in prop::collection::vec(prop::sample::select(vec![
                "word", "灯台", " ", "\n", "\n\n", "- ", "1. ", "# ", "> ", "```\n", "    ", "***", "*", "**", "`", "|", "---", "=", "<b>", "a | b\n-|-\n", "\r", "\r\n",
            ]), 0..30),
            cuts in prop::collection::vec(0usize..200, 0..12),
        ) {
            let text = parts.concat();
            let mut cuts: Vec<usize> = cuts.iter().map(|c| c % (text.len() + 1)).collect();
            cuts.sort_unstable();
            prop_assert_eq!(in_pieces(&text, &cuts), lines(&text), "{:?} {:?}", text, cuts);
        }

        #[test]
        fn any_text_gives_clean_lines(text in any::<String>()) {
            for line in lines(&text) {
                prop_assert!(!line.text.chars().any(|c| c.is_control() && c != '\n'));
                prop_assert!(!line.lead.chars().any(char::is_control));
                prop_assert_eq!(line.marks.last().map_or(0, |m| m.0), line.text.len());
            }
        }
    }
}

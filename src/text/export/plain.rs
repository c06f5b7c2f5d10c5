//! Markdown as plain text: the marks go, words and paragraphs stay.

use pulldown_cmark::{Event, Tag, TagEnd};

use super::notes::at_the_end;
use super::{body, parser};

/// The text without its marks: paragraphs with an empty line between them, lists with `-` or numbers, the cells of a
/// table with tabs between them. Links and pictures are their words, footnotes stand at the end. HTML stays as it is written.
pub fn plain(markdown: &str) -> String {
    let mut page = Plain::default();
    for event in at_the_end(parser(body(markdown))) {
        page.take(event);
    }
    let mut out = page.out.trim_end().to_owned();
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

#[derive(Default)]
struct Plain {
    out: String,
    /// The number of the next entry of each open list; none for one without numbers.
    lists: Vec<Option<u64>>,
}

impl Plain {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Text(text)
            | Event::Code(text)
            | Event::Html(text)
            | Event::InlineHtml(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text) => self.words(&text),
            Event::FootnoteReference(number) => self.words(&format!("[{number}]")),
            Event::SoftBreak | Event::HardBreak => self.words("\n"),
            Event::Rule => {
                self.gap();
                self.out.push_str("* * *\n\n");
            }
            Event::TaskListMarker(done) => self.out.push_str(if done { "[x] " } else { "[ ] " }),
            Event::Start(tag) => self.begin(&tag),
            Event::End(tag) => self.end(tag),
        }
    }

    fn begin(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::List(first) => {
                self.line();
                self.lists.push(*first);
            }
            Tag::Item => self.entry(),
            Tag::Paragraph if !self.is_marked() => self.line(),
            Tag::FootnoteDefinition(number) => {
                self.gap();
                self.words(&format!("[{number}] "));
            }
            Tag::Heading { .. } | Tag::CodeBlock(_) | Tag::HtmlBlock => self.line(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::CodeBlock | TagEnd::HtmlBlock => {
                self.gap();
            }
            TagEnd::Table | TagEnd::FootnoteDefinition => self.gap(),
            TagEnd::Item | TagEnd::TableHead | TagEnd::TableRow => {
                self.out.truncate(self.out.trim_end_matches('\t').len());
                self.line();
            }
            TagEnd::TableCell => self.out.push('\t'),
            TagEnd::List(_) => {
                self.lists.pop();
                if self.lists.is_empty() {
                    self.gap();
                }
            }
            _ => {}
        }
    }

    fn entry(&mut self) {
        self.line();
        self.indent(1);
        match self.lists.last_mut() {
            Some(Some(n)) => {
                let mark = format!("{n}. ");
                *n = n.saturating_add(1);
                self.out.push_str(&mark);
            }
            _ => self.out.push_str("- "),
        }
    }

    /// Words; their further lines stand below the first in a list.
    fn words(&mut self, text: &str) {
        for (n, line) in text.split('\n').enumerate() {
            if n > 0 {
                self.out.push('\n');
            }
            if self.out.ends_with('\n') && !line.is_empty() {
                self.indent(0);
            }
            self.out.push_str(line);
        }
    }

    /// Whether what begins an entry or a footnote stands there, and nothing behind it.
    fn is_marked(&self) -> bool {
        let marks = ["- ", ". ", "] "];
        marks.iter().any(|mark| self.out.ends_with(mark))
    }

    fn indent(&mut self, less: usize) {
        let deep = self.lists.len().saturating_sub(less);
        self.out.push_str(&"  ".repeat(deep));
    }

    /// Ends the line at hand.
    fn line(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
    }

    /// Leaves one empty line behind what is there.
    fn gap(&mut self) {
        self.line();
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_go_and_paragraphs_stay() {
        let text = "---\na: b\n---\n# One\n\nTwo *three*\n**four** `five`.\n\n***\n\n> [six](https://e.org) <b>\n";
        assert_eq!(
            plain(text),
            "One\n\nTwo three\nfour five.\n\n* * *\n\nsix <b>\n"
        );
        assert_eq!(plain(""), "");
    }

    #[test]
    fn footnotes_stand_at_the_end_in_the_order_of_their_marks() {
        let text = "Ice[^1] and *snow*[^long one].\n\n[^long one]: Two words,\n    and more.\n\n    Again[^z].\n\n[^1]: Ibid.\n[^z]: Last.\n[^no]: Nobody's.\n\nRain[^1], [^none].\n";
        assert_eq!(
            plain(text),
            "Ice[1] and snow[2].\n\nRain[1], [^none].\n\n[1] Ibid.\n\n[2] Two words,\nand more.\n\nAgain[3].\n\n[3] Last.\n\n[4] Nobody's.\n"
        );
    }

    #[test]
    fn lists_and_tables_stay_readable() {
        assert_eq!(
            plain("a\n\n- b\n  - c\n- d\n\ne"),
            "a\n\n- b\n  - c\n- d\n\ne\n"
        );
        assert_eq!(plain("7. a\n8. b\n"), "7. a\n8. b\n");
        assert_eq!(plain("|a|b|\n|-|-|\n|c|d|\n\ne"), "a\tb\nc\td\n\ne\n");
        assert_eq!(plain("```\nx = 1\n\ny\n```\n\nz"), "x = 1\n\ny\n\nz\n");
    }
}

//! What of a Markdown text is prose, and where it stands.
//!
//! The prose keeps its place: all else is masked byte for byte, so that a place in one is the same place in the other.

mod address;

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Stands for markup: nothing to a reader.
pub const GONE: char = '\u{1}';
/// Stands for what is no prose but stands in it: code, an address, HTML.
pub const OPAQUE: char = '\u{2}';

/// What a block of prose is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A heading and its level, from 1.
    Heading(u8),
    /// A paragraph.
    Paragraph,
    /// The text of a list's item, or a note.
    Item,
    /// A table's cell.
    Cell,
}

/// A block of prose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// What it is.
    pub role: Role,
    /// Where it stands, in bytes.
    pub range: Range<usize>,
}

/// A text's prose.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Prose {
    /// As long as the text, with all but its prose masked by [`GONE`] and [`OPAQUE`].
    pub plain: String,
    /// The blocks, in order. Code, HTML, quotations and front matter are in none.
    pub blocks: Vec<Block>,
}

impl Prose {
    /// The masked text of a block.
    pub fn of(&self, block: &Block) -> &str {
        self.plain.get(block.range.clone()).unwrap_or_default()
    }
}

/// Finds the prose of a text.
pub fn prose(text: &str) -> Prose {
    let skipped = text.len() - text.trim_start_matches('\u{feff}').len();
    let body = text.get(skipped..).unwrap_or_default();
    let mut walk = Walk {
        text: body,
        plain: vec![GONE as u8; text.len()],
        skipped,
        blocks: Vec::new(),
        open: None,
        outside: 0,
        role: Role::Paragraph,
        lists: 0,
        address: 0,
    };
    for (event, range) in Parser::new_ext(body, options()).into_offset_iter() {
        walk.take(&event, range);
    }
    walk.close();
    let mut prose = Prose {
        plain: String::from_utf8(walk.plain).unwrap_or_default(),
        blocks: walk.blocks,
    };
    address::mask(&mut prose.plain);
    prose
}

struct Walk<'a> {
    text: &'a str,
    plain: Vec<u8>,
    /// Bytes before the text that the parser does not see.
    skipped: usize,
    blocks: Vec<Block>,
    open: Option<Block>,
    /// Depth in what is no prose.
    outside: usize,
    role: Role,
    lists: usize,
    /// Depth in links that show their own address.
    address: usize,
}

impl Walk<'_> {
    fn take(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(*tag),
            Event::Text(words) => self.words(words, range),
            Event::Code(_)
            | Event::InlineHtml(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_) => self.fill(range, OPAQUE),
            Event::SoftBreak | Event::HardBreak => self.line_break(range),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        if is_inline(tag) {
            self.address += usize::from(is_address(tag));
            return;
        }
        self.close();
        match tag {
            Tag::BlockQuote(_) | Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::MetadataBlock(_) => {
                self.outside += 1;
            }
            Tag::Heading { level, .. } => self.role = Role::Heading(depth(*level)),
            Tag::TableCell => self.role = Role::Cell,
            Tag::List(_) | Tag::FootnoteDefinition(_) => self.lists += 1,
            Tag::Paragraph | Tag::Item => self.role = self.around(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Link => {
                self.address = self.address.saturating_sub(1);
                return;
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Image => return,
            _ => {}
        }
        self.close();
        match tag {
            TagEnd::BlockQuote(_)
            | TagEnd::CodeBlock
            | TagEnd::HtmlBlock
            | TagEnd::MetadataBlock(_) => self.outside = self.outside.saturating_sub(1),
            TagEnd::List(_) | TagEnd::FootnoteDefinition => {
                self.lists = self.lists.saturating_sub(1);
            }
            _ => {}
        }
        self.role = self.around();
    }

    fn around(&self) -> Role {
        if self.lists > 0 {
            Role::Item
        } else {
            Role::Paragraph
        }
    }

    fn words(&mut self, words: &str, range: Range<usize>) {
        // An entity is written otherwise than it is read.
        if self.address > 0 || self.text.get(range.clone()) != Some(words) {
            return self.fill(range, OPAQUE);
        }
        let at = range.start + self.skipped;
        if self.reach(range) {
            for (to, from) in self.plain.iter_mut().skip(at).zip(words.bytes()) {
                *to = from;
            }
        }
    }

    fn fill(&mut self, range: Range<usize>, with: char) {
        let (at, len) = (range.start + self.skipped, range.len());
        if self.reach(range) {
            self.plain
                .iter_mut()
                .skip(at)
                .take(len)
                .for_each(|b| *b = with as u8);
        }
    }

    /// A newline stays where it is; what else belongs to the break is space.
    fn line_break(&mut self, range: Range<usize>) {
        let source = self.text.get(range.clone()).unwrap_or_default().as_bytes();
        let at = range.start + self.skipped;
        if self.outside == 0 {
            for (to, from) in self.plain.iter_mut().skip(at).zip(source) {
                *to = if *from == b'\n' { b'\n' } else { b' ' };
            }
        }
    }

    /// Makes the open block reach over a range, beginning one where none is open. False outside of prose.
    fn reach(&mut self, range: Range<usize>) -> bool {
        if self.outside > 0 {
            return false;
        }
        let (start, end) = (range.start + self.skipped, range.end + self.skipped);
        let role = self.role;
        let block = self.open.get_or_insert(Block {
            role,
            range: start..end,
        });
        block.range.end = block.range.end.max(end);
        true
    }

    fn close(&mut self) {
        self.blocks.extend(self.open.take());
    }
}

fn is_inline(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }
    )
}

/// Whether a link shows its own address. Links do not stand in links, so the end of any ends this one.
fn is_address(tag: &Tag<'_>) -> bool {
    use pulldown_cmark::LinkType::{Autolink, Email};
    matches!(
        tag,
        Tag::Link {
            link_type: Autolink | Email,
            ..
        }
    )
}

fn depth(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::*;

    /// The blocks as a reader sees them; what is opaque is a box.
    fn read(text: &str) -> Vec<(Role, String)> {
        let prose = prose(text);
        let shown = |b: &Block| {
            let plain = prose.of(b).replace(GONE, "").replace(OPAQUE, "□");
            (b.role, plain)
        };
        prose.blocks.iter().map(shown).collect()
    }

    fn words(text: &str) -> Vec<String> {
        read(text).into_iter().map(|(_, words)| words).collect()
    }

    #[test]
    fn blocks_are_told_apart() {
        use Role::{Cell, Heading, Item, Paragraph};
        let text = "\u{feff}# Title\n\nOne\ntwo.\n\n- item\n  - inner\n\n| a | b |\n|---|---|\n| c | d |\n\n灯台。";
        let roles: Vec<Role> = read(text).into_iter().map(|(role, _)| role).collect();
        assert_eq!(
            roles,
            [
                Heading(1),
                Paragraph,
                Item,
                Item,
                Cell,
                Cell,
                Cell,
                Cell,
                Paragraph
            ]
        );
        assert_eq!(words(text)[..4], ["Title", "One\ntwo.", "item", "inner"]);
    }

    #[test]
    fn code_html_quotations_and_front_matter_are_no_prose() {
        let text = "---\ntitle: x\n---\n\n> said\n\n```\ncode\n```\n\n<div>\nx\n</div>\n\nLeft.";
        assert_eq!(words(text), ["Left."]);
    }

    #[test]
    fn what_stands_in_prose_and_is_none_is_opaque() {
        assert_eq!(words("Use `x` now"), ["Use □□□ now"]);
        assert_eq!(
            words("*Say* **it** [here](http://a.b/c) &amp; there"),
            ["Say it here □□□□□ there"]
        );
        assert_eq!(
            words("<http://a.b> or http://x.y/z, or me@x.org."),
            ["□□□□□□□□□□ or □□□□□□□□□□□□, or □□□□□□□□."]
        );
    }

    #[test]
    fn lines_of_a_list_and_both_kinds_of_line_end_read_as_one_text() {
        assert_eq!(words("- one\r\n  two\r\n- three"), ["one \ntwo", "three"]);
    }

    proptest! {
        #[test]
        fn prose_stands_where_it_is_written(text in any::<String>(), more in "[a-z灯 *`#>\\[\\]()\n-]{0,80}") {
            let text = text + &more;
            let prose = prose(&text);
            prop_assert_eq!(prose.plain.len(), text.len());
            let same = prose.plain.bytes().zip(text.bytes()).all(|(p, t)| p == t || p < 3 || p == b' ' || p == b'\n');
            prop_assert!(same);
        }
    }
}

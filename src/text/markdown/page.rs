//! Takes the parser's events and makes lines of them.

use pulldown_cmark::{CowStr, Event, Tag, TagEnd};

use super::line::{Line, Mark};
use super::table::Table;

/// A break between parts of a text.
pub(super) const RULE: &str = "────────────";
const BAR: &str = "▎ ";
const CODE_INDENT: &str = "  ";

/// Lines so far, and where the parser stands.
#[derive(Debug, Default)]
pub(super) struct Page {
    done: Vec<Line>,
    open: Option<Line>,
    leads: Vec<Lead>,
    marks: Vec<Mark>,
    lists: Vec<List>,
    links: Vec<Link>,
    /// Text of a block that is taken as it is.
    raw: Option<String>,
    table: Option<Table>,
}

#[derive(Debug)]
struct List {
    /// Number of its next item; none where it has dots.
    next: Option<u64>,
    /// No item was told yet.
    begins: bool,
}

/// What stands before the rows of a quote or of a list's item.
#[derive(Debug)]
struct Lead {
    first: Option<String>,
    rest: String,
    /// Whether it is a list's item.
    item: bool,
    /// Whether it is the first of its list.
    begins: bool,
    /// How many lines were done before it.
    from: usize,
}

#[derive(Debug)]
struct Link {
    to: String,
    /// Where its text begins in the open line.
    from: usize,
}

impl Page {
    pub(super) fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text)
            | Event::Html(text)
            | Event::InlineHtml(text)
            | Event::FootnoteReference(text) => self.text(&text),
            Event::Code(code) | Event::InlineMath(code) | Event::DisplayMath(code) => {
                self.write(&format!("`{code}`"), Mark::CODE);
            }
            Event::SoftBreak | Event::HardBreak => self.write("\n", Mark::NONE),
            Event::TaskListMarker(done) => {
                self.write(if done { "[x] " } else { "[ ] " }, Mark::NONE);
            }
            Event::Rule => {
                self.block();
                self.write(RULE, Mark::DIM);
                self.flush();
            }
        }
    }

    /// Text between blocks that is part of none.
    pub(super) fn verbatim(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.block();
            self.raw_lines(text.trim_matches(['\n', '\r']), "", Mark::DIM);
        }
    }

    pub(super) fn into_lines(mut self) -> Vec<Line> {
        self.flush();
        while self.done.last().is_some_and(is_air) {
            self.done.pop();
        }
        self.done
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph => self.paragraph(),
            Tag::Heading { .. } => {
                self.block();
                self.marks.push(Mark::HEADING);
            }
            Tag::BlockQuote(_) => {
                self.block();
                self.marks.push(Mark::QUOTE);
                self.leads.push(Lead::quote(self.done.len()));
            }
            Tag::CodeBlock(_) | Tag::HtmlBlock => {
                self.block();
                self.raw = Some(String::new());
            }
            Tag::List(first) => self.list(first),
            Tag::Item => self.item(),
            Tag::Table(aligns) => {
                self.block();
                let rows = Vec::new();
                self.table = Some(Table { aligns, rows });
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.rows.push(Vec::new());
                }
            }
            Tag::TableCell => self.open = Some(Line::default()),
            Tag::Emphasis => self.marks.push(Mark::EMPHASIS),
            Tag::Strong => self.marks.push(Mark::STRONG),
            Tag::Strikethrough => self.marks.push(Mark::STRUCK),
            Tag::Link { dest_url, .. } => self.link(dest_url),
            Tag::Image { dest_url, .. } => {
                self.write("[image: ", Mark::NONE);
                self.link(dest_url);
            }
            // Extensions that are not switched on.
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => self.flush(),
            TagEnd::Heading(_) => {
                self.flush();
                self.marks.pop();
            }
            TagEnd::BlockQuote(_) => self.end_quote(),
            TagEnd::CodeBlock => self.end_raw(CODE_INDENT, Mark::CODE),
            TagEnd::HtmlBlock => self.end_raw("", Mark::NONE),
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
            }
            TagEnd::Item => self.end_item(),
            TagEnd::Table => self.end_table(),
            TagEnd::TableCell => {
                if let (Some(table), Some(cell)) = (&mut self.table, self.open.take()) {
                    table.cell(cell);
                }
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.marks.pop();
            }
            TagEnd::Link => self.end_link(""),
            TagEnd::Image => self.end_link("]"),
            _ => {}
        }
    }

    fn mark(&self) -> Mark {
        self.marks.iter().fold(Mark::NONE, |all, m| all.with(*m))
    }

    fn text(&mut self, text: &str) {
        match &mut self.raw {
            Some(raw) => raw.push_str(text),
            None => self.write(text, Mark::NONE),
        }
    }

    fn write(&mut self, text: &str, extra: Mark) {
        let mark = self.mark().with(extra);
        if self.open.is_none() {
            self.open = Some(self.new_line());
        }
        if let Some(line) = &mut self.open {
            line.push(text, mark);
        }
    }

    fn new_line(&mut self) -> Line {
        let mut line = Line::default();
        for lead in &mut self.leads {
            let first = lead.first.take();
            line.lead.push_str(first.as_deref().unwrap_or(&lead.rest));
            line.hang.push_str(&lead.rest);
        }
        line
    }

    fn flush(&mut self) {
        if let Some(line) = self.open.take() {
            self.done.push(line);
        }
    }

    /// Whether an item has begun and nothing stands in it yet.
    fn at_item_start(&self) -> Option<&Lead> {
        self.leads.iter().find(|l| l.item && l.first.is_some())
    }

    /// Begins a block: an empty line, except at the start of an item.
    fn block(&mut self) {
        self.flush();
        if self.at_item_start().is_none() {
            self.gap();
        }
    }

    /// Begins a paragraph. Inside a list it is only told when the list is loose.
    fn paragraph(&mut self) {
        self.flush();
        if self.at_item_start().is_none_or(|item| !item.begins) {
            self.gap();
        }
    }

    fn gap(&mut self) {
        if self.done.last().is_some_and(|last| !is_air(last)) {
            let air = self.air();
            self.done.push(air);
        }
    }

    /// An empty line, with the bars that stand here.
    fn air(&self) -> Line {
        let leads = self.leads.iter().take_while(|l| l.first.is_none());
        let lead: String = leads.map(|l| l.rest.as_str()).collect();
        let lead = lead.trim_end().to_owned();
        Line {
            hang: lead.clone(),
            lead,
            ..Line::default()
        }
    }

    /// Ends a quote. An empty line at its end, before a heading without words, is not its own.
    fn end_quote(&mut self) {
        self.flush();
        let from = self.leads.pop().map_or(0, |quote| quote.from);
        self.marks.pop();
        let air = self.air();
        let own = self.done.iter_mut().skip(from).next_back();
        if let Some(last) = own.filter(|last| is_air(last)) {
            *last = air;
        }
    }

    fn list(&mut self, first: Option<u64>) {
        if self.lists.is_empty() {
            self.block();
        }
        self.flush();
        self.lists.push(List {
            next: first,
            begins: true,
        });
    }

    fn item(&mut self) {
        let dot = if self.lists.len() > 1 { "◦ " } else { "• " };
        let mut marker = dot.to_owned();
        let mut begins = false;
        if let Some(list) = self.lists.last_mut() {
            begins = std::mem::take(&mut list.begins);
            if let Some(n) = &mut list.next {
                marker = format!("{n}. ");
                *n = n.saturating_add(1);
            }
        }
        self.leads.push(Lead {
            rest: " ".repeat(marker.chars().count()),
            first: Some(marker),
            item: true,
            begins,
            from: self.done.len(),
        });
    }

    fn end_item(&mut self) {
        if self.at_item_start().is_some() {
            // An empty item is seen too.
            self.write("", Mark::NONE);
        }
        self.flush();
        self.leads.pop();
    }

    fn end_raw(&mut self, indent: &str, mark: Mark) {
        let raw = self.raw.take().unwrap_or_default();
        self.raw_lines(raw.trim_end_matches(['\n', '\r']), indent, mark);
    }

    fn raw_lines(&mut self, text: &str, indent: &str, mark: Mark) {
        if text.is_empty() {
            return;
        }
        for part in text.split('\n') {
            self.write(part.trim_end_matches('\r'), mark);
            if let Some(line) = &mut self.open {
                line.lead.push_str(indent);
                line.hang.push_str(indent);
            }
            self.flush();
        }
    }

    fn end_table(&mut self) {
        for row in self.table.take().unwrap_or_default().lines() {
            let mut line = self.new_line();
            line.append(&row);
            self.done.push(line);
        }
    }

    fn link(&mut self, to: CowStr<'_>) {
        let from = self.open.as_ref().map_or(0, |line| line.text.len());
        let to = to.into_string();
        self.links.push(Link { to, from });
        self.marks.push(Mark::LINK);
    }

    fn end_link(&mut self, close: &str) {
        self.marks.pop();
        let Some(link) = self.links.pop() else {
            return;
        };
        self.write(close, Mark::NONE);
        let text = self.open.as_ref().and_then(|l| l.text.get(link.from..));
        let same = text
            .is_some_and(|text| text == link.to || link.to.strip_prefix("mailto:") == Some(text));
        if !same && !link.to.is_empty() {
            self.write(&format!(" ({})", link.to.replace('\n', " ")), Mark::DIM);
        }
    }
}

impl Lead {
    fn quote(from: usize) -> Self {
        Self {
            first: None,
            rest: BAR.to_owned(),
            item: false,
            begins: false,
            from,
        }
    }
}

/// Whether nothing is seen in a line but the bars of quotes.
fn is_air(line: &Line) -> bool {
    line.text.is_empty() && line.lead.trim_matches(['▎', ' ']).is_empty()
}

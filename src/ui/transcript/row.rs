//! Rows of the screen made from lines of text.

use std::ops::Range;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::style::{Modifier, Style};
use unicode_segmentation::UnicodeSegmentation;

use crate::text::markdown::{Line, Mark};
use crate::text::{cells, width, wrap};
use crate::ui::links::{Links, addresses};
use crate::ui::theme::Theme;

/// One row, as wide as the column at most.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Row {
    lead: String,
    runs: Vec<(String, Mark)>,
    /// It ends for want of room: the next row goes on with its line.
    pub(super) soft: bool,
    /// Bytes of its text that lead somewhere, and where to.
    links: Vec<(Range<usize>, Arc<str>)>,
}

/// Breaks a line into rows of a width in cells.
pub(super) fn rows(line: &Line, cols: usize, out: &mut Vec<Row>) {
    // A lead that would leave no room for words is cut: depth matters less than reading.
    let lead = |text: &str| fit(text, cols / 2, "");
    let (first, rest) = (lead(&line.lead), lead(&line.hang));
    let room = cols - width(&first).max(width(&rest)).min(cols);
    let linked = linked(line);
    for (i, part) in wrap(&line.text, room).into_iter().enumerate() {
        let soft = part.end < line.text.len()
            && !line
                .text
                .get(part.clone())
                .is_some_and(|t| t.ends_with('\n'));
        let links = within(&linked, &part);
        let lead = if i == 0 { &first } else { &rest };
        let runs = line
            .runs(part)
            .map(|(text, mark)| (text.trim_end_matches('\n').to_owned(), mark))
            .collect();
        out.push(Row {
            lead: lead.clone(),
            runs,
            soft,
            links,
        });
    }
}

/// Parts of a line that lead somewhere: addresses that are written out, and the words of a link before its own.
fn linked(line: &Line) -> Vec<(Range<usize>, Arc<str>)> {
    let mut out: Vec<(Range<usize>, Arc<str>)> = Vec::new();
    for at in addresses(&line.text) {
        let address: Arc<str> = line.text.get(at.clone()).unwrap_or_default().into();
        if let Some(words) = words_before(line, at.start) {
            // What the words say, an address even, is not where they lead.
            out.retain(|(other, _)| other.end <= words.start);
            out.push((words, address.clone()));
        }
        out.push((at, address));
    }
    out
}

/// The words of the link whose address begins here: `words (address)`.
fn words_before(line: &Line, address: usize) -> Option<Range<usize>> {
    let end = line.text.get(..address)?.strip_suffix(" (")?.len();
    let (mut start, mut from) = (end, 0);
    let mut runs: Vec<(Range<usize>, Mark)> = Vec::new();
    for (to, mark) in &line.marks {
        runs.push((from..*to, *mark));
        from = *to;
    }
    for (run, mark) in runs.iter().rev().skip_while(|r| r.0.start >= end) {
        if !mark.has(Mark::LINK) {
            break;
        }
        start = run.start;
    }
    (start < end).then_some(start..end)
}

/// The links of a part of the text, counted from its start.
fn within(
    linked: &[(Range<usize>, Arc<str>)],
    part: &Range<usize>,
) -> Vec<(Range<usize>, Arc<str>)> {
    let cut = |(at, to): &(Range<usize>, Arc<str>)| {
        let (start, end) = (at.start.max(part.start), at.end.min(part.end));
        (start < end).then(|| (start - part.start..end - part.start, to.clone()))
    };
    linked.iter().filter_map(cut).collect()
}

/// A text cut to a width in cells, with `end` where something was cut off.
pub(super) fn fit(text: &str, cols: usize, end: &str) -> String {
    if width(text) <= cols {
        return text.to_owned();
    }
    let room = cols.saturating_sub(width(end));
    let mut used = 0;
    let mut out: String = text
        .graphemes(true)
        .take_while(|g| {
            used += cells(g);
            used <= room
        })
        .collect();
    if width(end) <= cols {
        out.push_str(end);
    }
    out
}

impl Row {
    /// Draws the row, at most `cols` cells of it, and says where it ends.
    pub(super) fn draw(&self, buf: &mut Buffer, at: Position, cols: usize, theme: &Theme) -> u16 {
        let edge = at.x.saturating_add(u16::try_from(cols).unwrap_or(u16::MAX));
        let mut x = at.x;
        let mut put = |text: &str, style: Style| {
            let room = usize::from(edge.saturating_sub(x));
            x = write(buf, Position { x, ..at }, (text, room), style);
        };
        put(&self.lead, theme.dim);
        for (text, mark) in &self.runs {
            put(text, style(theme, *mark));
        }
        x
    }

    /// Marks the cells of a row that was drawn which lead somewhere.
    pub(super) fn link(&self, buf: &mut Buffer, at: Position, cols: usize, links: &Links) {
        if self.links.is_empty() {
            return;
        }
        let text = self.text();
        for (part, address) in &self.links {
            let Some(mark) = links.mark(address) else {
                continue;
            };
            let x = |bytes: usize| width(&self.lead) + width(text.get(..bytes).unwrap_or(&text));
            for x in x(part.start)..x(part.end).min(cols) {
                let x = at.x.saturating_add(u16::try_from(x).unwrap_or(u16::MAX));
                if let Some(cell) = buf.cell_mut((x, at.y)) {
                    cell.underline_color = mark;
                }
            }
        }
    }

    /// Its words.
    pub(super) fn text(&self) -> String {
        self.runs.iter().map(|r| r.0.as_str()).collect()
    }

    /// What it takes of the words it is a row of, counted so that no width changes the sum: blanks at the end of a row
    /// are not shown, and the end of a line is.
    pub(super) fn span(&self) -> usize {
        let runs = self.runs.iter().flat_map(|run| run.0.chars());
        runs.filter(|c| !c.is_whitespace()).count() + usize::from(!self.soft)
    }

    /// Whether it was broken for want of room alone.
    pub(super) fn is_soft(&self) -> bool {
        self.soft
    }

    /// Cells before its words, and up to their end.
    pub(super) fn extent(&self) -> (usize, usize) {
        let lead = width(&self.lead);
        (
            lead,
            lead + self.runs.iter().map(|r| width(&r.0)).sum::<usize>(),
        )
    }
}

/// Writes a text of at most so many cells and says where it ends. Letters of one cell each, nearly all of what
/// streams in many languages, need no look at their clusters.
fn write(buf: &mut Buffer, at: Position, (text, room): (&str, usize), style: Style) -> u16 {
    if !text.bytes().all(|b| matches!(b, b' '..=b'~')) {
        return buf.set_stringn(at.x, at.y, text, room, style).0;
    }
    let mut x = at.x;
    let mut letter = [0; 4];
    for c in text.chars().take(room) {
        let Some(cell) = buf.cell_mut((x, at.y)) else {
            break;
        };
        cell.set_symbol(c.encode_utf8(&mut letter)).set_style(style);
        x += 1;
    }
    x
}

fn style(theme: &Theme, mark: Mark) -> Style {
    let weights = [
        (Mark::EMPHASIS, Modifier::ITALIC),
        (Mark::STRONG, Modifier::BOLD),
        (Mark::STRUCK, Modifier::CROSSED_OUT),
        (Mark::LINK, Modifier::UNDERLINED),
    ];
    let colours = [
        (Mark::QUOTE, theme.prose.quote),
        (Mark::HEADING, theme.heading),
        (Mark::CODE, theme.prose.code),
        (Mark::DIM, theme.dim),
        (Mark::ALERT, theme.warn),
    ];
    let mut style = theme.base;
    for (_, more) in colours.iter().filter(|(m, _)| mark.has(*m)) {
        style = style.patch(*more);
    }
    for (_, more) in weights.iter().filter(|(m, _)| mark.has(*m)) {
        style = style.add_modifier(*more);
    }
    style
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Color;

    use super::*;
    use crate::text::markdown;

    #[test]
    fn what_does_not_fit_is_cut_between_clusters() {
        assert_eq!(fit("abcdef", 4, "…"), "abc…");
        assert_eq!(fit("灯台の", 4, "…"), "灯…");
        assert_eq!(fit("abc", 3, "…"), "abc");
        assert_eq!(fit("abc", 0, "…"), "");
    }

    #[test]
    fn plain_letters_are_written_as_any_others_are() {
        let style = Style::new().add_modifier(Modifier::BOLD);
        for text in [
            "",
            "lemon ",
            "a ~ b",
            "longer than the room there is",
            "tab\t",
            "灯",
        ] {
            for room in [0, 3, 30] {
                let mut ours = Buffer::empty(ratatui::layout::Rect::new(0, 0, 12, 2));
                let mut theirs = ours.clone();
                let end = write(&mut ours, Position { x: 2, y: 1 }, (text, room), style);
                assert_eq!(end, theirs.set_stringn(2, 1, text, room, style).0, "{text}");
                assert_eq!(ours, theirs, "{text}");
            }
        }
    }

    #[test]
    fn a_lead_never_takes_more_than_half_the_row() {
        let mut line = Line::of("some words here", Mark::NONE);
        line.lead = "▎ ".repeat(40);
        line.hang.clone_from(&line.lead);
        let mut out = Vec::new();
        rows(&line, 20, &mut out);
        assert!(out.len() <= 2 && out.iter().all(|r| width(&r.lead) <= 10));
    }

    #[test]
    fn words_of_a_link_lead_where_it_says_behind_them() {
        let line =
            markdown::lines("see [the *sea*](https://s.ea/x) and [https://good](https://bad)")
                .remove(0);
        let got: Vec<_> = linked(&line)
            .into_iter()
            .map(|(at, to)| {
                (
                    line.text.get(at).unwrap_or_default().to_owned(),
                    to.to_string(),
                )
            })
            .collect();
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            got,
            [
                pair("the sea", "https://s.ea/x"),
                pair("https://s.ea/x", "https://s.ea/x"),
                pair("https://good", "https://bad"),
                pair("https://bad", "https://bad"),
            ]
        );
    }

    #[test]
    fn a_link_on_several_rows_is_one() {
        let line = Line::of("go https://a.example/a-long-way here", Mark::NONE);
        let mut out = Vec::new();
        rows(&line, 12, &mut out);
        let (links, mut buf) = (Links::new(true), Buffer::empty(Rect::new(0, 0, 12, 9)));
        let theme = Theme::default();
        for (row, y) in out.iter().zip(0..) {
            let at = Position { x: 0, y };
            row.draw(&mut buf, at, 12, &theme);
            row.link(&mut buf, at, 12, &links);
        }
        let mark = links.mark("https://a.example/a-long-way");
        let marked = buf
            .content
            .iter()
            .filter(|c| c.underline_color != Color::Reset);
        let cells: Vec<_> = marked.map(|c| Some(c.underline_color)).collect();
        assert_eq!(cells.len(), "https://a.example/a-long-way".len());
        assert!(cells.iter().all(|c| *c == mark));
    }
}

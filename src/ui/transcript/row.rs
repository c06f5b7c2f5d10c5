//! Rows of the screen made from lines of text.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::style::{Modifier, Style};
use unicode_segmentation::UnicodeSegmentation;

use crate::text::markdown::{Line, Mark};
use crate::text::{cells, width, wrap};
use crate::ui::theme::Theme;

/// One row, as wide as the column at most.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Row {
    lead: String,
    runs: Vec<(String, Mark)>,
}

/// Breaks a line into rows of a width in cells.
pub(super) fn rows(line: &Line, cols: usize, out: &mut Vec<Row>) {
    // A lead that would leave no room for words is cut: depth matters less than reading.
    let lead = |text: &str| fit(text, cols / 2, "");
    let (first, rest) = (lead(&line.lead), lead(&line.hang));
    let room = cols - width(&first).max(width(&rest)).min(cols);
    for (i, part) in wrap(&line.text, room).into_iter().enumerate() {
        let lead = if i == 0 { &first } else { &rest };
        let runs = line
            .runs(part)
            .map(|(text, mark)| (text.trim_end_matches('\n').to_owned(), mark))
            .collect();
        out.push(Row {
            lead: lead.clone(),
            runs,
        });
    }
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
        (Mark::QUOTE, theme.quote),
        (Mark::HEADING, theme.heading),
        (Mark::CODE, theme.code),
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
    use super::*;

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
}

//! The panes: the drawer, the list, the page of the open session, the status line.

pub mod brief;
pub mod changes;
pub mod compare;
pub mod draft;
pub mod drawer;
pub mod hints;
pub mod list;
pub mod memory;
pub mod page;
pub mod sheet;
pub mod shelf;
pub mod status;
pub mod strip;
pub mod versions;
pub mod view;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;

use super::theme::Theme;
use crate::domain::State;
use crate::text::{cells, width, wrap};

/// What a turn does that was told to stop and has not ended yet.
pub const STOPPING: &str = "stopping…";

/// Behind the title of the main line of a family.
pub const MAIN: &str = " ★";

/// The sign of a state and its style. The word beside it says the same.
pub fn sign(state: State, theme: &Theme) -> (&'static str, Style) {
    match state {
        State::NeedsYou => ("!", theme.warn),
        State::Writing => ("●", theme.accent),
        State::Queued => ("○", theme.dim),
        State::Unread => ("✓", theme.ok),
        State::Failed => ("✗", theme.warn),
        State::Lost => ("◌", theme.dim),
        State::Interrupted => ("■", theme.dim),
        State::Idle => (" ", theme.dim),
    }
}

/// The word of a state, for people; none for one that is idle.
pub fn word(state: State) -> Option<&'static str> {
    Some(match state {
        State::NeedsYou => "needs you",
        State::Writing => "writing",
        State::Queued => "queued",
        State::Unread => "unread",
        State::Failed => "failed",
        State::Lost => "lost",
        State::Interrupted => "interrupted",
        State::Idle => return None,
    })
}

/// A span of milliseconds in whole seconds, the one that has begun counted: `12 s`.
pub fn seconds(ms: i64) -> String {
    format!("{} s", ms.max(0).saturating_add(999) / 1_000)
}

/// A span of milliseconds in its largest unit: `40 s`, `3 min`, `2 h`.
pub fn about(ms: i64) -> String {
    let s = ms.max(0) / 1_000;
    match (s / 3_600, s / 60) {
        (0, 0) => format!("{s} s"),
        (0, min) => format!("{min} min"),
        (h, _) => format!("{h} h"),
    }
}

/// How long ago something was, as short as can be: `now`, `5 m`, `2 h`, `3 d`, `2 y`.
pub fn age(ms: i64) -> String {
    let min = ms.max(0) / 60_000;
    match (min / 525_600, min / 1_440, min / 60) {
        (0, 0, 0) if min == 0 => "now".to_owned(),
        (0, 0, 0) => format!("{min} m"),
        (0, 0, h) => format!("{h} h"),
        (0, d, _) => format!("{d} d"),
        (y, _, _) => format!("{y} y"),
    }
}

/// A text cut to a number of cells, with `…` where something was cut.
pub fn cut(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 0;
    for grapheme in text.graphemes(true) {
        used += cells(grapheme);
        if used + 1 > room {
            break;
        }
        out.push_str(grapheme);
    }
    if room > 0 {
        out.push('…');
    }
    out
}

/// A path cut to a number of cells from the front, folder by folder: its end tells it from others.
pub fn cut_path(path: &str, room: usize) -> String {
    let mut rest = path;
    while width(rest) + 2 > room || rest.len() == path.len() {
        if width(path) <= room {
            return path.to_owned();
        }
        match rest.trim_start_matches('/').split_once('/') {
            Some((_, after)) => rest = after,
            None => return cut(rest.trim_start_matches('/'), room),
        }
    }
    format!("…/{rest}")
}

/// Draws one row: the left part cut where the right one begins, with a space between.
pub fn row(area: Rect, buf: &mut Buffer, left: Line<'_>, right: &Line<'_>) {
    let all = area.width as usize;
    let taken = line_width(right);
    let right_fits = taken > 0 && taken < all;
    let room = if right_fits { all - taken - 1 } else { all };
    let left = cut_line(left, room);
    buf.set_line(area.x, area.y, &left, area.width);
    if right_fits {
        let x = area.right() - u16::try_from(taken).unwrap_or(area.width);
        buf.set_line(x, area.y, right, area.right() - x);
    }
}

/// Cells that a line takes.
fn line_width(line: &Line<'_>) -> usize {
    line.spans.iter().map(|s| width(&s.content)).sum()
}

fn cut_line(line: Line<'_>, room: usize) -> Line<'_> {
    if line_width(&line) <= room {
        return line;
    }
    let mut left = room;
    let mut spans = Vec::new();
    for span in line.spans {
        let content = cut(&span.content, left);
        let whole = width(&span.content) <= left;
        left = left.saturating_sub(width(&content));
        spans.push(Span::styled(content, span.style));
        if !whole || left == 0 {
            break;
        }
    }
    Line::from(spans)
}

/// An area with a margin of one cell at both sides, where there is room for it.
pub fn inset(area: Rect) -> Rect {
    let margin = u16::from(area.width > 4);
    Rect {
        x: area.x + margin,
        width: area.width - 2 * margin,
        ..area
    }
}

/// The first row of an area, and the rows under it and an empty one.
pub fn headed(area: Rect) -> (Rect, Rect) {
    let head = Rect {
        height: area.height.min(1),
        ..area
    };
    let used = area.height.min(2);
    let rest = Rect {
        y: area.y + used,
        height: area.height - used,
        ..area
    };
    (head, rest)
}

/// A few lines in the middle third of an empty place: what it is for, and the key to begin.
pub fn empty(area: Rect, buf: &mut Buffer, theme: &Theme, lines: &[String]) {
    let cols = (area.width as usize).max(1);
    let rows: Vec<&str> = lines.iter().flat_map(|text| wrapped(text, cols)).collect();
    let spare = (area.height as usize).saturating_sub(rows.len());
    let skip = spare.min((area.height / 4) as usize);
    for (text, at) in rows.into_iter().zip(area.rows().skip(skip)) {
        let text = cut(text, at.width as usize);
        let lead = (at.width as usize).saturating_sub(width(&text)) / 2;
        let x = at.x + u16::try_from(lead).unwrap_or(0);
        buf.set_stringn(x, at.y, text, at.width as usize, theme.dim);
    }
}

/// A line on the rows it needs; an empty one needs one too.
pub fn wrapped(text: &str, cols: usize) -> Vec<&str> {
    if text.is_empty() {
        return vec![""];
    }
    let rows = wrap(text, cols).into_iter();
    rows.filter_map(|r| text.get(r).map(str::trim_end))
        .collect()
}

/// Style of a pane's title: the accent says that the writer is here.
pub fn title_style(theme: &Theme, here: bool) -> Style {
    if here { theme.accent } else { theme.heading }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_says_so_and_keeps_whole_characters() {
        assert_eq!(cut("afternoon", 5), "afte…");
        assert_eq!(cut("日本語", 4), "日…");
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abc", 0), "");
    }

    #[test]
    fn a_path_loses_its_first_folders() {
        assert_eq!(cut_path("~/novel", 10), "~/novel");
        assert_eq!(cut_path("/home/ann/books/novel", 14), "…/books/novel");
        assert_eq!(cut_path("/home/ann/books/novel", 10), "…/novel");
        assert_eq!(cut_path("/home/ann/a-long-name", 8), "a-long-…");
        assert_eq!(cut_path("/", 0), "");
    }

    #[test]
    fn an_age_is_told_in_its_largest_unit() {
        let min = 60_000;
        for (ms, text) in [
            (-5, "now"),
            (59_999, "now"),
            (5 * min, "5 m"),
            (125 * min, "2 h"),
            (3 * 1_440 * min, "3 d"),
            (800 * 1_440 * min, "2 y"),
        ] {
            assert_eq!(age(ms), text);
        }
    }

    #[test]
    fn a_row_gives_way_to_its_right_part() {
        let area = Rect::new(0, 0, 12, 1);
        let mut buf = Buffer::empty(area);
        row(
            area,
            &mut buf,
            Line::from("A long title"),
            &Line::from("12 w"),
        );
        let shown: String = buf
            .content
            .iter()
            .map(ratatui::buffer::Cell::symbol)
            .collect();
        assert_eq!(shown, "A long… 12 w");
    }
}

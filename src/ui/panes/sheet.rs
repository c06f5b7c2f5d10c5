//! The sheet that views are drawn on: columns of words with what went and what came, and what stands above them.

use std::ops::RangeInclusive;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;

use super::inset;
use crate::text::{cells, counted, thousands};
use crate::ui::app::App;
use crate::ui::compare::Side;
use crate::ui::compare::laid::{Cells, Stand};
use crate::ui::compare::paper::Paper;
use crate::ui::compare::runs::{self, Look};
use crate::ui::theme::Theme;

/// Cells of the widest column of text.
const COLUMN: u16 = 76;
/// Cells of the widest page of one column.
const WIDEST: u16 = 96;
/// Cells before the words: where the writer is, what the paragraph is, a space.
const LEAD: u16 = 3;
/// Cells between two columns: a space, the rule, a space.
const BETWEEN: u16 = 3;
/// Cells that a sheet has at least: with fewer it has no margin, and two texts cannot stand beside each other.
pub const LEAST: u16 = 24;
/// A narrower view has its list above the page.
const LIST_FROM: u16 = 72;

/// Signs of a paragraph that one text alone has.
const ONE_SIDED: [&str; 2] = ["−", "+"];

/// `Compare · difference 2 of 5`, and the words that came and went.
pub fn told(paper: &Paper, theme: &Theme, title: &str) -> (Line<'static>, Line<'static>) {
    let mut left = vec![Span::styled(title.to_owned(), theme.accent)];
    if !paper.is_here {
        return (Line::from(left), Line::default());
    }
    let text = match paper.count() {
        (_, 0) if paper.both.left == paper.both.right => " · no difference".to_owned(),
        (_, 0) => " · only line ends or empty lines differ".to_owned(),
        (0, many) => format!(" · {}", counted(many as u64, "difference")),
        (n, many) => format!(" · difference {n} of {many}"),
    };
    left.push(Span::styled(text, theme.dim));
    let (added, removed) = paper.words();
    let right = format!("+{} −{} words", thousands(added), thousands(removed));
    (Line::from(left), Line::from(Span::styled(right, theme.dim)))
}

/// Why there is nothing to be seen yet.
pub fn missing(app: &App, sides: &[Side]) -> Option<String> {
    let texts = &app.desks.views.texts;
    let lacks = sides.iter().find(|s| texts.text(**s).is_none())?;
    let wrong = texts.get(*lacks).and_then(|k| k.wrong.clone());
    Some(match wrong {
        Some(why) => why,
        None if app.has_host() => "The text is being read…".to_owned(),
        None => "The text comes when the host is there.".to_owned(),
    })
}

/// The first rows of an area, and the rest.
pub fn split(area: Rect, rows: u16) -> (Rect, Rect) {
    let rows = rows.min(area.height);
    let head = Rect {
        height: rows,
        ..area
    };
    let body = Rect {
        y: area.y + rows,
        height: area.height - rows,
        ..area
    };
    (head, body)
}

/// A page of one column in the middle, where there is more room than it needs.
pub fn column(area: Rect) -> Rect {
    let width = area.width.min(WIDEST);
    Rect {
        x: area.x + (area.width - width) / 2,
        width,
        ..area
    }
}

/// A list, a rule and a page beside it; where that is too narrow, the list above the page.
pub fn divide(area: Rect) -> (Rect, Rect, Rect) {
    if area.width < LIST_FROM {
        let (list, page) = split(area, (area.height / 3).max(4));
        let none = Rect {
            width: 0,
            height: 0,
            ..area
        };
        return (inset(list), none, page);
    }
    let wide = (area.width * 2 / 5).clamp(34, 52);
    let list = Rect {
        width: wide,
        ..area
    };
    let rule = Rect {
        x: area.x + wide,
        width: 1,
        ..area
    };
    let page = Rect {
        x: area.x + wide + 1,
        width: area.width - wide - 1,
        ..area
    };
    (inset(list), rule, page)
}

/// Where columns of words lie.
#[derive(Clone, Copy, Debug)]
pub struct Sheet {
    /// All of it, the lead included.
    pub area: Rect,
    /// How the texts stand.
    pub stand: Stand,
    /// Cells of a column.
    pub cols: u16,
}

impl Sheet {
    /// In the middle of an area.
    pub fn of(area: Rect, stand: Stand) -> Self {
        let margin = u16::from(area.width >= LEAST);
        let room = area.width.saturating_sub(2 * margin + LEAD);
        let (cols, width) = if stand == Stand::Beside {
            let cols = (room.saturating_sub(BETWEEN) / 2).min(COLUMN);
            (cols, LEAD + 2 * cols + BETWEEN)
        } else {
            let cols = room.min(COLUMN);
            (cols, LEAD + cols)
        };
        let width = width.min(area.width);
        let area = Rect {
            x: area.x + (area.width - width) / 2,
            width,
            ..area
        };
        Self { area, stand, cols }
    }

    /// The columns of a row, without what stands before them.
    pub(super) fn columns(&self, at: Rect) -> [Rect; 2] {
        let left = at.x + LEAD.min(at.width);
        let right = left + self.cols + BETWEEN;
        [left, right].map(|x| Rect {
            x,
            width: self.cols.min(at.right().saturating_sub(x)),
            ..at
        })
    }

    pub(super) fn rule(&self, at: Rect, buf: &mut Buffer, theme: &Theme) {
        let x = at.x + LEAD + self.cols + 1;
        if x < at.right() {
            buf.set_stringn(x, at.y, "│", 1, theme.rule);
        }
    }

    /// Draws a page; `signs` gives a sign of its own to a pair.
    pub fn draw(
        &self,
        body: Rect,
        buf: &mut Buffer,
        theme: &Theme,
        paper: &mut Paper,
        chosen: &RangeInclusive<usize>,
        signs: impl Fn(usize) -> Option<&'static str>,
    ) {
        let rows = paper.rows(self.stand, self.cols.into(), body.height.into());
        let mut last = None;
        for ((block, cells), at) in rows.into_iter().zip(body.rows()) {
            let is_gap = cells == Cells::default();
            if chosen.contains(&block) && !is_gap {
                buf.set_stringn(at.x, at.y, "▌", at.width.into(), theme.accent);
            }
            let own = signs(block).filter(|_| last != Some(block));
            let sign = if is_gap {
                " "
            } else {
                own.unwrap_or(cells.sign)
            };
            last = Some(block);
            if at.width > 1 {
                buf.set_stringn(at.x + 1, at.y, sign, 1, theme.accent);
            }
            // What was decided does not tell whether the words go or come.
            if own.is_some() && at.width > 2 && ONE_SIDED.contains(&cells.sign) {
                buf.set_stringn(at.x + 2, at.y, cells.sign, 1, theme.accent);
            }
            let [left, right] = self.columns(at);
            words(left, buf, theme, &cells.left);
            if self.stand == Stand::Beside {
                words(right, buf, theme, &cells.right);
            }
        }
        if self.stand == Stand::Beside {
            body.rows().for_each(|at| self.rule(at, buf, theme));
        }
    }
}

/// Draws a row of words.
fn words(at: Rect, buf: &mut Buffer, theme: &Theme, runs: &runs::Row) {
    let mut x = at.x;
    for (text, look) in runs {
        let style = style(*look, theme);
        for grapheme in text.graphemes(true) {
            let room = usize::from(at.right().saturating_sub(x));
            if cells(grapheme) > room {
                return;
            }
            (x, _) = buf.set_stringn(x, at.y, grapheme, room, style);
        }
    }
}

pub(super) fn style(look: Look, theme: &Theme) -> Style {
    match look {
        Look::Plain => theme.base,
        Look::Alone | Look::Came => theme.accent.add_modifier(Modifier::UNDERLINED),
        Look::Gone => theme.dim.add_modifier(Modifier::CROSSED_OUT),
        Look::Note => theme.dim,
    }
}

//! The visible rows of a draft, put on the screen. The caret's row is kept off the edges.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};

use super::editor::Editor;
use super::glyph::glyphs;
use super::layout::RowAt;
use super::marks::{self, Look};
use super::never::Never;
use crate::ui::theme::Theme;

/// Rows above the caret at most, while there is text above.
const ABOVE: usize = 3;
/// What stands beside rows that somebody else changed.
const NEWS: &str = "▎";

/// What is found, and which of it is chosen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found<'a> {
    /// Ranges of the text, in order.
    pub all: &'a [Range<usize>],
    /// The chosen one.
    pub at: Option<usize>,
    /// Ranges with what the writer's voice forbids, in order.
    pub never: &'a [Range<usize>],
}

impl Editor {
    /// Draws, and says where on the screen the caret belongs; what somebody else changed comes into sight when the
    /// writer is elsewhere.
    pub fn draw(
        &mut self,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
        focused: bool,
        found: Found<'_>,
        never: &mut Never,
    ) -> Option<Position> {
        let area = area.intersection(buf.area);
        if area.is_empty() {
            return None;
        }
        self.layout.fit(usize::from(area.width), &self.words);
        self.page.tall = usize::from(area.height);
        let spot = self.spot();
        self.keep_on_page();
        let turned = self
            .page
            .turned
            .is_some_and(|n| focused || n >= self.news.len());
        match self.news.last().filter(|_| !focused) {
            _ if turned => {}
            Some(news) => {
                let news = self.layout.spot(&self.words, news.start, false);
                self.keep_in_sight(news.at);
            }
            None => self.show_caret(spot.at),
        }
        let lines = self.lines_in_sight();
        let found = Found {
            never: never.look(&self.words, lines),
            ..found
        };
        let mut row = Some(self.page.top);
        let mut caret = None;
        for y in area.top()..area.bottom() {
            let Some(at) = row else { break };
            let line = Rect {
                y,
                height: 1,
                ..area
            };
            self.draw_row(at, line, buf, theme, found);
            if at == spot.at {
                self.page.above = usize::from(y - area.top());
                let x = u16::try_from(spot.x).unwrap_or(u16::MAX);
                caret = Some(Position::new(area.x + x.min(area.width - 1), y));
            }
            row = self.layout.below(&self.words, at);
        }
        caret.filter(|_| focused)
    }

    /// The lines of which a row is on the page.
    fn lines_in_sight(&mut self) -> Range<usize> {
        let first = self.page.top.line;
        let (mut end, mut rows) = (first, 0);
        while rows < self.page.tall + self.page.top.row && end < self.words.lines() {
            rows += self.layout.rows(&self.words, end).len();
            end += 1;
        }
        first..end
    }

    /// The caret's row comes into sight, where it was on the page when the draft was left.
    fn show_caret(&mut self, row: RowAt) {
        if let Some(above) = self.page.wanted.take() {
            self.page.top = self.back(row, above.min(self.page.tall.saturating_sub(1)));
        }
        self.keep_in_sight(row);
    }

    /// Scrolls as little as keeps a row off the edges: a third of the page is kept below it.
    fn keep_in_sight(&mut self, row: RowAt) {
        let (lowest, above) = (self.page.lowest(), ABOVE.min(self.page.tall / 6));
        if self.caret.rests {
            let top = RowAt::default();
            let seen = self.layout.between(&self.words, top, row, self.page.tall);
            if seen.is_some_and(|n| n < self.page.tall) {
                self.page.top = top;
                return;
            }
        }
        match self
            .layout
            .between(&self.words, self.page.top, row, self.page.tall * 2)
        {
            Some(n) if n > lowest => self.page.top = self.back(row, lowest),
            Some(n) if n < above => self.page.top = self.back(row, above),
            Some(_) => {}
            None if row < self.page.top => self.page.top = self.back(row, above),
            None => self.page.top = self.back(row, self.page.tall / 3),
        }
    }

    /// The page begins with a row that there is: the text may be shorter, and the rows longer, than they were.
    fn keep_on_page(&mut self) {
        self.page.top.line = self.page.top.line.min(self.words.lines().saturating_sub(1));
        let rows = self.layout.rows(&self.words, self.page.top.line).len();
        self.page.top.row = self.page.top.row.min(rows.saturating_sub(1));
    }

    /// Some rows up from a row, as far as there are any.
    pub(super) fn back(&mut self, from: RowAt, by: usize) -> RowAt {
        let mut at = from;
        for _ in 0..by {
            match self.layout.above(&self.words, at) {
                Some(above) => at = above,
                None => break,
            }
        }
        at
    }

    fn draw_row(
        &mut self,
        at: RowAt,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
        found: Found<'_>,
    ) {
        let line = self.words.line(at.line);
        let row = self.layout.bytes(&self.words, at);
        let text = self.words.slice(row.clone());
        let looks = self.looks(&line, &row);
        let selected = self.selection().unwrap_or_default();
        let first = found.all.partition_point(|r| r.end <= row.start);
        let hits = found.all.get(first..).unwrap_or_default();
        let hits: Vec<_> = hits.iter().take_while(|r| r.start < row.end).collect();
        let mut x = area.x;
        for glyph in glyphs(&text) {
            let here = row.start + glyph.at;
            let mut style = looks
                .iter()
                .filter(|(part, _)| part.contains(&here))
                .fold(theme.base, |style, (_, look)| style.patch(of(*look, theme)));
            let forbidden = found.never.partition_point(|r| r.end <= here);
            if found
                .never
                .get(forbidden)
                .is_some_and(|r| r.contains(&here))
            {
                style = style.patch(theme.prose.never);
            }
            if let Some(hit) = hits.iter().position(|r| r.contains(&here)) {
                let chosen = found.at == Some(first + hit);
                style = style.patch(hit_style(chosen, theme));
            }
            if selected.contains(&here) {
                style = style.patch(theme.selected);
            }
            let room = usize::from(area.right().saturating_sub(x));
            (x, _) = buf.set_stringn(x, area.y, &glyph.shown, room, style);
        }
        if selected.contains(&row.end) && row.end == line.end && x < area.right() {
            buf.set_stringn(x, area.y, " ", 1, theme.selected);
        }
        let is_news = |n: &Range<usize>| n.start <= row.end && n.end > row.start;
        if self.news.iter().any(is_news) && area.x >= buf.area.x + 2 {
            buf.set_stringn(area.x - 2, area.y, NEWS, 1, theme.accent);
        }
    }

    /// The looks of a row's parts, by bytes of the text.
    fn looks(&self, line: &Range<usize>, row: &Range<usize>) -> Vec<(Range<usize>, Look)> {
        if line.len() > marks::LONG {
            return Vec::new();
        }
        let text = self.words.slice(line.clone());
        let all = marks::marks(&text).into_iter();
        all.map(|(at, look)| (line.start + at.start..line.start + at.end, look))
            .filter(|(at, _)| at.start < row.end && at.end > row.start)
            .collect()
    }
}

fn of(look: Look, theme: &Theme) -> Style {
    match look {
        Look::Heading => theme.heading,
        Look::Strong => Style::new().add_modifier(Modifier::BOLD),
        Look::Emphasis => Style::new().add_modifier(Modifier::ITALIC),
        Look::Code => theme.prose.code,
        Look::Quote | Look::Sign => theme.dim,
    }
}

fn hit_style(chosen: bool, theme: &Theme) -> Style {
    if chosen {
        theme.selected.add_modifier(Modifier::BOLD)
    } else {
        Style::new().add_modifier(Modifier::UNDERLINED)
    }
}

//! Two texts side by side, where the writer and somebody else changed the same paragraphs.

use std::ops::Range;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;
use unicode_segmentation::UnicodeSegmentation;

use super::sheet::sheet;
use super::{Layer, Next, Wish};
use crate::domain::SessionId;
use crate::text::{cells, clean, wrap};
use crate::ui::app::App;
use crate::ui::draft::{Pair, Word, words};
use crate::ui::theme::Theme;

/// Cells of both texts together.
const WIDTH: u16 = 150;

/// The pairs of paragraphs that differ.
#[derive(Debug)]
pub struct Both {
    session: SessionId,
    who: String,
    pairs: Vec<Pair>,
    at: usize,
    top: usize,
}

impl Both {
    /// The pairs of a session's draft and of what `who` wrote; the one at the caret is shown first.
    pub fn new(session: SessionId, who: &str, pairs: Vec<Pair>, caret: usize) -> Self {
        let at = pairs.partition_point(|p| p.at.end < caret);
        Self {
            session,
            who: who.to_owned(),
            at: at.min(pairs.len().saturating_sub(1)),
            pairs,
            top: 0,
        }
    }

    fn go(&mut self, by: isize) -> Next {
        let last = self.pairs.len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
        self.top = 0;
        Next::Stay
    }

    /// Rows that the longer text of the pair needs, as far as the screen has them.
    fn height(&self, screen: Rect) -> u16 {
        let cols = usize::from(WIDTH.min(screen.width.saturating_sub(4)).saturating_sub(3) / 2);
        let rows = |text: &String| wrap(text, cols).len();
        let pair = self.pairs.get(self.at);
        let tall = pair.map_or(1, |p| rows(&p.mine).max(rows(&p.theirs)) + 2);
        let most = screen.height.saturating_sub(8).max(4);
        u16::try_from(tall).unwrap_or(most).min(most)
    }

    /// Takes their paragraph; those behind it move.
    fn take(&mut self) -> Next {
        if self.at >= self.pairs.len() {
            return Next::Close;
        }
        let taken = self.pairs.remove(self.at);
        let moved = |at: usize| at - taken.mine.len() + taken.theirs.len();
        for pair in self.pairs.iter_mut().skip(self.at) {
            pair.at = moved(pair.at.start)..moved(pair.at.end);
        }
        self.at = self.at.min(self.pairs.len().saturating_sub(1));
        self.top = 0;
        Next::Keep(Wish::Take(self.session, taken))
    }
}

impl Layer for Both {
    fn press(&mut self, key: KeyEvent, _: &App) -> Next {
        match key.code {
            KeyCode::Esc | KeyCode::Char('q') => Next::Close,
            KeyCode::Char('k') => Next::Then(Wish::KeepMine(self.session)),
            KeyCode::Enter | KeyCode::Char('t') => self.take(),
            KeyCode::Left | KeyCode::Char('p') => self.go(-1),
            KeyCode::Right | KeyCode::Char('n') => self.go(1),
            KeyCode::Down | KeyCode::PageDown => {
                self.top += 1;
                Next::Stay
            }
            KeyCode::Up | KeyCode::PageUp => {
                self.top = self.top.saturating_sub(1);
                Next::Stay
            }
            _ => Next::Stay,
        }
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let title = match self.pairs.len() {
            0 => "Both texts are the same now".to_owned(),
            n => format!("Both texts · {} of {n}", self.at + 1),
        };
        let foot = "Enter takes theirs · k keeps yours · n p other paragraphs · Esc closes";
        let height = self.height(screen);
        let room = sheet(screen, buf, theme, (WIDTH, height), (&title, foot));
        let Some(pair) = self.pairs.get(self.at) else {
            buf.set_stringn(
                room.x,
                room.y,
                "k or Esc closes.",
                room.width as usize,
                theme.dim,
            );
            return None;
        };
        let gap = 3.min(room.width);
        let half = (room.width - gap) / 2;
        let right = room.x + half + gap;
        let sides = [
            (room.x, "Yours, in the draft".to_owned(), &pair.mine),
            (right, format!("By {}", self.who), &pair.theirs),
        ];
        let marked = words(&pair.mine, &pair.theirs);
        let mut tall = 0;
        for ((x, label, text), marks) in sides.into_iter().zip(marked) {
            let side = Rect {
                x,
                width: half,
                ..room
            };
            buf.set_stringn(x, side.y, label, half as usize, theme.heading);
            tall = tall.max(paragraph(side, buf, theme, text, &marks, self.top));
        }
        for at in room.rows().skip(1).filter(|_| gap > 1) {
            buf.set_stringn(right - 2, at.y, "│", 1, theme.rule);
        }
        self.top = self.top.min(tall.saturating_sub(1));
        None
    }
}

/// Draws a text below its label, what is in this one alone underlined and bold; says how many rows it has.
fn paragraph(
    side: Rect,
    buf: &mut Buffer,
    theme: &Theme,
    text: &str,
    marks: &[Word],
    top: usize,
) -> usize {
    let area = Rect {
        y: side.y + 2.min(side.height),
        height: side.height.saturating_sub(2),
        ..side
    };
    if text.is_empty() {
        let text = "nothing stands here";
        buf.set_stringn(area.x, area.y, text, area.width as usize, theme.dim);
        return 1;
    }
    let rows: Vec<Range<usize>> = wrap(text, area.width as usize);
    let many = rows.len();
    for (row, at) in rows.into_iter().skip(top).zip(area.rows()) {
        let mut x = at.x;
        let part = text.get(row.clone()).unwrap_or_default();
        for (i, grapheme) in part.grapheme_indices(true) {
            if matches!(grapheme, "\n" | "\r\n") {
                continue;
            }
            let alone = |(r, alone): &&Word| *alone && r.contains(&(row.start + i));
            let style = match marks.iter().find(alone) {
                Some(_) => theme.accent.add_modifier(Modifier::UNDERLINED),
                None => theme.base,
            };
            let room = usize::from(at.right().saturating_sub(x));
            if cells(grapheme) > room {
                break;
            }
            let shown = clean(grapheme).replace('\n', "⏎").replace('\t', " ");
            (x, _) = buf.set_stringn(x, at.y, shown, room, style);
        }
    }
    many
}

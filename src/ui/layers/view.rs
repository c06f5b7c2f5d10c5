//! A whole text to read: a question as it was asked, with its answers at hand.

use std::ops::Range;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::sheet::sheet;
use super::{Layer, Next, Wish};
use crate::domain::SessionId;
use crate::domain::event::Answer;
use crate::text::{clean, wrap};
use crate::ui::app::App;

/// Cells of its text.
const WIDTH: u16 = 72;

/// The text.
#[derive(Debug)]
pub struct View {
    title: String,
    text: String,
    rows: Vec<Range<usize>>,
    cols: u16,
    top: usize,
    page: usize,
    /// The question it is.
    question: Option<(SessionId, String)>,
}

impl View {
    /// A text under a title.
    pub fn new(title: &str, text: &str) -> Self {
        Self {
            title: title.to_owned(),
            text: clean(text).replace('\t', "    "),
            rows: Vec::new(),
            cols: 0,
            top: 0,
            page: 1,
            question: None,
        }
    }

    /// The same as a question, to be answered here.
    #[must_use]
    pub fn asks(mut self, session: SessionId, call: &str) -> Self {
        self.question = Some((session, call.to_owned()));
        self
    }

    fn answer(&self, answer: Answer) -> Next {
        match self.question.clone() {
            Some((session, call)) => Next::Then(Wish::Answer(session, call, answer)),
            None => Next::Stay,
        }
    }
}

impl Layer for View {
    fn press(&mut self, key: KeyEvent, app: &App) -> Next {
        let armed = |(s, call): &(SessionId, String)| app.questions.is_armed(*s, call, app.now());
        let armed = self.question.as_ref().is_some_and(armed);
        self.top = match key.code {
            KeyCode::Down | KeyCode::Char('j') => self.top.saturating_add(1),
            KeyCode::Up | KeyCode::Char('k') => self.top.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.top.saturating_add(self.page),
            KeyCode::PageUp => self.top.saturating_sub(self.page),
            KeyCode::Home => 0,
            KeyCode::End => usize::MAX,
            KeyCode::Char('1') if armed => return self.answer(Answer::Once),
            KeyCode::Char('2') if armed => return self.answer(Answer::Session),
            KeyCode::Char('3') if armed => return self.answer(Answer::Deny),
            KeyCode::Char('y') => return Next::Keep(Wish::Copy(self.text.clone())),
            KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q') => return Next::Close,
            _ => self.top,
        };
        Next::Stay
    }

    fn is_void(&self, app: &App) -> bool {
        let gone = |(s, call): &(SessionId, String)| !app.still_asks(*s, call);
        self.question.as_ref().is_some_and(gone)
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let cols = WIDTH.min(screen.width.saturating_sub(4)).max(1);
        if self.cols != cols {
            self.cols = cols;
            self.rows = wrap(&self.text, cols as usize);
        }
        let foot = match self.question {
            Some(_) => "1 once · 2 for this session · 3 no · Esc closes",
            None => "y copies · Esc closes",
        };
        let height = u16::try_from(self.rows.len()).unwrap_or(u16::MAX);
        let height = height.min(screen.height.saturating_sub(6));
        let room = sheet(screen, buf, theme, (WIDTH, height), (&self.title, foot));
        self.page = (room.height as usize).max(1);
        self.top = self.top.min(self.rows.len().saturating_sub(self.page));
        for (range, at) in self.rows.iter().skip(self.top).zip(room.rows()) {
            let line = self.text.get(range.clone()).unwrap_or_default();
            buf.set_stringn(at.x, at.y, line.trim_end(), at.width as usize, theme.base);
        }
        None
    }
}

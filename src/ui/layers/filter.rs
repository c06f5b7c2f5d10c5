//! The filter of the list, typed where the list's title stands.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::field::Field;
use super::{Layer, Next, Takes, Wish};
use crate::ui::app::App;
use crate::ui::commands;
use crate::ui::panes::{inset, list, row};

/// What its keys do.
const HINTS: [(&str, &str); 5] = [
    ("Enter", "open"),
    ("↑↓", "choose"),
    ("/", "search all texts"),
    ("Esc", "show all"),
    ("Tab", "next pane"),
];

/// The filter being written.
#[derive(Debug)]
pub struct Filter {
    field: Field,
}

impl Filter {
    /// With what the list is filtered by already.
    pub fn new(text: &str) -> Self {
        Self {
            field: Field::new(text),
        }
    }

    fn wish(&self) -> Next {
        Next::Keep(Wish::Filter(self.field.text()))
    }
}

/// Keys that are the list's while a filter is written, and whether writing ends with them.
fn command(key: KeyEvent) -> Option<(&'static str, bool)> {
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Enter => ("session.open", true),
        KeyCode::Tab => ("pane.next", true),
        KeyCode::BackTab => ("pane.previous", true),
        KeyCode::Down => ("list.down", false),
        KeyCode::Up => ("list.up", false),
        KeyCode::Char('n') if ctrl => ("list.down", false),
        KeyCode::Char('p') if ctrl => ("list.up", false),
        KeyCode::PageDown => ("list.page_down", false),
        KeyCode::PageUp => ("list.page_up", false),
        _ => return None,
    })
}

impl Layer for Filter {
    fn press(&mut self, key: KeyEvent, app: &App) -> Next {
        if key.code == KeyCode::Esc {
            return Next::Then(Wish::Filter(String::new()));
        }
        // A second one looks in all texts; that of a title is found by what stands beside it.
        if key.code == KeyCode::Char('/')
            && commands::named("go.search").is_some_and(|c| c.why_not(app).is_none())
        {
            return Next::Then(Wish::Search(self.field.text().trim().to_owned()));
        }
        // Backspace in an empty filter leaves it.
        if key.code == KeyCode::Backspace && self.field.text().is_empty() {
            return Next::Close;
        }
        match command(key).and_then(|(name, ends)| Some((commands::named(name)?, ends))) {
            Some((command, true)) => Next::Then(Wish::Run(command)),
            Some((command, false)) => Next::Keep(Wish::Run(command)),
            None if self.field.press(key) => self.wish(),
            None => Next::Stay,
        }
    }

    fn hints(&self) -> &'static [(&'static str, &'static str)] {
        &HINTS
    }

    fn takes(&self) -> Takes {
        Takes::Line
    }

    fn field(&self) -> Option<&Field> {
        Some(&self.field)
    }

    fn paste(&mut self, text: &str) {
        self.field.paste(text);
    }

    fn pasted(&mut self, _: &App) -> Option<Wish> {
        Some(Wish::Filter(self.field.text()))
    }

    fn draw(&mut self, _: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let head = inset(list::head(app.list_at()?));
        let found = list::found(app);
        let room = u16::try_from(crate::text::width(&found)).unwrap_or(0);
        for x in head.left()..head.right() {
            buf.set_stringn(x, head.y, " ", 1, theme.base);
        }
        let right = Line::from(Span::styled(found, theme.dim));
        let left = Line::from(Span::styled(list::MARK, theme.accent));
        row(head, buf, left, &right);
        let at = Rect {
            x: head.x + 2,
            width: head.width.saturating_sub(3 + room),
            ..head
        };
        self.field
            .draw(at, buf, theme, "title, #tag, needs… · / all texts")
    }
}

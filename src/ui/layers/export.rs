//! A text goes to a file: what of, in which format, where to. What cannot be made is said before it is chosen.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::field::Field;
use super::sheet::sheet;
use super::{Layer, Next, Takes, Wish};
use crate::text::export::Format;
use crate::text::{one_line, slug, wrap};
use crate::ui::app::App;
use crate::ui::errand::{Errand, Export, Exported, Outlet, Sought, Unwritten};
use crate::ui::panes::row;

/// Cells and rows of the sheet: three lines, and what is said of them.
const SIZE: (u16, u16) = (64, 7);
/// Cells of what stands before each line.
const LABEL: usize = 10;
/// Longest name of a file, in bytes.
const NAME_MAX: usize = 80;
/// What docx, epub and PDF want.
const PANDOC: &str = "needs pandoc, which is not installed: apt install pandoc, brew install pandoc, or https://pandoc.org. Markdown, HTML and text need nothing.";

/// A line of the sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum At {
    What,
    Format,
    Path,
}

/// The choice.
#[derive(Debug)]
pub struct ExportTo {
    ways: Vec<(Exported, String)>,
    what: usize,
    format: usize,
    at: At,
    /// The file, once the writer has changed it.
    path: Option<Field>,
    /// The file that was asked for.
    asked: Option<String>,
}

impl ExportTo {
    /// With what can be exported, and what each is called.
    pub fn new(ways: Vec<(Exported, String)>) -> Self {
        Self {
            ways,
            what: 0,
            format: 0,
            at: At::Format,
            path: None,
            asked: None,
        }
    }

    fn format(&self) -> Format {
        Format::ALL.get(self.format).copied().unwrap_or(Format::Md)
    }

    /// The file, as it stands there; none before it is known where files go.
    fn path(&self, app: &App) -> Option<String> {
        if let Some(path) = &self.path {
            return Some(path.text());
        }
        let (what, title) = self.ways.get(self.what)?;
        let transcript = matches!(what, Exported::Transcript(_));
        let of = if transcript { "-transcript" } else { "" };
        let name = slug(title, NAME_MAX);
        let folder = &outlet(app)?.folder;
        Some(format!("{folder}/{name}{of}.{}", self.format().name()))
    }

    /// Why it cannot be made.
    fn lacks(&self, app: &App) -> bool {
        !self.format().is_text() && outlet(app).is_some_and(|outlet| !outlet.pandoc)
    }

    fn write(&mut self, app: &App) -> Next {
        let path = self.path(app).filter(|path| !path.trim().is_empty());
        let (Some(path), Some((what, _))) = (path, self.ways.get(self.what)) else {
            return Next::Stay;
        };
        if self.lacks(app) || app.settings.first.errands.written == Sought::Coming {
            return Next::Stay;
        }
        // Said once that it is there: Enter again replaces it.
        let there = matches!(said(app), Some(Unwritten::There(_)));
        let replace = there && self.asked.as_ref() == Some(&path);
        self.asked = Some(path.clone());
        Next::Keep(Wish::Errand(Errand::Export(Export {
            what: what.clone(),
            format: self.format(),
            path,
            replace,
        })))
    }

    /// Goes on in a line of choices, or to another line.
    fn step(&mut self, on: bool) {
        let turned = |at: usize, len: usize| if on { at + 1 } else { at + len - 1 } % len.max(1);
        match self.at {
            At::What => self.what = turned(self.what, self.ways.len()),
            At::Format => {
                self.format = turned(self.format, Format::ALL.len());
                self.end_with_format();
            }
            At::Path => {}
        }
    }

    /// A file that was named by hand ends as its format does.
    fn end_with_format(&mut self) {
        let name = self.format().name();
        if let Some(path) = &mut self.path {
            let text = path.text();
            let known = text
                .rsplit_once('.')
                .filter(|(_, end)| Format::ALL.iter().any(|format| format.name() == *end));
            if let Some((stem, _)) = known {
                *path = Field::new(&format!("{stem}.{name}"));
            }
        }
    }

    fn go(&mut self, on: bool) {
        self.at = match (self.at, on) {
            (At::What, true) | (At::Path, false) => At::Format,
            (At::Format, true) | (At::What, false) => At::Path,
            (At::Path, true) | (At::Format, false) => At::What,
        };
    }

    /// A key of the line in which the file is named.
    fn press_path(&mut self, key: KeyEvent, app: &App) {
        let now = self.path(app).unwrap_or_default();
        self.path.get_or_insert_with(|| Field::new(&now)).press(key);
    }

    /// What is to be said below the lines.
    fn note(&self, app: &App) -> (String, bool) {
        let format = self.format();
        if self.lacks(app) {
            return (format!("{} {PANDOC}", format.name()), true);
        }
        match (&app.settings.first.errands.written, said(app)) {
            (Sought::Coming, _) => ("It is being written…".to_owned(), false),
            (_, Some(Unwritten::There(path))) if self.asked == self.path(app) => (
                format!(
                    "{path} is there already. Enter again replaces it; another name leaves it."
                ),
                true,
            ),
            (_, Some(Unwritten::Not(why))) => (why.clone(), true),
            _ => (format!("{}.", format.about()), false),
        }
    }
}

fn outlet(app: &App) -> Option<&Outlet> {
    match &app.settings.first.errands.outlet {
        Sought::Here(outlet) => Some(outlet),
        _ => None,
    }
}

fn said(app: &App) -> Option<&Unwritten> {
    match &app.settings.first.errands.written {
        Sought::Here(Err(why)) => Some(why),
        _ => None,
    }
}

fn named(what: &Exported) -> &'static str {
    match what {
        Exported::Draft(_) => "the draft",
        Exported::Transcript(_) => "the transcript",
        Exported::Collection(_) => "the collection, in order",
    }
}

impl Layer for ExportTo {
    fn press(&mut self, key: KeyEvent, app: &App) -> Next {
        match key.code {
            KeyCode::Esc => return Next::Close,
            KeyCode::Enter => return self.write(app),
            KeyCode::Tab | KeyCode::Down => self.go(true),
            KeyCode::BackTab | KeyCode::Up => self.go(false),
            _ if self.at == At::Path => self.press_path(key, app),
            KeyCode::Right | KeyCode::Char(' ') => self.step(true),
            KeyCode::Left => self.step(false),
            _ => {}
        }
        Next::Stay
    }

    fn takes(&self) -> Takes {
        if self.at == At::Path {
            Takes::Line
        } else {
            Takes::Keys
        }
    }

    fn field(&self) -> Option<&Field> {
        self.path.as_ref().filter(|_| self.at == At::Path)
    }

    fn line(&self, app: &App) -> Option<String> {
        self.path(app).filter(|_| self.at == At::Path)
    }

    fn paste(&mut self, text: &str) {
        if self.at == At::Path {
            self.path.get_or_insert_default().paste(text);
        }
    }

    fn is_void(&self, app: &App) -> bool {
        let written = &app.settings.first.errands.written;
        self.asked.is_some() && matches!(written, Sought::Here(Ok(_)))
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let foot = "Enter writes · Tab next · ←→ another · Esc closes";
        let room = sheet(screen, buf, theme, SIZE, ("Export", foot));
        let mut lines = room.rows();
        let (what, title) = self.ways.get(self.what)?;
        let of = format!("{} · {}", named(what), one_line(title));
        let format = self.format().name().to_owned();
        for (at, label, text) in [(At::What, "What", of), (At::Format, "Format", format)] {
            let line = lines.next()?;
            let here = self.at == at;
            let style = if here { theme.accent } else { theme.base };
            let text = if here {
                format!("‹ {text} ›")
            } else {
                format!("  {text}")
            };
            put(line, buf, (label, theme.dim), (text, style));
        }
        let line = lines.next()?;
        put(line, buf, ("File", theme.dim), (String::new(), theme.base));
        let used = u16::try_from(LABEL + 2).unwrap_or_default().min(line.width);
        let field = Rect {
            x: line.x + used,
            width: line.width - used,
            ..line
        };
        let path = self.path(app).unwrap_or_else(|| "…".to_owned());
        let shown = self.path.clone().unwrap_or_else(|| Field::new(&path));
        let caret = shown.draw(field, buf, theme, "a file");
        let (note, warns) = self.note(app);
        let style = if warns { theme.warn } else { theme.dim };
        let note = one_line(&note);
        let rows = wrap(&note, (room.width as usize).max(1));
        for (range, at) in rows.into_iter().zip(lines.skip(1)) {
            let part = note.get(range).unwrap_or_default().trim_end();
            buf.set_stringn(at.x, at.y, part, at.width as usize, style);
        }
        caret.filter(|_| self.at == At::Path)
    }
}

fn put(line: Rect, buf: &mut Buffer, (label, dim): (&str, Style), (text, style): (String, Style)) {
    let left = vec![
        Span::styled(format!("{label:<LABEL$}"), dim),
        Span::styled(text, style),
    ];
    row(line, buf, Line::from(left), &Line::default());
}

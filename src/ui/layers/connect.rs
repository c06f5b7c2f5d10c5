//! Connecting an agent: what lies ready on this machine, the servers that are looked for when the writer says so, and
//! the models of what was chosen. Nothing is asked of anybody before a key says it.

mod models;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::field::Field;
use super::pick::Pick;
use super::sheet::sheet;
use super::{Layer, Next, Takes, Wish};
use crate::config::edit::Answer;
use crate::config::found::Way;
use crate::text::{one_line, wrap};
use crate::ui::app::App;
use crate::ui::errand::{Errand, Server, Sought};
use crate::ui::theme::Theme;
use models::Models;

/// Cells of a row.
const WIDTH: u16 = 68;
/// Rows of the text below the list.
const NOTE: u16 = 3;

/// The ways, and above them the models of one.
#[derive(Debug, Default)]
pub struct Connect {
    pick: Pick,
    models: Option<Models>,
}

/// A row of the list.
enum Item<'a> {
    Found(&'a Way),
    Server(&'a Server),
    /// Servers are not looked for yet; or are, or were in vain.
    Look,
}

impl Item<'_> {
    fn texts(&self, app: &App) -> (String, String) {
        match self {
            Self::Found(way) => (way.title.clone(), way.place()),
            Self::Server(server) => {
                let many = server.models.len();
                let s = if many == 1 { "" } else { "s" };
                let place = server.way.place();
                (
                    server.way.title.clone(),
                    format!("{place} · {many} model{s}"),
                )
            }
            Self::Look => match &app.settings.first.errands.servers {
                Sought::Not => (
                    "Look for model servers on this machine".to_owned(),
                    String::new(),
                ),
                Sought::Coming => ("Looking for model servers…".to_owned(), String::new()),
                Sought::Here(found) if found.is_empty() => (
                    "No model server answered; look again".to_owned(),
                    String::new(),
                ),
                Sought::Here(_) => ("Look again".to_owned(), String::new()),
            },
        }
    }

    fn note(&self) -> String {
        match self {
            Self::Found(way) if way.needs_model() => format!(
                "Enter asks {} for its models, with {}. The key stays where it is: your settings name its variable.",
                way.title,
                way.place()
            ),
            Self::Found(_) => {
                "Enter connects it; where you chose no agent yet, it is that of your sessions. It uses your own login; nothing is sent before you write."
                    .to_owned()
            }
            Self::Server(_) => "Enter shows its models. Your words stay on this machine.".to_owned(),
            Self::Look => "Enter asks on this machine alone, once: Ollama on port 11434, LM Studio on 1234, llama.cpp on 8080, vLLM on 8000.".to_owned(),
        }
    }
}

fn items(app: &App) -> Vec<Item<'_>> {
    let found = app.settings.first.ways.iter().map(Item::Found);
    let servers = match &app.settings.first.errands.servers {
        Sought::Here(servers) => servers.as_slice(),
        _ => &[],
    };
    let servers = servers.iter().map(Item::Server);
    found.chain(servers).chain([Item::Look]).collect()
}

impl Connect {
    fn choose(&mut self, app: &App) -> Next {
        match items(app).get(self.pick.at) {
            Some(Item::Found(way)) if way.needs_model() => {
                self.models = Some(Models::of((*way).clone(), None));
                Next::Keep(Wish::Errand(Errand::Models((*way).clone())))
            }
            Some(Item::Found(way)) => {
                let answer = Answer::Take((*way).clone(), None);
                Next::Then(Wish::Errand(Errand::Keep(answer)))
            }
            Some(Item::Server(server)) => {
                let known = Some(server.models.clone());
                self.models = Some(Models::of(server.way.clone(), known));
                Next::Stay
            }
            Some(Item::Look) if app.settings.first.errands.servers == Sought::Coming => Next::Stay,
            Some(Item::Look) => Next::Keep(Wish::Errand(Errand::Servers)),
            None => Next::Stay,
        }
    }
}

impl Layer for Connect {
    fn press(&mut self, key: KeyEvent, app: &App) -> Next {
        if let Some(models) = &mut self.models {
            if key.code == KeyCode::Esc {
                self.models = None;
                return Next::Stay;
            }
            return models.press(key, app);
        }
        match key.code {
            KeyCode::Esc => Next::Close,
            KeyCode::Enter => self.choose(app),
            KeyCode::Char('n' | '3') if app.settings.first.offer => {
                Next::Then(Wish::Errand(Errand::Keep(Answer::No)))
            }
            KeyCode::Char('d') => Next::Then(Wish::Doctor),
            _ => {
                self.pick.press(key, items(app).len());
                Next::Stay
            }
        }
    }

    fn takes(&self) -> Takes {
        match self.models {
            Some(_) => Takes::Line,
            None => Takes::Keys,
        }
    }

    fn field(&self) -> Option<&Field> {
        self.models.as_ref().map(|models| &models.field)
    }

    fn paste(&mut self, text: &str) {
        if let Some(models) = &mut self.models {
            models.paste(text);
        }
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        if let Some(models) = &mut self.models {
            return models.draw(screen, buf, app);
        }
        let items = items(app);
        let rows = u16::try_from(items.len()).unwrap_or(u16::MAX).min(12);
        let foot = if app.settings.first.offer {
            "Enter chooses · n none, for good · d doctor · Esc later"
        } else {
            "Enter chooses · d doctor · Esc closes"
        };
        let size = (WIDTH, rows + 1 + NOTE);
        let room = sheet(screen, buf, theme, size, ("Connect an agent", foot));
        let list = Rect {
            height: rows.min(room.height),
            ..room
        };
        self.pick.draw(list, buf, theme, items.len(), |i| {
            let Some(item) = items.get(i) else {
                return (Line::default(), Line::default());
            };
            let (left, right) = item.texts(app);
            let right = Span::styled(one_line(&right), theme.dim);
            (Line::from(one_line(&left)), Line::from(right))
        });
        if let Some(item) = items.get(self.pick.at) {
            let used = (list.height + 1).min(room.height);
            let below = Rect {
                y: room.y + used,
                height: room.height - used,
                ..room
            };
            text(below, buf, theme, &item.note());
        }
        None
    }
}

/// A few dim rows of text.
fn text(area: Rect, buf: &mut Buffer, theme: &Theme, text: &str) {
    let text = one_line(text);
    for (range, at) in wrap(&text, area.width.max(1) as usize)
        .into_iter()
        .zip(area.rows())
    {
        let part = text.get(range).unwrap_or_default().trim_end();
        buf.set_stringn(at.x, at.y, part, at.width as usize, theme.dim);
    }
}

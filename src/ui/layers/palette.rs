//! Every command, found by a few letters, with its key, and the reason when it cannot be done.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::field::Field;
use super::pick::{Pick, ranked};
use super::sheet::sheet;
use super::{Layer, Next, Takes, Wish};
use crate::text::{folded, wrap};
use crate::ui::app::App;
use crate::ui::commands::{self, Command, Place, also};
use crate::ui::keymap::Keymap;
use crate::ui::panes::{headed, row};

/// Cells of a row, and rows: the field, commands, what the one under the cursor does.
const SIZE: (u16, u16) = (72, 20);
/// Rows that say what the command under the cursor does, with an empty one before them.
const SAID: u16 = 3;

/// The palette. What was found stays in its order while the words are the same, so that nothing moves under the cursor.
#[derive(Debug)]
pub struct Palette {
    field: Field,
    pick: Pick,
    found: Vec<&'static Command>,
}

/// How near a command is to what was typed, the nearest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Near {
    /// Its title begins so.
    Begins,
    /// Another word for it does.
    Also,
    /// Its title has these letters, the best first.
    Title(usize),
    /// The words stand in its name, its keys or its sentence.
    Said,
}

impl Palette {
    /// With every command.
    pub fn new(app: &App) -> Self {
        Self {
            field: Field::default(),
            pick: Pick::default(),
            found: found(app, ""),
        }
    }

    fn look(&mut self, app: &App) {
        self.found = found(app, &self.field.text());
        self.pick = Pick::default();
    }
}

/// The commands that fit: one that is named whole comes first; what cannot be done now stands behind what can.
fn found(app: &App, query: &str) -> Vec<&'static Command> {
    let query = folded(query.trim());
    let all: Vec<&'static Command> = commands::all().collect();
    let ranks = ranked(&query, all.iter().map(|c| c.title));
    let mut rank_of = vec![None; all.len()];
    for (rank, n) in ranks.into_iter().enumerate() {
        if let Some(of) = rank_of.get_mut(n) {
            *of = Some(rank);
        }
    }
    let mut found: Vec<_> = all
        .into_iter()
        .zip(rank_of)
        .filter_map(|(command, rank)| {
            let near = near(&app.settings.keys, command, rank, &query)?;
            let cannot = command.why_not(app).is_some();
            Some(((!is_named(command, &query), cannot, near), command))
        })
        .collect();
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, command)| command).collect()
}

/// Whether what was typed is what the command is called, or another word for it.
fn is_named(command: &Command, query: &str) -> bool {
    !query.is_empty() && (folded(command.title) == query || also(command.name).contains(&query))
}

fn near(keys: &Keymap, command: &Command, rank: Option<usize>, query: &str) -> Option<Near> {
    if folded(command.title).starts_with(query) {
        return Some(Near::Begins);
    }
    if also(command.name)
        .iter()
        .any(|word| word.starts_with(query))
    {
        return Some(Near::Also);
    }
    let said = || {
        let text = searched(keys, command);
        query.split_whitespace().all(|word| text.contains(word))
    };
    let title = rank.map(Near::Title);
    title.or_else(|| said().then_some(Near::Said))
}

/// Name, keys and sentence of a command, as they are compared.
fn searched(keys: &Keymap, command: &Command) -> String {
    let places = keys.places(command).into_iter();
    let keys: Vec<String> = places.flat_map(|p| keys.keys_at(command, p)).collect();
    folded(&format!(
        "{} {} {}",
        command.name,
        command.doc,
        keys.join(" ")
    ))
}

impl Layer for Palette {
    fn press(&mut self, key: KeyEvent, app: &App) -> Next {
        match key.code {
            KeyCode::Esc => return Next::Close,
            KeyCode::Enter => {
                return match self.found.get(self.pick.at) {
                    Some(command) => match command.why_not(app) {
                        Some(why) => Next::Keep(Wish::Say(why.to_owned())),
                        None => Next::Then(Wish::Run(command)),
                    },
                    None => Next::Stay,
                };
            }
            _ if self.pick.press(key, self.found.len()) => {}
            _ => {
                if self.field.press(key) {
                    self.look(app);
                }
            }
        }
        Next::Stay
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

    fn pasted(&mut self, app: &App) -> Option<Wish> {
        self.look(app);
        None
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let found = &self.found;
        let foot = "Enter runs · Esc closes";
        let room = sheet(screen, buf, theme, SIZE, ("Commands", foot));
        let (top, rest) = headed(room);
        let caret = self
            .field
            .draw(top, buf, theme, "what you want to do, or a key");
        if found.is_empty() {
            let text = "No command does that. Fewer letters find more.";
            buf.set_stringn(rest.x, rest.y, text, rest.width as usize, theme.dim);
        }
        let said = if rest.height > 2 * SAID { SAID } else { 0 };
        let list = Rect {
            height: rest.height - said,
            ..rest
        };
        self.pick.draw(list, buf, theme, found.len(), |i| {
            found
                .get(i)
                .map_or_else(Default::default, |c| cells(app, c))
        });
        let foot = Rect {
            y: list.bottom(),
            height: said,
            ..rest
        };
        if let Some(command) = found.get(self.pick.at) {
            about(foot, buf, app, command);
        }
        caret
    }
}

/// Title and key; of one that cannot be done, the reason.
fn cells(app: &App, command: &'static Command) -> (Line<'static>, Line<'static>) {
    let theme = &app.settings.theme;
    let key = any_key(&app.settings.keys, command, app.place());
    match command.why_not(app) {
        None => (Line::from(command.title), Line::from(key)),
        Some(why) => (
            Line::from(Span::styled(
                format!("{} · {why}", command.title),
                theme.dim,
            )),
            Line::from(Span::styled(key, theme.dim)),
        ),
    }
}

/// The sentence of a command, and its name in the configuration.
fn about(area: Rect, buf: &mut Buffer, app: &App, command: &Command) {
    let theme = &app.settings.theme;
    let text = command.doc;
    let cols = (area.width as usize).max(1);
    let mut parts = wrap(text, cols).into_iter();
    let name = Line::from(Span::styled(command.name, theme.dim));
    for (i, at) in area.rows().enumerate().skip(1) {
        let part = parts.next().and_then(|range| text.get(range));
        let left = Line::from(part.unwrap_or_default().trim_end());
        let last = i + 1 == area.height as usize;
        let right = if last { name.clone() } else { Line::default() };
        row(at, buf, left, &right);
    }
}

/// The key of a command here, else where it has one.
fn any_key(keys: &Keymap, command: &Command, place: Place) -> String {
    if let Some(key) = keys.key_in(command, place) {
        return key.shown();
    }
    match keys.places(command).first() {
        Some(&at) => {
            let names = keys.keys_at(command, at);
            format!("{}: {}", at.name(), super::help::joined(&names))
        }
        None => String::new(),
    }
}

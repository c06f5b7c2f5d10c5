//! What is asked before there is a workspace: whether to write in this folder. Nothing is made before the answer.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::layers::sheet::sheet;
use super::panes::cut_path;
use super::theme::Theme;
use crate::text::{one_line, wrap};

/// Cells of its text.
const WIDTH: u16 = 62;

/// The answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Door {
    /// This folder becomes a workspace.
    Here,
    /// The same, with the sample beside what is there.
    HereWithSample,
    /// The workspace in the home folder.
    Home,
    /// Nothing is made and nothing opened.
    Leave,
}

/// The keys, each with its answer and what it means.
const KEYS: [(char, Door, &str); 3] = [
    (
        'w',
        Door::Here,
        "write here: this folder becomes a workspace",
    ),
    (
        's',
        Door::HereWithSample,
        "the same, with a small sample to read and try",
    ),
    ('h', Door::Home, "write in"),
];

/// The question.
#[derive(Clone, Debug)]
pub struct Doorstep {
    /// The folder, as people name it.
    pub folder: String,
    /// How many Markdown files lie in it.
    pub files: usize,
    /// The workspace in the home folder, as people name it.
    pub home: String,
    /// Styles.
    pub theme: Theme,
}

impl Doorstep {
    /// The answer a key gives.
    pub fn press(key: KeyEvent) -> Option<Door> {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if ctrl => Some(Door::Leave),
            KeyCode::Esc | KeyCode::Char('q') => Some(Door::Leave),
            KeyCode::Char(c) => KEYS.iter().find(|k| k.0 == c).map(|k| k.1),
            _ => None,
        }
    }

    /// Draws the question on a screen.
    pub fn draw(&self, screen: Rect, buf: &mut Buffer) {
        let theme = &self.theme;
        let said = self.said();
        let cols = WIDTH.min(screen.width.saturating_sub(4)).max(1);
        let rows = wrap(&said, cols as usize);
        let tall = u16::try_from(rows.len() + 1 + KEYS.len()).unwrap_or(u16::MAX);
        let foot = "w, s or h answers · Esc leaves, nothing is made";
        let room = sheet(screen, buf, theme, (WIDTH, tall), ("Fascicle", foot));
        let mut lines: Vec<Line<'_>> = rows
            .into_iter()
            .map(|range| Line::from(said.get(range).unwrap_or_default().trim_end()))
            .collect();
        lines.push(Line::default());
        for (key, door, means) in KEYS {
            let what = match door {
                Door::Home => format!(
                    "{means} {}, and leave this folder alone",
                    one_line(&self.home)
                ),
                _ => means.to_owned(),
            };
            lines.push(Line::from(vec![
                Span::styled(format!("{key}  "), theme.accent),
                Span::raw(what),
            ]));
        }
        for (line, at) in lines.iter().zip(room.rows()) {
            buf.set_line(at.x, at.y, line, at.width);
        }
    }

    fn said(&self) -> String {
        let folder = cut_path(&one_line(&self.folder), WIDTH as usize / 2);
        let (files, stay) = match self.files {
            1 => ("a Markdown file".to_owned(), "It stays as it is"),
            n => (format!("{n} Markdown files"), "They stay as they are"),
        };
        format!(
            "{folder} holds {files} and no workspace yet. {stay}: a workspace adds a folder .fascicle, and one for each piece you begin."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_key_answers_and_other_keys_do_nothing() {
        let press = |code| Doorstep::press(KeyEvent::new(code, KeyModifiers::NONE));
        assert_eq!(press(KeyCode::Char('w')), Some(Door::Here));
        assert_eq!(press(KeyCode::Char('s')), Some(Door::HereWithSample));
        assert_eq!(press(KeyCode::Char('h')), Some(Door::Home));
        assert_eq!(press(KeyCode::Esc), Some(Door::Leave));
        for other in [KeyCode::Char('x'), KeyCode::Enter, KeyCode::Down] {
            assert_eq!(press(other), None, "no row is marked, and none named");
        }
        let ctrl_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(Doorstep::press(ctrl_c), Some(Door::Leave));
    }
}

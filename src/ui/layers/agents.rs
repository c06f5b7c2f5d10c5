//! Choosing the agent of the next turn.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::pick::Pick;
use super::sheet::sheet;
use super::{Layer, Next, Wish};
use crate::text::one_line;
use crate::ui::app::App;

/// The list of agents.
#[derive(Debug)]
pub struct Agents {
    pick: Pick,
    /// The agent the next turn would use.
    now: Option<usize>,
}

impl Agents {
    /// With the cursor on the agent the next turn would use.
    pub fn new(app: &App) -> Self {
        let now = app.agent_at_hand();
        let agents = &app.settings.agents.choices;
        let exact = agents.iter().position(|c| *c == now);
        let at = exact.or_else(|| agents.iter().position(|c| c.agent == now.agent));
        Self {
            pick: Pick::on(at.unwrap_or(0)),
            now: at,
        }
    }
}

impl Layer for Agents {
    fn press(&mut self, key: KeyEvent, app: &App) -> Next {
        match key.code {
            KeyCode::Esc => Next::Close,
            KeyCode::Enter => match app.settings.agents.choices.get(self.pick.at) {
                Some(choice) => Next::Then(Wish::Choose(choice.clone())),
                None => Next::Close,
            },
            _ => {
                self.pick.press(key, app.settings.agents.choices.len());
                Next::Stay
            }
        }
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let agents = &app.settings.agents.choices;
        let rows = u16::try_from(agents.len()).unwrap_or(u16::MAX).clamp(1, 12);
        let foot = "Enter chooses · Esc closes";
        let room = sheet(
            screen,
            buf,
            theme,
            (48, rows),
            ("Agent for the next turn", foot),
        );
        if agents.is_empty() {
            let text = "No agent is configured; `fascicle doctor` says how.";
            buf.set_stringn(room.x, room.y, text, room.width as usize, theme.dim);
        }
        self.pick.draw(room, buf, theme, agents.len(), |i| {
            let Some(choice) = agents.get(i) else {
                return (Line::default(), Line::default());
            };
            let here = if self.now == Some(i) { "● " } else { "  " };
            let mut left = vec![
                Span::styled(here, theme.accent),
                Span::raw(one_line(&choice.agent)),
            ];
            // Only the first was looked for: it is the default.
            if i == 0 && app.settings.agents.unready.is_some() {
                left.push(Span::styled("  not connected", theme.warn));
            }
            let model = one_line(choice.model.as_deref().unwrap_or_default());
            (Line::from(left), Line::from(Span::styled(model, theme.dim)))
        });
        None
    }
}

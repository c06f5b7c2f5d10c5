//! The mouse, where the window has it: a click goes there, the wheel moves what is under it, dragging selects.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::App;
use crate::ui::focus::Pane;
use crate::ui::ground::Spot;
use crate::ui::input::{Answer, Effect};
use crate::ui::links::Links;
use crate::ui::settings::Means;
use crate::ui::theme::Theme;
use crate::ui::transcript::Move;

/// Rows that one step of the wheel moves words.
const WHEEL: i32 = 3;
/// A second click within this time is one of two, milliseconds.
const DOUBLE: i64 = 400;

impl App {
    /// What the terminal has.
    pub fn means(&self) -> &Means {
        &self.settings.means
    }

    /// The links of this window.
    pub fn links(&self) -> Links {
        self.ground.links.clone()
    }

    /// Wears other styles.
    pub fn wear(&mut self, theme: Theme) {
        self.settings.theme = theme;
    }

    /// What the window wants of the terminal as soon as it is there.
    pub(super) fn begin_with_terminal(&mut self) -> Vec<Effect> {
        let means = &self.settings.means;
        self.ground.links = Links::new(means.links && !means.kind.console);
        if let Some(trouble) = self.settings.means.trouble.take() {
            self.say(trouble);
        }
        if self.settings.means.mouse {
            vec![Effect::Mouse(true)]
        } else {
            Vec::new()
        }
    }

    /// Takes in what the terminal answers.
    pub(super) fn answered(&mut self, answer: Answer) -> Vec<Effect> {
        match answer {
            Answer::Page(colour) => {
                self.wear(self.settings.means.styles(Some(colour)));
                Vec::new()
            }
            Answer::Keyboard => {
                self.settings.keys.exact = true;
                vec![Effect::ExactKeys]
            }
            Answer::Attributes => Vec::new(),
        }
    }

    /// Takes the mouse, or leaves it to the terminal, for this window.
    pub(in crate::ui) fn switch_mouse(&mut self) -> Vec<Effect> {
        let on = !self.settings.means.mouse;
        self.settings.means.mouse = on;
        self.say(if on {
            "The window takes the mouse; with Shift your terminal still selects."
        } else {
            "The mouse is your terminal's again."
        });
        vec![Effect::Mouse(on)]
    }

    /// Takes in what the mouse did.
    pub(super) fn mouse(&mut self, event: MouseEvent) -> Vec<Effect> {
        let at = Position {
            x: event.column,
            y: event.row,
        };
        match event.kind {
            MouseEventKind::Down(MouseButton::Left) => self.press_at(at),
            MouseEventKind::Drag(MouseButton::Left) => self.drag_to(at),
            MouseEventKind::Up(MouseButton::Left) => self.let_go(),
            MouseEventKind::ScrollUp => self.wheel(at, -1),
            MouseEventKind::ScrollDown => self.wheel(at, 1),
            _ => Vec::new(),
        }
    }

    fn press_at(&mut self, at: Position) -> Vec<Effect> {
        self.rows.settle();
        let now = self.now();
        let again = |(when, place): (i64, Position)| now - when <= DOUBLE && place == at;
        let double = self.ground.touch.last.take().is_some_and(again);
        self.ground.touch.last = (!double).then_some((now, at));
        self.ground.touch.on = self.ground.at(at);
        self.desks.here_mut().transcript.select_nothing();
        let Some((area, spot)) = self.ground.touch.on.clone() else {
            return Vec::new();
        };
        match spot {
            Spot::Drawer => self.pane = Pane::Drawer,
            Spot::Shelf(wanted) => {
                self.pane = Pane::Drawer;
                self.rows.show(wanted);
            }
            Spot::List => self.pane = Pane::List,
            Spot::Session(session) => return self.open(session, Pane::List),
            Spot::Transcript => {
                self.pane = Pane::Transcript;
                self.desks.here_mut().transcript.select_from(at, double);
            }
            Spot::Composer => {
                self.pane = Pane::Composer;
                self.desks.here_mut().composer.point(at, false);
            }
            Spot::Draft => {
                self.pane = Pane::Draft;
                return self.point_in_draft(area, at, (false, double));
            }
            Spot::View | Spot::Layer => {}
        }
        Vec::new()
    }

    fn point_in_draft(&mut self, area: Rect, at: Position, how: (bool, bool)) -> Vec<Effect> {
        let from = |at: u16, start: u16| at.saturating_sub(start);
        let cell = (from(at.x, area.x), from(at.y, area.y));
        self.in_draft(|draft, _| draft.editor.point(cell, how.0, how.1))
    }

    fn drag_to(&mut self, at: Position) -> Vec<Effect> {
        match self.ground.touch.on {
            Some((_, Spot::Transcript)) => self.desks.here_mut().transcript.select_to(at),
            Some((_, Spot::Composer)) => self.desks.here_mut().composer.point(at, true),
            Some((area, Spot::Draft)) => return self.point_in_draft(area, at, (true, false)),
            _ => {}
        }
        Vec::new()
    }

    /// The button was let go: what was selected is copied.
    fn let_go(&mut self) -> Vec<Effect> {
        let selected = match self.ground.touch.on.take() {
            Some((_, Spot::Transcript)) => self.desks.here_mut().transcript.selected_text(),
            _ => None,
        };
        selected.map(|text| self.copy(text)).unwrap_or_default()
    }

    fn wheel(&mut self, at: Position, by: i32) -> Vec<Effect> {
        let step = if by < 0 { -1 } else { 1 };
        match self.ground.at(at).map(|l| l.1) {
            Some(Spot::Transcript) => {
                let to = Move::Row(by * WHEEL);
                self.desks.here_mut().transcript.scroll(to);
                Vec::new()
            }
            Some(Spot::List | Spot::Session(_)) => {
                self.rows.step(step);
                Vec::new()
            }
            Some(Spot::Drawer | Spot::Shelf(_)) => {
                self.rows.step_shelf(step);
                Vec::new()
            }
            Some(Spot::Draft) => self.in_draft(|draft, _| draft.editor.turn(by * WHEEL)),
            Some(Spot::View) => {
                self.scroll_view(by > 0);
                Vec::new()
            }
            // Where keys move through rows, so does the wheel.
            Some(Spot::Composer | Spot::Layer) => {
                let code = if by < 0 { KeyCode::Up } else { KeyCode::Down };
                self.turn_in_place(KeyEvent::new(code, KeyModifiers::NONE))
            }
            None => Vec::new(),
        }
    }

    /// A key that moves in the topmost layer, or in the composer; never one that leaves it.
    fn turn_in_place(&mut self, key: KeyEvent) -> Vec<Effect> {
        if self.has_layer() {
            return self.key(key);
        }
        self.desks.here_mut().composer.press(key);
        Vec::new()
    }
}

//! Text that is typed or pasted; many characters at once too, from a terminal that does not tell a paste from typing.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::App;
use super::fork::Held;
use crate::ui::focus::Pane;
use crate::ui::input::{Effect, Input};

impl App {
    /// Takes characters as the keys they are, and from where none of them could be anything but text, all the rest
    /// in one go: each by itself would cost as much as the words that stand there.
    pub(super) fn typed(&mut self, text: &str) -> Vec<Effect> {
        let mut effects = Vec::new();
        let mut rest = text.chars();
        while let Some(c) = rest.next() {
            let shift = if c.is_uppercase() {
                KeyModifiers::SHIFT
            } else {
                KeyModifiers::NONE
            };
            effects.extend(self.handle(Input::Key(KeyEvent::new(KeyCode::Char(c), shift))));
            if self.takes_only_text() {
                let words = rest.as_str();
                effects.extend(self.write(|composer| composer.type_text(words)));
                break;
            }
        }
        effects
    }

    pub(super) fn type_key(&mut self, event: KeyEvent) -> Vec<Effect> {
        if self.pane == Pane::Draft {
            self.draft_key(event);
        } else if self.pane == Pane::Composer && self.desks.here_mut().composer.press(event) {
            let now = self.clock.now;
            self.desks.here_mut().changed(now);
        }
        Vec::new()
    }

    /// A paste goes into the topmost field, else into the draft or the composer, wherever the focus is.
    pub(super) fn paste(&mut self, text: &str) -> Vec<Effect> {
        if self.hold(&Held::Paste(text.to_owned())) {
            return Vec::new();
        }
        if let Some(mut layer) = self.layers.pop() {
            layer.paste(text);
            let wish = layer.pasted(self);
            self.layers.push(layer);
            return wish.map(|w| self.grant(w)).unwrap_or_default();
        }
        if self.pane == Pane::Draft {
            self.draft_paste(text);
            return Vec::new();
        }
        self.pane = Pane::Composer;
        self.write(|composer| composer.paste(text))
    }

    /// Words stand in the composer, and nothing but them is waited for.
    fn takes_only_text(&self) -> bool {
        let composes = self.pane == Pane::Composer && !self.desk().composer.is_empty();
        composes && !self.has_layer() && self.question().is_none()
    }
}

//! Many characters at once: pastes, and letters from a terminal that does not tell a paste from typing.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::App;
use super::fork::Held;
use crate::ui::commands::Place;
use crate::ui::focus::Pane;
use crate::ui::input::{Effect, Input};
use crate::ui::keymap::Key;
use crate::ui::layers::Takes;
use crate::ui::layers::field::CUT;

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
            if let Some(more) = self.take_text(rest.as_str()) {
                effects.extend(more);
                break;
            }
        }
        effects
    }

    pub(super) fn type_key(&mut self, event: KeyEvent) -> Vec<Effect> {
        if self.pane == Pane::Draft {
            return self.draft_key(event);
        }
        if self.pane == Pane::Composer && self.desks.here_mut().composer.press(event) {
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
        if self.has_layer() {
            return self.paste_above(text);
        }
        if self.pane == Pane::Draft {
            return self.draft_paste(text);
        }
        self.pane = Pane::Composer;
        self.write(|composer| composer.paste(text))
    }

    /// Takes letters where nothing but them is waited for; none where they could be keys.
    fn take_text(&mut self, text: &str) -> Option<Vec<Effect>> {
        if let Some(layer) = self.layers.last() {
            let takes = layer.takes() != Takes::Keys;
            return takes.then(|| self.paste_above(text));
        }
        match self.pane {
            Pane::Draft => Some(self.draft_typed(text)),
            Pane::Composer if !self.desk().composer.is_empty() && self.question().is_none() => {
                Some(self.write(|composer| composer.type_text(text)))
            }
            _ => None,
        }
    }

    /// The topmost layer has the keys. The window's clip is that of its lines too, by the keys of the line in which the
    /// words of a draft are looked for.
    pub(super) fn key_above(&mut self, event: KeyEvent) -> Vec<Effect> {
        let Some(mut layer) = self.layers.pop() else {
            return Vec::new();
        };
        let key = Key::from(event);
        let found = self.settings.keys.find(Place::Find, key).map(|c| c.name);
        if found == Some("draft.paste") && layer.takes() != Takes::Keys {
            self.layers.push(layer);
            return self.paste_clip();
        }
        let mut pressed = event;
        let mut effects = Vec::new();
        match layer.line(self) {
            Some(text) if found == Some("draft.cut") => {
                pressed = CUT;
                if !text.is_empty() {
                    effects = self.copy_as("Cut", text);
                }
            }
            // Nothing is taken out of a line that is not kept anywhere.
            Some(_) if key == Key::from(CUT) => {
                self.layers.push(layer);
                return effects;
            }
            _ => {}
        }
        let next = layer.press(pressed, self);
        effects.extend(self.layer_said(layer, next));
        effects
    }

    /// The topmost layer takes a text; a line end behind one line is Enter there.
    pub(super) fn paste_above(&mut self, text: &str) -> Vec<Effect> {
        let Some(mut layer) = self.layers.pop() else {
            return Vec::new();
        };
        layer.paste(text);
        let wish = layer.pasted(self);
        let enters = layer.takes() == Takes::Line && is_entered(text);
        self.layers.push(layer);
        let mut effects = wish.map(|w| self.grant(w)).unwrap_or_default();
        if enters && let Some(mut layer) = self.layers.pop() {
            let next = layer.press(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE), self);
            effects.extend(self.layer_said(layer, next));
        }
        effects
    }
}

/// Whether a text is one line and its end.
fn is_entered(text: &str) -> bool {
    let line = text.strip_suffix('\n').or_else(|| text.strip_suffix('\r'));
    let line = line.map(|l| l.strip_suffix('\r').unwrap_or(l));
    line.is_some_and(|l| !l.trim().is_empty() && !l.contains(['\n', '\r']))
}

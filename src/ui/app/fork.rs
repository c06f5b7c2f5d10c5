//! Variants: forks of the session at hand, and what is written for them meanwhile.

mod tries;

use std::collections::HashMap;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use self::tries::Tried;
pub(in crate::ui) use self::tries::Try;
use super::App;
use crate::domain::ask::NewVariant;
use crate::domain::{Request, SessionId, Text};
use crate::text::counted;
use crate::ui::asks::{Kinship, Purpose};
use crate::ui::focus::Pane;
use crate::ui::input::Effect;
use crate::ui::layers;
use crate::ui::transcript::Point;

/// Variants that are being made.
#[derive(Debug, Default)]
pub(super) struct Forks {
    /// One to write in, and what was typed since: that is for the variant, not for where the window stands.
    held: Option<Hold>,
    /// Those for prompts, by their parents.
    tried: HashMap<SessionId, Tried>,
}

/// What was typed while a variant was on its way.
#[derive(Debug)]
struct Hold {
    /// The session that was open.
    at: Option<SessionId>,
    typed: Vec<Held>,
}

/// A key or a paste that waits.
#[derive(Clone, Debug)]
pub(super) enum Held {
    Key(KeyEvent),
    Paste(String),
}

impl App {
    /// Makes a variant of the session at hand, to write in: as it is now, or in the transcript as of the message at
    /// the reading place.
    pub(in crate::ui) fn fork(&mut self) -> Vec<Effect> {
        let Some(session) = self.at_hand() else {
            return Vec::new();
        };
        let point = if self.pane == Pane::Transcript {
            self.desk().transcript.fork_point()
        } else {
            Point::default()
        };
        let at = self.desks.at();
        let typed = Vec::new();
        self.list.forks.held = Some(Hold { at, typed });
        let mut effects = self.hurry_draft(session);
        let request = Request::Fork(NewVariant {
            session,
            at: point.at,
            title: None,
            prompt: None,
        });
        let purpose = Purpose::Kin(Kinship::Fork(session, point.prompt));
        effects.push(self.ask(request, purpose));
        effects
    }

    /// Whether a variant to write in is on its way.
    pub(in crate::ui) fn is_forking(&self) -> bool {
        self.list.forks.held.is_some()
    }

    /// Keeps a key or a paste for the variant that is on its way; false when it is for the window.
    pub(super) fn hold(&mut self, held: &Held) -> bool {
        let plain = |key: &KeyEvent| {
            let other = KeyModifiers::CONTROL | KeyModifiers::ALT;
            let text = matches!(
                key.code,
                KeyCode::Char(_) | KeyCode::Enter | KeyCode::Backspace | KeyCode::Delete
            );
            text && !key.modifiers.intersects(other)
        };
        let text = match held {
            Held::Key(key) => plain(key),
            Held::Paste(_) => true,
        };
        let free = self.layers.is_empty() && text;
        match &mut self.list.forks.held {
            Some(waiting) if free => {
                waiting.typed.push(held.clone());
                true
            }
            _ => false,
        }
    }

    /// Sends what is written to a new variant instead: at once where it is one line, after a look where it could be
    /// several prompts. From the draft with nothing written, the prompt is asked for.
    pub(in crate::ui) fn send_to_variant(&mut self) -> Vec<Effect> {
        let Some(session) = self.desks.at() else {
            return Vec::new();
        };
        if self.desk().sending.is_some() {
            self.say("The last prompt is still on its way.");
            return Vec::new();
        }
        let prompt = self.desk().composer.text();
        if prompt.trim().is_empty() {
            let title = self.title_of(session);
            let written = self.desks.written(session, true);
            self.push(layers::line::Line::try_variant(session, &title, &written));
            return Vec::new();
        }
        if prompt.trim().lines().nth(1).is_some() {
            self.push(layers::variants::Variants::new(session, &prompt));
            return Vec::new();
        }
        self.try_each(session, vec![Try::whole(prompt)])
    }

    /// Sends prompts that were looked at, unless the text they were made from is another now.
    pub(super) fn try_listed(
        &mut self,
        session: SessionId,
        text: &str,
        tries: Vec<Try>,
    ) -> Vec<Effect> {
        let here = self.desks.at() == Some(session) && self.desk().sending.is_none();
        if !here || self.desk().composer.text() != text {
            self.say("What is written there is another text now: look again.");
            return Vec::new();
        }
        self.try_each(session, tries)
    }

    /// Each prompt goes to a variant of its own; all of them begin at the same event.
    fn try_each(&mut self, parent: SessionId, tries: Vec<Try>) -> Vec<Effect> {
        let desk = self.desks.here_mut();
        let text = desk.composer.text();
        let newest = desk.transcript.last_seq();
        desk.send(text.clone());
        let sent = tries.len();
        let under_way = Tried {
            text,
            sent,
            left: sent,
            order: tries.iter().map(|t| t.own.clone()).collect(),
            made: Vec::new(),
            back: Vec::new(),
        };
        self.list.forks.tried.insert(parent, under_way);
        let mut effects = self.hurry_draft(parent);
        let ask = |Try { name, prompt, own }| {
            let request = Request::Fork(NewVariant {
                session: parent,
                at: newest.filter(|_| sent > 1),
                title: name,
                prompt: Some(prompt),
            });
            self.ask(request, Purpose::Kin(Kinship::Try(parent, own)))
        };
        effects.extend(tries.into_iter().map(ask));
        effects
    }

    /// A variant exists.
    pub(super) fn forked(&mut self, kin: Kinship, session: SessionId) -> Vec<Effect> {
        match kin {
            Kinship::Fork(parent, prompt) => self.write_in(parent, session, prompt),
            Kinship::Try(parent, own) => {
                if let Some(tried) = self.list.forks.tried.get_mut(&parent) {
                    tried.left = tried.left.saturating_sub(1);
                    tried.made.push((own, session));
                }
                self.tried(parent)
            }
            Kinship::Adopt(..) => Vec::new(),
        }
    }

    /// What was asked in a family was refused: nothing that was written for it is lost.
    pub(super) fn not_forked(&mut self, kin: Kinship) -> Vec<Effect> {
        match kin {
            Kinship::Fork(parent, _) => {
                let typed = self.list.forks.held.take().map(|h| h.typed);
                self.put_words(parent, &words(&typed.unwrap_or_default()));
                Vec::new()
            }
            Kinship::Try(parent, own) => {
                if let Some(tried) = self.list.forks.tried.get_mut(&parent) {
                    tried.left = tried.left.saturating_sub(1);
                    tried.back.push(own);
                }
                self.tried(parent)
            }
            Kinship::Adopt(..) => Vec::new(),
        }
    }

    /// Opens a new variant with the caret where one writes, and what was typed for it since.
    fn write_in(
        &mut self,
        parent: SessionId,
        variant: SessionId,
        prompt: Option<Text>,
    ) -> Vec<Effect> {
        let title = self.title_of(parent);
        let hold = self.list.forks.held.take();
        let stays = hold.as_ref().is_some_and(|h| h.at == self.desks.at());
        let typed = hold.map(|h| h.typed).unwrap_or_default();
        let long = match &prompt {
            Some(Text::Blob { blob, .. }) => Some(blob.clone()),
            _ => None,
        };
        let first = prompt.filter(|_| long.is_none());
        let first = first.map(|p| p.shown().to_owned()).unwrap_or_default();
        let mut effects = Vec::new();
        if stays && self.layers.is_empty() {
            effects = self.go_to_variant(parent, variant);
            if !first.is_empty() {
                effects.extend(self.write(|composer| composer.set_text(&first)));
            }
            for held in typed {
                effects.extend(match held {
                    Held::Key(event) => self.key(event),
                    Held::Paste(text) => self.paste(&text),
                });
            }
            self.say_way_back(&title);
        } else {
            // The writer has gone elsewhere meanwhile.
            self.put_words(variant, &(first + &words(&typed)));
            self.say(format!("A variant of “{title}” is there."));
        }
        if let Some(blob) = long {
            let request = Request::Blob {
                session: parent,
                blob,
            };
            effects.push(self.ask(request, Purpose::Unqueue(variant)));
        }
        effects.extend(self.keep_closing(variant));
        effects
    }

    /// A window that closes keeps what has just been put where it is written.
    fn keep_closing(&mut self, session: SessionId) -> Vec<Effect> {
        if self.clock.closing.is_none() {
            return Vec::new();
        }
        self.keep(Some(session))
    }

    /// Opens a variant; the way back leads to its parent.
    fn go_to_variant(&mut self, parent: SessionId, variant: SessionId) -> Vec<Effect> {
        self.desks.visit(parent);
        let effects = self.open(variant, Pane::Composer);
        if self.rows.get(variant).is_none() {
            self.rows.await_back(variant);
        }
        effects
    }

    fn say_way_back(&mut self, title: &str) {
        let back = self.key_of("go.last");
        let text = format!("A variant of “{title}”: {back} leads back.");
        self.voice.say_here(text, self.clock.now);
    }

    /// Words go to where a session's prompts are written, whether it is open or not.
    pub(super) fn put_words(&mut self, session: SessionId, text: &str) {
        if !text.is_empty() {
            let now = self.clock.now;
            let desk = self.desks.of(session);
            desk.give_back(text);
            desk.changed(now);
        }
    }

    /// When every prompt was answered for: the window goes to the first of the variants, with what was written since;
    /// prompts that were refused stand where they were written.
    fn tried(&mut self, parent: SessionId) -> Vec<Effect> {
        let tried = &mut self.list.forks.tried;
        if tried.get(&parent).is_none_or(|t| t.left > 0) {
            return Vec::new();
        }
        let Some(tried) = tried.remove(&parent) else {
            return Vec::new();
        };
        let here = self.desks.at() == Some(parent) && self.layers.is_empty();
        let goes_to = tried.first().filter(|_| here);
        let now = self.clock.now;
        let desk = self.desks.of(parent);
        desk.sending = None;
        desk.changed(now);
        let mut since = String::new();
        if goes_to.is_some() && tried.back.is_empty() {
            since = desk.composer.text();
            desk.composer.clear();
        }
        desk.give_back(&tried.words());
        let mut effects = self.keep_closing(parent);
        if let Some(variant) = goes_to {
            effects.extend(self.go_to_variant(parent, variant));
            if !since.is_empty() {
                effects.extend(self.write(|composer| composer.set_text(&since)));
            }
        }
        self.say_tried(parent, &tried);
        effects
    }

    /// Says what became of them; of what was refused alone the refusal says it.
    fn say_tried(&mut self, parent: SessionId, tried: &Tried) {
        let title = self.title_of(parent);
        if tried.made.is_empty() {
            return;
        }
        if tried.sent == 1 {
            return self.say_way_back(&title);
        }
        let made = counted(tried.made.len() as u64, "variant");
        let rest = match (tried.back.is_empty(), tried.words().is_empty()) {
            (true, true) => "",
            (true, false) => " What you took out stands with the original.",
            (false, _) => " What was not taken stands with the original again.",
        };
        self.say(format!(
            "{made} of “{title}” begin; they stand below it in the list.{rest}"
        ));
    }
}

/// What was typed, as far as it is text.
fn words(typed: &[Held]) -> String {
    let mut out = String::new();
    for held in typed {
        match held {
            Held::Paste(text) => out.push_str(text),
            Held::Key(key) => match key.code {
                KeyCode::Char(c) => out.push(c),
                KeyCode::Enter => out.push('\n'),
                KeyCode::Backspace => drop(out.pop()),
                _ => {}
            },
        }
    }
    out
}

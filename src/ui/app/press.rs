//! A key pressed: the layer on top has it first, then a question, then the place in focus, then the text.

use crossterm::event::KeyEvent;

use super::App;
use super::fork::Held;
use crate::ui::commands::{Command, Place, Run};
use crate::ui::draft::Early;
use crate::ui::focus::Pane;
use crate::ui::input::Effect;
use crate::ui::keymap::{self, Key};
use crate::ui::layers::{Layer, Next, Written};
use crate::ui::layout::has_room_beside;

impl App {
    pub(super) fn key(&mut self, event: KeyEvent) -> Vec<Effect> {
        self.rows.settle();
        if self.list.live {
            self.list.left = None;
        }
        self.cut_is_said();
        let key = Key::from(event);
        self.voice.pressed(key, self.clock.now);
        if self.hold(&Held::Key(event)) {
            return Vec::new();
        }
        if self.has_layer() {
            return self.key_above(event);
        }
        if keymap::left_alone(key) {
            let text = self.left_alone(key);
            self.say(text);
            return Vec::new();
        }
        if let Some(effects) = self.question_key(key) {
            return effects;
        }
        if self.pane == Pane::Composer {
            self.clock.typed = self.clock.now;
        }
        let found = self.settings.keys.find(self.place(), key);
        if let Some(why) = self.holds_tab(found, key) {
            self.say(why);
            return Vec::new();
        }
        if self.is_early(found) {
            return self.keep_early(Early::Key(event));
        }
        match found {
            Some(command) if command.is_typed(self) => self.type_instead(command, event),
            Some(command) => self.run_key(command, key),
            None => {
                self.say_where_it_closes(key);
                self.type_key(event)
            }
        }
    }

    /// What is said of a key that no command may have. Who saves by habit is told that nothing is to be saved, where that is
    /// so.
    fn left_alone(&self, key: Key) -> String {
        let saves = Some(key) == Key::parse("ctrl-s") && self.has_host() && !self.is_reading();
        if saves && self.draft_trouble().is_none() {
            return "What you write is saved as you write it; Ctrl-S is left to your terminal."
                .to_owned();
        }
        format!(
            "{} is left to your terminal; Ctrl-P shows every command.",
            key.shown()
        )
    }

    /// The key that closes the window in the list is none in the words, where others begin something: that is said.
    fn say_where_it_closes(&mut self, key: Key) {
        let keys = &self.settings.keys;
        let closes = keys.find(Place::List, key);
        let closes = closes.is_some_and(|c| c.name == "window.close");
        if closes && self.pane == Pane::Transcript {
            let (key, left) = (key.shown(), self.key_or_title("pane.left"));
            self.say(format!(
                "{key} closes the window in the list: {left} leads there."
            ));
        }
    }

    /// Why a Tab does not lead on from words that are being written: it may be meant as an indent, and the letters
    /// behind it would be commands in the next pane. From a prompt it leads into a draft that is seen beside: into one that is
    /// not in sight the rest of the prompt would be typed.
    fn holds_tab(&self, found: Option<&Command>, key: Key) -> Option<String> {
        let leads = found.is_some_and(|c| c.name == "pane.next") && key.is_tab();
        let beside = self.draft_stands() && has_room_beside(self.ground.screen());
        let into_words = self.pane == Pane::Composer && beside;
        if !leads || into_words || !self.is_writing() {
            return None;
        }
        Some(format!("A Tab is no indent here. {}", self.ways_on()))
    }

    /// Which keys lead on from words that are being written.
    fn ways_on(&self) -> String {
        if self.pane == Pane::Draft {
            let prompt = self.key_or_title("pane.previous");
            let back = self.key_or_title("draft.leave");
            return format!("{prompt} leads to your prompt, {back} back.");
        }
        let leave = self.key_or_title("composer.leave");
        if self.desks.at().is_none() {
            return format!("{leave} leads out of your prompt; it stays as it is.");
        }
        if !self.draft_stands() {
            return format!("{leave} leads to the words above.");
        }
        let draft = self.key_in("draft.open", Place::Transcript);
        let draft = draft.unwrap_or_else(|| self.key_or_title("draft.open"));
        format!("{leave} leads to the words above, {draft} from there to the draft.")
    }

    /// A key that is the text's own while its command cannot be done. Where it changes nothing either, the way to
    /// close is said.
    fn type_instead(&mut self, command: &Command, event: KeyEvent) -> Vec<Effect> {
        let was = self.desk().composer.text();
        let effects = self.type_key(event);
        if command.name == "window.close" && self.desk().composer.text() == was {
            let key = self.key_of("palette.open");
            self.say(format!(
                "What you wrote is not sent. {key}, then “close”, closes the window and keeps it."
            ));
        }
        effects
    }

    pub(super) fn run_key(&mut self, command: &Command, key: Key) -> Vec<Effect> {
        match command.run {
            Run::Digit(run) => key.digit().map(|n| run(self, n)).unwrap_or_default(),
            Run::Plain(_) => self.run(command),
        }
    }

    /// Does a command, or says why not.
    pub(in crate::ui) fn run(&mut self, command: &Command) -> Vec<Effect> {
        if let Some(why) = command.why_not(self) {
            self.voice.say(why, self.clock.now);
            return Vec::new();
        }
        match command.run {
            Run::Plain(run) => run(self),
            Run::Digit(_) => {
                self.voice.say(
                    format!("{} needs its digit.", command.title),
                    self.clock.now,
                );
                Vec::new()
            }
        }
    }

    pub(in crate::ui) fn layer_said(&mut self, layer: Box<dyn Layer>, next: Next) -> Vec<Effect> {
        match next {
            Next::Stay => {
                self.layers.push(layer);
                Vec::new()
            }
            Next::Close => {
                if let Some(written) = layer.written() {
                    self.desks.keep_written(written);
                }
                Vec::new()
            }
            Next::Then(wish) => {
                if let Some(sent) = layer.written() {
                    self.desks.forget_written(sent.session, sent.is_variant);
                }
                self.grant(wish)
            }
            Next::Keep(wish) => {
                self.layers.push(layer);
                self.grant(wish)
            }
        }
    }

    /// Prompts that are written in boxes, those of open ones too.
    pub(super) fn written(&self) -> Vec<Written> {
        let open: Vec<Written> = self.layers.iter().filter_map(|l| l.written()).collect();
        let is_open = |w: &Written| {
            let same = |o: &Written| (o.session, o.is_variant) == (w.session, w.is_variant);
            open.iter().any(same)
        };
        let shut = self.desks.written.iter().filter(|w| !is_open(w)).cloned();
        shut.chain(open.iter().filter(|w| !w.text.trim().is_empty()).cloned())
            .collect()
    }
}

//! The lines in which the window says what happened.

use std::collections::{HashMap, VecDeque};

use super::keymap::Key;
use crate::domain::CollectionId;

/// How long a message stays, milliseconds.
const STAYS: i64 = 8_000;
/// How long it stays at least, whatever is typed meanwhile: long enough to be read.
const READ: i64 = 1_500;
/// How long an answer of the host stays at least, which comes when the next key may have been typed: long enough to be seen.
const SEEN: i64 = 700;

/// How many messages can be read again.
const KEPT: usize = 20;

/// What is said at the moment.
#[derive(Debug, Default)]
pub struct Voice {
    /// What was said, the newest last.
    past: VecDeque<String>,
    message: Option<Message>,
    /// The key that is being answered.
    key: Option<Key>,
    /// The newest key.
    last: Option<Key>,
    /// What is said now came from the host.
    late: bool,
    banner: String,
    /// What is wrong with the briefs of collections.
    briefs: HashMap<CollectionId, String>,
    /// What is wrong with the writer's own settings of the window, and since when it can be read.
    wrong: Option<(String, i64)>,
    since: Option<String>,
    lost: Option<String>,
}

/// What stands on the status line.
#[derive(Debug)]
struct Message {
    text: String,
    until: i64,
    /// Until when no key takes it away.
    seen: i64,
    /// It is true of the session that is open, and of no other.
    of_place: bool,
    /// The key that it answers; none of what came by itself, a failure above all.
    of_key: Option<Key>,
}

impl Voice {
    /// Says something on the status line, for a while.
    pub fn say(&mut self, text: impl Into<String>, now: i64) {
        let text = text.into();
        if self.past.back() != Some(&text) {
            self.past.push_back(text.clone());
        }
        if self.past.len() > KEPT {
            self.past.pop_front();
        }
        self.message = Some(Message {
            text,
            until: now + STAYS,
            seen: if self.late { now + SEEN } else { now },
            of_place: false,
            of_key: self.key,
        });
    }

    /// Says something that is true only while this session is open.
    pub fn say_here(&mut self, text: impl Into<String>, now: i64) {
        self.say(text, now);
        if let Some(message) = &mut self.message {
            message.of_place = true;
        }
    }

    /// Another session is open: what was true only before goes.
    pub fn moved(&mut self) {
        self.message.take_if(|m| m.of_place);
    }

    /// The message, while it stays.
    pub fn message(&self) -> Option<&str> {
        self.message.as_ref().map(|m| m.text.as_str())
    }

    /// What was said before it went, the newest first.
    pub fn past(&self) -> impl Iterator<Item = &str> {
        self.past.iter().rev().map(String::as_str)
    }

    /// When the message goes.
    pub fn until(&self) -> Option<i64> {
        self.message.as_ref().map(|m| m.until)
    }

    /// Takes back what has been said long enough.
    pub fn tick(&mut self, now: i64) {
        self.message.take_if(|m| m.until <= now);
    }

    /// A key was pressed: what could be read goes, and what happened meanwhile is known. What answered another key goes
    /// at once, where it was there at once: the writer is on the way to something else.
    pub fn pressed(&mut self, key: Key, now: i64) {
        let other = |m: &Message| m.of_key.is_some_and(|of| of != key) && m.seen <= now;
        self.message
            .take_if(|m| other(m) || m.until - STAYS + READ <= now);
        self.key = Some(key);
        self.last = Some(key);
        let hidden = self.lost.is_some() || !self.banner.is_empty() || self.since.is_some();
        self.since = None;
        if let Some((_, from)) = self.wrong.as_mut().filter(|_| hidden) {
            *from = now;
        }
        self.wrong.take_if(|w| w.1 + READ <= now);
    }

    /// What the key did is done: what is said from now on answers none.
    pub fn answered(&mut self) {
        (self.key, self.late) = (None, false);
    }

    /// What a key asked of the host is done: what is said now answers it, once it could be seen.
    pub fn answers_late(&mut self) {
        (self.key, self.late) = (self.last, true);
    }

    /// The host's own line; empty takes it back.
    pub fn set_banner(&mut self, text: String) {
        self.banner = text;
    }

    /// What is wrong with the brief of a collection; empty takes it back.
    pub fn set_brief(&mut self, collection: CollectionId, text: String) {
        if text.is_empty() {
            self.briefs.remove(&collection);
        } else {
            self.briefs.insert(collection, text);
        }
    }

    /// What is wrong with the brief of a collection.
    pub fn of_brief(&self, collection: &CollectionId) -> Option<&str> {
        self.briefs.get(collection).map(String::as_str)
    }

    /// What is wrong with the settings of the window, till a key is pressed: the first of it, and where the rest is told.
    pub fn set_wrong(&mut self, all: &[String], now: i64) {
        let said = all.first().map(|first| match all.len() {
            1 => first.clone(),
            n => format!("{first} And {} more: `fascicle doctor` tells them.", n - 1),
        });
        self.wrong = said.map(|text| (text, now));
    }

    /// What happened since the window was last open; none takes it back.
    pub fn set_since(&mut self, text: Option<String>) {
        self.since = text;
    }

    /// Why the host cannot be heard; none when it can.
    pub fn set_lost(&mut self, why: Option<String>) {
        self.lost = why;
    }

    /// Whether the host cannot be heard, and that is said.
    pub fn is_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// The line at the top: what is wrong before what is good to know; `cut` speaks of turns that were cut.
    pub fn top(&self, cut: Option<String>) -> Option<String> {
        if self.lost.is_some() {
            return self.lost.clone();
        }
        let banner = (!self.banner.is_empty()).then_some(&self.banner);
        let first = banner.or(self.since.as_ref());
        let first = first.or(self.wrong.as_ref().map(|w| &w.0)).cloned();
        match (first, cut) {
            (Some(first), Some(cut)) => Some(format!("{first} {cut}")),
            (first, cut) => first.or(cut),
        }
    }

    /// Whether the line at the top is a trouble.
    pub fn is_trouble(&self) -> bool {
        let wrong = self.wrong.is_some() && self.since.is_none();
        self.lost.is_some() || !self.banner.is_empty() || wrong
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    use super::*;

    fn key(letter: char) -> Key {
        Key::from(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE))
    }

    #[test]
    fn a_message_goes_with_a_key_once_it_could_be_read_else_by_itself() {
        let mut voice = Voice::default();
        voice.say("The disk is full.", 0);
        voice.pressed(key('a'), READ - 1);
        voice.answered();
        assert!(voice.message().is_some());
        voice.pressed(key('a'), READ);
        voice.answered();
        assert!(voice.message().is_none());
        voice.say("Copied 3 words.", READ);
        voice.tick(READ + STAYS - 1);
        assert!(voice.message().is_some());
        voice.tick(READ + STAYS);
        assert!(voice.message().is_none());
    }

    #[test]
    fn an_answer_to_a_key_goes_with_the_next_other_one() {
        let mut voice = Voice::default();
        for again in [0, 1] {
            voice.pressed(key('f'), again);
            assert_eq!(voice.message().is_some(), again == 1);
            voice.say("The list is not filtered.", again);
            voice.answered();
        }
        voice.pressed(key('g'), 2);
        assert!(voice.message().is_none());
    }

    #[test]
    fn an_answer_that_the_host_gives_goes_with_the_next_other_key_once_it_could_be_seen() {
        let mut voice = Voice::default();
        voice.pressed(key('n'), 0);
        voice.answered();
        // Another key was typed before it came, and more are behind it.
        voice.pressed(key('w'), 1);
        voice.answered();
        voice.answers_late();
        voice.say("“Essays” is there.", 1);
        voice.answered();
        voice.pressed(key('o'), SEEN);
        assert_eq!(voice.message(), Some("“Essays” is there."));
        voice.answered();
        voice.pressed(key('r'), 1 + SEEN);
        assert!(voice.message().is_none());
    }

    #[test]
    fn what_is_wrong_with_the_settings_goes_with_a_key_once_it_could_be_read() {
        let mut voice = Voice::default();
        voice.set_wrong(&["Ctrl-F is find and fork.".to_owned()], 0);
        voice.set_since(Some("Since you were here: 1 turn finished.".to_owned()));
        voice.pressed(key('a'), READ);
        let said = voice.top(None);
        assert_eq!(said.as_deref(), Some("Ctrl-F is find and fork."));
        assert!(voice.is_trouble());
        voice.pressed(key('a'), 2 * READ - 1);
        assert!(voice.top(None).is_some(), "it came into sight just now");
        voice.pressed(key('a'), 2 * READ);
        assert_eq!(voice.top(None), None);
        assert!(!voice.is_trouble());
    }
}

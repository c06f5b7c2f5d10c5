//! The window's model: inputs come in, effects go out; nothing here waits, reads a clock or does IO.

mod adopt;
mod again;
mod asked;
mod beside;
mod brief;
mod call;
mod compare;
mod deeds;
mod draft;
mod drawer;
mod early;
mod errands;
mod facts;
mod finished;
mod follow;
mod fork;
mod hear;
mod host;
mod import;
mod kept;
mod memory;
mod mouse;
mod open;
mod press;
mod reply;
pub(super) mod search;
mod send;
mod shelve;
mod texts;
mod time;
mod typed;
mod undo;
pub(super) mod versions;
mod view;

use std::collections::HashMap;

use crossterm::event::KeyEventKind;
use ratatui::layout::Rect;

use super::asks::{Asks, Purpose};
use super::commands;
use super::compare::View;
use super::desk::{Desk, Desks};
use super::farewell::Farewell;
use super::focus::Pane;
use super::ground::Ground;
use super::input::{Effect, Input, Ticket};
use super::layers::Layer;
use super::place::{self, Place, Prompts};
use super::questions::Questions;
use super::rows::Rows;
use super::settings::Settings;
use super::sleeps::Sleeps;
use super::voice::Voice;
use crate::domain::{Request, Row, SessionId};
pub(super) use asked::Answering;
pub(super) use fork::Try;
pub use import::Bringing;
use undo::Done;

/// Why nothing can be done with a session where none is at hand.
pub(super) const NO_SESSION: &str = "No session is at hand.";

/// The window.
#[derive(Debug)]
pub struct App {
    pub(super) settings: Settings,
    pub(super) rows: Rows,
    pub(super) desks: Desks,
    pub(super) pane: Pane,
    pub(super) questions: Questions,
    pub(super) voice: Voice,
    asks: Asks,
    pub(super) ground: Ground,
    layers: Vec<Box<dyn Layer>>,
    list: ListLink,
    host: host::HostLink,
    clock: Clock,
}

/// The attachment to the list.
#[derive(Debug, Default)]
struct ListLink {
    ticket: Ticket,
    live: bool,
    /// Where the window was left, until the writer has seen what happened since.
    left: Option<Place>,
    /// What was done here, to be undone, and what was undone.
    done: Done,
    /// The session whose draft is in the editor.
    edited: Option<SessionId>,
    /// Sessions whose stop was sent, and since when their turn ran: it is another turn's no more.
    stopping: HashMap<SessionId, Option<i64>>,
    /// The title last given to the terminal.
    title: String,
    /// Turns that were cut.
    cut: again::Cut,
    /// The terminal has said that it is not looked at.
    unwatched: bool,
    /// Where the list was drawn last.
    at: Option<Rect>,
    /// Nothing can be written in this workspace for now.
    reading: bool,
    /// Variants that are being made.
    forks: fork::Forks,
}

/// Times the window acts on, milliseconds since 1970.
#[derive(Clone, Debug, Default)]
struct Clock {
    now: i64,
    /// When a lost host is looked for again, and how often that was in vain.
    retry: Option<(i64, u32)>,
    /// When the window closes even if the host has not answered.
    closing: Option<i64>,
    /// When a key was last pressed where prompts are written.
    typed: i64,
    /// Until when a second Ctrl-C closes.
    break_until: i64,
    /// When the machine slept.
    sleeps: Sleeps,
    /// With the next frame it is said anew what happened since the window was left.
    since_due: bool,
}

impl App {
    /// The window where it was left, and what that takes.
    pub fn new(settings: Settings, left: Place, now: i64) -> (Self, Vec<Effect>) {
        let mut app = Self {
            settings,
            rows: Rows::default(),
            desks: Desks::default(),
            pane: left.pane,
            questions: Questions::default(),
            voice: Voice::default(),
            asks: Asks::default(),
            ground: Ground::default(),
            layers: Vec::new(),
            list: ListLink {
                left: Some(left.clone()),
                cut: again::Cut::said_before(&left.cut),
                ..ListLink::default()
            },
            host: host::HostLink::default(),
            clock: Clock {
                now,
                ..Clock::default()
            },
        };
        app.desks.views.looked = left.looked;
        app.desks.drafts.take_over(left.owed, left.drafts);
        app.desks.unsent = left.prompts.unsent;
        app.desks.written = left.prompts.written;
        app.voice.set_wrong(&app.settings.wrong, now);
        app.rows.set_looks(left.looks);
        app.rows.show(left.shelf);
        app.offer_loose();
        let mut effects = app.begin_with_terminal();
        effects.push(app.attach_list());
        effects.extend(match left.session {
            Some(session) => app.reopen(session, left.pane, left.reading),
            None => app.begin_in(None),
        });
        (app, effects)
    }

    /// What goes on without the window, as far as the host has told.
    pub fn farewell(&self) -> Farewell {
        let goes_on = if self.list.live {
            Farewell::of(&self.rows)
        } else {
            Farewell::default()
        };
        Farewell {
            owed: !self.owed().is_empty(),
            ..goes_on
        }
    }

    /// Where the window stands, to be kept for the next time.
    pub fn left(&self) -> Place {
        let transcript = &self.desk().transcript;
        let reading = (!transcript.at_end()).then(|| transcript.selected_message());
        Place {
            session: self.desks.at(),
            pane: match self.pane {
                Pane::View => self.desks.views.from,
                pane => pane,
            },
            shelf: self.rows.shelf().clone(),
            looks: self.rows.looks(),
            reading: reading.flatten().map(|m| m.seq),
            busy: place::busy(&self.rows),
            when: Some(self.clock.now),
            cut: self.cut_told(),
            looked: self.desks.views.looked.clone(),
            owed: self.owed(),
            drafts: self.desks.drafts.left(),
            prompts: Prompts {
                unsent: self.desks.unkept(self.is_reading()),
                written: self.written(),
            },
        }
    }

    /// Takes in one input.
    pub fn handle(&mut self, input: Input) -> Vec<Effect> {
        let from = self.pane;
        let mut effects = match input {
            Input::Key(event) if event.kind == KeyEventKind::Release => Vec::new(),
            Input::Key(event) => {
                let mut effects = self.wake_host();
                effects.extend(self.key(event));
                effects
            }
            Input::Paste(text) => {
                let mut effects = self.wake_host();
                effects.extend(self.paste(&text));
                effects
            }
            Input::Typed(text) => self.typed(&text),
            Input::Mouse(event) => self.mouse(event),
            Input::Terminal(answer) => self.answered(answer),
            Input::Focus(watched) => self.focus(watched),
            // Drawn anew even at the same size: the terminal may have been smaller in between, and cut what it had.
            Input::Resize | Input::Continue => vec![Effect::Redraw],
            Input::Notice { ticket, notice } => self.hear(ticket, notice),
            Input::Lost { ticket, .. } => self.lost(ticket, None),
            Input::Reply { tag, reply } => self.replied(tag, reply),
            Input::Tick(now) => self.tick(now),
            Input::Edited(outcome) => self.edited(outcome),
            Input::Brought(brought) => {
                self.brought(brought);
                Vec::new()
            }
            Input::Suspend => vec![Effect::Suspend],
            // A terminal that goes away tells so in more ways than one.
            Input::Close if self.clock.closing.is_some() => Vec::new(),
            Input::Close => self.close(),
        };
        self.voice.answered();
        self.came_to_draft(from);
        self.drop_layers();
        self.see_question();
        effects.extend(self.follow_up());
        effects
    }

    /// The place whose keys apply.
    pub(super) fn place(&self) -> commands::Place {
        match self.pane {
            Pane::Drawer => commands::Place::Drawer,
            Pane::List => commands::Place::List,
            Pane::Transcript => commands::Place::Transcript,
            Pane::Composer => commands::Place::Composer,
            Pane::Draft => self.draft_place(),
            Pane::View => self.view_place(),
        }
    }

    /// Asks the host.
    pub(super) fn ask(&mut self, request: Request, purpose: Purpose) -> Effect {
        let tag = self.asks.begin(purpose);
        Effect::Ask { tag, request }
    }

    /// The open desk.
    pub(super) fn desk(&self) -> &Desk {
        self.desks.here()
    }

    /// Whether keys are text.
    pub(super) fn is_writing(&self) -> bool {
        let composes = self.pane == Pane::Composer && !self.desk().composer.is_empty();
        composes || self.pane == Pane::Draft
    }

    /// The session that commands are about: under the cursor in the list, else the open one.
    pub(super) fn at_hand(&self) -> Option<SessionId> {
        match self.pane {
            Pane::List => self.rows.cursor(),
            Pane::View => self.desks.views.top().and_then(View::session),
            _ => self.desks.at(),
        }
    }

    /// Its row.
    pub(super) fn row_at_hand(&self) -> Option<&Row> {
        self.at_hand().and_then(|s| self.rows.get(s))
    }

    /// Why nothing can be done with a session here; none where one is at hand.
    pub(super) fn no_session(&self) -> Option<&'static str> {
        self.at_hand().is_none().then_some(NO_SESSION)
    }

    /// The same of what needs its row, which the host tells.
    pub(super) fn no_row_at_hand(&self) -> Option<&'static str> {
        self.row_at_hand().is_none().then_some(NO_SESSION)
    }

    /// Says a line, for a while.
    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.voice.say(text, self.clock.now);
    }

    /// Now, milliseconds since 1970.
    pub(super) fn now(&self) -> i64 {
        self.clock.now
    }
}

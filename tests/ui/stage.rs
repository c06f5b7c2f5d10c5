//! A window on a stage: rows, events and replies are put in by hand, time moves when told to.

use std::collections::HashMap;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use fascicle::domain::event::{Kind, Usage};
use fascicle::domain::head::Question;
use fascicle::domain::notice::Build;
use fascicle::domain::session::replay;
use fascicle::domain::spent::{Quarter, Spent};
use fascicle::domain::{
    CollectionId, CollectionRow, Event, Limits, Money, Notice, Recipe, Reply, Request, Row, Scope,
    SessionId, State, Step,
};
use fascicle::ui::attention::Caller;
use fascicle::ui::input::{Tag, Ticket};
use fascicle::ui::keymap::Keymap;
use fascicle::ui::theme::{Colours, Look, Theme};
use fascicle::ui::{Agents, App, Choice, Effect, Input, Moment, Place, Recipes, Settings};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use uuid::Uuid;

/// 2 March 2026, 14:02:00 UTC.
pub(crate) const NOON: i64 = 1_772_460_120_000;

pub(crate) fn id(n: u128) -> SessionId {
    SessionId::new(Uuid::from_u128(n))
}

pub(crate) fn collection(name: &str) -> CollectionId {
    name.parse().unwrap()
}

pub(crate) fn settings() -> Settings {
    let choice = |agent: &str, model: Option<&str>| Choice {
        agent: agent.to_owned(),
        model: model.map(str::to_owned),
    };
    Settings {
        workspace: "Fascicle".to_owned(),
        window: "w1".parse().unwrap(),
        agents: Agents {
            choices: vec![
                choice("claude", Some("opus")),
                choice("local", Some("qwen3")),
            ],
            unready: None,
            web: vec!["claude".to_owned()],
        },
        first: fascicle::ui::First::default(),
        keys: Keymap::default(),
        wrong: Vec::new(),
        theme: Theme::new(Look {
            colours: Colours::None,
            light: None,
        }),
        means: fascicle::ui::Means::default(),
        zone: jiff::tz::TimeZone::UTC,
        caller: Caller::default(),
        recipes: Recipes {
            choices: recipes(),
            ..Recipes::default()
        },
        build: build("0.1.0", 1),
    }
}

pub(crate) fn build(app: &str, built: u64) -> Build {
    Build {
        app: app.to_owned(),
        built: Some(built),
    }
}

/// Two recipes to choose from.
pub(crate) fn recipes() -> Vec<Recipe> {
    let step = |name: &str, text: &str| Step {
        name: name.to_owned(),
        text: text.to_owned(),
    };
    vec![
        Recipe {
            title: "Essay".to_owned(),
            steps: vec![
                step("Outline", "Outline the piece in at most seven points."),
                step("Draft", "Write the draft from the outline."),
                step(
                    "Critique",
                    "Name the three weakest places of the draft, with reasons.",
                ),
                step("Revise", "Revise the draft where the critique is right."),
            ],
            limits: Limits {
                turns: Some(8),
                usd: Some(2.5),
                ..Limits::default()
            },
        },
        Recipe {
            title: "Second look".to_owned(),
            steps: vec![step("Look", "Read the draft as a stranger would.")],
            limits: Limits::default(),
        },
    ]
}

/// A row as the host would tell it.
pub(crate) fn row(n: u128, title: &str, state: State, words: u64) -> Row {
    Row {
        written: fascicle::domain::Written::default(),
        id: id(n),
        collection: collection("essays"),
        title: title.to_owned(),
        state,
        agent: "claude".to_owned(),
        model: Some("opus".to_owned()),
        words,
        turns: 1,
        stage: None,
        tags: Vec::new(),
        folder: format!("essays/{n}"),
        updated: NOON - i64::try_from(n).unwrap() * 60_000,
        since: matches!(state, State::Writing | State::NeedsYou).then_some(NOON - 8_000),
        begun: match state {
            State::Writing | State::NeedsYou | State::Queued => NOON - 8_000,
            _ => NOON - i64::try_from(n).unwrap() * 60_000,
        },
        archived: false,
        trashed: false,
        asked: match state {
            State::NeedsYou => vec![question("q1")],
            _ => Vec::new(),
        },
        queued: 0,
        held: state == State::Queued,
        recipe: None,
        pause: None,
        spent: Usage {
            cost_usd: Some(0.06),
            ..Usage::default()
        },
        money: Money {
            unpriced: 0,
            lately: vec![Quarter {
                at: NOON / 900_000,
                spent: Spent {
                    cost: Some(0.06),
                    ..Spent::default()
                },
            }],
        },
        kin: fascicle::domain::Kin::default(),
        proposed: None,
        trouble: None,
        deed: None,
        draft_trouble: None,
    }
}

pub(crate) fn question(call: &str) -> Question {
    Question {
        call: call.to_owned(),
        what: "Fetch https://example.org/tides and read it".to_owned(),
        input: r#"{"tool":"WebFetch","input":{"url":"https://example.org/tides","prompt":"When was high water on 3 May?"}}"#.into(),
    }
}

/// The rows most tests have.
pub(crate) fn rows() -> Vec<Row> {
    let mut tagged = row(2, "Compact", State::Unread, 2011);
    tagged.tags = vec!["spring".to_owned()];
    let mut letter = row(6, "To the harbour master", State::Idle, 340);
    letter.collection = collection("letters");
    vec![
        row(4, "Memory", State::NeedsYou, 0),
        row(3, "Session", State::Writing, 1204),
        tagged,
        row(5, "Tools", State::Interrupted, 0),
        row(1, "The lost afternoon", State::Idle, 987),
        letter,
    ]
}

pub(crate) fn collections() -> Vec<CollectionRow> {
    ["Essays", "Letters", "Inbox"]
        .map(|title| {
            let folder = title.to_lowercase();
            CollectionRow::new(collection(&folder), title, &folder)
        })
        .to_vec()
}

/// A session's log with one answered prompt; the second turn is open when `open`.
pub(crate) fn log(n: u128, title: &str, open: bool) -> Vec<Kind> {
    let mut kinds = vec![
        Kind::Created {
            id: id(n),
            title: Some(title.to_owned()),
            collection: collection("essays"),
            folder: format!("essays/{n}"),
            agent: Some("claude".to_owned()),
            app: "0.1.0".to_owned(),
        },
        prompt(1, "The second paragraph is too flat."),
        started(1),
        message(
            1,
            "Then let it *fall*. The window closed, and with it the morning’s last good sentence; nobody had written it down.",
        ),
        finished(1),
    ];
    if open {
        kinds.extend([
            prompt(2, "Make the last line shorter."),
            started(2),
            delta(2, "Rewriting it around the lost "),
            delta(2, "afternoon."),
        ]);
    }
    kinds
}

pub(crate) fn prompt(turn: u32, text: &str) -> Kind {
    Kind::Prompt {
        turn,
        text: text.into(),
        queued: None,
    }
}

pub(crate) fn started(turn: u32) -> Kind {
    Kind::TurnStarted {
        turn,
        agent: "claude".to_owned(),
        agent_session: None,
        model: Some("opus".to_owned()),
        resume: turn > 1,
    }
}

pub(crate) fn delta(turn: u32, text: &str) -> Kind {
    Kind::Delta {
        turn,
        block: 0,
        text: text.into(),
    }
}

pub(crate) fn message(turn: u32, text: &str) -> Kind {
    Kind::Message {
        turn,
        block: 0,
        text: text.into(),
    }
}

pub(crate) fn finished(turn: u32) -> Kind {
    Kind::TurnFinished {
        turn,
        status: fascicle::domain::event::Status::Ok,
        reason: None,
        events: 0,
        crc32: String::new(),
    }
}

pub(crate) fn asked(turn: u32, call: &str) -> Kind {
    let q = question(call);
    Kind::Asked {
        turn,
        call: q.call,
        what: q.what,
        input: q.input,
    }
}

/// The keys that were pressed, letters of a text left out.
#[derive(Default)]
pub(crate) struct Keys {
    pressed: Vec<String>,
}

impl Keys {
    /// Begins to count.
    pub(crate) fn count(&mut self) {
        self.pressed.clear();
    }

    /// Fails when more were pressed, and names them.
    #[track_caller]
    pub(crate) fn at_most(&self, most: usize, what: &str) {
        let n = self.pressed.len();
        let keys = self.pressed.join(" ");
        assert!(n <= most, "{what}: {n} keys instead of {most}: {keys}");
    }
}

pub(crate) struct Stage {
    pub(crate) app: App,
    pub(crate) now: i64,
    pub(crate) keys: Keys,
    begun: i64,
    slept: i64,
    /// Everything the window wanted, oldest first.
    pub(crate) effects: Vec<Effect>,
    lengths: HashMap<SessionId, u64>,
}

impl Stage {
    /// A window left nowhere, with nothing told yet.
    pub(crate) fn bare(left: Place) -> Self {
        Self::with(settings(), left)
    }

    /// A window that was told other things when it opened.
    pub(crate) fn with(settings: Settings, left: Place) -> Self {
        Self::since(settings, left, NOON)
    }

    /// A window that opens at another time.
    pub(crate) fn since(settings: Settings, left: Place, now: i64) -> Self {
        let (app, effects) = App::new(settings, left, now);
        Self {
            app,
            now,
            keys: Keys::default(),
            begun: now,
            slept: 0,
            effects,
            lengths: HashMap::new(),
        }
    }

    /// A window on an empty workspace.
    pub(crate) fn empty() -> Self {
        let mut stage = Self::bare(Place::default());
        stage.tell_list(&[], &[]);
        stage
    }

    /// A window with the usual rows, left at a session.
    pub(crate) fn at(n: u128) -> Self {
        let left = Place {
            session: Some(id(n)),
            ..Place::default()
        };
        let mut stage = Self::bare(left);
        stage.tell_list(&collections(), &rows());
        stage
    }

    pub(crate) fn give(&mut self, input: Input) {
        let effects = self.app.handle(input);
        self.effects.extend(effects);
    }

    /// The machine sleeps.
    pub(crate) fn sleep(&mut self, ms: i64) {
        self.slept += ms;
        self.wait(ms);
    }

    pub(crate) fn wait(&mut self, ms: i64) {
        self.now += ms;
        let awake = self.now - self.begun - self.slept;
        self.give(Input::Tick(Moment {
            wall: self.now,
            awake,
        }));
    }

    /// Presses keys by name: `ctrl-p`, `enter`, `x`.
    pub(crate) fn press(&mut self, names: &str) {
        for name in names.split(' ') {
            self.keys.pressed.push(name.to_owned());
            self.give(Input::Key(key(name)));
        }
    }

    /// Types a text, key by key. Its letters are not counted.
    pub(crate) fn type_text(&mut self, text: &str) {
        for c in text.chars() {
            self.give(Input::Key(KeyEvent::new(
                KeyCode::Char(c),
                KeyModifiers::NONE,
            )));
        }
    }

    pub(crate) fn list_ticket(&self) -> Ticket {
        let find = |e: &Effect| match e {
            Effect::Attach {
                ticket,
                scope: Scope::Workspace,
            } => Some(*ticket),
            _ => None,
        };
        self.effects.iter().rev().find_map(find).unwrap()
    }

    pub(crate) fn ticket(&self, session: SessionId) -> Option<Ticket> {
        let find = |e: &Effect| match e {
            Effect::Attach {
                ticket,
                scope: Scope::Session { session: s, .. },
            } if *s == session => Some(*ticket),
            _ => None,
        };
        self.effects.iter().rev().find_map(find)
    }

    pub(crate) fn tell_list(&mut self, collections: &[CollectionRow], rows: &[Row]) {
        let ticket = self.list_ticket();
        let mut notices: Vec<Notice> = collections
            .iter()
            .cloned()
            .map(|row| Notice::Collection(Box::new(row)))
            .collect();
        notices.extend(rows.iter().cloned().map(|r| Notice::Row(Box::new(r))));
        notices.push(Notice::Live);
        for notice in notices {
            self.give(Input::Notice { ticket, notice });
        }
    }

    pub(crate) fn tell_row(&mut self, row: Row) {
        let ticket = self.list_ticket();
        let notice = Notice::Row(Box::new(row));
        self.give(Input::Notice { ticket, notice });
    }

    /// Tells a session's whole log and that it is live.
    pub(crate) fn tell_log(&mut self, n: u128, kinds: &[Kind]) {
        let ticket = self.ticket(id(n)).expect("the session was opened");
        let events: Vec<Event> = kinds
            .iter()
            .cloned()
            .enumerate()
            .map(|(i, k)| event(i as u64, k))
            .collect();
        let head = Box::new(replay(&events).head);
        self.lengths.insert(id(n), events.len() as u64);
        let opened = Notice::Opened { head, more: false };
        self.give(Input::Notice {
            ticket,
            notice: opened,
        });
        for event in events {
            self.give(Input::Notice {
                ticket,
                notice: Notice::Event(event),
            });
        }
        self.give(Input::Notice {
            ticket,
            notice: Notice::Live,
        });
    }

    /// Every attachment to a session, those that were let go included.
    fn tickets(&self, session: SessionId) -> Vec<Ticket> {
        let find = |e: &Effect| match e {
            Effect::Attach {
                ticket,
                scope: Scope::Session { session: s, .. },
            } if *s == session => Some(*ticket),
            _ => None,
        };
        self.effects.iter().filter_map(find).collect()
    }

    /// Tells what happens now in a session, wherever it is heard.
    pub(crate) fn tell(&mut self, n: u128, kind: Kind) {
        let tickets = self.tickets(id(n));
        assert!(!tickets.is_empty(), "the session was opened");
        let seq = self.lengths.entry(id(n)).or_default();
        let event = event(*seq, kind);
        *seq += 1;
        for ticket in tickets {
            let notice = Notice::Event(event.clone());
            self.give(Input::Notice { ticket, notice });
        }
    }

    /// How many events a session's log has.
    pub(crate) fn length(&self, n: u128) -> u64 {
        self.lengths[&id(n)]
    }

    /// When the newest event of a session's log was written, milliseconds since 1970.
    pub(crate) fn last_ts(&self, n: u128) -> i64 {
        event(self.lengths[&id(n)] - 1, Kind::Archived).ts
    }

    /// What was asked and is not answered yet, newest last; what was wanted before is forgotten.
    pub(crate) fn asks(&mut self) -> Vec<(Tag, Request)> {
        let (asks, rest) = self
            .effects
            .drain(..)
            .partition(|e| matches!(e, Effect::Ask { .. }));
        self.effects = rest;
        let asks: Vec<Effect> = asks;
        asks.into_iter()
            .filter_map(|e| match e {
                Effect::Ask { tag, request } => Some((tag, request)),
                _ => None,
            })
            .collect()
    }

    /// The one request asked since the last look, beside those for unsent text and what was seen.
    pub(crate) fn asked_one(&mut self) -> (Tag, Request) {
        let quiet = |r: &Request| {
            matches!(
                r,
                Request::KeepUnsent { .. }
                    | Request::Unsent { .. }
                    | Request::Do {
                        deed: fascicle::domain::ask::Deed::Seen { .. },
                        ..
                    }
            )
        };
        let mut asks: Vec<_> = self.asks().into_iter().filter(|a| !quiet(&a.1)).collect();
        assert_eq!(asks.len(), 1, "{asks:?}");
        asks.remove(0)
    }

    pub(crate) fn answer(&mut self, tag: Tag, reply: Reply) {
        self.give(Input::Reply { tag, reply });
    }

    /// What was wanted since the last look.
    pub(crate) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Whether it was wanted since the effects were last looked at.
    pub(crate) fn wanted(&self, effect: &Effect) -> usize {
        self.effects.iter().filter(|e| *e == effect).count()
    }

    pub(crate) fn paint(&mut self, cols: u16, rows: u16) -> (Buffer, Option<Position>) {
        let area = Rect::new(0, 0, cols, rows);
        let mut buf = Buffer::empty(area);
        let caret = self.app.paint(area, &mut buf);
        (buf, caret)
    }

    /// A frame as text: the caret is `▏`, spaces at the end of rows are cut.
    pub(crate) fn frame(&mut self, cols: u16, rows: u16) -> String {
        let (buf, caret) = self.paint(cols, rows);
        let mut out = String::new();
        for y in 0..rows {
            let mut line = String::new();
            let mut skip = 0;
            for x in 0..cols {
                let symbol = buf[(x, y)].symbol();
                if skip > 0 {
                    skip -= 1;
                    continue;
                }
                if caret == Some(Position::new(x, y)) && symbol == " " {
                    line.push('▏');
                } else {
                    line.push_str(symbol);
                }
                skip = fascicle::text::width(symbol).saturating_sub(1);
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }
}

fn event(seq: u64, kind: Kind) -> Event {
    Event {
        seq,
        ts: NOON - 50_000 + i64::try_from(seq).unwrap() * 6_000,
        kind,
    }
}

/// A key by its name in the configuration.
pub(crate) fn key(name: &str) -> KeyEvent {
    let (mut mods, mut rest) = (KeyModifiers::NONE, name);
    while let Some((m, tail)) = rest
        .split_once('-')
        .filter(|(m, t)| ["ctrl", "alt"].contains(m) && !t.is_empty())
    {
        mods |= if m == "ctrl" {
            KeyModifiers::CONTROL
        } else {
            KeyModifiers::ALT
        };
        rest = tail;
    }
    let code = match rest {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "backtab" => KeyCode::BackTab,
        "space" => KeyCode::Char(' '),
        "backspace" => KeyCode::Backspace,
        "del" => KeyCode::Delete,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "pgup" => KeyCode::PageUp,
        "pgdn" => KeyCode::PageDown,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "f1" => KeyCode::F(1),
        "f2" => KeyCode::F(2),
        "f4" => KeyCode::F(4),
        "f6" => KeyCode::F(6),
        one => KeyCode::Char(one.chars().next().unwrap()),
    };
    KeyEvent::new(code, mods)
}

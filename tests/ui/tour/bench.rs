//! A window on the stage with a small host behind it, so that a story can be long: it keeps logs in memory,
//! answers what is asked, and tells rows and events in the order in which the real one does.

use fascicle::domain::event::RecipeStarted;
use std::collections::{BTreeMap, HashMap};

use fascicle::config::edit::Answer;
use fascicle::domain::ask::{Deed, NewSession, NewVariant, Request, Which};
use fascicle::domain::event::{By, Kind, Staged, Status, Usage};
use fascicle::domain::session::replay;
use fascicle::domain::splice::spliced;
use fascicle::domain::{
    CollectionId, CollectionRow, Event, Head, Notice, Piece, Recipe, Reply, Row, Scope, Seq,
    SessionId, Splice, Stage as Standing, TurnNo,
};
use fascicle::text::hash::sha256;
use fascicle::text::merge::merge;
use fascicle::ui::errand::Kept;
use fascicle::ui::input::{Tag, Ticket};
use fascicle::ui::{Brought, Choice, Effect, Errand, Input, Place, Settings};

use crate::stage::{Stage, collection, finished, id, prompt};

/// The agent of every session here.
pub(crate) const AGENT: &str = "claude";
/// How long the writer takes for a key, milliseconds.
const KEY: i64 = 120;

/// What lies on disk, whatever window looks at it.
#[derive(Clone, Default)]
pub(crate) struct Disk {
    pub(crate) logs: BTreeMap<SessionId, Vec<Event>>,
    pub(crate) collections: Vec<CollectionRow>,
    /// Unsent texts.
    pub(crate) unsent: HashMap<Option<SessionId>, String>,
    /// Texts of drafts, by the event that made them.
    pub(crate) drafts: BTreeMap<(SessionId, Seq), String>,
}

impl Disk {
    pub(crate) fn head(&self, session: SessionId) -> Head {
        replay(&self.logs[&session]).head
    }

    /// The row that the host tells.
    fn row(&self, session: SessionId) -> Row {
        let mut row = Row::of(&self.head(session), AGENT, true).unwrap();
        row.model = Some("opus".to_owned());
        row
    }

    /// The file of a collection says where a piece stands.
    pub(crate) fn say_stage(&mut self, session: SessionId, stage: Option<Standing>) {
        let at = self.head(session).place.unwrap().collection;
        for row in self.collections.iter_mut().filter(|row| row.id == at) {
            row.pieces.retain(|piece| piece.id != session);
            let piece = Piece::new(session);
            row.pieces.push(Piece { stage, ..piece });
            row.pieces.sort_by_key(|piece| piece.id);
        }
    }

    /// Something that happened.
    pub(crate) fn add(&mut self, session: SessionId, ts: i64, kind: Kind) -> Event {
        let log = self.logs.entry(session).or_default();
        let seq = log.len() as Seq;
        let event = Event { seq, ts, kind };
        log.push(event.clone());
        event
    }

    /// The draft and the event that made it.
    pub(crate) fn draft(&self, session: SessionId) -> (Seq, &str) {
        let mut all = self.drafts.range((session, 0)..=(session, Seq::MAX));
        let newest = all.next_back();
        newest.map_or((0, ""), |((_, seq), text)| (*seq, text))
    }

    /// A version of the draft, or an edit of it, with the text it makes.
    pub(crate) fn keep(&mut self, session: SessionId, event: &Event, text: &str) {
        self.drafts.insert((session, event.seq), text.to_owned());
    }

    /// A session as it was made, and its folder.
    pub(crate) fn make(&mut self, ts: i64, at: &CollectionId, title: Option<&str>) -> SessionId {
        let session = id(self.logs.len() as u128 + 1);
        let made = Kind::Created {
            id: session,
            title: title.map(str::to_owned),
            collection: at.clone(),
            folder: format!("{at}/{}", self.logs.len() + 1),
            agent: None,
            app: "0.1.0".to_owned(),
        };
        self.add(session, ts, made);
        session
    }

    /// A turn that was had, its end seen, and the draft it left.
    pub(crate) fn turn(&mut self, session: SessionId, ts: i64, words: [&str; 2], draft: &str) {
        let turn = next_turn(&self.head(session));
        let said = Kind::Message {
            turn,
            block: 0,
            text: words[1].into(),
        };
        let mut kinds = vec![prompt(turn, words[0]), started(turn), said];
        if !draft.is_empty() {
            kinds.push(saved(turn, draft, (fascicle::text::count(draft) as u64, 0)));
        }
        kinds.extend([usage(turn, 0.04), finished(turn)]);
        for (i, kind) in (0..).zip(kinds) {
            let version = matches!(kind, Kind::DraftSaved { .. });
            let event = self.add(session, ts + i * 3_000, kind);
            if version {
                self.keep(session, &event, draft);
            }
        }
        let upto = self.logs[&session].len() as Seq - 1;
        self.add(session, ts + 20_000, Kind::Seen { upto });
    }
}

pub(crate) fn started(turn: TurnNo) -> Kind {
    Kind::TurnStarted {
        turn,
        agent: AGENT.to_owned(),
        agent_session: None,
        model: Some("opus".to_owned()),
        resume: turn > 1,
    }
}

pub(crate) fn saved(turn: TurnNo, text: &str, (added, removed): (u64, u64)) -> Kind {
    Kind::DraftSaved {
        turn: Some(turn),
        sha256: sha256(text.as_bytes()),
        bytes: text.len() as u64,
        words: fascicle::text::count(text) as u64,
        by: By::Agent(AGENT.to_owned()),
        base: None,
        added,
        removed,
        beside: None,
        from: None,
        rest: false,
    }
}

pub(crate) fn usage(turn: TurnNo, cost: f64) -> Kind {
    let usage = Usage {
        input: Some(8_214),
        output: Some(612),
        cost_usd: Some(cost),
        context: Some(0.04),
        ..Usage::default()
    };
    Kind::Usage { turn, usage }
}

pub(crate) fn next_turn(head: &Head) -> TurnNo {
    head.turn.as_ref().map_or(0, |t| t.no) + 1
}

/// A window and its host.
pub(crate) struct Bench {
    pub(crate) stage: Stage,
    pub(crate) disk: Disk,
    pub(crate) list: Option<Ticket>,
    attached: HashMap<Ticket, SessionId>,
    /// The drafts as agents have read them.
    read: HashMap<SessionId, String>,
    /// What the window wanted of its terminal, oldest first.
    pub(crate) wanted: Vec<Effect>,
}

impl Bench {
    /// Opens a window on what lies on disk.
    pub(crate) fn open(disk: Disk, settings: Settings, left: Place, now: i64) -> Self {
        let mut bench = Self {
            stage: Stage::since(settings, left, now),
            disk,
            list: None,
            attached: HashMap::new(),
            read: HashMap::new(),
            wanted: Vec::new(),
        };
        bench.serve();
        bench
    }

    /// Presses keys by name, one after the other.
    pub(crate) fn press(&mut self, names: &str) {
        for name in names.split(' ') {
            self.stage.press(name);
            self.wait(KEY);
        }
    }

    /// Types a text.
    pub(crate) fn type_text(&mut self, text: &str) {
        for c in text.chars() {
            self.stage.type_text(c.encode_utf8(&mut [0; 4]));
            self.wait(KEY);
        }
    }

    pub(crate) fn wait(&mut self, ms: i64) {
        self.serve();
        self.stage.wait(ms);
        self.serve();
    }

    /// What is on the screen; the host hears what was seen of it.
    pub(crate) fn frame(&mut self, cols: u16, rows: u16) -> String {
        // Pages are laid out when they are drawn, and older words are asked for then.
        self.stage.frame(cols, rows);
        self.wait(0);
        let frame = self.stage.frame(cols, rows);
        self.wait(10);
        frame
    }

    /// Something happens in a session: it is in the log, and told.
    pub(crate) fn happens(&mut self, session: SessionId, kind: Kind) {
        let event = self.disk.add(session, self.stage.now, kind);
        self.tell_event(session, &event);
    }

    /// The draft becomes another text.
    pub(crate) fn redraft(&mut self, session: SessionId, kind: Kind, text: &str) -> Seq {
        let event = self.disk.add(session, self.stage.now, kind);
        self.disk.keep(session, &event, text);
        self.tell_event(session, &event);
        event.seq
    }

    fn tell_event(&mut self, session: SessionId, event: &Event) {
        let mut tickets: Vec<Ticket> = self.attached.keys().copied().collect();
        tickets.sort_unstable();
        for ticket in tickets {
            if self.attached.get(&ticket) == Some(&session) {
                self.tell(ticket, Notice::Event(event.clone()));
            }
        }
        self.tell_row(session);
        self.serve();
    }

    /// The agent begins to answer the newest prompt.
    pub(crate) fn begins(&mut self, session: SessionId) -> TurnNo {
        let turn = self.disk.head(session).turn.unwrap().no;
        let (_, text) = self.disk.draft(session);
        self.read.insert(session, text.to_owned());
        self.happens(session, started(turn));
        turn
    }

    /// The agent's words, as they come.
    pub(crate) fn says(&mut self, session: SessionId, block: u32, text: &str) {
        let turn = self.disk.head(session).turn.unwrap().no;
        for piece in text.split_inclusive(' ') {
            let text = piece.into();
            self.happens(session, Kind::Delta { turn, block, text });
            self.wait(40);
        }
    }

    /// The turn ends well, and its block is whole; a prompt that waits is next.
    pub(crate) fn ends(&mut self, session: SessionId, block: u32, whole: &str) {
        let turn = self.disk.head(session).turn.unwrap().no;
        let text = whole.into();
        self.happens(session, Kind::Message { turn, block, text });
        self.happens(session, usage(turn, 0.06));
        self.happens(session, finished(turn));
        let head = self.disk.head(session);
        if let Some(next) = head.queue.first() {
            let prompt = Kind::Prompt {
                turn: turn + 1,
                text: next.text.clone(),
                queued: Some(next.n),
            };
            self.happens(session, prompt);
        }
    }

    /// The agent writes the draft: its text as it comes, then the version.
    pub(crate) fn writes(&mut self, session: SessionId, text: &str, upto: usize) {
        let turn = self.disk.head(session).turn.unwrap().no;
        let call = format!("w{turn}");
        let input = serde_json::json!({"text": text, "base_version": 0}).to_string();
        let name = "write_draft".to_owned();
        let begun: String = input.chars().take(upto).collect();
        for piece in begun.split_inclusive(' ') {
            let (call, name) = (call.clone(), name.clone());
            let text = piece.into();
            self.happens(
                session,
                Kind::ToolDelta {
                    turn,
                    call,
                    name,
                    text,
                },
            );
            self.wait(40);
        }
        if upto < input.len() {
            return;
        }
        let (call_, input) = (call.clone(), input.as_str().into());
        self.happens(
            session,
            Kind::ToolStarted {
                turn,
                call: call_,
                name,
                input,
            },
        );
        let read = self.read.get(&session).cloned().unwrap_or_default();
        let was = self.disk.draft(session).1.to_owned();
        let text = merge(&read, text, &was).text;
        let changed = fascicle::text::changes(&was, &text);
        self.redraft(session, saved(turn, &text, changed), &text);
        let output = "The draft is written.".into();
        self.happens(
            session,
            Kind::ToolFinished {
                turn,
                call,
                ok: true,
                ms: 12,
                output,
            },
        );
    }

    /// The host ends as by a power cut: what ran is lost. What lies on disk afterwards.
    pub(crate) fn cut(mut self) -> Disk {
        let open: Vec<SessionId> = self.disk.logs.keys().copied().collect();
        for session in open {
            let head = self.disk.head(session);
            if head.is_open() {
                let lost = Kind::TurnFinished {
                    turn: head.turn.unwrap().no,
                    status: Status::Lost,
                    reason: Some("the program ended".to_owned()),
                    events: 0,
                    crc32: String::new(),
                };
                self.disk.add(session, self.stage.now, lost);
            }
        }
        self.disk
    }

    pub(crate) fn tell(&mut self, ticket: Ticket, notice: Notice) {
        self.stage.give(Input::Notice { ticket, notice });
    }

    pub(crate) fn tell_row(&mut self, session: SessionId) {
        let row = self.disk.row(session);
        if let Some(ticket) = self.list {
            self.tell(ticket, Notice::Row(Box::new(row)));
        }
    }

    /// Does what the window wants until it wants nothing more.
    fn serve(&mut self) {
        while !self.stage.effects.is_empty() {
            for effect in std::mem::take(&mut self.stage.effects) {
                match effect {
                    Effect::Ask { tag, request } => self.asked(tag, request),
                    Effect::Attach { ticket, scope } => self.attach(ticket, scope),
                    Effect::Detach { ticket } => drop(self.attached.remove(&ticket)),
                    Effect::Errand(errand) => self.errand(errand),
                    other => self.wanted.push(other),
                }
            }
        }
    }

    /// What is done beside the host: an answer is kept.
    fn errand(&mut self, errand: Errand) {
        // The recipes are those the window was told of.
        if errand == Errand::Recipes {
            return;
        }
        let Errand::Keep(Answer::Take(way, _)) = errand else {
            panic!("nobody does {errand:?} here");
        };
        let choice = |agent: &str| Choice {
            agent: agent.to_owned(),
            model: None,
        };
        let kept = Kept {
            name: Some(way.name.clone()),
            agents: vec![choice(&way.name), choice("editor")],
            unready: None,
            web: vec!["claude".to_owned()],
        };
        self.stage.give(Input::Brought(Brought::Kept(Ok(kept))));
    }

    fn attach(&mut self, ticket: Ticket, scope: Scope) {
        match scope {
            Scope::Workspace => {
                self.list = Some(ticket);
                for row in self.disk.collections.clone() {
                    self.tell(ticket, Notice::Collection(Box::new(row)));
                }
                for session in self.disk.logs.keys().copied().collect::<Vec<_>>() {
                    self.tell_row(session);
                }
            }
            Scope::Session { session, .. } => {
                self.attached.insert(ticket, session);
                let head = Box::new(self.disk.head(session));
                self.tell(ticket, Notice::Opened { head, more: false });
                for event in self.disk.logs[&session].clone() {
                    self.tell(ticket, Notice::Event(event));
                }
            }
        }
        self.tell(ticket, Notice::Live);
    }

    fn asked(&mut self, tag: Tag, request: Request) {
        let reply = self.does(request);
        self.stage.answer(tag, reply);
    }

    fn does(&mut self, request: Request) -> Reply {
        match request {
            Request::New(NewSession {
                collection: at,
                title,
                prompt: text,
                ..
            }) => self.new_session(at, title.as_deref(), text),
            Request::NewCollection { title } => {
                let collection = self.collection(&title);
                Reply::Collection { collection }
            }
            Request::Send { session, text } => self.sent(session, &text),
            Request::Follow { session, recipe } => self.follow(session, recipe),
            Request::Stop { session } => self.stop(session),
            Request::Answer {
                session,
                call,
                answer,
            } => {
                let turn = self.disk.head(session).turn.unwrap().no;
                let call = call.unwrap();
                self.happens(session, Kind::Answered { turn, call, answer });
                Reply::Done
            }
            Request::Fork(NewVariant {
                session,
                at,
                title,
                prompt,
            }) => {
                let variant = self.disk.fork(self.stage.now, session, at, title, prompt);
                self.tell_row(variant);
                Reply::Created { session: variant }
            }
            Request::Adopt { session, busy } => self.adopt(session, busy, None),
            Request::Take {
                session,
                base,
                splices,
                from,
                ..
            } => self.take(session, base, &splices, from),
            Request::Do {
                session,
                deed: Deed::Undo(Which::NEW),
            } => self.undo(session),
            Request::Do { session, deed } => {
                if let Deed::Stage { stage } = deed {
                    self.disk.say_stage(session, stage);
                    self.tell_shelves();
                }
                self.happens(session, Self::deed(deed));
                Reply::Done
            }
            Request::Again { session } => {
                let turn = next_turn(&self.disk.head(session));
                self.happens(session, prompt(turn, "Go on where you were cut off."));
                let (turn, queued) = (Some(turn), None);
                Reply::Accepted { turn, queued }
            }
            Request::KeepUnsent { session, text, .. } => {
                self.disk.unsent.insert(session, text);
                Reply::Done
            }
            Request::Unsent { session, .. } => Reply::Text {
                text: self.disk.unsent.get(&session).cloned().unwrap_or_default(),
            },
            Request::Draft { session, at } => self.draft(session, at),
            Request::Drawer { deed } => self.drawer(deed),
            Request::Search { words, .. } => self.search(&words),
            Request::Brief { session, .. } => self.brief(session),
            Request::Edit {
                session,
                base,
                splices,
                ..
            } => self.edit(session, base, splices),
            Request::Settle { session } => {
                let (_, text) = self.disk.draft(session);
                let text = text.to_owned();
                let by_you = |mut kind| {
                    if let Kind::DraftSaved { by, turn, .. } = &mut kind {
                        (*by, *turn) = (By::You, None);
                    }
                    kind
                };
                self.redraft(session, by_you(saved(0, &text, (0, 0))), &text);
                Reply::Done
            }
            other => panic!("the host behind this window does not do {other:?}"),
        }
    }

    fn tell_shelves(&mut self) {
        for row in self.disk.collections.clone() {
            if let Some(ticket) = self.list {
                self.tell(ticket, Notice::Collection(Box::new(row)));
            }
        }
    }

    /// Makes a collection, once.
    pub(crate) fn collection(&mut self, title: &str) -> CollectionId {
        let made = collection(&title.to_lowercase().replace(' ', "-"));
        if self.disk.collections.iter().all(|c| c.id != made) {
            let row = CollectionRow::new(made.clone(), title, made.as_str());
            self.disk.collections.push(row.clone());
            if let Some(ticket) = self.list {
                self.tell(ticket, Notice::Collection(Box::new(row)));
            }
        }
        made
    }

    fn new_session(
        &mut self,
        at: Option<CollectionId>,
        title: Option<&str>,
        text: Option<String>,
    ) -> Reply {
        let at = at.unwrap_or_else(|| self.collection("Inbox"));
        let session = self.disk.make(self.stage.now, &at, title);
        if let Some(text) = text {
            self.disk.add(session, self.stage.now, prompt(1, &text));
        }
        self.tell_row(session);
        Reply::Created { session }
    }

    fn sent(&mut self, session: SessionId, text: &str) -> Reply {
        let head = self.disk.head(session);
        if head.is_open() {
            let n = head.queued_ever + 1;
            let text = text.into();
            self.happens(session, Kind::Queued { n, text });
            let (turn, queued) = (None, Some(n));
            return Reply::Accepted { turn, queued };
        }
        let turn = next_turn(&head);
        self.happens(session, prompt(turn, text));
        let (turn, queued) = (Some(turn), None);
        Reply::Accepted { turn, queued }
    }

    fn follow(&mut self, session: SessionId, recipe: Recipe) -> Reply {
        let head = self.disk.head(session);
        let first = head.queued_ever + 1;
        let begins = Kind::RecipeStarted(RecipeStarted {
            title: recipe.title,
            first,
            steps: recipe.steps.iter().map(|s| s.name.clone()).collect(),
            limits: recipe.limits,
        });
        self.happens(session, begins);
        for (n, step) in (first..).zip(&recipe.steps) {
            let text = step.text.as_str().into();
            self.happens(session, Kind::Queued { n, text });
        }
        let begun = Kind::Prompt {
            turn: next_turn(&head),
            text: recipe.steps[0].text.as_str().into(),
            queued: Some(first),
        };
        self.happens(session, begun);
        Reply::Done
    }

    pub(crate) fn stop(&mut self, session: SessionId) -> Reply {
        let stopped = Kind::TurnFinished {
            turn: self.disk.head(session).turn.unwrap().no,
            status: Status::Interrupted,
            reason: None,
            events: 0,
            crc32: String::new(),
        };
        self.happens(session, stopped);
        Reply::Done
    }

    fn deed(deed: Deed) -> Kind {
        match deed {
            Deed::Rename { title } => Kind::Renamed { title },
            Deed::Tag { add, remove } => Kind::Tagged { add, remove },
            Deed::Choose { agent, model } => Kind::AgentChosen { agent, model },
            Deed::Archive => Kind::Archived,
            Deed::Restore => Kind::Restored,
            Deed::Trash => Kind::Trashed,
            Deed::Seen { upto } => Kind::Seen { upto },
            Deed::Stage { stage } => Kind::Staged(Staged::to(stage)),
            other => panic!("the host behind this window does not do {other:?}"),
        }
    }

    /// What was typed on an older draft is merged with the newest.
    fn edit(&mut self, session: SessionId, base: Seq, splices: Vec<Splice>) -> Reply {
        let (newest, now) = self.disk.draft(session);
        let from = self.disk.drafts.get(&(session, base));
        let from = from.map_or("", String::as_str);
        let mine = spliced(from, &splices).expect("the splices fit the draft");
        let text = merge(from, &mine, now).text;
        let others = newest != base;
        let version = self.redraft(session, Kind::DraftEdited { base, splices }, &text);
        Reply::Edited {
            version,
            text: others.then_some(text),
            beside: None,
            typed: false,
        }
    }

    fn draft(&self, session: SessionId, at: Option<Seq>) -> Reply {
        let (version, text) = match at {
            Some(seq) => (seq, self.disk.drafts[&(session, seq)].as_str()),
            None => self.disk.draft(session),
        };
        Reply::Draft {
            text: text.to_owned(),
            version: (version > 0).then_some(version),
            path: format!(
                "/w/{}/draft.md",
                self.disk.head(session).place.unwrap().folder
            ),
            locked: None,
        }
    }
}

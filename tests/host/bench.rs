//! A workspace with a host and a scripted agent, and what a window hears of it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use fascicle::client::Client;
use fascicle::config::{Current, Places, Workspace, load};
use fascicle::domain::ask::{Deed, NewSession, NewVariant, Reply, Request};
use fascicle::domain::notice::{After, Notice, Scope};
use fascicle::domain::{Event, Kind, Row, SessionId};
use fascicle::host::{Host, lock};
use fascicle::log::Store;
use tempfile::TempDir;
use tokio::sync::mpsc::Receiver;

/// How long something that must happen is waited for.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Bench {
    dir: TempDir,
    pub(crate) host: Host,
    pub(crate) client: Client,
}

impl Bench {
    /// A host whose agent `play` plays `script`; `more` is added to the configuration.
    pub(crate) fn new(script: &serde_json::Value, more: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("words")).unwrap();
        write_config(dir.path(), script, more);
        let (host, client) = start(dir.path());
        Self { dir, host, client }
    }

    /// Ends the host and begins a new one on the same workspace.
    pub(crate) async fn restarted(self) -> Self {
        self.restarted_as(true).await
    }

    /// The same, as one that may write nothing.
    pub(crate) async fn reading(self) -> Self {
        self.restarted_as(false).await
    }

    async fn restarted_as(self, claims: bool) -> Self {
        self.host.close(true).await;
        let (host, client) = start_as(self.dir.path(), claims);
        Self {
            host,
            client,
            ..self
        }
    }

    /// Gives the agent another stream to play when it is started next.
    pub(crate) fn play(&self, script: &serde_json::Value) {
        std::fs::write(self.dir.path().join("script.json"), script.to_string()).unwrap();
    }

    /// All events so far: up to one that is asked for now.
    pub(crate) async fn so_far(&self, session: SessionId) -> Vec<Event> {
        let marked = || {
            let all = std::fs::read_to_string(self.log(session)).unwrap();
            all.matches("\"kind\":\"tagged\"").count()
        };
        // Another one each time: a tag that it has already is not logged.
        let (add, remove) = (vec![format!("marked-{}", marked())], Vec::new());
        let mark = Deed::Tag { add, remove };
        assert_eq!(self.deed(session, mark).await, Reply::Done);
        let mut heard = self.follow(session);
        let mut marks = 0;
        let wanted = marked();
        let mut events = Vec::new();
        while marks < wanted {
            if let Notice::Event(event) = next(&mut heard, "the mark").await {
                marks += usize::from(matches!(event.kind, Kind::Tagged { .. }));
                events.push(event);
            }
        }
        events
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.dir.path().join("words")
    }

    pub(crate) fn log(&self, id: SessionId) -> PathBuf {
        self.root()
            .join(format!(".fascicle/sessions/inbox/{id}.jsonl"))
    }

    pub(crate) async fn new_session(&self, title: &str) -> SessionId {
        let request = Request::New(NewSession {
            collection: None,
            title: Some(title.into()),
            agent: None,
            prompt: None,
            recipe: None,
        });
        match self.client.ask(request).await {
            Reply::Created { session } => session,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn send(&self, session: SessionId, text: &str) -> Reply {
        self.client
            .ask(Request::Send {
                session,
                text: text.into(),
            })
            .await
    }

    /// Does it. What an undo tells of what it undid is left out here.
    pub(crate) async fn deed(&self, session: SessionId, deed: Deed) -> Reply {
        match self.client.ask(Request::Do { session, deed }).await {
            Reply::Undone(undone) if !undone.asked => Reply::Done,
            other => other,
        }
    }

    pub(crate) fn follow(&self, session: SessionId) -> Receiver<Notice> {
        self.client.attach(Scope::Session {
            session,
            after: After::Start,
        })
    }

    /// Waits until the session's list row fulfils a condition.
    pub(crate) async fn row(
        &self,
        session: SessionId,
        what: &str,
        holds: impl Fn(&Row) -> bool,
    ) -> Row {
        let mut rows = self.client.attach(Scope::Workspace);
        loop {
            if let Notice::Row(row) = next(&mut rows, what).await
                && row.id == session
                && holds(&row)
            {
                return *row;
            }
        }
    }

    /// Makes a variant of a session as it is now.
    pub(crate) async fn fork(&self, session: SessionId, title: &str) -> SessionId {
        let request = Request::Fork(NewVariant {
            session,
            at: None,
            title: Some(title.to_owned()).filter(|t| !t.is_empty()),
            prompt: None,
        });
        match self.client.ask(request).await {
            Reply::Created { session } => session,
            other => panic!("{other:?}"),
        }
    }

    /// Sends a prompt and waits for the end of its turn; all events of the session.
    pub(crate) async fn turn(&self, session: SessionId, text: &str) -> Vec<Event> {
        let reply = self.send(session, text).await;
        let Reply::Accepted {
            turn: Some(turn), ..
        } = reply
        else {
            panic!("{reply:?}")
        };
        let mut heard = self.follow(session);
        let ends = |e: &Event| matches!(e.kind, Kind::TurnFinished { turn: t, .. } if t == turn);
        events_until(&mut heard, "the end of the turn", ends).await
    }

    pub(crate) async fn draft(&self, session: SessionId) -> (String, Option<u64>) {
        match self.client.ask(Request::Draft { session, at: None }).await {
            Reply::Draft { text, version, .. } => (text, version),
            other => panic!("{other:?}"),
        }
    }

    /// The session's folder.
    pub(crate) async fn folder(&self, session: SessionId) -> PathBuf {
        let row = self.row(session, "a row", |_| true).await;
        self.root().join(row.folder)
    }
}

impl Bench {
    /// Changes which agent is the default.
    pub(crate) fn default_agent(&self, name: &str) {
        let file = Places::under(self.dir.path()).config;
        let was = std::fs::read_to_string(&file).unwrap();
        let now = was.replace(
            "default_agent = \"play\"",
            &format!("default_agent = {name:?}"),
        );
        std::fs::write(&file, now).unwrap();
    }

    /// Sets the writer's settings anew while the host runs.
    pub(crate) fn settings(&self, script: &serde_json::Value, more: &str) {
        write_config(self.dir.path(), script, more);
    }
}

pub(crate) fn write_config(dir: &Path, script: &serde_json::Value, more: &str) {
    let path = dir.join("script.json");
    std::fs::write(&path, script.to_string()).unwrap();
    let config = format!(
        "default_agent = \"play\"\n{more}\n[agents.play]\nkind = \"scripted\"\ncommand = {:?}\n",
        path.display().to_string()
    );
    let places = Places::under(dir);
    std::fs::create_dir_all(places.config.parent().unwrap()).unwrap();
    std::fs::write(&places.config, config).unwrap();
}

pub(crate) fn start(dir: &Path) -> (Host, Client) {
    start_as(dir, true)
}

/// One without the claim only reads.
fn start_as(dir: &Path, claims: bool) -> (Host, Client) {
    let places = Places::under(dir);
    let workspace = Workspace::at(&dir.join("words"));
    workspace.make().unwrap();
    let loaded = load(&places, Some(&workspace));
    assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
    let store = Store::open(workspace.root(), &places.cache_of(&workspace)).unwrap();
    let claim = claims.then(|| lock::take(&workspace.private()).unwrap());
    let claim = claim.map(|claim| claim.expect("no other host"));
    let settings = Current::of(&places, &workspace, loaded.config);
    let host = Host::start(workspace, settings, store, claim);
    (host.clone(), Client::new(host))
}

pub(crate) async fn next(from: &mut Receiver<Notice>, what: &str) -> Notice {
    match tokio::time::timeout(PATIENCE, from.recv()).await {
        Ok(Some(notice)) => notice,
        Ok(None) => panic!("the connection ended; waited for {what}"),
        Err(late) => panic!("waited too long for {what}: {late}"),
    }
}

/// The events heard up to one that fulfils a condition.
pub(crate) async fn events_until(
    from: &mut Receiver<Notice>,
    what: &str,
    last: impl Fn(&Event) -> bool,
) -> Vec<Event> {
    let mut heard = Vec::new();
    loop {
        if let Notice::Event(event) = next(from, what).await {
            let done = last(&event);
            heard.push(event);
            if done {
                return heard;
            }
        }
    }
}

pub(crate) fn is_end(event: &Event) -> bool {
    matches!(event.kind, Kind::TurnFinished { .. })
}

/// The prompts that agents got, each with the number under which it waited.
pub(crate) fn prompts(events: &[Event]) -> Vec<(String, Option<u32>)> {
    let prompt = |e: &Event| match &e.kind {
        Kind::Prompt { text, queued, .. } => Some((text.shown().to_owned(), *queued)),
        _ => None,
    };
    events.iter().filter_map(prompt).collect()
}

/// The words of all deltas, joined.
pub(crate) fn words(events: &[Event]) -> String {
    let delta = |e: &Event| match &e.kind {
        Kind::Delta { text, .. } => Some(text.shown().to_owned()),
        _ => None,
    };
    events.iter().filter_map(delta).collect()
}

/// A turn of `n` numbered deltas, `ms` apart.
pub(crate) fn numbered(n: u64, ms: u64) -> serde_json::Value {
    serde_json::json!({"steps": [{"each": {"n": n, "ms": ms, "step": {"delta": {"block": 0, "text": "w{i} "}}}}]})
}

/// What a turn of numbered deltas says in all.
pub(crate) fn numbered_words(n: u64) -> String {
    (1..=n).map(|i| format!("w{i} ")).collect()
}

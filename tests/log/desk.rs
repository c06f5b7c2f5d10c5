//! What the tests of the log share: stores, sinks that remember, and a small history.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fascicle::domain::event::{By, Event, Kind, Status};
use fascicle::domain::{CollectionId, SessionId};
use fascicle::log::disk::Disk;
use fascicle::log::{Means, Sink, Store, Writer, Written};

/// How long a condition may take to come true before a test fails.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub fn id() -> SessionId {
    "0197c0de-7a10-7c3e-9b55-1f2e3d4c5b6a".parse().unwrap()
}

pub fn essays() -> CollectionId {
    "essays".parse().unwrap()
}

pub fn log_in(root: &Path) -> PathBuf {
    root.join(format!(".fascicle/sessions/essays/{}.jsonl", id()))
}

/// A clock that stands still: two runs write the same bytes.
pub fn means(disk: Arc<dyn Disk>) -> Means {
    Means {
        disk,
        clock: Arc::new(|| 1_795_961_880_123),
        retry: Duration::from_millis(1),
        sync: Duration::from_millis(1),
    }
}

pub fn store_on(disk: impl Disk + 'static) -> Store {
    Store::with(Path::new("/w"), Path::new("/cache"), means(Arc::new(disk))).unwrap()
}

/// A sink that sends on what it is told.
pub fn listen() -> (Sink, Receiver<Written>) {
    let (to, from) = mpsc::channel();
    let sink = Box::new(move |written| {
        let _deaf = to.send(written);
    });
    (sink, from)
}

/// A log that was just made, and what is told of it.
pub fn begun(store: &Store) -> (Writer, Receiver<Written>) {
    let (sink, told) = listen();
    let writer = store
        .create(id(), &essays(), vec![created()], &[], sink)
        .unwrap();
    (writer, told)
}

/// A sink that keeps the events.
pub fn keep() -> (Sink, Arc<Mutex<Vec<Event>>>) {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let into = Arc::clone(&kept);
    let sink = Box::new(move |written| {
        if let Written::Event(event) = written {
            into.lock().unwrap().push((*event).clone());
        }
    });
    (sink, kept)
}

pub fn deaf() -> Sink {
    Box::new(|_| {})
}

/// Waits until something named is so.
pub fn wait_until(what: &str, mut so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !so() {
        assert!(begun.elapsed() < PATIENCE, "waited in vain until {what}");
        std::thread::yield_now();
    }
}

/// Events told so far and to come, up to the one wanted.
pub fn events_until(from: &Receiver<Written>, last: impl Fn(&Kind) -> bool) -> Vec<Event> {
    let mut events = Vec::new();
    loop {
        match from.recv_timeout(PATIENCE) {
            Ok(Written::Event(event)) => {
                events.push((*event).clone());
                if last(&event.kind) {
                    return events;
                }
            }
            Ok(_) => {}
            Err(e) => panic!("{e} after {events:?}"),
        }
    }
}

pub fn created() -> Kind {
    Kind::Created {
        id: id(),
        title: None,
        collection: essays(),
        folder: "essays/valley".into(),
        agent: None,
        app: "0.1.0".into(),
    }
}

pub fn prompt(turn: u32) -> Kind {
    Kind::Prompt {
        turn,
        text: format!("Prompt {turn}: make it plainer.").as_str().into(),
        queued: None,
    }
}

pub fn started(turn: u32) -> Kind {
    Kind::TurnStarted {
        turn,
        agent: "claude".into(),
        agent_session: None,
        model: None,
        resume: false,
    }
}

pub fn delta(turn: u32, text: &str) -> Kind {
    Kind::Delta {
        turn,
        block: 0,
        text: text.into(),
    }
}

pub fn finished(turn: u32) -> Kind {
    Kind::TurnFinished {
        turn,
        status: Status::Ok,
        reason: None,
        events: 0,
        crc32: String::new(),
    }
}

pub fn saved() -> Kind {
    Kind::DraftSaved {
        turn: None,
        sha256: String::new(),
        bytes: 0,
        words: 2,
        by: By::You,
        base: None,
        added: 2,
        removed: 0,
        beside: None,
        from: None,
        rest: false,
    }
}

/// A turn as agents write it.
pub fn turn(no: u32) -> Vec<Kind> {
    vec![
        prompt(no),
        started(no),
        delta(no, "The môrning "),
        delta(no, "“rose” 🌊\n"),
        Kind::Message {
            turn: no,
            block: 0,
            text: "The môrning “rose” 🌊\n".into(),
        },
        finished(no),
    ]
}

/// All events of a log, and what else was found in it.
pub fn read(store: &Store) -> (Vec<Event>, fascicle::log::Findings) {
    let mut whole = store.whole(id()).unwrap();
    let events = whole.by_ref().map(Result::unwrap).collect();
    let found = whole.findings().unwrap().clone();
    (events, found)
}

/// Events that differ from run to run left out.
pub fn deeds(events: &[Event]) -> Vec<Kind> {
    let kinds = events.iter().map(|e| e.kind.clone());
    kinds
        .filter(|k| !matches!(k, Kind::Opened { .. } | Kind::Recovered { .. }))
        .map(|mut kind| {
            if let Kind::TurnFinished { events, crc32, .. } = &mut kind {
                (*events, *crc32) = (0, String::new());
            }
            kind
        })
        .collect()
}

pub fn is_counted(events: &[Event]) -> bool {
    events.iter().zip(0..).all(|(event, n)| event.seq == n)
}

//! A session whose log is written here, as a host would write it: long ones are made in a moment.

use fascicle::domain::event::Status;
use fascicle::domain::{CollectionId, Kind, SessionId, TurnNo};
use fascicle::log::{Store, Writer};

/// Begins the log of a session in the inbox, `inbox/long`.
pub fn session(store: &Store, id: SessionId) -> Writer {
    let inbox = CollectionId::inbox();
    let created = Kind::Created {
        id,
        title: Some("Long".into()),
        collection: inbox.clone(),
        folder: "inbox/long".into(),
        agent: None,
        app: "0".into(),
    };
    store
        .create(id, &inbox, vec![created], &[], Box::new(|_| ()))
        .unwrap()
}

/// A piece of an answer.
pub fn delta(turn: TurnNo, text: &str) -> Kind {
    Kind::Delta {
        turn,
        block: 0,
        text: text.into(),
    }
}

/// What begins a turn.
pub fn prompt(turn: TurnNo) -> Kind {
    Kind::Prompt {
        turn,
        text: "Go on.".into(),
        queued: None,
    }
}

/// What ends one.
pub fn finished(turn: TurnNo) -> Kind {
    Kind::TurnFinished {
        turn,
        status: Status::Ok,
        reason: None,
        events: 0,
        crc32: String::new(),
    }
}

/// A whole turn of an agent that says these pieces.
pub fn turn(turn: TurnNo, said: impl Iterator<Item = Kind>) -> Vec<Kind> {
    let started = Kind::TurnStarted {
        turn,
        agent: "play".into(),
        agent_session: None,
        model: None,
        resume: false,
    };
    let begun = [prompt(turn), started].into_iter();
    begun.chain(said).chain([finished(turn)]).collect()
}

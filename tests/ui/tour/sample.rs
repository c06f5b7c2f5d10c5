//! The sample that lies in a new workspace, read from the files it is made of.

use fascicle::domain::event::{By, Kind, Status};
use fascicle::domain::{CollectionRow, SessionId};
use toml::{Table, Value};

use crate::bench::{Disk, saved};
use crate::stage::{collection, finished, message, prompt};

/// Its sessions, in the order in which they are made.
const FILES: [&str; 6] = [
    include_str!("../../../assets/sample/last-crossing.toml"),
    include_str!("../../../assets/sample/first-person.toml"),
    include_str!("../../../assets/sample/third-person.toml"),
    include_str!("../../../assets/sample/open-with-a-story.toml"),
    include_str!("../../../assets/sample/notebooks-in-a-drawer.toml"),
    include_str!("../../../assets/sample/a-letter.toml"),
];

/// A workspace as it is on its first day.
pub(crate) fn disk(now: i64) -> Disk {
    let mut disk = Disk::default();
    let drawer: Table = include_str!("../../../assets/sample/collection/collection.toml")
        .parse()
        .unwrap();
    disk.collections.push(CollectionRow {
        id: collection(drawer["id"].as_str().unwrap()),
        title: drawer["title"].as_str().unwrap().to_owned(),
        folder: "ferry-sample".to_owned(),
        archived: false,
    });
    let mut main = String::new();
    for file in FILES {
        let script: Table = file.parse().unwrap();
        let title = match script.get("variant") {
            Some(variant) => format!("{main}: {}", variant.as_str().unwrap()),
            None => script["title"].as_str().unwrap().to_owned(),
        };
        if main.is_empty() {
            main.clone_from(&title);
        }
        session(&mut disk, &title, &script, now);
    }
    disk
}

/// One session; its end was seen.
fn session(disk: &mut Disk, title: &str, script: &Table, now: i64) {
    let mut ts = now - script["hours"].as_integer().unwrap() * 3_600_000;
    let session = disk.make(ts, &collection("sample"), Some(title));
    let mut turn = 0;
    for step in script["step"].as_array().unwrap() {
        let (what, value) = step.as_table().unwrap().iter().next().unwrap();
        ts += 60_000;
        let text = value.as_str().unwrap_or_default();
        match what.as_str() {
            "you" => {
                ends(disk, session, ts, turn);
                turn += 1;
                disk.add(session, ts, prompt(turn, text));
            }
            "minutes" => ts += value.as_integer().unwrap() * 60_000,
            "writes" | "typed" => writes(disk, session, ts, turn, text),
            "failed" => drop(disk.add(session, ts, end(turn, Status::Failed))),
            _ => drop(disk.add(session, ts, message(turn, text))),
        }
    }
    ends(disk, session, ts + 60_000, turn);
    if let Some(tags) = script.get("tags").and_then(Value::as_array) {
        let add = tags
            .iter()
            .map(|t| t.as_str().unwrap().to_owned())
            .collect();
        let remove = Vec::new();
        disk.add(session, ts, Kind::Tagged { add, remove });
    }
    let upto = disk.logs[&session].len() as u64;
    disk.add(session, ts + 60_000, Kind::Seen { upto });
}

fn writes(disk: &mut Disk, session: SessionId, ts: i64, turn: u32, text: &str) {
    let mut kind = saved(turn, text, (fascicle::text::count(text) as u64, 0));
    if let Kind::DraftSaved { by, .. } = &mut kind {
        *by = By::You;
    }
    let event = disk.add(session, ts, kind);
    disk.keep(session, &event, text);
}

fn ends(disk: &mut Disk, session: SessionId, ts: i64, turn: u32) {
    if turn > 0 && disk.head(session).is_open() {
        disk.add(session, ts, finished(turn));
    }
}

fn end(turn: u32, status: Status) -> Kind {
    let mut end = finished(turn);
    if let Kind::TurnFinished { status: s, .. } = &mut end {
        *s = status;
    }
    end
}

//! The sample that lies in a new workspace, read from the files it is made of.

use std::collections::HashMap;

use fascicle::domain::event::{By, Kind, Staged, Status};
use fascicle::domain::{CollectionRow, Event, SessionId};
use toml::{Table, Value};

use crate::bench::{Disk, saved};
use crate::stage::{collection, finished, message, prompt};

/// Its sessions, in the order in which they are made.
const FILES: [(&str, &str); 6] = [
    (
        "last-crossing",
        include_str!("../../../assets/sample/last-crossing.toml"),
    ),
    (
        "first-person",
        include_str!("../../../assets/sample/first-person.toml"),
    ),
    (
        "third-person",
        include_str!("../../../assets/sample/third-person.toml"),
    ),
    (
        "open-with-a-story",
        include_str!("../../../assets/sample/open-with-a-story.toml"),
    ),
    (
        "notebooks-in-a-drawer",
        include_str!("../../../assets/sample/notebooks-in-a-drawer.toml"),
    ),
    (
        "a-letter",
        include_str!("../../../assets/sample/a-letter.toml"),
    ),
];

/// A workspace as it is on its first day.
pub(crate) fn disk(now: i64) -> Disk {
    let mut disk = Disk::default();
    let drawer: Table = include_str!("../../../assets/sample/collection/collection.toml")
        .parse()
        .unwrap();
    let mut row = CollectionRow::new(
        collection(drawer["id"].as_str().unwrap()),
        drawer["title"].as_str().unwrap(),
        "ferry-sample",
    );
    row.about = drawer["about"].as_str().map(str::to_owned);
    row.target = drawer["target"].as_integer().map(i64::unsigned_abs);
    disk.collections.push(row);
    let mut played: HashMap<String, (SessionId, Vec<usize>)> = HashMap::new();
    for (name, file) in FILES {
        let script: Table = file.parse().unwrap();
        let made = session(&mut disk, &script, &played, now);
        played.insert(name.to_owned(), made);
    }
    disk
}

/// Where a session begins: a new one, or a fork of one that was played, behind the turn of so many of its steps.
fn begins(
    disk: &mut Disk,
    script: &Table,
    played: &HashMap<String, (SessionId, Vec<usize>)>,
    now: i64,
) -> (SessionId, i64, u32) {
    let Some(from) = script.get("from") else {
        let ts = now - script["hours"].as_integer().unwrap() * 3_600_000;
        let title = script["title"].as_str().unwrap();
        return (disk.make(ts, &collection("sample"), Some(title)), ts, 0);
    };
    let (parent, lengths) = &played[from["session"].as_str().unwrap()];
    let steps = usize::try_from(from["steps"].as_integer().unwrap()).unwrap();
    let ended = |e: &&Event| matches!(e.kind, Kind::TurnFinished { .. });
    let rest = disk.logs[parent].iter().skip(lengths[steps - 1]);
    let at = rest.clone().find(ended).unwrap().clone();
    let Kind::TurnFinished { turn, .. } = at.kind else {
        unreachable!("only ends were looked for");
    };
    let name = script["variant"].as_str().unwrap().to_owned();
    let made = disk.fork(at.ts + 60_000, *parent, Some(at.seq), Some(name), None);
    (made, at.ts + 60_000, turn)
}

/// One session; its end was seen.
fn session(
    disk: &mut Disk,
    script: &Table,
    played: &HashMap<String, (SessionId, Vec<usize>)>,
    now: i64,
) -> (SessionId, Vec<usize>) {
    let (session, mut ts, mut turn) = begins(disk, script, played, now);
    let mut lengths = Vec::new();
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
        lengths.push(disk.logs[&session].len());
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
    if let Some(stage) = script.get("stage").and_then(Value::as_str) {
        let stage = fascicle::domain::Stage::of(stage);
        disk.add(session, ts, Kind::Staged(Staged::to(stage)));
        disk.say_stage(session, stage);
    }
    let upto = disk.logs[&session].len() as u64;
    disk.add(session, ts + 60_000, Kind::Seen { upto });
    (session, lengths)
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

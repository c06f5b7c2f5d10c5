//! Damaged logs, one for each kind that was reported somewhere, and what is made of them.
//!
//! Beside each `tests/fixtures/logs/NAME.jsonl` stands `NAME.txt`: its events, what else was found,
//! and what a writer appended. `UPDATE_GOLDEN=1` writes these anew.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use fascicle::domain::event::{Event, Kind};
use fascicle::domain::session::replay;
use fascicle::log::{Findings, OnDamage, Store};

use super::desk::*;
use super::sim::Sim;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/logs")
}

fn logs() -> Vec<(String, Vec<u8>)> {
    let mut logs = Vec::new();
    for entry in std::fs::read_dir(fixtures()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "jsonl") {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            logs.push((name, std::fs::read(path).unwrap()));
        }
    }
    logs.sort();
    assert!(logs.len() >= 25, "the corpus is here");
    logs
}

fn with(bytes: &[u8]) -> (Sim, Store) {
    let sim = Sim::new();
    let store = store_on(sim.clone());
    drop(
        store
            .create(id(), &essays(), vec![created()], &[], deaf())
            .unwrap(),
    );
    sim.put(&log_in(Path::new("/w")), bytes);
    (sim, store)
}

fn line(event: &Event) -> String {
    let words = match &event.kind {
        Kind::Prompt { text, .. } | Kind::Delta { text, .. } | Kind::Message { text, .. } => {
            format!(" {:?}", text.shown())
        }
        Kind::Unknown { name } => format!(" {name}"),
        Kind::Note { text, .. } => format!(" {text:?}"),
        _ => String::new(),
    };
    let name = format!("{:?}", event.kind);
    let name: String = name.chars().take_while(char::is_ascii_alphabetic).collect();
    format!("{} {name}{words}", event.seq)
}

fn found(found: &Findings) -> String {
    let mut out = String::new();
    for d in &found.damage {
        writeln!(out, "  damage at {} len {} {}", d.at, d.len, d.why).unwrap();
    }
    for (first, last) in &found.missing {
        writeln!(out, "  missing {first} to {last}").unwrap();
    }
    out
}

/// All that is made of a log, as text.
fn golden(bytes: &[u8]) -> String {
    let (_, store) = with(bytes);
    let (events, left) = read(&store);
    let mut out = String::from("events\n");
    for event in &events {
        writeln!(out, "  {}", line(event)).unwrap();
    }
    write!(out, "found\n{}", found(&left)).unwrap();
    let listed = store.heads().remove(0);
    writeln!(out, "trouble {:?}", listed.trouble).unwrap();
    writeln!(
        out,
        "head {:?} turn {:?} spent {:?} items {}",
        listed.head.title(),
        listed.head.turn.as_ref().map(|t| (t.no, t.end.is_some())),
        listed
            .head
            .spent
            .cost_usd
            .map(|c| (c * 100.0).round() / 100.0),
        replay(&events).body.items.len(),
    )
    .unwrap();
    match store.writer(id(), OnDamage::Refuse, deaf()) {
        Ok((writer, _)) => {
            writer.append(vec![Kind::Archived]);
            assert!(writer.flush());
            drop(writer);
            let (after, left) = read(&store);
            writeln!(out, "appended").unwrap();
            for event in &after[events.len()..] {
                writeln!(out, "  {}", line(event)).unwrap();
            }
            write!(out, "left\n{}", found(&left)).unwrap();
        }
        Err(e) => writeln!(out, "refused {e}").unwrap(),
    }
    out
}

#[test]
fn each_damaged_log_is_read_as_the_format_says() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut wrong = Vec::new();
    for (name, bytes) in logs() {
        let path = fixtures().join(format!("{name}.txt"));
        let made = golden(&bytes);
        if update {
            std::fs::write(&path, &made).unwrap();
        } else if std::fs::read_to_string(&path).unwrap_or_default() != made {
            wrong.push(format!("== {name}\n{made}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_byte_of_a_damaged_log_is_changed_and_opening_again_adds_only_that_it_was_opened() {
    for (name, bytes) in logs() {
        let (sim, store) = with(&bytes);
        let opened = store.writer(id(), OnDamage::Accept, deaf());
        let log = log_in(Path::new("/w"));
        let Ok((writer, _)) = opened else {
            assert_eq!(sim.bytes(&log).unwrap(), bytes, "{name}");
            continue;
        };
        drop(writer);
        let once = sim.bytes(&log).unwrap();
        assert!(once.starts_with(&bytes), "{name}");
        let (events, left) = read(&store);
        assert!(left.is_empty(), "{name}: said once: {left:?}");
        drop(store.writer(id(), OnDamage::Refuse, deaf()).unwrap());
        assert!(sim.bytes(&log).unwrap().starts_with(&once), "{name}");
        let (again, _) = read(&store);
        assert_eq!(again[..events.len()], events, "{name}");
        assert_eq!(again.len(), events.len() + 1, "{name}");
    }
}

#[test]
fn every_way_of_reading_a_damaged_log_gives_the_same_events() {
    for (name, bytes) in logs() {
        let (_, store) = with(&bytes);
        let (events, _) = read(&store);
        // As the host does: with the list, it is known which logs have numbers out of turn.
        store.heads();
        for size in [1, 300, 700, 1_000_000] {
            let mut page = store.tail(id(), size).unwrap();
            let mut all = page.events.clone();
            while page.more {
                let first = all.first().map_or(0, |e: &Event| e.seq);
                page = store.before(id(), first, size).unwrap();
                assert!(!page.events.is_empty(), "{name}: no end of pages");
                all.splice(0..0, page.events.iter().cloned());
            }
            assert_eq!(all, events, "{name} by pages of {size}");
        }
        // A line without its newline may still be on its way.
        let whole = bytes.ends_with(b"\n");
        for event in events.iter().filter(|_| whole) {
            let after = store.after(id(), event.seq).unwrap();
            let want: Vec<Event> = events
                .iter()
                .filter(|e| e.seq > event.seq)
                .cloned()
                .collect();
            assert_eq!(after, want, "{name} after {}", event.seq);
        }
    }
}

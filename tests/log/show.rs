//! Write before show, and what else is told of what is written.

use fascicle::domain::event::Raw;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use fascicle::domain::Text;
use fascicle::domain::event::Kind;
use fascicle::log::{Means, OnDamage, Store, Written};

use super::desk::*;
use super::sim::Sim;

#[test]
fn while_the_write_is_held_nothing_is_shown_and_nobody_waits() {
    let sim = Sim::new();
    let store = store_on(sim.clone());
    let (writer, told) = begun(&store);
    assert!(writer.flush());
    events_until(&told, |k| matches!(k, Kind::Opened { .. }));
    sim.state().held = true;
    writer.append(turn(1));
    writer.append(vec![Kind::Archived]);
    let quiet = told.recv_timeout(Duration::from_millis(50));
    assert!(quiet.is_err(), "shown before it was written: {quiet:?}");
    assert!(writer.pending_bytes() > 0);
    sim.release();
    let shown = events_until(&told, |k| matches!(k, Kind::Archived));
    assert_eq!(shown.len(), 7);
    drop(writer);
    assert_eq!(read(&store).0[2..], shown);
}

#[test]
fn on_a_full_disk_nothing_is_ever_shown_and_all_comes_in_order_when_there_is_room() {
    let sim = Sim::new();
    let store = store_on(sim.clone());
    let (writer, told) = begun(&store);
    events_until(&told, |k| matches!(k, Kind::Opened { .. }));
    let tries = sim.state().ops;
    sim.state().room = Some(0);
    writer.append(turn(1));
    wait_until("it was tried again and again", || {
        sim.state().ops > tries + 20
    });
    let said: Vec<Written> = told.try_iter().collect();
    assert!(
        matches!(said[..], [Written::Trouble(_)]),
        "said once: {said:?}"
    );
    sim.state().room = None;
    let shown = events_until(&told, |k| matches!(k, Kind::TurnFinished { .. }));
    assert_eq!(shown.len(), 6);
    assert_eq!(told.recv_timeout(PATIENCE).unwrap(), Written::Fine);
    assert_eq!(read(&store).0[2..], shown);
}

#[test]
fn no_field_that_others_fill_makes_a_line_long() {
    let store = store_on(Sim::new());
    let (writer, told) = begun(&store);
    let why = "long ".repeat(1_000_000);
    writer.append(vec![Kind::Raw(Raw {
        turn: 1,
        why,
        base64: "eA==".into(),
    })]);
    let shown = events_until(&told, |k| matches!(k, Kind::Raw(Raw { .. })));
    drop(writer);
    assert_eq!(read(&store).0.last(), shown.last());
    assert!(serde_json::to_string(shown.last().unwrap()).unwrap().len() < 8 * 1024);
}

#[test]
fn a_failed_sync_ends_the_writing_and_is_said() {
    let sim = Sim::new();
    let store = store_on(sim.clone());
    let (writer, told) = begun(&store);
    events_until(&told, |k| matches!(k, Kind::Opened { .. }));
    wait_until("`opened` is synced", || sim.state().syncs >= 2);
    sim.state().sync_fails = true;
    writer.append(vec![prompt(1)]);
    let said = told.iter().find_map(|written| match written {
        Written::Trouble(said) => Some(said),
        _ => None,
    });
    let said = said.unwrap();
    assert!(said.contains("can only be read"), "{said}");
    sim.state().sync_fails = false;
    let before = sim.bytes(&log_in(Path::new("/w")));
    writer.append(vec![delta(1, "never")]);
    assert!(!writer.flush());
    assert!(writer.pending_bytes() > 0);
    assert_eq!(sim.bytes(&log_in(Path::new("/w"))), before);
    drop(writer);
    let (writer, head) = store.writer(id(), OnDamage::Refuse, deaf()).unwrap();
    assert!(head.is_open() && writer.flush());
}

#[test]
fn pieces_of_a_stream_are_synced_together_and_a_prompt_at_once() {
    let sim = Sim::new();
    let slow = Means {
        sync: Duration::from_secs(3600),
        ..means(Arc::new(sim.clone()))
    };
    let store = Store::with(Path::new("/w"), Path::new("/cache"), slow).unwrap();
    let (writer, told) = begun(&store);
    wait_until("`opened` is synced", || sim.state().syncs >= 2);
    let before = sim.state().syncs;
    writer.append((0..50).map(|n| delta(1, &n.to_string())).collect());
    events_until(
        &told,
        |k| matches!(k, Kind::Delta { text, .. } if text.shown() == "49"),
    );
    assert_eq!(sim.state().syncs, before, "no sync for each piece");
    writer.append(vec![prompt(2)]);
    wait_until("the prompt is synced", || sim.state().syncs > before);
    drop(writer);
}

#[test]
fn one_event_is_one_line_and_one_write() {
    let sim = Sim::new();
    let store = store_on(sim.clone());
    let writer = store
        .create(id(), &essays(), vec![created()], &[], deaf())
        .unwrap();
    assert!(writer.flush());
    sim.state().appends.clear();
    writer.append(turn(1));
    assert!(writer.flush());
    let appends = sim.state().appends.clone();
    let bytes = sim.bytes(&log_in(Path::new("/w"))).unwrap();
    let lines: Vec<usize> = bytes
        .split_inclusive(|b| *b == b'\n')
        .map(<[u8]>::len)
        .collect();
    assert_eq!(appends, lines[2..]);
}

#[test]
fn a_long_text_is_a_durable_blob_before_its_line_and_those_behind_it_wait() {
    let sim = Sim::new();
    let store = store_on(sim.clone());
    let (writer, told) = begun(&store);
    assert!(writer.flush());
    let long = "word ".repeat(40_000);
    writer.append(vec![
        Kind::Message {
            turn: 1,
            block: 0,
            text: long.as_str().into(),
        },
        prompt(2),
    ]);
    let events = events_until(&told, |k| matches!(k, Kind::Prompt { .. }));
    let Some(Kind::Message { text, .. }) = events.iter().rev().nth(1).map(|e| &e.kind) else {
        panic!("out of order: {events:?}");
    };
    let Text::Blob { blob, len, head } = text else {
        panic!("{} bytes in a line", text.len());
    };
    assert_eq!((*len, head.len()), (200_000, 2048));
    // The blob is whole even when the power is lost the moment its line is shown.
    let after = store_on(sim.lose_power(usize::MAX / 2, false));
    assert_eq!(after.text(id(), text).unwrap(), long);
    drop(writer);
    assert_eq!(store.verify(None).unwrap().blobs, []);
    assert!(store.blob_get(id(), blob).is_ok());
    assert!(store.blob_get(id(), "../lock").is_err());
}

#[test]
fn a_version_of_the_draft_names_a_blob_that_is_there() {
    let sim = Sim::new();
    let store = store_on(sim);
    let (writer, told) = begun(&store);
    writer.append_with_blob(b"Two words.".to_vec(), saved());
    let events = events_until(&told, |k| matches!(k, Kind::DraftSaved { .. }));
    let Some(Kind::DraftSaved {
        sha256, bytes: 10, ..
    }) = events.last().map(|e| &e.kind)
    else {
        panic!("{events:?}");
    };
    assert_eq!(store.blob_get(id(), sha256).unwrap(), b"Two words.");
}

#[test]
fn a_full_disk_that_refuses_a_blob_keeps_the_event_and_those_behind_it() {
    let sim = Sim::new();
    let store = store_on(sim.clone());
    let (writer, told) = begun(&store);
    events_until(&told, |k| matches!(k, Kind::Opened { .. }));
    sim.state().room = Some(4);
    writer.append_with_blob(b"Two words.".to_vec(), saved());
    writer.append(vec![prompt(1)]);
    assert!(matches!(
        told.recv_timeout(PATIENCE).unwrap(),
        Written::Trouble(_)
    ));
    sim.state().room = None;
    let shown = events_until(&told, |k| matches!(k, Kind::Prompt { .. }));
    assert_eq!(shown.len(), 2);
    drop(writer);
    assert_eq!(store.verify(None).unwrap().blobs, []);
}

#[test]
fn a_turn_says_how_many_lines_it_has_and_their_checksum() {
    let sim = Sim::new();
    let store = store_on(sim.clone());
    let writer = store
        .create(id(), &essays(), vec![created()], &[], deaf())
        .unwrap();
    writer.append(turn(1));
    assert!(writer.flush());
    let bytes = sim.bytes(&log_in(Path::new("/w"))).unwrap();
    let lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
    let of_turn = lines[3..lines.len() - 1].concat();
    let (events, _) = read(&store);
    let Some(Kind::TurnFinished { events, crc32, .. }) = events.last().map(|e| &e.kind) else {
        panic!("{events:?}");
    };
    assert_eq!(*events, 4);
    assert_eq!(*crc32, format!("{:08x}", crc32fast::hash(&of_turn)));
}

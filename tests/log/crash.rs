//! Crashes, power cuts and full disks at every byte, on a simulated disk.

use std::path::Path;

use fascicle::domain::event::{Event, Kind};
use fascicle::log::{OnDamage, Store, Written};

use super::desk::*;
use super::sim::Sim;

fn log() -> std::path::PathBuf {
    log_in(Path::new("/w"))
}

/// Writes a session with a turn and a draft. Gives what was told; stops where the disk does.
fn write_all(store: &Store) -> Vec<Event> {
    let (sink, kept) = keep();
    if let Ok(writer) = store.create(id(), &essays(), vec![created()], &[], sink) {
        writer.append(turn(1));
        writer.append_with_blob(b"Two words.".to_vec(), saved());
        writer.flush();
    }
    let kept = kept.lock().unwrap();
    kept.clone()
}

/// A disk with that session on it, closed.
fn written() -> (Sim, Vec<Event>) {
    let sim = Sim::new();
    let events = write_all(&store_on(sim.clone()));
    (sim, events)
}

/// Opens for writing, appends a turn, and checks what must hold after any crash.
fn reopen(sim: &Sim, acknowledged: &[Event], synced: usize) {
    let before = sim.bytes(&log()).unwrap();
    let store = store_on(sim.clone());
    let (found, _) = read(&store);
    let told = acknowledged.len();
    assert!(found.len() >= synced, "synced events are lost");
    assert!(found.len() <= told + 1, "{} of {told}", found.len());
    assert_eq!(
        found[..told.min(found.len())],
        acknowledged[..told.min(found.len())]
    );
    assert!(is_counted(&found));

    let (writer, head) = store.writer(id(), OnDamage::Refuse, deaf()).unwrap();
    assert_eq!(head.last, found.last().map(|e| e.seq));
    writer.append(turn(7));
    assert!(writer.flush());
    drop(writer);

    let (after, left) = read(&store);
    assert!(
        sim.bytes(&log()).unwrap().starts_with(&before),
        "bytes were changed"
    );
    assert!(is_counted(&after), "a gap or a repeat: {after:?}");
    assert!(left.is_empty(), "not said in `recovered`: {left:?}");
    let mut want = deeds(&found);
    want.extend(deeds(&numbered(turn(7))));
    assert_eq!(deeds(&after), want);

    drop(store.writer(id(), OnDamage::Refuse, deaf()).unwrap());
    let (again, _) = read(&store);
    assert_eq!(again[..after.len()], after);
    assert!(matches!(
        again[after.len()..],
        [Event {
            kind: Kind::Opened { .. },
            ..
        }]
    ));
}

fn numbered(kinds: Vec<Kind>) -> Vec<Event> {
    let events = kinds.into_iter().zip(0..);
    events
        .map(|(kind, seq)| Event { seq, ts: 0, kind })
        .collect()
}

#[test]
fn any_byte_prefix_of_a_log_replays_to_a_prefix_of_its_events_and_goes_on() {
    let (sim, events) = written();
    let bytes = sim.bytes(&log()).unwrap();
    for cut in 1..=bytes.len() {
        for nul in [false, true] {
            if nul && cut % 3 > 0 {
                continue;
            }
            let mut damaged = bytes[..cut].to_vec();
            if nul {
                damaged.resize(bytes.len() + 3, 0);
            }
            let whole = memchr::memchr_iter(b'\n', &bytes[..cut]).count();
            let after = sim.fork();
            after.put(&log(), &damaged);
            reopen(&after, &events[..whole], whole);
        }
    }
}

#[test]
fn a_crash_at_any_byte_loses_nothing_that_was_told() {
    let (sim, events) = written();
    let points = crash_points(&sim);
    assert!(points.len() > 500, "{}", points.len());
    for point in points {
        let sim = Sim::new();
        sim.state().crash = Some(point);
        let told = write_all(&store_on(sim.clone()));
        assert_eq!(told[..], events[..told.len()], "{point:?}");
        if sim.fork().bytes(&log()).is_some() {
            reopen(&sim.fork(), &told, told.len());
        } else {
            assert!(told.is_empty(), "{point:?}");
            leaves_nothing(&sim.fork());
        }
    }
}

#[test]
fn a_crash_while_a_torn_log_is_opened_costs_nothing_more() {
    let (sim, events) = written();
    let bytes = sim.bytes(&log()).unwrap();
    let torn = sim.fork();
    torn.put(&log(), &bytes[..bytes.len() - 9]);
    let told = &events[..events.len() - 1];
    let dry = torn.fork();
    dry.state().appends.clear();
    dry.state().ops = 0;
    drop(
        store_on(dry.clone())
            .writer(id(), OnDamage::Refuse, deaf())
            .unwrap(),
    );
    for point in crash_points(&dry) {
        let sim = torn.fork();
        sim.state().ops = 0;
        sim.state().crash = Some(point);
        let opened = store_on(sim.clone()).writer(id(), OnDamage::Refuse, deaf());
        drop(opened);
        let sim = sim.fork();
        let store = store_on(sim.clone());
        assert_eq!(read(&store).0[..told.len()], *told, "{point:?}");
        drop(store.writer(id(), OnDamage::Refuse, deaf()).unwrap());
        let (found, left) = read(&store);
        assert!(is_counted(&found) && left.is_empty(), "{point:?} {left:?}");
        assert_eq!(deeds(&found), deeds(told));
    }
}

#[test]
fn power_lost_at_any_unsynced_byte_keeps_what_was_synced() {
    let sim = Sim::new();
    let (sink, kept) = keep();
    let store = store_on(sim.clone());
    let writer = store
        .create(id(), &essays(), vec![created()], &[], sink)
        .unwrap();
    writer.append(turn(1));
    assert!(writer.flush());
    let synced = kept.lock().unwrap().len();
    let durable = sim.bytes(&log()).unwrap().len();
    sim.state().sync_lies = true;
    writer.append(turn(2));
    assert!(writer.flush());
    let told = kept.lock().unwrap().clone();
    let len = sim.bytes(&log()).unwrap().len();
    assert!(len > durable);
    for extra in 0..=len - durable {
        for nul in [extra % 2 == 0, extra % 5 == 0] {
            reopen(&sim.lose_power(extra, nul), &told, synced);
        }
    }
}

#[test]
fn power_lost_while_a_session_is_made_leaves_all_of_it_or_nothing() {
    let create = |sim: &Sim| {
        let text = b"Two words.".to_vec();
        let mut first = saved();
        if let Kind::DraftSaved { sha256, .. } = &mut first {
            *sha256 = fascicle::text::hash::sha256(&text);
        }
        let store = store_on(sim.clone());
        let kinds = vec![created(), first];
        store
            .create(id(), &essays(), kinds, &[text], deaf())
            .is_ok()
    };
    let dry = Sim::new();
    assert!(create(&dry));
    for op in 0..dry.state().ops {
        let sim = Sim::new();
        sim.state().crash = Some((op, 5));
        let made = create(&sim);
        for after in [
            sim.fork(),
            sim.lose_power(0, false),
            sim.lose_power(9, true),
        ] {
            let store = store_on(after.clone());
            if store.ids().is_empty() {
                assert!(!made, "lost at {op}");
                leaves_nothing(&after);
            } else {
                let (events, found) = read(&store);
                assert!(
                    events.len() >= 2 && found.damage.len() < 2,
                    "{op} {found:?}"
                );
                let report = store.verify(None).unwrap();
                assert_eq!(report.blobs, [], "{op}");
            }
        }
    }
}

#[test]
fn a_crash_between_the_two_moves_into_the_trash_is_finished_on_open() {
    let (sim, events) = written();
    let dry = sim.fork();
    dry.state().ops = 0;
    store_on(dry.clone()).trash(id()).unwrap();
    for op in 0..dry.state().ops {
        let sim = sim.fork();
        sim.state().ops = 0;
        sim.state().crash = Some((op, 0));
        assert!(store_on(sim.clone()).trash(id()).is_err());
        for after in [sim.fork(), sim.lose_power(0, false)] {
            let store = store_on(after.clone());
            let (here, there) = (store.ids(), store.trashed_ids());
            assert!(!here.is_empty() || !there.is_empty(), "lost at {op}");
            assert_eq!(store.verify(None).unwrap().blobs, [], "{op}");
            if here.is_empty() {
                store.untrash(id()).unwrap();
            }
            assert_eq!(read(&store).0[..events.len()], events, "{op}");
            drop(store.writer(id(), OnDamage::Refuse, deaf()).unwrap());
        }
    }
}

#[test]
fn a_disk_that_fills_up_at_any_byte_shows_nothing_early_and_all_in_order_later() {
    let dry = Sim::new();
    write_all(&store_on(dry.clone()));
    let lines: usize = dry.bytes(&log()).unwrap().len();
    for room in 0..lines as u64 {
        let sim = Sim::new();
        let store = store_on(sim.clone());
        let (writer, told) = begun(&store);
        assert!(writer.flush());
        let before = events_until(&told, |k| matches!(k, Kind::Opened { .. }));
        sim.state().room = Some(room);
        writer.append(turn(1));
        writer.append(vec![Kind::Archived]);
        let mut events = Vec::new();
        let mut trouble = 0;
        while trouble == 0 && events.len() < 7 {
            match told.recv_timeout(PATIENCE).unwrap() {
                Written::Event(event) => events.push((*event).clone()),
                Written::Trouble(_) => trouble += 1,
                Written::Reached(_) => panic!("no mark was asked for"),
                Written::Fine => panic!("nothing was wrong"),
            }
        }
        let whole = read(&store).0.len();
        assert_eq!(
            whole,
            before.len() + events.len(),
            "shown is what is written, at {room}"
        );
        sim.state().room = None;
        events.extend(if events.len() < 7 {
            assert!(writer.pending_bytes() > 0);
            events_until(&told, |k| matches!(k, Kind::Archived))
        } else {
            Vec::new()
        });
        if trouble > 0 {
            assert_eq!(told.recv_timeout(PATIENCE).unwrap(), Written::Fine);
        }
        assert_eq!(writer.pending_bytes(), 0);
        drop(writer);
        let (found, _) = read(&store);
        assert_eq!(found[..before.len()], before);
        assert_eq!(found[before.len()..], events);
        assert!(is_counted(&found));
        let mut want = deeds(&numbered(turn(1)));
        want.push(Kind::Archived);
        assert_eq!(deeds(&events), want);
        reopen(&sim.fork(), &found, found.len());
    }
}

#[test]
fn short_writes_are_gone_on_with() {
    let sim = Sim::new();
    sim.state().short = Some(3);
    let told = write_all(&store_on(sim.clone()));
    let (found, left) = read(&store_on(sim));
    assert_eq!(found, told);
    assert!(left.is_empty());
}

#[test]
fn a_splice_at_any_byte_costs_no_event() {
    let (sim, events) = written();
    let bytes = sim.bytes(&log()).unwrap();
    let mut start = 0;
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        let step = if line.len() > 200 { 7 } else { 1 };
        for cut in (0..line.len()).step_by(step) {
            // What was torn, and behind it on the same line what was written instead.
            let spliced = [&bytes[..start + cut], &bytes[start..]].concat();
            let after = sim.fork();
            after.put(&log(), &spliced);
            let (found, left) = read(&store_on(after));
            assert_eq!(found, events, "{}", String::from_utf8_lossy(&spliced));
            assert_eq!(left.damage.len(), usize::from(cut > 0), "{left:?}");
        }
        start += line.len();
    }
}

#[test]
fn a_missing_newline_costs_no_event() {
    let (sim, events) = written();
    let text = String::from_utf8(sim.bytes(&log()).unwrap()).unwrap();
    let after = sim.fork();
    after.put(&log(), text.replace('\n', "").as_bytes());
    let (found, left) = read(&store_on(after));
    assert_eq!(found, events);
    assert!(left.is_empty(), "{left:?}");
}

/// Every operation, and every byte of those that append.
pub fn crash_points(sim: &Sim) -> Vec<(u64, usize)> {
    let state = sim.state();
    let longest = state.appends.iter().copied().max().unwrap_or(0);
    let mut points = Vec::new();
    for op in 0..state.ops {
        points.extend((0..=longest).step_by(5).map(|bytes| (op, bytes)));
    }
    points
}

/// No trace of a session that never came to be is left in the folder of its collection.
fn leaves_nothing(sim: &Sim) {
    let store = store_on(sim.clone());
    assert_eq!(store.ids(), []);
    let dir = Path::new("/w/.fascicle/sessions/essays");
    let left = fascicle::log::disk::Disk::list(sim, dir).unwrap_or_default();
    let made = left.iter().any(|name| name.starts_with(".new-"));
    assert!(!made, "{left:?}");
}

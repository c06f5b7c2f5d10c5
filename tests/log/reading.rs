//! Reading without a lock: pages, following, the list and its cache, the trash, verification.

use std::path::Path;
use std::sync::Arc;

use fascicle::domain::SessionId;
use fascicle::domain::event::{Event, Kind};
use fascicle::log::{Followed, LogError, OnDamage, Store};
use proptest::prelude::*;

use super::desk::*;
use super::sim::Sim;

fn log() -> std::path::PathBuf {
    log_in(Path::new("/w"))
}

/// A session of so many turns, closed.
fn session(turns: u32) -> (Sim, Store, Vec<Event>) {
    let sim = Sim::new();
    let store = store_on(sim.clone());
    let writer = store
        .create(id(), &essays(), vec![created()], &[], deaf())
        .unwrap();
    writer.append((1..=turns).flat_map(turn).collect());
    assert!(writer.flush());
    drop(writer);
    let (events, _) = read(&store);
    (sim, store, events)
}

#[test]
fn a_page_begins_with_a_prompt_and_pages_join_without_gap_or_repeat() {
    let (_, store, events) = session(2000);
    for size in [1_000, 20_000, 300_000] {
        let mut page = store.tail(id(), size).unwrap();
        let mut all = page.events.clone();
        while page.more {
            assert!(matches!(page.events[0].kind, Kind::Prompt { .. }), "{size}");
            page = store.before(id(), all[0].seq, size).unwrap();
            all.splice(0..0, page.events.iter().cloned());
            if size == 1_000 && all.len() > 500 {
                break;
            }
        }
        assert_eq!(all, events[events.len() - all.len()..]);
    }
    assert_eq!(store.before(id(), 0, 1000).unwrap().events, []);
}

#[test]
fn a_page_of_a_long_turn_does_not_wait_for_its_prompt() {
    let (_, store, _) = session(1);
    let (writer, _) = store.writer(id(), OnDamage::Refuse, deaf()).unwrap();
    writer.append(vec![prompt(2), started(2)]);
    let long = "x".repeat(60_000);
    writer.append((0..80).map(|_| delta(2, &long)).collect());
    assert!(writer.flush());
    let page = store.tail(id(), 200_000).unwrap();
    assert!(page.more && page.events.len() < 5, "{}", page.events.len());
    let page = store.tail(id(), 3_000_000).unwrap();
    assert!(page.more && page.events.len() < 60);
}

#[test]
fn events_after_any_number_are_found_in_a_long_log() {
    let (_, store, events) = session(2000);
    for after in (0..events.len()).step_by(997).chain([events.len() - 1]) {
        let found = store.after(id(), events[after].seq).unwrap();
        assert_eq!(found, events[after + 1..]);
    }
    assert_eq!(store.after(id(), 1 << 40).unwrap(), []);
}

#[test]
fn a_follower_gets_whole_lines_as_they_come_and_says_when_the_file_was_cut() {
    let (sim, store, events) = session(3);
    let bytes = sim.bytes(&log()).unwrap();
    let mut follow = store.follow(id(), Some(4)).unwrap();
    let Followed::Events(found) = follow.read().unwrap() else {
        panic!("it was not cut");
    };
    assert_eq!(found, events[5..]);
    assert_eq!(follow.read().unwrap(), Followed::Events(Vec::new()));

    let (writer, _) = store.writer(id(), OnDamage::Refuse, deaf()).unwrap();
    writer.append(vec![Kind::Archived]);
    assert!(writer.flush());
    drop(writer);
    let Followed::Events(found) = follow.read().unwrap() else {
        panic!("it was not cut");
    };
    assert_eq!(found.len(), 2);
    assert!(matches!(found[1].kind, Kind::Archived));

    sim.put(&log(), &bytes[..bytes.len() / 2]);
    assert_eq!(follow.read().unwrap(), Followed::Shorter);
    let Followed::Events(found) = follow.read().unwrap() else {
        panic!("said twice");
    };
    assert_eq!(found[..], events[..found.len()]);
}

#[test]
fn a_half_written_line_is_not_given_to_a_follower_until_it_is_whole() {
    let (sim, store, events) = session(1);
    let bytes = sim.bytes(&log()).unwrap();
    let mut follow = store.follow(id(), None).unwrap();
    let first = bytes.iter().position(|b| *b == b'\n').unwrap();
    // The same file, longer each time.
    let file =
        fascicle::log::disk::Disk::open(&sim, &log(), fascicle::log::disk::Open::Append).unwrap();
    assert_eq!(follow.read().unwrap(), Followed::Events(events.clone()));
    let event = Event {
        seq: events.len() as u64,
        ts: 0,
        kind: Kind::Archived,
    };
    let line = format!(
        "{{\"v\":1,\"seq\":{},\"ts\":0,\"kind\":\"archived\"}}\n",
        event.seq
    );
    for part in line.as_bytes().chunks(7) {
        assert_eq!(follow.read().unwrap(), Followed::Events(Vec::new()));
        file.append(part).unwrap();
    }
    assert_eq!(follow.read().unwrap(), Followed::Events(vec![event]));
    assert!(first > 0);
}

#[test]
fn the_list_is_the_same_from_its_cache_and_without_it() {
    let (sim, store, _) = session(3);
    let fresh = store.heads();
    let one = |heads: &[fascicle::log::Listed]| (heads[0].head.clone(), heads[0].events);
    let cached = store_on(sim.clone()).heads();
    assert_eq!(cached, fresh);
    assert_eq!(store.rebuild(), (1, fresh[0].events));
    assert_eq!(store.heads(), fresh);

    // Growth is read from where the log was known; the same comes out as from the start.
    let (writer, _) = store.writer(id(), OnDamage::Refuse, deaf()).unwrap();
    writer.append(turn(4));
    drop(writer);
    let grown = store_on(sim.clone()).heads();
    sim.put(Path::new("/cache/heads.jsonl"), b"garbage\n{\n");
    assert_eq!(one(&store_on(sim.clone()).heads()), one(&grown));
    assert_eq!(grown[0].head.turn.as_ref().unwrap().no, 4);
}

#[test]
fn a_log_that_somebody_changed_is_read_anew_whatever_the_cache_says() {
    let (sim, store, _) = session(3);
    store.heads();
    let text = String::from_utf8(sim.bytes(&log()).unwrap()).unwrap();
    // Longer, but not by growth.
    let changed = text.replace("plainer", "much plainer");
    sim.put(&log(), changed.as_bytes());
    let words = store_on(sim.clone()).heads()[0].head.first_words.clone();
    assert_eq!(words.unwrap(), "Prompt 1: make it much plainer.");
    sim.put(&log(), text.as_bytes());
    let words = store_on(sim).heads()[0].head.first_words.clone();
    assert_eq!(words.unwrap(), "Prompt 1: make it plainer.");
}

#[test]
fn an_unchanged_log_is_not_opened_for_the_list() {
    let (sim, store, _) = session(3);
    let before = store.heads();
    let store = store_on(sim.clone());
    sim.state().opened = 0;
    assert_eq!(store.heads(), before);
    assert_eq!(store.heads(), before);
    assert_eq!(sim.state().opened, 1, "the cache alone");
}

#[test]
fn the_end_of_a_long_log_is_found_without_reading_the_rest() {
    let (sim, store, _) = session(6000);
    let len = sim.bytes(&log()).unwrap().len() as u64;
    sim.state().bytes_read = 0;
    let page = store.tail(id(), 50_000).unwrap();
    assert!(sim.state().bytes_read < 300_000 && len > 3_000_000, "{len}");
    sim.state().bytes_read = 0;
    store.before(id(), page.events[0].seq, 50_000).unwrap();
    store
        .follow(id(), Some(page.events[0].seq))
        .unwrap()
        .read()
        .unwrap();
    assert!(sim.state().bytes_read < len, "{}", sim.state().bytes_read);
}

#[test]
fn a_cache_that_cannot_be_written_only_costs_time() {
    let (sim, _, _) = session(2);
    let nowhere = Path::new("/w/.fascicle/sessions/essays").join(format!("{}.jsonl/x", id()));
    let store = Store::with(Path::new("/w"), &nowhere, means(Arc::new(sim))).unwrap();
    assert_eq!(store.heads().len(), 1);
    assert_eq!(store.heads()[0].head.turn.as_ref().unwrap().no, 2);
}

#[test]
fn a_folder_that_cannot_be_written_can_be_read() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path(), &dir.path().join("cache")).unwrap();
    assert!(
        !dir.path().join(".fascicle").exists(),
        "made only when needed"
    );
    assert_eq!(store.heads(), []);
    assert!(matches!(store.tail(id(), 10), Err(LogError::NoSession(_))));
    assert!(Store::open(&dir.path().join("none"), dir.path()).is_err());
}

#[test]
fn what_is_in_the_trash_is_listed_read_and_brought_back_but_not_written() {
    let (_, store, events) = session(1);
    store.trash(id()).unwrap();
    assert_eq!((store.ids().len(), store.trashed_ids().len()), (0, 1));
    assert_eq!(read(&store).0, events);
    assert!(store.heads()[0].in_trash);
    let refused = store.writer(id(), OnDamage::Refuse, deaf());
    assert!(matches!(refused, Err(LogError::ReadOnly { .. })));
    store.untrash(id()).unwrap();
    store.untrash(id()).unwrap();
    assert_eq!(store.ids(), [(essays(), id())]);
    assert!(store.writer(id(), OnDamage::Refuse, deaf()).is_ok());
}

#[test]
fn a_session_is_not_made_over_another() {
    let (_, store, _) = session(1);
    let again = store.create(id(), &essays(), vec![created()], &[], deaf());
    assert!(matches!(again, Err(LogError::Exists(_))));
    store.trash(id()).unwrap();
    let again = store.create(id(), &essays(), vec![created()], &[], deaf());
    assert!(matches!(again, Err(LogError::Exists(_))));
}

#[test]
fn verification_names_bad_blobs_and_damage_that_is_known_already() {
    let (sim, store, _) = session(1);
    let (writer, _) = store.writer(id(), OnDamage::Refuse, deaf()).unwrap();
    writer.append_with_blob(b"One.".to_vec(), saved());
    writer.append_with_blob(b"Two.".to_vec(), saved());
    assert!(writer.flush());
    drop(writer);
    let bytes = sim.bytes(&log()).unwrap();
    sim.put(&log(), &bytes[..bytes.len() - 5]);
    drop(store.writer(id(), OnDamage::Refuse, deaf()).unwrap());
    let blobs = Path::new("/w/.fascicle/sessions/essays").join(format!("{}/blobs", id()));
    let one = fascicle::text::hash::sha256(b"One.");
    sim.put(&blobs.join(&one), b"One!");
    let report = store.verify(Some(id())).unwrap();
    assert_eq!(report.sessions, 1);
    assert_eq!(
        report.damaged.len(),
        1,
        "listed by `recovered`, and named still"
    );
    assert!(report.damaged[0].file.starts_with("sessions/essays/"));
    assert_eq!(report.blobs.len(), 1);
    assert!(report.blobs[0].file.ends_with(&one) && report.blobs[0].why == "changed");
    let text = fascicle::domain::Text::Blob {
        blob: format!("sha256:{one}"),
        len: 4,
        head: String::new(),
    };
    assert!(matches!(
        store.text(id(), &text),
        Err(LogError::Blob { .. })
    ));
}

#[test]
fn an_accepted_conflict_is_not_asked_about_again() {
    let (sim, store, events) = session(1);
    let bytes = sim.bytes(&log()).unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    let last = text.lines().last().unwrap().replace("\"ok\"", "\"failed\"");
    sim.put(&log(), format!("{text}{last}\n").as_bytes());
    let refused = store.writer(id(), OnDamage::Refuse, deaf()).err().unwrap();
    assert!(refused.to_string().contains("two programs"), "{refused}");
    assert!(store.heads()[0].trouble.is_some());
    drop(store.writer(id(), OnDamage::Accept, deaf()).unwrap());
    drop(store.writer(id(), OnDamage::Refuse, deaf()).unwrap());
    assert_eq!(store.heads()[0].trouble, None);
    assert_eq!(read(&store).0[..events.len()], events);
}

#[test]
fn unsent_text_is_kept_for_each_session_and_window() {
    let (sim, store, _) = session(1);
    let (one, two) = ("w1".parse().unwrap(), "w2".parse().unwrap());
    store
        .keep_unsent(Some(id()), &one, "half a thôught")
        .unwrap();
    store.keep_unsent(None, &one, "a new piece").unwrap();
    let store = store_on(sim.lose_power(0, false));
    assert_eq!(store.unsent(Some(id()), &one).unwrap(), "half a thôught");
    assert_eq!(store.unsent(None, &one).unwrap(), "a new piece");
    assert_eq!(store.unsent(Some(id()), &two).unwrap(), "");
    store.keep_unsent(Some(id()), &one, "").unwrap();
    store.keep_unsent(Some(id()), &one, "").unwrap();
    assert_eq!(store.unsent(Some(id()), &one).unwrap(), "");
}

#[test]
fn a_line_over_16_mib_is_named_and_what_comes_after_it_is_read() {
    let (sim, store, events) = session(1);
    let mut bytes = sim.bytes(&log()).unwrap();
    let n = events.len();
    bytes.extend(format!("{{\"v\":1,\"seq\":{n},\"ts\":1,\"kind\":\"note\",\"text\":\"").bytes());
    bytes.extend(std::iter::repeat_n(b'x', 17 << 20));
    let next = n + 1;
    bytes.extend(
        format!("\"}}\n{{\"v\":1,\"seq\":{next},\"ts\":1,\"kind\":\"archived\"}}\n").bytes(),
    );
    sim.put(&log(), &bytes);
    let (found, left) = read(&store);
    let Kind::Unknown { name } = &found[n].kind else {
        panic!("{} bytes were loaded", 17 << 20);
    };
    assert_eq!(name, "note (17 MiB)");
    assert!(matches!(found[next].kind, Kind::Archived));
    assert_eq!(left.damage[0].why, "long");
    assert_eq!(store.tail(id(), 100).unwrap().events.last(), found.last());
}

#[test]
fn many_sessions_are_listed_by_a_look_at_each() {
    let sim = Sim::new();
    let store = store_on(sim.clone());
    let line = String::from_utf8({
        drop(
            store
                .create(id(), &essays(), vec![created()], &[], deaf())
                .unwrap(),
        );
        sim.bytes(&log()).unwrap()
    });
    let line = line.unwrap();
    for n in 0..500 {
        let one: SessionId = format!("0197c0de-7a10-7c3e-9b55-{n:012x}").parse().unwrap();
        let path = Path::new("/w/.fascicle/sessions/essays").join(format!("{one}.jsonl"));
        sim.put(
            &path,
            line.replace(&id().to_string(), &one.to_string()).as_bytes(),
        );
    }
    let first = store.heads();
    assert_eq!(first.len(), 501);
    assert_eq!(store_on(sim).heads(), first);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_prefix_of_any_log_replays_to_a_prefix_of_its_events(
        texts in proptest::collection::vec("(?s).{0,40}", 1..12),
        cut in 0.0f64..1.0,
    ) {
        let sim = Sim::new();
        let store = store_on(sim.clone());
        let writer = store.create(id(), &essays(), vec![created()], &[], deaf()).unwrap();
        writer.append(texts.iter().map(|text| delta(1, text)).collect());
        prop_assert!(writer.flush());
        drop(writer);
        let (events, left) = read(&store);
        prop_assert!(left.is_empty());
        let bytes = sim.bytes(&log()).unwrap();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a place in a short file")]
        let cut = (bytes.len() as f64 * cut) as usize;
        sim.put(&log(), &bytes[..cut]);
        let (found, _) = read(&store);
        prop_assert_eq!(&found[..], &events[..found.len()]);
    }

    #[test]
    fn no_bytes_at_all_stop_a_reader(bytes in proptest::collection::vec(prop_oneof![
        Just(b"{\"v\":1,\"seq\":".to_vec()),
        Just(b"{\"v\":1,\"seq\":0,\"ts\":1,\"kind\":\"archived\"}".to_vec()),
        Just(b"{\"v\":1,\"seq\":1,\"ts\":1,\"kind\":\"archived\"}".to_vec()),
        Just(b"\n".to_vec()), Just(vec![0, 0]), proptest::collection::vec(any::<u8>(), 0..9),
    ], 0..30)) {
        let (sim, store, _) = session(0);
        let bytes = bytes.concat();
        sim.put(&log(), &bytes);
        let (events, left) = read(&store);
        let numbers: Vec<u64> = events.iter().map(|e| e.seq).collect();
        prop_assert!(numbers.is_sorted_by(|a, b| a < b));
        let inside = left.damage.iter().all(|d| d.at + d.len <= bytes.len() as u64);
        prop_assert!(inside);
        let page = store.tail(id(), 20).unwrap();
        prop_assert!(events.ends_with(&page.events));
        if let Ok((writer, _)) = store.writer(id(), OnDamage::Accept, deaf()) {
            prop_assert!(writer.flush());
            drop(writer);
            let (after, left) = read(&store);
            prop_assert_eq!(&after[..events.len()], &events[..]);
            prop_assert!(left.is_empty(), "{:?}", left);
        }
    }
}

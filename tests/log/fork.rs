//! Variants: what is copied, what a crash or a full disk leaves, what a damaged parent gives.

use fascicle::domain::event::Forked;
use std::path::{Path, PathBuf};

use fascicle::domain::event::{Event, Kind, Status};
use fascicle::domain::{Head, SessionId};
use fascicle::log::disk::Disk;
use fascicle::log::{LogError, OnDamage, Store, Variant, Writer};
use fascicle::text::hash::sha256;
use proptest::prelude::*;

use super::desk::*;
use super::sim::Sim;

const DRAFT: &[u8] = b"Two words.";

fn variant_id(n: u32) -> SessionId {
    format!("0297c0de-7a10-7c3e-9b55-{n:012}").parse().unwrap()
}

fn path_of(id: SessionId) -> PathBuf {
    format!("/w/.fascicle/sessions/essays/{id}.jsonl").into()
}

fn variant(n: u32) -> Variant {
    Variant {
        id: variant_id(n),
        title: Some(format!("variant {n}")),
        collection: essays(),
        folder: format!("essays/valley~{n}"),
    }
}

/// A parent with a draft, a turn that ended and one that runs.
fn parent(sim: &Sim) -> (Store, Writer) {
    let store = store_on(sim.clone());
    let (writer, _) = begun(&store);
    writer.append_with_blob(DRAFT.to_vec(), saved());
    writer.append(turn(1));
    writer.append(vec![
        Kind::Prompt {
            turn: 2,
            text: "Long. ".repeat(20_000).as_str().into(),
            queued: None,
        },
        started(2),
        delta(2, "Half a "),
    ]);
    assert!(writer.flush());
    (store, writer)
}

fn forked(store: &Store, at: Option<u64>, n: u32) -> Result<Head, LogError> {
    let (writer, head) = store.fork(id(), at, variant(n), deaf())?;
    assert!(writer.flush());
    Ok(head)
}

fn events_of(store: &Store, id: SessionId) -> Vec<Event> {
    store.whole(id).unwrap().map(Result::unwrap).collect()
}

fn kinds_behind(store: &Store, id: SessionId, seq: u64) -> Vec<Kind> {
    let events = events_of(store, id).into_iter();
    events.filter(|e| e.seq > seq).map(|e| e.kind).collect()
}

fn is_whole(store: &Store) {
    let report = store.verify(None).unwrap();
    assert_eq!((report.damaged, report.gaps), (vec![], vec![]));
    assert_eq!(report.blobs, []);
}

#[test]
fn a_variant_has_its_parents_bytes_and_blobs_then_its_own() {
    let sim = Sim::new();
    let (store, writer) = parent(&sim);
    let before = sim.bytes(&path_of(id())).unwrap();
    let head = forked(&store, None, 1).unwrap();
    let made = sim.bytes(&path_of(variant_id(1))).unwrap();
    assert!(made.starts_with(&before));
    let Kind::Forked(Forked { from, id: own, .. }) = &kinds_behind(&store, variant_id(1), 11)[0]
    else {
        panic!("what follows is not `forked`");
    };
    assert_eq!(
        (*own, from.at.session, from.at.seq),
        (variant_id(1), id(), 11)
    );
    assert_eq!(from.bytes, before.len() as u64);
    assert_eq!(from.crc32, format!("{:08x}", crc32fast::hash(&before)));
    assert_eq!((head.id, head.title()), (Some(variant_id(1)), "variant 1"));
    assert_eq!(head.kin.family, Some(id()));
    let draft = head.draft.unwrap().sha256;
    assert_eq!(store.blob_get(variant_id(1), &draft).unwrap(), DRAFT);
    is_whole(&store);
    drop(writer);
}

#[test]
fn a_turn_that_runs_ends_in_the_variant_and_goes_on_in_the_parent() {
    let sim = Sim::new();
    let (store, writer) = parent(&sim);
    let head = forked(&store, None, 1).unwrap();
    let end = (Status::Interrupted, Some("forked here".to_owned()));
    assert_eq!(head.turn.clone().unwrap().end, Some(end));
    assert_eq!(head.state(true), fascicle::domain::State::Interrupted);
    assert_eq!(head.money.unpriced, 0, "it cost the variant nothing");
    writer.append(vec![delta(2, "sentence."), finished(2)]);
    assert!(writer.flush());
    let last = events_of(&store, id()).pop().unwrap();
    assert!(matches!(last.kind, Kind::TurnFinished { .. }));
    is_whole(&store);
    // What the figures of a turn are made of is found again by whoever opens it.
    drop(
        store
            .writer(variant_id(1), OnDamage::Refuse, deaf())
            .unwrap(),
    );
    let all = events_of(&store, variant_id(1));
    assert!(!all.iter().any(|e| matches!(e.kind, Kind::Recovered { .. })));
}

#[test]
fn a_variant_is_made_at_any_event_and_at_no_other() {
    let sim = Sim::new();
    let (store, _writer) = parent(&sim);
    let all = events_of(&store, id());
    for event in &all {
        let n = u32::try_from(event.seq).unwrap();
        let head = forked(&store, Some(event.seq), n).unwrap();
        assert_eq!(head.kin.parent.unwrap().seq, event.seq);
        let copied = &events_of(&store, variant_id(n))[..=n as usize];
        assert_eq!(copied, &all[..=n as usize]);
        assert!(!head.is_open());
    }
    let unknown = forked(&store, Some(99), 99).unwrap_err();
    assert!(unknown.to_string().contains("has no event 99"), "{unknown}");
    assert!(!store.has(variant_id(99)));
    is_whole(&store);
    for (_, listed) in store.heads().iter().map(|one| (one.id, one)) {
        assert_eq!(listed.trouble, None);
    }
}

#[test]
fn a_torn_tail_stays_with_the_parent_and_a_whole_line_without_its_end_is_taken() {
    let sim = Sim::new();
    let (store, writer) = parent(&sim);
    drop(writer);
    let whole = sim.bytes(&path_of(id())).unwrap();
    for (n, cut) in [(1, whole.len() - 4), (2, whole.len() - 1)] {
        sim.put(&path_of(id()), &whole[..cut]);
        let head = forked(&store, None, n).unwrap();
        let seq = head.kin.parent.unwrap().seq;
        assert_eq!(seq, if n == 1 { 10 } else { 11 });
        let made = sim.bytes(&path_of(variant_id(n))).unwrap();
        assert!(made.starts_with(&whole[..cut.min(made.len())]) || n == 1);
        let all = events_of(&store, variant_id(n));
        assert!(is_counted(&all), "{all:?}");
        let listed = store.head(variant_id(n)).unwrap();
        assert_eq!(listed.trouble, None);
        drop(
            store
                .writer(variant_id(n), OnDamage::Refuse, deaf())
                .unwrap(),
        );
    }
}

#[test]
fn of_a_damaged_parent_the_variant_has_what_can_be_read_and_says_what_cannot() {
    let sim = Sim::new();
    let (store, writer) = parent(&sim);
    drop(writer);
    let mut bytes = sim.bytes(&path_of(id())).unwrap();
    let at = memchr::memmem::find(&bytes, b"\"seq\":5").unwrap();
    bytes[at] = b'#';
    sim.put(&path_of(id()), &bytes);
    let head = forked(&store, None, 1).unwrap();
    assert_eq!(
        head.last,
        events_of(&store, variant_id(1))
            .iter()
            .rev()
            .nth(1)
            .map(|e| e.seq)
    );
    let said = kinds_behind(&store, variant_id(1), 11);
    let Some(Kind::Recovered { damage, missing }) = said.get(2) else {
        panic!("{said:?}");
    };
    assert_eq!((damage.len(), missing.as_slice()), (2, [(5, 5)].as_slice()));
    assert_eq!(
        store.head(variant_id(1)).unwrap().trouble,
        None,
        "it is said already"
    );
    drop(
        store
            .writer(variant_id(1), OnDamage::Refuse, deaf())
            .unwrap(),
    );
    assert_eq!(
        sim.bytes(&path_of(id())).unwrap(),
        bytes,
        "the parent is left alone"
    );
    let Err(e) = forked(&store, Some(5), 2) else {
        panic!("event 5 cannot be read");
    };
    assert!(matches!(e, LogError::NoEvent { seq: 5, .. }));
}

#[test]
fn a_text_that_the_parent_has_lost_is_said_and_keeps_nothing_else_back() {
    let sim = Sim::new();
    let (store, _writer) = parent(&sim);
    let blobs = path_of(id()).with_extension("").join("blobs");
    sim.remove(&blobs.join(sha256(DRAFT))).unwrap();
    forked(&store, None, 1).unwrap();
    let said = kinds_behind(&store, variant_id(1), 11);
    let note = said.iter().find_map(|kind| match kind {
        Kind::Note { text, .. } => Some(text.clone()),
        _ => None,
    });
    assert!(note.unwrap().starts_with("1 text that"), "{said:?}");
}

#[test]
fn a_disk_without_second_names_gets_copies() {
    let sim = Sim::new();
    sim.state().linkless = true;
    let (store, _writer) = parent(&sim);
    forked(&store, None, 1).unwrap();
    is_whole(&store);
}

#[test]
fn a_variant_of_a_variant_and_the_family_without_its_parents() {
    let sim = Sim::new();
    let (store, writer) = parent(&sim);
    drop(writer);
    forked(&store, None, 1).unwrap();
    let (writer, head) = store.fork(variant_id(1), None, variant(2), deaf()).unwrap();
    drop(writer);
    assert_eq!(head.kin.parent.unwrap().session, variant_id(1));
    assert_eq!(
        (head.kin.family, head.id),
        (Some(id()), Some(variant_id(2)))
    );
    // Of its parent's own part nothing is left at this event.
    let (writer, head) = store
        .fork(variant_id(2), Some(3), variant(3), deaf())
        .unwrap();
    drop(writer);
    assert_eq!(head.kin.parent.unwrap().session, variant_id(2));
    is_whole(&store);
    for gone in [id(), variant_id(1)] {
        sim.remove(&path_of(gone)).unwrap();
        sim.remove(&path_of(gone).with_extension("")).unwrap();
    }
    let store = store_on(sim.fork());
    is_whole(&store);
    for n in [2, 3] {
        drop(
            store
                .writer(variant_id(n), OnDamage::Refuse, deaf())
                .unwrap(),
        );
        assert_eq!(
            store.beginning(variant_id(n)).unwrap().id,
            Some(variant_id(n))
        );
        assert_eq!(store.head(variant_id(n)).unwrap().trouble, None);
    }
}

#[test]
fn a_copy_made_by_hand_is_still_told_from_a_variant() {
    let sim = Sim::new();
    let (store, _writer) = parent(&sim);
    forked(&store, None, 1).unwrap();
    let bytes = sim.bytes(&path_of(variant_id(1))).unwrap();
    sim.put(&path_of(variant_id(2)), &bytes);
    let trouble = store.head(variant_id(2)).unwrap().trouble.unwrap();
    assert!(trouble.contains(&variant_id(1).to_string()), "{trouble}");
    let Err(refused) = store.writer(variant_id(2), OnDamage::Refuse, deaf()) else {
        panic!("a copy is written");
    };
    assert!(matches!(refused, LogError::ReadOnly { .. }));
}

#[test]
fn a_byte_changed_in_what_was_copied_is_found() {
    let sim = Sim::new();
    let (store, _writer) = parent(&sim);
    forked(&store, None, 1).unwrap();
    let log = path_of(variant_id(1));
    let mut bytes = sim.bytes(&log).unwrap();
    let at = memchr::memmem::find(&bytes, b"plainer").unwrap();
    bytes[at] = b'P';
    sim.put(&log, &bytes);
    let report = store.verify(Some(variant_id(1))).unwrap();
    assert_eq!(report.damaged.len(), 1);
    assert_eq!(report.damaged[0].why, "checksum");
}

#[test]
fn a_crash_at_any_step_leaves_a_whole_variant_or_none_and_the_parent_as_it_was() {
    let begun = Sim::new();
    let (_, writer) = parent(&begun);
    drop(writer);
    let before = begun.bytes(&path_of(id())).unwrap();
    let dry = begun.fork();
    let store = store_on(dry.clone());
    dry.state().ops = 0;
    dry.state().appends.clear();
    forked(&store, None, 1).unwrap();
    let ops = dry.state().ops;
    assert!(ops > 10, "{ops}");
    for op in 0..ops {
        for bytes in [0, 1, 700] {
            let sim = begun.fork();
            let store = store_on(sim.clone());
            sim.state().ops = 0;
            sim.state().crash = Some((op, bytes));
            let made = store.fork(id(), None, variant(1), deaf()).is_ok();
            for after in [
                sim.fork(),
                sim.lose_power(0, false),
                sim.lose_power(9, true),
            ] {
                let store = store_on(after.clone());
                assert_eq!(after.bytes(&path_of(id())).unwrap(), before, "{op}");
                let report = store.verify(None).unwrap();
                assert_eq!(report.blobs, [], "{op}");
                if !store.has(variant_id(1)) {
                    assert!(!made, "lost at {op}");
                    leaves_nothing(&after);
                    assert_eq!(report.logless, [], "{op}");
                    // One that is young may be made in this moment.
                    let folder = path_of(variant_id(1)).with_extension("");
                    let there = after.stat(&folder).is_ok();
                    store.sweep_hollow(0);
                    assert_eq!(after.stat(&folder).is_ok(), there, "{op}");
                    store.sweep_hollow(i64::MAX);
                    assert!(after.stat(&folder).is_err(), "left at {op}");
                    continue;
                }
                let head = store.head(variant_id(1)).unwrap().head;
                assert_eq!(head.id, Some(variant_id(1)), "{op}");
                assert!(!head.is_open() && head.kin.is_variant(), "{op}");
                drop(
                    store
                        .writer(variant_id(1), OnDamage::Refuse, deaf())
                        .unwrap(),
                );
            }
        }
    }
}

#[test]
fn a_disk_that_fills_up_at_any_byte_leaves_nothing_half_made() {
    let begun = Sim::new();
    begun.state().linkless = true;
    let (_, writer) = parent(&begun);
    drop(writer);
    let dry = begun.fork();
    dry.state().appends.clear();
    forked(&store_on(dry.clone()), None, 1).unwrap();
    let all: usize = dry.state().appends.iter().sum();
    let own = u64::try_from(all).unwrap();
    // The blobs are long and all alike: every byte of the lines, some of the rest.
    let rooms = (0..own).filter(|room| own - room < 6_000 || room % 997 == 0);
    for room in rooms {
        let sim = begun.fork();
        let store = store_on(sim.clone());
        sim.state().room = Some(room);
        match store.fork(id(), None, variant(1), deaf()) {
            // Full behind the last of it: what comes then waits in memory as ever.
            Ok((writer, _)) => {
                sim.state().room = None;
                assert!(writer.flush());
                assert_eq!(store.verify(None).unwrap().blobs, []);
                assert!(store.head(variant_id(1)).unwrap().head.kin.is_variant());
            }
            Err(e) => {
                assert!(
                    e.to_string().contains("space") || e.to_string().contains("full"),
                    "{e}"
                );
                assert!(!store.has(variant_id(1)));
                leaves_nothing(&sim);
                assert!(
                    sim.stat(&path_of(variant_id(1)).with_extension(""))
                        .is_err()
                );
                sim.state().room = None;
                forked(&store, None, 1).unwrap();
            }
        }
    }
}

#[test]
fn a_draft_for_which_there_is_no_room_leaves_no_variant() {
    let sim = Sim::new();
    let (store, _writer) = parent(&sim);
    let mut given = Vec::new();
    let full = |text: &[u8]| {
        given = text.to_vec();
        Err(std::io::ErrorKind::StorageFull.into())
    };
    let made = store.fork_with((id(), None), variant(1), full, deaf());
    let why = made.map(|_| ()).unwrap_err().to_string();
    assert!(why.contains("essays/valley~1"), "{why}");
    assert_eq!(given, DRAFT);
    assert!(!store.has(variant_id(1)));
    leaves_nothing(&sim);
    assert!(
        sim.stat(&path_of(variant_id(1)).with_extension(""))
            .is_err()
    );
}

#[test]
fn what_cannot_be_read_of_the_parent_is_told_with_the_variant_also_when_it_was_known_before() {
    let sim = Sim::new();
    let (store, writer) = parent(&sim);
    drop(writer);
    let whole = sim.bytes(&path_of(id())).unwrap();
    let told = |n| {
        let made = store.fork_with((id(), None), variant(n), |_| Ok(()), deaf());
        let made = made.unwrap();
        (made.unread.join(" "), made.torn)
    };
    assert_eq!(told(1), (String::new(), 0));
    let garbled = [&whole[..], b"{garbage\n", b"{\"seq\":"].concat();
    sim.put(&path_of(id()), &garbled);
    let (unread, torn) = told(2);
    assert!(unread.contains("1 unreadable line (8 bytes)"), "{unread}");
    assert_eq!(torn, 7);
    // The parent lists it itself when it is opened.
    drop(store.writer(id(), OnDamage::Refuse, deaf()).unwrap());
    let (unread, torn) = told(3);
    assert!(unread.contains("1 unreadable line (8 bytes)"), "{unread}");
    assert_eq!(torn, 0);
    let first = memchr::memchr(b'\n', &whole).unwrap();
    sim.put(&path_of(id()), &whole[first + 1..]);
    assert!(told(4).0.contains("lacks event 0"));
}

/// No trace of a variant that never came to be.
fn leaves_nothing(sim: &Sim) {
    drop(store_on(sim.clone()));
    let dir = Path::new("/w/.fascicle/sessions/essays");
    let left = sim.list(dir).unwrap();
    assert!(
        !left.iter().any(|name| name.starts_with(".new-")),
        "{left:?}"
    );
}

#[test]
fn a_log_that_grows_is_forked_at_whole_lines() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path(), &dir.path().join("cache")).unwrap();
    let (writer, _) = begun(&store);
    writer.append(vec![prompt(1), started(1)]);
    assert!(writer.flush());
    std::thread::scope(|scope| {
        let stream = scope.spawn(|| {
            for n in 0..4_000 {
                writer.append(vec![delta(1, &format!("word {n} "))]);
            }
            writer.flush()
        });
        for n in 0..20 {
            let (own, head) = store.fork(id(), None, variant(n), deaf()).unwrap();
            drop(own);
            let seq = head.kin.parent.unwrap().seq;
            let events = events_of(&store, variant_id(n));
            assert!(is_counted(&events));
            assert!(matches!(
                events[usize::try_from(seq).unwrap() + 1].kind,
                Kind::Forked(Forked { .. })
            ));
        }
        assert!(stream.join().unwrap());
    });
    is_whole(&store);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn whatever_a_variant_writes_its_parents_files_stay_equal(
        at in 0_u64..12,
        words in proptest::collection::vec("[a-z ]{0,40}", 0..12),
    ) {
        let sim = Sim::new();
        let (store, writer) = parent(&sim);
        drop(writer);
        let log = sim.bytes(&path_of(id())).unwrap();
        let (writer, _) = store.fork(id(), Some(at), variant(1), deaf()).unwrap();
        for text in &words {
            writer.append_with_blob(text.clone().into_bytes(), saved());
            writer.append(vec![delta(1, text), Kind::Renamed { title: text.clone() }]);
        }
        prop_assert!(writer.flush());
        drop(writer);
        prop_assert_eq!(sim.bytes(&path_of(id())).unwrap(), log);
        is_whole(&store);
    }
}

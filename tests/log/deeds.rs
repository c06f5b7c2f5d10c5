//! Logs of deeds: crashes at every operation, full disks, damage, and what `verify` says of them.

use std::path::{Path, PathBuf};

use fascicle::domain::drawer::{
    Act, Answer, Answered, Binder, Entry, FileSaved, Hand, Proposed, What,
};
use fascicle::log::{Book, LogError, Store};

use super::crash::crash_points;
use super::desk::*;
use super::sim::Sim;

fn book() -> Book {
    Book::Collection(essays())
}

fn log() -> PathBuf {
    PathBuf::from("/w/.fascicle/sessions/essays/collection.jsonl")
}

fn proposed(text: &str) -> Act {
    Act::Proposed(Proposed {
        session: id(),
        turn: 1,
        call: "c1".into(),
        what: What::Name,
        text: text.into(),
        reason: "It comes back in every letter.".into(),
        about: Some("Ilse".into()),
    })
}

/// Does something to the lines of a log.
type Damage = &'static dyn Fn(&mut Vec<Vec<u8>>);

fn refused(proposal: u64) -> Act {
    Act::Answered(Answered {
        proposal,
        answer: Answer::Refused,
        text: None,
        line: None,
        was: None,
    })
}

/// Writes four deeds, one of them with a blob. Gives those that were acknowledged.
fn write_all(store: &Store) -> Vec<Entry> {
    let mut told = Vec::new();
    let mut note = |acts: Result<Vec<Act>, LogError>| {
        let noted = acts.and_then(|acts| store.note(&book(), acts));
        told.extend(noted.as_ref().ok().cloned().unwrap_or_default());
        noted.is_ok()
    };
    let saved = |name: String| {
        vec![Act::FileSaved(FileSaved {
            file: "MEMORY.md".into(),
            sha256: name,
            bytes: 4,
            by: Hand::Outside,
            base: None,
            act: None,
            gone: false,
        })]
    };
    let _stopped = note(Ok(vec![proposed("Ilse is the ferryman's daughter.")]))
        && note(Ok(vec![proposed("The “river” is never named.\u{202e}")]))
        && note(store.deed_blob_put(&book(), b"Text").map(saved))
        && note(Ok(vec![refused(1)]));
    told
}

fn reopen(sim: &Sim, told: &[Entry], point: &dyn std::fmt::Debug) {
    let before = sim.bytes(&log()).unwrap_or_default();
    let store = store_on(sim.clone());
    let found = store.deeds(&book()).unwrap().entries;
    assert!(found.len() >= told.len(), "{point:?}: a deed is lost");
    assert_eq!(found[..told.len()], *told, "{point:?}");
    assert!(found.len() <= told.len() + 1, "{point:?}");
    for name in found.iter().filter_map(|e| e.act.blob()) {
        assert_eq!(store.deed_blob_get(&book(), name).unwrap(), b"Text");
    }
    let noted = store.note(&book(), vec![proposed("One more.")]).unwrap();
    let after = store.deeds(&book()).unwrap();
    assert!(after.found.is_empty(), "{point:?}: {:?}", after.found);
    assert!(after.entries.ends_with(&noted), "{point:?}");
    assert!(sim.bytes(&log()).unwrap().starts_with(&before), "{point:?}");
    let numbers = after.entries.iter().map(|e| e.seq);
    assert!(numbers.eq(0..after.entries.len() as u64), "{point:?}");
}

#[test]
fn deeds_survive_a_crash_at_any_byte_and_a_power_cut_after_it() {
    let sim = Sim::new();
    assert_eq!(write_all(&store_on(sim.clone())).len(), 4);
    let points = crash_points(&sim);
    assert!(points.len() > 100, "{}", points.len());
    for point in points {
        let sim = Sim::new();
        sim.state().crash = Some(point);
        let told = write_all(&store_on(sim.clone()));
        reopen(&sim.fork(), &told, &point);
        for (extra, nul) in [(0, false), (7, false), (40, true)] {
            reopen(&sim.lose_power(extra, nul), &told, &point);
        }
    }
}

#[test]
fn a_full_disk_refuses_a_deed_and_leaves_the_log_to_be_gone_on_with() {
    for room in 0..900 {
        let sim = Sim::new();
        sim.state().room = Some(room);
        let told = write_all(&store_on(sim.clone()));
        sim.state().room = None;
        reopen(&sim, &told, &room);
    }
}

#[test]
fn nothing_follows_what_the_disk_failed_to_keep() {
    let sim = Sim::new();
    let store = store_on(sim.clone());
    store.note(&book(), vec![proposed("One.")]).unwrap();
    sim.state().sync_fails = true;
    assert!(store.note(&book(), vec![proposed("Two.")]).is_err());
    sim.state().sync_fails = false;
    let said = store.note(&book(), vec![proposed("Three.")]).unwrap_err();
    assert!(
        said.to_string().contains("open the workspace again"),
        "{said}"
    );
    assert!(
        store_on(sim)
            .note(&book(), vec![proposed("Three.")])
            .is_ok()
    );
}

#[test]
fn a_damaged_line_costs_one_deed_and_is_said_once() {
    let sim = Sim::new();
    write_all(&store_on(sim.clone()));
    let bytes = sim.bytes(&log()).unwrap();
    let mut lines: Vec<Vec<u8>> = bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    lines.pop();
    let damages: [(&str, Damage); 7] = [
        ("json", &|lines| lines[1] = b"what is this".to_vec()),
        ("torn", &|lines| lines[1].truncate(60)),
        ("nul", &|lines| lines[1] = vec![0; 90]),
        ("repeated", &|lines| lines.insert(2, lines[0].clone())),
        ("splice", &|lines| {
            let cut = lines[0][..50].to_vec();
            lines[2].splice(0..0, cut);
        }),
        ("kind", &|lines| {
            let line = String::from_utf8(lines[1].clone()).unwrap();
            lines[1] = line.replace("\"turn\":1", "\"turn\":\"x\"").into_bytes();
        }),
        ("version", &|lines| lines[1][5] = b'2'),
    ];
    for (why, damage) in damages {
        let (sim, mut lines) = (sim.fork(), lines.clone());
        damage(&mut lines);
        let mut bytes = lines.join(&b'\n');
        bytes.push(b'\n');
        sim.put(&log(), &bytes);
        let store = store_on(sim);
        let read = store.deeds(&book()).unwrap();
        assert_eq!(read.found.damage[0].why, why);
        assert!(read.entries.len() >= 3, "{why}");
        let noted = store.note(&book(), vec![refused(0)]).unwrap();
        assert!(matches!(noted[0].act, Act::Recovered { .. }), "{why}");
        let again = store.deeds(&book()).unwrap();
        assert!(again.found.is_empty(), "{why}");
        assert_eq!(store.verify(None).unwrap().damaged[0].why, why);
        let binder = Binder::of(&again.entries);
        assert!(!binder.proposals[0].waits(), "{why}");
    }
}

#[test]
fn a_kind_of_a_later_version_keeps_its_bytes_and_its_number() {
    let sim = Sim::new();
    let store = store_on(sim.clone());
    store.note(&book(), vec![proposed("One.")]).unwrap();
    let mut bytes = sim.bytes(&log()).unwrap();
    let later = b"{\"v\":1,\"seq\":1,\"ts\":5,\"kind\":\"memory.dreamt\",\"of\":[1]}\n";
    bytes.extend(later);
    sim.put(&log(), &bytes);
    let noted = store.note(&book(), vec![refused(0)]).unwrap();
    assert_eq!(noted[0].seq, 2);
    let read = store.deeds(&book()).unwrap();
    let name = "memory.dreamt".to_owned();
    assert_eq!(read.entries[1].act, Act::Unknown { name });
    assert!(sim.bytes(&log()).unwrap().starts_with(&bytes));
}

#[test]
fn verify_reads_every_book_and_hashes_its_blobs() {
    let sim = Sim::new();
    let store = store_on(sim.clone());
    let told = write_all(&store);
    let act = told.iter().find_map(|e| e.act.blob()).unwrap();
    store.note(&Book::Workspace, vec![refused(0)]).unwrap();
    let report = store.verify(None).unwrap();
    assert_eq!((report.sessions, report.events), (0, 5));
    assert!(report.damaged.is_empty() && report.blobs.is_empty());
    let blob = log().with_file_name("blobs").join(act);
    sim.put(&blob, b"Test");
    let report = store.verify(None).unwrap();
    assert_eq!(report.blobs[0].why, "changed");
    assert!(Path::new(&report.blobs[0].file).ends_with(act));
    assert!(store.deed_blob_get(&book(), act).is_err());
    assert!(store.ids().is_empty(), "a book is no session");
}

//! What sync tools leave beside logs and drafts is listed and left alone.

use std::path::{Path, PathBuf};

use fascicle::log::disk::Disk as _;
use fascicle::log::{Copy, OnDamage, Store};

use super::desk::*;
use super::sim::Sim;

const LOGS: &str = "/w/.fascicle/sessions/essays";

/// A session with a turn and a draft, closed.
fn session() -> (Sim, Store) {
    let sim = Sim::new();
    let store = store_on(sim.clone());
    let writer = store
        .create(id(), &essays(), vec![created()], &[], deaf())
        .unwrap();
    writer.append(turn(1));
    writer.append_with_blob(b"Two words.".to_vec(), saved());
    assert!(writer.flush());
    drop(writer);
    (sim, store)
}

fn beside(more: &str) -> PathBuf {
    Path::new(LOGS).join(format!("{}{more}.jsonl", id()))
}

/// What of a copy is of interest: path, whether it adds nothing, lines it adds.
fn told(copies: &[Copy]) -> Vec<(&str, bool, u64)> {
    let told = copies.iter().map(|c| (c.path.as_str(), c.same, c.lines));
    told.collect()
}

#[test]
fn a_copy_of_a_log_is_listed_and_compared_and_its_log_goes_on_alone() {
    let (sim, store) = session();
    let log = sim.bytes(&log_in(Path::new("/w"))).unwrap();
    let (events, _) = read(&store);
    let copies = [
        (" (1)", log[..log.len() - 30].to_vec()),
        (" 2", log.clone()),
        (".sync-conflict-20261129-101010-ABCDEFG", {
            let other = br#"{"v":1,"seq":3,"ts":1,"kind":"note","text":"elsewhere"}"#;
            [&log[..log.len() / 2], b"\n", other, b"\n"].concat()
        }),
    ];
    for (more, bytes) in &copies {
        sim.put(&beside(more), bytes);
    }
    let shown = |more: &str| format!(".fascicle/sessions/essays/{}{more}.jsonl", id());
    let (one, two, three) = (shown(copies[0].0), shown(copies[1].0), shown(copies[2].0));
    // Half a line, and one that was never in the log.
    let want = [
        (one.as_str(), true, 0),
        (two.as_str(), true, 0),
        (three.as_str(), false, 2),
    ];
    assert_eq!(told(&store.copies(None)), want);
    // Of a blob, or of the lock: passed over.
    let folder = Path::new(LOGS).join(id().to_string());
    let blob = fascicle::text::hash::sha256(b"Two words.");
    for name in [
        &format!("blobs/{blob} (1)"),
        "lock (1)",
        "blobs/x.sync-conflict",
    ] {
        sim.put(&folder.join(name), b"garbage");
    }
    assert_eq!(store.verify(None).unwrap().blobs, []);
    assert_eq!(told(&store.verify(Some(id())).unwrap().copies), want);
    assert_eq!(store.copies(None)[1].bytes, log.len() as u64);

    assert_eq!(store.ids(), [(essays(), id())]);
    assert_eq!(read(&store).0, events);
    drop(store.writer(id(), OnDamage::Refuse, deaf()).unwrap());
    store.trash(id()).unwrap();
    drop(store_on(sim.clone()));
    for (more, bytes) in &copies {
        assert_eq!(sim.bytes(&beside(more)).as_ref(), Some(bytes), "{more}");
    }
}

#[test]
fn the_list_says_that_copies_lie_beside_a_log_without_reading_them() {
    let (sim, store) = session();
    assert_eq!(store.heads()[0].trouble, None);
    sim.put(&beside("-LAPTOP"), b"garbage");
    let opened = sim.state().opened;
    let trouble = store.heads()[0].trouble.clone().unwrap();
    assert_eq!(
        trouble,
        format!(
            "1 copy made by a sync tool lies beside its log; `fascicle verify {}` says what is in it.",
            id()
        )
    );
    assert_eq!(sim.state().opened, opened, "it was opened");
    sim.put(&beside(" 2"), b"");
    let trouble = store.heads()[0].trouble.clone().unwrap();
    assert!(trouble.starts_with("2 copies made"), "{trouble}");
    assert_eq!(store.heads().len(), 1);
}

#[test]
fn a_copy_whose_log_is_gone_is_named_with_all_its_lines() {
    let (sim, store) = session();
    let log = log_in(Path::new("/w"));
    sim.rename(&log, &beside(" (Ann's conflicted copy 2026-11-29)"))
        .unwrap();
    assert_eq!(store.ids(), []);
    let copies = store.copies(None);
    assert!(!copies[0].same && copies[0].lines > 8, "{copies:?}");
}

#[test]
fn copies_of_a_draft_and_of_its_mark_are_listed_and_what_is_kept_anyway_is_said() {
    let (sim, store) = session();
    let folder = Path::new("/w/essays/valley");
    sim.make_dir(folder.parent().unwrap()).unwrap();
    sim.make_dir(folder).unwrap();
    let files = [
        ("draft.md", "Three words now.\n"),
        ("draft (1).md", "Three words now.\n"),
        ("draft-LAPTOP.md", "Two words."),
        (
            "draft.sync-conflict-20261129-101010-ABCDEFG.md",
            "Mine.\nToo.\n",
        ),
        ("draft-notes.md", "The writer's own."),
        (".session (1)", "x"),
    ];
    for (name, text) in files {
        sim.put(&folder.join(name), text.as_bytes());
    }
    let want = [
        ("essays/valley/.session (1)", false, 1),
        ("essays/valley/draft (1).md", true, 0),
        ("essays/valley/draft-LAPTOP.md", true, 1),
        (
            "essays/valley/draft.sync-conflict-20261129-101010-ABCDEFG.md",
            false,
            2,
        ),
    ];
    assert_eq!(told(&store.copies(Some(id()))), want);
    assert_eq!(store.heads()[0].trouble, None);
}

#[test]
fn a_log_that_names_a_folder_outside_the_workspace_has_nothing_listed_there() {
    let (sim, store) = session();
    sim.make_dir(Path::new("/out")).unwrap();
    sim.put(Path::new("/out/draft 2.md"), b"Not ours.");
    let (writer, _) = store.writer(id(), OnDamage::Refuse, deaf()).unwrap();
    for folder in ["../out", "/out"] {
        writer.append(vec![fascicle::domain::Kind::Moved {
            collection: essays(),
            folder: folder.into(),
            was: None,
            undoes: None,
        }]);
        assert!(writer.flush());
        assert_eq!(store.copies(None), []);
    }
}

#[test]
fn a_second_log_of_a_session_is_named_and_the_one_in_use_is_listed_alone() {
    let (sim, store) = session();
    let bytes = sim.bytes(&log_in(Path::new("/w"))).unwrap();
    let in_trash = format!("/w/.fascicle/trash/essays/{}.jsonl", id());
    for dir in ["/w/.fascicle/trash", "/w/.fascicle/trash/essays"] {
        // One of them may be there.
        drop(sim.make_dir(Path::new(dir)));
    }
    sim.put(Path::new(&in_trash), &bytes[..bytes.len() - 30]);
    let listed = store.heads();
    let [one] = listed.as_slice() else {
        panic!("{listed:?}")
    };
    assert!(!one.in_trash);
    let trouble = one.trouble.as_ref().unwrap();
    assert!(trouble.contains("Another log of it"), "{trouble}");
    let report = store.verify(None).unwrap();
    assert_eq!((report.sessions, report.damaged), (1, vec![]));
    let [stray] = report.strays.as_slice() else {
        panic!("{:?}", report.strays)
    };
    let used = format!("sessions/essays/{}.jsonl", id());
    assert_eq!(stray.used.as_ref(), Some(&used));
    assert_eq!(stray.file, format!("trash/essays/{}.jsonl", id()));
    assert!(
        stray.told().contains("is the one in use"),
        "{}",
        stray.told()
    );
}

#[test]
fn a_log_under_the_name_of_another_session_is_named_with_the_session_it_is_of() {
    let (sim, store) = session();
    let bytes = sim.bytes(&log_in(Path::new("/w"))).unwrap();
    let other = "00000000-0000-7000-8000-00000000abcd";
    sim.put(&Path::new(LOGS).join(format!("{other}.jsonl")), &bytes);
    let strays = store.verify(None).unwrap().strays;
    let [stray] = strays.as_slice() else {
        panic!("{strays:?}")
    };
    assert_eq!((stray.session, &stray.used), (id(), &None));
    assert!(stray.file.contains(other), "{}", stray.file);
}

#[test]
fn a_log_under_a_name_that_is_no_logs_is_named_with_the_one_that_it_is_to_get() {
    let (sim, store) = session();
    let log = log_in(Path::new("/w"));
    let bytes = sim.bytes(&log).unwrap();
    let odd = Path::new(LOGS).join("P.jsonl");
    sim.put(&odd, &bytes);
    sim.put(&Path::new(LOGS).join("notes.jsonl"), b"{\"mine\": 1}\n");
    let named = || {
        let mut strays = store.verify(None).unwrap().strays;
        assert_eq!(strays.len(), 1, "{strays:?}");
        strays.remove(0)
    };
    assert!(named().told().contains("a second log of session"));
    assert!(!named().is_missed());
    sim.remove(&log).unwrap();
    let stray = named();
    assert_eq!(stray.file, "sessions/essays/P.jsonl");
    let wanted = format!("name it {}.jsonl.", id());
    assert!(stray.told().contains(&wanted), "{}", stray.told());
    assert!(stray.is_missed());
}

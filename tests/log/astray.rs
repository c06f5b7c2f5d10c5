//! A log that is deleted, moved, replaced or cut while it is written.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};

use fascicle::domain::event::{Event, Kind};
use fascicle::log::disk::Disk as _;
use fascicle::log::{OnDamage, Store, Writer, Written};
use fascicle::text::hash::sha256;

use super::desk::*;
use super::sim::Sim;

const OURS: &str = "/w/.fascicle";
const DRAFT: &[u8] = b"Two words.";

/// A session that is being written, with a turn and a draft in it.
struct Desk {
    sim: Sim,
    store: Store,
    writer: Writer,
    told: Receiver<Written>,
}

fn log() -> PathBuf {
    log_in(Path::new("/w"))
}

fn rescued(stem: &str) -> PathBuf {
    Path::new("/rescued").join(stem)
}

fn store(sim: &Sim) -> Store {
    store_on(sim.clone()).rescue_to(Path::new("/rescued"))
}

fn desk() -> Desk {
    let sim = Sim::new();
    let store = store(&sim);
    let (writer, told) = begun(&store);
    writer.append(turn(1));
    writer.append_with_blob(DRAFT.to_vec(), saved());
    assert!(writer.flush());
    Desk {
        sim,
        store,
        writer,
        told,
    }
}

impl Desk {
    fn bytes(&self) -> Vec<u8> {
        self.sim.bytes(&log()).unwrap()
    }

    /// Appends a title, and waits until it is told.
    fn write(&self, title: &str) {
        let title = title.to_owned();
        self.writer.append(vec![Kind::Renamed { title }]);
    }

    /// Waits for what is told beside events.
    fn aside(&self) -> Written {
        loop {
            match self.told.recv_timeout(PATIENCE).unwrap() {
                Written::Event(_) => {}
                other => return other,
            }
        }
    }

    fn trouble(&self) -> String {
        match self.aside() {
            Written::Trouble(why) => why,
            other => panic!("{other:?}"),
        }
    }

    /// Everything that is still to be told once the writer has ended.
    fn end(self) -> (Sim, Store, Vec<Written>) {
        drop(self.writer);
        (self.sim, self.store, self.told.try_iter().collect())
    }
}

/// Folders again where they were, empty.
fn make_dirs(sim: &Sim) {
    for dir in [
        OURS,
        "/w/.fascicle/sessions",
        "/w/.fascicle/sessions/essays",
    ] {
        sim.make_dir(Path::new(dir)).unwrap();
    }
}

fn titles(events: &[Event]) -> Vec<&str> {
    let titles = events.iter().filter_map(|e| match &e.kind {
        Kind::Renamed { title } => Some(title.as_str()),
        _ => None,
    });
    titles.collect()
}

fn notes(events: &[Event]) -> Vec<&str> {
    let notes = events.iter().filter_map(|e| match &e.kind {
        Kind::Note { text, .. } => Some(text.as_str()),
        _ => None,
    });
    notes.collect()
}

/// The events of a log that lies anywhere, by putting it where logs lie.
fn read_at(sim: &Sim, path: &Path) -> Vec<Event> {
    let other = Sim::new();
    make_dirs(&other);
    other.put(&log(), &sim.bytes(path).unwrap());
    let (events, found) = read(&store(&other));
    assert!(found.is_empty(), "{found:?}");
    assert!(is_counted(&events));
    events
}

/// A log in its place is whole, and what it names is there.
fn is_whole(store: &Store, want: &[&str]) -> Vec<Event> {
    let (events, found) = read(store);
    // A full disk leaves a torn line, sealed.
    assert!(found.damage.iter().all(|d| d.why == "torn"), "{found:?}");
    assert!(found.missing.is_empty() && is_counted(&events));
    assert_eq!(titles(&events), want);
    assert_eq!(store.verify(None).unwrap().blobs, []);
    assert_eq!(store.blob_get(id(), &sha256(DRAFT)).unwrap(), DRAFT);
    events
}

#[test]
fn a_log_deleted_while_its_folder_stays_is_put_back_at_once_and_tells_of_it() {
    let desk = desk();
    let before = desk.bytes();
    desk.sim.remove(&log()).unwrap();
    desk.write("After");
    assert!(desk.writer.flush());
    assert!(desk.bytes().starts_with(&before));
    assert!(desk.store.writer(id(), OnDamage::Refuse, deaf()).is_err());
    let (sim, store, told) = desk.end();
    let aside = told.iter().filter(|w| !matches!(w, Written::Event(_)));
    assert_eq!(aside.count(), 0, "there is nothing to be done about it");
    let events = is_whole(&store, &["After"]);
    let note = "The log was deleted while it was written. It was put back whole, and goes on.";
    assert_eq!(notes(&events), [note]);
    assert_eq!(sim.list(Path::new("/rescued")).unwrap(), [""; 0]);
    drop(store.writer(id(), OnDamage::Refuse, deaf()).unwrap());
}

#[test]
fn a_deleted_workspace_costs_no_word_and_gets_its_log_when_it_is_back() {
    let desk = desk();
    desk.sim.remove(Path::new(OURS)).unwrap();
    desk.write("While it was gone");
    let why = desk.trouble();
    let path = rescued(&format!("{}.jsonl", id()));
    let want = format!(
        "The log of session {} was deleted while it was written. All of it is in {}",
        id(),
        path.display()
    );
    assert!(why.starts_with(&want), "{why}");
    desk.writer
        .append_with_blob(b"More words.".to_vec(), saved());
    desk.write("Still");
    assert!(desk.writer.flush(), "it is durable where it is");
    let events = read_at(&desk.sim, &path);
    assert_eq!(titles(&events), ["While it was gone", "Still"]);
    assert_eq!(desk.store.ids(), []);

    make_dirs(&desk.sim);
    assert_eq!(desk.aside(), Written::Fine);
    desk.write("At home");
    assert!(desk.writer.flush());
    let (sim, store, told) = desk.end();
    assert!(told.iter().all(|w| matches!(w, Written::Event(_))));
    let events = is_whole(&store, &["While it was gone", "Still", "At home"]);
    assert_eq!(notes(&events).len(), 1);
    assert_eq!(
        store.blob_get(id(), &sha256(b"More words.")).unwrap(),
        b"More words."
    );
    assert_eq!(sim.list(Path::new("/rescued")).unwrap(), [""; 0]);
}

#[test]
fn a_workspace_that_stays_away_leaves_its_logs_where_it_was_said_and_never_over_others() {
    let stem = id().to_string();
    let taken = [format!("{stem}.jsonl"), format!("{stem}-2")];
    let desk = desk();
    desk.sim.make_dir(Path::new("/rescued")).unwrap();
    desk.sim.put(&rescued(&taken[0]), b"Another's.");
    desk.sim.make_dir(&rescued(&taken[1])).unwrap();
    desk.sim.remove(Path::new(OURS)).unwrap();
    // Nothing is written any more: it is found out at the end.
    let (sim, store, told) = desk.end();
    let path = rescued(&format!("{stem}-3.jsonl"));
    let Some(Written::Trouble(why)) = told.last() else {
        panic!("{told:?}");
    };
    assert!(why.contains(&path.display().to_string()), "{why}");
    assert_eq!(read_at(&sim, &path).len(), 9);
    let draft = rescued(&format!("{stem}-3/blobs")).join(sha256(DRAFT));
    assert_eq!(sim.bytes(&draft).unwrap(), DRAFT);
    assert_eq!(sim.bytes(&rescued(&taken[0])).unwrap(), b"Another's.");
    assert_eq!(store.ids(), []);
    assert!(
        sim.list(Path::new("/w")).unwrap().is_empty(),
        "nothing is made anew"
    );
}

#[test]
fn a_folder_moved_away_is_written_where_it_is_and_said_until_it_is_back() {
    let desk = desk();
    desk.sim
        .rename(Path::new(OURS), Path::new("/away"))
        .unwrap();
    desk.write("Moved");
    let why = desk.trouble();
    assert!(
        why.contains("its folder is /away/sessions/essays now"),
        "{why}"
    );
    desk.writer
        .append_with_blob(b"More words.".to_vec(), saved());
    desk.write("Still");
    assert!(desk.writer.flush());
    assert!(desk.sim.list(Path::new("/rescued")).is_err());
    let away = Path::new("/away/sessions/essays").join(id().to_string());
    assert_eq!(
        titles(&read_at(&desk.sim, &away.with_extension("jsonl"))),
        ["Moved", "Still"]
    );
    let blob = away.join("blobs").join(sha256(b"More words."));
    assert!(desk.sim.bytes(&blob).is_some());

    desk.sim
        .rename(Path::new("/away"), Path::new(OURS))
        .unwrap();
    assert_eq!(desk.aside(), Written::Fine);
    desk.write("Back");
    let (_, store, told) = desk.end();
    let events_only = told.iter().all(|w| matches!(w, Written::Event(_)));
    assert!(events_only, "{told:?}");
    let events = is_whole(&store, &["Moved", "Still", "Back"]);
    assert_eq!(notes(&events), [""; 0]);
}

#[test]
fn an_older_copy_put_in_place_of_the_log_gives_way_to_it() {
    let desk = desk();
    let bytes = desk.bytes();
    desk.sim.put(&log(), &bytes[..bytes.len() / 2]);
    desk.write("After");
    assert!(desk.writer.flush());
    let (_, store, _) = desk.end();
    let events = is_whole(&store, &["After"]);
    let note = "The log was replaced by another file while it was written. It was put back whole, and goes on.";
    assert_eq!(notes(&events), [note]);
}

#[test]
fn another_log_put_in_place_of_ours_is_left_as_it_is() {
    let desk = desk();
    let other = [
        &desk.bytes()[..],
        b"{\"v\":1,\"seq\":9,\"ts\":1,\"kind\":\"archived\"}\n",
    ]
    .concat();
    desk.sim.put(&log(), &other);
    desk.write("Ours");
    let why = desk.trouble();
    assert!(
        why.contains("was replaced") && why.contains("left as it is"),
        "{why}"
    );
    desk.write("Ours too");
    assert!(desk.writer.flush());
    let (sim, _, told) = desk.end();
    assert!(told.iter().all(|w| matches!(w, Written::Event(_))));
    assert_eq!(sim.bytes(&log()).unwrap(), other);
    let events = read_at(&sim, &rescued(&format!("{}.jsonl", id())));
    assert_eq!(titles(&events), ["Ours", "Ours too"]);
}

#[test]
fn a_restored_log_that_another_process_has_opened_is_not_taken_from_it() {
    let desk = desk();
    let bytes = desk.bytes();
    desk.sim.remove(Path::new(OURS)).unwrap();
    desk.write("Ours");
    desk.trouble();
    let lock = restore(&desk.sim, &bytes);
    let other = store(&desk.sim).writer(id(), OnDamage::Refuse, deaf());
    assert!(other.is_err(), "it is held");
    desk.write("Still");
    assert!(desk.writer.flush());
    assert_eq!(desk.bytes(), bytes);
    // They have let go, and added nothing.
    drop(lock);
    assert_eq!(desk.aside(), Written::Fine);
    let (_, store, _) = desk.end();
    is_whole(&store, &["Ours", "Still"]);
}

/// Has a log come to our path while ours is on its way back to it.
fn comes_meanwhile(desk: &Desk, bytes: &[u8]) {
    let new = log().with_file_name(format!(".new-{}.back", id()));
    desk.sim.state().comes = Some((new, log(), bytes.to_vec()));
}

/// A log that came while ours was put back is as it came, and ours is whole where it was rescued.
fn both_are_whole(desk: Desk, came: &[u8]) {
    desk.write("Ours");
    let why = desk.trouble();
    assert!(desk.sim.state().comes.is_none(), "it came");
    assert!(desk.writer.flush());
    let (sim, _, told) = desk.end();
    assert!(told.iter().all(|w| !matches!(w, Written::Fine)), "{why}");
    assert_eq!(sim.bytes(&log()).unwrap(), came);
    let names = sim.list(log().parent().unwrap()).unwrap();
    assert!(!names.iter().any(|n| n.starts_with(".new-")), "{names:?}");
    let events = read_at(&sim, &rescued(&format!("{}.jsonl", id())));
    assert_eq!(titles(&events), ["Ours"]);
}

/// Our log, and more of it than we have.
fn longer(desk: &Desk) -> Vec<u8> {
    let more = b"{\"v\":1,\"seq\":9,\"ts\":1,\"kind\":\"archived\"}\n";
    [&desk.bytes()[..], more].concat()
}

#[test]
fn a_log_that_comes_where_none_was_while_ours_is_put_back_is_not_replaced() {
    let desk = desk();
    let came = longer(&desk);
    desk.sim.remove(&log()).unwrap();
    comes_meanwhile(&desk, &came);
    both_are_whole(desk, &came);
}

#[test]
fn a_log_that_comes_over_an_older_copy_while_ours_is_put_back_is_not_replaced() {
    let desk = desk();
    let (bytes, came) = (desk.bytes(), longer(&desk));
    desk.sim.put(&log(), &bytes[..bytes.len() / 2]);
    comes_meanwhile(&desk, &came);
    both_are_whole(desk, &came);
}

#[test]
fn the_start_of_ours_that_comes_while_it_is_put_back_gives_way_at_the_next_try() {
    let desk = desk();
    let bytes = desk.bytes();
    desk.sim.remove(&log()).unwrap();
    comes_meanwhile(&desk, &bytes[..bytes.len() / 2]);
    desk.write("Ours");
    desk.trouble();
    assert_eq!(desk.aside(), Written::Fine);
    let (_, store, _) = desk.end();
    is_whole(&store, &["Ours"]);
}

/// Puts a log where ours was, from a backup, its folder held by somebody else, all in one move: it
/// is looked for meanwhile.
fn restore(sim: &Sim, bytes: &[u8]) -> fascicle::log::disk::Lock {
    let to = |path: &Path| Path::new("/restored").join(path.strip_prefix(OURS).unwrap());
    let logs = log().parent().unwrap().to_owned();
    for dir in [Path::new(OURS), logs.parent().unwrap(), &logs] {
        sim.make_dir(&to(dir)).unwrap();
    }
    let folder = to(&log().with_extension(""));
    sim.make_dir(&folder).unwrap();
    sim.put(&to(&log()), bytes);
    let lock = sim.lock(&folder.join("lock"), "").unwrap();
    sim.rename(Path::new("/restored"), Path::new(OURS)).unwrap();
    lock
}

#[test]
fn a_log_cut_by_another_program_is_not_written_any_more() {
    let desk = desk();
    let bytes = desk.bytes();
    desk.sim.cut(&log(), bytes.len() - 20);
    desk.write("Cut");
    let why = desk.trouble();
    assert!(why.contains("was cut off by another program"), "{why}");
    let foreign = desk.bytes();
    desk.write("After");
    assert!(desk.writer.flush());
    let (sim, _, _) = desk.end();
    assert_eq!(sim.bytes(&log()).unwrap(), foreign);
    let other = Sim::new();
    make_dirs(&other);
    let path = rescued(&format!("{}.jsonl", id()));
    other.put(&log(), &sim.bytes(&path).unwrap());
    let (events, found) = read(&store(&other));
    assert_eq!(titles(&events), ["Cut", "After"]);
    assert_eq!(found.damage.len(), 1, "{found:?}");
    assert_eq!(found.missing, [(8, 8)]);
}

/// What is traced from here on, by any test.
fn trace() -> Arc<Mutex<Vec<u8>>> {
    struct Into(Arc<Mutex<Vec<u8>>>);
    impl std::io::Write for Into {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let traced = Arc::new(Mutex::new(Vec::new()));
    let into = Arc::clone(&traced);
    let to = tracing_subscriber::fmt().with_writer(move || Into(Arc::clone(&into)));
    tracing::subscriber::set_global_default(to.finish()).unwrap();
    traced
}

#[test]
fn what_keeps_a_log_from_its_place_is_traced_once_however_often_it_is_tried() {
    let traced = trace();
    let desk = desk();
    desk.sim.state().closed = log().parent().map(Path::to_owned);
    desk.sim.remove(&log()).unwrap();
    desk.write("Kept");
    desk.trouble();
    wait_until("it was tried again and again", || {
        desk.sim.state().refused > 5
    });
    desk.sim.state().closed = None;
    assert_eq!(desk.aside(), Written::Fine);
    let (_, store, _) = desk.end();
    is_whole(&store, &["Kept"]);
    let traced = String::from_utf8(traced.lock().unwrap().clone()).unwrap();
    let told =
        |line: &&str| line.contains("cannot be put back yet") && line.contains("os error 13");
    assert_eq!(traced.lines().filter(told).count(), 1, "{traced}");
}

#[test]
fn what_was_written_while_nothing_could_be_looked_at_is_rescued_from_a_cut() {
    let desk = desk();
    let seen = desk.bytes().len();
    desk.sim.state().silent = true;
    desk.write("Unseen");
    assert!(desk.writer.flush());
    let whole = desk.bytes();
    // Cut back to where it was last seen to be right, and then to be looked at, in one moment.
    let mut state = desk.sim.state();
    state.cut(&log(), seen);
    state.silent = false;
    drop(state);
    desk.write("After");
    assert!(desk.writer.flush());
    let (sim, ..) = desk.end();
    let path = rescued(&format!("{}.jsonl", id()));
    assert!(sim.bytes(&path).unwrap().len() > whole.len());
    let events = read_at(&sim, &path);
    assert_eq!(titles(&events), ["Unseen", "After"]);
}

#[test]
fn a_log_that_cannot_be_rescued_is_said_kept_and_put_back_all_the_same() {
    let desk = desk();
    desk.sim.put(Path::new("/rescued"), b"No folder.");
    desk.sim.remove(Path::new(OURS)).unwrap();
    desk.write("Kept");
    let why = desk.trouble();
    assert!(
        why.contains("It cannot be copied to /rescued either"),
        "{why}"
    );
    assert!(!desk.writer.flush(), "it ends with this process");
    make_dirs(&desk.sim);
    assert_eq!(desk.aside(), Written::Fine);
    let (_, store, _) = desk.end();
    is_whole(&store, &["Kept"]);
}

#[test]
fn what_waits_when_the_writer_ends_is_kept_elsewhere_and_the_log_left_as_it_is() {
    let desk = desk();
    desk.sim.state().sync_fails = true;
    assert!(!desk.writer.flush());
    desk.trouble();
    desk.sim.state().sync_fails = false;
    desk.write("Late");
    let before = desk.bytes();
    let (sim, store, told) = desk.end();
    assert_eq!(sim.bytes(&log()).unwrap(), before);
    assert_eq!(titles(&read(&store).0), [""; 0]);
    let path = rescued(&format!("{}.jsonl", id()));
    let told = told.iter().any(|w| match w {
        Written::Trouble(why) => why.contains(&path.display().to_string()),
        _ => false,
    });
    assert!(told);
    assert_eq!(titles(&read_at(&sim, &path)), ["Late"]);
}

#[test]
fn files_without_numbers_to_go_by_are_left_alone() {
    let sim = Sim::new();
    sim.state().unsteady = true;
    let store = store(&sim);
    let (writer, told) = begun(&store);
    writer.append(turn(1));
    assert!(writer.flush());
    drop(writer);
    assert!(told.try_iter().all(|w| matches!(w, Written::Event(_))));
    assert!(sim.list(Path::new("/rescued")).is_err());
}

#[test]
fn a_line_costs_no_look_at_the_disk() {
    let sim = Sim::new();
    let mut means = means(std::sync::Arc::new(sim.clone()));
    means.sync = PATIENCE;
    let store = Store::with(Path::new("/w"), Path::new("/cache"), means).unwrap();
    let writer = store
        .create(id(), &essays(), vec![created()], &[], deaf())
        .unwrap();
    writer.append(vec![prompt(1), started(1)]);
    assert!(writer.flush());
    let before = sim.state().looks;
    writer.append((0..10_000).map(|_| delta(1, "word ")).collect());
    assert!(writer.flush());
    let looks = sim.state().looks - before;
    assert!(looks < 20, "{looks}");
}

/// What a crash may leave of a log and of its rescue, and what the next to open makes of it.
fn nothing_half(after: &Sim, old: Option<&[u8]>, whole: &[u8], crashed: &str) {
    let path = rescued(&format!("{}.jsonl", id()));
    let begins = |bytes: &[u8]| bytes.starts_with(whole);
    for step in ["left", "opened"] {
        let (home, safe) = (after.bytes(&log()), after.bytes(&path));
        let is_old = home.as_deref() == old;
        let at_home = home.as_deref().is_some_and(begins);
        assert!(is_old || at_home, "{step} at {crashed}");
        assert!(safe.as_deref().is_none_or(begins), "{step} at {crashed}");
        drop(store(after));
    }
    if after.bytes(&log()).is_some_and(|home| begins(&home)) {
        assert_eq!(store(after).verify(None).unwrap().blobs, [], "{crashed}");
    }
}

/// Everything after which a disk may fail, and how many bytes of it are done.
fn points(sim: &Sim) -> Vec<(u64, usize)> {
    let ops = sim.state().ops;
    (0..ops)
        .flat_map(|op| [0, 7, 300].map(|bytes| (op, bytes)))
        .collect()
}

#[test]
fn a_crash_while_a_deleted_log_is_put_back_leaves_none_or_all_of_it() {
    let run = |crash: Option<(u64, usize)>| {
        let desk = desk();
        let whole = desk.bytes();
        desk.sim.remove(&log()).unwrap();
        desk.sim.state().ops = 0;
        desk.sim.state().crash = crash;
        desk.writer.flush();
        (desk.end().0, whole)
    };
    for point in points(&run(None).0) {
        let (sim, whole) = run(Some(point));
        for after in [sim.fork(), sim.lose_power(0, false)] {
            // The removal was never synced: after a power cut the log may be there as it was.
            let old = after.bytes(&log()).filter(|home| *home == whole);
            nothing_half(&after, old.as_deref(), &whole, &format!("{point:?}"));
        }
    }
}

#[test]
fn a_crash_while_an_older_copy_gives_way_leaves_the_one_or_the_other() {
    let run = |crash: Option<(u64, usize)>| {
        let desk = desk();
        let whole = desk.bytes();
        let old = whole[..whole.len() / 2].to_vec();
        desk.sim.remove(Path::new(OURS)).unwrap();
        desk.writer.flush();
        let path = rescued(&format!("{}.jsonl", id()));
        assert!(desk.sim.bytes(&path).is_some());
        let lock = restore(&desk.sim, &old);
        desk.sim.state().ops = 0;
        desk.sim.state().crash = crash;
        drop(lock);
        desk.writer.flush();
        (desk.end().0, old, whole)
    };
    for point in points(&run(None).0) {
        let (sim, old, whole) = run(Some(point));
        let after = sim.fork();
        let safe = rescued(&format!("{}.jsonl", id()));
        let kept = [log(), safe].iter().any(|path| {
            let bytes = after.bytes(path);
            bytes.is_some_and(|bytes| bytes.starts_with(&whole))
        });
        assert!(kept, "lost at {point:?}");
        nothing_half(&after, Some(&old), &whole, &format!("{point:?}"));
    }
}

#[test]
fn a_disk_that_fills_up_while_a_log_is_put_back_loses_nothing() {
    let len = desk().bytes().len();
    for room in (0..3 * len as u64).step_by(61) {
        let desk = desk();
        desk.sim.remove(&log()).unwrap();
        desk.sim.state().room = Some(room);
        desk.write("After");
        desk.writer.flush();
        desk.sim.state().room = None;
        wait_until("it is back", || {
            desk.writer.flush() && desk.sim.bytes(&log()).is_some()
        });
        let (sim, store, _) = desk.end();
        let events = is_whole(&store, &["After"]);
        assert_eq!(notes(&events).len(), 1, "at {room}");
        assert_eq!(sim.list(Path::new("/rescued")).unwrap_or_default(), [""; 0]);
    }
}

#[test]
fn a_real_workspace_is_moved_back_and_deleted_under_its_writer() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("workspace");
    std::fs::create_dir(&root).unwrap();
    let real = Store::open(&root, &dir.path().join("cache")).unwrap();
    let real = real.rescue_to(&dir.path().join("rescued"));
    let (writer, told) = begun(&real);
    writer.append(turn(1));
    assert!(writer.flush());
    let next = || loop {
        match told.recv_timeout(PATIENCE).unwrap() {
            Written::Event(_) => {}
            other => return other,
        }
    };

    let away = dir.path().join("away");
    std::fs::rename(&root, &away).unwrap();
    writer.append_with_blob(DRAFT.to_vec(), saved());
    assert!(matches!(next(), Written::Trouble(_)));
    // Where the system does not say where a file is, it is copied and put back.
    std::fs::rename(&away, &root).unwrap();
    assert_eq!(next(), Written::Fine);
    assert!(writer.flush());
    assert_eq!(real.blob_get(id(), &sha256(DRAFT)).unwrap(), DRAFT);
    let whole = std::fs::read(log_in(&root)).unwrap();

    std::fs::remove_dir_all(&root).unwrap();
    writer.append(vec![Kind::Archived]);
    drop(writer);
    let rescued = dir.path().join(format!("rescued/{}.jsonl", id()));
    let Written::Trouble(why) = next() else {
        panic!("it was not said");
    };
    assert!(why.contains(&rescued.display().to_string()), "{why}");
    let kept = std::fs::read(rescued).unwrap();
    assert!(kept.starts_with(&whole) && kept.len() > whole.len());
    assert!(!root.exists(), "nothing is made anew");
}

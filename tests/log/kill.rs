//! The real disk of this machine: killed writers, files that may not grow, a device that is full,
//! and who holds the lock.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use fascicle::domain::event::{Event, Kind, Seq};
use fascicle::log::disk::{Disk, DiskFile, Lock, Open, Stat};
use fascicle::log::{LogError, Means, OnDamage, Store, Written};

use super::desk::*;

/// About how many bytes such a process writes.
const ALL: usize = 8 << 20;
/// Names the workspace to the process that this one starts to write in it.
const WORKSPACE: &str = "FASCICLE_TEST_WORKSPACE";
/// And how many bytes each of its lines has.
const LINE: &str = "FASCICLE_TEST_LINE";

fn open(dir: &Path) -> Store {
    Store::open(dir, &dir.join("cache")).unwrap()
}

fn line_of(bytes: usize) -> Kind {
    // A path: of all that a line holds beside its text, nothing else may be as long.
    Kind::Moved {
        collection: essays(),
        folder: "x".repeat(bytes),
        was: None,
        undoes: None,
    }
}

/// Not a test of this process: what the others run in a process of its own. Says which event is
/// in the log, and writes until it is killed.
#[test]
fn writes_until_it_is_killed() {
    let (Ok(dir), Ok(len)) = (std::env::var(WORKSPACE), std::env::var(LINE)) else {
        return;
    };
    let mut out = std::io::stdout();
    let sink = Box::new(move |written| {
        let said = match written {
            Written::Event(event) => format!("\nack {}\n", event.seq),
            Written::Trouble(why) => format!("\ntrouble {why}\n"),
            Written::Fine => "\nfine\n".to_owned(),
            Written::Reached(_) => return,
        };
        if out
            .write_all(said.as_bytes())
            .and_then(|()| out.flush())
            .is_err()
        {
            std::process::exit(1);
        }
    });
    let store = open(Path::new(&dir));
    let (writer, _) = store.writer(id(), OnDamage::Refuse, sink).unwrap();
    let len: usize = len.parse().unwrap();
    // Without pauses, so that a kill falls into a write; not for ever, so that the log stays small.
    for _ in 0..(ALL / len) {
        writer.append(vec![line_of(len)]);
        wait_until("the disk takes it", || writer.pending_bytes() < 4 << 20);
    }
    loop {
        std::thread::park();
    }
}

fn writer_process(shell: &str, dir: &Path, line: usize) -> Child {
    let me = std::env::current_exe().unwrap();
    Command::new("sh")
        .args(["-c", &format!("{shell} exec \"$0\" \"$@\"")])
        .arg(me)
        .args(["--exact", "kill::writes_until_it_is_killed", "--nocapture"])
        .env(WORKSPACE, dir)
        .env(LINE, line.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn make(dir: &Path) -> Store {
    let store = open(dir);
    drop(
        store
            .create(id(), &essays(), vec![created()], &[], deaf())
            .unwrap(),
    );
    store
}

/// The last number that was said to be in the log, in all that was said.
fn last_ack(said: &str) -> Option<Seq> {
    let mut acks = said
        .lines()
        .filter_map(|l| l.strip_prefix("ack ")?.parse().ok());
    acks.next_back()
}

/// Kills a writer `runs` times, each time after a few more lines.
fn kill_loop(line: usize, runs: usize) {
    let dir = tempfile::tempdir().unwrap();
    let store = make(dir.path());
    for run in 0..runs {
        let mut child = writer_process("", dir.path(), line);
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut said = String::new();
        while said.matches("ack ").count() < 2 + run % 7 {
            assert!(out.read_line(&mut said).unwrap() > 0, "ended early: {said}");
        }
        child.kill().unwrap();
        child.wait().unwrap();
        out.read_to_string(&mut said).unwrap();
        let acked = last_ack(&said).unwrap();

        let events: Vec<Event> = store.whole(id()).unwrap().map(Result::unwrap).collect();
        assert!(is_counted(&events));
        let last = events.last().unwrap().seq;
        // The sink is told after the write, so one event may be in the log and not yet told.
        assert!(
            last == acked || last == acked + 1,
            "{acked} told, {last} found"
        );
        let whole =
            |e: &Event| !matches!(&e.kind, Kind::Moved { folder, .. } if folder.len() != line);
        assert!(events.iter().all(whole));

        drop(store.writer(id(), OnDamage::Refuse, deaf()).unwrap());
        let (sealed, left) = read(&store);
        assert!(is_counted(&sealed) && left.is_empty(), "{left:?}");
        if line > 100_000 {
            // Large lines add up: a new log when it has become long.
            let log = log_in(dir.path());
            if std::fs::metadata(&log).unwrap().len() > 2 << 20 {
                store.trash(id()).unwrap();
                std::fs::remove_dir_all(dir.path().join(".fascicle")).unwrap();
                make(dir.path());
            }
        }
    }
}

#[test]
fn a_writer_killed_amid_short_lines_loses_nothing_it_told() {
    kill_loop(65, 20);
}

#[test]
fn a_writer_killed_amid_lines_of_20_kb_loses_nothing_it_told() {
    kill_loop(20_000, 20);
}

#[test]
fn a_writer_killed_amid_lines_of_1_mb_loses_nothing_it_told() {
    kill_loop(1_000_000, 20);
}

#[test]
fn a_file_that_may_not_grow_keeps_what_was_told_and_goes_on_when_it_may() {
    let dir = tempfile::tempdir().unwrap();
    let store = make(dir.path());
    // 8 blocks of 512 bytes, or of 1024 in some shells. The signal is ignored, so write() says EFBIG.
    let mut child = writer_process("trap '' XFSZ; ulimit -f 8;", dir.path(), 65);
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut said = String::new();
    while !said.contains("trouble ") {
        assert!(out.read_line(&mut said).unwrap() > 0, "ended early: {said}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let acked = last_ack(&said).unwrap();
    let len = std::fs::metadata(log_in(dir.path())).unwrap().len();
    assert!(len == 4096 || len == 8192, "{len}");

    let (found, left) = read(&store);
    assert_eq!(found.last().unwrap().seq, acked);
    assert!(left.damage.len() <= 1);
    let (writer, _) = store.writer(id(), OnDamage::Refuse, deaf()).unwrap();
    writer.append(turn(1));
    assert!(writer.flush());
    let (found, left) = read(&store);
    assert!(is_counted(&found) && left.is_empty());
    assert_eq!(deeds(&found)[deeds(&found).len() - 6..].len(), 6);
}

/// The real disk, but what is appended goes to a device that is always full.
struct Full(Arc<dyn Disk>);

struct FullFile(Arc<dyn DiskFile>);

impl Disk for Full {
    fn open(&self, path: &Path, how: Open) -> std::io::Result<Arc<dyn DiskFile>> {
        let file = self.0.open(path, how)?;
        Ok(if how == Open::Append {
            Arc::new(FullFile(file))
        } else {
            file
        })
    }
    fn stat(&self, path: &Path) -> std::io::Result<Stat> {
        self.0.stat(path)
    }
    fn list(&self, dir: &Path) -> std::io::Result<Vec<String>> {
        self.0.list(dir)
    }
    fn make_dir(&self, dir: &Path) -> std::io::Result<()> {
        self.0.make_dir(dir)
    }
    fn rename(&self, from: &Path, to: &Path) -> std::io::Result<()> {
        self.0.rename(from, to)
    }
    fn rename_new(&self, from: &Path, to: &Path) -> std::io::Result<()> {
        self.0.rename_new(from, to)
    }
    fn link(&self, from: &Path, to: &Path) -> std::io::Result<()> {
        self.0.link(from, to)
    }
    fn remove(&self, path: &Path) -> std::io::Result<()> {
        self.0.remove(path)
    }
    fn sync_dir(&self, dir: &Path) -> std::io::Result<()> {
        self.0.sync_dir(dir)
    }
    fn lock(&self, path: &Path, holder: &str) -> std::io::Result<Lock> {
        self.0.lock(path, holder)
    }
}

impl DiskFile for FullFile {
    fn append(&self, bytes: &[u8]) -> std::io::Result<usize> {
        std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")?
            .write(bytes)
    }
    fn read_at(&self, at: u64, into: &mut [u8]) -> std::io::Result<usize> {
        self.0.read_at(at, into)
    }
    fn sync(&self) -> std::io::Result<()> {
        self.0.sync()
    }
    fn stat(&self) -> std::io::Result<Stat> {
        self.0.stat()
    }
}

#[test]
fn a_full_device_is_said_once_nothing_is_shown_and_at_the_end_it_is_kept_elsewhere() {
    let dir = tempfile::tempdir().unwrap();
    let store = make(dir.path());
    let before = read(&store);
    let full = Full(Means::default().disk);
    let store = Store::with(dir.path(), &dir.path().join("cache"), means(Arc::new(full)));
    let store = store.unwrap().rescue_to(&dir.path().join("rescued"));
    let (sink, told) = listen();
    let (writer, _) = store.writer(id(), OnDamage::Refuse, sink).unwrap();
    writer.append(turn(1));
    assert!(!writer.flush());
    assert!(writer.pending_bytes() > 0);
    let said: Vec<Written> = told.try_iter().collect();
    assert!(
        matches!(&said[..], [Written::Trouble(why)] if why.contains("No space left")),
        "{said:?}"
    );
    drop(writer);
    assert_eq!(read(&store), before);
    let rescued = dir.path().join(format!("rescued/{}.jsonl", id()));
    let Ok(Written::Trouble(why)) = told.try_recv() else {
        panic!("it was not said");
    };
    assert!(why.contains(&rescued.display().to_string()), "{why}");
    let ends = std::fs::read_to_string(rescued).unwrap();
    assert!(ends.contains("make it plainer"), "{ends}");
}

#[test]
fn the_second_to_open_is_told_who_holds_it_and_a_kill_frees_it_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let store = make(dir.path());
    let mut child = writer_process("", dir.path(), 65);
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut said = String::new();
    while !said.contains("ack ") {
        assert!(out.read_line(&mut said).unwrap() > 0, "ended early: {said}");
    }
    let refused = store.writer(id(), OnDamage::Refuse, deaf());
    let held = refused.err().map(|e| e.to_string()).unwrap();
    assert!(held.contains(&format!("process {}", child.id())), "{held}");
    assert!(
        !store.tail(id(), 1000).unwrap().events.is_empty(),
        "reading is not hindered"
    );
    assert!(matches!(store.trash(id()), Err(LogError::Held { .. })));
    child.kill().unwrap();
    child.wait().unwrap();
    let (writer, _) = store.writer(id(), OnDamage::Refuse, deaf()).unwrap();
    let again = store.writer(id(), OnDamage::Refuse, deaf());
    assert!(matches!(again, Err(LogError::Held { holder, .. }) if holder.contains("this process")));
    drop(writer);
    store.writer(id(), OnDamage::Refuse, deaf()).unwrap();
}

#[test]
fn a_child_of_the_writer_does_not_keep_its_lock() {
    let dir = tempfile::tempdir().unwrap();
    let store = make(dir.path());
    let (writer, _) = store.writer(id(), OnDamage::Refuse, deaf()).unwrap();
    let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
    drop(writer);
    assert!(store.writer(id(), OnDamage::Refuse, deaf()).is_ok());
    drop(child.stdin.take());
    child.wait().unwrap();
}

#[cfg(unix)]
#[test]
fn folders_and_files_are_the_writers_alone() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let store = make(dir.path());
    let (writer, _) = store.writer(id(), OnDamage::Refuse, deaf()).unwrap();
    let text = "A text that becomes a file of its own.".repeat(2_000);
    writer.append(vec![Kind::Message {
        turn: 1,
        block: 0,
        text: text.into(),
    }]);
    assert!(writer.flush());
    drop(writer);
    store
        .keep_unsent(Some(id()), &"w1".parse().unwrap(), "un")
        .unwrap();
    let mut left = vec![dir.path().join(".fascicle")];
    let mut seen = 0;
    while let Some(path) = left.pop() {
        let meta = std::fs::metadata(&path).unwrap();
        let want = if meta.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(
            meta.permissions().mode() & 0o777,
            want,
            "{}",
            path.display()
        );
        if meta.is_dir() {
            left.extend(std::fs::read_dir(&path).unwrap().map(|e| e.unwrap().path()));
        }
        seen += 1;
    }
    assert!(seen >= 9, "{seen}");
}

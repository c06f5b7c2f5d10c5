//! What looking for a word in everything costs, in time and in processor time of this process: the logs are read, and
//! what they say is decoded.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fascicle::domain::SessionId;
use fascicle::log::Store;
use fascicle::log::search::Search;
use fascicle::text::find::Query;

use crate::book::{Book, Figure};
use crate::made;
use crate::stage::cpu_of;

/// Sessions, and turns of each: a gigabyte in all.
const SESSIONS: usize = 100;
const TURNS: u32 = 42;
const OF_A_TURN: u64 = 3_000;
/// Every so many sessions the word stands in one turn.
const EVERY: usize = 5;
/// A moment of the host, and the places it tells at once.
const MOMENT: Duration = Duration::from_millis(100);
const HITS: usize = 200;
/// What is looked for; it stands on two pieces.
const WORD: &str = "lighthouse";
/// Words of answers, as letters fall in English.
const WORDS: [&str; 16] = [
    "the ",
    "morning ",
    "light ",
    "came ",
    "over ",
    "houses ",
    "and ",
    "she ",
    "wrote ",
    "until ",
    "noon ",
    "then ",
    "lit ",
    "a ",
    "lamp.\n",
    "“No,” ",
];

pub fn measure(book: &mut Book) {
    let dir = tempfile::tempdir().unwrap();
    let bytes = logs(dir.path());
    let store = Store::open(dir.path(), &dir.path().join("cache")).unwrap();
    let listed = store.heads().len();
    assert_eq!(listed, SESSIONS);
    // Known before, as in a window that stands open; each figure is the better one of two, the system's cache warm.
    let (first, all, cpu) = (0..2)
        .map(|_| search(&store))
        .reduce(|a, b| (a.0.min(b.0), a.1.min(b.1), a.2.min(b.2)))
        .unwrap();
    let size = bytes as f64 / 1e9;
    book.mark(
        format!("a word in {size:.2} GB of logs: the first place, and all of them"),
        "–",
        vec![
            Figure::of(first * 1e3, 200.0, "ms"),
            Figure::of(all / size, 1.5, "s per GB"),
        ],
    );
    book.note(format!(
        "Search: {SESSIONS} sessions, {} pieces of answers, no index; {:.2} CPU-s per GB.",
        SESSIONS as u64 * u64::from(TURNS) * OF_A_TURN,
        cpu / size
    ));
}

/// Seconds to the first place and to the end, and processor time; moment by moment, as a window has it done.
fn search(store: &Store) -> (f64, f64, f64) {
    let query = Query::of(WORD).unwrap();
    let (begun, cpu) = (Instant::now(), cpu_of(std::process::id()));
    let (mut first, mut found, mut from) = (None, 0, None);
    loop {
        let (moment, count) = (Instant::now(), AtomicUsize::new(0));
        from = store.search(
            from,
            Search {
                query: &query,
                collection: None,
                found: &mut |_| {
                    count.fetch_add(1, Ordering::Relaxed);
                },
                enough: &|| moment.elapsed() > MOMENT || count.load(Ordering::Relaxed) >= HITS,
            },
        );
        found += count.into_inner();
        if found > 0 {
            first.get_or_insert_with(|| begun.elapsed());
        }
        if from.is_none() {
            break;
        }
    }
    let all = begun.elapsed().as_secs_f64();
    assert_eq!(found, SESSIONS / EVERY);
    let cpu = cpu_of(std::process::id()) - cpu;
    (first.unwrap().as_secs_f64(), all, cpu)
}

/// Writes one log as a host does and the others as copies of it; bytes of all of them.
fn logs(dir: &Path) -> u64 {
    let id = SessionId::new(uuid::Uuid::now_v7());
    {
        let store = Store::open(dir, &dir.join("made")).unwrap();
        write(&store, id);
    }
    let logs = dir.join(".fascicle/sessions/inbox");
    let path = logs.join(format!("{id}.jsonl"));
    let log = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    // A copy without the word has another of as many letters.
    let (id, mut bytes) = (id.to_string(), 0);
    for n in 0..SESSIONS {
        let mut copy = log.replace(&id, &uuid::Uuid::now_v7().to_string());
        if n % EVERY != EVERY - 1 {
            copy = copy.replace("house\"}", "heart\"}");
        }
        let name = copy.split('"').find(|part| part.len() == 36).unwrap();
        let path = logs.join(format!("{name}.jsonl"));
        std::fs::write(path, &copy).unwrap();
        bytes += copy.len() as u64;
    }
    bytes
}

fn write(store: &Store, id: SessionId) {
    let writer = made::session(store, id);
    for turn in 1..=TURNS {
        // Another word at each place, and the same ones in every run.
        let words = (0..OF_A_TURN).map(|i| WORDS[(i * i + u64::from(turn)) as usize % WORDS.len()]);
        let here = (turn == TURNS / 2).then_some(["the light", "house"]);
        let said = words.chain(here.into_iter().flatten());
        let said = said.map(|text| made::delta(turn, text));
        let (begin, end) = (made::prompt(turn), made::finished(turn));
        writer.append([begin].into_iter().chain(said).chain([end]).collect());
    }
    assert!(writer.flush());
}

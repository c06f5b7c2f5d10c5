//! Eight sessions, what their agents write, and whether all of it is in their logs.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use memchr::memmem;
use serde_json::{Value, json};

use crate::desk::Desk;

/// Sessions: the first four write one turn as long as the run, the others a turn a minute.
pub const NAMES: [&str; 8] = [
    "Alder", "Birch", "Cedar", "Dogwood", "Fir", "Gorse", "Hazel", "Juniper",
];
/// Those with one turn.
const LONG: usize = 4;
/// Deltas a second and session.
const RATE: f64 = 200.0;
/// A turn is these parts, again and again: deltas, and milliseconds between two. The clock of the agent counts whole
/// milliseconds and is a good one late: only the two together come near that rate.
const PARTS: [(u64, u64); 2] = [(500, 3), (1000, 4)];

/// One session's log, as far as it was looked at.
struct Stream {
    name: &'static str,
    id: String,
    log: PathBuf,
    /// Turns, and how often each goes through the parts.
    turns: u64,
    rounds: u64,
    read: u64,
    deltas: u64,
    ends: u64,
}

/// All sessions.
pub struct Streams(Vec<Stream>);

impl Streams {
    /// Makes the sessions and their agents.
    pub fn on(desk: &Desk, minutes: f64) -> Self {
        let once: u64 = PARTS.iter().map(|(n, _)| n).sum();
        let all = (minutes * 60.0 * RATE) as u64 / once;
        let turns = minutes.round().max(1.0) as u64;
        let plans = [("long", 1, all), ("short", turns, all / turns)];
        let mut config =
            String::from("default_agent = \"long\"\nturns_at_once = 8\nhost_stays = 3\n");
        for (name, _, rounds) in plans {
            let script = desk.dir().join(format!("{name}.json"));
            fs::write(&script, numbered(rounds).to_string()).unwrap();
            let _ = write!(
                config,
                "[agents.{name}]\nkind = \"scripted\"\ncommand = {script:?}\n"
            );
        }
        desk.config(&config);
        let make = |(i, name): (usize, &'static str)| {
            let (agent, turns, rounds) = plans[usize::from(i >= LONG)];
            let id = desk.ok(&["new", name, "--agent", agent]);
            Stream {
                name,
                log: log(desk, &id),
                id,
                turns,
                rounds,
                read: 0,
                deltas: 0,
                ends: 0,
            }
        };
        Self(NAMES.into_iter().enumerate().map(make).collect())
    }

    /// Sends every prompt; the host sees to it that each waits for the one before.
    pub fn begin(&self, desk: &Desk) {
        for stream in &self.0 {
            for turn in 1..=stream.turns {
                desk.ok(&["send", &stream.id, &format!("Count, {turn}.")]);
            }
        }
    }

    /// Where the log of the session is that others look into.
    pub fn log_of(&self, name: &str) -> PathBuf {
        self.named(name).log.clone()
    }

    /// Reads what the logs have got since.
    pub fn advance(&mut self) {
        self.0.iter_mut().for_each(Stream::advance);
    }

    pub fn deltas(&self) -> u64 {
        self.0.iter().map(|s| s.deltas).sum()
    }

    pub fn all_ended(&self) -> bool {
        self.0.iter().all(Stream::ended)
    }

    pub fn any_ended(&self) -> bool {
        self.0.iter().any(Stream::ended)
    }

    /// The last that a session's agent writes.
    pub fn last_word(&self, name: &str) -> String {
        words(self.named(name).rounds).last().unwrap()
    }

    /// Every number of every turn once, in order, in logs without damage; how many these are.
    pub fn check(&self, desk: &Desk) -> u64 {
        let found = desk.json(&["verify", "--json"]);
        assert_eq!(found["damaged"], json!([]), "{found}");
        assert_eq!(found["gaps"], json!([]), "{found}");
        self.0.iter().map(Stream::check).sum()
    }

    fn named(&self, name: &str) -> &Stream {
        self.0.iter().find(|s| s.name == name).unwrap()
    }
}

impl Stream {
    fn ended(&self) -> bool {
        self.ends == self.turns
    }

    fn advance(&mut self) {
        let mut new = Vec::new();
        let mut file = File::open(&self.log).unwrap();
        file.seek(SeekFrom::Start(self.read)).unwrap();
        file.read_to_end(&mut new).unwrap();
        // A line without its end is still being written.
        let whole = memchr::memrchr(b'\n', &new).map_or(0, |at| at + 1);
        self.read += whole as u64;
        let count = |what: &[u8]| memmem::find_iter(&new[..whole], what).count() as u64;
        self.deltas += count(br#""kind":"delta""#);
        self.ends += count(br#""kind":"turn.finished""#);
    }

    fn check(&self) -> u64 {
        let text = fs::read_to_string(&self.log).unwrap();
        let (mut turn, mut deltas, mut wanted) = (1, 0, words(self.rounds));
        for (seq, line) in text.lines().enumerate() {
            let event: Value = serde_json::from_str(line).unwrap();
            let name = self.name;
            assert_eq!(event["seq"], seq, "{name}: {event}");
            match event["kind"].as_str().unwrap() {
                "delta" => {
                    assert_eq!(event["turn"], turn, "{name}: {event}");
                    let word = wanted.next().map(|w| w + " ");
                    assert_eq!(event["text"].as_str(), word.as_deref(), "{name}: {event}");
                    deltas += 1;
                }
                "turn.finished" => {
                    assert_eq!(event["status"], "ok", "{name}: {event}");
                    assert_eq!(wanted.next(), None, "{name}: {event}");
                    turn += 1;
                    wanted = words(self.rounds);
                }
                _ => {}
            }
        }
        assert_eq!(turn, self.turns + 1, "{}", self.name);
        deltas
    }
}

/// Where a session's log lies.
fn log(desk: &Desk, id: &str) -> PathBuf {
    let logs = desk.workspace().join(".fascicle/sessions/inbox");
    logs.join(format!("{id}.jsonl"))
}

/// The newest word in a log, as part and number; none before the first.
pub fn newest(log: &Path) -> Option<(u64, u64)> {
    let mut file = File::open(log).unwrap();
    let end = file.metadata().unwrap().len();
    file.seek(SeekFrom::Start(end.saturating_sub(4096)))
        .unwrap();
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).unwrap();
    numbers(&String::from_utf8_lossy(&bytes)).last()
}

/// The words in a text, as part and number, in its order.
pub fn numbers(text: &str) -> impl Iterator<Item = (u64, u64)> + '_ {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter_map(|w| {
        let (part, number) = w.strip_prefix("part")?.split_once('n')?;
        Some((part.parse().ok()?, number.parse().ok()?))
    })
}

/// The parts of a turn: number of the part, deltas, milliseconds between two.
fn parts(rounds: u64) -> impl Iterator<Item = (u64, u64, u64)> {
    let all = (0..rounds).flat_map(|_| PARTS);
    (1..).zip(all).map(|(part, (n, ms))| (part, n, ms))
}

/// Everything that the agent writes in a turn, in order.
fn words(rounds: u64) -> impl Iterator<Item = String> {
    parts(rounds).flat_map(|(part, n, _)| (1..=n).map(move |i| format!("part{part}n{i}")))
}

/// The same as a stream to play.
fn numbered(rounds: u64) -> Value {
    let steps = parts(rounds).map(|(part, n, ms)| {
        let delta = json!({"delta": {"block": 0, "text": format!("part{part}n{{i}} ")}});
        json!({"each": {"n": n, "ms": ms, "step": delta}})
    });
    json!({"steps": steps.collect::<Vec<_>>()})
}

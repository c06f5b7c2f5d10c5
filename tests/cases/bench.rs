//! A desk with a session as a case left it, and an agent that plays a stream.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Output};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::desk::Desk;

/// How long something that must happen is waited for: machines are shared and slow at times.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// What the agent of a case without a stream of its own answers.
pub const REPLY: &str = "Understood.";
/// The title of every session found.
pub const TITLE: &str = "Harbour essay";

/// An input of a case.
pub fn input(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/cases")
        .join(name)
}

/// The program that plays a stream in place of an agent.
pub fn fake_agent() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let path = test.ancestors().nth(2).unwrap().join("examples/fake_agent");
    assert!(
        path.is_file(),
        "build it first: cargo build --example fake_agent"
    );
    path
}

/// The configuration of agents that play a stream each; the first is the default.
pub fn playing(agents: &[(&str, &Path)]) -> String {
    let program = fake_agent();
    let tables = agents.iter().map(|(name, scenario)| {
        format!(
            "[agents.{name}]\nkind = \"claude\"\ncommand = {program:?}\nargs = [\"--scenario\", {scenario:?}]\n\
             env = [\"FAKE_AGENT_LOG\"]\n"
        )
    });
    let tables: String = tables.collect();
    // The host ends with the command that needed it: each begins with a cold agent.
    format!(
        "default_agent = \"{}\"\nhost_stays = 0\n{tables}",
        agents[0].0
    )
}

/// A piece of a reply, as the program sends it.
pub fn delta(text: &str) -> Value {
    let delta = json!({"type": "text_delta", "text": text});
    json!({"json": {"type": "stream_event", "event": {"type": "content_block_delta", "index": 0, "delta": delta}}})
}

/// The end of a reply, as the program sends it.
pub fn result() -> Value {
    json!({"json": {"type": "result", "subtype": "success", "is_error": false, "result": "done", "total_cost_usd": 0.01}})
}

/// A desk, its agents, and what they were sent.
pub struct Bench {
    pub desk: Desk,
    heard: PathBuf,
}

impl Bench {
    /// With agents that play these streams.
    pub fn playing(agents: &[(&str, &Path)]) -> Self {
        let desk = Desk::with(&playing(agents));
        let heard = desk.dir().join("heard");
        desk.set("FAKE_AGENT_LOG", heard.to_str().unwrap());
        Self { desk, heard }
    }

    /// With an agent that answers in a word.
    pub fn new() -> Self {
        let mut bench = Self::playing(&[("claude", Path::new("-"))]);
        bench.play(&json!({"turns": [[delta(REPLY), result()]]}));
        bench
    }

    /// Gives the agent another stream.
    pub fn play(&mut self, scenario: &Value) {
        let path = self.desk.dir().join("scenario.json");
        std::fs::write(&path, scenario.to_string()).unwrap();
        self.desk.config(&playing(&[("claude", &path)]));
    }

    /// Makes a session; its id.
    pub fn session(&self, title: &str, agent: &str) -> String {
        self.desk.ok(&["new", title, "--agent", agent])
    }

    /// Sends a prompt and waits for the end of its turn.
    pub fn send(&self, id: &str, text: &str) -> Output {
        self.desk.run(&["send", id, text, "--wait"])
    }

    /// What the agents were given and sent, of one kind: `start`, `stdin`, `exit`.
    pub fn heard(&self, kind: &str) -> Vec<Value> {
        let text = std::fs::read(&self.heard).unwrap_or_default();
        // A line without its end is still being written.
        let whole = text
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |at| at + 1);
        let all = std::str::from_utf8(&text[..whole])
            .unwrap()
            .lines()
            .map(|l| serde_json::from_str::<Value>(l).unwrap());
        all.filter(|l| l["kind"] == kind)
            .map(|l| l["value"].clone())
            .collect()
    }

    /// The prompts that the agents got.
    pub fn prompts(&self) -> Vec<String> {
        let lines = self.heard("stdin");
        let lines = lines.iter().filter_map(Value::as_str);
        let lines = lines.map(|l| serde_json::from_str::<Value>(l).unwrap());
        let users = lines.filter(|l| l["type"] == "user");
        users.map(|l| words(&l["message"]["content"])).collect()
    }

    /// The agent's own id of the conversation that it was told to take up last.
    pub fn resumed(&self) -> String {
        let start = self.heard("start").pop().unwrap();
        let argv = start["argv"].as_array().unwrap();
        let at = argv.iter().position(|a| a == "--resume").unwrap();
        argv[at + 1].as_str().unwrap().to_owned()
    }

    /// The folder that the agent was started in last.
    pub fn agent_folder(&self) -> PathBuf {
        let start = self.heard("start").pop().unwrap();
        start["cwd"].as_str().unwrap().into()
    }

    /// Where the agent's own record of a conversation lies.
    pub fn record(&self, agent_session: &str) -> PathBuf {
        let projects = self.desk.home().join(".claude/projects");
        let keys = std::fs::read_dir(projects)
            .unwrap()
            .map(|e| e.unwrap().path());
        let name = format!("{agent_session}.jsonl");
        keys.map(|k| k.join(&name)).find(|p| p.is_file()).unwrap()
    }

    /// Who said what in the record that the agent was told to take up last.
    pub fn history(&self) -> Vec<(String, String)> {
        let text = std::fs::read_to_string(self.record(&self.resumed())).unwrap();
        let entries = text
            .lines()
            .map(|l| serde_json::from_str::<Value>(l).unwrap());
        let spoken = entries.filter(|e| e["message"].is_object());
        let said = spoken.map(|e| {
            let who = e["type"].as_str().unwrap().to_owned();
            (who, words(&e["message"]["content"]))
        });
        said.collect()
    }
}

fn words(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        blocks => {
            let texts = blocks.as_array().unwrap().iter();
            texts.filter_map(|b| b["text"].as_str()).collect()
        }
    }
}

/// A session whose log was there before the program.
pub struct Found {
    pub bench: Bench,
    pub id: String,
    pub log: PathBuf,
    pub before: Vec<u8>,
}

impl Found {
    /// The session of a case, the first line of whose log names it.
    pub fn case(name: &str) -> Self {
        Self::at(Bench::new(), &std::fs::read(input(name)).unwrap())
    }

    /// The same on a bench of the caller's.
    pub fn at(bench: Bench, before: &[u8]) -> Self {
        let root = bench.desk.workspace();
        let first = before.split(|b| *b == b'\n').next().unwrap();
        let first: Value = serde_json::from_slice(first).unwrap();
        let id = first["id"].as_str().unwrap().to_owned();
        let logs = root.join(".fascicle/sessions/essays");
        std::fs::create_dir_all(&logs).unwrap();
        std::fs::create_dir_all(root.join("essays/harbour")).unwrap();
        std::fs::write(root.join("essays/harbour/.session"), &id).unwrap();
        let shelf = "id = \"essays\"\ntitle = \"Essays\"\n";
        std::fs::write(root.join("essays/collection.toml"), shelf).unwrap();
        let log = logs.join(format!("{id}.jsonl"));
        std::fs::write(&log, before).unwrap();
        Self {
            bench,
            id,
            log,
            before: before.to_vec(),
        }
    }

    /// Sends a prompt that must be answered; the answer.
    pub fn answered(&self, text: &str) -> String {
        answered(&self.bench.send(&self.id, text))
    }

    /// The transcript.
    pub fn page(&self) -> String {
        self.bench.desk.ok(&["show", &self.id])
    }

    /// The only session of the list.
    pub fn row(&self) -> Value {
        let rows = self.bench.desk.json(&["list", "--json"]);
        assert_eq!(rows.as_array().unwrap().len(), 1, "{rows}");
        assert_eq!(rows[0]["id"], self.id.as_str());
        rows[0].clone()
    }

    /// Every event that the program reads in the log.
    pub fn events(&self) -> Vec<Value> {
        events(&self.bench.desk, &self.id)
    }

    /// The rule of every case.
    pub fn rule(&self) {
        rule(&self.bench.desk, &self.id, &self.log, &self.before);
    }
}

/// What a command printed that must have done its work.
pub fn answered(done: &Output) -> String {
    assert!(done.status.success(), "{:?}: {}", done.status, said(done));
    String::from_utf8(done.stdout.clone()).unwrap()
}

/// What a command said beside its answer.
pub fn said(done: &Output) -> String {
    String::from_utf8_lossy(&done.stderr).into_owned()
}

/// Every event of a session, as `show --json` prints them.
pub fn events(desk: &Desk, id: &str) -> Vec<Value> {
    let text = desk.ok(&["show", id, "--json"]);
    text.lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

/// The words of a reply as they came, those of one turn.
pub fn streamed(events: &[Value], turn: u64) -> String {
    let of = events
        .iter()
        .filter(|e| e["kind"] == "delta" && e["turn"] == turn);
    of.map(|e| e["text"].as_str().unwrap()).collect()
}

/// The rule of every case: the bytes that were there are there, every line since is a whole event that has the next
/// number, and nothing is there twice.
pub fn rule(desk: &Desk, id: &str, log: &Path, before: &[u8]) {
    appended(log, before);
    once(&events(desk, id));
}

/// The events that were written since, in a log that is otherwise as it was.
pub fn appended(log: &Path, before: &[u8]) -> Vec<Value> {
    let id = log.display();
    let after = std::fs::read(log).unwrap();
    assert!(
        after.starts_with(before),
        "{id}: bytes that were there changed"
    );
    let mut new = &after[before.len()..];
    if !new.is_empty() && !before.is_empty() && !before.ends_with(b"\n") {
        new = new
            .strip_prefix(b"\n")
            .expect("a torn end is sealed by a newline");
    }
    assert!(new.is_empty() || new.ends_with(b"\n"), "{id}: a torn end");
    let lines = new.split(|b| *b == b'\n').filter(|l| !l.is_empty());
    let events: Vec<Value> = lines
        .map(|line| {
            assert!(line.starts_with(br#"{"v":1,"seq":"#), "{id}: {line:?}");
            serde_json::from_slice(line).unwrap()
        })
        .collect();
    let seqs: Vec<u64> = events.iter().map(|e| e["seq"].as_u64().unwrap()).collect();
    let follow = |pair: &[u64]| pair[0] + 1 == pair[1];
    assert!(seqs.windows(2).all(follow), "{id}: {seqs:?}");
    events
}

/// Each number, each prompt and each end of a turn once, in order.
pub fn once(events: &[Value]) {
    let seqs: Vec<u64> = events.iter().map(|e| e["seq"].as_u64().unwrap()).collect();
    assert!(seqs.is_sorted_by(|a, b| a < b), "{seqs:?}");
    for kind in ["user.prompt", "turn.started", "turn.finished"] {
        let mut seen = BTreeSet::new();
        for event in events.iter().filter(|e| e["kind"] == kind) {
            let turn = event["turn"].as_u64().unwrap();
            assert!(seen.insert(turn), "{kind} of turn {turn} twice");
        }
    }
}

/// The rule for every session that the program made itself.
pub fn rule_of_all(desk: &Desk) {
    for log in desk.logs() {
        let id = log.file_stem().unwrap().to_str().unwrap();
        rule(desk, id, &log, &[]);
    }
}

/// Waits until a session's log holds an event that fits, as `show --follow` tells it; the event.
pub fn logged(desk: &Desk, id: &str, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
    let mut follower = desk.start(&["show", id, "--follow", "--json"]);
    let lines = lines(&mut follower);
    let end = Instant::now() + PATIENCE;
    let mut newest = Value::Null;
    let found = loop {
        let left = end.saturating_duration_since(Instant::now());
        match lines.recv_timeout(left) {
            Ok(line) => newest = serde_json::from_str::<Value>(&line).unwrap(),
            Err(_) => break None,
        }
        if fits(&newest) {
            break Some(newest.clone());
        }
    };
    follower.kill().unwrap();
    follower.wait().unwrap();
    found.unwrap_or_else(|| panic!("waited for {what}; the newest event is {newest}"))
}

fn lines(child: &mut Child) -> mpsc::Receiver<String> {
    let (tell, lines) = mpsc::channel();
    let out = BufReader::new(child.stdout.take().unwrap());
    std::thread::spawn(move || {
        for line in out.lines().map_while(Result::ok) {
            // Nobody waits any longer.
            if tell.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// Whether an event is a piece of a reply.
pub fn is_delta(event: &Value) -> bool {
    event["kind"] == "delta"
}

/// Waits for something that tells nobody when it happens.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < end, "waited for {what}");
        std::thread::park_timeout(Duration::from_millis(20));
    }
}

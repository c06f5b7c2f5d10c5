//! The pure machine between the program's lines and our events: line in, steps out.

mod compact;
mod control;
mod said;

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::ask::Question;
use super::blocks::{Blocks, Range};
use super::spent::Totals;
use super::{input, retry};
use crate::agents::backend::AgentEvent;
use crate::domain::event::{Compacted, Status};
use crate::domain::tool::ToolSpec;
use crate::text::mend::mend;
use crate::text::{head, one_line};

/// What a line or an order leads to.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Step {
    /// For the host.
    Tell(AgentEvent),
    /// For the program: one line, without its newline.
    Write(String),
    /// The program is ready for a prompt.
    Ready {
        /// The model it would use.
        model: Option<String>,
    },
    /// It does not know the record it was to take up, or the id is taken.
    Lost,
    /// It refused to begin.
    Refused(String),
    /// It answered, so it lives.
    Alive,
}

/// What we asked the program for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    Initialize,
    Interrupt,
    Sign,
}

/// A call that waits for its result.
#[derive(Clone, PartialEq, Debug)]
struct Waiting {
    request: String,
    id: Value,
}

/// State of one process.
#[derive(Debug)]
pub(super) struct Stream {
    tools: &'static [ToolSpec],
    model: Option<String>,
    totals: Totals,
    ready: bool,
    turn: Turn,
    wanted: HashMap<String, Wanted>,
    requests: u32,
    /// Line types told as unknown once.
    unknown: HashSet<String>,
}

/// State of the running turn, or of none.
#[derive(Debug, Default)]
struct Turn {
    running: bool,
    /// Whether it was asked to stop.
    stopping: bool,
    /// Whether words came.
    spoke: bool,
    blocks: Blocks,
    /// Questions that wait, by call.
    asked: HashMap<String, Question>,
    /// Calls of our tools that wait for their results, by call.
    waiting: HashMap<String, Waiting>,
    /// Calls of ours seen in the answer and not yet made: call, name.
    announced: Vec<(String, String)>,
    /// Calls of others, whose end we tell.
    others: HashSet<String>,
    /// Results that came without a call, counted.
    strays: u32,
    /// Its record was made shorter; the summary is its next line.
    compacted: Option<Box<Compacted>>,
}

impl Stream {
    /// A process about to be started; `totals` are those of its record.
    pub(super) fn new(tools: &'static [ToolSpec], model: Option<String>, totals: Totals) -> Self {
        Self {
            tools,
            model,
            totals,
            ready: false,
            turn: Turn::default(),
            wanted: HashMap::new(),
            requests: 0,
            unknown: HashSet::new(),
        }
    }

    /// Whether a turn runs.
    pub(super) const fn in_turn(&self) -> bool {
        self.turn.running
    }

    /// Whether the running turn was asked to stop.
    pub(super) const fn is_stopping(&self) -> bool {
        self.turn.stopping
    }

    /// The first line to the program: it answers when it is ready.
    pub(super) fn initialize(&mut self) -> String {
        let request =
            json!({"subtype": "initialize", "hooks": null, "sdkMcpServers": [super::mcp::SERVER]});
        self.request(Wanted::Initialize, &request)
    }

    /// Asks for a sign of life; any answer is one.
    pub(super) fn sign(&mut self) -> String {
        self.request(Wanted::Sign, &json!({"subtype": "mcp_status"}))
    }

    /// A turn begins.
    pub(super) fn prompt(&mut self, text: &str) -> String {
        self.turn = Turn {
            running: true,
            ..Turn::default()
        };
        input::prompt(text)
    }

    /// The running turn shall stop.
    pub(super) fn interrupt(&mut self) -> Option<String> {
        if !self.turn.running || self.turn.stopping {
            return None;
        }
        self.turn.stopping = true;
        Some(self.request(Wanted::Interrupt, &json!({"subtype": "interrupt"})))
    }

    /// A line of the program.
    pub(super) fn line(&mut self, bytes: &[u8]) -> Vec<Step> {
        let mut out = Vec::new();
        let text = mend(bytes);
        if matches!(text, std::borrow::Cow::Owned(_)) {
            out.push(raw("characters that are none", bytes));
        }
        if text.trim().is_empty() {
            return out;
        }
        match serde_json::from_str::<Value>(&text) {
            Ok(Value::Object(line)) => self.object(&Value::Object(line), bytes, &mut out),
            _ => out.push(raw("not a JSON object", bytes)),
        }
        out
    }

    /// The turn ends without the program's word.
    pub(super) fn cut(&mut self, status: Status, reason: Option<String>) -> Vec<Step> {
        let mut out = Vec::new();
        if self.turn.running {
            self.end(status, reason, &mut out);
        }
        out
    }

    fn object(&mut self, line: &Value, bytes: &[u8], out: &mut Vec<Step>) {
        match line["type"].as_str().unwrap_or_default() {
            "control_request" => self.requested(line, out),
            "control_response" => self.responded(&line["response"], out),
            "control_cancel_request" => self.cancelled(line, out),
            "result" => self.result(line, out),
            _ if !self.turn.running => {}
            // What an agent of the agent's own says is not the answer.
            _ if line["parent_tool_use_id"].is_string() => {}
            "user" if self.turn.compacted.is_some() => self.summary(line, out),
            "stream_event" => self.event(line, out),
            "assistant" => self.assistant(line, out),
            "user" => self.user(line, out),
            "system" => self.system(line, out),
            "rate_limit_event" => limit(&line["rate_limit_info"], out),
            kind if QUIET.contains(&kind) => {}
            kind => self.strange(kind, bytes, out),
        }
    }

    /// A line of a type that is not known: the first of each is kept.
    fn strange(&mut self, kind: &str, bytes: &[u8], out: &mut Vec<Step>) {
        let kind = head(&one_line(kind), KIND_MAX).to_owned();
        let known = self.unknown.len();
        if known < KINDS_MAX && self.unknown.insert(kind.clone()) {
            let last = if known + 1 == KINDS_MAX {
                "; further unknown types are left out"
            } else {
                ""
            };
            let why = format!("a line of the unknown type \"{kind}\"{last}");
            out.push(raw(&why, bytes));
        }
    }

    fn system(&mut self, line: &Value, out: &mut Vec<Step>) {
        match line["subtype"].as_str().unwrap_or_default() {
            "init" => {
                if let Some(model) = line["model"].as_str() {
                    self.model = Some(model.to_owned());
                }
            }
            "api_retry" => {
                let void = self.turn.blocks.void_open();
                abandon(void, out);
                out.push(Step::Tell(retry::retry(line)));
            }
            "model_fallback" => {
                let to = line["fallback_model"].as_str().unwrap_or("another model");
                note(&format!("The model is overloaded; {to} goes on."), out);
            }
            "status" if line["status"] == "compacting" => {
                note("The agent is making a summary of the conversation.", out);
            }
            "status" if line["compact_result"] == "failed" => self.not_compacted(line, out),
            "compact_boundary" => self.compacted(&line["compact_metadata"], out),
            _ => {}
        }
    }

    fn result(&mut self, line: &Value, out: &mut Vec<Step>) {
        if !self.ready {
            return out.push(refusal(&retry::reason(line)));
        }
        if !self.turn.running {
            return;
        }
        let failed = line["is_error"]
            .as_bool()
            .unwrap_or(line["subtype"] != "success");
        let aborted = line["terminal_reason"]
            .as_str()
            .is_some_and(|r| r.starts_with("aborted"));
        if !failed && !self.turn.spoke {
            self.unspoken(line["result"].as_str(), out);
        }
        self.tell_compacted("", out);
        out.push(Step::Tell(AgentEvent::Usage(self.totals.turn(line))));
        match (failed, aborted || self.turn.stopping) {
            (false, _) => self.end(Status::Ok, None, out),
            (true, true) => self.end(Status::Interrupted, None, out),
            (true, false) => self.end(Status::Failed, Some(retry::reason(line)), out),
        }
    }

    /// Words that came only in the result, as those of a command of the program do.
    fn unspoken(&mut self, text: Option<&str>, out: &mut Vec<Step>) {
        if let Some(text) = text.filter(|t| !t.is_empty()) {
            let block = self
                .turn
                .blocks
                .finish(None, &super::blocks::Holds::Words)
                .no;
            let text = text.to_owned();
            out.push(Step::Tell(AgentEvent::Message { block, text }));
        }
    }

    fn end(&mut self, status: Status, reason: Option<String>, out: &mut Vec<Step>) {
        self.tell_compacted("", out);
        let over = std::mem::take(&mut self.turn);
        let mut open: Vec<String> = over.asked.into_keys().collect();
        open.sort();
        let gone = |call| Step::Tell(AgentEvent::AskGone { call });
        out.extend(open.into_iter().map(gone));
        out.push(Step::Tell(AgentEvent::Ended { status, reason }));
    }

    fn request(&mut self, wanted: Wanted, request: &Value) -> String {
        self.requests += 1;
        let id = format!("{}-{}", super::mcp::SERVER, self.requests);
        self.wanted.insert(id.clone(), wanted);
        input::request(&id, request)
    }
}

/// How much of an unknown line type is named, in bytes.
const KIND_MAX: usize = 60;
/// How many unknown line types are told of in one process.
const KINDS_MAX: usize = 64;

/// Line types that say nothing we use.
const QUIET: [&str; 5] = [
    "command_lifecycle",
    "transcript_mirror",
    "keep_alive",
    "tool_progress",
    "auth_status",
];

/// Whether the program says that a record is not there, or an id not free.
pub(super) fn is_lost(said: &str) -> bool {
    said.contains("No conversation found") || said.contains("is already in use")
}

fn refusal(why: &str) -> Step {
    if is_lost(why) {
        Step::Lost
    } else {
        Step::Refused(why.trim_end_matches('.').to_owned())
    }
}

fn limit(info: &Value, out: &mut Vec<Step>) {
    out.extend(super::limit::of(info).map(|limit| Step::Tell(AgentEvent::Limit(limit))));
    match info["status"].as_str() {
        Some("allowed_warning") => note("The usage limit of this login is near.", out),
        Some("rejected") => note("The usage limit of this login is reached.", out),
        _ => {}
    }
}

fn note(text: &str, out: &mut Vec<Step>) {
    out.push(Step::Tell(AgentEvent::Note(text.to_owned())));
}

fn raw(why: &str, bytes: &[u8]) -> Step {
    Step::Tell(AgentEvent::Raw {
        why: why.to_owned(),
        bytes: bytes.to_vec(),
    })
}

fn abandon(range: Option<Range>, out: &mut Vec<Step>) {
    if let Some((from, to)) = range {
        out.push(Step::Tell(AgentEvent::Abandoned { from, to }));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::domain::event::Answer;
    use crate::domain::tool::ToolResult;
    use std::collections::BTreeMap;

    const TOOLS: [ToolSpec; 1] = [ToolSpec {
        name: "write_draft",
        about: "Writes.",
        schema: "{}",
    }];

    /// A recorded stream: who wrote the line, and the line.
    fn recorded(name: &str) -> Vec<(String, Value)> {
        let path = format!(
            "{}/tests/fixtures/agents/claude/{name}.jsonl",
            env!("CARGO_MANIFEST_DIR")
        );
        let text = std::fs::read_to_string(path).unwrap();
        let lines = text
            .lines()
            .skip(1)
            .map(|l| serde_json::from_str::<Value>(l).unwrap());
        lines
            .map(|l| (l["dir"].as_str().unwrap().to_owned(), l["line"].clone()))
            .filter(|(_, line)| line.is_object())
            .collect()
    }

    /// Plays recorded lines: what the host once wrote becomes an order, the program's ids become ours.
    struct Player {
        stream: Stream,
        ids: HashMap<String, String>,
        /// Open calls and questions by the program's request.
        calls: HashMap<String, String>,
        events: Vec<AgentEvent>,
        written: Vec<Value>,
    }

    impl Player {
        fn new() -> Self {
            Self {
                stream: Stream::new(&TOOLS, None, Totals::zero()),
                ids: HashMap::new(),
                calls: HashMap::new(),
                events: Vec::new(),
                written: Vec::new(),
            }
        }

        fn play(mut self, lines: &[(String, Value)]) -> Self {
            for (dir, line) in lines {
                match dir.as_str() {
                    "in" => self.wrote(line),
                    _ => self.said(line),
                }
            }
            self
        }

        fn wrote(&mut self, line: &Value) {
            match line["type"].as_str().unwrap() {
                "user" => {
                    let text = line["message"]["content"][0]["text"].as_str().unwrap();
                    // The host never sends a prompt while a turn runs; one recording did.
                    if !self.stream.in_turn() {
                        self.stream.prompt(text);
                    }
                }
                "control_request" => {
                    let ours = match line["request"]["subtype"].as_str().unwrap() {
                        "initialize" => Some(self.stream.initialize()),
                        _ => self.stream.interrupt(),
                    };
                    let ours: Value = serde_json::from_str(&ours.unwrap()).unwrap();
                    let id = |v: &Value| v["request_id"].as_str().unwrap().to_owned();
                    self.ids.insert(id(line), id(&ours));
                }
                _ => self.answered(&line["response"]),
            }
        }

        fn answered(&mut self, response: &Value) {
            let id = response["request_id"].as_str().unwrap();
            let Some(call) = self.calls.remove(id) else {
                return;
            };
            let written = match response["response"]["behavior"].as_str() {
                Some("allow") => self.stream.answer(&call, Answer::Once),
                Some(_) => self.stream.answer(&call, Answer::Deny),
                None => self.stream.tool_result(
                    &call,
                    &ToolResult {
                        ok: true,
                        output: "saved as version 2".into(),
                    },
                ),
            };
            let mut written: Value = serde_json::from_str(&written.unwrap()).unwrap();
            let ours = written["response"].take();
            assert_eq!(ours["request_id"], response["request_id"]);
        }

        fn said(&mut self, line: &Value) {
            let mut line = line.clone();
            if line["type"] == "control_response" {
                let id = line["response"]["request_id"].as_str().unwrap();
                if let Some(ours) = self.ids.get(id) {
                    line["response"]["request_id"] = json!(ours);
                }
            }
            for step in self.stream.line(line.to_string().as_bytes()) {
                match step {
                    Step::Tell(event) => self.told(&line, event),
                    Step::Write(text) => self.written.push(serde_json::from_str(&text).unwrap()),
                    _ => {}
                }
            }
        }

        fn told(&mut self, line: &Value, event: AgentEvent) {
            if let AgentEvent::Asked { call, .. } | AgentEvent::ToolCall { call, .. } = &event {
                let id = line["request_id"].as_str().unwrap().to_owned();
                self.calls.insert(id, call.clone());
            }
            self.events.push(event);
        }
    }

    fn played(name: &str) -> Vec<AgentEvent> {
        Player::new().play(&recorded(name)).events
    }

    /// What a reader is left with: blocks in order, abandoned ones gone, by turn.
    fn words(events: &[AgentEvent]) -> Vec<String> {
        let mut turns = Vec::new();
        let mut blocks: BTreeMap<u32, String> = BTreeMap::new();
        for event in events {
            match event {
                AgentEvent::Delta { block, text } => {
                    blocks.entry(*block).or_default().push_str(text);
                }
                AgentEvent::Message { block, text } => {
                    blocks.insert(*block, text.clone());
                }
                AgentEvent::Abandoned { from, to } => {
                    blocks.retain(|b, _| !(from..=to).contains(&b));
                }
                AgentEvent::Ended { .. } => {
                    turns.push(
                        std::mem::take(&mut blocks)
                            .into_values()
                            .collect::<Vec<_>>()
                            .join("|"),
                    );
                }
                _ => {}
            }
        }
        turns
    }

    fn ends(events: &[AgentEvent]) -> Vec<Status> {
        let end = |e: &AgentEvent| match e {
            AgentEvent::Ended { status, .. } => Some(*status),
            _ => None,
        };
        events.iter().filter_map(end).collect()
    }

    const RIVER: &str = "The river keeps its own slow ledger of the town, and every morning it reads a line of it back.";

    #[track_caller]
    fn check(name: &str, expect: &[(&str, Status)]) {
        let events = played(name);
        let got: Vec<_> = words(&events).into_iter().zip(ends(&events)).collect();
        let want: Vec<_> = expect.iter().map(|(w, s)| ((*w).to_owned(), *s)).collect();
        assert_eq!(got, want, "{name}");
    }

    #[test]
    fn recorded_turns_leave_the_reader_with_the_answer() {
        check("simple_turn", &[(RIVER, Status::Ok)]);
        check("simple_turn_2.1.197", &[(RIVER, Status::Ok)]);
        check("partial_messages", &[(RIVER, Status::Ok)]);
        check("thinking", &[(RIVER, Status::Ok)]);
        check("api_error_retry", &[(RIVER, Status::Ok)]);
        check(
            "tool_granted",
            &[(
                "I will write the draft.|Draft written and revised.",
                Status::Ok,
            )],
        );
        check(
            "sdk_tools",
            &[("I will write it. |Done, the draft is saved.", Status::Ok)],
        );
    }

    #[test]
    fn an_answer_that_begins_again_leaves_no_trace_of_the_first_try() {
        check("drop_mid_stream", &[(RIVER, Status::Ok)]);
        check("overloaded_mid_stream", &[(RIVER, Status::Ok)]);
        for name in ["drop_mid_stream", "overloaded_mid_stream"] {
            let gone = |e: &AgentEvent| matches!(e, AgentEvent::Abandoned { from: 0, to: 0 });
            assert_eq!(played(name).iter().filter(|e| gone(e)).count(), 1, "{name}");
        }
    }

    #[test]
    fn an_interrupt_keeps_what_was_said() {
        let partial = "The river keeps its own slow ledger of the town and every morning it reads a line of it back to whoever is standing on ";
        check(
            "interrupt",
            &[
                (partial, Status::Interrupted),
                ("Here is a shorter passage.", Status::Ok),
            ],
        );
        check(
            "interrupt_while_asking",
            &[("I will write the draft.", Status::Interrupted)],
        );
        let events = played("interrupt_while_asking");
        let gone = events
            .iter()
            .position(|e| matches!(e, AgentEvent::AskGone { call } if call == "toolu_mock000025"));
        let end = events
            .iter()
            .position(|e| matches!(e, AgentEvent::Ended { .. }));
        assert!(gone.unwrap() < end.unwrap());
    }

    #[test]
    fn a_failure_is_told_by_is_error_and_not_by_the_subtype() {
        let events = played("api_error_final");
        assert_eq!(words(&events), [""]);
        let Some(AgentEvent::Ended {
            status: Status::Failed,
            reason: Some(reason),
        }) = events.last()
        else {
            panic!("{events:?}");
        };
        assert!(reason.starts_with("API Error: 529 Overloaded"), "{reason}");
        let retries = events
            .iter()
            .filter(|e| matches!(e, AgentEvent::Retry { .. }));
        assert_eq!(retries.count(), 2);
    }

    #[test]
    fn our_tools_are_served_over_the_pipe_and_their_argument_streams() {
        let player = Player::new().play(&recorded("sdk_tools"));
        let mut streamed = String::new();
        for event in &player.events {
            if let AgentEvent::ToolDelta { call, name, text } = event {
                assert_eq!((call.as_str(), name.as_str()), ("toolu_01", "write_draft"));
                streamed.push_str(text);
            }
        }
        let want = json!({"text": "A new draft that is longer than before, streamed word by word so that it can be shown live.", "base_version": 1});
        assert_eq!(serde_json::from_str::<Value>(&streamed).unwrap(), want);
        let calls: Vec<_> = player
            .events
            .iter()
            .filter(|e| matches!(e, AgentEvent::ToolCall { .. }))
            .collect();
        let AgentEvent::ToolCall { call, name, input } = calls[0] else {
            panic!()
        };
        assert_eq!(
            (calls.len(), call.as_str(), name.as_str()),
            (1, "toolu_01", "write_draft")
        );
        assert_eq!(serde_json::from_str::<Value>(input).unwrap(), want);
        // initialize, notifications/initialized, tools/list
        assert_eq!(player.written.len(), 3);
        let listed = &player.written[2]["response"]["response"]["mcp_response"]["result"]["tools"];
        assert_eq!(listed[0]["name"], "write_draft");
        assert!(!player.events.iter().any(|e| matches!(
            e,
            AgentEvent::ToolStarted { .. } | AgentEvent::ToolFinished { .. }
        )));
    }

    #[test]
    fn another_tool_is_asked_for_started_and_finished() {
        let events = played("tool_denied");
        let asked = events.iter().find_map(|e| match e {
            AgentEvent::Asked { call, what, .. } => Some((call.as_str(), what.as_str())),
            _ => None,
        });
        let (call, what) = asked.unwrap();
        assert_eq!(what, "Use Write draft.md");
        let finished = events
            .iter()
            .any(|e| matches!(e, AgentEvent::ToolFinished { call: c, ok: false, .. } if c == call));
        let started = events.iter().any(|e| matches!(e, AgentEvent::ToolStarted { call: c, name, .. } if c == call && name == "Write"));
        assert!(finished && started);
    }

    #[test]
    fn an_unknown_record_is_lost_and_no_turn() {
        let mut stream = Stream::new(&TOOLS, None, Totals::zero());
        stream.initialize();
        for (_, line) in recorded("resume_unknown_id").iter().skip(1) {
            assert_eq!(stream.line(line.to_string().as_bytes()), [Step::Lost]);
        }
    }

    #[test]
    fn a_turn_costs_the_difference() {
        let usages: Vec<_> = played("interrupt")
            .into_iter()
            .filter_map(|e| match e {
                AgentEvent::Usage(usage) => Some(usage),
                _ => None,
            })
            .collect();
        assert_eq!(usages[0].input, Some(3089));
        assert_eq!(usages[1].input, Some(3195));
        let cost = usages[1].cost_usd.unwrap();
        assert!((cost - 0.00642).abs() < 1e-9, "{cost}");
        let context = usages[1].context.unwrap();
        assert!((context - 0.003_198).abs() < 1e-9, "{context}");
    }

    #[test]
    fn its_own_compaction_is_told_with_its_figures_and_the_gauge_falls() {
        let events = played("compact");
        let at = events
            .iter()
            .position(|e| matches!(e, AgentEvent::Compacted(_)));
        let AgentEvent::Compacted(what) = &events[at.unwrap()] else {
            unreachable!()
        };
        assert!(what.by_agent() && what.summary.shown().contains("The motif is the ledger."));
        assert_eq!((what.before, what.after), (Some(3_270), Some(528)));
        let next = events[at.unwrap()..].iter().find_map(|e| match e {
            AgentEvent::Usage(usage) => Some((usage.in_use, usage.window)),
            _ => None,
        });
        assert_eq!(next, Some((Some(528), Some(1_000_000))));
        let announced =
            |e: &AgentEvent| matches!(e, AgentEvent::Note(n) if n.contains("making a summary"));
        assert!(events[..at.unwrap()].iter().any(announced));
    }

    #[test]
    fn a_compaction_that_failed_is_said() {
        let mut stream = Stream::new(&TOOLS, None, Totals::zero());
        stream.prompt("Go on.");
        let line = json!({"type": "system", "subtype": "status", "status": null,
            "compact_result": "failed", "compact_error": "too_few_groups"});
        let steps = stream.line(line.to_string().as_bytes());
        assert!(
            matches!(&steps[..], [Step::Tell(AgentEvent::Note(n))] if n.contains("too_few_groups")),
            "{steps:?}"
        );
    }

    const ALL: [&str; 19] = [
        "api_error_final",
        "api_error_retry",
        "compact",
        "drop_mid_stream",
        "fork",
        "interrupt",
        "interrupt_while_asking",
        "kill_mid_turn",
        "overloaded_mid_stream",
        "partial_messages",
        "queued_prompt",
        "resume",
        "sdk_tools",
        "session_mirror",
        "simple_turn",
        "simple_turn_2.1.197",
        "thinking",
        "tool_denied",
        "tool_granted",
    ];

    #[test]
    fn a_stream_cut_at_any_line_ends_its_turn_once_and_tells_a_prefix() {
        for name in ALL {
            let lines = recorded(name);
            let whole = Player::new().play(&lines).events;
            for n in 0..=lines.len() {
                let mut player = Player::new().play(&lines[..n]);
                assert!(whole.starts_with(&player.events), "{name} cut at {n}");
                let open = player.stream.in_turn();
                let cut = player.stream.cut(Status::Failed, None);
                let told = cut
                    .iter()
                    .filter(|s| matches!(s, Step::Tell(AgentEvent::Ended { .. })));
                assert_eq!(told.count(), usize::from(open), "{name} cut at {n}");
            }
        }
    }

    #[test]
    fn no_block_is_used_again_after_its_end() {
        for name in ALL {
            let mut over = HashSet::new();
            for event in played(name) {
                match event {
                    AgentEvent::Delta { block, .. } | AgentEvent::Thinking { block, .. } => {
                        assert!(!over.contains(&block), "{name}: block {block}");
                    }
                    AgentEvent::Message { block, .. } => {
                        assert!(over.insert(block), "{name}: block {block}");
                    }
                    AgentEvent::Abandoned { from, to } => over.extend(from..=to),
                    AgentEvent::Ended { .. } => over.clear(),
                    _ => {}
                }
            }
        }
    }

    fn begun() -> Stream {
        let mut stream = Stream::new(&TOOLS, None, Totals::zero());
        stream.ready = true;
        stream.prompt("p");
        stream
    }

    #[test]
    fn a_mended_line_is_kept_as_it_came_and_read() {
        let line = br#"{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"half \ud83d"}}}"#;
        let steps = begun().line(line);
        let [
            Step::Tell(AgentEvent::Raw { bytes, .. }),
            Step::Tell(AgentEvent::Delta { text, .. }),
        ] = &steps[..]
        else {
            panic!("{steps:?}");
        };
        assert_eq!((&bytes[..], text.as_str()), (&line[..], "half \u{fffd}"));
    }

    #[test]
    fn lines_that_are_no_objects_or_of_unknown_types_are_kept() {
        let mut stream = begun();
        let raw = |steps: Vec<Step>| matches!(&steps[..], [Step::Tell(AgentEvent::Raw { .. })]);
        assert!(raw(stream.line(b"hello")));
        assert!(raw(stream.line(b"[1]")));
        assert!(raw(stream.line(br#"{"type":"brand_new"}"#)));
        assert_eq!(stream.line(br#"{"type":"brand_new"}"#), []);
        assert_eq!(stream.line(b"  "), []);
    }

    #[test]
    fn an_unknown_type_is_named_shortly_and_not_without_end() {
        let mut stream = begun();
        let line = format!(r#"{{"type":"{}"}}"#, "long".repeat(1_000_000));
        let steps = stream.line(line.as_bytes());
        let [Step::Tell(AgentEvent::Raw { why, bytes })] = &steps[..] else {
            panic!("no raw line");
        };
        assert!(why.len() < 120, "{} bytes", why.len());
        assert_eq!(bytes.len(), line.len());
        let told = (0..1000).filter(|n| {
            let line = format!(r#"{{"type":"t{n}"}}"#);
            !stream.line(line.as_bytes()).is_empty()
        });
        assert_eq!(told.count(), KINDS_MAX - 1);
    }

    #[test]
    fn a_request_that_is_not_served_is_refused_and_not_left_waiting() {
        let steps = begun().line(
            br#"{"type":"control_request","request_id":"q","request":{"subtype":"hook_callback"}}"#,
        );
        assert!(
            matches!(&steps[..], [Step::Write(line)] if line.contains("\"error\"") && line.contains("\"q\"")),
            "{steps:?}"
        );
    }

    #[test]
    fn a_dialog_is_declined_with_a_way_out() {
        let steps = begun().line(br#"{"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool","tool_name":"AskUserQuestion","requires_user_interaction":true,"input":{}}}"#);
        assert!(
            matches!(&steps[..], [Step::Write(line)] if line.contains("deny") && line.contains("Ask in the text")),
            "{steps:?}"
        );
    }

    #[test]
    fn a_call_of_ours_that_the_program_refuses_is_told_whole() {
        let mut stream = begun();
        stream.line(br#"{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"mcp__fascicle__write_draft","input":{}}]}}"#);
        let steps = stream.line(br#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"bad input"}]}}"#);
        let finished = AgentEvent::ToolFinished {
            call: "t".into(),
            ok: false,
            output: "bad input".into(),
        };
        assert!(
            matches!(&steps[0], Step::Tell(AgentEvent::ToolStarted { name, .. }) if name == "write_draft")
        );
        assert_eq!(steps[1], Step::Tell(finished));
    }
}

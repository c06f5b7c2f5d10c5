//! One turn: a request, its stream, the tools it calls, the next request, until the model is done.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use super::key::Key;
use super::request::{self, Call, Messages};
use super::sse::Decoder;
use super::stream::{End, Stream};
use super::{Lacks, Setup, full, is_loopback, limit, read_body, reason, room};
use crate::agents::backend::{AgentEvent, Order, Start};
use crate::agents::error::AgentError;
use crate::agents::pipe::{Came, Pipe};
use crate::domain::event::Status;
use crate::text::tokens;

/// How often a request is tried before its first word.
const TRIES: u32 = 5;
/// First delay when the server names none; doubled each time.
const BACKOFF: Duration = Duration::from_secs(1);
/// Requests in one turn, so that a model that calls for ever is stopped.
const ROUNDS: u32 = 64;
/// Said once when a model knows no tools.
const NO_TOOLS: &str = "This model takes no tools: put its reply into the draft yourself.";
/// Why a turn is over.
enum Over {
    Whole,
    Interrupted,
    Failed(String),
}

impl From<AgentError> for Over {
    fn from(e: AgentError) -> Self {
        Self::Failed(e.told())
    }
}

/// Serves one turn; the next one is begun anew, from the log.
pub(super) async fn run(
    setup: Arc<Setup>,
    start: Start,
    orders: mpsc::Receiver<Order>,
    events: mpsc::Sender<AgentEvent>,
) {
    let mut pipe = Pipe::new(orders, events);
    let Some(prompt) = pipe.prompt().await else {
        return;
    };
    let mut turn = Turn {
        setup: &setup,
        start: &start,
        pipe,
        stream: Stream::default(),
        shortened: false,
    };
    let over = match turn.play(&prompt).await {
        Ok(()) => Over::Whole,
        Err(over) => over,
    };
    turn.end(over).await;
}

struct Turn<'a> {
    setup: &'a Setup,
    start: &'a Start,
    pipe: Pipe,
    stream: Stream,
    /// Whether it was said that results are sent shortened.
    shortened: bool,
}

/// What does not change between the requests of a turn.
struct Line {
    client: reqwest::Client,
    key: Key,
    root: String,
    model: String,
}

impl Turn<'_> {
    async fn play(&mut self, prompt: &str) -> Result<(), Over> {
        let line = self.line().await?;
        self.pipe.tell(AgentEvent::Started {
            process: None,
            agent_session: None,
            model: Some(line.model.clone()),
        });
        let lacks = self.setup.lacks(&line.model);
        let mut messages = Messages::of(&self.start.brief, &self.start.history, prompt, lacks);
        for _ in 0..ROUNDS {
            let response = self.ask(&line, &mut messages, prompt).await?;
            let before = self.stream.told();
            match self.read(&line, response).await? {
                End::Calls { words, calls } => {
                    let results = self.results(calls).await?;
                    messages.called(&words, &results);
                    let new: u64 = results.iter().map(|(_, output)| tokens(output)).sum();
                    let counted = self.stream.usage().in_use.map(|n| n + new);
                    self.make_room(&line, &mut messages, counted, false);
                }
                End::Whole => return Ok(()),
                End::Error(why) => {
                    let full = self.is_full(&line, why.as_bytes());
                    if full && self.stream.told() == before {
                        self.shorten(&line, &mut messages)?;
                        continue;
                    }
                    let why = line.key.hide(why.trim_end_matches('.'));
                    return Err(Over::Failed(format!("{} gave up: {why}.", line.root)));
                }
                End::Cut => return Err(reason::cut(&line.root).into()),
            }
        }
        let why = format!("The model called tools {ROUNDS} times in one turn and was stopped.");
        Err(Over::Failed(why))
    }

    async fn line(&mut self) -> Result<Line, Over> {
        let root = self.setup.root()?.to_owned();
        let model = self
            .start
            .model
            .clone()
            .or_else(|| self.setup.spec.model.clone());
        let model = model.ok_or_else(|| AgentError::Missing {
            agent: self.setup.spec.name.clone(),
            key: "model",
            example: "`model = \"…\"`, one of those that `fascicle doctor` lists",
        })?;
        let (spec, vars) = (&self.setup.spec, &self.setup.vars);
        let key = tokio::select! {
            key = Key::of(spec, vars, is_loopback(&root)) => key?,
            _ = self.pipe.stop() => return Err(Over::Interrupted),
        };
        let client = self.setup.client()?;
        Ok(Line {
            client,
            key,
            root,
            model,
        })
    }

    /// Sends the request until it is answered. Nothing is tried again once words came.
    async fn ask(
        &mut self,
        line: &Line,
        messages: &mut Messages,
        prompt: &str,
    ) -> Result<reqwest::Response, Over> {
        let mut attempt = 0;
        loop {
            let lacks = self.setup.lacks(&line.model);
            let body = request::body(&line.model, messages, self.start.tools, lacks);
            let response = self.send(line, &body).await?;
            let status = response.status().as_u16();
            if status == 200 {
                return Ok(response);
            }
            let now = jiff::Timestamp::now();
            let wait = reason::delay(response.headers(), now);
            let limit = limit::of(status, response.headers(), now);
            let said = tokio::select! {
                said = read_body(response) => said,
                _ = self.pipe.stop() => return Err(Over::Interrupted),
            };
            if matches!(status, 400 | 404 | 422) && self.learn(line, lacks, &said) {
                if !self.stream.has_begun() {
                    let lacks = self.setup.lacks(&line.model);
                    let start = self.start;
                    *messages = Messages::of(&start.brief, &start.history, prompt, lacks);
                }
                continue;
            }
            attempt += 1;
            let full = self.is_full(line, &said);
            if full && self.stream.has_begun() {
                self.shorten(line, messages)?;
                continue;
            }
            if full || !reason::passes(status) || attempt > TRIES {
                let why = self
                    .setup
                    .refused(status, &said, &line.root, Some(&line.model));
                return Err(Over::Failed(line.key.hide(&why.told())));
            }
            if let Some(limit) = limit {
                self.pipe.tell(AgentEvent::Limit(limit));
            }
            self.rest(attempt, status, wait).await?;
        }
    }

    async fn send(
        &mut self,
        line: &Line,
        body: &serde_json::Value,
    ) -> Result<reqwest::Response, Over> {
        let url = format!("{}/chat/completions", line.root);
        let request = line.key.sign(line.client.post(url).json(body));
        tokio::select! {
            sent = request.send() => {
                sent.map_err(|e| Over::Failed(line.key.hide(&reason::unreached(&line.root, &e).told())))
            }
            _ = self.pipe.stop() => Err(Over::Interrupted),
        }
    }

    /// Whether the refusal names something that can be left out from now on.
    fn learn(&mut self, line: &Line, had: Lacks, said: &[u8]) -> bool {
        let said = String::from_utf8_lossy(said).to_lowercase();
        let lacks = had.and(&said, !self.start.tools.is_empty());
        if lacks.tools && !had.tools {
            self.pipe.tell(AgentEvent::Note(NO_TOOLS.to_owned()));
        }
        self.setup.learn(&line.model, lacks);
        lacks != had
    }

    /// Tells when an error is about the length of the conversation. One that stopped an answer half-way is told as
    /// it is: what was said is kept.
    fn is_full(&mut self, line: &Line, said: &[u8]) -> bool {
        let Some(full) = full::of(said) else {
            return false;
        };
        if full.window.is_some() {
            self.setup.windows.learn(&line.model, full.window);
        }
        if !self.stream.has_begun() {
            let window = full.window;
            self.pipe.tell(AgentEvent::Full { window });
        }
        true
    }

    /// Sees that the next request of the turn fits; whether something is sent shorter now. That is said once.
    fn make_room(
        &mut self,
        line: &Line,
        messages: &mut Messages,
        counted: Option<u64>,
        refused: bool,
    ) -> bool {
        let known = room::Known {
            tools: self.start.tools,
            window: self.setup.known_window(&line.model),
            counted,
            refused,
        };
        let shorter = room::make(messages, known) > 0;
        if shorter && !std::mem::replace(&mut self.shortened, true) {
            self.pipe.tell(AgentEvent::Note(room::SHORTENED.to_owned()));
        }
        shorter
    }

    /// In the middle of the turn the server finds the request too long.
    fn shorten(&mut self, line: &Line, messages: &mut Messages) -> Result<(), Over> {
        let shorter = self.make_room(line, messages, None, true);
        shorter
            .then_some(())
            .ok_or_else(|| Over::Failed(room::TOO_LONG.to_owned()))
    }

    async fn rest(
        &mut self,
        attempt: u32,
        status: u16,
        asked: Option<Duration>,
    ) -> Result<(), Over> {
        let wait = asked.unwrap_or(BACKOFF * 2_u32.pow(attempt - 1));
        self.pipe.tell(AgentEvent::Retry {
            attempt,
            wait_ms: u64::try_from(wait.as_millis()).unwrap_or(u64::MAX),
            why: reason::waits(status),
        });
        tokio::select! {
            () = tokio::time::sleep(wait) => Ok(()),
            _ = self.pipe.stop() => Err(Over::Interrupted),
        }
    }

    /// Reads one answer to its end.
    async fn read(&mut self, line: &Line, mut response: reqwest::Response) -> Result<End, Over> {
        let kind = response.headers().get(reqwest::header::CONTENT_TYPE);
        let kind = kind
            .and_then(|k| k.to_str().ok())
            .unwrap_or_default()
            .to_owned();
        if kind.contains("json") || kind.contains("html") {
            return self.no_stream(line, response, &kind).await;
        }
        let mut decoder = Decoder::default();
        let mut any = false;
        while !self.stream.is_done() {
            let bytes = tokio::select! {
                biased;
                came = self.pipe.next() => {
                    self.came(&came)?;
                    continue;
                }
                bytes = response.chunk(), if !self.pipe.is_full() => bytes,
            };
            // A connection that breaks and one that closes are the same here: is the answer whole?
            let Ok(Some(bytes)) = bytes else { break };
            for event in decoder.push(&bytes) {
                any = true;
                for told in self.stream.data(&event.name, &event.data) {
                    self.pipe.tell(told);
                }
            }
        }
        if !any {
            return Err(reason::no_stream(&line.root, &kind).into());
        }
        let (events, end) = self.stream.end();
        for event in events {
            self.pipe.tell(event);
        }
        Ok(end)
    }

    /// An answer of another kind: an error after all, or not the interface.
    async fn no_stream(
        &mut self,
        line: &Line,
        response: reqwest::Response,
        kind: &str,
    ) -> Result<End, Over> {
        let body = tokio::select! {
            body = read_body(response) => body,
            _ = self.pipe.stop() => return Err(Over::Interrupted),
        };
        match serde_json::from_slice::<serde_json::Value>(&body) {
            Ok(json) if json.get("error").is_some() => {
                Ok(End::Error(super::stream::message(&json)))
            }
            _ => Err(reason::no_stream(&line.root, kind).into()),
        }
    }

    fn came(&mut self, came: &Came) -> Result<(), Over> {
        match came {
            Came::Order(Order::Interrupt) => Err(Over::Interrupted),
            Came::Order(Order::Kill) => {
                self.pipe.closing = true;
                Err(Over::Interrupted)
            }
            // Nobody would read the rest, and a server may want money for it.
            Came::Order(Order::Close) if self.pipe.is_alone() => Err(Over::Interrupted),
            Came::Order(_) | Came::Taken => Ok(()),
        }
    }

    /// Waits for the results of all calls, in whatever order they come.
    async fn results(&mut self, calls: Vec<Call>) -> Result<Vec<(Call, String)>, Over> {
        let mut results: HashMap<String, String> = HashMap::new();
        while !calls.iter().all(|c| results.contains_key(&c.id)) {
            let came = self.pipe.next().await;
            self.came(&came)?;
            if let Came::Order(Order::ToolResult { call, result }) = came {
                results.insert(call, result.output);
            }
        }
        let with = |call: Call| {
            let output = results.remove(&call.id).unwrap_or_default();
            (call, output)
        };
        Ok(calls.into_iter().map(with).collect())
    }

    async fn end(mut self, over: Over) {
        if let Over::Interrupted = over {
            let (events, _) = self.stream.end();
            // A call that was cut is not made, so only the words are told.
            for event in events {
                if matches!(event, AgentEvent::Message { .. }) {
                    self.pipe.tell(event);
                }
            }
        }
        let usage = self.stream.usage();
        if usage != crate::domain::event::Usage::default() {
            self.pipe.tell(AgentEvent::Usage(usage));
        }
        match over {
            Over::Whole => self.pipe.end(Status::Ok, None),
            Over::Interrupted => self.pipe.end(Status::Interrupted, None),
            Over::Failed(why) => self.pipe.end(Status::Failed, Some(why)),
        }
        self.pipe.flush().await;
    }
}

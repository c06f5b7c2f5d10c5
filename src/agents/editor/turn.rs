//! One turn: the draft is read, looked at, and perhaps written, and what is found is told piece by piece.

use tokio::sync::mpsc;

use super::checks::Asked;
use super::grammar;
use super::mend::{self, Plan, Which};
use super::prompt::{Wanted, wanted};
use super::report;
use super::words;
use crate::agents::backend::{AgentEvent, Order, Start};
use crate::agents::pipe::{Came, Pipe};
use crate::domain::event::{Status, Usage};
use crate::domain::tool::{NOT_YOURS, ToolResult};

/// Its name where others have a model's.
const MODEL: &str = "editor";
/// How often a draft that changes under our hands is read again.
const TRIES: u32 = 3;
/// Pieces of an answer that may wait to be told.
const PIECES: usize = 64;
/// What a write on an older version is answered with begins so.
const STALE: &str = "The draft has changed";

/// Why a turn is over.
enum Over {
    Interrupted,
    Failed(String),
}

/// The draft as it was read.
pub(super) struct Draft {
    /// Its version; 0 where there is none.
    pub(super) version: u64,
    /// Its text.
    pub(super) text: String,
}

/// Serves one turn; the next one is begun anew, from the log.
pub(super) async fn run(
    program: String,
    start: Start,
    orders: mpsc::Receiver<Order>,
    events: mpsc::Sender<AgentEvent>,
) {
    let mut pipe = Pipe::new(orders, events);
    let Some(prompt) = pipe.prompt().await else {
        return;
    };
    pipe.tell(AgentEvent::Started {
        process: None,
        agent_session: None,
        model: Some(MODEL.to_owned()),
    });
    let mut turn = Turn {
        pipe,
        start,
        program,
        block: 0,
        said: String::new(),
        calls: 0,
    };
    let over = turn.play(&prompt).await;
    turn.end(over).await;
}

struct Turn {
    pipe: Pipe,
    start: Start,
    /// The program that looks for grammar.
    program: String,
    block: u32,
    /// What the open block says so far.
    said: String,
    calls: u32,
}

impl Turn {
    async fn play(&mut self, prompt: &str) -> Result<(), Over> {
        match wanted(prompt) {
            Wanted::Help => self.say(&words::help()),
            Wanted::Unknown => self.say(&words::unknown()),
            Wanted::NoKind(word) => self.say(&words::no_kind(&word)),
            Wanted::FixWhat => self.say(words::FIX_WHAT),
            Wanted::Spelling => self.say(words::SPELLING),
            Wanted::Undo => self.say(words::UNDO),
            Wanted::Whole(verb) => self.say(&words::whole(verb)),
            Wanted::Measure => {
                self.report(|draft, _, tell| report::measured(draft, tell))
                    .await?;
            }
            Wanted::Outline => {
                self.report(|draft, _, tell| report::outlined(draft, tell))
                    .await?;
            }
            Wanted::Proofread { paragraphs, kinds } => {
                self.report(move |draft, asked, tell| {
                    report::proofread(draft, asked, &paragraphs, &kinds, tell);
                })
                .await?;
            }
            Wanted::FixAll => self.fix(Which::All).await?,
            Wanted::Fix(numbers) => self.fix(Which::Numbers(numbers)).await?,
        }
        Ok(())
    }

    fn say(&mut self, text: &str) {
        self.said.push_str(text);
        self.pipe.tell(AgentEvent::Delta {
            block: self.block,
            text: text.to_owned(),
        });
    }

    /// Ends the open block of words, if there is one.
    fn close(&mut self) {
        if self.said.is_empty() {
            return;
        }
        let text = std::mem::take(&mut self.said);
        self.pipe.tell(AgentEvent::Message {
            block: self.block,
            text,
        });
        self.block += 1;
    }

    /// Reads the draft and tells what is made of it, each piece as soon as it is there.
    async fn report<F>(&mut self, make: F) -> Result<(), Over>
    where
        F: FnOnce(&Draft, &Asked, &mut dyn FnMut(String) -> bool) + Send + 'static,
    {
        let draft = self.read().await?;
        if draft.text.trim().is_empty() {
            self.say(&words::empty());
            return Ok(());
        }
        let asked = self.asked(&draft.text).await?;
        let (tx, mut pieces) = mpsc::channel::<String>(PIECES);
        // Reading a novel takes a moment, and the loop has other turns to serve. When nobody listens any
        // more it ends at the next piece.
        tokio::task::spawn_blocking(move || {
            make(&draft, &asked, &mut |piece| tx.blocking_send(piece).is_ok());
        });
        loop {
            let piece = tokio::select! {
                biased;
                came = self.pipe.next() => {
                    heard(&came, &mut self.pipe)?;
                    continue;
                }
                piece = pieces.recv(), if !self.pipe.is_full() => piece,
            };
            let Some(piece) = piece else { return Ok(()) };
            self.say(&piece);
        }
    }

    async fn fix(&mut self, which: Which) -> Result<(), Over> {
        for _ in 0..TRIES {
            let draft = self.read().await?;
            if draft.text.trim().is_empty() {
                self.say(&words::empty());
                return Ok(());
            }
            let version = draft.version;
            let plan = self.plan(draft, which.clone()).await?;
            let Some((tool, input)) = plan.call(version) else {
                self.say(&plan.told(None));
                return Ok(());
            };
            let result = self.call(tool, input).await?;
            if result.ok {
                self.say(&plan.told(Some(&result.output)));
                return Ok(());
            }
            if !result.output.starts_with(STALE) {
                return Err(failed(&result.output));
            }
            self.say("The draft has changed meanwhile: I read it again.\n\n");
            self.close();
        }
        Err(Over::Failed(
            "The draft changes too fast to be mended; nothing was written.".to_owned(),
        ))
    }

    async fn plan(&mut self, draft: Draft, which: Which) -> Result<Plan, Over> {
        let asked = self.asked(&draft.text).await?;
        let history = self.start.history.clone();
        let mut work =
            tokio::task::spawn_blocking(move || mend::plan(&draft, &asked, &which, &history));
        loop {
            tokio::select! {
                biased;
                came = self.pipe.next() => heard(&came, &mut self.pipe)?,
                plan = &mut work => return plan.map_err(|e| Over::Failed(e.to_string())),
            }
        }
    }

    /// What the checks need beside the draft. Grammar that cannot be looked for is a note, not the end of a turn.
    async fn asked(&mut self, text: &str) -> Result<Asked, Over> {
        let mut asked = Asked {
            voice: self.start.voice.clone(),
            ..Asked::default()
        };
        let look = grammar::look(text.to_owned(), &self.program, &self.start.scratch);
        let mut look = std::pin::pin!(look);
        loop {
            tokio::select! {
                biased;
                came = self.pipe.next() => heard(&came, &mut self.pipe)?,
                found = &mut look => {
                    match found {
                        Ok(found) => asked.more = found,
                        Err(why) => self.pipe.tell(AgentEvent::Note(format!(
                            "Grammar was not looked at: {why}."
                        ))),
                    }
                    return Ok(asked);
                }
            }
        }
    }

    async fn read(&mut self) -> Result<Draft, Over> {
        let result = self.call("read_draft", "{}".to_owned()).await?;
        if !result.ok {
            return Err(failed(&result.output));
        }
        Ok(drafted(&result.output))
    }

    /// Calls one of the host's tools and waits for its result.
    async fn call(&mut self, name: &str, input: String) -> Result<ToolResult, Over> {
        self.close();
        self.calls += 1;
        let id = format!("editor-{}", self.calls);
        self.pipe.tell(AgentEvent::ToolCall {
            call: id.clone(),
            name: name.to_owned(),
            input,
        });
        loop {
            let came = self.pipe.next().await;
            heard(&came, &mut self.pipe)?;
            if let Came::Order(Order::ToolResult { call, result }) = came
                && call == id
            {
                return Ok(result);
            }
        }
    }

    async fn end(mut self, over: Result<(), Over>) {
        self.close();
        self.pipe.tell(AgentEvent::Usage(Usage {
            input: Some(0),
            output: Some(0),
            cost_usd: Some(0.0),
            ..Usage::default()
        }));
        match over {
            Ok(()) => self.pipe.end(Status::Ok, None),
            Err(Over::Interrupted) => self.pipe.end(Status::Interrupted, None),
            Err(Over::Failed(why)) => self.pipe.end(Status::Failed, Some(why)),
        }
        self.pipe.flush().await;
    }
}

/// What a tool said, for the writer: without the words to an agent behind it.
fn failed(output: &str) -> Over {
    let why = output.split(NOT_YOURS).next().unwrap_or_default();
    Over::Failed(why.trim_end().to_owned())
}

/// Whether the turn goes on after this.
fn heard(came: &Came, pipe: &mut Pipe) -> Result<(), Over> {
    match came {
        Came::Order(Order::Interrupt) => Err(Over::Interrupted),
        Came::Order(Order::Kill) => {
            pipe.closing = true;
            Err(Over::Interrupted)
        }
        Came::Order(Order::Close) if pipe.is_alone() => Err(Over::Interrupted),
        Came::Order(_) | Came::Taken => Ok(()),
    }
}

/// The draft in the answer of `read_draft`.
fn drafted(output: &str) -> Draft {
    let whole = output
        .strip_prefix("Version ")
        .and_then(|rest| rest.split_once(":\n\n"));
    let (version, text) = whole.unwrap_or(("0", ""));
    Draft {
        // Words may stand behind the number.
        version: number(version),
        text: text.to_owned(),
    }
}

fn number(head: &str) -> u64 {
    let digits = head.split(|c: char| !c.is_ascii_digit()).next();
    digits.and_then(|n| n.parse().ok()).unwrap_or_default()
}

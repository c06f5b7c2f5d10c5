//! Starting the program: which record, which flags, and waiting until it is ready.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::mpsc;
use uuid::Uuid;

use super::flags::{self, Begin, Version};
use super::native::{self, Home};
use super::spent::Totals;
use super::stream::{Step, Stream, is_lost};
use super::transcript::{self, Frame};
use super::{NAME, Setup};
use crate::agents::backend::{AgentEvent, Start};
use crate::agents::child::{Child, Launch, Line, Lines, how};
use crate::agents::error::AgentError;
use crate::domain::message::History;
use crate::domain::tool::ToolSpec;

/// Lines that may wait for the program: answers to its own requests and the host's orders. More means
/// that it reads no longer.
const LINES_WAITING: usize = 64;

/// A program that is ready for a prompt.
pub(super) struct Ready {
    pub(super) lines: Lines<ChildStdout>,
    pub(super) input: mpsc::Sender<String>,
    pub(super) stream: Stream,
    /// Id of its record.
    pub(super) id: String,
    pub(super) model: Option<String>,
}

/// The record the program is known to have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Known {
    pub(super) id: String,
    /// Whether it wrote that record under our eyes, so that it need not be looked into.
    pub(super) seen: bool,
}

enum Trouble {
    /// The record is not where it was thought to be.
    Lost,
    Error(AgentError),
}

impl From<AgentError> for Trouble {
    fn from(e: AgentError) -> Self {
        Self::Error(e)
    }
}

/// What is said when the record is rendered although there should have been one.
const ANEW: &str = "The agent's own record of this session was missing or behind; it was written anew from the log.";

/// Where the started program is, also when the wait for it is given up. Whoever holds the other end learns
/// of each process before it is waited for.
pub(super) struct Slot {
    child: Option<Child>,
    tell: mpsc::UnboundedSender<AgentEvent>,
}

impl Slot {
    pub(super) fn new(tell: mpsc::UnboundedSender<AgentEvent>) -> Self {
        let child = None;
        Self { child, tell }
    }

    fn put(&mut self, child: Child) -> &mut Child {
        self.tell(AgentEvent::Started {
            process: child.process(),
            agent_session: None,
            model: None,
        });
        self.child.insert(child)
    }

    fn tell(&self, event: AgentEvent) {
        // Nobody listens when the session is gone; the child is ended then.
        let _gone = self.tell.send(event);
    }

    /// The program, when one was started.
    pub(super) fn take(&mut self) -> Option<Child> {
        self.child.take()
    }
}

/// Starts the program. A record it does not know after all is rendered anew, once. The child is left in
/// `slot` in any case, also when the wait is given up.
pub(super) async fn open(
    setup: &Setup,
    start: &Start,
    history: &History,
    known: Option<&Known>,
    slot: &mut Slot,
) -> Result<Ready, AgentError> {
    let mut known = known;
    loop {
        let anew = known.is_none();
        match attempt(setup, start, history, known, slot).await {
            Ok(ready) => return Ok(ready),
            Err(Trouble::Error(e)) => return Err(e),
            Err(Trouble::Lost) if anew && !history.is_empty() => {
                let why = "it does not take up the record that was rendered for it".to_owned();
                return Err(AgentError::Refused { name: NAME, why });
            }
            Err(Trouble::Lost) => {
                known = None;
                if !history.is_empty() {
                    slot.tell(AgentEvent::Note(ANEW.to_owned()));
                }
            }
        }
        end(setup, slot.take()).await;
    }
}

/// Ends a program that is not needed.
pub(super) async fn end(setup: &Setup, child: Option<Child>) {
    if let Some(mut child) = child {
        child.end(setup.patience.signal).await;
    }
}

async fn attempt(
    setup: &Setup,
    start: &Start,
    history: &History,
    known: Option<&Known>,
    slot: &mut Slot,
) -> Result<Ready, Trouble> {
    let installed = setup.installed().await?;
    let model = start.model.clone().or_else(|| setup.spec.model.clone());
    let plan = Plan {
        home: home(setup)?,
        folder: start.folder.clone(),
        first: start.session.to_string(),
        known: known.cloned(),
        history: history.clone(),
        tools: start.tools,
        version: installed.version,
        model: model.clone(),
    };
    let (begin, totals) = plan.make().await?;
    let (Begin::New(id) | Begin::Resume(id)) = &begin;
    if !history.is_empty() && known.is_some_and(|k| k.id != *id) {
        slot.tell(AgentEvent::Note(ANEW.to_owned()));
    }
    let brief = brief(start).await?;
    let args = flags::args(&flags::Ask {
        version: installed.version,
        begin: &begin,
        brief: &brief,
        model: model.as_deref(),
        tools: start.tools,
        web: start.allow.iter().any(|a| a == "web"),
        more: &setup.spec.args,
    });
    let child = slot.put(Child::spawn(&Launch {
        program: installed.program.clone(),
        args,
        folder: start.folder.clone(),
        vars: setup.vars.clone(),
    })?);
    let stream = Stream::new(start.tools, model, totals);
    let (Begin::New(id) | Begin::Resume(id)) = begin;
    ready(child, stream, id, setup.patience.ready).await
}

async fn ready(
    child: &mut Child,
    mut stream: Stream,
    id: String,
    patience: Duration,
) -> Result<Ready, Trouble> {
    let (Some(stdin), Some(mut lines)) = (child.take_input(), child.take_lines()) else {
        return Err(ended_early(child).await);
    };
    let input = writer(stdin);
    let _full = input.try_send(stream.initialize());
    let waited = tokio::time::timeout(patience, answer(&mut lines, &mut stream, &input)).await;
    match waited {
        Ok(Some(Step::Ready { model })) => Ok(Ready {
            lines,
            input,
            stream,
            id,
            model,
        }),
        Ok(Some(Step::Lost)) => Err(Trouble::Lost),
        Ok(Some(Step::Refused(why))) => Err(AgentError::Refused { name: NAME, why }.into()),
        Ok(_) => Err(ended_early(child).await),
        Err(_) => {
            let secs = patience.as_secs();
            Err(AgentError::NotReady { name: NAME, secs }.into())
        }
    }
}

/// The step that decides whether the program is ready; none when its output ends before.
async fn answer(
    lines: &mut Lines<ChildStdout>,
    stream: &mut Stream,
    input: &mpsc::Sender<String>,
) -> Option<Step> {
    while let Ok(Some(line)) = lines.next().await {
        let (Line::Whole(bytes) | Line::Cut(bytes)) = line else {
            continue;
        };
        for step in stream.line(&bytes) {
            match step {
                Step::Write(line) => {
                    let _full = input.try_send(line);
                }
                Step::Ready { .. } | Step::Lost | Step::Refused(_) => return Some(step),
                Step::Tell(_) | Step::Alive => {}
            }
        }
    }
    None
}

async fn ended_early(child: &mut Child) -> Trouble {
    let status = child.wait(Duration::from_secs(1)).await;
    let words = child.last_words().await;
    if is_lost(&words) {
        return Trouble::Lost;
    }
    let said = if words.is_empty() {
        words
    } else {
        format!(": {}", words.trim_end_matches('.'))
    };
    let how = how(status);
    Trouble::Error(AgentError::EndedEarly {
        name: NAME,
        how,
        said,
    })
}

fn home(setup: &Setup) -> Result<Home, AgentError> {
    Home::of(&setup.vars).ok_or_else(|| AgentError::Refused {
        name: NAME,
        why: "neither HOME nor CLAUDE_CONFIG_DIR is set, so it has no place for its records"
            .to_owned(),
    })
}

/// The brief, where the command line can name it.
async fn brief(start: &Start) -> Result<PathBuf, AgentError> {
    let path = start.scratch.join("brief.md");
    match tokio::fs::write(&path, &start.brief).await {
        Ok(()) => Ok(path),
        Err(source) => Err(AgentError::File { path, source }),
    }
}

/// Writes lines to the program beside the reading, until the channel ends: a program that does not
/// read must not keep us from reading what it says.
fn writer(mut stdin: ChildStdin) -> mpsc::Sender<String> {
    let (input, mut lines) = mpsc::channel::<String>(LINES_WAITING);
    tokio::spawn(async move {
        while let Some(mut line) = lines.recv().await {
            line.push('\n');
            // A closed pipe shows as the end of its output.
            if stdin.write_all(line.as_bytes()).await.is_err() {
                break;
            }
        }
    });
    input
}

/// What the choice of a record depends on.
struct Plan {
    home: Home,
    folder: PathBuf,
    /// Id for a session's first record.
    first: String,
    known: Option<Known>,
    history: History,
    tools: &'static [ToolSpec],
    version: Version,
    model: Option<String>,
}

impl Plan {
    /// The record to begin or take up; files are read and written off the async threads.
    async fn make(self) -> Result<(Begin, Totals), Trouble> {
        let made = tokio::task::spawn_blocking(move || self.choose()).await;
        match made {
            Ok(made) => made.map_err(Trouble::Error),
            Err(_) => Err(Trouble::Lost),
        }
    }

    fn choose(&self) -> Result<(Begin, Totals), AgentError> {
        if let Some(id) = self.usable() {
            // What it has cost before is the program's to know.
            return Ok((Begin::Resume(id), Totals::default()));
        }
        if self.history.is_empty() {
            let taken = self.home.record(&self.folder, &self.first).exists();
            let id = if taken { fresh() } else { self.first.clone() };
            return Ok((Begin::New(id), Totals::zero()));
        }
        let id = fresh();
        let text = self.render(&id);
        self.home.put(&self.folder, &id, &text)?;
        Ok((Begin::Resume(id), Totals::zero()))
    }

    /// The known record, when it is there and holds all that our history holds.
    fn usable(&self) -> Option<String> {
        let known = self.known.as_ref()?;
        let id = known.id.parse::<Uuid>().ok()?.to_string();
        let record = self.home.record(&self.folder, &id);
        let usable = record.is_file() && (known.seen || native::in_step(&record, &self.history));
        usable.then_some(id)
    }

    fn render(&self, id: &str) -> String {
        let folder = native::real(&self.folder);
        let time = jiff::Timestamp::now().to_string();
        let frame = Frame {
            id,
            folder: &folder,
            version: self.version.to_string(),
            time: &time,
            model: self.model.as_deref().unwrap_or("claude"),
            tools: self.tools,
        };
        transcript::render(&self.history, &frame, &mut Uuid::now_v7)
    }
}

fn fresh() -> String {
    Uuid::now_v7().to_string()
}

/// Keeps the setup alive for as long as its driver runs.
pub(super) type Shared = Arc<Setup>;

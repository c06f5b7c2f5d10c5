//! A running program: its lines become events, orders become lines, and it is ended when it does not end.

use std::process::ExitStatus;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;

use super::heard::Heard;
use super::launch::Ready;
use super::stream::{Step, Stream};
use super::{NAME, Patience};
use crate::agents::backend::{AgentEvent, Order};
use crate::agents::child::{Child, Line, Lines, how};
use crate::agents::pipe::{Came, Pipe};
use crate::domain::event::Status;

/// What becomes due when nothing happens before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Due {
    Terminate,
    Kill,
    /// Its output stays open although it was killed: a process outside its group holds it.
    GiveUp,
    /// It gave no sign of life.
    Dead,
}

/// How it was when the process was gone.
#[derive(Debug)]
pub(super) struct Gone {
    /// Whether its newest turn ended by its own word, so that its record holds all of it.
    pub(super) whole: bool,
    /// A prompt that it did not get.
    pub(super) again: Option<String>,
}

/// A program and what its turn needs.
pub(super) struct Live<'a> {
    child: Child,
    lines: Lines<tokio::process::ChildStdout>,
    input: Option<mpsc::Sender<String>>,
    stream: Stream,
    patience: Patience,
    pipe: &'a mut Pipe,
    heard: &'a mut Heard,
    /// A prompt that waits for a sign of life.
    held: Option<String>,
    /// A prompt it got behind others and has not said a line since.
    unheard: Option<String>,
    due: Option<(Instant, Due)>,
    whole: bool,
}

enum Event {
    Pipe(Came),
    Due(Due),
    Line(Line),
    End,
}

impl<'a> Live<'a> {
    pub(super) fn new(
        child: Child,
        ready: Ready,
        patience: Patience,
        pipe: &'a mut Pipe,
        heard: &'a mut Heard,
    ) -> Self {
        Self {
            child,
            lines: ready.lines,
            input: Some(ready.input),
            stream: ready.stream,
            patience,
            pipe,
            heard,
            held: None,
            unheard: None,
            due: None,
            whole: false,
        }
    }

    /// Plays turns until the process is gone.
    pub(super) async fn serve(mut self, prompt: String) -> Gone {
        self.send(&prompt);
        loop {
            match self.next().await {
                Event::Pipe(Came::Order(order)) => self.order(order),
                Event::Pipe(Came::Taken) => {}
                Event::Line(line) => self.line(line),
                Event::Due(Due::Dead | Due::GiveUp) | Event::End => return self.ended().await,
                Event::Due(due) => self.signal(due),
            }
        }
    }

    async fn next(&mut self) -> Event {
        let due = self.due;
        let at = due.map_or_else(Instant::now, |(at, _)| at);
        let full = self.pipe.is_full();
        tokio::select! {
            biased;
            came = self.pipe.next() => Event::Pipe(came),
            () = tokio::time::sleep_until(at), if due.is_some() => {
                Event::Due(due.map_or(Due::Kill, |(_, due)| due))
            }
            line = self.lines.next(), if !full => match line {
                Ok(Some(line)) => Event::Line(line),
                Ok(None) | Err(_) => Event::End,
            },
        }
    }

    fn order(&mut self, order: Order) {
        match order {
            Order::Prompt(text) => {
                self.held = Some(text);
                let sign = self.stream.sign();
                self.write(sign);
                self.within(self.patience.answer, Due::Dead);
            }
            Order::Answer { call, answer } => {
                let line = self.stream.answer(&call, answer);
                self.write_some(line);
            }
            Order::ToolResult { call, result } => {
                self.heard.result(&call, &result);
                let line = self.stream.tool_result(&call, &result);
                self.write_some(line);
            }
            Order::Interrupt => self.interrupt(),
            Order::Close => self.close_when_idle(),
            Order::Kill => {
                self.pipe.closing = true;
                let _told_already = self.stream.interrupt();
                self.signal(Due::Terminate);
            }
        }
    }

    fn send(&mut self, prompt: &str) {
        self.whole = false;
        self.heard.prompt(prompt);
        let line = self.stream.prompt(prompt);
        self.write(line);
    }

    fn interrupt(&mut self) {
        if let Some(prompt) = self.held.take() {
            // It never got this prompt.
            self.due = None;
            self.heard.prompt(&prompt);
            self.whole = false;
            self.tell(AgentEvent::Ended {
                status: Status::Interrupted,
                reason: None,
            });
        } else if let Some(line) = self.stream.interrupt() {
            self.write(line);
            self.within(self.patience.stop, Due::Terminate);
        }
    }

    fn close_when_idle(&mut self) {
        if !self.stream.in_turn() && self.held.is_none() {
            self.input = None;
            self.within(self.patience.stop, Due::Terminate);
        }
    }

    fn line(&mut self, line: Line) {
        let was_in_turn = self.stream.in_turn();
        self.unheard = None;
        let steps = match line {
            Line::Whole(bytes) | Line::Cut(bytes) => self.stream.line(&bytes),
            Line::TooLong { len, head } => vec![Step::Tell(AgentEvent::Raw {
                why: format!(
                    "a line of {len} bytes, above the limit of 16 MiB; its beginning is kept"
                ),
                bytes: head,
            })],
        };
        self.take(steps);
        if was_in_turn && !self.stream.in_turn() {
            self.whole = true;
            self.due = None;
            if self.pipe.closing {
                self.close_when_idle();
            }
        }
    }

    fn take(&mut self, steps: Vec<Step>) {
        for step in steps {
            match step {
                Step::Tell(event) => self.tell(event),
                Step::Write(line) => self.write(line),
                Step::Alive => {
                    if let Some(prompt) = self.held.take() {
                        self.due = None;
                        self.send(&prompt);
                        self.unheard = Some(prompt);
                    }
                }
                Step::Ready { .. } | Step::Lost | Step::Refused(_) => {}
            }
        }
    }

    fn tell(&mut self, event: AgentEvent) {
        self.heard.event(&event);
        self.pipe.tell(event);
    }

    fn write_some(&mut self, line: Option<String>) {
        if let Some(line) = line {
            self.write(line);
        }
    }

    fn write(&mut self, line: String) {
        let full = self.input.as_ref().is_some_and(|input| {
            matches!(
                input.try_send(line),
                Err(mpsc::error::TrySendError::Full(_))
            )
        });
        if full {
            // It reads no longer, so no answer of ours would reach it.
            self.signal(Due::Terminate);
        }
    }

    fn within(&mut self, patience: Duration, due: Due) {
        self.due = Some((Instant::now() + patience, due));
    }

    fn signal(&mut self, due: Due) {
        if due == Due::Terminate {
            self.child.terminate();
            self.within(self.patience.signal, Due::Kill);
        } else {
            self.child.kill();
            self.within(self.patience.signal, Due::GiveUp);
        }
    }

    /// Its output ended, or it gave no sign of life.
    async fn ended(mut self) -> Gone {
        let grace = self.patience.signal;
        let dead = self.held.is_some();
        let left = if dead {
            None
        } else {
            self.child.wait(grace).await
        };
        self.child.end(grace).await;
        let words = self.child.last_words().await;
        if self.stream.is_stopping() {
            self.take_cut(Status::Interrupted, None);
        } else if let Some(prompt) = self.unheard.take() {
            // It was on its way out when it got the prompt.
            self.heard.take_back();
            self.held = Some(prompt);
        } else {
            self.take_cut(Status::Failed, Some(why(left, &words)));
        }
        Gone {
            whole: self.whole,
            again: self.held.take(),
        }
    }

    fn take_cut(&mut self, status: Status, reason: Option<String>) {
        let steps = self.stream.cut(status, reason);
        self.take(steps);
    }
}

/// Why a turn was cut.
fn why(left: Option<ExitStatus>, words: &str) -> String {
    let ended = match left {
        None => format!("{NAME} closed its output while it still ran and was ended"),
        Some(_) => format!("{NAME} ended in the middle of the turn ({})", how(left)),
    };
    match words.trim_end_matches('.') {
        "" => format!("{ended}."),
        words => format!("{ended}: {words}."),
    }
}

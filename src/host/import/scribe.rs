//! Writes a history's turns as events of a log.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use crate::agents::histories::{Ended, History, Told, Turn};
use crate::domain::event::{Compacted, Usage};
use crate::domain::{Kind, Seq, SessionId, TurnNo};
use crate::log::{Inlet, LogError};

/// In the place of a prompt that is missing.
pub(super) const NO_PROMPT: &str = "(The prompt is missing in the history.)";

/// The end of a turn in a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) session: SessionId,
    /// Its last event.
    pub(super) seq: Seq,
    /// Its number; of a note, that of the turn before.
    pub(super) turn: TurnNo,
}

/// Why a turn could not be written.
enum Stop {
    Theirs(io::Error),
    Ours(LogError),
}

impl From<io::Error> for Stop {
    fn from(e: io::Error) -> Self {
        Self::Theirs(e)
    }
}

impl From<LogError> for Stop {
    fn from(e: LogError) -> Self {
        Self::Ours(e)
    }
}

impl Stop {
    fn of(self, path: &Path) -> LogError {
        match self {
            Self::Ours(e) => e,
            Self::Theirs(source) => LogError::Io {
                what: "read",
                path: path.to_owned(),
                source,
            },
        }
    }
}

/// The hand that writes.
pub(super) struct Scribe<'a, 'b, 'c> {
    history: &'a History,
    inlet: &'a mut Inlet<'b, 'c>,
    agent: &'a str,
    at: Place,
    /// Turns that were written.
    turns: u32,
}

/// What of a turn is written already.
struct Open {
    no: TurnNo,
    begun: bool,
    block: u32,
    /// When each call was made.
    calls: HashMap<String, i64>,
}

impl<'a, 'b, 'c> Scribe<'a, 'b, 'c> {
    pub(super) fn new(
        history: &'a History,
        inlet: &'a mut Inlet<'b, 'c>,
        agent: &'a str,
        at: Place,
    ) -> Self {
        Self {
            history,
            inlet,
            agent,
            at,
            turns: 0,
        }
    }

    /// Writes a turn; gives its end. `ends` says whether to break off.
    pub(super) fn turn(&mut self, turn: &Turn, ends: &dyn Fn() -> bool) -> Result<Place, LogError> {
        let written = if turn.silent {
            self.silent(turn)
        } else {
            self.whole(turn, ends)
        };
        written.map_err(|stop| stop.of(&self.history.about.path))?;
        Ok(self.at)
    }

    /// Says that all of it has been seen: nothing here is news. Gives how many turns there are.
    pub(super) fn end(self) -> Result<u32, LogError> {
        let upto = self.at.seq;
        self.inlet.push(0, Kind::Seen { upto })?;
        Ok(self.turns)
    }

    /// A command to the program is a note.
    fn silent(&mut self, turn: &Turn) -> Result<(), Stop> {
        let text = prompt(self.history, turn)?;
        let kind = Kind::Note { turn: None, text };
        self.at.seq = self.inlet.push(turn.ts, kind)?;
        Ok(())
    }

    fn whole(&mut self, turn: &Turn, ends: &dyn Fn() -> bool) -> Result<(), Stop> {
        let mut open = Open {
            no: self.at.turn + 1,
            begun: false,
            block: 0,
            calls: HashMap::new(),
        };
        let history = self.history;
        let ended = history.play(turn, &mut |ts, told| {
            if ends() {
                return Err(Stop::Theirs(io::Error::other("the host ends")));
            }
            self.begin(turn, &mut open, &told, ts)?;
            match open.kind(told, ts, self.inlet.next()) {
                Some(kind) => {
                    self.inlet.push(ts, kind)?;
                    Ok(())
                }
                None => Ok::<(), Stop>(()),
            }
        })?;
        self.finish(&open, ended)
    }

    /// Writes the prompt, and that an agent got it, before all else.
    fn begin(
        &mut self,
        turn: &Turn,
        open: &mut Open,
        told: &Told,
        ts: i64,
    ) -> Result<(), LogError> {
        if std::mem::replace(&mut open.begun, true) {
            return Ok(());
        }
        let text = match told {
            Told::Prompt(text) => text.as_str(),
            _ => NO_PROMPT,
        };
        let prompt = Kind::Prompt {
            turn: open.no,
            text: text.into(),
            queued: None,
        };
        self.inlet.push(ts, prompt)?;
        let started = Kind::TurnStarted {
            turn: open.no,
            agent: self.agent.to_owned(),
            agent_session: None,
            model: turn.model.clone(),
            resume: false,
        };
        self.inlet.push(ts, started).map(drop)
    }

    fn finish(&mut self, open: &Open, ended: Ended) -> Result<(), Stop> {
        if !open.begun {
            return Ok(());
        }
        let (turn, ts) = (open.no, ended.ts);
        if ended.usage != Usage::default() {
            let usage = ended.usage;
            self.inlet.push(ts, Kind::Usage { turn, usage })?;
        }
        let finished = Kind::TurnFinished {
            turn,
            status: ended.status,
            reason: ended.reason,
            events: 0,
            crc32: String::new(),
        };
        self.at.seq = self.inlet.push(ts, finished)?;
        self.at.turn = turn;
        self.turns += 1;
        Ok(())
    }
}

impl Open {
    /// The event for something in the turn; none for the prompt. `next` is the event's number.
    fn kind(&mut self, told: Told, ts: i64, next: Seq) -> Option<Kind> {
        let turn = self.no;
        Some(match told {
            Told::Prompt(_) => return None,
            Told::Words(text) => Kind::Message {
                turn,
                block: self.block(),
                text: text.into(),
            },
            Told::Thinking(text) => Kind::Thinking {
                turn,
                block: self.block(),
                text: text.into(),
            },
            Told::Call { call, name, input } => {
                self.calls.insert(call.clone(), ts);
                let input = input.into();
                Kind::ToolStarted {
                    turn,
                    call,
                    name,
                    input,
                }
            }
            Told::Result { call, ok, output } => {
                let ms = self.calls.remove(&call).map_or(0, |made| ts - made);
                Kind::ToolFinished {
                    turn,
                    call,
                    ok,
                    ms: u64::try_from(ms).unwrap_or_default(),
                    output: output.into(),
                }
            }
            Told::Compacted {
                summary,
                asked,
                before,
                after,
            } => Kind::Compacted(Compacted {
                turn,
                upto: next.saturating_sub(1),
                summary: summary.into(),
                // Not `agent`: the record that it was made in is not gone on with, and is not sent whole again.
                why: if asked { "asked" } else { "full" }.to_owned(),
                before,
                after,
                messages: None,
            }),
            Told::Note(text) => Kind::Note {
                turn: Some(turn),
                text,
            },
        })
    }

    fn block(&mut self) -> u32 {
        self.block += 1;
        self.block - 1
    }
}

/// The words that a turn begins with.
pub(super) fn prompt(history: &History, turn: &Turn) -> Result<String, LogError> {
    let mut first = String::new();
    let told = history.play(turn, &mut |_, told| {
        if let Told::Prompt(text) = told {
            first = text;
        }
        Ok::<(), io::Error>(())
    });
    told.map_err(|e| Stop::Theirs(e).of(&history.about.path))?;
    Ok(first)
}

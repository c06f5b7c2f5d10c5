//! The newest turn, the prompts behind it and the questions in it.

use serde::{Deserialize, Serialize};

use super::Head;
use crate::domain::event::{AgentStarted, Event, Kind, Process, Retry, Seq, Status, TurnNo, Usage};
use crate::domain::text::Text;

/// How long a title made from a prompt may get, in characters.
const TITLE_MAX: usize = 60;

/// The newest turn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Turn {
    /// Its number.
    pub no: TurnNo,
    /// When the prompt was logged, milliseconds since 1970.
    pub since: i64,
    /// The agent that got it.
    pub agent: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The agent's own id of the conversation.
    pub agent_session: Option<String>,
    /// Its process.
    pub process: Option<Process>,
    /// How it ended, and why; none while it is open.
    pub end: Option<(Status, Option<String>)>,
    /// Number of its newest event.
    pub last: Seq,
    /// When its newest event was logged, milliseconds since 1970.
    #[serde(default)]
    pub heard: i64,
    /// What the agent waits for before it tries again; none while it does not.
    #[serde(default)]
    pub pause: Option<Pause>,
    /// What it cost so far.
    #[serde(default)]
    pub spent: Usage,
}

/// A wait of the agent: its server is overloaded or limits it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pause {
    /// When it tries again, milliseconds since 1970.
    pub until: i64,
    /// Why, for a writer.
    pub why: String,
}

/// A prompt that waits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Waiting {
    /// Its number in this session.
    pub n: u32,
    /// The words.
    pub text: Text,
}

/// A question without an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Question {
    /// The call it is about.
    pub call: String,
    /// One line.
    pub what: String,
    /// The whole request as JSON.
    pub input: Text,
}

impl Head {
    pub(super) fn apply_turn(&mut self, event: &Event) {
        self.apply_queue(&event.kind);
        self.apply_question(&event.kind);
        if let Kind::Prompt { turn, text, .. } = &event.kind {
            self.begin(event, *turn, text);
        }
        let no = event.kind.turn();
        if let Some(turn) = self.turn.as_mut().filter(|t| no == Some(t.no)) {
            turn.apply(event);
        }
    }

    fn apply_queue(&mut self, kind: &Kind) {
        match kind {
            Kind::Queued { n, text } => {
                self.queued_ever = self.queued_ever.max(*n);
                let new = Waiting {
                    n: *n,
                    text: text.clone(),
                };
                self.queue.retain(|w| w.n != *n);
                let behind = self.queue.partition_point(|w| w.n < *n);
                self.queue.insert(behind, new);
            }
            Kind::Unqueued { n }
            | Kind::Prompt {
                queued: Some(n), ..
            } => self.queue.retain(|w| w.n != *n),
            _ => {}
        }
    }

    fn apply_question(&mut self, kind: &Kind) {
        match kind {
            Kind::Asked {
                call, what, input, ..
            } => self.asked.push(Question {
                call: call.clone(),
                what: what.clone(),
                input: input.clone(),
            }),
            Kind::Answered { call, .. } => self.asked.retain(|q| q.call != *call),
            Kind::TurnFinished { .. } => self.asked.clear(),
            _ => {}
        }
    }

    fn begin(&mut self, event: &Event, no: TurnNo, text: &Text) {
        if self.first_words.is_none() {
            self.first_words = Some(first_words(text.shown()));
        }
        self.turn = Some(Turn {
            no,
            since: event.ts,
            agent: None,
            model: None,
            agent_session: None,
            process: None,
            end: None,
            last: event.seq,
            heard: event.ts,
            pause: None,
            spent: Usage::default(),
        });
    }
}

impl Turn {
    /// Something of it was logged: it waits no more.
    pub(super) fn heard(&mut self, seq: Seq, ts: i64) {
        self.last = seq;
        self.heard = ts;
        self.pause = None;
    }

    /// Takes in one of its own events.
    fn apply(&mut self, event: &Event) {
        self.heard(event.seq, event.ts);
        match &event.kind {
            Kind::Retry(Retry { wait_ms, why, .. }) => {
                let wait = i64::try_from(*wait_ms).unwrap_or(i64::MAX);
                self.pause = Some(Pause {
                    until: event.ts.saturating_add(wait),
                    why: why.clone(),
                });
            }
            Kind::TurnStarted {
                agent,
                agent_session,
                model,
                ..
            } => {
                self.agent = Some(agent.clone());
                self.agent_session.clone_from(agent_session);
                self.model.clone_from(model);
            }
            Kind::AgentStarted(AgentStarted {
                process,
                agent_session,
                model,
                ..
            }) => {
                self.process = Some(process.clone());
                self.agent_session = agent_session.clone().or(self.agent_session.take());
                self.model = model.clone().or(self.model.take());
            }
            Kind::Usage { usage, .. } => self.spent.add(usage),
            Kind::TurnFinished { status, reason, .. } => {
                self.end = Some((*status, reason.clone()));
            }
            _ => {}
        }
    }
}

/// A title from a prompt: its first line, at most 60 characters, cut at a word.
fn first_words(prompt: &str) -> String {
    let line = prompt
        .lines()
        .map(str::trim)
        .find(|l| !l.is_empty())
        .unwrap_or("Untitled");
    if line.chars().count() <= TITLE_MAX {
        return line.to_owned();
    }
    let cut: String = line.chars().take(TITLE_MAX).collect();
    let whole = cut
        .rsplit_once(' ')
        .map_or(cut.as_str(), |(words, _)| words);
    format!("{}…", whole.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_prompt_names_a_session_by_whole_words() {
        let title = first_words(&format!("\n  {}", "word ".repeat(40)));
        assert!(title.ends_with("word…") && title.chars().count() <= TITLE_MAX);
    }

    #[test]
    fn the_first_prompt_names_an_untitled_session() {
        let mut head = Head::default();
        for (seq, text) in (0..).zip(["One.", "Two."]) {
            let kind = Kind::Prompt {
                turn: 1,
                text: text.into(),
                queued: None,
            };
            head.apply(&Event { seq, ts: 0, kind });
        }
        assert_eq!(head.title(), "One.");
    }

    #[test]
    fn prompts_wait_in_the_order_of_their_numbers_and_other_words_keep_the_place() {
        let mut head = Head::default();
        for (seq, (n, text)) in (0..).zip([(2, "b"), (3, "c"), (2, "B"), (0, "again")]) {
            let text = text.into();
            let kind = Kind::Queued { n, text };
            head.apply(&Event { seq, ts: 0, kind });
        }
        let waits: Vec<(u32, &str)> = head.queue.iter().map(|w| (w.n, w.text.shown())).collect();
        assert_eq!(waits, [(0, "again"), (2, "B"), (3, "c")]);
    }
}

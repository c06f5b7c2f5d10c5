//! The summary: made by the same model, in as many requests as the conversation needs to go through its window.

use std::collections::VecDeque;

use super::relay::{Next, next};
use super::{Over, Turn, begin};
use crate::agents::backend::{Agent, AgentEvent, Order, Start};
use crate::domain::History;
use crate::domain::event::{Status, Usage};
use crate::domain::message::{Message, Said};
use crate::text::{head, one_line, thousands, tokens, within};

/// What is asked of the model.
const ASK: &str = include_str!("../../../assets/compact.md");
/// How much of a call's argument and result a summary is made from, in bytes: the draft itself is not lost.
const CALL_MAX: usize = 400;
/// A request smaller than this makes no sense.
const ROOM_MIN: u64 = 64;

/// What is to be summarised.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ask {
    /// What stands for the time before.
    pub(super) summary: String,
    /// What was said since, oldest first.
    pub(super) parts: Vec<String>,
    /// What to keep above all; may be empty.
    pub(super) focus: String,
    /// What one request may hold, in tokens.
    pub(super) room: u64,
    /// How large the summary may get, in tokens.
    pub(super) most: u64,
}

/// How a request for a summary ended.
enum Made {
    Summary(String),
    /// It was too long itself.
    Full,
}

impl Ask {
    /// The whole of a request, with a part of what was said.
    fn text(&self, part: &str) -> String {
        let before = match self.summary.as_str() {
            "" => String::new(),
            summary => format!("[Summary of what came before:]\n\n{summary}\n\n"),
        };
        let focus = match self.focus.as_str() {
            "" => String::new(),
            focus => format!(" Above all, keep this: {focus}"),
        };
        let (words, ask) = (self.most * 3 / 5, ASK.trim_end());
        format!(
            "{before}[What was said:]\n\n{part}\n\n[Now:]\n\n{ask}\nAt most {words} words.{focus}"
        )
    }

    /// Room for what was said beside the rest of a request.
    fn left(&self) -> u64 {
        self.room.saturating_sub(tokens(&self.text("")) + 16)
    }
}

/// As much of what was said as fits; a part that is larger by itself is cut.
fn piece(parts: &mut VecDeque<String>, room: u64) -> String {
    let mut out = String::new();
    let mut left = room;
    while let Some(part) = parts.pop_front() {
        let size = tokens(&part) + 1;
        if size <= left {
            left -= size;
            out += &part;
            out.push_str("\n\n");
            continue;
        }
        if out.is_empty() {
            let begin = within(&part, left.max(1));
            let rest = part.get(begin.len()..).unwrap_or_default();
            out.push_str(begin);
            if !rest.is_empty() {
                parts.push_front(rest.to_owned());
            }
        } else {
            parts.push_front(part);
        }
        break;
    }
    out
}

/// A message as a summary is made from it. A call stands with its result: neither is cut off from the other.
pub(super) fn told(message: &Message) -> String {
    match message {
        Message::User(text) => format!("The writer: {text}"),
        Message::Agent(parts) => {
            let parts: Vec<String> = parts.iter().map(part).collect();
            format!("You: {}", parts.join("\n\n"))
        }
    }
}

fn part(said: &Said) -> String {
    match said {
        Said::Words(text) => text.clone(),
        Said::Call {
            name,
            input,
            output,
            ..
        } => format!(
            "(You called {name} with {}; result: {})",
            short(input),
            short(output)
        ),
    }
}

fn short(text: &str) -> String {
    let shown = one_line(head(text, CALL_MAX));
    let cut = if text.len() > CALL_MAX { "…" } else { "" };
    format!("{shown}{cut}")
}

/// A summary within its bound: a model that goes on for ever is cut behind a sentence.
fn bounded(text: &str, most: u64) -> &str {
    let text = text.trim();
    let begin = within(text, most);
    if begin.len() == text.len() {
        return text;
    }
    let end = begin.rfind(['.', '!', '?', '。', '！', '？', '\n']);
    let end = end.map(|at| {
        at + begin
            .get(at..)
            .and_then(|t| t.chars().next())
            .map_or(0, char::len_utf8)
    });
    end.and_then(|at| begin.get(..at))
        .unwrap_or(begin)
        .trim_end()
}

impl Turn {
    /// Makes the summary, in steps: the summary so far and the next part give the next one.
    pub(super) async fn summarise(&mut self, mut ask: Ask) -> Result<String, Over> {
        let first = self.blocks;
        let mut parts: VecDeque<String> = ask.parts.drain(..).collect();
        while !parts.is_empty() {
            if ask.left() < ROOM_MIN {
                return Err(Over::Failed(no_room(ask.room)));
            }
            let before = parts.clone();
            let piece = piece(&mut parts, ask.left());
            let text = ask.text(&piece);
            match self.request(&text).await? {
                Made::Summary(summary) => {
                    bounded(&summary, 2 * ask.most).clone_into(&mut ask.summary);
                }
                Made::Full => {
                    parts = before;
                    ask.room = tokens(&text) / 2;
                }
            }
        }
        // Their text is in the event that follows: what was shown of it meanwhile is superseded.
        if self.blocks > first {
            let (from, to) = (first, self.blocks - 1);
            self.pipe.tell(AgentEvent::Abandoned { from, to });
        }
        Ok(ask.summary)
    }

    /// One request. What it says is shown as a thought, not as a reply.
    async fn request(&mut self, text: &str) -> Result<Made, Over> {
        let start = Start {
            history: History::new(),
            tools: &[],
            allow: Vec::new(),
            ..self.start.clone()
        };
        let agent = begin(&self.backend, start, text).await;
        let mut agent = agent.ok_or(Over::Gone)?;
        let block = self.blocks;
        self.blocks += 1;
        let mut said = String::new();
        let (mut full, mut stopped) = (false, false);
        loop {
            match next(&mut self.pipe, &mut agent).await {
                Next::Order(order) => stopped |= stop(&agent, order).await,
                Next::Gone | Next::Event(AgentEvent::Ended { .. }) if stopped => {
                    return Err(Over::Stopped);
                }
                Next::Gone => return Err(not_made("it broke off")),
                Next::Event(AgentEvent::Ended { status, reason }) => {
                    return match status {
                        Status::Ok if said.trim().is_empty() => {
                            Err(not_made("the model said nothing"))
                        }
                        Status::Ok => Ok(Made::Summary(said)),
                        _ if full => Ok(Made::Full),
                        _ => Err(not_made(&reason.unwrap_or_default())),
                    };
                }
                Next::Event(AgentEvent::Delta { text, .. }) => {
                    said.push_str(&text);
                    self.pipe.tell(AgentEvent::Thinking { block, text });
                }
                Next::Event(AgentEvent::Full { .. }) => full = true,
                // It was given no tools, and would wait for an answer for ever.
                Next::Event(AgentEvent::ToolCall { name, .. }) if !stopped => {
                    drop(agent.orders.send(Order::Kill).await);
                    let name = one_line(head(&name, CALL_MAX));
                    return Err(not_made(&format!("the model called {name} instead")));
                }
                Next::Event(event) => self.aside(event),
            }
        }
    }

    /// What else is said meanwhile. Its tokens are spent; the conversation's own figures are not among them.
    fn aside(&mut self, event: AgentEvent) {
        match event {
            AgentEvent::Usage(usage) => self.pipe.tell(AgentEvent::Usage(Usage {
                context: None,
                in_use: None,
                window: None,
                guessed: false,
                ..usage
            })),
            AgentEvent::Retry { .. }
            | AgentEvent::Limit(_)
            | AgentEvent::Raw { .. }
            | AgentEvent::Note(_) => self.pipe.tell(event),
            _ => {}
        }
    }
}

/// Gives an order on to the request; whether it ends it.
async fn stop(agent: &Agent, order: Order) -> bool {
    let ends = matches!(order, Order::Interrupt | Order::Kill);
    if ends {
        // One that is gone is heard of at once.
        drop(agent.orders.send(order).await);
    }
    ends
}

fn not_made(why: &str) -> Over {
    let why = match why.trim().trim_end_matches('.') {
        "" => "no reason given",
        why => why,
    };
    Over::Failed(format!("The summary could not be made: {why}."))
}

fn no_room(room: u64) -> String {
    format!(
        "The summary could not be made: beside the brief a request has room for about {} tokens. Shorten the files of the brief, or choose a model with a larger window.",
        thousands(room)
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_call_stands_with_its_result_and_is_shortened() {
        let call = Said::Call {
            call: "c".into(),
            name: "write_draft".into(),
            input: "x".repeat(4_000),
            output: "saved as version 7".into(),
            ok: true,
        };
        let told = told(&Message::Agent(vec![Said::Words("I will.".into()), call]));
        assert!(told.starts_with("You: I will.\n\n(You called write_draft with xxx"));
        assert!(told.ends_with("…; result: saved as version 7)"));
        assert!(told.len() < 600);
    }

    #[test]
    fn a_summary_without_end_is_cut_behind_a_sentence() {
        assert_eq!(bounded(" Short. ", 100), "Short.");
        let long = "The ferry waits. ".repeat(100);
        let cut = bounded(&long, 50);
        assert!(cut.ends_with("waits.") && tokens(cut) <= 50);
        assert_eq!(bounded("江水慢慢流。人在岸上等待渡船", 8), "江水慢慢流。");
    }

    proptest! {
        #[test]
        fn nothing_is_left_out_and_no_piece_is_too_large(
            said in prop::collection::vec("[a-zé河 .]{0,300}", 0..20),
            room in 20u64..200,
        ) {
            let mut parts: VecDeque<String> = said.iter().cloned().collect();
            let mut all = String::new();
            while !parts.is_empty() {
                let piece = piece(&mut parts, room);
                prop_assert!(tokens(&piece) <= room + said.len() as u64);
                all += &piece;
            }
            let bare = |text: &str| text.replace('\n', "");
            prop_assert_eq!(bare(&all), bare(&said.concat()));
        }
    }
}

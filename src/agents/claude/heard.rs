//! What was said since the process was started, so that its record can be rendered anew at any time.

use crate::agents::backend::AgentEvent;
use crate::domain::message::{History, Message, Said};
use crate::domain::tool::ToolResult;

/// A history that grows.
#[derive(Clone, Default, Debug)]
pub(super) struct Heard {
    history: History,
    /// Parts of the running turn.
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Words {
        block: u32,
        text: String,
    },
    Call {
        call: String,
        name: String,
        input: String,
        result: Option<ToolResult>,
    },
}

impl Heard {
    /// From what was said before.
    pub(super) const fn new(history: History) -> Self {
        Self {
            history,
            parts: Vec::new(),
        }
    }

    /// All of it, the running turn left out.
    pub(super) const fn history(&self) -> &History {
        &self.history
    }

    /// A turn begins.
    pub(super) fn prompt(&mut self, text: &str) {
        self.history.push(Message::User(text.to_owned()));
    }

    /// The newest prompt was not heard after all.
    pub(super) fn take_back(&mut self) {
        if let Some(Message::User(_)) = self.history.last() {
            self.history.pop();
        }
    }

    /// The host ran a tool.
    pub(super) fn result(&mut self, about: &str, given: &ToolResult) {
        for part in &mut self.parts {
            if let Part::Call { call, result, .. } = part
                && call == about
            {
                *result = Some(given.clone());
            }
        }
    }

    /// The agent said something.
    pub(super) fn event(&mut self, event: &AgentEvent) {
        match event {
            AgentEvent::Delta { block, text } => self.words(*block, |t| t.push_str(text)),
            AgentEvent::Message { block, text } => self.words(*block, |t| t.clone_from(text)),
            AgentEvent::Abandoned { from, to } => {
                let void = from..=to;
                self.parts.retain(
                    |part| !matches!(part, Part::Words { block, .. } if void.contains(&block)),
                );
            }
            AgentEvent::ToolCall { call, name, input }
            | AgentEvent::ToolStarted { call, name, input } => {
                self.parts.push(Part::Call {
                    call: call.clone(),
                    name: name.clone(),
                    input: input.clone(),
                    result: None,
                });
            }
            AgentEvent::ToolFinished { call, ok, output } => {
                let (ok, output) = (*ok, output.clone());
                self.result(call, &ToolResult { ok, output });
            }
            AgentEvent::Ended { .. } => self.end(),
            _ => {}
        }
    }

    fn words(&mut self, number: u32, change: impl FnOnce(&mut String)) {
        let known = self.parts.iter_mut().find_map(|part| match part {
            Part::Words { block, text } if *block == number => Some(text),
            _ => None,
        });
        if let Some(text) = known {
            return change(text);
        }
        let (block, mut text) = (number, String::new());
        change(&mut text);
        self.parts.push(Part::Words { block, text });
    }

    fn end(&mut self) {
        let mut said: Vec<Said> = self.parts.drain(..).filter_map(Part::said).collect();
        if said.is_empty() {
            said.push(Said::Words("(No answer.)".to_owned()));
        }
        self.history.push(Message::Agent(said));
    }
}

impl Part {
    fn said(self) -> Option<Said> {
        match self {
            Self::Words { text, .. } => (!text.is_empty()).then_some(Said::Words(text)),
            Self::Call {
                call,
                name,
                input,
                result: Some(result),
            } => Some(Said::Call {
                call,
                name,
                input,
                output: result.output,
                ok: result.ok,
            }),
            Self::Call { input, .. } => Some(Said::Words(input)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::event::Status;

    #[test]
    fn a_turn_becomes_a_prompt_and_its_answer() {
        let mut heard = Heard::default();
        heard.prompt("Begin.");
        let delta = |block, text: &str| AgentEvent::Delta {
            block,
            text: text.into(),
        };
        heard.event(&delta(0, "Wr"));
        heard.event(&AgentEvent::Abandoned { from: 0, to: 0 });
        heard.event(&delta(1, "Ri"));
        heard.event(&AgentEvent::Message {
            block: 1,
            text: "Right.".into(),
        });
        heard.event(&AgentEvent::ToolCall {
            call: "c".into(),
            name: "read_draft".into(),
            input: "{}".into(),
        });
        let result = ToolResult {
            ok: true,
            output: "text".into(),
        };
        heard.result("c", &result);
        heard.event(&AgentEvent::Ended {
            status: Status::Ok,
            reason: None,
        });
        let call = Said::Call {
            call: "c".into(),
            name: "read_draft".into(),
            input: "{}".into(),
            output: "text".into(),
            ok: true,
        };
        let want = [
            Message::User("Begin.".into()),
            Message::Agent(vec![Said::Words("Right.".into()), call]),
        ];
        assert_eq!(heard.history(), &want);
    }
}

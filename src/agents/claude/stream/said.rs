//! The answer itself: pieces as they stream, finished blocks, results of tools.

use serde_json::Value;

use super::super::blocks::Holds;
use super::super::mcp;
use super::{Step, Stream, abandon};
use crate::agents::backend::AgentEvent;

/// The model that the program names for its own words.
const SYNTHETIC: &str = "<synthetic>";

impl Stream {
    /// A piece of the stream: a preview until the finished block comes.
    pub(super) fn event(&mut self, line: &Value, out: &mut Vec<Step>) {
        let event = &line["event"];
        self.totals.request(event);
        let index = event["index"].as_u64().unwrap_or(0);
        match event["type"].as_str().unwrap_or_default() {
            "message_start" => {
                let void = self.turn.blocks.message(event["message"]["id"].as_str());
                abandon(void, out);
            }
            "content_block_start" => self.begun(index, &event["content_block"], out),
            "content_block_delta" => self.piece(index, &event["delta"], out),
            "message_stop" => {
                if let Some(from) = line["abandoned_blocks"]["from_block_index"].as_u64() {
                    let void = self.turn.blocks.void_from(from);
                    abandon(void, out);
                }
            }
            _ => {}
        }
    }

    /// A finished block.
    pub(super) fn assistant(&mut self, line: &Value, out: &mut Vec<Step>) {
        if line["message"]["model"] == SYNTHETIC {
            return Self::synthetic(line, out);
        }
        let message = line["message"]["id"].as_str();
        for block in line["message"]["content"].as_array().into_iter().flatten() {
            self.finished(message, block, out);
        }
    }

    /// Words of the program itself. Those about an error come again as the reason of the turn's end.
    fn synthetic(line: &Value, out: &mut Vec<Step>) {
        if line["is_api_error_message"] == true || line["error"].is_string() {
            return;
        }
        let text = text_of(&line["message"]["content"]);
        if !text.is_empty() {
            out.push(Step::Tell(AgentEvent::Note(text)));
        }
    }

    /// Results of tools. Prompts come back here too and are ours already.
    pub(super) fn user(&mut self, line: &Value, out: &mut Vec<Step>) {
        for block in line["message"]["content"].as_array().into_iter().flatten() {
            if block["type"] == "tool_result" {
                self.tool_ended(block, out);
            }
        }
    }

    fn begun(&mut self, index: u64, block: &Value, out: &mut Vec<Step>) {
        let holds = holds(block);
        let first = match &holds {
            Holds::Words => block["text"].as_str(),
            Holds::Thinking => block["thinking"].as_str(),
            _ => None,
        };
        let first = first.unwrap_or_default().to_owned();
        self.turn.blocks.begin(index, holds.clone());
        self.tell_piece(index, &holds, first, out);
    }

    fn piece(&mut self, index: u64, delta: &Value, out: &mut Vec<Step>) {
        let text = |key: &str| delta[key].as_str().unwrap_or_default().to_owned();
        match delta["type"].as_str().unwrap_or_default() {
            "text_delta" => self.tell_piece(index, &Holds::Words, text("text"), out),
            "thinking_delta" => self.tell_piece(index, &Holds::Thinking, text("thinking"), out),
            "input_json_delta" => {
                let text = text("partial_json");
                if let Some((call, name)) =
                    self.turn.blocks.call(index).filter(|_| !text.is_empty())
                {
                    let (call, name) = (call.to_owned(), name.to_owned());
                    out.push(Step::Tell(AgentEvent::ToolDelta { call, name, text }));
                }
            }
            _ => {}
        }
    }

    fn tell_piece(&mut self, index: u64, holds: &Holds, text: String, out: &mut Vec<Step>) {
        if text.is_empty() {
            return;
        }
        let block = self.turn.blocks.piece(index, holds);
        out.push(Step::Tell(if *holds == Holds::Words {
            self.turn.spoke = true;
            AgentEvent::Delta { block, text }
        } else {
            AgentEvent::Thinking { block, text }
        }));
    }

    fn finished(&mut self, message: Option<&str>, block: &Value, out: &mut Vec<Step>) {
        let holds = holds(block);
        let done = self.turn.blocks.finish(message, &holds);
        abandon(done.void, out);
        let number = done.no;
        match holds {
            Holds::Words => {
                self.turn.spoke = true;
                let text = block["text"].as_str().unwrap_or_default().to_owned();
                out.push(Step::Tell(AgentEvent::Message {
                    block: number,
                    text,
                }));
            }
            Holds::Thinking if !done.streamed => {
                let text = block["thinking"].as_str().unwrap_or_default().to_owned();
                out.push(Step::Tell(AgentEvent::Thinking {
                    block: number,
                    text,
                }));
            }
            Holds::Call(call, name) => {
                self.turn.spoke = true;
                self.turn.announced.push((call, name));
            }
            Holds::Other if block["type"] == "tool_use" => self.others_call(block, out),
            Holds::Thinking | Holds::Other => {}
        }
    }

    fn others_call(&mut self, block: &Value, out: &mut Vec<Step>) {
        let call = block["id"].as_str().unwrap_or_default().to_owned();
        let name = block["name"].as_str().unwrap_or_default().to_owned();
        self.turn.spoke = true;
        self.turn.others.insert(call.clone());
        let input = block["input"].to_string();
        out.push(Step::Tell(AgentEvent::ToolStarted { call, name, input }));
    }

    fn tool_ended(&mut self, block: &Value, out: &mut Vec<Step>) {
        let call = block["tool_use_id"].as_str().unwrap_or_default().to_owned();
        let ok = block["is_error"] != true;
        let output = text_of(&block["content"]);
        let announced = self.turn.announced.iter().position(|(c, _)| *c == call);
        let (call, started) = if self.turn.others.remove(&call) {
            (call, None)
        } else if let Some(at) = announced {
            // A call of ours that the program refused by itself: the host has not heard of it.
            let (call, name) = self.turn.announced.remove(at);
            (call, Some(name))
        } else if call.is_empty() {
            self.turn.strays += 1;
            (
                format!("stray-{}", self.turn.strays),
                Some("tool".to_owned()),
            )
        } else {
            return;
        };
        if let Some(name) = started {
            let (call, input) = (call.clone(), "{}".to_owned());
            out.push(Step::Tell(AgentEvent::ToolStarted { call, name, input }));
        }
        out.push(Step::Tell(AgentEvent::ToolFinished { call, ok, output }));
    }
}

fn holds(block: &Value) -> Holds {
    match block["type"].as_str().unwrap_or_default() {
        "text" => Holds::Words,
        "thinking" => Holds::Thinking,
        "tool_use" => match mcp::ours(block["name"].as_str().unwrap_or_default()) {
            Some(name) => {
                let call = block["id"].as_str().unwrap_or_default();
                Holds::Call(call.to_owned(), name.to_owned())
            }
            None => Holds::Other,
        },
        _ => Holds::Other,
    }
}

/// The text of a result: a string, or the text blocks of a list.
pub(super) fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts = blocks.iter().map(|b| match b["text"].as_str() {
                Some(text) => text.to_owned(),
                None => format!("({})", b["type"].as_str().unwrap_or("not text")),
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

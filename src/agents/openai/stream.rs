//! The pure machine between the chunks of an answer and our events.

use std::collections::HashSet;

use serde_json::Value;

use super::request::Call;
use crate::agents::backend::AgentEvent;
use crate::domain::event::Usage;

/// State of a turn; it may take several requests.
#[derive(Debug, Default)]
pub(super) struct Stream {
    next: u32,
    /// The block being written.
    open: Option<Open>,
    /// Calls of this answer.
    calls: Vec<Growing>,
    /// Words of this answer.
    words: String,
    /// Ids of calls in this turn.
    used: HashSet<String>,
    usage: Usage,
    finish: Option<String>,
    done: bool,
    error: Option<String>,
    begun: bool,
}

#[derive(Debug)]
struct Open {
    block: u32,
    thinking: bool,
    text: String,
}

#[derive(Debug)]
struct Growing {
    /// The server's number and id, to find it again.
    index: Option<u64>,
    id: Option<String>,
    call: Call,
}

/// How an answer ended.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum End {
    /// Nothing more is wanted.
    Whole,
    /// The model waits for the results of these.
    Calls { words: String, calls: Vec<Call> },
    /// The server says why.
    Error(String),
    /// The stream stopped in the middle.
    Cut,
}

impl Stream {
    /// Whether anything of this turn was told: then nothing is tried again.
    pub(super) const fn has_begun(&self) -> bool {
        self.begun
    }

    /// How much was told: more than before when an answer has begun.
    pub(super) fn told(&self) -> (u32, usize) {
        (self.next, self.used.len())
    }

    /// What the turn cost so far.
    pub(super) const fn usage(&self) -> Usage {
        self.usage
    }

    /// Whether nothing of this answer will follow.
    pub(super) const fn is_done(&self) -> bool {
        self.done || self.error.is_some()
    }

    /// One event's data.
    pub(super) fn data(&mut self, name: &str, data: &str) -> Vec<AgentEvent> {
        let mut out = Vec::new();
        if data.trim() == "[DONE]" {
            self.done = true;
            return out;
        }
        let Ok(chunk) = serde_json::from_str::<Value>(&crate::text::mend::mend(data.as_bytes()))
        else {
            out.push(AgentEvent::Raw {
                why: "not JSON".to_owned(),
                bytes: data.as_bytes().to_vec(),
            });
            return out;
        };
        if name == "error" || chunk.get("error").is_some_and(|e| !e.is_null()) {
            self.error = Some(message(&chunk));
            return out;
        }
        self.count(&chunk["usage"]);
        let choice = &chunk["choices"][0];
        self.delta(&choice["delta"], &mut out);
        if let Some(finish) = choice["finish_reason"].as_str() {
            self.finish = Some(finish.to_owned());
        }
        out
    }

    /// The answer is over: the open block is closed, calls are told.
    pub(super) fn end(&mut self) -> (Vec<AgentEvent>, End) {
        let mut out = Vec::new();
        self.close(&mut out);
        if let Some(error) = self.error.take() {
            return (out, End::Error(error));
        }
        let finish = self.finish.take();
        if finish.is_none() && !self.done {
            return (out, End::Cut);
        }
        self.done = false;
        match finish.as_deref() {
            Some("length") => out.push(AgentEvent::Note(
                "The model reached its length limit: the answer is cut.".to_owned(),
            )),
            Some("content_filter") => out.push(AgentEvent::Note(
                "The server's filter cut the answer.".to_owned(),
            )),
            _ => {}
        }
        let words = std::mem::take(&mut self.words);
        let calls: Vec<Call> = self.calls.drain(..).map(|g| g.call).collect();
        if calls.is_empty() {
            return (out, End::Whole);
        }
        for Call { id, name, input } in calls.clone() {
            let call = id;
            let input = if input.trim().is_empty() {
                "{}".to_owned()
            } else {
                input
            };
            out.push(AgentEvent::ToolCall { call, name, input });
        }
        (out, End::Calls { words, calls })
    }

    fn delta(&mut self, delta: &Value, out: &mut Vec<AgentEvent>) {
        for key in ["reasoning_content", "reasoning"] {
            if let Some(text) = delta[key].as_str() {
                self.text(true, text, out);
                break;
            }
        }
        for key in ["content", "refusal"] {
            if let Some(text) = delta[key].as_str() {
                self.text(false, text, out);
            }
        }
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            self.call(call, out);
        }
    }

    fn text(&mut self, thinking: bool, text: &str, out: &mut Vec<AgentEvent>) {
        if text.is_empty() {
            return;
        }
        self.begun = true;
        if self.open.as_ref().is_some_and(|o| o.thinking != thinking) {
            self.close(out);
        }
        let next = &mut self.next;
        let open = self.open.get_or_insert_with(|| {
            *next += 1;
            Open {
                block: *next - 1,
                thinking,
                text: String::new(),
            }
        });
        open.text.push_str(text);
        let (block, text) = (open.block, text.to_owned());
        out.push(if thinking {
            AgentEvent::Thinking { block, text }
        } else {
            self.words.push_str(&text);
            AgentEvent::Delta { block, text }
        });
    }

    fn close(&mut self, out: &mut Vec<AgentEvent>) {
        if let Some(Open {
            block,
            thinking: false,
            text,
        }) = self.open.take()
        {
            out.push(AgentEvent::Message { block, text });
        }
    }

    fn call(&mut self, piece: &Value, out: &mut Vec<AgentEvent>) {
        self.begun = true;
        self.close(out);
        let at = self.place(piece);
        let Some(growing) = self.calls.get_mut(at) else {
            return;
        };
        let function = &piece["function"];
        if let Some(name) = function["name"]
            .as_str()
            .filter(|_| growing.call.name.is_empty())
        {
            name.clone_into(&mut growing.call.name);
        }
        let text = match &function["arguments"] {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            // Some servers give the argument as an object.
            other => other.to_string(),
        };
        growing.call.input.push_str(&text);
        if !text.is_empty() {
            out.push(AgentEvent::ToolDelta {
                call: growing.call.id.clone(),
                name: growing.call.name.clone(),
                text,
            });
        }
    }

    /// The call a piece belongs to: that of its number, else of its id, else the newest.
    fn place(&mut self, piece: &Value) -> usize {
        let index = piece["index"].as_u64();
        let id = piece["id"].as_str().filter(|id| !id.is_empty());
        let newest = self.calls.len().checked_sub(1);
        let known = match (index, id) {
            (Some(_), _) => self.calls.iter().position(|c| c.index == index),
            (None, Some(id)) => self.calls.iter().position(|c| c.id.as_deref() == Some(id)),
            (None, None) => newest,
        };
        // A second id under the same number is a second call all the same.
        let known = known.filter(|at| {
            let theirs = self.calls.get(*at).and_then(|c| c.id.as_deref());
            id.is_none() || theirs.is_none() || theirs == id
        });
        known.unwrap_or_else(|| {
            let ours = self.fresh(id);
            let (name, input) = (String::new(), String::new());
            self.calls.push(Growing {
                index,
                id: id.map(str::to_owned),
                call: Call {
                    id: ours,
                    name,
                    input,
                },
            });
            self.calls.len() - 1
        })
    }

    /// An id used once in the turn: some servers count anew in each answer.
    fn fresh(&mut self, id: Option<&str>) -> String {
        let base = id.unwrap_or("call");
        let mut fresh = base.to_owned();
        let mut n = 1;
        while !self.used.insert(fresh.clone()) {
            n += 1;
            fresh = format!("{base}-{n}");
        }
        fresh
    }

    fn count(&mut self, usage: &Value) {
        let mut add = |to: fn(&mut Usage) -> &mut Option<u64>, more: &Value| {
            if let Some(more) = more.as_u64() {
                *to(&mut self.usage).get_or_insert(0) += more;
            }
        };
        add(|u| &mut u.input, &usage["prompt_tokens"]);
        add(|u| &mut u.output, &usage["completion_tokens"]);
        add(
            |u| &mut u.cache_read,
            &usage["prompt_tokens_details"]["cached_tokens"],
        );
        if let Some(read) = usage["prompt_tokens"].as_u64() {
            let written = usage["completion_tokens"].as_u64().unwrap_or(0);
            self.usage.in_use = Some(read + written);
        }
        if let Some(cost) = usage["cost"].as_f64() {
            *self.usage.cost_usd.get_or_insert(0.0) += cost;
        }
    }
}

/// The words of an error, wherever a server puts them.
pub(super) fn message(body: &Value) -> String {
    let error = &body["error"];
    let places = [&error["message"], error, &body["message"], &body["detail"]];
    let said = places.iter().find_map(|p| p.as_str());
    said.map_or_else(|| body.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn chunk(delta: &Value) -> String {
        json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]}).to_string()
    }

    fn finish(reason: &str) -> String {
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}).to_string()
    }

    fn play(stream: &mut Stream, chunks: &[String]) -> Vec<AgentEvent> {
        chunks.iter().flat_map(|c| stream.data("", c)).collect()
    }

    #[test]
    fn reasoning_and_words_are_blocks_of_their_own() {
        let mut stream = Stream::default();
        let got = play(
            &mut stream,
            &[
                chunk(&json!({"role": "assistant", "content": "", "reasoning_content": "hm"})),
                chunk(&json!({"content": "Yes"})),
                chunk(&json!({"content": "."})),
                finish("stop"),
            ],
        );
        let delta = |text: &str| AgentEvent::Delta {
            block: 1,
            text: text.into(),
        };
        let thinking = AgentEvent::Thinking {
            block: 0,
            text: "hm".into(),
        };
        assert_eq!(got, [thinking, delta("Yes"), delta(".")]);
        let message = AgentEvent::Message {
            block: 1,
            text: "Yes.".into(),
        };
        assert_eq!(stream.end(), (vec![message], End::Whole));
    }

    #[test]
    fn pieces_of_two_calls_are_put_together_by_number() {
        let mut stream = Stream::default();
        let piece = |v: Value| chunk(&json!({"tool_calls": [v]}));
        play(
            &mut stream,
            &[
                piece(
                    json!({"index": 0, "id": "a", "function": {"name": "read_draft", "arguments": ""}}),
                ),
                piece(
                    json!({"index": 1, "id": "b", "function": {"name": "write_draft", "arguments": "{\"te"}}),
                ),
                piece(json!({"index": 1, "function": {"arguments": "xt\":\"n\"}"}})),
                finish("tool_calls"),
            ],
        );
        let (events, end) = stream.end();
        let want = [
            AgentEvent::ToolCall {
                call: "a".into(),
                name: "read_draft".into(),
                input: "{}".into(),
            },
            AgentEvent::ToolCall {
                call: "b".into(),
                name: "write_draft".into(),
                input: "{\"text\":\"n\"}".into(),
            },
        ];
        assert_eq!(events, want);
        assert!(matches!(end, End::Calls { calls, .. } if calls.len() == 2));
    }

    #[test]
    fn ids_that_come_again_are_made_new() {
        let mut stream = Stream::default();
        let call = chunk(
            &json!({"tool_calls": [{"index": 0, "id": "call_0", "function": {"name": "x", "arguments": {}}}]}),
        );
        for want in ["call_0", "call_0-2"] {
            play(&mut stream, &[call.clone(), finish("tool_calls")]);
            let (events, _) = stream.end();
            assert!(
                matches!(&events[..], [AgentEvent::ToolCall { call, .. }] if call == want),
                "{events:?}"
            );
        }
    }

    #[test]
    fn an_error_in_the_stream_is_shown() {
        let mut stream = Stream::default();
        stream.data(
            "",
            &json!({"error": {"message": "out of memory"}}).to_string(),
        );
        assert_eq!(stream.end().1, End::Error("out of memory".into()));
    }

    #[test]
    fn a_stream_without_an_end_is_cut_and_its_words_are_kept() {
        let mut stream = Stream::default();
        play(&mut stream, &[chunk(&json!({"content": "Half"}))]);
        let message = AgentEvent::Message {
            block: 0,
            text: "Half".into(),
        };
        assert_eq!(stream.end(), (vec![message], End::Cut));
    }

    #[test]
    fn the_costs_of_all_requests_of_a_turn_are_added() {
        let mut stream = Stream::default();
        for _ in 0..2 {
            stream.data("", &json!({"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2, "cost": 0.5}}).to_string());
        }
        let usage = stream.usage();
        assert_eq!(
            (usage.input, usage.output, usage.cost_usd, usage.cache_read),
            (Some(10), Some(4), Some(1.0), None)
        );
    }

    #[test]
    fn a_length_limit_is_said() {
        let mut stream = Stream::default();
        play(&mut stream, &[finish("length")]);
        assert!(matches!(&stream.end().0[..], [AgentEvent::Note(n)] if n.contains("length")));
    }
}

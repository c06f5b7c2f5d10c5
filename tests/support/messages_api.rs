//! A scripted stand-in for the Messages API, as far as the Claude Code command line uses it.

use serde_json::{Value, json};
use tokio::sync::watch;

use super::http::{Answer, Frame, Request, Server};

/// Part of an answer.
#[derive(Clone, Debug)]
pub enum Part {
    /// Words, so many milliseconds apart.
    Text(Vec<String>, u64),
    /// Reasoning.
    Thinking(Vec<String>, u64),
    /// A call; its argument streams in pieces of so many characters.
    Tool {
        id: String,
        name: String,
        input: Value,
        piece: usize,
        ms: u64,
    },
    /// Silence, in milliseconds.
    Stall(u64),
    /// Silence until this is true.
    Gate(watch::Receiver<bool>),
    /// The connection breaks in the middle of the block before.
    Cut,
    /// An error in the stream.
    Error(&'static str),
}

/// `w1 `, `w2 `, … so many milliseconds apart.
pub fn numbered(n: usize, ms: u64) -> Part {
    Part::Text((1..=n).map(|i| format!("w{i} ")).collect(), ms)
}

/// Words at once.
pub fn text(words: &str) -> Part {
    Part::Text(words.split_inclusive(' ').map(str::to_owned).collect(), 0)
}

/// A call, its argument in pieces of ten characters.
pub fn tool(id: &str, name: &str, input: &Value) -> Part {
    Part::Tool {
        id: id.to_owned(),
        name: name.to_owned(),
        input: input.clone(),
        piece: 10,
        ms: 1,
    }
}

/// Starts a server that answers each request for a message by the script: request and its number among
/// those. Everything else gets 404.
pub async fn start(script: impl Fn(&Value, usize) -> Answer + Send + Sync + 'static) -> Server {
    let count = std::sync::atomic::AtomicUsize::new(0);
    Server::start(move |request, _| {
        if !is_message(request) {
            return error(404, "not_found_error");
        }
        let n = count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        script(&request.body, n)
    })
    .await
}

/// Whether a request is for a message.
pub fn is_message(request: &Request) -> bool {
    request.path.ends_with("/v1/messages") && request.method == "POST"
}

/// The requests for messages so far.
pub fn asked(server: &Server) -> Vec<Request> {
    server.requests().into_iter().filter(is_message).collect()
}

/// An answer that is not a message. 429 takes a delay: `.with("retry-after", 1)`.
pub fn error(status: u16, kind: &str) -> Answer {
    let error = json!({"type": kind, "message": format!("scripted {kind}")});
    Answer::json(status, &json!({"type": "error", "error": error}))
}

/// A message, as a stream or whole as the request wants it.
pub fn message(request: &Value, parts: &[Part]) -> Answer {
    if request["stream"] == true {
        Answer::events(frames(request, parts))
    } else {
        Answer::json(200, &whole(request, parts))
    }
}

fn frames(request: &Value, parts: &[Part]) -> Vec<Frame> {
    let mut out = vec![event(
        &json!({"type": "message_start", "message": head(request)}),
    )];
    let mut index = 0;
    let mut pause = 0;
    let mut gate = None;
    for (n, part) in parts.iter().enumerate() {
        match part {
            Part::Stall(ms) => {
                pause = *ms;
                continue;
            }
            Part::Gate(closed) => {
                gate = Some(closed.clone());
                continue;
            }
            Part::Cut => {
                out.push(Frame::cut());
                return out;
            }
            Part::Error(kind) => {
                let error = json!({"type": kind, "message": format!("scripted {kind}")});
                out.push(event(&json!({"type": "error", "error": error})));
                return out;
            }
            _ => {}
        }
        let (block, deltas, ms) = block(part);
        let mut begin =
            event(&json!({"type": "content_block_start", "index": index, "content_block": block}));
        begin.wait = std::time::Duration::from_millis(std::mem::take(&mut pause));
        begin.gate = gate.take();
        out.push(begin);
        for delta in deltas {
            let line = json!({"type": "content_block_delta", "index": index, "delta": delta});
            out.push(Frame::delta(sse(&line), ms));
        }
        if !matches!(parts.get(n + 1), Some(Part::Cut | Part::Error(_))) {
            out.push(event(
                &json!({"type": "content_block_stop", "index": index}),
            ));
        }
        index += 1;
    }
    let usage = json!({"output_tokens": 8});
    let delta = json!({"stop_reason": stop(parts), "stop_sequence": null});
    out.push(event(
        &json!({"type": "message_delta", "delta": delta, "usage": usage}),
    ));
    out.push(event(&json!({"type": "message_stop"})));
    out
}

/// The empty block, its deltas, and the time between them.
fn block(part: &Part) -> (Value, Vec<Value>, u64) {
    match part {
        Part::Text(words, ms) => {
            let delta = |w: &String| json!({"type": "text_delta", "text": w});
            (
                json!({"type": "text", "text": ""}),
                words.iter().map(delta).collect(),
                *ms,
            )
        }
        Part::Thinking(words, ms) => {
            let delta = |w: &String| json!({"type": "thinking_delta", "thinking": w});
            let mut deltas: Vec<Value> = words.iter().map(delta).collect();
            deltas.push(json!({"type": "signature_delta", "signature": "c2NyaXB0"}));
            (
                json!({"type": "thinking", "thinking": "", "signature": ""}),
                deltas,
                *ms,
            )
        }
        Part::Tool {
            id,
            name,
            input,
            piece,
            ms,
        } => {
            let text: Vec<char> = input.to_string().chars().collect();
            let delta = |c: &[char]| json!({"type": "input_json_delta", "partial_json": c.iter().collect::<String>()});
            let deltas = text.chunks(*piece).map(delta).collect();
            (
                json!({"type": "tool_use", "id": id, "name": name, "input": {}}),
                deltas,
                *ms,
            )
        }
        Part::Stall(_) | Part::Gate(_) | Part::Cut | Part::Error(_) => unreachable!("no block"),
    }
}

fn whole(request: &Value, parts: &[Part]) -> Value {
    let content = parts.iter().filter_map(|part| match part {
        Part::Text(words, _) => Some(json!({"type": "text", "text": words.concat()})),
        Part::Thinking(words, _) => {
            Some(json!({"type": "thinking", "thinking": words.concat(), "signature": "c2NyaXB0"}))
        }
        Part::Tool {
            id, name, input, ..
        } => Some(json!({"type": "tool_use", "id": id, "name": name, "input": input})),
        Part::Stall(_) | Part::Gate(_) | Part::Cut | Part::Error(_) => None,
    });
    let mut message = head(request);
    message["content"] = content.collect();
    message["stop_reason"] = json!(stop(parts));
    message
}

fn head(request: &Value) -> Value {
    json!({
        "id": format!("msg_{}", uuid::Uuid::now_v7().simple()),
        "type": "message",
        "role": "assistant",
        "model": request["model"],
        "content": [],
        "stop_reason": null,
        "stop_sequence": null,
        "usage": {"input_tokens": 100, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 1},
    })
}

fn stop(parts: &[Part]) -> &'static str {
    let calls = parts.iter().any(|p| matches!(p, Part::Tool { .. }));
    if calls { "tool_use" } else { "end_turn" }
}

fn event(value: &Value) -> Frame {
    Frame::new(sse(value))
}

fn sse(value: &Value) -> String {
    format!(
        "event: {}\ndata: {value}\n\n",
        value["type"].as_str().unwrap()
    )
}

/// The conversation a request holds: role and text of each message, calls and results in short; what the
/// program adds by itself (reminders, notes about the surroundings) left out.
pub fn conversation(request: &Value) -> Vec<String> {
    let messages = request["messages"].as_array().unwrap();
    let mut out = Vec::new();
    for message in messages.iter().filter(|m| m["role"] != "system") {
        let role = message["role"].as_str().unwrap();
        let blocks = match &message["content"] {
            Value::String(text) => vec![json!({"type": "text", "text": text})],
            other => other.as_array().unwrap().clone(),
        };
        for block in blocks {
            let said = match block["type"].as_str().unwrap() {
                "text" => block["text"].as_str().unwrap().to_owned(),
                "tool_use" => format!(
                    "call {} {}",
                    block["name"].as_str().unwrap(),
                    block["input"]
                ),
                "tool_result" => format!("result {}", result(&block["content"])),
                other => other.to_owned(),
            };
            if !said.starts_with("<system-reminder>") {
                out.push(format!("{role}: {said}"));
            }
        }
    }
    out
}

fn result(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        other => other[0]["text"].as_str().unwrap_or_default().to_owned(),
    }
}

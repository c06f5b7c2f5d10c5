//! A scripted stand-in for a server of the chat completions interface.

use serde_json::{Value, json};

use super::http::{Answer, Frame, Server};

/// Starts a server: a list of models, and completions by the script (request and its number among those).
pub async fn start(
    models: &'static [&'static str],
    script: impl Fn(&Value, usize) -> Answer + Send + Sync + 'static,
) -> Server {
    let count = std::sync::atomic::AtomicUsize::new(0);
    Server::start(move |request, _| match request.path.as_str() {
        "/v1/models" => {
            let data: Vec<Value> = models
                .iter()
                .map(|m| json!({"id": m, "object": "model"}))
                .collect();
            Answer::json(200, &json!({"object": "list", "data": data}))
        }
        "/v1/chat/completions" => {
            let n = count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            script(&request.body, n)
        }
        _ => error(404, "no such address"),
    })
    .await
}

/// A refusal.
pub fn error(status: u16, message: &str) -> Answer {
    Answer::json(
        status,
        &json!({"error": {"message": message, "type": "scripted"}}),
    )
}

/// A chunk of a stream.
pub fn chunk(delta: &Value, finish: Option<&str>) -> String {
    let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
    data(&json!({"id": "c", "object": "chat.completion.chunk", "choices": [choice]}))
}

/// One event.
pub fn data(value: &Value) -> String {
    format!("data: {value}\n\n")
}

/// `w1 `, `w2 `, … so many milliseconds apart.
pub fn numbered(n: usize, ms: u64) -> Vec<Frame> {
    let piece = |i| Frame::delta(chunk(&json!({"content": format!("w{i} ")}), None), ms);
    (1..=n).map(piece).collect()
}

/// Words at once.
pub fn words(text: &str) -> Vec<Frame> {
    let pieces = text.split_inclusive(' ');
    pieces
        .map(|w| Frame::delta(chunk(&json!({"content": w}), None), 0))
        .collect()
}

/// Reasoning at once.
pub fn thinking(text: &str) -> Vec<Frame> {
    vec![Frame::delta(
        chunk(&json!({"reasoning_content": text}), None),
        0,
    )]
}

/// A call; its argument in pieces of ten characters.
pub fn call(index: u64, id: &str, name: &str, input: &Value) -> Vec<Frame> {
    let function = json!({"name": name, "arguments": ""});
    let first = json!({"index": index, "id": id, "type": "function", "function": function});
    let mut out = vec![Frame::new(chunk(&json!({"tool_calls": [first]}), None))];
    let text: Vec<char> = input.to_string().chars().collect();
    for piece in text.chunks(10) {
        let piece: String = piece.iter().collect();
        let piece = json!({"index": index, "function": {"arguments": piece}});
        out.push(Frame::delta(
            chunk(&json!({"tool_calls": [piece]}), None),
            1,
        ));
    }
    out
}

/// A stream of those frames with its end.
pub fn stream(parts: Vec<Vec<Frame>>, finish: &str) -> Answer {
    let mut frames: Vec<Frame> = parts.into_iter().flatten().collect();
    frames.push(Frame::new(chunk(&json!({}), Some(finish))));
    frames.push(Frame::new(data(
        &json!({"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 4}}),
    )));
    frames.push(Frame::new("data: [DONE]\n\n"));
    Answer::events(frames)
}

/// A stream that breaks after those frames.
pub fn cut(parts: Vec<Vec<Frame>>) -> Answer {
    let mut frames: Vec<Frame> = parts.into_iter().flatten().collect();
    frames.push(Frame::cut());
    Answer::events(frames)
}

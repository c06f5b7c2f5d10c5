//! A conversation that a server finds longer than the model's window: how each says so.

use serde_json::Value;

use super::stream::message;

/// What the servers in use write where a request does not fit, in small letters.
const SAID: [&str; 12] = [
    // OpenAI and those that copy it, as `code`; llama.cpp, as `type`.
    "context_length_exceeded",
    "exceed_context_size",
    // OpenAI, vLLM: "This model's maximum context length is 8192 tokens. However, …".
    "maximum context length",
    // vLLM, newer: "The decoder prompt (length 9000) is longer than the maximum model length of 8192."
    "longer than the maximum model length",
    // llama.cpp: "the request exceeds the available context size".
    "exceeds the available context size",
    // Ollama, LM Studio.
    "input length exceeds",
    "exceeds the context length",
    "greater than the context length",
    "exceed context window",
    // Gateways to Anthropic's and Google's models.
    "prompt is too long",
    "input token count",
    // Mistral, Groq, Together, Fireworks.
    "reduce the length of the messages",
];

/// Names before the size of a window in an error's words.
const SIZED: [&str; 4] = [
    "maximum context length is ",
    "maximum model length of ",
    "context size (",
    "context length of ",
];

/// A refusal for its length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Full {
    /// The window as the refusal names it, in tokens.
    pub(super) window: Option<u64>,
}

/// Whether a refusal is about the length of the conversation.
pub(super) fn of(body: &[u8]) -> Option<Full> {
    let text = String::from_utf8_lossy(body).to_lowercase();
    if !SAID.iter().any(|said| text.contains(said)) {
        return None;
    }
    let json = serde_json::from_slice::<Value>(body).unwrap_or_default();
    let named = json["error"]["n_ctx"].as_u64().or(json["n_ctx"].as_u64());
    let said = message(&json).to_lowercase();
    let window = named.or_else(|| SIZED.iter().find_map(|name| number(&said, name)));
    Some(Full {
        window: window.filter(|n| *n > 0),
    })
}

fn number(said: &str, name: &str) -> Option<u64> {
    let (_, rest) = said.split_once(name)?;
    let digits: String = rest
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == ',')
        .filter(char::is_ascii_digit)
        .collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_server_is_understood() {
        for (body, window) in [
            (
                r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
                Some(8192),
            ),
            (
                r#"{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5000,"n_ctx":4096}}"#,
                Some(4096),
            ),
            (
                r#"{"object":"error","message":"The decoder prompt (length 9000) is longer than the maximum model length of 8,192. Make sure…","type":"BadRequestError","code":400}"#,
                Some(8192),
            ),
            (
                r#"{"error":"input length exceeds maximum context length"}"#,
                None,
            ),
            (
                r#"{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
                None,
            ),
        ] {
            assert_eq!(of(body.as_bytes()), Some(Full { window }), "{body}");
        }
    }

    #[test]
    fn other_refusals_are_not_about_length() {
        for body in [
            r#"{"error":{"message":"model 'x' not found"}}"#,
            r#"{"error":{"message":"max_tokens is too large"}}"#,
            "<html>",
        ] {
            assert_eq!(of(body.as_bytes()), None, "{body}");
        }
    }
}

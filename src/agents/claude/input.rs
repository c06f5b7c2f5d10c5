//! Lines written to the program.

use serde_json::{Value, json};

use crate::domain::compact;

/// A prompt, exactly as given: the texts of its blocks together are its bytes.
pub(super) fn prompt(text: &str) -> String {
    let block = |text: &&str| json!({"type": "text", "text": text});
    let content: Vec<Value> = parts(text).iter().map(block).collect();
    json!({
        "type": "user",
        "message": {"role": "user", "content": content},
        "parent_tool_use_id": null,
        "session_id": "",
    })
    .to_string()
}

/// A prompt that begins with a slash is cut behind it. In one piece the program would take it for a command
/// of its own, and `/clear` would empty the record; in two it passes it on (seen with 2.1.332). The order for a
/// summary alone is one of its commands, and is meant as that.
fn parts(text: &str) -> Vec<&str> {
    if compact::focus(text).is_some() {
        return vec![text];
    }
    let slash = text.len() - text.trim_start().len();
    match text.split_at_checked(slash + 1) {
        Some((head, rest)) if head.ends_with('/') && !rest.trim().is_empty() => vec![head, rest],
        _ => vec![text],
    }
}

/// A request of ours.
pub(super) fn request(id: &str, request: &Value) -> String {
    json!({"type": "control_request", "request_id": id, "request": request}).to_string()
}

/// The answer to a request of theirs.
pub(super) fn response(id: &str, response: &Value) -> String {
    json!({
        "type": "control_response",
        "response": {"subtype": "success", "request_id": id, "response": response},
    })
    .to_string()
}

/// The refusal of a request of theirs, so that it does not wait for ever.
pub(super) fn refusal(id: &str, why: &str) -> String {
    json!({
        "type": "control_response",
        "response": {"subtype": "error", "request_id": id, "error": why},
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn a_prompt_is_one_line_and_exact() {
        let text = "a\nb\u{2028}\"\\\u{0}/compact";
        let line = prompt(text);
        assert!(!line.contains('\n'));
        let back: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(back["message"]["content"][0]["text"], text);
    }

    #[test]
    fn the_order_for_a_summary_is_the_one_command() {
        for order in ["/compact", "/compact the ferry", " /compact\n"] {
            assert_eq!(parts(order), [order]);
        }
        assert_eq!(parts("/compacted"), ["/", "compacted"]);
    }

    #[test]
    fn a_prompt_with_a_slash_first_is_no_command() {
        assert_eq!(parts("/clear all"), ["/", "clear all"]);
        assert_eq!(parts(" /clear"), [" /", "clear"]);
        assert_eq!(parts("/ "), ["/ "]);
        assert_eq!(parts("a / b"), ["a / b"]);
        assert_eq!(parts("  é"), ["  é"]);
        assert_eq!(parts(""), [""]);
    }
}

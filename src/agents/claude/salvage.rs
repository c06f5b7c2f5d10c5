//! What a process that outlived its host saved of an answer.

use serde_json::Value;

use crate::text::mend::mend;

/// Ends of a message after which the answer is whole.
const WHOLE: [&str; 4] = ["end_turn", "stop_sequence", "max_tokens", "refusal"];

/// The words of the answer to that prompt, when the record holds a whole one and the prompt is its newest.
pub(super) fn answer(record: &[u8], prompt: &str) -> Option<String> {
    let entries = after_prompt(record, prompt)?;
    let said: Vec<&Value> = entries.iter().filter(|e| is_said(e)).collect();
    let end = said.last()?["message"]["stop_reason"].as_str()?;
    if !WHOLE.contains(&end) {
        return None;
    }
    let texts = said.iter().flat_map(|e| texts(&e["message"]["content"]));
    let words: Vec<String> = texts.filter(|t| !t.is_empty()).collect();
    (!words.is_empty()).then(|| words.join("\n\n"))
}

/// The entries behind the newest prompt of a record; none when that prompt is another one. Lines that
/// cannot be read, as a torn last one, are passed over.
pub(super) fn after_prompt(record: &[u8], prompt: &str) -> Option<Vec<Value>> {
    let mut newest = None;
    let mut after = Vec::new();
    for line in record.split(|b| *b == b'\n') {
        let Ok(entry) = serde_json::from_str::<Value>(&mend(line)) else {
            continue;
        };
        if entry["isSidechain"] == true {
            continue;
        }
        if let Some(text) = prompt_of(&entry) {
            newest = Some(text);
            after.clear();
        } else {
            after.push(entry);
        }
    }
    // The record holds what the program made of the prompt's bytes: half characters are mended in it.
    (newest.as_deref() == Some(prompt)).then_some(after)
}

/// The words of a prompt; none for all other entries: results of tools, notes of an interrupt, summaries.
fn prompt_of(entry: &Value) -> Option<String> {
    let noted = entry["isMeta"] == true || entry["isCompactSummary"] == true;
    if entry["type"] != "user" || noted {
        return None;
    }
    let content = &entry["message"]["content"];
    let results = content.as_array().into_iter().flatten();
    if results.into_iter().any(|b| b["type"] == "tool_result") {
        return None;
    }
    let text = texts(content).join("");
    (!text.starts_with("[Request interrupted by user")).then_some(text)
}

fn is_said(entry: &Value) -> bool {
    entry["type"] == "assistant" && entry["isApiErrorMessage"] != true
}

fn texts(content: &Value) -> Vec<String> {
    match content {
        Value::String(text) => vec![text.clone()],
        Value::Array(blocks) => {
            let texts = blocks.iter().filter(|b| b["type"] == "text");
            texts
                .filter_map(|b| b["text"].as_str().map(str::to_owned))
                .collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn record(entries: &[Value]) -> Vec<u8> {
        let lines: Vec<String> = entries.iter().map(|e| format!("{e}\n")).collect();
        lines.concat().into_bytes()
    }

    fn user(content: &Value) -> Value {
        json!({"type": "user", "message": {"content": content}})
    }

    fn said(text: &str, stop: Option<&str>) -> Value {
        json!({"type": "assistant", "message": {"content": [{"type": "text", "text": text}], "stop_reason": stop}})
    }

    #[test]
    fn a_whole_answer_to_that_prompt_is_read_back() {
        let prompt = json!([{"type": "text", "text": "Go on."}]);
        let result = json!([{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]);
        let mut bytes = record(&[
            user(&json!("Begin.")),
            said("One.", Some("end_turn")),
            user(&prompt),
            said("I write.", Some("tool_use")),
            user(&result),
            json!({"type": "attachment"}),
            said("Done.", Some("end_turn")),
        ]);
        bytes.extend_from_slice(b"{\"type\":\"assis");
        assert_eq!(answer(&bytes, "Go on."), Some("I write.\n\nDone.".into()));
        assert_eq!(answer(&bytes, "Begin."), None);
    }

    #[test]
    fn a_cut_answer_is_not_read_back() {
        let bytes = record(&[
            user(&json!("Go on.")),
            said("Half", None),
            user(&json!([{"type": "text", "text": "[Request interrupted by user]"}])),
        ]);
        assert_eq!(answer(&bytes, "Go on."), None);
        let bytes = record(&[user(&json!("Go on.")), said("x", Some("tool_use"))]);
        assert_eq!(answer(&bytes, "Go on."), None);
        assert_eq!(answer(b"", "Go on."), None);
    }
}

//! A record of the program's own kind, rendered from our history (fields: those that were seen to suffice).

use std::collections::HashSet;
use std::path::Path;

use serde_json::{Value, json};
use uuid::Uuid;

use super::mcp;
use crate::domain::message::{History, Message, Said};
use crate::domain::tool::ToolSpec;

/// What the entries carry beside the words.
pub(super) struct Frame<'a> {
    /// Id of the record.
    pub(super) id: &'a str,
    /// Working folder, links resolved.
    pub(super) folder: &'a Path,
    /// Version of the program.
    pub(super) version: String,
    /// RFC 3339.
    pub(super) time: &'a str,
    /// Model named in the answers.
    pub(super) model: &'a str,
    /// Our tools: their names are prefixed.
    pub(super) tools: &'a [ToolSpec],
}

/// In place of a prompt or result without words: the service takes no empty text.
const NOTHING: &str = "(nothing)";
/// Closes an answer that ended with a call: a record must not end on a result.
const CUT: &str = "(The answer was cut here.)";

/// The lines of the record. `ids` gives new ids.
pub(super) fn render(
    history: &History,
    frame: &Frame<'_>,
    ids: &mut dyn FnMut() -> Uuid,
) -> String {
    let mut pen = Pen {
        frame,
        ids,
        parent: None,
        calls: HashSet::new(),
        out: String::new(),
    };
    for message in history {
        match message {
            Message::User(text) => pen.user(&json!(some(text))),
            Message::Agent(parts) => pen.agent(parts),
        }
    }
    pen.out
}

struct Pen<'a> {
    frame: &'a Frame<'a>,
    ids: &'a mut dyn FnMut() -> Uuid,
    parent: Option<Uuid>,
    /// Ids of calls used so far: the service wants each to be used once.
    calls: HashSet<String>,
    out: String,
}

impl Pen<'_> {
    fn user(&mut self, content: &Value) {
        let message = json!({"role": "user", "content": content});
        self.entry("user", &message);
    }

    /// Blocks of one answer share a message id until a result comes between.
    fn agent(&mut self, parts: &[Said]) {
        let mut message = self.message_id();
        let mut open = false;
        for part in parts {
            match Whole::of(part) {
                Whole::Words(words) => {
                    if !words.trim().is_empty() {
                        self.assistant(&message, &json!({"type": "text", "text": words}));
                        open = true;
                    }
                }
                Whole::Call(call) => {
                    self.call(&message, &call);
                    message = self.message_id();
                    open = false;
                }
            }
        }
        if !open {
            self.assistant(&message, &json!({"type": "text", "text": CUT}));
        }
    }

    fn call(&mut self, message: &str, call: &Call<'_>) {
        let id = self.fresh_call(call.id);
        let ours = self.frame.tools.iter().any(|t| t.name == call.name);
        let name = if ours {
            mcp::vendor_name(call.name)
        } else {
            call.name.to_owned()
        };
        let block = json!({"type": "tool_use", "id": id, "name": name, "input": call.input});
        self.assistant(message, &block);
        self.user(&json!([{
            "type": "tool_result",
            "tool_use_id": id,
            "content": some(call.output),
            "is_error": !call.ok,
        }]));
    }

    fn assistant(&mut self, message: &str, block: &Value) {
        let message = json!({
            "id": message,
            "type": "message",
            "role": "assistant",
            "model": self.frame.model,
            "content": [block],
            "stop_reason": null,
            "stop_sequence": null,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        });
        self.entry("assistant", &message);
    }

    fn entry(&mut self, kind: &str, message: &Value) {
        let uuid = (self.ids)();
        let entry = json!({
            "type": kind,
            "uuid": uuid,
            "parentUuid": self.parent,
            "isSidechain": false,
            "sessionId": self.frame.id,
            "cwd": self.frame.folder.to_string_lossy(),
            "version": self.frame.version,
            "timestamp": self.frame.time,
            "message": message,
        });
        self.parent = Some(uuid);
        self.out.push_str(&entry.to_string());
        self.out.push('\n');
    }

    fn message_id(&mut self) -> String {
        format!("msg_{}", (self.ids)().simple())
    }

    /// An id the service takes: letters, digits, `_`, `-`, and not used before.
    fn fresh_call(&mut self, id: &str) -> String {
        let clean = |c: char| {
            if c.is_ascii_alphanumeric() || c == '-' {
                c
            } else {
                '_'
            }
        };
        let base: String = id.chars().map(clean).collect();
        let base = if base.is_empty() {
            "call".to_owned()
        } else {
            base
        };
        let mut fresh = base.clone();
        let mut n = 1;
        while !self.calls.insert(fresh.clone()) {
            n += 1;
            fresh = format!("{base}_{n}");
        }
        fresh
    }
}

struct Call<'a> {
    id: &'a str,
    name: &'a str,
    input: Value,
    output: &'a str,
    ok: bool,
}

enum Whole<'a> {
    Words(&'a str),
    Call(Call<'a>),
}

impl<'a> Whole<'a> {
    /// A call whose argument is no object was cut while it was written: what there is of it is words.
    fn of(part: &'a Said) -> Self {
        match part {
            Said::Words(words) => Self::Words(words),
            Said::Call {
                call,
                name,
                input,
                output,
                ok,
            } => match serde_json::from_str(input) {
                Ok(input @ Value::Object(_)) => Self::Call(Call {
                    id: call,
                    name,
                    input,
                    output,
                    ok: *ok,
                }),
                _ => Self::Words(input),
            },
        }
    }
}

fn some(text: &str) -> &str {
    if text.trim().is_empty() {
        NOTHING
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    const TOOLS: [ToolSpec; 1] = [ToolSpec {
        name: "write_draft",
        about: "",
        schema: "{}",
    }];

    fn lines(history: &History) -> Vec<Value> {
        let frame = Frame {
            id: "00000000-0000-4000-8000-000000000001",
            folder: Path::new("/home/writer/essays/03-session"),
            version: "2.1.332".to_owned(),
            time: "2026-11-29T14:00:00.000Z",
            model: "claude-sonnet-5",
            tools: &TOOLS,
        };
        let mut n = 0;
        let mut ids = || {
            n += 1;
            Uuid::from_u128(n)
        };
        let text = render(history, &frame, &mut ids);
        text.lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect()
    }

    fn call(id: &str, input: &str) -> Said {
        Said::Call {
            call: id.into(),
            name: "write_draft".into(),
            input: input.into(),
            output: "saved as version 2".into(),
            ok: true,
        }
    }

    /// Role and content of each entry, in short.
    fn shape(entries: &[Value]) -> Vec<String> {
        let text = |e: &Value| {
            let content = &e["message"]["content"];
            let block = &content[0];
            match block["type"].as_str() {
                None => content.as_str().unwrap().to_owned(),
                Some("text") => block["text"].as_str().unwrap().to_owned(),
                Some("tool_use") => format!("{} {} {}", block["id"], block["name"], block["input"]),
                _ => format!(
                    "{} {} {}",
                    block["tool_use_id"], block["content"], block["is_error"]
                ),
            }
        };
        entries
            .iter()
            .map(|e| format!("{}: {}", e["type"].as_str().unwrap(), text(e)))
            .collect()
    }

    #[test]
    fn a_conversation_with_a_call_and_a_cut_turn_is_rendered() {
        let entries = lines(&vec![
            Message::User("Rewrite the draft.".into()),
            Message::Agent(vec![
                Said::Words("I will write it.".into()),
                call("toolu_01", r#"{"text":"New draft."}"#),
                Said::Words("Done.".into()),
            ]),
            Message::User("Now the ending.".into()),
            Message::Agent(vec![Said::Words("The river, when it".into())]),
        ]);
        let want = [
            "user: Rewrite the draft.",
            "assistant: I will write it.",
            r#"assistant: "toolu_01" "mcp__fascicle__write_draft" {"text":"New draft."}"#,
            r#"user: "toolu_01" "saved as version 2" false"#,
            "assistant: Done.",
            "user: Now the ending.",
            "assistant: The river, when it",
        ];
        assert_eq!(shape(&entries), want);
        let message = |i: usize| &entries[i]["message"]["id"];
        assert_eq!(message(1), message(2));
        assert_ne!(message(2), message(4));
        for pair in entries.windows(2) {
            assert_eq!(pair[1]["parentUuid"], pair[0]["uuid"]);
        }
    }

    #[test]
    fn it_always_ends_on_an_answer() {
        let entries = lines(&vec![
            Message::User("a".into()),
            Message::Agent(vec![call("c", "{}")]),
        ]);
        assert_eq!(
            shape(&entries).last().unwrap(),
            "assistant: (The answer was cut here.)"
        );
    }

    #[test]
    fn ids_of_calls_are_made_fit_and_used_once() {
        let entries = lines(&vec![
            Message::User("a".into()),
            Message::Agent(vec![
                call("call 0", "{}"),
                call("call 0", "{}"),
                call("", "{}"),
            ]),
        ]);
        let ids: Vec<_> = entries
            .iter()
            .filter_map(|e| e["message"]["content"][0]["id"].as_str())
            .collect();
        assert_eq!(ids, ["call_0", "call_0_2", "call"]);
    }

    #[test]
    fn a_cut_argument_is_words_and_nothing_is_empty() {
        let entries = lines(&vec![
            Message::User(" ".into()),
            Message::Agent(vec![call("c", r#"{"text":"ha"#)]),
        ]);
        assert_eq!(
            shape(&entries),
            ["user: (nothing)", r#"assistant: {"text":"ha"#]
        );
    }
}

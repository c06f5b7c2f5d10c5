//! The request: a conversation as the interface wants it.

use serde_json::{Value, json};

use super::Lacks;
use crate::domain::message::{History, Message, Said};
use crate::domain::tool::ToolSpec;

/// The messages of a request; a turn with tools adds to them.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Messages(pub(super) Vec<Value>);

/// A call of the model, whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    /// Argument as JSON, as the model wrote it.
    pub(super) input: String,
}

impl Messages {
    /// What was said before, and the prompt.
    pub(super) fn of(brief: &str, history: &History, prompt: &str, lacks: Lacks) -> Self {
        let mut messages = Self(Vec::new());
        if !brief.is_empty() {
            messages.say("system", brief);
        }
        for message in history {
            match message {
                Message::User(text) => messages.say("user", text),
                Message::Agent(parts) => messages.agent(parts, lacks),
            }
        }
        messages.say("user", prompt);
        messages
    }

    /// Adds an answer that made calls, and their results.
    pub(super) fn called(&mut self, words: &str, calls: &[(Call, String)]) {
        let listed: Vec<Value> = calls.iter().map(|(call, _)| listed(call)).collect();
        self.0
            .push(json!({"role": "assistant", "content": words, "tool_calls": listed}));
        for (call, output) in calls {
            self.0
                .push(json!({"role": "tool", "tool_call_id": call.id, "content": output}));
        }
    }

    fn say(&mut self, role: &str, text: &str) {
        self.0.push(json!({"role": role, "content": text}));
    }

    /// Words before a call belong to its message.
    fn agent(&mut self, parts: &[Said], lacks: Lacks) {
        let mut words = String::new();
        for part in parts {
            match part {
                Said::Words(text) => add(&mut words, text),
                Said::Call {
                    call,
                    name,
                    input,
                    output,
                    ..
                } => {
                    if lacks.tools || !is_object(input) {
                        add(&mut words, &told(name, input, output));
                        continue;
                    }
                    let call = Call {
                        id: call.clone(),
                        name: name.clone(),
                        input: input.clone(),
                    };
                    self.called(&words, &[(call, output.clone())]);
                    words.clear();
                }
            }
        }
        if !words.is_empty() {
            self.say("assistant", &words);
        }
    }
}

/// A call in words, for a model that knows no tools.
fn told(name: &str, input: &str, output: &str) -> String {
    format!("[{name} {input}: {output}]")
}

fn add(words: &mut String, text: &str) {
    if !words.is_empty() {
        words.push_str("\n\n");
    }
    words.push_str(text);
}

fn is_object(input: &str) -> bool {
    matches!(serde_json::from_str(input), Ok(Value::Object(_)))
}

fn listed(call: &Call) -> Value {
    // A server that reads the argument of an earlier call fails on what is no JSON.
    let arguments = if is_object(&call.input) {
        &call.input
    } else {
        "{}"
    };
    json!({
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": arguments},
    })
}

/// The body of a request.
pub(super) fn body(model: &str, messages: &Messages, tools: &[ToolSpec], lacks: Lacks) -> Value {
    let mut body = json!({"model": model, "messages": messages.0, "stream": true});
    if !lacks.usage {
        body["stream_options"] = json!({"include_usage": true});
    }
    if !lacks.tools && !tools.is_empty() {
        body["tools"] = tools.iter().map(tool).collect();
    }
    body
}

fn tool(tool: &ToolSpec) -> Value {
    let parameters: Value =
        serde_json::from_str(tool.schema).unwrap_or_else(|_| json!({"type": "object"}));
    json!({
        "type": "function",
        "function": {"name": tool.name, "description": tool.about, "parameters": parameters},
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history() -> History {
        vec![
            Message::User("Rewrite.".into()),
            Message::Agent(vec![
                Said::Words("I will.".into()),
                Said::Call {
                    call: "c1".into(),
                    name: "write_draft".into(),
                    input: r#"{"text":"n"}"#.into(),
                    output: "saved".into(),
                    ok: true,
                },
                Said::Words("Done".into()),
            ]),
        ]
    }

    #[test]
    fn a_history_with_a_call_and_a_cut_answer_is_sent_whole() {
        let messages = Messages::of("You write.", &history(), "Go on.", Lacks::default());
        let want = json!([
            {"role": "system", "content": "You write."},
            {"role": "user", "content": "Rewrite."},
            {"role": "assistant", "content": "I will.", "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "write_draft", "arguments": "{\"text\":\"n\"}"}}]},
            {"role": "tool", "tool_call_id": "c1", "content": "saved"},
            {"role": "assistant", "content": "Done"},
            {"role": "user", "content": "Go on."},
        ]);
        assert_eq!(json!(messages.0), want);
    }

    #[test]
    fn a_model_without_tools_is_told_of_calls_in_words() {
        let lacks = Lacks {
            tools: true,
            usage: true,
        };
        let messages = Messages::of("", &history(), "Go on.", lacks);
        assert_eq!(
            messages.0[1]["content"],
            "I will.\n\n[write_draft {\"text\":\"n\"}: saved]\n\nDone"
        );
        let body = body("m", &messages, &[], lacks);
        assert_eq!(body.get("stream_options"), None);
        assert_eq!(body.get("tools"), None);
    }

    #[test]
    fn an_argument_that_is_no_object_is_never_sent_as_one() {
        let mut messages = Messages::of("", &Vec::new(), "p", Lacks::default());
        let call = Call {
            id: "c".into(),
            name: "n".into(),
            input: "{\"te".into(),
        };
        messages.called("", &[(call, "no".into())]);
        assert_eq!(
            messages.0[1]["tool_calls"][0]["function"]["arguments"],
            "{}"
        );
    }
}

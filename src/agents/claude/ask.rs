//! Questions of the program: one line for the writer, and what each answer means to it.

use serde_json::{Value, json};

use crate::domain::event::Answer;

/// Longest line, in characters.
const LINE_MAX: usize = 200;

/// A question that waits.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Question {
    /// Id of the program's request.
    pub(super) request: String,
    tool: String,
    input: Value,
    suggestions: Vec<Value>,
}

impl Question {
    /// Out of a `can_use_tool` request.
    pub(super) fn of(id: &str, request: &Value) -> Self {
        Self {
            request: id.to_owned(),
            tool: request["tool_name"].as_str().unwrap_or_default().to_owned(),
            input: request["input"].clone(),
            suggestions: request["permission_suggestions"]
                .as_array()
                .cloned()
                .unwrap_or_default(),
        }
    }

    /// Whether the program wants more than a yes: a dialog we do not have.
    pub(super) fn is_dialog(request: &Value) -> bool {
        request["requires_user_interaction"] == true || request["tool_name"] == "AskUserQuestion"
    }

    /// What is asked, in one line.
    pub(super) fn what(&self, request: &Value) -> String {
        let text = |key: &str| self.input[key].as_str();
        let line = match (self.tool.as_str(), text("query"), text("url")) {
            ("WebSearch", Some(query), _) => format!("Search the web for \"{query}\""),
            ("WebFetch", _, Some(url)) => format!("Read {url}"),
            (tool, ..) => {
                let name = request["display_name"].as_str().unwrap_or(tool);
                let mut about = request["description"].as_str();
                for key in ["file_path", "path", "command", "pattern"] {
                    about = about.or_else(|| text(key));
                }
                format!("Use {name} {}", about.unwrap_or_default())
            }
        };
        one_line(&line)
    }

    /// The answer as the program reads it.
    pub(super) fn answered(&self, answer: Answer) -> Value {
        match answer {
            Answer::Once => json!({"behavior": "allow", "updatedInput": self.input}),
            Answer::Session => json!({
                "behavior": "allow",
                "updatedInput": self.input,
                "updatedPermissions": self.for_session(),
            }),
            Answer::Deny => deny("The writer said no."),
            Answer::Lapsed => deny("Nobody answered."),
        }
    }

    /// The program's own suggestions of what to allow, but never beyond this process: nothing is
    /// written to its settings.
    fn for_session(&self) -> Vec<Value> {
        let rules = self
            .suggestions
            .iter()
            .filter(|s| s["type"] == "addRules" && s["behavior"] == "allow");
        let mut kept: Vec<Value> = rules.cloned().collect();
        if kept.is_empty() {
            kept.push(json!({
                "type": "addRules",
                "rules": [{"toolName": self.tool}],
                "behavior": "allow",
            }));
        }
        for rule in &mut kept {
            rule["destination"] = json!("session");
        }
        kept
    }
}

/// A no.
pub(super) fn deny(why: &str) -> Value {
    json!({"behavior": "deny", "message": why})
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    if line.chars().count() <= LINE_MAX {
        return line;
    }
    let mut cut: String = line.chars().take(LINE_MAX - 1).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search() -> (Question, Value) {
        let request = json!({"tool_name": "WebSearch", "input": {"query": "tide\ntables"},
            "permission_suggestions": [
                {"type": "addRules", "rules": [{"toolName": "WebSearch"}], "behavior": "allow", "destination": "localSettings"},
                {"type": "setMode", "mode": "acceptEdits", "destination": "session"}]});
        (Question::of("r1", &request), request)
    }

    #[test]
    fn a_question_is_one_line() {
        let (question, request) = search();
        assert_eq!(
            question.what(&request),
            "Search the web for \"tide tables\""
        );
        let fetch = json!({"tool_name": "WebFetch", "input": {"url": "https://a.example/b", "prompt": "p"}});
        assert_eq!(
            Question::of("r", &fetch).what(&fetch),
            "Read https://a.example/b"
        );
        let other = json!({"tool_name": "Write", "display_name": "Write", "description": "draft.md", "input": {}});
        assert_eq!(Question::of("r", &other).what(&other), "Use Write draft.md");
    }

    #[test]
    fn a_yes_for_the_session_is_never_written_to_settings() {
        let (question, _) = search();
        let answer = question.answered(Answer::Session);
        let want = json!([{"type": "addRules", "rules": [{"toolName": "WebSearch"}], "behavior": "allow", "destination": "session"}]);
        assert_eq!(answer["updatedPermissions"], want);
    }

    #[test]
    fn a_yes_without_suggestions_allows_the_tool() {
        let request = json!({"tool_name": "WebFetch", "input": {"url": "u"}});
        let answer = Question::of("r", &request).answered(Answer::Session);
        let want = json!([{"type": "addRules", "rules": [{"toolName": "WebFetch"}], "behavior": "allow", "destination": "session"}]);
        assert_eq!(answer["updatedPermissions"], want);
        assert_eq!(answer["updatedInput"], json!({"url": "u"}));
    }
}

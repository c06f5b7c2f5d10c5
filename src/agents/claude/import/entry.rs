//! One entry of a history: what it is, and what it says.

use serde_json::Value;

/// What an entry is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    /// The writer's words.
    Prompt,
    /// The same, sent while a turn ran.
    Queued,
    /// A command to the program itself, which may ask the agent something.
    Command,
    /// Part of an answer.
    Answer,
    /// Results of tool calls.
    Results,
    /// The writer stopped the turn.
    Stopped,
    /// The conversation was compacted.
    Boundary,
    /// The summary that stands for what was before.
    Summary,
    /// Nothing of the conversation, but a link of the chain.
    Other,
}

/// Entries without words of the conversation that are known.
const KNOWN: [&str; 29] = [
    "agent-color",
    "agent-name",
    "agent-setting",
    "ai-title",
    "api-request",
    "api-request-blob",
    "api-request-shape",
    "atis-latch",
    "attachment",
    "attribution-snapshot",
    "content-replacement",
    "cost-state",
    "custom-title",
    "file-history-delta",
    "file-history-snapshot",
    "last-prompt",
    "marble-origami-commit",
    "mode",
    "permission-mode",
    "pr-link",
    "progress",
    "queue-operation",
    "speculation-accept",
    "summary",
    "system",
    "tag",
    "task-summary",
    "tools-used",
    "worktree-state",
];
/// How what the program writes into a prompt's place begins.
const NOT_WORDS: [&str; 5] = [
    "<local-command-",
    "<bash-stdout>",
    "<bash-stderr>",
    "<system-reminder>",
    "<task-notification>",
];
/// How a command to the program begins.
const COMMANDS: [&str; 3] = ["<command-name>", "<command-message>", "<bash-input>"];
/// What the program notes in the place of a prompt when the writer stops a turn.
const STOPPED: &str = "[Request interrupted by user";
/// A model that is none: the program's own words.
pub(super) const SYNTHETIC: &str = "<synthetic>";

/// What an entry is; none for a kind that is not known.
pub(super) fn what(entry: &Value) -> Option<What> {
    Some(match entry["type"].as_str()? {
        "user" => of_user(entry),
        "assistant" => What::Answer,
        "attachment" if queued(entry).is_some() => What::Queued,
        "system" if entry["subtype"] == "compact_boundary" => What::Boundary,
        kind if KNOWN.contains(&kind) => What::Other,
        _ => return None,
    })
}

fn of_user(entry: &Value) -> What {
    let content = &entry["message"]["content"];
    if entry["isCompactSummary"] == true {
        return What::Summary;
    }
    if entry["isMeta"] == true {
        return What::Other;
    }
    if blocks(content).any(|b| b["type"] == "tool_result") {
        return What::Results;
    }
    let text = said(content);
    let text = text.trim_start();
    let begins = |with: &[&str]| with.iter().any(|start| text.starts_with(start));
    if text.starts_with(STOPPED) {
        What::Stopped
    } else if begins(&COMMANDS) {
        What::Command
    } else if text.is_empty() || begins(&NOT_WORDS) {
        What::Other
    } else {
        What::Prompt
    }
}

/// Whether it is of somebody who speaks, and has no content at all.
pub(super) fn is_mute(entry: &Value) -> bool {
    let content = &entry["message"]["content"];
    matches!(entry["type"].as_str(), Some("user" | "assistant"))
        && !content.is_string()
        && !content.is_array()
}

/// Words that the writer sent while a turn ran.
fn queued(entry: &Value) -> Option<String> {
    let queued = &entry["attachment"];
    let words = queued["type"] == "queued_command" && queued["commandMode"] != "task-notification";
    let text = said(&queued["prompt"]);
    (words && !text.trim().is_empty()).then_some(text)
}

/// The words of a prompt or a command, as a writer would read them.
pub(super) fn prompt(entry: &Value) -> String {
    if let Some(text) = queued(entry).filter(|_| entry["type"] == "attachment") {
        return text;
    }
    let text = said(&entry["message"]["content"]);
    if let Some(command) = between(&text, "command-name") {
        let more = between(&text, "command-args").unwrap_or_default();
        return format!("{command} {more}").trim().to_owned();
    }
    match between(&text, "bash-input") {
        Some(command) => format!("! {command}"),
        None => text,
    }
}

fn between<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{tag}>"))?;
    let (inner, _) = rest.split_once(&format!("</{tag}>"))?;
    Some(inner.trim())
}

/// The blocks of a content; none of one that is a text.
pub(super) fn blocks(content: &Value) -> impl Iterator<Item = &Value> {
    content.as_array().into_iter().flatten()
}

/// The text of a content; what is no text by its name in brackets.
pub(super) fn said(content: &Value) -> String {
    if let Value::String(text) = content {
        return text.clone();
    }
    let texts: Vec<String> = blocks(content).filter_map(text_of).collect();
    texts.join("\n\n")
}

fn text_of(block: &Value) -> Option<String> {
    match block["type"].as_str()? {
        "text" => {
            let text = block["text"].as_str()?;
            let noted = text.starts_with("<system-reminder>") || text.starts_with("<ide_");
            (!noted && !text.is_empty()).then(|| text.to_owned())
        }
        kind @ ("image" | "document") => Some(format!("[{kind}]")),
        _ => None,
    }
}

/// When it was written, milliseconds since 1970.
pub(super) fn time(entry: &Value) -> Option<i64> {
    let time: jiff::Timestamp = entry["timestamp"].as_str()?.parse().ok()?;
    Some(time.as_millisecond())
}

/// Its id, and the one it follows.
pub(super) fn links(entry: &Value) -> (Option<&str>, Option<&str>) {
    let parent = entry["parentUuid"].as_str();
    let parent = parent.or_else(|| entry["logicalParentUuid"].as_str());
    (entry["uuid"].as_str(), parent)
}

/// A title in it, and how much it counts.
pub(super) fn title(entry: &Value) -> Option<(u8, &str)> {
    let named = [
        ("custom-title", "customTitle", 3),
        ("ai-title", "aiTitle", 2),
        ("summary", "summary", 1),
    ];
    let (_, field, rank) = named.into_iter().find(|n| entry["type"] == n.0)?;
    let title = entry[field].as_str()?.trim();
    (!title.is_empty()).then_some((rank, title))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn user(content: &Value) -> Value {
        json!({"type": "user", "message": {"content": content}})
    }

    #[test]
    fn words_are_told_from_what_the_program_writes_in_their_place() {
        let table = [
            (user(&json!("Begin.")), What::Prompt),
            (user(&json!([{"type": "image"}])), What::Prompt),
            (
                user(&json!([{"type": "tool_result", "content": "x"}])),
                What::Results,
            ),
            (
                user(&json!("[Request interrupted by user for tool use]")),
                What::Stopped,
            ),
            (
                user(&json!("<command-name>/model</command-name>")),
                What::Command,
            ),
            (
                user(&json!("<local-command-stdout>x</local-command-stdout>")),
                What::Other,
            ),
            (
                user(&json!("<system-reminder>x</system-reminder>")),
                What::Other,
            ),
            (
                json!({"type": "system", "subtype": "compact_boundary"}),
                What::Boundary,
            ),
            (json!({"type": "assistant"}), What::Answer),
            (json!({"type": "mode"}), What::Other),
            (
                json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": "And?"}}),
                What::Queued,
            ),
        ];
        for (entry, want) in table {
            assert_eq!(what(&entry), Some(want), "{entry}");
        }
        assert_eq!(what(&json!({"type": "from-tomorrow"})), None);
        assert_eq!(what(&json!(3)), None);
    }

    #[test]
    fn one_without_any_content_is_mute() {
        assert!(is_mute(&user(&Value::Null)));
        assert!(is_mute(&json!({"type": "assistant"})));
        assert!(!is_mute(&user(&json!(""))) && !is_mute(&json!({"type": "mode"})));
    }

    #[test]
    fn a_command_reads_as_it_was_typed() {
        let text = "<command-message>x</command-message>\n<command-name>/compact</command-name> <command-args>the river</command-args>";
        assert_eq!(prompt(&user(&json!(text))), "/compact the river");
        assert_eq!(prompt(&user(&json!("<bash-input>ls</bash-input>"))), "! ls");
    }

    #[test]
    fn an_editors_notes_are_no_words() {
        let content = json!([{"type": "text", "text": "<ide_opened_file>x"}, {"type": "text", "text": "Go on."}]);
        assert_eq!(said(&content), "Go on.");
    }
}

//! Other words by which people look for a command in the palette. They are not shown.

/// A command's name, and its words.
const ALSO: &[(&str, &[&str])] = &[
    ("session.new", &["create", "start", "begin", "add", "note"]),
    ("session.rename", &["retitle", "title"]),
    ("session.tag", &["label", "keyword"]),
    ("session.archive", &["hide", "unarchive", "shelve"]),
    (
        "session.trash",
        &["delete", "remove", "erase", "bin", "discard"],
    ),
    ("session.undo", &["revert", "take back"]),
    ("session.redo", &["redo", "repeat"]),
    ("session.agent", &["model", "llm", "switch agent"]),
    (
        "session.compact",
        &["summarise", "summarize", "shorten", "context"],
    ),
    (
        "session.stop",
        &["cancel", "abort", "interrupt", "halt", "kill"],
    ),
    ("session.import", &["load", "histories"]),
    (
        "session.fork",
        &["branch", "duplicate", "clone", "alternative"],
    ),
    ("session.compare", &["diff"]),
    ("session.adopt", &["merge", "promote"]),
    ("turn.again", &["retry", "resume", "continue", "try again"]),
    ("recipe.run", &["macro", "workflow", "template"]),
    ("queue.show", &["queue", "pending"]),
    ("collection.new", &["folder", "project", "book", "notebook"]),
    ("collection.day", &["daily", "goal"]),
    ("collection.web", &["internet", "online", "browse"]),
    ("piece.target", &["goal", "word count"]),
    ("piece.stage", &["status", "progress"]),
    ("piece.move", &["folder", "file"]),
    (
        "piece.export",
        &[
            "save as", "print", "pdf", "docx", "word", "html", "publish", "share",
        ],
    ),
    ("go.search", &["find", "grep", "lookup"]),
    ("go.session", &["jump", "switch", "open"]),
    ("list.all", &["unfilter", "clear"]),
    ("draft.open", &["text", "manuscript", "document"]),
    ("draft.edit", &["vim", "emacs", "editor"]),
    ("draft.find", &["find"]),
    ("find.with", &["replace", "substitute"]),
    ("versions.open", &["history", "revisions", "backup", "save"]),
    ("page.copy", &["copy", "clipboard", "yank"]),
    ("window.break", &["copy"]),
    ("draft.paste", &["insert"]),
    ("collection.open", &["count", "statistics", "stats"]),
    ("brief.open", &["context", "instructions", "rules", "voice"]),
    ("memory.open", &["remember", "notes", "facts"]),
    (
        "help.open",
        &["help", "shortcuts", "hotkeys", "keybindings", "manual"],
    ),
    ("window.close", &["quit", "exit", "close", "leave", "bye"]),
    ("window.suspend", &["terminal", "background"]),
    ("window.redraw", &["refresh", "repaint"]),
    ("window.said", &["messages", "errors", "log"]),
    ("window.mouse", &["wheel", "click"]),
    (
        "agents.connect",
        &["login", "sign in", "provider", "api key", "setup"],
    ),
    (
        "doctor.show",
        &[
            "settings",
            "preferences",
            "options",
            "config",
            "configuration",
            "check",
            "health",
            // The file of settings is named there.
            "theme",
            "color",
            "colors",
            "colour",
            "colours",
            "dark",
            "light",
            "appearance",
        ],
    ),
];

/// Those of a command.
pub(in crate::ui) fn also(name: &str) -> &'static [&'static str] {
    let own = ALSO.iter().find(|(of, _)| *of == name);
    own.map_or(&[], |(_, words)| words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::folded;
    use crate::ui::commands::{all, named};

    #[test]
    fn every_word_stands_as_it_is_looked_for_and_every_command_is_one() {
        for (name, words) in ALSO {
            assert!(named(name).is_some(), "{name}");
            for word in *words {
                assert_eq!(folded(word), *word, "{name}");
            }
        }
        let many = all().filter(|c| !also(c.name).is_empty()).count();
        assert_eq!(many, ALSO.len(), "a command stands twice");
    }
}

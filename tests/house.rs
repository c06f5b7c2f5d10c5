//! The rules of the house, read from the source: who may import whom, how long a thing may be, what no file holds.
//!
//! Each failure names file and line. A cap is raised only with a note in `docs/decisions/`.
#![allow(clippy::unwrap_used, clippy::string_slice, reason = "test")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Lines of a file without its tests.
const FILE_MAX: usize = 400;
/// Lines of a function.
const FN_MAX: usize = 60;
/// Variants of an enum.
const VARIANTS_MAX: usize = 25;
/// Fields of a struct.
const FIELDS_MAX: usize = 12;

/// Enums that are as long as what they list.
const LONG_ENUMS: &[&str] = &["src/domain/event/kind.rs", "src/domain/ask.rs"];

/// Structs that are plain data: rows and heads, read field by field and never given behaviour.
const PLAIN: &[&str] = &[
    "src/domain/head.rs:Head",
    "src/domain/row.rs:Row",
    "src/cli/list.rs:Listed",
];

/// Structs that hold the parts of one thing together: each part has a home of its own, only the sum is long.
const SUMS: &[&str] = &["src/host/session.rs:Actor"];

/// Each room and the rooms it may import. `cli` may import all.
const ROOMS: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("text", &["domain"]),
    ("config", &["domain", "text"]),
    ("log", &["domain", "text", "config"]),
    ("drafts", &["domain", "text", "config", "log"]),
    ("memory", &["domain", "text", "config", "log", "drafts"]),
    (
        "tools",
        &["domain", "text", "config", "log", "drafts", "memory"],
    ),
    ("agents", &["domain", "text"]),
    (
        "host",
        &[
            "domain", "text", "config", "log", "drafts", "memory", "tools", "agents",
        ],
    ),
    ("protocol", &["domain", "text", "host"]),
    ("client", &["domain", "text", "config", "host", "protocol"]),
    ("ui", &["domain", "text", "config", "client"]),
    (
        "cli",
        &[
            "domain", "text", "config", "log", "drafts", "memory", "tools", "agents", "host",
            "protocol", "client", "ui",
        ],
    ),
];

/// Crates that only one room may name, and what they are for.
const OWNED: &[(&str, &[&str])] = &[
    ("ratatui", &["ui"]),
    ("crossterm", &["ui"]),
    ("tui_textarea", &["ui"]),
    ("reqwest", &["agents"]),
    ("process_wrap", &["agents"]),
    ("clap", &["cli"]),
    ("sha2", &["text"]),
];

/// Words that would mean two things here, or nothing.
const BANNED: &[&str] = &[
    "task",
    "chat",
    "thread",
    "project",
    "conversation",
    "manager",
    "helper",
    "util",
    "common",
];

/// Names of other people's things in which a banned word may stand; `projects` is a folder of Claude Code.
const FOREIGN: &[&str] = &[
    "thread_id",
    "thread_ids",
    "projects",
    "rt_multi_thread",
    "multi_thread",
    "new_multi_thread",
];

struct Source {
    path: String,
    text: String,
}

impl Source {
    /// What comes before the tests, as numbered lines.
    fn code(&self) -> Vec<(usize, &str)> {
        let lines: Vec<&str> = self.text.lines().collect();
        let end = lines
            .windows(2)
            .position(|w| {
                w[0].trim() == "#[cfg(test)]" && w[1].trim_start().starts_with("mod tests")
            })
            .or_else(|| {
                lines.windows(3).position(|w| {
                    w[0].trim() == "#[cfg(test)]" && w[2].trim_start().starts_with("mod tests")
                })
            })
            .unwrap_or(lines.len());
        (1..).zip(lines.into_iter().take(end)).collect()
    }

    fn room(&self) -> Option<&str> {
        let path = self.path.strip_prefix("src/")?;
        let first = path.split('/').next()?;
        Some(first.strip_suffix(".rs").unwrap_or(first))
            .filter(|r| ROOMS.iter().any(|(n, _)| n == r))
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn sources(dir: &str) -> Vec<Source> {
    let mut found = Vec::new();
    walk(&root().join(dir), &mut found);
    assert!(!found.is_empty(), "{dir} is empty");
    found
}

fn walk(dir: &Path, found: &mut Vec<Source>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(dir)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            walk(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let name = path
                .strip_prefix(root())
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            found.push(Source {
                path: name,
                text: std::fs::read_to_string(&path).unwrap(),
            });
        }
    }
}

/// A line without its strings and comments, so that words are judged where they are names.
fn bare(line: &str) -> String {
    let mut out = String::new();
    let mut chars = line.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' if quoted => drop(chars.next()),
            '"' => quoted = !quoted,
            '\'' if !quoted => {
                // A character literal such as '"' would open a string; a lifetime would not close.
                let ahead: String = chars.clone().take(2).collect();
                if ahead.ends_with('\'') || ahead.starts_with('\\') {
                    while chars.next().is_some_and(|c| c != '\'') {}
                }
            }
            '/' if !quoted && chars.peek() == Some(&'/') => break,
            _ if quoted => {}
            _ => out.push(c),
        }
    }
    out
}

/// The lines of a file's code with strings and comments blanked, strings over several lines included.
fn blanked(source: &Source) -> Vec<(usize, String)> {
    let mut inside: Option<&str> = None;
    let mut out = Vec::new();
    for (n, line) in source.code() {
        let mut rest = line;
        let mut kept = String::new();
        if let Some(end) = inside {
            let Some(at) = rest.find(end) else {
                out.push((n, kept));
                continue;
            };
            rest = &rest[at + end.len()..];
            inside = None;
        }
        if let Some(at) = rest.find("r#\"") {
            kept.push_str(&bare(&rest[..at]));
            match rest[at + 3..].find("\"#") {
                Some(end) => kept.push_str(&bare(&rest[at + 3 + end + 2..])),
                None => inside = Some("\"#"),
            }
        } else if opens(rest) {
            kept.push_str(&bare(rest));
            inside = Some("\"");
        } else {
            kept.push_str(&bare(rest));
        }
        out.push((n, kept));
    }
    out
}

/// Whether a string begins on this line and does not end on it.
fn opens(line: &str) -> bool {
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if quoted => drop(chars.next()),
            '"' => quoted = !quoted,
            '\'' if !quoted => {
                let ahead: String = chars.clone().take(2).collect();
                if ahead.ends_with('\'') || ahead.starts_with('\\') {
                    while chars.next().is_some_and(|c| c != '\'') {}
                }
            }
            '/' if !quoted && chars.peek() == Some(&'/') => return false,
            _ => {}
        }
    }
    quoted
}

fn none(found: &[String]) {
    let list = found.iter().fold(String::new(), |mut out, line| {
        let _ = write!(out, "\n  {line}");
        out
    });
    assert!(found.is_empty(), "{list}");
}

#[test]
fn rooms_import_only_the_rooms_before_them() {
    let mut wrong = Vec::new();
    for source in sources("src") {
        let Some(room) = source.room() else { continue };
        let allowed = ROOMS.iter().find(|(n, _)| *n == room).unwrap().1;
        for (n, line) in blanked(&source) {
            for other in named_rooms(&line) {
                if other != room && !allowed.contains(&other) {
                    wrong.push(format!(
                        "{}:{n}: {room} may not import {other}",
                        source.path
                    ));
                }
            }
        }
    }
    none(&wrong);
}

/// The rooms that a line of code names by `crate::` or `fascicle::`.
fn named_rooms(line: &str) -> Vec<&'static str> {
    let mut found = Vec::new();
    for part in line.split("crate::").skip(1) {
        let names = part
            .strip_prefix('{')
            .map_or(part, |list| list.split('}').next().unwrap_or(list));
        let grouped = part.starts_with('{');
        for name in names.split(',') {
            let name: String = name
                .trim()
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            found.extend(ROOMS.iter().map(|(n, _)| *n).filter(|n| *n == name));
            if !grouped {
                break;
            }
        }
    }
    found
}

#[test]
fn some_crates_belong_to_one_room() {
    let mut wrong = Vec::new();
    for source in sources("src") {
        let Some(room) = source.room() else { continue };
        for (n, line) in blanked(&source) {
            for (name, owners) in OWNED {
                let names =
                    line.contains(&format!("{name}::")) || line.contains(&format!("use {name};"));
                if names && !owners.contains(&room) {
                    wrong.push(format!("{}:{n}: {name} belongs to {owners:?}", source.path));
                }
            }
        }
    }
    none(&wrong);
}

#[test]
fn every_file_says_what_it_is_for() {
    let all = sources("src").into_iter().chain(sources("tests"));
    let wrong: Vec<String> = all
        .filter(|s| !s.text.starts_with("//! "))
        .map(|s| format!("{} does not begin with //!", s.path))
        .collect();
    none(&wrong);
}

#[test]
fn files_and_functions_stay_short() {
    let mut wrong = Vec::new();
    for source in sources("src") {
        let lines = source.code().len();
        if lines > FILE_MAX {
            wrong.push(format!(
                "{} has {lines} lines; which noun has left home?",
                source.path
            ));
        }
        for (name, at, long) in functions(&source) {
            if long > FN_MAX {
                wrong.push(format!("{}:{at}: fn {name} has {long} lines", source.path));
            }
        }
    }
    none(&wrong);
}

/// Functions as name, first line, lines; by the indentation that rustfmt gives their closing brace.
fn functions(source: &Source) -> Vec<(String, usize, usize)> {
    let mut found = Vec::new();
    let code = source.code();
    for (i, (n, line)) in code.iter().enumerate() {
        let start = line.trim_start();
        let indent = line.len() - start.len();
        let words: Vec<&str> = start.split_whitespace().collect();
        let Some(at) = words.iter().position(|w| *w == "fn") else {
            continue;
        };
        let qualifiers = words[..at].iter().all(|w| {
            w.starts_with("pub")
                || w.ends_with(')')
                || ["const", "async", "unsafe", "extern"].contains(w)
        });
        if !qualifiers || start.ends_with(';') {
            continue;
        }
        let close = format!("{}}}", " ".repeat(indent));
        let end = code[i..].iter().position(|(_, l)| *l == close).unwrap_or(0);
        let name = words
            .get(at + 1)
            .unwrap_or(&"")
            .split(['(', '<'])
            .next()
            .unwrap_or_default();
        found.push((name.to_owned(), *n, end + 1));
    }
    found
}

#[test]
fn enums_and_structs_stay_small() {
    let mut wrong = Vec::new();
    for source in sources("src") {
        for (kind, name, at, count) in types(&source) {
            let path = &source.path;
            let named = format!("{path}:{name}");
            let free = if kind == "enum" {
                count <= VARIANTS_MAX || LONG_ENUMS.contains(&path.as_str())
            } else {
                count <= FIELDS_MAX || PLAIN.iter().chain(SUMS).any(|e| *e == named)
            };
            if !free {
                wrong.push(format!("{path}:{at}: {kind} {name} has {count} members"));
            }
        }
    }
    none(&wrong);
}

/// Types with braces as kind, name, line, members: the lines one step in that begin one.
fn types(source: &Source) -> Vec<(&'static str, String, usize, usize)> {
    let mut found = Vec::new();
    let code = source.code();
    for (i, (n, line)) in code.iter().enumerate() {
        let start = line.trim_start();
        let indent = line.len() - start.len();
        let words: Vec<&str> = start.split_whitespace().collect();
        let kind = ["enum", "struct"]
            .into_iter()
            .find(|k| words.iter().take(2).any(|w| w == k));
        let Some(kind) = kind.filter(|_| start.ends_with('{')) else {
            continue;
        };
        let name = words
            .iter()
            .skip_while(|w| *w != &kind)
            .nth(1)
            .unwrap_or(&"");
        let close = format!("{}}}", " ".repeat(indent));
        let step = " ".repeat(indent + 4);
        let members = code[i + 1..]
            .iter()
            .take_while(|(_, l)| **l != close)
            .filter(|(_, l)| {
                l.strip_prefix(&step)
                    .is_some_and(|m| m.starts_with(|c: char| c.is_alphabetic()))
            })
            .count();
        let name = name.split(['<', '{', '(']).next().unwrap_or_default();
        found.push((kind, name.to_owned(), *n, members));
    }
    found
}

#[test]
fn modules_are_files_beside_their_folder_and_import_no_parent_whole() {
    let mut wrong = Vec::new();
    for source in sources("src") {
        if source.path.ends_with("/mod.rs") {
            wrong.push(format!("{}: a room is room.rs and room/", source.path));
        }
        for (n, line) in source.code() {
            if line.contains("super::*") || line.contains("crate::*") {
                wrong.push(format!("{}:{n}: no glob of a parent", source.path));
            }
        }
    }
    none(&wrong);
}

#[test]
fn nothing_unwraps_outside_tests() {
    let mut wrong = Vec::new();
    for source in sources("src") {
        for (n, line) in blanked(&source) {
            let bad = [
                ".unwrap()",
                ".expect(",
                "panic!(",
                "todo!(",
                "unimplemented!(",
                "unsafe ",
            ];
            if let Some(word) = bad.iter().find(|b| line.contains(*b)) {
                wrong.push(format!("{}:{n}: {word}", source.path));
            }
        }
    }
    none(&wrong);
}

#[test]
fn tests_come_last_and_are_named_by_what_holds() {
    let mut wrong = Vec::new();
    for source in sources("src").into_iter().chain(sources("tests")) {
        let lines: Vec<&str> = source.text.lines().collect();
        for (i, pair) in lines.windows(2).enumerate() {
            let test = ["#[test]", "#[tokio::test"]
                .iter()
                .any(|t| pair[0].trim().starts_with(t));
            let name = pair[1]
                .trim_start()
                .trim_start_matches("async ")
                .strip_prefix("fn ");
            if let Some(name) = name.filter(|_| test) {
                let words = name
                    .split('(')
                    .next()
                    .unwrap_or_default()
                    .matches('_')
                    .count();
                if name.starts_with("test_") || words < 2 {
                    wrong.push(format!(
                        "{}:{}: a test's name is a sentence",
                        source.path,
                        i + 2
                    ));
                }
            }
        }
        let begin = source.code().len();
        let own = source.path.starts_with("src/") && begin < lines.len();
        let after = lines.iter().skip(begin).position(|l| *l == "}");
        if own && after.is_some_and(|at| begin + at + 1 < lines.len()) {
            wrong.push(format!("{}: something follows the tests", source.path));
        }
    }
    none(&wrong);
}

#[test]
fn names_use_the_words_of_the_house() {
    let mut wrong = Vec::new();
    for source in sources("src") {
        for part in source.path.split(['/', '.', '_']) {
            if BANNED.contains(&part) {
                wrong.push(format!("{}: {part} is no word of ours", source.path));
            }
        }
        for (n, line) in blanked(&source) {
            for name in declared(&line) {
                let bad = parts(&name)
                    .into_iter()
                    .find(|p| BANNED.contains(&p.as_str()));
                // A thread of the system's is called what it is.
                let foreign = FOREIGN.contains(&name.as_str())
                    || name == "thread" && source.text.contains("thread::Builder");
                if let Some(word) = bad.filter(|_| !foreign) {
                    wrong.push(format!(
                        "{}:{n}: {name}: {word} is no word of ours",
                        source.path
                    ));
                }
            }
        }
    }
    none(&wrong);
}

/// Names that a line declares: what others' code calls its own things is theirs.
fn declared(line: &str) -> Vec<String> {
    let words: Vec<&str> = line
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|w| !w.is_empty())
        .collect();
    let heads = [
        "fn", "struct", "enum", "trait", "type", "mod", "const", "static", "let", "mut",
    ];
    words
        .windows(2)
        .filter(|w| heads.contains(&w[0]) && !heads.contains(&w[1]))
        .map(|w| w[1].to_owned())
        .collect()
}

/// The words in a name, whatever way it is written.
fn parts(name: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    for c in name.chars() {
        if c == '_' || c.is_uppercase() {
            out.push(String::new());
        }
        if c != '_' {
            out.last_mut().unwrap().extend(c.to_lowercase());
        }
    }
    out.into_iter()
        .map(|w| w.trim_end_matches('s').to_owned())
        .collect()
}

#[test]
fn every_dependency_says_why_it_is_here() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let mut section = "";
    let mut before = "";
    let mut wrong = Vec::new();
    for (n, line) in (1..).zip(manifest.lines()) {
        if line.starts_with('[') {
            section = line;
        } else if section.contains("dependencies]") && line.contains('=') && !line.starts_with('#')
        {
            let why =
                line.contains(" # ") || before.starts_with("# ") && !before.starts_with("# ---");
            if !why {
                wrong.push(format!("Cargo.toml:{n}: {line}: why?"));
            }
        }
        before = line;
    }
    none(&wrong);
}

#[test]
fn no_tracked_file_names_a_registry_or_a_machine() {
    let listed = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(root())
        .output();
    // A source archive has no repository: there is nothing tracked to look at.
    let Some(listed) = listed.ok().filter(|o| o.status.success()) else {
        return;
    };
    let names = String::from_utf8(listed.stdout).unwrap();
    let banned: Vec<String> = [
        ("registry.npm", "js"),
        ("pypi", ".org"),
        ("python", "hosted"),
        ("index.crates", ".io"),
        ("static.crates", ".io"),
        ("deb.deb", "ian.org"),
        ("/ro", "ot/"),
        ("/wo", "rk/"),
        ("/fa", "rm/"),
    ]
    .map(|(a, b)| format!("{a}{b}"))
    .to_vec();
    let mut wrong = Vec::new();
    for name in names
        .split('\0')
        .filter(|n| !n.is_empty() && *n != "Cargo.lock")
    {
        let Ok(bytes) = std::fs::read(root().join(name)) else {
            continue;
        };
        let text = String::from_utf8_lossy(&bytes);
        for (n, line) in (1..).zip(text.lines()) {
            if let Some(host) = banned.iter().find(|b| line.contains(b.as_str())) {
                wrong.push(format!("{name}:{n}: {host}"));
            }
        }
    }
    none(&wrong);
}

#[test]
fn the_top_level_stays_as_it_is() {
    let wanted = [
        "Cargo.toml",
        "Cargo.lock",
        "README.md",
        "src",
        "assets",
        "tests",
        "docs",
        "target",
    ];
    let wrong: Vec<String> = std::fs::read_dir(root())
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .filter(|n| {
            !n.starts_with('.') && !n.starts_with("LICENSE") && !wanted.contains(&n.as_str())
        })
        .collect();
    none(&wrong);
}

#[test]
fn the_rules_see_what_they_are_for() {
    let source = Source {
        path: "src/domain/x.rs".to_owned(),
        text: "//! x\nuse crate::{log::A, ui::B};\npub struct Chat {\n    a: u8,\n}\npub(crate) async fn f() {\n    let s = \"crate::host\"; // crate::cli\n}\n#[cfg(test)]\nmod tests {\n}\n".to_owned(),
    };
    let rooms: BTreeMap<usize, Vec<&str>> = blanked(&source)
        .iter()
        .map(|(n, l)| (*n, named_rooms(l)))
        .filter(|(_, r)| !r.is_empty())
        .collect();
    assert_eq!(rooms, BTreeMap::from([(2, vec!["log", "ui"])]));
    assert_eq!(functions(&source), [("f".to_owned(), 6, 3)]);
    assert_eq!(types(&source), [("struct", "Chat".to_owned(), 3, 1)]);
    assert_eq!(parts("ChatTasks"), ["", "chat", "task"]);
    assert_eq!(source.code().len(), 8);
}

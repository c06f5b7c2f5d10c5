//! The first minutes with the real binary in a real terminal: an empty home, nothing on PATH, no settings.
#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::must_use_candidate,
    reason = "test, and support shared with others"
)]

#[path = "support/window.rs"]
mod window;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;
use window::Window;

/// Somebody's machine on the day it was bought.
struct Machine {
    dir: tempfile::TempDir,
}

impl Machine {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("home")).unwrap();
        Self { dir }
    }

    fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    fn workspace(&self) -> PathBuf {
        self.home().join("Fascicle")
    }

    fn variables(&self) -> Vec<(String, String)> {
        let home = self.home().display().to_string();
        [
            ("HOME", &*home),
            ("PATH", ""),
            ("TERM", "xterm-256color"),
            ("LANG", "C.UTF-8"),
            ("TZ", "UTC"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec()
    }

    fn window(&self, at: &Path, more: &[(&str, &str)]) -> Window {
        let mut variables = self.variables();
        let own = |(n, v): &(&str, &str)| ((*n).to_owned(), (*v).to_owned());
        variables.extend(more.iter().map(own));
        let program = Path::new(env!("CARGO_BIN_EXE_fascicle"));
        Window::open_in(Some(at), program, &["--inline"], &variables, (80, 24))
    }

    fn run(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fascicle"));
        command.args(words).current_dir(self.home()).env_clear();
        command.envs(self.variables()).stdin(Stdio::null());
        command.output().unwrap()
    }

    fn json(&self, words: &[&str]) -> Value {
        let done = self.run(words);
        assert!(done.status.success(), "{words:?}: {done:?}");
        serde_json::from_slice(&done.stdout).unwrap()
    }

    fn config(&self) -> String {
        let path = self.home().join(".config/fascicle/config.toml");
        std::fs::read_to_string(path).unwrap_or_default()
    }
}

/// Closes a window that stands at an empty composer.
fn close(mut window: Window) {
    window.keys("\x04");
    assert_eq!(window.ended(), 0);
}

#[test]
fn from_an_empty_home_the_first_key_begins_the_prompt() {
    let machine = Machine::new();
    let mut window = machine.window(&machine.home(), &[]);
    window.shows("A notebook for every piece you write.");
    window.keys("An elegy for a lighthouse.");
    window.shows("› An elegy for a lighthouse.");
    window.keys("\r");
    window.until("the session", |screen| {
        !screen.contains("› An elegy") && screen.contains("An elegy")
    });
}

#[test]
fn the_sample_is_there_whole_and_only_once() {
    let machine = Machine::new();
    let window = machine.window(&machine.home(), &[]);
    window.shows("Notebooks in a drawer");
    close(window);
    let verified = machine.json(&["verify", "--json"]);
    assert_eq!(verified["sessions"], 6);
    assert_eq!(verified["damaged"], serde_json::json!([]));
    assert_eq!(verified["gaps"], serde_json::json!([]));
    let listed = machine.json(&["list", "--json"]);
    let listed = listed.as_array().unwrap();
    assert_eq!(listed.len(), 6);
    for row in listed {
        assert_eq!(row["state"], "idle", "{row}");
        let folder = row["folder"].as_str().unwrap();
        assert!(machine.workspace().join(folder).join("draft.md").is_file());
        let id = row["id"].as_str().unwrap();
        let shown = machine.run(&["show", id]);
        let shown = String::from_utf8(shown.stdout).unwrap();
        assert!(shown.contains(row["title"].as_str().unwrap()), "{shown}");
        let gone = machine.run(&["--inline", "delete", id]);
        assert!(gone.status.success(), "{gone:?}");
    }
    let window = machine.window(&machine.home(), &[]);
    window.until("an empty list", |screen| {
        screen.contains("What do you want to write?") && !screen.contains("Notebooks")
    });
    assert!(!window.screen().contains("A notebook for every piece"));
    close(window);
    assert_eq!(machine.json(&["list", "--json"]), serde_json::json!([]));
}

#[test]
fn a_no_is_kept_in_the_settings_and_never_asked_again() {
    let machine = Machine::new();
    let key = [("OPENROUTER_API_KEY", "sk-secret")];
    let mut window = machine.window(&machine.home(), &key);
    window.shows("Found here: OpenRouter.");
    window.keys("\x1bOS");
    window.shows("Nothing was connected");
    close(window);
    assert_eq!(machine.config(), "offer = false\n");
    let window = machine.window(&machine.home(), &key);
    window.shows("What do you want to write?");
    assert!(!window.screen().contains("Found here"));
    close(window);
}

#[test]
fn a_program_that_lies_on_path_is_offered_and_not_used_before_a_yes() {
    use std::os::unix::fs::PermissionsExt;
    let machine = Machine::new();
    let bin = machine.home().join("bin");
    std::fs::create_dir(&bin).unwrap();
    let mark = machine.home().join("was-started");
    let program = format!("#!/bin/sh\n: > {}\n", mark.display());
    std::fs::write(bin.join("claude"), program).unwrap();
    let runs = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(bin.join("claude"), runs).unwrap();
    let path = [("PATH", &*bin.display().to_string())];
    let mut window = machine.window(&machine.home(), &path);
    let screen = window.shows("Found here: Claude Code.");
    assert!(screen.contains("Enter sends it to editor."), "{screen}");
    window.keys("Write me an ending.");
    window.shows("› Write me an ending.");
    window.keys("\r");
    window.shows("That I cannot do");
    assert!(!mark.exists());
    window.keys("\x04");
    assert_eq!(window.ended(), 0);
}

#[test]
fn the_first_answer_of_the_editor_is_read_from_its_top_on_a_small_screen() {
    let machine = Machine::new();
    let mut window = machine.window(&machine.home(), &[]);
    window.shows("What do you want to write?");
    window.keys("Write me an ending.");
    window.shows("› Write me an ending.");
    window.keys("\r");
    let screen = window.shows("For one that writes");
    for line in ["You ·", "That I cannot do", "fix all", "outline"] {
        assert!(screen.contains(line), "{line}:\n{screen}");
    }
    close(window);
}

#[test]
fn the_first_window_behind_a_verb_that_made_the_workspace_makes_the_sample_and_no_later_one_does() {
    let machine = Machine::new();
    let made = machine.run(&["--inline", "new", "Letter"]);
    assert!(made.status.success(), "{made:?}");
    let window = machine.window(&machine.home(), &[]);
    window.until("both", |screen| {
        screen.contains("Notebooks in a drawer") && screen.contains("Letter")
    });
    close(window);
    let verified = machine.json(&["verify", "--json"]);
    assert_eq!(verified["sessions"], 7);
    let sample = machine.workspace().join("ferry-sample");
    std::fs::remove_dir_all(&sample).unwrap();
    std::fs::remove_dir_all(machine.workspace().join(".fascicle/sessions/sample")).unwrap();
    let window = machine.window(&machine.home(), &[]);
    window.shows("Letter");
    close(window);
    assert!(!sample.exists());
}

#[test]
fn the_first_window_has_the_sample_also_where_the_host_of_a_verb_still_runs() {
    let machine = Machine::new();
    let made = machine.run(&["new", "Letter"]);
    assert!(made.status.success(), "{made:?}");
    let running = machine.json(&["host", "status", "--json"]);
    assert!(running["pid"].is_number(), "{running}");
    let program = Path::new(env!("CARGO_BIN_EXE_fascicle"));
    let at = machine.home();
    let window = Window::open_in(Some(&at), program, &[], &machine.variables(), (80, 24));
    window.until("both", |screen| {
        screen.contains("Notebooks in a drawer") && screen.contains("Letter")
    });
    close(window);
    let ended = machine.run(&["host", "stop", "--now"]);
    assert!(ended.status.success(), "{ended:?}");
}

#[test]
fn where_no_workspace_can_be_made_another_place_is_asked_for() {
    let machine = Machine::new();
    std::fs::write(machine.workspace(), "").unwrap();
    let refused = machine.run(&["new", "Letter"]);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("No workspace can be made at"), "{said}");
    assert!(said.contains("Name a folder that can be written"), "{said}");
    assert!(!said.contains("os error"), "{said}");
}

#[test]
fn verbs_make_no_sample() {
    let machine = Machine::new();
    let made = machine.run(&["--inline", "new", "Letter"]);
    assert!(made.status.success(), "{made:?}");
    assert_eq!(
        machine.json(&["list", "--json"]).as_array().unwrap().len(),
        1
    );
}

#[test]
fn a_folder_of_markdown_is_asked_about_and_nothing_is_made_before_the_answer() {
    let machine = Machine::new();
    let novel = machine.home().join("novel");
    std::fs::create_dir(&novel).unwrap();
    std::fs::write(novel.join("one.md"), "# One\n").unwrap();
    let mut window = machine.window(&novel, &[]);
    window.shows("holds a Markdown file and no workspace yet");
    assert!(!novel.join(".fascicle").exists() && !machine.workspace().exists());
    window.keys("\x1b");
    assert_eq!(window.ended(), 0);
    assert!(!novel.join(".fascicle").exists() && !machine.workspace().exists());
    let mut window = machine.window(&novel, &[]);
    window.shows("no workspace yet");
    window.keys("w");
    window.shows("A notebook for every piece you write.");
    close(window);
    assert!(novel.join(".fascicle").is_dir() && !machine.workspace().exists());
    let window = machine.window(&novel, &[]);
    window.shows("What do you want to write?");
    close(window);
}

#[test]
fn the_markdown_that_lies_in_the_folder_is_taken_in_by_one_key_and_stays_as_it_is() {
    let machine = Machine::new();
    let novel = machine.home().join("novel");
    std::fs::create_dir(&novel).unwrap();
    std::fs::write(novel.join("one.md"), "# The first crossing\n").unwrap();
    std::fs::write(novel.join("README.md"), "About it.\n").unwrap();
    let mut window = machine.window(&novel, &[]);
    window.shows("no workspace yet");
    window.keys("w");
    window.shows("The folder “novel” holds 1 Markdown file: in the list + makes");
    window.keys("\x1b[D");
    window.keys("+");
    window.shows("README.md: it stays what it is");
    window.keys("\x1b");
    // A key right behind an escape would be another key.
    window.until("what was said gone", |screen| {
        !screen.contains("it stays what it is")
    });
    window.shows("The first crossing");
    close_in_list(window);
    let kept = std::fs::read_to_string(novel.join("one.md")).unwrap();
    assert_eq!(kept, "# The first crossing\n");
    let window = machine.window(&novel, &[]);
    let screen = window.shows("The first crossing");
    assert!(!screen.contains("makes a collection"), "{screen}");
    close(window);
}

fn close_in_list(mut window: Window) {
    window.keys("q");
    assert_eq!(window.ended(), 0);
}

#[test]
fn told_to_end_between_the_question_and_the_window_it_ends() {
    let machine = Machine::new();
    for (n, signal) in ["TERM", "HUP", "QUIT", "INT"].into_iter().enumerate() {
        let novel = machine.home().join(format!("novel{n}"));
        std::fs::create_dir(&novel).unwrap();
        std::fs::write(novel.join("one.md"), "# One\n").unwrap();
        let mut window = machine.window(&novel, &[]);
        window.shows("no workspace yet");
        window.keys("s");
        let left = |s: &vt100::Screen| (!s.alternate_screen()).then_some(());
        window.wait("the question gone", Duration::from_secs(60), left);
        window.signal(signal);
        assert_eq!(window.ended(), 0, "{signal}");
    }
}

#[test]
fn a_folder_of_markdown_left_alone_is_not_asked_about_again() {
    let machine = Machine::new();
    let novel = machine.home().join("novel");
    std::fs::create_dir(&novel).unwrap();
    std::fs::write(novel.join("one.md"), "# One\n").unwrap();
    let mut window = machine.window(&novel, &[]);
    window.shows("no workspace yet");
    window.keys("h");
    window.shows("Notebooks in a drawer");
    close(window);
    let window = machine.window(&novel, &[]);
    window.shows("What do you want to write?");
    close(window);
    assert!(!novel.join(".fascicle").exists());
}

#[test]
fn doctor_in_the_window_says_what_doctor_says() {
    let machine = Machine::new();
    let mut window = machine.window(&machine.home(), &[]);
    window.shows("What do you want to write?");
    window.keys("\x10");
    window.keys("doctor");
    window.shows("Doctor: how everything is");
    window.keys("\r");
    let screen = window.shows("6 sessions, all whole");
    assert!(screen.contains("can be written"), "{screen}");
    window.keys("q");
    window.until("no layer", |screen| !screen.contains("all whole"));
    close(window);
}

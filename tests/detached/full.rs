//! A disk that takes nothing more while a command waits for a turn.

#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use rustix::process::{Pid, Resource, Rlimit, prlimit};

use crate::desk::Desk;
use crate::play;

/// Lets the host's files grow as they like.
fn makes_room(desk: &Desk) {
    let pid = Pid::from_raw(desk.host().unwrap().try_into().unwrap());
    let all = Rlimit {
        current: None,
        maximum: None,
    };
    prlimit(pid, Resource::Fsize, all).unwrap();
}

/// A command whose files, and those of the host that it starts, may not grow beyond some blocks. The signal is
/// ignored, so that write(2) says it.
fn cramped(desk: &Desk, args: &[&str]) -> Command {
    let own = desk.command(args);
    let mut shell = Command::new("sh");
    let line = "trap '' XFSZ; ulimit -S -f 64; exec \"$0\" \"$@\"";
    shell.args(["-c", line]).arg(own.get_program());
    shell.args(own.get_args()).current_dir(desk.workspace());
    shell.env_clear().envs(desk.variables());
    shell
}

#[test]
fn a_command_that_waits_says_once_that_nothing_can_be_saved_and_goes_on_when_there_is_room() {
    let desk = play::desk(&[play::numbered(4_000, 0)]);
    let id = desk.ok(&["new", "Piece"]);
    desk.ok(&["host", "stop"]);
    let mut asking = cramped(&desk, &["send", &id, "Write.", "--wait"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(asking.stderr.take().unwrap());
    let mut said = String::new();
    while !said.contains("This command waits until it can be saved") {
        assert!(told.read_line(&mut said).unwrap() > 0, "it ended: {said}");
    }
    assert!(said.contains("nothing more can be saved now"), "{said}");
    makes_room(&desk);
    told.read_to_string(&mut said).unwrap();
    assert!(asking.wait().unwrap().success(), "{said}");
    assert!(said.contains("What came is saved now"), "{said}");
    assert_eq!(said.matches("This command waits").count(), 1, "{said}");
    // A line that was cut is sealed, and stands in the log for good.
    let log = std::fs::read_to_string(play::log(&desk, &id)).unwrap();
    assert_eq!(log.matches(r#""kind":"turn.finished""#).count(), 1);
    assert!(log.contains("w4000 "), "all of it is there");
}

/// What a command that is cramped prints, of which it must succeed.
fn cramped_ok(desk: &Desk, args: &[&str]) -> String {
    let done = cramped(desk, args).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{args:?}: {said}");
    String::from_utf8(done.stdout).unwrap()
}

/// A text that is longer than a cramped file may be.
fn long() -> String {
    format!("{}\n\nEins\n\nZwei\n\nDrei\n", "word ".repeat(20_000))
}

/// A session whose draft had some texts, one after the other; its id, its file, and the numbers of the versions.
fn with_drafts(desk: &Desk, texts: &[&str]) -> (String, std::path::PathBuf, Vec<String>) {
    let id = desk.ok(&["new", "Piece"]);
    let path = desk.workspace().join("inbox/piece/draft.md");
    for text in texts {
        std::fs::write(&path, text).unwrap();
        desk.ok(&["draft", &id]);
    }
    let versions = desk.json(&["draft", &id, "--versions", "--json"]);
    let seqs = versions.as_array().unwrap().iter();
    let seqs = seqs.map(|v| v["seq"].to_string()).collect();
    desk.ok(&["host", "stop"]);
    (id, path, seqs)
}

#[test]
fn a_restored_version_that_does_not_come_into_the_file_is_said_and_not_undone_by_what_is_written_there()
 {
    let desk = play::desk(&[play::numbered(1, 0)]);
    let (one, two) = (long(), "EINS\n\nZwei\n\nDrei\n");
    let (id, path, seqs) = with_drafts(&desk, &[&one, two]);
    let told = cramped_ok(&desk, &["draft", &id, "--restore", &seqs[0]]);
    let still = format!("still holds version {}", seqs[1]);
    assert!(told.contains(&still), "{told}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), two);
    assert_eq!(desk.ok(&["draft", &id]), one.trim_end());
    std::fs::write(&path, two.replace("Drei", "DREI")).unwrap();
    makes_room(&desk);
    let both = one.replace("Drei", "DREI");
    assert_eq!(desk.ok(&["draft", &id]), both.trim_end());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), both);
}

/// A piece whose newest version never came into its file, two versions behind it, and whose host has ended; its id, its
/// file, and the newest text.
fn left_behind(desk: &Desk) -> (String, std::path::PathBuf, String) {
    let (one, three) = (long(), long().replace("Zwei", "ZWEI"));
    let (id, path, seqs) = with_drafts(desk, &[&one, &three, "EINS\n\nZwei\n\nDrei\n"]);
    for seq in &seqs[..2] {
        let told = cramped_ok(desk, &["draft", &id, "--restore", seq]);
        assert!(told.contains("still holds version"), "{told}");
    }
    desk.ok(&["host", "stop"]);
    (id, path, three)
}

#[test]
fn a_version_that_never_came_into_the_file_is_the_draft_when_the_host_has_ended() {
    let desk = play::desk(&[play::numbered(1, 0)]);
    let (id, path, newest) = left_behind(&desk);
    let told = desk.command(&["draft", &id]).output().unwrap();
    assert_eq!(String::from_utf8(told.stdout).unwrap(), newest);
    let said = String::from_utf8(told.stderr).unwrap();
    assert!(said.contains("still holds an older version"), "{said}");
    desk.ok(&["tag", &id, "there-is-room"]);
    assert_eq!(desk.ok(&["draft", &id]), newest.trim_end());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), newest);
    let log = std::fs::read_to_string(play::log(&desk, &id)).unwrap();
    let held = log.lines().rfind(|l| l.contains("draft.file")).unwrap();
    assert!(!held.contains("holds"), "{held}");
}

#[test]
fn that_a_file_is_left_behind_is_not_said_anew_by_each_host() {
    let desk = play::desk(&[play::numbered(1, 0)]);
    let (id, path, _) = left_behind(&desk);
    let still = std::fs::read_to_string(&path).unwrap();
    for tag in ["one", "two"] {
        cramped_ok(&desk, &["tag", &id, tag]);
        cramped_ok(&desk, &["host", "stop"]);
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), still);
    let log = std::fs::read_to_string(play::log(&desk, &id)).unwrap();
    let said = log.lines().filter(|l| l.contains("could not be written"));
    assert_eq!(said.count(), 1, "{log}");
}

#[test]
fn what_another_program_writes_into_a_file_that_was_left_behind_undoes_nothing_of_the_newest_version()
 {
    let desk = play::desk(&[play::numbered(1, 0)]);
    let (id, path, newest) = left_behind(&desk);
    let theirs = "EINS\n\nZwei\n\nDREI\n";
    std::fs::write(&path, theirs).unwrap();
    let both = newest.replace("Drei", "DREI");
    assert_eq!(desk.ok(&["draft", &id]), both.trim_end());
    desk.ok(&["tag", &id, "there-is-room"]);
    assert_eq!(desk.ok(&["draft", &id]), both.trim_end());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), both);
    let versions = desk.json(&["draft", &id, "--versions", "--json"]);
    let made: Vec<_> = versions.as_array().unwrap().iter().collect();
    let outside = &made[made.len() - 2]["seq"].to_string();
    assert_eq!(desk.ok(&["draft", &id, "--at", outside]), theirs.trim_end());
}

#[test]
fn what_another_program_writes_where_the_newest_version_changed_the_file_stands_beside_it() {
    let desk = play::desk(&[play::numbered(1, 0)]);
    let (id, path, newest) = left_behind(&desk);
    std::fs::write(&path, "EINS\n\nZweiundzwanzig\n\nDrei\n").unwrap();
    desk.ok(&["tag", &id, "there-is-room"]);
    assert_eq!(desk.ok(&["draft", &id]), newest.trim_end());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), newest);
    let versions = desk.json(&["draft", &id, "--versions", "--json"]);
    let [.., theirs, both] = versions.as_array().unwrap().as_slice() else {
        panic!("{versions}")
    };
    assert_eq!(both["beside"], theirs["seq"], "{versions}");
    assert_eq!(theirs["by"], "outside", "{versions}");
}

#[test]
fn a_host_that_keeps_words_in_memory_until_there_is_room_is_not_stopped_unawares() {
    let desk = play::desk(&[play::numbered(1, 0)]);
    let (id, path, _) = with_drafts(&desk, &["One.\n"]);
    cramped_ok(&desk, &["tag", &id, "cramped"]);
    std::fs::write(&path, long()).unwrap();
    desk.ok(&["draft", &id]);
    let stop = |args: &[&str]| {
        let done = desk.command(args).output().unwrap();
        (
            done.status.success(),
            String::from_utf8(done.stderr).unwrap(),
        )
    };
    let (ends, said) = stop(&["host", "stop"]);
    assert!(
        !ends && said.contains("“Piece” is kept in memory"),
        "{said}"
    );
    assert!(said.contains("--now"), "{said}");
    assert!(desk.host().is_some());
    let (ends, said) = stop(&["host", "stop", "--now"]);
    assert!(
        ends && said.contains("“Piece”") && said.contains("lost"),
        "{said}"
    );
}

#[test]
fn a_draft_that_another_program_wrote_is_read_while_nothing_can_be_saved() {
    let desk = play::desk(&[play::numbered(1, 0)]);
    let (id, path, _) = with_drafts(&desk, &["One.\n"]);
    cramped_ok(&desk, &["tag", &id, "cramped"]);
    let long = long();
    std::fs::write(&path, &long).unwrap();
    for _ in 0..3 {
        assert_eq!(desk.ok(&["draft", &id]), long.trim_end());
    }
}

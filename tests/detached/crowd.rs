//! Many at once: one host, and everybody is served.

use std::path::{Path, PathBuf};
use std::process::Child;

use crate::bench::said;
use crate::desk::Desk;
use crate::play::{self, host_gone, nothing_left};
use crate::screen::SIZE;
use crate::window::Window;

/// How often a host began on a desk, as hosts note it.
fn beginnings(desk: &Desk) -> usize {
    let state = desk.home().join("state/fascicle");
    let corners = std::fs::read_dir(state).unwrap().flatten();
    let logs: Vec<PathBuf> = corners.map(|c| c.path().join("host.log")).collect();
    let texts = logs.iter().flat_map(std::fs::read_to_string);
    texts.map(|text| text.matches(" begins").count()).sum()
}

fn window(desk: &Desk) -> Window {
    let program = Path::new(env!("CARGO_BIN_EXE_fascicle"));
    Window::open(program, &[], &desk.variables(), SIZE)
}

#[test]
fn forty_at_once_on_an_empty_workspace_are_served_by_one_host() {
    let desk = play::desk(&[play::delta("Yes.")]);
    let windows: Vec<Window> = (0..4).map(|_| window(&desk)).collect();
    let start = |n: u32| -> Child {
        let title = format!("Letter {n}");
        match n % 4 {
            0 => desk.start(&["list", "--json"]),
            1 => desk.start(&["collection", "new", &title]),
            2 => desk.start(&["new", &title]),
            _ => desk.start(&["new", &title, "--prompt", "Begin."]),
        }
    };
    let commands: Vec<Child> = (0..36).map(start).collect();
    for command in commands {
        let done = command.wait_with_output().unwrap();
        assert!(done.status.success(), "{:?}: {}", done.status, said(&done));
    }
    for window in &windows {
        window.shows("Letter 34");
    }
    let host = desk.host().unwrap();
    let logs = desk.logs();
    let sessions = desk.json(&["list", "--json"]);
    assert_eq!(sessions.as_array().unwrap().len(), 18, "{sessions}");
    for row in sessions.as_array().unwrap() {
        let n: u32 = row["title"].as_str().unwrap()[7..].parse().unwrap();
        if n % 4 == 3 {
            let log = play::log(&desk, row["id"].as_str().unwrap());
            assert_eq!(play::ended(&log, 1), "ok");
        }
    }
    assert_eq!(beginnings(&desk), 1);
    let writers = play::writers(&logs);
    assert_eq!(writers.into_iter().collect::<Vec<_>>(), [u64::from(host)]);
}

#[test]
fn prompts_that_are_sent_to_one_session_at_once_are_all_answered() {
    let desk = play::desk(&[play::delta("Yes.")]);
    let id = desk.ok(&["new", "Letter"]);
    desk.kill_host();
    let sends: Vec<Child> = (0..12)
        .map(|n| desk.start(&["send", &id, &format!("Prompt {n}."), "--wait"]))
        .collect();
    for send in sends {
        let done = send.wait_with_output().unwrap();
        assert!(done.status.success(), "{:?}: {}", done.status, said(&done));
        assert_eq!(String::from_utf8_lossy(&done.stdout).trim(), "Yes.");
    }
    let log = play::log(&desk, &id);
    assert_eq!(play::count(&log, "user.prompt"), 12);
    assert_eq!(play::count(&log, "turn.finished"), 12);
    assert_eq!(beginnings(&desk), 2, "the one that was killed, and one");
}

#[test]
fn windows_opened_at_once_are_all_drawn_and_nothing_is_left_of_them() {
    let desk = play::desk_of(&[vec![play::delta("Yes.")]], "host_stays = 1");
    std::fs::create_dir_all(desk.workspace().join(".fascicle")).unwrap();
    let mut windows: Vec<Window> = (0..25).map(|_| window(&desk)).collect();
    for window in &windows {
        window.shows("What do you want to write?");
    }
    crate::bench::until("all are told of the list", || {
        desk.json(&["host", "status", "--json"])["windows"] == 25
    });
    let host = desk.host().unwrap();
    assert_eq!(beginnings(&desk), 1);
    for window in &mut windows {
        window.keys("\x04");
    }
    for window in &mut windows {
        assert_eq!(window.ended(), 0);
    }
    host_gone(&desk, host);
    nothing_left(&desk);
    crate::bench::until("nothing runs", || desk.processes().is_empty());
}

//! What changes under a running host: its folder, its settings.

use crate::bench::until;
use crate::desk::Desk;
use crate::play::{self, host_gone};
use crate::process::cpu;
use crate::screen::{say, type_words};

#[test]
fn a_turn_ends_whole_in_a_workspace_that_is_moved_meanwhile_and_the_session_goes_on_there() {
    let turns = [vec![play::numbered(1_000, 5)], vec![play::delta("Yes.")]];
    let mut desk = play::desk_of(&turns, "");
    let id = desk.ok(&["new", "Letter", "--prompt", "Begin."]);
    let host = desk.host().unwrap();
    play::deltas(&play::log(&desk, &id), 20);
    desk.move_workspace("moved");
    let log = play::log(&desk, &id);
    assert_eq!(play::state(&desk, &id), "writing");
    play::whole(&log, 1, 1_000);
    until("the next prompt is taken", || {
        desk.run(&["send", &id, "Go on.", "--wait"])
            .status
            .success()
    });
    assert_eq!(play::ended(&log, 2), "ok");
    assert_eq!(play::count(&log, "user.prompt"), 2);
    assert_ne!(desk.host(), Some(host), "one that knows the new place");
    assert!(play::is_gone(host));
    assert!(
        !desk.dir().join("words").exists(),
        "no second folder is made"
    );
}

#[test]
fn a_workspace_that_was_moved_is_served_at_once_where_it_is() {
    let mut desk = play::desk(&[play::delta("Yes.")]);
    let id = desk.ok(&["new", "Letter"]);
    let host = desk.host().unwrap();
    desk.move_workspace("moved");
    assert_eq!(desk.ok(&["send", &id, "Begin.", "--wait"]), "Yes.");
    assert_ne!(desk.host(), Some(host));
    until("the end of the host before", || play::is_gone(host));
    desk.move_workspace("words");
    assert_eq!(desk.ok(&["send", &id, "Again.", "--wait"]), "Yes.");
    assert_eq!(play::count(&play::log(&desk, &id), "turn.started"), 2);
}

/// The host ends by itself, and works no more than its end needs.
fn ends_quietly(desk: &Desk, host: u32) {
    let before = cpu(host);
    let newest = std::cell::Cell::new(before);
    until("the end of the host", || {
        if play::is_gone(host) {
            return true;
        }
        if let Ok(text) = std::fs::read_to_string(format!("/proc/{host}/stat"))
            && let Some((_, rest)) = text.rsplit_once(')')
        {
            let ticks = rest.split_whitespace().skip(11).take(2);
            newest.set(ticks.filter_map(|t| t.parse::<f64>().ok()).sum::<f64>() / 100.0);
        }
        false
    });
    let work = newest.get() - before;
    assert!(work < 3.0, "{work} s of work to end");
    assert!(!desk.workspace().exists(), "it makes no new folder");
}

#[test]
fn a_host_whose_workspace_is_deleted_ends_by_itself() {
    let desk = play::desk(&[play::delta("Yes.")]);
    desk.ok(&["new", "Letter"]);
    let host = desk.host().unwrap();
    std::fs::remove_dir_all(desk.workspace()).unwrap();
    ends_quietly(&desk, host);
}

#[test]
fn a_host_whose_workspace_is_deleted_in_mid_turn_ends_with_the_turn() {
    let desk = play::desk(&[play::numbered(400, 5)]);
    let id = desk.ok(&["new", "Letter", "--prompt", "Begin."]);
    let host = desk.host().unwrap();
    play::deltas(&play::log(&desk, &id), 20);
    std::fs::remove_dir_all(desk.workspace()).unwrap();
    ends_quietly(&desk, host);
}

#[test]
fn another_folder_in_the_place_of_the_deleted_one_gets_a_host_of_its_own() {
    let desk = play::desk(&[play::delta("Yes.")]);
    desk.ok(&["new", "Letter"]);
    let host = desk.host().unwrap();
    std::fs::remove_dir_all(desk.workspace()).unwrap();
    std::fs::create_dir(desk.workspace()).unwrap();
    let id = desk.ok(&["new", "Another"]);
    assert_eq!(desk.ok(&["send", &id, "Begin.", "--wait"]), "Yes.");
    // The deleted letter may be listed too: a log that lost its place goes back where its folder is again.
    assert_eq!(play::count(&play::log(&desk, &id), "turn.started"), 1);
    let second = desk.host().unwrap();
    assert_ne!(host, second);
    host_gone_but(&desk, host, second);
}

/// The first of two hosts ends; the second stays.
fn host_gone_but(desk: &Desk, first: u32, second: u32) {
    until("the end of the host before", || play::is_gone(first));
    assert_eq!(desk.host(), Some(second));
    desk.ok(&["host", "stop"]);
    host_gone(desk, second);
}

#[test]
fn changed_settings_count_from_the_next_turn_of_a_running_host_and_broken_ones_are_said() {
    let desk = play::desk(&[play::delta("In the old way.")]);
    let id = desk.ok(&["new", "Letter"]);
    let host = desk.host().unwrap();
    let log = play::log(&desk, &id);
    let mut window = play::window(&desk, &id, "Letter");
    let old = play::config(&desk, "");
    say(&mut window, "One.");
    window.shows("In the old way.");
    desk.config("turns_at_once = \"many\"\n");
    say(&mut window, "Two.");
    assert_eq!(
        play::ended(&log, 2),
        "ok",
        "the settings before still count"
    );
    window.shows("turns_at_once");
    let other = desk.dir().join("other.json");
    let steps = serde_json::json!({"steps": [play::delta("In a new way.")]});
    std::fs::write(&other, steps.to_string()).unwrap();
    let new = old.replace(
        &format!("{:?}", desk.dir().join("script.json")),
        &format!("{other:?}"),
    );
    assert_ne!(old, new);
    desk.config(&new);
    say(&mut window, "Three.");
    window.shows("In a new way.");
    window.until("nothing is wrong any more", |s| {
        !s.contains("turns_at_once")
    });
    assert_eq!(desk.host(), Some(host));
}

#[test]
fn a_prompt_behind_the_move_of_an_upper_folder_is_refused_and_makes_no_second_workspace() {
    let mut desk = play::desk(&[play::delta("Yes.")]);
    let shelf = desk.dir().join("shelf");
    std::fs::create_dir(&shelf).unwrap();
    desk.move_workspace("shelf/words");
    let id = desk.ok(&["new", "Letter", "--prompt", "Begin."]);
    assert_eq!(play::ended(&play::log(&desk, &id), 1), "ok");
    let mut window = play::window(&desk, &id, "Yes.");
    desk.move_above("shelf", "elsewhere");
    type_words(&mut window, "Go on.");
    window.keys("\r");
    // The host refuses it, or has noticed before and ended.
    window.until("what is wrong", |s| {
        s.contains("no longer where it was") || s.contains("cannot be reached")
    });
    drop(window);
    assert!(!shelf.exists(), "no second folder is made");
    let log = play::log(&desk, &id);
    assert_eq!(play::count(&log, "turn.started"), 1);
    assert_eq!(desk.ok(&["send", &id, "Again.", "--wait"]), "Yes.");
}

//! A host that is killed in the middle of an adoption: the next one finishes it, or it was never begun.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::bench::until;
use crate::desk::Desk;
use crate::play;

/// The moments in which the host is killed: from the command's start to its end.
const MOMENTS: [&str; 6] = ["at once", "opened", "adopted", "named", "moved", "done"];

/// A piece and its variant, each with its own name as its draft.
fn family(desk: &Desk) -> [String; 2] {
    let main = desk.ok(&["new", "Piece"]);
    let variant = desk.ok(&["fork", &main, "--name", "first"]);
    for (id, words) in [(&main, "Piece"), (&variant, "first")] {
        std::fs::write(folder(desk, id).join("draft.md"), words).unwrap();
    }
    [main, variant]
}

fn folder(desk: &Desk, id: &str) -> std::path::PathBuf {
    let row = play::row(desk, id);
    desk.workspace().join(row["folder"].as_str().unwrap())
}

/// The adoptions in a log, and whether the newest is behind the newest line that says where its folder is.
fn adoptions(desk: &Desk, id: &str) -> (usize, bool) {
    let events = play::lines(&play::log(desk, id));
    let newest = |kind: &str| events.iter().rposition(|e| e["kind"] == kind);
    let all = events.iter().filter(|e| e["kind"] == "adopted").count();
    (all, newest("adopted") > newest("moved"))
}

/// How often each of these happened in the logs of a desk.
fn so_far(desk: &Desk) -> [usize; 3] {
    let all: Vec<Value> = desk
        .logs()
        .iter()
        .flat_map(|log| play::lines(log))
        .collect();
    ["opened", "adopted", "moved"].map(|kind| all.iter().filter(|e| e["kind"] == kind).count())
}

/// Waits for a moment of an adoption that was asked for when so much had happened.
fn comes(desk: &Desk, moment: &str, id: &str, before: [usize; 3], place: &std::path::Path) {
    let more = |n: usize| until(moment, || so_far(desk)[n] > before[n]);
    match moment {
        "opened" => more(0),
        "adopted" => more(1),
        "named" => until(moment, || {
            let mark = std::fs::read_to_string(place.join(".session")).unwrap_or_default();
            mark.trim() == id
        }),
        "moved" => more(2),
        _ => {}
    }
}

/// Each has its folder and its draft, and one of them is the main line.
fn whole(desk: &Desk, all: &[String; 2], main: &str, name: &std::path::Path) {
    let rows = all.each_ref().map(|id| play::row(desk, id));
    for (id, row) in all.iter().zip(&rows) {
        assert_eq!(row["main"], *id == main, "{row}");
        let folder = folder(desk, id);
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(read(".session").trim(), id);
        // Each draft says what its session was called when it was written.
        let begun = row["parent"].is_null();
        let called = if begun { "piece" } else { "variant" };
        assert_eq!(read("draft.md"), row[called].as_str().unwrap());
    }
    assert_eq!(folder(desk, main), name);
    let shown = std::fs::read_dir(name.parent().unwrap()).unwrap();
    let names: BTreeSet<_> = shown.map(|e| e.unwrap().path()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn a_host_that_is_killed_anywhere_in_an_adoption_leaves_it_done_or_not_begun() {
    let desk = play::desk(&[play::delta("Words.")]);
    let all = family(&desk);
    let name = folder(&desk, &all[0]);
    let mut main = all[0].clone();
    for moment in MOMENTS {
        let id = all.iter().find(|id| **id != main).unwrap();
        desk.ok(&["tag", id, moment]);
        desk.kill_host();
        // The next host opens both logs anew.
        let (asked, _) = adoptions(&desk, id);
        let before = so_far(&desk);
        let mut asking = desk.start(&["adopt", id]);
        comes(&desk, moment, id, before, &name);
        if moment == "done" {
            assert!(asking.wait().unwrap().success());
        }
        if desk.host().is_some() {
            desk.kill_host();
        }
        let _killed = asking.wait();
        if adoptions(&desk, id).0 > asked {
            main.clone_from(id);
        }
        // Whoever does something next starts the host that finishes it.
        desk.ok(&["tag", id, "next"]);
        until("nothing is left to do", || {
            all.iter().all(|id| !adoptions(&desk, id).1)
        });
        until("its end", || folder(&desk, &main) == name);
        whole(&desk, &all, &main, &name);
    }
    assert!(adoptions(&desk, &main).0 > 0, "none was ever done");
}

#[test]
fn the_verbs_say_what_they_did_and_what_is_in_their_way() {
    let desk = play::desk(&[play::numbered(100_000, 3)]);
    let [main, variant] = family(&desk);
    let name = play::row(&desk, &main)["folder"].clone();
    desk.ok(&["send", &main, "Begin."]);
    let log = play::log(&desk, &main);
    play::deltas(&log, 1);
    let said = play::refused(&desk.run(&["adopt", "first"]));
    assert!(
        said.contains("A turn runs in “Piece”") && said.contains("--wait"),
        "{said}"
    );
    let done = desk.json(&["adopt", "Piece: first", "--stop", "--json"]);
    assert_eq!(play::ended(&log, 1), "interrupted");
    assert_eq!(done["id"], variant.as_str());
    assert_eq!(
        (&done["was"], &done["folder"]),
        (&Value::from(main.as_str()), &name)
    );
    assert_eq!(play::row(&desk, &variant)["main"], true);
    let said = play::refused(&desk.run(&["adopt", "first", "--wait"]));
    assert!(said.contains("the main line already"), "{said}");
    let undone = desk.run(&["undo", "first"]);
    assert!(undone.status.success());
    let said = String::from_utf8_lossy(&undone.stderr).into_owned();
    assert!(said.contains("“Piece” is the main line again."), "{said}");
    assert_eq!(play::row(&desk, &main)["folder"], name);
    desk.ok(&["tag", &variant, "keep"]);
    let undone = desk.json(&["undo", &variant, "--json"]);
    assert_eq!(
        (&undone["id"], &undone["what"]),
        (&Value::from(variant.as_str()), &"tagged".into())
    );
    assert_eq!(
        desk.run(&["adopt", "first", "--wait", "--stop"])
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn an_adopted_variant_has_the_place_and_the_target_of_its_piece_and_the_star_in_the_list() {
    let desk = play::desk(&[play::delta("Words.")]);
    let [main, variant] = family(&desk);
    let other = desk.ok(&["new", "Other"]);
    let order = |first: &str, then: &str| {
        desk.ok(&["collection", "order", "inbox", first, then]);
        let file = std::fs::read_to_string(desk.workspace().join("inbox/collection.toml"));
        let file = file.unwrap();
        assert_eq!(file.matches("[[piece]]").count(), 2, "{file}");
        assert!(!file.contains(&variant), "{file}");
        (file.find(&main) < file.find(&other), file)
    };
    assert!(order(&main, &other).0);
    desk.ok(&["collection", "target", "inbox", "500", "--piece", &main]);
    desk.ok(&["adopt", &variant]);
    assert_eq!(play::row(&desk, &variant)["target"], 500);
    let (first, file) = order(&other, &variant);
    assert!(!first && file.contains("target = 500"), "{file}");
    desk.ok(&["collection", "target", "inbox", "600", "--piece", &variant]);
    assert!(order(&variant, &other).0);
    assert_eq!(play::row(&desk, &variant)["target"], 600);
    let rows = (play::row(&desk, &main), play::row(&desk, &variant));
    assert_eq!(
        (&rows.0["main"], &rows.1["main"]),
        (&false.into(), &true.into())
    );
    let listed = desk.ok(&["list"]);
    let line = |id: &str| listed.lines().find(|l| l.contains(id)).unwrap().to_owned();
    assert!(line(&variant).contains("Piece ★  "), "{listed}");
    assert!(line(&main).contains("Piece: original  "), "{listed}");
    assert!(line(&other).contains("Other  "), "{listed}");
}

#[test]
fn an_adoption_that_waited_when_its_host_was_killed_is_said_not_to_have_happened() {
    let desk = play::desk(&[play::numbered(100_000, 3)]);
    let [main, variant] = family(&desk);
    desk.ok(&["send", &main, "Begin."]);
    play::deltas(&play::log(&desk, &main), 1);
    let mut asking = desk.start(&["adopt", &variant, "--wait"]);
    let log = play::log(&desk, &variant);
    let said = |words: &str| {
        let is = |e: &Value| e["kind"] == "note" && e["text"].as_str().unwrap().contains(words);
        play::lines(&log).iter().filter(|e| is(e)).count()
    };
    until("it waits", || said("This becomes the main line when") == 1);
    assert_eq!(play::row(&desk, &variant)["adoption"], "waits");
    assert_eq!(play::row(&desk, &main)["adoption"], Value::Null);
    assert!(desk.ok(&["list"]).contains("adoption waits"));
    desk.kill_host();
    let _killed = asking.wait();
    assert_eq!(play::row(&desk, &variant)["adoption"], Value::Null);
    for tag in ["next", "again"] {
        desk.ok(&["tag", &variant, tag]);
        until("it is said", || {
            said("This did not become the main line") == 1
        });
        desk.kill_host();
    }
    assert_eq!(adoptions(&desk, &variant).0, 0);
}

#[test]
fn undo_of_a_piece_is_of_what_was_done_last_in_its_family_and_says_where() {
    let desk = play::desk(&[play::delta("Words.")]);
    let [main, variant] = family(&desk);
    let said = |args: &[&str]| {
        let done = desk.run(args);
        assert!(done.status.success(), "{args:?}");
        String::from_utf8_lossy(&done.stderr).into_owned()
    };
    desk.ok(&["adopt", &variant]);
    desk.ok(&["rename", "Piece", "Other"]);
    assert_eq!(play::row(&desk, &main)["piece"], "Other");
    let listed = desk.json(&["undo", "Other", "--list", "--json"]);
    let of = |n: usize| (listed[n]["id"].clone(), listed[n]["what"].clone());
    let is = |id: &str, what: &str| (Value::from(id), Value::from(what));
    assert_eq!(of(0), is(&main, "renamed"));
    assert_eq!(of(1), is(&variant, "adopted"));
    // The rename is a deed of the one the family began with, and the newest of all.
    let told = said(&["undo", "Other"]);
    assert!(
        told.contains("Its title is “Piece” again.") && told.contains("In “Other”"),
        "{told}"
    );
    // What it says does it again, whatever the piece is called by then.
    let (_, hint) = told.split_once("`fascicle redo ").unwrap();
    let (short, _) = hint.split_once('`').unwrap();
    assert!(main.starts_with(short), "{short}");
    said(&["redo", short]);
    assert_eq!(play::row(&desk, &main)["piece"], "Other");
    said(&["undo", short]);
    let told = said(&["undo", "piece"]);
    assert!(
        told.contains("In “Piece: first”") && told.contains("“Piece” is the main line again."),
        "{told}"
    );
    assert_eq!(play::row(&desk, &main)["main"], true);
    // What was undone last is done again first.
    said(&["redo", "Piece"]);
    assert_eq!(play::row(&desk, &variant)["main"], true);
    said(&["redo", "Piece"]);
    assert_eq!(play::row(&desk, &main)["piece"], "Other");
}

#[test]
fn the_list_says_where_a_main_line_is_that_was_archived() {
    let desk = play::desk(&[play::delta("Words.")]);
    let [main, _] = family(&desk);
    assert!(!desk.ok(&["list"]).contains("in archive"));
    desk.ok(&["archive", &main]);
    let listed = desk.ok(&["list"]);
    assert!(listed.contains("Piece: first · ★ in archive"), "{listed}");
}

#[test]
fn two_of_a_family_do_not_get_one_name() {
    let desk = play::desk(&[play::delta("Words.")]);
    let [main, variant] = family(&desk);
    let other = desk.ok(&["fork", &main, "--name", "second"]);
    for name in ["First", "Piece"] {
        let said = play::refused(&desk.run(&["rename", &other, name]));
        assert!(said.contains("is called") && said.contains(name), "{said}");
    }
    let said = play::refused(&desk.run(&["rename", &main, "second"]));
    assert!(said.contains("“second” already"), "{said}");
    // Nor by an undo: its old name is another one's by now.
    desk.ok(&["rename", &variant, "third"]);
    desk.ok(&["rename", &other, "first"]);
    let said = play::refused(&desk.run(&["undo", &variant]));
    assert!(said.contains("“first” already"), "{said}");
    desk.ok(&["rename", &other, "second"]);
    desk.ok(&["undo", &variant]);
    assert_eq!(play::row(&desk, &variant)["variant"], "first");
}

#[test]
fn an_adoption_that_a_crash_broke_off_is_named_by_verify_until_a_host_finishes_it() {
    use std::io::Write as _;
    let desk = play::desk(&[play::delta("Words.")]);
    let [main, variant] = family(&desk);
    let [to, own] = [&main, &variant].map(|id| play::row(&desk, id)["folder"].clone());
    desk.kill_host();
    let log = play::log(&desk, &variant);
    let newest = play::lines(&log).pop().unwrap();
    // The log says it, and the folders do not yet.
    let line = serde_json::json!({
        "v": 1, "seq": newest["seq"].as_u64().unwrap() + 1, "ts": newest["ts"], "kind": "adopted",
        "family": main, "main": variant, "was": main, "n": 1, "folder": to, "other": own,
    });
    let mut file = std::fs::OpenOptions::new().append(true).open(&log).unwrap();
    writeln!(file, "{line}").unwrap();
    let said = desk.ok(&["verify", "--strict"]);
    assert!(
        said.contains("an adoption is unfinished") && said.contains(&variant),
        "{said}"
    );
    let found = desk.json(&["verify", "--json"]);
    assert_eq!(found["unfinished"][0]["folder"], to);
    assert!(desk.ok(&["list"]).contains(", adoption unfinished"));
    assert_eq!(play::row(&desk, &variant)["adoption"], "unfinished");
    desk.ok(&["tag", &variant, "next"]);
    until("its end", || !adoptions(&desk, &variant).1);
    assert_eq!(play::row(&desk, &variant)["folder"], to);
    for verb in ["verify", "list"] {
        assert!(!desk.ok(&[verb]).contains("unfinished"));
    }
}

#[test]
fn a_wait_that_is_broken_off_says_what_goes_on_waiting_and_how_it_is_called_off() {
    let desk = play::desk(&[play::numbered(100_000, 3)]);
    let [main, variant] = family(&desk);
    desk.ok(&["send", &main, "Begin."]);
    play::deltas(&play::log(&desk, &main), 1);
    let waiting = desk.start(&["adopt", &variant, "--wait"]);
    let log = play::log(&desk, &variant);
    until("it waits", || {
        std::fs::read_to_string(&log)
            .unwrap()
            .contains("This becomes the main line when")
    });
    let process = rustix::process::Pid::from_child(&waiting);
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    let said = play::refused(&waiting.wait_with_output().unwrap());
    assert!(said.contains("goes on waiting"), "{said}");
    let (_, hint) = said.split_once("`fascicle adopt ").unwrap();
    let (short, _) = hint.split_once(" --call-off").unwrap();
    desk.ok(&["adopt", short, "--call-off"]);
    desk.ok(&["stop", &main]);
    assert_eq!(play::row(&desk, &main)["main"], true);
}

//! Collections on the command line: made, changed, put into order, undone; pieces staged and moved; what is searched.

use serde_json::{Value, json};

use super::{ID, Machine, code, out, said};

const OTHER: &str = "0197c0de-7a10-7c3e-9b55-1f2e3d4c5b6b";

/// A machine whose host ends with the command.
fn machine() -> Machine {
    let machine = Machine::with_a_session();
    let log = super::LOG
        .replace(ID, OTHER)
        .replace("inbox/letter", "inbox/harbour")
        .replace("Letter \\u001b]0;x\\u0007", "Harbour");
    machine.write(
        &format!("work/.fascicle/sessions/inbox/{OTHER}.jsonl"),
        &log,
    );
    machine.write("work/inbox/harbour/draft.md", "Ships.\n");
    machine.write("work/inbox/harbour/.session", OTHER);
    machine
}

impl Machine {
    /// Runs a command in one process, which must do what it says.
    fn done(&self, words: &[&str]) -> String {
        let done = self.run(&[&["--inline"], words].concat());
        assert_eq!(code(&done), 0, "{words:?}: {}", said(&done));
        out(&done)
    }

    fn refused(&self, words: &[&str], with: i32) -> String {
        let done = self.run(&[&["--inline"], words].concat());
        assert_eq!(code(&done), with, "{words:?}: {}", said(&done));
        said(&done)
    }

    fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// A collection as it is listed.
    fn shelf(&self, id: &str) -> Value {
        let all = self.json(&["collection", "list", "--json"]);
        let mut all = all.as_array().unwrap().iter();
        all.find(|&c| c["id"] == id).cloned().unwrap()
    }
}

/// A session filed under `notes`, in the folder of that name; that has no `collection.toml` yet.
fn with_a_session_in_notes() -> Machine {
    let machine = Machine::with_a_session();
    let log = super::LOG.replace("inbox/letter", "notes/letter");
    let log = log.replace("\"collection\":\"inbox\"", "\"collection\":\"notes\"");
    machine.write(&format!("work/.fascicle/sessions/inbox/{ID}.jsonl"), &log);
    machine.write("work/notes/letter/.session", ID);
    machine.write("work/notes/letter/draft.md", "One.\n");
    machine
}

#[test]
fn an_id_that_was_changed_by_hand_is_said_where_its_sessions_are_missed() {
    let machine = with_a_session_in_notes();
    machine.write(
        "work/notes/collection.toml",
        "id = \"essays\"\ntitle = \"Notes\"\n",
    );
    let listed = machine.run(&["list", "-c", "Notes"]);
    assert!(
        said(&listed).contains("Write id = \"notes\" again."),
        "{}{}",
        out(&listed),
        said(&listed)
    );
}

#[test]
fn what_is_wrong_with_the_file_of_a_collection_is_said_where_it_is_listed() {
    let machine = with_a_session_in_notes();
    let said_of = |more: &str| {
        let text = format!("id = \"notes\"\ntitle = \"Notes\"\n{more}");
        machine.write("work/notes/collection.toml", &text);
        let listed = machine.run(&["list", "-c", "notes"]);
        assert!(out(&listed).contains("Letter"), "{}", out(&listed));
        said(&listed)
    };
    assert_eq!(said_of(""), "");
    assert!(said_of("= =\n").contains("collection.toml:3"));
    let strange = format!("[[piece]]\nid = \"{ID}\"\nstage = \"ripe\"\n");
    assert!(said_of(&strange).contains("stage takes"));
    // What is wrong elsewhere is said there.
    machine.write("work/other/collection.toml", "= =\n");
    assert_eq!(said_of(""), "");
}

#[test]
fn what_is_said_of_a_deed_is_what_it_did_and_the_command_it_names_takes_it_back() {
    let machine = machine();
    machine.done(&["collection", "new", "Sea Essays"]);
    let told = |words: &[&str]| {
        let done = machine.run(&[&["--inline"], words].concat());
        assert_eq!(code(&done), 0, "{words:?}: {}", said(&done));
        out(&done) + &said(&done)
    };
    let now = told(&["collection", "order", "sea essays", "--at", "3"]);
    assert!(
        now.contains("`fascicle collection undo sea-essays`"),
        "{now}"
    );
    let now = told(&["collection", "undo", "sea-essays"]);
    assert!(
        now.contains("where it stood. `fascicle collection redo sea-essays`"),
        "{now}"
    );
    let now = told(&["collection", "redo", "sea-essays"]);
    assert!(now.contains("its place in the drawer is 3 again"), "{now}");
    told(&["collection", "order", "inbox", OTHER, ID]);
    told(&["collection", "undo", "inbox"]);
    let now = told(&["collection", "redo", "inbox"]);
    assert!(now.contains("in the order you gave again"), "{now}");
    // What changes nothing says so.
    told(&["tag", OTHER, "sea"]);
    for words in [
        ["rename", OTHER, "Harbour"].as_slice(),
        &["tag", OTHER, "sea"],
        &["restore", OTHER],
    ] {
        let now = told(words);
        assert!(now.contains("Nothing was changed"), "{now}");
    }
    assert!(told(&["undo", OTHER]).contains("tag"));
}

#[test]
fn a_collection_is_made_changed_and_each_change_is_undone() {
    let machine = machine();
    let id = machine.done(&["collection", "new", "Essays"]);
    assert_eq!(id, "essays\n");
    for (words, field, now) in [
        (
            vec!["rename", "essays", "Mornings"],
            "title",
            json!("Mornings"),
        ),
        (
            vec!["describe", "essays", "Of lost time"],
            "about",
            json!("Of lost time"),
        ),
        (vec!["target", "essays", "9000"], "target", json!(9_000)),
        (vec!["target", "essays", "300", "--day"], "day", json!(300)),
        (vec!["web", "essays"], "allow", json!(["web"])),
        (vec!["archive", "essays"], "archived", json!(true)),
    ] {
        let before = machine.shelf("essays")[field].clone();
        machine.done(&[&["collection"], &words[..]].concat());
        assert_eq!(machine.shelf("essays")[field], now, "{words:?}");
        machine.done(&["collection", "undo", "essays"]);
        assert_eq!(machine.shelf("essays")[field], before, "{words:?}");
    }
    machine.done(&["collection", "archive", "essays"]);
    machine.done(&["collection", "restore", "Essays"]);
    assert_eq!(machine.shelf("essays")["archived"], json!(false));
    let why = machine.refused(&["collection", "rename", "esays", "X"], 1);
    assert!(why.contains("Did you mean"), "{why}");
    let why = machine.refused(&["collection", "order", "essays", "--at", "first"], 2);
    assert!(why.contains("is a whole number"), "{why}");
}

#[test]
fn pieces_are_put_into_order_staged_and_given_targets_in_the_collections_own_file() {
    let machine = machine();
    machine.done(&["collection", "order", "inbox", OTHER, ID]);
    machine.done(&["stage", ID, "revising"]);
    machine.done(&["collection", "target", "inbox", "1200", "--piece", ID]);
    let file = machine.file("work/inbox/collection.toml");
    let (first, second) = file.split_once(ID).unwrap();
    assert!(first.contains(OTHER), "{file}");
    assert!(
        second.contains("stage = \"revising\"") && second.contains("target = 1200"),
        "{file}"
    );
    let stage = || {
        let listed = machine.json(&["list", "--json"]);
        let own = listed.as_array().unwrap().iter().find(|s| s["id"] == ID);
        own.unwrap()["stage"].clone()
    };
    assert_eq!(stage(), "revising");
    // What is taken out by hand, or by git with all that stood there, is gone, whatever the log says.
    let path = machine.path("work/inbox/collection.toml");
    std::fs::write(&path, file.replace("stage = \"revising\"\n", "")).unwrap();
    assert_eq!(stage(), json!(null));
    std::fs::write(&path, "id = \"inbox\"\n").unwrap();
    assert_eq!(stage(), json!(null));
    std::fs::write(&path, &file).unwrap();
    assert_eq!(stage(), "revising");
    machine.done(&["stage", ID, "-"]);
    assert!(
        !machine
            .file("work/inbox/collection.toml")
            .contains("revising")
    );
    let why = machine.refused(&["stage", ID, "ready"], 2);
    assert!(
        why.contains("idea, outline, draft, revising, done"),
        "{why}"
    );
}

#[test]
fn a_session_moves_with_its_folder_and_what_is_said_of_it_and_comes_back() {
    let machine = machine();
    machine.done(&["collection", "new", "Essays"]);
    machine.done(&["stage", ID, "draft"]);
    machine.done(&["move", ID, "Essays"]);
    assert!(machine.path("work/essays/letter/draft.md").exists());
    assert!(!machine.path("work/inbox/letter").exists());
    assert!(machine.file("work/essays/collection.toml").contains(ID));
    assert!(!machine.file("work/inbox/collection.toml").contains(ID));
    let why = machine.refused(&["move", ID, "essays"], 1);
    assert!(why.contains("in that collection already"), "{why}");
    machine.done(&["undo", ID]);
    assert!(machine.path("work/inbox/letter/draft.md").exists());
    assert!(machine.file("work/inbox/collection.toml").contains(ID));
}

#[test]
fn a_folder_of_files_becomes_a_collection_and_its_files_stay() {
    let machine = machine();
    machine.write("work/notes/a.md", "# One\n\nThe ferry.\n");
    machine.write("work/notes/b.md", "Two.\n");
    machine.write("work/notes/c.txt", "No Markdown.\n");
    let id = machine.done(&["collection", "new", "--from", "notes"]);
    assert_eq!(machine.shelf(id.trim())["sessions"], 2);
    assert_eq!(machine.file("work/notes/a.md"), "# One\n\nThe ferry.\n");
    assert_eq!(machine.done(&["collection", "new", "--from", "notes"]), id);
    assert_eq!(machine.shelf(id.trim())["sessions"], 2);
    let found = out(&machine.run(&["search", "-c", id.trim(), "ferry"]));
    assert!(found.contains("The ferry."), "{found}");
}

#[test]
fn a_search_tells_each_place_with_its_session_and_says_when_there_is_none() {
    let machine = machine();
    let text = out(&machine.run(&["search", "MORNING"]));
    assert!(text.contains(ID) && text.contains(OTHER), "{text}");
    assert!(text.contains("reply      3  The morning."), "{text}");
    assert!(!text.contains('\u{1b}'), "{text:?}");
    let hits = machine.json(&["search", "\"the morning\"", "--json"]);
    let hits = hits.as_array().unwrap();
    assert_eq!(hits.len(), 2);
    assert_eq!(
        (&hits[0]["text"], &hits[0]["found"]),
        (&json!("reply"), &json!("The morning"))
    );
    let none = machine.run(&["search", "-c", "inbox", "lighthouse"]);
    assert_eq!(code(&none), 1);
    assert!(
        said(&none).contains("\"lighthouse\" was not found."),
        "{}",
        said(&none)
    );
    let empty = machine.run(&["search", "\"\""]);
    assert_eq!(code(&empty), 1);
    assert!(!machine.path("work/.fascicle/host.lock").exists());
}

#[test]
fn two_collections_with_one_id_and_a_damaged_file_are_said_with_file_and_line_and_nothing_is_changed()
 {
    let machine = machine();
    let torn = "id = \"tales\"\ntitle = \"Tales\"\n[[piece\n";
    machine.write("work/a/collection.toml", "id = \"essays\"\n");
    machine.write("work/b/collection.toml", "id = \"essays\"\n");
    machine.write("work/c/collection.toml", torn);
    let listed = machine.run(&["collection", "list"]);
    assert_eq!(code(&listed), 0);
    let why = said(&listed);
    assert!(
        why.contains("b/collection.toml") && why.contains("has the same id"),
        "{why}"
    );
    assert!(why.contains("c/collection.toml:3:"), "{why}");
    assert!(out(&listed).contains("tales"), "{}", out(&listed));
    let why = machine.refused(&["collection", "rename", "tales", "Other"], 1);
    assert!(why.contains("collection.toml"), "{why}");
    assert_eq!(machine.file("work/c/collection.toml"), torn);
}

#[test]
fn a_verb_that_changes_something_says_how_it_is_now() {
    let machine = machine();
    machine.done(&["collection", "new", "Essays"]);
    for (words, now) in [
        (&["collection", "web", "essays"][..], "may use the web now"),
        (
            &["collection", "web", "essays", "--off"],
            "the drafts alone now",
        ),
        (
            &["collection", "target", "essays", "9000"],
            "its target is 9,000 words now",
        ),
        (
            &["collection", "order", "essays", "--at", "2"],
            "its place in the drawer is 2 now",
        ),
        (
            &["collection", "order", "inbox", OTHER, ID],
            "in the order you gave",
        ),
        (
            &["collection", "archive", "essays"],
            "it is in the archive now",
        ),
        (
            &["collection", "restore", "essays"],
            "it is in the drawer now",
        ),
        (
            &["stage", OTHER, "draft"],
            "“Harbour” is draft now. `fascicle undo",
        ),
        (
            &["stage", OTHER, "-"],
            "“Harbour” has no stage now. `fascicle undo",
        ),
        (
            &["tag", OTHER, "#sea", "old"],
            "The tags of “Harbour” are #old #sea now. `fascicle undo",
        ),
        (
            &["tag", OTHER, "--remove", "sea", "old"],
            "“Harbour” has no tags now.",
        ),
        (
            &["move", OTHER, "essays"],
            "“Harbour” lies in essays/harbour now. `fascicle undo",
        ),
        (
            &["archive", OTHER],
            "“Harbour” is in the archive now. `fascicle undo",
        ),
        (
            &["restore", OTHER],
            "“Harbour” is in the list now. `fascicle undo",
        ),
        (&["delete", OTHER], "It is in the trash now."),
        (&["restore", OTHER], "“Harbour” is in the list now.\n"),
    ] {
        let done = machine.run(&[&["--inline"], words].concat());
        assert_eq!(code(&done), 0, "{words:?}: {}", said(&done));
        assert!(said(&done).contains(now), "{words:?}: {}", said(&done));
        assert_eq!(out(&done), "", "{words:?}");
    }
    let told = machine.json(&["--inline", "collection", "web", "essays", "--json"]);
    let now = told["now"].as_str().unwrap();
    assert!(
        now.starts_with("“Essays”: its agents may use the web now"),
        "{now}"
    );
}

#[test]
fn an_undo_says_to_scripts_what_it_was_wherever_it_was_done() {
    let machine = machine();
    machine.done(&["collection", "new", "On Water"]);
    machine.done(&["collection", "rename", "On Water", "Water"]);
    let told = machine.json(&["--inline", "collection", "undo", "on-water", "--json"]);
    let of_collection = json!({"collection": "on-water", "what": "title", "again": false});
    let of_session = json!({"id": ID, "what": "tagged", "again": false});
    machine.done(&["tag", ID, "sea"]);
    let other = machine.json(&["--inline", "undo", ID, "--json"]);
    for (told, wanted) in [(told, of_collection), (other, of_session)] {
        for (key, value) in wanted.as_object().unwrap() {
            assert_eq!(told[key], *value, "{told}");
        }
        assert!(told["deed"].is_u64() && told["at"].is_i64(), "{told}");
    }
    // A place is named by its title.
    machine.done(&["move", ID, "on-water"]);
    machine.done(&["undo", ID]);
    let done = machine.run(&["--inline", "redo", ID]);
    assert!(
        said(&done).contains("It is in “On Water” again."),
        "{}",
        said(&done)
    );
}

#[test]
fn a_tag_that_was_stored_with_its_mark_goes_too() {
    let machine = machine();
    let log = machine.path(&format!("work/.fascicle/sessions/inbox/{ID}.jsonl"));
    let text = std::fs::read_to_string(&log).unwrap();
    let seq = text.lines().count();
    let line =
        json!({"v": 1, "seq": seq, "ts": 4000, "kind": "tagged", "add": ["#y"], "remove": []});
    std::fs::write(&log, format!("{text}{line}\n")).unwrap();
    let tags = |machine: &Machine| {
        let listed = machine.json(&["list", "--json"]);
        let own = listed.as_array().unwrap().iter().find(|s| s["id"] == ID);
        own.unwrap()["tags"].clone()
    };
    assert_eq!(tags(&machine), json!(["#y"]));
    machine.done(&["tag", ID, "--remove", "#y"]);
    assert_eq!(tags(&machine), json!([]));
}

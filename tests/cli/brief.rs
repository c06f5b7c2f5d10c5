//! The brief by the command line: from disk, with no host.

use serde_json::Value;

use crate::{ID, Machine, code, out, said};

#[test]
fn the_brief_is_printed_exactly_and_what_it_was_made_of_is_said_beside_it() {
    let machine = Machine::with_a_session();
    machine.write("work/CLAUDE.md", "Write plainly.\r\n@../secret.md");
    machine.write("secret.md", "secret");
    machine.write("work/inbox/MEMORY.md", "- Ilse is the ferryman's daughter.");
    let done = machine.run(&["brief", ID]);
    let (text, beside) = (out(&done), said(&done));
    assert!(
        text.starts_with("You are a writer's partner in Fascicle"),
        "{text}"
    );
    assert!(text.contains("# Rules of the workspace\n\n"), "{text}");
    assert!(
        text.contains("Write plainly.\n@../secret.md\n\n# Memory of the collection \"Inbox\""),
        "{text}"
    );
    assert!(
        text.contains(" (this piece)") && !text.ends_with('\n'),
        "{text}"
    );
    for line in [
        "  Rules of the workspace: CLAUDE.md, ",
        "  Memory of the collection: inbox/MEMORY.md, ",
        "! CLAUDE.md, line 2: @../secret.md leads out of the workspace; it is not sent.",
        "Nothing was sent here yet.",
    ] {
        assert!(beside.contains(line), "{line}: {beside}");
    }
    let json: Value = machine.json(&["brief", ID, "--json"]);
    assert_eq!(json["text"], text.as_str());
    assert_eq!(
        (&json["session"], &json["turn"]),
        (&ID.into(), &Value::Null)
    );
    assert_eq!(json["parts"][1]["path"], "CLAUDE.md");
    assert_eq!(json["problems"].as_array().unwrap().len(), 1);
    assert!(!machine.path("work/.fascicle/host.lock").exists());
}

#[test]
fn a_turn_that_was_sent_none_is_named() {
    let machine = Machine::with_a_session();
    let done = machine.run(&["brief", ID, "--turn", "1"]);
    assert_eq!(code(&done), 1);
    assert!(
        said(&done).contains("The log has no brief for turn 1"),
        "{}",
        said(&done)
    );
}

//! What an agent proposes, by the command line: taken by the paragraph, dismissed, and what is told of it afterwards.

use serde_json::{Value, json};

use crate::bench::until;
use crate::desk::Desk;
use crate::play;

const DRAFT: &str = "One.\n\nTwo.\n\nThree.\n";
const BETTER: &str = "One, better.\n\nTwo.\n\nThree, better.\n";

/// A session with a draft for which an agent has proposed another text; the event of that.
fn proposed() -> (Desk, String, u64) {
    let desk = play::desk_of(&[vec![play::delta("Words.")]], "changes = \"ask\"");
    let id = desk.ok(&["new", "Piece"]);
    let log = play::log(&desk, &id);
    std::fs::write(desk.workspace().join("inbox/piece/draft.md"), DRAFT).unwrap();
    desk.ok(&["draft", &id]);
    let base = &play::logged(&log, "the draft", |e| e["kind"] == "draft.saved")["seq"];
    let input = json!({"text": BETTER, "base_version": base}).to_string();
    let call = json!({"tool_call": {"call": "c", "name": "write_draft", "input": input}});
    let steps = vec![call, play::awaits("tool_result"), play::delta("Done.")];
    play::plays(&desk, &[steps]);
    desk.ok(&["send", &id, "Better.", "--wait"]);
    let seq = play::logged(&log, "the proposal", |e| e["kind"] == "draft.proposed")["seq"].clone();
    (desk, id, seq.as_u64().unwrap())
}

/// What the versions say of the proposal.
fn told(desk: &Desk, id: &str, seq: u64) -> (Value, String) {
    let rows = desk.json(&["draft", id, "--versions", "--json"]);
    let row = rows.as_array().unwrap().iter().find(|r| r["seq"] == seq);
    let page = desk.ok(&["draft", id, "--versions"]);
    let line = page.lines().find(|l| l.contains("proposed for")).unwrap();
    (row.unwrap()["answer"].clone(), line.to_owned())
}

#[test]
fn a_paragraph_of_a_proposal_is_taken_by_its_number_and_the_rest_waits_until_it_is_dismissed() {
    let (desk, id, seq) = proposed();
    let from = format!("{id}@{seq}");
    let (answer, line) = told(&desk, &id, seq);
    assert!(answer.is_null() && line.contains(", waits"), "{line}");

    desk.ok(&["take", &id, "--from", &from, "--paragraph", "1"]);
    assert_eq!(desk.ok(&["draft", &id]), "One, better.\n\nTwo.\n\nThree.");
    assert_eq!(play::row(&desk, &id)["proposed"], seq);
    assert!(told(&desk, &id, seq).1.contains(", waits"));

    let dismissed = desk.run(&["draft", &id, "--dismiss"]);
    let said = String::from_utf8_lossy(&dismissed.stderr).into_owned();
    let said = said + &String::from_utf8_lossy(&dismissed.stdout);
    assert!(
        said.contains("dismissed") && said.contains("`fascicle undo"),
        "{said}"
    );
    assert!(play::row(&desk, &id)["proposed"].is_null());
    let (answer, line) = told(&desk, &id, seq);
    assert_eq!(answer, "part");
    assert!(line.contains("kept in part"), "{line}");

    desk.ok(&["undo", &id]);
    until("it waits again", || {
        play::row(&desk, &id)["proposed"] == seq
    });
    assert!(told(&desk, &id, seq).0.is_null());
    desk.ok(&["take", &id, "--from", &from]);
    assert_eq!(desk.ok(&["draft", &id]), BETTER.trim_end());
    assert_eq!(told(&desk, &id, seq).0, "kept");
}

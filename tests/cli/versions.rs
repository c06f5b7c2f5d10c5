//! Drafts and their versions by the command line: listed, named, restored, compared, taken from.

use serde_json::Value;

use crate::{Machine, code, out, said};

impl Machine {
    /// A session whose draft had these texts, one after the other; its id and the numbers of their versions.
    fn with_drafts(&self, title: &str, texts: &[&str]) -> (String, Vec<String>) {
        self.write("work/.fascicle/config.toml", "");
        let id = self.ok(&["new", "--inline", title]).trim().to_owned();
        let listed = self.json(&["list", "--json"]);
        let rows = listed.as_array().unwrap();
        let row = rows.iter().find(|r| r["id"] == id.as_str()).unwrap();
        let folder = row["folder"].as_str().unwrap().to_owned();
        for text in texts {
            self.write(&format!("work/{folder}/draft.md"), text);
            let done = self.run(&["tag", "--inline", &id, "seen"]);
            assert!(done.status.success(), "{}", said(&done));
        }
        let versions = self.json(&["draft", &id, "--versions", "--json"]);
        let seqs = versions.as_array().unwrap().iter();
        (id, seqs.map(|v| v["seq"].to_string()).collect())
    }

    fn ok(&self, words: &[&str]) -> String {
        let done = self.run(words);
        assert!(done.status.success(), "{words:?}: {}", said(&done));
        out(&done)
    }
}

#[test]
fn versions_are_listed_named_shown_and_restored_by_number_or_name() {
    let machine = Machine::new();
    let (id, seqs) = machine.with_drafts("Letter", &["One.\n", "One. Two.\n"]);
    let [first, second] = seqs.as_slice() else {
        panic!("{seqs:?}")
    };
    let listed = machine.json(&["draft", "Letter", "--versions", "--json"]);
    for field in ["seq", "ts", "by", "words", "bytes", "name"] {
        assert!(!listed[0][field].is_null() || field == "name", "{field}");
    }
    assert_eq!(
        (&listed[1]["words"], &listed[1]["bytes"]),
        (&2.into(), &10.into())
    );
    assert_eq!(listed[1]["by"], "outside");

    machine.ok(&["draft", "--inline", &id, "--pin", first, "as sent"]);
    let page = machine.ok(&["draft", &id, "--versions"]);
    assert!(
        page.contains("“as sent”") && page.contains("another program"),
        "{page}"
    );
    for at in [first.as_str(), "as sent"] {
        assert_eq!(machine.ok(&["draft", &id, "--at", at]), "One.\n");
    }
    let told = machine.ok(&["draft", "--inline", &id, "--restore", "as sent"]);
    assert!(
        told.contains(&format!("that of version {first} again")),
        "{told}"
    );
    assert_eq!(machine.ok(&["draft", &id]), "One.\n");
    let listed = machine.json(&["draft", &id, "--versions", "--json"]);
    let newest = listed.as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (&newest["by"], newest["from"]["seq"].to_string()),
        (&"restore".into(), first.clone())
    );
    let told = machine.ok(&["draft", "--inline", &id, "--restore", first]);
    assert!(told.contains("already"), "{told}");
    let told = machine.json(&["draft", "--inline", &id, "--restore", second, "--json"]);
    assert!(told["version"].as_u64() > newest["seq"].as_u64(), "{told}");
    assert_eq!(machine.ok(&["draft", &id]), "One. Two.\n");
}

#[test]
fn a_version_that_is_not_there_is_one_and_says_where_they_are() {
    let machine = Machine::new();
    let (id, seqs) = machine.with_drafts("Letter", &["One.\n"]);
    for words in [
        ["draft", "--inline", &id, "--restore", "as sent"],
        ["draft", "--inline", &id, "--restore", "0"],
        ["draft", "--inline", &id, "--at", "9999"],
        ["draft", "--inline", &id, "--at", "0"],
        ["compare", "--inline", &id, &format!("{id}@none"), "--json"],
    ] {
        let done = machine.run(&words);
        assert_eq!(code(&done), 1, "{words:?}");
        assert!(
            said(&done).contains("--versions"),
            "{words:?}: {}",
            said(&done)
        );
    }
    let done = machine.run(&["draft", "--inline", &id, "--dismiss"]);
    assert_eq!(code(&done), 1, "{}", said(&done));
    let both = machine.run(&["draft", &id, "--versions", "--at", &seqs[0]]);
    assert_eq!(code(&both), 2);
}

#[test]
fn a_draft_of_another_system_is_converted_when_it_is_asked_for() {
    let machine = Machine::new();
    let (id, _) = machine.with_drafts("Letter", &["One.\n"]);
    let folder = machine.json(&["list", "--json"])[0]["folder"].clone();
    let path = machine.path(&format!("work/{}/draft.md", folder.as_str().unwrap()));
    std::fs::write(&path, b"caf\xe9\n").unwrap();
    let done = machine.run(&["compare", &id, &id]);
    assert!(said(&done).contains("--convert"), "{}", said(&done));
    let told = machine.ok(&["draft", "--inline", &id, "--convert"]);
    assert!(told.contains("The original is version"), "{told}");
    assert_eq!(machine.ok(&["draft", &id]), "café\n");
}

#[test]
fn a_paragraph_that_moved_is_counted_in_the_other_text() {
    let old =
        "One stays here.\n\nTwo goes away to the end.\n\nThree stays here.\n\nFour stays here.\n";
    let new =
        "One stays here.\n\nThree stays here.\n\nFour stays here.\n\nTwo goes away to the end.\n";
    let machine = Machine::new();
    let (id, seqs) = machine.with_drafts("Letter", &[old, new]);
    machine.ok(&["draft", "--inline", &id, "--pin", &seqs[0], "old"]);
    let page = machine.ok(&["compare", "Letter@old", "Letter"]);
    assert!(
        page.contains("2 moved: paragraph 4 in Letter\n")
            && page.contains("5 moved: paragraph 2 in Letter@old\n"),
        "{page}"
    );
}

const LEFT: &str = "# Harbour\n\nThe old house stood by the sea.\n\nGone for good.\n\nThe end.\n";
const RIGHT: &str = "# Harbour\n\nThe white house stood by the sea.\n\nThe end.\n\nOr is it?\n";

#[test]
fn two_texts_are_compared_paragraph_by_paragraph_with_their_words_marked() {
    let machine = Machine::new();
    let (id, seqs) = machine.with_drafts("Letter", &[LEFT, RIGHT]);
    machine.ok(&["draft", "--inline", &id, "--pin", &seqs[0], "as sent"]);
    let page = machine.ok(&["compare", "Letter@as sent", "Letter"]);
    let wanted = "… 1 paragraph the same\n\n2 changed\nThe [-old-]{+white+} house stood by the sea.\n\n\
        3 only in Letter@as sent\n[-Gone for good.-]\n\n… 1 paragraph the same\n\n\
        5 only in Letter\n{+Or is it?+}\n";
    assert_eq!(page, wanted);
    let pairs = machine.json(&["compare", &format!("{id}@{}", seqs[0]), &id, "--json"]);
    let kinds: Vec<&Value> = pairs
        .as_array()
        .unwrap()
        .iter()
        .map(|p| &p["kind"])
        .collect();
    assert_eq!(kinds, ["same", "changed", "left", "same", "right"]);
    assert_eq!(
        (&pairs[1]["n"], &pairs[4]["left"]),
        (&2.into(), &Value::Null)
    );
    assert_eq!(pairs[1]["right"], "The white house stood by the sea.");
    let same = machine.run(&["compare", &id, &format!("{id}@{}", seqs[1])]);
    assert_eq!((code(&same), out(&same).as_str()), (0, ""));
    assert!(said(&same).contains("the same"), "{}", said(&same));
}

#[test]
fn paragraphs_are_taken_by_the_numbers_of_the_comparison_and_without_one_the_whole_text() {
    let machine = Machine::new();
    let (into, _) = machine.with_drafts("Letter", &[LEFT]);
    let (from, seqs) = machine.with_drafts("Other", &["Before.\n", RIGHT]);
    let told = machine.ok(&[
        "take",
        "--inline",
        &into,
        "--from",
        "Other",
        "--paragraph",
        "2",
        "--paragraph",
        "5",
    ]);
    assert!(told.contains("Taken: the draft is version"), "{told}");
    let text = "# Harbour\n\nThe white house stood by the sea.\n\nGone for good.\n\nThe end.\n\nOr is it?\n";
    assert_eq!(machine.ok(&["draft", &into]), text);
    let told = machine.json(&["take", "--inline", &into, "--from", &from, "--json"]);
    assert!(
        told["version"].is_u64() && told["beside"].is_null(),
        "{told}"
    );
    assert_eq!(machine.ok(&["draft", &into]), RIGHT);
    let listed = machine.json(&["draft", &into, "--versions", "--json"]);
    let newest = listed.as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (&newest["by"], &newest["from"]["session"]),
        (&"take".into(), &from.as_str().into())
    );
    assert_eq!(newest["from"]["seq"].to_string(), seqs[1]);
    let told = machine.ok(&["take", "--inline", &into, "--from", &from]);
    assert!(told.contains("already"), "{told}");
    let older = format!("{from}@{}", seqs[0]);
    machine.ok(&["take", "--inline", &into, "--from", &older]);
    assert_eq!(machine.ok(&["draft", &into]), "Before.\n");
    machine.ok(&["undo", "--inline", &into]);
    assert_eq!(machine.ok(&["draft", &into]), RIGHT);
    let none = machine.run(&[
        "take",
        "--inline",
        &into,
        "--from",
        &older,
        "--paragraph",
        "9",
    ]);
    assert_eq!(code(&none), 1);
    assert!(said(&none).contains("no paragraph 9"), "{}", said(&none));
    let wrong = machine.run(&["take", "--inline", &older, "--from", &into]);
    assert_eq!(code(&wrong), 2, "{}", said(&wrong));
}

#[test]
fn what_is_archived_is_marked_where_all_are_listed() {
    let machine = Machine::new();
    let (id, _) = machine.with_drafts("Letter", &["One."]);
    machine.ok(&["archive", "--inline", &id]);
    assert!(!machine.ok(&["list"]).contains("Letter"));
    let all = machine.ok(&["list", "--all"]);
    assert!(all.contains(", archived  Letter"), "{all}");
}

#[test]
fn a_variant_whose_name_another_one_has_says_what_it_is_called() {
    let machine = Machine::new();
    let (id, _) = machine.with_drafts("Letter", &["One."]);
    let fork = || machine.run(&["fork", "--inline", &id, "--name", "short"]);
    assert!(!said(&fork()).contains("called"));
    let again = said(&fork());
    let wanted = "It is called “short 2”: another one of its family is called “short”.";
    assert!(again.contains(wanted), "{again}");
    // Each command has a host that has just begun, and has not listed the others yet.
    machine.ok(&["archive", "--inline", "Letter: short"]);
    let renamed = machine.run(&["rename", "--inline", "Letter: short 2", "Short"]);
    let wanted = "Another one of its family is called “Short” already.";
    assert!(said(&renamed).contains(wanted), "{}", said(&renamed));
}

#[test]
fn an_adoption_that_takes_a_variant_out_of_its_collection_says_so_and_an_undo_puts_it_back() {
    let machine = Machine::new();
    let (id, _) = machine.with_drafts("Letter", &["One."]);
    machine.ok(&["collection", "new", "--inline", "Two"]);
    let variant = machine.ok(&["fork", "--inline", &id, "--name", "short"]);
    let variant = variant.trim();
    machine.ok(&["move", "--inline", variant, "Two", "--alone"]);
    let told = said(&machine.run(&["adopt", "--inline", variant]));
    let wanted = "It has left “Two” for “Inbox”, where the main line of its family lay.";
    assert!(told.contains(wanted), "{told}");
    machine.ok(&["undo", "--inline", variant]);
    let listed = machine.json(&["list", "--json"]);
    let mut rows = listed.as_array().unwrap().iter();
    let row = rows.find(|row| row["id"] == variant).unwrap();
    assert_eq!(row["folder"], "two/letter~short");
}

#[test]
fn a_paragraph_that_the_other_text_has_not_got_is_said_to_be_taken_out() {
    let machine = Machine::new();
    let (into, _) = machine.with_drafts("Letter", &["Only here.\n\nThe old house.\n"]);
    let (from, _) = machine.with_drafts("Other", &["The old house.\n\nOnly there.\n"]);
    let take =
        |n: &str| machine.ok(&["take", "--inline", &into, "--from", &from, "--paragraph", n]);
    let told = take("1");
    assert!(
        told.starts_with("Taken out, 1 paragraph that the other text has not got: the draft is"),
        "{told}"
    );
    assert_eq!(machine.ok(&["draft", &into]), "The old house.\n");
    let told = take("2");
    assert!(told.starts_with("Taken: the draft is version"), "{told}");
}

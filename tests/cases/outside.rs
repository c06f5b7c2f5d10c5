//! 30: another program replaces the draft while it is shown, and while it is typed into.

use std::path::Path;
use std::process::Command;

use crate::bench::{Bench, input, logged};
use crate::draft::{in_draft, leave, with_draft};

/// Saves as many editors do: beside the file, then renamed over it.
fn save(file: &Path, text: &str) {
    let script = input("30-external-atomic-save").join("save.sh");
    let done = Command::new("sh").arg(script).arg(file).arg(text).status();
    assert!(done.unwrap().success());
}

#[test]
fn case_30_every_save_is_shown_and_with_own_words_both_texts_are_kept() {
    let bench = Bench::new();
    let (id, path) = with_draft(&bench, "Saved", b"It was late.\n");
    let mut window = in_draft(&bench, "Saved");
    window.shows("It was late.");
    for text in ["The first save.", "The second save.", "The third save."] {
        save(&path, text);
        window.shows(text);
    }
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, "Made again.\n").unwrap();
    window.shows("Made again.");
    window.keys("Mine: ");
    logged(&bench.desk, &id, "what was typed", |e| {
        e["kind"] == "draft.edited"
    });
    save(&path, "Theirs.");
    let beside = logged(&bench.desk, &id, "both texts", |e| {
        e["kind"] == "draft.saved" && e["beside"].is_u64()
    });
    window.keys("\x1b\x1b");
    leave(&mut window, &bench, &id);
    let theirs = beside["beside"].to_string();
    assert_eq!(bench.desk.ok(&["draft", &id, "--at", &theirs]), "Theirs.");
    assert_eq!(bench.desk.ok(&["draft", &id]), "Mine: Made again.");
    let versions = bench.desk.json(&["draft", &id, "--versions", "--json"]);
    let by = |who: &str| {
        let rows = versions.as_array().unwrap().iter();
        rows.filter(|v| v["by"] == who).count()
    };
    // The one it began with, three saves, the new file, and the last one.
    assert_eq!(by("outside"), 6, "{versions}");
}

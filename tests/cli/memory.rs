//! The memory of a collection by the command line: read from disk without a host, decided by one in the process.

use serde_json::{Value, json};

use crate::{ID, Machine, code, out, said};

impl Machine {
    /// A session whose agent has proposed a term and a name.
    fn with_proposals() -> Self {
        let machine = Self::with_a_session();
        machine.write("work/.fascicle/config.toml", "");
        let line = |seq: u64, what: &str, text: &str| {
            let line = json!({
                "v": 1, "seq": seq, "ts": 1_772_460_120_000_i64 + i64::try_from(seq).unwrap(),
                "kind": "memory.proposed", "session": ID, "turn": 1, "call": format!("c{seq}"),
                "what": what, "text": text, "reason": "It comes back.",
            });
            format!("{line}\n")
        };
        let log =
            line(0, "term", "The boat is the chain ferry.") + &line(1, "name", "Ilse is nine.");
        // A line begins with its version and its number, as the store writes it.
        let log: String = log.lines().map(ordered).collect();
        machine.write("work/.fascicle/sessions/inbox/collection.jsonl", &log);
        machine.write(
            "work/inbox/MEMORY.md",
            "# Memory\n\n## Names\n\n- Ilse is ten.\n",
        );
        machine
    }

    fn memory(&self) -> String {
        std::fs::read_to_string(self.path("work/inbox/MEMORY.md")).unwrap()
    }

    fn remembers(&self, words: &[&str]) -> String {
        let words: Vec<&str> = ["memory", "--inline"]
            .iter()
            .chain(words)
            .copied()
            .collect();
        let done = self.run(&words);
        assert_eq!(code(&done), 0, "{words:?}: {}", said(&done));
        out(&done)
    }
}

/// A line with `v`, `seq`, `ts` and `kind` first.
fn ordered(line: &str) -> String {
    let value: Value = serde_json::from_str(line).unwrap();
    let rest = value.as_object().unwrap().iter();
    let first = ["v", "seq", "ts", "kind"];
    let rest = rest.filter(|(name, _)| !first.contains(&name.as_str()));
    let head = first.map(|name| format!("{name:?}:{}", value[name]));
    let parts: Vec<String> = head
        .into_iter()
        .chain(rest.map(|(name, value)| format!("{name:?}:{value}")))
        .collect();
    format!("{{{}}}\n", parts.join(","))
}

#[test]
fn what_waits_and_what_is_kept_is_listed_and_no_host_is_started() {
    let machine = Machine::with_proposals();
    let done = machine.run(&["memory", "list"]);
    let listed = out(&done);
    assert_eq!(code(&done), 0, "{}", said(&done));
    assert!(
        listed.contains("? 0  term  The boat is the chain ferry.  (Letter"),
        "{listed}"
    );
    assert!(listed.contains("against - Ilse is ten."), "{listed}");
    assert!(!listed.contains('\u{1b}'), "{listed:?}");
    let sheet = machine.json(&["memory", "list", "--json"]);
    assert_eq!(sheet["offers"].as_array().unwrap().len(), 2);
    assert_eq!(sheet["lines"][0]["text"], "Ilse is ten.");
    assert!(!machine.path("work/.fascicle/host.lock").exists());
    let nothing = Machine::new().run(&["memory"]);
    assert_eq!(code(&nothing), 0, "{}", said(&nothing));
    assert!(said(&nothing).contains("No proposal waits."));
}

#[test]
fn proposals_are_accepted_refused_and_undone_and_versions_printed_and_restored() {
    let machine = Machine::with_proposals();
    machine.remembers(&["accept", "0", "--text", "The boat is the ferry."]);
    let text = machine.memory();
    assert!(
        text.contains("## Terms\n\n- The boat is the ferry. *("),
        "{text}"
    );
    machine.remembers(&["accept", "1", "--instead", "- Ilse is ten."]);
    let text = machine.memory();
    assert!(text.contains("- Ilse is nine. *("), "{text}");
    assert!(
        text.contains("## Archive\n\n### Names\n\n- Ilse is ten."),
        "{text}"
    );
    machine.remembers(&["undo"]);
    assert!(machine.memory().contains("## Names\n\n- Ilse is ten."));
    machine.remembers(&["refuse", "1"]);
    let again = machine.run(&["memory", "--inline", "accept", "1"]);
    assert_eq!(code(&again), 1);
    assert!(
        said(&again).contains("It is refused already"),
        "{}",
        said(&again)
    );
    machine.remembers(&["archive", "- Ilse is ten."]);
    assert!(machine.memory().contains("### Names\n\n- Ilse is ten."));
    machine.remembers(&["archive", "--back", "- Ilse is ten."]);
    let sheet = machine.json(&["memory", "list", "--json"]);
    let first = sheet["files"][0]["versions"][0]["seq"].to_string();
    let old = out(&machine.run(&["memory", "version", "MEMORY.md", &first]));
    assert_eq!(old, "# Memory\n\n## Names\n\n- Ilse is ten.\n");
    machine.remembers(&["version", "MEMORY.md", &first, "--restore"]);
    assert_eq!(machine.memory(), old);
}

#[test]
fn files_that_are_no_text_links_and_missing_ones_are_named_and_left_alone() {
    let machine = Machine::with_proposals();
    let file = machine.path("work/inbox/MEMORY.md");
    std::fs::write(&file, b"\xff\xfe\0").unwrap();
    let done = machine.run(&["memory", "list"]);
    assert!(said(&done).contains("is not UTF-8 text"), "{}", said(&done));
    let done = machine.run(&["memory", "--inline", "accept", "0"]);
    assert_eq!(code(&done), 1);
    assert_eq!(std::fs::read(&file).unwrap(), b"\xff\xfe\0");
    std::fs::remove_file(&file).unwrap();
    machine.write("secret.md", "- A secret.\n");
    std::os::unix::fs::symlink(machine.path("secret.md"), &file).unwrap();
    let done = machine.run(&["memory", "list"]);
    assert!(said(&done).contains("it is a link"), "{}", said(&done));
    assert!(!out(&done).contains("secret"));
    std::fs::remove_file(&file).unwrap();
    assert!(!out(&machine.run(&["memory", "list"])).contains("Ilse is ten."));
    machine.remembers(&["accept", "0"]);
    assert!(
        machine
            .memory()
            .starts_with("# Memory\n\n## Terms\n\n- The boat")
    );
    std::fs::write(&file, "# Memory\r\n\r\n## Names\r\n\r\n- Jon rows.\r\n").unwrap();
    machine.remembers(&["accept", "1"]);
    let text = machine.memory();
    assert!(
        text.starts_with("# Memory\r\n\r\n## Names\r\n\r\n- Jon rows.\r\n- Ilse is nine. *("),
        "{text:?}"
    );
}

#[test]
fn a_finished_piece_says_what_its_voice_never_writes_and_an_editor_has_nothing_to_propose() {
    let machine = Machine::with_a_session();
    machine.write("work/.fascicle/config.toml", "");
    machine.write("work/VOICE.md", "Never: morning, evening\n");
    let done = machine.run(&["stage", "--inline", ID, "done"]);
    assert_eq!(code(&done), 0, "{}", said(&done));
    assert!(
        said(&done).contains("The draft has 1 word that you never write: morning."),
        "{}",
        said(&done)
    );
    let done = machine.run(&["stage", "--inline", ID, "draft", "--ask"]);
    assert_eq!(code(&done), 2, "{}", said(&done));
    let done = machine.run(&["stage", "--inline", ID, "done", "--ask"]);
    assert_eq!(code(&done), 1);
    assert!(said(&done).contains("does not write"), "{}", said(&done));
}

#[test]
fn a_turn_that_wrote_in_the_draft_says_at_its_end_what_the_voice_never_writes() {
    let machine = Machine::with_a_session();
    machine.write("work/.fascicle/config.toml", "default_agent = \"editor\"\n");
    machine.write("work/VOICE.md", "Never: journey\n");
    let draft = "The the journey ends here.\n";
    machine.write("work/inbox/letter/draft.md", draft);
    let looked = machine.run(&["send", "--inline", ID, "proofread", "--wait"]);
    assert!(!said(&looked).contains("never write"), "{}", said(&looked));
    let done = machine.run(&["send", "--inline", ID, "fix all", "--wait"]);
    assert_eq!(code(&done), 0, "{}", said(&done));
    assert!(
        said(&done).contains("The draft has 1 word that you never write: journey."),
        "{}",
        said(&done)
    );
}

#[test]
fn a_missing_line_is_said_with_the_verbs_that_put_it_back_or_let_it_go() {
    let machine = Machine::with_proposals();
    let old = machine.memory();
    machine.remembers(&["accept", "0"]);
    let path = "work/inbox/MEMORY.md";
    machine.write(path, &old);
    let told = || said(&machine.run(&["memory", "--inline", "list"]));
    let now = told();
    assert!(now.contains("is missing in inbox/MEMORY.md"), "{now}");
    assert!(now.contains("`fascicle memory put-back -c inbox`"), "{now}");
    machine.remembers(&["put-back"]);
    assert!(machine.memory().contains("The boat is the chain ferry."));
    assert!(!told().contains("missing"));
    machine.remembers(&["undo"]);
    machine.remembers(&["let-go"]);
    assert_eq!(machine.memory(), old);
    assert!(!told().contains("missing"));
    let again = machine.run(&["memory", "--inline", "let-go"]);
    assert_eq!(code(&again), 1);
    assert!(
        said(&again).contains("nothing was done"),
        "{}",
        said(&again)
    );
}

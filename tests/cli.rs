//! The real binary as a script sees it, as far as no host is needed: parsing, help, exit codes, reading verbs.
#![allow(clippy::unwrap_used, reason = "test")]

#[path = "cli/brief.rs"]
mod brief;
#[path = "cli/drawer.rs"]
mod drawer;
#[path = "cli/export.rs"]
mod export;
#[path = "cli/import.rs"]
mod import;
#[path = "cli/memory.rs"]
mod memory;
#[path = "cli/store.rs"]
mod store;
#[path = "cli/versions.rs"]
mod versions;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A machine of its own: home, settings and a current folder in a temporary place.
struct Machine {
    dir: tempfile::TempDir,
}

impl Machine {
    fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// A workspace with one session of one finished turn.
    fn with_a_session() -> Self {
        let machine = Self::new();
        machine.write(&format!("work/.fascicle/sessions/inbox/{ID}.jsonl"), LOG);
        machine.write("work/inbox/letter/draft.md", "The morning.\n");
        machine.write("work/inbox/letter/.session", ID);
        machine
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fascicle"));
        let here = self.path("work");
        std::fs::create_dir_all(&here).unwrap();
        command
            .args(words)
            .current_dir(here)
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PATH", "")
            .env("TZ", "UTC")
            .stdin(Stdio::null());
        command
    }

    fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    fn json(&self, words: &[&str]) -> Value {
        let done = self.run(words);
        assert!(done.status.success(), "{words:?}: {}", said(&done));
        serde_json::from_slice(&done.stdout).unwrap()
    }
}

const ID: &str = "0197c0de-7a10-7c3e-9b55-1f2e3d4c5b6a";
const LOG: &str = concat!(
    r#"{"v":1,"seq":0,"ts":1000,"kind":"session.created","id":"0197c0de-7a10-7c3e-9b55-1f2e3d4c5b6a","title":"Letter \u001b]0;x\u0007","collection":"inbox","folder":"inbox/letter","app":"0.1.0"}"#,
    "\n",
    r#"{"v":1,"seq":1,"ts":2000,"kind":"user.prompt","turn":1,"text":"Begin."}"#,
    "\n",
    r#"{"v":1,"seq":2,"ts":2001,"kind":"turn.started","turn":1,"agent":"claude","resume":false}"#,
    "\n",
    r#"{"v":1,"seq":3,"ts":3000,"kind":"message","turn":1,"block":0,"text":"The morning."}"#,
    "\n",
    r#"{"v":1,"seq":4,"ts":3001,"kind":"turn.finished","turn":1,"status":"ok","events":2,"crc32":"02ac6287"}"#,
    "\n",
);

fn out(done: &Output) -> String {
    String::from_utf8_lossy(&done.stdout).into_owned()
}

fn said(done: &Output) -> String {
    String::from_utf8_lossy(&done.stderr).into_owned()
}

fn code(done: &Output) -> i32 {
    done.status.code().unwrap()
}

#[test]
fn help_and_version_are_answers() {
    let machine = Machine::new();
    let help = machine.run(&["--help"]);
    assert_eq!(code(&help), 0);
    for verb in VERBS {
        assert!(
            out(&help).contains(&format!("\n  {verb} ")),
            "{verb}: {}",
            out(&help)
        );
        let one = machine.run(&[verb, "--help"]);
        assert_eq!(code(&one), 0, "{verb}");
        assert!(out(&one).contains("Usage: fascicle"), "{verb}");
    }
    assert_eq!(code(&machine.run(&["--version"])), 0);
}

const VERBS: &[&str] = &[
    "new",
    "list",
    "send",
    "show",
    "stop",
    "answer",
    "continue",
    "resume",
    "rename",
    "again",
    "queue",
    "recipe",
    "tag",
    "archive",
    "delete",
    "restore",
    "undo",
    "adopt",
    "trash",
    "draft",
    "collection",
    "verify",
    "rebuild",
    "doctor",
    "agents",
    "host",
    "keys",
    "completions",
    "man",
];

/// The machine's command under a limit on the size of files, in blocks of 512 or 1,024 bytes as the shell counts.
fn limited(machine: &Machine, blocks: u32, words: &[&str]) -> Output {
    let plain = machine.command(words);
    let mut command = Command::new("/bin/sh");
    command
        .arg("-c")
        .arg(format!("ulimit -f {blocks} && exec \"$@\""))
        .arg("sh")
        .arg(plain.get_program())
        .args(plain.get_args())
        .current_dir(plain.get_current_dir().unwrap())
        .env_clear()
        .stdin(Stdio::null());
    for (name, value) in plain.get_envs() {
        command.env(name, value.unwrap());
    }
    command.output().unwrap()
}

#[test]
fn a_limit_on_the_size_of_files_is_told_and_ends_no_process() {
    let machine = Machine::new();
    let done = limited(&machine, 0, &["--inline", "new", "Letter"]);
    assert_eq!(
        done.status.code(),
        Some(1),
        "{:?}: {}",
        done.status,
        said(&done)
    );
    assert!(said(&done).contains("File too large"), "{}", said(&done));
    assert!(out(&done).is_empty(), "{}", out(&done));
    // Everything around the log fits; its first line does not.
    let done = limited(&machine, 2, &["--inline", "new", &"word ".repeat(600)]);
    assert_eq!(
        done.status.code(),
        Some(1),
        "{:?}: {}",
        done.status,
        said(&done)
    );
    assert!(said(&done).contains("Cannot write"), "{}", said(&done));
}

#[test]
fn a_mistake_in_the_command_line_is_two() {
    let machine = Machine::new();
    for words in [
        &["lsit"][..],
        &["--no-such-flag"],
        &["answer", "x", "perhaps"],
        &["new"],
        &["work", "list"],
        &["completions", "tcsh++"],
    ] {
        let done = machine.run(words);
        assert_eq!(code(&done), 2, "{words:?}: {}", said(&done));
        assert!(out(&done).is_empty(), "{words:?}");
    }
    assert!(said(&machine.run(&["lsit"])).contains("Did you mean \"list\"?"));
}

#[test]
fn what_is_not_there_is_one_and_says_what_to_do() {
    let machine = Machine::with_a_session();
    for (words, hint) in [
        (&["show", "Leter"][..], "Letter"),
        (&["send", "nothing like it", "x"], "fascicle list"),
        (&["list", "-c", "inbax"], "Did you mean"),
        (&["--workspace", "gone", "list"], "There is no folder"),
        (&["/gone/and/away"], "There is no folder"),
        (&[], "needs a terminal"),
        (&["continue"], "needs a terminal"),
        (&["draft", ID, "--at", "2"], "no draft yet"),
        (&["draft", ID, "--at", "99"], "no event 99"),
    ] {
        let done = machine.run(words);
        assert_eq!(code(&done), 1, "{words:?}: {}", said(&done));
        assert!(said(&done).contains(hint), "{words:?}: {}", said(&done));
        assert!(out(&done).is_empty(), "{words:?}");
    }
}

#[test]
fn a_workspace_without_anything_lists_nothing() {
    let machine = Machine::new();
    assert_eq!(machine.json(&["list", "--json"]), serde_json::json!([]));
    assert_eq!(
        machine.json(&["host", "status", "--json"]),
        serde_json::json!({})
    );
    let verified = machine.json(&["verify", "--json"]);
    assert_eq!(verified["sessions"], 0);
    assert_eq!(out(&machine.run(&["list"])), "");
    assert!(!machine.path("work/.fascicle").exists());
    assert!(!machine.path("home/Fascicle").exists());
}

#[test]
fn a_session_is_listed_with_the_fields_scripts_rely_on() {
    let machine = Machine::with_a_session();
    let listed = machine.json(&["list", "--json"]);
    let mut row = listed[0].as_object().unwrap().clone();
    assert_eq!(row["title"], "Letter \u{1b}]0;x\u{7}");
    assert_eq!(row["piece"], row["title"]);
    row.retain(|field, _| field != "title" && field != "piece");
    let want = serde_json::json!({
        "id": ID, "collection": "inbox", "state": "unread", "agent": "editor", "model": null, "words": 0,
        "turns": 1, "parent": null, "main": true, "stage": null, "tags": [], "folder": "inbox/letter",
        "updated": 3001, "archived": false, "target": null, "proposed": null, "adoption": null, "variant": null,
    });
    assert_eq!(Value::Object(row), want);
    let plain = machine.run(&["list"]);
    assert!(
        out(&plain).contains("unread  Letter ␛]0;x␇"),
        "{}",
        out(&plain)
    );
    assert!(!plain.stdout.contains(&0x1b));
}

#[test]
fn a_moved_folder_is_listed_where_it_is() {
    let machine = Machine::with_a_session();
    std::fs::create_dir(machine.path("work/essays")).unwrap();
    std::fs::rename(
        machine.path("work/inbox/letter"),
        machine.path("work/essays/other"),
    )
    .unwrap();
    assert_eq!(
        machine.json(&["list", "--json"])[0]["folder"],
        "essays/other"
    );
    assert_eq!(out(&machine.run(&["draft", ID])), "The morning.\n");
}

#[test]
fn a_session_is_shown_as_a_page_and_as_events() {
    let machine = Machine::with_a_session();
    let page = out(&machine.run(&["show", "0197"]));
    assert!(
        page.contains("## You · 1970-01-01 00:00\n\nBegin.\n"),
        "{page}"
    );
    assert!(
        page.contains("## claude · 1970-01-01 00:00\n\nThe morning.\n"),
        "{page}"
    );
    let events = out(&machine.run(&["show", "0197", "--json"]));
    let seqs: Vec<u64> = events
        .lines()
        .map(|l| {
            serde_json::from_str::<Value>(l).unwrap()["seq"]
                .as_u64()
                .unwrap()
        })
        .collect();
    assert_eq!(seqs, [0, 1, 2, 3, 4]);
}

#[test]
fn a_turn_that_was_cut_is_shown_as_lost() {
    let machine = Machine::with_a_session();
    let cut: Vec<&str> = LOG.lines().take(4).collect();
    machine.write(
        &format!("work/.fascicle/sessions/inbox/{ID}.jsonl"),
        &format!("{}\n", cut.join("\n")),
    );
    assert_eq!(machine.json(&["list", "--json"])[0]["state"], "lost");
    let page = out(&machine.run(&["show", ID]));
    let end = "The morning.\n\n*Lost: the program ended before the agent had finished.*\n";
    assert!(page.ends_with(end), "{page}");
}

#[test]
fn a_turn_of_a_host_that_does_not_answer_is_not_called_lost() {
    let machine = Machine::with_a_session();
    let cut = LOG.lines().take(4).collect::<Vec<_>>().join("\n") + "\n";
    machine.write(&format!("work/.fascicle/sessions/inbox/{ID}.jsonl"), &cut);
    let state = || machine.json(&["list", "--json"])[0]["state"].clone();
    assert_eq!(state(), "lost");
    let private = machine.path("work/.fascicle");
    let _held = fascicle::host::lock::take(&private).unwrap().unwrap();
    assert_eq!(state(), "writing");
}

#[test]
fn a_followed_session_is_shown_as_another_process_writes_it() {
    use std::io::{BufRead as _, BufReader, Write as _};
    let machine = Machine::with_a_session();
    let mut child = machine
        .command(&["show", ID, "--follow"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut until = |end: &str| lines.by_ref().any(|line| line.unwrap() == end);
    assert!(until("The morning."));
    let log = machine.path(&format!("work/.fascicle/sessions/inbox/{ID}.jsonl"));
    let mut log = std::fs::OpenOptions::new().append(true).open(log).unwrap();
    for (seq, text) in [(5, "And then?"), (6, "And after that?")] {
        let turn = seq - 3;
        writeln!(
            log,
            r#"{{"v":1,"seq":{seq},"ts":4000,"kind":"user.prompt","turn":{turn},"text":"{text}"}}"#
        )
        .unwrap();
        assert!(until(text));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn the_draft_is_printed_byte_for_byte() {
    let machine = Machine::with_a_session();
    machine.write("work/inbox/letter/draft.md", "a\u{1b}[2J\r\nb");
    assert_eq!(out(&machine.run(&["draft", ID])), "a\u{1b}[2J\r\nb");
    std::fs::write(machine.path("work/inbox/letter/draft.md"), b"caf\xe9").unwrap();
    assert_eq!(machine.run(&["draft", ID]).stdout, b"caf\xe9");
    machine.write("work/inbox/letter/draft.md", "a\u{1b}[2J\r\nb");
    let printed = machine.json(&["draft", ID, "--json"]);
    assert_eq!(printed["text"], "a\u{1b}[2J\r\nb");
}

#[test]
fn damage_is_named_and_only_strict_fails() {
    let machine = Machine::with_a_session();
    machine.write(
        &format!("work/.fascicle/sessions/inbox/{ID}.jsonl"),
        &LOG.replace("\"seq\":3,\"ts\":3000", "\"seq\":3,\"ts\":"),
    );
    let found = machine.json(&["verify", "--json"]);
    assert_eq!(found["sessions"], 1);
    assert!(!found["damaged"].as_array().unwrap().is_empty());
    let strict = machine.run(&["verify", "--strict"]);
    assert_eq!(code(&strict), 1);
    assert!(out(&strict).contains(ID), "{}", out(&strict));
}

#[test]
fn rebuilding_counts_and_changes_no_answer() {
    let machine = Machine::with_a_session();
    let (before, page) = (
        machine.json(&["list", "--json"]),
        out(&machine.run(&["show", ID])),
    );
    assert_eq!(out(&machine.run(&["rebuild"])), "1 session, 5 events.\n");
    assert_eq!(machine.json(&["list", "--json"]), before);
    assert_eq!(out(&machine.run(&["show", ID])), page);
}

#[test]
fn mistakes_in_the_settings_stop_what_changes_and_not_what_reads() {
    let machine = Machine::with_a_session();
    machine.write("work/.fascicle/config.toml", "\nturn_at_once = 3\n");
    let list = machine.run(&["list"]);
    assert_eq!(code(&list), 0);
    assert!(said(&list).contains("config.toml:2: "), "{}", said(&list));
    assert!(out(&list).contains(ID));
    let rename = machine.run(&["rename", ID, "Other"]);
    assert_eq!(code(&rename), 1);
    assert!(
        said(&rename).contains("Did you mean \"turns_at_once\"?"),
        "{}",
        said(&rename)
    );
}

#[test]
fn a_workspace_cannot_define_agents_by_itself() {
    let machine = Machine::with_a_session();
    machine.write(
        "work/.fascicle/config.toml",
        "[agents.evil]\nkind = \"claude\"\ncommand = \"/bin/evil\"\n",
    );
    let agents = machine.json(&["agents", "--json"]);
    assert_eq!(agents.as_array().unwrap().len(), 2);
    assert_eq!(agents[0]["name"], "claude");
    assert_eq!(agents[1]["name"], "editor");
    assert_eq!(agents[1]["default"], true);
    let said = said(&machine.run(&["agents"]));
    let hash = said.split('"').find(|w| w.starts_with("sha256:")).unwrap();
    machine.write(
        "home/.config/fascicle/config.toml",
        &format!("trusted = [\"{hash}\"]"),
    );
    assert_eq!(
        machine
            .json(&["agents", "--json"])
            .as_array()
            .unwrap()
            .len(),
        3
    );
}

#[cfg(unix)]
#[test]
fn reading_needs_no_writable_place() {
    use std::os::unix::fs::PermissionsExt as _;
    let machine = Machine::with_a_session();
    let locked = |mode| {
        for name in [
            "work/.fascicle/sessions/inbox",
            "work/.fascicle/sessions",
            "work/.fascicle",
            "work",
        ] {
            std::fs::set_permissions(machine.path(name), std::fs::Permissions::from_mode(mode))
                .unwrap();
        }
    };
    machine.write("home", "a file where the home folder should be");
    locked(0o555);
    for words in [
        &["list"][..],
        &["show", ID],
        &["draft", ID],
        &["verify"],
        &["rebuild"],
        &["trash", "list"],
    ] {
        let done = machine.run(words);
        assert_eq!(code(&done), 0, "{words:?}: {}", said(&done));
    }
    locked(0o755);
}

#[test]
fn collections_are_listed_and_broken_ones_named() {
    let machine = Machine::with_a_session();
    machine.write(
        "work/essays/collection.toml",
        "id = \"essays\"\ntitle = \"Essays\"\n",
    );
    machine.write("work/broken/collection.toml", "id = 7\n");
    let listed = machine.run(&["collection", "list", "--json"]);
    let rows: Value = serde_json::from_slice(&listed.stdout).unwrap();
    let ids: Vec<&str> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["essays", "inbox"]);
    assert_eq!(rows[1]["sessions"], 1);
    assert!(
        said(&listed).contains("broken/collection.toml:1: "),
        "{}",
        said(&listed)
    );
}

#[test]
fn doctor_tells_mistakes_of_the_keys_with_file_and_line() {
    let machine = Machine::with_a_session();
    let keys = "[keys]\n\"session.nwe\" = \"f2\"\n\"session.rename\" = \"ctrl-p\"\n";
    machine.write("home/.config/fascicle/config.toml", keys);
    let said = String::from_utf8_lossy(&machine.run(&["doctor"]).stdout).into_owned();
    let unknown = "fascicle/config.toml:2: There is no command \"session.nwe\". Did you mean \"session.new\"?";
    assert!(said.contains(unknown), "{said}");
    let both =
        "fascicle/config.toml:3: Ctrl-P is session.rename (Sessions) and palette.open (Anywhere)";
    assert!(said.contains(both), "{said}");
    let report = machine.json(&["doctor", "--json"]);
    assert_eq!(report["problems"].as_array().unwrap().len(), 2);
}

#[test]
fn doctor_tells_quietly_what_of_a_voice_is_not_understood() {
    let machine = Machine::with_a_session();
    machine.write(
        "work/VOICE.md",
        "## Never\n\n- Never say “journey”\n- Never use adverbs\n- Never begin with “And”\n",
    );
    let said = String::from_utf8_lossy(&machine.run(&["doctor"]).stdout).into_owned();
    for note in [
        "  – VOICE.md: “Never use adverbs” is not checked: it is not understood as words. Put words in quotation marks",
        "  – VOICE.md: “Never begin with “And”” is not checked: drafts are checked for words and short phrases, not for where",
    ] {
        assert!(said.contains(note) && !said.contains("journey"), "{said}");
    }
    let notes = machine.json(&["doctor", "--json"])["workspace"]["notes"].clone();
    assert_eq!(notes.as_array().unwrap().len(), 2);
}

#[test]
fn doctor_tells_a_mistake_in_the_file_of_the_theme() {
    let machine = Machine::with_a_session();
    let home = "home/.config/fascicle";
    machine.write(
        &format!("{home}/config.toml"),
        "[window]\ntheme = \"dusk\"\n",
    );
    machine.write(
        &format!("{home}/themes/dusk.toml"),
        "[dark]\nacent = \"bold\"\n",
    );
    let said = String::from_utf8_lossy(&machine.run(&["doctor"]).stdout).into_owned();
    assert!(
        said.contains("✗ ") && said.contains("themes/dusk.toml:2: "),
        "{said}"
    );
    assert!(said.contains("The theme is \"plain\" till then."), "{said}");
}

#[cfg(unix)]
#[test]
fn doctor_names_a_collection_that_is_a_link_and_pieces_whose_folders_are_nowhere() {
    let machine = Machine::with_a_session();
    for words in [
        &["collection", "new", "Essays"][..],
        &["new", "Harbour", "-c", "essays"],
    ] {
        let done = machine.run(&[&["--inline"], words].concat());
        assert!(done.status.success(), "{words:?}: {}", said(&done));
    }
    let work = machine.path("work");
    // Too deep in the workspace: it is said where it is and what to do.
    std::fs::create_dir(work.join("archive")).unwrap();
    std::fs::rename(work.join("essays"), work.join("archive/essays")).unwrap();
    let said = String::from_utf8_lossy(&machine.run(&["doctor"]).stdout).into_owned();
    assert!(
        said.contains("“Harbour”: its folder lies at archive/essays/harbour, too deep")
            && said.contains("Move archive/essays there."),
        "{said}"
    );
    std::fs::rename(work.join("archive/essays"), machine.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(machine.path("elsewhere"), work.join("essays")).unwrap();
    std::fs::remove_dir_all(work.join("inbox/letter")).unwrap();
    let said = String::from_utf8_lossy(&machine.run(&["doctor"]).stdout).into_owned();
    assert!(said.contains("essays: It is a link"), "{said}");
    assert!(
        said.contains("its folder inbox/letter is nowhere"),
        "{said}"
    );
}

#[test]
fn doctor_answers_without_any_agent_and_in_any_state() {
    let machine = Machine::new();
    let report = machine.json(&["doctor", "--json"]);
    for agent in report["agents"].as_array().unwrap() {
        for field in ["name", "kind", "ok", "why", "fix"] {
            assert!(agent.get(field).is_some(), "{agent}");
        }
        assert_ne!(agent["kind"], "scripted");
        assert_eq!(agent["ok"], agent["kind"] == "editor");
    }
    let said = String::from_utf8_lossy(&machine.run(&["doctor"]).stdout).into_owned();
    assert!(
        said.contains("– claude") && said.contains("to have it: "),
        "{said}"
    );
    assert!(!said.contains('✗'), "nothing is wrong here:\n{said}");
    assert_eq!(report["workspace"]["writable"], true);
    assert_eq!(report["workspace"]["made"], false);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let machine = Machine::with_a_session();
    for words in [
        &["man"][..],
        &["completions", "bash"],
        &["show", ID],
        &["--help"],
    ] {
        let mut child = machine
            .command(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let done = child.wait_with_output().unwrap();
        assert_eq!((code(&done), said(&done)), (0, String::new()), "{words:?}");
    }
}

#[test]
fn completions_and_the_manual_page_are_made_without_a_home() {
    let machine = Machine::new();
    let bare = |words: &[&str]| machine.command(words).env_remove("HOME").output().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = bare(&["completions", shell]);
        assert_eq!(code(&script), 0);
        assert!(out(&script).contains("fascicle"), "{shell}");
    }
    let man = bare(&["man"]);
    assert!(
        out(&man).starts_with(".ie") || out(&man).contains(".TH fascicle"),
        "{}",
        out(&man)
    );
}

/// What bash completes the last of the words to.
fn completed(machine: &Machine, words: &[&str]) -> Vec<String> {
    let script = out(&machine.run(&["completions", "bash"]));
    machine.write("home/completions", &script);
    let program = Path::new(env!("CARGO_BIN_EXE_fascicle")).parent().unwrap();
    let words = words.iter().map(|word| format!("'{word}'"));
    let words = words.collect::<Vec<_>>().join(" ");
    let asked = format!(
        ". ~/completions\nCOMP_WORDBREAKS=' \t=:'\nCOMP_WORDS=(fascicle {words})\nCOMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))\n_fascicle_names fascicle \"${{COMP_WORDS[COMP_CWORD]}}\" x\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n"
    );
    let own = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(program.to_owned()).chain(std::env::split_paths(&own));
    let told = Command::new("bash")
        .args(["-c", &asked])
        .current_dir(machine.path("work"))
        .env_clear()
        .env("HOME", machine.path("home"))
        .env("PATH", std::env::join_paths(path).unwrap())
        .output()
        .unwrap();
    out(&told).lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_names_of_sessions_collections_recipes_and_stages() {
    let machine = Machine::with_a_session();
    machine.write(
        "work/essays/collection.toml",
        "id = \"essays\"\ntitle = \"On water\"\n",
    );
    machine.write(
        "work/tides/collection.toml",
        "id = \"tides\"\ntitle = \"Tides: spring\"\n",
    );
    let names = out(&machine.run(&["recipe", "list", "--names"]));
    let recipe = names.lines().next().unwrap();
    let titles = out(&machine.run(&["list", "--names"]));
    let title = titles.lines().next().unwrap();
    for (words, want) in [
        (&["new", "-c", "On"][..], "On\\ water"),
        (&["move", ID, "On"], "On\\ water"),
        (&["collection", "archive", "O"], "On\\ water"),
        (&["stage", ID, "re"], "revising"),
        (&["stage", "--ask", ID, "re"], "revising"),
        (&["recipe", "run", ID, recipe], recipe),
        (&["recipe", "show", recipe], recipe),
        (
            &["show", title.get(..3).unwrap()],
            &title.replace(' ', "\\ "),
        ),
    ] {
        let found = completed(&machine, words);
        assert_eq!(found, [want], "{words:?}");
    }
    for (words, want) in [
        (&["new", "-c", "\"on w"][..], "On water"),
        (&["new", "-c", "on"], "On\\ water"),
        (&["new", "--collection", "=", "on"], "On\\ water"),
        (&["new", "--collection", "=", "t"], "Tides:\\ spring"),
        (&["new", "-c", "Tides", ":", "\\ s"], "\\ spring"),
        (&["new", "-c", "\"tides: s"], "Tides: spring"),
        (&["move", "piece", ":", "\\ variant", "on"], "On\\ water"),
    ] {
        assert_eq!(completed(&machine, words), [want], "{words:?}");
    }
    assert!(
        completed(&machine, &["new", "--agent", "On"])
            .iter()
            .all(String::is_empty)
    );
}

#[test]
fn diagnostics_go_to_a_file_and_never_hold_the_writers_words() {
    let machine = Machine::with_a_session();
    let done = machine
        .command(&["show", ID])
        .env("FASCICLE_LOG", "trace")
        .output()
        .unwrap();
    assert_eq!(said(&done), "");
    for file in files(&machine.path("home/.local/state/fascicle")) {
        assert!(
            !std::fs::read_to_string(file)
                .unwrap()
                .contains("The morning.")
        );
    }
}

fn files(dir: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(dir).map(|d| d.map(|e| e.unwrap().path()));
    entries
        .into_iter()
        .flatten()
        .filter(|p| p.is_file())
        .collect()
}

#[test]
fn recipes_are_listed_with_what_is_wrong_and_shown_without_a_host() {
    let machine = Machine::with_a_session();
    let own = "home/.config/fascicle/recipes";
    machine.write(&format!("{own}/bad.md"), "---\nturn: 8\n---\n## A\nx\n");
    let mine = "# Mine\n## A\nDo a.\n";
    machine.write("work/.fascicle/recipes/essay.md", mine);
    let listed = machine.json(&["recipe", "list", "--json"]);
    let names: Vec<&str> = listed.as_array().unwrap().iter().map(name).collect();
    assert_eq!(names, ["bad", "essay", "line-edit", "tighten"]);
    assert_eq!(listed[1]["from"], "workspace");
    let wrong = listed[0]["wrong"][0].as_str().unwrap();
    assert!(
        wrong.contains("bad.md:2: ") && wrong.contains("\"turns\""),
        "{wrong}"
    );
    assert!(said(&machine.run(&["recipe", "list"])).contains(wrong));
    assert_eq!(out(&machine.run(&["recipe", "show", "essay"])), mine);
    let run = machine.run(&["recipe", "run", ID, "bad"]);
    assert!(
        code(&run) == 1 && said(&run).contains(wrong),
        "{}",
        said(&run)
    );
    assert_eq!(out(&machine.run(&["queue", ID, "--json"])), "[]\n");
    assert!(!machine.path("work/.fascicle/host.lock").exists());
}

fn name(listed: &Value) -> &str {
    listed["name"].as_str().unwrap()
}

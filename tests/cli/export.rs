//! What is written goes elsewhere: formats, files, pandoc.

use std::os::unix::fs::PermissionsExt as _;

use crate::{ID, LOG, Machine, code, out, said};

const SECOND: &str = "0197c0de-7a10-7c3e-9b55-1f2e3d4c5b6b";

/// The inbox with two pieces, the second one first.
fn with_two() -> Machine {
    let machine = Machine::with_a_session();
    machine.write(
        "work/inbox/letter/draft.md",
        "---\na: b\n---\nThe *morning*.\n",
    );
    let log = LOG
        .replace(ID, SECOND)
        .replace("inbox/letter", "inbox/harbour");
    machine.write(
        &format!("work/.fascicle/sessions/inbox/{SECOND}.jsonl"),
        &log,
    );
    machine.write("work/inbox/harbour/draft.md", "# Harbour\n\nShips <b>.\n");
    machine.write("work/inbox/harbour/.session", SECOND);
    machine.write(
        "work/inbox/collection.toml",
        &format!("id = \"inbox\"\ntitle = \"Inbox\"\n[[piece]]\nid = \"{SECOND}\"\n[[piece]]\nid = \"{ID}\"\n"),
    );
    machine
}

#[test]
fn a_draft_is_printed_in_each_format_of_text() {
    let machine = with_two();
    let to = |format| out(&machine.run(&["export", ID, "--to", format]));
    assert_eq!(to("md"), "---\na: b\n---\nThe *morning*.\n");
    assert_eq!(to("txt"), "The morning.\n");
    let page = to("html");
    assert!(page.contains("<p>The <em>morning</em>.</p>"), "{page}");
    assert!(!machine.path("work/.fascicle/host.lock").exists());
}

#[test]
fn a_collection_is_its_drafts_in_order_below_headings() {
    let machine = with_two();
    let text = out(&machine.run(&["export", "inbox", "--to", "txt"]));
    let (first, second) = text.split_once("Letter").unwrap();
    assert_eq!(first, "Harbour\n\nShips <b>.\n\n");
    assert!(second.ends_with("\n\nThe morning.\n"), "{text}");
    let page = out(&machine.run(&["export", "Inbox", "--to", "html"]));
    assert!(page.contains("<title>Inbox</title>"), "{page}");
    assert!(page.contains("Ships &lt;b&gt;."), "{page}");
    let markdown = out(&machine.run(&["export", "inbox", "--to", "md"]));
    assert!(
        markdown.starts_with("# Harbour\n\nShips <b>.\n\n# Letter"),
        "{markdown}"
    );
}

#[test]
fn a_footnote_of_a_piece_is_not_that_of_another_in_its_collection() {
    let machine = with_two();
    for piece in ["letter", "harbour"] {
        let text = format!(
            "# {piece}\n\nIce[^1] [here][x].\n\n[^1]: Note of {piece}.\n\n[x]: https://{piece}.example\n"
        );
        machine.write(&format!("work/inbox/{piece}/draft.md"), &text);
    }
    let text = out(&machine.run(&["export", "inbox", "--to", "txt"]));
    assert_eq!(
        text,
        "harbour\n\nIce[1] here.\n\nletter\n\nIce[2] here.\n\n[1] Note of harbour.\n\n[2] Note of letter.\n"
    );
    let page = out(&machine.run(&["export", "inbox", "--to", "html"]));
    for address in ["https://harbour.example", "https://letter.example"] {
        assert_eq!(page.matches(address).count(), 1, "{page}");
    }
}

#[test]
fn a_transcript_is_of_a_session_only() {
    let machine = with_two();
    let text = out(&machine.run(&["export", ID, "--transcript", "--to", "txt"]));
    assert!(text.contains("\n\nBegin.\n\n"), "{text}");
    let refused = machine.run(&["export", "inbox", "--transcript", "--to", "txt"]);
    assert_eq!(code(&refused), 1);
    assert!(
        said(&refused).contains("it has no transcript."),
        "{}",
        said(&refused)
    );
}

#[test]
fn a_file_is_replaced_only_when_that_was_asked() {
    let machine = with_two();
    let words = ["export", ID, "--to", "txt", "-o", "a.txt"];
    machine.write("work/a.txt", "mine");
    let refused = machine.run(&words);
    assert_eq!(code(&refused), 1);
    assert!(
        said(&refused).contains("a.txt is there already"),
        "{}",
        said(&refused)
    );
    let read = || std::fs::read_to_string(machine.path("work/a.txt")).unwrap();
    assert_eq!(read(), "mine");
    let done = machine.run(&[&words[..], &["--force"]].concat());
    assert_eq!(
        (code(&done), read().as_str()),
        (0, "The morning.\n"),
        "{}",
        said(&done)
    );
}

#[test]
fn what_needs_pandoc_says_so_and_what_is_no_text_is_not_printed() {
    let machine = with_two();
    let absent = machine.run(&["export", ID, "--to", "docx", "-o", "a.docx"]);
    assert_eq!(code(&absent), 1);
    assert!(
        said(&absent).contains("docx needs pandoc, which is not installed."),
        "{}",
        said(&absent)
    );
    assert!(said(&absent).contains("md, html and txt need nothing."));
    assert!(!machine.path("work/a.docx").exists());
    let printed = machine.run(&["export", ID, "--to", "pdf"]);
    assert_eq!(code(&printed), 1);
    assert!(said(&printed).contains("-o FILE.pdf"), "{}", said(&printed));
}

#[test]
fn pandoc_gets_the_text_and_its_file_is_put_in_place_only_when_it_ends_well() {
    let machine = with_two();
    // Its arguments are `-f FROM -t TO -o FILE`.
    let script = "#!/bin/sh\necho \"$4\" > \"$6\"\n/bin/cat >> \"$6\"\nprintf 'note\\033[2J\\n' >&2\n[ \"$4\" != pdf ]\n";
    machine.write("bin/pandoc", script);
    let file = machine.path("bin/pandoc");
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
    let to = |format: &str, name: &str| {
        let mut command = machine.command(&["export", ID, "--to", format, "-o", name]);
        command.env("PATH", machine.path("bin")).output().unwrap()
    };
    let done = to("docx", "a.docx");
    assert_eq!(code(&done), 0, "{}", said(&done));
    let made = std::fs::read_to_string(machine.path("work/a.docx")).unwrap();
    assert_eq!(made, "docx\nThe *morning*.\n");
    assert!(said(&done).contains("pandoc: note␛[2J"), "{}", said(&done));
    let failed = to("pdf", "a.pdf");
    assert_eq!(code(&failed), 1);
    assert!(
        said(&failed).contains("nothing was written."),
        "{}",
        said(&failed)
    );
    let left = std::fs::read_dir(machine.path("work")).unwrap();
    let names: Vec<_> = left.map(|e| e.unwrap().file_name()).collect();
    let ours = |n: &&std::ffi::OsString| n.to_string_lossy().contains("export-") || *n == "a.pdf";
    assert_eq!(names.iter().find(ours), None);
}

//! The page of keys is made from the table; every command can be found.

use std::fmt::Write as _;
use std::path::Path;

use fascicle::ui::commands::{self, Place};
use fascicle::ui::keymap::Keymap;

use crate::stage::Stage;

/// The page, from the table.
fn page() -> String {
    let keys = Keymap::default();
    let mut out = String::from(
        "# Keys\n\nMade from the table of commands by `UPDATE_DOCS=1 cargo test`. Each can be changed in the \
         configuration:\n\n```toml\n[keys]\n\"palette.open\" = \"ctrl-p f3\"\n```\n\nCtrl-A, Ctrl-B, Ctrl-Q and \
         Ctrl-S are left to your terminal.\n",
    );
    for place in Place::ALL {
        let mut rows = String::new();
        for command in commands::all() {
            let names = keys.keys_at(command, place);
            if !names.is_empty() {
                let shown: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
                writeln!(
                    rows,
                    "| {} | {} | `{}` |",
                    shown.join(" "),
                    command.doc,
                    command.name
                )
                .unwrap();
            }
        }
        write!(
            out,
            "\n## {}\n\n| key | what it does | name |\n|---|---|---|\n{rows}",
            place.name()
        )
        .unwrap();
    }
    let bare: Vec<_> = commands::all().filter(|c| c.keys.is_empty()).collect();
    out.push_str("\n## Without a key\n\nIn the palette, and to be given a key.\n\n| what it does | name |\n|---|---|\n");
    for command in bare {
        writeln!(out, "| {} | `{}` |", command.doc, command.name).unwrap();
    }
    out
}

#[test]
fn the_page_of_keys_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/keys.md");
    let page = page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &page).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == page,
        "docs/keys.md is stale: run UPDATE_DOCS=1 cargo test --test ui"
    );
}

#[test]
fn every_command_is_found_in_the_palette() {
    for command in commands::all() {
        let mut stage = Stage::empty();
        stage.press("ctrl-p");
        stage.type_text(command.title);
        let frame = stage.frame(120, 40);
        assert!(frame.contains(command.title), "{}:\n{frame}", command.name);
    }
}

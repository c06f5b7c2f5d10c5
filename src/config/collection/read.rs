//! The text of a `collection.toml`, taken apart: what is right in it counts even where other things are wrong.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Collection, FILE, Piece, WEB, one_line};
use crate::config::Changes;
use crate::config::file::{Table, Value, Walk, flag, text, texts};
use crate::config::problem::Problem;
use crate::config::setting::{COLLECTION, PIECE};
use crate::domain::{CollectionId, SessionId, Stage};

/// What a file turned out to be.
pub(super) enum Found {
    /// A collection.
    Whole(Box<Collection>),
    /// One that cannot be read, and the id that its text seems to name.
    Damaged(Option<CollectionId>),
}

/// The table of pieces in a file.
const PIECES: &str = "piece";

pub(super) fn parse(path: &Path, raw: &str, folder: &str) -> (Found, Vec<Problem>) {
    let mut walk = Walk::new(path, raw);
    let root = match DeTable::parse(raw) {
        Ok(root) => root.into_inner(),
        Err(e) => {
            let problem = conflict(path, raw).unwrap_or_else(|| Problem::syntax(path, raw, &e));
            return (Found::Damaged(guessed(raw)), vec![problem]);
        }
    };
    let table = walk.table_beside(&root, COLLECTION, FILE, &[PIECES]);
    let id = match text(&table, "id").map(|id| id.parse()) {
        Some(Ok(id)) => id,
        bad => {
            let byte = table.get("id").map_or(0, |e| e.byte);
            let what = match bad {
                None => "A collection needs an id: 1 to 64 of a-z, 0-9 and -.",
                Some(_) => "An id is 1 to 64 of a-z, 0-9 and -.",
            };
            walk.wrong(byte, what.to_owned());
            return (Found::Damaged(None), walk.problems);
        }
    };
    let mut collection = Collection::plain(id, folder, folder);
    fill(&mut collection, &table);
    let allow = texts(&table, "allow");
    if let Some(odd) = allow.iter().find(|a| *a != WEB) {
        let byte = table.get("allow").map_or(0, |e| e.byte);
        walk.wrong(byte, format!("allow knows \"web\", not {odd:?}."));
    }
    collection.rights.allow = allow.into_iter().filter(|a| a == WEB).collect();
    collection.rights.changes = text(&table, "changes").map(|word| Changes::of(&word));
    if let Some(found) = root.get(PIECES) {
        collection.pieces = pieces(&mut walk, found);
    }
    walk.problems.sort_by_key(|p| p.line);
    (Found::Whole(Box::new(collection)), walk.problems)
}

fn fill(collection: &mut Collection, table: &Table) {
    if let Some(title) = line(table, "title") {
        collection.title = title;
    }
    collection.about = line(table, "about");
    collection.agent = text(table, "agent");
    collection.model = text(table, "model");
    collection.archived = flag(table, "archived").unwrap_or(false);
    collection.target = count(table, "target");
    collection.day = count(table, "day");
    collection.order = whole(table, "order");
}

fn pieces(walk: &mut Walk<'_>, found: &Spanned<DeValue<'_>>) -> Vec<Piece> {
    let Some(all) = found.get_ref().as_array() else {
        let what = "The pieces are tables of their own: write [[piece]].";
        walk.wrong(found.span().start, what.to_owned());
        return Vec::new();
    };
    let mut pieces: Vec<Piece> = Vec::new();
    for one in all {
        let byte = one.span().start;
        let Some(table) = one.get_ref().as_table() else {
            walk.wrong(byte, "A piece is a table: write [[piece]].".to_owned());
            continue;
        };
        let table = walk.table(table, PIECE, "[[piece]]");
        let Some(id) = text(&table, "id").and_then(|id| id.parse::<SessionId>().ok()) else {
            let byte = table.get("id").map_or(byte, |e| e.byte);
            walk.wrong(byte, "A piece needs the id of its session.".to_owned());
            continue;
        };
        if pieces.iter().any(|p| p.id == id) {
            let what = format!("The piece {id} is named above already: this one is not used.");
            walk.wrong(byte, what);
            continue;
        }
        pieces.push(Piece {
            id,
            stage: text(&table, "stage").and_then(|word| Stage::of(&word)),
            target: count(&table, "target"),
            line: line(&table, "line"),
        });
    }
    pieces
}

fn line(table: &Table, name: &str) -> Option<String> {
    let line = one_line(&text(table, name)?);
    Some(line).filter(|line| !line.is_empty())
}

fn whole(table: &Table, name: &str) -> Option<i64> {
    match table.get(name)?.value {
        Value::Whole(n) => Some(n),
        _ => None,
    }
}

fn count(table: &Table, name: &str) -> Option<u64> {
    whole(table, name).and_then(|n| u64::try_from(n).ok())
}

/// What is said where a merge has left its marks.
pub(super) fn conflict(path: &Path, raw: &str) -> Option<Problem> {
    let at = raw.lines().position(|line| line.starts_with("<<<<<<< "))?;
    let what = "Both sides of a git merge stand here: keep one and delete the marks. Until then the collection opens without its file, and nothing is changed in it.";
    Some(Problem {
        line: Some(at + 1),
        ..Problem::of(path, what)
    })
}

/// The id in a text that is no TOML: its first plain line `id = "…"` before any table.
fn guessed(raw: &str) -> Option<CollectionId> {
    let mut top = raw.lines().take_while(|line| !line.starts_with('['));
    let value = |line: &str| {
        let rest = line.trim_start_matches('\u{feff}').strip_prefix("id")?;
        let quoted = rest.trim_start().strip_prefix('=')?.trim_start();
        let inner = quoted.strip_prefix('"')?.split('"').next()?;
        inner.parse().ok()
    };
    top.find_map(value)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    const ONE: &str = "00000000-0000-0000-0000-000000000001";

    fn read(text: &str) -> (Option<Collection>, Vec<String>) {
        let (found, problems) = parse(Path::new("c.toml"), text, "c");
        let collection = match found {
            Found::Whole(collection) => Some(*collection),
            Found::Damaged(_) => None,
        };
        (
            collection,
            problems.iter().map(ToString::to_string).collect(),
        )
    }

    #[test]
    fn each_mistake_is_named_with_its_line_and_costs_only_itself() {
        let text = format!(
            "id = \"c\"\nday = \"many\"\ntarget = 5000\n\n[[piece]]\nid = \"{ONE}\"\nstage = \"finished\"\ntarget = 900\n\n[[piece]]\nid = \"two\"\n\n[[piece]]\nid = \"{ONE}\"\n"
        );
        let (collection, said) = read(&text);
        let collection = collection.unwrap();
        assert_eq!((collection.day, collection.target), (None, Some(5000)));
        let piece = Piece {
            target: Some(900),
            ..Piece::new(ONE.parse().unwrap())
        };
        assert_eq!(collection.pieces, [piece]);
        assert_eq!(said.len(), 4, "{said:?}");
        assert!(
            said[0].starts_with("c.toml:2: day takes a whole number"),
            "{said:?}"
        );
        assert!(
            said[1].starts_with("c.toml:7: stage takes \"idea\" or"),
            "{said:?}"
        );
        assert!(
            said[2].starts_with("c.toml:11: A piece needs the id"),
            "{said:?}"
        );
        assert!(said[3].starts_with("c.toml:13: The piece"), "{said:?}");
    }

    #[test]
    fn a_key_that_is_unknown_is_named_with_the_nearest_one() {
        let (_, said) = read(&format!(
            "id = \"c\"\npieces = 1\n[[piece]]\nid = \"{ONE}\"\nstaeg = \"done\"\n"
        ));
        assert!(said[0].contains("Did you mean \"piece\"?"), "{said:?}");
        assert!(
            said[1].contains("in [[piece]]. Did you mean \"stage\"?"),
            "{said:?}"
        );
        let (collection, said) = read("id = \"c\"\npiece = 3\n");
        assert!(collection.is_some());
        assert_eq!(
            said,
            ["c.toml:2: The pieces are tables of their own: write [[piece]]."]
        );
    }

    #[test]
    fn lines_are_single_and_pieces_may_be_written_in_a_row() {
        let (collection, said) = read(&format!(
            "id = \"c\"\nabout = \"\"\"two\nlines\"\"\"\npiece = [{{ id = \"{ONE}\", line = \"a\\tb\", stage = \"done\" }}]\n"
        ));
        let collection = collection.unwrap();
        assert!(said.is_empty(), "{said:?}");
        assert_eq!(collection.about.as_deref(), Some("two lines"));
        assert_eq!(collection.pieces[0].line.as_deref(), Some("a b"));
        assert_eq!(collection.pieces[0].stage, Some(Stage::Done));
    }

    #[test]
    fn the_id_is_read_out_of_a_text_that_is_no_toml() {
        let some = |id: &str| id.parse().ok();
        for (text, id) in [
            ("id = \"essays\"\n= =", some("essays")),
            ("\u{feff}id=\"a\"\n[[", some("a")),
            ("[[piece]\nid = \"x\"", None),
            ("identity = \"x\"", None),
            ("id = \"../x\"", None),
        ] {
            assert_eq!(guessed(text), id, "{text}");
        }
    }
}

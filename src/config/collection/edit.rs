//! Changes of a `collection.toml`, as the writer's deeds make them: comments and order stay, what is not named stays
//! as it is, and a file with mistakes is not touched.

use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, value};

use super::document::change;
use super::{Collection, Piece, one_line};
use crate::config::{ConfigError, Workspace};
use crate::domain::{Change, SessionId};

/// Makes changes, in order, in one step.
pub fn edit(
    workspace: &Workspace,
    collection: &Collection,
    edits: &[Change],
) -> Result<(), ConfigError> {
    change(workspace, collection, |document| {
        for edit in edits {
            apply(document, edit);
        }
    })
}

/// Sets the line of a piece in the index of its collection; none takes it out.
pub fn set_piece_line(
    workspace: &Workspace,
    collection: &Collection,
    id: SessionId,
    line: Option<&str>,
) -> Result<(), ConfigError> {
    let line = line.map(str::to_owned);
    edit(workspace, collection, &[Change::Line(id, line)])
}

fn apply(document: &mut DocumentMut, edit: &Change) {
    let text = |text: &Option<String>| {
        let line = text.as_deref().map(one_line);
        line.filter(|line| !line.is_empty()).map(value)
    };
    match edit {
        Change::Title(title) => set(document, "title", Some(value(one_line(title)))),
        Change::About(about) => set(document, "about", text(about)),
        Change::Target(words) => set(document, "target", words.and_then(number)),
        Change::Day(words) => set(document, "day", words.and_then(number)),
        Change::Order(at) => set(document, "order", at.map(value)),
        Change::Archived(out) => {
            let said = *out || document.contains_key("archived");
            set(document, "archived", said.then(|| value(*out)));
        }
        Change::Allow(what) => {
            let said = !what.is_empty() || document.contains_key("allow");
            set(
                document,
                "allow",
                said.then(|| value(Array::from_iter(what))),
            );
        }
        Change::Agent(agent, model) => {
            set(document, "agent", text(agent));
            set(document, "model", text(model));
        }
        Change::Pieces(order) => reorder(document, order),
        Change::Stage(id, stage) => {
            set_in(document, *id, "stage", stage.map(|s| value(s.word())));
        }
        Change::PieceTarget(id, words) => set_in(document, *id, "target", words.and_then(number)),
        Change::Line(id, line) => set_in(document, *id, "line", text(line)),
        Change::In(piece, at) => put(document, piece, *at),
        Change::Out(id) => {
            let kept = taken(document);
            let kept = kept.into_iter().filter(|t| id_of(t) != Some(*id)).collect();
            give(document, kept);
        }
    }
}

fn number(n: u64) -> Option<Item> {
    i64::try_from(n).ok().map(value)
}

/// Sets a value outside any table; what stands around it on its line stays.
fn set(table: &mut Table, key: &str, to: Option<Item>) {
    let Some(mut to) = to else {
        table.remove(key);
        return;
    };
    if let (Some(old), Some(new)) = (table.get(key).and_then(Item::as_value), to.as_value_mut()) {
        *new.decor_mut() = old.decor().clone();
    }
    match table.get_mut(key) {
        Some(there) => *there = to,
        None => {
            table.insert(key, to);
        }
    }
}

/// Sets a value of a piece. One of which nothing was said yet gets a table as the last, if there is something to say.
fn set_in(document: &mut DocumentMut, id: SessionId, key: &str, to: Option<Item>) {
    let mut all = taken(document);
    match all.iter_mut().find(|t| id_of(t) == Some(id)) {
        Some(table) => set(table, key, to),
        None if to.is_some() => {
            let mut table = table_of(&Piece::new(id));
            set(&mut table, key, to);
            all.push(table);
        }
        None => {}
    }
    give(document, all);
}

fn put(document: &mut DocumentMut, piece: &Piece, at: Option<usize>) {
    let mut all = taken(document);
    all.retain(|t| id_of(t) != Some(piece.id));
    let at = at.unwrap_or(all.len()).min(all.len());
    all.insert(at, table_of(piece));
    give(document, all);
}

fn reorder(document: &mut DocumentMut, order: &[SessionId]) {
    let mut all = taken(document);
    for id in order {
        if all.iter().all(|t| id_of(t) != Some(*id)) {
            all.push(table_of(&Piece::new(*id)));
        }
    }
    let place = |table: &Table| {
        let id = id_of(table);
        order
            .iter()
            .position(|one| Some(*one) == id)
            .unwrap_or(order.len())
    };
    // A stable sort: those that are not named keep the order they have.
    all.sort_by_key(place);
    give(document, all);
}

fn table_of(piece: &Piece) -> Table {
    let mut table = Table::new();
    table.decor_mut().set_prefix("\n");
    table.insert("id", value(piece.id.to_string()));
    let stage = piece.stage.map(|s| value(s.word()));
    let line = piece.line.as_deref().map(value);
    for (key, item) in [
        ("stage", stage),
        ("target", piece.target.and_then(number)),
        ("line", line),
    ] {
        if let Some(item) = item {
            table.insert(key, item);
        }
    }
    table
}

fn id_of(table: &Table) -> Option<SessionId> {
    table.get("id")?.as_str()?.parse().ok()
}

/// The tables of pieces, taken out of the document.
fn taken(document: &mut DocumentMut) -> Vec<Table> {
    let Some(item) = document.remove("piece") else {
        return Vec::new();
    };
    // Written in a row, as inline tables, they become tables of their own.
    match item.into_array_of_tables() {
        Ok(tables) => tables.into_iter().collect(),
        Err(_) => Vec::new(),
    }
}

/// Puts them back in this order. The places of tables in a file are numbers, which are given anew: to those that were
/// there the ones there were, to others none, which means behind the one before.
fn give(document: &mut DocumentMut, mut all: Vec<Table>) {
    if all.is_empty() {
        return;
    }
    let mut places: Vec<isize> = all.iter().filter_map(Table::position).collect();
    places.sort_unstable();
    let last = places.last().copied();
    let mut places = places.into_iter();
    for table in &mut all {
        table.set_position(places.next().or(last));
    }
    document.insert("piece", Item::ArrayOfTables(ArrayOfTables::from_iter(all)));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test")]
    use super::super::{Drawer, FILE, workspace};
    use super::*;
    use crate::domain::Stage;

    fn id(n: u128) -> SessionId {
        SessionId::new(uuid::Uuid::from_u128(n))
    }

    /// The text of a file after some changes.
    fn after(text: &str, edits: &[Change]) -> String {
        let (dir, workspace) = workspace(&[("a", text)]);
        let drawer = Drawer::of(&workspace);
        edit(&workspace, &drawer.collections[0], edits).unwrap();
        let drawer = Drawer::of(&workspace);
        assert!(drawer.problems.is_empty(), "{:?}", drawer.problems);
        std::fs::read_to_string(dir.path().join("a").join(FILE)).unwrap()
    }

    fn piece(n: u128, more: &str) -> String {
        format!("\n# about {n}\n[[piece]]\nid = \"{}\" # {n}\n{more}", id(n))
    }

    #[test]
    fn a_value_is_set_in_its_line_and_comments_and_order_stay() {
        let text = "# mine\nid = \"a\" # id\ntitle = \"A\" # title\nday = 10\n\n# last\n";
        let now = after(
            text,
            &[
                Change::Title("Essays\n2".into()),
                Change::About(Some("Short ones.".into())),
                Change::Day(None),
                Change::Target(Some(5000)),
                Change::Order(Some(-1)),
                Change::Allow(vec!["web".into()]),
                Change::Archived(false),
                Change::Agent(Some("claude".into()), None),
            ],
        );
        assert_eq!(
            now,
            "# mine\nid = \"a\" # id\ntitle = \"Essays 2\" # title\nabout = \"Short ones.\"\ntarget = 5000\norder = -1\nallow = [\"web\"]\nagent = \"claude\"\n\n# last\n"
        );
        let back = after(
            &now,
            &[
                Change::Allow(vec![]),
                Change::Archived(true),
                Change::About(None),
            ],
        );
        assert!(back.contains("allow = []\n") && back.contains("archived = true\n"));
        assert!(!back.contains("about"));
    }

    #[test]
    fn pieces_change_their_order_with_all_that_is_said_of_them() {
        let text = format!(
            "id = \"a\"\n{}{}{}",
            piece(1, "line = \"one\"\n"),
            piece(2, "stage = \"done\"\n"),
            piece(3, "")
        );
        let now = after(&text, &[Change::Pieces(vec![id(3), id(1)])]);
        let want = format!(
            "id = \"a\"\n{}{}{}",
            piece(3, ""),
            piece(1, "line = \"one\"\n"),
            piece(2, "stage = \"done\"\n")
        );
        assert_eq!(now, want);
        assert_eq!(
            after(&now, &[Change::Pieces(vec![id(1), id(2), id(3)])]),
            text
        );
    }

    #[test]
    fn what_is_said_of_a_piece_is_set_taken_out_and_moved_to_another_file() {
        let text = format!("id = \"a\"\n{}{}", piece(1, ""), piece(2, ""));
        let now = after(
            &text,
            &[
                Change::Stage(id(2), Some(Stage::Draft)),
                Change::PieceTarget(id(2), Some(900)),
                Change::Line(id(3), Some("of\nthree".into())),
                Change::Stage(id(4), None),
            ],
        );
        let want = format!(
            "{}stage = \"draft\"\ntarget = 900\n\n[[piece]]\nid = \"{}\"\nline = \"of three\"\n",
            text,
            id(3)
        );
        assert_eq!(now, want);
        let one = Piece {
            stage: Some(Stage::Idea),
            ..Piece::new(id(9))
        };
        let now = after(
            &now,
            &[
                Change::Out(id(2)),
                Change::In(one, Some(0)),
                Change::Stage(id(1), None),
            ],
        );
        assert!(!now.contains(&id(2).to_string()), "{now}");
        let at = |n| now.find(&id(n).to_string()).unwrap();
        assert!(at(9) < at(1) && at(1) < at(3), "{now}");
        assert_eq!(after("id = \"a\"\n", &[Change::Out(id(1))]), "id = \"a\"\n");
    }

    #[test]
    fn the_ends_of_lines_stay_those_of_the_file() {
        let now = after(
            "id = \"a\"\r\n# b\r\n",
            &[
                Change::Day(Some(3)),
                Change::Stage(id(1), Some(Stage::Done)),
            ],
        );
        assert_eq!(now.matches('\n').count(), now.matches("\r\n").count());
        assert!(now.contains("day = 3\r\n"), "{now:?}");
    }

    #[test]
    fn pieces_written_in_a_row_become_tables_when_they_are_changed() {
        let text = format!(
            "id = \"a\"\npiece = [{{ id = \"{}\", line = \"one\" }}]\n",
            id(1)
        );
        let now = after(&text, &[Change::Stage(id(1), Some(Stage::Done))]);
        assert!(
            now.contains("[[piece]]") && now.contains("line = \"one\""),
            "{now}"
        );
    }

    #[test]
    fn a_file_with_a_mistake_is_not_touched_and_named_with_its_line() {
        let text = "id = \"a\"\n[[piece\n";
        let (dir, workspace) = workspace(&[("a", text)]);
        let drawer = Drawer::of(&workspace);
        let said = set_piece_line(&workspace, &drawer.collections[0], id(1), Some("x"));
        let said = said.unwrap_err().to_string();
        assert!(said.contains("collection.toml:2: "), "{said}");
        let now = std::fs::read_to_string(dir.path().join("a").join(FILE)).unwrap();
        assert_eq!(now, text);
    }

    #[test]
    fn the_inbox_gets_a_file_when_it_needs_one_and_nothing_else_does() {
        let (dir, workspace) = workspace(&[("a", "id = \"a\"")]);
        let drawer = Drawer::of(&workspace);
        edit(
            &workspace,
            drawer.named("inbox").unwrap(),
            &[Change::Day(Some(5))],
        )
        .unwrap();
        assert_eq!(Drawer::of(&workspace).named("inbox").unwrap().day, Some(5));
        std::fs::remove_file(dir.path().join("a").join(FILE)).unwrap();
        assert!(edit(&workspace, &drawer.collections[0], &[Change::Day(None)]).is_err());
        assert!(!dir.path().join("a").join(FILE).exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_written_through() {
        let (dir, workspace) = workspace(&[("a", "")]);
        let (file, other) = (dir.path().join("a").join(FILE), dir.path().join("other"));
        std::fs::remove_file(&file).unwrap();
        std::fs::write(&other, "id = \"a\"\n").unwrap();
        std::os::unix::fs::symlink(&other, &file).unwrap();
        let drawer = Drawer::of(&workspace);
        let said = edit(&workspace, &drawer.collections[0], &[Change::Day(Some(1))]);
        assert!(said.unwrap_err().to_string().contains("a link to"));
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "id = \"a\"\n");
        assert!(file.symlink_metadata().unwrap().is_symlink());
    }
}

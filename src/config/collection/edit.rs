//! Changes of a `collection.toml`, as the writer's deeds make them: comments and order stay, what is not named stays
//! as it is, and a file with mistakes is not touched.

use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, RawString, Table, value};

use super::document::{change, parsed};
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

/// Makes changes by which pieces come from other collections: what the writer has put beside them there comes along.
pub fn take_in(
    workspace: &Workspace,
    collection: &Collection,
    from: &[&Collection],
    edits: &[Change],
) -> Result<(), ConfigError> {
    let documents = from.iter().filter_map(|c| parsed(workspace, c));
    let said: Vec<Table> = documents.flat_map(|mut d| taken(&mut d)).collect();
    change(workspace, collection, |document| {
        for edit in edits {
            match edit {
                Change::In(piece, at) => {
                    let table = said.iter().find(|t| id_of(t) == Some(piece.id));
                    put(document, piece, *at, table);
                }
                other => apply(document, other),
            }
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
        Change::Listed(order, others) => {
            let mut all = [order.as_slice(), others].concat();
            if order.is_sorted() {
                all.sort_unstable();
            }
            reorder(document, &all);
            unlist(document, others, order.is_sorted());
        }
        Change::Stage(id, stage) => {
            set_in(document, *id, "stage", stage.map(|s| value(s.word())));
        }
        Change::PieceTarget(id, words) => set_in(document, *id, "target", words.and_then(number)),
        Change::Line(id, line) => set_in(document, *id, "line", text(line)),
        Change::In(piece, at) => put(document, piece, *at, None),
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
        return take_out(table, key);
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

/// Takes a value out. The comments above it and behind it stay where they are: below the value before, else above the
/// one behind.
fn take_out(table: &mut Table, key: &str) {
    let all: Vec<String> = table
        .iter()
        .filter(|(_, i)| i.is_value())
        .map(owned)
        .collect();
    let at = all.iter().position(|own| own == key);
    let Some((gone, item)) = table.remove_entry(key) else {
        return;
    };
    let text = |raw: Option<&RawString>| raw.and_then(RawString::as_str).unwrap_or("").to_owned();
    let above = text(gone.leaf_decor().prefix());
    let behind = text(item.as_value().and_then(|v| v.decor().suffix()));
    let lines = [above.trim_end(), behind.trim()];
    let said: Vec<&str> = lines.into_iter().filter(|l| l.contains('#')).collect();
    let (said, Some(at)) = (said.join("\n"), at.filter(|_| !said.is_empty())) else {
        return;
    };
    let before = at.checked_sub(1).and_then(|at| all.get(at));
    if let Some(value) = before.and_then(|key| table.get_mut(key)?.as_value_mut()) {
        let end = text(value.decor().suffix());
        value.decor_mut().set_suffix(format!("{end}\n{said}"));
    } else if let Some(mut next) = all.get(at + 1).and_then(|key| table.key_mut(key)) {
        let top = text(next.leaf_decor().prefix());
        next.leaf_decor_mut().set_prefix(format!("{said}\n{top}"));
    }
}

fn owned((key, _): (&str, &Item)) -> String {
    key.to_owned()
}

/// Sets a value of a piece. One of which nothing was said yet gets a table, if there is something to say; it goes again
/// with the last that is said, unless it holds a place in an order of the writer's.
fn set_in(document: &mut DocumentMut, id: SessionId, key: &str, to: Option<Item>) {
    let mut all = taken(document);
    let by_age = all.iter().filter_map(id_of).is_sorted();
    match all.iter_mut().find(|t| id_of(t) == Some(id)) {
        Some(table) => {
            set(table, key, to);
            if by_age && says_nothing(table) {
                all.retain(|t| id_of(t) != Some(id));
            }
        }
        None if to.is_some() => {
            let mut table = table_of(&Piece::new(id));
            set(&mut table, key, to);
            all.insert(place_of(&all, id), table);
        }
        None => {}
    }
    give(document, all);
}

/// Where a piece that nobody has given a place comes: by age, so that what two branches of git say of two pieces seldom
/// stands in the same line; as the last where the writer has ordered them otherwise.
fn place_of(all: &[Table], id: SessionId) -> usize {
    if !all.iter().filter_map(id_of).is_sorted() {
        return all.len();
    }
    let younger = all.iter().position(|t| id_of(t).is_some_and(|t| t > id));
    younger.unwrap_or(all.len())
}

/// Names a piece at a place. What stands of it there already, else where it comes from, keeps its comments.
fn put(document: &mut DocumentMut, piece: &Piece, at: Option<usize>, from: Option<&Table>) {
    let mut all = taken(document);
    let there = all.iter().position(|t| id_of(t) == Some(piece.id));
    let known = there.map(|at| all.remove(at)).or_else(|| from.cloned());
    let table = known.map_or_else(|| table_of(piece), |table| with(table, piece));
    let at = at
        .unwrap_or_else(|| place_of(&all, piece.id))
        .min(all.len());
    all.insert(at, table);
    give(document, all);
}

/// A table that says of a piece what is known of it.
fn with(mut table: Table, piece: &Piece) -> Table {
    for (key, to) in values(piece) {
        set(&mut table, key, to);
    }
    // Its place in the file it comes from is none here.
    table.set_position(None);
    let before = table.decor().prefix().and_then(|p| p.as_str());
    let before = before.unwrap_or_default().to_owned();
    if !before.starts_with(['\n', '\r']) {
        table.decor_mut().set_prefix(format!("\n{before}"));
    }
    table
}

/// What is said of a piece beside its id.
fn values(piece: &Piece) -> [(&'static str, Option<Item>); 3] {
    [
        ("stage", piece.stage.map(|s| value(s.word()))),
        ("target", piece.target.and_then(number)),
        ("line", piece.line.as_deref().map(value)),
    ]
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

/// Takes the last of these out again, up to one that says something: it would lose its place without those before it,
/// unless that is by age.
fn unlist(document: &mut DocumentMut, others: &[SessionId], by_age: bool) {
    let mut all = taken(document);
    for id in others.iter().rev() {
        let Some(at) = all.iter().position(|t| id_of(t) == Some(*id)) else {
            continue;
        };
        if all.get(at).is_some_and(says_nothing) {
            all.remove(at);
        } else if !by_age {
            break;
        }
    }
    give(document, all);
}

/// Whether a table has the id of its piece alone, and no words of the writer's beside it.
fn says_nothing(table: &Table) -> bool {
    let before = table.decor().prefix().and_then(|p| p.as_str());
    let text = table.to_string();
    before.is_none_or(|p| p.trim().is_empty()) && table.len() == 1 && !text.contains('#')
}

fn table_of(piece: &Piece) -> Table {
    let mut table = Table::new();
    table.decor_mut().set_prefix("\n");
    table.insert("id", value(piece.id.to_string()));
    for (key, item) in values(piece) {
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
    use super::super::tests::workspace;
    use super::super::{Drawer, FILE};
    use super::*;
    use crate::domain::Stage;

    fn id(n: u128) -> SessionId {
        SessionId::new(uuid::Uuid::from_u128(n))
    }

    #[test]
    fn what_a_writer_put_beside_a_piece_moves_with_it() {
        let own = format!(
            "[[piece]] # 02 first\nid = \"{}\" # the letter\nstage = \"draft\"\nmine = 1\n",
            id(2)
        );
        let files = [
            (
                "a",
                format!(
                    "id = \"a\"\n\n[[piece]]\nid = \"{}\"\n\n# Long.\n{own}",
                    id(1)
                ),
            ),
            ("b", "id = \"b\"\n".to_owned()),
        ];
        let files = files
            .each_ref()
            .map(|(folder, text)| (*folder, text.as_str()));
        let (dir, workspace) = workspace(&files);
        let drawer = Drawer::of(&workspace);
        let (a, b) = (&drawer.collections[0], &drawer.collections[1]);
        let piece = a.piece(id(2)).unwrap().clone();
        take_in(&workspace, b, &[a], &[Change::In(piece, None)]).unwrap();
        let text = std::fs::read_to_string(dir.path().join("b").join(FILE)).unwrap();
        assert_eq!(text, format!("id = \"b\"\n\n# Long.\n{own}"));
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
    fn what_a_writer_put_beside_a_value_stays_when_that_goes() {
        let text = "id = \"a\" # id\n\n# the publisher wants this by May\ntarget = 9000 # agreed with Ann\n# slow\nday = 10\n\n# last\n";
        let none = [Change::Target(None), Change::Day(None)];
        let now = after(text, &none);
        assert_eq!(
            now,
            "id = \"a\" # id\n\n# the publisher wants this by May\n# agreed with Ann\n# slow\n\n# last\n"
        );
        assert_eq!(after(&after(text, &none[..1]), &none[1..]), now);
        let back = after(&now, &[Change::Target(Some(9000))]);
        assert_eq!(back.matches('#').count(), 5, "{back}");
        let first = "# by May\r\ntarget = 9000 # Ann\r\nid = \"a\"\r\n";
        assert_eq!(after(first, &none), "# by May\r\n# Ann\r\nid = \"a\"\r\n");
    }

    #[test]
    fn what_a_writer_put_beside_a_stage_keeps_the_table_of_its_piece() {
        let stage = |stage| Change::Stage(id(3), stage);
        let more = "# to Ann\nstage = \"draft\" # sent\nline = \"x\"\n";
        let text = format!("id = \"a\"\n{}{}", piece(3, more), piece(5, ""));
        let line = Change::Line(id(3), None);
        let now = after(&text, &[stage(None), line]);
        let kept = piece(3, "# to Ann\n# sent\n");
        assert_eq!(now, format!("id = \"a\"\n{kept}{}", piece(5, "")));
        let back = after(&now, &[stage(Some(Stage::Draft))]);
        for said in ["# to Ann", "# sent", "# about 5", "stage = \"draft\""] {
            assert_eq!(back.matches(said).count(), 1, "{back}");
        }
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
    fn an_order_that_is_taken_back_leaves_the_text_as_it_was() {
        let ids = [1, 2, 3, 4].map(id);
        for (text, moved) in [
            ("id = \"a\"\n# last\n".to_owned(), [2, 1, 3, 4]),
            (format!("id = \"a\"\n{}", piece(3, "")), [1, 3, 2, 4]),
            (
                format!("id = \"a\"\n{}{}", piece(4, "line = \"x\"\n"), piece(2, "")),
                [3, 4, 2, 1],
            ),
        ] {
            let (dir, workspace) = workspace(&[("a", &text)]);
            let order = Change::Pieces(moved.map(id).to_vec());
            let shelf = || Drawer::of(&workspace).collections[0].clone();
            let was = shelf().standing(&order);
            edit(&workspace, &shelf(), std::slice::from_ref(&order)).unwrap();
            assert!(shelf().is_as(&order));
            edit(&workspace, &shelf(), std::slice::from_ref(&was)).unwrap();
            let now = std::fs::read_to_string(dir.path().join("a").join(FILE)).unwrap();
            assert_eq!(now, text);
            assert!(shelf().is_as(&was));
        }
        // One that has got a stage since is still shown where it was: in a list by age it is alone, in one of the
        // writer's behind those that come before it.
        let staged = |first: &str, order: [u128; 4], back: Change| {
            let order = Change::Pieces(order.map(id).to_vec());
            let now = after(first, &[order, Change::Stage(id(3), Some(Stage::Done))]);
            after(&now, &[back])
        };
        let none = "id = \"a\"\n";
        let now = staged(none, [2, 1, 3, 4], Change::Listed(Vec::new(), ids.to_vec()));
        assert_eq!(now, after(none, &[Change::Stage(id(3), Some(Stage::Done))]));
        let ordered = format!("{none}{}{}", piece(4, ""), piece(2, ""));
        let back = Change::Listed([4, 2].map(id).to_vec(), [1, 3].map(id).to_vec());
        let now = staged(&ordered, [1, 2, 3, 4], back);
        let at = |n| now.find(&id(n).to_string());
        assert!(at(4) < at(2) && at(2) < at(1) && at(1) < at(3), "{now}");
        // And one beside which the writer wrote something is not taken out.
        let noted = format!("id = \"a\"\n{}", piece(1, ""));
        assert_eq!(
            after(&noted, &[Change::Listed(Vec::new(), vec![id(1)])]),
            noted
        );
    }

    #[test]
    fn what_is_said_first_of_a_piece_comes_in_by_age_unless_the_writer_has_ordered_them() {
        let draft = |n| Change::Stage(id(n), Some(Stage::Draft));
        let three = format!("id = \"a\"\n{}{}", piece(3, ""), piece(6, ""));
        let now = after(&three, &[draft(9), draft(1), draft(4)]);
        let at = |n| now.find(&id(n).to_string()).unwrap();
        let places = [1, 3, 4, 6, 9].map(at);
        assert!(places.is_sorted(), "{now}");
        assert!(now.contains("# about 6\n[[piece]]"), "{now}");
        let ordered = format!("id = \"a\"\n{}{}", piece(6, ""), piece(3, ""));
        let now = after(&ordered, &[draft(4)]);
        assert!(now.starts_with(&ordered), "{now}");
    }

    #[test]
    fn what_is_said_of_a_piece_in_a_list_by_age_goes_with_its_table() {
        let none = "id = \"a\"\n# mine\n";
        let target = Change::PieceTarget(id(3), Some(900));
        let stage = |stage| Change::Stage(id(3), stage);
        let now = after(none, &[stage(Some(Stage::Draft)), target, stage(None)]);
        assert!(
            now.contains("target = 900") && !now.contains("stage"),
            "{now}"
        );
        assert_eq!(after(&now, &[Change::PieceTarget(id(3), None)]), none);
        // In an order of the writer's it is its place.
        let ordered = format!("{none}{}{}", piece(6, ""), piece(3, "stage = \"draft\"\n"));
        let now = after(&ordered, &[stage(None)]);
        assert!(now.contains(&id(3).to_string()), "{now}");
    }

    /// What git makes of two changes of one text, and whether it asks.
    fn merged(base: &str, ours: &[Change], theirs: &[Change]) -> (String, bool) {
        let dir = tempfile::tempdir().unwrap();
        let files = [after(base, ours), base.to_owned(), after(base, theirs)];
        for (name, text) in ["ours", "base", "theirs"].iter().zip(files) {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        let mut git = std::process::Command::new("git");
        git.args(["merge-file", "-p", "ours", "base", "theirs"]);
        let said = git.current_dir(dir.path()).output().unwrap();
        let text = String::from_utf8(said.stdout).unwrap();
        (text, !said.status.success())
    }

    #[test]
    fn what_two_branches_say_of_two_pieces_git_puts_together() {
        let stage = |n| Change::Stage(id(n), Some(Stage::Draft));
        let base = after("id = \"a\"\n", &[stage(2), stage(5), stage(8)]);
        let order = Change::Pieces([5, 2, 8].map(id).to_vec());
        for (ours, theirs) in [
            (stage(4), stage(6)),
            (stage(1), stage(9)),
            (stage(4), Change::PieceTarget(id(8), Some(900))),
            (
                Change::Stage(id(2), None),
                Change::Line(id(5), Some("x".into())),
            ),
            (order, Change::Stage(id(8), Some(Stage::Done))),
        ] {
            let (ours, theirs) = ([ours], [theirs]);
            let (text, asks) = merged(&base, &ours, &theirs);
            assert!(!asks, "{text}");
            let (_dir, workspace) = workspace(&[("a", &text)]);
            let drawer = Drawer::of(&workspace);
            assert!(drawer.problems.is_empty(), "{:?}", drawer.problems);
            let both = drawer.collections[0].clone();
            assert!(both.is_as(&ours[0]) && both.is_as(&theirs[0]), "{text}");
        }
        // Where both say something in one place git asks, and the file that it leaves is named with the line.
        let (text, asks) = merged(&base, &[stage(3)], &[stage(4)]);
        assert!(asks);
        let (_dir, workspace) = workspace(&[("a", &text)]);
        let drawer = Drawer::of(&workspace);
        let said: Vec<String> = drawer.problems.iter().map(ToString::to_string).collect();
        let line = text.lines().position(|l| l.starts_with("<<<<<<<")).unwrap() + 1;
        assert!(said[0].contains(&format!("{FILE}:{line}: ")), "{said:?}");
        assert_eq!(drawer.collections[0].id.as_str(), "a");
        let refused = edit(&workspace, &drawer.collections[0], &[stage(5)]);
        assert!(refused.unwrap_err().to_string().contains("git merge"));
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
        let refused = edit(&workspace, &drawer.collections[0], &[Change::Day(None)]);
        assert!(refused.unwrap_err().to_string().contains("It is gone"));
        assert!(!dir.path().join("a").join(FILE).exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_its_place_is_refused_and_not_waited_for() {
        let (dir, workspace) = workspace(&[("a", "id = \"a\"\n")]);
        let drawer = Drawer::of(&workspace);
        let file = dir.path().join("a").join(FILE);
        std::fs::remove_file(&file).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&file).status();
        assert!(made.unwrap().success());
        let said = edit(&workspace, &drawer.collections[0], &[Change::Day(Some(1))]);
        let said = said.unwrap_err().to_string();
        assert!(said.contains("no plain file"), "{said}");
        std::fs::remove_file(&file).unwrap();
        std::fs::write(&file, vec![b'\n'; 9 << 20]).unwrap();
        let said = edit(&workspace, &drawer.collections[0], &[Change::Day(Some(1))]);
        let said = said.unwrap_err().to_string();
        assert!(said.contains("larger than 8 MiB"), "{said}");
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

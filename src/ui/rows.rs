//! What the window knows of all sessions: the rows, their order, and what the lists point at.

mod family;
mod filter;
mod folds;
mod need;
mod pieces;
mod pulse;
mod shelf;
mod sort;
mod tally;
mod tree;

use std::collections::{BTreeMap, HashMap};

use crate::domain::{CollectionId, CollectionRow, Row, SessionId};
use shelf::belongs;

pub use folds::{Folded, Looks};
pub use shelf::Shelf;
pub use sort::Sort;
pub use tally::Tally;
pub use tree::Branch;

/// A row with what it is ordered by: a row whose turn goes on or ends stays where it is.
#[derive(Clone, Debug)]
struct Ranked {
    row: Row,
    /// Its last change of state.
    changed: i64,
    /// Title and tags, as they are looked for.
    hay: String,
    /// Its place in the order of its collection.
    place: usize,
}

/// What the writer asks of the list.
#[derive(Debug, Default)]
struct Asked {
    sort: Sort,
    /// What it is filtered by; empty when it is not.
    filter: String,
    /// The session that is marked, to be compared with another.
    marked: Option<SessionId>,
}

/// The rows, and where the list and the drawer stand.
#[derive(Debug, Default)]
pub struct Rows {
    all: HashMap<SessionId, Ranked>,
    collections: BTreeMap<CollectionId, CollectionRow>,
    /// The shelf shown, which is where the drawer's cursor stands.
    shelf: Shelf,
    /// The session under the list's cursor.
    cursor: Option<SessionId>,
    /// The session the cursor goes to once it lies on the shelf.
    awaited: Option<SessionId>,
    /// Sessions of the shelf in order, as of the last [`Rows::settle`].
    laid: tree::Laid,
    shelves: Vec<(Shelf, Tally)>,
    pulse: pulse::Pulse,
    families: family::Families,
    asked: Asked,
    folds: folds::Folds,
    stale: bool,
}

impl Rows {
    /// Takes in a row.
    pub fn put(&mut self, row: Row) {
        self.pulse.put(&row);
        self.put_kin(&row);
        let Some(old) = self.all.get_mut(&row.id) else {
            self.stale = true;
            let (changed, hay) = (row.updated, filter::hay(&row, &row.title));
            let ranked = Ranked {
                row,
                changed,
                hay,
                place: usize::MAX,
            };
            self.all.insert(ranked.row.id, ranked);
            return;
        };
        self.stale |= weighs(&old.row) != weighs(&row);
        self.stale |= self.asked.sort == Sort::Changed && old.row.updated != row.updated;
        if old.row.state != row.state {
            old.changed = row.updated;
        }
        if old.row.title != row.title || old.row.tags != row.tags {
            self.stale = true;
            old.hay = filter::hay(&row, &row.title);
        }
        old.row = row;
    }

    /// Takes in a collection.
    pub fn put_collection(&mut self, row: CollectionRow) {
        self.collections.insert(row.id.clone(), row);
        self.stale = true;
    }

    /// Forgets a collection.
    pub fn collection_gone(&mut self, id: &CollectionId) {
        self.collections.remove(id);
        if self.shelf == Shelf::Collection(id.clone()) {
            self.shelf = Shelf::All;
        }
        self.stale = true;
    }

    /// Brings order, sums and cursor up to date with the rows.
    pub fn settle(&mut self) {
        if !std::mem::take(&mut self.stale) {
            return;
        }
        let at = self.index();
        self.settle_families();
        self.put_in_order();
        self.count();
        if self.is_gone(&self.shelf) {
            self.shelf = Shelf::All;
        }
        self.arrange();
        if let Some(back) = self.awaited.take_if(|s| self.laid.order.contains(s)) {
            self.cursor = Some(back);
        }
        if !self.folds.has_cursor() && self.cursor.is_none_or(|c| !self.laid.order.contains(&c)) {
            // The row under the cursor left: its neighbour takes its place.
            self.set_index(at.min(self.len().saturating_sub(1)));
        }
    }

    fn count(&mut self) {
        let mut all = Tally::default();
        let (mut archive, mut trash) = (Tally::default(), Tally::default());
        let mut each: HashMap<&CollectionId, Tally> = HashMap::new();
        for Ranked { row, .. } in self.all.values() {
            // A family counts once, by its main line.
            let add = if self.stands_for_piece(row) {
                Tally::add
            } else {
                Tally::add_beside
            };
            if row.trashed {
                add(&mut trash, row);
            } else if row.archived {
                add(&mut archive, row);
            } else {
                add(&mut all, row);
                add(each.entry(&row.collection).or_default(), row);
            }
        }
        let shown = drawer(&self.collections).filter(|c| !c.archived);
        let shown: Vec<_> = shown
            .map(|c| {
                let mut tally = each.get(&c.id).copied().unwrap_or_default();
                tally.proposals = c.waiting as usize;
                (Shelf::Collection(c.id.clone()), tally)
            })
            .collect();
        all.proposals = shown.iter().map(|(_, tally)| tally.proposals).sum();
        let mut shelves = vec![(Shelf::All, all)];
        shelves.extend(shown);
        shelves.extend(self.put_away(&each));
        for (on, tally) in [(Shelf::Archive, archive), (Shelf::Trash, trash)] {
            let shown = !self.folds.away || self.shelf == on;
            shelves.extend((tally.sessions > 0 && shown).then_some((on, tally)));
        }
        self.shelves = shelves;
    }

    /// Whether a shelf is no more. A collection whose row has not come yet is none of those.
    fn is_gone(&self, on: &Shelf) -> bool {
        match on {
            Shelf::All => false,
            Shelf::Collection(id) => self.folds.away && self.is_archived(id),
            Shelf::Archive | Shelf::Trash => !self.shelves.iter().any(|s| s.0 == *on),
        }
    }

    /// A session's row.
    pub fn get(&self, session: SessionId) -> Option<&Row> {
        self.all.get(&session).map(|r| &r.row)
    }

    /// What is looked for in a session: title and tags, in small letters.
    pub fn hay(&self, session: SessionId) -> &str {
        self.all.get(&session).map_or("", |r| &r.hay)
    }

    /// Every row, in no order.
    pub fn every(&self) -> impl Iterator<Item = &Row> {
        self.all.values().map(|r| &r.row)
    }

    /// Sessions of the shelf, in order.
    pub fn order(&self) -> &[SessionId] {
        &self.laid.order
    }

    /// The shelves of the drawer with their sums, the first being everything.
    pub fn shelves(&self) -> &[(Shelf, Tally)] {
        &self.shelves
    }

    /// Sums of the shelf shown.
    pub fn tally(&self) -> Tally {
        self.tally_of(&self.shelf)
    }

    /// Sums of a shelf.
    pub fn tally_of(&self, on: &Shelf) -> Tally {
        let found = self.shelves.iter().find(|s| s.0 == *on);
        found.map(|s| s.1).unwrap_or_default()
    }

    /// The shelf shown.
    pub fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    /// Title of a shelf.
    pub fn title<'a>(&'a self, on: &'a Shelf) -> &'a str {
        match on {
            Shelf::All => "All sessions",
            Shelf::Archive => "Archive",
            Shelf::Trash => "Trash",
            Shelf::Collection(id) => self.collection_title(id),
        }
    }

    /// Title of a collection; its id while nothing else is known.
    pub fn collection_title<'a>(&'a self, id: &'a CollectionId) -> &'a str {
        match self.collections.get(id) {
            Some(c) => &c.title,
            None if *id == CollectionId::inbox() => "Inbox",
            None => id.as_str(),
        }
    }

    /// Shows another shelf, with the cursor on its first session.
    pub fn show(&mut self, on: Shelf) {
        if self.shelf != on {
            self.shelf = on;
            (self.cursor, self.awaited) = (None, None);
            self.asked.filter.clear();
            self.folds.leave();
            self.laid = tree::Laid::default();
            self.stale = true;
            self.settle();
        }
    }

    /// Moves in the drawer.
    pub fn step_shelf(&mut self, by: isize) {
        let at = self.shelves.iter().position(|s| s.0 == self.shelf);
        let to = step(at.unwrap_or(0), by, self.shelves.len());
        if let Some(shelf) = to.and_then(|i| self.shelves.get(i)).map(|s| s.0.clone()) {
            self.show(shelf);
        }
    }

    /// The session under the cursor.
    pub fn cursor(&self) -> Option<SessionId> {
        self.cursor.filter(|_| !self.folds.has_cursor())
    }

    /// Puts the cursor on a session, in its own shelf when the one shown does not hold it.
    pub fn point(&mut self, session: SessionId) {
        let hidden = !self.laid.order.contains(&session) && !self.asked.filter.is_empty();
        if hidden {
            self.set_filter("");
        }
        let Some(row) = self.get(session) else {
            return;
        };
        if !belongs(row, &self.shelf) {
            let on = match row {
                row if row.trashed => Shelf::Trash,
                row if row.archived => Shelf::Archive,
                row => Shelf::Collection(row.collection.clone()),
            };
            self.show(on);
        }
        (self.cursor, self.awaited) = (Some(session), None);
        self.folds.leave();
        if !self.laid.order.contains(&session) {
            self.stale = true;
            self.settle();
        }
    }

    /// Puts the cursor on a session of this shelf, as soon as it lies there; a step takes that back.
    pub fn await_back(&mut self, session: SessionId) {
        self.awaited = Some(session);
        self.stale = true;
    }

    /// Where the cursor stands, folded rows counted behind the others.
    pub fn index(&self) -> usize {
        if let Some(at) = self.folds.index() {
            return self.laid.order.len() + at;
        }
        let at = |c| self.laid.order.iter().position(|&id| id == c);
        self.cursor.and_then(at).unwrap_or(0)
    }

    /// Rows of the list, folded ones included.
    pub fn len(&self) -> usize {
        self.laid.order.len() + self.folds.len()
    }

    /// Whether the list has no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn set_index(&mut self, at: usize) {
        let behind = at.checked_sub(self.laid.order.len());
        self.folds.stand(behind);
        if behind.is_none() || self.folds.is_empty() {
            self.folds.leave();
            self.cursor = self.laid.order.get(at).copied();
        }
    }

    /// Moves the cursor, stopping at the ends.
    pub fn step(&mut self, by: isize) {
        self.awaited = None;
        if let Some(to) = step(self.index(), by, self.len()) {
            self.set_index(to);
        }
    }

    /// The session `by` places from another one in the order.
    pub fn beside(&self, session: Option<SessionId>, by: isize) -> Option<SessionId> {
        let at = session.and_then(|s| self.laid.order.iter().position(|&id| id == s));
        let Some(at) = at else {
            return self.laid.order.first().copied();
        };
        step(at, by, self.laid.order.len())
            .and_then(|i| self.laid.order.get(i))
            .copied()
    }
}

fn step(at: usize, by: isize, len: usize) -> Option<usize> {
    (len > 0).then(|| at.saturating_add_signed(by).min(len - 1))
}

/// Collections as the drawer orders them, the inbox last.
fn drawer(
    collections: &BTreeMap<CollectionId, CollectionRow>,
) -> impl Iterator<Item = &CollectionRow> {
    let mut rows: Vec<_> = collections.values().collect();
    rows.sort_by_key(|c| {
        let last = c.id == CollectionId::inbox();
        (last, c.order.unwrap_or(i64::MAX), c.title.to_lowercase())
    });
    rows.into_iter()
}

/// What of a row its place in the lists and the sums hang on.
fn weighs(row: &Row) -> impl PartialEq + '_ {
    let shelf = (&row.collection, row.archived, row.trashed);
    let order = (row.state, row.begun);
    (order, shelf, row.words, row.queued, &row.kin)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test")]
    use uuid::Uuid;

    use super::*;
    use crate::domain::{Piece, State};

    fn id(n: u128) -> SessionId {
        SessionId::new(Uuid::from_u128(n))
    }

    fn row(n: u128, state: State, updated: i64) -> Row {
        Row {
            id: id(n),
            collection: CollectionId::inbox(),
            title: n.to_string(),
            state,
            agent: String::new(),
            model: None,
            words: 0,
            turns: 0,
            stage: None,
            tags: Vec::new(),
            folder: String::new(),
            updated,
            since: None,
            begun: updated,
            archived: false,
            trashed: false,
            asked: Vec::new(),
            queued: 0,
            recipe: None,
            pause: None,
            held: false,
            spent: crate::domain::event::Usage::default(),
            money: crate::domain::Money::default(),
            written: crate::domain::Written::default(),
            kin: crate::domain::Kin::default(),
            proposed: None,
            trouble: None,
            deed: None,
            draft_trouble: None,
        }
    }

    fn rows(all: &[Row]) -> Rows {
        let mut rows = Rows::default();
        for row in all {
            rows.put(row.clone());
        }
        rows.settle();
        rows
    }

    #[test]
    fn who_needs_the_writer_stands_first_then_the_newest() {
        let got = rows(&[
            row(1, State::Idle, 10),
            row(2, State::Writing, 30),
            row(3, State::NeedsYou, 5),
            row(4, State::Unread, 20),
        ]);
        assert_eq!(got.order(), [id(3), id(2), id(4), id(1)]);
    }

    #[test]
    fn a_row_keeps_its_place_while_turns_go_on_and_end() {
        let mut got = rows(&[row(1, State::Idle, 30), row(2, State::Idle, 20)]);
        let mut other = row(2, State::Writing, 50);
        other.begun = 40;
        got.put(other);
        got.settle();
        assert_eq!(got.order(), [id(2), id(1)], "a turn begins");
        let mut mine = row(1, State::Writing, 60);
        mine.begun = 45;
        got.put(mine);
        got.settle();
        assert_eq!(got.order(), [id(1), id(2)], "another begins");
        let mut ended = row(2, State::Unread, 70);
        ended.begun = 40;
        got.put(ended);
        got.settle();
        assert_eq!(got.order(), [id(1), id(2)], "the first ends");
    }

    #[test]
    fn the_cursor_goes_to_a_session_that_comes_back() {
        let mut archived = row(2, State::Idle, 20);
        archived.archived = true;
        let mut got = rows(&[row(1, State::Idle, 30), archived, row(3, State::Idle, 10)]);
        got.await_back(id(2));
        got.settle();
        assert_eq!(got.cursor(), Some(id(1)));
        got.put(row(2, State::Idle, 20));
        got.settle();
        assert_eq!(got.cursor(), Some(id(2)));
    }

    #[test]
    fn the_next_in_need_goes_round() {
        let got = rows(&[
            row(1, State::NeedsYou, 10),
            row(2, State::Failed, 5),
            row(3, State::NeedsYou, 20),
            row(4, State::Idle, 1),
        ]);
        let mut at = Some(id(4));
        let mut visited = Vec::new();
        for _ in 0..4 {
            at = got.next_in_need(at);
            visited.push(at.unwrap());
        }
        assert_eq!(visited, [id(1), id(3), id(2), id(1)]);
        let alone = rows(&[row(1, State::NeedsYou, 10)]);
        assert_eq!(alone.next_in_need(Some(id(1))), None);
    }

    #[test]
    fn the_cursor_stays_on_its_session_and_goes_to_the_neighbour_of_one_that_leaves() {
        let mut got = rows(&[
            row(1, State::Idle, 30),
            row(2, State::Idle, 20),
            row(3, State::Idle, 10),
        ]);
        got.step(1);
        got.put(row(3, State::NeedsYou, 40));
        got.settle();
        assert_eq!(got.cursor(), Some(id(2)));
        let mut gone = row(2, State::Idle, 20);
        gone.archived = true;
        got.put(gone);
        got.settle();
        assert_eq!(got.order(), [id(3), id(1)]);
        assert_eq!(got.cursor(), Some(id(1)));
        got.step_shelf(isize::MAX);
        assert_eq!((got.shelf(), got.cursor()), (&Shelf::Archive, Some(id(2))));
    }

    fn titled(n: u128, title: &str, state: State, tags: &[&str]) -> Row {
        Row {
            title: title.to_owned(),
            tags: tags.iter().map(|t| (*t).to_owned()).collect(),
            ..row(n, state, i64::try_from(n).unwrap())
        }
    }

    #[test]
    fn a_filter_finds_letters_tags_and_states_and_whole_words_first() {
        let mut got = rows(&[
            titled(1, "Harbour lights", State::Idle, &["spring"]),
            titled(2, "Hills and barns", State::NeedsYou, &[]),
            titled(3, "The old harbour", State::Writing, &[]),
        ]);
        got.set_filter("harb");
        assert_eq!(got.order(), [id(3), id(1)]);
        assert_eq!(got.cursor(), Some(id(3)));
        for (query, want) in [
            ("needs", &[id(2)][..]),
            ("writing", &[id(3)]),
            ("#spr", &[id(1)]),
            ("hrbr", &[id(3), id(1)]),
            ("HARBOUR old", &[id(3)]),
            ("zzz", &[]),
        ] {
            got.set_filter(query);
            assert_eq!(got.order(), want, "{query}");
        }
        got.set_filter("");
        assert_eq!(got.order().len(), 3);
    }

    #[test]
    fn a_filter_finds_pieces_by_the_word_of_their_stage() {
        let mut got = rows(&[
            titled(1, "Harbour", State::Idle, &[]),
            titled(2, "Hills", State::Idle, &[]),
        ]);
        let mut inbox = CollectionRow::new(CollectionId::inbox(), "Inbox", "inbox");
        inbox.pieces = vec![Piece {
            stage: Some(crate::domain::Stage::Revising),
            ..Piece::new(id(2))
        }];
        got.put_collection(inbox);
        for (query, want) in [
            ("revis", &[id(2)][..]),
            ("revising hills", &[id(2)]),
            ("done", &[]),
        ] {
            got.set_filter(query);
            assert_eq!(got.order(), want, "{query}");
        }
    }

    #[test]
    fn every_order_puts_its_first_row_first() {
        let mut long = titled(1, "b", State::Idle, &[]);
        (long.words, long.updated, long.begun) = (900, 1, 1);
        let mut new = titled(2, "a", State::Idle, &[]);
        (new.updated, new.begun) = (9, 5);
        let mut asks = titled(3, "c", State::NeedsYou, &[]);
        (asks.updated, asks.begun) = (5, 0);
        let mut got = rows(&[long, new, asks]);
        for (sort, want) in [
            (Sort::Need, [3, 2, 1]),
            (Sort::Changed, [2, 3, 1]),
            (Sort::Title, [2, 1, 3]),
            (Sort::Words, [1, 2, 3]),
        ] {
            got.set_sort(sort);
            assert_eq!(got.order(), want.map(id), "{sort:?}");
        }
        assert_eq!(
            (Sort::Created.next(), Sort::Order.next()),
            (Sort::Order, Sort::Need)
        );
    }

    #[test]
    fn what_is_said_of_some_pieces_in_a_list_by_age_puts_none_of_them_first() {
        let mut got = rows(&[1, 2, 3].map(|n| row(n, State::Idle, 9)));
        got.set_sort(Sort::Order);
        let inbox = CollectionId::inbox();
        for (listed, want) in [
            (vec![], [1, 2, 3]),
            (vec![3], [1, 2, 3]),
            (vec![1, 3], [1, 2, 3]),
            (vec![3, 1], [3, 1, 2]),
        ] {
            got.put_collection(CollectionRow {
                pieces: listed.into_iter().map(|n| Piece::new(id(n))).collect(),
                ..CollectionRow::new(inbox.clone(), "Inbox", "inbox")
            });
            got.settle();
            assert_eq!(got.pieces(&inbox), want.map(id));
            assert_eq!(got.order(), want.map(id));
        }
    }

    #[test]
    fn a_folded_collection_is_one_row_and_hides_nobody_who_needs_the_writer() {
        let letters: CollectionId = "letters".parse().unwrap();
        let letter = |n, state| Row {
            collection: letters.clone(),
            ..row(n, state, i64::try_from(n).unwrap())
        };
        let mut got = rows(&[
            row(1, State::Idle, 9),
            letter(2, State::Idle),
            letter(3, State::NeedsYou),
            letter(4, State::Writing),
        ]);
        got.point(id(2));
        got.fold();
        assert_eq!(got.order(), [id(3), id(1)]);
        assert_eq!(
            (got.folded().len(), got.index(), got.cursor()),
            (1, 2, None)
        );
        let tally = got.folded()[0].1;
        assert_eq!((tally.sessions, tally.writing), (2, 1));
        got.step(-1);
        assert_eq!(got.cursor(), Some(id(1)));
        // One that is opened all the same has its row.
        got.point(id(4));
        assert!(got.order().contains(&id(4)), "{:?}", got.order());
        assert_eq!(got.looks().folded.len(), 1);
        got.step(isize::MAX);
        assert_eq!(got.fold_at_cursor(), Some(&letters));
        got.fold();
        assert_eq!((got.order().len(), got.folded().len()), (4, 0));
    }
}

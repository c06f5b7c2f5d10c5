//! What the window knows of all sessions: the rows, their order, and what the lists point at.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use crate::domain::{CollectionId, CollectionRow, Row, SessionId, State};

/// Which sessions the list shows.
#[derive(
    Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Shelf {
    /// Those of every collection.
    #[default]
    All,
    /// Those of one.
    Collection(CollectionId),
    /// Those out of the list.
    Archive,
    /// Those in the trash.
    Trash,
}

/// Sums over the sessions of a shelf.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tally {
    /// Sessions.
    pub sessions: usize,
    /// Words of their drafts.
    pub words: u64,
    /// Those that write.
    pub writing: usize,
    /// Those that need the writer.
    pub needs_you: usize,
    /// Those that ended well and were not seen.
    pub unread: usize,
    /// Those whose last turn failed or was lost.
    pub failed: usize,
    /// Prompts that wait.
    pub queued: usize,
    /// US dollars, as far as known.
    pub cost: Option<f64>,
}

impl Tally {
    fn add(&mut self, row: &Row) {
        self.sessions += 1;
        self.words += row.words;
        self.writing += usize::from(row.state == State::Writing);
        self.needs_you += usize::from(row.state == State::NeedsYou);
        self.unread += usize::from(row.state == State::Unread);
        self.failed += usize::from(matches!(row.state, State::Failed | State::Lost));
        self.queued += row.queued as usize;
        if let Some(cost) = row.spent.cost_usd {
            self.cost = Some(self.cost.unwrap_or(0.0) + cost);
        }
    }
}

/// A row with what it is ordered by: a row whose turn goes on or ends stays where it is.
#[derive(Clone, Debug)]
struct Ranked {
    row: Row,
    /// Its last change of state.
    changed: i64,
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
    order: Vec<SessionId>,
    shelves: Vec<(Shelf, Tally)>,
    /// Sessions whose agent waits, and until when, milliseconds since 1970.
    waits: HashMap<SessionId, i64>,
    stale: bool,
}

impl Rows {
    /// Takes in a row.
    pub fn put(&mut self, row: Row) {
        match &row.pause {
            Some(pause) => self.waits.insert(row.id, pause.until),
            None => self.waits.remove(&row.id),
        };
        let Some(old) = self.all.get_mut(&row.id) else {
            self.stale = true;
            let changed = row.updated;
            let ranked = Ranked { row, changed };
            self.all.insert(ranked.row.id, ranked);
            return;
        };
        self.stale |= weighs(&old.row) != weighs(&row) || old.row.title != row.title;
        if old.row.state != row.state {
            old.changed = row.updated;
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
        self.count();
        if self.is_gone(&self.shelf) {
            self.shelf = Shelf::All;
        }
        let shown = self.all.values().filter(|r| belongs(&r.row, &self.shelf));
        let mut order: Vec<_> = shown
            .map(|r| (urgency(&r.row), Reverse(r.row.begun), r.row.id))
            .collect();
        order.sort_unstable();
        self.order = order.into_iter().map(|o| o.2).collect();
        if let Some(back) = self.awaited.take_if(|s| self.order.contains(s)) {
            self.cursor = Some(back);
        }
        if self.cursor.is_none_or(|c| !self.order.contains(&c)) {
            // The row under the cursor left: its neighbour takes its place.
            let near = at.min(self.order.len().saturating_sub(1));
            self.cursor = self.order.get(near).copied();
        }
    }

    fn count(&mut self) {
        let mut all = Tally::default();
        let (mut archive, mut trash) = (Tally::default(), Tally::default());
        let mut each: HashMap<&CollectionId, Tally> = HashMap::new();
        for Ranked { row, .. } in self.all.values() {
            if row.trashed {
                trash.add(row);
            } else if row.archived {
                archive.add(row);
            } else {
                all.add(row);
                each.entry(&row.collection).or_default().add(row);
            }
        }
        let mut drawer: Vec<_> = self.collections.values().filter(|c| !c.archived).collect();
        drawer.sort_by_key(|c| (c.id == CollectionId::inbox(), c.title.to_lowercase()));
        let mut shelves = vec![(Shelf::All, all)];
        shelves.extend(drawer.into_iter().map(|c| {
            let tally = each.get(&c.id).copied().unwrap_or_default();
            (Shelf::Collection(c.id.clone()), tally)
        }));
        shelves.extend((archive.sessions > 0).then_some((Shelf::Archive, archive)));
        shelves.extend((trash.sessions > 0).then_some((Shelf::Trash, trash)));
        self.shelves = shelves;
    }

    /// Whether a shelf is no more. A collection whose row has not come yet is none of those.
    fn is_gone(&self, on: &Shelf) -> bool {
        match on {
            Shelf::All => false,
            Shelf::Collection(id) => self.collections.get(id).is_some_and(|c| c.archived),
            Shelf::Archive | Shelf::Trash => !self.shelves.iter().any(|s| s.0 == *on),
        }
    }

    /// Whether an agent waits at a time, milliseconds since 1970: its row counts the seconds.
    pub fn any_waits(&self, now: i64) -> bool {
        self.waits.values().any(|until| *until > now)
    }

    /// A session's row.
    pub fn get(&self, session: SessionId) -> Option<&Row> {
        self.all.get(&session).map(|r| &r.row)
    }

    /// Every row, in no order.
    pub fn every(&self) -> impl Iterator<Item = &Row> {
        self.all.values().map(|r| &r.row)
    }

    /// Sessions of the shelf, in order.
    pub fn order(&self) -> &[SessionId] {
        &self.order
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
            self.order.clear();
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
        self.cursor
    }

    /// Puts the cursor on a session, in its own shelf when the one shown does not hold it.
    pub fn point(&mut self, session: SessionId) {
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
    }

    /// Puts the cursor on a session of this shelf, as soon as it lies there; a step takes that back.
    pub fn await_back(&mut self, session: SessionId) {
        self.awaited = Some(session);
        self.stale = true;
    }

    /// Where in the order the cursor stands.
    pub fn index(&self) -> usize {
        let at = |c| self.order.iter().position(|&id| id == c);
        self.cursor.and_then(at).unwrap_or(0)
    }

    /// Moves the cursor, stopping at the ends.
    pub fn step(&mut self, by: isize) {
        self.awaited = None;
        if let Some(to) = step(self.index(), by, self.order.len()) {
            self.cursor = self.order.get(to).copied();
        }
    }

    /// The session `by` places from another one in the order.
    pub fn beside(&self, session: Option<SessionId>, by: isize) -> Option<SessionId> {
        let at = session.and_then(|s| self.order.iter().position(|&id| id == s));
        let Some(at) = at else {
            return self.order.first().copied();
        };
        step(at, by, self.order.len())
            .and_then(|i| self.order.get(i))
            .copied()
    }

    /// The next session that needs the writer after another one, round and round: questions first,
    /// longest waiting first; then what is unread, then what ended badly.
    pub fn next_in_need(&self, after: Option<SessionId>) -> Option<SessionId> {
        let mut calls: Vec<_> = self
            .all
            .values()
            .filter(|r| !r.row.archived && !r.row.trashed)
            .filter_map(|r| need(r.row.state).map(|n| (n, r.changed, r.row.id)))
            .collect();
        calls.sort_unstable();
        let here = calls.iter().position(|c| Some(c.2) == after);
        let next = here.map_or(0, |i| (i + 1) % calls.len());
        calls.get(next).map(|c| c.2).filter(|&s| Some(s) != after)
    }
}

fn step(at: usize, by: isize, len: usize) -> Option<usize> {
    (len > 0).then(|| at.saturating_add_signed(by).min(len - 1))
}

fn need(state: State) -> Option<u8> {
    match state {
        State::NeedsYou => Some(0),
        State::Unread => Some(1),
        State::Failed | State::Lost => Some(2),
        State::Writing | State::Queued | State::Interrupted | State::Idle => None,
    }
}

fn urgency(row: &Row) -> u8 {
    u8::from(row.state != State::NeedsYou)
}

/// What of a row its place in the lists and the sums hang on.
fn weighs(row: &Row) -> impl PartialEq + '_ {
    let shelf = (&row.collection, row.archived, row.trashed);
    let order = (row.state, row.begun);
    (order, shelf, row.words, row.queued, row.spent.cost_usd)
}

fn belongs(row: &Row, shelf: &Shelf) -> bool {
    match shelf {
        Shelf::All => !row.archived && !row.trashed,
        Shelf::Collection(id) => !row.archived && !row.trashed && row.collection == *id,
        Shelf::Archive => row.archived && !row.trashed,
        Shelf::Trash => row.trashed,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use uuid::Uuid;

    use super::*;

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
            spent: crate::domain::event::Usage::default(),
            trouble: None,
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
}

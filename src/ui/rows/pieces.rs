//! The pieces of a collection: a family is one, its main line stands for it.

use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

use super::Rows;
use crate::domain::{Came, CollectionId, CollectionRow, Piece, Row, SessionId, Stage, piece};

impl Rows {
    /// A collection's row.
    pub fn collection(&self, id: &CollectionId) -> Option<&CollectionRow> {
        self.collections.get(id)
    }

    /// The collections of the drawer in their order, those in the archive left out.
    pub fn drawer(&self) -> impl Iterator<Item = &CollectionRow> {
        super::drawer(&self.collections).filter(|c| !c.archived)
    }

    /// Brings the places of pieces up to what their collections say.
    pub(super) fn put_in_order(&mut self) {
        let place = |row: &Row| {
            let at = if self.stands_for_piece(row) {
                self.place_of(row)
            } else {
                (usize::MAX, row.id)
            };
            (at, row.id)
        };
        let mut places: Vec<_> = self.every().map(place).collect();
        places.sort_unstable();
        for (place, (_, id)) in places.into_iter().enumerate() {
            if let Some(ranked) = self.all.get_mut(&id) {
                ranked.place = place;
            }
        }
    }

    /// What its collection says of a row's piece, and behind how many others.
    fn said_of(&self, row: &Row) -> Option<(usize, &Piece)> {
        let of = self.collections.get(&row.collection)?;
        piece::said_of(&of.pieces, &self.namesakes(row))
    }

    /// By what a row's piece comes in the order of its collection.
    fn place_of(&self, row: &Row) -> (usize, SessionId) {
        let of = self.collections.get(&row.collection);
        let pieces = of.map_or(&[][..], |c| &c.pieces);
        let at = self.said_of(row).map(|(at, _)| at);
        piece::place(pieces, at, row.kin.family_of(row.id))
    }

    /// Whether a session stands for its piece: it is alone, or the main line.
    pub fn stands_for_piece(&self, row: &Row) -> bool {
        self.main_of(row.id).is_none_or(|main| main == row.id)
    }

    /// Where a piece stands: as its collection says. A variant stands where its log says.
    pub fn stage_of(&self, row: &Row) -> Option<Stage> {
        let of = self.collections.get(&row.collection);
        let of = of.filter(|_| self.stands_for_piece(row));
        let pieces = of.map(|c| c.pieces.as_slice());
        piece::stage(pieces, &self.namesakes(row), row.stage)
    }

    /// Words a piece is to have, in each of its variants.
    pub fn target_of(&self, row: &Row) -> Option<u64> {
        self.said_of(row)?.1.target
    }

    /// The sessions of a collection that are in its list.
    fn lying_in<'a>(&'a self, id: &'a CollectionId) -> impl Iterator<Item = &'a Row> {
        let here = move |r: &&Row| !r.archived && !r.trashed && r.collection == *id;
        self.every().filter(here)
    }

    /// The pieces of a collection in its order: as its file orders them, those it does not name behind, by age.
    pub fn pieces(&self, id: &CollectionId) -> Vec<SessionId> {
        let pieces = self.lying_in(id).filter(|r| self.stands_for_piece(r));
        let mut pieces: Vec<&Row> = pieces.collect();
        pieces.sort_by_cached_key(|row| self.place_of(row));
        pieces.into_iter().map(|r| r.id).collect()
    }

    /// Words of the pieces of a collection.
    pub fn words_in(&self, id: &CollectionId) -> u64 {
        let pieces = self.lying_in(id).filter(|r| self.stands_for_piece(r));
        pieces.map(|r| r.words).sum()
    }

    /// The words that came into a collection on each of the last days, the oldest first.
    /// Days are those of a zone; all sessions count, variants too.
    pub fn days(&self, id: &CollectionId, now: i64, zone: &TimeZone, many: usize) -> Vec<Came> {
        let begins = begins(now, zone, many);
        let mut days = vec![Came::default(); begins.len()];
        for moment in self.lying_in(id).flat_map(|r| &r.written.moments) {
            let day = begins.partition_point(|b| *b <= moment.at).checked_sub(1);
            if let Some(day) = day.and_then(|at| days.get_mut(at)) {
                *day = day.and(moment.came);
            }
        }
        days
    }

    /// What came to a collection since a moment: pieces that changed, pieces that are new, and words.
    pub fn news(&self, id: &CollectionId, since: i64) -> ([u64; 2], Came) {
        let (mut pieces, mut came) = ([0; 2], Came::default());
        for row in self.lying_in(id) {
            let is_new = row.id.made() > since;
            pieces[0] += u64::from(!is_new && row.updated > since);
            pieces[1] += u64::from(is_new);
            came = came.and(row.written.since(since));
        }
        (pieces, came)
    }

    /// How many sessions of a collection need the writer.
    pub fn needy_in(&self, id: &CollectionId) -> usize {
        let needs = |r: &&Row| r.state == crate::domain::State::NeedsYou;
        self.lying_in(id).filter(needs).count()
    }
}

/// When the last days began, the oldest first, milliseconds since 1970.
fn begins(now: i64, zone: &TimeZone, many: usize) -> Vec<i64> {
    let Ok(now) = Timestamp::from_millisecond(now) else {
        return Vec::new();
    };
    let today = now.to_zoned_datetime(zone.clone()).date();
    let back = |n: usize| {
        let day = today.checked_sub(i64::try_from(n).ok()?.days()).ok()?;
        let begun = day.to_zoned_datetime(zone.clone()).ok()?;
        Some(begun.timestamp().as_millisecond())
    };
    (0..many).rev().filter_map(back).collect()
}

//! Families: who belongs together, which of them is the main line, and what each is called.

use std::collections::{BTreeSet, HashMap};

use super::{Rows, filter};
use crate::domain::kin::{FIRST, main_line, rival};
use crate::domain::{Row, SessionId};
use crate::text::{one_line, width};
use crate::ui::panes::cut;

/// Cells of a piece's title that stay before a variant's name.
const PIECE_MIN: usize = 8;

/// Every family that has a variant, by the session it began with.
#[derive(Debug, Default)]
pub(super) struct Families {
    all: HashMap<SessionId, Family>,
    /// Those that have changed since the last look.
    changed: BTreeSet<SessionId>,
}

/// A family.
#[derive(Debug, Default)]
struct Family {
    /// All but the one it began with.
    variants: BTreeSet<SessionId>,
    main: Option<SessionId>,
    /// Members that are not in the trash.
    living: usize,
}

impl Families {
    /// The family of a row that has relatives, by the session it began with.
    pub(super) fn of(&self, row: &Row) -> Option<SessionId> {
        let first = row.kin.family_of(row.id);
        self.all.contains_key(&first).then_some(first)
    }

    /// The main line of a family.
    pub(super) fn main(&self, first: SessionId) -> Option<SessionId> {
        self.all.get(&first)?.main
    }

    /// The sessions of a family, the one it began with first, known or not.
    fn members(&self, first: SessionId) -> impl Iterator<Item = SessionId> {
        let family = self.all.get(&first);
        let variants = family.into_iter().flat_map(|f| f.variants.iter().copied());
        std::iter::once(first).chain(variants)
    }
}

impl Rows {
    /// Takes in what a row says of its family.
    pub(super) fn put_kin(&mut self, row: &Row) {
        let old = self.all.get(&row.id).map(|r| &r.row);
        let same = |old: &Row| {
            (&old.kin, &old.title, old.trashed) == (&row.kin, &row.title, row.trashed)
                && old.tags == row.tags
        };
        if old.is_some_and(same) {
            return;
        }
        let first = row.kin.family_of(row.id);
        let was = old.map(|o| o.kin.family_of(o.id)).filter(|f| *f != first);
        if let Some(was) = was
            && let Some(family) = self.families.all.get_mut(&was)
        {
            family.variants.remove(&row.id);
            self.families.changed.insert(was);
        }
        if first != row.id {
            let family = self.families.all.entry(first).or_default();
            family.variants.insert(row.id);
        }
        if self.families.all.contains_key(&first) {
            self.families.changed.insert(first);
        }
    }

    /// Finds out who is the main line of the families that have changed, and what their members are called.
    pub(super) fn settle_families(&mut self) {
        for first in std::mem::take(&mut self.families.changed) {
            let known: Vec<SessionId> = self.families.members(first).collect();
            let rows = || known.iter().filter_map(|s| self.get(*s));
            let main = main_line(rows().map(Row::member));
            let living = rows().filter(|r| !r.trashed).count();
            if let Some(family) = self.families.all.get_mut(&first) {
                (family.main, family.living) = (main, living);
            }
            for session in known {
                let hay = self
                    .get(session)
                    .map(|row| filter::hay(row, &self.words(row)));
                if let (Some(hay), Some(ranked)) = (hay, self.all.get_mut(&session)) {
                    ranked.hay = hay;
                }
            }
        }
    }

    /// What a row is found by beside its tags: its title, and behind a line end its own name where that is another.
    fn words(&self, row: &Row) -> String {
        let title = self.title_of(row);
        if row.kin.is_variant() && self.is_main(row.id) {
            format!("{title}\n{}", row.title)
        } else {
            title
        }
    }

    /// Whether a session is the main line of a family that has others.
    pub fn is_main(&self, session: SessionId) -> bool {
        let family = self.get(session).and_then(|r| self.families.of(r));
        let family = family.and_then(|first| self.families.all.get(&first));
        family.is_some_and(|f| f.main == Some(session) && f.living > 1)
    }

    /// Whether the main line of a session's family is in the archive, and the session is not.
    pub fn is_main_archived(&self, row: &Row) -> bool {
        let main = self.main_of(row.id).and_then(|main| self.get(main));
        main.is_some_and(|main| main.archived && !main.trashed && !row.archived)
    }

    /// The main line of a session's family; none for a session without relatives.
    pub fn main_of(&self, session: SessionId) -> Option<SessionId> {
        let first = self.families.of(self.get(session)?)?;
        self.families.main(first)
    }

    /// In whose place a session would be adopted: where it stands in for one in the trash, in that one's.
    pub fn rival(&self, session: SessionId) -> Option<SessionId> {
        let first = self.families.of(self.get(session)?)?;
        let known = self.families.members(first).filter_map(|s| self.get(s));
        let known: Vec<&Row> = known.collect();
        rival(known.iter().map(|row| row.member()), session)
    }

    /// The sessions of a session's family that are not in the trash, itself included, oldest first.
    pub fn family_of(&self, session: SessionId) -> Vec<SessionId> {
        let first = self.get(session).and_then(|row| self.families.of(row));
        let members = first.into_iter().flat_map(|f| self.families.members(f));
        let living = |s: &SessionId| self.get(*s).is_some_and(|r| !r.trashed);
        members.filter(living).collect()
    }

    /// The sessions that may stand for a row's piece in the file of its collection: the main line first.
    pub(super) fn namesakes(&self, row: &Row) -> Vec<SessionId> {
        let Some(first) = self.families.of(row) else {
            return vec![row.id];
        };
        let main = self.families.main(first).into_iter();
        main.chain(self.families.members(first)).collect()
    }

    /// The session a session's family began with, where its row is known and not in the trash.
    pub fn first_of_family(&self, session: SessionId) -> Option<&Row> {
        let first = self.families.of(self.get(session)?)?;
        self.get(first).filter(|row| !row.trashed)
    }

    /// Title of the piece a row is a variant of.
    fn piece<'a>(&'a self, row: &'a Row) -> &'a str {
        let first = self
            .get(row.kin.family_of(row.id))
            .map(|r| r.title.as_str());
        first.or(row.kin.piece.as_deref()).unwrap_or(&row.title)
    }

    /// What a row is called among its family.
    pub fn name_of<'a>(&self, row: &'a Row) -> &'a str {
        if row.kin.is_variant() {
            &row.title
        } else {
            FIRST
        }
    }

    /// What a row is called where its family is not seen: the piece for its main line, else `piece: variant`.
    pub fn title_of(&self, row: &Row) -> String {
        self.title_in(row, usize::MAX)
    }

    /// The same in a number of cells: it is the piece that is cut, so that the variant's name can be read.
    pub fn title_in(&self, row: &Row, room: usize) -> String {
        let sole = self.main_of(row.id).is_none_or(|main| main == row.id);
        if sole && !row.kin.is_variant() || self.is_main(row.id) {
            return one_line(self.piece(row));
        }
        let name = one_line(self.name_of(row));
        let piece = one_line(self.piece(row));
        let left = room.saturating_sub(width(&name) + 2).max(PIECE_MIN);
        format!("{}: {name}", cut(piece.trim_end_matches(['.', ':']), left))
    }
}

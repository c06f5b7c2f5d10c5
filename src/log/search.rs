//! Searching all drafts, prompts and replies by reading them: there is no index that could be behind.
//!
//! A search goes on from moment to moment. What it has listed and half read is kept between two of them, so that a
//! moment costs what is read in it; where that is lost, it goes on from the last turn it told of.

mod lanes;
mod reading;
mod shared;
mod turn;

use std::cmp::Reverse;
use std::sync::PoisonError;

use crate::domain::head::Version;
use crate::domain::search::{From, Hit};
use crate::domain::{CollectionId, Seq, SessionId};
use crate::text::find::{Hint, Query};
use crate::text::one_line;

use super::heads::Listed;
use super::store::Store;
use lanes::Lanes;
use shared::{Shared, share};

/// Searches that are kept while they pause: of so many windows at once.
const PAUSED_MAX: usize = 4;

/// A search that goes on until it was told enough.
pub struct Search<'a> {
    /// What is looked for.
    pub query: &'a Query,
    /// Only in this collection.
    pub collection: Option<&'a CollectionId>,
    /// Told of each place that was found, in order.
    pub found: &'a mut dyn FnMut(Hit),
    /// Whether it is to pause.
    pub enough: &'a (dyn Fn() -> bool + Sync),
}

/// What a search knows of a session.
#[derive(Debug)]
struct Sheet {
    id: SessionId,
    created: i64,
    updated: i64,
    title: String,
    collection: CollectionId,
    /// The newest version of its draft.
    version: Option<Version>,
    /// The draft's newest event.
    draft_at: Seq,
    /// Whether something was typed behind that version.
    typed: bool,
    family: SessionId,
    archived: bool,
    /// Whether nothing is wrong with its log.
    whole: bool,
    /// What of it is told of others.
    shared: Shared,
}

/// A search between two moments.
#[derive(Debug)]
pub(super) struct Paused {
    query: Query,
    collection: Option<CollectionId>,
    from: From,
    state: State,
}

/// How far a search is.
#[derive(Debug)]
struct State {
    hint: Hint,
    /// The sessions, from the newest.
    sheets: Vec<Sheet>,
    lanes: Lanes,
}

impl Store {
    /// Searches every session that is not in the trash, from the newest, or goes on from where it paused; at least a
    /// stretch of one.
    /// Gives back where to go on; none when all is searched. A log that cannot be read hides no other.
    pub fn search(&self, from: Option<From>, search: Search<'_>) -> Option<From> {
        let kept = from.and_then(|from| self.take_paused(from, &search));
        let mut state = kept.unwrap_or_else(|| self.begin_search(from, &search));
        let Search {
            query,
            collection,
            found,
            enough,
        } = search;
        let State {
            hint,
            sheets,
            lanes,
        } = &mut state;
        lanes.run(
            &lanes::Work {
                store: self,
                query,
                hint,
                sheets,
                enough,
            },
            found,
        );
        let from = lanes.place(sheets)?;
        let paused = Paused {
            query: query.clone(),
            collection: collection.cloned(),
            from,
            state,
        };
        let mut all = self
            .rig
            .searches
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if all.len() == PAUSED_MAX {
            all.remove(0);
        }
        all.push(paused);
        Some(from)
    }

    fn take_paused(&self, from: From, search: &Search<'_>) -> Option<State> {
        let mut all = self
            .rig
            .searches
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let at = all.iter().position(|one| {
            one.from == from
                && one.query == *search.query
                && one.collection.as_ref() == search.collection
        })?;
        Some(all.remove(at).state)
    }

    fn begin_search(&self, from: Option<From>, search: &Search<'_>) -> State {
        let listed = self.heads();
        let parents = listed
            .iter()
            .filter_map(|one| Some((one.id, one.head.kin.parent?)));
        let parents = parents.collect();
        let taken = listed.into_iter().filter(|one| search.takes(one));
        let mut sheets: Vec<Sheet> = taken.map(Sheet::of).collect();
        sheets.sort_by_key(Sheet::place);
        share(&mut sheets, &parents);
        let begin = from.map_or((0, 0), |from| {
            let place = (Reverse(from.created), from.session);
            let n = sheets.partition_point(|one| one.place() < place);
            let same = sheets.get(n).is_some_and(|one| one.id == from.session);
            (n, if same { from.at } else { 0 })
        });
        State {
            hint: search.query.hint(),
            lanes: Lanes::from(begin),
            sheets,
        }
    }
}

impl Search<'_> {
    fn takes(&self, one: &Listed) -> bool {
        let place = one.head.place.as_ref().map(|p| &p.collection);
        !one.in_trash && self.collection.is_none_or(|wanted| place == Some(wanted))
    }
}

impl Sheet {
    fn of(one: Listed) -> Self {
        let draft_at = one.head.draft_at();
        Self {
            id: one.id,
            created: one.head.created,
            updated: one.head.updated,
            title: one_line(&one.head.whole_title()),
            collection: one.head.place.map_or(one.collection, |p| p.collection),
            typed: one.head.typed.is_some(),
            family: one.head.kin.family_of(one.id),
            archived: one.head.archived,
            whole: one.trouble.is_none(),
            shared: Shared::default(),
            version: one.head.draft,
            draft_at,
        }
    }

    fn place(&self) -> (Reverse<i64>, SessionId) {
        (Reverse(self.created), self.id)
    }
}

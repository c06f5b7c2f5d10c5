//! Searching everything: asked for in moments, each telling what it found.

use super::App;
use crate::domain::search::{Found, From, Hit};
use crate::domain::{Reply, Request};
use crate::text::find::Query;
use crate::ui::asks::{Compared, Purpose};
use crate::ui::draft::Sought;
use crate::ui::focus::Pane;
use crate::ui::input::Effect;
use crate::ui::layers::search::Search;

/// Places that are shown at most: who has as many looks for more words.
const SHOWN_MAX: usize = 2_000;

/// What is looked for, and what was found so far.
#[derive(Debug, Default)]
pub(in crate::ui) struct Searched {
    /// The words; empty before any were typed.
    pub(in crate::ui) words: String,
    /// The places, in the order in which they were found.
    pub(in crate::ui) hits: Vec<Hit>,
    /// Whether more may come.
    pub(in crate::ui) goes_on: bool,
    /// How much is searched.
    pub(in crate::ui) percent: u8,
    /// Whether there are more places than are shown, or may be.
    pub(in crate::ui) more: bool,
    /// Why it ended before all was searched.
    pub(in crate::ui) failed: Option<String>,
    /// Counts what was looked for: an answer to older words is passed over.
    no: u32,
}

impl App {
    /// What is looked for in everything.
    pub(in crate::ui) fn searched(&self) -> &Searched {
        &self.asks.searched
    }

    /// Opens the search with words to begin with.
    pub(super) fn search_for(&mut self, words: String) -> Vec<Effect> {
        let effects = self.look_for(words);
        let layer = Search::with(self);
        self.push(layer);
        effects
    }

    /// Opens the search, with what was found last.
    pub(in crate::ui) fn search(&mut self) -> Vec<Effect> {
        let layer = Search::again(self);
        self.push(layer);
        Vec::new()
    }

    /// Looks for other words.
    pub(in crate::ui) fn look_for(&mut self, words: String) -> Vec<Effect> {
        let searched = &mut self.asks.searched;
        searched.no += 1;
        searched.hits.clear();
        searched.goes_on = Query::of(&words).is_some();
        (searched.percent, searched.more, searched.failed) = (0, false, None);
        searched.words = words;
        self.search_on(None)
    }

    /// Leaves the search as it is.
    pub(super) fn look_no_more(&mut self) -> Vec<Effect> {
        self.asks.searched.no += 1;
        self.asks.searched.goes_on = false;
        Vec::new()
    }

    fn search_on(&mut self, from: Option<From>) -> Vec<Effect> {
        let searched = &self.asks.searched;
        if !searched.goes_on {
            return Vec::new();
        }
        let request = Request::Search {
            words: searched.words.clone(),
            collection: None,
            from,
        };
        let purpose = Purpose::Compare(Compared::Words(searched.no));
        vec![self.ask(request, purpose)]
    }

    /// A moment's worth of places came, or the words could not be looked for.
    pub(super) fn found(&mut self, no: u32, reply: Reply) -> Vec<Effect> {
        let searched = &mut self.asks.searched;
        if searched.no != no {
            return Vec::new();
        }
        let (hits, next) = match reply {
            Reply::Hits { hits, next } => (hits, next),
            other => {
                searched.goes_on = false;
                searched.failed = Some(match other {
                    Reply::Refused { why, .. } => why,
                    _ => "The search ended early.".to_owned(),
                });
                return Vec::new();
            }
        };
        searched.hits.extend(hits);
        searched.percent = next.map_or(100, |next| next.percent);
        let many = searched.hits.len();
        searched.more = many > SHOWN_MAX || (many == SHOWN_MAX && next.is_some());
        searched.goes_on = next.is_some() && !searched.more;
        searched.hits.truncate(SHOWN_MAX);
        self.search_on(next)
    }

    /// Opens the session of a place, where it stands.
    pub(in crate::ui) fn go_to_hit(&mut self, hit: &Hit) -> Vec<Effect> {
        self.look_no_more();
        let query = Query::of(&self.asks.searched.words);
        match hit.text {
            Found::Draft => {
                (self.desks.drafts.from, self.desks.drafts.wrote) = (Pane::Transcript, false);
                self.desks.drafts.stands = true;
                let sought = query.map(|query| Sought { query, at: hit.at });
                self.desks.drafts.sought = sought.map(|sought| (hit.session, sought));
                self.open(hit.session, Pane::Draft)
            }
            Found::Prompt | Found::Reply => {
                let effects = self.open(hit.session, Pane::Transcript);
                let desk = self.desks.here_mut();
                (desk.return_to, desk.transcript.sought) = (Some(hit.seq), query);
                effects
            }
        }
    }
}

//! The brief of a session: made before each turn, shown on request.

use std::path::PathBuf;
use std::sync::Arc;

use super::shared::Shared;
use super::{Host, refused};
use crate::config::Collection;
use crate::domain::ask::Reply;
use crate::domain::{CollectionId, Head, SessionId, TurnNo};
use crate::memory::brief::sent::Trail;
use crate::memory::brief::{Entry, Made, Piece, gather, gone, make, pieces};
use crate::text::{one_line, revealed};

/// The banner of what is wrong with the files of the workspace.
const SHARED: &str = "brief";

/// What a brief is made of, as far as the host has it in memory.
pub(super) struct Of {
    root: PathBuf,
    collection: Option<Collection>,
    /// The session's collection where its folder is gone: its id, and what it was called.
    lost: Option<(CollectionId, String)>,
    own: SessionId,
    entries: Vec<Entry>,
}

impl Shared {
    /// What the brief of a session's next turn is made of.
    pub(super) fn brief_of(&self, own: SessionId, head: &Head) -> Of {
        let rows = head
            .place
            .as_ref()
            .map(|p| self.rows.those(|row| row.collection == p.collection));
        let rows = rows.unwrap_or_default();
        // Of itself the log knows more than the list, which is told after it.
        let others = rows.iter().filter(|row| row.id != own).map(Entry::from);
        Of {
            root: self.workspace.root().to_owned(),
            collection: self.collection_of(head),
            lost: head.place.as_ref().and_then(|place| self.desks.lost(place)),
            own,
            entries: others.chain(Entry::of(head)).collect(),
        }
    }
}

impl Of {
    /// The pieces of the collection, in its order.
    pub(super) fn pieces(&self) -> Vec<Piece> {
        pieces(self.own, self.collection.as_ref(), &self.entries)
    }

    /// Makes it: files are read. What could not be sent is said on every window until it can, that of a
    /// collection where it is looked at.
    pub(super) fn make(&self, shared: &Shared) -> Made {
        // What another program wrote is a version before it is sent.
        shared.look_at_memory(self.collection.as_ref());
        let mut made = make(
            &self.root,
            self.collection.as_ref(),
            self.own,
            &self.entries,
        );
        shared.rows.voice(made.voice.clone());
        let lost = self.lost.as_ref().map(|(id, title)| (id, title));
        made.brief
            .problems
            .extend(lost.map(|(_, title)| gone(title)));
        let own = self.collection.as_ref().map(|c| (&c.id, &c.title));
        if let Some((id, title)) = own.or(lost) {
            let folder = self.collection.as_ref().map(|c| c.folder.as_str());
            shared.tell_brief((id, title), folder, &made.brief.problems);
        }
        made
    }
}

impl Shared {
    /// Says what cannot be sent as it is: what lies in a collection's folder with its title, the rest for itself.
    fn tell_brief(
        &self,
        (id, title): (&CollectionId, &str),
        folder: Option<&str>,
        problems: &[String],
    ) {
        let inside = folder.map(|folder| format!("{}/", revealed(folder)));
        let gone = gone(title);
        let is_own = |p: &&String| {
            **p == gone || inside.as_ref().is_some_and(|inside| p.starts_with(inside))
        };
        let (own, others): (Vec<&String>, Vec<&String>) = problems.iter().partition(is_own);
        let what = format!("The brief of “{}”: ", one_line(title));
        self.rows.brief_trouble(id, told(&what, &own));
        self.rows.banner(SHARED, told("The brief: ", &others));
    }

    /// Looks again at what was said of a collection's brief, where anything was: it goes when it is mended.
    pub(super) fn look_at_brief(&self, collection: &Collection) {
        if self.rows.says_of_brief(&collection.id) || self.rows.says(SHARED) {
            let problems = gather(self.workspace.root(), Some(&collection.folder)).problems;
            let of = (&collection.id, collection.title.as_str());
            self.tell_brief(of, Some(&collection.folder), &problems);
        }
    }
}

/// Problems of briefs in a line; empty where there is none.
fn told(what: &str, problems: &[&String]) -> String {
    match problems {
        [] => String::new(),
        [one] => format!("{what}{one}"),
        [first, rest @ ..] => format!("{what}{first} {} more: the brief shows them.", rest.len()),
    }
}

impl Host {
    /// The brief of a session, as the next turn gets it or as a turn was sent it.
    pub(super) async fn brief(&self, session: SessionId, turn: Option<TurnNo>) -> Reply {
        let shared: Arc<Shared> = self.0.clone();
        let read = self.read(move |store| {
            let trail = Trail::of(store, session)?;
            let Some(turn) = turn else {
                let head = store.head(session)?.head;
                let made = shared.brief_of(session, &head).make(&shared);
                return trail.now(store, session, made.brief).map(Ok);
            };
            let found = trail.at(store, session, turn)?;
            Ok(found.ok_or_else(|| trail.none_for(turn)))
        });
        match read.await {
            Ok(Ok(briefing)) => Reply::Brief(Box::new(briefing)),
            Ok(Err(why)) | Err(why) => refused(why),
        }
    }
}

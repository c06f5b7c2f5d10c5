//! What the small host answers about collections, words that are looked for, and what agents are told.

use fascicle::domain::ask::DrawerDeed;
use fascicle::domain::brief::Briefing;
use fascicle::domain::event::Kind;
use fascicle::domain::search::{Found, Hit};
use fascicle::domain::{Change, CollectionId, Notice, Reply, SessionId};
use fascicle::memory::brief::{Gathered, Part, Piece, Source, compose};
use fascicle::text::find::Query;

use crate::bench::Bench;

const PROFILE: &str = include_str!("../../../assets/sample/collection/PROFILE.md");
const MEMORY: &str = include_str!("../../../assets/sample/collection/MEMORY.md");

/// Letters shown on either side of what was found.
const AROUND: usize = 60;

impl Bench {
    pub(crate) fn drawer(&mut self, deed: DrawerDeed) -> Reply {
        match deed {
            DrawerDeed::Profile { .. } => Reply::Text {
                text: PROFILE.to_owned(),
            },
            DrawerDeed::Change { collection, change } => self.changes(&collection, &change),
            other => panic!("the host behind this window does not do {other:?}"),
        }
    }

    fn changes(&mut self, id: &CollectionId, change: &Change) -> Reply {
        let row = self.disk.collections.iter_mut().find(|c| c.id == *id);
        let row = row.unwrap();
        match change {
            Change::Target(words) => row.target = *words,
            Change::About(about) => row.about.clone_from(about),
            other => panic!("the host behind this window does not do {other:?}"),
        }
        let notice = Notice::Collection(Box::new(row.clone()));
        if let Some(ticket) = self.list {
            self.tell(ticket, notice);
        }
        Reply::Done
    }

    /// The places of words, the newest session first.
    pub(crate) fn search(&self, words: &str) -> Reply {
        let query = Query::of(words).unwrap();
        let mut hits = Vec::new();
        for session in self.disk.logs.keys().rev() {
            let (seq, draft) = self.disk.draft(*session);
            let found = query.paragraphs(draft).into_iter();
            hits.extend(found.map(|(_, at)| self.hit(*session, (Found::Draft, seq), draft, at)));
            for event in &self.disk.logs[session] {
                let (of, text) = match &event.kind {
                    Kind::Prompt { text, .. } => (Found::Prompt, text.shown()),
                    Kind::Message { text, .. } => (Found::Reply, text.shown()),
                    _ => continue,
                };
                let at = query.find(text);
                hits.extend(at.map(|at| self.hit(*session, (of, event.seq), text, at)));
            }
        }
        Reply::Hits { hits, next: None }
    }

    fn hit(
        &self,
        session: SessionId,
        (text, seq): (Found, u64),
        whole: &str,
        at: std::ops::Range<usize>,
    ) -> Hit {
        let head = self.disk.head(session);
        let line = |text: String| text.replace('\n', " ");
        let part = |range| whole.get(range).unwrap();
        let before: Vec<char> = part(0..at.start).chars().rev().take(AROUND).collect();
        Hit {
            session,
            title: head.title().to_owned(),
            collection: head.place.as_ref().unwrap().collection.clone(),
            text,
            seq,
            ts: self.disk.logs[&session][usize::try_from(seq).unwrap()].ts,
            before: line(before.into_iter().rev().collect()),
            found: part(at.clone()).to_owned(),
            after: line(part(at.end..whole.len()).chars().take(AROUND).collect()),
            at: at.start,
        }
    }

    /// What agents are told in the collection of a session.
    pub(crate) fn brief(&self, session: SessionId) -> Reply {
        let own = self.disk.head(session).place.unwrap().collection;
        let source = |part, name: &str, text: &str| Source {
            part,
            path: format!("{own}/{name}"),
            text: text.to_owned(),
            unread: 0,
        };
        let gathered = Gathered {
            sources: vec![
                source(Part::Profile, "PROFILE.md", PROFILE),
                source(Part::Memory, "MEMORY.md", MEMORY),
            ],
            problems: Vec::new(),
        };
        let heads = self.disk.logs.keys().map(|id| (*id, self.disk.head(*id)));
        let here = heads.filter(|(_, head)| head.place.as_ref().unwrap().collection == own);
        let pieces: Vec<Piece> = here
            .map(|(id, head)| Piece {
                id,
                title: head.title().to_owned(),
                line: None,
                stage: head.stage,
                words: head.draft.as_ref().map_or(0, |d| d.words),
                own: id == session,
            })
            .collect();
        let title = self.disk.collections.iter().find(|c| c.id == own);
        let title = title.map_or_else(String::new, |c| c.title.clone());
        Reply::Brief(Box::new(Briefing {
            brief: compose(&gathered, &title, &pieces),
            turn: None,
            was: None,
            changed: Vec::new(),
            sent: Vec::new(),
        }))
    }
}

//! Searching all drafts, prompts and replies by reading them: there is no index that could be behind.
//!
//! Nearly all of a log is pieces of answers. Those of a block are put together as they stand, in JSON, and only where
//! bytes of the words are among them are they read; a `message` takes the place of its pieces, as everywhere.

mod turn;

use std::cmp::Reverse;

use crate::domain::event::Abandoned;
use crate::domain::search::{Found, From, Hit};
use crate::domain::splice::spliced;
use crate::domain::{CollectionId, Kind, Seq};
use crate::text::find::{Hint, Query};
use crate::text::{head, one_line};

use super::disk::Open;
use super::heads::Listed;
use super::line::{decode, decode_start, words};
use super::pieces::{Body, Pieces};
use super::store::Store;
use super::{LogError, Tried};
use turn::Turn;

/// Letters shown on either side of what was found.
const AROUND: usize = 60;
/// Places told of one draft.
const IN_DRAFT: usize = 20;
/// Bytes of a log that are searched between two looks at the time.
const STRETCH: u64 = 256 * 1024;

/// A search that goes on until it was told enough.
pub struct Search<'a> {
    /// What is looked for.
    pub query: &'a Query,
    /// Only in this collection.
    pub collection: Option<&'a CollectionId>,
    /// Told of each place that was found, in order.
    pub found: &'a mut dyn FnMut(Hit),
    /// Whether it is to pause.
    pub enough: &'a dyn Fn() -> bool,
}

impl Store {
    /// Searches every session that is not in the trash, from the newest, or goes on from where it paused; at least a
    /// stretch of one.
    /// Gives back where to go on; none when all is searched. A log that cannot be read hides no other.
    pub fn search(&self, from: Option<From>, mut search: Search<'_>) -> Option<From> {
        let mut listed = self.heads();
        listed.retain(|one| !one.in_trash && search.takes(one));
        let place = |one: &Listed| (Reverse(one.head.created), one.id);
        listed.sort_by_key(place);
        let begin = from.map_or(0, |from| {
            let start = (Reverse(from.created), from.session);
            listed.partition_point(|one| place(one) < start)
        });
        for (n, one) in listed.iter().skip(begin).enumerate() {
            let at = from
                .filter(|from| from.session == one.id)
                .map_or(0, |from| from.at);
            let here = |at| From {
                created: one.head.created,
                session: one.id,
                at,
            };
            if n > 0 && (search.enough)() {
                return Some(here(at));
            }
            match self.search_one(one, at, &mut search) {
                Ok(None) => {}
                Ok(Some(at)) => return Some(here(at)),
                Err(e) => tracing::warn!("{} could not be searched: {e}", one.id),
            }
        }
        None
    }

    /// Searches one session; gives back where it paused.
    fn search_one(
        &self,
        one: &Listed,
        at: u64,
        search: &mut Search<'_>,
    ) -> Result<Option<u64>, LogError> {
        if at == 0 {
            self.search_draft(one, search)?;
        }
        let path = self.find(one.id)?.log();
        let file = self.rig.disk.open(&path, Open::Read).tried("open", &path)?;
        let end = file.stat().tried("look at", &path)?.len;
        let mut pieces = Pieces::new(&*file, at, end);
        let mut reader = Reader {
            store: self,
            one,
            query: search.query,
            hint: search.query.hint(),
            turn: Turn::default(),
        };
        let mut looked = at;
        while let Some(piece) = pieces.next().tried("read", &path)? {
            let behind = piece.at + piece.len + 1;
            if let Body::Text(bytes) = piece.body
                && reader.line(bytes)
            {
                reader.tell(search.found);
                if behind - looked > STRETCH {
                    looked = behind;
                    if (search.enough)() {
                        return Ok(Some(behind));
                    }
                }
            }
        }
        reader.tell(search.found);
        Ok(None)
    }

    fn search_draft(&self, one: &Listed, search: &mut Search<'_>) -> Result<(), LogError> {
        let Some(text) = self.draft_of(one)? else {
            return Ok(());
        };
        for (_, place) in search.query.paragraphs(&text).into_iter().take(IN_DRAFT) {
            let (before, found, after) = around(&text, &place);
            (search.found)(Hit {
                text: Found::Draft,
                seq: one.head.draft_at(),
                ts: one.head.updated,
                before,
                found,
                after,
                at: place.start,
                ..hit(one)
            });
        }
        Ok(())
    }

    /// The draft as it is, with what was typed since its newest version; none where there is none, or no text.
    fn draft_of(&self, one: &Listed) -> Result<Option<String>, LogError> {
        let version = one.head.draft.as_ref();
        let bytes = version.map_or(Ok(Vec::new()), |v| self.blob_get(one.id, &v.sha256))?;
        let Ok(mut text) = String::from_utf8(bytes) else {
            return Ok(None);
        };
        if one.head.typed.is_some() {
            for event in self.after(one.id, version.map_or(0, |v| v.seq))? {
                if let Kind::DraftEdited { splices, .. } = &event.kind
                    && let Some(typed) = spliced(&text, splices)
                {
                    text = typed;
                }
            }
        }
        Ok(Some(text).filter(|text| !text.is_empty()))
    }
}

impl Search<'_> {
    fn takes(&self, one: &Listed) -> bool {
        let place = one.head.place.as_ref().map(|p| &p.collection);
        self.collection.is_none_or(|wanted| place == Some(wanted))
    }
}

/// Reads a log for the words.
struct Reader<'a> {
    store: &'a Store,
    one: &'a Listed,
    query: &'a Query,
    hint: Hint,
    turn: Turn,
}

impl Reader<'_> {
    /// Takes in a line; true at the end of a turn.
    fn line(&mut self, bytes: &[u8]) -> bool {
        if let Some(piece) = words(bytes) {
            self.turn.piece(&piece);
            return false;
        }
        let Some((_, _, kind)) = decode_start(bytes) else {
            // Written by another hand: it may say anything.
            return self.event(bytes);
        };
        match kind {
            "user.prompt" | "message" | "delta" | "turn.recovered" | "abandoned"
            | "turn.finished" => self.event(bytes),
            _ => false,
        }
    }

    fn event(&mut self, bytes: &[u8]) -> bool {
        let Some(line) = decode(bytes) else {
            return false;
        };
        let (seq, ts) = (line.event.seq, line.event.ts);
        match line.event.kind {
            Kind::Prompt { text, .. } => {
                let text = self.whole(&text);
                self.look(&text, Found::Prompt, None, (seq, ts));
            }
            Kind::Message { block, text, .. } => {
                let begun = self.turn.message(block).unwrap_or((seq, ts));
                let text = self.whole(&text);
                self.look(&text, Found::Reply, Some(block), begun);
            }
            Kind::Delta { block, text, .. } => self.turn.words(block, text.shown(), (seq, ts)),
            Kind::TurnRecovered { text, .. } => {
                // It is all that was said.
                drop(self.turn.blocks());
                let text = self.whole(&text);
                self.look(&text, Found::Reply, None, (seq, ts));
            }
            Kind::Abandoned(Abandoned { from, to, .. }) => self.turn.abandon(from, to),
            Kind::TurnFinished { .. } => {
                self.close();
                return true;
            }
            _ => {}
        }
        false
    }

    /// The pieces that no message has taken the place of.
    fn close(&mut self) {
        for block in self.turn.blocks() {
            let quoted = block.quoted();
            // What another hand has escaped is not seen in the bytes.
            let escaped = memchr::memmem::find(&quoted, b"\\u").is_some();
            if (escaped || self.hint.may_be_in(&quoted))
                && let Ok(text) = serde_json::from_slice::<String>(&quoted)
            {
                self.look(&text, Found::Reply, Some(block.no), block.begun);
            }
        }
    }

    fn whole(&self, text: &crate::domain::Text) -> String {
        // Of one that is gone its beginning is searched.
        let whole = self.store.text(self.one.id, text);
        whole.unwrap_or_else(|_| text.shown().to_owned())
    }

    fn look(&mut self, text: &str, of: Found, block: Option<u32>, (seq, ts): (Seq, i64)) {
        if !self.hint.may_be_in(text.as_bytes()) {
            return;
        }
        if let Some(place) = self.query.find(text) {
            let (before, found, after) = around(text, &place);
            let hit = Hit {
                text: of,
                seq,
                ts,
                before,
                found,
                after,
                ..hit(self.one)
            };
            self.turn.hits.push((block, hit));
        }
    }

    fn tell(&mut self, found: &mut dyn FnMut(Hit)) {
        self.close();
        for (_, hit) in std::mem::take(&mut self.turn).hits {
            found(hit);
        }
    }
}

fn hit(one: &Listed) -> Hit {
    let place = one.head.place.as_ref();
    Hit {
        session: one.id,
        title: one_line(&one.head.whole_title()),
        collection: place.map_or_else(|| one.collection.clone(), |p| p.collection.clone()),
        text: Found::Reply,
        seq: 0,
        ts: 0,
        before: String::new(),
        found: String::new(),
        after: String::new(),
        at: 0,
    }
}

/// What stands around a place, each on one line.
fn around(text: &str, place: &std::ops::Range<usize>) -> (String, String, String) {
    let before = text.get(..place.start).unwrap_or_default();
    let from = before
        .char_indices()
        .rev()
        .nth(AROUND)
        .map_or(0, |(at, _)| at);
    let after = text.get(place.end..).unwrap_or_default();
    let most = after.chars().take(AROUND).map(char::len_utf8).sum();
    let side = |text: &str| {
        // White space at the ends parts words that stand beside it.
        let spaced = |c: Option<char>| {
            if c.is_some_and(char::is_whitespace) {
                " "
            } else {
                ""
            }
        };
        let (first, last) = (spaced(text.chars().next()), spaced(text.chars().last()));
        match one_line(text).trim() {
            "" => first.to_owned(),
            words => format!("{first}{words}{last}"),
        }
    };
    (
        side(before.get(from..).unwrap_or_default()),
        one_line(text.get(place.clone()).unwrap_or_default()),
        side(head(after, most)),
    )
}

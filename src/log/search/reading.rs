//! One session that is searched: its draft, then its log turn by turn.
//!
//! Nearly all of a log is pieces of answers. Those of a block are put together as they stand, in JSON, and only where
//! bytes of the words are among them are they read; a `message` takes the place of its pieces, as everywhere.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::Sheet;
use super::lanes::Work;
use super::turn::{Block, Turn};
use crate::domain::event::Abandoned;
use crate::domain::search::{Found, Hit};
use crate::domain::splice::spliced;
use crate::domain::{Kind, Seq};
use crate::log::disk::{DiskFile, Open};
use crate::log::line::{decode, decode_start, words};
use crate::log::pieces::{Body, Pieces};
use crate::log::store::Store;
use crate::log::{LogError, Tried as _};
use crate::text::{head, one_line};

/// Letters shown on either side of what was found.
const AROUND: usize = 60;
/// Places told of one draft.
const IN_DRAFT: usize = 20;
/// Bytes of a log that are searched between two looks at the time, in the middle of a turn too.
const STRETCH: u64 = 256 * 1024;

/// How far the search of a session is.
pub(super) struct Reading {
    file: Arc<dyn DiskFile>,
    path: PathBuf,
    /// Where reading goes on.
    at: u64,
    end: u64,
    /// All before that byte is told, and nothing behind it.
    told: u64,
    turn: Turn,
}

impl std::fmt::Debug for Reading {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Reading({} of {})", self.at, self.end)
    }
}

impl Reading {
    /// Begins at a byte behind which nothing is told; at the first one with the draft.
    pub(super) fn begin(
        work: &Work<'_>,
        sheet: &Sheet,
        at: u64,
        found: &mut dyn FnMut(Hit),
    ) -> Result<Self, LogError> {
        if at == 0 {
            search_draft(work, sheet, found)?;
        }
        let path = work.store.find(sheet.id)?.log();
        let disk = &work.store.rig.disk;
        let file = disk.open(&path, Open::Read).tried("open", &path)?;
        let end = file.stat().tried("look at", &path)?.len;
        Ok(Self {
            file,
            path,
            at,
            end,
            told: at,
            turn: Turn::default(),
        })
    }

    /// Reads on, at least a stretch; true at the end.
    pub(super) fn on(
        &mut self,
        work: &Work<'_>,
        sheet: &Sheet,
        found: &mut dyn FnMut(Hit),
    ) -> Result<bool, LogError> {
        let mut pieces = Pieces::new(&*self.file, self.at, self.end);
        let mut reader = Reader {
            work,
            sheet,
            turn: &mut self.turn,
        };
        let mut looked = self.at;
        while let Some(piece) = pieces.next().tried("read", &self.path)? {
            let behind = piece.at + piece.len + 1;
            if let Body::Text(bytes) = piece.body
                && reader.line(bytes)
            {
                reader.tell(found);
                self.told = behind;
            }
            if behind - looked > STRETCH {
                looked = behind;
                if (work.enough)() {
                    self.at = behind;
                    return Ok(false);
                }
            }
        }
        reader.tell(found);
        Ok(true)
    }

    /// The byte from which a search that knows nothing of this one can go on.
    pub(super) fn told(&self) -> u64 {
        self.told
    }

    /// How much of the log is read, in thousandths.
    pub(super) fn share(&self) -> u64 {
        (self.at * 1_000).checked_div(self.end).unwrap_or(0)
    }
}

fn search_draft(
    work: &Work<'_>,
    sheet: &Sheet,
    found: &mut dyn FnMut(Hit),
) -> Result<(), LogError> {
    let Some(text) = draft_of(work.store, sheet)? else {
        return Ok(());
    };
    if !work.hint.may_be_in(text.as_bytes()) {
        return Ok(());
    }
    let mut told = None;
    for (block, place) in work.query.paragraphs(&text).into_iter().take(IN_DRAFT) {
        let told: &HashSet<String> = told.get_or_insert_with(|| told_elsewhere(work, sheet));
        if text.get(block).is_some_and(|block| told.contains(block)) {
            continue;
        }
        let (before, words, after) = around(&text, &place);
        found(Hit {
            text: Found::Draft,
            seq: sheet.draft_at,
            ts: sheet.updated,
            before,
            found: words,
            after,
            at: place.start,
            ..hit(sheet)
        });
    }
    Ok(())
}

/// The paragraphs that are told of the drafts of others in its family.
fn told_elsewhere(work: &Work<'_>, sheet: &Sheet) -> HashSet<String> {
    let mut told = HashSet::new();
    let others = sheet.shared.with.iter().filter_map(|n| work.sheets.get(*n));
    for other in others {
        // One that cannot be read tells nothing.
        let Ok(Some(text)) = draft_of(work.store, other) else {
            continue;
        };
        let blocks = work.query.paragraphs(&text).into_iter().take(IN_DRAFT);
        told.extend(blocks.filter_map(|(block, _)| text.get(block).map(str::to_owned)));
    }
    told
}

/// The draft as it is, with what was typed since its newest version; none where there is none, or no text.
fn draft_of(store: &Store, sheet: &Sheet) -> Result<Option<String>, LogError> {
    let version = sheet.version.as_ref();
    let bytes = version.map_or(Ok(Vec::new()), |v| store.blob_get(sheet.id, &v.sha256))?;
    let Ok(mut text) = String::from_utf8(bytes) else {
        return Ok(None);
    };
    if sheet.typed {
        for event in store.after(sheet.id, version.map_or(0, |v| v.seq))? {
            if let Kind::DraftEdited { splices, .. } = &event.kind
                && let Some(typed) = spliced(&text, splices)
            {
                text = typed;
            }
        }
    }
    Ok(Some(text).filter(|text| !text.is_empty()))
}

/// Reads a log for the words.
struct Reader<'a> {
    work: &'a Work<'a>,
    sheet: &'a Sheet,
    turn: &'a mut Turn,
}

impl Reader<'_> {
    /// Takes in a line; true where all before it can be told: between two turns.
    fn line(&mut self, bytes: &[u8]) -> bool {
        if let Some(piece) = words(bytes) {
            let part = self.turn.piece(&piece);
            self.search(part);
            return false;
        }
        let Some((_, _, kind)) = decode_start(bytes) else {
            // Written by another hand: it may say anything.
            return self.event(bytes);
        };
        match kind {
            "user.prompt" | "message" | "delta" | "turn.recovered" | "abandoned"
            | "turn.finished" => self.event(bytes),
            _ => self.turn.is_empty(),
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
            Kind::Delta { block, text, .. } => {
                let part = self.turn.words(block, text.shown(), (seq, ts));
                self.search(part);
            }
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
        let blocks = self.turn.blocks();
        self.search(blocks);
    }

    /// Looks into pieces; one place is told of a block, and of a very long one they come in parts.
    fn search(&mut self, blocks: impl IntoIterator<Item = Block>) {
        for block in blocks {
            if self.turn.has(block.no) {
                continue;
            }
            let quoted = block.quoted();
            // What another hand has escaped is not seen in the bytes.
            let escaped = memchr::memmem::find(&quoted, b"\\u").is_some();
            if (escaped || self.work.hint.may_be_in(&quoted))
                && let Ok(text) = serde_json::from_slice::<String>(&quoted)
            {
                self.look(&text, Found::Reply, Some(block.no), block.begun);
            }
        }
    }

    fn whole(&self, text: &crate::domain::Text) -> String {
        // Of one that is gone its beginning is searched.
        let whole = self.work.store.text(self.sheet.id, text);
        whole.unwrap_or_else(|_| text.shown().to_owned())
    }

    fn look(&mut self, text: &str, of: Found, block: Option<u32>, (seq, ts): (Seq, i64)) {
        let elsewhere = self.sheet.shared.upto.is_some_and(|upto| seq <= upto);
        if elsewhere || !self.work.hint.may_be_in(text.as_bytes()) {
            return;
        }
        if let Some(place) = self.work.query.find(text) {
            let (before, found, after) = around(text, &place);
            let hit = Hit {
                text: of,
                seq,
                ts,
                before,
                found,
                after,
                ..hit(self.sheet)
            };
            self.turn.hits.push((block, hit));
        }
    }

    fn tell(&mut self, found: &mut dyn FnMut(Hit)) {
        self.close();
        for (_, hit) in std::mem::take(self.turn).hits {
            found(hit);
        }
    }
}

fn hit(sheet: &Sheet) -> Hit {
    Hit {
        session: sheet.id,
        title: sheet.title.clone(),
        collection: sheet.collection.clone(),
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
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match one_line(&words).as_str() {
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

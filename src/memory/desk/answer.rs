//! Proposals: made, accepted, refused, and taken back.

use crate::config::Collection;
use crate::config::collection::set_piece_line;
use crate::domain::drawer::{
    Act, Answer, Answered, Binder, Hand, Open, Proposal, Proposed, Standing,
};
use crate::domain::kin::{Member, family_of};
use crate::domain::{Seq, SessionId, piece};
use crate::log::Listed;
use crate::memory::file::{
    folded, heading_of, items, line_of, source, unfolded, with_line, without,
};
use crate::memory::propose;

use super::{Around, Desk, MEMORY, MemoryError};

/// The file that holds the lines of the index.
pub(super) const INDEX: &str = crate::config::collection::FILE;

/// What became of a proposal of an agent's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Taken {
    /// It waits.
    Waits,
    /// It is not taken: a sentence for the agent.
    No(String),
}

impl Desk {
    /// Takes a proposal of an agent's, for the writer to decide on.
    pub fn propose(&self, new: Proposed) -> Result<Taken, MemoryError> {
        let mut binder = self.look()?;
        let memory = self.text(MEMORY).unwrap_or_default();
        if let Some(why) = propose::refusal(&binder, &memory, &new) {
            return Ok(Taken::No(why));
        }
        self.note(vec![Act::Proposed(new)], &mut binder)?;
        Ok(Taken::Waits)
    }

    /// Makes a proposal a line of the memory, or of the index of pieces.
    pub fn accept(
        &self,
        proposal: Seq,
        (text, instead): (Option<&str>, Option<&str>),
        around: &Around<'_>,
    ) -> Result<(), MemoryError> {
        let mut binder = self.look()?;
        let known = waiting(&binder, proposal)?;
        let edited = text
            .map(propose::line)
            .transpose()
            .map_err(MemoryError::No)?;
        let edited = edited.filter(|text| *text != known.says.text);
        let text = edited.as_ref().unwrap_or(&known.says.text);
        let (line, was) = if known.says.what.is_index() {
            (text.clone(), self.index_line(&known)?)
        } else {
            // Before anything is logged: a file that cannot be changed refuses it.
            let memory = self.text(MEMORY)?;
            let gone = |line: &&str| folded(&memory, line).is_none();
            if let Some(line) = instead.filter(gone) {
                return Err(MemoryError::No(format!(
                    "The memory has no line “{}” any more; nothing was done. Look again.",
                    source(line).0
                )));
            }
            let title = (around.title)(known.says.session);
            (
                line_of(text, &title, around.today),
                instead.map(str::to_owned),
            )
        };
        let answered = Answered {
            proposal,
            answer: Answer::Accepted,
            text: edited,
            line: Some(line),
            was,
        };
        self.note(vec![Act::Answered(answered)], &mut binder)?;
        self.finish_all(&mut binder)
    }

    /// A proposal does not become a line, and is not made again.
    pub fn refuse(&self, proposal: Seq) -> Result<(), MemoryError> {
        let mut binder = self.look()?;
        waiting(&binder, proposal)?;
        let answered = Answered {
            proposal,
            answer: Answer::Refused,
            text: None,
            line: None,
            was: None,
        };
        self.note(vec![Act::Answered(answered)], &mut binder)?;
        Ok(())
    }

    /// Takes an answer back: the proposal waits again, and its line goes.
    pub(super) fn take_back(
        &self,
        known: &Proposal,
        binder: &mut Binder,
    ) -> Result<(), MemoryError> {
        let Some(act) = known.answer() else {
            return Err(MemoryError::No(format!(
                "Proposal {} waits: there is no answer to undo.",
                known.seq
            )));
        };
        if let Standing::Accepted { line, .. } = &known.standing
            && !self.stands(known, line)?
        {
            return Err(MemoryError::No(format!(
                "Its line was changed since, or is gone: “{}”. Take it out by hand, or restore an older version of the file.",
                source(line).0
            )));
        }
        self.note(vec![Act::Undone { act }], binder)?;
        self.finish_all(binder)
    }

    /// Whether an accepted line is where it was put.
    fn stands(&self, known: &Proposal, line: &str) -> Result<bool, MemoryError> {
        if known.says.what.is_index() {
            return Ok(self.index_line(known)?.as_deref() == Some(line));
        }
        Ok(items(&self.text(MEMORY)?).iter().any(|i| i.text == line))
    }

    fn finish_all(&self, binder: &mut Binder) -> Result<(), MemoryError> {
        while let Some(open) = binder.open.first().cloned() {
            self.finish(&open, binder)?;
        }
        Ok(())
    }

    /// Writes what a deed has decided.
    pub(super) fn finish(&self, open: &Open, binder: &mut Binder) -> Result<(), MemoryError> {
        let found = binder.proposal(open.proposal).cloned();
        let Some(proposal) = found else {
            binder.open.retain(|o| o.act != open.act);
            return Ok(());
        };
        if proposal.says.what.is_index() {
            return self.finish_index(open, &proposal, binder);
        }
        let by = (hand(open), Some(open.act));
        let heading = heading_of(&proposal.says.what);
        let before = self.before(open, binder);
        self.change(MEMORY, by, binder, &|now| {
            Ok(match open.undoes {
                None => with_answer(now, heading, open),
                Some(_) => match &before {
                    Some((then, before)) if then == now => before.clone(),
                    _ => without_answer(now, open),
                },
            })
        })
    }

    /// The memory right behind an answer, and right before it.
    fn before(&self, open: &Open, binder: &Binder) -> Option<(String, String)> {
        let answer = open.undoes?;
        let versions = binder.files.get(MEMORY)?;
        let then = versions.iter().find(|v| v.act == Some(answer))?;
        let before = versions.iter().find(|v| Some(v.seq) == then.base)?;
        let text = |name: &str| {
            let bytes = self.store.deed_blob_get(&self.book, name).ok()?;
            String::from_utf8(bytes).ok()
        };
        (!before.gone).then_some(())?;
        Some((text(&then.sha256)?, text(&before.sha256)?))
    }

    fn finish_index(
        &self,
        open: &Open,
        proposal: &Proposal,
        binder: &mut Binder,
    ) -> Result<(), MemoryError> {
        if let Some(collection) = &self.collection {
            let line = match open.undoes {
                None => Some(open.line.as_str()),
                Some(_) => open.was.as_deref(),
            };
            let named = self.named(collection, proposal.says.session);
            set_piece_line(&self.workspace, collection, named, line)?;
        }
        let now = self.read(INDEX)?;
        self.save(INDEX, &now, (hand(open), Some(open.act)), binder)
    }

    /// The line of a proposal's piece in the index, as the file says now.
    fn index_line(&self, proposal: &Proposal) -> Result<Option<String>, MemoryError> {
        let Some(collection) = &self.collection else {
            return Ok(None);
        };
        // The file may have changed since the drawer was looked at.
        self.read(INDEX)?;
        let drawer = crate::config::Drawer::of(&self.workspace);
        let now = drawer.get(&collection.id).unwrap_or(collection);
        let piece = now.piece(self.named(now, proposal.says.session));
        Ok(piece.and_then(|p| p.line.clone()))
    }

    /// The session under which a collection speaks of a session's piece, or is to: where nothing is said yet that with which
    /// the family began, by whose age the piece is shown.
    fn named(&self, collection: &Collection, session: SessionId) -> SessionId {
        let listed = self.store.heads();
        let members = listed.iter().map(|l| Member {
            id: l.id,
            kin: &l.head.kin,
            trashed: l.in_trash,
        });
        let family = family_of(members, session);
        if let Some((_, said)) = piece::said_of(&collection.pieces, &family) {
            return said.id;
        }
        let own = listed.iter().find(|l| l.id == session);
        let first = own.map_or(session, |l| l.head.kin.family_of(session));
        let at = |l: &Listed| {
            l.head
                .place
                .as_ref()
                .is_some_and(|p| p.collection == collection.id)
        };
        let here = listed.iter().any(|l| l.id == first && !l.in_trash && at(l));
        let main = family.first().copied().unwrap_or(session);
        if here { first } else { main }
    }
}

fn hand(open: &Open) -> Hand {
    match open.undoes {
        None => Hand::Accept,
        Some(_) => Hand::Undo,
    }
}

/// The memory with an accepted line. One that has it already, because it was written before a crash, stays.
fn with_answer(now: &str, heading: &str, open: &Open) -> String {
    let there = items(now).iter().any(|i| i.text == open.line);
    let folded = open.was.as_deref().and_then(|was| folded(now, was));
    let text = folded.as_deref().unwrap_or(now);
    if there {
        text.to_owned()
    } else {
        with_line(text, heading, &open.line)
    }
}

/// The memory without it, and with the line that went for it.
fn without_answer(now: &str, open: &Open) -> String {
    let rest = without(now, &open.line);
    let rest = rest.as_deref().unwrap_or(now);
    let back = open.was.as_deref().and_then(|was| unfolded(rest, was));
    back.unwrap_or_else(|| rest.to_owned())
}

/// The proposal, when it waits.
fn waiting(binder: &Binder, seq: Seq) -> Result<Proposal, MemoryError> {
    let no = |why: String| Err(MemoryError::No(why));
    match binder.proposal(seq) {
        None => no(format!("There is no proposal {seq} in this collection.")),
        Some(p) if p.waits() => Ok(p.clone()),
        Some(Proposal {
            standing: Standing::Refused { .. },
            ..
        }) => no("It is refused already; undo that to decide again.".to_owned()),
        Some(_) => no("It is accepted already.".to_owned()),
    }
}

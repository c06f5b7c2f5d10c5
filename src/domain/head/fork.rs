//! What a fork makes of a head, proposals of agents, and texts that stand beside the draft.

use super::{Beside, Head, Place, Proposed, Was};
use crate::domain::event::{By, DraftProposed, Event, Forked, Kind, Seq, Usage};
use crate::domain::spent::Money;

impl Head {
    /// The session's place in its family. From a fork on the log is the variant's: what the parent did, spent and
    /// waits for is not the variant's, its conversation, its draft, its tags and its agent are.
    pub(super) fn apply_kin(&mut self, event: &Event) {
        let before = self.title.as_deref().or(self.first_words.as_deref());
        self.kin.apply(event, self.id, before);
        let Kind::Forked(Forked {
            id,
            title,
            collection,
            folder,
            ..
        }) = &event.kind
        else {
            return;
        };
        self.kin.turn = self.turn.as_ref().map(|t| t.no);
        self.id = Some(*id);
        self.title.clone_from(title);
        self.first_words = None;
        self.place = Some(Place::new(collection, folder));
        self.queue.clear();
        self.recipe = None;
        self.asked.clear();
        self.deeds.clear();
        self.undone.clear();
        (self.archived, self.trashed) = (false, false);
        (self.spent, self.money, self.limit) = (Usage::default(), Money::default(), None);
        self.created = event.ts;
        if let Some(turn) = &mut self.turn {
            // That agent has talked with the parent, which it knows by its own id, and its process writes for that.
            turn.agent = None;
            turn.agent_session = None;
            turn.process = None;
            turn.pause = None;
            turn.spent = Usage::default();
        }
        // What was there before is nothing new.
        self.seen = Some(event.seq);
    }

    /// An agent's text that waits for the writer's word, until it is given: that is a deed.
    pub(super) fn apply_proposal(&mut self, event: &Event) {
        match &event.kind {
            Kind::DraftProposed(DraftProposed {
                turn,
                sha256,
                agent,
                base,
                added,
                removed,
                ..
            }) => {
                self.proposed = Some(Proposed {
                    seq: event.seq,
                    turn: *turn,
                    sha256: sha256.clone(),
                    agent: agent.clone(),
                    base: *base,
                    added: *added,
                    removed: *removed,
                    part: false,
                });
            }
            Kind::DraftSaved {
                from: Some(from),
                rest: true,
                ..
            } if self.id == Some(from.session) => {
                let waits = self.proposed.as_mut().filter(|p| p.seq == from.seq);
                if let Some(waits) = waits {
                    waits.part = true;
                }
            }
            _ => {}
        }
    }

    /// Versions that stand beside the draft. The writer decides by taking the last words of it, by making an older text the
    /// draft, or by saying that the draft stays; what is written behind it decides nothing.
    pub(super) fn apply_beside(&mut self, event: &Event) {
        match &event.kind {
            Kind::DraftSaved {
                by,
                beside: Some(seq),
                ..
            } => {
                let beside = Beside {
                    seq: *seq,
                    by: self.aside(*seq, by),
                    at: event.seq,
                    over: self.keeper(*seq, by),
                };
                self.beside.push(beside);
            }
            Kind::DraftSaved {
                by,
                from: Some(from),
                rest,
                ..
            } if self.id == Some(from.session) => {
                self.beside.retain(|b| match by {
                    By::Take => *rest || from.seq != b.seq,
                    By::Restore => from.seq >= b.at,
                    By::You | By::Undo | By::Agent(_) | By::Outside => true,
                });
            }
            Kind::DraftAnswered { proposal } => {
                self.beside.retain(|b| b.seq != *proposal);
            }
            // Neither stands any more.
            Kind::Undone { deed } => {
                self.beside.retain(|b| b.at != *deed);
            }
            _ => {}
        }
    }

    /// Who made the version that comes to stand beside one by `by`.
    fn aside(&self, seq: Seq, by: &By) -> By {
        match (self.draft.as_ref().filter(|d| d.seq == seq), by) {
            (Some(other), _) => other.by.clone(),
            // Another program's text came in between.
            (None, By::Agent(_)) => by.clone(),
            (None, _) => By::You,
        }
    }

    /// Whose words stand in a draft by `by`. One by an agent has all that the agent changed elsewhere, and of the
    /// paragraphs that both changed those that were there.
    fn keeper(&self, beside: Seq, by: &By) -> By {
        if !matches!(by, By::Agent(_)) {
            return by.clone();
        }
        let other = self.draft.as_ref().filter(|d| d.seq != beside);
        let before = self.deeds.last().filter(|d| d.seq == beside);
        let before = before.and_then(|d| match &d.was {
            Was::Draft(was) => was.as_ref(),
            _ => None,
        });
        other.or(before).map_or(By::You, |d| d.by.clone())
    }
}

//! What the writer did to a session, and how it is undone.

use serde::{Deserialize, Serialize};

use super::{Chosen, Head, Proposed, Version};
use crate::domain::event::{Adopted, By, Event, Kind, Pinned, Seq, Staged};
use crate::domain::id::{CollectionId, SessionId};
use crate::domain::stage::Stage;

/// How many deeds can be undone.
const KEPT: usize = 32;

/// Something the writer did that can be undone.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Deed {
    /// The event.
    pub seq: Seq,
    /// When, milliseconds since 1970; of one that was undone, when that was.
    #[serde(default)]
    pub at: i64,
    /// What was before it, and an undo brings back. Of one that was undone: what was behind it, and a redo brings back.
    pub was: Was,
    /// Where the draft is brought back: the version that it is, if nobody wrote in it since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is: Option<Version>,
    /// The proposal that it decided on: it waits again with an undo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<Proposed>,
}

impl Deed {
    /// Whether the writer did it, here: it is no text of an agent or of another program.
    pub fn is_writers(&self) -> bool {
        let by = self.is.as_ref().map(|version| &version.by);
        !matches!(by, Some(By::Agent(_) | By::Outside))
    }
}

/// What an undo or a redo brings back.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Was {
    /// The title.
    Title(Option<String>),
    /// The tags.
    Tags(Vec<String>),
    /// Where the piece stood.
    Stage(Option<Stage>),
    /// Agent and model.
    Chosen(Option<Chosen>),
    /// In the archive or not, in the trash or not.
    Shelf {
        /// Archived.
        archived: bool,
        /// In the trash.
        trashed: bool,
    },
    /// The draft. Its text is brought back by a new version, made by the host.
    Draft(Option<Version>),
    /// An agent's text that waits for the writer's word, and was dismissed.
    Proposed(Proposed),
    /// The name of a version. The host gives it back, by a line of its own.
    Named {
        /// The version.
        version: Seq,
        /// Its name; none when it had none.
        name: Option<String>,
    },
    /// The collection. The host moves the folder back, by a move of its own.
    Place(CollectionId),
    /// The main line of the family. The host makes that one the main line again, by an adoption of its own.
    Main(SessionId),
}

impl Head {
    /// Takes in what a deed is, what takes one back, and what is neither and changes what can be taken back.
    pub(super) fn apply_deed(&mut self, event: &Event) {
        match &event.kind {
            Kind::DraftSaved { .. } => self.save(event),
            Kind::Untrashed => self.untrash(),
            Kind::Undone { deed } => self.undo(*deed, event.ts, None),
            Kind::Pinned(Pinned {
                version,
                was,
                undoes: Some(deed),
                ..
            }) => {
                let (version, name) = (*version, was.clone());
                self.undo(*deed, event.ts, Some(Was::Named { version, name }));
            }
            Kind::Moved {
                undoes: Some(deed),
                was,
                ..
            } => {
                let from = was.as_ref().map(|was| was.collection.clone());
                self.undo(*deed, event.ts, from.map(Was::Place));
            }
            kind => {
                if let Some(was) = self.done(kind) {
                    self.keep(event, was, None);
                }
            }
        }
    }

    /// What was, if this is a deed.
    fn done(&mut self, kind: &Kind) -> Option<Was> {
        match kind {
            Kind::Renamed { title } => Some(Was::Title(self.title.replace(title.clone()))),
            Kind::Tagged { add, remove } => Some(self.tag(add, remove)),
            Kind::Staged(Staged { stage, found: true }) => {
                self.find_stage(*stage);
                None
            }
            Kind::Staged(Staged { stage, .. }) => {
                Some(Was::Stage(std::mem::replace(&mut self.stage, *stage)))
            }
            Kind::AgentChosen { agent, model } => Some(self.choose(agent, model.as_deref())),
            Kind::Moved { was, .. } => Some(Was::Place(was.as_ref()?.collection.clone())),
            Kind::Archived => Some(self.shelve(true, self.trashed)),
            Kind::Restored => Some(self.shelve(false, self.trashed)),
            Kind::Trashed => Some(self.shelve(self.archived, true)),
            Kind::DraftAnswered { proposal } => self.answer(*proposal),
            Kind::Pinned(Pinned { version, was, .. }) => Some(Was::Named {
                version: *version,
                name: was.clone(),
            }),
            // One that an undo made is no deed, as with drafts: the deed before it is undone next.
            Kind::Adopted(Adopted {
                main,
                was,
                undoes: None,
                ..
            }) if Some(*main) == self.id => Some(Was::Main(*was)),
            _ => None,
        }
    }

    /// Whether it is already what a deed of the writer's would make it: then there is nothing to do or to undo.
    pub fn is_as(&self, kind: &Kind) -> bool {
        match kind {
            Kind::Renamed { title } => self.title.as_ref() == Some(title),
            Kind::Tagged { add, remove } => {
                let goes = |t: &String| remove.contains(t) && !add.contains(t);
                add.iter().all(|t| self.tags.contains(t)) && !self.tags.iter().any(goes)
            }
            Kind::Archived => self.archived,
            Kind::Restored => !self.archived,
            _ => false,
        }
    }

    /// A stage that was written by hand. It is no deed, and none from before it is undone or done again over it.
    fn find_stage(&mut self, stage: Option<Stage>) {
        if self.stage != stage {
            self.stage = stage;
            let stays = |d: &Deed| !matches!(d.was, Was::Stage(_));
            self.deeds.retain(stays);
            self.undone.retain(stays);
        }
    }

    fn tag(&mut self, add: &[String], remove: &[String]) -> Was {
        let was = self.tags.clone();
        self.tags.retain(|t| !remove.contains(t));
        self.tags.extend(add.iter().cloned());
        self.tags.sort();
        self.tags.dedup();
        Was::Tags(was)
    }

    fn choose(&mut self, agent: &str, model: Option<&str>) -> Was {
        Was::Chosen(self.chosen.replace(Chosen {
            agent: agent.to_owned(),
            model: model.map(str::to_owned),
        }))
    }

    fn shelve(&mut self, archived: bool, trashed: bool) -> Was {
        let was = Was::Shelf {
            archived: self.archived,
            trashed: self.trashed,
        };
        (self.archived, self.trashed) = (archived, trashed);
        was
    }

    /// Takes in a version of the draft. One that an undo or another program made is no deed: the writer would
    /// lose by an undo what was written elsewhere. Nor is what the writer typed: the pane it was typed in takes that
    /// back, and from here no older change of the draft is undone, with which the typed words would go.
    fn save(&mut self, event: &Event) {
        let Kind::DraftSaved {
            sha256,
            bytes,
            words,
            by,
            beside,
            from,
            rest,
            ..
        } = &event.kind
        else {
            return;
        };
        // Words of a proposal that goes on to wait decide nothing of it.
        let own = from.filter(|from| !rest && self.id == Some(from.session));
        let waits = |p: &&Proposed| own.is_some_and(|from| from.seq == p.seq);
        let decided = self.proposed.as_ref().filter(waits).cloned();
        let was = self.draft.replace(Version {
            seq: event.seq,
            sha256: sha256.clone(),
            bytes: *bytes,
            words: *words,
            by: by.clone(),
            beside: *beside,
        });
        let was_typed = self.typed.take().is_some();
        if let Some(other) = beside {
            return self.stand_beside(event, *other, was);
        }
        let is_typed = was_typed && *by == By::You;
        if is_typed {
            let stays = |d: &Deed| !matches!(d.was, Was::Draft(_));
            self.deeds.retain(stays);
            self.undone.retain(stays);
        }
        if !is_typed && !matches!(by, By::Undo | By::Outside) {
            self.keep(event, Was::Draft(was), decided);
        }
    }

    /// An earlier version came to stand beside this one and never was the draft: both are one deed, and an undo brings
    /// back what was the draft before it. Another program's words are in no deed.
    fn stand_beside(&mut self, event: &Event, other: Seq, was: Option<Version>) {
        let Some(deed) = self.deeds.pop_if(|d| d.seq == other) else {
            return;
        };
        let was = match deed.was {
            Was::Draft(before) if was.as_ref().is_some_and(|w| w.seq == other) => before,
            _ => was,
        };
        let draft = self.draft.as_ref();
        let foreign = draft.is_some_and(|d| d.by == By::Outside);
        if !foreign || Version::are_same(draft, was.as_ref()) {
            self.keep(event, Was::Draft(was), deed.decided);
        }
    }

    /// The writer has decided on a proposal. It is a deed of its own unless words of it were taken with the last one.
    fn answer(&mut self, proposal: Seq) -> Option<Was> {
        let waited = self.proposed.take_if(|p| p.seq == proposal)?;
        let last = self.deeds.last().and_then(|d| d.decided.as_ref());
        let with_last = last.is_some_and(|p| p.seq == proposal);
        (!with_last).then_some(Was::Proposed(waited))
    }

    /// Nothing can be done in the trash: the newest deed is the way into it, undone by this.
    fn untrash(&mut self) {
        self.trashed = false;
        self.deeds.pop();
    }

    /// A deed that brings what the newest undone one had brought is that one done again, whoever asked for it. Any other
    /// is a new one: what was undone before it is not done again.
    fn keep(&mut self, event: &Event, was: Was, decided: Option<Proposed>) {
        let again = self.undone.pop();
        let again = again.filter(|undone| {
            undone.was.is_like(&was) && self.has(&undone.was) && undone.was.is_named_by(event)
        });
        if again.is_none() {
            self.undone.clear();
        }
        if self.deeds.len() == KEPT {
            self.deeds.remove(0);
        }
        let is = self.draft.clone();
        self.deeds.push(Deed {
            seq: event.seq,
            at: event.ts,
            is: is.filter(|_| matches!(was, Was::Draft(_))),
            was,
            decided: decided.or(again.and_then(|undone| undone.decided)),
        });
    }

    /// Whether something is as it is said to be.
    fn has(&self, was: &Was) -> bool {
        match was {
            Was::Title(title) => self.title == *title,
            Was::Tags(tags) => self.tags == *tags,
            Was::Stage(stage) => self.stage == *stage,
            Was::Chosen(chosen) => self.chosen == *chosen,
            Was::Shelf { archived, trashed } => {
                (self.archived, self.trashed) == (*archived, *trashed)
            }
            Was::Draft(version) => Version::are_same(self.draft.as_ref(), version.as_ref()),
            Was::Place(place) => self.place.as_ref().map(|p| &p.collection) == Some(place),
            Was::Proposed(was) => self.proposed.as_ref().is_none_or(|p| p.seq != was.seq),
            Was::Main(_) | Was::Named { .. } => true,
        }
    }

    /// Takes a deed back; `behind` is what it had brought, where that is not seen here.
    fn undo(&mut self, deed: Seq, at: i64, behind: Option<Was>) {
        let Some(found) = self.deeds.iter().position(|d| d.seq == deed) else {
            return;
        };
        let Deed {
            was, is, decided, ..
        } = self.deeds.remove(found);
        if let Some(waited) = &decided {
            self.wait_again(waited);
        }
        let (was, is) = match was {
            Was::Title(title) => (Was::Title(std::mem::replace(&mut self.title, title)), None),
            Was::Tags(tags) => (Was::Tags(std::mem::replace(&mut self.tags, tags)), None),
            Was::Stage(stage) => (Was::Stage(std::mem::replace(&mut self.stage, stage)), None),
            Was::Chosen(chosen) => (
                Was::Chosen(std::mem::replace(&mut self.chosen, chosen)),
                None,
            ),
            Was::Shelf { archived, trashed } => (self.shelve(archived, trashed), None),
            // The host has logged the text of that version again, by `Undo`.
            Was::Draft(version) => (Was::Draft(is), version),
            Was::Place(place) => (behind.unwrap_or(Was::Place(place)), None),
            Was::Main(main) => (Was::Main(main), None),
            Was::Proposed(waited) => {
                self.wait_again(&waited);
                (Was::Proposed(waited), None)
            }
            named @ Was::Named { .. } => (behind.unwrap_or(named), None),
        };
        self.undone.push(Deed {
            seq: deed,
            at,
            was,
            is,
            decided,
        });
    }

    /// A proposal waits for the writer's word again, unless another does.
    fn wait_again(&mut self, waited: &Proposed) {
        self.proposed.get_or_insert_with(|| waited.clone());
    }
}

impl Was {
    /// Whether an event gives a version the name that it had, if that is what this is.
    fn is_named_by(&self, event: &Event) -> bool {
        match (self, &event.kind) {
            (Self::Named { version, name }, Kind::Pinned(pinned)) => {
                (version, name) == (&pinned.version, &pinned.name)
            }
            _ => true,
        }
    }

    /// Whether both are of the same.
    fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

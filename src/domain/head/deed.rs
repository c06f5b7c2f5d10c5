//! What the writer did to a session, and how it is undone.

use serde::{Deserialize, Serialize};

use super::{Chosen, Head, Version};
use crate::domain::event::{Adopted, By, Event, Kind, Seq};
use crate::domain::id::{CollectionId, SessionId};
use crate::domain::stage::Stage;

/// How many deeds can be undone.
const KEPT: usize = 32;

/// Something the writer did that can be undone.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Deed {
    /// The event.
    pub seq: Seq,
    /// What was before it.
    pub was: Was,
}

/// What an undo brings back.
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
    /// The collection. The host moves the folder back, by a move of its own.
    Place(CollectionId),
    /// The main line of the family. The host makes that one the main line again, by an adoption of its own.
    Main(SessionId),
}

impl Head {
    pub(super) fn apply_deed(&mut self, event: &Event) {
        let done = match &event.kind {
            Kind::Renamed { title } => Some(Was::Title(self.title.replace(title.clone()))),
            Kind::Tagged { add, remove } => Some(self.tag(add, remove)),
            Kind::Staged { stage } => Some(Was::Stage(std::mem::replace(&mut self.stage, *stage))),
            Kind::AgentChosen { agent, model } => Some(self.choose(agent, model.as_deref())),
            Kind::Moved {
                was: Some(was),
                undoes: None,
                ..
            } => Some(Was::Place(was.collection.clone())),
            Kind::Archived => Some(self.shelve(true, self.trashed)),
            Kind::Restored => Some(self.shelve(false, self.trashed)),
            Kind::Trashed => Some(self.shelve(self.archived, true)),
            Kind::DraftSaved { .. } => self.save(event),
            // One that an undo made is no deed, as with drafts: the deed before it is undone next.
            Kind::Adopted(Adopted {
                main,
                was,
                undoes: None,
                ..
            }) if Some(*main) == self.id => Some(Was::Main(*was)),
            Kind::Untrashed => {
                self.untrash();
                None
            }
            Kind::Undone { deed }
            | Kind::Moved {
                undoes: Some(deed), ..
            } => {
                self.undo(*deed);
                None
            }
            _ => None,
        };
        if let Some(was) = done {
            self.keep(event.seq, was);
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
    fn save(&mut self, event: &Event) -> Option<Was> {
        let Kind::DraftSaved {
            sha256,
            bytes,
            words,
            by,
            beside,
            ..
        } = &event.kind
        else {
            return None;
        };
        let was = self.draft.replace(Version {
            seq: event.seq,
            sha256: sha256.clone(),
            bytes: *bytes,
            words: *words,
            by: by.clone(),
            beside: *beside,
        });
        let is_typed = self.typed.take().is_some() && *by == By::You && beside.is_none();
        if is_typed {
            self.deeds.retain(|d| !matches!(d.was, Was::Draft(_)));
        }
        (!is_typed && !matches!(by, By::Undo | By::Outside)).then_some(Was::Draft(was))
    }

    /// Nothing can be done in the trash: the newest deed is the way into it, undone by this.
    fn untrash(&mut self) {
        self.trashed = false;
        self.deeds.pop();
    }

    fn keep(&mut self, seq: Seq, was: Was) {
        if self.deeds.len() == KEPT {
            self.deeds.remove(0);
        }
        self.deeds.push(Deed { seq, was });
    }

    fn undo(&mut self, deed: Seq) {
        let Some(at) = self.deeds.iter().position(|d| d.seq == deed) else {
            return;
        };
        match self.deeds.remove(at).was {
            Was::Title(title) => self.title = title,
            Was::Tags(tags) => self.tags = tags,
            Was::Stage(stage) => self.stage = stage,
            Was::Chosen(chosen) => self.chosen = chosen,
            Was::Shelf { archived, trashed } => (self.archived, self.trashed) = (archived, trashed),
            // The host has logged the text of that version again, by `Undo`.
            Was::Draft(_) | Was::Main(_) | Was::Place(_) => {}
        }
    }
}

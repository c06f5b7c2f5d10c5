//! The versions of a draft as a timeline: one row for each, with who made it and the name it was pinned with.

use serde::{Deserialize, Serialize};

use super::event::{By, Event, Kind, Origin, Seq, TurnNo};

/// A version in the timeline.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VersionRow {
    /// The event that made it: the number by which commands name it.
    pub seq: Seq,
    /// When, milliseconds since 1970.
    pub ts: i64,
    /// Who.
    pub by: By,
    /// The turn that made it.
    pub turn: Option<TurnNo>,
    /// Words.
    pub words: u64,
    /// Bytes.
    pub bytes: u64,
    /// Words that came against the version before.
    pub added: u64,
    /// Words that went.
    pub removed: u64,
    /// Where its words come from, when it was taken or restored.
    pub from: Option<Origin>,
    /// A version that stands beside it: both changed the same paragraphs.
    pub beside: Option<Seq>,
    /// The name it is pinned with.
    pub name: Option<String>,
}

/// The timeline. Fed with the events of a log in their order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Versions {
    /// Oldest first.
    pub rows: Vec<VersionRow>,
}

impl Versions {
    /// Takes in an event.
    pub fn take(&mut self, event: &Event) {
        match &event.kind {
            Kind::DraftSaved {
                turn,
                bytes,
                words,
                by,
                added,
                removed,
                from,
                beside,
                ..
            } => self.rows.push(VersionRow {
                seq: event.seq,
                ts: event.ts,
                by: by.clone(),
                turn: *turn,
                words: *words,
                bytes: *bytes,
                added: *added,
                removed: *removed,
                from: *from,
                beside: *beside,
                name: None,
            }),
            Kind::Pinned { version, name } => {
                if let Some(row) = self.rows.iter_mut().find(|r| r.seq == *version) {
                    row.name.clone_from(name);
                }
            }
            _ => {}
        }
    }
}

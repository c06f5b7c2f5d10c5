//! The rows of the list: what a window shows of a session it has not opened.

use serde::{Deserialize, Serialize};

use super::event::{Seq, Usage};
use super::head::{Head, Pause, Question};
use super::id::{CollectionId, SessionId};
use super::kin::{Kin, Member};
use super::piece::Piece;
use super::spent::{Money, Spent};
use super::stage::Stage;
use super::state::State;
use super::written::Written;

/// A session in the list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The session.
    pub id: SessionId,
    /// Its collection.
    pub collection: CollectionId,
    /// Title to show.
    pub title: String,
    /// State.
    pub state: State,
    /// The agent the next turn would use.
    pub agent: String,
    /// Its model, if one is named.
    pub model: Option<String>,
    /// Words of the draft.
    pub words: u64,
    /// Turns so far.
    pub turns: u32,
    /// Where the piece stands, as the writer said.
    #[serde(default)]
    pub stage: Option<Stage>,
    /// Tags, sorted.
    pub tags: Vec<String>,
    /// Folder relative to the workspace.
    pub folder: String,
    /// Milliseconds since 1970.
    pub updated: i64,
    /// Since when the open turn runs, milliseconds since 1970.
    pub since: Option<i64>,
    /// When its newest turn began, else when it was made: the order of the list, the same in every window.
    #[serde(default)]
    pub begun: i64,
    /// Out of the list.
    pub archived: bool,
    /// In the trash.
    pub trashed: bool,
    /// Questions without an answer.
    pub asked: Vec<Question>,
    /// Prompts that wait.
    pub queued: u32,
    /// Whether those wait for the writer, not for a turn to end or a place to be free.
    #[serde(default)]
    pub held: bool,
    /// The recipe it follows.
    #[serde(default)]
    pub recipe: Option<RecipeRow>,
    /// What the agent of the open turn waits for.
    #[serde(default)]
    pub pause: Option<Pause>,
    /// Sums over all turns.
    pub spent: Usage,
    /// What of that has no price, and what was spent when.
    #[serde(default)]
    pub money: Money,
    /// The words that came into the draft, by the hour.
    #[serde(default)]
    pub written: Written,
    /// Its place in its family.
    #[serde(default)]
    pub kin: Kin,
    /// The proposal that waits for the writer's word.
    #[serde(default)]
    pub proposed: Option<Seq>,
    /// What an undo takes back of it, as far as a list tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deed: Option<LastDeed>,
    /// What keeps this session from working as it should: damage, a full disk, another writer.
    pub trouble: Option<String>,
    /// Why its draft is not in the file where it belongs, as far as a host has looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft_trouble: Option<String>,
}

impl Row {
    /// It as one of its family.
    pub fn member(&self) -> Member<'_> {
        Member {
            id: self.id,
            kin: &self.kin,
            trashed: self.trashed,
        }
    }

    /// The row of a session. `agent` is the one the next turn would use; `live` as in [`Head::state`].
    /// None for a log without a first event.
    pub fn of(head: &Head, agent: &str, live: bool) -> Option<Self> {
        let place = head.place.as_ref()?;
        Some(Self {
            id: head.id?,
            collection: place.collection.clone(),
            title: head.title().to_owned(),
            state: head.state(live),
            agent: agent.to_owned(),
            model: head.chosen.as_ref().and_then(|c| c.model.clone()),
            words: head.draft.as_ref().map_or(0, |d| d.words),
            turns: head.turn.as_ref().map_or(0, |t| t.no),
            stage: head.stage,
            tags: head.tags.clone(),
            folder: place.folder.clone(),
            updated: head.updated,
            since: head
                .turn
                .as_ref()
                .filter(|t| t.end.is_none())
                .map(|t| t.since),
            begun: head.turn.as_ref().map_or(head.created, |t| t.since),
            archived: head.archived,
            trashed: head.trashed,
            asked: head.asked.clone(),
            queued: u32::try_from(head.queue.len()).unwrap_or(u32::MAX),
            // As far as the log tells: the host that runs it knows better.
            held: !head.queue.is_empty() && !head.is_open(),
            recipe: head.recipe.as_ref().map(|r| RecipeRow {
                title: r.title.clone(),
                at: r.at.map_or(0, |at| at + 1),
                of: r.steps.len(),
                step: r.at.and_then(|at| r.steps.get(at).cloned()),
                paused: r.paused.clone(),
            }),
            pause: head.turn.as_ref().and_then(|t| t.pause.clone()),
            spent: head.spent,
            money: head.money.clone(),
            written: head.written.clone(),
            kin: head.kin.clone(),
            proposed: head.proposed.as_ref().map(|p| p.seq),
            deed: head.deeds.last().map(|deed| LastDeed {
                at: deed.at,
                yours: deed.is_writers(),
            }),
            trouble: None,
            draft_trouble: None,
        })
    }

    /// Sums over all its turns.
    pub fn sum(&self) -> Spent {
        Spent {
            unpriced: self.money.unpriced,
            ..Spent::of(&self.spent)
        }
    }
}

/// The newest deed that can be undone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LastDeed {
    /// When it was done, milliseconds since 1970.
    pub at: i64,
    /// The writer did it: it is no text of an agent or of another program.
    pub yours: bool,
}

/// Where a recipe stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecipeRow {
    /// Its title.
    pub title: String,
    /// The step that was begun last, from 1; 0 before the first.
    pub at: usize,
    /// How many steps it has.
    pub of: usize,
    /// Name of that step.
    pub step: Option<String>,
    /// The limit it waits at.
    pub paused: Option<String>,
}

/// A collection in the drawer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CollectionRow {
    /// Its id.
    pub id: CollectionId,
    /// Title.
    pub title: String,
    /// Folder relative to the workspace.
    pub folder: String,
    /// Out of the drawer.
    pub archived: bool,
    /// What it is, in a line.
    #[serde(default)]
    pub about: Option<String>,
    /// Words it is to have as a whole.
    #[serde(default)]
    pub target: Option<u64>,
    /// Words a day.
    #[serde(default)]
    pub day: Option<u64>,
    /// Its place in the drawer; those without one come after, by title.
    #[serde(default)]
    pub order: Option<i64>,
    /// What agents may do beyond the draft: `web`.
    #[serde(default)]
    pub allow: Vec<String>,
    /// What it says of its pieces, in order; which one comes first says [`super::piece::place`].
    #[serde(default)]
    pub pieces: Vec<Piece>,
    /// Proposals for its memory that wait for the writer.
    #[serde(default)]
    pub waiting: u32,
    /// Another number after each deed on its memory and on the writer's voice, and after each change of their files: who
    /// shows them looks again.
    #[serde(default)]
    pub deeds: u64,
}

impl CollectionRow {
    /// The row of a collection of which nothing else is said.
    pub fn new(id: CollectionId, title: &str, folder: &str) -> Self {
        Self {
            id,
            title: title.to_owned(),
            folder: folder.to_owned(),
            archived: false,
            about: None,
            target: None,
            day: None,
            order: None,
            allow: Vec::new(),
            pieces: Vec::new(),
            waiting: 0,
            deeds: 0,
        }
    }
}

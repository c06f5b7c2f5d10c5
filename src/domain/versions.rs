//! The versions of a draft as a timeline: one row for each, with who made it and the name it was pinned with.

mod answer;

use serde::{Deserialize, Serialize};

pub use answer::Answer;
use answer::Answers;

use super::event::{By, DraftProposed, Event, Kind, Origin, Pinned, Seq, TurnNo};

/// Characters kept of a prompt.
const PROMPT_MAX: usize = 120;

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
    /// What it is beside the draft, if it is not the draft that came behind the one before.
    #[serde(flatten)]
    pub stands: Stands,
    /// The name it is pinned with.
    pub name: Option<String>,
    /// The first words of the prompt of its turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
}

/// Where a text stands that is not, or not only, the next one behind the version before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Stands {
    /// A version that stands beside it: both changed the same paragraphs.
    pub beside: Option<Seq>,
    /// The version it was made from, 0 where there was none: of a text that an agent proposed, which is the draft only
    /// if the writer said so, and is then a version behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposed: Option<Seq>,
    /// What became of that text; none where it waits, or is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
    /// It was undone and done again: who made it then is who made it now.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
}

impl Stands {
    /// The answer to a proposal that has none.
    fn open(&mut self) -> Option<&mut Option<Answer>> {
        (self.proposed.is_some() && self.answer.is_none()).then_some(&mut self.answer)
    }
}

impl VersionRow {
    /// Whether it was proposed, and never was the draft itself.
    pub fn is_proposed(&self) -> bool {
        self.stands.proposed.is_some()
    }

    fn proposed(event: &Event, what: &DraftProposed) -> Self {
        let proposed = Some(what.base.unwrap_or_default());
        Self {
            seq: event.seq,
            ts: event.ts,
            by: By::Agent(what.agent.clone()),
            turn: Some(what.turn),
            words: what.words,
            bytes: what.bytes,
            added: what.added,
            removed: what.removed,
            from: None,
            stands: Stands {
                beside: None,
                proposed,
                ..Stands::default()
            },
            name: None,
            prompt: None,
        }
    }
}

/// Those that were the draft: none that was proposed, and none that came to stand beside a draft that stayed as it was.
pub fn drafts(rows: &[VersionRow]) -> Vec<&VersionRow> {
    let mut drafts: Vec<&VersionRow> = Vec::new();
    for row in rows.iter().filter(|row| !row.is_proposed()) {
        let stayed = (row.added, row.removed) == (0, 0);
        if let Some(beside) = row.stands.beside.filter(|_| stayed) {
            drafts.pop_if(|before| before.seq == beside);
        }
        drafts.push(row);
    }
    drafts
}

/// The timeline. Fed with the events of a log in their order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Versions {
    /// Oldest first.
    pub rows: Vec<VersionRow>,
    /// The newest prompt: its turn and its first words.
    prompt: Option<(TurnNo, String)>,
    /// What was decided on those that were proposed.
    answers: Answers,
}

impl Versions {
    fn prompt_of(&self, turn: Option<TurnNo>) -> Option<String> {
        let prompt = self.prompt.as_ref().filter(|p| Some(p.0) == turn);
        prompt.map(|p| p.1.clone())
    }

    /// Takes in an event.
    pub fn take(&mut self, event: &Event) {
        self.decide(event);
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
            } => {
                let again = self.again(by, *from);
                self.rows.push(VersionRow {
                    seq: event.seq,
                    ts: event.ts,
                    by: again.as_ref().unwrap_or(by).clone(),
                    turn: *turn,
                    words: *words,
                    bytes: *bytes,
                    added: *added,
                    removed: *removed,
                    from: *from,
                    stands: Stands {
                        beside: *beside,
                        again: again.is_some(),
                        ..Stands::default()
                    },
                    name: None,
                    prompt: self.prompt_of(*turn),
                });
            }
            Kind::DraftProposed(what) => self.rows.push(VersionRow {
                prompt: self.prompt_of(Some(what.turn)),
                ..VersionRow::proposed(event, what)
            }),
            Kind::Prompt { turn, text, .. } => {
                let words = text.shown().lines().next().unwrap_or_default();
                let words = words.chars().take(PROMPT_MAX).collect();
                self.prompt = Some((*turn, words));
            }
            Kind::Pinned(Pinned { version, name, .. }) => {
                if let Some(row) = self.rows.iter_mut().find(|r| r.seq == *version) {
                    row.name.clone_from(name);
                }
            }
            _ => {}
        }
    }
}

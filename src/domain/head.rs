//! What a session is, without its words: small, whatever the length of its log.

mod deed;
mod draft;
mod fork;
mod recipe;
mod turn;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::brief::Mark;
use super::event::{
    By, Compacted, Event, Imported, Kind, Limit, Limited, Seq, Status, TurnNo, Usage,
};
use super::id::{CollectionId, SessionId};
use super::kin::{Kin, Member};
use super::spent::Money;
use super::stage::Stage;
use super::state::State;
use super::written::Written;

pub use deed::{Deed, Was};
pub use draft::{Beside, Proposed, Typed, Version};
pub use recipe::Following;
pub use turn::{Pause, Question, Turn, Waiting};

/// The fold of a log's events, words left out. Rows, caches and the host live on it; the default is that of no event.
/// Numbers of events ([`Seq`]) are those of this session's own log.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Head {
    /// The session; none until its first event is known.
    pub id: Option<SessionId>,
    /// Title given by the writer.
    pub title: Option<String>,
    /// First words of the first prompt, the title until there is one.
    pub first_words: Option<String>,
    /// Its place.
    pub place: Option<Place>,
    /// Where its folder was, while it is on its way to its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moving: Option<Place>,
    /// Where the piece stands, as the writer said.
    #[serde(default)]
    pub stage: Option<Stage>,
    /// Tags, sorted.
    pub tags: Vec<String>,
    /// Agent and model chosen for the next turn.
    pub chosen: Option<Chosen>,
    /// The newest turn.
    pub turn: Option<Turn>,
    /// Prompts that wait.
    pub queue: Vec<Waiting>,
    /// Highest number given to a waiting prompt.
    pub queued_ever: u32,
    /// The recipe it follows.
    pub recipe: Option<Following>,
    /// Questions without an answer.
    pub asked: Vec<Question>,
    /// Its place in its family.
    #[serde(default)]
    pub kin: Kin,
    /// The newest brief that agents were sent.
    #[serde(default)]
    pub brief: Option<Briefed>,
    /// The other program's history that it was written from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<Box<Imported>>,
    /// The newest version of the draft.
    pub draft: Option<Version>,
    /// Hash of the text that `draft.md` was left with, mostly an older one; none where it could be made the newest version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds: Option<String>,
    /// Versions that stand beside the draft, oldest first, each until the writer has decided.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<Beside>,
    /// An agent's text that waits for the writer's word.
    #[serde(default)]
    pub proposed: Option<Proposed>,
    /// What the writer typed since; none when the newest version is the draft.
    #[serde(default)]
    pub typed: Option<Typed>,
    /// The newest event that a summary stands for in what agents are sent.
    #[serde(default)]
    pub compacted: Option<Seq>,
    /// Sums over all turns.
    pub spent: Usage,
    /// What of it has no price, and what was spent when.
    #[serde(default)]
    pub money: Money,
    /// The newest word of its agent on a limit.
    #[serde(default)]
    pub limit: Option<Limit>,
    /// The words that came into the draft, by the hour.
    #[serde(default)]
    pub written: Written,
    /// What a window has shown.
    pub seen: Option<Seq>,
    /// Out of the list.
    pub archived: bool,
    /// In the trash.
    pub trashed: bool,
    /// What can be undone, oldest first.
    pub deeds: Vec<Deed>,
    /// What was undone and can be done again, the newest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undone: Vec<Deed>,
    /// Milliseconds since 1970 of the first event.
    pub created: i64,
    /// Milliseconds since 1970 of the newest event that the writer or an agent made: not of one that only says where the
    /// session was found, who opened it or what was seen of it.
    pub updated: i64,
    /// Number of the newest event.
    pub last: Option<Seq>,
}

/// A brief that agents were sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Briefed {
    /// The event that has it.
    pub seq: Seq,
    /// Its parts.
    pub marks: Vec<Mark>,
}

/// Where a session lives.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// Its collection.
    pub collection: CollectionId,
    /// Its folder, relative to the workspace.
    pub folder: String,
    /// How many pieces its collection's file named before it; of one that was moved away, for the way back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<u32>,
}

impl Place {
    /// The name of its collection's folder.
    pub fn shelf(&self) -> &str {
        self.folder.split('/').next().unwrap_or_default()
    }
}

/// An agent by its name in the configuration, and a model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Chosen {
    /// The agent.
    pub agent: String,
    /// The model, if not the agent's own.
    pub model: Option<String>,
}

impl Head {
    /// The title to show.
    pub fn title(&self) -> &str {
        self.title
            .as_deref()
            .or(self.first_words.as_deref())
            .unwrap_or(if self.kin.is_variant() {
                self.kin.nameless()
            } else {
                "Untitled"
            })
    }

    /// The same where the family is not in sight: a variant's is `piece: variant`.
    pub fn whole_title(&self) -> Cow<'_, str> {
        match &self.kin.piece {
            Some(piece) => format!("{piece}: {}", self.title()).into(),
            None => self.title().into(),
        }
    }

    /// It as one of its family; none until its first event is known.
    pub fn member(&self) -> Option<Member<'_>> {
        Some(Member {
            id: self.id?,
            kin: &self.kin,
            trashed: self.trashed,
        })
    }

    /// Whether a turn has begun and not ended.
    pub fn is_open(&self) -> bool {
        self.turn.as_ref().is_some_and(|t| t.end.is_none())
    }

    /// What the agent of the newest turn waits for, if it does.
    pub fn pause(&self) -> Option<&Pause> {
        self.turn.as_ref()?.pause.as_ref()
    }

    /// The draft's newest event, a version or an edit; 0 when there is no draft.
    pub fn draft_at(&self) -> Seq {
        let version = self.draft.as_ref().map_or(0, |d| d.seq);
        self.typed.map_or(version, |t| t.at)
    }

    /// The state to list. `live` says whether a host runs this session's open turn.
    pub fn state(&self, live: bool) -> State {
        let Some(turn) = &self.turn else {
            return if self.queue.is_empty() {
                State::Idle
            } else {
                State::Queued
            };
        };
        match &turn.end {
            None if !live => State::Lost,
            None if !self.asked.is_empty() => State::NeedsYou,
            None => State::Writing,
            // What waits behind a cut turn waits for the writer, who has to hear of the cut first.
            Some((Status::Lost, _)) => State::Lost,
            Some(_) if !self.queue.is_empty() => State::Queued,
            Some((Status::Ok, _)) if self.seen.is_none_or(|s| s < turn.last) => State::Unread,
            Some((Status::Ok, _)) => State::Idle,
            Some((Status::Interrupted, _)) => State::Interrupted,
            Some((Status::Failed, _)) => State::Failed,
        }
    }

    /// Takes in one event. Events come in the order of their numbers; one that was taken in before is
    /// passed over, so that a head may be given history it already holds.
    pub fn apply(&mut self, event: &Event) {
        if event.kind.is_piece() {
            return self.apply_piece(event.seq, event.ts, event.kind.turn());
        }
        if self.last.is_some_and(|last| event.seq <= last) {
            return;
        }
        if self.last.is_none() {
            self.created = event.ts;
        }
        self.last = Some(event.seq);
        if is_news(&event.kind) {
            self.updated = event.ts;
        }
        if let Kind::DraftEdited { .. } = event.kind {
            self.typed = Some(Typed {
                at: event.seq,
                edits: self.typed.map_or(0, |t| t.edits) + 1,
            });
        }
        if let Kind::MemoryInjected(injected) = &event.kind {
            self.brief = Some(Briefed {
                seq: event.seq,
                marks: Mark::all(&injected.parts),
            });
        }
        self.apply_kin(event);
        self.apply_fact(&event.kind);
        self.apply_proposal(event);
        self.apply_beside(event);
        self.apply_money(event);
        self.written.apply(event);
        self.apply_recipe(&event.kind);
        self.apply_deed(event);
        self.apply_turn(event);
    }

    /// Takes in a piece of an answer: nothing of it counts here but its number, its time and its turn.
    pub fn apply_piece(&mut self, seq: Seq, ts: i64, turn: Option<TurnNo>) {
        if self.last.is_some_and(|last| seq <= last) {
            return;
        }
        if self.last.is_none() {
            self.created = ts;
        }
        self.last = Some(seq);
        self.updated = ts;
        if let Some(open) = self.turn.as_mut().filter(|t| turn == Some(t.no)) {
            open.heard(seq, ts);
        }
    }

    /// What it cost. Before the turn's own fold: the end of a turn finds the figures of that turn.
    fn apply_money(&mut self, event: &Event) {
        match &event.kind {
            Kind::Usage { usage, .. } => self.money.used(usage, event.ts),
            Kind::Limited(Limited { limit, .. }) => self.limit = Some(*limit),
            Kind::TurnFinished { turn, status, .. } => {
                let begun = |t: &&Turn| t.no == *turn && t.agent.is_some() && t.end.is_none();
                if let Some(turn) = self.turn.as_ref().filter(begun) {
                    self.money.ended(&turn.spent, *status, event.ts);
                }
            }
            _ => {}
        }
    }

    /// What it is and where it is: facts, nothing to undo.
    fn apply_fact(&mut self, kind: &Kind) {
        match kind {
            Kind::Created {
                id,
                title,
                collection,
                folder,
                agent,
                ..
            } => {
                self.id = Some(*id);
                self.title.clone_from(title);
                self.place = Some(Place::new(collection, folder));
                self.chosen = agent.clone().map(|agent| Chosen { agent, model: None });
            }
            Kind::Moved {
                collection,
                folder,
                was,
                ..
            } => {
                self.place = Some(Place::new(collection, folder));
                self.moving.clone_from(was);
            }
            Kind::Imported(imported) => self.imported = Some(Box::new(imported.clone())),
            Kind::DraftFile(file) => self.holds.clone_from(&file.holds),
            // The text of another program stood in the file, and a variant's file is its own.
            Kind::DraftSaved {
                by: By::Outside, ..
            }
            | Kind::Forked(_) => self.holds = None,
            Kind::Seen { upto } => self.seen = self.seen.max(Some(*upto)),
            Kind::Usage { usage, .. } => self.spent.add(usage),
            Kind::Compacted(what) => self.compact(what),
            _ => {}
        }
    }

    /// What is sent from now on is shorter.
    fn compact(&mut self, what: &Compacted) {
        if let Some(after) = what.after {
            self.spent.shrunk(after, !what.by_agent());
        }
        if !what.by_agent() && !what.summary.is_empty() {
            self.compacted = Some(what.upto);
        }
    }
}

/// Whether something was done with the session: a folder that was found under another name, and a note of the host's
/// outside of any turn, leave it as old as it was.
const fn is_news(kind: &Kind) -> bool {
    !matches!(
        kind,
        Kind::Seen { .. }
            | Kind::Opened { .. }
            | Kind::Recovered { .. }
            | Kind::Moved { was: None, .. }
            | Kind::DraftFile(_)
            | Kind::Note { turn: None, .. }
    )
}

impl Place {
    fn new(collection: &CollectionId, folder: &str) -> Self {
        Self {
            collection: collection.clone(),
            folder: folder.to_owned(),
            at: None,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::domain::TurnNo;
    use crate::domain::event::{DraftFile, Forked, Origin, Prefix};

    fn fold(kinds: Vec<Kind>) -> Head {
        let mut head = Head::default();
        for (seq, kind) in (0..).zip(kinds) {
            let ts = 1_000;
            head.apply(&Event { seq, ts, kind });
        }
        head
    }

    fn prompt(turn: TurnNo, text: &str) -> Kind {
        Kind::Prompt {
            turn,
            text: text.into(),
            queued: None,
        }
    }

    fn finished(turn: TurnNo, status: Status) -> Kind {
        Kind::TurnFinished {
            turn,
            status,
            reason: None,
            events: 0,
            crc32: String::new(),
        }
    }

    #[test]
    fn an_open_turn_without_a_host_is_lost_and_with_one_it_writes() {
        let head = fold(vec![prompt(1, "Begin.")]);
        assert_eq!(head.state(false), State::Lost);
        assert_eq!(head.state(true), State::Writing);
    }

    #[test]
    fn a_finished_turn_is_unread_until_a_window_has_shown_its_end() {
        let mut kinds = vec![prompt(1, "Begin."), finished(1, Status::Ok)];
        assert_eq!(fold(kinds.clone()).state(true), State::Unread);
        kinds.push(Kind::Seen { upto: 1 });
        assert_eq!(fold(kinds).state(true), State::Idle);
    }

    #[test]
    fn a_folder_found_elsewhere_and_a_note_of_the_hosts_leave_a_session_as_old_as_it_was() {
        let place = |folder: &str| Place::new(&CollectionId::inbox(), folder);
        let moved = |was| Kind::Moved {
            collection: CollectionId::inbox(),
            folder: "b/1".into(),
            was,
            undoes: None,
        };
        let note = |turn| Kind::Note {
            turn,
            text: "Its folder is b/1 now.".into(),
        };
        let updated = |kind: Kind| {
            let mut head = fold(vec![prompt(1, "Begin.")]);
            let (seq, ts) = (1, 2_000);
            head.apply(&Event { seq, ts, kind });
            head.updated
        };
        assert_eq!(updated(moved(None)), 1_000);
        assert_eq!(updated(note(None)), 1_000);
        assert_eq!(updated(note(Some(1))), 2_000);
        assert_eq!(updated(moved(Some(place("a/1")))), 2_000, "a deed");
    }

    #[test]
    fn undo_brings_back_the_title_the_tags_and_the_shelf() {
        let head = fold(vec![
            Kind::Renamed {
                title: "One".into(),
            },
            Kind::Renamed {
                title: "Two".into(),
            },
            Kind::Tagged {
                add: vec!["b".into(), "a".into()],
                remove: vec![],
            },
            Kind::Archived,
            Kind::Undone { deed: 3 },
            Kind::Undone { deed: 2 },
            Kind::Undone { deed: 1 },
        ]);
        assert_eq!(
            (head.title(), head.tags.len(), head.archived),
            ("One", 0, false)
        );
    }

    #[test]
    fn the_draft_is_at_its_newest_version_or_at_the_newest_edit_behind_it() {
        let saved = |beside| Kind::DraftSaved {
            turn: None,
            sha256: String::new(),
            bytes: 0,
            words: 0,
            by: By::You,
            base: None,
            added: 0,
            removed: 0,
            beside,
            from: None,
            rest: false,
        };
        let typed = |base| Kind::DraftEdited {
            base,
            splices: Vec::new(),
        };
        assert_eq!(fold(vec![]).draft_at(), 0);
        assert_eq!(fold(vec![Kind::Archived, typed(0)]).draft_at(), 1);
        let mut kinds = vec![Kind::Archived, saved(None), typed(1), typed(2)];
        let head = fold(kinds.clone());
        assert_eq!((head.draft_at(), head.typed.unwrap().edits), (3, 2));
        kinds.push(saved(Some(1)));
        let head = fold(kinds);
        assert_eq!((head.draft_at(), head.typed), (4, None));
        assert_eq!(head.draft.unwrap().beside, Some(1));
    }

    fn version(by: By, beside: Option<Seq>, from: Option<Seq>) -> Kind {
        Kind::DraftSaved {
            turn: None,
            sha256: String::new(),
            bytes: 0,
            words: 0,
            by,
            base: None,
            added: 0,
            removed: 0,
            beside,
            from: from.map(|seq| Origin {
                session: SessionId::new(uuid::Uuid::from_u128(1)),
                seq,
            }),
            rest: false,
        }
    }

    #[test]
    fn what_the_file_holds_is_known_until_it_is_the_newest_version_or_another_programs_or_a_variants()
     {
        let file = |holds: Option<&str>| {
            let holds = holds.map(str::to_owned);
            Kind::DraftFile(DraftFile { holds })
        };
        let forked = Kind::Forked(Forked {
            id: SessionId::new(uuid::Uuid::from_u128(2)),
            from: Prefix {
                at: Origin {
                    session: SessionId::new(uuid::Uuid::from_u128(1)),
                    seq: 1,
                },
                bytes: 0,
                crc32: String::new(),
            },
            title: None,
            collection: CollectionId::inbox(),
            folder: "inbox/1~2".into(),
            app: String::new(),
        });
        let behind = |kind| {
            let head = fold(vec![version(By::You, None, None), file(Some("a")), kind]);
            head.holds
        };
        let held = |text: &str| Some(text.to_owned());
        assert_eq!(behind(version(By::You, None, None)), held("a"));
        assert_eq!(behind(file(Some("b"))), held("b"));
        assert_eq!(behind(file(None)), None);
        assert_eq!(behind(version(By::Outside, None, None)), None);
        assert_eq!(behind(forked), None);
    }

    #[test]
    fn a_text_stands_beside_the_draft_until_the_writer_has_decided() {
        let claude = By::Agent("claude".into());
        let begun = vec![
            Kind::Created {
                id: SessionId::new(uuid::Uuid::from_u128(1)),
                title: None,
                collection: CollectionId::inbox(),
                folder: "inbox/1".into(),
                agent: None,
                app: String::new(),
            },
            version(claude.clone(), None, None),
            version(By::You, Some(1), None),
            version(claude.clone(), None, None),
            version(By::Take, None, Some(0)),
        ];
        let beside = fold(begun.clone()).beside.remove(0);
        assert_eq!((beside.seq, beside.at), (1, 2));
        assert_eq!((&beside.by, &beside.over), (&claude, &By::You));
        let decisions = [
            version(By::Take, None, Some(1)),
            version(By::Restore, None, Some(1)),
            Kind::DraftAnswered { proposal: 1 },
            Kind::Undone { deed: 2 },
        ];
        for decision in decisions {
            let mut kinds = begun.clone();
            kinds.push(decision.clone());
            assert_eq!(fold(kinds).beside, [], "{decision:?}");
        }
        let mut some = version(By::Take, None, Some(1));
        if let Kind::DraftSaved { rest, .. } = &mut some {
            *rest = true;
        }
        let mut kinds = begun;
        kinds.push(some);
        let left = fold(kinds).beside;
        assert_eq!(left, [beside], "more of it may be taken");
    }

    #[test]
    fn of_two_texts_beside_the_draft_each_is_decided_for_itself() {
        let claude = By::Agent("claude".into());
        let begun = [
            Kind::Archived,
            version(claude.clone(), None, None),
            version(By::You, Some(1), None),
            version(claude, None, None),
            version(By::You, Some(3), None),
        ];
        let left = |decision| {
            let kinds = begun.iter().cloned().chain([decision]).collect();
            let beside = fold(kinds).beside.into_iter();
            beside.map(|b| (b.seq, b.at)).collect::<Vec<_>>()
        };
        assert_eq!(left(Kind::Archived), [(1, 2), (3, 4)]);
        assert_eq!(left(Kind::DraftAnswered { proposal: 1 }), [(3, 4)]);
        assert_eq!(left(Kind::DraftAnswered { proposal: 3 }), [(1, 2)]);
        assert_eq!(left(Kind::Undone { deed: 4 }), [(1, 2)]);
    }

    #[test]
    fn a_queued_prompt_leaves_the_queue_when_its_turn_begins() {
        let head = fold(vec![
            Kind::Queued {
                n: 1,
                text: "a".into(),
            },
            Kind::Queued {
                n: 2,
                text: "b".into(),
            },
            Kind::Prompt {
                turn: 1,
                text: "a".into(),
                queued: Some(1),
            },
        ]);
        assert_eq!(head.queue.iter().map(|w| w.n).collect::<Vec<_>>(), [2]);
        assert_eq!(head.queued_ever, 2);
    }
}

//! The one fold over a drawer's log: what waits, what was decided, and the versions of its files.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Act, Answer, Answered, Changed, Entry, FileSaved, Hand, Proposed, What};
use crate::domain::event::Seq;

/// What the deeds of a drawer come to. Fed with its log in order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Binder {
    /// Every proposal, oldest first.
    pub proposals: Vec<Proposal>,
    /// The versions of each file, oldest first.
    pub files: BTreeMap<String, Vec<FileVersion>>,
    /// Answers and undos whose file is still to be written: the host died in between.
    pub open: Vec<Open>,
    /// Changes of what the collection says of itself that stand, oldest first.
    pub changes: Vec<Filed>,
    /// Those that were undone since the newest of them, the last undone last.
    pub undone: Vec<Filed>,
    /// The newest deed.
    pub last: Option<Seq>,
}

/// A change of what the collection says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filed {
    /// Its number in the log.
    pub seq: Seq,
    /// When it was made, or undone, milliseconds since 1970.
    pub ts: i64,
    /// What was changed.
    pub says: Changed,
}

/// A proposal and what became of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Proposal {
    /// Its number in the log: the name by which commands mean it.
    pub seq: Seq,
    /// When it was made, milliseconds since 1970.
    pub ts: i64,
    /// What it says, and whose it is.
    #[serde(flatten)]
    pub says: Proposed,
    /// What became of it.
    pub standing: Standing,
}

/// What became of a proposal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It waits for the writer.
    Waiting,
    /// It became a line.
    Accepted {
        /// Number of the answer.
        act: Seq,
        /// When, milliseconds since 1970.
        ts: i64,
        /// The line as it was written; empty when a damaged log does not say.
        line: String,
        /// What stood in its place.
        was: Option<String>,
    },
    /// It is not proposed again.
    Refused {
        /// Number of the answer.
        act: Seq,
        /// When, milliseconds since 1970.
        ts: i64,
    },
}

/// A version of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileVersion {
    /// Its number in the log.
    pub seq: Seq,
    /// When, milliseconds since 1970.
    pub ts: i64,
    /// The blob with its text.
    pub sha256: String,
    /// Bytes.
    pub bytes: u64,
    /// Whose hand.
    pub by: Hand,
    /// The version it was made from.
    pub base: Option<Seq>,
    /// The deed it carries out.
    #[serde(default)]
    pub act: Option<Seq>,
    /// Whether the file was gone then.
    #[serde(default)]
    pub gone: bool,
}

/// A deed whose file is still to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Open {
    /// Number of the deed: of the answer, or of its undo.
    pub act: Seq,
    /// The proposal.
    pub proposal: Seq,
    /// The accepted line.
    pub line: String,
    /// What stands, or stood, in its place.
    pub was: Option<String>,
    /// The answer that is undone; none when the line is to come.
    pub undoes: Option<Seq>,
}

impl Proposal {
    /// Whether the writer has not decided yet.
    pub fn waits(&self) -> bool {
        self.standing == Standing::Waiting
    }

    /// The line that it became.
    pub fn line(&self) -> Option<&str> {
        match &self.standing {
            Standing::Accepted { line, .. } => Some(line),
            _ => None,
        }
    }

    /// Number of the answer, when there is one.
    pub const fn answer(&self) -> Option<Seq> {
        match self.standing {
            Standing::Waiting => None,
            Standing::Accepted { act, .. } | Standing::Refused { act, .. } => Some(act),
        }
    }
}

impl Binder {
    /// The fold of these deeds.
    pub fn of<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Self {
        let mut binder = Self::default();
        for entry in entries {
            binder.apply(entry);
        }
        binder
    }

    /// Takes in a deed.
    pub fn apply(&mut self, entry: &Entry) {
        self.last = Some(entry.seq);
        match &entry.act {
            Act::Proposed(says) => self.proposals.push(Proposal {
                seq: entry.seq,
                ts: entry.ts,
                says: says.clone(),
                standing: Standing::Waiting,
            }),
            Act::Answered(answered) => self.answer(entry, answered),
            Act::FileSaved(saved) => self.save(entry, saved),
            Act::Changed(changed) => self.change(entry, changed),
            Act::Undone { act } => {
                self.take_back(entry, *act);
                self.undo(entry.seq, *act);
            }
            _ => {}
        }
    }

    /// A change. One that does the newest undone one again leaves the others to be done again.
    fn change(&mut self, entry: &Entry, says: &Changed) {
        if self.undone.pop().is_some_and(|u| !u.says.is_again(says)) {
            self.undone.clear();
        }
        self.changes.push(Filed {
            seq: entry.seq,
            ts: entry.ts,
            says: says.clone(),
        });
    }

    fn take_back(&mut self, entry: &Entry, act: Seq) {
        if let Some(at) = self.changes.iter().position(|c| c.seq == act) {
            let filed = self.changes.remove(at);
            self.undone.push(Filed {
                ts: entry.ts,
                ..filed
            });
        }
    }

    /// The proposal with that number.
    pub fn proposal(&self, seq: Seq) -> Option<&Proposal> {
        self.proposals.iter().find(|p| p.seq == seq)
    }

    /// The proposals that wait, oldest first.
    pub fn waiting(&self) -> impl Iterator<Item = &Proposal> {
        self.proposals.iter().filter(|p| p.waits())
    }

    /// The newest version of a file.
    pub fn newest(&self, file: &str) -> Option<&FileVersion> {
        self.files.get(file)?.last()
    }

    /// The version of a file with that number.
    pub fn version(&self, seq: Seq) -> Option<(&str, &FileVersion)> {
        let all = self.files.iter();
        let mut found = all.filter_map(|(file, versions)| {
            let version = versions.iter().find(|v| v.seq == seq)?;
            Some((file.as_str(), version))
        });
        found.next()
    }

    /// How many proposals a turn has made so far.
    pub fn proposed_in(&self, session: crate::domain::SessionId, turn: u32) -> usize {
        let of = |p: &&Proposal| p.says.session == session && p.says.turn == turn;
        self.proposals.iter().filter(of).count()
    }

    fn answer(&mut self, entry: &Entry, answered: &Answered) {
        let found = self.proposals.iter_mut();
        let Some(proposal) = found.into_iter().find(|p| p.seq == answered.proposal) else {
            return;
        };
        // The first answer counts: two windows may have given one each.
        if !proposal.waits() {
            return;
        }
        let (act, ts) = (entry.seq, entry.ts);
        proposal.standing = match answered.answer {
            Answer::Refused => Standing::Refused { act, ts },
            Answer::Accepted => Standing::Accepted {
                act,
                ts,
                line: answered.line.clone().unwrap_or_default(),
                was: answered.was.clone(),
            },
        };
        if answered.answer == Answer::Accepted {
            self.open.push(Open {
                act,
                proposal: answered.proposal,
                line: answered.line.clone().unwrap_or_default(),
                was: answered.was.clone(),
                undoes: None,
            });
        }
    }

    fn save(&mut self, entry: &Entry, saved: &FileSaved) {
        if let Some(act) = saved.act {
            self.open.retain(|o| o.act != act);
        }
        let versions = self.files.entry(saved.file.clone()).or_default();
        versions.push(FileVersion {
            seq: entry.seq,
            ts: entry.ts,
            sha256: saved.sha256.clone(),
            bytes: saved.bytes,
            by: saved.by.clone(),
            base: saved.base,
            act: saved.act,
            gone: saved.gone,
        });
    }

    fn undo(&mut self, at: Seq, act: Seq) {
        let mut found = self.proposals.iter_mut();
        let Some(proposal) = found.find(|p| p.answer() == Some(act)) else {
            return;
        };
        let was = std::mem::replace(&mut proposal.standing, Standing::Waiting);
        let never_written = self.open.iter().any(|o| o.act == act);
        self.open.retain(|o| o.act != act);
        if let (Standing::Accepted { line, was, .. }, false) = (was, never_written) {
            self.open.push(Open {
                act: at,
                proposal: proposal.seq,
                line,
                was,
                undoes: Some(act),
            });
        }
    }
}

impl What {
    /// Whether its line goes into the index of pieces and not into the memory.
    pub fn is_index(&self) -> bool {
        *self == Self::Piece
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    fn proposed(text: &str) -> Act {
        Act::Proposed(Proposed {
            session: "0197c0de-7a10-7c3e-9b55-1f2e3d4c5b6a".parse().unwrap(),
            turn: 1,
            call: "c1".into(),
            what: What::Fact,
            text: text.into(),
            reason: "It comes back.".into(),
            about: None,
        })
    }

    fn answered(proposal: Seq, answer: Answer) -> Act {
        let line = (answer == Answer::Accepted).then(|| "- A line.".to_owned());
        Act::Answered(Answered {
            proposal,
            answer,
            text: None,
            line,
            was: None,
        })
    }

    fn saved(act: Option<Seq>) -> Act {
        Act::FileSaved(FileSaved {
            file: "MEMORY.md".into(),
            sha256: "00".into(),
            bytes: 1,
            by: Hand::Accept,
            base: None,
            act,
            gone: false,
        })
    }

    fn binder(acts: Vec<Act>) -> Binder {
        let entries: Vec<_> = acts.into_iter().zip(0..).collect();
        let entries = entries.into_iter().map(|(act, seq)| Entry {
            seq,
            ts: seq.cast_signed(),
            act,
        });
        Binder::of(&entries.collect::<Vec<_>>())
    }

    #[test]
    fn the_first_answer_counts() {
        let binder = binder(vec![
            proposed("One."),
            answered(0, Answer::Refused),
            answered(0, Answer::Accepted),
        ]);
        let standing = Standing::Refused { act: 1, ts: 1 };
        assert_eq!(binder.proposals[0].standing, standing);
        assert_eq!(binder.waiting().count(), 0);
    }

    #[test]
    fn an_accepted_line_is_open_until_its_file_was_written() {
        let accept = answered(0, Answer::Accepted);
        let open = binder(vec![proposed("One."), accept.clone()]).open;
        assert_eq!((open[0].act, open[0].undoes), (1, None));
        let done = binder(vec![proposed("One."), accept, saved(Some(1))]);
        assert!(done.open.is_empty());
        assert_eq!(done.newest("MEMORY.md").map(|v| v.seq), Some(2));
    }

    #[test]
    fn what_is_undone_waits_again_and_its_line_is_to_go() {
        let accept = answered(0, Answer::Accepted);
        let acts = vec![
            proposed("One."),
            accept,
            saved(Some(1)),
            Act::Undone { act: 1 },
        ];
        let binder = binder(acts);
        assert_eq!(binder.waiting().count(), 1);
        let open = &binder.open[0];
        assert_eq!((open.act, open.undoes), (3, Some(1)));
        assert_eq!(open.line, "- A line.");
    }

    #[test]
    fn a_kind_of_a_later_version_is_passed_over() {
        let json = r#"{"seq":4,"ts":1,"kind":"unknown","name":"memory.dreamt"}"#;
        let entry: Entry = serde_json::from_str(json).unwrap();
        let binder = Binder::of(&[entry]);
        assert_eq!((binder.last, binder.proposals.len()), (Some(4), 0));
    }
}

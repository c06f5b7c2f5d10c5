//! The draft of a session, written in the window: an editor made for prose, and how what is typed there is kept.

mod between;
mod caret;
mod draw;
mod early;
mod editor;
mod find;
mod glyph;
mod history;
mod keys;
mod layout;
mod marks;
mod motion;
mod never;
mod page;
mod point;
mod saving;
mod stood;
mod words;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::focus::Pane;
use super::layers::field::Field;
use crate::domain::{Event, Seq, SessionId, Splice};
use crate::text::find::Query;
use crate::text::merge::{merge, merge_typed};
use crate::text::voice::Voice;

pub use draw::Found;
pub use early::{Earlies, Early};
pub use editor::Editor;
use find::FOUND_MAX;
pub use find::{Search, find};
pub use never::Never;
pub use saving::{Owed, Wanted};
pub use stood::{Left, Stood};
pub use words::Words;

use saving::Saving;

/// A draft that was opened.
#[derive(Debug)]
pub struct Draft {
    /// Its text, being written.
    pub editor: Editor,
    /// What is being looked for.
    pub finding: Option<Finding>,
    /// Places of words that were looked for in everything, marked until the text is another.
    pub sought: Search,
    /// What the writer's voice forbids of what is in sight.
    pub never: Never,
    saving: Saving,
}

/// A search, with the fields it is written in.
#[derive(Debug, Default)]
pub struct Finding {
    /// The words looked for.
    pub wanted: Field,
    /// The words to take their place; none while that is not wanted.
    pub with: Option<Field>,
    /// The second field is written in.
    pub in_with: bool,
    /// What was found.
    pub search: Search,
}

impl Finding {
    /// What stands in the field that is written in.
    pub fn written(&self) -> &Field {
        match &self.with {
            Some(with) if self.in_with => with,
            _ => &self.wanted,
        }
    }

    /// The field that is written in.
    pub fn field(&mut self) -> &mut Field {
        match &mut self.with {
            Some(with) if self.in_with => with,
            _ => &mut self.wanted,
        }
    }
}

impl Draft {
    /// A draft as the host gave it.
    pub fn new(text: &str, version: Option<Seq>) -> Self {
        Self {
            editor: Editor::new(text),
            finding: None,
            sought: Search::default(),
            never: Never::default(),
            saving: Saving::new(text, version),
        }
    }

    /// Says that a key may have changed the text.
    pub fn changed(&mut self, now: i64) {
        if self.editor.has_out() {
            self.sought = Search::default();
            self.saving.typed(now);
        }
    }

    /// What was typed is to be sent now.
    pub fn hurry(&mut self) {
        if self.editor.has_out() {
            self.saving.typed(i64::MIN);
        }
    }

    /// What to ask of the host now, if anything.
    pub fn next(&mut self, now: i64) -> Option<Wanted> {
        self.saving.next(&mut self.editor, now)
    }

    /// When that is, milliseconds since 1970.
    pub fn due(&self) -> Option<i64> {
        self.saving.due(&self.editor)
    }

    /// The writer leaves, or comes back.
    pub fn leave(&mut self, leaving: bool) {
        if leaving {
            self.sought = Search::default();
        }
        self.saving.leave(leaving);
    }

    /// Whether words are not with the host yet.
    pub fn is_owed(&self) -> bool {
        self.saving.is_owed(&self.editor)
    }

    /// What the host has not said to have, and what it was made on.
    pub fn owed(&self) -> Option<(Seq, Vec<Splice>)> {
        self.saving.owed(&self.editor)
    }

    /// Whether nothing is on its way and nothing waits.
    pub fn is_done(&self) -> bool {
        self.saving.is_done(&self.editor)
    }

    /// The host took the changes. What `text` has besides was `typed` in other windows, or is another's.
    pub fn taken(&mut self, version: Seq, text: Option<String>, typed: bool) {
        let merging = if typed { merge_typed } else { merge };
        let text = text.map(|text| (text, merging));
        self.saving.taken(&mut self.editor, version, text);
        self.look_again();
    }

    /// The draft as the host has it.
    pub fn fetched(&mut self, text: &str, version: Option<Seq>) {
        self.saving.fetched(&mut self.editor, text, version);
        self.look_again();
    }

    /// What was typed is a version.
    pub fn settled(&mut self) {
        self.saving.settled();
    }

    /// The host did not do what was asked.
    pub fn refused(&mut self, why: &str, stale: bool, now: i64) {
        self.saving.refused(&mut self.editor, why, stale, now);
    }

    /// The host is there again.
    pub fn host_is_there(&mut self) {
        self.saving.host_is_there();
    }

    /// The log tells something.
    pub fn heard(&mut self, event: &Event) {
        self.saving.heard(event);
    }

    /// Whether the host has another text than this, as far as was heard.
    pub fn is_behind(&self) -> bool {
        self.saving.is_behind()
    }

    /// Why the last changes were not taken.
    pub fn trouble(&self) -> Option<&str> {
        self.saving.trouble.as_deref()
    }

    /// Looks for the words again: the text is another.
    pub fn look_again(&mut self) {
        self.sought = Search::default();
        if let Some(finding) = &mut self.finding {
            finding
                .search
                .look(&finding.wanted.text(), &mut self.editor);
        }
    }

    /// Goes to a place of words that were looked for in everything, and marks all of them.
    pub fn seek(&mut self, sought: &Sought) {
        self.finding = None;
        let found = sought.query.places(&self.editor.words().text(), FOUND_MAX);
        self.sought = Search::of(found, sought.at);
        self.sought.show(&mut self.editor);
    }

    /// Opens the line in which words are looked for; the selection is what is looked for first, until another letter
    /// is typed.
    pub fn find(&mut self) {
        let wanted = self.editor.selected().filter(|t| !t.contains('\n'));
        let old = self.finding.take().map(|f| f.wanted);
        let begin = self
            .editor
            .selection()
            .map_or(self.editor.caret(), |r| r.start);
        self.editor.go(begin, false);
        self.finding = Some(Finding {
            wanted: wanted
                .map(|t| Field::selected(&t))
                .or(old)
                .unwrap_or_default(),
            search: Search::begin(&self.editor),
            ..Finding::default()
        });
        self.look_again();
    }

    /// Closes it; what was found last is selected.
    pub fn found(&mut self) {
        let chosen = self.finding.take().map(|f| f.search);
        if let Some(range) = chosen.and_then(|s| s.found.get(s.at?).cloned()) {
            self.editor.select(range);
        }
    }
}

/// The drafts that were opened in this window.
#[derive(Debug, Default)]
pub struct Drafts {
    open: HashMap<SessionId, Draft>,
    /// Where the writer came from.
    pub from: Pane,
    /// Something was written since.
    pub wrote: bool,
    /// The draft stands beside the page where there is room.
    pub stands: bool,
    /// The one that had the focus last.
    pub focus: Option<SessionId>,
    /// Drafts that were asked for.
    pub asked: Vec<SessionId>,
    /// What was typed before the draft came.
    pub early: Earlies,
    /// What a window that closed was not rid of.
    pub kept: Vec<Kept>,
    /// What a draft that has not come yet is to be opened at.
    pub sought: Option<(SessionId, Sought)>,
    /// What drafts are checked for.
    pub checks: Checks,
    /// Where the writer stood in drafts of an earlier window.
    stood: Vec<Stood>,
}

/// Words that were looked for in everything, and where in the draft they were found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sought {
    /// The words.
    pub query: Query,
    /// Bytes before them.
    pub at: usize,
}

/// What drafts are checked for, and what was said of them.
#[derive(Debug, Default)]
pub struct Checks {
    /// The writer's voice: what is never written.
    pub voice: Arc<Voice>,
    /// Sessions whose running turn has written in the draft.
    pub written: HashSet<SessionId>,
    /// What was said last of a draft.
    pub told: HashMap<SessionId, String>,
    /// Finished pieces for which the writer was asked whether the agent shall propose.
    pub asked: HashSet<SessionId>,
}

/// Words that an earlier window was not rid of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    /// What they are.
    pub owed: Owed,
    /// They are on their way.
    pub sent: bool,
}

impl Drafts {
    /// Takes over what an earlier window was not rid of, and how it was left.
    pub fn take_over(&mut self, owed: Vec<Owed>, left: Left) {
        (self.from, self.stands, self.stood) = (left.from, left.stands, left.stood);
        let kept = owed.into_iter().map(|owed| Kept { owed, sent: false });
        self.kept.extend(kept);
    }

    /// How they stand, to be kept.
    pub fn left(&self) -> Left {
        let now = self.open.iter();
        let mut now: Vec<Stood> = now
            .filter_map(|(session, draft)| Stood::of(*session, &draft.editor))
            .collect();
        now.sort_by_key(|stood| (Some(stood.session) == self.focus, stood.session));
        Left {
            from: self.from,
            stands: self.stands,
            stood: stood::all(&self.stood, now, |s| self.open.contains_key(&s)),
        }
    }

    /// All that the host has not said to have.
    pub fn owed(&self) -> Vec<Owed> {
        let kept = self.kept.iter().map(|kept| kept.owed.clone());
        let typed = self.open.iter().filter_map(|(session, draft)| {
            let (session, (base, splices)) = (*session, draft.owed()?);
            Some(Owed {
                session,
                base,
                splices,
            })
        });
        kept.chain(typed).collect()
    }

    /// The draft of a session, once the host has given it.
    pub fn get(&self, session: SessionId) -> Option<&Draft> {
        self.open.get(&session)
    }

    /// The draft of a session.
    pub fn get_mut(&mut self, session: SessionId) -> Option<&mut Draft> {
        self.open.get_mut(&session)
    }

    /// Keeps a draft that the host gave; the writer stands where an earlier window was left.
    pub fn put(&mut self, session: SessionId, mut draft: Draft) {
        let stood = self.stood.iter().rev().find(|s| s.session == session);
        if let Some(stood) = stood {
            let at = stood.place_in(&draft.editor.words().text());
            draft.editor.stand(at, stood.above);
        }
        self.open.insert(session, draft);
    }

    /// All of them.
    pub fn every_mut(&mut self) -> impl Iterator<Item = (SessionId, &mut Draft)> {
        self.open.iter_mut().map(|(id, draft)| (*id, draft))
    }

    /// All of them.
    pub fn every(&self) -> impl Iterator<Item = &Draft> {
        self.open.values()
    }
}

//! How typed words reach the host: one request under way at a time, the next at most a moment after the first word it
//! is about. What others write meanwhile is merged by paragraph; where both wrote, the writer's words stand and theirs
//! stand beside.

use ropey::Rope;
use serde::{Deserialize, Serialize};

use super::between::splices;
use super::editor::Editor;
use crate::domain::{Event, Kind, Seq, SessionId, Splice};
use crate::text::hash::sha256;
use crate::text::merge::{Merged, merge};

/// How long a typed word waits for others to go with it, milliseconds.
const WAIT: i64 = 700;
/// How long what was refused waits before it is tried again, milliseconds.
const RETRY: i64 = 3_000;

/// How two texts of one become one.
pub(super) type Merging = fn(&str, &str, &str) -> Merged;

/// What is to be asked of the host next.
#[derive(Clone, PartialEq, Debug)]
pub enum Wanted {
    /// Changes, made on that event's draft.
    Edit(Seq, Vec<Splice>),
    /// The draft as it is now.
    Draft,
    /// That what was typed becomes a version.
    Settle,
}

/// Typed changes that the host has not said to have, to be sent again whenever there is one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Owed {
    /// Of.
    pub session: SessionId,
    /// The draft's event that they were made on.
    pub base: Seq,
    /// What was typed.
    pub splices: Vec<Splice>,
}

/// What is under way.
#[derive(Debug, Default)]
enum Way {
    #[default]
    Nothing,
    /// Changes, and the text they made.
    Edit(Vec<Splice>, Rope),
    Draft,
    Settle,
}

/// What the host knows of a draft, as far as the window knows that.
#[derive(Debug, Default)]
pub(super) struct Saving {
    /// The draft's event that `known` is.
    base: Seq,
    known: Rope,
    way: Way,
    /// When what was typed is to be sent.
    due: Option<i64>,
    /// When it may be tried again.
    retry: i64,
    /// The newest event of the draft that was heard of and is not `base`.
    newer: Option<Seq>,
    /// Something was sent and is no version yet.
    loose: bool,
    /// The writer leaves: everything is to be sent and made a version.
    leaving: bool,
    /// Why the last changes were not taken, for a writer.
    pub(super) trouble: Option<String>,
    /// The draft that the words were made on cannot be had: they are put on the newest one first.
    stale: bool,
}

impl Saving {
    /// Begins with the draft as the host gave it.
    pub(super) fn new(text: &str, version: Option<Seq>) -> Self {
        Self {
            base: version.unwrap_or_default(),
            known: Rope::from_str(text),
            ..Self::default()
        }
    }

    /// The writer changed something.
    pub(super) fn typed(&mut self, now: i64) {
        let due = now.saturating_add(WAIT);
        self.due = Some(self.due.map_or(due, |at| at.min(due)));
    }

    /// The writer leaves the draft, or comes back to it.
    pub(super) fn leave(&mut self, leaving: bool) {
        self.leaving = leaving;
    }

    /// When something is to be asked; none while it cannot be, or need not.
    pub(super) fn due(&self, editor: &Editor) -> Option<i64> {
        if !matches!(self.way, Way::Nothing) {
            return None;
        }
        let sends = self.sends(editor);
        let now = self.newer.is_some() || self.leaving && (self.loose || sends);
        let at = if now {
            Some(0)
        } else {
            self.due.filter(|_| sends)
        };
        at.map(|at| at.max(self.retry))
    }

    /// Whether there are words that can be sent as they are.
    fn sends(&self, editor: &Editor) -> bool {
        editor.has_out() && !self.stale && editor.locked().is_none()
    }

    /// What the host has not said to have, and what it was made on.
    pub(super) fn owed(&self, editor: &Editor) -> Option<(Seq, Vec<Splice>)> {
        let mut owed = match &self.way {
            Way::Edit(sent, _) => sent.clone(),
            _ => Vec::new(),
        };
        owed.extend_from_slice(editor.out());
        (!owed.is_empty()).then_some((self.base, owed))
    }

    /// Whether the host has another text, as far as was heard.
    pub(super) fn is_behind(&self) -> bool {
        self.newer.is_some()
    }

    /// Whether words are not with the host yet.
    pub(super) fn is_owed(&self, editor: &Editor) -> bool {
        editor.has_out() || matches!(self.way, Way::Edit(..))
    }

    /// Whether everything was sent and answered.
    pub(super) fn is_done(&self, editor: &Editor) -> bool {
        matches!(self.way, Way::Nothing) && !editor.has_out() && !(self.leaving && self.loose)
    }

    /// What to ask now, if anything; it counts as asked.
    pub(super) fn next(&mut self, editor: &mut Editor, now: i64) -> Option<Wanted> {
        if self.due(editor)? > now {
            return None;
        }
        if self.sends(editor) {
            let out = editor.take_out();
            self.due = None;
            self.way = Way::Edit(out.clone(), editor.words().rope().clone());
            return Some(Wanted::Edit(self.base, out));
        }
        if self.newer.is_some() {
            self.way = Way::Draft;
            return Some(Wanted::Draft);
        }
        self.way = Way::Settle;
        Some(Wanted::Settle)
    }

    /// The changes are in the log. `text` is the draft when it is another than they made, and how what was typed since
    /// is merged with it.
    pub(super) fn taken(
        &mut self,
        editor: &mut Editor,
        version: Seq,
        text: Option<(String, Merging)>,
    ) {
        let Way::Edit(_, after) = std::mem::take(&mut self.way) else {
            return;
        };
        (self.loose, self.trouble) = (true, None);
        if let Some((theirs, merging)) = text {
            self.put_on(editor, &after.to_string(), (&theirs, merging), version);
        } else {
            (self.base, self.known) = (version, after);
        }
        self.newer = self.newer.filter(|seq| *seq > version);
    }

    /// The draft as the host has it.
    pub(super) fn fetched(&mut self, editor: &mut Editor, text: &str, version: Option<Seq>) {
        let stale = self.stale;
        if matches!(self.way, Way::Draft) {
            self.way = Way::Nothing;
            self.newer = None;
            self.stale = false;
        }
        let version = version.unwrap_or_default();
        if !matches!(self.way, Way::Nothing) || version < self.base {
            return;
        }
        if stale {
            let mine = editor.words().text();
            let merged = merge(&self.known.to_string(), &mine, text);
            self.stand_on(editor, (&mine, &merged.text), text, version);
        } else {
            let known = self.known.to_string();
            self.put_on(editor, &known, (text, merge), version);
        }
    }

    /// Puts the writer's text, made from `from`, on another one. Where both changed the same paragraphs the host is to
    /// decide, on the draft that the writer's words were made on: so both texts are in the log, and every window is told.
    fn put_on(
        &mut self,
        editor: &mut Editor,
        from: &str,
        (theirs, merging): (&str, Merging),
        version: Seq,
    ) {
        let mine = editor.words().text();
        let merged = merging(from, &mine, theirs);
        if merged.conflicts.is_empty() {
            return self.stand_on(editor, (&mine, &merged.text), theirs, version);
        }
        editor.set_out(splices(&self.known.to_string(), &mine));
        self.due = Some(0);
    }

    /// The editor's text becomes `both`, made on that version.
    fn stand_on(
        &mut self,
        editor: &mut Editor,
        (mine, both): (&str, &str),
        theirs: &str,
        version: Seq,
    ) {
        editor.take_in(&splices(mine, both));
        editor.set_out(splices(theirs, both));
        (self.base, self.known) = (version, Rope::from_str(theirs));
    }

    /// It is a version now.
    pub(super) fn settled(&mut self) {
        if matches!(self.way, Way::Settle) {
            self.way = Way::Nothing;
            self.loose = false;
        }
    }

    /// What was asked was not done: the words wait, to be sent again on the draft they were made on. A host that is
    /// merging takes them twice for once.
    /// Changes that are `stale` are not: they go on the newest draft.
    pub(super) fn refused(&mut self, editor: &mut Editor, why: &str, stale: bool, now: i64) {
        let again = self.trouble.is_some();
        match std::mem::take(&mut self.way) {
            Way::Edit(mut sent, _) => {
                sent.extend(editor.take_out());
                editor.set_out(sent);
                self.due = Some(now);
                self.trouble = Some(why.to_owned());
                if stale {
                    self.stale = true;
                    self.newer.get_or_insert(self.base);
                }
            }
            Way::Settle => self.loose = false,
            Way::Draft => (self.newer, self.stale) = (None, false),
            Way::Nothing => {}
        }
        self.retry = if self.stale && !again {
            now
        } else {
            now + RETRY
        };
    }

    /// The host is there again: what waited goes at once.
    pub(super) fn host_is_there(&mut self) {
        self.retry = 0;
        self.trouble = None;
        // What changed while it was away is found out.
        self.newer.get_or_insert(self.base);
    }

    /// Takes in what the log tells of the draft.
    pub(super) fn heard(&mut self, event: &Event) {
        match &event.kind {
            _ if event.seq <= self.base => {}
            Kind::DraftSaved { sha256: hash, .. } => {
                let same = matches!(self.way, Way::Nothing | Way::Settle);
                if same && *hash == sha256(self.known.to_string().as_bytes()) {
                    self.base = event.seq;
                    self.loose = false;
                } else {
                    self.newer = self.newer.max(Some(event.seq));
                }
            }
            Kind::DraftEdited { .. } => self.newer = self.newer.max(Some(event.seq)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::domain::event::By;
    use crate::domain::splice::spliced;
    use crate::text::merge::merge_typed;

    fn at(text: &str) -> (Editor, Saving) {
        (Editor::new(text), Saving::new(text, Some(4)))
    }

    fn typed(editor: &mut Editor, saving: &mut Saving, text: &str, now: i64) {
        for c in text.chars() {
            editor.type_text(&c.to_string(), now);
        }
        saving.typed(now);
    }

    fn saved(seq: Seq, text: &str, by: By) -> Event {
        let kind = Kind::DraftSaved {
            turn: None,
            sha256: sha256(text.as_bytes()),
            bytes: 0,
            words: 0,
            by,
            base: None,
            added: 0,
            removed: 0,
            beside: None,
            from: None,
            rest: false,
        };
        Event { seq, ts: 0, kind }
    }

    #[test]
    fn what_is_typed_goes_within_a_second_and_one_after_the_other() {
        let (mut editor, mut saving) = at("One.");
        typed(&mut editor, &mut saving, "ab", 10);
        typed(&mut editor, &mut saving, "c", 600);
        assert_eq!(saving.next(&mut editor, 600), None);
        let Some(Wanted::Edit(4, sent)) = saving.next(&mut editor, 1_000) else {
            panic!()
        };
        assert_eq!(spliced("One.", &sent).unwrap(), "abcOne.");
        typed(&mut editor, &mut saving, "d", 1_000);
        assert_eq!(saving.next(&mut editor, 9_000), None);
        saving.taken(&mut editor, 5, None);
        let Some(Wanted::Edit(5, sent)) = saving.next(&mut editor, 9_000) else {
            panic!()
        };
        assert_eq!(spliced("abcOne.", &sent).unwrap(), "abcdOne.");
    }

    #[test]
    fn what_others_wrote_elsewhere_comes_in_and_the_words_on_their_way_stay() {
        let (mut editor, mut saving) = at("One.\n\nTwo.\n");
        typed(&mut editor, &mut saving, "a", 0);
        let Some(Wanted::Edit(4, _)) = saving.next(&mut editor, 1_000) else {
            panic!()
        };
        typed(&mut editor, &mut saving, "b", 1_000);
        let theirs = "aOne.\n\nTwo, they say.\n".to_owned();
        saving.taken(&mut editor, 7, Some((theirs.clone(), merge)));
        assert_eq!(editor.words().text(), "abOne.\n\nTwo, they say.\n");
        assert_eq!(editor.caret(), 2);
        let Some(Wanted::Edit(7, sent)) = saving.next(&mut editor, 3_000) else {
            panic!()
        };
        assert_eq!(spliced(&theirs, &sent).unwrap(), editor.words().text());
    }

    #[test]
    fn where_both_wrote_the_host_decides_on_the_draft_the_words_were_made_on() {
        let (mut editor, mut saving) = at("One.\n\nTwo.\n");
        saving.heard(&saved(6, "One.\n\nTwo!\n", By::Agent("claude".into())));
        assert_eq!(saving.next(&mut editor, 0), Some(Wanted::Draft));
        editor.go(6, false);
        typed(&mut editor, &mut saving, "a", 10);
        saving.fetched(&mut editor, "One.\n\nTwo!\n", Some(6));
        assert_eq!(editor.words().text(), "One.\n\naTwo.\n");
        let Some(Wanted::Edit(4, sent)) = saving.next(&mut editor, 20) else {
            panic!()
        };
        assert_eq!(spliced("One.\n\nTwo.\n", &sent).unwrap(), "One.\n\naTwo.\n");
        saving.taken(&mut editor, 8, None);
        assert_eq!(editor.words().text(), "One.\n\naTwo.\n");
        assert_eq!(saving.due(&editor), None);
    }

    #[test]
    fn words_typed_behind_those_on_their_way_stay_beside_what_another_window_typed_in_the_paragraph()
     {
        let (mut editor, mut saving) = at("The ferry was late.");
        editor.go(19, false);
        typed(&mut editor, &mut saving, " It", 0);
        saving.next(&mut editor, 1_000).unwrap();
        typed(&mut editor, &mut saving, " rained", 1_000);
        let both = "The old ferry was late. It".to_owned();
        saving.taken(&mut editor, 8, Some((both.clone(), merge_typed)));
        assert_eq!(editor.words().text(), "The old ferry was late. It rained");
        assert_eq!(editor.caret(), editor.words().len());
        let Some(Wanted::Edit(8, sent)) = saving.next(&mut editor, 2_000) else {
            panic!()
        };
        assert_eq!(
            spliced(&both, &sent).unwrap(),
            "The old ferry was late. It rained"
        );
    }

    #[test]
    fn words_typed_behind_those_on_their_way_meet_a_change_of_their_paragraph_in_the_host() {
        let (mut editor, mut saving) = at("One.\n\nTwo.\n");
        typed(&mut editor, &mut saving, "a", 0);
        saving.next(&mut editor, 1_000).unwrap();
        editor.go(7, false);
        typed(&mut editor, &mut saving, "b", 1_000);
        saving.taken(&mut editor, 8, Some(("aOne.\n\nTwo!\n".to_owned(), merge)));
        assert_eq!(editor.words().text(), "aOne.\n\nbTwo.\n");
        let Some(Wanted::Edit(4, sent)) = saving.next(&mut editor, 1_000) else {
            panic!()
        };
        assert_eq!(
            spliced("One.\n\nTwo.\n", &sent).unwrap(),
            "aOne.\n\nbTwo.\n"
        );
    }

    #[test]
    fn what_was_refused_waits_and_goes_again_on_the_same_draft() {
        let (mut editor, mut saving) = at("One.");
        typed(&mut editor, &mut saving, "a", 0);
        saving.next(&mut editor, 1_000).unwrap();
        typed(&mut editor, &mut saving, "b", 1_000);
        saving.refused(&mut editor, "The host is gone.", false, 2_000);
        assert_eq!(saving.next(&mut editor, 2_500), None);
        saving.host_is_there();
        let Some(Wanted::Edit(4, sent)) = saving.next(&mut editor, 2_500) else {
            panic!()
        };
        assert_eq!(spliced("One.", &sent).unwrap(), "abOne.");
    }

    #[test]
    fn leaving_sends_all_and_then_makes_it_a_version() {
        let (mut editor, mut saving) = at("One.");
        typed(&mut editor, &mut saving, "a", 0);
        saving.leave(true);
        assert!(matches!(
            saving.next(&mut editor, 0),
            Some(Wanted::Edit(4, _))
        ));
        saving.taken(&mut editor, 5, None);
        assert_eq!(saving.next(&mut editor, 0), Some(Wanted::Settle));
        saving.settled();
        assert!(saving.is_done(&editor));
        assert_eq!(saving.due(&editor), None);
    }

    #[test]
    fn an_own_version_is_no_news_and_one_by_others_is_fetched() {
        let (mut editor, mut saving) = at("One.");
        saving.heard(&saved(5, "One.", By::You));
        assert_eq!(saving.next(&mut editor, 0), None);
        saving.heard(&saved(6, "Two.", By::Outside));
        assert_eq!(saving.next(&mut editor, 0), Some(Wanted::Draft));
        saving.fetched(&mut editor, "Two.", Some(6));
        assert_eq!(editor.words().text(), "Two.");
        assert_eq!(saving.due(&editor), None);
    }

    #[test]
    fn words_whose_draft_cannot_be_had_are_put_on_the_newest_one() {
        let (mut editor, mut saving) = at("One.\n\nTwo.\n");
        typed(&mut editor, &mut saving, "a", 0);
        saving.next(&mut editor, 1_000).unwrap();
        saving.refused(
            &mut editor,
            "The draft was not UTF-8 text then.",
            true,
            2_000,
        );
        assert_eq!(saving.next(&mut editor, 2_000), Some(Wanted::Draft));
        saving.fetched(&mut editor, "One.\n\nTwo, they say.\n", Some(9));
        assert_eq!(editor.words().text(), "aOne.\n\nTwo, they say.\n");
        assert!(matches!(
            saving.next(&mut editor, 2_000),
            Some(Wanted::Edit(9, _))
        ));
    }
}

//! Deeds taken back, and done again: which one a key reaches, and what is said of it.

use super::App;
use crate::domain::ask::{Deed, DrawerDeed, Refiled, Undone, Which};
use crate::domain::head::{self, Was};
use crate::domain::{Change, CollectionId, Request, Seq, SessionId};
use crate::text::change::once_more;
use crate::text::{counted, one_line};
use crate::ui::asks::{Filing, Purpose};
use crate::ui::focus::Pane;
use crate::ui::input::Effect;
use crate::ui::layers::Wish;
use crate::ui::layers::confirm::Confirm;
use crate::ui::panes::age;
use crate::ui::transcript::clock;

/// How long ago a deed may be of which it is not said when it was, milliseconds.
const JUST_NOW: i64 = 2 * 60 * 1_000;

/// What the next undo takes back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Undo {
    /// The newest deed of a session.
    Session(SessionId),
    /// A change of what a collection says of itself, by its number; the newest when none.
    Shelf(CollectionId, Option<Seq>),
    /// The adoption of a session. Where a turn is in the way it is tried again.
    Main(SessionId),
}

impl Undo {
    /// Whether it is about a collection, not a session.
    const fn is_of_shelf(&self) -> bool {
        matches!(self, Self::Shelf(..))
    }
}

/// What was done in this window.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// To be undone, the newest last.
    pub(super) undo: Vec<Undo>,
    /// What was undone here, to be done again, the newest last.
    redo: Vec<Undo>,
}

impl Done {
    /// Something was done: what was undone before is done again no more.
    pub(super) fn push(&mut self, undo: Undo) {
        self.redo.clear();
        self.undo.push(undo);
    }
}

impl App {
    /// Undoes what this window did last, else the newest deed of what is at hand.
    pub(in crate::ui) fn undo_deed(&mut self) -> Vec<Effect> {
        let Some(undo) = self.take_undo() else {
            self.say("There is nothing to undo here.");
            return Vec::new();
        };
        vec![self.go_back(undo, false)]
    }

    /// Does again what was undone last in this window, else what was undone last in what is at hand.
    pub(in crate::ui) fn redo_deed(&mut self) -> Vec<Effect> {
        let last = self.in_reach(&self.list.done.redo);
        let last = last.map(|at| self.list.done.redo.remove(at));
        let of_shelf = last.or_else(|| self.undo_of_shelf());
        let Some(undo) = of_shelf.or_else(|| self.at_hand().map(Undo::Session)) else {
            self.say("There is nothing to do again here.");
            return Vec::new();
        };
        vec![self.go_back(undo, true)]
    }

    fn go_back(&mut self, undo: Undo, again: bool) -> Effect {
        match undo {
            Undo::Session(session) => self.go_back_in(session, again, false),
            Undo::Main(session) => self.go_back_in(session, again, true),
            Undo::Shelf(collection, only) => {
                let which = Which { only, asks: true };
                let purpose = Purpose::Drawer(Filing::Undone);
                self.ask(refiling(collection, which, again), purpose)
            }
        }
    }

    fn go_back_in(&mut self, session: SessionId, again: bool, stays: bool) -> Effect {
        let deed = if again {
            Deed::Redo(Which::NEW)
        } else {
            Deed::Undo(Which::NEW)
        };
        let request = Request::Do { session, deed };
        self.ask(request, Purpose::Undone(session, stays && !again))
    }

    /// What an undo takes back.
    fn take_undo(&mut self) -> Option<Undo> {
        let last = self.in_reach(&self.list.done.undo);
        let last = last.map(|at| self.list.done.undo.remove(at));
        let of_shelf = last.or_else(|| self.undo_of_shelf());
        let none = self.pane == Pane::Drawer;
        of_shelf.or_else(|| self.at_hand().filter(|_| !none).map(Undo::Session))
    }

    /// The last of some deeds that a key reaches. In the drawer no session is marked: only what was done to collections;
    /// on the page of a collection nothing that was done to another.
    fn in_reach(&self, deeds: &[Undo]) -> Option<usize> {
        let page = self.shelf_page().map(|page| &page.collection);
        deeds.iter().rposition(|undo| match (undo, page) {
            (Undo::Shelf(id, _), Some(page)) => id == page,
            (undo, None) if self.pane == Pane::Drawer => undo.is_of_shelf(),
            _ => true,
        })
    }

    /// Whether there is anything to undo, as far as that is known here.
    pub(in crate::ui) fn can_undo(&self) -> bool {
        self.in_reach(&self.list.done.undo).is_some()
            || self.undo_of_shelf().is_some()
            || (self.pane != Pane::Drawer && self.may_have(|head| !head.deeds.is_empty()))
    }

    /// Whether the session at hand is known to have a version of its draft.
    pub(in crate::ui) fn has_versions(&self) -> bool {
        let here = self.at_hand().filter(|_| self.pane != Pane::Drawer);
        let desk = here.and_then(|s| self.desks.get(s)).filter(|d| d.is_live());
        desk.is_some_and(|d| d.transcript.head().draft.is_some())
    }

    /// Whether there is anything to do again, as far as that is known here.
    pub(in crate::ui) fn can_redo(&self) -> bool {
        self.in_reach(&self.list.done.redo).is_some()
            || self.may_have(|head| !head.undone.is_empty())
    }

    /// Whether something is true of the session at hand, or not known to be untrue.
    fn may_have(&self, has: impl Fn(&head::Head) -> bool) -> bool {
        let known = |s| self.desks.get(s).filter(|d| d.is_live());
        self.at_hand()
            .is_some_and(|s| known(s).is_none_or(|d| has(d.transcript.head())))
    }

    /// A session that lay in the trash is back.
    pub(super) fn out_of_trash(&mut self, session: SessionId) {
        self.rows.await_back(session);
        let title = self.title_of(session);
        self.say(format!("“{title}” is back."));
    }

    /// A deed was undone, or done again; or the writer is asked first, as it is of an earlier sitting.
    pub(super) fn undone(&mut self, purpose: &Purpose, undone: &Undone) -> Vec<Effect> {
        let Purpose::Undone(session, _) = *purpose else {
            return Vec::new();
        };
        if undone.asked {
            return self.ask_of_older(session, undone);
        }
        if self.pane != Pane::View {
            self.rows.await_back(session);
        }
        // What was taken back stands in the draft again.
        self.undecide();
        let said = self.told_of(session, undone);
        let done = &mut self.list.done;
        let back = if undone.again {
            done.undo.push(match undone.deed.was {
                Was::Main(_) => Undo::Main(session),
                _ => Undo::Session(session),
            });
            self.undoes()
        } else {
            done.redo.push(Undo::Session(session));
            let key = self.key_or_title("session.redo");
            format!("{key} does it again.")
        };
        self.say(format!("{said} {back}"));
        Vec::new()
    }

    /// An undo, or a redo, was refused. An adoption can be undone later.
    pub(super) fn not_undone(&mut self, session: SessionId, stays: bool) {
        if stays {
            self.list.done.undo.push(Undo::Main(session));
        }
    }

    /// What is older than this sitting is named, with its date, before it is touched.
    fn ask_of_older(&mut self, session: SessionId, undone: &Undone) -> Vec<Effect> {
        let Undone { deed, again, .. } = undone;
        let title = self.title_of(session);
        let (at, ago) = (self.clock_of(deed.at), age(self.now() - deed.at));
        let then = self.brought_back(session, deed, *again);
        let text = if *again {
            format!(
                "What was undone last in “{title}” was undone {at}, {ago} ago. Do it again, so that {then}?"
            )
        } else {
            format!(
                "What was done last in “{title}” was done {at}, {ago} ago. Undo it, so that {then}?"
            )
        };
        if !self.layers.is_empty() {
            // A key that is held asks once.
            return Vec::new();
        }
        let which = Which {
            only: Some(deed.seq),
            asks: false,
        };
        let deed = if *again {
            Deed::Redo(which)
        } else {
            Deed::Undo(which)
        };
        let request = Request::Do { session, deed };
        let yes = Wish::Ask(request, Purpose::Undone(session, false));
        self.push(Confirm::older(text, yes));
        Vec::new()
    }

    /// A change of a collection was undone, or made again; or the writer is asked first.
    pub(super) fn refiled(&mut self, refiled: &Refiled) -> Vec<Effect> {
        let collection = refiled.collection.clone();
        let title = one_line(self.rows.collection_title(&collection));
        let then = once_more(&refiled.to);
        let only = Some(refiled.deed);
        let at = self.clock_of(refiled.at);
        if refiled.asked {
            if !self.layers.is_empty() {
                // A key that is held asks once.
                return Vec::new();
            }
            let (done, back) = if refiled.again {
                ("undone", "Do it again")
            } else {
                ("done", "Undo it")
            };
            let text = format!("What was {done} in “{title}”, {at}: {back}, so that {then}?");
            let which = Which { only, asks: false };
            let request = refiling(collection, which, refiled.again);
            let yes = Wish::Ask(request, Purpose::Drawer(Filing::Undone));
            self.push(match refiled.to {
                Change::Allow(_) => Confirm::rights(text, yes),
                _ => Confirm::older(text, yes),
            });
            return Vec::new();
        }
        let undo = Undo::Shelf(collection, only);
        let (did, back) = if refiled.again {
            self.list.done.undo.push(undo);
            ("Done again", self.undoes())
        } else {
            self.list.done.redo.push(undo);
            let key = self.key_or_title("session.redo");
            ("Taken back", format!("{key} does it again."))
        };
        let when = match self.now() - refiled.at {
            ago if ago < JUST_NOW => String::new(),
            _ => format!(", {at}"),
        };
        self.say(format!("{did} in “{title}”{when}: {then}. {back}"));
        Vec::new()
    }

    /// What is said when it is done.
    fn told_of(&self, session: SessionId, undone: &Undone) -> String {
        let Undone { deed, again, .. } = undone;
        let title = self.title_of(session);
        let then = self.brought_back(session, deed, *again);
        let when = match self.now() - deed.at {
            ago if ago < JUST_NOW => String::new(),
            _ => format!(", {}", self.clock_of(deed.at)),
        };
        let did = if *again { "Done again" } else { "Taken back" };
        format!("{did} in “{title}”{when}: {then}.")
    }

    fn clock_of(&self, at: i64) -> String {
        clock(at, self.now(), &self.settings.zone)
    }

    /// How it is then, as part of a sentence.
    fn brought_back(&self, session: SessionId, deed: &head::Deed, again: bool) -> String {
        match &deed.was {
            Was::Title(Some(title)) => format!("its title is “{}” again", one_line(title)),
            Was::Title(None) => "its title is its first words again".to_owned(),
            Was::Tags(tags) if tags.is_empty() => "it has no tags again".to_owned(),
            Was::Tags(tags) => format!("its tags are #{} again", tags.join(" #")),
            Was::Stage(Some(stage)) => format!("its stage is {} again", stage.word()),
            Was::Stage(None) => "it has no stage again".to_owned(),
            Was::Chosen(Some(chosen)) => format!("{} writes it again", chosen.agent),
            Was::Chosen(None) => "its agent is the one before again".to_owned(),
            Was::Shelf { archived: true, .. } => "it is in the archive again".to_owned(),
            Was::Shelf { .. } => "it is in the list again".to_owned(),
            Was::Draft(version) => {
                let words = |v: Option<&head::Version>| v.map_or(0, |v| v.words);
                let draft = drafts(words(deed.is.as_ref()), words(version.as_ref()));
                match deed.decided.as_ref().filter(|_| !again) {
                    Some(waits) => {
                        let agent = one_line(&waits.agent);
                        format!("{draft}, and what {agent} proposed waits again")
                    }
                    None => draft,
                }
            }
            Was::Proposed(was) => {
                let agent = one_line(&was.agent);
                if again {
                    format!("what {agent} proposed is decided again")
                } else {
                    format!("what {agent} proposed waits again")
                }
            }
            Was::Named {
                name: Some(name), ..
            } => format!("that version is called “{}” again", one_line(name)),
            Was::Named { .. } => "that version has no name again".to_owned(),
            Was::Place(place) => {
                format!("it lies in “{}” again", self.rows.collection_title(place))
            }
            Was::Main(main) => {
                let main = if again { session } else { *main };
                let name = self.rows.get(main).map(|row| self.rows.name_of(row));
                let name = one_line(name.unwrap_or_default());
                format!("the main line is “{name}” again")
            }
        }
    }
}

fn refiling(collection: CollectionId, which: Which, again: bool) -> Request {
    let deed = if again {
        DrawerDeed::Redo { collection, which }
    } else {
        DrawerDeed::Undo { collection, which }
    };
    Request::Drawer { deed }
}

/// What becomes of a draft, by its words before and after.
fn drafts(was: u64, is: u64) -> String {
    match (was, is) {
        (was, 0) => format!(
            "its draft, which had {}, is empty again",
            counted(was, "word")
        ),
        (was, is) if was == is => format!("its draft is as it was, {} again", counted(is, "word")),
        (was, is) => format!("its draft has {} again, not {was}", counted(is, "word")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_undo_of_a_draft_says_its_words_before_and_after() {
        assert_eq!(
            drafts(222, 0),
            "its draft, which had 222 words, is empty again"
        );
        assert_eq!(drafts(1, 987), "its draft has 987 words again, not 1");
        assert_eq!(drafts(9, 9), "its draft is as it was, 9 words again");
    }
}

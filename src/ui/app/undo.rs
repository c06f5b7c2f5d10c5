//! Deeds taken back, and done again: which one a key reaches, and what is said of it.

mod told;

use super::App;
use crate::domain::ask::{Deed, DrawerDeed, Refiled, Undone, Which};
use crate::domain::head::{self, Was};
use crate::domain::{Change, CollectionId, Request, Seq, SessionId};
use crate::text::change::once_more;
use crate::text::one_line;
use crate::ui::asks::{Filing, Purpose};
use crate::ui::compare::View;
use crate::ui::focus::Pane;
use crate::ui::input::Effect;
use crate::ui::layers::Wish;
use crate::ui::layers::confirm::Confirm;
use crate::ui::panes::age;

/// How long ago a deed may be of which it is not said when it was, milliseconds.
const JUST_NOW: i64 = 2 * 60 * 1_000;

/// How long ago a deed in another piece may be to be asked about, milliseconds: what is older is not what the writer
/// did last before coming back, and what the sample tells of is nobody's.
const FAR: i64 = 24 * 60 * 60 * 1_000;

/// What the next undo takes back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Undo {
    /// The newest deed of a session.
    Session(SessionId),
    /// A change of what a collection says of itself, by its number; the newest when none.
    Shelf(CollectionId, Option<Seq>),
    /// The adoption of a session. Where a turn is in the way it is tried again.
    Main(SessionId),
    /// What no key takes back: why, said in place of undoing what was done before it.
    Stays(String),
}

/// What was done in this window.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// To be undone, the newest last.
    pub(super) undo: Vec<Undo>,
    /// What was undone here, to be done again, the newest last.
    redo: Vec<Undo>,
    /// Deeds of other pieces that were asked about, each by its session and when it was done: asked once.
    asked: Vec<(SessionId, i64)>,
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
        // Asked before this window's own deed is taken: where it has one, nothing is done elsewhere.
        let elsewhere = self.last_elsewhere();
        let Some(undo) = self.take_undo() else {
            self.say("There is nothing to undo here.");
            return Vec::new();
        };
        if let Undo::Session(session) | Undo::Main(session) = undo
            && (elsewhere.is_some_and(|last| last.0 == session)
                || self.is_out_of_view(session)
                || self.only_reads())
        {
            // Asked once about all of them: with a no the next key is about what is at hand.
            self.list.done.undo.retain(|deed| *deed != undo);
            let which = Which {
                names: true,
                ..Which::NEW
            };
            return vec![self.go_back_in(session, which, false, false)];
        }
        if let Undo::Stays(why) = undo {
            let key = self.key_or_title("session.undo");
            self.say(format!(
                "{why} The next {key} goes on to what was done before it."
            ));
            return Vec::new();
        }
        self.go_back(undo, false).into_iter().collect()
    }

    /// Whether two texts are on screen, or the versions of one, and none of them is of this session.
    fn is_out_of_view(&self, session: SessionId) -> bool {
        let view = self.desks.views.top().filter(|_| self.pane == Pane::View);
        view.is_some_and(|view| {
            let sides = view.sides();
            !sides.is_empty()
                && view.session() != Some(session)
                && sides.iter().all(|side| side.session != session)
        })
    }

    /// Whether one paragraph is read in several texts: what is picked there closes the view, so nothing was done in it.
    fn only_reads(&self) -> bool {
        let view = self.desks.views.top().filter(|_| self.pane == Pane::View);
        matches!(view, Some(View::Others(_)))
    }

    /// Does again what was undone last in this window, else what was undone last in what is at hand.
    pub(in crate::ui) fn redo_deed(&mut self) -> Vec<Effect> {
        let last = self.in_reach(&self.list.done.redo);
        let last = last.map(|at| self.list.done.redo.remove(at));
        let of_shelf = last.or_else(|| self.undo_of_shelf());
        let Some(undo) = of_shelf.or_else(|| self.session_at_hand()) else {
            self.say("There is nothing to do again here.");
            return Vec::new();
        };
        self.go_back(undo, true).into_iter().collect()
    }

    fn go_back(&mut self, undo: Undo, again: bool) -> Option<Effect> {
        Some(match undo {
            Undo::Session(session) => {
                let which = Which {
                    names: !again && self.goes_on_in_drawer(),
                    ..Which::NEW
                };
                self.go_back_in(session, which, again, false)
            }
            Undo::Main(session) => self.go_back_in(session, Which::NEW, again, true),
            Undo::Stays(_) => return None,
            Undo::Shelf(collection, only) => {
                let which = Which {
                    only,
                    asks: true,
                    names: !again && self.reaches_over(&collection),
                };
                let purpose = Purpose::Drawer(Filing::Undone);
                self.ask(refiling(collection, which, again), purpose)
            }
        })
    }

    /// Whether an undo in the drawer is of another collection than the one at hand, and not of what was done last.
    fn reaches_over(&self, collection: &CollectionId) -> bool {
        let other = self.shelf_at_hand().as_ref() != Some(collection);
        other && self.goes_on_in_drawer()
    }

    /// Whether an undo in the drawer goes on to what was done before the last.
    fn goes_on_in_drawer(&self) -> bool {
        self.pane == Pane::Drawer && !self.list.done.redo.is_empty()
    }

    fn go_back_in(&mut self, session: SessionId, which: Which, again: bool, stays: bool) -> Effect {
        let deed = if again {
            Deed::Redo(which)
        } else {
            Deed::Undo(which)
        };
        let request = Request::Do { session, deed };
        self.ask(request, Purpose::Undone(session, stays && !again))
    }

    /// What an undo takes back.
    fn take_undo(&mut self) -> Option<Undo> {
        let last = self.in_reach(&self.list.done.undo);
        let last = last.map(|at| self.list.done.undo.remove(at));
        let of_shelf = last.or_else(|| self.undo_of_shelf());
        let elsewhere = || self.last_elsewhere().map(|last| Undo::Session(last.0));
        let of_session = || elsewhere().or_else(|| self.session_at_hand());
        of_shelf.or_else(of_session)
    }

    /// In the drawer no session is.
    fn session_at_hand(&self) -> Option<Undo> {
        let session = self.at_hand().filter(|_| self.pane != Pane::Drawer);
        session.map(Undo::Session)
    }

    /// Where this window has done nothing that can be undone: the piece in which the writer did something last, if that
    /// is another one than is at hand, and when. It is asked about once.
    fn last_elsewhere(&self) -> Option<(SessionId, i64)> {
        if self.pane == Pane::Drawer || !self.list.done.undo.is_empty() {
            return None;
        }
        let rows = self.rows.every().filter(|row| !row.trashed);
        let deeds = rows.filter_map(|row| Some((row.id, row.deed?)));
        let at_hand = self.at_hand();
        let recent = self.now() - FAR;
        let last = deeds
            .filter(|(id, deed)| deed.yours && deed.at > recent || Some(*id) == at_hand)
            .max_by_key(|(_, deed)| deed.at)?;
        let last = (last.0, last.1.at);
        let asked = self.list.done.asked.contains(&last);
        (Some(last.0) != at_hand && !asked).then_some(last)
    }

    /// The last of some deeds that a key reaches: whatever it was, but on the page of a collection nothing that was done
    /// to another.
    fn in_reach(&self, deeds: &[Undo]) -> Option<usize> {
        let page = self.shelf_page().map(|page| &page.collection);
        deeds.iter().rposition(|undo| match (undo, page) {
            (Undo::Shelf(id, _), Some(page)) => id == page,
            _ => true,
        })
    }

    /// Whether there is anything to undo, as far as that is known here.
    pub(in crate::ui) fn can_undo(&self) -> bool {
        self.in_reach(&self.list.done.undo).is_some()
            || self.undo_of_shelf().is_some()
            || self.last_elsewhere().is_some()
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
            || (self.pane == Pane::Drawer && self.undo_of_shelf().is_some())
            || (self.pane != Pane::Drawer && self.may_have(|head| !head.undone.is_empty()))
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
            self.does_again()
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
        let deed_at = deed.at;
        let title = self.title_of(session);
        let when = match self.now() - deed.at {
            ago if ago < JUST_NOW => "just now".to_owned(),
            ago => format!("{}, {} ago", self.clock_of(deed.at), age(ago)),
        };
        let then = self.brought_back(session, deed, *again);
        let other = self.at_hand() != Some(session);
        let text = if *again {
            format!(
                "What was undone last in “{title}” was undone {when}. Do it again, so that {then}?"
            )
        } else if other {
            let key = self.key_or_title("session.undo");
            format!(
                "What you did last was done in “{title}”, {when}. Undo it, so that {then}? With no, {key} is about what is at hand."
            )
        } else {
            format!("What was done last in “{title}” was done {when}. Undo it, so that {then}?")
        };
        if !self.layers.is_empty() {
            // A key that is held asks once.
            return Vec::new();
        }
        let which = Which::known(deed.seq);
        let deed = if *again {
            Deed::Redo(which)
        } else {
            Deed::Undo(which)
        };
        let request = Request::Do { session, deed };
        let yes = Wish::Ask(request, Purpose::Undone(session, false));
        if other {
            self.list.done.asked.push((session, deed_at));
            self.push(Confirm::elsewhere(text, yes));
        } else {
            self.push(Confirm::older(text, yes));
        }
        Vec::new()
    }

    /// A change of a collection was undone, or made again; or the writer is asked first.
    pub(super) fn refiled(&mut self, refiled: &Refiled) -> Vec<Effect> {
        let collection = refiled.collection.clone();
        let title = one_line(self.rows.collection_title(&collection));
        let then = once_more(&refiled.to, refiled.again);
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
            let which = Which::known(refiled.deed);
            let other = self.shelf_at_hand().as_ref() != Some(&collection);
            let request = refiling(collection, which, refiled.again);
            let yes = Wish::Ask(request, Purpose::Drawer(Filing::Undone));
            self.push(match refiled.to {
                Change::Allow(_) => Confirm::rights(text, yes),
                _ if other => Confirm::elsewhere(text, yes),
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
            ("Taken back", self.does_again())
        };
        let when = match self.now() - refiled.at {
            ago if ago < JUST_NOW => String::new(),
            _ => format!(", {at}"),
        };
        self.say(format!("{did} in “{title}”{when}: {then}. {back}"));
        Vec::new()
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

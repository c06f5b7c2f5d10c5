//! The views in which a draft stands beside another text: opened, kept fresh, closed; words taken from one to the other.

use super::undo::Undo;
use super::{App, NO_SESSION};
use crate::domain::{Request, SessionId};
use crate::text::counted;
use crate::ui::asks::{Compared, Purpose};
use crate::ui::commands::Place;
use crate::ui::compare::others::Others;
use crate::ui::compare::texts::Texts;
use crate::ui::compare::view::{Compare, Taking, Which};
use crate::ui::compare::{At, Side, View};
use crate::ui::focus::Pane;
use crate::ui::input::Effect;

/// Rows that one step of the wheel moves.
const WHEEL: usize = 3;

impl App {
    /// Compares two texts: the left one is written to if it is a draft, else the right one.
    pub(in crate::ui) fn compare(&mut self, left: Side, right: Side) -> Vec<Effect> {
        self.open_view(View::Compare(Box::new(Compare::new(left, right))))
    }

    /// Compares the draft at hand with that of the marked session, else with the main line's.
    pub(in crate::ui) fn compare_at_hand(&mut self) -> Vec<Effect> {
        match self.at_hand().zip(self.compared_with()) {
            Some((session, other)) => self.compare(Side::draft(other), Side::draft(session)),
            None => Vec::new(),
        }
    }

    /// What the session at hand is compared with.
    fn compared_with(&self) -> Option<SessionId> {
        let session = self.at_hand()?;
        let family = self.rows.family_of(session);
        let marked = self.rows.marked().filter(|m| family.contains(m));
        let other = marked.or_else(|| self.rows.main_of(session));
        other.filter(|other| *other != session)
    }

    /// Why the session at hand cannot be compared.
    pub(in crate::ui) fn why_not_compare(&self) -> Option<&'static str> {
        match self.at_hand() {
            None => Some(NO_SESSION),
            Some(session) if self.rows.family_of(session).len() < 2 => Some("It has no variants."),
            Some(_) if self.compared_with().is_none() => {
                Some("It is the main line: mark another session to compare it with.")
            }
            Some(_) => None,
        }
    }

    /// Shows a view in the place of the panes.
    pub(super) fn open_view(&mut self, view: View) -> Vec<Effect> {
        if self.pane != Pane::View {
            self.desks.views.keep_marks();
            self.desks.views.stack.clear();
            self.desks.views.from = self.pane;
        }
        self.desks.views.stack.push(view);
        self.pane = Pane::View;
        Vec::new()
    }

    /// Goes back to where the writer came from.
    pub(in crate::ui) fn close_view(&mut self) -> Vec<Effect> {
        let views = &mut self.desks.views;
        views.keep_marks();
        views.stack.pop();
        if views.stack.is_empty() {
            self.pane = views.from;
        }
        Vec::new()
    }

    /// The view that is seen.
    pub(in crate::ui) fn view(&self) -> Option<&View> {
        self.desks.views.top().filter(|_| self.pane == Pane::View)
    }

    pub(super) fn view_mut(&mut self) -> Option<&mut View> {
        let seen = self.pane == Pane::View;
        self.desks.views.top_mut().filter(|_| seen)
    }

    /// The two texts that are compared, when they are seen.
    pub(in crate::ui) fn compared(&self) -> Option<&Compare> {
        match self.view()? {
            View::Compare(view) => Some(view),
            _ => None,
        }
    }

    fn compared_mut(&mut self) -> Option<&mut Compare> {
        match self.view_mut()? {
            View::Compare(view) => Some(view),
            _ => None,
        }
    }

    /// The place whose keys apply in a view.
    pub(super) fn view_place(&self) -> Place {
        match self.desks.views.top() {
            Some(View::Versions(_)) => Place::Versions,
            Some(View::Changes(_)) => Place::Changes,
            Some(View::Brief(_)) => Place::Brief,
            Some(View::Shelf(_)) => Place::Collection,
            Some(View::Memory(_)) => Place::Memory,
            Some(View::File(_)) => Place::File,
            Some(View::Others(_)) => Place::Others,
            Some(View::Compare(_)) | None => Place::Compare,
        }
    }

    /// Words were taken.
    pub(super) fn taken(&mut self, session: SessionId, said: &str, beside: bool) {
        self.list.done.push(Undo::Session(session));
        self.go_to_rest();
        self.desks.views.texts.touch(session);
        let undo = self.undoes();
        self.say(if beside {
            // What was wanted is in the draft only where nobody else wrote.
            let both = self.key_or_title("draft.both");
            format!("What was changed there meanwhile stays in the draft; the text with the words you took stands beside it: {both} in the draft shows both. {undo}")
        } else {
            format!("{said} {undo}")
        });
        self.proposal_is_answered();
    }

    /// Of two texts of the same paragraphs some words were taken: the next difference is at hand.
    fn go_to_rest(&mut self) {
        if self.is_deciding()
            && let Some(view) = self.compared_mut()
            && !view.paper.go_difference(true)
        {
            view.paper.go_difference(false);
        }
    }

    /// Asks for something to be taken.
    pub(super) fn ask_take(&mut self, taking: Taking, said: String) -> Vec<Effect> {
        let Request::Take { session, .. } = taking.request else {
            return Vec::new();
        };
        vec![self.ask(
            taking.request,
            Purpose::Compare(Compared::Take(session, said)),
        )]
    }

    fn take_some(&mut self, which: Which) -> Vec<Effect> {
        let Some((view, texts)) = self.compared_and_texts() else {
            return Vec::new();
        };
        let shut = view.target().and_then(|t| texts.get(t)?.wrong.clone());
        let Some(taking) = view.take(which, texts) else {
            let (target, all) = (view.target(), view.paper.count().1);
            self.say(match target.filter(|_| all == 0) {
                Some(target) => format!("{} has these words already.", self.side_name(target)),
                None => {
                    "There is nothing to take here: this paragraph is the same in both.".to_owned()
                }
            });
            return Vec::new();
        };
        if let Some(why) = shut {
            self.say(why);
            return Vec::new();
        }
        let from = view.source().map(|s| self.side_name(s)).unwrap_or_default();
        if let Some(view) = self.compared_mut() {
            view.mark = None;
        }
        let said = told_of(&taking, &from);
        self.ask_take(taking, said)
    }

    fn compared_and_texts(&self) -> Option<(&Compare, &Texts)> {
        Some((self.compared()?, &self.desks.views.texts))
    }

    /// Whether the key that takes would only take words out.
    pub(in crate::ui) fn takes_out(&self) -> bool {
        self.compared().is_some_and(Compare::takes_out)
    }

    /// Takes the paragraph at hand, or those from the mark on.
    pub(in crate::ui) fn take_chosen(&mut self) -> Vec<Effect> {
        self.take_some(Which::Chosen)
    }

    /// Makes the draft as the other text is.
    pub(in crate::ui) fn take_all(&mut self) -> Vec<Effect> {
        self.take_some(Which::All)
    }

    /// Left is right: words are taken from the other side.
    pub(in crate::ui) fn turn_sides(&mut self) -> Vec<Effect> {
        if let Some(view) = self.compared_mut() {
            view.turn();
        }
        let both = self
            .compared()
            .is_some_and(|v| v.sides.iter().all(|s| s.is_draft()));
        let target = self.compared().and_then(Compare::target);
        if let Some(target) = target.filter(|_| both) {
            let name = self.side_name(target);
            self.say(format!("What is taken goes into {name} now."));
        }
        Vec::new()
    }

    /// Side by side, or one below the other.
    pub(in crate::ui) fn switch_stand(&mut self, beside: bool) {
        if let Some(view) = self.compared_mut() {
            view.beside = Some(beside);
        }
    }

    /// A range begins at the paragraph at hand, or there is none.
    pub(in crate::ui) fn mark_range(&mut self) -> Vec<Effect> {
        let Some(view) = self.compared_mut() else {
            return Vec::new();
        };
        view.mark = match view.mark {
            Some(_) => None,
            None => Some(view.paper.at),
        };
        let marked = view.mark.is_some();
        let take = self.key_of("compare.take");
        self.say(if marked {
            format!("From here on: {take} takes all from the mark to where you go.")
        } else {
            "The mark is gone.".to_owned()
        });
        Vec::new()
    }

    /// The paragraph at hand, in every text of the family.
    pub(in crate::ui) fn show_others(&mut self) -> Vec<Effect> {
        let Some(view) = self.compared() else {
            return Vec::new();
        };
        let pair = view.paper.both.comparison.pairs.get(view.paper.at);
        let (Some(target), Some(pair)) = (view.target(), pair) else {
            return Vec::new();
        };
        let of = |side: Side| {
            let left = view.sides[0] == side;
            let there = if left { &pair.left } else { &pair.right };
            there.as_ref().map(|p| (side, p.n))
        };
        let anchor = of(target).or_else(|| view.sides.into_iter().find_map(of));
        let members = self.rows.family_of(target.session);
        let members = members.into_iter().filter(|s| *s != target.session);
        let members = members.map(Side::draft).collect();
        let Some(anchor) = anchor else {
            return Vec::new();
        };
        self.open_view(View::Others(Box::new(Others::new(target, anchor, members))))
    }

    /// Why the paragraph cannot be read in others.
    pub(in crate::ui) fn why_no_others(&self) -> Option<&'static str> {
        let Some(view) = self.compared() else {
            return Some("Nothing is compared.");
        };
        let Some(target) = view.target() else {
            return Some("Neither text is a draft.");
        };
        let few = self.rows.family_of(target.session).len() < 2;
        few.then_some("It has no variants.")
    }

    /// Picks the paragraph of the text at hand.
    pub(in crate::ui) fn pick_other(&mut self) -> Vec<Effect> {
        let Some(View::Others(view)) = self.view() else {
            return Vec::new();
        };
        let side = view.side(view.at);
        let Some(taking) = view.pick(&self.desks.views.texts) else {
            let found = view.found.get(view.at).and_then(Option::as_ref);
            let (here, has_one) = (found.is_some(), view.can_pick());
            self.say(match side {
                Some(side) if side == view.target => {
                    "This is the draft itself: go to another one to pick from it."
                }
                _ if has_one => "The draft has these words already.",
                _ if here => {
                    "It has no paragraph like this one: there is nothing to pick, and yours stays."
                }
                _ => "That text is not here.",
            });
            return Vec::new();
        };
        let from = side.map(|s| self.side_name(s)).unwrap_or_default();
        let mut effects = self.ask_take(taking, format!("Taken from {from}: 1 paragraph."));
        effects.extend(self.close_view());
        effects
    }

    /// The session that a key would make the main line: the one that is taken from, else the one that is read.
    pub(in crate::ui) fn adoptable(&self) -> Option<SessionId> {
        let view = self.compared()?;
        let main = |s: &SessionId| self.rows.main_of(*s).is_some_and(|main| main == *s);
        let source = view.source().unwrap_or(view.sides[1]).session;
        let sessions = [source, view.sides[0].session, view.sides[1].session];
        sessions.into_iter().find(|s| !main(s))
    }

    /// Makes the variant that is compared the main line of its family.
    pub(in crate::ui) fn adopt_compared(&mut self) -> Vec<Effect> {
        match self.adoptable() {
            Some(session) => self.adopt_session(session),
            None => Vec::new(),
        }
    }

    /// Whether the drafts of two sessions have the same words, as far as they are known here.
    pub(super) fn has_same_words(&self, one: SessionId, other: SessionId) -> bool {
        let [one, other] = [one, other].map(|s| self.desks.views.texts.text(Side::draft(s)));
        one.is_some_and(|one| other.is_some_and(|other| one == other))
    }

    /// Moves what is seen by some rows, as the wheel does.
    pub(super) fn scroll_view(&mut self, on: bool) {
        match self.view_mut() {
            Some(View::Compare(view)) => view.paper.scroll(on, WHEEL),
            Some(View::Versions(view)) => view.paper.scroll(on, WHEEL),
            Some(View::Changes(view)) => view.paper.scroll(on, WHEEL),
            Some(View::Brief(view)) => view.paper.scroll(on, WHEEL),
            Some(View::Others(view)) => view.step(on),
            Some(View::File(view)) => view.paper.scroll(on, WHEEL),
            Some(View::Shelf(_)) => drop(self.step_piece(if on { 1 } else { -1 })),
            Some(View::Memory(view)) => view.step(if on { 1 } else { -1 }),
            None => {}
        }
    }

    /// What a text is called.
    pub(in crate::ui) fn side_name(&self, side: Side) -> String {
        let title = match self.rows.get(side.session) {
            Some(row) => self.rows.title_of(row),
            None => self.title_of(side.session),
        };
        match side.at {
            At::Draft => format!("“{title}”"),
            At::Version(seq) => format!("version {seq} of “{title}”"),
            At::Proposed(_) => format!("the proposal for “{title}”"),
            At::Nothing => "nothing".to_owned(),
        }
    }
}

/// What is said of words that were taken: which came from the other text, and which went because it has none there.
fn told_of(taking: &Taking, from: &str) -> String {
    let paragraphs = |n: usize| counted(n as u64, "paragraph");
    match (taking.many.saturating_sub(taking.out), taking.out) {
        (0, out) if out > 0 => format!("Taken out: {}.", paragraphs(out)),
        (came, 0) => format!("Taken from {from}: {}.", paragraphs(came)),
        (came, out) => format!("Taken from {from}: {}; {out} taken out.", paragraphs(came)),
    }
}

//! What the writer does with collections, and what becomes of it.

use super::App;
use super::undo::Undo;
use crate::domain::ask::{DrawerDeed, Gathered};
use crate::domain::{Change, CollectionId, Request, Seq, SessionId};
use crate::text::{counted, one_line};
use crate::ui::asks::{Filing, Purpose};
use crate::ui::compare::View;
use crate::ui::errand::Errand;
use crate::ui::focus::Pane;
use crate::ui::input::Effect;
use crate::ui::layers;
use crate::ui::layers::said::{Said, Says};
use crate::ui::panes::cut;
use crate::ui::rows::Shelf;
use crate::ui::shelf::ShelfPage;

/// Cells of a title that is named in a message.
const NAMED: usize = 40;

impl App {
    /// The collection that commands are about: that of the page, else that of the shelf shown, else that of the
    /// session under the cursor.
    pub(in crate::ui) fn shelf_at_hand(&self) -> Option<CollectionId> {
        if let Some(page) = self.shelf_page() {
            return Some(page.collection.clone());
        }
        match self.rows.shelf() {
            Shelf::Collection(id) => Some(id.clone()),
            _ if self.pane == Pane::Drawer => None,
            _ => self.row_at_hand().map(|r| r.collection.clone()),
        }
    }

    /// The page of a collection that is seen.
    pub(in crate::ui) fn shelf_page(&self) -> Option<&ShelfPage> {
        match self.view()? {
            View::Shelf(page) => Some(page),
            _ => None,
        }
    }

    fn shelf_page_mut(&mut self) -> Option<&mut ShelfPage> {
        match self.view_mut()? {
            View::Shelf(page) => Some(page),
            _ => None,
        }
    }

    /// Shows the page of the collection at hand.
    pub(in crate::ui) fn show_shelf(&mut self) -> Vec<Effect> {
        let Some(collection) = self.shelf_at_hand() else {
            return Vec::new();
        };
        let before = self.desks.views.looked.get(&collection).copied();
        let since = before.or(self.list.left.as_ref().and_then(|l| l.when));
        let at = self
            .rows
            .cursor()
            .and_then(|s| self.rows.main_of(s).or(Some(s)));
        let page = ShelfPage::new(collection, at, since);
        self.open_view(View::Shelf(Box::new(page)))
    }

    /// What comes while a page is shown has been seen there, and is no news the next time.
    fn look_at_shelf(&mut self, now: i64) {
        let Some(collection) = self.shelf_page().map(|page| page.collection.clone()) else {
            return;
        };
        self.desks.views.looked.insert(collection, now);
    }

    /// Asks for the profile of the page that is shown, and for what it says now every few seconds.
    pub(super) fn ask_shelves(&mut self) -> Vec<Effect> {
        let now = self.clock.now;
        self.look_at_shelf(now);
        let Some(page) = self.shelf_page_mut() else {
            return Vec::new();
        };
        if !page.wants(now) {
            return Vec::new();
        }
        let collection = page.collection.clone();
        let purpose = Purpose::Drawer(Filing::Profile(collection.clone()));
        if self.asks.has_any(|p| *p == purpose) {
            return Vec::new();
        }
        let deed = DrawerDeed::Profile { collection };
        vec![self.ask(Request::Drawer { deed }, purpose)]
    }

    /// Opens the piece under the cursor of the page.
    pub(in crate::ui) fn open_piece(&mut self) -> Vec<Effect> {
        let Some(session) = self.shelf_page().and_then(|page| page.at) else {
            return Vec::new();
        };
        self.desks.views.stack.clear();
        self.open(session, Pane::Composer)
    }

    /// Moves the cursor of the page.
    pub(in crate::ui) fn step_piece(&mut self, by: isize) -> Vec<Effect> {
        let pieces = self.pieces_of_page();
        if let Some(page) = self.shelf_page_mut() {
            page.step(by, &pieces);
        }
        Vec::new()
    }

    fn pieces_of_page(&self) -> Vec<SessionId> {
        let page = self.shelf_page();
        page.map(|page| self.rows.pieces(&page.collection))
            .unwrap_or_default()
    }

    /// Moves the piece under the cursor in the order, or in the drawer the collection.
    pub(in crate::ui) fn shift(&mut self, by: isize) -> Vec<Effect> {
        match self.shelf_page().map(|p| (p.collection.clone(), p.at)) {
            Some((collection, Some(piece))) => self.shift_piece(collection, piece, by),
            Some((_, None)) => Vec::new(),
            None => self.shift_shelf(by),
        }
    }

    fn shift_piece(
        &mut self,
        collection: CollectionId,
        piece: SessionId,
        by: isize,
    ) -> Vec<Effect> {
        let mut pieces = self.pieces_of_page();
        if !shifted(&mut pieces, |id| *id == piece, by) {
            return Vec::new();
        }
        vec![self.change(collection, Change::Pieces(pieces), "The order is changed.")]
    }

    fn shift_shelf(&mut self, by: isize) -> Vec<Effect> {
        let Some(at) = self.shelf_at_hand() else {
            return Vec::new();
        };
        let inbox = CollectionId::inbox();
        if at == inbox {
            self.say("The inbox stays the last in the drawer.");
            return Vec::new();
        }
        let shown = self.rows.drawer().filter(|c| c.id != inbox);
        let mut order: Vec<CollectionId> = shown.map(|c| c.id.clone()).collect();
        if !shifted(&mut order, |id| *id == at, by) {
            return Vec::new();
        }
        let purpose = Filing::Changed("The drawer has another order.".to_owned());
        let moved = Some(at);
        let deed = DrawerDeed::Arrange { order, moved };
        vec![self.ask(Request::Drawer { deed }, Purpose::Drawer(purpose))]
    }

    /// Lets the agents of the collection at hand use the web, or no longer.
    pub(in crate::ui) fn toggle_web(&mut self) -> Vec<Effect> {
        let Some(row) = self
            .shelf_at_hand()
            .and_then(|id| self.rows.collection(&id))
        else {
            return Vec::new();
        };
        let id = row.id.clone();
        if !row.allow.is_empty() {
            let said = "Agents have the drafts alone here.";
            return vec![self.change(id, Change::Allow(Vec::new()), said)];
        }
        let but = self.webless();
        let but =
            but.map(|agent| format!(" {agent} has no way to it: only agents of kind claude do."));
        let said = format!(
            "Agents may use the web here from the next turn on, and ask each time.{}",
            but.unwrap_or_default()
        );
        vec![self.change(id, Change::Allow(vec!["web".to_owned()]), &said)]
    }

    /// The agent that would write the piece under the cursor, or a new one, where it cannot use the web.
    pub(in crate::ui) fn webless(&self) -> Option<String> {
        let piece = self.shelf_page().and_then(|page| page.at);
        let of_piece = piece.map(|piece| self.agent_of(piece).agent);
        let agent = of_piece.unwrap_or_else(|| self.agent_of_fresh().agent);
        let able = agent.is_empty() || self.settings.agents.web.contains(&agent);
        (!able).then(|| one_line(&agent))
    }

    fn change(&mut self, collection: CollectionId, change: Change, said: &str) -> Effect {
        let purpose = Filing::Changed(said.to_owned());
        let deed = DrawerDeed::Change { collection, change };
        self.ask(Request::Drawer { deed }, Purpose::Drawer(purpose))
    }

    /// Asks the writer for a line about the collection at hand.
    pub(in crate::ui) fn ask_of_shelf(&mut self, says: Says) -> Vec<Effect> {
        let id = self.shelf_at_hand().unwrap_or_else(CollectionId::inbox);
        let row = self.rows.collection(&id);
        let words = |n: Option<u64>| n.map(|n| n.to_string());
        let now = row.and_then(|row| match says {
            Says::Title => Some(row.title.clone()),
            Says::About => row.about.clone(),
            Says::Target => words(row.target),
            Says::Day => words(row.day),
            Says::Piece(piece) => words(self.rows.target_of(self.rows.get(piece)?)),
            Says::Folder => None,
        });
        self.push(Said::new(id, says, &now.unwrap_or_default()));
        Vec::new()
    }

    /// Asks the writer how many words the piece at hand is to have.
    pub(in crate::ui) fn ask_piece_target(&mut self) -> Vec<Effect> {
        match self.at_hand() {
            Some(session) => self.ask_of_shelf(Says::Piece(session)),
            None => Vec::new(),
        }
    }

    /// The newest change of the collection at hand, to be undone, where this window has done nothing since.
    pub(super) fn undo_of_shelf(&self) -> Option<Undo> {
        let about = self.pane == Pane::Drawer || self.shelf_page().is_some();
        let id = self.shelf_at_hand().filter(|_| about)?;
        Some(Undo::Shelf(id, None))
    }

    /// A deed on collections was done.
    pub(super) fn filed(&mut self, filing: Filing) -> Vec<Effect> {
        match filing {
            Filing::Finished(session, said) => return self.finished(session, &said),
            // It says that already.
            Filing::Changed(said) => self.say(said),
            Filing::Moved(session, _, said) => {
                self.list.done.push(Undo::Session(session));
                self.rows.await_back(session);
                self.say(format!("{said} {}", self.undoes()));
            }
            Filing::Undone
            | Filing::Profile(_)
            | Filing::Gathered
            | Filing::Piece
            | Filing::Checked(..) => {}
        }
        Vec::new()
    }

    /// A collection says something else of itself.
    pub(super) fn changed_shelf(
        &mut self,
        purpose: Purpose,
        collection: CollectionId,
        deed: Seq,
    ) -> Vec<Effect> {
        self.list.done.push(Undo::Shelf(collection, Some(deed)));
        if let Purpose::Drawer(Filing::Changed(said)) = purpose {
            self.say(format!("{said} {}", self.undoes()));
        }
        Vec::new()
    }

    /// A text about a collection came.
    pub(super) fn told_of_shelf(&mut self, filing: &Filing, text: &str) {
        let Filing::Profile(collection) = filing else {
            return;
        };
        for view in &mut self.desks.views.stack {
            if let View::Shelf(page) = view
                && page.collection == *collection
            {
                page.profile = Some(text.to_owned());
            }
        }
    }

    /// A folder of files has become a collection.
    pub(super) fn gathered(&mut self, gathered: &Gathered) -> Vec<Effect> {
        self.rows
            .show(Shelf::Collection(gathered.collection.clone()));
        self.pane = Pane::List;
        // There may be another folder.
        let effects = self.errand(Errand::Loose);
        let made = counted(gathered.made.len() as u64, "session");
        if !gathered.made.is_empty() {
            // Short enough that what the next key does is said, too.
            let title = one_line(self.rows.collection_title(&gathered.collection));
            let title = cut(&title, NAMED);
            self.list.done.push(Undo::Stays(format!(
                "What was made of the files in “{title}” ({made}) stays: put what is not wanted into the trash."
            )));
        }
        self.say(match gathered.known {
            0 => format!("{made} made of the files; the files are as they were."),
            n => format!("{made} made of the files, {n} were there already."),
        });
        if !gathered.skipped.is_empty() {
            let text = gathered.skipped.join("\n");
            self.push(layers::view::View::new("Left out", &text));
        }
        effects
    }
}

/// Moves one of some things by a place; false at the ends.
fn shifted<T>(all: &mut [T], is: impl Fn(&T) -> bool, by: isize) -> bool {
    let Some(at) = all.iter().position(is) else {
        return false;
    };
    match at.checked_add_signed(by).filter(|to| *to < all.len()) {
        Some(to) => {
            all.swap(at, to);
            true
        }
        None => false,
    }
}

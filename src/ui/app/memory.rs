//! The memory of a collection: shown, what is proposed decided, lines archived, versions walked and restored.

use super::App;
use crate::domain::drawer::{MemoryDeed, Sheet};
use crate::domain::{CollectionId, CollectionRow, Reply, Request, Seq};
use crate::text::one_line;
use crate::ui::asks::{Compared, Keeping, Purpose};
use crate::ui::compare::View;
use crate::ui::focus::Pane;
use crate::ui::input::Effect;
use crate::ui::layers::line::Line;
use crate::ui::memory::{FileView, Item, MemoryView};
use crate::ui::panes::cut;

/// Cells of a line that is named in a message.
const NAMED: usize = 40;

impl App {
    /// The collection whose memory is at hand: that of what is seen.
    fn memory_at_hand(&self) -> CollectionId {
        let listed = matches!(self.pane, Pane::Drawer | Pane::List) || self.shelf_page().is_some();
        let shown = listed.then(|| self.shelf_at_hand()).flatten();
        let own = || self.row_at_hand().map(|row| row.collection.clone());
        let fresh = || {
            self.desks
                .collection
                .clone()
                .filter(|_| self.desks.at().is_none())
        };
        if let Some(found) = shown.or_else(own) {
            return found;
        }
        // Where nothing is at hand yet, what waits for the writer is what is looked for.
        let found = fresh().unwrap_or_else(CollectionId::inbox);
        let waits = self.rows.collection(&found).is_some_and(|c| c.waiting > 0);
        let elsewhere = self.waits_behind(&found).filter(|_| !waits);
        elsewhere.map_or(found, |row| row.id.clone())
    }

    /// The next collection of the drawer behind one in which proposals wait.
    pub(in crate::ui) fn waits_behind(&self, of: &CollectionId) -> Option<&CollectionRow> {
        let all: Vec<&CollectionRow> = self.rows.drawer().filter(|c| !c.archived).collect();
        let at = all.iter().position(|c| c.id == *of).map_or(0, |at| at + 1);
        let (before, behind) = all.split_at(at);
        let mut round = behind.iter().chain(before);
        round.find(|c| c.waiting > 0 && c.id != *of).copied()
    }

    /// Goes to the next memory in which proposals wait.
    pub(in crate::ui) fn next_waiting(&mut self) -> Vec<Effect> {
        let of = self.memory().map(|view| view.collection.clone());
        let next = of.and_then(|of| self.waits_behind(&of).map(|row| row.id.clone()));
        if let (Some(next), Some(View::Memory(view))) = (next, self.view_mut()) {
            **view = MemoryView::new(next);
        }
        Vec::new()
    }

    /// Shows the memory of the collection at hand.
    pub(in crate::ui) fn show_memory(&mut self) -> Vec<Effect> {
        let view = MemoryView::new(self.memory_at_hand());
        self.open_view(View::Memory(Box::new(view)))
    }

    /// The memory that is seen.
    pub(in crate::ui) fn memory(&self) -> Option<&MemoryView> {
        match self.view()? {
            View::Memory(view) => Some(view),
            _ => None,
        }
    }

    /// The versions of a file that are seen.
    pub(in crate::ui) fn memory_file(&self) -> Option<&FileView> {
        match self.view()? {
            View::File(view) => Some(view),
            _ => None,
        }
    }

    /// Moves the cursor.
    pub(in crate::ui) fn step_memory(&mut self, by: isize) -> Vec<Effect> {
        if let Some(View::Memory(view)) = self.view_mut() {
            view.step(by);
        }
        Vec::new()
    }

    fn ask_memory(&mut self, of: &CollectionId, deed: MemoryDeed, what: Keeping) -> Effect {
        let collection = of.clone();
        let purpose = Purpose::Compare(Compared::Memory(of.clone(), what));
        self.ask(Request::Memory { collection, deed }, purpose)
    }

    /// Asks for a deed on the memory that is seen; `said` is shown when it is done.
    fn keep_to(&mut self, deed: MemoryDeed, said: String) -> Vec<Effect> {
        let collection = match self.view() {
            Some(View::Memory(view)) => view.collection.clone(),
            Some(View::File(view)) => view.collection.clone(),
            _ => return Vec::new(),
        };
        vec![self.ask_memory(&collection, deed, Keeping::Done(said))]
    }

    /// What a key undoes it with, as it is said behind a deed.
    fn undo_hint(&self) -> String {
        let key = self.key_of_here("memory.undo");
        key.map(|key| format!(" {key} undoes it."))
            .unwrap_or_default()
    }

    /// The proposal under the cursor becomes a line of the memory; `instead` in the place of the one that it contradicts.
    pub(in crate::ui) fn accept_offer(&mut self, instead: bool) -> Vec<Effect> {
        let Some(offer) = self.memory().and_then(MemoryView::offer) else {
            return Vec::new();
        };
        let text = cut(&one_line(&offer.proposal.says.text), NAMED);
        let other = self.memory().and_then(MemoryView::contradicted);
        let instead = other.filter(|_| instead).map(str::to_owned);
        let said = match self.named(instead.as_deref()) {
            None => format!("Kept: “{text}”."),
            Some(line) => format!("Kept: “{text}”; in the archive: “{line}”."),
        };
        let deed = MemoryDeed::Accept {
            proposal: offer.proposal.seq,
            text: None,
            instead,
        };
        let said = format!("{said}{}", self.undo_hint());
        self.keep_to(deed, said)
    }

    /// The words of a line of the memory that is seen, as they are named in a message.
    fn named(&self, line: Option<&str>) -> Option<String> {
        let line = line?;
        let mut kept = self.memory()?.sheet()?.lines.iter();
        let words = kept.find(|kept| kept.line == line).map(|kept| &kept.text);
        Some(cut(&one_line(words.map_or(line, String::as_str)), NAMED))
    }

    /// Asks the writer for other words for the proposal under the cursor.
    pub(in crate::ui) fn edit_offer(&mut self) -> Vec<Effect> {
        let found = self.memory().and_then(|view| {
            let says = &view.offer()?.proposal;
            Some((view.collection.clone(), says.seq, says.says.text.clone()))
        });
        if let Some((collection, proposal, text)) = found {
            let said = format!("Kept in your words.{}", self.undo_hint());
            self.push(Line::proposal(collection, proposal, &text, said));
        }
        Vec::new()
    }

    /// The proposal under the cursor becomes no line, and is not made again.
    pub(in crate::ui) fn refuse_offer(&mut self) -> Vec<Effect> {
        let Some(offer) = self.memory().and_then(MemoryView::offer) else {
            return Vec::new();
        };
        let proposal = offer.proposal.seq;
        let said = format!("Refused: it is not proposed again.{}", self.undo_hint());
        self.keep_to(MemoryDeed::Refuse { proposal }, said)
    }

    /// The line under the cursor goes into the archive, or comes back out of it.
    pub(in crate::ui) fn fold_line(&mut self) -> Vec<Effect> {
        let Some(line) = self.memory().and_then(MemoryView::line) else {
            return Vec::new();
        };
        let (lines, archived) = (vec![line.line.clone()], !line.archived);
        let said = if archived {
            "In the archive: it is not sent any more."
        } else {
            "Back from the archive: it is sent again."
        };
        let said = format!("{said}{}", self.undo_hint());
        self.keep_to(MemoryDeed::Fold { lines, archived }, said)
    }

    /// Puts back the accepted lines that are missing.
    pub(in crate::ui) fn put_lines_back(&mut self) -> Vec<Effect> {
        let undo = self.undo_hint();
        let said = format!("What was missing stands in the memory again.{undo}");
        self.keep_to(MemoryDeed::PutBack, said)
    }

    /// Lets the accepted lines go that are missing.
    pub(in crate::ui) fn let_lines_go(&mut self) -> Vec<Effect> {
        let undo = self.undo_hint();
        let said = format!("Let go: the memory is meant as it is.{undo}");
        self.keep_to(MemoryDeed::LetGo, said)
    }

    /// Undoes what was done to the memory last, in whatever window and whenever.
    pub(in crate::ui) fn undo_memory(&mut self) -> Vec<Effect> {
        let said = "What was done here last is undone.".to_owned();
        self.keep_to(MemoryDeed::Undo { proposal: None }, said)
    }

    /// Opens what the cursor stands on: the session of a proposal, the versions of a file.
    pub(in crate::ui) fn enter_memory(&mut self) -> Vec<Effect> {
        let Some(view) = self.memory() else {
            return Vec::new();
        };
        match view.item() {
            Some(Item::Offer(offer) | Item::Against(offer, _)) => {
                let session = offer.proposal.says.session;
                self.desks.views.stack.clear();
                self.open(session, Pane::Transcript)
            }
            Some(Item::File(row)) => {
                let file = FileView::new(view.collection.clone(), row);
                self.open_view(View::File(Box::new(file)))
            }
            Some(Item::Line(_)) | None => Vec::new(),
        }
    }

    /// Walks to another version of the file.
    pub(in crate::ui) fn walk_file(&mut self, by: isize) -> Vec<Effect> {
        let walked = match self.view_mut() {
            Some(View::File(view)) => view.walk(by),
            _ => return Vec::new(),
        };
        self.desks.views.look();
        if !walked {
            self.say(if by < 0 {
                "This is the first version."
            } else {
                "This is the newest version."
            });
        }
        Vec::new()
    }

    /// Makes the version at hand the file's text again.
    pub(in crate::ui) fn restore_file(&mut self) -> Vec<Effect> {
        let found = self.memory_file();
        let Some((file, seq)) = found.and_then(|v| Some((v.file.clone(), v.version()?.seq))) else {
            return Vec::new();
        };
        let undo = self.undo_hint();
        let said = format!("{file} is as it was, as a new version.{undo}");
        self.keep_to(MemoryDeed::Restore { file, seq }, said)
    }

    /// Asks for what the memories that are shown have not yet, or not any more.
    pub(super) fn ask_memories(&mut self) -> Vec<Effect> {
        let rows = &self.rows;
        let looks = self.desks.views.wanted(|view| match view {
            View::Memory(view) => {
                let row = rows.collection(&view.collection);
                let (deeds, folder) = row.map_or((0, ""), |row| (row.deeds, row.folder.as_str()));
                view.wants(deeds, folder).then(|| view.collection.clone())
            }
            _ => None,
        });
        let texts = self.desks.views.wanted(|view| match view {
            View::File(view) => Some((view.collection.clone(), view.file.clone(), view.wanted())),
            _ => None,
        });
        let look = |of: CollectionId| self.ask_memory(&of, MemoryDeed::Show, Keeping::Look);
        let mut effects: Vec<Effect> = looks.into_iter().map(look).collect();
        for (of, file, wanted) in texts {
            for seq in wanted {
                let deed = MemoryDeed::Version {
                    file: file.clone(),
                    seq,
                };
                let what = Keeping::Version(file.clone(), seq);
                effects.push(self.ask_memory(&of, deed, what));
            }
        }
        effects
    }

    /// What is shown of memories is asked for anew.
    pub(super) fn memories_are_stale(&mut self) {
        for view in &mut self.desks.views.stack {
            match view {
                View::Memory(view) => view.stale(),
                View::File(view) => view.stale(),
                _ => {}
            }
        }
    }

    /// The host answered something about a memory.
    pub(super) fn memory_replied(&mut self, of: &CollectionId, what: Keeping, reply: Reply) {
        match (what, reply) {
            (Keeping::Version(file, seq), reply) => self.version_came(of, &file, seq, &reply),
            (what, Reply::Memory { sheet }) => {
                self.sheet_came(of, &sheet);
                if let Keeping::Done(said) | Keeping::InWords(said, ..) = what {
                    self.say(sheet.undone.unwrap_or(said));
                }
            }
            (Keeping::Look, Reply::Refused { why, .. }) => self.sheet_refused(of, &why),
            (what @ (Keeping::Done(_) | Keeping::InWords(..)), Reply::Refused { why, hint }) => {
                let hint = hint.map(|h| format!(" {h}")).unwrap_or_default();
                let why = format!("{why}{hint}");
                match what {
                    // What was written is not lost: the box is there again.
                    Keeping::InWords(said, proposal, text) => {
                        let line = Line::proposal(of.clone(), proposal, &text, said);
                        self.push(line.refused(&why));
                    }
                    _ => self.say(why),
                }
                // What was seen may be older than what is there.
                self.memories_are_stale();
            }
            _ => {}
        }
        self.desks.views.look();
    }

    fn sheet_came(&mut self, of: &CollectionId, sheet: &Sheet) {
        for view in &mut self.desks.views.stack {
            match view {
                View::Memory(view) if view.collection == *of => view.came(sheet.clone()),
                View::File(view) if view.collection == *of => view.came(&sheet.files),
                _ => {}
            }
        }
    }

    fn sheet_refused(&mut self, of: &CollectionId, why: &str) {
        for view in &mut self.desks.views.stack {
            if let View::Memory(view) = view
                && view.collection == *of
            {
                view.refused(one_line(why));
            }
        }
    }

    fn version_came(&mut self, of: &CollectionId, file: &str, seq: Seq, reply: &Reply) {
        for view in &mut self.desks.views.stack {
            if let View::File(view) = view
                && (&view.collection, view.file.as_str()) == (of, file)
            {
                match reply {
                    Reply::Text { text } => view.text(seq, text),
                    Reply::Refused { why, .. } => view.refused(seq, one_line(why)),
                    _ => {}
                }
            }
        }
    }
}

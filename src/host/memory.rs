//! The memory of collections: one place for each, so that two windows never decide the same twice.

mod desks;

pub(super) use desks::Desks;

use std::sync::PoisonError;

use super::shared::Shared;
use super::{Host, drawer, refused};
use crate::config::{Collection, Drawer};
use crate::domain::ask::{Reply, Request};
use crate::domain::drawer::{Binder, MemoryDeed, Sheet};
use crate::domain::tool::ToolResult;
use crate::domain::{CollectionId, SessionId, Stage};
use crate::log::Book;
use crate::memory::brief::{Part, gather};
use crate::memory::desk::{Around, Desk, MemoryError, Taken, is_writers, today};
use crate::memory::propose;

/// What is said where nothing may be written.
const READ_ONLY: &str = "Nothing can be written in this workspace now.";

impl Host {
    /// Does something about the memory of a collection.
    pub(super) async fn memory(&self, collection: CollectionId, deed: MemoryDeed) -> Reply {
        if let MemoryDeed::Ask { session } = deed {
            return self.ask_for_memory(session).await;
        }
        let shared = self.0.clone();
        let work = move || shared.memory(&collection, &deed);
        match tokio::task::spawn_blocking(work).await {
            Ok(Ok(reply)) => reply,
            Ok(Err(e)) => refused(e.to_string()),
            Err(e) => refused(format!("The work broke off: {e}.")),
        }
    }

    /// Sends the prompt that asks for memory worth keeping, where the agent can do that.
    async fn ask_for_memory(&self, session: SessionId) -> Reply {
        let head = self.read(move |store| Ok(store.head(session)?.head)).await;
        let head = match head {
            Ok(head) => head,
            Err(why) => return refused(why),
        };
        let text = propose::ask(drawer::stage_of(&self.0, session, &head) == Some(Stage::Done));
        let (agent, _) = self.0.agent_of(&head);
        if !self.0.writes(&agent) {
            return Reply::refused(
                format!("The agent here, {agent}, does not write: it has nothing to propose."),
                "Choose another agent for this session first.",
            );
        }
        self.to_session(session, Request::Send { session, text })
            .await
    }
}

impl Shared {
    /// Whether an agent can be asked anything.
    fn writes(&self, agent: &str) -> bool {
        let backend = self.backend(agent);
        backend.is_some_and(|b| b.does(&propose::ask(true)))
    }

    /// Does something about the memory of a collection, alone at it.
    fn memory(&self, id: &CollectionId, deed: &MemoryDeed) -> Result<Reply, MemoryError> {
        let drawer = self.look_at_drawer();
        let collection = of(&drawer, id)?;
        let title =
            |session: SessionId| self.rows.get(session).map_or_else(String::new, |r| r.title);
        let around = Around {
            today: today(),
            title: &title,
        };
        let own = Desk::of(&self.store, &self.workspace, collection);
        let own = self.desks.knowing(own);
        let writers = Desk::of_writer(&self.store, &self.workspace);
        let desk = match file_of(deed) {
            Some(file) if is_writers(file) => &writers,
            // The newest deed on any of the files that are shown.
            None if *deed == (MemoryDeed::Undo { proposal: None })
                && self.desks.undoable(&writers)? > self.desks.undoable(&own)? =>
            {
                &writers
            }
            _ => &own,
        };
        let place = self.desks.place(desk.book());
        let held = place.lock().unwrap_or_else(PoisonError::into_inner);
        let mut undone = None;
        match deed {
            MemoryDeed::Version { file, seq } => {
                let text = desk.version(file, *seq)?;
                return Ok(Reply::Text { text });
            }
            MemoryDeed::Accept {
                proposal,
                text,
                instead,
            } => desk.accept(*proposal, (text.as_deref(), instead.as_deref()), &around)?,
            MemoryDeed::Refuse { proposal } => desk.refuse(*proposal)?,
            MemoryDeed::Undo { proposal } => {
                undone = Some(self.desks.undo(desk, *proposal)?);
            }
            MemoryDeed::Fold { lines, archived } => desk.fold(lines, *archived)?,
            MemoryDeed::Restore { file, seq } => desk.restore(file, *seq)?,
            MemoryDeed::PutBack => desk.put_back()?,
            MemoryDeed::LetGo => desk.let_go()?,
            MemoryDeed::Show | MemoryDeed::Ask { .. } => {}
        }
        drop(held);
        let sheet = Sheet {
            undone,
            ..self.sheet(&own, id, &around)?
        };
        Ok(Reply::Memory {
            sheet: Box::new(sheet),
        })
    }

    /// The sheet of a collection, with the writer's voice among its files.
    fn sheet(
        &self,
        desk: &Desk,
        id: &CollectionId,
        around: &Around<'_>,
    ) -> Result<Sheet, MemoryError> {
        let binder = self.looked_at(desk)?;
        // The index line of a piece may just have changed.
        let drawer = Drawer::of(&self.workspace);
        let desk = drawer
            .get(id)
            .map(|c| Desk::of(&self.store, &self.workspace, c));
        let Some(desk) = desk else {
            return Err(gone(id));
        };
        let mut sheet = self.desks.knowing(desk).sheet(&binder, around);
        let voice = Desk::of_writer(&self.store, &self.workspace);
        let binder = self.looked_at(&voice)?;
        sheet.files.extend(voice.rows(&binder));
        Ok(sheet)
    }

    /// The deeds of a desk, its files looked at where anything may be written.
    fn looked_at(&self, desk: &Desk) -> Result<Binder, MemoryError> {
        let place = self.desks.place(desk.book());
        let held = place.lock().unwrap_or_else(PoisonError::into_inner);
        let files = desk.stamps();
        let binder = if self.access.is_reading() {
            desk.binder()?
        } else {
            desk.look()?
        };
        drop(held);
        if self.desks.take(desk, &binder, files) {
            self.look_at_drawer();
        }
        Ok(binder)
    }

    /// Looks at the files of a collection's memory, and of the writer's voice: before a turn, when the workspace is
    /// opened, and when something changed there. Those that look as they did are not read again.
    pub(super) fn look_at_memory(&self, collection: Option<&Collection>) {
        if self.access.is_reading() {
            return;
        }
        let writer = Desk::of_writer(&self.store, &self.workspace);
        let own = collection.map(|c| Desk::of(&self.store, &self.workspace, c));
        for (desk, of) in [(Some(writer), None), (own, collection)] {
            let Some(desk) = desk else { continue };
            let known = self.desks.seen(desk.book());
            if known.settled && known.files == desk.stamps() {
                continue;
            }
            let title = of.map_or("the workspace".to_owned(), |c| {
                crate::text::one_line(&c.title)
            });
            let why = match self.looked_at(&desk) {
                Ok(_) => String::new(),
                Err(e) => format!("The memory of {title} is not looked after: {e}"),
            };
            self.rows.banner(&format!("memory {title}"), why);
        }
    }

    /// Tells the windows what the writer's voice is now.
    pub(super) fn tell_voice(&self) {
        let gathered = gather(self.workspace.root(), None);
        self.rows.voice(gathered.text(Part::Voice).to_owned());
    }

    /// Looks at all of them.
    pub(super) fn look_at_memories(&self) {
        self.tell_voice();
        let drawer = self.look_at_drawer();
        for collection in &drawer.collections {
            self.look_at_memory(Some(collection));
            self.tell_damage(collection);
        }
        self.look_at_drawer();
    }

    /// Says what is damaged in the log of a collection's deeds.
    fn tell_damage(&self, collection: &Collection) {
        let book = Book::Collection(collection.id.clone());
        let Ok(deeds) = self.store.deeds(&book) else {
            return;
        };
        if let Some(trouble) = deeds.found.trouble() {
            let title = crate::text::one_line(&collection.title);
            let text = format!("The deeds of {title}: {trouble}");
            self.rows.banner(&format!("deeds {}", collection.id), text);
        }
    }

    /// Takes a proposal of an agent's, for the writer to decide on.
    pub(super) fn propose_memory(
        &self,
        id: &CollectionId,
        asked: propose::Asked,
        from: propose::From,
    ) -> ToolResult {
        let no = |output: String| ToolResult { ok: false, output };
        if self.access.is_reading() {
            return no(READ_ONLY.to_owned());
        }
        let new = match propose::read(asked, from) {
            Ok(new) => new,
            Err(why) => return no(why),
        };
        match self.taken(id, new) {
            Ok(Taken::Waits) => ToolResult {
                ok: true,
                output: propose::WAITS.to_owned(),
            },
            Ok(Taken::No(why)) => no(why),
            Err(e) => no(format!("It could not be kept: {e}")),
        }
    }

    fn taken(
        &self,
        id: &CollectionId,
        new: crate::domain::drawer::Proposed,
    ) -> Result<Taken, MemoryError> {
        let drawer = self.look_at_drawer();
        let desk = Desk::of(&self.store, &self.workspace, of(&drawer, id)?);
        let place = self.desks.place(desk.book());
        let held = place.lock().unwrap_or_else(PoisonError::into_inner);
        let files = desk.stamps();
        let taken = desk.propose(new)?;
        let binder = desk.binder()?;
        drop(held);
        if self.desks.take(&desk, &binder, files) {
            self.look_at_drawer();
        }
        Ok(taken)
    }
}

/// The file that a deed names.
fn file_of(deed: &MemoryDeed) -> Option<&str> {
    match deed {
        MemoryDeed::Version { file, .. } | MemoryDeed::Restore { file, .. } => Some(file),
        _ => None,
    }
}

fn of<'a>(drawer: &'a Drawer, id: &CollectionId) -> Result<&'a Collection, MemoryError> {
    drawer.get(id).ok_or_else(|| gone(id))
}

fn gone(id: &CollectionId) -> MemoryError {
    MemoryError::No(format!(
        "There is no collection {id} in this workspace now; its proposals are kept until its folder is back."
    ))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::domain::head::Place;

    #[test]
    fn a_collection_that_is_gone_is_called_as_it_was_or_by_its_folder() {
        let id: CollectionId = "essays".parse().unwrap();
        let drawer = |collections| Drawer {
            collections,
            problems: Vec::new(),
        };
        let place = |id: &CollectionId| Place {
            collection: id.clone(),
            folder: "water/03-one".to_owned(),
            at: None,
        };
        let essays = Collection::plain(id.clone(), "Essays", "water");
        let desks = Desks::of(drawer(vec![essays]));
        assert_eq!(desks.lost(&place(&id)), None);
        desks.set_drawer(&drawer(Vec::new()));
        let lost = (id.clone(), "Essays".to_owned());
        assert_eq!(desks.lost(&place(&id)), Some(lost));
        let never: CollectionId = "other".parse().unwrap();
        let lost = (never.clone(), "water".to_owned());
        assert_eq!(desks.lost(&place(&never)), Some(lost));
    }
}

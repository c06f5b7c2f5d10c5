//! What goes out of the drawer and what could come into it: exports, folders of files that are no collections.

use super::App;
use crate::config::collection::TOP;
use crate::domain::Request;
use crate::domain::ask::DrawerDeed;
use crate::text::{counted, one_line};
use crate::ui::asks::{Filing, Purpose};
use crate::ui::errand::{Errand, Exported, Sought};
use crate::ui::focus::Pane;
use crate::ui::input::Effect;
use crate::ui::layers::export::ExportTo;

impl App {
    /// What can be exported from here, with its title: what the writer looks at comes first.
    fn exports(&self) -> Vec<(Exported, String)> {
        let session = self.at_hand().into_iter().flat_map(|session| {
            let title = self.title_of(session);
            [
                (Exported::Draft(session), title.clone()),
                (Exported::Transcript(session), title),
            ]
        });
        let whole = self.shelf_at_hand().map(|id| {
            let title = self.rows.collection_title(&id).to_owned();
            (Exported::Collection(id), title)
        });
        if self.shelf_page().is_some() || self.pane == Pane::Drawer {
            whole.into_iter().chain(session).collect()
        } else {
            session.chain(whole).collect()
        }
    }

    /// Why nothing can be exported from here; none when something can.
    pub(in crate::ui) fn no_export(&self) -> Option<&'static str> {
        self.exports()
            .is_empty()
            .then_some("No session and no collection is at hand.")
    }

    /// Asks in which format the text at hand goes where.
    pub(in crate::ui) fn export(&mut self) -> Vec<Effect> {
        self.push(ExportTo::new(self.exports()));
        self.settings.first.errands.written = Sought::Not;
        self.errand(Errand::Outlet)
    }

    /// The folder that could be a collection, and how many files are in it.
    pub(in crate::ui) fn loose(&self) -> Option<&(String, u64)> {
        match &self.settings.first.errands.loose {
            Sought::Here(found) => found.as_ref(),
            _ => None,
        }
    }

    /// What it is called: of the files at the top of the workspace, as that is.
    pub(in crate::ui) fn loose_name(&self) -> String {
        let folder = self.loose().map_or("", |(folder, _)| folder);
        let workspace = || self.settings.workspace.rsplit('/').next();
        match Some(folder).filter(|f| *f != TOP).or_else(workspace) {
            Some(name) if !name.is_empty() => one_line(name),
            _ => one_line(&self.settings.workspace),
        }
    }

    /// Says once that there is one.
    pub(super) fn offer_loose(&mut self) {
        let Some((_, many)) = self.loose() else {
            return;
        };
        let many = counted(*many, "Markdown file");
        let (take, leave) = (
            self.key_of("collection.take_in"),
            self.key_of("collection.leave"),
        );
        let said = format!(
            "The folder “{}” holds {many}: in the list {take} makes a collection of them, {leave} leaves it.",
            self.loose_name()
        );
        self.say(said);
    }

    /// The folder that was looked for at a key is there, or is not.
    pub(super) fn looked_loose(&mut self) {
        if !std::mem::take(&mut self.settings.first.errands.asked_loose) {
            return;
        }
        match self.loose() {
            Some(_) => self.offer_loose(),
            None => self.say("No folder of Markdown files was found that is no collection."),
        }
    }

    /// Makes a collection of it; its files stay as they are.
    pub(in crate::ui) fn take_loose(&mut self) -> Vec<Effect> {
        let Some((folder, _)) = self.loose().cloned() else {
            // One may have been made since the window was opened.
            self.settings.first.errands.asked_loose = true;
            return self.errand(Errand::Loose);
        };
        let deed = DrawerDeed::FromFolder {
            folder,
            title: None,
        };
        let purpose = Purpose::Drawer(Filing::Gathered);
        vec![self.ask(Request::Drawer { deed }, purpose)]
    }

    /// Leaves it as it is, for good.
    pub(in crate::ui) fn leave_loose(&mut self) -> Vec<Effect> {
        let Some((folder, _)) = self.loose().cloned() else {
            return Vec::new();
        };
        self.say(format!("“{}” stays as it is.", self.loose_name()));
        self.errand(Errand::Leave(folder))
    }
}

//! Histories from elsewhere: looked for outside the host, brought in by it, one after the other.

use super::App;
use crate::domain::ask::Brought;
use crate::domain::ask::NewImport;
use crate::domain::{CollectionId, Request, SessionId};
use crate::text::{counted, one_line};
use crate::ui::asks::Purpose;
use crate::ui::errand::{Errand, History};
use crate::ui::focus::Pane;
use crate::ui::input::Effect;
use crate::ui::layers::import::Import;
use crate::ui::rows::Shelf;

/// An import under way: what came of it so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Bringing {
    /// Where they go.
    collection: Option<CollectionId>,
    /// The one that is being imported, and those behind it.
    left: Vec<History>,
    /// The first session that was made.
    first: Option<SessionId>,
    /// How many were made: sessions, and variants beside them.
    made: (u64, u64),
    /// Lines that could not be read.
    unread: u64,
    /// Why others were not made.
    refused: Vec<String>,
}

impl App {
    /// Shows the histories there are, and has them looked for anew.
    pub(in crate::ui) fn show_histories(&mut self) -> Vec<Effect> {
        self.push(Import::default());
        self.errand(Errand::Histories)
    }

    /// Imports some of them into the collection at hand.
    pub(super) fn import(&mut self, chosen: Vec<History>) -> Vec<Effect> {
        let collection = match self.rows.shelf() {
            Shelf::Collection(id) => Some(id.clone()),
            _ => None,
        };
        let bringing = Bringing {
            collection,
            left: chosen,
            first: None,
            made: (0, 0),
            unread: 0,
            refused: Vec::new(),
        };
        self.bring(bringing)
    }

    /// Asks for the next one; says how it went when there is none.
    fn bring(&mut self, bringing: Bringing) -> Vec<Effect> {
        let Some(next) = bringing.left.first() else {
            self.brought_all(&bringing);
            return Vec::new();
        };
        let request = Request::Import(NewImport {
            path: next.path.clone(),
            collection: bringing.collection.clone(),
            again: false,
        });
        let left = counted(bringing.left.len() as u64, "history").replace("historys", "histories");
        self.say(format!(
            "Importing “{}”; {left} to go.",
            one_line(&next.title)
        ));
        vec![self.ask(request, Purpose::Import(Box::new(bringing)))]
    }

    /// One is a session here.
    pub(super) fn imported(&mut self, mut bringing: Bringing, brought: &Brought) -> Vec<Effect> {
        bringing.first.get_or_insert(brought.session);
        bringing.made.0 += 1;
        bringing.made.1 += brought.variants.len() as u64;
        bringing.unread += brought.unread_all;
        bringing.left.remove(0);
        self.bring(bringing)
    }

    /// One was refused; the others come all the same.
    pub(super) fn not_imported(&mut self, mut bringing: Bringing, why: &str) -> Vec<Effect> {
        bringing.refused.push(why.to_owned());
        bringing.left.remove(0);
        self.bring(bringing)
    }

    /// Goes to what was made, and says what it is.
    fn brought_all(&mut self, bringing: &Bringing) {
        let inbox = CollectionId::inbox();
        let collection = bringing.collection.as_ref().unwrap_or(&inbox);
        let title = one_line(self.rows.collection_title(collection));
        let mut said = Vec::new();
        if bringing.made.0 > 0 {
            let sessions = counted(bringing.made.0, "session");
            let variants = match bringing.made.1 {
                0 => String::new(),
                n => format!(" and {}", counted(n, "variant")),
            };
            said.push(format!("{sessions}{variants} came into “{title}”."));
        }
        if bringing.unread > 0 {
            let lines = counted(bringing.unread, "line");
            said.push(format!(
                "{lines} could not be read; each session says which."
            ));
        }
        if let Some(why) = bringing.refused.first() {
            let more = match bringing.refused.len() {
                1 => String::new(),
                n => format!(" ({} more were refused.)", n - 1),
            };
            said.push(format!("{}{more}", one_line(why)));
        }
        if let Some(first) = bringing.first {
            self.rows.show(Shelf::Collection(collection.clone()));
            self.rows.await_back(first);
            self.pane = Pane::List;
        }
        self.say(said.join(" "));
    }
}

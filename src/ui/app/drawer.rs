//! What the writer does with collections, and what becomes of it.

use super::App;
use crate::domain::ask::Gathered;
use crate::text::counted;
use crate::ui::focus::Pane;
use crate::ui::input::Effect;
use crate::ui::layers::view::View;
use crate::ui::rows::Shelf;

impl App {
    /// A folder of files has become a collection.
    pub(super) fn gathered(&mut self, gathered: &Gathered) -> Vec<Effect> {
        self.rows
            .show(Shelf::Collection(gathered.collection.clone()));
        self.pane = Pane::List;
        let made = counted(gathered.made.len() as u64, "session");
        self.say(match gathered.known {
            0 => format!("{made} made of the files; the files are as they were."),
            n => format!("{made} made of the files, {n} were there already."),
        });
        if !gathered.skipped.is_empty() {
            self.push(View::new("Left out", &gathered.skipped.join("\n")));
        }
        Vec::new()
    }
}

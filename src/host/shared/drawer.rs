//! The collections as all sessions of a host see them: looked at anew, and which of them a folder lies in.

use std::path::Path;
use std::sync::Arc;

use super::Shared;
use crate::config::{Collection, Drawer, Problem, collection};
use crate::domain::CollectionId;
use crate::domain::row::{CollectionRow, Row};
use crate::host::session::blocking;

impl Shared {
    /// The collection a folder lies in, the inbox when it lies in none. Looks at the collections again: what moved
    /// the folder may have moved its collection.
    pub(in crate::host) fn collection_at(&self, folder: &str) -> CollectionId {
        let top = folder.split('/').next().unwrap_or_default();
        let drawer = self.look_at_drawer();
        let found = drawer.collections.iter().find(|c| c.folder == top);
        found.map_or_else(CollectionId::inbox, |c| c.id.clone())
    }

    /// The same, on a thread that may wait for the disk.
    pub(in crate::host) async fn collection_now_at(self: &Arc<Self>, folder: &str) -> CollectionId {
        let (shared, folder) = (self.clone(), folder.to_owned());
        let found = blocking(move || Ok::<_, String>(shared.collection_at(&folder))).await;
        found.unwrap_or_else(|_| CollectionId::inbox())
    }

    /// Looks at the collections again, on a thread that may wait for the disk, and gives what they are.
    pub(in crate::host) async fn drawer_now(self: &Arc<Self>) -> Drawer {
        let shared = self.clone();
        let looked = blocking(move || Ok::<_, String>(shared.look_at_drawer())).await;
        looked.unwrap_or_else(|_| self.desks.drawer().clone())
    }

    /// The collections whose sessions lie in a folder, that of the oldest first; else the one that lay there when it was
    /// last looked at, unless its sessions lie elsewhere: a copy is not the collection.
    fn lay_at(&self, folder: &str) -> Vec<CollectionId> {
        let top = |row: &Row| row.folder.split('/').next().map(str::to_owned);
        let here = |row: &Row| top(row).as_deref() == Some(folder);
        // What was begun since an id was changed by hand has the new one.
        let lies = |rows: &[&Row]| {
            let rows = rows.iter().filter(|row| here(row));
            collection::filed(rows.map(|row| (row.id, &row.collection)))
        };
        let ids = self.rows.look(lies);
        if !ids.is_empty() {
            return ids;
        }
        let drawer = self.desks.drawer();
        let known = drawer.collections.iter().find(|c| c.folder == folder);
        let known = known.map(|c| c.id.clone());
        drop(drawer);
        let Some(known) = known else {
            return Vec::new();
        };
        let root = self.workspace.root();
        let elsewhere = |row: &Row| top(row).is_some_and(|top| root.join(top).is_dir());
        let of = |row: &Row| row.collection == known;
        let is_free = !self.rows.those(of).iter().any(elsewhere);
        is_free.then_some(known).into_iter().collect()
    }

    /// Looks at the collections again and gives what they are. It reads every file of them: for threads that may wait.
    pub(in crate::host) fn look_at_drawer(&self) -> Drawer {
        let _one = self.desks.look();
        let root = self.workspace.root();
        // Before they are read: what is put into a folder from then on is told.
        let folders = collection::folders(root);
        self.watch
            .hold_drawer(root, folders.iter().map(|folder| root.join(folder)));
        let new = Drawer::known(&self.workspace, |folder| self.lay_at(folder));
        let row = |c: &Collection| CollectionRow {
            waiting: self.desks.waiting(&c.id),
            deeds: self.desks.deeds(&c.id),
            ..c.row()
        };
        self.rows
            .set_collections(new.collections.iter().map(row).collect());
        self.rows.banner("collections", wrong(&new.problems, root));
        let was = self.desks.drawer().clone();
        self.desks.set_drawer(&new);
        self.follow_agents(&was, &new);
        new
    }
}

/// What is wrong with the files of collections: the first of it, and where the rest is told.
fn wrong(problems: &[Problem], root: &Path) -> String {
    let first = problems.first().map(|p| p.within(root).to_string());
    match (first, problems.len()) {
        (None, _) => String::new(),
        (Some(first), 1) => first,
        (Some(first), n) => format!("{first} And {} more: `fascicle doctor` tells them.", n - 1),
    }
}

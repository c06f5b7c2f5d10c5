//! A folder of Markdown files becomes a collection: each file a session with its text as the first version.
//!
//! Which file became which session is logged before the session is made: doing it again adds nothing twice, and goes
//! on where it was broken off.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::session::blocking;
use super::super::shared::Shared;
use super::files::{self, Files, Reach};
use super::{NOTHING, book};
use crate::config::{Collection, Drawer, collection};
use crate::domain::ask::{Gathered, Reply};
use crate::domain::drawer::{Act, FileTaken};
use crate::domain::event::By;
use crate::domain::row::Row;
use crate::domain::{Change, Event, Head, Kind, SessionId};
use crate::drafts::{file, folder};
use crate::log::Book;
use crate::text::{self, hash::sha256};

/// Longest name of a session's folder, in bytes.
const FOLDER_MAX: usize = 60;
/// How many skipped files are named one by one.
const NAMED: usize = 50;

/// Makes it.
pub(super) async fn asked(shared: &Arc<Shared>, folder: String, title: Option<String>) -> Reply {
    let _one = shared.life.one.filing.lock().await;
    let at_work = shared.clone();
    let made = blocking(move || gather(&at_work, &folder, title.as_deref())).await;
    shared.drawer_now().await;
    match made {
        Ok(gathered) => Reply::Gathered(gathered),
        Err(why) => Reply::refused(why, NOTHING),
    }
}

fn gather(shared: &Shared, folder: &str, title: Option<&str>) -> Result<Gathered, String> {
    let root = shared.workspace.root();
    let dir = root.join(folder);
    let dir = dir
        .canonicalize()
        .map_err(|e| format!("{} could not be looked at: {e}.", dir.display()))?;
    let reach = if is_top(shared, &dir) {
        // What lies below are collections, or can be.
        Reach::Top
    } else {
        Reach::Below
    };
    let Files { names, skipped } =
        files::of(&dir, reach).map_err(|e| format!("{} could not be read: {e}.", dir.display()))?;
    let shelf = shelf(shared, &dir, title, names.len())?;
    let mut work = Work {
        shared,
        known: known(shared, &shelf)?,
        out: Gathered {
            collection: shelf.id.clone(),
            made: Vec::new(),
            known: 0,
            skipped,
        },
        shelf,
        dir,
    };
    for name in names {
        if let Err(why) = work.take(&name) {
            work.out.skipped.push(format!("{name}: {why}."));
        }
    }
    work.end()
}

/// Whether a folder is the workspace itself.
fn is_top(shared: &Shared, dir: &Path) -> bool {
    let root = shared.workspace.root();
    root.canonicalize().is_ok_and(|root| root == dir)
}

/// The collection that the files go into: one of that title or folder which was made so before, else a new one.
fn shelf(
    shared: &Shared,
    dir: &Path,
    title: Option<&str>,
    files: usize,
) -> Result<Collection, String> {
    let drawer: Drawer = shared.look_at_drawer();
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    let above = dir.parent().is_some_and(|above| is_top(shared, above));
    let inside = above && !name.starts_with('.');
    if dir.starts_with(shared.workspace.private()) {
        return Err("These files are Fascicle's own. Name a folder of yours.".into());
    }
    if dir.join(folder::MARK).exists() {
        return Err(format!(
            "{} is the folder of a piece, whose text it holds. Name the folder that holds your files, or move the piece with `fascicle move`.",
            dir.display()
        ));
    }
    // The files at the top of the workspace go together, whatever their collection is called since.
    let any = title.is_none() && is_top(shared, dir);
    let title = collection::one_line(title.unwrap_or(&name));
    let there = drawer.collections.iter().find(|c| {
        if inside {
            c.folder == name
        } else {
            (any || c.title == title) && came_from(shared, c, dir)
        }
    });
    if let Some(there) = there {
        return Ok(there.clone());
    }
    if files == 0 {
        return Err(format!("There are no Markdown files in {}.", dir.display()));
    }
    let made = if inside {
        collection::of_folder(&shared.workspace, &name, &title)
    } else {
        collection::create(&shared.workspace, &title)
    };
    let made = made.map_err(|e| e.to_string())?;
    super::made(shared, &made.id, &made.title, &made.folder);
    Ok(made)
}

/// Whether files of a folder were put into a collection before.
fn came_from(shared: &Shared, shelf: &Collection, dir: &Path) -> bool {
    let dir = dir.to_string_lossy();
    taken(shared, shelf).is_ok_and(|taken| taken.iter().any(|t| t.from == dir))
}

fn taken(shared: &Shared, shelf: &Collection) -> Result<Vec<FileTaken>, String> {
    let book = Book::Collection(shelf.id.clone());
    let deeds = shared.store.deeds(&book).map_err(|e| e.to_string())?;
    let of = |entry: crate::domain::drawer::Entry| match entry.act {
        Act::FileTaken(taken) => Some(taken),
        _ => None,
    };
    Ok(deeds.entries.into_iter().filter_map(of).collect())
}

/// The session that each file became.
fn known(shared: &Shared, shelf: &Collection) -> Result<HashMap<String, SessionId>, String> {
    let taken = taken(shared, shelf)?.into_iter();
    Ok(taken.map(|t| (t.file, t.session)).collect())
}

struct Work<'a> {
    shared: &'a Shared,
    shelf: Collection,
    dir: PathBuf,
    known: HashMap<String, SessionId>,
    out: Gathered,
}

impl Work<'_> {
    /// Makes one file a session, unless it is one.
    fn take(&mut self, name: &str) -> Result<(), String> {
        let known = self.known.get(name).copied();
        if known.is_some_and(|id| self.shared.store.has(id)) {
            self.out.known += 1;
            return Ok(());
        }
        let text = files::read(&self.dir.join(name))?;
        let id = match known {
            Some(id) => id,
            None => self.note(name, &text)?,
        };
        self.session(id, name, text)?;
        self.out.made.push(id);
        Ok(())
    }

    fn note(&self, name: &str, text: &str) -> Result<SessionId, String> {
        let session = SessionId::new(uuid::Uuid::now_v7());
        let taken = FileTaken {
            file: name.to_owned(),
            from: self.dir.to_string_lossy().into_owned(),
            sha256: sha256(text.as_bytes()),
            session,
        };
        book::note(self.shared, &self.shelf.id, Act::FileTaken(taken))?;
        Ok(session)
    }

    /// Its folder and draft first, then its log: it exists from the log's rename on. It is not opened for that.
    fn session(&self, id: SessionId, name: &str, text: String) -> Result<(), String> {
        let title = files::title(name, &text);
        let (root, slug) = (self.shared.workspace.root(), text::slug(&title, FOLDER_MAX));
        let said = |e: std::io::Error| e.to_string();
        let at = match folder::find(root, id) {
            Some(at) => at,
            None => folder::make(root, &self.shelf.folder, &slug, id).map_err(said)?,
        };
        file::replace(&root.join(&at), text.as_bytes()).map_err(said)?;
        let kinds = vec![
            Kind::Created {
                id,
                title: Some(title),
                collection: self.shelf.id.clone(),
                folder: at,
                agent: None,
                app: env!("CARGO_PKG_VERSION").to_owned(),
            },
            Kind::DraftSaved {
                turn: None,
                sha256: sha256(text.as_bytes()),
                bytes: text.len() as u64,
                words: text::count(&text),
                by: By::Outside,
                base: None,
                // They were written before they came here: no words of today.
                added: 0,
                removed: 0,
                beside: None,
                from: None,
                rest: false,
            },
        ];
        let head = head_of(&kinds);
        let (store, blobs) = (&self.shared.store, [text.into_bytes()]);
        let made = store.create(id, &self.shelf.id, kinds, &blobs, Box::new(|_| {}));
        drop(made.map_err(|e| e.to_string())?);
        if let Some(row) = Row::of(&head, &self.shared.agent_of(&head).0, false) {
            self.shared.rows.set(row);
        }
        Ok(())
    }

    /// The pieces get their order in the file.
    fn end(mut self) -> Result<Gathered, String> {
        if !self.out.made.is_empty() {
            let there = self.shelf.pieces.iter().map(|p| p.id);
            let order = there.chain(self.out.made.iter().copied()).collect();
            let change = [Change::Pieces(order)];
            let workspace = &self.shared.workspace;
            collection::edit(workspace, &self.shelf, &change).map_err(|e| e.to_string())?;
        }
        let over = self.out.skipped.len().saturating_sub(NAMED);
        if over > 0 {
            self.out.skipped.truncate(NAMED);
            self.out.skipped.push(format!("And {over} more."));
        }
        Ok(self.out)
    }
}

fn head_of(kinds: &[Kind]) -> Head {
    let mut head = Head::default();
    let ts = jiff::Timestamp::now().as_millisecond();
    for (seq, kind) in (0..).zip(kinds) {
        let kind = kind.clone();
        head.apply(&Event { seq, ts, kind });
    }
    head
}

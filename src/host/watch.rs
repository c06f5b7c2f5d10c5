//! Folders of sessions that are open or shown, watched for drafts that another program changes; the workspace and the
//! folders in it, for collections that come, go and change their names, and for what the writer sets there by hand.
//!
//! What the system tells is a hint to look, nothing more; where it tells nothing, the file is looked at slowly.

mod door;
mod hear;
mod of;

use std::collections::{HashMap, HashSet};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use notify::{Event, RecursiveMode, Watcher};
use tokio::sync::mpsc;

use crate::domain::SessionId;
use crate::drafts::file::Stamp;
use door::Door;
pub(super) use hear::run;
use of::Of;

/// How long nothing more must be heard before a file is looked at: a program that writes it in pieces is not read
/// in the middle.
const QUIET: Duration = Duration::from_millis(100);
/// How long is waited for that at most.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often a file is looked at of which the system tells nothing.
const SLOW: Duration = Duration::from_secs(3);
/// File systems on which other machines' changes are not told (statfs(2)): NFS, SMB, CIFS, SMB2, FUSE, 9P.
const SILENT: [u64; 6] = [
    0x6969,
    0x517b,
    0xff53_4d42,
    0xfe53_4d42,
    0x6573_5546,
    0x0102_1997,
];

/// Which folder stands at a path: its device, its number and, since numbers are given again, when it was made. None
/// where there is none.
type Inode = Option<(u64, u64, Option<SystemTime>)>;
type Told = mpsc::UnboundedSender<Vec<PathBuf>>;
type Make = fn(Told) -> notify::Result<Box<dyn Watcher + Send>>;

/// The folders that are watched.
pub(super) struct Watch {
    folders: Arc<Mutex<Folders>>,
    /// Those of collections.
    drawer: Mutex<Vec<Held>>,
    /// Whoever looks after the host waits for news of it there.
    pub(super) door: Door,
}

struct Folders {
    watcher: Option<Box<dyn Watcher + Send>>,
    make: Make,
    told: Told,
    hints: Option<mpsc::UnboundedReceiver<Vec<PathBuf>>>,
    held: HashMap<Of, Folder>,
}

struct Folder {
    /// Where it is; none while it gets another name.
    path: Option<PathBuf>,
    /// Which folder that is, whatever it is called.
    inode: Inode,
    holders: usize,
    /// Why it is looked at slowly, and how its files looked.
    slow: Option<(String, Vec<Option<Stamp>>)>,
}

/// Keeps a folder watched while it lives.
pub(super) struct Held {
    folders: Arc<Mutex<Folders>>,
    of: Of,
    path: PathBuf,
    inode: Inode,
}

impl Held {
    /// Whether it is the folder that stands at a path now: another one may have got the name.
    pub(super) fn is_of(&self, path: &Path) -> bool {
        self.path == *path && self.inode == inode(path)
    }

    /// Watches the folder no more, for all who hold it, until it is held where it is then.
    pub(super) fn pause(self) {
        lock(&self.folders).leave(&self.of);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        lock(&self.folders).release(&self.of);
    }
}

impl Watch {
    pub(super) fn new() -> Self {
        Self::with(system)
    }

    fn with(make: Make) -> Self {
        let (told, hints) = mpsc::unbounded_channel();
        let folders = Folders {
            watcher: None,
            make,
            told,
            hints: Some(hints),
            held: HashMap::new(),
        };
        Self {
            folders: Arc::new(Mutex::new(folders)),
            drawer: Mutex::default(),
            door: Door::default(),
        }
    }

    /// Watches these folders of the workspace, and no others, and its own. Each may be a collection, or become one.
    pub(super) fn hold_drawer(&self, root: &Path, paths: impl Iterator<Item = PathBuf>) {
        let mut folders: Vec<(Of, PathBuf)> =
            paths.map(|path| (Of::Drawer(path.clone()), path)).collect();
        if root.is_dir() {
            folders.push((Of::Root, root.to_owned()));
        }
        let mut drawer = self.drawer.lock().unwrap_or_else(PoisonError::into_inner);
        self.hold_only(&mut drawer, folders);
    }

    /// Watches these folders and lets go of the others that are held.
    fn hold_only(&self, held: &mut Vec<Held>, folders: Vec<(Of, PathBuf)>) {
        // First those that are no more: a folder with another name is the same one to the system, and letting go of the
        // old name behind the new one would end the watch of both.
        held.retain(|held| folders.iter().any(|(_, path)| held.is_of(path)));
        for (of, path) in folders {
            if held.iter().all(|held| held.path != path) {
                held.push(self.hold_for(of, path));
            }
        }
    }

    /// Watches a session's folder for as long as what is given back lives; one that is watched elsewhere is from now
    /// on watched here.
    pub(super) fn hold(&self, session: SessionId, path: PathBuf) -> Held {
        self.hold_for(Of::Session(session), path)
    }

    fn hold_for(&self, of: Of, path: PathBuf) -> Held {
        let mut folders = lock(&self.folders);
        let known = folders.held.get(&of);
        let holders = known.map_or(0, |f| f.holders) + 1;
        let inode = inode(&path);
        let is_there = known.is_some_and(|f| f.path.as_ref() == Some(&path) && f.inode == inode);
        if !is_there {
            folders.leave(&of);
            let slow = folders.begin(&path).err();
            if slow.is_some() {
                // Whoever waits for hints learns that it has to look by itself.
                drop(folders.told.send(Vec::new()));
            }
            let folder = Folder {
                slow: slow.map(|why| (why, of.stamps(&path))),
                path: Some(path.clone()),
                inode,
                holders,
            };
            folders.held.insert(of.clone(), folder);
        } else if let Some(folder) = folders.held.get_mut(&of) {
            folder.holders = holders;
        }
        Held {
            folders: self.folders.clone(),
            of,
            path,
            inode,
        }
    }

    /// The sessions whose folders are watched, and where those are, or were.
    fn sessions(&self) -> Vec<(SessionId, PathBuf)> {
        let folders = lock(&self.folders);
        let of = |(of, folder): (&Of, &Folder)| match of {
            Of::Session(id) => Some((*id, folder.path.clone()?)),
            _ => None,
        };
        folders.held.iter().filter_map(of).collect()
    }

    /// Those whose file looks otherwise than before, of those that are looked at slowly.
    fn changed(&self) -> HashSet<Of> {
        let mut folders = lock(&self.folders);
        let mut changed = HashSet::new();
        for (of, folder) in &mut folders.held {
            if let (Some(path), Some((_, stamps))) = (&folder.path, &mut folder.slow) {
                let now = of.stamps(path);
                if std::mem::replace(stamps, now.clone()) != now {
                    changed.insert(of.clone());
                }
            }
        }
        changed
    }

    /// What some paths are about; all where it is not known.
    fn about(&self, paths: &[PathBuf]) -> HashSet<Of> {
        let folders = lock(&self.folders);
        if paths.is_empty() {
            return folders.held.keys().cloned().collect();
        }
        let is_news = |(of, folder): &(&Of, &Folder)| {
            let path = folder.path.as_ref();
            path.is_some_and(|path| paths.iter().any(|new| of.concerns(path, new)))
        };
        let held = folders.held.iter().filter(is_news);
        held.map(|(of, _)| of.clone()).collect()
    }

    /// Why some folder is looked at slowly.
    fn slow(&self) -> Option<String> {
        let folders = lock(&self.folders);
        let mut slow = folders.held.values().filter_map(|f| f.slow.as_ref());
        slow.next().map(|(why, _)| why.clone())
    }
}

impl Folders {
    /// Begins to watch; the error says why that cannot be.
    fn begin(&mut self, path: &Path) -> Result<(), String> {
        if is_on_silent(path) {
            return Err("its file system does not tell of them".to_owned());
        }
        if self.watcher.is_none() {
            self.watcher = Some((self.make)(self.told.clone()).map_err(|e| why(&e))?);
        }
        match &mut self.watcher {
            Some(watcher) => watcher
                .watch(path, RecursiveMode::NonRecursive)
                .map_err(|e| why(&e)),
            None => Ok(()),
        }
    }

    fn release(&mut self, of: &Of) {
        let Some(folder) = self.held.get_mut(of) else {
            return;
        };
        folder.holders -= 1;
        if folder.holders == 0 {
            self.leave(of);
            self.held.remove(of);
        }
    }

    /// Watches a folder no more where it was.
    fn leave(&mut self, of: &Of) {
        let Some(folder) = self.held.get_mut(of) else {
            return;
        };
        let (path, slow) = (folder.path.take(), folder.slow.take());
        if let (Some(watcher), Some(path), None) = (&mut self.watcher, path, slow) {
            // One that is gone is watched no more.
            drop(watcher.unwatch(&path));
        }
    }
}

fn said(why: &str) -> String {
    let secs = SLOW.as_secs();
    format!(
        "Changes of draft.md by other programs are noticed within {secs} s, not at once: {why}."
    )
}

fn why(e: &notify::Error) -> String {
    match &e.kind {
        notify::ErrorKind::MaxFilesWatch => {
            "the system watches no more folders (fs.inotify.max_user_watches)".to_owned()
        }
        _ => format!("the system does not watch them ({e})"),
    }
}

#[cfg(target_os = "linux")]
fn is_on_silent(path: &Path) -> bool {
    rustix::fs::statfs(path).is_ok_and(|fs| is_silent(fs.f_type.cast_unsigned()))
}

#[cfg(not(target_os = "linux"))]
fn is_on_silent(_: &Path) -> bool {
    false
}

#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "statfs(2)"))]
const fn is_silent(kind: u64) -> bool {
    let mut at = 0;
    while at < SILENT.len() {
        if kind & 0xffff_ffff == SILENT[at] {
            return true;
        }
        at += 1;
    }
    false
}

/// The system's own watcher. Reading is no news, our own above all.
fn system(told: Told) -> notify::Result<Box<dyn Watcher + Send>> {
    let heard = move |event: notify::Result<Event>| {
        let paths = match event {
            Ok(event) if event.kind.is_access() => return,
            Ok(event) if event.need_rescan() => Vec::new(),
            Ok(event) => event.paths,
            Err(_) => Vec::new(),
        };
        // The host has ended.
        drop(told.send(paths));
    };
    Ok(Box::new(notify::recommended_watcher(heard)?))
}

fn inode(path: &Path) -> Inode {
    let there = std::fs::symlink_metadata(path).ok()?;
    Some((there.dev(), there.ino(), there.created().ok()))
}

fn lock(folders: &Mutex<Folders>) -> MutexGuard<'_, Folders> {
    // A panic elsewhere leaves it whole: every change is one call.
    folders.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    fn id(n: u128) -> SessionId {
        SessionId::new(uuid::Uuid::from_u128(n))
    }

    fn used_up(_: Told) -> notify::Result<Box<dyn Watcher + Send>> {
        Err(notify::Error::new(notify::ErrorKind::MaxFilesWatch))
    }

    #[test]
    fn where_the_limit_of_watches_is_used_up_it_is_said_and_the_file_is_looked_at() {
        let dir = tempfile::tempdir().unwrap();
        let watch = Watch::with(used_up);
        let held = watch.hold(id(1), dir.path().to_owned());
        assert!(said(&watch.slow().unwrap()).contains("max_user_watches"));
        assert!(watch.changed().is_empty());
        std::fs::write(dir.path().join("draft.md"), "New.").unwrap();
        assert_eq!(watch.changed(), HashSet::from([Of::Session(id(1))]));
        assert!(watch.changed().is_empty());
        drop(held);
        assert_eq!(watch.slow(), None);
    }

    #[test]
    fn a_folder_is_watched_until_its_last_holder_is_gone_and_only_its_draft_is_news() {
        let dir = tempfile::tempdir().unwrap();
        let watch = Watch::new();
        let path = dir.path().to_owned();
        let (one, two) = (
            watch.hold(id(1), path.clone()),
            watch.hold(id(1), path.clone()),
        );
        drop(one);
        assert_eq!(watch.about(&[path.join("draft.md")]).len(), 1);
        assert_eq!(watch.about(&[path.join("other.md")]).len(), 0);
        assert_eq!(watch.about(&[]).len(), 1);
        drop(two);
        assert_eq!(watch.about(&[path.join("draft.md")]).len(), 0);
    }

    #[test]
    fn two_folders_that_exchange_names_are_watched_under_their_new_ones() {
        let dir = tempfile::tempdir().unwrap();
        let paths = [1, 2].map(|n| dir.path().join(n.to_string()));
        for path in &paths {
            std::fs::create_dir(path).unwrap();
        }
        let [one, two] = &paths;
        let watch = Watch::new();
        let windows = [
            watch.hold(id(1), one.clone()),
            watch.hold(id(2), two.clone()),
        ];
        watch.hold(id(1), one.clone()).pause();
        watch.hold(id(2), two.clone()).pause();
        assert!(watch.about(&[one.join("draft.md")]).is_empty());
        let actors = [
            watch.hold(id(1), two.clone()),
            watch.hold(id(2), one.clone()),
        ];
        assert_eq!(
            watch.about(&[one.join("draft.md")]),
            HashSet::from([Of::Session(id(2))])
        );
        drop(actors);
        assert_eq!(
            watch.about(&[two.join("draft.md")]),
            HashSet::from([Of::Session(id(1))])
        );
        drop(windows);
        assert!(watch.about(&[two.join("draft.md")]).is_empty());
    }

    #[test]
    fn the_folder_of_a_collection_is_watched_for_what_is_set_there() {
        let dir = tempfile::tempdir().unwrap();
        let watch = Watch::with(used_up);
        let path = dir.path().to_owned();
        watch.hold_drawer(Path::new("/no/such"), [path.clone()].into_iter());
        let drawer = HashSet::from([Of::Drawer(path.clone())]);
        assert_eq!(watch.about(&[path.join("collection.toml")]), drawer);
        assert!(watch.about(&[path.join("03-session")]).is_empty());
        std::fs::write(path.join("collection.toml"), "").unwrap();
        assert_eq!(watch.changed(), drawer);
        watch.hold_drawer(Path::new("/no/such"), [path.clone()].into_iter());
        assert_eq!(watch.about(&[]), drawer);
        watch.hold_drawer(Path::new("/no/such"), std::iter::empty());
        assert!(watch.about(&[]).is_empty());
    }

    #[test]
    fn file_systems_of_other_machines_are_known_to_be_silent() {
        assert!(is_silent(0x6969) && is_silent(0xffff_ffff_ff53_4d42));
        assert!(!is_silent(0xef53));
    }
}

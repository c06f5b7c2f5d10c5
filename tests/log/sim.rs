//! A disk in memory that can lose power at any byte, fill up, refuse to sync and hold its breath.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use fascicle::log::disk::{Disk, DiskFile, Lock, Open, Stat};

const EIO: i32 = 5;
const EACCES: i32 = 13;

/// The disk. Clones are the same disk; `fork` copies it.
#[derive(Clone)]
pub struct Sim(Arc<Inner>);

struct Inner {
    state: Mutex<State>,
    turned: Condvar,
}

#[expect(clippy::struct_excessive_bools, reason = "each is a fault of its own")]
#[derive(Clone, Default)]
pub struct State {
    nodes: Vec<Node>,
    /// Bytes that may still be written.
    pub room: Option<u64>,
    /// Operations that change anything, syncs of files left out.
    pub ops: u64,
    /// At that operation, after so many bytes of it, everything ends.
    pub crash: Option<(u64, usize)>,
    pub crashed: bool,
    /// At most so many bytes a write.
    pub short: Option<usize>,
    /// Writes wait.
    pub held: bool,
    pub sync_fails: bool,
    /// Syncs of files do nothing, and say they did.
    pub sync_lies: bool,
    /// Syncs of files that were done.
    pub syncs: u64,
    /// Files that were opened, and bytes read from files.
    pub opened: u64,
    /// Looks at files and folders, open or not.
    pub looks: u64,
    /// Files have another number when they are looked at by name.
    pub unsteady: bool,
    /// No file can have two names.
    pub linkless: bool,
    /// Looks by name are refused.
    pub silent: bool,
    /// No file can be made in these folders.
    pub closed: Option<PathBuf>,
    /// How often that was tried.
    pub refused: u64,
    /// What comes to a path in the moment a file is made under the other.
    pub comes: Option<(PathBuf, PathBuf, Vec<u8>)>,
    pub bytes_read: u64,
    /// Bytes of each append, in order.
    pub appends: Vec<usize>,
    boots: u64,
    locked: Vec<usize>,
}

#[derive(Clone)]
enum Node {
    Dir {
        names: BTreeMap<String, usize>,
        durable: BTreeMap<String, usize>,
    },
    File {
        bytes: Vec<u8>,
        durable: usize,
    },
}

fn gone() -> io::Error {
    io::Error::other("the machine is down")
}

fn full() -> io::Error {
    io::ErrorKind::StorageFull.into()
}

impl Sim {
    pub fn new() -> Self {
        let root = Node::Dir {
            names: BTreeMap::new(),
            durable: BTreeMap::new(),
        };
        let sim = Self::of(State {
            nodes: vec![root],
            ..State::default()
        });
        for dir in ["/w", "/cache"] {
            sim.make_dir(Path::new(dir)).unwrap();
        }
        sim.sync_dir(Path::new("/")).unwrap();
        sim.state().ops = 0;
        sim
    }

    fn of(state: State) -> Self {
        Self(Arc::new(Inner {
            state: Mutex::new(state),
            turned: Condvar::new(),
        }))
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn release(&self) {
        self.state().held = false;
        self.0.turned.notify_all();
    }

    /// Another disk with the same content, as after `kill -9`.
    pub fn fork(&self) -> Self {
        let mut state = self.state().clone();
        state.locked.clear();
        state.boots += 1;
        (state.crash, state.crashed, state.held) = (None, false, false);
        Self::of(state)
    }

    /// Another disk with what a power cut leaves: what was synced, and of each file so many bytes
    /// more, the rest of its length as NUL if asked for.
    pub fn lose_power(&self, extra: usize, nul: bool) -> Self {
        let disk = self.fork();
        for node in &mut disk.state().nodes {
            match node {
                Node::Dir { names, durable } => names.clone_from(durable),
                Node::File { bytes, durable } => {
                    let kept = (*durable + extra).min(bytes.len());
                    if nul {
                        bytes[kept..].fill(0);
                    } else {
                        bytes.truncate(kept);
                    }
                    *durable = bytes.len();
                }
            }
        }
        disk
    }

    pub fn bytes(&self, path: &Path) -> Option<Vec<u8>> {
        let state = self.state();
        match &state.nodes[state.walk(path).ok()?] {
            Node::File { bytes, .. } => Some(bytes.clone()),
            Node::Dir { .. } => None,
        }
    }

    pub fn put(&self, path: &Path, content: &[u8]) {
        let mut state = self.state();
        let n = state.node_of_new(path).unwrap();
        state.nodes[n] = Node::File {
            bytes: content.to_vec(),
            durable: content.len(),
        };
    }
}

impl Sim {
    /// Cuts a file where it lies, as another program would.
    pub fn cut(&self, path: &Path, len: usize) {
        self.state().cut(path, len);
    }
}

impl State {
    pub fn cut(&mut self, path: &Path, len: usize) {
        let n = self.walk(path).unwrap();
        if let Node::File { bytes, durable } = &mut self.nodes[n] {
            bytes.truncate(len);
            *durable = len.min(*durable);
        }
    }

    fn walk(&self, path: &Path) -> io::Result<usize> {
        let mut at = 0;
        for part in path.components() {
            if let Component::Normal(name) = part {
                let Node::Dir { names, .. } = &self.nodes[at] else {
                    return Err(io::ErrorKind::NotADirectory.into());
                };
                let name = name.to_str().unwrap();
                at = *names.get(name).ok_or(io::ErrorKind::NotFound)?;
            }
        }
        Ok(at)
    }

    fn names(&mut self, dir: &Path) -> io::Result<&mut BTreeMap<String, usize>> {
        let n = self.walk(dir)?;
        match &mut self.nodes[n] {
            Node::Dir { names, .. } => Ok(names),
            Node::File { .. } => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    fn split(path: &Path) -> (&Path, String) {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (path.parent().unwrap(), name)
    }

    fn node_of_new(&mut self, path: &Path) -> io::Result<usize> {
        let (dir, name) = Self::split(path);
        let n = self.nodes.len();
        self.names(dir)?.insert(name, n);
        self.nodes.push(Node::File {
            bytes: Vec::new(),
            durable: 0,
        });
        Ok(n)
    }

    /// Has come what waits for this file to be made.
    fn arrive(&mut self, path: &Path) -> io::Result<()> {
        let Some((_, to, bytes)) = self.comes.take_if(|(at, ..)| at == path) else {
            return Ok(());
        };
        let node = self.node_of_new(&to)?;
        let durable = bytes.len();
        self.nodes[node] = Node::File { bytes, durable };
        Ok(())
    }

    /// Every path of a node.
    fn paths(&self, node: usize) -> Vec<PathBuf> {
        let (mut found, mut ahead) = (Vec::new(), vec![(PathBuf::from("/"), 0)]);
        while let Some((path, n)) = ahead.pop() {
            if let Node::Dir { names, .. } = &self.nodes[n] {
                ahead.extend(names.iter().map(|(name, n)| (path.join(name), *n)));
            }
            if n == node {
                found.push(path);
            }
        }
        found
    }

    /// Counts an operation. Bytes of it that are still done when it is the last one.
    fn op(&mut self) -> io::Result<Option<usize>> {
        if self.crashed {
            return Err(gone());
        }
        self.ops += 1;
        match self.crash {
            Some((op, bytes)) if op == self.ops - 1 => {
                self.crashed = true;
                Ok(Some(bytes))
            }
            _ => Ok(None),
        }
    }

    /// The same for operations that are done wholly or not at all.
    fn whole_op(&mut self) -> io::Result<()> {
        match self.op()? {
            None => Ok(()),
            Some(_) => Err(gone()),
        }
    }

    fn up(&self) -> io::Result<()> {
        if self.crashed { Err(gone()) } else { Ok(()) }
    }
}

struct File {
    disk: Sim,
    node: usize,
    boot: u64,
}

struct Held {
    disk: Sim,
    node: usize,
}

impl Drop for Held {
    fn drop(&mut self) {
        let node = self.node;
        self.disk.state().locked.retain(|n| *n != node);
    }
}

impl Disk for Sim {
    fn open(&self, path: &Path, how: Open) -> io::Result<Arc<dyn DiskFile>> {
        let mut state = self.state();
        state.up()?;
        let node = if how == Open::New {
            if state
                .closed
                .as_deref()
                .is_some_and(|dir| path.starts_with(dir))
            {
                state.refused += 1;
                return Err(io::Error::from_raw_os_error(EACCES));
            }
            state.whole_op()?;
            state.arrive(path)?;
            state.node_of_new(path)?
        } else {
            state.walk(path)?
        };
        state.opened += 1;
        let boot = state.boots;
        drop(state);
        Ok(Arc::new(File {
            disk: self.clone(),
            node,
            boot,
        }))
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        let mut state = self.state();
        state.up()?;
        if state.silent {
            return Err(io::Error::from_raw_os_error(EIO));
        }
        let node = state.walk(path)?;
        let mut stat = state.stat(node);
        stat.inode += u64::from(state.unsteady) * 1000;
        Ok(stat)
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<String>> {
        let mut state = self.state();
        state.up()?;
        Ok(state.names(dir)?.keys().cloned().collect())
    }

    fn make_dir(&self, dir: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.whole_op()?;
        let (above, name) = State::split(dir);
        let n = state.nodes.len();
        if state.names(above)?.contains_key(&name) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        state.names(above)?.insert(name, n);
        state.nodes.push(Node::Dir {
            names: BTreeMap::new(),
            durable: BTreeMap::new(),
        });
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.whole_op()?;
        let node = state.walk(from)?;
        let ((from, old), (to, new)) = (State::split(from), State::split(to));
        state.names(to)?.insert(new, node);
        state.names(from)?.remove(&old);
        Ok(())
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        if self.state().walk(to).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.rename(from, to)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.state();
        if state.linkless {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let node = state.walk(from)?;
        if state.walk(to).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        state.whole_op()?;
        let (dir, name) = State::split(to);
        state.names(dir)?.insert(name, node);
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.up()?;
        let (dir, name) = State::split(path);
        let there = state.names(dir)?.contains_key(&name);
        if !there {
            return Err(io::ErrorKind::NotFound.into());
        }
        state.whole_op()?;
        state.names(dir)?.remove(&name);
        Ok(())
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.whole_op()?;
        let n = state.walk(dir)?;
        state.settle(n);
        Ok(())
    }

    fn lock(&self, path: &Path, _holder: &str) -> io::Result<Lock> {
        let mut state = self.state();
        state.up()?;
        let node = match state.walk(path) {
            Ok(node) => node,
            Err(_) => state.node_of_new(path)?,
        };
        if state.locked.contains(&node) {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        state.locked.push(node);
        drop(state);
        Ok(Box::new(Held {
            disk: self.clone(),
            node,
        }))
    }
}

impl State {
    fn stat(&mut self, node: usize) -> Stat {
        self.looks += 1;
        let len = match &self.nodes[node] {
            Node::Dir { .. } => 0,
            Node::File { bytes, .. } => bytes.len() as u64,
        };
        Stat {
            len,
            mtime: i64::try_from(len).unwrap(),
            inode: node as u64,
            device: 0,
            links: self.paths(node).len() as u64,
        }
    }
}

impl State {
    /// Makes the names in a folder durable. A move between folders is one step of the journal:
    /// both names change, or none.
    fn settle(&mut self, dir: usize) {
        let Node::Dir { names, durable } = &mut self.nodes[dir] else {
            return;
        };
        let names = names.clone();
        let was = std::mem::replace(durable, names.clone());
        let moved = |n: &usize| !names.values().any(|m| m == n);
        let left: Vec<usize> = was.values().copied().filter(moved).collect();
        for (other, node) in self.nodes.iter_mut().enumerate() {
            if let (
                Node::Dir {
                    names: now,
                    durable,
                },
                true,
            ) = (node, other != dir)
            {
                durable.retain(|name, n| now.get(name) == Some(n) || moved(n));
                let came = now.iter().filter(|(_, n)| left.contains(n));
                durable.extend(came.map(|(name, n)| (name.clone(), *n)));
            }
        }
    }
}

impl DiskFile for File {
    fn append(&self, given: &[u8]) -> io::Result<usize> {
        let mut state = self.disk.state();
        while state.held {
            let turned = &self.disk.0.turned;
            state = turned.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let last = state.op()?;
        let fits = state.room.map_or(given.len(), |room| {
            given.len().min(usize::try_from(room).unwrap())
        });
        let n = fits
            .min(state.short.unwrap_or(usize::MAX))
            .min(last.unwrap_or(usize::MAX));
        if n == 0 && last.is_none() {
            return Err(full());
        }
        state.room = state.room.map(|room| room - n as u64);
        state.appends.push(n);
        assert_eq!(self.boot, state.boots, "a file outlives its machine");
        if let Node::File { bytes, .. } = &mut state.nodes[self.node] {
            bytes.extend_from_slice(&given[..n]);
        }
        if last.is_some() { Err(gone()) } else { Ok(n) }
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<usize> {
        let mut state = self.disk.state();
        state.up()?;
        state.bytes_read += into.len() as u64;
        let Node::File { bytes, .. } = &state.nodes[self.node] else {
            return Err(io::ErrorKind::IsADirectory.into());
        };
        let rest = bytes
            .get(usize::try_from(at).unwrap()..)
            .unwrap_or_default();
        let n = rest.len().min(into.len());
        into[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }

    fn sync(&self) -> io::Result<()> {
        let mut state = self.disk.state();
        state.up()?;
        if state.sync_fails {
            return Err(io::Error::from_raw_os_error(EIO));
        }
        state.syncs += 1;
        if state.sync_lies {
            return Ok(());
        }
        if let Node::File { bytes, durable } = &mut state.nodes[self.node] {
            *durable = bytes.len();
        }
        Ok(())
    }

    fn stat(&self) -> io::Result<Stat> {
        let mut state = self.disk.state();
        state.up()?;
        Ok(state.stat(self.node))
    }

    fn path(&self) -> Option<PathBuf> {
        self.disk.state().paths(self.node).pop()
    }
}

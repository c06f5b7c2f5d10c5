//! Two folders of sessions exchange their names, whatever the moment a crash comes in.
//!
//! Whose a folder is, is said by its `.session` file and never by its name: so each step can be looked at, and what
//! was broken off is finished by going on from where the folders are.

use std::io;
use std::path::{Path, PathBuf};

use super::folder;
use crate::domain::SessionId;

/// What is done to names of folders; tests have one that fails.
pub trait Names: Send + Sync {
    /// Two folders exchange names in one step. [`io::ErrorKind::Unsupported`] where the system has no such step.
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()>;
    /// A folder gets another name, which nothing has.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Makes the names in a folder durable.
    fn sync(&self, dir: &Path) -> io::Result<()>;
}

/// The names on disk.
#[derive(Clone, Copy, Debug)]
pub struct OnDisk;

/// Why folders keep their names.
#[derive(Debug, thiserror::Error)]
pub enum SwapError {
    /// A link stands where a folder should.
    #[error("{0} is a link, and keeps its name: put the folder itself there.")]
    Link(String),
    /// The name is somebody else's: of that session, where it is one's.
    #[error("{0} is taken by something else: move that away to have the name free.")]
    Taken(String, Option<SessionId>),
    /// The folder is not there.
    #[error("{0} is not there any more.")]
    Gone(String),
    /// The disk said no.
    #[error("{folder} keeps its name for now: {source}.")]
    Disk {
        /// The folder.
        folder: String,
        /// What it said.
        source: io::Error,
    },
}

impl SwapError {
    /// Whether another try may end otherwise, with nothing changed by the writer.
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::Disk { .. })
    }
}

/// What stands at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stands {
    Nothing,
    Folder(Option<SessionId>),
    Link,
    Other,
}

/// Whether a session's folder can get a name: nothing has it, or the folder of the other session.
pub fn can(root: &Path, at: &str, to: &str, other: SessionId) -> Result<(), SwapError> {
    if at == to {
        return Ok(());
    }
    match stands(&root.join(at)) {
        Stands::Folder(_) => {}
        Stands::Nothing => return Err(SwapError::Gone(at.to_owned())),
        Stands::Link | Stands::Other => return Err(SwapError::Link(at.to_owned())),
    }
    match stands(&root.join(to)) {
        Stands::Nothing => Ok(()),
        Stands::Folder(of) if of == Some(other) => Ok(()),
        Stands::Link => Err(SwapError::Link(to.to_owned())),
        Stands::Folder(of) => Err(SwapError::Taken(to.to_owned(), of)),
        Stands::Other => Err(SwapError::Taken(to.to_owned(), None)),
    }
}

/// Gives the folder of the session `id` at `at` the name `to`, all below `root`. The folder of the session `other`, if
/// it has that name, gets `at` for it. Done when this returns, and on disk.
pub fn give(
    names: &dyn Names,
    root: &Path,
    (id, at): (SessionId, &str),
    (other, to): (SessionId, &str),
) -> Result<(), SwapError> {
    if at == to {
        return Ok(());
    }
    can(root, at, to, other)?;
    let (from, wanted) = (root.join(at), root.join(to));
    let done = match stands(&wanted) {
        Stands::Nothing => names
            .rename(&from, &wanted)
            .and_then(|()| sync(names, &[&from, &wanted])),
        _ => exchange(names, &from, &wanted, id),
    };
    done.map_err(|source| SwapError::Disk {
        folder: at.to_owned(),
        source,
    })
}

/// Gives the folder of a session a name that nothing has; false where something has it, or the folder is not there.
pub fn rename(
    names: &dyn Names,
    root: &Path,
    (id, at): (SessionId, &str),
    to: &str,
) -> io::Result<bool> {
    let (from, wanted) = (root.join(at), root.join(to));
    if stands(&from) != Stands::Folder(Some(id)) || stands(&wanted) != Stands::Nothing {
        return Ok(false);
    }
    names.rename(&from, &wanted)?;
    sync(names, &[&from, &wanted])?;
    Ok(true)
}

/// Brings the folder of a session that stands aside, since an exchange for the name `to` was broken off, to that name,
/// or to its own again where the other folder still has that one. Gives where it is then; none when none stands aside.
pub fn bring_back(
    names: &dyn Names,
    root: &Path,
    (id, at): (SessionId, &str),
    to: &str,
) -> io::Result<Option<String>> {
    let aside = aside(&root.join(to), id);
    if !folder::is_of(&aside, id) {
        return Ok(None);
    }
    let free = |place: &&str| stands(&root.join(place)) == Stands::Nothing;
    let place = match [to, at].iter().find(|place| free(place)) {
        Some(place) => (*place).to_owned(),
        None => folder::free(root, to),
    };
    let home = root.join(&place);
    names.rename(&aside, &home)?;
    sync(names, &[&aside, &home])?;
    Ok(Some(place))
}

fn exchange(names: &dyn Names, from: &Path, to: &Path, id: SessionId) -> io::Result<()> {
    match names.exchange(from, to) {
        Err(e) if e.kind() == io::ErrorKind::Unsupported => by_steps(names, from, to, id),
        done => done.and_then(|()| sync(names, &[from, to])),
    }
}

/// The same in three steps. At each moment each folder has a name by which it is found again.
fn by_steps(names: &dyn Names, from: &Path, to: &Path, id: SessionId) -> io::Result<()> {
    let aside = aside(to, id);
    names.rename(from, &aside)?;
    sync(names, &[from, &aside])?;
    if let Err(e) = names.rename(to, from) {
        // As it was. What cannot be brought back now is found by the next look.
        let _back = names.rename(&aside, from);
        return Err(e);
    }
    sync(names, &[to, from])?;
    names.rename(&aside, to)?;
    sync(names, &[&aside, to])
}

/// Where the folder of a session stands aside that is to get a name.
fn aside(to: &Path, id: SessionId) -> PathBuf {
    to.parent()
        .map_or_else(PathBuf::new, |dir| folder::aside(dir, id))
}

fn sync(names: &dyn Names, paths: &[&Path]) -> io::Result<()> {
    let mut parents: Vec<&Path> = paths.iter().filter_map(|p| p.parent()).collect();
    parents.dedup();
    parents.into_iter().try_for_each(|dir| names.sync(dir))
}

fn stands(path: &Path) -> Stands {
    match std::fs::symlink_metadata(path) {
        Ok(there) if there.is_dir() => Stands::Folder(folder::owner(path)),
        Ok(there) if there.is_symlink() => Stands::Link,
        Err(e) if e.kind() == io::ErrorKind::NotFound => Stands::Nothing,
        Ok(_) | Err(_) => Stands::Other,
    }
}

impl Names for OnDisk {
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        system::exchange(one, other)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        match system::rename(from, to) {
            Err(e) if e.kind() == io::ErrorKind::Unsupported => {
                if std::fs::symlink_metadata(to).is_ok() {
                    return Err(io::ErrorKind::AlreadyExists.into());
                }
                std::fs::rename(from, to)
            }
            done => done,
        }
    }

    fn sync(&self, dir: &Path) -> io::Result<()> {
        std::fs::File::open(dir)?.sync_all()
    }
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod system {
    use std::io;
    use std::path::Path;

    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;

    pub(super) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
        with(one, other, RenameFlags::EXCHANGE)
    }

    pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
        with(from, to, RenameFlags::NOREPLACE)
    }

    /// An old kernel says that there is no such call, a file system that it does not know the flag (rename(2)).
    fn with(from: &Path, to: &Path, flags: RenameFlags) -> io::Result<()> {
        match renameat_with(CWD, from, CWD, to, flags) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                Err(io::ErrorKind::Unsupported.into())
            }
            done => done.map_err(Into::into),
        }
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
mod system {
    use std::io;
    use std::path::Path;

    pub(super) fn exchange(_: &Path, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn rename(_: &Path, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use std::sync::Mutex;

    use super::*;

    const ONE: &str = "essays/piece";
    const OTHER: &str = "essays/piece~first";

    fn id(n: u128) -> SessionId {
        SessionId::new(uuid::Uuid::from_u128(n))
    }

    /// Names on disk whose power fails: after so many operations nothing is done any more.
    struct Failing {
        left: Mutex<usize>,
        has_exchange: bool,
        /// Whether the one that is not done any more only fails, and those behind it are done.
        once: bool,
    }

    impl Failing {
        fn after(left: usize, has_exchange: bool) -> Self {
            Self {
                left: Mutex::new(left),
                has_exchange,
                once: false,
            }
        }

        fn op(&self, work: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
            let mut left = self.left.lock().unwrap();
            if *left == 0 {
                *left = if self.once { usize::MAX } else { 0 };
                return Err(io::ErrorKind::Other.into());
            }
            *left -= 1;
            work()
        }
    }

    impl Names for Failing {
        fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
            if !self.has_exchange {
                return Err(io::ErrorKind::Unsupported.into());
            }
            self.op(|| OnDisk.exchange(one, other))
        }

        fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
            self.op(|| OnDisk.rename(from, to))
        }

        fn sync(&self, dir: &Path) -> io::Result<()> {
            self.op(|| OnDisk.sync(dir))
        }
    }

    /// The piece of session 1 and its variant, session 2.
    fn family() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("essays")).unwrap();
        for (at, n) in [(ONE, 1), (OTHER, 2)] {
            folder::remake(dir.path(), at, id(n)).unwrap();
            std::fs::write(dir.path().join(at).join("draft.md"), n.to_string()).unwrap();
        }
        dir
    }

    fn draft(dir: &tempfile::TempDir, at: &str) -> String {
        std::fs::read_to_string(dir.path().join(at).join("draft.md")).unwrap()
    }

    /// As on the next open: what stands aside comes back first.
    fn finished(dir: &tempfile::TempDir, names: &dyn Names) -> Result<(), SwapError> {
        let back = bring_back(names, dir.path(), (id(2), OTHER), ONE).unwrap();
        let at = back
            .or_else(|| folder::find(dir.path(), id(2)))
            .unwrap_or_default();
        give(names, dir.path(), (id(2), &at), (id(1), ONE))
    }

    #[test]
    fn folders_exchange_their_names_with_all_that_is_in_them() {
        for has_exchange in [true, false] {
            let dir = family();
            let names = Failing::after(usize::MAX, has_exchange);
            give(&names, dir.path(), (id(2), OTHER), (id(1), ONE)).unwrap();
            assert_eq!(
                (draft(&dir, ONE), draft(&dir, OTHER)),
                ("2".into(), "1".into())
            );
            give(&names, dir.path(), (id(2), ONE), (id(1), ONE)).unwrap();
            assert_eq!(draft(&dir, ONE), "2");
        }
    }

    #[test]
    fn an_exchange_that_breaks_off_anywhere_is_finished_and_no_folder_is_lost_meanwhile() {
        for (has_exchange, ops) in [(true, 2), (false, 6)] {
            for at in 0..ops {
                let dir = family();
                let names = Failing::after(at, has_exchange);
                let broken = give(&names, dir.path(), (id(2), OTHER), (id(1), ONE));
                assert!(broken.unwrap_err().may_pass(), "operation {at}");
                let other = folder::find(dir.path(), id(1)).unwrap();
                assert_eq!(draft(&dir, &other), "1", "operation {at}");
                finished(&dir, &OnDisk).unwrap();
                assert_eq!(
                    (draft(&dir, ONE), draft(&dir, OTHER)),
                    ("2".into(), "1".into()),
                    "operation {at}"
                );
                let names: Vec<_> = std::fs::read_dir(dir.path().join("essays"))
                    .unwrap()
                    .collect();
                assert_eq!(names.len(), 2, "operation {at}");
            }
        }
    }

    #[test]
    fn what_breaks_off_again_while_it_is_finished_is_finished_later() {
        for first in 0..6 {
            for second in 0..8 {
                let dir = family();
                let names = Failing::after(first, false);
                let _broken = give(&names, dir.path(), (id(2), OTHER), (id(1), ONE));
                let names = Failing::after(second, false);
                // The first step may be the one that breaks off.
                let back = bring_back(&names, dir.path(), (id(2), OTHER), ONE);
                if let Ok(back) = back {
                    let at = back.or_else(|| folder::find(dir.path(), id(2))).unwrap();
                    let _broken = give(&names, dir.path(), (id(2), &at), (id(1), ONE));
                }
                finished(&dir, &OnDisk).unwrap();
                assert_eq!(
                    (draft(&dir, ONE), draft(&dir, OTHER)),
                    ("2".into(), "1".into())
                );
            }
        }
    }

    #[test]
    fn one_step_that_the_disk_refuses_leaves_both_where_they_were() {
        let dir = family();
        let names = Failing {
            once: true,
            ..Failing::after(2, false)
        };
        give(&names, dir.path(), (id(2), OTHER), (id(1), ONE)).unwrap_err();
        assert_eq!(
            (draft(&dir, ONE), draft(&dir, OTHER)),
            ("1".into(), "2".into())
        );
    }

    #[test]
    fn a_name_that_nobody_has_is_taken_and_one_that_another_has_is_not() {
        let dir = family();
        let free = "essays/free";
        give(&OnDisk, dir.path(), (id(2), OTHER), (id(1), free)).unwrap();
        assert_eq!(draft(&dir, free), "2");
        let taken = give(&OnDisk, dir.path(), (id(2), free), (id(7), ONE)).unwrap_err();
        assert!(
            taken.to_string().contains("essays/piece is taken"),
            "{taken}"
        );
        assert_eq!(
            (draft(&dir, ONE), draft(&dir, free)),
            ("1".into(), "2".into())
        );
    }

    #[test]
    fn links_files_and_folders_that_are_gone_are_named_and_left_alone() {
        let dir = family();
        let path = |at: &str| dir.path().join(at);
        std::fs::rename(path(ONE), path("elsewhere")).unwrap();
        std::os::unix::fs::symlink(path("elsewhere"), path(ONE)).unwrap();
        let link = give(&OnDisk, dir.path(), (id(2), OTHER), (id(1), ONE)).unwrap_err();
        assert!(
            link.to_string().contains("essays/piece is a link"),
            "{link}"
        );
        std::fs::remove_file(path(ONE)).unwrap();
        std::fs::write(path(ONE), "a file").unwrap();
        let file = give(&OnDisk, dir.path(), (id(2), OTHER), (id(1), ONE)).unwrap_err();
        assert!(file.to_string().contains("taken") && !file.may_pass());
        let gone = give(&OnDisk, dir.path(), (id(2), "essays/none"), (id(1), ONE)).unwrap_err();
        assert!(gone.to_string().contains("not there"), "{gone}");
        assert_eq!(
            (draft(&dir, OTHER), draft(&dir, "elsewhere")),
            ("2".into(), "1".into())
        );
    }
}

//! The sample: a collection to read and to try things on, made on the first run, whole or not at all.
//!
//! It is built beside the place where it will be and then given its name, so that a crash leaves either none of it
//! or all of it. Where a window was already, nothing is made: what the writer took away stays away.

mod play;
mod script;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::error::CliError;
use crate::config::{ConfigError, Drawer, Workspace, collection};
use crate::domain::{Change, SessionId, Stage};
use crate::host::lock;
use crate::log::LogError;

/// The folder of its collection.
pub(super) const FOLDER: &str = "ferry-sample";
/// Its id.
const COLLECTION: &str = "sample";
/// What the place is called where it is built.
const BUILT: &str = ".fascicle-new-";

/// Files of the collection's folder.
const FILES: [(&str, &str); 3] = [
    (
        "collection.toml",
        include_str!("../../assets/sample/collection/collection.toml"),
    ),
    (
        "PROFILE.md",
        include_str!("../../assets/sample/collection/PROFILE.md"),
    ),
    (
        "MEMORY.md",
        include_str!("../../assets/sample/collection/MEMORY.md"),
    ),
];

/// Its sessions, by the name of their file.
const SESSIONS: [(&str, &str); 6] = [
    (
        "last-crossing",
        include_str!("../../assets/sample/last-crossing.toml"),
    ),
    (
        "first-person",
        include_str!("../../assets/sample/first-person.toml"),
    ),
    (
        "third-person",
        include_str!("../../assets/sample/third-person.toml"),
    ),
    (
        "open-with-a-story",
        include_str!("../../assets/sample/open-with-a-story.toml"),
    ),
    (
        "notebooks-in-a-drawer",
        include_str!("../../assets/sample/notebooks-in-a-drawer.toml"),
    ),
    (
        "a-letter",
        include_str!("../../assets/sample/a-letter.toml"),
    ),
];

/// Why there is no sample.
#[derive(Debug, thiserror::Error)]
pub(super) enum SampleError {
    /// The disk, or what lies on it.
    #[error("The sample could not be made in {}: {source}.", at.display())]
    Disk {
        /// Where.
        at: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A log.
    #[error("The sample could not be made: {0}")]
    Log(#[from] LogError),
    /// A place.
    #[error("The sample could not be made: {0}")]
    Place(#[from] ConfigError),
    /// A file that this program brings is not right.
    #[error("The sample could not be made: {name}: {why}")]
    Script {
        /// Which.
        name: &'static str,
        /// What is wrong with it.
        why: String,
    },
}

impl SampleError {
    /// Whether nothing can be written where it is to be.
    pub(super) fn is_locked_out(&self) -> bool {
        use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
        matches!(self, Self::Disk { source, .. } if matches!(source.kind(), PermissionDenied | ReadOnlyFilesystem))
    }
}

impl From<SampleError> for CliError {
    fn from(e: SampleError) -> Self {
        Self::refused(e.to_string(), "Everything else works without it.")
    }
}

/// What became of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Made {
    /// It is there now.
    Now,
    /// It was there before, or something else has its place.
    Not,
    /// A host runs, which would not see it: another time.
    Later,
}

/// Makes a workspace with the sample in it; `now` in milliseconds since 1970.
pub(super) fn make(workspace: &Workspace, now: i64) -> Result<Made, SampleError> {
    let root = workspace.root();
    if workspace.is_made() || root.join(FOLDER).symlink_metadata().is_ok() {
        return Ok(Made::Not);
    }
    build(workspace, now, move_in)
}

/// Whether nothing has its place.
pub(super) fn fits(workspace: &Workspace) -> bool {
    let places = [workspace.root().join(FOLDER), logs(workspace)];
    places.iter().all(|path| path.symlink_metadata().is_err())
}

/// Puts the sample into a workspace that a verb has made.
pub(super) fn add(workspace: &Workspace, now: i64) -> Result<Made, SampleError> {
    if !fits(workspace) {
        return Ok(Made::Not);
    }
    // Held till it is there: no host begins meanwhile.
    match lock::take(&workspace.private()) {
        Ok(Some(_claim)) => build(workspace, now, move_beside),
        _ => Ok(Made::Later),
    }
}

/// Builds it beside the place where it is to be, and puts it there.
fn build(
    workspace: &Workspace,
    now: i64,
    into: fn(&Workspace, &Workspace) -> io::Result<()>,
) -> Result<Made, SampleError> {
    let root = workspace.root();
    let there = root.is_dir();
    let beside = match root.parent() {
        Some(parent) if !there => parent,
        _ => root,
    };
    let on_disk = |source| SampleError::Disk {
        at: root.to_owned(),
        source,
    };
    std::fs::create_dir_all(beside).map_err(on_disk)?;
    clear(beside);
    let shed = tempfile::Builder::new()
        .prefix(BUILT)
        .tempdir_in(beside)
        .map_err(on_disk)?;
    let builds = File::open(shed.path()).map_err(on_disk)?;
    // Where there are no locks nothing is cleared either.
    drop(builds.try_lock());
    let built = Workspace::at(&shed.path().join("built"));
    fill(&built, shed.path(), now)?;
    let was_made = workspace.is_made();
    let moved = if there {
        into(&built, workspace)
    } else {
        std::fs::rename(built.root(), root)
    };
    match moved {
        Ok(()) => Ok(Made::Now),
        // Another window was faster.
        Err(_) if !was_made && workspace.is_made() => Ok(Made::Not),
        Err(e) => Err(on_disk(e)),
    }
}

/// Takes away what somebody who was killed while building left in a folder. Whoever builds holds a lock on it, taken
/// before anything lies in it.
pub(super) fn clear(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let built = |name: &str| name.starts_with(BUILT);
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        let is_shed = entry.file_name().to_str().is_some_and(built)
            && entry.file_type().is_ok_and(|t| t.is_dir())
            && std::fs::read_dir(&path).is_ok_and(|mut all| all.next().is_some());
        if is_shed && File::open(&path).is_ok_and(|shed| shed.try_lock().is_ok()) {
            // What cannot be taken away harms nothing.
            drop(std::fs::remove_dir_all(&path));
        }
    }
}

/// Where the logs of its sessions are.
fn logs(workspace: &Workspace) -> PathBuf {
    workspace.private().join("sessions").join(COLLECTION)
}

/// Moves what was built into a folder that is there; it is a workspace from the second rename on.
fn move_in(built: &Workspace, to: &Workspace) -> io::Result<()> {
    move_both(built, to, (&built.private(), &to.private()))
}

/// The same into a workspace: its sessions are there from the second rename on.
fn move_beside(built: &Workspace, to: &Workspace) -> io::Result<()> {
    let logs = (logs(built), logs(to));
    if let Some(above) = logs.1.parent() {
        std::fs::create_dir_all(above)?;
    }
    move_both(built, to, (&logs.0, &logs.1))
}

fn move_both(built: &Workspace, to: &Workspace, logs: (&Path, &Path)) -> io::Result<()> {
    let folder = to.root().join(FOLDER);
    std::fs::rename(built.root().join(FOLDER), &folder)?;
    let named = std::fs::rename(logs.0, logs.1);
    if named.is_err() {
        // Nothing but what was just moved lies in it.
        drop(std::fs::remove_dir_all(&folder));
    }
    named
}

/// Builds all of it in a workspace of its own.
fn fill(built: &Workspace, shed: &Path, now: i64) -> Result<(), SampleError> {
    built.make()?;
    let folder = built.root().join(FOLDER);
    let on_disk = |source| SampleError::Disk {
        at: folder.clone(),
        source,
    };
    std::fs::create_dir_all(&folder).map_err(on_disk)?;
    for (name, text) in FILES {
        std::fs::write(folder.join(name), text).map_err(on_disk)?;
    }
    let mut stage = play::Stage::new(built.root(), &shed.join("cache"))?;
    for (name, text) in SESSIONS {
        stage.play(name, &script::read(name, text)?, now)?;
    }
    Ok(())
}

/// Says in the collection's file where a piece stands.
fn say_stage(root: &Path, id: SessionId, stage: Stage) -> Result<(), SampleError> {
    let workspace = Workspace::at(root);
    let drawer = Drawer::of(&workspace);
    let shelf = drawer.named(COLLECTION)?;
    let change = Change::Stage(id, Some(stage));
    Ok(collection::edit(&workspace, shelf, &[change])?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::args::Cli;
    use crate::cli::find;
    use crate::domain::State;
    use crate::domain::event::{Kind, Status};
    use crate::domain::kin::{Member, main_line};
    use crate::log::Store;

    /// 2 March 2026, 14:02:00 UTC.
    const NOON: i64 = 1_772_460_120_000;

    struct Bench {
        _dir: tempfile::TempDir,
        workspace: Workspace,
        store: Store,
    }

    fn made() -> Bench {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace::at(&dir.path().join("Fascicle"));
        assert_eq!(make(&workspace, NOON).unwrap(), Made::Now);
        let store = Store::open(workspace.root(), &dir.path().join("cache")).unwrap();
        Bench {
            _dir: dir,
            workspace,
            store,
        }
    }

    impl Bench {
        fn ids(&self) -> Vec<SessionId> {
            self.store.ids().into_iter().map(|(_, id)| id).collect()
        }

        fn titled(&self, title: &str) -> SessionId {
            let has = |id: &SessionId| self.store.head(*id).unwrap().head.title() == title;
            self.ids().into_iter().find(has).unwrap()
        }
    }

    #[test]
    fn its_logs_are_whole_and_their_drafts_are_on_disk() {
        let made = made();
        let report = made.store.verify(None).unwrap();
        assert_eq!(report.sessions, 6);
        assert!(report.damaged.is_empty() && report.gaps.is_empty() && report.blobs.is_empty());
        for id in made.ids() {
            let head = made.store.head(id).unwrap().head;
            let folder = made
                .workspace
                .root()
                .join(&head.place.as_ref().unwrap().folder);
            assert_eq!(crate::drafts::folder::owner(&folder), Some(id));
            let text = std::fs::read_to_string(folder.join("draft.md")).unwrap();
            let saved = head.draft.as_ref().unwrap();
            assert_eq!(saved.sha256, crate::text::hash::sha256(text.as_bytes()));
            assert_eq!(head.state(false), State::Idle, "{}", head.title());
        }
    }

    #[test]
    fn its_collection_is_right_and_every_session_lies_in_it() {
        let made = made();
        let drawer = Drawer::of(&made.workspace);
        assert!(drawer.problems.is_empty(), "{:?}", drawer.problems);
        let shelf = drawer.named("sample").unwrap();
        assert!(made.store.ids().iter().all(|(c, _)| *c == shelf.id));
        let staged = shelf.pieces.iter().filter(|p| p.stage.is_some());
        assert_eq!(staged.count(), 3);
        assert!(shelf.pieces.is_sorted_by_key(|p| p.id), "by age");
    }

    #[test]
    fn the_examples_of_the_command_line_speak_of_its_sessions() {
        let made = made();
        let heads: Vec<_> = made.store.heads().into_iter().map(|l| l.head).collect();
        let verbs = crate::cli::shell::about_sessions();
        let mut tried = 0;
        for verb in Cli::command().get_subcommands() {
            let examples = verb.get_after_help().map(ToString::to_string);
            for line in examples.unwrap_or_default().lines() {
                let Some((_, rest)) = line.split_once(&format!("fascicle {} ", verb.get_name()))
                else {
                    continue;
                };
                if !verbs.iter().any(|v| v == verb.get_name()) {
                    continue;
                }
                let word = match rest.strip_prefix('"') {
                    Some(quoted) => quoted.split('"').next(),
                    None => rest.split(' ').next(),
                };
                let word = word.unwrap().split('@').next().unwrap();
                let shelf = Drawer::of(&made.workspace).named(word).is_ok();
                assert!(shelf || find::session(&heads, word).is_ok(), "{line}");
                tried += 1;
            }
        }
        assert!(tried > 20, "{tried}");
    }

    #[test]
    fn its_times_are_in_order_and_end_before_now() {
        let made = made();
        for id in made.ids() {
            let mut last = 0;
            for event in made.store.after(id, 0).unwrap() {
                assert!(event.ts >= last && event.ts <= NOON, "{event:?}");
                last = event.ts;
            }
        }
    }

    #[test]
    fn a_variant_begins_with_the_words_of_the_main_line_and_ends_with_others() {
        let made = made();
        let events = |title: &str| {
            let all = made.store.after(made.titled(title), 0).unwrap();
            all.into_iter().map(|e| e.kind).collect::<Vec<_>>()
        };
        let main = events("Last crossing");
        let mut drafts = vec![crate::text::hash::sha256(b"")];
        for variant in ["first person", "third person", "open with a story"] {
            let theirs = events(variant);
            let prompts = |all: &[Kind]| -> Vec<String> {
                let words = all.iter().filter_map(|k| match k {
                    Kind::Prompt { text, .. } => Some(text.shown().to_owned()),
                    _ => None,
                });
                words.collect()
            };
            assert_eq!(prompts(&main), prompts(&theirs)[..2]);
            assert!(prompts(&theirs).len() > 2);
            let saved = theirs.iter().rev().find_map(|k| match k {
                Kind::DraftSaved { sha256, .. } => Some(sha256.clone()),
                _ => None,
            });
            assert!(!drafts.contains(saved.as_ref().unwrap()));
            drafts.extend(saved);
        }
    }

    #[test]
    fn the_four_are_a_family_with_one_main_line_and_a_folder_each_beside_it() {
        let made = made();
        let main = made.titled("Last crossing");
        let heads: Vec<_> = made
            .ids()
            .into_iter()
            .map(|id| made.store.head(id).unwrap().head)
            .collect();
        let family = heads.iter().filter(|h| h.kin.family == Some(main));
        let members = family.clone().map(|h| Member {
            id: h.id.unwrap(),
            kin: &h.kin,
            trashed: false,
        });
        assert_eq!(main_line(members), Some(main));
        let mut folders: Vec<&str> = family
            .clone()
            .map(|h| h.place.as_ref().unwrap().folder.as_str())
            .collect();
        folders.sort_unstable();
        assert_eq!(
            folders,
            [
                "ferry-sample/last-crossing",
                "ferry-sample/last-crossing~first-person",
                "ferry-sample/last-crossing~open-with-a-story",
                "ferry-sample/last-crossing~third-person",
            ]
        );
        for variant in family.filter(|h| h.id != Some(main)) {
            assert_eq!(variant.kin.piece.as_deref(), Some("Last crossing"));
            assert_eq!(variant.kin.parent.unwrap().session, main);
        }
    }

    #[test]
    fn one_turn_was_stopped_and_one_failed_and_both_kept_their_words() {
        let made = made();
        let mut cut = Vec::new();
        for id in made.ids() {
            let events = made.store.after(id, 0).unwrap();
            cut.extend(events.into_iter().filter_map(|e| match e.kind {
                Kind::TurnFinished { status, .. } if status != Status::Ok => Some(status),
                _ => None,
            }));
        }
        cut.sort_by_key(|s| format!("{s:?}"));
        assert_eq!(cut, [Status::Failed, Status::Interrupted]);
    }

    #[test]
    fn where_a_workspace_is_nothing_is_made_and_nothing_is_made_twice() {
        let made = made();
        assert_eq!(make(&made.workspace, NOON).unwrap(), Made::Not);
        std::fs::remove_dir_all(made.workspace.root().join(FOLDER)).unwrap();
        assert_eq!(make(&made.workspace, NOON).unwrap(), Made::Not);
        assert!(!made.workspace.root().join(FOLDER).exists());
    }

    #[test]
    fn it_comes_into_a_workspace_that_is_made_once_and_not_below_a_running_host() {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace::at(dir.path());
        workspace.make().unwrap();
        let host = lock::take(&workspace.private()).unwrap();
        assert_eq!(add(&workspace, NOON).unwrap(), Made::Later);
        assert!(!dir.path().join(FOLDER).exists());
        drop(host);
        assert_eq!(add(&workspace, NOON).unwrap(), Made::Now);
        let cache = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path(), cache.path()).unwrap();
        let report = store.verify(None).unwrap();
        assert_eq!((report.sessions, report.damaged.len()), (6, 0));
        let shelf = Drawer::of(&workspace).named("sample").unwrap().clone();
        assert!(store.ids().iter().all(|(c, _)| *c == shelf.id));
        std::fs::remove_dir_all(dir.path().join(FOLDER)).unwrap();
        assert_eq!(add(&workspace, NOON).unwrap(), Made::Not);
    }

    #[test]
    fn a_folder_with_other_files_keeps_them_and_nothing_is_left_lying_about() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("notes.md"), "mine").unwrap();
        let made = make(&Workspace::at(dir.path()), NOON).unwrap();
        assert_eq!(made, Made::Now);
        let names = std::fs::read_dir(dir.path()).unwrap();
        let mut names: Vec<_> = names.map(|e| e.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, [".fascicle", FOLDER, "notes.md"]);
        let notes = std::fs::read_to_string(dir.path().join("notes.md")).unwrap();
        assert_eq!(notes, "mine");
    }

    #[test]
    fn what_was_half_built_is_taken_away_and_what_is_being_built_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let shed = |name: &str| {
            let path = dir.path().join(format!("{BUILT}{name}"));
            std::fs::create_dir_all(path.join("built/.fascicle")).unwrap();
            path
        };
        let (dead, alive) = (shed("dead"), shed("alive"));
        let lock = File::open(&alive).unwrap();
        lock.try_lock().unwrap();
        std::fs::write(dir.path().join(format!("{BUILT}notes")), "mine").unwrap();
        let made = make(&Workspace::at(dir.path()), NOON).unwrap();
        assert_eq!(made, Made::Now);
        assert!(!dead.exists());
        assert!(alive.exists());
        assert!(dir.path().join(format!("{BUILT}notes")).exists());
    }

    #[test]
    fn a_folder_of_its_name_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join(FOLDER)).unwrap();
        let workspace = Workspace::at(dir.path());
        assert_eq!(make(&workspace, NOON).unwrap(), Made::Not);
        assert!(!workspace.is_made());
    }

    #[test]
    fn where_it_cannot_be_built_nothing_of_it_is_there() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("file"), "").unwrap();
        let workspace = Workspace::at(&dir.path().join("file/Fascicle"));
        assert!(make(&workspace, NOON).is_err());
        assert!(!workspace.root().exists());
    }
}

//! The files of a drawer and the log of its deeds, brought together: what the writer decides is logged first, then
//! written; what another program wrote is a version first.
//!
//! One desk at a time works on a book: who opens it sees to that.

mod answer;
mod fold;
mod lost;
mod show;

pub use answer::Taken;
pub use lost::Without;

use std::io;
use std::path::{Path, PathBuf};

use jiff::civil::Date;

use crate::config::{Collection, ConfigError, Workspace};
use crate::domain::drawer::{Act, Binder, FileSaved, Hand};
use crate::domain::{Seq, SessionId};
use crate::drafts::file::{Stamp, read_at, replace_at, stamp_of};
use crate::log::{Book, LogError, Store, blob_name};
use crate::memory::brief::RULES;

/// The collection's memory.
pub const MEMORY: &str = "MEMORY.md";
/// The collection's profile.
pub const PROFILE: &str = "PROFILE.md";
/// The writer's voice, across all collections.
pub const VOICE: &str = "VOICE.md";
/// Larger files have no versions.
const SIZE_MAX: u64 = 4 * 1024 * 1024;
/// How often a change is made anew when the file changes in that moment.
const TRIES: usize = 5;

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// The log of deeds.
    #[error(transparent)]
    Log(#[from] LogError),
    /// `collection.toml`.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A file of the writer's.
    #[error("{} cannot be used: {source}.", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// It is not done, and nothing changed.
    #[error("{0}")]
    No(String),
    /// The newest deed cannot be undone any more.
    #[error("{why} The next undo goes on to what was done before it.")]
    Stays {
        /// Its number.
        act: Seq,
        /// Why.
        why: String,
    },
}

/// What a desk is told by whoever opens it.
pub struct Around<'a> {
    /// Today where the writer is.
    pub today: Date,
    /// Titles of sessions.
    pub title: &'a dyn Fn(SessionId) -> String,
}

/// The files of a book and its deeds.
pub struct Desk {
    store: Store,
    book: Book,
    workspace: Workspace,
    /// None for the writer's own.
    collection: Option<Collection>,
    /// What is known of versions of the memory.
    without: Without,
}

/// A file as it is on disk.
struct OnDisk {
    bytes: Vec<u8>,
    there: bool,
}

impl Desk {
    /// The desk of a collection: its memory and its profile.
    pub fn of(store: &Store, workspace: &Workspace, collection: &Collection) -> Self {
        Self {
            store: store.clone(),
            book: Book::Collection(collection.id.clone()),
            workspace: workspace.clone(),
            collection: Some(collection.clone()),
            without: Without::default(),
        }
    }

    /// The desk of the writer: the voice.
    pub fn of_writer(store: &Store, workspace: &Workspace) -> Self {
        Self {
            store: store.clone(),
            book: Book::Workspace,
            workspace: workspace.clone(),
            collection: None,
            without: Without::default(),
        }
    }

    /// The book of its deeds.
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// The deeds so far.
    pub fn binder(&self) -> Result<Binder, MemoryError> {
        Ok(Binder::of(&self.store.deeds(&self.book)?.entries))
    }

    /// Makes versions of what another program wrote, and finishes what a crash has left undone.
    pub fn look(&self) -> Result<Binder, MemoryError> {
        let mut binder = self.binder()?;
        // A folder that is elsewhere at the moment says nothing about its files.
        if !self.folder().is_dir() {
            return Ok(binder);
        }
        for file in self.files() {
            self.look_at(file, &mut binder)?;
        }
        for open in binder.open.clone() {
            if let Err(e) = self.finish(&open, &mut binder) {
                // It stays open, and what is wrong with the file is said where it is shown.
                tracing::warn!("what was decided could not be written: {e}");
            }
        }
        Ok(binder)
    }

    /// The files that have versions.
    fn files(&self) -> &'static [&'static str] {
        match self.collection {
            Some(_) => &[MEMORY, PROFILE],
            None => &[VOICE],
        }
    }

    /// How its files look from outside, and the rules beside them: those have no versions, but who shows what an agent
    /// is told looks again.
    pub fn stamps(&self) -> Vec<Option<Stamp>> {
        let folder = self.folder();
        let files = self.files().iter().chain(&RULES);
        files.map(|file| stamp_of(&folder.join(file))).collect()
    }

    fn folder(&self) -> PathBuf {
        let root = self.workspace.root();
        match &self.collection {
            Some(collection) => root.join(&collection.folder),
            None => root.to_owned(),
        }
    }

    fn look_at(&self, file: &str, binder: &mut Binder) -> Result<(), MemoryError> {
        let Ok(now) = self.read(file) else {
            // What cannot be read is told where it is used: in the brief, and by whoever wants to change it.
            return Ok(());
        };
        let known = binder.newest(file);
        let same = match known {
            None => !now.there,
            Some(v) => v.gone != now.there && v.sha256 == blob_name(&now.bytes),
        };
        if same {
            return Ok(());
        }
        self.save(file, &now, (Hand::Outside, None), binder)
    }

    /// A file as it is. A link is not followed: what is read here may be sent away.
    fn read(&self, file: &str) -> Result<OnDisk, MemoryError> {
        let path = self.folder().join(file);
        let failed = |source| MemoryError::File {
            path: path.clone(),
            source,
        };
        if path.symlink_metadata().is_ok_and(|m| m.len() > SIZE_MAX) {
            let why = "it is larger than 4 MiB; nothing of Fascicle's makes it so";
            return Err(failed(io::Error::other(why)));
        }
        let bytes = read_at(&path).map_err(failed)?;
        Ok(OnDisk {
            there: bytes.is_some(),
            bytes: bytes.unwrap_or_default(),
        })
    }

    /// The text of a file; empty when it is not there.
    fn text(&self, file: &str) -> Result<String, MemoryError> {
        let now = self.read(file)?;
        String::from_utf8(now.bytes).map_err(|_| {
            let path = self.folder().join(file);
            MemoryError::No(format!(
                "{} is not UTF-8 text; nothing is changed in it. Save it as UTF-8 first.",
                path.display()
            ))
        })
    }

    /// Changes a file, on what is on disk now: what another program wrote meanwhile is in it. What the change gives
    /// for a file that needs none is the text itself.
    fn change(
        &self,
        file: &str,
        (by, act): (Hand, Option<Seq>),
        binder: &mut Binder,
        change: &dyn Fn(&str) -> Result<String, MemoryError>,
    ) -> Result<(), MemoryError> {
        for _ in 0..TRIES {
            let old = self.text(file)?;
            let new = change(&old)?;
            self.look_at(file, binder)?;
            if new != old {
                // Durable before the file: whatever happens to that, the text is kept.
                self.store.deed_blob_put(&self.book, new.as_bytes())?;
            }
            if self.text(file)? != old {
                continue;
            }
            if new != old {
                let folder = self.folder();
                let failed = |source| MemoryError::File {
                    path: folder.join(file),
                    source,
                };
                replace_at(&folder, file, new.as_bytes()).map_err(failed)?;
            }
            let now = OnDisk {
                there: new != old || self.read(file)?.there,
                bytes: new.into_bytes(),
            };
            return self.save(file, &now, (by, act), binder);
        }
        Err(MemoryError::No(format!(
            "{file} is being changed by another program; nothing was done. Try again when that is done."
        )))
    }

    /// Logs a version.
    fn save(
        &self,
        file: &str,
        now: &OnDisk,
        (by, act): (Hand, Option<Seq>),
        binder: &mut Binder,
    ) -> Result<(), MemoryError> {
        let sha256 = self.store.deed_blob_put(&self.book, &now.bytes)?;
        let saved = FileSaved {
            file: file.to_owned(),
            sha256,
            bytes: now.bytes.len() as u64,
            by,
            base: binder.newest(file).map(|v| v.seq),
            act,
            gone: !now.there,
        };
        self.note(vec![Act::FileSaved(saved)], binder)?;
        Ok(())
    }

    /// Logs deeds. Gives the number of the last.
    fn note(&self, acts: Vec<Act>, binder: &mut Binder) -> Result<Seq, MemoryError> {
        let noted = self.store.note(&self.book, acts)?;
        for entry in &noted {
            binder.apply(entry);
        }
        Ok(noted.last().map_or(0, |e| e.seq))
    }
}

/// The day it is where this program runs.
pub fn today() -> Date {
    let now = jiff::Timestamp::now();
    now.to_zoned_datetime(jiff::tz::TimeZone::system()).date()
}

/// The book that a file's versions are in.
pub fn is_writers(file: &str) -> bool {
    Path::new(file) == Path::new(VOICE)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use std::collections::BTreeSet;

    use super::*;
    use crate::domain::drawer::{Diff, FileVersion, Proposed};
    use crate::domain::event::Adopted;
    use crate::domain::{CollectionId, Kind, SessionId};
    use crate::log::Variant;
    use crate::memory::propose::{self, Asked, From};

    /// Nothing is passed over.
    const NONE: &BTreeSet<Seq> = &BTreeSet::new();
    const ONE: &str = "0197c0de-7a10-7c3e-9b55-1f2e3d4c5b6a";

    /// A workspace with one collection, and its desk.
    struct Room {
        dir: tempfile::TempDir,
        desk: Desk,
    }

    impl Room {
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            let essays = dir.path().join("essays");
            std::fs::create_dir_all(&essays).unwrap();
            let toml = "# mine\nid = \"essays\"\ntitle = \"Essays\"\n";
            std::fs::write(essays.join("collection.toml"), toml).unwrap();
            let desk = Self::open(dir.path());
            Self { dir, desk }
        }

        /// What is said to be wrong with it.
        fn told(&self) -> Option<String> {
            let binder = self.desk.look().unwrap();
            around(|around| self.desk.sheet(&binder, around)).problem
        }

        fn open(root: &Path) -> Desk {
            let store = Store::open(root, &root.join("cache")).unwrap();
            let workspace = Workspace::at(root);
            let drawer = crate::config::Drawer::of(&workspace);
            let id = "essays".parse().unwrap();
            Desk::of(&store, &workspace, drawer.get(&id).unwrap())
        }

        fn file(&self, name: &str) -> PathBuf {
            self.dir.path().join("essays").join(name)
        }

        fn write(&self, text: &str) {
            std::fs::write(self.file(MEMORY), text).unwrap();
        }

        fn memory(&self) -> String {
            std::fs::read_to_string(self.file(MEMORY)).unwrap()
        }

        fn propose(&self, what: &str, text: &str) -> Taken {
            let asked = Asked {
                what: what.to_owned(),
                text: text.to_owned(),
                reason: "It matters.".to_owned(),
                about: None,
            };
            let from = From {
                session: ONE.parse().unwrap(),
                turn: 1,
                call: "c1".to_owned(),
            };
            let new: Proposed = propose::read(asked, from).unwrap();
            self.desk.propose(new).unwrap()
        }

        fn waiting(&self) -> Vec<Seq> {
            let binder = self.desk.binder().unwrap();
            binder.waiting().map(|p| p.seq).collect()
        }

        fn accept(&self, seq: Seq) -> Result<(), MemoryError> {
            around(|around| self.desk.accept(seq, (None, None), around))
        }

        fn by(&self) -> Vec<String> {
            let binder = self.desk.binder().unwrap();
            let versions = binder.files.get(MEMORY).cloned().unwrap_or_default();
            versions.iter().map(|v| v.by.word().to_owned()).collect()
        }
    }

    fn around<T>(run: impl FnOnce(&Around<'_>) -> T) -> T {
        run(&Around {
            today: "2026-11-30".parse().unwrap(),
            title: &|_| "03 Session".to_owned(),
        })
    }

    #[test]
    fn an_accepted_line_stands_in_the_file_and_nothing_else_changed() {
        let room = Room::new();
        room.write("\u{feff}# Mine\r\n\r\n## names\r\n- Jon rows.\r\n");
        room.propose("name", "Ilse is nine.");
        assert!(!room.memory().contains("Ilse"));
        room.accept(room.waiting()[0]).unwrap();
        assert_eq!(
            room.memory(),
            "\u{feff}# Mine\r\n\r\n## names\r\n- Jon rows.\r\n- Ilse is nine. *(03 Session, 2026-11-30)*\r\n"
        );
        assert_eq!(room.by(), ["outside", "accept"]);
        assert!(room.waiting().is_empty());
        room.desk.undo(None, NONE).unwrap();
        assert_eq!(
            room.memory(),
            "\u{feff}# Mine\r\n\r\n## names\r\n- Jon rows.\r\n"
        );
        assert_eq!(room.waiting().len(), 1);
    }

    #[test]
    fn an_accepted_line_brings_no_file_into_the_brief() {
        use crate::memory::brief::{Part, gather};
        let room = Room::new();
        std::fs::write(room.file("notes.md"), "Secret.").unwrap();
        room.propose("fact", "See @notes.md first.");
        let title = |_| "(@notes.md)".to_owned();
        let today = "2026-11-30".parse().unwrap();
        let around = Around {
            today,
            title: &title,
        };
        let seq = room.waiting()[0];
        room.desk.accept(seq, (None, None), &around).unwrap();
        let memory = room.memory();
        assert!(
            memory.contains("- See \\@notes.md first. *((\\@notes.md), "),
            "{memory}"
        );
        // The escape holds where the writer took the source away.
        room.write(memory.split(" *(").next().unwrap());
        let found = gather(room.dir.path(), Some("essays"));
        let text = found.text(Part::Memory);
        assert!(text.ends_with("- See \\@notes.md first."), "{text}");
        assert!(found.problems.is_empty(), "{:?}", found.problems);
    }

    #[test]
    fn what_was_decided_once_is_decided() {
        let room = Room::new();
        room.propose("fact", "It rains.");
        let seq = room.waiting()[0];
        room.accept(seq).unwrap();
        let why = room.accept(seq).unwrap_err().to_string();
        assert_eq!(why, "It is accepted already.");
        assert!(room.desk.refuse(seq).is_err());
        room.propose("fact", "It snows.");
        room.desk.refuse(room.waiting()[0]).unwrap();
        assert!(
            matches!(room.propose("fact", "it snows!"), Taken::No(why) if why.contains("Refused"))
        );
        room.desk.undo(None, NONE).unwrap();
        assert_eq!(
            room.waiting().len(),
            1,
            "the refusal is taken back, the line stays"
        );
        assert!(room.memory().contains("It rains."));
    }

    #[test]
    fn a_hand_edit_is_a_version_and_is_never_written_over() {
        let room = Room::new();
        room.propose("fact", "It rains.");
        room.accept(room.waiting()[0]).unwrap();
        let own = format!("{}\nMy own words.\n", room.memory());
        room.write(&own);
        room.propose("fact", "It snows.");
        room.accept(room.waiting()[0]).unwrap();
        let text = room.memory();
        assert!(
            text.contains("My own words.") && text.contains("It snows."),
            "{text}"
        );
        assert_eq!(room.by(), ["accept", "outside", "accept"]);
        room.write(&text.replace("It snows.", "It hails."));
        let why = room.desk.undo(None, NONE).unwrap_err().to_string();
        assert!(why.contains("changed since"), "{why}");
        std::fs::remove_file(room.file(MEMORY)).unwrap();
        let binder = room.desk.look().unwrap();
        assert!(binder.newest(MEMORY).unwrap().gone);
        let seq = binder.files[MEMORY][2].seq;
        room.desk.restore(MEMORY, seq).unwrap();
        assert_eq!(room.memory(), text);
    }

    #[test]
    fn what_a_crash_left_undone_is_finished_when_it_is_opened() {
        let room = Room::new();
        room.write("- Jon rows.\n");
        room.propose("fact", "It rains.");
        let seq = room.waiting()[0];
        let answered = crate::domain::drawer::Answered {
            proposal: seq,
            answer: crate::domain::drawer::Answer::Accepted,
            text: None,
            line: Some("- It rains. *(03 Session, 2026-11-30)*".to_owned()),
            was: None,
        };
        let mut binder = room.desk.binder().unwrap();
        room.desk
            .note(vec![Act::Answered(answered)], &mut binder)
            .unwrap();
        let again = Room::open(room.dir.path());
        again.look().unwrap();
        let text = room.memory();
        assert!(
            text.ends_with("## Facts\n\n- It rains. *(03 Session, 2026-11-30)*\n"),
            "{text}"
        );
        again.look().unwrap();
        assert_eq!(room.memory(), text, "once");
        // Written, and died before that was logged.
        let undo = Act::Undone {
            act: binder.last.unwrap(),
        };
        room.desk.note(vec![undo], &mut binder).unwrap();
        room.write("- Jon rows.\n");
        Room::open(room.dir.path()).look().unwrap();
        assert_eq!(room.memory(), "- Jon rows.\n");
    }

    #[test]
    fn lines_go_into_the_archive_and_an_undo_brings_them_back() {
        let room = Room::new();
        room.write("## Names\n\n- A.\n- B.\n- C.\n");
        let lines = ["- A.".to_owned(), "- C.".to_owned()];
        room.desk.fold(&lines, true).unwrap();
        let text = room.memory();
        assert_eq!(
            text,
            "## Names\n\n- B.\n\n## Archive\n\n### Names\n\n- A.\n- C.\n"
        );
        room.desk.undo(None, NONE).unwrap();
        assert_eq!(room.memory(), "## Names\n\n- A.\n- B.\n- C.\n");
        let gone = ["- A.".to_owned(), "- X.".to_owned()];
        assert!(room.desk.fold(&gone, true).is_err());
        assert_eq!(
            room.memory(),
            "## Names\n\n- A.\n- B.\n- C.\n",
            "all or none"
        );
    }

    #[test]
    fn a_line_is_archived_by_its_words_alone_where_one_line_has_them() {
        let room = Room::new();
        room.write("- A.\n- B. *(03 Session, 2026-01-05)*\n- C.\n* C.\n");
        room.desk.fold(&["B.".to_owned()], true).unwrap();
        let text = room.memory();
        assert!(
            text.ends_with("## Archive\n\n- B. *(03 Session, 2026-01-05)*\n"),
            "{text}"
        );
        room.desk.fold(&["B.".to_owned()], false).unwrap();
        let text = room.memory();
        assert!(text.find("- B.") < text.find("## Archive"), "{text}");
        assert!(room.desk.fold(&["C.".to_owned()], true).is_err(), "which?");
    }

    #[test]
    fn a_line_that_is_changed_or_gone_is_named_as_it_reads() {
        let room = Room::new();
        room.propose("fact", "*Ferry* \"stands\".");
        room.accept(room.waiting()[0]).unwrap();
        room.write(&room.memory().replace("stands", "lies"));
        let said = |no: MemoryError| no.to_string();
        let why = room.desk.undo(None, NONE).map_err(said).unwrap_err();
        assert!(
            why.contains("is gone: “*Ferry* \"stands\".”. Take"),
            "{why}"
        );
        let gone = ["- A \"b\".".to_owned()];
        let why = room.desk.fold(&gone, true).map_err(said).unwrap_err();
        assert!(why.contains("no line “A \"b\".” there"), "{why}");
    }

    #[test]
    fn an_undo_leaves_what_was_written_since_and_passes_what_it_cannot_take_back() {
        let room = Room::new();
        room.write("## Names\n\n- A.\n- B.\n- C.\n");
        room.propose("fact", "It rains.");
        room.desk.refuse(room.waiting()[0]).unwrap();
        room.desk.fold(&["- A.".to_owned()], true).unwrap();
        room.write(&room.memory().replace("- B.", "- B, by hand."));
        room.desk.undo(None, NONE).unwrap();
        assert_eq!(
            room.memory(),
            "## Names\n\n- B, by hand.\n- C.\n- A.\n\n## Archive\n\n### Names\n"
        );
        room.desk.fold(&["- C.".to_owned()], true).unwrap();
        room.write(&room.memory().replace("- C.", "- C, by hand."));
        let own = room.memory();
        let Err(MemoryError::Stays { act, why }) = room.desk.undo(None, NONE) else {
            panic!("the line is not the one that was moved");
        };
        assert!(why.starts_with("“C.” was changed by hand"), "{why}");
        assert_eq!(room.memory(), own);
        // The next goes on: the refusal, behind the fold that is undone already.
        room.desk.undo(None, &BTreeSet::from([act])).unwrap();
        assert_eq!(room.waiting().len(), 1);
        assert_eq!(room.memory(), own);
    }

    #[test]
    fn both_sides_of_a_conflict_are_lines_and_the_marks_are_said() {
        let room = Room::new();
        room.write("- A.\n<<<<<<< HEAD\n- Ilse is ten.\n=======\n- Ilse is nine.\n>>>>>>> x\n");
        let binder = room.desk.look().unwrap();
        let sheet = around(|around| room.desk.sheet(&binder, around));
        let lines: Vec<&str> = sheet.lines.iter().map(|l| l.text.as_str()).collect();
        assert_eq!(lines, ["A.", "Ilse is ten.", "Ilse is nine."]);
        let told = sheet.problem.unwrap();
        assert!(told.starts_with("essays/MEMORY.md has marks") && told.contains("lines 2–6"));
        let found = crate::memory::brief::gather(room.dir.path(), Some("essays"));
        assert_eq!(found.problems, [told]);
        let sent = found.text(crate::memory::brief::Part::Memory);
        assert_eq!(sent, "- A.\n- Ilse is ten.\n- Ilse is nine.\n");
    }

    #[test]
    fn an_accepted_line_that_an_older_copy_has_put_away_is_named() {
        let room = Room::new();
        let told = || room.told();
        room.write("## Names\n\n- Jon rows.\n");
        let copy = room.memory();
        room.propose("name", "Ilse is nine.");
        room.accept(room.waiting()[0]).unwrap();
        assert_eq!(told(), None);
        let whole = room.memory();
        room.write(&format!("{copy}- Jon sleeps.\n"));
        let said = told().unwrap();
        assert!(
            said.starts_with("“Ilse is nine.” was accepted, and is missing in essays/MEMORY.md"),
            "{said}"
        );
        // Saved once more, it is still missing; in other words it is not, nor where it stands again.
        room.write(&format!("{copy}- Jon sleeps long.\n"));
        assert!(told().is_some());
        room.write(&whole.replace("Ilse is nine.", "Ilse is nine years old."));
        assert_eq!(told(), None);
        room.write(&format!("{whole}- Jon sleeps.\n"));
        assert_eq!(told(), None);
    }

    #[test]
    fn a_version_in_which_a_line_does_not_stand_is_read_for_it_once() {
        let room = Room::new();
        let told = |without: &Without| {
            let desk = Room::open(room.dir.path()).knowing(without.clone());
            let binder = desk.look().unwrap();
            around(|around| desk.sheet(&binder, around)).problem
        };
        room.write("- Jon rows.\n");
        let copy = room.memory();
        room.propose("name", "Ilse is nine.");
        room.accept(room.waiting()[0]).unwrap();
        let without = Without::default();
        let reworded = room.memory().replace("Ilse is nine.", "Ilse is nine now.");
        for n in 0..3 {
            room.write(&format!("{reworded}- Jon sleeps {n} hours.\n"));
            assert_eq!(told(&without), None);
        }
        let binder = room.desk.binder().unwrap();
        let line = binder.proposals[0].line().unwrap();
        let known = |v: &FileVersion| without.has(line, &v.sha256);
        let known: Vec<bool> = binder.files[MEMORY].iter().map(known).collect();
        assert_eq!(known, [false, false, true, true, true]);
        // What is known is what counts: those are not read again.
        room.write(&copy);
        assert!(told(&without).is_some());
        without.add(line, &binder.files[MEMORY][1].sha256);
        assert_eq!(told(&without), None);
    }

    #[test]
    fn a_missing_line_is_said_until_it_is_put_back_or_let_go_and_also_of_a_file_that_is_gone() {
        let room = Room::new();
        let told = || room.told();
        room.write("## Names\n\n- Jon rows.\n");
        let copy = room.memory();
        room.propose("name", "Ilse is nine.");
        room.accept(room.waiting()[0]).unwrap();
        let whole = room.memory();
        assert!(room.desk.put_back().is_err() && room.desk.let_go().is_err());
        room.write(&copy);
        assert!(told().is_some());
        // What is accepted next is no answer to it.
        room.propose("fact", "It rains.");
        room.accept(room.waiting()[0]).unwrap();
        assert!(told().is_some_and(|said| said.starts_with("“Ilse is nine.” was")));
        room.desk.put_back().unwrap();
        assert_eq!(told(), None);
        assert_eq!(room.memory().lines().nth(3), whole.lines().nth(3));
        room.desk.undo(None, NONE).unwrap();
        assert!(told().is_some());
        room.desk.let_go().unwrap();
        assert_eq!(told(), None);
        room.write(&format!("{copy}- Jon sleeps. It rains.\n"));
        let said = told().unwrap();
        assert!(said.starts_with("“It rains.” was"), "{said}");
        room.desk.let_go().unwrap();
        room.desk.undo(None, NONE).unwrap();
        assert!(told().is_some(), "what was let go is taken back");
        // Put away in Fascicle it is no question, gone with the file it is.
        room.desk.put_back().unwrap();
        let rains = "- It rains. *(03 Session, 2026-11-30)*".to_owned();
        room.desk.fold(&[rains], true).unwrap();
        assert_eq!(told(), None);
        std::fs::remove_file(room.file(MEMORY)).unwrap();
        let said = told().unwrap();
        assert!(
            said.contains("since essays/MEMORY.md was removed"),
            "{said}"
        );
        room.desk.let_go().unwrap();
        assert_eq!(told(), None);
        assert!(!room.file(MEMORY).exists());
    }

    #[test]
    fn what_is_let_go_is_taken_back_and_no_word_of_the_file_with_it() {
        let room = Room::new();
        room.write("## Names\n\n- Jon rows.\n");
        room.propose("name", "Ilse is nine.");
        room.accept(room.waiting()[0]).unwrap();
        // Of a program that wrote into it in that moment the words are in that version.
        let mut binder = room.desk.look().unwrap();
        room.write("## Names\n\n- Jon rows home.\n");
        let now = room.desk.read(MEMORY).unwrap();
        let by = (Hand::LetGo, None);
        room.desk.save(MEMORY, &now, by, &mut binder).unwrap();
        room.desk.undo(None, NONE).unwrap();
        assert_eq!(room.memory(), "## Names\n\n- Jon rows home.\n");
        // A file that is gone is gone then, too.
        std::fs::remove_file(room.file(MEMORY)).unwrap();
        room.desk.let_go().unwrap();
        room.desk.undo(None, NONE).unwrap();
        let binder = room.desk.look().unwrap();
        let newest = binder.newest(MEMORY).unwrap();
        assert_eq!((newest.by.word(), newest.gone), ("undo", true));
        assert!(!room.file(MEMORY).exists());
    }

    #[test]
    fn a_restored_version_is_undone_around_what_was_written_since() {
        let room = Room::new();
        room.write("- A.\n\n- B.\n\n- C.\n");
        let first = room.desk.look().unwrap().newest(MEMORY).unwrap().seq;
        room.write("- A.\n\n- B, anew.\n\n- C.\n");
        room.desk.restore(MEMORY, first).unwrap();
        room.write("- A.\n\n- B.\n\n- C, by hand.\n");
        room.desk.undo(None, NONE).unwrap();
        assert_eq!(room.memory(), "- A.\n\n- B, anew.\n\n- C, by hand.\n");
    }

    #[test]
    fn a_line_of_the_index_goes_into_the_collections_file_and_comes_out_again() {
        let room = Room::new();
        room.propose("piece", "A girl counts boats.");
        room.accept(room.waiting()[0]).unwrap();
        let toml = std::fs::read_to_string(room.file("collection.toml")).unwrap();
        assert!(
            toml.starts_with("# mine\n") && toml.contains("line = \"A girl counts boats.\""),
            "{toml}"
        );
        assert!(!room.file(MEMORY).exists());
        room.desk.undo(None, NONE).unwrap();
        let toml = std::fs::read_to_string(room.file("collection.toml")).unwrap();
        assert!(!toml.contains("boats"), "{toml}");
    }

    #[test]
    fn a_line_of_an_adopted_variant_is_written_under_the_session_that_its_family_began_with() {
        let room = Room::new();
        let store = Store::open(room.dir.path(), &room.dir.path().join("cache")).unwrap();
        let essays: CollectionId = "essays".parse().unwrap();
        let first = SessionId::new(uuid::Uuid::from_u128(1));
        let created = Kind::Created {
            id: first,
            title: Some("One".into()),
            collection: essays.clone(),
            folder: "essays/one".into(),
            agent: None,
            app: String::new(),
        };
        let nobody = || Box::new(|_| {});
        let made = store.create(first, &essays, vec![created], &[], nobody());
        made.unwrap().flush();
        let main: SessionId = ONE.parse().unwrap();
        let variant = Variant {
            id: main,
            title: None,
            collection: essays,
            folder: "essays/one~first".into(),
        };
        let (writer, _) = store.fork(first, None, variant, nobody()).unwrap();
        writer.append(vec![Kind::Adopted(Adopted {
            family: first,
            main,
            was: first,
            n: 1,
            folder: "essays/one".into(),
            other: "essays/one~first".into(),
            undoes: None,
        })]);
        writer.flush();
        room.propose("piece", "A girl counts boats.");
        room.accept(room.waiting()[0]).unwrap();
        let toml = std::fs::read_to_string(room.file("collection.toml")).unwrap();
        assert!(
            toml.contains(&first.to_string()) && !toml.contains(ONE),
            "{toml}"
        );
    }

    #[test]
    fn what_it_contradicts_stands_beside_a_proposal_and_can_go_for_it() {
        let room = Room::new();
        room.write("## Names\n\n- Ilse is ten. *(One, 2026-11-01)*\n");
        room.propose("name", "Ilse is nine.");
        let binder = room.desk.look().unwrap();
        let sheet = around(|around| room.desk.sheet(&binder, around));
        let offer = &sheet.offers[0];
        let old = "- Ilse is ten. *(One, 2026-11-01)*";
        assert_eq!(offer.against, [old]);
        let new = "- Ilse is nine. *(03 Session, 2026-11-30)*";
        assert_eq!(
            offer.diff,
            [
                Diff::Same(String::new()),
                Diff::Same(old.into()),
                Diff::In(new.into())
            ]
        );
        assert_eq!(sheet.lines[0].days, Some(29));
        let seq = offer.proposal.seq;
        around(|around| {
            room.desk
                .accept(seq, (Some("Ilse is just nine."), Some(old)), around)
        })
        .unwrap();
        let text = room.memory();
        assert!(
            text.starts_with("## Names\n\n- Ilse is just nine. "),
            "{text}"
        );
        assert!(
            text.ends_with(&format!("## Archive\n\n### Names\n\n{old}\n")),
            "{text}"
        );
        room.desk.undo(None, NONE).unwrap();
        assert_eq!(
            room.memory(),
            "## Names\n\n- Ilse is ten. *(One, 2026-11-01)*\n"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_link_a_binary_and_a_huge_file_are_refused_before_anything_is_decided() {
        let room = Room::new();
        room.propose("fact", "It rains.");
        let seq = room.waiting()[0];
        let other = room.dir.path().join("other.md");
        std::fs::write(&other, "theirs").unwrap();
        std::os::unix::fs::symlink(&other, room.file(MEMORY)).unwrap();
        let why = room.accept(seq).unwrap_err().to_string();
        assert!(why.contains("link"), "{why}");
        let odd = || room.desk.rows(&room.desk.binder().unwrap())[0].odd.clone();
        assert_eq!(odd().as_deref(), Some("a link: no versions"));
        assert_eq!(std::fs::read(&other).unwrap(), b"theirs");
        std::fs::remove_file(room.file(MEMORY)).unwrap();
        std::fs::write(room.file(MEMORY), b"\xff\xfe\0").unwrap();
        assert!(
            room.accept(seq)
                .unwrap_err()
                .to_string()
                .contains("not UTF-8")
        );
        room.write(&"x".repeat(5 * 1024 * 1024));
        assert_eq!(odd().as_deref(), Some("larger than 4 MiB: no versions"));
        assert!(
            room.accept(seq)
                .unwrap_err()
                .to_string()
                .contains("larger than")
        );
        std::fs::remove_file(room.file(MEMORY)).unwrap();
        let outside = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), room.file(MEMORY)).unwrap();
        assert_eq!(
            odd().as_deref(),
            Some("a link out of the workspace: not sent")
        );
        assert_eq!(room.waiting(), [seq]);
    }

    #[test]
    fn a_folder_that_is_elsewhere_says_nothing_about_its_files() {
        let room = Room::new();
        room.write("- A.\n");
        room.propose("fact", "It rains.");
        let (from, to) = (room.file(""), room.dir.path().join("moved"));
        std::fs::rename(from, to).unwrap();
        let binder = room.desk.look().unwrap();
        assert!(!binder.newest(MEMORY).unwrap().gone);
        assert!(room.accept(room.waiting()[0]).is_err());
    }
}

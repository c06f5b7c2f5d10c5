//! What other programs keep here: one append-only file for each of their keys, in the line format of a session's log.
//!
//! The folder is its own, apart from every workspace. Entries are any JSON and stay as they came, byte for byte; what
//! they mean is not known here. One process at a time, the holder of the lock. `docs/store.md` tells how it is used.

mod key;
mod ledger;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::value::RawValue;

use super::disk::{self, Disk, Lock, Stat};
use super::pieces::LINE_MAX;
use super::writer::{holder, holder_of};
use super::{LogError, Means, Tried};
pub use key::Key;
use ledger::{Ledger, Line};

/// Longest entry, in bytes: what is around it in its line must have room too.
pub const ENTRY_MAX: usize = LINE_MAX - 64 * 1024;
/// How many files stay open.
const OPEN: usize = 64;
/// Nanoseconds of a millisecond.
const MILLI: i64 = 1_000_000;

/// The entries of many sessions below one folder, and the right to write there.
pub struct Exchange {
    disk: Arc<dyn Disk>,
    clock: Arc<dyn Fn() -> i64 + Send + Sync>,
    root: PathBuf,
    /// Held, not read.
    _lock: Lock,
    open: HashMap<PathBuf, Ledger>,
}

/// A session, and when something was last appended to it, milliseconds since 1970.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    /// The session.
    pub session: String,
    /// When.
    pub mtime: i64,
}

/// What a program has noted of a session.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The session.
    pub session: String,
    /// When it was noted, milliseconds since 1970, by the clock of [`Kept::mtime`].
    pub mtime: i64,
    /// What, as it came.
    pub data: Box<RawValue>,
}

impl Exchange {
    /// Opens the folder, made if need be.
    ///
    /// # Errors
    /// [`LogError::Taken`] while another process has it open.
    pub fn open(root: &Path) -> Result<Self, LogError> {
        Self::with(root, Means::default())
    }

    /// As [`Exchange::open`], with a disk and a clock of one's own.
    ///
    /// # Errors
    /// As there.
    pub fn with(root: &Path, means: Means) -> Result<Self, LogError> {
        let (disk, clock) = (means.disk, means.clock);
        disk::ensure_dir(&*disk, root).tried("make", root)?;
        let path = root.join("lock");
        let lock = disk
            .lock(&path, &holder(clock()))
            .map_err(|source| match source.kind() {
                io::ErrorKind::WouldBlock => LogError::Taken {
                    holder: holder_of(&*disk, &path),
                    root: root.to_owned(),
                },
                _ => LogError::Io {
                    what: "lock",
                    path,
                    source,
                },
            })?;
        Ok(Self {
            disk,
            clock,
            root: root.to_owned(),
            _lock: lock,
            open: HashMap::new(),
        })
    }

    /// Appends entries, durable when this returns. One whose `uuid` is there already is passed over, so that a batch may
    /// be given again. Gives how many are new.
    ///
    /// # Errors
    /// When an entry or the key is too long, or the disk refuses; what is in by then is found by the next try.
    pub fn append(&mut self, key: &Key, entries: &[&RawValue]) -> Result<u64, LogError> {
        key.check()?;
        for (n, entry) in entries.iter().enumerate() {
            let len = entry.get().len();
            if len > ENTRY_MAX {
                return Err(LogError::Entry(format!(
                    "Entry {n} has {len} bytes and the longest that can be kept has {ENTRY_MAX}; nothing was appended."
                )));
            }
        }
        if entries.is_empty() {
            return Ok(0);
        }
        self.put(&key.file(&self.root), key, Line::Entry, entries)
    }

    /// Gives every entry of a key to `each`, in order; false where there is no such key.
    ///
    /// # Errors
    /// When its file cannot be read.
    pub fn load(&self, key: &Key, each: &mut dyn FnMut(&str)) -> Result<bool, LogError> {
        key.check()?;
        ledger::read(&*self.disk, &key.file(&self.root), Line::Entry, each)
    }

    /// The sessions of a group that have entries of their own.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn sessions(&self, group: &str) -> Result<Vec<Kept>, LogError> {
        let mut all = Vec::new();
        for (dir, session) in self.dirs(group)? {
            let mtime = self.mtime(&dir.join(key::MAIN))?;
            all.push(Kept { session, mtime });
        }
        Ok(all)
    }

    /// What was noted of each session of a group.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn summaries(&self, group: &str) -> Result<Vec<Summary>, LogError> {
        let mut all = Vec::new();
        for (dir, session) in self.dirs(group)? {
            all.extend(self.noted(&dir.join(key::SUMMARY), session)?);
        }
        Ok(all)
    }

    /// What was noted of a session last.
    ///
    /// # Errors
    /// When its file cannot be read.
    pub fn summary(&self, key: &Key) -> Result<Option<Summary>, LogError> {
        key.check()?;
        let dir = key.dir(&self.root);
        self.noted(&dir.join(key::SUMMARY), key.session.clone())
    }

    /// Notes something of a session, in place of what was noted before. Gives when.
    ///
    /// # Errors
    /// When there is no such session, or the disk refuses.
    pub fn note(&mut self, key: &Key, data: &RawValue) -> Result<i64, LogError> {
        key.check()?;
        let dir = key.dir(&self.root);
        if self.disk.stat(&dir.join(key::MAIN)).is_err() {
            return Err(LogError::Entry(
                "There is no such session to note anything of; append to it first.".to_owned(),
            ));
        }
        let path = dir.join(key::SUMMARY);
        self.put(&path, key, Line::Summary, &[data])?;
        self.mtime(&path)
    }

    /// The names below a session under which it has further entries.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn subkeys(&self, key: &Key) -> Result<Vec<String>, LogError> {
        key.check()?;
        let dir = key.dir(&self.root).join(key::SUB);
        let mut all = Vec::new();
        for name in self.names(&dir) {
            if let Some(stem) = name.strip_suffix(key::JSONL) {
                let said = ledger::title(&*self.disk, &dir.join(&name))?;
                all.extend(said.and_then(|t| t.sub).or_else(|| key::decoded(stem)));
            }
        }
        all.sort();
        Ok(all)
    }

    /// Takes a key out, with all below it: into the folder `trash`, from where nothing is read. One that is not there is
    /// as good as taken out.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn delete(&mut self, key: &Key) -> Result<(), LogError> {
        key.check()?;
        let from = match &key.sub {
            Some(_) => key.file(&self.root),
            None => key.dir(&self.root),
        };
        if self.disk.stat(&from).is_err() {
            return Ok(());
        }
        self.open.retain(|path, _| !path.starts_with(&from));
        let trash = self.root.join("trash");
        disk::ensure_dir(&*self.disk, &trash).tried("make", &trash)?;
        let to = self.free(&trash, &from);
        self.disk.rename(&from, &to).tried("move", &from)?;
        self.disk.sync_dir(&trash).tried("sync", &trash)?;
        let above = from.parent().unwrap_or(&self.root);
        self.disk.sync_dir(above).tried("sync", above)
    }

    /// A name in the trash that nothing has.
    fn free(&self, trash: &Path, from: &Path) -> PathBuf {
        let now = (self.clock)();
        let name = from.file_name().unwrap_or_default().to_string_lossy();
        let mut n = 0_u64;
        loop {
            let to = trash.join(format!("{now}-{n}-{name}"));
            if self.disk.stat(&to).is_err() {
                return to;
            }
            n += 1;
        }
    }

    fn put(
        &mut self,
        path: &Path,
        key: &Key,
        line: Line,
        values: &[&RawValue],
    ) -> Result<u64, LogError> {
        let now = (self.clock)();
        let mut ledger = match self.open.remove(path) {
            Some(ledger) => ledger,
            None => Ledger::open(&*self.disk, path, key, now)?,
        };
        // After a refusal the file is looked at anew: what of the batch is in it, is not known.
        let added = ledger.append(line, values, now).tried("write", path)?;
        if self.open.len() >= OPEN {
            self.open.clear();
        }
        self.open.insert(path.to_owned(), ledger);
        Ok(added)
    }

    fn noted(&self, path: &Path, session: String) -> Result<Option<Summary>, LogError> {
        let Some(data) = ledger::newest(&*self.disk, path)? else {
            return Ok(None);
        };
        let mtime = self.mtime(path)?;
        let data = RawValue::from_string(data).map_err(Into::into);
        let data = data.tried("read", path)?;
        Ok(Some(Summary {
            session,
            mtime,
            data,
        }))
    }

    /// The folders of a group's sessions that have entries of their own, with their names.
    fn dirs(&self, group: &str) -> Result<Vec<(PathBuf, String)>, LogError> {
        let group = key::group(&self.root, group);
        let mut all = Vec::new();
        for name in self.names(&group) {
            let dir = group.join(&name);
            let main = dir.join(key::MAIN);
            if self.disk.stat(&main).is_ok() {
                let said = ledger::title(&*self.disk, &main)?;
                let session = said.map(|t| t.session).or_else(|| key::decoded(&name));
                all.extend(session.map(|session| (dir, session)));
            }
        }
        all.sort();
        Ok(all)
    }

    /// Names in a folder; none where there is no such folder.
    fn names(&self, dir: &Path) -> Vec<String> {
        self.disk.list(dir).unwrap_or_default()
    }

    fn mtime(&self, path: &Path) -> Result<i64, LogError> {
        let stat: Stat = self.disk.stat(path).tried("look at", path)?;
        Ok(stat.mtime / MILLI)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use std::fs;

    fn raw(json: &str) -> Box<RawValue> {
        RawValue::from_string(json.to_owned()).unwrap()
    }

    fn append(to: &mut Exchange, key: &Key, entries: &[&str]) -> u64 {
        let entries: Vec<_> = entries.iter().map(|e| raw(e)).collect();
        let entries: Vec<&RawValue> = entries.iter().map(|e| &**e).collect();
        to.append(key, &entries).unwrap()
    }

    fn load(from: &Exchange, key: &Key) -> Option<Vec<String>> {
        let mut all = Vec::new();
        let there = from.load(key, &mut |e| all.push(e.to_owned())).unwrap();
        there.then_some(all)
    }

    fn key(session: &str) -> Key {
        Key::new("p", session, None)
    }

    #[test]
    fn a_batch_that_is_given_again_adds_only_what_is_new_also_after_a_restart() {
        let dir = tempfile::tempdir().unwrap();
        let mut one = Exchange::open(dir.path()).unwrap();
        let batch = [r#"{"uuid":"a"}"#, r#"{"n":1}"#];
        assert_eq!(append(&mut one, &key("s"), &batch), 2);
        drop(one);
        let mut two = Exchange::open(dir.path()).unwrap();
        let more = [r#"{"uuid":"a"}"#, r#"{"uuid":"b"}"#, r#"{"uuid":"b"}"#];
        assert_eq!(append(&mut two, &key("s"), &more), 1);
        let want = [r#"{"uuid":"a"}"#, r#"{"n":1}"#, r#"{"uuid":"b"}"#];
        assert_eq!(load(&two, &key("s")).unwrap(), want);
    }

    #[test]
    fn a_torn_end_is_sealed_and_what_stands_before_it_stays() {
        let dir = tempfile::tempdir().unwrap();
        let mut one = Exchange::open(dir.path()).unwrap();
        append(&mut one, &key("s"), &[r#"{"n":1}"#, r#"{"n":2}"#]);
        let file = key("s").file(dir.path());
        drop(one);
        let whole = fs::read(&file).unwrap();
        fs::write(&file, &whole[..whole.len() - 5]).unwrap();
        let mut two = Exchange::open(dir.path()).unwrap();
        assert_eq!(load(&two, &key("s")).unwrap(), [r#"{"n":1}"#]);
        append(&mut two, &key("s"), &[r#"{"n":3}"#]);
        assert_eq!(load(&two, &key("s")).unwrap(), [r#"{"n":1}"#, r#"{"n":3}"#]);
        assert!(
            fs::read(&file)
                .unwrap()
                .starts_with(&whole[..whole.len() - 5])
        );
    }

    #[test]
    fn half_characters_deep_nesting_and_line_separators_stay_as_they_came() {
        let dir = tempfile::tempdir().unwrap();
        let mut one = Exchange::open(dir.path()).unwrap();
        let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
        let odd = [
            r#"{"t":"\ud83c"}"#,
            "{\"t\":\"\u{2028}漢🚀\"}",
            deep.as_str(),
            "1",
        ];
        append(&mut one, &key("s"), &odd);
        assert_eq!(load(&one, &key("s")).unwrap(), odd);
        drop(one);
        let mut again = Exchange::open(dir.path()).unwrap();
        append(&mut again, &key("s"), &["2"]);
        assert_eq!(load(&again, &key("s")).unwrap().len(), odd.len() + 1);
    }

    #[test]
    fn hostile_keys_stay_apart_and_below_the_root_and_come_back_as_they_were() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        let mut one = Exchange::open(&root).unwrap();
        let long = "é".repeat(300);
        let longer = format!("{long}x");
        let names = [
            "..", ".", "/", "../../x", "", "a\0b", "🚀", "a%2Fb", "a/b", "%", "A.b", &long, &longer,
        ];
        for (n, name) in names.iter().enumerate() {
            let entry = format!("{{\"n\":{n}}}");
            append(&mut one, &Key::new(name, name, None), &[&entry]);
            append(&mut one, &Key::new("p", name, None), &[&entry]);
            append(&mut one, &Key::new("p", "s", Some(name)), &[&entry]);
        }
        for (n, name) in names.iter().enumerate() {
            let want = vec![format!("{{\"n\":{n}}}")];
            assert_eq!(load(&one, &Key::new(name, name, None)), Some(want.clone()));
            assert_eq!(load(&one, &Key::new("p", name, None)), Some(want));
        }
        let mut listed: Vec<String> = one
            .sessions("p")
            .unwrap()
            .into_iter()
            .map(|k| k.session)
            .collect();
        let mut all = names.map(str::to_owned).to_vec();
        all.push("s".into());
        listed.sort();
        all.sort();
        assert_eq!(
            listed, all,
            "an empty name below a session is the session itself"
        );
        assert_eq!(one.subkeys(&key("s")).unwrap().len(), names.len() - 1);
        let beside: Vec<_> = fs::read_dir(dir.path()).unwrap().collect();
        assert_eq!(beside.len(), 1);
    }

    #[test]
    fn what_is_deleted_is_gone_with_all_below_it_and_lies_in_the_trash() {
        let dir = tempfile::tempdir().unwrap();
        let mut one = Exchange::open(dir.path()).unwrap();
        let sub = Key::new("p", "s", Some("agents/1"));
        append(&mut one, &key("s"), &["1"]);
        append(&mut one, &sub, &["2"]);
        one.note(&key("s"), &raw("{}")).unwrap();
        one.delete(&key("s")).unwrap();
        assert_eq!((load(&one, &key("s")), load(&one, &sub)), (None, None));
        assert!(one.subkeys(&key("s")).unwrap().is_empty());
        assert!(one.sessions("p").unwrap().is_empty() && one.summaries("p").unwrap().is_empty());
        assert_eq!(fs::read_dir(dir.path().join("trash")).unwrap().count(), 1);
        append(&mut one, &key("s"), &["3"]);
        assert_eq!(load(&one, &key("s")).unwrap(), ["3"]);
        one.delete(&key("s")).unwrap();
        one.delete(&key("never")).unwrap();
    }

    #[test]
    fn the_newest_note_counts_and_is_not_older_than_the_session() {
        let dir = tempfile::tempdir().unwrap();
        let mut one = Exchange::open(dir.path()).unwrap();
        assert!(one.note(&key("s"), &raw("1")).is_err());
        append(&mut one, &key("s"), &["1"]);
        for n in 0..100 {
            one.note(&key("s"), &raw(&n.to_string())).unwrap();
        }
        let noted = one.summary(&key("s")).unwrap().unwrap();
        assert_eq!(noted.data.get(), "99");
        assert!(noted.mtime >= one.sessions("p").unwrap()[0].mtime);
        assert!(one.summary(&key("t")).unwrap().is_none());
    }

    #[test]
    fn one_process_has_it_at_a_time_and_another_is_told_who() {
        let dir = tempfile::tempdir().unwrap();
        let one = Exchange::open(dir.path()).unwrap();
        let why = Exchange::open(dir.path()).err().unwrap().to_string();
        assert!(why.contains("this process"), "{why}");
        drop(one);
        Exchange::open(dir.path()).unwrap();
    }

    #[test]
    fn an_entry_that_is_too_long_to_be_read_back_is_refused_whole() {
        let dir = tempfile::tempdir().unwrap();
        let mut one = Exchange::open(dir.path()).unwrap();
        let large = raw(&format!("\"{}\"", "x".repeat(ENTRY_MAX)));
        let small = raw("1");
        one.append(&key("s"), &[&small, &large]).unwrap_err();
        assert_eq!(load(&one, &key("s")), None);
    }
}

//! What hosts say of themselves in `.fascicle/hosts`, one file for each machine: where windows of the same machine
//! find them, and what another machine, to which the folder is synced, sees of them.
//!
//! Each machine writes only its own file, so that a sync tool never has two of one.

use std::fs;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use serde::{Deserialize, Serialize};

use super::machine::Machine;
use crate::text::one_line;

/// Longest word that is read, in bytes.
const LONGEST: u64 = 64 * 1024;
/// Longest name of a machine that is shown, in characters.
const NAME_MAX: usize = 60;
/// The folder in `.fascicle`.
const FOLDER: &str = "hosts";
/// How often a host says that it lives.
pub(super) const BEAT: Duration = Duration::from_secs(60);
/// A word older than this is an old one: whoever gave it may be gone. Three beats, so that a sync tool may take its time.
pub(super) const OLD: Duration = Duration::from_secs(180);

/// A host, as it says of itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Holder {
    /// Its process.
    pub pid: u32,
    /// Version of the program.
    pub app: String,
    /// When it began to write here, milliseconds since 1970.
    pub since: i64,
    /// Where it listens.
    pub socket: PathBuf,
    /// Name of its machine.
    #[serde(default)]
    pub host: String,
    /// That machine's boot.
    #[serde(default)]
    pub boot: Option<String>,
    /// When it last said this, milliseconds since 1970 by its own clock.
    #[serde(default)]
    pub at: i64,
    /// It only reads, because another machine writes.
    #[serde(default)]
    pub reading: bool,
}

impl Holder {
    /// Whether it spoke lately. A time to come is a clock that goes wrong: it counts as now.
    pub fn is_fresh(&self, now: i64) -> bool {
        let old = i64::try_from(OLD.as_millis()).unwrap_or(i64::MAX);
        now.saturating_sub(self.at) < old
    }
}

/// Says who hosts on this machine. Never half of it: a reader finds the word before or this one.
pub(super) fn say(private: &Path, machine: &Machine, holder: &Holder) -> io::Result<()> {
    let folder = private.join(FOLDER);
    fs::create_dir_all(&folder)?;
    let mut new = tempfile::NamedTempFile::new_in(&folder)?;
    // In one piece: each write would be news to whoever watches the folder.
    new.write_all(&serde_json::to_vec(holder)?)?;
    new.persist(file(private, machine))?;
    Ok(())
}

/// Takes the word back: a host that has ended leaves none.
pub(super) fn leave(private: &Path, machine: &Machine) {
    // What cannot be removed is old soon.
    drop(fs::remove_file(file(private, machine)));
}

/// What the host of this machine says, if one ever did since it booted.
pub(super) fn here(private: &Path) -> Option<Holder> {
    let machine = Machine::this();
    read(&file(private, &machine)).filter(|h| h.boot == machine.boot)
}

/// The host of another machine that writes here, else the newest that left without a word; and its file.
pub(super) fn elsewhere(private: &Path, machine: &Machine, now: i64) -> Option<(Holder, PathBuf)> {
    let ours = file(private, machine);
    let files = fs::read_dir(private.join(FOLDER)).ok()?.flatten();
    let others = files
        .map(|f| f.path())
        .filter(|p| *p != ours && p.extension().is_some_and(|e| e == "json"));
    others
        .filter_map(|path| Some((read(&path)?, path)))
        .filter(|(holder, _)| !holder.reading)
        .max_by_key(|(holder, _)| (holder.is_fresh(now), holder.since))
}

/// Where the host of a machine says who it is.
pub(super) fn file(private: &Path, machine: &Machine) -> PathBuf {
    private.join(FOLDER).join(format!("{}.json", machine.key))
}

/// What such a file says. It may have come from anywhere: a pipe, a link or something huge is none.
fn read(path: &Path) -> Option<Holder> {
    let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY;
    let file = fs::File::from(rustix::fs::open(path, flags, Mode::empty()).ok()?);
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut text = Vec::new();
    file.take(LONGEST).read_to_end(&mut text).ok()?;
    let mut holder: Holder = serde_json::from_slice(&text).ok()?;
    holder.host = one_line(&holder.host).chars().take(NAME_MAX).collect();
    Some(holder)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    fn machine(name: &str) -> Machine {
        Machine {
            name: name.into(),
            key: name.into(),
            boot: Some(name.into()),
        }
    }

    fn holder(name: &str, since: i64) -> Holder {
        Holder {
            pid: 1,
            app: "0".into(),
            since,
            socket: "s".into(),
            host: name.into(),
            boot: Some(name.into()),
            at: since,
            reading: false,
        }
    }

    #[test]
    fn each_machine_sees_the_others_and_not_itself() {
        let dir = tempfile::tempdir().unwrap();
        let seen = |by: &str| elsewhere(dir.path(), &machine(by), 0).map(|(h, _)| h.host);
        assert_eq!(seen("desk"), None);
        say(dir.path(), &machine("desk"), &holder("desk", 1)).unwrap();
        say(dir.path(), &machine("lap"), &holder("lap", 2)).unwrap();
        assert_eq!(seen("desk").as_deref(), Some("lap"));
        assert_eq!(seen("lap").as_deref(), Some("desk"));
        assert_eq!(seen("third").as_deref(), Some("lap"));
        leave(dir.path(), &machine("lap"));
        assert_eq!(seen("desk"), None);
    }

    #[test]
    fn who_only_reads_is_in_nobodys_way() {
        let dir = tempfile::tempdir().unwrap();
        let reads = Holder {
            reading: true,
            ..holder("lap", 2)
        };
        say(dir.path(), &machine("lap"), &reads).unwrap();
        assert_eq!(elsewhere(dir.path(), &machine("desk"), 0), None);
    }

    #[test]
    fn one_that_writes_is_seen_before_one_that_left_later() {
        let dir = tempfile::tempdir().unwrap();
        let now = 10_000_000;
        let writes = Holder {
            at: now,
            ..holder("lap", 1)
        };
        say(dir.path(), &machine("lap"), &writes).unwrap();
        say(dir.path(), &machine("desk"), &holder("desk", 5_000)).unwrap();
        let (seen, _) = elsewhere(dir.path(), &machine("third"), now).unwrap();
        assert_eq!(seen.host, "lap");
    }

    #[test]
    fn what_is_no_word_of_a_host_is_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        say(dir.path(), &machine("lap"), &holder("l\x1b[31map\nX", 1)).unwrap();
        let folder = dir.path().join(FOLDER);
        std::os::unix::fs::symlink("/dev/zero", folder.join("zero.json")).unwrap();
        std::fs::create_dir(folder.join("folder.json")).unwrap();
        std::fs::write(folder.join("garbage.json"), "{").unwrap();
        let (seen, _) = elsewhere(dir.path(), &machine("desk"), 0).unwrap();
        assert!(!seen.host.contains(['\n', '\x1b']), "{:?}", seen.host);
    }

    #[test]
    fn a_word_grows_old_and_a_clock_ahead_is_no_age() {
        let said = holder("lap", 1_000_000);
        assert!(said.is_fresh(1_000_000 + 179_000));
        assert!(!said.is_fresh(1_000_000 + 180_000));
        assert!(said.is_fresh(0));
    }
}

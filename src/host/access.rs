//! Whether this host may write in its workspace, and what can change that: another machine, a folder that went away.

use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::lock;
use super::machine::Machine;
use super::presence::{self, BEAT, Holder};
use super::watch::Watch;

/// The way out where another machine writes.
const TAKE: &str = "`fascicle host take`, or *Take over writing here* among the commands, writes here from now on.";

/// Why nothing may be written.
#[derive(Clone, PartialEq, Debug)]
enum Reading {
    /// The system does not let us.
    Unwritable,
    /// A host of another machine is there, or was; and its file.
    Elsewhere(Holder, PathBuf),
    /// The folder is not where it was.
    Away,
}

impl State {
    /// A word with its time by our clock where the other's goes ahead: else it would never grow old.
    fn sighted(&mut self, mut other: Holder, now: i64) -> Holder {
        if self.seen.0 != other.at {
            self.seen = (other.at, now);
        }
        if other.at > now {
            other.at = self.seen.1;
        }
        other
    }

    /// What is to be said now: with each beat, and at once when it has changed.
    fn word(&mut self, now: i64) -> Option<Holder> {
        let reading = self.reading.is_some();
        let said = self.said.as_mut()?;
        let beat = i64::try_from(BEAT.as_millis()).unwrap_or(i64::MAX);
        if said.reading == reading && (0..beat).contains(&now.saturating_sub(said.at)) {
            return None;
        }
        (said.at, said.reading) = (now, reading);
        Some(said.clone())
    }
}

/// The right to write, as it stands.
#[derive(Debug)]
pub(super) struct Access {
    root: PathBuf,
    private: PathBuf,
    machine: Machine,
    /// The folder itself and the lock in it, whatever their names: device and inode. A lock that is replaced is
    /// another one, which another host may take.
    stands: [Option<(u64, u64)>; 2],
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    reading: Option<Reading>,
    /// What we say of ourselves; none before we listen.
    said: Option<Holder>,
    /// The newest word of another machine, by its own clock, and when we first saw it.
    seen: (i64, i64),
}

impl Access {
    /// `claimed` says whether the lock is ours.
    pub(super) fn new(root: &Path, private: PathBuf, claimed: bool, now: i64) -> Self {
        let access = Self {
            root: root.to_owned(),
            machine: Machine::this(),
            stands: [&private, &lock::file(&private)]
                .map(|path| whereabouts(path).ok().flatten().filter(|_| claimed)),
            private,
            state: Mutex::default(),
        };
        access.lock().reading = match access.elsewhere(now) {
            Some((holder, file)) if claimed || holder.is_fresh(now) => {
                Some(Reading::Elsewhere(holder, file))
            }
            _ => (!claimed).then_some(Reading::Unwritable),
        };
        access
    }

    /// Whether nothing may be written.
    pub(super) fn is_reading(&self) -> bool {
        self.lock().reading.is_some()
    }

    /// Whether the folder is, as of now, no longer where it was.
    pub(super) fn is_away(&self) -> bool {
        let paths = [self.private.clone(), lock::file(&self.private)];
        let moved = |(path, was): (&PathBuf, &Option<(u64, u64)>)| {
            was.is_some() && whereabouts(path).is_ok_and(|now| now != *was)
        };
        paths.iter().zip(&self.stands).any(moved)
    }

    /// Asks of now whether the folder is where it was: where it is not, something new would begin another one there.
    pub(super) fn at_home(&self, now: i64) -> Result<(), String> {
        if !self.is_away() {
            return Ok(());
        }
        self.look(now);
        Err(self.why(now).unwrap_or_default())
    }

    /// Why nothing may be written, for a writer.
    pub(super) fn why(&self, now: i64) -> Option<String> {
        let root = self.root.display();
        Some(match self.lock().reading.as_ref()? {
            Reading::Unwritable => format!("{root} cannot be written; you can read here."),
            Reading::Away => format!(
                "{root}, or host.lock in it, is no longer where it was: moved, replaced or deleted. Nothing new is begun here until it is back."
            ),
            Reading::Elsewhere(other, _) if other.is_fresh(now) => format!(
                "Another machine, {}, writes here: its last word came {} ago. You can read here. End Fascicle there first.",
                other.host,
                ago(now.saturating_sub(other.at))
            ),
            Reading::Elsewhere(other, _) => format!(
                "Another machine, {}, wrote here and left without a word {} ago. You can read here. {TAKE}",
                other.host,
                ago(now.saturating_sub(other.at))
            ),
        })
    }

    /// Says who we are and where we listen, from now on and with every beat.
    pub(super) fn announce(&self, socket: PathBuf, since: i64) -> std::io::Result<()> {
        let mut state = self.lock();
        let holder = Holder {
            pid: std::process::id(),
            app: env!("CARGO_PKG_VERSION").to_owned(),
            since,
            socket,
            host: self.machine.name.clone(),
            boot: self.machine.boot.clone(),
            at: since,
            reading: state.reading.is_some(),
        };
        presence::say(&self.private, &self.machine, &holder)?;
        state.said = Some(holder);
        Ok(())
    }

    /// Looks around: at the folder, at other machines, at the time of the next beat.
    pub(super) fn look(&self, now: i64) {
        let (away, other) = (self.is_away(), self.elsewhere(now));
        let mut state = self.lock();
        let other = other.map(|(other, file)| (state.sighted(other, now), file));
        let mine = state.said.as_ref().map_or(0, |s| s.since);
        state.reading = match other {
            _ if state.reading == Some(Reading::Unwritable) => return,
            _ if away => Some(Reading::Away),
            // Of two that write, the one that began later goes on; so both decide alike, whatever their clocks say.
            Some((other, _))
                if state.reading.is_none() && (other.since < mine || !other.is_fresh(now)) =>
            {
                None
            }
            Some((other, file)) => Some(Reading::Elsewhere(other, file)),
            None => None,
        };
        let away = state.reading == Some(Reading::Away);
        let word = state.word(now).filter(|_| !away);
        drop(state);
        self.say(word);
    }

    /// Has watched what it looks at, so that it need not look often.
    pub(super) fn hold_door(&self, watch: &Watch) {
        watch.hold_door(&self.private, &presence::file(&self.private, &self.machine));
    }

    fn say(&self, word: Option<Holder>) {
        let Some(word) = word else { return };
        if let Err(e) = presence::say(&self.private, &self.machine, &word) {
            tracing::warn!("the sign of life could not be written: {e}");
        }
    }

    /// Begins to write where another machine has left without a word. The error says why not.
    pub(super) fn take_over(&self, now: i64) -> Result<(), String> {
        self.look(now);
        let refusal = self.why(now);
        let mut state = self.lock();
        let file = match &state.reading {
            Some(Reading::Elsewhere(other, file)) if !other.is_fresh(now) => file.clone(),
            None => return Err("Nobody else writes here.".to_owned()),
            Some(_) => return Err(refusal.unwrap_or_default()),
        };
        let Some(said) = &mut state.said else {
            return Err("The other machine still holds the lock of this folder.".to_owned());
        };
        std::fs::remove_file(&file)
            .map_err(|e| format!("{} could not be removed: {e}.", file.display()))?;
        said.since = now;
        state.reading = None;
        let word = state.word(now);
        drop(state);
        self.say(word);
        Ok(())
    }

    /// Takes our word back, and the socket away: the lock is still ours.
    pub(super) fn leave(&self) {
        let said = self.lock().said.take();
        if let Some(said) = said.filter(|_| !self.is_away()) {
            presence::leave(&self.private, &self.machine);
            if is_socket(&said.socket) {
                // What cannot be removed, the next host removes.
                drop(std::fs::remove_file(said.socket));
            }
        }
    }

    fn elsewhere(&self, now: i64) -> Option<(Holder, PathBuf)> {
        presence::elsewhere(&self.private, &self.machine, now)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves it whole: every change is one assignment.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Which file or folder stands at a path: device and inode. None when nothing does; the error when it cannot be
/// looked at, which says nothing of where it is.
fn whereabouts(path: &Path) -> std::io::Result<Option<(u64, u64)>> {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    match std::fs::metadata(path) {
        Ok(there) => Ok(Some((there.dev(), there.ino()))),
        Err(e) if matches!(e.kind(), NotFound | NotADirectory) => Ok(None),
        Err(e) => Err(e),
    }
}

fn is_socket(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|there| there.file_type().is_socket())
}

/// A span of milliseconds, roughly, as people say it.
fn ago(ms: i64) -> String {
    match ms.max(0) / 1_000 {
        s @ 0..120 => format!("{s} s"),
        s @ 120..7_200 => format!("{} min", s / 60),
        s @ 7_200..172_800 => format!("{} h", s / 3_600),
        s => format!("{} days", s / 86_400),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    const NOW: i64 = 1_800_000_000_000;

    fn lap(at: i64) -> Holder {
        Holder {
            pid: 1,
            app: "0".into(),
            since: at,
            socket: "s".into(),
            host: "lap".into(),
            boot: None,
            at,
            reading: false,
        }
    }

    fn other(private: &Path, at: i64) {
        let machine = Machine {
            name: "lap".into(),
            key: "lap".into(),
            boot: None,
        };
        presence::say(private, &machine, &lap(at)).unwrap();
    }

    fn access(dir: &Path) -> Access {
        let access = Access::new(dir, dir.to_owned(), true, NOW);
        access.announce("here".into(), NOW).unwrap();
        access
    }

    #[test]
    fn alone_it_writes() {
        let dir = tempfile::tempdir().unwrap();
        let access = access(dir.path());
        access.look(NOW);
        assert!(!access.is_reading());
        assert!(access.take_over(NOW).is_err());
    }

    #[test]
    fn who_comes_second_reads_and_takes_over_only_when_the_first_is_silent() {
        let dir = tempfile::tempdir().unwrap();
        other(dir.path(), NOW - 10_000);
        let access = access(dir.path());
        let why = access.why(NOW).unwrap();
        assert!(why.contains("lap") && why.contains("10 s ago"), "{why}");
        assert_eq!(access.take_over(NOW).unwrap_err(), why);
        let later = NOW + 600_000;
        access.look(later);
        assert!(access.why(later).unwrap().contains("fascicle host take"));
        access.take_over(later).unwrap();
        access.look(later + 1_000);
        assert!(!access.is_reading());
    }

    #[test]
    fn of_two_that_write_the_earlier_one_stops() {
        let dir = tempfile::tempdir().unwrap();
        let access = access(dir.path());
        other(dir.path(), NOW - 5_000);
        access.look(NOW);
        assert!(!access.is_reading(), "the other began before us");
        other(dir.path(), NOW + 5_000);
        access.look(NOW);
        assert!(access.is_reading(), "the other took over from us");
    }

    #[test]
    fn a_folder_that_went_away_is_read_no_more_and_written_when_it_is_back() {
        let dir = tempfile::tempdir().unwrap();
        let (at, away) = (dir.path().join("w"), dir.path().join("gone"));
        std::fs::create_dir(&at).unwrap();
        let access = access(&at);
        std::fs::rename(&at, &away).unwrap();
        std::fs::create_dir(&at).unwrap();
        access.look(NOW);
        assert!(access.is_away(), "another folder stands there");
        std::fs::remove_dir_all(&at).unwrap();
        access.look(NOW);
        assert!(access.is_away());
        std::fs::rename(&away, &at).unwrap();
        access.look(NOW);
        assert!(!access.is_reading());
    }
}

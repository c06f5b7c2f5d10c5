//! What a pen does when its log is no longer where it was: it goes on elsewhere, says so, and puts
//! the log back when it can.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::recent::Recent;
use super::{Entry, Msg, Pen, Start, Written};
use crate::domain::event::Kind;
use crate::log::disk::{DiskFile, Stat};
use crate::log::rescue::{Kept, Rescued, Source};
use crate::log::store::{Spot, Store};
use crate::log::sync::Dirty;
use crate::log::whereabouts::{Loss, Whereabouts, look, uncut};
use crate::log::{LogError, Tried as _};

/// The place of a log that is being written.
pub(super) struct Place {
    spot: Spot,
    at: At,
    /// When to look again, while it is not at home.
    again: Option<Instant>,
    /// Whether it was told that it is not.
    said: bool,
    /// The lock file as it was when it was taken.
    lock: Option<Stat>,
    /// What was written since the file was last seen to be right.
    recent: Recent,
    /// What is in the log's place and must not be replaced, as it was when it was compared.
    foreign: Option<Stat>,
    /// Why it could not be put back the last time.
    hindrance: Option<String>,
    /// The newest version of the draft that was written.
    draft: Option<Vec<u8>>,
    /// How many files have been written, this one included.
    file: u64,
}

/// Where the pen writes.
enum At {
    Home,
    Moved(PathBuf),
    /// In a file of its own; without one, in a file that ends with this process.
    Lost(Loss, Option<Rescued>),
}

impl Place {
    pub(super) fn new(store: &Store, start: &Start) -> Self {
        let (disk, spot) = (&*store.rig.disk, start.spot.clone());
        let seen = look(disk, &spot.log(), &*start.file, start.len);
        Self {
            lock: disk.stat(&spot.lock()).ok(),
            spot,
            at: At::Home,
            again: None,
            said: false,
            // Where files do not keep their numbers nothing can be told by them.
            recent: Recent::new(start.len, seen == Some(Whereabouts::Home)),
            foreign: None,
            hindrance: None,
            draft: None,
            file: 0,
        }
    }

    /// When to look again.
    pub(super) const fn again(&self) -> Option<Instant> {
        self.again
    }

    pub(super) const fn is_home(&self) -> bool {
        matches!(self.at, At::Home)
    }

    /// Whether what is written outlives this process.
    pub(super) const fn is_kept(&self) -> bool {
        !matches!(self.at, At::Lost(_, None))
    }

    /// Whether the file may be written: one that others cut is theirs.
    pub(super) const fn takes(&self) -> bool {
        !matches!(self.at, At::Lost(Loss::Cut, None))
    }

    /// Remembers bytes as they are written.
    pub(super) fn wrote(&mut self, bytes: &[u8]) {
        self.recent.wrote(bytes);
    }

    /// Whether much was written without a look at where it goes.
    pub(super) const fn is_due(&self) -> bool {
        self.recent.is_due()
    }

    /// Remembers a version of the draft: its blob is lost with the folder.
    pub(super) fn keep(&mut self, draft: Vec<u8>) {
        self.draft = Some(draft);
    }

    const fn rescued(&self) -> Option<&Rescued> {
        match &self.at {
            At::Lost(_, rescued) => rescued.as_ref(),
            _ => None,
        }
    }

    fn kept(&self) -> Kept<'_> {
        Kept {
            rescued: self.rescued(),
            draft: self.draft.as_deref(),
            lock: self.lock,
        }
    }
}

impl Pen {
    /// Takes in that a file was synced: the time to look whether it is still the log.
    pub(super) fn synced(&mut self, file: u64, done: io::Result<()>) {
        match done {
            // A file that is no longer written.
            _ if file != self.place.file => {}
            Err(e) => self.fail_sync(&e),
            Ok(()) if self.look() && self.trouble.is_none() => self.drain(),
            Ok(()) => {}
        }
    }

    /// Looks where the log is; whether anything is written elsewhere from here on.
    pub(super) fn look(&mut self) -> bool {
        if !self.place.recent.looks() {
            return false;
        }
        let was = (self.place.file, self.at.blobs.clone());
        let mut seen = true;
        if let At::Lost(loss, Some(_)) = self.place.at {
            self.come_home(loss);
        } else {
            let disk = &*self.desk.store.rig.disk;
            let path = self.place.spot.log();
            match look(disk, &path, &*self.at.file, self.at.len) {
                Some(Whereabouts::Home) => self.at_home(),
                Some(Whereabouts::Moved(now)) => self.moved(now),
                Some(Whereabouts::Lost(loss)) => self.lost(loss),
                None => seen = false,
            }
        }
        if !seen {
            self.place.recent.unknown();
        } else if self.place.takes() {
            self.place.recent.right(self.at.len);
        }
        let away = !self.place.is_home();
        self.place.again = away.then(|| Instant::now() + self.desk.store.rig.retry);
        was != (self.place.file, self.at.blobs.clone())
    }

    /// Ends: what could not be written in its place is written to a file of its own.
    pub(super) fn close(mut self) {
        let whole = self.flush();
        if !whole && !self.queue.is_empty() {
            self.last_resort();
        }
        let (id, left) = (self.place.spot.id, self.queue.len());
        match &self.place.at {
            At::Home => {}
            At::Moved(now) => tracing::warn!("session {id} ends at {}", now.display()),
            At::Lost(loss, Some(rescued)) => {
                let (told, log) = (loss.told(), rescued.log.display());
                tracing::error!("the log of session {id} {told}; it is kept in {log}");
            }
            At::Lost(loss, None) => {
                tracing::error!("the log of session {id} {}; it is lost", loss.told());
            }
        }
        if left > 0 {
            tracing::error!("session {id}: {left} events were never written");
        }
    }

    /// Writes what waits to a file of its own, with all that can be read of the log.
    fn last_resort(&mut self) {
        let loss = match self.place.at {
            At::Lost(loss, _) => loss,
            At::Home | At::Moved(_) => Loss::Refused,
        };
        match self.rescue(loss, true) {
            Ok(()) => {
                self.say(loss, None);
                (self.broken, self.trouble) = (false, None);
                self.flush();
            }
            Err(e) => tracing::error!("session {} cannot be rescued: {e}", self.place.spot.id),
        }
    }

    fn at_home(&mut self) {
        if !self.place.is_home() {
            self.place.at = At::Home;
            self.at.blobs = self.place.spot.blobs();
            let said = std::mem::take(&mut self.place.said);
            if said && self.trouble.is_none() && !self.broken {
                (self.sink)(Written::Fine);
            }
        }
    }

    fn moved(&mut self, now: PathBuf) {
        if matches!(&self.place.at, At::Moved(known) if *known == now) {
            return;
        }
        self.at.blobs = now.with_extension("").join("blobs");
        let (id, dir) = (self.place.spot.id, now.parent().unwrap_or(&now).display());
        self.tell(format!(
            "The log of session {id} is no longer where it was: its folder is {dir} now, and it is written there. Put it back, or close the workspace and open it where it is."
        ));
        self.place.at = At::Moved(now);
    }

    fn lost(&mut self, loss: Loss) {
        let said = matches!(self.place.at, At::Lost(..));
        let rescued = self.rescue(loss, false);
        if !self.come_home(loss) && (rescued.is_ok() || !said) {
            self.say(loss, rescued.err().as_ref());
        }
    }

    /// Goes on in a copy of the log that nobody else has, unless it does.
    fn rescue(&mut self, loss: Loss, in_part: bool) -> Result<(), LogError> {
        if self.place.rescued().is_some() {
            return Ok(());
        }
        let id = self.place.spot.id;
        let made = self.source(loss).and_then(|source| {
            let (kept, source) = (self.place.kept(), Source { in_part, ..source });
            self.desk.store.rescue(id, source, kept)
        });
        let made = made.map(|(rescued, file)| {
            self.write_to(file, rescued.blobs());
            rescued
        });
        let (rescued, done) = match made {
            Ok(rescued) => (Some(rescued), Ok(())),
            Err(e) => (None, Err(e)),
        };
        self.place.at = At::Lost(loss, rescued);
        done
    }

    /// What a copy of the log is made from.
    fn source(&self, loss: Loss) -> Result<Source<'_>, LogError> {
        let whole = Source::whole(&*self.at.file);
        if loss != Loss::Cut {
            return Ok(whole);
        }
        let (seen, then) = (self.place.recent.seen(), self.place.recent.bytes());
        let upto = uncut(whole.file, seen, then);
        let upto = upto.tried("read", &self.place.spot.log())?;
        Ok(Source {
            upto,
            then,
            ..whole
        })
    }

    /// Puts the log back in its place, if that is free; whether it is there.
    fn come_home(&mut self, loss: Loss) -> bool {
        let store = &self.desk.store;
        let there = store.rig.disk.stat(&self.place.spot.log()).ok();
        // Who cuts a log may not be done with it; a disk that refuses may have lost what is read from it.
        let stays = matches!(loss, Loss::Cut | Loss::Refused);
        if stays || there.is_some() && there == self.place.foreign {
            return false;
        }
        let kept = self.place.kept();
        let returned = store.give_back(&self.place.spot, &*self.at.file, kept);
        let (file, lock) = match returned {
            Ok(Some(returned)) => returned,
            Ok(None) => {
                self.place.foreign = there;
                return false;
            }
            Err(e) => {
                self.hindered(&e);
                return false;
            }
        };
        self.place.hindrance = None;
        if let Some(lock) = lock {
            self.at.lock = lock;
            self.place.lock = self.desk.store.rig.disk.stat(&self.place.spot.lock()).ok();
        }
        if let Some(rescued) = self.place.rescued() {
            rescued.clear(&*self.desk.store.rig.disk);
        }
        self.write_to(file, self.place.spot.blobs());
        self.at_home();
        self.note(format!(
            "The log {}. It was put back whole, and goes on.",
            loss.told()
        ));
        true
    }

    /// Traces why the log cannot be put back: once, for it is tried again and again.
    fn hindered(&mut self, e: &LogError) {
        let why = e.to_string();
        if self.place.hindrance.as_ref() != Some(&why) {
            let id = self.place.spot.id;
            tracing::warn!("the log of session {id} cannot be put back yet: {why}");
            self.place.hindrance = Some(why);
        }
    }

    fn write_to(&mut self, file: Arc<dyn DiskFile>, blobs: PathBuf) {
        let len = file.stat().map_or(0, |stat| stat.len);
        // What was cut off may be half of a line.
        self.at.ends_open |= len < self.at.len;
        self.at.len = len;
        self.place.file += 1;
        self.dirty = dirty(&file, self.place.file, &self.desk.back);
        (self.at.file, self.at.blobs) = (file, blobs);
    }

    fn say(&mut self, loss: Loss, failed: Option<&LogError>) {
        let (id, told) = (self.place.spot.id, loss.told());
        let rest = match self.place.rescued() {
            None => {
                let dir = self.desk.store.rescue.display();
                let why = failed.map(|e| format!(" ({})", e.reason()));
                let why = why.unwrap_or_default();
                format!(
                    "It cannot be copied to {dir} either{why}: it is kept as long as this program runs, and that is tried again."
                )
            }
            Some(rescued) => {
                let log = rescued.log.display();
                match loss {
                    Loss::Cut => format!("What is left of it, and all that comes, is in {log}."),
                    Loss::Replaced => format!(
                        "That file is left as it is; all that was written here is in {log}, and goes on there."
                    ),
                    Loss::Refused => {
                        format!("What could be read of it, and what waited, is in {log}.")
                    }
                    Loss::Deleted | Loss::Gone => format!(
                        "All of it is in {log}, and goes on there; it is put back when its folder is."
                    ),
                }
            }
        };
        self.tell(format!("The log of session {id} {told}. {rest}"));
    }

    fn tell(&mut self, trouble: String) {
        self.place.said = true;
        (self.sink)(Written::Trouble(trouble));
    }

    /// Has the log itself tell what happened to it.
    fn note(&mut self, text: String) {
        let weight = text.len() as u64;
        self.pending.fetch_add(weight, Ordering::AcqRel);
        let ts = (self.desk.store.rig.clock)();
        self.queue.push_back(Entry {
            kind: Kind::Note { turn: None, text },
            ts,
            blobs: Vec::new(),
            weight,
        });
    }
}

/// A file that tells the pen when it was synced.
pub(super) fn dirty(
    file: &Arc<dyn DiskFile>,
    no: u64,
    back: &std::sync::mpsc::Sender<Msg>,
) -> Arc<Dirty> {
    let back = back.clone();
    Dirty::new(Arc::clone(file), move |done| {
        // Fails only when the pen has ended, and then has synced by itself.
        let _sent = back.send(Msg::Synced { file: no, done });
    })
}

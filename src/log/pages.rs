//! Reads parts of a log, without a lock and from any process: its end, what lies before, what
//! comes after.

use std::collections::VecDeque;
use std::path::PathBuf;

use crate::domain::SessionId;
use crate::domain::event::{Damage, Event, Seq};

use super::disk::DiskFile;
use super::locate::{line_of, page_start};
use super::pieces::last_line_end;
use super::scan::Scan;
use super::store::Store;
use super::whole::next_chunk;
use super::{LogError, Tried};

/// Part of a log.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Page {
    /// Oldest first.
    pub events: Vec<Event>,
    /// Whether there are older ones.
    pub more: bool,
    /// What lies among them that is no event. At the end of a log that is being written it may be
    /// a line on its way.
    pub damage: Vec<Damage>,
}

/// Reads a log as it grows.
pub struct Follow {
    store: Store,
    id: SessionId,
    at: u64,
    inode: u64,
    scan: Scan,
    /// Only events behind this one are given.
    after: Option<Seq>,
}

/// What a log has got since it was last read.
#[derive(Clone, PartialEq, Debug)]
pub enum Followed {
    /// These events, oldest first; none when there is nothing new.
    Events(Vec<Event>),
    /// Somebody cut or replaced the file: what was read from it is to be forgotten. It is read
    /// again from its start, by the next call.
    Shorter,
}

impl Store {
    /// The end of a log: its last `bytes`, more if a prompt to begin with is near.
    pub fn tail(&self, id: SessionId, bytes: u64) -> Result<Page, LogError> {
        self.page(id, None, bytes)
    }

    /// What lies before an event, about so many bytes of it.
    pub fn before(&self, id: SessionId, seq: Seq, bytes: u64) -> Result<Page, LogError> {
        self.page(id, Some(seq), bytes)
    }

    /// All events behind one.
    pub fn after(&self, id: SessionId, seq: Seq) -> Result<Vec<Event>, LogError> {
        let mut follow = self.follow(id, Some(seq))?;
        let mut all = Vec::new();
        loop {
            match follow.read()? {
                Followed::Events(events) if events.is_empty() => return Ok(all),
                Followed::Events(events) => all.extend(events),
                Followed::Shorter => all.clear(),
            }
        }
    }

    /// Follows a log from behind an event, or from its start.
    pub fn follow(&self, id: SessionId, after: Option<Seq>) -> Result<Follow, LogError> {
        let spot = self.find(id)?;
        let path = spot.log();
        let (file, len) = self.read(id)?;
        let inode = file.stat().tried("look at", &path)?.inode;
        let end = last_line_end(&*file, 0, len).tried("read", &path)?;
        let mut follow = Follow {
            store: self.clone(),
            id,
            at: 0,
            inode,
            scan: Scan::default(),
            after,
        };
        let guess = after.filter(|_| !self.is_uneven(&spot));
        let place = guess.map(|seq| line_of(&*file, end, seq));
        if let (Some(seq), Some(place)) = (after, place.transpose().tried("read", &path)?.flatten())
        {
            let mut scan = Scan::within(Some(seq + 1));
            scan.run(&*file, (place.end, end), &mut |_| ())
                .tried("read", &path)?;
            if !scan.uneven {
                follow.at = place.end;
                follow.scan = Scan::within(Some(seq + 1));
            }
        }
        Ok(follow)
    }

    fn page(&self, id: SessionId, before: Option<Seq>, bytes: u64) -> Result<Page, LogError> {
        let spot = self.find(id)?;
        let (file, len) = self.read(id)?;
        let quick = if self.is_uneven(&spot) {
            Ok(None)
        } else {
            quick_page(&*file, len, before, bytes)
        };
        let page = match quick {
            Ok(None) => slow_page(&*file, len, before, bytes),
            Ok(Some(page)) => Ok(page),
            Err(e) => Err(e),
        };
        page.tried("read", &spot.log())
    }
}

/// A page by a guess of where it begins; none when what is read there does not fit together.
fn quick_page(
    file: &dyn DiskFile,
    len: u64,
    before: Option<Seq>,
    bytes: u64,
) -> std::io::Result<Option<Page>> {
    let to = match before {
        None => len,
        Some(seq) => match line_of(file, len, seq)? {
            Some(place) => place.at,
            None => return Ok(None),
        },
    };
    if to == 0 {
        return Ok(Some(Page::default()));
    }
    let from = page_start(file, to, bytes)?;
    let mut scan = if from == 0 {
        Scan::default()
    } else {
        Scan::within(None)
    };
    let mut events = Vec::new();
    scan.run(file, (from, to), &mut |found| events.push(found.event))?;
    let joins = before.is_none_or(|seq| scan.next == seq) && !(scan.uneven || events.is_empty());
    Ok((joins || from == 0 && before.is_none()).then_some(Page {
        events,
        more: from > 0,
        damage: scan.found.damage,
    }))
}

/// The same page by reading the log from its start.
fn slow_page(
    file: &dyn DiskFile,
    len: u64,
    before: Option<Seq>,
    bytes: u64,
) -> std::io::Result<Page> {
    let mut kept: VecDeque<(u64, Event)> = VecDeque::new();
    let mut more = false;
    let mut scan = Scan::default();
    scan.run(file, (0, len), &mut |found| {
        if before.is_some_and(|seq| found.event.seq >= seq) {
            return;
        }
        kept.push_back((found.at, found.event));
        while kept.front().is_some_and(|(at, _)| found.at - at > bytes) {
            kept.pop_front();
            more = true;
        }
    })?;
    let from = kept.front().filter(|_| more).map_or(0, |(at, _)| *at);
    let to = if before.is_some() {
        kept.back().map_or(0, |(at, _)| *at)
    } else {
        len
    };
    let damage = scan.found.damage.into_iter();
    Ok(Page {
        events: kept.into_iter().map(|(_, event)| event).collect(),
        more,
        damage: damage.filter(|d| (from..to).contains(&d.at)).collect(),
    })
}

impl Follow {
    /// Where the log lies now.
    pub(super) fn path(&self) -> Result<PathBuf, LogError> {
        Ok(self.store.find(self.id)?.log())
    }

    /// What is new: whole lines only, about a megabyte of them at a time.
    pub fn read(&mut self) -> Result<Followed, LogError> {
        let path = self.path()?;
        let (file, len) = self.store.read(self.id)?;
        let inode = file.stat().tried("look at", &path)?.inode;
        if len < self.at || inode != self.inode {
            (self.at, self.inode) = (0, inode);
            (self.scan, self.after) = (Scan::default(), None);
            return Ok(Followed::Shorter);
        }
        let end = last_line_end(&*file, self.at, len).tried("read", &path)?;
        let mut events = Vec::new();
        while self.at < end && events.is_empty() {
            let to = next_chunk(&*file, self.at, end).tried("read", &path)?;
            let after = self.after;
            let run = self.scan.run(&*file, (self.at, to), &mut |found| {
                if after.is_none_or(|seq| found.event.seq > seq) {
                    events.push(found.event);
                }
            });
            run.tried("read", &path)?;
            self.at = to;
        }
        Ok(Followed::Events(events))
    }
}

//! Several sessions searched at once, each by a thread, and told one after the other.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};

use super::Sheet;
use super::reading::Reading;
use crate::domain::search::{From, Hit};
use crate::log::store::Store;
use crate::text::find::{Hint, Query};

/// Sessions that are searched at once at most: the writer works at the machine, too.
const LANES_MAX: usize = 4;
/// Places that may wait for a session before theirs to be searched to its end.
const WAITING_MAX: usize = 20_000;

/// What is searched, and for what.
pub(super) struct Work<'a> {
    pub(super) store: &'a Store,
    pub(super) query: &'a Query,
    pub(super) hint: &'a Hint,
    pub(super) sheets: &'a [Sheet],
    pub(super) enough: &'a (dyn Fn() -> bool + Sync),
}

/// How far the threads are, and what of it is told.
#[derive(Debug)]
pub(super) struct Lanes {
    /// The session that each is at, by its place in the list.
    open: Vec<Option<(usize, Reading)>>,
    /// The first one that nobody has begun, and the byte at which the very first begins.
    next: usize,
    first: (usize, u64),
    told: Told,
}

/// What was found, until those before it are searched.
#[derive(Debug, Default)]
struct Told {
    /// The first session that is not told to its end.
    at: usize,
    /// The byte of it up to which all is told.
    upto: u64,
    waiting: BTreeMap<usize, Waiting>,
}

#[derive(Debug, Default)]
struct Waiting {
    hits: Vec<Hit>,
    upto: u64,
    done: bool,
}

/// What a thread tells of a session.
enum Word {
    Hit(usize, Box<Hit>),
    Paused(usize, u64),
    Done(usize),
}

impl Lanes {
    /// Begins with a session, at a byte of its log.
    pub(super) fn from((n, byte): (usize, u64)) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, Into::into);
        Self {
            open: (0..cores.min(LANES_MAX)).map(|_| None).collect(),
            next: n,
            first: (n, byte),
            told: Told {
                at: n,
                upto: byte,
                ..Told::default()
            },
        }
    }

    /// Goes on until it is enough, or all is searched, or too much waits to be told.
    pub(super) fn run(&mut self, work: &Work<'_>, found: &mut dyn FnMut(Hit)) {
        let next = AtomicUsize::new(self.next);
        let waiting = AtomicUsize::new(self.told.many());
        let (tell, heard) = channel();
        let told = &mut self.told;
        std::thread::scope(|scope| {
            for lane in &mut self.open {
                let hand = Hand {
                    work,
                    next: &next,
                    first: self.first,
                    waiting: &waiting,
                    tell: tell.clone(),
                };
                scope.spawn(move || hand.run(lane));
            }
            drop(tell);
            for word in heard {
                told.hear(word);
                told.tell(found);
                waiting.store(told.many(), Ordering::Relaxed);
            }
        });
        self.next = next.into_inner();
    }

    /// Where the search goes on; none when all is told.
    pub(super) fn place(&self, sheets: &[Sheet]) -> Option<From> {
        let sheet = sheets.get(self.told.at)?;
        let here = self.open.iter().flatten().find(|(n, _)| *n == self.told.at);
        let whole = (self.told.at as u64 * 1_000 + here.map_or(0, |(_, r)| r.share())) / 10;
        let percent = whole / (sheets.len() as u64).max(1);
        Some(From {
            created: sheet.created,
            session: sheet.id,
            at: self.told.upto,
            percent: u8::try_from(percent).unwrap_or(100),
        })
    }
}

/// One that searches sessions.
struct Hand<'a> {
    work: &'a Work<'a>,
    next: &'a AtomicUsize,
    first: (usize, u64),
    waiting: &'a AtomicUsize,
    tell: Sender<Word>,
}

impl Hand<'_> {
    fn run(&self, lane: &mut Option<(usize, Reading)>) {
        loop {
            let Some((n, begun)) = self.take(lane) else {
                return;
            };
            let Some(sheet) = self.work.sheets.get(n) else {
                return;
            };
            let mut found = |hit| self.say(Word::Hit(n, Box::new(hit)));
            let reading = match begun {
                Some(reading) => Ok(reading),
                None => Reading::begin(self.work, sheet, self.from(n), &mut found),
            };
            let read = reading.and_then(|mut reading| {
                let done = reading.on(self.work, sheet, &mut found)?;
                Ok((!done).then_some(reading))
            });
            match read {
                Ok(Some(paused)) => {
                    self.say(Word::Paused(n, paused.told()));
                    *lane = Some((n, paused));
                    return;
                }
                Ok(None) => {}
                Err(e) => tracing::warn!("{} could not be searched: {e}", sheet.id),
            }
            self.say(Word::Done(n));
            if (self.work.enough)() {
                return;
            }
        }
    }

    /// The session it is at, or the next one that nobody has begun.
    fn take(&self, lane: &mut Option<(usize, Reading)>) -> Option<(usize, Option<Reading>)> {
        if let Some((n, reading)) = lane.take() {
            return Some((n, Some(reading)));
        }
        if self.waiting.load(Ordering::Relaxed) > WAITING_MAX {
            return None;
        }
        let n = self.next.fetch_add(1, Ordering::Relaxed);
        Some((n, None))
    }

    fn from(&self, n: usize) -> u64 {
        let (first, byte) = self.first;
        if n == first { byte } else { 0 }
    }

    fn say(&self, word: Word) {
        // Heard until the last thread has ended.
        let _heard = self.tell.send(word);
    }
}

impl Told {
    fn hear(&mut self, word: Word) {
        let (Word::Hit(n, _) | Word::Paused(n, _) | Word::Done(n)) = &word;
        let waiting = self.waiting.entry(*n).or_default();
        match word {
            Word::Hit(_, hit) => waiting.hits.push(*hit),
            Word::Paused(_, upto) => waiting.upto = upto,
            Word::Done(_) => waiting.done = true,
        }
    }

    /// Tells what has no session before it that may have more.
    fn tell(&mut self, found: &mut dyn FnMut(Hit)) {
        while let Some(first) = self.waiting.get_mut(&self.at) {
            first.hits.drain(..).for_each(&mut *found);
            self.upto = first.upto.max(self.upto);
            if !first.done {
                return;
            }
            self.waiting.remove(&self.at);
            (self.at, self.upto) = (self.at + 1, 0);
        }
    }

    fn many(&self) -> usize {
        self.waiting.values().map(|one| one.hits.len()).sum()
    }
}

//! What attached windows are told: first what was, then what happens, without gap or repeat.
//!
//! A window that is slow holds up nobody: its own pump waits, and what it missed in the meantime is
//! read again from the log, by number.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::shared::Shared;
use super::watch::Held;
use crate::config::build;
use crate::domain::notice::{After, Notice};
use crate::domain::{Event, Head, Kind, Seq, SessionId, Text};
use crate::log::{Followed, LogError, Page, Store};

/// Most bytes of log that a window gets as one page.
const PAGE_MAX: u64 = 4 * 1024 * 1024;
/// Words in blobs up to this many bytes are told whole.
const WHOLE: u64 = 1024 * 1024;

/// After words of an answer so much time passes before more are told: what comes meanwhile is told together, in one
/// piece of work for both sides. Windows draw less often than that.
const TOGETHER: Duration = Duration::from_millis(45);

/// What a window shows of a session comes first: so much time it has to draw it before a long log is read whole.
pub(super) const SCREEN_FIRST: Duration = Duration::from_millis(120);

/// The window is gone.
struct Gone;

/// Tells a window of the list until either side ends.
pub(super) async fn workspace(shared: Arc<Shared>, to: mpsc::Sender<Notice>) {
    let mut changes = shared.rows.changes();
    let mut told = 0;
    if to.send(Notice::Host(build())).await.is_err() {
        return;
    }
    loop {
        changes.borrow_and_update();
        let (notices, newest) = shared.rows.since(told);
        for notice in notices {
            if to.send(notice).await.is_err() {
                return;
            }
        }
        if told == 0 && to.send(Notice::Live).await.is_err() {
            return;
        }
        told = newest.max(1);
        tokio::select! {
            more = changes.changed() => if more.is_err() { return },
            () = to.closed() => return,
            () = shared.life.closed.cancelled() => break,
        }
    }
    // What its end did to the turns comes before its end.
    let last = shared.rows.since(told).0.into_iter();
    for notice in last.chain([shared.life.end()]) {
        if to.send(notice).await.is_err() {
            return;
        }
    }
}

/// Tells a window of a session until either side ends.
pub(super) async fn session(
    shared: Arc<Shared>,
    id: SessionId,
    after: After,
    to: mpsc::Sender<Notice>,
) {
    let pump = Pump {
        live: shared.slot(id).hub.subscribe(),
        shared,
        id,
        to,
        last: None,
        watched: None,
    };
    // The error says only that the window is gone.
    drop(pump.run(after).await);
}

struct Pump {
    shared: Arc<Shared>,
    id: SessionId,
    to: mpsc::Sender<Notice>,
    live: tokio::sync::broadcast::Receiver<Arc<Event>>,
    /// Number of the newest event told.
    last: Option<Seq>,
    /// Its folder, while it is shown.
    watched: Option<Held>,
}

impl Pump {
    async fn run(mut self, after: After) -> Result<(), Gone> {
        let (id, store) = (self.id, self.shared.store.clone());
        let first = read(move || first(&store, id, after)).await;
        let (page, head, is_whole) = match first {
            Ok(first) => first,
            Err(why) => return self.say(Notice::Refused { why }).await,
        };
        self.last = match after {
            After::Seq(seq) => Some(seq),
            _ => page.events.first().and_then(|e| e.seq.checked_sub(1)),
        };
        if is_whole {
            self.watched = self.shared.watched(id, &head);
        }
        let (head, more) = (Box::new(head), page.more);
        self.say(Notice::Opened { head, more }).await?;
        self.tell(page.events).await?;
        if !is_whole {
            tokio::time::sleep(SCREEN_FIRST).await;
            let store = self.shared.store.clone();
            match read(move || Ok(store.head(id)?.head)).await {
                Ok(head) => {
                    self.watched = self.shared.watched(id, &head);
                    self.say(Notice::Head(Box::new(head))).await?;
                }
                Err(why) => return self.say(Notice::Refused { why }).await,
            }
        }
        self.catch_up().await?;
        self.say(Notice::Live).await?;
        // Whether words came, and since when none are told.
        let mut rest = None;
        loop {
            tokio::select! {
                biased;
                () = self.shared.life.closed.cancelled() => {
                    self.missed().await?;
                    return self.say(self.shared.life.end()).await;
                }
                () = self.to.closed() => return Ok(()),
                () = until(rest), if rest.is_some() => rest = None,
                event = self.live.recv(), if rest.is_none() => {
                    let streams = event.as_ref().is_ok_and(|e| e.kind.is_piece());
                    self.next(event).await?;
                    self.missed().await?;
                    rest = streams.then(|| Instant::now() + TOGETHER);
                }
            }
        }
    }

    /// Tells what has come meanwhile.
    async fn missed(&mut self) -> Result<(), Gone> {
        loop {
            match self.live.try_recv() {
                Ok(event) => self.next(Ok(event)).await?,
                Err(TryRecvError::Lagged(n)) => self.next(Err(RecvError::Lagged(n))).await?,
                // The end is heard where it is waited for.
                Err(TryRecvError::Empty | TryRecvError::Closed) => return Ok(()),
            }
        }
    }

    async fn next(&mut self, event: Result<Arc<Event>, RecvError>) -> Result<(), Gone> {
        match event {
            Ok(event) if self.last.is_some_and(|last| event.seq <= last) => Ok(()),
            Ok(event) if event.seq == self.last.map_or(0, |last| last + 1) => {
                let event = self.whole(Event::clone(&event)).await;
                self.tell(vec![event]).await
            }
            Ok(_) | Err(RecvError::Lagged(_)) => self.catch_up().await,
            Err(RecvError::Closed) => Err(Gone),
        }
    }

    /// Tells everything in the log behind what was told, about a megabyte at a time.
    async fn catch_up(&mut self) -> Result<(), Gone> {
        let (id, store, last) = (self.id, self.shared.store.clone(), self.last);
        let mut follow = match read(move || store.follow(id, last)).await {
            Ok(follow) => follow,
            Err(why) => return self.say(Notice::Refused { why }).await,
        };
        loop {
            let store = self.shared.store.clone();
            let next = read(move || {
                let mut next = follow.read()?;
                if let Followed::Events(events) = &mut next {
                    for event in events {
                        inline(&store, id, event);
                    }
                }
                Ok((next, follow))
            });
            match next.await {
                Ok((Followed::Events(events), _)) if events.is_empty() => return Ok(()),
                Ok((Followed::Events(events), back)) => {
                    self.tell(events).await?;
                    follow = back;
                }
                // Somebody cut the file: the window attaches anew and is told what is there.
                Ok((Followed::Shorter, _)) => return Err(Gone),
                Err(why) => return self.say(Notice::Refused { why }).await,
            }
        }
    }

    async fn whole(&self, mut event: Event) -> Event {
        if !is_cut(&event) {
            return event;
        }
        let (id, store, kept) = (self.id, self.shared.store.clone(), event.clone());
        let whole = read(move || {
            inline(&store, id, &mut event);
            Ok(event)
        });
        whole.await.unwrap_or(kept)
    }

    async fn tell(&mut self, events: Vec<Event>) -> Result<(), Gone> {
        for event in events {
            self.last = self.last.max(Some(event.seq));
            self.say(Notice::Event(event)).await?;
        }
        Ok(())
    }

    async fn say(&self, notice: Notice) -> Result<(), Gone> {
        self.to.send(notice).await.map_err(|_| Gone)
    }
}

async fn until(rest: Option<Instant>) {
    if let Some(until) = rest {
        tokio::time::sleep_until(until).await;
    }
}

async fn read<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, LogError> + Send + 'static,
) -> Result<T, String> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done.map_err(|e| e.to_string()),
        Err(e) => Err(format!("The log could not be read: {e}.")),
    }
}

/// What a window is told first: a page, and the head of the whole log. Where it would take a while to read all
/// of a log, the page is not kept waiting: the head is made from the ends of the log then, which is said.
fn first(store: &Store, id: SessionId, after: After) -> Result<(Page, Head, bool), LogError> {
    let page = first_page(store, id, after)?;
    let whole = match after {
        After::Tail(_) => store.head_at_once(id)?,
        After::Start | After::Seq(_) => Some(store.head(id)?),
    };
    if let Some(listed) = whole {
        return Ok((page, listed.head, true));
    }
    let begun = store.beginning(id)?;
    // Of the turns in between nothing is known yet.
    let mut head = Head {
        turn: None,
        queue: Vec::new(),
        asked: Vec::new(),
        recipe: None,
        ..begun
    };
    page.events.iter().for_each(|event| head.apply(event));
    Ok((page, head, false))
}

fn first_page(store: &Store, id: SessionId, after: After) -> Result<Page, LogError> {
    match after {
        After::Start | After::Seq(_) => Ok(Page::default()),
        After::Tail(bytes) => page(store, id, None, bytes),
    }
}

/// A page of older events for a window that scrolls up.
pub(super) fn page(
    store: &Store,
    id: SessionId,
    before: Option<Seq>,
    bytes: u64,
) -> Result<Page, LogError> {
    let mut page = match before {
        Some(seq) => store.before(id, seq, bytes.min(PAGE_MAX))?,
        None => store.tail(id, bytes.min(PAGE_MAX))?,
    };
    page.events.iter_mut().for_each(|e| inline(store, id, e));
    Ok(page)
}

fn words(event: &mut Event) -> Option<&mut Text> {
    match &mut event.kind {
        Kind::Delta { text, .. }
        | Kind::Message { text, .. }
        | Kind::Prompt { text, .. }
        | Kind::TurnRecovered { text, .. } => Some(text),
        _ => None,
    }
}

fn is_cut(event: &Event) -> bool {
    match &event.kind {
        Kind::Delta { text, .. }
        | Kind::Message { text, .. }
        | Kind::Prompt { text, .. }
        | Kind::TurnRecovered { text, .. } => text.is_cut(),
        _ => false,
    }
}

/// Puts words from a blob into the event; what is larger, or cannot be read, stays as its beginning.
fn inline(store: &Store, id: SessionId, event: &mut Event) {
    let Some(text) = words(event).filter(|t| t.is_cut() && t.len() <= WHOLE) else {
        return;
    };
    match store.text(id, text) {
        Ok(whole) => *text = Text::Inline(whole),
        Err(e) => tracing::warn!("a blob could not be read: {e}"),
    }
}

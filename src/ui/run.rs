//! The loop around the model: what waits is taken in, keys first, then there is at most one frame. It owns the
//! terminal, on a thread of its own: one that stops reading holds up nothing else.

mod away;
mod doorstep;
mod gather;
mod pace;
mod patience;
mod signals;
mod source;
mod wires;

use std::io;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, Sender};

use super::app::App;
use super::errand::Errand;
use super::farewell::Farewell;
use super::input::{Effect, Input, Moment, Tag, Ticket};
use super::place::Place;
use super::terminal::{Modes, Screen};
use crate::domain::{Request, Scope};
pub use doorstep::ask;
use gather::Burst;
use pace::Pace;
pub use signals::Ends;
use source::Keys;

/// Inputs that wait; whoever sends more waits too, and the host re-reads for a slow window.
pub const QUEUE: usize = 1024;
/// Notices that wait for the next frame; with more of them they are taken in before it.
const MANY: usize = 256;
/// How often the window's place is kept while nothing but streams change it, milliseconds.
const KEEP_GAP: i64 = 1_000;
/// Inputs taken in before a frame is drawn.
const BATCH: usize = 1024;

/// How the window reaches the world. Asking and attaching return at once; what comes of them is sent to `inputs`.
pub struct Wires {
    /// Asks the host; the answer is sent as [`Input::Reply`] with the tag.
    pub ask: Box<dyn FnMut(Tag, Request) + Send>,
    /// Attaches; notices are sent to `notices` as [`Input::Notice`] with the ticket, the end as [`Input::Lost`].
    pub attach: Box<dyn FnMut(Ticket, Scope) + Send>,
    /// Ends an attachment.
    pub detach: Box<dyn FnMut(Ticket) + Send>,
    /// Does something outside the host; what comes of it is sent as [`Input::Brought`].
    pub errand: Box<dyn FnMut(Errand) + Send>,
    /// Keeps where the window stands.
    pub keep: Box<dyn FnMut(&Place) + Send>,
    /// The writer's editor, a shell's words (`$VISUAL`, `$EDITOR`).
    pub editor: Option<String>,
    /// A sender to `inputs`, for keys and signals.
    pub sender: Sender<Input>,
    /// What is answered at once; of [`QUEUE`] places.
    pub inputs: Receiver<Input>,
    /// What the host tells, in its order; of as many.
    pub notices: Receiver<Input>,
    /// Where keys, signals and timers are waited for.
    pub tokio: Handle,
}

impl std::fmt::Debug for Wires {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Wires")
            .field("editor", &self.editor)
            .finish_non_exhaustive()
    }
}

/// Why the window could not be, or ended before its time.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The terminal cannot be had.
    #[error(
        "The terminal cannot be used: {0}. Is this a terminal? `fascicle list` works without one."
    )]
    Terminal(#[source] io::Error),
    /// The terminal cannot move its cursor.
    #[error(
        "TERM is \"dumb\": such a terminal cannot show a window. `fascicle list`, `show` and `send` work without one."
    )]
    Dumb,
    /// A part of the program panicked.
    #[error(
        "The window ended because a part of the program failed. Everything written is in the logs."
    )]
    Panicked,
}

/// Runs the window until it closes, and tells what goes on without it. `first` are the effects of [`App::new`],
/// `ends` the signals that whoever was in the terminal before listens to.
///
/// # Errors
/// When the terminal cannot be had, or a part of the program panicked.
pub fn run(
    app: App,
    first: Vec<Effect>,
    wires: Wires,
    ends: Option<Ends>,
) -> Result<Farewell, RunError> {
    let means = app.means();
    if means.kind.dumb {
        return Err(RunError::Dumb);
    }
    let modes = Modes::new(means.kind, means.asks_for_page());
    let waker = wires.sender.clone();
    modes.leave_on_panic(move || drop(waker.try_send(Input::Close)));
    let signals = signals::watch(&wires.tokio, wires.sender.clone(), modes.clone(), ends);
    let screen = Screen::new(modes.clone(), app.links()).map_err(RunError::Terminal)?;
    let keys = Keys::start(&wires.tokio, wires.sender.clone(), modes.take_owed());
    let mut window = Window {
        app,
        wires,
        modes,
        screen,
        keys: Some(keys),
        pace: Pace::default(),
        burst: Burst::default(),
        kept: Place::default(),
        kept_at: 0,
        begun: Instant::now(),
        broken: false,
    };
    let outcome = window.run(first);
    window.end();
    signals.abort();
    // To a terminal that takes nothing nothing is to be said.
    let gone = window.broken;
    outcome.map(|()| {
        if gone {
            Farewell::default()
        } else {
            window.app.farewell()
        }
    })
}

/// Milliseconds since 1970.
pub fn now() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

struct Window {
    app: App,
    wires: Wires,
    modes: Modes,
    screen: Screen,
    /// None while the terminal is not ours.
    keys: Option<Keys>,
    pace: Pace,
    burst: Burst,
    kept: Place,
    kept_at: i64,
    /// The clock that stands still while the machine sleeps counts from here.
    begun: Instant,
    /// The terminal cannot be written any more: only what is unsent is still to be kept.
    broken: bool,
}

impl Window {
    fn run(&mut self, first: Vec<Effect>) -> Result<(), RunError> {
        self.draw();
        if self.perform(first) {
            return Ok(());
        }
        loop {
            let batch = self.batch();
            let urgent = batch.iter().any(is_urgent);
            let mut effects = Vec::new();
            for input in batch {
                if input == Input::Continue {
                    self.come_back();
                }
                effects.extend(self.app.handle(input));
            }
            if self.panicked() {
                return Err(RunError::Panicked);
            }
            // Where the caret stands among them is kept with them: it may be long until the next key.
            let sent = effects.iter().any(sends_words);
            if self.perform(effects) {
                return Ok(());
            }
            self.pace.owe(urgent, now());
            if self.pace.is_due(now()) {
                self.draw();
                self.keep_place(urgent, sent);
            } else if sent {
                self.keep_place(true, sent);
            }
        }
    }

    /// The terminal was given back without our doing.
    fn panicked(&self) -> bool {
        self.keys.is_some() && !self.modes.are_ours()
    }

    /// Waits for the next input or time, then takes all there is.
    fn batch(&mut self) -> Vec<Input> {
        let mut batch = vec![Input::Tick(self.moment())];
        if let Some(input) = self.next() {
            batch.push(input);
            self.drain(&mut batch);
        }
        while batch.len() < BATCH
            && self.burst.may_go_on(&batch, now())
            && let Some(input) = self.wait(Some(now() + gather::HOLD), true)
        {
            batch.push(input);
            self.drain(&mut batch);
        }
        if let Some(Input::Tick(at)) = batch.first_mut() {
            *at = self.moment();
        }
        self.burst.gather(batch, now())
    }

    /// Now. `Instant` is CLOCK_MONOTONIC on Linux, which stands still while the machine sleeps.
    fn moment(&self) -> Moment {
        Moment {
            wall: now(),
            awake: i64::try_from(self.begun.elapsed().as_millis()).unwrap_or(i64::MAX),
        }
    }

    /// The next input, or none when it is time for something else. Between two frames what streams is left to
    /// gather: taken in one by one it would cost a wake of this thread each.
    fn next(&mut self) -> Option<Input> {
        let wake = [self.app.wakes_at(), self.pace.due()];
        let wake = wake.into_iter().flatten().min();
        let rest = self.pace.rests(now());
        if let Some(rest) = rest.filter(|_| self.wires.notices.len() < MANY) {
            let until = wake.map_or(rest, |wake| wake.min(rest));
            let input = self.wait(Some(until), false);
            if input.is_some() || until < rest {
                return input;
            }
        }
        self.wait(wake, true)
    }

    /// Waits for an input until a time, milliseconds since 1970; for one of the host if `all`.
    fn wait(&mut self, until: Option<i64>, all: bool) -> Option<Input> {
        let (inputs, notices) = (&mut self.wires.inputs, &mut self.wires.notices);
        let most = until.map(|at| Duration::from_millis(u64::try_from(at - now()).unwrap_or(0)));
        let next = async {
            tokio::select! {
                biased;
                Some(input) = inputs.recv() => Some(input),
                Some(input) = notices.recv(), if all => Some(input),
                else => None,
            }
        };
        patience::wait(next, most).flatten()
    }

    /// Takes what waits: first what is answered at once.
    fn drain(&mut self, batch: &mut Vec<Input>) {
        let Wires {
            inputs, notices, ..
        } = &mut self.wires;
        let next = std::iter::from_fn(|| inputs.try_recv().or_else(|_| notices.try_recv()).ok());
        batch.extend(next.take(BATCH.saturating_sub(batch.len())));
    }

    fn draw(&mut self) {
        self.pace.drawn(now());
        if self.broken || self.keys.is_none() {
            return;
        }
        let app = &mut self.app;
        let outcome = self.screen.draw(|frame| app.draw(frame));
        self.check(&outcome);
    }

    /// A terminal that cannot be written is gone: the window closes, keeping what is unsent.
    fn check(&mut self, outcome: &io::Result<()>) {
        if outcome.is_err() && !self.broken {
            self.broken = true;
            // A full queue means that inputs come anyway, and each is followed by another try.
            drop(self.wires.sender.try_send(Input::Close));
        }
    }

    /// Keeps where the window stands: after a key at once, else now and then; with words that were sent, all of it.
    fn keep_place(&mut self, urgent: bool, sent: bool) {
        let now = now();
        let late = sent || now - self.kept_at >= KEEP_GAP;
        if !urgent && !late {
            return;
        }
        if late {
            self.kept_at = now;
        }
        let place = self.app.left();
        let differs = if late {
            place.differs(&self.kept)
        } else {
            place.differs_much(&self.kept)
        };
        if differs {
            (self.wires.keep)(&place);
            self.kept = place;
        }
    }

    /// Does what the model wants. True when the window is to end.
    fn perform(&mut self, effects: Vec<Effect>) -> bool {
        for effect in effects {
            match effect {
                Effect::Ask { tag, request } => (self.wires.ask)(tag, request),
                Effect::Attach { ticket, scope } => (self.wires.attach)(ticket, scope),
                Effect::Detach { ticket } => (self.wires.detach)(ticket),
                Effect::Errand(errand) => (self.wires.errand)(errand),
                Effect::Quit => return true,
                Effect::Edit(path) => self.edit(&path),
                Effect::Suspend => self.suspend(),
                shown => {
                    let outcome = self.show(&shown);
                    self.check(&outcome);
                }
            }
        }
        false
    }

    fn show(&mut self, effect: &Effect) -> io::Result<()> {
        if self.keys.is_none() {
            return Ok(());
        }
        match effect {
            Effect::Copy(text) => self.screen.copy(text),
            Effect::Mouse(on) => self.screen.mouse(*on),
            Effect::ExactKeys => self.screen.exact_keys(),
            Effect::Call(bytes) => self.screen.call(bytes),
            Effect::Title(title) => self.screen.title(title),
            Effect::Redraw => self.screen.clear(),
            _ => Ok(()),
        }
    }

    fn end(&mut self) {
        let place = self.app.left();
        (self.wires.keep)(&place);
        if let Some(keys) = self.keys.take() {
            keys.stop();
        }
        self.broken |= !self.screen.leave();
    }
}

/// Whether words typed into a draft go to the host.
fn sends_words(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Ask {
            request: Request::Edit { .. },
            ..
        }
    )
}

/// Whether an input is answered by a frame at once: all but what streams.
fn is_urgent(input: &Input) -> bool {
    !matches!(input, Input::Notice { .. } | Input::Tick(_))
}

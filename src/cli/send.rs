//! `new` and `send`: prompts on their way to an agent, and the reply as it comes.

use std::io::Read as _;

use tokio::sync::mpsc;

use super::args::{New, Send};
use super::connect::{Link, stop_asked};
use super::context::{Cx, unexpected};
use super::drawer::check;
use super::error::CliError;
use super::out;
use super::stream::{Stream, Told};
use crate::config::load::unknown_agent;
use crate::domain::ask::NewSession;
use crate::domain::event::{By, Kind, Status};
use crate::domain::{After, Event, Notice, Reply, Request, Scope, SessionId, TurnNo};

/// Makes a session and prints its id.
pub(super) async fn new(cx: &Cx, new: New) -> Result<(), CliError> {
    let config = cx.config()?;
    if let Some(name) = new.agent.as_deref().filter(|n| config.agent(n).is_none()) {
        let hint = "See them with: fascicle agents";
        return Err(CliError::refused(unknown_agent(config, name), hint));
    }
    let collection = new.collection.as_deref().map(|c| cx.collection(c));
    let request = Request::New(NewSession {
        collection: collection.transpose()?,
        title: new.title,
        agent: new.agent,
        prompt: new.prompt.map(words).transpose()?,
        recipe: None,
    });
    let link = cx.link().await?;
    match link.ask(request).await? {
        Reply::Created { session } => cx.out.exact(&format!("{session}\n"))?,
        Reply::Unprompted {
            session, why, hint, ..
        } => {
            cx.out.exact(&format!("{session}\n"))?;
            return Err(CliError::Refused { why, hint });
        }
        other => return Err(unexpected(&other)),
    }
    link.stay().await
}

/// Sends a prompt.
pub(super) async fn send(cx: &Cx, send: Send) -> Result<(), CliError> {
    let session = cx.session(&send.id)?;
    let text = words(send.text)?;
    let request = Request::Send { session, text };
    order(cx, session, request, send.wait).await.map(drop)
}

/// Asks for a turn, and waits for its end where that is wanted. Says whether a summary was seen in it.
pub(super) async fn order(
    cx: &Cx,
    session: SessionId,
    request: Request,
    waits: bool,
) -> Result<bool, CliError> {
    let link = cx.link().await?;
    // Attached before the prompt is sent, so that no word of the reply can be missed.
    let notices = if waits {
        Some(attached(&link, session).await?)
    } else {
        None
    };
    let which = match link.ask(request).await? {
        Reply::Accepted { turn, queued } => Which {
            turn,
            queued,
            waits: false,
            summary: false,
            written: false,
        },
        other => return Err(unexpected(&other)),
    };
    let outcome = if let Some(notices) = notices {
        wait(cx, &link, session, notices, which).await
    } else {
        let now = match which.turn {
            Some(turn) => format!("Turn {turn} begins."),
            None => "Another turn runs; this prompt waits for its end.".to_owned(),
        };
        cx.out.now(&now).map(|()| false)
    };
    let stayed = link.stay().await;
    let summary = outcome?;
    stayed.map(|()| summary)
}

/// The turn that answers a prompt: known at once, or once the prompt leaves the queue.
#[derive(Clone, Copy, Debug)]
struct Which {
    turn: Option<TurnNo>,
    queued: Option<u32>,
    /// Seen in the queue: what ends from here on ends before it.
    waits: bool,
    /// A summary was made in it.
    summary: bool,
    /// The agent has written in the draft.
    written: bool,
}

impl Which {
    fn learn(&mut self, event: &Event) {
        match &event.kind {
            Kind::Queued { n, .. } => self.waits |= self.queued == Some(*n),
            Kind::Prompt {
                turn,
                queued: Some(n),
                ..
            } if self.turn.is_none() && self.queued == Some(*n) => {
                self.turn = Some(*turn);
            }
            Kind::DraftSaved {
                turn: Some(turn),
                by: By::Agent(_),
                ..
            } => {
                self.written |= self.turn == Some(*turn);
            }
            Kind::Compacted(what) => self.summary |= self.turn == Some(what.turn),
            _ => {}
        }
    }

    fn ended(&self, event: &Event) -> Option<Result<(), CliError>> {
        match &event.kind {
            Kind::TurnFinished {
                turn,
                status,
                reason,
                ..
            } if self.turn == Some(*turn) => Some(match status {
                Status::Ok => Ok(()),
                _ => Err(CliError::Ended(*status, reason.clone())),
            }),
            // After such an end the queue waits for the writer, and so would this command for ever.
            Kind::TurnFinished {
                status: Status::Interrupted | Status::Failed,
                ..
            } if self.turn.is_none() && self.waits => Some(Err(CliError::refused(
                "The turn before it did not end well, so this prompt waits in the queue.",
                "Let it go on with: fascicle queue ID --go",
            ))),
            Kind::Unqueued { n } if self.turn.is_none() && self.queued == Some(*n) => {
                Some(Err(CliError::refused(
                    "The prompt was taken back before its turn.",
                    "Send it again.",
                )))
            }
            _ => None,
        }
    }
}

async fn attached(link: &Link, session: SessionId) -> Result<mpsc::Receiver<Notice>, CliError> {
    let after = After::Tail(0);
    let mut notices = link.attach(Scope::Session { session, after });
    loop {
        match notices.recv().await {
            Some(Notice::Live) => return Ok(notices),
            Some(Notice::Refused { why }) => {
                return Err(CliError::Refused { why, hint: None });
            }
            Some(Notice::Closing { .. }) | None => return Err(gone()),
            Some(_) => {}
        }
    }
}

async fn wait(
    cx: &Cx,
    link: &Link,
    session: SessionId,
    mut notices: mpsc::Receiver<Notice>,
    mut which: Which,
) -> Result<bool, CliError> {
    let mut stream = Stream::default();
    let mut stopping = false;
    let (mut rows, mut trouble) = (Rows(link.attach(Scope::Workspace)), Trouble::default());
    // One for the whole wait: a word that comes between two events must not be missed.
    let mut stop = std::pin::pin!(stop_asked());
    loop {
        let notice = tokio::select! {
            notice = notices.recv() => notice,
            now = rows.trouble(session) => {
                trouble.is(now).into_iter().for_each(out::say);
                continue;
            }
            // A host of our own ends with us: then stop means stop, and what was written is kept. Another
            // process goes on without us.
            () = &mut stop, if !stopping => {
                if !link.is_host() {
                    return Err(CliError::refused("The turn goes on without this command.", "Stop it with: fascicle stop ID"));
                }
                stopping = true;
                link.ask(Request::Stop { session }).await?;
                continue;
            }
        };
        let event = match notice {
            Some(Notice::Event(event)) => event,
            Some(Notice::Closing { .. }) | None => return Err(gone()),
            Some(_) => continue,
        };
        which.learn(&event);
        if event.kind.turn() == which.turn && which.turn.is_some() {
            tell(cx, link, session, stream.feed(&event)).await?;
        }
        if let Some(end) = which.ended(&event) {
            out::page(stream.end())?;
            if which.written {
                check(cx, link, session).await?;
            }
            return end.map(|()| which.summary);
        }
    }
}

/// What is told of the sessions, while one of them is waited for.
struct Rows(mpsc::Receiver<Notice>);

impl Rows {
    /// What keeps a session from being written, whenever its row changes. Never ends when nothing is told any more: the
    /// session's own notices say that.
    async fn trouble(&mut self, session: SessionId) -> Option<String> {
        loop {
            match self.0.recv().await {
                Some(Notice::Row(row)) if row.id == session => return row.trouble,
                Some(_) => {}
                None => std::future::pending().await,
            }
        }
    }
}

/// What keeps the log from being written while a command waits: it would wait without a word.
#[derive(Default)]
struct Trouble(Option<String>);

impl Trouble {
    /// Takes in what it is now, and gives what is to be said of it, once.
    fn is(&mut self, now: Option<String>) -> Option<String> {
        let was = std::mem::replace(&mut self.0, now);
        match (&self.0, was) {
            (Some(why), was) if was.as_ref() != Some(why) => Some(format!(
                "{why}\nThis command waits until it can be saved: make room on the disk, and it goes on."
            )),
            (None, Some(_)) => Some("What came is saved now, and it goes on.".to_owned()),
            _ => None,
        }
    }
}

async fn tell(cx: &Cx, link: &Link, session: SessionId, told: Told) -> Result<(), CliError> {
    match told {
        Told::Nothing => Ok(()),
        Told::Words(words) => cx.out.exact(&words),
        Told::Aside(words) => {
            out::say(words);
            Ok(())
        }
        Told::Blob { blob, before } => match link.ask(Request::Blob { session, blob }).await? {
            Reply::Text { text } => cx.out.exact(&format!("{before}{text}")),
            other => Err(unexpected(&other)),
        },
    }
}

fn gone() -> CliError {
    CliError::refused(
        "The host ended before the turn did; what was written is in the log.",
        "Read it with: fascicle show ID",
    )
}

/// A prompt as given, byte for byte, or from standard input for `-`.
pub(super) fn words(mut text: String) -> Result<String, CliError> {
    if text == "-" {
        text.clear();
        let read = std::io::stdin().read_to_string(&mut text);
        read.map_err(CliError::Input)?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(kind: Kind) -> Event {
        Event {
            seq: 0,
            ts: 0,
            kind,
        }
    }

    fn finished(turn: TurnNo, status: Status) -> Event {
        event(Kind::TurnFinished {
            turn,
            status,
            reason: None,
            events: 0,
            crc32: String::new(),
        })
    }

    #[test]
    fn a_queued_prompt_is_followed_into_its_own_turn() {
        let mut which = Which {
            turn: None,
            queued: Some(2),
            waits: false,
            summary: false,
            written: false,
        };
        assert!(which.ended(&finished(6, Status::Ok)).is_none());
        which.learn(&event(Kind::Prompt {
            turn: 7,
            text: "x".into(),
            queued: Some(2),
        }));
        assert!(matches!(
            which.ended(&finished(7, Status::Ok)),
            Some(Ok(()))
        ));
    }

    #[test]
    fn only_a_turn_that_ended_well_is_a_success() {
        let which = Which {
            turn: Some(1),
            queued: None,
            waits: false,
            summary: false,
            written: false,
        };
        for status in [Status::Interrupted, Status::Failed, Status::Lost] {
            assert!(matches!(
                which.ended(&finished(1, status)),
                Some(Err(CliError::Ended(..)))
            ));
        }
    }

    #[test]
    fn a_prompt_behind_a_turn_that_failed_is_not_waited_for() {
        let mut which = Which {
            turn: None,
            queued: Some(2),
            waits: false,
            summary: false,
            written: false,
        };
        let failed = finished(6, Status::Failed);
        assert!(which.ended(&failed).is_none(), "that was before");
        which.learn(&event(Kind::Queued {
            n: 2,
            text: "x".into(),
        }));
        assert!(matches!(which.ended(&failed), Some(Err(_))));
        assert!(which.ended(&finished(6, Status::Lost)).is_none());
    }

    #[test]
    fn a_prompt_taken_back_ends_the_waiting() {
        let which = Which {
            turn: None,
            queued: Some(2),
            waits: false,
            summary: false,
            written: false,
        };
        assert!(matches!(
            which.ended(&event(Kind::Unqueued { n: 2 })),
            Some(Err(_))
        ));
        assert!(which.ended(&event(Kind::Unqueued { n: 1 })).is_none());
    }
}

//! Deeds on one session: each is one request and one event in its log.

use serde::Serialize;

use super::args::{self, Word, WriteVerb};
use super::context::{Cx, unexpected};
use super::error::CliError;
use super::out;
use crate::domain::ask::Deed;
use crate::domain::head::Was;
use crate::domain::{Reply, Request, Seq, SessionId, event};
use crate::text::counted;

/// Stops the running turn.
pub(super) async fn stop(cx: &Cx, word: &str) -> Result<(), CliError> {
    let session = cx.session(word)?;
    cx.done(Request::Stop { session }).await
}

/// Answers the oldest question.
pub(super) async fn answer(cx: &Cx, asked: &args::Answer) -> Result<(), CliError> {
    let session = cx.session(&asked.id)?;
    let answer = match asked.answer {
        Word::Once => event::Answer::Once,
        Word::Session => event::Answer::Session,
        Word::Deny => event::Answer::Deny,
    };
    let call = None;
    cx.done(Request::Answer {
        session,
        call,
        answer,
    })
    .await
}

/// Does what the verb says.
pub(super) async fn run(cx: &Cx, verb: WriteVerb) -> Result<(), CliError> {
    let Some((word, deed)) = deed(verb) else {
        return Err(CliError::Bug("a verb has no deed".to_owned()));
    };
    let session = cx.session(&word)?;
    cx.done(Request::Do { session, deed }).await
}

/// A deed that was undone, for scripts.
#[derive(Serialize)]
struct Undone {
    id: SessionId,
    /// The deed's event.
    deed: Seq,
    what: &'static str,
}

/// Undoes the newest deed, and says what that was.
pub(super) async fn undo(cx: &Cx, word: &str) -> Result<(), CliError> {
    let session = cx.session(word)?;
    let deed = Deed::Undo;
    let newest = cx.shelf()?.head(session)?.deeds.pop();
    let link = cx.link().await?;
    match link.ask(Request::Do { session, deed }).await? {
        Reply::Done => {}
        other => return Err(unexpected(&other)),
    }
    if let Some(deed) = newest {
        let (what, said) = taken_back(cx, &deed.was);
        if cx.out.json() {
            let (id, deed) = (session, deed.seq);
            cx.out.value(&Undone { id, deed, what })?;
        } else {
            out::say(said);
        }
    }
    link.stay().await
}

/// What an undo takes back: a word for scripts, a line for people.
fn taken_back(cx: &Cx, was: &Was) -> (&'static str, String) {
    let title = |id: SessionId| {
        let head = cx.shelf().and_then(|shelf| shelf.head(id));
        head.map_or_else(|_| id.to_string(), |h| h.whole_title().into_owned())
    };
    match was {
        Was::Title(Some(title)) => ("renamed", format!("Its title is “{title}” again.")),
        Was::Title(None) => (
            "renamed",
            "It has no title of its own again: its first prompt is.".to_owned(),
        ),
        Was::Tags(tags) if tags.is_empty() => ("tagged", "It has no tags again.".to_owned()),
        Was::Tags(tags) => (
            "tagged",
            format!("Its tags are #{} again.", tags.join(" #")),
        ),
        Was::Stage(Some(stage)) => ("staged", format!("Its stage is {} again.", stage.word())),
        Was::Stage(None) => ("staged", "It has no stage again.".to_owned()),
        Was::Chosen(Some(was)) => ("agent", format!("Its agent is {} again.", was.agent)),
        Was::Chosen(None) => (
            "agent",
            "Its agent is that of its collection, or the default one, again.".to_owned(),
        ),
        Was::Shelf { archived: true, .. } => ("restored", "It is back in the archive.".to_owned()),
        Was::Shelf { .. } => ("shelved", "It is back in the list.".to_owned()),
        Was::Draft(Some(was)) => (
            "draft",
            format!(
                "The draft is as it was in version {}, {}. What it held until now is kept as a version.",
                was.seq,
                counted(was.words, "word")
            ),
        ),
        Was::Draft(None) => (
            "draft",
            "The draft is empty again. What it held is kept as a version.".to_owned(),
        ),
        Was::Place(was) => ("moved", format!("It is in {was} again.")),
        Was::Main(was) => (
            "adopted",
            format!("{:?} is the main line again.", title(*was)),
        ),
    }
}

fn deed(verb: WriteVerb) -> Option<(String, Deed)> {
    Some(match verb {
        WriteVerb::Rename(r) => (r.id, Deed::Rename { title: r.title }),
        WriteVerb::Tag(t) => {
            let (add, remove) = if t.remove {
                (Vec::new(), t.tags)
            } else {
                (t.tags, Vec::new())
            };
            (t.id, Deed::Tag { add, remove })
        }
        WriteVerb::Archive(one) => (one.id, Deed::Archive),
        WriteVerb::Delete(one) => (one.id, Deed::Trash),
        WriteVerb::Restore(one) => (one.id, Deed::Restore),
        WriteVerb::New(_)
        | WriteVerb::Fork(_)
        | WriteVerb::Import(_)
        | WriteVerb::Adopt(_)
        | WriteVerb::Undo(_)
        | WriteVerb::Send(_)
        | WriteVerb::Stop(_)
        | WriteVerb::Again(_)
        | WriteVerb::Queue(_)
        | WriteVerb::Recipe(_)
        | WriteVerb::Memory(_)
        | WriteVerb::Answer(_)
        | WriteVerb::Take(_)
        | WriteVerb::Compact(_)
        | WriteVerb::Continue
        | WriteVerb::Resume(_)
        | WriteVerb::Stage(_)
        | WriteVerb::Move(_)
        | WriteVerb::Collection(_) => return None,
    })
}

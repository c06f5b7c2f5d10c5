//! Deeds on one session: each is one request and one event in its log.

use super::args::{self, Word, WriteVerb};
use super::context::Cx;
use super::error::CliError;
use super::out;
use crate::domain::ask::Deed;
use crate::domain::{Request, SessionId, event};
use crate::text::{folded, one_line};

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
    let Deed::Rename { title } = &deed else {
        return cx.done(Request::Do { session, deed }).await;
    };
    let (session, title) = (named(cx, session, &word)?, title.clone());
    cx.done(Request::Do { session, deed }).await?;
    if cx.out.json() {
        return Ok(());
    }
    out::say(format!(
        "Its title is “{}” now. `fascicle undo {session}` takes that back.",
        one_line(&title)
    ));
    Ok(())
}

/// Whose title a word is that means a session. The title of a piece means its main line, and is that of the session
/// the family began with: a variant that is adopted keeps its own name, as in the window.
fn named(cx: &Cx, session: SessionId, word: &str) -> Result<SessionId, CliError> {
    let shelf = cx.shelf()?;
    let head = shelf.head(session)?;
    let first = head.kin.family_of(session);
    if !head.kin.is_variant() || !shelf.has(first) {
        return Ok(session);
    }
    let is_piece = folded(shelf.head(first)?.title()) == folded(word);
    Ok(if is_piece { first } else { session })
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
        | WriteVerb::Redo(_)
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

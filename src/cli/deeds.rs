//! Deeds on one session: each is one request and one event in its log.

use super::args::{self, Word, WriteVerb};
use super::context::Cx;
use super::error::CliError;
use crate::domain::ask::Deed;
use crate::domain::{Request, event};

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

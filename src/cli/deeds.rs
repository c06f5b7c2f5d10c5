//! Deeds on one session: each is one request and one event in its log.

use super::args::{self, Word, WriteVerb};
use super::context::Cx;
use super::error::CliError;
use crate::domain::ask::Deed;
use crate::domain::{Request, SessionId, event};
use crate::text::{folded, one_line};

/// Stops the running turn.
pub(super) async fn stop(cx: &Cx, word: &str) -> Result<(), CliError> {
    let session = cx.session(word)?;
    cx.done(Request::Stop { session }).await?;
    cx.out.now("It is told to stop; what was written stays.")
}

/// Answers the oldest question.
pub(super) async fn answer(cx: &Cx, asked: &args::Answer) -> Result<(), CliError> {
    let session = cx.session(&asked.id)?;
    let (answer, now) = match asked.answer {
        Word::Once => (event::Answer::Once, "The agent may do it this time."),
        Word::Session => (
            event::Answer::Session,
            "The agent may do it for as long as it runs.",
        ),
        Word::Deny => (event::Answer::Deny, "The agent may not do it."),
    };
    let call = None;
    cx.done(Request::Answer {
        session,
        call,
        answer,
    })
    .await?;
    cx.out.now(now)
}

/// Does what the verb says.
pub(super) async fn run(cx: &Cx, verb: WriteVerb) -> Result<(), CliError> {
    let Some((word, deed)) = deed(verb) else {
        return Err(CliError::Bug("a verb has no deed".to_owned()));
    };
    let meant = cx.session(&word)?;
    let session = match deed {
        Deed::Rename { .. } => named(cx, meant, &word)?,
        _ => meant,
    };
    let before = shown(cx, session)?;
    let deed = with_stored(deed, &before.1);
    // Bringing it back from there is the undo of a deed, and none of its own.
    let is_back = matches!(deed, Deed::Restore) && before.3;
    let asked = deed.clone();
    let asked = Request::Do {
        session,
        deed: asked,
    };
    cx.done(asked).await?;
    if shown(cx, session)? == before {
        let now = format!("Nothing was changed: “{}” is like that already.", before.0);
        return cx.out.now(&now);
    }
    let mut now = now(cx, session, &deed)?;
    if !is_back && !matches!(deed, Deed::Trash) {
        now.push_str(&taken_back(session));
    }
    cx.out.now(&now)
}

/// How a deed on a session is undone; behind what is now.
pub(super) fn taken_back(session: SessionId) -> String {
    format!(" `fascicle undo {session}` takes that back.")
}

/// What these deeds change: title, tags, whether it is archived and whether it is in the trash.
fn shown(cx: &Cx, session: SessionId) -> Result<(String, Vec<String>, bool, bool), CliError> {
    let head = cx.shelf()?.head(session)?;
    let title = head.whole_title().into_owned();
    Ok((title, head.tags, head.archived, head.trashed))
}

/// What is now by a deed.
fn now(cx: &Cx, session: SessionId, deed: &Deed) -> Result<String, CliError> {
    if let Deed::Rename { title } = deed {
        let (title, kin) = (one_line(title), cx.shelf()?.head(session)?.kin);
        return Ok(match kin.piece.filter(|_| kin.parent.is_some()) {
            Some(piece) => {
                let piece = one_line(&piece);
                format!("The variant is called “{title}” now; the piece is “{piece}” still.")
            }
            None => format!("Its title is “{title}” now."),
        });
    }
    if matches!(deed, Deed::Trash) {
        return Ok(format!(
            "It is in the trash now. `fascicle restore {session}` brings it back."
        ));
    }
    let head = cx.shelf()?.head(session)?;
    let title = head.whole_title();
    Ok(match deed {
        Deed::Tag { .. } if head.tags.is_empty() => format!("“{title}” has no tags now."),
        Deed::Tag { .. } => format!("The tags of “{title}” are #{} now.", head.tags.join(" #")),
        Deed::Archive => format!("“{title}” is in the archive now."),
        _ => format!("“{title}” is in the list now."),
    })
}

/// Tags that are to go as they are stored: one may have its own `#` from before tags were taken without it.
fn with_stored(mut deed: Deed, tags: &[String]) -> Deed {
    if let Deed::Tag { remove, .. } = &mut deed {
        let bare = |tag: &str| tag.trim_start_matches('#').to_owned();
        let gone = |tag: &&String| !remove.contains(tag) && remove.contains(&bare(tag));
        let stored: Vec<String> = tags.iter().filter(gone).cloned().collect();
        remove.extend(stored);
    }
    deed
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
            // As they are shown is as they may be given.
            let tags = t
                .tags
                .iter()
                .map(|tag| tag.trim_start_matches('#').to_owned());
            let (add, remove) = if t.remove {
                (Vec::new(), tags.collect())
            } else {
                (tags.collect(), Vec::new())
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

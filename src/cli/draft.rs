//! `draft`: the text of the piece, now or as of an event, and what can be done with its versions.

mod versions;

use serde::Serialize;

use super::context::Cx;
use super::error::CliError;
use super::piece::{Piece, Spec};
use super::{args, out};
use crate::domain::Seq;
use crate::drafts::file;

/// A draft, for scripts.
#[derive(Serialize)]
struct Printed {
    text: String,
    version: Option<Seq>,
    path: String,
}

/// Prints the draft, or does with its versions what was asked.
pub(super) async fn run(cx: &Cx, asked: &args::Draft) -> Result<(), CliError> {
    let session = cx.session(&asked.id)?;
    if asked.versions {
        return versions::list(cx, session);
    }
    if let Some(word) = &asked.restore {
        return versions::restore(cx, session, word).await;
    }
    if let [version, name] = asked.pin.as_slice() {
        return versions::pin(cx, session, version, name).await;
    }
    if asked.convert {
        return versions::convert(cx, session).await;
    }
    if asked.dismiss {
        return versions::dismiss(cx, session).await;
    }
    let at = asked.at.clone();
    let newest = at.is_none();
    let piece = Piece::of(cx, &Spec { session, at }).await?;
    if let Err(why) = file::read_at(&piece.path)
        && newest
    {
        let path = piece.path.display();
        out::say(format!(
            "{path} is not read: {why}. What is printed is the draft as the log has it."
        ));
    }
    if cx.out.json() {
        return cx.out.value(&Printed {
            text: String::from_utf8_lossy(&piece.bytes).into_owned(),
            version: piece.seq,
            path: piece.path.display().to_string(),
        });
    }
    cx.out.bytes(&piece.bytes)
}

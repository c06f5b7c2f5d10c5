//! `fork`: a variant of a session.

use serde::Serialize;

use super::args::Fork;
use super::context::{Cx, unexpected};
use super::error::CliError;
use super::send::words;
use crate::domain::{Reply, Request, Seq, SessionId};

/// A variant, for scripts.
#[derive(Serialize)]
struct Made {
    id: SessionId,
    parent: SessionId,
    /// The newest event that both have.
    seq: Option<Seq>,
    title: String,
    folder: String,
}

/// Makes a variant and prints its id.
pub(super) async fn run(cx: &Cx, asked: Fork) -> Result<(), CliError> {
    let parent = cx.session(&asked.id)?;
    let request = Request::Fork {
        session: parent,
        at: asked.at,
        title: asked.name,
        prompt: asked.prompt.map(words).transpose()?,
    };
    let link = cx.link().await?;
    match link.ask(request).await? {
        Reply::Created { session } => told(cx, session, parent)?,
        Reply::Unprompted {
            session, why, hint, ..
        } => {
            told(cx, session, parent)?;
            return Err(CliError::Refused { why, hint });
        }
        other => return Err(unexpected(&other)),
    }
    link.stay().await
}

/// Says which session was made.
fn told(cx: &Cx, id: SessionId, parent: SessionId) -> Result<(), CliError> {
    if cx.out.json() {
        return cx.out.value(&made(cx, id, parent)?);
    }
    cx.out.exact(&format!("{id}\n"))
}

fn made(cx: &Cx, id: SessionId, parent: SessionId) -> Result<Made, CliError> {
    let head = cx.shelf()?.head(id)?;
    Ok(Made {
        id,
        parent,
        seq: head.kin.parent.map(|at| at.seq),
        title: head.title().to_owned(),
        folder: head.place.map(|p| p.folder).unwrap_or_default(),
    })
}

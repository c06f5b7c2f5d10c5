//! `fork`: a variant of a session.

use serde::Serialize;

use super::args::Fork;
use super::context::{Cx, unexpected};
use super::error::CliError;
use super::out;
use super::send::words;
use crate::domain::ask::NewVariant;
use crate::domain::{Reply, Request, Seq, SessionId};
use crate::text::one_line;

/// A variant, for scripts.
#[derive(Serialize)]
struct Made {
    id: SessionId,
    parent: SessionId,
    /// The newest event that both have.
    seq: Option<Seq>,
    title: String,
    folder: String,
    /// What could not be read of the parent, or did not come along: one sentence each.
    lacks: Vec<String>,
}

/// Makes a variant and prints its id.
pub(super) async fn run(cx: &Cx, asked: Fork) -> Result<(), CliError> {
    let parent = cx.session(&asked.id)?;
    let name = asked.name.clone();
    let request = Request::Fork(NewVariant {
        session: parent,
        at: asked.at,
        title: asked.name,
        prompt: asked.prompt.map(words).transpose()?,
    });
    let link = cx.link().await?;
    match link.ask(request).await? {
        Reply::Created { session } => told(cx, (session, parent), name.as_deref(), Vec::new())?,
        Reply::Lacking { session, said } => told(cx, (session, parent), name.as_deref(), said)?,
        Reply::Unprompted {
            session, why, hint, ..
        } => {
            told(cx, (session, parent), name.as_deref(), Vec::new())?;
            return Err(CliError::Refused { why, hint });
        }
        other => return Err(unexpected(&other)),
    }
    link.stay().await
}

/// Says which session was made, what it is called where another one of its family has the name, and what it lacks.
fn told(
    cx: &Cx,
    (id, parent): (SessionId, SessionId),
    name: Option<&str>,
    lacks: Vec<String>,
) -> Result<(), CliError> {
    if cx.out.json() {
        return cx.out.value(&made(cx, id, parent, lacks)?);
    }
    cx.out.exact(&format!("{id}\n"))?;
    if let Some(name) = name.map(one_line).filter(|name| !name.is_empty()) {
        let title = cx.shelf()?.head(id)?.title().to_owned();
        if title != name {
            out::say(format!(
                "It is called “{title}”: another one of its family is called “{name}”."
            ));
        }
    }
    lacks.into_iter().for_each(out::say);
    Ok(())
}

fn made(cx: &Cx, id: SessionId, parent: SessionId, lacks: Vec<String>) -> Result<Made, CliError> {
    let head = cx.shelf()?.head(id)?;
    Ok(Made {
        id,
        parent,
        seq: head.kin.parent.map(|at| at.seq),
        title: head.title().to_owned(),
        folder: head.place.map(|p| p.folder).unwrap_or_default(),
        lacks,
    })
}

//! `fork`: a variant of a session.

use serde::Serialize;

use super::args::Fork;
use super::context::{Cx, unexpected};
use super::error::CliError;
use super::list::{TITLE_MAX, short};
use super::out;
use super::send::words;
use crate::config::collection::one_line;
use crate::domain::ask::NewVariant;
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
    if let Some(name) = name {
        numbered(name, cx.shelf()?.head(id)?.title())
            .into_iter()
            .for_each(out::say);
    }
    lacks.into_iter().for_each(out::say);
    Ok(())
}

/// That a variant has a number behind the name that was asked for, where it has. A long name is cut, and the number is not.
fn numbered(name: &str, title: &str) -> Option<String> {
    let name = one_line(name);
    let number = title
        .strip_prefix(&name)
        .filter(|n| !n.is_empty() && !name.is_empty())?;
    let name = short(&name, TITLE_MAX);
    Some(format!(
        "It is called “{name}{number}”: another one of its family is called “{name}”."
    ))
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn a_long_name_is_cut_where_it_is_said_and_is_no_other_than_was_asked_for() {
        let name = "a very long name ".repeat(30);
        let title = name.trim_end();
        assert_eq!(numbered(&name, title), None);
        assert_eq!(numbered("", "variant"), None);
        let said = numbered(&name, &format!("{title} 2")).unwrap();
        assert!(said.len() < 240 && said.contains("… 2”"), "{said}");
    }
}

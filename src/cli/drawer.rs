//! `collection`: making, listing and shelving the drawer's folders.

use serde::Serialize;

use super::args::CollectionVerb;
use super::context::{Cx, unexpected};
use super::error::CliError;
use super::list::{columns, count};
use super::out;
use crate::config::Collection;
use crate::domain::{Reply, Request};
use crate::text::one_line;

/// A collection, for scripts.
#[derive(Serialize)]
struct Listed<'a> {
    id: &'a str,
    title: &'a str,
    folder: &'a str,
    agent: Option<&'a str>,
    model: Option<&'a str>,
    allow: &'a [String],
    archived: bool,
    sessions: u64,
}

/// Does what the verb says.
pub(super) async fn run(cx: &Cx, verb: CollectionVerb) -> Result<(), CliError> {
    match verb {
        CollectionVerb::List => {
            cx.say_problems();
            list(cx)
        }
        CollectionVerb::New { title } => {
            let link = cx.link().await?;
            match link.ask(Request::NewCollection { title }).await? {
                Reply::Collection { collection } => cx.out.exact(&format!("{collection}\n"))?,
                other => return Err(unexpected(&other)),
            }
            link.stay().await
        }
        CollectionVerb::Archive { collection } => shelve(cx, &collection, true).await,
        CollectionVerb::Restore { collection } => shelve(cx, &collection, false).await,
    }
}

async fn shelve(cx: &Cx, word: &str, archived: bool) -> Result<(), CliError> {
    let collection = cx.collection(word)?;
    cx.done(Request::ArchiveCollection {
        collection,
        archived,
    })
    .await
}

fn list(cx: &Cx) -> Result<(), CliError> {
    let drawer = cx.drawer();
    for problem in &drawer.problems {
        out::say(problem);
    }
    let heads = cx.shelf()?.heads();
    let held = |c: &Collection| {
        let held = heads
            .iter()
            .filter(|h| !h.trashed)
            .filter(|h| h.place.as_ref().is_some_and(|p| p.collection == c.id))
            .count();
        held as u64
    };
    let listed: Vec<Listed<'_>> = drawer.collections.iter().map(|c| row(c, held(c))).collect();
    if cx.out.json() {
        return cx.out.value(&listed);
    }
    let rows = listed.iter().map(|c| {
        let shelved = if c.archived { "archived" } else { "" };
        vec![
            one_line(c.title),
            count(c.sessions, "session"),
            c.agent.unwrap_or_default().to_owned(),
            one_line(c.folder),
            c.id.to_owned(),
            shelved.to_owned(),
        ]
    });
    out::page(&columns(&rows.collect::<Vec<_>>()))
}

fn row(c: &Collection, sessions: u64) -> Listed<'_> {
    Listed {
        id: c.id.as_str(),
        title: &c.title,
        folder: &c.folder,
        agent: c.agent.as_deref(),
        model: c.model.as_deref(),
        allow: &c.allow,
        archived: c.archived,
        sessions,
    }
}

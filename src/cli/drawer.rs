//! `collection`: making, listing, changing and shelving the drawer's folders.

mod change;
mod gather;

use serde::Serialize;

use super::args::CollectionVerb;
use super::context::{Cx, unexpected};
use super::error::CliError;
use super::list::{TITLE_MAX, short};
use super::out;
use super::table::columns;
use crate::config::Collection;
use crate::domain::kin::main_line;
use crate::domain::{Head, Reply, Request};
use crate::text::{against, counted, one_line, width};

pub(super) use change::{ASKED, check, move_to, stage};

/// Cells of a title that is cut, at least.
const TITLE_MIN: usize = 16;

/// A collection, for scripts.
#[derive(Serialize)]
struct Listed<'a> {
    id: &'a str,
    title: &'a str,
    about: Option<&'a str>,
    folder: &'a str,
    #[serde(flatten)]
    agent: Agent<'a>,
    allow: &'a [String],
    archived: bool,
    sessions: u64,
    /// Families, each counted once.
    pieces: u64,
    /// Words of their main lines.
    words: u64,
    target: Option<u64>,
    day: Option<u64>,
}

/// Who writes in a collection.
#[derive(Serialize)]
struct Agent<'a> {
    agent: Option<&'a str>,
    model: Option<&'a str>,
}

/// Does what the verb says.
pub(super) async fn run(cx: &Cx, verb: CollectionVerb) -> Result<(), CliError> {
    match verb {
        CollectionVerb::List { names: true } => names(cx),
        CollectionVerb::List { names: false } => {
            cx.say_problems();
            list(cx)
        }
        CollectionVerb::New { title, from: None } => {
            let title = title.unwrap_or_default();
            let link = cx.link().await?;
            match link.ask(Request::NewCollection { title }).await? {
                Reply::Collection { collection } => cx.out.exact(&format!("{collection}\n"))?,
                other => return Err(unexpected(&other)),
            }
            link.stay().await
        }
        CollectionVerb::New {
            title,
            from: Some(from),
        } => gather::run(cx, title, &from).await,
        CollectionVerb::Undo(back) => change::go_back(cx, &back, false).await,
        CollectionVerb::Redo(back) => change::go_back(cx, &back, true).await,
        other => change::run(cx, other).await,
    }
}

/// Prints a word for each collection that means it alone.
fn names(cx: &Cx) -> Result<(), CliError> {
    let drawer = cx.drawer();
    let mut shown: Vec<&Collection> = drawer.collections.iter().collect();
    shown.sort_by_key(|c| c.place());
    for c in shown {
        let meant = drawer.named(&c.title).is_ok_and(|meant| meant.id == c.id);
        let alone = meant && one_line(&c.title) == c.title;
        out::line(if alone { &c.title } else { c.id.as_str() })?;
    }
    Ok(())
}

fn list(cx: &Cx) -> Result<(), CliError> {
    let heads = cx.shelf()?.heads();
    let drawer = cx.whole_drawer();
    for problem in &drawer.problems {
        out::say(problem);
    }
    let mut shown: Vec<&Collection> = drawer.collections.iter().collect();
    shown.sort_by_key(|c| c.place());
    let listed: Vec<Listed<'_>> = shown.into_iter().map(|c| row(c, &heads)).collect();
    if cx.out.json() {
        return cx.out.value(&listed);
    }
    let room = cx.out.cols().unwrap_or(usize::MAX);
    let rows = listed.iter().map(|c| {
        let shelved = if c.archived { "archived" } else { "" };
        vec![
            one_line(c.title),
            counted(c.pieces, "piece"),
            against(c.words, c.target, "w"),
            c.agent.agent.unwrap_or_default().to_owned(),
            one_line(c.folder),
            c.id.to_owned(),
            shelved.to_owned(),
        ]
    });
    out::page(&columns(&fitted(rows.collect(), room)))
}

/// Rows whose first cells leave room for the others on a line, as far as they can.
fn fitted(mut rows: Vec<Vec<String>>, room: usize) -> Vec<Vec<String>> {
    let bare = |row: &Vec<String>| [&[String::new()], row.get(1..).unwrap_or_default()].concat();
    let others = columns(&rows.iter().map(bare).collect::<Vec<_>>());
    let others = others.lines().map(width).max().unwrap_or(0);
    let room = room.saturating_sub(others).clamp(TITLE_MIN, TITLE_MAX);
    for title in rows.iter_mut().filter_map(|row| row.first_mut()) {
        *title = short(title, room);
    }
    rows
}

fn row<'a>(c: &'a Collection, heads: &[Head]) -> Listed<'a> {
    let here = |h: &&Head| !h.trashed && h.place.as_ref().is_some_and(|p| p.collection == c.id);
    let held: Vec<&Head> = heads.iter().filter(here).collect();
    let mains = main_lines(&held);
    Listed {
        id: c.id.as_str(),
        title: &c.title,
        about: c.about.as_deref(),
        folder: &c.folder,
        agent: Agent {
            agent: c.agent.as_deref(),
            model: c.model.as_deref(),
        },
        allow: &c.rights.allow,
        archived: c.archived,
        sessions: held.len() as u64,
        pieces: mains.len() as u64,
        words: mains
            .iter()
            .filter_map(|h| Some(h.draft.as_ref()?.words))
            .sum(),
        target: c.target,
        day: c.day,
    }
}

/// The main line of each family among these that are not archived.
fn main_lines<'a>(held: &[&'a Head]) -> Vec<&'a Head> {
    let mut families = std::collections::BTreeMap::<_, Vec<&Head>>::new();
    for head in held.iter().filter(|h| !h.archived) {
        if let Some(id) = head.id {
            families
                .entry(head.kin.family_of(id))
                .or_default()
                .push(head);
        }
    }
    let main = |all: Vec<&'a Head>| {
        let main = main_line(all.iter().filter_map(|h| h.member()));
        all.into_iter().find(|h| h.id == main)
    };
    families.into_values().filter_map(main).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_cut_to_what_the_other_columns_leave_of_the_terminal() {
        let long = "A title that goes on and on. ".repeat(9);
        let rows = || {
            let row = |title: &str| vec![title.to_owned(), "3 pieces".to_owned()];
            vec![row(&long), row("Short")]
        };
        let widest = |room| {
            let text = columns(&fitted(rows(), room));
            text.lines().map(width).max().unwrap_or(0)
        };
        assert!((36..=40).contains(&widest(40)), "{}", widest(40));
        // A title is still read, and no line is longer than need be.
        assert!((20..=TITLE_MIN + 10).contains(&widest(10)));
        assert!(widest(usize::MAX) <= TITLE_MAX + 10);
    }
}

//! `export`: what was written here, in a format that others read.

mod errand;
mod file;
mod pandoc;

use std::path::Path;

use super::args::Export;
use super::context::Cx;
use super::error::CliError;
use super::piece::{Piece, Spec};
use super::{out, show};
use crate::config::Collection;
use crate::domain::SessionId;
use crate::memory::brief::{Entry, pieces};
use crate::text::export::{Format, body, has_heading, html, joined, plain};

pub(super) use errand::{outlet, write};

/// What is exported.
enum What {
    Draft(SessionId),
    Transcript(SessionId),
    Collection(Box<Collection>),
}

/// A text and what it is called.
struct Whole {
    title: String,
    markdown: String,
    /// What is wrong with where it comes from.
    trouble: Option<String>,
}

/// Makes it, and writes or prints it.
pub(super) async fn run(cx: &Cx, asked: &Export) -> Result<(), CliError> {
    let Some(path) = &asked.output else {
        if !asked.to.is_text() {
            let name = asked.to.name();
            return Err(CliError::refused(
                format!("A {name} file is not text: it is not printed."),
                format!("Name a file with: -o FILE.{name}"),
            ));
        }
        let whole = whole(cx, &what(cx, asked)?).await?;
        whole.trouble.iter().for_each(out::say);
        return cx.out.exact(&text_of(&whole, asked.to));
    };
    // What would not be written need not be made.
    file::is_free(path, asked.force)?;
    let whole = whole(cx, &what(cx, asked)?).await?;
    whole.trouble.iter().for_each(out::say);
    let note = put(&whole, asked.to, path, asked.force).await?;
    note.iter().for_each(out::say);
    Ok(())
}

/// Writes it to a file; gives what pandoc said.
async fn put(
    whole: &Whole,
    to: Format,
    path: &Path,
    force: bool,
) -> Result<Option<String>, CliError> {
    if to.is_text() {
        return file::write(path, &text_of(whole, to), force).map(|()| None);
    }
    let made = file::beside(path, to.name())?;
    let note = pandoc::make(to, &whole.title, body(&whole.markdown), made.path()).await?;
    file::put(made, path, force).map(|()| note)
}

fn text_of(whole: &Whole, to: Format) -> String {
    match to {
        Format::Html => html(&whole.title, &whole.markdown),
        Format::Txt => plain(&whole.markdown),
        _ => whole.markdown.clone(),
    }
}

/// The session with that name; where there is none, the collection.
fn what(cx: &Cx, asked: &Export) -> Result<What, CliError> {
    let none = match cx.session(&asked.id) {
        Ok(session) if asked.transcript => return Ok(What::Transcript(session)),
        Ok(session) => return Ok(What::Draft(session)),
        Err(none @ CliError::NoSession(..)) => none,
        Err(other) => return Err(other),
    };
    let drawer = cx.drawer();
    match drawer.named(&asked.id) {
        Err(_) => Err(none),
        Ok(found) if asked.transcript => Err(CliError::refused(
            format!("“{}” is a collection: it has no transcript.", found.title),
            "Name one of its sessions; see them with: fascicle list -c COLLECTION",
        )),
        Ok(found) => Ok(What::Collection(Box::new(found.clone()))),
    }
}

async fn whole(cx: &Cx, what: &What) -> Result<Whole, CliError> {
    match what {
        What::Draft(session) => draft(cx, *session).await,
        What::Transcript(session) => transcript(cx, *session).await,
        What::Collection(found) => collection(cx, found).await,
    }
}

async fn transcript(cx: &Cx, session: SessionId) -> Result<Whole, CliError> {
    let shelf = cx.shelf()?;
    let events = shelf.events(session)?;
    Ok(Whole {
        title: shelf.head(session)?.title().to_owned(),
        markdown: show::page(cx, &shelf, session, &events).await,
        trouble: shelf.trouble(session),
    })
}

async fn draft(cx: &Cx, session: SessionId) -> Result<Whole, CliError> {
    Ok(Whole {
        title: cx.shelf()?.head(session)?.title().to_owned(),
        markdown: text(cx, session).await?,
        trouble: None,
    })
}

async fn text(cx: &Cx, session: SessionId) -> Result<String, CliError> {
    Piece::of(cx, &Spec { session, at: None }).await?.text()
}

/// The drafts of the main lines, in the order of the collection, each below a heading. Empty ones are left out.
async fn collection(cx: &Cx, found: &Collection) -> Result<Whole, CliError> {
    let heads = cx.shelf()?.heads();
    let here = heads
        .iter()
        .filter(|h| h.place.as_ref().is_some_and(|p| p.collection == found.id));
    let entries: Vec<Entry> = here.filter_map(Entry::of).filter(|e| !e.away).collect();
    let order = entries
        .first()
        .map(|own| pieces(own.id, Some(found), &entries))
        .unwrap_or_default();
    let mut parts = Vec::new();
    for piece in order {
        let text = text(cx, piece.id).await?;
        let body = body(&text).trim();
        match (body.is_empty(), has_heading(body)) {
            (true, _) => {}
            (false, true) => parts.push(body.to_owned()),
            (false, false) => parts.push(format!("# {}\n\n{body}", out_of_marks(&piece.title))),
        }
    }
    if parts.is_empty() {
        return Err(CliError::refused(
            format!("Nothing is written in “{}” yet.", found.title),
            "See its sessions with: fascicle list -c COLLECTION",
        ));
    }
    let markdown = joined(&parts) + "\n";
    Ok(Whole {
        title: found.title.clone(),
        markdown,
        trouble: None,
    })
}

/// A title as Markdown that shows it as it is.
fn out_of_marks(title: &str) -> String {
    let mut out = String::new();
    for c in crate::text::one_line(title).chars() {
        if "\\`*_[]<>#&~".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

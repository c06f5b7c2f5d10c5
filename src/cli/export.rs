//! `export`: what was written here, in a format that others read.

mod file;
mod pandoc;

use super::args::{Export, Format};
use super::context::Cx;
use super::error::CliError;
use super::out;
use super::piece::{Piece, Spec};
use super::show;
use crate::config::Collection;
use crate::domain::SessionId;
use crate::memory::brief::{Entry, pieces};
use crate::text::export::{body, has_heading, html, plain};

/// A text and what it is called.
struct Whole {
    title: String,
    markdown: String,
}

/// Makes it, and writes or prints it.
pub(super) async fn run(cx: &Cx, asked: &Export) -> Result<(), CliError> {
    if asked.output.is_none() && !is_text(asked.to) {
        let name = asked.to.name();
        return Err(CliError::refused(
            format!("A {name} file is not text: it is not printed."),
            format!("Name a file with: -o FILE.{name}"),
        ));
    }
    // What would not be written need not be made.
    if let Some(path) = &asked.output {
        file::is_free(path, asked.force)?;
    }
    let whole = whole(cx, asked).await?;
    let text = match asked.to {
        Format::Md => whole.markdown,
        Format::Html => html(&whole.title, &whole.markdown),
        Format::Txt => plain(&whole.markdown),
        Format::Docx | Format::Epub | Format::Pdf => {
            let Some(path) = &asked.output else {
                return Ok(());
            };
            let made = file::beside(path, asked.to.name())?;
            pandoc::make(asked.to, &whole.title, body(&whole.markdown), made.path()).await?;
            return file::put(made, path, asked.force);
        }
    };
    match &asked.output {
        Some(path) => file::write(path, &text, asked.force),
        None => cx.out.exact(&text),
    }
}

fn is_text(format: Format) -> bool {
    matches!(format, Format::Md | Format::Html | Format::Txt)
}

/// Of the session with that name; where there is none, of the collection.
async fn whole(cx: &Cx, asked: &Export) -> Result<Whole, CliError> {
    let none = match cx.session(&asked.id) {
        Ok(session) if asked.transcript => return transcript(cx, session).await,
        Ok(session) => return draft(cx, session).await,
        Err(none @ CliError::NoSession(..)) => none,
        Err(other) => return Err(other),
    };
    let drawer = cx.drawer();
    match drawer.named(&asked.id) {
        Err(_) => Err(none),
        Ok(found) if asked.transcript => Err(CliError::refused(
            format!("{:?} is a collection: it has no transcript.", found.title),
            "Name one of its sessions; see them with: fascicle list -c COLLECTION",
        )),
        Ok(found) => collection(cx, found).await,
    }
}

async fn transcript(cx: &Cx, session: SessionId) -> Result<Whole, CliError> {
    let shelf = cx.shelf()?;
    let events = shelf.events(session)?;
    if let Some(trouble) = shelf.trouble(session) {
        out::say(trouble);
    }
    Ok(Whole {
        title: shelf.head(session)?.title().to_owned(),
        markdown: show::page(cx, &shelf, session, &events).await,
    })
}

async fn draft(cx: &Cx, session: SessionId) -> Result<Whole, CliError> {
    Ok(Whole {
        title: cx.shelf()?.head(session)?.title().to_owned(),
        markdown: text(cx, session).await?,
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
            format!("Nothing is written in {:?} yet.", found.title),
            "See its sessions with: fascicle list -c COLLECTION",
        ));
    }
    let markdown = parts.join("\n\n") + "\n";
    let title = found.title.clone();
    Ok(Whole { title, markdown })
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

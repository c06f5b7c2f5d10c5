//! `memory`: what agents propose for the memory of a collection, and what the writer makes of it.

use super::args::{Memory, MemoryVerb};
use super::connect::Link;
use super::context::{Cx, unexpected};
use super::error::CliError;
use super::{drawer, out};
use crate::domain::drawer::{Kept, MemoryDeed, Offer, Sheet};
use crate::domain::{CollectionId, Reply, Request, SessionId};
use crate::memory::desk::{Around, Desk, is_writers, today};
use crate::text::{clean, counted, one_line};

/// Does what the verb says.
pub(super) async fn run(cx: &Cx, asked: Memory) -> Result<(), CliError> {
    let named = asked.collection.as_deref().map(|word| cx.collection(word));
    let collection = named.transpose()?;
    let (collection, deed) = match asked.verb.unwrap_or(MemoryVerb::List) {
        MemoryVerb::Ask { id } => {
            let session = cx.session(&id)?;
            let head = cx.shelf()?.head(session)?;
            let own = head.place.map(|place| place.collection);
            (own.or(collection), MemoryDeed::Ask { session })
        }
        other => (collection, deed(other)),
    };
    let collection = collection.unwrap_or_else(CollectionId::inbox);
    let shows = deed == MemoryDeed::Show;
    let now = now(&deed);
    let link = if deed.writes() {
        cx.link().await?
    } else {
        // Reading starts no host.
        match Link::running(cx).await {
            Some(link) => link,
            None => return tell(cx, from_disk(cx, &collection, &deed)?, shows, now),
        }
    };
    let reply = link.ask(Request::Memory { collection, deed }).await?;
    tell(cx, reply, shows, now)?;
    link.stay().await
}

/// Prints what was answered.
fn tell(cx: &Cx, reply: Reply, shows: bool, now: String) -> Result<(), CliError> {
    match reply {
        Reply::Memory { sheet } if shows => show(cx, &sheet)?,
        Reply::Memory { sheet } if cx.out.json() => cx.out.value(&sheet)?,
        Reply::Memory { sheet } => out::say(sheet.undone.map_or(now, |undone| one_line(&undone))),
        Reply::Accepted { .. } => cx.out.now(&now)?,
        Reply::Text { text } => cx.out.exact(&text)?,
        other => return Err(unexpected(&other)),
    }
    Ok(())
}

/// What is now by a deed that has no words of its own.
fn now(deed: &MemoryDeed) -> String {
    let lines = |all: &[String]| match all.len() {
        1 => "The line is".to_owned(),
        many => format!("{} are", counted(many as u64, "line")),
    };
    match deed {
        MemoryDeed::Accept { .. } => "It is kept now.".to_owned(),
        MemoryDeed::Refuse { .. } => "It is refused, and not proposed again.".to_owned(),
        MemoryDeed::Fold {
            lines: all,
            archived: true,
        } => format!("{} in the archive now.", lines(all)),
        MemoryDeed::Fold { lines: all, .. } => format!("{} out of the archive now.", lines(all)),
        MemoryDeed::PutBack => "What was missing stands in the memory again.".to_owned(),
        MemoryDeed::LetGo => "What is missing is let go; the memory is meant as it is.".to_owned(),
        MemoryDeed::Restore { file, seq } => format!("{file} is what it was in version {seq}."),
        MemoryDeed::Ask { .. } => drawer::ASKED.to_owned(),
        MemoryDeed::Undo { .. } => "The answer is taken back; the proposal waits again.".to_owned(),
        // These are answered with what they show.
        MemoryDeed::Show | MemoryDeed::Version { .. } => String::new(),
    }
}

/// Answers what only reads from the files and logs as they are.
fn from_disk(cx: &Cx, id: &CollectionId, deed: &MemoryDeed) -> Result<Reply, CliError> {
    let shelf = cx.shelf()?;
    let drawer = cx.drawer();
    let (Some(store), Some(collection)) = (shelf.written(), drawer.get(id)) else {
        let collection = id.clone();
        let sheet = Box::new(Sheet::empty(collection));
        return Ok(Reply::Memory { sheet });
    };
    let own = Desk::of(store, &cx.workspace, collection);
    let writers = Desk::of_writer(store, &cx.workspace);
    if let MemoryDeed::Version { file, seq } = deed {
        let desk = if is_writers(file) { &writers } else { &own };
        let text = desk.version(file, *seq)?;
        return Ok(Reply::Text { text });
    }
    let heads = shelf.heads();
    let title = |session: SessionId| {
        let head = heads.iter().find(|head| head.id == Some(session));
        head.and_then(|head| head.title.clone()).unwrap_or_default()
    };
    let around = Around {
        today: today(),
        title: &title,
    };
    let mut sheet = own.sheet(&own.binder()?, &around);
    sheet.files.extend(writers.rows(&writers.binder()?));
    let sheet = Box::new(sheet);
    Ok(Reply::Memory { sheet })
}

fn deed(verb: MemoryVerb) -> MemoryDeed {
    match verb {
        MemoryVerb::List | MemoryVerb::Ask { .. } => MemoryDeed::Show,
        MemoryVerb::Accept {
            proposal,
            text,
            instead,
        } => MemoryDeed::Accept {
            proposal,
            text,
            instead,
        },
        MemoryVerb::Refuse { proposal } => MemoryDeed::Refuse { proposal },
        MemoryVerb::Undo { proposal } => MemoryDeed::Undo { proposal },
        MemoryVerb::Archive { lines, back } => MemoryDeed::Fold {
            lines,
            archived: !back,
        },
        MemoryVerb::PutBack => MemoryDeed::PutBack,
        MemoryVerb::LetGo => MemoryDeed::LetGo,
        MemoryVerb::Version {
            file,
            version: seq,
            restore: true,
        } => MemoryDeed::Restore { file, seq },
        MemoryVerb::Version {
            file, version: seq, ..
        } => MemoryDeed::Version { file, seq },
    }
}

fn show(cx: &Cx, sheet: &Sheet) -> Result<(), CliError> {
    if cx.out.json() {
        return cx.out.value(sheet);
    }
    if let Some(problem) = &sheet.problem {
        out::say(format!("! {}", one_line(problem)));
    }
    if sheet.lost > 0 {
        let id = &sheet.collection;
        out::say(format!(
            "  `fascicle memory put-back -c {id}` puts back what is missing, `fascicle memory let-go -c {id}` lets it go."
        ));
    }
    for offer in &sheet.offers {
        out::line(&offered(offer))?;
    }
    if sheet.offers.is_empty() {
        out::say("No proposal waits.");
    }
    for kept in &sheet.lines {
        out::line(&line(kept))?;
    }
    Ok(())
}

/// `12  name  Ilse is nine.  (03 Session: It comes back.)`, and below it what it contradicts.
fn offered(offer: &Offer) -> String {
    let says = &offer.proposal.says;
    let mut row = format!(
        "? {}  {}  {}  ({}: {})",
        offer.proposal.seq,
        one_line(says.what.word()),
        one_line(&says.text),
        one_line(&offer.title),
        one_line(&says.reason)
    );
    for line in &offer.against {
        row.push_str("\n    against ");
        row.push_str(&one_line(line));
    }
    row
}

/// A line of the memory with its heading and its age.
fn line(kept: &Kept) -> String {
    let sign = if kept.archived { "x" } else { " " };
    let heading = kept.heading.as_deref().unwrap_or("-");
    let age = match kept.days {
        Some(1) => "  1 day".to_owned(),
        Some(days) => format!("  {days} days"),
        None => String::new(),
    };
    format!(
        "{sign} {}  {}{age}",
        one_line(heading),
        clean(&kept.text).replace('\n', " ")
    )
}

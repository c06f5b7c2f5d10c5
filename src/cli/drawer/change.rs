//! What collections say of themselves and of their pieces, and which one a session lies in.

use jiff::tz::TimeZone;

use super::super::args::{CollectionVerb, Move, Order, ShelfBack, Stage, Target};
use super::super::connect::Link;
use super::super::context::{Cx, unexpected};
use super::super::deeds::taken_back;
use super::super::error::CliError;
use super::super::out;
use super::super::table::when;
use crate::domain::ask::{Busy, Deed, DrawerDeed, Refiled, Which};
use crate::domain::drawer::MemoryDeed;
use crate::domain::{Change, CollectionId, Reply, Request, SessionId, stage};
use crate::memory::brief::{Part, gather};
use crate::text::change::{by_now, once_more};
use crate::text::voice::Voice;

/// What is said where an agent is asked for what is worth keeping.
pub(in super::super) const ASKED: &str =
    "The agent is asked; what it proposes waits in `fascicle memory`.";

/// Does what the verb says.
pub(super) async fn run(cx: &Cx, verb: CollectionVerb) -> Result<(), CliError> {
    let (word, change) = match verb {
        CollectionVerb::Rename { collection, title } => (collection, Change::Title(title)),
        CollectionVerb::Describe { collection, about } => (collection, Change::About(Some(about))),
        CollectionVerb::Web { collection, off } => {
            let allow = if off {
                Vec::new()
            } else {
                vec!["web".to_owned()]
            };
            (collection, Change::Allow(allow))
        }
        CollectionVerb::Archive { collection } => (collection, Change::Archived(true)),
        CollectionVerb::Restore { collection } => (collection, Change::Archived(false)),
        CollectionVerb::Target(target) => self::target(cx, target)?,
        CollectionVerb::Order(order) => self::order(cx, order)?,
        _ => return Err(CliError::Bug("a verb has no change".to_owned())),
    };
    let collection = cx.collection(&word)?;
    let now = by_now(&change);
    let id = collection.clone();
    let deed = DrawerDeed::Change { collection, change };
    tell(cx, &id, Request::Drawer { deed }, &now).await
}

/// Asks for a change of a collection, and says what that is by it.
async fn tell(cx: &Cx, id: &CollectionId, request: Request, now: &str) -> Result<(), CliError> {
    let link = cx.link().await?;
    // As it is called before: the change may be of that.
    let title = cx.title_of(id);
    let then = match link.ask(request).await? {
        Reply::Filed { collection, .. } => {
            format!(" `fascicle collection undo {collection}` takes that back.")
        }
        // It was so already.
        Reply::Done => String::new(),
        other => return Err(unexpected(&other)),
    };
    cx.out.now(&format!("“{title}”: {now}.{then}"))?;
    link.stay().await
}

fn target(cx: &Cx, asked: Target) -> Result<(String, Change), CliError> {
    let words = Some(asked.words).filter(|n| *n > 0);
    let change = match &asked.piece {
        Some(piece) => Change::PieceTarget(cx.session(piece)?, words),
        None if asked.day => Change::Day(words),
        None => Change::Target(words),
    };
    Ok((asked.collection, change))
}

fn order(cx: &Cx, asked: Order) -> Result<(String, Change), CliError> {
    let change = match asked.at.as_deref() {
        Some("-") => Change::Order(None),
        Some(at) => {
            let at = at.parse().map_err(|_| {
                CliError::Usage(format!(
                    "A place in the drawer is a whole number, not {at:?}."
                ))
            })?;
            Change::Order(Some(at))
        }
        None => {
            let pieces = asked.pieces.iter().map(|word| cx.session(word));
            Change::Pieces(pieces.collect::<Result<_, _>>()?)
        }
    };
    Ok((asked.collection, change))
}

/// Undoes the newest change, or makes again what was undone last; says what that is.
pub(super) async fn go_back(cx: &Cx, asked: &ShelfBack, again: bool) -> Result<(), CliError> {
    let collection = cx.collection(&asked.collection)?;
    let which = Which {
        only: asked.deed,
        asks: asked.deed.is_none(),
        names: false,
    };
    let deed = if again {
        DrawerDeed::Redo { collection, which }
    } else {
        DrawerDeed::Undo { collection, which }
    };
    let link = cx.link().await?;
    match link.ask(Request::Drawer { deed }).await? {
        Reply::Refiled(refiled) if refiled.asked => return Err(ask_first(asked, &refiled)),
        Reply::Refiled(refiled) => {
            went_back(cx, &refiled)?;
        }
        other => return Err(unexpected(&other)),
    }
    link.stay().await
}

/// Says what was undone, or made again; to scripts as `undo` says it of a session.
fn went_back(cx: &Cx, refiled: &Refiled) -> Result<(), CliError> {
    let (id, again) = (&refiled.collection, refiled.again);
    if cx.out.json() {
        let to = serde_json::json!(refiled.to);
        let what = to.as_object().and_then(|to| to.keys().next());
        return cx.out.value(&serde_json::json!({
            "collection": id, "deed": refiled.deed, "what": what, "at": refiled.at, "again": again,
        }));
    }
    let back = if again { "undo" } else { "redo" };
    let (title, then) = (cx.title_of(id), once_more(&refiled.to, again));
    cx.out.now(&format!(
        "“{title}”: {then}. `fascicle collection {back} {id}` takes that back."
    ))
}

/// What is of an earlier sitting, or lets agents do more, is named before it is touched.
fn ask_first(asked: &ShelfBack, refiled: &Refiled) -> CliError {
    let at = when(refiled.at, &TimeZone::system());
    let (verb, done) = if refiled.again {
        ("redo", "undone")
    } else {
        ("undo", "done")
    };
    let (then, deed) = (once_more(&refiled.to, refiled.again), refiled.deed);
    CliError::refused(
        format!(
            "What was {done} last there was {done} on {at}: nothing was changed. With `{verb}`: {then}."
        ),
        format!(
            "`fascicle collection {verb} {:?} --deed {deed}` does it.",
            asked.collection
        ),
    )
}

/// Says where a piece stands.
pub(in super::super) async fn stage(cx: &Cx, asked: &Stage) -> Result<(), CliError> {
    let stage = match asked.stage.as_str() {
        "-" => None,
        word => Some(stage::Stage::of(word).ok_or_else(|| {
            let all: Vec<&str> = stage::Stage::ALL.iter().map(|s| s.word()).collect();
            CliError::Usage(format!(
                "There is no stage {word:?}. There are: {}, and - for none.",
                all.join(", ")
            ))
        })?),
    };
    let done = stage == Some(stage::Stage::Done);
    if asked.ask && !done {
        let why = "--ask goes with the stage done: a piece that is not has nothing to ask for.";
        return Err(CliError::Usage(why.to_owned()));
    }
    let session = cx.session(&asked.id)?;
    let deed = Deed::Stage { stage };
    let link = cx.link().await?;
    match link.ask(Request::Do { session, deed }).await? {
        Reply::Done => {}
        other => return Err(unexpected(&other)),
    }
    let head = cx.shelf()?.head(session)?;
    let title = head.whole_title().into_owned();
    let now = match stage {
        Some(stage) => format!("“{title}” is {} now.", stage.word()),
        None => format!("“{title}” has no stage now."),
    };
    cx.out.now(&format!("{now}{}", taken_back(session)))?;
    if done {
        check(cx, &link, session).await?;
    }
    if asked.ask {
        let collection = head
            .place
            .map_or_else(CollectionId::inbox, |p| p.collection);
        let deed = MemoryDeed::Ask { session };
        match link.ask(Request::Memory { collection, deed }).await? {
            Reply::Accepted { .. } => out::say(ASKED),
            other => return Err(unexpected(&other)),
        }
    }
    link.stay().await
}

/// Says what a draft has of the words that the writer's voice never writes.
pub(in super::super) async fn check(
    cx: &Cx,
    link: &Link,
    session: SessionId,
) -> Result<(), CliError> {
    let gathered = gather(cx.workspace.root(), None);
    let voice = Voice::read(gathered.text(Part::Voice));
    if voice.is_empty() {
        return Ok(());
    }
    let request = Request::Draft { session, at: None };
    // One that cannot be read as text has no words to look for.
    if let Ok(Reply::Draft { text, .. }) = link.ask(request).await
        && let Some(told) = voice.told(&text)
    {
        out::say(format!("The draft has {told}."));
    }
    Ok(())
}

/// Moves a session to another collection.
pub(in super::super) async fn move_to(cx: &Cx, asked: &Move) -> Result<(), CliError> {
    let session = cx.session(&asked.id)?;
    let to = cx.collection(&asked.collection)?;
    let busy = match (asked.wait, asked.stop) {
        (true, _) => Busy::Wait,
        (_, true) => Busy::Stop,
        _ => Busy::Ask,
    };
    let deed = DrawerDeed::Move {
        session,
        to,
        alone: asked.alone,
        busy,
    };
    let link = cx.link().await?;
    match link.ask(Request::Drawer { deed }).await? {
        Reply::Done => {
            let head = cx.shelf()?.head(session)?;
            let folder = head.place.as_ref().map_or("", |p| p.folder.as_str());
            let title = head.whole_title();
            let back = taken_back(session);
            cx.out
                .now(&format!("“{title}” lies in {folder} now.{back}"))?;
        }
        Reply::Busy { .. } => {
            return Err(CliError::refused(
                "A turn runs there; nothing was moved.",
                "--wait waits for its end, --stop stops it.",
            ));
        }
        other => return Err(unexpected(&other)),
    }
    link.stay().await
}

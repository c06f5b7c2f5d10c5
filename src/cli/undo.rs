//! `undo` and `redo`: one deed back, or forth again, and what that was.

use jiff::tz::TimeZone;
use serde::Serialize;

use super::args::Back;
use super::context::{Cx, unexpected};
use super::error::CliError;
use super::table::{columns, when};
use super::{find, out};
use crate::domain::ask::{self, Undone, Which};
use crate::domain::head::{Deed, Was};
use crate::domain::{Head, Reply, Request, Seq, SessionId};
use crate::text::counted;

/// A deed that was undone, or done again, for scripts.
#[derive(Serialize)]
struct Done {
    id: SessionId,
    /// The deed's event.
    deed: Seq,
    what: &'static str,
    /// When it was done, or undone: milliseconds since 1970.
    at: i64,
    /// Whether it was done again.
    again: bool,
    /// What of it did not come back.
    #[serde(skip_serializing_if = "Option::is_none")]
    said: Option<String>,
}

/// One that can be undone, or done again, for scripts.
#[derive(Serialize)]
struct Can {
    id: SessionId,
    deed: Seq,
    what: &'static str,
    at: i64,
    /// Whether it was undone, and can be done again.
    undone: bool,
}

/// Undoes the newest deed, or does again what was undone last; says what that was.
pub(super) async fn run(cx: &Cx, asked: &Back, again: bool) -> Result<(), CliError> {
    let (heads, named) = (cx.shelf()?.heads(), cx.session(&asked.id)?);
    let family = find::family(&heads, &asked.id, named);
    if asked.list {
        return list(cx, named, &family);
    }
    let session = match asked.deed {
        Some(_) => named,
        None => newest(&family, again).unwrap_or(named),
    };
    let place = Place {
        id: session,
        short: find::short(&heads, session),
        title: (family.len() > 1).then(|| title(cx, session)),
    };
    let which = Which {
        only: asked.deed,
        asks: asked.deed.is_none(),
        names: false,
    };
    let deed = if again {
        ask::Deed::Redo(which)
    } else {
        ask::Deed::Undo(which)
    };
    let link = cx.link().await?;
    match link.ask(Request::Do { session, deed }).await? {
        // It lay in the trash.
        Reply::Done => from_trash(cx, session)?,
        Reply::Undone(undone) if undone.asked => return Err(older(cx, &place, &undone)),
        Reply::Undone(undone) => told(cx, &place, &undone)?,
        other => return Err(unexpected(&other)),
    }
    link.stay().await
}

/// Where something is undone.
struct Place {
    id: SessionId,
    /// How it is named in a hint: the same whatever it is called by then.
    short: String,
    /// Its title, where the word meant all of a family.
    title: Option<String>,
}

impl Place {
    /// What is said, with whose it is.
    fn says(&self, said: &str) -> String {
        match &self.title {
            Some(title) => format!("In “{title}”: {said}"),
            None => said.to_owned(),
        }
    }
}

/// The session of a family in which something was done, or undone, last: the main line's own title means all of it, and a
/// deed on the piece may be in the log of any.
fn newest(family: &[&Head], again: bool) -> Option<SessionId> {
    let last = |head: &&&Head| {
        let deeds = if again { &head.undone } else { &head.deeds };
        deeds.last().map(|deed| deed.at)
    };
    // Of several of one moment the main line's, which is the first.
    let found = family.iter().rev().max_by_key(last);
    found.filter(|head| last(head).is_some())?.id
}

/// One of an earlier sitting is named before it is touched.
fn older(cx: &Cx, place: &Place, undone: &Undone) -> CliError {
    let Deed { seq, at, was, .. } = &undone.deed;
    let at = when(*at, &TimeZone::system());
    let (verb, done) = if undone.again {
        ("redo", "undone")
    } else {
        ("undo", "done")
    };
    let said = place.says(&brought_back(cx, was, undone.again).1);
    CliError::refused(
        format!(
            "What was {done} last there was {done} on {at}, which is a while ago: nothing was changed. With `{verb}`: {said}"
        ),
        format!("`fascicle {verb} {} --deed {seq}` does it.", place.short),
    )
}

fn told(cx: &Cx, place: &Place, undone: &Undone) -> Result<(), CliError> {
    let Undone {
        deed, again, said, ..
    } = undone;
    let lacks = said;
    let (what, mut said) = brought_back(cx, &deed.was, *again);
    if undone.leaves_stage() {
        "Its stage stays as it is.".clone_into(&mut said);
    }
    if cx.out.json() {
        return cx.out.value(&Done {
            id: place.id,
            deed: deed.seq,
            what,
            at: deed.at,
            again: *again,
            said: lacks.clone(),
        });
    }
    let back = if *again { "undo" } else { "redo" };
    let (said, short) = (place.says(&said), &place.short);
    let lacks = lacks
        .iter()
        .map(|said| format!(" {said}"))
        .collect::<String>();
    out::say(format!(
        "{said}{lacks} `fascicle {back} {short}` takes that back."
    ));
    Ok(())
}

fn from_trash(cx: &Cx, id: SessionId) -> Result<(), CliError> {
    let head = cx.shelf()?.head(id)?;
    if cx.out.json() {
        return cx
            .out
            .value(&serde_json::json!({"id": id, "deed": null, "what": "trashed", "at": null, "again": false}));
    }
    out::say(format!("“{}” is back from the trash.", head.whole_title()));
    Ok(())
}

/// Lists what can be undone, and what can be done again: of a session, or of each in a family.
fn list(cx: &Cx, named: SessionId, family: &[&Head]) -> Result<(), CliError> {
    let own = cx.shelf()?.head(named)?;
    let heads = if family.is_empty() {
        vec![&own]
    } else {
        family.to_vec()
    };
    let of = |head: &&'_ Head| -> Vec<(SessionId, Deed, bool)> {
        let id = head.id.unwrap_or(named);
        let undone = head.undone.iter().map(|deed| (id, deed.clone(), true));
        let deeds = head
            .deeds
            .iter()
            .rev()
            .map(|deed| (id, deed.clone(), false));
        undone.chain(deeds).collect()
    };
    let mut all: Vec<(SessionId, Deed, bool)> = heads.iter().flat_map(of).collect();
    // Of each they are in this order; of several of a family they are told in one.
    all.sort_by_key(|(_, deed, _)| std::cmp::Reverse(deed.at));
    if cx.out.json() {
        let can = |(id, deed, undone): &(SessionId, Deed, bool)| Can {
            id: *id,
            deed: deed.seq,
            what: brought_back(cx, &deed.was, *undone).0,
            at: deed.at,
            undone: *undone,
        };
        return cx.out.value(&all.iter().map(can).collect::<Vec<_>>());
    }
    if all.is_empty() {
        out::say("There is nothing to undo there.");
    }
    let zone = TimeZone::system();
    let cells = |(id, deed, undone): &(SessionId, Deed, bool)| {
        let verb = if *undone { "redo" } else { "undo" };
        let whose = (heads.len() > 1).then(|| title(cx, *id));
        let what = brought_back(cx, &deed.was, *undone).1;
        let cells = [deed.seq.to_string(), when(deed.at, &zone), verb.to_owned()];
        cells.into_iter().chain(whose).chain([what]).collect()
    };
    out::page(&columns(&all.iter().map(cells).collect::<Vec<_>>()))
}

/// What an undo or a redo brings back: a word for scripts that names the deed, a line for people.
fn brought_back(cx: &Cx, was: &Was, again: bool) -> (&'static str, String) {
    match was {
        Was::Title(Some(title)) => ("renamed", format!("Its title is “{title}” again.")),
        Was::Title(None) => (
            "renamed",
            "It has no title of its own again: its first prompt is.".to_owned(),
        ),
        Was::Tags(tags) if tags.is_empty() => ("tagged", "It has no tags again.".to_owned()),
        Was::Tags(tags) => (
            "tagged",
            format!("Its tags are #{} again.", tags.join(" #")),
        ),
        Was::Stage(Some(stage)) => ("staged", format!("Its stage is {} again.", stage.word())),
        Was::Stage(None) => ("staged", "It has no stage again.".to_owned()),
        Was::Chosen(Some(was)) => ("agent", format!("Its agent is {} again.", was.agent)),
        Was::Chosen(None) => (
            "agent",
            "Its agent is that of its collection, or the default one, again.".to_owned(),
        ),
        Was::Shelf { archived, .. } => shelved(*archived, again),
        Was::Draft(Some(was)) => (
            "draft",
            format!(
                "The draft is as it was in version {}, {}. What it held until now is kept as a version.",
                was.seq,
                counted(was.words, "word")
            ),
        ),
        Was::Draft(None) => (
            "draft",
            "The draft is empty again. What it held is kept as a version.".to_owned(),
        ),
        Was::Proposed(was) if again => (
            "decided",
            format!("What {} proposed is decided on again.", was.agent),
        ),
        Was::Proposed(was) => (
            "decided",
            format!("What {} proposed waits for your word again.", was.agent),
        ),
        Was::Named { version, name } => ("named", named(*version, name.as_deref())),
        Was::Place(was) => ("moved", format!("It is in “{}” again.", cx.title_of(was))),
        Was::Main(_) if again => ("adopted", "It is the main line again.".to_owned()),
        Was::Main(was) => (
            "adopted",
            format!("“{}” is the main line again.", title(cx, *was)),
        ),
    }
}

fn named(version: Seq, name: Option<&str>) -> String {
    match name {
        Some(name) => format!("Version {version} is called “{name}” again."),
        None => format!("Version {version} has no name again."),
    }
}

fn shelved(archived: bool, again: bool) -> (&'static str, String) {
    let what = if archived == again {
        "shelved"
    } else {
        "restored"
    };
    let where_to = if archived { "archive" } else { "list" };
    (what, format!("It is back in the {where_to}."))
}

fn title(cx: &Cx, id: SessionId) -> String {
    let head = cx.shelf().and_then(|shelf| shelf.head(id));
    head.map_or_else(|_| id.to_string(), |h| h.whole_title().into_owned())
}

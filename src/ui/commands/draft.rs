//! The draft, as far as the window touches it.

use super::{Command, Place};
use crate::domain::ask::Request;
use crate::ui::app::App;
use crate::ui::asks::Purpose;
use crate::ui::input::Effect;
use crate::ui::layers::reply::ReplyToDraft;

pub(super) const ROWS: &[Command] = &[
    Command::new(
        "draft.put_reply",
        "This reply into the draft",
        "Puts the reply into the draft: in its place, behind it, or before it.",
        put_reply,
    )
    .writes()
    .keys(&[(Place::Transcript, "w")])
    .unless(no_reply),
    Command::new(
        "draft.edit",
        "Edit the draft in $EDITOR",
        "Opens the draft in your editor; what you save becomes a version.",
        edit,
    )
    .keys(&[(Place::Transcript, "e"), (Place::List, "e")])
    .unless(no_session),
];

fn no_reply(app: &App) -> Option<&'static str> {
    let here = app.desk().transcript.selected_message();
    match here {
        Some(message) if message.is_reply => None,
        Some(_) => Some("This is your own prompt; J goes on to the reply."),
        None => Some("There is no reply here yet."),
    }
}

fn no_session(app: &App) -> Option<&'static str> {
    app.at_hand().is_none().then_some("No session is at hand.")
}

fn put_reply(app: &mut App) -> Vec<Effect> {
    if let Some((session, seq)) = app.reply_at_hand() {
        app.push(ReplyToDraft::new(session, seq));
    }
    Vec::new()
}

fn edit(app: &mut App) -> Vec<Effect> {
    let Some(session) = app.at_hand() else {
        return Vec::new();
    };
    let request = Request::Draft { session, at: None };
    vec![app.ask(request, Purpose::Edit(session))]
}

//! Answers to what an agent asks.

use super::{Command, Place};
use crate::domain::event::Answer;
use crate::ui::app::App;
use crate::ui::input::Effect;

pub(super) const ROWS: &[Command] = &[
    Command::new(
        "question.once",
        "Yes, once",
        "Lets the agent do it this time.",
        once,
    )
    .writes()
    .keys(&[(Place::Question, "1")])
    .unless(none),
    Command::new(
        "question.session",
        "Yes, for this session",
        "Lets the agent do it until this session's agent is started anew.",
        session,
    )
    .writes()
    .keys(&[(Place::Question, "2")])
    .unless(none),
    Command::new("question.no", "No", "Refuses; the agent is told.", no)
        .writes()
        .keys(&[(Place::Question, "3")])
        .unless(none),
    Command::new(
        "question.view",
        "See the whole question",
        "Shows everything the agent wants to do.",
        App::view_question,
    )
    .keys(&[(Place::Question, "v")])
    .unless(none),
];

fn none(app: &App) -> Option<&'static str> {
    app.question().is_none().then_some("Nothing is asked here.")
}

fn once(app: &mut App) -> Vec<Effect> {
    app.answer(Answer::Once)
}

fn session(app: &mut App) -> Vec<Effect> {
    app.answer(Answer::Session)
}

fn no(app: &mut App) -> Vec<Effect> {
    app.answer(Answer::Deny)
}

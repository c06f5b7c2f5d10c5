//! A change of a collection, as a writer is told of it: made, taken back or made again.

use super::{counted, one_line};
use crate::domain::Change;

/// How a collection is once more, as part of a sentence: by what was taken back, or done `again`.
pub fn once_more(change: &Change, again: bool) -> String {
    match change {
        Change::Order(Some(n)) if again => format!("its place in the drawer is {n} again"),
        Change::Order(None) if again => "it stands in the drawer by its title again".to_owned(),
        Change::Pieces(_) | Change::Listed(..) if again => {
            "its pieces stand in the order you gave again".to_owned()
        }
        Change::Line(..) if again => "the line of a piece is the other one again".to_owned(),
        Change::Order(_) => "it stands in the drawer where it stood".to_owned(),
        Change::Pieces(_) | Change::Listed(..) => {
            "its pieces stand in the order they had".to_owned()
        }
        Change::Line(..) => "the line of a piece is what it was".to_owned(),
        Change::In(..) | Change::Out(_) => "its pieces are what they were".to_owned(),
        other => how(other, "again"),
    }
}

/// How a collection is by a change that was just made, as part of a sentence.
pub fn by_now(change: &Change) -> String {
    match change {
        Change::Order(Some(n)) => format!("its place in the drawer is {n} now"),
        Change::Order(None) => "it stands in the drawer by its title now".to_owned(),
        Change::Pieces(_) | Change::Listed(..) => {
            "its pieces stand in the order you gave".to_owned()
        }
        Change::Line(..) => "the line of a piece is another one now".to_owned(),
        Change::In(..) | Change::Out(_) => "its pieces are others now".to_owned(),
        other => how(other, "now"),
    }
}

fn how(change: &Change, now: &str) -> String {
    let words = |n: &u64| counted(*n, "word");
    match change {
        Change::Title(title) => format!("its title is “{}” {now}", one_line(title)),
        Change::About(Some(about)) => format!("it says of itself “{}” {now}", one_line(about)),
        Change::About(None) => format!("it has no description {now}"),
        Change::Target(Some(n)) => format!("its target is {} {now}", words(n)),
        Change::Target(None) => format!("it has no target {now}"),
        Change::Day(Some(n)) => format!("{} a day are its target {now}", words(n)),
        Change::Day(None) => format!("it has no target for a day {now}"),
        Change::Archived(true) => format!("it is in the archive {now}"),
        Change::Archived(false) => format!("it is in the drawer {now}"),
        Change::Allow(what) if what.is_empty() => format!("its agents have the drafts alone {now}"),
        Change::Allow(_) => format!("its agents may use the web {now}, and ask each time"),
        Change::Agent(Some(agent), _) => format!("{} writes in it {now}", one_line(agent)),
        Change::Agent(None, _) => format!("it has no agent of its own {now}"),
        Change::Stage(_, Some(stage)) => format!("a piece of it is {} {now}", stage.word()),
        Change::Stage(..) => format!("a piece of it has no stage {now}"),
        Change::PieceTarget(_, Some(n)) => format!("the target of a piece is {} {now}", words(n)),
        Change::PieceTarget(..) => format!("a piece of it has no target {now}"),
        // These have words of their own.
        Change::Order(_)
        | Change::Pieces(_)
        | Change::Listed(..)
        | Change::Line(..)
        | Change::In(..)
        | Change::Out(_) => format!("it is another one {now}"),
    }
}

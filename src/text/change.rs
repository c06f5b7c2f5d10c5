//! A change of a collection that was taken back or made again, as a writer is told of it.

use super::{counted, one_line};
use crate::domain::Change;

/// How a collection is once more, as part of a sentence.
pub fn once_more(change: &Change) -> String {
    let words = |n: &u64| counted(*n, "word");
    match change {
        Change::Title(title) => format!("its title is “{}” again", one_line(title)),
        Change::About(Some(about)) => format!("it says of itself “{}” again", one_line(about)),
        Change::About(None) => "it has no description again".to_owned(),
        Change::Target(Some(n)) => format!("its target is {} again", words(n)),
        Change::Target(None) => "it has no target again".to_owned(),
        Change::Day(Some(n)) => format!("{} a day are its target again", words(n)),
        Change::Day(None) => "it has no target for a day again".to_owned(),
        Change::Order(_) => "it stands in the drawer where it stood".to_owned(),
        Change::Archived(true) => "it is in the archive again".to_owned(),
        Change::Archived(false) => "it is in the drawer again".to_owned(),
        Change::Allow(what) if what.is_empty() => {
            "its agents have the drafts alone again".to_owned()
        }
        Change::Allow(_) => "its agents may use the web again, and ask each time".to_owned(),
        Change::Agent(Some(agent), _) => format!("{} writes in it again", one_line(agent)),
        Change::Agent(None, _) => "it has no agent of its own again".to_owned(),
        Change::Pieces(_) | Change::Listed(..) => {
            "its pieces stand in the order they had".to_owned()
        }
        Change::Stage(_, Some(stage)) => format!("a piece of it is {} again", stage.word()),
        Change::Stage(..) => "a piece of it has no stage again".to_owned(),
        Change::PieceTarget(_, Some(n)) => {
            format!("the target of a piece is {} again", words(n))
        }
        Change::PieceTarget(..) => "a piece of it has no target again".to_owned(),
        Change::Line(..) => "the line of a piece is what it was".to_owned(),
        Change::In(..) | Change::Out(_) => "its pieces are what they were".to_owned(),
    }
}

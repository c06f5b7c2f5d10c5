//! Who is adopted in whose place, by what the logs of a family say.

use super::NOTHING;
use crate::domain::ask::Reply;
use crate::domain::head::{Deed, Was};
use crate::domain::kin::{Exchange, Member, WAITS, main_line, rival};
use crate::domain::{Seq, SessionId};
use crate::log::Listed;

/// An adoption to be.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Plan {
    /// The session the family began with.
    pub(super) family: SessionId,
    /// The main line to be.
    pub(super) main: Who,
    /// The main line until now.
    pub(super) was: Who,
    /// Its number.
    pub(super) n: u32,
    /// The adoption that it takes back, in the log of the one that was.
    pub(super) undoes: Option<Seq>,
    /// Whether no folder gets another name: none did with the adoption that it takes back.
    pub(super) nameless: bool,
    /// Whether the main line to be led only for one in the trash before that adoption: it does so again, and is not adopted.
    pub(super) stands_in: bool,
}

/// One of the two.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Who {
    /// The session.
    pub(super) id: SessionId,
    /// Its title.
    pub(super) title: String,
    /// Whether it can be written.
    pub(super) at: Where,
    /// Its folder, as its log has it.
    pub(super) folder: Option<String>,
}

/// Where a session's log is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Where {
    /// Among the others.
    Here,
    /// In the trash.
    Trash,
    /// Nowhere.
    Gone,
}

impl Who {
    /// A session as it is listed.
    pub(super) fn of(listed: &[Listed], id: SessionId) -> Self {
        let found = listed.iter().find(|l| l.id == id);
        Self {
            id,
            title: found.map_or_else(|| id.to_string(), |l| l.head.title().to_owned()),
            at: match found {
                Some(l) if l.in_trash => Where::Trash,
                Some(_) => Where::Here,
                None => Where::Gone,
            },
            folder: found.and_then(|l| Some(l.head.place.as_ref()?.folder.clone())),
        }
    }
}

impl Plan {
    /// What is said while it waits for turns.
    pub(super) fn waits(&self, sessions: &[SessionId]) -> String {
        let whose = match sessions {
            [one] if *one == self.main.id => "its turn ends".to_owned(),
            [_] => format!("the turn of “{}” ends", self.was.title),
            _ => format!("its turn and that of “{}” have ended", self.was.title),
        };
        format!(
            "{WAITS}{whose}. You can close the window; adopt it again to call it off. Ending the host calls it off too."
        )
    }
}

/// How `session` is adopted; the refusal when it cannot be.
pub(super) fn plan(listed: &[Listed], session: SessionId) -> Result<Plan, Reply> {
    let members = members(listed, session)?;
    let main = Who::of(listed, session);
    if main.at == Where::Trash {
        let why = format!("“{}” is in the trash.", main.title);
        return Err(Reply::refused(why, "`fascicle restore` brings it back."));
    }
    let Some(was) = rival(members.iter().map(|l| member(l)), session) else {
        let alone = members.len() == 1 && !members.iter().any(|l| l.head.kin.is_variant());
        return Err(if alone {
            let why = format!(
                "“{}” has no variants: there is nothing to adopt.",
                main.title
            );
            Reply::refused(why, "Fork it to try one.")
        } else {
            let why = format!("“{}” is the main line already.", main.title);
            Reply::refused(why, NOTHING)
        });
    };
    Ok(Plan {
        family: family(&members, session),
        main,
        was: Who::of(listed, was),
        n: next(&members),
        undoes: None,
        nameless: false,
        stands_in: false,
    })
}

/// How the adoption of `winner` is undone. None when `was` is the main line again: only its line in the winner's log
/// is missing.
pub(super) fn back(
    listed: &[Listed],
    winner: SessionId,
    deed: Seq,
    was: SessionId,
) -> Result<Option<Plan>, Reply> {
    let members = members(listed, winner)?;
    let now = main_line(members.iter().map(|l| member(l)));
    let main = Who::of(listed, was);
    if now == Some(was) {
        if !again(&members, winner, deed, was) {
            return Ok(None);
        }
        let why = format!(
            "“{}” is the main line already: it was adopted itself since.",
            main.title
        );
        return Err(Reply::refused(why, first(&main.title)));
    }
    let (why, hint) = match (main.at, now) {
        (Where::Gone, _) => (
            "The log of the former main line is not there any more.".to_owned(),
            "Adopt another one of the family in its place.".to_owned(),
        ),
        (Where::Trash, _) => (
            format!("“{}”, the main line before, is in the trash.", main.title),
            "Restore it first: `fascicle restore` brings it back.".to_owned(),
        ),
        (Where::Here, Some(other)) if other != winner => {
            let title = Who::of(listed, other).title;
            let hint = first(&title);
            (format!("“{title}” has become the main line since."), hint)
        }
        (Where::Here, _) => {
            return Ok(Some(Plan {
                family: family(&members, winner),
                main,
                was: Who::of(listed, winner),
                n: next(&members),
                undoes: Some(deed),
                nameless: is_nameless(&members, winner, deed),
                stands_in: stood_in(&members, winner, deed, was),
            }));
        }
    };
    Err(Reply::refused(why, hint))
}

/// Which adoption is to be undone before an older one.
fn first(title: &str) -> String {
    format!("Undo that first, on “{title}”.")
}

/// Whether `was` became the main line again by an adoption of its own, and not by the undo of the `winner`'s.
fn again(members: &[&Listed], winner: SessionId, deed: Seq, was: SessionId) -> bool {
    let of = |id: SessionId| members.iter().find(|l| l.id == id).map(|l| &l.head);
    let (Some(winner), Some(was)) = (of(winner), of(was)) else {
        return false;
    };
    let taken_back = was.kin.exchange.as_ref().and_then(|e| e.undoes);
    let Some(then) = winner.deeds.iter().find(|d| d.seq == deed) else {
        return false;
    };
    let is_later = |d: &Deed| matches!(d.was, Was::Main(_)) && d.at >= then.at;
    taken_back != Some(deed) && was.deeds.iter().any(is_later)
}

/// Whether `was` led without the `winner`'s adoption only because another one is in the trash.
fn stood_in(members: &[&Listed], winner: SessionId, deed: Seq, was: SessionId) -> bool {
    let kin = |l: &&Listed| {
        let mut kin = l.head.kin.clone();
        if l.id == winner {
            kin.withdraw(deed);
        }
        (l.id, kin, l.in_trash)
    };
    let kins: Vec<_> = members.iter().map(kin).collect();
    let leads = |heeded: bool| {
        main_line(kins.iter().map(|(id, kin, in_trash)| Member {
            id: *id,
            kin,
            trashed: heeded && *in_trash,
        }))
    };
    leads(true) == Some(was) && leads(false) != Some(was)
}

/// Those of a session's family in which an adoption has begun and is not over.
pub(super) fn begun(listed: &[Listed], session: SessionId) -> Vec<SessionId> {
    let members = members(listed, session).unwrap_or_default().into_iter();
    let open = members.filter(|l| !l.in_trash && l.head.kin.exchange.is_some());
    open.map(|l| l.id).collect()
}

/// What an adoption has left to do.
pub(super) fn exchange(listed: &[Listed], main: SessionId) -> Option<Exchange> {
    let found = listed.iter().find(|l| l.id == main && !l.in_trash)?;
    found.head.kin.exchange.clone()
}

/// The main line of a session's family, if that is another one: what its own adoption has left undone is void then.
pub(super) fn overtaken(listed: &[Listed], session: SessionId) -> Option<Who> {
    let members = members(listed, session).ok()?;
    let now = main_line(members.iter().map(|l| member(l)))?;
    (now != session).then(|| Who::of(listed, now))
}

/// Whether the folders kept their names with an adoption.
fn is_nameless(members: &[&Listed], winner: SessionId, deed: Seq) -> bool {
    let mut of = members.iter().filter(|l| l.id == winner);
    of.any(|l| l.head.kin.nameless.contains(&deed))
}

fn members(listed: &[Listed], session: SessionId) -> Result<Vec<&Listed>, Reply> {
    let Some(own) = listed.iter().find(|l| l.id == session) else {
        let why = format!("There is no session {session}.");
        return Err(Reply::Refused { why, hint: None });
    };
    let family = own.head.kin.family_of(session);
    let of = |l: &&Listed| l.head.kin.family_of(l.id) == family;
    Ok(listed.iter().filter(of).collect())
}

fn family(members: &[&Listed], session: SessionId) -> SessionId {
    let kin = members
        .iter()
        .find(|l| l.id == session)
        .map(|l| &l.head.kin);
    kin.map_or(session, |kin| kin.family_of(session))
}

fn member(listed: &Listed) -> Member<'_> {
    Member {
        id: listed.id,
        kin: &listed.head.kin,
        trashed: listed.in_trash,
    }
}

fn next(members: &[&Listed]) -> u32 {
    let highest = members.iter().filter_map(|l| l.head.kin.adopted).max();
    highest.unwrap_or(0).saturating_add(1)
}

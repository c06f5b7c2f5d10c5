//! What a session is to its family: the session it was forked from, and which of all is the main line.

use serde::{Deserialize, Serialize};

use super::event::{Adopted, Event, Forked, Kind, Origin, Seq, TurnNo};
use super::id::SessionId;

/// What the session a family began with is called beside its main line.
pub const FIRST: &str = "original";
/// What a variant without a name is called.
pub const NAMELESS: &str = "variant";
/// How the note begins that says that an adoption waits for turns to end.
pub const WAITS: &str = "This becomes the main line when ";
/// How the one begins that says that the folder of a new main line keeps its name.
pub const KEPT: &str = "This is the main line, and its folder keeps its name: ";
/// How the one begins that says that nothing came of it.
pub const NOT: &str = "This did not become the main line: ";

/// A session's place in its family. A family is all sessions whose logs begin with the same first event.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Kin {
    /// The session the family began with: itself for one that is no variant.
    #[serde(default)]
    pub family: Option<SessionId>,
    /// The session it was forked from, and its newest event that both have; none for one that is no variant.
    #[serde(default)]
    pub parent: Option<Origin>,
    /// The newest turn that both have; none where it was forked before the first.
    #[serde(default)]
    pub turn: Option<TurnNo>,
    /// Title of the piece when it was forked; its own title names the variant.
    #[serde(default)]
    pub piece: Option<String>,
    /// Number of its newest adoption; the highest of a family tells the main line.
    #[serde(default)]
    pub adopted: Option<u32>,
    /// Its adoptions that were not undone, oldest first: the event and the number of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub standing: Vec<(Seq, u32)>,
    /// The event of that adoption.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deed: Option<Seq>,
    /// What its newest adoption has still to do: it is over when this session's log says where its folder is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange: Option<Exchange>,
    /// The folder that it had before it became the main line, or has as a variant; none for one that was never either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<String>,
    /// Its adoptions with which no folder got another name: their undo changes none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nameless: Vec<Seq>,
    /// Since when its adoption waits for turns to end, milliseconds since 1970, as far as its log tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits: Option<i64>,
}

/// An adoption whose folders have not exchanged their names yet, as far as the log tells.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Exchange {
    /// The former main line.
    pub with: SessionId,
    /// The folder that is to be this session's, relative to the workspace.
    pub folder: String,
    /// The adoption in the former main line's log that this one takes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<Seq>,
}

/// A session as one of its family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Member<'a> {
    /// The session.
    pub id: SessionId,
    /// Its place.
    pub kin: &'a Kin,
    /// In the trash: it is the main line of no family that has another.
    pub trashed: bool,
}

impl Kin {
    /// The family a session belongs to, by the session it began with.
    pub fn family_of(&self, id: SessionId) -> SessionId {
        self.family.unwrap_or(id)
    }

    /// Whether it was made by a fork.
    pub fn is_variant(&self) -> bool {
        self.parent.is_some()
    }

    /// What a variant is called that has no name and no prompt yet: the second of a family by the number that its folder got.
    pub(super) fn nameless(&self) -> &str {
        let folder = self.own.as_deref().and_then(|own| own.rsplit_once('~'));
        let is_numbered = |name: &&str| {
            let number = name
                .strip_prefix(NAMELESS)
                .and_then(|n| n.strip_prefix('-'));
            number.is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
        };
        folder.map(|f| f.1).filter(is_numbered).unwrap_or(NAMELESS)
    }

    /// Takes in an event of the session `id`, whose title before it is `title`.
    pub(super) fn apply(&mut self, event: &Event, id: Option<SessionId>, title: Option<&str>) {
        match &event.kind {
            Kind::Created { id, .. } => {
                *self = Self {
                    family: Some(*id),
                    ..Self::default()
                };
            }
            Kind::Forked(Forked { from, folder, .. }) => {
                self.own = Some(folder.clone());
                self.parent = Some(from.at);
                self.piece = self.piece.take().or_else(|| title.map(str::to_owned));
                (self.adopted, self.deed, self.exchange) = (None, None, None);
                self.nameless.clear();
                self.standing.clear();
                self.waits = None;
            }
            // A line that came with a copied log speaks of another session.
            Kind::Adopted(Adopted {
                main,
                was,
                n,
                folder,
                other,
                undoes,
                ..
            }) if Some(*main) == id => {
                if folder == other {
                    self.nameless.push(event.seq);
                }
                if folder != other {
                    self.own = Some(other.clone());
                }
                self.standing.push((event.seq, *n));
                (self.adopted, self.deed) = (Some(*n), Some(event.seq));
                self.waits = None;
                self.exchange = Some(Exchange {
                    with: *was,
                    folder: folder.clone(),
                    undoes: *undoes,
                });
            }
            Kind::Undone { deed } => self.withdraw(*deed),
            Kind::Moved { folder, .. } => self.exchanged(folder),
            Kind::Note { text, .. } if text.starts_with(WAITS) => self.waits = Some(event.ts),
            Kind::Note { text, .. } if text.starts_with(NOT) => self.waits = None,
            _ => {}
        }
    }

    /// An adoption that was undone counts no more: the one before it is the newest again.
    pub fn withdraw(&mut self, adoption: Seq) {
        if !self.standing.iter().any(|(seq, _)| *seq == adoption) {
            return;
        }
        self.standing.retain(|(seq, _)| *seq != adoption);
        if self.deed == Some(adoption) {
            self.exchange = None;
        }
        let newest = self.standing.last().copied();
        (self.deed, self.adopted) = newest.unzip();
    }

    /// Takes in where its folder is: that ends an adoption, whether the folder has the name it was to get or not.
    fn exchanged(&mut self, folder: &str) {
        let Some(exchange) = self.exchange.take() else {
            return;
        };
        if exchange.folder != folder {
            self.nameless.extend(self.deed);
        }
    }
}

/// The main line of a family: of those not in the trash the one adopted last, else the one it began with, else the
/// oldest. None for a family without members.
pub fn main_line<'a>(members: impl IntoIterator<Item = Member<'a>>) -> Option<SessionId> {
    let rank = |m: &Member<'_>| {
        let first = m.kin.family_of(m.id) == m.id;
        (
            !m.trashed,
            m.kin.adopted.unwrap_or(0),
            first,
            std::cmp::Reverse(m.id),
        )
    };
    members.into_iter().max_by_key(rank).map(|m| m.id)
}

/// In whose place a session is adopted: that of the main line. One that is the main line only because another is in the
/// trash, or because the log the family began with is gone, is adopted in the place of that one.
pub fn rival<'a>(
    members: impl Iterator<Item = Member<'a>> + Clone,
    session: SessionId,
) -> Option<SessionId> {
    let own = members.clone().find(|m| m.id == session)?;
    let family = own.kin.family_of(session);
    let members = members.filter(|m| m.kin.family_of(m.id) == family);
    let is_known = |m: Member<'_>| m.id == family || m.kin.adopted.is_some();
    let now = main_line(members.clone());
    let ever = if members.clone().any(is_known) {
        main_line(members.map(|m| Member {
            trashed: false,
            ..m
        }))
    } else {
        Some(family)
    };
    [now, ever].into_iter().flatten().find(|id| *id != session)
}

/// The sessions of a session's family, known or not: its main line first, then the one it began with, then the others.
pub fn family_of<'a>(
    members: impl Iterator<Item = Member<'a>> + Clone,
    id: SessionId,
) -> Vec<SessionId> {
    let own = members.clone().find(|m| m.id == id);
    let first = own.map_or(id, |m| m.kin.family_of(id));
    let family = members.filter(|m| m.kin.family_of(m.id) == first);
    let main = main_line(family.clone());
    let all = main.into_iter().chain([first]);
    all.chain(family.map(|m| m.id)).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    fn id(n: u128) -> SessionId {
        SessionId::new(uuid::Uuid::from_u128(n))
    }

    fn kin(adopted: Option<u32>) -> Kin {
        Kin {
            family: Some(id(1)),
            adopted,
            ..Kin::default()
        }
    }

    fn main(of: &[(u128, Option<u32>, bool)]) -> Option<SessionId> {
        let kins: Vec<Kin> = of.iter().map(|m| kin(m.1)).collect();
        let members = of.iter().zip(&kins).map(|((n, _, trashed), kin)| Member {
            id: id(*n),
            kin,
            trashed: *trashed,
        });
        main_line(members)
    }

    /// The place of the first after it was adopted for the folder `to`, its own being `a/own`, and then moved.
    fn adopted(to: &str, moved: Option<&str>) -> Kin {
        let adopted = Kind::Adopted(Adopted {
            family: id(1),
            main: id(1),
            was: id(2),
            n: 1,
            folder: to.to_owned(),
            other: "a/own".to_owned(),
            undoes: None,
        });
        let moved = moved.map(|folder| Kind::Moved {
            collection: crate::domain::CollectionId::inbox(),
            folder: folder.to_owned(),
            was: None,
            undoes: None,
        });
        let mut kin = Kin::default();
        for (seq, kind) in (4..).zip(std::iter::once(adopted).chain(moved)) {
            kin.apply(&Event { seq, ts: 0, kind }, Some(id(1)), None);
        }
        kin
    }

    #[test]
    fn an_adoption_says_whether_the_folders_got_other_names() {
        let is_nameless = |kin: Kin| (kin.exchange.is_some(), kin.nameless);
        assert_eq!(is_nameless(adopted("a/main", None)), (true, vec![]));
        let changed = adopted("a/main", Some("a/main"));
        assert_eq!(is_nameless(changed), (false, vec![]));
        let could_not = adopted("a/main", Some("a/own"));
        assert_eq!(is_nameless(could_not), (false, vec![4]));
        let never_wanted = adopted("a/own", Some("a/own"));
        assert_eq!(is_nameless(never_wanted), (false, vec![4]));
    }

    #[test]
    fn an_adoption_that_was_undone_counts_no_more() {
        let mut kin = adopted("a/main", Some("a/main"));
        kin.withdraw(3);
        assert_eq!((kin.adopted, kin.deed), (Some(1), Some(4)));
        kin.withdraw(4);
        assert_eq!((kin.adopted, kin.deed), (None, None));
        assert_eq!(kin.own.as_deref(), Some("a/own"));
    }

    #[test]
    fn two_without_a_name_are_told_apart_by_the_numbers_of_their_folders() {
        let called = |own: &str| {
            let own = Some(own.to_owned());
            let kin = Kin {
                own,
                ..Kin::default()
            };
            kin.nameless().to_owned()
        };
        assert_eq!(called("inbox/piece~variant"), "variant");
        assert_eq!(called("inbox/piece~variant-2"), "variant-2");
        assert_eq!(called("inbox/mine"), "variant");
        assert_eq!(called("inbox/piece~variant-long"), "variant");
    }

    #[test]
    fn the_one_adopted_last_is_the_main_line_else_the_first_else_the_oldest() {
        assert_eq!(main(&[]), None);
        assert_eq!(
            main(&[(3, None, false), (1, None, false), (2, None, false)]),
            Some(id(1))
        );
        assert_eq!(
            main(&[
                (1, Some(2), false),
                (2, Some(3), false),
                (3, Some(1), false)
            ]),
            Some(id(2))
        );
        assert_eq!(main(&[(3, None, false), (2, None, false)]), Some(id(2)));
    }

    #[test]
    fn one_in_the_trash_is_the_main_line_only_where_all_are() {
        assert_eq!(
            main(&[(1, None, true), (2, Some(1), true), (3, None, false)]),
            Some(id(3))
        );
        assert_eq!(main(&[(1, None, true), (2, None, true)]), Some(id(1)));
    }
}

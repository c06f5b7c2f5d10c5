//! What the small host does in families: forks, takes, adoptions, and their undo.

use fascicle::domain::ask::{Busy, Undone};
use fascicle::domain::event::Adopted;
use fascicle::domain::event::Forked;
use fascicle::domain::event::{By, Kind, Origin, Prefix, Status};
use fascicle::domain::head::Was;
use fascicle::domain::kin::{Member, main_line};
use fascicle::domain::session::replay;
use fascicle::domain::splice::spliced;
use fascicle::domain::{Event, Head, Reply, Seq, SessionId, Splice};
use fascicle::text::merge::merge;

use crate::bench::{Bench, Disk, next_turn, saved};
use crate::stage::{id, prompt};

impl Disk {
    /// A variant as of an event, the newest when none; a turn that is open there ends in it.
    pub(crate) fn fork(
        &mut self,
        ts: i64,
        parent: SessionId,
        at: Option<Seq>,
        title: Option<String>,
        text: Option<String>,
    ) -> SessionId {
        let log = &self.logs[&parent];
        let upto = at.unwrap_or(log.len() as Seq - 1);
        let prefix: Vec<Event> = log.iter().filter(|e| e.seq <= upto).cloned().collect();
        let head = replay(&prefix).head;
        let place = head.place.clone().unwrap();
        let n = self.logs.len() + 1;
        let variant = id(n as u128);
        self.logs.insert(variant, prefix);
        let drafts = self.drafts.range((parent, 0)..=(parent, upto));
        let drafts: Vec<_> = drafts
            .map(|((_, seq), text)| (*seq, text.clone()))
            .collect();
        let drafts = drafts.into_iter().map(|(seq, text)| ((variant, seq), text));
        self.drafts.extend(drafts);
        let at = Origin {
            session: parent,
            seq: upto,
        };
        let forked = Kind::Forked(Forked {
            id: variant,
            from: Prefix {
                at,
                bytes: 0,
                crc32: String::new(),
            },
            title,
            collection: place.collection,
            folder: format!("{}~{n}", place.folder),
            app: "0.1.0".to_owned(),
        });
        self.add(variant, ts, forked);
        if head.is_open() {
            let ended = Kind::TurnFinished {
                turn: head.turn.as_ref().unwrap().no,
                status: Status::Interrupted,
                reason: Some("forked here".to_owned()),
                events: 0,
                crc32: String::new(),
            };
            self.add(variant, ts, ended);
        }
        if let Some(text) = text {
            let turn = next_turn(&self.head(variant));
            self.add(variant, ts, prompt(turn, &text));
        }
        variant
    }

    /// The sessions of a family.
    pub(crate) fn family(&self, session: SessionId) -> Vec<(SessionId, Head)> {
        let family = self.head(session).kin.family_of(session);
        let all = self.logs.keys().map(|s| (*s, self.head(*s)));
        all.filter(|(s, h)| h.kin.family_of(*s) == family).collect()
    }

    /// The main line of a family.
    pub(crate) fn main(&self, session: SessionId) -> SessionId {
        let family = self.family(session);
        let members = family.iter().map(|(id, head)| Member {
            id: *id,
            kin: &head.kin,
            trashed: head.trashed,
        });
        main_line(members).unwrap()
    }
}

impl Bench {
    /// The adoption of a session.
    pub(crate) fn adopt(&mut self, session: SessionId, busy: Busy, undoes: Option<Seq>) -> Reply {
        let was = self.disk.main(session);
        let open = |s: &SessionId| self.disk.head(*s).is_open();
        let sessions: Vec<SessionId> = [was, session].into_iter().filter(open).collect();
        if !sessions.is_empty() {
            if busy != Busy::Stop {
                return Reply::Busy {
                    sessions,
                    waits: false,
                };
            }
            for session in sessions {
                self.stop(session);
            }
        }
        let family = self.disk.family(session);
        let n = family.iter().filter_map(|m| m.1.kin.adopted).max();
        let [main, other] = [was, session].map(|s| self.disk.head(s).place.unwrap());
        let adopted = Kind::Adopted(Adopted {
            family: self.disk.head(session).kin.family_of(session),
            main: session,
            was,
            n: n.unwrap_or(0) + 1,
            folder: main.folder.clone(),
            other: other.folder.clone(),
            undoes,
        });
        self.happens(session, adopted);
        for (s, place) in [(session, &main), (was, &other)] {
            let moved = Kind::Moved {
                collection: place.collection.clone(),
                folder: place.folder.clone(),
                was: None,
                undoes: None,
            };
            self.happens(s, moved);
        }
        Reply::Done
    }

    /// Words from another text.
    pub(crate) fn take(
        &mut self,
        session: SessionId,
        base: Seq,
        splices: &[Splice],
        from: Origin,
    ) -> Reply {
        let (newest, now) = self.disk.draft(session);
        let read = self.disk.drafts.get(&(session, base));
        let read = read.map_or("", String::as_str);
        let text = spliced(read, splices).expect("the splices fit the draft");
        let text = merge(read, &text, now).text;
        let others = newest != base;
        let changed = fascicle::text::changes(now, &text);
        let mut kind = saved(0, &text, changed);
        if let Kind::DraftSaved {
            by,
            turn,
            from: origin,
            ..
        } = &mut kind
        {
            (*by, *turn, *origin) = (By::Take, None, Some(from));
        }
        let version = self.redraft(session, kind, &text);
        Reply::Edited {
            version,
            text: others.then_some(text),
            beside: None,
            typed: false,
        }
    }

    /// The newest deed of a session is undone: an adoption by another one, a change of the draft by the text before.
    pub(crate) fn undo(&mut self, session: SessionId) -> Reply {
        let deed = self.disk.head(session).deeds.last().unwrap().clone();
        match deed.was.clone() {
            Was::Main(was) => drop(self.adopt(was, Busy::Stop, Some(deed.seq))),
            Was::Draft(before) => {
                let seq = before.map_or(0, |v| v.seq);
                let text = self.disk.drafts.get(&(session, seq)).cloned();
                let text = text.unwrap_or_default();
                let mut kind = saved(0, &text, (0, 0));
                if let Kind::DraftSaved { by, turn, .. } = &mut kind {
                    (*by, *turn) = (By::Undo, None);
                }
                self.redraft(session, kind, &text);
            }
            _ => {}
        }
        self.happens(session, Kind::Undone { deed: deed.seq });
        let (again, asked) = (false, false);
        Reply::Undone(Box::new(Undone {
            deed,
            again,
            asked,
            said: None,
        }))
    }
}

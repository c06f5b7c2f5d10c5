//! The texts that the views show: asked of the host, and kept as fresh as it tells.

use super::App;
use crate::domain::{After, Kind, Notice, Reply, Request, Scope};
use crate::text::one_line;
use crate::ui::asks::{Compared, Purpose};
use crate::ui::compare::{At, Side, View};
use crate::ui::focus::Pane;
use crate::ui::input::{Effect, Ticket};

impl App {
    /// What follows from any input: texts that are shown are asked for, sessions of which they are are heard.
    pub(super) fn follow_views(&mut self) -> Vec<Effect> {
        let views = &mut self.desks.views;
        if self.pane != Pane::View {
            views.stack.clear();
        } else if views.stack.is_empty() {
            self.pane = views.from;
        }
        let views = &mut self.desks.views;
        let (sides, sessions) = (views.sides(), views.sessions());
        views.texts.keep(&sides);
        let gone = views.texts.unwatch(&sessions).into_iter();
        let mut effects: Vec<Effect> = gone.map(|ticket| Effect::Detach { ticket }).collect();
        if !self.has_host() {
            return effects;
        }
        for session in self.desks.views.texts.unwatched(&sessions) {
            let ticket = self.desks.ticket();
            self.desks.views.texts.watch(session, ticket);
            let after = After::Tail(0);
            let scope = Scope::Session { session, after };
            effects.push(Effect::Attach { ticket, scope });
        }
        for side in self.desks.views.texts.wanted(&sides) {
            effects.extend(self.ask_text(side));
        }
        effects.extend(self.ask_briefs());
        effects.extend(self.ask_shelves());
        effects.extend(self.ask_memories());
        self.desks.views.look();
        effects
    }

    fn ask_text(&mut self, side: Side) -> Option<Effect> {
        let session = side.session;
        let request = match side.at {
            At::Draft => Request::Draft { session, at: None },
            At::Version(seq) | At::Proposed(seq) => Request::Draft {
                session,
                at: Some(seq),
            },
            At::Nothing => return None,
        };
        Some(self.ask(request, Purpose::Compare(Compared::Text(side))))
    }

    /// The host is there: everything is asked for anew.
    pub(super) fn views_go_on(&mut self) {
        self.desks.views.texts.host_is_there();
        self.briefs_are_stale(None);
        self.memories_are_stale();
    }

    /// Takes in what is told of a session that is looked at in a view.
    pub(super) fn view_hears(&mut self, ticket: Ticket, notice: &Notice) -> Vec<Effect> {
        if let Notice::Closing { stopped } = notice {
            return self.closing_host(ticket, *stopped);
        }
        let views = &mut self.desks.views;
        let Some((session, event)) = views.texts.hear(ticket, notice) else {
            return Vec::new();
        };
        let briefed = event.is_some_and(|e| matches!(e.kind, Kind::MemoryInjected(_)));
        if let Some(event) = event {
            for view in &mut views.stack {
                if let View::Versions(timeline) = view
                    && timeline.session == session
                {
                    timeline.hear(event);
                }
            }
        }
        views.look();
        if briefed {
            self.briefs_are_stale(Some(session));
        }
        Vec::new()
    }

    /// Takes in a reply to what a view asked.
    pub(super) fn compare_replied(&mut self, what: Compared, reply: Reply) -> Vec<Effect> {
        if let Compared::Brief(session, turn) = what {
            self.brief_replied(session, turn, &reply);
            return Vec::new();
        }
        if let Compared::Memory(collection, what) = what {
            self.memory_replied(&collection, what, reply);
            return Vec::new();
        }
        let texts = &mut self.desks.views.texts;
        match (what, reply) {
            (
                Compared::Text(side),
                Reply::Draft {
                    text,
                    version,
                    locked,
                    ..
                },
            ) => {
                texts.came(side, &text, version, locked);
            }
            (Compared::Text(side), Reply::Text { text }) => {
                let version = match side.at {
                    At::Draft => texts
                        .head(side.session)
                        .and_then(|h| h.draft.as_ref())
                        .map(|d| d.seq),
                    _ => texts.version(side),
                };
                texts.came(side, &text, version, None);
            }
            (Compared::Text(side), Reply::Refused { why, .. }) => {
                return self.text_refused(side, &why);
            }
            (Compared::Versions(session), Reply::Versions { versions }) => {
                self.versions_came(session, &versions);
            }
            (Compared::Take(session, said), Reply::Edited { beside, .. }) => {
                self.taken(session, &said, beside.is_some());
            }
            (Compared::Dismiss(said), Reply::Done) => {
                self.say(said);
                self.proposal_is_dismissed();
            }
            (_, Reply::Refused { why, hint }) => {
                let hint = hint.map(|h| format!(" {h}")).unwrap_or_default();
                self.say(format!("{why}{hint}"));
                self.undecide();
            }
            _ => {}
        }
        self.desks.views.look();
        Vec::new()
    }

    /// A text cannot be had. Where nothing may be written the draft is read as it was saved last.
    fn text_refused(&mut self, side: Side, why: &str) -> Vec<Effect> {
        let session = side.session;
        let texts = &mut self.desks.views.texts;
        let known = texts.get(side).is_some_and(|k| k.wrong.is_some());
        let saved = texts.head(session).and_then(|h| h.draft.clone());
        texts.refused(side, &one_line(why));
        let Some(saved) = saved.filter(|_| side.is_draft() && !known) else {
            return Vec::new();
        };
        let blob = format!("sha256:{}", saved.sha256);
        let request = Request::Blob { session, blob };
        vec![self.ask(request, Purpose::Compare(Compared::Text(side)))]
    }
}

//! What the host answered.

use super::App;
use super::undo::Undo;
use crate::domain::{CollectionId, Event, Reply, Request, SessionId};
use crate::text::{count, thousands};
use crate::ui::asks::{Compared, Drafting, Filing, Hosting, Purpose};
use crate::ui::focus::Pane;
use crate::ui::input::{Effect, Tag};
use crate::ui::layers::view::View;
use crate::ui::rows::Shelf;

/// Whether what is said of a reply answers a key. What went wrong, and what the window asked by itself, stays until it could
/// be read.
fn answers_a_key(purpose: &Purpose, reply: &Reply) -> bool {
    let failed = matches!(
        reply,
        Reply::Refused { .. } | Reply::Unprompted { .. } | Reply::Lacking { .. }
    );
    let by_itself = matches!(
        purpose,
        Purpose::Draft(..)
            | Purpose::Unsent(_)
            | Purpose::Keep(_)
            | Purpose::Drawer(Filing::Checked(..))
    );
    !failed && !by_itself
}

impl App {
    /// Takes in a reply.
    pub(super) fn replied(&mut self, tag: Tag, reply: Reply) -> Vec<Effect> {
        let Some(purpose) = self.asks.end(tag) else {
            return Vec::new();
        };
        if answers_a_key(&purpose, &reply) {
            self.voice.answers_late();
        }
        match purpose {
            Purpose::Compare(Compared::Words(no)) => self.found(no, reply),
            Purpose::Compare(what) => self.compare_replied(what, reply),
            purpose => self.replied_to(purpose, reply),
        }
    }

    fn replied_to(&mut self, purpose: Purpose, reply: Reply) -> Vec<Effect> {
        match reply {
            Reply::Refused { why, hint } => self.refused(purpose, &why, hint.as_deref()),
            Reply::Created { session } => self.created(purpose, session),
            Reply::Lacking { session, said } => {
                let effects = self.created(purpose, session);
                self.say(said.join(" "));
                effects
            }
            Reply::Unprompted {
                session,
                prompt,
                why,
                hint,
            } => self.unprompted(purpose, (session, &prompt), &why, hint.as_deref()),
            Reply::Collection { collection } => self.collected(purpose, collection),
            Reply::Filed { collection, deed } => self.changed_shelf(purpose, collection, deed),
            Reply::Refiled(refiled) => self.refiled(&refiled),
            Reply::Gathered(gathered) => self.gathered(&gathered),
            Reply::Accepted { queued, .. } => self.accepted(purpose, queued.is_some()),
            Reply::Page { events, more, .. } => self.older(&purpose, &events, more),
            Reply::Text { text } => self.text(purpose, text),
            Reply::Draft {
                text,
                version,
                path,
                locked,
            } => match purpose {
                Purpose::Draft(session, what) => {
                    self.draft_came(session, &text, version);
                    self.lock_draft(session, what, locked);
                    Vec::new()
                }
                purpose => self.draft(&purpose, &text, path),
            },
            Reply::Edited {
                version,
                text,
                beside,
                typed,
            } => self.draft_taken(&purpose, version, (text, typed), beside),
            Reply::Done => self.done(purpose),
            Reply::Imported(brought) => match purpose {
                Purpose::Import(bringing) => self.imported(*bringing, &brought),
                _ => Vec::new(),
            },
            Reply::Busy { sessions, waits } => self.busy(purpose, &sessions, waits),
            Reply::Versions { .. }
            | Reply::Brief(_)
            | Reply::Memory { .. }
            | Reply::Hits { .. } => Vec::new(),
            Reply::Undone(undone) => self.undone(&purpose, &undone),
            Reply::Status(status) => {
                if purpose == Purpose::Host(Hosting::Look) {
                    self.looked(&status);
                }
                Vec::new()
            }
        }
    }

    /// A collection was made.
    fn collected(&mut self, purpose: Purpose, collection: CollectionId) -> Vec<Effect> {
        // The list may not have told of it yet.
        let title = match purpose {
            Purpose::Collection(title) => title,
            _ => self.rows.collection_title(&collection).to_owned(),
        };
        self.rows.show(Shelf::Collection(collection));
        self.pane = Pane::List;
        self.say(format!("“{title}” is there: n begins a session in it."));
        Vec::new()
    }

    /// Older words of a session.
    fn older(&mut self, purpose: &Purpose, events: &[Event], more: bool) -> Vec<Effect> {
        if let Purpose::Older(session) = purpose
            && let Some(desk) = self.desks.get_mut(Some(*session))
        {
            desk.transcript.older(events, more);
        }
        Vec::new()
    }

    fn refused(&mut self, purpose: Purpose, why: &str, hint: Option<&str>) -> Vec<Effect> {
        let mut effects = Vec::new();
        match purpose {
            Purpose::Unsent(session) => {
                if let Some(desk) = self.desks.get_mut(session) {
                    desk.ask_unsent_again();
                }
                return Vec::new();
            }
            Purpose::Keep(session) => {
                if let Some(desk) = self.desks.get_mut(session) {
                    desk.keep_here();
                }
                return Vec::new();
            }
            Purpose::Seen
            | Purpose::Older(_)
            | Purpose::Host(Hosting::Look)
            | Purpose::Drawer(Filing::Profile(_)) => {
                // Said by the host's own line where it matters; not once for every key.
                return Vec::new();
            }
            Purpose::Drawer(Filing::Checked(_, said)) => {
                if let Some(said) = said {
                    self.say(said);
                }
                return Vec::new();
            }
            Purpose::Draft(session, Drafting::Kept(_)) => return self.kept_refused(session, why),
            Purpose::Draft(session, what) => return self.draft_refused(session, what, why, hint),
            Purpose::Import(bringing) => return self.not_imported(*bringing, why),
            Purpose::New => self.sent_back(None),
            Purpose::Send(session) => self.sent_back(Some(session)),
            Purpose::Answer(session, call) => self.questions.reopen(session, &call),
            Purpose::Stop(session) => drop(self.list.stopping.remove(&session)),
            Purpose::Requeue(session, text) => self.put_back(session, &text),
            Purpose::Host(Hosting::Restart) => self.host.restarting = false,
            Purpose::Kin(kin) => effects = self.not_forked(kin),
            Purpose::Undone(session, stays) => self.not_undone(session, stays),
            _ => {}
        }
        let hint = hint.map(|h| format!(" {h}")).unwrap_or_default();
        self.say(format!("{why}{hint}"));
        effects
    }

    /// A prompt that was not taken stands in its composer again.
    fn sent_back(&mut self, session: Option<SessionId>) {
        let now = self.clock.now;
        if let Some(desk) = self.desks.get_mut(session) {
            desk.sent_back();
            desk.changed(now);
        }
    }

    fn accepted(&mut self, purpose: Purpose, waits: bool) -> Vec<Effect> {
        match purpose {
            Purpose::Send(session) => {
                let now = self.clock.now;
                if let Some(desk) = self.desks.get_mut(Some(session)) {
                    desk.sending = None;
                    desk.changed(now);
                }
                if waits {
                    self.say("It waits until this turn ends.");
                }
            }
            Purpose::Again(title) => self.say(if waits {
                format!("“{title}” goes on when another turn has ended.")
            } else {
                format!("“{title}” goes on.")
            }),
            Purpose::Say(said) => self.say(if waits {
                "Sent; it waits until the turn there ends.".to_owned()
            } else {
                said
            }),
            _ => {}
        }
        Vec::new()
    }

    /// The new session exists. What was written since goes with it, if the writer still stands there.
    fn created(&mut self, purpose: Purpose, session: SessionId) -> Vec<Effect> {
        if let Purpose::Kin(kin) = purpose {
            return self.forked(kin, session);
        }
        let mut effects = self.open_created(session);
        match purpose {
            Purpose::Begin(said) => self.say(said),
            Purpose::Drawer(Filing::Piece) if self.desks.at() == Some(session) => {
                effects.extend(self.open_draft());
            }
            _ => {}
        }
        effects
    }

    /// A session is there, and its first prompt stands where the next one is written.
    fn unprompted(
        &mut self,
        purpose: Purpose,
        (session, prompt): (SessionId, &str),
        why: &str,
        hint: Option<&str>,
    ) -> Vec<Effect> {
        let effects = self.created(purpose, session);
        self.put_words(session, prompt);
        let hint = hint.map(|h| format!(" {h}")).unwrap_or_default();
        self.say(format!("{why}{hint}"));
        effects
    }

    fn open_created(&mut self, session: SessionId) -> Vec<Effect> {
        let now = self.clock.now;
        let stays = self.desks.at().is_some();
        let Some(fresh) = self.desks.get_mut(None) else {
            return Vec::new();
        };
        fresh.sending = None;
        fresh.changed(now);
        if stays {
            // It was left before it was there: the way back leads to it all the same.
            self.desks.visit(session);
            return Vec::new();
        }
        let since = fresh.composer.text();
        fresh.composer.clear();
        let pane = self.pane;
        let mut effects = self.keep(None);
        self.desks.agent = None;
        effects.extend(self.open(session, pane));
        if !since.is_empty() {
            effects.extend(self.write(|composer| composer.set_text(&since)));
        }
        effects
    }

    fn text(&mut self, purpose: Purpose, text: String) -> Vec<Effect> {
        match purpose {
            Purpose::Draft(session, _) => {
                let version = self.draft_version(session).map(|v| v.seq);
                self.draft_came(session, &text, version);
            }
            Purpose::Unsent(session) => {
                let now = self.clock.now;
                if let Some(desk) = self.desks.get_mut(session) {
                    // What was written while the host was waited for stands behind what was kept earlier.
                    let alone = desk.composer.is_empty() && desk.due().is_none();
                    if alone {
                        desk.composer.set_text(&text);
                    } else if !desk.composer.text().starts_with(&text) {
                        desk.give_back(&text);
                        desk.changed(now);
                    }
                }
            }
            Purpose::Unqueue(session) => {
                self.put_back(session, &text);
                self.say("The prompt is back where you write.");
            }
            Purpose::Whole(Some(title)) => self.push(View::new(&title, &text)),
            Purpose::Whole(None) => return self.copy(text),
            Purpose::Drawer(filing) => self.told_of_shelf(&filing, &text),
            _ => {}
        }
        Vec::new()
    }

    /// Puts words back where they are written.
    fn put_back(&mut self, session: SessionId, text: &str) {
        let now = self.clock.now;
        if let Some(desk) = self.desks.get_mut(Some(session)) {
            desk.give_back(text);
            desk.changed(now);
            self.pane = Pane::Composer;
        }
    }

    fn draft(&mut self, purpose: &Purpose, text: &str, path: String) -> Vec<Effect> {
        match purpose {
            Purpose::Edit(session) => {
                self.list.edited = Some(*session);
                return vec![Effect::Edit(path)];
            }
            Purpose::Drawer(Filing::Checked(session, said)) => {
                self.checked(*session, text, said.as_deref());
            }
            Purpose::Edited => {
                self.say(format!("The draft has {} words.", thousands(count(text))));
            }
            _ => {}
        }
        Vec::new()
    }

    fn done(&mut self, purpose: Purpose) -> Vec<Effect> {
        match purpose {
            Purpose::Deed(session, said) => {
                self.list.done.push(Undo::Session(session));
                self.say(format!("{said} {}", self.undoes()));
            }
            Purpose::Say(said) => self.say(said),
            Purpose::Kin(kin) => self.adopted(kin),
            Purpose::Drawer(filing) => return self.filed(filing),
            Purpose::Draft(session, _) => self.draft_settled(session),
            // One that was not attached says no farewell.
            Purpose::Host(Hosting::Restart) if !self.list.live => {
                self.clock.retry = Some((self.clock.now, 0));
            }
            Purpose::Requeue(..) => self.say("It waits with its new words."),
            Purpose::Stop(_) => self.say("Stopped; what was written so far is kept."),
            Purpose::Undone(session, _) => self.out_of_trash(session),
            _ => {}
        }
        Vec::new()
    }

    /// The editor came back: the draft is looked at again, so that what was saved is a version.
    pub(super) fn edited(&mut self, outcome: Result<(), String>) -> Vec<Effect> {
        if let Err(why) = outcome {
            self.say(why);
            return Vec::new();
        }
        let Some(session) = self.list.edited.take() else {
            return Vec::new();
        };
        let request = Request::Draft { session, at: None };
        vec![self.ask(request, Purpose::Edited)]
    }
}

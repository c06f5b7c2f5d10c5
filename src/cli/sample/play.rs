//! Plays a script through the writer of the logs: the same lines, checksums and blobs as if it had happened.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use serde_json::json;
use uuid::{NoContext, Timestamp, Uuid};

use super::script::{From, Script, Step};
use super::{COLLECTION, FOLDER, SampleError, say_stage};
use crate::domain::event::{By, Kind, Seq, Staged, Status, TurnNo};
use crate::domain::{CollectionId, SessionId};
use crate::drafts::{file, folder};
use crate::log::{Means, Store, Variant, Writer};
use crate::text::hash::sha256;
use crate::text::{changes, count, slug};
use crate::tools;

/// The name under which the sample's agent stands in the logs: no agent that could be configured has written it.
const AGENT: &str = "sample";
/// Longest name of a session's folder, in bytes.
const NAME_MAX: usize = 60;
/// Milliseconds.
const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
/// Words that an agent writes in a second, and a writer.
const PACE: (i64, i64) = (22, 1);

/// Where scripts are played: a store whose clock is set by hand.
pub(super) struct Stage {
    root: PathBuf,
    store: Store,
    clock: Arc<AtomicI64>,
    collection: CollectionId,
    /// What was played, by the name of its file.
    played: HashMap<&'static str, Played>,
}

/// A session that was played.
struct Played {
    id: SessionId,
    /// The name of its folder.
    name: String,
    /// How it stood before each step, and at its end.
    marks: Vec<Mark>,
}

/// How a session stood, nothing open.
#[derive(Clone, Default)]
struct Mark {
    /// Its newest event.
    seq: Seq,
    ts: i64,
    turn: TurnNo,
    calls: u32,
    version: Seq,
    draft: String,
}

impl Stage {
    /// On a workspace that is being built.
    pub(super) fn new(root: &Path, cache: &Path) -> Result<Self, SampleError> {
        let clock = Arc::new(AtomicI64::new(0));
        let hand = clock.clone();
        let means = Means {
            clock: Arc::new(move || hand.load(Ordering::Relaxed)),
            ..Means::default()
        };
        let collection = COLLECTION.parse().map_err(|e| SampleError::Script {
            name: COLLECTION,
            why: format!("{e}"),
        })?;
        Ok(Self {
            root: root.to_owned(),
            store: Store::with(root, cache, means)?,
            clock,
            collection,
            played: HashMap::new(),
        })
    }

    /// Makes a session, a variant as a fork of its main line, and lets everything happen in it.
    pub(super) fn play(
        &mut self,
        name: &'static str,
        script: &Script,
        now: i64,
    ) -> Result<(), SampleError> {
        let on_disk = |source| SampleError::Disk {
            at: self.root.clone(),
            source,
        };
        let (id, folder, mut player) = match &script.from {
            None => self.begin(script, now)?,
            Some(from) => self.fork(name, script, from)?,
        };
        if !script.tags.is_empty() {
            player.put(Kind::Tagged {
                add: script.tags.clone(),
                remove: Vec::new(),
            });
        }
        if let Some(stage) = script.stage {
            player.put(Kind::Staged(Staged::to(Some(stage))));
            say_stage(&self.root, id, stage)?;
        }
        let before = script.steps.iter().map(|step| player.step(step)).collect();
        let marks = player.end(before).map_err(on_disk)?;
        let draft = marks.last().map_or("", |mark| mark.draft.as_str());
        file::replace(&self.root.join(FOLDER).join(&folder), draft.as_bytes()).map_err(on_disk)?;
        self.played.insert(
            name,
            Played {
                id,
                name: folder,
                marks,
            },
        );
        Ok(())
    }

    /// Makes a folder; its path relative to the workspace, and its name.
    fn folder(&self, name: &str, id: SessionId) -> Result<(String, String), SampleError> {
        let made = folder::make(&self.root, FOLDER, name, id);
        let at = made.map_err(|source| SampleError::Disk {
            at: self.root.clone(),
            source,
        })?;
        let name = at.rsplit('/').next().unwrap_or_default().to_owned();
        Ok((at, name))
    }

    fn begin(&self, script: &Script, now: i64) -> Result<(SessionId, String, Player), SampleError> {
        let begun = now - script.hours * HOUR;
        self.clock.store(begun, Ordering::Relaxed);
        let id = SessionId::new(Uuid::new_v7(stamp(begun)));
        let (at, name) = self.folder(&slug(&script.title, NAME_MAX), id)?;
        let created = Kind::Created {
            id,
            title: Some(script.title.clone()),
            collection: self.collection.clone(),
            folder: at,
            agent: None,
            app: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let sink = Box::new(|_| {});
        let writer = self
            .store
            .create(id, &self.collection, vec![created], &[], sink)?;
        // `session.created` is there, and `opened` comes.
        let mark = Mark {
            seq: 1,
            ..Mark::default()
        };
        Ok((id, name, Player::new(writer, self.clock.clone(), mark)))
    }

    fn fork(
        &self,
        name: &'static str,
        script: &Script,
        from: &From,
    ) -> Result<(SessionId, String, Player), SampleError> {
        let wrong = |why: &str| SampleError::Script {
            name,
            why: why.to_owned(),
        };
        let main = self.played.get(from.session.as_str());
        let main = main.ok_or_else(|| wrong("its main line comes later"))?;
        let mark = main.marks.get(from.steps);
        let mark = mark
            .ok_or_else(|| wrong("its main line is shorter"))?
            .clone();
        self.clock.store(mark.ts, Ordering::Relaxed);
        let id = SessionId::new(Uuid::new_v7(stamp(mark.ts)));
        let title = script.variant.clone();
        let part = slug(title.as_deref().unwrap_or_default(), NAME_MAX);
        let (at, folder) = self.folder(&format!("{}~{part}", main.name), id)?;
        let variant = Variant {
            id,
            title,
            collection: self.collection.clone(),
            folder: at,
        };
        let sink = Box::new(|_| {});
        let (writer, head) = self.store.fork(main.id, Some(mark.seq), variant, sink)?;
        let seq = head.last.map_or(0, |last| last + 1);
        let mark = Mark { seq, ..mark };
        Ok((id, folder, Player::new(writer, self.clock.clone(), mark)))
    }
}

/// A moment as ids carry it.
fn stamp(ms: i64) -> Timestamp {
    let ms = u64::try_from(ms).unwrap_or_default();
    let nanos = u32::try_from(ms % 1_000).unwrap_or_default() * 1_000_000;
    Timestamp::from_unix(NoContext, ms / 1_000, nanos)
}

/// One session while it is played.
struct Player {
    writer: Writer,
    clock: Arc<AtomicI64>,
    /// Number of the next event.
    next: Seq,
    turn: TurnNo,
    open: bool,
    block: u32,
    calls: u32,
    version: Seq,
    draft: String,
}

impl Player {
    /// Of a session that stands so.
    fn new(writer: Writer, clock: Arc<AtomicI64>, mark: Mark) -> Self {
        Self {
            writer,
            clock,
            next: mark.seq + 1,
            turn: mark.turn,
            open: false,
            block: 0,
            calls: mark.calls,
            version: mark.version,
            draft: mark.draft,
        }
    }

    fn mark(&self) -> Mark {
        Mark {
            seq: self.next - 1,
            ts: self.clock.load(Ordering::Relaxed),
            turn: self.turn,
            calls: self.calls,
            version: self.version,
            draft: self.draft.clone(),
        }
    }

    /// Lets a step happen; how all stood before it.
    fn step(&mut self, step: &Step) -> Mark {
        if matches!(step, Step::You(_) | Step::Minutes(_)) {
            self.finish(Status::Ok, None);
        }
        let mark = self.mark();
        match step {
            Step::You(text) => self.prompt(text.trim_end()),
            Step::Says(text) => self.reply(text.trim_end(), true),
            Step::Begins(text) => self.reply(text.trim_end(), false),
            Step::Writes(text) => {
                let input = json!({ "text": text, "base_version": self.version });
                self.call("write_draft", &input.to_string(), text);
            }
            Step::Replaces { old, new } => {
                let input = json!({ "old": old, "new": new, "base_version": self.version });
                let text = self.draft.replacen(old.as_str(), new, 1);
                self.call("edit_draft", &input.to_string(), &text);
            }
            Step::Typed(text) => {
                self.pass(words(text) / PACE.1 * SECOND);
                self.save(text, By::You);
            }
            Step::Ends(status) => self.finish(*status, None),
            Step::Failed(why) => self.finish(Status::Failed, Some(why.clone())),
            Step::Minutes(n) => self.pass(n * MINUTE),
        }
        mark
    }

    /// Closes what is open, marks all as seen; how all stood before each step, and stands now.
    fn end(mut self, mut marks: Vec<Mark>) -> std::io::Result<Vec<Mark>> {
        self.finish(Status::Ok, None);
        marks.push(self.mark());
        if self.turn > 0 {
            let upto = self.next - 1;
            self.put(Kind::Seen { upto });
        }
        if self.writer.flush() {
            Ok(marks)
        } else {
            Err(std::io::Error::other("a log could not be written"))
        }
    }

    fn put(&mut self, kind: Kind) {
        self.writer.append(vec![kind]);
        self.next += 1;
    }

    fn pass(&self, ms: i64) {
        self.clock.fetch_add(ms, Ordering::Relaxed);
    }

    fn prompt(&mut self, text: &str) {
        self.pass(20 * SECOND + words(text) / PACE.1 * SECOND);
        self.turn += 1;
        self.open = true;
        self.block = 0;
        let turn = self.turn;
        self.put(Kind::Prompt {
            turn,
            text: text.into(),
            queued: None,
        });
        self.put(Kind::TurnStarted {
            turn,
            agent: AGENT.to_owned(),
            agent_session: None,
            model: None,
            resume: false,
        });
        self.pass(2 * SECOND);
    }

    fn reply(&mut self, text: &str, whole: bool) {
        let (turn, block) = (self.turn, self.block);
        self.pass(SECOND + words(text) * SECOND / PACE.0);
        self.block += 1;
        let text = text.into();
        self.put(if whole {
            Kind::Message { turn, block, text }
        } else {
            Kind::Delta { turn, block, text }
        });
    }

    /// A tool call that makes a version.
    fn call(&mut self, name: &str, input: &str, text: &str) {
        self.pass(SECOND + words(text) * SECOND / PACE.0);
        self.calls += 1;
        let (turn, call) = (self.turn, format!("call-{}", self.calls));
        self.put(Kind::ToolStarted {
            turn,
            call: call.clone(),
            name: name.to_owned(),
            input: input.into(),
        });
        self.save(text, By::Agent(AGENT.to_owned()));
        let told = tools::written(self.version, count(text));
        self.put(Kind::ToolFinished {
            turn,
            call,
            ok: told.ok,
            ms: 12,
            output: told.output.as_str().into(),
        });
    }

    fn save(&mut self, text: &str, by: By) {
        let (added, removed) = changes(&self.draft, text);
        let kind = Kind::DraftSaved {
            turn: self.open.then_some(self.turn),
            sha256: sha256(text.as_bytes()),
            bytes: text.len() as u64,
            words: count(text),
            by,
            base: (self.version > 0).then_some(self.version),
            added,
            removed,
            beside: None,
            from: None,
            rest: false,
        };
        self.writer.append_with_blob(text.as_bytes().to_vec(), kind);
        self.version = self.next;
        self.next += 1;
        text.clone_into(&mut self.draft);
    }

    fn finish(&mut self, status: Status, reason: Option<String>) {
        if !std::mem::take(&mut self.open) {
            return;
        }
        self.pass(SECOND);
        self.put(Kind::TurnFinished {
            turn: self.turn,
            status,
            reason,
            events: 0,
            crc32: String::new(),
        });
    }
}

/// Words of a text, as time is counted by them.
fn words(text: &str) -> i64 {
    i64::try_from(count(text)).unwrap_or(i64::MAX / MINUTE)
}

//! A session opened after a crash: its folder found, its cut turn closed, the agent that outlived us waited for.

use std::path::Path;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::{Actor, Msg, blocking};
use crate::agents::child::process as child;
use crate::domain::SessionId;
use crate::domain::head::{Place, Turn};
use crate::domain::kin::Exchange;
use crate::drafts::folder;
use crate::drafts::swap::{self, OnDisk};
use crate::host::turn::Input;
use crate::host::{adopt, drawer, history};

/// How long an agent that outlived its host may take to finish its answer.
const ORPHAN: Duration = Duration::from_secs(60);
/// How long it may take to end when it is told to.
const END: Duration = Duration::from_secs(2);
/// How often its process is looked at.
const LOOK: Duration = Duration::from_millis(200);

impl Actor {
    /// First deeds of an opened session.
    pub(super) async fn opened(&mut self) {
        // Where it is nowhere that is said by the look that follows.
        let is_there = self.find_folder().await.is_ok();
        self.finish_replacing(is_there).await;
        self.retype().await;
        self.settle().await;
        if self.ledger.head.is_open() {
            self.feed(Input::Orphaned);
            self.wait_for_orphan();
        }
        if let Some(said) = adopt::forgotten(&self.shared, &self.ledger.head.kin) {
            self.note(said);
        }
        self.show_row();
        if self.ledger.head.kin.exchange.is_some() {
            adopt::finish_soon(&self.shared, self.id);
        }
    }

    /// A folder that was renamed or moved is found by its mark; one that is gone is made anew, unless its collection's
    /// is gone as well. The error says that it is nowhere.
    pub(super) async fn find_folder(&mut self) -> Result<(), String> {
        if self.shared.access.is_away() {
            return Err("the workspace is no longer where it was".to_owned());
        }
        let (root, at, id) = (
            self.shared.workspace.root().to_owned(),
            self.desk.folder.clone(),
            self.id,
        );
        let exchange = self.ledger.head.kin.exchange.clone();
        let moving = self.ledger.head.moving.clone();
        let moves = moving.is_some();
        let is_open = exchange.is_some();
        let found = blocking(move || locate(&root, (id, &at), exchange, moving)).await;
        let made = found.as_ref().is_ok_and(|(_, made)| *made);
        self.desk.away.remade = made && self.desk.before.is_some();
        match found.map(|(at, _)| at) {
            Ok(at) if at == self.desk.folder => {
                if moves {
                    let collection = self.shared.collection_now_at(&at).await;
                    self.ledger.append(drawer::landed(collection, at));
                }
            }
            // An adoption that was broken off says where it is, when that is done.
            Ok(elsewhere) if is_open => self.desk.folder = elsewhere,
            Ok(elsewhere) => {
                let was = std::mem::replace(&mut self.desk.folder, elsewhere.clone());
                let collection = self.shared.collection_now_at(&elsewhere).await;
                self.ledger
                    .append(drawer::landed(collection, elsewhere.clone()));
                if !self.desk.away.remade {
                    self.note(format!(
                        "This session's folder was found at {elsewhere}; it was {was}."
                    ));
                }
            }
            Err(why) => {
                return Err(self.nowhere(&why).await);
            }
        }
        self.say_remade();
        Ok(())
    }

    /// The folder in which the draft stood was gone: two of them may be somewhere now, and only one is written in.
    fn say_remade(&mut self) {
        if self.desk.away.remade {
            self.note(format!(
                "This session's folder was gone, and was made anew at {} with the draft. If you moved it out of this workspace: nothing is written there any more.",
                self.desk.folder
            ));
        }
    }

    /// What is said of a folder that cannot be had.
    async fn nowhere(&self, why: &str) -> String {
        let (root, id) = (self.shared.workspace.root().to_owned(), self.id);
        let deep = blocking(move || Ok::<_, String>(folder::too_deep(&root, id))).await;
        let at = &self.desk.folder;
        let nowhere = || format!("{at} is nowhere in this workspace ({why})");
        let lies = deep.ok().flatten().unwrap_or_else(nowhere);
        format!("its folder {lies}.")
    }

    /// The agent of the cut turn may still be writing: nothing is sent before it is gone.
    fn wait_for_orphan(&mut self) {
        let Some(turn) = self.ledger.head.turn.clone() else {
            return;
        };
        let at_once = CancellationToken::new();
        self.orphan = Some(at_once.clone());
        let (shared, id, back) = (self.shared.clone(), self.id, self.to_self.clone());
        let path = shared.workspace.root().join(&self.desk.folder);
        let waiting = async move {
            if let Some(process) = &turn.process {
                tokio::select! {
                    () = gone(process) => {}
                    () = at_once.cancelled() => {}
                    () = tokio::time::sleep(ORPHAN) => {}
                }
                child::end_group(process, END).await;
            }
            let text = blocking(move || Ok::<_, String>(salvage(&shared, id, &turn, &path))).await;
            if let Some(back) = back.upgrade() {
                // A session that has closed reads it back when it is opened again.
                drop(back.send(Msg::Recovered(text.ok().flatten())).await);
            }
        };
        self.shared.life.actors.spawn(waiting);
    }
}

/// Where the folder of a session is, and whether it was gone and is a new one.
fn locate(
    root: &Path,
    (id, at): (SessionId, &str),
    exchange: Option<Exchange>,
    moving: Option<Place>,
) -> std::io::Result<(String, bool)> {
    if folder::is_of(&root.join(at), id) {
        return Ok((at.to_owned(), false));
    }
    if let Some(exchange) = exchange
        && let Some(back) = swap::bring_back(&OnDisk, root, (id, at), &exchange.folder)?
    {
        return Ok((back, false));
    }
    if let Some(was) = moving.filter(|was| folder::is_of(&root.join(&was.folder), id)) {
        // A move was broken off. Where it cannot be done the folder stays, and its log says so.
        let landed = drawer::into(root, id, &was.folder, at);
        return Ok((landed.unwrap_or(was.folder), false));
    }
    if let Some(elsewhere) = folder::find(root, id) {
        return Ok((elsewhere, false));
    }
    let stood = root.join(at).is_dir();
    let now_at = folder::remake(root, at, id)?;
    let made = !stood || now_at != at;
    Ok((now_at, made))
}

async fn gone(process: &crate::domain::event::Process) {
    while child::alive(process) {
        tokio::time::sleep(LOOK).await;
    }
}

/// What the agent saved of its answer, when that is more than was read.
fn salvage(
    shared: &super::Shared,
    id: crate::domain::SessionId,
    turn: &Turn,
    path: &std::path::Path,
) -> Option<String> {
    let backend = shared.backend(turn.agent.as_ref()?)?;
    let asked = history::of_turn(&shared.store, id, turn.no).ok()??;
    let saved = backend.salvage(turn.agent_session.as_ref()?, path, &asked.prompt)?;
    (saved.len() as u64 > asked.bytes).then_some(saved)
}

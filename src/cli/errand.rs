//! Errands of the window: what it wants looked at or kept outside the host.

use std::path::Path;

use futures_util::future::join_all;
use tokio::runtime::Handle;
use tokio::sync::mpsc::Sender;

use super::connect::probe;
use super::context::Cx;
use super::import::{self, One, State};
use super::{choice, doctor, export};
use crate::agents::histories::Unreadable;
use crate::agents::{Vars, search};
use crate::config::collection::{LeftAlone, TOP, loose_at_top, loose_folders};
use crate::config::edit::{self, Answer};
use crate::config::found::{self, Way};
use crate::config::load;
use crate::config::recipe::Recipes;
use crate::ui::errand::{Brought, Errand, Errands, First, History, Kept, Server, Sought};
use crate::ui::input::Input;

/// Does one and tells what came of it. Returns at once.
pub(super) fn run(cx: &Cx, tokio: &Handle, errand: Errand, to: Sender<Input>) {
    let cx = cx.clone();
    drop(tokio.spawn(async move {
        let brought = act(&cx.anew(), errand).await;
        // A window that has closed needs to hear nothing.
        drop(to.send(Input::Brought(brought)).await);
    }));
}

async fn act(cx: &Cx, errand: Errand) -> Brought {
    match errand {
        Errand::Doctor => Brought::Doctor(doctor::said(cx).await),
        Errand::Servers => Brought::Servers(servers().await),
        Errand::Models(way) => {
            let models = models(&way).await;
            Brought::Models(way.name, models)
        }
        Errand::Recipes => {
            let (right, wrong) = Recipes::of(&cx.places, &cx.workspace).split();
            Brought::Recipes(right, wrong)
        }
        Errand::Keep(answer) => Brought::Kept(keep(cx, &answer)),
        Errand::Histories => Brought::Histories(histories(cx).await),
        Errand::Outlet => Brought::Outlet(export::outlet(cx)),
        Errand::Export(asked) => Brought::Written(export::write(cx, &asked).await),
        Errand::Loose => Brought::Loose(loose(cx)),
        Errand::Leave(folder) => {
            LeftAlone::of(&cx.places, &cx.workspace).add(&folder);
            Brought::Loose(loose(cx))
        }
    }
}

/// The first folder that could be a collection and was not refused: the workspace itself, then those in it.
fn loose(cx: &Cx) -> Option<(String, u64)> {
    let left = LeftAlone::of(&cx.places, &cx.workspace);
    let top = (TOP.to_owned(), loose_at_top(&cx.workspace));
    let top = Some(top).filter(|(top, many)| *many > 0 && !left.has(top) && !is_taken(cx));
    let mut all = loose_folders(&cx.workspace).into_iter();
    top.or_else(|| all.find(|(folder, _)| !left.has(folder)))
}

/// Whether the files at the top of the workspace are a collection already. Where that cannot be read, they are not
/// offered.
fn is_taken(cx: &Cx) -> bool {
    let root = cx.workspace.root().canonicalize();
    let root = root.unwrap_or_else(|_| cx.workspace.root().to_owned());
    let taken = |shelf: super::shelf::Shelf| {
        let drawer = cx.drawer();
        let mut ids = drawer.collections.iter().map(|c| &c.id);
        ids.any(|id| shelf.has_taken_from(id, &root))
    };
    cx.shelf().map_or(true, taken)
}

/// Claude Code's histories on this machine, those of the workspace first.
async fn histories(cx: &Cx) -> Result<Vec<History>, String> {
    let cx = cx.clone();
    let looking = tokio::task::spawn_blocking(move || {
        let (mut all, wrong) = import::found(&cx, None, None).map_err(|e| e.to_string())?;
        all.retain(|one| one.state != State::Ours);
        let root = cx.workspace.root().canonicalize();
        let root = root.unwrap_or_else(|_| cx.workspace.root().to_owned());
        let mut rows: Vec<History> = all.iter().map(|one| history(one, &root)).collect();
        rows.sort_by_key(|one| !one.near);
        rows.extend(wrong.iter().map(unreadable));
        Ok(rows)
    });
    looking.await.map_err(|e| e.to_string())?
}

/// One that is listed so that nobody looks for it, and cannot be brought in.
fn unreadable(one: &Unreadable) -> History {
    let name = one.path.file_name().unwrap_or_default();
    History {
        title: name.to_string_lossy().into_owned(),
        folder: one.path.display().to_string(),
        path: one.path.display().to_string(),
        when: one.when,
        bytes: one.bytes,
        messages: None,
        branches: 0,
        near: false,
        here: Some(format!("It cannot be read: {}.", one.why)),
    }
}

fn history(one: &One, root: &Path) -> History {
    let about = &one.found.about;
    let here = one.session.as_ref().map(|(_, title)| match one.state {
        State::Grown => {
            format!("It is here as “{title}”, and has grown{} since.", one.by())
        }
        State::Part => format!("It is here as “{title}”, without all its branches."),
        _ => format!("It is here as “{title}”."),
    });
    History {
        path: about.path.display().to_string(),
        title: one.title(),
        folder: about
            .folder
            .as_ref()
            .map_or_else(String::new, |f| f.display().to_string()),
        when: about.times.1,
        bytes: about.bytes,
        messages: one.found.whole.then_some(about.messages),
        branches: one.found.sizes.1,
        near: about.folder.as_ref().is_some_and(|f| f.starts_with(root)),
        here,
    }
}

/// The model servers of this machine that answer.
async fn servers() -> Vec<Server> {
    let looked = found::servers().into_iter().map(|way| async move {
        let models = probe(&way.agent(None)).await.models;
        (!models.is_empty()).then_some(Server { way, models })
    });
    join_all(looked).await.into_iter().flatten().collect()
}

async fn models(way: &Way) -> Result<Vec<String>, String> {
    let said = probe(&way.agent(None)).await;
    if said.models.is_empty() {
        let fix = said.fix.map(|f| format!(" {f}")).unwrap_or_default();
        return Err(format!("{}{fix}", said.why));
    }
    Ok(said.models)
}

fn keep(cx: &Cx, answer: &Answer) -> Result<Kept, String> {
    let name = edit::keep(&cx.places.config, answer).map_err(|e| match e {
        crate::config::ConfigError::Broken(problem) => {
            format!("Your settings have a mistake and were not changed: {problem}")
        }
        e => e.to_string(),
    })?;
    let config = load(&cx.places, Some(&cx.workspace)).config;
    Ok(Kept {
        name,
        agents: choice::offered(&config),
        unready: choice::unready(&config),
        web: choice::with_web(&config),
    })
}

/// What the window is told for its first minutes.
pub(super) fn first(cx: &Cx, welcome: bool, sample: bool) -> First {
    let config = &cx.loaded.config;
    let vars = Vars::of_process();
    let claude = search::program(found::CLAUDE, &vars).is_ok();
    First {
        welcome,
        sample,
        offer: found::is_open(config),
        ways: found::ways(claude, |name| vars.text(name).is_some()),
        errands: Errands {
            loose: Sought::Here(loose(cx)),
            ..Errands::default()
        },
    }
}

//! Errands of the window: what it wants looked at or kept outside the host.

use futures_util::future::join_all;
use tokio::runtime::Handle;
use tokio::sync::mpsc::Sender;

use super::connect::probe;
use super::context::Cx;
use super::{doctor, window};
use crate::agents::{Vars, search};
use crate::config::edit::{self, Answer};
use crate::config::found::{self, Way};
use crate::config::recipe::Recipes;
use crate::config::{Config, load};
use crate::ui::errand::{Brought, Errand, First, Kept, Server};
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
        agents: window::choices(&config),
        unready: window::unready(&config),
    })
}

/// What the window is told for its first minutes.
pub(super) fn first(config: &Config, welcome: bool, sample: bool) -> First {
    let vars = Vars::of_process();
    let claude = search::program(found::CLAUDE, &vars).is_ok();
    First {
        welcome,
        sample,
        offer: found::is_open(config),
        ways: found::ways(claude, |name| vars.text(name).is_some()),
        ..First::default()
    }
}

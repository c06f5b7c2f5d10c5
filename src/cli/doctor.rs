//! `doctor` and `agents`: what could write with you, and whether this workspace can be written.

use std::collections::HashSet;
use std::path::Path;

use serde::Serialize;

use super::connect::probe;
use super::context::Cx;
use super::error::CliError;
use super::out;
use super::table::columns;
use super::window::theme_of;
use super::{keys, trace, verify};
use crate::agents::Vars;
use crate::config::found::{self, Way};
use crate::config::load::blank;
use crate::domain::{AgentKind, AgentSpec, Head, SessionId};
use crate::drafts::folder;
use crate::memory::brief::{Part, gather};
use crate::text::quotes::quoted;
use crate::text::voice::Voice;
use crate::text::{counted, one_line, revealed};

/// How many of a server's models are named.
const MODELS_SHOWN: usize = 8;

/// How many pieces whose folders are nowhere are named.
const GONE_SHOWN: usize = 8;

/// What makes an agent of what was found.
const CONNECT: &str = "Choose “Connect an agent” among the commands of the window.";

/// What makes a local server an agent, ready to be pasted.
const LOCAL: &str = "Choose “Connect an agent” among the commands of the window, or add to the configuration:\n[agents.local]\nkind = \"openai\"\nbase_url = \"http://127.0.0.1:11434/v1\"\nmodel = \"…\"";

/// An agent and its health, for scripts.
#[derive(Serialize)]
struct Checked {
    name: String,
    kind: AgentKind,
    ok: bool,
    why: String,
    fix: Option<String>,
    models: Vec<String>,
    /// It is nothing that anybody asked for: that it is not there is no fault.
    #[serde(skip)]
    offered: bool,
}

/// A workspace and its health, for scripts.
#[derive(Serialize)]
struct Place {
    path: String,
    made: bool,
    writable: bool,
    why: Option<String>,
    locks: bool,
    sessions: u64,
    damaged: usize,
    gaps: usize,
    problems: Vec<String>,
    /// What may be meant otherwise than it is understood.
    notes: Vec<String>,
}

/// All of it, for scripts.
#[derive(Serialize)]
struct Report {
    agents: Vec<Checked>,
    workspace: Place,
    config: String,
    diagnostics: String,
    problems: Vec<String>,
}

/// Says how everything is, and what would mend what is not well.
pub(super) async fn doctor(cx: &Cx) -> Result<(), CliError> {
    let report = report(cx).await;
    if cx.out.json() {
        return cx.out.value(&report);
    }
    out::page(&page(&report))
}

/// The same as lines, for the window.
pub(super) async fn said(cx: &Cx) -> String {
    page(&report(cx).await)
}

async fn report(cx: &Cx) -> Report {
    let mut agents = Vec::new();
    for spec in &cx.loaded.config.agents {
        let default = spec.name == cx.loaded.config.default_agent;
        let asked = default || *spec != blank(&spec.name, spec.kind);
        agents.push(check(spec, asked).await);
    }
    agents.extend(ready(&cx.loaded.config.agents));
    agents.extend(offer(&cx.loaded.config.agents));
    // It reads every log: others must not wait for that.
    let looking = cx.clone();
    let looked = tokio::task::spawn_blocking(move || workspace(&looking)).await;
    let problems = cx.loaded.problems.iter().chain(&cx.loaded.notes);
    let problems = problems.map(ToString::to_string);
    Report {
        agents,
        workspace: looked.unwrap_or_else(|e| std::panic::resume_unwind(e.into_panic())),
        config: cx.places.config.display().to_string(),
        diagnostics: trace::file(&cx.places).display().to_string(),
        problems: problems
            .chain(keys::wrong(&cx.loaded.config))
            .chain(theme_of(cx).1)
            .collect(),
    }
}

async fn check(spec: &AgentSpec, asked: bool) -> Checked {
    let mut found = probe(spec).await;
    if found.ok && !asked && spec.kind == AgentKind::Claude {
        found.fix.get_or_insert_with(|| CONNECT.to_owned());
    }
    Checked {
        name: spec.name.clone(),
        kind: spec.kind,
        ok: found.ok,
        why: found.why,
        fix: found.fix,
        models: found.models,
        offered: !asked,
    }
}

/// What lies ready and is not used: services whose key is set. Nothing is asked of them.
fn ready(agents: &[AgentSpec]) -> Vec<Checked> {
    let vars = Vars::of_process();
    let ways = found::ways(false, |name| vars.text(name).is_some());
    let used = |way: &Way| agents.iter().any(|a| a.base_url == way.base_url);
    let unused = ways.into_iter().filter(|way| !used(way));
    let said = unused.map(|way| Checked {
        why: format!("{}: {} is set, and not used.", way.title, way.place()),
        name: way.name,
        kind: way.kind,
        ok: false,
        fix: Some(CONNECT.to_owned()),
        models: Vec::new(),
        offered: true,
    });
    said.collect()
}

/// The kind of agent that is not configured and could be. No server is looked for: that is the writer's to say.
fn offer(agents: &[AgentSpec]) -> Option<Checked> {
    if agents.iter().any(|a| a.kind == AgentKind::Openai) {
        return None;
    }
    Some(Checked {
        name: "local".to_owned(),
        kind: AgentKind::Openai,
        ok: false,
        why: "No server with OpenAI's chat completions is configured.".to_owned(),
        fix: Some(LOCAL.to_owned()),
        models: Vec::new(),
        offered: true,
    })
}

fn workspace(cx: &Cx) -> Place {
    let root = cx.workspace.root();
    let made = cx.workspace.is_made();
    let dir = if made {
        cx.workspace.private()
    } else {
        nearest_folder(root)
    };
    let (writable, locks, mut why) = match try_out(&dir) {
        Ok(locks) => (true, locks, None),
        Err(e) => (false, false, Some(format!("{}: {e}", dir.display()))),
    };
    if writable && !locks {
        why =
            Some("The file system has no locks: two programs could write one session.".to_owned());
    }
    let drawer = cx.whole_drawer();
    let mut problems: Vec<String> = drawer.problems.iter().map(ToString::to_string).collect();
    problems.extend(nowhere(cx));
    let found = match cx.shelf().and_then(|shelf| verify::look(cx, &shelf, None)) {
        Ok(found) => found,
        Err(e) => {
            problems.push(e.to_string());
            crate::log::Report::default()
        }
    };
    let odd = found.strays.len() + found.logless.len();
    if odd > 0 {
        problems.push(format!(
            "{} beside the sessions: a log copied or renamed by hand, or a folder whose log is gone. See them with: fascicle verify",
            counted(odd as u64, "stray")
        ));
    }
    Place {
        path: root.display().to_string(),
        made,
        writable,
        why,
        locks,
        sessions: found.sessions,
        damaged: found.damaged.len() + found.blobs.len(),
        gaps: found.gaps.len(),
        problems,
        notes: not_understood(gather(root, None).text(Part::Voice)),
    }
}

/// The pieces whose folders are nowhere, the first few of them by name.
fn nowhere(cx: &Cx) -> Vec<String> {
    let there: HashSet<SessionId> = folder::marked(cx.workspace.root())
        .into_iter()
        .map(|(_, session)| session)
        .collect();
    let heads = cx.shelf().map(|shelf| shelf.heads()).unwrap_or_default();
    let is_gone = |head: &&Head| !head.trashed && head.id.is_some_and(|id| !there.contains(&id));
    let gone: Vec<&Head> = heads.iter().filter(is_gone).collect();
    let mut said: Vec<String> = gone
        .iter()
        .take(GONE_SHOWN)
        .map(|head| lost(cx.workspace.root(), head))
        .collect();
    let more = gone.len().saturating_sub(GONE_SHOWN);
    if more > 0 {
        said.push(format!("So it is with {more} more."));
    }
    said
}

fn lost(root: &Path, head: &Head) -> String {
    let at = head.place.as_ref().map_or("", |place| &place.folder);
    if let Some(deep) = head.id.and_then(|id| folder::too_deep(root, id)) {
        let title = one_line(&head.whole_title());
        return format!("“{title}”: its folder {}.", revealed(&deep));
    }
    format!(
        "“{}”: its folder {} is nowhere in this workspace. Put it back; every version is in its log.",
        one_line(&head.whole_title()),
        revealed(at)
    )
}

/// What stands among words never written and forbids none.
fn not_understood(voice: &str) -> Vec<String> {
    let voice = Voice::read(voice);
    let told = voice.missed().iter().map(|line| {
        let why = if quoted(line).is_empty() {
            "it is not understood as words. Put words in quotation marks, or behind a colon."
        } else {
            "drafts are checked for words and short phrases, not for where they stand."
        };
        let line = revealed(line);
        format!("VOICE.md: “{line}” is not checked: {why}")
    });
    told.collect()
}

fn nearest_folder(root: &Path) -> std::path::PathBuf {
    let there = root.ancestors().find(|p| p.is_dir());
    there.unwrap_or(root).to_owned()
}

/// Whether a file can be made in a folder, and then locked. It is gone as soon as it is closed.
fn try_out(dir: &Path) -> std::io::Result<bool> {
    let file = tempfile::tempfile_in(dir)?;
    Ok(file.try_lock().is_ok())
}

fn page(report: &Report) -> String {
    let mut lines = vec!["Agents".to_owned()];
    lines.extend(report.agents.iter().flat_map(agent_lines));
    lines.push(format!("\nWorkspace {}", report.workspace.path));
    lines.extend(place_lines(&report.workspace));
    lines.push(format!("\nConfiguration {}", report.config));
    lines.extend(report.problems.iter().map(|p| format!("  ✗ {p}")));
    lines.push(format!("Diagnostics {}\n", report.diagnostics));
    lines.join("\n")
}

fn agent_lines(agent: &Checked) -> Vec<String> {
    let mark = match agent.ok {
        true => "✓",
        false if agent.offered => "–",
        false => "✗",
    };
    let (name, why) = (one_line(&agent.name), one_line(&agent.why));
    let mut lines = vec![format!("  {mark} {name}  {why}")];
    if !agent.models.is_empty() {
        let few = agent.models.iter().take(MODELS_SHOWN);
        let few: Vec<String> = few.map(|m| one_line(m)).collect();
        lines.push(format!("      models: {}", few.join(", ")));
    }
    let fix = agent.fix.as_deref().unwrap_or_default();
    lines.extend(fix.lines().enumerate().map(|(i, line)| {
        let first = if agent.offered {
            "to have it: "
        } else {
            "fix: "
        };
        let lead = if i == 0 { first } else { "    " };
        format!("      {lead}{}", one_line(line))
    }));
    lines
}

fn place_lines(place: &Place) -> Vec<String> {
    let written = match (place.made, place.writable) {
        (true, true) => "  ✓ can be written",
        (false, true) => "  ✓ not made yet; it is made when something is first written",
        (_, false) => "  ✗ cannot be written; reading works",
    };
    let mut lines = vec![written.to_owned()];
    lines.extend(place.why.iter().map(|why| format!("      {why}")));
    let sessions = counted(place.sessions, "session");
    if place.damaged + place.gaps == 0 {
        lines.push(format!("  ✓ {sessions}, all whole"));
    } else {
        lines.push(format!(
            "  ✗ {sessions}; {} damaged lines or blobs, {} gaps",
            place.damaged, place.gaps
        ));
        lines.push("      fix: see them with: fascicle verify".to_owned());
    }
    lines.extend(place.problems.iter().map(|p| format!("  ✗ {p}")));
    lines.extend(place.notes.iter().map(|note| format!("  – {note}")));
    lines
}

/// An agent, for scripts.
#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    kind: AgentKind,
    model: Option<&'a str>,
    default: bool,
}

/// Lists the agents a session can choose.
pub(super) fn agents(cx: &Cx) -> Result<(), CliError> {
    let config = &cx.loaded.config;
    let listed: Vec<Listed<'_>> = config
        .agents
        .iter()
        .map(|a| Listed {
            name: &a.name,
            kind: a.kind,
            model: a.model.as_deref(),
            default: a.name == config.default_agent,
        })
        .collect();
    if cx.out.json() {
        return cx.out.value(&listed);
    }
    let rows: Vec<Vec<String>> = listed
        .iter()
        .map(|a| {
            vec![
                one_line(a.name),
                a.kind.word().to_owned(),
                one_line(a.model.unwrap_or_default()),
                if a.default { "default" } else { "" }.to_owned(),
            ]
        })
        .collect();
    out::page(&columns(&rows))
}

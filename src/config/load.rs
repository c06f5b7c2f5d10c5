//! The two files of settings, merged: the writer's own, then the workspace's.
//!
//! A workspace may be a folder that came from somewhere else. Its file may say which agent and how the
//! window looks, but it cannot define agents, commands, addresses or keys unless the writer trusts exactly
//! that file: a copied folder must not run programs or send keys away.

use std::path::Path;
use std::time::Duration;

use super::file::{self, File, Table, Value, flag, text, texts};
use super::nearest::nearest;
use super::problem::Problem;
use super::{
    BUILT_IN, Changes, Config, Enter, Notify, Places, Rebound, Window, Workspace, choose, plain,
    theme,
};
use crate::domain::{AgentKind, AgentSpec};
use crate::text::hash::sha256;

/// Turns at once when nothing is set.
const TURNS_AT_ONCE: usize = 6;
/// How long a host stays alone when nothing is set.
const HOST_STAYS: Duration = Duration::from_secs(60);
/// What the Claude Code program may see beside what every child gets: its keys and its home.
const CLAUDE_ENV: [&str; 5] = [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_OAUTH_TOKEN",
];

/// Settings as far as they could be read, and what was wrong.
#[derive(Clone, PartialEq, Debug)]
pub struct Loaded {
    /// The settings.
    pub config: Config,
    /// Mistakes: what changes anything waits until they are mended.
    pub problems: Vec<Problem>,
    /// Things to know that stop nothing.
    pub notes: Vec<Problem>,
}

/// Reads the files that are there. A missing file is an empty one.
pub fn load(places: &Places, workspace: Option<&Workspace>) -> Loaded {
    let mut problems = Vec::new();
    let mut notes = Vec::new();
    let user = read(&places.config, &mut problems);
    let mut theirs = workspace
        .map(|w| read(&w.config_file(), &mut problems))
        .unwrap_or_default();
    hold_back(&user, &mut theirs, &mut notes);
    let mut config = merge(&user, &theirs, &mut problems);
    for file in [&user, &theirs] {
        notes.extend(file.slips.iter().map(Problem::unused));
        known_theme(places, file, &mut config.window, &mut notes);
    }
    Loaded {
        config,
        problems,
        notes,
    }
}

fn read(path: &Path, problems: &mut Vec<Problem>) -> File {
    let why = match plain::bytes(path) {
        Ok(bytes) => match plain::utf8(bytes) {
            Ok(text) => {
                let (file, wrong) = file::parse(path, &text);
                problems.extend(wrong);
                return file;
            }
            Err(why) => why,
        },
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return File::default(),
        // The folder `.fascicle` is a file, or the like: other rooms will say so better.
        Err(e) if e.kind() == std::io::ErrorKind::NotADirectory => return File::default(),
        Err(e) => format!("It could not be read: {e}."),
    };
    problems.push(Problem::of(path, why));
    File::default()
}

/// Takes out of a workspace's file what it may not say.
fn hold_back(user: &File, theirs: &mut File, notes: &mut Vec<Problem>) {
    if let Some(entry) = theirs.top.remove("trusted") {
        let what = "Only your own configuration can trust a file; this line is not used.";
        notes.push(Problem::at(&theirs.path, &theirs.text, entry.byte, what));
    }
    let editor = theirs.window.get("editor").map(|e| e.byte);
    let first = theirs.agents.values().map(|(b, _)| *b).chain(editor).min();
    let (Some(byte), hash) = (first, fingerprint(theirs.text.as_bytes())) else {
        return;
    };
    if texts(&user.top, "trusted").contains(&hash) {
        return;
    }
    let what = format!(
        "Agents and an editor named by a workspace are not used until you trust exactly this file: they are programs that would run. To trust it, add to `trusted` in your own configuration: \"{hash}\"."
    );
    notes.push(Problem::at(&theirs.path, &theirs.text, byte, what));
    theirs.agents.clear();
    theirs.window.remove("editor");
}

/// A theme that is not there is no reason to stop: the default is used.
fn known_theme(places: &Places, file: &File, window: &mut Window, notes: &mut Vec<Problem>) {
    let (Some(name), Some(entry)) = (text(&file.window, "theme"), file.window.get("theme")) else {
        return;
    };
    if !theme::names(places).contains(&name) {
        let what = theme::none(places, &name);
        notes.push(Problem::at(&file.path, &file.text, entry.byte, what));
        if window.theme == name {
            theme::DEFAULT.clone_into(&mut window.theme);
        }
    }
}

/// A file as `trusted` names it.
fn fingerprint(bytes: &[u8]) -> String {
    format!("sha256:{}", sha256(bytes))
}

fn merge(user: &File, theirs: &File, problems: &mut Vec<Problem>) -> Config {
    let mut config = unset(defined(user, theirs, problems));
    for file in [user, theirs] {
        top(file, &mut config, problems);
        window(&file.window, &mut config.window);
        keys(file, &mut config.keys);
    }
    config
}

/// The agents that the files define; one of the workspace's takes the place of the writer's own of that name.
fn defined(user: &File, theirs: &File, problems: &mut Vec<Problem>) -> Vec<AgentSpec> {
    let mut agents: Vec<AgentSpec> = Vec::new();
    for file in [user, theirs] {
        for (name, (byte, table)) in &file.agents {
            match agent(name, table) {
                Ok(spec) => {
                    agents.retain(|a| a.name != spec.name);
                    agents.push(spec);
                }
                Err(what) => problems.push(Problem::at(&file.path, &file.text, *byte, what)),
            }
        }
    }
    agents
}

/// What holds where nothing is set but these agents: they, and those that are built in.
fn unset(mut agents: Vec<AgentSpec>) -> Config {
    let defined = !agents.is_empty();
    let default_agent = choose::of_itself(&agents);
    for kind in BUILT_IN {
        if agents.iter().all(|a| a.name != kind.word()) {
            agents.push(blank(kind.word(), kind));
        }
    }
    agents.sort_by(|a, b| a.name.cmp(&b.name));
    Config {
        default_agent,
        turns_at_once: TURNS_AT_ONCE,
        host_stays: HOST_STAYS,
        changes: Changes::Apply,
        agents,
        offer: true,
        defined,
        window: Window {
            enter: Enter::Send,
            notify: Notify::Auto,
            light: None,
            theme: theme::DEFAULT.to_owned(),
            mouse: false,
            links: true,
            editor: None,
            smooth: false,
        },
        keys: Vec::new(),
    }
}

fn keys(file: &File, keys: &mut Vec<Rebound>) {
    for (name, entry) in &file.keys {
        let line = Problem::at(&file.path, &file.text, entry.byte, "").line;
        keys.retain(|r| r.command != *name);
        keys.push(Rebound {
            command: name.clone(),
            keys: texts(&file.keys, name),
            at: line.map(|line| (file.path.clone(), line)),
        });
    }
}

fn top(file: &File, config: &mut Config, problems: &mut Vec<Problem>) {
    if let Some(n) = file.top.get("turns_at_once").and_then(|e| whole(&e.value)) {
        config.turns_at_once = n;
    }
    if let Some(secs) = file.top.get("host_stays").and_then(|e| whole(&e.value)) {
        config.host_stays = Duration::from_secs(secs as u64);
    }
    config.offer = flag(&file.top, "offer").unwrap_or(config.offer);
    if let Some(word) = text(&file.top, "changes") {
        config.changes = Changes::of(&word);
    }
    let Some(entry) = file.top.get("default_agent") else {
        return;
    };
    if let Value::Text(name) = &entry.value {
        if config.agent(name).is_some() {
            config.default_agent.clone_from(name);
        } else {
            let what = unknown_agent(config, name);
            problems.push(Problem::at(&file.path, &file.text, entry.byte, what));
        }
    }
}

/// The line that says that no agent has this name, with the ones there are.
pub fn unknown_agent(config: &Config, name: &str) -> String {
    let names: Vec<&str> = config.agents.iter().map(|a| a.name.as_str()).collect();
    match nearest(name, names.iter().copied()) {
        Some(near) => format!("There is no agent {name:?}. Did you mean {near:?}?"),
        None => format!(
            "There is no agent {name:?}. There are: {}.",
            names.join(", ")
        ),
    }
}

fn window(table: &Table, window: &mut Window) {
    if let Some(word) = text(table, "enter") {
        window.enter = if word == "newline" {
            Enter::NewLine
        } else {
            Enter::Send
        };
    }
    if let Some(word) = text(table, "notify") {
        let known = Notify::WORDS.iter().find(|w| w.0 == word);
        window.notify = known.map_or(window.notify, |w| w.1);
    }
    window.theme = text(table, "theme").unwrap_or(std::mem::take(&mut window.theme));
    window.mouse = flag(table, "mouse").unwrap_or(window.mouse);
    window.links = flag(table, "links").unwrap_or(window.links);
    window.light = flag(table, "light").or(window.light);
    window.editor = text(table, "editor").or(window.editor.take());
    window.smooth = flag(table, "smooth").unwrap_or(window.smooth);
}

/// An agent of a kind as it is when nothing is said of it.
pub fn blank(name: &str, kind: AgentKind) -> AgentSpec {
    let claude = kind == AgentKind::Claude;
    AgentSpec {
        name: name.to_owned(),
        kind,
        command: if claude { "claude" } else { "" }.to_owned(),
        args: Vec::new(),
        env: if claude {
            CLAUDE_ENV.map(str::to_owned).to_vec()
        } else {
            Vec::new()
        },
        model: None,
        base_url: None,
        api_key_env: None,
        api_key_command: Vec::new(),
        context: None,
        compact_at: None,
    }
}

fn agent(name: &str, table: &Table) -> Result<AgentSpec, String> {
    let word = text(table, "kind").unwrap_or_else(|| name.to_owned());
    let kind = AgentKind::ALL.into_iter().find(|k| k.word() == word);
    let kind = kind.ok_or_else(|| {
        format!("[agents.{name}] needs a kind: \"claude\", \"openai\" or \"editor\".")
    })?;
    let mut spec = blank(name, kind);
    spec.command = text(table, "command").unwrap_or(spec.command);
    spec.args = texts(table, "args");
    if table.contains_key("env") {
        spec.env = texts(table, "env");
    }
    spec.model = text(table, "model");
    spec.base_url = text(table, "base_url");
    spec.api_key_env = text(table, "api_key_env");
    spec.api_key_command = texts(table, "api_key_command");
    let number = |name| table.get(name).and_then(|e| whole(&e.value));
    spec.context = number("context").and_then(|n| n.try_into().ok());
    spec.compact_at = number("compact_at").and_then(|n| n.try_into().ok());
    needs(&spec)?;
    Ok(spec)
}

/// What an agent of this kind cannot be without, and addresses that are none.
fn needs(spec: &AgentSpec) -> Result<(), String> {
    let name = &spec.name;
    match (spec.kind, &spec.base_url) {
        (AgentKind::Openai, None) => Err(format!(
            "[agents.{name}] needs a base_url, such as \"http://127.0.0.1:11434/v1\"."
        )),
        (AgentKind::Openai, Some(url))
            if !url.starts_with("http://") && !url.starts_with("https://") =>
        {
            Err(format!(
                "base_url of [agents.{name}] must begin with http:// or https://."
            ))
        }
        (AgentKind::Scripted, _) if spec.command.is_empty() => Err(format!(
            "[agents.{name}] needs a command: the file of its stream."
        )),
        _ => Ok(()),
    }
}

fn whole(value: &Value) -> Option<usize> {
    match value {
        Value::Whole(n) => usize::try_from(*n).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    fn loaded(user: &str, theirs: &str) -> Loaded {
        let dir = tempfile::tempdir().unwrap();
        let places = Places::under(&dir.path().join("home"));
        let workspace = Workspace::at(&dir.path().join("work"));
        workspace.make().unwrap();
        std::fs::create_dir_all(places.config.parent().unwrap()).unwrap();
        std::fs::write(&places.config, user).unwrap();
        std::fs::write(workspace.config_file(), theirs).unwrap();
        load(&places, Some(&workspace))
    }

    const LOCAL: &str = "[agents.local]\nkind = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\n";

    #[test]
    fn with_nothing_configured_claude_and_the_editor_are_there() {
        let got = loaded("", "");
        assert_eq!((got.problems.len(), got.notes.len()), (0, 0));
        assert_eq!(got.config.default_agent, "editor");
        assert_eq!(got.config.agent("claude").unwrap().command, "claude");
        assert_eq!(got.config.agent("claude").unwrap().env, CLAUDE_ENV);
        assert_eq!(got.config.turns_at_once, 6);
    }

    #[test]
    fn the_only_agent_a_writer_defines_is_the_default() {
        assert_eq!(loaded(LOCAL, "").config.default_agent, "local");
    }

    #[test]
    fn the_workspace_may_choose_but_not_define() {
        let got = loaded(
            LOCAL,
            &format!(
                "default_agent = \"claude\"\nturns_at_once = 2\n[window]\nenter = \"newline\"\n{}",
                LOCAL.replace("local", "evil")
            ),
        );
        assert_eq!(got.config.default_agent, "claude");
        assert_eq!(got.config.turns_at_once, 2);
        assert_eq!(got.config.window.enter, Enter::NewLine);
        assert!(got.config.agent("evil").is_none());
        assert!(got.problems.is_empty(), "{:?}", got.problems);
        assert_eq!(got.notes[0].line, Some(5));
    }

    #[test]
    fn a_theme_that_is_not_there_is_said_with_its_line_and_the_default_is_used() {
        let got = loaded("[window]\nenter = \"tab\"\nmouse = true\n", "");
        assert_eq!(got.problems, []);
        assert!(got.notes[0].to_string().ends_with("This line is not used."));
        assert_eq!(
            (got.config.window.enter, got.config.window.mouse),
            (Enter::Send, true)
        );
        let got = loaded("[window]\ntheme = \"papr\"\n", "");
        assert_eq!(got.config.window.theme, "plain");
        assert!(got.problems.is_empty(), "{:?}", got.problems);
        assert_eq!(got.notes[0].line, Some(2));
        assert!(got.notes[0].what.contains("Did you mean \"paper\"?"));
        assert_eq!(
            loaded("[window]\ntheme = \"paper\"\n", "")
                .config
                .window
                .theme,
            "paper"
        );
    }

    #[test]
    fn a_copied_folder_names_no_editor() {
        let got = loaded("", "[window]\neditor = \"sh -c evil\"\nnotify = \"off\"\n");
        assert_eq!(got.config.window.editor, None);
        assert_eq!(got.config.window.notify, Notify::Off);
        assert!(
            got.notes[0].to_string().contains("editor"),
            "{:?}",
            got.notes
        );
    }

    #[test]
    fn a_trusted_file_may_define_until_a_byte_of_it_changes() {
        let theirs = LOCAL.replace("local", "house");
        let user = format!("trusted = [\"{}\"]", fingerprint(theirs.as_bytes()));
        assert!(loaded(&user, &theirs).config.agent("house").is_some());
        assert!(
            loaded(&user, &format!("{theirs} "))
                .config
                .agent("house")
                .is_none()
        );
    }

    #[test]
    fn a_workspace_cannot_trust_itself() {
        let theirs = LOCAL.replace("local", "house");
        let got = loaded("", &format!("trusted = [\"sha256:0\"]\n{theirs}"));
        assert!(got.config.agent("house").is_none());
        assert_eq!(got.notes.len(), 2);
    }

    #[test]
    fn a_default_that_no_agent_has_is_named_with_its_line_and_the_nearest() {
        let got = loaded("", "\ndefault_agent = \"cloude\"");
        assert_eq!(got.config.default_agent, "editor");
        assert_eq!(got.problems[0].line, Some(2));
        assert!(got.problems[0].what.contains("Did you mean \"claude\"?"));
    }

    #[test]
    fn an_agent_without_what_it_needs_is_refused_by_name() {
        for (text, said) in [
            ("[agents.x]\n", "needs a kind"),
            ("[agents.x]\nkind = \"openai\"", "needs a base_url"),
            (
                "[agents.x]\nkind = \"openai\"\nbase_url = \"localhost\"",
                "must begin with",
            ),
            ("[agents.x]\nkind = \"scripted\"", "needs a command"),
        ] {
            let got = loaded(text, "");
            assert!(got.problems[0].what.contains(said), "{:?}", got.problems);
        }
    }

    #[test]
    fn a_file_that_is_no_text_is_a_problem_and_not_an_end() {
        let dir = tempfile::tempdir().unwrap();
        let places = Places::under(dir.path());
        std::fs::create_dir_all(places.config.parent().unwrap()).unwrap();
        std::fs::write(&places.config, b"a = \"\xff\"").unwrap();
        let got = load(&places, None);
        assert!(got.problems[0].what.contains("not UTF-8 from byte 5"));
        assert_eq!(got.config.default_agent, "editor");
    }
}

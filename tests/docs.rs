//! The pages that are made from the source are as fresh as the source. `UPDATE_DOCS=1 cargo test` writes them anew.
#![allow(clippy::unwrap_used, reason = "test")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory as _};
use fascicle::cli::args::Cli;
use fascicle::config::file::{parse, wanted};
use fascicle::config::setting::{AGENT, COLLECTION, PIECE, Setting, TOP, WINDOW};
use fascicle::config::theme::{ROLES, Theme};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn fresh(name: &str, made: &str) {
    let path = root().join("docs").join(name);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, made).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == made,
        "docs/{name} is out of date. Write it anew with: UPDATE_DOCS=1 cargo test --test docs"
    );
}

#[test]
fn every_file_that_the_map_names_is_there() {
    let map = std::fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let named = map.split('`').skip(1).step_by(2);
    let is_source = |name: &str| Path::new(name).extension().is_some_and(|e| e == "rs");
    let is_folder = |name: &str| name.ends_with('/') && !name.starts_with('.');
    let files = named.filter(|name| is_source(name) || is_folder(name));
    let gone: Vec<&str> = files
        .filter(|file| {
            let at = |dir: &str| root().join(dir).join(file).exists();
            !at("src") && !at("")
        })
        .collect();
    assert_eq!(gone, Vec::<&str>::new(), "docs/architecture.md names them");
}

#[test]
fn the_page_of_verbs_is_fresh() {
    let mut command = Cli::command().term_width(100);
    command.build();
    let mut page = String::from(CLI_INTRO);
    let globals = command.get_arguments().filter(|a| a.is_global_set());
    for arg in globals {
        let about = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let value = arg
            .get_value_names()
            .map(|v| format!(" {}", v[0]))
            .filter(|_| arg.get_action().takes_values());
        let _ = writeln!(
            page,
            "- `--{}{}`: {about}.",
            arg.get_long().unwrap(),
            value.unwrap_or_default()
        );
    }
    page.push('\n');
    for verb in command.get_subcommands_mut() {
        section(&mut page, verb, "##");
    }
    page.push_str(CLI_FIELDS);
    fresh("cli.md", &page);
}

fn section(page: &mut String, verb: &mut Command, level: &str) {
    let usage = verb.render_usage().to_string();
    let usage = usage
        .trim_start_matches("Usage: ")
        .replace(" [OPTIONS]", "");
    let name = usage
        .split(" <")
        .next()
        .unwrap()
        .split(" [")
        .next()
        .unwrap();
    let about = verb
        .get_about()
        .map(ToString::to_string)
        .unwrap_or_default();
    let _ = write!(
        page,
        "{level} {}\n\n    {usage}\n\n{about}.\n",
        name.trim_start_matches("fascicle ")
    );
    let args: Vec<String> = verb.get_arguments().filter_map(row).collect();
    if !args.is_empty() {
        let _ = write!(page, "\n{}\n", args.join("\n"));
    }
    if let Some(more) = verb.get_after_help() {
        let _ = write!(page, "\n{}\n", code(&more.to_string()));
    }
    page.push('\n');
    for inner in verb.get_subcommands_mut() {
        section(page, inner, &format!("{level}#"));
    }
}

fn row(arg: &clap::Arg) -> Option<String> {
    if arg.is_global_set() || arg.get_id() == "help" {
        return None;
    }
    let name = match (arg.get_short(), arg.get_long()) {
        (Some(short), Some(long)) => format!("-{short}, --{long}"),
        (None, Some(long)) => format!("--{long}"),
        _ => arg.get_id().as_str().to_uppercase(),
    };
    let about = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let words: Vec<String> = arg
        .get_possible_values()
        .iter()
        .filter(|_| arg.get_action().takes_values())
        .map(|v| format!("`{}`", v.get_name()))
        .collect();
    let words = if words.is_empty() {
        String::new()
    } else {
        format!(": {}", words.join(", "))
    };
    Some(format!("- `{name}`: {about}{words}."))
}

/// Examples as a heading and a block.
fn code(text: &str) -> String {
    let mut lines = text.lines();
    let head = lines.next().unwrap_or_default();
    let block: Vec<String> = lines.map(|l| format!("    {}", l.trim_start())).collect();
    format!("{head}\n\n{}", block.join("\n"))
}

#[test]
fn the_page_of_settings_is_fresh() {
    let mut page = String::from(CONFIG_INTRO);
    for (name, settings) in [
        ("Outside any table", TOP),
        ("`[agents.NAME]`", AGENT),
        ("`[window]`", WINDOW),
    ] {
        table(&mut page, name, settings);
    }
    page.push_str(CONFIG_KEYS);
    table(&mut page, "`collection.toml`", COLLECTION);
    table(&mut page, "`[[piece]]` in `collection.toml`", PIECE);
    page.push_str(CONFIG_TRUST);
    fresh("config.md", &page);
}

#[test]
fn the_page_of_themes_names_every_role() {
    let kept = std::fs::read_to_string(root().join("docs/themes.md")).unwrap();
    let (before, rest) = kept.split_once("## Roles\n\n").unwrap();
    let (_, after) = rest.split_once("\n\nA role that").unwrap();
    let mut rows = String::from("| role | weight | what it is |\n|---|---|---|");
    for role in ROLES {
        let _ = write!(
            rows,
            "\n| `{}` | {} | {} |",
            role.name, role.default, role.about
        );
    }
    let page = format!("{before}## Roles\n\n{rows}\n\nA role that{after}");
    fresh("themes.md", &page);
}

#[test]
fn the_theme_in_the_page_of_themes_is_right() {
    let page = std::fs::read_to_string(root().join("docs/themes.md")).unwrap();
    let (_, rest) = page.split_once("```toml\n").unwrap();
    let (sample, _) = rest.split_once("```").unwrap();
    let (_, problems) = Theme::parse(Path::new("mine.toml"), sample);
    assert_eq!(problems, []);
}

fn table(page: &mut String, name: &str, settings: &[Setting]) {
    let _ = write!(
        page,
        "## {name}\n\n| setting | takes | when not set | what it does |\n|---|---|---|---|\n"
    );
    for s in settings {
        let takes = wanted(s.takes).replace('|', "\\|");
        let _ = writeln!(
            page,
            "| `{}` | {takes} | {} | {} |",
            s.name, s.default, s.about
        );
    }
    page.push('\n');
}

/// `#key = value` lines are settings, `# words` are words.
fn uncommented(text: &str) -> String {
    let line = |l: &str| match l.strip_prefix('#') {
        Some(setting) if !setting.is_empty() && !setting.starts_with(' ') => setting.to_owned(),
        _ => l.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_sample_configuration_is_right_and_names_every_setting() {
    let text = std::fs::read_to_string(root().join("assets/config.toml")).unwrap();
    let (empty, problems) = parse(Path::new("sample"), &text);
    assert!(problems.is_empty() && empty.top.is_empty() && empty.agents.is_empty());
    let (file, problems) = parse(Path::new("sample"), &uncommented(&text));
    assert!(problems.is_empty(), "{problems:?}");
    let named = |settings: &[Setting], have: &dyn Fn(&str) -> bool, place: &str| {
        for setting in settings {
            assert!(
                have(setting.name),
                "assets/config.toml does not name {} in {place}",
                setting.name
            );
        }
    };
    named(TOP, &|n| file.top.contains_key(n), "the top");
    named(WINDOW, &|n| file.window.contains_key(n), "[window]");
    named(
        AGENT,
        &|n| file.agents.values().any(|(_, t)| t.contains_key(n)),
        "any agent",
    );
    assert!(!file.keys.is_empty());
}

const CLI_INTRO: &str = "\
# Command line

Made from the source; `fascicle VERB --help` says the same. Without a verb, `fascicle [DIR]` opens the window.

ID is a full id, the unique beginning of one, or a unique title. An unknown one lists the nearest titles.
Exit codes: 0 done, 1 not done (the reason is said), 2 a mistake in the command line, 70 a bug.
Answers go to standard output, everything said beside them to standard error.

Flags for every verb, before or after it:

";

const CLI_FIELDS: &str = "\
## What scripts may rely on

- `list --json`, `trash list --json`: an array of `{id, title, piece, variant, collection, state, agent, model, words,
  turns, parent, main, stage, tags, folder, updated, archived, adoption}`. `title` is what the list shows and, as ID, means this session: `piece`
  for the main line, else `piece: variant`; `variant` is null where there are no others. `state` is one of `idle writing needs_you queued unread interrupted
  failed lost`; `agent` is the one the next turn would use; `folder` is relative to the workspace; `updated` is in
  milliseconds since 1970; a session that stands alone is its own `main`; `adoption` is `waits` while it is to
  become the main line when a turn has ended, `unfinished` where a crash left that half done, which the next host finishes, else null.
- `fork --json`: `{id, parent, seq, title, folder, lacks}`; `lacks` says what of the parent could not be read or did not come
  along, one sentence each. Without `--json` that is said on stderr.
- `show --json`: the events, one a line, as `docs/format.md` describes them.
- `draft --json`: `{text, version, path}`; `version` is the event that made it, null when nothing was written yet.
- `collection list --json`: an array of `{id, title, folder, agent, model, allow, archived, sessions}`.
- `queue ID --json`: an array of `{n, text, step}`, in the order in which they go; `step` is null outside a recipe.
- `recipe list --json`: an array of `{name, title, steps, limits: {turns?, tokens?, usd?}, from, file, wrong}`; `from` is
  `workspace`, `own` or `built in`, `wrong` holds what is wrong with the file, `title` is null then.
- `recipe show --json`: `{name, title, limits, steps: [{name, text}]}`.
- `agents --json`: an array of `{name, kind, model, default}`.
- `doctor --json`: `{agents: [{name, kind, ok, why, fix, models}], workspace: {path, made, writable, why, locks,
  sessions, damaged, gaps, problems, notes}, config, diagnostics, problems}`.
- `host status --json`: `{pid, version, since, turns, windows, memory}`, or `{}` when none runs.
- `verify --json`: `{sessions, events, damaged: [{file, at, len, why}], gaps: [{file, first, last}], blobs: [{file,
  why}], copies: [{session, path, bytes, same, lines, unread}], unfinished: [{session, folder}]}`, `copies` being those that
  sync tools made, `unfinished` adoptions that the next host finishes; exit 0 also
  when it found damage, 1 with `--strict`.
- `rebuild --json`: `{sessions, events}`.
- `keys --json`: an array of `{place, key, command, about}`.
- `new` and `collection new` print the id and nothing else. `send --wait` prints the reply as it comes and exits with
  0 only when the turn ended well.
- Reading verbs (`list show draft trash verify rebuild host doctor agents keys completions man collection list`,
  `queue ID`, `recipe list`, `recipe show`) start no host and need no writable workspace.
";

const CONFIG_INTRO: &str = "\
# Settings

Made from the source. Two files are read, the second over the first:

1. your own, `$XDG_CONFIG_HOME/fascicle/config.toml`, else `~/.config/fascicle/config.toml`;
2. `.fascicle/config.toml` of the workspace, which may set everything but agents.

A setting that does not exist, or a value it does not take, is an error with file, line and the nearest name. Verbs that
read go on with what is right; verbs that change something wait until it is mended. `assets/config.toml` in the source
is a commented sample.

Without any file the agent is `editor`, which is built in; `claude`, the Claude Code program, is offered where it is on PATH.

";

const CONFIG_KEYS: &str = "\
## `[keys]`

One line for each command of the window: `\"composer.send\" = \"enter\"`, or a list of keys. The keys named take the
place of the command's own. `fascicle keys` and `docs/keys.md` list the commands.

";

const CONFIG_TRUST: &str = "\
## Trust

A folder that came from somewhere else must not run programs or send keys away. So agents that a workspace's own
configuration defines are not used until you trust exactly that file: its hash, which Fascicle tells you, has to be in
`trusted` of your own file. When a byte of it changes, the trust is gone.

    trusted = [\"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"]
";

//! What a shell and a manual reader need: completions and the manual page, made from the one definition.

mod names;

#[cfg(test)]
pub(super) use names::about_sessions;

use clap::{Arg, Command, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::args::Cli;
use super::error::CliError;
use super::out::Out;

/// A section of the manual page: its title, and terms with what each means.
type Section = (&'static str, &'static [(&'static str, &'static str)]);

/// What the manual says beside the verbs.
const SECTIONS: [Section; 5] = [
    (
        "NAMES",
        &[
            (
                "ID",
                "A full id, the unique beginning of one, or a unique title; a variant's also \"piece: variant\".",
            ),
            (
                "The workspace",
                "The folder that --workspace names, else FASCICLE_WORKSPACE, else the nearest one above the current folder that holds .fascicle, else ~/Fascicle, which is made when something is first written to it.",
            ),
        ],
    ),
    (
        "FILES",
        &[
            (
                "~/Fascicle",
                "The workspace when no other is at hand: any folder with .fascicle in it is one, and the nearest at or above the current folder is used.",
            ),
            (
                "COLLECTION/PIECE/draft.md",
                "A draft: a plain file. Edit it with anything; each change is kept as a version.",
            ),
            (
                ".fascicle/sessions",
                "The logs, one file of JSON lines for each session, and the texts they name. Only ever appended to.",
            ),
            (".fascicle/trash", "What was deleted."),
            (
                "~/.config/fascicle/config.toml",
                "Your settings, below $XDG_CONFIG_HOME when that is set. A workspace may have .fascicle/config.toml too; it defines no agents unless you trust exactly that file.",
            ),
            (
                "~/.local/state/fascicle",
                "Where windows were left, with the words before your caret and those that no host has taken yet, and diagnostics.",
            ),
            ("~/.cache/fascicle", "Can be deleted at any time."),
        ],
    ),
    (
        "ENVIRONMENT",
        &[
            (
                "FASCICLE_WORKSPACE",
                "The workspace, when no flag names one.",
            ),
            (
                "VISUAL, EDITOR",
                "The program that opens a draft, when the settings name none.",
            ),
            ("NO_COLOR", "When set, no colour is used."),
            ("COLORTERM, TERM", "What colours the terminal has."),
            (
                "ANTHROPIC_API_KEY and others",
                "Keys are read from the variables that the settings name, sent to that agent, and written nowhere.",
            ),
            (
                "FASCICLE_LOG",
                "How much is noted in the diagnostics, as in: fascicle=debug",
            ),
        ],
    ),
    (
        "EXIT STATUS",
        &[
            ("0", "Done."),
            (
                "1",
                "Not done, for a reason that is said and can be mended.",
            ),
            ("2", "The command line makes no sense."),
            ("70", "A mistake of this program."),
        ],
    ),
    (
        "EXAMPLES",
        &[
            ("fascicle", "Opens the window where it was left."),
            (
                "fascicle new -c sample --prompt \"Open with the river.\"",
                "Begins a session and prints its id.",
            ),
            (
                "fascicle send ID \"Make the last line shorter.\" --wait",
                "Sends a prompt and prints the reply as it comes.",
            ),
            ("fascicle draft ID > letter.md", "Prints the draft."),
            (
                "fascicle list --json | jq -r '.[] | select(.state == \"needs_you\") | .title'",
                "Who waits for an answer.",
            ),
            (
                "fascicle doctor",
                "Says which agents were found, why others were not, and the line that fixes each.",
            ),
            (
                "fascicle completions bash > ~/.local/share/bash-completion/completions/fascicle",
                "Completes verbs, flags and names from the next shell on; zsh, fish, elvish and powershell too.",
            ),
        ],
    ),
];

/// Prints a completion script.
pub(super) fn completions(shell: Shell) -> Result<(), CliError> {
    Out::new(false).exact(&script(shell))
}

/// The script of a shell, names of sessions, collections, recipes and stages included where the shell is one of those that are tried.
fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "fascicle", &mut script);
    names::named(shell, &String::from_utf8_lossy(&script))
}

/// Prints the manual page.
pub(super) fn man() -> Result<(), CliError> {
    let page = page().map_err(CliError::Output)?;
    Out::new(false).exact(&String::from_utf8_lossy(&page))
}

/// One page for the program and all its verbs.
fn page() -> std::io::Result<Vec<u8>> {
    let mut command = Cli::command();
    command.build();
    let mut out = Vec::new();
    let man = Man::new(command.clone());
    man.render_title(&mut out)?;
    man.render_name_section(&mut out)?;
    man.render_synopsis_section(&mut out)?;
    man.render_description_section(&mut out)?;
    man.render_options_section(&mut out)?;
    let mut roff = Roff::new();
    roff.control("SH", ["VERBS"]);
    for verb in command.get_subcommands_mut() {
        section(&mut roff, verb);
    }
    for (title, terms) in SECTIONS {
        roff.control("SH", [title]);
        for (term, means) in terms {
            roff.control("TP", []);
            roff.text([bold(*term)]);
            roff.text([roman(*means)]);
        }
    }
    roff.to_writer(&mut out)?;
    man.render_version_section(&mut out)?;
    Ok(out)
}

/// An argument as it is written: `-c, --collection <COLLECTION>`.
fn named(arg: &Arg) -> String {
    let id = arg.get_id().as_str().to_uppercase();
    let Some(long) = arg.get_long() else {
        return format!("<{id}>");
    };
    let short = arg
        .get_short()
        .map_or_else(String::new, |c| format!("-{c}, "));
    if !arg.get_action().takes_values() {
        return format!("{short}--{long}");
    }
    let value = arg.get_value_names().and_then(<[_]>::first);
    format!("{short}--{long} <{}>", value.map_or(&*id, |v| v.as_str()))
}

fn section(roff: &mut Roff, verb: &mut Command) {
    let usage = verb.render_usage().to_string();
    roff.control("SS", [usage.trim_start_matches("Usage: ")]);
    if let Some(about) = verb.get_about() {
        roff.text([roman(format!("{about}."))]);
    }
    for arg in verb.get_arguments().filter(|a| !a.is_global_set()) {
        if arg.get_long() == Some("help") {
            continue;
        }
        let name = named(arg);
        let about = arg.get_help().map(ToString::to_string).unwrap_or_default();
        roff.control("TP", []);
        roff.text([bold(name)]);
        roff.text([roman(format!("{about}."))]);
    }
    for inner in verb.get_subcommands_mut() {
        let usage = inner.render_usage().to_string();
        roff.control("TP", []);
        roff.text([bold(usage.trim_start_matches("Usage: "))]);
        roff.text([roman(
            inner
                .get_about()
                .map(ToString::to_string)
                .unwrap_or_default(),
        )]);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn the_manual_page_has_every_verb() {
        let page = String::from_utf8(page().unwrap()).unwrap();
        for verb in Cli::command().get_subcommands() {
            assert!(
                page.contains(&format!("fascicle {}", verb.get_name())),
                "{page}"
            );
        }
    }

    #[test]
    fn the_manual_page_says_where_things_are_and_how_it_ends() {
        let page = String::from_utf8(page().unwrap()).unwrap();
        for (title, terms) in SECTIONS {
            assert!(page.contains(title), "{title}");
            for (_, means) in terms {
                assert!(means.ends_with('.') || means.contains(": "), "{means}");
            }
        }
        assert!(page.contains("FASCICLE_WORKSPACE") && page.contains("draft.md"));
        assert!(page.contains(r"\-c, \-\-collection <COLLECTION>"), "{page}");
    }
}

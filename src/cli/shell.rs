//! What a shell and a manual reader need: completions and the manual page, made from the one definition.

use clap::{Command, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::args::Cli;
use super::error::CliError;
use super::out::Out;

/// Prints a completion script.
pub(super) fn completions(shell: Shell) -> Result<(), CliError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "fascicle", &mut script);
    Out::new(false).exact(&String::from_utf8_lossy(&script))
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
    roff.to_writer(&mut out)?;
    man.render_extra_section(&mut out)?;
    man.render_version_section(&mut out)?;
    Ok(out)
}

fn section(roff: &mut Roff, verb: &mut Command) {
    let usage = verb.render_usage().to_string();
    roff.control("SS", [usage.trim_start_matches("Usage: ")]);
    if let Some(about) = verb.get_about() {
        roff.text([roman(format!("{about}."))]);
    }
    for arg in verb.get_arguments().filter(|a| !a.is_global_set()) {
        let name = match arg.get_long() {
            Some(long) => format!("--{long}"),
            None => format!("<{}>", arg.get_id().as_str().to_uppercase()),
        };
        let about = arg.get_help().map(ToString::to_string).unwrap_or_default();
        if name == "--help" {
            continue;
        }
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
}

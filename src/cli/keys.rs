//! `keys`: the window's keys, from its one table of commands.

use serde::Serialize;

use super::context::Cx;
use super::error::CliError;
use super::out;
use super::table::columns;
use crate::config::{Config, Enter};
use crate::ui::commands;
use crate::ui::keymap::{self, Keymap};

/// A key, for scripts.
#[derive(Serialize)]
struct Printed<'a> {
    place: &'a str,
    key: &'a str,
    command: &'a str,
    about: &'a str,
}

/// Lists the keys.
pub(super) fn run(cx: &Cx) -> Result<(), CliError> {
    let (map, wrong) = build(&cx.loaded.config);
    wrong.iter().for_each(out::say);
    let keys = commands::listed(&map);
    if cx.out.json() {
        let all: Vec<Printed<'_>> = keys
            .iter()
            .map(|[place, key, command, about]| Printed {
                place,
                key,
                command,
                about,
            })
            .collect();
        return cx.out.value(&all);
    }
    let rows: Vec<Vec<String>> = keys.iter().map(|row| row.to_vec()).collect();
    out::page(&columns(&rows))
}

/// What is wrong with the writer's own keys, with file and line.
pub(super) fn wrong(config: &Config) -> Vec<String> {
    build(config).1
}

/// The keymap, and what is wrong with the writer's changes: each stops nothing but itself.
pub(super) fn build(config: &Config) -> (Keymap, Vec<String>) {
    let mut changes = Vec::new();
    if config.window.enter == Enter::NewLine {
        changes.extend(keymap::enter_is_line());
    }
    changes.extend(config.keys.iter().cloned());
    keymap::build(&changes)
}

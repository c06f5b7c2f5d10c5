//! `keys`: the window's keys, from its one table of commands.

use serde::Serialize;

use super::context::Cx;
use super::error::CliError;
use super::table::columns;
use super::{out, window};

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
    let keys = window::keys(&cx.loaded.config);
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

//! Keys that mean one thing in a place and another in a wider one around it: of the two commands only the nearer has the
//! key there. Where a writer's change makes it so, that is told.

use super::{Bound, Keymap, changed};
use crate::config::Rebound;
use crate::ui::commands::Place;

/// One line for each command that loses its key in some places by a writer's change.
pub(super) fn told(map: &Keymap, changes: &[Rebound]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for near in &map.bound {
        for wide in map.bound.iter().filter(|b| hides(near, b)) {
            let pair = (near.command.name, wide.command.name);
            if seen.contains(&pair) {
                continue;
            }
            let by = changed(changes, near.command).or_else(|| changed(changes, wide.command));
            let Some(change) = by.filter(|_| !is_own(near) || !is_own(wide)) else {
                continue;
            };
            seen.push(pair);
            lines.push(change.wrong(&line(map, near, wide)));
        }
    }
    lines
}

/// Whether a command takes the key of another one that is bound in a wider place.
fn hides(near: &Bound, wide: &Bound) -> bool {
    near.key == wide.key
        && near.command.name != wide.command.name
        && near.place != wide.place
        && near.place.within().contains(&wide.place)
}

/// Whether a key is one of the command's own: what the table does by itself is meant.
fn is_own(bound: &Bound) -> bool {
    let own = |(place, name): &(Place, &str)| {
        *place == bound.place && super::Key::parse(name) == Some(bound.key)
    };
    bound.command.keys.iter().any(own)
}

fn line(map: &Keymap, near: &Bound, wide: &Bound) -> String {
    let both = |b: &&Bound| b.command.name == near.command.name && hides(b, wide);
    let places: Vec<&str> = map
        .bound
        .iter()
        .filter(both)
        .map(|b| b.place.name())
        .collect();
    format!(
        "{} is {} ({}) and {} ({}): the nearer place has it, so {} does not get it there.",
        near.key.shown(),
        near.command.name,
        places.join(", "),
        wide.command.name,
        wide.place.name(),
        wide.command.name,
    )
}

//! What came of an import, in lines.

use super::super::error::CliError;
use super::super::out;
use crate::domain::ask::Brought;
use crate::text::{counted, one_line};

/// Says what came of one: a line for what was made, and what could not be read beside.
pub(super) fn tell(
    id: &str,
    brought: Option<&Brought>,
    error: Option<&str>,
) -> Result<(), CliError> {
    if let Some(why) = error {
        out::say(format!("{id}: {why}"));
    }
    let Some(brought) = brought else {
        return Ok(());
    };
    let turns = counted(u64::from(brought.turns), "turn");
    let variants = match brought.variants.len() as u64 {
        0 => String::new(),
        n => format!(", {}", counted(n, "variant")),
    };
    let title = one_line(&brought.title);
    out::line(&format!(
        "{}  “{title}”: {turns}{variants}",
        brought.session
    ))?;
    if let Some(line) = unread(brought) {
        out::say(format!("{id}: {line}"));
    }
    for note in &brought.notes {
        out::say(format!("{id}: {note}"));
    }
    Ok(())
}

/// `3 lines could not be read: 7 (cut off), 12 (no JSON)…`
fn unread(brought: &Brought) -> Option<String> {
    let few = brought.unread.iter().take(10);
    let few: Vec<String> = few.map(|u| format!("{} ({})", u.line, u.why)).collect();
    let more = if brought.unread_all > few.len() as u64 {
        "…"
    } else {
        "."
    };
    let lines = counted(brought.unread_all, "line");
    let said = format!("{lines} could not be read: {}{more}", few.join(", "));
    (brought.unread_all > 0).then_some(said)
}

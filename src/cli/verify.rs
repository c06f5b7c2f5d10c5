//! `verify` and `rebuild`.

use super::args;
use super::context::Cx;
use super::error::CliError;
use super::find;
use super::list::count;
use super::out;
use crate::log::Report;
use crate::text::thousands;

/// Reads all there is, and names what is damaged or missing.
pub(super) fn verify(cx: &Cx, asked: &args::Verify) -> Result<(), CliError> {
    let shelf = cx.shelf()?;
    let only = asked
        .id
        .as_ref()
        .map(|word| find::session(&shelf.heads(), word));
    let found = shelf.verify(only.transpose()?)?;
    if cx.out.json() {
        cx.out.value(&found)?;
    } else {
        out::page(&report(&found))?;
    }
    if asked.strict && wrong(&found) > 0 {
        return Err(CliError::NotWhole);
    }
    Ok(())
}

/// How many things are wrong.
pub(super) fn wrong(found: &Report) -> usize {
    found.damaged.len() + found.gaps.len() + found.blobs.len()
}

fn report(found: &Report) -> String {
    let damaged = found.damaged.iter().map(|d| {
        let (at, len) = (d.at, thousands(d.len));
        format!("{}: byte {at}, {len} bytes: {}\n", d.file, d.why)
    });
    let gaps = found.gaps.iter().map(|g| match g.last - g.first {
        0 => format!("{}: event {} is missing\n", g.file, g.first),
        _ => format!("{}: events {}–{} are missing\n", g.file, g.first, g.last),
    });
    let blobs = found
        .blobs
        .iter()
        .map(|b| format!("{}: {}\n", b.file, b.why));
    let named: String = damaged.chain(gaps).chain(blobs).collect();
    let sessions = count(found.sessions, "session");
    let events = count(found.events, "event");
    let verdict = match wrong(found) {
        0 => "all whole.",
        _ => "what is named above is damaged or missing. Nothing was changed.",
    };
    format!("{named}{sessions}, {events}; {verdict}\n")
}

/// Deletes the caches and reads the logs anew.
pub(super) fn rebuild(cx: &Cx) -> Result<(), CliError> {
    let (sessions, events) = cx.shelf()?.rebuild();
    if cx.out.json() {
        return cx
            .out
            .value(&serde_json::json!({"sessions": sessions, "events": events}));
    }
    let line = format!(
        "{}, {}.",
        count(sessions, "session"),
        count(events, "event")
    );
    out::line(&line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{BadBlob, Damaged, Gap};

    #[test]
    fn damage_is_named_before_the_sum() {
        let gap = |first, last| Gap {
            file: "l".into(),
            first,
            last,
        };
        let found = Report {
            sessions: 1,
            events: 1200,
            damaged: vec![Damaged {
                file: "l".into(),
                at: 88_300,
                len: 171,
                why: "nul".into(),
            }],
            gaps: vec![gap(4, 4), gap(7, 9)],
            blobs: vec![BadBlob {
                file: "b".into(),
                why: "missing".into(),
            }],
        };
        assert_eq!(
            report(&found),
            "l: byte 88300, 171 bytes: nul\nl: event 4 is missing\nl: events 7–9 are missing\nb: missing\n\
             1 session, 1,200 events; what is named above is damaged or missing. Nothing was changed.\n"
        );
        let none = Report::default();
        assert_eq!(report(&none), "0 sessions, 0 events; all whole.\n");
    }
}

//! `verify` and `rebuild`.

use super::context::Cx;
use super::error::CliError;
use super::shelf::Shelf;
use super::{args, find, out};
use crate::domain::SessionId;
use crate::drafts::{abandoned, folder};
use crate::host::PART;
use crate::log::{Copy, Logless, Report, Unfinished};
use crate::text::{counted, thousands};

/// Reads all there is, and names what is damaged or missing.
pub(super) fn verify(cx: &Cx, asked: &args::Verify) -> Result<(), CliError> {
    let shelf = cx.shelf()?;
    let only = asked
        .id
        .as_ref()
        .map(|word| find::session(&shelf.heads(), word));
    let only = only.transpose()?;
    let found = look(cx, &shelf, only)?;
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

/// The same for other verbs.
pub(super) fn look(cx: &Cx, shelf: &Shelf, only: Option<SessionId>) -> Result<Report, CliError> {
    let mut found = shelf.verify(only)?;
    if only.is_none() {
        found.logless.extend(folders(cx, shelf));
    }
    // The log is not nowhere: it is named with what is wrong with its name.
    let missed = found.strays.iter().filter(|stray| stray.is_missed());
    let missed: Vec<SessionId> = missed.map(|stray| stray.session).collect();
    found.logless.retain(|l| !missed.contains(&l.session));
    found.unfinished = unfinished(shelf, only);
    Ok(found)
}

/// Adoptions that are in a log, and whose folders have their old names.
fn unfinished(shelf: &Shelf, only: Option<SessionId>) -> Vec<Unfinished> {
    let heads = shelf.heads().into_iter();
    let asked = heads.filter(|head| !head.trashed && (only.is_none() || head.id == only));
    let open = asked.filter_map(|head| {
        Some(Unfinished {
            session: head.id?,
            folder: head.kin.exchange?.folder,
        })
    });
    open.collect()
}

/// Folders with drafts whose sessions have no log.
fn folders(cx: &Cx, shelf: &Shelf) -> Vec<Logless> {
    let marked = folder::marked(cx.workspace.root()).into_iter();
    // What a host that died has left of a variant is removed by the next one: nothing lies there.
    let is_left = |at: &str| abandoned::is_left(&cx.workspace.root().join(at), PART);
    let logless = marked.filter(|(at, session)| !shelf.has(*session) && !is_left(at));
    logless
        .map(|(folder, session)| Logless { folder, session })
        .collect()
}

/// How many things are wrong.
pub(super) fn wrong(found: &Report) -> usize {
    let missed = found.strays.iter().filter(|stray| stray.is_missed());
    let lost = found.logless.len() + missed.count();
    found.damaged.len() + found.gaps.len() + found.blobs.len() + lost
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
    let strays = found.strays.iter().map(|s| format!("{}\n", s.told()));
    let copies = found.copies.iter().map(copy).chain(strays);
    let logless = found.logless.iter().map(|l| {
        format!(
            "{}: the log of its session, {}, is nowhere. What lies there is kept: put the log back, or move the folder away\n",
            l.folder, l.session
        )
    });
    let named = copies.chain(damaged).chain(gaps).chain(blobs);
    let unfinished = found.unfinished.iter().map(|u| {
        format!(
            "{}: an adoption is unfinished: this is to be the folder of the main line, {}. Opening the window finishes it\n",
            u.folder, u.session
        )
    });
    let named: String = named.chain(logless).chain(unfinished).collect();
    let sessions = counted(found.sessions, "session");
    let events = counted(found.events, "event");
    let verdict = match wrong(found) {
        0 => "all whole.",
        _ => "what is named above is damaged or missing. Nothing was changed.",
    };
    format!("{named}{sessions}, {events}; {verdict}\n")
}

/// A copy that a sync tool made, and what to do with it.
fn copy(c: &Copy) -> String {
    let told = match &c.unread {
        Some(why) => format!("it could not be read: {why}. Nothing was done with it"),
        None if c.same => "nothing in it is missing here. It can be deleted".to_owned(),
        None => format!(
            "{} in it that the file beside it does not have. It is not used: take over what you miss, then move it away",
            counted(c.lines, "line")
        ),
    };
    format!("{}: a copy made by a sync tool; {told}.\n", c.path)
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
        counted(sessions, "session"),
        counted(events, "event")
    );
    out::line(&line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{BadBlob, Damaged, Gap};

    #[test]
    fn a_copy_is_told_with_what_to_do_and_is_no_damage() {
        let session = crate::domain::SessionId::new(uuid::Uuid::nil());
        let one = |path: &str, lines, unread: Option<&str>| Copy {
            session,
            path: path.into(),
            bytes: 9,
            same: lines == 0,
            lines,
            unread: unread.map(Into::into),
        };
        let found = Report {
            copies: vec![
                one("a", 0, None),
                one("b", 2, None),
                one("c", 0, Some("refused")),
            ],
            ..Report::default()
        };
        assert_eq!(wrong(&found), 0);
        assert_eq!(
            report(&found),
            "a: a copy made by a sync tool; nothing in it is missing here. It can be deleted.\n\
             b: a copy made by a sync tool; 2 lines in it that the file beside it does not have. It is not used: take over what you miss, then move it away.\n\
             c: a copy made by a sync tool; it could not be read: refused. Nothing was done with it.\n\
             0 sessions, 0 events; all whole.\n"
        );
    }

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
            copies: vec![],
            strays: vec![],
            unfinished: vec![Unfinished {
                session: crate::domain::SessionId::new(uuid::Uuid::from_u128(2)),
                folder: "essays/won".into(),
            }],
            logless: vec![Logless {
                folder: "essays/lost".into(),
                session: crate::domain::SessionId::new(uuid::Uuid::from_u128(1)),
            }],
        };
        assert_eq!(
            report(&found),
            "l: byte 88300, 171 bytes: nul\nl: event 4 is missing\nl: events 7–9 are missing\nb: missing\n\
             essays/lost: the log of its session, 00000000-0000-0000-0000-000000000001, is nowhere. What lies there is kept: \
             put the log back, or move the folder away\n\
             essays/won: an adoption is unfinished: this is to be the folder of the main line, \
             00000000-0000-0000-0000-000000000002. Opening the window finishes it\n\
             1 session, 1,200 events; what is named above is damaged or missing. Nothing was changed.\n"
        );
        let none = Report::default();
        assert_eq!(report(&none), "0 sessions, 0 events; all whole.\n");
    }
}

//! A session's transcript as Markdown, from the one fold. Reasoning is left out; `show --json` has it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jiff::tz::TimeZone;

use super::table::when;
use crate::domain::body::{Item, Part};
use crate::domain::event::{Answer, By, Compacted, Status};
use crate::domain::{Session, Text, TurnNo};
use crate::text::{compacted, one_line, thousands};
use crate::tools;

/// Why a turn that runs nowhere has no end yet.
const CUT: &str = "the program ended before the agent had finished";

/// What a page is made from.
pub(super) struct Page<'a> {
    /// The session.
    pub(super) session: &'a Session,
    /// Whether its open turn was cut: nobody runs it.
    pub(super) cut: bool,
    /// Which agent wrote which turn.
    pub(super) agents: &'a BTreeMap<TurnNo, String>,
    /// Reads a text in full.
    pub(super) text: &'a dyn Fn(&Text) -> String,
    /// In which zone times are told.
    pub(super) zone: &'a TimeZone,
}

/// The page.
pub(super) fn render(page: &Page<'_>) -> String {
    let head = &page.session.head;
    let mut out = format!("# {}\n\n", one_line(&head.whole_title()));
    let collection = head.place.as_ref().map_or("", |p| p.collection.as_str());
    let words = head.draft.as_ref().map_or(0, |d| d.words);
    let turns = head.turn.as_ref().map_or(0, |t| t.no);
    let _ = writeln!(
        out,
        "*{collection} · {turns} {} · draft of {} words*",
        if turns == 1 { "turn" } else { "turns" },
        thousands(words)
    );
    let mut answering = None;
    for item in &page.session.body.items {
        if let Item::Part { turn, ts, .. } = item {
            let goes_on = answering == Some(*turn);
            answering = Some(*turn);
            out.push('\n');
            if !goes_on {
                let agent = page.agents.get(turn).map_or("Agent", String::as_str);
                out.push_str(&heading(agent, *ts, page.zone));
            }
        } else {
            answering = None;
        }
        out.push_str(&one(item, page));
    }
    if page.cut {
        out.push_str(&ended(Status::Lost, Some(CUT)));
    }
    for waiting in &head.queue {
        let text = one_line((page.text)(&waiting.text).as_str());
        let _ = write!(out, "\n*Waits for its turn: {text}*\n");
    }
    out
}

/// A speaker's heading.
pub(super) fn heading(who: &str, ts: i64, zone: &TimeZone) -> String {
    format!("## {} · {}\n\n", one_line(who), when(ts, zone))
}

/// How a turn ended, when that needs saying.
pub(super) fn ended(status: Status, reason: Option<&str>) -> String {
    let how = match status {
        Status::Ok => {
            let told = |why: &str| format!("\n*{}*\n", one_line(why));
            return reason.map(told).unwrap_or_default();
        }
        Status::Interrupted => "Stopped",
        Status::Failed => "Failed",
        Status::Lost => "Lost",
    };
    match reason {
        Some(why) => format!("\n*{how}: {}.*\n", one_line(why).trim_end_matches('.')),
        None => format!("\n*{how}.*\n"),
    }
}

fn one(item: &Item, page: &Page<'_>) -> String {
    match item {
        Item::Prompt { ts, text, .. } => {
            let text = (page.text)(text);
            format!("\n{}{}\n", heading("You", *ts, page.zone), text.trim_end())
        }
        Item::Part { part, .. } => part_of(part, page),
        Item::End { status, reason, .. } => ended(*status, reason.as_deref()),
        Item::Draft {
            by, added, removed, ..
        } => format!("\n*✎ draft +{added} −{removed} words, by {}*\n", who(by)),
        Item::Note { text, .. } => format!("\n*{}*\n", one_line(text)),
        Item::Compacted { what, .. } => mark(what, page),
        Item::Unknown { name, .. } => {
            format!("\n*An event of a later version ({}).*\n", one_line(name))
        }
    }
}

/// Where a summary stands for what came before, with the summary.
fn mark(what: &Compacted, page: &Page<'_>) -> String {
    let mut out = format!("\n*── {}*\n", compacted(what));
    let summary = (page.text)(&what.summary);
    if !summary.trim().is_empty() {
        out.push('\n');
        for line in summary.trim_end().lines() {
            let _ = writeln!(out, "> {line}");
        }
    }
    out
}

fn part_of(part: &Part, page: &Page<'_>) -> String {
    match part {
        Part::Words { text, .. } => format!("{}\n", (page.text)(text).trim_end()),
        Part::Thinking { .. } => String::new(),
        Part::Call {
            name,
            input,
            started,
            done,
            changed,
            ..
        } => {
            let name = match proposed(name, &(page.text)(input)) {
                Some(line) => format!("{}: “{}”", one_line(name), one_line(&line)),
                None => one_line(name),
            };
            match (done, changed) {
                // A variant may begin between the version and the word to the agent.
                (done, Some((added, removed))) if done.as_ref().is_none_or(|d| d.ok) => {
                    format!("*✎ {name}: +{added} −{removed} words*\n")
                }
                (Some(_), Some((added, removed))) => format!(
                    "*✎ {name}: +{added} −{removed} words; what was changed on both sides stands beside the draft*\n"
                ),
                (Some(done), _) if done.ok => format!("*✎ {name}*\n"),
                (Some(done), _) => {
                    let why = (page.text)(&done.output);
                    format!("*✎ {name}, not done: {}*\n", one_line(&why))
                }
                (None, _) if *started => format!("*✎ {name}, without an end*\n"),
                // What was written of a call that never became whole is all there is of those words.
                (None, _) => format!("*✎ {name}, cut off:*\n\n{}", indented(&(page.text)(input))),
            }
        }
        Part::Asked {
            call, what, answer, ..
        } => {
            // A variant of one that waits has the question, and nobody to give the answer to.
            let asked = &page.session.head.asked;
            let waits = !page.cut && asked.iter().any(|q| q.call == *call);
            let answer = match answer {
                None if waits => "waits for your answer",
                None | Some(Answer::Lapsed) => "not answered",
                Some(Answer::Once) => "yes, once",
                Some(Answer::Session) => "yes, for this session",
                Some(Answer::Deny) => "no",
            };
            format!("*? {} ({answer})*\n", one_line(what))
        }
    }
}

/// The line that a call proposes for the memory.
fn proposed(name: &str, input: &str) -> Option<String> {
    let says: serde_json::Value = (name == tools::PROPOSE)
        .then(|| serde_json::from_str(input).ok())
        .flatten()?;
    says.get("text")?.as_str().map(str::to_owned)
}

fn indented(text: &str) -> String {
    text.lines().fold(String::new(), |mut out, line| {
        let _ = writeln!(out, "    {line}");
        out
    })
}

pub(super) fn who(by: &By) -> String {
    match by {
        By::You => "you".to_owned(),
        By::Agent(name) => one_line(name),
        By::Outside => "another program".to_owned(),
        By::Undo => "undo".to_owned(),
        By::Restore => "you, restored".to_owned(),
        By::Take => "you, taken".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::event::Kind;
    use crate::domain::session::replay;
    use crate::domain::{CollectionId, Event, SessionId};

    fn page(kinds: Vec<Kind>) -> String {
        let events: Vec<Event> = (0..)
            .zip(kinds)
            .map(|(seq, kind)| Event { seq, ts: 0, kind })
            .collect();
        render(&Page {
            session: &replay(&events),
            cut: !matches!(events.last(), Some(e) if matches!(e.kind, Kind::TurnFinished { .. })),
            agents: &BTreeMap::from([(1, "claude".to_owned())]),
            text: &|text| text.shown().to_owned(),
            zone: &TimeZone::UTC,
        })
    }

    fn words(text: &str) -> Kind {
        Kind::Message {
            turn: 1,
            block: 0,
            text: text.into(),
        }
    }

    #[test]
    fn a_proposal_for_the_memory_says_its_line() {
        let page = page(vec![
            Kind::ToolStarted {
                turn: 1,
                call: "c".into(),
                name: tools::PROPOSE.into(),
                input: r#"{"what":"name","reason":"It comes back.","text":"Ilse is nine."}"#.into(),
            },
            Kind::ToolFinished {
                turn: 1,
                call: "c".into(),
                ok: true,
                output: "It waits.".into(),
                ms: 1,
            },
        ]);
        assert!(
            page.contains("*✎ propose_memory: “Ilse is nine.”*"),
            "{page}"
        );
    }

    #[test]
    fn a_session_reads_as_a_page() {
        let page = page(vec![
            Kind::Created {
                id: SessionId::new(uuid::Uuid::nil()),
                title: Some("Letter\nto".into()),
                collection: CollectionId::inbox(),
                folder: "inbox/letter".into(),
                agent: None,
                app: "0".into(),
            },
            Kind::Prompt {
                turn: 1,
                text: "Begin.\n".into(),
                queued: None,
            },
            words("The morning."),
            Kind::ToolStarted {
                turn: 1,
                call: "c".into(),
                name: "write_draft".into(),
                input: "{}".into(),
            },
            Kind::ToolFinished {
                turn: 1,
                call: "c".into(),
                ok: false,
                ms: 1,
                output: "stale".into(),
            },
            Kind::TurnFinished {
                turn: 1,
                status: Status::Failed,
                reason: Some("no server.".into()),
                events: 0,
                crc32: String::new(),
            },
        ]);
        let want = "# Letter⏎to\n\n*inbox · 1 turn · draft of 0 words*\n\
            \n## You · 1970-01-01 00:00\n\nBegin.\n\
            \n## claude · 1970-01-01 00:00\n\nThe morning.\n\
            \n*✎ write_draft, not done: stale*\n\
            \n*Failed: no server.*\n";
        assert_eq!(page, want);
    }

    #[test]
    fn a_half_written_draft_is_shown() {
        let page = page(vec![Kind::ToolDelta {
            turn: 1,
            call: "c".into(),
            name: "write_draft".into(),
            text: "{\"text\":\"The mor".into(),
        }]);
        assert!(
            page.contains("cut off:*\n\n    {\"text\":\"The mor\n"),
            "{page}"
        );
        let end = "*Lost: the program ended before the agent had finished.*\n";
        assert!(page.ends_with(end), "{page}");
    }
}

//! Keeps the one-line fields of an event short: what others wrote there must not fill a line of the log.

use crate::domain::event::{AgentStarted, Forked, Kind, Raw, Retry};
use crate::text::head;

/// Longest one-line field, in bytes. Texts of any length have fields of their own, which become blobs.
const FIELD_MAX: usize = 4 * 1024;

/// Cuts every one-line field that is too long; a cut one ends in `…`.
pub(super) fn clip(mut kind: Kind) -> Kind {
    for field in fields(&mut kind) {
        if field.len() > FIELD_MAX {
            *field = format!("{}…", head(field, FIELD_MAX));
        }
    }
    kind
}

/// The fields of a line, beside its text, that an agent, its server or the writer fills.
fn fields(kind: &mut Kind) -> Vec<&mut String> {
    match kind {
        Kind::ToolDelta { call, name, .. } | Kind::ToolStarted { call, name, .. } => {
            vec![call, name]
        }
        Kind::ToolFinished { call, .. } | Kind::Answered { call, .. } => vec![call],
        Kind::Asked { call, what, .. } => vec![call, what],
        Kind::Retry(Retry { why, .. }) | Kind::Raw(Raw { why, .. }) => vec![why],
        Kind::Note { text, .. } => vec![text],
        Kind::TurnFinished { reason, .. } => reason.iter_mut().collect(),
        Kind::AgentStarted(AgentStarted {
            agent_session,
            model,
            ..
        }) => agent_session.iter_mut().chain(model).collect(),
        Kind::TurnStarted {
            agent,
            agent_session,
            model,
            ..
        } => [agent]
            .into_iter()
            .chain(agent_session)
            .chain(model)
            .collect(),
        Kind::AgentChosen { agent, model } => [agent].into_iter().chain(model).collect(),
        Kind::Created { title, agent, .. } => title.iter_mut().chain(agent).collect(),
        Kind::Forked(Forked { title, .. }) => title.iter_mut().collect(),
        Kind::Renamed { title } => vec![title],
        Kind::Tagged { add, remove } => add.iter_mut().chain(remove).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_one_line_field_is_cut_between_characters_and_a_text_is_not() {
        let long = "é".repeat(FIELD_MAX);
        let Kind::Raw(Raw { why, base64, .. }) = clip(Kind::Raw(Raw {
            turn: 1,
            why: format!("x{long}"),
            base64: long.as_str().into(),
        })) else {
            panic!("another kind");
        };
        assert!(why.len() <= FIELD_MAX + '…'.len_utf8() && why.ends_with("é…"));
        assert_eq!(base64.shown(), long);
    }

    #[test]
    fn a_short_field_stays_as_it_is() {
        let note = Kind::Note {
            turn: None,
            text: "x".repeat(FIELD_MAX),
        };
        assert_eq!(clip(note.clone()), note);
    }
}

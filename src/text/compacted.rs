//! The mark where a summary stands for what came before.

use super::{count, counted, thousands};
use crate::domain::event::Compacted;

/// What is said of all that the summary stands for.
const KEEPS: &str = "; the log keeps all";

/// What the summary stands for and how long it is, as one line without its lead; the log keeps what it stands for.
pub fn compacted(what: &Compacted) -> String {
    format!("{}{KEEPS}", compacted_briefly(what))
}

/// The same where there is little room.
pub fn compacted_briefly(what: &Compacted) -> String {
    let who = if what.by_agent() { " by the agent" } else { "" };
    let words = count(what.summary.shown());
    let tokens = what.before.zip(what.after);
    let sizes = match (what.messages, tokens) {
        (Some(n), _) if words > 0 => {
            format!(": {} → {}", counted(n, "message"), counted(words, "word"))
        }
        (_, Some((before, after))) => {
            format!(": {} → {} tokens", thousands(before), thousands(after))
        }
        _ if words > 0 => format!(": {} of summary", counted(words, "word")),
        _ => String::new(),
    };
    format!("compacted{who}{sizes}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_is_known() {
        let mut what = Compacted {
            turn: 1,
            upto: 9,
            summary: "They spoke of rivers.".into(),
            why: "full".into(),
            before: Some(3_270),
            after: Some(528),
            messages: Some(41),
        };
        let keeps = KEEPS;
        assert_eq!(
            compacted(&what),
            format!("compacted: 41 messages → 4 words{keeps}")
        );
        what.why = "agent".into();
        what.messages = None;
        assert_eq!(
            compacted(&what),
            format!("compacted by the agent: 3,270 → 528 tokens{keeps}")
        );
        what.after = None;
        what.summary = "".into();
        assert_eq!(compacted(&what), format!("compacted by the agent{keeps}"));
    }
}

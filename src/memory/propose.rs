//! What an agent proposes: read, bounded, made visible, and refused where the writer has decided already. Pure.

use serde::Deserialize;

use super::file::{Item, items, norm};
use crate::domain::drawer::{Binder, Proposed, Standing, What};
use crate::domain::{SessionId, TurnNo};
use crate::text::revealed;

/// Characters of a proposal, and of its reason.
const TEXT_MAX: usize = 240;
/// Characters of the name or term it is about.
const ABOUT_MAX: usize = 80;
/// Proposals of one turn.
const A_TURN: usize = 12;
/// Proposals that may wait in a collection.
const WAITING_MAX: usize = 100;

/// A line for the memory, as an agent wrote it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Asked {
    /// What kind of line it is.
    pub what: String,
    /// The line.
    pub text: String,
    /// Why it is worth keeping; empty where nothing is said.
    #[serde(default)]
    pub reason: String,
    /// The name or term it is about.
    #[serde(default)]
    pub about: Option<String>,
}

/// Where a proposal comes from.
#[derive(Clone, Debug)]
pub struct From {
    /// The session.
    pub session: SessionId,
    /// The turn.
    pub turn: TurnNo,
    /// The call.
    pub call: String,
}

/// The proposal that is meant; a sentence for the agent where it cannot be taken.
pub fn read(asked: Asked, from: From) -> Result<Proposed, String> {
    let what = What::of(asked.what.trim()).ok_or_else(|| {
        let known: Vec<String> = What::ALL.iter().map(|w| w.word().to_owned()).collect();
        format!("`what` is one of {}.", known.join(", "))
    })?;
    let about = asked
        .about
        .map(|a| one(&a, "about", ABOUT_MAX))
        .transpose()?;
    Ok(Proposed {
        session: from.session,
        turn: from.turn,
        call: from.call,
        what,
        text: one(&asked.text, "text", TEXT_MAX)?,
        reason: one(&asked.reason, "reason", TEXT_MAX)?,
        about: about.filter(|a| !a.is_empty()),
    })
}

/// A text as the writer changed it, on one line; a sentence where it cannot be one.
pub fn line(text: &str) -> Result<String, String> {
    if text.trim().lines().nth(1).is_some() {
        return Err("It is one line of the memory, and these are several. Write it as one; more can be written into MEMORY.md by hand.".to_owned());
    }
    one(text, "text", TEXT_MAX)
}

/// A text on one line with nothing hidden in it.
fn one(text: &str, key: &str, max: usize) -> Result<String, String> {
    let spaced: Vec<&str> = text.split_whitespace().collect();
    let spaced = spaced.join(" ");
    let long = spaced.chars().count();
    if long > max {
        return Err(format!(
            "`{key}` is one line of at most {max} characters; this one has {long}. Propose one thing at a time."
        ));
    }
    let line = revealed(&spaced);
    if line.is_empty() && key == "text" {
        return Err(format!("`{key}` is empty."));
    }
    Ok(line)
}

/// Why a proposal is not taken: a sentence for the agent; none when it may wait for the writer. `memory` is the text
/// of the collection's memory now.
pub fn refusal(binder: &Binder, memory: &str, new: &Proposed) -> Option<String> {
    let own = norm(&new.text);
    let same = |p: &&crate::domain::drawer::Proposal| {
        let index = new.what.is_index();
        index == p.says.what.is_index()
            && (!index || p.says.session == new.session)
            && norm(&p.says.text) == own
    };
    if let Some(known) = binder.proposals.iter().rev().find(same) {
        match &known.standing {
            Standing::Waiting => return Some(ALREADY.to_owned()),
            Standing::Refused { .. } => return Some(REFUSED.to_owned()),
            // What the writer took out since may be proposed again.
            Standing::Accepted { .. } => {}
        }
    }
    // What stands in the archive is not sent: it may be proposed again.
    let says_so = |i: &Item| !i.archived && norm(&i.text) == own;
    if !new.what.is_index() && items(memory).iter().any(says_so) {
        return Some(KNOWN.to_owned());
    }
    if binder.proposed_in(new.session, new.turn) >= A_TURN {
        return Some(format!(
            "{A_TURN} proposals of this turn wait already: that is as many as there may be. Propose the rest another time."
        ));
    }
    (binder.waiting().count() >= WAITING_MAX).then(|| {
        format!("{WAITING_MAX} proposals wait for the writer already. Propose this when some are answered.")
    })
}

const ALREADY: &str = "Already proposed: it waits for the writer.";
const KNOWN: &str = "Already known: the memory says so.";
const REFUSED: &str = "Refused by the writer before. Do not propose it again.";

/// What the agent of a piece is asked, when the writer wants that.
pub fn ask(done: bool) -> String {
    let stands = if done { "done" } else { "not done yet" };
    format!("This piece is {stands}. {ASK}")
}

/// The same for each piece, wherever it stands.
const ASK: &str = "Propose, with `propose_memory`: one line for the index of pieces that says what this \
piece is (`what`: piece), and what of it later pieces of this collection must keep to and the memory does not say yet \
(names, facts, terms, decisions), one line each. Leave the draft as it is. I decide on each line.";

/// What the agent is told of a proposal that waits.
pub const WAITS: &str =
    "Proposed. It waits for the writer; until it is accepted it is not part of the memory.";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::domain::drawer::{Act, Answer, Answered, Entry};

    fn from(turn: TurnNo) -> From {
        From {
            session: "0197c0de-7a10-7c3e-9b55-1f2e3d4c5b6a".parse().unwrap(),
            turn,
            call: "c1".into(),
        }
    }

    fn asked(input: &str) -> Asked {
        serde_json::from_str(input).unwrap()
    }

    fn fact(text: &str) -> Proposed {
        let input = serde_json::json!({"what": "fact", "text": text, "reason": "It matters."});
        read(asked(&input.to_string()), from(1)).unwrap()
    }

    fn binder(acts: Vec<Act>) -> Binder {
        let mut binder = Binder::default();
        for (act, seq) in acts.into_iter().zip(0..) {
            binder.apply(&Entry { seq, ts: 0, act });
        }
        binder
    }

    #[test]
    fn what_hides_or_turns_text_around_is_made_visible_and_lines_become_one() {
        let said = fact("Ilse\u{200b} is\nnine.\u{202e}\u{1b}[2J <!-- -->");
        assert_eq!(said.text, "Ilse⟨200B⟩ is nine.⟨202E⟩␛[2J <!-- -->");
    }

    #[test]
    fn the_writers_words_are_one_line_and_are_not_joined_unsaid() {
        assert_eq!(line(" Ilse is nine.\n").as_deref(), Ok("Ilse is nine."));
        let why = line("Ilse is nine.\nShe rows.").unwrap_err();
        assert!(why.contains("these are several"), "{why}");
    }

    #[test]
    fn an_argument_that_cannot_be_taken_is_answered() {
        let long = "x".repeat(TEXT_MAX + 1);
        for (input, want) in [
            (
                r#"{"what":"rumour","text":"a","reason":"b"}"#.into(),
                "one of name, fact",
            ),
            (
                r#"{"what":"fact","text":" ","reason":"b"}"#.into(),
                "`text` is empty",
            ),
            (
                format!(r#"{{"what":"fact","text":"{long}","reason":"b"}}"#),
                "has 241",
            ),
        ] {
            let why = read(asked(&input), from(1)).unwrap_err();
            assert!(why.contains(want), "{why}");
        }
    }

    #[test]
    fn what_waits_is_known_or_was_refused_is_not_proposed_again() {
        let one = fact("Ilse is nine.");
        let waits = binder(vec![Act::Proposed(one.clone())]);
        assert_eq!(
            refusal(&waits, "", &fact("ILSE is nine")).as_deref(),
            Some(ALREADY)
        );
        assert_eq!(refusal(&waits, "", &fact("Ilse is ten.")), None);
        let no = Answered {
            proposal: 0,
            answer: Answer::Refused,
            text: None,
            line: None,
            was: None,
        };
        let refused = binder(vec![Act::Proposed(one), Act::Answered(no)]);
        assert_eq!(
            refusal(&refused, "", &fact("Ilse is nine!")).as_deref(),
            Some(REFUSED)
        );
        let memory = "- Ilse is nine. *(One, 2026-11-30)*\n";
        let known = refusal(&Binder::default(), memory, &fact("Ilse is nine."));
        assert_eq!(known.as_deref(), Some(KNOWN));
        let archived = format!("## Archive\n\n{memory}");
        assert_eq!(
            refusal(&Binder::default(), &archived, &fact("Ilse is nine.")),
            None
        );
    }

    #[test]
    fn a_turn_proposes_so_much_and_no_more() {
        let acts = (0..A_TURN).map(|n| Act::Proposed(fact(&format!("Fact {n}."))));
        let full = binder(acts.collect());
        assert!(
            refusal(&full, "", &fact("One more."))
                .unwrap()
                .contains("12 proposals")
        );
        let mut other = fact("One more.");
        other.turn = 2;
        assert_eq!(refusal(&full, "", &other), None);
    }
}

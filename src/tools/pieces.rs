//! Reading other pieces of the collection, each answer bounded.

use serde::{Deserialize, Deserializer};

use super::{Find, Wanted, argument, no, yes};
use crate::domain::tool::ToolResult;
use crate::memory::brief::Piece;
use crate::text::{folded, head, revealed};

/// Bytes of a draft that are told at once.
const PART: usize = 24 * 1024;
/// Pieces that are listed at once.
const LISTED: usize = 400;
/// Passages that are told at once.
pub const PASSAGES: usize = 20;

/// Which piece is to be read, and how far in.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Asked {
    /// Its number in the list, or its title.
    #[serde(deserialize_with = "word")]
    pub piece: String,
    /// Part of its draft, from 1.
    #[serde(default = "first")]
    pub part: usize,
}

/// A paragraph in which all the words stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Passage {
    /// Title of the piece.
    pub title: String,
    /// The paragraph, or as much of it as is told.
    pub text: String,
}

const fn first() -> usize {
    1
}

/// Numbers are sent as numbers now and then.
fn word<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Number(u64),
        Text(String),
    }
    Ok(match Either::deserialize(from)? {
        Either::Number(n) => n.to_string(),
        Either::Text(text) => text,
    })
}

pub(super) fn read(input: &str) -> Result<Wanted, String> {
    argument(input).map(|asked| Wanted::Find(Find::Piece(asked)))
}

pub(super) fn search(input: &str) -> Result<Wanted, String> {
    #[derive(Deserialize)]
    struct Words {
        words: String,
    }
    argument::<Words>(input).map(|of| Wanted::Find(Find::Words(of.words)))
}

/// The pieces, for the agent.
pub fn listed(pieces: &[Piece]) -> ToolResult {
    let rows = (1..).zip(pieces).take(LISTED);
    let mut out: Vec<String> = rows.map(|(n, piece)| piece.numbered(n)).collect();
    if let Some(more) = pieces.len().checked_sub(LISTED).filter(|n| *n > 0) {
        out.push(format!(
            "{more} more are not listed; search_collection finds words in them."
        ));
    }
    yes(out.join("\n"))
}

/// The piece that is meant; else what the agent is told.
pub fn named<'a>(asked: &Asked, pieces: &'a [Piece]) -> Result<&'a Piece, ToolResult> {
    let word = asked.piece.trim();
    let number = word.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
    let by_number = number.and_then(|n| pieces.get(n));
    let same = |piece: &&Piece| folded(piece.title.trim()) == folded(word);
    let mut titled = pieces.iter().filter(same);
    match (titled.next(), titled.next()) {
        (Some(one), None) => Ok(one),
        (Some(_), Some(_)) => Err(no(format!(
            "More than one piece is called {:?}; name it by its number in list_pieces.",
            revealed(word)
        ))),
        _ => by_number.ok_or_else(|| {
            let word = revealed(word);
            no(format!(
                "No piece of this collection is called {word:?}; list_pieces names them."
            ))
        }),
    }
}

/// A part of a draft, for the agent.
pub fn told(asked: &Asked, piece: &Piece, draft: &str) -> ToolResult {
    if draft.trim().is_empty() {
        return yes("Its draft is empty.".to_owned());
    }
    let parts = parts(draft);
    let Some(part) = asked.part.checked_sub(1).and_then(|n| parts.get(n)) else {
        let n = parts.len();
        return no(format!(
            "Its draft has {n} parts; there is no part {}.",
            asked.part
        ));
    };
    let title = revealed(&piece.title);
    let of = match parts.len() {
        1 => String::new(),
        n => format!(", part {} of {n}", asked.part),
    };
    yes(format!("The draft of {title:?}{of}:\n\n{part}"))
}

/// Cuts a draft between paragraphs, or between lines or letters where one is longer than a part.
fn parts(draft: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = draft;
    while rest.len() > PART {
        let most = head(rest, PART);
        let end = ["\n\n", "\n"].iter().find_map(|end| {
            let at = most.rfind(end)?;
            (at > PART / 2).then_some(at + end.len())
        });
        let (part, behind) = rest.split_at(end.unwrap_or(most.len()));
        out.push(part);
        rest = behind;
    }
    out.push(rest);
    out
}

/// The passages found, for the agent.
pub fn found(words: &str, passages: &[Passage], more: bool) -> ToolResult {
    if passages.is_empty() {
        let words = revealed(words);
        return yes(format!(
            "No draft of this collection has {words:?} in one paragraph."
        ));
    }
    let told =
        |Passage { title, text }: &Passage| format!("In {:?}:\n{}", revealed(title), text.trim());
    let mut out: Vec<String> = passages.iter().map(told).collect();
    if more {
        out.push("There is more; look for fewer of them with more words.".to_owned());
    }
    yes(out.join("\n\n"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::domain::SessionId;

    fn piece(title: &str) -> Piece {
        Piece {
            id: SessionId::new(uuid::Uuid::from_u128(1)),
            title: title.to_owned(),
            line: None,
            stage: None,
            words: 1_200,
            own: title == "Here",
        }
    }

    fn asked(input: &str) -> Asked {
        match read(input).unwrap() {
            Wanted::Find(Find::Piece(asked)) => asked,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_piece_is_named_by_its_number_or_its_title() {
        let pieces = [
            piece("Here"),
            piece("The ferry"),
            piece("2"),
            piece("Twin"),
            piece("Twin"),
        ];
        let title = |input| named(&asked(input), &pieces).map(|p| p.title.clone());
        assert_eq!(title(r#"{"piece":"the FERRY "}"#).unwrap(), "The ferry");
        assert_eq!(title(r#"{"piece":1}"#).unwrap(), "Here");
        assert_eq!(
            title(r#"{"piece":"2"}"#).unwrap(),
            "2",
            "a title before a number"
        );
        assert!(
            title(r#"{"piece":"Twin"}"#)
                .unwrap_err()
                .output
                .contains("More than one")
        );
        for none in [
            r#"{"piece":"0"}"#,
            r#"{"piece":"9"}"#,
            r#"{"piece":"Fairy"}"#,
        ] {
            assert!(title(none).unwrap_err().output.contains("list_pieces"));
        }
    }

    #[test]
    fn a_long_draft_is_told_in_parts_that_together_are_all_of_it() {
        let text = "A paragraph of some words.\n\n".repeat(3_000);
        let one = piece("Long");
        let told = |part: usize| {
            told(
                &Asked {
                    piece: String::new(),
                    part,
                },
                &one,
                &text,
            )
        };
        let mut whole = String::new();
        let n = parts(&text).len();
        for part in 1..=n {
            let output = told(part).output;
            assert!(
                output.contains(&format!("part {part} of {n}")),
                "{}",
                head(&output, 80)
            );
            whole.push_str(output.split_once(":\n\n").unwrap().1);
        }
        assert_eq!(whole, text);
        assert!(!told(n + 1).ok && !told(0).ok);
    }

    #[test]
    fn every_answer_is_bounded() {
        let many: Vec<Piece> = (0..5_000).map(|n| piece(&format!("Piece {n}"))).collect();
        let listed = listed(&many).output;
        assert!(listed.len() < 40_000 && listed.contains("4600 more are not listed"));
        let letters = "x".repeat(100_000);
        assert!(parts(&letters).iter().all(|part| part.len() <= PART));
    }
}

//! Which session a word on the command line means.

use std::borrow::Cow;
use std::collections::HashMap;

use super::error::CliError;
use crate::config::nearest;
use crate::domain::kin::{FIRST, main_line};
use crate::domain::{Head, SessionId};
use crate::text::folded;

/// How many titles are offered for a word that names none.
const OFFERED: usize = 5;

/// Characters of an id that is shortened, at least.
const SHORT: usize = 8;

/// What sessions are called.
type Pieces<'a> = HashMap<SessionId, &'a str>;

/// The session a writer means: a full id, the unique beginning of one, or a unique title; a variant's also as
/// `piece: variant`. The title of a piece means its main line; the session it began with is `piece: original`. A title
/// written as it stands comes first, then one that is [compared](folded) as the same.
pub(super) fn session(heads: &[Head], word: &str) -> Result<SessionId, CliError> {
    let pieces: Pieces<'_> = heads
        .iter()
        .filter_map(|h| Some((h.id?, h.title())))
        .collect();
    let wanted = folded(word);
    let rules: [&dyn Fn(&Head) -> bool; 4] = [
        &|h| id(h) == word.to_lowercase(),
        &|h| titles(h, &pieces).any(|title| title == word),
        &|h| titles(h, &pieces).any(|title| folded(&title) == wanted),
        &|h| !word.is_empty() && id(h).starts_with(&word.to_lowercase()),
    ];
    for rule in rules {
        let found: Vec<&Head> = heads.iter().filter(|h| rule(h)).collect();
        match found.as_slice() {
            [] => {}
            [one] => return meant(heads, one, word).ok_or_else(|| none(heads, word)),
            several => {
                let all = several.iter().map(|h| line(h)).collect();
                return Err(CliError::Several(word.to_owned(), all));
            }
        }
    }
    Err(none(heads, word))
}

/// The session that is meant by one of the names of another: the main line by the piece's title.
fn meant(heads: &[Head], found: &Head, word: &str) -> Option<SessionId> {
    let by_title = folded(found.title()) == folded(word);
    if !by_title || found.kin.is_variant() {
        return found.id;
    }
    let members = heads.iter().filter_map(Head::member);
    main_line(members.filter(|m| Some(m.kin.family_of(m.id)) == found.id)).or(found.id)
}

/// The family that a word means as a whole, its main line first: the title of the piece does, the name of one of its
/// sessions does not.
pub(super) fn family<'a>(heads: &'a [Head], word: &str, meant: SessionId) -> Vec<&'a Head> {
    let first = heads.iter().find(|h| h.id == Some(meant));
    let first = first.map(|h| h.kin.family_of(meant));
    let is_piece = |h: &Head| h.id == first && folded(h.title()) == folded(word);
    if !heads.iter().any(is_piece) {
        return Vec::new();
    }
    let of = |h: &&Head| h.id.is_some_and(|id| Some(h.kin.family_of(id)) == first);
    let (main, others): (Vec<_>, Vec<_>) =
        heads.iter().filter(of).partition(|h| h.id == Some(meant));
    main.into_iter().chain(others).collect()
}

/// The beginning of a session's id by which nothing else is meant.
pub(super) fn short(heads: &[Head], meant: SessionId) -> String {
    let whole = meant.to_string();
    let others: Vec<String> = heads.iter().map(id).filter(|id| *id != whole).collect();
    let is_own = |end: &usize| {
        let part = whole.get(..*end).unwrap_or(&whole);
        !others.iter().any(|id| id.starts_with(part))
    };
    let end = (SHORT..whole.len()).find(is_own);
    end.and_then(|end| whole.get(..end))
        .unwrap_or(&whole)
        .to_owned()
}

fn id(head: &Head) -> String {
    head.id.map(|id| id.to_string()).unwrap_or_default()
}

/// The names a session answers to: a variant by its piece as it was called when it was forked, and as it is now.
fn titles<'a>(head: &'a Head, pieces: &Pieces<'_>) -> impl Iterator<Item = Cow<'a, str>> {
    let named = if head.kin.is_variant() {
        let first = head.kin.family.and_then(|first| pieces.get(&first));
        first.map(|piece| format!("{piece}: {}", head.title()))
    } else {
        Some(format!("{}: {FIRST}", head.title()))
    };
    [head.title().into(), head.whole_title()]
        .into_iter()
        .chain(named.map(Cow::from))
}

fn line(head: &Head) -> String {
    format!("{}  {}", id(head), head.whole_title())
}

fn none(heads: &[Head], word: &str) -> CliError {
    let mut near: Vec<(usize, &Head)> = heads
        .iter()
        .filter_map(|h| Some((closeness(word, &h.whole_title())?, h)))
        .collect();
    near.sort_by_key(|(d, _)| *d);
    let near = near.iter().take(OFFERED).map(|(_, h)| line(h)).collect();
    CliError::NoSession(word.to_owned(), near)
}

/// How far a title is from a word, when it is near at all: it holds the word, or one of its words is close to it.
fn closeness(word: &str, title: &str) -> Option<usize> {
    let (word, title) = (folded(word), folded(title));
    if !word.is_empty() && title.contains(&word) {
        return Some(0);
    }
    let parts = std::iter::once(title.as_str()).chain(title.split_whitespace());
    let close = nearest(&word, parts)?;
    Some(1 + crate::text::distance(&word, close))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    fn head(id: &str, title: &str) -> Head {
        Head {
            id: Some(id.parse().unwrap()),
            title: Some(title.to_owned()),
            ..Head::default()
        }
    }

    fn shelf() -> Vec<Head> {
        vec![
            head(
                "0197c0de-7a10-7c3e-9b55-000000000001",
                "Letter to the valley",
            ),
            head("0197c0de-7a10-7c3e-9b55-000000000002", "Harbour"),
            head("0297c0de-7a10-7c3e-9b55-000000000003", "harbour"),
            head("0297c0de-7a10-7c3e-9b55-000000000004", "0197"),
            head("0297c0de-7a10-7c3e-9b55-000000000005", "Twin"),
            head("0297c0de-7a10-7c3e-9b55-000000000006", "Twin"),
            variant(
                "0297c0de-7a10-7c3e-9b55-000000000007",
                "first person",
                "Twin",
            ),
            variant("0297c0de-7a10-7c3e-9b55-000000000008", "story", "Harbour"),
            variant("0297c0de-7a10-7c3e-9b55-000000000009", "story", "Twin"),
        ]
    }

    fn variant(id: &str, title: &str, piece: &str) -> Head {
        let mut head = head(id, title);
        head.kin.piece = Some(piece.to_owned());
        head
    }

    fn found(word: &str) -> Result<String, CliError> {
        let id = session(&shelf(), word)?.to_string();
        Ok(id.chars().last().unwrap().to_string())
    }

    #[test]
    fn the_title_of_a_piece_means_its_main_line() {
        let mut heads = vec![head("0197c0de-7a10-7c3e-9b55-000000000001", "Piece")];
        heads.push(variant(
            "0197c0de-7a10-7c3e-9b55-000000000002",
            "bold",
            "Piece",
        ));
        let [first, other] = [0, 1].map(|n| heads[n].id.unwrap());
        for head in &mut heads {
            head.kin.family = Some(first);
        }
        heads[1].kin.parent = Some(crate::domain::event::Origin {
            session: first,
            seq: 3,
        });
        assert_eq!(session(&heads, "Piece").unwrap(), first);
        heads[1].kin.adopted = Some(1);
        assert_eq!(session(&heads, "piece").unwrap(), other);
        assert_eq!(session(&heads, "Piece: original").unwrap(), first);
        assert_eq!(session(&heads, "Piece: bold").unwrap(), other);
        heads[0].title = Some("Tome".to_owned());
        for (name, id) in [
            ("Tome: bold", other),
            ("Piece: bold", other),
            ("Tome: original", first),
        ] {
            assert_eq!(session(&heads, name).unwrap(), id, "{name}");
        }
        heads[0].title = Some("Piece".to_owned());
        assert_eq!(session(&heads, &first.to_string()).unwrap(), first);
    }

    #[test]
    fn an_id_its_beginning_or_a_title_name_a_session() {
        assert_eq!(found("0197c0de-7a10-7c3e-9b55-000000000002").unwrap(), "2");
        assert_eq!(found("0197C0DE-7a10-7c3e-9b55-000000000002").unwrap(), "2");
        assert_eq!(found("letter to the valley").unwrap(), "1");
        assert_eq!(found("Harbour").unwrap(), "2");
        assert_eq!(found("LETTER\u{a0}TO THE VALLEY").unwrap(), "1");
        let quoted = [head(
            "0197c0de-7a10-7c3e-9b55-000000000001",
            "“Ilse’s” caf\u{e9}",
        )];
        assert!(session(&quoted, "\"ilse's\" cafe\u{301}").is_ok());
        assert_eq!(found("harbour").unwrap(), "3");
        assert_eq!(found("0197").unwrap(), "4");
    }

    #[test]
    fn a_variant_is_named_by_its_own_title_or_with_its_piece() {
        assert_eq!(found("first person").unwrap(), "7");
        assert_eq!(found("twin: First person").unwrap(), "7");
        assert_eq!(found("Harbour: story").unwrap(), "8");
        assert!(matches!(found("story"), Err(CliError::Several(..))));
    }

    #[test]
    fn what_names_several_lists_them_and_chooses_none() {
        for word in ["Twin", "0297c", "HARBOUR"] {
            let Err(CliError::Several(_, all)) = session(&shelf(), word) else {
                panic!("{word}")
            };
            assert!(all.len() >= 2, "{word}");
        }
    }

    #[test]
    fn an_id_is_shortened_to_what_means_no_other() {
        let heads = shelf();
        let short = |n: usize| short(&heads, heads[n].id.unwrap());
        assert_eq!(short(0), "0197c0de-7a10-7c3e-9b55-000000000001");
        let own = head("1197c0de-7a10-7c3e-9b55-000000000001", "Own");
        assert_eq!(super::short(&shelf(), own.id.unwrap()), "1197c0de");
        let near = head("0197c0de-7a11-7c3e-9b55-000000000001", "Near");
        assert_eq!(super::short(&shelf(), near.id.unwrap()), "0197c0de-7a11");
    }

    #[test]
    fn what_names_none_lists_the_nearest_titles() {
        let Err(CliError::NoSession(_, near)) = session(&shelf(), "Leter") else {
            panic!()
        };
        assert_eq!(near.len(), 1);
        assert!(near[0].ends_with("Letter to the valley"));
        let Err(CliError::NoSession(_, near)) = session(&shelf(), "") else {
            panic!()
        };
        assert!(near.is_empty());
    }
}

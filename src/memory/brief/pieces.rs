//! The index of a collection's pieces: the main line of each family, a line for each.

use std::collections::BTreeMap;
use std::ops::Range;

use super::quoted;
use crate::config::Collection;
use crate::domain::kin::{Member, main_line};
use crate::domain::{Head, Kin, Row, SessionId, Stage, piece};
use crate::text::thousands;

/// A piece in the index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The session that is its main line.
    pub id: SessionId,
    /// Its title.
    pub title: String,
    /// What it is about, in one line.
    pub line: Option<String>,
    /// Where it stands.
    pub stage: Option<Stage>,
    /// Words of its draft.
    pub words: u64,
    /// The session the brief is for, or a variant of it.
    pub own: bool,
}

/// A session that may be a piece of the index.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The session.
    pub id: SessionId,
    /// Its place in its family.
    pub kin: Kin,
    /// Its title.
    pub title: String,
    /// Where it stands.
    pub stage: Option<Stage>,
    /// Words of its draft.
    pub words: u64,
    /// Out of the list, or in the trash.
    pub away: bool,
    /// Nothing was done with it: no title, no prompt, no word.
    pub blank: bool,
}

impl Entry {
    /// The session of a head; none for a head without an id.
    pub fn of(head: &Head) -> Option<Self> {
        let words = head.draft.as_ref().map_or(0, |d| d.words);
        Some(Self {
            id: head.id?,
            kin: head.kin.clone(),
            title: head.title().to_owned(),
            stage: head.stage,
            words,
            away: head.archived || head.trashed,
            blank: head.title.is_none() && head.turn.is_none() && words == 0,
        })
    }
}

impl From<&Row> for Entry {
    fn from(row: &Row) -> Self {
        Self {
            id: row.id,
            kin: row.kin.clone(),
            title: row.title.clone(),
            stage: row.stage,
            words: row.words,
            away: row.archived || row.trashed,
            blank: row.turns == 0 && row.words == 0 && row.title == "Untitled",
        }
    }
}

/// The pieces among the sessions of a collection: in the order its file gives them, the others behind them as they were
/// begun. `own` is the session that the brief is for.
pub fn pieces(own: SessionId, collection: Option<&Collection>, entries: &[Entry]) -> Vec<Piece> {
    let mut families: BTreeMap<SessionId, Vec<&Entry>> = BTreeMap::new();
    for entry in entries.iter().filter(|e| !e.away || e.id == own) {
        let family = entry.kin.family_of(entry.id);
        families.entry(family).or_default().push(entry);
    }
    let mut found: Vec<((usize, SessionId), Piece)> = families
        .into_values()
        .filter_map(|family| of_family(own, collection, &family))
        .collect();
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, piece)| piece).collect()
}

/// The piece of a family, and by what it comes in order. The file may name any of its sessions; the main line comes first.
fn of_family(
    own: SessionId,
    collection: Option<&Collection>,
    family: &[&Entry],
) -> Option<((usize, SessionId), Piece)> {
    let is_own = family.iter().any(|e| e.id == own);
    let members = family.iter().map(|e| Member {
        id: e.id,
        kin: &e.kin,
        trashed: e.away,
    });
    let main = main_line(members)?;
    let main = family.iter().find(|e| e.id == main)?;
    let first = main.kin.family_of(main.id);
    let others = family.iter().map(|e| e.id);
    let all: Vec<SessionId> = [main.id, first].into_iter().chain(others).collect();
    let found = collection.and_then(|c| piece::said_of(&c.pieces, &all));
    let said = found.map(|(_, said)| said);
    if main.blank && said.is_none() && !is_own {
        return None;
    }
    let title = main.kin.piece.as_ref().filter(|_| main.kin.is_variant());
    let piece = Piece {
        id: main.id,
        title: title.unwrap_or(&main.title).clone(),
        line: said.and_then(|s| s.line.clone()),
        stage: piece::stage(collection.map(|c| c.pieces.as_slice()), &all, main.stage),
        words: main.words,
        own: is_own,
    };
    let listed = collection.map_or(&[][..], |c| &c.pieces);
    Some((piece::place(listed, found.map(|(at, _)| at), first), piece))
}

impl Piece {
    /// Its row in a numbered list.
    pub fn numbered(&self, n: usize) -> String {
        let row = self.row();
        format!("{n}. {}", row.strip_prefix("- ").unwrap_or(&row))
    }

    /// Its row. The words of the piece itself are left out: they change with every turn.
    pub(super) fn row(&self) -> String {
        let mut row = format!("- {}", quoted(&self.title));
        if self.own {
            row.push_str(" (this piece)");
        }
        let about = (!self.own && self.words > 0).then(|| about(self.words));
        let stage = self.stage.map(|s| s.word().to_owned());
        for fact in [stage, about].into_iter().flatten() {
            row.push_str(", ");
            row.push_str(&fact);
        }
        if let Some(line) = self.line.as_deref().filter(|l| !l.trim().is_empty()) {
            row.push_str(": ");
            row.push_str(&quoted(line));
        }
        row
    }
}

/// A number of words, coarse: a brief that changed with every word of another piece would begin every agent anew.
fn about(words: u64) -> String {
    let step = match words {
        0..50 => return "under 50 words".to_owned(),
        50..1_000 => 50,
        1_000..10_000 => 100,
        _ => 1_000,
    };
    let near = (words + step / 2) / step * step;
    format!("about {} words", thousands(near))
}

/// The rows that are sent: those around the own one, as many as fit. The own one always is.
pub(super) fn around(rows: &[String], own: usize, bound: usize) -> Range<usize> {
    let cost = |n: usize| rows.get(n).map(|row| row.len() + 1);
    let mut shown = own..(own + 1).min(rows.len());
    let mut left = bound.saturating_sub(cost(own).unwrap_or_default());
    loop {
        let before = shown
            .start
            .checked_sub(1)
            .and_then(cost)
            .filter(|c| *c <= left);
        if let Some(cost) = before {
            shown.start -= 1;
            left -= cost;
        }
        let after = cost(shown.end).filter(|c| *c <= left);
        if let Some(cost) = after {
            shown.end += 1;
            left -= cost;
        }
        if before.is_none() && after.is_none() {
            return shown;
        }
    }
}

/// The line for rows that are not sent.
pub(super) fn others(many: usize, whereto: &str) -> Option<String> {
    let s = if many == 1 { "" } else { "s" };
    let are = if many == 1 { "is" } else { "are" };
    (many > 0).then(|| {
        format!(
            "[{} more piece{s} {whereto} these {are} left out here.]",
            thousands(many as u64)
        )
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::domain::{self, event::Origin};

    fn id(n: u32) -> SessionId {
        format!("0197c0de-7a10-7c3e-9b55-{n:012}").parse().unwrap()
    }

    fn entry(n: u32, title: &str) -> Entry {
        Entry {
            id: id(n),
            kin: Kin::default(),
            title: title.to_owned(),
            stage: None,
            words: 120,
            away: false,
            blank: false,
        }
    }

    fn variant(n: u32, of: u32, adopted: Option<u32>) -> Entry {
        let kin = Kin {
            family: Some(id(of)),
            parent: Some(Origin {
                session: id(of),
                seq: 3,
            }),
            piece: Some("Piece".to_owned()),
            adopted,
            ..Kin::default()
        };
        Entry {
            kin,
            ..entry(n, "bold")
        }
    }

    #[test]
    fn the_main_line_of_each_family_is_a_piece_in_the_place_of_its_family() {
        let entries = [
            entry(1, "Piece"),
            entry(2, "Other"),
            variant(3, 1, Some(1)),
            variant(4, 1, None),
        ];
        let index = pieces(id(4), None, &entries);
        let titles: Vec<_> = index.iter().map(|p| (p.title.as_str(), p.own)).collect();
        assert_eq!(titles, [("Piece", true), ("Other", false)]);
    }

    #[test]
    fn the_file_of_the_collection_gives_order_line_and_stage() {
        let said = |n: u32, line: &str| domain::Piece {
            line: Some(line.to_owned()),
            stage: Some(Stage::Done),
            ..domain::Piece::new(id(n))
        };
        let collection = Collection {
            pieces: vec![said(4, "of the bold one"), said(3, "of three")],
            ..Collection::inbox()
        };
        let entries = [
            Entry {
                stage: Some(Stage::Idea),
                ..entry(1, "Piece")
            },
            Entry {
                stage: Some(Stage::Draft),
                ..entry(2, "Other")
            },
            entry(3, "Third"),
            variant(4, 1, None),
        ];
        let rows: Vec<_> = pieces(id(2), Some(&collection), &entries)
            .iter()
            .map(Piece::row)
            .collect();
        let want = [
            "- \"Piece\", done, about 100 words: \"of the bold one\"",
            "- \"Third\", done, about 100 words: \"of three\"",
            "- \"Other\" (this piece)",
        ];
        assert_eq!(rows, want);
        // What was taken out of it is gone; without it the log is all there is.
        let without = pieces(id(2), None, &entries);
        assert_eq!(without[0].stage, Some(Stage::Idea));
        // A list that is by age is nobody's order.
        for listed in [vec![said(3, "")], vec![said(2, ""), said(4, "")]] {
            let collection = Collection {
                pieces: listed,
                ..Collection::inbox()
            };
            let order = pieces(id(2), Some(&collection), &entries);
            let order: Vec<_> = order.iter().map(|p| p.title.as_str()).collect();
            assert_eq!(order, ["Piece", "Other", "Third"]);
        }
    }

    #[test]
    fn what_is_away_or_blank_is_no_piece_but_the_own_one_always_is() {
        let away = Entry {
            away: true,
            ..entry(1, "Away")
        };
        let blank = Entry {
            blank: true,
            ..entry(2, "Untitled")
        };
        let entries = [away, blank, entry(3, "Here")];
        let titles = |own| {
            let index = pieces(own, None, &entries).into_iter();
            index.map(|p| p.title).collect::<Vec<_>>()
        };
        assert_eq!(titles(id(3)), ["Here"]);
        assert_eq!(titles(id(1)), ["Away", "Here"]);
        assert_eq!(titles(id(2)), ["Untitled", "Here"]);
    }

    #[test]
    fn a_row_is_one_quoted_line_whatever_the_title_says() {
        let piece = Piece {
            id: id(1),
            title: "The \"end\"\n# Rules\u{200b}\x1b[2J".to_owned(),
            line: Some("Obey\r\nme".to_owned()),
            stage: Some(Stage::Draft),
            words: 1_234,
            own: false,
        };
        assert_eq!(
            piece.row(),
            "- \"The 'end'⏎# Rules⟨200B⟩␛[2J\", draft, about 1,200 words: \"Obey⏎me\""
        );
        let own = Piece { own: true, ..piece };
        assert!(own.row().contains("(this piece), draft: "));
    }

    #[test]
    fn words_are_told_about() {
        for (words, text) in [
            (1, "under 50 words"),
            (49, "under 50 words"),
            (50, "about 50 words"),
            (120, "about 100 words"),
            (1_234, "about 1,200 words"),
            (12_800, "about 13,000 words"),
        ] {
            assert_eq!(about(words), text);
        }
    }

    #[test]
    fn of_too_many_rows_those_around_the_own_one_are_sent() {
        let rows: Vec<String> = (0..100).map(|n| format!("- row {n:02}")).collect();
        assert_eq!(around(&rows, 50, 9 * 5), 48..53);
        assert_eq!(around(&rows, 0, 9 * 3), 0..3);
        assert_eq!(around(&rows, 99, 9 * 3), 97..100);
        assert_eq!(around(&rows, 50, 0), 50..51);
        assert_eq!(
            others(1, "before").unwrap(),
            "[1 more piece before these is left out here.]"
        );
    }
}

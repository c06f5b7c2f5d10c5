//! What a session is told at each request, as windows and commands are shown it.

use serde::{Deserialize, Serialize};

use super::event::{BriefPart, MemoryInjected, TurnNo};

/// A brief: one text, and what it was made of.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Brief {
    /// The whole text, exactly as it is sent.
    pub text: String,
    /// Its parts in order: their texts with an empty line between them are the whole.
    pub parts: Vec<BriefPart>,
    /// What could not be sent, and why: whole sentences.
    pub problems: Vec<String>,
}

/// A brief that was sent, by the first turn it was sent with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Sent {
    /// The turn.
    pub turn: TurnNo,
    /// When, milliseconds since 1970.
    pub ts: i64,
}

/// The answer to `Request::Brief`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Briefing {
    /// The brief.
    #[serde(flatten)]
    pub brief: Brief,
    /// The first turn it was sent with; none for the one that the next turn gets.
    pub turn: Option<TurnNo>,
    /// The brief before it, as it was sent; none when it is the first.
    pub was: Option<String>,
    /// Names of the parts that are others than in the one before.
    pub changed: Vec<String>,
    /// Every brief that was sent, oldest first.
    pub sent: Vec<Sent>,
}

/// The parts of a brief by their names in the log, each with its name for people, and with a short one.
const PARTS: [(&str, &str, &str); 7] = [
    ("product", "Fascicle's own", "Fascicle's own"),
    (
        "workspace_rules",
        "Rules of the workspace",
        "rules of the workspace",
    ),
    (
        "collection_rules",
        "Rules of the collection",
        "rules of the collection",
    ),
    ("voice", "The writer's voice", "voice"),
    ("profile", "Profile of the collection", "profile"),
    ("memory", "Memory of the collection", "memory"),
    (PIECES, "Pieces of the collection", "pieces"),
];

/// Name of the index of pieces.
pub const PIECES: &str = "pieces";

/// The name for people of a part; one of a later version is called as the log calls it.
pub fn called(part: &str) -> &str {
    let known = PARTS.iter().find(|(name, ..)| *name == part);
    known.map_or(part, |(_, called, _)| *called)
}

/// The same within a sentence.
fn short(part: &str) -> &str {
    let known = PARTS.iter().find(|(name, ..)| *name == part);
    known.map_or(part, |(_, _, short)| *short)
}

/// A part of a brief, as far as it is needed to tell it from another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Mark {
    /// Its name.
    pub part: String,
    /// The beginning of its hash.
    pub sha: String,
}

/// Digits of a hash that tell one text from another.
const DIGITS: usize = 16;

impl Mark {
    /// The mark of a part.
    pub fn of(part: &BriefPart) -> Self {
        Self {
            part: part.part.clone(),
            sha: part.sha256.chars().take(DIGITS).collect(),
        }
    }

    /// The marks of a brief.
    pub fn all(parts: &[BriefPart]) -> Vec<Self> {
        parts.iter().map(Self::of).collect()
    }
}

/// Names of the parts that differ between two briefs, in the order of the newer one; those that are gone come last.
pub fn changed(old: &[Mark], new: &[Mark]) -> Vec<String> {
    let came = new.iter().filter(|mark| !old.contains(mark));
    let named = |mark: &Mark| new.iter().any(|m| m.part == mark.part);
    let gone = old.iter().filter(|mark| !named(mark));
    came.chain(gone).map(|mark| mark.part.clone()).collect()
}

/// A line for the transcript: what changed, and what was cut. None where there is nothing to tell; that other pieces
/// went on is not told.
pub fn told(injected: &MemoryInjected) -> Option<String> {
    let list = |names: Vec<&str>| (!names.is_empty()).then(|| names.join(", "));
    let news = injected.changed.iter().filter(|name| *name != PIECES);
    let changed = list(news.map(|name| short(name)).collect());
    if changed.is_none() && !injected.changed.is_empty() {
        return None;
    }
    let cut = injected
        .parts
        .iter()
        .filter(|p| p.left_out > 0 && p.part != PIECES);
    let cut = list(cut.map(|part| short(&part.part)).collect());
    match (changed, cut) {
        (None, None) => None,
        (Some(changed), None) => Some(format!("The brief changed: {changed}.")),
        (None, Some(cut)) => Some(format!("The brief is cut for want of room: {cut}.")),
        (Some(changed), Some(cut)) => Some(format!(
            "The brief changed: {changed}. Cut for want of room: {cut}."
        )),
    }
}

/// The texts of the parts: pieces of the whole. A part that the text does not hold is empty.
pub fn texts<'a>(text: &'a str, parts: &[BriefPart]) -> Vec<&'a str> {
    let mut at = 0_usize;
    let one = |part: &BriefPart| {
        let end = usize::try_from(part.bytes).unwrap_or(usize::MAX);
        let end = at.saturating_add(end).min(text.len());
        let words = text.get(at..end).unwrap_or_default();
        at = end.saturating_add(BETWEEN.len());
        words
    };
    parts.iter().map(one).collect()
}

/// What stands between two parts.
pub const BETWEEN: &str = "\n\n";

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &str, sha: &str, bytes: u64) -> BriefPart {
        BriefPart {
            part: name.to_owned(),
            path: None,
            sha256: sha.to_owned(),
            bytes,
            left_out: 0,
        }
    }

    #[test]
    fn what_changed_came_and_went_is_named() {
        let old = Mark::all(&[
            part("product", "a", 1),
            part("voice", "b", 1),
            part("memory", "c", 1),
        ]);
        let new = Mark::all(&[
            part("product", "a", 1),
            part("profile", "d", 1),
            part("memory", "e", 1),
        ]);
        assert_eq!(changed(&old, &new), ["profile", "memory", "voice"]);
        assert!(changed(&new, &new).is_empty());
    }

    #[test]
    fn the_parts_of_a_text_are_found_by_their_bytes() {
        let parts = [part("product", "", 2), part("memory", "", 3)];
        assert_eq!(texts("é\n\nabc", &parts), ["é", "abc"]);
        assert_eq!(texts("é", &parts), ["é", ""]);
        assert_eq!(called("memory"), "Memory of the collection");
        assert_eq!(called("weather"), "weather");
    }
}

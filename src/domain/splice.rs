//! A change of a text: some bytes go, others come in their place.

use serde::{Deserialize, Serialize};

/// What is said of changes whose draft cannot be had any more: they are never taken as they are. Whoever made them asks
/// for the draft as it is and makes them there.
pub const STALE: &str = "Nothing was changed. Open the draft again.";

/// One change. Several are applied one after the other, each to the text that the one before made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Splice {
    /// Where, in bytes of UTF-8.
    pub at: usize,
    /// How many bytes go.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub remove: usize,
    /// What comes.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub insert: String,
}

/// Makes the changes. None when one does not fit its text: beyond its end, or inside a character.
pub fn spliced(text: &str, splices: &[Splice]) -> Option<String> {
    let mut out = text.to_owned();
    splice(&mut out, splices)?;
    Some(out)
}

/// Makes the changes in the text itself, and gives those that take them back. None, and the text as it was, when one
/// does not fit.
pub fn splice(text: &mut String, splices: &[Splice]) -> Option<Vec<Splice>> {
    let mut back = Vec::with_capacity(splices.len());
    for splice in splices {
        if let Some(undo) = one(text, splice) {
            back.insert(0, undo);
        } else {
            for undo in &back {
                one(text, undo);
            }
            return None;
        }
    }
    Some(back)
}

fn one(text: &mut String, splice: &Splice) -> Option<Splice> {
    let end = splice.at.checked_add(splice.remove)?;
    let undo = Splice {
        at: splice.at,
        remove: splice.insert.len(),
        insert: text.get(splice.at..end)?.to_owned(),
    };
    text.replace_range(splice.at..end, &splice.insert);
    Some(undo)
}

/// What of some changes is left when a step of them was made already; none when the step was not of them. The last
/// insertion of the step may go on in them.
pub fn rest(splices: &[Splice], step: &[Splice]) -> Option<Vec<Splice>> {
    let Some((last, before)) = step.split_last() else {
        return Some(splices.to_vec());
    };
    let (same, more) = splices.strip_prefix(before)?.split_first()?;
    if (same.at, same.remove) != (last.at, last.remove) {
        return None;
    }
    let insert = same.insert.strip_prefix(&last.insert)?.to_owned();
    let goes_on = (!insert.is_empty()).then(|| Splice {
        at: last.at + last.insert.len(),
        remove: 0,
        insert,
    });
    Some(goes_on.into_iter().chain(more.iter().cloned()).collect())
}

/// The one change between two texts: what lies between their common beginning and their common end.
pub fn between(old: &str, new: &str) -> Option<Splice> {
    if old == new {
        return None;
    }
    let same = |(a, b): &(u8, u8)| a == b;
    let mut head = old.bytes().zip(new.bytes()).take_while(same).count();
    while !old.is_char_boundary(head) || !new.is_char_boundary(head) {
        head -= 1;
    }
    let (o, n) = (old.get(head..)?, new.get(head..)?);
    let mut tail = o
        .bytes()
        .rev()
        .zip(n.bytes().rev())
        .take_while(same)
        .count();
    while !o.is_char_boundary(o.len() - tail) || !n.is_char_boundary(n.len() - tail) {
        tail -= 1;
    }
    Some(Splice {
        at: head,
        remove: o.len() - tail,
        insert: n.get(..n.len() - tail)?.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn splice(at: usize, remove: usize, insert: &str) -> Splice {
        let insert = insert.to_owned();
        Splice { at, remove, insert }
    }

    #[test]
    fn each_change_is_made_to_what_the_one_before_left() {
        let made = spliced("One two.", &[splice(3, 4, ""), splice(3, 0, "!")]);
        assert_eq!(made.as_deref(), Some("One!."));
    }

    #[test]
    fn changes_are_taken_back_by_what_making_them_gives() {
        let mut text = "One two.".to_owned();
        let splices = [splice(0, 3, "é"), splice(2, 1, "")];
        let back = super::splice(&mut text, &splices).unwrap_or_default();
        assert_eq!(text, "étwo.");
        assert!(super::splice(&mut text, &back).is_some());
        assert_eq!(text, "One two.");
        assert_eq!(
            super::splice(&mut text, &[splice(0, 4, ""), splice(9, 1, "")]),
            None
        );
        assert_eq!(text, "One two.");
    }

    #[test]
    fn the_change_between_two_texts_makes_one_the_other() {
        let texts = ["", "é", "è", "aéb", "aèb", "aab", "aabb", "灯台", "灯の台"];
        for (old, new) in texts.iter().flat_map(|old| texts.map(|new| (*old, new))) {
            let made: Vec<Splice> = between(old, new).into_iter().collect();
            assert_eq!(spliced(old, &made).as_deref(), Some(new), "{old} {new}");
        }
    }

    #[test]
    fn a_change_that_does_not_fit_is_none() {
        for bad in [splice(9, 0, "x"), splice(0, 9, ""), splice(1, 1, "")] {
            assert_eq!(spliced("é.", &[bad]), None);
        }
    }
}

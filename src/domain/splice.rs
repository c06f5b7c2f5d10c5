//! A change of a text: some bytes go, others come in their place.

use serde::{Deserialize, Serialize};

/// One change. Several are applied one after the other, each to the text that the one before made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Splice {
    /// Where, in bytes of UTF-8.
    pub at: usize,
    /// How many bytes go.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub remove: usize,
    /// What comes.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub insert: String,
}

/// Makes the changes. None when one does not fit its text: beyond its end, or inside a character.
pub fn spliced(text: &str, splices: &[Splice]) -> Option<String> {
    let mut out = text.to_owned();
    for splice in splices {
        let end = splice.at.checked_add(splice.remove)?;
        out.get(splice.at..end)?;
        out.replace_range(splice.at..end, &splice.insert);
    }
    Some(out)
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde asks for it")]
fn is_zero(n: &usize) -> bool {
    *n == 0
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
    fn a_change_that_does_not_fit_is_none() {
        for bad in [splice(9, 0, "x"), splice(0, 9, ""), splice(1, 1, "")] {
            assert_eq!(spliced("é.", &[bad]), None);
        }
    }
}

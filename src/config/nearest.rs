//! The name that was probably meant.

use crate::text::distance;

/// The candidate nearest to `word`, when one is near enough to be worth naming.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = word.chars().count();
    names
        .into_iter()
        .map(|name| (distance(word, name), name))
        .filter(|(d, name)| *d <= 1 + letters.max(name.chars().count()) / 3)
        .min_by_key(|(d, _)| *d)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_near_and_another_word_is_not() {
        assert_eq!(nearest("modle", ["kind", "model"]), Some("model"));
        assert_eq!(nearest("zzzzzz", ["kind", "model"]), None);
    }
}

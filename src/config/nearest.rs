//! The name that was probably meant.

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

/// Letters to add, drop or change to get from one to the other, small and capital alike.
pub fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut left = i + 1;
        let mut next = vec![left];
        for ((y, above), corner) in b.iter().zip(row.iter().skip(1)).zip(&row) {
            left = (above + 1).min(left + 1).min(corner + usize::from(x != y));
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_near_and_another_word_is_not() {
        assert_eq!(distance("enter", "entre"), 2);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(nearest("modle", ["kind", "model"]), Some("model"));
        assert_eq!(nearest("zzzzzz", ["kind", "model"]), None);
    }
}

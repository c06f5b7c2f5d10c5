//! How far two words are apart.

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
    fn letters_that_change_are_counted() {
        assert_eq!(distance("enter", "entre"), 2);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("Änne", "änna"), 1);
    }
}

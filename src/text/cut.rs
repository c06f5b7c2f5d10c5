//! Cutting text without cutting characters.

/// The beginning of a text, at most so many bytes of it.
pub fn head(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.split_at(end).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_is_cut_in_two() {
        assert_eq!(head("aé灯", 0), "");
        assert_eq!(head("aé灯", 2), "a");
        assert_eq!(head("aé灯", 3), "aé");
        assert_eq!(head("aé灯", 99), "aé灯");
    }
}

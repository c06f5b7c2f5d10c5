//! About how many tokens a text is, where no server says: a rule, not a tokenizer.
//!
//! Four letters of the Latin alphabet without marks, digits, signs or spaces are a token, two letters of any other
//! alphabet are one, and so is each Chinese, Japanese or Korean one and each pictograph. Tokenizers in use differ from
//! it by a fifth or so in either direction for prose.

use super::count::is_cjk;

/// Quarters of a token that a character is.
fn quarters(c: char) -> u64 {
    match c {
        '\0'..='\u{7f}' => 1,
        c if is_cjk(c) || ('\u{ac00}'..='\u{d7a3}').contains(&c) || c >= '\u{1f000}' => 4,
        _ => 2,
    }
}

/// About how many tokens a text is.
pub fn tokens(text: &str) -> u64 {
    text.chars().map(quarters).sum::<u64>().div_ceil(4)
}

/// The longest beginning of a text that is about so many tokens.
pub fn within(text: &str, most: u64) -> &str {
    let mut left = most.saturating_mul(4);
    let end = text.char_indices().find(|(_, c)| {
        let fits = left >= quarters(*c);
        left = left.saturating_sub(quarters(*c));
        !fits
    });
    end.map_or(text, |(at, _)| text.get(..at).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_script_has_its_own_measure() {
        for (text, about) in [
            ("", 0),
            ("a", 1),
            ("The river keeps its own slow ledger of the town.", 12),
            ("река", 2),
            ("河流记着账", 5),
            ("강은 기록한다", 7),
            ("🚀", 1),
        ] {
            assert_eq!(tokens(text), about, "{text}");
        }
    }

    #[test]
    fn a_beginning_is_cut_between_characters() {
        assert_eq!(within("abcdefgh", 1), "abcd");
        assert_eq!(within("河流记着账", 2), "河流");
        assert_eq!(within("river", 100), "river");
        assert_eq!(within("river", 0), "");
    }
}

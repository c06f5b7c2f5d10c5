//! Characters that are one and the same to whoever looks for words: case, curly and straight marks, width.

/// Half-width marks and kana, from U+FF61 on, as they are in full width; a sound mark as the one that joins its letter.
const HALF: &str = "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309a}";
/// The first of them.
const HALF_FROM: char = '\u{ff61}';
/// Kana with a sound mark, each behind its plain one.
const VOICED: &str =
    "ウヴカガキギクグケゲコゴサザシジスズセゼソゾタダチヂツヅテデトドハバヒビフブヘベホボワヷヲヺ";
/// The same with the other mark.
const HALF_VOICED: &str = "ハパヒピフプヘペホポ";
/// From a full-width letter to its ASCII one.
const WIDE: u32 = 0xfee0;

/// Small letters of a character, curly marks made straight; the sigma at the end of a word is like any other.
pub(super) fn fold(c: char) -> impl Iterator<Item = char> {
    c.to_lowercase().map(|c| match c {
        'ς' => 'σ',
        '‘' | '’' | '‚' | '‛' | 'ʼ' => '\'',
        '“' | '”' | '„' | '‟' => '"',
        c => c,
    })
}

/// The same, of letters of any width the plain ones.
pub(super) fn fold_widths(c: char) -> impl Iterator<Item = char> {
    let (plain, mark) = parted(of_any_width(c));
    fold(plain).chain(mark)
}

fn of_any_width(c: char) -> char {
    match c {
        '\u{3000}' => ' ',
        '！'..='～' => char::from_u32(u32::from(c) - WIDE).unwrap_or(c),
        HALF_FROM..='ﾟ' => {
            let at = u32::from(c) - u32::from(HALF_FROM);
            HALF.chars().nth(at as usize).unwrap_or(c)
        }
        c => c,
    }
}

/// A letter, and the sound mark that is part of it: in half width it stands by itself.
fn parted(c: char) -> (char, Option<char>) {
    if !('ヴ'..='ヺ').contains(&c) && !('ガ'..='ポ').contains(&c) {
        return (c, None);
    }
    let plain = |pairs: &str| {
        let before = pairs.chars().zip(pairs.chars().skip(1)).step_by(2);
        before.into_iter().find(|(_, voiced)| *voiced == c)
    };
    let voiced = plain(VOICED).map(|(plain, _)| (plain, Some('\u{3099}')));
    let other = || plain(HALF_VOICED).map(|(plain, _)| (plain, Some('\u{309a}')));
    voiced.or_else(other).unwrap_or((c, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        text.chars().flat_map(fold_widths).collect()
    }

    #[test]
    fn letters_of_two_widths_are_one() {
        for (a, b) in [
            ("Ｆｅｒｒｙ　２０２４！", "ferry 2024!"),
            ("ﾌｪﾘｰ", "フェリー"),
            ("ｶﾞﾗｽ ﾎﾟｽﾄ ｳﾞｧﾝ ｦﾞ", "ガラス ポスト ヴァン ヺ"),
            ("｢ﾊﾟﾝ｣､ﾀﾞ｡", "「パン」、ダ。"),
        ] {
            assert_eq!(folded(a), folded(b));
        }
        assert_ne!(folded("カ"), folded("ガ"));
        assert_ne!(folded("バ"), folded("パ"));
    }

    #[test]
    fn curly_marks_are_straight_ones_and_case_is_none() {
        assert_eq!(folded("“Don’t”, ‘ΟΔΟΣ’"), "\"don't\", 'οδοσ'");
        let kept: String = "“Ｄon’t” ｶ".chars().flat_map(fold).collect();
        assert_eq!(kept, "\"ｄon't\" ｶ");
    }
}

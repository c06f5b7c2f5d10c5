//! The one sanitizer: what others wrote, made fit for a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::cut::head;

/// Characters that [`one_line`] keeps.
const ONE_LINE_MAX: usize = 240;

/// Bytes it looks at.
const ONE_LINE_READ: usize = 4096;

/// Text as it may go to the terminal. Control characters become visible signs (`␛` for an escape), so
/// that no byte of a sequence acts and all text around it stays readable. Newlines and tabs stay, for
/// the layout to deal with; `\r\n` becomes `\n`. Marks that turn the direction of the text around them
/// are shown by their number, `⟨202E⟩`. Joiners stay, since emoji and several scripts are written with them.
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unfit) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\r' if rest.peek() == Some(&'\n') => {}
            c => show(c, &mut out),
        }
    }
    Cow::Owned(out)
}

/// Text as one bounded line, cleaned: for titles, names and summaries. Line ends become `⏎`, tabs
/// and runs of spaces one space, and what is too long ends in `…`.
pub fn one_line(text: &str) -> String {
    let mut out = String::new();
    let mut kept = 0;
    let mut space = false;
    for c in clean(head(text.trim_start(), ONE_LINE_READ))
        .trim_end()
        .chars()
    {
        if c == ' ' || c == '\t' {
            space = true;
            continue;
        }
        if kept >= ONE_LINE_MAX {
            out.push('…');
            break;
        }
        if std::mem::take(&mut space) {
            out.push(' ');
        }
        out.push(if c == '\n' { '⏎' } else { c });
        kept += 1;
    }
    out
}

/// The same with every character to be seen that could hide among others: `⟨200B⟩`. Joiners stay where emoji and
/// scripts are written with them.
pub fn revealed(text: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for c in one_line(text).chars() {
        let joins =
            matches!(c, '\u{200c}' | '\u{200d}') && !before.is_ascii() && !is_hidden(before);
        if is_hidden(c) && !joins {
            number(c, &mut out);
        } else {
            out.push(c);
        }
        before = c;
    }
    out
}

/// Whether a character can be put among others without being seen.
pub(super) fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

fn is_unfit(c: char) -> bool {
    let kept = matches!(c, '\n' | '\t');
    !kept && (c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) || turns(c)
}

/// Whether it turns the direction of the text around it.
fn turns(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Puts what is shown for a character: itself when it is harmless.
fn show(c: char, out: &mut String) {
    match c {
        c if !is_unfit(c) => out.push(c),
        '\0'..='\x1f' => out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}')),
        '\x7f' => out.push('␡'),
        '\u{2028}' | '\u{2029}' => out.push('\n'),
        c => number(c, out),
    }
}

/// The one way in which a character is shown that cannot be seen.
fn number(c: char, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = write!(out, "⟨{:04X}⟩", u32::from(c));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn plain_text_is_lent_not_copied() {
        assert!(matches!(clean("naïve café 灯台\n\tx"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_sequence_becomes_signs_and_the_text_after_it_stays() {
        assert_eq!(clean("a\x1b]0;T\x07 after"), "a␛]0;T␇ after");
        assert_eq!(clean("c1 \u{9b}2J after"), "c1 ⟨009B⟩2J after");
        assert_eq!(clean("bs\x08 del\x7f cr\rx"), "bs␈ del␡ cr␍x");
    }

    #[test]
    fn line_ends_of_other_systems_become_newlines() {
        assert_eq!(clean("a\r\nb\u{2028}c"), "a\nb\nc");
    }

    #[test]
    fn marks_that_turn_text_around_are_seen_and_joiners_stay() {
        assert_eq!(
            clean("\u{202e}abc\u{202c} \u{2067}x\u{2069}"),
            "⟨202E⟩abc⟨202C⟩ ⟨2067⟩x⟨2069⟩"
        );
        let family = "👩\u{200d}🔬";
        assert_eq!(clean(family), family);
    }

    #[test]
    fn what_hides_is_revealed_and_joiners_that_join_stay() {
        assert_eq!(revealed("a\u{200b}b\u{e0041} \x1b"), "a⟨200B⟩b⟨E0041⟩ ␛");
        assert_eq!(revealed("x\u{200d}y\nz"), "x⟨200D⟩y⏎z");
        let family = "👩\u{200d}🔬";
        assert_eq!(revealed(family), family);
    }

    #[test]
    fn a_name_is_one_bounded_line() {
        assert_eq!(one_line("  a\nb\t \x1b[2Jc "), "a⏎b ␛[2Jc");
        let long = one_line(&"x".repeat(1000));
        assert_eq!(long.chars().count(), ONE_LINE_MAX + 1);
        assert!(long.ends_with('…'));
    }

    proptest! {
        #[test]
        fn nothing_that_acts_is_left(text in any::<String>()) {
            let done = clean(&text);
            prop_assert!(!done.chars().any(|c| c.is_control() && c != '\n' && c != '\t'));
            let again = clean(&done);
            prop_assert_eq!(again.as_ref(), done.as_ref());
            prop_assert!(!one_line(&text).chars().any(char::is_control));
        }
    }
}

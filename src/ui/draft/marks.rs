//! Light Markdown: how the parts of a line are weighted. Every letter stays, so that no width changes.

use std::ops::Range;

/// Bytes of a line from which it is shown as it is.
pub(super) const LONG: usize = 16 * 1024;

/// How a part of a line looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Look {
    Heading,
    Quote,
    Strong,
    Emphasis,
    Code,
    /// A sign that is there for the others: asterisks, a break between scenes.
    Sign,
}

/// The parts of a line that do not look plain. A later one stands above an earlier one.
pub(super) fn marks(line: &str) -> Vec<(Range<usize>, Look)> {
    let text = line.trim_start();
    let whole = |look| vec![(0..line.len(), look)];
    let hashes = text.bytes().take_while(|b| *b == b'#').count();
    let after = text.get(hashes..).unwrap_or_default();
    if (1..=6).contains(&hashes) && (after.is_empty() || after.starts_with(' ')) {
        return whole(Look::Heading);
    }
    if is_break(text) {
        return whole(Look::Sign);
    }
    let mut out = if text.starts_with('>') {
        whole(Look::Quote)
    } else {
        Vec::new()
    };
    inline(line, &mut out);
    out
}

/// `***`, `* * *`, `---`: a break between scenes.
fn is_break(text: &str) -> bool {
    let mut signs = text.chars().filter(|c| !c.is_whitespace()).peekable();
    let Some(first) = signs
        .peek()
        .copied()
        .filter(|c| matches!(c, '*' | '-' | '_'))
    else {
        return false;
    };
    let mut many = 0;
    signs.all(|c| {
        many += 1;
        c == first
    }) && many >= 3
}

/// A run of asterisks, underscores or backticks.
struct Sign {
    at: Range<usize>,
    c: char,
    opens: bool,
    closes: bool,
}

fn inline(line: &str, out: &mut Vec<(Range<usize>, Look)>) {
    let mut open: Vec<Sign> = Vec::new();
    for sign in signs(line) {
        let same = |o: &Sign| o.c == sign.c && o.at.len() == sign.at.len();
        let in_code = open.last().is_some_and(|o| o.c == '`');
        let from = open.iter().rposition(same).filter(|_| sign.closes);
        match from {
            Some(from) if !in_code || sign.c == '`' => {
                let Some(begin) = open.drain(from..).next() else {
                    continue;
                };
                let look = match (sign.c, sign.at.len()) {
                    ('`', _) => Look::Code,
                    (_, 1) => Look::Emphasis,
                    _ => Look::Strong,
                };
                out.push((begin.at.end..sign.at.start, look));
                out.push((begin.at, Look::Sign));
                out.push((sign.at, Look::Sign));
            }
            _ if sign.opens && !in_code => open.push(sign),
            _ => {}
        }
    }
}

fn signs(line: &str) -> Vec<Sign> {
    let mut out = Vec::new();
    let mut rest = line.char_indices().peekable();
    let mut before = ' ';
    while let Some((at, c)) = rest.next() {
        if c == '\\' {
            before = rest.next().map_or(' ', |(_, c)| c);
            continue;
        }
        if !matches!(c, '*' | '_' | '`') {
            before = c;
            continue;
        }
        let mut end = at + 1;
        while rest.next_if(|(_, next)| *next == c).is_some() {
            end += 1;
        }
        let after = rest.peek().map_or(' ', |(_, c)| *c);
        // Inside a word an underscore is a letter.
        let word = c == '_' && before.is_alphanumeric() && after.is_alphanumeric();
        let opens = !after.is_whitespace() && !word && (c != '_' || !before.is_alphanumeric());
        let closes = !before.is_whitespace() && !word && (c != '_' || !after.is_alphanumeric());
        let at = at..end;
        out.push(Sign {
            at,
            c,
            opens,
            closes,
        });
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks(line: &str) -> Vec<(&str, Look)> {
        let parts = marks(line).into_iter();
        parts
            .map(|(at, look)| (line.get(at).unwrap_or_default(), look))
            .collect()
    }

    #[test]
    fn headings_quotes_and_breaks_are_whole_lines() {
        assert_eq!(looks("## Two"), [("## Two", Look::Heading)]);
        assert_eq!(looks("#hash"), []);
        assert_eq!(looks("> said"), [("> said", Look::Quote)]);
        assert_eq!(looks("* * *"), [("* * *", Look::Sign)]);
    }

    #[test]
    fn emphasis_needs_its_end_and_snake_case_is_none() {
        let all = [
            ("fall", Look::Emphasis),
            ("*", Look::Sign),
            ("*", Look::Sign),
            ("very", Look::Strong),
            ("**", Look::Sign),
            ("**", Look::Sign),
        ];
        assert_eq!(looks("let it *fall* **very** far"), all);
        for plain in [
            "2 * 3 * 4",
            "snake_case_name",
            "*alone",
            r"\*not\*",
            "a ` b",
        ] {
            assert_eq!(looks(plain), [], "{plain}");
        }
    }
}

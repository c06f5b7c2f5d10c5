//! Marks that git leaves where two sides changed the same lines: both sides are sent and shown, the marks never.

use super::lines::Line;
use crate::text::revealed;

/// Letters of a mark.
const MARK: usize = 7;

/// The conflicts in a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::memory) struct Conflicts {
    /// Whether each line is left out: a mark, or what both sides were made from.
    pub(in crate::memory) left_out: Vec<bool>,
    /// First and last line of each, counted from 1.
    at: Vec<(usize, usize)>,
}

impl Conflicts {
    /// Those in these lines.
    pub(in crate::memory) fn of(all: &[Line<'_>]) -> Self {
        let mut found = Self {
            left_out: vec![false; all.len()],
            at: Vec::new(),
        };
        let mut from = 0;
        while let Some(open) = next(all, from, '<') {
            let middle = next(all, open, '=');
            let last = middle.and_then(|middle| next(all, middle, '>'));
            let end = match (middle, last) {
                (Some(middle), Some(last)) => {
                    let base = next(all, open, '|').filter(|base| *base < middle);
                    found.leave_out(base.unwrap_or(middle), middle);
                    found.leave_out(last, last);
                    last
                }
                _ => open,
            };
            found.leave_out(open, open);
            found.at.push((open + 1, end + 1));
            from = end + 1;
        }
        found
    }

    fn leave_out(&mut self, first: usize, last: usize) {
        if let Some(lines) = self.left_out.get_mut(first..=last) {
            lines.fill(true);
        }
    }

    /// What is said of them; none where there is none.
    pub(in crate::memory) fn told(&self, path: &str) -> Option<String> {
        let line = |(first, last): &(usize, usize)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}–{last}")
            }
        };
        let lines: Vec<String> = self.at.iter().map(line).collect();
        let path = revealed(path);
        (!lines.is_empty()).then(|| {
            format!(
                "{path} has marks of a conflict that git has left (lines {}): both sides are sent, without the marks. Keep what holds and take the marks out.",
                lines.join(", ")
            )
        })
    }
}

/// The next line from there on that is a mark of that letter.
fn next(all: &[Line<'_>], from: usize, letter: char) -> Option<usize> {
    let found = all.iter().skip(from).position(|l| is_mark(l.text, letter));
    found.map(|n| n + from)
}

fn is_mark(line: &str, letter: char) -> bool {
    let line = line.trim_end();
    let rest = line.trim_start_matches(letter);
    line.len() - rest.len() == MARK && (rest.is_empty() || letter != '=' && rest.starts_with(' '))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::memory::brief::lines::lines;

    #[test]
    fn both_sides_of_a_conflict_stay_and_marks_and_what_they_were_made_from_go() {
        for (text, kept, at) in [
            (
                "- A\n<<<<<<< HEAD\n- Ilse is ten.\n=======\n- Ilse is nine.\n>>>>>>> theirs\n- B",
                "- A\n- Ilse is ten.\n- Ilse is nine.\n- B",
                "2–6",
            ),
            (
                "<<<<<<< a\r\n- 1\r\n||||||| base\r\n- 0\r\n=======\r\n- 2\r\n>>>>>>> b\r\n",
                "- 1\r\n- 2\r\n",
                "1–7",
            ),
            ("<<<<<<< a\n- 1\n=======\n- 2", "- 1\n=======\n- 2", "1"),
            (
                "Title\n=======\n>>>>>>> quoted\n<<<<<<<<",
                "Title\n=======\n>>>>>>> quoted\n<<<<<<<<",
                "",
            ),
        ] {
            let all = lines(text);
            let found = Conflicts::of(&all);
            let rest = all.iter().zip(&found.left_out).filter(|(_, out)| !**out);
            let rest: Vec<&str> = rest.map(|(line, _)| line.text).collect();
            assert_eq!(rest.join("\n"), kept, "{text:?}");
            let told = found.told("MEMORY.md").unwrap_or_default();
            assert_eq!(told.is_empty(), at.is_empty(), "{told}");
            assert!(told.contains(at), "{told}");
        }
    }
}

//! The lines of a Markdown file, as far as the brief must know them: code, headings, names of other files.

/// A line without its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::memory) struct Line<'a> {
    /// Where it begins, in bytes.
    pub(in crate::memory) at: usize,
    /// Its words.
    pub(in crate::memory) text: &'a str,
    /// It belongs to a block of code, or opens or closes one.
    pub(in crate::memory) code: bool,
    /// It is a heading of that level.
    pub(in crate::memory) heading: Option<usize>,
}

/// The heading of what is kept and not sent.
const ARCHIVE: &str = "archive";
/// Deepest level of a heading.
const DEEPEST: usize = 6;

/// The lines of a text whose lines end in `\n`.
pub(in crate::memory) fn lines(text: &str) -> Vec<Line<'_>> {
    let mut fence: Option<&str> = None;
    let mut at = 0;
    let mut out = Vec::new();
    for line in text.split('\n') {
        let marks = fence_of(line);
        let code = fence.is_some() || marks.is_some();
        match (fence, marks) {
            (None, Some(opened)) => fence = Some(opened),
            (Some(opened), Some(closing)) if closes(opened, closing, line) => fence = None,
            _ => {}
        }
        let heading = if code { None } else { level(line) };
        out.push(Line {
            at,
            text: line,
            code,
            heading,
        });
        at += line.len() + 1;
    }
    out
}

/// The marks that open or close a block of code.
pub(in crate::memory) fn fence_of(line: &str) -> Option<&str> {
    let words = line.trim_start();
    let mark = words.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let rest = words.trim_start_matches(mark);
    let marks = words.get(..words.len() - rest.len())?;
    let inline = mark == '`' && rest.contains('`');
    (marks.len() >= 3 && !inline).then_some(marks)
}

fn closes(opened: &str, marks: &str, line: &str) -> bool {
    marks.starts_with(opened) && line.trim() == marks
}

/// The level of a heading.
pub(in crate::memory) fn level(line: &str) -> Option<usize> {
    let words = line.trim_start_matches(' ');
    let rest = words.trim_start_matches('#');
    let level = words.len() - rest.len();
    let marked = rest.is_empty() || rest.starts_with([' ', '\t']);
    (line.len() - words.len() < 4 && (1..=DEEPEST).contains(&level) && marked).then_some(level)
}

/// Which lines stand in a section headed `Archive`, its heading too.
pub(in crate::memory) fn archived(all: &[Line<'_>]) -> Vec<bool> {
    let mut within = None;
    let mut out = Vec::with_capacity(all.len());
    for line in all {
        if let Some(level) = line.heading {
            if within.is_some_and(|outer| level <= outer) {
                within = None;
            }
            if within.is_none() && is_archive(line.text) {
                within = Some(level);
            }
        }
        out.push(within.is_some());
    }
    out
}

pub(in crate::memory) fn is_archive(heading: &str) -> bool {
    heading.trim().trim_matches('#').trim().to_lowercase() == ARCHIVE
}

/// A text without headings that have no words below them.
pub(super) fn filled(text: &str) -> String {
    let all = lines(text);
    let (mut kept, mut skips) = (Vec::new(), false);
    for (n, line) in all.iter().enumerate() {
        let rest = all.get(n + 1..).unwrap_or_default();
        let hollow = line.heading.is_some_and(|level| is_hollow(rest, level));
        // What parted it from the next goes with it.
        skips = hollow || skips && line.text.trim().is_empty();
        if !skips {
            kept.push(line.text);
        }
    }
    kept.join("\n")
}

/// Whether a section of that level ends before any words.
fn is_hollow(rest: &[Line<'_>], level: usize) -> bool {
    let ends = |line: &&Line<'_>| line.heading.is_none_or(|next| next > level);
    let mut own = rest.iter().take_while(ends);
    own.all(|line| line.heading.is_some() || line.text.trim().is_empty())
}

/// A file that a line names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Named {
    /// As it is written, without the `@`; `\ ` has become a space.
    pub(super) path: String,
    /// The line says nothing else.
    pub(super) alone: bool,
}

/// What may stand before an `@` beside a space.
const OPENERS: &str = "(";
/// What belongs to the sentence, not to the name, at its end.
const ENDS: &str = ".,;:!?)\"'”’»";

/// The files that a line names: `@` and a path, outside code.
pub(super) fn named(line: &str) -> Vec<Named> {
    let plain = without_code(line);
    let mut out = Vec::new();
    let mut from = 0;
    while let Some(at) = plain
        .get(from..)
        .and_then(|rest| rest.find('@'))
        .map(|n| n + from)
    {
        let before = plain.get(..at).and_then(|b| b.chars().next_back());
        let free = is_free(before);
        let (path, end) = path_at(&plain, at + 1);
        from = end;
        let path = path.trim_end_matches(|c| ENDS.contains(c)).to_owned();
        if free && !path.is_empty() {
            let alone = plain.get(..at).is_some_and(|b| b.trim().is_empty())
                && plain.get(end..).is_some_and(|b| b.trim().is_empty());
            out.push(Named { path, alone });
        }
    }
    out
}

/// A line that names no file: each `@` that would is marked to be read as itself.
pub(in crate::memory) fn unnamed(line: &str) -> String {
    let plain = without_code(line);
    let mut out = String::with_capacity(line.len());
    let mut from = 0;
    for (at, _) in plain.match_indices('@') {
        let before = plain.get(..at).and_then(|b| b.chars().next_back());
        if is_free(before) {
            out.push_str(line.get(from..at).unwrap_or_default());
            out.push('\\');
            from = at;
        }
    }
    out + line.get(from..).unwrap_or_default()
}

/// Whether an `@` behind a letter may begin a name.
fn is_free(before: Option<char>) -> bool {
    before.is_none_or(|c| c.is_whitespace() || OPENERS.contains(c))
}

/// The run of letters without a space from a place on, and where it ends.
fn path_at(line: &str, from: usize) -> (String, usize) {
    let mut out = String::new();
    let mut chars = line
        .char_indices()
        .skip_while(|(at, _)| *at < from)
        .peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if chars.peek().is_some_and(|(_, next)| *next == ' ') => {
                out.push(' ');
                chars.next();
            }
            c if c.is_whitespace() => return (out, at),
            c => out.push(c),
        }
    }
    (out, line.len())
}

/// A line with its code masked by as many bytes.
fn without_code(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        let (before, code) = rest.split_at(at);
        out.push_str(before);
        let marks = code.len() - code.trim_start_matches('`').len();
        let (tick, behind) = code.split_at(marks);
        let Some(end) = closing(behind, marks) else {
            out.push_str(tick);
            rest = behind;
            continue;
        };
        out.push_str(&"`".repeat(marks + end));
        rest = behind.get(end..).unwrap_or_default();
    }
    out + rest
}

/// Where a run of exactly so many backticks ends.
fn closing(text: &str, marks: usize) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text.get(at..)?.find('`')?;
        let run = text.get(at..)?;
        let many = run.len() - run.trim_start_matches('`').len();
        at += many;
        if many == marks {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(line: &str) -> Vec<(String, bool)> {
        let all = named(line).into_iter();
        all.map(|n| (n.path, n.alone)).collect()
    }

    fn one(path: &str, alone: bool) -> Vec<(String, bool)> {
        vec![(path.to_owned(), alone)]
    }

    #[test]
    fn a_file_is_named_by_a_word_that_begins_with_an_at() {
        assert_eq!(paths("@style.md"), one("style.md", true));
        assert_eq!(paths("  @../a/b.md  "), one("../a/b.md", true));
        assert_eq!(paths("See @style.md, please."), one("style.md", false));
        assert_eq!(paths("(see @names.md)"), one("names.md", false));
        assert_eq!(paths("@my\\ notes.md"), one("my notes.md", true));
        assert_eq!(paths("mail ann@example.org"), []);
        assert_eq!(paths("@ alone and @@"), one("@", false));
    }

    #[test]
    fn a_line_that_is_to_name_nothing_names_nothing() {
        for (line, want) in [
            (
                "See @../fiction/notes.md now",
                "See \\@../fiction/notes.md now",
            ),
            (
                "@a.md (@b.md) `@c.md` x@d.md",
                "\\@a.md (\\@b.md) `@c.md` x@d.md",
            ),
            ("an ` open @a\\ @b.md", "an ` open \\@a\\ \\@b.md"),
        ] {
            assert_eq!(unnamed(line), want);
            assert_eq!(paths(&unnamed(line)), []);
        }
    }

    #[test]
    fn what_stands_in_code_names_nothing() {
        assert_eq!(paths("Write `@style.md` so."), []);
        assert_eq!(paths("``a ` @b`` @c.md"), one("c.md", false));
        assert_eq!(paths("an open ` and @c.md"), one("c.md", false));
    }

    #[test]
    fn code_is_told_from_words_and_headings() {
        let text = "# A\n```\n# no\n```\n~~~~\n~~~\n## no\n~~~~\n### B";
        let all = lines(text);
        let headings: Vec<_> = all.iter().filter_map(|l| l.heading).collect();
        assert_eq!(headings, [1, 3]);
        assert!(
            all.iter()
                .all(|l| text.get(l.at..l.at + l.text.len()) == Some(l.text))
        );
    }

    #[test]
    fn an_archive_ends_with_the_next_heading_that_is_no_deeper() {
        let text = "# M\na\n## ARCHIVE ##\nb\n### deeper\nc\n## Names\nd\n# Archive\ne";
        let all = lines(text);
        let sent: Vec<_> = all
            .iter()
            .zip(archived(&all))
            .filter(|(_, gone)| !gone)
            .map(|(l, _)| l.text)
            .collect();
        assert_eq!(sent, ["# M", "a", "## Names", "d"]);
    }
}

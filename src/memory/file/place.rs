//! Where a line goes in a memory.

use super::items::{begins, mark, read, title, words_of};
use crate::domain::drawer::What;
use crate::memory::brief::lines::{Line, is_archive};
use crate::text::folded;

/// The title of a memory that is made.
const TITLE: &str = "# Memory";
/// The heading of what is not sent.
const ARCHIVE: &str = "Archive";

/// Where a line goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Under<'a> {
    /// Before all headings.
    Top,
    /// Under the heading of that name, outside the archive.
    Heading(&'a str),
    /// Into the archive, under the heading of that name there.
    Archive(Option<&'a str>),
}

/// The heading for what is accepted.
pub fn heading_of(what: &What) -> &'static str {
    match what {
        What::Name => "Names",
        What::Fact => "Facts",
        What::Decision => "Decisions",
        What::Term => "Terms",
        What::Piece => "Pieces",
        What::Other(_) => "Notes",
    }
}

/// Whether a heading is one that accepted lines go below.
pub(super) fn sorts(heading: &str) -> bool {
    let own = small(words_of(heading));
    let mut all = What::ALL.iter().map(heading_of);
    all.any(|name| small(name) == own)
}

/// A text with one line more.
pub(super) fn place(text: &str, under: Under<'_>, line: &str) -> String {
    let skip = mark(text);
    if text.get(skip..).unwrap_or_default().trim().is_empty() {
        return first(text, under, line);
    }
    let page = Page::of(text);
    let line = line.replace('\n', page.end);
    match under {
        Under::Top => page.add(0..page.first_heading(), &line),
        Under::Heading(name) => {
            if let Some(at) = page.heading(name, false) {
                return page.add(page.section(at), &line);
            }
            let heading = format!("{} {name}", "#".repeat(page.level()));
            page.add_headed(0..page.archive(), &heading, &line)
        }
        Under::Archive(name) => page.archive_line(name, &line),
    }
}

/// The text of a memory that had nothing in it.
fn first(text: &str, under: Under<'_>, line: &str) -> String {
    let bom = text.get(..mark(text)).unwrap_or_default();
    let heading = match under {
        Under::Top => String::new(),
        Under::Heading(name) => format!("## {name}\n\n"),
        Under::Archive(name) => {
            let sub = name.map_or_else(String::new, |n| format!("### {n}\n\n"));
            format!("## {ARCHIVE}\n\n{sub}")
        }
    };
    format!("{bom}{TITLE}\n\n{heading}{line}\n")
}

/// A text by its lines.
struct Page<'a> {
    text: &'a str,
    lines: Vec<Line<'a>>,
    archived: Vec<bool>,
    /// Where they end.
    stop: usize,
    /// How its lines end.
    end: &'static str,
}

impl<'a> Page<'a> {
    fn of(text: &'a str) -> Self {
        let (mut lines, mut archived) = read(text);
        let mut stop = text.len();
        if is_open(text) {
            // What is behind a fence that nobody closed is code: a line there would be none.
            let code = lines.iter().rev().take_while(|l| l.code).count();
            let kept = lines.len() - code;
            stop = lines.get(kept).map_or(stop, |l| l.at);
            lines.truncate(kept);
            archived.truncate(kept);
        }
        let end = match text.find('\n') {
            Some(at) if text.get(..at).is_some_and(|t| t.ends_with('\r')) => "\r\n",
            _ => "\n",
        };
        Self {
            text,
            lines,
            archived,
            stop,
            end,
        }
    }

    /// The line of a heading, in the archive or out of it.
    fn heading(&self, name: &str, archived: bool) -> Option<usize> {
        let wanted = small(name);
        let mut all = self.lines.iter().zip(&self.archived);
        all.position(|(line, gone)| {
            let own = line.heading.is_some() && *gone == archived && !is_archive(line.text);
            own && small(words_of(line.text)) == wanted
        })
    }

    /// A heading and what stands directly under it.
    fn section(&self, at: usize) -> std::ops::Range<usize> {
        let behind = self.lines.iter().skip(at + 1);
        let len = behind.take_while(|l| l.heading.is_none()).count();
        at..at + 1 + len
    }

    /// The first heading that is not the title; the end when there is none.
    fn first_heading(&self) -> usize {
        let title = title(&self.lines);
        let mut all = self.lines.iter().enumerate();
        let found = all.position(|(n, l)| l.heading.is_some() && title != Some(n));
        found.unwrap_or(self.lines.len()).min(self.archive())
    }

    /// The level of its headings: that of the first which is neither its title nor the archive's.
    fn level(&self) -> usize {
        let title = title(&self.lines);
        let mut all = self.lines.iter().zip(&self.archived).enumerate();
        let found =
            all.find_map(|(n, (line, gone))| line.heading.filter(|_| !gone && title != Some(n)));
        found.unwrap_or(2)
    }

    /// The line of the archive's heading; the end when there is none.
    fn archive(&self) -> usize {
        let found = self.archived.iter().position(|gone| *gone);
        found.unwrap_or(self.lines.len())
    }

    fn archive_line(&self, name: Option<&str>, line: &str) -> String {
        let top = self.archive();
        let Some(head) = self.lines.get(top) else {
            let sub = name.map_or_else(String::new, |n| format!("{0}{0}### {n}", self.end));
            return self.add_headed(0..top, &format!("## {ARCHIVE}{sub}"), line);
        };
        let Some(name) = name else {
            return self.add(self.section(top), line);
        };
        if let Some(at) = self.heading(name, true) {
            return self.add(self.section(at), line);
        }
        let rest = self.archived.iter().skip(top);
        let end = top + rest.take_while(|gone| **gone).count();
        let level = "#".repeat(head.heading.unwrap_or(2).saturating_add(1).min(6));
        self.add_headed(top..end, &format!("{level} {name}"), line)
    }

    /// Adds a line behind the last words of a stretch.
    fn add(&self, lines: std::ops::Range<usize>, line: &str) -> String {
        let in_list = self.ends_in_list(&lines);
        let gap = if in_list { "" } else { self.end };
        self.put(lines, &format!("{gap}{line}"))
    }

    /// The same with a heading of its own.
    fn add_headed(&self, lines: std::ops::Range<usize>, heading: &str, line: &str) -> String {
        let end = self.end;
        self.put(lines, &format!("{end}{heading}{end}{end}{line}"))
    }

    /// Puts words on a line of their own behind the last words of a stretch; before what follows where it has none.
    fn put(&self, lines: std::ops::Range<usize>, words: &str) -> String {
        let next = self.lines.get(lines.end).map_or(self.stop, |l| l.at);
        let Some(last) = self.last_words(&lines) else {
            let words = words.trim_start_matches(['\r', '\n']);
            let (before, behind) = self.parts(next);
            return format!("{before}{words}{0}{0}{behind}", self.end);
        };
        let at = last.at + last.text.trim_end().len();
        let (before, behind) = self.parts(at);
        format!("{before}{}{words}{behind}", self.end)
    }

    fn parts(&self, at: usize) -> (&str, &str) {
        let parts = self.text.split_at_checked(at);
        parts.unwrap_or((self.text, ""))
    }

    fn last_words(&self, lines: &std::ops::Range<usize>) -> Option<&Line<'a>> {
        let within = self.lines.get(lines.clone()).unwrap_or_default();
        within.iter().rev().find(|l| !l.text.trim().is_empty())
    }

    /// Whether the last words of a stretch belong to a list.
    fn ends_in_list(&self, lines: &std::ops::Range<usize>) -> bool {
        let within = self.lines.get(lines.clone()).unwrap_or_default();
        let ends = within.iter().rev().skip_while(|l| l.text.trim().is_empty());
        let mut last =
            ends.take_while(|l| !l.text.trim().is_empty() && l.heading.is_none() && !l.code);
        last.any(begins)
    }
}

/// Whether what comes behind a text would be code.
fn is_open(text: &str) -> bool {
    let more = format!("{text}\nx");
    let (lines, _) = read(&more);
    lines.last().is_some_and(|l| l.code)
}

fn small(name: &str) -> String {
    folded(name.trim().trim_end_matches(':'))
}

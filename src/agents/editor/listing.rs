//! Findings as a writer reads them, and read back from what was said before.

use std::ops::Range;

use super::figures::counted;
use super::finding::Finding;
use crate::domain::message::{History, Message, Said};
use crate::text::doc::Doc;
use crate::text::prose::GONE;

/// Letters of a sentence that are shown on either side of the place.
const AROUND: usize = 160;
/// What marks the place.
const MARK: [&str; 2] = ["[[", "]]"];
/// What a listing begins with; the version follows.
const HEAD: &str = "Version ";

/// The first line of a listing.
pub(super) fn head(version: u64, words: u64, found: usize) -> String {
    let words = counted(usize::try_from(words).unwrap_or(usize::MAX), "word");
    let findings = match found {
        0 => "nothing to ask about".to_owned(),
        n => counted(n, "finding"),
    };
    format!("{HEAD}{version} of the draft, {words}: {findings}.\n")
}

/// One finding as it is listed, with an empty line before it.
pub(super) fn entry(doc: &Doc<'_>, number: usize, finding: &Finding) -> String {
    let paragraph = doc.paragraph_at(finding.at.start);
    let body = body(doc, finding);
    format!(
        "\n**{number}.** {} · paragraph {paragraph}\n\n{body}\n",
        finding.kind
    )
}

/// What is the same about a finding wherever it stands: by this it is known again.
pub(super) fn body(doc: &Doc<'_>, finding: &Finding) -> String {
    let by = if finding.is_mechanical() {
        ""
    } else {
        " *Yours to decide.*"
    };
    let quoted = quoted(doc, &finding.at);
    format!(
        "> {quoted}\n\n{} {}{by}",
        escaped(&finding.what),
        escaped(&finding.change)
    )
}

/// The end of a listing.
pub(super) fn foot(found: &[(usize, &Finding)]) -> String {
    let mechanical: Vec<usize> = found
        .iter()
        .filter(|(_, f)| f.is_mechanical())
        .map(|(n, _)| *n)
        .collect();
    match mechanical.as_slice() {
        [] if found.is_empty() => String::new(),
        [] => "\nNone of these is mechanical: they are yours to decide.\n".to_owned(),
        [one] => format!("\n`fix {one}` makes the change that is mechanical.\n"),
        [one, ..] => format!(
            "\n{} are mechanical: `fix all` makes them in one version, `fix {one}` only that one.\n",
            mechanical.len()
        ),
    }
}

/// The sentence around a place on one line, the place marked, without markup.
fn quoted(doc: &Doc<'_>, at: &Range<usize>) -> String {
    let sentence = doc
        .sentence_at(at.start)
        .map_or(at.clone(), |s| s.range.clone());
    let start = sentence.start.min(at.start);
    let end = sentence.end.max(at.end.min(sentence.end.max(at.start)));
    let seen = |range: Range<usize>| -> String {
        let plain = doc.plain(range.clone()).char_indices();
        let text = plain.filter(|(_, c)| *c != GONE).filter_map(|(i, c)| {
            // What is no prose is shown as it was written.
            let c = if c.is_control() && c != '\n' {
                doc.text.get(range.start + i..)?.chars().next()?
            } else {
                c
            };
            Some(if c == '\n' { ' ' } else { c })
        });
        text.collect()
    };
    let before = tail(&seen(start..at.start));
    let place = seen(at.start..at.end.min(end.max(at.start)));
    let behind = front(&seen(at.end.min(end)..end));
    let [open, close] = MARK;
    let place = clipped(&place);
    format!(
        "{}{open}{}{close}{}",
        escaped(&before),
        escaped(&place),
        escaped(&behind)
    )
}

fn tail(text: &str) -> String {
    let n = text.chars().count();
    let kept: String = text.chars().skip(n.saturating_sub(AROUND)).collect();
    if n > AROUND {
        format!("…{kept}")
    } else {
        kept
    }
}

fn front(text: &str) -> String {
    let n = text.chars().count();
    let kept: String = text.chars().take(AROUND).collect();
    if n > AROUND {
        format!("{kept}…")
    } else {
        kept
    }
}

/// A long place by its ends.
fn clipped(text: &str) -> String {
    if text.chars().count() <= AROUND * 2 {
        return text.to_owned();
    }
    format!("{} {}", front(text), tail(text))
}

/// Text that Markdown leaves as it is.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\`*_<>#[]|~&".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A finding as it is listed, by its parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape<'b> {
    before: &'b str,
    place: &'b str,
    behind: &'b str,
    said: &'b str,
}

/// Words on one side of a place by which it is known again when the other side has changed.
const SIDE: usize = 3;

impl<'b> Shape<'b> {
    /// The parts of what [`body`] makes.
    pub(super) fn of(body: &'b str) -> Option<Self> {
        let (sentence, said) = body.split_once("\n\n")?;
        let [open, close] = MARK;
        let (before, rest) = sentence.split_once(open)?;
        let (place, behind) = rest.split_once(close)?;
        Some(Self {
            before,
            place,
            behind,
            said,
        })
    }

    /// Whether both are the same place of a sentence that was changed on one side of it alone.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        let same = |a: &str, b: &str| a == b && a.split_whitespace().nth(SIDE - 1).is_some();
        (self.place, self.said) == (other.place, other.said)
            && (same(self.before, other.before) || same(self.behind, other.behind))
    }
}

/// The newest listing in a conversation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Listed {
    /// The version it was made of.
    pub(super) version: u64,
    text: String,
}

impl Listed {
    /// Finds it.
    pub(super) fn of(history: &History) -> Option<Self> {
        history.iter().rev().find_map(|message| {
            let Message::Agent(parts) = message else {
                return None;
            };
            parts.iter().rev().find_map(|said| match said {
                Said::Words(words) => Self::read(words),
                Said::Call { .. } => None,
            })
        })
    }

    fn read(words: &str) -> Option<Self> {
        let (head, _) = words.split_once('\n')?;
        // A measure begins alike, and a look that found nothing has no numbers.
        if !head.ends_with(" finding.") && !head.ends_with(" findings.") {
            return None;
        }
        let (version, _) = head.strip_prefix(HEAD)?.split_once(" of the draft")?;
        Some(Self {
            version: version.parse().ok()?,
            text: words.to_owned(),
        })
    }

    /// The highest number in it.
    pub(super) fn last(&self) -> usize {
        let heads = self
            .text
            .lines()
            .filter_map(|l| l.strip_prefix("**")?.split_once(".** "));
        heads
            .filter_map(|(n, _)| n.parse().ok())
            .max()
            .unwrap_or_default()
    }

    /// What was listed under a number.
    pub(super) fn body(&self, number: usize) -> Option<&str> {
        let from = self.text.find(&format!("\n**{number}.** "))?;
        let entry = self.text.get(from + 1..)?;
        let (_, body) = entry.split_once("\n\n")?;
        // Quotation, empty line, what is wrong.
        let end = body
            .match_indices('\n')
            .nth(2)
            .map_or(body.len(), |(at, _)| at);
        body.get(..end).map(str::trim_end)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::agents::editor::checks::{Asked, findings};

    #[test]
    fn a_finding_quotes_its_sentence_and_marks_the_place() {
        let text = "First. He *took* the\nthe `b[k]` away. Last.";
        let doc = Doc::of(text);
        let found = findings(&doc, &Asked::default());
        let listed = entry(&doc, 3, &found[0]);
        assert_eq!(
            listed,
            "\n**3.** doubled words · paragraph 1\n\n> He took [[the the]] \\`b\\[k\\]\\` away.\n\n“the” stands twice. Take one out.\n"
        );
    }

    #[test]
    fn what_was_listed_is_read_back() {
        let text = "He took the the book. 我们我们去。";
        let doc = Doc::of(text);
        let found = findings(&doc, &Asked::default());
        let mut said = head(7, 8, found.len());
        for (i, finding) in found.iter().enumerate() {
            said.push_str(&entry(&doc, i + 1, finding));
        }
        said.push_str(&foot(&found.iter().map(|f| (1, f)).collect::<Vec<_>>()));
        let history = vec![
            Message::User("proofread".into()),
            Message::Agent(vec![Said::Words(said)]),
        ];
        let listed = Listed::of(&history).unwrap();
        assert_eq!(listed.version, 7);
        assert_eq!(listed.body(1).unwrap(), body(&doc, &found[0]));
        assert_eq!(listed.body(2).unwrap(), body(&doc, &found[1]));
        assert_eq!(listed.body(3), None);
    }
}

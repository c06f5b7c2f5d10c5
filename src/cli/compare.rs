//! `compare`: two texts, paragraph by paragraph, with the words that go and come.

use std::collections::VecDeque;

use serde::Serialize;

use super::args;
use super::context::Cx;
use super::error::CliError;
use super::out::{self, Ink};
use super::piece::{Piece, Spec};
use crate::text::compare::{Comparison, Kind, Mark, Marks, Pair, Paragraph, compare, marks};
use crate::text::counted;

/// A pair of paragraphs, for scripts.
#[derive(Serialize)]
struct Compared<'a> {
    /// Its number, from 1: what `take --paragraph` takes.
    n: usize,
    kind: &'static str,
    /// Number of its other place, of one that moved.
    other: Option<usize>,
    left: Option<&'a str>,
    right: Option<&'a str>,
    /// The words of both, those that go as `[-gone-]`, those that come as `{+come+}`.
    marked: String,
}

/// Two texts and what they have in common.
struct Two {
    left: String,
    right: String,
    comparison: Comparison,
}

/// Prints what is different between two texts.
pub(super) async fn run(cx: &Cx, asked: &args::Compare) -> Result<(), CliError> {
    let specs = [Spec::of(cx, &asked.a)?, Spec::of(cx, &asked.b)?];
    let left = Piece::of(cx, &specs[0]).await?.text()?;
    let right = Piece::of(cx, &specs[1]).await?.text()?;
    let comparison = compare(&left, &right);
    let two = Two {
        left,
        right,
        comparison,
    };
    if cx.out.json() {
        let pairs = two.comparison.pairs.iter().enumerate();
        let pairs: Vec<Compared> = pairs.map(|(at, pair)| two.compared(at, pair)).collect();
        return cx.out.value(&pairs);
    }
    if two.comparison.differences().next().is_none() {
        out::say(if two.left == two.right {
            "The texts are the same."
        } else {
            "The paragraphs are the same; only line ends or empty lines differ."
        });
        return Ok(());
    }
    cx.out.inked(&two.page([&asked.a, &asked.b]))
}

impl Two {
    fn compared<'a>(&'a self, at: usize, pair: &'a Pair) -> Compared<'a> {
        let marked = self.marked(at, pair);
        Compared {
            n: at + 1,
            kind: match pair.kind {
                Kind::Same => "same",
                Kind::Changed => "changed",
                Kind::Left => "left",
                Kind::Right => "right",
                Kind::Moved(_) => "moved",
            },
            other: match pair.kind {
                Kind::Moved(other) => Some(other + 1),
                _ => None,
            },
            left: pair.left.as_ref().map(|p| p.of_text(&self.left)),
            right: pair.right.as_ref().map(|p| p.of_text(&self.right)),
            marked: marked.into_iter().map(|(_, text)| text).collect(),
        }
    }

    /// What a person reads: each difference with its number, and how many paragraphs are the same between them.
    fn page(&self, names: [&str; 2]) -> Vec<(Ink, String)> {
        let mut out = Vec::new();
        let mut same = 0;
        for (at, pair) in self.comparison.pairs.iter().enumerate() {
            if pair.kind == Kind::Same {
                same += 1;
                continue;
            }
            alike(&mut out, &mut same);
            out.push((
                Ink::About,
                format!("{} {}\n", at + 1, self.about(pair, names)),
            ));
            out.extend(self.marked(at, pair));
            out.push((Ink::Plain, "\n\n".to_owned()));
        }
        alike(&mut out, &mut same);
        if let Some((_, last)) = out.last_mut() {
            last.truncate(last.trim_end_matches('\n').len());
            last.push('\n');
        }
        out
    }

    /// What a pair is, in words. One that moved is counted in the other text, as in the window.
    fn about(&self, pair: &Pair, [left, right]: [&str; 2]) -> String {
        match pair.kind {
            Kind::Same => "the same".to_owned(),
            Kind::Changed => "changed".to_owned(),
            Kind::Left => format!("only in {left}"),
            Kind::Right => format!("only in {right}"),
            Kind::Moved(other) => {
                let there = if pair.left.is_some() { right } else { left };
                format!(
                    "moved: paragraph {} in {there}",
                    self.comparison.there(other)
                )
            }
        }
    }

    /// The words of a pair. One that moved shows its changes where it came.
    fn marked(&self, at: usize, pair: &Pair) -> Vec<(Ink, String)> {
        let left = |p: &Paragraph| p.of_text(&self.left).to_owned();
        let right = |p: &Paragraph| p.of_text(&self.right).to_owned();
        match (&pair.left, &pair.right, self.comparison.both(at)) {
            (_, Some(_), Some((l, r))) => words(&left(l), &right(r)),
            (Some(l), None, _) => vec![gone(&left(l))],
            (None, Some(r), None) => vec![came(&right(r))],
            (Some(_), Some(_), None) | (None, None, _) => Vec::new(),
        }
    }
}

/// Says how many paragraphs are the same here.
fn alike(out: &mut Vec<(Ink, String)>, same: &mut usize) {
    if *same > 0 {
        let many = counted(*same as u64, "paragraph");
        out.push((Ink::About, format!("… {many} the same\n\n")));
    }
    *same = 0;
}

fn gone(text: &str) -> (Ink, String) {
    (Ink::Gone, format!("[-{text}-]"))
}

fn came(text: &str) -> (Ink, String) {
    (Ink::Came, format!("{{+{text}+}}"))
}

/// A text in pieces, each with what became of it.
struct Pieces<'a>(VecDeque<(Mark, &'a str)>);

impl<'a> Pieces<'a> {
    fn of(text: &'a str, marks: Marks) -> Self {
        let piece = |(range, mark)| (mark, text.get(range).unwrap_or_default());
        Self(marks.into_iter().map(piece).collect())
    }

    /// The next piece when that became of it.
    fn next(&mut self, mark: Mark) -> Option<&'a str> {
        self.0.front().filter(|(of, _)| *of == mark)?;
        self.0.pop_front().map(|(_, text)| text)
    }

    /// Puts back what is left of a piece that is the same.
    fn put_back(&mut self, rest: &'a str) {
        if !rest.is_empty() {
            self.0.push_front((Mark::Same, rest));
        }
    }
}

/// The words of two paragraphs in one.
fn words(left: &str, right: &str) -> Vec<(Ink, String)> {
    let [old, new] = marks(left, right);
    let (mut old, mut new) = (Pieces::of(left, old), Pieces::of(right, new));
    let mut out = Vec::new();
    loop {
        if let Some(text) = old.next(Mark::Gone) {
            out.push(gone(text));
        } else if let Some(text) = new.next(Mark::Came) {
            out.push(came(text));
        } else if let (Some(a), Some(b)) = (old.next(Mark::Same), new.next(Mark::Same)) {
            // On one side they may go on.
            let both = a.len().min(b.len());
            let (_, a) = a.split_at_checked(both).unwrap_or((a, ""));
            let (now, b) = b.split_at_checked(both).unwrap_or((b, ""));
            out.push((Ink::Plain, now.to_owned()));
            old.put_back(a);
            new.put_back(b);
        } else {
            return out;
        }
    }
}

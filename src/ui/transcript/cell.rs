//! The rows of one item, laid out once for a width; those of growing text again from their open tail.

use std::ops::Range;

use super::flow::{Flow, Kind, plain};
use super::peek::Peek;
use super::row::Row;
use crate::domain::body::{Done, Item, Part};
use crate::domain::event::{By, Status};
use crate::domain::{Seq, Text};
use crate::text::markdown::{Line, Mark};
use crate::text::{head, size, thousands};

/// Tools whose argument is a text for the draft.
const WRITING: [&str; 2] = ["write_draft", "edit_draft"];
/// Names under which that text stands in the argument.
pub(super) const WRITTEN: &[&str] = &["text", "new"];
/// Bytes of a thought, an argument or a result that are shown when it is unfolded.
const BODY_MAX: usize = 16 * 1024;
/// What stands before the writer's words.
const PROMPT_LEAD: &str = "  ";
const NOTE_LEAD: &str = "· ";

/// The layout of one item.
#[derive(Debug, Default)]
pub(super) struct Cell {
    seq: Option<Seq>,
    state: State,
    flow: Flow,
    peek: Peek,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum State {
    /// To be laid out from the start.
    #[default]
    Empty,
    /// Laid out, but text was added since.
    Stale,
    /// As the item is.
    Fresh,
}

/// Whether a tool call writes to the draft.
pub(super) fn writes(tool: &str) -> bool {
    WRITING.contains(&tool)
}

impl Cell {
    /// How many rows it has.
    pub(super) fn height(&self) -> usize {
        self.flow.len()
    }

    /// A row, as it was laid out.
    pub(super) fn row(&self, n: usize) -> Option<&Row> {
        self.flow.row(n)
    }

    /// Makes rows again that were let go.
    pub(super) fn lay_again(&mut self, item: &Item, cols: usize, wanted: &Range<usize>) {
        let words = match item {
            Item::Part {
                part: Part::Words { text, .. },
                ..
            } => text.shown(),
            _ => &self.peek.text,
        };
        self.flow.lay_again(words, cols, wanted);
    }

    /// Lets go of rows but for these, as far as they are many.
    pub(super) fn let_go(&mut self, but: &Range<usize>) {
        if self.flow.is_long() {
            self.flow.let_go(but);
        } else if but.is_empty() {
            *self = Self::default();
        }
    }

    /// Forgets that the layout is as the item is.
    pub(super) fn touch(&mut self) {
        if self.state == State::Fresh {
            self.state = State::Stale;
        }
    }

    /// Lays the item out, if need be; says how many rows it has then.
    pub(super) fn lay(&mut self, item: &Item, cols: usize) -> Option<usize> {
        if self.state == State::Fresh {
            return None;
        }
        let growing = self.state == State::Stale && self.seq == Some(item.seq());
        self.seq = Some(item.seq());
        self.state = State::Fresh;
        match item {
            Item::Part {
                part: Part::Words { text, open, .. },
                ..
            } => {
                if !(growing && *open) {
                    self.flow = Flow::new(Kind::Markdown);
                }
                self.flow.grow(text.shown(), cols, *open);
                self.all(in_all(text), cols);
            }
            Item::Part {
                part:
                    Part::Call {
                        name,
                        input,
                        started,
                        done,
                        ..
                    },
                ..
            } if writes(name) => {
                self.written(input, !started && done.is_none(), growing, cols);
            }
            other => {
                self.flow = Flow::default();
                self.all(lines(other), cols);
            }
        }
        Some(self.height())
    }

    fn written(&mut self, input: &Text, open: bool, growing: bool, cols: usize) {
        if !(growing && open && self.peek.taken() <= input.shown().len()) {
            self.peek = Peek::new(WRITTEN);
            self.flow = Flow::new(Kind::Plain {
                lead: "  │ ",
                mark: Mark::NONE,
            });
        }
        self.peek.grow(input.shown());
        self.flow.grow(&self.peek.text, cols, open);
        self.all(in_all(input), cols);
    }

    fn all(&mut self, lines: impl IntoIterator<Item = Line>, cols: usize) {
        for line in lines {
            self.flow.below(&line, cols);
        }
    }
}

fn lines(item: &Item) -> Vec<Line> {
    match item {
        Item::Prompt { text, .. } => {
            let mut out = plain(text.shown(), PROMPT_LEAD, Mark::NONE);
            out.extend(in_all(text));
            out
        }
        Item::Part { part, .. } => part_lines(part),
        Item::End { status, reason, .. } => end(*status, reason.as_deref()),
        Item::Draft {
            by, added, removed, ..
        } => {
            let who = match by {
                By::You => "by you".to_owned(),
                By::Agent(name) => format!("by {name}"),
                By::Outside => "outside Fascicle".to_owned(),
                By::Undo => "by undo".to_owned(),
                By::Restore => "restored by you".to_owned(),
                By::Take => "taken by you".to_owned(),
            };
            vec![Line::of(
                &format!("✎ draft {} {who}", words(*added, *removed)),
                Mark::DIM,
            )]
        }
        Item::Note { text, .. } => noted(text),
        Item::Compacted { what, .. } => of(&what.summary),
        Item::Unknown { name, .. } => noted(&format!(
            "{name}: written by a later version; kept in the log."
        )),
    }
}

fn part_lines(part: &Part) -> Vec<Line> {
    match part {
        Part::Thinking { text, .. } => bounded(text, None),
        Part::Call { input, done, .. } => {
            let mut out = of(input);
            if let Some(Done { output, .. }) = done {
                out.push(Line::default());
                out.extend(of(output));
            }
            out
        }
        Part::Asked { what, .. } => plain(what, PROMPT_LEAD, Mark::STRONG),
        Part::Words { .. } => Vec::new(),
    }
}

fn noted(text: &str) -> Vec<Line> {
    let mut line = Line::of(text.trim_end(), Mark::DIM);
    NOTE_LEAD.clone_into(&mut line.lead);
    " ".repeat(NOTE_LEAD.chars().count())
        .clone_into(&mut line.hang);
    vec![line]
}

fn end(status: Status, reason: Option<&str>) -> Vec<Line> {
    let (how, mark) = match status {
        Status::Ok => return reason.map(noted).unwrap_or_default(),
        Status::Interrupted => ("■ interrupted", Mark::DIM),
        Status::Failed => ("✗ failed", Mark::ALERT),
        Status::Lost => ("◌ lost", Mark::ALERT),
    };
    let mut line = Line::of(how, mark);
    if let Some(reason) = reason {
        line.push(": ", mark);
        line.push(reason.trim_end(), Mark::NONE);
    }
    "  ".clone_into(&mut line.hang);
    vec![line]
}

fn of(text: &Text) -> Vec<Line> {
    bounded(text.shown(), text.is_cut().then(|| text.len()))
}

/// A text under a fold line: dim, and no more than is useful. `whole` is its size when it is cut already.
fn bounded(text: &str, whole: Option<u64>) -> Vec<Line> {
    let shown = head(text, BODY_MAX);
    let mut out = plain(shown, "    ", Mark::DIM);
    if shown.len() < text.len() || whole.is_some() {
        out.push(rest_note(whole.unwrap_or(text.len() as u64)));
    }
    out
}

fn in_all(text: &Text) -> Option<Line> {
    text.is_cut().then(|| rest_note(text.len()))
}

fn rest_note(bytes: u64) -> Line {
    Line::of(&format!("  … {} in all", size(bytes)), Mark::DIM)
}

/// Words that came and went, as the transcript writes them.
pub(super) fn words(added: u64, removed: u64) -> String {
    format!("+{} −{} words", thousands(added), thousands(removed))
}

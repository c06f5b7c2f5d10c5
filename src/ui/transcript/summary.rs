//! The rows that stand before an item's own: who speaks, and what a folded call or thought came to.
//! They are made at each drawing, since they tell the time.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::Cx;
use super::cell::{words, writes};
use super::peek::Peek;
use super::row::fit;
use super::times::{Times, Turn, clock, seconds, span};
use crate::domain::body::{Done, Item, Part};
use crate::domain::event::{Answer, Usage};
use crate::domain::{Head, Spent, TurnNo};
use crate::text::{compacted, compacted_briefly, head, one_line, size, width};
use crate::ui::spent::ways;

/// Bytes of an argument in which its first string is looked for.
const ARGUMENT_MAX: usize = 4096;
/// Bytes from which it is said how much a call brought.
const LARGE: u64 = 64 * 1024;
/// Cells of quotation marks and signs in a call.
const AROUND: usize = 6;
/// Cells of what was asked that stand there at least before why it failed.
const ASKED_MIN: usize = 10;
/// What an agent without a name is called.
const NAMELESS: &str = "Agent";

/// Under which name the argument of a tool says what it is about, where that is not its first string.
const TELLING: [(&str, &[&str]); 3] = [
    ("propose_memory", &["text"]),
    ("read_piece", &["piece"]),
    ("search_collection", &["words"]),
];

/// What the rows are made from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Telling<'a> {
    pub(super) cx: &'a Cx<'a>,
    pub(super) head: &'a Head,
    pub(super) times: &'a Times,
    pub(super) cols: usize,
}

impl Telling<'_> {
    /// Who speaks, when, and for how long.
    pub(super) fn label(&self, item: &Item) -> Line<'static> {
        match item {
            Item::Prompt { ts, .. } => {
                let when = clock(*ts, self.cx.now_ms, &self.cx.zone);
                Line::styled(format!("You · {when}"), self.cx.theme.speakers.you)
            }
            Item::Part {
                ts, turn, agent, ..
            } => self.agent(*turn, *ts, agent.as_deref()),
            _ => Line::default(),
        }
    }

    /// The label of a turn's answer, which began at `ts`.
    pub(super) fn agent(&self, turn: TurnNo, ts: i64, named: Option<&str>) -> Line<'static> {
        let known = self.times.turn(turn);
        let newest = self.head.turn.as_ref().filter(|t| t.no == turn);
        let name = named
            .or(known.agent.as_deref())
            .or(newest.and_then(|t| t.agent.as_deref()));
        let mut text = format!(
            "{} · {}",
            one_line(name.unwrap_or(NAMELESS)),
            clock(ts, self.cx.now_ms, &self.cx.zone)
        );
        let from = known.from.or(newest.map(|t| t.since));
        let to = known.to.or(self.runs(turn).then_some(self.cx.now_ms));
        if let (Some(from), Some(to)) = (from, to) {
            text.push_str(" · ");
            text.push_str(&seconds(from, to));
        }
        let ways = self.spent(&known);
        let fits = |spent: &&String| width(&text) + 3 + width(spent) <= self.cols;
        if let Some(spent) = ways.iter().find(fits).or(ways.last()) {
            text.push_str(" · ");
            text.push_str(spent);
        }
        Line::styled(text, self.cx.theme.speakers.agent)
    }

    /// What a turn spent that has ended; of one whose beginning is not loaded, figures may be missing. That an agent
    /// tells no figures at all is said once, of the session.
    fn spent(&self, turn: &Turn) -> Vec<String> {
        let whole = turn.from.is_some() && turn.to.is_some();
        let tells = self.head.spent != Usage::default();
        if whole && tells {
            ways(&Spent::of_turn(&turn.spent))
        } else {
            Vec::new()
        }
    }

    /// The one line of a call, a thought or a question.
    pub(super) fn summary(&self, item: &Item, unfolded: bool, newest: bool) -> Line<'static> {
        let Item::Part {
            seq,
            ts,
            turn,
            part,
            ..
        } = item
        else {
            return self.mark(item, unfolded);
        };
        let fold = if unfolded { "▾" } else { "▸" };
        let dim = self.cx.theme.dim;
        match part {
            Part::Thinking { .. } if newest && self.runs(*turn) => {
                Line::styled(format!("{fold} thinking"), dim)
            }
            Part::Thinking { .. } => {
                let to = self.times.thought(*seq).unwrap_or(*ts);
                Line::styled(format!("{fold} thought for {}", seconds(*ts, to)), dim)
            }
            Part::Call { name, .. } if writes(name) => self.draft(part, *turn),
            Part::Call { .. } => self.call(part, *turn, fold),
            Part::Asked { what, answer, .. } => self.question(what, *answer, *turn),
            Part::Words { .. } => Line::default(),
        }
    }

    /// Where a summary stands for what came before: a line across the column.
    fn mark(&self, item: &Item, unfolded: bool) -> Line<'static> {
        let Item::Compacted { what, .. } = item else {
            return Line::default();
        };
        let fold = match (what.summary.is_empty(), unfolded) {
            (true, _) => "─",
            (_, true) => "▾",
            (_, false) => "▸",
        };
        // Whole or shorter, never cut in a word where it can be helped.
        let mut text = format!("{fold} {} ", compacted(what));
        if width(&text) > self.cols {
            text = self.cut(&format!("{fold} {} ", compacted_briefly(what)));
        }
        let rest = self.cols.saturating_sub(width(&text));
        Line::from(vec![
            Span::styled(text, self.cx.theme.dim),
            Span::styled("─".repeat(rest), self.cx.theme.rule),
        ])
    }

    fn runs(&self, turn: TurnNo) -> bool {
        let open = self.head.turn.as_ref().filter(|t| t.end.is_none());
        self.cx.live && open.is_some_and(|t| t.no == turn)
    }

    fn draft(&self, part: &Part, turn: TurnNo) -> Line<'static> {
        let Part::Call {
            done,
            changed,
            proposes,
            ..
        } = part
        else {
            return Line::default();
        };
        let theme = self.cx.theme;
        let waits = self.head.proposed.as_ref().map(|p| p.seq);
        match (done, changed) {
            (None, _) if self.runs(turn) => Line::styled("✎ writing the draft", theme.dim),
            (None, None) => self.alert("✎ draft not changed: the turn ended before the text did"),
            // A variant may begin between the version and the word to the agent.
            (None | Some(Done { ok: true, .. }), Some((added, removed))) => {
                Line::styled(format!("✎ draft {}", words(*added, *removed)), theme.dim)
            }
            (Some(Done { ok: true, .. }), None) => {
                let text = match proposes {
                    None => "✎ draft as it was",
                    seq if *seq == waits => "✎ proposes a draft: v shows it",
                    Some(_) => "✎ proposed a draft",
                };
                Line::styled(text, theme.dim)
            }
            // Both changed the same paragraphs: its whole text waits beside the draft.
            (Some(Done { ok: false, .. }), Some((0, 0))) => {
                self.alert("✎ draft as it was; its words wait beside it")
            }
            (Some(Done { ok: false, .. }), Some((added, removed))) => self.alert(&format!(
                "✎ draft {}; the rest waits beside it",
                words(*added, *removed)
            )),
            (Some(Done { output, .. }), None) => self.alert(&format!(
                "✎ draft not changed: {}",
                one_line(output.shown())
            )),
        }
    }

    fn call(&self, part: &Part, turn: TurnNo, fold: &str) -> Line<'static> {
        let Part::Call {
            name, input, done, ..
        } = part
        else {
            return Line::default();
        };
        let outcome = match done {
            Some(Done {
                ok: true,
                ms,
                output,
            }) if output.len() >= LARGE => {
                format!("{} · {}", size(output.len()), span(*ms))
            }
            Some(Done { ok: true, ms, .. }) => span(*ms),
            Some(Done { output, .. }) => format!("failed: {}", one_line(output.shown())),
            None if self.runs(turn) => "running".to_owned(),
            None => "cut off".to_owned(),
        };
        let failed = matches!(done, Some(Done { ok: false, .. }));
        let mut text = format!("{fold} {}", one_line(name));
        let room = self.cols.saturating_sub(width(&text) + AROUND);
        let mut most = self.cols / 2;
        if let Some(argument) = argument(name, input.shown()) {
            // Why it failed counts for more than what was asked.
            let own = if failed {
                let left = room.saturating_sub(width(&outcome));
                left.clamp(ASKED_MIN.min(room * 2 / 5), room * 2 / 5)
            } else {
                room.saturating_sub(width(&outcome).min(most))
            };
            let argument = fit(&argument, own, "…");
            most = room - width(&argument).min(room);
            text = format!("{text} \"{argument}\"");
        }
        let outcome = fit(&outcome, most, "…");
        let style = if failed {
            self.cx.theme.warn
        } else {
            self.cx.theme.dim
        };
        Line::from(vec![
            Span::styled(text, self.cx.theme.dim),
            Span::styled(" · ", self.cx.theme.dim),
            Span::styled(outcome, style),
        ])
    }

    fn question(&self, what: &str, answer: Option<Answer>, turn: TurnNo) -> Line<'static> {
        let told = match answer {
            None if self.runs(turn) => return self.alert("! needs you"),
            None | Some(Answer::Lapsed) => "not answered",
            Some(Answer::Once) => "allowed once",
            Some(Answer::Session) => "allowed for this session",
            Some(Answer::Deny) => "refused",
        };
        Line::styled(
            self.cut(&format!("? {told} · {}", one_line(what))),
            self.cx.theme.dim,
        )
    }

    fn alert(&self, text: &str) -> Line<'static> {
        Line::styled(self.cut(text), self.cx.theme.warn)
    }

    fn cut(&self, text: &str) -> String {
        fit(text, self.cols, "…")
    }
}

/// What an argument says: the string that tells of a tool of ours, the first one of any other.
fn argument(tool: &str, json: &str) -> Option<String> {
    let named = TELLING.iter().find(|(name, _)| *name == tool);
    let mut peek = Peek::new(named.map_or(&[], |(_, keys)| *keys));
    peek.grow(head(json, ARGUMENT_MAX));
    (!peek.text.trim().is_empty()).then(|| one_line(&peek.text))
}

/// The style of words that stand for an empty place.
pub(super) fn empty(theme: &crate::ui::theme::Theme) -> [(&'static str, Style); 2] {
    [
        ("A notebook for one piece of writing.", theme.base),
        ("Enter, then say what to write.", theme.dim),
    ]
}

//! Two texts compared: which of them is written to, and what is taken from the other.

use super::laid::Stand;
use super::paper::Paper;
use super::texts::Texts;
use super::{At, Side};
use crate::domain::event::Origin;
use crate::domain::{Request, Seq, Splice};
use crate::text::compare::Kind;

/// Two texts.
#[derive(Debug)]
pub struct Compare {
    /// Left and right.
    pub sides: [Side; 2],
    /// Them on a page.
    pub paper: Paper,
    /// Where a range begins.
    pub mark: Option<usize>,
    /// Side by side, or one below the other; as there is room when none.
    pub beside: Option<bool>,
    /// How they stood when they were drawn last.
    pub stood: Stand,
    /// What they are called, where that is more than their session's name.
    pub names: [Option<String>; 2],
}

/// What is to be taken, and how many paragraphs that are.
#[derive(Clone, PartialEq, Debug)]
pub struct Taking {
    /// The request.
    pub request: Request,
    /// Differences that are taken.
    pub many: usize,
    /// How many of them only take words out: the other text has nothing in their place.
    pub out: usize,
}

impl Compare {
    /// Two texts to be compared.
    pub fn new(left: Side, right: Side) -> Self {
        Self {
            sides: [left, right],
            paper: Paper::default(),
            mark: None,
            beside: None,
            stood: Stand::default(),
            names: [None, None],
        }
    }

    /// Takes in the texts that have come.
    pub fn look(&mut self, texts: &Texts) {
        let [left, right] = self.sides.map(|side| texts.text(side));
        if let (Some(left), Some(right)) = (left, right) {
            self.paper.set(&left, &right);
        }
    }

    /// The text that is written to: the left one if it is a draft, else the right one; none when both are of old.
    pub fn target(&self) -> Option<Side> {
        self.sides.into_iter().find(|s| s.is_draft())
    }

    /// The text that is taken from.
    pub fn source(&self) -> Option<Side> {
        let target = self.target()?;
        self.sides.into_iter().find(|s| *s != target)
    }

    /// The texts change places.
    pub fn turn(&mut self) {
        self.sides.reverse();
        self.names.reverse();
        self.paper.turn();
    }

    /// The pairs that a key is about: the one at hand, or all from the mark on.
    pub fn chosen(&self) -> std::ops::RangeInclusive<usize> {
        let (at, mark) = (self.paper.at, self.mark.unwrap_or(self.paper.at));
        at.min(mark)..=at.max(mark)
    }

    /// What taking some pairs asks of the host; none when nothing differs there, or neither text can be written.
    pub fn take(&self, which: Which, texts: &Texts) -> Option<Taking> {
        let (target, source) = (self.target()?, self.source()?);
        let both = &self.paper.both;
        let turned = target != self.sides[0];
        let (comparison, left, right) = if turned {
            (both.comparison.turned(), &both.right, &both.left)
        } else {
            (both.comparison.clone(), &both.left, &both.right)
        };
        let all: Vec<usize> = comparison.differences().collect();
        let some: Vec<usize> = match which {
            Which::All => all.clone(),
            Which::Chosen => {
                let chosen = self.chosen();
                all.iter()
                    .copied()
                    .filter(|at| chosen.contains(at))
                    .collect()
            }
        };
        let splices = if which == Which::All {
            comparison.take_all(left, right)
        } else if some.is_empty() {
            return None;
        } else {
            comparison.take(left, right, &some)
        };
        if splices.is_empty() {
            return None;
        }
        let once = |at: &&usize| {
            let pair = comparison.pairs.get(**at);
            !matches!(pair.map(|p| p.kind), Some(Kind::Moved(other)) if other < **at && some.contains(&other))
        };
        let waits = which == Which::Chosen && comparison.has_rest(&some);
        let mut request = request(target, source, texts, splices);
        if let Request::Take { rest, .. } = &mut request {
            *rest = waits && target.session == source.session;
        }
        let taken = || some.iter().filter(once);
        let of_mine = |at: &&usize| {
            comparison
                .pairs
                .get(**at)
                .is_some_and(|p| p.kind == Kind::Left)
        };
        Some(Taking {
            request,
            many: taken().count(),
            out: taken().filter(of_mine).count(),
        })
    }

    /// Whether taking what is chosen only takes words out of the draft: the other text has none there.
    pub fn takes_out(&self) -> bool {
        let Some(target) = self.target() else {
            return false;
        };
        let mine = if target == self.sides[0] {
            Kind::Left
        } else {
            Kind::Right
        };
        let some = self.paper.both.comparison.pairs.get(self.chosen());
        let mut differ = some
            .iter()
            .copied()
            .flatten()
            .filter(|p| p.kind != Kind::Same)
            .peekable();
        differ.peek().is_some() && differ.all(|p| p.kind == mine)
    }
}

/// Which pairs are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// All that differ.
    All,
    /// The one at hand, or those from the mark on.
    Chosen,
}

/// Some changes of a draft, as they are asked for.
pub fn request(target: Side, source: Side, texts: &Texts, splices: Vec<Splice>) -> Request {
    Request::Take {
        session: target.session,
        base: texts.version(target).unwrap_or_default(),
        splices,
        from: Origin {
            session: source.session,
            seq: seq(source, texts),
        },
        rest: false,
    }
}

fn seq(side: Side, texts: &Texts) -> Seq {
    match side.at {
        At::Nothing => 0,
        _ => texts.version(side).unwrap_or_default(),
    }
}

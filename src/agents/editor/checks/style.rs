//! One thing written in several ways: the way of the piece is the one that most of its places have.

use std::ops::Range;

use super::super::finding::{Change, Finding};

/// A place and the way in which it is written.
#[derive(Clone, Debug)]
pub(super) struct Use {
    /// Number of the way.
    pub(super) way: usize,
    /// Where.
    pub(super) at: Range<usize>,
}

/// Strays up to which each is told by itself.
const EACH: usize = 20;

/// What a check says of the ways it knows.
pub(super) struct Ways<'a> {
    /// Name of the check.
    pub(super) kind: &'static str,
    /// A way in words, as the end of *here it is …*.
    pub(super) name: &'a dyn Fn(usize) -> String,
    /// The change that turns a place into another way; none where that is not certain.
    pub(super) turn: &'a dyn Fn(&Use, usize) -> Vec<Change>,
}

impl Ways<'_> {
    /// The places that are written otherwise than most. Where no way has three quarters of the places, or
    /// the others are too many to be slips, one finding tells of all of them. Which way it shall be is the writer's to
    /// decide then: its change is made at its number, never unread.
    pub(super) fn strays(&self, uses: &[Use]) -> Vec<Finding> {
        let Some(main) = main(uses) else {
            return Vec::new();
        };
        let strays: Vec<&Use> = uses.iter().filter(|u| u.way != main).collect();
        let most = uses.len() - strays.len();
        let Some(first) = strays.first() else {
            return Vec::new();
        };
        if most < strays.len() * 3 || strays.len() > EACH {
            return vec![self.all(first, main, most, &strays)];
        }
        strays
            .iter()
            .map(|stray| self.one(stray, main, most))
            .collect()
    }

    fn one(&self, stray: &Use, main: usize, most: usize) -> Finding {
        let (here, there) = ((self.name)(stray.way), (self.name)(main));
        Finding {
            kind: self.kind,
            meant: false,
            at: stray.at.clone(),
            what: format!(
                "Here it is {here}, in {most} other {} {there}.",
                places(most)
            ),
            change: format!("Write {there}."),
            fix: (self.turn)(stray, main),
        }
    }

    fn all(&self, first: &Use, main: usize, most: usize, strays: &[&Use]) -> Finding {
        let (here, there) = ((self.name)(first.way), (self.name)(main));
        let n = strays.len();
        let others = if strays.iter().all(|s| s.way == first.way) {
            format!("{here} in {n}")
        } else {
            format!("other ways in {n}, such as {here}")
        };
        // Half and half is for the writer to decide.
        let mend = most >= n * 2;
        Finding {
            kind: self.kind,
            meant: true,
            at: first.at.clone(),
            what: format!(
                "The piece is of two minds: {there} in {most} {}, {others}. This is the first of the latter.",
                places(most)
            ),
            change: if mend {
                format!("Write {there} in the whole piece, or choose the other way.")
            } else {
                "Choose one way for the whole piece.".to_owned()
            },
            fix: strays
                .iter()
                .filter(|_| mend)
                .flat_map(|s| (self.turn)(s, main))
                .collect(),
        }
    }
}

fn places(n: usize) -> &'static str {
    if n == 1 { "place" } else { "places" }
}

/// The way that most places have; of two as frequent ones, that of the first place.
fn main(uses: &[Use]) -> Option<usize> {
    let count = |way: usize| uses.iter().filter(|u| u.way == way).count();
    let mut best: Option<(usize, usize)> = None;
    let ways = uses.iter().map(|u| u.way).max()?;
    for way in 0..=ways {
        let n = count(way);
        let first = || uses.iter().position(|u| u.way == way);
        let earlier =
            best.is_some_and(|(b, m)| m == n && uses.iter().position(|u| u.way == b) > first());
        if n > 0 && (best.is_none_or(|(_, m)| n > m) || earlier) {
            best = Some((way, n));
        }
    }
    best.map(|(way, _)| way)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strays(ways: &[usize]) -> Vec<(usize, usize)> {
        let uses: Vec<Use> = (0..)
            .zip(ways)
            .map(|(at, way)| Use {
                way: *way,
                at: at..at + 1,
            })
            .collect();
        let ways = Ways {
            kind: "x",
            name: &|way| way.to_string(),
            turn: &|place, to| vec![Change::new(place.at.clone(), to.to_string())],
        };
        ways.strays(&uses)
            .iter()
            .map(|f| (f.at.start, f.fix.len()))
            .collect()
    }

    #[test]
    fn what_is_not_as_most_is_found_each_by_itself() {
        assert_eq!(strays(&[0, 0, 1, 0, 0, 0, 0, 1]), [(2, 1), (7, 1)]);
        assert_eq!(strays(&[1, 1, 1]), []);
        assert_eq!(strays(&[]), []);
    }

    #[test]
    fn two_ways_half_and_half_are_one_finding_that_changes_nothing() {
        assert_eq!(strays(&[1, 0, 1, 0]), [(1, 0)]);
        assert_eq!(strays(&[0, 1, 0]), [(1, 1)]);
    }
}

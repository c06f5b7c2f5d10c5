//! How the rows lie: sessions in order, each family as a tree with its main line first.

use std::collections::{HashMap, HashSet};

use super::filter::Filter;
use super::sort::Place;
use super::{Rows, Shelf, Tally, belongs, drawer};
use crate::domain::kin::main_line;
use crate::domain::{CollectionId, Row, SessionId};

/// Cells of the lines before a row; of deeper variants each level has one cell and a mark, up to the last.
const LEAD_MAX: usize = 12;
/// Levels that are marked so.
const DEEPER_MAX: usize = 6;
/// What marks such a level.
const DEEPER: &str = "›";

/// The rows as they lie.
#[derive(Debug, Default)]
pub(super) struct Laid {
    pub(super) order: Vec<SessionId>,
    branches: HashMap<SessionId, Branch>,
    /// How many of them fit the filter; the others stand there for their family.
    fitting: usize,
    /// The one that fits best.
    pub(super) best: Option<SessionId>,
}

/// A row that lies in a family's tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Branch {
    /// The lines that lead to it; empty for the first row of the family.
    pub lead: String,
    /// It does not fit the filter, but one of its family does.
    pub context: bool,
    /// What is folded away below it.
    pub folded: Option<Tally>,
}

/// The rows of a family that are shown, best first.
struct Tree<'a> {
    first: SessionId,
    shown: &'a [SessionId],
    root: SessionId,
    context: bool,
}

impl Rows {
    /// The sessions of the shelf that fit the filter, in order; those of folded collections stand behind them in
    /// one row each. A family lies where the best of its members would.
    pub(super) fn arrange(&mut self) {
        let mut filter = Filter::of(&self.asked.filter);
        let filtered = filter.is_some();
        let plain = !filtered && self.shelf == Shelf::All;
        let mut away: HashMap<CollectionId, Tally> = HashMap::new();
        let mut families: HashMap<SessionId, Vec<Place<'_>>> = HashMap::new();
        let mut places: Vec<(Place<'_>, Option<SessionId>)> = Vec::new();
        let mut fitting = 0;
        for ranked in self.all.values().filter(|r| belongs(&r.row, &self.shelf)) {
            let fit = match &mut filter {
                Some(filter) => filter.fit(ranked, self.stage_of(&ranked.row)),
                None => Some(0),
            };
            let Some(fit) = fit else { continue };
            let here = self.cursor == Some(ranked.row.id);
            if plain && !here && self.folds.hides(&ranked.row) {
                let tally = away.entry(ranked.row.collection.clone());
                tally.or_default().add(&ranked.row);
                continue;
            }
            fitting += 1;
            let place = self.asked.sort.place(fit, ranked);
            match self.families.of(&ranked.row) {
                Some(first) => families.entry(first).or_default().push(place),
                None => places.push((place, None)),
            }
        }
        for (first, members) in &mut families {
            members.sort_unstable();
            places.extend(members.first().map(|best| (*best, Some(*first))));
        }
        places.sort_unstable();
        let mut laid = Laid {
            fitting,
            best: places.first().map(|p| p.0.4),
            ..Laid::default()
        };
        for (place, family) in places {
            match family {
                None => laid.order.push(place.4),
                Some(first) => {
                    let members = families.remove(&first).unwrap_or_default();
                    let shown: Vec<SessionId> = members.into_iter().map(|p| p.4).collect();
                    self.lay_family(first, &shown, filtered, &mut laid);
                }
            }
        }
        let known = drawer(&self.collections).map(|c| c.id.clone());
        let mut rows: Vec<_> = known.filter_map(|id| away.remove_entry(&id)).collect();
        rows.extend(away);
        self.laid = laid;
        self.folds.set(rows);
    }

    /// Lays a family: its main line first, the others below it.
    fn lay_family(&self, first: SessionId, shown: &[SessionId], filtered: bool, laid: &mut Laid) {
        let main = self.families.main(first);
        let on_shelf = |s: &SessionId| self.get(*s).is_some_and(|r| belongs(r, &self.shelf));
        let main = main.filter(|m| shown.contains(m) || filtered && on_shelf(m));
        let rows = shown.iter().filter_map(|s| self.get(*s));
        let Some(root) = main.or_else(|| main_line(rows.map(Row::member))) else {
            return;
        };
        let tree = Tree {
            first,
            shown,
            root,
            context: !shown.contains(&root),
        };
        if !filtered && shown.len() > 1 && self.folds.has_family(first) {
            self.lay_folded(&tree, laid);
        } else {
            self.lay_tree(&tree, laid);
        }
    }

    /// A folded family: its main line, and the one under the cursor.
    fn lay_folded(&self, tree: &Tree<'_>, laid: &mut Laid) {
        let mut away = Tally::default();
        let kept = self
            .cursor
            .filter(|c| *c != tree.root && tree.shown.contains(c));
        let hidden = |s: &&SessionId| **s != tree.root && Some(**s) != kept;
        for row in tree
            .shown
            .iter()
            .filter(hidden)
            .filter_map(|s| self.get(*s))
        {
            away.add(row);
        }
        laid.put(
            tree.root,
            Branch {
                folded: Some(away),
                ..Branch::default()
            },
        );
        if let Some(kept) = kept {
            laid.put_below(kept, "  ", true);
        }
    }

    fn lay_tree(&self, tree: &Tree<'_>, laid: &mut Laid) {
        let mut below = self.children(tree);
        laid.put(
            tree.root,
            Branch {
                context: tree.context,
                ..Branch::default()
            },
        );
        let mut next: Vec<(SessionId, String, bool)> = Vec::new();
        push(&mut next, below.remove(&tree.root), "  ");
        while let Some((session, pad, last)) = next.pop() {
            laid.put_below(session, &pad, last);
            let more = if last { "  " } else { "│ " };
            let pad = match pad.chars().count() {
                cells if cells + 2 <= LEAD_MAX => pad + more,
                cells if cells < LEAD_MAX + DEEPER_MAX => pad + DEEPER,
                _ => pad,
            };
            push(&mut next, below.remove(&session), &pad);
        }
        // Logs that were changed by hand may name each other as parents: nobody is lost by that.
        for session in below.into_values().flatten() {
            laid.put_below(session, "  ", false);
        }
    }

    /// The rows below each row. What was forked from the first one, or from one that is not shown, lies below the
    /// main line.
    fn children(&self, tree: &Tree<'_>) -> HashMap<SessionId, Vec<SessionId>> {
        let shown: HashSet<SessionId> = tree.shown.iter().copied().collect();
        let mut below: HashMap<SessionId, Vec<SessionId>> = HashMap::new();
        for session in tree.shown.iter().filter(|s| **s != tree.root) {
            let mut at = *session;
            // No further up than there are members.
            let parent = (0..=shown.len()).find_map(|_| {
                let parent = self.get(at)?.kin.parent.map(|p| p.session)?;
                at = parent;
                let rests = parent != *session && shown.contains(&parent);
                (rests || parent == tree.first).then_some(parent)
            });
            let parent = parent.filter(|p| *p != tree.first);
            below
                .entry(parent.unwrap_or(tree.root))
                .or_default()
                .push(*session);
        }
        below
    }

    /// How a row lies in the tree of its family; none for one that is shown without relatives.
    pub fn branch(&self, session: SessionId) -> Option<&Branch> {
        self.laid.branches.get(&session)
    }

    /// The session that is marked, to be compared with another.
    pub fn marked(&self) -> Option<SessionId> {
        self.asked.marked
    }

    /// Marks a session, or takes the mark off; says whether it is marked now.
    pub fn mark(&mut self, session: SessionId) -> bool {
        let marked = self.asked.marked != Some(session);
        self.asked.marked = marked.then_some(session);
        marked
    }

    /// How many rows fit the filter.
    pub fn fitting(&self) -> usize {
        self.laid.fitting
    }
}

impl Laid {
    fn put(&mut self, session: SessionId, branch: Branch) {
        self.order.push(session);
        self.branches.insert(session, branch);
    }

    fn put_below(&mut self, session: SessionId, pad: &str, last: bool) {
        let turn = if last { "└ " } else { "├ " };
        self.put(
            session,
            Branch {
                lead: format!("{pad}{turn}"),
                ..Branch::default()
            },
        );
    }
}

/// Puts rows on the pile of those to come, the first on top.
fn push(next: &mut Vec<(SessionId, String, bool)>, rows: Option<Vec<SessionId>>, pad: &str) {
    let rows = rows.unwrap_or_default();
    let last = rows.last().copied();
    let each = rows.into_iter().rev();
    next.extend(each.map(|s| (s, pad.to_owned(), Some(s) == last)));
}

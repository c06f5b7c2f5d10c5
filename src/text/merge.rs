//! Two changes of one text made one, by paragraph: blocks of lines parted by empty lines.
//!
//! Bytes that nobody touched stay as they are: line ends of any kind, a byte order mark, a missing line end at the end.

mod ends;
mod words;

use std::ops::Range;

pub use ends::{as_in, kept_in, occurrences, plain, replaced};

use super::align::{Change, changes};
use super::blocks::{Block, blocks, line_end, parts};

/// Two changes of a text in one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Merged {
    /// Both changes; of paragraphs changed on both sides, mine.
    pub text: String,
    /// The paragraphs changed on both sides, in order. None: nothing of either side was left out.
    pub conflicts: Vec<Conflict>,
}

/// Paragraphs changed on both sides, each in another way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// Where they stand in my text, in bytes.
    pub mine: Range<usize>,
    /// Where they stand in theirs.
    pub theirs: Range<usize>,
}

impl Merged {
    /// The text that holds everything of both sides; none when there is a conflict.
    pub fn clean(self) -> Option<String> {
        self.conflicts.is_empty().then_some(self.text)
    }
}

/// Makes one text of two that were made from `base`.
pub fn merge(base: &str, mine: &str, theirs: &str) -> Merged {
    merged(base, mine, theirs, false)
}

/// The same of two that were typed: within a paragraph by words, where they are two places of it.
pub fn merge_typed(base: &str, mine: &str, theirs: &str) -> Merged {
    merged(base, mine, theirs, true)
}

fn merged(base: &str, mine: &str, theirs: &str, typed: bool) -> Merged {
    let one_side = match () {
        () if base == mine => Some(theirs),
        () if base == theirs || mine == theirs => Some(mine),
        () => None,
    };
    if let Some(text) = one_side {
        return Merged {
            text: text.to_owned(),
            conflicts: Vec::new(),
        };
    }
    let (base, mine, theirs) = (Text::of(base), Text::of(mine), Text::of(theirs));
    Merging {
        mine: Side::of(&base, &mine),
        theirs: Side::of(&base, &theirs),
        base: &base,
        typed,
        out: String::with_capacity(mine.whole.len().max(theirs.whole.len())),
        gap: None,
        conflicts: Vec::new(),
    }
    .run()
}

/// Where a place in a text, in bytes, is found in another that was made from it: at the same letter where its paragraph
/// is the same, else before or behind what changed in it.
pub fn moved(from: &str, to: &str, at: usize) -> usize {
    let (old, new) = (Text::of(from), Text::of(to));
    let behind = old.blocks.partition_point(|b| b.at <= at);
    let Some(block) = behind.checked_sub(1) else {
        return at.min(new.lead.len());
    };
    let (o, n) = standing(&old, &new, block);
    let (o, n) = (old.span(&o), new.span(&n));
    let place = match at.checked_sub(o.end) {
        // Among the empty lines.
        Some(over) => n.end + over.min(gap_at(to, n.end)),
        None => n.start + changed_place(slice(from, &o), slice(to, &n), at - o.start),
    };
    floor(to, place.min(to.len()))
}

/// The paragraphs that one is among, and those that stand for them.
fn standing(old: &Text<'_>, new: &Text<'_>, block: usize) -> (Range<usize>, Range<usize>) {
    let mut passed = (0, 0);
    for change in changes(&old.blocks, &new.blocks) {
        if block < change.old.start {
            break;
        }
        if block < change.old.end {
            return (change.old, change.new);
        }
        passed = (change.old.end, change.new.end);
    }
    let place = passed.1 + (block - passed.0);
    (block..block + 1, place..place + 1)
}

/// Bytes of the line ends and spaces at a place.
fn gap_at(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.len() - rest.trim_start().len()
}

/// The same within what changed: what both texts begin and end with stands still.
fn changed_place(from: &str, to: &str, at: usize) -> usize {
    let same = |(a, b): &(char, char)| a == b;
    let len = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
        pairs.take_while(same).map(|(c, _)| c.len_utf8()).sum()
    };
    let head = len(&mut from.chars().zip(to.chars()));
    if at <= head {
        return at;
    }
    let (f, t) = (
        slice(from, &(head..from.len())),
        slice(to, &(head..to.len())),
    );
    let tail = len(&mut f.chars().rev().zip(t.chars().rev()));
    if at >= from.len() - tail {
        return to.len() - (from.len() - at);
    }
    // Inside what went: behind what came for it.
    floor(to, at.clamp(head, to.len() - tail))
}

/// A text in its parts.
struct Text<'a> {
    whole: &'a str,
    lead: &'a str,
    blocks: Vec<Block<'a>>,
}

impl<'a> Text<'a> {
    fn of(whole: &'a str) -> Self {
        let (lead, blocks) = blocks(whole);
        Self {
            whole,
            lead,
            blocks,
        }
    }

    fn gap(&self, at: usize) -> &'a str {
        self.blocks.get(at).map_or("", |b| b.gap)
    }

    /// Bytes of some paragraphs, the gaps between them included; an empty range is the place before its paragraph.
    fn span(&self, of: &Range<usize>) -> Range<usize> {
        let start = self.blocks.get(of.start).map_or(self.whole.len(), |b| b.at);
        match self.blocks.get(of.clone()).and_then(<[_]>::last) {
            Some(last) => start..last.end(),
            None => start..start,
        }
    }
}

/// One of the two texts, as changes of the base.
struct Side<'a> {
    text: &'a Text<'a>,
    changes: Vec<Change>,
    /// The next change.
    next: usize,
    /// Paragraphs of the base, and of this text, that lie behind.
    passed: (usize, usize),
}

impl<'a> Side<'a> {
    fn of(base: &Text<'a>, text: &'a Text<'a>) -> Self {
        Self {
            changes: changes(&base.blocks, &text.blocks),
            text,
            next: 0,
            passed: (0, 0),
        }
    }

    fn peek(&self) -> Option<&Change> {
        self.changes.get(self.next)
    }

    /// Where a paragraph of the base stands here; nothing changed between it and what lies behind.
    fn place(&self, base: usize) -> usize {
        self.passed.1 + (base - self.passed.0)
    }

    /// Passes the next change when it meets those that were passed with `met`; says what they meet then.
    fn join(&mut self, met: &Range<usize>) -> Option<Range<usize>> {
        let change = self.peek()?;
        let old = change.old.clone();
        let same_place = old == *met && old.is_empty();
        if old.start >= met.end && !same_place {
            return None;
        }
        self.passed = (old.end, change.new.end);
        self.next += 1;
        Some(met.start.min(old.start)..met.end.max(old.end))
    }
}

struct Merging<'a> {
    base: &'a Text<'a>,
    mine: Side<'a>,
    theirs: Side<'a>,
    /// Words of one paragraph are merged too.
    typed: bool,
    out: String,
    /// The gap behind the newest paragraph, not yet written; none before the first.
    gap: Option<&'a str>,
    conflicts: Vec<Conflict>,
}

impl<'a> Merging<'a> {
    fn run(mut self) -> Merged {
        let lead = |text: &Text<'a>| text.lead;
        let (mine, theirs) = (self.mine.text, self.theirs.text);
        self.out
            .push_str(three(lead(self.base), lead(mine), lead(theirs)));
        let mut at = 0;
        while let Some(next) = self.next() {
            self.keep(at..next.start);
            at = self.cluster(next);
        }
        self.keep(at..self.base.blocks.len());
        let last = |text: &Text<'a>| text.blocks.last().map_or("", |b| b.gap);
        if self.gap.is_some() {
            self.out
                .push_str(three(last(self.base), last(mine), last(theirs)));
        }
        Merged {
            text: self.out,
            conflicts: self.conflicts,
        }
    }

    /// The paragraphs of the base that the next change is about.
    fn next(&self) -> Option<Range<usize>> {
        let both = [self.mine.peek(), self.theirs.peek()];
        let olds = both.into_iter().flatten().map(|c| c.old.clone());
        olds.min_by_key(|old| (old.start, old.end))
    }

    /// Paragraphs that are the same in all three.
    fn keep(&mut self, of: Range<usize>) {
        for at in of {
            let (m, t) = (self.mine.place(at), self.theirs.place(at));
            let gap = three(
                self.base.gap(at),
                self.mine.text.gap(m),
                self.theirs.text.gap(t),
            );
            self.put(self.base, at, gap);
        }
    }

    /// All changes that meet the next one; gives back the paragraph of the base behind them.
    fn cluster(&mut self, first: Range<usize>) -> usize {
        let from = (self.mine.place(first.start), self.theirs.place(first.start));
        let (mut met, mut changed) = (first, (false, false));
        loop {
            if let Some(more) = self.mine.join(&met) {
                (met, changed.0) = (more, true);
            } else if let Some(more) = self.theirs.join(&met) {
                (met, changed.1) = (more, true);
            } else {
                break;
            }
        }
        self.choose(&met, from, changed);
        met.end
    }

    fn choose(&mut self, met: &Range<usize>, from: (usize, usize), changed: (bool, bool)) {
        let mine = from.0..self.mine.place(met.end);
        let theirs = from.1..self.theirs.place(met.end);
        let (m, t) = (self.mine.text, self.theirs.text);
        let words = |text: &'a Text<'a>, of: &Range<usize>| {
            let blocks = text.blocks.get(of.clone()).unwrap_or_default();
            blocks.iter().map(|b| b.text)
        };
        if changed == (true, true) && !words(m, &mine).eq(words(t, &theirs)) {
            if self.typed && self.put_both(met, &mine, &theirs) {
                return;
            }
            self.conflicts.push(Conflict {
                mine: m.span(&mine),
                theirs: t.span(&theirs),
            });
        }
        let (text, of) = if changed.0 { (m, &mine) } else { (t, &theirs) };
        for at in of.clone() {
            let is_last = at + 1 == of.end;
            let gap = self.gap_behind(met, &mine, &theirs);
            let gap = gap.filter(|_| is_last).unwrap_or(text.gap(at));
            self.put(text, at, gap);
        }
    }

    /// The gap behind paragraphs that are in all three.
    fn gap_behind(
        &self,
        met: &Range<usize>,
        mine: &Range<usize>,
        theirs: &Range<usize>,
    ) -> Option<&'a str> {
        let last = |of: &Range<usize>| of.end.checked_sub(1).filter(|_| !of.is_empty());
        Some(three(
            self.base.gap(last(met)?),
            self.mine.text.gap(last(mine)?),
            self.theirs.text.gap(last(theirs)?),
        ))
    }

    /// Puts both changes of some paragraphs, by words; false where they meet.
    fn put_both(&mut self, met: &Range<usize>, mine: &Range<usize>, theirs: &Range<usize>) -> bool {
        let Some(gap) = self.gap_behind(met, mine, theirs) else {
            return false;
        };
        let (m, t) = (self.mine.text, self.theirs.text);
        let of = |text: &Text<'a>, of: &Range<usize>| slice(text.whole, &text.span(of));
        let both = words::both(of(self.base, met), of(m, mine), of(t, theirs));
        if let Some(both) = &both {
            let own = mine.start.checked_sub(1).map_or("", |at| m.gap(at));
            self.put_text(own, both, gap);
        }
        both.is_some()
    }

    /// Puts a paragraph behind what there is.
    fn put(&mut self, of: &'a Text<'a>, at: usize, gap: &'a str) {
        if let Some(block) = of.blocks.get(at) {
            let own = at.checked_sub(1).map_or("", |at| of.gap(at));
            self.put_text(own, block.text, gap);
        }
    }

    /// Puts a text behind what there is, with the gap behind it. The gap before it is its own where the other does not
    /// part them.
    fn put_text(&mut self, own: &'a str, text: &str, gap: &'a str) {
        if let Some(before) = self.gap.replace(gap) {
            let between = [before, own].into_iter().find(|gap| parts(gap));
            match between {
                Some(between) => self.out.push_str(between),
                None => self.part(before),
            }
        }
        self.out.push_str(text);
    }

    /// Parts two paragraphs that no text had beside each other.
    fn part(&mut self, before: &str) {
        self.out.push_str(before);
        let whole = self.base.whole;
        let end = whole.find(['\r', '\n']).and_then(|at| whole.get(at..));
        let end = end.and_then(|rest| rest.get(..line_end(rest)));
        let end = end.unwrap_or("\n");
        self.out.push_str(end);
        if before.is_empty() {
            self.out.push_str(end);
        }
    }
}

/// What becomes of a gap: a change of it wins over none.
fn three<'a>(base: &'a str, mine: &'a str, theirs: &'a str) -> &'a str {
    if mine == base { theirs } else { mine }
}

fn slice<'a>(text: &'a str, of: &Range<usize>) -> &'a str {
    text.get(of.clone()).unwrap_or_default()
}

/// The nearest place at or before one that is no place inside a letter.
fn floor(text: &str, at: usize) -> usize {
    (0..=at).rfind(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::*;

    fn clean(base: &str, mine: &str, theirs: &str) -> Option<String> {
        merge(base, mine, theirs).clean()
    }

    #[test]
    fn changes_of_different_paragraphs_are_both_made() {
        let base = "One.\n\nTwo.\n\nThree.\n";
        let (mine, theirs) = ("One, mine.\n\nTwo.\n\nThree.\n", "One.\n\nThree, theirs.\n");
        let both = "One, mine.\n\nThree, theirs.\n";
        assert_eq!(clean(base, mine, theirs).as_deref(), Some(both));
        assert_eq!(clean(base, theirs, mine).as_deref(), Some(both));
    }

    #[test]
    fn a_paragraph_that_comes_beside_a_changed_one_is_parted_from_it() {
        let (base, longer) = ("One.\n\nTwo.", "One.\n\nTwo.\n\nThree.\n");
        let merged = clean(base, "One.\n\nTwo, mine.", longer).unwrap();
        assert_eq!(merged, "One.\n\nTwo, mine.\n\nThree.\n");
        let merged = clean("One.\r\n\r\nTwo.", "Zero.\r\n\r\nOne.\r\n\r\nTwo.", "Two.").unwrap();
        assert_eq!(merged, "Zero.\r\n\r\nTwo.");
    }

    #[test]
    fn of_a_paragraph_changed_on_both_sides_mine_stays_and_theirs_is_named() {
        let base = "One.\n\nTwo.\n\nThree.\n";
        let (mine, theirs) = (
            "One.\n\nTwo, mine.\n\nThree.\n",
            "One, theirs.\n\nTwo, theirs.\n\nThree.\n",
        );
        let merged = merge(base, mine, theirs);
        assert_eq!(merged.text, "One, theirs.\n\nTwo, mine.\n\nThree.\n");
        let Conflict { mine: m, theirs: t } = merged.conflicts[0].clone();
        assert_eq!(
            (slice(mine, &m), slice(theirs, &t)),
            ("Two, mine.", "Two, theirs.")
        );
        assert_eq!(merged.conflicts.len(), 1);
        assert_eq!(clean("", "Mine.", "Theirs."), None);
    }

    #[test]
    fn a_paragraph_that_comes_or_goes_beside_one_changed_on_both_sides_takes_no_others_with_it() {
        let base = "Alpha a.\n\nBeta b.\n\nGamma c.\n";
        let mine = base.replace("Beta b", "Beta mine");
        for (theirs, want) in [
            (
                "Alpha robot.\n\nBeta robot.\n\nGamma robot.\n\nNew words.\n",
                "Alpha robot.\n\nBeta mine.\n\nGamma robot.\n\nNew words.\n",
            ),
            (
                "Alpha a.\n\nBeta robot.\n\nNew words.\n\nGamma c.\n",
                "Alpha a.\n\nBeta mine.\n\nNew words.\n\nGamma c.\n",
            ),
            (
                "Alpha robot.\n\nNew words.\n\nBeta robot.\n\nGamma c.\n",
                "Alpha robot.\n\nNew words.\n\nBeta mine.\n\nGamma c.\n",
            ),
            (
                "Beta robot.\n\nGamma robot.\n",
                "Beta mine.\n\nGamma robot.\n",
            ),
        ] {
            let merged = merge(base, &mine, theirs);
            assert_eq!((merged.text.as_str(), merged.conflicts.len()), (want, 1));
            let turned = merge(base, theirs, &mine);
            let want = want.replace("Beta mine", "Beta robot");
            assert_eq!((turned.text, turned.conflicts.len()), (want, 1));
        }
    }

    #[test]
    fn what_was_typed_in_two_places_of_one_paragraph_is_merged_and_an_agents_change_is_not() {
        let base = "One.\n\nThe ferry was late.\n\nThree.\n";
        let (mine, theirs) = (
            base.replace("ferry", "old ferry").replace("Three", "Tre"),
            base.replace("late.", "late. It rained.")
                .replace("One", "Un"),
        );
        let both = "Un.\n\nThe old ferry was late. It rained.\n\nTre.\n";
        let typed = merge_typed(base, &mine, &theirs);
        assert_eq!(typed.clean().as_deref(), Some(both));
        assert_eq!(merge(base, &mine, &theirs).conflicts.len(), 1);
        let same = base.replace("ferry", "boat");
        let typed = merge_typed(base, &mine, &same);
        assert_eq!((typed.conflicts.len(), typed.text), (1, mine));
    }

    #[test]
    fn line_ends_a_mark_and_a_missing_end_stay_byte_for_byte() {
        let base = "\u{feff}One\r\nline.\r\n\r\nTwo.\r\rThree";
        let mine = base.replace("One", "Un");
        let theirs = base.replace("Three", "Trois");
        let both = mine.replace("Three", "Trois");
        assert_eq!(clean(base, &mine, &theirs), Some(both));
    }

    #[test]
    fn empty_lines_are_a_change_too() {
        let merged = clean("A\n\nB\n", "A\n\n\nB\n", "A\n\nC\n");
        assert_eq!(merged.as_deref(), Some("A\n\n\nC\n"));
    }

    #[test]
    fn a_place_stays_at_its_letter() {
        let from = "One.\n\nTwo is here.\n\nThree.\n";
        let to = "Zero.\n\nOne.\n\n\nTwo, they say, is here.\n\nThree.\n";
        for word in ["One", "is here", "Three"] {
            let (at, want) = (from.find(word).unwrap(), to.find(word).unwrap());
            assert_eq!(moved(from, to, at), want, "{word}");
        }
        assert_eq!(moved(from, to, from.len()), to.len());
        assert_eq!(moved(from, "", 9), 0);
        assert_eq!(moved("", to, 0), 0);
    }

    #[test]
    fn a_book_is_merged_in_a_moment() {
        let long = |word: &str| -> String {
            (0..5_000)
                .map(|n| format!("{word} {n}. {}\n\n", "and so on ".repeat(12)))
                .collect()
        };
        let base = long("Paragraph");
        let mine = base.replacen("Paragraph 17.", "Mine 17.", 1);
        let theirs = base.replacen("Paragraph 4017.", "Theirs.", 1);
        let merged = clean(&base, &mine, &theirs).unwrap();
        assert!(merged.contains("Mine 17.") && merged.contains("Theirs."));
        let rewritten = merge(&base, &mine, &long("Other"));
        assert_eq!(rewritten.conflicts.len(), 1);
    }

    /// Some paragraphs, each with a number of its own, and the gaps behind them.
    fn book() -> impl Strategy<Value = Vec<(String, String)>> {
        let gap = prop::sample::select(vec!["\n\n", "\r\n\r\n", "\n \n\n", "\r\r"]);
        prop::collection::vec(gap, 1..12).prop_map(|gaps| {
            let numbered = gaps.into_iter().enumerate();
            numbered
                .map(|(n, gap)| (format!("p{n}\nline"), gap.to_owned()))
                .collect()
        })
    }

    fn text(of: &[(String, String)]) -> String {
        of.iter().map(|(p, gap)| format!("{p}{gap}")).collect()
    }

    proptest! {
        #[test]
        fn disjoint_changes_are_all_there(book in book(), picks in prop::collection::vec(0..3_u8, 12)) {
            let (mut mine, mut theirs, mut both) = (book.clone(), book.clone(), book.clone());
            for (at, pick) in picks.into_iter().take(book.len()).enumerate() {
                let side = match pick { 0 => &mut mine, 1 => &mut theirs, _ => continue };
                side[at].0.push_str(" changed é");
                both[at].0.push_str(" changed é");
            }
            prop_assert_eq!(clean(&text(&book), &text(&mine), &text(&theirs)), Some(text(&both)));
        }

        #[test]
        fn whatever_came_is_in_the_text_or_in_a_conflict(
            base in "[ab\n]{0,24}", mine in "[abm\n]{0,24}", theirs in "[abt\n]{0,24}",
        ) {
            let merged = merge(&base, &mine, &theirs);
            for conflict in &merged.conflicts {
                prop_assert!(mine.get(conflict.mine.clone()).is_some());
                prop_assert!(theirs.get(conflict.theirs.clone()).is_some());
            }
            let count = |text: &str, c| text.matches(c).count();
            prop_assert_eq!(count(&merged.text, 'm'), count(&mine, 'm'));
            let beside: usize = merged.conflicts.iter()
                .map(|c| count(slice(&theirs, &c.theirs), 't')).sum();
            // Those that came on both sides alike hold no letter of one side alone.
            prop_assert_eq!(count(&merged.text, 't') + beside, count(&theirs, 't'));
        }

        #[test]
        fn one_side_alone_is_taken_as_it_is(base in "[ab \r\n]{0,30}", other in "[ab \r\n]{0,30}") {
            for merged in [
                merge(&base, &base, &other),
                merge(&base, &other, &base),
                merge(&base, &other, &other),
            ] {
                prop_assert_eq!(merged.clean(), Some(other.clone()));
            }
        }

        #[test]
        fn a_place_is_never_inside_a_letter(from in "[aé\n]{0,30}", to in "[aé\n]{0,30}", at in 0..30_usize) {
            let at = floor(&from, at.min(from.len()));
            prop_assert!(to.is_char_boundary(moved(&from, &to, at)));
            prop_assert_eq!(moved(&from, &from, at), at);
        }
    }
}

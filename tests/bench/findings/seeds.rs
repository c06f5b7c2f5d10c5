//! Known mistakes, one at a time.

use std::ops::Range;

use fascicle::agents::editor::checks::{Asked, findings};
use fascicle::agents::editor::finding::{Change, Finding, changed};
use fascicle::text::doc::Doc;

/// Mistakes of each kind, where a text has room for so many.
const MISTAKES: usize = 200;
/// The same in every run.
const SEED: u64 = 20_261_129;

/// Numbers that look random and are the same in every run (Knuth's generator, the upper half).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % n.max(1)
    }
}

/// A way to make a mistake: what to change and where it is to be found; none when the throw fits nowhere.
type Seed = fn(&Doc<'_>, &mut Dice) -> Option<(Vec<Change>, Range<usize>)>;

/// The kinds and their mistakes. Lengths are not here: what is long is a matter of measure, not of a mistake.
const SEEDS: [(&str, &str, Seed); 11] = [
    ("doubled words", "a word twice", doubled),
    ("doubled words", "two words twice", phrase),
    (
        "repetition",
        "five words of a sentence shortly before",
        echo,
    ),
    ("names", "a letter of a name", name),
    ("quotation marks", "a pair of another kind", quotes),
    (
        "quotation marks",
        "an apostrophe of the other kind",
        apostrophe,
    ),
    ("dashes", "a dash of another kind", dash),
    (
        "spacing",
        "two spaces, or one between wide letters",
        wide_gap,
    ),
    ("spacing", "a space before a mark", early_gap),
    (
        "spacing",
        "no space behind a mark, or a narrow mark",
        no_gap,
    ),
    ("balance", "half of a pair gone", half),
];

/// Makes the mistakes and prints how many were missed.
pub(crate) fn missed(text: &str) {
    let doc = Doc::of(text);
    let before = findings(&doc, &Asked::default());
    for (kind, what, seed) in SEEDS {
        let mut dice = Dice(SEED);
        let (mut made, mut found) = (0, 0);
        for _ in 0..MISTAKES * 20 {
            if made == MISTAKES {
                break;
            }
            let Some((changes, at)) = seed(&doc, &mut dice) else {
                continue;
            };
            let (new, _) = changed(text, changes);
            made += 1;
            let hit = is_found(&new, kind, &at, &before);
            found += usize::from(hit);
            if !hit && std::env::args().any(|w| w == "--show") {
                println!(
                    "   missed: {what}: {}",
                    super::around(&new, &whole(&new, &at))
                );
            }
        }
        let gone = made - found;
        println!("{kind:<16} {what:<42} made {made:>3}  found {found:>3}  missed {gone:>3}");
    }
}

/// Whether there is a finding of that kind at the place, or one more than before for kinds that are told once.
fn is_found(new: &str, kind: &str, at: &Range<usize>, before: &[Finding]) -> bool {
    let doc = Doc::of(new);
    let after = findings(&doc, &Asked::default());
    let of = |all: &[Finding]| all.iter().filter(|f| f.kind == kind).count();
    let near =
        |f: &&Finding| f.kind == kind && f.at.start <= at.end + 4 && at.start <= f.at.end + 4;
    after.iter().any(|f| near(&f)) && of(&after) > of(before)
        || kind == "balance" && of(&after) > of(before)
}

fn whole(text: &str, at: &Range<usize>) -> Range<usize> {
    let edge = |mut i: usize| {
        i = i.min(text.len());
        while !text.is_char_boundary(i) {
            i -= 1;
        }
        i
    };
    edge(at.start)..edge(at.end)
}

fn doubled(doc: &Doc<'_>, dice: &mut Dice) -> Option<(Vec<Change>, Range<usize>)> {
    let word = doc.words.get(dice.below(doc.words.len()))?;
    let spelt = doc.text.get(word.range.clone())?;
    let gap = if spelt.starts_with(fascicle::text::is_cjk) {
        ""
    } else {
        " "
    };
    let twice = format!("{gap}{}", spelt.to_lowercase());
    let at = word.range.start..word.range.end + twice.len();
    Some((vec![Change::new(word.range.end..word.range.end, twice)], at))
}

fn phrase(doc: &Doc<'_>, dice: &mut Dice) -> Option<(Vec<Change>, Range<usize>)> {
    let i = dice.below(doc.words.len());
    let (a, b) = (doc.words.get(i)?, doc.words.get(i + 1)?);
    let spelt = doc.text.get(a.range.start..b.range.end)?;
    let wide = spelt.starts_with(fascicle::text::is_cjk);
    if a.sentence != b.sentence || !spelt.chars().all(|c| c.is_alphanumeric() || c == ' ') {
        return None;
    }
    let twice = format!("{}{}", if wide { "" } else { " " }, spelt.to_lowercase());
    let at = a.range.start..b.range.end + twice.len();
    Some((vec![Change::new(b.range.end..b.range.end, twice)], at))
}

/// Five words of a sentence come again behind a later one, 30 to 120 words on.
fn echo(doc: &Doc<'_>, dice: &mut Dice) -> Option<(Vec<Change>, Range<usize>)> {
    let one = doc.sentences.get(dice.below(doc.sentences.len()))?;
    let words = doc.words_of(one).get(2..7)?;
    let later = doc.words.get(one.words.end + 30 + dice.below(85))?;
    let last = doc.words_of(doc.sentences.get(later.sentence)?).last()?;
    let spelt = doc.text.get(words[0].range.start..words[4].range.end)?;
    let again = format!(
        "{}{spelt}",
        if spelt.starts_with(fascicle::text::is_cjk) {
            ""
        } else {
            " "
        }
    );
    let at = last.range.end..last.range.end + again.len();
    Some((vec![Change::new(last.range.end..last.range.end, again)], at))
}

/// A name that occurs five times or more, with a letter doubled, gone, changed or in the place of its neighbour.
fn name(doc: &Doc<'_>, dice: &mut Dice) -> Option<(Vec<Change>, Range<usize>)> {
    let word = doc.words.get(dice.below(doc.words.len()))?;
    let spelt = doc.text.get(word.range.clone())?;
    let first = doc.sentences.get(word.sentence)?.words.start;
    let letters: Vec<char> = spelt.chars().collect();
    let is_name = letters.first()?.is_uppercase()
        && letters.len() >= 5
        && doc.words.get(first)?.range != word.range;
    if !is_name || doc.count(word) < 5 || spelt.contains(['\'', '’']) {
        return None;
    }
    let i = 1 + dice.below(letters.len() - 2);
    let mut wrong = letters.clone();
    match dice.below(4) {
        0 => wrong.insert(i, letters[i]),
        1 => drop(wrong.remove(i)),
        2 => wrong[i] = letters[(i + 2) % letters.len()].to_lowercase().next()?,
        _ => wrong.swap(i, i + 1),
    }
    if wrong == letters {
        return None;
    }
    let wrong: String = wrong.into_iter().collect();
    let at = word.range.start..word.range.start + wrong.len();
    Some((vec![Change::new(word.range.clone(), wrong)], at))
}

/// Signs of a set, by their places in the prose.
fn places(doc: &Doc<'_>, of: &str) -> Vec<(usize, char)> {
    let blocks = doc.prose.blocks.iter().flat_map(|b| doc.signs(b));
    blocks
        .filter(|s| of.contains(s.c))
        .map(|s| (s.at, s.c))
        .collect()
}

const PAIRS: [(char, char); 5] = [
    ('“', '”'),
    ('«', '»'),
    ('「', '」'),
    ('"', '"'),
    ('（', '）'),
];

/// An opening quotation mark and the one that closes it, in one paragraph.
fn pair(
    doc: &Doc<'_>,
    dice: &mut Dice,
    pairs: &[(char, char)],
) -> Option<(usize, usize, (char, char))> {
    let set: String = pairs.iter().map(|p| p.0).collect();
    let all = places(doc, &set);
    let (from, c) = *all.get(dice.below(all.len()))?;
    let kind = *pairs.iter().find(|p| p.0 == c)?;
    let block = doc.prose.blocks.iter().find(|b| b.range.contains(&from))?;
    let behind = doc.plain(from + c.len_utf8()..block.range.end);
    let to = from + c.len_utf8() + behind.find(kind.1)?;
    let straight_close =
        kind.0 == kind.1 && doc.plain(block.range.start..from).matches(c).count() % 2 == 1;
    (!straight_close).then_some((from, to, kind))
}

fn quotes(doc: &Doc<'_>, dice: &mut Dice) -> Option<(Vec<Change>, Range<usize>)> {
    let (from, to, kind) = pair(doc, dice, &PAIRS[..4])?;
    let other = if kind.0 == '"' {
        ('“', '”')
    } else {
        ('"', '"')
    };
    let changes = vec![
        Change::new(from..from + kind.0.len_utf8(), other.0),
        Change::new(to..to + kind.1.len_utf8(), other.1),
    ];
    Some((changes, from..to))
}

fn apostrophe(doc: &Doc<'_>, dice: &mut Dice) -> Option<(Vec<Change>, Range<usize>)> {
    let within = |at: usize, c: char| {
        let letter = |t: Option<char>| t.is_some_and(char::is_alphabetic);
        letter(doc.text[..at].chars().next_back())
            && letter(doc.text[at + c.len_utf8()..].chars().next())
    };
    let all: Vec<(usize, char)> = places(doc, "'’")
        .into_iter()
        .filter(|(at, c)| within(*at, *c))
        .collect();
    let (at, c) = *all.get(dice.below(all.len()))?;
    let other = if c == '\'' { '’' } else { '\'' };
    Some((vec![Change::new(at..at + c.len_utf8(), other)], at..at + 1))
}

fn dash(doc: &Doc<'_>, dice: &mut Dice) -> Option<(Vec<Change>, Range<usize>)> {
    let all = places(doc, "—–-");
    let (mut from, c) = *all.get(dice.below(all.len()))?;
    let len = c.len_utf8();
    while doc.text[..from].ends_with(c) {
        from -= len;
    }
    let mut to = from;
    while doc.text[to..].starts_with(c) {
        to += len;
    }
    let run = &doc.text[from..to];
    let (left, right) = (
        doc.text[..from].chars().next_back()?,
        doc.text[to..].chars().next()?,
    );
    let spaced = left == ' ' && right == ' ';
    let closed = left.is_alphabetic() && right.is_alphabetic();
    let other = match run {
        "—" | "–" if spaced => "-",
        "—" if closed => " - ",
        "——" if closed => "—",
        "--" if closed => " – ",
        _ => return None,
    };
    Some((vec![Change::new(from..to, other)], from..from + other.len()))
}

fn wide_gap(doc: &Doc<'_>, dice: &mut Dice) -> Option<(Vec<Change>, Range<usize>)> {
    let i = dice.below(doc.words.len());
    let (a, b) = (doc.words.get(i)?, doc.words.get(i + 1)?);
    let gap = doc.text.get(a.range.end..b.range.start)?;
    let wide = doc.spelt(a).starts_with(fascicle::text::is_cjk)
        && doc.spelt(b).starts_with(fascicle::text::is_cjk);
    let fits = gap == " " || gap.is_empty() && wide;
    fits.then(|| {
        (
            vec![Change::new(a.range.end..a.range.end, " ")],
            a.range.end..a.range.end + 2,
        )
    })
}

fn early_gap(doc: &Doc<'_>, dice: &mut Dice) -> Option<(Vec<Change>, Range<usize>)> {
    let all = places(doc, ",.;!?");
    let (at, _) = *all.get(dice.below(all.len()))?;
    let letter = doc.text[..at].chars().next_back()?.is_alphabetic();
    let space = doc.text[at + 1..].starts_with([' ', '\n']);
    (letter && space).then(|| (vec![Change::new(at..at, " ")], at..at + 2))
}

fn no_gap(doc: &Doc<'_>, dice: &mut Dice) -> Option<(Vec<Change>, Range<usize>)> {
    let all = places(doc, ",.;，。；！？");
    let (at, c) = *all.get(dice.below(all.len()))?;
    let end = at + c.len_utf8();
    let narrow = [
        ('，', ","),
        ('。', "."),
        ('；', ";"),
        ('！', "!"),
        ('？', "?"),
    ];
    if let Some((_, narrow)) = narrow.iter().find(|(wide, _)| *wide == c) {
        return Some((vec![Change::new(at..end, *narrow)], at..at + 1));
    }
    let behind: Vec<char> = doc.text[end..].chars().take(2).collect();
    let joined = behind.first() == Some(&' ') && behind.get(1).is_some_and(|c| c.is_alphabetic());
    let word = doc.text[..at].chars().next_back()?.is_alphabetic();
    (joined && word).then(|| (vec![Change::new(end..end + 1, "")], at..end))
}

fn half(doc: &Doc<'_>, dice: &mut Dice) -> Option<(Vec<Change>, Range<usize>)> {
    let pairs = [
        PAIRS[0],
        PAIRS[1],
        PAIRS[2],
        PAIRS[3],
        PAIRS[4],
        ('(', ')'),
        ('《', '》'),
    ];
    let (from, to, kind) = pair(doc, dice, &pairs)?;
    let gone = if dice.below(2) == 0 {
        from..from + kind.0.len_utf8()
    } else {
        to..to + kind.1.len_utf8()
    };
    Some((vec![Change::new(gone, "")], from..to))
}

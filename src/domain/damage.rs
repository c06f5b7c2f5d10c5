//! Damage of a log, in words for a writer.

use super::event::{Damage, Seq};

/// What each kind of damage is called, one and several. The kinds are those of `docs/format.md`.
const WORDS: [(&str, &str, &str); 10] = [
    ("torn", "unfinished line", "unfinished lines"),
    ("nul", "run of zero bytes", "runs of zero bytes"),
    ("json", "unreadable line", "unreadable lines"),
    ("splice", "piece of a line", "pieces of lines"),
    ("repeated", "line written twice", "lines written twice"),
    (
        "conflict",
        "line of a second writer",
        "lines of a second writer",
    ),
    ("long", "line too long to show", "lines too long to show"),
    (
        "kind",
        "line that this version cannot read",
        "lines that this version cannot read",
    ),
    (
        "version",
        "line of a later version",
        "lines of a later version",
    ),
    (
        "checksum",
        "turn that is not as it was written",
        "turns that are not as they were written",
    ),
];
/// What damage is called whose kind only a later version knows.
const OTHER: (&str, &str) = ("damaged line", "damaged lines");
/// Gaps that are named one by one.
const GAPS_NAMED: usize = 4;

/// One sentence on what a log holds that is no event and on what it lacks; none when it is whole.
pub fn told(damage: &[Damage], missing: &[(Seq, Seq)]) -> Option<String> {
    let holds = list(&counted(damage));
    let lacks = list(&gaps(missing));
    match (holds, lacks) {
        (None, None) => None,
        (Some(holds), None) => Some(format!("The log holds {holds}; nothing was deleted.")),
        (None, Some(lacks)) => Some(format!("The log lacks {lacks}.")),
        (Some(holds), Some(lacks)) => Some(format!(
            "The log holds {holds}, and lacks {lacks}; nothing was deleted."
        )),
    }
}

/// Each kind that occurs, with how many there are of it and their bytes.
fn counted(damage: &[Damage]) -> Vec<String> {
    let known = WORDS.map(|(why, one, many)| {
        let of_it = damage.iter().filter(|d| d.why == why);
        count(of_it, one, many)
    });
    let is_other = |d: &&Damage| WORDS.iter().all(|(why, _, _)| d.why != *why);
    let other = count(damage.iter().filter(is_other), OTHER.0, OTHER.1);
    known.into_iter().chain([other]).flatten().collect()
}

fn count<'a>(of_it: impl Iterator<Item = &'a Damage>, one: &str, many: &str) -> Option<String> {
    let (n, bytes) = of_it.fold((0_u64, 0), |(n, bytes), d| (n + 1, bytes + d.len));
    let what = if n == 1 { one } else { many };
    let unit = if bytes == 1 { "byte" } else { "bytes" };
    (n > 0).then(|| format!("{n} {what} ({bytes} {unit})"))
}

fn gaps(missing: &[(Seq, Seq)]) -> Vec<String> {
    if missing.len() > GAPS_NAMED {
        let events: u64 = missing.iter().map(|(first, last)| last - first + 1).sum();
        return vec![format!("{events} events in {} places", missing.len())];
    }
    let named = missing.iter().map(|(first, last)| match last - first {
        0 => format!("event {first}"),
        _ => format!("events {first}–{last}"),
    });
    named.collect()
}

/// "a", "a and b", "a, b and c"; none when there is nothing.
fn list(parts: &[String]) -> Option<String> {
    let (last, before) = parts.split_last()?;
    Some(match before {
        [] => last.clone(),
        _ => format!("{} and {last}", before.join(", ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(whys: &[(&str, u64)]) -> Vec<Damage> {
        let damage = |(why, len): &(&str, u64)| Damage {
            at: 0,
            len: *len,
            why: (*why).to_owned(),
        };
        whys.iter().map(damage).collect()
    }

    #[test]
    fn each_kind_has_its_own_words_with_count_and_bytes() {
        let damage = of(&[("torn", 95), ("nul", 1), ("repeated", 10), ("repeated", 20)]);
        assert_eq!(
            told(&damage, &[(3, 3), (5, 9)]).as_deref(),
            Some(
                "The log holds 1 unfinished line (95 bytes), 1 run of zero bytes (1 byte) and \
                 2 lines written twice (30 bytes), and lacks event 3 and events 5–9; nothing was deleted."
            )
        );
        assert_eq!(told(&[], &[]), None);
    }

    #[test]
    fn a_kind_that_only_a_later_version_knows_is_damage_all_the_same() {
        assert_eq!(
            told(&of(&[("mould", 2)]), &[]).as_deref(),
            Some("The log holds 1 damaged line (2 bytes); nothing was deleted.")
        );
    }

    #[test]
    fn many_gaps_are_counted_and_not_named() {
        let gaps = [(1, 2), (4, 4), (6, 6), (8, 8), (10, 19)];
        assert_eq!(
            told(&[], &gaps).as_deref(),
            Some("The log lacks 15 events in 5 places.")
        );
    }
}

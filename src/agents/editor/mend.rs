//! Changes chosen by the writer, made in one version.

use std::ops::{Range, RangeInclusive};

use super::checks::{Asked, findings};
use super::figures::counted;
use super::finding::{Finding, changed};
use super::listing::{self, Listed, Shape};
use super::report::beyond;
use super::turn::Draft;
use super::words;
use crate::domain::History;
use crate::text::doc::Doc;

/// Which findings are to be mended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Which {
    /// All that are mechanical.
    All,
    /// Those of these numbers.
    Numbers(Vec<RangeInclusive<usize>>),
}

/// What will be done, and what is to be said of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Plan {
    old: String,
    new: String,
    /// A line for each change that is made.
    made: Vec<String>,
    /// A line for each that is not.
    left: Vec<String>,
}

/// Numbers that are looked up in one prompt.
const NUMBERS: usize = 10_000;

/// Works out the changes.
pub(super) fn plan(draft: &Draft, asked: &Asked, which: &Which, history: &History) -> Plan {
    let doc = Doc::of(&draft.text);
    let all = findings(&doc, asked);
    let mut plan = Plan {
        old: draft.text.clone(),
        new: draft.text.clone(),
        ..Plan::default()
    };
    let chosen: Vec<&Finding> = match which {
        Which::All => all.iter().filter(|f| f.is_mechanical()).collect(),
        Which::Numbers(numbers) => {
            named(&doc, draft.version, &all, numbers, history, &mut plan.left)
        }
    };
    let changes = chosen.iter().flat_map(|f| f.fix.iter().cloned());
    let (new, met) = changed(&draft.text, changes);
    plan.new = new;
    plan.made = chosen
        .iter()
        .map(|f| format!("{} {}", f.what, f.change))
        .collect();
    if met > 0 {
        plan.left.push(format!(
            "{} met another one in the same place and {} left; say `proofread` to see what remains.",
            counted(met, "change"),
            if met == 1 { "was" } else { "were" }
        ));
    }
    plan
}

/// The findings behind the numbers of the newest listing, each known again by its sentence.
fn named<'f>(
    doc: &Doc<'_>,
    version: u64,
    all: &'f [Finding],
    numbers: &[RangeInclusive<usize>],
    history: &History,
    left: &mut Vec<String>,
) -> Vec<&'f Finding> {
    let Some(listed) = Listed::of(history) else {
        left.push(
            "No finding is listed, so none has a number: `proofread` lists what there is."
                .to_owned(),
        );
        return Vec::new();
    };
    let bodies: Vec<String> = all.iter().map(|f| listing::body(doc, f)).collect();
    let mut chosen: Vec<&Finding> = Vec::new();
    let last = listed.last();
    let missing: Vec<_> = numbers.iter().filter_map(|n| beyond(n, last)).collect();
    let there = numbers
        .iter()
        .map(|n| (*n.start()).max(1)..=(*n.end()).min(last));
    for number in there.flatten().take(NUMBERS) {
        match one(number, &listed, version, &bodies)
            .and_then(|i| all.get(i).ok_or_else(String::new))
        {
            Ok(finding) if finding.fix.is_empty() => {
                left.push(format!(
                    "{number} is yours to decide: {} {}",
                    finding.what, finding.change
                ));
            }
            Ok(finding) if chosen.contains(&finding) => {}
            Ok(finding) => chosen.push(finding),
            Err(why) => left.push(why),
        }
    }
    if !missing.is_empty() {
        left.push(words::no_finding(&missing));
    }
    chosen
}

/// Which of the findings of now was listed under a number.
fn one(number: usize, listed: &Listed, version: u64, bodies: &[String]) -> Result<usize, String> {
    let Some(body) = listed.body(number) else {
        return Err(words::no_finding(&[number..=number]));
    };
    let same = number
        .checked_sub(1)
        .filter(|i| bodies.get(*i).is_some_and(|b| b == body));
    if let Some(i) = same.filter(|_| listed.version == version) {
        return Ok(i);
    }
    let mut alike = bodies
        .iter()
        .enumerate()
        .filter(|(_, b)| *b == body)
        .map(|(i, _)| i);
    match (alike.next(), alike.next()) {
        (Some(i), None) => Ok(i),
        (None, _) => beside(body, bodies).ok_or_else(|| format!(
            "{number} was found in version {}, and its sentence is no longer in the draft as it was: say `proofread` again.",
            listed.version
        )),
        (Some(_), Some(_)) => Err(format!(
            "{number} was found in version {}, and there are several sentences like it now: say `proofread` again.",
            listed.version
        )),
    }
}

/// The finding that was listed so, where its sentence was changed on one side of it since, as by another mend; none
/// where several are like it.
fn beside(body: &str, bodies: &[String]) -> Option<usize> {
    let was = Shape::of(body)?;
    let is_it = |b: &String| Shape::of(b).is_some_and(|now| now.is_beside(&was));
    let mut alike = bodies.iter().enumerate().filter(|(_, b)| is_it(b));
    let (i, _) = alike.next()?;
    alike.next().is_none().then_some(i)
}

impl Plan {
    /// The tool and its argument; none when nothing changes.
    pub(super) fn call(&self, version: u64) -> Option<(&'static str, String)> {
        if self.new == self.old {
            return None;
        }
        let (old, new) = self.passage();
        let once = !old.is_empty() && self.old.matches(old).nth(1).is_none();
        // What is told of a change is as long as the passage, not as the draft.
        if once && old.len() * 2 <= self.old.len() {
            let input = serde_json::json!({"old": old, "new": new, "base_version": version});
            return Some(("edit_draft", input.to_string()));
        }
        let input = serde_json::json!({"text": self.new, "base_version": version});
        Some(("write_draft", input.to_string()))
    }

    /// The lines that change, before and after.
    fn passage(&self) -> (&str, &str) {
        let (a, b) = (self.old.as_bytes(), self.new.as_bytes());
        let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
        let most = a.len().min(b.len()) - head;
        let tail = a
            .iter()
            .rev()
            .zip(b.iter().rev())
            .take(most)
            .take_while(|(x, y)| x == y)
            .count();
        let start = a
            .iter()
            .take(head)
            .rposition(|c| *c == b'\n')
            .map_or(0, |at| at + 1);
        let rest = a.iter().skip(a.len() - tail).position(|c| *c == b'\n');
        let tail = rest.map_or(0, |at| tail - at);
        let of = |text: &'_ str| -> Range<usize> { start..text.len() - tail };
        (
            self.old.get(of(&self.old)).unwrap_or_default(),
            self.new.get(of(&self.new)).unwrap_or_default(),
        )
    }

    /// What was done. `saved` is what the host said of the write.
    pub(super) fn told(&self, saved: Option<&str>) -> String {
        let mut out = String::new();
        if let Some(saved) = saved {
            out = format!("{}. {saved}\n\n", counted(self.made.len(), "change"));
            out.extend(
                self.made
                    .iter()
                    .map(|line| format!("- {}\n", listing::escaped(line))),
            );
        } else if self.left.is_empty() {
            out.push_str("Nothing to change: no finding of this draft is mechanical.\n");
        }
        if !self.left.is_empty() {
            let head = if saved.is_some() {
                "\nNot changed:\n\n"
            } else {
                "Nothing was changed.\n\n"
            };
            out.push_str(head);
            out.extend(self.left.iter().map(|line| format!("- {line}\n")));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::domain::message::{Message, Said};

    fn listed(text: &str, version: u64) -> History {
        let doc = Doc::of(text);
        let all = findings(&doc, &Asked::default());
        let mut said = listing::head(version, 1, all.len());
        for (i, f) in all.iter().enumerate() {
            said.push_str(&listing::entry(&doc, i + 1, f));
        }
        vec![
            Message::User("proofread".into()),
            Message::Agent(vec![Said::Words(said)]),
        ]
    }

    fn draft(text: &str, version: u64) -> Draft {
        Draft {
            version,
            text: text.to_owned(),
        }
    }

    fn numbers(n: usize) -> Which {
        Which::Numbers(vec![n..=n])
    }

    const TEXT: &str = "\u{feff}One the the man.\r\n\r\n他们他们来了。\r\n\r\nAnd and so.\r\n";

    #[test]
    fn the_numbers_of_a_listing_are_mended_and_nothing_else() {
        let plan = plan(
            &draft(TEXT, 3),
            &Asked::default(),
            &numbers(2),
            &listed(TEXT, 3),
        );
        assert_eq!(plan.new, TEXT.replace("他们他们", "他们"));
        let (tool, input) = plan.call(3).unwrap();
        assert_eq!(tool, "edit_draft");
        assert_eq!(
            input,
            r#"{"base_version":3,"new":"他们来了。\r","old":"他们他们来了。\r"}"#
        );
        assert!(
            plan.told(Some("Saved as version 4, 9 words."))
                .starts_with("1 change. Saved as version 4")
        );
    }

    #[test]
    fn two_findings_of_one_sentence_are_mended_one_after_the_other() {
        let text = "He took the the book from the shelf and and went home with it. Then she came.";
        let history = listed(text, 3);
        let first = plan(&draft(text, 3), &Asked::default(), &numbers(1), &history);
        let now = "He took the book from the shelf and and went home with it. Then she came.";
        assert_eq!(first.new, now);
        let second = plan(&draft(now, 4), &Asked::default(), &numbers(2), &history);
        assert_eq!(second.new, now.replace("and and", "and"));
        let twice = format!("{now} {now}");
        let none = plan(&draft(&twice, 4), &Asked::default(), &numbers(2), &history);
        assert!(none.call(4).is_none(), "not known which of them");
    }

    #[test]
    fn all_is_one_version() {
        let plan = plan(&draft(TEXT, 3), &Asked::default(), &Which::All, &Vec::new());
        assert_eq!(plan.made.len(), 3);
        assert_eq!(
            plan.new,
            "\u{feff}One the man.\r\n\r\n他们来了。\r\n\r\nAnd so.\r\n"
        );
        assert_eq!(plan.call(3).unwrap().0, "write_draft");
    }

    #[test]
    fn on_a_changed_draft_a_number_means_its_sentence_or_nothing() {
        let history = listed(TEXT, 3);
        let moved = format!(
            "A new new start.\n\n{}",
            TEXT.trim_start_matches('\u{feff}')
        );
        let mended = plan(&draft(&moved, 5), &Asked::default(), &numbers(1), &history);
        assert_eq!(mended.new, moved.replace("the the", "the"));
        let gone = plan(
            &draft("One the man.", 5),
            &Asked::default(),
            &numbers(1),
            &history,
        );
        assert!(gone.call(5).is_none());
        assert!(gone.told(None).contains("version 3"), "{}", gone.told(None));
        let none = plan(&draft(TEXT, 3), &Asked::default(), &numbers(9), &history);
        assert!(none.told(None).contains("no finding 9"));
        let far = Which::Numbers(vec![0..=0, 7..=usize::MAX]);
        let none = plan(&draft(TEXT, 3), &Asked::default(), &far, &history);
        let line = format!(
            "- There are no findings 0, 7–{} in the newest listing.\n",
            usize::MAX
        );
        assert!(none.told(None).ends_with(&line), "{}", none.told(None));
        assert_eq!(
            none.told(None).lines().count(),
            3,
            "one line for all of them"
        );
        assert!(
            plan(&draft(TEXT, 3), &Asked::default(), &numbers(1), &Vec::new())
                .told(None)
                .contains("proofread")
        );
    }
}

//! `MEMORY.md` as lines: what stands in it, and the few changes that are made in it. Pure.
//!
//! Bytes that a change does not need stay as they are: a byte order mark, line ends of any kind, a missing line end at
//! the end, whatever else the writer has put there.

mod alike;
mod items;
mod place;
mod source;

pub use alike::{contradicted, norm};
pub use items::{Item, in_conflict, items};
pub use place::heading_of;
pub use source::{Source, line_of, source};

use items::item_at;
use place::{Under, place};

/// Adds a line under a heading. The heading is made when it is not there.
pub fn with_line(text: &str, heading: &str, line: &str) -> String {
    place(text, Under::Heading(heading), line)
}

/// Takes a line out; none when it is not there.
pub fn without(text: &str, line: &str) -> Option<String> {
    let item = items(text).into_iter().find(|i| i.text == line)?;
    Some(cut(text, &item))
}

/// Moves a line that is sent into the archive, which is not; none when it is not there.
pub fn folded(text: &str, line: &str) -> Option<String> {
    let item = item_at(text, line, false)?;
    let rest = cut(text, &item);
    let under = Under::Archive(item.heading.as_deref());
    Some(place(&rest, under, &item.text))
}

/// Moves a line out of the archive, to where it was; none when it is not there.
pub fn unfolded(text: &str, line: &str) -> Option<String> {
    let item = item_at(text, line, true)?;
    let rest = cut(text, &item);
    let under = item.heading.as_deref().map_or(Under::Top, Under::Heading);
    Some(place(&rest, under, &item.text))
}

/// A text without one of its items.
fn cut(text: &str, item: &Item) -> String {
    let (before, behind) = (text.get(..item.at.start), text.get(item.at.end..));
    let (before, behind) = (before.unwrap_or_default(), behind.unwrap_or_default());
    // The last line of a file has no line end to take along: that of the line before it goes.
    let ends = item.at.end == text.len() && !text.ends_with('\n');
    let before = if ends {
        before.strip_suffix('\n').unwrap_or(before)
    } else {
        before
    };
    let before = if ends {
        before.strip_suffix('\r').unwrap_or(before)
    } else {
        before
    };
    // A list that had nothing else leaves one gap behind, not two.
    let end = if before.ends_with("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let gap = before.strip_suffix(end).filter(|b| b.ends_with('\n'));
    let alone = behind.is_empty() || behind.starts_with(['\r', '\n']);
    let before = gap.filter(|_| alone).unwrap_or(before);
    format!("{before}{behind}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::*;

    const ILSE: &str = "- Ilse is the ferryman's daughter. *(03 Session, 2026-11-30)*";

    #[test]
    fn the_first_line_makes_the_file() {
        let text = with_line("", "Names", ILSE);
        assert_eq!(text, format!("# Memory\n\n## Names\n\n{ILSE}\n"));
        let two = with_line(&text, "Names", "- Jon rows.");
        assert_eq!(
            two,
            format!("# Memory\n\n## Names\n\n{ILSE}\n- Jon rows.\n")
        );
    }

    #[test]
    fn a_line_goes_behind_the_last_of_its_heading_and_nothing_else_moves() {
        let cases = [
            (
                "\u{feff}# M\r\n\r\n## names\r\n- a\r\n\r\n\r\n## Facts\r\n",
                "\u{feff}# M\r\n\r\n## names\r\n- a\r\n- x\r\n\r\n\r\n## Facts\r\n",
            ),
            ("## Names\n- a", "## Names\n- a\n- x"),
            (
                "## Names\n\n## Facts\n- f\n",
                "## Names\n\n- x\n\n## Facts\n- f\n",
            ),
            (
                "## Names\nWho they are.\n",
                "## Names\nWho they are.\n\n- x\n",
            ),
            (
                "- a\n\n## Archive\n\n- old\n",
                "- a\n\n## Names\n\n- x\n\n## Archive\n\n- old\n",
            ),
            (
                "## Archive\n\n- old\n",
                "## Names\n\n- x\n\n## Archive\n\n- old\n",
            ),
            (
                "## Archive\n\n### Names\n\n- old\n",
                "## Names\n\n- x\n\n## Archive\n\n### Names\n\n- old\n",
            ),
            (
                "## Names\n- a\n  more\n\t- b\nlazy\n",
                "## Names\n- a\n  more\n\t- b\nlazy\n- x\n",
            ),
            (
                "```\n## Names\n```\n",
                "```\n## Names\n```\n\n## Names\n\n- x\n",
            ),
            ("# Terms\n\n- t\n", "# Terms\n\n- t\n\n# Names\n\n- x\n"),
            (
                "# Mine\n\n### Terms\n\n- t\n",
                "# Mine\n\n### Terms\n\n- t\n\n### Names\n\n- x\n",
            ),
        ];
        for (text, want) in cases {
            assert_eq!(with_line(text, "Names", "- x"), want, "{text:?}");
        }
    }

    #[test]
    fn a_line_goes_into_the_archive_and_comes_back_to_its_heading() {
        let text =
            "# Memory\n\n## Names\n\n- Ilse rows.\n  She is nine.\n- Jon.\n\n## Facts\n\n- Rain.\n";
        let line = "- Ilse rows.\n  She is nine.";
        let put = folded(text, line).unwrap();
        assert_eq!(
            put,
            "# Memory\n\n## Names\n\n- Jon.\n\n## Facts\n\n- Rain.\n\n## Archive\n\n### Names\n\n- Ilse rows.\n  She is nine.\n"
        );
        assert!(items(&put).iter().any(|i| i.text == line && i.archived));
        let put = folded(&put, "- Rain.").unwrap();
        assert!(
            put.ends_with("She is nine.\n\n### Facts\n\n- Rain.\n"),
            "{put}"
        );
        let back = unfolded(&put, line).unwrap();
        assert!(
            back.contains("## Names\n\n- Jon.\n- Ilse rows.\n  She is nine.\n\n## Facts"),
            "{back}"
        );
        assert_eq!(folded(&back, "- Nobody."), None);
        assert_eq!(unfolded(&back, line), None);
    }

    #[test]
    fn a_line_comes_back_below_its_heading_where_headings_are_of_the_first_level() {
        let text = "# Names\n\n- Ilse.\n- Jon.\n\n# Facts\n\n- Rain.\n";
        let put = folded(text, "- Ilse.").unwrap();
        assert!(
            put.ends_with("## Archive\n\n### Names\n\n- Ilse.\n"),
            "{put}"
        );
        let back = unfolded(&put, "- Ilse.").unwrap();
        assert!(
            back.starts_with("# Names\n\n- Jon.\n- Ilse.\n\n# Facts\n\n- Rain.\n"),
            "{back}"
        );
        let one = "# Names\n\n- Ilse.\n- Jon.\n";
        let back = unfolded(&folded(one, "- Ilse.").unwrap(), "- Ilse.").unwrap();
        assert!(back.starts_with("# Names\n\n- Jon.\n- Ilse.\n"), "{back}");
    }

    #[test]
    fn a_line_without_a_heading_comes_back_to_the_top() {
        let text = "# Memory\r\n\r\n- One.\r\n- Two.\r\n\r\n## Names\r\n- N.";
        let put = folded(text, "- Two.").unwrap();
        assert_eq!(
            put,
            "# Memory\r\n\r\n- One.\r\n\r\n## Names\r\n- N.\r\n\r\n## Archive\r\n\r\n- Two."
        );
        let back = unfolded(&put, "- Two.").unwrap();
        assert!(back.starts_with("# Memory\r\n\r\n- One.\r\n- Two.\r\n\r\n## Names"));
    }

    proptest! {
        #[test]
        fn an_accepted_text_is_one_more_item_with_the_same_words(
            text in "([-#>+*=`~\\\\_.1 ]|\\p{L}|\\*\\(|, 2026-11-30\\)\\*){1,12}",
            memory in "((# |## Facts|## Archive|- a|  |```|\\p{L}){0,3}\n){0,8}",
        ) {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            prop_assume!(!text.is_empty());
            let line = line_of(&text, "One", "2026-11-30".parse().unwrap());
            let more = with_line(&memory, "Facts", &line);
            let (had, has) = (items(&memory), items(&more));
            prop_assert_eq!(has.len(), had.len() + 1, "{:?}", more);
            let found = has.iter().filter(|i| i.text == line && !i.archived).count();
            prop_assert!(found == 1, "{more:?}");
            prop_assert_eq!(source(&line).0, text.as_str());
        }

        #[test]
        fn adding_and_taking_out_leaves_every_other_line(
            text in "(\u{feff})?((# |## Names|## Archive|- |  |```|a|\\p{L}){0,3}(\r\n|\n)){0,12}",
        ) {
            let line = "- A line of its own. *(One, 2026-11-30)*";
            let more = with_line(&text, "Names", line);
            prop_assert!(items(&more).iter().any(|i| i.text == line && !i.archived), "{more:?}");
            let words = |text: &str| -> Vec<String> {
                let text = text.trim_start_matches('\u{feff}');
                let lines = text.lines().map(|l| l.trim_end().to_owned());
                lines.filter(|l| !l.is_empty() && l != line).collect()
            };
            let rest = without(&more, line).unwrap();
            let (had, has) = (words(&text), words(&rest));
            prop_assert!(had.iter().all(|l| has.contains(l)), "{text:?} {rest:?}");
        }
    }
}

//! What is said of a deed that was taken back, or done again.

use super::{App, JUST_NOW};
use crate::domain::SessionId;
use crate::domain::ask::Undone;
use crate::domain::head::{self, Was};
use crate::text::{counted, one_line, thousands};
use crate::ui::transcript::clock;

impl App {
    /// What is said when it is done.
    pub(super) fn told_of(&self, session: SessionId, undone: &Undone) -> String {
        let Undone {
            deed, again, said, ..
        } = undone;
        let title = self.title_of(session);
        let then = if undone.leaves_stage() {
            "its stage stays as it is".to_owned()
        } else {
            self.brought_back(session, deed, *again)
        };
        let when = match self.now() - deed.at {
            ago if ago < JUST_NOW => String::new(),
            _ => format!(", {}", self.clock_of(deed.at)),
        };
        let did = if *again { "Done again" } else { "Taken back" };
        let lacks = said.as_deref().map(|said| format!(" {}", one_line(said)));
        let lacks = lacks.unwrap_or_default();
        format!("{did} in “{title}”{when}: {then}.{lacks}")
    }

    pub(super) fn clock_of(&self, at: i64) -> String {
        clock(at, self.now(), &self.settings.zone)
    }

    /// How it is then, as part of a sentence.
    pub(super) fn brought_back(
        &self,
        session: SessionId,
        deed: &head::Deed,
        again: bool,
    ) -> String {
        match &deed.was {
            Was::Title(Some(title)) => format!("its title is “{}” again", one_line(title)),
            Was::Title(None) => "its title is its first words again".to_owned(),
            Was::Tags(tags) if tags.is_empty() => "it has no tags again".to_owned(),
            Was::Tags(tags) => format!("its tags are #{} again", tags.join(" #")),
            Was::Stage(Some(stage)) => format!("its stage is {} again", stage.word()),
            Was::Stage(None) => "it has no stage again".to_owned(),
            Was::Chosen(Some(chosen)) => format!("{} writes it again", chosen.agent),
            Was::Chosen(None) => "its agent is the one before again".to_owned(),
            Was::Shelf { archived: true, .. } => "it is in the archive again".to_owned(),
            Was::Shelf { .. } => "it is in the list again".to_owned(),
            Was::Draft(version) => {
                let words = |v: Option<&head::Version>| v.map_or(0, |v| v.words);
                let draft = drafts(words(deed.is.as_ref()), words(version.as_ref()));
                match deed.decided.as_ref().filter(|_| !again) {
                    Some(waits) => {
                        let agent = one_line(&waits.agent);
                        format!("{draft}, and what {agent} proposed waits again")
                    }
                    None => draft,
                }
            }
            Was::Proposed(was) => {
                let agent = one_line(&was.agent);
                if again {
                    format!("what {agent} proposed is decided again")
                } else {
                    format!("what {agent} proposed waits again")
                }
            }
            Was::Named {
                name: Some(name), ..
            } => format!("that version is called “{}” again", one_line(name)),
            Was::Named { .. } => "that version has no name again".to_owned(),
            Was::Place(place) => {
                format!("it lies in “{}” again", self.rows.collection_title(place))
            }
            Was::Main(main) => {
                let main = if again { session } else { *main };
                let name = self.rows.get(main).map(|row| self.rows.name_of(row));
                let name = one_line(name.unwrap_or_default());
                format!("the main line is “{name}” again")
            }
        }
    }
}

/// What becomes of a draft, by its words before and after.
fn drafts(was: u64, is: u64) -> String {
    match (was, is) {
        (was, 0) => format!(
            "its draft, which had {}, is empty again",
            counted(was, "word")
        ),
        (was, is) if was == is => format!("its draft is as it was, {} again", counted(is, "word")),
        (was, is) => format!(
            "its draft has {} again, not {}",
            counted(is, "word"),
            thousands(was)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_undo_of_a_draft_says_its_words_before_and_after() {
        assert_eq!(
            drafts(222, 0),
            "its draft, which had 222 words, is empty again"
        );
        assert_eq!(drafts(1, 987), "its draft has 987 words again, not 1");
        assert_eq!(
            drafts(21_117, 21_114),
            "its draft has 21,114 words again, not 21,117"
        );
        assert_eq!(drafts(9, 9), "its draft is as it was, 9 words again");
    }
}

//! What the writer does with sessions, questions and texts.

use super::{App, Undo, Undone};
use crate::domain::ask::{Deed, DrawerDeed};
use crate::domain::event::Answer;
use crate::domain::head::Was;
use crate::domain::{Request, SessionId, State, Text};
use crate::text::{count, counted, one_line, size, thousands};
use crate::ui::asks::{Filing, Kinship, Purpose};
use crate::ui::focus::Pane;
use crate::ui::input::Effect;
use crate::ui::layers::Wish;
use crate::ui::layers::prompt::Prompt;
use crate::ui::layers::view::View;
use crate::ui::settings::Choice;
use crate::ui::terminal::COPY_LONGEST;

/// Title of a whole question.
const TITLE: &str = "What it wants to do";
/// How long a second Ctrl-C closes the window, milliseconds.
const BREAK: i64 = 2_000;

impl App {
    /// Does what a layer wants.
    pub(super) fn grant(&mut self, wish: Wish) -> Vec<Effect> {
        match wish {
            Wish::Run(command) => self.run(command),
            Wish::Filter(text) => {
                self.rows.set_filter(&text);
                Vec::new()
            }
            Wish::Look(words) => self.look_for(words),
            Wish::Search(words) => {
                self.rows.set_filter("");
                self.search_for(words)
            }
            Wish::LookNoMore => self.look_no_more(),
            Wish::Hit(hit) => self.go_to_hit(&hit),
            Wish::Open(session) => self.open(session, Pane::Composer),
            Wish::Choose(choice) => self.choose(choice),
            Wish::Ask(request, purpose) => vec![self.ask(request, purpose)],
            Wish::Do(session, deed, said) => self.act(session, deed, said),
            Wish::Answer(session, call, answer) => self.answer_to(session, call, answer),
            Wish::Again(sessions) => self.again(&sessions),
            Wish::Follow(recipe) => self.follow(recipe),
            Wish::Import(chosen) => self.import(chosen),
            Wish::Edit(session, n, text) => {
                self.push(Prompt::new(session, n, &text));
                Vec::new()
            }
            Wish::View(title, text) => {
                self.push(View::new(&title, &text));
                Vec::new()
            }
            Wish::Try(session, text, tries) => self.try_listed(session, &text, tries),
            Wish::Copy(text) => self.copy(text),
            Wish::Errand(errand) => self.errand(errand),
            Wish::Doctor => self.doctor(),
            Wish::Say(text) => {
                self.say(text);
                Vec::new()
            }
        }
    }

    /// A deed on a session; `said` is shown when it is done.
    pub(in crate::ui) fn act(
        &mut self,
        session: SessionId,
        deed: Deed,
        said: String,
    ) -> Vec<Effect> {
        let purpose = match deed {
            Deed::Accept => Purpose::Say(said),
            Deed::Stage { stage } if self.finishes(session, stage) => {
                Purpose::Drawer(Filing::Finished(session, said))
            }
            _ => Purpose::Deed(session, said),
        };
        vec![self.ask(Request::Do { session, deed }, purpose)]
    }

    /// Undoes what this window did last, else the newest deed of the session at hand.
    pub(in crate::ui) fn undo_deed(&mut self) -> Vec<Effect> {
        let (request, purpose) = match self.take_undo() {
            None => {
                self.say("There is nothing to undo here.");
                return Vec::new();
            }
            Some(Undo::Session(session)) => {
                let words = self.rows.get(session).map_or(0, |r| r.words);
                let at = self.clock.now;
                self.clock.undone = Some(Undone { session, words, at });
                let deed = Deed::Undo;
                let said = self.undone(session);
                let request = Request::Do { session, deed };
                (request, Purpose::Undone(Some(session), said))
            }
            Some(Undo::Main(session, said)) => {
                let deed = Deed::Undo;
                let request = Request::Do { session, deed };
                (request, Purpose::Kin(Kinship::Regret(session, said)))
            }
            Some(Undo::Shelf(collection)) => {
                let deed = DrawerDeed::Undo { collection };
                (Request::Drawer { deed }, Purpose::Drawer(Filing::Undone))
            }
            Some(Undo::Collection(collection)) => {
                let title = self.rows.collection_title(&collection);
                let said = format!("“{title}” is back in the drawer.");
                let archived = false;
                let request = Request::ArchiveCollection {
                    collection,
                    archived,
                };
                (request, Purpose::Undone(None, said))
            }
        };
        vec![self.ask(request, purpose)]
    }

    /// What an undo takes back. In the drawer no session is marked: only what was done to collections.
    fn take_undo(&mut self) -> Option<Undo> {
        if self.pane == Pane::Drawer {
            let last = self.list.undo.iter().rposition(Undo::is_of_shelf);
            let last = last.map(|at| self.list.undo.remove(at));
            return last.or_else(|| self.undo_of_shelf());
        }
        let last = self.list.undo.pop().or_else(|| self.undo_of_shelf());
        last.or_else(|| self.at_hand().map(Undo::Session))
    }

    /// Whether there is anything to undo, as far as that is known here.
    pub(in crate::ui) fn can_undo(&self) -> bool {
        if self.pane == Pane::Drawer {
            let any = self.list.undo.iter().any(Undo::is_of_shelf);
            return any || self.undo_of_shelf().is_some();
        }
        let known = |s| self.desks.get(s).filter(|d| d.is_live());
        let has = |s| known(s).is_none_or(|d| !d.transcript.head().deeds.is_empty());
        !self.list.undo.is_empty()
            || self.undo_of_shelf().is_some()
            || self.at_hand().is_some_and(has)
    }

    /// What to say when the newest deed of a session is undone.
    fn undone(&self, session: SessionId) -> String {
        let title = self.title_of(session);
        match self.rows.get(session) {
            Some(row) if row.archived || row.trashed => format!("“{title}” is back."),
            Some(_) => format!("Taken back in “{title}”: {}.", self.taken_back(session)),
            None => "Undone.".to_owned(),
        }
    }

    /// What an undo takes back, as far as it is known here.
    fn taken_back(&self, session: SessionId) -> String {
        let head = self.desks.get(session).map(|d| d.transcript.head());
        match head.and_then(|h| h.deeds.last()).map(|d| &d.was) {
            Some(Was::Title(Some(title))) => format!("the title is “{}” again", one_line(title)),
            Some(Was::Title(None)) => "the title is its first words again".to_owned(),
            Some(Was::Tags(tags)) if tags.is_empty() => "it has no tags again".to_owned(),
            Some(Was::Tags(tags)) => format!("its tags are #{} again", tags.join(" #")),
            Some(Was::Stage(Some(stage))) => format!("its stage is {} again", stage.word()),
            Some(Was::Stage(None)) => "it has no stage again".to_owned(),
            Some(Was::Chosen(Some(chosen))) => format!("{} writes it again", chosen.agent),
            Some(Was::Chosen(None)) => "the agent is the one before".to_owned(),
            Some(Was::Draft(version)) => {
                let words = self.rows.get(session).map_or(0, |r| r.words);
                drafts(words, version.as_ref().map_or(0, |v| v.words))
            }
            Some(Was::Place(place)) => {
                format!("it lies in “{}” again", self.rows.collection_title(place))
            }
            Some(Was::Main(main)) => {
                let name = self.rows.get(*main).map(|row| self.rows.name_of(row));
                let name = name.map(one_line).unwrap_or_default();
                format!("the main line is “{name}” again")
            }
            Some(Was::Shelf { .. }) | None => {
                "what was done last. h has every version of the draft".to_owned()
            }
        }
    }

    /// Stops the turn at hand.
    pub(in crate::ui) fn stop_turn(&mut self) -> Vec<Effect> {
        let Some(session) = self.at_hand() else {
            return Vec::new();
        };
        let since = self.rows.get(session).and_then(|r| r.since);
        self.list.stopping.insert(session, since);
        vec![self.ask(Request::Stop { session }, Purpose::Stop(session))]
    }

    /// Whether words are selected: Ctrl-C copies them.
    pub(in crate::ui) fn would_copy(&self) -> bool {
        let draft = self.draft_here().filter(|_| self.pane == Pane::Draft);
        let desk = self.desk();
        draft.is_some_and(|d| d.editor.selection().is_some())
            || desk.composer.is_selected()
            || desk.transcript.is_selected()
    }

    /// Whether a turn of the session at hand runs: what Ctrl-C stops.
    pub(in crate::ui) fn runs_at_hand(&self) -> bool {
        let runs = |s| matches!(s, State::Writing | State::NeedsYou);
        self.has_host() && self.row_at_hand().is_some_and(|r| runs(r.state))
    }

    /// Ctrl-C: copies a selection, else stops the turn at hand, else closes at the second press.
    pub(in crate::ui) fn interrupt(&mut self) -> Vec<Effect> {
        if let Some(text) = self.draft_selection() {
            return self.copy(text);
        }
        if let Some(text) = self.desk().composer.copy_selection() {
            return self.copy(text);
        }
        if let Some(text) = self.desks.here_mut().transcript.selected_text() {
            self.desks.here_mut().transcript.select_nothing();
            return self.copy(text);
        }
        if self.runs_at_hand() {
            return self.stop_turn();
        }
        if self.clock.now < self.clock.break_until {
            return self.close();
        }
        self.clock.break_until = self.clock.now + BREAK;
        self.say("Nothing runs here. Ctrl-C again closes the window.");
        Vec::new()
    }

    /// Lets waiting prompts run.
    pub(in crate::ui) fn continue_queue(&mut self) -> Vec<Effect> {
        let Some(session) = self.desks.at() else {
            return Vec::new();
        };
        let purpose = Purpose::Say("They go on.".to_owned());
        vec![self.ask(Request::Continue { session }, purpose)]
    }

    /// Answers the question that is seen.
    pub(in crate::ui) fn answer(&mut self, answer: Answer) -> Vec<Effect> {
        let found = self.question().map(|(s, q)| (s, q.call.clone()));
        match found {
            Some((session, call)) => self.answer_to(session, call, answer),
            None => Vec::new(),
        }
    }

    fn answer_to(&mut self, session: SessionId, call: String, answer: Answer) -> Vec<Effect> {
        self.questions.answer(session, &call);
        let request = Request::Answer {
            session,
            call: Some(call.clone()),
            answer,
        };
        vec![self.ask(request, Purpose::Answer(session, call))]
    }

    /// Shows the whole question.
    pub(in crate::ui) fn view_question(&mut self) -> Vec<Effect> {
        let Some((session, question)) = self.question() else {
            return Vec::new();
        };
        let question = question.clone();
        match question.input {
            Text::Inline(input) => {
                let text = format!("{}\n\n{}", question.what, pretty(&input));
                self.push(View::new(TITLE, &text).asks(session, &question.call));
                Vec::new()
            }
            Text::Blob { blob, .. } => {
                let purpose = Purpose::Whole(Some(TITLE.to_owned()));
                vec![self.ask(Request::Blob { session, blob }, purpose)]
            }
        }
    }

    /// Copies the message at the reading place.
    pub(in crate::ui) fn copy_message(&mut self) -> Vec<Effect> {
        if let Some(text) = self.desks.here_mut().transcript.selected_text() {
            return self.copy(text);
        }
        let message = self.desk().transcript.selected_message();
        match (message, self.desks.at()) {
            (Some(message), Some(session)) => match message.blob {
                Some(blob) => vec![self.ask(Request::Blob { session, blob }, Purpose::Whole(None))],
                None => self.copy(message.text),
            },
            _ => Vec::new(),
        }
    }

    /// Puts a text on the clipboard.
    pub(super) fn copy(&mut self, text: String) -> Vec<Effect> {
        self.copy_as("Copied", text)
    }

    /// Puts a text on the clipboard; `did` is what was done with it.
    pub(super) fn copy_as(&mut self, did: &str, text: String) -> Vec<Effect> {
        let kind = self.settings.means.kind;
        if kind.console && !kind.tmux_here {
            self.say("Not copied: this terminal has no clipboard. `fascicle show` and `fascicle draft` print the text.");
            return Vec::new();
        }
        if text.len() > COPY_LONGEST {
            let (is, most) = (size(text.len() as u64), size(COPY_LONGEST as u64));
            self.say(format!(
                "Not copied: {is} is more than the {most} that terminals take. `fascicle show` and `fascicle draft` print all of it."
            ));
            return Vec::new();
        }
        let words = count(&text);
        self.say(match words {
            1 => format!("{did} 1 word."),
            n => format!("{did} {} words.", thousands(n)),
        });
        vec![Effect::Copy(text)]
    }

    /// The agent and model the next turn at hand would use.
    pub(in crate::ui) fn agent_at_hand(&self) -> Choice {
        match self.at_hand() {
            Some(session) => self.agent_of(session),
            None => self.agent_of_fresh(),
        }
    }

    /// The agent and model the next turn of a session would use.
    pub(in crate::ui) fn agent_of(&self, session: SessionId) -> Choice {
        let row = self.rows.get(session);
        row.map_or_else(Choice::default, |r| Choice {
            agent: r.agent.clone(),
            model: r.model.clone(),
        })
    }

    /// The agent and model of the session to be made.
    pub(in crate::ui) fn agent_of_fresh(&self) -> Choice {
        let first = || self.settings.agents.choices.first().cloned();
        self.desks.agent.clone().or_else(first).unwrap_or_default()
    }

    fn choose(&mut self, choice: Choice) -> Vec<Effect> {
        let Some(session) = self.at_hand() else {
            self.say(format!("{} writes the new session.", choice.agent));
            self.desks.agent = Some(choice);
            return Vec::new();
        };
        let said = format!("{} writes from the next turn on.", choice.agent);
        let deed = Deed::Choose {
            agent: choice.agent,
            model: choice.model,
        };
        self.act(session, deed, said)
    }
}

/// What an undo made of a draft, by its words before and after; without the full stop.
pub(super) fn drafts(was: u64, is: u64) -> String {
    let told = |words: u64| match words {
        0 => "empty".to_owned(),
        words => counted(words, "word"),
    };
    let (was, is) = (told(was), told(is));
    format!("the draft was {was} and is {is} now. h has every version")
}

/// An argument as people read it: a line for each part of a plain object, JSON where parts lie within parts,
/// as it is when it is no JSON.
fn pretty(json: &str) -> String {
    use serde_json::Value;
    let Ok(value) = serde_json::from_str::<Value>(json) else {
        return json.to_owned();
    };
    let nested = |v: &Value| v.is_object() || v.is_array();
    match &value {
        Value::Object(parts) if !parts.values().any(nested) => {
            let line = |(name, part): (&String, &Value)| match part {
                Value::String(text) => format!("{name}: {text}"),
                other => format!("{name}: {other}"),
            };
            parts.iter().map(line).collect::<Vec<_>>().join("\n")
        }
        other => serde_json::to_string_pretty(other).unwrap_or_else(|_| json.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_undo_of_a_draft_says_its_words_before_and_after() {
        assert_eq!(
            drafts(222, 0),
            "the draft was 222 words and is empty now. h has every version"
        );
        assert_eq!(
            drafts(1, 987),
            "the draft was 1 word and is 987 words now. h has every version"
        );
    }

    #[test]
    fn an_argument_is_read_without_braces_unless_it_is_nested() {
        assert_eq!(
            pretty(r#"{"query":"flood 1961","n":3}"#),
            "n: 3\nquery: flood 1961"
        );
        assert_eq!(
            pretty(r#"{"domains":["a.org"]}"#),
            "{\n  \"domains\": [\n    \"a.org\"\n  ]\n}"
        );
        assert_eq!(pretty("no json"), "no json");
    }
}

//! What the writer does with sessions, questions and texts.

use super::App;
use crate::domain::ask::Deed;
use crate::domain::event::Answer;
use crate::domain::{Request, SessionId, State, Text};
use crate::text::{count, one_line, size, thousands};
use crate::ui::asks::{Filing, Purpose};
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
            Wish::Ask(request, purpose) => {
                self.say_that_it_waits(&request);
                vec![self.ask(request, purpose)]
            }
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
        if self.is_so(session, &deed) {
            self.say("Nothing was changed: it is like that already.");
            return Vec::new();
        }
        let purpose = match deed {
            Deed::Accept => Purpose::Say(said),
            Deed::Stage { stage } if self.finishes(session, stage) => {
                Purpose::Drawer(Filing::Finished(session, said))
            }
            _ => Purpose::Deed(session, said),
        };
        vec![self.ask(Request::Do { session, deed }, purpose)]
    }

    /// Whether a session is already what a deed would make it: what was done before stays the next to be undone.
    fn is_so(&self, session: SessionId, deed: &Deed) -> bool {
        let Some(row) = self.rows.get(session) else {
            return false;
        };
        match deed {
            Deed::Rename { title } => row.title == one_line(title),
            Deed::Tag { add, remove } => add.is_empty() && remove.is_empty(),
            Deed::Stage { stage } => row.stage == *stage && self.rows.stage_of(row) == *stage,
            Deed::Archive => row.archived,
            _ => false,
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
        self.desks.clip.clone_from(&text);
        let kind = self.settings.means.kind;
        if kind.console && !kind.tmux_here {
            self.say(format!("{did} for this window alone: the terminal has no clipboard. `fascicle show` and `fascicle draft` print the text."));
            return Vec::new();
        }
        if text.len() > COPY_LONGEST {
            let (is, most) = (size(text.len() as u64), size(COPY_LONGEST as u64));
            self.say(format!(
                "{did} for this window alone: {is} is more than the {most} that terminals take. `fascicle show` and `fascicle draft` print all of it."
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

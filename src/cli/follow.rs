//! A session that is being written, as Markdown piece by piece.

use jiff::tz::TimeZone;

use super::markdown::{ended, heading};
use super::stream::{Stream, Told};
use crate::domain::event::Kind;
use crate::domain::{Event, Text};

/// Where the page stands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Following {
    agent: Option<String>,
    stream: Stream,
    /// Whether the heading of the running answer is printed.
    headed: bool,
}

impl Following {
    /// Goes on behind events that were printed.
    pub(super) fn after(events: &[Event]) -> Self {
        let mut new = Self::default();
        for event in events {
            if let Kind::Prompt { .. } = event.kind {
                new = Self::default();
            }
            new.note(event);
            let told = new.stream.feed(event);
            new.headed |= matches!(told, Told::Words(_) | Told::Blob { .. });
        }
        new
    }

    fn note(&mut self, event: &Event) {
        if let Kind::TurnStarted { agent, .. } = &event.kind {
            self.agent = Some(agent.clone());
        }
    }

    /// What the next event adds to the page.
    pub(super) fn feed(
        &mut self,
        event: &Event,
        zone: &TimeZone,
        whole: &dyn Fn(&Text) -> String,
    ) -> String {
        self.note(event);
        match &event.kind {
            Kind::Prompt { text, .. } => {
                *self = Self::default();
                format!("\n{}{}\n", heading("You", event.ts, zone), whole(text))
            }
            Kind::TurnFinished { status, reason, .. } => {
                let end = self.stream.end();
                let how = ended(*status, reason.as_deref());
                format!("{end}{how}")
            }
            Kind::Recovered { .. } | Kind::Opened { .. } => String::new(),
            _ => self.reply(event, zone, whole),
        }
    }

    fn reply(&mut self, event: &Event, zone: &TimeZone, whole: &dyn Fn(&Text) -> String) -> String {
        let words = match self.stream.feed(event) {
            Told::Nothing => return String::new(),
            Told::Aside(line) => return format!("\n*{}*\n", line.trim()),
            Told::Words(words) => words,
            Told::Blob { blob, before } => {
                let (len, head) = (0, String::new());
                format!("{before}{}", whole(&Text::Blob { blob, len, head }))
            }
        };
        if std::mem::replace(&mut self.headed, true) {
            return words;
        }
        let agent = self.agent.as_deref().unwrap_or("Agent");
        format!("\n{}{words}", heading(agent, event.ts, zone))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::event::Status;

    fn events(kinds: Vec<Kind>) -> Vec<Event> {
        (0..)
            .zip(kinds)
            .map(|(seq, kind)| Event { seq, ts: 0, kind })
            .collect()
    }

    fn turn() -> Vec<Event> {
        let delta = |text: &str| Kind::Delta {
            turn: 1,
            block: 0,
            text: text.into(),
        };
        events(vec![
            Kind::Prompt {
                turn: 1,
                text: "Begin.".into(),
                queued: None,
            },
            Kind::TurnStarted {
                turn: 1,
                agent: "claude".into(),
                agent_session: None,
                model: None,
                resume: false,
            },
            delta("The "),
            delta("end."),
            Kind::TurnFinished {
                turn: 1,
                status: Status::Interrupted,
                reason: Some("you stopped it".into()),
                events: 0,
                crc32: String::new(),
            },
        ])
    }

    #[test]
    fn a_turn_is_told_as_it_comes() {
        let mut following = Following::default();
        let page: String = turn()
            .iter()
            .map(|e| following.feed(e, &TimeZone::UTC, &|t| t.shown().to_owned()))
            .collect();
        assert_eq!(
            page,
            "\n## You · 1970-01-01 00:00\n\nBegin.\n\n## claude · 1970-01-01 00:00\n\nThe end.\n\n*Stopped: you stopped it.*\n"
        );
    }

    #[test]
    fn it_goes_on_in_the_middle_of_an_answer_without_a_second_heading() {
        let all = turn();
        let (before, after) = all.split_at(3);
        let mut following = Following::after(before);
        let page: String = after
            .iter()
            .map(|e| following.feed(e, &TimeZone::UTC, &|t| t.shown().to_owned()))
            .collect();
        assert_eq!(page, "end.\n\n*Stopped: you stopped it.*\n");
    }
}

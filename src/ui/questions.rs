//! Questions that wait: which were rung for, and which have been seen long enough to be answered.

use std::collections::HashMap;

use crate::domain::SessionId;
use crate::domain::head::Question;

/// A key that comes sooner after a question is seen was not meant for it, milliseconds.
const GRACE: i64 = 700;

/// Where a question stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    /// It waits, and has been before the writer's eyes since then.
    Waits(Option<i64>),
    /// Its answer is on its way.
    Answered,
}

/// What came of a session's questions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Heard {
    /// A new one, in its own words.
    pub new: Option<String>,
    /// One that was not answered from here is no more.
    pub gone: bool,
}

/// The questions this window knows of.
#[derive(Debug, Default)]
pub struct Questions {
    marks: HashMap<(SessionId, String), Mark>,
}

impl Questions {
    /// Takes in what a session asks now.
    pub fn hear(&mut self, session: SessionId, asked: &[Question]) -> Heard {
        let asks = |call: &str| asked.iter().any(|q| q.call == call);
        let mut heard = Heard::default();
        self.marks.retain(|(s, call), mark| {
            let stays = *s != session || asks(call);
            heard.gone |= !stays && *mark != Mark::Answered;
            stays
        });
        for question in asked {
            let key = (session, question.call.clone());
            self.marks.entry(key).or_insert_with(|| {
                heard.new.get_or_insert_with(|| question.what.clone());
                Mark::Waits(None)
            });
        }
        heard
    }

    /// The oldest question that was not answered from here.
    pub fn open<'a>(&self, session: SessionId, asked: &'a [Question]) -> Option<&'a Question> {
        asked.iter().find(|q| {
            let mark = self.marks.get(&(session, q.call.clone()));
            mark != Some(&Mark::Answered)
        })
    }

    /// Whether a key can be an answer: one typed ahead is none.
    pub fn is_armed(&self, session: SessionId, call: &str, now: i64) -> bool {
        self.armed_at(session, call).is_some_and(|at| at <= now)
    }

    /// When a key can be an answer, milliseconds since 1970; none while it is not before the writer's eyes.
    pub fn armed_at(&self, session: SessionId, call: &str) -> Option<i64> {
        match self.marks.get(&(session, call.to_owned()))? {
            Mark::Waits(seen) => seen.map(|at| at + GRACE),
            Mark::Answered => None,
        }
    }

    /// A question is before the writer's eyes.
    pub fn see(&mut self, session: SessionId, call: &str, now: i64) {
        if let Some(Mark::Waits(seen)) = self.marks.get_mut(&(session, call.to_owned())) {
            seen.get_or_insert(now);
        }
    }

    /// Marks a question as answered. The next of the session counts as one that was not seen yet.
    pub fn answer(&mut self, session: SessionId, call: &str) {
        for ((s, c), mark) in &mut self.marks {
            if *s == session && *mark != Mark::Answered {
                *mark = if c == call {
                    Mark::Answered
                } else {
                    Mark::Waits(None)
                };
            }
        }
    }

    /// The answer was not taken: the question stands again.
    pub fn reopen(&mut self, session: SessionId, call: &str) {
        if let Some(mark) = self.marks.get_mut(&(session, call.to_owned())) {
            *mark = Mark::Waits(None);
        }
    }
}

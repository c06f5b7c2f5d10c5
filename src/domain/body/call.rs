//! Tool calls, the questions about them, and the versions of the draft they make.

use super::words::settle;
use super::{Body, Done, Item, Part};
use crate::domain::event::{Answer, By, DraftProposed, Event, Kind, Seq, TurnNo};
use crate::domain::text::Text;

impl Body {
    pub(super) fn apply_call(&mut self, event: &Event) {
        match &event.kind {
            Kind::ToolDelta {
                turn, call, name, ..
            }
            | Kind::ToolStarted {
                turn, call, name, ..
            } => self.call(event, *turn, call, name),
            Kind::ToolFinished { turn, call, .. } => self.call(event, *turn, call, ""),
            Kind::Asked {
                turn,
                call,
                what,
                input,
            } => {
                let part = Part::Asked {
                    call: call.clone(),
                    what: what.clone(),
                    input: input.clone(),
                    answer: None,
                };
                self.push(event, *turn, part);
            }
            Kind::Answered { call, answer, .. } => self.answer(call, *answer),
            Kind::DraftSaved {
                turn,
                by,
                added,
                removed,
                beside,
                ..
            } => match beside {
                Some(beside) => {
                    // What of the call's text has gone in; what waits beside it is all of it.
                    if let Some(i) = turn.and_then(|t| self.changed(t, (*added, *removed))) {
                        self.dirty = i;
                    }
                    self.items.push(Item::Note {
                        seq: event.seq,
                        ts: event.ts,
                        text: stands_beside(*beside),
                    });
                }
                None => self.draft(event, *turn, by, (*added, *removed)),
            },
            Kind::DraftProposed(DraftProposed { turn, .. }) => self.proposed(*turn, event.seq),
            _ => {}
        }
    }

    /// A proposal belongs to the call that runs.
    fn proposed(&mut self, turn: TurnNo, seq: Seq) {
        let running = self.parts(turn).find_map(|(i, part)| match part {
            Part::Call {
                started: true,
                done: None,
                proposes,
                ..
            } => {
                *proposes = Some(seq);
                Some(i)
            }
            _ => None,
        });
        self.dirty = running.unwrap_or(self.dirty);
    }

    /// Tells a call, old or new, what happened to it.
    fn call(&mut self, event: &Event, turn: TurnNo, call: &str, name: &str) {
        let change = |part: &mut Part| {
            let ours = matches!(part, Part::Call { call: c, .. } if c == call);
            if ours {
                hear(part, &event.kind);
            }
            ours
        };
        self.change_or_push(event, turn, change, || {
            let mut part = silent(call, name);
            hear(&mut part, &event.kind);
            part
        });
    }

    fn answer(&mut self, about: &str, given: Answer) {
        let open = |item: &mut Item| match item {
            Item::Part {
                part: Part::Asked { call, answer, .. },
                ..
            } if call == about && answer.is_none() => {
                *answer = Some(given);
                true
            }
            _ => false,
        };
        let found = self.items.iter_mut().rposition(open);
        self.dirty = found.unwrap_or(self.dirty);
    }

    /// The call that runs has changed the draft: where it stands.
    fn changed(&mut self, turn: TurnNo, words: (u64, u64)) -> Option<usize> {
        self.parts(turn).find_map(|(i, part)| match part {
            Part::Call {
                started: true,
                done: None,
                changed,
                ..
            } => {
                *changed = Some(words);
                Some(i)
            }
            _ => None,
        })
    }

    /// A version of the draft belongs to the call that runs, and stands alone when none does.
    fn draft(&mut self, event: &Event, turn: Option<TurnNo>, by: &By, words: (u64, u64)) {
        let running = turn.and_then(|turn| self.changed(turn, words));
        if running.is_none() && *by == By::You && self.wrote_on(event.ts, words) {
            return;
        }
        match running {
            Some(i) => self.dirty = i,
            None => self.items.push(Item::Draft {
                seq: event.seq,
                ts: event.ts,
                by: by.clone(),
                added: words.0,
                removed: words.1,
            }),
        }
    }

    /// Who writes for an hour makes many versions, which are one thing to show while nothing comes between them.
    fn wrote_on(&mut self, when: i64, words: (u64, u64)) -> bool {
        let last = self.items.len().checked_sub(1);
        let (
            Some(at),
            Some(Item::Draft {
                ts,
                by: By::You,
                added,
                removed,
                ..
            }),
        ) = (last, self.items.last_mut())
        else {
            return false;
        };
        *ts = when;
        (*added, *removed) = (*added + words.0, *removed + words.1);
        self.dirty = at;
        true
    }
}

/// What is said of a version that was not given up for another.
fn stands_beside(version: Seq) -> String {
    format!(
        "The same paragraphs were changed on two sides: one text is the draft, the other stands beside it as version {version}."
    )
}

/// A call of which nothing is known but its name.
fn silent(call: &str, name: &str) -> Part {
    Part::Call {
        call: call.to_owned(),
        name: name.to_owned(),
        input: Text::default(),
        started: false,
        done: None,
        changed: None,
        proposes: None,
    }
}

/// Takes in what happened to a call.
fn hear(part: &mut Part, kind: &Kind) {
    let Part::Call {
        input,
        started,
        done,
        ..
    } = part
    else {
        return;
    };
    match kind {
        Kind::ToolDelta { text, .. } => {
            if let Text::Inline(so_far) = input {
                so_far.push_str(text.shown());
            }
        }
        Kind::ToolStarted { input: whole, .. } => {
            settle(input, whole);
            *started = true;
        }
        Kind::ToolFinished { ok, ms, output, .. } => {
            *done = Some(Done {
                ok: *ok,
                ms: *ms,
                output: output.clone(),
            });
        }
        _ => {}
    }
}

//! The program's own compaction: its mark, its figures, and the summary where it shows it.

use serde_json::Value;

use super::said::text_of;
use super::{Step, Stream, note};
use crate::agents::backend::AgentEvent;
use crate::domain::event::Compacted;

/// What it writes as the answer to the order for a summary, beside what it did.
const ANSWER: &str = "<local-command-stdout>";

impl Stream {
    /// `system/compact_boundary`: what came before is a summary from here on.
    pub(super) fn compacted(&mut self, metadata: &Value, out: &mut Vec<Step>) {
        self.tell_compacted("", out);
        let after = metadata["post_tokens"].as_u64();
        self.totals.shrunk(after);
        self.turn.compacted = Some(Box::new(Compacted {
            turn: 0,
            upto: 0,
            summary: String::new().into(),
            why: "agent".to_owned(),
            before: metadata["pre_tokens"].as_u64(),
            after,
            messages: None,
        }));
    }

    /// The line behind the boundary: the summary, where it is one.
    pub(super) fn summary(&mut self, line: &Value, out: &mut Vec<Step>) {
        let text = text_of(&line["message"]["content"]);
        if line["isSynthetic"] == true && !text.starts_with(ANSWER) {
            self.tell_compacted(&text, out);
        } else {
            self.tell_compacted("", out);
            self.user(line, out);
        }
    }

    /// Tells of a compaction that is not told yet.
    pub(super) fn tell_compacted(&mut self, summary: &str, out: &mut Vec<Step>) {
        if let Some(mut what) = self.turn.compacted.take() {
            what.summary = summary.into();
            out.push(Step::Tell(AgentEvent::Compacted(what)));
        }
    }

    /// It tried and could not.
    #[allow(clippy::unused_self, reason = "beside what it belongs to")]
    pub(super) fn not_compacted(&self, line: &Value, out: &mut Vec<Step>) {
        let why = line["compact_error"].as_str().unwrap_or("no reason given");
        let why = crate::text::one_line(why);
        note(
            &format!("The agent made no summary ({why}); it goes on with the whole conversation."),
            out,
        );
    }
}

//! The second reading: one turn, told in the order of its lines.

use std::collections::HashSet;
use std::io;
use std::os::unix::fs::FileExt;

use serde_json::Value;

use super::History;
use super::entry::{self, What};
use super::index::parse;
use crate::agents::claude::mcp;
use crate::agents::histories::{Ended, Told, Turn};
use crate::domain::event::{Status, Usage};
use crate::text::{head, one_line};

/// What the program puts where there was no answer.
const NO_ANSWER: &str = "No response requested.";
/// Longest reason, in bytes.
const REASON_MAX: usize = 400;

impl History {
    /// Tells a turn, line by line; `tell` gets each thing with its time, milliseconds since 1970.
    ///
    /// # Errors
    /// When the file cannot be read, or what `tell` gives back.
    pub fn play<E: From<io::Error>>(
        &self,
        turn: &Turn,
        tell: &mut dyn FnMut(i64, Told) -> Result<(), E>,
    ) -> Result<Ended, E> {
        let mut player = Player {
            ts: turn.ts,
            ..Player::default()
        };
        let mut bytes = Vec::new();
        for (at, len) in &turn.lines {
            bytes.clear();
            bytes.resize(*len as usize, 0);
            self.file.read_exact_at(&mut bytes, *at)?;
            // It could be read a moment ago: a file that was changed meanwhile is no history.
            let entry = parse(&bytes).ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))?;
            player.entry(&entry);
            for told in player.told.drain(..) {
                tell(player.ts, told)?;
            }
        }
        Ok(player.end(turn.goes_on))
    }
}

#[derive(Default)]
struct Player {
    ts: i64,
    told: Vec<Told>,
    /// Calls without a result so far.
    open: HashSet<String>,
    /// The newest thing is an answer's own words.
    spoken: bool,
    stopped: bool,
    failed: Option<String>,
    /// Figures of the answer whose blocks come now, by its id.
    answer: (Option<String>, Usage),
    usage: Usage,
    boundary: Value,
}

impl Player {
    fn entry(&mut self, entry: &Value) {
        self.ts = entry::time(entry).unwrap_or(self.ts).max(self.ts);
        match entry::what(entry) {
            Some(What::Prompt | What::Queued | What::Command) => {
                self.told.push(Told::Prompt(entry::prompt(entry)));
            }
            Some(What::Answer) => self.answer(entry),
            Some(What::Results) => self.results(&entry["message"]["content"]),
            Some(What::Stopped) => self.stopped = true,
            Some(What::Boundary) => self.boundary = entry["compactMetadata"].clone(),
            Some(What::Summary) => self.summary(entry),
            Some(What::Other) | None => {}
        }
    }

    fn answer(&mut self, entry: &Value) {
        let message = &entry["message"];
        let text = entry::said(&message["content"]);
        if entry["isApiErrorMessage"] == true {
            self.failed = Some(one_line(head(&text, REASON_MAX)));
            return;
        }
        if message["model"] == entry::SYNTHETIC && text == NO_ANSWER {
            return;
        }
        self.failed = None;
        self.count(message);
        if let Value::String(text) = &message["content"] {
            self.words(text);
        }
        for block in entry::blocks(&message["content"]) {
            self.block(block);
        }
    }

    fn block(&mut self, block: &Value) {
        let text = |name: &str| block[name].as_str().unwrap_or_default().to_owned();
        match block["type"].as_str() {
            Some("text") => self.words(&text("text")),
            Some("thinking") => {
                let text = text("thinking");
                if !text.is_empty() {
                    self.told.push(Told::Thinking(text));
                }
            }
            Some("redacted_thinking") | None => {}
            Some("tool_use") => {
                let call = text("id");
                self.open.insert(call.clone());
                self.spoken = false;
                self.told.push(Told::Call {
                    call,
                    name: mcp::ours(&text("name")).map_or_else(|| text("name"), str::to_owned),
                    input: block["input"].to_string(),
                });
            }
            Some(other) => {
                let kind = one_line(head(other, 40));
                self.told.push(Told::Note(format!(
                    "A part of the answer is left out: {kind}."
                )));
            }
        }
    }

    fn words(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.spoken = true;
            self.told.push(Told::Words(text.to_owned()));
        }
    }

    fn results(&mut self, content: &Value) {
        for block in entry::blocks(content) {
            if block["type"] == "tool_result" {
                let call = block["tool_use_id"].as_str().unwrap_or_default().to_owned();
                self.open.remove(&call);
                self.spoken = false;
                self.told.push(Told::Result {
                    call,
                    ok: block["is_error"] != true,
                    output: entry::said(&block["content"]),
                });
            }
        }
    }

    fn summary(&mut self, entry: &Value) {
        let about = std::mem::take(&mut self.boundary);
        self.told.push(Told::Compacted {
            summary: entry::said(&entry["message"]["content"]),
            asked: about["trigger"] == "manual",
            before: about["preTokens"].as_u64(),
            after: about["postTokens"].as_u64(),
        });
    }

    /// Blocks of one answer each repeat its figures, and the last are whole.
    fn count(&mut self, message: &Value) {
        let id = message["id"].as_str();
        if id.is_none() || id != self.answer.0.as_deref() {
            self.usage.add(&self.answer.1);
            self.answer = (id.map(str::to_owned), Usage::default());
        }
        let figure = |name: &str| message["usage"][name].as_u64();
        let cached = figure("cache_read_input_tokens");
        let new = figure("cache_creation_input_tokens");
        let input = figure("input_tokens");
        self.answer.1 = Usage {
            input: input.map(|n| n + cached.unwrap_or(0) + new.unwrap_or(0)),
            output: figure("output_tokens"),
            cache_read: cached,
            ..Usage::default()
        };
    }

    fn end(mut self, goes_on: bool) -> Ended {
        self.usage.add(&self.answer.1);
        let (status, reason) = match self.failed {
            _ if self.stopped => (Status::Interrupted, None),
            Some(why) => (Status::Failed, Some(why)),
            None if goes_on || self.spoken && self.open.is_empty() => (Status::Ok, None),
            None => {
                let why = "the history has no more of it";
                (Status::Interrupted, Some(why.to_owned()))
            }
        };
        Ended {
            status,
            reason,
            usage: self.usage,
            ts: self.ts,
        }
    }
}

//! Reading and changing the draft.

use serde::{Deserialize, Deserializer};

use super::{Draft, Outcome, refuse};
use crate::domain::Seq;
use crate::domain::tool::ToolResult;
use crate::text::merge::{as_in, occurrences, plain, replaced};

#[derive(Deserialize)]
struct Write {
    text: String,
    #[serde(deserialize_with = "number")]
    base_version: Seq,
}

#[derive(Deserialize)]
struct Edit {
    old: String,
    new: String,
    #[serde(deserialize_with = "number")]
    base_version: Seq,
}

/// Small models send numbers as text now and then.
fn number<'de, D: Deserializer<'de>>(from: D) -> Result<Seq, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Number(Seq),
        Text(String),
    }
    match Either::deserialize(from)? {
        Either::Number(n) => Ok(n),
        Either::Text(s) => s.trim().parse().map_err(serde::de::Error::custom),
    }
}

pub(super) fn read(_input: &str, draft: Draft<'_>) -> Outcome {
    let output = if draft.version == 0 {
        "The draft is empty (version 0).".to_owned()
    } else {
        format!("Version {}:\n\n{}", draft.version, plain(draft.text))
    };
    Outcome::Answer(ToolResult { ok: true, output })
}

pub(super) fn write(input: &str, draft: Draft<'_>) -> Outcome {
    match serde_json::from_str::<Write>(input) {
        Err(e) => bad(&e),
        Ok(w) if w.base_version != draft.version => stale(w.base_version, draft),
        Ok(w) => Outcome::Write(as_in(draft.text, &w.text)),
    }
}

pub(super) fn edit(input: &str, draft: Draft<'_>) -> Outcome {
    let edit = match serde_json::from_str::<Edit>(input) {
        Err(e) => return bad(&e),
        Ok(e) if e.base_version != draft.version => return stale(e.base_version, draft),
        Ok(e) if e.old.is_empty() => {
            return refuse("`old` is empty; name the passage to replace.".to_owned());
        }
        Ok(e) => e,
    };
    match occurrences(draft.text, &edit.old).as_slice() {
        [] => refuse("The passage in `old` is not in the draft. Read the draft and copy the passage exactly.".to_owned()),
        [at] => Outcome::Write(replaced(draft.text, at, &edit.new)),
        many => refuse(format!("The passage in `old` occurs {} times. Give more of its surroundings.", many.len())),
    }
}

/// The version that a call names as the one it was made from.
pub(super) fn base(input: &str) -> Option<Seq> {
    #[derive(Deserialize)]
    struct Base {
        #[serde(deserialize_with = "number")]
        base_version: Seq,
    }
    Some(serde_json::from_str::<Base>(input).ok()?.base_version)
}

fn bad(e: &serde_json::Error) -> Outcome {
    refuse(format!("The argument could not be read: {e}."))
}

fn stale(base: Seq, draft: Draft<'_>) -> Outcome {
    refuse(format!(
        "The draft has changed since version {base}; nothing was written. It is now version {}:\n\n{}",
        draft.version,
        plain(draft.text)
    ))
}

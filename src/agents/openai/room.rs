//! Room for the answer in the middle of a turn: what tools have brought is shortened in what is sent, never in the log.
//!
//! A turn begins with a conversation that fits (`host::compact`); only its own calls can outgrow the window after that.

use serde_json::Value;

use super::request::Messages;
use crate::domain::tool::ToolSpec;
use crate::text::{counted, head, tokens};

/// Said once when a turn's tools fill the window.
pub(super) const SHORTENED: &str = "What the tools of this turn brought fills the model's window: the oldest of it is sent shortened from here on. The log keeps everything.";
/// What is left when nothing more can be shortened.
pub(super) const TOO_LONG: &str = "The model finds this turn too long, though all that its tools brought was shortened. What was said is kept. Send what is still to be done as a new prompt: its turn begins with a summary.";
/// Per cent of the window that a request may take: the rest is for the answer.
const AT: u64 = 90;
/// What stays of a text that is shortened, in bytes.
const KEPT: usize = 400;
/// One that is no longer than this is left as it is.
const SHORT: usize = KEPT + 240;
/// What stands around a message, in tokens.
const AROUND: u64 = 8;

/// What is known before the next request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'a> {
    pub(super) tools: &'a [ToolSpec],
    pub(super) window: Option<u64>,
    /// The request in tokens, as the server counted it.
    pub(super) counted: Option<u64>,
    /// The server found it too long.
    pub(super) refused: bool,
}

/// Shortens what tools have brought until the request fits. Gives how many texts were shortened.
pub(super) fn make(messages: &mut Messages, known: Known<'_>) -> u64 {
    let tools = known.tools.iter();
    let tools: u64 = tools
        .map(|t| tokens(t.name) + tokens(t.about) + tokens(t.schema))
        .sum();
    let whole = messages.0.iter().map(size).sum::<u64>() + tools;
    // A server's count is believed within reason, as in `host::compact`.
    let need = known.counted.map_or(whole, |n| n.clamp(whole, 2 * whole));
    let most = known.window.map_or(need, |w| w.saturating_mul(AT) / 100);
    let over = need.saturating_sub(most).saturating_mul(whole) / need.max(1);
    let over = if known.refused {
        over.max(whole / 4)
    } else {
        over
    };
    shorten(&mut messages.0, over)
}

/// Takes out so many tokens: of older calls and their results first, then of the newest results, then of their calls.
fn shorten(messages: &mut [Value], mut over: u64) -> u64 {
    let newest = messages.iter().rposition(|m| m["tool_calls"].is_array());
    let (old, new) = messages.split_at_mut(newest.unwrap_or(0));
    let mut shortened = 0;
    for text in old.iter_mut().filter_map(result) {
        shortened += cut(text, &mut over, true);
    }
    for message in old.iter_mut() {
        shortened += cut_calls(message, &mut over);
    }
    for text in new.iter_mut().filter_map(result) {
        shortened += cut(text, &mut over, false);
    }
    for message in new {
        shortened += cut_calls(message, &mut over);
    }
    shortened
}

/// The result of a call.
fn result(message: &mut Value) -> Option<&mut String> {
    if message["role"] != "tool" {
        return None;
    }
    match message.get_mut("content") {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

/// Shortens a text: to its beginning, or by no more than has to go. Gives 1 when it did.
fn cut(text: &mut String, over: &mut u64, far: bool) -> u64 {
    if *over == 0 || text.len() <= SHORT {
        return 0;
    }
    let before = tokens(text);
    // The note takes room too.
    let goes = usize::try_from(*over).unwrap_or(usize::MAX);
    let goes = goes.saturating_mul(4).saturating_add(SHORT - KEPT);
    let keeps = text.len().saturating_sub(goes).max(KEPT);
    let begin = head(text, if far { KEPT } else { keeps });
    let left = text.get(begin.len()..).unwrap_or_default().chars().count() as u64;
    let left = counted(left, "character");
    *text = format!(
        "{begin}…\n[{left} more were here; they are left out since this turn fills your window. Ask for less at once.]"
    );
    *over = over.saturating_sub(before.saturating_sub(tokens(text)));
    1
}

/// Shortens the texts in the arguments of an answer's calls; they stay what they are, objects of the same shape.
fn cut_calls(message: &mut Value, over: &mut u64) -> u64 {
    let mut shortened = 0;
    let calls = message.get_mut("tool_calls").and_then(Value::as_array_mut);
    for call in calls.into_iter().flatten() {
        let Some(Value::String(input)) = call.pointer_mut("/function/arguments") else {
            continue;
        };
        if *over == 0 || input.len() <= SHORT {
            continue;
        }
        let Ok(Value::Object(mut fields)) = serde_json::from_str(input) else {
            continue;
        };
        for field in fields.values_mut() {
            if let Value::String(text) = field {
                shortened += cut(text, over, true);
            }
        }
        *input = Value::Object(fields).to_string();
    }
    shortened
}

/// A message, about.
fn size(message: &Value) -> u64 {
    let text = |v: &Value| v.as_str().map_or(0, tokens);
    let calls = message["tool_calls"].as_array().into_iter().flatten();
    let calls = calls.map(|c| text(&c["function"]["name"]) + text(&c["function"]["arguments"]));
    text(&message["content"]) + calls.map(|n| n + AROUND).sum::<u64>() + AROUND
}

#[cfg(test)]
mod tests {
    use super::super::Lacks;
    use super::super::request::Call;
    use super::*;

    /// A turn that has called a tool so many times, each result so long.
    fn turn(rounds: usize, bytes: usize) -> Messages {
        let mut messages = Messages::of("Brief.", &Vec::new(), "Read.", Lacks::default());
        for n in 0..rounds {
            let call = Call {
                id: format!("c{n}"),
                name: "read_piece".into(),
                input: "{\"piece\":\"a\"}".into(),
            };
            messages.called("", &[(call, "river ".repeat(bytes / 6))]);
        }
        messages
    }

    fn known(window: u64) -> Known<'static> {
        Known {
            tools: &[],
            window: Some(window),
            counted: None,
            refused: false,
        }
    }

    fn whole(messages: &Messages) -> u64 {
        messages.0.iter().map(size).sum()
    }

    fn results(messages: &Messages) -> Vec<usize> {
        let of = |m: &Value| {
            (m["role"] == "tool").then(|| m["content"].as_str().unwrap_or_default().len())
        };
        messages.0.iter().filter_map(of).collect()
    }

    #[test]
    fn nothing_is_shortened_that_fits_or_whose_window_nobody_knows() {
        let mut messages = turn(3, 4_000);
        let before = messages.clone();
        assert_eq!(make(&mut messages, known(10_000)), 0);
        let unknown = Known {
            window: None,
            ..known(0)
        };
        assert_eq!(make(&mut messages, unknown), 0);
        assert_eq!(messages, before);
    }

    #[test]
    fn the_oldest_results_are_shortened_first_and_no_more_of_them_than_need_be() {
        let mut messages = turn(4, 4_000);
        assert_eq!(make(&mut messages, known(4_000)), 1);
        let lengths = results(&messages);
        assert!(lengths[0] < 700, "{lengths:?}");
        assert!(lengths[1..].iter().all(|n| *n > 3_900), "{lengths:?}");
    }

    #[test]
    fn one_result_larger_than_the_window_is_cut_to_what_fits() {
        let mut messages = turn(1, 40_000);
        assert_eq!(make(&mut messages, known(4_000)), 1);
        let size = whole(&messages);
        assert!((3_000..=3_600).contains(&size), "{size}");
    }

    #[test]
    fn a_refusal_shortens_until_nothing_is_left_to_be_shortened() {
        let mut messages = turn(6, 4_000);
        let refused = Known {
            window: None,
            refused: true,
            ..known(0)
        };
        let mut last = whole(&messages);
        while make(&mut messages, refused) > 0 {
            assert!(whole(&messages) < last);
            last = whole(&messages);
        }
        assert!(last < 1_200, "{last}");
    }

    #[test]
    fn a_text_in_a_call_is_shortened_and_the_call_stays_one() {
        let mut messages = Messages::of("", &Vec::new(), "Write.", Lacks::default());
        let input =
            serde_json::json!({"text": "河流".repeat(3_000), "base_version": 3}).to_string();
        let (id, name) = ("c".to_owned(), "write_draft".to_owned());
        messages.called("", &[(Call { id, name, input }, "saved".into())]);
        assert_eq!(make(&mut messages, known(2_000)), 1);
        let sent = messages.0[1]["tool_calls"][0]["function"]["arguments"].as_str();
        let sent: Value = sent
            .and_then(|s| serde_json::from_str(s).ok())
            .unwrap_or_default();
        assert_eq!(sent["base_version"], 3);
        assert!(
            sent["text"]
                .as_str()
                .is_some_and(|t| t.starts_with("河流") && t.len() < 700)
        );
    }

    #[test]
    fn what_the_server_counted_is_believed() {
        let mut messages = turn(3, 4_000);
        let counted = Known {
            counted: Some(5_000),
            ..known(4_000)
        };
        assert!(make(&mut messages, counted) > 0);
    }
}

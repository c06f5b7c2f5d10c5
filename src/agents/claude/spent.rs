//! What a turn cost, out of running totals.

use serde_json::Value;

use crate::domain::event::Usage;

/// Sums that the program carries on from turn to turn.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Totals {
    /// Cost so far; none when the program began before us.
    cost: Option<f64>,
    /// Tokens of the newest request and its answer: what of the window is in use.
    in_use: Option<u64>,
}

impl Totals {
    /// Of a record that begins at zero.
    pub(super) const fn zero() -> Self {
        Self {
            cost: Some(0.0),
            in_use: None,
        }
    }

    /// Looks at a stream event for what the newest request read and wrote.
    pub(super) fn request(&mut self, event: &Value) {
        let usage = match event["type"].as_str() {
            Some("message_start") => &event["message"]["usage"],
            Some("message_delta") => &event["usage"],
            _ => return,
        };
        let read = tokens(usage, &READ);
        let written = usage["output_tokens"].as_u64();
        if let (Some(read), Some(written)) = (read, written) {
            self.in_use = Some(read + written);
        }
    }

    /// Its record was made shorter: so much of the window is in use now.
    pub(super) fn shrunk(&mut self, to: Option<u64>) {
        self.in_use = to;
    }

    /// The difference that a `result` line makes.
    pub(super) fn turn(&mut self, result: &Value) -> Usage {
        let before = self.cost;
        let total = result["total_cost_usd"].as_f64();
        self.cost = total.or(before);
        let window = window(result);
        let in_use = self.in_use.filter(|_| window.is_some());
        let context = share(in_use, window);
        let by_model = result["model_usage_since_last_result"].as_object();
        if let Some(models) = by_model {
            return Usage {
                context,
                in_use,
                window,
                ..sum(models.values())
            };
        }
        let usage = &result["usage"];
        let read = tokens(usage, &READ);
        Usage {
            input: read,
            output: read.and(usage["output_tokens"].as_u64()),
            cache_read: read.and(usage["cache_read_input_tokens"].as_u64()),
            cost_usd: total.zip(before).map(|(now, was)| (now - was).max(0.0)),
            context,
            in_use,
            window,
            guessed: false,
        }
    }
}

/// The window of the largest model that took part.
fn window(result: &Value) -> Option<u64> {
    let models = result["modelUsage"].as_object()?;
    let windows = models.values().filter_map(|m| m["contextWindow"].as_u64());
    windows.max().filter(|w| *w > 0)
}

#[allow(clippy::cast_precision_loss, reason = "a share of a window")]
fn share(in_use: Option<u64>, window: Option<u64>) -> Option<f64> {
    Some(in_use? as f64 / window? as f64)
}

/// Tokens read: fresh, put into a cache, taken from one.
const READ: [&str; 3] = [
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
];
const READ_BY_MODEL: [&str; 3] = [
    "inputTokens",
    "cacheCreationInputTokens",
    "cacheReadInputTokens",
];

/// None when nothing at all was counted: the zeros after an interrupt mean *unknown*.
fn tokens(usage: &Value, keys: &[&str]) -> Option<u64> {
    let sum = keys.iter().filter_map(|k| usage[*k].as_u64()).sum();
    (sum > 0).then_some(sum)
}

fn sum<'a>(models: impl Iterator<Item = &'a Value>) -> Usage {
    let mut total = Usage::default();
    for model in models {
        add(&mut total.input, tokens(model, &READ_BY_MODEL));
        add(&mut total.output, model["outputTokens"].as_u64());
        add(
            &mut total.cache_read,
            model["cacheReadInputTokens"].as_u64(),
        );
        if let Some(cost) = model["costUSD"].as_f64() {
            *total.cost_usd.get_or_insert(0.0) += cost;
        }
    }
    total
}

fn add(to: &mut Option<u64>, more: Option<u64>) {
    if let Some(more) = more {
        *to.get_or_insert(0) += more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_difference_since_the_last_result_is_taken_where_it_is_given() {
        let result = json!({"total_cost_usd": 9.0, "modelUsage": {"m": {"contextWindow": 1000}},
            "model_usage_since_last_result": {"m": {"inputTokens": 5, "cacheReadInputTokens": 2, "outputTokens": 3, "costUSD": 0.5}}});
        let mut totals = Totals::default();
        totals.request(&json!({"type": "message_start", "message": {"usage": {"input_tokens": 90, "output_tokens": 1}}}));
        totals.request(
            &json!({"type": "message_delta", "usage": {"input_tokens": 90, "output_tokens": 10}}),
        );
        let got = totals.turn(&result);
        let want = Usage {
            input: Some(7),
            output: Some(3),
            cache_read: Some(2),
            cost_usd: Some(0.5),
            context: Some(0.1),
            in_use: Some(100),
            window: Some(1_000),
            guessed: false,
        };
        assert_eq!(got, want);
    }

    #[test]
    fn an_older_program_gives_totals_and_we_subtract() {
        let mut totals = Totals::zero();
        let result = |cost: f64| json!({"total_cost_usd": cost, "usage": {"input_tokens": 4, "output_tokens": 2}});
        assert_eq!(totals.turn(&result(0.25)).cost_usd, Some(0.25));
        assert_eq!(totals.turn(&result(0.75)).cost_usd, Some(0.5));
    }

    #[test]
    fn a_cost_whose_beginning_is_unknown_stays_unknown() {
        let mut totals = Totals::default();
        let got = totals.turn(
            &json!({"total_cost_usd": 3.0, "usage": {"input_tokens": 0, "output_tokens": 0}}),
        );
        assert_eq!(got, Usage::default());
    }
}

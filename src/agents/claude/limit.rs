//! What a `rate_limit_event` line tells of the login's limit. The official SDKs read `rate_limit_info`: `status`
//! (`allowed`, `allowed_warning`, `rejected`), `resetsAt` in seconds since 1970, `utilization` from 0 to 1.

use serde_json::Value;

use crate::domain::event::Limit;

/// Larger than this, a time is in milliseconds: as seconds it would lie in the year 5138.
const SECONDS_MAX: f64 = 1e11;

/// None for a line that tells nothing new.
pub(super) fn of(info: &Value) -> Option<Limit> {
    let status = info["status"].as_str()?;
    let limit = Limit {
        reached: status == "rejected",
        used: share(&info["utilization"]),
        resets: ["resetsAt", "resets_at"]
            .iter()
            .find_map(|k| time(&info[*k])),
    };
    (limit != Limit::default()).then_some(limit)
}

/// A share from 0 to 1; one above is in percent.
fn share(value: &Value) -> Option<f64> {
    let share = value.as_f64().filter(|s| *s >= 0.0)?;
    Some(if share > 1.5 { share / 100.0 } else { share })
}

/// Milliseconds since 1970.
#[allow(clippy::cast_possible_truncation, reason = "a time, checked before")]
fn time(value: &Value) -> Option<i64> {
    if let Some(text) = value.as_str() {
        return Some(text.parse::<jiff::Timestamp>().ok()?.as_millisecond());
    }
    let at = value.as_f64().filter(|at| *at > 0.0 && *at < 1e15)?;
    let ms = if at < SECONDS_MAX { at * 1_000.0 } else { at };
    Some(ms as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_time_is_read_in_seconds_milliseconds_and_as_a_date() {
        for at in [
            json!(1_772_460_000),
            json!(1_772_460_000_000_i64),
            json!("2026-03-02T14:00:00Z"),
        ] {
            let info = json!({"status": "allowed_warning", "resetsAt": at, "utilization": 0.91});
            let want = Limit {
                reached: false,
                used: Some(0.91),
                resets: Some(1_772_460_000_000),
            };
            assert_eq!(of(&info), Some(want), "{info}");
        }
    }

    #[test]
    fn a_line_without_figures_tells_nothing_but_that_it_is_reached() {
        assert_eq!(of(&json!({"status": "allowed"})), None);
        assert!(of(&json!({"status": "rejected"})).is_some_and(|l| l.reached));
        assert_eq!(of(&json!({})), None);
    }
}

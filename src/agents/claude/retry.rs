//! Why the program waits or gave up, in a writer's words.

use serde_json::Value;

use crate::agents::backend::AgentEvent;

/// What to do when nobody is logged in; said at once, since the program would try for minutes.
const LOG_IN: &str =
    "run `claude` once to log in, or set ANTHROPIC_API_KEY and name it in this agent's `env`";

/// Out of a `system/api_retry` line.
pub(super) fn retry(line: &Value) -> AgentEvent {
    let attempt = line["attempt"].as_u64().unwrap_or(1);
    AgentEvent::Retry {
        attempt: u32::try_from(attempt).unwrap_or(u32::MAX),
        wait_ms: line["retry_delay_ms"].as_f64().map_or(0, whole_ms),
        why: why(line["error_status"].as_u64(), line["error"].as_str()),
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a delay, clamped at zero"
)]
fn whole_ms(ms: f64) -> u64 {
    ms.max(0.0) as u64
}

/// A clause, without a full stop: how long it waits follows.
fn why(status: Option<u64>, error: Option<&str>) -> String {
    match (status, error.unwrap_or_default()) {
        (Some(401 | 403), _) | (_, "authentication_failed") => {
            format!("The key or login was refused: stop, then {LOG_IN}")
        }
        (Some(429), _) | (_, "rate_limit") => "The rate limit is reached (429)".to_owned(),
        (Some(529), _) | (_, "overloaded") => "The service is overloaded (529)".to_owned(),
        (Some(status), _) => format!("The service failed ({status})"),
        (None, _) => "The connection to the service was lost".to_owned(),
    }
}

/// The reason in a `result` line of a turn that failed.
pub(super) fn reason(result: &Value) -> String {
    let errors = result["errors"].as_array();
    let errors = errors.into_iter().flatten().filter_map(Value::as_str);
    // The program's notes to its own makers say nothing to a writer.
    let told: Vec<&str> = errors.filter(|e| !e.starts_with("[ede_")).collect();
    let said = match result["result"].as_str() {
        Some(text) if !text.is_empty() => text.to_owned(),
        _ if !told.is_empty() => told.join(" / "),
        _ => match result["subtype"].as_str() {
            Some("error_max_turns") => "It reached its limit of steps".to_owned(),
            _ => "It gave no reason".to_owned(),
        },
    };
    let said = said.trim().trim_end_matches('.').to_owned();
    let logged_out = said.contains("Not logged in") || said.contains("Invalid API key");
    match result["api_error_status"].as_u64() {
        Some(401 | 403) => format!("{said}: {LOG_IN}."),
        _ if logged_out => format!("{said}: {LOG_IN}."),
        _ => format!("{said}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_refused_login_says_what_to_do_at_once() {
        let line = json!({"attempt": 1, "retry_delay_ms": 597, "error_status": 401, "error": "authentication_failed"});
        let AgentEvent::Retry { why, wait_ms, .. } = retry(&line) else {
            panic!("no retry");
        };
        assert_eq!(wait_ms, 597);
        assert!(why.contains("log in"), "{why}");
    }

    #[test]
    fn a_lost_connection_has_no_status() {
        let AgentEvent::Retry { why, attempt, .. } =
            retry(&json!({"attempt": 2, "error_status": null, "error": "unknown"}))
        else {
            panic!("no retry");
        };
        assert_eq!(
            (why.as_str(), attempt),
            ("The connection to the service was lost", 2)
        );
    }

    #[test]
    fn notes_to_its_makers_are_left_out_of_a_reason() {
        let line = json!({"subtype": "error_during_execution", "errors": ["[ede_diagnostic] x", "No tape."]});
        assert_eq!(reason(&line), "No tape.");
        assert_eq!(reason(&json!({})), "It gave no reason.");
    }
}

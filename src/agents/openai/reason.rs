//! Why a server could not answer, in a writer's words.

use std::error::Error;
use std::net::IpAddr;
use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::Value;

use super::stream;
use crate::agents::error::AgentError;

/// Longest quote of a server's words, in characters.
const QUOTE_MAX: usize = 300;

/// What to do when another kind of server answers.
const BASE_URL: &str =
    "Correct `base_url` of this agent: it ends where the interface begins, as in `…/v1`.";

/// It refused. The model is named where the request named one.
pub(super) fn refused(status: u16, body: &[u8], root: &str, model: Option<&str>) -> AgentError {
    let said = quote(body);
    let (what, fix) = match (status, model) {
        (401 | 403, _) => (
            format!("{root} refused the key ({status}){said}."),
            "Check `api_key_env` or `api_key_command` of this agent.".to_owned(),
        ),
        (404, Some(model)) => (
            format!("{root} knows no such model or address (404){said}."),
            format!("Check `model` ({model}) and `base_url` of this agent."),
        ),
        (404, None) => (
            format!("{root} knows no such address (404){said}."),
            BASE_URL.to_owned(),
        ),
        (429, _) => (
            format!("{root} reached a rate limit (429){said}."),
            "Wait a moment, then try again.".to_owned(),
        ),
        (500.., _) => (
            format!("{root} failed ({status}){said}."),
            "Try again later, or look into that server's own log.".to_owned(),
        ),
        _ => (
            format!("{root} refused the request ({status}){said}."),
            "Check this agent's table in the configuration.".to_owned(),
        ),
    };
    AgentError::Server { what, fix }
}

/// It was not reached.
pub(super) fn unreached(root: &str, error: &reqwest::Error) -> AgentError {
    let mut why: &dyn Error = error;
    while let Some(source) = why.source() {
        why = source;
    }
    AgentError::Server {
        what: format!("{root} was not reached ({why})."),
        fix: if is_near(root) {
            "Start the server, or correct `base_url` of this agent.".to_owned()
        } else {
            "Look whether this machine is online; if it is, correct `base_url` of this agent."
                .to_owned()
        },
    }
}

/// Whether a server is one that the writer could start: on this machine, or in the same house.
fn is_near(root: &str) -> bool {
    let url = reqwest::Url::parse(root).ok();
    let host = url.as_ref().and_then(|url| url.host_str());
    let host = host.unwrap_or_default().trim_matches(['[', ']']);
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(at)) => at.is_loopback() || at.is_private() || at.is_link_local(),
        Ok(IpAddr::V6(at)) => {
            at.is_loopback() || at.is_unique_local() || at.is_unicast_link_local()
        }
        Err(_) => host
            .rsplit_once('.')
            .is_none_or(|(_, top)| ["local", "lan"].contains(&top)),
    }
}

/// It answered with something else than a stream.
pub(super) fn no_stream(root: &str, kind: &str) -> AgentError {
    let kind = if kind.is_empty() { "no type" } else { kind };
    AgentError::Server {
        what: format!("{root} did not answer with a stream ({kind})."),
        fix: BASE_URL.to_owned(),
    }
}

/// It answered the question for its models with something else.
pub(super) fn no_list(root: &str) -> AgentError {
    AgentError::Server {
        what: format!("{root}/models did not answer with a list of models."),
        fix: BASE_URL.to_owned(),
    }
}

/// It stopped in the middle.
pub(super) fn cut(root: &str) -> AgentError {
    AgentError::Server {
        what: format!("{root} closed the connection before the answer was whole."),
        fix: "What came is kept; send again to go on.".to_owned(),
    }
}

/// Whether the refusal is worth another try.
pub(super) const fn passes(status: u16) -> bool {
    matches!(status, 408 | 429 | 500..=599)
}

/// Why it waits: a clause, without a full stop.
pub(super) fn waits(status: u16) -> String {
    match status {
        429 => "The server's rate limit is reached (429)".to_owned(),
        _ => format!("The server failed ({status})"),
    }
}

/// The delay a server asks for (RFC 9110, `Retry-After`, in seconds or as a date).
pub(super) fn delay(headers: &HeaderMap, now: jiff::Timestamp) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok();
    if let Some(ms) = text("retry-after-ms").and_then(|v| v.trim().parse::<f64>().ok()) {
        return Duration::try_from_secs_f64(ms / 1000.0).ok();
    }
    let value = text("retry-after")?.trim();
    if let Ok(secs) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(secs).ok();
    }
    let at = jiff::fmt::rfc2822::parse(value).ok()?.timestamp();
    Some(Duration::try_from(at.duration_since(now)).unwrap_or(Duration::ZERO))
}

/// A server's own words, with a leading colon; nothing when there are none.
fn quote(body: &[u8]) -> String {
    let text = match serde_json::from_slice::<Value>(body) {
        Ok(json) => stream::message(&json),
        Err(_) => String::from_utf8_lossy(body).into_owned(),
    };
    // A page for a browser says nothing to a writer.
    if text.trim_start().starts_with('<') {
        return String::new();
    }
    let line: Vec<&str> = text.split_whitespace().collect();
    let line: String = line.join(" ").chars().take(QUOTE_MAX).collect();
    match line.trim_end_matches('.') {
        "" => String::new(),
        line => format!(": {line}"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn only_a_server_of_the_same_house_can_be_started_by_the_writer() {
        for near in [
            "http://localhost:1/v1",
            "http://127.0.0.1/v1",
            "http://[::1]:8/v1",
            "http://192.168.0.7:80",
            "http://attic.local/v1",
        ] {
            assert!(is_near(near), "{near}");
        }
        for far in ["https://openrouter.ai/api/v1", "https://8.8.8.8/v1"] {
            assert!(!is_near(far), "{far}");
        }
    }

    #[test]
    fn a_refusal_quotes_the_server_and_says_what_to_do() {
        let body = br#"{"error":{"message":"model 'x' not found"}}"#;
        let got = refused(404, body, "http://h/v1", Some("x"));
        assert_eq!(
            got.told(),
            "http://h/v1 knows no such model or address (404): model 'x' not found. Check `model` (x) and `base_url` of this agent."
        );
        let got = refused(500, b"<html>oops", "http://h/v1", Some("x"));
        assert_eq!(got.to_string(), "http://h/v1 failed (500).");
        let got = refused(404, b"", "http://h", None);
        assert!(
            got.fix()
                .is_some_and(|f| f.contains("`base_url`") && !f.contains("`model`"))
        );
    }

    #[test]
    fn a_delay_is_seconds_milliseconds_or_a_date() {
        let now: jiff::Timestamp = "2026-11-29T14:00:00Z".parse().unwrap();
        let of = |name: &'static str, value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            delay(&headers, now)
        };
        assert_eq!(of("retry-after", "2"), Some(Duration::from_secs(2)));
        assert_eq!(
            of("retry-after-ms", "250"),
            Some(Duration::from_millis(250))
        );
        assert_eq!(
            of("retry-after", "Sun, 29 Nov 2026 14:00:07 GMT"),
            Some(Duration::from_secs(7))
        );
        assert_eq!(
            of("retry-after", "Sun, 29 Nov 2026 13:00:00 GMT"),
            Some(Duration::ZERO)
        );
        assert_eq!(of("retry-after", "soon"), None);
        assert_eq!(of("retry-after", "-3"), None);
    }
}

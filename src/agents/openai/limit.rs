//! What the headers of a refusal tell of a limit: `retry-after` (RFC 9110), `x-ratelimit-reset-requests` and
//! `-tokens` as OpenAI writes them (`6m0s`, `1.5s`, `20ms`), `x-ratelimit-reset` as OpenRouter does (milliseconds
//! since 1970; others send seconds).

use std::time::Duration;

use jiff::Timestamp;
use reqwest::header::HeaderMap;

use super::reason;
use crate::domain::event::Limit;

/// Larger than this, a time is in milliseconds since 1970.
const SECONDS_MAX: f64 = 1e11;
/// Smaller than this, it counts from now.
const SINCE_MIN: f64 = 1e9;

/// The limit that a refusal speaks of; none when it is another refusal.
pub(super) fn of(status: u16, headers: &HeaderMap, now: Timestamp) -> Option<Limit> {
    if status != 429 {
        return None;
    }
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let after = |wait: Duration| {
        let ms = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX);
        now.as_millisecond().saturating_add(ms)
    };
    let both = ["x-ratelimit-reset-requests", "x-ratelimit-reset-tokens"];
    let resets = reason::delay(headers, now)
        .map(after)
        .or_else(|| at(text("x-ratelimit-reset")?, now))
        // Of two limits the refusal does not say which was reached: the later end is sure.
        .or_else(|| both.iter().filter_map(|n| span(text(n)?)).max().map(after));
    Some(Limit {
        reached: true,
        used: None,
        resets,
    })
}

#[allow(clippy::cast_possible_truncation, reason = "a time, checked before")]
fn at(value: &str, now: Timestamp) -> Option<i64> {
    let n: f64 = value.parse().ok().filter(|n| (0.0..1e15).contains(n))?;
    Some(match n {
        n if n < SINCE_MIN => now.as_millisecond() + (n * 1_000.0) as i64,
        n if n < SECONDS_MAX => (n * 1_000.0) as i64,
        n => n as i64,
    })
}

/// `1h2m3.5s`, `20ms`.
fn span(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut sum = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, tail) = rest.split_at(digits);
        let unit = tail
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(unit);
        let seconds = match unit {
            "d" => 86_400.0,
            "h" => 3_600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 0.001,
            _ => return None,
        };
        sum += number.parse::<f64>().ok()? * seconds;
        rest = tail;
    }
    Duration::try_from_secs_f64(sum)
        .ok()
        .filter(|_| !text.is_empty())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn the_end_of_a_limit_is_read_in_every_form_servers_write_it() {
        let now: Timestamp = "2026-03-02T14:00:00Z".parse().unwrap();
        let of = |name: &'static str, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            let resets = super::of(429, &headers, now).unwrap().resets;
            resets.map(|at| at - now.as_millisecond())
        };
        let ms = now.as_millisecond() + 7_000;
        for (name, value, want) in [
            ("retry-after", "7", Some(7_000)),
            ("x-ratelimit-reset", &ms.to_string(), Some(7_000)),
            ("x-ratelimit-reset", &(ms / 1_000).to_string(), Some(7_000)),
            ("x-ratelimit-reset", "7", Some(7_000)),
            ("x-ratelimit-reset-requests", "1m7s", Some(67_000)),
            ("x-ratelimit-reset-tokens", "20ms", Some(20)),
            ("x-ratelimit-reset-tokens", "soon", None),
        ] {
            assert_eq!(of(name, value), want, "{name}: {value}");
        }
        assert_eq!(super::of(500, &HeaderMap::new(), now), None);
    }
}

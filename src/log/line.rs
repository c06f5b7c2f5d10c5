//! One line: how an event is written, and how it is read back from bytes that may be anything.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::domain::event::{Event, Kind, Seq, TurnNo};
use crate::text::mend::mend;

/// Version of the line format.
pub(crate) const VERSION: u32 = 1;
/// How every line begins. It cannot occur inside a JSON string, where quotes are escaped, so
/// reading can begin again wherever it is found.
pub(crate) const MARK: &[u8] = br#"{"v":1,"seq":"#;
/// Numbers from here on are taken for damage: no log gets there.
pub(crate) const SEQ_END: Seq = 1 << 53;

/// A line that is an event.
#[derive(Debug, PartialEq)]
pub(crate) struct Line {
    /// The event; of a kind unknown to this version, or with fields it cannot read, `Kind::Unknown`.
    pub(crate) event: Event,
    /// How far it was understood.
    pub(crate) known: Known,
}

/// How far a line was understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    /// Wholly, or it is of a kind that this version does not know.
    Yes,
    /// Its kind is known, its fields cannot be read.
    KindOnly,
    /// It is of a later version of the format.
    Later,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    v: u32,
    seq: Seq,
    ts: i64,
    #[serde(borrow)]
    kind: Cow<'a, str>,
}

/// All fields of the three kinds that make up nearly all lines, borrowed.
#[derive(Deserialize)]
struct Flat<'a> {
    v: u32,
    seq: Seq,
    ts: i64,
    kind: &'a str,
    turn: TurnNo,
    block: Option<u32>,
    #[serde(borrow)]
    call: Option<Cow<'a, str>>,
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    text: Cow<'a, str>,
}

/// The line of an event, newline included.
pub(crate) fn encode(event: &Event) -> serde_json::Result<Vec<u8>> {
    encode_parts(event.seq, event.ts, &event.kind)
}

/// The line of a number, a time and what is an object with a `kind` first, newline included.
pub(crate) fn encode_parts<T: Serialize>(
    seq: Seq,
    ts: i64,
    kind: &T,
) -> serde_json::Result<Vec<u8>> {
    let body = serde_json::to_vec(kind)?;
    let mut line = MARK.to_vec();
    line.extend_from_slice(format!("{seq},\"ts\":{ts},").as_bytes());
    line.extend_from_slice(body.get(1..).unwrap_or_default());
    line.push(b'\n');
    Ok(line)
}

/// Reads a line without its newline; none when it is no event.
pub(crate) fn decode(bytes: &[u8]) -> Option<Line> {
    if let Some(line) = decode_own(bytes).or_else(|| decode_flat(bytes)) {
        return Some(line);
    }
    if let Ok(envelope) = serde_json::from_slice(bytes) {
        return decode_kind(bytes, &envelope);
    }
    match mend(bytes) {
        Cow::Borrowed(_) => None,
        Cow::Owned(mended) => {
            let envelope = serde_json::from_str(&mended).ok()?;
            decode_kind(mended.as_bytes(), &envelope)
        }
    }
}

/// Number and kind of a line by its first bytes alone, however long or damaged the rest is.
pub(crate) fn decode_start(bytes: &[u8]) -> Option<(Seq, i64, &str)> {
    let (seq, rest) = digits(bytes.strip_prefix(MARK)?)?;
    let (ts, rest) = digits(rest.strip_prefix(b",\"ts\":")?)?;
    let rest = rest.strip_prefix(b",\"kind\":\"")?;
    let kind = rest.get(..memchr::memchr(b'"', rest)?)?;
    let kind = std::str::from_utf8(kind).ok()?;
    (seq < SEQ_END).then_some((seq, i64::try_from(ts).ok()?, kind))
}

/// Bytes of the JSON value that `bytes` begins with, or how many bytes were looked at in vain.
pub(crate) fn value_len(bytes: &[u8]) -> Result<usize, usize> {
    let mut values =
        serde_json::Deserializer::from_slice(bytes).into_iter::<serde::de::IgnoredAny>();
    match values.next() {
        Some(Ok(_)) => Ok(values.byte_offset()),
        Some(Err(e)) => Err(e.column()),
        None => Err(bytes.len()),
    }
}

/// A piece of an answer, its line exactly as [`encode`] writes it: nearly every line is one.
struct Own<'a> {
    seq: Seq,
    ts: i64,
    thinks: bool,
    turn: TurnNo,
    block: u32,
    /// JSON, its quotes included.
    text: &'a [u8],
}

/// What counts of a piece of an answer where its words do not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Glance {
    pub(crate) seq: Seq,
    pub(crate) ts: i64,
    pub(crate) turn: TurnNo,
}

/// Takes such a line apart, several times as fast as a parser. None for any other, which may be an event all the same.
fn own(bytes: &[u8]) -> Option<Own<'_>> {
    let (seq, rest) = number(bytes.strip_prefix(MARK)?)?;
    let (ts, rest) = number(rest.strip_prefix(b",\"ts\":")?)?;
    let rest = rest.strip_prefix(b",\"kind\":\"")?;
    let (thinks, rest) = match rest.strip_prefix(b"delta\",\"turn\":") {
        Some(rest) => (false, rest),
        None => (true, rest.strip_prefix(b"thinking\",\"turn\":")?),
    };
    let (turn, rest) = number(rest)?;
    let (block, rest) = number(rest.strip_prefix(b",\"block\":")?)?;
    let text = rest.strip_prefix(b",\"text\":")?.strip_suffix(b"}")?;
    (seq < SEQ_END).then_some(Own {
        seq,
        ts: ts.try_into().ok()?,
        thinks,
        turn: turn.try_into().ok()?,
        block: block.try_into().ok()?,
        text,
    })
}

/// Reads such a line without its words, which are proved to be some.
pub(crate) fn glance(bytes: &[u8]) -> Option<Glance> {
    let own = own(bytes)?;
    plain(own.text)
        .map(|_| ())
        .or_else(|| string(own.text).map(|_| ()))?;
    let Own { seq, ts, turn, .. } = own;
    Some(Glance { seq, ts, turn })
}

/// Words of an answer as they stand in such a line.
pub(crate) struct Words<'a> {
    pub(crate) seq: Seq,
    pub(crate) ts: i64,
    pub(crate) block: u32,
    /// JSON, its quotes included.
    pub(crate) text: &'a [u8],
}

/// Reads such a line without its words' meaning; none for reasoning.
pub(crate) fn words(bytes: &[u8]) -> Option<Words<'_>> {
    let own = own(bytes).filter(|own| !own.thinks)?;
    let Own {
        seq,
        ts,
        block,
        text,
        ..
    } = own;
    let quoted = text.len() >= 2 && text.starts_with(b"\"") && text.ends_with(b"\"");
    quoted.then_some(Words {
        seq,
        ts,
        block,
        text,
    })
}

fn decode_own(bytes: &[u8]) -> Option<Line> {
    let Own {
        seq,
        ts,
        thinks,
        turn,
        block,
        text,
    } = own(bytes)?;
    let text = string(text)?.into();
    let kind = if thinks {
        Kind::Thinking { turn, block, text }
    } else {
        Kind::Delta { turn, block, text }
    };
    Some(Line {
        event: Event { seq, ts, kind },
        known: Known::Yes,
    })
}

/// A JSON string, its quotes included.
fn string(quoted: &[u8]) -> Option<String> {
    match plain(quoted) {
        Some(text) => Some(text.to_owned()),
        None => serde_json::from_slice(quoted).ok(),
    }
}

/// The same, when it says what it is without escapes.
fn plain(quoted: &[u8]) -> Option<&str> {
    let inner = quoted.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let odd = |b: &u8| matches!(b, b'"' | b'\\' | ..0x20);
    (!inner.iter().any(odd)).then(|| std::str::from_utf8(inner).ok())?
}

/// A number as JSON has it: no zero before other digits.
fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (number, rest) = digits(bytes)?;
    let padded = bytes.starts_with(b"0") && number > 0;
    (!padded && !bytes.starts_with(b"00")).then_some((number, rest))
}

fn digits(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0_u64;
    let mut rest = bytes;
    while let Some((digit @ b'0'..=b'9', behind)) = rest.split_first() {
        number = number
            .checked_mul(10)?
            .checked_add(u64::from(digit - b'0'))?;
        rest = behind;
    }
    (rest.len() < bytes.len()).then_some((number, rest))
}

fn decode_flat(bytes: &[u8]) -> Option<Line> {
    if !matches!(decode_start(bytes)?.2, "delta" | "thinking" | "tool.delta") {
        return None;
    }
    let flat: Flat = serde_json::from_slice(bytes).ok()?;
    let (turn, text) = (flat.turn, flat.text.into_owned().into());
    let kind = match (flat.kind, flat.block, flat.call, flat.name) {
        ("delta", Some(block), ..) => Kind::Delta { turn, block, text },
        ("thinking", Some(block), ..) => Kind::Thinking { turn, block, text },
        ("tool.delta", _, Some(call), Some(name)) => Kind::ToolDelta {
            turn,
            call: call.into_owned(),
            name: name.into_owned(),
            text,
        },
        _ => return None,
    };
    let event = Event {
        seq: flat.seq,
        ts: flat.ts,
        kind,
    };
    (flat.v == VERSION).then_some(Line {
        event,
        known: Known::Yes,
    })
}

fn decode_kind(bytes: &[u8], envelope: &Envelope) -> Option<Line> {
    if envelope.v < VERSION || envelope.seq >= SEQ_END {
        return None;
    }
    let unknown = |known| {
        let name = envelope.kind.clone().into_owned();
        (Kind::Unknown { name }, known)
    };
    let (kind, known) = if envelope.v > VERSION {
        unknown(Known::Later)
    } else {
        match serde_json::from_slice(bytes).or_else(|_| serde_json::from_str(&mend(bytes))) {
            Ok(kind) => (kind, Known::Yes),
            Err(e) if e.to_string().starts_with("unknown variant") => unknown(Known::Yes),
            Err(_) => unknown(Known::KindOnly),
        }
    };
    let (seq, ts) = (envelope.seq, envelope.ts);
    Some(Line {
        event: Event { seq, ts, kind },
        known,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::domain::event::AgentStarted;
    use crate::domain::event::{By, Process, Status, Usage};

    fn read(line: &str) -> Line {
        decode(line.as_bytes()).unwrap()
    }

    fn name_of(line: &str) -> (String, Known) {
        match read(line) {
            Line {
                event:
                    Event {
                        kind: Kind::Unknown { name },
                        ..
                    },
                known,
            } => (name, known),
            other => panic!("{other:?} is known"),
        }
    }

    #[test]
    fn a_line_begins_with_version_number_time_and_kind_and_is_read_back() {
        let kinds = [
            Kind::Delta {
                turn: 1,
                block: 2,
                text: "The \"morning\"\n".into(),
            },
            Kind::Archived,
            Kind::Usage {
                turn: 1,
                usage: Usage {
                    input: Some(3),
                    cost_usd: Some(0.071),
                    ..Usage::default()
                },
            },
            Kind::AgentStarted(AgentStarted {
                turn: 1,
                process: Process {
                    pid: 7,
                    start: 8,
                    boot: "5f0c".into(),
                },
                agent_session: None,
                model: None,
            }),
            Kind::DraftSaved {
                turn: None,
                sha256: "77b1".into(),
                bytes: 4,
                words: 1,
                by: By::Agent("claude".into()),
                base: Some(2),
                added: 1,
                removed: 0,
                beside: None,
                from: None,
                rest: false,
            },
            Kind::TurnFinished {
                turn: 1,
                status: Status::Lost,
                reason: None,
                events: 2,
                crc32: "8d1f03aa".into(),
            },
        ];
        for (seq, kind) in (7..).zip(kinds) {
            let event = Event { seq, ts: 99, kind };
            let line = encode(&event).unwrap();
            let start = format!("{{\"v\":1,\"seq\":{seq},\"ts\":99,\"kind\":\"");
            assert!(line.starts_with(start.as_bytes()) && line.ends_with(b"}\n"));
            assert_eq!(decode(line.trim_ascii_end()).unwrap().event, event);
        }
    }

    #[test]
    fn an_unknown_kind_keeps_its_number_and_name() {
        let line = r#"{"v":1,"seq":4,"ts":5,"kind":"moon.rose","phase":{"of":[1,2]}}"#;
        assert_eq!(read(line).event.seq, 4);
        assert_eq!(name_of(line), ("moon.rose".into(), Known::Yes));
    }

    #[test]
    fn a_known_kind_with_strange_fields_is_kept_by_name() {
        let line = r#"{"v":1,"seq":4,"ts":5,"kind":"delta","turn":"one","text":[]}"#;
        assert_eq!(name_of(line), ("delta".into(), Known::KindOnly));
    }

    #[test]
    fn a_later_version_is_kept_by_name() {
        let line = r#"{"v":2,"seq":4,"ts":5,"kind":"delta","turn":1,"block":0,"text":"x"}"#;
        assert_eq!(name_of(line), ("delta".into(), Known::Later));
    }

    #[test]
    fn extra_keys_are_passed_over_in_every_kind() {
        for kind in [
            r#""delta","turn":1,"block":0,"text":"x""#,
            r#""archived""#,
            r#""usage","turn":1,"input":2"#,
        ] {
            let line = format!(r#"{{"v":1,"seq":4,"ts":5,"kind":{kind},"later":{{"a":1}}}}"#);
            assert!(
                !matches!(read(&line).event.kind, Kind::Unknown { .. }),
                "{line}"
            );
        }
    }

    #[test]
    fn what_is_read_the_fast_way_is_what_the_parser_reads() {
        let texts = [
            "lemon ",
            "",
            r"end.\n\n",
            r#"a \"b\""#,
            "灯台",
            r"\u00e9",
            r"\ud83c",
            "a\u{1}b",
            r"\",
            r#"a"b"#,
            r"\x",
            "\u{7f}",
        ];
        let numbers = [
            "0",
            "7",
            "07",
            "00",
            "4294967296",
            "9007199254740992",
            "-1",
            "1.0",
            "1e3",
            "\"1\"",
            "",
        ];
        let mut lines = Vec::new();
        for kind in ["delta", "thinking", "tool.delta"] {
            for text in texts {
                lines.push(format!(
                    r#"{{"v":1,"seq":4,"ts":5,"kind":"{kind}","turn":1,"block":2,"text":"{text}"}}"#
                ));
            }
            for n in numbers {
                lines.push(format!(
                    r#"{{"v":1,"seq":{n},"ts":5,"kind":"{kind}","turn":1,"block":2,"text":"a"}}"#
                ));
                lines.push(format!(
                    r#"{{"v":1,"seq":4,"ts":{n},"kind":"{kind}","turn":1,"block":2,"text":"a"}}"#
                ));
                lines.push(format!(
                    r#"{{"v":1,"seq":4,"ts":5,"kind":"{kind}","turn":{n},"block":{n},"text":"a"}}"#
                ));
            }
        }
        for line in lines {
            let own = decode_own(line.as_bytes());
            let seen = glance(line.as_bytes());
            assert_eq!(
                own.as_ref().map(|l| l.event.seq),
                seen.map(|g| g.seq),
                "{line}"
            );
            if own.is_some() {
                assert_eq!(own, decode_flat(line.as_bytes()), "{line}");
            }
        }
        let own = r#"{"v":1,"seq":4,"ts":5,"kind":"delta","turn":1,"block":2,"text":"a\n"}"#;
        assert!(decode_own(own.as_bytes()).is_some());
    }

    #[test]
    fn half_characters_and_bad_utf8_cost_no_event() {
        let mut line = br#"{"v":1,"seq":4,"ts":5,"kind":"note","text":"a\ud83c "#.to_vec();
        line.extend(b"\xff\"}");
        let Kind::Note { text, .. } = decode(&line).unwrap().event.kind else {
            panic!("it is a note");
        };
        assert_eq!(text, "a\u{fffd} \u{fffd}");
    }

    #[test]
    fn nesting_without_end_is_an_unknown_line_not_a_crash() {
        let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
        let line = format!(r#"{{"v":1,"seq":4,"ts":5,"kind":"note","text":{deep}}}"#);
        assert_eq!(name_of(&line), ("note".into(), Known::KindOnly));
    }

    #[test]
    fn what_lacks_a_part_of_the_envelope_is_no_event() {
        for line in [
            r#"{"seq":4,"ts":5,"kind":"archived"}"#,
            r#"{"v":1,"ts":5,"kind":"archived"}"#,
            r#"{"v":1,"seq":4,"kind":"archived"}"#,
            r#"{"v":1,"seq":4,"ts":5}"#,
            r#"{"v":1,"seq":9007199254740992,"ts":5,"kind":"archived"}"#,
            r#"{"v":1,"seq":4,"ts":5,"kind":"archived"}}"#,
            "",
            "null",
        ] {
            assert_eq!(decode(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn a_start_is_read_however_the_line_goes_on() {
        let start = br#"{"v":1,"seq":4,"ts":5,"kind":"note","text":"cut"#;
        assert_eq!(decode_start(start), Some((4, 5, "note")));
        assert_eq!(decode_start(b"{\"v\":1,\"seq\":4,\"ts\":"), None);
    }
}

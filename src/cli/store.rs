//! `store serve`: keeps the sessions of programs built on the Claude Agent SDK, asked by JSON lines on standard input.
//!
//! JSON-RPC 2.0, one request a line, one answer a line, in order. `docs/store.md` has the methods.

use std::borrow::Cow;
use std::io::{self, BufRead, Read as _, Write};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::args;
use super::error::CliError;
use crate::log::LogError;
use crate::log::exchange::{Exchange, Key};

/// Longest request, in bytes.
const LINE_MAX: u64 = 64 * 1024 * 1024;

/// Codes of JSON-RPC 2.0, and one of our own.
mod code {
    pub(super) const PARSE: i32 = -32_700;
    pub(super) const REQUEST: i32 = -32_600;
    pub(super) const METHOD: i32 = -32_601;
    pub(super) const PARAMS: i32 = -32_602;
    /// The store could not do it; the message says why.
    pub(super) const STORE: i32 = -32_000;
}

#[derive(Deserialize)]
struct Call<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct OfKey<'a> {
    #[serde(borrow)]
    key: Named<'a>,
}

#[derive(Deserialize)]
struct Entries<'a> {
    #[serde(borrow)]
    key: Named<'a>,
    #[serde(borrow)]
    entries: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Noted<'a> {
    #[serde(borrow)]
    key: Named<'a>,
    #[serde(borrow)]
    data: &'a RawValue,
}

#[derive(Deserialize)]
struct OfGroup<'a> {
    #[serde(rename = "project_key", borrow)]
    group: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Named<'a> {
    #[serde(rename = "project_key", borrow)]
    group: Cow<'a, str>,
    #[serde(rename = "session_id", borrow)]
    session: Cow<'a, str>,
    #[serde(rename = "subpath", borrow, default)]
    sub: Option<Cow<'a, str>>,
}

impl From<Named<'_>> for Key {
    fn from(named: Named<'_>) -> Self {
        Self::new(&named.group, &named.session, named.sub.as_deref())
    }
}

#[derive(Serialize)]
struct Listed {
    session_id: String,
    mtime: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Box<RawValue>>,
}

/// Why a request was not done: a code, and a line for whoever asked.
type No = (i32, String);

/// Serves a folder until standard input ends.
pub(super) fn run(asked: &args::Store) -> Result<(), CliError> {
    let args::StoreVerb::Serve { root } = &asked.verb;
    let mut store = Exchange::open(root)?;
    serve(&mut store, io::stdin().lock(), io::stdout().lock())
}

fn serve(store: &mut Exchange, mut from: impl BufRead, mut to: impl Write) -> Result<(), CliError> {
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut from).take(LINE_MAX + 1).read_until(b'\n', &mut line);
        if read.map_err(CliError::Input)? == 0 {
            return Ok(());
        }
        let long = line.len() as u64 > LINE_MAX && !line.ends_with(b"\n");
        if long {
            skip_line(&mut from).map_err(CliError::Input)?;
        }
        let answer = if long {
            let why = format!("The request is longer than {LINE_MAX} bytes; send fewer entries.");
            Some(refusal(None, &(code::REQUEST, why)))
        } else if line.trim_ascii().is_empty() {
            None
        } else {
            answer(store, &line)
        };
        if let Some(answer) = answer {
            to.write_all(&answer)?;
            to.write_all(b"\n")?;
            to.flush()?;
        }
    }
}

/// Passes over the rest of a line.
fn skip_line(from: &mut impl BufRead) -> io::Result<()> {
    loop {
        let part = from.fill_buf()?;
        let end = memchr::memchr(b'\n', part);
        let used = end.map_or(part.len(), |n| n + 1);
        let over = end.is_some() || part.is_empty();
        from.consume(used);
        if over {
            return Ok(());
        }
    }
}

/// The answer to a request; none to one without an id.
fn answer(store: &mut Exchange, line: &[u8]) -> Option<Vec<u8>> {
    let text = match std::str::from_utf8(line) {
        Ok(text) => text,
        Err(e) => {
            return Some(refusal(
                None,
                &(code::PARSE, format!("This is no UTF-8: {e}.")),
            ));
        }
    };
    let call: Call<'_> = match serde_json::from_str(text) {
        Ok(call) => call,
        Err(e) => {
            let code = if e.is_data() {
                code::REQUEST
            } else {
                code::PARSE
            };
            return Some(refusal(None, &(code, format!("This is no request: {e}."))));
        }
    };
    let params = call.params.map_or("{}", RawValue::get);
    let done = act(store, &call.method, params);
    let id = call.id?;
    Some(match done {
        Ok(result) => {
            let mut out =
                format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":", id.get()).into_bytes();
            out.extend(result);
            out.push(b'}');
            out
        }
        Err(no) => refusal(Some(id), &no),
    })
}

fn refusal(id: Option<&RawValue>, (code, why): &No) -> Vec<u8> {
    let error = serde_json::json!({"code": code, "message": why});
    let id = id.map_or("null", RawValue::get);
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{error}}}").into_bytes()
}

/// Does one thing; gives its result as JSON.
fn act(store: &mut Exchange, method: &str, params: &str) -> Result<Vec<u8>, No> {
    match method {
        "append" => {
            let Entries { key, entries } = read(params)?;
            let added = store.append(&key.into(), &entries).map_err(no)?;
            json(&serde_json::json!({"added": added}))
        }
        "load" => load(store, &read::<OfKey<'_>>(params)?.key.into()),
        "list_sessions" => {
            let kept = store
                .sessions(&read::<OfGroup<'_>>(params)?.group)
                .map_err(no)?;
            let listed = kept.into_iter().map(|kept| Listed {
                session_id: kept.session,
                mtime: kept.mtime,
                data: None,
            });
            json(&listed.collect::<Vec<_>>())
        }
        "list_session_summaries" => {
            let noted = store
                .summaries(&read::<OfGroup<'_>>(params)?.group)
                .map_err(no)?;
            json(&noted.into_iter().map(listed).collect::<Vec<_>>())
        }
        "get_summary" => {
            let noted = store
                .summary(&read::<OfKey<'_>>(params)?.key.into())
                .map_err(no)?;
            json(&noted.map(listed))
        }
        "put_summary" => {
            let Noted { key, data } = read(params)?;
            let mtime = store.note(&key.into(), data).map_err(no)?;
            json(&serde_json::json!({"mtime": mtime}))
        }
        "list_subkeys" => json(
            &store
                .subkeys(&read::<OfKey<'_>>(params)?.key.into())
                .map_err(no)?,
        ),
        "delete" => {
            store
                .delete(&read::<OfKey<'_>>(params)?.key.into())
                .map_err(no)?;
            json(&())
        }
        _ => Err((code::METHOD, format!("There is no method {method:?}."))),
    }
}

fn listed(noted: crate::log::exchange::Summary) -> Listed {
    Listed {
        session_id: noted.session,
        mtime: noted.mtime,
        data: Some(noted.data),
    }
}

/// The entries of a key as they came, or null.
fn load(store: &Exchange, key: &Key) -> Result<Vec<u8>, No> {
    let mut out = vec![b'['];
    let there = store.load(key, &mut |entry| {
        if out.len() > 1 {
            out.push(b',');
        }
        out.extend_from_slice(entry.as_bytes());
    });
    if !there.map_err(no)? {
        return Ok(b"null".to_vec());
    }
    out.push(b']');
    Ok(out)
}

fn read<'a, T: Deserialize<'a>>(params: &'a str) -> Result<T, No> {
    serde_json::from_str(params)
        .map_err(|e| (code::PARAMS, format!("The parameters do not fit: {e}.")))
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, No> {
    serde_json::to_vec(value).map_err(|e| {
        (
            code::STORE,
            format!("The answer could not be written: {e}."),
        )
    })
}

#[allow(clippy::needless_pass_by_value, reason = "for map_err")]
fn no(error: LogError) -> No {
    (code::STORE, error.to_string())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use serde_json::{Value, json};

    fn talk(lines: &str) -> Vec<Value> {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Exchange::open(dir.path()).unwrap();
        let mut out = Vec::new();
        serve(&mut store, lines.as_bytes(), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        text.lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect()
    }

    fn call(id: u32, method: &str, params: &Value) -> String {
        format!(
            "{}\n",
            json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        )
    }

    #[test]
    fn what_is_appended_is_loaded_as_it_was_and_unknown_keys_are_null() {
        let key = json!({"project_key": "p", "session_id": "s"});
        let entries = json!([{"type": "x", "uuid": "b", "n": 1.50}, {"type": "x"}]);
        let lines = [
            call(1, "append", &json!({"key": key, "entries": entries})),
            call(2, "load", &json!({"key": key})),
            call(
                3,
                "load",
                &json!({"key": {"project_key": "p", "session_id": "t", "subpath": null}}),
            ),
            call(
                4,
                "append",
                &json!({"key": {"project_key": "p", "session_id": "t"}, "entries": []}),
            ),
            call(5, "list_sessions", &json!({"project_key": "p"})),
        ];
        let said = talk(&lines.concat());
        assert_eq!(said[0]["result"], json!({"added": 2}));
        assert_eq!(said[1]["result"], entries);
        assert_eq!(said[2]["result"], Value::Null);
        assert_eq!(said[4]["result"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn a_bad_request_is_answered_and_the_next_one_served() {
        let key = json!({"project_key": "p", "session_id": "s"});
        let lines = [
            "nonsense\n".to_owned(),
            "{\"id\":1}\n".to_owned(),
            call(2, "fly", &json!({})),
            call(3, "load", &json!({})),
            "\n{\"jsonrpc\":\"2.0\",\"method\":\"load\"}\n".to_owned(),
            call(4, "load", &json!({"key": key})),
        ];
        let said = talk(&lines.concat());
        let codes: Vec<&Value> = said.iter().map(|s| &s["error"]["code"]).collect();
        assert_eq!(
            codes,
            [
                &json!(-32_700),
                &json!(-32_600),
                &json!(-32_601),
                &json!(-32_602),
                &Value::Null
            ]
        );
        assert_eq!(said[4]["id"], 4);
    }
}

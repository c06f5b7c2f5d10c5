//! How much the model's window holds: as the writer says, else as the server tells, else as is known of the model.
//!
//! Asked only of the configured server, as part of a turn, and kept for a while. Read here, besides `GET /v1/models`
//! with the fields of OpenRouter, vLLM, Groq and Mistral: `GET /props` (llama.cpp), `GET /api/ps` and `POST /api/show`
//! (Ollama), `GET /api/v0/models/NAME` (LM Studio), each only where the list says that it is that server.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::key::Key;
use super::{Setup, is_loopback, read_body};

/// For an answer to come.
const LOOK: Duration = Duration::from_secs(5);
/// For how long an answer holds: a server may be started anew with another window.
const HOLDS: Duration = Duration::from_secs(600);

/// Where a list of models tells the window of one.
const LISTED: [&str; 6] = [
    "context_length",
    "max_model_len",
    "context_window",
    "max_context_length",
    "max_model_length",
    "context_size",
];

/// What Ollama gives a model whose window nobody set (its FAQ: `OLLAMA_CONTEXT_LENGTH`).
const OLLAMA: u64 = 4_096;

/// Models whose makers publish the window, by the beginning of the name behind any `maker/`; the longest beginning
/// counts. Smaller where versions differ.
const KNOWN: [(&str, u64); 14] = [
    ("gpt-3.5", 16_385),
    ("gpt-4", 8_192),
    ("gpt-4-turbo", 128_000),
    ("gpt-4o", 128_000),
    ("gpt-4.1", 1_000_000),
    ("gpt-5", 272_000),
    ("o1", 128_000),
    ("o3", 200_000),
    ("o4-mini", 200_000),
    ("claude-", 200_000),
    ("gemini-", 1_000_000),
    ("deepseek-chat", 64_000),
    ("deepseek-reasoner", 64_000),
    ("mistral-large", 128_000),
];

/// A window as it was found out; none when nobody knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Found(Option<u64>);

/// What was found out, by model.
#[derive(Debug, Default)]
pub(super) struct Windows(Mutex<HashMap<String, (Instant, Found)>>);

impl Windows {
    fn get(&self, model: &str) -> Option<Found> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, found) = known.get(model)?;
        (at.elapsed() < HOLDS).then_some(*found)
    }

    /// Keeps what a server told.
    pub(super) fn learn(&self, model: &str, window: Option<u64>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(model.to_owned(), (Instant::now(), Found(window)));
    }
}

impl Setup {
    /// Tokens of a model's window, as far as they are known by now: nobody is asked.
    pub(super) fn known_window(&self, model: &str) -> Option<u64> {
        let found = || self.windows.get(model).and_then(|Found(window)| window);
        self.spec.context.or_else(found)
    }

    /// Tokens of a model's window, of the configured one when none is named.
    pub(super) async fn window(&self, model: Option<&str>) -> Option<u64> {
        if let Some(window) = self.spec.context {
            return Some(window);
        }
        let model = model.or(self.spec.model.as_deref())?;
        if let Some(Found(window)) = self.windows.get(model) {
            return window;
        }
        // One that is not reached says so when the prompt is sent.
        let Found(told) = self.told(model).await?;
        let window = told.or_else(|| known(model));
        self.windows.learn(model, window);
        window
    }

    /// What the server tells; none when it did not answer.
    async fn told(&self, model: &str) -> Option<Found> {
        let root = self.root().ok()?;
        let key = Key::of(&self.spec, &self.vars, is_loopback(root))
            .await
            .ok()?;
        let client = self.client().ok()?;
        let ask = async |request: reqwest::RequestBuilder| -> Option<Value> {
            let response = key.sign(request.timeout(LOOK)).send().await.ok()?;
            let ok = response.status().is_success();
            let body = read_body(response).await;
            Some(serde_json::from_slice(&body).unwrap_or_default()).filter(|_| ok)
        };
        let list = ask(client.get(format!("{root}/models"))).await?;
        let entry = entry(&list, model);
        if let Some(window) = listed(entry) {
            return Some(Found(Some(window)));
        }
        let base = root.strip_suffix("/v1").unwrap_or(root);
        Some(Found(match entry["owned_by"].as_str() {
            Some("llamacpp") => {
                let props = ask(client.get(format!("{base}/props"))).await;
                props.and_then(|p| p["default_generation_settings"]["n_ctx"].as_u64())
            }
            Some("library") => {
                let runs = ask(client.get(format!("{base}/api/ps"))).await;
                let loaded = runs.and_then(|runs| loaded(&runs, model));
                if loaded.is_some() {
                    return Some(Found(loaded));
                }
                let show = client.post(format!("{base}/api/show"));
                let told = ask(show.json(&json!({"model": model}))).await;
                told.map(|told| shown(&told))
            }
            Some("organization_owner") => {
                let told = ask(client.get(format!("{base}/api/v0/models/{model}"))).await;
                let size = |m: &Value, name: &str| m[name].as_u64();
                told.and_then(|m| {
                    size(&m, "loaded_context_length").or_else(|| size(&m, "max_context_length"))
                })
            }
            _ => None,
        }))
    }
}

/// The model in a list.
fn entry<'a>(list: &'a Value, model: &str) -> &'a Value {
    let named = |m: &&Value| {
        let id = m["id"].as_str().unwrap_or_default();
        id == model || id.strip_suffix(":latest") == Some(model)
    };
    let all = list["data"].as_array().map_or(&[][..], Vec::as_slice);
    // A server with one model serves it under any name.
    let only = all.first().filter(|_| all.len() == 1);
    all.iter().find(named).or(only).unwrap_or(&Value::Null)
}

fn listed(entry: &Value) -> Option<u64> {
    let top = LISTED.iter().find_map(|name| entry[*name].as_u64());
    // OpenRouter: what the provider that serves it allows, which may be less.
    let served = entry["top_provider"]["context_length"].as_u64();
    top.map(|n| served.map_or(n, |s| s.min(n)))
        .or(served)
        .filter(|n| *n > 0)
}

/// The window of a model that Ollama has loaded.
fn loaded(runs: &Value, model: &str) -> Option<u64> {
    let all = runs["models"].as_array()?;
    let named = |m: &&Value| {
        let name = m["name"].as_str().unwrap_or_default();
        name == model || name.strip_suffix(":latest") == Some(model)
    };
    all.iter().find(named)?["context_length"].as_u64()
}

/// What Ollama would load a model with: `num_ctx` of its parameters, else its default, within what the model can.
fn shown(told: &Value) -> u64 {
    let parameters = told["parameters"].as_str().unwrap_or_default();
    let set = parameters.lines().find_map(|line| {
        let number = line.trim().strip_prefix("num_ctx")?;
        number.trim().parse::<u64>().ok()
    });
    let info = told["model_info"].as_object();
    let can = info.and_then(|info| {
        let mut all = info.iter();
        let (_, n) = all.find(|(name, _)| name.ends_with(".context_length"))?;
        n.as_u64()
    });
    let wanted = set.unwrap_or(OLLAMA);
    can.map_or(wanted, |can| wanted.min(can))
}

fn known(model: &str) -> Option<u64> {
    let name = model.rsplit('/').next().unwrap_or(model).to_lowercase();
    let fits = KNOWN.iter().filter(|(begin, _)| name.starts_with(begin));
    fits.max_by_key(|(begin, _)| begin.len()).map(|(_, n)| *n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_tells_the_window_under_each_servers_name_for_it() {
        let router = json!({"id": "a/b", "context_length": 131_072, "top_provider": {"context_length": 32_768}});
        assert_eq!(listed(&router), Some(32_768));
        assert_eq!(
            listed(&json!({"id": "m", "max_model_len": 8_192})),
            Some(8_192)
        );
        assert_eq!(
            listed(&json!({"id": "m", "meta": {"n_ctx_train": 8_192}})),
            None
        );
        let list = json!({"data": [{"id": "x"}, {"id": "qwen3:latest", "context_window": 5}]});
        assert_eq!(entry(&list, "qwen3")["context_window"], 5);
        assert_eq!(entry(&list, "other"), &Value::Null);
        assert_eq!(entry(&json!({"data": [{"id": "x"}]}), "any")["id"], "x");
    }

    #[test]
    fn what_ollama_would_load_is_its_own_setting_within_what_the_model_can() {
        let told = |parameters: &str| {
            shown(&json!({"parameters": parameters, "model_info": {"llama.context_length": 8_192}}))
        };
        assert_eq!(
            told("stop \"x\"\nnum_ctx                        6000"),
            6_000
        );
        assert_eq!(told(""), OLLAMA);
        assert_eq!(told("num_ctx 32000"), 8_192);
        let runs = json!({"models": [{"name": "qwen3:latest", "context_length": 16_384}]});
        assert_eq!(loaded(&runs, "qwen3"), Some(16_384));
        assert_eq!(loaded(&runs, "other"), None);
    }

    #[test]
    fn a_model_is_known_by_the_longest_beginning_of_its_name() {
        assert_eq!(known("openai/gpt-4o-mini"), Some(128_000));
        assert_eq!(known("gpt-4"), Some(8_192));
        assert_eq!(known("qwen3"), None);
    }
}

//! What a server says of itself, for `doctor`.

use std::time::Duration;

use serde_json::Value;

use super::key::Key;
use super::{Setup, is_loopback, read_body, reason};
use crate::agents::backend::Probe;
use crate::agents::error::AgentError;

/// For the list of models to come.
const LOOK: Duration = Duration::from_secs(5);
/// Models that are named when one has to be chosen.
const NAMED: usize = 8;

impl Setup {
    /// Whether the server answers and has the model.
    pub(super) async fn look(&self) -> Probe {
        match self.models().await {
            Ok(models) => self.judged(models),
            Err(e) => Probe {
                ok: false,
                why: e.to_string(),
                fix: e.fix(),
                models: Vec::new(),
            },
        }
    }

    async fn models(&self) -> Result<Vec<String>, AgentError> {
        let root = self.root()?;
        let key = Key::of(&self.spec, &self.vars, is_loopback(root)).await?;
        let request = self.client()?.get(format!("{root}/models")).timeout(LOOK);
        let response = key.sign(request).send().await;
        let response = response.map_err(|e| reason::unreached(root, &e))?;
        let status = response.status().as_u16();
        let body = read_body(response).await;
        if status != 200 {
            // A server may quote the key.
            let said = key.hide(&String::from_utf8_lossy(&body));
            return Err(self.refused(status, said.as_bytes(), root, None));
        }
        let list = serde_json::from_slice::<Value>(&body).unwrap_or_default();
        let listed = list["data"]
            .as_array()
            .ok_or_else(|| reason::no_list(root))?;
        let ids = listed.iter().filter_map(|m| m["id"].as_str());
        Ok(ids.map(str::to_owned).collect())
    }

    fn judged(&self, models: Vec<String>) -> Probe {
        let root = self.spec.base_url.as_deref().unwrap_or_default();
        let missing = match self.spec.model.as_deref() {
            None => Some("no `model` is set".to_owned()),
            Some(m) if models.is_empty() || models.iter().any(|have| is_named(have, m)) => None,
            Some(m) => Some(format!("the server does not list the model {m}")),
        };
        let s = if models.len() == 1 { "" } else { "s" };
        let why = match &missing {
            None => format!("{} model{s} at {root}", models.len()),
            Some(why) => format!("{root}: {why}"),
        };
        let unset = Key::unset(&self.spec, &self.vars).map_or_else(String::new, |name| {
            format!("; the variable `{name}` is not set, so it is asked without a key")
        });
        Probe {
            ok: missing.is_none(),
            why: why + &unset,
            fix: missing.map(|_| choice(&models)),
            models,
        }
    }
}

/// Whether a listed model is the one meant: Ollama lists `qwen3` as `qwen3:latest`.
fn is_named(listed: &str, meant: &str) -> bool {
    listed == meant || listed.strip_suffix(":latest") == Some(meant)
}

fn choice(models: &[String]) -> String {
    let few: Vec<&str> = models.iter().take(NAMED).map(String::as_str).collect();
    let more = if models.len() > NAMED { " …" } else { "" };
    match few.as_slice() {
        [] => "Set `model` of this agent to one that the server has.".to_owned(),
        few => format!(
            "Set `model` of this agent to one of: {}{more}.",
            few.join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_to_choose_is_named_and_a_long_list_is_cut() {
        let models: Vec<String> = (0..300).map(|n| format!("m{n}")).collect();
        assert!(
            choice(&models).ends_with("m6, m7 …."),
            "{}",
            choice(&models)
        );
        assert_eq!(
            choice(&models[..1]),
            "Set `model` of this agent to one of: m0."
        );
        assert!(!choice(&[]).contains(':'));
        assert!(is_named("qwen3:latest", "qwen3") && !is_named("qwen3:8b", "qwen3"));
    }
}

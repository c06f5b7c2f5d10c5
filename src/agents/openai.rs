//! Speaks to a server of the chat completions interface: HTTP requests, answers as server-sent events.

mod driver;
mod full;
mod key;
mod limit;
mod look;
mod reason;
mod request;
mod room;
mod sse;
mod stream;
mod window;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use super::backend::{Agent, Backend, Compacts, Later, Probe, Start};
use super::error::AgentError;
use super::vars::Vars;
use crate::domain::agent::AgentSpec;
use key::Key;
use window::Windows;

/// For a connection to be made.
const CONNECT: Duration = Duration::from_secs(15);
/// Most that is read of an answer that is no stream.
const BODY_MAX: usize = 4 * 1024 * 1024;

/// The backend.
#[derive(Debug)]
pub(super) struct Openai(Arc<Setup>);

/// What all its sessions share.
#[derive(Debug)]
struct Setup {
    spec: AgentSpec,
    vars: Vars,
    /// What a server was seen not to take, by model: asked once, not in every turn.
    lacks: Mutex<HashMap<String, Lacks>>,
    windows: Windows,
    /// Made once: it keeps connections, and making it reads every certificate of the system.
    client: OnceLock<reqwest::Client>,
}

/// What a server does not take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Lacks {
    tools: bool,
    usage: bool,
}

impl Lacks {
    /// With what a refusal names; a server names one thing at a time.
    fn and(self, said: &str, tools: bool) -> Self {
        let usage = said.contains("stream_options") || said.contains("include_usage");
        let tools = tools && !usage && said.contains("tool");
        Self {
            usage: self.usage || usage,
            tools: self.tools || tools,
        }
    }
}

impl Openai {
    pub(super) fn new(spec: &AgentSpec, vars: &Vars) -> Self {
        Self(Arc::new(Setup {
            spec: spec.clone(),
            vars: vars.clone(),
            lacks: Mutex::default(),
            windows: Windows::default(),
            client: OnceLock::new(),
        }))
    }
}

impl Setup {
    /// Root of the interface, without a slash at its end.
    fn root(&self) -> Result<&str, AgentError> {
        let root = self
            .spec
            .base_url
            .as_deref()
            .map(|r| r.trim_end_matches('/'));
        root.filter(|r| !r.is_empty())
            .ok_or_else(|| AgentError::Missing {
                agent: self.spec.name.clone(),
                key: "base_url",
                example: "`base_url = \"http://127.0.0.1:11434/v1\"`",
            })
    }

    fn client(&self) -> Result<reqwest::Client, AgentError> {
        if let Some(client) = self.client.get() {
            return Ok(client.clone());
        }
        let made = self.new_client()?;
        Ok(self.client.get_or_init(|| made).clone())
    }

    fn new_client(&self) -> Result<reqwest::Client, AgentError> {
        let mut builder = reqwest::Client::builder()
            .connect_timeout(CONNECT)
            .user_agent(concat!("fascicle/", env!("CARGO_PKG_VERSION")));
        if is_loopback(self.root()?) {
            // A proxy would look for the server on its own machine.
            builder = builder.no_proxy();
        }
        builder.build().map_err(|e| AgentError::Refused {
            name: "the HTTP client",
            why: e.to_string(),
        })
    }

    fn lacks(&self, model: &str) -> Lacks {
        let lacks = self.lacks.lock().unwrap_or_else(PoisonError::into_inner);
        lacks.get(model).copied().unwrap_or_default()
    }

    fn learn(&self, model: &str, lacks: Lacks) {
        let mut all = self.lacks.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(model.to_owned(), lacks);
    }

    /// Why the server refused, and what mends it: a key that is not set, before all else.
    fn refused(&self, status: u16, body: &[u8], root: &str, model: Option<&str>) -> AgentError {
        match Key::unset(&self.spec, &self.vars) {
            Some(name) if matches!(status, 401 | 403) => AgentError::NoKey { name },
            _ => reason::refused(status, body, root, model),
        }
    }
}

/// The body of an answer that is no stream; the rest of one out of all proportion is not read.
async fn read_body(mut response: reqwest::Response) -> Vec<u8> {
    let mut body = Vec::new();
    while body.len() < BODY_MAX
        && let Ok(Some(bytes)) = response.chunk().await
    {
        body.extend_from_slice(&bytes);
    }
    body
}

/// Whether an address is on this machine.
fn is_loopback(root: &str) -> bool {
    let Ok(url) = reqwest::Url::parse(root) else {
        return false;
    };
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let ip = host.parse::<std::net::IpAddr>();
    host == "localhost" || ip.is_ok_and(|ip| ip.is_loopback())
}

impl Backend for Openai {
    fn start(&self, start: Start) -> Agent {
        Agent::driven(|orders, events| driver::run(Arc::clone(&self.0), start, orders, events))
    }

    fn probe(&self) -> Later<'_, Probe> {
        Box::pin(self.0.look())
    }

    fn compacts(&self) -> Compacts {
        Compacts::Here
    }

    fn window<'a>(&'a self, model: Option<&'a str>) -> Later<'a, Option<u64>> {
        Box::pin(self.0.window(model))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_told_by_the_host_alone() {
        for yes in [
            "http://127.0.0.1:1/v1",
            "http://localhost/v1",
            "http://[::1]:8/v1",
        ] {
            assert!(is_loopback(yes), "{yes}");
        }
        for no in [
            "https://127.0.0.1.example.com/v1",
            "https://api.example.com/v1",
            "nonsense",
        ] {
            assert!(!is_loopback(no), "{no}");
        }
    }
}

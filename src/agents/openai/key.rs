//! The key: from a variable or a command, never written anywhere.

use std::ffi::OsString;
use std::fmt;
use std::time::Duration;

use crate::agents::child::{Child, Launch, Line, how};
use crate::agents::error::AgentError;
use crate::agents::search;
use crate::agents::vars::Vars;
use crate::domain::agent::AgentSpec;

/// How long the command may take: it may ask for a passphrase.
const PATIENCE: Duration = Duration::from_secs(60);

/// A key, or none. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Key(Option<String>);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "Key(…)"
        } else {
            "Key(none)"
        })
    }
}

impl Key {
    /// As the configuration says; a server on this machine needs none.
    pub(super) async fn of(
        spec: &AgentSpec,
        vars: &Vars,
        loopback: bool,
    ) -> Result<Self, AgentError> {
        if !spec.api_key_command.is_empty() {
            return command(spec, vars).await;
        }
        match Self::unset(spec, vars) {
            Some(name) if !loopback => Err(AgentError::NoKey { name }),
            _ => {
                let key = spec.api_key_env.as_ref().and_then(|name| vars.text(name));
                Ok(Self(key.map(|key| key.trim().to_owned())))
            }
        }
    }

    /// The variable that should hold it and does not.
    pub(super) fn unset(spec: &AgentSpec, vars: &Vars) -> Option<String> {
        let named = spec.api_key_env.as_ref();
        let named = named.filter(|n| spec.api_key_command.is_empty() && vars.text(n).is_none());
        named.cloned()
    }

    /// Adds it to a request.
    pub(super) fn sign(&self, request: reqwest::RequestBuilder) -> reqwest::RequestBuilder {
        match &self.0 {
            Some(key) => request.bearer_auth(key),
            None => request,
        }
    }

    /// A text without it: servers quote what they were sent.
    pub(super) fn hide(&self, text: &str) -> String {
        match &self.0 {
            Some(key) if !key.is_empty() => text.replace(key.as_str(), "…"),
            _ => text.to_owned(),
        }
    }
}

/// The first line that the command prints.
async fn command(spec: &AgentSpec, vars: &Vars) -> Result<Key, AgentError> {
    let mut words = spec.api_key_command.iter();
    let name = words.next().map(String::as_str).unwrap_or_default();
    let none = |e: AgentError| AgentError::KeyCommand {
        program: name.to_owned(),
        why: e.to_string().trim_end_matches('.').to_owned(),
    };
    let mut child = Child::spawn(&Launch {
        program: search::program(name, vars).map_err(none)?,
        args: words.map(OsString::from).collect(),
        folder: "/".into(),
        vars: vars.kept(&spec.env),
    })
    .map_err(none)?;
    drop(child.take_input());
    let mut lines = child.take_lines();
    let line = tokio::time::timeout(PATIENCE, async { lines.as_mut()?.next().await.ok()? }).await;
    let status = child.wait(Duration::from_secs(1)).await;
    let text = match &line {
        Ok(Some(Line::Whole(bytes) | Line::Cut(bytes))) => {
            String::from_utf8_lossy(bytes).trim().to_owned()
        }
        _ => String::new(),
    };
    if status.is_none() {
        child.end(Duration::from_secs(1)).await;
    }
    if text.is_empty() || status.is_some_and(|s| !s.success()) {
        // Its output is not quoted: it may be a key after all.
        let (program, why) = (name.to_owned(), how(status));
        return Err(AgentError::KeyCommand { program, why });
    }
    Ok(Key(Some(text)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::domain::agent::AgentKind;

    fn spec(env: Option<&str>, command: &[&str]) -> AgentSpec {
        AgentSpec {
            name: "a".into(),
            kind: AgentKind::Openai,
            command: String::new(),
            args: vec![],
            env: vec![],
            model: None,
            base_url: None,
            api_key_env: env.map(str::to_owned),
            api_key_command: command.iter().map(|&w| w.to_owned()).collect(),
            context: None,
            compact_at: None,
        }
    }

    #[tokio::test]
    async fn a_key_comes_from_a_variable() {
        let vars = Vars::default().with("K", "sk-1\n");
        let key = Key::of(&spec(Some("K"), &[]), &vars, false).await.unwrap();
        assert_eq!(key, Key(Some("sk-1".into())));
        assert_eq!(key.hide("bad key sk-1!"), "bad key …!");
        assert!(!format!("{key:?}").contains("sk-1"));
    }

    #[tokio::test]
    async fn a_missing_key_matters_only_elsewhere() {
        let vars = Vars::default();
        assert_eq!(
            Key::of(&spec(Some("K"), &[]), &vars, true).await.unwrap(),
            Key(None)
        );
        let got = Key::of(&spec(Some("K"), &[]), &vars, false)
            .await
            .unwrap_err();
        assert!(got.to_string().contains("`K`"));
    }

    #[tokio::test]
    async fn a_key_comes_from_a_command_and_its_failure_quotes_nothing() {
        let vars = Vars::default().with("PATH", "/usr/bin:/bin");
        let good = spec(None, &["sh", "-c", "echo sk-2; echo more"]);
        assert_eq!(
            Key::of(&good, &vars, false).await.unwrap(),
            Key(Some("sk-2".into()))
        );
        let bad = spec(None, &["sh", "-c", "echo sk-3; exit 4"]);
        let got = Key::of(&bad, &vars, false).await.unwrap_err().to_string();
        assert!(
            got.contains("exit code 4") && !got.contains("sk-3"),
            "{got}"
        );
    }
}

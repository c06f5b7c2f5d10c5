//! Ways to an agent that lie ready on this machine: a program, keys that are set, servers that may listen on loopback.
//!
//! Pure: what is there is passed in. Keys are named by their variable, their values are never looked at; no server is
//! spoken to from here.

use super::Config;
use crate::domain::{AgentKind, AgentSpec};

/// A way to an agent, as it would be configured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// Its name in the configuration.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// Which code speaks to it.
    pub kind: AgentKind,
    /// Root of its HTTP interface; none for a program.
    pub base_url: Option<String>,
    /// The variable that holds its key.
    pub key: Option<String>,
}

/// The program of Claude Code, and the agent it is without any configuration.
pub const CLAUDE: &str = "claude";

/// A service that takes a key: name, title, variable, root of its interface.
type Service = [&'static str; 4];

/// Services with OpenAI's chat completions, by the variable their own documentation names.
const SERVICES: [Service; 7] = [
    [
        "openrouter",
        "OpenRouter",
        "OPENROUTER_API_KEY",
        "https://openrouter.ai/api/v1",
    ],
    [
        "openai",
        "OpenAI",
        "OPENAI_API_KEY",
        "https://api.openai.com/v1",
    ],
    [
        "mistral",
        "Mistral",
        "MISTRAL_API_KEY",
        "https://api.mistral.ai/v1",
    ],
    [
        "groq",
        "Groq",
        "GROQ_API_KEY",
        "https://api.groq.com/openai/v1",
    ],
    [
        "deepseek",
        "DeepSeek",
        "DEEPSEEK_API_KEY",
        "https://api.deepseek.com/v1",
    ],
    [
        "gemini",
        "Gemini",
        "GEMINI_API_KEY",
        "https://generativelanguage.googleapis.com/v1beta/openai",
    ],
    ["xai", "xAI", "XAI_API_KEY", "https://api.x.ai/v1"],
];

/// Where model servers listen when nobody has told them otherwise: name, title, port.
const LOCAL: [(&str, &str, u16); 4] = [
    ("ollama", "Ollama", 11434),
    ("lmstudio", "LM Studio", 1234),
    ("llamacpp", "llama.cpp", 8080),
    ("vllm", "vLLM", 8000),
];

/// What lies ready: Claude Code when its program was found, and the services whose key is set.
pub fn ways(claude: bool, is_set: impl Fn(&str) -> bool) -> Vec<Way> {
    let program = claude.then(|| Way {
        name: CLAUDE.to_owned(),
        title: "Claude Code".to_owned(),
        kind: AgentKind::Claude,
        base_url: None,
        key: None,
    });
    let services = SERVICES.into_iter().filter(|[_, _, key, _]| is_set(key));
    let services = services.map(|[name, title, key, url]| Way {
        name: name.to_owned(),
        title: title.to_owned(),
        kind: AgentKind::Openai,
        base_url: Some(url.to_owned()),
        key: Some(key.to_owned()),
    });
    program.into_iter().chain(services).collect()
}

/// The model servers that could be looked for on this machine.
pub fn servers() -> Vec<Way> {
    let way = |(name, title, port): (&str, &str, u16)| Way {
        name: name.to_owned(),
        title: title.to_owned(),
        kind: AgentKind::Openai,
        base_url: Some(format!("http://127.0.0.1:{port}/v1")),
        key: None,
    };
    LOCAL.into_iter().map(way).collect()
}

/// Whether the writer is still to be asked: no answer is kept, and no agent was configured by hand.
pub fn is_open(config: &Config) -> bool {
    config.offer && !config.defined
}

impl Way {
    /// The agent it would be, with a model.
    pub fn agent(&self, model: Option<&str>) -> AgentSpec {
        AgentSpec {
            name: self.name.clone(),
            kind: self.kind,
            command: String::new(),
            args: Vec::new(),
            env: Vec::new(),
            model: model.map(str::to_owned),
            base_url: self.base_url.clone(),
            api_key_env: self.key.clone(),
            api_key_command: Vec::new(),
            context: None,
            compact_at: None,
        }
    }

    /// Where it was found, for people.
    pub fn place(&self) -> String {
        match (&self.key, &self.base_url) {
            (Some(key), _) => format!("the key in {key}"),
            (None, Some(url)) => {
                let host = url.trim_start_matches("http://").trim_end_matches("/v1");
                host.to_owned()
            }
            (None, None) => "on PATH".to_owned(),
        }
    }

    /// Its kind, as a configuration names it.
    pub fn word(&self) -> &'static str {
        if self.base_url.is_some() {
            "openai"
        } else {
            CLAUDE
        }
    }

    /// Whether a model has to be named.
    pub fn needs_model(&self) -> bool {
        self.kind == AgentKind::Openai
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_there_is_found_and_keys_by_their_variable() {
        assert!(ways(false, |_| false).is_empty());
        let set = |name: &str| name == "OPENROUTER_API_KEY" || name == "UNKNOWN_API_KEY";
        let found = ways(true, set);
        let said: Vec<_> = found.iter().map(|w| (&*w.name, w.place())).collect();
        assert_eq!(
            said,
            [
                ("claude", "on PATH".to_owned()),
                ("openrouter", "the key in OPENROUTER_API_KEY".to_owned())
            ]
        );
        assert!(!found.iter().any(|w| w.name == "openai"));
    }

    #[test]
    fn servers_are_looked_for_on_loopback_alone() {
        for way in servers() {
            let url = way.base_url.clone().unwrap_or_default();
            assert!(url.starts_with("http://127.0.0.1:"), "{url}");
            assert!(way.needs_model() && way.key.is_none());
        }
        let places: Vec<_> = servers().iter().map(Way::place).collect();
        assert_eq!(places.first().map(String::as_str), Some("127.0.0.1:11434"));
    }
}

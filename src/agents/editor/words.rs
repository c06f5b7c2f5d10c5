//! What the editor says besides its findings.

use super::checks::CHECKS;
use crate::text::one_line;

/// How an agent that writes is connected.
const CONNECT: &str = "\
To have an agent write with you, choose **Connect an agent** among the commands (Ctrl-P). Or put one of these into \
the configuration (`fascicle doctor` names the file) and choose it for this session:

- **Claude Code**: install it and sign in; it is used as soon as `claude` is on PATH.
- **Ollama**, or another local server:

  ```toml
  [agents.local]
  kind = \"openai\"
  base_url = \"http://127.0.0.1:11434/v1\"
  model = \"qwen3\"
  ```

- **OpenRouter**, or another service with a key:

  ```toml
  [agents.openrouter]
  kind = \"openai\"
  base_url = \"https://openrouter.ai/api/v1\"
  model = \"anthropic/claude-sonnet-4\"
  api_key_env = \"OPENROUTER_API_KEY\"
  ```
";

/// What it can do, each a prompt.
const CAN: &str = "\
- `proofread`: what a copy editor would ask about, one by one. `proofread 3-7` reads those paragraphs, \
`proofread names` looks for one kind of thing.
- `fix 2 5-7` makes the changes of these findings, `fix all` those of all that are mechanical: one version of the draft.
- `measure`: words, sentences, paragraphs, reading time, speech, the words used most.
- `outline`: the piece by its headings, or by its paragraphs.
- `help`: this.
";

/// What it is.
const WHO: &str = "I am Fascicle's own copy editor: no model, no key, no server. I read the draft of this session; \
I do not write.";

/// The answer to `fix` alone.
pub(super) const FIX_WHAT: &str = "Which ones? `fix 2 5-7` makes the changes of these findings, `fix all` those of all that are \
mechanical. `proofread` lists them.\n";

/// The answer to `help`.
pub(super) fn help() -> String {
    let looks: Vec<String> = CHECKS
        .iter()
        .map(|c| format!("- {}: {}", c.name, c.about))
        .collect();
    format!(
        "{WHO}\n\n{CAN}\nI look for:\n\n{}\n\n{CONNECT}",
        looks.join("\n")
    )
}

/// The answer to `proofread` with a kind that there is none of.
pub(super) fn no_kind(word: &str) -> String {
    let kind = |c: &super::checks::Check| {
        let name = c.words.first().copied().unwrap_or(c.name);
        format!("- `{name}`: {}\n", c.about)
    };
    let kinds: String = CHECKS.iter().map(kind).collect();
    format!(
        "There is no kind of finding called “{}”. `proofread` alone looks for all of them, with one of these words for \
         that one:\n\n{kinds}",
        one_line(word)
    )
}

/// The answer to a prompt that it does not know.
pub(super) fn unknown() -> String {
    format!("That I cannot do. {WHO} I can:\n\n{CAN}\n{CONNECT}")
}

/// The answer when there is nothing to read.
pub(super) fn empty() -> String {
    format!(
        "The draft is empty: there is nothing to read yet. Write or paste your text into it, then say `proofread`.\n\n{CAN}"
    )
}

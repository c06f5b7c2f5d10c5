//! What the editor says besides its findings.

use std::ops::RangeInclusive;

use super::checks::CHECKS;
use crate::text::one_line;

/// How an agent that writes is connected.
const CONNECT: &str = "\
To have an agent write with you, choose **Connect an agent** among the commands. Or put one of these into \
the configuration (`fascicle doctor` names the file) and choose it for this session:

- **Claude Code**: install it, sign in, and say yes to it there, or put `default_agent = \"claude\"` first.
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

/// The same as [`CAN`], a row each in a narrow pane: what is told unasked is read at once on a small screen.
const SHORT: &str = "\
- `proofread`: what I would ask about
- `fix 2 5-7`, `fix all`: the changes
- `measure`, `outline`, `help`
";

/// How an agent is connected, in a line.
const WRITES: &str = "For one that writes: **Connect an agent**, among the commands.";

/// The answer to `fix` alone.
pub(super) const FIX_WHAT: &str = "Which ones? `fix 2 5-7` makes the changes of these findings, `fix all` those of all that are \
mechanical. `proofread` lists them.\n";

/// The answer to a look at spelling.
pub(super) const SPELLING: &str = "Spelling I do not look at, nor grammar: a build with `--features grammar` does, in English. \
`proofread` tells what else I would ask about.\n";

/// The answer to `undo`.
pub(super) const UNDO: &str = "I take nothing back myself: the one who undoes is you. **Undo the last deed**, among the commands, takes back what was \
done last, my changes of the draft too, and every earlier version is kept.\n";

/// The answer to `help`. What is asked for first stands last: the page ends there.
pub(super) fn help() -> String {
    let looks: Vec<String> = CHECKS
        .iter()
        .map(|c| format!("- {}: {}", c.name, c.about))
        .collect();
    format!(
        "{WHO}\n\n{CONNECT}\nI look for:\n\n{}\n\nI can:\n\n{CAN}",
        looks.join("\n")
    )
}

/// The answer to numbers where there is nothing to choose.
pub(super) fn whole(verb: &str) -> String {
    format!(
        "`{verb}` is made of the whole draft: say it alone. `proofread 3-7` reads some paragraphs.\n"
    )
}

/// Numbers as people write them: `7–9, 12`.
fn listed(numbers: &[RangeInclusive<usize>]) -> String {
    let one = |n: &RangeInclusive<usize>| match (n.start(), n.end()) {
        (a, b) if a == b => a.to_string(),
        (a, b) => format!("{a}–{b}"),
    };
    numbers.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// `There is no paragraph 99`, without its end.
fn none_of(what: &str, numbers: &[RangeInclusive<usize>]) -> String {
    let one = matches!(numbers, [only] if only.start() == only.end());
    let (verb, s) = if one { ("is", "") } else { ("are", "s") };
    format!("There {verb} no {what}{s} {}", listed(numbers))
}

/// What is said of paragraphs that the draft does not have.
pub(super) fn no_paragraph(numbers: &[RangeInclusive<usize>], last: usize) -> String {
    format!(
        "{}: the draft has {last}.\n\n",
        none_of("paragraph", numbers)
    )
}

/// What is said of findings that were not listed.
pub(super) fn no_finding(numbers: &[RangeInclusive<usize>]) -> String {
    format!("{} in the newest listing.", none_of("finding", numbers))
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

/// Where text goes that was said to it as if it were a prompt.
const YOURS: &str = "Text of your own belongs in the draft: **Write the draft** opens it, and **This message into the draft**, on your \
message above, puts that there.";

/// The answer to a prompt that it does not know.
pub(super) fn unknown() -> String {
    format!(
        "That I cannot do: I am Fascicle's copy editor. I read the draft; I do not write. I can:\n\n{SHORT}\n{YOURS} {WRITES}\n"
    )
}

/// The answer when there is nothing to read.
pub(super) fn empty() -> String {
    format!(
        "The draft is empty: there is nothing to read yet. **Write the draft**, among the commands, opens it: write or paste your text, then say `proofread`.\n\n{SHORT}\n{WRITES}\n"
    )
}

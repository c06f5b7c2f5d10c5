//! The command line, chosen by the program's version.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::agents::child::{Child, Launch, Line, how};
use crate::agents::error::AgentError;
use crate::agents::vars::Vars;
use crate::domain::tool::ToolSpec;

use super::mcp;

/// A version of the program: three numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Version(u32, u32, u32);

impl Version {
    /// The oldest one this was tried with.
    pub(super) const TRIED_FROM: Self = Self(2, 1, 197);
    /// From here on the system prompt of a resumed session is the old one unless the option says otherwise;
    /// 2.1.197 takes the new one and does not know the option.
    const SNAPSHOT_FROM: Self = Self(2, 1, 332);

    /// Out of `2.1.332 (Claude Code)`.
    pub(super) fn parse(said: &str) -> Option<Self> {
        let word = said.split_whitespace().next()?;
        let mut parts = word.split('.').map(str::parse);
        let mut next = || parts.next()?.ok();
        Some(Self(next()?, next()?, next()?))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// The program, found and asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Installed {
    pub(super) program: PathBuf,
    pub(super) version: Version,
}

/// How long `--version` may take; the program is large and its first start reads all of it.
const VERSION_PATIENCE: Duration = Duration::from_secs(60);

/// Asks a program for its version.
pub(super) async fn installed(program: PathBuf, vars: &Vars) -> Result<Installed, AgentError> {
    let mut child = Child::spawn(&Launch {
        program: program.clone(),
        args: vec!["--version".into()],
        folder: PathBuf::from("/"),
        vars: vars.clone(),
    })?;
    let mut lines = child.take_lines();
    let said = tokio::time::timeout(VERSION_PATIENCE, async {
        match lines.as_mut()?.next().await {
            Ok(Some(Line::Whole(line) | Line::Cut(line))) => {
                Some(String::from_utf8_lossy(&line).into_owned())
            }
            _ => None,
        }
    });
    let said = said.await.ok().flatten();
    if let Some(version) = said.as_deref().and_then(Version::parse) {
        child.end(VERSION_PATIENCE).await;
        return Ok(Installed { program, version });
    }
    let status = child.wait(Duration::from_secs(1)).await;
    child.end(Duration::from_secs(1)).await;
    let words = child.last_words().await;
    let said = said.unwrap_or_else(|| format!("{} {words}", how(status)).trim().to_owned());
    Err(AgentError::NoVersion { program, said })
}

/// How a session's record is begun or taken up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Begin {
    /// A new record under an id of ours.
    New(String),
    /// The record of that id.
    Resume(String),
}

/// What the command line depends on.
pub(super) struct Ask<'a> {
    pub(super) version: Version,
    pub(super) begin: &'a Begin,
    pub(super) brief: &'a Path,
    pub(super) model: Option<&'a str>,
    pub(super) tools: &'a [ToolSpec],
    pub(super) web: bool,
    pub(super) more: &'a [String],
}

/// Flags that never change: lines both ways, deltas, prompts echoed, questions over the same pipe,
/// nobody's settings, no server but ours.
const ALWAYS: [&str; 13] = [
    "-p",
    "--input-format",
    "stream-json",
    "--output-format",
    "stream-json",
    "--verbose",
    "--include-partial-messages",
    "--replay-user-messages",
    "--permission-prompt-tool",
    "stdio",
    "--setting-sources",
    "",
    "--strict-mcp-config",
];

/// The arguments. Values that come from data are joined by `=`, so that none is read as a flag.
pub(super) fn args(ask: &Ask<'_>) -> Vec<OsString> {
    let mut out: Vec<OsString> = ALWAYS.iter().map(Into::into).collect();
    let mut add = |flag: &str, value: &str| {
        out.push(flag.into());
        out.push(value.into());
    };
    add("--mcp-config", &mcp::config());
    // These two ask before each use; all other tools of the program are absent.
    add("--tools", if ask.web { "WebSearch,WebFetch" } else { "" });
    if !ask.tools.is_empty() {
        add("--allowedTools", &mcp::names(ask.tools));
    }
    match ask.begin {
        Begin::New(id) => add("--session-id", id),
        Begin::Resume(id) => add("--resume", id),
    }
    if ask.version >= Version::SNAPSHOT_FROM {
        add("--system-prompt-snapshot", "off");
    }
    out.push("--system-prompt-file".into());
    out.push(ask.brief.into());
    if let Some(model) = ask.model {
        out.push(format!("--model={model}").into());
    }
    out.extend(ask.more.iter().map(Into::into));
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    const TOOL: ToolSpec = ToolSpec {
        name: "read_draft",
        about: "",
        schema: "{}",
    };

    fn line(version: &str, begin: &Begin, web: bool) -> String {
        let args = args(&Ask {
            version: Version::parse(version).unwrap(),
            begin,
            brief: Path::new("/s/brief.md"),
            model: Some("-opus"),
            tools: &[TOOL],
            web,
            more: &["--add".to_owned()],
        });
        let args: Vec<_> = args.iter().map(|a| a.to_str().unwrap()).collect();
        args.join("|")
    }

    #[test]
    fn a_version_is_three_numbers_before_a_space() {
        assert_eq!(
            Version::parse("2.1.332 (Claude Code)\n"),
            Some(Version(2, 1, 332))
        );
        assert_eq!(Version::parse("hello"), None);
        assert!(Version(2, 1, 197) < Version(2, 1, 332));
    }

    #[test]
    fn the_snapshot_option_is_given_only_to_a_version_that_knows_it() {
        let begin = Begin::Resume("u".into());
        assert!(line("2.1.332", &begin, false).contains("|--system-prompt-snapshot|off|"));
        assert!(!line("2.1.197", &begin, false).contains("snapshot"));
    }

    #[test]
    fn all_tools_are_off_unless_the_web_is_allowed() {
        let begin = Begin::New("u".into());
        let closed = line("2.1.332", &begin, false);
        assert!(closed.contains("|--tools||--allowedTools|mcp__fascicle__read_draft|"));
        assert!(closed.contains("|--session-id|u|"));
        let open = line("2.1.332", &begin, true);
        assert!(open.contains("|--tools|WebSearch,WebFetch|"));
    }

    #[test]
    fn a_model_is_never_read_as_a_flag_and_configured_arguments_come_last() {
        assert!(line("2.1.332", &Begin::New("u".into()), false).ends_with("|--model=-opus|--add"));
    }
}

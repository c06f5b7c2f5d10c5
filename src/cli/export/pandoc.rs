//! Formats that pandoc makes (<https://pandoc.org/MANUAL.html>).

use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, Command};

use crate::cli::error::CliError;
use crate::text::export::Format;

/// How long it may take.
const LIMIT: Duration = Duration::from_secs(60);

/// Markdown whose TeX, HTML and metadata are words: what an agent wrote must not act in a document.
const FROM: &str = "markdown-raw_tex-raw_html-raw_attribute-yaml_metadata_block";

/// Makes the document; gives what pandoc said of it.
pub(super) async fn make(
    to: Format,
    title: &str,
    markdown: &str,
    file: &Path,
) -> Result<Option<String>, CliError> {
    let program = program().ok_or_else(|| absent(to))?;
    let mut command = Command::new(program);
    command.args(["-f", FROM, "-t", to.name(), "-o"]).arg(file);
    if to == Format::Epub {
        command.arg("--metadata").arg(format!("title={title}"));
    }
    let child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|e| failed(&format!("could not be started ({e})")))?;
    let ended = tokio::time::timeout(LIMIT, talk(child, markdown)).await;
    let ended = ended.map_err(|_| failed("was not done after 60 seconds and was ended"))?;
    let done = ended.map_err(|e| failed(&format!("could not be waited for ({e})")))?;
    let told = String::from_utf8_lossy(&done.stderr);
    let told = told.trim();
    match (done.status.success(), told) {
        (true, "") => Ok(None),
        (true, told) => Ok(Some(format!("pandoc: {told}"))),
        (false, "") => Err(failed(&format!("did not make it ({})", done.status))),
        (false, told) => Err(failed(&format!(
            "did not make it ({}; it said: {told})",
            done.status
        ))),
    }
}

/// Writes and reads at once: a pipe that is full on one side would stop both.
async fn talk(mut child: Child, markdown: &str) -> std::io::Result<Output> {
    let stdin = child.stdin.take();
    let write = async move {
        if let Some(mut stdin) = stdin {
            // One that reads no further says itself why.
            drop(stdin.write_all(markdown.as_bytes()).await);
        }
    };
    let ((), done) = tokio::join!(write, child.wait_with_output());
    done
}

/// Whether it is installed.
pub(super) fn is_there() -> bool {
    program().is_some()
}

/// Where it is. Empty and relative folders of PATH are not looked into: they are whatever folder is at hand.
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join("pandoc"))
        .find(|file| file.is_file())
}

fn absent(to: Format) -> CliError {
    CliError::refused(
        format!("{} needs pandoc, which is not installed.", to.name()),
        "Install it (apt install pandoc, brew install pandoc, https://pandoc.org); md, html and txt need nothing.",
    )
}

fn failed(how: &str) -> CliError {
    CliError::refused(
        format!("pandoc {how}; nothing was written."),
        "md, html and txt are made without it.",
    )
}

//! `compact`: a summary in place of the beginning of what the agent is sent.

use super::args::Compact;
use super::context::Cx;
use super::error::CliError;
use super::send;
use crate::domain::Request;

/// Orders the summary.
pub(super) async fn run(cx: &Cx, asked: Compact) -> Result<(), CliError> {
    let session = cx.session(&asked.id)?;
    let focus = asked.focus;
    let request = Request::Compact { session, focus };
    let made = send::order(cx, session, request, asked.wait).await?;
    if made || !asked.wait {
        return Ok(());
    }
    // An agent with a record of its own may answer in words that there is nothing to do.
    Err(CliError::refused(
        "No summary was made; the conversation is as it was.",
        "What was said instead is above.",
    ))
}

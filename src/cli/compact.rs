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
    send::order(cx, session, request, asked.wait).await
}

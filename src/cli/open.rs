//! The window: where it was left, at the newest session, or at a named one.

use std::io::IsTerminal as _;

use super::arrive::{self, Arrival};
use super::context::Cx;
use super::error::CliError;
use super::window;
use crate::domain::SessionId;

/// Opens the window.
pub(super) async fn window(cx: &Cx, at: Option<SessionId>) -> Result<(), CliError> {
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return Err(CliError::NoTerminal);
    }
    // What is to be known of them is said in the window.
    cx.sound_config()?;
    if at.is_some() {
        return window::open(cx, at, false, None).await;
    }
    match arrive::arrive(cx).await? {
        Some(Arrival { cx, sample, ends }) => window::open(&cx, None, sample, ends).await,
        None => Ok(()),
    }
}

/// Opens it at a session.
pub(super) async fn session(cx: &Cx, word: &str) -> Result<(), CliError> {
    let id = cx.session(word)?;
    window(cx, Some(id)).await
}

/// Opens it at the session last written in.
pub(super) async fn newest(cx: &Cx) -> Result<(), CliError> {
    let heads = cx.shelf()?.heads();
    let shown = heads.iter().filter(|h| !h.archived && !h.trashed);
    match shown.max_by_key(|h| h.updated).and_then(|h| h.id) {
        Some(id) => window(cx, Some(id)).await,
        None => Err(CliError::refused(
            "There is no session to continue.",
            "Begin one with: fascicle",
        )),
    }
}

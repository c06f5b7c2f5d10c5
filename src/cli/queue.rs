//! `queue` and `again`: what waits in a session, and a cut turn that goes on.

use serde::Serialize;

use super::context::{Cx, unexpected};
use super::error::CliError;
use super::send::words;
use super::table::columns;
use super::{args, out};
use crate::domain::event::Status;
use crate::domain::head::{Following, Turn};
use crate::domain::{Head, Reply, Request, SessionId, Text};
use crate::text::one_line;

/// Longest beginning of a prompt in a row, in characters.
const SHOWN: usize = 72;

/// A prompt that waits, for scripts.
#[derive(Serialize)]
struct Listed {
    n: u32,
    text: String,
    /// Name of the step it is in a recipe.
    step: Option<String>,
}

/// Lists what waits, lets it go on, takes a prompt back or gives it other words.
pub(super) async fn run(cx: &Cx, asked: args::Queue) -> Result<(), CliError> {
    let session = cx.session(&asked.id)?;
    if asked.go {
        cx.done(Request::Continue { session }).await?;
        return cx.out.now("What waits there goes on.");
    }
    if let Some(n) = asked.take_back {
        return take_back(cx, session, n).await;
    }
    if let [n, text] = asked.change.as_slice() {
        let n = n.parse().map_err(|_| {
            CliError::Usage(format!("{n:?} is no number of a prompt: --change N TEXT."))
        })?;
        let text = words(text.clone())?;
        cx.done(Request::Requeue { session, n, text }).await?;
        return cx.out.now(&format!("Prompt {n} has its new words."));
    }
    cx.say_problems();
    list(cx, session)
}

/// Goes on where the newest turn was cut.
pub(super) async fn again(cx: &Cx, word: &str) -> Result<(), CliError> {
    let session = cx.session(word)?;
    let link = cx.link().await?;
    match link.ask(Request::Again { session }).await? {
        Reply::Accepted { turn: Some(_), .. } => cx.out.now("The turn goes on.")?,
        Reply::Accepted { .. } => cx.out.now("It waits until a place is free.")?,
        other => return Err(unexpected(&other)),
    }
    link.stay().await
}

async fn take_back(cx: &Cx, session: SessionId, n: u32) -> Result<(), CliError> {
    let link = cx.link().await?;
    match link.ask(Request::Unqueue { session, n }).await? {
        Reply::Text { text } => cx
            .out
            .exact(&format!("{}\n", text.trim_end_matches('\n')))?,
        other => return Err(unexpected(&other)),
    }
    link.stay().await
}

fn list(cx: &Cx, session: SessionId) -> Result<(), CliError> {
    let shelf = cx.shelf()?;
    let heads = shelf.heads();
    let Some(head) = heads.iter().find(|h| h.id == Some(session)) else {
        return Err(CliError::NoSession(session.to_string(), Vec::new()));
    };
    let whole = |text: &Text| match text {
        Text::Inline(text) => Ok(text.clone()),
        Text::Blob { blob, .. } => shelf.blob(session, blob),
    };
    let waiting = head.queue.iter().map(|w| {
        Ok(Listed {
            n: w.n,
            text: whole(&w.text)?,
            step: step(head, w.n),
        })
    });
    let waiting = waiting.collect::<Result<Vec<Listed>, CliError>>()?;
    if cx.out.json() {
        return cx.out.value(&waiting);
    }
    if let Some(recipe) = &head.recipe {
        out::line(&standing(recipe, head.turn.as_ref()))?;
    }
    if waiting.is_empty() {
        out::say("Nothing waits here.");
    }
    let rows: Vec<Vec<String>> = waiting.iter().map(row).collect();
    out::page(&columns(&rows))
}

fn step(head: &Head, n: u32) -> Option<String> {
    let recipe = head.recipe.as_ref()?;
    recipe.steps.get(recipe.step(n)?).cloned()
}

/// Where a recipe stands, in a line.
fn standing(recipe: &Following, newest: Option<&Turn>) -> String {
    let (at, of) = (recipe.at.map_or(0, |at| at + 1), recipe.steps.len());
    let mut line = format!("{}: step {at} of {of}", one_line(&recipe.title));
    let step = newest.filter(|t| recipe.turn == Some(t.no));
    if step.is_some_and(|t| matches!(t.end, Some((s, _)) if s != Status::Ok)) {
        line.push_str(", which was cut: `fascicle again ID` goes on with it");
    }
    match &recipe.paused {
        Some(why) => format!("{line}; it waits for you: {why}."),
        None => format!("{line}."),
    }
}

fn row(waiting: &Listed) -> Vec<String> {
    let step = waiting.step.as_deref().map(one_line).unwrap_or_default();
    let text = one_line(&waiting.text);
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    vec![waiting.n.to_string(), step, shown]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::event::RecipeStarted;
    use crate::domain::recipe::Limits;
    use crate::domain::{Event, Kind};

    #[test]
    fn where_a_recipe_stands_is_a_line() {
        let mut head = Head::default();
        let mut seq = 0;
        let mut said = |kind| {
            head.apply(&Event { seq, ts: 0, kind });
            seq += 1;
            let recipe = head.recipe.as_ref();
            recipe.map_or_else(String::new, |r| standing(r, head.turn.as_ref()))
        };
        let started = Kind::RecipeStarted(RecipeStarted {
            title: "Essay\n".into(),
            first: 4,
            steps: vec!["Outline".into(), "Draft".into()],
            limits: Limits::default(),
        });
        assert_eq!(said(started), "Essay: step 0 of 2.");
        let prompt = Kind::Prompt {
            turn: 1,
            text: "x".into(),
            queued: Some(4),
        };
        assert_eq!(said(prompt), "Essay: step 1 of 2.");
        let failed = Kind::TurnFinished {
            turn: 1,
            status: Status::Failed,
            reason: None,
            events: 0,
            crc32: String::new(),
        };
        let cut = "Essay: step 1 of 2, which was cut: `fascicle again ID` goes on with it";
        assert_eq!(said(failed), format!("{cut}."));
        let why = "its limit of 1 turn is reached".into();
        assert_eq!(
            said(Kind::RecipePaused { why }),
            format!("{cut}; it waits for you: its limit of 1 turn is reached.")
        );
    }

    #[test]
    fn a_long_prompt_is_one_short_row() {
        let row = row(&Listed {
            n: 2,
            text: "word\n".repeat(100),
            step: None,
        });
        assert_eq!(row[0], "2");
        assert!(row[2].ends_with('…') && row[2].chars().count() == SHOWN + 1);
    }
}

//! `search`: finds words in all drafts, prompts and replies, by reading them.

use super::context::Cx;
use super::error::CliError;
use super::{args, out};
use crate::domain::search::{Found, Hit};
use crate::text::find::Query;

/// Prints each place as it is found.
pub(super) fn run(cx: &Cx, asked: &args::Search) -> Result<(), CliError> {
    let words = asked.words.join(" ");
    let query = Query::of(&words).ok_or_else(|| {
        CliError::refused("There are no words to look for.", "`fascicle search TEXT`")
    })?;
    let collection = asked.collection.as_deref();
    let collection = collection.map(|word| cx.collection(word)).transpose()?;
    let mut hits = Vec::new();
    let mut failed = None;
    let mut count = 0_usize;
    let mut last = None;
    let mut found = |hit: Hit| {
        count += 1;
        if cx.out.json() {
            return hits.push(hit);
        }
        let head = (last != Some(hit.session)).then(|| heading(&hit));
        last = Some(hit.session);
        let told = head.map_or(Ok(()), |head| out::line(&head));
        if let Err(e) = told.and_then(|()| out::line(&row(&hit))) {
            failed.get_or_insert(e);
        }
    };
    cx.shelf()?.search(&query, collection.as_ref(), &mut found);
    if let Some(e) = failed {
        return Err(e);
    }
    if cx.out.json() {
        return cx.out.value(&hits);
    }
    if count == 0 {
        return Err(CliError::refused(
            format!("{words:?} was not found."),
            "All words must stand in one text; a phrase stands in quotation marks.",
        ));
    }
    Ok(())
}

fn heading(hit: &Hit) -> String {
    format!("{}  {}", hit.session, hit.title)
}

fn row(hit: &Hit) -> String {
    let place = match hit.text {
        Found::Draft => "draft",
        Found::Prompt => "you",
        Found::Reply => "reply",
    };
    let Hit {
        seq,
        before,
        found,
        after,
        ..
    } = hit;
    format!("  {place:<5} {seq:>6}  {before}{found}{after}")
}

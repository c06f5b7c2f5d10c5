//! `take`: words of another text put into a session's draft.

use std::collections::BTreeSet;

use serde_json::json;

use super::context::{Cx, unexpected};
use super::error::CliError;
use super::piece::{Lag, Piece, Spec, lagging};
use super::{args, out};
use crate::domain::event::Origin;
use crate::domain::splice::{Splice, spliced};
use crate::domain::{Reply, Request, Seq, SessionId};
use crate::text;
use crate::text::compare::{Comparison, Kind, compare};
use crate::text::counted;

/// Takes what was asked for, and says what became of it.
pub(super) async fn run(cx: &Cx, asked: &args::Take) -> Result<(), CliError> {
    let (into, from) = (Spec::of(cx, &asked.id)?, Spec::of(cx, &asked.from)?);
    if into.at.is_some() {
        let why =
            "Words are taken into a session's draft, not into a version: take ID --from ID@SEQ.";
        return Err(CliError::Usage(why.to_owned()));
    }
    let link = cx.link().await?;
    let from = Piece::by(cx, Some(&link), &from).await?;
    let into = Piece::by(cx, Some(&link), &into).await?;
    let (session, base) = (into.session, into.seq.unwrap_or_default());
    let origin = Origin {
        session: from.session,
        seq: from.seq.unwrap_or_default(),
    };
    if from.seq.is_none() {
        let why = format!("{} has no draft yet: there is nothing to take.", asked.from);
        return Err(CliError::refused(why, "Nothing was changed."));
    }
    let is_own = from.session == session;
    let (left, right) = (into.text()?, from.text()?);
    let Wanted {
        splices,
        rest,
        many,
        out,
    } = wanted(&left, &right, &asked.paragraph)?;
    let wanted = spliced(&left, &splices).unwrap_or_default();
    let request = Request::Take {
        session,
        base,
        splices,
        from: origin,
        rest: rest && is_own,
    };
    let reply = link.ask(request).await?;
    link.stay().await?;
    match reply {
        Reply::Edited {
            version,
            text,
            beside,
            ..
        } => {
            let words = counted(text::count(&text.unwrap_or(wanted)), "word");
            let what = match beside {
                None if version == base => "The draft has these words already.".to_owned(),
                None => format!(
                    "{}: the draft is version {version}, {words}.",
                    done(many, out)
                ),
                Some(other) => format!(
                    "The draft has changed in the same places meanwhile and stays; what was taken is version {other} beside it."
                ),
            };
            told(cx, (session, version), beside, &what)
        }
        other => Err(unexpected(&other)),
    }
}

/// What brings paragraphs across.
struct Wanted {
    splices: Vec<Splice>,
    /// Whether others are left.
    rest: bool,
    /// How many differ.
    many: usize,
    /// How many of those go: the other text has nothing in their place.
    out: usize,
}

/// What brings the paragraphs of those numbers across; all of them where none is named.
fn wanted(left: &str, right: &str, numbers: &[usize]) -> Result<Wanted, CliError> {
    let comparison = compare(left, right);
    let places = numbers.iter().map(|n| place(&comparison, *n));
    let places: BTreeSet<usize> = places.collect::<Result<_, _>>()?;
    let all = numbers.is_empty();
    let some: Vec<usize> = places.into_iter().collect();
    let differ = comparison.differences();
    let taken: Vec<usize> = differ.filter(|at| all || some.contains(at)).collect();
    let goes = |at: &&usize| {
        let pair = comparison.pairs.get(**at);
        pair.is_some_and(|pair| pair.kind == Kind::Left)
    };
    let splices = if all {
        comparison.take_all(left, right)
    } else {
        comparison.take(left, right, &some)
    };
    Ok(Wanted {
        splices,
        rest: !all && comparison.has_rest(&some),
        many: taken.len(),
        out: taken.iter().filter(goes).count(),
    })
}

/// What was done, as the window says it.
fn done(many: usize, out: usize) -> String {
    let paragraphs = counted(out as u64, "paragraph");
    match out {
        0 => "Taken".to_owned(),
        _ if out == many => format!("Taken out, {paragraphs} that the other text has not got"),
        _ => format!("Taken, and {paragraphs} taken out"),
    }
}

/// Where the pair of a number is.
fn place(comparison: &Comparison, n: usize) -> Result<usize, CliError> {
    let many = comparison.pairs.len();
    n.checked_sub(1).filter(|at| *at < many).ok_or_else(|| {
        let why = format!("There is no paragraph {n}: comparing the two gives {many}.");
        CliError::refused(why, "See their numbers with: fascicle compare ID FROM")
    })
}

fn told(
    cx: &Cx,
    (session, version): (SessionId, Seq),
    beside: Option<Seq>,
    what: &str,
) -> Result<(), CliError> {
    let lag = lagging(cx, session, version)?;
    if cx.out.json() {
        let file = lag.map_or(version, |lag| lag.holds);
        let told = json!({ "version": version, "beside": beside, "file": file });
        return cx.out.value(&told);
    }
    out::line(&format!("{what}{}", Lag::told(lag.as_ref())))
}

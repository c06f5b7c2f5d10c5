//! `import claude`: Claude Code's own histories, listed, and made sessions of.

mod told;

use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;
use serde::Serialize;

use super::context::{Cx, unexpected};
use super::error::CliError;
use super::table::{columns, when};
use super::{args, out};
use crate::agents::histories::{self, Found, History, Unreadable};
use crate::agents::vars::Vars;
use crate::domain::ask::Brought;
use crate::domain::ask::NewImport;
use crate::domain::{CollectionId, Head, Reply, Request, SessionId};
use crate::drafts::folder;
use crate::text::{counted, head, one_line, size, thousands};

use told::tell;

/// Longest title in a row, in bytes.
const TITLE_MAX: usize = 60;
/// How much of an id a list shows.
const ID_SHOWN: usize = 8;

/// Whether a history is here already.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    /// It is not.
    New,
    /// It is, as it is now.
    Here,
    /// It is, but for some of its branches.
    Part,
    /// It is, and has grown since.
    Grown,
    /// It is the record of a session of Fascicle's own.
    Ours,
}

/// A history, and what is known of it here.
#[derive(Clone, Debug)]
pub(super) struct One {
    pub(super) found: Found,
    pub(super) state: State,
    /// The session that it was made, with its title.
    pub(super) session: Option<(SessionId, String)>,
    /// How many messages it has got since; none where that is not known.
    pub(super) grown: Option<u64>,
}

/// The same for scripts. Field names are promised: see `docs/import.md`.
#[derive(Serialize)]
struct Listed<'a> {
    id: &'a str,
    title: String,
    folder: Option<&'a Path>,
    path: &'a Path,
    bytes: u64,
    #[serde(flatten)]
    sizes: Sizes,
    begun: i64,
    updated: i64,
    state: State,
    session: Option<SessionId>,
    grown: Option<u64>,
}

/// How much there is in one; none where it was not counted.
#[derive(Serialize)]
struct Sizes {
    messages: Option<u64>,
    turns: Option<u64>,
    branches: Option<u64>,
    unread: Option<u64>,
}

/// What came of one.
#[derive(Serialize)]
struct Made<'a> {
    id: &'a str,
    #[serde(flatten)]
    brought: Option<Brought>,
    error: Option<String>,
}

impl One {
    /// Its title, else its first prompt.
    pub(super) fn title(&self) -> String {
        let about = &self.found.about;
        let title = about.title.as_ref().or(about.prompt.as_ref());
        let line = one_line(title.map_or("(no words)", |t| t));
        let short = head(&line, TITLE_MAX);
        if short.len() < line.len() {
            format!("{}…", short.trim_end())
        } else {
            line
        }
    }

    /// ` by 2 messages`; nothing where that is not known.
    pub(super) fn by(&self) -> String {
        let by = |n| format!(" by {}", counted(n, "message"));
        self.grown.map(by).unwrap_or_default()
    }

    fn listed(&self) -> Listed<'_> {
        let about = &self.found.about;
        let whole = |n: u64| self.found.whole.then_some(n);
        Listed {
            id: &about.id,
            title: self.title(),
            folder: about.folder.as_deref(),
            path: &about.path,
            bytes: about.bytes,
            sizes: Sizes {
                messages: whole(about.messages),
                turns: whole(self.found.sizes.0),
                branches: whole(self.found.sizes.1),
                unread: whole(self.found.unread),
            },
            begun: about.times.0,
            updated: about.times.1,
            state: self.state,
            session: self.session.as_ref().map(|s| s.0),
            grown: self.grown,
        }
    }

    fn row(&self, zone: &TimeZone) -> Vec<String> {
        let about = &self.found.about;
        let messages = if self.found.whole {
            counted(about.messages, "message")
        } else {
            "not counted".to_owned()
        };
        let branches = match self.found.sizes.1 {
            0 => String::new(),
            n => format!(" + {}", branches(n)),
        };
        let here = match (self.state, &self.session) {
            (State::New, _) | (_, None) => String::new(),
            (State::Grown, Some((_, title))) => {
                format!("here as “{title}”, has grown{} since", self.by())
            }
            (State::Part, Some((_, title))) => format!("here as “{title}”, without all branches"),
            (_, Some((_, title))) => format!("here as “{title}”"),
        };
        vec![
            when(about.times.1, zone),
            size(about.bytes),
            messages + &branches,
            head(&about.id, ID_SHOWN).to_owned(),
            self.title(),
            here,
        ]
    }
}

fn branches(n: u64) -> String {
    if n == 1 {
        "1 branch".to_owned()
    } else {
        format!("{} branches", thousands(n))
    }
}

/// The histories of a folder and those below it, of every folder when none is named, and what could not be read.
pub(super) fn found(
    cx: &Cx,
    from: Option<&Path>,
    folder: Option<&Path>,
) -> Result<(Vec<One>, Vec<Unreadable>), CliError> {
    let vars = Vars::of_process();
    let (found, wrong) = histories::find(from, &vars, folder).map_err(|e| {
        let why = format!("There are no records of Claude Code to be read: {e}.");
        CliError::refused(
            why,
            "--from FOLDER names where they are, if not in ~/.claude.",
        )
    })?;
    let heads = cx.shelf()?.heads();
    let all = found.into_iter().map(|found| known(found, &heads));
    Ok((all.collect(), wrong))
}

fn known(found: Found, heads: &[Head]) -> One {
    let of = |head: &&Head| {
        let imported = head.imported.as_ref();
        !head.kin.is_variant() && imported.is_some_and(|i| i.id == found.about.id)
    };
    let here = heads.iter().filter(of).max_by_key(|head| head.id);
    let session = here.and_then(|head| Some((head.id?, one_line(head.title()))));
    let family = here.and_then(|head| head.id);
    let of_it = |head: &&Head| head.kin.is_variant() && head.kin.family == family;
    let variants = heads.iter().filter(of_it).count() as u64;
    let owner = found.about.folder.as_deref().and_then(folder::owner);
    let bytes = here
        .and_then(|head| head.imported.as_ref())
        .map(|i| i.bytes);
    let more = bytes.filter(|bytes| found.about.bytes > *bytes);
    let grown = more.filter(|_| found.whole);
    let grown = grown.and_then(|bytes| History::grown(&found.about, bytes).ok());
    let state = match bytes {
        // What is not said, such as a title, is nothing to bring in.
        Some(_) if more.is_some() && grown != Some(0) => State::Grown,
        Some(_) if found.whole && variants < found.sizes.1 => State::Part,
        Some(_) => State::Here,
        None if owner.is_some() => State::Ours,
        None => State::New,
    };
    One {
        found,
        state,
        session,
        grown,
    }
}

/// Lists, or imports.
pub(super) async fn run(cx: &Cx, asked: args::Import) -> Result<(), CliError> {
    let args::ImportVerb::Claude(asked) = asked.verb;
    let dir = asked.dir.clone().unwrap_or_else(|| PathBuf::from("."));
    let (mut all, wrong) = found(cx, asked.from.as_deref(), Some(&dir))?;
    for why in wrong {
        out::say(why.to_string());
    }
    let chosen = match (asked.all, asked.pick.is_empty()) {
        (false, true) => {
            all.retain(|one| one.state != State::Ours);
            return list(cx, &all, &dir);
        }
        (true, _) => all
            .into_iter()
            .filter(|one| one.state != State::Ours)
            .collect(),
        (false, false) => picked(&all, &asked.pick)?,
    };
    let chosen = wanted(chosen, asked.again);
    if asked.dry_run {
        list(cx, &chosen, &dir)?;
        let many = counted(chosen.len() as u64, "session");
        out::say(format!(
            "{many} would be made, beside a variant for each branch; nothing was."
        ));
        return Ok(());
    }
    let collection = asked
        .collection
        .as_deref()
        .map(|c| cx.collection(c))
        .transpose()?;
    import(cx, &chosen, collection.as_ref(), asked.again).await
}

/// Those that come in: what is here stays out, unless it is wanted again.
fn wanted(mut chosen: Vec<One>, again: bool) -> Vec<One> {
    if again {
        return chosen;
    }
    let is_new = |one: &One| matches!(one.state, State::New | State::Part | State::Ours);
    for one in chosen.iter().filter(|one| !is_new(one)) {
        let (title, id) = (one.title(), head(&one.found.about.id, ID_SHOWN));
        out::say(match one.state {
            State::Grown => format!(
                "{id} “{title}” is here already and has grown{} since; --again makes another session of all of it, and the one that is here stays as it is.",
                one.by()
            ),
            _ => format!("{id} “{title}” is here already."),
        });
    }
    chosen.retain(is_new);
    chosen
}

/// The histories that words mean.
fn picked(all: &[One], words: &[String]) -> Result<Vec<One>, CliError> {
    let mut chosen: Vec<One> = Vec::new();
    for word in words {
        let fits: Vec<&One> = all
            .iter()
            .filter(|one| one.found.about.id.starts_with(word.as_str()))
            .collect();
        let exact = fits.iter().find(|one| one.found.about.id == *word);
        let alone = fits.first().filter(|_| fits.len() == 1);
        if let Some(one) = exact.or(alone) {
            chosen.push((*one).clone());
            continue;
        }
        if fits.is_empty() {
            let why = format!("There is no history {word:?} of this folder.");
            let hint = "See them with: fascicle import claude DIR; DIR / has those of all folders.";
            return Err(CliError::refused(why, hint));
        }
        let ids = fits.iter().map(|one| one.found.about.id.clone());
        return Err(CliError::Several(word.clone(), ids.collect()));
    }
    Ok(chosen)
}

fn list(cx: &Cx, all: &[One], dir: &Path) -> Result<(), CliError> {
    if cx.out.json() {
        return cx
            .out
            .value(&all.iter().map(One::listed).collect::<Vec<_>>());
    }
    if all.is_empty() {
        let dir = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
        out::say(format!(
            "No histories of Claude Code in {} or below it.",
            dir.display()
        ));
        return Ok(());
    }
    let zone = TimeZone::system();
    let rows: Vec<Vec<String>> = all.iter().map(|one| one.row(&zone)).collect();
    out::page(&columns(&rows))
}

async fn import(
    cx: &Cx,
    chosen: &[One],
    collection: Option<&CollectionId>,
    again: bool,
) -> Result<(), CliError> {
    let link = cx.link().await?;
    let mut made = Vec::new();
    let mut failed = None;
    for one in chosen {
        let about = &one.found.about;
        let request = Request::Import(NewImport {
            path: about.path.display().to_string(),
            collection: collection.cloned(),
            again,
        });
        let (brought, error) = match link.ask(request).await {
            Ok(Reply::Imported(brought)) => (Some(*brought), None),
            Ok(other) => return Err(unexpected(&other)),
            Err(e) => {
                let said = e.to_string();
                failed = Some(e);
                (None, Some(said))
            }
        };
        if !cx.out.json() {
            tell(
                head(&about.id, ID_SHOWN),
                brought.as_ref(),
                error.as_deref(),
            )?;
        }
        let id = about.id.as_str();
        made.push(Made { id, brought, error });
    }
    if cx.out.json() {
        cx.out.value(&made)?;
    }
    link.stay().await?;
    match failed {
        Some(e) => Err(e),
        None => Ok(()),
    }
}

//! `list` and `trash list`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jiff::tz::TimeZone;
use serde::Serialize;

use super::connect::Link;
use super::context::Cx;
use super::error::CliError;
use super::table::{columns, when};
use super::{args, out};
use crate::config::{Collection, choose};
use crate::domain::kin::{FIRST, Kin, family_of};
use crate::domain::row::Row;
use crate::domain::{CollectionId, Head, Reply, Request, Seq, SessionId, piece};
use crate::drafts::folder;
use crate::host::lock;
use crate::text::{against, cells, folded, one_line, width};
use unicode_segmentation::UnicodeSegmentation as _;

/// Longest title in a row, in cells.
pub(super) const TITLE_MAX: usize = 60;
/// What stands between the title of a piece and the name of a variant.
const BETWEEN: &str = ": ";
/// What marks the main line of a family.
const STAR: &str = " ★";
/// What stands behind one whose main line is in the archive, as in a window.
const ELSEWHERE: &str = " · ★ in archive";

/// A session, for scripts. Field names are promised: see `docs/cli.md`.
#[derive(Serialize)]
struct Listed {
    id: SessionId,
    /// The title where its family is not in sight, which means this session alone in its family.
    title: String,
    /// What its family is called.
    piece: String,
    /// What it is called in its family; none for one that stands alone.
    variant: Option<String>,
    /// What stands behind its title in the table.
    #[serde(skip)]
    mark: &'static str,
    collection: String,
    state: &'static str,
    agent: String,
    model: Option<String>,
    words: u64,
    /// Words it is to have.
    target: Option<u64>,
    turns: u32,
    parent: Option<SessionId>,
    main: bool,
    stage: Option<String>,
    tags: Vec<String>,
    folder: String,
    updated: i64,
    archived: bool,
    /// The proposal that waits for the writer's word.
    proposed: Option<Seq>,
    /// How far its adoption is; none where none is under way.
    adoption: Option<Adoption>,
}

/// How far the adoption of a session is.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Adoption {
    /// It becomes the main line when a turn has ended.
    Waits,
    /// It has become the main line, and its folder has its old name still.
    Unfinished,
}

/// Lists sessions, newest first.
pub(super) async fn list(cx: &Cx, asked: &args::List) -> Result<(), CliError> {
    let only = asked.collection.as_deref().map(|c| cx.collection(c));
    let only = only.transpose()?;
    let shelf = cx.shelf()?;
    let listed = shelf.listed();
    let here = |h: &Head| {
        let place = h.place.as_ref();
        only.is_none() || place.map(|p| &p.collection) == only.as_ref()
    };
    let heads = listed.iter().map(|(head, _)| head);
    let families = Families::of(heads.clone());
    let shown = heads.filter(|h| !h.trashed && (asked.all || !h.archived) && here(h));
    if asked.names {
        return names(listed.iter().map(|(head, _)| head), shown);
    }
    let empty = match (only.is_some(), asked.all) {
        (true, _) => "No sessions in this collection.",
        (false, true) => "No sessions yet. Begin one with: fascicle new TITLE",
        (false, false) => "No sessions in the list. Begin one with: fascicle new TITLE",
    };
    let shown: Vec<&Head> = shown.collect();
    if let Some(only) = &only {
        let all: Vec<&Head> = listed.iter().map(|(head, _)| head).collect();
        say_problems(cx, only, &all, shown.is_empty());
    }
    print(cx, shown.into_iter(), &families, empty).await?;
    for (head, trouble) in listed.iter().filter(|(h, _)| !h.trashed && here(h)) {
        if let Some(trouble) = trouble {
            out::say(format!("{}: {trouble}", head.whole_title()));
        }
    }
    Ok(())
}

/// Says what is wrong with the file of a collection. Where nothing of it is shown, with all of them: where an id was
/// changed by hand its sessions are filed under another.
fn say_problems(cx: &Cx, only: &CollectionId, heads: &[&Head], is_empty: bool) {
    let drawer = cx.drawer_with(heads);
    let own = drawer.get(only);
    let own = own.map(|c| cx.workspace.root().join(&c.folder));
    let is_own = |file: &Path| own.as_ref().is_some_and(|own| file.starts_with(own));
    let problems = drawer.problems.iter();
    problems
        .filter(|problem| is_empty || is_own(&problem.file))
        .for_each(out::say);
}

/// Prints a word for each session that means it alone.
fn names<'a>(
    all: impl Iterator<Item = &'a Head>,
    shown: impl Iterator<Item = &'a Head>,
) -> Result<(), CliError> {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for head in all {
        *times.entry(folded(&head.whole_title())).or_default() += 1;
    }
    for head in shown {
        let title = head.whole_title();
        let alone = times.get(&folded(&title)) == Some(&1) && one_line(&title) == title;
        match head.id.filter(|_| !alone) {
            Some(id) => out::line(&id.to_string())?,
            None => out::line(&title)?,
        }
    }
    Ok(())
}

/// Lists what is in the trash.
pub(super) async fn trash(cx: &Cx) -> Result<(), CliError> {
    let heads = cx.shelf()?.heads();
    let trashed = heads.iter().filter(|h| h.trashed);
    print(
        cx,
        trashed,
        &Families::of(heads.iter()),
        "The trash is empty.",
    )
    .await
}

/// The families of all sessions, each by the session it began with.
#[derive(Default)]
struct Families<'a>(BTreeMap<SessionId, Vec<&'a Head>>);

/// A session as one of its family.
struct Kinship {
    /// The sessions of its family, its main line first.
    family: Vec<SessionId>,
    /// Whether it is the main line.
    main: bool,
    /// What stands behind its title.
    mark: &'static str,
    /// The title where its family is not in sight, as a window shows it.
    title: String,
    /// The title of the piece, and its own name beside others.
    piece: String,
    variant: Option<String>,
}

impl<'a> Families<'a> {
    fn of(heads: impl Iterator<Item = &'a Head>) -> Self {
        let mut all = Self::default();
        for head in heads {
            if let Some(id) = head.id {
                all.0.entry(head.kin.family_of(id)).or_default().push(head);
            }
        }
        all
    }

    fn kinship(&self, head: &Head, id: SessionId) -> Kinship {
        let first = head.kin.family_of(id);
        let members = self.0.get(&first).map_or(&[][..], Vec::as_slice);
        let family = family_of(members.iter().filter_map(|h| h.member()), id);
        let main = family.first() == Some(&id);
        let living = members.iter().filter(|h| !h.trashed).count();
        let star = main && living > 1;
        let led_by = members.iter().find(|h| h.id == family.first().copied());
        let away = led_by.is_some_and(|h| h.archived && !h.trashed && !head.archived);
        let piece = members.iter().find(|h| h.id == Some(first));
        let piece = piece.map(|h| h.title()).or(head.kin.piece.as_deref());
        let piece = piece.unwrap_or(head.title());
        let is_variant = head.kin.is_variant();
        let title = match (star || main && !is_variant, is_variant) {
            (true, _) => piece.to_owned(),
            (false, true) => format!("{piece}: {}", head.title()),
            (false, false) => format!("{piece}: {FIRST}"),
        };
        let variant = if is_variant {
            Some(head.title())
        } else {
            Some(FIRST).filter(|_| members.len() > 1)
        };
        Kinship {
            family,
            main,
            mark: match (star, away) {
                (true, _) => STAR,
                (false, true) => ELSEWHERE,
                (false, false) => "",
            },
            title,
            piece: piece.to_owned(),
            variant: variant.map(str::to_owned),
        }
    }
}

/// Prints sessions; for people, says so when there are none.
async fn print<'a>(
    cx: &Cx,
    heads: impl Iterator<Item = &'a Head>,
    families: &Families<'_>,
    empty: &str,
) -> Result<(), CliError> {
    let live = live(cx).await;
    let drawer = cx.drawer();
    let mut listed: Vec<Listed> = heads
        .filter_map(|head| {
            let place = head.place.as_ref();
            let collection = place.and_then(|p| drawer.get(&p.collection));
            let kinship = families.kinship(head, head.id?);
            listed(cx, head, collection, &live, kinship)
        })
        .collect();
    listed.sort_by_key(|l| std::cmp::Reverse(l.updated));
    if cx.out.json() {
        return cx.out.value(&listed);
    }
    if listed.is_empty() {
        out::say(empty);
    }
    let zone = TimeZone::system();
    let rows: Vec<Vec<String>> = listed.iter().map(|l| row(l, &zone)).collect();
    out::page(&columns(&rows))
}

/// The turns that run now, as far as can be told.
pub(super) enum Live {
    /// These, as the host says.
    These(BTreeSet<SessionId>),
    /// A host runs and tells us nothing, as one of another user: what the logs say is believed.
    AsLogged,
    /// None: no host runs.
    None,
}

impl Live {
    /// Whether the session's turn, if one is open in its log, runs.
    pub(super) fn contains(&self, id: &SessionId) -> bool {
        match self {
            Self::These(turns) => turns.contains(id),
            Self::AsLogged => true,
            Self::None => false,
        }
    }
}

/// The sessions whose turn a host is running now.
pub(super) async fn live(cx: &Cx) -> Live {
    if let Some(link) = Link::running(cx).await
        && let Ok(Reply::Status(status)) = link.ask(Request::Status).await
    {
        return Live::These(status.turns.into_iter().collect());
    }
    if lock::is_held(&cx.workspace.private()) {
        Live::AsLogged
    } else {
        Live::None
    }
}

fn listed(
    cx: &Cx,
    head: &Head,
    collection: Option<&Collection>,
    live: &Live,
    kinship: Kinship,
) -> Option<Listed> {
    let (agent, model) = choose::next(&cx.loaded.config, collection, head);
    let row = Row::of(head, &agent, head.id.is_some_and(|id| live.contains(&id)))?;
    let said = collection.and_then(|c| Some(piece::said_of(&c.pieces, &kinship.family)?.1));
    let pieces = collection.filter(|_| kinship.main);
    let pieces = pieces.map(|c| c.pieces.as_slice());
    let stage = piece::stage(pieces, &kinship.family, row.stage);
    Some(Listed {
        id: row.id,
        title: kinship.title,
        piece: kinship.piece,
        variant: kinship.variant,
        mark: kinship.mark,
        collection: row.collection.to_string(),
        state: row.state.word(),
        agent,
        model,
        words: row.words,
        target: said.and_then(|p| p.target),
        turns: row.turns,
        parent: row.kin.parent.map(|at| at.session),
        main: kinship.main,
        stage: stage.map(|s| s.word().to_owned()),
        tags: row.tags,
        folder: place(cx, row.id, row.folder),
        updated: row.updated,
        archived: row.archived,
        proposed: row.proposed,
        adoption: adoption(&row.kin, live),
    })
}

fn adoption(kin: &Kin, live: &Live) -> Option<Adoption> {
    // One that waits does so in the memory of a host.
    let waits = kin.waits.is_some() && !matches!(live, Live::None);
    let unfinished = kin.exchange.is_some();
    waits
        .then_some(Adoption::Waits)
        .or(unfinished.then_some(Adoption::Unfinished))
}

/// The session's folder where it is now: by its mark, else as the log says.
fn place(cx: &Cx, id: SessionId, logged: String) -> String {
    folder::whereabouts(cx.workspace.root(), id, &logged).unwrap_or(logged)
}

fn row(l: &Listed, zone: &TimeZone) -> Vec<String> {
    let tags: Vec<String> = l.tags.iter().map(|t| format!("#{}", one_line(t))).collect();
    vec![
        state(l),
        called(l) + l.mark,
        l.collection.clone(),
        l.stage.clone().unwrap_or_default(),
        against(l.words, l.target, "w"),
        when(l.updated, zone),
        l.id.to_string(),
        tags.join(" "),
    ]
}

/// Its state; a proposal that waits is said with it, an adoption that does, and the archive.
fn state(l: &Listed) -> String {
    let mut state = l.state.replace('_', " ");
    for (waits, what) in [
        (l.proposed.is_some(), ", proposal"),
        (l.adoption == Some(Adoption::Waits), ", adoption waits"),
        (
            l.adoption == Some(Adoption::Unfinished),
            ", adoption unfinished",
        ),
        (l.archived, ", archived"),
    ] {
        state.push_str(if waits { what } else { "" });
    }
    state
}

/// What a session is called. Of a variant its own name is in sight, however long that of its piece is.
fn called(l: &Listed) -> String {
    let own = l.variant.as_deref().filter(|own| {
        let whole = l.title.strip_suffix(own);
        width(&one_line(&l.title)) > TITLE_MAX && whole.is_some_and(|w| w.ends_with(BETWEEN))
    });
    let Some(own) = own.map(|own| short(own, TITLE_MAX / 2)) else {
        return short(&l.title, TITLE_MAX);
    };
    let room = TITLE_MAX - width(&own) - BETWEEN.len();
    short(&l.piece, room) + BETWEEN + &own
}

/// A title that leaves room for what stands beside it.
pub(super) fn short(title: &str, most: usize) -> String {
    let line = one_line(title);
    if width(&line) <= most {
        return line;
    }
    let mut room = most.saturating_sub(1);
    let fits = |g: &&str| {
        let left = room.checked_sub(cells(g));
        room = left.unwrap_or(0);
        left.is_some()
    };
    let kept: String = line.graphemes(true).take_while(fits).collect();
    kept + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behind_a_long_title_of_a_piece_the_name_of_the_variant_is_in_sight() {
        let piece = "The long evening on the ferry ".repeat(4);
        let variant = called(&listed_as(&piece, "first person"));
        assert!(variant.ends_with("…: first person"), "{variant}");
        assert_eq!(width(&variant), TITLE_MAX);
        let both = called(&listed_as(&piece, &"and a long name ".repeat(9)));
        assert!(
            width(&both) <= TITLE_MAX && both.contains("…: and a"),
            "{both}"
        );
        assert_eq!(called(&listed_as("Iso", "other")), "Iso: other");
    }

    fn listed_as(piece: &str, variant: &str) -> Listed {
        Listed {
            id: SessionId::new(uuid::Uuid::from_u128(1)),
            title: format!("{piece}: {variant}"),
            piece: piece.to_owned(),
            variant: Some(variant.to_owned()),
            mark: "",
            collection: String::new(),
            state: "idle",
            agent: String::new(),
            model: None,
            words: 0,
            target: None,
            turns: 0,
            parent: None,
            main: false,
            stage: None,
            tags: Vec::new(),
            folder: String::new(),
            updated: 0,
            archived: false,
            proposed: None,
            adoption: None,
        }
    }

    #[test]
    fn a_long_title_leaves_room_for_the_columns_behind_it() {
        assert_eq!(short("Letter\n", TITLE_MAX), "Letter");
        let long = short(&"灯台".repeat(80), TITLE_MAX);
        assert!(width(&long) <= TITLE_MAX && long.ends_with('…'), "{long}");
    }
}

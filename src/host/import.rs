//! Histories of other programs become sessions: read line by line, written as logs, theirs left as they are.

mod again;
mod scribe;

use std::path::Path;
use std::sync::Arc;

use super::fork::{NAME_MAX, PART, dir_of, first_line, piece};
use super::shared::{Shared, now};
use crate::agents::histories::{History, Turn};
use crate::agents::{Vars, search};
use crate::config::{Collection, Config};
use crate::domain::agent::{AgentKind, AgentSpec};
use crate::domain::ask::{Brought, NewImport, Reply};
use crate::domain::event::Imported;
use crate::domain::kin::NAMELESS;
use crate::domain::{CollectionId, Kind, Row, SessionId};
use crate::drafts::{abandoned, folder};
use crate::log::{Inlet, Listed, LogError, Variant};
use crate::text;
use scribe::{Place, Scribe};

/// The subject of the line that tells how far it is.
const BANNER: &str = "import";
/// Name of the agent where none of its kind is configured.
const AGENT: &str = "claude";
/// Whose histories these are: it made the turns, whoever goes on with them.
const FROM: &str = "claude";

/// Makes sessions of a history, one history at a time.
pub(super) async fn take_in(shared: &Arc<Shared>, wanted: NewImport) -> Reply {
    let alone = shared.life.one.importing.clone().lock_owned().await;
    shared.life.busy.send_modify(|n| *n += 1);
    let working = shared.clone();
    // Counted among the actors: a host that ends waits until nothing is written any more.
    let work = shared.life.actors.spawn_blocking(move || {
        let done = bring(&working, &wanted);
        working.rows.banner(BANNER, String::new());
        drop(alone);
        done
    });
    let done = work.await;
    shared.life.busy.send_modify(|n| *n = n.saturating_sub(1));
    match done {
        Ok(Ok(brought)) => Reply::Imported(Box::new(brought)),
        Ok(Err(no)) => Reply::Refused {
            why: no.why,
            hint: no.hint,
        },
        Err(e) => Reply::Refused {
            why: format!("The import broke off: {e}."),
            hint: None,
        },
    }
}

/// Why nothing was made.
struct No {
    why: String,
    hint: Option<String>,
}

impl From<String> for No {
    fn from(why: String) -> Self {
        Self { why, hint: None }
    }
}

impl From<LogError> for No {
    fn from(e: LogError) -> Self {
        e.to_string().into()
    }
}

/// What all sessions made of one history share.
struct Work<'a> {
    shared: &'a Shared,
    history: History,
    shelf: Collection,
    /// Who goes on with it.
    agent: String,
}

fn bring(shared: &Shared, wanted: &NewImport) -> Result<Brought, No> {
    let path = Path::new(&wanted.path);
    let history =
        History::open(path).map_err(|e| format!("{} could not be read: {e}.", path.display()))?;
    let branches = history.branches();
    let Some((main, others)) = branches.split_first() else {
        return Err(format!("{} holds no conversation.", path.display()).into());
    };
    if !wanted.again {
        let all = shared.store.heads();
        if let Some(before) = known(&all, &history.about.id) {
            return again::finish(shared, history, &branches, (before, &all));
        }
    }
    let id = wanted
        .collection
        .clone()
        .unwrap_or_else(CollectionId::inbox);
    let shelf = shared.look_at_drawer().get(&id).cloned();
    let work = Work {
        shelf: shelf.ok_or_else(|| format!("There is no collection {id}."))?,
        agent: goes_on(&shared.config()),
        shared,
        history,
    };
    let mut places = vec![None; work.history.turns.len()];
    let first = work.main(main, &mut places)?;
    let mut brought = work.brought(first);
    for branch in others {
        let made = work.variant(brought.session, branch, &mut places);
        add(&mut brought, made);
    }
    Ok(brought)
}

/// Notes what came of a branch.
fn add(brought: &mut Brought, made: Result<SessionId, No>) {
    match made {
        Ok(id) => brought.variants.push(id),
        Err(no) => brought
            .notes
            .push(format!("A branch could not be made a variant: {}", no.why)),
    }
}

/// The session that a history was made, the newest that is no variant.
pub(super) fn known<'a>(all: &'a [Listed], id: &str) -> Option<&'a Listed> {
    let of = |one: &&Listed| {
        let imported = one.head.imported.as_ref();
        !one.head.kin.is_variant() && imported.is_some_and(|i| i.from == FROM && i.id == id)
    };
    all.iter().filter(of).max_by_key(|one| one.id)
}

/// The agent that goes on with it: the first of that kind, the default before all others. Where its program is not
/// there, the default one does.
fn agent(config: &Config, runs: impl Fn(&AgentSpec) -> bool) -> String {
    let default = config.agent(&config.default_agent);
    let of_kind = |a: &&AgentSpec| a.kind == AgentKind::Claude;
    let first = default
        .filter(of_kind)
        .or_else(|| config.agents.iter().find(of_kind));
    let able = first.filter(|a| runs(a));
    let chosen = able.or(default).or(first);
    chosen.map_or_else(|| AGENT.to_owned(), |a| a.name.clone())
}

/// The agent that goes on with it here.
fn goes_on(config: &Config) -> String {
    agent(config, |spec| {
        search::program(&spec.command, &Vars::of_process()).is_ok()
    })
}

/// Takes a folder back whose session did not come to be.
fn made_or_gone(id: SessionId, path: &Path, made: Result<(), LogError>) -> Result<(), No> {
    if made.is_err() {
        // Nothing but its mark lies in it; what cannot be removed now is removed by the next host.
        drop(abandoned::remove(path, id));
    }
    Ok(made?)
}

/// A branch as what it shares with those that have their places, and what is its own.
fn parted<'b>(branch: &'b [usize], places: &[Option<Place>]) -> (&'b [usize], &'b [usize]) {
    let here = |at: &&usize| places.get(**at).copied().flatten().is_some();
    branch.split_at(branch.iter().take_while(here).count())
}

/// Where a session begins whose turns share nothing: behind `session.created` and `imported`.
const fn start(session: SessionId) -> Place {
    Place {
        session,
        seq: 1,
        turn: 0,
    }
}

impl Work<'_> {
    fn turn(&self, at: usize) -> Option<&Turn> {
        self.history.turns.get(at)
    }

    /// What is told of the session of the main line, its title and its turns.
    fn brought(&self, (session, title, turns): (SessionId, String, u32)) -> Brought {
        let gaps = &self.history.gaps;
        Brought {
            session,
            title,
            variants: Vec::new(),
            turns,
            unread: gaps.unread.clone(),
            unread_all: gaps.unread_all,
            notes: gaps.notes(),
        }
    }

    /// Makes the session of the main line. Gives it, its title, and how many turns it has.
    fn main(
        &self,
        branch: &[usize],
        places: &mut [Option<Place>],
    ) -> Result<(SessionId, String, u32), No> {
        let about = &self.history.about;
        let id = SessionId::new(uuid::Uuid::now_v7());
        let title = about.title.clone();
        let name = title.as_ref().or(about.prompt.as_ref());
        let root = self.shared.workspace.root();
        let slug = text::slug(name.map_or("", |n| n), NAME_MAX);
        let folder = folder::make(root, &self.shelf.folder, &slug, id);
        let folder = folder.map_err(|e| {
            let place = root.join(&self.shelf.folder);
            format!("No folder could be made in {}: {e}.", place.display())
        })?;
        let path = root.join(&folder);
        let created = Kind::Created {
            id,
            title,
            collection: self.shelf.id.clone(),
            folder,
            agent: Some(self.agent.clone()).filter(|a| self.shared.config().agent(a).is_some()),
            app: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let mut turns = 0;
        let begun = Some(about.times.0).filter(|ts| *ts > 0).unwrap_or_else(now);
        let mut fill = |inlet: &mut Inlet<'_, '_>| {
            inlet.push(begun, created.clone())?;
            let at = inlet.push(begun, Kind::Imported(self.imported()))?;
            let from = Place {
                session: id,
                seq: at,
                turn: 0,
            };
            turns = self.write(inlet, branch, from, places)?;
            Ok(())
        };
        let made = self.shared.store.import(id, &self.shelf.id, &mut fill);
        made_or_gone(id, &path, made)?;
        let title = self.show(id).unwrap_or_default();
        Ok((id, title, turns))
    }

    /// Makes a variant of a further branch, from where it parts from what is there.
    fn variant(
        &self,
        main: SessionId,
        branch: &[usize],
        places: &mut [Option<Place>],
    ) -> Result<SessionId, No> {
        let here = |at: &usize| places.get(*at).copied().flatten();
        let (before, own) = parted(branch, places);
        let from = before.last().and_then(here).unwrap_or(start(main));
        let id = SessionId::new(uuid::Uuid::now_v7());
        let first = own.iter().find_map(|at| self.turn(*at));
        let prompt = first.map_or(Ok(String::new()), |turn| {
            scribe::prompt(&self.history, turn)
        })?;
        let parent = self.shared.store.head(from.session)?.head;
        let at = parent.place.map(|p| p.folder).unwrap_or_default();
        let dir = dir_of(&at).unwrap_or(&self.shelf.folder).to_owned();
        let slug = text::slug(first_line(&prompt).unwrap_or(NAMELESS), NAME_MAX);
        let root = self.shared.workspace.root();
        let folder = folder::make(root, &dir, &format!("{}{PART}{slug}", piece(&at)), id);
        let folder = folder.map_err(|e| format!("{}: {e}.", root.join(&dir).display()))?;
        let path = root.join(&folder);
        let variant = Variant {
            id,
            title: None,
            collection: self.shelf.id.clone(),
            folder,
        };
        let ts = first.map_or(0, |turn| turn.ts);
        let from_here = Place {
            session: id,
            ..from
        };
        let mut fill =
            |inlet: &mut Inlet<'_, '_>| self.write(inlet, own, from_here, places).map(drop);
        let store = &self.shared.store;
        let made = store.import_variant(from.session, from.seq, variant, ts, &mut fill);
        made_or_gone(id, &path, made)?;
        self.show(id);
        Ok(id)
    }

    /// Writes the turns of a branch, and notes where each of them is.
    fn write(
        &self,
        inlet: &mut Inlet<'_, '_>,
        branch: &[usize],
        from: Place,
        places: &mut [Option<Place>],
    ) -> Result<u32, LogError> {
        let mut scribe = Scribe::new(&self.history, inlet, FROM, from);
        let title = self
            .history
            .about
            .title
            .as_ref()
            .or(self.history.about.prompt.as_ref());
        let title = title.map_or("a history", |t| text::head(t, 60));
        for (n, at) in branch.iter().enumerate() {
            let Some(turn) = self.turn(*at) else { continue };
            let ends = || self.shared.life.closing.is_cancelled();
            let place = scribe.turn(turn, &ends)?;
            if let Some(known) = places.get_mut(*at) {
                known.get_or_insert(place);
            }
            if n % 64 == 63 {
                let far = format!("Importing “{title}”: turn {} of {}.", n + 1, branch.len());
                self.shared.rows.banner(BANNER, far);
            }
        }
        scribe.end()
    }

    fn imported(&self) -> Imported {
        let (about, gaps) = (&self.history.about, &self.history.gaps);
        Imported {
            from: FROM.to_owned(),
            id: about.id.clone(),
            path: about.path.display().to_string(),
            bytes: about.bytes,
            lines: about.lines,
            crc32: format!("{:08x}", about.crc32),
            unread: gaps.unread.clone(),
            unread_all: gaps.unread_all,
        }
    }

    /// Puts a session into the list; gives its title.
    fn show(&self, id: SessionId) -> Option<String> {
        let head = self.shared.store.head(id).ok()?.head;
        let row = Row::of(&head, &self.shared.agent_of(&head).0, false)?;
        let title = row.title.clone();
        self.shared.rows.set(row);
        Some(title)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::config::{Places, load};

    #[test]
    fn the_default_agent_goes_on_where_the_program_of_the_history_is_not_there() {
        let dir = tempfile::tempdir().unwrap();
        let places = Places::under(dir.path());
        let local = "default_agent = \"local\"\n[agents.local]\nkind = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\n";
        std::fs::create_dir_all(places.config.parent().unwrap()).unwrap();
        std::fs::write(&places.config, local).unwrap();
        let config = load(&places, None).config;
        assert_eq!(agent(&config, |_| false), "local");
        assert_eq!(agent(&config, |_| true), "claude");
    }
}

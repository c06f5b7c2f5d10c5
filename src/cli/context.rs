//! What every verb works with: the workspace, the settings, the way to print and the way to the host.

use std::path::PathBuf;

use super::args::Cli;
use super::connect::Link;
use super::error::CliError;
use super::find;
use super::out::{self, Out};
use super::shelf::Shelf;
use crate::config::{
    Asked, Config, ConfigError, Drawer, Loaded, Places, Workspace, collection, load, nearest,
};
use crate::domain::{CollectionId, Head, Reply, Request, SessionId};
use crate::host::lock;
use crate::text::one_line;

/// The variable that names the workspace when no flag does.
const WORKSPACE: &str = "FASCICLE_WORKSPACE";

/// The surroundings of one command.
#[derive(Clone, Debug)]
pub(super) struct Cx {
    /// The writer's own folders.
    pub(super) places: Places,
    /// The workspace; not made yet, perhaps.
    pub(super) workspace: Workspace,
    /// Whether the writer named it: by a flag, a folder or the variable.
    pub(super) is_named: bool,
    /// Settings, and what is wrong with them.
    pub(super) loaded: Loaded,
    /// Where answers go.
    pub(super) out: Out,
    /// Whether turns must run in this process.
    pub(super) inline: bool,
}

impl Cx {
    /// The surroundings that a command line asks for.
    pub(super) fn of(cli: &Cli) -> Result<Self, CliError> {
        let places = Places::of_this_user()?;
        let here = std::env::current_dir().unwrap_or_else(|_| places.home.clone());
        let asked = asked(cli)?;
        let is_named = asked != Asked::default();
        let workspace = Workspace::find(&asked, &here, &places);
        let workspace = workspace.map_err(|e| meant_a_verb(cli, e))?;
        Ok(Self {
            loaded: load(&places, Some(&workspace)),
            workspace,
            is_named,
            places,
            out: Out::new(cli.global.json),
            inline: cli.global.inline,
        })
    }

    /// The same in another workspace.
    pub(super) fn at(&self, workspace: Workspace) -> Self {
        Self {
            loaded: load(&self.places, Some(&workspace)),
            workspace,
            ..self.clone()
        }
    }

    /// The same with the settings as they are now.
    pub(super) fn anew(&self) -> Self {
        self.at(self.workspace.clone())
    }

    /// The settings, where nothing is wrong with them.
    pub(super) fn sound_config(&self) -> Result<&Config, CliError> {
        if self.loaded.problems.is_empty() {
            return Ok(&self.loaded.config);
        }
        Err(CliError::Config(self.loaded.problems.clone()))
    }

    /// The settings, for a verb that changes something: mistakes in them come first.
    pub(super) fn config(&self) -> Result<&Config, CliError> {
        let config = self.sound_config()?;
        for note in &self.loaded.notes {
            out::say(note);
        }
        Ok(config)
    }

    /// Names the mistakes in the settings and goes on: reading must always work.
    pub(super) fn say_problems(&self) {
        for problem in self.loaded.problems.iter().chain(&self.loaded.notes) {
            out::say(problem);
        }
    }

    /// The sessions on disk.
    pub(super) fn shelf(&self) -> Result<Shelf, CliError> {
        Shelf::open(&self.workspace, &self.places)
    }

    /// The collections.
    pub(super) fn drawer(&self) -> Drawer {
        let drawer = Drawer::of(&self.workspace);
        if drawer.problems.is_empty() {
            return drawer;
        }
        self.whole_drawer()
    }

    /// The collections, also those whose file is gone or that were put behind a link: every head is read for that.
    pub(super) fn whole_drawer(&self) -> Drawer {
        // Which collection lay in a folder whose file cannot be read is known by its sessions.
        let heads = self.shelf().map(|shelf| shelf.heads()).unwrap_or_default();
        self.drawer_with(&heads.iter().collect::<Vec<_>>())
    }

    /// The same, where the heads are here.
    pub(super) fn drawer_with(&self, heads: &[&Head]) -> Drawer {
        Drawer::known(&self.workspace, |folder| {
            let places = heads
                .iter()
                .filter_map(|h| Some((h.id?, h.place.as_ref()?)));
            let here = places.filter(|(_, p)| p.folder.split('/').next() == Some(folder));
            collection::filed(here.map(|(id, place)| (id, &place.collection)))
        })
    }

    /// The session a word means.
    pub(super) fn session(&self, word: &str) -> Result<SessionId, CliError> {
        let there = self.shelf()?;
        // A full id needs no list: making one may take reading every log.
        match word.to_lowercase().parse() {
            Ok(id) if there.has(id) => Ok(id),
            _ => find::session(&there.heads(), word),
        }
    }

    /// The collection a word means.
    pub(super) fn collection(&self, word: &str) -> Result<CollectionId, CliError> {
        let mut drawer = self.drawer();
        if drawer.named(word).is_err() {
            drawer = self.whole_drawer();
        }
        match (drawer.named(word), drawer.nearest(word)) {
            (Ok(found), _) => Ok(found.id.clone()),
            (Err(_), Some(near)) => Err(CliError::refused(
                ConfigError::NoCollection(word.to_owned()).to_string(),
                format!("Did you mean {near:?}?"),
            )),
            (Err(e), None) => Err(e.into()),
        }
    }

    /// What a collection is called; its id where it is not there.
    pub(super) fn title_of(&self, id: &CollectionId) -> String {
        let drawer = self.drawer();
        let title = drawer.get(id).map(|found| one_line(&found.title));
        title.unwrap_or_else(|| id.to_string())
    }

    /// A way to the host, started here when none runs. Makes the workspace if it is not there.
    pub(super) async fn link(&self) -> Result<Link, CliError> {
        self.link_by(Self::config).await
    }

    /// The same for a window, which says itself what is to be known of the settings.
    pub(super) async fn link_of_window(&self) -> Result<Link, CliError> {
        self.link_by(Self::sound_config).await
    }

    async fn link_by(
        &self,
        config: fn(&Self) -> Result<&Config, CliError>,
    ) -> Result<Link, CliError> {
        // A host that runs has settings of its own: a mistake in the files is no reason not to stop a turn.
        if !lock::is_held(&self.workspace.private()) {
            config(self)?;
            self.make_workspace()?;
        }
        Link::open(self).await
    }

    /// Makes the workspace, if it is not there. Where it cannot be, another place can be named.
    fn make_workspace(&self) -> Result<(), CliError> {
        match self.workspace.make() {
            Err(ConfigError::Write { path, source }) => Err(CliError::refused(
                format!(
                    "No workspace can be made at {}: {}.",
                    path.display(),
                    source.kind()
                ),
                "Name a folder that can be written: fascicle --workspace FOLDER, or the variable FASCICLE_WORKSPACE.",
            )),
            made => Ok(made?),
        }
    }

    /// Asks the host for one thing that is done or not done, and stays as long as it must.
    pub(super) async fn done(&self, request: Request) -> Result<(), CliError> {
        let link = self.link().await?;
        match link.ask(request).await? {
            Reply::Done | Reply::Filed { .. } => link.stay().await,
            other => Err(unexpected(&other)),
        }
    }
}

/// An answer of another kind than the one asked for.
pub(super) fn unexpected(reply: &Reply) -> CliError {
    CliError::Bug(format!(
        "the host gave an answer of another kind: {reply:?}"
    ))
}

fn asked(cli: &Cli) -> Result<Asked, CliError> {
    if let (Some(dir), Some(_)) = (&cli.dir, &cli.verb) {
        let why = format!(
            "A folder ({}) before a verb: name the workspace with --workspace.",
            dir.display()
        );
        return Err(CliError::Usage(why));
    }
    if cli.dir.is_some() && cli.global.workspace.is_some() {
        let why = "The workspace is named twice, by --workspace and by a folder.";
        return Err(CliError::Usage(why.to_owned()));
    }
    Ok(Asked {
        flag: cli.global.workspace.clone(),
        dir: cli.dir.clone(),
        env: std::env::var_os(WORKSPACE)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from),
    })
}

/// A verb with a slip in it looks like a folder that is not there.
fn meant_a_verb(cli: &Cli, error: ConfigError) -> CliError {
    use clap::CommandFactory as _;
    let Some(word) = cli.dir.as_ref().and_then(|d| d.to_str()) else {
        return error.into();
    };
    let command = Cli::command();
    let verbs = command.get_subcommands().map(clap::Command::get_name);
    match nearest(word, verbs) {
        Some(verb) if !word.contains(std::path::MAIN_SEPARATOR) => CliError::Usage(format!(
            "{word:?} is neither a verb nor a folder. Did you mean {verb:?}?"
        )),
        _ => error.into(),
    }
}

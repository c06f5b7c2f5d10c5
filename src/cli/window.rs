//! The window on a workspace: what it is told when it opens, and where it was left.

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};

use super::context::Cx;
use super::error::CliError;
use super::{choice, errand, keys, out};
use crate::config::theme::{self, Theme};
use crate::config::{self, Config, Problem};
use crate::domain::{SessionId, WindowId};
use crate::ui::attention::Caller;
use crate::ui::focus::Pane;
use crate::ui::keymap::Keymap;
use crate::ui::run::Ends;
use crate::ui::terminal::Kind;
use crate::ui::{Agents, App, First, Means, Place, Recipes, Settings, Wires, run};
use jiff::tz::TimeZone;

/// Windows that keep their places and unsent texts apart; more than anybody opens.
const WINDOWS: u32 = 64;
/// Where they do.
const WINDOWS_IN: &str = "windows";

/// Opens the window, at a session when one is named, and returns when it was closed and, if this process is
/// the host, its last turn has ended.
pub(super) async fn open(
    cx: &Cx,
    at: Option<SessionId>,
    sample: bool,
    ends: Option<Ends>,
) -> Result<(), CliError> {
    let keys = keys::build(cx.sound_config()?);
    let link = cx.link_of_window().await?;
    let desk = Desk::take(&cx.places.state_of(&cx.workspace));
    let before = desk.left();
    let welcome = before.is_none();
    let mut left = before.unwrap_or_default();
    if at.is_some() {
        left = Place {
            session: at,
            pane: Pane::Composer,
            reading: None,
            ..left
        };
    }
    let mut settings = settings(cx, keys, desk.window()?);
    settings.first = errand::first(cx, welcome, sample);
    let handle = tokio::runtime::Handle::current();
    let (surroundings, threads) = (cx.clone(), handle.clone());
    let wires = Wires::over(
        link.client(),
        handle,
        editor(&cx.loaded.config),
        move |place| desk.keep(place),
    );
    let wires =
        wires.with_errands(move |errand, to| errand::run(&surroundings, &threads, errand, to));
    // The loop waits for keys on a thread of its own.
    let window = tokio::task::spawn_blocking(move || {
        let (app, first) = App::new(settings, left, run::now());
        run::run(app, first, wires, ends)
    });
    let outcome = window
        .await
        .map_err(|e| CliError::Bug(format!("the window broke off ({e})")));
    let elsewhere = !link.is_host();
    let stayed = link.stay().await;
    let farewell = outcome?.map_err(|e| CliError::Refused {
        why: e.to_string(),
        hint: None,
    })?;
    if let Some(line) = farewell.owed_line() {
        out::line(line)?;
    }
    // A host in this process has said what it stays for.
    if let Some(line) = farewell.line().filter(|_| elsewhere) {
        out::line(&line)?;
    }
    stayed
}

fn settings(cx: &Cx, (keys, wrong): (Keymap, Vec<String>), window: WindowId) -> Settings {
    let config = &cx.loaded.config;
    let means = means(cx);
    Settings {
        workspace: named(cx.workspace.root()),
        window,
        agents: Agents {
            choices: choice::offered(config),
            unready: choice::unready(config),
            web: choice::with_web(config),
        },
        first: First::default(),
        keys,
        wrong,
        theme: means.styles(None),
        means,
        zone: TimeZone::system(),
        caller: Caller::choose(config.window.notify, |name| std::env::var(name).ok()),
        recipes: Recipes::default(),
        build: config::build(),
    }
}

/// What the terminal has, by the environment, and what the writer wants of it.
pub(super) fn means(cx: &Cx) -> Means {
    let window = &cx.loaded.config.window;
    let (theme, wrong) = theme_of(cx);
    Means {
        kind: Kind::of(|name| std::env::var(name).ok()),
        theme,
        trouble: trouble(cx, wrong),
        light: window.light,
        mouse: window.mouse,
        links: window.links,
        quarters: !window.smooth,
        editor: editor(&cx.loaded.config),
    }
}

/// What is to be known of the settings: what is wrong in the theme's file, or lines that are not followed.
fn trouble(cx: &Cx, wrong: Vec<String>) -> Option<String> {
    let notes = cx.loaded.notes.iter().map(ToString::to_string);
    first_of(wrong.into_iter().chain(notes).collect())
}

/// The first of several, and where the others are told.
fn first_of(all: Vec<String>) -> Option<String> {
    let more = all.len().saturating_sub(1);
    let first = all.into_iter().next()?;
    Some(match more {
        0 => first,
        n => format!("{first} And {n} more: `fascicle doctor` tells them."),
    })
}

/// The theme that is set, and what is wrong in its file: then it is the default.
pub(super) fn theme_of(cx: &Cx) -> (Theme, Vec<String>) {
    let (theme, problems) = theme::find(&cx.places, &cx.loaded.config.window.theme);
    let told = |p: Problem| format!("{p} The theme is {:?} till then.", theme::DEFAULT);
    (theme, problems.into_iter().map(told).collect())
}

/// A folder as people name it.
pub(super) fn named(folder: &Path) -> String {
    tilde(folder, std::env::var_os("HOME").as_deref())
}

/// Below their home, from there.
fn tilde(folder: &Path, home: Option<&OsStr>) -> String {
    let below = home
        .filter(|h| Path::new(h).is_absolute())
        .and_then(|h| folder.strip_prefix(h).ok());
    match below {
        Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
        Some(rest) => format!("~/{}", rest.display()),
        None => folder.display().to_string(),
    }
}

/// Whether a window of a workspace was closed before, by its state folder.
pub(super) fn was_in(state: &Path) -> bool {
    let entries = std::fs::read_dir(state.join(WINDOWS_IN));
    let is_left = |name: &OsStr| Path::new(name).extension() == Some(OsStr::new("json"));
    entries.is_ok_and(|all| all.flatten().any(|e| is_left(&e.file_name())))
}

/// A window's own corner of the state folder: where it was left. The lock says that the corner is taken;
/// a window that died has left it free.
struct Desk {
    number: u32,
    file: PathBuf,
    _lock: Option<File>,
}

impl Desk {
    /// The first free corner. A state folder that cannot be written costs the memory, not the window.
    fn take(state: &Path) -> Self {
        let folder = state.join(WINDOWS_IN);
        // What is wrong with it shows when a file is made in it.
        drop(std::fs::create_dir_all(&folder));
        let free = |number: u32| {
            let lock = File::create(folder.join(format!("w{number}.lock"))).ok()?;
            lock.try_lock().ok()?;
            Some((number, lock))
        };
        let taken = (1..=WINDOWS).find_map(free);
        let number = taken.as_ref().map_or(1, |(number, _)| *number);
        Self {
            number,
            file: folder.join(format!("w{number}.json")),
            _lock: taken.map(|(_, lock)| lock),
        }
    }

    fn window(&self) -> Result<WindowId, CliError> {
        let name = format!("w{}", self.number);
        name.parse().map_err(|e| CliError::Bug(format!("{e}")))
    }

    /// None when no window stood here before.
    fn left(&self) -> Option<Place> {
        let text = std::fs::read_to_string(&self.file).ok()?;
        Some(serde_json::from_str(&text).unwrap_or_default())
    }

    fn keep(&self, place: &Place) {
        let kept = serde_json::to_string(place).map(|text| {
            let new = self.file.with_extension("new");
            std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, &self.file))
        });
        if !matches!(kept, Ok(Ok(()))) {
            tracing::debug!("the window's place could not be kept");
        }
    }
}

fn editor(config: &Config) -> Option<String> {
    let set = |name: &str| std::env::var(name).ok().filter(|v| !v.trim().is_empty());
    config
        .window
        .editor
        .clone()
        .or_else(|| set("VISUAL"))
        .or_else(|| set("EDITOR"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_troubles_the_first_is_told_and_how_many_there_are() {
        let told = |all: &[&str]| first_of(all.iter().map(|s| (*s).to_owned()).collect());
        assert_eq!(told(&[]), None);
        assert_eq!(told(&["One."]).as_deref(), Some("One."));
        assert_eq!(
            told(&["One.", "Two.", "Three."]).as_deref(),
            Some("One. And 2 more: `fascicle doctor` tells them.")
        );
    }

    #[test]
    fn a_folder_below_the_home_is_named_from_there() {
        let name = |folder: &str| tilde(Path::new(folder), Some(OsStr::new("/home/ann")));
        assert_eq!(name("/home/ann/Fascicle"), "~/Fascicle");
        assert_eq!(name("/home/ann"), "~");
        assert_eq!(name("/home/anna/x"), "/home/anna/x");
        assert_eq!(tilde(Path::new("/w"), None), "/w");
    }
}

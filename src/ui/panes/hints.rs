//! The four or five keys that apply here.

mod views;

use ratatui::text::{Line, Span};

use crate::domain::State;
use crate::text::width;
use crate::ui::app::App;
use crate::ui::commands::{self, Place};
use crate::ui::compare::View;
use crate::ui::focus::Pane;
use crate::ui::keymap::Key;
use crate::ui::rows::Shelf;
use crate::ui::theme::Theme;

/// How many hints a view of texts needs: what is done there, and the way back.
const DOES: usize = 5;
/// In the list.
const LIST: [(&str, &str); 9] = [
    ("session.open", "open"),
    ("session.new", "new"),
    ("list.all", "show all"),
    ("session.compare", "compare"),
    ("session.adopt", "adopt"),
    ("session.fork", "variant"),
    ("session.reply", "reply"),
    ("list.filter", "filter"),
    ("session.archive", "archive"),
];
/// In the draft.
const DRAFT: [(&str, &str); 4] = [
    ("draft.leave", "back"),
    ("draft.find", "find"),
    ("draft.undo", "undo"),
    ("draft.select", "select"),
];
/// In a draft that cannot be written on.
const LOCKED: [(&str, &str); 4] = [
    ("draft.convert", "convert to UTF-8"),
    ("draft.leave", "back"),
    ("draft.find", "find"),
    ("draft.select", "select"),
];
/// In the drawer.
const DRAWER: [(&str, &str); 3] = [
    ("pane.right", "sessions"),
    ("session.new", "new session"),
    ("collection.new", "new collection"),
];
/// The same on a collection of the archive.
const SHELVED: [(&str, &str); 2] = [
    ("collection.archive", "bring back"),
    ("pane.right", "sessions"),
];
/// While words of it are looked for.
const FINDING: [(&str, &str); 4] = [
    ("find.next", "next"),
    ("find.previous", "before"),
    ("find.with", "replace"),
    ("find.close", "done"),
];

/// While others are written that take their place.
const REPLACING: [(&str, &str); 4] = [
    ("find.all", "replace all"),
    ("find.next", "this one"),
    ("find.with", "find"),
    ("find.close", "done"),
];
/// In the draft, with words selected.
const SELECTED: [(&str, &str); 4] = [
    ("window.break", "copy"),
    ("draft.cut", "cut"),
    ("draft.leave", "back"),
    ("draft.select", "select more"),
];

/// Names of commands with the word the hint uses, most useful first; and how many of them come before the way to
/// all others.
fn wanted(app: &App) -> (Vec<(&'static str, &'static str)>, usize) {
    let mut out: Vec<(&str, &str)> = Vec::new();
    match app.pane {
        Pane::Composer if app.is_writing() => {
            out.extend([
                ("composer.send", "send"),
                ("composer.send_to_variant", "try as a variant"),
                ("composer.line", "new line"),
            ]);
        }
        Pane::Composer if app.is_held() => out.extend([
            ("composer.send", "let them run"),
            ("composer.leave", "read"),
        ]),
        Pane::Composer if app.failed_here() => out.extend([
            ("composer.earlier", "the prompt again"),
            ("composer.leave", "read"),
        ]),
        Pane::Composer => out.extend([
            ("composer.send", "send"),
            ("composer.to_list", "sessions"),
            ("composer.leave", "read"),
        ]),
        Pane::Transcript if app.is_held() => out.extend([
            ("queue.show", "prompts that wait"),
            ("pane.compose", "write"),
            ("page.copy", "copy"),
        ]),
        Pane::Transcript => out.extend([
            ("pane.compose", "write"),
            ("draft.open", "draft"),
            ("page.copy", "copy"),
            ("draft.put_reply", "into the draft"),
            ("session.fork", "a variant from here"),
        ]),
        Pane::List => out.extend(LIST),
        Pane::Draft => out.extend(in_draft(app)),
        Pane::View => out.extend(views::of(app)),
        Pane::Drawer if app.is_on_archived() => out.extend(SHELVED),
        Pane::Drawer => out.extend(DRAWER),
    }
    let first = ways_out(app, &mut out);
    out.push(("window.close", "close"));
    out.extend([("palette.open", "commands"), ("help.open", "keys")]);
    // Sending is named before there is anything to send: it is what the place is for.
    let sends = |name: &str| name == "composer.send" && !app.is_reading();
    // On a page that is not begun there is nothing to read.
    out.retain(|(name, _)| *name != "composer.leave" || app.desks.at().is_some());
    out.retain(|(name, _)| sends(name) || *name != "composer.send" && app.can(name));
    (out, first)
}

/// What can be done in the draft as it stands.
fn in_draft(app: &App) -> [(&'static str, &'static str); 4] {
    let draft = app.draft_here();
    match draft.and_then(|d| d.finding.as_ref()) {
        Some(finding) if finding.in_with => REPLACING,
        Some(_) => FINDING,
        None if draft.is_some_and(|d| d.editor.selection().is_some()) => SELECTED,
        None if draft.is_some_and(|d| d.editor.locked().is_some()) => LOCKED,
        None => DRAFT,
    }
}

/// The ways out of what stands still, and to who waits; gives back how many come before the way to all others.
fn ways_out(app: &App, out: &mut Vec<(&'static str, &'static str)>) -> usize {
    if app.pane == Pane::View {
        return match app.view() {
            Some(View::Compare(_) | View::Versions(_) | View::Changes(_)) => DOES,
            _ => 2,
        };
    }
    let open = app.at_hand() == app.desks.at();
    let silent = open && app.runs_here() && app.silence().is_some();
    let ended = app.row_at_hand().map(|r| r.state);
    let cut = matches!(ended, Some(State::Lost | State::Interrupted));
    let mut first = if silent || cut { 2 } else { 1 };
    // What is being written may be tried as a variant: that is what is said first.
    let at = match out.get(1) {
        Some(("composer.send_to_variant", _)) => 2,
        _ => 1,
    };
    if app.would_copy() {
        if !out.iter().any(|(name, _)| *name == "window.break") {
            out.insert(at, ("window.break", "copy"));
        }
    } else if silent {
        let ways = [("window.break", "stop"), ("turn.again", "try again")];
        out.splice(0..0, ways);
    } else if app.runs_at_hand() {
        out.insert(out.len().min(1), ("window.break", "stop"));
        first = 2;
    } else {
        out.insert(at, ("turn.again", "go on from here"));
    }
    if app.rows.tally_of(&Shelf::All).needs_you > 0 {
        out.insert(at + 1, ("go.needs_me", "who needs you"));
    }
    first
}

/// Keys and what they do, most useful first; and how many of them come before the way to all others. A box above the
/// panes takes every key: only its own are named then, and most have them at their foot.
fn shown(app: &App) -> (Vec<(String, &'static str)>, usize) {
    if let Some(layer) = app.layer() {
        let own = layer.hints().iter();
        return (
            own.map(|(key, word)| ((*key).to_owned(), *word)).collect(),
            1,
        );
    }
    let takes_out = app.takes_out();
    let shown = |(name, word)| match name {
        "compare.take" if takes_out => Some((app.key_of_here(name)?, "take out")),
        name => Some((app.key_of_here(name)?, word)),
    };
    let (wanted, first) = wanted(app);
    (wanted.into_iter().filter_map(shown).collect(), first)
}

/// The hints that fit into a number of cells, with the keys as they are bound.
pub fn line(app: &App, theme: &Theme, room: usize) -> Line<'static> {
    let (hints, first) = shown(app);
    let fits = fitting(&hints, first, room);
    let mut spans: Vec<Span<'static>> = Vec::new();
    for (i, (key, word)) in hints.into_iter().enumerate() {
        if !fits.contains(&i) {
            continue;
        }
        if !spans.is_empty() {
            spans.push(Span::styled(" · ", theme.dim));
        }
        spans.push(Span::styled(key, theme.heading));
        spans.push(Span::styled(format!(" {word}"), theme.dim));
    }
    Line::from(spans)
}

/// Cells of all hints.
pub fn whole(app: &App) -> usize {
    let (hints, _) = shown(app);
    let cells = hints.iter().map(|(key, word)| width(key) + width(word) + 4);
    cells.sum()
}

/// Cells without which a message gets rows of its own: the first hint, and the way to all others.
pub fn least(app: &App) -> usize {
    let (hints, _) = shown(app);
    let last = hints.len().saturating_sub(2);
    let kept = hints.iter().take(1).chain(hints.iter().skip(last.max(1)));
    kept.map(|(key, word)| width(key) + width(word) + 4).sum()
}

/// Cells that the hints are to have before the sums of what happens everywhere get any: a view needs all its first
/// ones, and the way to all others.
pub fn due(app: &App) -> usize {
    let (hints, first) = shown(app);
    if app.pane != Pane::View || app.has_layer() {
        return least(app);
    }
    let kept = hints.iter().take(first).chain(hints.last());
    let cells = kept.map(|(key, word)| width(key) + width(word) + 4).sum();
    least(app).max(cells)
}

/// Which hints there is room for: the first ones of the place, the way to all others, then the rest.
fn fitting(hints: &[(String, &str)], first: usize, room: usize) -> Vec<usize> {
    let last = hints.len().saturating_sub(2);
    let ways = (last..hints.len()).rev();
    let order = (0..first).chain(ways).chain(first..last);
    let mut fits: Vec<usize> = Vec::new();
    let mut used = 0;
    for i in order {
        let Some((key, word)) = hints.get(i) else {
            continue;
        };
        let gap = if fits.is_empty() { 0 } else { 3 };
        let cost = gap + width(key) + 1 + word.len();
        if used + cost <= room && !fits.contains(&i) {
            used += cost;
            fits.push(i);
        }
    }
    fits
}

impl App {
    /// Whether a command can be done now.
    fn can(&self, name: &str) -> bool {
        commands::named(name).is_some_and(|c| c.why_not(self).is_none() && !c.is_typed(self))
    }

    /// Whether the collection under the cursor of the drawer is archived.
    fn is_on_archived(&self) -> bool {
        matches!(self.rows.shelf(), Shelf::Collection(id) if self.rows.is_archived(id))
    }

    /// Whether the last turn of the open session failed.
    pub(in crate::ui) fn failed_here(&self) -> bool {
        let row = self.desks.at().and_then(|s| self.rows.get(s));
        row.is_some_and(|r| r.state == State::Failed)
    }

    /// The key of a command in the place at hand.
    pub(in crate::ui) fn key_of_here(&self, name: &str) -> Option<String> {
        self.key_in(name, self.place())
    }

    /// The key of a command in a place.
    pub(in crate::ui) fn key_in(&self, name: &str, place: Place) -> Option<String> {
        let command = commands::named(name)?;
        let key = self.settings.keys.key_in(command, place)?;
        Some(key.shown())
    }

    /// The key of a command in the place at hand; its title where it has none there, and the key might be text.
    pub(in crate::ui) fn key_or_title(&self, name: &str) -> String {
        let title = || commands::named(name).map_or("", |c| c.title);
        let key = self.key_of_here(name);
        key.unwrap_or_else(|| format!("“{}”", title()))
    }

    /// What undoes a deed, as it is said behind one.
    pub(in crate::ui) fn undoes(&self) -> String {
        let key = self.key_here("session.undo", "compare.undo");
        format!("{key} undoes it.")
    }

    /// What does a deed again, as it is said behind one that was undone.
    pub(in crate::ui) fn does_again(&self) -> String {
        let key = self.key_here("session.redo", "compare.redo");
        format!("{key} does it again.")
    }

    /// The key of a command, or of the one that does the same in a view.
    fn key_here(&self, name: &str, in_view: &str) -> String {
        let here = self.key_of_here(name);
        let key = here.or_else(|| self.key_of_here(in_view));
        key.unwrap_or_else(|| self.key_or_title(name))
    }

    /// The key of a command where it has one, for texts that name it.
    pub(in crate::ui) fn key_of(&self, name: &str) -> String {
        let find = |command| {
            let keys = &self.settings.keys;
            let places = [
                Place::List,
                Place::Transcript,
                Place::Composer,
                Place::Drawer,
                Place::Question,
                Place::Draft,
                Place::Find,
                Place::Compare,
                Place::Others,
                Place::Versions,
                Place::Changes,
                Place::Collection,
            ];
            places.into_iter().find_map(|p| keys.key_in(command, p))
        };
        let key = commands::named(name).and_then(find);
        key.map_or_else(|| "the palette".to_owned(), Key::shown)
    }
}

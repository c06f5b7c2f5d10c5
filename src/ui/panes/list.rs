//! The list of sessions.

mod about;
mod cells;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{drawer, empty, headed, inset, row, title_style};
use crate::text::{one_line, thousands};
use crate::ui::app::App;
use crate::ui::focus::Pane;
use crate::ui::ground::Spot;
use crate::ui::layers::pick::in_view;
use crate::ui::rows::{Shelf, Sort};
use crate::ui::theme::Theme;

/// The sign before what is looked for.
pub const MARK: &str = "/ ";

/// Draws the list.
pub fn draw(area: Rect, buf: &mut Buffer, app: &App) {
    let theme = &app.settings.theme;
    let here = app.pane == Pane::List;
    app.ground.lay(area, Spot::List);
    title(inset(head(area)), buf, app);
    let (_, rest) = headed(area);
    if app.rows.is_empty() && app.has_host() {
        empty(inset(rest), buf, theme, &nothing(app));
    }
    let rest = about::draw(rest, buf, app);
    let at = app.rows.index();
    let many = rest.height as usize;
    let top = in_view(at.saturating_sub(many / 2), at, many, app.rows.len());
    for (i, line) in (top..app.rows.len()).zip(rest.rows()) {
        match app.rows.order().get(i) {
            Some(session) => {
                cells::draw(line, buf, app, *session);
                app.ground.lay(line, Spot::Session(*session));
            }
            None => fold(line, buf, app, i - app.rows.order().len()),
        }
        if i == at && here {
            buf.set_style(line, theme.selected);
        }
    }
}

/// Where the list's title stands.
pub fn head(area: Rect) -> Rect {
    headed(area).0
}

/// Title, or what the list is filtered by; its sums and its order.
fn title(at: Rect, buf: &mut Buffer, app: &App) {
    let theme = &app.settings.theme;
    let style = title_style(theme, app.pane == Pane::List);
    if !app.rows.filter().is_empty() {
        let text = one_line(app.rows.filter());
        let left = vec![Span::styled(MARK, theme.accent), Span::styled(text, style)];
        let right = Line::from(Span::styled(found(app), theme.dim));
        return row(at, buf, Line::from(left), &right);
    }
    let title = one_line(app.rows.title(app.rows.shelf()));
    let left = Line::from(Span::styled(title, style));
    row(at, buf, left, &sums(app, theme));
}

/// How many of how many fit the filter.
pub fn found(app: &App) -> String {
    let all = thousands(app.rows.tally().sessions as u64);
    if app.rows.filter().is_empty() {
        return all;
    }
    let fit = thousands(app.rows.fitting() as u64);
    format!("{fit} of {all}")
}

fn sums(app: &App, theme: &Theme) -> Line<'static> {
    let tally = app.rows.tally();
    let sort = app.rows.sort();
    let order = (sort != Sort::Need).then(|| format!("by {}", sort.word()));
    let many = (tally.sessions > 0).then(|| thousands(tally.sessions as u64));
    let words =
        (tally.words > 0 && order.is_none()).then(|| format!("{} words", thousands(tally.words)));
    let parts: Vec<String> = [order, many, words].into_iter().flatten().collect();
    Line::from(Span::styled(parts.join(" · "), theme.dim))
}

/// A folded collection: its title, and what happens in it.
fn fold(line: Rect, buf: &mut Buffer, app: &App, i: usize) {
    let theme = &app.settings.theme;
    let Some((collection, tally)) = app.rows.folded().get(i) else {
        return;
    };
    let title = one_line(app.rows.collection_title(collection));
    let left = Line::from(vec![
        Span::styled("▸ ", theme.dim),
        Span::styled(title, theme.base),
        Span::styled(format!("  {}", thousands(tally.sessions as u64)), theme.dim),
    ]);
    let room = (line.width / 2) as usize;
    row(inset(line), buf, left, &drawer::badges(*tally, room, theme));
}

fn nothing(app: &App) -> Vec<String> {
    let key = |name| app.key_of(name);
    if !app.rows.filter().is_empty() {
        return vec![
            "No session fits.".to_owned(),
            format!("{} looks in all texts.", key("list.filter")),
            String::new(),
            format!("{} shows all again.", key("list.all")),
        ];
    }
    match app.rows.shelf() {
        Shelf::All => vec![
            "Your sessions will stand here.".to_owned(),
            String::new(),
            match app.pane {
                Pane::Composer => "What you write begins one.".to_owned(),
                _ => format!("{} begins one.", key("session.new")),
            },
        ],
        Shelf::Collection(_) => vec![
            "Nothing lies here yet.".to_owned(),
            String::new(),
            format!("{} begins a session in it.", key("session.new")),
        ],
        Shelf::Archive => vec!["The archive is empty.".to_owned()],
        Shelf::Trash => vec!["The trash is empty.".to_owned()],
    }
}

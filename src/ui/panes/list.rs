//! The list of sessions.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{STOPPING, empty, headed, inset, row, seconds, sign, title_style, word};
use crate::domain::{Row, State};
use crate::text::{one_line, thousands};
use crate::ui::app::App;
use crate::ui::focus::Pane;
use crate::ui::ground::Spot;
use crate::ui::layers::pick::in_view;
use crate::ui::rows::Shelf;
use crate::ui::theme::Theme;

/// From this width on, a row shows its state and its words.
const BOTH_FROM: u16 = 44;

/// Draws the list.
pub fn draw(area: Rect, buf: &mut Buffer, app: &App) {
    let theme = &app.settings.theme;
    let here = app.pane == Pane::List;
    app.ground.lay(area, Spot::List);
    let (head, rest) = headed(area);
    let title = one_line(app.rows.title(app.rows.shelf()));
    let left = Line::from(Span::styled(title, title_style(theme, here)));
    row(inset(head), buf, left, &sums(app, theme));
    let order = app.rows.order();
    if order.is_empty() && app.has_host() {
        empty(inset(rest), buf, theme, &nothing(app));
    }
    let at = app.rows.index();
    let rows = rest.height as usize;
    let top = in_view(at.saturating_sub(rows / 2), at, rows, order.len());
    for ((i, session), line) in order.iter().enumerate().skip(top).zip(rest.rows()) {
        let Some(found) = app.rows.get(*session) else {
            continue;
        };
        let open = app.desks.at() == Some(*session);
        let both = line.width >= BOTH_FROM;
        let state = doing(app, found, both);
        let (left, right) = cells(found, (open, state), both, theme);
        row(inset(line), buf, left, &right);
        app.ground.lay(line, Spot::Session(*session));
        if i == at && here {
            buf.set_style(line, theme.selected);
        }
    }
}

fn sums(app: &App, theme: &Theme) -> Line<'static> {
    let tally = app.rows.tally();
    let text = match (tally.sessions, tally.words) {
        (0, _) => String::new(),
        (n, 0) => n.to_string(),
        (n, words) => format!("{n} · {} words", thousands(words)),
    };
    Line::from(Span::styled(text, theme.dim))
}

fn cells(
    found: &Row,
    (open, state): (bool, Option<String>),
    both: bool,
    theme: &Theme,
) -> (Line<'static>, Line<'static>) {
    let (mark, style) = sign(found.state, theme);
    let title_style = if open { theme.accent } else { theme.base };
    let mut left = vec![
        Span::styled(mark, style),
        Span::raw(" "),
        Span::styled(one_line(&found.title), title_style),
    ];
    if !found.tags.is_empty() {
        let tags = one_line(&found.tags.join(" #"));
        left.push(Span::styled(format!("  #{tags}"), theme.dim));
    }
    if found.trouble.is_some() {
        left.insert(2, Span::styled("⚠ ", theme.warn));
    }
    let words = (found.words > 0).then(|| format!("{} w", thousands(found.words)));
    let state = state.map(|w| Span::styled(w, style));
    let mut right: Vec<Span> = state.into_iter().collect();
    if right.is_empty() || both {
        let text = words.unwrap_or_default();
        let pad = if both { 9 } else { 0 };
        right.push(Span::styled(format!("{text:>pad$}"), theme.dim));
    }
    (Line::from(left), Line::from(right))
}

/// What a session does, in a word or two; `room` says whether there is room for two.
fn doing(app: &App, found: &Row, room: bool) -> Option<String> {
    if app.is_stopping(found.id) {
        return Some(STOPPING.to_owned());
    }
    let left = found.pause.as_ref().map_or(0, |p| p.until - app.now());
    if left > 0 {
        return Some(format!("waiting {}", seconds(left)));
    }
    let state = word(found.state)?;
    let Some(recipe) = found.recipe.as_ref().filter(|r| r.at > 0) else {
        return Some(state.to_owned());
    };
    let step = format!("{}/{}", recipe.at, recipe.of);
    Some(match found.state {
        State::Writing if !room => step,
        State::Queued if recipe.paused.is_some() => format!("waits {step}"),
        _ => format!("{state} {step}"),
    })
}

fn nothing(app: &App) -> Vec<String> {
    let key = |name| app.key_of(name);
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

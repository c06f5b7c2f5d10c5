//! One session's row: what matters least goes first where it is narrow.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::{Row, SessionId, State};
use crate::text::{one_line, thousands, width};
use crate::ui::app::App;
use crate::ui::panes::{STOPPING, age, inset, row, seconds, sign, word};

/// From this width on, a row shows how long ago it changed.
const AGE_FROM: u16 = 34;
/// From this width on, it shows its state and its words.
const BOTH_FROM: u16 = 44;
/// Cells of words and of age, with the space before.
const WORDS: usize = 9;
const AGE: usize = 5;

/// Draws the row of a session.
pub(super) fn draw(line: Rect, buf: &mut Buffer, app: &App, session: SessionId) {
    let Some(found) = app.rows.get(session) else {
        return;
    };
    let right = right(app, found, line.width);
    let at = inset(line);
    let taken: usize = right.spans.iter().map(|s| width(&s.content)).sum();
    let room = (at.width as usize).saturating_sub(taken + 1);
    row(at, buf, left(app, found, room), &right);
}

/// Sign, title, and the tags that there is room for.
fn left(app: &App, found: &Row, room: usize) -> Line<'static> {
    let theme = &app.settings.theme;
    let (mark, style) = sign(found.state, theme);
    let open = app.desks.at() == Some(found.id);
    let title_style = if open { theme.accent } else { theme.base };
    let mut left = vec![Span::styled(mark, style), Span::raw(" ")];
    if found.trouble.is_some() {
        left.push(Span::styled("⚠ ", theme.warn));
    }
    left.push(Span::styled(one_line(&found.title), title_style));
    let mut used: usize = left.iter().map(|s| width(&s.content)).sum();
    for tag in &found.tags {
        let tag = format!("  #{}", one_line(tag));
        used += width(&tag);
        if used > room {
            break;
        }
        left.push(Span::styled(tag, theme.dim));
    }
    Line::from(left)
}

/// What it does, its words, its age.
fn right(app: &App, found: &Row, cols: u16) -> Line<'static> {
    let theme = &app.settings.theme;
    let both = cols >= BOTH_FROM;
    let mut right: Vec<Span<'static>> = Vec::new();
    if let Some(state) = doing(app, found, both) {
        right.push(Span::styled(state, sign(found.state, theme).1));
    }
    if right.is_empty() || both {
        let words = (found.words > 0).then(|| format!("{} w", thousands(found.words)));
        let pad = if both { WORDS } else { 0 };
        let words = words.unwrap_or_default();
        right.push(Span::styled(format!("{words:>pad$}"), theme.dim));
    }
    if cols >= AGE_FROM {
        // What writes changes all the time.
        let writes = found.state == State::Writing;
        let age = (!writes).then(|| age(app.now() - found.updated));
        let age = age.unwrap_or_default();
        right.push(Span::styled(format!("{age:>AGE$}"), theme.dim));
    }
    Line::from(right)
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
    let state = match found.state {
        State::Queued if found.held => "held",
        state => word(state)?,
    };
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

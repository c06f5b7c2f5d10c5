//! One session's row: what matters least goes first where it is narrow.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::{Row, SessionId, State};
use crate::text::{one_line, thousands, width};
use crate::ui::app::App;
use crate::ui::panes::{MAIN, STOPPING, age, cut, drawer, inset, row, seconds, sign, word};
use crate::ui::rows::Branch;

/// From this width on, a row shows how long ago it changed.
const AGE_FROM: u16 = 34;
/// From this width on, it shows its state and its words.
const BOTH_FROM: u16 = 44;
/// Before the one that is marked to be compared with.
const MARKED: &str = "◆ ";
/// Behind one that waits to become the main line.
const TO_BE: &str = " ☆";
/// Behind the first of a family whose main line is in the archive.
const ARCHIVED: &str = " · ★ in archive";
/// Cells of words and of age, with the space before.
const WORDS: usize = 9;
const AGE: usize = 5;
/// Cells for what happens in folded variants.
const BADGES: usize = 12;

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

/// Its place in its family, sign, title, and the tags that there is room for.
fn left(app: &App, found: &Row, room: usize) -> Line<'static> {
    let theme = &app.settings.theme;
    let (mark, style) = sign(found.state, theme);
    let open = app.desks.at() == Some(found.id);
    let branch = app.rows.branch(found.id);
    let title_style = match branch {
        _ if open => theme.accent,
        Some(branch) if branch.context => theme.dim,
        _ => theme.base,
    };
    let lead = branch.map_or("", |b| &b.lead).to_owned();
    let below = !lead.is_empty();
    let mut left = vec![
        Span::styled(lead, theme.rule),
        Span::styled(mark, style),
        Span::raw(" "),
    ];
    if found.trouble.is_some() || found.draft_trouble.is_some() {
        left.push(Span::styled("⚠ ", theme.warn));
    }
    if app.rows.marked() == Some(found.id) {
        left.push(Span::styled(MARKED, theme.accent));
    }
    let mut family = family(app, found, branch);
    if !below && app.rows.is_main_archived(found) {
        family.insert(0, Span::styled(ARCHIVED, theme.dim));
    }
    let cells = |spans: &[Span<'_>]| spans.iter().map(|s| width(&s.content)).sum::<usize>();
    let free = room.saturating_sub(cells(&left) + cells(&family));
    let title = if below {
        one_line(app.rows.name_of(found))
    } else {
        app.rows.title_in(found, free)
    };
    // The star and what happens below it are seen however long the title is.
    let title = if family.is_empty() {
        title
    } else {
        cut(&title, free)
    };
    left.push(Span::styled(title, title_style));
    left.extend(family);
    let mut used = cells(&left);
    let own = own_name(app, found, below).into_iter();
    let stage = app.rows.stage_of(found).map(|s| format!("  {}", s.word()));
    for more in own
        .chain(stage)
        .chain(found.tags.iter().map(|t| format!("  #{}", one_line(t))))
    {
        used += width(&more);
        if used > room {
            break;
        }
        left.push(Span::styled(more, theme.dim));
    }
    Line::from(left)
}

/// The star of a main line or of one that waits to become it, and what is folded away below it.
fn family(app: &App, found: &Row, branch: Option<&Branch>) -> Vec<Span<'static>> {
    let theme = &app.settings.theme;
    let mut out = Vec::new();
    if app.rows.is_main(found.id) {
        out.push(Span::styled(MAIN, theme.accent));
    } else if found.kin.waits.is_some() {
        out.push(Span::styled(TO_BE, theme.accent));
    }
    if let Some(away) = branch.and_then(|b| b.folded) {
        let many = thousands(away.sessions as u64);
        out.push(Span::styled(format!("  +{many} "), theme.dim));
        out.extend(drawer::badges(away, BADGES, theme));
    }
    out
}

/// The name of a variant that is the main line, and therefore shown by the title of the piece.
fn own_name(app: &App, found: &Row, below: bool) -> Option<String> {
    let hidden = !below && found.kin.is_variant() && app.rows.is_main(found.id);
    hidden.then(|| format!("  {}", one_line(&found.title)))
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
        let target = app.rows.target_of(found);
        let some = found.words > 0 || target.is_some();
        let words = some.then(|| match target {
            Some(of) => format!("{}/{} w", thousands(found.words), thousands(of)),
            None => format!("{} w", thousands(found.words)),
        });
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
        // Opening it does not answer it.
        State::Idle | State::Unread if found.proposed.is_some() => "proposal",
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

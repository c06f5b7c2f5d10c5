//! The drawer: shelves, with what happens on each.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{cut_path, headed, inset, row, sign, title_style};
use crate::domain::State;
use crate::text::{counted, one_line, width};
use crate::ui::app::App;
use crate::ui::focus::Pane;
use crate::ui::ground::Spot;
use crate::ui::layers::pick::in_view;
use crate::ui::rows::{Shelf, Tally};
use crate::ui::theme::Theme;

/// The sign of proposals for the memory that wait.
pub const PROPOSED: &str = "+";

/// Cells of a title that is cut, at least.
const TITLE_MIN: usize = 6;

/// Draws the drawer.
pub fn draw(area: Rect, buf: &mut Buffer, app: &App) {
    let theme = &app.settings.theme;
    let here = app.pane == Pane::Drawer;
    app.ground.lay(area, Spot::Drawer);
    let (head, rest) = headed(area);
    let head = inset(head);
    let name = cut_path(&one_line(&app.settings.workspace), head.width as usize);
    let name = Span::styled(name, title_style(theme, here));
    row(head, buf, Line::from(name), &Line::default());
    let shelves = app.rows.shelves();
    let at = shelves
        .iter()
        .position(|s| s.0 == *app.rows.shelf())
        .unwrap_or(0);
    let top = in_view(0, at, rest.height as usize, shelves.len());
    offer(rest, shelves.len(), buf, app);
    for (i, (shelf, tally)) in shelves
        .iter()
        .enumerate()
        .skip(top)
        .take(rest.height as usize)
    {
        let Some(line) = rest.rows().nth(i - top) else {
            break;
        };
        app.ground.lay(line, Spot::Shelf(shelf.clone()));
        let style = if i == at { theme.accent } else { theme.base };
        let title = one_line(app.rows.title(shelf));
        let at_row = inset(line);
        // A long title of the writer's is cut: what happens there is seen whole.
        let least = match shelf {
            Shelf::Collection(_) => width(&title).min(TITLE_MIN) + 1,
            _ => width(&title) + 1,
        };
        let room = (at_row.width as usize).saturating_sub(least);
        let archived = matches!(shelf, Shelf::Collection(id) if app.rows.is_archived(id));
        let counts = if archived {
            Line::from(Span::styled("archived", theme.dim))
        } else {
            counts(*tally, room, theme)
        };
        row(at_row, buf, Line::from(Span::styled(title, style)), &counts);
        if i == at && here {
            buf.set_style(line, theme.selected);
        }
    }
}

/// A folder that could be a collection, at the foot where there is room.
fn offer(area: Rect, shelves: usize, buf: &mut Buffer, app: &App) {
    let Some((_, many)) = app.loose() else {
        return;
    };
    let theme = &app.settings.theme;
    let at = inset(area);
    let (take, leave) = (
        app.key_of("collection.take_in"),
        app.key_of("collection.leave"),
    );
    let lines = [
        format!("{}: {}", app.loose_name(), counted(*many, "file")),
        format!("{take} takes them in"),
        format!("{leave} leaves them"),
    ];
    let free = (area.height as usize).saturating_sub(shelves + 1);
    if lines.len() > free {
        return;
    }
    let rows = at.rows().skip(area.height as usize - lines.len());
    for (text, line) in lines.into_iter().zip(rows) {
        let text = Line::from(Span::styled(text, theme.dim));
        row(line, buf, text, &Line::default());
    }
}

/// What happens on a shelf, else how many sessions there are.
fn counts(tally: Tally, room: usize, theme: &Theme) -> Line<'static> {
    let line = badges(tally, room, theme);
    if line.spans.is_empty() && tally.sessions > 0 {
        return Line::from(Span::styled(tally.sessions.to_string(), theme.dim));
    }
    line
}

/// `!1 ●2 ✗1 ✓1 +2`, as many as there is room for, the first in any case.
pub fn badges(tally: Tally, room: usize, theme: &Theme) -> Line<'static> {
    let mut spans: Vec<Span<'static>> = Vec::new();
    let mut used = 0;
    let states = [
        (tally.needs_you, State::NeedsYou),
        (tally.writing, State::Writing),
        (tally.failed, State::Failed),
        (tally.unread, State::Unread),
    ];
    let states = states.map(|(n, state)| (n, sign(state, theme)));
    let proposals = (tally.proposals, (PROPOSED, theme.accent));
    for (n, (mark, style)) in states.into_iter().chain([proposals]) {
        let text = format!("{mark}{n}");
        let gap = usize::from(!spans.is_empty());
        let wanted = used + gap + width(&text);
        if n == 0 || gap > 0 && wanted > room {
            continue;
        }
        used = wanted;
        if gap > 0 {
            spans.push(Span::raw(" "));
        }
        spans.push(Span::styled(text, style));
    }
    Line::from(spans)
}

//! What stands below the list while the writer is in it: the question of the session under the cursor with the keys
//! that answer it, else figures of that session.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::Row;
use crate::text::{counted, one_line, wrap};
use crate::ui::app::App;
use crate::ui::focus::Pane;
use crate::ui::panes::{age, inset, row, strip};
use crate::ui::rows::Shelf;
use crate::ui::spent;

/// Rows of it, an empty one before them included.
const ROWS: u16 = 4;
/// Cells of the words at which a variant was forked.
const POINT: usize = 32;
/// A list with fewer rows keeps them for sessions.
const FROM: u16 = 12;

/// Draws it, and gives the room that is left for the list.
pub(super) fn draw(area: Rect, buf: &mut Buffer, app: &App) -> Rect {
    if app.pane != Pane::List || area.height < FROM || app.rows.cursor().is_none() {
        return area;
    }
    let left = Rect {
        height: area.height - ROWS,
        ..area
    };
    let at = Rect {
        y: left.bottom() + 1,
        height: ROWS - 1,
        ..area
    };
    for (line, at) in lines(app, inset(at).width as usize)
        .into_iter()
        .zip(at.rows())
    {
        row(inset(at), buf, line, &Line::default());
    }
    left
}

fn lines(app: &App, cols: usize) -> Vec<Line<'static>> {
    let theme = &app.settings.theme;
    if let Some((_, question)) = app.question() {
        let what = format!("! {}", one_line(&question.what));
        let mut out = wrapped(&what, cols, 2, theme.warn);
        out.push(strip::answers(app, theme, cols));
        return out;
    }
    let row = app.rows.cursor().and_then(|s| app.rows.get(s));
    let figures = row.map_or_else(Vec::new, |row| figures(app, row));
    let rows = ROWS as usize - 1;
    wrapped(&fitting(figures, cols, rows), cols, rows, theme.dim)
}

/// As many of the figures as there is room for, each of them whole.
fn fitting(mut figures: Vec<String>, cols: usize, rows: usize) -> String {
    loop {
        let text = figures.join(" · ");
        if figures.len() < 2 || wrap(&text, cols.max(1)).len() <= rows {
            return text;
        }
        figures.pop();
    }
}

fn wrapped(
    text: &str,
    cols: usize,
    rows: usize,
    style: ratatui::style::Style,
) -> Vec<Line<'static>> {
    let parts = wrap(text, cols.max(1)).into_iter().take(rows);
    parts
        .filter_map(|range| text.get(range))
        .map(|part| Line::from(Span::styled(part.trim_end().to_owned(), style)))
        .collect()
}

/// `Essays · 3 turns · 12,300 tokens · $0.42 · ctx 34 % · changed 2 h ago`.
fn figures(app: &App, row: &Row) -> Vec<String> {
    let mut out = Vec::new();
    if *app.rows.shelf() == Shelf::All {
        out.push(one_line(app.rows.collection_title(&row.collection)));
    }
    out.extend(app.told_of_fork(row, POINT));
    out.push(counted(u64::from(row.turns), "turn"));
    out.extend(spent::figures(&row.sum()));
    let context = row.spent.context;
    out.extend(context.map(|share| format!("ctx {:.0} %", share * 100.0)));
    if row.queued > 0 {
        let word = if row.held { "held" } else { "queued" };
        out.push(format!("{} {word}", row.queued));
    }
    out.push(match age(app.now() - row.updated).as_str() {
        "now" => "changed just now".to_owned(),
        age => format!("changed {age} ago"),
    });
    out
}

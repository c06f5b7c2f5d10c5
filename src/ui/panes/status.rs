//! The last line: what happens everywhere, what was said, the keys that apply here; and the first line.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{hints, inset, row, sign};
use crate::domain::State;
use crate::text::{one_line, width, wrap};
use crate::ui::app::App;
use crate::ui::layout::Edges;
use crate::ui::rows::Shelf;
use crate::ui::theme::Theme;

/// Rows a message may take.
const ROWS: usize = 3;

/// Rows that the lines at the edges need at a width.
pub fn edges(cols: u16, app: &App) -> Edges {
    let count = |text: &str| u16::try_from(lines(text, cols).len()).unwrap_or(1);
    Edges {
        top: app.top_line().map_or(0, |text| count(&text)),
        bottom: app.voice.message().map_or(1, count),
    }
}

/// A text on the rows it needs, a few at most.
fn lines(text: &str, cols: u16) -> Vec<String> {
    let text = one_line(text);
    let rows = wrap(&text, cols.saturating_sub(2).max(1) as usize);
    let parts = rows
        .into_iter()
        .take(ROWS)
        .filter_map(|range| text.get(range));
    parts.map(|part| part.trim_end().to_owned()).collect()
}

/// Draws the status: what was said, else what happens everywhere; the hints where there is room for them.
pub fn draw(area: Rect, buf: &mut Buffer, app: &App) {
    let theme = &app.settings.theme;
    let said = app.voice.message().map(|text| lines(text, area.width));
    let mut rows: Vec<Line<'_>> = match said.as_deref() {
        Some([line]) => vec![beside(line, area.width, app, theme)],
        Some(lines) => lines.iter().map(|l| Line::from(l.clone())).collect(),
        None => vec![sums(app, theme)],
    };
    let last = rows.pop().unwrap_or_default();
    let mut at = area.rows().map(inset);
    for (line, at) in rows.into_iter().zip(&mut at) {
        row(at, buf, line, &Line::default());
    }
    if let Some(at) = at.next() {
        let used: usize = last.spans.iter().map(|s| width(&s.content)).sum();
        let room = (at.width as usize).saturating_sub(used + 3);
        row(at, buf, last, &hints::line(app, theme, room));
    }
}

/// A message behind what happens everywhere, or behind the sign that somebody needs the writer, or alone, as
/// there is room.
fn beside(message: &str, cols: u16, app: &App, theme: &Theme) -> Line<'static> {
    let needs = app.rows.tally_of(&Shelf::All).needs_you;
    let (mark, style) = sign(State::NeedsYou, theme);
    let few = (needs > 0).then(|| Line::from(Span::styled(format!("{mark} {needs}"), style)));
    let room = (cols as usize).saturating_sub(2);
    let fits = |line: &Line<'_>| {
        let used: usize = line.spans.iter().map(|s| width(&s.content)).sum();
        used > 0 && used + 3 + width(message) <= room
    };
    let before = std::iter::once(sums(app, theme)).chain(few).find(fits);
    let mut line = before.unwrap_or_default();
    if !line.spans.is_empty() {
        line.spans.push(Span::styled(" · ", theme.dim));
    }
    line.spans.push(Span::raw(message.to_owned()));
    line
}

/// `● 3 writing  ! 1 needs you  1 queued  $0.42`.
fn sums(app: &App, theme: &Theme) -> Line<'static> {
    if app.is_starting() {
        return Line::from(Span::styled("The host is starting…", theme.dim));
    }
    let tally = app.rows.tally_of(&Shelf::All);
    let mut spans: Vec<Span<'static>> = Vec::new();
    let states = [
        (tally.writing, State::Writing, "writing"),
        (
            tally.needs_you,
            State::NeedsYou,
            if tally.needs_you == 1 {
                "needs you"
            } else {
                "need you"
            },
        ),
        (tally.queued, State::Queued, "queued"),
    ];
    for (n, state, word) in states.into_iter().filter(|s| s.0 > 0) {
        let (mark, style) = sign(state, theme);
        gap(&mut spans);
        spans.push(Span::styled(mark, style));
        spans.push(Span::raw(format!(" {n} {word}")));
    }
    if let Some(cost) = tally.cost.filter(|c| *c >= 0.005) {
        gap(&mut spans);
        spans.push(Span::styled(format!("${cost:.2}"), theme.dim));
    }
    Line::from(spans)
}

fn gap(spans: &mut Vec<Span<'static>>) {
    if !spans.is_empty() {
        spans.push(Span::raw("  "));
    }
}

/// Draws the lines at the top.
pub fn draw_top(area: Rect, buf: &mut Buffer, app: &App) {
    let theme = &app.settings.theme;
    let style = if app.voice.is_trouble() {
        theme.warn
    } else {
        theme.accent
    };
    let text = app.top_line().unwrap_or_default();
    for (line, at) in lines(&text, area.width).into_iter().zip(area.rows()) {
        let line = Line::from(Span::styled(line, style));
        row(inset(at), buf, line, &Line::default());
    }
}

impl App {
    /// What stands on the first line.
    fn top_line(&self) -> Option<String> {
        self.voice.top(self.cut_line())
    }
}

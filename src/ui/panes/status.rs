//! The last line: what happens everywhere, what was said, the keys that apply here; and the first line.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::drawer::PROPOSED;
use super::{hints, inset, line_width, row, sign};
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
    let rows = |n: usize| u16::try_from(n).unwrap_or(1);
    Edges {
        top: app
            .top_line()
            .map_or(0, |text| rows(lines(&text, cols).len())),
        bottom: rows(bottom(cols, app).len()),
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

/// Draws the status: what was said, what happens everywhere, and the hints behind it.
pub fn draw(area: Rect, buf: &mut Buffer, app: &App) {
    let theme = &app.settings.theme;
    let mut rows = bottom(area.width, app);
    let last = rows.pop().unwrap_or_default();
    let mut at = area.rows().map(inset);
    for (line, at) in rows.into_iter().zip(&mut at) {
        row(at, buf, line, &Line::default());
    }
    if let Some(at) = at.next() {
        let room = (at.width as usize).saturating_sub(line_width(&last) + 3);
        row(at, buf, last, &hints::line(app, theme, room));
    }
}

/// The rows at the bottom, the last of them without its hints. A message that would take their room has rows of its
/// own above them.
fn bottom(cols: u16, app: &App) -> Vec<Line<'static>> {
    let theme = &app.settings.theme;
    let Some(message) = app.voice.message() else {
        return vec![fitting(cols, app, theme)];
    };
    let message = one_line(message);
    if let Some(line) = beside(&message, cols, app, theme) {
        return vec![line];
    }
    let said = lines(&message, cols).into_iter().map(Line::from);
    said.chain([fitting(cols, app, theme)]).collect()
}

/// A message behind what happens everywhere, or behind the sign that somebody needs the writer, or alone, as
/// there is room beside the hints; none when there is not.
fn beside(message: &str, cols: u16, app: &App, theme: &Theme) -> Option<Line<'static>> {
    let room = (cols as usize).saturating_sub(hints::least(app) + 4);
    let fits = |line: &Line<'_>| {
        let used = line_width(line);
        let gap = if used > 0 { 3 } else { 0 };
        used + gap + width(message) <= room
    };
    let ways = [sums(app, theme, true), few(app, theme), Line::default()];
    let mut line = ways.into_iter().find(fits)?;
    if !line.spans.is_empty() {
        line.spans.push(Span::styled(" · ", theme.dim));
    }
    line.spans.push(Span::raw(message.to_owned()));
    Some(line)
}

/// What happens everywhere, as much of it as leaves room for the hints.
fn fitting(cols: u16, app: &App, theme: &Theme) -> Line<'static> {
    let room = (cols as usize).saturating_sub(hints::due(app) + 4);
    let ways = [sums(app, theme, true), sums(app, theme, false)];
    let fits = |line: &Line<'_>| line_width(line) <= room;
    ways.into_iter()
        .find(fits)
        .unwrap_or_else(|| few(app, theme))
}

/// The signs that somebody needs the writer, and that proposals wait.
fn few(app: &App, theme: &Theme) -> Line<'static> {
    let needs = app.rows.tally_of(&Shelf::All).needs_you;
    let (mark, style) = sign(State::NeedsYou, theme);
    let text = format!("{mark} {needs}");
    let mut spans: Vec<_> = (needs > 0)
        .then(|| Span::styled(text, style))
        .into_iter()
        .collect();
    let proposals = app.rows.tally_of(&Shelf::All).proposals;
    if proposals > 0 {
        gap(&mut spans);
        let text = format!("{PROPOSED} {proposals}");
        spans.push(Span::styled(text, theme.accent));
    }
    Line::from(spans)
}

/// `● 3 writing  ! 1 needs you  1 queued  $0.42 today`, with or without the money.
fn sums(app: &App, theme: &Theme, money: bool) -> Line<'static> {
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
    if tally.proposals > 0 {
        gap(&mut spans);
        spans.push(Span::styled(PROPOSED, theme.accent));
        let many = tally.proposals;
        spans.push(Span::raw(format!(" {many} proposed")));
    }
    if let Some(today) = app.spent_today().filter(|_| money) {
        gap(&mut spans);
        spans.push(Span::styled(today, theme.dim));
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

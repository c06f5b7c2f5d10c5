//! The last line: what happens everywhere, what was said, the keys that apply here; and the first line.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::drawer::PROPOSED;
use super::{cut, hints, inset, line_width, row, sign};
use crate::domain::State;
use crate::text::{one_line, width, wrap};
use crate::ui::app::App;
use crate::ui::compare::View;
use crate::ui::focus::Pane;
use crate::ui::layout::Edges;
use crate::ui::rows::Shelf;
use crate::ui::theme::Theme;

/// Rows a message may take.
const ROWS: usize = 3;
/// Behind what is not all of it. “What was said” among the commands shows the whole.
const MORE: &str = " …";

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

/// A text on the rows it needs, a few at most. Where that is not all of it, the last says so, behind a whole word.
fn lines(text: &str, cols: u16) -> Vec<String> {
    let text = one_line(text);
    let room = cols.saturating_sub(2).max(1) as usize;
    let rows = wrap(&text, room);
    let left_out = rows.len() > ROWS;
    let parts = rows.into_iter().take(ROWS);
    let parts = parts.filter_map(|range| text.get(range));
    let mut lines: Vec<String> = parts.map(|part| part.trim_end().to_owned()).collect();
    if let Some(last) = lines.last_mut().filter(|_| left_out) {
        *last = left_off(last, room);
    }
    lines
}

/// As many words of a line as leave room for a sign that more follows.
fn left_off(line: &str, room: usize) -> String {
    let mut words = line;
    while width(words) + width(MORE) > room {
        match words.rsplit_once(' ') {
            Some((before, _)) => words = before.trim_end(),
            None => return cut(line, room),
        }
    }
    format!("{words}{MORE}")
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
    let ways = [
        sums(app, theme, Money::Sum),
        few(app, theme),
        Line::default(),
    ];
    let mut line = ways.into_iter().find(fits)?;
    if !line.spans.is_empty() {
        line.spans.push(Span::styled(" · ", theme.dim));
    }
    line.spans.push(Span::raw(message.to_owned()));
    Some(line)
}

/// What happens everywhere, as much of it as leaves room for the hints: tokens, and that what was spent is not known, only
/// where all of them have theirs.
fn fitting(cols: u16, app: &App, theme: &Theme) -> Line<'static> {
    let due = hints::due(app);
    let before_money = if app.is_spent_unknown() {
        hints::whole(app)
    } else {
        due
    };
    let fits = |(money, due): (Money, usize)| {
        let line = sums(app, theme, money);
        (line_width(&line) + due + 4 <= cols as usize).then_some(line)
    };
    let ways = [
        (Money::Whole, hints::whole(app)),
        (Money::Sum, before_money),
        (Money::Unsaid, due),
    ];
    ways.into_iter()
        .find_map(fits)
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

/// How much is told of what was spent today.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Money {
    /// With the tokens.
    Whole,
    /// In money, or else in tokens.
    Sum,
    /// Nothing.
    Unsaid,
}

/// `● 3 writing  ! 1 needs you  1 queued  $0.42 today`, with or without the money.
fn sums(app: &App, theme: &Theme, money: Money) -> Line<'static> {
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
    let today = app.spent_today(money == Money::Whole);
    if let Some(today) = today.filter(|_| money != Money::Unsaid) {
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
    let style = if app.voice.is_trouble() || app.brief_trouble().is_some() {
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
        let of_brief = self.brief_trouble().map(str::to_owned);
        let parts = [of_brief, self.voice.top(self.cut_line())];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }

    /// What is wrong with the brief of the collection whose page, sessions or words are looked at. In the list of all
    /// it is not said: the line would come and go with the cursor.
    fn brief_trouble(&self) -> Option<&str> {
        let looked_at = || match self.rows.shelf() {
            Shelf::Collection(id) => Some(id),
            _ => None,
        };
        let of = |session| self.rows.get(session).map(|row| &row.collection);
        let collection = match (self.pane, self.view()) {
            (Pane::View, Some(View::Shelf(page))) => Some(&page.collection),
            (Pane::View, Some(View::Memory(view))) => Some(&view.collection),
            (Pane::View, Some(View::File(view))) => Some(&view.collection),
            (Pane::View, Some(view)) => view.session().and_then(of),
            (Pane::Drawer | Pane::List, _) => looked_at(),
            _ => self.desks.at().map_or(self.desks.collection.as_ref(), of),
        };
        let lost = self.voice.is_lost();
        self.voice.of_brief(collection?).filter(|_| !lost)
    }

    /// All that the window says and has said, whole.
    pub(in crate::ui) fn said_whole(&self) -> String {
        let top = self.top_line();
        let all = top.iter().map(String::as_str).chain(self.voice.past());
        let all: Vec<String> = all.map(one_line).collect();
        all.join("\n\n")
    }
}

//! The draft of the open session: its title with the words counted, the text, what is to be said of it.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{empty, row, title_style};
use crate::domain::{AgentKind, SessionId};
use crate::text::{clean, one_line, thousands, width, wrap};
use crate::ui::app::App;
use crate::ui::desk::Desk;
use crate::ui::draft::{Draft, Finding, Found};
use crate::ui::focus::Pane;
use crate::ui::ground::Spot;
use crate::ui::theme::Theme;
use crate::ui::transcript::column;

/// Rows that a line below the text may take.
const SAID_MAX: usize = 3;
/// What stands at the right of a draft whose bytes are no text that can be written on.
const READ_ONLY: &str = "read only: not UTF-8";
/// What stands there while nothing is written: what the draft is, what the session's agent does to it, what is kept.
const EMPTY: [&str; 2] = [
    "The draft: the piece itself.",
    "Write here. The agent reads it and writes in it too;",
];
const MENDED: &str = "Write here. The editor reads it and mends what you tell it to;";
const KEPT: &str = "every version of it is kept.";

/// Draws the draft, and says where the caret belongs.
pub fn draw(area: Rect, buf: &mut Buffer, app: &mut App) -> Option<Position> {
    let theme = app.settings.theme;
    let text = column(area);
    let focused = app.pane == Pane::Draft && !app.has_layer();
    head(first(text), buf, app);
    let live = live(app);
    let said = said(app, &theme, live.as_ref(), text.width as usize);
    let finding = app.draft_here().is_some_and(|d| d.finding.is_some());
    let below = (said.len() + usize::from(finding) * 2).min(area.height as usize / 2);
    let below = u16::try_from(below).unwrap_or_default();
    let body = Rect {
        y: text.y + 2.min(text.height),
        height: text.height.saturating_sub(2 + below),
        ..text
    };
    let foot = Rect {
        y: body.bottom(),
        height: below.min(text.height.saturating_sub(2)),
        ..text
    };
    let session = app.desks.at()?;
    let empty_says = empty_says(app, session);
    let voice = Arc::clone(&app.desks.drafts.checks.voice);
    let Some(draft) = app.desks.drafts.get_mut(session) else {
        let early = one_line(&app.desks.drafts.early.text(session));
        let lines = [waiting(app).to_owned(), early];
        empty(body, buf, &theme, &lines);
        return None;
    };
    app.ground.lay(body, Spot::Draft);
    draft.never.take(&voice);
    let coming = live
        .and_then(|l| l.text)
        .filter(|_| app.pane != Pane::Draft);
    let caret = match coming {
        Some(text) => {
            tail(body, buf, &text, &theme);
            None
        }
        None => words(body, buf, draft, &theme, focused, &empty_says),
    };
    for (line, at) in said.into_iter().zip(foot.rows()) {
        row(at, buf, line, &Line::default());
    }
    let finding = draft.finding.as_ref().filter(|_| !foot.is_empty());
    let field = finding.and_then(|f| find(f, foot.rows().next_back()?, buf, &theme));
    field.filter(|_| focused).or(caret)
}

/// What an agent writes into the draft just now.
struct Live {
    told: String,
    /// All of it, as far as it was written.
    text: Option<String>,
}

/// The call that writes the draft of the open session, until its words are the draft here.
fn live(app: &mut App) -> Option<Live> {
    let session = app.desks.at()?;
    let behind = app.draft_here().is_some_and(Draft::is_behind);
    let desk = app.desks.get_mut(Some(session))?;
    let writing = desk.transcript.writing()?;
    if writing.done && !behind {
        return None;
    }
    Some(Live {
        told: writing.told(),
        text: writing.text.map(str::to_owned),
    })
}

/// The end of a text that grows.
fn tail(area: Rect, buf: &mut Buffer, text: &str, theme: &Theme) {
    let tall = usize::from(area.height);
    let lines: Vec<&str> = text.lines().rev().take(tall).collect();
    let lines: Vec<&str> = lines.into_iter().rev().collect();
    let text = lines.join("\n");
    let text = clean(&text);
    let rows = wrap(&text, area.width.into());
    let over = rows.len().saturating_sub(tall);
    for (range, at) in rows.into_iter().skip(over).zip(area.rows()) {
        let part = text.get(range).unwrap_or_default().trim_end();
        buf.set_stringn(at.x, at.y, part, at.width.into(), theme.base);
    }
}

fn first(area: Rect) -> Rect {
    Rect {
        height: area.height.min(1),
        ..area
    }
}

fn waiting(app: &App) -> &'static str {
    if app.has_host() {
        "The draft is being read…"
    } else {
        "The draft comes when the host is there."
    }
}

/// The session's title and the words of its draft.
fn head(area: Rect, buf: &mut Buffer, app: &App) {
    if area.is_empty() {
        return;
    }
    let theme = &app.settings.theme;
    // Before the host has told of it, it has no title that could be said.
    let told =
        |s: &SessionId| app.rows.get(*s).is_some() || app.desks.get(*s).is_some_and(Desk::is_live);
    let title = app.desks.at().filter(told);
    let title = title.map(|s| format!(" · {}", app.title_of(s)));
    let left = Line::from(vec![
        Span::styled("Draft", title_style(theme, app.pane == Pane::Draft)),
        Span::styled(title.unwrap_or_default(), theme.dim),
    ]);
    let right = match app.draft_here() {
        Some(draft) if draft.editor.locked().is_some() => Span::styled(READ_ONLY, theme.warn),
        Some(draft) => Span::styled(counts(draft, area.width), theme.dim),
        None => Span::default(),
    };
    let right = Line::from(right);
    row(area, buf, left, &right);
}

/// `1,204 words · +312 since you sat down`.
fn counts(draft: &Draft, cols: u16) -> String {
    let many = draft.editor.words().count();
    let word = if many == 1 { "word" } else { "words" };
    let all = format!("{} {word}", thousands(many));
    let gained = draft.editor.gained();
    let sign = if gained < 0 { '−' } else { '+' };
    let gained = match gained {
        0 => return all,
        n => format!("{sign}{}", thousands(n.unsigned_abs())),
    };
    if cols < 66 {
        format!("{all} · {gained}")
    } else {
        format!("{all} · {gained} since you sat down")
    }
}

/// What an empty draft says of itself.
fn empty_says(app: &App, session: SessionId) -> [&'static str; 3] {
    let [what, written] = EMPTY;
    let mends = app.agent_of(session).agent == AgentKind::Editor.word();
    [what, if mends { MENDED } else { written }, KEPT]
}

fn words(
    area: Rect,
    buf: &mut Buffer,
    draft: &mut Draft,
    theme: &Theme,
    focused: bool,
    empty_says: &[&str],
) -> Option<Position> {
    if draft.editor.words().is_empty() {
        let cols = area.width as usize;
        let lines = empty_says
            .iter()
            .flat_map(|text| wrap(text, cols).into_iter().filter_map(|at| text.get(at)));
        for (text, at) in lines.zip(area.rows()) {
            buf.set_stringn(at.x, at.y, text, cols, theme.dim);
        }
    }
    let finding = draft.finding.as_ref().map(|f| &f.search);
    let search = finding.unwrap_or(&draft.sought);
    let found = Found {
        all: &search.found,
        at: search.at,
        ..Found::default()
    };
    let never = &mut draft.never;
    draft.editor.draw(area, buf, theme, focused, found, never)
}

/// What is to be said of the draft, an empty row before it.
fn said(app: &App, theme: &Theme, live: Option<&Live>, cols: usize) -> Vec<Line<'static>> {
    let mut out = Vec::new();
    let Some(draft) = app.draft_here() else {
        return out;
    };
    if let Some(live) = live {
        wrapped("● ", &live.told, cols, theme.accent, &mut out);
    }
    if let Some(text) = app.told_beside() {
        wrapped("! ", &text, cols, theme.warn, &mut out);
    }
    if let Some(why) = app.draft_trouble() {
        let text = format!("The file cannot be used: {}", one_line(why));
        wrapped("⚠ ", &text, cols, theme.warn, &mut out);
    }
    if draft.is_owed() && !app.has_host() {
        let text = "Your words wait here for the host.";
        wrapped("○ ", text, cols, theme.warn, &mut out);
    } else if let Some(why) = draft.trouble() {
        let text = format!("Not kept yet: {}", one_line(why));
        wrapped("⚠ ", &text, cols, theme.warn, &mut out);
    }
    if !out.is_empty() {
        out.insert(0, Line::default());
    }
    out
}

fn wrapped(
    lead: &'static str,
    text: &str,
    cols: usize,
    style: Style,
    out: &mut Vec<Line<'static>>,
) {
    let rows = wrap(text, cols.saturating_sub(2))
        .into_iter()
        .take(SAID_MAX);
    for (i, range) in rows.enumerate() {
        let lead = if i == 0 { lead } else { "  " };
        let part = text.get(range).unwrap_or_default().trim_end();
        out.push(Line::from(Span::styled(format!("{lead}{part}"), style)));
    }
}

/// The line in which words are looked for, and what was found.
fn find(finding: &Finding, area: Rect, buf: &mut Buffer, theme: &Theme) -> Option<Position> {
    let many = finding.search.found.len();
    let count = match finding.search.at {
        Some(at) => format!("{} of {}", thousands(at as u64 + 1), thousands(many as u64)),
        None if finding.wanted.text().is_empty() => String::new(),
        None if finding.search.replaced => "none left".to_owned(),
        None => "not found".to_owned(),
    };
    let taken = u16::try_from(width(&count) + 1).unwrap_or_default();
    let room = area.width.saturating_sub(taken);
    buf.set_stringn(area.x + room + 1, area.y, &count, count.len(), theme.dim);
    let halves = if finding.with.is_some() { 2 } else { 1 };
    let each = room / halves;
    let part = |n: u16| Rect {
        x: area.x + n * each,
        width: each.saturating_sub(1),
        ..area
    };
    let first = labelled("Find ", &finding.wanted, part(0), buf, theme, "words");
    let second = finding.with.as_ref();
    let second = second.and_then(|w| labelled("With ", w, part(1), buf, theme, "nothing"));
    if finding.in_with { second } else { first }
}

fn labelled(
    label: &str,
    field: &crate::ui::layers::field::Field,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
    hint: &str,
) -> Option<Position> {
    buf.set_stringn(area.x, area.y, label, area.width as usize, theme.accent);
    let used = u16::try_from(width(label))
        .unwrap_or_default()
        .min(area.width);
    let room = Rect {
        x: area.x + used,
        width: area.width - used,
        ..area
    };
    field.draw(room, buf, theme, hint)
}

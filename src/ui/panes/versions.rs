//! The versions of a draft: a line for each, and beside it what the one at hand changed.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::sheet::{Sheet, divide, missing, split, told};
use super::{cut, empty, row};
use crate::domain::SessionId;
use crate::domain::versions::VersionRow;
use crate::text::{one_line, thousands, width};
use crate::ui::app::App;
use crate::ui::app::versions::who;
use crate::ui::compare::laid::Stand;
use crate::ui::theme::Theme;
use crate::ui::timeline::Timeline;
use crate::ui::transcript::clock;

/// Rows of a version.
const ROWS: usize = 2;

/// Draws the view.
pub fn draw(area: Rect, buf: &mut Buffer, app: &App, view: &mut Timeline) {
    let theme = &app.settings.theme;
    let (list, rule, page) = divide(area);
    let (head, rows) = split(list, 2);
    if let Some(at) = head.rows().next() {
        let title = app.title_of(view.session);
        let left = Line::from(vec![
            Span::styled("Versions", theme.accent),
            Span::styled(format!(" · {title}"), theme.dim),
        ]);
        row(at, buf, left, &Line::default());
    }
    for at in rule.rows() {
        buf.set_string(at.x, at.y, "│", theme.rule);
    }
    if view.rows().is_empty() {
        let text = if view.is_here() {
            "There is no version yet: what you and the agent write is kept here."
        } else {
            "The versions are being read…"
        };
        return empty(rows, buf, theme, &[text.to_owned()]);
    }
    listed(rows, buf, app, view);
    changed(page, buf, app, view);
}

/// The versions, the newest at the top.
fn listed(area: Rect, buf: &mut Buffer, app: &App, view: &mut Timeline) {
    let theme = &app.settings.theme;
    let many = view.rows().len();
    let fits = (usize::from(area.height) / ROWS).max(1);
    let at = many.saturating_sub(1 + view.index());
    view.top = crate::ui::layers::pick::in_view(view.top, at, fits, many);
    let session = view.session;
    let shown = view.rows().iter().rev().enumerate().skip(view.top);
    let lines = shown.flat_map(|(n, version)| {
        let marked = view.base == Some(version.seq);
        let (first, second) = lines((session, version), app, theme, marked, area.width);
        [(n, first, true), (n, second, false)]
    });
    for ((n, (left, right), first), line) in lines.zip(area.rows()) {
        row(line, buf, left, &right);
        if n == at {
            let style = if first {
                theme.selected
            } else {
                ratatui::style::Style::new()
            };
            buf.set_style(line, style);
        }
    }
}

type Parts = (Line<'static>, Line<'static>);

/// `14:02 claude   1,204 w  +42 −31`, and below it the number with the name, or with what the turn was asked for.
fn lines(
    (session, version): (SessionId, &VersionRow),
    app: &App,
    theme: &Theme,
    marked: bool,
    cols: u16,
) -> (Parts, Parts) {
    let when = clock(version.ts, app.now(), &app.settings.zone);
    let sign = if marked { "▸ " } else { "" };
    let left = Line::from(vec![
        Span::styled(sign, theme.accent),
        Span::styled(format!("{when} "), theme.dim),
        Span::raw(made(version)),
    ]);
    let delta = format!(
        "+{} −{}",
        thousands(version.added),
        thousands(version.removed)
    );
    let words = format!("{} w  {delta:>9}", thousands(version.words));
    let right = Line::from(Span::styled(words, theme.dim));
    let room = usize::from(cols).saturating_sub(2);
    let waits = app.proposal_waits(session, version.seq);
    let style = if version.name.is_some() {
        theme.accent
    } else {
        theme.dim
    };
    let below = Span::styled(cut(&below(version, waits), room), style);
    let below = Line::from(vec![Span::raw("  "), below]);
    ((left, right), (below, Line::default()))
}

/// Who made a version, or how it came to be.
fn made(version: &VersionRow) -> String {
    let again = if version.stands.again { " again" } else { "" };
    format!("{}{again}", who(&version.by))
}

/// What is said where the version at hand can be read, and the one it is compared with cannot.
fn before_is_lost(app: &App, view: &Timeline) -> Option<String> {
    let [old, new] = view.pair()?;
    let texts = &app.desks.views.texts;
    texts.get(old)?.wrong.as_ref()?;
    if texts.text(old).is_some() || texts.text(new).is_none() {
        return None;
    }
    let which = match view.base {
        Some(_) => "The version that this is compared with",
        None => "The version before",
    };
    let key = app.key_of("versions.compare");
    Some(format!(
        "{which} cannot be read: what this one changed is not known. {key} shows it beside the draft."
    ))
}

/// What is to be known of a version besides: its number, by which agents, the editor and verbs name it; that it was
/// proposed, its name, or what the turn was asked for.
fn below(version: &VersionRow, waits: bool) -> String {
    let mark = match version.stands.answer {
        _ if waits => "proposed, waits".to_owned(),
        Some(answer) => format!("proposed, {}", answer.word()),
        None => "proposed".to_owned(),
    };
    let mark = Some(mark).filter(|_| version.is_proposed());
    let rest = match (&version.name, &version.prompt) {
        (Some(name), _) => Some(format!("★ {}", one_line(name))),
        (None, Some(prompt)) => Some(one_line(prompt)),
        (None, None) => version
            .stands
            .beside
            .map(|_| "another text stands beside it".to_owned()),
    };
    let number = version.seq.to_string();
    let parts: Vec<String> = [number].into_iter().chain(mark).chain(rest).collect();
    parts.join(" · ")
}

/// What the version at hand changed.
fn changed(area: Rect, buf: &mut Buffer, app: &App, view: &mut Timeline) {
    let theme = &app.settings.theme;
    let sheet = Sheet::of(area, Stand::InOne);
    let (head, body) = split(sheet.area, 2);
    let at = view.index();
    let title = format!("{} of {}", at + 1, view.rows().len());
    if let Some(line) = head.rows().next() {
        let (left, right) = told(&view.paper, theme, &title);
        let right = if width(&title) + 40 > line.width.into() {
            Line::default()
        } else {
            right
        };
        row(line, buf, left, &right);
    }
    let sides = view.sides();
    if let Some(why) = before_is_lost(app, view).or_else(|| missing(app, &sides)) {
        return empty(body, buf, theme, &[why]);
    }
    if view.paper.both.comparison.pairs.is_empty() {
        return empty(body, buf, theme, &["This version is empty.".to_owned()]);
    }
    let at = view.paper.at;
    sheet.draw(body, buf, theme, &mut view.paper, &(at..=at), |_| None);
}

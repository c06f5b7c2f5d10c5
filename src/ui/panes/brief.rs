//! The brief: its parts with their sizes and where they come from, and its text with what changed.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::sheet::{Sheet, divide, split, told};
use super::{empty, row, wrapped};
use crate::domain::brief::{Briefing, called};
use crate::domain::event::BriefPart;
use crate::text::{one_line, size};
use crate::ui::app::App;
use crate::ui::brief::BriefView;
use crate::ui::compare::laid::Stand;
use crate::ui::theme::Theme;
use crate::ui::transcript::clock;

/// What stands before a part that changed.
const CHANGED: &str = "~ ";

/// Draws the view.
pub fn draw(area: Rect, buf: &mut Buffer, app: &App, view: &mut BriefView) {
    let theme = &app.settings.theme;
    let (list, rule, page) = divide(area);
    for at in rule.rows() {
        buf.set_string(at.x, at.y, "│", theme.rule);
    }
    let facts = facts(app, view, list.width.into());
    for ((left, right), at) in facts.into_iter().zip(list.rows()) {
        row(at, buf, left, &right);
    }
    text(page, buf, app, view);
}

/// The text, with what went and what came.
fn text(area: Rect, buf: &mut Buffer, app: &App, view: &mut BriefView) {
    let theme = &app.settings.theme;
    let sheet = Sheet::of(area, Stand::InOne);
    let (head, body) = split(sheet.area, 2);
    if view.briefing().is_none() {
        let why = match view.wrong() {
            Some(why) => one_line(why),
            None if app.has_host() => "The brief is being made…".to_owned(),
            None => "The brief comes when the host is there.".to_owned(),
        };
        return empty(body, buf, theme, &[why]);
    }
    let (at, many) = view.count();
    if let Some(line) = head.rows().next() {
        let (left, right) = told(&view.paper, theme, &format!("{at} of {many}"));
        row(line, buf, left, &right);
    }
    let at = view.paper.at;
    sheet.draw(body, buf, theme, &mut view.paper, &(at..=at), |_| None);
}

type Row = (Line<'static>, Line<'static>);

fn plain(text: String, style: Style) -> Row {
    (Line::from(Span::styled(text, style)), Line::default())
}

/// Everything beside the text, in rows.
fn facts(app: &App, view: &BriefView, cols: usize) -> Vec<Row> {
    let theme = &app.settings.theme;
    let title = app.title_of(view.session);
    let mut out = vec![(
        Line::from(vec![
            Span::styled("Brief", theme.accent),
            Span::styled(format!(" · {title}"), theme.dim),
        ]),
        Line::default(),
    )];
    let Some(briefing) = view.briefing() else {
        return out;
    };
    let when = when(app, briefing);
    out.extend(lines(&when, cols).map(|line| plain(line, theme.dim)));
    for problem in &briefing.brief.problems {
        let problem = format!("! {}", one_line(problem));
        out.extend(lines(&problem, cols).map(|line| plain(line, theme.warn)));
    }
    out.push(plain(String::new(), theme.dim));
    for part in &briefing.brief.parts {
        out.extend(part_rows(part, briefing, theme));
    }
    let gone = briefing.changed.iter().filter(|name| {
        let is = |part: &BriefPart| part.part == **name;
        !briefing.brief.parts.iter().any(is)
    });
    for name in gone {
        out.push(plain(format!("{CHANGED}{}: gone", called(name)), theme.dim));
    }
    let all = briefing.brief.text.len() as u64;
    let total = Line::from(Span::styled(size(all), theme.dim));
    out.push((Line::from(Span::styled("  together", theme.dim)), total));
    out
}

/// A text on the rows it needs.
fn lines(text: &str, cols: usize) -> impl Iterator<Item = String> {
    let rows: Vec<String> = wrapped(text, cols.max(1))
        .iter()
        .map(|r| (*r).to_owned())
        .collect();
    rows.into_iter()
}

/// Which brief it is.
fn when(app: &App, briefing: &Briefing) -> String {
    match (briefing.turn, briefing.sent.last()) {
        (Some(turn), _) => {
            let sent = briefing.sent.iter().find(|s| s.turn == turn);
            let at = sent.map(|s| clock(s.ts, app.now(), &app.settings.zone));
            format!("as sent from turn {turn} on, {}", at.unwrap_or_default())
        }
        (None, None) => "as the first turn will get it".to_owned(),
        (None, Some(last)) if briefing.changed.is_empty() => {
            format!("as the next turn gets it: as sent since turn {}", last.turn)
        }
        (None, Some(last)) => {
            format!("as the next turn gets it: changed since turn {}", last.turn)
        }
    }
}

/// `~ Memory of the collection   1.2 KiB`, and below it where it comes from.
fn part_rows(part: &BriefPart, briefing: &Briefing, theme: &Theme) -> [Row; 2] {
    let changed = briefing.changed.contains(&part.part);
    let sign = if changed { CHANGED } else { "  " };
    let left = Line::from(vec![
        Span::styled(sign, theme.accent),
        Span::styled(called(&part.part).to_owned(), theme.base),
    ]);
    let right = Line::from(Span::styled(size(part.bytes), theme.dim));
    let from = match (&part.path, part.part.as_str()) {
        (Some(path), _) => one_line(path),
        (None, "pieces") => "made from the collection".to_owned(),
        (None, _) => "the same in every session".to_owned(),
    };
    let mut below = vec![Span::styled(format!("  {from}"), theme.dim)];
    if part.left_out > 0 {
        let left = format!(" · {} left out", size(part.left_out));
        below.push(Span::styled(left, theme.warn));
    }
    [(left, right), (Line::from(below), Line::default())]
}

//! Two texts compared: what they are, and their paragraphs beside or below each other.

use std::ops::RangeInclusive;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::{brief, changes, cut, empty, memory, row, shelf, versions};
use crate::text::{cells, counted, thousands};
use crate::ui::app::App;
use crate::ui::compare::laid::{Cells, Stand};
use crate::ui::compare::others::Others;
use crate::ui::compare::paper::Paper;
use crate::ui::compare::runs::{self, Look};
use crate::ui::compare::view::Compare;
use crate::ui::compare::{Side, View};
use crate::ui::ground::Spot;
use crate::ui::theme::Theme;
use unicode_segmentation::UnicodeSegmentation;

/// Cells of the widest column of text.
const COLUMN: u16 = 76;
/// Cells before the words: where the writer is, what the paragraph is, a space.
const LEAD: u16 = 3;
/// Cells between two columns: a space, the rule, a space.
const BETWEEN: u16 = 3;
/// From so many cells on two texts stand side by side by themselves.
pub const BESIDE_FROM: u16 = 90;
/// With fewer they cannot.
const BESIDE_LEAST: u16 = 24;

/// Draws the view that is seen.
pub fn draw(area: Rect, buf: &mut Buffer, app: &mut App) -> Option<Position> {
    let mut view = app.desks.views.stack.pop()?;
    app.ground.lay(area, Spot::View);
    match &mut view {
        View::Compare(view) => compare(area, buf, app, view),
        View::Others(view) => others(area, buf, app, view),
        View::Versions(view) => versions::draw(area, buf, app, view),
        View::Changes(view) => changes::draw(area, buf, app, view),
        View::Brief(view) => brief::draw(area, buf, app, view),
        View::Shelf(view) => shelf::draw(area, buf, app, view),
        View::Memory(view) => memory::draw(area, buf, app, view),
        View::File(view) => memory::draw_file(area, buf, app, view),
    }
    app.desks.views.stack.push(view);
    None
}

/// Whether the texts of a view stand side by side, as it was drawn last.
pub fn stands_beside(view: &Compare) -> bool {
    view.stood == Stand::Beside
}

fn compare(area: Rect, buf: &mut Buffer, app: &App, view: &mut Compare) {
    let theme = &app.settings.theme;
    let wide = view.beside.unwrap_or(area.width >= BESIDE_FROM);
    let beside = wide && area.width >= BESIDE_LEAST;
    view.stood = if beside { Stand::Beside } else { Stand::Below };
    let sheet = Sheet::of(area, view.stood);
    let (head, body) = split(sheet.area, if beside { 4 } else { 5 });
    let mut lines = head.rows();
    if let Some(at) = lines.next() {
        let (left, right) = told(&view.paper, theme, "Compare");
        row(at, buf, left, &right);
    }
    names(&mut lines, buf, app, view, &sheet);
    if let Some(why) = missing(app, &view.sides) {
        return empty(body, buf, theme, &[why]);
    }
    let chosen = view.chosen();
    if view.paper.both.comparison.pairs.is_empty() {
        let text = "Both are empty: there is nothing to compare.";
        return empty(body, buf, theme, &[text.to_owned()]);
    }
    sheet.draw(body, buf, theme, &mut view.paper, &chosen, |_| None);
}

/// `Compare · difference 2 of 5`, and the words that came and went.
pub fn told(paper: &Paper, theme: &Theme, title: &str) -> (Line<'static>, Line<'static>) {
    let mut left = vec![Span::styled(title.to_owned(), theme.accent)];
    if !paper.is_here {
        return (Line::from(left), Line::default());
    }
    let text = match paper.count() {
        (_, 0) if paper.both.left == paper.both.right => " · no difference".to_owned(),
        (_, 0) => " · only line ends or empty lines differ".to_owned(),
        (0, many) => format!(" · {}", counted(many as u64, "difference")),
        (n, many) => format!(" · difference {n} of {many}"),
    };
    left.push(Span::styled(text, theme.dim));
    let (added, removed) = paper.words();
    let right = format!("+{} −{} words", thousands(added), thousands(removed));
    (Line::from(left), Line::from(Span::styled(right, theme.dim)))
}

/// What the two texts are, above their columns or below each other.
fn names(
    lines: &mut impl Iterator<Item = Rect>,
    buf: &mut Buffer,
    app: &App,
    view: &Compare,
    sheet: &Sheet,
) {
    let theme = &app.settings.theme;
    let name = |n: usize| {
        let side = view.sides.get(n).copied()?;
        let mut spans = vec![Span::styled(name(app, view, side, n), theme.heading)];
        if view.target() == Some(side) {
            spans.push(Span::styled(" · you write here", theme.dim));
        }
        Some(Line::from(spans))
    };
    let _between = lines.next();
    if sheet.stand == Stand::Beside {
        let Some(at) = lines.next() else { return };
        for (n, at) in sheet.columns(at).into_iter().enumerate() {
            row(at, buf, name(n).unwrap_or_default(), &Line::default());
        }
        sheet.rule(at, buf, theme);
        if let Some(at) = lines.next() {
            sheet.rule(at, buf, theme);
        }
        return;
    }
    for (n, sign) in ["‹ ", "› "].into_iter().enumerate() {
        let Some(at) = lines.next() else { return };
        let mut line = name(n).unwrap_or_default();
        line.spans.insert(0, Span::styled(sign, theme.accent));
        row(at, buf, line, &Line::default());
    }
}

fn name(app: &App, view: &Compare, side: Side, n: usize) -> String {
    let given = view.names.get(n).and_then(Clone::clone);
    given.unwrap_or_else(|| {
        let name = app.side_name(side);
        name.trim_matches(['“', '”']).to_owned()
    })
}

/// Why there is nothing to be seen yet.
pub fn missing(app: &App, sides: &[Side]) -> Option<String> {
    let texts = &app.desks.views.texts;
    let lacks = sides.iter().find(|s| texts.text(**s).is_none())?;
    let wrong = texts.get(*lacks).and_then(|k| k.wrong.clone());
    Some(match wrong {
        Some(why) => why,
        None if app.has_host() => "The text is being read…".to_owned(),
        None => "The text comes when the host is there.".to_owned(),
    })
}

/// The first rows of an area, and the rest.
pub fn split(area: Rect, rows: u16) -> (Rect, Rect) {
    let rows = rows.min(area.height);
    let head = Rect {
        height: rows,
        ..area
    };
    let body = Rect {
        y: area.y + rows,
        height: area.height - rows,
        ..area
    };
    (head, body)
}

/// Where columns of words lie.
#[derive(Clone, Copy, Debug)]
pub struct Sheet {
    /// All of it, the lead included.
    pub area: Rect,
    /// How the texts stand.
    pub stand: Stand,
    /// Cells of a column.
    pub cols: u16,
}

impl Sheet {
    /// In the middle of an area.
    pub fn of(area: Rect, stand: Stand) -> Self {
        let margin = u16::from(area.width >= BESIDE_LEAST);
        let room = area.width.saturating_sub(2 * margin + LEAD);
        let (cols, width) = if stand == Stand::Beside {
            let cols = (room.saturating_sub(BETWEEN) / 2).min(COLUMN);
            (cols, LEAD + 2 * cols + BETWEEN)
        } else {
            let cols = room.min(COLUMN);
            (cols, LEAD + cols)
        };
        let width = width.min(area.width);
        let area = Rect {
            x: area.x + (area.width - width) / 2,
            width,
            ..area
        };
        Self { area, stand, cols }
    }

    /// The columns of a row, without what stands before them.
    fn columns(&self, at: Rect) -> [Rect; 2] {
        let left = at.x + LEAD.min(at.width);
        let right = left + self.cols + BETWEEN;
        [left, right].map(|x| Rect {
            x,
            width: self.cols.min(at.right().saturating_sub(x)),
            ..at
        })
    }

    fn rule(&self, at: Rect, buf: &mut Buffer, theme: &Theme) {
        let x = at.x + LEAD + self.cols + 1;
        if x < at.right() {
            buf.set_stringn(x, at.y, "│", 1, theme.rule);
        }
    }

    /// Draws a page; `signs` gives a sign of its own to a pair.
    pub fn draw(
        &self,
        body: Rect,
        buf: &mut Buffer,
        theme: &Theme,
        paper: &mut Paper,
        chosen: &RangeInclusive<usize>,
        signs: impl Fn(usize) -> Option<&'static str>,
    ) {
        let rows = paper.rows(self.stand, self.cols.into(), body.height.into());
        let mut last = None;
        for ((block, cells), at) in rows.into_iter().zip(body.rows()) {
            let is_gap = cells == Cells::default();
            if chosen.contains(&block) && !is_gap {
                buf.set_stringn(at.x, at.y, "▌", at.width.into(), theme.accent);
            }
            let own = signs(block).filter(|_| last != Some(block));
            let sign = if is_gap {
                " "
            } else {
                own.unwrap_or(cells.sign)
            };
            last = Some(block);
            if at.width > 1 {
                buf.set_stringn(at.x + 1, at.y, sign, 1, theme.accent);
            }
            let [left, right] = self.columns(at);
            words(left, buf, theme, &cells.left);
            if self.stand == Stand::Beside {
                words(right, buf, theme, &cells.right);
            }
        }
        if self.stand == Stand::Beside {
            body.rows().for_each(|at| self.rule(at, buf, theme));
        }
    }
}

/// Draws a row of words.
pub fn words(at: Rect, buf: &mut Buffer, theme: &Theme, runs: &runs::Row) {
    let mut x = at.x;
    for (text, look) in runs {
        let style = style(*look, theme);
        for grapheme in text.graphemes(true) {
            let room = usize::from(at.right().saturating_sub(x));
            if cells(grapheme) > room {
                return;
            }
            (x, _) = buf.set_stringn(x, at.y, grapheme, room, style);
        }
    }
}

fn style(look: Look, theme: &Theme) -> Style {
    match look {
        Look::Plain => theme.base,
        Look::Alone | Look::Came => theme.accent.add_modifier(Modifier::UNDERLINED),
        Look::Gone => theme.dim.add_modifier(Modifier::CROSSED_OUT),
        Look::Note => theme.dim,
    }
}

/// The paragraph in every text of the family.
fn others(area: Rect, buf: &mut Buffer, app: &App, view: &mut Others) {
    let theme = &app.settings.theme;
    let sheet = Sheet::of(area, Stand::Below);
    let (head, body) = split(sheet.area, 2);
    if let Some(at) = head.rows().next() {
        let left = Line::from(vec![
            Span::styled("This paragraph in the others", theme.accent),
            Span::styled(
                format!(" · {} of {}", view.at + 1, view.found.len()),
                theme.dim,
            ),
        ]);
        row(at, buf, left, &Line::default());
    }
    let blocks: Vec<Vec<(Line<'static>, bool)>> = (0..view.found.len())
        .map(|n| other(app, view, n, sheet.cols.into()))
        .collect();
    let tall = usize::from(body.height);
    let rows = |from: usize, to: usize| -> usize {
        let some = blocks.get(from..=to).unwrap_or_default();
        some.iter().map(Vec::len).sum()
    };
    view.top = view.top.min(view.at);
    while view.top < view.at && rows(view.top, view.at) > tall {
        view.top += 1;
    }
    let shown = blocks.into_iter().enumerate().skip(view.top);
    let lines = shown.flat_map(|(n, block)| block.into_iter().map(move |line| (n, line)));
    for ((n, (line, is_gap)), at) in lines.zip(body.rows()) {
        if n == view.at && !is_gap {
            buf.set_stringn(at.x, at.y, "▌", at.width.into(), theme.accent);
        }
        let [column, _] = sheet.columns(at);
        row(column, buf, line, &Line::default());
    }
}

/// The rows of one: its name, its words with what it has alone, an empty one.
fn other(app: &App, view: &Others, n: usize, cols: usize) -> Vec<(Line<'static>, bool)> {
    let theme = &app.settings.theme;
    let Some(side) = view.side(n) else {
        return Vec::new();
    };
    let mut name = vec![Span::styled(cut(&app.side_name(side), cols), theme.heading)];
    if side == view.target {
        name.push(Span::styled(" · you write here", theme.dim));
    }
    let mut out = vec![(Line::from(name), false)];
    let mine = view.found.first().and_then(Option::as_ref);
    let runs = match view.found.get(n).and_then(Option::as_ref) {
        None => runs::note(&missing(app, &[side]).unwrap_or_default()),
        Some(found) if found.n.is_none() => runs::note("It has no paragraph like this one."),
        Some(found) if n == 0 => runs::plain(&found.words, Look::Plain),
        Some(found) if mine.is_some_and(|m| m.words == found.words) => {
            runs::note("The same words.")
        }
        Some(found) => {
            let mine = mine.map_or("", |m| m.words.as_str());
            let [_, theirs] = runs::side_by_side(mine, &found.words);
            theirs
        }
    };
    for mut row in runs::rows(&runs, cols) {
        // A space hangs over the edge.
        if let Some((last, _)) = row.last_mut() {
            last.truncate(last.trim_end().len());
        }
        let spans = row
            .into_iter()
            .map(|(text, look)| Span::styled(text, style(look, theme)));
        out.push((Line::from(spans.collect::<Vec<_>>()), false));
    }
    out.push((Line::default(), true));
    out
}

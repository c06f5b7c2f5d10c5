//! Two texts compared: what they are, and their paragraphs beside or below each other.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::sheet::{LEAST, Sheet, missing, split, style, told};
use super::{cut, empty, row};
use crate::ui::app::App;
use crate::ui::compare::Side;
use crate::ui::compare::laid::Stand;
use crate::ui::compare::others::Others;
use crate::ui::compare::runs::{self, Look};
use crate::ui::compare::view::Compare;

/// From so many cells on two texts stand side by side by themselves.
const BESIDE_FROM: u16 = 90;

/// Whether the texts of a view stand side by side, as it was drawn last.
pub fn stands_beside(view: &Compare) -> bool {
    view.stood == Stand::Beside
}

/// Draws two texts.
pub fn draw(area: Rect, buf: &mut Buffer, app: &App, view: &mut Compare) {
    let theme = &app.settings.theme;
    let wide = view.beside.unwrap_or(area.width >= BESIDE_FROM);
    let beside = wide && area.width >= LEAST;
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

/// Draws the paragraph in every text of the family.
pub fn draw_others(area: Rect, buf: &mut Buffer, app: &App, view: &mut Others) {
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

//! What a turn did to the draft, or what an agent proposes: as one text, with what went and what came.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::sheet::{Sheet, missing, split, told};
use super::{empty, row};
use crate::ui::app::App;
use crate::ui::app::versions::who;
use crate::ui::compare::changes::{Changes, What};
use crate::ui::compare::laid::Stand;

/// Draws the view.
pub fn draw(area: Rect, buf: &mut Buffer, app: &App, view: &mut Changes) {
    let theme = &app.settings.theme;
    let sheet = Sheet::of(area, Stand::InOne);
    let (head, body) = split(sheet.area, 3);
    let mut lines = head.rows();
    if let Some(at) = lines.next() {
        let (left, right) = told(&view.paper, theme, title(view));
        row(at, buf, left, &right);
    }
    if let Some(at) = lines.next() {
        let line = Line::from(Span::styled(subject(app, view), theme.dim));
        row(at, buf, line, &Line::default());
    }
    let Some(sides) = view.sides else {
        let text = match view.what {
            What::Turn(_) => "The versions are being read…",
            What::Proposal(_) if view.is_elsewhere(&app.desks.views.texts) => {
                "It was decided elsewhere."
            }
            What::Proposal(_) => "The proposal is being read…",
        };
        return empty(body, buf, theme, &[text.to_owned()]);
    };
    if let Some(why) = missing(app, &sides) {
        return empty(body, buf, theme, &[why]);
    }
    if view.paper.both.comparison.pairs.is_empty() {
        return empty(body, buf, theme, &["Both are empty.".to_owned()]);
    }
    let at = view.paper.at;
    let decided: Vec<Option<bool>> = (0..view.paper.both.comparison.pairs.len())
        .map(|at| view.decided(at))
        .collect();
    let sign = |at: usize| {
        let decided = decided.get(at).copied().flatten()?;
        Some(if decided { "✓" } else { "↶" })
    };
    sheet.draw(body, buf, theme, &mut view.paper, &(at..=at), sign);
}

fn title(view: &Changes) -> &'static str {
    match view.what {
        What::Turn(_) => "Changes",
        What::Proposal(_) => "Proposal",
    }
}

/// Who changed what, and when a proposal is answered.
fn subject(app: &App, view: &Changes) -> String {
    let title = app.title_of(view.session);
    let by = view.by.as_ref().map(who);
    match (view.what, by) {
        (What::Proposal(_), Some(by)) if view.newer(&app.desks.views.texts).is_some() => {
            let key = app.key_of("changes.newer");
            format!("{by} has gone on meanwhile: {key} shows the newer proposal")
        }
        (What::Proposal(_), Some(by)) if view.is_elsewhere(&app.desks.views.texts) => {
            format!("{by} proposed this, and it was decided elsewhere")
        }
        (What::Proposal(_), Some(by)) => {
            format!("{by} proposes this: decide on each change, then it goes in")
        }
        (What::Turn(Some(turn)), Some(by)) if view.is_aside => {
            format!(
                "turn {turn} by {by}: kept beside the draft, where others changed the same words"
            )
        }
        (What::Turn(Some(turn)), Some(by)) => format!("turn {turn} by {by} in “{title}”"),
        _ => format!("“{title}”"),
    }
}

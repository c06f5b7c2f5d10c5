//! The view that is seen, whichever it is.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{brief, changes, compare, memory, shelf, versions};
use crate::ui::app::App;
use crate::ui::compare::View;
use crate::ui::ground::Spot;

/// Draws it; where none is seen, nothing.
pub fn draw(area: Rect, buf: &mut Buffer, app: &mut App) {
    // Taken out meanwhile, so that it can be changed beside the window.
    let Some(mut view) = app.desks.views.stack.pop() else {
        return;
    };
    app.ground.lay(area, Spot::View);
    match &mut view {
        View::Compare(view) => compare::draw(area, buf, app, view),
        View::Others(view) => compare::draw_others(area, buf, app, view),
        View::Versions(view) => versions::draw(area, buf, app, view),
        View::Changes(view) => changes::draw(area, buf, app, view),
        View::Brief(view) => brief::draw(area, buf, app, view),
        View::Shelf(view) => shelf::draw(area, buf, app, view),
        View::Memory(view) => memory::draw(area, buf, app, view),
        View::File(view) => memory::draw_file(area, buf, app, view),
    }
    app.desks.views.stack.push(view);
}

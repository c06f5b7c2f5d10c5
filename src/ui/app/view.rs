//! One frame of the window, and the layers above its panes.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::App;
use crate::text::wrap;
use crate::ui::ground::Spot;
use crate::ui::layers::Layer;
use crate::ui::layout;
use crate::ui::panes::{draft, drawer, list, page, status, view};
use crate::ui::theme::Theme;

impl App {
    /// Draws the window into a frame.
    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        if let Some(caret) = self.paint(area, frame.buffer_mut()) {
            frame.set_cursor_position(caret);
        }
    }

    /// Draws the window into a buffer, and says where the caret belongs.
    pub fn paint(&mut self, area: Rect, buf: &mut Buffer) -> Option<Position> {
        self.rows.settle();
        self.ground.begin(area);
        if self.clock.since_due {
            self.tell_since();
        }
        let theme = self.settings.theme;
        let edges = status::edges(area.width, self);
        let Some(parts) = layout::divide(area, self.pane, self.draft_stands(), edges) else {
            too_small(area, buf, &theme);
            theme.lay_under(area, buf);
            return None;
        };
        self.list.at = parts.list;
        status::draw_top(parts.banner, buf, self);
        if let Some(at) = parts.drawer {
            drawer::draw(at, buf, self);
        }
        if let Some(at) = parts.list {
            list::draw(at, buf, self);
        }
        for at in parts.rules.into_iter().flatten() {
            rule(at, buf, &theme);
        }
        if let Some(at) = parts.view {
            view::draw(at, buf, self);
        }
        let caret = parts.page.and_then(|at| page::draw(at, buf, self));
        let caret = caret.or(parts.draft.and_then(|at| draft::draw(at, buf, self)));
        for at in parts.rules.into_iter().flatten() {
            join(at, buf, &theme);
        }
        status::draw(parts.status, buf, self);
        let caret = self.draw_layers(area, buf).or(caret);
        theme.lay_under(area, buf);
        caret.filter(|c| area.contains(*c))
    }

    /// Puts a layer on top.
    pub(in crate::ui) fn push(&mut self, layer: impl Layer + 'static) {
        self.layers.push(Box::new(layer));
    }

    /// Takes away layers that have become void.
    pub(super) fn drop_layers(&mut self) {
        let mut layers = std::mem::take(&mut self.layers);
        layers.retain(|l| !l.is_void(self));
        self.layers = layers;
    }

    /// Whether a layer is open.
    pub fn has_layer(&self) -> bool {
        !self.layers.is_empty()
    }

    /// The topmost layer, which gets the keys.
    pub(in crate::ui) fn layer(&self) -> Option<&dyn Layer> {
        self.layers.last().map(|l| &**l)
    }

    /// Layers from the lowest to the topmost, whose caret counts.
    fn draw_layers(&mut self, area: Rect, buf: &mut Buffer) -> Option<Position> {
        let mut layers = std::mem::take(&mut self.layers);
        if !layers.is_empty() {
            self.ground.lay(area, Spot::Layer);
        }
        let mut caret = None;
        for layer in &mut layers {
            caret = layer.draw(area, buf, self);
        }
        self.layers = layers;
        caret
    }
}

fn rule(area: Rect, buf: &mut Buffer, theme: &Theme) {
    for at in area.rows().filter(|r| r.width > 0) {
        buf.set_string(at.x, at.y, "│", theme.rule);
    }
}

/// Joins the rules between panes with the one above the composer.
fn join(at: Rect, buf: &mut Buffer, theme: &Theme) {
    for row in at.rows().filter(|r| r.width > 0) {
        let beside = buf.cell((row.right(), row.y));
        if beside.is_some_and(|c| c.symbol() == "─") {
            buf.set_string(row.x, row.y, "├", theme.rule);
        }
        let before = row.x.checked_sub(1).and_then(|x| buf.cell((x, row.y)));
        if before.is_some_and(|c| c.symbol() == "─") {
            buf.set_string(row.x, row.y, "┤", theme.rule);
        }
    }
}

fn too_small(area: Rect, buf: &mut Buffer, theme: &Theme) {
    if !area.is_empty() {
        let text = "Fascicle needs a larger window.";
        let cols = area.width as usize;
        let lines = wrap(text, cols).into_iter().filter_map(|at| text.get(at));
        for (line, at) in lines.zip(area.rows()) {
            buf.set_stringn(at.x, at.y, line, cols, theme.base);
        }
    }
}

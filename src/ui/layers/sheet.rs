//! The look all layers share: one box with thin edges, a title, and a line of keys at its foot.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Widget};

use crate::ui::layout::middle;
use crate::ui::theme::Theme;

/// Rows and columns a sheet needs around its text.
const AROUND: (u16, u16) = (4, 2);

/// Draws an empty sheet for a text of a size, and gives the room for the text.
pub fn sheet(
    screen: Rect,
    buf: &mut Buffer,
    theme: &Theme,
    size: (u16, u16),
    (title, foot): (&str, &str),
) -> Rect {
    let width = size.0.saturating_add(AROUND.0);
    let height = size.1.saturating_add(AROUND.1);
    let edge = Rect {
        height: screen.height.saturating_sub(1),
        ..screen
    };
    let area = middle(edge, width, height);
    // An empty column at each side, so that no word is cut by an edge.
    let around = Rect {
        x: area.x.saturating_sub(1),
        width: area.width.saturating_add(2),
        ..area
    };
    Clear.render(around.intersection(screen), buf);
    let mut block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(theme.rule)
        .title(Line::from(Span::styled(
            format!(" {title} "),
            theme.heading,
        )));
    if !foot.is_empty() {
        block = block
            .title_bottom(Line::from(Span::styled(format!(" {foot} "), theme.dim)).right_aligned());
    }
    block.render(area, buf);
    area.inner(Margin::new(2, 1))
}

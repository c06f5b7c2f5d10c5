//! Rows that no two terminals lay out alike. A flag, a family, an emoji with its sign of presentation is one
//! character of two cells here; a terminal may take it for two, four or eight. Such a row is written whole
//! whenever it changes, so that nothing of what stood there before is left between the cells we count.

use std::collections::HashMap;

use ratatui::buffer::{Buffer, Cell, CellDiffOption};

/// Bytes of the longest character. A longer symbol is a cluster of several.
const ONE: usize = 4;

/// The rows of the last frame that hold clusters of several characters.
#[derive(Debug, Default)]
pub(super) struct Clusters {
    rows: HashMap<usize, Vec<Cell>>,
}

impl Clusters {
    /// Marks every cell of such a row to be written, where the row is another than in the last frame.
    pub(super) fn renew(&mut self, frame: &mut Buffer) {
        let cols = usize::from(frame.area.width).max(1);
        for (y, row) in frame.content.chunks_mut(cols).enumerate() {
            let was = self.rows.get(&y);
            let unsure = row.iter().any(|c| c.symbol().len() > ONE);
            if !unsure && was.is_none() || was.is_some_and(|was| was.as_slice() == &*row) {
                continue;
            }
            if unsure {
                self.rows.insert(y, row.to_vec());
            } else {
                self.rows.remove(&y);
            }
            for cell in row {
                cell.diff_option = CellDiffOption::AlwaysUpdate;
            }
        }
    }

    /// Forgets the last frame: the screen is empty.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use std::num::NonZeroU16;

    use ratatui::layout::Rect;
    use ratatui::style::Style;
    use ratatui::{Terminal, TerminalOptions, Viewport};

    use super::super::ink::Ink;
    use super::super::{Held, Kind, Links};
    use super::*;

    /// A screen that gives each character of a cluster its own cells, as many terminals do.
    struct Screen {
        held: Held,
        terminal: Terminal<Ink>,
        clusters: Clusters,
        shown: vt100::Parser,
    }

    fn cells(n: u16) -> NonZeroU16 {
        NonZeroU16::new(n).unwrap()
    }

    impl Screen {
        fn new() -> Self {
            let area = Rect::new(0, 0, 20, 2);
            let options = TerminalOptions {
                viewport: Viewport::Fixed(area),
            };
            let held = Held::default();
            let backend = Ink::new(held.clone(), Kind::default(), Links::default());
            Self {
                held,
                terminal: Terminal::with_options(backend, options).unwrap(),
                clusters: Clusters::default(),
                shown: vt100::Parser::new(cells(2), cells(20), 0),
            }
        }

        /// Draws a row, and gives what the screen shows then and how many bytes it took.
        fn show(&mut self, text: &str) -> (String, usize) {
            let clusters = &mut self.clusters;
            let paint = |frame: &mut ratatui::Frame<'_>| {
                frame.buffer_mut().set_string(0, 0, text, Style::new());
                clusters.renew(frame.buffer_mut());
            };
            self.terminal.draw(paint).unwrap();
            let bytes = std::mem::take(&mut *self.held.0.borrow_mut());
            self.shown.process(&bytes);
            let shown = self.shown.screen().contents();
            (shown.trim_end().to_owned(), bytes.len())
        }
    }

    #[test]
    fn nothing_of_a_cluster_stays_when_its_row_changes() {
        for cluster in ["🇫🇷", "👩‍👩‍👧‍👦", "❤️", "👍🏽"] {
            let mut screen = Screen::new();
            for text in ["a plain row of text", "x", "abc", ""] {
                screen.show(&format!("in {cluster} we"));
                assert_eq!(screen.show(text).0, text, "after {cluster}");
            }
        }
    }

    #[test]
    fn a_row_with_a_cluster_that_stays_as_it_is_is_soon_written_no_more() {
        let mut screen = Screen::new();
        let plain = screen.show("").1;
        screen.show("in 🇫🇷 we");
        screen.show("in 🇫🇷 we");
        assert!(screen.show("in 🇫🇷 we").1 <= plain);
    }
}

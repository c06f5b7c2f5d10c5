//! Tables as text in columns.

use pulldown_cmark::Alignment;

use super::super::width;
use super::line::{Line, Mark};

/// Cells between two columns.
const BETWEEN: usize = 2;

/// A table while its cells are read.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) aligns: Vec<Alignment>,
    pub(super) rows: Vec<Vec<Line>>,
}

impl Table {
    pub(super) fn cell(&mut self, cell: Line) {
        if let Some(row) = self.rows.last_mut() {
            row.push(cell);
        }
    }

    /// The rows, a rule below the first.
    pub(super) fn lines(&self) -> Vec<Line> {
        let widths = self.widths();
        let mut out: Vec<Line> = self.rows.iter().map(|row| self.row(row, &widths)).collect();
        if !out.is_empty() {
            let rule: Vec<String> = widths.iter().map(|w| "─".repeat(*w)).collect();
            let rule = rule.join(&" ".repeat(BETWEEN));
            out.insert(1, Line::of(&rule, Mark::DIM));
        }
        out
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths = vec![0; self.aligns.len()];
        for row in &self.rows {
            for (have, cell) in widths.iter_mut().zip(row) {
                *have = width(&cell.text).max(*have);
            }
        }
        widths
    }

    fn row(&self, row: &[Line], widths: &[usize]) -> Line {
        let mut line = Line::default();
        for (i, ((cell, cols), align)) in row.iter().zip(widths).zip(&self.aligns).enumerate() {
            let free = cols.saturating_sub(width(&cell.text));
            let before = match align {
                Alignment::Right => free,
                Alignment::Center => free / 2,
                Alignment::Left | Alignment::None => 0,
            };
            let air = if i == 0 { 0 } else { BETWEEN };
            line.push(&" ".repeat(air + before), Mark::NONE);
            line.append(cell);
            if i + 1 < row.len() {
                line.push(&" ".repeat(free - before), Mark::NONE);
            }
        }
        line
    }
}

//! What was measured, as rows of a table, and its place in `docs/performance.md`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::figures::{load, machine};

/// Between these the page is ours.
const MARKS: [&str; 2] = [
    "<!-- written by `cargo bench --bench window` -->\n",
    "<!-- end of what `cargo bench --bench window` writes -->\n",
];

/// A figure and the most it may be.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    pub is: f64,
    pub most: f64,
    pub unit: &'static str,
}

impl Figure {
    pub fn of(is: f64, most: f64, unit: &'static str) -> Self {
        Self { is, most, unit }
    }

    fn is_met(self) -> bool {
        self.is <= self.most
    }
}

/// One mark.
struct Row {
    mark: String,
    peer: &'static str,
    figures: Vec<Figure>,
}

/// All marks of a run.
pub struct Book {
    rows: Vec<Row>,
    /// What was measured beside them, in sentences.
    notes: Vec<String>,
    load: String,
}

impl Book {
    pub fn begin() -> Self {
        Self {
            rows: Vec::new(),
            notes: Vec::new(),
            load: load(),
        }
    }

    /// A mark, what the best peer needs, and our figures, each with its budget.
    pub fn mark(&mut self, mark: impl Into<String>, peer: &'static str, figures: Vec<Figure>) {
        let row = Row {
            mark: mark.into(),
            peer,
            figures,
        };
        println!("{}", line(&row));
        self.rows.push(row);
    }

    /// Something to be told below the table.
    pub fn note(&mut self, text: String) {
        println!("  {text}");
        self.notes.push(text);
    }

    /// The section, without its heading.
    pub fn section(&self) -> String {
        let mut out = format!(
            "*{}, {}; load average {} as it began, {} as it ended*\n\n| mark | best peer | budget | figure | |\n|---|---|---|---|---|\n",
            today(),
            machine(),
            self.load,
            load(),
        );
        for row in &self.rows {
            let _ = writeln!(out, "{}", line(row));
        }
        out.push('\n');
        for note in &self.notes {
            let _ = writeln!(out, "- {note}");
        }
        out
    }

    /// Puts the section into the page; where that is.
    pub fn write(&self) -> PathBuf {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/performance.md");
        let page = std::fs::read_to_string(&path).unwrap();
        let (before, rest) = page.split_once(MARKS[0]).expect("the page has its marks");
        let (_, after) = rest.split_once(MARKS[1]).expect("the page has its marks");
        let section = self.section();
        let made = [before, MARKS[0], "\n", &section, "\n", MARKS[1], after];
        std::fs::write(&path, made.concat()).unwrap();
        path
    }
}

fn line(row: &Row) -> String {
    let join = |part: fn(&Figure) -> String| {
        let all: Vec<String> = row.figures.iter().map(part).collect();
        all.join(" / ")
    };
    let missed = row.figures.iter().any(|f| !f.is_met());
    format!(
        "| {} | {} | {} | {} | {} |",
        row.mark,
        row.peer,
        join(|f| shown(f.most, f.unit)),
        join(|f| shown(f.is, f.unit)),
        if missed { "**missed**" } else { "met" }
    )
}

fn shown(figure: f64, unit: &str) -> String {
    let digits = match figure {
        f if f >= 20.0 => 0,
        f if f >= 2.0 => 1,
        f if f >= 0.2 => 2,
        0.0 => 0,
        _ => 3,
    };
    format!("{figure:.digits$} {unit}")
}

/// The date, of ten characters, as ISO 8601 has it.
fn today() -> String {
    let now = jiff::Timestamp::now().to_string();
    now.chars().take(10).collect()
}

/// The value below which that part of all is.
pub fn quantile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (values.len() as f64 * part) as usize;
    values[at.min(values.len() - 1)]
}

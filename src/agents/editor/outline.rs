//! The draft's outline.

use crate::text::count;
use crate::text::doc::{Doc, is_heading};
use crate::text::prose::{GONE, OPAQUE, Role};

/// Lines of an outline that is made from paragraphs, about.
const LINES: usize = 40;
/// Letters of a line.
const WIDTH: usize = 100;

/// The lines: the headings with their words, or without headings the first sentence of each group of paragraphs.
pub(super) fn outline(doc: &Doc<'_>) -> Vec<String> {
    let headed = doc.prose.blocks.iter().any(is_heading);
    let lines = if headed {
        headings(doc)
    } else {
        paragraphs(doc)
    };
    lines.into_iter().map(|l| l + "\n").collect()
}

fn headings(doc: &Doc<'_>) -> Vec<String> {
    let blocks = &doc.prose.blocks;
    let top = blocks.iter().filter_map(level).min().unwrap_or(1);
    let mut lines = Vec::new();
    for (i, block) in blocks.iter().enumerate() {
        let Some(depth) = level(block) else { continue };
        let own = blocks.iter().skip(i + 1).take_while(|b| !is_heading(b));
        let words: u64 = own.map(|b| count(doc.prose.of(b))).sum();
        let indent = "  ".repeat(usize::from(depth - top));
        lines.push(format!(
            "{indent}- {} · {words}",
            shown(doc.prose.of(block))
        ));
    }
    lines
}

fn level(block: &crate::text::prose::Block) -> Option<u8> {
    match block.role {
        Role::Heading(level) => Some(level),
        _ => None,
    }
}

fn paragraphs(doc: &Doc<'_>) -> Vec<String> {
    let blocks = &doc.prose.blocks;
    let group = blocks.len().div_ceil(LINES).max(1);
    let groups = blocks.chunks(group).enumerate();
    groups
        .filter_map(|(i, chunk)| {
            let from = chunk.first()?.range.start;
            let at = doc.sentences.partition_point(|s| s.range.start < from);
            let first = doc.sentences.get(at)?;
            let words: u64 = chunk.iter().map(|b| count(doc.prose.of(b))).sum();
            Some(format!(
                "- ¶ {} · {} · {words}",
                i * group + 1,
                shown(doc.plain(first.range.clone()))
            ))
        })
        .collect()
}

/// A text on one line, cut where it is long.
fn shown(text: &str) -> String {
    let text: String = text
        .chars()
        .filter(|c| *c != GONE)
        .map(|c| if c == OPAQUE { '…' } else { c })
        .collect();
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= WIDTH {
        return line;
    }
    let cut: String = line.chars().take(WIDTH).collect();
    format!("{}…", cut.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_the_outline() {
        let lines = outline(&Doc::of("# One\n\nA b.\n\n## Two\n\nC.\n\n## 三\n\n一二。")).concat();
        assert_eq!(lines, "- One · 2\n  - Two · 1\n  - 三 · 2\n");
    }

    #[test]
    fn without_headings_the_paragraphs_are() {
        let lines = outline(&Doc::of("A b. C.\n\nДа. Нет.")).concat();
        assert_eq!(lines, "- ¶ 1 · A b. · 3\n- ¶ 2 · Да. · 2\n");
        assert!(outline(&Doc::of(&"One.\n\n".repeat(500))).len() <= LINES);
    }
}

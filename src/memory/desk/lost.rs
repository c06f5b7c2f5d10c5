//! Accepted lines that another program's older copy of the memory has put away.

use std::collections::BTreeSet;

use crate::domain::drawer::{Binder, Hand, Standing};
use crate::memory::file::{Item, items, norm, source};
use crate::text::one_line;

use super::{Desk, MEMORY};

impl Desk {
    /// What is said of accepted lines that stood in the memory before another program saved it last, and stand there no
    /// more. A line that has other words now was changed, not lost.
    pub(super) fn lost(&self, binder: &Binder, now: &[Item]) -> Option<String> {
        let versions = binder.files.get(MEMORY)?;
        versions
            .last()
            .filter(|v| v.by == Hand::Outside && !v.gone)?;
        let known = versions.iter().rfind(|v| v.by != Hand::Outside)?;
        let bytes = self.store.deed_blob_get(&self.book, &known.sha256).ok()?;
        let before = items(&String::from_utf8(bytes).ok()?);
        let stood = |line: &String| before.iter().any(|item| item.text == *line);
        let new: Vec<&Item> = now.iter().filter(|item| !stood(&item.text)).collect();
        let gone = |line: &&String| {
            let stands = now.iter().any(|item| item.text == **line);
            stood(line) && !stands && !new.iter().any(|item| is_reworded(line, &item.text))
        };
        let accepted = binder.proposals.iter().filter_map(|p| match &p.standing {
            Standing::Accepted { line, .. } => Some(line),
            _ => None,
        });
        let lost: Vec<&String> = accepted.filter(gone).collect();
        let first = one_line(source(lost.first()?).0);
        let (what, verb) = match lost.len() {
            1 => (format!("“{first}”"), "was"),
            2 => (format!("“{first}” and one more line"), "were"),
            n => (format!("“{first}” and {} more lines", n - 1), "were"),
        };
        let path = self.path(MEMORY);
        Some(format!(
            "{what} {verb} accepted, and missing in {path} since another program saved it. If that had an older copy, take the words from the version before."
        ))
    }
}

/// Whether a line is another one in other words: it comes from the same, or has most of its words.
fn is_reworded(old: &str, new: &str) -> bool {
    let (old_from, new_from) = (source(old).1, source(new).1);
    let (old, new) = (norm(old), norm(new));
    let (a, b): (BTreeSet<&str>, BTreeSet<&str>) =
        (old.split(' ').collect(), new.split(' ').collect());
    let shared = a.intersection(&b).count();
    (old_from.is_some() && old_from == new_from && shared > 0)
        || shared * 3 > a.len().max(b.len()) * 2
}

//! What a window is shown of a collection's memory.

use std::collections::BTreeMap;

use jiff::civil::Date;

use crate::domain::CollectionId;
use crate::domain::drawer::{Binder, Diff, FileRow, Kept, Offer, Proposal, Sheet, Standing};
use crate::memory::file::{
    Item, contradicted, heading_of, in_conflict, items, line_of, source, with_line,
};

use super::answer::INDEX;
use super::{Around, Desk, MEMORY, SIZE_MAX};

/// Lines shown around what comes.
const AROUND: usize = 2;

impl Desk {
    /// The sheet as it is now. Where the memory cannot be read, that is said in it.
    pub fn sheet(&self, binder: &Binder, around: &Around<'_>) -> Sheet {
        let text = self.text(MEMORY);
        let problem = text.as_ref().err().map(ToString::to_string);
        let problem = problem.or_else(|| self.in_conflict());
        let read = text.is_ok();
        let text = text.unwrap_or_default();
        let all = items(&text);
        let lost = if read {
            self.lost(binder, &all)
        } else {
            Vec::new()
        };
        let problem = problem.or_else(|| self.told_lost(&lost));
        let abouts = abouts(binder);
        let offer = |p: &Proposal| self.offer(p, &text, (&all, &abouts), around);
        Sheet {
            collection: self
                .collection
                .as_ref()
                .map_or_else(CollectionId::inbox, |c| c.id.clone()),
            offers: binder.waiting().map(offer).collect(),
            lines: all.iter().map(|item| kept(item, around.today)).collect(),
            files: self.rows(binder),
            problem,
            lost: lost.len(),
            undone: None,
        }
    }

    /// Why a file that is there has no versions.
    fn odd(&self, file: &str) -> Option<String> {
        let path = self.folder().join(file);
        let about = path.symlink_metadata().ok()?;
        let root = self.workspace.root().canonicalize().ok()?;
        let what = match path.canonicalize() {
            _ if !about.is_symlink() && about.len() <= SIZE_MAX => return None,
            _ if !about.is_symlink() => "larger than 4 MiB: no versions",
            Ok(real) if real.starts_with(root) => "a link: no versions",
            _ => "a link out of the workspace: not sent",
        };
        Some(what.to_owned())
    }

    /// What is said of marks that git has left in its files.
    fn in_conflict(&self) -> Option<String> {
        let told = |file: &&str| in_conflict(&self.text(file).ok()?, &self.path(file));
        let all: Vec<String> = self.files().iter().filter_map(told).collect();
        (!all.is_empty()).then(|| all.join(" "))
    }

    /// Where a file is, relative to the workspace.
    pub(super) fn path(&self, file: &str) -> String {
        let folder = self.collection.as_ref().map_or("", |c| &c.folder);
        if folder.is_empty() {
            file.to_owned()
        } else {
            format!("{folder}/{file}")
        }
    }

    /// The files with their versions.
    pub fn rows(&self, binder: &Binder) -> Vec<FileRow> {
        let row = |file: &&str| FileRow {
            file: (*file).to_owned(),
            path: self.path(file),
            versions: binder.files.get(*file).cloned().unwrap_or_default(),
            odd: self.odd(file),
        };
        self.files().iter().map(row).collect()
    }

    fn offer(
        &self,
        p: &Proposal,
        text: &str,
        (all, abouts): (&[Item], &BTreeMap<&str, &str>),
        around: &Around<'_>,
    ) -> Offer {
        let title = (around.title)(p.says.session);
        if p.says.what.is_index() {
            let was = self
                .collection
                .as_ref()
                .and_then(|c| c.piece(p.says.session));
            let was = was.and_then(|piece| piece.line.clone());
            let mut diff: Vec<Diff> = was.into_iter().map(Diff::Out).collect();
            diff.push(Diff::In(p.says.text.clone()));
            return Offer {
                proposal: p.clone(),
                title,
                file: INDEX.to_owned(),
                diff,
                against: Vec::new(),
            };
        }
        let line = line_of(&p.says.text, &title, around.today);
        let against = contradicted(all, &p.says, abouts);
        Offer {
            proposal: p.clone(),
            title,
            file: MEMORY.to_owned(),
            diff: difference(text, heading_of(&p.says.what), &line),
            against: against.into_iter().map(|i| i.text.clone()).collect(),
        }
    }
}

/// What the proposals were about that became lines, by the line.
fn abouts(binder: &Binder) -> BTreeMap<&str, &str> {
    let mut found = BTreeMap::new();
    for p in &binder.proposals {
        if let (Standing::Accepted { line, .. }, Some(about)) = (&p.standing, &p.says.about) {
            found.insert(line.as_str(), about.as_str());
        }
    }
    found
}

/// What a line under a heading would change, with the lines around it.
fn difference(text: &str, heading: &str, line: &str) -> Vec<Diff> {
    let new = with_line(text, heading, line);
    let (old, new): (Vec<&str>, Vec<&str>) = (text.lines().collect(), new.lines().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tail = old
        .len()
        .saturating_sub(head)
        .min(new.len().saturating_sub(head));
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take(tail)
        .take_while(|(a, b)| a == b);
    let tail = tail.count();
    let own = |of: &[&str], from: usize, to: usize| -> Vec<String> {
        let part = of.get(from..to).unwrap_or_default();
        part.iter().map(|l| l.trim_end().to_owned()).collect()
    };
    let mut all: Vec<Diff> = own(&old, head.saturating_sub(AROUND), head)
        .into_iter()
        .map(Diff::Same)
        .collect();
    all.extend(own(&old, head, old.len() - tail).into_iter().map(Diff::Out));
    all.extend(own(&new, head, new.len() - tail).into_iter().map(Diff::In));
    let behind = (new.len() - tail, (new.len() - tail + AROUND).min(new.len()));
    all.extend(own(&new, behind.0, behind.1).into_iter().map(Diff::Same));
    all
}

fn kept(item: &Item, today: Date) -> Kept {
    let (text, from) = source(&item.text);
    let date = from.as_ref().map(|f| f.date);
    let age = |date: Date| {
        today
            .since(date)
            .ok()
            .map(|span| i64::from(span.get_days()))
    };
    Kept {
        line: item.text.clone(),
        text: text.to_owned(),
        heading: item.heading.clone(),
        archived: item.archived,
        from: from.map(|f| f.title).filter(|t| !t.is_empty()),
        date: date.map(|d| d.to_string()),
        days: date.and_then(age),
    }
}

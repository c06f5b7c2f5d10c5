//! The memory of a collection as the writer walks through it: what is proposed, what is kept, the files and their versions.

use std::collections::HashMap;
use std::sync::Arc;

use super::compare::paper::Paper;
use crate::domain::drawer::{FileRow, FileVersion, Kept, Offer, Sheet};
use crate::domain::{CollectionId, Seq};

/// The view.
#[derive(Debug)]
pub struct MemoryView {
    /// Whose memory.
    pub collection: CollectionId,
    /// The row of the first line in view, as it was drawn last.
    pub top: usize,
    sheet: Option<Box<Sheet>>,
    wrong: Option<String>,
    at: usize,
    /// The number of deeds it was asked for at, and the collection's folder; none when it is to be asked for.
    asked: Option<(u64, String)>,
}

/// Something the cursor stands on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Item<'a> {
    /// A proposal that waits.
    Offer(&'a Offer),
    /// One of several lines of the memory that a proposal contradicts.
    Against(&'a Offer, usize),
    /// A line of the memory.
    Line(&'a Kept),
    /// A file with versions.
    File(&'a FileRow),
}

impl Item<'_> {
    /// Whether another one is this one, as it is now.
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Offer(a), Self::Offer(b)) => a.proposal.seq == b.proposal.seq,
            (Self::Against(a, n), Self::Against(b, m)) => {
                a.proposal.seq == b.proposal.seq && a.against.get(*n) == b.against.get(*m)
            }
            (Self::Line(a), Self::Line(b)) => a.line == b.line && a.archived == b.archived,
            (Self::File(a), Self::File(b)) => a.file == b.file,
            _ => false,
        }
    }
}

/// Everything in a sheet that the cursor can stand on, in order.
fn items(sheet: &Sheet) -> impl Iterator<Item = Item<'_>> {
    let offers = sheet.offers.iter().flat_map(|offer| {
        let against = stops(offer).map(move |n| Item::Against(offer, n));
        std::iter::once(Item::Offer(offer)).chain(against)
    });
    let lines = sheet.lines.iter().map(Item::Line);
    let files = sheet.files.iter().map(Item::File);
    offers.chain(lines).chain(files)
}

/// The contradicted lines that the cursor stands on: where there is one, there is nothing to choose.
pub fn stops(offer: &Offer) -> std::ops::Range<usize> {
    let many = offer.against.len();
    0..if many > 1 { many } else { 0 }
}

impl MemoryView {
    /// The memory of a collection.
    pub fn new(collection: CollectionId) -> Self {
        Self {
            collection,
            top: 0,
            sheet: None,
            wrong: None,
            at: 0,
            asked: None,
        }
    }

    /// Whether it is to be asked for, as the collection has so many deeds and that folder now; from now on it is on its
    /// way.
    pub fn wants(&mut self, deeds: u64, folder: &str) -> bool {
        let is_so = |asked: &(u64, String)| asked.0 == deeds && asked.1 == folder;
        if self.asked.as_ref().is_some_and(is_so) {
            return false;
        }
        self.asked = Some((deeds, folder.to_owned()));
        true
    }

    /// Another host answers, or what was seen is not so any more.
    pub fn stale(&mut self) {
        self.asked = None;
    }

    /// It came. The cursor stays on what it was on; where that is gone, on what took its place. Of a proposal that is
    /// answered the lines go with it: the next one has its place.
    pub fn came(&mut self, sheet: Sheet) {
        let old = self.item();
        let place = old.and_then(|old| items(&sheet).position(|new| new.is(&old)));
        let last = items(&sheet).count().saturating_sub(1);
        self.at = place.unwrap_or(self.begins().min(last));
        self.wrong = None;
        self.sheet = Some(Box::new(sheet));
    }

    /// Where what the cursor is on begins: of a line that a proposal contradicts, the proposal.
    fn begins(&self) -> usize {
        match self.item() {
            Some(Item::Against(_, n)) => self.at.saturating_sub(n + 1),
            _ => self.at,
        }
    }

    /// It cannot be had.
    pub fn refused(&mut self, why: String) {
        self.wrong = Some(why);
    }

    /// What came; none until it has.
    pub fn sheet(&self) -> Option<&Sheet> {
        self.sheet.as_deref()
    }

    /// Why it cannot be had.
    pub fn wrong(&self) -> Option<&str> {
        self.wrong.as_deref()
    }

    /// What the cursor stands on.
    pub fn item(&self) -> Option<Item<'_>> {
        items(self.sheet()?).nth(self.at)
    }

    /// Its number.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The proposal under the cursor.
    pub fn offer(&self) -> Option<&Offer> {
        match self.item()? {
            Item::Offer(offer) | Item::Against(offer, _) => Some(offer),
            _ => None,
        }
    }

    /// The line that the proposal under the cursor contradicts: the only one, else the one under the cursor.
    pub fn contradicted(&self) -> Option<&str> {
        let line = match self.item()? {
            Item::Offer(offer) if offer.against.len() == 1 => offer.against.first(),
            Item::Against(offer, n) => offer.against.get(n),
            _ => None,
        };
        line.map(String::as_str)
    }

    /// The line of the memory under the cursor.
    pub fn line(&self) -> Option<&Kept> {
        match self.item()? {
            Item::Line(line) => Some(line),
            _ => None,
        }
    }

    /// Moves the cursor, stopping at the ends.
    pub fn step(&mut self, by: isize) {
        let many = self.sheet().map_or(0, |s| items(s).count());
        let last = many.saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
    }
}

/// What is known of a version's text.
#[derive(Debug)]
enum Known {
    /// It was asked for.
    Asked,
    /// It is here.
    Here(Arc<str>),
    /// It cannot be had.
    Wrong(String),
}

/// The versions of a file: each beside the one before.
#[derive(Debug)]
pub struct FileView {
    /// Whose memory it belongs to.
    pub collection: CollectionId,
    /// The file.
    pub file: String,
    /// The text of the version at hand, with what changed in it.
    pub paper: Paper,
    /// The first version in view, as it was drawn last.
    pub top: usize,
    versions: Vec<FileVersion>,
    at: usize,
    known: HashMap<Seq, Known>,
    shown: Option<Seq>,
}

impl FileView {
    /// The versions of a file, at the newest.
    pub fn new(collection: CollectionId, row: &FileRow) -> Self {
        Self {
            collection,
            file: row.file.clone(),
            paper: Paper::default(),
            top: 0,
            at: row.versions.len().saturating_sub(1),
            versions: row.versions.clone(),
            known: HashMap::new(),
            shown: None,
        }
    }

    /// The files as they are now. Who stands at the newest version stays there.
    pub fn came(&mut self, files: &[FileRow]) {
        let Some(row) = files.iter().find(|f| f.file == self.file) else {
            return;
        };
        let newest = self.at + 1 >= self.versions.len();
        self.versions.clone_from(&row.versions);
        if newest {
            self.at = self.versions.len().saturating_sub(1);
        }
    }

    /// The versions, oldest first.
    pub fn versions(&self) -> &[FileVersion] {
        &self.versions
    }

    /// Which of them is at hand.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The one at hand.
    pub fn version(&self) -> Option<&FileVersion> {
        self.versions.get(self.at)
    }

    /// Goes some versions towards the newest, or back; false when there is none further on.
    pub fn walk(&mut self, by: isize) -> bool {
        let to = self.at.checked_add_signed(by);
        let to = to.filter(|to| *to < self.versions.len());
        self.at = to.unwrap_or(self.at);
        to.is_some()
    }

    /// The version at hand and the one before it, which it is shown beside.
    fn pair(&self) -> [Option<&FileVersion>; 2] {
        let before = self.at.checked_sub(1);
        [before.and_then(|at| self.versions.get(at)), self.version()]
    }

    /// The versions whose texts are to be asked for; from now on they are on their way.
    pub fn wanted(&mut self) -> Vec<Seq> {
        let shown = self.pair().into_iter().flatten().map(|v| v.seq);
        let new: Vec<Seq> = shown.filter(|seq| !self.known.contains_key(seq)).collect();
        self.known
            .extend(new.iter().map(|seq| (*seq, Known::Asked)));
        new
    }

    /// A text came.
    pub fn text(&mut self, seq: Seq, text: &str) {
        self.known.insert(seq, Known::Here(Arc::from(text)));
    }

    /// A text cannot be had.
    pub fn refused(&mut self, seq: Seq, why: String) {
        self.known.insert(seq, Known::Wrong(why));
    }

    /// Another host answers: what is not here is asked for anew.
    pub fn stale(&mut self) {
        self.known
            .retain(|_, known| matches!(known, Known::Here(_)));
    }

    /// Why the text at hand cannot be had.
    pub fn wrong(&self) -> Option<&str> {
        let mut pair = self.pair().into_iter().flatten();
        pair.find_map(|v| match self.known.get(&v.seq)? {
            Known::Wrong(why) => Some(why.as_str()),
            _ => None,
        })
    }

    /// Takes in what has come.
    pub fn look(&mut self) {
        let seq = self.version().map(|v| v.seq);
        if self.shown != seq {
            self.paper = Paper::default();
        }
        self.shown = seq;
        let text = |version: Option<&FileVersion>| match version {
            None => Some(Arc::from("")),
            Some(v) => match self.known.get(&v.seq)? {
                Known::Here(text) => Some(Arc::clone(text)),
                _ => None,
            },
        };
        let [was, now] = self.pair();
        if let (Some(was), Some(now), true) = (text(was), text(now), now.is_some()) {
            self.paper.set(&was, &now);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::domain::drawer::Hand;

    fn kept(line: &str) -> Kept {
        Kept {
            line: line.to_owned(),
            text: line.to_owned(),
            heading: None,
            archived: false,
            from: None,
            date: None,
            days: None,
        }
    }

    fn sheet(lines: &[&str]) -> Sheet {
        Sheet {
            collection: CollectionId::inbox(),
            offers: Vec::new(),
            lines: lines.iter().map(|l| kept(l)).collect(),
            files: Vec::new(),
            problem: None,
            lost: 0,
            undone: None,
        }
    }

    #[test]
    fn the_cursor_stays_on_its_line_and_goes_to_the_next_where_that_is_gone() {
        let mut view = MemoryView::new(CollectionId::inbox());
        view.came(sheet(&["a", "b", "c"]));
        view.step(1);
        view.came(sheet(&["new", "a", "b", "c"]));
        assert_eq!(view.line().unwrap().line, "b");
        view.came(sheet(&["new", "a", "c"]));
        assert_eq!(view.line().unwrap().line, "c");
        view.came(sheet(&[]));
        assert!(view.item().is_none());
    }

    #[test]
    fn it_is_asked_for_once_for_each_number_of_deeds_and_each_folder() {
        let mut view = MemoryView::new(CollectionId::inbox());
        assert!(view.wants(3, "a") && !view.wants(3, "a") && view.wants(4, "a"));
        view.stale();
        assert!(view.wants(4, "a") && view.wants(4, "b") && !view.wants(4, "b"));
    }

    #[test]
    fn versions_are_walked_to_their_ends_each_beside_the_one_before() {
        let version = |seq: Seq| FileVersion {
            seq,
            ts: 0,
            sha256: String::new(),
            bytes: 1,
            by: Hand::Outside,
            base: None,
            act: None,
            gone: false,
        };
        let row = FileRow {
            file: "MEMORY.md".to_owned(),
            path: "essays/MEMORY.md".to_owned(),
            versions: vec![version(2), version(5)],
            odd: None,
        };
        let mut view = FileView::new(CollectionId::inbox(), &row);
        assert_eq!(view.wanted(), [2, 5]);
        assert!(view.wanted().is_empty());
        view.text(2, "one\n");
        view.look();
        assert!(!view.paper.is_here);
        view.text(5, "two\n");
        view.look();
        assert!(view.paper.is_here && view.paper.differs());
        assert!(!view.walk(1) && view.walk(-1) && !view.walk(-1));
        view.look();
        assert_eq!(&*view.paper.both.left, "");
        assert!(view.wanted().is_empty());
    }
}

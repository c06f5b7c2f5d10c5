//! A draft beside another text: two texts compared, the versions of a draft, what a turn did to it.
//!
//! `texts` has the texts, as the host gives them; `paper` lays two of them out; `view`, `others`, `changes` and the
//! timeline are what the writer walks through.

pub mod changes;
pub mod laid;
pub mod others;
pub mod paper;
pub mod runs;
pub mod texts;
pub mod view;

use std::collections::{BTreeMap, HashMap};

use super::brief::BriefView;
use super::focus::Pane;
use super::memory::{FileView, MemoryView};
use super::shelf::ShelfPage;
use super::timeline::Timeline;
use crate::domain::{CollectionId, Seq, SessionId};
use changes::{Changes, Marks, What};
use others::Others;
use texts::Texts;
use view::Compare;

/// A text that can be compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Side {
    /// The session.
    pub session: SessionId,
    /// Which of its texts.
    pub at: At,
}

/// Which text of a session.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum At {
    /// Its draft, as it is.
    Draft,
    /// A version of it.
    Version(Seq),
    /// What an agent proposes.
    Proposed(Seq),
    /// What was there before the first version: nothing.
    Nothing,
}

impl Side {
    /// The draft of a session.
    pub fn draft(session: SessionId) -> Self {
        let at = At::Draft;
        Self { session, at }
    }

    /// A version of a session's draft.
    pub fn version(session: SessionId, seq: Seq) -> Self {
        let at = At::Version(seq);
        Self { session, at }
    }

    /// Whether it can be written to.
    pub fn is_draft(self) -> bool {
        self.at == At::Draft
    }
}

/// A view that takes the place of the panes.
#[derive(Debug)]
pub enum View {
    /// Two texts.
    Compare(Box<Compare>),
    /// A paragraph in every text of a family.
    Others(Box<Others>),
    /// The versions of a draft.
    Versions(Box<Timeline>),
    /// What a turn did, or would do.
    Changes(Box<Changes>),
    /// What agents are told.
    Brief(Box<BriefView>),
    /// The page of a collection.
    Shelf(Box<ShelfPage>),
    /// The memory of a collection.
    Memory(Box<MemoryView>),
    /// The versions of one of its files.
    File(Box<FileView>),
}

impl View {
    /// The texts it shows.
    pub fn sides(&self) -> Vec<Side> {
        match self {
            Self::Compare(view) => view.sides.to_vec(),
            Self::Others(view) => view.sides(),
            Self::Versions(view) => view.sides(),
            Self::Changes(view) => view.sides(),
            Self::Brief(_) | Self::Shelf(_) | Self::Memory(_) | Self::File(_) => Vec::new(),
        }
    }

    /// The session that its keys are about: the one that is written to.
    pub fn session(&self) -> Option<SessionId> {
        Some(match self {
            Self::Compare(view) => view.target().unwrap_or(view.sides[0]).session,
            Self::Others(view) => view.target.session,
            Self::Versions(view) => view.session,
            Self::Changes(view) => view.session,
            Self::Brief(view) => view.session,
            Self::Shelf(view) => return view.at,
            Self::Memory(_) | Self::File(_) => return None,
        })
    }

    /// Takes in the texts that have come.
    pub fn look(&mut self, texts: &Texts) {
        match self {
            Self::Compare(view) => view.look(texts),
            Self::Others(view) => view.look(texts),
            Self::Versions(view) => view.look(texts),
            Self::Changes(view) => view.look(texts),
            Self::Brief(view) => view.look(),
            Self::File(view) => view.look(),
            Self::Shelf(_) | Self::Memory(_) => {}
        }
    }
}

/// The views that are open, the topmost last.
#[derive(Debug, Default)]
pub struct Views {
    /// Them.
    pub stack: Vec<View>,
    /// Their texts.
    pub texts: Texts,
    /// Where the writer came from.
    pub from: Pane,
    /// When the page of each collection was looked at, milliseconds since 1970.
    pub looked: BTreeMap<CollectionId, i64>,
    /// What was decided of proposals that are not answered yet.
    marks: HashMap<(SessionId, Seq), Marks>,
}

impl Views {
    /// What was decided of the proposals that are looked at is there again when they are.
    pub fn keep_marks(&mut self) {
        for view in &self.stack {
            if let View::Changes(view) = view
                && let What::Proposal(proposal) = view.what
            {
                self.marks.insert((view.session, proposal), view.marks());
            }
        }
    }

    /// What was decided of a proposal before; it is asked for once.
    pub fn take_marks(&mut self, session: SessionId, proposal: Seq) -> Marks {
        self.marks.remove(&(session, proposal)).unwrap_or_default()
    }

    /// The one that is seen.
    pub fn top(&self) -> Option<&View> {
        self.stack.last()
    }

    /// The one that is seen.
    pub fn top_mut(&mut self) -> Option<&mut View> {
        self.stack.last_mut()
    }

    /// What they want, each asked.
    pub fn wanted<T>(&mut self, want: impl FnMut(&mut View) -> Option<T>) -> Vec<T> {
        self.stack.iter_mut().filter_map(want).collect()
    }

    /// All of them take in what has come.
    pub fn look(&mut self) {
        for view in &mut self.stack {
            view.look(&self.texts);
        }
    }

    /// Every text that is shown.
    pub fn sides(&self) -> Vec<Side> {
        let mut sides: Vec<Side> = self.stack.iter().flat_map(View::sides).collect();
        sides.dedup();
        sides
    }

    /// Every session that a view is about.
    pub fn sessions(&self) -> Vec<SessionId> {
        let own = self.stack.iter().filter_map(View::session);
        let mut all: Vec<_> = own.chain(self.sides().iter().map(|s| s.session)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

//! What a tool of an agent wants of the collection: gathered on another thread, told to the agent.

use super::{Actor, Msg, blocking};
use crate::domain::TurnNo;
use crate::domain::tool::ToolResult;
use crate::host::history;
use crate::log::Store;
use crate::memory::brief::Piece;
use crate::memory::propose::From;
use crate::text::find::Query;
use crate::text::head;
use crate::tools::memory::Proposal;
use crate::tools::pieces::{PASSAGES, Passage, found, listed, named, told};
use crate::tools::{Find, Wanted, no};

/// Bytes of a passage that are told.
const PASSAGE: usize = 1024;

/// What is done on another thread for a tool.
type Work = Box<dyn FnOnce() -> ToolResult + Send>;

impl Actor {
    /// Gives a tool what it wants, when it is gathered: the session hears a stop meanwhile, and whatever else comes.
    pub(super) fn gather(&mut self, call: String, wanted: Result<Wanted, ToolResult>) {
        let turn = self.state.turn;
        let work: Work = match wanted {
            Ok(Wanted::Memory(asked)) => self.kept(call.clone(), asked),
            Ok(Wanted::Find(find)) => self.found(find),
            Err(refused) => return self.gathered(turn, call, refused),
        };
        let back = self.to_self.clone();
        tokio::spawn(async move {
            let work = move || Ok::<_, String>(work());
            let result = blocking(work).await.unwrap_or_else(no);
            // A session that has closed meanwhile has no agent that waits for it.
            if let Some(back) = back.upgrade() {
                drop(back.send(Msg::Gathered(turn, call, result)).await);
            }
        });
    }

    /// Tells it. Nobody waits for what a turn wanted that has ended since.
    pub(super) fn gathered(&mut self, turn: TurnNo, call: String, result: ToolResult) {
        if self.state.turn == turn {
            self.tool_done(call, result);
        }
    }

    /// Keeps a line for the writer to decide on.
    fn kept(&self, call: String, asked: Proposal) -> Work {
        let Some(place) = &self.ledger.head.place else {
            return Box::new(|| no("This piece is in no collection.".to_owned()));
        };
        let (shared, collection) = (self.shared.clone(), place.collection.clone());
        let (session, turn) = (self.id, self.state.turn);
        let from = From {
            session,
            turn,
            call,
        };
        Box::new(move || shared.propose_memory(&collection, asked, from))
    }

    fn found(&self, find: Find) -> Work {
        let brief = self.shared.brief_of(self.id, &self.ledger.head);
        let store = self.shared.store.clone();
        Box::new(move || {
            let pieces = brief.pieces();
            match find {
                Find::Pieces => listed(&pieces),
                Find::Piece(asked) => match named(&asked, &pieces) {
                    Ok(piece) => match draft(&store, piece) {
                        Ok(draft) => told(&asked, piece, &draft),
                        Err(why) => no(why),
                    },
                    Err(refused) => refused,
                },
                Find::Words(words) => search(&store, &words, &pieces),
            }
        })
    }
}

/// The draft of a piece, what was typed last included.
fn draft(store: &Store, piece: &Piece) -> Result<String, String> {
    let head = store.head(piece.id).map_err(|e| e.to_string())?.head;
    let near = head.draft.as_ref().map(|d| d.seq);
    if near.is_none() && head.typed.is_none() {
        return Ok(String::new());
    }
    let drafted = history::draft(store, piece.id, near, None).map_err(|e| e.to_string())?;
    Ok(String::from_utf8_lossy(&drafted.bytes).into_owned())
}

/// The passages of all drafts in which the words stand; the piece itself is read with another tool.
fn search(store: &Store, words: &str, pieces: &[Piece]) -> ToolResult {
    let Some(query) = Query::of(words) else {
        return no("There are no words to look for.".to_owned());
    };
    let mut passages = Vec::new();
    for piece in pieces {
        // One that cannot be read hides no other.
        let draft = draft(store, piece).unwrap_or_default();
        for (paragraph, _) in query.paragraphs(&draft) {
            if passages.len() == PASSAGES {
                return found(words, &passages, true);
            }
            let text = head(draft.get(paragraph).unwrap_or_default(), PASSAGE);
            passages.push(Passage {
                title: piece.title.clone(),
                text: text.to_owned(),
            });
        }
    }
    found(words, &passages, false)
}

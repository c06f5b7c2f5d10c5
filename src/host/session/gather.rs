//! What a tool of an agent wants of the collection: gathered on another thread, told to the agent.

use super::{Actor, blocking};
use crate::domain::tool::ToolResult;
use crate::host::history;
use crate::host::turn::Input;
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

impl Actor {
    /// Gives a tool what it wants.
    pub(super) async fn gather(&mut self, call: String, wanted: Result<Wanted, ToolResult>) {
        let result = match wanted {
            Ok(Wanted::Memory(asked)) => self.kept(call.clone(), asked).await,
            Ok(Wanted::Find(find)) => self.found(find).await,
            Err(refused) => refused,
        };
        self.feed(Input::ToolDone {
            call,
            result,
            ms: 0,
        });
    }

    /// Keeps a line for the writer to decide on.
    async fn kept(&self, call: String, asked: Proposal) -> ToolResult {
        let Some(place) = &self.ledger.head.place else {
            return no("This piece is in no collection.".to_owned());
        };
        let (shared, collection) = (self.shared.clone(), place.collection.clone());
        let (session, turn) = (self.id, self.state.turn);
        let from = From {
            session,
            turn,
            call,
        };
        let work = move || Ok::<_, String>(shared.propose_memory(&collection, asked, from));
        blocking(work).await.unwrap_or_else(no)
    }

    async fn found(&mut self, find: Find) -> ToolResult {
        let pieces = self.shared.brief_of(self.id, &self.ledger.head).pieces();
        let store = self.shared.store.clone();
        let work = move || {
            Ok::<_, String>(match find {
                Find::Pieces => listed(&pieces),
                Find::Piece(asked) => match named(&asked, &pieces) {
                    Ok(piece) => match draft(&store, piece) {
                        Ok(draft) => told(&asked, piece, &draft),
                        Err(why) => no(why),
                    },
                    Err(refused) => refused,
                },
                Find::Words(words) => search(&store, &words, &pieces),
            })
        };
        blocking(work).await.unwrap_or_else(no)
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

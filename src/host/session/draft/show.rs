//! The draft as windows ask for it, and a reply put into it.

use super::restore::NOTHING;
use super::{Actor, By, Made, Reply, Todo, blocking, file};
use crate::domain::Seq;
use crate::domain::ask::Into as Place;
use crate::domain::event::Origin;
use crate::drafts::decode;
use crate::host::history;
use crate::host::turn::AskNo;

/// Why a draft can only be read.
const LOCKED: &str = "The draft is not UTF-8 text: it can only be read here. Convert it, and it can be written; the original stays a version.";
/// What is left to do where it cannot be converted.
const NO_TEXT: &str = "Restore an older version, or put a text into draft.md.";

/// Why a draft of such bytes can only be read, and what to do.
fn why_locked(bytes: &[u8]) -> String {
    match decode::decode(bytes) {
        Ok(_) => LOCKED.to_owned(),
        Err(why) => format!("{why} {NO_TEXT}"),
    }
}

/// Where a draft can be read that waits for the disk.
const FILE: &str = "Until the disk takes it the draft is read in its file.";

impl Actor {
    /// Answers with the draft as of an event, as it is now when none is named.
    pub(in crate::host::session) async fn draft(&mut self, to: AskNo, at: Option<Seq>) {
        self.look_at_draft().await;
        match self.ledger.trouble.clone() {
            None => self.then(Todo::Show { to, at }),
            // Whoever only reads does not wait for the disk: what waits for it can be read in the file.
            Some(why) if self.desk.waits() && at.is_none() => {
                self.reply(to, Reply::refused(why, FILE));
            }
            Some(_) => self.show_draft(to, at).await,
        }
    }

    pub(in crate::host::session) async fn show_draft(&mut self, to: AskNo, at: Option<Seq>) {
        let mut locked = None;
        let live = self.desk.live.as_ref().map(|live| live.text.clone());
        let found = match (at, live) {
            (None, Some(text)) => Ok((text, Some(self.ledger.head.draft_at()))),
            (None, None) => {
                let version = self.ledger.head.draft.as_ref().map(|v| v.seq);
                let text = self.newest().await;
                text.map(|bytes| {
                    let text = String::from_utf8(bytes).unwrap_or_else(|wrong| {
                        locked = Some(why_locked(wrong.as_bytes()));
                        String::from_utf8_lossy(wrong.as_bytes()).into_owned()
                    });
                    (text, version)
                })
            }
            (Some(seq), _) => {
                let (store, id) = (self.shared.store.clone(), self.id);
                let found = blocking(move || history::draft(&store, id, None, Some(seq))).await;
                found.map(|f| (String::from_utf8_lossy(&f.bytes).into_owned(), f.at))
            }
        };
        let folder = self.shared.workspace.root().join(&self.desk.folder);
        let path = file::path(&folder).display().to_string();
        let reply = match found {
            Ok((text, version)) => Reply::Draft {
                text,
                version: version.filter(|v| *v > 0),
                path,
                locked,
            },
            Err(why) => Reply::Refused { why, hint: None },
        };
        self.reply(to, reply);
    }

    /// Puts a reply into the draft, in its place, behind it or before it.
    pub(in crate::host::session) async fn reply_to_draft(
        &mut self,
        to: AskNo,
        seq: Seq,
        how: Place,
    ) {
        self.settle().await;
        self.then(Todo::PutReply { to, seq, how });
    }

    pub(in crate::host::session) async fn put_reply(&mut self, to: AskNo, seq: Seq, how: Place) {
        if let Err(why) = self.in_the_way().await {
            return self.reply(to, Reply::refused(why, NOTHING));
        }
        let (store, id) = (self.shared.store.clone(), self.id);
        let words = blocking(move || history::words_at(&store, id, seq)).await;
        let why = match (words, self.newest().await) {
            (Ok(Some(words)), Ok(old)) => {
                let new = joined(&String::from_utf8_lossy(&old), &words, how);
                let from = Origin {
                    session: self.id,
                    seq,
                };
                self.save(new.into_bytes(), old, Made::from(By::You, from))
                    .await;
                return self.then_reply(to, Reply::Done);
            }
            (Ok(None), _) => "There is no message at that place.".to_owned(),
            (Err(why), _) | (_, Err(why)) => why,
        };
        self.reply(to, Reply::Refused { why, hint: None });
    }
}

/// A draft with a reply put to it; texts are parted by an empty line.
fn joined(draft: &str, reply: &str, how: Place) -> String {
    let (draft, reply) = (draft.trim_end(), reply.trim_end());
    match how {
        _ if draft.is_empty() => format!("{reply}\n"),
        Place::Replace => format!("{reply}\n"),
        Place::Append => format!("{draft}\n\n{reply}\n"),
        Place::Insert => format!("{reply}\n\n{draft}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_converted_is_not_told_to_be() {
        assert!(why_locked(b"caf\xe9").contains("Convert it"));
        let why = why_locked(b"\x7fELF\0\xff");
        assert!(
            !why.contains("Convert") && why.contains("zero bytes"),
            "{why}"
        );
    }

    #[test]
    fn a_reply_is_parted_from_the_draft_by_an_empty_line() {
        assert_eq!(joined("One.\n", "Two.", Place::Append), "One.\n\nTwo.\n");
        assert_eq!(joined("One.\n", "Two.", Place::Insert), "Two.\n\nOne.\n");
        assert_eq!(joined("One.\n", "Two.", Place::Replace), "Two.\n");
        assert_eq!(joined("", "Two.", Place::Append), "Two.\n");
    }
}

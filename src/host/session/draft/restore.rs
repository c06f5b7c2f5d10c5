//! What the writer does with versions: an older one made the draft again, one given a name, a draft in another
//! encoding made UTF-8.

use super::{Actor, Made, Reply, Todo, blocking};
use crate::domain::event::{By, Pinned};
use crate::domain::{Kind, Seq};
use crate::drafts::decode;
use crate::host::history;
use crate::host::session::asks::line;
use crate::host::turn::AskNo;

/// What helps who named no version.
const SEE: &str = "`fascicle draft ID --versions` lists the versions.";
/// What is said when nothing was changed.
pub(super) const NOTHING: &str = "Nothing was changed.";

impl Actor {
    /// Makes an older version the draft again, as a new version; what was typed is a version before it.
    pub(in crate::host::session) async fn restore(&mut self, to: AskNo, seq: Seq) {
        self.settle().await;
        self.then(Todo::Restore { to, seq });
    }

    /// The same, with all of that in the log.
    pub(in crate::host::session) async fn restore_now(&mut self, to: AskNo, seq: Seq) {
        if let Err(why) = self.in_the_way().await {
            return self.reply(to, Reply::refused(why, NOTHING));
        }
        let (store, id, near) = (
            self.shared.store.clone(),
            self.id,
            self.desk.version_at(seq),
        );
        let found = blocking(move || history::draft(&store, id, near, Some(seq))).await;
        let new = match found {
            Ok(found) if found.at == Some(seq) => found.bytes,
            Ok(_) => {
                let why = format!("Event {seq} is no version of the draft.");
                return self.reply(to, Reply::refused(why, SEE));
            }
            Err(why) => return self.reply(to, Reply::refused(why, NOTHING)),
        };
        // Without the version before it, its words are counted as new.
        let old = self.newest().await.unwrap_or_default();
        if new != old {
            let made = Made::from(By::Restore, self.origin(seq));
            self.save(new, old, made).await;
        }
        // All of it is the draft: nothing of it is left to decide on.
        if self
            .ledger
            .head
            .proposed
            .as_ref()
            .is_some_and(|p| p.seq == seq)
        {
            let proposal = seq;
            self.ledger.append(Kind::DraftAnswered { proposal });
        }
        self.then_reply(to, Reply::Done);
    }

    /// Makes a draft that is not UTF-8 one that is; the original stays a version.
    pub(in crate::host::session) async fn convert(&mut self, to: AskNo) {
        self.settle().await;
        self.then(Todo::Convert { to });
    }

    /// The same, with the original in the log.
    pub(in crate::host::session) async fn convert_now(&mut self, to: AskNo) {
        let old = match self.in_the_way().await {
            Ok(()) => self.newest().await,
            Err(why) => Err(why),
        };
        let old = match old {
            Ok(old) => old,
            Err(why) => return self.reply(to, Reply::refused(why, NOTHING)),
        };
        let new = match decode::decode(&old) {
            Ok(new) => new.into_bytes(),
            Err(why) => return self.reply(to, Reply::refused(why, NOTHING)),
        };
        let original = self.ledger.head.draft.as_ref().map_or(0, |d| d.seq);
        let made = Made::from(By::You, self.origin(original));
        self.save(new, old, made).await;
        self.then_reply(to, Reply::Done);
    }

    /// A version with a name, or without one again.
    pub(in crate::host::session) async fn pin(
        &self,
        version: Seq,
        name: Option<&str>,
    ) -> Result<Pinned, String> {
        let name = match name.map(line) {
            Some(None) => return Err("The name is empty.".to_owned()),
            name => name.flatten(),
        };
        if name.as_ref().is_some_and(|n| n.contains('@')) {
            return Err("A name with @ in it could not be asked for: SESSION@NAME.".to_owned());
        }
        if name
            .as_ref()
            .is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
        {
            return Err("A name of digits only would be taken for a number.".to_owned());
        }
        let (store, id) = (self.shared.store.clone(), self.id);
        let rows = blocking(move || history::timeline(&store, id)).await?;
        if !rows.iter().any(|row| row.seq == version) {
            return Err(format!("Event {version} is no version of the draft. {SEE}"));
        }
        let taken = |row: &&crate::domain::versions::VersionRow| {
            row.seq != version && name.is_some() && row.name == name
        };
        if let Some(other) = rows.iter().find(taken) {
            return Err(format!("Version {} has that name already.", other.seq));
        }
        let was = rows.into_iter().find(|row| row.seq == version);
        Ok(Pinned {
            version,
            name,
            was: was.and_then(|row| row.name),
            undoes: None,
        })
    }
}

//! The texts of versions: where the newest one is, and how an older one becomes the draft again.

use super::{Actor, Made, blocking, file};
use crate::domain::head::Version;
use crate::text::hash::sha256;

impl Actor {
    /// The text of the newest version. Where it is gone from among the kept ones, and the file still holds it, it is
    /// kept again.
    pub(super) async fn newest(&mut self) -> Result<Vec<u8>, String> {
        let newest = self.ledger.head.draft.clone();
        let why = match self.text_of(newest.as_ref()).await {
            Ok(text) => return Ok(text),
            Err(why) => why,
        };
        let (seq, sha) = newest.map(|v| (v.seq, v.sha256)).unwrap_or_default();
        let (store, id) = (self.shared.store.clone(), self.id);
        let path = self.shared.workspace.root().join(&self.desk.folder);
        let found = blocking(move || match file::read(&path) {
            Ok(Some(text)) if sha256(&text) == sha => {
                let kept = store.blob_put(id, &text).is_ok();
                // One that is there and was changed by somebody is left as it is.
                Ok((text, kept && store.blob_get(id, &sha).is_ok()))
            }
            _ => Err(format!(
                "{why} draft.md does not hold the text of version {seq} either. Restore an older version, or put the text into draft.md."
            )),
        });
        let (text, kept) = found.await?;
        if kept {
            self.note(format!(
                "The text of version {seq} was gone from among the kept versions. draft.md still holds it, and it is kept again."
            ));
        }
        Ok(text)
    }

    pub(super) async fn text_of(&self, version: Option<&Version>) -> Result<Vec<u8>, String> {
        let Some(sha) = version.map(|v| v.sha256.clone()) else {
            return Ok(Vec::new());
        };
        let (store, id) = (self.shared.store.clone(), self.id);
        blocking(move || store.blob_get(id, &sha)).await
    }

    /// Makes the text of a version the draft again.
    pub(in crate::host::session) async fn bring_back(
        &mut self,
        version: Option<Version>,
        made: Made,
    ) -> Result<(), String> {
        self.in_the_way().await?;
        let new = self.text_of(version.as_ref()).await?;
        // Without the version before it, its words are counted as new.
        let old = self.newest().await.unwrap_or_default();
        let emptied = new.is_empty() && !old.is_empty();
        self.save(new, old, made).await;
        if let Some(was) = self.ledger.head.draft.as_ref().filter(|_| emptied) {
            let (was, id) = (was.seq, self.id);
            self.note(format!(
                "The draft is empty now. What it held is version {was}: restore it from the versions, or by `fascicle draft {id} --restore {was}`."
            ));
        }
        Ok(())
    }
}

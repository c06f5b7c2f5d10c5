//! The way to the host, watched for whoever looks after it: `.fascicle`, the lock and the socket in it, and what other
//! machines say of themselves there.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use super::of::Of;
use super::{Held, Watch, lock};

/// What is known of the way to the host, and who waits for news of it.
#[derive(Default)]
pub(in crate::host) struct Door {
    held: Mutex<Vec<Held>>,
    /// There is something to look at.
    pub(in crate::host) news: Notify,
    /// It was looked at.
    pub(in crate::host) looked: Notify,
}

impl Watch {
    /// Watches `.fascicle` and the folder where hosts speak, as far as they are there: `own` is this machine's word,
    /// which is no news.
    pub(in crate::host) fn hold_door(&self, private: &Path, own: &Path) {
        let words = own.parent().map(Path::to_owned);
        let folders = [
            Some((Of::Door, private.to_owned())),
            words.map(|folder| (Of::Words(own.to_owned()), folder)),
        ];
        let there = |of: &(Of, PathBuf)| of.1.is_dir();
        let folders: Vec<_> = folders.into_iter().flatten().filter(there).collect();
        let mut held = self
            .door
            .held
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        self.hold_only(&mut held, folders);
    }

    /// Whether the system tells of all there is to know at the door.
    pub(in crate::host) fn tells_of_door(&self) -> bool {
        let folders = lock(&self.folders);
        let tells = |of: &Of| folders.held.get(of).is_some_and(|f| f.slow.is_none());
        let is_words = |of: &&Of| matches!(of, Of::Words(_));
        tells(&Of::Door) && folders.held.keys().find(is_words).is_some_and(tells)
    }
}

//! What was typed and not sent, kept for each session and window.

use std::io;
use std::path::PathBuf;

use crate::domain::{SessionId, WindowId};

use super::store::Store;
use super::{LogError, Tried, blobs, disk};

impl Store {
    /// A window's unsent text; empty when there is none. Without a session, that of the session
    /// still to be made.
    pub fn unsent(&self, id: Option<SessionId>, window: &WindowId) -> Result<String, LogError> {
        let path = self.unsent_file(id, window)?;
        match blobs::get(&*self.rig.disk, &path) {
            Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(String::new()),
            Err(e) => Err(e).tried("read", &path),
        }
    }

    /// Keeps it, durable when this returns; an empty text forgets it.
    pub fn keep_unsent(
        &self,
        id: Option<SessionId>,
        window: &WindowId,
        text: &str,
    ) -> Result<(), LogError> {
        let path = self.unsent_file(id, window)?;
        let disk = &*self.rig.disk;
        if text.is_empty() {
            return match disk.remove(&path) {
                Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e).tried("remove", &path),
                _ => Ok(()),
            };
        }
        path.parent()
            .map_or(Ok(()), |dir| disk::ensure_dir(disk, dir))
            .and_then(|()| disk::put_file(disk, &path, text.as_bytes()))
            .tried("write", &path)
    }

    fn unsent_file(&self, id: Option<SessionId>, window: &WindowId) -> Result<PathBuf, LogError> {
        let above = match id {
            Some(id) => self.folder_of(id)?,
            None => self.rig.root.clone(),
        };
        Ok(above
            .join("compose")
            .join(format!("{}.md", window.as_str())))
    }
}

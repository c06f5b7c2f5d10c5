//! Texts too long for a line: files named by the hash of what they hold, never changed.

use std::path::Path;

use crate::domain::event::{DraftProposed, Kind, MemoryInjected, Raw};
use crate::domain::text::{HEAD_MAX, INLINE_MAX};
use crate::domain::{SessionId, Text};
use crate::text::hash::sha256;

use super::disk::{self, Disk, Open};
use super::store::Store;
use super::{LogError, Tried};

/// How a text names its blob.
const SCHEME: &str = "sha256:";

impl Store {
    /// The bytes of a blob, by its name with or without `sha256:`; they are what the name says.
    pub fn blob_get(&self, id: SessionId, name: &str) -> Result<Vec<u8>, LogError> {
        read(&*self.rig.disk, &self.folder_of(id)?.join("blobs"), name)
    }

    /// The whole of a text, from its blob if it lies in one.
    pub fn text(&self, id: SessionId, text: &Text) -> Result<String, LogError> {
        match text {
            Text::Inline(text) => Ok(text.clone()),
            Text::Blob { blob, .. } => {
                let bytes = self.blob_get(id, blob)?;
                Ok(String::from_utf8(bytes)
                    .unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
            }
        }
    }
}

/// Whether a file could be a blob.
pub(crate) fn is_name(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Writes a blob unless it is there. It is durable when this returns.
pub(crate) fn put(disk: &dyn Disk, blobs: &Path, bytes: &[u8]) -> Result<String, LogError> {
    let name = sha256(bytes);
    let path = blobs.join(&name);
    let there = disk.stat(&path).is_ok_and(|s| s.len == bytes.len() as u64);
    if there {
        // It may have been renamed into place a moment before a crash: its name must be durable too.
        disk.sync_dir(blobs).tried("sync", blobs)?;
    } else {
        disk::put_file(disk, &path, bytes).tried("write", &path)?;
    }
    Ok(name)
}

/// The bytes of a blob, by its name with or without `sha256:`; they are what the name says.
pub(crate) fn read(disk: &dyn Disk, blobs: &Path, name: &str) -> Result<Vec<u8>, LogError> {
    let name = name.strip_prefix(SCHEME).unwrap_or(name);
    let bad = |why: &str| LogError::Blob {
        name: name.to_owned(),
        why: why.to_owned(),
    };
    if !is_name(name) {
        return Err(bad("that is not the name of one"));
    }
    let bytes = get(disk, &blobs.join(name)).map_err(|e| bad(&e.to_string()))?;
    if sha256(&bytes) == name {
        Ok(bytes)
    } else {
        Err(bad("its file was changed"))
    }
}

/// Reads a whole file.
pub(crate) fn get(disk: &dyn Disk, path: &Path) -> std::io::Result<Vec<u8>> {
    let file = disk.open(path, Open::Read)?;
    let len = file.stat()?.len;
    disk::read_range(&*file, 0, len)
}

/// The text an event carries, if its kind has one that may become a blob.
fn payload(kind: &mut Kind) -> Option<&mut Text> {
    match kind {
        Kind::Prompt { text, .. }
        | Kind::Queued { text, .. }
        | Kind::Thinking { text, .. }
        | Kind::Delta { text, .. }
        | Kind::ToolDelta { text, .. }
        | Kind::Message { text, .. }
        | Kind::TurnRecovered { text, .. }
        | Kind::ToolStarted { input: text, .. }
        | Kind::Asked { input: text, .. }
        | Kind::ToolFinished { output: text, .. }
        | Kind::MemoryInjected(MemoryInjected { text, .. })
        | Kind::Raw(Raw { base64: text, .. }) => Some(text),
        _ => None,
    }
}

/// Bytes of the text an event carries.
pub(crate) fn weight(kind: &mut Kind) -> u64 {
    payload(kind).map_or(0, |text| text.shown().len() as u64)
}

/// Takes a text too long for a line out of an event; the event names its blob from then on.
pub(crate) fn take_long(kind: &mut Kind) -> Option<String> {
    let text = payload(kind)?;
    let Text::Inline(whole) = text else {
        return None;
    };
    if whole.len() <= INLINE_MAX {
        return None;
    }
    let whole = std::mem::take(whole);
    *text = Text::Blob {
        blob: format!("{SCHEME}{}", sha256(whole.as_bytes())),
        len: whole.len() as u64,
        head: start(&whole, HEAD_MAX).to_owned(),
    };
    Some(whole)
}

/// Cuts a piece of a stream that is too long for a line into several: what streams is shown as it
/// comes, and only a line's own text can be.
pub(crate) fn split_long(kind: Kind) -> Vec<Kind> {
    let mut kind = kind;
    let streams = matches!(
        kind,
        Kind::Delta { .. } | Kind::Thinking { .. } | Kind::ToolDelta { .. }
    );
    let whole = match payload(&mut kind).filter(|_| streams) {
        Some(Text::Inline(text)) if text.len() > INLINE_MAX => std::mem::take(text),
        _ => return vec![kind],
    };
    let (mut kinds, mut rest) = (Vec::new(), whole.as_str());
    while !rest.is_empty() {
        let piece = start(rest, INLINE_MAX);
        rest = rest.get(piece.len()..).unwrap_or_default();
        let mut one = kind.clone();
        if let Some(text) = payload(&mut one) {
            *text = piece.into();
        }
        kinds.push(one);
    }
    kinds
}

/// The first bytes of a text, cut between characters.
fn start(text: &str, max: usize) -> &str {
    let cut = (0..=max.min(text.len())).rfind(|n| text.is_char_boundary(*n));
    cut.and_then(|n| text.get(..n)).unwrap_or(text)
}

/// The blobs an event names.
pub(crate) fn named(kind: &mut Kind) -> Option<&str> {
    if let Kind::DraftSaved { sha256, .. } | Kind::DraftProposed(DraftProposed { sha256, .. }) =
        kind
    {
        return Some(sha256);
    }
    match payload(kind)? {
        Text::Inline(_) => None,
        Text::Blob { blob, .. } => Some(blob.strip_prefix(SCHEME).unwrap_or(blob)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_leaves_its_beginning_in_the_line() {
        let mut kind = Kind::Message {
            turn: 1,
            block: 0,
            text: "é".repeat(INLINE_MAX).into(),
        };
        let whole = take_long(&mut kind);
        assert_eq!(whole.map(|w| w.len()), Some(2 * INLINE_MAX));
        let text = payload(&mut kind);
        assert!(text.is_some_and(|t| t.is_cut() && t.shown().len() == HEAD_MAX));
        assert_eq!(take_long(&mut kind), None);
    }

    #[test]
    fn a_long_piece_of_a_stream_becomes_several_lines_with_every_word() {
        let text = format!("x{}", "é".repeat(INLINE_MAX));
        let kinds = split_long(Kind::Delta {
            turn: 1,
            block: 0,
            text: text.clone().into(),
        });
        let mut together = String::new();
        for mut kind in kinds {
            let piece = payload(&mut kind).map(|t| t.shown().to_owned());
            assert!(piece.as_ref().is_some_and(|p| p.len() <= INLINE_MAX));
            together.extend(piece);
        }
        assert_eq!(together, text);
    }
}

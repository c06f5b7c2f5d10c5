//! Files that a writer makes: plain ones, of UTF-8. What is wrong with one is a sentence for its problem.

use std::fs::OpenOptions;
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::OFlags;

/// A larger one is none of ours: a `collection.toml` of 10,000 pieces takes about 2 MB.
pub(super) const MOST: u64 = 8 * 1024 * 1024;

/// The bytes of a plain file: a pipe or a device in its place may never end, and is not waited for.
pub(super) fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let mut opening = OpenOptions::new();
    opening.read(true).custom_flags(flags.bits().cast_signed());
    let file = opening.open(path)?;
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(io::Error::other("it is no plain file"));
    }
    if about.len() > MOST {
        return Err(io::Error::other("it is larger than 8 MiB"));
    }
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text that bytes are.
pub(super) fn utf8(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|e| {
        let byte = e.utf8_error().valid_up_to();
        format!("It is not UTF-8 from byte {byte} on.")
    })
}

//! Files that a writer makes: plain ones, of UTF-8. What is wrong with one is a sentence for its problem.

use std::io;
use std::path::Path;

/// The bytes of a plain file: a pipe or a device in its place may never end.
pub(super) fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no plain file"));
    }
    std::fs::read(path)
}

/// The text that bytes are.
pub(super) fn utf8(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|e| {
        let byte = e.utf8_error().valid_up_to();
        format!("It is not UTF-8 from byte {byte} on.")
    })
}

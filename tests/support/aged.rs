//! Folders that are older than the host which finds them.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Makes a folder an hour old, if it is there: one that was made within a tick of a host's beginning counts as one that is
/// made now.
pub fn aged(folder: &Path) {
    let then = SystemTime::now() - Duration::from_secs(3_600);
    if folder.is_dir() {
        File::open(folder).unwrap().set_modified(then).unwrap();
    }
}

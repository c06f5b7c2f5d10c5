//! English grammar and spelling, with the cargo feature `grammar`: harper-core in a process of its own.
//!
//! Its dictionary takes memory and its rules may go wrong, and neither is worth a host: the child gets the text on its
//! standard input, writes a JSON line for each place, and ends. Without the feature nothing is found here.

#[cfg(feature = "grammar")]
mod child;
#[cfg(feature = "grammar")]
mod rules;

use std::path::Path;

use super::finding::Finding;

/// Name of the check.
#[cfg(feature = "grammar")]
pub(super) const KIND: &str = "grammar";
/// The hidden verb under which this program is the child.
#[cfg(feature = "grammar")]
pub const VERB: &str = "grammar-child";

#[cfg(feature = "grammar")]
pub use rules::serve;

/// What is found in a text, or why nothing could be. Dropping the future ends the child.
#[cfg(feature = "grammar")]
pub(super) async fn look(
    text: String,
    program: &str,
    folder: &Path,
) -> Result<Vec<Finding>, String> {
    child::look(text, program, folder).await
}

/// What is found in a text: nothing without the feature.
#[cfg(not(feature = "grammar"))]
#[allow(clippy::unused_async, reason = "as with the feature")]
pub(super) async fn look(_: String, _: &str, _: &Path) -> Result<Vec<Finding>, String> {
    Ok(Vec::new())
}

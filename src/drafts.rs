//! The draft of a session: `draft.md` and the versions behind it.
//!
//! The host owns a draft; this room reads the file, replaces it and finds the session's folder.
//! It makes no versions itself: what it finds, the host logs.

pub mod abandoned;
pub mod file;
pub mod folder;
pub mod swap;
pub mod trail;

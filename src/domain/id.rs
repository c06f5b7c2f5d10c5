//! Names of things that outlive a process.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The identity of a session: a UUIDv7, and the stem of its log's file name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionId(Uuid);

impl SessionId {
    /// Wraps a UUID made by the caller, who owns clock and chance.
    pub const fn new(id: Uuid) -> Self {
        Self(id)
    }

    /// When it was made, milliseconds since 1970: the first 48 bits of a UUIDv7 (RFC 9562).
    pub fn made(self) -> i64 {
        i64::try_from(self.0.as_u128() >> 80).unwrap_or_default()
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_hyphenated().fmt(f)
    }
}

impl FromStr for SessionId {
    type Err = NotAnId;

    fn from_str(s: &str) -> Result<Self, NotAnId> {
        Uuid::try_parse(s)
            .map(Self)
            .map_err(|_| NotAnId(s.to_owned()))
    }
}

/// A text that is no id of the kind asked for.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an id.")]
pub struct NotAnId(String);

/// The identity of a collection, kept in its `collection.toml`; also the name of a folder of logs.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CollectionId(String);

impl CollectionId {
    /// Where sessions without a collection go.
    pub fn inbox() -> Self {
        Self("inbox".to_owned())
    }

    /// The id as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for CollectionId {
    type Err = NotAnId;

    /// Takes 1 to 64 of `a-z 0-9 -`: an id becomes a folder name, so nothing else may be in it.
    fn from_str(s: &str) -> Result<Self, NotAnId> {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        if (1..=64).contains(&s.len()) && s.bytes().all(plain) {
            Ok(Self(s.to_owned()))
        } else {
            Err(NotAnId(s.to_owned()))
        }
    }
}

impl TryFrom<String> for CollectionId {
    type Error = NotAnId;

    fn try_from(s: String) -> Result<Self, NotAnId> {
        s.parse()
    }
}

impl From<CollectionId> for String {
    fn from(id: CollectionId) -> Self {
        id.0
    }
}

impl fmt::Display for CollectionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Names one window's unsent texts, so that two windows never overwrite each other's.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WindowId(CollectionId);

impl WindowId {
    /// The id as it is written.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl FromStr for WindowId {
    type Err = NotAnId;

    /// Takes the same letters as a collection's id: it becomes a file name.
    fn from_str(s: &str) -> Result<Self, NotAnId> {
        s.parse().map(Self)
    }
}

impl TryFrom<String> for WindowId {
    type Error = NotAnId;

    fn try_from(s: String) -> Result<Self, NotAnId> {
        s.parse()
    }
}

impl From<WindowId> for String {
    fn from(id: WindowId) -> Self {
        id.0.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collection_id_cannot_leave_its_folder() {
        for bad in ["", "..", "a/b", "A", "a\0", &"x".repeat(65)] {
            assert!(bad.parse::<CollectionId>().is_err(), "{bad:?}");
        }
        assert_eq!(
            CollectionId::inbox().as_str().parse(),
            Ok(CollectionId::inbox())
        );
    }
}

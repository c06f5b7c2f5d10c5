//! The lines themselves.

use futures_util::{SinkExt, StreamExt};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::codec::{Framed, LinesCodec, LinesCodecError};

use crate::domain::ask::{Reply, Request};
use crate::domain::notice::Scope;

/// Version of the protocol.
pub const VERSION: u32 = 1;
/// Longest line either side takes, in bytes: a prompt of 5 MB is 30 MB when every letter is escaped.
pub const LINE_MAX: usize = 64 * 1024 * 1024;

/// First line of a window.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Hello {
    /// [`VERSION`].
    pub fascicle: u32,
    /// Version of the program.
    pub app: String,
    /// What the connection is for.
    pub want: Want,
}

/// What a connection is for.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Want {
    /// Requests, each with a number; replies with the same number, in any order.
    Ask,
    /// Notices.
    Attach(Scope),
}

/// First line of the host.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Welcome {
    /// [`VERSION`].
    pub fascicle: u32,
    /// Version of the program.
    pub app: String,
    /// Its process.
    pub pid: u32,
    /// Why the connection is refused; it is closed then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A numbered request or reply.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Numbered<T> {
    /// The number. Its name must be none of a field of a request or reply.
    pub re: u64,
    /// Request or reply.
    #[serde(flatten)]
    pub what: T,
}

/// A request line.
pub type AskLine = Numbered<Request>;
/// A reply line.
pub type ReplyLine = Numbered<Reply>;

/// What can go wrong with a line.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// The connection is gone.
    #[error("The connection to the host is gone.")]
    Gone,
    /// A line is too long.
    #[error("A line of more than {LINE_MAX} bytes came over the connection.")]
    TooLong,
    /// A line is not of the protocol.
    #[error("A line that is not of the protocol came over the connection: {0}.")]
    Garbage(#[from] serde_json::Error),
}

impl From<LinesCodecError> for WireError {
    fn from(e: LinesCodecError) -> Self {
        match e {
            LinesCodecError::MaxLineLengthExceeded => Self::TooLong,
            LinesCodecError::Io(_) => Self::Gone,
        }
    }
}

/// A connection that speaks in lines.
#[derive(Debug)]
pub struct Lines<S>(Framed<S, LinesCodec>);

impl<S: AsyncRead + AsyncWrite + Unpin> Lines<S> {
    /// Over a byte stream.
    pub fn new(io: S) -> Self {
        Self(Framed::new(io, LinesCodec::new_with_max_length(LINE_MAX)))
    }

    /// The next line; none when the other side has closed.
    pub async fn read<T: DeserializeOwned>(&mut self) -> Result<Option<T>, WireError> {
        match self.0.next().await {
            None => Ok(None),
            Some(line) => Ok(Some(serde_json::from_str(&line?)?)),
        }
    }

    /// Writes a line and hands it to the system.
    pub async fn write<T: Serialize + Sync>(&mut self, value: &T) -> Result<(), WireError> {
        Ok(self.0.send(serde_json::to_string(value)?).await?)
    }

    /// Writes a line; it may wait for [`Lines::flush`].
    pub async fn feed<T: Serialize + Sync>(&mut self, value: &T) -> Result<(), WireError> {
        Ok(self.0.feed(serde_json::to_string(value)?).await?)
    }

    /// Hands what was fed to the system.
    pub async fn flush(&mut self) -> Result<(), WireError> {
        Ok(SinkExt::<String>::flush(&mut self.0).await?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::domain::event::{Event, Kind};
    use crate::domain::notice::{After, Notice};
    use crate::domain::{SessionId, Text};

    fn round<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
        let line = serde_json::to_string(value).unwrap();
        assert_eq!(&serde_json::from_str::<T>(&line).unwrap(), value, "{line}");
    }

    #[test]
    fn what_is_said_is_what_is_heard() {
        let session = SessionId::new(uuid::Uuid::from_u128(7));
        round(&Numbered {
            re: 3,
            what: Request::Send {
                session,
                text: "a\nb\u{2028}".into(),
            },
        });
        round(&Numbered {
            re: 3,
            what: Reply::Done,
        });
        round(&Hello {
            fascicle: 1,
            app: "x".into(),
            want: Want::Ask,
        });
        round(&Want::Attach(Scope::Session {
            session,
            after: After::Tail(9),
        }));
        round(&Want::Attach(Scope::Workspace));
        let kinds = [
            Kind::Delta {
                turn: 1,
                block: 0,
                text: "a".into(),
            },
            Kind::Archived,
            Kind::Unknown {
                name: "later".into(),
            },
            Kind::Message {
                turn: 1,
                block: 0,
                text: Text::Blob {
                    blob: "sha256:0".into(),
                    len: 9,
                    head: "h".into(),
                },
            },
            Kind::Usage {
                turn: 1,
                usage: crate::domain::event::Usage {
                    cost_usd: Some(0.25),
                    ..Default::default()
                },
            },
        ];
        for kind in kinds {
            round(&Notice::Event(Event {
                seq: 4,
                ts: 5,
                kind,
            }));
        }
    }
}

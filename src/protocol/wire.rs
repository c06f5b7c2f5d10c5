//! What the lines say.

use serde::{Deserialize, Serialize};

use crate::domain::ask::{Reply, Request};
use crate::domain::notice::Scope;

/// The protocol this program speaks.
pub const OURS: Speaks = Speaks {
    fascicle: 1,
    oldest: Some(1),
};

/// Version of this program.
pub const APP: &str = env!("CARGO_PKG_VERSION");

/// The versions of the protocol that one side speaks. Every version there will be begins with these two.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Speaks {
    /// The newest.
    pub fascicle: u32,
    /// The oldest; the same as the newest when none.
    #[serde(default)]
    pub oldest: Option<u32>,
}

impl Speaks {
    /// The version two sides speak: the newest in common, none when there is none.
    pub fn agreed(self, other: Self) -> Option<u32> {
        let newest = self.fascicle.min(other.fascicle);
        (newest >= self.oldest().max(other.oldest())).then_some(newest)
    }

    fn oldest(self) -> u32 {
        self.oldest.unwrap_or(self.fascicle)
    }
}

/// Why a host and a window cannot understand each other, for a writer; none when they can.
pub fn apart(host: (Speaks, &str), window: (Speaks, &str)) -> Option<String> {
    if host.0.agreed(window.0).is_some() {
        return None;
    }
    let told =
        |(speaks, app): (Speaks, &str)| format!("version {app}, protocol {}", speaks.fascicle);
    let (host_is, window_is) = (told(host), told(window));
    Some(if host.0.fascicle < window.0.fascicle {
        format!(
            "The host of this workspace ({host_is}) is older than this program ({window_is}). \
             `fascicle host stop` ends it; the next window starts the newer one."
        )
    } else {
        format!(
            "This program ({window_is}) is older than the host of this workspace ({host_is}). \
             Open the workspace with the newer one, or end the host with `fascicle host stop`; the next window starts its own."
        )
    })
}

/// First line of a window.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Hello<W = Want> {
    /// What it speaks.
    #[serde(flatten)]
    pub speaks: Speaks,
    /// Version of the program.
    #[serde(default)]
    pub app: String,
    /// What the connection is for.
    pub want: W,
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
    /// What it speaks.
    #[serde(flatten)]
    pub speaks: Speaks,
    /// Version of the program.
    #[serde(default)]
    pub app: String,
    /// Its process.
    #[serde(default)]
    pub pid: u32,
    /// It is about to be gone: the next host does what is wanted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ending: bool,
    /// Why the connection is refused. It is closed then, unless it is for requests and only the versions
    /// differ: how the host is can be asked, and its end, by every version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A numbered request or reply, on one line: `{"re":7,"ask":"status"}`, `{"re":7,"reply":"done"}`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Numbered<T> {
    /// The number, from 1. Its name must be none of a field of a request or reply.
    pub re: u64,
    /// Request or reply.
    #[serde(flatten)]
    pub what: T,
}

/// A request line.
pub type AskLine = Numbered<Request>;
/// A reply line.
pub type ReplyLine = Numbered<Reply>;

/// Only the number: of a line whose rest is of another version.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Number {
    /// The number.
    pub re: u64,
}

/// Last line of a host that ends, on a connection for requests: what was asked and has no reply by now was
/// not done, and nobody will do it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bye {
    /// Always true.
    pub bye: bool,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::domain::event::{Event, Kind};
    use crate::domain::notice::{After, Notice};
    use crate::domain::{SessionId, Text};
    use serde::de::DeserializeOwned;

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
            speaks: OURS,
            app: "x".into(),
            want: Want::Ask,
        });
        round(&Welcome {
            speaks: OURS,
            app: "x".into(),
            pid: 7,
            ending: true,
            error: Some("No.".into()),
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

    const fn speaks(fascicle: u32, oldest: Option<u32>) -> Speaks {
        Speaks { fascicle, oldest }
    }

    #[test]
    fn the_newest_version_in_common_is_spoken() {
        for (one, other, agreed) in [
            (speaks(1, None), speaks(1, None), Some(1)),
            (speaks(3, Some(1)), speaks(2, Some(2)), Some(2)),
            (speaks(3, Some(1)), speaks(9, Some(3)), Some(3)),
            (speaks(3, Some(2)), speaks(1, None), None),
            (speaks(1, None), speaks(3, Some(2)), None),
        ] {
            assert_eq!(one.agreed(other), agreed, "{one:?} {other:?}");
            assert_eq!(other.agreed(one), agreed, "{other:?} {one:?}");
        }
    }

    #[test]
    fn whoever_is_older_is_named_with_the_way_out() {
        let (one, three) = ((speaks(1, None), "0.1.0"), (speaks(3, Some(2)), "0.9.0"));
        assert_eq!(apart(one, one), None);
        let old_host = apart(one, three).unwrap();
        assert!(
            old_host.starts_with("The host of this workspace (version 0.1.0"),
            "{old_host}"
        );
        let old_window = apart(three, one).unwrap();
        assert!(
            old_window.starts_with("This program (version 0.1.0"),
            "{old_window}"
        );
        for said in [old_host, old_window] {
            assert!(said.contains("`fascicle host stop`"), "{said}");
        }
    }

    #[test]
    fn a_first_line_of_another_version_is_read_as_far_as_it_must_be() {
        let later = r#"{"fascicle":9,"oldest":7,"want":{"mirror":[1]},"new":{"a":[]}}"#;
        let hello: Hello<serde_json::Value> = serde_json::from_str(later).unwrap();
        assert_eq!(hello.speaks, speaks(9, Some(7)));
        let earlier = r#"{"fascicle":1,"app":"0.1.0","pid":7,"new":1}"#;
        let welcome: Welcome = serde_json::from_str(earlier).unwrap();
        assert_eq!((welcome.speaks, welcome.ending), (speaks(1, None), false));
    }
}

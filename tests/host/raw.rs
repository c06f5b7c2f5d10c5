//! A connection to the host's socket, byte by byte.

use std::path::{Path, PathBuf};
use std::time::Duration;

use fascicle::protocol::listen;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

use crate::bench::Bench;

/// How long something that must happen is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// Binds the socket of a bench's host and serves it.
pub(crate) fn socket(bench: &Bench) -> PathBuf {
    let private = bench.root().join(".fascicle");
    let (listener, socket) = listen::bind(&private).unwrap();
    tokio::spawn(listen::listen(listener, bench.host.clone()));
    socket
}

pub(crate) struct Raw {
    pub(crate) from: BufReader<OwnedReadHalf>,
    pub(crate) to: OwnedWriteHalf,
}

impl Raw {
    pub(crate) async fn connect(socket: &Path) -> Self {
        let (from, to) = UnixStream::connect(socket).await.unwrap().into_split();
        let from = BufReader::new(from);
        Self { from, to }
    }

    /// Says hello, and hears the welcome.
    pub(crate) async fn welcomed(socket: &Path, want: Value) -> Self {
        let mut raw = Self::connect(socket).await;
        raw.say(&json!({"fascicle": 1, "app": "x", "want": want}))
            .await;
        let welcome = raw.hear().await;
        assert_eq!(welcome["error"], Value::Null, "{welcome}");
        raw
    }

    pub(crate) async fn asking(socket: &Path) -> Self {
        Self::welcomed(socket, json!("ask")).await
    }

    pub(crate) async fn say(&mut self, line: &Value) {
        self.bytes(format!("{line}\n").as_bytes()).await;
    }

    pub(crate) async fn bytes(&mut self, bytes: &[u8]) {
        self.to.write_all(bytes).await.unwrap();
    }

    /// The next line; null when the host has closed.
    pub(crate) async fn hear(&mut self) -> Value {
        let mut line = Vec::new();
        let read = tokio::time::timeout(PATIENCE, self.from.read_until(b'\n', &mut line)).await;
        // What was left unread by the other side makes its end an error.
        match read.expect("a line in time") {
            Ok(n) if n > 0 => serde_json::from_slice(&line).unwrap(),
            _ => Value::Null,
        }
    }

    /// Asks for the host's status until the answer with that number is there.
    pub(crate) async fn status(&mut self, re: u64) -> Value {
        self.say(&json!({"re": re, "ask": "status"})).await;
        let heard = self.hear().await;
        assert_eq!(heard["re"], re, "{heard}");
        heard
    }
}

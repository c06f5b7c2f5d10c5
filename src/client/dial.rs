//! Ways to a host: one in this process, or one behind a socket.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::UnixStream;
use tokio::sync::Mutex;

use crate::host::{Host, lock};
use crate::protocol::listen;
use crate::protocol::serve::serve;

/// Bytes between window and host in one process.
const PIPE: usize = 64 * 1024;

/// Both ends of a conversation.
pub trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// A connection, whatever it is made of.
pub type Io = Box<dyn Duplex>;
/// A connection to come; the error is for a writer.
pub type Dialing<'a> = Pin<Box<dyn Future<Output = Result<Io, String>> + Send + 'a>>;

/// A way to a host.
pub trait Dial: Send + Sync {
    /// Opens one more connection.
    fn dial(&self) -> Dialing<'_>;

    /// The process that is the host, where that is known.
    fn who(&self) -> Option<u32> {
        None
    }
}

/// A host in this process: the same code path as across processes, over a pipe in memory.
impl Dial for Host {
    fn dial(&self) -> Dialing<'_> {
        Box::pin(async move {
            let (ours, theirs) = tokio::io::duplex(PIPE);
            tokio::spawn(serve(theirs, self.clone()));
            Ok(Box::new(ours) as Io)
        })
    }
}

/// Makes this process the host. `Ok(None)` when another process holds the lock.
pub type Become = Box<dyn Fn() -> Result<Option<Host>, String> + Send + Sync>;

/// Whoever is the host: another process by its socket, else this one.
pub struct Nearest {
    private: PathBuf,
    become_host: Become,
    here: Arc<Mutex<Option<Host>>>,
}

impl std::fmt::Debug for Nearest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Nearest")
            .field("private", &self.private)
            .finish_non_exhaustive()
    }
}

/// How often a held lock without an answering socket is tried: a host that starts binds within
/// milliseconds of taking the lock.
const TRIES: u32 = 50;
/// Pause between two tries.
const PAUSE: std::time::Duration = std::time::Duration::from_millis(40);

impl Nearest {
    /// `private` is `.fascicle`; `here` is filled in when this process becomes the host.
    pub fn new(private: PathBuf, become_host: Become, here: Arc<Mutex<Option<Host>>>) -> Self {
        Self {
            private,
            become_host,
            here,
        }
    }

    async fn reach(&self) -> Result<Io, String> {
        let mut here = self.here.lock().await;
        if let Some(host) = here.as_ref().filter(|h| !h.is_closed()) {
            return host.dial().await;
        }
        for _ in 0..TRIES {
            if let Some(stream) = connect(&self.private).await {
                return Ok(Box::new(stream));
            }
            if let Some(host) = (self.become_host)()? {
                *here = Some(host.clone());
                return host.dial().await;
            }
            tokio::time::sleep(PAUSE).await;
        }
        Err("Another process is the host of this workspace but does not answer. End it, or wait until it has ended."
            .to_owned())
    }
}

/// Connects to the host that runs; none when none does, or it does not answer.
pub async fn connect(private: &Path) -> Option<UnixStream> {
    let holder = lock::holder(private)?;
    let stream = UnixStream::connect(&holder.socket).await.ok()?;
    listen::is_ours(&stream).then_some(stream)
}

/// The host that runs elsewhere, and only that.
#[derive(Debug)]
pub struct Running {
    private: PathBuf,
}

impl Running {
    /// `private` is `.fascicle`.
    pub fn new(private: PathBuf) -> Self {
        Self { private }
    }
}

impl Dial for Running {
    fn dial(&self) -> Dialing<'_> {
        Box::pin(async {
            match connect(&self.private).await {
                Some(stream) => Ok(Box::new(stream) as Io),
                None => Err("No host runs in this workspace.".to_owned()),
            }
        })
    }

    fn who(&self) -> Option<u32> {
        lock::holder(&self.private).map(|holder| holder.pid)
    }
}

impl Dial for Nearest {
    fn dial(&self) -> Dialing<'_> {
        Box::pin(self.reach())
    }

    fn who(&self) -> Option<u32> {
        lock::holder(&self.private).map(|holder| holder.pid)
    }
}

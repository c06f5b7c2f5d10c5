//! Ways to a host: one in this process, or one behind a socket.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::UnixStream;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::launch::Birth;
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

/// What came of an attempt to have a host.
#[derive(Debug)]
pub enum Begun {
    /// This process is it.
    Here(Host),
    /// Another process is about to be it.
    Apart(Box<Birth>),
    /// Another process holds the lock.
    Taken,
}

/// Begins a host, here or apart. The error is for a writer.
pub type Begin = Box<dyn Fn() -> Result<Begun, String> + Send + Sync>;

/// Whoever is the host: the one that runs, else one that is begun.
pub struct Nearest {
    private: PathBuf,
    begin: Begin,
    here: Arc<Mutex<Option<Host>>>,
}

impl std::fmt::Debug for Nearest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Nearest")
            .field("private", &self.private)
            .finish_non_exhaustive()
    }
}

/// How long a host may take to answer: one that starts on a busy machine, or one that ends and lets its agents end.
const PATIENCE: Duration = Duration::from_secs(20);
/// Pause between two looks, at first and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(80));

impl Nearest {
    /// `private` is `.fascicle`; `here` is filled in when this process becomes the host.
    pub fn new(private: PathBuf, begin: Begin, here: Arc<Mutex<Option<Host>>>) -> Self {
        Self {
            private,
            begin,
            here,
        }
    }

    async fn reach(&self) -> Result<Io, String> {
        let (until, mut pause) = (Instant::now() + PATIENCE, PAUSE.0);
        let mut birth: Option<Box<Birth>> = None;
        while Instant::now() < until {
            let here = live(self.here.lock().await.as_ref());
            if let Some(host) = here {
                return host.dial().await;
            }
            if let Some(stream) = connect(&self.private).await {
                return Ok(Box::new(stream));
            }
            if let Some(why) = birth.as_mut().and_then(|b| b.failed()) {
                return Err(why);
            }
            match self.begin().await? {
                Begun::Here(host) => return host.dial().await,
                Begun::Apart(begun) => birth = Some(begun),
                Begun::Taken => {}
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(PAUSE.1);
        }
        Err(self.deaf())
    }

    /// Begins a host when there is none. One begins at a time, the next sees what came of it; nobody is connected
    /// to meanwhile: whoever asks which host is here waits for no network.
    async fn begin(&self) -> Result<Begun, String> {
        let mut here = self.here.lock().await;
        if let Some(host) = live(here.as_ref()) {
            return Ok(Begun::Here(host));
        }
        if lock::is_held(&self.private) {
            return Ok(Begun::Taken);
        }
        let begun = (self.begin)()?;
        if let Begun::Here(host) = &begun {
            *here = Some(host.clone());
        }
        Ok(begun)
    }

    fn deaf(&self) -> String {
        let who = self.who().map_or_else(
            || "Another process".to_owned(),
            |pid| format!("Process {pid}"),
        );
        format!(
            "{who} is the host of this workspace but does not answer. End it, or wait until it has ended."
        )
    }
}

fn live(here: Option<&Host>) -> Option<Host> {
    here.filter(|h| !h.is_closed()).cloned()
}

/// The process that holds the lock, when it has said so.
fn pid(private: &Path) -> Option<u32> {
    lock::holder(private).map(|holder| holder.pid)
}

/// Connects to the host that runs; none when none does, or it does not answer.
pub async fn connect(private: &Path) -> Option<UnixStream> {
    if !lock::is_held(private) {
        return None;
    }
    let said = lock::holder(private).map(|holder| holder.socket);
    // A folder that was moved has its socket in it still.
    for socket in said.into_iter().chain(listen::places(private)) {
        if let Ok(stream) = UnixStream::connect(&socket).await
            && listen::is_ours(&stream)
        {
            return Some(stream);
        }
    }
    None
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
        pid(&self.private)
    }
}

impl Dial for Nearest {
    fn dial(&self) -> Dialing<'_> {
        Box::pin(self.reach())
    }

    fn who(&self) -> Option<u32> {
        pid(&self.private)
    }
}

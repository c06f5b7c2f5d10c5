//! The host's socket.

use std::io;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tokio::net::{UnixListener, UnixStream};

use super::serve::serve;
use crate::host::Host;
use crate::text::hash::sha256;

/// Longest path the system takes for a socket, in bytes: `sun_path` of unix(7) less its NUL, kept
/// to the smaller figure of other systems.
const PATH_MAX: usize = 103;
/// Name of the socket beside the logs.
const NAME: &str = "host.sock";

/// Binds the socket of a workspace's host and says where it is: `.fascicle/host.sock`, or a short path
/// in the temporary folder when that one is too long, or on a file system without sockets. Called only
/// while the host's lock is held, so that a socket found there is a dead host's. `private` is `.fascicle`.
pub fn bind(private: &Path) -> io::Result<(UnixListener, PathBuf)> {
    let [near, far] = places(private);
    if near.as_os_str().len() <= PATH_MAX
        && let Ok(listener) = bind_at(&near)
    {
        return Ok((listener, near));
    }
    bind_at(&far).map(|listener| (listener, far))
}

/// Where the socket of a workspace may be: in the folder itself, and with it when it is moved; else far from it.
pub fn places(private: &Path) -> [PathBuf; 2] {
    [private.join(NAME), far(private)]
}

fn far(private: &Path) -> PathBuf {
    let user = rustix::process::getuid().as_raw();
    let hash = sha256(private.as_os_str().as_encoded_bytes());
    let short: String = hash.chars().take(24).collect();
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let base = runtime
        .filter(|r| r.is_dir())
        .unwrap_or_else(std::env::temp_dir);
    base.join(format!("fascicle-{user}"))
        .join(format!("{short}.sock"))
}

fn bind_at(path: &Path) -> io::Result<UnixListener> {
    if let Some(folder) = path.parent() {
        own_folder(folder)?;
    }
    remove_socket(path)?;
    let listener = UnixListener::bind(path)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

/// Removes the socket of a host that is no more. What is there and no socket belongs to somebody else: it stays,
/// and nothing can be bound there.
fn remove_socket(path: &Path) -> io::Result<()> {
    match std::fs::symlink_metadata(path) {
        Ok(there) if there.file_type().is_socket() => std::fs::remove_file(path),
        _ => Ok(()),
    }
}

/// Makes a folder that nobody else can write. One that is there must be such a one: whoever could put
/// another socket in it would get every prompt.
fn own_folder(folder: &Path) -> io::Result<()> {
    if !folder.exists() {
        std::fs::DirBuilder::new()
            .mode(0o700)
            .recursive(true)
            .create(folder)?;
    }
    let there = std::fs::symlink_metadata(folder)?;
    let ours = there.is_dir() && there.uid() == rustix::process::getuid().as_raw();
    if ours && there.mode() & 0o022 == 0 {
        return Ok(());
    }
    let why = format!("{} is not a folder of yours alone", folder.display());
    Err(io::Error::new(io::ErrorKind::PermissionDenied, why))
}

/// Serves every window that connects, until the host closes. Connections end by themselves then.
pub async fn listen(mut listener: UnixListener, host: Host) {
    loop {
        tokio::select! {
            () = host.closed() => return,
            // A socket that was removed is made anew: nobody would find the host.
            () = host.looked() => if let Some(new) = again(&listener, &host) { listener = new },
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) if !host.welcomes() => drop(stream),
                Ok((stream, _)) if is_ours(&stream) => { tokio::spawn(serve(stream, host.clone())); }
                Ok(_) => tracing::warn!("a window of another user was turned away"),
                Err(e) => {
                    tracing::warn!("accept: {e}");
                    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                }
            }
        }
    }
}

fn again(listener: &UnixListener, host: &Host) -> Option<UnixListener> {
    let address = listener.local_addr().ok()?;
    let path = address.as_pathname().filter(|path| !path.exists())?;
    (!host.is_away()).then(|| bind_at(path).ok()).flatten()
}

/// Whether the process at the other end belongs to the same user.
pub fn is_ours(stream: &UnixStream) -> bool {
    stream
        .peer_cred()
        .is_ok_and(|cred| cred.uid() == rustix::process::getuid().as_raw())
}

//! A `collection.toml` on disk: read for a change, replaced in one step, never through a link.

use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

use toml_edit::DocumentMut;

use super::read::conflict;
use super::{Collection, FILE};
use crate::config::problem::Problem;
use crate::config::{ConfigError, Workspace, plain};
use crate::domain::CollectionId;

/// The mark of byte order, which some editors put before a text.
const MARK: char = '\u{feff}';

/// Changes the file of a collection. What its text is not changed by stays, byte for byte.
pub(super) fn change(
    workspace: &Workspace,
    collection: &Collection,
    apply: impl FnOnce(&mut DocumentMut),
) -> Result<(), ConfigError> {
    let dir = workspace.root().join(&collection.folder);
    let path = dir.join(FILE);
    let text = match read(&path) {
        Ok(text) => text,
        // Only the inbox has no file before it needs one.
        Err(ConfigError::Read { source, .. })
            if source.kind() == ErrorKind::NotFound && collection.id == CollectionId::inbox() =>
        {
            std::fs::create_dir_all(&dir).map_err(failed(&path))?;
            first(&collection.id, &collection.title)
        }
        Err(ConfigError::Read { source, .. })
            if source.kind() == ErrorKind::NotFound && dir.is_dir() =>
        {
            return Err(ConfigError::Broken(gone(&path, &collection.id)));
        }
        Err(e) => return Err(e),
    };
    let plain = text.trim_start_matches(MARK);
    let mut document: DocumentMut = plain.parse().map_err(|e| broken(&path, plain, &e))?;
    apply(&mut document);
    let new = written_like(&text, document.to_string());
    if new == text && path.exists() {
        return Ok(());
    }
    replace(&path, &new).map_err(failed(&path))
}

/// The file of a collection as it is; none where it cannot be read.
pub(super) fn parsed(workspace: &Workspace, collection: &Collection) -> Option<DocumentMut> {
    let path = workspace.root().join(&collection.folder).join(FILE);
    read(&path).ok()?.trim_start_matches(MARK).parse().ok()
}

/// Writes the file of a new collection.
pub(super) fn write_new(dir: &Path, id: &CollectionId, title: &str) -> Result<(), ConfigError> {
    let path = dir.join(FILE);
    std::fs::create_dir_all(dir)
        .and_then(|()| replace(&path, &first(id, title)))
        .map_err(failed(&path))
}

fn first(id: &CollectionId, title: &str) -> String {
    let title = toml::Value::String(title.to_owned());
    format!("id = \"{id}\"\ntitle = {title}\n")
}

/// What is said of a collection whose file is gone.
pub(super) fn gone(path: &Path, id: &CollectionId) -> Problem {
    let what = format!(
        "It is gone; the collection opens without it. Bring it back, or write a new one that says id = \"{id}\"."
    );
    Problem::of(path, what)
}

fn read(path: &Path) -> Result<String, ConfigError> {
    if path
        .symlink_metadata()
        .is_ok_and(|there| there.is_symlink())
    {
        let to = std::fs::read_link(path).unwrap_or_default();
        let what = format!(
            "It is a link to {}, which is changed by you alone.",
            to.display()
        );
        return Err(ConfigError::Broken(Problem::of(path, what)));
    }
    // While it is changed nothing else is: a pipe in its place must not be waited for.
    let text = plain::bytes(path).and_then(|bytes| {
        let text = plain::utf8(bytes);
        text.map_err(|why| io::Error::new(ErrorKind::InvalidData, why))
    });
    text.map_err(|source| ConfigError::Read {
        path: path.to_owned(),
        source,
    })
}

fn broken(path: &Path, text: &str, e: &toml_edit::TomlError) -> ConfigError {
    if let Some(problem) = conflict(path, text) {
        return ConfigError::Broken(problem);
    }
    let byte = e.span().map_or(0, |span| span.start);
    let what = format!(
        "{}. Nothing is changed in the file until that is mended.",
        e.message().trim_end_matches('.')
    );
    ConfigError::Broken(Problem::at(path, text, byte, what))
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> ConfigError {
    let path = path.to_owned();
    move |source| ConfigError::Write {
        path: path.clone(),
        source,
    }
}

/// The mark of byte order stays, and lines that were added end as those of the file do: the library writes `\n` alone.
fn written_like(old: &str, new: String) -> String {
    let lines = old.matches('\n').count();
    let new = if lines == 0 || old.matches("\r\n").count() < lines {
        new
    } else {
        new.replace("\r\n", "\n").replace('\n', "\r\n")
    };
    if old.starts_with(MARK) {
        format!("{MARK}{new}")
    } else {
        new
    }
}

/// Replaces a file in one step, so that a crash leaves the old one or the new one.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let dir = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(dir)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_data()?;
    if let Ok(there) = path.metadata() {
        file.as_file().set_permissions(there.permissions())?;
    }
    file.persist(path)?;
    std::fs::File::open(dir)?.sync_all()
}

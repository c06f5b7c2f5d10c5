//! Exports that the window asks for: where they go by themselves, and the file.

use std::path::{Path, PathBuf};

use super::{What, file, pandoc, put, whole};
use crate::cli::context::Cx;
use crate::cli::error::CliError;
use crate::ui::errand::{Export, Exported, Outlet, Unwritten};

/// The folder of a home in which people look for what they wrote.
const DOCUMENTS: &str = "Documents";

/// Where exports go when the writer says nothing else, and whether pandoc is there.
pub(in crate::cli) fn outlet(cx: &Cx) -> Outlet {
    let home = &cx.places.home;
    let documents = home.join(DOCUMENTS);
    let folder = if documents.is_dir() {
        documents
    } else {
        home.clone()
    };
    Outlet {
        folder: crate::cli::window::named(&folder),
        pandoc: pandoc::is_there(),
    }
}

/// Makes one and writes it; says where it is.
pub(in crate::cli) async fn write(cx: &Cx, asked: &Export) -> Result<String, Unwritten> {
    let path = place(cx, &asked.path);
    let shown = crate::cli::window::named(&path);
    if !asked.replace && file::is_taken(&path) && !path.is_dir() {
        return Err(Unwritten::There(shown));
    }
    match made(cx, asked, &path).await {
        Ok(None) => Ok(shown),
        Ok(Some(note)) => Ok(format!("{shown} ({note})")),
        Err(e) => {
            let hints = e.hints().join(" ");
            Err(Unwritten::Not(format!("{e} {hints}").trim().to_owned()))
        }
    }
}

async fn made(cx: &Cx, asked: &Export, path: &Path) -> Result<Option<String>, CliError> {
    file::is_free(path, asked.replace)?;
    let what = match &asked.what {
        Exported::Draft(session) => What::Draft(*session),
        Exported::Transcript(session) => What::Transcript(*session),
        Exported::Collection(id) => {
            let drawer = cx.drawer();
            let found = drawer.get(id).cloned();
            What::Collection(Box::new(found.ok_or_else(|| {
                CliError::refused("The collection is gone.", "Nothing was written.")
            })?))
        }
    };
    let whole = whole(cx, &what).await?;
    if whole.markdown.trim().is_empty() {
        let why = format!("Nothing is written in “{}” yet.", whole.title);
        return Err(CliError::refused(why, "There is no file to make of it."));
    }
    let note = put(&whole, asked.format, path, asked.replace).await?;
    Ok(whole.trouble.or(note))
}

/// The file that is meant: `~` is the home, and what has no beginning lies there.
fn place(cx: &Cx, typed: &str) -> PathBuf {
    let home = &cx.places.home;
    match typed.strip_prefix("~/") {
        Some(rest) => home.join(rest),
        None => home.join(typed),
    }
}

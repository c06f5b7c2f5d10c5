//! `collection new --from`: a folder of Markdown files becomes a collection.

use std::path::Path;

use super::super::context::{Cx, unexpected};
use super::super::error::CliError;
use super::super::out;
use crate::domain::ask::DrawerDeed;
use crate::domain::{Reply, Request};
use crate::text::counted;

/// Makes it, prints its id, and says what was left out.
pub(super) async fn run(cx: &Cx, title: Option<String>, from: &Path) -> Result<(), CliError> {
    let folder = std::path::absolute(from)?;
    let Some(folder) = folder.to_str().map(str::to_owned) else {
        return Err(CliError::Usage(
            "The name of the folder is not UTF-8.".to_owned(),
        ));
    };
    let deed = DrawerDeed::FromFolder { folder, title };
    let link = cx.link().await?;
    match link.ask(Request::Drawer { deed }).await? {
        Reply::Gathered(gathered) if cx.out.json() => cx.out.value(&gathered)?,
        Reply::Gathered(gathered) => {
            cx.out.exact(&format!("{}\n", gathered.collection))?;
            let made = counted(gathered.made.len() as u64, "session");
            let known = match gathered.known {
                0 => String::new(),
                n => format!(", {} there already", counted(n, "file")),
            };
            out::say(format!("{made} made{known}."));
            for line in gathered.skipped {
                out::say(format!("Left out: {line}"));
            }
        }
        other => return Err(unexpected(&other)),
    }
    link.stay().await
}

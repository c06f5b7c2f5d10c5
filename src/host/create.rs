//! New sessions and collections.

use std::sync::Arc;

use super::drawer;
use super::session::{Msg, blocking};
use super::shared::Shared;
use crate::config::{Collection, collection};
use crate::domain::ask::{Reply, Request};
use crate::domain::{CollectionId, Event, Head, Kind, SessionId};
use crate::drafts::folder;
use crate::log::OnDamage;
use crate::text;

/// Longest name of a session's folder, in bytes: far below any system's limit, a number behind it included.
const FOLDER_MAX: usize = 60;

/// What a new session is made from.
struct New {
    collection: Option<CollectionId>,
    title: Option<String>,
    agent: Option<String>,
    prompt: Option<String>,
}

/// Makes a session: its folder first, then its log; it exists from the log's rename on.
pub(super) async fn session(shared: &Arc<Shared>, request: Request) -> Reply {
    let Request::New {
        collection,
        title,
        agent,
        prompt,
    } = request
    else {
        return super::refused("This makes no session.".to_owned());
    };
    let new = New {
        collection,
        title,
        agent,
        prompt,
    };
    match make(shared, &new).await {
        Err(why) => Reply::Refused { why, hint: None },
        Ok(session) => match new.prompt {
            None => Reply::Created { session },
            Some(text) => first_prompt(shared, session, text).await,
        },
    }
}

async fn make(shared: &Arc<Shared>, new: &New) -> Result<SessionId, String> {
    let config = shared.config();
    let unknown = |agent: &&String| config.agent(agent).is_none();
    if let Some(agent) = new.agent.as_ref().filter(unknown) {
        return Err(format!(
            "No agent {agent:?} is configured. `fascicle agents` lists those there are."
        ));
    }
    let drawer = shared.look_at_drawer();
    let wanted = new.collection.clone().unwrap_or_else(CollectionId::inbox);
    let shelf = drawer
        .get(&wanted)
        .ok_or_else(|| format!("There is no collection {wanted}."))?
        .clone();
    let id = SessionId::new(uuid::Uuid::now_v7());
    let title = new.title.as_deref().map(collection::one_line);
    let title = title.filter(|t| !t.is_empty());
    let name = title.as_deref().or(new.prompt.as_deref());
    let folder = make_folder(shared, &shelf, name.unwrap_or_default(), id).await?;
    let app = env!("CARGO_PKG_VERSION").to_owned();
    let kind = Kind::Created {
        id,
        title,
        collection: shelf.id.clone(),
        folder,
        agent: new.agent.clone(),
        app,
    };
    let mut head = Head::default();
    let ts = jiff::Timestamp::now().as_millisecond();
    head.apply(&Event {
        seq: 0,
        ts,
        kind: kind.clone(),
    });
    let store = shared.store.clone();
    let made = move |sink| {
        let writer = store.create(id, &shelf.id, vec![kind], &[], sink)?;
        Ok((writer, head))
    };
    shared.take_in(id, made).await?;
    Ok(id)
}

/// Makes a session's folder, named after it; relative to the workspace.
async fn make_folder(
    shared: &Shared,
    shelf: &Collection,
    name: &str,
    id: SessionId,
) -> Result<String, String> {
    let slug = text::slug(name.lines().next().unwrap_or_default(), FOLDER_MAX);
    let (root, shelf) = (shared.workspace.root().to_owned(), shelf.folder.clone());
    let place = root.join(&shelf);
    let made = blocking(move || folder::make(&root, &shelf, &slug, id)).await;
    made.map_err(|e| format!("No folder could be made in {}: {e}", place.display()))
}

/// Sends the first prompt of a session that was just made.
pub(super) async fn first_prompt(shared: &Arc<Shared>, session: SessionId, text: String) -> Reply {
    let (tx, rx) = tokio::sync::oneshot::channel();
    let mailbox = match shared.mailbox(session, OnDamage::Refuse).await {
        Ok(mailbox) => mailbox,
        Err(why) => return Reply::Refused { why, hint: None },
    };
    // An actor that ends in this moment drops the sender: the wait below ends at once.
    drop(
        mailbox
            .send(Msg::Ask(Request::Send { session, text }, tx))
            .await,
    );
    match rx.await {
        Ok(Reply::Accepted { .. }) => Reply::Created { session },
        Ok(refused) => refused,
        Err(_) => Reply::Refused {
            why: "The session ended before its prompt was taken.".to_owned(),
            hint: None,
        },
    }
}

/// Makes a collection.
pub(super) fn collection(shared: &Shared, title: &str) -> Reply {
    match collection::create(&shared.workspace, title) {
        Ok(made) => {
            shared.look_at_drawer();
            drawer::made(shared, &made.id, &made.title, &made.folder);
            Reply::Collection {
                collection: made.id,
            }
        }
        Err(e) => Reply::Refused {
            why: e.to_string(),
            hint: None,
        },
    }
}

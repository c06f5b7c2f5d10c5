//! New sessions and collections.

use std::sync::Arc;

use super::drawer;
use super::session::{CONNECT, Msg, blocking};
use super::shared::Shared;
use crate::config::{Collection, choose, collection};
use crate::domain::ask::{NewSession, Reply, Request};
use crate::domain::head::Chosen;
use crate::domain::{CollectionId, Event, Head, Kind, SessionId};
use crate::drafts::{abandoned, folder};
use crate::log::OnDamage;
use crate::text;

/// Longest name of a session's folder, in bytes: far below any system's limit, a number behind it included.
const FOLDER_MAX: usize = 60;

/// Makes a session: its folder first, then its log; it exists from the log's rename on.
pub(super) async fn session(shared: &Arc<Shared>, new: NewSession) -> Reply {
    if let Some(no) = no_prompt(new.prompt.as_deref()) {
        return no;
    }
    if let Some(no) = cannot_follow(shared, &new).await {
        return no;
    }
    let session = match make(shared, &new).await {
        Err(why) => return Reply::Refused { why, hint: None },
        Ok(session) => session,
    };
    match (new.prompt, new.recipe) {
        (Some(text), _) => first_prompt(shared, session, text).await,
        (None, Some(recipe)) => {
            let recipe = *recipe;
            let follow = Request::Follow { session, recipe };
            begun(session, String::new(), first(shared, session, follow).await)
        }
        (None, None) => Reply::Created { session },
    }
}

/// The refusal of a first prompt without a word: nothing is made for it.
pub(super) fn no_prompt(prompt: Option<&str>) -> Option<Reply> {
    let is_empty = prompt.is_some_and(|p| p.trim().is_empty());
    is_empty.then(|| Reply::refused("The prompt is empty.", "Nothing was made."))
}

/// The refusal of a recipe that the agent of the new session cannot do.
async fn cannot_follow(shared: &Arc<Shared>, new: &NewSession) -> Option<Reply> {
    let recipe = new.recipe.as_ref()?;
    let drawer = shared.drawer_now().await;
    let shelf = drawer.get(new.collection.as_ref().unwrap_or(&CollectionId::inbox()));
    let chosen = new.agent.clone();
    let head = Head {
        chosen: chosen.map(|agent| Chosen { agent, model: None }),
        ..Head::default()
    };
    let (agent, _) = choose::next(&shared.config(), shelf, &head);
    let why = shared.cannot_follow(&agent, recipe)?;
    Some(Reply::refused(why, CONNECT))
}

async fn make(shared: &Arc<Shared>, new: &NewSession) -> Result<SessionId, String> {
    let config = shared.config();
    let unknown = |agent: &&String| config.agent(agent).is_none();
    if let Some(agent) = new.agent.as_ref().filter(unknown) {
        return Err(format!(
            "No agent {agent:?} is configured. `fascicle agents` lists those there are."
        ));
    }
    let drawer = shared.drawer_now().await;
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
    let path = shared.workspace.root().join(&folder);
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
    if let Err(why) = shared.take_in(id, made).await {
        // Nothing but its mark lies in it.
        drop(blocking(move || abandoned::remove(&path, id)).await);
        return Err(why);
    }
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
    let prompt = text.clone();
    let send = Request::Send { session, text };
    begun(session, prompt, first(shared, session, send).await)
}

/// Asks something of a session that was just made.
async fn first(shared: &Arc<Shared>, session: SessionId, request: Request) -> Reply {
    let (tx, rx) = tokio::sync::oneshot::channel();
    let mailbox = match shared.mailbox(session, OnDamage::Refuse).await {
        Ok(mailbox) => mailbox,
        Err(why) => return Reply::Refused { why, hint: None },
    };
    // An actor that ends in this moment drops the sender: the wait below ends at once.
    drop(mailbox.send(Msg::Ask(request, tx)).await);
    rx.await.unwrap_or_else(|_| Reply::Refused {
        why: "The session ended in this moment.".to_owned(),
        hint: None,
    })
}

/// What is said of a session that was just made, and of what became of its first prompt: it is there either way, and
/// no word is lost.
fn begun(session: SessionId, prompt: String, outcome: Reply) -> Reply {
    let Reply::Refused { why, hint } = outcome else {
        return Reply::Created { session };
    };
    let what = if prompt.is_empty() {
        "The session is there, and its recipe has not begun"
    } else {
        "The session is there, and its first prompt was not taken"
    };
    Reply::Unprompted {
        session,
        prompt,
        why: format!("{what}: {why}"),
        hint,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_prompt_that_is_not_taken_comes_back_with_the_session_and_why() {
        let session = SessionId::new(uuid::Uuid::from_u128(1));
        let full = Reply::refused("The disk is full.", "Make room.");
        let Reply::Unprompted {
            session: made,
            prompt,
            why,
            hint,
        } = begun(session, "Begin.".to_owned(), full)
        else {
            unreachable!("it was refused");
        };
        assert_eq!((made, prompt.as_str()), (session, "Begin."));
        assert!(why.contains("session is there") && why.contains("disk is full"));
        assert_eq!(hint.as_deref(), Some("Make room."));
        let taken = Reply::Accepted {
            turn: Some(1),
            queued: None,
        };
        let made = begun(session, "Begin.".to_owned(), taken);
        assert_eq!(made, Reply::Created { session });
    }
}

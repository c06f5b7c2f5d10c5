//! The two sessions of an adoption, holding still while their folders change names.

use std::sync::Arc;

use tokio::sync::oneshot;

use super::family::{Where, Who};
use crate::domain::{Seq, SessionId, State};
use crate::host::session::Msg;
use crate::host::session::still::{Held, Still};
use crate::host::shared::Shared;
use crate::log::OnDamage;

/// Both, until this is dropped.
pub(super) struct Pair {
    /// The main line to be.
    pub(super) main: Box<Still>,
    /// The former one; none where its log cannot be written: it is in the trash, damaged or gone.
    pub(super) was: Option<Box<Still>>,
}

/// Why they do not hold still.
pub(super) enum Apart {
    /// A turn runs in these.
    Busy(Vec<SessionId>),
    /// Something else, before anything was done.
    Not(String),
    /// It is logged, or will be when the disk takes it, and not finished.
    Kept(String),
}

impl Pair {
    /// Whether the names have not changed, as far as the folders tell, with the adoption of the former main line that
    /// is undone: it was not finished.
    pub(super) fn never_changed(&self, undone: Option<Seq>) -> bool {
        let was = self.was.as_ref().filter(|_| undone.is_some());
        was.is_some_and(|was| {
            let exchange = was.head.kin.exchange.as_ref();
            let of_it = was.head.kin.deed == undone;
            exchange.is_some_and(|e| of_it && e.folder != was.folder)
        })
    }

    /// Lets both hold still. None of them does when one of them cannot.
    pub(super) async fn hold(
        shared: &Arc<Shared>,
        main: SessionId,
        was: &Who,
    ) -> Result<Self, Apart> {
        // Seen before their agents are closed for nothing.
        let busy: Vec<SessionId> = busy(shared, [main, was.id]).collect();
        if !busy.is_empty() {
            return Err(Apart::Busy(busy));
        }
        let ((id, main), (other, was)) = (
            (main, held(shared, main).await),
            (was.id, former(shared, was).await),
        );
        let both = [(id, Some(&main)), (other, was.as_ref())];
        let busy: Vec<SessionId> = both
            .iter()
            .filter(|(_, held)| matches!(held, Some(Held::Busy)))
            .map(|(id, _)| *id)
            .collect();
        match (main, was) {
            (Held::Still(main), None) => Ok(Self { main, was: None }),
            (Held::Still(main), Some(Held::Still(was))) => Ok(Self {
                main,
                was: Some(was),
            }),
            _ if !busy.is_empty() => Err(Apart::Busy(busy)),
            (Held::Not(why), _) | (_, Some(Held::Not(why))) => Err(Apart::Not(why)),
            (Held::Busy, _) | (_, Some(Held::Busy)) => Err(Apart::Busy(busy)),
        }
    }
}

/// Those in which a turn runs, as the list has it.
pub(in crate::host) fn busy(
    shared: &Shared,
    sessions: impl IntoIterator<Item = SessionId>,
) -> impl Iterator<Item = SessionId> {
    let runs = |id: &SessionId| {
        let row = shared.rows.get(*id);
        row.is_some_and(|r| matches!(r.state, State::Writing | State::NeedsYou))
    };
    sessions.into_iter().filter(runs)
}

/// The former main line: none where there is no log of it that can be written.
async fn former(shared: &Arc<Shared>, was: &Who) -> Option<Held> {
    if was.at != Where::Here {
        return None;
    }
    match shared.mailbox(was.id, OnDamage::Refuse).await {
        Ok(mailbox) => Some(ask(mailbox).await),
        Err(why) => {
            tracing::warn!("the former main line {} cannot be written: {why}", was.id);
            None
        }
    }
}

/// A session that holds still, or why it does not.
pub(in crate::host) async fn held(shared: &Arc<Shared>, id: SessionId) -> Held {
    match shared.mailbox(id, OnDamage::Refuse).await {
        Ok(mailbox) => ask(mailbox).await,
        Err(why) => Held::Not(why),
    }
}

async fn ask(mailbox: tokio::sync::mpsc::Sender<Msg>) -> Held {
    let (tx, held) = oneshot::channel();
    // An actor that ends in this moment drops the sender: the wait below ends at once.
    drop(mailbox.send(Msg::Hold(tx)).await);
    let ended = "The session was closed in this moment. Ask again.";
    held.await.unwrap_or_else(|_| Held::Not(ended.to_owned()))
}

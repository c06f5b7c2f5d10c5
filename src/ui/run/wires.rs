//! The window's way to the world, over the client.

use std::collections::HashMap;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{self, Sender, UnboundedReceiver};
use tokio::task::AbortHandle;

use super::{QUEUE, Wires};
use crate::client::Client;
use crate::domain::{Reply, Request, Scope};
use crate::ui::errand::Errand;
use crate::ui::input::{Input, Tag, Ticket};
use crate::ui::place::Place;

impl Wires {
    /// Over a client. Requests reach the host in the order they were made; none waits for another's reply.
    pub fn over(
        client: Client,
        tokio: Handle,
        editor: Option<String>,
        keep: impl FnMut(&Place) + Send + 'static,
    ) -> Self {
        let (sender, inputs) = mpsc::channel(QUEUE);
        let (told, notices) = mpsc::channel(QUEUE);
        // Unbounded, but no more is in it than keys were pressed while the host did not read.
        let (ask, asked) = mpsc::unbounded_channel();
        drop(tokio.spawn(carry(client.clone(), asked, sender.clone())));
        let mut followed = Followed::new(client, tokio.clone(), told);
        let (attach, mut attaching) = mpsc::unbounded_channel();
        let detach = attach.clone();
        drop(tokio.spawn(async move {
            while let Some((ticket, scope)) = attaching.recv().await {
                followed.change(ticket, scope);
            }
        }));
        Self {
            // The window outlives these only while it ends: then nothing is to be asked any more.
            ask: Box::new(move |tag, request| drop(ask.send((tag, request)))),
            attach: Box::new(move |ticket, scope| {
                attach.send((ticket, Some(scope))).unwrap_or_default();
            }),
            detach: Box::new(move |ticket| {
                detach.send((ticket, None)).unwrap_or_default();
            }),
            errand: Box::new(|_| {}),
            keep: Box::new(keep),
            editor,
            sender,
            inputs,
            notices,
            tokio,
        }
    }
}

impl Wires {
    /// The same with somebody who does errands, and is given the way to tell what came of them.
    #[must_use]
    pub fn with_errands(
        mut self,
        mut run: impl FnMut(Errand, Sender<Input>) + Send + 'static,
    ) -> Self {
        let sender = self.sender.clone();
        self.errand = Box::new(move |errand| run(errand, sender.clone()));
        self
    }
}

/// Carries requests to the host and replies back.
async fn carry(
    client: Client,
    mut asked: UnboundedReceiver<(Tag, Request)>,
    inputs: Sender<Input>,
) {
    let mut open = FuturesUnordered::new();
    loop {
        let (tag, reply): (Tag, Reply) = tokio::select! {
            biased;
            next = asked.recv() => {
                let Some((tag, request)) = next else {
                    return;
                };
                let client = client.clone();
                open.push(async move { (tag, client.ask(request).await) });
                continue;
            }
            Some(done) = open.next() => done,
        };
        if inputs.send(Input::Reply { tag, reply }).await.is_err() {
            return;
        }
    }
}

/// The attachments that are followed.
struct Followed {
    client: Client,
    tokio: Handle,
    notices: Sender<Input>,
    open: HashMap<Ticket, AbortHandle>,
}

impl Followed {
    fn new(client: Client, tokio: Handle, notices: Sender<Input>) -> Self {
        Self {
            client,
            tokio,
            notices,
            open: HashMap::new(),
        }
    }

    /// Begins to follow a scope, or ends it when there is none.
    fn change(&mut self, ticket: Ticket, scope: Option<Scope>) {
        self.open.retain(|_, follower| !follower.is_finished());
        if let Some(follower) = self.open.remove(&ticket) {
            follower.abort();
        }
        if let Some(scope) = scope {
            let following = follow(self.client.clone(), ticket, scope, self.notices.clone());
            let follower = self.tokio.spawn(following).abort_handle();
            self.open.insert(ticket, follower);
        }
    }
}

impl Drop for Followed {
    fn drop(&mut self) {
        for follower in self.open.values() {
            follower.abort();
        }
    }
}

async fn follow(client: Client, ticket: Ticket, scope: Scope, to: Sender<Input>) {
    let mut notices = client.attach(scope);
    while let Some(notice) = notices.recv().await {
        if to.send(Input::Notice { ticket, notice }).await.is_err() {
            return;
        }
    }
    let why = "the connection ended".to_owned();
    // A window that has closed needs to hear nothing.
    drop(to.send(Input::Lost { ticket, why }).await);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::client::dial::{Dial, Dialing};
    use crate::domain::Notice;

    struct Nowhere;

    impl Dial for Nowhere {
        fn dial(&self) -> Dialing<'_> {
            Box::pin(async { Err("no host".to_owned()) })
        }
    }

    fn wires() -> Wires {
        let client = Client::new(Nowhere);
        Wires::over(client, Handle::current(), None, |_| {})
    }

    #[tokio::test]
    async fn what_cannot_reach_a_host_comes_back_as_inputs() {
        let mut wires = wires();
        for tag in 1..=3 {
            (wires.ask)(tag, Request::Status);
        }
        for tag in 1..=3 {
            let got = wires.inputs.recv().await.unwrap();
            assert!(
                matches!(&got, Input::Reply { tag: t, reply: Reply::Refused { .. } } if *t == tag),
                "{got:?}"
            );
        }
        (wires.attach)(7, Scope::Workspace);
        let got = wires.notices.recv().await.unwrap();
        let why = "no host".to_owned();
        let notice = Notice::Refused { why };
        assert_eq!(got, Input::Notice { ticket: 7, notice });
        let got = wires.notices.recv().await.unwrap();
        assert!(matches!(got, Input::Lost { ticket: 7, .. }), "{got:?}");
    }
}

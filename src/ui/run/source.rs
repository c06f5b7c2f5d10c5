//! Keys, pastes and sizes from the terminal, onto the queue of what is answered at once.

use crossterm::event::{Event, EventStream};
use futures_util::StreamExt;
use tokio::runtime::Handle;
use tokio::sync::mpsc::Sender;
use tokio::task::JoinHandle;

use crate::ui::input::Input;

/// The reader of the terminal. Stopped, it leaves every byte to whoever has the terminal then.
#[derive(Debug)]
pub(super) struct Keys {
    reading: JoinHandle<()>,
    tokio: Handle,
}

impl Keys {
    /// Begins to read.
    pub(super) fn start(tokio: &Handle, sender: Sender<Input>) -> Self {
        Self {
            reading: tokio.spawn(read(sender)),
            tokio: tokio.clone(),
        }
    }

    /// Ends, and waits for the end.
    pub(super) fn stop(self) {
        self.reading.abort();
        // It ends by being cancelled: that is no failure.
        drop(self.tokio.block_on(self.reading));
    }
}

async fn read(sender: Sender<Input>) {
    let mut events = EventStream::new();
    while let Some(Ok(event)) = events.next().await {
        let input = match event {
            Event::Key(key) => Input::Key(key),
            Event::Paste(text) => Input::Paste(text),
            Event::Resize(..) => Input::Resize,
            Event::FocusGained => Input::Focus(true),
            Event::FocusLost => Input::Focus(false),
            Event::Mouse(_) => continue,
        };
        if sender.send(input).await.is_err() {
            return;
        }
    }
    // The terminal is gone. If nobody listens any more, nothing is to be done.
    drop(sender.send(Input::Close).await);
}

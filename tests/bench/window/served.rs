//! A model server on loopback, in this process and so in nobody's figure, that streams an answer at the pace of the others.

use serde_json::json;
use tokio::runtime::Runtime;

use crate::chat_api;
use crate::desk::Desk;
use crate::http::{Frame, Server};
use crate::stage::{LAST, STOP, WORD};

/// Deltas of a paragraph.
const PARAGRAPH: u64 = 60;
const MODEL: &str = "played";

/// The server, for as long as it lives.
pub struct Served {
    _server: Server,
    _runtime: Runtime,
}

/// A desk whose agent is that server. Its host ends with the last window.
pub fn desk(deltas: u64) -> (Desk, Served) {
    let runtime = Runtime::new().unwrap();
    let frames = frames(deltas);
    let answer = move |_: &serde_json::Value, _| chat_api::stream(vec![frames.clone()], "stop");
    let server = runtime.block_on(chat_api::start(&[MODEL], answer));
    let desk = Desk::new();
    desk.config(&format!(
        "default_agent = \"served\"\nhost_stays = 0\n\
         [agents.served]\nkind = \"openai\"\nbase_url = \"{}/v1\"\nmodel = \"{MODEL}\"\n",
        server.url()
    ));
    let held = Served {
        _server: server,
        _runtime: runtime,
    };
    (desk, held)
}

/// About 200 a second: three and four milliseconds by turns, and what the clock adds.
fn frames(deltas: u64) -> Vec<Frame> {
    let piece = |text: &str, ms| {
        let chunk = chat_api::chunk(&json!({"content": text}), None);
        Frame::delta(chunk, ms)
    };
    let word = |i| match i % PARAGRAPH {
        0 => piece(STOP, 4),
        at if at % 3 == 0 => piece(WORD, 3),
        _ => piece(WORD, 4),
    };
    (1..=deltas).map(word).chain([piece(LAST, 4)]).collect()
}

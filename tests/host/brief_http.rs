//! The brief at the far end: the requests that a server of the chat completions interface gets.

use fascicle::domain::SessionId;
use serde_json::{Value, json};

use crate::bench::Bench;
use crate::brief::{collection, session, write};
use crate::support::chat_api::{self, stream, words};
use crate::support::http::Server;

/// A server that answers every prompt, and a bench on which `local` speaks to it.
async fn bench() -> (Server, Bench) {
    let server = chat_api::start(&["small"], |_, _| stream(vec![words("Written.")], "stop")).await;
    let agent = format!(
        "[agents.local]\nkind = \"openai\"\nbase_url = \"{}/v1\"\nmodel = \"small\"\n",
        server.url()
    );
    (server, Bench::new(&json!({"steps": []}), &agent))
}

/// The system messages of every request so far.
fn briefs(server: &Server) -> Vec<String> {
    let system = |body: &Value| {
        let messages = body["messages"].as_array().unwrap();
        let of_system = |m: &&Value| m["role"] == "system";
        assert_eq!(messages.iter().filter(of_system).count(), 1, "{body}");
        assert_eq!(messages[0]["role"], "system");
        messages[0]["content"].as_str().unwrap().to_owned()
    };
    server.bodies("completions").iter().map(system).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_request_carries_the_brief_as_its_system_message_turn_after_turn() {
    let (server, bench) = bench().await;
    let essays = collection(&bench, "Essays").await;
    write(
        &bench.root(),
        "essays/CLAUDE.md",
        "Never use the word *tapestry*.",
    );
    let id = session(&bench, &essays, "Water", Some("local")).await;
    bench.turn(id, "Begin.").await;
    bench.turn(id, "Go on.").await;
    write(
        &bench.root(),
        "essays/MEMORY.md",
        "- The river is the Ings.",
    );
    bench.turn(id, "And on.").await;
    let bold = bench.fork(id, "bold").await;
    bench.turn(bold, "More.").await;
    let briefs = briefs(&server);
    assert_eq!(briefs.len(), 4);
    assert!(briefs.iter().all(|b| b.contains("tapestry")));
    let with: Vec<bool> = briefs
        .iter()
        .map(|b| b.contains("The river is the Ings."))
        .collect();
    assert_eq!(with, [false, false, true, true]);
    assert_eq!(briefs[0], briefs[1]);
    assert_eq!(briefs[2], briefs[3]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tenth_piece_of_a_series_is_told_the_terms_of_the_first_and_nothing_of_another_collection()
 {
    let (server, bench) = bench().await;
    let series = collection(&bench, "Ferry letters").await;
    let fiction = collection(&bench, "Fiction").await;
    for (path, text) in [
        ("fiction/MEMORY.md", "- Zanzibar is burning."),
        ("fiction/PROFILE.md", "Zanzibar, a novel."),
        ("fiction/CLAUDE.md", "Write of Zanzibar."),
        ("CLAUDE.md", "British spelling."),
        ("VOICE.md", "Plain and dry."),
        ("ferry-letters/PROFILE.md", "Ten letters to the valley."),
    ] {
        write(&bench.root(), path, text);
    }
    let other = session(&bench, &fiction, "Zanzibar one", Some("local")).await;
    bench.turn(other, "Begin in Zanzibar.").await;
    let mut letters: Vec<SessionId> = Vec::new();
    for n in 1..=10 {
        let id = session(&bench, &series, &format!("Letter {n}"), Some("local")).await;
        bench.turn(id, &format!("Write letter {n}.")).await;
        letters.push(id);
        if n == 1 {
            let terms =
                "# Terms\n\n- The boat is *the chain ferry*, never a barge.\n- Hallam has two l.\n";
            write(&bench.root(), "ferry-letters/MEMORY.md", terms);
        }
    }
    let bodies = server.bodies("completions");
    let tenth = bodies.last().unwrap();
    assert_eq!(
        tenth["messages"].as_array().unwrap().len(),
        2,
        "a session of its own"
    );
    let brief = briefs(&server).pop().unwrap();
    for told in [
        "British spelling.",
        "Plain and dry.",
        "Ten letters to the valley.",
        "The boat is *the chain ferry*, never a barge.",
        "Hallam has two l.",
        "- \"Letter 1\"\n",
        "- \"Letter 9\"\n",
        "- \"Letter 10\" (this piece)",
    ] {
        assert!(brief.contains(told), "{told}: {brief}");
    }
    assert!(!tenth.to_string().contains("Zanzibar"));
    assert!(!briefs(&server)[1].contains("chain ferry"));
    assert_eq!(bodies.len(), 11);
}

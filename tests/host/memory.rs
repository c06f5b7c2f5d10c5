//! Memory: what an agent proposes waits for the writer, in every window the same.

use fascicle::client::Client;
use fascicle::domain::ask::{Deed, Reply, Request};
use fascicle::domain::drawer::{MemoryDeed, Sheet};
use fascicle::domain::notice::{Notice, Scope};
use fascicle::domain::{CollectionId, Kind, SessionId, Stage, State};
use serde_json::{Value, json};

use crate::bench::{Bench, next, words};

/// A turn of proposals; the agent says what it is told of each.
fn proposals(all: &[&str]) -> Vec<Value> {
    let mut steps = Vec::new();
    for (n, text) in all.iter().enumerate() {
        let input = json!({"what": "name", "text": text, "reason": "It comes back."});
        steps.extend([
            json!({"tool_call": {"call": format!("c{n}"), "name": "propose_memory", "input": input.to_string()}}),
            json!({"await_order": "tool_result"}),
            json!({"delta": {"block": 0, "text": "[{result}]"}}),
        ]);
    }
    steps
}

async fn memory(bench: &Bench, deed: MemoryDeed) -> Reply {
    let collection = CollectionId::inbox();
    bench.client.ask(Request::Memory { collection, deed }).await
}

async fn sheet(bench: &Bench) -> Sheet {
    match memory(bench, MemoryDeed::Show).await {
        Reply::Memory { sheet } => *sheet,
        other => panic!("{other:?}"),
    }
}

fn accept(proposal: u64) -> MemoryDeed {
    MemoryDeed::Accept {
        proposal,
        text: None,
        instead: None,
    }
}

/// A session whose agent has made these proposals, one turn each.
async fn begun(turns: &[&[&str]]) -> (Bench, SessionId) {
    let turns: Vec<_> = turns.iter().map(|t| proposals(t)).collect();
    let bench = Bench::new(&json!({"turns": turns}), "");
    let id = bench.new_session("03 Session").await;
    for _ in &turns {
        bench.send(id, "What is worth keeping?").await;
        bench
            .row(id, "the end of the turn", |row| row.state == State::Unread)
            .await;
        let head = bench.so_far(id).await.last().unwrap().seq;
        let deed = fascicle::domain::ask::Deed::Seen { upto: head };
        bench.deed(id, deed).await;
    }
    (bench, id)
}

/// Waits until the inbox has so many proposals.
async fn waits(bench: &Bench, many: u32) {
    let mut heard = bench.client.attach(Scope::Workspace);
    loop {
        if let Notice::Collection(row) = next(&mut heard, "the count of proposals").await
            && row.id == CollectionId::inbox()
            && row.waiting == many
        {
            return;
        }
    }
}

fn text(bench: &Bench) -> String {
    std::fs::read_to_string(bench.root().join("inbox/MEMORY.md")).unwrap_or_default()
}

#[tokio::test]
async fn a_proposal_waits_and_two_windows_accept_it_once() {
    let (bench, _) = begun(&[&["Ilse is\u{202e} nine.\u{200b}"]]).await;
    waits(&bench, 1).await;
    assert_eq!(text(&bench), "");
    let offers = sheet(&bench).await.offers;
    let seq = offers[0].proposal.seq;
    assert_eq!(offers[0].proposal.says.text, "Ilse is⟨202E⟩ nine.⟨200B⟩");
    assert_eq!(offers[0].title, "03 Session");
    let (one, two) = tokio::join!(memory(&bench, accept(seq)), memory(&bench, accept(seq)));
    let (done, told) = match (one, two) {
        (done @ Reply::Memory { .. }, told) | (told, done) => (done, told),
    };
    assert!(matches!(done, Reply::Memory { .. }), "{done:?}");
    assert!(
        matches!(&told, Reply::Refused { why, .. } if why == "It is accepted already."),
        "{told:?}"
    );
    let written = text(&bench);
    assert_eq!(written.matches("Ilse").count(), 1, "{written}");
    assert!(written.contains("*(03 Session, 20"), "{written}");
    waits(&bench, 0).await;
}

/// Accepts in one window, with all that the windows are told meanwhile.
async fn accepts(window: Client, proposal: u64) -> (Reply, Sheet) {
    let mut heard = window.attach(Scope::Workspace);
    let collection = CollectionId::inbox();
    let deed = accept(proposal);
    let reply = window.ask(Request::Memory { collection, deed }).await;
    loop {
        if let Notice::Collection(row) = next(&mut heard, "that nothing waits").await
            && row.id == CollectionId::inbox()
            && row.waiting == 0
        {
            break;
        }
    }
    let (collection, deed) = (CollectionId::inbox(), MemoryDeed::Show);
    match window.ask(Request::Memory { collection, deed }).await {
        Reply::Memory { sheet } => (reply, *sheet),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_windows_that_accept_the_same_at_once_make_one_line_and_both_are_told() {
    let (bench, _) = begun(&[&["Ilse is nine."]]).await;
    waits(&bench, 1).await;
    let seq = sheet(&bench).await.offers[0].proposal.seq;
    let window = || tokio::spawn(accepts(Client::new(bench.host.clone()), seq));
    let (one, two) = (window(), window());
    let both = [one.await.unwrap(), two.await.unwrap()];
    let done = |(reply, _): &&(Reply, Sheet)| matches!(reply, Reply::Memory { .. });
    let late = |(reply, _): &&(Reply, Sheet)| matches!(reply, Reply::Refused { why, .. } if why == "It is accepted already.");
    let counts = (
        both.iter().filter(done).count(),
        both.iter().filter(late).count(),
    );
    assert_eq!(counts, (1, 1), "{both:?}");
    for (_, sheet) in &both {
        let lines: Vec<&str> = sheet.lines.iter().map(|l| l.text.as_str()).collect();
        assert_eq!((lines, sheet.offers.len()), (vec!["Ilse is nine."], 0));
    }
    let written = text(&bench);
    assert_eq!(written.matches("Ilse").count(), 1, "{written}");
}

#[tokio::test]
async fn an_undo_says_what_it_has_taken_back() {
    let (bench, _) = begun(&[&["Ilse is nine.", "Jon rows."]]).await;
    let offers = sheet(&bench).await.offers;
    let (one, two) = (offers[0].proposal.seq, offers[1].proposal.seq);
    memory(&bench, accept(one)).await;
    memory(&bench, MemoryDeed::Refuse { proposal: two }).await;
    let lines = vec![sheet(&bench).await.lines[0].line.clone()];
    let archived = true;
    memory(&bench, MemoryDeed::Fold { lines, archived }).await;
    for said in [
        "“Ilse is nine.” is back from the archive: sent again.",
        "“Jon rows.” is not refused any more; it waits again.",
        "“Ilse is nine.” is out of the memory; it waits again.",
    ] {
        match memory(&bench, MemoryDeed::Undo { proposal: None }).await {
            Reply::Memory { sheet } => assert_eq!(sheet.undone.as_deref(), Some(said)),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(sheet(&bench).await.undone, None);
}

#[tokio::test]
async fn what_was_refused_is_not_proposed_again_and_the_agent_is_told() {
    let (bench, id) = begun(&[&["Ilse is nine."]]).await;
    let seq = sheet(&bench).await.offers[0].proposal.seq;
    memory(&bench, MemoryDeed::Refuse { proposal: seq }).await;
    bench.play(&json!({"turns": [[], proposals(&["ilse is nine", "Jon rows."])]}));
    let bench = bench.restarted().await;
    bench.play(&json!({"turns": [proposals(&["ilse is nine", "Jon rows."])]}));
    bench.send(id, "Again.").await;
    bench
        .row(id, "the end of the turn", |row| row.state == State::Unread)
        .await;
    let said = words(&bench.so_far(id).await);
    assert!(said.contains("Refused by the writer before"), "{said}");
    let offers = sheet(&bench).await.offers;
    assert_eq!(offers.len(), 1);
    assert_eq!(offers[0].proposal.says.text, "Jon rows.");
}

#[tokio::test]
async fn a_hand_edit_while_a_proposal_is_accepted_stays_and_is_a_version() {
    let (bench, _) = begun(&[&["Ilse is nine.", "Jon rows."]]).await;
    let offers = sheet(&bench).await.offers;
    memory(&bench, accept(offers[0].proposal.seq)).await;
    let own = text(&bench) + "\nMine, by hand.\n";
    std::fs::write(bench.root().join("inbox/MEMORY.md"), &own).unwrap();
    memory(&bench, accept(offers[1].proposal.seq)).await;
    let now = text(&bench);
    assert!(
        now.contains("Mine, by hand.") && now.contains("Jon rows."),
        "{now}"
    );
    let files = sheet(&bench).await.files;
    let by: Vec<_> = files[0]
        .versions
        .iter()
        .map(|v| v.by.word().to_owned())
        .collect();
    assert_eq!(by, ["accept", "outside", "accept"]);
}

#[tokio::test]
async fn proposals_outlive_the_host_and_the_folder_of_their_collection() {
    let (bench, _) = begun(&[&["Ilse is nine."]]).await;
    let bench = bench.restarted().await;
    waits(&bench, 1).await;
    let (from, to) = (bench.root().join("inbox"), bench.root().join("elsewhere"));
    std::fs::rename(&from, &to).unwrap();
    let seq = sheet(&bench).await.offers[0].proposal.seq;
    let told = memory(&bench, accept(seq)).await;
    assert!(
        matches!(told, Reply::Memory { .. } | Reply::Refused { .. }),
        "{told:?}"
    );
    assert!(!to.join("MEMORY.md").exists());
}

#[tokio::test]
async fn a_hand_edit_tells_the_windows_to_look_again() {
    let (bench, _) = begun(&[&["Ilse is nine."]]).await;
    sheet(&bench).await;
    let mut heard = bench.client.attach(Scope::Workspace);
    let mut seen = None;
    let file = bench.root().join("inbox/MEMORY.md");
    loop {
        if let Notice::Collection(row) = next(&mut heard, "the deeds of the memory").await
            && row.id == CollectionId::inbox()
        {
            match seen {
                None => std::fs::write(&file, "- By hand.\n").unwrap(),
                Some(before) if row.deeds > before => break,
                Some(_) => {}
            }
            seen = seen.or(Some(row.deeds));
        }
    }
    assert_eq!(sheet(&bench).await.lines[0].text, "By hand.");
}

#[tokio::test]
async fn a_change_of_the_rules_tells_the_windows_to_look_again() {
    let (bench, _) = begun(&[&["Ilse is nine."]]).await;
    sheet(&bench).await;
    for rules in ["inbox/CLAUDE.md", "AGENTS.md"] {
        let mut heard = bench.client.attach(Scope::Workspace);
        let mut seen = None;
        loop {
            if let Notice::Collection(row) = next(&mut heard, "the look at the rules").await
                && row.id == CollectionId::inbox()
            {
                match seen {
                    None => std::fs::write(bench.root().join(rules), "Be brief.\n").unwrap(),
                    Some(before) if row.deeds > before => break,
                    Some(_) => {}
                }
                seen = seen.or(Some(row.deeds));
            }
        }
    }
}

#[tokio::test]
async fn an_agent_is_told_of_a_piece_that_it_is_done_only_when_it_is() {
    let (bench, session) = begun(&[&["Ilse is nine."]]).await;
    let asked = || async {
        let reply = memory(&bench, MemoryDeed::Ask { session }).await;
        assert!(matches!(reply, Reply::Accepted { .. }), "{reply:?}");
        let events = bench.so_far(session).await.into_iter().rev();
        let mut prompts = events.filter_map(|event| match event.kind {
            Kind::Prompt { text, .. } | Kind::Queued { text, .. } => Some(text.shown().to_string()),
            _ => None,
        });
        prompts.next().unwrap()
    };
    let said = asked().await;
    assert!(
        said.starts_with("This piece is not done yet. Propose"),
        "{said}"
    );
    let stage = Some(Stage::Done);
    bench.deed(session, Deed::Stage { stage }).await;
    let said = asked().await;
    assert!(said.starts_with("This piece is done. Propose"), "{said}");
}

#[tokio::test]
async fn the_voice_is_told_to_windows_and_what_was_done_to_it_last_is_undone() {
    let (bench, _) = begun(&[&["Ilse is nine."]]).await;
    let file = bench.root().join("VOICE.md");
    std::fs::write(&file, "Never: delve\n").unwrap();
    let mut heard = bench.client.attach(Scope::Workspace);
    loop {
        if let Notice::Voice { text } = next(&mut heard, "the voice").await
            && text.contains("delve")
        {
            break;
        }
    }
    sheet(&bench).await;
    std::fs::write(&file, "Never: tapestry\n").unwrap();
    let files = sheet(&bench).await.files;
    let voice = files.iter().find(|f| f.file == "VOICE.md").unwrap();
    let first = voice.versions[0].seq;
    let accepted = sheet(&bench).await.offers[0].proposal.seq;
    memory(&bench, accept(accepted)).await;
    let restore = MemoryDeed::Restore {
        file: "VOICE.md".to_owned(),
        seq: first,
    };
    memory(&bench, restore).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "Never: delve\n");
    memory(&bench, MemoryDeed::Undo { proposal: None }).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "Never: tapestry\n");
    assert!(text(&bench).contains("Ilse"), "the other deed stands");
    memory(&bench, MemoryDeed::Undo { proposal: None }).await;
    assert!(!text(&bench).contains("Ilse"));
}

//! A variant of a long session: from the request until it is there, and until its agent has said its first word.

use std::path::Path;
use std::time::{Duration, Instant};

use fascicle::client::Client;
use fascicle::config::{Current, Places, Workspace, load};
use fascicle::domain::ask::NewVariant;
use fascicle::domain::notice::{After, Notice, Scope};
use fascicle::domain::{Kind, Reply, Request, SessionId};
use fascicle::host::{Host, lock};
use fascicle::log::Store;
use serde_json::json;

use crate::book::{Book, Figure};
use crate::made;

/// Bytes of the parent's log, about.
const LONG: usize = 10_000_000;
/// How often it is forked; the middle one counts.
const TIMES: usize = 9;

pub fn measure(book: &mut Book) {
    let dir = tempfile::tempdir().unwrap();
    let workspace = Workspace::at(&dir.path().join("words"));
    workspace.make().unwrap();
    let places = Places::under(dir.path());
    let id = SessionId::new(uuid::Uuid::now_v7());
    parent(&workspace, &places, id);
    play(dir.path(), &places);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (made, heard) = runtime.block_on(forks(workspace, &places, id));
    let ms = |times: Vec<Duration>| Figure::of(middle(times).as_secs_f64() * 1e3, 150.0, "ms");
    let figures = vec![ms(made), ms(heard)];
    book.mark(
        "a variant of a log of 10 MB: made; its agent, which starts at once, heard",
        "–",
        figures,
    );
}

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// A session with a long history and a draft.
fn parent(workspace: &Workspace, places: &Places, id: SessionId) {
    let store = Store::open(workspace.root(), &places.cache_of(workspace)).unwrap();
    let writer = made::session(&store, id);
    let log = workspace
        .root()
        .join(format!(".fascicle/sessions/inbox/{id}.jsonl"));
    for turn in 1.. {
        let said = (0..2_000).map(|i| made::delta(turn, &format!("word {i} ")));
        writer.append(made::turn(turn, said));
        assert!(writer.flush());
        if std::fs::metadata(&log).unwrap().len() as usize > LONG {
            break;
        }
    }
    drop(writer);
    let folder = workspace.root().join("inbox/long");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(".session"), format!("{id}\n")).unwrap();
    std::fs::write(
        folder.join("draft.md"),
        "A line of the draft.\n".repeat(500),
    )
    .unwrap();
}

fn play(dir: &Path, places: &Places) {
    let script = dir.join("script.json");
    let words = json!({"steps": [{"delta": {"block": 0, "text": "Heard."}}]});
    std::fs::write(&script, words.to_string()).unwrap();
    std::fs::create_dir_all(places.config.parent().unwrap()).unwrap();
    let config = format!(
        "default_agent = \"play\"\n[agents.play]\nkind = \"scripted\"\ncommand = {script:?}\n"
    );
    std::fs::write(&places.config, config).unwrap();
}

async fn forks(
    workspace: Workspace,
    places: &Places,
    id: SessionId,
) -> (Vec<Duration>, Vec<Duration>) {
    let store = Store::open(workspace.root(), &places.cache_of(&workspace)).unwrap();
    let claim = lock::take(&workspace.private()).unwrap();
    let settings = load(places, Some(&workspace)).config;
    let settings = Current::of(places, &workspace, settings);
    let host = Host::start(workspace, settings, store, claim);
    let client = Client::new(host.clone());
    // The list is there, as in any window that is open.
    let mut rows = client.attach(Scope::Workspace);
    while !matches!(rows.recv().await.unwrap(), Notice::Row(row) if row.id == id) {}
    let (mut made, mut heard) = (Vec::new(), Vec::new());
    for _ in 0..TIMES {
        let begun = Instant::now();
        made.push(fork(&client, id, None).await.1.duration_since(begun));
        let begun = Instant::now();
        let (variant, _) = fork(&client, id, Some("Otherwise.")).await;
        word(&client, variant).await;
        heard.push(begun.elapsed());
    }
    host.close(true).await;
    (made, heard)
}

async fn fork(client: &Client, session: SessionId, prompt: Option<&str>) -> (SessionId, Instant) {
    let request = Request::Fork(NewVariant {
        session,
        at: None,
        title: Some("try".into()),
        prompt: prompt.map(str::to_owned),
    });
    match client.ask(request).await {
        Reply::Created { session } => (session, Instant::now()),
        other => panic!("{other:?}"),
    }
}

/// Waits until the variant's agent has said something.
async fn word(client: &Client, session: SessionId) {
    let after = After::Tail(2_000);
    let mut heard = client.attach(Scope::Session { session, after });
    loop {
        if let Notice::Event(event) = heard.recv().await.unwrap()
            && matches!(&event.kind, Kind::Delta { text, .. } if text.shown() == "Heard.")
        {
            return;
        }
    }
}

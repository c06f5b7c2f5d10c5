//! The host's socket, and what comes over it.

use fascicle::client::Client;
use fascicle::client::dial::Running;
use fascicle::domain::ask::{Reply, Request};
use fascicle::protocol::listen;
use serde_json::json;
use tokio::net::UnixStream;

use crate::bench::{Bench, numbered};
use crate::raw::socket;

#[tokio::test(flavor = "multi_thread")]
async fn a_path_too_long_for_a_socket_is_no_obstacle() {
    let dir = tempfile::tempdir().unwrap();
    let deep = dir.path().join("a".repeat(120)).join(".fascicle");
    std::fs::create_dir_all(&deep).unwrap();
    let (_listener, socket) = listen::bind(&deep).unwrap();
    assert!(socket.as_os_str().len() <= 103, "{}", socket.display());
    UnixStream::connect(&socket).await.unwrap();
    std::fs::remove_file(socket).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn another_process_finds_the_host_by_its_lock() {
    let bench = Bench::new(&numbered(1, 0), "");
    let private = bench.root().join(".fascicle");
    let nobody = Client::new(Running::new(private.clone()));
    assert!(matches!(
        nobody.ask(Request::Status).await,
        Reply::Refused { .. }
    ));
    let socket = socket(&bench);
    bench.host.announce(socket).unwrap();
    let somebody = Client::new(Running::new(private));
    assert!(matches!(
        somebody.ask(Request::Status).await,
        Reply::Status(_)
    ));
}

#[tokio::test]
async fn a_connection_ends_with_its_host_and_the_next_question_finds_the_next_one() {
    let bench = Bench::new(&numbered(1, 0), "");
    let id = bench.new_session("One").await;
    bench.host.close(false).await;
    // Nobody is the host now: the next one is waited for in vain.
    tokio::time::pause();
    let reply = bench.client.ask(Request::Status).await;
    assert!(matches!(&reply, Reply::Refused { .. }), "{reply:?}");
    tokio::time::resume();
    let bench = bench.restarted().await;
    assert!(!bench.turn(id, "Begin.").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_ends_answers_first_keeps_unsent_words_and_can_be_hurried() {
    let bench = Bench::new(&json!({"steps": [{"hang": true}]}), "");
    let id = bench.new_session("One").await;
    bench.send(id, "Begin.").await;
    let end = |now| Request::Shutdown { now };
    assert_eq!(bench.client.ask(end(false)).await, Reply::Done);
    let keep = Request::KeepUnsent {
        session: Some(id),
        window: "w1".parse().unwrap(),
        text: "Not sent.".into(),
    };
    let refused = bench.send(id, "More.").await;
    assert!(matches!(refused, Reply::Refused { .. }), "{refused:?}");
    assert_eq!(bench.client.ask(keep).await, Reply::Done);
    assert_eq!(bench.client.ask(end(true)).await, Reply::Done);
    bench.host.closed().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_sides_with_much_to_say_do_not_wait_for_each_other() {
    let bench = Bench::new(&json!({"steps": [{"hang": true}]}), "");
    let id = bench.new_session("Much").await;
    let much = "Much. ".repeat(100_000);
    bench.send(id, &much).await;
    let mut all = tokio::task::JoinSet::new();
    for n in 0..24 {
        let (client, text) = (bench.client.clone(), much.clone());
        all.spawn(async move {
            let page = Request::Page {
                session: id,
                before: None,
                bytes: 1_000_000,
            };
            let send = Request::Send { session: id, text };
            client.ask(if n % 2 == 0 { page } else { send }).await
        });
    }
    for reply in all.join_all().await {
        assert!(!matches!(reply, Reply::Refused { .. }), "{reply:?}");
    }
    bench.host.close(true).await;
}

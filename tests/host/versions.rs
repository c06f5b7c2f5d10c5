//! Hosts and windows of different versions, and hosts that are about to be gone.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use fascicle::client::Client;
use fascicle::client::dial::{Dial, Dialing, Io};
use fascicle::domain::ask::{Deed, Reply, Request};
use fascicle::domain::notice::{Notice, Scope};
use fascicle::host::{Answer, Host};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream};

use crate::bench::{Bench, next, numbered};
use crate::raw::{Raw, socket};

/// A way to hosts that say what is written, one after another, and then to a real one.
struct Hosts {
    /// What each says: a line when it is connected to, then one for each line it hears; it hangs up behind the last.
    said: Mutex<VecDeque<Vec<Value>>>,
    then: Option<Host>,
}

impl Hosts {
    fn say(said: impl IntoIterator<Item = Vec<Value>>, then: Option<Host>) -> Client {
        let said = Mutex::new(said.into_iter().collect());
        Client::new(Self { said, then })
    }
}

impl Dial for Hosts {
    fn dial(&self) -> Dialing<'_> {
        let next = self.said.lock().unwrap().pop_front();
        match (next, &self.then) {
            (None, Some(host)) => host.dial(),
            (next, _) => Box::pin(async move {
                let (ours, theirs) = tokio::io::duplex(64 * 1024);
                tokio::spawn(recite(theirs, next.unwrap_or_default()));
                Ok(Box::new(ours) as Io)
            }),
        }
    }

    fn who(&self) -> Option<u32> {
        Some(77)
    }
}

async fn recite(io: DuplexStream, said: Vec<Value>) {
    let (from, mut to) = tokio::io::split(io);
    let mut lines = BufReader::new(from).lines();
    for value in said {
        if lines.next_line().await.unwrap().is_none() {
            return;
        }
        match value {
            Value::Null => std::future::pending().await,
            Value::Array(many) => {
                for value in many {
                    to.write_all(format!("{value}\n").as_bytes()).await.unwrap();
                }
            }
            value => to.write_all(format!("{value}\n").as_bytes()).await.unwrap(),
        }
    }
}

fn welcome(more: Value) -> Value {
    let mut welcome = json!({"fascicle": 1, "app": "0.1.0", "pid": 77});
    if let Value::Object(more) = more {
        welcome.as_object_mut().unwrap().extend(more);
    }
    welcome
}

fn why(reply: Reply) -> String {
    match reply {
        Reply::Refused { why, hint } => format!("{why} {}", hint.unwrap_or_default()),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_of_a_version_with_none_in_common_may_ask_how_the_host_is_and_end_it() {
    let bench = Bench::new(&numbered(1, 0), "");
    let socket = socket(&bench);
    let hello = |want: Value| json!({"fascicle": 99, "oldest": 98, "app": "9.0.0", "want": want});
    let mut told = Raw::connect(&socket).await;
    told.say(&hello(json!({"attach": {"scope": "workspace"}})))
        .await;
    let said = told.hear().await["error"].as_str().unwrap().to_owned();
    assert!(
        said.contains("is older than this program (version 9.0.0, protocol 99)"),
        "{said}"
    );
    assert_eq!(told.hear().await, Value::Null);

    let mut raw = Raw::connect(&socket).await;
    raw.say(&hello(json!("ask"))).await;
    assert_eq!(raw.hear().await["error"], said);
    assert_eq!(raw.status(1).await["reply"], "status");
    raw.say(&json!({"re": 2, "ask": "new_collection", "title": "A"}))
        .await;
    assert_eq!(raw.hear().await["why"], said);
    raw.say(&json!({"re": 3, "ask": "dream"})).await;
    assert_eq!(raw.hear().await["why"], said);
    raw.say(&json!({"re": 4, "ask": "shutdown", "now": false}))
        .await;
    assert_eq!(raw.hear().await["reply"], "done");
    bench.host.closed().await;
    assert_eq!(raw.hear().await, json!({"bye": true}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_window_that_still_speaks_our_version_is_served() {
    let bench = Bench::new(&numbered(1, 0), "");
    let socket = socket(&bench);
    let mut raw = Raw::connect(&socket).await;
    raw.say(&json!({"fascicle": 9, "oldest": 1, "want": "ask", "later": true}))
        .await;
    let welcome = raw.hear().await;
    assert_eq!(
        (&welcome["fascicle"], &welcome["oldest"]),
        (&json!(1), &json!(1))
    );
    raw.say(&json!({"re": 1, "ask": "new_collection", "title": "A"}))
        .await;
    assert_eq!(raw.hear().await["reply"], "collection");
    let mut raw = Raw::connect(&socket).await;
    raw.say(&json!({"fascicle": 9, "oldest": 1, "want": {"mirror": 1}}))
        .await;
    let said = raw.hear().await;
    assert!(
        said["error"].as_str().unwrap().contains("does not know"),
        "{said}"
    );
}

#[tokio::test]
async fn a_host_of_another_version_can_be_asked_how_it_is_and_to_end_and_nothing_else() {
    let apart = "The host is newer.";
    let later = welcome(json!({"fascicle": 9, "oldest": 9, "error": apart}));
    let status = json!({"re": 2, "reply": "status", "pid": 77, "app": "9.0.0", "since": 0, "turns": [], "windows": 0, "memory": null, "later": 1});
    let done = json!({"re": 3, "reply": "done"});
    let client = Hosts::say([vec![later.clone(), status, done], vec![later]], None);
    let new = Request::NewCollection { title: "A".into() };
    assert!(why(client.ask(new).await).contains(apart));
    assert!(matches!(
        client.ask(Request::Status).await,
        Reply::Status(_)
    ));
    assert_eq!(
        client.ask(Request::Shutdown { now: false }).await,
        Reply::Done
    );
    let heard = next(&mut client.attach(Scope::Workspace), "the refusal").await;
    assert_eq!(heard, Notice::Refused { why: apart.into() });
}

#[tokio::test]
async fn what_a_later_host_says_is_passed_over_or_refused_and_never_waited_for() {
    let said = vec![
        welcome(json!({"later": [1]})),
        json!([{"later": 1}, {"re": 9, "reply": "done"}, {"re": 1, "reply": "dreamt", "of": "sheep"}]),
        json!({"re": 2, "reply": "done", "later": 1}),
    ];
    let told = vec![welcome(json!({}))];
    let client = Hosts::say([said, told], None);
    assert!(why(client.ask(Request::Status).await).contains("another version"));
    assert_eq!(client.ask(Request::Status).await, Reply::Done);

    let mut notices = welcome(json!({}));
    notices = json!([notices, {"notice": "dreamt", "of": 1}, {"notice": "banner", "text": "a", "later": 1}]);
    let client = Hosts::say([vec![notices]], None);
    let heard = next(&mut client.attach(Scope::Workspace), "a banner").await;
    assert_eq!(heard, Notice::Banner { text: "a".into() });
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_host_that_ends_has_not_taken_is_done_by_the_next_one() {
    let bench = Bench::new(&numbered(1, 0), "");
    let ending = vec![welcome(json!({"ending": true}))];
    let gone = vec![];
    let leaves = vec![welcome(json!({})), json!({"bye": true})];
    let hosts = [
        ending.clone(),
        gone.clone(),
        leaves,
        ending.clone(),
        gone.clone(),
    ];
    let client = Hosts::say(hosts, Some(bench.host.clone()));
    let new = Request::NewCollection { title: "A".into() };
    assert!(matches!(client.ask(new).await, Reply::Collection { .. }));
    let client = Hosts::say([ending, gone], Some(bench.host.clone()));
    let first = next(&mut client.attach(Scope::Workspace), "who tells it").await;
    assert!(matches!(first, Notice::Host(_)), "{first:?}");
}

#[tokio::test]
async fn an_end_that_was_asked_for_is_had_when_the_host_leaves_without_taking_it() {
    let client = Hosts::say([vec![welcome(json!({})), json!({"bye": true})]], None);
    assert_eq!(
        client.ask(Request::Shutdown { now: true }).await,
        Reply::Done
    );
}

#[tokio::test(start_paused = true)]
async fn a_host_that_ends_for_ever_is_not_waited_for_beyond_fifteen_seconds() {
    let hosts = std::iter::repeat_n(vec![welcome(json!({"ending": true}))], 1000);
    let client = Hosts::say(hosts, None);
    let begun = tokio::time::Instant::now();
    assert!(why(client.ask(Request::Status).await).contains("is ending"));
    let waited = begun.elapsed().as_secs();
    assert!((14..=15).contains(&waited), "{waited}");
}

/// A way on which nobody is ever met; tells when it was taken and given up.
struct Nowhere(tokio::sync::watch::Sender<usize>);

impl Dial for Nowhere {
    fn dial(&self) -> Dialing<'_> {
        let on_it = self.0.subscribe();
        self.0.send_modify(|n| *n += 1);
        Box::pin(async move {
            let _on_it = on_it;
            std::future::pending().await
        })
    }
}

#[tokio::test]
async fn an_attachment_that_nobody_hears_is_given_up_while_it_is_dialled() {
    let way = tokio::sync::watch::Sender::new(0);
    let mut taken = way.subscribe();
    let client = Client::new(Nowhere(way.clone()));
    let heard = client.attach(Scope::Workspace);
    taken.wait_for(|n| *n == 1).await.unwrap();
    drop((heard, taken));
    way.closed().await;
}

#[tokio::test(start_paused = true)]
async fn a_host_that_says_nothing_is_named_with_what_helps() {
    let client = Hosts::say([vec![Value::Null]], None);
    let said = why(client.ask(Request::Status).await);
    assert!(
        said.contains("(process 77)") && said.contains("`kill -CONT 77`"),
        "{said}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_of_many_commands_in_the_moment_of_the_end_are_all_served() {
    let first = Bench::new(&numbered(1, 0), "");
    let second = Bench::new(&numbered(1, 0), "");
    let turn = Arc::new(Turning {
        first: first.host.clone(),
        second: second.host.clone(),
    });
    let mut all = tokio::task::JoinSet::new();
    for n in 0..40 {
        let client = Client::new(Way(turn.clone()));
        all.spawn(async move {
            let mut replies = Vec::new();
            for m in 0..5 {
                let title = format!("C{n}-{m}");
                replies.push(client.ask(Request::NewCollection { title }).await);
            }
            replies
        });
    }
    tokio::task::yield_now().await;
    first.host.close(false).await;
    for reply in all.join_all().await.into_iter().flatten() {
        assert!(matches!(reply, Reply::Collection { .. }), "{reply:?}");
    }
}

#[tokio::test]
async fn what_a_window_sends_by_itself_goes_to_no_next_host_until_one_is_wanted() {
    let bench = Bench::new(&numbered(1, 0), "");
    let id = bench.new_session("One").await;
    let window: fascicle::domain::WindowId = "w1".parse().unwrap();
    let by_itself = [
        Request::Do {
            session: id,
            deed: Deed::Seen { upto: 0 },
        },
        Request::Unsent {
            session: Some(id),
            window: window.clone(),
        },
        Request::Page {
            session: id,
            before: None,
            bytes: 1,
        },
        Request::Status,
    ];
    let stopped = || vec![welcome(json!({})), json!({"bye": true})];
    for (n, request) in by_itself.iter().enumerate() {
        // Said in the moment of the end, and again behind it.
        let client = Hosts::say([stopped()], Some(bench.host.clone()));
        for _ in 0..2 {
            let said = why(client.ask(request.clone()).await);
            assert!(said.contains("was not done"), "{said}");
        }
        let title = format!("C{n}");
        let new = client.ask(Request::NewCollection { title }).await;
        assert!(matches!(new, Reply::Collection { .. }), "{new:?}");
        let then = client.ask(request.clone()).await;
        assert!(!matches!(then, Reply::Refused { .. }), "{then:?}");
    }
    // Unsent words are the writer's: they are worth a host.
    let client = Hosts::say([stopped()], Some(bench.host.clone()));
    let keep = Request::KeepUnsent {
        session: Some(id),
        window,
        text: "Not sent.".into(),
    };
    assert_eq!(client.ask(keep).await, Reply::Done);
    let client = Hosts::say([stopped()], Some(bench.host.clone()));
    why(client.ask(Request::Status).await);
    let _window = client.attach(Scope::Workspace);
    let then = client.ask(Request::Status).await;
    assert!(matches!(then, Reply::Status(_)), "{then:?}");
}

#[tokio::test]
async fn only_what_an_ending_host_did_not_begin_is_for_the_next_one() {
    let bench = Bench::new(&numbered(1, 0), "");
    let id = bench.new_session("One").await;
    bench.host.close(false).await;
    let stop = bench.host.ask(Request::Stop { session: id }).await;
    assert!(
        matches!(stop, Answer::Reply(Reply::Refused { .. })),
        "{stop:?}"
    );
    let go_on = bench.host.ask(Request::Continue { session: id }).await;
    assert!(
        matches!(go_on, Answer::NextHost(Reply::Refused { .. })),
        "{go_on:?}"
    );
}

/// One host until it has ended, then another.
struct Turning {
    first: Host,
    second: Host,
}

struct Way(Arc<Turning>);

impl Dial for Way {
    fn dial(&self) -> Dialing<'_> {
        Box::pin(async {
            let ended = tokio::time::timeout(std::time::Duration::ZERO, self.0.first.closed());
            match ended.await {
                Ok(()) => self.0.second.dial().await,
                Err(_) => self.0.first.dial().await,
            }
        })
    }
}

//! Recipes: the host drives their steps, and stops where it has to.

use fascicle::domain::ask::{Deed, NewSession, Reply, Request};
use fascicle::domain::recipe::{Limits, Recipe, Step};
use fascicle::domain::{Event, Kind, SessionId, State};
use serde_json::json;

use crate::bench::{Bench, events_until, is_end, prompts, words};
use crate::recovery::cut_turn;

fn recipe(steps: usize, limits: Limits) -> Recipe {
    let step = |n: usize| Step {
        name: format!("Step {n}"),
        text: format!("Do {n}."),
    };
    Recipe {
        title: "Essay".into(),
        steps: (1..=steps).map(step).collect(),
        limits,
    }
}

async fn follow(bench: &Bench, session: SessionId, recipe: Recipe) -> Reply {
    bench.client.ask(Request::Follow { session, recipe }).await
}

async fn go_on(bench: &Bench, session: SessionId) {
    let reply = bench.client.ask(Request::Continue { session }).await;
    assert_eq!(reply, Reply::Done);
}

fn is_over(e: &Event) -> bool {
    e.kind == Kind::RecipeEnded
}

fn texts(events: &[Event]) -> Vec<String> {
    prompts(events).into_iter().map(|(text, _)| text).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn its_steps_run_one_after_the_other_with_no_window_open_to_its_end() {
    let echo = json!({"steps": [{"delta": {"block": 0, "text": "[{prompt}]"}}]});
    let bench = Bench::new(&echo, "");
    let id = bench.new_session("One").await;
    assert_eq!(
        follow(&bench, id, recipe(4, Limits::default())).await,
        Reply::Done
    );
    bench.host.idle().await;
    let all = events_until(&mut bench.follow(id), "its end", is_over).await;
    assert_eq!(words(&all), "[Do 1.][Do 2.][Do 3.][Do 4.]");
    assert_eq!(all.iter().filter(|e| is_end(e)).count(), 4);
    let row = bench.row(id, "its row", |_| true).await;
    assert_eq!((row.recipe, row.queued), (None, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn it_waits_at_each_kind_of_limit_and_goes_on_when_asked() {
    let usage = json!({"usage": {"input": 60, "output": 50, "cost_usd": 0.75}});
    let bench = Bench::new(&json!({"steps": [usage]}), "");
    let none = Limits::default();
    let turns = Some(1);
    let tokens = Some(110);
    let usd = Some(0.7);
    for (limits, said) in [
        (Limits { turns, ..none }, "1 turn"),
        (Limits { tokens, ..none }, "110 tokens"),
        (Limits { usd, ..none }, "$0.70"),
    ] {
        let id = bench.new_session(said).await;
        assert_eq!(follow(&bench, id, recipe(2, limits)).await, Reply::Done);
        let paused = |r: &fascicle::domain::Row| {
            let recipe = r.recipe.as_ref();
            recipe.is_some_and(|r| r.at == 1 && r.paused.is_some())
        };
        let row = bench.row(id, "the limit", paused).await;
        let why = row.recipe.unwrap().paused.unwrap();
        assert!(why.contains(said), "{why}");
        let refused = follow(&bench, id, recipe(1, none)).await;
        assert!(matches!(refused, Reply::Refused { .. }), "{refused:?}");
        let so_far = bench.so_far(id).await;
        assert_eq!(texts(&so_far), ["Do 1."]);
        go_on(&bench, id).await;
        let all = events_until(&mut bench.follow(id), "its end", is_over).await;
        assert_eq!(texts(&all), ["Do 1.", "Do 2."]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_holds_it_and_the_step_done_again_takes_it_to_its_end() {
    let half = json!({"delta": {"block": 0, "text": "half "}});
    let whole = json!({"delta": {"block": 0, "text": "whole "}});
    let failed = json!({"ended": {"status": "failed", "reason": "no server"}});
    let bench = Bench::new(&json!({"turns": [[half, failed], [whole]]}), "");
    let id = bench.new_session("One").await;
    follow(&bench, id, recipe(2, Limits::default())).await;
    events_until(&mut bench.follow(id), "the failure", is_end).await;
    let so_far = bench.so_far(id).await;
    assert_eq!(texts(&so_far), ["Do 1."]);
    let row = bench.row(id, "held", |r| r.state == State::Queued).await;
    assert_eq!((row.queued, row.recipe.unwrap().at), (1, 1));
    let reply = bench.client.ask(Request::Again { session: id }).await;
    assert!(matches!(reply, Reply::Accepted { turn: Some(2), .. }));
    let all = events_until(&mut bench.follow(id), "its end", is_over).await;
    let sent = prompts(&all);
    assert!(sent[1].0.starts_with("You were cut off"));
    assert_eq!(sent[1].1, Some(1), "it is the first step's turn");
    assert_eq!(sent[2], ("Do 2.".to_owned(), Some(2)));
    assert_eq!(words(&all), "half whole whole ");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_keeps_it_waiting() {
    let asked = json!({"asked": {"call": "c1", "what": "Search the web"}});
    let bench = Bench::new(&json!({"steps": [asked, {"await_order": "answer"}]}), "");
    let id = bench.new_session("One").await;
    follow(&bench, id, recipe(2, Limits::default())).await;
    for n in [1, 2] {
        let asks = |r: &fascicle::domain::Row| {
            r.state == State::NeedsYou && r.recipe.as_ref().is_some_and(|r| r.at == n)
        };
        bench.row(id, "the question", asks).await;
        let answer = Request::Answer {
            session: id,
            call: None,
            answer: fascicle::domain::event::Answer::Once,
        };
        assert_eq!(bench.client.ask(answer).await, Reply::Done);
    }
    events_until(&mut bench.follow(id), "its end", is_over).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_crash_in_the_middle_it_goes_on_only_when_asked() {
    let bench = Bench::new(&json!({"steps": [{"hang": true}]}), "");
    let id = bench.new_session("One").await;
    bench.host.close(true).await;
    cut_turn(
        &bench,
        id,
        &[
            json!({"kind": "recipe.started", "title": "Essay", "first": 1, "steps": ["One", "Two", "Three"], "turns": 9}),
            json!({"kind": "queued", "n": 1, "text": "Do 1."}),
            json!({"kind": "queued", "n": 2, "text": "Do 2."}),
            json!({"kind": "queued", "n": 3, "text": "Do 3."}),
            json!({"kind": "user.prompt", "turn": 1, "text": "Do 1.", "queued": 1}),
            json!({"kind": "turn.started", "turn": 1, "agent": "play", "resume": false}),
        ],
    );
    let bench = bench.restarted().await;
    events_until(&mut bench.follow(id), "the cut turn's end", is_end).await;
    let so_far = bench.so_far(id).await;
    assert_eq!(texts(&so_far), ["Do 1."]);
    let row = bench
        .row(id, "held", |r| r.state == State::Lost && r.queued > 0)
        .await;
    assert_eq!((row.queued, row.recipe.unwrap().of), (2, 3));
    bench.play(&json!({"steps": []}));
    let reply = bench.client.ask(Request::Again { session: id }).await;
    assert!(matches!(reply, Reply::Accepted { turn: Some(2), .. }));
    let all = events_until(&mut bench.follow(id), "its end", is_over).await;
    assert_eq!(texts(&all), ["Do 1.", "Do 1.", "Do 2.", "Do 3."]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_is_stopped_keeps_the_steps_for_the_next_one() {
    let bench = Bench::new(&json!({"steps": [{"hang": true}]}), "");
    let id = bench.new_session("One").await;
    follow(&bench, id, recipe(3, Limits::default())).await;
    bench
        .row(id, "writing", |r| r.state == State::Writing)
        .await;
    bench.play(&json!({"steps": []}));
    let bench = bench.restarted().await;
    let so_far = bench.so_far(id).await;
    assert_eq!(texts(&so_far), ["Do 1."]);
    go_on(&bench, id).await;
    let all = events_until(&mut bench.follow(id), "its end", is_over).await;
    assert_eq!(texts(&all), ["Do 1.", "Do 2.", "Do 3."]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_session_is_made_for_a_recipe_that_its_agent_cannot_do() {
    let bench = Bench::new(&json!({"steps": []}), "");
    let new = |agent: &str, recipe| {
        Request::New(NewSession {
            collection: None,
            title: Some("Essay".into()),
            agent: Some(agent.to_owned()),
            prompt: None,
            recipe: Some(Box::new(recipe)),
        })
    };
    let logs = || {
        let sessions = bench.root().join(".fascicle/sessions/inbox");
        std::fs::read_dir(sessions).map_or(0, Iterator::count)
    };
    let before = logs();
    let refused = bench
        .client
        .ask(new("editor", recipe(2, Limits::default())))
        .await;
    assert!(
        matches!(&refused, Reply::Refused { why, .. } if why.contains("does not write")),
        "{refused:?}"
    );
    assert_eq!(logs(), before);
    let made = bench
        .client
        .ask(new("play", recipe(2, Limits::default())))
        .await;
    let Reply::Created { session } = made else {
        panic!("{made:?}");
    };
    bench.host.idle().await;
    let all = events_until(&mut bench.follow(session), "its end", is_over).await;
    assert_eq!(texts(&all), ["Do 1.", "Do 2."]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_does_not_write_is_given_no_step_it_cannot_do() {
    let bench = Bench::new(&json!({"steps": []}), "");
    let id = bench.new_session("One").await;
    let (agent, model) = ("editor".to_owned(), None);
    let chosen = bench.deed(id, Deed::Choose { agent, model }).await;
    assert_eq!(chosen, Reply::Done);
    match follow(&bench, id, recipe(2, Limits::default())).await {
        Reply::Refused { why, hint } => {
            assert!(
                why.contains("does not write") && why.contains("Step 1"),
                "{why}"
            );
            assert!(hint.unwrap().contains("Connect an agent"));
        }
        other => panic!("{other:?}"),
    }
    assert!(texts(&bench.so_far(id).await).is_empty());
    let mut reads = recipe(1, Limits::default());
    reads.steps[0].text = "proofread".to_owned();
    assert_eq!(follow(&bench, id, reads).await, Reply::Done);
}

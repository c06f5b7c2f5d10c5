//! Searching everything: places come while words are typed, and are gone to.

use fascicle::domain::search::{Found, From, Hit};
use fascicle::domain::{CollectionId, Reply, Request};
use fascicle::ui::Effect;

use crate::compare::{SIZES, golden};
use crate::draft::reading;
use crate::stage::{NOON, Stage, id};
use fascicle::ui::input::Tag;

fn hit(n: u128, text: Found, seq: u64, before: &str, after: &str) -> Hit {
    Hit {
        session: id(n),
        title: ["The lost afternoon", "Ferry notes"][usize::try_from(n).unwrap() % 2].to_owned(),
        collection: CollectionId::inbox(),
        text,
        seq,
        ts: NOON - 3_600_000 * i64::try_from(seq).unwrap(),
        before: before.to_owned(),
        found: "ferry".to_owned(),
        after: after.to_owned(),
        at: 0,
    }
}

fn hits() -> Vec<Hit> {
    vec![
        hit(
            2,
            Found::Draft,
            12,
            "The window closed on the old ",
            ", and with it the morning.",
        ),
        hit(
            2,
            Found::Reply,
            3,
            "Rewriting it around the lost ",
            " crossing, as you asked of me at first.",
        ),
        hit(1, Found::Prompt, 1, "渡し船 — the ", " in the fog"),
    ]
}

/// The search is open, its words typed; what was asked with the last letter.
fn searched(stage: &mut Stage) -> (Tag, Request) {
    stage.press("/");
    stage.type_text("ferry");
    stage.asks().pop().unwrap()
}

fn is_from(request: &Request, from: Option<From>) -> bool {
    matches!(request, Request::Search { words, from: at, .. } if words == "ferry" && *at == from)
}

#[test]
fn places_are_shown_as_they_come_and_the_search_goes_on_where_it_paused() {
    for (cols, lines) in SIZES {
        let mut stage = reading();
        let (tag, request) = searched(&mut stage);
        assert!(is_from(&request, None), "{request:?}");
        let next = From {
            created: NOON,
            session: id(1),
            at: 4_096,
        };
        let reply = Reply::Hits {
            hits: hits(),
            next: Some(next),
        };
        stage.answer(tag, reply);
        assert!(is_from(&stage.asked_one().1, Some(next)));
        golden(format!("search@{cols}x{lines}"), &stage.frame(cols, lines));
    }
}

#[test]
fn an_answer_to_older_words_is_passed_over() {
    let mut stage = reading();
    let (tag, _) = searched(&mut stage);
    stage.press("x");
    stage.answer(
        tag,
        Reply::Hits {
            hits: hits(),
            next: None,
        },
    );
    assert!(stage.frame(80, 24).contains("Looking…"));
}

#[test]
fn enter_opens_the_session_of_a_place() {
    let mut stage = reading();
    let (tag, _) = searched(&mut stage);
    let (hits, next) = (hits(), None);
    stage.answer(tag, Reply::Hits { hits, next });
    stage.press("down");
    stage.press("enter");
    let attached = |e: &Effect| matches!(e, Effect::Attach { .. });
    let frame = stage.frame(80, 24);
    assert!(!frame.contains("Search everything"), "{frame}");
    assert!(stage.take_effects().iter().any(attached) || frame.contains("The lost afternoon"));
}

#[test]
fn a_search_that_is_left_is_not_gone_on_with() {
    let mut stage = reading();
    let (tag, _) = searched(&mut stage);
    stage.press("esc");
    let next = From {
        created: NOON,
        session: id(1),
        at: 0,
    };
    let (hits, next) = (hits(), Some(next));
    stage.answer(tag, Reply::Hits { hits, next });
    let goes_on = stage
        .asks()
        .into_iter()
        .any(|a| matches!(a.1, Request::Search { .. }));
    assert!(!goes_on);
}

//! Searching everything: places come while words are typed, and are gone to.

use fascicle::domain::search::{Found, From, Hit};
use fascicle::domain::{CollectionId, Reply, Request};
use fascicle::ui::Effect;
use ratatui::style::Modifier;

use crate::compare::{SIZES, came, golden};
use crate::draft::reading;
use crate::stage::{NOON, Stage, id, log, message, prompt};
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

/// Looks for the word and goes to the one place where it stands.
fn gone_to(stage: &mut Stage, found: Hit) {
    let (tag, _) = searched(stage);
    let (hits, next) = (vec![found], None);
    stage.answer(tag, Reply::Hits { hits, next });
    stage.press("enter");
}

/// The session that is read has this reply, and that one as its last.
fn replied(reply: &str, last: &str) -> Stage {
    let mut stage = reading();
    let mut kinds = log(1, "The lost afternoon", false);
    kinds[3] = message(1, reply);
    kinds.push(prompt(2, "Go on."));
    kinds.push(message(2, last));
    stage.tell_log(1, &kinds);
    stage.frame(80, 24);
    stage
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
            percent: 34,
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
fn a_search_that_is_not_shown_whole_or_failed_says_so() {
    let mut stage = reading();
    let (tag, _) = searched(&mut stage);
    let many = hits().into_iter().cycle().take(2_700).collect();
    let next = From {
        created: NOON,
        session: id(1),
        at: 4_096,
        percent: 34,
    };
    stage.answer(
        tag,
        Reply::Hits {
            hits: many,
            next: Some(next),
        },
    );
    let frame = stage.frame(80, 24);
    assert!(
        frame.contains("first 2,000 · more words find fewer · Enter opens · Esc closes"),
        "{frame}"
    );
    assert!(
        stage.asks().is_empty(),
        "what is not shown is not looked for"
    );
    stage.press("x");
    let (tag, _) = stage.asked_one();
    let refused = Reply::Refused {
        why: "The disk does not answer.".to_owned(),
        hint: None,
    };
    stage.answer(tag, refused);
    let frame = stage.frame(80, 24);
    assert!(frame.contains("The disk does not answer."), "{frame}");
    assert!(frame.contains("not all searched · Esc closes"), "{frame}");
    assert!(!frame.contains("stand nowhere"), "{frame}");
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

/// Draws, and gives the letters that are marked.
fn marked(stage: &mut Stage, cols: u16, lines: u16) -> Vec<String> {
    let (buf, _) = stage.paint(cols, lines);
    let (mut out, mut last) = (Vec::<String>::new(), None);
    for (at, cell) in buf.content.iter().enumerate() {
        if cell.modifier.contains(Modifier::UNDERLINED) {
            match out
                .last_mut()
                .filter(|_| last.map(|n: usize| n + 1) == Some(at))
            {
                Some(word) => word.push_str(cell.symbol()),
                None => out.push(cell.symbol().to_owned()),
            }
            last = Some(at);
        }
    }
    out
}

#[test]
fn a_reply_is_gone_to_where_the_words_stand_and_they_are_marked_until_esc() {
    let long = format!(
        "{}The old *ferry* left.\n\n{}",
        "A line of it.\n\n".repeat(60),
        "More.\n\n".repeat(60)
    );
    let mut stage = replied(&long, &"An end.\n\n".repeat(60));
    gone_to(&mut stage, hit(1, Found::Reply, 3, "The old ", " left."));
    stage.frame(80, 24);
    assert!(
        stage.frame(80, 24).contains("The old ferry left."),
        "{}",
        stage.frame(80, 24)
    );
    assert_eq!(marked(&mut stage, 80, 24), ["ferry"]);
    stage.press("esc");
    assert!(marked(&mut stage, 80, 24).is_empty());
}

#[test]
fn words_at_the_beginning_of_the_last_and_long_reply_are_gone_to() {
    let mut stage = reading();
    let mut kinds = log(1, "The lost afternoon", false);
    kinds[3] = message(
        1,
        &format!("A ferry at last.\n\n{}", "A line.\n\n".repeat(60)),
    );
    stage.tell_log(1, &kinds);
    let frame = stage.frame(80, 24);
    assert!(!frame.contains("A ferry at last."), "{frame}");
    gone_to(&mut stage, hit(1, Found::Reply, 3, "A ", " at last."));
    stage.frame(80, 24);
    let frame = stage.frame(80, 24);
    assert!(frame.contains("A ferry at last."), "{frame}");
}

#[test]
fn a_draft_is_opened_at_the_place_and_all_places_are_marked_until_something_is_typed() {
    let mut stage = reading();
    let text = format!(
        "A ferry.\n\n{}The ferry left.\n",
        "A line of it.\n\n".repeat(60)
    );
    let at = text.rfind("ferry").unwrap();
    let found = Hit {
        at,
        ..hit(1, Found::Draft, 12, "The ", " left.")
    };
    gone_to(&mut stage, found);
    let (tag, request) = stage.asked_one();
    assert!(matches!(request, Request::Draft { .. }), "{request:?}");
    stage.answer(tag, came(&text, 12));
    let frame = stage.frame(80, 24);
    assert!(frame.contains("The ferry left."), "{frame}");
    let (buf, caret) = stage.paint(80, 24);
    let caret = caret.unwrap();
    assert_eq!(buf[(caret.x, caret.y)].symbol(), "f");
    assert!(buf[(caret.x, caret.y)].modifier.contains(Modifier::BOLD));
    stage.press("x");
    let (buf, _) = stage.paint(80, 24);
    assert!(
        !buf[(caret.x + 1, caret.y)]
            .modifier
            .contains(Modifier::BOLD)
    );
}

#[test]
fn a_second_slash_in_the_filter_looks_in_all_texts() {
    let mut stage = reading();
    stage.press("left /");
    stage.type_text("ferry");
    stage.asks();
    stage.press("/");
    assert!(is_from(&stage.asked_one().1, None));
    let frame = stage.frame(80, 24);
    assert!(frame.contains("Search everything"), "{frame}");
    stage.press("esc");
    assert!(
        stage.frame(120, 40).contains("Memory"),
        "the list is whole again"
    );
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
        percent: 1,
    };
    let (hits, next) = (hits(), Some(next));
    stage.answer(tag, Reply::Hits { hits, next });
    let goes_on = stage
        .asks()
        .into_iter()
        .any(|a| matches!(a.1, Request::Search { .. }));
    assert!(!goes_on);
}

#[test]
fn a_place_further_up_in_the_open_session_is_gone_to_on_a_clean_page() {
    let long = format!("The old ferry left.\n\n{}", "A line of it.\n\n".repeat(60));
    let opened = || {
        let mut stage = replied(&long, &"Longer than what stands above.\n\n".repeat(60));
        gone_to(&mut stage, hit(1, Found::Reply, 3, "The old ", " left."));
        stage
    };
    let mut stage = opened();
    let first = stage.frame(80, 24);
    assert!(first.contains("The old ferry left."), "{first}");
    assert!(!first.contains("above."), "{first}");
    assert_eq!(first, stage.frame(80, 24), "as it is drawn ever after");
}

#[test]
fn a_search_that_is_opened_again_begins_anew_with_the_first_letter() {
    let mut stage = reading();
    searched(&mut stage);
    stage.press("esc");
    stage.press("/");
    assert!(
        stage.frame(80, 24).contains("ferry"),
        "what was found is there"
    );
    stage.type_text("fog");
    let (_, request) = stage.asks().pop().unwrap();
    assert!(
        matches!(&request, Request::Search { words, .. } if words == "fog"),
        "{request:?}"
    );
}

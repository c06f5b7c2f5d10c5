//! Searching everything: words over pieces, what counts of an answer, pauses.

use std::sync::atomic::{AtomicUsize, Ordering};

use fascicle::domain::SessionId;
use fascicle::domain::event::{Abandoned, Kind};
use fascicle::domain::search::{Found, From, Hit};
use fascicle::domain::splice::between;
use fascicle::log::search::Search;
use fascicle::log::{Store, Variant};
use fascicle::text::find::Query;
use proptest::prelude::*;

use super::desk::*;
use super::sim::Sim;

/// All places, told in pauses after so many looks at the time.
fn search(store: &Store, words: &str, looks: Option<usize>) -> Vec<Hit> {
    let (mut hits, mut from) = (Vec::new(), None);
    loop {
        let moment;
        (moment, from) = moment_of(store, words, from, looks);
        hits.extend(moment);
        if from.is_none() {
            return hits;
        }
    }
}

/// What is found in one moment, and where the search goes on.
fn moment_of(
    store: &Store,
    words: &str,
    from: Option<From>,
    looks: Option<usize>,
) -> (Vec<Hit>, Option<From>) {
    let (query, looked) = (Query::of(words).unwrap(), AtomicUsize::new(0));
    let mut hits = Vec::new();
    let search = Search {
        query: &query,
        collection: None,
        found: &mut |hit| hits.push(hit),
        enough: &|| looks.is_some_and(|most| looked.fetch_add(1, Ordering::Relaxed) + 1 >= most),
    };
    let from = store.search(from, search);
    (hits, from)
}

fn found(store: &Store, words: &str) -> Vec<(Found, String)> {
    let hits = search(store, words, None).into_iter();
    hits.map(|hit| {
        (
            hit.text,
            format!("{}[{}]{}", hit.before, hit.found, hit.after),
        )
    })
    .collect()
}

fn message(turn: u32, text: &str) -> Kind {
    let text = text.into();
    let block = 0;
    Kind::Message { turn, block, text }
}

#[test]
fn words_are_found_across_pieces_and_a_message_takes_their_place() {
    let store = store_on(Sim::new());
    let (writer, _events) = begun(&store);
    let mut kinds = vec![
        prompt(1),
        started(1),
        delta(1, "The old fe"),
        delta(1, "rry\nleft \"at"),
        delta(1, " dawn\"."),
    ];
    kinds.push(finished(1));
    kinds.extend([
        prompt(2),
        started(2),
        delta(2, "A fer"),
        delta(2, "ry"),
        message(2, "A ferry again."),
        finished(2),
    ]);
    writer.append(kinds);
    assert!(writer.flush());
    let want = [
        (Found::Reply, "The old [ferry] left \"at dawn\".".to_owned()),
        (Found::Reply, "A [ferry] again.".to_owned()),
    ];
    assert_eq!(found(&store, "FERRY"), want);
    assert_eq!(found(&store, "\"old ferry left\"").len(), 1);
    let dawn = found(&store, "dawn").remove(0).1;
    assert_eq!(dawn, "The old ferry left \"at [dawn]\".");
    assert!(found(&store, "ferry barge").is_empty());
}

#[test]
fn an_answer_that_was_begun_again_counts_once_and_one_that_was_cut_counts() {
    let store = store_on(Sim::new());
    let (writer, _events) = begun(&store);
    let abandoned = Kind::Abandoned(Abandoned {
        turn: 1,
        from: 0,
        to: 0,
    });
    writer.append(vec![
        prompt(1),
        started(1),
        delta(1, "ferry one"),
        abandoned,
        finished(1),
    ]);
    writer.append(vec![prompt(2), started(2), delta(2, "ferry cut")]);
    assert!(writer.flush());
    assert_eq!(
        found(&store, "ferry"),
        [(Found::Reply, "[ferry] cut".to_owned())]
    );
}

#[test]
fn the_draft_is_searched_as_it_is_now_with_what_was_typed() {
    let store = store_on(Sim::new());
    let (writer, _events) = begun(&store);
    writer.append_with_blob(b"The barge.\n\nThe end.".to_vec(), saved());
    assert!(writer.flush());
    let base = store.head(id()).unwrap().head.draft_at();
    let splices = between("The barge.\n\nThe end.", "The ferry.\n\nThe end.").into_iter();
    let splices = splices.collect();
    writer.append(vec![Kind::DraftEdited { base, splices }]);
    assert!(writer.flush());
    assert!(found(&store, "barge").is_empty());
    let hits = search(&store, "ferry", None);
    assert_eq!((hits[0].text, hits[0].at), (Found::Draft, 4));
}

/// A session beside the first, with an answer.
fn another(store: &Store, n: u8, text: &str) {
    let id: SessionId = format!("0197c0de-7a10-7c3e-9b55-1f2e3d4c5c{n:02x}")
        .parse()
        .unwrap();
    let made = Kind::Created {
        id,
        title: None,
        collection: essays(),
        folder: format!("essays/{n}"),
        agent: None,
        app: "0.1.0".into(),
    };
    let writer = store
        .create(id, &essays(), vec![made], &[], deaf())
        .unwrap();
    writer.append(vec![prompt(1), started(1), delta(1, text), finished(1)]);
    assert!(writer.flush());
}

fn variant(n: u8) -> Variant {
    let id = format!("0197c0de-7a10-7c3e-9b55-1f2e3d4c5c{n:02x}");
    Variant {
        id: id.parse().unwrap(),
        title: Some(format!("v{n}")),
        collection: essays(),
        folder: format!("essays/v{n}"),
    }
}

/// The sessions that words are found in, by the last byte of their ids, and the texts.
fn told(store: &Store, words: &str) -> Vec<(String, Found)> {
    let hits = search(store, words, None).into_iter();
    let mut all: Vec<_> = hits
        .map(|hit| (hit.session.to_string().split_off(34), hit.text))
        .collect();
    all.sort_by_key(|(id, _)| id.clone());
    all
}

#[test]
fn what_variants_share_is_told_once_and_what_is_their_own_of_each() {
    use Found::{Draft, Reply};
    let store = store_on(Sim::new());
    let (writer, _events) = begun(&store);
    let own = |n: u32, text: &str| vec![prompt(n), started(n), delta(n, text), finished(n)];
    writer.append(own(1, "The ferry."));
    writer.append_with_blob(b"The barge.\n\nThe ford.".to_vec(), saved());
    assert!(writer.flush());
    let (one, _) = store.fork(id(), None, variant(1), deaf()).unwrap();
    one.append(own(2, "The ferry sank."));
    one.append_with_blob(b"The barge.\n\nThe ford is deep.".to_vec(), saved());
    assert!(one.flush());
    let (two, _) = store.fork(variant(1).id, None, variant(2), deaf()).unwrap();
    two.append(own(3, "A ferry of two."));
    let (three, _) = store.fork(variant(1).id, None, variant(3), deaf()).unwrap();
    writer.append(own(2, "The main ferry."));
    assert!(two.flush() && three.flush() && writer.flush());

    let of = |all: &[(&str, Found)]| -> Vec<(String, Found)> {
        all.iter()
            .map(|(id, text)| ((*id).to_owned(), *text))
            .collect()
    };
    let first = id().to_string().split_off(34);
    let first = first.as_str();
    let ferries =
        |all: Vec<(String, Found)>| -> Vec<String> { all.into_iter().map(|(id, _)| id).collect() };
    let mut whole = vec![first, first, "01", "02"];
    whole.sort_unstable();
    assert_eq!(ferries(told(&store, "ferry")), whole);
    assert_eq!(told(&store, "barge"), of(&[(first, Draft)]));
    let mut fords = of(&[(first, Draft), ("01", Draft)]);
    fords.sort_by_key(|(id, _)| id.clone());
    assert_eq!(told(&store, "ford"), fords);
    assert_eq!(told(&store, "sank"), of(&[("01", Reply)]));

    // Of those that are left, the first tells it.
    one.append(vec![Kind::Archived]);
    writer.append(vec![Kind::Trashed]);
    assert!(one.flush() && writer.flush());
    drop((writer, one));
    store.trash(id()).unwrap();
    assert_eq!(ferries(told(&store, "ferry")), ["02", "02", "02"]);
    assert_eq!(told(&store, "barge"), of(&[("02", Draft)]));
}

#[test]
fn many_sessions_are_told_in_order_however_they_are_searched() {
    let store = store_on(Sim::new());
    let (writer, _events) = begun(&store);
    writer.append(vec![
        prompt(1),
        started(1),
        delta(1, &format!("{} ferry 0", "long ".repeat(200_000))),
        finished(1),
    ]);
    assert!(writer.flush());
    (1..=20).for_each(|n| another(&store, n, &format!("ferry {n}")));
    let whole = search(&store, "ferry", None);
    let sessions: Vec<_> = whole.iter().map(|hit| hit.session).collect();
    let mut sorted = sessions.clone();
    sorted.sort();
    assert_eq!((sessions.len(), &sessions), (21, &sorted));
    assert_eq!(search(&store, "ferry", Some(1)), whole);
}

#[test]
fn a_search_lists_the_sessions_once_however_often_it_pauses() {
    let sim = Sim::new();
    let store = store_on(sim.clone());
    let (writer, _events) = begun(&store);
    for no in 1..=9 {
        let text = "long ".repeat(200_000);
        writer.append(vec![
            prompt(no),
            started(no),
            delta(no, &text),
            finished(no),
        ]);
    }
    assert!(writer.flush());
    (1..=20).for_each(|n| another(&store, n, "ferry"));
    let looks = || sim.state().looks;
    // The first reads the heads of new logs.
    search(&store, "ferry", None);
    let before = looks();
    search(&store, "ferry", None);
    let once = looks() - before;
    let before = looks();
    assert_eq!(search(&store, "ferry", Some(1)).len(), 20);
    assert_eq!(looks() - before, once);
}

#[test]
fn a_long_turn_is_searched_in_many_moments_and_where_that_is_lost_it_is_begun_again() {
    let sim = Sim::new();
    let store = store_on(sim.clone());
    let (writer, _events) = begun(&store);
    writer.append(vec![
        prompt(1),
        started(1),
        delta(1, "A ferry."),
        finished(1),
        prompt(2),
        started(2),
    ]);
    for _ in 0..40 {
        writer.append(vec![delta(2, &"word ".repeat(20_000))]);
    }
    writer.append(vec![delta(2, "and a ferry."), finished(2)]);
    assert!(writer.flush());
    let whole = search(&store, "ferry", None);
    assert_eq!(whole.len(), 2);
    let (mut hits, mut from, mut moments, mut last) = (Vec::new(), None, 0, 0);
    loop {
        let moment;
        (moment, from) = moment_of(&store, "ferry", from, Some(1));
        hits.extend(moment);
        moments += 1;
        let Some(next) = from else { break };
        assert!(next.percent >= last && next.percent < 100, "{next:?}");
        last = next.percent;
    }
    assert_eq!(hits, whole);
    assert!(moments > 5, "{moments}");
    // Another host knows the place alone: nothing is told twice, nothing is missing.
    let (mut hits, from) = moment_of(&store, "ferry", None, Some(4));
    let (rest, none) = moment_of(&store_on(sim), "ferry", from, None);
    hits.extend(rest);
    assert_eq!((hits, none), (whole, None));
}

#[test]
fn a_search_that_pauses_tells_the_same_as_one_that_does_not() {
    let store = store_on(Sim::new());
    let (writer, _events) = begun(&store);
    writer.append_with_blob(b"A ferry.\n\nA second ferry.".to_vec(), saved());
    for no in 1..=9 {
        let text = format!("{} ferry {no}", "long ".repeat(20_000));
        writer.append(vec![
            prompt(no),
            started(no),
            delta(no, &text),
            finished(no),
        ]);
    }
    assert!(writer.flush());
    let whole = search(&store, "ferry", None);
    assert_eq!(whole.len(), 11);
    assert_eq!(search(&store, "ferry", Some(1)), whole);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn whatever_stands_in_an_answer_is_found(text in "\\PC{0,30}(\n|\t|\"|\\\\)\\PC{1,30}", cut in 0usize..60, word in 0usize..8) {
        let words: Vec<&str> = text.split(['"', '“', '”', '„']).flat_map(str::split_whitespace).collect();
        prop_assume!(!words.is_empty());
        let store = store_on(Sim::new());
        let (writer, _events) = begun(&store);
        let cut = (0..=cut.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
        let (one, two) = text.split_at(cut);
        writer.append(vec![prompt(1), started(1), delta(1, one), delta(1, two), finished(1)]);
        prop_assert!(writer.flush());
        let wanted = words[word % words.len()];
        let hits = search(&store, wanted, None);
        prop_assert!(hits.iter().any(|hit| hit.text == Found::Reply), "{wanted:?} in {text:?}");
    }
}

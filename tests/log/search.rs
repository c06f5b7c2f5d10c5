//! Searching everything: words over pieces, what counts of an answer, pauses.

use std::cell::{Cell, RefCell};

use fascicle::domain::event::{Abandoned, Kind};
use fascicle::domain::search::{Found, Hit};
use fascicle::domain::splice::between;
use fascicle::log::Store;
use fascicle::log::search::Search;
use fascicle::text::find::Query;
use proptest::prelude::*;

use super::desk::*;
use super::sim::Sim;

/// All places, told in pauses after each one where `paused`.
fn search(store: &Store, words: &str, paused: bool) -> Vec<Hit> {
    let query = Query::of(words).unwrap();
    let hits = RefCell::new(Vec::new());
    let mut from = None;
    loop {
        let here = Cell::new(0);
        let mut found = |hit| {
            here.set(here.get() + 1);
            hits.borrow_mut().push(hit);
        };
        let search = Search {
            query: &query,
            collection: None,
            found: &mut found,
            enough: &|| paused && here.get() > 0,
        };
        from = store.search(from, search);
        if from.is_none() {
            return hits.into_inner();
        }
    }
}

fn found(store: &Store, words: &str) -> Vec<(Found, String)> {
    let hits = search(store, words, false).into_iter();
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
    let hits = search(&store, "ferry", false);
    assert_eq!((hits[0].text, hits[0].at), (Found::Draft, 4));
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
    let whole = search(&store, "ferry", false);
    assert_eq!(whole.len(), 11);
    assert_eq!(search(&store, "ferry", true), whole);
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
        let hits = search(&store, wanted, false);
        prop_assert!(hits.iter().any(|hit| hit.text == Found::Reply), "{wanted:?} in {text:?}");
    }
}

//! What other programs do to collections while a host runs: seen with no deed of ours, and no half of one is made.

use std::path::Path;

use fascicle::domain::ask::{Busy, Deed, NewSession, NewVariant, Reply, Request, Which};
use fascicle::domain::notice::{Notice, Scope};
use fascicle::domain::{CollectionId, Event, Kind, Row, SessionId, Stage};

use crate::bench::{Bench, next, numbered};
use crate::drafts_typed::{on_disk, put, settle, typed};
use crate::drawer::{collection, moved, shelf, write};

pub(crate) async fn piece(bench: &Bench, collection: &CollectionId) -> SessionId {
    let new = Request::New(NewSession {
        collection: Some(collection.clone()),
        title: Some("Piece".into()),
        agent: None,
        prompt: None,
        recipe: None,
    });
    match bench.client.ask(new).await {
        Reply::Created { session } => session,
        other => panic!("{other:?}"),
    }
}

/// Waits until the windows are told a line that has these words.
async fn banner(bench: &Bench, words: &str) -> String {
    let mut heard = bench.client.attach(Scope::Workspace);
    loop {
        if let Notice::Banner { text } = next(&mut heard, words).await
            && text.contains(words)
        {
            return text;
        }
    }
}

/// How often a session was told that its folder is nowhere.
fn said_lost(events: &[Event]) -> usize {
    let lost = |e: &&Event| match &e.kind {
        Kind::Note { text, .. } => text.contains("nowhere in this workspace"),
        _ => false,
    };
    events.iter().filter(lost).count()
}

fn log(bench: &Bench, collection: &CollectionId, id: SessionId) -> Vec<Event> {
    let path = format!(".fascicle/sessions/{collection}/{id}.jsonl");
    let text = std::fs::read_to_string(bench.root().join(path)).unwrap();
    let events = text.lines().filter_map(|l| serde_json::from_str(l).ok());
    events.collect()
}

fn names(root: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(root).unwrap();
    let names = entries.map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|n| !n.starts_with('.')).collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_program_makes_renames_copies_and_deletes_is_in_the_drawer_with_no_deed() {
    let bench = Bench::new(&numbered(1, 0), "");
    let root = bench.root();
    let id: CollectionId = "letters".parse().unwrap();
    bench.new_session("Anything").await;
    // A folder first, and its file when the folder has been looked at: as sync tools do.
    std::fs::create_dir(root.join("letters")).unwrap();
    std::fs::create_dir(root.join("other")).unwrap();
    std::fs::write(root.join("other/collection.toml"), "id = \"other\"\n").unwrap();
    shelf(&bench, &"other".parse().unwrap(), Some("other")).await;
    std::fs::write(root.join("letters/collection.toml"), "id = \"letters\"\n").unwrap();
    shelf(&bench, &id, Some("letters")).await;
    let session = piece(&bench, &id).await;

    std::fs::create_dir(root.join("a-copy")).unwrap();
    std::fs::copy(
        root.join("letters/collection.toml"),
        root.join("a-copy/collection.toml"),
    )
    .unwrap();
    let said = banner(&bench, "has the same id").await;
    assert!(said.contains("a-copy/collection.toml"), "{said}");
    shelf(&bench, &id, Some("letters")).await;
    std::fs::remove_dir_all(root.join("a-copy")).unwrap();

    std::fs::rename(root.join("letters"), root.join("post")).unwrap();
    shelf(&bench, &id, Some("post")).await;
    bench
        .row(session, "the new place", |row| row.folder == "post/piece")
        .await;
    std::fs::rename(root.join("post"), root.join(".away")).unwrap();
    shelf(&bench, &id, None).await;
    std::fs::rename(root.join(".away"), root.join("back")).unwrap();
    shelf(&bench, &id, Some("back")).await;
    bench
        .row(session, "its place again", |row| row.folder == "back/piece")
        .await;
    assert_eq!(names(&root), ["back", "inbox", "other"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collection_whose_file_is_deleted_stays_in_the_drawer_and_that_is_said_until_it_is_back()
{
    let bench = Bench::new(&numbered(1, 0), "");
    let essays = collection(&bench, "Essays").await;
    piece(&bench, &essays).await;
    let file = bench.root().join("essays/collection.toml");
    let text = std::fs::read(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let said = banner(&bench, "It is gone").await;
    assert!(said.contains("essays/collection.toml"), "{said}");
    shelf(&bench, &essays, Some("essays")).await;
    piece(&bench, &essays).await;
    std::fs::write(&file, text).unwrap();
    let mut heard = bench.client.attach(Scope::Workspace);
    loop {
        match next(&mut heard, "its title").await {
            Notice::Collection(row) if row.id == essays && row.title == "Essays" => return,
            _ => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_stage_is_said_of_a_piece_while_its_collection_is_not_there() {
    let bench = Bench::new(&numbered(1, 0), "");
    let essays = collection(&bench, "Essays").await;
    let session = piece(&bench, &essays).await;
    let stage = Some(Stage::Outline);
    let away = bench.root().with_extension("away");
    std::fs::rename(bench.root().join("essays"), &away).unwrap();
    let refused = |reply| match reply {
        Reply::Refused { why, .. } => why,
        other => panic!("{other:?}"),
    };
    let said = refused(bench.deed(session, Deed::Stage { stage }).await);
    assert!(said.contains("Bring it back, or move the piece"), "{said}");
    std::fs::rename(&away, bench.root().join("essays")).unwrap();
    let file = bench.root().join("essays/collection.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let said = refused(bench.deed(session, Deed::Stage { stage }).await);
    assert!(said.contains("It is gone"), "{said}");
    std::fs::write(&file, text).unwrap();
    let done = bench.deed(session, Deed::Stage { stage }).await;
    assert!(matches!(done, Reply::Done), "{done:?}");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("outline"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rows_of_a_collection_follow_the_agent_that_its_file_names() {
    let bench = Bench::new(&numbered(1, 0), "");
    let id = collection(&bench, "Essays").await;
    let session = piece(&bench, &id).await;
    let begun = bench.row(session, "its row", |_| true).await;
    assert_ne!(begun.agent, "editor");
    let file = bench.root().join("essays/collection.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("agent = \"editor\"\n{text}")).unwrap();
    let named = |row: &Row| row.agent == "editor";
    bench.row(session, "the agent of the file", named).await;
    std::fs::write(&file, text).unwrap();
    let before = |row: &Row| row.agent == begun.agent;
    bench.row(session, "the agent from before", before).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_taken_away_and_made_again_at_once_is_watched_as_before() {
    let bench = Bench::new(&numbered(1, 0), "");
    let essays = collection(&bench, "Essays").await;
    let root = bench.root();
    let file = root.join("essays/collection.toml");
    let mut heard = bench.client.attach(Scope::Workspace);
    // As a change of branches does it.
    for title in ["one", "two", "three"] {
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_dir_all(root.join("essays")).unwrap();
        std::fs::create_dir(root.join("essays")).unwrap();
        std::fs::write(&file, &text).unwrap();
        std::fs::create_dir(root.join(title)).unwrap();
        let other = format!("id = \"{title}\"\n");
        std::fs::write(root.join(title).join("collection.toml"), other).unwrap();
        // All of that has been looked at.
        shelf(&bench, &title.parse().unwrap(), Some(title)).await;
        std::fs::write(
            &file,
            format!("id = \"{essays}\"\ntitle = \"{title} again\"\n"),
        )
        .unwrap();
        loop {
            if let Notice::Collection(row) = next(&mut heard, "its title").await
                && row.title == format!("{title} again")
            {
                break;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_typed_while_the_collection_is_elsewhere_is_written_there() {
    let bench = Bench::new(&numbered(1, 0), "");
    let essays = collection(&bench, "Essays").await;
    let id = piece(&bench, &essays).await;
    write(&bench, id, "Words.").await;
    let base = bench.draft(id).await.1.unwrap();
    let root = bench.root();
    std::fs::rename(root.join("essays"), root.join("letters")).unwrap();
    typed(&bench, id, base, &[put(0, "More. ")]).await;
    settle(&bench, id).await;
    assert_eq!(
        std::fs::read_to_string(root.join("letters/piece/draft.md")).unwrap(),
        "More. Words."
    );
    assert_eq!(names(&root), ["letters"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_typed_while_the_collection_is_nowhere_is_kept_said_once_and_in_the_file_when_it_is_back()
 {
    let bench = Bench::new(&numbered(1, 0), "");
    let essays = collection(&bench, "Essays").await;
    let id = piece(&bench, &essays).await;
    write(&bench, id, "Words.").await;
    let root = bench.root();
    let away = tempfile::tempdir_in(root.parent().unwrap()).unwrap();
    let there = away.path().join("essays");
    std::fs::rename(root.join("essays"), &there).unwrap();
    shelf(&bench, &essays, None).await;
    write(&bench, id, "More. ").await;
    write(&bench, id, "Much more. ").await;
    assert_eq!(names(&root), Vec::<String>::new());
    assert_eq!(said_lost(&log(&bench, &essays, id)), 1);
    // Another host, which has never seen the folder.
    let bench = bench.restarted().await;
    assert_eq!(bench.draft(id).await.0, "Much more. More. Words.");
    write(&bench, id, "Most. ").await;
    assert_eq!(said_lost(&log(&bench, &essays, id)), 2);
    std::fs::rename(&there, root.join("again")).unwrap();
    shelf(&bench, &essays, Some("again")).await;
    bench
        .row(id, "the new place", |row| row.folder == "again/piece")
        .await;
    settle(&bench, id).await;
    assert_eq!(on_disk(&bench, id).await, "Most. Much more. More. Words.");
    assert_eq!(names(&root), ["again"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_whose_collection_was_deleted_moves_to_another_with_all_its_words() {
    let bench = Bench::new(&numbered(1, 0), "");
    let essays = collection(&bench, "Essays").await;
    let letters = collection(&bench, "Letters").await;
    let id = piece(&bench, &essays).await;
    write(&bench, id, "Words.").await;
    std::fs::remove_dir_all(bench.root().join("essays")).unwrap();
    shelf(&bench, &essays, None).await;
    write(&bench, id, "More. ").await;
    assert_eq!(moved(&bench, id, &letters, Busy::Ask).await, Reply::Done);
    bench
        .row(id, "the new place", |row| row.folder == "letters/piece")
        .await;
    settle(&bench, id).await;
    assert_eq!(on_disk(&bench, id).await, "More. Words.");
    assert_eq!(names(&bench.root()), ["letters"]);
    let fork = Request::Fork(NewVariant {
        session: id,
        at: None,
        title: Some("First".into()),
        prompt: None,
    });
    std::fs::remove_dir_all(bench.root().join("letters")).unwrap();
    shelf(&bench, &letters, None).await;
    let told = bench.client.ask(fork).await;
    assert!(
        matches!(&told, Reply::Refused { why, .. } if why.contains("no folder letters")),
        "{told:?}"
    );
    assert_eq!(names(&bench.root()), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_that_is_undone_when_the_old_folder_is_back_leaves_one_folder_and_no_words_of_others()
 {
    let bench = Bench::new(&numbered(1, 0), "");
    let essays = collection(&bench, "Essays").await;
    let letters = collection(&bench, "Letters").await;
    let root = bench.root();
    let away = tempfile::tempdir_in(root.parent().unwrap()).unwrap();
    let there = away.path().join("essays");
    for (by_hand, left) in [(false, vec!["piece"]), (true, vec!["piece-2", "piece-2-2"])] {
        let id = piece(&bench, &essays).await;
        write(&bench, id, "Words.").await;
        std::fs::rename(root.join("essays"), &there).unwrap();
        shelf(&bench, &essays, None).await;
        write(&bench, id, "More. ").await;
        assert_eq!(moved(&bench, id, &letters, Busy::Ask).await, Reply::Done);
        if by_hand {
            std::fs::write(there.join("piece-2/draft.md"), "By hand.").unwrap();
        }
        std::fs::rename(&there, root.join("essays")).unwrap();
        shelf(&bench, &essays, Some("essays")).await;
        assert_eq!(bench.deed(id, Deed::Undo(Which::NEW)).await, Reply::Done);
        assert_eq!(on_disk(&bench, id).await, "More. Words.");
        let mut all = names(&root.join("essays"));
        all.retain(|name| name.starts_with("piece") && (!by_hand || name != "piece"));
        assert_eq!(all, left);
    }
    let by_hand = std::fs::read_to_string(root.join("essays/piece-2/draft.md"));
    assert_eq!(by_hand.unwrap(), "By hand.");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_whose_collection_lies_too_deep_says_where_and_goes_on_when_it_is_back() {
    let bench = Bench::new(&numbered(1, 0), "");
    let essays = collection(&bench, "Essays").await;
    let id = piece(&bench, &essays).await;
    write(&bench, id, "Words.").await;
    let root = bench.root();
    std::fs::create_dir(root.join("archive")).unwrap();
    std::fs::rename(root.join("essays"), root.join("archive/essays")).unwrap();
    shelf(&bench, &essays, None).await;
    write(&bench, id, "More. ").await;
    let said = log(&bench, &essays, id)
        .into_iter()
        .any(|event| match event.kind {
            Kind::Note { text, .. } => text.contains("lies at archive/essays/piece, too deep"),
            _ => false,
        });
    assert!(said, "{:?}", log(&bench, &essays, id).last());
    std::fs::rename(root.join("archive/essays"), root.join("essays")).unwrap();
    shelf(&bench, &essays, Some("essays")).await;
    bench
        .row(id, "its place again", |row| row.folder == "essays/piece")
        .await;
    settle(&bench, id).await;
    assert_eq!(on_disk(&bench, id).await, "More. Words.");
}

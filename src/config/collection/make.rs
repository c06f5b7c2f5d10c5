//! New collections: an id, a folder and a `collection.toml` of their own.

use super::document::write_new;
use super::{Collection, Drawer, FILE, NAME_MAX, one_line};
use crate::config::{ConfigError, Workspace};
use crate::domain::CollectionId;
use crate::text::hash::sha256;
use crate::text::{slug, unmarked};

/// Digits in the id of a title that an id cannot hold.
const HASH: usize = 8;

/// Makes a collection of that title. A folder of its name that is no collection yet becomes this one.
pub fn create(workspace: &Workspace, title: &str) -> Result<Collection, ConfigError> {
    let title = one_line(title);
    let stem = slug(&title, NAME_MAX);
    let root = workspace.root();
    make(workspace, &title, |_| {
        numbered(&stem, |name| {
            let dir = root.join(name);
            let free = match dir.symlink_metadata() {
                Ok(there) => there.is_dir() && !dir.join(FILE).exists(),
                Err(_) => true,
            };
            free && name != "inbox"
        })
    })
}

/// Makes a folder of the workspace that is there a collection of that title.
pub fn of_folder(
    workspace: &Workspace,
    folder: &str,
    title: &str,
) -> Result<Collection, ConfigError> {
    make(workspace, &one_line(title), |_| folder.to_owned())
}

fn make(
    workspace: &Workspace,
    title: &str,
    folder: impl Fn(&Drawer) -> String,
) -> Result<Collection, ConfigError> {
    if title.is_empty() {
        return Err(ConfigError::NoTitle);
    }
    let drawer = Drawer::of(workspace);
    drawer.is_free(title, None)?;
    let plain = id_of(title);
    let id = numbered(&plain, |name| {
        name.parse().is_ok_and(|id| drawer.get(&id).is_none())
    });
    let folder = folder(&drawer);
    let Ok(id) = id.parse::<CollectionId>() else {
        return Err(ConfigError::NoTitle);
    };
    write_new(&workspace.root().join(&folder), &id, title)?;
    Ok(Collection::plain(id, title, &folder))
}

/// The first free name: the stem itself, else with a number behind it.
fn numbered(stem: &str, free: impl Fn(&str) -> bool) -> String {
    let numbers = (2u32..).map(|n| format!("{stem}-{n}"));
    std::iter::once(stem.to_owned())
        .chain(numbers)
        .find(|name| free(name))
        .unwrap_or_default()
}

/// An id for a title: the part of it that an id can hold, letters without their marks; where that is less than half of
/// its letters, as of one in another script, or there are none, a word made from all of it, which is the same for the
/// same title.
fn id_of(title: &str) -> String {
    let name = slug(title, NAME_MAX);
    let plain = |c: &char| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '-';
    let kept: String = unmarked(&name).chars().filter(plain).collect();
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    if letters(title) == 0 || letters(&kept) * 2 < letters(&name) {
        let hash = sha256(title.as_bytes());
        return format!("c-{}", hash.get(..HASH).unwrap_or_default());
    }
    slug(&kept, NAME_MAX)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::super::edit;
    use super::super::tests::workspace;
    use super::*;
    use crate::domain::Change;

    #[test]
    fn odd_titles_make_plain_folders_and_ids_and_come_back_as_they_were() {
        let (_dir, workspace) = workspace(&[]);
        let long = "é".repeat(300);
        for (title, folder, id) in [
            ("Product notes", "product-notes", "product-notes"),
            ("Product: notes", "product-notes-2", "product-notes-2"),
            ("two\nlines\u{1b}[31m", "two-lines-31m", "two-lines-31m"),
            ("🦀🦀", "untitled", "c-3236f8cd"),
            ("🙂", "untitled-2", "c-d06f1525"),
            ("Übung", "übung", "ubung"),
            ("Ça va, Ça\u{327}", "ça-va-ça\u{327}", "ca-va-ca"),
            ("Действие й", "действие-й", "c-cff05f6b"),
            (
                long.as_str(),
                &"é".repeat(30),
                "eeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
            ),
            ("日本の随筆", "日本の随筆", "c-44218fd5"),
            ("水の手紙", "水の手紙", "c-77f9f877"),
            ("../../etc", "etc", "etc"),
            ("In-box", "in-box", "in-box"),
            ("Inbox!", "inbox-2", "inbox-2"),
        ] {
            let made = create(&workspace, title).unwrap();
            assert_eq!((made.folder.as_str(), made.id.as_str()), (folder, id));
            let drawer = Drawer::of(&workspace);
            assert_eq!(drawer.get(&made.id).unwrap(), &made);
        }
        assert!(create(&workspace, " \n ").is_err());
    }

    #[test]
    fn two_long_titles_that_begin_alike_have_words_of_their_own() {
        let long = "水".repeat(60);
        let ids = [format!("{long}の春"), format!("{long}の秋")].map(|title| id_of(&title));
        assert_ne!(ids[0], ids[1]);
        assert_eq!(ids[0], id_of(&format!("{long}の春")));
    }

    #[test]
    fn a_second_collection_of_one_title_is_refused_with_the_place_of_the_first() {
        let (_dir, workspace) = workspace(&[]);
        let first = create(&workspace, "Essays on Water").unwrap();
        let why = |title| create(&workspace, title).unwrap_err().to_string();
        let said = why("essays  on water");
        assert_eq!(
            said,
            "There is a collection \"Essays on Water\" already, in the folder \"essays-on-water\"."
        );
        edit(&workspace, &first, &[Change::Archived(true)]).unwrap();
        assert!(why("Essays on Water").ends_with("`fascicle collection restore` brings it back."));
        assert!(why("Inbox").contains("\"Inbox\" already"));
        assert_eq!(Drawer::of(&workspace).collections.len(), 2);
    }

    #[test]
    fn a_folder_that_is_there_becomes_the_collection_of_its_name() {
        let (dir, workspace) = workspace(&[]);
        std::fs::create_dir(dir.path().join("essays")).unwrap();
        std::fs::write(dir.path().join("essays/old.md"), "old").unwrap();
        assert_eq!(create(&workspace, "Essays").unwrap().folder, "essays");
        assert!(dir.path().join("essays/old.md").exists());
    }
}

//! Looking for collections: which folders of a workspace are some, and which cannot be read.

use std::io;
use std::path::Path;

use super::document::gone;
use super::read::{Found, parse};
use super::{Collection, Drawer, FILE, Problem};
use crate::config::{Workspace, plain};
use crate::domain::CollectionId;

type Known<'a> = &'a dyn Fn(&str) -> Vec<CollectionId>;

/// Folders that may be collections though no file says so.
#[derive(Default)]
struct Left {
    /// With a file that cannot be read, and the id that it seems to name.
    damaged: Vec<(String, Option<CollectionId>)>,
    /// Without one.
    bare: Vec<String>,
}

pub(super) fn drawer(workspace: &Workspace, known: Known<'_>) -> Drawer {
    let mut drawer = Drawer {
        collections: Vec::new(),
        problems: Vec::new(),
    };
    let mut left = Left::default();
    for folder in folders(workspace.root()) {
        look(&mut drawer, &mut left, (workspace, known), folder);
    }
    drawer.problems.extend(links(workspace.root(), known));
    // Behind the others: an id that is only guessed at is nobody else's.
    for (folder, said) in left.damaged {
        let id = known(&folder).into_iter().next().or(said);
        let free = id.filter(|id| drawer.get(id).is_none());
        if let Some(id) = free {
            drawer
                .collections
                .push(Collection::plain(id, &folder, &folder));
        }
    }
    for folder in left.bare {
        without_file(&mut drawer, workspace.root(), known, &folder);
    }
    drawer.collections.sort_by(|a, b| a.folder.cmp(&b.folder));
    if drawer.get(&CollectionId::inbox()).is_none() {
        drawer.collections.push(Collection::inbox());
    }
    let other = other_ids(&drawer, workspace.root(), known);
    drawer.problems.extend(other);
    drawer
}

/// What is said of collections whose id was changed by hand: their sessions are filed under the one before, and are
/// shown in none. So are, where that is written again, those that were begun meanwhile.
fn other_ids(drawer: &Drawer, root: &Path, known: Known<'_>) -> Vec<Problem> {
    let said = |c: &Collection| {
        let filed = known(&c.folder);
        let oldest = filed.first()? == &c.id;
        let lost = |id: &&CollectionId| **id != c.id && drawer.get(id).is_none();
        let was = filed.iter().find(lost)?;
        let folder = root.join(&c.folder);
        // One that is empty may be called anything.
        let mut inner = std::fs::read_dir(&folder).ok()?.filter_map(Result::ok);
        let lies = inner.any(|e| e.file_type().is_ok_and(|t| t.is_dir()));
        let (id, was) = (c.id.as_str(), was.as_str());
        let what = if oldest {
            format!(
                "Sessions in this folder are filed under {was:?}, which no collection has: none shows them. Move each here: `fascicle move SESSION {id}`."
            )
        } else {
            format!(
                "The id here is {id:?}, and the sessions in this folder are filed under {was:?}, which no collection has: none shows them. Write id = {was:?} again."
            )
        };
        lies.then(|| Problem::of(&folder.join(FILE), what))
    };
    drawer.collections.iter().filter_map(said).collect()
}

fn look(
    drawer: &mut Drawer,
    left: &mut Left,
    (workspace, known): (&Workspace, Known<'_>),
    folder: String,
) {
    let path = workspace.root().join(&folder).join(FILE);
    let bytes = match plain::bytes(&path) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return left.bare.push(folder),
        Err(e) => {
            let what = format!("It could not be read: {e}. The collection opens without it.");
            drawer.problems.push(Problem::of(&path, what));
            return left.damaged.push((folder, None));
        }
    };
    let raw = String::from_utf8_lossy(&bytes);
    let (found, problems) = parse(&path, &raw, &folder);
    drawer.problems.extend(problems);
    if let std::borrow::Cow::Owned(_) = raw {
        let what =
            "It is not UTF-8: what cannot be read is shown as �, and nothing is changed in it.";
        drawer.problems.push(Problem::of(&path, what));
    }
    let collection = match found {
        Found::Whole(collection) => collection,
        Found::Damaged(id) => return left.damaged.push((folder, id)),
    };
    let id = collection.id.clone();
    let known_at = |folder: &str| known(folder).contains(&id);
    let Some(first) = drawer.collections.iter_mut().find(|c| c.id == id) else {
        return drawer.collections.push(*collection);
    };
    // A copy takes nobody's place, whatever it is called.
    let (own, copy) = if known_at(&collection.folder) && !known_at(&first.folder) {
        let copy = std::mem::replace(first, *collection).folder;
        (first.folder.clone(), copy)
    } else {
        (first.folder.clone(), collection.folder)
    };
    let what = format!(
        "The folder {own:?} has the same id. A copied collection needs an id of its own: write another one here."
    );
    let path = workspace.root().join(copy).join(FILE);
    drawer.problems.push(Problem::of(&path, what));
}

/// A folder in which sessions of a collection lie and whose file is gone: the collection opens without it.
fn without_file(drawer: &mut Drawer, root: &Path, known: Known<'_>, folder: &str) {
    // The inbox needs none, and one that lies elsewhere by now is there.
    let own = |id: &CollectionId| *id != CollectionId::inbox() && drawer.get(id).is_none();
    let Some(id) = known(folder).into_iter().next().filter(own) else {
        return;
    };
    drawer
        .problems
        .push(gone(&root.join(folder).join(FILE), &id));
    drawer
        .collections
        .push(Collection::plain(id, folder, folder));
}

/// What is said of a link where a collection lay: nothing is read or written through it.
fn links(root: &Path, known: Known<'_>) -> Vec<Problem> {
    let Ok(entries) = std::fs::read_dir(root) else {
        return Vec::new();
    };
    let link = |e: &std::fs::DirEntry| e.file_type().is_ok_and(|t| t.is_symlink());
    let names = entries.filter_map(Result::ok).filter(link);
    let mut names: Vec<String> = names
        .filter_map(|e| e.file_name().into_string().ok())
        .filter(|name| !known(name).is_empty())
        .collect();
    names.sort();
    let what = "It is a link, which is no collection: put the folder itself here.";
    let said = |name: String| Problem::of(&root.join(name), what);
    names.into_iter().map(said).collect()
}

/// The folders of a workspace, sorted, hidden ones and links left out.
pub fn folders(root: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(root) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        .filter(|e| e.file_type().is_ok_and(|t| t.is_dir()))
        .filter_map(|e| e.file_name().into_string().ok())
        .filter(|name| !name.starts_with('.'))
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::super::create;
    use super::super::tests::workspace;
    use super::*;

    fn ids(drawer: &Drawer) -> Vec<&str> {
        drawer.collections.iter().map(|c| c.id.as_str()).collect()
    }

    #[test]
    fn any_folder_with_the_file_is_a_collection_whatever_its_name() {
        let (_dir, workspace) = workspace(&[
            (
                "b 📚",
                "id = \"essays\"\ntitle = \"Essays\"\nagent = \"local\"\nallow = [\"web\"]",
            ),
            ("a", "id = \"fiction\""),
            (".hidden", "id = \"hidden\""),
        ]);
        let drawer = Drawer::of(&workspace);
        assert_eq!(ids(&drawer), ["fiction", "essays", "inbox"]);
        assert_eq!(drawer.collections[0].title, "a");
        let essays = drawer.named("ESSAYS").unwrap();
        assert_eq!(
            (essays.folder.as_str(), essays.agent.as_deref()),
            ("b 📚", Some("local"))
        );
        assert_eq!(essays.rights.allow, ["web"]);
        assert!(drawer.problems.is_empty());
    }

    #[test]
    fn a_broken_file_hides_no_other_collection_and_is_named() {
        let (_dir, workspace) = workspace(&[
            ("a", "id = \"a\"\ntilte = \"A\""),
            ("b", "title = \"no id\""),
            ("c", "= ="),
            ("d", "id = \"a\""),
            ("e", "id = \"../up\""),
            ("f", "id = \"f\"\nallow = [\"shell\"]"),
        ]);
        let drawer = Drawer::of(&workspace);
        assert_eq!(ids(&drawer), ["a", "f", "inbox"]);
        let said: Vec<&str> = drawer.problems.iter().map(|p| p.what.as_str()).collect();
        assert!(said[0].contains("Did you mean \"title\"?"), "{said:?}");
        assert!(said[1].contains("needs an id"), "{said:?}");
        assert!(said[3].contains("same id"), "{said:?}");
        assert!(said[4].contains("An id is"), "{said:?}");
        assert!(said[5].contains("not \"shell\""), "{said:?}");
        assert!(drawer.collections[1].rights.allow.is_empty());
    }

    #[test]
    fn a_damaged_file_opens_its_collection_under_the_id_it_had_and_stays_as_it_is() {
        let torn = "id = \"essays\"\ntitle = \"Essays\"\n[[piece\n";
        let files = [
            ("a", torn),
            ("b", "= ="),
            ("c", "<<<<<<< ours\nid = \"b\"\n=======\n"),
            ("d", "= ="),
        ];
        let (dir, workspace) = workspace(&files);
        let known = |folder: &str| (folder == "b").then(|| "b".parse().unwrap());
        let drawer = Drawer::known(&workspace, known);
        // What nothing is known of is only said; a guess takes nobody's id away.
        assert_eq!(ids(&drawer), ["essays", "b", "inbox"]);
        assert_eq!(drawer.named("a").unwrap().title, "a");
        let said: Vec<String> = drawer.problems.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), 4, "{said:?}");
        assert!(said[0].contains("a/collection.toml:3: "), "{said:?}");
        assert!(said[2].contains("git"), "{said:?}");
        for (folder, text) in files {
            let now = std::fs::read_to_string(dir.path().join(folder).join(FILE)).unwrap();
            assert_eq!(now, text);
        }
    }

    #[test]
    fn a_file_that_is_none_or_too_large_is_named_and_its_collection_is_there() {
        let (dir, workspace) = workspace(&[("a", "id = \"a\""), ("b", "")]);
        let b = dir.path().join("b").join(FILE);
        std::fs::remove_file(&b).unwrap();
        std::fs::create_dir(&b).unwrap();
        let huge = std::fs::File::create(dir.path().join("a").join(FILE)).unwrap();
        huge.set_len(plain::MOST + 1).unwrap();
        let drawer = Drawer::known(&workspace, |folder| folder.parse().ok());
        assert_eq!(ids(&drawer), ["a", "b", "inbox"]);
        assert_eq!(drawer.problems.len(), 2, "{:?}", drawer.problems);
    }

    #[test]
    fn a_file_that_is_gone_is_named_and_its_collection_is_there() {
        let (dir, workspace) = workspace(&[("a", ""), ("moved", "id = \"b\""), ("b", "")]);
        std::fs::create_dir(dir.path().join("notes")).unwrap();
        std::fs::create_dir(dir.path().join("inbox")).unwrap();
        for folder in ["a", "b"] {
            std::fs::remove_file(dir.path().join(folder).join(FILE)).unwrap();
        }
        let known = |folder: &str| (folder != "notes").then(|| folder.parse().unwrap());
        let drawer = Drawer::known(&workspace, known);
        assert_eq!(ids(&drawer), ["a", "b", "inbox"]);
        assert_eq!(drawer.get(&"b".parse().unwrap()).unwrap().folder, "moved");
        let said: Vec<String> = drawer.problems.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(
            said[0].contains("a/collection.toml: It is gone"),
            "{said:?}"
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_said_and_the_rest_is_read() {
        let (dir, workspace) = workspace(&[("a", "")]);
        let file = dir.path().join("a").join(FILE);
        std::fs::write(
            &file,
            b"\xef\xbb\xbfid = \"a\"\r\nabout = \"caf\xe9\"\r\nday = 300\r\n",
        )
        .unwrap();
        let drawer = Drawer::of(&workspace);
        let a = drawer.named("a").unwrap();
        assert_eq!((a.about.as_deref(), a.day), (Some("caf�"), Some(300)));
        assert!(drawer.problems[0].what.contains("not UTF-8"));
    }

    #[test]
    fn an_id_that_was_changed_by_hand_is_said_with_the_one_that_its_sessions_have() {
        let files = [
            ("a", "id = \"new\""),
            ("b", "id = \"other\""),
            ("c", "id = \"b\""),
        ];
        let (dir, workspace) = workspace(&files);
        for folder in ["a", "b", "c"] {
            std::fs::create_dir(dir.path().join(folder).join("01-piece")).unwrap();
        }
        // What lies in `b` belongs to the collection that is in `c` by now.
        let known = |folder: &str| folder.parse().ok();
        let drawer = Drawer::known(&workspace, known);
        let said: Vec<String> = drawer.problems.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].contains("a/collection.toml"), "{said:?}");
        assert!(said[0].ends_with("Write id = \"a\" again."), "{said:?}");
        assert!(said[1].contains("c/collection.toml"), "{said:?}");
        std::fs::remove_dir(dir.path().join("a/01-piece")).unwrap();
        assert_eq!(Drawer::known(&workspace, known).problems.len(), 1);
    }

    #[test]
    fn sessions_that_were_begun_under_another_id_are_said_when_the_first_is_written_again() {
        let (dir, workspace) = workspace(&[("a", "id = \"a\""), ("b", "id = \"b\"")]);
        for folder in ["a", "b"] {
            std::fs::create_dir(dir.path().join(folder).join("01-piece")).unwrap();
        }
        let known = |folder: &str| -> Vec<CollectionId> {
            let meanwhile = if folder == "a" { "new" } else { "a" };
            vec![folder.parse().unwrap(), meanwhile.parse().unwrap()]
        };
        let drawer = Drawer::known(&workspace, known);
        let said: Vec<String> = drawer.problems.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains("a/collection.toml"), "{said:?}");
        assert!(
            said[0].contains("filed under \"new\"")
                && said[0].ends_with("`fascicle move SESSION a`."),
            "{said:?}"
        );
    }

    #[test]
    fn a_copy_takes_nobodys_place_whatever_it_is_called() {
        let (_dir, workspace) = workspace(&[("a-copy", "id = \"a\""), ("water", "id = \"a\"")]);
        let known = |folder: &str| (folder == "water").then(|| "a".parse().unwrap());
        let drawer = Drawer::known(&workspace, known);
        assert_eq!(ids(&drawer), ["a", "inbox"]);
        assert_eq!(drawer.named("a").unwrap().folder, "water");
        let said = drawer.problems[0].to_string();
        assert!(said.contains("a-copy/collection.toml"), "{said}");
        assert!(said.contains("\"water\" has the same id"), "{said}");
    }

    #[cfg(unix)]
    #[test]
    fn a_linked_folder_is_left_alone_and_said_where_a_collection_lay() {
        let (_other, elsewhere) = workspace(&[("a", "id = \"a\"")]);
        let (dir, workspace) = workspace(&[]);
        std::os::unix::fs::symlink(elsewhere.root().join("a"), dir.path().join("a")).unwrap();
        let drawer = Drawer::of(&workspace);
        assert_eq!((ids(&drawer), drawer.problems.len()), (vec!["inbox"], 0));
        let drawer = Drawer::known(&workspace, |folder| folder.parse().ok());
        assert_eq!(ids(&drawer), ["inbox"]);
        let said = drawer.problems[0].to_string();
        assert!(said.contains("/a: It is a link"), "{said}");
        assert_eq!(create(&workspace, "A").unwrap().folder, "a-2");
    }
}

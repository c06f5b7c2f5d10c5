//! Recipes: Markdown files of prompts, read from three places.
//!
//! `---`, limits as `turns: 8`, `---`; `# Title`; words about it; then `## Name` begins each step and its text, up
//! to the next one, is the prompt. Prompts are words and run nothing: a workspace's own need no trust.

mod parse;

use std::path::{Path, PathBuf};

use super::nearest::nearest;
use super::problem::Problem;
use super::{Places, Workspace, plain};
use crate::domain::recipe::Recipe;

pub use parse::parse;

/// Folder of recipes beside a configuration.
const FOLDER: &str = "recipes";
/// Ending of a recipe's file.
const ENDING: &str = "md";
/// Bytes of the largest file that is read: prompts, not books.
const LARGEST: u64 = 1024 * 1024;

/// Those that come with the program.
const BUILT_IN: [(&str, &str); 3] = [
    ("essay", include_str!("../../assets/recipes/essay.md")),
    (
        "line-edit",
        include_str!("../../assets/recipes/line-edit.md"),
    ),
    ("tighten", include_str!("../../assets/recipes/tighten.md")),
];

/// Where a recipe comes from; the nearer place wins over the ones below.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum From {
    /// The workspace's `.fascicle/recipes`.
    Workspace,
    /// The writer's own `recipes`, beside the configuration.
    Own,
    /// The program.
    BuiltIn,
}

impl From {
    /// The place in a word or two.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Workspace => "workspace",
            Self::Own => "own",
            Self::BuiltIn => "built in",
        }
    }
}

/// A recipe that a writer can name.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Its name: the file's, without the ending.
    pub name: String,
    /// Where it comes from.
    pub from: From,
    /// Its file; of one that is built in, only a name.
    pub file: PathBuf,
    /// What is in it, or what is wrong with it.
    pub recipe: Result<Recipe, Vec<Problem>>,
    /// The text of the file as it stands; empty when it could not be read.
    pub text: String,
}

/// All recipes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Recipes {
    /// One for each name, sorted. One that is wrong still stands for its name, so that none runs in its place.
    pub entries: Vec<Entry>,
    /// Folders that could not be read.
    pub problems: Vec<Problem>,
}

impl Recipes {
    /// Reads them: the workspace's, the writer's own, those that are built in.
    pub fn of(places: &Places, workspace: &Workspace) -> Self {
        let mut all = Self::default();
        all.folder(&folder_of(workspace), From::Workspace);
        all.folder(&own_folder(places), From::Own);
        for (name, text) in BUILT_IN {
            let file = Path::new(name).with_extension(ENDING);
            all.put(entry(
                name.to_owned(),
                From::BuiltIn,
                file,
                Ok(text.to_owned()),
            ));
        }
        all.entries.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }

    /// The recipe of that name. An unknown one is told with the nearest.
    pub fn named(&self, name: &str) -> Result<&Entry, String> {
        if let Some(found) = self.entries.iter().find(|e| e.name == name) {
            return Ok(found);
        }
        let names = || self.entries.iter().map(|e| e.name.as_str());
        let way = match nearest(name, names()) {
            Some(near) => format!("Did you mean {near:?}?"),
            None => format!("There are: {}.", names().collect::<Vec<_>>().join(", ")),
        };
        Err(format!("There is no recipe {name:?}. {way}"))
    }

    /// Everything that is wrong with folders and files.
    pub fn wrong(&self) -> impl Iterator<Item = &Problem> {
        let files = self.entries.iter().filter_map(|e| e.recipe.as_ref().err());
        self.problems.iter().chain(files.flatten())
    }

    /// Those that are right, and what is wrong with the others.
    pub fn split(self) -> (Vec<Recipe>, Vec<String>) {
        let wrong = self.wrong().map(Problem::to_string).collect();
        let right = self.entries.into_iter().filter_map(|e| e.recipe.ok());
        (right.collect(), wrong)
    }

    fn folder(&mut self, folder: &Path, from: From) {
        let files = match files(folder) {
            Ok(files) => files,
            Err(e) => {
                let what = format!("The folder could not be read: {e}.");
                return self.problems.push(Problem::of(folder, what));
            }
        };
        for file in files {
            self.put(read_from(&file, from));
        }
    }

    /// Takes one in, unless there is a nearer one of its name.
    fn put(&mut self, new: Entry) {
        if self.entries.iter().all(|e| e.name != new.name) {
            self.entries.push(new);
        }
    }
}

/// The folder of a workspace's recipes. It need not exist.
pub fn folder_of(workspace: &Workspace) -> PathBuf {
    workspace.private().join(FOLDER)
}

/// The folder of the writer's own recipes. It need not exist.
pub fn own_folder(places: &Places) -> PathBuf {
    places.config.with_file_name(FOLDER)
}

/// Reads one file, wherever it lies.
pub fn read(file: &Path) -> Entry {
    read_from(file, From::Own)
}

fn read_from(file: &Path, from: From) -> Entry {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    entry(name.into_owned(), from, file.to_owned(), text_of(file))
}

fn entry(name: String, from: From, file: PathBuf, text: Result<String, String>) -> Entry {
    let recipe = match &text {
        Ok(text) => parse(&file, text).map(|r| titled(r, &name)),
        Err(why) => Err(vec![Problem::of(&file, why.as_str())]),
    };
    Entry {
        name,
        from,
        file,
        recipe,
        text: text.unwrap_or_default(),
    }
}

/// One without a title is called as its file is.
fn titled(recipe: Recipe, name: &str) -> Recipe {
    if recipe.title.is_empty() {
        let title = name.to_owned();
        return Recipe { title, ..recipe };
    }
    recipe
}

fn text_of(file: &Path) -> Result<String, String> {
    let failed = |e: std::io::Error| format!("It could not be read: {e}.");
    let about = std::fs::metadata(file).map_err(failed)?;
    if !about.is_file() {
        // A pipe or a device in its place may never end.
        return Err("It is no plain file.".to_owned());
    }
    if about.len() > LARGEST {
        return Err("It is larger than 1 MiB: a recipe holds prompts.".to_owned());
    }
    plain::utf8(plain::bytes(file).map_err(failed)?)
}

/// The recipes of a folder, sorted; none where there is no folder.
fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    let listed = match std::fs::read_dir(folder) {
        Err(e) if matches!(e.kind(), NotFound | NotADirectory) => return Ok(Vec::new()),
        listed => listed?,
    };
    let mut found = Vec::new();
    for one in listed {
        let path = one?.path();
        let hidden = path
            .file_name()
            .is_none_or(|n| n.as_encoded_bytes().starts_with(b"."));
        if !hidden && path.extension().is_some_and(|e| e == ENDING) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    struct Desk {
        dir: tempfile::TempDir,
        places: Places,
        workspace: Workspace,
    }

    impl Desk {
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            let places = Places::under(dir.path());
            let workspace = Workspace::at(&dir.path().join("words"));
            for folder in [own_folder(&places), folder_of(&workspace)] {
                std::fs::create_dir_all(folder).unwrap();
            }
            Self {
                dir,
                places,
                workspace,
            }
        }

        fn own(&self, name: &str, text: &str) {
            std::fs::write(own_folder(&self.places).join(name), text).unwrap();
        }

        fn here(&self, name: &str, text: &str) {
            std::fs::write(folder_of(&self.workspace).join(name), text).unwrap();
        }

        fn read(&self) -> Recipes {
            Recipes::of(&self.places, &self.workspace)
        }
    }

    fn title(recipes: &Recipes, name: &str) -> String {
        let entry = recipes.named(name).unwrap();
        entry.recipe.as_ref().unwrap().title.clone()
    }

    #[test]
    fn those_that_are_built_in_are_right_and_have_limits() {
        let all = Recipes::of(
            &Places::under(Path::new("/nowhere")),
            &Workspace::at(Path::new("/nowhere")),
        );
        assert_eq!(all.wrong().count(), 0, "{:?}", all.wrong().next());
        assert_eq!(all.entries.len(), BUILT_IN.len());
        let essay = all.named("essay").unwrap().recipe.clone().unwrap();
        let names: Vec<&str> = essay.steps.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["Outline", "Draft", "Critique", "Revise"]);
        for entry in &all.entries {
            let limits = entry.recipe.as_ref().unwrap().limits;
            assert!(limits.turns.is_some(), "{}", entry.name);
        }
    }

    #[test]
    fn of_one_name_the_nearer_one_wins() {
        let desk = Desk::new();
        desk.own("essay.md", "# Mine\n## A\nx");
        desk.own("poem.md", "# My poem\n## A\nx");
        desk.here("poem.md", "# This poem\n## A\nx");
        let all = desk.read();
        assert_eq!(title(&all, "essay"), "Mine");
        assert_eq!(title(&all, "poem"), "This poem");
        assert_eq!(all.named("poem").unwrap().from, From::Workspace);
        assert_eq!(all.named("tighten").unwrap().from, From::BuiltIn);
    }

    #[test]
    fn a_file_that_is_wrong_is_named_and_hides_no_other() {
        let desk = Desk::new();
        desk.own("bad.md", "# Bad\n");
        desk.own("bytes.md", "");
        let bytes = own_folder(&desk.places).join("bytes.md");
        std::fs::write(&bytes, b"# \xff").unwrap();
        std::fs::create_dir(own_folder(&desk.places).join("folder.md")).unwrap();
        desk.own("good.md", "## A\nx");
        desk.own("notes.txt", "no recipe");
        desk.own(".hidden.md", "no recipe");
        let all = desk.read();
        let wrong: Vec<String> = all.wrong().map(Problem::to_string).collect();
        assert_eq!(wrong.len(), 3, "{wrong:?}");
        assert!(
            wrong
                .iter()
                .any(|w| w.contains("bad.md") && w.contains("no step"))
        );
        assert!(wrong.iter().any(|w| w.contains("not UTF-8 from byte 2")));
        assert!(wrong.iter().any(|w| w.contains("no plain file")));
        assert_eq!(title(&all, "good"), "good", "named as its file");
        assert_eq!(all.entries.len(), 4 + BUILT_IN.len());
        drop(desk.dir);
    }

    #[test]
    fn an_unknown_name_is_told_with_the_nearest() {
        let all = Desk::new().read();
        assert!(
            all.named("esay")
                .unwrap_err()
                .contains("Did you mean \"essay\"?")
        );
        assert!(
            all.named("zzzzzzzzz")
                .unwrap_err()
                .contains("There are: essay, ")
        );
    }
}

//! Reading the files of a brief: only text, only from the workspace, and never another collection's memory.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use super::include::Expander;
use super::lines::filled;
use super::{Part, Place, SPECS, Spec};
use crate::config::collection;
use crate::text::{revealed, size};

/// Bytes of a file that are read at most: far more than a brief has room for.
const READ_MAX: u64 = 1024 * 1024;
/// The folder of the workspace that is not the writer's.
const PRIVATE: &str = ".fascicle";
/// Files that never leave their collection.
const KEPT: [&str; 2] = ["memory.md", "profile.md"];

/// Why a file of another collection is not read.
pub(super) const ELSEWHERE: &str = "belongs to another collection, and stays there";

/// What a brief is made of, as far as it lies in files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Gathered {
    /// The files there are, in the order of the brief.
    pub sources: Vec<Source>,
    /// What could not be read, and why: whole sentences.
    pub problems: Vec<String>,
}

/// A file of a brief.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Which part it is.
    pub part: Part,
    /// The file, relative to the workspace with `/`.
    pub path: String,
    /// Its text, with that of the files it names; lines end in `\n`.
    pub text: String,
    /// Bytes of it that were not read.
    pub unread: u64,
}

impl Gathered {
    /// The text of a part; empty where there is none.
    pub fn text(&self, part: Part) -> &str {
        let found = self.sources.iter().find(|s| s.part == part);
        found.map_or("", |source| &source.text)
    }
}

/// Reads the files of a brief. `folder` is the collection's, relative to the workspace; none where it has no folder.
pub fn gather(root: &Path, folder: Option<&str>) -> Gathered {
    let mut out = Gathered::default();
    let Ok(real) = root.canonicalize() else {
        let what = format!("The workspace {} could not be read.", root.display());
        out.problems.push(what);
        return out;
    };
    let ground = Ground {
        collection: folder.map(|f| real.join(f)),
        real,
    };
    for spec in &SPECS {
        let found = first(&ground, spec, folder, &mut out.problems);
        out.sources.extend(found);
    }
    out
}

/// The first file of a part that is there and says something; else one that is there.
fn first(
    ground: &Ground,
    spec: &Spec,
    folder: Option<&str>,
    problems: &mut Vec<String>,
) -> Option<Source> {
    let dir = match spec.place {
        Place::Workspace => String::new(),
        Place::Collection => format!("{}/", folder?),
    };
    let mut empty = None;
    for name in spec.files {
        let path = format!("{dir}{name}");
        match ground.load(&ground.real.join(&path)) {
            Ok(None) => {}
            Ok(Some(loaded)) if loaded.text.trim().is_empty() => {
                empty.get_or_insert(Source {
                    part: spec.part,
                    path,
                    text: loaded.text,
                    unread: loaded.unread,
                });
            }
            Ok(Some(loaded)) => {
                if loaded.odd {
                    problems.push(not_utf8(&path));
                }
                let unread = loaded.unread;
                let mut text = Expander::new(ground, spec.part, problems).expand(loaded, &path);
                if spec.part == Part::Memory {
                    text = filled(&text);
                }
                return Some(Source {
                    part: spec.part,
                    path,
                    text,
                    unread,
                });
            }
            Err(why) => {
                problems.push(format!("{} {why}; it is not sent.", revealed(&path)));
                return None;
            }
        }
    }
    empty
}

/// What is said of a file with bytes that are no text.
pub(super) fn not_utf8(path: &str) -> String {
    let path = revealed(path);
    format!("{path} has bytes that are not UTF-8; they are sent as �.")
}

/// Where files may be read.
pub(super) struct Ground {
    /// The workspace, its links resolved.
    pub(super) real: PathBuf,
    /// The collection's folder.
    collection: Option<PathBuf>,
}

/// A file that was read.
pub(super) struct Loaded {
    /// Where it really lies.
    pub(super) real: PathBuf,
    /// Its text.
    pub(super) text: String,
    /// It has bytes that are not UTF-8.
    pub(super) odd: bool,
    /// Bytes that were not read.
    pub(super) unread: u64,
}

impl Ground {
    /// Reads a file. None where there is none; a clause where it may not or cannot be read.
    pub(super) fn load(&self, path: &Path) -> Result<Option<Loaded>, String> {
        let real = match path.canonicalize() {
            Ok(real) => real,
            Err(e) if is_absent(&e) && path.is_symlink() => {
                return Err("is a link that leads nowhere".to_owned());
            }
            Err(e) if is_absent(&e) => return Ok(None),
            Err(e) => return Err(format!("could not be read ({e})")),
        };
        if let Some(why) = self.forbids(&real) {
            return Err(why.to_owned());
        }
        read(real).map(Some)
    }

    /// Why a file may not be read; none when it may.
    fn forbids(&self, real: &Path) -> Option<&'static str> {
        let Ok(inside) = real.strip_prefix(&self.real) else {
            return Some("leads out of the workspace");
        };
        if inside.starts_with(PRIVATE) {
            return Some("lies in the folder .fascicle");
        }
        let name = inside.file_name()?.to_string_lossy().to_lowercase();
        let folder = real.parent();
        let elsewhere = folder != Some(&self.real) && folder != self.collection.as_deref();
        (elsewhere && KEPT.contains(&name.as_str())).then_some(ELSEWHERE)
    }

    /// Whether a file lies in the folder of another collection.
    pub(super) fn is_others(&self, real: &Path) -> bool {
        let inside = real.strip_prefix(&self.real).ok();
        let Some(first) = inside.and_then(|inside| inside.iter().next()) else {
            return false;
        };
        let folder = self.real.join(first);
        self.collection.as_ref() != Some(&folder) && folder.join(collection::FILE).is_file()
    }

    /// A path as it is shown: relative to the workspace, with `/`.
    pub(super) fn shown(&self, real: &Path) -> String {
        let inside = real.strip_prefix(&self.real).unwrap_or(real);
        let names: Vec<_> = inside.iter().map(|name| name.to_string_lossy()).collect();
        names.join("/")
    }
}

/// Nothing is there: also where a part of the path is a file, or no name of a file at all.
fn is_absent(e: &std::io::Error) -> bool {
    matches!(
        e.kind(),
        ErrorKind::NotFound
            | ErrorKind::NotADirectory
            | ErrorKind::InvalidInput
            | ErrorKind::InvalidFilename
    )
}

fn read(real: PathBuf) -> Result<Loaded, String> {
    let failed = |e: std::io::Error| format!("could not be read ({e})");
    let about = real.metadata().map_err(failed)?;
    // A pipe would be waited for without end.
    if !about.is_file() {
        return Err("is no file".to_owned());
    }
    let mut bytes = Vec::new();
    let file = File::open(&real).map_err(failed)?;
    file.take(READ_MAX)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if is_binary(&bytes) {
        return Err(format!("is no text ({})", size(about.len())));
    }
    let unread = about.len().saturating_sub(bytes.len() as u64);
    if unread > 0 {
        to_whole_letter(&mut bytes);
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(Loaded {
        odd: matches!(text, std::borrow::Cow::Owned(_)),
        text: plain(&text),
        real,
        unread,
    })
}

/// Whether bytes are no text: a zero is among them, or more than a third of the signs cannot be read. What another encoding
/// than UTF-8 makes of a few accents is a text.
fn is_binary(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let odd = |c: &char| *c == '\u{fffd}' || c.is_control() && !c.is_whitespace() && *c != '\x1b';
    bytes.contains(&0) || text.chars().filter(odd).count() * 3 > text.chars().count()
}

/// Takes away the beginning of a letter whose end was not read.
fn to_whole_letter(bytes: &mut Vec<u8>) {
    let tail = bytes.len().saturating_sub(4);
    let last = bytes
        .iter()
        .enumerate()
        .skip(tail)
        .rfind(|(_, b)| **b >= 0xC0);
    if let Some((at, _)) = last
        && bytes
            .get(at..)
            .is_some_and(|rest| std::str::from_utf8(rest).is_err())
    {
        bytes.truncate(at);
    }
}

/// Without a byte order mark, with lines that end in `\n`.
fn plain(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.replace("\r\n", "\n").replace('\r', "\n")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    fn workspace(files: &[(&str, &[u8])]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (path, bytes) in files {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        dir
    }

    fn link(dir: &tempfile::TempDir, to: &Path, name: &str) {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(to, path).unwrap();
    }

    /// What is gathered for the collection `essays`.
    fn essays(dir: &tempfile::TempDir) -> Gathered {
        gather(dir.path(), Some("essays"))
    }

    #[test]
    fn without_files_there_is_nothing_and_no_problem() {
        let dir = workspace(&[("fiction/MEMORY.md", b"not this one")]);
        assert_eq!(essays(&dir), Gathered::default());
        assert_eq!(gather(dir.path(), None), Gathered::default());
    }

    #[test]
    fn a_file_of_rules_that_says_nothing_leaves_the_word_to_the_next_one() {
        let dir = workspace(&[("CLAUDE.md", b" \n"), ("AGENTS.md", b"agents")]);
        let found = essays(&dir);
        assert_eq!(found.text(Part::WorkspaceRules), "agents");
        std::fs::remove_file(dir.path().join("AGENTS.md")).unwrap();
        let found = essays(&dir);
        assert_eq!(found.sources[0].path, "CLAUDE.md");
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_also_without_a_zero_among_them() {
        let odd: Vec<u8> = (1..=255).collect();
        let dir = workspace(&[
            ("CLAUDE.md", &odd),
            (
                "VOICE.md",
                b"Un caf\xe9, deux caf\xe9s, trois caf\xe9s de la gare.",
            ),
        ]);
        let found = essays(&dir);
        assert_eq!(found.text(Part::WorkspaceRules), "");
        assert!(found.text(Part::Voice).starts_with("Un caf\u{fffd}"));
        let said = &found.problems[0];
        assert!(said.contains("CLAUDE.md is no text (255 B)"), "{said}");
    }

    #[test]
    fn rules_are_read_from_one_file_and_the_rest_from_its_own() {
        let dir = workspace(&[
            ("AGENTS.md", b"agents"),
            ("CLAUDE.md", b"claude"),
            ("VOICE.md", b"voice"),
            ("essays/AGENTS.md", b"ours"),
            ("essays/PROFILE.md", b"profile"),
            ("essays/MEMORY.md", b"memory"),
            ("fiction/MEMORY.md", b"theirs"),
        ]);
        let found = essays(&dir);
        let sources: Vec<_> = found
            .sources
            .iter()
            .map(|s| (s.path.as_str(), s.text.as_str()))
            .collect();
        let want = [
            ("CLAUDE.md", "claude"),
            ("essays/AGENTS.md", "ours"),
            ("VOICE.md", "voice"),
            ("essays/PROFILE.md", "profile"),
            ("essays/MEMORY.md", "memory"),
        ];
        assert_eq!(sources, want);
        assert_eq!(found.text(Part::Voice), "voice");
        assert!(found.problems.is_empty());
    }

    #[test]
    fn line_ends_and_marks_of_other_systems_are_those_of_this_one() {
        let dir = workspace(&[("essays/MEMORY.md", "\u{feff}a\r\nb\rc".as_bytes())]);
        assert_eq!(essays(&dir).text(Part::Memory), "a\nb\nc");
    }

    #[test]
    fn what_is_no_text_is_refused_and_odd_bytes_are_said() {
        let dir = workspace(&[
            ("VOICE.md", b"GIF89a\0\0"),
            ("essays/MEMORY.md", b"caf\xe9 here"),
        ]);
        let found = essays(&dir);
        assert_eq!(found.text(Part::Voice), "");
        assert_eq!(found.text(Part::Memory), "caf\u{fffd} here");
        let want = [
            "VOICE.md is no text (8 B); it is not sent.",
            "essays/MEMORY.md has bytes that are not UTF-8; they are sent as \u{fffd}.",
        ];
        assert_eq!(found.problems, want);
    }

    #[test]
    fn of_a_huge_file_the_beginning_is_read_and_the_rest_is_counted() {
        let size = 5 * 1024 * 1024;
        let dir = workspace(&[("essays/MEMORY.md", &"é".repeat(size / 2).into_bytes())]);
        let found = essays(&dir);
        let memory = found.sources.first().unwrap();
        assert_eq!(memory.text.len() as u64 + memory.unread, size as u64);
        assert!(memory.text.chars().all(|c| c == 'é'));
        assert!(found.problems.is_empty(), "{:?}", found.problems);
    }

    #[test]
    fn a_link_may_lead_to_another_file_of_the_workspace_and_nowhere_else() {
        let outside = workspace(&[("secret.md", b"secret")]);
        let dir = workspace(&[
            ("AGENTS.md", b"rules"),
            ("fiction/MEMORY.md", b"theirs"),
            (".fascicle/x", b"log"),
        ]);
        link(&dir, &outside.path().join("secret.md"), "VOICE.md");
        link(&dir, Path::new("AGENTS.md"), "CLAUDE.md");
        link(&dir, Path::new("../fiction/MEMORY.md"), "essays/MEMORY.md");
        link(&dir, Path::new("../.fascicle/x"), "essays/PROFILE.md");
        link(&dir, Path::new("gone.md"), "essays/CLAUDE.md");
        let found = essays(&dir);
        assert_eq!(found.sources.len(), 1);
        assert_eq!(found.text(Part::WorkspaceRules), "rules");
        let want = [
            "essays/CLAUDE.md is a link that leads nowhere; it is not sent.",
            "VOICE.md leads out of the workspace; it is not sent.",
            "essays/PROFILE.md lies in the folder .fascicle; it is not sent.",
            "essays/MEMORY.md belongs to another collection, and stays there; it is not sent.",
        ];
        assert_eq!(found.problems, want);
    }

    #[test]
    fn a_named_file_comes_in_the_place_of_its_line_or_behind_the_text_with_the_sentence() {
        let dir = workspace(&[
            ("essays/CLAUDE.md", b"# Style\n@style.md\n# Names\nSee @names/all.md, please.\n```\n@code.md\n```\n`@code.md` mail@x.md @ilse"),
            ("essays/style.md", b"Short.\n"),
            ("essays/names/all.md", b"Ilse\n@more.md"),
            ("essays/names/more.md", b"Tom"),
            ("essays/code.md", b"no"),
        ]);
        let found = essays(&dir);
        assert_eq!(
            found.text(Part::CollectionRules),
            "# Style\nShort.\n# Names\nSee @names/all.md, please.\n```\n@code.md\n```\n`@code.md` mail@x.md @ilse\n\n[essays/names/all.md]\n\nIlse\nTom"
        );
        assert!(found.problems.is_empty(), "{:?}", found.problems);
    }

    #[test]
    fn a_name_that_leads_out_or_nowhere_stays_words_and_is_said_with_its_line() {
        let outside = workspace(&[("secret.md", b"secret")]);
        let secret = outside.path().join("secret.md");
        let rules = format!(
            "@{}\n@../../secret.md\n@~/secret.md\n@gone.md\n@out.md\n@../.fascicle/x\n@../fiction/MEMORY.md\n@.",
            secret.display()
        );
        let dir = workspace(&[
            ("essays/CLAUDE.md", rules.as_bytes()),
            ("fiction/MEMORY.md", b"theirs"),
            (".fascicle/x", b"log"),
        ]);
        link(&dir, &secret, "essays/out.md");
        let found = essays(&dir);
        assert_eq!(found.text(Part::CollectionRules), rules);
        let said: Vec<_> = found
            .problems
            .iter()
            .map(|p| p.split_once(": ").unwrap())
            .collect();
        let whys = [
            "leads out",
            "is not there",
            "leads out",
            "is not there",
            "leads out",
            "lies in the folder",
            "belongs to another",
        ];
        assert_eq!(said.len(), whys.len(), "{said:?}");
        for (n, ((at, what), why)) in said.iter().zip(whys).enumerate() {
            assert_eq!(*at, format!("essays/CLAUDE.md, line {}", n + 1));
            assert!(
                what.contains(why) && what.ends_with("; it is not sent."),
                "{what}"
            );
        }
    }

    #[test]
    fn a_collection_takes_in_nothing_of_another_one_and_the_workspace_may() {
        let dir = workspace(&[
            ("CLAUDE.md", b"@fiction/style.md"),
            ("shared.md", b"Shared"),
            ("notes/plain.md", b"Plain"),
            ("fiction/collection.toml", b"id = \"fiction\"\n"),
            ("fiction/style.md", b"Theirs"),
            ("essays/collection.toml", b"id = \"essays\"\n"),
            ("essays/own.md", b"Own"),
            (
                "essays/PROFILE.md",
                b"@own.md\n@../shared.md\n@../notes/plain.md\n@../fiction/style.md\n@lent.md",
            ),
        ]);
        link(&dir, Path::new("../fiction/style.md"), "essays/lent.md");
        let found = essays(&dir);
        assert_eq!(found.text(Part::WorkspaceRules), "Theirs");
        assert_eq!(
            found.text(Part::Profile),
            "Own\nShared\nPlain\n@../fiction/style.md\n@lent.md"
        );
        let want = ["line 4: @../fiction/style.md", "line 5: @lent.md"].map(|at| {
            format!("essays/PROFILE.md, {at} belongs to another collection, and stays there; it is not sent.")
        });
        assert_eq!(found.problems, want);
    }

    #[test]
    fn a_line_that_came_from_a_proposal_stays_words() {
        let memory = "- See @notes.md *(One, 2026-11-30)*\n- @more.md";
        let dir = workspace(&[
            ("essays/MEMORY.md", memory.as_bytes()),
            ("essays/notes.md", b"Notes"),
            ("essays/more.md", b"More"),
        ]);
        let found = essays(&dir);
        assert_eq!(
            found.text(Part::Memory),
            format!("{memory}\n\n[essays/more.md]\n\nMore")
        );
        assert!(found.problems.is_empty(), "{:?}", found.problems);
    }

    #[test]
    fn headings_of_the_memory_with_nothing_below_them_are_not_sent() {
        for (memory, sent) in [
            ("# Memory\n\n## Terms\n", ""),
            (
                "# Memory\n\n## Names\n\n- Ilse\n\n## Terms\n\n",
                "# Memory\n\n## Names\n\n- Ilse",
            ),
            (
                "# Memory\n\n## Terms\n\n### Deep\n\n## Names\n\n- Ilse\n",
                "# Memory\n\n## Names\n\n- Ilse",
            ),
            ("# Memory\n\n## Names\n\n## Archive\n\n- old\n", ""),
        ] {
            let dir = workspace(&[("essays/MEMORY.md", memory.as_bytes())]);
            assert_eq!(essays(&dir).text(Part::Memory).trim_end(), sent);
        }
    }

    #[test]
    fn a_circle_and_a_chain_of_names_end_and_are_said_and_one_file_comes_once() {
        let dir = workspace(&[
            ("CLAUDE.md", b"@a.md\n@a.md\nend"),
            ("a.md", b"A\n@b.md"),
            ("b.md", b"B\n@a.md"),
            ("essays/CLAUDE.md", b"0\n@1.md"),
            ("essays/1.md", b"1\n@2.md"),
            ("essays/2.md", b"2\n@3.md"),
            ("essays/3.md", b"3\n@4.md"),
            ("essays/4.md", b"4\n@5.md"),
            ("essays/5.md", b"5\n@6.md"),
            ("essays/6.md", b"6"),
        ]);
        let found = essays(&dir);
        assert_eq!(found.text(Part::WorkspaceRules), "A\nB\n@a.md\n\nend");
        assert_eq!(found.text(Part::CollectionRules), "0\n1\n2\n3\n4\n5\n@6.md");
        let want = [
            "b.md, line 2: @a.md names the file that names it; it is not sent.",
            "essays/5.md, line 2: @6.md is named too deep: 5 files below each other are read; it is not sent.",
        ];
        assert_eq!(found.problems, want);
    }

    #[test]
    fn an_archive_of_the_memory_is_not_sent_and_what_it_names_is_not_read() {
        let text = b"# Memory\n- here\n\n## Archive\n@gone.md\n- old\n\n## Terms\n- there";
        let dir = workspace(&[
            ("essays/MEMORY.md", text),
            ("essays/PROFILE.md", b"# Archive\nstays"),
        ]);
        let found = essays(&dir);
        assert_eq!(
            found.text(Part::Memory),
            "# Memory\n- here\n\n## Terms\n- there"
        );
        assert_eq!(found.text(Part::Profile), "# Archive\nstays");
        assert!(found.problems.is_empty(), "{:?}", found.problems);
    }
}

//! Files that name other files: `@path`, relative to the file that names it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::Part;
use super::conflict::Conflicts;
use super::files::{ELSEWHERE, Ground, Loaded, not_utf8};
use super::lines::{Named, archived, lines, named};
use crate::memory::file::source;
use crate::text::revealed;

/// How deep files may name files: as in Claude Code.
const DEEPEST: usize = 5;
/// Bytes that the files of one part may have together.
const TOGETHER: usize = 1024 * 1024;

/// Puts the texts of named files where they are named.
pub(super) struct Expander<'a> {
    ground: &'a Ground,
    part: Part,
    problems: &'a mut Vec<String>,
    /// The files that are being read, each named by the one before.
    open: Vec<PathBuf>,
    /// The files whose text is there.
    taken: HashSet<PathBuf>,
    /// Bytes taken so far.
    bytes: usize,
}

/// What became of a named file.
enum Found {
    /// Its text comes here.
    Text(String, String),
    /// It is there already.
    Nothing,
    /// The name stays as words: it is that of no file, or of one that may not be sent.
    Words,
}

impl<'a> Expander<'a> {
    pub(super) fn new(ground: &'a Ground, part: Part, problems: &'a mut Vec<String>) -> Self {
        Self {
            ground,
            part,
            problems,
            open: Vec::new(),
            taken: HashSet::new(),
            bytes: 0,
        }
    }

    /// The text of a file with the texts it names: in the place of a line that is only a name, else behind its own
    /// text, so that a sentence with a name in it stays one.
    pub(super) fn expand(&mut self, file: Loaded, shown: &str) -> String {
        self.bytes += file.text.len();
        self.taken.insert(file.real.clone());
        self.open.push(file.real);
        let all = lines(&file.text);
        let conflicts = Conflicts::of(&all);
        self.problems.extend(conflicts.told(shown));
        let kept = archived(&all)
            .into_iter()
            .zip(conflicts.left_out)
            .map(|(gone, mark)| !(mark || gone && self.part == Part::Memory));
        let kept: Vec<bool> = kept.collect();
        let (mut own, mut behind) = (Vec::new(), Vec::new());
        for (n, (line, _)) in all
            .iter()
            .zip(&kept)
            .enumerate()
            .filter(|(_, (_, kept))| **kept)
        {
            let names = if line.code || self.is_proposed(line.text) {
                Vec::new()
            } else {
                named(line.text)
            };
            let mut replaced = None;
            for name in names {
                match self.take(&name, (shown, n + 1)) {
                    Found::Text(_, text) if name.alone => replaced = Some(text),
                    Found::Text(path, text) => behind.push(format!("[{path}]\n\n{text}")),
                    Found::Nothing if name.alone => replaced = Some(String::new()),
                    Found::Nothing | Found::Words => {}
                }
            }
            own.push(replaced.unwrap_or_else(|| line.text.to_owned()));
        }
        self.open.pop();
        let mut text = own.join("\n");
        for more in behind {
            text = format!("{}\n\n{more}", text.trim_end());
        }
        text
    }

    /// Whether a line was an agent's proposal: the file it names was never the writer's to name.
    fn is_proposed(&self, line: &str) -> bool {
        self.part == Part::Memory && source(line).1.is_some()
    }

    /// Takes a file in that a line names.
    fn take(&mut self, name: &Named, at: (&str, usize)) -> Found {
        let dir = self.open.last().and_then(|file| file.parent());
        let path = dir.unwrap_or(&self.ground.real).join(&name.path);
        // It is never looked for: a home folder lies outside, or is the workspace itself.
        if name.path.starts_with("~/") {
            return self.wrong(name, at, "leads out of the workspace");
        }
        match self.ground.load(&path) {
            Ok(Some(loaded))
                if self.part.is_collections() && self.ground.is_others(&loaded.real) =>
            {
                self.wrong(name, at, ELSEWHERE)
            }
            Ok(Some(loaded)) => self.admit(name, at, loaded),
            // `@ilse` is a person.
            Ok(None) if !is_path(&name.path) => Found::Words,
            Ok(None) => self.wrong(name, at, "is not there"),
            Err(why) => self.wrong(name, at, &why),
        }
    }

    fn admit(&mut self, name: &Named, at: (&str, usize), loaded: Loaded) -> Found {
        if self.open.contains(&loaded.real) {
            return self.wrong(name, at, "names the file that names it");
        }
        if self.taken.contains(&loaded.real) {
            return Found::Nothing;
        }
        if self.open.len() > DEEPEST {
            return self.wrong(
                name,
                at,
                "is named too deep: 5 files below each other are read",
            );
        }
        if loaded.unread > 0 || self.bytes + loaded.text.len() > TOGETHER {
            return self.wrong(name, at, "is too long");
        }
        let shown = self.ground.shown(&loaded.real);
        if loaded.odd {
            self.problems.push(not_utf8(&shown));
        }
        let text = self.expand(loaded, &shown);
        Found::Text(revealed(&shown), text.trim_matches('\n').to_owned())
    }

    fn wrong(&mut self, name: &Named, (file, line): (&str, usize), why: &str) -> Found {
        let (file, path) = (revealed(file), revealed(&name.path));
        let what = format!("{file}, line {line}: @{path} {why}; it is not sent.");
        if !self.problems.contains(&what) {
            self.problems.push(what);
        }
        Found::Words
    }
}

/// Whether a word looks like the name of a file, not like that of a person.
fn is_path(word: &str) -> bool {
    word.contains('/') || Path::new(word).extension().is_some()
}

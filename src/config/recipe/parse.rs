//! One file of a recipe: its limits, its title, its steps; each mistake with its line.

use std::path::Path;

use crate::config::file::unknown;
use crate::config::problem::Problem;
use crate::domain::recipe::{Limits, Recipe, Step};

/// The line before and behind the limits.
const RULE: &str = "---";
/// What can be limited.
const LIMITS: [&str; 3] = ["turns", "tokens", "usd"];

/// Takes a recipe's text apart. One without a title has an empty one.
pub fn parse(file: &Path, text: &str) -> Result<Recipe, Vec<Problem>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader {
        file,
        problems: Vec::new(),
        recipe: Recipe::default(),
        begun: Vec::new(),
        fence: None,
    };
    let mut lines = (1..).zip(text.lines());
    if text.lines().next().is_some_and(|l| l.trim_end() == RULE) {
        lines.next();
        reader.limits(&mut lines);
    }
    for (n, line) in lines {
        reader.line(n, line);
    }
    reader.end()
}

struct Reader<'a> {
    file: &'a Path,
    problems: Vec<Problem>,
    recipe: Recipe,
    /// The line where each step begins.
    begun: Vec<usize>,
    /// The fence of a block of code that is open: what looks like a heading in it is none.
    fence: Option<&'static str>,
}

impl Reader<'_> {
    fn wrong(&mut self, line: usize, what: String) {
        self.problems.push(Problem {
            file: self.file.to_owned(),
            line: Some(line),
            what,
        });
    }

    fn limits<'t>(&mut self, lines: &mut impl Iterator<Item = (usize, &'t str)>) {
        let mut seen: Vec<&str> = Vec::new();
        for (n, line) in lines.by_ref() {
            let line = line.trim();
            if line == RULE {
                return;
            }
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let Some((name, value)) = line.split_once(':') else {
                self.wrong(n, "A limit is written as `turns: 8`.".to_owned());
                continue;
            };
            let (name, value) = (name.trim(), value.trim());
            if seen.contains(&name) {
                self.wrong(n, format!("{name} is set twice."));
            } else if let Err(what) = limit(&mut self.recipe.limits, name, value) {
                self.wrong(n, what);
            }
            seen.push(name);
        }
        let what = format!("The limits have no end: write `{RULE}` behind the last one.");
        self.wrong(1, what);
    }

    fn line(&mut self, n: usize, line: &str) {
        if self.is_code(line) {
            return self.text(line);
        }
        if let Some(name) = heading(line, "##") {
            if name.is_empty() {
                self.wrong(n, "A step needs a name: write `## Name`.".to_owned());
            }
            self.begun.push(n);
            let (name, text) = (name.to_owned(), String::new());
            return self.recipe.steps.push(Step { name, text });
        }
        match heading(line, "#").filter(|_| self.recipe.steps.is_empty()) {
            Some(title) if self.recipe.title.is_empty() => title.clone_into(&mut self.recipe.title),
            Some(_) => self.wrong(
                n,
                "A recipe has one title; a step begins with `##`.".to_owned(),
            ),
            None => self.text(line),
        }
    }

    /// Whether a line is the fence of a block of code, or in one.
    fn is_code(&mut self, line: &str) -> bool {
        let line = line.trim_start();
        let fence = ["```", "~~~"].into_iter().find(|f| line.starts_with(f));
        match (self.fence, fence) {
            (None, None) => return false,
            (None, Some(open)) => self.fence = Some(open),
            (Some(open), Some(close)) if open == close => self.fence = None,
            (Some(_), _) => {}
        }
        true
    }

    /// A line of a prompt; before the first step it tells about the recipe.
    fn text(&mut self, line: &str) {
        if let Some(step) = self.recipe.steps.last_mut() {
            step.text.push_str(line);
            step.text.push('\n');
        }
    }

    fn end(mut self) -> Result<Recipe, Vec<Problem>> {
        if self.recipe.steps.is_empty() {
            let what = "It has no step. A step begins with `## Name`; what follows is its prompt.";
            self.wrong(1, what.to_owned());
        }
        for step in &mut self.recipe.steps {
            step.text = step.text.trim().to_owned();
        }
        let steps = self.begun.iter().zip(&self.recipe.steps);
        let empty: Vec<(usize, String)> = steps
            .filter(|(_, step)| step.text.is_empty())
            .map(|(n, step)| (*n, step.name.clone()))
            .collect();
        for (n, name) in empty {
            self.wrong(
                n,
                format!("The step {name:?} has no text: its prompt goes below it."),
            );
        }
        self.problems.sort_by_key(|p| p.line);
        if self.problems.is_empty() {
            Ok(self.recipe)
        } else {
            Err(self.problems)
        }
    }
}

/// The words of a heading of exactly that level; hashes that close it are left out.
fn heading<'t>(line: &'t str, level: &str) -> Option<&'t str> {
    let words = line.trim_end().strip_prefix(level)?;
    let is_one = words.is_empty() || words.starts_with([' ', '\t']);
    is_one.then(|| words.trim_end_matches('#').trim())
}

fn limit(limits: &mut Limits, name: &str, value: &str) -> Result<(), String> {
    match name {
        "turns" => {
            let turns = value.parse().ok().filter(|n| *n > 0);
            limits.turns = Some(turns.ok_or("turns takes a whole number from 1 on, as 8.")?);
        }
        "tokens" => {
            let tokens = value.parse().ok().filter(|n| *n > 0);
            limits.tokens =
                Some(tokens.ok_or("tokens takes a whole number from 1 on, as 200000.")?);
        }
        "usd" => {
            let usd = value
                .parse()
                .ok()
                .filter(|n: &f64| n.is_finite() && *n > 0.0);
            limits.usd = Some(usd.ok_or("usd takes an amount above 0, as 1.50.")?);
        }
        _ => return Err(unknown("setting", name, "a recipe", LIMITS.into_iter())),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    fn right(text: &str) -> Recipe {
        parse(Path::new("r.md"), text).unwrap()
    }

    fn wrong(text: &str) -> Vec<String> {
        let problems = parse(Path::new("r.md"), text).unwrap_err();
        problems.iter().map(Problem::to_string).collect()
    }

    #[test]
    fn limits_title_and_steps_are_read_and_words_about_it_are_not_sent() {
        let text = "---\nturns: 8\n# a remark\n\ntokens: 200000\nusd: 1.50\n---\n# An essay #\n\nWhat it is for.\n\n\
            ## One\n\nFirst.\n\n### Deeper\n\nStill first.\n\n## Two ##\r\nSecond.\r\n# Not a title\n";
        let recipe = right(text);
        assert_eq!(recipe.title, "An essay");
        let limits = Limits {
            turns: Some(8),
            tokens: Some(200_000),
            usd: Some(1.5),
        };
        assert_eq!(recipe.limits, limits);
        let steps: Vec<(&str, &str)> = recipe
            .steps
            .iter()
            .map(|s| (s.name.as_str(), s.text.as_str()))
            .collect();
        assert_eq!(
            steps,
            [
                ("One", "First.\n\n### Deeper\n\nStill first."),
                ("Two", "Second.\n# Not a title")
            ]
        );
    }

    #[test]
    fn a_heading_in_a_block_of_code_begins_no_step() {
        let recipe = right("\u{feff}## One\n```\n## not\n~~~\n## not\n```\n##also not\n## Two\nx");
        assert_eq!(recipe.steps.len(), 2);
        assert_eq!(recipe.title, "");
        assert!(recipe.steps[0].text.ends_with("##also not"));
    }

    #[test]
    fn each_mistake_is_named_with_its_line_and_what_would_be_right() {
        for (text, said) in [
            (
                "",
                "r.md:1: It has no step. A step begins with `## Name`; what follows is its prompt.",
            ),
            (
                "# Title\nWords.",
                "r.md:1: It has no step. A step begins with `## Name`; what follows is its prompt.",
            ),
            (
                "## A\nx\n## B\n \n",
                "r.md:3: The step \"B\" has no text: its prompt goes below it.",
            ),
            ("##\nx", "r.md:1: A step needs a name: write `## Name`."),
            (
                "# A\n# B\n## C\nx",
                "r.md:2: A recipe has one title; a step begins with `##`.",
            ),
            (
                "---\nturn: 8\n---\n## A\nx",
                "r.md:2: There is no setting \"turn\" in a recipe. Did you mean \"turns\"?",
            ),
            (
                "---\nturns: 0\n---\n## A\nx",
                "r.md:2: turns takes a whole number from 1 on, as 8.",
            ),
            (
                "---\n\ntokens: many\n---\n## A\nx",
                "r.md:3: tokens takes a whole number from 1 on, as 200000.",
            ),
            (
                "---\nusd: -1\n---\n## A\nx",
                "r.md:2: usd takes an amount above 0, as 1.50.",
            ),
            (
                "---\nusd: inf\n---\n## A\nx",
                "r.md:2: usd takes an amount above 0, as 1.50.",
            ),
            (
                "---\nturns: 1\nturns: 2\n---\n## A\nx",
                "r.md:3: turns is set twice.",
            ),
            (
                "---\nturns 8\n---\n## A\nx",
                "r.md:2: A limit is written as `turns: 8`.",
            ),
        ] {
            assert_eq!(wrong(text), [said], "{text}");
        }
    }

    #[test]
    fn limits_without_an_end_are_named_where_they_begin() {
        let said = wrong("---\nturns: 8\n");
        assert!(
            said[0].starts_with("r.md:1: The limits have no end"),
            "{said:?}"
        );
    }

    #[test]
    fn all_mistakes_of_a_file_are_named_at_once() {
        assert_eq!(wrong("---\nturn: 8\nusd: x\n---\n## A\n").len(), 3);
    }
}

//! `recipe`: prompts in a file, listed, shown and sent one after the other.

use std::path::Path;

use serde::Serialize;

use super::args::RecipeVerb;
use super::context::Cx;
use super::error::CliError;
use super::out;
use super::table::columns;
use crate::config::Problem;
use crate::config::recipe::{Entry, From, Recipes, read};
use crate::domain::Request;
use crate::domain::recipe::{Limits, Recipe, Step};
use crate::text::{counted, limits, one_line};

/// A recipe, for scripts.
#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    title: Option<&'a str>,
    steps: Vec<&'a str>,
    limits: Limits,
    from: &'static str,
    file: Option<String>,
    wrong: Vec<String>,
}

/// One with its prompts.
#[derive(Serialize)]
struct Shown<'a> {
    name: &'a str,
    title: &'a str,
    limits: Limits,
    steps: &'a [Step],
}

/// Does what the verb says.
pub(super) async fn run(cx: &Cx, verb: RecipeVerb) -> Result<(), CliError> {
    match verb {
        RecipeVerb::List { names: true } => {
            let all = Recipes::of(&cx.places, &cx.workspace);
            all.entries.iter().try_for_each(|e| out::line(&e.name))
        }
        RecipeVerb::List { names: false } => list(cx),
        RecipeVerb::Show { recipe } => show(cx, &found(cx, &recipe)?),
        RecipeVerb::Run { id, recipe } => {
            let session = cx.session(&id)?;
            let recipe = right(&found(cx, &recipe)?)?;
            let now = format!("“{}” is followed.", one_line(&recipe.title));
            cx.done(Request::Follow { session, recipe }).await?;
            cx.out.now(&now)
        }
    }
}

/// The recipe of that name, or in that file.
fn found(cx: &Cx, word: &str) -> Result<Entry, CliError> {
    let is_file = word.contains(std::path::MAIN_SEPARATOR)
        || Path::new(word).extension().is_some_and(|e| e == "md");
    if is_file {
        return Ok(read(Path::new(word)));
    }
    let all = Recipes::of(&cx.places, &cx.workspace);
    let hint = "See them with: fascicle recipe list";
    let found = all
        .named(word)
        .map_err(|why| CliError::refused(why, hint))?;
    Ok(found.clone())
}

/// What is in it, when nothing is wrong with it.
fn right(entry: &Entry) -> Result<Recipe, CliError> {
    entry.recipe.clone().map_err(|wrong| {
        let lines: Vec<String> = wrong.iter().map(Problem::to_string).collect();
        let hint = "Nothing was sent. How a recipe is written: docs/recipes.md.";
        CliError::refused(lines.join("\n"), hint)
    })
}

fn show(cx: &Cx, entry: &Entry) -> Result<(), CliError> {
    if cx.out.json() {
        let recipe = right(entry)?;
        return cx.out.value(&Shown {
            name: &entry.name,
            title: &recipe.title,
            limits: recipe.limits,
            steps: &recipe.steps,
        });
    }
    if entry.text.is_empty() {
        return right(entry).map(drop);
    }
    for problem in entry.recipe.as_ref().err().into_iter().flatten() {
        out::say(problem);
    }
    cx.out.exact(&entry.text)
}

fn list(cx: &Cx) -> Result<(), CliError> {
    let all = Recipes::of(&cx.places, &cx.workspace);
    if cx.out.json() {
        let listed: Vec<Listed<'_>> = all.entries.iter().map(listed).collect();
        return cx.out.value(&listed);
    }
    for problem in all.wrong() {
        out::say(problem);
    }
    let rows: Vec<Vec<String>> = all.entries.iter().map(row).collect();
    out::page(&columns(&rows))
}

fn listed(entry: &Entry) -> Listed<'_> {
    let recipe = entry.recipe.as_ref().ok();
    let steps = recipe.iter().flat_map(|r| &r.steps);
    let wrong = entry.recipe.as_ref().err().into_iter().flatten();
    let is_file = entry.from != From::BuiltIn;
    Listed {
        name: &entry.name,
        title: recipe.map(|r| r.title.as_str()),
        steps: steps.map(|s| s.name.as_str()).collect(),
        limits: recipe.map(|r| r.limits).unwrap_or_default(),
        from: entry.from.word(),
        file: is_file.then(|| entry.file.display().to_string()),
        wrong: wrong.map(Problem::to_string).collect(),
    }
}

fn row(entry: &Entry) -> Vec<String> {
    let (title, steps, most) = match &entry.recipe {
        Ok(recipe) => (
            one_line(&recipe.title),
            counted(recipe.steps.len() as u64, "step"),
            match limits(&recipe.limits) {
                Some(most) => format!("at most {most}"),
                None => "no limit".to_owned(),
            },
        ),
        Err(_) => ("wrong; see above".to_owned(), String::new(), String::new()),
    };
    let from = entry.from.word().to_owned();
    vec![one_line(&entry.name), title, steps, most, from]
}

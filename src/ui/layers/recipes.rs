//! The recipes: to read what each would send, and to run one.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::pick::Pick;
use super::sheet::sheet;
use super::{Layer, Next, Wish};
use crate::domain::{Limits, Recipe, Step};
use crate::text::{one_line, thousands};
use crate::ui::app::App;

/// Cells of a row.
const WIDTH: u16 = 68;
/// Recipes in view at once, and steps of the one under the cursor.
const SHOWN: (usize, usize) = (6, 8);

/// The list of recipes.
#[derive(Debug, Default)]
pub struct Recipes {
    pick: Pick,
}

impl Layer for Recipes {
    fn press(&mut self, key: KeyEvent, app: &App) -> Next {
        let recipes = &app.settings.recipes;
        let here = recipes.get(self.pick.at);
        match (key.code, here) {
            (KeyCode::Esc, _) => Next::Close,
            (KeyCode::Enter, Some(recipe)) => Next::Then(Wish::Follow(recipe.clone())),
            (KeyCode::Char('v' | ' ') | KeyCode::Right, Some(recipe)) => {
                Next::Keep(Wish::View(one_line(&recipe.title), whole(recipe)))
            }
            _ => {
                self.pick.press(key, recipes.len());
                Next::Stay
            }
        }
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let recipes = &app.settings.recipes;
        let many = recipes.len().clamp(1, SHOWN.0);
        let most = recipes.iter().map(|r| r.steps.len()).max().unwrap_or(0);
        let rows = u16::try_from(many + 1 + most.min(SHOWN.1)).unwrap_or(u16::MAX);
        let foot = "Enter runs · v reads its prompts · Esc closes";
        let room = sheet(screen, buf, theme, (WIDTH, rows), ("Run a recipe", foot));
        let list = Rect {
            height: room.height.min(u16::try_from(many).unwrap_or(u16::MAX)),
            ..room
        };
        self.pick.draw(list, buf, theme, recipes.len(), |i| {
            let Some(recipe) = recipes.get(i) else {
                return (Line::default(), Line::default());
            };
            let right = Span::styled(sums(recipe), theme.dim);
            (Line::from(one_line(&recipe.title)), Line::from(right))
        });
        let steps = recipes.get(self.pick.at).map_or(&[][..], |r| &r.steps);
        for (at, (n, step)) in room.rows().skip(many + 1).zip((1..).zip(steps)) {
            let line = Line::from(vec![
                Span::styled(format!("{n} {}", one_line(&step.name)), theme.heading),
                Span::styled(format!("  {}", one_line(&step.text)), theme.dim),
            ]);
            crate::ui::panes::row(at, buf, line, &Line::default());
        }
        None
    }
}

/// `4 steps · at most 8 turns`.
fn sums(recipe: &Recipe) -> String {
    let steps = match recipe.steps.len() {
        1 => "1 step".to_owned(),
        n => format!("{n} steps"),
    };
    let limits = limits(&recipe.limits);
    if limits.is_empty() {
        steps
    } else {
        format!("{steps} · at most {limits}")
    }
}

fn limits(limits: &Limits) -> String {
    let turns = limits.turns.map(|n| format!("{n} turns"));
    let tokens = limits.tokens.map(|n| format!("{} tokens", thousands(n)));
    let usd = limits.usd.map(|n| format!("${n:.2}"));
    let all: Vec<String> = [turns, tokens, usd].into_iter().flatten().collect();
    all.join(", ")
}

/// Its prompts, to be read.
fn whole(recipe: &Recipe) -> String {
    let step = |(n, s): (usize, &Step)| format!("\n\n{n} {}\n\n{}", s.name, s.text.trim());
    let steps: String = (1..).zip(&recipe.steps).map(step).collect();
    sums(recipe) + &steps
}

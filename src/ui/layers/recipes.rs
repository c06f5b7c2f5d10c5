//! The recipes: to read what each would send, and to run one.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::pick::Pick;
use super::sheet::sheet;
use super::{Layer, Next, Wish};
use crate::domain::{Recipe, Step};
use crate::text::{counted, limits, one_line, wrap};
use crate::ui::app::App;

/// Cells of a row.
const WIDTH: u16 = 68;
/// Recipes in view at once, and steps of the one under the cursor.
const SHOWN: (usize, usize) = (6, 8);

/// Rows for what is wrong with others.
const WRONG: usize = 3;

/// The list of recipes.
#[derive(Debug, Default)]
pub struct Recipes {
    pick: Pick,
}

impl Layer for Recipes {
    fn press(&mut self, key: KeyEvent, app: &App) -> Next {
        let recipes = &app.settings.recipes.choices;
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
        let recipes = &app.settings.recipes.choices;
        let many = recipes.len().clamp(1, SHOWN.0);
        let most = recipes.iter().map(|r| r.steps.len()).max().unwrap_or(0);
        let wrong = wrong(app);
        let rows = many + 1 + most.min(SHOWN.1) + wrong.len();
        let rows = u16::try_from(rows).unwrap_or(u16::MAX);
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
        let free = (room.height as usize).saturating_sub(many + 1 + wrong.len());
        for (at, (n, step)) in room.rows().skip(many + 1).take(free).zip((1..).zip(steps)) {
            let line = Line::from(vec![
                Span::styled(format!("{n} {}", one_line(&step.name)), theme.heading),
                Span::styled(format!("  {}", one_line(&step.text)), theme.dim),
            ]);
            crate::ui::panes::row(at, buf, line, &Line::default());
        }
        let from = (room.height as usize).saturating_sub(wrong.len());
        for (at, text) in room.rows().skip(from).zip(wrong) {
            buf.set_stringn(at.x, at.y, text, at.width as usize, theme.warn);
        }
        None
    }
}

/// What is wrong with other recipes, on a few rows; none when nothing is.
fn wrong(app: &App) -> Vec<String> {
    let all = &app.settings.recipes.wrong;
    let Some(first) = all.first() else {
        return Vec::new();
    };
    let text = match all.len() {
        1 => format!("⚠ {}", one_line(first)),
        n => format!(
            "⚠ {} And {} more: `fascicle recipe list`.",
            one_line(first),
            n - 1
        ),
    };
    let rows = wrap(&text, WIDTH as usize).into_iter().take(WRONG);
    let rows = rows.filter_map(|range| Some(text.get(range)?.trim_end().to_owned()));
    std::iter::once(String::new()).chain(rows).collect()
}

/// `4 steps · at most 8 turns`.
fn sums(recipe: &Recipe) -> String {
    let steps = counted(recipe.steps.len() as u64, "step");
    match limits(&recipe.limits) {
        Some(most) => format!("{steps} · at most {most}"),
        None => steps,
    }
}

/// Its prompts, to be read.
fn whole(recipe: &Recipe) -> String {
    let step = |(n, s): (usize, &Step)| format!("\n\n{n} {}\n\n{}", s.name, s.text.trim());
    let steps: String = (1..).zip(&recipe.steps).map(step).collect();
    sums(recipe) + &steps
}

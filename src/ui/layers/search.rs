//! Searching all drafts, prompts and replies: places come while the words are typed.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::field::Field;
use super::pick::Pick;
use super::sheet::sheet;
use super::{Layer, Next, Takes, Wish};
use crate::domain::search::{Found, Hit};
use crate::text::thousands;
use crate::ui::app::App;
use crate::ui::app::search::Searched;
use crate::ui::panes::{age, cut, headed};

/// Cells of a title before the place.
const TITLE: usize = 22;
/// Letters before the words found: the words are seen in a narrow window, too.
const BEFORE: usize = 24;

/// The words being typed, and the place at hand.
#[derive(Debug)]
pub struct Search {
    field: Field,
    pick: Pick,
}

impl Search {
    /// With what was looked for last, which other words replace.
    pub fn again(app: &App) -> Self {
        Self {
            field: Field::selected(&app.searched().words),
            pick: Pick::default(),
        }
    }

    /// With words that are gone on with.
    pub fn with(app: &App) -> Self {
        Self {
            field: Field::new(&app.searched().words),
            pick: Pick::default(),
        }
    }

    fn wish(&mut self) -> Wish {
        self.pick = Pick::default();
        Wish::Look(self.field.text())
    }
}

impl Layer for Search {
    fn press(&mut self, key: KeyEvent, app: &App) -> Next {
        let hits = &app.searched().hits;
        match key.code {
            KeyCode::Esc => Next::Then(Wish::LookNoMore),
            KeyCode::Enter => match hits.get(self.pick.at) {
                Some(hit) => Next::Then(Wish::Hit(Box::new(hit.clone()))),
                None => Next::Stay,
            },
            _ if self.pick.press(key, hits.len()) => Next::Stay,
            _ if self.field.press(key) => Next::Keep(self.wish()),
            _ => Next::Stay,
        }
    }

    fn takes(&self) -> Takes {
        Takes::Line
    }

    fn field(&self) -> Option<&Field> {
        Some(&self.field)
    }

    fn paste(&mut self, text: &str) {
        self.field.paste(text);
    }

    fn pasted(&mut self, _: &App) -> Option<Wish> {
        Some(self.wish())
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let searched = app.searched();
        let foot = foot(searched);
        let room = sheet(screen, buf, theme, (100, 24), ("Search everything", &foot));
        let (top, rest) = headed(room);
        let words = "words in drafts, prompts and replies; \"a phrase\"";
        let caret = self.field.draw(top, buf, theme, words);
        if searched.hits.is_empty() {
            let text = nothing(searched);
            buf.set_stringn(rest.x, rest.y, text, rest.width as usize, theme.dim);
        }
        let mut pick = self.pick;
        pick.draw(rest, buf, theme, searched.hits.len(), |i| {
            let before = i.checked_sub(1).and_then(|i| searched.hits.get(i));
            let hit = searched.hits.get(i);
            hit.map_or_else(Default::default, |hit| row(app, hit, before))
        });
        self.pick = pick;
        caret
    }
}

/// How many places there are, and how far the search is.
fn foot(searched: &Searched) -> String {
    let found = thousands(searched.hits.len() as u64);
    let found = match searched.hits.len() {
        0 => String::new(),
        _ if searched.more => format!("first {found} · more words find fewer · "),
        _ => format!("{found} found · "),
    };
    let looks = match &searched.failed {
        _ if searched.goes_on => format!("{} % searched · ", searched.percent),
        Some(_) => "not all searched · ".to_owned(),
        None => String::new(),
    };
    let opens = if found.is_empty() {
        ""
    } else {
        "Enter opens · "
    };
    format!("{found}{looks}{opens}Esc closes")
}

/// What is said in place of places.
fn nothing(searched: &Searched) -> &str {
    if searched.words.trim().is_empty() {
        return "All words must stand in one text; small and capital letters are alike.";
    }
    if searched.goes_on {
        return "Looking…";
    }
    let failed = searched.failed.as_deref();
    failed.unwrap_or("These words stand nowhere here.")
}

/// Title where it is another than above, whose words, the words and what stands around them; the age.
fn row(app: &App, hit: &Hit, before: Option<&Hit>) -> (Line<'static>, Line<'static>) {
    let theme = &app.settings.theme;
    let same = before.is_some_and(|before| before.session == hit.session);
    let title = if same {
        String::new()
    } else {
        cut(&hit.title, TITLE)
    };
    let gap = TITLE.saturating_sub(crate::text::width(&title));
    let of = match hit.text {
        Found::Draft => "draft",
        Found::Prompt => "you  ",
        Found::Reply => "reply",
    };
    let skipped = hit.before.chars().count().saturating_sub(BEFORE);
    let mark = if skipped > 0 { "…" } else { "" };
    let near: String = hit.before.chars().skip(skipped).collect();
    let left = vec![
        Span::raw(format!("{title}{}  ", " ".repeat(gap))),
        Span::styled(format!("{of}  "), theme.dim),
        Span::raw(format!("{mark}{near}")),
        Span::styled(
            hit.found.clone(),
            theme.accent.add_modifier(Modifier::UNDERLINED),
        ),
        Span::raw(hit.after.clone()),
    ];
    let right = Span::styled(format!("{:>5}", age(app.now() - hit.ts)), theme.dim);
    (Line::from(left), Line::from(right))
}

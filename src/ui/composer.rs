//! Where the writer's words are typed: soft wrap, whole characters, undo, large pastes kept aside.

mod chips;
mod glyph;
mod keys;
mod layout;
mod model;
mod motion;

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use self::chips::Chips;
use self::layout::{Layout, Row, byte_of};
use self::model::{At, Model};
use super::theme::Theme;
use crate::text::wrap;

/// Cells of a row before it was ever drawn.
const COLS_UNKNOWN: usize = 80;

/// The words being typed.
#[derive(Debug)]
pub struct Composer {
    model: Model,
    chips: Chips,
    layout: Layout,
    width: usize,
    /// Where it was drawn last.
    area: Rect,
    /// First row on screen.
    top: usize,
    /// The column that moves up and down keep to.
    goal: Option<usize>,
    placeholder: String,
}

impl Default for Composer {
    fn default() -> Self {
        Self::new()
    }
}

impl Composer {
    /// Empty.
    pub fn new() -> Self {
        Self {
            model: Model::default(),
            chips: Chips::default(),
            layout: Layout::default(),
            width: COLS_UNKNOWN,
            area: Rect::default(),
            top: 0,
            goal: None,
            placeholder: String::new(),
        }
    }

    /// The text as it would be sent, pastes that were kept aside in their place. Lines end in `\n`.
    pub fn text(&self) -> String {
        let lines = self.model.lines();
        let mut out = String::new();
        for (i, line) in lines.iter().enumerate() {
            if i > 0 {
                out.push('\n');
            }
            self.chips.expand(line, &mut out);
        }
        out
    }

    /// Begins anew with a text; the caret stands behind it. A large one is kept aside like a paste.
    pub fn set_text(&mut self, text: &str) {
        self.clear();
        let text = normal(text);
        let shown = self.chips.stand_in(&text);
        self.model.set(&shown);
    }

    /// Whether nothing was typed.
    pub fn is_empty(&self) -> bool {
        matches!(self.model.lines(), [] | [_]) && self.model.line(0).is_empty()
    }

    /// Begins anew, empty. What was typed cannot be undone back.
    pub fn clear(&mut self) {
        self.model.set("");
        self.chips.clear();
        self.layout = Layout::default();
        (self.top, self.goal) = (0, None);
    }

    /// Ends the line at the caret.
    pub fn newline(&mut self) {
        self.goal = None;
        self.model.newline();
    }

    /// Inserts a text as one step. A large one is kept aside and stands as one sign in the text.
    pub fn paste(&mut self, text: &str) {
        self.goal = None;
        let text = normal(text);
        let shown = self.chips.stand_in(&text);
        self.model.insert(&shown);
    }

    /// Whether words are selected.
    pub fn is_selected(&self) -> bool {
        self.model.selection().is_some()
    }

    /// The text that is selected, pastes in their place.
    pub fn copy_selection(&self) -> Option<String> {
        let (from, to) = self.model.selection()?;
        let mut out = String::new();
        for row in from.0..=to.0 {
            let line = self.model.line(row);
            let start = if row == from.0 {
                byte_of(line, from.1)
            } else {
                0
            };
            let end = if row == to.0 {
                byte_of(line, to.1)
            } else {
                line.len()
            };
            if row > from.0 {
                out.push('\n');
            }
            self.chips
                .expand(line.get(start..end).unwrap_or_default(), &mut out);
        }
        Some(out)
    }

    /// Takes away the text that is selected.
    pub fn delete_selection(&mut self) {
        self.goal = None;
        self.model.delete_selection();
    }

    /// Rows needed at a width, at least 1 and at most `max`.
    pub fn height(&mut self, width: u16, max: u16) -> u16 {
        self.fit(usize::from(width));
        u16::try_from(self.layout.height())
            .unwrap_or(u16::MAX)
            .min(max)
            .max(1)
    }

    /// What stands there while nothing is typed.
    pub fn set_placeholder(&mut self, text: &str) {
        text.clone_into(&mut self.placeholder);
    }

    /// Draws, and says where on the screen the caret belongs.
    pub fn draw(
        &mut self,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
        focused: bool,
    ) -> Option<Position> {
        let area = area.intersection(buf.area);
        if area.is_empty() {
            return None;
        }
        self.area = area;
        self.fit(usize::from(area.width));
        let spot = self.layout.spot(self.model.caret(), &self.chips);
        self.keep_in_sight(spot.row, usize::from(area.height));
        if self.is_empty() {
            self.draw_placeholder(area, buf, theme);
        }
        let rows = (area.top()..area.bottom()).zip(self.layout.rows_from(self.top));
        for (y, row) in rows {
            self.draw_row(
                &row,
                Rect {
                    y,
                    height: 1,
                    ..area
                },
                buf,
                theme,
            );
        }
        let x = u16::try_from(spot.x)
            .unwrap_or(u16::MAX)
            .min(area.width - 1);
        let y = u16::try_from(spot.row - self.top).unwrap_or(0);
        focused.then_some(Position {
            x: area.x + x,
            y: area.y + y,
        })
    }

    fn draw_placeholder(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let rows = wrap(&self.placeholder, usize::from(area.width));
        for (y, row) in (area.top()..area.bottom()).zip(rows) {
            let text = self.placeholder.get(row).unwrap_or_default();
            buf.set_stringn(area.x, y, text, usize::from(area.width), theme.dim);
        }
    }

    fn draw_row(&self, row: &Row, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let selected = self.selected_in(row);
        let mut x = area.x;
        for glyph in self.layout.glyphs(row, &self.chips) {
            let mut style = if glyph.chip { theme.accent } else { theme.base };
            if selected.contains(&glyph.at) {
                style = style.patch(theme.selected);
            }
            let room = usize::from(area.right().saturating_sub(x));
            (x, _) = buf.set_stringn(x, area.y, &glyph.shown, room, style);
        }
    }

    /// Bytes of a row's line that are selected.
    fn selected_in(&self, row: &Row) -> std::ops::Range<usize> {
        let Some((from, to)) = self.model.selection() else {
            return 0..0;
        };
        let line = self.model.line(row.line);
        let bound = |at: At| match at.0.cmp(&row.line) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => byte_of(line, at.1),
            std::cmp::Ordering::Greater => line.len(),
        };
        bound(from)..bound(to)
    }

    fn fit(&mut self, width: usize) {
        self.width = width;
        self.layout.update(&self.model, &self.chips, width);
    }

    /// Scrolls as little as shows the caret, and never past the end.
    fn keep_in_sight(&mut self, caret: usize, tall: usize) {
        let last_top = self.layout.height().saturating_sub(tall);
        let least = (caret + 1).saturating_sub(tall);
        self.top = self.top.min(last_top).clamp(least, caret);
    }
}

/// Line ends of every kind as `\n`.
fn normal(text: &str) -> Cow<'_, str> {
    if memchr::memchr(b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    use super::*;
    use crate::ui::theme::Look;

    const NONE: KeyModifiers = KeyModifiers::NONE;
    const CTRL: KeyModifiers = KeyModifiers::CONTROL;
    const SHIFT: KeyModifiers = KeyModifiers::SHIFT;

    fn with(text: &str) -> Composer {
        let mut composer = Composer::new();
        composer.set_text(text);
        composer
    }

    fn press(composer: &mut Composer, code: KeyCode, modifiers: KeyModifiers) -> bool {
        composer.press(KeyEvent::new(code, modifiers))
    }

    fn type_in(composer: &mut Composer, text: &str) {
        for c in text.chars() {
            assert!(press(composer, KeyCode::Char(c), NONE));
        }
    }

    fn drawn(composer: &mut Composer, width: u16, height: u16) -> (Vec<String>, Option<Position>) {
        let mut buf = Buffer::empty(Rect::new(0, 0, width, height));
        let at = composer.draw(buf.area, &mut buf, &Theme::new(Look::default()), true);
        assert!(
            buf.content
                .iter()
                .all(|c| !c.symbol().contains(char::is_control))
        );
        let rows = buf.content.chunks(usize::from(width).max(1)).map(|row| {
            let row: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
            row.trim_end().to_owned()
        });
        (rows.collect(), at)
    }

    #[test]
    fn what_is_typed_is_what_is_sent() {
        let mut composer = Composer::new();
        assert!(composer.is_empty());
        type_in(&mut composer, "Make it");
        composer.newline();
        type_in(&mut composer, "shorter. 灯");
        assert_eq!(composer.text(), "Make it\nshorter. 灯");
        composer.clear();
        assert!(composer.is_empty());
        assert_eq!(composer.text(), "");
    }

    #[test]
    fn one_step_is_one_whole_character() {
        let clusters = [
            "👩\u{200d}👩\u{200d}👧\u{200d}👦",
            "🇺🇳",
            "e\u{301}",
            "👍🏽",
            "한",
            "a",
        ];
        let mut composer = with(&clusters.concat());
        for _ in clusters {
            assert!(press(&mut composer, KeyCode::Left, NONE));
        }
        assert!(!press(&mut composer, KeyCode::Left, NONE));
        for n in 1..=clusters.len() {
            press(&mut composer, KeyCode::Delete, NONE);
            assert_eq!(composer.text(), clusters.get(n..).unwrap().concat());
        }
        let mut composer = with(&clusters.concat());
        for n in (0..clusters.len()).rev() {
            press(&mut composer, KeyCode::Backspace, NONE);
            assert_eq!(composer.text(), clusters.get(..n).unwrap().concat());
        }
    }

    #[test]
    fn a_draft_in_many_scripts_is_walked_and_deleted_by_whole_characters() {
        let text = include_str!("../../tests/fixtures/mixed-script.md");
        let mut composer = with(text);
        let steps = text.graphemes(true).count();
        for _ in 0..steps {
            assert!(press(&mut composer, KeyCode::Left, NONE));
        }
        assert!(!press(&mut composer, KeyCode::Left, NONE));
        for _ in 0..steps {
            assert!(press(&mut composer, KeyCode::Right, NONE));
        }
        for (at, _) in text.grapheme_indices(true).rev() {
            press(&mut composer, KeyCode::Backspace, NONE);
            assert_eq!(composer.text(), text.get(..at).unwrap());
        }
    }

    #[test]
    fn undo_goes_by_words_and_redo_comes_back() {
        let mut composer = Composer::new();
        type_in(&mut composer, "one two");
        press(&mut composer, KeyCode::Char('z'), CTRL);
        assert!("one two".starts_with(&composer.text()) && composer.text().len() < 7);
        while !composer.is_empty() {
            press(&mut composer, KeyCode::Char('z'), CTRL);
        }
        for _ in 0..9 {
            press(&mut composer, KeyCode::Char('y'), CTRL);
        }
        assert_eq!(composer.text(), "one two");
    }

    #[test]
    fn words_lines_and_selections_are_deleted_and_brought_back() {
        let mut composer = with("one two, three");
        press(&mut composer, KeyCode::Char('w'), CTRL);
        assert_eq!(composer.text(), "one two, ");
        press(&mut composer, KeyCode::Backspace, KeyModifiers::ALT);
        assert_eq!(composer.text(), "one two");
        press(&mut composer, KeyCode::Left, CTRL);
        press(&mut composer, KeyCode::Char('k'), CTRL);
        assert_eq!(composer.text(), "one ");
        press(&mut composer, KeyCode::Char('z'), CTRL);
        assert_eq!(composer.text(), "one two");
        press(&mut composer, KeyCode::Left, CTRL);
        press(&mut composer, KeyCode::Char('u'), CTRL);
        assert_eq!(composer.text(), "two");
        press(&mut composer, KeyCode::Right, SHIFT);
        press(&mut composer, KeyCode::End, SHIFT);
        assert_eq!(composer.copy_selection().as_deref(), Some("two"));
        type_in(&mut composer, "x");
        assert_eq!(composer.text(), "x");
        assert_eq!(composer.copy_selection(), None);
    }

    #[test]
    fn up_and_down_keep_to_their_column_and_end_at_the_edges() {
        let mut composer = with("a long first line\nb\nanother long line");
        drawn(&mut composer, 40, 5);
        press(&mut composer, KeyCode::Up, NONE);
        press(&mut composer, KeyCode::Up, NONE);
        type_in(&mut composer, "|");
        assert_eq!(composer.text(), "a long first line|\nb\nanother long line");
        assert!(!press(&mut composer, KeyCode::Up, NONE));
        press(&mut composer, KeyCode::Home, NONE);
        assert!(press(&mut composer, KeyCode::Down, NONE));
        assert!(press(&mut composer, KeyCode::Down, NONE));
        assert!(!press(&mut composer, KeyCode::Down, NONE));
        type_in(&mut composer, "|");
        assert!(composer.text().ends_with("\n|another long line"));
    }

    #[test]
    fn keys_that_are_not_for_editing_are_left_to_others() {
        let mut composer = with("x");
        for (code, modifiers) in [
            (KeyCode::Enter, NONE),
            (KeyCode::Esc, NONE),
            (KeyCode::Tab, NONE),
            (KeyCode::F(1), NONE),
            (KeyCode::Char('a'), CTRL),
            (KeyCode::Char('1'), KeyModifiers::ALT),
            (KeyCode::Up, NONE),
        ] {
            assert!(!press(&mut composer, code, modifiers), "{code:?}");
        }
        assert_eq!(composer.text(), "x");
    }

    #[test]
    fn a_large_paste_is_a_chip_and_is_sent_exactly() {
        let line = "The lamp was lit before the boats came in, as it always was.\n";
        let paste = line.repeat(5_242_952 / line.len());
        let mut composer = with("Before ");
        composer.paste(&paste);
        type_in(&mut composer, " after");
        let lines = crate::text::thousands(paste.matches('\n').count() as u64 + 1);
        let (rows, at) = drawn(&mut composer, 80, 3);
        assert_eq!(
            rows[0],
            format!("Before [pasted {lines} lines, 5.0 MiB] after")
        );
        assert_eq!(at.unwrap().y, 0);
        assert_eq!(composer.text(), format!("Before {paste} after"));
        for _ in 0.." after".len() {
            press(&mut composer, KeyCode::Backspace, NONE);
        }
        press(&mut composer, KeyCode::Backspace, NONE);
        assert_eq!(composer.text(), "Before ");
    }

    #[test]
    fn one_undo_takes_back_one_paste_and_redo_brings_it_again() {
        let big = "x\n".repeat(300);
        for paste in ["one\r\ntwo\rthree", &big] {
            let mut composer = with("a");
            composer.paste(paste);
            let text = format!("a{}", normal(paste));
            assert_eq!(composer.text(), text);
            press(&mut composer, KeyCode::Char('z'), CTRL);
            assert_eq!(composer.text(), "a");
            press(&mut composer, KeyCode::Char('y'), CTRL);
            assert_eq!(composer.text(), text);
        }
    }

    #[test]
    fn a_chip_is_one_step() {
        let paste = "x\n".repeat(300);
        let mut composer = with("a");
        composer.paste(&paste);
        assert!(press(&mut composer, KeyCode::Left, NONE));
        type_in(&mut composer, "b");
        assert_eq!(composer.text(), format!("ab{paste}"));
        assert!(press(&mut composer, KeyCode::Delete, NONE));
        assert_eq!(composer.text(), "ab");
    }

    #[test]
    fn text_that_looks_like_a_chip_stays_text() {
        let mut composer = with("[pasted 300 lines, 5.0 MiB]");
        assert_eq!(
            drawn(&mut composer, 40, 1).0[0],
            "[pasted 300 lines, 5.0 MiB]"
        );
        let sign = "\u{10f000}";
        composer.paste(sign);
        type_in(&mut composer, sign);
        assert_eq!(
            composer.text(),
            format!("[pasted 300 lines, 5.0 MiB]{sign}{sign}")
        );
    }

    #[test]
    fn the_caret_is_where_the_next_letter_goes() {
        let mut composer = with("one two three");
        let (rows, at) = drawn(&mut composer, 9, 4);
        assert_eq!(rows, ["one two", "three", "", ""]);
        assert_eq!(at, Some(Position { x: 5, y: 1 }));
        press(&mut composer, KeyCode::Home, NONE);
        press(&mut composer, KeyCode::Left, NONE);
        assert_eq!(drawn(&mut composer, 9, 4).1, Some(Position { x: 7, y: 0 }));
        let mut composer = with("灯台");
        assert_eq!(drawn(&mut composer, 9, 4).1, Some(Position { x: 4, y: 0 }));
    }

    #[test]
    fn a_tall_text_scrolls_with_the_caret() {
        let text: Vec<String> = (0..30).map(|n| format!("line {n}")).collect();
        let mut composer = with(&text.join("\n"));
        let (rows, at) = drawn(&mut composer, 20, 3);
        assert_eq!((rows[2].as_str(), at.unwrap().y), ("line 29", 2));
        for _ in 0..4 {
            press(&mut composer, KeyCode::Up, NONE);
        }
        let (rows, at) = drawn(&mut composer, 20, 3);
        assert_eq!((rows[0].as_str(), at.unwrap().y), ("line 25", 0));
    }

    #[test]
    fn an_empty_place_says_what_it_is_for() {
        let mut composer = Composer::new();
        composer.set_placeholder("Say what to write");
        let (rows, at) = drawn(&mut composer, 12, 2);
        assert_eq!(rows, ["Say what to", "write"]);
        assert_eq!(at, Some(Position { x: 0, y: 0 }));
        type_in(&mut composer, "x");
        assert_eq!(drawn(&mut composer, 12, 2).0, ["x", ""]);
    }

    #[test]
    fn what_cannot_be_shown_is_shown_as_a_sign_and_kept_as_it_is() {
        let text = "a\x1b[2J\tb\u{202e}c";
        let mut composer = with(text);
        assert_eq!(drawn(&mut composer, 40, 1).0[0], "a␛[2J    b⟨202E⟩c");
        assert_eq!(composer.text(), text);
    }

    #[derive(Clone, Debug)]
    enum Step {
        Key(KeyCode, KeyModifiers),
        Paste(String),
        Draw(u16, u16),
    }

    fn any_step() -> impl Strategy<Value = Step> {
        use KeyCode::{Backspace, Char, Delete, Down, End, Home, Left, Right, Up};
        let codes = prop::sample::select(vec![
            Backspace,
            Delete,
            Up,
            Down,
            Left,
            Right,
            Home,
            End,
            Char('z'),
            Char('y'),
            Char('w'),
            Char('k'),
            Char('u'),
            Char('灯'),
            Char('\u{301}'),
        ]);
        let modifiers =
            prop::sample::select(vec![NONE, CTRL, SHIFT, KeyModifiers::ALT, CTRL | SHIFT]);
        let big = "y\n".repeat(250);
        prop_oneof![
            6 => (codes, modifiers).prop_map(|(code, modifiers)| Step::Key(code, modifiers)),
            2 => "[a-c 灯👩\u{200d}🔬e\u{301}\t\n\r]{0,12}".prop_map(Step::Paste),
            1 => Just(Step::Paste(big)),
            2 => (0u16..40, 0u16..8).prop_map(|(w, h)| Step::Draw(w, h)),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn any_keys_at_any_size_do_no_harm(steps in prop::collection::vec(any_step(), 0..60)) {
            let mut composer = Composer::new();
            for step in steps {
                match step {
                    Step::Key(code, modifiers) => drop(press(&mut composer, code, modifiers)),
                    Step::Paste(text) => composer.paste(&text),
                    Step::Draw(width, height) => {
                        let (_, at) = drawn(&mut composer, width, height);
                        prop_assert!(at.is_none_or(|at| at.x < width && at.y < height));
                        prop_assert_eq!(at.is_none(), width == 0 || height == 0);
                    }
                }
                let text = composer.text();
                prop_assert_eq!(composer.is_empty(), text.is_empty());
            }
        }
    }
}

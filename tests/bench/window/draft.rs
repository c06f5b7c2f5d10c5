//! What a key costs in a very long draft, in processor time of this process.

use crossterm::event::{KeyCode, KeyEvent};
use fascicle::ui::draft::{Draft, Found};
use fascicle::ui::theme::{Look, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::book::{Book, Figure};
use crate::stage::cpu_of;

/// Paragraphs of the draft, and words of each.
const PARAGRAPHS: usize = 2_000;
const WORDS: usize = 100;
/// Keys at each place.
const KEYS: u32 = 200;

/// A key typed at the beginning, in the middle and at the end of 200,000 words, with the frame after it.
pub fn measure(book: &mut Book) {
    let paragraph = format!("{}\n\n", "lemon tree ".repeat(WORDS / 2).trim_end());
    let mut draft = Draft::new(&paragraph.repeat(PARAGRAPHS), None);
    let theme = Theme::new(Look::default());
    let area = Rect::new(0, 0, 80, 38);
    let mut now = 0;
    let mut key = |draft: &mut Draft, code: KeyCode| {
        now += 50;
        draft.editor.press(KeyEvent::from(code), now);
        draft.changed(now);
        draft.editor.draw(
            area,
            &mut Buffer::empty(area),
            &theme,
            true,
            Found::default(),
            &mut draft.never,
        );
    };
    key(&mut draft, KeyCode::Up);
    let mut worst = 0.0_f64;
    let places = [0, PARAGRAPHS / 2, PARAGRAPHS];
    for place in places {
        draft.editor.go(place * paragraph.len(), false);
        key(&mut draft, KeyCode::Left);
        let from = cpu_of(std::process::id());
        for i in 0..KEYS {
            key(
                &mut draft,
                KeyCode::Char(if i % 6 == 5 { ' ' } else { 'x' }),
            );
        }
        let ms = (cpu_of(std::process::id()) - from) * 1e3 / f64::from(KEYS);
        worst = worst.max(ms);
    }
    let figure = Figure::of(worst, 5.0, "ms CPU");
    book.mark(
        "a key and its frame in a draft of 200,000 words, the slowest of beginning, middle and end",
        "–",
        vec![figure],
    );
}

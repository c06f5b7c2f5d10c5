//! The caret put somewhere with the mouse.

use super::editor::Editor;
use super::layout::Spot;

impl Editor {
    /// Puts the caret at a cell of the page as it was drawn, counted from its corner; with `select`, the selection
    /// goes along; with `word`, the word there is selected.
    pub fn point(&mut self, (x, y): (u16, u16), select: bool, word: bool) {
        let mut at = self.page.top;
        for _ in 0..y {
            match self.layout.below(&self.words, at) {
                Some(below) => at = below,
                None => break,
            }
        }
        let x = usize::from(x);
        let (place, hangs) = self.layout.place(&self.words, Spot { at, x });
        self.go(place, select);
        self.caret.hangs = hangs;
        if word {
            self.select_more();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_goes_where_the_mouse_points() {
        let mut editor = Editor::new("One two.\n\nThree four.");
        editor.point((4, 0), false, false);
        assert_eq!(editor.caret(), 4);
        editor.point((2, 2), false, false);
        assert_eq!(editor.caret(), 12);
        editor.point((5, 2), true, false);
        assert_eq!(editor.selected().as_deref(), Some("ree"));
        editor.point((90, 90), false, false);
        assert_eq!(editor.caret(), 21);
        editor.point((1, 2), false, true);
        assert_eq!(editor.selected().as_deref(), Some("Three"));
    }
}

//! Telling a paste from typing where the terminal does not: many plain keys at once, line ends among them,
//! are a text, and no line end inside it sends anything; those of one line are handed on together.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::ui::input::Input;

/// More plain keys than this at once are not typed.
const TYPED: usize = 8;
/// Keys nearer to each other than this belong together, milliseconds.
const NEAR: i64 = 20;
/// How long an Enter that came right behind other keys is held, to see whether more comes, milliseconds.
pub(super) const HOLD: i64 = 10;

/// Plain keys that came together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Burst {
    streak: usize,
    last: i64,
}

impl Burst {
    /// Whether a batch holds an Enter that may stand inside a paste: what follows at once belongs to it.
    pub(super) fn may_go_on(&self, batch: &[Input], now: i64) -> bool {
        let keys = batch.iter().filter(|i| plain(i).is_some()).count();
        let breaks = batch.iter().any(|i| plain(i) == Some('\n'));
        breaks && (keys > 1 || now - self.last <= NEAR)
    }

    /// The inputs of a batch: what others tell first, then keys and pastes, a burst of keys as one paste.
    pub(super) fn gather(&mut self, batch: Vec<Input>, now: i64) -> Vec<Input> {
        let (typed, mut out): (Vec<_>, Vec<_>) = batch.into_iter().partition(is_typed);
        if typed.is_empty() {
            return out;
        }
        if now - self.last > NEAR {
            self.streak = 0;
        }
        let mut run: Vec<Input> = Vec::new();
        for input in typed {
            if plain(&input).is_some() {
                run.push(input);
            } else {
                out.append(&mut self.closed(std::mem::take(&mut run)));
                self.streak = 0;
                out.push(input);
            }
        }
        out.append(&mut self.closed(run));
        self.last = now;
        out
    }

    fn closed(&mut self, run: Vec<Input>) -> Vec<Input> {
        let many = self.streak + run.len() > TYPED;
        self.streak += run.len();
        let text: String = run.iter().filter_map(plain).collect();
        // An Enter that came alone and was held for more that did not come is one that was pressed.
        if many && text.contains('\n') && text != "\n" {
            return vec![Input::Paste(text)];
        }
        if run.len() > TYPED && !text.contains(char::is_control) {
            return vec![Input::Typed(text)];
        }
        run
    }
}

fn is_typed(input: &Input) -> bool {
    matches!(input, Input::Key(_) | Input::Paste(_) | Input::Mouse(_))
}

/// The character of a key that could be part of a paste.
fn plain(input: &Input) -> Option<char> {
    let Input::Key(KeyEvent {
        code,
        modifiers,
        kind: KeyEventKind::Press,
        ..
    }) = input
    else {
        return None;
    };
    match code {
        KeyCode::Char('j') if *modifiers == KeyModifiers::CONTROL => Some('\n'),
        _ if modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => None,
        KeyCode::Char(c) => Some(*c),
        KeyCode::Enter => Some('\n'),
        KeyCode::Tab => Some('\t'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<Input> {
        text.chars()
            .map(|c| {
                let code = if c == '\n' {
                    KeyCode::Enter
                } else {
                    KeyCode::Char(c)
                };
                Input::Key(KeyEvent::new(code, KeyModifiers::NONE))
            })
            .collect()
    }

    #[test]
    fn a_burst_with_a_line_end_is_a_paste() {
        let text = "first line\nsecond line\n";
        let got = Burst::default().gather(keys(text), 1000);
        assert_eq!(got, [Input::Paste(text.to_owned())]);
    }

    #[test]
    fn a_few_keys_and_enter_are_typed() {
        let got = Burst::default().gather(keys("nhello\n"), 1000);
        assert_eq!(got, keys("nhello\n"));
        let got = Burst::default().gather(keys("a\tlong word in one go"), 1000);
        assert_eq!(got.len(), 21);
    }

    #[test]
    fn many_characters_of_one_line_stay_together() {
        let text = "a long word in one go";
        let got = Burst::default().gather(keys(text), 1000);
        assert_eq!(got, [Input::Typed(text.to_owned())]);
        assert_eq!(Burst::default().gather(keys("a"), 1000), keys("a"));
    }

    #[test]
    fn a_paste_torn_in_two_is_still_one() {
        let mut burst = Burst::default();
        assert_eq!(burst.gather(keys("hello"), 1000).len(), 5);
        let rest = burst.gather(keys("\nbye"), 1004);
        assert_eq!(rest, [Input::Paste("\nbye".to_owned())]);
    }

    #[test]
    fn an_enter_on_its_own_is_pressed_however_soon_it_comes() {
        let mut burst = Burst::default();
        burst.gather(keys("a whole prompt"), 1000);
        assert_eq!(burst.gather(keys("\n"), 1010), keys("\n"));
    }

    #[test]
    fn what_others_tell_comes_before_keys_and_other_keys_keep_their_place() {
        let escape = Input::Key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE));
        let mut batch = keys("a");
        batch.push(escape.clone());
        batch.push(Input::Resize);
        let got = Burst::default().gather(batch, 0);
        assert_eq!(got.first(), Some(&Input::Resize));
        assert_eq!(got.last(), Some(&escape));
    }

    #[test]
    fn an_enter_right_behind_a_key_is_held_for_a_moment() {
        let mut burst = Burst::default();
        assert!(burst.may_go_on(&keys("ab\n"), 1000));
        assert!(!burst.may_go_on(&keys("\n"), 1000));
        burst.gather(keys("ab"), 1000);
        assert!(burst.may_go_on(&keys("\n"), 1010));
        assert!(!burst.may_go_on(&keys("ab"), 1010));
    }
}

//! Control sequences: `ESC [`, numbers, a letter.

use crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::{LONGEST, Step, key};
use crate::ui::input::{Answer, Input};

/// Numbers of a sequence: parameters, each with its parts.
type Numbers = Vec<Vec<u32>>;

/// The sequence at the head of the bytes.
pub(super) fn step(bytes: &[u8]) -> Step {
    let body = bytes.get(2..).unwrap_or_default();
    match body.first() {
        None => return Step::More,
        // The console's own function keys: `ESC [ [ A`.
        Some(b'[') => {
            let Some(&c) = body.get(1) else {
                return Step::More;
            };
            let n = c.wrapping_sub(b'A');
            let key = (n < 5).then(|| press(KeyCode::F(n + 1), KeyModifiers::NONE));
            return Step::Done(4, key);
        }
        // The mouse as it was told before SGR: three bytes behind the letter.
        Some(b'M') => {
            return match body {
                [_, what, x, y, ..] => {
                    let at = (
                        u16::from(*x).saturating_sub(33),
                        u16::from(*y).saturating_sub(33),
                    );
                    let code = u32::from(what.saturating_sub(32));
                    Step::Done(6, mouse(code, at, false))
                }
                _ => Step::More,
            };
        }
        Some(_) => {}
    }
    let Some(end) = body.iter().position(|b| !(0x20..=0x3f).contains(b)) else {
        return if body.len() > LONGEST {
            Step::Done(bytes.len(), None)
        } else {
            Step::More
        };
    };
    let (said, last) = (body.get(..end).unwrap_or_default(), body.get(end).copied());
    match last {
        Some(last @ 0x40..=0x7e) => Step::Done(end + 3, read(said, last)),
        // A byte that has no place in a sequence: it was broken off before it.
        _ => Step::Done(end + 2, None),
    }
}

fn read(said: &[u8], last: u8) -> Option<Input> {
    let said = std::str::from_utf8(said).ok()?;
    match (said.chars().next(), last) {
        (Some('?'), b'u') => Some(Input::Terminal(Answer::Keyboard)),
        (Some('?'), b'c') => Some(Input::Terminal(Answer::Attributes)),
        (Some('<'), b'M' | b'm') => {
            let numbers = numbers(said.get(1..)?);
            let number = |i: usize| numbers.get(i)?.first().copied();
            let cell = |n: u32| u16::try_from(n.saturating_sub(1)).unwrap_or(u16::MAX);
            mouse(
                number(0)?,
                (cell(number(1)?), cell(number(2)?)),
                last == b'm',
            )
        }
        (Some('?' | '<' | '>' | '='), _) => None,
        (None, b'I') => Some(Input::Focus(true)),
        (None, b'O') => Some(Input::Focus(false)),
        _ => pressed(&numbers(said), last),
    }
}

fn numbers(said: &str) -> Numbers {
    let parts = |p: &str| p.split(':').map(|n| n.parse().unwrap_or(0)).collect();
    said.split(';').map(parts).collect()
}

fn press(code: KeyCode, modifiers: KeyModifiers) -> Input {
    Input::Key(KeyEvent::new(code, modifiers))
}

/// A key: its code in the first number or the last letter, modifiers and what became of it in the second.
fn pressed(numbers: &Numbers, last: u8) -> Option<Input> {
    let part = |i: usize, j: usize| numbers.get(i)?.get(j).copied();
    let first = part(0, 0).unwrap_or(0);
    let mods = modifiers(part(1, 0).unwrap_or(1))?;
    let mut code = match last {
        // What xterm sends for keys that have no sequence: `27 ; modifiers ; code ~`.
        b'~' if first == 27 => key::unicode(part(2, 0)?)?,
        b'~' => key::tilde(first)?,
        b'u' => key::unicode(first)?,
        letter => key::letter(letter)?,
    };
    let mut mods = mods;
    if code == KeyCode::Tab && mods.contains(KeyModifiers::SHIFT) {
        code = KeyCode::BackTab;
    }
    if code == KeyCode::BackTab {
        mods |= KeyModifiers::SHIFT;
    }
    if let (KeyCode::Char(_), true) = (code, mods.contains(KeyModifiers::SHIFT)) {
        // The letter that Shift makes of it, where the terminal says so.
        let shifted = part(0, 1)
            .and_then(char::from_u32)
            .filter(|c| !c.is_control());
        code = shifted.map_or(code, KeyCode::Char);
    }
    let kind = match part(1, 1) {
        Some(2) => KeyEventKind::Repeat,
        Some(3) => KeyEventKind::Release,
        _ => KeyEventKind::Press,
    };
    Some(Input::Key(KeyEvent::new_with_kind(code, mods, kind)))
}

/// The modifiers of a number, which is one more than their bits. None where the desktop's own are held: such a
/// key is not for the window. Locks do not count.
fn modifiers(number: u32) -> Option<KeyModifiers> {
    let bits = number.saturating_sub(1);
    if bits & 0b11_1000 != 0 {
        return None;
    }
    let all = [
        (1, KeyModifiers::SHIFT),
        (2, KeyModifiers::ALT),
        (4, KeyModifiers::CONTROL),
    ];
    let held = all.iter().filter(|m| bits & m.0 != 0);
    Some(held.fold(KeyModifiers::NONE, |mods, m| mods | m.1))
}

/// What the mouse did, by xterm's code: button in the low and the high bits, motion and modifiers between.
fn mouse(code: u32, (column, row): (u16, u16), up: bool) -> Option<Input> {
    let button = match code & 0b11 {
        0 => Some(MouseButton::Left),
        1 => Some(MouseButton::Middle),
        2 => Some(MouseButton::Right),
        _ => None,
    };
    let kind = match (code & 0b1100_0000, code & 0b10_0000 != 0, button) {
        (0x40, _, Some(MouseButton::Left)) => MouseEventKind::ScrollUp,
        (0x40, _, Some(MouseButton::Middle)) => MouseEventKind::ScrollDown,
        (0x40, _, Some(MouseButton::Right)) => MouseEventKind::ScrollLeft,
        (0x40, _, None) => MouseEventKind::ScrollRight,
        (0, true, Some(button)) => MouseEventKind::Drag(button),
        (0, true, None) => MouseEventKind::Moved,
        (0, false, Some(button)) if up => MouseEventKind::Up(button),
        (0, false, Some(button)) => MouseEventKind::Down(button),
        // Before SGR it was not said which button was let go.
        (0, false, None) => MouseEventKind::Up(MouseButton::Left),
        _ => return None,
    };
    let held = [
        (4, KeyModifiers::SHIFT),
        (8, KeyModifiers::ALT),
        (16, KeyModifiers::CONTROL),
    ];
    let held = held.iter().filter(|m| code & m.0 != 0);
    Some(Input::Mouse(MouseEvent {
        kind,
        column,
        row,
        modifiers: held.fold(KeyModifiers::NONE, |mods, m| mods | m.1),
    }))
}

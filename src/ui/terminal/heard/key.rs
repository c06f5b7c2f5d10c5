//! Which key a byte, a letter or a number stands for.

use crossterm::event::{KeyCode, KeyModifiers};

/// Keys of a number before `~`.
const TILDE: [(u32, KeyCode); 26] = [
    (1, KeyCode::Home),
    (2, KeyCode::Insert),
    (3, KeyCode::Delete),
    (4, KeyCode::End),
    (5, KeyCode::PageUp),
    (6, KeyCode::PageDown),
    (7, KeyCode::Home),
    (8, KeyCode::End),
    (11, KeyCode::F(1)),
    (12, KeyCode::F(2)),
    (13, KeyCode::F(3)),
    (14, KeyCode::F(4)),
    (15, KeyCode::F(5)),
    (17, KeyCode::F(6)),
    (18, KeyCode::F(7)),
    (19, KeyCode::F(8)),
    (20, KeyCode::F(9)),
    (21, KeyCode::F(10)),
    (23, KeyCode::F(11)),
    (24, KeyCode::F(12)),
    (25, KeyCode::F(13)),
    (26, KeyCode::F(14)),
    (28, KeyCode::F(15)),
    (29, KeyCode::F(16)),
    (31, KeyCode::F(17)),
    (32, KeyCode::F(18)),
];

/// Keys of the keypad by kitty's numbers.
const KEYPAD: [(u32, KeyCode); 19] = [
    (57409, KeyCode::Char('.')),
    (57410, KeyCode::Char('/')),
    (57411, KeyCode::Char('*')),
    (57412, KeyCode::Char('-')),
    (57413, KeyCode::Char('+')),
    (57414, KeyCode::Enter),
    (57415, KeyCode::Char('=')),
    (57416, KeyCode::Char(',')),
    (57417, KeyCode::Left),
    (57418, KeyCode::Right),
    (57419, KeyCode::Up),
    (57420, KeyCode::Down),
    (57421, KeyCode::PageUp),
    (57422, KeyCode::PageDown),
    (57423, KeyCode::Home),
    (57424, KeyCode::End),
    (57425, KeyCode::Insert),
    (57426, KeyCode::Delete),
    (57427, KeyCode::KeypadBegin),
];

/// What a control byte is a key for; none for other bytes.
pub(super) fn control(byte: u8) -> Option<(KeyCode, KeyModifiers)> {
    let ctrl = |c: u8| (KeyCode::Char(char::from(c)), KeyModifiers::CONTROL);
    Some(match byte {
        b'\r' => (KeyCode::Enter, KeyModifiers::NONE),
        b'\t' => (KeyCode::Tab, KeyModifiers::NONE),
        0x7f => (KeyCode::Backspace, KeyModifiers::NONE),
        0x00 => ctrl(b' '),
        0x01..=0x1a => ctrl(byte - 1 + b'a'),
        0x1c..=0x1f => ctrl(byte - 0x1c + b'4'),
        _ => return None,
    })
}

/// The key of the last letter of a sequence.
pub(super) fn letter(letter: u8) -> Option<KeyCode> {
    Some(match letter {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'M' => KeyCode::Enter,
        b'P' => KeyCode::F(1),
        b'Q' => KeyCode::F(2),
        b'R' => KeyCode::F(3),
        b'S' => KeyCode::F(4),
        b'Z' => KeyCode::BackTab,
        _ => return None,
    })
}

/// The key of a number before `~`.
pub(super) fn tilde(number: u32) -> Option<KeyCode> {
    TILDE.iter().find(|k| k.0 == number).map(|k| k.1)
}

/// The key of a number in kitty's protocol.
pub(super) fn unicode(number: u32) -> Option<KeyCode> {
    let code = match number {
        13 => KeyCode::Enter,
        9 => KeyCode::Tab,
        27 => KeyCode::Esc,
        127 => KeyCode::Backspace,
        57399..=57408 => KeyCode::Char(char::from_digit(number - 57399, 10)?),
        // The rest of the private range: locks, media, modifiers alone.
        57344..=63743 => return KEYPAD.iter().find(|k| k.0 == number).map(|k| k.1),
        other => KeyCode::Char(char::from_u32(other).filter(|c| !c.is_control())?),
    };
    Some(code)
}

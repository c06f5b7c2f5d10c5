//! What the terminal sends, taken apart: keys, pastes, the mouse, answers. Our own, so that no answer is ever
//! taken for typing, whole or cut in two. Formats: xterm's control sequences, kitty's keyboard protocol.

mod csi;
mod key;

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::ui::input::{Answer, Input};

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;
/// Bytes of the longest string that is kept; a longer one is heard to its end and says nothing.
const LONGEST: usize = 4096;
/// How long the rest of what may be a key by itself is waited for.
const KEY: Duration = Duration::from_millis(25);
/// How long the rest of a sequence is waited for.
const SEQUENCE: Duration = Duration::from_millis(500);
const PASTE_END: &[u8] = b"\x1b[201~";

/// Bytes of the terminal as inputs.
#[derive(Debug, Default)]
pub struct Heard {
    /// What has come and is not whole yet.
    held: Vec<u8>,
    /// A paste that has not ended; none else.
    paste: Option<Vec<u8>>,
    /// Within a string too long to be kept.
    overlong: bool,
}

/// The head of what has come.
enum Step {
    /// So many bytes are done, and gave this.
    Done(usize, Option<Input>),
    /// It is not whole.
    More,
    /// A string too long to be kept: all of it is dropped, up to its end.
    Overlong,
}

impl Heard {
    /// Takes bytes in, and gives the inputs that are whole now.
    pub fn take(&mut self, bytes: &[u8]) -> Vec<Input> {
        self.held.extend_from_slice(bytes);
        let mut out = Vec::new();
        let mut at = 0;
        while at < self.held.len() {
            if self.paste.is_some() {
                at = self.take_paste(at, &mut out);
                if self.paste.is_some() {
                    break;
                }
                continue;
            }
            let rest = self.held.get(at..).unwrap_or_default();
            if self.overlong {
                let Some(n) = end_of_string(rest) else {
                    // An escape may be half of its end.
                    at = self.held.len() - usize::from(rest.ends_with(&[ESC]));
                    break;
                };
                at += n;
                self.overlong = false;
                continue;
            }
            let begins = rest.starts_with(b"\x1b[200~");
            match step(rest) {
                Step::Done(n, input) => {
                    at += n;
                    out.extend(input);
                    if begins {
                        self.paste = Some(Vec::new());
                    }
                }
                Step::More => break,
                Step::Overlong => {
                    self.overlong = true;
                    at = self.held.len();
                }
            }
        }
        self.held.drain(..at);
        out
    }

    /// How long to wait for the rest of what is held; none where nothing is, or a paste goes on.
    pub fn patience(&self) -> Option<Duration> {
        if self.overlong {
            return Some(SEQUENCE);
        }
        if self.paste.is_some() || self.held.is_empty() {
            return None;
        }
        Some(if self.may_be_a_key() { KEY } else { SEQUENCE })
    }

    /// Nothing followed: what is held is the key it looks like, or was broken off.
    pub fn give_up(&mut self) -> Option<Input> {
        if self.paste.is_some() {
            return None;
        }
        if std::mem::take(&mut self.overlong) {
            self.held.clear();
            return None;
        }
        match std::mem::take(&mut self.held).as_slice() {
            [ESC] => Some(plain(KeyCode::Esc, KeyModifiers::NONE)),
            [ESC, c] => Some(plain(KeyCode::Char(char::from(*c)), KeyModifiers::ALT)),
            _ => None,
        }
    }

    fn may_be_a_key(&self) -> bool {
        matches!(self.held.as_slice(), [ESC] | [ESC, _])
    }

    /// Adds to the paste up to its end; gives where the rest begins.
    fn take_paste(&mut self, at: usize, out: &mut Vec<Input>) -> usize {
        let rest = self.held.get(at..).unwrap_or_default();
        let Some(paste) = &mut self.paste else {
            return at;
        };
        if let Some(end) = memchr::memmem::find(rest, PASTE_END) {
            paste.extend_from_slice(rest.get(..end).unwrap_or_default());
            let text = String::from_utf8_lossy(paste).into_owned();
            out.push(Input::Paste(text));
            self.paste = None;
            return at + end + PASTE_END.len();
        }
        // The last bytes may be the beginning of the end.
        let sure = rest.len().saturating_sub(PASTE_END.len() - 1);
        paste.extend_from_slice(rest.get(..sure).unwrap_or_default());
        at + sure
    }
}

fn step(bytes: &[u8]) -> Step {
    match bytes {
        [ESC] => Step::More,
        [ESC, b'[', ..] => csi::step(bytes),
        [ESC, b'O', ..] => ss3(bytes),
        [ESC, b']', ..] => string(bytes, answer),
        [ESC, b'P' | b'_' | b'^' | b'X', ..] => string(bytes, |_| None),
        [ESC, ESC, ..] => Step::Done(1, Some(plain(KeyCode::Esc, KeyModifiers::NONE))),
        [ESC, rest @ ..] => match character(rest) {
            Step::Done(n, Some(Input::Key(key))) => {
                let key = KeyEvent {
                    modifiers: key.modifiers | KeyModifiers::ALT,
                    ..key
                };
                Step::Done(n + 1, Some(Input::Key(key)))
            }
            Step::Done(n, other) => Step::Done(n + 1, other),
            other => other,
        },
        _ => character(bytes),
    }
}

fn plain(code: KeyCode, modifiers: KeyModifiers) -> Input {
    Input::Key(KeyEvent::new(code, modifiers))
}

/// One character: a control is a key with Ctrl, bytes that are no text are dropped.
fn character(bytes: &[u8]) -> Step {
    let Some(&first) = bytes.first() else {
        return Step::More;
    };
    if let Some((code, modifiers)) = key::control(first) {
        return Step::Done(1, Some(plain(code, modifiers)));
    }
    let len = match first {
        0x00..=0x7f => 1,
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return Step::Done(1, None),
    };
    let Some(found) = bytes.get(..len) else {
        return match std::str::from_utf8(bytes) {
            Err(e) if e.error_len().is_some() => Step::Done(1, None),
            _ => Step::More,
        };
    };
    let Some(c) = std::str::from_utf8(found)
        .ok()
        .and_then(|s| s.chars().next())
    else {
        return Step::Done(1, None);
    };
    let shift = if c.is_uppercase() {
        KeyModifiers::SHIFT
    } else {
        KeyModifiers::NONE
    };
    Step::Done(len, Some(plain(KeyCode::Char(c), shift)))
}

/// `ESC O` and a letter: keys of the keypad's other mode.
fn ss3(bytes: &[u8]) -> Step {
    match bytes.get(2) {
        None => Step::More,
        Some(c) => {
            let code = key::letter(*c);
            Step::Done(3, code.map(|code| plain(code, KeyModifiers::NONE)))
        }
    }
}

/// A string of the terminal, up to BEL or ST. Never typed text, whatever is in it.
fn string(bytes: &[u8], read: impl Fn(&[u8]) -> Option<Input>) -> Step {
    let body = bytes.get(2..).unwrap_or_default();
    let Some(end) = memchr::memchr3(BEL, ESC, 0x18, body) else {
        return if body.len() > LONGEST {
            Step::Overlong
        } else {
            Step::More
        };
    };
    let said = body.get(..end).unwrap_or_default();
    match (body.get(end), body.get(end + 1)) {
        (Some(&ESC), None) => Step::More,
        (Some(&ESC), Some(b'\\')) => Step::Done(end + 4, read(said)),
        // Another sequence begins: this one was broken off.
        (Some(&ESC), Some(_)) => Step::Done(end + 2, None),
        _ => Step::Done(end + 3, read(said)),
    }
}

/// How many bytes lead to the end of a string and over it; none where the end has not come.
fn end_of_string(rest: &[u8]) -> Option<usize> {
    let end = memchr::memchr3(BEL, ESC, 0x18, rest)?;
    match (rest.get(end), rest.get(end + 1)) {
        (Some(&ESC), None) => None,
        (Some(&ESC), Some(b'\\')) => Some(end + 2),
        // Another sequence begins: this one was broken off.
        (Some(&ESC), Some(_)) => Some(end),
        _ => Some(end + 1),
    }
}

/// `11;rgb:ffff/ffff/ffff`: the colour of the page (OSC 11).
fn answer(said: &[u8]) -> Option<Input> {
    let said = std::str::from_utf8(said).ok()?;
    let colour = said.strip_prefix("11;")?;
    let parts = colour
        .strip_prefix("rgb:")
        .or_else(|| colour.strip_prefix("rgba:"))?;
    let mut parts = parts.split('/').map(share);
    let rgb = [parts.next()??, parts.next()??, parts.next()??];
    Some(Input::Terminal(Answer::Page(rgb)))
}

/// One to four hexadecimal digits as a share of all, in 256ths.
fn share(digits: &str) -> Option<u8> {
    let most = match digits.len() {
        n @ 1..=4 => (1_u32 << (4 * n)) - 1,
        _ => return None,
    };
    let value = u32::from_str_radix(digits, 16).ok()?;
    u8::try_from(value * 255 / most).ok()
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyEventKind, MouseButton, MouseEventKind};
    use proptest::prelude::*;

    use super::*;

    fn heard(bytes: &[u8]) -> Vec<Input> {
        Heard::default().take(bytes)
    }

    fn keys(bytes: &[u8]) -> Vec<(KeyCode, KeyModifiers)> {
        heard(bytes)
            .into_iter()
            .filter_map(|i| match i {
                Input::Key(k) => Some((k.code, k.modifiers)),
                _ => None,
            })
            .collect()
    }

    const NONE: KeyModifiers = KeyModifiers::NONE;
    const CTRL: KeyModifiers = KeyModifiers::CONTROL;
    const ALT: KeyModifiers = KeyModifiers::ALT;
    const SHIFT: KeyModifiers = KeyModifiers::SHIFT;

    #[test]
    fn keys_are_what_terminals_send_for_them() {
        for (bytes, code, mods) in [
            (&b"a"[..], KeyCode::Char('a'), NONE),
            (b"A", KeyCode::Char('A'), SHIFT),
            ("ß".as_bytes(), KeyCode::Char('ß'), NONE),
            ("灯".as_bytes(), KeyCode::Char('灯'), NONE),
            (b" ", KeyCode::Char(' '), NONE),
            (b"\r", KeyCode::Enter, NONE),
            (b"\n", KeyCode::Char('j'), CTRL),
            (b"\t", KeyCode::Tab, NONE),
            (b"\x7f", KeyCode::Backspace, NONE),
            (b"\x08", KeyCode::Char('h'), CTRL),
            (b"\x00", KeyCode::Char(' '), CTRL),
            (b"\x10", KeyCode::Char('p'), CTRL),
            (b"\x1f", KeyCode::Char('7'), CTRL),
            (b"\x1ba", KeyCode::Char('a'), ALT),
            (b"\x1b\r", KeyCode::Enter, ALT),
            (b"\x1b[A", KeyCode::Up, NONE),
            (b"\x1bOA", KeyCode::Up, NONE),
            (b"\x1bOP", KeyCode::F(1), NONE),
            (b"\x1b[11~", KeyCode::F(1), NONE),
            (b"\x1b[[A", KeyCode::F(1), NONE),
            (b"\x1b[15~", KeyCode::F(5), NONE),
            (b"\x1b[24;5~", KeyCode::F(12), CTRL),
            (b"\x1b[1~", KeyCode::Home, NONE),
            (b"\x1b[H", KeyCode::Home, NONE),
            (b"\x1b[3~", KeyCode::Delete, NONE),
            (b"\x1b[3;3~", KeyCode::Delete, ALT),
            (b"\x1b[5;5~", KeyCode::PageUp, CTRL),
            (b"\x1b[1;2C", KeyCode::Right, SHIFT),
            (b"\x1b[1;6D", KeyCode::Left, CTRL.union(SHIFT)),
            (b"\x1b[Z", KeyCode::BackTab, SHIFT),
            // kitty's protocol, and what xterm sends with modifyOtherKeys.
            (b"\x1b[27u", KeyCode::Esc, NONE),
            (b"\x1b[13;2u", KeyCode::Enter, SHIFT),
            (b"\x1b[27;2;13~", KeyCode::Enter, SHIFT),
            (b"\x1b[97;5u", KeyCode::Char('a'), CTRL),
            (b"\x1b[106;5u", KeyCode::Char('j'), CTRL),
            (b"\x1b[9;2u", KeyCode::BackTab, SHIFT),
            (b"\x1b[127;3u", KeyCode::Backspace, ALT),
            (b"\x1b[57414u", KeyCode::Enter, NONE),
            (b"\x1b[57400;129u", KeyCode::Char('1'), NONE),
            (b"\x1b[97:65;2u", KeyCode::Char('A'), SHIFT),
        ] {
            assert_eq!(
                keys(bytes),
                [(code, mods)],
                "{:?}",
                bytes.escape_ascii().to_string()
            );
        }
    }

    #[test]
    fn a_key_that_is_let_go_or_repeats_says_so() {
        let kinds = |bytes| match heard(bytes).as_slice() {
            [Input::Key(k)] => Some(k.kind),
            _ => None,
        };
        assert_eq!(kinds(b"\x1b[97;1:3u"), Some(KeyEventKind::Release));
        assert_eq!(kinds(b"\x1b[97;1:2u"), Some(KeyEventKind::Repeat));
        assert_eq!(kinds(b"\x1b[1;1:3A"), Some(KeyEventKind::Release));
        // A key of the desktop is none of ours, and a modifier alone is no key.
        assert_eq!(heard(b"\x1b[97;9u\x1b[57441;2u"), []);
    }

    #[test]
    fn an_answer_is_never_typing_however_it_comes() {
        let dark = Input::Terminal(Answer::Page([0x1e, 0x1e, 0x2e]));
        let stream = b"x\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\\x1b[?1u\x1b[?62;22c\x1bP>|XTerm(370)\x1b\\\x1b]10;rgb:0/0/0\x07y";
        let want = vec![
            plain(KeyCode::Char('x'), NONE),
            dark,
            Input::Terminal(Answer::Keyboard),
            Input::Terminal(Answer::Attributes),
            plain(KeyCode::Char('y'), NONE),
        ];
        assert_eq!(heard(stream), want);
        for cut in 1..stream.len() {
            let mut heard = Heard::default();
            let (a, b) = stream.split_at(cut);
            let mut got = heard.take(a);
            got.extend(heard.take(b));
            assert_eq!(got, want, "cut at {cut}");
        }
        for (said, light) in [
            ("ffff/ffff/ffff", [255; 3]),
            ("f/f/f", [255; 3]),
            ("ff/80/00", [255, 128, 0]),
        ] {
            let bytes = format!("\x1b]11;rgb:{said}\x07");
            assert_eq!(
                heard(bytes.as_bytes()),
                [Input::Terminal(Answer::Page(light))]
            );
        }
    }

    #[test]
    fn an_escape_alone_is_a_key_when_nothing_follows() {
        let mut heard = Heard::default();
        assert_eq!(heard.take(b"\x1b"), []);
        assert_eq!(heard.patience(), Some(KEY));
        assert_eq!(heard.give_up(), Some(plain(KeyCode::Esc, NONE)));
        assert_eq!(heard.take(b"a"), [plain(KeyCode::Char('a'), NONE)]);
        assert_eq!(heard.take(b"\x1b["), []);
        assert_eq!(heard.give_up(), Some(plain(KeyCode::Char('['), ALT)));
        assert_eq!(heard.take(b"\x1b[1;"), []);
        assert_eq!(
            heard.patience(),
            Some(SEQUENCE),
            "one that was begun is waited for longer"
        );
        assert_eq!(heard.take(b"5A"), [plain(KeyCode::Up, CTRL)]);
        assert_eq!(heard.patience(), None);
    }

    #[test]
    fn the_mouse_says_where_and_what() {
        let mouse = |bytes| match heard(bytes).as_slice() {
            [Input::Mouse(m)] => Some((m.kind, m.column, m.row)),
            _ => None,
        };
        let left = MouseButton::Left;
        assert_eq!(
            mouse(b"\x1b[<0;5;7M"),
            Some((MouseEventKind::Down(left), 4, 6))
        );
        assert_eq!(
            mouse(b"\x1b[<0;5;7m"),
            Some((MouseEventKind::Up(left), 4, 6))
        );
        assert_eq!(
            mouse(b"\x1b[<32;1;1M"),
            Some((MouseEventKind::Drag(left), 0, 0))
        );
        assert_eq!(
            mouse(b"\x1b[<64;1;1M"),
            Some((MouseEventKind::ScrollUp, 0, 0))
        );
        assert_eq!(
            mouse(b"\x1b[<65;1;1M"),
            Some((MouseEventKind::ScrollDown, 0, 0))
        );
        assert_eq!(
            mouse(b"\x1b[M !!"),
            Some((MouseEventKind::Down(left), 0, 0))
        );
        assert_eq!(
            mouse(b"\x1b[<0;0;0M"),
            Some((MouseEventKind::Down(left), 0, 0))
        );
    }

    #[test]
    fn a_paste_is_one_text_however_it_is_cut() {
        let stream = b"\x1b[200~one\rtw\x1b[o \xe7\x81\xaf\x1b[201~z\x1b[I\x1b[O";
        let want = vec![
            Input::Paste("one\rtw\x1b[o 灯".to_owned()),
            plain(KeyCode::Char('z'), NONE),
            Input::Focus(true),
            Input::Focus(false),
        ];
        for cut in 0..stream.len() {
            let mut heard = Heard::default();
            let (a, b) = stream.split_at(cut);
            let mut got = heard.take(a);
            got.extend(heard.take(b));
            assert_eq!(got, want, "cut at {cut}");
        }
    }

    #[test]
    fn a_string_is_swallowed_to_its_end_whatever_its_length() {
        let long = vec![b'f'; 200_000];
        for begin in [&b"]11;rgb:"[..], b"P", b"_"] {
            for end in [&b""[..], b"\\", b""] {
                let stream = [b"x", begin, &long, end, b"y"].concat();
                for piece in [1, 4099, 65_536, stream.len()] {
                    let mut heard = Heard::default();
                    let mut got = Vec::new();
                    for bytes in stream.chunks(piece) {
                        got.extend(heard.take(bytes));
                        assert!(heard.held.len() <= LONGEST + 16, "nothing of it is kept");
                    }
                    let key = |c| plain(KeyCode::Char(c), NONE);
                    assert_eq!(got, [key('x'), key('y')], "{piece}");
                    assert_eq!(heard.patience(), None);
                }
            }
        }
    }

    #[test]
    fn a_long_string_that_was_broken_off_holds_no_key_for_ever() {
        let mut heard = Heard::default();
        heard.take(b"]11;");
        assert_eq!(heard.take(&[b'f'; 9_000]), []);
        assert_eq!(heard.take(b""), []);
        assert_eq!(heard.patience(), Some(SEQUENCE));
        assert_eq!(heard.give_up(), None, "half of its end is no key");
        assert_eq!(heard.take(b"a"), [plain(KeyCode::Char('a'), NONE)]);
        heard.take(b"]11;");
        heard.take(&[b'f'; 9_000]);
        assert_eq!(heard.take(b"[A"), [plain(KeyCode::Up, NONE)]);
    }

    proptest! {
            #[test]
            fn any_bytes_are_taken_and_typing_goes_on_behind_them(
                bytes in prop::collection::vec(any::<u8>(), 0..80),
            ) {
                let mut heard = Heard::default();
                drop(heard.take(&bytes));
                drop(heard.take(b"\x1b[201~\x18\x1b\\\x18\x07~"));
                drop(heard.give_up());
    let last = heard.take(b"a").pop();
                prop_assert_eq!(last, Some(plain(KeyCode::Char('a'), NONE)));
            }
        }
}

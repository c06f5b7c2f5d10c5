//! The clipboard of the terminal, over any number of hops (OSC 52), and through what the window stands in.

use std::io::Write;
use std::process::{Command, Stdio};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::kind::Within;

/// Bytes of the longest text that is sent: a hundred thousand when encoded, which the narrowest terminals take.
pub const LONGEST: usize = 74_994;
/// Bytes of one of screen's strings: its buffer is 768, the wrapping included.
const CHUNK: usize = 512;

/// The bytes that put a text on the clipboard. None where it is too long.
pub(super) fn copy(text: &str, within: Within) -> Option<Vec<u8>> {
    if text.len() > LONGEST {
        return None;
    }
    let plain = format!("\x1b]52;c;{}\x07", STANDARD.encode(text)).into_bytes();
    Some(match within {
        Within::Nothing => plain,
        // tmux takes it itself with `set-clipboard on`, and passes the second with `allow-passthrough on`.
        Within::Tmux => [plain.clone(), tmux(&plain)].concat(),
        Within::Screen => screen(&plain),
        // tmux leaves screen's strings alone, and screen what tmux takes.
        Within::Either => [plain.clone(), screen(&plain)].concat(),
    })
}

/// Gives a text to the tmux server itself, which has a clipboard of its own and passes it on (`load-buffer -w`, from
/// 3.2 on): as it is set at first, tmux heeds neither code. Not waited for; where it fails the codes remain.
pub(super) fn give_to_tmux(text: &str) {
    let tmux = Command::new("tmux")
        .args(["load-buffer", "-w", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut tmux) = tmux else {
        return;
    };
    let text = text.to_owned();
    drop(std::thread::spawn(move || {
        // A server that does not take it is one that has ended.
        drop(
            tmux.stdin
                .take()
                .map(|mut to| to.write_all(text.as_bytes())),
        );
        drop(tmux.wait());
    }));
}

/// Through tmux: `ESC P tmux;`, every ESC twice.
fn tmux(bytes: &[u8]) -> Vec<u8> {
    let mut out = b"\x1bPtmux;".to_vec();
    for &byte in bytes {
        if byte == 0x1b {
            out.push(byte);
        }
        out.push(byte);
    }
    out.extend(b"\x1b\\");
    out
}

/// Through screen: strings that it passes on as they are, each as long as it takes.
fn screen(bytes: &[u8]) -> Vec<u8> {
    let strings = bytes
        .chunks(CHUNK)
        .map(|c| [b"\x1bP", c, b"\x1b\\"].concat());
    strings.collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn what_stands_between_passes_the_text_on() {
        let bytes = |within| String::from_utf8(copy("Hi", within).unwrap()).unwrap();
        assert_eq!(bytes(Within::Nothing), "\x1b]52;c;SGk=\x07");
        assert_eq!(
            bytes(Within::Tmux),
            "\x1b]52;c;SGk=\x07\x1bPtmux;\x1b\x1b]52;c;SGk=\x07\x1b\\"
        );
        assert_eq!(bytes(Within::Screen), "\x1bP\x1b]52;c;SGk=\x07\x1b\\");
        assert!(bytes(Within::Either).starts_with(&bytes(Within::Nothing)));
    }

    #[test]
    fn screens_strings_are_short_and_whole() {
        let got = copy(&"word ".repeat(2000), Within::Screen).unwrap();
        let text = String::from_utf8(got).unwrap();
        let parts: Vec<&str> = text.split("\x1b\\").collect();
        assert!(parts.iter().all(|p| p.len() < 768));
        let joined: String = parts
            .iter()
            .map(|p| p.strip_prefix("\x1bP").unwrap_or(p))
            .collect();
        assert_eq!(
            joined.as_bytes(),
            copy(&"word ".repeat(2000), Within::Nothing).unwrap()
        );
    }

    #[test]
    fn a_text_that_is_too_long_is_not_sent_in_part() {
        assert!(copy(&"a".repeat(LONGEST), Within::Nothing).is_some());
        assert_eq!(copy(&"a".repeat(LONGEST + 1), Within::Nothing), None);
    }
}

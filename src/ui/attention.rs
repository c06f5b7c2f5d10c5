//! Calling the writer: a bell, or the code by which a terminal shows a notification of the desktop.
//!
//! Codes: OSC 9 as iTerm2 documents it (`ESC ] 9 ; text ST`), OSC 777 as rxvt-unicode's `notify` does
//! (`ESC ] 777 ; notify ; title ; text ST`), OSC 99 as kitty's protocol for notifications does. A terminal that
//! does not know a code passes over all of it up to its end.

use crate::config::Notify;
use crate::text::one_line;

/// Characters of what a notification says.
const TEXT_MAX: usize = 160;
/// Its title; an OSC 9, which has none, begins with it, so that no number is taken for a command of ConEmu.
const TITLE: &str = "Fascicle";

/// How this terminal is made to call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Caller {
    code: Code,
    /// Inside tmux: the code is wrapped so that it reaches the terminal outside.
    wrapped: bool,
}

/// The code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Code {
    None,
    #[default]
    Bell,
    Osc9,
    Osc777,
    Osc99,
}

/// What a terminal is known by: a variable, what its value begins with, its code.
const KNOWN: [(&str, &str, Code); 10] = [
    ("TERM", "xterm-kitty", Code::Osc99),
    ("KITTY_WINDOW_ID", "", Code::Osc99),
    ("TERM", "xterm-ghostty", Code::Osc9),
    ("TERM", "foot", Code::Osc777),
    ("TERM_PROGRAM", "ghostty", Code::Osc9),
    ("TERM_PROGRAM", "iTerm.app", Code::Osc9),
    ("TERM_PROGRAM", "WezTerm", Code::Osc9),
    ("LC_TERMINAL", "iTerm2", Code::Osc9),
    ("WEZTERM_PANE", "", Code::Osc9),
    ("VTE_VERSION", "", Code::Osc777),
];

/// Terminals that show what they do not know.
const PLAIN: [&str; 2] = ["linux", "dumb"];

impl Caller {
    /// By the setting and the variables. Inside a multiplexer nothing tells whether it lets a code through: there
    /// it is the bell, unless the writer has named a code; tmux passes that on where its `allow-passthrough` is on.
    pub fn choose(wanted: Notify, var: impl Fn(&str) -> Option<String>) -> Self {
        let var = |name: &str| var(name).filter(|v| !v.is_empty());
        let tmux = var("TMUX").is_some();
        let code = match wanted {
            Notify::Off => Code::None,
            Notify::Bell => Code::Bell,
            _ if plain(&var("TERM").unwrap_or_default()) => Code::Bell,
            Notify::Osc9 => Code::Osc9,
            Notify::Osc777 => Code::Osc777,
            Notify::Osc99 => Code::Osc99,
            Notify::Auto if tmux || var("STY").is_some() => Code::Bell,
            Notify::Auto => {
                let known = KNOWN
                    .iter()
                    .find(|k| var(k.0).is_some_and(|v| v.starts_with(k.1)));
                known.map_or(Code::Bell, |k| k.2)
            }
        };
        Self {
            code,
            wrapped: tmux && !matches!(code, Code::None | Code::Bell),
        }
    }

    /// The bytes that call, with what there is to say; none when nothing is to call.
    pub fn bytes(self, text: &str) -> Option<Vec<u8>> {
        let text = safe(text);
        let osc = match self.code {
            Code::None => return None,
            Code::Bell => return Some(b"\x07".to_vec()),
            Code::Osc9 => format!("\x1b]9;{TITLE}: {text}\x1b\\"),
            // A semicolon would end the text.
            Code::Osc777 => format!("\x1b]777;notify;{TITLE};{}\x1b\\", text.replace(';', ",")),
            Code::Osc99 => {
                format!(
                    "\x1b]99;i=fascicle:d=0;{TITLE}\x1b\\\x1b]99;i=fascicle:d=1:p=body;{text}\x1b\\"
                )
            }
        };
        Some(if self.wrapped { tmux(&osc) } else { osc }.into_bytes())
    }
}

fn plain(term: &str) -> bool {
    PLAIN.contains(&term)
}

/// A text without anything that could end a code or begin another, a line at most.
fn safe(text: &str) -> String {
    let line = one_line(text);
    let whole = line.chars().count() <= TEXT_MAX;
    let shown = line.chars().filter(|c| !c.is_control()).take(TEXT_MAX);
    let mut out: String = shown.collect();
    if !whole {
        out.push('…');
    }
    out
}

/// A code for the terminal outside of tmux: each escape character twice (tmux(1), `allow-passthrough`).
fn tmux(code: &str) -> String {
    format!("\x1bPtmux;{}\x1b\\", code.replace('\x1b', "\x1b\x1b"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    fn call(wanted: Notify, vars: &[(&str, &str)], text: &str) -> Option<String> {
        let var = |name: &str| {
            let found = vars.iter().find(|v| v.0 == name);
            found.map(|v| v.1.to_owned())
        };
        let bytes = Caller::choose(wanted, var).bytes(text)?;
        Some(String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn a_known_terminal_gets_its_code_and_every_other_the_bell() {
        let nine = "\x1b]9;Fascicle: Done; 2.\x1b\\";
        let seven = "\x1b]777;notify;Fascicle;Done, 2.\x1b\\";
        let kitty =
            "\x1b]99;i=fascicle:d=0;Fascicle\x1b\\\x1b]99;i=fascicle:d=1:p=body;Done; 2.\x1b\\";
        for (vars, bytes) in [
            (&[("TERM_PROGRAM", "iTerm.app")][..], nine),
            (&[("LC_TERMINAL", "iTerm2")], nine),
            (&[("TERM_PROGRAM", "WezTerm")], nine),
            (&[("TERM", "xterm-ghostty")], nine),
            (&[("TERM", "xterm-kitty")], kitty),
            (&[("TERM", "foot-extra")], seven),
            (
                &[("TERM", "xterm-256color"), ("VTE_VERSION", "7600")],
                seven,
            ),
            (&[("TERM", "xterm-256color")], "\x07"),
            (&[("KONSOLE_VERSION", "240801")], "\x07"),
            (&[("TERM", "linux"), ("VTE_VERSION", "7600")], "\x07"),
            (
                &[
                    ("TERM", "tmux"),
                    ("TMUX", "/tmp/t"),
                    ("KITTY_WINDOW_ID", "1"),
                ],
                "\x07",
            ),
            (
                &[("TERM", "screen"), ("STY", "1"), ("VTE_VERSION", "7600")],
                "\x07",
            ),
        ] {
            assert_eq!(
                call(Notify::Auto, vars, "Done; 2.").as_deref(),
                Some(bytes),
                "{vars:?}"
            );
        }
    }

    #[test]
    fn a_code_that_was_named_is_used_where_it_can_do_no_harm() {
        assert_eq!(call(Notify::Off, &[], "x"), None);
        assert_eq!(
            call(Notify::Osc9, &[("TERM", "xterm")], "x").unwrap(),
            "\x1b]9;Fascicle: x\x1b\\"
        );
        assert_eq!(
            call(Notify::Osc9, &[("TMUX", "/tmp/t")], "x").unwrap(),
            "\x1bPtmux;\x1b\x1b]9;Fascicle: x\x1b\x1b\\\x1b\\"
        );
        for term in PLAIN {
            assert_eq!(call(Notify::Osc99, &[("TERM", term)], "x").unwrap(), "\x07");
        }
    }

    #[test]
    fn what_is_said_ends_no_code_and_is_short() {
        let hostile = format!("a\x1b]0;x\x07b\u{9c}c\n{}", "d".repeat(500));
        let got = call(Notify::Osc9, &[], &hostile).unwrap();
        let inner = got
            .strip_prefix("\x1b]9;")
            .unwrap()
            .strip_suffix("\x1b\\")
            .unwrap();
        assert!(inner.chars().all(|c| !c.is_control()), "{got:?}");
        assert!(inner.chars().count() <= TEXT_MAX + 12, "{got:?}");
    }
}

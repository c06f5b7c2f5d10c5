//! What the environment says of the terminal. Nothing is looked up in a database: what a name promises has
//! to hold at the other end of an ssh as well, where that database is another one.

use crate::ui::theme::{Colours, Look};

/// Terminals that know every colour and say so by name only.
const TRUE: [&str; 9] = [
    "direct",
    "kitty",
    "alacritty",
    "ghostty",
    "foot",
    "wezterm",
    "contour",
    "iterm",
    "rio",
];
/// Terminals of letters: no colours, and no codes but for moving about.
const LETTERS: [&str; 4] = ["vt100", "vt102", "vt220", "ansi-m"];

/// What stands between the window and the terminal that shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Within {
    /// Nothing that is known.
    #[default]
    Nothing,
    /// tmux, here or at the other end of an ssh.
    Tmux,
    /// GNU screen.
    Screen,
    /// One of the two: `TERM` is `screen`, which old tmux says too.
    Either,
}

/// What kind of terminal this is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Kind {
    /// Colours it shows and that are wanted.
    pub colours: Colours,
    /// What it stands in.
    pub within: Within,
    /// tmux runs on this machine and can be spoken to.
    pub tmux_here: bool,
    /// A console of few letters and no codes beyond colours: nothing is asked of it, no title, no links.
    pub console: bool,
    /// It cannot move the cursor: there can be no window.
    pub dumb: bool,
    /// Whether its page is light, as far as is known without asking.
    pub light: Option<bool>,
}

impl Kind {
    /// From the environment: `NO_COLOR` (no-color.org), `COLORTERM`, `TERM`, `TMUX`, `STY`, `COLORFGBG`.
    pub fn of(var: impl Fn(&str) -> Option<String>) -> Self {
        let var = |name: &str| var(name).filter(|v| !v.is_empty());
        let term = var("TERM").unwrap_or_default();
        let within = within(&term, &var);
        let console = term == "linux" || LETTERS.iter().any(|n| term.starts_with(n));
        Self {
            colours: colours(&term, within, &var),
            within,
            tmux_here: var("TMUX").is_some(),
            console,
            dumb: term == "dumb",
            light: match var("COLORFGBG") {
                _ if console => Some(false),
                Some(said) => is_light(&said),
                None => None,
            },
        }
    }

    /// Whether there may be no other screen to go to: a console has none, and GNU screen as it is set at first.
    pub fn has_one_screen(self) -> bool {
        self.console || matches!(self.within, Within::Screen | Within::Either)
    }

    /// Whether slanted letters look slanted: elsewhere they come out as reversed, coloured or not at all.
    pub fn slants(self) -> bool {
        !self.console && !matches!(self.within, Within::Screen | Within::Either)
    }

    /// What the styles are made for.
    pub fn look(self) -> Look {
        Look {
            colours: self.colours,
            light: self.light,
        }
    }
}

fn within(term: &str, var: &impl Fn(&str) -> Option<String>) -> Within {
    if var("TMUX").is_some() || term.starts_with("tmux") {
        Within::Tmux
    } else if var("STY").is_some() {
        Within::Screen
    } else if term.starts_with("screen") {
        Within::Either
    } else {
        Within::Nothing
    }
}

fn colours(term: &str, within: Within, var: &impl Fn(&str) -> Option<String>) -> Colours {
    let letters = LETTERS.iter().any(|n| term.starts_with(n));
    if var("NO_COLOR").is_some() || term == "dumb" || letters {
        return Colours::None;
    }
    let many = term.contains("256color");
    // screen passes no 24 bits on, though the terminal around it may have left its COLORTERM here.
    let passed = !matches!(within, Within::Screen | Within::Either) && term != "linux";
    let said = matches!(var("COLORTERM").as_deref(), Some("truecolor" | "24bit"));
    if passed && (said || TRUE.iter().any(|n| term.contains(n))) {
        Colours::True
    } else if many {
        Colours::Ansi256
    } else {
        Colours::Ansi16
    }
}

/// `15;0` or `0;default;15`: the last is the page, one of the sixteen.
fn is_light(said: &str) -> Option<bool> {
    let page: u8 = said.rsplit(';').next()?.trim().parse().ok()?;
    match page {
        7 | 9..=15 => Some(true),
        0..=6 | 8 => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(vars: &[(&str, &str)]) -> Kind {
        Kind::of(|name| {
            let found = vars.iter().find(|v| v.0 == name);
            found.map(|v| v.1.to_owned())
        })
    }

    #[test]
    fn colours_go_by_what_the_terminal_says_and_what_it_stands_in() {
        for (vars, colours) in [
            (&[("TERM", "xterm")][..], Colours::Ansi16),
            (&[("TERM", "xterm-256color")], Colours::Ansi256),
            (&[("TERM", "xterm-kitty")], Colours::True),
            (&[("TERM", "xterm-direct")], Colours::True),
            (
                &[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")],
                Colours::True,
            ),
            (
                &[("TERM", "tmux-256color"), ("COLORTERM", "24bit")],
                Colours::True,
            ),
            (
                &[
                    ("TERM", "screen.xterm-256color"),
                    ("COLORTERM", "truecolor"),
                    ("STY", "1.x"),
                ],
                Colours::Ansi256,
            ),
            (
                &[("TERM", "screen"), ("COLORTERM", "truecolor")],
                Colours::Ansi16,
            ),
            (
                &[("TERM", "linux"), ("COLORTERM", "truecolor")],
                Colours::Ansi16,
            ),
            (&[("TERM", "vt220")], Colours::None),
            (&[("TERM", "dumb")], Colours::None),
            (&[], Colours::Ansi16),
            (&[("TERM", "xterm-kitty"), ("NO_COLOR", "1")], Colours::None),
            (&[("TERM", "xterm-kitty"), ("NO_COLOR", "")], Colours::True),
        ] {
            assert_eq!(kind(vars).colours, colours, "{vars:?}");
        }
    }

    #[test]
    fn what_stands_around_it_is_known_by_variables_and_by_name() {
        for (vars, within, slants) in [
            (
                &[("TERM", "screen-256color"), ("TMUX", "/tmp/x")][..],
                Within::Tmux,
                true,
            ),
            (&[("TERM", "tmux-256color")], Within::Tmux, true),
            (&[("TERM", "screen"), ("STY", "7.x")], Within::Screen, false),
            (&[("TERM", "screen-256color")], Within::Either, false),
            (&[("TERM", "xterm")], Within::Nothing, true),
            (&[("TERM", "linux")], Within::Nothing, false),
        ] {
            let got = kind(vars);
            assert_eq!((got.within, got.slants()), (within, slants), "{vars:?}");
        }
    }

    #[test]
    fn the_page_is_known_where_it_is_said() {
        let light = |said| kind(&[("TERM", "rxvt"), ("COLORFGBG", said)]).light;
        assert_eq!(light("15;0"), Some(false));
        assert_eq!(light("0;default;15"), Some(true));
        assert_eq!(light("0;7"), Some(true));
        assert_eq!(light("12;8"), Some(false));
        assert_eq!(light("default;default"), None);
        assert_eq!(kind(&[("TERM", "xterm")]).light, None);
        assert_eq!(
            kind(&[("TERM", "linux"), ("COLORFGBG", "0;15")]).light,
            Some(false)
        );
    }
}

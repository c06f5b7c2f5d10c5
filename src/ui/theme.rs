//! Colours and weights. Meaning is never carried by colour alone.

use ratatui::style::{Color, Modifier, Style};

/// How many colours there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Colours {
    /// None: weights only (`NO_COLOR`, a plain terminal).
    None,
    /// The terminal's own sixteen.
    #[default]
    Ansi16,
    /// The 256 of the extended palette.
    Ansi256,
    /// Any.
    True,
}

/// What the terminal can show, and what the writer likes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Look {
    /// Colours to use.
    pub colours: Colours,
    /// Whether the page is light; `None` when that is not known.
    pub light: Option<bool>,
}

/// The styles of the window. Words are in the terminal's own foreground.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theme {
    /// Words.
    pub base: Style,
    /// What is there to be looked up: times, hints.
    pub dim: Style,
    /// You are here.
    pub accent: Style,
    /// The writer's label.
    pub speaker_you: Style,
    /// The agent's label.
    pub speaker_agent: Style,
    /// Needs attention.
    pub warn: Style,
    /// Went well.
    pub ok: Style,
    /// Code.
    pub code: Style,
    /// Quoted text.
    pub quote: Style,
    /// Headings.
    pub heading: Style,
    /// The row or text chosen.
    pub selected: Style,
    /// The thin rule between panes.
    pub rule: Style,
}

impl Theme {
    /// The styles for a look.
    pub fn new(look: Look) -> Self {
        let plain = Style::new();
        let tint = |tint: Tint| match tint.of(look) {
            Some(colour) => plain.fg(colour),
            None => plain,
        };
        let dim = match Tint::DIM.of(look) {
            Some(colour) => plain.fg(colour),
            None => plain.add_modifier(Modifier::DIM),
        };
        Self {
            base: plain,
            dim,
            accent: tint(Tint::ACCENT).add_modifier(Modifier::BOLD),
            speaker_you: dim,
            speaker_agent: dim,
            warn: tint(Tint::WARN).add_modifier(Modifier::BOLD),
            ok: tint(Tint::OK),
            code: tint(Tint::CODE),
            quote: plain.add_modifier(Modifier::ITALIC),
            heading: plain.add_modifier(Modifier::BOLD),
            selected: plain.add_modifier(Modifier::REVERSED),
            rule: dim,
        }
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::new(Look::default())
    }
}

/// A colour in each palette: sixteen, and for a dark and a light page.
struct Tint {
    ansi: Option<Color>,
    dark: (u8, u32),
    light: (u8, u32),
}

impl Tint {
    const ACCENT: Self = Self::new(Some(Color::Cyan), (80, 0x5f_d7d7), (30, 0x00_7070));
    const DIM: Self = Self::new(None, (245, 0x8a_8a8a), (243, 0x70_7070));
    const WARN: Self = Self::new(Some(Color::Yellow), (179, 0xd7_af5f), (130, 0x9a_5b00));
    const OK: Self = Self::new(Some(Color::Green), (108, 0x87_af87), (28, 0x2a_7a2a));
    const CODE: Self = Self::new(None, (180, 0xd7_b98a), (95, 0x7a_4f4f));

    const fn new(ansi: Option<Color>, dark: (u8, u32), light: (u8, u32)) -> Self {
        Self { ansi, dark, light }
    }

    /// The colour; the terminal's own where it is not known what it would stand on.
    fn of(&self, look: Look) -> Option<Color> {
        let (indexed, rgb) = match look.light {
            Some(true) => self.light,
            Some(false) => self.dark,
            None if look.colours == Colours::None => return None,
            None => return self.ansi,
        };
        match look.colours {
            Colours::None => None,
            Colours::Ansi16 => self.ansi,
            Colours::Ansi256 => Some(Color::Indexed(indexed)),
            Colours::True => Some(Color::from_u32(rgb)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn styles(theme: &Theme) -> [Style; 12] {
        [
            theme.base,
            theme.dim,
            theme.accent,
            theme.speaker_you,
            theme.speaker_agent,
            theme.warn,
            theme.ok,
            theme.code,
            theme.quote,
            theme.heading,
            theme.selected,
            theme.rule,
        ]
    }

    #[test]
    fn without_colours_there_are_weights_only() {
        for light in [None, Some(true), Some(false)] {
            let theme = Theme::new(Look {
                colours: Colours::None,
                light,
            });
            assert!(
                styles(&theme)
                    .iter()
                    .all(|s| s.fg.is_none() && s.bg.is_none())
            );
            assert_ne!(theme.accent, theme.base);
        }
    }

    #[test]
    fn words_keep_the_terminals_own_foreground() {
        for colours in [Colours::Ansi16, Colours::Ansi256, Colours::True] {
            for light in [None, Some(true), Some(false)] {
                let theme = Theme::new(Look { colours, light });
                assert_eq!(theme.base, Style::new());
                assert!(theme.accent.fg.is_some());
            }
        }
    }
}

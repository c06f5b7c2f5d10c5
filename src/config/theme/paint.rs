//! A look, as it is written: `#d7af5f on #211d18 bold`.

/// Names of the terminal's own sixteen, in their order.
pub const NAMED: [&str; 16] = [
    "black",
    "red",
    "green",
    "yellow",
    "blue",
    "magenta",
    "cyan",
    "white",
    "bright-black",
    "bright-red",
    "bright-green",
    "bright-yellow",
    "bright-blue",
    "bright-magenta",
    "bright-cyan",
    "bright-white",
];

/// A colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    /// Any: red, green, blue.
    Rgb(u8, u8, u8),
    /// One of the 256, from 16 on: the first sixteen are the terminal's own.
    Indexed(u8),
    /// One of the terminal's own sixteen.
    Named(u8),
}

/// A weight of letters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weight {
    /// Bold.
    Bold,
    /// Slanted.
    Italic,
    /// Underlined.
    Underlined,
    /// Letters and page exchanged.
    Reversed,
}

impl Weight {
    /// The words for them.
    pub const WORDS: [(&'static str, Self); 4] = [
        ("bold", Self::Bold),
        ("italic", Self::Italic),
        ("underlined", Self::Underlined),
        ("reversed", Self::Reversed),
    ];
}

/// The look of one role.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// Colour of the letters; none for the page's.
    pub ink: Option<Paint>,
    /// Colour under them; none for the page's.
    pub paper: Option<Paint>,
    /// Weights.
    pub weights: Vec<Weight>,
}

impl Style {
    /// What a role has in a theme that does not name it.
    pub fn of_role(role: &super::Role) -> Self {
        Self::parse(role.default, Palette::Full).unwrap_or_default()
    }

    /// Reads a look, in the colours of a palette; the mistake, else.
    pub(super) fn parse(text: &str, palette: Palette) -> Result<Self, String> {
        let mut out = Self::default();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            if let Some((_, weight)) = Weight::WORDS.iter().find(|w| w.0 == word) {
                out.weights.push(*weight);
            } else if word == "on" {
                let word = words.next().ok_or("After `on` comes a colour.")?;
                out.paper = Some(palette.paint(word)?);
            } else if out.ink.is_none() {
                out.ink = Some(palette.paint(word)?);
            } else {
                return Err(format!(
                    "{word:?} is one word too many: {}.",
                    palette.wanted()
                ));
            }
        }
        Ok(out)
    }
}

/// Which colours a table speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Palette {
    /// Every colour.
    Full,
    /// The 256.
    Many,
    /// The sixteen.
    Few,
}

impl Palette {
    fn paint(self, word: &str) -> Result<Paint, String> {
        let paint = match self {
            Self::Full => hex(word),
            Self::Many => word.parse().ok().filter(|n| *n >= 16).map(Paint::Indexed),
            Self::Few => {
                let at = NAMED.iter().position(|n| *n == word);
                at.and_then(|n| u8::try_from(n).ok()).map(Paint::Named)
            }
        };
        paint.ok_or_else(|| self.wrong(word))
    }

    fn wrong(self, word: &str) -> String {
        let weights = Weight::WORDS.iter().map(|w| w.0);
        let named = NAMED.into_iter().filter(|_| self == Self::Few);
        match super::nearest(word, weights.chain(named)) {
            Some(near) if !word.starts_with('#') => {
                format!("{word:?} is no colour and no weight. Did you mean {near:?}?")
            }
            _ => format!("{word:?} is no colour here: {}.", self.wanted()),
        }
    }

    fn wanted(self) -> &'static str {
        match self {
            Self::Full => "write `#rrggbb`, `on #rrggbb`, bold, italic, underlined, reversed",
            Self::Many => {
                "write a number from 16 to 255, `on` and a number, bold, italic, underlined, reversed"
            }
            Self::Few => {
                "write black, red, green, yellow, blue, magenta, cyan, white or one of them with bright- before it, bold, italic, underlined, reversed"
            }
        }
    }
}

fn hex(word: &str) -> Option<Paint> {
    let digits = word
        .strip_prefix('#')
        .filter(|d| d.len() == 6 && d.is_ascii())?;
    let all = u32::from_str_radix(digits, 16).ok()?;
    let [_, r, g, b] = all.to_be_bytes();
    Some(Paint::Rgb(r, g, b))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn a_look_reads_as_it_is_written() {
        let got = Style::parse("#d7af5f on #211d18 bold italic", Palette::Full).unwrap();
        assert_eq!(got.ink, Some(Paint::Rgb(0xd7, 0xaf, 0x5f)));
        assert_eq!(got.paper, Some(Paint::Rgb(0x21, 0x1d, 0x18)));
        assert_eq!(got.weights, [Weight::Bold, Weight::Italic]);
        assert_eq!(Style::parse("", Palette::Full).unwrap(), Style::default());
        let few = Style::parse("bright-cyan", Palette::Few).unwrap();
        assert_eq!(few.ink, Some(Paint::Named(14)));
        let many = Style::parse("179 on 234", Palette::Many).unwrap();
        assert_eq!(
            (many.ink, many.paper),
            (Some(Paint::Indexed(179)), Some(Paint::Indexed(234)))
        );
    }

    #[test]
    fn a_slip_is_answered_with_what_would_be_right() {
        for (text, palette, said) in [
            ("blod", Palette::Full, "Did you mean \"bold\"?"),
            ("#12345", Palette::Full, "write `#rrggbb`"),
            ("yelow", Palette::Few, "Did you mean \"yellow\"?"),
            ("7", Palette::Many, "a number from 16 to 255"),
            ("#112233 on", Palette::Full, "After `on` comes a colour."),
            ("#112233 #445566", Palette::Full, "one word too many"),
        ] {
            let got = Style::parse(text, palette).unwrap_err();
            assert!(got.contains(said), "{text}: {got}");
        }
    }
}

//! Colours and weights, made from a theme for what the terminal can show. Meaning is never carried by colour alone.

pub mod contrast;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use self::contrast::{DARK_PAGES, LIGHT_PAGES, Rgb, indexed, nearest, nearest_named};
use crate::config::theme::{self as file, Paint, ROLES, Set, Tone, Weight};

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

/// The labels of those who speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Speakers {
    /// The writer's.
    pub you: Style,
    /// The agent's.
    pub agent: Style,
}

/// The looks of what stands in texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prose {
    /// Code.
    pub code: Style,
    /// Quoted text.
    pub quote: Style,
    /// What the writer's voice never writes.
    pub never: Style,
}

/// The styles of the window. Words are in the terminal's own foreground, unless the theme has a page of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theme {
    /// Words.
    pub base: Style,
    /// The page under everything, and its words; empty where the terminal's own holds.
    pub page: Style,
    /// What is there to be looked up: times, hints.
    pub dim: Style,
    /// You are here.
    pub accent: Style,
    /// Who speaks.
    pub speakers: Speakers,
    /// Needs attention.
    pub warn: Style,
    /// Went well.
    pub ok: Style,
    /// What stands in texts.
    pub prose: Prose,
    /// Headings.
    pub heading: Style,
    /// The row or text chosen.
    pub selected: Style,
    /// The thin rule between panes.
    pub rule: Style,
}

/// What is chosen is shown in reverse with the page's letters: coloured ones would be patches of colour in it. Where
/// nothing has a colour there is nothing to put back.
fn of_the_page(selected: Style, accent: Style) -> Style {
    let reversed = selected.add_modifier.contains(Modifier::REVERSED);
    match (reversed && selected.fg.is_none(), accent.fg) {
        (true, Some(_)) => selected.fg(Color::Reset),
        _ => selected,
    }
}

impl Theme {
    /// The styles of the built-in theme for a look.
    pub fn new(look: Look) -> Self {
        Self::of(&file::Theme::built_in(), look)
    }

    /// The styles of a theme for a look.
    pub fn of(theme: &file::Theme, look: Look) -> Self {
        let styles = styles(theme, look);
        let [
            page,
            dim,
            accent,
            you,
            agent,
            warn,
            ok,
            code,
            quote,
            heading,
            selected,
            rule,
            never,
        ] = styles;
        Self {
            base: Style::new(),
            page: Style {
                add_modifier: Modifier::empty(),
                ..page
            },
            dim,
            accent,
            speakers: Speakers { you, agent },
            warn,
            ok,
            prose: Prose { code, quote, never },
            heading,
            selected: of_the_page(selected, accent),
            rule,
        }
    }

    /// Lays the theme's page under what was drawn.
    pub fn lay_under(&self, area: Rect, buf: &mut Buffer) {
        let (ink, paper) = (self.page.fg, self.page.bg);
        if ink.is_none() && paper.is_none() {
            return;
        }
        let area = area.intersection(buf.area);
        for at in area.positions() {
            let Some(cell) = buf.cell_mut(at) else {
                continue;
            };
            if let (Color::Reset, Some(ink)) = (cell.fg, ink) {
                cell.fg = ink;
            }
            if let (Color::Reset, Some(paper)) = (cell.bg, paper) {
                cell.bg = paper;
            }
        }
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::new(Look::default())
    }
}

/// The style of each role, in the order of the table.
fn styles(theme: &file::Theme, look: Look) -> [Style; ROLES.len()] {
    let colours = look.colours;
    let tone = match look.light {
        Some(true) => &theme.light,
        // A theme with a page of its own can be read whatever lies under it.
        Some(false) | None => &theme.dark,
    };
    let own_page = page_of(&tone.full).is_some();
    let many = matches!(colours, Colours::Ansi256 | Colours::True);
    if colours == Colours::None || look.light.is_none() && !(own_page && many) {
        return weights(&tone.full);
    }
    let pages = pages(tone, look.light);
    let mut out = [Style::new(); ROLES.len()];
    for (i, (slot, role)) in out.iter_mut().zip(&ROLES).enumerate() {
        let full = of(&tone.full, i, role);
        *slot = match colours {
            Colours::Ansi16 => few(
                tone.few.get(i).and_then(Option::as_ref),
                &full,
                i == 0,
                look,
            ),
            Colours::Ansi256 => match tone.many.get(i).and_then(Option::as_ref) {
                Some(style) => styled(style),
                None => styled(&computed(&full, &pages)),
            },
            _ => styled(&full),
        };
    }
    out
}

/// What a set has for a role, or what every theme has that does not say.
fn of(set: &Set, i: usize, role: &file::Role) -> file::Style {
    let said = set.get(i).and_then(Clone::clone);
    said.unwrap_or_else(|| file::Style::of_role(role))
}

/// Without colours: weights, and what had a page of its own is reversed.
fn weights(set: &Set) -> [Style; ROLES.len()] {
    let mut out = [Style::new(); ROLES.len()];
    for (i, (slot, role)) in out.iter_mut().zip(&ROLES).enumerate() {
        let style = of(set, i, role);
        *slot = Style::new().add_modifier(modifier(&style.weights));
        if i > 0 && style.paper.is_some() {
            *slot = slot.add_modifier(Modifier::REVERSED);
        }
    }
    out
}

/// One of sixteen as the theme says, else the nearest that can be read. The page is the terminal's own there: what
/// its black and its white look like is not known.
fn few(said: Option<&file::Style>, full: &file::Style, page: bool, look: Look) -> Style {
    if let Some(style) = said {
        return styled(style);
    }
    let ends: &[Rgb] = if look.light == Some(true) {
        &[[255; 3]]
    } else {
        &[[0; 3]]
    };
    let mut style = Style::new().add_modifier(modifier(&full.weights));
    if page {
        return style;
    }
    if full.paper.is_some() {
        return style.add_modifier(Modifier::REVERSED);
    }
    if let Some(Paint::Rgb(r, g, b)) = full.ink
        && let Some(n) = nearest_named([r, g, b], ends)
    {
        style = style.fg(colour(Paint::Named(n)));
    }
    style
}

/// A look in 256 colours: letters as near as can be read on their page.
fn computed(full: &file::Style, pages: &[Rgb]) -> file::Style {
    let index = |paint: Paint, pages: &[Rgb]| match paint {
        Paint::Rgb(r, g, b) => Paint::Indexed(nearest([r, g, b], pages)),
        other => other,
    };
    let paper = full.paper.map(|p| index(p, &[]));
    let own = paper.and_then(rgb).map(|p| vec![p]);
    file::Style {
        ink: full.ink.map(|p| index(p, own.as_deref().unwrap_or(pages))),
        paper,
        weights: full.weights.clone(),
    }
}

/// The pages that letters of a tone may stand on, in 256 colours.
fn pages(tone: &Tone, light: Option<bool>) -> Vec<Rgb> {
    let said = page_of(&tone.many).and_then(rgb);
    let computed = page_of(&tone.full)
        .and_then(rgb)
        .map(|p| indexed(nearest(p, &[])));
    match said.or(computed) {
        Some(page) => vec![page],
        None if light == Some(true) => LIGHT_PAGES.to_vec(),
        None => DARK_PAGES.to_vec(),
    }
}

fn page_of(set: &Set) -> Option<Paint> {
    set.first().and_then(Option::as_ref).and_then(|s| s.paper)
}

fn rgb(paint: Paint) -> Option<Rgb> {
    match paint {
        Paint::Rgb(r, g, b) => Some([r, g, b]),
        Paint::Indexed(n) => Some(indexed(n)),
        Paint::Named(_) => None,
    }
}

fn styled(style: &file::Style) -> Style {
    Style {
        fg: style.ink.map(colour),
        bg: style.paper.map(colour),
        ..Style::new().add_modifier(modifier(&style.weights))
    }
}

fn modifier(weights: &[Weight]) -> Modifier {
    weights.iter().fold(Modifier::empty(), |all, w| {
        all | match w {
            Weight::Bold => Modifier::BOLD,
            Weight::Italic => Modifier::ITALIC,
            Weight::Underlined => Modifier::UNDERLINED,
            Weight::Reversed => Modifier::REVERSED,
        }
    })
}

const fn colour(paint: Paint) -> Color {
    match paint {
        Paint::Rgb(r, g, b) => Color::Rgb(r, g, b),
        Paint::Indexed(n) | Paint::Named(n) => Color::Indexed(n),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::contrast::{LEAST, ratio};
    use super::*;

    const THEMES: [&str; 3] = ["plain", "paper", "contrast"];
    const ALL: [Colours; 4] = [
        Colours::None,
        Colours::Ansi16,
        Colours::Ansi256,
        Colours::True,
    ];
    const LIGHTS: [Option<bool>; 3] = [None, Some(true), Some(false)];

    fn named(theme: &Theme) -> [(&'static str, Style); 14] {
        [
            ("base", theme.base),
            ("page", theme.page),
            ("dim", theme.dim),
            ("accent", theme.accent),
            ("you", theme.speakers.you),
            ("agent", theme.speakers.agent),
            ("warn", theme.warn),
            ("ok", theme.ok),
            ("code", theme.prose.code),
            ("quote", theme.prose.quote),
            ("heading", theme.heading),
            ("selected", theme.selected),
            ("rule", theme.rule),
            ("never", theme.prose.never),
        ]
    }

    fn of_name(name: &str, colours: Colours, light: Option<bool>) -> Theme {
        Theme::of(&file::Theme::named(name).unwrap(), Look { colours, light })
    }

    fn shown(colour: Color) -> Rgb {
        match colour {
            Color::Rgb(r, g, b) => [r, g, b],
            Color::Indexed(n) => indexed(n),
            other => panic!("{other:?} is none of a theme's"),
        }
    }

    /// What an end of the terminal's own may look like. Of sixteen colours no more is known than that they are
    /// near xterm's: the page is black or white then.
    fn ends(colours: Colours, light: bool) -> Vec<(Rgb, Rgb)> {
        let pages: &[Rgb] = match (colours, light) {
            (Colours::Ansi16, true) => &[[255; 3]],
            (Colours::Ansi16, false) => &[[0; 3]],
            (_, true) => &LIGHT_PAGES,
            (_, false) => &DARK_PAGES,
        };
        let ink = if light { [0; 3] } else { [229; 3] };
        pages.iter().map(|p| (ink, *p)).collect()
    }

    #[test]
    fn every_pair_of_every_theme_can_be_read_in_every_palette() {
        for name in THEMES {
            for colours in ALL {
                for light in LIGHTS {
                    let theme = of_name(name, colours, light);
                    // Unknown pages: either end must do, which only the ends' own letters can.
                    let known = light.map_or(vec![true, false], |l| vec![l]);
                    for (ink, paper) in known.into_iter().flat_map(|l| ends(colours, l)) {
                        check(&theme, ink, paper, (name, colours, light));
                    }
                }
            }
        }
    }

    fn check(theme: &Theme, ink: Rgb, paper: Rgb, of: (&str, Colours, Option<bool>)) {
        let base_ink = theme.page.fg.map_or(ink, shown);
        let base_paper = theme.page.bg.map_or(paper, shown);
        for (role, style) in named(theme) {
            let own = style.fg.filter(|fg| *fg != Color::Reset);
            let fg = own.map_or(base_ink, shown);
            let bg = style.bg.map_or(base_paper, shown);
            let got = ratio(fg, bg);
            assert!(got >= LEAST, "{role} of {of:?} is {got:.2} on {bg:?}");
            // What is chosen may keep the letters of what it was.
            if let (Some(bg), None) = (theme.selected.bg, theme.selected.fg) {
                let got = ratio(fg, shown(bg));
                assert!(got >= LEAST, "{role} of {of:?} is {got:.2} when chosen");
            }
        }
    }

    #[test]
    fn without_colours_there_are_weights_only() {
        for name in THEMES {
            for light in LIGHTS {
                let theme = of_name(name, Colours::None, light);
                let plain = |s: &Style| s.fg.is_none() && s.bg.is_none();
                assert!(named(&theme).iter().all(|(_, s)| plain(s)), "{name}");
                for style in [theme.accent, theme.warn, theme.heading, theme.selected] {
                    assert_ne!(style, theme.base, "{name}");
                }
                assert!(theme.selected.add_modifier.contains(Modifier::REVERSED));
            }
        }
    }

    #[test]
    fn a_row_shown_in_reverse_has_no_patches_of_colour() {
        let colours = Colours::Ansi16;
        let theme = of_name("plain", colours, Some(false));
        let area = Rect::new(0, 0, 5, 1);
        let mut buf = Buffer::empty(area);
        buf.set_string(0, 0, "title", theme.accent);
        assert_ne!(buf[(0, 0)].fg, Color::Reset);
        buf.set_style(area, theme.selected);
        assert!(buf[(0, 0)].modifier.contains(Modifier::REVERSED));
        assert_eq!(buf[(0, 0)].fg, Color::Reset);
    }

    #[test]
    fn what_is_never_written_is_underlined_in_every_theme_and_palette() {
        for name in THEMES {
            for (colours, light) in ALL.into_iter().flat_map(|c| LIGHTS.map(|l| (c, l))) {
                let never = of_name(name, colours, light).prose.never;
                let of = (name, colours, light);
                assert!(never.add_modifier.contains(Modifier::UNDERLINED), "{of:?}");
            }
        }
    }

    #[test]
    fn letters_are_never_faint() {
        // How faint `dim` comes out is the terminal's affair, so no contrast can be promised for it.
        for name in THEMES {
            for (colours, light) in ALL.into_iter().flat_map(|c| LIGHTS.map(|l| (c, l))) {
                let theme = of_name(name, colours, light);
                let faint = |s: Style| s.add_modifier.contains(Modifier::DIM);
                assert!(named(&theme).iter().all(|(_, s)| !faint(*s)), "{name}");
            }
        }
    }

    #[test]
    fn the_plain_theme_keeps_the_terminals_own_page_and_letters() {
        for (colours, light) in ALL.into_iter().flat_map(|c| LIGHTS.map(|l| (c, l))) {
            let theme = Theme::new(Look { colours, light });
            assert_eq!((theme.base, theme.page), (Style::new(), Style::new()));
            let coloured = colours != Colours::None && light.is_some();
            assert_eq!(theme.accent.fg.is_some(), coloured, "{colours:?} {light:?}");
        }
    }

    #[test]
    fn a_theme_with_a_page_lays_it_under_everything() {
        let theme = of_name("paper", Colours::True, Some(true));
        let area = Rect::new(0, 0, 3, 1);
        let mut buf = Buffer::empty(area);
        buf.set_string(1, 0, "x", theme.selected);
        theme.lay_under(area, &mut buf);
        assert_eq!(Some(buf[(0, 0)].bg), theme.page.bg);
        assert_eq!(Some(buf[(0, 0)].fg), theme.page.fg);
        assert_eq!(Some(buf[(1, 0)].bg), theme.selected.bg);
    }
}

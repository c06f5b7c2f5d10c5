//! Cells as bytes: as few codes as say it, colours as the terminal knows them, links around what is linked
//! (OSC 8), and on a console only letters that its font has.

use std::io::{self, Write};

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};

use super::Held;
use super::kind::Kind;
use crate::ui::links::Links;

/// Weights with the code of each.
const WEIGHTS: [(Modifier, u8); 6] = [
    (Modifier::BOLD, 1),
    (Modifier::DIM, 2),
    (Modifier::ITALIC, 3),
    (Modifier::UNDERLINED, 4),
    (Modifier::REVERSED, 7),
    (Modifier::CROSSED_OUT, 9),
];

/// Signs a console's font does not have, and what stands for each there (code page 437, which all of them have).
const SIGNS: [(&str, &str); 32] = [
    ("●", "•"),
    ("✓", "√"),
    ("✗", "x"),
    ("◌", "°"),
    ("◦", "○"),
    ("▎", "│"),
    ("▍", "▌"),
    ("›", ">"),
    ("‹", "<"),
    ("…", "~"),
    ("✎", "*"),
    ("★", "♦"),
    ("⏎", "¶"),
    ("▁", "_"),
    ("▂", "_"),
    ("▃", "▄"),
    ("▅", "▄"),
    ("▆", "█"),
    ("▇", "█"),
    ("⚠", "!"),
    ("▸", "►"),
    ("▾", "▼"),
    ("−", "-"),
    ("–", "-"),
    ("—", "─"),
    ("“", "\""),
    ("”", "\""),
    ("‘", "'"),
    ("’", "'"),
    ("╭", "┌"),
    ("╮", "┐"),
    ("␛", "?"),
];
/// The rest of the round corners.
const CORNERS: [(&str, &str); 2] = [("╰", "└"), ("╯", "┘")];

/// How cells look that were written last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pen {
    fg: Color,
    bg: Color,
    weights: Modifier,
}

/// As the terminal is between frames.
const PLAIN: Pen = Pen {
    fg: Color::Reset,
    bg: Color::Reset,
    weights: Modifier::empty(),
};

/// Writes cells into what is held until a frame is whole.
#[derive(Debug)]
pub(super) struct Ink {
    out: Held,
    kind: Kind,
    links: Links,
}

impl Ink {
    pub(super) fn new(out: Held, kind: Kind, links: Links) -> Self {
        Self { out, kind, links }
    }

    fn pen(&self, cell: &Cell) -> Pen {
        let mut weights = cell.modifier;
        if weights.contains(Modifier::ITALIC) && !self.kind.slants() {
            weights.remove(Modifier::ITALIC);
            weights.insert(Modifier::UNDERLINED);
        }
        Pen {
            fg: cell.fg,
            bg: cell.bg,
            weights,
        }
    }

    fn symbol<'c>(&self, cell: &'c Cell) -> &'c str {
        let symbol = cell.symbol();
        if !self.kind.console || symbol.is_ascii() {
            return symbol;
        }
        let known = SIGNS.iter().chain(&CORNERS).find(|s| s.0 == symbol);
        known.map_or(symbol, |s| s.1)
    }

    /// Changes what is written with. What is switched off needs all to begin anew.
    fn dip(&mut self, from: Pen, to: Pen) -> io::Result<()> {
        if from == to {
            return Ok(());
        }
        let mut codes: Vec<u8> = Vec::with_capacity(32);
        let off = !(from.weights - to.weights).is_empty();
        let from = if off || to == PLAIN { PLAIN } else { from };
        if off || to == PLAIN {
            codes.extend(b"0");
        }
        let added = to.weights - from.weights;
        for (_, code) in WEIGHTS.iter().filter(|w| added.contains(w.0)) {
            put(&mut codes, &code.to_string());
        }
        for (before, after, ground) in [(from.fg, to.fg, 30), (from.bg, to.bg, 40)] {
            if before != after {
                put(&mut codes, &colour(after, ground));
            }
        }
        self.out.write_all(b"\x1b[")?;
        self.out.write_all(&codes)?;
        self.out.write_all(b"m")
    }

    /// Begins a link, or ends the one before.
    fn link(&mut self, to: Color) -> io::Result<()> {
        match self.links.find(to) {
            Some((id, address)) => write!(self.out, "\x1b]8;id={id};{address}\x1b\\"),
            None => self.out.write_all(b"\x1b]8;;\x1b\\"),
        }
    }
}

fn put(codes: &mut Vec<u8>, code: &str) {
    if !codes.is_empty() {
        codes.push(b';');
    }
    codes.extend(code.bytes());
}

/// The code of a colour; `ground` is 30 for letters, 40 for what is under them.
fn colour(colour: Color, ground: u8) -> String {
    match colour {
        Color::Rgb(r, g, b) => format!("{};2;{r};{g};{b}", ground + 8),
        Color::Indexed(n @ 0..=7) => (ground + n).to_string(),
        // Bright ones as xterm has them.
        Color::Indexed(n @ 8..=15) => (ground + 60 + n - 8).to_string(),
        Color::Indexed(n) => format!("{};5;{n}", ground + 8),
        // A theme names no others.
        _ => (ground + 9).to_string(),
    }
}

impl Backend for Ink {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let (mut pen, mut linked) = (PLAIN, Color::Reset);
        let mut next: Option<(u16, u16)> = None;
        for (x, y, cell) in content {
            if next != Some((x, y)) {
                write!(self.out, "\x1b[{};{}H", y + 1, x + 1)?;
            }
            next = x.checked_add(1).map(|x| (x, y));
            if cell.underline_color != linked {
                linked = cell.underline_color;
                self.link(linked)?;
            }
            let wanted = self.pen(cell);
            self.dip(pen, wanted)?;
            pen = wanted;
            let symbol = self.symbol(cell);
            self.out.write_all(symbol.as_bytes())?;
        }
        if linked != Color::Reset {
            self.link(Color::Reset)?;
        }
        self.dip(pen, PLAIN)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.out.write_all(b"\x1b[?25l")
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.out.write_all(b"\x1b[?25h")
    }

    /// Never asked: it would wait for the terminal.
    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(Position::default())
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        let Position { x, y } = position.into();
        write!(self.out, "\x1b[{};{}H", y + 1, x + 1)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.out.write_all(b"\x1b[2J")
    }

    fn clear_region(&mut self, part: ClearType) -> io::Result<()> {
        self.out.write_all(match part {
            ClearType::All => b"\x1b[2J",
            ClearType::AfterCursor => b"\x1b[J",
            ClearType::BeforeCursor => b"\x1b[1J",
            ClearType::CurrentLine => b"\x1b[2K",
            ClearType::UntilNewLine => b"\x1b[K",
        })
    }

    fn size(&self) -> io::Result<Size> {
        // Asked with each frame: of the open terminal, which crossterm would open anew.
        if let Ok(now) = rustix::termios::tcgetwinsize(std::io::stdout())
            && now.ws_col > 0
            && now.ws_row > 0
        {
            return Ok(Size::new(now.ws_col, now.ws_row));
        }
        let (width, height) = crossterm::terminal::size()?;
        Ok(Size { width, height })
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize {
            columns_rows: self.size()?,
            pixels: Size::default(),
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use ratatui::layout::Rect;
    use ratatui::style::Style;
    use ratatui::{Terminal, TerminalOptions, Viewport};

    use super::*;

    struct Desk {
        held: Held,
        links: Links,
        terminal: Terminal<Ink>,
    }

    impl Desk {
        fn new(kind: Kind) -> Self {
            let (held, links) = (Held::default(), Links::new(true));
            let ink = Ink::new(held.clone(), kind, links.clone());
            let viewport = Viewport::Fixed(Rect::new(0, 0, 30, 3));
            let terminal = Terminal::with_options(ink, TerminalOptions { viewport }).unwrap();
            Self {
                held,
                links,
                terminal,
            }
        }

        fn draw(&mut self, paint: impl FnOnce(&mut ratatui::buffer::Buffer, &Links)) -> String {
            let links = self.links.clone();
            self.terminal
                .draw(|frame| paint(frame.buffer_mut(), &links))
                .unwrap();
            String::from_utf8(std::mem::take(&mut *self.held.0.borrow_mut())).unwrap()
        }
    }

    fn console() -> Kind {
        Kind {
            console: true,
            ..Kind::default()
        }
    }

    #[test]
    fn what_does_not_change_is_not_said_again() {
        let mut desk = Desk::new(Kind::default());
        let bold = Style::new()
            .add_modifier(Modifier::BOLD)
            .fg(Color::Indexed(6));
        let first = desk.draw(|buf, _| buf.set_string(0, 0, "ab", bold));
        assert!(first.contains("\x1b[1;36mab\x1b[0m"), "{first:?}");
        let again = desk.draw(|buf, _| buf.set_string(0, 0, "ab", bold));
        assert!(!again.contains("ab"), "{again:?}");
    }

    #[test]
    fn colours_are_written_as_the_terminal_knows_them() {
        for (paint, code) in [
            (Color::Indexed(1), "31"),
            (Color::Indexed(14), "96"),
            (Color::Indexed(179), "38;5;179"),
            (Color::Rgb(1, 2, 3), "38;2;1;2;3"),
            (Color::Reset, "39"),
        ] {
            assert_eq!(colour(paint, 30), code);
        }
        assert_eq!(colour(Color::Indexed(9), 40), "101");
    }

    #[test]
    fn a_link_is_said_around_its_cells_and_once() {
        let mut desk = Desk::new(Kind::default());
        let paint = |buf: &mut ratatui::buffer::Buffer, links: &Links| {
            let style = Style::new().underline_color(links.mark("https://a.example/x").unwrap());
            buf.set_string(0, 0, "go ", Style::new());
            buf.set_string(3, 0, "here", style);
            buf.set_string(0, 1, "on", style);
        };
        let first = desk.draw(paint);
        let id = first
            .split("id=")
            .nth(1)
            .unwrap()
            .split(';')
            .next()
            .unwrap()
            .to_owned();
        let open = format!("\x1b]8;id={id};https://a.example/x\x1b\\");
        assert!(first.contains(&format!("{open}here")), "{first:?}");
        assert!(
            first.ends_with("\x1b]8;;\x1b\\") || first.contains("on\x1b]8;;\x1b\\"),
            "{first:?}"
        );
        assert!(!desk.draw(paint).contains("\x1b]8"));
        // The same letters without the link are other cells.
        let gone = desk.draw(|buf, _| {
            buf.set_string(0, 0, "go here", Style::new());
        });
        assert!(gone.contains("here") && !gone.contains("https"), "{gone:?}");
    }

    #[test]
    fn a_console_gets_letters_it_has_and_no_slant() {
        let mut desk = Desk::new(console());
        let slanted = Style::new().add_modifier(Modifier::ITALIC);
        let got = desk.draw(|buf, _| buf.set_string(0, 0, "✓ “so”… ╭", slanted));
        assert!(got.contains("\x1b[4m√ \"so\"~ ┌"), "{got:?}");
        let got = desk.draw(|buf, _| buf.set_string(0, 0, "Main ★ ▁⏎", Style::new()));
        assert!(got.contains('♦') && !got.contains('★'), "{got:?}");
    }
}

//! What the terminal is asked, what it may answer or not, and what is switched on and off.

use vt100::MouseProtocolMode;

use crate::Terminal;

const ASKED: &[u8] = b"\x1b[?u\x1b]11;?\x1b\\\x1b[c";
const ANSWER: &str = "\x1b[?0u\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;22c";
const PUSH: &[u8] = b"\x1b[>1u";
const POP: &[u8] = b"\x1b[<u";

impl Terminal {
    fn count(&self, what: &[u8]) -> usize {
        self.raw.windows(what.len()).filter(|w| *w == what).count()
    }

    /// Where bytes came last.
    fn last(&self, what: &[u8]) -> Option<usize> {
        self.raw.windows(what.len()).rposition(|w| w == what)
    }

    fn of(term: &str, more: &[(&str, &str)]) -> Self {
        let mut terminal = Self::open_as("cat", term, more);
        terminal.until("the first frame", |t| t.sees("What do you want to write?"));
        terminal
    }
}

#[test]
fn a_terminal_that_answers_gets_exact_keys_and_gives_them_back() {
    let mut terminal = Terminal::shown();
    assert_eq!(terminal.count(ASKED), 1);
    assert_eq!(terminal.count(PUSH), 0, "nothing is switched on unasked");
    terminal.press(ANSWER);
    terminal.until("exact keys", |t| t.count(PUSH) == 1);
    assert!(
        terminal.sees("What do you want to write?"),
        "an answer is no typing:\n{}",
        terminal.text()
    );
    terminal.press("one\x1b[13;2utwo");
    terminal.until("a line made with Shift-Enter", |t| {
        t.sees("› one") && t.sees("two")
    });
    assert!(terminal.sees("Shift-Enter"), "{}", terminal.text());
    terminal.signal("-TERM");
    assert_eq!(terminal.ended(), 0);
    terminal.check_given_back();
    assert_eq!(terminal.count(POP), 1);
    assert!(
        terminal.last(POP) < terminal.last(b"\x1b[?1049l"),
        "the flags belong to the other screen"
    );
}

#[test]
fn an_answer_in_pieces_is_no_typing_either() {
    let mut terminal = Terminal::shown();
    for piece in [
        "\x1b[?",
        "0u\x1b]11;rgb:00",
        "00/0000/0000\x1b",
        "\\\x1b[?6",
        "2c",
    ] {
        terminal.press(piece);
    }
    terminal.until("exact keys", |t| t.count(PUSH) == 1);
    terminal.press("words");
    terminal.until("only what was typed", |t| {
        t.sees("› words\n") || t.sees("› words ")
    });
}

#[test]
fn suspended_it_gives_exact_keys_back_and_takes_them_again_without_asking() {
    let mut terminal = Terminal::shown();
    terminal.press(ANSWER);
    terminal.until("exact keys", |t| t.count(PUSH) == 1);
    terminal.signal("-TSTP");
    terminal.until("the stop", |t| t.is_stopped() && t.count(POP) == 1);
    terminal.signal("-CONT");
    terminal.until("exact keys again", |t| t.count(PUSH) == 2);
    assert_eq!(terminal.count(ASKED), 1);
    terminal.signal("-TERM");
    terminal.ended();
    assert_eq!(terminal.count(POP), 2);
}

#[test]
fn a_panic_gives_exact_keys_back_too() {
    let mut terminal = Terminal::shown();
    terminal.press(ANSWER);
    terminal.until("exact keys", |t| t.count(PUSH) == 1);
    terminal.press("panic here");
    terminal.until("the text", |t| t.sees("panic here"));
    terminal.press("\x1b[13u");
    assert_ne!(terminal.ended(), 0);
    assert_eq!(terminal.count(POP), 1);
    terminal.check_given_back();
}

#[test]
fn a_terminal_that_does_not_answer_is_not_waited_for() {
    let mut terminal = Terminal::shown();
    terminal.press("typed at once");
    terminal.until("the text", |t| t.sees("› typed at once"));
    assert!(terminal.sees("Alt-Enter new line"), "{}", terminal.text());
    assert!(!terminal.sees("Shift-Enter"));
    terminal.signal("-TERM");
    assert_eq!(terminal.ended(), 0);
    assert_eq!((terminal.count(PUSH), terminal.count(POP)), (0, 0));
}

#[test]
fn a_console_is_asked_nothing_and_left_empty() {
    let mut terminal = Terminal::of("linux", &[]);
    terminal.press("words");
    terminal.until("the text", |t| t.sees("> words"));
    terminal.signal("-TERM");
    assert_eq!(terminal.ended(), 0);
    terminal.check_given_back();
    for unknown in [
        &b"\x1b]"[..],
        b"\x1b[c",
        b"\x1b[?u",
        b"\x1bP",
        b" q",
        b"\x1b[22;2t",
    ] {
        assert_eq!(
            terminal.count(unknown),
            0,
            "{:?}",
            unknown.escape_ascii().to_string()
        );
    }
    assert!(!terminal.text().contains("words"), "{}", terminal.text());
}

#[test]
fn a_terminal_without_a_cursor_is_refused_in_words() {
    let mut terminal = Terminal::open_as("cat", "dumb", &[]);
    assert_ne!(terminal.ended(), 0);
    assert!(terminal.sees("Dumb"), "{}", terminal.text());
    assert_eq!(terminal.count(b"\x1b[?1049h"), 0);
}

#[test]
fn without_colours_no_colour_is_written_and_the_page_is_not_asked_for() {
    let mut terminal = Terminal::of("xterm-256color", &[("NO_COLOR", "1")]);
    assert_eq!(terminal.count(b"\x1b]11;?"), 0);
    terminal.press("words");
    terminal.until("the text", |t| t.sees("› words"));
    for code in ["[3", "[9", ";3", ";9", "[4", ";4"] {
        for n in 0..8 {
            let colour = format!("{code}{n}m");
            assert_eq!(terminal.count(colour.as_bytes()), 0, "{colour}");
        }
    }
}

#[test]
fn the_mouse_is_taken_where_it_is_wanted_and_given_back() {
    let terminal = Terminal::shown();
    assert_eq!(
        terminal.screen.screen().mouse_protocol_mode(),
        MouseProtocolMode::None
    );
    let mut terminal = Terminal::of("xterm-256color", &[("FASCICLE_TEST_MOUSE", "1")]);
    terminal.until("the mouse", |t| {
        t.screen.screen().mouse_protocol_mode() == MouseProtocolMode::ButtonMotion
    });
    terminal.press("words here");
    terminal.until("the text", |t| t.sees("› words here"));
    let (row, col) = terminal.screen.screen().cursor_position();
    // A click four cells before the caret, which SGR counts from one.
    terminal.press(&format!(
        "\x1b[<0;{0};{1}M\x1b[<0;{0};{1}m",
        col + 1 - 4,
        row + 1
    ));
    terminal.until("the caret there", |t| {
        t.screen.screen().cursor_position() == (row, col - 4)
    });
    terminal.press("not ");
    terminal.until("typing there", |t| t.sees("› words not here"));
    terminal.signal("-TERM");
    assert_eq!(terminal.ended(), 0);
    terminal.check_given_back();
}

//! 15: control sequences in an agent's words.

use crate::bench::{Bench, events, input, rule_of_all, streamed};
use crate::screen::{SIZE, composer, go, open, say};

/// Sequences of the program's own while it draws: cells, colours, cursor, whole frames.
fn is_drawing(params: &str, last: char) -> bool {
    match last {
        'm' | 'H' | 'A' | 'B' | 'C' | 'D' | 'G' | 'd' | 'K' | 'J' | 'X' => {
            params
                .chars()
                .all(|c| c.is_ascii_digit() || ";:".contains(c))
                && !(last == 'J' && params == "2")
        }
        'h' | 'l' => matches!(params, "?25" | "?2026"),
        _ => false,
    }
}

/// Everything among the bytes that acts on a terminal and is not drawing.
fn foreign(bytes: &[u8], is_ours: impl Fn(&str) -> bool) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut found = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\u{1b}' {
            let acts = c.is_control() && !matches!(c, '\r' | '\n');
            found.extend(acts.then(|| c.escape_debug().to_string()));
            continue;
        }
        if rest.next_if_eq(&']').is_some() {
            let said: String = rest
                .by_ref()
                .take_while(|c| !matches!(c, '\u{7}' | '\u{1b}'))
                .collect();
            let is_whole = rest.next_if_eq(&'\\').is_some();
            // An address in the text is a link to just that address.
            let link = said.strip_prefix("8;").and_then(|l| l.split_once(';'));
            if is_whole && link.is_some_and(|(_, to)| !to.chars().any(char::is_control)) {
                continue;
            }
            // The title is the program's to set: what happens, the session's name and its own.
            let title = said.strip_prefix("0;").unwrap_or_default();
            found.extend((!is_ours(title)).then_some(said));
            continue;
        }
        if rest.next_if_eq(&'[').is_none() {
            found.push(format!("ESC {:?}", rest.next()));
            continue;
        }
        let mut params = String::new();
        let last = loop {
            match rest.next() {
                Some(c @ '\u{40}'..='\u{7e}') => break c,
                Some(c) => params.push(c),
                None => break '?',
            }
        };
        if !is_drawing(&params, last) {
            found.push(format!("CSI {params}{last}"));
        }
    }
    found
}

#[test]
fn case_15_control_sequences_are_signs_to_read_and_act_on_nothing() {
    let bench = Bench::playing(&[("claude", &input("15-escape-sequences/scenario.json"))]);
    let desk = &bench.desk;
    let id = bench.session("Signs", "claude");
    let mut window = open(desk, SIZE, "Signs");
    go(&mut window, "Signs");
    let (from, before) = (window.bytes().len(), window.modes());
    say(&mut window, "Go.");
    window.shows("LAST LINE VISIBLE");
    let screen = window.until("the end of the turn", |s| !s.contains("writing"));
    let bytes = window.bytes()[from..].to_vec();
    let acted = foreign(&bytes, |title| {
        title.strip_prefix("● 1 · ").unwrap_or(title) == "Signs · Fascicle"
    });
    assert!(acted.is_empty(), "{acted:?}");
    assert_eq!(window.modes(), before);
    assert_eq!(screen.matches(" after").count(), 13, "{screen}");
    assert!(!screen.contains('\u{1b}'));
    assert!(
        composer(&screen).starts_with("Write"),
        "nothing was typed: {screen}"
    );
    // The words themselves are in the log as they came.
    let words = streamed(&events(desk, &id), 1);
    for sequence in [
        "\u{1b}]52;c;",
        "\u{1b}]0;PWNED\u{7}",
        "\u{1b}[2J",
        "\u{1b}[6n",
        "\u{1b}c",
    ] {
        assert!(words.contains(sequence), "{sequence:?}: {words:?}");
    }
    let page = desk.ok(&["show", &id]);
    assert!(
        !page.chars().any(|c| c.is_control() && c != '\n'),
        "{page:?}"
    );
    assert!(page.contains("LAST LINE VISIBLE"));
    window.keys("\x04");
    assert_eq!(window.ended(), 0);
    rule_of_all(desk);
}

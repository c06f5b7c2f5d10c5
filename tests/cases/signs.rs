//! 15: control sequences in an agent's words.

use serde_json::json;

use crate::bench::{Bench, delta, events, input, result, rule_of_all, streamed, until};
use crate::screen::{SIZE, composer, go, open, say, title};

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

/// A title, a clearing, a report, a C1 byte, a turned direction; the letters around them stay readable.
const EVIL: &str = "ev\u{1b}]0;PWNED\u{7}\u{1b}[2J\u{1b}[6n\u{9b}6n\u{202e}il";
/// The letters of it that stand in every place; what cannot be seen is a sign, or a space in a title.
const SHOWN: &str = "]0;PWNED";

/// A turn whose model, tool, tool's output and question are foreign through and through.
fn hostile() -> serde_json::Value {
    let event =
        |event: serde_json::Value| json!({"json": {"type": "stream_event", "event": event}});
    let block = json!({"type": "tool_use", "id": "t1", "name": EVIL, "input": {}});
    let output =
        json!({"type": "tool_result", "tool_use_id": "t1", "is_error": true, "content": EVIL});
    let asks = json!({"subtype": "can_use_tool", "tool_name": EVIL, "input": {"path": EVIL}});
    let think = json!({"type": "thinking_delta", "thinking": EVIL});
    json!({"turns": [[
        {"json": {"type": "system", "subtype": "init", "session_id": "11111111-2222-4333-8444-555555555599", "cwd": ".", "model": EVIL}},
        event(json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}})),
        event(json!({"type": "content_block_delta", "index": 0, "delta": think})),
        event(json!({"type": "content_block_stop", "index": 0})),
        event(json!({"type": "content_block_start", "index": 1, "content_block": block})),
        event(json!({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": json!({"path": EVIL}).to_string()}})),
        event(json!({"type": "content_block_stop", "index": 1})),
        {"json": {"type": "user", "message": {"role": "user", "content": [output]}}},
        {"json": {"type": "control_request", "request_id": "q-1", "request": asks}},
        {"await_stdin": true},
        delta("THE LAST LINE"),
        result()
    ]]})
}

#[test]
fn case_15_signs_in_titles_tags_drawers_models_tools_questions_and_drafts_act_on_nothing() {
    let mut bench = Bench::new();
    bench.play(&hostile());
    let desk = &bench.desk;
    let drawer = desk.workspace().join("essays");
    std::fs::create_dir_all(&drawer).unwrap();
    let escaped = EVIL
        .escape_unicode()
        .to_string()
        .replace("\\u{", "\\U")
        .replace('}', "");
    let wide: String = escaped
        .split("\\U")
        .filter(|c| !c.is_empty())
        .map(|c| format!("\\U{c:0>8}"))
        .collect();
    let shelf = format!("id = \"essays\"\ntitle = \"{wide}\"\n");
    std::fs::write(drawer.join("collection.toml"), shelf).unwrap();
    let id = desk.ok(&["new", "-c", "essays", "--agent", "claude", EVIL]);
    desk.ok(&["tag", &id, EVIL]);
    let mut window = open(desk, SIZE, SHOWN);
    window.until("the drawer and its session", |s| {
        s.matches(SHOWN).count() >= 2
    });
    let (from, before) = (window.bytes().len(), window.modes());
    window.keys("\x07");
    window.shows("Go to a session");
    window.keys("PWNED");
    window.shows("│ PWNED ");
    window.keys("\r");
    window.until("the session", |s| {
        title(s).contains(SHOWN) && !s.contains("Go to a session")
    });
    say(&mut window, "Go.");
    window.shows("needs you");
    window.keys("\x1b");
    window.shows("Enter write");
    // A key that is pressed right after a question appears is taken for typing.
    until("the question, whole", || {
        let whole = window.screen().contains(" closes ╯");
        if !whole {
            window.keys("v");
        }
        whole
    });
    window.keys("\x1b");
    window.until("it is closed", |s| !s.contains(" closes ╯"));
    for (keys, sign) in [
        ("?", " closes ╯"),
        ("\x10", "Commands"),
        ("\x07", "Go to a session"),
    ] {
        window.keys(keys);
        window.shows(sign);
        window.keys("\x1b");
        window.until("it is closed", |s| !s.contains(sign));
    }
    until("the answer", || {
        let answered = window.screen().contains("THE LAST LINE");
        if !answered {
            window.keys("1");
        }
        answered
    });
    window.until("the end of the turn", |s| !s.contains("writing"));
    // Another program writes the draft, and it is opened.
    let folder = desk.json(&["list", "--json"])[0]["folder"].clone();
    let draft = desk
        .workspace()
        .join(folder.as_str().unwrap())
        .join("draft.md");
    std::fs::write(&draft, format!("# {EVIL}\n\nIn the draft {EVIL}\n")).unwrap();
    window.keys("d");
    window.shows("In the draft ev␛");
    window.keys("\x1b");
    window.shows("Enter write");
    window.keys("\x1b[D");
    window.shows("Enter open");
    window.keys("\x1b[D");
    let screen = window.until("the drawer", |s| !s.contains("Enter open"));
    assert!(!screen.contains('\u{1b}'));
    let acted = foreign(&window.bytes()[from..], |title| {
        title.ends_with(" · Fascicle")
            && title.contains(SHOWN)
            && !title.chars().any(char::is_control)
    });
    assert!(acted.is_empty(), "{acted:?}");
    assert_eq!(window.modes(), before);
    window.signal("TERM");
    window.ended();
    rule_of_all(desk);
}

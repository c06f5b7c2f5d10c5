//! What a writer does in the window.

use std::path::Path;

use crate::desk::Desk;
use crate::window::Window;

/// The usual size of a terminal in these cases.
pub const SIZE: (u16, u16) = (120, 40);

/// Opens the window and waits until it shows its sessions, this one among them.
pub fn open(desk: &Desk, size: (u16, u16), among: &str) -> Window {
    let program = Path::new(env!("CARGO_BIN_EXE_fascicle"));
    let window = Window::open(program, &[], &desk.variables(), size);
    window.shows(among);
    window
}

/// The row of the composer that has the prompt's sign.
pub fn composer(screen: &str) -> &str {
    let row = screen.lines().rev().find_map(|l| l.split_once('›'));
    row.map_or("", |(_, text)| text.trim())
}

/// The title over the transcript.
pub fn title(screen: &str) -> &str {
    let first = screen.lines().next().unwrap_or_default();
    first.rsplit('│').next().unwrap_or_default().trim()
}

/// Types words into the composer and waits until they stand there.
pub fn type_words(window: &mut Window, words: &str) {
    window.keys(words);
    window.until(&format!("{words:?} in the composer"), |s| {
        composer(s).ends_with(words)
    });
}

/// Types a prompt and sends it.
pub fn say(window: &mut Window, words: &str) {
    type_words(window, words);
    window.keys("\r");
    window.until("an empty composer", |s| !composer(s).contains(words));
}

/// Goes to a session by its name.
pub fn go(window: &mut Window, name: &str) {
    window.keys("\x07");
    window.shows("Go to a session");
    window.keys(name);
    // A line end in one burst with what is before it is text.
    window.until("its name", |s| s.contains(&format!("│ {name} ")));
    window.keys("\r");
    window.until(&format!("the session {name}"), |s| {
        title(s).starts_with(name) && !s.contains("Go to a session")
    });
}

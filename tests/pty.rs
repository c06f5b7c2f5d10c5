//! The window's shell in a real pseudo-terminal: what it takes it gives back, and what it draws is there.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "test")]

#[path = "pty/answers.rs"]
mod answers;

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use fascicle::domain::ask::NewSession;
use fascicle::domain::head::Head;
use fascicle::domain::{Event, Notice, Reply, Request, Scope, SessionId};
use fascicle::ui::keymap::Keymap;
use fascicle::ui::terminal::Kind;
use fascicle::ui::theme::Theme;
use fascicle::ui::{Agents, App, Choice, Input, Means, Place, Recipes, Settings, Wires, run};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::termios::{Action, tcflow};

/// No wait is longer.
const PATIENCE: Duration = Duration::from_secs(20);
/// Says to this program that it is the one inside.
const INSIDE: &str = "FASCICLE_TEST_INSIDE";

struct Terminal {
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    bytes: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    raw: Vec<u8>,
}

impl Terminal {
    fn open(editor: &str) -> Self {
        Self::open_as(editor, "xterm-256color", &[])
    }

    /// Opens a window in a terminal that calls itself something.
    fn open_as(editor: &str, term: &str, more: &[(&str, &str)]) -> Self {
        let size = PtySize {
            rows: 24,
            cols: 80,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pty = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
        command.args([
            "--exact",
            "the_window_itself",
            "--nocapture",
            "--test-threads=1",
        ]);
        command.env(INSIDE, editor);
        for name in ["TMUX", "STY", "COLORTERM", "COLORFGBG", "NO_COLOR"] {
            command.env_remove(name);
        }
        command.env("TERM", term);
        for (name, value) in more {
            command.env(name, value);
        }
        command.env("RUST_BACKTRACE", "0");
        let child = pty.slave.spawn_command(command).unwrap();
        drop(pty.slave);
        let (sender, bytes) = channel();
        let mut reader = pty.master.try_clone_reader().unwrap();
        std::thread::spawn(move || {
            let mut buf = [0; 4096];
            while let Ok(n @ 1..) = reader.read(&mut buf) {
                if sender.send(buf[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self {
            keys: pty.master.take_writer().unwrap(),
            master: pty.master,
            child,
            bytes,
            screen: vt100::Parser::new(cells(24), cells(80), 0),
            raw: Vec::new(),
        }
    }

    /// Opens a window and waits for its first frame. Gives the modes of the terminal before it, too.
    fn shown() -> Self {
        let mut terminal = Self::open("cat");
        terminal.until("the first frame", |t| t.sees("What do you want to write?"));
        terminal
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    fn text(&self) -> String {
        self.screen.screen().contents()
    }

    fn sees(&self, text: &str) -> bool {
        self.text().contains(text)
    }

    fn until(&mut self, what: &str, done: impl Fn(&Self) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !done(self) {
            let left = end.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero(),
                "{what} did not come; on screen:\n{}",
                self.text()
            );
            if let Ok(bytes) = self.bytes.recv_timeout(left.min(Duration::from_millis(50))) {
                self.screen.process(&bytes);
                self.raw.extend(bytes);
            }
        }
    }

    fn ended(&mut self) -> u32 {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                self.drain();
                return status.exit_code();
            }
            assert!(
                Instant::now() < end,
                "it did not end; on screen:\n{}",
                self.text()
            );
            if let Ok(bytes) = self.bytes.recv_timeout(Duration::from_millis(20)) {
                self.screen.process(&bytes);
                self.raw.extend(bytes);
            }
        }
    }

    fn drain(&mut self) {
        while let Ok(bytes) = self.bytes.recv_timeout(Duration::from_millis(200)) {
            self.screen.process(&bytes);
            self.raw.extend(bytes);
        }
    }

    fn signal(&self, name: &str) {
        let pid = self.child.process_id().unwrap().to_string();
        assert!(
            Command::new("kill")
                .args([name, &pid])
                .status()
                .unwrap()
                .success()
        );
    }

    /// Raw mode shows in what the terminal does with a line: cooked, it echoes and waits.
    fn is_raw(&self) -> bool {
        let modes = format!("{:?}", self.master.get_termios().unwrap().local_flags);
        !modes.contains("ICANON")
    }

    /// Takes nothing any more, as after Ctrl-S, or takes again.
    fn reads(&self, again: bool) {
        let slave = self.master.tty_name().unwrap();
        let slave = std::fs::File::open(slave).unwrap();
        let what = if again { Action::OOn } else { Action::OOff };
        tcflow(slave, what).unwrap();
    }

    fn is_stopped(&self) -> bool {
        let pid = self.child.process_id().unwrap();
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit(')')
            .next()
            .is_some_and(|rest| rest.trim_start().starts_with('T'))
    }

    /// The terminal is as the shell had it.
    fn check_given_back(&self) {
        let screen = self.screen.screen();
        assert!(!self.is_raw(), "raw mode is still on");
        assert!(
            !screen.alternate_screen(),
            "the other screen is still shown"
        );
        assert!(!screen.bracketed_paste(), "bracketed paste is still on");
        assert!(!screen.hide_cursor(), "the cursor is still hidden");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        let count = |what: &[u8]| self.raw.windows(what.len()).filter(|w| *w == what).count();
        assert_eq!(
            count(b"\x1b[22;2t"),
            count(b"\x1b[23;2t"),
            "the title is not given back"
        );
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A child that has ended cannot be killed: that is what was wanted.
        drop(self.child.kill());
    }
}

#[test]
fn what_is_typed_is_seen_and_ctrl_d_gives_the_terminal_back() {
    let mut terminal = Terminal::shown();
    assert!(terminal.is_raw());
    assert!(terminal.screen.screen().alternate_screen());
    terminal.press("Hello, harbour");
    terminal.until("the text", |t| t.sees("› Hello, harbour"));
    let caret = terminal.screen.screen().cursor_position();
    assert_eq!(caret.0, 22, "the caret stands in the composer's row");
    terminal.press(&"\x7f".repeat(14));
    terminal.until("an empty composer", |t| {
        t.sees("What do you want to write?")
    });
    terminal.press("\x04");
    assert_eq!(terminal.ended(), 0);
    terminal.check_given_back();
}

#[test]
fn signals_give_the_terminal_back() {
    for signal in ["-TERM", "-HUP", "-INT", "-QUIT"] {
        let mut terminal = Terminal::shown();
        terminal.signal(signal);
        assert_eq!(terminal.ended(), 0, "{signal}");
        terminal.check_given_back();
    }
}

#[test]
fn a_terminal_that_reads_nothing_does_not_keep_the_window_from_ending() {
    for signal in ["-TERM", "-HUP"] {
        let mut terminal = Terminal::shown();
        terminal.reads(false);
        terminal.press("unseen");
        terminal.signal(signal);
        terminal.until("the terminal given back", |t| !t.is_raw());
        // What the program inside says at its end waits for the terminal too.
        terminal.reads(true);
        assert_eq!(terminal.ended(), 0, "{signal}");
    }
}

#[test]
fn a_panic_gives_the_terminal_back_and_can_be_read() {
    for prompt in ["panic here", "panic elsewhere"] {
        let mut terminal = Terminal::shown();
        terminal.press(prompt);
        terminal.until("the text", |t| t.sees(prompt));
        terminal.press("\r");
        assert_ne!(terminal.ended(), 0);
        terminal.check_given_back();
        assert!(
            terminal.sees("a part of the test failed"),
            "{}",
            terminal.text()
        );
    }
}

#[test]
fn suspended_and_continued_it_is_drawn_whole_at_the_new_size() {
    let mut terminal = Terminal::shown();
    terminal.press("kept");
    terminal.until("the text", |t| t.sees("› kept"));
    for (rows, cols) in [(30, 100), (20, 70), (24, 80)] {
        terminal.signal("-TSTP");
        terminal.until("the stop", |t| {
            t.is_stopped() && !t.screen.screen().alternate_screen()
        });
        terminal.drain();
        terminal.check_given_back();
        let size = PtySize {
            rows,
            cols,
            pixel_width: 0,
            pixel_height: 0,
        };
        terminal.master.resize(size).unwrap();
        terminal
            .screen
            .screen_mut()
            .set_size(cells(rows), cells(cols));
        terminal.signal("-CONT");
        terminal.until("the window again", |t| {
            let last = t.screen.screen().rows(0, cols).last().unwrap_or_default();
            t.is_raw() && t.sees("› kept") && last.contains("Enter send")
        });
    }
    terminal.press("!");
    terminal.until("a key after it", |t| t.sees("› kept!"));
}

#[test]
fn a_paste_without_brackets_sends_nothing() {
    let mut terminal = Terminal::shown();
    terminal.press("first line\rsecond line\rthird");
    terminal.until("all of it", |t| t.sees("third"));
    assert!(terminal.sees("› first line"), "{}", terminal.text());
}

#[test]
fn a_bracketed_paste_is_one_text() {
    let mut terminal = Terminal::shown();
    terminal.press("\x1b[200~one\rtwo\x1b[201~");
    terminal.until("both lines", |t| t.sees("› one") && t.sees("two"));
}

#[test]
fn the_editor_gets_the_terminal_and_gives_it_back() {
    let dir = tempfile::tempdir().unwrap();
    let draft = dir.path().join("draft.md");
    std::fs::write(&draft, "One.").unwrap();
    let editor = dir.path().join("editor");
    std::fs::write(
        &editor,
        "#!/bin/sh\nread -r line\necho \"$line\" > \"$1\"\n",
    )
    .unwrap();
    let mut terminal = Terminal::open(&format!("sh {}:{}", editor.display(), draft.display()));
    terminal.until("the first frame", |t| t.sees("What do you want to write?"));
    terminal.press("a prompt");
    terminal.until("the text", |t| t.sees("a prompt"));
    terminal.press("\r");
    terminal.until("the session", |t| t.sees("Harbour"));
    terminal.press("\x1b");
    terminal.until("reading", |t| t.sees("Enter write"));
    terminal.press("e");
    terminal.until("the editor", |t| {
        !t.is_raw() && !t.screen.screen().alternate_screen()
    });
    terminal.press("Written elsewhere.\n");
    terminal.until("the window again", |t| {
        t.is_raw() && t.sees("The draft has 2 words.")
    });
    assert_eq!(
        std::fs::read_to_string(&draft).unwrap(),
        "Written elsewhere.\n"
    );
    terminal.press("\r");
    terminal.press("more");
    terminal.until("a key after it", |t| t.sees("› more"));
}

#[test]
fn sizes_from_nothing_to_huge_end_in_the_same_screen() {
    let mut terminal = Terminal::shown();
    terminal.press("kept");
    terminal.until("the text", |t| t.sees("› kept"));
    let before = terminal.text();
    for (cols, rows) in [
        (1, 1),
        (2, 2),
        (200, 1),
        (1, 60),
        (10, 3),
        (0, 0),
        (500, 200),
        (80, 24),
    ] {
        let size = PtySize {
            rows,
            cols,
            pixel_width: 0,
            pixel_height: 0,
        };
        terminal.master.resize(size).unwrap();
    }
    terminal.press("!\x7f");
    terminal.until("the same screen", |t| t.text() == before);
}

/// What the other tests start in a pseudo-terminal; on its own it does nothing.
#[test]
fn the_window_itself() {
    let Ok(editor) = std::env::var(INSIDE) else {
        return;
    };
    let (editor, draft) = editor.split_once(':').unwrap_or((&editor, "/nonexistent"));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let (sender, inputs) = tokio::sync::mpsc::channel(fascicle::ui::run::QUEUE);
    let (told, notices) = tokio::sync::mpsc::channel(fascicle::ui::run::QUEUE);
    let settings = Settings {
        workspace: "Here".to_owned(),
        window: "w1".parse().unwrap(),
        agents: Agents {
            choices: vec![Choice {
                agent: "claude".to_owned(),
                model: None,
            }],
            unready: None,
            web: vec!["claude".to_owned()],
        },
        first: fascicle::ui::First::default(),
        keys: Keymap::default(),
        wrong: Vec::new(),
        theme: Theme::default(),
        means: Means {
            kind: Kind::of(|name| std::env::var(name).ok()),
            mouse: std::env::var_os("FASCICLE_TEST_MOUSE").is_some(),
            ..Means::default()
        },
        zone: jiff::tz::TimeZone::UTC,
        caller: fascicle::ui::attention::Caller::default(),
        recipes: Recipes::default(),
        build: fascicle::config::build(),
    };
    let (app, first) = App::new(settings, Place::default(), fascicle::ui::run::now());
    let asked = sender.clone();
    let draft = draft.to_owned();
    let spawner = runtime.handle().clone();
    let wires = Wires {
        ask: Box::new(move |tag, request| {
            if let Some(reply) = answer(request, &draft, &spawner) {
                asked.try_send(Input::Reply { tag, reply }).unwrap();
            }
        }),
        attach: Box::new(move |ticket, scope| {
            for notice in history(scope) {
                told.try_send(Input::Notice { ticket, notice }).unwrap();
            }
        }),
        detach: Box::new(|_| {}),
        errand: Box::new(|_| {}),
        keep: Box::new(|_| {}),
        editor: Some(editor.to_owned()),
        sender,
        inputs,
        notices,
        tokio: runtime.handle().clone(),
    };
    run(app, first, wires, None).unwrap();
}

/// A host of one session, as far as these stories need one.
fn answer(request: Request, draft: &str, tokio: &tokio::runtime::Handle) -> Option<Reply> {
    Some(match request {
        Request::New(NewSession { prompt, .. }) => match prompt.as_deref() {
            Some("panic here") => panic!("a part of the test failed"),
            Some("panic elsewhere") => {
                drop(tokio.spawn(async { panic!("a part of the test failed") }));
                return None;
            }
            _ => Reply::Created { session: session() },
        },
        Request::Draft { .. } => Reply::Draft {
            text: std::fs::read_to_string(draft).unwrap(),
            version: None,
            path: draft.to_owned(),
            locked: None,
        },
        Request::Unsent { .. } => Reply::Text {
            text: String::new(),
        },
        _ => Reply::Done,
    })
}

fn session() -> SessionId {
    "00000000-0000-0000-0000-000000000001".parse().unwrap()
}

fn history(scope: Scope) -> Vec<Notice> {
    let created = format!(
        r#"{{"seq":0,"ts":1,"kind":"session.created","id":"{}","title":"Harbour","collection":"inbox","folder":"inbox/1","app":"0"}}"#,
        session()
    );
    let event: Event = serde_json::from_str(&created).unwrap();
    let mut head = Head::default();
    head.apply(&event);
    match scope {
        Scope::Workspace => vec![Notice::Live],
        Scope::Session { .. } => vec![
            Notice::Opened {
                head: Box::new(head),
                more: false,
            },
            Notice::Event(event),
            Notice::Live,
        ],
    }
}

fn cells(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).unwrap()
}

//! Away from the terminal: in the shell, or in the writer's editor.

use std::process::{Command, ExitStatus};

use super::source::Keys;
use super::{Window, signals};
use crate::ui::input::Input;

impl Window {
    /// Leaves the terminal to the shell and stops. [`Input::Continue`] comes when the shell lets it go on.
    pub(super) fn suspend(&mut self) {
        self.go_away();
        signals::stop_self();
    }

    /// Opens a file in the writer's editor and waits for its end.
    pub(super) fn edit(&mut self, path: &str) {
        let Some(editor) = self.wires.editor.clone() else {
            let why = "No editor is named: set EDITOR, for example to nano.".to_owned();
            self.tell(Err(why));
            return;
        };
        self.go_away();
        let outcome = open(&editor, path);
        self.come_back();
        self.tell(outcome);
    }

    fn tell(&mut self, outcome: Result<(), String>) {
        let effects = self.app.handle(Input::Edited(outcome));
        self.perform(effects);
    }

    fn go_away(&mut self) {
        if let Some(keys) = self.keys.take() {
            keys.stop();
        }
        self.screen.leave();
    }

    /// Takes the terminal again, if it was left; the next frame draws all of it.
    pub(super) fn come_back(&mut self) {
        if self.keys.is_some() {
            return;
        }
        let outcome = self.screen.enter();
        self.check(&outcome);
        let sender = self.wires.sender.clone();
        let owed = self.modes.take_owed();
        self.keys = Some(Keys::start(&self.wires.tokio, sender, owed));
    }
}

/// Runs the editor as a shell would: its name may come with arguments.
fn open(editor: &str, path: &str) -> Result<(), String> {
    let status = Command::new("sh")
        .args(["-c", &format!("{editor} \"$@\""), "editor", path])
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!(
            "{editor} ended with {}; the draft was read again.",
            said(status)
        )),
        Err(e) => Err(format!("{editor} could not be started: {e}.")),
    }
}

fn said(status: ExitStatus) -> String {
    match status.code() {
        Some(127) => "“not found”".to_owned(),
        Some(code) => format!("code {code}"),
        None => "a signal".to_owned(),
    }
}

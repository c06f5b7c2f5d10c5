//! What goes on when the window closes.

use super::rows::Rows;
use crate::domain::State;

/// What goes on without the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Farewell {
    /// Turns that are being written.
    pub writing: usize,
    /// Turns that wait for an answer.
    pub needs_you: usize,
    /// Prompts that wait.
    pub queued: usize,
    /// Words typed into a draft that the host has not said to have.
    pub owed: bool,
}

impl Farewell {
    /// What the rows tell.
    pub fn of(rows: &Rows) -> Self {
        let mut out = Self::default();
        for row in rows.every() {
            out.writing += usize::from(row.state == State::Writing);
            out.needs_you += usize::from(row.state == State::NeedsYou);
            out.queued += row.queued as usize;
        }
        out
    }

    /// A line for the shell where words were not sent; none where all were.
    pub fn owed_line(&self) -> Option<&'static str> {
        self.owed.then_some("The host did not take the last words of a draft. They are kept, and go into it when you open `fascicle` again.")
    }

    /// A line for the shell; none when nothing goes on.
    pub fn line(&self) -> Option<String> {
        let said = |n: usize, one: &str, many: &str| match n {
            0 => None,
            1 => Some(format!("1 {one}")),
            n => Some(format!("{n} {many}")),
        };
        let parts: Vec<String> = [
            said(self.writing, "turn goes on", "turns go on"),
            match self.writing {
                0 => said(
                    self.needs_you,
                    "turn waits for your answer",
                    "turns wait for your answer",
                ),
                _ => said(
                    self.needs_you,
                    "waits for your answer",
                    "wait for your answer",
                ),
            },
            said(self.queued, "prompt is queued", "prompts are queued"),
        ]
        .into_iter()
        .flatten()
        .collect();
        let them = match self.writing + self.needs_you + self.queued {
            1 => "it",
            _ => "them",
        };
        let ways = format!("`fascicle list` shows {them}; `fascicle` brings {them} back.");
        (!parts.is_empty()).then(|| format!("{}. {ways}", parts.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_on_is_told_in_a_line() {
        let all = Farewell {
            writing: 2,
            needs_you: 1,
            queued: 0,
            owed: false,
        };
        assert_eq!(
            all.line().as_deref(),
            Some(
                "2 turns go on, 1 waits for your answer. `fascicle list` shows them; `fascicle` brings them back."
            )
        );
        assert_eq!(Farewell::default().line(), None);
    }
}

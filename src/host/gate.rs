//! What is refused before anybody is asked: by a host that ends, and where nothing may be written.

use super::shared::now;
use super::{Answer, Host};
use crate::domain::ask::{Reply, Request};

impl Host {
    /// What cannot be done by a host that is ending, or where nothing can be written.
    pub(super) fn gate(&self, request: &Request) -> Option<Answer> {
        let turns = self.turns().len();
        // Who types while it waits for its turns types on.
        let types = matches!(request, Request::Edit { .. } | Request::Settle { .. });
        if self.is_closed() && request.begins() && !(types && turns > 0) {
            return Some(match turns {
                0 => Answer::NextHost(Reply::refused(
                    "The host is ending.",
                    "Try again in a moment; the next window or command starts another.",
                )),
                turns => Answer::Reply(Reply::refused(
                    ends_after(turns),
                    "`fascicle host stop --now` stops them and keeps what came.",
                )),
            });
        }
        let reads = matches!(request, Request::TakeOver | Request::Draft { .. });
        let shut = request.writes() && !reads;
        // The system does not tell when a folder above the workspace moved. A disk that may hang is left to the sentry.
        if shut && self.0.watch.tells_of_door() && self.0.access.at_home(now()).is_err() {
            self.0.watch.door.news.notify_one();
        }
        let why = self.0.access.why(now()).filter(|_| shut)?;
        Some(Answer::Reply(Reply::refused(why, "Nothing was done.")))
    }
}

/// What is said while a host that was stopped waits for its turns.
pub(super) fn ends_after(turns: usize) -> String {
    let turns = match turns {
        1 => "the turn that runs has".to_owned(),
        n => format!("the {n} turns that run have"),
    };
    format!("The host was stopped: it ends when {turns} ended, and begins nothing new.")
}

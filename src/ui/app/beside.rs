//! Two texts of the same paragraphs: the draft, and what somebody else wrote into them meanwhile. The log says which stand
//! beside each other; here they are told of, compared, and decided on.

use super::App;
use crate::domain::ask::Deed;
use crate::domain::event::By;
use crate::domain::head::Beside;
use crate::domain::{Request, SessionId};
use crate::text::one_line;
use crate::ui::asks::{Compared, Purpose};
use crate::ui::compare::view::Compare;
use crate::ui::compare::{Side, View};
use crate::ui::input::Effect;

impl App {
    /// The texts that stand beside the draft of the open session, oldest first, until the writer has decided.
    fn all_beside(&self) -> &[Beside] {
        let desk = self.desks.at().and_then(|session| self.desks.get(session));
        desk.map_or(&[], |desk| &desk.transcript.head().beside)
    }

    /// The one that is to be decided on next.
    fn beside(&self) -> Option<(SessionId, &Beside)> {
        Some((self.desks.at()?, self.all_beside().first()?))
    }

    /// What is said of it, and the key that shows both.
    pub(in crate::ui) fn told_beside(&self) -> Option<String> {
        let (_, beside) = self.beside()?;
        let key = self.key_of("draft.both");
        let more = match self.all_beside().len() {
            ..=1 => String::new(),
            2 => " Another such text waits behind it.".to_owned(),
            n => format!(" {} more such texts wait behind it.", n - 1),
        };
        Some(format!("{} {key} shows both.{more}", told(beside)))
    }

    /// Why there are not two texts to be seen.
    pub(in crate::ui) fn why_no_both(&self) -> Option<&'static str> {
        let none = self.beside().is_none();
        none.then_some("No other text stands beside the draft.")
    }

    /// Compares the draft with the text that stands beside it, from the paragraph at the caret on.
    pub(in crate::ui) fn show_both(&mut self) -> Vec<Effect> {
        let Some((session, beside)) = self.beside() else {
            return Vec::new();
        };
        let (left, right) = (Side::draft(session), Side::version(session, beside.seq));
        let mut view = Compare::new(left, right);
        view.names = ["The draft".to_owned(), name(&beside.by)].map(Some);
        let draft = self.desks.drafts.get(session);
        view.paper.near = draft.map_or(0, |d| d.editor.caret());
        self.open_view(View::Compare(Box::new(view)))
    }

    /// The session whose draft is compared with the text that stands beside it.
    fn deciding(&self) -> Option<(SessionId, &Beside)> {
        let [left, right] = self.compared()?.sides;
        let session = left.session;
        let watched = self.desks.views.texts.head(session);
        let opened = self.desks.get(session).map(|d| d.transcript.head());
        let stands = watched.filter(|h| !h.beside.is_empty()).or(opened)?;
        let is_compared = |beside: &&Beside| {
            let both = [Side::draft(session), Side::version(session, beside.seq)];
            both == [left, right] || both == [right, left]
        };
        let beside = stands.beside.iter().find(is_compared)?;
        Some((session, beside))
    }

    /// Whether two texts of the same paragraphs are compared, and nothing is decided yet.
    pub(in crate::ui) fn is_deciding(&self) -> bool {
        self.deciding().is_some()
    }

    /// The draft stays as it is; the other text stays a version.
    pub(in crate::ui) fn keep_mine(&mut self) -> Vec<Effect> {
        let Some((session, beside)) = self.deciding() else {
            return Vec::new();
        };
        let proposal = beside.seq;
        // Said where the writer is then.
        let closing = self.close_view();
        let versions = self.key_or_title("versions.open");
        let said = format!(
            "The draft stays as it is; the other text is kept, {versions} shows the versions."
        );
        let request = Request::Do {
            session,
            deed: Deed::Dismiss { proposal },
        };
        let mut effects = vec![self.ask(request, Purpose::Compare(Compared::Dismiss(said)))];
        effects.extend(closing);
        effects
    }
}

/// What happened, for a writer.
fn told(beside: &Beside) -> String {
    match (&beside.by, &beside.over) {
        (By::Agent(name), By::Outside) => format!(
            "{} wrote in a paragraph that another program changed: that one’s words stand, the others are kept.",
            one_line(name)
        ),
        (By::Agent(name), _) => format!(
            "{} changed a paragraph that you were writing: your words stand, the others are kept.",
            one_line(name)
        ),
        (By::Outside, _) => "Another program changed a paragraph that you were writing: your words stand, the others are kept.".to_owned(),
        (By::Take, _) => "A paragraph was changed while words were taken into it: it stands as it was changed, the words taken are kept.".to_owned(),
        (By::You | By::Undo | By::Restore, _) => "One paragraph was written in twice: the words that came last stand, the others are kept.".to_owned(),
    }
}

/// What the text beside the draft is called.
fn name(by: &By) -> String {
    match by {
        By::Agent(name) => format!("What {} wrote meanwhile", one_line(name)),
        By::Outside => "What another program wrote meanwhile".to_owned(),
        By::Take => "With the words taken".to_owned(),
        By::You | By::Undo | By::Restore => "What you wrote there besides".to_owned(),
    }
}

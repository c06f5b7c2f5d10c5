//! One line asked of the writer: a title, tags, a collection's name, a prompt.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::field::Field;
use super::sheet::sheet;
use super::{Layer, Next, Takes, Wish, Written};
use crate::domain::ask::Deed;
use crate::domain::ask::NewSession;
use crate::domain::drawer::MemoryDeed;
use crate::domain::{CollectionId, Request, Seq, SessionId};
use crate::text::one_line;
use crate::ui::app::{App, Try};
use crate::ui::asks::{Compared, Filing, Keeping, Purpose};
use crate::ui::panes::{headed, wrapped};
use crate::ui::settings::Choice;

/// Cells of a row that says why.
const WHY: usize = 54;

/// What the line is for.
#[derive(Debug)]
enum For {
    Rename(SessionId),
    Tag(SessionId, Vec<String>),
    Reply(SessionId),
    Try(SessionId),
    Compact(SessionId),
    Collection,
    Piece(Option<CollectionId>, Option<String>),
    Pin(SessionId, Seq),
    Proposal(CollectionId, Seq, String),
}

/// A line being written.
#[derive(Debug)]
pub struct Line {
    what: For,
    title: String,
    hint: &'static str,
    field: Field,
    /// Why what was written was not taken.
    wrong: Option<String>,
}

impl Line {
    /// Another title for a session.
    pub fn rename(session: SessionId, title: &str, what: &str) -> Self {
        Self {
            what: For::Rename(session),
            title: what.to_owned(),
            hint: "its title",
            field: Field::new(title),
            wrong: None,
        }
    }

    /// The tags of a session, as they shall be.
    pub fn tag(session: SessionId, tags: &[String]) -> Self {
        Self {
            what: For::Tag(session, tags.to_vec()),
            title: "Tags".to_owned(),
            hint: "words with spaces between; empty takes all off",
            field: Field::new(&tags.join(" ")),
            wrong: None,
        }
    }

    /// A prompt to a session that stays closed; `written` of it was left there.
    pub fn reply(session: SessionId, title: &str, written: &str) -> Self {
        Self {
            what: For::Reply(session),
            title: format!("Reply to {}", one_line(title)),
            hint: "your prompt",
            field: Field::of_lines(written),
            wrong: None,
        }
    }

    /// A prompt for a new variant of a session; `written` of it was left there.
    pub fn try_variant(session: SessionId, title: &str, written: &str) -> Self {
        Self {
            what: For::Try(session),
            title: format!("Try a variant of {}", one_line(title)),
            hint: "your prompt to the variant",
            field: Field::of_lines(written),
            wrong: None,
        }
    }

    /// What a summary is to keep above all.
    pub fn compact(session: SessionId) -> Self {
        Self {
            what: For::Compact(session),
            title: "Compact: a summary in place of the beginning".to_owned(),
            hint: "what to keep above all; empty for a plain summary",
            field: Field::default(),
            wrong: None,
        }
    }

    /// The title of a new collection.
    pub fn collection() -> Self {
        Self {
            what: For::Collection,
            title: "New collection".to_owned(),
            hint: "its title: essays, letters, a novel",
            field: Field::default(),
            wrong: None,
        }
    }

    /// The title of a piece that begins with its draft.
    pub fn piece(collection: Option<CollectionId>, choice: Option<&Choice>) -> Self {
        Self {
            what: For::Piece(collection, choice.map(|c| c.agent.clone())),
            title: "A new piece".to_owned(),
            hint: "its title; then you write",
            field: Field::default(),
            wrong: None,
        }
    }

    /// A name for a version.
    pub fn pin(session: SessionId, version: Seq, name: &str) -> Self {
        Self {
            what: For::Pin(session, version),
            title: "Name of this version".to_owned(),
            hint: "its name; empty takes it off",
            field: Field::new(name),
            wrong: None,
        }
    }

    /// A proposal for a memory, to be accepted in other words; `said` is shown when that is done.
    pub fn proposal(of: CollectionId, proposal: Seq, text: &str, said: String) -> Self {
        Self {
            what: For::Proposal(of, proposal, said),
            title: "Accept in your words".to_owned(),
            hint: "the line for the memory",
            field: Field::new(text),
            wrong: None,
        }
    }

    /// The same, when it was refused.
    #[must_use]
    pub fn refused(self, why: &str) -> Self {
        let wrong = Some(one_line(why));
        Self { wrong, ..self }
    }

    fn wish(&self) -> Option<Wish> {
        let text = self.field.text().trim().to_owned();
        match &self.what {
            For::Tag(session, was) => Some(tags(*session, was, &text)),
            For::Pin(session, version) => Some(pin(*session, *version, text)),
            For::Compact(session) => Some(compact(*session, text)),
            _ if text.is_empty() => None,
            For::Rename(session) => {
                let said = format!("Its title is “{}” now.", one_line(&text));
                Some(Wish::Do(*session, Deed::Rename { title: text }, said))
            }
            For::Reply(session) => {
                let request = Request::Send {
                    session: *session,
                    text,
                };
                Some(Wish::Ask(request, Purpose::Say("Sent.".to_owned())))
            }
            For::Proposal(of, proposal, said) => Some(accept(of, *proposal, text, said)),
            For::Try(session) => Some(Wish::Try(*session, String::new(), vec![Try::whole(text)])),
            For::Piece(collection, agent) => {
                let request = Request::New(NewSession {
                    collection: collection.clone(),
                    title: Some(text),
                    agent: agent.clone(),
                    prompt: None,
                    recipe: None,
                });
                Some(Wish::Ask(request, Purpose::Drawer(Filing::Piece)))
            }
            For::Collection => {
                let purpose = Purpose::Collection(one_line(&text));
                Some(Wish::Ask(Request::NewCollection { title: text }, purpose))
            }
        }
    }
}

fn compact(session: SessionId, focus: String) -> Wish {
    let focus = Some(focus).filter(|f| !f.is_empty());
    let request = Request::Compact { session, focus };
    let said = "A summary is made in its turn; the log keeps everything.";
    Wish::Ask(request, Purpose::Say(said.to_owned()))
}

fn pin(session: SessionId, version: Seq, name: String) -> Wish {
    let (name, said) = if name.is_empty() {
        (None, "The version has no name now.".to_owned())
    } else {
        let said = format!("The version is called “{}” now.", one_line(&name));
        (Some(name), said)
    };
    Wish::Do(session, Deed::Pin { version, name }, said)
}

fn tags(session: SessionId, was: &[String], text: &str) -> Wish {
    let words = text.split([' ', ',', '#']).filter(|w| !w.is_empty());
    let now: Vec<String> = words.map(str::to_owned).collect();
    let missing = |from: &[String], of: &[String]| -> Vec<String> {
        of.iter().filter(|t| !from.contains(t)).cloned().collect()
    };
    let said = if now.is_empty() {
        "It has no tags now.".to_owned()
    } else {
        format!("Tagged #{}.", one_line(&now.join(" #")))
    };
    let deed = Deed::Tag {
        add: missing(was, &now),
        remove: missing(&now, was),
    };
    Wish::Do(session, deed, said)
}

fn accept(of: &CollectionId, proposal: Seq, text: String, said: &str) -> Wish {
    let deed = MemoryDeed::Accept {
        proposal,
        text: Some(text.clone()),
        instead: None,
    };
    let request = Request::Memory {
        collection: of.clone(),
        deed,
    };
    let what = Keeping::InWords(said.to_owned(), proposal, text);
    Wish::Ask(
        request,
        Purpose::Compare(Compared::Memory(of.clone(), what)),
    )
}

impl Layer for Line {
    fn press(&mut self, key: KeyEvent, _: &App) -> Next {
        match key.code {
            KeyCode::Esc => Next::Close,
            KeyCode::Enter => self.wish().map_or(Next::Stay, Next::Then),
            _ => {
                self.field.press(key);
                Next::Stay
            }
        }
    }

    fn takes(&self) -> Takes {
        match self.what {
            // Nothing pasted sends anything.
            For::Reply(_) | For::Try(_) => Takes::Text,
            _ => Takes::Line,
        }
    }

    fn field(&self) -> Option<&Field> {
        Some(&self.field)
    }

    fn paste(&mut self, text: &str) {
        self.field.paste(text);
    }

    fn written(&self) -> Option<Written> {
        let (session, is_variant) = match self.what {
            For::Reply(session) => (session, false),
            For::Try(session) => (session, true),
            _ => return None,
        };
        Some(Written {
            session,
            is_variant,
            text: self.field.text(),
        })
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let foot = match self.what {
            For::Tag(..) => "a space parts two · Enter · Esc closes",
            _ => "Enter · Esc closes",
        };
        let wrong = self.wrong.as_deref().unwrap_or_default();
        let why = if wrong.is_empty() {
            Vec::new()
        } else {
            wrapped(wrong, WHY)
        };
        let below = if why.is_empty() { 0 } else { 1 + why.len() };
        let rows = 1 + u16::try_from(below).unwrap_or(0);
        let room = sheet(screen, buf, theme, (60, rows), (&self.title, foot));
        let (at, below) = headed(room);
        for (text, line) in why.into_iter().zip(below.rows()) {
            buf.set_stringn(line.x, line.y, text, line.width.into(), theme.warn);
        }
        self.field.draw(at, buf, theme, self.hint)
    }
}

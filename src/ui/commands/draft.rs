//! The draft: going there, writing it, looking for words in it. Plain editing keys are the editor's own.

use super::{Command, Place};
use crate::domain::ask::{Deed, Request};
use crate::text::thousands;
use crate::ui::app::App;
use crate::ui::asks::Purpose;
use crate::ui::draft::Finding;
use crate::ui::focus::Pane;
use crate::ui::input::Effect;
use crate::ui::layers::field::Field;
use crate::ui::layers::reply::ReplyToDraft;

pub(super) const ROWS: &[Command] = &[
    Command::new(
        "draft.open",
        "Write the draft",
        "Opens the draft of the session at hand, to read it and to write in it; where there is none, begins a piece with its draft.",
        App::open_draft,
    )
    .keys(&[(Place::Transcript, "d"), (Place::List, "d")])
    .unless(nothing_to_begin),
    Command::new(
        "draft.leave",
        "Back from the draft",
        "Goes back to where you came from; from words that you wrote to your prompt, rather than to the transcript. They become a version.",
        App::leave_draft,
    )
    .keys(&[(Place::Draft, "esc")])
    .unless(not_there),
    Command::new(
        "draft.close",
        "Close the draft",
        "Takes the draft away from beside the transcript.",
        App::close_draft,
    )
    .unless(not_open),
    Command::new("draft.undo", "Undo in the draft", "Takes back your last change of the draft.", undo)
        .keys(&[(Place::Draft, "ctrl-z")])
        .unless(not_there),
    Command::new("draft.redo", "Redo in the draft", "Makes the change again.", redo)
        .keys(&[(Place::Draft, "ctrl-y")])
        .unless(not_there),
    Command::new("draft.cut", "Cut", "Cuts the selection; Ctrl-C copies it.", App::cut_draft)
        .keys(&[(Place::Draft, "ctrl-x"), (Place::Find, "ctrl-x")])
        .unless(nothing_selected),
    Command::new(
        "draft.paste",
        "Paste",
        "Puts in what was cut or copied in this window last; your terminal's own paste works too.",
        App::paste_clip,
    )
    .keys(&[(Place::Draft, "ctrl-v"), (Place::Find, "ctrl-v")])
    .unless(not_there),
    Command::new(
        "draft.select",
        "Select more",
        "Selects the word; pressed again the sentence, the paragraph, everything.",
        select,
    )
    .keys(&[(Place::Draft, "ctrl-l")])
    .unless(not_there),
    Command::new("draft.all", "Select everything", "Selects the whole draft.", all).unless(not_there),
    Command::new(
        "draft.mark",
        "Select from here",
        "From here on every move selects, as with Shift; pressed again no more.",
        mark,
    )
    .keys(&[(Place::Draft, "ctrl-space")])
    .unless(not_there),
    Command::new("draft.sentence", "Next sentence", "Goes to the next sentence.", sentence)
        .keys(&[(Place::Draft, "alt-down"), (Place::Draft, "ctrl-e")])
        .unless(not_there),
    Command::new(
        "draft.sentence_back",
        "Sentence before",
        "Goes to the start of the sentence, or of the one before.",
        sentence_back,
    )
    .keys(&[(Place::Draft, "alt-up")])
    .unless(not_there),
    Command::new("draft.find", "Find in the draft", "Looks for words in the draft, whatever their case.", find)
        .keys(&[(Place::Draft, "ctrl-f")])
        .unless(not_there),
    Command::new(
        "find.next",
        "Next one found",
        "Goes to the next place; with other words written, puts them there first.",
        next,
    )
    .keys(&[(Place::Find, "enter"), (Place::Find, "down"), (Place::Find, "ctrl-f")])
    .unless(not_finding),
    Command::new("find.previous", "One found before", "Goes to the place before.", previous)
        .keys(&[(Place::Find, "up")])
        .unless(not_finding),
    Command::new(
        "find.with",
        "Replace what is found",
        "Goes to the line for the words that take the place of those found, and back.",
        with,
    )
    .keys(&[(Place::Find, "tab"), (Place::Find, "ctrl-r")])
    .unless(not_finding),
    Command::new("find.all", "Replace all", "Puts the other words in every place found, as one step.", replace_all)
        .keys(&[(Place::Find, "alt-enter"), (Place::Find, "ctrl-j")])
        .unless(nothing_to_put),
    Command::new("find.close", "Found", "Closes the search; what was found is selected.", found)
        .keys(&[(Place::Find, "esc")])
        .unless(not_finding),
    Command::new(
        "draft.both",
        "Show both texts",
        "Compares the draft with the text that was written into the same paragraphs, to take some of it or keep yours.",
        App::show_both,
    )
    .keys(&[(Place::Draft, "ctrl-r"), (Place::Changes, "enter")])
    .unless(App::why_no_both),
    Command::new(
        "draft.convert",
        "Convert the draft to UTF-8",
        "Makes a draft that is not UTF-8 text one that is; the original stays a version.",
        convert,
    )
    .writes()
    .keys(&[(Place::Draft, "f8")])
    .unless(not_locked),
    Command::new(
        "draft.put_reply",
        "This message into the draft",
        "Puts a reply or a prompt of your own into the draft: in its place, behind it, or before it.",
        put_reply,
    )
    .writes()
    .keys(&[(Place::Transcript, "w")])
    .unless(no_message),
    Command::new(
        "draft.edit",
        "Edit the draft in $EDITOR",
        "Opens the draft in your editor; what you save becomes a version.",
        edit,
    )
    .keys(&[(Place::Transcript, "e"), (Place::List, "e")])
    .unless(no_editor),
];

fn no_message(app: &App) -> Option<&'static str> {
    let here = app.message_at_hand();
    here.is_none().then_some("There is no message here yet.")
}

/// Where nothing can be written no piece can be begun.
fn nothing_to_begin(app: &App) -> Option<&'static str> {
    app.no_session().filter(|_| app.is_reading())
}

fn no_editor(app: &App) -> Option<&'static str> {
    let named = app.means().editor.is_some();
    app.no_session()
        .or((!named).then_some("No editor is named: set EDITOR, for example to nano."))
}

fn not_locked(app: &App) -> Option<&'static str> {
    let draft = app.draft_here();
    let locked = draft.is_some_and(|d| d.editor.locked().is_some());
    (!locked).then_some("No draft that has to be converted is open.")
}

fn convert(app: &mut App) -> Vec<Effect> {
    let said = "The draft is UTF-8 text now; the original is kept as a version.";
    match app.at_hand() {
        Some(session) => app.act(session, Deed::Convert, said.to_owned()),
        None => Vec::new(),
    }
}

fn not_open(app: &App) -> Option<&'static str> {
    (!app.draft_stands()).then_some("No draft is open.")
}

fn not_there(app: &App) -> Option<&'static str> {
    (app.pane != Pane::Draft).then_some("You are not in the draft.")
}

fn nothing_selected(app: &App) -> Option<&'static str> {
    let draft = app.draft_here();
    if let Some(finding) = draft.and_then(|d| d.finding.as_ref()) {
        let empty = finding.written().text().is_empty();
        return empty.then_some("Nothing is written in this line.");
    }
    let selected = draft.is_some_and(|d| d.editor.selection().is_some());
    (!selected).then_some("Nothing is selected in the draft.")
}

fn not_finding(app: &App) -> Option<&'static str> {
    (!app.is_finding()).then_some("Nothing is being looked for in the draft.")
}

fn nothing_to_put(app: &App) -> Option<&'static str> {
    let finding = app.draft_here().and_then(|d| d.finding.as_ref());
    let with = finding.is_some_and(|f| f.with.is_some());
    (!with).then_some("No words are written to take their place.")
}

fn undo(app: &mut App) -> Vec<Effect> {
    let mut any = false;
    app.in_draft(|draft, _| any = draft.editor.undo());
    if !any {
        let key = app.key_of_here("versions.open");
        // What was typed before it was opened here is no step of this window, and no deed.
        let before = app
            .draft_here()
            .is_some_and(|d| !d.editor.words().is_empty());
        app.say(match key.filter(|_| before) {
            Some(key) => format!(
                "There is nothing to undo since the draft was opened here. {key} shows its versions: each can be the draft again."
            ),
            None => "There is nothing to undo in the draft.".to_owned(),
        });
    }
    Vec::new()
}

fn redo(app: &mut App) -> Vec<Effect> {
    let mut any = false;
    app.in_draft(|draft, _| any = draft.editor.redo());
    if !any {
        app.say("There is nothing to make again.");
    }
    Vec::new()
}

fn select(app: &mut App) -> Vec<Effect> {
    app.in_draft(|draft, _| draft.editor.select_more())
}

fn all(app: &mut App) -> Vec<Effect> {
    app.in_draft(|draft, _| draft.editor.select(0..draft.editor.words().len()))
}

fn mark(app: &mut App) -> Vec<Effect> {
    app.in_draft(|draft, _| draft.editor.mark())
}

fn sentence(app: &mut App) -> Vec<Effect> {
    app.in_draft(|draft, _| draft.editor.sentence(true, false))
}

fn sentence_back(app: &mut App) -> Vec<Effect> {
    app.in_draft(|draft, _| draft.editor.sentence(false, false))
}

fn find(app: &mut App) -> Vec<Effect> {
    app.in_draft(|draft, _| draft.find())
}

fn next(app: &mut App) -> Vec<Effect> {
    app.in_draft(|draft, now| {
        let Some(finding) = &mut draft.finding else {
            return;
        };
        let wanted = finding.wanted.text();
        match finding.with.as_ref().filter(|_| finding.in_with) {
            Some(with) => {
                let with = with.text();
                finding.search.put(&wanted, &with, &mut draft.editor, now);
            }
            None => finding.search.go(true, &mut draft.editor),
        }
    })
}

fn previous(app: &mut App) -> Vec<Effect> {
    app.in_draft(|draft, _| {
        if let Some(finding) = &mut draft.finding {
            finding.search.go(false, &mut draft.editor);
        }
    })
}

fn with(app: &mut App) -> Vec<Effect> {
    app.in_draft(|draft, _| {
        if let Some(finding) = &mut draft.finding {
            finding.in_with = !finding.in_with;
            finding.with.get_or_insert_with(Field::default);
        }
    })
}

fn replace_all(app: &mut App) -> Vec<Effect> {
    let mut many = 0;
    app.in_draft(|draft, now| {
        let Some(finding) = &mut draft.finding else {
            return;
        };
        let (wanted, with) = (finding.wanted.text(), with_of(finding));
        many = finding
            .search
            .put_all(&wanted, &with, &mut draft.editor, now);
    });
    let places = if many == 1 { "place" } else { "places" };
    app.say(format!("Replaced in {} {places}.", thousands(many as u64)));
    Vec::new()
}

fn with_of(finding: &Finding) -> String {
    finding.with.as_ref().map(Field::text).unwrap_or_default()
}

fn found(app: &mut App) -> Vec<Effect> {
    app.in_draft(|draft, _| draft.found())
}

fn put_reply(app: &mut App) -> Vec<Effect> {
    if let Some((session, message)) = app.message_at_hand() {
        app.push(ReplyToDraft::new(session, &message));
    }
    Vec::new()
}

fn edit(app: &mut App) -> Vec<Effect> {
    let Some(session) = app.at_hand() else {
        return Vec::new();
    };
    let request = Request::Draft { session, at: None };
    vec![app.ask(request, Purpose::Edit(session))]
}

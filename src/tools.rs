//! The writing tools: one table of name, schema and deed. Every backend serves this table.
//!
//! Pure: a tool of the draft is given the draft and says what to answer and what the draft becomes; any other says what it
//! wants of the collection, and words what was found. The host does the rest.

mod draft;
pub mod memory;
pub mod pieces;

use crate::domain::Seq;
use crate::domain::tool::{ToolResult, ToolSpec};

/// The tool that proposes a line for the memory.
pub const PROPOSE: &str = "propose_memory";

/// The draft as a tool finds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draft<'a> {
    /// The text.
    pub text: &'a str,
    /// Its version; 0 when nothing was written yet.
    pub version: Seq,
}

/// What a tool does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It answers; the draft stays.
    Answer(ToolResult),
    /// The draft becomes this text; the host answers when it has.
    Write(String),
}

/// What a tool wants of the collection. Nothing of another one is ever wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// To be told something.
    Find(Find),
    /// To have something kept in its memory.
    Memory(memory::Proposal),
}

/// What is to be found in a collection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Find {
    /// Its pieces.
    Pieces,
    /// The draft of one.
    Piece(pieces::Asked),
    /// Where words stand in its drafts.
    Words(String),
}

struct Tool {
    spec: ToolSpec,
    run: Run,
}

enum Run {
    /// On the draft.
    Draft(fn(&str, Draft<'_>) -> Outcome),
    /// On the collection; refused with a reason where the argument says nothing that can be done.
    Collection(fn(&str) -> Result<Wanted, String>),
}

const TABLE: [Tool; 7] = [
    Tool {
        spec: ToolSpec {
            name: "read_draft",
            about: "Returns the current draft of this piece and its version number. Call it before you change the draft.",
            schema: r#"{"type":"object","properties":{},"additionalProperties":false}"#,
        },
        run: Run::Draft(draft::read),
    },
    Tool {
        spec: ToolSpec {
            name: "write_draft",
            about: "Replaces the whole draft. `base_version` is the version you read; the call is refused with the newer text when the draft has changed since.",
            schema: r#"{"type":"object","properties":{"text":{"type":"string","description":"The whole new draft, Markdown."},"base_version":{"type":"integer","description":"Version the new text is made from; 0 for an empty draft."}},"required":["text","base_version"],"additionalProperties":false}"#,
        },
        run: Run::Draft(draft::write),
    },
    Tool {
        spec: ToolSpec {
            name: "edit_draft",
            about: "Replaces one passage of the draft. `old` must occur exactly once. The call is refused with the newer text when the draft has changed since `base_version`.",
            schema: r#"{"type":"object","properties":{"old":{"type":"string","description":"The passage as it stands, exactly."},"new":{"type":"string","description":"What takes its place."},"base_version":{"type":"integer","description":"Version the passage was read in."}},"required":["old","new","base_version"],"additionalProperties":false}"#,
        },
        run: Run::Draft(draft::edit),
    },
    Tool {
        spec: ToolSpec {
            name: "list_pieces",
            about: "Lists the pieces of this collection in order: number, title, stage, words and what each is about.",
            schema: r#"{"type":"object","properties":{},"additionalProperties":false}"#,
        },
        run: Run::Collection(|_| Ok(Wanted::Find(Find::Pieces))),
    },
    Tool {
        spec: ToolSpec {
            name: "read_piece",
            about: "Returns the draft of another piece of this collection, to keep to what it says. A long one comes in parts.",
            schema: r#"{"type":"object","properties":{"piece":{"type":"string","description":"Its number in the list of pieces, or its title."},"part":{"type":"integer","description":"Which part of a long draft, from 1."}},"required":["piece"],"additionalProperties":false}"#,
        },
        run: Run::Collection(pieces::read),
    },
    Tool {
        spec: ToolSpec {
            name: "search_collection",
            about: "Finds words in the drafts of this collection and returns the passages. All words must stand in one paragraph; put a phrase in quotation marks.",
            schema: r#"{"type":"object","properties":{"words":{"type":"string","description":"What to look for."}},"required":["words"],"additionalProperties":false}"#,
        },
        run: Run::Collection(pieces::search),
    },
    Tool {
        spec: ToolSpec {
            name: PROPOSE,
            about: "Proposes a line for the memory of this collection: something settled that later pieces have to keep to. The writer decides whether it is kept. Propose little, and only what is certain.",
            schema: r#"{"type":"object","properties":{"what":{"type":"string","enum":["fact","name","decision","term","piece"],"description":"What kind of line it is; `piece` is the one line that says what this piece is about."},"text":{"type":"string","description":"The line, one sentence."},"reason":{"type":"string","description":"Why it is worth keeping, briefly."},"about":{"type":"string","description":"The name or term the line is about, as it is written in the pieces."}},"required":["what","text"],"additionalProperties":false}"#,
        },
        run: Run::Collection(memory::propose),
    },
];

const fn specs() -> [ToolSpec; TABLE.len()] {
    let mut specs = [TABLE[0].spec; TABLE.len()];
    let mut i = 0;
    while i < TABLE.len() {
        specs[i] = TABLE[i].spec;
        i += 1;
    }
    specs
}

/// The tools every backend serves.
pub const SPECS: &[ToolSpec] = &specs();

fn tool(name: &str) -> Option<&'static Run> {
    let found = TABLE.iter().find(|t| t.spec.name == name);
    found.map(|tool| &tool.run)
}

/// Runs a tool on the draft. `input` is its argument as JSON.
pub fn run(name: &str, input: &str, draft: Draft<'_>) -> Outcome {
    match tool(name) {
        Some(Run::Draft(run)) => run(input, draft),
        _ => Outcome::Answer(no(format!("There is no tool {name}."))),
    }
}

/// What a tool wants of the collection, or why that cannot be; none for one that is of the draft.
pub fn wanted(name: &str, input: &str) -> Option<Result<Wanted, ToolResult>> {
    match tool(name)? {
        Run::Draft(_) => None,
        Run::Collection(read) => Some(read(input).map_err(no)),
    }
}

/// A refusal.
pub fn no(output: String) -> ToolResult {
    ToolResult { ok: false, output }
}

fn yes(output: String) -> ToolResult {
    ToolResult { ok: true, output }
}

/// The version of the draft that a call was made from; none when it changes nothing or does not say.
pub fn base(name: &str, input: &str) -> Option<Seq> {
    let writes = matches!(name, "write_draft" | "edit_draft");
    writes.then(|| draft::base(input)).flatten()
}

/// Whether a tool tells the agent what the draft is.
pub fn reads(name: &str) -> bool {
    name == "read_draft"
}

/// What the agent is told when its text waits for the writer's word; `proposal` is its number.
pub fn proposed(proposal: Seq, words: u64) -> ToolResult {
    ToolResult {
        ok: true,
        output: format!(
            "This is a proposal, {words} words; the draft stays as it is until the writer has decided. To change the proposal further, give {proposal} as its `base_version`."
        ),
    }
}

/// What the agent is told when it proposes the text that is the draft already.
pub fn nothing_new() -> ToolResult {
    ToolResult {
        ok: true,
        output: "The draft is exactly that text: there is nothing to propose.".to_owned(),
    }
}

/// What a reading agent is told of the text that waits, proposed in the same turn or in an `earlier` one.
pub fn as_proposed(told: &ToolResult, earlier: bool) -> ToolResult {
    let told = headed(
        told,
        if earlier {
            ", as it was proposed in an earlier turn: the writer has not decided, and what you write goes on from it"
        } else {
            ", as you proposed it: the writer has not decided"
        },
    );
    // Its number stands where that of a version does in a call, and is none.
    match told.output.strip_prefix("Version ") {
        Some(rest) => yes(format!("Proposal {rest}")),
        None => told,
    }
}

/// Puts words behind the version in what a reading agent is told.
fn headed(told: &ToolResult, words: &str) -> ToolResult {
    let output = match told.output.split_once(":\n\n") {
        Some((head, text)) => format!("{head}{words}:\n\n{text}"),
        None => format!("{}{words}.", told.output.trim_end_matches('.')),
    };
    let ok = told.ok;
    ToolResult { ok, output }
}

/// What the agent is told when its text and that of the writer have become the draft together.
pub fn merged(version: Seq, words: u64) -> ToolResult {
    ToolResult {
        ok: true,
        output: format!(
            "Saved as version {version}, {words} words. The writer has changed other paragraphs meanwhile; both changes are in it. Read the draft before you change it again."
        ),
    }
}

/// What the agent is told when the writer has changed the same paragraphs: `own` is the version with its text.
pub fn beside(own: Seq, draft: Draft<'_>) -> ToolResult {
    ToolResult {
        ok: false,
        output: format!(
            "The writer has changed the same paragraphs meanwhile. Of those the writer's text stays the draft, what you changed apart from them is in it, and your whole text is kept beside it as version {own}. The draft is now version {}:\n\n{}",
            draft.version,
            crate::text::merge::plain(draft.text)
        ),
    }
}

/// What the agent is told when its text has become the draft.
pub fn written(version: Seq, words: u64) -> ToolResult {
    ToolResult {
        ok: true,
        output: format!("Saved as version {version}, {words} words."),
    }
}

fn refuse(output: String) -> Outcome {
    Outcome::Answer(no(output))
}

/// Reads an argument.
fn argument<'a, T: serde::Deserialize<'a>>(input: &'a str) -> Result<T, String> {
    serde_json::from_str(input).map_err(|e| format!("The argument could not be read: {e}."))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    const DRAFT: Draft<'_> = Draft {
        text: "One. Two. One.",
        version: 7,
    };

    fn refused(name: &str, input: &str) -> String {
        match run(name, input, DRAFT) {
            Outcome::Answer(ToolResult { ok: false, output }) => output,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn schemas_are_json() {
        for spec in SPECS {
            serde_json::from_str::<serde_json::Value>(spec.schema).unwrap();
        }
    }

    #[test]
    fn a_stale_write_is_refused_with_the_newer_text() {
        let told = refused("write_draft", r#"{"text":"x","base_version":6}"#);
        assert!(
            told.contains("version 7") && told.contains(DRAFT.text),
            "{told}"
        );
    }

    #[test]
    fn an_edit_needs_its_passage_exactly_once() {
        assert!(
            refused("edit_draft", r#"{"old":"One.","new":"x","base_version":7}"#)
                .contains("2 times")
        );
        assert!(
            refused("edit_draft", r#"{"old":"Six.","new":"x","base_version":7}"#)
                .contains("not in the draft")
        );
        let done = run(
            "edit_draft",
            r#"{"old":"Two.","new":"Three.","base_version":7}"#,
            DRAFT,
        );
        assert_eq!(done, Outcome::Write("One. Three. One.".into()));
    }

    #[test]
    fn a_bad_argument_is_answered_not_fatal() {
        assert!(refused("write_draft", "{").contains("argument"));
        assert!(refused("nothing", "{}").contains("no tool"));
    }

    #[test]
    fn a_reading_agent_is_told_that_the_text_is_a_proposal_beside_its_number() {
        let read = |draft| match run("read_draft", "{}", draft) {
            Outcome::Answer(told) => told,
            Outcome::Write(text) => panic!("{text}"),
        };
        let told = as_proposed(&read(DRAFT), true).output;
        assert!(
            told.starts_with("Proposal 7, as it was proposed in an earlier turn")
                && told.ends_with(":\n\nOne. Two. One."),
            "{told}"
        );
        let told = as_proposed(&read(DRAFT), false).output;
        assert!(told.starts_with("Proposal 7, as you proposed it"), "{told}");
        assert!(!proposed(7, 2).output.contains("version 7"));
    }

    #[test]
    fn a_version_may_come_as_text() {
        let done = run("write_draft", r#"{"text":"x","base_version":"7"}"#, DRAFT);
        assert_eq!(done, Outcome::Write("x".into()));
    }
}

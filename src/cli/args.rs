//! The command line as it is written: verbs, arguments, help. What each verb does is in its own file.

mod adopt;
mod brief;
mod compact;
mod drawer;
mod exchange;
mod export;
mod fork;
mod host;
mod list;
mod memory;
mod search;
mod undo;
mod versions;
mod waiting;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use adopt::Adopt;
pub use brief::Brief;
pub use compact::Compact;
pub use drawer::{Collection, CollectionVerb, Move, Order, ShelfBack, Stage, Target};
pub use exchange::{Import, ImportVerb, Store, StoreVerb};
pub use export::Export;
pub use fork::Fork;
pub use host::{Host, HostVerb};
pub use list::List;
pub use memory::{Memory, MemoryVerb};
pub use search::Search;
pub use undo::Back;
pub use versions::{Compare, Draft, Take};
pub use waiting::{Queue, Recipe, RecipeVerb};

/// Shown below `--help`.
const EXAMPLES: &str = "\
Examples:
  fascicle                                     open the window on the workspace at hand
  fascicle new -c sample \"Letter to the valley\"
  fascicle send \"Last crossing\" \"Open with the river.\" --wait
  fascicle show \"Last crossing\" | less
  fascicle draft \"Last crossing\" > crossing.md
  fascicle doctor

ID is a full id, the unique beginning of one, or a unique title; a variant's also \"piece: variant\".
The workspace is --workspace, else FASCICLE_WORKSPACE, else the nearest folder above the current
one that holds .fascicle/, else ~/Fascicle, which is made when something is first written to it.

Exit codes: 0 done, 1 not done (the reason is said), 2 a mistake in the command line, 70 a bug.";

/// A terminal writing workbench: several agents write at once, every word on disk before it is on screen.
#[derive(Parser, Debug)]
#[command(name = "fascicle", version, after_help = EXAMPLES, disable_help_subcommand = true)]
pub struct Cli {
    /// Open the window on this folder: the workspace that holds it, else the folder itself
    pub dir: Option<PathBuf>,
    /// For every verb.
    #[command(flatten)]
    pub global: Global,
    /// What to do; the window when none.
    #[command(subcommand)]
    pub verb: Option<Verb>,
}

/// May stand before or after the verb.
#[derive(Args, Clone, Debug)]
pub struct Global {
    /// The workspace [env: FASCICLE_WORKSPACE]
    #[arg(long, global = true, value_name = "DIR")]
    pub workspace: Option<PathBuf>,
    /// Run turns in this process, even where another one could
    #[arg(long, global = true)]
    pub inline: bool,
    /// Answer in JSON: what is listed or printed; of a change, `now` has what it made of it
    #[arg(long, global = true)]
    pub json: bool,
}

/// The verbs, in three kinds: what each kind may touch is the same for all of it.
#[derive(Subcommand, Debug)]
pub enum Verb {
    /// Verbs that change something.
    #[command(flatten)]
    Write(WriteVerb),
    /// Verbs that only read: they start no host and need no writable workspace.
    #[command(flatten)]
    Read(ReadVerb),
    /// Verbs about the program and the machine.
    #[command(flatten)]
    About(AboutVerb),
}

/// Verbs that change something, or open the window.
#[derive(Subcommand, Debug)]
pub enum WriteVerb {
    /// Make a session; prints its id and nothing else
    #[command(
        after_help = "Example:\n  id=$(fascicle new -c sample \"Letter to the valley\" --prompt \"Ask me three questions first.\")"
    )]
    New(New),
    /// Send a prompt; it waits its turn when one runs
    #[command(
        after_help = "Examples:\n  fascicle send \"last crossing\" \"Make the last line shorter.\" --wait\n  fascicle send \"last crossing\" - < notes.md"
    )]
    Send(Send),
    /// Make a variant of a session, conversation and draft; prints its id and nothing else
    #[command(
        after_help = "Examples:\n  id=$(fascicle fork \"last crossing\" --name \"first person\")\n  fascicle fork \"last crossing\" --at 9 --prompt \"Open with a story.\""
    )]
    Fork(Fork),
    /// Make a variant the main line of its family; its folder gets the name of the piece, and undo gives that back
    #[command(
        after_help = "Examples:\n  fascicle adopt \"last crossing: first person\"\n  fascicle adopt \"last crossing: first person\" --wait\n  fascicle adopt \"last crossing: first person\" --call-off"
    )]
    Adopt(Adopt),
    /// Stop the running turn; what was written so far is kept
    Stop(One),
    /// Go on where the newest turn was cut, failed or was stopped; one that is silent is stopped first
    Again(One),
    /// List the prompts that wait in a session, let them go on, take one back or change it
    #[command(
        after_help = "Examples:\n  fascicle queue \"last crossing\"\n  fascicle queue \"last crossing\" --go\n  fascicle queue \"last crossing\" --change 2 \"Shorter, please.\""
    )]
    Queue(Queue),
    /// Run, list and show recipes: prompts that are sent one after the other
    #[command(
        after_help = "Examples:\n  fascicle recipe run \"last crossing\" essay\n  fascicle recipe show essay > my-essay.md"
    )]
    Recipe(Recipe),
    /// Decide on what agents propose for the memory of a collection; list and archive its lines
    #[command(
        after_help = "Examples:\n  fascicle memory list -c sample\n  fascicle memory accept 12 -c sample --text \"Ilse is nine.\"\n  fascicle memory undo -c sample"
    )]
    Memory(Memory),
    /// Put a summary in the place of the beginning of what the agent is sent; the log keeps everything
    #[command(
        after_help = "Examples:\n  fascicle compact \"last crossing\"\n  fascicle compact \"last crossing\" --focus \"the ferryman's reasons\" --wait"
    )]
    Compact(Compact),
    /// Answer the oldest question of a session
    #[command(after_help = "Example:\n  fascicle answer \"last crossing\" once")]
    Answer(Answer),
    /// Take words of another draft, or of a version, into a session's draft: all of them, or some paragraphs
    #[command(
        override_usage = "fascicle take <ID> --from <ID[@SEQ]> [--paragraph <N>]…",
        after_help = "Examples:\n  fascicle take \"last crossing\" --from \"first person\" --paragraph 2\n  fascicle take \"notebooks in a drawer\" --from \"notebooks in a drawer@9\""
    )]
    Take(Take),
    /// Open the window at the session last written in
    Continue,
    /// Open the window at this session
    Resume(One),
    /// Give a session another title
    Rename(Rename),
    /// Put tags on a session, or take them off with -r
    #[command(
        after_help = "Examples:\n  fascicle tag \"last crossing\" spring keep\n  fascicle tag \"last crossing\" -r keep"
    )]
    Tag(Tag),
    /// Take a session out of the list; it stays where it is
    Archive(One),
    /// Put a session into the trash; nothing is lost
    Delete(One),
    /// Bring a session back from the archive or the trash
    Restore(One),
    /// Undo the last deed on a session, and say what was undone: title, tags, stage, collection, archive, trash, draft, adoption
    #[command(
        after_help = "Examples:\n  fascicle undo \"last crossing\"\n  fascicle undo \"last crossing\" --list\n  fascicle undo \"last crossing\" --deed 42"
    )]
    Undo(Back),
    /// Do again what was undone last on a session, where nothing else was done since
    #[command(after_help = "Example:\n  fascicle redo \"last crossing\"")]
    Redo(Back),
    /// Say where a piece stands: idea, outline, draft, revising or done
    #[command(after_help = "Example:\n  fascicle stage \"last crossing\" revising")]
    Stage(Stage),
    /// Move a session to another collection, its variants with it; the folder moves, undo moves it back
    #[command(after_help = "Example:\n  fascicle move \"a letter to proofread\" inbox")]
    Move(Move),
    /// Make, list, describe, order and archive collections
    #[command(
        after_help = "Examples:\n  fascicle collection new \"Essays on water\"\n  fascicle collection new --from ~/old-essays\n  fascicle collection target sample 60000\n  fascicle collection order sample \"last crossing\" \"notebooks in a drawer\""
    )]
    Collection(Collection),
    /// Bring in what was written elsewhere
    Import(Import),
}

/// Verbs that only read.
#[derive(Subcommand, Debug)]
pub enum ReadVerb {
    /// List sessions, newest first
    #[command(
        after_help = "Examples:\n  fascicle list -c sample\n  fascicle list --json | jq -r '.[] | select(.state == \"needs_you\") | .id'"
    )]
    List(List),
    /// Print a session's transcript as Markdown, or its events with --json
    #[command(
        after_help = "Examples:\n  fascicle show \"last crossing\" | less\n  fascicle show \"last crossing\" --follow"
    )]
    Show(Show),
    /// Print the draft of a session, byte for byte; list its versions, restore one, give one a name
    #[command(
        after_help = "Examples:\n  fascicle draft \"last crossing\" > crossing.md\n  fascicle draft \"last crossing\" --versions\n  fascicle draft \"last crossing\" --pin 9 \"as sent\"\n  fascicle draft \"last crossing\" --restore \"as sent\""
    )]
    Draft(Draft),
    /// Print what an agent is told at each request of a session: rules, voice, profile, memory, index of pieces
    #[command(
        after_help = "Examples:\n  fascicle brief \"last crossing\"\n  fascicle brief \"last crossing\" --turn 2\n  fascicle brief \"last crossing\" --json | jq '.parts'"
    )]
    Brief(Brief),
    /// Find words in all drafts, prompts and replies
    #[command(
        after_help = "Examples:\n  fascicle search ferry\n  fascicle search -c sample \"\\\"the ferry\\\" bell\"\n  fascicle search ferry --json | jq -r '.[].session' | sort -u"
    )]
    Search(Search),
    /// Write a draft, the drafts of a collection in order, or a transcript as Markdown, HTML, text, docx, epub or PDF
    #[command(
        after_help = "Examples:\n  fascicle export \"last crossing\" --to html -o crossing.html\n  fascicle export sample --to epub -o ferry.epub\n  fascicle export \"last crossing\" --transcript --to txt | less"
    )]
    Export(Export),
    /// Compare two drafts or versions, paragraph by paragraph, words that go and come marked
    #[command(
        after_help = "Examples:\n  fascicle compare \"last crossing\" \"first person\"\n  fascicle compare \"notebooks in a drawer@9\" \"notebooks in a drawer\"\n  fascicle compare \"last crossing\" \"first person\" --json"
    )]
    Compare(Compare),
    /// List what is in the trash
    Trash(Trash),
    /// Read every line and blob of every log, and name what is damaged or missing
    Verify(Verify),
    /// Delete the caches and read everything anew; logs and blobs are not touched
    Rebuild,
    /// Say whether a host runs for this workspace, or end it
    Host(Host),
}

/// Verbs about the program and the machine.
#[derive(Subcommand, Debug)]
pub enum AboutVerb {
    /// Say which agents were found, why others were not, and what would fix it
    Doctor,
    /// List the agents a session can choose
    Agents,
    /// Keep the sessions of programs built on the Claude Agent SDK
    #[command(after_help = "Example:\n  fascicle store serve ~/agent-sessions")]
    Store(Store),
    /// List the keys of the window
    Keys,
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  fascicle completions bash > ~/.local/share/bash-completion/completions/fascicle"
    )]
    Completions(Completions),
    /// Look for grammar in the text on standard input: the editor's own child
    #[cfg(feature = "grammar")]
    #[command(name = crate::agents::editor::grammar::VERB, hide = true)]
    Grammar,
    /// Print the manual page
    #[command(after_help = "Example:\n  fascicle man | man -l -")]
    Man,
}

/// One session.
#[derive(Args, Debug)]
pub struct One {
    /// The session
    pub id: String,
}

/// `new`.
#[derive(Args, Debug)]
pub struct New {
    /// Its title; from the prompt when there is none
    #[arg(required_unless_present = "prompt")]
    pub title: Option<String>,
    /// The collection it goes into: id, title or folder; the inbox when none
    #[arg(short, long)]
    pub collection: Option<String>,
    /// Its agent; the collection's or the default when none
    #[arg(long)]
    pub agent: Option<String>,
    /// A first prompt; `-` reads it from standard input
    #[arg(long)]
    pub prompt: Option<String>,
}

/// `send`.
#[derive(Args, Debug)]
pub struct Send {
    /// The session
    pub id: String,
    /// The prompt; `-` reads it from standard input
    pub text: String,
    /// Print the reply as it comes, and fail unless the turn ends well
    #[arg(long)]
    pub wait: bool,
}

/// `answer`.
#[derive(Args, Debug)]
pub struct Answer {
    /// The session
    pub id: String,
    /// The answer
    pub answer: Word,
}

/// What can be answered.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// Yes, this time
    Once,
    /// Yes, for as long as this session's agent runs
    Session,
    /// No
    Deny,
}

/// `rename`.
#[derive(Args, Debug)]
pub struct Rename {
    /// The session
    pub id: String,
    /// The new title
    pub title: String,
}

/// `tag`.
#[derive(Args, Debug)]
pub struct Tag {
    /// The session
    pub id: String,
    /// Take these off instead
    #[arg(short, long)]
    pub remove: bool,
    /// The tags
    #[arg(required = true)]
    pub tags: Vec<String>,
}

/// `show`.
#[derive(Args, Debug)]
pub struct Show {
    /// The session
    pub id: String,
    /// Go on printing what is written, until stopped
    #[arg(long)]
    pub follow: bool,
}

/// `trash`.
#[derive(Args, Debug)]
pub struct Trash {
    /// What to do.
    #[command(subcommand)]
    pub verb: TrashVerb,
}

/// What can be done with the trash.
#[derive(Subcommand, Debug)]
pub enum TrashVerb {
    /// List the sessions in it
    List,
}

/// `verify`.
#[derive(Args, Debug)]
pub struct Verify {
    /// Only this session
    pub id: Option<String>,
    /// Fail when anything is damaged or missing
    #[arg(long)]
    pub strict: bool,
}

/// `completions`.
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use clap::CommandFactory as _;

    use super::*;

    fn parse(line: &str) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(std::iter::once("fascicle").chain(line.split(' ')))
    }

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn global_flags_stand_before_or_after_the_verb() {
        for line in [
            "--workspace w --json list",
            "list --workspace w --json",
            "--json list --workspace w",
        ] {
            let cli = parse(line).unwrap();
            assert_eq!(cli.global.workspace, Some(PathBuf::from("w")), "{line}");
            assert!(cli.global.json, "{line}");
            assert!(
                matches!(cli.verb, Some(Verb::Read(ReadVerb::List(_)))),
                "{line}"
            );
        }
    }

    #[test]
    fn a_word_that_is_no_verb_is_a_folder() {
        let cli = parse("essays").unwrap();
        assert_eq!(
            (cli.dir, cli.verb.is_none()),
            (Some(PathBuf::from("essays")), true)
        );
    }

    #[test]
    fn a_session_needs_a_title_or_a_prompt() {
        assert!(parse("new").is_err());
        assert!(parse("new Letter").is_ok());
        assert!(parse("new --prompt Begin").is_ok());
    }

    #[test]
    fn tags_come_off_with_a_flag_before_or_after_the_id() {
        for line in ["tag -r letter a b", "tag letter -r a b"] {
            let Some(Verb::Write(WriteVerb::Tag(tag))) = parse(line).unwrap().verb else {
                panic!("{line}")
            };
            assert!(tag.remove && tag.tags == ["a", "b"], "{line}");
        }
    }
}

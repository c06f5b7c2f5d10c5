//! The table of settings: the check of a file, the names offered for a slip and `docs/config.md` all read it.

use crate::domain::{AgentKind, Change};

/// What a setting takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// A text.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A whole number from, to.
    Whole(i64, i64),
    /// `true` or `false`.
    Flag,
    /// A list of texts.
    Texts,
}

/// One setting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Its name in its table.
    pub name: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// What holds when it is not set, in words or as TOML.
    pub default: &'static str,
    /// What it does; ends with a full stop.
    pub about: &'static str,
}

const fn row(
    name: &'static str,
    takes: Takes,
    default: &'static str,
    about: &'static str,
) -> Setting {
    Setting {
        name,
        takes,
        default,
        about,
    }
}

/// Outside any table.
pub const TOP: &[Setting] = &[
    row(
        "default_agent",
        Takes::Text,
        "the one agent defined, \"claude\" where it is one of several, else \"editor\"",
        "The agent of a session whose own choice and whose collection name none.",
    ),
    row(
        "turns_at_once",
        Takes::Whole(1, 64),
        "6",
        "How many turns may run at once in one workspace; the rest wait in order.",
    ),
    row(
        "host_stays",
        Takes::Whole(0, 86_400),
        "60",
        "Seconds that the host stays after the last window has left and the last turn has ended.",
    ),
    row(
        "changes",
        Takes::Word(&["apply", "ask"]),
        "\"apply\"",
        "What becomes of an agent's change of the draft: `apply` makes it the draft at once, as a version that can be undone; with `ask` it waits as a proposal until you have said what of it you keep.",
    ),
    row(
        "offer",
        Takes::Flag,
        "true, until it was answered",
        "Whether the window offers agents, keys and local model servers that it finds; your answer sets it to `false`.",
    ),
    row(
        "trusted",
        Takes::Texts,
        "[]",
        "Hashes (`sha256:…`) of workspace configurations that may define agents. Only in your own file.",
    ),
];

/// In `[agents.NAME]`.
pub const AGENT: &[Setting] = &[
    row(
        "kind",
        Takes::Word(KINDS),
        "the agent's name, where that is a kind",
        "Which code speaks to it: `claude` is the Claude Code program, `openai` any server with OpenAI's chat completions, `editor` the copy editor that is built in.",
    ),
    row(
        "command",
        Takes::Text,
        "\"claude\" for kind claude",
        "The program: a name on PATH or a path.",
    ),
    row(
        "args",
        Takes::Texts,
        "[]",
        "Arguments added to the ones Fascicle gives.",
    ),
    row(
        "env",
        Takes::Texts,
        "for kind claude: ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL, CLAUDE_CONFIG_DIR, CLAUDE_CODE_OAUTH_TOKEN",
        "Variables the program gets beside PATH, HOME, LANG, TERM and their like; nothing else is passed on.",
    ),
    row(
        "model",
        Takes::Text,
        "the agent's own",
        "The model to ask for.",
    ),
    row(
        "base_url",
        Takes::Text,
        "none",
        "For kind openai: the root of the interface, up to and with `/v1`.",
    ),
    row(
        "api_key_env",
        Takes::Text,
        "none",
        "For kind openai: the variable that holds the key.",
    ),
    row(
        "api_key_command",
        Takes::Texts,
        "[]",
        "For kind openai: a command that prints the key, as a list of words.",
    ),
    row(
        "context",
        Takes::Whole(512, 100_000_000),
        "what the server tells, else what is known of the model",
        "For kind openai: how many tokens the model's window holds. Where nobody knows, nothing is summarised before the model itself finds a conversation too long.",
    ),
    row(
        "compact_at",
        Takes::Whole(20, 100),
        "80",
        "For kind openai: at how many per cent of the window the beginning of a conversation is summarised, so that what follows has room. The log keeps everything.",
    ),
];

/// Kinds of agents a file can name.
pub const KINDS: &[&str] = &kinds();

const fn kinds() -> [&'static str; AgentKind::ALL.len()] {
    let mut words = [""; AgentKind::ALL.len()];
    let mut i = 0;
    while i < words.len() {
        words[i] = AgentKind::ALL[i].word();
        i += 1;
    }
    words
}

/// In `[window]`.
pub const WINDOW: &[Setting] = &[
    row(
        "enter",
        Takes::Word(&["send", "newline"]),
        "\"send\"",
        "What Enter does in the composer; Alt-Enter does the other.",
    ),
    row(
        "notify",
        Takes::Word(&["auto", "bell", "osc9", "osc777", "osc99", "off"]),
        "\"auto\"",
        "How you are called, once for each question and for each turn that ends while you look elsewhere: `auto` by the notification of a terminal that is known to have one (iTerm2, WezTerm, Ghostty, kitty, foot, VTE), else by the bell; inside tmux a code needs its `allow-passthrough`.",
    ),
    row(
        "light",
        Takes::Flag,
        "by the terminal",
        "Colours for a light page (`true`) or a dark one (`false`).",
    ),
    row(
        "theme",
        Takes::Text,
        "\"plain\"",
        "Which theme: `plain` (your terminal's own page and letters), `paper`, `contrast`, or the name of a file in the folder `themes` beside your own configuration, without its `.toml`; see `themes.md`.",
    ),
    row(
        "mouse",
        Takes::Flag,
        "false",
        "Whether the window takes the mouse: a click goes there, the wheel scrolls, dragging copies. Your terminal's own selection then needs Shift. The command `window.mouse` switches it for one window.",
    ),
    row(
        "links",
        Takes::Flag,
        "true",
        "Whether addresses in a transcript can be clicked in terminals that know links (OSC 8).",
    ),
    row(
        "editor",
        Takes::Text,
        "$VISUAL, then $EDITOR",
        "The program that `e` opens a draft in.",
    ),
    row(
        "smooth",
        Takes::Flag,
        "false",
        "Follow a stream row by row, not a quarter of the pane at a time.",
    ),
];

/// More words than anybody aims at.
const WORDS: i64 = 100_000_000;
/// More collections than a drawer has.
const ORDER: i64 = 1_000_000;

/// In a `collection.toml`.
pub const COLLECTION: &[Setting] = &[
    row(
        "id",
        Takes::Text,
        "none",
        "Its identity: 1 to 64 of `a-z 0-9 -`. Must stay as it is: its sessions are kept under it.",
    ),
    row(
        "title",
        Takes::Text,
        "the folder's name",
        "Its name in the drawer.",
    ),
    row(
        "about",
        Takes::Text,
        "nothing",
        "What it is, in a line: shown on its page. What agents are told of it stands in `PROFILE.md`.",
    ),
    row(
        "agent",
        Takes::Text,
        "the default agent",
        "The agent of its sessions.",
    ),
    row(
        "model",
        Takes::Text,
        "the agent's own",
        "The model to ask that agent for.",
    ),
    row(
        "allow",
        Takes::Texts,
        "[]",
        "What agents may do beyond the draft; each use asks. `web`: search the web and read pages.",
    ),
    row(
        "changes",
        Takes::Word(&["apply", "ask"]),
        "as `changes` above",
        "What becomes of an agent's change of a draft in it, whatever is set for all: `apply` makes it the draft at once, with `ask` it waits as a proposal.",
    ),
    row(
        "archived",
        Takes::Flag,
        "false",
        "Out of the drawer, not gone.",
    ),
    row(
        "target",
        Takes::Whole(1, WORDS),
        "none",
        "Words the collection is to have as a whole.",
    ),
    row(
        "day",
        Takes::Whole(1, WORDS),
        "none",
        "Words to be written in it a day.",
    ),
    row(
        "order",
        Takes::Whole(-ORDER, ORDER),
        "behind those that have one, by title",
        "Its place in the drawer, the smallest number first.",
    ),
];

/// Whether a change gives a setting what it takes, so that nothing is written that is not read again. The error says
/// what it takes.
pub fn fits(change: &Change) -> Result<(), String> {
    let whole = |words: &Option<u64>| words.map(|n| i64::try_from(n).unwrap_or(i64::MAX));
    let (known, name, to) = match change {
        Change::Target(words) => (COLLECTION, "target", whole(words)),
        Change::Day(words) => (COLLECTION, "day", whole(words)),
        Change::PieceTarget(_, words) => (PIECE, "target", whole(words)),
        Change::Order(at) => (COLLECTION, "order", *at),
        _ => return Ok(()),
    };
    let takes = known.iter().find(|s| s.name == name).map(|s| s.takes);
    match (takes, to) {
        (Some(Takes::Whole(from, most)), Some(to)) if !(from..=most).contains(&to) => {
            let wanted = super::file::wanted(Takes::Whole(from, most));
            Err(format!("{name} takes {wanted}, not {to}."))
        }
        _ => Ok(()),
    }
}

/// In a `[[piece]]` of a `collection.toml`.
pub const PIECE: &[Setting] = &[
    row(
        "id",
        Takes::Text,
        "none",
        "The session, by its whole id. Tables of pieces stand in the order of the pieces; where they stand by age, all pieces come by age.",
    ),
    row(
        "stage",
        Takes::Word(&["idea", "outline", "draft", "revising", "done"]),
        "none",
        "Where the piece stands.",
    ),
    row(
        "target",
        Takes::Whole(1, WORDS),
        "none",
        "Words the piece is to have.",
    ),
    row(
        "line",
        Takes::Text,
        "none",
        "What the piece says, in one line of the index that agents are sent.",
    ),
];

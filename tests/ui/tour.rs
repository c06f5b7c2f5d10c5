//! A walk through the whole window, written down as `docs/tour.md`: keys are pressed, a small host answers, and
//! what is on the screen is the picture. `UPDATE_DOCS=1 cargo test --test ui tour` writes the page anew.

use std::fmt::Write as _;
use std::path::Path;

use fascicle::config::found;
use fascicle::domain::SessionId;
use fascicle::domain::event::{Kind, Status};
use fascicle::ui::{First, Place};

use crate::bench::Bench;
use crate::sample;
use crate::stage::{NOON, settings};

#[path = "tour/variants.rs"]
mod variants;

/// The usual size of a picture.
const SIZE: (u16, u16) = (108, 28);

const GULLS: &str = "A story in which the gulls keep the time";

/// Wide enough for a draft beside the page.
const WIDE: (u16, u16) = (150, 28);

const HOUR: i64 = 3_600_000;

const INTRO: &str = "# A walk through the window

Made by a test that presses the keys named here, so it shows what the program does today; the agent’s words are a
script’s. `UPDATE_DOCS=1 cargo test --test ui tour` makes it anew. All keys are in [keys.md](keys.md), all words of
the house in [architecture.md](architecture.md). `▏` is the caret.
";

/// The page as it grows, and the window it shows.
struct Walk {
    bench: Bench,
    page: String,
}

impl Walk {
    fn part(&mut self, title: &str) {
        write!(self.page, "\n## {title}\n").unwrap();
    }

    /// Says what was pressed and what is seen, and shows it.
    fn shows(&mut self, text: &str) {
        self.shows_at(SIZE, text);
    }

    fn shows_at(&mut self, (cols, rows): (u16, u16), text: &str) {
        let frame = self.bench.frame(cols, rows);
        self.says(text);
        write!(self.page, "\n```text\n{frame}```\n").unwrap();
    }

    /// Says something without a picture.
    fn says(&mut self, text: &str) {
        write!(self.page, "\n{}\n", wrapped(text)).unwrap();
    }

    fn press(&mut self, keys: &str) {
        // Some keys need to know the page.
        self.bench.stage.frame(SIZE.0, SIZE.1);
        self.bench.press(keys);
    }

    /// The session of a title.
    fn named(&self, title: &str) -> SessionId {
        let mut all = self.bench.disk.logs.keys();
        let found = all.find(|s| self.bench.disk.head(**s).title() == title);
        *found.unwrap()
    }

    /// Goes to a session by its title.
    fn goes(&mut self, title: &str) {
        self.press("ctrl-g");
        self.types(title);
        self.press("enter");
    }

    /// Another window on the same words, an hour later.
    fn reopened(self, left: Place) -> Self {
        let now = self.bench.stage.now + HOUR;
        Self {
            bench: Bench::open(self.bench.disk, settings(), left, now),
            page: self.page,
        }
    }

    fn types(&mut self, text: &str) {
        self.bench.type_text(text);
    }

    /// Begins a session as a writer does, from wherever the window stands; its id.
    fn begins(&mut self, prompt: &str) -> SessionId {
        self.types(prompt);
        self.press("enter");
        let session = self.bench.stage.app.left().session.unwrap();
        self.bench.begins(session);
        session
    }
}

/// A paragraph in rows of at most 115 characters.
fn wrapped(text: &str) -> String {
    let mut rows: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let row = rows.last_mut().unwrap();
        if !row.is_empty() && row.chars().count() + 1 + word.chars().count() > 115 {
            rows.push(word.to_owned());
        } else {
            if !row.is_empty() {
                row.push(' ');
            }
            row.push_str(word);
        }
    }
    rows.join("\n")
}

const TIDES: &str = "Forty years of tides\n\nEvery evening at six my grandfather climbed down to the harbour wall \
                     and read the sea off a painted pole. He wrote the height into a ledger, the wind beside it, \
                     and, when there was nothing else to say, the word “so”.\n\nThere are fourteen ledgers. In \
                     forty years he missed two evenings, and both are marked: the day my mother was born, and \
                     the day the pole was carried off.";

const NAMED: &str = "Forty years of tides\n\nEvery evening at six my grandfather climbed down to the harbour wall \
                     at Polruan and read the sea off a painted pole. He wrote the height into a ledger, the wind \
                     beside it, and, when there was nothing else to say, the word “so”.\n\nThere are fourteen ledgers. \
                     In forty years he missed two evenings, and both are marked: the day my mother was born, and the \
                     day the pole was carried off. For the second one he drew the pole.";

const LATER: &str = "Forty years of tides\n\nEvery evening at six my grandfather climbed down to the harbour wall \
                     and read the sea off a painted pole. He wrote the height into a ledger, the wind beside it, \
                     and, when there was nothing else to say, the word “so”.\n\nThere are fourteen ledgers. In \
                     forty years he missed two evenings, and both are marked: the day my mother was born, and \
                     the day the pole was carried off. For the second one he drew the pole.";

fn walk() -> String {
    let mut told = settings();
    told.agents.choices = vec![fascicle::ui::Choice {
        agent: "editor".to_owned(),
        model: None,
    }];
    told.first = First {
        welcome: true,
        sample: true,
        offer: true,
        ways: found::ways(true, |_| false),
        ..First::default()
    };
    let bench = Bench::open(sample::disk(NOON), told, Place::default(), NOON);
    let mut walk = Walk {
        bench,
        page: INTRO.to_owned(),
    };
    first_window(&mut walk);
    let tides = first_words(&mut walk);
    let letter = four_at_once(&mut walk, tides);
    draft(&mut walk, tides);
    lists(&mut walk);
    shelves(&mut walk);
    ways(&mut walk);
    recipe(&mut walk);
    family(&mut walk, tides);
    narrow(&mut walk);
    closing(walk, [tides, letter])
}

/// What a stranger finds, and an agent.
fn first_window(walk: &mut Walk) {
    walk.part("The first minute");
    walk.shows(
        "The first window. From left to right: the *drawer* with its collections, the *list* of sessions, and the \
         *page*, which waits for the first words. The caret stands where they go; nothing has to be named, chosen \
         or set up first. A sample is there to be read and tried on. What could write with you on this machine was \
         found, and is used after a yes.",
    );
    walk.press("f2");
    walk.shows(
        "`F2` shows what was found; `Enter` takes it, for good. `Esc` leaves it for later, and the copy editor that \
         is built in goes on being the agent.",
    );
    walk.press("enter");
}

/// From nothing to a first draft.
fn first_words(walk: &mut Walk) -> SessionId {
    walk.types("An essay about my grandfather’s tide ledgers.");
    walk.press("alt-enter");
    walk.types("Begin with the evening round, not with him.");
    walk.shows(
        "Typed. `Alt-Enter` begins a new line. The line at the foot names the keys that apply here, and only the \
         few that matter now.",
    );
    let tides = walk.begins("");
    walk.bench.wait(1_000);
    let said = "I begin at the harbour wall and let him come into view by what he does.";
    walk.bench.says(tides, 0, said);
    walk.bench.writes(tides, TIDES, 300);
    walk.shows(
        "`Enter` sends. The session stands in the list at once, named by its first words. The agent answers, and \
         the draft can be read while it is being written.",
    );
    walk.bench.writes(tides, TIDES, usize::MAX);
    walk.bench.ends(tides, 0, said);
    walk.press("left r ctrl-u");
    walk.types("Tide ledgers");
    walk.shows(
        "The text is the draft now: a file `draft.md` in the session’s own folder, of which every version is \
         kept. The page folds it to one line. `←` goes to the list, where `r` gives the session another title.",
    );
    walk.press("enter");
    tides
}

/// Several sessions, and one that asks; the one that asked.
fn four_at_once(walk: &mut Walk, tides: SessionId) -> SessionId {
    walk.part("Four pieces at once");
    let essays = walk.bench.collection("Essays");
    walk.bench.collection("Letters");
    let moved = Kind::Moved {
        collection: essays,
        folder: "essays/tide-ledgers".to_owned(),
        was: None,
        undoes: None,
    };
    walk.bench.happens(tides, moved);
    walk.press("left left down n");
    let fog = walk.begins("Notes on fog");
    walk.bench
        .says(fog, 0, "Three things that fog takes away: ");
    walk.press("left left down n");
    let letter = walk.begins("A letter to the Port Authority");
    let looks = "I will look up how the office is called today before I address it.";
    walk.bench.says(letter, 0, looks);
    walk.press("left n");
    let gulls = walk.begins(GULLS);
    walk.bench.says(
        gulls,
        0,
        "At a quarter to six, as on every day, Berta landed on the ",
    );
    ask(&mut walk.bench, letter);
    walk.goes("Tide ledgers");
    walk.types("The end is too neat. Give the pole the last word.");
    walk.press("enter");
    walk.bench.begins(tides);
    walk.bench
        .says(tides, 0, "Then it ends on his drawing of the pole, ");
    walk.press("left left up up right");
    walk.shows(
        "`n` begins a session in the collection at hand. Each one has a turn of its own, which runs on whatever \
         the window shows: three are being written here. One has a question, marked `!`; it stands first, the \
         line at the foot counts it, and the terminal rang once.",
    );
    walk.press("ctrl-n");
    walk.bench.wait(2_000);
    walk.shows(
        "`Ctrl-N` goes to whoever needs you. The question says what the agent wants to do, and a digit answers it; \
         words that were typed ahead never do.",
    );
    walk.press("1");
    walk.bench.says(
        letter,
        1,
        "It is the Port Authority, Records Office. Here is the letter. ",
    );
    walk.bench.says(tides, 0, "and not on a sum.");
    walk.bench.writes(tides, LATER, usize::MAX);
    walk.bench.ends(
        tides,
        0,
        "Then it ends on his drawing of the pole, and not on a sum.",
    );
    walk.press("ctrl-o");
    walk.types("Good. Now a title");
    walk.shows(
        "`1` lets it, this time. `Ctrl-O` goes back to the session that was open before. It was written to its end \
         meanwhile; what is typed here stays here, unsent, wherever you go in between.",
    );
    letter
}

fn ask(bench: &mut Bench, session: SessionId) {
    let asked = Kind::Asked {
        turn: 1,
        call: "q1".to_owned(),
        what: "Fetch https://example.org/harbour and read it".to_owned(),
        input: r#"{"tool":"WebFetch","input":{"url":"https://example.org/harbour"}}"#.into(),
    };
    bench.happens(session, asked);
}

/// The draft beside the page, written by two.
fn draft(walk: &mut Walk, tides: SessionId) {
    walk.part("The draft");
    walk.press("ctrl-u");
    walk.types("Say in the first paragraph which harbour it is.");
    walk.press("enter");
    walk.bench.begins(tides);
    walk.press("esc");
    walk.bench.frame(WIDE.0, WIDE.1);
    walk.press("d ctrl-end");
    walk.bench.wait(500);
    walk.press("enter enter");
    walk.types("I have the fourteenth here. It stops");
    walk.bench.wait(1_500);
    walk.bench.says(tides, 0, "Polruan, by the notes.");
    walk.bench.writes(tides, NAMED, usize::MAX);
    walk.bench.wait(1_500);
    walk.types(" on a Tuesday.");
    walk.bench.wait(1_500);
    walk.shows_at(
        WIDE,
        "`d` opens the draft: beside the page where there are 140 columns, else in its place. It is yours to write \
         in, and kept as you type. Here the agent has changed the first paragraph while the last was being typed; \
         both are there, and the caret has not moved.",
    );
    walk.press("ctrl-f");
    walk.types("pole");
    walk.shows_at(
        WIDE,
        "`Ctrl-F` looks for words in it, and `Tab` puts others in their place.",
    );
    walk.press("esc esc");
    walk.bench.wait(1_500);
    walk.bench.ends(tides, 0, "Polruan, by the notes.");
    walk.press("ctrl-p");
    walk.types("close the draft");
    walk.press("enter enter");
    walk.types("Good. Now a title");
}

fn lists(walk: &mut Walk) {
    walk.part("The list");
    let [fog, gulls] = ["Notes on fog", GULLS].map(|title| walk.named(title));
    walk.bench.ends(
        gulls,
        0,
        "At a quarter to six, as on every day, Berta landed on the town hall.",
    );
    let limit = Kind::TurnFinished {
        turn: 1,
        status: Status::Failed,
        reason: Some("usage limit reached, resets at 15:00".to_owned()),
        events: 0,
        crc32: String::new(),
    };
    walk.bench.happens(fog, limit);
    walk.press("esc left t");
    walk.types("harbour spring");
    walk.press("enter");
    walk.shows(
        "Every session with its state, a sign and a word: writing, needs you, unread, lost. `t` gave this one two \
         tags. Whatever is done here, the archive `x` and the trash `Del` included, `u` undoes.",
    );
    walk.press("/");
    walk.types("story");
    walk.shows(
        "`/` keeps the rows that have a few letters, in the title, a tag or the state. `s` sorts, `.` folds what belongs \
         together.",
    );
    walk.press("esc down space");
    walk.types("Now let one of them be late.");
    walk.shows("`Space` sends a prompt to the session under the cursor without opening it.");
    walk.press("enter");
    walk.bench.begins(gulls);
}

/// A collection's page, looking for words, what agents are told.
fn shelves(walk: &mut Walk) {
    walk.part("Collections, and finding words");
    walk.goes("Last crossing");
    walk.press("esc left o T");
    walk.types("3,000");
    // It is revised already: what changes nothing says no more than that.
    walk.press("enter g 3 g 4");
    walk.shows(
        "`o` shows a collection: what it is, its pieces in order with the stage of each and its words, what waits for \
         you, what changed since you looked last, the words of the last thirty days. `g` gave the piece a stage and `T` \
         the whole a target; `J` and `K` put it elsewhere, `M` into another collection, `E` writes it all to a file.",
    );
    walk.press("/");
    walk.types("bell strokes");
    walk.shows(
        "`/` looks for words in all drafts, prompts and replies, in whichever collection. Places come while you type; \
         all words must stand in one text, a phrase stands in quotation marks.",
    );
    walk.press("enter");
    walk.shows("`Enter` opens the draft or the message where they stand, and marks them.");
    walk.press("esc i");
    walk.shows(
        "`i` shows what agents are told with every request, exactly as it is sent: rules, voice, profile, memory and an \
         index of the pieces, each within a bound. It is made of files that you write.",
    );
    walk.press("esc");
}

/// Palette, help, going to a session.
fn ways(walk: &mut Walk) {
    walk.part("Nothing to remember");
    walk.press("ctrl-p");
    walk.types("draft");
    walk.shows(
        "`Ctrl-P` finds every command by a few letters, with its key, and with the reason where it cannot be done \
         now.",
    );
    walk.press("esc ?");
    walk.shows("`?`, or `F1` while writing, shows the keys of the place where you are.");
    walk.press("esc ctrl-g");
    walk.types("gul");
    walk.shows(
        "`Ctrl-G` goes to a session by a few letters of its title or its tags, in whichever collection it lies.",
    );
    walk.press("esc");
}

fn recipe(walk: &mut Walk) {
    walk.part("Recipes");
    walk.goes("Tide ledgers");
    walk.press("esc R");
    walk.shows(
        "`R` lists recipes: prompts that are sent one after the other, within limits that are named. They are \
         plain files; [recipes.md](recipes.md) says how to write one.",
    );
    walk.press("enter");
    let session = walk.bench.stage.app.left().session.unwrap();
    walk.bench.begins(session);
    walk.bench.wait(2_000);
    walk.bench.says(
        session,
        0,
        "1. What a man writes down every day is not the sea. ",
    );
    walk.shows(
        "The steps wait like any prompt, and run whether the window is open or not. `p` changes one or takes it \
         back while it waits.",
    );
}

/// A variant is tried, two are compared, one is adopted, and that is regretted.
fn family(walk: &mut Walk, tides: SessionId) {
    walk.part("Variants");
    walk.press("enter");
    walk.press("ctrl-u");
    walk.types("Let him say it in his own words.");
    walk.press("ctrl-t");
    let own = walk.bench.stage.app.left().session.unwrap();
    walk.bench.begins(own);
    walk.bench
        .says(own, 0, "I read the pole at six. The pole does not wait. ");
    walk.bench.says(tides, 0, "2. What he left out. ");
    walk.press("left");
    walk.shows(
        "`Ctrl-T` instead of `Enter` sends what is written to a *variant*: a session of its own, with everything \
         that was said and written so far. The original writes on, and `Ctrl-O` is back on it. The list shows the \
         family as a tree, the main line with its star. `f` makes a variant without a prompt, in the page from the \
         message at hand.",
    );
    walk.bench
        .ends(own, 0, "I read the pole at six. The pole does not wait.");
    walk.goes("crossing: open with a story");
    walk.press("left c n");
    walk.shows_at(
        WIDE,
        "`c` compares a variant with the main line, paragraph beside paragraph, word by word; here two of the sample. \
         `n` goes to the next difference, `Enter` takes that paragraph, `A` all of it.",
    );
    walk.press("enter");
    walk.shows_at(
        WIDE,
        "Taken. The text before is a version as well, and `u` brings it back.",
    );
    walk.press("u esc a");
    walk.shows(
        "`a` adopts: this one is the main line from now on, and its draft lies in the piece’s folder. The former one \
         stands below it, as it was.",
    );
    walk.press("u");
    walk.shows("`u` regrets it, also tomorrow. [variants.md](variants.md) has the whole of it.");
    walk.goes("Tide ledgers");
}

fn narrow(walk: &mut Walk) {
    walk.part("Small windows");
    walk.shows_at(
        (60, 18),
        "The same window at 60 columns: panes give way, from the left. Nothing else changes.",
    );
    walk.press("left");
    walk.shows_at(
        (40, 12),
        "And the list, one key to the left, at 40 columns and 12 rows.",
    );
    walk.press("right enter");
}

/// The window closes, turns end, and it opens again; then all is cut.
fn closing(mut walk: Walk, [tides, letter]: [SessionId; 2]) -> String {
    walk.part("Closing, and what a power cut costs");
    let farewell = walk.bench.stage.app.farewell().line().unwrap();
    walk.press("esc left q");
    walk.says("`q` closes the window, from the list or the drawer. No turn is stopped by that, and the shell says what goes on:");
    write!(walk.page, "\n```text\n{farewell}\n```\n").unwrap();
    let left = walk.bench.stage.app.left();
    walk.bench.says(tides, 0, "It is the evening.");
    walk.bench.ends(
        tides,
        0,
        "1. What a man writes down every day is not the sea. It is the evening.",
    );
    walk.bench.begins(tides);
    let gulls = walk.named(GULLS);
    walk.bench
        .ends(gulls, 0, "Berta was late by the width of a herring.");
    walk.bench
        .says(tides, 0, "I write it from the second point on, ");
    walk.bench.ends(
        letter,
        1,
        "It is the Port Authority, Records Office. Here is the letter.",
    );
    let mut walk = walk.reopened(left);
    walk.shows(
        "The window opens where it was left: session, place on the page, what was not sent. Its first line says \
         what happened since.",
    );
    let left = walk.bench.stage.app.left();
    let now = walk.bench.stage.now;
    let mut walk = Walk {
        bench: Bench::open(walk.bench.cut(), settings(), left, now + HOUR),
        page: walk.page,
    };
    walk.bench.frame(SIZE.0, SIZE.1);
    walk.press("esc C");
    walk.shows(
        "After a power cut every word that was on the screen is still there. Nothing is sent again by itself: `C` \
         lists the turns that were cut, and one key goes on with one, or with all of them.",
    );
    walk.page
}

#[test]
fn the_tour_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tour.md");
    let page = walk();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == page,
        "docs/tour.md is stale: run UPDATE_DOCS=1 cargo test --test ui tour, and look at what has changed"
    );
}

#[test]
fn the_tour_is_the_same_whenever_it_is_made() {
    assert!(walk() == walk());
}

//! `docs/variants.md`: what a writer does with variants, with pictures made by pressing the keys named there.
//! `UPDATE_DOCS=1 cargo test --test ui tour` writes it anew.

use std::path::Path;

use fascicle::domain::SessionId;
use fascicle::ui::Place;

use super::{SIZE, WIDE, Walk};
use crate::bench::Bench;
use crate::sample;
use crate::stage::{NOON, settings};

const INTRO: &str = "# Variants

To try something without fear: another beginning, another voice, a cut. A *variant* is a session of its own, with a copy
of all that was said and of the draft as it was. Whatever happens in it, the one it was forked from stays as it is: its
words, its draft, what its agent remembers. All that belong together are a *family*; one of them is the *main line* `★`,
whose draft lies in the piece’s own folder.

The pictures are made by a test that presses the keys named here. All keys are in [keys.md](keys.md). `▏` is the caret.
";

const EVENING: &str = "The evening round\n\nEvery evening at six he climbed down to the harbour wall and read the sea off \
                       a painted pole. He wrote the height into a ledger, and the wind beside it.\n\nIn forty years he \
                       missed two evenings, and both are marked.";

const LAMP: &str = "The evening round\n\nEvery evening at six I climbed down behind him and held the lamp. He wrote the \
                    height into a ledger, and the wind beside it.\n\nIn forty years he missed two evenings. I was there \
                    for one of them.";

fn walk() -> String {
    let bench = Bench::open(sample::disk(NOON), settings(), Place::default(), NOON);
    let mut walk = Walk {
        bench,
        page: INTRO.to_owned(),
    };
    let main = tried(&mut walk);
    lines(&mut walk, main);
    earlier(&mut walk);
    tree(&mut walk);
    compared(&mut walk);
    adopted(&mut walk, main);
    rest(&mut walk);
    walk.page
}

fn tried(walk: &mut Walk) -> SessionId {
    walk.part("Try it: Ctrl-T");
    let main = walk.begins("The evening round");
    walk.bench.writes(main, EVENING, usize::MAX);
    walk.bench.ends(main, 0, "It is in the draft.");
    walk.types("Go on from the two evenings.");
    walk.press("enter");
    walk.bench.begins(main);
    walk.bench.says(main, 0, "The first of them ");
    walk.types("Let the child tell it who held the lamp.");
    walk.shows(
        "While it is being written, another thought. `Enter` would send it here, behind what runs. `Ctrl-T` sends it \
         to a new variant instead.",
    );
    walk.press("ctrl-t");
    let lamp = walk.bench.stage.app.left().session.unwrap();
    walk.bench.begins(lamp);
    walk.bench.says(lamp, 0, "I hold the lamp and look up. ");
    walk.bench.says(main, 0, "was a wedding. ");
    walk.shows(
        "The variant has all that was said; the turn that was open when it was forked ends in it there. The original \
         was not stopped: both are being written. `Ctrl-O` leads back to it, and again to the variant.",
    );
    walk.bench.writes(lamp, LAMP, usize::MAX);
    walk.bench.ends(lamp, 0, "I hold the lamp and look up.");
    walk.bench.ends(main, 0, "The first of them was a wedding.");
    main
}

fn lines(walk: &mut Walk, main: SessionId) {
    walk.part("Several at once: Ctrl-T twice");
    walk.press("ctrl-o");
    walk.types("Begin it in another way:");
    for line in [
        "with the pole",
        "with a question",
        "in the middle of a storm",
    ] {
        walk.press("alt-enter");
        walk.types(line);
    }
    walk.press("ctrl-t ctrl-t");
    walk.shows(
        "Of several lines `Ctrl-T` asks first: `Enter` sends them as one prompt to one variant; `Ctrl-T` again makes \
         one variant of each line. A first line that ends in a colon goes to all of them. `Del` takes one out, and \
         `Esc` leaves the words where they were. At most twelve variants are begun at once: of more \
         lines some are taken out first. What is taken out stays in the composer of the original.",
    );
    walk.press("enter");
    let family = walk.bench.disk.family(main);
    for (session, _) in family.iter().rev().take(3) {
        walk.bench.begins(*session);
        walk.bench.says(*session, 0, "Here it begins ");
    }
    walk.bench.wait(800);
    walk.press("left");
    walk.shows(
        "`Enter` starts them side by side, each with its name. They run like any session: the window may be closed.",
    );
    for (session, _) in family.iter().rev().take(3) {
        walk.bench.ends(*session, 0, "Here it begins otherwise.");
    }
}

fn earlier(walk: &mut Walk) {
    walk.part("From here, or from earlier: f");
    walk.says(
        "`f` on a session in the list makes a variant of it as it is now, and puts the caret where you write. In the \
         page, `f` makes one from the message you are reading: `K` and `J` go from message to message. From a prompt \
         of yours the variant begins just before it, with your words to be changed; from an answer, behind its turn. \
         An archived session can be forked too, and a variant of a variant.",
    );
    walk.goes("The evening round");
    walk.press("esc K f");
    walk.shows("Here `f` on the second prompt: the same words, to be said in another way.");
    walk.press("ctrl-u");
}

fn tree(walk: &mut Walk) {
    walk.part("The family in the list");
    walk.goes("The evening round");
    walk.press("left");
    walk.shows(
        "The main line first, its variants below it, theirs deeper. A family stands where its most urgent member \
         would. Below the list, a variant says where it was forked.",
    );
    walk.press(".");
    walk.shows(
        "`.` folds the family to its main line; the row counts what lies below and shows who needs you or writes. `.` \
         again opens it. `r` renames a variant, `x` archives it, `Del` moves it to the trash: the others stay as they \
         are, and `u` undoes each.",
    );
    walk.press(".");
}

fn compared(walk: &mut Walk) {
    walk.part("Compare, and take: c");
    walk.goes("round: Let the child");
    walk.press("left c n");
    walk.shows_at(
        WIDE,
        "`c` puts the variant beside the main line; to compare with another, mark that one with `m` first. Paragraphs \
         stand beside each other, words that differ are marked. `n` and `p` go from difference to difference.",
    );
    walk.press("enter");
    walk.shows_at(
        WIDE,
        "`Enter` takes the paragraph at hand, `A` all of them. That is a version of the draft it goes into, which says \
         where the words come from; `u` takes it back. `o` shows the paragraph in every variant of the family.",
    );
    walk.press("u esc");
}

fn adopted(walk: &mut Walk, main: SessionId) {
    walk.part("Adopt, and regret: a, u");
    walk.goes("The evening round");
    walk.types("Go on.");
    walk.press("enter");
    walk.bench.begins(main);
    walk.goes("round: Let the child");
    walk.press("left a");
    walk.shows(
        "`a` makes the variant the main line. While a turn runs in one of the two it is asked what becomes of it: `w` \
         waits for its end, `s` stops it, and what it wrote stays. While it waits it has a `☆`, and `a` again lets you call it off.",
    );
    walk.bench.wait(300);
    walk.press("s");
    walk.shows(
        "Now the variant bears the title of the piece and the star, and its draft is the one in the piece’s folder; \
         the former main line stands below it. Nothing was deleted.",
    );
    walk.press("u");
    walk.shows(
        "`u` regrets it: the folders change back; `U` does it again. That can be done tomorrow as well, with the cursor \
         on it: what is older than an hour is named with its date, and asked about first, so that a `u` too many undoes \
         nothing of last week.",
    );
}

fn rest(walk: &mut Walk) {
    walk.part("From a script, and on disk");
    walk.page.push_str(
        "
    fascicle fork ID --name \"first person\" --prompt \"Let the boy tell it.\"   prints the variant’s id
    fascicle compare ID ID      fascicle take ID --from ID --paragraph 2
    fascicle adopt ID           fascicle adopt ID --call-off    one that waits for a turn to end
    fascicle undo ID            fascicle redo ID                fascicle undo ID --list

The title of a piece means all of its family here: `undo` takes back what was done last in any of them, and says in which.
It does not touch what is older than an hour unless that is named: `--deed N`, as the refusal and `--list` tell it.

A variant’s draft lies beside the piece’s: `essays/evening-round/draft.md` is the main line’s, and
`essays/evening-round~first-person/draft.md` a variant’s. Adopting gives the first of these names
to the folder of the new main line; the one before gets its own again, `essays/evening-round~original` where the family began
with it. A variant lives on when the session it was forked from is deleted.
One that is the main line only because another is in the trash keeps its own folder, so that the other comes back to its
place: where it is to have the piece’s for good, adopt it.
",
    );
}

#[test]
fn the_page_on_variants_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/variants.md");
    let page = walk();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == page,
        "docs/variants.md is stale: run UPDATE_DOCS=1 cargo test --test ui tour, and look at what has changed"
    );
    assert!(SIZE.0 < WIDE.0);
}

//! Golden frames: every view and every layer at three sizes.

use fascicle::domain::event::Kind;
use fascicle::domain::{Notice, State};
use fascicle::ui::Input;

use crate::families;
use crate::lists;
use crate::stage::{Stage, asked, collections, delta, finished, log, row, rows};
use crate::turns::{cut_rows, recipe_started};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 50)];

/// A name, the keys that lead there, and the window before them.
pub(crate) struct View {
    pub(crate) name: &'static str,
    pub(crate) keys: &'static str,
    pub(crate) stage: fn() -> Stage,
}

pub(crate) const VIEWS: [View; 47] = [
    View {
        name: "first_run",
        keys: "",
        stage: Stage::empty,
    },
    View {
        name: "new_session",
        keys: "left n",
        stage: reading,
    },
    View {
        name: "page_writing",
        keys: "",
        stage: writing,
    },
    View {
        name: "page_reading",
        keys: "esc",
        stage: reading,
    },
    View {
        name: "page_composing",
        keys: "M a k e",
        stage: writing,
    },
    View {
        name: "page_asking",
        keys: "esc",
        stage: asking,
    },
    View {
        name: "page_compacting",
        keys: "",
        stage: crate::compact::announced,
    },
    View {
        name: "page_compacted",
        keys: "",
        stage: crate::compact::compacted,
    },
    View {
        name: "page_summary",
        keys: "",
        stage: crate::compact::unfolded,
    },
    View {
        name: "page_queue",
        keys: "",
        stage: queueing,
    },
    View {
        name: "list",
        keys: "left",
        stage: reading,
    },
    View {
        name: "drawer",
        keys: "left left",
        stage: reading,
    },
    View {
        name: "list_empty",
        keys: "left left end right",
        stage: reading,
    },
    View {
        name: "help",
        keys: "esc ?",
        stage: reading,
    },
    View {
        name: "palette",
        keys: "ctrl-p",
        stage: reading,
    },
    View {
        name: "palette_found",
        keys: "ctrl-p s t o p",
        stage: writing,
    },
    View {
        name: "go_to",
        keys: "ctrl-g",
        stage: reading,
    },
    View {
        name: "agents",
        keys: "ctrl-p a g e n t enter",
        stage: reading,
    },
    View {
        name: "rename",
        keys: "left r",
        stage: reading,
    },
    View {
        name: "tags",
        keys: "left t",
        stage: reading,
    },
    View {
        name: "question_whole",
        keys: "esc v",
        stage: asking,
    },
    View {
        name: "queue",
        keys: "esc p",
        stage: queueing,
    },
    View {
        name: "reply_to_draft",
        keys: "esc w",
        stage: reading,
    },
    View {
        name: "banner",
        keys: "",
        stage: troubled,
    },
    View {
        name: "said",
        keys: "ctrl-p w h a t space w a s enter",
        stage: troubled,
    },
    View {
        name: "palette_nothing",
        keys: "ctrl-p x q z",
        stage: reading,
    },
    View {
        name: "host_starting",
        keys: "A n space e l e g y enter",
        stage: starting,
    },
    View {
        name: "host_stopped",
        keys: "",
        stage: stopped,
    },
    View {
        name: "cut_said",
        keys: "",
        stage: cut,
    },
    View {
        name: "cut",
        keys: "esc C",
        stage: cut,
    },
    View {
        name: "recipes",
        keys: "esc R",
        stage: reading,
    },
    View {
        name: "recipe_running",
        keys: "",
        stage: following,
    },
    View {
        name: "recipe_waiting",
        keys: "",
        stage: held,
    },
    View {
        name: "turn_silent",
        keys: "esc",
        stage: silent,
    },
    View {
        name: "queue_prompt",
        keys: "esc p down e",
        stage: queueing,
    },
    View {
        name: "list_filter",
        keys: "left / s e",
        stage: reading,
    },
    View {
        name: "list_folded",
        keys: "left s s end up .",
        stage: reading,
    },
    View {
        name: "list_asking",
        keys: "left home",
        stage: reading,
    },
    View {
        name: "money",
        keys: "",
        stage: lists::paid,
    },
    View {
        name: "keys_wrong",
        keys: "",
        stage: lists::rebound,
    },
    View {
        name: "family",
        keys: "down",
        stage: families::listed,
    },
    View {
        name: "family_folded",
        keys: ".",
        stage: families::listed,
    },
    View {
        name: "family_adopted",
        keys: "home",
        stage: families::adopted,
    },
    View {
        name: "variant_or_lines",
        keys: "right enter O n e : alt-enter t w o alt-enter t h r e e ctrl-t",
        stage: families::listed,
    },
    View {
        name: "variants_of_lines",
        keys: "right enter O n e : alt-enter t w o alt-enter t h r e e ctrl-t ctrl-t",
        stage: families::listed,
    },
    View {
        name: "adopt_busy",
        keys: "",
        stage: families::busy,
    },
    View {
        name: "only_read",
        keys: "x enter",
        stage: lists::only_read,
    },
];

pub(crate) fn reading() -> Stage {
    let mut stage = Stage::at(1);
    stage.tell_log(1, &log(1, "The lost afternoon", false));
    stage
}

pub(crate) fn writing() -> Stage {
    let mut stage = Stage::at(3);
    stage.tell_log(3, &log(3, "Session", true));
    stage
}

pub(crate) fn asking() -> Stage {
    let mut stage = Stage::at(4);
    let mut kinds = log(4, "Memory", true);
    kinds.push(asked(2, "q1"));
    stage.tell_log(4, &kinds);
    stage.wait(1_000);
    stage
}

fn queueing() -> Stage {
    let mut stage = writing();
    for (n, text) in [
        (1, "Then the ending."),
        (2, "And a title, please:\nthree of them."),
        (3, "Enough."),
    ] {
        stage.tell(
            3,
            Kind::Queued {
                n,
                text: text.into(),
            },
        );
    }
    stage
}

fn troubled() -> Stage {
    let mut stage = writing();
    let mut damaged = row(3, "Session", State::Writing, 1204);
    damaged.trouble = Some("The disk is full: 12 events wait to be written.".to_owned());
    stage.tell_row(damaged);
    let ticket = stage.list_ticket();
    let text =
        "The disk that holds this workspace is full; nothing is lost while this window is open."
            .to_owned();
    stage.give(Input::Notice {
        ticket,
        notice: Notice::Banner { text },
    });
    stage
}

fn starting() -> Stage {
    let mut stage = Stage::bare(fascicle::ui::Place::default());
    stage.wait(300);
    stage
}

fn stopped() -> Stage {
    let mut stage = writing();
    let ticket = stage.list_ticket();
    let notice = Notice::Closing { stopped: true };
    stage.give(Input::Notice { ticket, notice });
    stage
}

fn cut() -> Stage {
    let mut stage = Stage::bare(fascicle::ui::Place::default());
    stage.tell_list(&collections(), &cut_rows());
    stage
}

fn following() -> Stage {
    let mut stage = Stage::at(3);
    let mut kinds = log(3, "Session", false);
    kinds.push(recipe_started());
    let steps = ["Outline it.", "Draft it.", "Criticise it.", "Revise it."];
    kinds.extend((1..).zip(steps).map(|(n, text)| Kind::Queued {
        n,
        text: text.into(),
    }));
    kinds.push(Kind::Prompt {
        turn: 2,
        text: "Outline it.".into(),
        queued: Some(1),
    });
    kinds.push(delta(2, "1. The harbour at low water."));
    stage.tell_log(3, &kinds);
    stage.tell_row(follows(State::Writing, None));
    stage
}

fn follows(state: State, paused: Option<&str>) -> fascicle::domain::Row {
    let mut row = row(3, "Session", state, 1204);
    row.recipe = Some(fascicle::domain::RecipeRow {
        title: "Essay".to_owned(),
        at: 1,
        of: 4,
        step: Some("Outline".to_owned()),
        paused: paused.map(str::to_owned),
    });
    row
}

fn held() -> Stage {
    let mut stage = following();
    let why = "its limit of 1 turn is reached";
    stage.tell(3, finished(2));
    stage.tell(
        3,
        Kind::RecipePaused {
            why: why.to_owned(),
        },
    );
    stage.tell_row(follows(State::Queued, Some(why)));
    stage
}

fn silent() -> Stage {
    let mut stage = writing();
    stage.wait(0);
    stage.sleep(7_200_000);
    stage.wait(40_000);
    stage
}

fn check(view: &View, (cols, lines): (u16, u16)) {
    let mut stage = (view.stage)();
    // Pages are laid out when they are drawn, and some keys need to know the page.
    stage.frame(cols, lines);
    if !view.keys.is_empty() {
        stage.press(view.keys);
    }
    let frame = stage.frame(cols, lines);
    let name = format!("{}@{cols}x{lines}", view.name);
    insta::with_settings!({
        snapshot_path => "../frames",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, frame);
    });
}

#[test]
fn every_view_looks_as_it_did() {
    for view in &VIEWS {
        for size in SIZES {
            check(view, size);
        }
    }
}

#[test]
fn narrow_windows_fold_to_one_pane() {
    let mut stage = reading();
    let page = stage.frame(50, 16);
    assert!(!page.contains("All sessions"), "{page}");
    stage.press("left");
    let list = stage.frame(50, 16);
    assert!(list.contains("All sessions"), "{list}");
    assert!(!list.contains('│'), "{list}");
    let list = stage.frame(80, 16);
    assert_eq!(
        list.lines().nth(3).unwrap().matches('│').count(),
        1,
        "{list}"
    );
    let list = stage.frame(100, 16);
    assert_eq!(
        list.lines().nth(3).unwrap().matches('│').count(),
        2,
        "{list}"
    );
}

#[test]
fn the_accent_says_where_the_writer_is() {
    let accent = crate::stage::settings().theme.accent;
    let mut stage = reading();
    let (buf, _) = stage.paint(120, 40);
    let at = |buf: &ratatui::buffer::Buffer, x, y| buf[(x, y)].modifier;
    let page_title = (0..120)
        .rev()
        .find(|&x| buf[(x, 0)].symbol() == "T")
        .unwrap();
    assert_eq!(at(&buf, page_title, 0), accent.add_modifier);
    stage.press("left");
    let (buf, _) = stage.paint(120, 40);
    let selected =
        (0..40).filter(|&y| at(&buf, 30, y).contains(ratatui::style::Modifier::REVERSED));
    assert_eq!(selected.count(), 1);
}

#[test]
fn the_same_screen_is_drawn_whatever_was_drawn_before() {
    let mut stage = writing();
    let fresh = stage.frame(80, 24);
    for (cols, lines) in [
        (1, 1),
        (2, 2),
        (200, 1),
        (1, 60),
        (10, 3),
        (0, 0),
        (500, 200),
    ] {
        stage.frame(cols, lines);
    }
    assert_eq!(stage.frame(80, 24), fresh);
}

#[test]
fn ten_thousand_sessions_are_listed() {
    let mut many = rows();
    many.extend((10..10_010).map(|n| row(n, &format!("Piece {n}"), State::Idle, 100)));
    let mut stage = Stage::bare(fascicle::ui::Place::default());
    stage.tell_list(&collections(), &many);
    stage.press("left end");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("Piece 10009"), "{frame}");
}

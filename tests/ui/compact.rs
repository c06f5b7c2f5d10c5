//! A conversation that outgrows its window: the gauge, the announcement, the mark, the summary.

use fascicle::domain::ask::Request;
use fascicle::domain::event::{Compacted, Kind, Usage};

use crate::stage::{Stage, log};

const SUMMARY: &str = "The writer wants a letter about a lost afternoon, in the first person and without the word suddenly.\n\n- The ferryman is Matthias; his daughter is Ilse.\n- The second paragraph was too flat; the river opens the letter now.";

fn mark(turn: u32, summary: &str, why: &str) -> Kind {
    Kind::Compacted(Compacted {
        turn,
        upto: if why == "agent" { 0 } else { 3 },
        summary: summary.into(),
        why: why.into(),
        before: Some(6_600),
        after: Some(1_300),
        messages: (why != "agent").then_some(41),
    })
}

fn usage(turn: u32, in_use: u64, guessed: bool) -> Kind {
    let usage = Usage {
        in_use: Some(in_use),
        window: Some(8_000),
        #[allow(clippy::cast_precision_loss, reason = "small")]
        context: Some(in_use as f64 / 8_000.0),
        guessed,
        ..Usage::default()
    };
    Kind::Usage { turn, usage }
}

fn note(turn: u32) -> Kind {
    Kind::Note {
        turn: Some(turn),
        text: "The conversation fills about 82 % of the model's window: a summary of 41 messages is being made.".to_owned(),
    }
}

fn thought(turn: u32) -> Kind {
    Kind::Thinking {
        turn,
        block: 0,
        text: "The writer wants a letter".into(),
    }
}

/// Where the second turn of the log begins, and its number.
fn second(kinds: &[Kind]) -> usize {
    let begins = |k: &Kind| matches!(k, Kind::Prompt { turn: 2, .. });
    kinds.iter().position(begins).unwrap()
}

/// While the summary is being made.
pub(crate) fn announced() -> Stage {
    let mut stage = Stage::at(3);
    let mut kinds = log(3, "Session", true);
    let at = second(&kinds) + 2;
    kinds.truncate(at);
    kinds.extend([note(2), thought(2)]);
    stage.tell_log(3, &kinds);
    stage
}

/// When it stands in the page; a gauge that is reckoned.
pub(crate) fn compacted() -> Stage {
    let mut stage = Stage::at(1);
    let mut kinds = log(1, "The lost afternoon", false);
    let at = kinds
        .iter()
        .rposition(|k| matches!(k, Kind::TurnFinished { .. }))
        .unwrap();
    let turn = kinds[at].turn().unwrap();
    kinds.insert(at, usage(turn, 1_420, true));
    let begins = kinds
        .iter()
        .rposition(|k| matches!(k, Kind::TurnStarted { .. }))
        .unwrap();
    kinds.insert(begins + 1, mark(turn, SUMMARY, "full"));
    kinds.insert(begins + 1, note(turn));
    stage.tell_log(1, &kinds);
    stage
}

/// With the summary unfolded.
pub(crate) fn unfolded() -> Stage {
    let mut stage = compacted();
    stage.frame(120, 40);
    stage.press("esc home");
    for _ in 0..8 {
        if stage.frame(120, 40).contains("▾ compacted") {
            break;
        }
        stage.press("o");
        if stage.frame(120, 40).contains("▾ compacted") {
            break;
        }
        stage.press("o j");
    }
    stage
}

#[test]
fn the_gauge_says_what_is_reckoned_and_falls_with_a_summary() {
    let mut stage = compacted();
    let frame = stage.frame(160, 40);
    assert!(frame.contains("ctx ~18 %"), "{frame}");
    let turn = 7;
    stage.tell(
        1,
        Kind::Prompt {
            turn,
            text: "On.".into(),
            queued: None,
        },
    );
    stage.tell(1, usage(turn, 6_600, false));
    assert!(stage.frame(160, 40).contains("ctx 82 %"));
    stage.tell(1, mark(turn, "", "agent"));
    let frame = stage.frame(160, 40);
    assert!(frame.contains("ctx 16 %"), "{frame}");
    assert!(
        frame.contains("compacted by the agent: 6,600 → 1,300 tokens"),
        "{frame}"
    );
}

#[test]
fn a_summary_is_unfolded_where_it_stands() {
    let frame = unfolded().frame(120, 40);
    assert!(
        frame.contains("▾ compacted: 41 messages → 38 words; the log keeps"),
        "{frame}"
    );
    assert!(frame.contains("The ferryman is Matthias"), "{frame}");
    let frame = compacted().frame(120, 40);
    assert!(
        frame.contains("▸ compacted: 41 messages") && !frame.contains("Matthias"),
        "{frame}"
    );
}

#[test]
fn the_palette_asks_for_a_focus() {
    let mut stage = compacted();
    stage.frame(120, 40);
    stage.press("ctrl-p");
    stage.type_text("compact the");
    stage.press("enter");
    assert!(stage.frame(120, 40).contains("what to keep above all"));
    stage.type_text("the ferryman");
    stage.asks();
    stage.press("enter");
    let sent = stage
        .asks()
        .into_iter()
        .find_map(|(_, request)| match request {
            Request::Compact { focus, .. } => focus,
            _ => None,
        });
    assert_eq!(sent.as_deref(), Some("the ferryman"));
}

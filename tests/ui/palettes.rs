//! What the window looks like in each palette: golden frames with their styles, and the contrast of every cell.

use std::fmt::Write as _;

use fascicle::config::theme::Theme as File;
use fascicle::ui::terminal::Kind;
use fascicle::ui::theme::contrast::{DARK_PAGES, LEAST, LIGHT_PAGES, Rgb, indexed, ratio};
use fascicle::ui::theme::{Colours, Look, Theme};
use fascicle::ui::{Answer, Effect, Input, Means};
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use crate::frames::{VIEWS, reading};
use crate::stage::{Stage, collections, log, rows, settings};

const PALETTES: [(&str, Colours, Option<bool>); 7] = [
    ("none", Colours::None, None),
    ("16-dark", Colours::Ansi16, Some(false)),
    ("16-light", Colours::Ansi16, Some(true)),
    ("256-dark", Colours::Ansi256, Some(false)),
    ("256-light", Colours::Ansi256, Some(true)),
    ("true-dark", Colours::True, Some(false)),
    ("true-light", Colours::True, Some(true)),
];

fn theme(name: &str, colours: Colours, light: Option<bool>) -> Theme {
    Theme::of(&File::named(name).unwrap(), Look { colours, light })
}

/// A colour as a theme's file writes it.
fn colour(colour: Color) -> String {
    match colour {
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        Color::Indexed(n) => n.to_string(),
        other => format!("{other:?}"),
    }
}

fn style(cell: &Cell) -> String {
    let mut out = Vec::new();
    if cell.fg != Color::Reset {
        out.push(colour(cell.fg));
    }
    if cell.bg != Color::Reset {
        out.push(format!("on {}", colour(cell.bg)));
    }
    if !cell.modifier.is_empty() {
        out.push(format!("{:?}", cell.modifier).to_lowercase());
    }
    out.join(" ")
}

/// Rows of a frame, each style before the letters it holds for.
fn styled(buf: &Buffer) -> String {
    let mut out = String::new();
    for row in buf.content.chunks(usize::from(buf.area.width)) {
        let mut last = String::new();
        for cell in row {
            let now = style(cell);
            if now != last {
                let _ = write!(out, "⟨{now}⟩");
                last = now;
            }
            out.push_str(cell.symbol());
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    out
}

#[test]
fn every_theme_looks_the_same_as_before_in_every_palette() {
    for name in ["plain", "paper", "contrast"] {
        for (palette, colours, light) in PALETTES {
            let mut stage = reading();
            stage.app.wear(theme(name, colours, light));
            stage.press("left");
            let (buf, _) = stage.paint(100, 16);
            insta::with_settings!({
                snapshot_path => "../frames/palettes", prepend_module_to_snapshot => false,
                omit_expression => true
            }, {
                insta::assert_snapshot!(format!("{name}@{palette}"), styled(&buf));
            });
        }
    }
}

fn shown(colour: Color, own: Rgb) -> Rgb {
    match colour {
        Color::Rgb(r, g, b) => [r, g, b],
        Color::Indexed(n) => indexed(n),
        Color::Reset => own,
        other => panic!("{other:?} is none of a theme's colours"),
    }
}

#[test]
fn no_cell_of_any_view_is_hard_to_read() {
    for view in &VIEWS {
        for name in ["plain", "paper", "contrast"] {
            for (palette, colours, light) in PALETTES {
                let mut stage = (view.stage)();
                stage.app.wear(theme(name, colours, light));
                for key in view.keys.split(' ').filter(|k| !k.is_empty()) {
                    stage.press(key);
                }
                let (buf, _) = stage.paint(100, 30);
                check(
                    &buf,
                    colours,
                    light,
                    &format!("{} in {name} {palette}", view.name),
                );
            }
        }
    }
}

fn check(buf: &Buffer, colours: Colours, light: Option<bool>, what: &str) {
    let light = light.unwrap_or(false);
    let pages: &[Rgb] = match (colours, light) {
        (Colours::Ansi16, true) => &[[255; 3]],
        (Colours::Ansi16, false) => &[[0; 3]],
        (_, true) => &LIGHT_PAGES,
        (_, false) => &DARK_PAGES,
    };
    let ink = if light { [0; 3] } else { [229; 3] };
    for cell in buf.content.iter().filter(|c| c.symbol() != " ") {
        assert!(
            !cell.modifier.contains(Modifier::DIM),
            "{what}: {:?}",
            cell.symbol()
        );
        for page in pages {
            let got = ratio(shown(cell.fg, ink), shown(cell.bg, *page));
            assert!(got >= LEAST, "{what}: {:?} is {got:.2}", cell.symbol());
        }
    }
}

#[test]
fn the_terminals_answer_chooses_between_dark_and_light() {
    let mut own = settings();
    own.means = Means {
        kind: Kind {
            colours: Colours::True,
            ..Kind::default()
        },
        ..Means::default()
    };
    own.theme = own.means.styles(None);
    assert!(own.means.asks_for_page());
    let mut stage = Stage::with(own, fascicle::ui::Place::default());
    stage.tell_list(&collections(), &rows());
    let accent = |stage: &mut Stage| {
        let (buf, _) = stage.paint(100, 20);
        let arrow = buf.content.iter().find(|c| c.symbol() == "›").unwrap();
        arrow.fg
    };
    assert_eq!(
        accent(&mut stage),
        Color::Reset,
        "before it answers: no colour that may not be read"
    );
    stage.give(Input::Terminal(Answer::Page([0xfd, 0xf6, 0xe3])));
    assert_eq!(
        Some(accent(&mut stage)),
        theme("plain", Colours::True, Some(true)).accent.fg
    );
    stage.give(Input::Terminal(Answer::Page([0x10, 0x10, 0x18])));
    assert_eq!(
        Some(accent(&mut stage)),
        theme("plain", Colours::True, Some(false)).accent.fg
    );
}

#[test]
fn shift_enter_is_named_only_where_the_terminal_can_tell_it() {
    let mut stage = Stage::at(1);
    stage.tell_log(1, &log(1, "The lost afternoon", false));
    stage.type_text("Make it shorter");
    assert!(stage.frame(200, 50).contains("Alt-Enter new line"));
    stage.give(Input::Terminal(Answer::Keyboard));
    assert_eq!(stage.wanted(&Effect::ExactKeys), 1);
    assert!(stage.frame(200, 50).contains("Shift-Enter new line"));
    let mut enter = crate::stage::key("enter");
    enter.modifiers = crossterm::event::KeyModifiers::SHIFT;
    stage.give(Input::Key(enter));
    stage.type_text("please");
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("› Make it shorter\n") || frame.contains("  please"),
        "{frame}"
    );
}

#[test]
fn a_theme_that_could_not_be_used_is_said() {
    let mut own = settings();
    own.means.trouble = Some("mine.toml:3: There is no role \"acent\".".to_owned());
    let mut stage = Stage::with(own, fascicle::ui::Place::default());
    assert!(stage.frame(120, 30).contains("mine.toml:3"));
}

//! What stands between the words and the composer: a question, prompts that wait, what came below.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{about, line_width, seconds};
use crate::domain::event::Status;
use crate::domain::head::Turn;
use crate::text::{one_line, wrap};
use crate::ui::app::{Answering, App};
use crate::ui::focus::Pane;
use crate::ui::theme::Theme;

/// Waiting prompts shown.
const SHOWN: usize = 2;
/// Rows of a question or a trouble.
const ROWS: usize = 3;

/// Rows of the strip, each a left and a right part.
type Rows = Vec<(Line<'static>, Line<'static>)>;

/// The rows of the strip: each a left and a right part.
pub fn rows(app: &App, cols: usize) -> Rows {
    let theme = &app.settings.theme;
    let mut out = Vec::new();
    let below = app.desk().transcript.new_below();
    if below > 0 {
        let lines = if below == 1 { "line" } else { "lines" };
        let mut spans = vec![Span::styled(
            format!("↓ {below} new {lines} below"),
            theme.accent,
        )];
        if let Some(keys) = to_end(app) {
            spans.push(Span::styled(format!(" · {keys}"), theme.dim));
        }
        out.push((Line::from(spans), Line::default()));
    }
    let row = app.desks.at().and_then(|s| app.rows.get(s));
    if let Some(trouble) = row.and_then(|r| r.trouble.as_ref()) {
        let lead = Span::styled("⚠ ", theme.warn);
        wrapped(trouble, cols, &lead, theme.warn, &mut out);
    }
    if app.failed_here() && app.unready_here().is_some() {
        let text = "No agent is connected; the commands have “Connect an agent”.";
        let lead = Span::styled("⚠ ", theme.warn);
        wrapped(text, cols, &lead, theme.warn, &mut out);
    }
    question(app, theme, cols, &mut out);
    offer(app, theme, cols, &mut out);
    proposal(app, theme, cols, &mut out);
    silence(app, theme, cols, &mut out);
    recipe(app, theme, cols, &mut out);
    queue(app, theme, &mut out);
    sending(app, theme, &mut out);
    if !out.is_empty() {
        out.insert(0, (Line::default(), Line::default()));
    }
    out
}

/// The keys that lead to the newest words from here.
fn to_end(app: &App) -> Option<String> {
    match app.pane {
        Pane::Transcript => app.key_of_here("page.end"),
        Pane::Composer if app.is_writing() => behind_leaving(app, "page.end"),
        Pane::Composer => app.key_of_here("composer.to_end"),
        Pane::List | Pane::Drawer | Pane::Draft | Pane::View => None,
    }
}

/// The key of a command of the transcript, where the caret is in the composer and the key would be text.
fn behind_leaving(app: &App, command: &str) -> Option<String> {
    let leave = app.key_of_here("composer.leave")?;
    Some(format!("{leave}, then {}", app.key_of(command)))
}

fn question(app: &App, theme: &Theme, cols: usize, out: &mut Rows) {
    let Some((session, question)) = app.question() else {
        return;
    };
    if app.desks.at() != Some(session) {
        return;
    }
    if !app.desk().transcript.at_end() {
        // At the end the transcript itself shows it.
        wrapped(&question.what, cols, &Span::raw("  "), theme.heading, out);
    }
    out.push((answers(app, theme, cols), Line::default()));
}

/// What was found on this machine, and the keys that answer.
fn offer(app: &App, theme: &Theme, cols: usize, out: &mut Rows) {
    if !app.is_offered() {
        return;
    }
    let titles: Vec<&str> = app.settings.first.ways.iter().map(|w| &*w.title).collect();
    let text = match titles.as_slice() {
        [] => "Connect an agent that writes? This machine is looked at when you say so.".to_owned(),
        found => format!("Found here: {}. Nothing is used unasked.", found.join(", ")),
    };
    wrapped(
        &text,
        cols,
        &Span::styled("? ", theme.accent),
        theme.base,
        out,
    );
    let answers = [
        ("offer.show", "choose"),
        ("offer.decline", "no, do not ask again"),
    ];
    let mut spans = vec![Span::raw("  ")];
    for (i, (name, word)) in answers.into_iter().enumerate() {
        let gap = if i == 0 { "" } else { " · " };
        spans.push(Span::styled(gap, theme.dim));
        spans.push(Span::styled(app.key_of(name), theme.heading));
        spans.push(Span::styled(format!(" {word}"), theme.dim));
    }
    out.push((Line::from(spans), Line::default()));
}

/// An agent's text that waits for the writer's word.
fn proposal(app: &App, theme: &Theme, cols: usize, out: &mut Rows) {
    let row = app.desks.at().and_then(|s| app.rows.get(s));
    if row.is_none_or(|r| r.proposed.is_none()) {
        return;
    }
    let key = match app.pane {
        Pane::Composer => behind_leaving(app, "changes.open"),
        _ => None,
    };
    let key = key.unwrap_or_else(|| app.key_or_title("changes.open"));
    let text = format!("A proposal waits: {key}");
    let lead = Span::styled("✎ ", theme.accent);
    wrapped(&text, cols, &lead, theme.base, out);
}

/// A text on as many rows as it needs, a few at most, the first behind a sign.
fn wrapped(text: &str, cols: usize, lead: &Span<'static>, style: Style, out: &mut Rows) {
    let text = one_line(text);
    let rows = wrap(&text, cols.saturating_sub(2));
    let many = rows.len();
    for (i, range) in rows.into_iter().take(ROWS).enumerate() {
        let part = text.get(range).unwrap_or_default().trim_end().to_owned();
        let more = if i + 1 == ROWS && many > ROWS {
            " …"
        } else {
            ""
        };
        let lead = if i == 0 {
            lead.clone()
        } else {
            Span::raw("  ")
        };
        let line = Line::from(vec![lead, Span::styled(format!("{part}{more}"), style)]);
        out.push((line, Line::default()));
    }
}

/// The keys that answer, and what must come before them: in few cells with shorter words, so that how to refuse is not
/// left out, and without the way to see it whole.
pub fn answers(app: &App, theme: &Theme, cols: usize) -> Line<'static> {
    let (first, short) = match app.answering() {
        Answering::Now => ("", ""),
        Answering::AfterPause => ("after a pause: ", "wait: "),
        Answering::Outside => ("Esc, then ", "Esc "),
    };
    // In the composer letters are text, so only the numbers answer.
    let view = app.pane != Pane::Composer;
    let ways = [
        (first, "this session", view),
        (first, "this session", false),
        (first, "session", view),
        (first, "session", false),
    ];
    let mut lines = ways.into_iter().map(|way| answered(app, theme, way));
    let line = lines.find(|line| line_width(line) <= cols);
    line.unwrap_or_else(|| answered(app, theme, (short, "all", false)))
}

/// The line in these words: what comes first, how long the answer holds, and whether it can be seen whole.
fn answered(
    app: &App,
    theme: &Theme,
    (first, session, view): (&'static str, &'static str, bool),
) -> Line<'static> {
    let mut spans = vec![
        Span::styled("! ", theme.warn),
        Span::styled(first, theme.dim),
    ];
    let answers = [
        ("question.once", "once"),
        ("question.session", session),
        ("question.no", "no"),
        ("question.view", "view"),
    ];
    let many = if view { answers.len() } else { 3 };
    for (name, word) in answers.into_iter().take(many) {
        let gap = if spans.len() > 2 { " · " } else { "" };
        spans.push(Span::styled(gap, theme.dim));
        spans.push(Span::styled(app.key_of(name), theme.heading));
        spans.push(Span::styled(format!(" {word}"), theme.dim));
    }
    Line::from(spans)
}

fn queue(app: &App, theme: &Theme, out: &mut Rows) {
    let waiting = app.waiting();
    let (word, style) = if app.is_held() {
        ("held", theme.warn)
    } else {
        ("queued", theme.dim)
    };
    for prompt in waiting.iter().take(SHOWN) {
        let text = Line::from(vec![
            Span::styled("○ ", theme.dim),
            Span::styled(one_line(prompt.text.shown()), theme.dim),
        ]);
        out.push((text, Line::from(Span::styled(word, style))));
    }
    if waiting.len() > SHOWN {
        let text = format!("  and {} more", waiting.len() - SHOWN);
        out.push((Line::from(Span::styled(text, theme.dim)), Line::default()));
    }
}

/// What the agent waits for; or that the machine slept while nothing came.
fn silence(app: &App, theme: &Theme, cols: usize, out: &mut Rows) {
    let turn = app.desk().transcript.head().turn.as_ref();
    let pause = turn.and_then(|t| t.pause.as_ref());
    if let Some(pause) = pause.filter(|p| p.until > app.now() && app.runs_here()) {
        let text = format!(
            "waiting {}: {}",
            seconds(pause.until - app.now()),
            pause.why
        );
        wrapped(&text, cols, &Span::styled("… ", theme.dim), theme.dim, out);
    } else if let Some((_, slept @ 1..)) = app.silence().filter(|_| app.runs_here()) {
        let text = format!("This machine slept {} in between.", about(slept));
        wrapped(&text, cols, &Span::raw("  "), theme.dim, out);
    }
}

/// `Essay · step 2 of 4: Draft`, and what it waits for.
fn recipe(app: &App, theme: &Theme, cols: usize, out: &mut Rows) {
    let head = app.desk().transcript.head();
    let Some(recipe) = head.recipe.as_ref() else {
        return;
    };
    let many = recipe.steps.len();
    let step = recipe
        .at
        .and_then(|at| Some((at + 1, recipe.steps.get(at)?)));
    let text = match step {
        Some((n, name)) => format!("{} · step {n} of {many}: {name}", recipe.title),
        None => format!("{} · {many} steps", recipe.title),
    };
    let waits = app.is_held() && (recipe.paused.is_some() || !head.queue.is_empty());
    let text = if waits {
        let why = recipe.paused.as_ref().map(|why| format!(": {why}"));
        let why = why.unwrap_or_default();
        let [next, again] = ["composer.send", "turn.again"].map(|name| app.key_of(name));
        let cut = |t: &&Turn| t.end.as_ref().is_some_and(|e| e.0 != Status::Ok);
        let step = head.turn.as_ref().filter(cut).map(|t| t.no);
        if step.is_some() && step == recipe.turn {
            format!("{text}, which was cut{why} · {again} goes on with it · {next} with the next")
        } else {
            format!("{text} · waits{why} · {next} goes on")
        }
    } else {
        text
    };
    let style = if waits { theme.warn } else { theme.base };
    wrapped(&text, cols, &Span::styled("▸ ", theme.accent), style, out);
}

/// A prompt that was sent while there was no host to take it.
fn sending(app: &App, theme: &Theme, out: &mut Rows) {
    let Some(text) = app.desk().sending.as_ref().filter(|_| !app.has_host()) else {
        return;
    };
    let left = Line::from(vec![
        Span::styled("○ ", theme.dim),
        Span::styled(one_line(text), theme.base),
    ]);
    let right = Line::from(Span::styled("waiting for the host", theme.dim));
    out.push((left, right));
}

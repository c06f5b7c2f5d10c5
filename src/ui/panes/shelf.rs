//! The page of a collection: what it is, its pieces in order, what waits, what changed, the words of each day.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::sheet::column;
use super::{cut, empty, inset, row, sign, word, wrapped};
use crate::domain::{Came, CollectionRow, Row, SessionId};
use crate::text::{against, clean, counted, one_line, thousands};
use crate::ui::app::App;
use crate::ui::commands::Place;
use crate::ui::layers::pick::in_view;
use crate::ui::shelf::ShelfPage;
use crate::ui::theme::Theme;
use crate::ui::transcript::clock;

/// Rows of the profile.
const PROFILE: usize = 3;
/// Days of the bar.
const DAYS: usize = 30;
/// Its steps, from nothing to the most.
const STEPS: [&str; 9] = ["·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
/// Cells of a stage and of a state beside a piece.
const STAGE: usize = 9;
/// Narrower pages leave the state of a piece out.
const STATE_FROM: u16 = 60;

type Parts = (Line<'static>, Line<'static>);

/// Draws the page.
pub fn draw(area: Rect, buf: &mut Buffer, app: &App, view: &mut ShelfPage) {
    let theme = &app.settings.theme;
    let area = column(inset(area));
    let Some(shelf) = app.rows.collection(&view.collection) else {
        let gone = "This collection's folder is gone: it was renamed, moved away or deleted. Its sessions stay in the list.";
        return empty(area, buf, theme, &[gone.to_owned()]);
    };
    let mut top = head(app, shelf, view, area.width.into());
    let foot = foot(app, shelf, view, area.width.into());
    let pieces = app.rows.pieces(&view.collection);
    if view.index(&pieces).is_none() {
        view.at = pieces.first().copied();
    }
    // The pieces come first where it is low.
    let height = area.height as usize;
    let least = pieces.len().clamp(1, 5);
    top.truncate(height.saturating_sub(least).max(1));
    let below = height.saturating_sub(top.len() + least);
    let foot: Vec<Parts> = foot.into_iter().take(below).collect();
    let above = top.len();
    let mut at = area.rows();
    for (line, at) in top.into_iter().zip(&mut at) {
        row(at, buf, line.0, &line.1);
    }
    let room = height.saturating_sub(above + foot.len());
    if pieces.is_empty() {
        let key = app.key_of("session.new");
        let text = format!("  Nothing lies here yet: {key} begins a session in it.");
        let line = Line::from(Span::styled(text, theme.dim));
        at.by_ref()
            .take(1)
            .for_each(|at| row(at, buf, line.clone(), &Line::default()));
    }
    let here = view.index(&pieces).unwrap_or(0);
    // Where not all are in sight, a row says how many are not.
    let is_cut = pieces.len() > room && room > 1;
    let room = room - usize::from(is_cut);
    view.top = in_view(view.top, here, room, pieces.len());
    let digits = pieces.len().to_string().len();
    for (n, id) in pieces.iter().enumerate().skip(view.top).take(room) {
        let Some(line) = at.next() else { break };
        piece(line, buf, app, *id, (n + 1, digits));
        if n == here {
            buf.set_style(line, theme.selected);
        }
    }
    let below = pieces.len().saturating_sub(view.top + room);
    let more = is_cut.then(|| plain(out_of_sight(view.top, below), theme.dim));
    for (line, at) in more.into_iter().chain(foot).zip(at) {
        row(at, buf, line.0, &line.1);
    }
}

/// `↑ 2 · ↓ 7 more`.
fn out_of_sight(above: usize, below: usize) -> String {
    let parts = [("↑", above), ("↓", below)];
    let parts = parts.into_iter().filter(|(_, n)| *n > 0);
    let parts: Vec<String> = parts.map(|(sign, n)| format!("{sign} {n}")).collect();
    format!("  {} more", parts.join(" · "))
}

fn plain(text: String, style: Style) -> Parts {
    (Line::from(Span::styled(text, style)), Line::default())
}

/// Title and words, what it is, the beginning of its profile.
fn head(app: &App, shelf: &CollectionRow, view: &ShelfPage, cols: usize) -> Vec<Parts> {
    let theme = &app.settings.theme;
    let pieces = app.rows.pieces(&shelf.id).len() as u64;
    let words = against(app.rows.words_in(&shelf.id), shelf.target, "words");
    let right = format!("{} · {words}", counted(pieces, "piece"));
    let title = Line::from(Span::styled(one_line(&shelf.title), theme.accent));
    let mut out = vec![(title, Line::from(Span::styled(right, theme.dim)))];
    if let Some(about) = &shelf.about {
        out.push(plain(cut(&one_line(about), cols), theme.base));
    }
    let profile = view.profile.as_deref().unwrap_or_default();
    let shown = profile_rows(&clean(profile), cols).into_iter();
    out.extend(shown.map(|l| plain(l, theme.dim)));
    out.push(plain(String::new(), theme.dim));
    out
}

/// The first rows of a profile, its paragraphs broken where there is no more room and not where its file breaks them.
fn profile_rows(profile: &str, cols: usize) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in profile.lines().map(str::trim) {
        let begins = ["#", "- ", "* ", "> ", "|"]
            .iter()
            .any(|mark| line.starts_with(mark));
        match parts.last_mut().filter(|_| goes_on && !begins) {
            _ if line.is_empty() => {}
            Some(part) => {
                part.push(' ');
                part.push_str(line);
            }
            None => parts.push(line.to_owned()),
        }
        goes_on = !line.is_empty() && !line.starts_with('#');
    }
    let all = parts.iter().flat_map(|part| wrapped(part, cols));
    let mut rows: Vec<String> = all.take(PROFILE + 1).map(str::to_owned).collect();
    if rows.len() > PROFILE {
        rows.truncate(PROFILE);
        if let Some(last) = rows.last_mut() {
            *last = cut(&format!("{last} …"), cols);
        }
    }
    rows
}

/// `3  Session ★  needs you  revising  1,204 of 1,500 w`.
fn piece(line: Rect, buf: &mut Buffer, app: &App, id: SessionId, (n, digits): (usize, usize)) {
    let theme = &app.settings.theme;
    let Some(found) = app.rows.get(id) else {
        return;
    };
    let (mark, style) = sign(found.state, theme);
    let mut left = vec![
        Span::styled(format!("{n:>digits$} "), theme.dim),
        Span::styled(mark, style),
        Span::raw(" "),
        Span::styled(app.rows.title_of(found), theme.base),
    ];
    if app.rows.is_main(id) {
        let more = app.rows.family_of(id).len().saturating_sub(1) as u64;
        let text = format!("{} {}", super::MAIN, counted(more, "variant"));
        left.push(Span::styled(text, theme.dim));
    }
    row(line, buf, Line::from(left), &right(app, found, line.width));
}

fn right(app: &App, found: &Row, cols: u16) -> Line<'static> {
    let theme = &app.settings.theme;
    let mut out = Vec::new();
    if let Some(state) = word(found.state).filter(|_| cols >= STATE_FROM) {
        out.push(Span::styled(
            format!("{state}  "),
            sign(found.state, theme).1,
        ));
    }
    let stage = app
        .rows
        .stage_of(found)
        .map_or("", crate::domain::Stage::word);
    out.push(Span::styled(format!("{stage:<STAGE$}"), theme.dim));
    let words = against(found.words, app.rows.target_of(found), "w");
    out.push(Span::styled(format!("{words:>16}"), theme.base));
    Line::from(out)
}

/// What waits, what changed, the words of the days, what agents may do.
fn foot(app: &App, shelf: &CollectionRow, view: &ShelfPage, cols: usize) -> Vec<Parts> {
    let theme = &app.settings.theme;
    let mut out = vec![plain(String::new(), theme.dim)];
    let needy = app.rows.needy_in(&shelf.id);
    if needy > 0 {
        let what = if needy == 1 { "needs you" } else { "need you" };
        out.push(plain(format!("! {needy} {what}"), theme.warn));
    }
    if shelf.waiting > 0 {
        let many = super::memory::proposed(shelf.waiting as usize);
        // The place at hand is another one while it is drawn.
        let key = app.key_in("memory.open", Place::Collection);
        let key = key.map(|k| format!(": {k} shows the memory"));
        let text = format!("+ {many}{}", key.unwrap_or_default());
        out.push(plain(text, theme.accent));
    }
    if let Some(news) = news(app, shelf, view) {
        let rows = wrapped(&news, cols.max(1)).into_iter().map(str::to_owned);
        out.extend(rows.map(|line| plain(line, theme.dim)));
    }
    out.extend(days(app, shelf, cols, theme));
    let web = match app.webless() {
        _ if shelf.allow.is_empty() => "Agents have the drafts alone".to_owned(),
        None => "Agents may search the web, and ask each time".to_owned(),
        Some(agent) => format!("Agents may search the web, but {agent} has no way to it"),
    };
    let key = app.key_in("collection.web", Place::Collection);
    let key = key
        .map(|k| format!(" · {k} changes that"))
        .unwrap_or_default();
    out.push(plain(format!("{web}{key}."), theme.dim));
    out
}

/// `Since Monday 14:02: 2 pieces changed, 1 new, 512 words came, 312 of them yours.`
fn news(app: &App, shelf: &CollectionRow, view: &ShelfPage) -> Option<String> {
    let since = view.since?;
    let ([changed, new], came) = app.rows.news(&shelf.id, since);
    if changed + new == 0 {
        return None;
    }
    let when = clock(since, app.now(), &app.settings.zone);
    let mut parts = Vec::new();
    if changed > 0 {
        parts.push(format!("{} changed", counted(changed, "session")));
    }
    if new > 0 {
        parts.push(format!("{} new", thousands(new)));
    }
    if came.all() > 0 {
        let all = counted(came.all(), "word");
        parts.push(format!("{all} came, {} of them yours", thousands(came.you)));
    }
    Some(format!("Since {when}: {}.", parts.join(", ")))
}

/// A step for each day, and today in words.
fn days(app: &App, shelf: &CollectionRow, cols: usize, theme: &Theme) -> Vec<Parts> {
    let days = app
        .rows
        .days(&shelf.id, app.now(), &app.settings.zone, DAYS);
    let sums: Vec<u64> = days.iter().map(Came::all).collect();
    let most = sums.iter().copied().max().unwrap_or(0);
    if most == 0 && shelf.day.is_none() {
        return Vec::new();
    }
    let bar: String = sums.iter().map(|n| step(*n, most)).collect();
    let told = today(days.last().copied().unwrap_or_default(), shelf.day);
    if bar.chars().count() + 3 + told.len() > cols {
        return vec![plain(bar, theme.accent), plain(told, theme.dim)];
    }
    let line = vec![
        Span::styled(bar, theme.accent),
        Span::styled(format!("   {told}"), theme.dim),
    ];
    vec![(Line::from(line), Line::default())]
}

/// `312 of 500 words today: 212 yours, 60 by agents, 40 by other programs`.
fn today(came: Came, wanted: Option<u64>) -> String {
    let all = against(came.all(), wanted, "words today");
    if came.all() == came.you {
        return all;
    }
    let others = [(came.agents, "agents"), (came.elsewhere, "other programs")];
    let others = others.into_iter().filter(|(n, _)| *n > 0);
    let others: String = others
        .map(|(n, who)| format!(", {} by {who}", thousands(n)))
        .collect();
    format!("{all}: {} yours{others}", thousands(came.you))
}

fn step(n: u64, most: u64) -> &'static str {
    let last = STEPS.len() as u64 - 1;
    // Any word at all is more than nothing.
    let at = (n * last).div_ceil(most.max(1));
    usize::try_from(at)
        .ok()
        .and_then(|at| STEPS.get(at))
        .copied()
        .unwrap_or("█")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_broken_where_its_row_ends_and_not_where_its_file_breaks_it() {
        let text = "# Ferry\n\nFour pieces for a small\nbook, a few\nhundred words at most.\n\n- no names\n- no dates";
        let whole = [
            "# Ferry",
            "Four pieces for a small book, a few hundred words at most.",
            "- no names …",
        ];
        assert_eq!(profile_rows(text, 60), whole);
        let narrow = profile_rows(text, 30);
        assert_eq!(
            narrow[1..],
            [
                "Four pieces for a small book,",
                "a few hundred words at most. …"
            ]
        );
        assert!(profile_rows("", 30).is_empty());
    }

    #[test]
    fn a_day_with_a_word_is_seen_beside_one_with_thousands() {
        assert_eq!(
            [0, 1, 5_000, 10_000].map(|n| step(n, 10_000)),
            ["·", "▁", "▄", "█"]
        );
        assert_eq!(step(0, 0), "·");
    }

    #[test]
    fn the_words_of_a_day_are_told_apart_where_some_are_not_the_writers() {
        let came = |you, agents, elsewhere| Came {
            you,
            agents,
            elsewhere,
        };
        for (came, told) in [
            (came(212, 0, 0), "212 of 500 words today"),
            (
                came(212, 100, 0),
                "312 of 500 words today: 212 yours, 100 by agents",
            ),
            (
                came(212, 60, 40),
                "312 of 500 words today: 212 yours, 60 by agents, 40 by other programs",
            ),
            (
                came(0, 0, 1_000),
                "1,000 of 500 words today: 0 yours, 1,000 by other programs",
            ),
        ] {
            assert_eq!(today(came, Some(500)), told);
        }
    }
}

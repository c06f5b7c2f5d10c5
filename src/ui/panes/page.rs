//! The page: the open session's head, its words, the strip, the composer.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::{MAIN, STOPPING, about, empty, row, seconds, strip, title_style};
use crate::domain::{Head, State};
use crate::text::{one_line, width};
use crate::ui::app::App;
use crate::ui::desk::BEGINNING;
use crate::ui::focus::Pane;
use crate::ui::ground::Spot;
use crate::ui::theme::Theme;
use crate::ui::transcript::{Cx, Move, column};
use crate::ui::{layout, spent};

/// Cells of what stands beside the title.
const BESIDE: usize = 34;
/// Cells before the composer's text.
const MARK: u16 = 2;

/// Draws the page, and says where the caret belongs.
pub fn draw(area: Rect, buf: &mut Buffer, app: &mut App) -> Option<Position> {
    let theme = app.settings.theme;
    let text = column(area);
    let rows = strip::rows(app, text.width as usize);
    let wanted = app.composer_rows(text.width.saturating_sub(MARK), area.height);
    let parts = layout::page(area, wanted, u16::try_from(rows.len()).unwrap_or(u16::MAX));
    head(first_row(parts.head), buf, app);
    words(parts.text, buf, app);
    for ((left, right), at) in rows.into_iter().zip(parts.strip.rows()) {
        row(column(at), buf, left, &right);
    }
    rule(parts.rule, buf, &theme);
    composer(column(parts.composer), buf, app)
}

fn first_row(area: Rect) -> Rect {
    Rect {
        height: area.height.min(1),
        ..area
    }
}

fn rule(area: Rect, buf: &mut Buffer, theme: &Theme) {
    let line = "─".repeat(area.width as usize);
    if !area.is_empty() {
        buf.set_stringn(area.x, area.y, line, area.width as usize, theme.rule);
    }
}

fn head(area: Rect, buf: &mut Buffer, app: &App) {
    let theme = &app.settings.theme;
    let here = matches!(app.pane, Pane::Transcript | Pane::Composer);
    let (title, place) = match app.desks.at() {
        None => {
            let collection = app.desks.collection.as_ref();
            let place = collection.map_or("Inbox", |c| app.rows.collection_title(c));
            ("New session".to_owned(), format!(" in {}", one_line(place)))
        }
        Some(session) => {
            let star = if app.rows.is_main(session) { MAIN } else { "" };
            let place = match app.rows.get(session) {
                Some(r) if r.trashed => " in the trash",
                Some(r) if r.archived => " in the archive",
                _ => "",
            };
            let room = usize::from(column(area).width).saturating_sub(BESIDE);
            let title = match app.rows.get(session) {
                Some(row) => app.rows.title_in(row, room),
                None => app.title_of(session),
            };
            (title, format!("{star}{place}"))
        }
    };
    let agent = app.agent_of_page();
    let mut left = vec![
        Span::styled(title, title_style(theme, here)),
        Span::styled(place, theme.dim),
    ];
    for part in [Some(agent.agent), agent.model].into_iter().flatten() {
        if !part.is_empty() {
            left.push(Span::styled(format!(" · {}", one_line(&part)), theme.dim));
        }
    }
    let tags = app
        .desks
        .at()
        .and_then(|s| app.rows.get(s))
        .map(|r| &r.tags);
    for tag in tags.into_iter().flatten() {
        left.push(Span::styled(format!(" #{}", one_line(tag)), theme.dim));
    }
    let area = column(area);
    let used: usize = left.iter().map(|s| width(&s.content)).sum();
    let room = (area.width as usize).saturating_sub(used + 1);
    row(area, buf, Line::from(left), &happening(app, theme, room));
}

/// What the open turn does; else the limit of its agent, what the session cost, and how much of the model's window is
/// in use, as far as there is room beside the title.
fn happening(app: &App, theme: &Theme, room: usize) -> Line<'static> {
    let head = app.desk().transcript.head();
    if app.desks.at().is_none() {
        return Line::default();
    }
    if let Some((text, loud)) = running(app, head) {
        let style = if loud { theme.warn } else { theme.dim };
        return Line::from(Span::styled(text, style));
    }
    let zone = &app.settings.zone;
    let limit = head.limit.as_ref();
    let limit = limit.and_then(|l| spent::limit(l, app.now(), zone));
    let row = app.desks.at().and_then(|s| app.rows.get(s));
    let sums = row.map_or_else(Vec::new, |r| spent::ways(&r.sum()));
    let context = spent::gauge(&head.spent);
    let (context, loud) = context.map_or((None, false), |(told, loud)| (Some(told), loud));
    let gauge = if loud { theme.warn } else { theme.dim };
    // What is named first is left out last.
    let parts = [
        (Vec::from_iter(limit), theme.warn),
        (Vec::from_iter(context), gauge),
        (sums, theme.dim),
    ];
    let mut line = Line::default();
    let mut used = 0;
    for (ways, style) in parts {
        let Some(shortest) = ways.last() else {
            continue;
        };
        let gap = if line.spans.is_empty() { "" } else { " · " };
        let fits = |text: &&String| used + width(gap) + width(text) <= room;
        let text = ways.iter().find(fits).unwrap_or(shortest).clone();
        used += width(gap) + width(&text);
        if used > room && !line.spans.is_empty() {
            break;
        }
        line.spans.push(Span::styled(gap, theme.dim));
        line.spans.push(Span::styled(text, style));
    }
    line
}

fn running(app: &App, head: &Head) -> Option<(String, bool)> {
    if !app.runs_here() {
        return None;
    }
    let turn = head.turn.as_ref().filter(|t| t.end.is_none())?;
    if app.desks.at().is_some_and(|s| app.is_stopping(s)) {
        return Some((STOPPING.to_owned(), false));
    }
    if !head.asked.is_empty() {
        return Some(("! needs you".to_owned(), true));
    }
    let left = turn.pause.as_ref().map_or(0, |p| p.until - app.now());
    if left > 0 {
        return Some((format!("waiting {}", seconds(left)), true));
    }
    if let Some((silent, _)) = app.silence() {
        return Some((format!("nothing for {}", about(silent)), true));
    }
    Some((format!("writing · {}", span(app.now() - turn.since)), false))
}

/// A span of time as people say it: `8 s`, `2 min`, `1 h 5 min`.
fn span(ms: i64) -> String {
    let s = ms.max(0) / 1000;
    match (s / 3600, s / 60 % 60, s) {
        (0, 0, s) => format!("{s} s"),
        (0, min, _) => format!("{min} min {} s", s % 60),
        (h, min, _) => format!("{h} h {min} min"),
    }
}

fn words(area: Rect, buf: &mut Buffer, app: &mut App) {
    let theme = app.settings.theme;
    if app.desks.at().is_none() {
        empty(column(area), buf, &theme, &invitation(app));
        return;
    }
    let live = app.runs_here();
    app.ground.lay(area, Spot::Transcript);
    let links = app.links();
    let sought = app.desk().transcript.sought.clone();
    let cx = Cx {
        theme: &theme,
        links: &links,
        now_ms: app.now(),
        zone: app.settings.zone.clone(),
        live,
        sought: sought.as_ref(),
    };
    let desk = app.desks.here_mut();
    let told = desk.link.is_some_and(|l| l.live);
    let transcript = &desk.transcript;
    let back = desk.return_to;
    if let Some(seq) = back.filter(|seq| told && transcript.reaches(*seq)) {
        desk.return_to = None;
        // Where a message stands is known once the words are laid: that sheet is thrown away.
        desk.transcript.draw(area, &mut Buffer::empty(area), &cx);
        match cx.sought {
            _ if seq == BEGINNING => desk.transcript.scroll(Move::Top),
            None => desk.transcript.seek_message(seq),
            Some(sought) => {
                desk.transcript.seek_message(seq);
                desk.transcript.seek_words(sought);
            }
        }
    }
    desk.transcript.draw(area, buf, &cx);
}

fn invitation(app: &App) -> Vec<String> {
    let told = &app.settings.first;
    let first = told.welcome || app.has_host() && app.rows.every().next().is_none();
    let mut lines = Vec::new();
    if first {
        let what = "A notebook for every piece you write.";
        lines.extend([what.to_owned(), String::new()]);
    }
    match app.unready_here() {
        Some(why) => lines.extend(no_agent(app, why)),
        None => lines.push(to_whom(&app.agent_of_page().agent)),
    }
    lines.push(if first {
        "Each piece keeps its history and its draft.".to_owned()
    } else {
        "Each session keeps its own history.".to_owned()
    });
    let list = app.key_of_here("composer.to_list");
    if let (true, true, Some(key)) = (first, told.sample, list) {
        lines.push(String::new());
        lines.push(format!("{key} leads to a sample, to read and try."));
    }
    let keys = ["palette.open", "help.open"].map(|name| app.key_of_here(name));
    if let [Some(palette), Some(help)] = keys {
        lines.push(String::new());
        lines.push(format!("{palette} shows every command, {help} the keys."));
    }
    lines
}

fn to_whom(agent: &str) -> String {
    if agent.is_empty() {
        "Write, then press Enter.".to_owned()
    } else {
        format!("Write, then Enter sends it to {}.", one_line(agent))
    }
}

/// What to do while nobody could answer.
fn no_agent(app: &App, why: &str) -> Vec<String> {
    let mut lines = vec![
        "No agent is connected yet. What you write is kept.".to_owned(),
        one_line(why),
        String::new(),
    ];
    let palette = app.key_of_here("palette.open");
    if let Some(key) = palette.filter(|_| !app.is_offered()) {
        lines.push(format!("{key}, then “connect”, shows how."));
        if app.settings.agents.choices.len() > 1 {
            lines.push(format!("{key}, then “agent”, chooses another."));
        }
        lines.push(String::new());
    }
    lines
}

fn composer(area: Rect, buf: &mut Buffer, app: &mut App) -> Option<Position> {
    let theme = app.settings.theme;
    let focused = app.pane == Pane::Composer && !app.has_layer();
    if area.width <= MARK || area.height == 0 {
        return None;
    }
    let style = if focused { theme.accent } else { theme.dim };
    buf.set_stringn(area.x, area.y, "›", 1, style);
    let room = Rect {
        x: area.x + MARK,
        width: area.width - MARK,
        ..area
    };
    app.ground.lay(area, Spot::Composer);
    let desk = app.desks.here_mut();
    let caret = desk.composer.draw(room, buf, &theme, focused);
    caret.filter(|_| focused)
}

impl App {
    /// Rows the composer wants in a page of a height.
    fn composer_rows(&mut self, cols: u16, page: u16) -> u16 {
        let most = (page / 3).clamp(1, 12);
        let hint = match (self.desks.at(), &self.desks.here().sending) {
            (_, Some(_)) if !self.has_host() => "What comes next?".to_owned(),
            (_, Some(_)) => "sending…".to_owned(),
            (None, _) if self.pane == Pane::Transcript => {
                format!("{} begins to write", self.key_of("pane.compose"))
            }
            (None, _) => "What do you want to write?".to_owned(),
            (Some(_), _) if self.is_held() => {
                let key = self.key_of("composer.send");
                format!("{key} lets the prompts that wait go on")
            }
            (Some(_), _) => self.invitation(&one_line(&self.agent_of_page().agent)),
        };
        let composer = &mut self.desks.here_mut().composer;
        composer.set_placeholder(&hint);
        composer.height(cols, most)
    }

    /// What an empty composer says. Where letters are commands it names the key that leads to it.
    fn invitation(&self, agent: &str) -> String {
        let to = if agent.is_empty() { "" } else { " to " };
        if self.pane == Pane::Transcript {
            format!("{} writes{to}{agent}…", self.key_of("pane.compose"))
        } else {
            format!("Write{to}{agent}…")
        }
    }

    /// Whether a turn of the open session runs, as far as the host tells.
    pub(in crate::ui) fn runs_here(&self) -> bool {
        let row = self.desks.at().and_then(|s| self.rows.get(s));
        let runs = row.is_some_and(|r| matches!(r.state, State::Writing | State::NeedsYou));
        self.has_host() && runs
    }

    /// Why the page's next turn could not be written, as far as that is known.
    pub(in crate::ui) fn unready_here(&self) -> Option<&str> {
        let default = self.settings.agents.choices.first()?;
        let theirs = self.agent_of_page().agent == default.agent;
        self.settings.agents.unready.as_deref().filter(|_| theirs)
    }

    /// The agent the page's next turn would use.
    fn agent_of_page(&self) -> crate::ui::settings::Choice {
        match self.desks.at() {
            Some(session) => self.agent_of(session),
            None => self.agent_of_fresh(),
        }
    }
}

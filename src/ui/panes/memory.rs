//! The memory of a collection: the proposals that wait, each as what it would change, then its lines with their source
//! and age, then its files; and the versions of one of them.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::sheet::{Sheet as Paged, column, divide, split, told};
use super::{age, empty, inset, row, wrapped};
use crate::domain::CollectionId;
use crate::domain::drawer::{Diff, FileRow, FileVersion, Hand, Kept, Offer, Sheet};
use crate::text::{counted, one_line, size};
use crate::ui::app::App;
use crate::ui::commands::Place;
use crate::ui::compare::laid::Stand;
use crate::ui::layers::pick::in_view;
use crate::ui::memory::{FileView, MemoryView, stops};
use crate::ui::theme::Theme;
use crate::ui::transcript::clock;

/// Cells before what belongs to a line.
const INDENT: &str = "  ";

/// A row, the number of the item it belongs to, and whether it is that item's first.
struct Laid {
    left: Line<'static>,
    right: Line<'static>,
    of: Option<(usize, bool)>,
}

/// The rows of the page, as they are laid.
struct Page<'a> {
    app: &'a App,
    theme: &'a Theme,
    cols: usize,
    rows: Vec<Laid>,
    items: usize,
}

/// Draws the view.
pub fn draw(area: Rect, buf: &mut Buffer, app: &App, view: &mut MemoryView) {
    let theme = &app.settings.theme;
    let (head, body) = split(column(inset(area)), 2);
    if let Some(at) = head.rows().next() {
        let (left, right) = title(app, view);
        row(at, buf, left, &right);
    }
    let Some(sheet) = view.sheet() else {
        let why = match view.wrong() {
            Some(why) => why.to_owned(),
            None if app.has_host() => "The memory is being read…".to_owned(),
            None => "The memory comes when the host is there.".to_owned(),
        };
        return empty(body, buf, theme, &[why]);
    };
    let mut page = Page {
        app,
        theme,
        cols: body.width.into(),
        rows: Vec::new(),
        items: 0,
    };
    page.elsewhere(&view.collection);
    page.sheet(sheet);
    let at = view.at();
    let of = |laid: &Laid| laid.of.map(|(n, _)| n);
    let first = page.rows.iter().position(|r| of(r) == Some(at));
    let last = page.rows.iter().rposition(|r| of(r) == Some(at));
    let tall = body.height as usize;
    let (first, last) = (first.unwrap_or(0), last.unwrap_or(0));
    view.top = in_view(view.top, last, tall, page.rows.len());
    // A heading right above it is seen with it.
    view.top = view
        .top
        .min(first.saturating_sub(if first < 3 { first } else { 1 }));
    for (laid, line) in page.rows.into_iter().skip(view.top).zip(body.rows()) {
        let here = laid.of == Some((at, true));
        row(line, buf, laid.left, &laid.right);
        if here {
            buf.set_style(line, theme.selected);
        }
    }
}

/// `Memory · Essays`, and how much there is.
fn title(app: &App, view: &MemoryView) -> (Line<'static>, Line<'static>) {
    let theme = &app.settings.theme;
    let collection = one_line(app.rows.collection_title(&view.collection));
    let left = Line::from(vec![
        Span::styled("Memory", theme.accent),
        Span::styled(format!(" · {collection}"), theme.dim),
    ]);
    let Some(sheet) = view.sheet() else {
        return (left, Line::default());
    };
    let lines = sheet.lines.iter().filter(|l| !l.archived).count() as u64;
    let mut right = counted(lines, "line");
    if !sheet.offers.is_empty() {
        right = format!("{} · {right}", proposed(sheet.offers.len()));
    }
    (left, Line::from(Span::styled(right, theme.dim)))
}

/// `2 proposals wait`.
pub fn proposed(many: usize) -> String {
    let what = if many == 1 { "waits" } else { "wait" };
    format!("{} {what}", counted(many as u64, "proposal"))
}

impl Page<'_> {
    fn sheet(&mut self, sheet: &Sheet) {
        if let Some(problem) = &sheet.problem {
            self.text("! ", "  ", &one_line(problem), self.theme.warn, None);
            self.answers(sheet);
            self.gap();
        }
        if !sheet.offers.is_empty() {
            self.heading("Proposed");
        }
        for offer in &sheet.offers {
            self.offer(offer);
            self.archived(offer, sheet);
            self.gap();
        }
        self.lines(sheet);
        self.gap();
        self.heading("Files");
        for file in &sheet.files {
            self.file(file);
        }
    }

    /// By which keys the writer answers where lines are missing.
    fn answers(&mut self, sheet: &Sheet) {
        let key = |name| self.app.key_in(name, Place::Memory);
        let keys = (key("memory.put_back"), key("memory.let_go"));
        if let (1.., (Some(back), Some(go))) = (sheet.lost, keys) {
            let text = format!("{back} puts back what is missing, {go} lets it go.");
            self.text(INDENT, INDENT, &text, self.theme.dim, None);
        }
    }

    /// What waits in another collection.
    fn elsewhere(&mut self, here: &CollectionId) {
        let Some(other) = self.app.waits_behind(here) else {
            return;
        };
        let many = proposed(other.waiting as usize);
        let key = self.app.key_in("memory.waiting", Place::Memory);
        let key = key.map(|key| format!(": {key} goes there"));
        let title = one_line(&other.title);
        let text = format!("+ {many} in {title}{}", key.unwrap_or_default());
        self.text("", INDENT, &text, self.theme.accent, None);
        self.gap();
    }

    fn gap(&mut self) {
        self.push(Line::default(), Line::default(), None);
    }

    fn heading(&mut self, text: &str) {
        let text = Span::styled(text.to_owned(), self.theme.heading);
        self.push(Line::from(text), Line::default(), None);
    }

    fn push(&mut self, left: Line<'static>, right: Line<'static>, of: Option<(usize, bool)>) {
        self.rows.push(Laid { left, right, of });
    }

    /// A text on the rows it needs, a sign before the first.
    fn text(&mut self, sign: &str, below: &str, text: &str, style: Style, of: Option<usize>) {
        let room = self.cols.saturating_sub(sign.chars().count()).max(1);
        for (n, part) in wrapped(text, room).into_iter().enumerate() {
            let lead = if n == 0 { sign } else { below };
            let line = Span::styled(format!("{lead}{}", part.trim_end()), style);
            self.push(Line::from(line), Line::default(), of.map(|of| (of, false)));
        }
    }

    /// `term · 03 Session · 2 d`, what it would change, why, and what it contradicts.
    fn offer(&mut self, offer: &Offer) {
        let theme = self.theme;
        let of = self.next();
        let says = &offer.proposal.says;
        let old = age(self.app.now().saturating_sub(offer.proposal.ts));
        let what = match &says.about {
            Some(about) => format!("{} “{}”", one_line(says.what.word()), one_line(about)),
            None => one_line(says.what.word()),
        };
        let left = Line::from(vec![
            Span::styled(format!("{INDENT}{what}"), theme.accent),
            Span::styled(format!(" · {} · {old}", one_line(&offer.title)), theme.dim),
        ]);
        let file = Line::from(Span::styled(one_line(&offer.file), theme.dim));
        self.push(left, file, Some((of, true)));
        for line in &offer.diff {
            match line {
                Diff::Same(_) => {}
                Diff::In(text) | Diff::Out(text) if text.trim().is_empty() => {}
                Diff::In(text) => self.text("  + ", "    ", &one_line(text), theme.base, Some(of)),
                Diff::Out(text) => self.text("  − ", "    ", &one_line(text), theme.dim, Some(of)),
            }
        }
        if !says.reason.is_empty() {
            let why = format!("why: {}", one_line(&says.reason));
            self.text("    ", "    ", &why, theme.dim, Some(of));
        }
        let chosen = stops(offer);
        for (n, line) in offer.against.iter().enumerate() {
            let of = if chosen.contains(&n) { self.next() } else { of };
            let first = self.rows.len();
            let text = format!("The memory says: {}", one_line(line));
            self.text("  ≠ ", "    ", &text, theme.warn, Some(of));
            if let Some(laid) = self.rows.get_mut(first).filter(|_| chosen.contains(&n)) {
                laid.of = Some((of, true));
            }
        }
    }

    /// That the archive has the words of a proposal already, where it has.
    fn archived(&mut self, offer: &Offer, sheet: &Sheet) {
        let same = |kept: &&Kept| kept.archived && kept.text == offer.proposal.says.text;
        if sheet.lines.iter().any(|kept| same(&kept)) {
            let key = self.app.key_in("memory.archive", Place::Memory);
            let key = key.map(|key| format!("; {key} on it brings it back"));
            let text = format!("The archive has this line{}.", key.unwrap_or_default());
            self.text("    ", "    ", &text, self.theme.dim, None);
        }
    }

    fn lines(&mut self, sheet: &Sheet) {
        if sheet.lines.is_empty() {
            self.heading("Kept");
            let text = "Nothing is kept yet. What you accept of what agents propose becomes a line here; MEMORY.md can be written by hand, too.";
            self.text(INDENT, INDENT, text, self.theme.dim, None);
            return;
        }
        let mut under: Option<(Option<&str>, bool)> = None;
        for kept in &sheet.lines {
            let here = (kept.heading.as_deref(), kept.archived);
            if under != Some(here) {
                if under.is_some() {
                    self.gap();
                }
                under = Some(here);
                let name = kept.heading.as_deref().map(one_line);
                self.heading(&match (name, kept.archived) {
                    (Some(name), false) => name,
                    (None, false) => "Kept".to_owned(),
                    (Some(name), true) => format!("Archive, not sent · {name}"),
                    (None, true) => "Archive, not sent".to_owned(),
                });
            }
            self.kept(kept);
        }
    }

    /// A line of the memory; where it comes from and how old it is at its right.
    fn kept(&mut self, kept: &Kept) {
        let theme = self.theme;
        let of = self.next();
        let old = kept.days.map(|days| match days {
            ..=0 => "today".to_owned(),
            days => format!("{days} d"),
        });
        let from = kept.from.as_deref().map(one_line);
        let source: Vec<String> = from.into_iter().chain(old).collect();
        let source = source.join(" · ");
        let style = if kept.archived { theme.dim } else { theme.base };
        let sign = if kept.archived { "  x " } else { "  · " };
        let text = one_line(&kept.text.replace('\n', " "));
        let beside = crate::text::width(&source) + 2;
        // A source that would leave no room for words stands below them.
        let room = self.cols.saturating_sub(4 + beside);
        let stands = room >= 24 || source.is_empty();
        let room = if stands {
            room
        } else {
            self.cols.saturating_sub(4)
        };
        for (n, part) in wrapped(&text, room.max(1)).into_iter().enumerate() {
            let lead = if n == 0 { sign } else { "    " };
            let left = Span::styled(format!("{lead}{}", part.trim_end()), style);
            let right = if n == 0 && stands {
                source.as_str()
            } else {
                ""
            };
            let right = Line::from(Span::styled(right.to_owned(), theme.dim));
            self.push(Line::from(left), right, Some((of, n == 0)));
        }
        if !stands {
            self.text("    ", "    ", &source, theme.dim, Some(of));
        }
    }

    /// `MEMORY.md   3 versions · 14:02, accepted`.
    fn file(&mut self, file: &FileRow) {
        let theme = self.theme;
        let of = self.next();
        let left = Span::styled(format!("{INDENT}{}", one_line(&file.path)), theme.base);
        let right = match (&file.odd, file.versions.last()) {
            (Some(odd), _) => one_line(odd),
            (None, None) => "not there".to_owned(),
            (None, Some(last)) => {
                let many = counted(file.versions.len() as u64, "version");
                format!("{many} · {}", when(self.app, last))
            }
        };
        let right = Line::from(Span::styled(right, theme.dim));
        self.push(Line::from(left), right, Some((of, true)));
    }

    fn next(&mut self) -> usize {
        self.items += 1;
        self.items - 1
    }
}

/// `14:02, accepted`.
fn when(app: &App, version: &FileVersion) -> String {
    let at = clock(version.ts, app.now(), &app.settings.zone);
    let by = match &version.by {
        Hand::LetGo => "let go",
        Hand::Outside if version.gone => "removed",
        Hand::Outside => "by hand",
        Hand::Accept => "accepted",
        Hand::Fold => "archive",
        Hand::Restore => "restored",
        Hand::Undo => "undo",
        Hand::Other(word) => word,
    };
    format!("{at}, {}", one_line(by))
}

/// Draws the versions of a file.
pub fn draw_file(area: Rect, buf: &mut Buffer, app: &App, view: &mut FileView) {
    let theme = &app.settings.theme;
    let (list, rule, page) = divide(area);
    for at in rule.rows() {
        buf.set_string(at.x, at.y, "│", theme.rule);
    }
    let (head, rows) = split(list, 2);
    if let Some(at) = head.rows().next() {
        let left = Line::from(vec![
            Span::styled("Versions", theme.accent),
            Span::styled(format!(" · {}", one_line(&view.file)), theme.dim),
        ]);
        row(at, buf, left, &Line::default());
    }
    let many = view.versions().len();
    let at = many.saturating_sub(1 + view.at());
    view.top = in_view(view.top, at, rows.height.into(), many);
    let shown = view.versions().iter().rev().enumerate().skip(view.top);
    for ((n, version), line) in shown.zip(rows.rows()) {
        let left = Line::from(when(app, version));
        let bytes = Line::from(Span::styled(size(version.bytes), theme.dim));
        row(line, buf, left, &bytes);
        if n == at {
            buf.set_style(line, theme.selected);
        }
    }
    file_text(page, buf, app, view);
}

/// What the version at hand changed.
fn file_text(area: Rect, buf: &mut Buffer, app: &App, view: &mut FileView) {
    let theme = &app.settings.theme;
    let sheet = Paged::of(area, Stand::InOne);
    let (head, body) = split(sheet.area, 2);
    if !view.paper.is_here {
        let why = match view.wrong() {
            Some(why) => why.to_owned(),
            None => "The version is being read…".to_owned(),
        };
        return empty(body, buf, theme, &[why]);
    }
    if let Some(line) = head.rows().next() {
        let (at, many) = (view.at() + 1, view.versions().len());
        let (left, right) = told(&view.paper, theme, &format!("{at} of {many}"));
        row(line, buf, left, &right);
    }
    if view.paper.both.comparison.pairs.is_empty() {
        let text = match view.version() {
            Some(version) if version.gone => "The file was not there.",
            _ => "This version is empty.",
        };
        return empty(body, buf, theme, &[text.to_owned()]);
    }
    let at = view.paper.at;
    sheet.draw(body, buf, theme, &mut view.paper, &(at..=at), |_| None);
}

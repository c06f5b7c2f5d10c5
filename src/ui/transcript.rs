//! One open session's words: a viewport of its own, which lays out only what it shows.
//!
//! `told` keeps what was told, `page` the rows of each item at the present width, `view` where the screen is
//! on that page. Heights are never summed over all items, so a long history costs what is on screen.

mod cell;
mod flow;
mod page;
mod paper;
mod peek;
mod point;
mod row;
mod select;
mod sought;
mod summary;
mod times;
mod told;
mod view;
mod written;

use jiff::tz::TimeZone;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::page::{Doc, Page, Place};
use self::paper::Paper;
pub use self::point::Point;
use self::summary::Telling;
pub(super) use self::times::clock;
use self::told::Told;
use self::view::View;
pub use self::written::Writing;
use self::written::Written;
use super::links::Links;
use super::theme::Theme;
use crate::domain::body::{Item, Part};
use crate::domain::{Event, Head, Seq, Text, TurnNo};
use crate::text::find::Query;

/// Cells of the widest column of text.
const COLUMN_MAX: u16 = 76;
/// Panes narrower than this have no margin.
const MARGIN_FROM: u16 = 24;
/// Items from the first on at which older ones are asked for.
const NEAR_TOP: usize = 4;

/// What drawing needs to know beside the words.
#[derive(Clone, Debug)]
pub struct Cx<'a> {
    /// Styles.
    pub theme: &'a Theme,
    /// Where addresses get their marks.
    pub links: &'a Links,
    /// Now, milliseconds since 1970.
    pub now_ms: i64,
    /// Where the writer is.
    pub zone: TimeZone,
    /// Whether a host runs the open turn.
    pub live: bool,
    /// Words to be marked wherever they stand.
    pub sought: Option<&'a Query>,
}

/// A way through the transcript.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// Rows down, or up when negative.
    Row(i32),
    /// Panes down, or up when negative.
    Page(i32),
    /// To the oldest word there is.
    Top,
    /// To the newest, and stay there.
    End,
    /// Messages on, or back when negative.
    Message(i32),
}

/// The message at the reading place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selected {
    /// Its first event (`Item::seq`).
    pub seq: Seq,
    /// Its turn.
    pub turn: TurnNo,
    /// Its source text.
    pub text: String,
    /// Name of the blob with the whole text, when `text` is only its beginning.
    pub blob: Option<String>,
    /// Whether the agent said it.
    pub is_reply: bool,
}

/// One open session.
#[derive(Debug)]
pub struct Transcript {
    told: Told,
    page: Page,
    view: View,
    /// The newest event when the end was last on screen.
    shown: Option<Seq>,
    selection: Option<select::Selection>,
    /// What an agent writes into the draft.
    written: Written,
    /// The column that was drawn last.
    column: Rect,
    /// Whether the page moves a quarter of the pane at a time while words stream at its end; else row by row.
    pub smooth: bool,
    /// Words that were looked for in everything, marked until the writer has seen enough of it.
    pub sought: Option<Query>,
}

impl Default for Transcript {
    fn default() -> Self {
        Self::new()
    }
}

impl Transcript {
    /// Nothing opened yet.
    pub fn new() -> Self {
        Self {
            told: Told::default(),
            page: Page::default(),
            view: View::default(),
            shown: None,
            selection: None,
            written: Written::default(),
            column: Rect::default(),
            smooth: true,
            sought: None,
        }
    }

    /// Begins anew with a session's head; `more` says whether events exist before those to come.
    pub fn opened(&mut self, head: Head, more: bool) {
        self.told = Told::new(head, more);
        self.page.clear();
        self.view = View::default();
        self.shown = None;
        self.selection = None;
        self.written = Written::default();
    }

    /// Takes a head in the place of one that was made from the ends of a long log.
    pub fn set_head(&mut self, head: Head) {
        self.told.session.head = head;
    }

    /// Takes in an event. One that was told before is ignored.
    pub fn apply(&mut self, event: &Event) {
        if let Some(dirty) = self.told.apply(event) {
            self.page.touch(dirty, self.told.items().len());
        }
    }

    /// History is told; what follows happens now.
    pub fn live(&mut self) {
        self.told.live = true;
    }

    /// Takes in a page of events before the loaded ones; what is on screen stays where it is.
    pub fn older(&mut self, events: &[Event], more: bool) {
        let drawn = self.page.cols > 0;
        let height = |transcript: &mut Self, item| {
            if drawn {
                transcript.doc().height(item)
            } else {
                0
            }
        };
        let mut top = self.view.top;
        if drawn {
            top = self.doc().down(top, 0);
        }
        let before = height(self, top.item);
        let joined = self.told.older(events, more);
        self.page.join(joined.old, joined.new);
        // Items are counted from the end: those at the front were read anew.
        let moved = |item: usize| (item + joined.new).saturating_sub(joined.old);
        let item = moved(top.item);
        let row = (top.row + height(self, item)).saturating_sub(before);
        self.view.top = Place { item, row };
        if let Some(left) = &mut self.view.left {
            left.item = moved(left.item);
        }
    }

    /// The first loaded event when older ones exist and are wanted: the view is near the top, or reading is to go on at
    /// one of them. Told once for each page.
    pub fn wants_older(&self, back_to: Option<Seq>) -> Option<Seq> {
        let near = self.view.top.item < NEAR_TOP || back_to.is_some_and(|seq| !self.reaches(seq));
        let wants = self.told.live && near;
        wants.then(|| self.told.ask_older()).flatten()
    }

    /// Whether an event is loaded, if there is one of that number.
    pub fn reaches(&self, seq: Seq) -> bool {
        self.told.reaches(seq)
    }

    /// The session without its words.
    pub fn head(&self) -> &Head {
        &self.told.session.head
    }

    /// The newest event told.
    pub fn last_seq(&self) -> Option<Seq> {
        self.told.last
    }

    /// Moves the view.
    pub fn scroll(&mut self, to: Move) {
        let (mut doc, view) = self.parts();
        view.scroll(&mut doc, to);
    }

    /// Whether the end is on screen, so that new words are followed.
    pub fn at_end(&self) -> bool {
        self.view.follow
    }

    /// Rows that came below since the view left the end; 999 stands for that many and more.
    pub fn new_below(&self) -> u32 {
        u32::try_from(self.view.below).unwrap_or(u32::MAX)
    }

    /// The message at the reading place: the one last gone to, else the newest while the end is on
    /// screen, else the one at the top of the screen.
    pub fn selected_message(&self) -> Option<Selected> {
        let items = self.told.items();
        let item = items.get(self.view.reading(items)?)?;
        let (turn, text, is_reply) = match item {
            Item::Prompt { turn, text, .. } => (*turn, text, false),
            Item::Part {
                turn,
                part: Part::Words { text, .. },
                ..
            } => (*turn, text, true),
            _ => return None,
        };
        Some(Selected {
            seq: item.seq(),
            turn,
            text: text.shown().to_owned(),
            blob: match text {
                Text::Blob { blob, .. } => Some(blob.clone()),
                Text::Inline(_) => None,
            },
            is_reply,
        })
    }

    /// Folds or unfolds the tool call or the thinking at the reading place.
    pub fn toggle_fold(&mut self) {
        let (mut doc, view) = self.parts();
        let Some(item) = view.foldable(&mut doc) else {
            return;
        };
        view.leave(&mut doc);
        if let Some(item) = doc.items.get(item) {
            doc.page.toggle(item.seq());
        }
    }

    /// Nobody looks at it for a while.
    pub fn rest(&mut self) {
        self.page.rest();
    }

    /// Bytes of the words it holds, about.
    pub fn weight(&self) -> usize {
        self.told.weight
    }

    /// The newest event, when all up to it was on screen at the last drawing.
    pub fn shown_upto(&self) -> Option<Seq> {
        self.shown
    }

    /// Draws the visible rows.
    pub fn draw(&mut self, area: Rect, buf: &mut Buffer, cx: &Cx<'_>) {
        let area = area.intersection(buf.area);
        if area.is_empty() {
            return;
        }
        let column = column(area);
        if self.told.items().is_empty() {
            if self.told.live {
                draw_empty(column, buf, cx);
            }
            return;
        }
        let step = if self.smooth && self.is_streaming(cx) {
            usize::from(column.height) / 4
        } else {
            0
        };
        self.fit(column, step);
        let (mut doc, view) = self.parts();
        view.settle(&mut doc, step);
        self.draw_rows(&mut Paper::new(area, column, buf), cx);
        self.draw_selection(column, buf, cx.theme);
        self.page.spare(self.view.top, self.view.rows);
        self.shown = if self.view.end_seen {
            self.told.last
        } else {
            None
        };
    }

    fn draw_rows(&mut self, paper: &mut Paper<'_>, cx: &Cx<'_>) {
        let here = self.view.marked(self.told.items());
        let streams = self.is_streaming(cx) && self.view.end_seen;
        let session = &self.told.session;
        let telling = Telling {
            cx,
            head: &session.head,
            times: &self.told.times,
            cols: self.page.cols,
        };
        let mut doc = Doc::new(session, &mut self.page);
        paper.rows(&mut doc, &telling, self.view.top, here);
        if streams {
            paper.caret(&doc, &telling);
        }
    }

    fn is_streaming(&self, cx: &Cx<'_>) -> bool {
        cx.live && self.told.live && self.head().is_open()
    }

    /// Takes a column's size; at another width the first row stays at the same part of its item. A page that moves by
    /// `step` rows has room at its foot, which is not filled up for
    /// that, but where it is drawn for the first time.
    fn fit(&mut self, column: Rect, step: usize) {
        let cols = usize::from(column.width);
        let tall = usize::from(column.height);
        if self.page.cols != cols {
            self.selection = None;
        }
        self.column = column;
        let (mut doc, view) = self.parts();
        let shrunk = std::mem::replace(&mut view.rows, tall) > tall;
        let is_first = doc.page.cols == 0;
        if doc.page.cols != cols {
            view.resize(&mut doc, cols);
            if view.follow && (is_first || step == 0) {
                view.top = doc.up(doc.end(), tall);
            }
        } else if shrunk && view.follow {
            view.top = view.top.max(doc.up(doc.end(), tall));
        }
    }

    fn doc(&mut self) -> Doc<'_> {
        self.parts().0
    }

    fn parts(&mut self) -> (Doc<'_>, &mut View) {
        let doc = Doc::new(&self.told.session, &mut self.page);
        (doc, &mut self.view)
    }
}

/// The column of text in a pane, in which everything of a page stands: as wide as reads well, in the middle.
pub fn column(area: Rect) -> Rect {
    let margin = if area.width < MARGIN_FROM { 0 } else { 2 };
    let width = area.width.saturating_sub(2 * margin).min(COLUMN_MAX);
    Rect {
        x: area.x + (area.width - width) / 2,
        width,
        ..area
    }
}

fn draw_empty(column: Rect, buf: &mut Buffer, cx: &Cx<'_>) {
    let first = column.y + column.height / 3;
    for (y, (text, style)) in (first..column.bottom()).zip(summary::empty(cx.theme)) {
        buf.set_stringn(column.x, y, text, usize::from(column.width), style);
    }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        clippy::cast_possible_wrap,
        reason = "test"
    )]
    use proptest::prelude::*;
    use ratatui::style::Modifier;

    use super::*;
    use crate::domain::event::Abandoned;
    use crate::domain::event::{Answer, By, Kind, Status};
    use crate::ui::theme::Look;

    /// 2026-11-29, 14:02 UTC.
    const NOW: i64 = 1_795_960_920_000;

    /// A transcript and the screen it is drawn on.
    struct Stage {
        transcript: Transcript,
        theme: Theme,
        links: Links,
        next: Seq,
        now: i64,
        live: bool,
    }

    impl Stage {
        fn new() -> Self {
            let mut transcript = Transcript::new();
            transcript.opened(Head::default(), false);
            transcript.live();
            Self {
                transcript,
                theme: Theme::new(Look::default()),
                links: Links::default(),
                next: 0,
                now: NOW,
                live: true,
            }
        }

        fn told(kinds: Vec<Kind>) -> Self {
            let mut stage = Self::new();
            for kind in kinds {
                stage.tell(kind);
            }
            stage
        }

        fn tell(&mut self, kind: Kind) {
            let (seq, ts) = (self.next, self.now);
            self.next += 1;
            self.transcript.apply(&Event { seq, ts, kind });
        }

        fn buffer(&mut self, width: u16, height: u16) -> Buffer {
            let mut buf = Buffer::empty(Rect::new(0, 0, width, height));
            let cx = Cx {
                theme: &self.theme,
                links: &self.links,
                now_ms: self.now,
                zone: TimeZone::UTC,
                live: self.live,
                sought: None,
            };
            self.transcript.draw(buf.area, &mut buf, &cx);
            buf
        }

        fn screen(&mut self, width: u16, height: u16) -> Vec<String> {
            shown(&self.buffer(width, height))
        }
    }

    fn shown(buf: &Buffer) -> Vec<String> {
        let width = usize::from(buf.area.width).max(1);
        buf.content
            .chunks(width)
            .map(|row| {
                let mut skip = 0;
                let mut line = String::new();
                for cell in row {
                    if skip == 0 {
                        line.push_str(cell.symbol());
                        skip = crate::text::width(cell.symbol());
                    }
                    skip = skip.saturating_sub(1);
                }
                line.trim_end().to_owned()
            })
            .collect()
    }

    fn prompt(turn: TurnNo, text: &str) -> Kind {
        Kind::Prompt {
            turn,
            text: text.into(),
            queued: None,
        }
    }

    fn started(turn: TurnNo) -> Kind {
        Kind::TurnStarted {
            turn,
            agent: "claude".into(),
            agent_session: None,
            model: None,
            resume: false,
        }
    }

    fn delta(turn: TurnNo, text: &str) -> Kind {
        Kind::Delta {
            turn,
            block: 1,
            text: text.into(),
        }
    }

    fn finished(turn: TurnNo, status: Status, reason: Option<&str>) -> Kind {
        Kind::TurnFinished {
            turn,
            status,
            reason: reason.map(str::to_owned),
            events: 0,
            crc32: String::new(),
        }
    }

    fn tool(turn: TurnNo, name: &str, json: &str) -> Kind {
        Kind::ToolDelta {
            turn,
            call: "c".into(),
            name: name.into(),
            text: json.into(),
        }
    }

    fn ran(turn: TurnNo, name: &str, json: &str) -> Kind {
        Kind::ToolStarted {
            turn,
            call: "c".into(),
            name: name.into(),
            input: json.into(),
        }
    }

    fn ended(turn: TurnNo, ok: bool, output: &str) -> Kind {
        Kind::ToolFinished {
            turn,
            call: "c".into(),
            ok,
            ms: 41,
            output: output.into(),
        }
    }

    /// A history of whole turns.
    fn history(turns: TurnNo) -> Vec<Kind> {
        (1..=turns)
            .flat_map(|t| {
                [
                    prompt(t, &format!("Prompt {t}.")),
                    started(t),
                    delta(
                        t,
                        &format!("Reply {t}, first line.\n\nReply {t}, last line."),
                    ),
                    finished(t, Status::Ok, None),
                ]
            })
            .collect()
    }

    #[test]
    fn a_turn_reads_as_a_page() {
        let mut stage = Stage::told(vec![
            prompt(1, "The second paragraph is too flat.\nFix it."),
            started(1),
        ]);
        stage.now += 8_000;
        stage.tell(delta(
            1,
            "Rewriting it around the *lost* afternoon.\n\n- one\n- two",
        ));
        stage.tell(finished(1, Status::Ok, None));
        assert_eq!(
            stage.screen(60, 10),
            [
                "  You · 14:02",
                "    The second paragraph is too flat.",
                "    Fix it.",
                "",
                "  claude · 14:02 · 8 s",
                "  Rewriting it around the lost afternoon.",
                "",
                "  • one",
                "  • two",
                "",
            ]
        );
    }

    #[test]
    fn the_column_is_in_the_middle_and_no_wider_than_reads_well() {
        let mut stage = Stage::told(vec![prompt(1, &"word ".repeat(40))]);
        for width in [20, 40, 76, 80, 120, 200] {
            let cols = usize::from(width);
            let rows = stage.screen(width, 40);
            let left = rows[0].find('Y').unwrap();
            let widest = rows.iter().map(|r| crate::text::width(r)).max().unwrap();
            assert!(widest <= cols && widest - left <= 76, "{width}: {rows:?}");
            assert_eq!(
                left,
                (cols - cols.saturating_sub(if cols < 24 { 0 } else { 4 }).min(76)) / 2
            );
        }
    }

    #[test]
    fn words_look_like_what_they_are() {
        let mut stage = Stage::told(vec![
            prompt(1, "Go."),
            started(1),
            delta(
                1,
                "# Head\n\n*em* **strong** ~~gone~~ `code`\n\n> said\n\n[a](http://b)",
            ),
        ]);
        let buf = stage.buffer(60, 20);
        let rows = shown(&buf);
        let has = |text: &str, modifier: Modifier| {
            let y = rows.iter().position(|r| r.contains(text)).unwrap();
            let x = rows[y].split(text).next().unwrap().chars().count();
            let at = (u16::try_from(x).unwrap(), u16::try_from(y).unwrap());
            assert!(buf[at].modifier.contains(modifier), "{text}");
        };
        has("Head", Modifier::BOLD);
        has("em", Modifier::ITALIC);
        has("strong", Modifier::BOLD);
        has("gone", Modifier::CROSSED_OUT);
        has("said", Modifier::ITALIC);
        has("a (http://b)", Modifier::UNDERLINED);
        assert!(rows.iter().any(|r| r.ends_with("▎ said")), "{rows:?}");
    }

    #[test]
    fn a_caret_stands_where_more_will_come() {
        let mut stage = Stage::told(vec![prompt(1, "Go."), started(1)]);
        assert_eq!(
            stage.screen(40, 6)[..5],
            [
                "  You · 14:02",
                "    Go.",
                "",
                "  claude · 14:02 · 1 s",
                "  ▍"
            ]
        );
        stage.tell(delta(1, "The mor"));
        assert_eq!(stage.screen(40, 6)[4], "  The mor▍");
        stage.live = false;
        assert_eq!(stage.screen(40, 6)[4], "  The mor");
    }

    #[test]
    fn a_write_to_the_draft_streams_and_then_folds() {
        let mut stage = Stage::told(vec![prompt(1, "Go."), started(1)]);
        stage.tell(tool(1, "write_draft", r#"{"base_version":0,"te"#));
        stage.tell(tool(1, "write_draft", r#"xt":"The window\ncl"#));
        assert_eq!(
            stage.screen(40, 9)[3..7],
            [
                "  claude · 14:02 · 1 s",
                "  ✎ writing the draft",
                "    │ The window",
                "    │ cl▍"
            ]
        );
        stage.tell(ran(
            1,
            "write_draft",
            r#"{"base_version":0,"text":"The window\nclosed."}"#,
        ));
        assert_eq!(stage.screen(40, 9)[6], "    │ closed.▍");
        stage.tell(Kind::DraftSaved {
            turn: Some(1),
            sha256: String::new(),
            bytes: 1,
            words: 1,
            by: By::Agent("claude".into()),
            base: None,
            added: 42,
            removed: 31,
            beside: None,
            from: None,
            rest: false,
        });
        stage.tell(ended(1, true, "saved"));
        assert_eq!(
            stage.screen(40, 9)[4..],
            ["  ✎ draft +42 −31 words", "", "", "", ""]
        );
        stage.transcript.toggle_fold();
        assert_eq!(stage.screen(40, 9)[5], "    │ The window");
    }

    #[test]
    fn a_refused_write_says_why() {
        let mut stage = Stage::told(vec![
            prompt(1, "Go."),
            started(1),
            ran(1, "edit_draft", r#"{"old":"a","new":"b"}"#),
            ended(1, false, "The draft is newer."),
        ]);
        assert_eq!(
            stage.screen(60, 9)[4],
            "  ✎ draft not changed: The draft is newer."
        );
    }

    #[test]
    fn of_a_write_where_both_changed_a_paragraph_the_line_says_what_went_in_and_what_waits() {
        for (words, line) in [
            ((3, 1), "  ✎ draft +3 −1 words; the rest waits beside it"),
            ((0, 0), "  ✎ draft as it was; its words wait beside it"),
        ] {
            let mut stage = Stage::told(vec![
                prompt(1, "Go."),
                started(1),
                ran(1, "write_draft", r#"{"text":"a"}"#),
            ]);
            for (beside, (added, removed)) in [(None, (40, 20)), (Some(3), words)] {
                stage.tell(Kind::DraftSaved {
                    turn: Some(1),
                    sha256: String::new(),
                    bytes: 1,
                    words: 1,
                    by: By::Agent("claude".into()),
                    base: None,
                    added,
                    removed,
                    beside,
                    from: None,
                    rest: false,
                });
            }
            stage.tell(ended(
                1,
                false,
                "The writer has changed the same paragraphs.",
            ));
            assert_eq!(stage.screen(76, 12)[4], line);
        }
    }

    #[test]
    fn calls_and_thoughts_fold_to_a_line() {
        let mut stage = Stage::told(vec![prompt(1, "Go."), started(1)]);
        let think = |text: &str| Kind::Thinking {
            turn: 1,
            block: 0,
            text: text.into(),
        };
        stage.tell(think("Hm, "));
        assert_eq!(stage.screen(60, 9)[4], "  ▸ thinking");
        stage.now += 4_200;
        stage.tell(think("yes."));
        stage.tell(ran(1, "WebSearch", r#"{"n":1,"query":"lamps\nin ports"}"#));
        assert_eq!(
            stage.screen(60, 9)[4..6],
            [
                "  ▸ thought for 4 s",
                "  ▸ WebSearch \"lamps⏎in ports\" · running"
            ]
        );
        stage.tell(ended(1, true, "Many lamps."));
        assert_eq!(
            stage.screen(60, 9)[5],
            "  ▸ WebSearch \"lamps⏎in ports\" · 41 ms"
        );
        stage.transcript.toggle_fold();
        let rows = stage.screen(60, 12);
        assert_eq!(rows[5], "  ▾ WebSearch \"lamps⏎in ports\" · 41 ms");
        assert!(rows.iter().any(|r| r == "      Many lamps."), "{rows:?}");
    }

    #[test]
    fn a_call_of_ours_says_what_it_is_about_and_more_of_why_it_failed() {
        let mut stage = Stage::told(vec![prompt(1, "Go."), started(1)]);
        let asked = r#"{"what":"name","reason":"It comes back.","text":"Ilse is nine."}"#;
        stage.tell(ran(1, "propose_memory", asked));
        assert_eq!(
            stage.screen(60, 9)[4],
            "  ▸ propose_memory \"Ilse is nine.\" · running"
        );
        stage.tell(ended(
            1,
            false,
            "Refused by the writer before: it stays so.",
        ));
        assert_eq!(
            stage.screen(60, 9)[4],
            "  ▸ propose_memory \"Ilse is n…\" · failed: Refused by the …"
        );
        stage.tell(Kind::ToolStarted {
            turn: 1,
            call: "d".into(),
            name: "read_piece".into(),
            input: r#"{"part":2,"piece":"04 Memory"}"#.into(),
        });
        assert_eq!(
            stage.screen(60, 9)[5],
            "  ▸ read_piece \"04 Memory\" · running"
        );
    }

    #[test]
    fn a_question_shows_its_answers_and_then_what_was_answered() {
        let mut stage = Stage::told(vec![prompt(1, "Go."), started(1)]);
        stage.tell(Kind::Asked {
            turn: 1,
            call: "c".into(),
            what: "Search the web for \"lamps\"".into(),
            input: "{}".into(),
        });
        assert_eq!(
            stage.screen(70, 9)[4..6],
            ["  ! needs you", "    Search the web for \"lamps\"",]
        );
        stage.tell(Kind::Answered {
            turn: 1,
            call: "c".into(),
            answer: Answer::Deny,
        });
        assert_eq!(
            stage.screen(70, 9)[4..6],
            ["  ? refused · Search the web for \"lamps\"", ""]
        );
    }

    #[test]
    fn ends_are_told_when_something_went_wrong_or_nothing_came() {
        let mut stage = Stage::new();
        for (turn, status, reason, line) in [
            (
                1,
                Status::Ok,
                None,
                "  · The agent ended its turn without a word.",
            ),
            (
                2,
                Status::Interrupted,
                Some("you stopped it"),
                "  ■ interrupted: you stopped it",
            ),
            (
                3,
                Status::Failed,
                Some("no server"),
                "  ✗ failed: no server",
            ),
            (
                4,
                Status::Lost,
                Some("the host died"),
                "  ◌ lost: the host died",
            ),
        ] {
            stage.tell(prompt(turn, "Go."));
            stage.tell(finished(turn, status, reason));
            let rows = stage.screen(60, 30);
            let last = rows.iter().rposition(|r| !r.is_empty()).unwrap();
            assert_eq!(rows[last], line);
        }
    }

    #[test]
    fn notes_unknown_events_and_cut_texts_are_seen() {
        let mut stage = Stage::told(vec![
            Kind::Note {
                turn: None,
                text: "Something to know.".into(),
            },
            Kind::Unknown {
                name: "sung".into(),
            },
            Kind::Prompt {
                turn: 1,
                text: Text::Blob {
                    blob: "sha256:0".into(),
                    len: 10 << 20,
                    head: "It was".into(),
                },
                queued: None,
            },
        ]);
        assert_eq!(
            stage.screen(70, 7),
            [
                "  · Something to know.",
                "  · sung: written by a later version; kept in the log.",
                "",
                "  You · 14:02",
                "    It was",
                "    … 10 MiB in all",
                "",
            ]
        );
    }

    #[test]
    fn an_empty_session_says_what_to_do() {
        let rows = Stage::new().screen(60, 9).join("\n");
        assert!(rows.contains("Enter, then say what to write."), "{rows}");
    }

    #[test]
    fn the_view_stays_put_while_words_stream_below() {
        let mut stage = Stage::told(history(30));
        stage.tell(prompt(31, "Go on."));
        stage.tell(started(31));
        stage.screen(60, 12);
        assert!(stage.transcript.at_end());
        stage.transcript.scroll(Move::Page(-3));
        let before = stage.screen(60, 12);
        assert!(!stage.transcript.at_end());
        for n in 0..200 {
            stage.tell(delta(31, &format!("word {n}. ")));
            if n % 20 == 0 {
                assert_eq!(stage.screen(60, 12), before);
            }
        }
        assert_eq!(stage.screen(60, 12), before);
        assert!(stage.transcript.new_below() > 20);
        assert_eq!(stage.transcript.shown_upto(), None);
        stage.transcript.scroll(Move::End);
        stage.screen(60, 12);
        assert_eq!(stage.transcript.new_below(), 0);
        assert_eq!(stage.transcript.shown_upto(), stage.transcript.last_seq());
    }

    #[test]
    fn at_the_end_the_page_moves_by_a_quarter_so_that_lines_stand_still() {
        let mut stage = Stage::told(history(10));
        stage.tell(prompt(11, "Go on."));
        stage.tell(started(11));
        let mut moves = 0;
        let mut top = stage.screen(40, 16)[0..4].to_vec();
        for n in 0..60 {
            stage.tell(delta(11, &format!("Line {n}.\n\n")));
            let rows = stage.screen(40, 16);
            assert!(
                rows.iter().any(|r| r.contains(&format!("Line {n}."))),
                "{rows:?}"
            );
            if rows[0..4] != top {
                moves += 1;
                top = rows[0..4].to_vec();
            }
        }
        assert!((20..=40).contains(&moves), "{moves} moves for 120 rows");
    }

    #[test]
    fn messages_can_be_walked_and_taken() {
        let mut stage = Stage::told(history(10));
        stage.screen(60, 12);
        let selected = |stage: &Stage| stage.transcript.selected_message().unwrap();
        assert_eq!(
            selected(&stage).text,
            "Reply 10, first line.\n\nReply 10, last line."
        );
        assert!(selected(&stage).is_reply);
        stage.transcript.scroll(Move::Message(-1));
        assert_eq!(selected(&stage).text, "Prompt 10.");
        stage.transcript.scroll(Move::Message(-3));
        let taken = selected(&stage);
        assert_eq!(
            (taken.text.as_str(), taken.turn, taken.is_reply),
            ("Reply 8, first line.\n\nReply 8, last line.", 8, true)
        );
        let rows = stage.screen(60, 12);
        assert_eq!(rows[0], "▎ claude · 14:02 · 1 s");
        stage.transcript.scroll(Move::Message(1));
        assert_eq!(selected(&stage).text, "Prompt 9.");
        stage.transcript.scroll(Move::Row(-1));
        stage.transcript.scroll(Move::Message(100));
        stage.screen(60, 12);
        assert!(stage.transcript.at_end());
        stage.transcript.scroll(Move::Top);
        assert_eq!(stage.screen(60, 12)[1], "▎   Prompt 1.");
    }

    #[test]
    fn a_reply_is_gone_to_with_the_row_that_says_who_speaks() {
        let mut kinds = vec![prompt(1, "Go."), started(1)];
        kinds.push(Kind::Thinking {
            turn: 1,
            block: 0,
            text: "Hm.".into(),
        });
        kinds.push(delta(1, &"Some words of the reply.\n\n".repeat(20)));
        let mut stage = Stage::told(kinds);
        stage.screen(60, 12);
        stage.transcript.scroll(Move::Top);
        stage.screen(60, 12);
        stage.transcript.scroll(Move::Message(1));
        let rows = stage.screen(60, 12);
        assert!(rows[0].starts_with("  claude · "), "{rows:?}");
        assert!(rows[1].starts_with("  ▸ thought"), "{rows:?}");
        assert!(
            rows.contains(&"▎ Some words of the reply.".to_owned()),
            "{rows:?}"
        );
        stage.transcript.scroll(Move::Message(-1));
        let here = stage.transcript.selected_message().unwrap();
        assert_eq!(here.text, "Go.");
    }

    #[test]
    fn rows_hang_below_their_marker() {
        let mut stage = Stage::told(vec![
            prompt(1, "Go."),
            started(1),
            delta(
                1,
                "1. The first of the points\n   - and one below it\n\n> A quoted sentence of some length.\n\n```\nlet x = 1;\n```",
            ),
        ]);
        stage.live = false;
        assert_eq!(
            stage.screen(20, 14)[4..],
            [
                "1. The first of the",
                "   points",
                "   ◦ and one below",
                "     it",
                "",
                "▎ A quoted sentence",
                "▎ of some length.",
                "",
                "  let x = 1;",
                "",
            ]
        );
    }

    #[test]
    fn another_width_keeps_the_message_that_is_read() {
        let mut stage = Stage::told(
            (1..40)
                .map(|t| prompt(t, &format!("Prompt {t}. {}", "word ".repeat(60))))
                .collect(),
        );
        stage.screen(76, 20);
        stage.transcript.scroll(Move::Message(-12));
        let read = stage.transcript.selected_message().unwrap().turn;
        for rows_on in [0, 2] {
            stage.transcript.scroll(Move::Row(rows_on));
            for width in [30, 120, 9, 1, 76] {
                stage.screen(width, 20);
                assert_eq!(stage.transcript.selected_message().unwrap().turn, read);
            }
            assert_eq!(stage.screen(76, 20)[0].contains("You"), rows_on == 0);
        }
    }

    #[test]
    fn another_width_and_back_shows_the_same_first_line() {
        let mut stage = Stage::told(
            (1..8)
                .flat_map(|t| {
                    let words: Vec<String> = (0..90).map(|n| format!("w{t}x{n}")).collect();
                    let text = format!("# Head {t}\n\n{}\n\n- one\n- two\n", words.join(" "));
                    [
                        prompt(t, &format!("Prompt {t}.")),
                        started(t),
                        delta(t, &text),
                        finished(t, Status::Ok, None),
                    ]
                })
                .collect(),
        );
        stage.screen(76, 20);
        stage.transcript.scroll(Move::Top);
        for down in 0..90 {
            let before = stage.screen(76, 20);
            for widths in [&[60][..], &[40, 61], &[100, 33, 50, 9, 28]] {
                for width in widths {
                    stage.screen(*width, 20);
                }
                assert_eq!(stage.screen(76, 20)[0], before[0], "{down} rows down");
            }
            stage.transcript.scroll(Move::Row(1));
        }
    }

    #[test]
    fn a_page_that_streams_keeps_its_first_line_at_another_width() {
        let mut stage = Stage::told(history(10));
        stage.tell(prompt(11, "Go on."));
        stage.tell(started(11));
        for n in 0..60 {
            stage.tell(delta(11, &format!("Line {n}.\n\n")));
            let before = stage.screen(76, 20);
            for width in [60, 44, 76] {
                assert_eq!(stage.screen(width, 20)[0].trim(), before[0].trim());
            }
        }
    }

    #[test]
    fn the_page_can_move_row_by_row() {
        let mut stage = Stage::told(history(10));
        stage.transcript.smooth = false;
        stage.tell(prompt(11, "Go on."));
        stage.tell(started(11));
        for n in 0..30 {
            stage.tell(delta(11, &format!("Line {n}.\n\n")));
            let rows = stage.screen(40, 16);
            assert!(rows[15].contains(&format!("Line {n}.")), "{rows:?}");
        }
    }

    #[test]
    fn older_pages_come_in_above_without_moving_a_line() {
        let events: Vec<Event> = history(40)
            .into_iter()
            .enumerate()
            .map(|(i, kind)| Event {
                seq: i as u64,
                ts: NOW,
                kind,
            })
            .collect();
        let head = crate::domain::session::replay(&events).head;
        let mut stage = Stage::new();
        stage.transcript.opened(head, true);
        events[130..].iter().for_each(|e| stage.transcript.apply(e));
        stage.screen(60, 12);
        stage.transcript.live();
        stage.transcript.scroll(Move::Top);
        stage.transcript.scroll(Move::Row(1));
        let mut from = 130_usize;
        while let Some(before) = stage.transcript.wants_older(None) {
            assert_eq!(before, from as u64);
            let rows = stage.screen(60, 12);
            let next = from.saturating_sub(37);
            stage.transcript.older(&events[next..from], next > 0);
            from = next;
            assert_eq!(stage.screen(60, 12)[3..], rows[3..]);
            stage.transcript.scroll(Move::Top);
        }
        assert_eq!(from, 0);
        assert_eq!(stage.screen(60, 12)[1], "▎   Prompt 1.");
    }

    #[test]
    fn no_byte_of_an_agents_sequences_is_drawn() {
        let scenario: serde_json::Value =
            serde_json::from_str(include_str!("../../tests/fixtures/escapes.json")).unwrap();
        let mut stage = Stage::told(vec![prompt(1, "Go."), started(1)]);
        for step in scenario["steps"].as_array().unwrap() {
            if let Some(text) = step.pointer("/json/event/delta/text") {
                stage.tell(delta(1, text.as_str().unwrap()));
                let buf = stage.buffer(80, 60);
                assert!(
                    buf.content
                        .iter()
                        .all(|c| !c.symbol().contains(char::is_control))
                );
            }
        }
        let rows = stage.screen(80, 60);
        let text = rows.join("\n");
        assert_eq!(text.matches("after").count(), 13, "{text}");
        assert!(
            text.contains("LAST LINE VISIBLE") && text.contains("clip ␛]52;c;"),
            "{text}"
        );
        assert!(
            text.contains("cr over␍written, bs ␈␈, bel ␇, del ␡"),
            "{text}"
        );
    }

    #[test]
    fn a_draft_in_many_scripts_has_straight_edges_at_every_width() {
        let text = include_str!("../../tests/fixtures/mixed-script.md");
        let mut stage = Stage::told(vec![prompt(1, text), started(1), delta(1, text)]);
        for width in 20..=120 {
            let buf = stage.buffer(width, 80);
            let column = column(buf.area);
            for y in 0..80 {
                let mut x = 0;
                while x < width {
                    let cells = crate::text::width(buf[(x, y)].symbol()).max(1);
                    let next = x + u16::try_from(cells).unwrap();
                    let used = buf[(x, y)].symbol() != " ";
                    assert!(
                        !used || x >= column.x && next <= column.right() + 1,
                        "{width}: {x},{y}"
                    );
                    x = next;
                }
                assert_eq!(x, width, "row {y} is {x} wide");
            }
        }
    }

    #[test]
    fn a_long_stream_lays_out_only_its_tail() {
        let mut stage = Stage::told(history(2_000));
        stage.tell(prompt(2_001, "Go on."));
        stage.tell(started(2_001));
        for n in 0..10_000 {
            stage.tell(delta(
                2_001,
                if n % 40 == 39 { "end.\n\n" } else { "words " },
            ));
            if n % 50 == 0 {
                stage.screen(120, 40);
            }
        }
        let rows = stage.screen(120, 40).join("\n");
        assert!(rows.contains("end."), "{rows}");
    }

    fn any_kind() -> impl Strategy<Value = Kind> {
        let words = prop::sample::select(vec![
            "word ",
            "灯台の",
            "\n\n",
            "- a\n",
            "```\n",
            "👩\u{200d}🔬",
            "\x1b[2J",
            "> q\n",
            "{\"text\":\"a\\n",
            "|a|b|\n|-|-|\n",
        ]);
        (0u32..3, 0u32..3, words, 0u8..14).prop_map(|(turn, block, words, kind)| match kind {
            0 => prompt(turn, words),
            1 => started(turn),
            2..=5 => Kind::Delta {
                turn,
                block,
                text: words.into(),
            },
            6 => Kind::Thinking {
                turn,
                block,
                text: words.into(),
            },
            7 => tool(turn, "write_draft", words),
            8 => ran(turn, "write_draft", words),
            9 => ended(turn, block == 0, words),
            10 => Kind::Abandoned(Abandoned {
                turn,
                from: 0,
                to: block,
            }),
            11 => Kind::Asked {
                turn,
                call: "q".into(),
                what: words.into(),
                input: Text::default(),
            },
            12 => Kind::Message {
                turn,
                block,
                text: words.into(),
            },
            _ => finished(turn, Status::Failed, Some(words)),
        })
    }

    fn any_move() -> impl Strategy<Value = Option<Move>> {
        prop_oneof![
            Just(None),
            (-9i32..9).prop_map(|n| Some(Move::Row(n))),
            (-2i32..3).prop_map(|n| Some(Move::Page(n))),
            (-3i32..4).prop_map(|n| Some(Move::Message(n))),
            Just(Some(Move::Top)),
            Just(Some(Move::End)),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn any_events_draw_at_any_size(
            steps in prop::collection::vec((any_kind(), 0u16..90, 0u16..30, any_move(), any::<bool>()), 1..60),
        ) {
            let mut stage = Stage::new();
            for (kind, width, height, to, fold) in steps {
                stage.tell(kind);
                let buf = stage.buffer(width, height);
                prop_assert!(buf.content.iter().all(|c| !c.symbol().contains(char::is_control)));
                if let Some(to) = to {
                    stage.transcript.scroll(to);
                }
                if fold {
                    stage.transcript.toggle_fold();
                }
                drop(stage.transcript.selected_message());
            }
            // Whatever came before, a drawing at the end equals one made from the events at once.
            stage.transcript.scroll(Move::End);
            stage.screen(60, 200);
        }
    }
}

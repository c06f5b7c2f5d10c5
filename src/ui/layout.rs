//! Where the panes lie: pure geometry, safe at any size.

use ratatui::layout::Rect;

use super::focus::Pane;

/// Narrower than this, the drawer takes the list's place while it is in use.
pub const THREE_FROM: u16 = 90;
/// Narrower than this, one pane is shown at a time.
pub const TWO_FROM: u16 = 60;
/// From this on the draft stands beside the page.
pub const BESIDE_FROM: u16 = 140;
/// Smaller than this, there is one short message.
pub const SMALLEST: (u16, u16) = (20, 6);

/// The rectangles of one frame. A pane that is not shown has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// Line at the top that says what happened; empty when there is nothing to say.
    pub banner: Rect,
    /// The drawer of collections.
    pub drawer: Option<Rect>,
    /// The list of sessions.
    pub list: Option<Rect>,
    /// Transcript and composer.
    pub page: Option<Rect>,
    /// The draft, beside the page or in its place.
    pub draft: Option<Rect>,
    /// A view in the place of all panes.
    pub view: Option<Rect>,
    /// The thin rules between panes.
    pub rules: [Option<Rect>; 2],
    /// Status and hints.
    pub status: Rect,
}

/// Rows of the lines at the top and at the bottom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edges {
    /// What happened; 0 when there is nothing to say.
    pub top: u16,
    /// Status and hints.
    pub bottom: u16,
}

/// Whether the page and a draft stand beside each other on a screen.
pub fn has_room_beside(screen: Rect) -> bool {
    screen.width >= BESIDE_FROM
}

/// Divides a screen. None when it is too small to be useful. `stands`: the draft is open, and stands beside the page
/// where there is room.
pub fn divide(screen: Rect, focus: Pane, stands: bool, edges: Edges) -> Option<Layout> {
    if screen.width < SMALLEST.0 || screen.height < SMALLEST.1 {
        return None;
    }
    let most = screen.height / 3;
    let (top, bottom) = (edges.top.min(most), edges.bottom.clamp(1, most));
    let body = Rect {
        y: screen.y + top,
        height: screen.height - top - bottom,
        ..screen
    };
    let mut out = Layout {
        banner: Rect {
            height: top,
            ..screen
        },
        status: Rect {
            y: screen.bottom() - bottom,
            height: bottom,
            ..screen
        },
        ..Layout::default()
    };
    if focus == Pane::View {
        out.view = Some(body);
    } else if has_room_beside(screen) && stands {
        beside(&mut out, body, focus);
    } else if screen.width >= THREE_FROM {
        three(&mut out, body);
        if focus == Pane::Draft {
            out.draft = out.page.take();
        }
    } else if screen.width >= TWO_FROM && focus != Pane::Draft {
        two(&mut out, body, focus);
    } else {
        *slot(&mut out, focus) = Some(body);
    }
    Some(out)
}

fn three(out: &mut Layout, body: Rect) {
    let drawer = (body.width / 6).clamp(20, 28);
    let list = (body.width * 3 / 10).clamp(32, 52);
    let (left, rule, rest) = cut(body, drawer);
    let (middle, second, page) = cut(rest, list);
    out.drawer = Some(left);
    out.list = Some(middle);
    out.page = Some(page);
    out.rules = [Some(rule), Some(second)];
}

fn two(out: &mut Layout, body: Rect, focus: Pane) {
    let (left, rule, page) = cut(body, (body.width * 2 / 5).clamp(24, 34));
    let side = if focus == Pane::Drawer {
        Pane::Drawer
    } else {
        Pane::List
    };
    *slot(out, side) = Some(left);
    out.page = Some(page);
    out.rules = [Some(rule), None];
}

/// The page and the draft share what the list leaves.
fn beside(out: &mut Layout, body: Rect, focus: Pane) {
    let (left, rule, rest) = cut(body, (body.width / 5).clamp(30, 44));
    let (page, second, draft) = cut(rest, (rest.width - 1) / 2);
    let side = if focus == Pane::Drawer {
        Pane::Drawer
    } else {
        Pane::List
    };
    *slot(out, side) = Some(left);
    (out.page, out.draft) = (Some(page), Some(draft));
    out.rules = [Some(rule), Some(second)];
}

fn slot(out: &mut Layout, pane: Pane) -> &mut Option<Rect> {
    match pane {
        Pane::Drawer => &mut out.drawer,
        Pane::List => &mut out.list,
        Pane::Transcript | Pane::Composer => &mut out.page,
        Pane::Draft => &mut out.draft,
        Pane::View => &mut out.view,
    }
}

/// A left part, the rule beside it, and what is left.
fn cut(area: Rect, width: u16) -> (Rect, Rect, Rect) {
    let width = width.min(area.width);
    let rule = u16::from(area.width > width);
    let at = |x: u16, width: u16| Rect {
        x: area.x + x,
        width,
        ..area
    };
    (
        at(0, width),
        at(width, rule),
        at(width + rule, area.width - width - rule),
    )
}

/// Parts of the page, top to bottom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// Title, agent, how much of the model's window is used.
    pub head: Rect,
    /// The words.
    pub text: Rect,
    /// A question, prompts that wait.
    pub strip: Rect,
    /// The rule above the composer.
    pub rule: Rect,
    /// The composer.
    pub composer: Rect,
}

/// Divides the page: the composer gets the rows it asks for up to a third, the strip up to a half of the rest.
pub fn page(area: Rect, composer: u16, strip: u16) -> Page {
    let mut left = area.height;
    let mut take = |rows: u16| {
        let got = rows.min(left);
        left -= got;
        got
    };
    let head = take(2);
    let composer = take(composer.clamp(1, (area.height / 3).max(1)));
    let rule = take(1);
    let strip = take(strip.min(area.height.saturating_sub(head + composer + rule) / 2));
    let text = left;
    let mut y = area.y;
    let mut next = |height: u16| {
        let part = Rect { y, height, ..area };
        y += height;
        part
    };
    Page {
        head: next(head),
        text: next(text),
        strip: next(strip),
        rule: next(rule),
        composer: next(composer),
    }
}

/// A box in the middle of an area, never larger than it.
pub fn middle(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 3,
        width,
        height,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn inside(outer: Rect, inner: Rect) -> bool {
        inner.is_empty() || outer.intersection(inner) == inner
    }

    proptest! {
        #[test]
        fn panes_lie_on_the_screen_and_not_on_each_other(
            (cols, rows) in (0u16..300, 0u16..120),
            (top, bottom) in (0u16..4, 0u16..5),
            (composer, strip, stands) in (0u16..40, 0u16..40, proptest::bool::ANY),
        ) {
            let screen = Rect::new(0, 0, cols, rows);
            for focus in [Pane::Drawer, Pane::List, Pane::Transcript, Pane::Composer, Pane::Draft, Pane::View] {
                let Some(parts) = divide(screen, focus, stands, Edges { top, bottom }) else {
                    prop_assert!(cols < SMALLEST.0 || rows < SMALLEST.1);
                    continue;
                };
                let mut all = vec![parts.banner, parts.status];
                all.extend([parts.drawer, parts.list, parts.page, parts.draft, parts.view].into_iter().flatten());
                all.extend(parts.rules.into_iter().flatten());
                if let Some(at) = parts.page {
                    let page = page(at, composer, strip);
                    all.retain(|a| *a != at);
                    all.extend([page.head, page.text, page.strip, page.rule, page.composer]);
                }
                let cells: u32 = all.iter().map(|a| a.area()).sum();
                prop_assert_eq!(cells, screen.area());
                for a in &all {
                    prop_assert!(inside(screen, *a), "{:?}", a);
                }
            }
        }
    }
}

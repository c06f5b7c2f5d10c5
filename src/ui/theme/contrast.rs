//! How well letters stand out from a page (WCAG 2, relative luminance), and what terminals show for a number.

/// The least that can be read: WCAG's AA for text.
pub const LEAST: f64 = 4.5;

/// A colour: red, green, blue.
pub type Rgb = [u8; 3];

/// The sixteen as xterm has them. Terminals differ and let their owners choose; xterm's are the ones that others
/// copied, and nothing better can be assumed of a terminal that tells only that it has sixteen.
pub const XTERM: [Rgb; 16] = [
    [0, 0, 0],
    [205, 0, 0],
    [0, 205, 0],
    [205, 205, 0],
    [0, 0, 238],
    [205, 0, 205],
    [0, 205, 205],
    [229, 229, 229],
    [127, 127, 127],
    [255, 0, 0],
    [0, 255, 0],
    [255, 255, 0],
    [92, 92, 255],
    [255, 0, 255],
    [0, 255, 255],
    [255, 255, 255],
];

/// Pages of usual dark terminals, from the darkest to the lightest.
pub const DARK_PAGES: [Rgb; 3] = [[0, 0, 0], [0x1e, 0x1e, 0x1e], [0x2e, 0x34, 0x40]];
/// Pages of usual light terminals.
pub const LIGHT_PAGES: [Rgb; 3] = [[255, 255, 255], [0xfd, 0xf6, 0xe3], [0xee, 0xe8, 0xd5]];

/// Relative luminance, from 0 to 1.
pub fn luminance(rgb: Rgb) -> f64 {
    let [r, g, b] = rgb.map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// The ratio of two colours, from 1 to 21.
pub fn ratio(a: Rgb, b: Rgb) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Whether a page of a colour is light: black stands out from it better than white.
pub fn is_light(page: Rgb) -> bool {
    ratio(page, [0; 3]) > ratio(page, [255; 3])
}

/// What one of the 256 looks like: a cube of six steps and a row of greys behind the sixteen.
pub fn indexed(n: u8) -> Rgb {
    let step = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
    match n {
        0..=15 => XTERM.get(usize::from(n)).copied().unwrap_or_default(),
        16..=231 => {
            let n = n - 16;
            [step(n / 36), step(n / 6 % 6), step(n % 6)]
        }
        _ => [8 + 10 * (n - 232); 3],
    }
}

/// The nearest of the 256, from 16 on, that can be read on all of these pages.
pub fn nearest(rgb: Rgb, pages: &[Rgb]) -> u8 {
    let far = |n: u8| -> i32 {
        let found = indexed(n);
        let parts = rgb.iter().zip(found);
        parts
            .map(|(a, b)| (i32::from(*a) - i32::from(b)).pow(2))
            .sum()
    };
    let reads = |n: &u8| pages.iter().all(|p| ratio(indexed(*n), *p) >= LEAST);
    let all = || 16..=255_u8;
    let readable = all().filter(reads).min_by_key(|n| far(*n));
    readable
        .or_else(|| all().min_by_key(|n| far(*n)))
        .unwrap_or(16)
}

/// The one of the sixteen with the nearest hue that can be read on all of these pages; none for a colour without
/// a hue, or where none can be read.
pub fn nearest_named(rgb: Rgb, pages: &[Rgb]) -> Option<u8> {
    let wanted = hue(rgb)?;
    let reads = |n: &u8| {
        let found = XTERM.get(usize::from(*n)).copied().unwrap_or_default();
        pages.iter().all(|p| ratio(found, *p) >= LEAST)
    };
    let far = |n: u8| {
        let found = hue(XTERM.get(usize::from(n)).copied().unwrap_or_default())?;
        let apart = (found - wanted).rem_euclid(360);
        Some(apart.min(360 - apart))
    };
    let near = (0..16_u8).filter(reads).filter_map(|n| Some((far(n)?, n)));
    near.min().filter(|(far, _)| *far <= 60).map(|(_, n)| n)
}

/// The hue in degrees; none for greys.
fn hue([r, g, b]: Rgb) -> Option<i32> {
    let (r, g, b) = (i32::from(r), i32::from(g), i32::from(b));
    let (most, least) = (r.max(g).max(b), r.min(g).min(b));
    let spread = most - least;
    if spread < 48 {
        return None;
    }
    let (base, by) = if most == r {
        (0, g - b)
    } else if most == g {
        (120, b - r)
    } else {
        (240, r - g)
    };
    Some((base + 60 * by / spread).rem_euclid(360))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_as_far_apart_as_the_standard_says() {
        assert!((ratio([0; 3], [255; 3]) - 21.0).abs() < 0.01);
        assert!((ratio([0x76; 3], [255; 3]) - 4.54).abs() < 0.01);
        assert!(is_light([0xfd, 0xf6, 0xe3]) && !is_light([0x2e, 0x34, 0x40]));
    }

    #[test]
    fn the_cube_and_the_greys_are_where_terminals_have_them() {
        assert_eq!(indexed(16), [0, 0, 0]);
        assert_eq!(indexed(80), [95, 215, 215]);
        assert_eq!(indexed(231), [255, 255, 255]);
        assert_eq!(indexed(232), [8, 8, 8]);
        assert_eq!(indexed(255), [238, 238, 238]);
    }

    #[test]
    fn what_is_computed_can_be_read() {
        for rgb in [[0x5f, 0xd7, 0xd7], [0x20, 0x20, 0x20], [0xe0, 0x30, 0x30]] {
            for pages in [&DARK_PAGES, &LIGHT_PAGES] {
                let n = nearest(rgb, pages);
                assert!(
                    pages.iter().all(|p| ratio(indexed(n), *p) >= LEAST),
                    "{rgb:?} {n}"
                );
            }
        }
        assert_eq!(nearest_named([0xe0, 0xb0, 0x60], &[[0; 3]]), Some(3));
        assert_eq!(nearest_named([0x80; 3], &[[0; 3]]), None);
        assert_eq!(
            nearest_named([0x00, 0xa0, 0x40], &[[255; 3]]),
            None,
            "green on white"
        );
    }
}

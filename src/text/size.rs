//! Numbers as people read them.

const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];

/// Bytes as `512 B`, `5.0 MiB`, `10 MiB`.
pub fn size(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    // Tenths of the unit, rounded down: what is said to be there, is there.
    let mut tenths = bytes.saturating_mul(10) / 1024;
    let mut unit = 0;
    while tenths >= 10_240 && unit + 1 < UNITS.len() {
        tenths /= 1024;
        unit += 1;
    }
    let name = UNITS.get(unit).copied().unwrap_or_default();
    if tenths < 100 {
        format!("{}.{} {name}", tenths / 10, tenths % 10)
    } else {
        format!("{} {name}", tenths / 10)
    }
}

/// A number of things, in words: `1 session`, `2,000 events`.
pub fn counted(n: u64, what: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{} {what}{s}", thousands(n))
}

/// Words, and how many they are to be where that is said: `1,204 of 1,500 w`, `7,987 words`.
pub fn against(words: u64, target: Option<u64>, unit: &str) -> String {
    match target {
        Some(target) => format!("{} of {} {unit}", thousands(words), thousands(target)),
        None => format!("{} {unit}", thousands(words)),
    }
}

/// A number with commas between thousands: `12,819`.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_two_digits_at_least_where_it_matters() {
        for (bytes, text) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (10 * 1024, "10 KiB"),
            (5_242_952, "5.0 MiB"),
            (10 << 20, "10 MiB"),
            (1 << 30, "1.0 GiB"),
        ] {
            assert_eq!(size(bytes), text);
        }
        assert!(size(u64::MAX).ends_with("PiB"));
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(12_819), "12,819");
        assert_eq!(thousands(1_000_000), "1,000,000");
    }

    #[test]
    fn words_are_told_against_their_target() {
        assert_eq!(against(1_204, Some(1_500), "w"), "1,204 of 1,500 w");
        assert_eq!(against(7_987, None, "words"), "7,987 words");
    }

    #[test]
    fn one_of_a_thing_is_no_plural() {
        assert_eq!(counted(1, "turn"), "1 turn");
        assert_eq!(counted(0, "turn"), "0 turns");
        assert_eq!(counted(2_000, "event"), "2,000 events");
    }
}

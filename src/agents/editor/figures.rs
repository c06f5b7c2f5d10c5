//! Numbers as a reader wants them.

/// A count as a real number.
pub(super) fn real(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
}

/// A count and what is counted: `1 word`, `2,000 words`.
pub(super) fn counted(n: usize, one: &str) -> String {
    crate::text::counted(n as u64, one)
}

//! The limits of a recipe, in words.

use super::{counted, thousands};
use crate::domain::Limits;

/// `8 turns, 200,000 tokens, $2.50`; none when there is no limit.
pub fn limits(limits: &Limits) -> Option<String> {
    let turns = limits.turns.map(|n| counted(u64::from(n), "turn"));
    let tokens = limits.tokens.map(|n| format!("{} tokens", thousands(n)));
    let usd = limits.usd.map(|n| format!("${n:.2}"));
    let all: Vec<String> = [turns, tokens, usd].into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_told_in_words() {
        assert_eq!(limits(&Limits::default()), None);
        let all = Limits {
            turns: Some(1),
            tokens: Some(200_000),
            usd: Some(1.5),
        };
        assert_eq!(
            limits(&all).as_deref(),
            Some("1 turn, 200,000 tokens, $1.50")
        );
    }
}

//! The order to put a summary in the place of a conversation's beginning: a prompt that is no part of it.

/// The prompt, as the Claude Code command line knows it; what the summary is to keep above all may stand behind it.
const ORDER: &str = "/compact";

/// What the reason of a turn says whose prompt was never taken, since it is too long by itself: logs hold it.
pub const NO_SHORTER: &str = "and no summary makes it shorter";

/// Whether a turn failed since its prompt is too long by itself: no model took it, and none is sent it again.
pub fn never_taken(reason: Option<&str>) -> bool {
    reason.is_some_and(|why| why.contains(NO_SHORTER))
}

/// The prompt that orders a summary.
pub fn order(focus: Option<&str>) -> String {
    match focus.map(str::trim).filter(|f| !f.is_empty()) {
        Some(focus) => format!("{ORDER} {focus}"),
        None => ORDER.to_owned(),
    }
}

/// What a summary is to keep above all, empty when nothing is said; none for a prompt that orders none.
pub fn focus(prompt: &str) -> Option<&str> {
    let rest = prompt.trim().strip_prefix(ORDER)?;
    let alone = rest.is_empty() || rest.starts_with(char::is_whitespace);
    alone.then(|| rest.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_known_by_its_first_word() {
        assert_eq!(focus("/compact"), Some(""));
        assert_eq!(focus(" /compact  keep the motif\n"), Some("keep the motif"));
        for prompt in ["/compacted", "Please /compact", "compact", ""] {
            assert_eq!(focus(prompt), None, "{prompt}");
        }
        assert_eq!(focus(&order(Some(" the motif "))), Some("the motif"));
        assert_eq!(order(Some(" ")), "/compact");
    }
}

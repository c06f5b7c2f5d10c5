//! Names of folders made from titles.

use super::count::is_mark;

/// What a folder is called when its title gives nothing.
const NAMELESS: &str = "untitled";

/// A folder's name for a title: letters and digits of any script in lower case, `-` for all that lies
/// between them, at most `max` bytes. Never empty, never a name that means another place.
pub fn slug(title: &str, max: usize) -> String {
    let mut out = String::new();
    let mut gap = false;
    for c in title.chars().flat_map(char::to_lowercase) {
        let marks_the_last = is_mark(c) && !gap && !out.is_empty();
        if !c.is_alphanumeric() && !marks_the_last {
            gap = !out.is_empty();
            continue;
        }
        let more = c.len_utf8() + usize::from(gap);
        if out.len() + more > max {
            break;
        }
        if std::mem::take(&mut gap) {
            out.push('-');
        }
        out.push(c);
    }
    if out.is_empty() {
        NAMELESS.to_owned()
    } else {
        out
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn letters_stay_and_all_else_becomes_a_dash() {
        for (title, name) in [
            ("The Lost Afternoon", "the-lost-afternoon"),
            ("  Çay & Été!  ", "çay-été"),
            ("灯台の手紙", "灯台の手紙"),
            ("../../etc/passwd", "etc-passwd"),
            (".", "untitled"),
            ("..", "untitled"),
            ("👩\u{200d}🔬", "untitled"),
            ("a\nb\x1b[2J", "a-b-2j"),
            ("e\u{301}t", "e\u{301}t"),
        ] {
            assert_eq!(slug(title, 60), name, "{title:?}");
        }
    }

    proptest! {
        #[test]
        fn a_name_is_short_and_safe(title in any::<String>()) {
            let name = slug(&title, 60);
            prop_assert!((1..=60).contains(&name.len()));
            prop_assert!(!name.contains(['/', '\\', '.', '\0']) && !name.starts_with('-'));
        }
    }
}

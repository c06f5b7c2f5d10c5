//! Rows and times as a person reads them at a prompt.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::text::width;

/// Rows as aligned columns, two spaces apart, by the cells they take on a screen.
pub(super) fn columns(rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count)
        .map(|i| {
            let cells = rows.iter().filter_map(|r| r.get(i));
            cells.map(|c| width(c)).max().unwrap_or(0)
        })
        .collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, wide) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.push_str(&" ".repeat(wide.saturating_sub(width(cell)) + 2));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// A time as a person reads it.
pub(super) fn when(ms: i64, zone: &TimeZone) -> String {
    Timestamp::from_millisecond(ms)
        .map(|t| {
            t.to_zoned_datetime(zone.clone())
                .strftime("%Y-%m-%d %H:%M")
                .to_string()
        })
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_they_look() {
        let rows = [
            vec!["灯台".to_owned(), "1".to_owned()],
            vec!["abcde".to_owned(), "2".to_owned()],
            vec![],
        ];
        assert_eq!(columns(&rows), "灯台   1\nabcde  2\n\n");
        assert_eq!(columns(&[]), "");
    }

    #[test]
    fn a_time_out_of_this_world_is_left_out() {
        assert_eq!(when(0, &TimeZone::UTC), "1970-01-01 00:00");
        assert_eq!(when(i64::MAX, &TimeZone::UTC), "");
    }
}

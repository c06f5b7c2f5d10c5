//! Server-sent events out of bytes (WHATWG HTML, section "Interpreting an event stream").

/// One event.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Event {
    /// Its type; empty for `message`.
    pub(super) name: String,
    /// Its data lines, joined by newlines.
    pub(super) data: String,
}

/// Longest event kept; a longer one is dropped, so that no server can fill the memory.
const EVENT_MAX: usize = 16 * 1024 * 1024;

/// The bytes that came and the event that is being read.
#[derive(Clone, Debug, Default)]
pub(super) struct Decoder {
    line: Vec<u8>,
    /// The last byte was a carriage return: a line feed after it belongs to it.
    after_cr: bool,
    /// A line was read, so no byte order mark may follow.
    begun: bool,
    name: String,
    data: Option<String>,
}

impl Decoder {
    /// Takes in bytes, cut anywhere; gives the events they complete.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        let mut rest = bytes;
        if self.after_cr && !rest.is_empty() {
            self.after_cr = false;
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        while let Some(end) = memchr::memchr2(b'\n', b'\r', rest) {
            let (head, tail) = rest.split_at(end);
            self.keep(head);
            events.extend(self.end_line());
            rest = match tail {
                [b'\r', b'\n', rest @ ..] | [_, rest @ ..] => rest,
                [] => &[],
            };
            self.after_cr = tail == b"\r";
        }
        self.keep(rest);
        events
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = EVENT_MAX.saturating_sub(self.line.len());
        self.line.extend(bytes.iter().take(room));
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let line = if std::mem::replace(&mut self.begun, true) {
            &*line
        } else {
            line.trim_start_matches('\u{feff}')
        };
        if line.is_empty() {
            let name = std::mem::take(&mut self.name);
            return self.data.take().map(|data| Event { name, data });
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => self.data_line(value),
            "event" => value.clone_into(&mut self.name),
            // Comments (no field name), `id` and `retry` say nothing we use.
            _ => {}
        }
        None
    }

    fn data_line(&mut self, value: &str) {
        match &mut self.data {
            None => self.data = Some(value.to_owned()),
            Some(data) if data.len() + value.len() < EVENT_MAX => {
                data.push('\n');
                data.push_str(value);
            }
            Some(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn event(name: &str, data: &str) -> Event {
        Event {
            name: name.into(),
            data: data.into(),
        }
    }

    #[track_caller]
    fn check(text: &str, expect: &[Event]) {
        assert_eq!(Decoder::default().push(text.as_bytes()), expect);
    }

    #[test]
    fn all_three_line_ends_are_line_ends() {
        check(
            "data: a\n\ndata: b\r\n\r\ndata: c\r\r",
            &[event("", "a"), event("", "b"), event("", "c")],
        );
    }

    #[test]
    fn comments_and_other_fields_are_passed_over() {
        check(
            ": keep-alive\n\nid: 7\nretry: 10\ndata: a\n\n",
            &[event("", "a")],
        );
    }

    #[test]
    fn data_lines_are_joined_and_one_space_is_taken_off() {
        check(
            "event: error\ndata:  a\ndata:b\ndata\n\n",
            &[event("error", " a\nb\n")],
        );
    }

    #[test]
    fn a_byte_order_mark_is_taken_off_once() {
        check("\u{feff}data: a\n\n\u{feff}data: b\n\n", &[event("", "a")]);
    }

    #[test]
    fn an_unfinished_event_is_none() {
        check("data: a\n", &[]);
    }

    #[test]
    fn bytes_that_are_no_characters_become_signs() {
        let got = Decoder::default().push(b"data: a\xffb\n\n");
        assert_eq!(got, [event("", "a\u{fffd}b")]);
    }

    fn pieces() -> impl Strategy<Value = Vec<&'static str>> {
        let piece = prop_oneof![
            Just("data: "),
            Just("灯台🚀"),
            Just("\n"),
            Just("\r"),
            Just("\r\n"),
            Just("\n\n"),
            Just(": c"),
            Just("event: e"),
            Just("\u{feff}"),
            Just("x"),
            Just(":"),
        ];
        proptest::collection::vec(piece, 0..40)
    }

    proptest! {
        #[test]
        fn any_split_of_the_bytes_gives_the_same_events(
            pieces in pieces(),
            cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..10),
        ) {
            let bytes = pieces.concat().into_bytes();
            let whole = Decoder::default().push(&bytes);
            let mut cuts: Vec<usize> = cuts.iter().map(|c| c.index(bytes.len() + 1)).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let mut decoder = Decoder::default();
            let got: Vec<Event> = cuts.windows(2).flat_map(|w| decoder.push(&bytes[w[0]..w[1]])).collect();
            prop_assert_eq!(&got, &whole);
            let mut decoder = Decoder::default();
            let bytewise: Vec<Event> = bytes.iter().flat_map(|b| decoder.push(&[*b])).collect();
            prop_assert_eq!(bytewise, whole);
        }
    }
}

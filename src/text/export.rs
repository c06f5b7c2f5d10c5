//! Markdown as others read it: a page for a browser, plain text, and what front matter is.

mod join;
mod notes;
mod plain;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html as page};

pub use join::joined;
pub use plain::plain;

/// What a text can be made into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Markdown.
    Md,
    /// A web page.
    Html,
    /// Plain text.
    Txt,
    /// A document of a word processor.
    Docx,
    /// A book.
    Epub,
    /// Pages.
    Pdf,
}

impl Format {
    /// All of them, those first that need no other program.
    pub const ALL: [Self; 6] = [
        Self::Md,
        Self::Html,
        Self::Txt,
        Self::Docx,
        Self::Epub,
        Self::Pdf,
    ];

    /// Its name, which is also how its files end.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Md => "md",
            Self::Html => "html",
            Self::Txt => "txt",
            Self::Docx => "docx",
            Self::Epub => "epub",
            Self::Pdf => "pdf",
        }
    }

    /// What it is for.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Md => "Markdown, as it is written",
            Self::Html => "A page for a browser",
            Self::Txt => "Plain text",
            Self::Docx => "For word processors; needs pandoc",
            Self::Epub => "For e-readers; needs pandoc",
            Self::Pdf => "For printing; needs pandoc and a program it makes PDF with",
        }
    }

    /// Whether it is text, and made by ourselves.
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Md | Self::Html | Self::Txt)
    }
}

/// How the page looks: a column of readable width, light or dark as the reader's screen is.
const STYLE: &str = "\
:root{color-scheme:light dark}
body{max-width:38em;margin:3em auto;padding:0 1em;font:1.1em/1.6 Georgia,serif}
h1,h2,h3{line-height:1.25}
blockquote{margin-left:0;padding-left:1em;border-left:3px solid #8888}
pre,code{font-family:ui-monospace,monospace;font-size:.9em}
pre{overflow-x:auto}
img{max-width:100%}
table{border-collapse:collapse}
td,th{border:1px solid #8888;padding:.2em .6em}
.footnote-definition{font-size:.9em}
.footnote-definition p:first-of-type{display:inline}
.footnote-definition-label{margin-right:.4em}
@media print{body{margin:0;max-width:none}}
";

/// The text behind its front matter: a first line of `---`, closed by a line of `---` or `...`. A line that is never
/// closed, or has an empty line behind it, is a rule and stays.
pub fn body(markdown: &str) -> &str {
    let text = markdown.strip_prefix('\u{feff}').unwrap_or(markdown);
    let mut lines = text.split_inclusive('\n');
    let mut at = match lines.next() {
        Some(first) if first.trim_end() == "---" => first.len(),
        _ => return text,
    };
    for (n, line) in lines.enumerate() {
        at += line.len();
        match line.trim_end() {
            "" if n == 0 => return text,
            "---" | "..." => {
                return text
                    .get(at..)
                    .unwrap_or_default()
                    .trim_start_matches(['\r', '\n']);
            }
            _ => {}
        }
    }
    text
}

/// Whether a text begins with a heading of its own.
pub fn has_heading(markdown: &str) -> bool {
    matches!(
        parser(body(markdown)).next(),
        Some(Event::Start(Tag::Heading { .. }))
    )
}

/// A whole page. HTML in the text is shown as it is written, and links lead to the web, to mail or beside the page only:
/// what an agent wrote must not act in a browser.
pub fn html(title: &str, markdown: &str) -> String {
    let mut out = String::from("<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n");
    out.push_str("<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    page::push_html(&mut out, std::iter::once(Event::Text(title.into())));
    out.push_str("</title>\n<style>\n");
    out.push_str(STYLE);
    out.push_str("</style>\n</head>\n<body>\n");
    let events = notes::at_the_end(parser(body(markdown)).map(harmless));
    page::push_html(&mut out, events.into_iter());
    out.push_str("</body>\n</html>\n");
    out
}

fn harmless(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
        Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
        Event::Html(raw) | Event::InlineHtml(raw) => Event::Text(raw),
        Event::Start(Tag::Link {
            link_type,
            dest_url,
            title,
            id,
        }) => Event::Start(Tag::Link {
            link_type,
            dest_url: if acts(&dest_url) {
                "#".into()
            } else {
                dest_url
            },
            title,
            id,
        }),
        other => other,
    }
}

/// Whether an address is of a scheme that is neither the web's nor mail's. Browsers skip control characters in it.
fn acts(address: &str) -> bool {
    let shown: String = address.chars().filter(|c| !c.is_control()).collect();
    let Some((scheme, _)) = shown.trim_start().split_once(':') else {
        return false;
    };
    let is_scheme = !scheme.contains(['/', '?', '#']);
    is_scheme && !["http", "https", "mailto"].contains(&scheme.to_lowercase().as_str())
}

fn parser(markdown: &str) -> Parser<'_> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    Parser::new_ext(markdown, options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_taken_off_and_a_rule_is_not() {
        assert_eq!(body("---\ntitle: A\n---\n\nText\n"), "Text\n");
        assert_eq!(body("\u{feff}---\r\na: b\r\n...\r\nText"), "Text");
        for text in [
            "---\n\nText\n\n---\n",
            "---\nnever closed",
            "Text\n---\n",
            "",
        ] {
            assert_eq!(body(text), text);
        }
    }

    #[test]
    fn a_page_has_the_title_and_the_text_and_nothing_in_it_acts() {
        let made = html(
            "A <b> & c",
            "---\na: b\n---\n# One\n\n*Two* <script>x</script> [y](javascript:z) [w](https://e.org)\n\n<div onclick=x>\n",
        );
        for part in [
            "<title>A &lt;b&gt; &amp; c</title>",
            "<h1>One</h1>",
            "<em>Two</em> &lt;script&gt;x&lt;/script&gt;",
            "<a href=\"#\">y</a>",
            "<a href=\"https://e.org\">w</a>",
            "<p>&lt;div onclick=x&gt;",
        ] {
            assert!(made.contains(part), "{part}: {made}");
        }
        assert!(!made.contains("a: b"), "{made}");
    }

    #[test]
    fn footnotes_of_a_page_stand_below_it_and_lead_there() {
        let made = html("A", "Ice[^i] and snow.\n\n[^i]: Ibid.\n\nRain.\n");
        let (text, note) = made.split_once("Rain.").unwrap_or_default();
        assert!(
            text.contains("<a href=\"#1\">1</a></sup> and snow."),
            "{made}"
        );
        assert!(note.contains("id=\"1\""), "{made}");
        assert!(note.contains("<p>Ibid.</p>"), "{made}");
    }

    #[test]
    fn a_heading_of_its_own_is_seen_behind_front_matter() {
        assert!(has_heading("---\na: b\n---\n\n# One\n"));
        assert!(has_heading("One\n===\n"));
        assert!(!has_heading("One\n\n# Two\n"));
    }
}

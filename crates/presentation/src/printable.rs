//! Text from outside, as it may be shown on a terminal.

use std::borrow::Cow;

/// Names that a trace or a report brings along, with every control character escaped: on a terminal, none of them moves the
/// cursor, changes colours or turns letters around, and none ends a line.
///
/// ```
/// use ats_presentation::text::printable;
/// assert_eq!(printable("\u{1b}[31mred\r\n"), "\\u{1b}[31mred\\u{d}\\u{a}");
/// assert_eq!(printable("µs · late_sender"), "µs · late_sender");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, is_control)
}

/// The same for whole answers: their lines and tabs stay.
///
/// ```
/// use ats_presentation::text::printable_lines;
/// assert_eq!(printable_lines("one\n\ttwo\u{7f}\n"), "one\n\ttwo\\u{7f}\n");
/// ```
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_control(c) && c != '\n' && c != '\t')
}

/// C0, DEL, C1, separators of lines, and what changes the direction of text.
fn is_control(c: char) -> bool {
    let is_directional = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}');
    c.is_control() || is_directional || matches!(c, '\u{2066}'..='\u{2069}')
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_escaped(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

//! Characters allowed in XML.

use std::borrow::Cow;

/// A text with `U+FFFD` in place of the characters that XML cannot have, not even escaped (XML 1.0, production 2).
///
/// ```
/// assert_eq!(ats_model::xml::allowed("a\u{1}b<\n"), "a\u{fffd}b<\n");
/// ```
pub fn allowed(text: &str) -> Cow<'_, str> {
    let is_forbidden = |letter: char| matches!(letter, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}');
    if text.contains(is_forbidden) { text.replace(is_forbidden, "\u{fffd}").into() } else { text.into() }
}

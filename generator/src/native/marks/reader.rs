//! As much of C's grammar as it takes to find the end of a statement.

/// Whether a character can be in a name.
pub(super) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The name at the beginning of a text, if there is one.
pub(super) fn word(text: &str) -> Option<&str> {
    let end = text.find(|c| !is_word(c)).unwrap_or(text.len());
    Some(&text[..end]).filter(|word| word.starts_with(|c: char| is_word(c) && !c.is_ascii_digit()))
}

/// Whether a text has a word outside comments and literals.
pub(super) fn has_word(text: &str, wanted: &str) -> bool {
    tokens(text).any(|(_, token)| token == wanted)
}

/// The end of the first token: a comment, a literal, a name or number, blanks, or one character.
pub(super) fn token_end(text: &str) -> usize {
    let Some(first) = text.chars().next() else { return 0 };
    let of = |is: fn(char) -> bool| text.find(|c| !is(c)).unwrap_or(text.len());
    match first {
        '/' if text.starts_with("/*") => text[2..].find("*/").map_or(text.len(), |end| end + 4),
        '/' if text.starts_with("//") => text.find('\n').unwrap_or(text.len()),
        '"' | '\'' => literal_end(text, first),
        // A line begins a token of its own: it may be one of the preprocessor's.
        '\n' => 1,
        first if is_word(first) => of(is_word),
        ' ' | '\t' => 1,
        first => first.len_utf8(),
    }
}

fn literal_end(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == quote && !is_escaped {
            return at + c.len_utf8();
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    text.len()
}

/// The tokens and their places.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let token = &text[at..at + token_end(&text[at..])];
        let place = at;
        at += token.len();
        (!token.is_empty()).then_some((place, token))
    })
}

/// The end of the blanks and comments that a text begins with.
pub(super) fn blank_end(text: &str) -> usize {
    let is_blank =
        |token: &str| token.trim().is_empty() || token.starts_with("/*") || token.starts_with("//");
    tokens(text).find(|(_, token)| !is_blank(token)).map_or(text.len(), |(at, _)| at)
}

/// One past the bracket that closes the first one of the text.
pub(super) fn matching(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens(text) {
        match token {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The end of the first statement from a place on; `None` if it has none.
pub(super) fn statement_end(text: &str, from: usize) -> Option<usize> {
    let at = from + blank_end(&text[from..]);
    let rest = &text[at..];
    if rest.starts_with('#') {
        let line = rest.find('\n')?;
        let stands_alone = ["barrier", "taskwait", "flush"].iter().any(|word| has_word(&rest[..line], word));
        return if stands_alone { Some(at + line) } else { statement_end(text, at + line) };
    }
    if rest.starts_with('{') {
        return Some(at + matching(rest)?);
    }
    match word(rest) {
        Some("for" | "while" | "switch") => statement_end(text, at + matching(rest)?),
        Some("if") => {
            let end = statement_end(text, at + matching(rest)?)?;
            let behind = end + blank_end(&text[end..]);
            let is_else = word(&text[behind..]) == Some("else");
            if is_else { statement_end(text, behind + "else".len()) } else { Some(end) }
        }
        Some("do") => {
            let body = statement_end(text, at + "do".len())?;
            Some(body + text[body..].find(';')? + 1)
        }
        _ => {
            let mut depth = 0_usize;
            tokens(rest).find_map(|(place, token)| {
                match token {
                    "(" | "{" | "[" => depth += 1,
                    ")" | "}" | "]" => depth = depth.saturating_sub(1),
                    ";" if depth == 0 => return Some(at + place + 1),
                    _ => {}
                }
                None
            })
        }
    }
}

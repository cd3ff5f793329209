//! Words of expressions.

use std::fmt;

/// A word of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token<'a> {
    Number(f64),
    Text(String),
    Name(&'a str),
    Sign(&'static str),
}

/// The signs, the longest first.
const SIGNS: [&str; 22] = [
    "&&", "||", "==", "!=", "<=", ">=", "..", "<", ">", "!", "+", "-", "*", "/", "^", "(", ")", "[", "]",
    ".", ",", ";",
];

/// Writes it as it stands in an expression.
impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Number(number) => write!(f, "`{number}`"),
            Token::Text(text) => write!(f, "\"{text}\""),
            Token::Name(name) => write!(f, "`{name}`"),
            Token::Sign(sign) => write!(f, "`{sign}`"),
        }
    }
}

/// The words of an expression, each with its byte; or the byte of a mistake, and the mistake.
pub(crate) fn tokens(text: &str) -> Result<Vec<(usize, Token<'_>)>, (usize, String)> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let at = text.len() - rest.len();
        let (token, length) = match first {
            '0'..='9' => number(rest),
            'a'..='z' | 'A'..='Z' | '_' => {
                let length = end(rest, |letter| letter.is_ascii_alphanumeric() || letter == b'_');
                (Token::Name(&rest[..length]), length)
            }
            '"' => quoted(rest).ok_or_else(|| (at, "a text has no end; write a `\"` after it".to_owned()))?,
            _ => match SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
                Some(sign) => (Token::Sign(sign), sign.len()),
                None => {
                    return Err((at, format!("it is not an expression: `{first}` has no meaning in one")));
                }
            },
        };
        tokens.push((at, token));
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

/// The number of bytes at the beginning that belong to it.
fn end(text: &str, belongs: impl Fn(u8) -> bool) -> usize {
    text.bytes().position(|byte| !belongs(byte)).unwrap_or(text.len())
}

/// A number, such as `25`, `0.8` or `1e-9`, and its length.
fn number(text: &str) -> (Token<'_>, usize) {
    let digits = |from: usize| from + end(&text[from..], |byte| byte.is_ascii_digit());
    let mut length = digits(0);
    if text[length..].starts_with('.') && digits(length + 1) > length + 1 {
        length = digits(length + 1);
    }
    if text[length..].starts_with(['e', 'E']) {
        let sign = usize::from(text[length + 1..].starts_with(['+', '-']));
        let end = digits(length + 1 + sign);
        if end > length + 1 + sign {
            length = end;
        }
    }
    // It has the form of a number; one too large is infinite, which is undefined.
    (Token::Number(text[..length].parse().unwrap_or(f64::INFINITY)), length)
}

/// A text in quotation marks, and its length with them; `\` stands before a `"` or `\` in it.
fn quoted(text: &str) -> Option<(Token<'_>, usize)> {
    let mut inner = String::new();
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((Token::Text(inner), at + 1)),
            '\\' => inner.push(letters.next()?.1),
            letter => inner.push(letter),
        }
    }
    None
}

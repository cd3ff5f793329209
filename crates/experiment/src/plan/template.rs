//! Words with placeholders for values.

use std::fmt::{self, Write};

/// A word with places, as `--size={size}`; `{{` and `}}` are braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Place(String),
}

impl Template {
    /// Takes a word apart.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let single = |brace: &str| {
            format!(
                "`{text}` has a single `{brace}`; write `{brace}{brace}` for a brace, or {{NAME}} for a value"
            )
        };
        let (mut parts, mut plain, mut rest) = (Vec::new(), String::new(), text);
        while let Some(at) = rest.find(['{', '}']) {
            plain.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(brace) {
                plain.push_str(brace);
                rest = after;
                continue;
            }
            let (name, after) = rest.split_once('}').filter(|_| brace == "{").ok_or_else(|| single(brace))?;
            parts.extend([Part::Text(std::mem::take(&mut plain)), Part::Place(name.to_owned())]);
            rest = after;
        }
        plain.push_str(rest);
        parts.push(Part::Text(plain));
        parts.retain(|part| *part != Part::Text(String::new()));
        Ok(Template(parts))
    }

    /// The names of its places.
    pub(super) fn places(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| match part {
            Part::Place(name) => Some(name.as_str()),
            Part::Text(_) => None,
        })
    }

    /// The word with each placeholder replaced by its value.
    pub fn fill(&self, value: impl Fn(&str) -> String) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Place(name) => value(name),
        };
        self.0.iter().map(part).collect()
    }
}

/// The words as they were written.
impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|part| match part {
            Part::Text(text) => f.write_str(&text.replace('{', "{{").replace('}', "}}")),
            Part::Place(name) => f.write_char('{').and_then(|()| f.write_str(name)).and(f.write_char('}')),
        })
    }
}

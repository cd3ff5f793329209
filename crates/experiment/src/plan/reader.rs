//! The content of a TOML table, and all its mistakes with their places.

use std::fmt::Display;

use ats_model::lines::Lines;
use ats_model::mistakes::{Mistakes, nearest};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::template::Template;

/// A text, and its mistakes so far.
pub(super) struct Reader<'a> {
    pub(super) lines: Lines<'a>,
    /// The mistakes with their places.
    said: Vec<(usize, String)>,
}

type Value<'a> = Spanned<DeValue<'a>>;

/// The entries of a table as they are written.
pub(super) fn entries<'t, 'a>(table: &'t DeTable<'a>) -> Vec<(&'t Spanned<DeString<'a>>, &'t Value<'a>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Reader { lines: Lines::new(text), said: Vec::new() }
    }

    /// All mistakes, in the order of the text.
    pub(super) fn mistakes(mut self, file: &str) -> Mistakes {
        self.said.sort();
        self.said.dedup();
        let mut mistakes = Mistakes::default();
        self.said
            .iter()
            .for_each(|(at, what)| mistakes.add(&format!("{file}:{}", self.lines.place(*at)), what));
        mistakes
    }

    /// Something is wrong at a byte.
    pub(super) fn wrong(&mut self, at: usize, what: impl Display) {
        self.said.push((at, what.to_string()));
    }

    /// The number of mistakes so far.
    pub(super) fn count(&self) -> usize {
        self.said.len()
    }

    /// Adds a mistake about an unknown key of something; the message has all keys.
    pub(super) fn unknown<const N: usize>(&mut self, at: usize, of: &str, key: &str, known: [&str; N]) {
        let fix = nearest(key, known).map_or("it".to_owned(), |near| format!("did you mean {near}? It"));
        self.wrong(at, format!("{of} has no `{key}`; {fix} has {}", known.join(", ")));
    }

    /// Adds a mistake about a value of the wrong type.
    pub(super) fn kind(&mut self, key: &str, value: &Value<'_>, wanted: &str) {
        let what = format!("{key} is {wanted}, and not {}", kind(value.get_ref()));
        self.wrong(value.span().start, what);
    }

    /// A text that is not empty.
    pub(super) fn text(&mut self, keys: &Keys<'_, '_>, key: &str) -> Option<String> {
        let value = keys.get(key)?;
        match value.get_ref() {
            DeValue::String(text) if text.is_empty() => {
                self.wrong(value.span().start, format!("{key} is empty; write it, or omit it"));
                None
            }
            DeValue::String(text) => Some(text.to_string()),
            _ => {
                self.kind(key, value, "a text");
                None
            }
        }
    }

    /// A list of texts with their places; empty if there is no such key.
    pub(super) fn texts<'t>(&mut self, keys: &Keys<'t, '_>, key: &str) -> Vec<(&'t str, usize)> {
        let Some(value) = keys.get(key) else { return Vec::new() };
        let Some(list) = value.get_ref().as_array() else {
            self.kind(key, value, "a list of texts, as [\"one\", \"two\"]");
            return Vec::new();
        };
        let mut texts = Vec::new();
        for one in list {
            match one.get_ref().as_str() {
                Some(text) => texts.push((text, one.span().start)),
                None => self.kind(key, one, "a list of texts, as [\"one\", \"two\"]"),
            }
        }
        texts
    }

    /// A whole number.
    pub(super) fn whole(&mut self, keys: &Keys<'_, '_>, key: &str, least: u64) -> Option<u64> {
        let value = keys.get(key)?;
        let number = value.get_ref().as_integer();
        let number = number.and_then(|number| u64::from_str_radix(number.as_str(), number.radix()).ok());
        let number = number.filter(|number| (least..=u64::from(u32::MAX)).contains(number));
        if number.is_none() {
            self.wrong(value.span().start, format!("{key} is a whole number from {least} on"));
        }
        number
    }

    /// The value of a Boolean key; false if there is no such key.
    pub(super) fn truth(&mut self, keys: &Keys<'_, '_>, key: &str) -> bool {
        let Some(value) = keys.get(key) else { return false };
        let truth = value.get_ref().as_bool();
        if truth.is_none() {
            self.kind(key, value, "true or false");
        }
        truth.unwrap_or_default()
    }

    /// A word with places.
    pub(super) fn template(&mut self, text: &str, at: usize) -> Option<Template> {
        Template::parse(text).map_err(|what| self.wrong(at, what)).ok()
    }
}

/// The keys of the plan.
pub(super) struct Keys<'t, 'a>(pub(super) Vec<(&'t Spanned<DeString<'a>>, &'t Value<'a>)>);

impl<'t, 'a> Keys<'t, 'a> {
    pub(super) fn get(&self, name: &str) -> Option<&'t Value<'a>> {
        self.0.iter().find(|(key, _)| key.get_ref() == name).map(|(_, value)| *value)
    }

    /// The place of a key; the beginning if it does not exist.
    pub(super) fn position(&self, name: &str) -> usize {
        self.0.iter().find(|(key, _)| key.get_ref() == name).map_or(0, |(key, _)| key.span().start)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }
}

/// The type of a value, in words.
pub(super) fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with decimals",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

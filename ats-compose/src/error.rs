//! What is wrong with a composition, and where.

use thiserror::Error;

/// Something in a composition is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}{}: {message}", at(.place))]
pub struct CompositionError {
    /// The file.
    pub file: String,
    /// Where in it; none where it cannot be read.
    pub place: Option<Place>,
    /// What is wrong, and what would be right.
    pub message: String,
}

/// A place in a text, counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

/// A text with where its lines begin: a place in it is found without reading all before.
pub(crate) struct Lines<'a> {
    text: &'a str,
    begins: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let begins = text.match_indices('\n').map(|(newline, _)| newline + 1);
        Lines { text, begins: std::iter::once(0).chain(begins).collect() }
    }

    /// That of a byte.
    pub(crate) fn place(&self, byte: usize) -> Place {
        let line = self.begins.partition_point(|&begin| begin <= byte);
        let begin = self.begins[line - 1];
        let before = self.text.get(begin..byte).unwrap_or(&self.text[begin..]);
        Place { line, column: before.chars().count() + 1 }
    }
}

fn at(place: &Option<Place>) -> String {
    place.map_or_else(String::new, |Place { line, column }| format!(":{line}:{column}"))
}

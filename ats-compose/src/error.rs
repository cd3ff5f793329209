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

impl Place {
    /// That of a byte.
    pub(crate) fn of(text: &str, byte: usize) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Place { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 }
    }
}

fn at(place: &Option<Place>) -> String {
    place.map_or_else(String::new, |Place { line, column }| format!(":{line}:{column}"))
}

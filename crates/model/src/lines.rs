//! Places in a text, by line and column.

/// A place in a text, counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

/// Writes line and column, such as `3:7`.
impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A text with where its lines begin: a place in it is found without reading all before.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    text: &'a str,
    begins: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// Those of a text.
    pub fn new(text: &'a str) -> Self {
        let begins = text.match_indices('\n').map(|(newline, _)| newline + 1);
        Lines { text, begins: std::iter::once(0).chain(begins).collect() }
    }

    /// The place of a byte.
    pub fn place(&self, byte: usize) -> Place {
        let line = self.begins.partition_point(|&begin| begin <= byte);
        let begin = self.begins[line - 1];
        let before = self.text.get(begin..byte).unwrap_or(&self.text[begin..]);
        Place { line, column: before.chars().count() + 1 }
    }
}

//! Text for terminals: tables of documents.
//!
//! - [`Grid`]: a table in columns. [`printable`]: text from outside, without control characters.
//! - [`results`], [`score`], [`short_score`]: a validation or a score, in full or in a line per program. [`lines`]: the
//!   rows of a program, as soon as it is judged.

mod grid;
mod printable;
mod results;

pub use grid::Grid;
pub use printable::{printable, printable_lines};
pub use results::{Line, Look, Mood, Names, Shown, header, lines, results, score, short_score};

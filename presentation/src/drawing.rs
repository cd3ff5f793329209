//! A timeline as a drawing for slides, papers and terminals: what each location does, where it waits, and who sends to whom.

mod scale;
mod spans;
mod svg;
mod text;

pub use svg::svg;
pub use text::text;

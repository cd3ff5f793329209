//! A timeline as a drawing for slides, papers and terminals: the calls of each location, its waits, and the messages.

mod scale;
mod spans;
mod svg;
mod text;

pub(crate) use svg::in_page;
pub use svg::svg;
pub use text::text;

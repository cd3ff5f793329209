//! How an entry of the catalogue comes to show what it is there to show.

/// How an entry of the catalogue comes to show what it is there to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Entry {
    /// A function that programs call, in their measured part.
    #[default]
    Function,
    /// A program of its own, which initialises and finalizes MPI itself: all of it is measured.
    Program,
    /// An ideal trace alone: the virtual engine does what no program can plant.
    Trace,
}

impl Entry {
    /// Whether there can be a program of it.
    pub fn has_program(self) -> bool {
        self != Entry::Trace
    }

    /// The word for it, in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Entry::Function => "function",
            Entry::Program => "program",
            Entry::Trace => "trace",
        }
    }
}

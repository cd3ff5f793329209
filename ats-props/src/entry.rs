//! How an entry of the catalogue comes to show what it is there to show.

/// How an entry of the catalogue comes to show what it is there to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Entry {
    /// A function that programs call, in their measured part.
    #[default]
    Function,
    /// A program of its own, which initialises and finalizes MPI itself: all of it is measured.
    Program,
    /// A function whose program is run several times, and the truth is told over the runs: the numbers of ranks that they have,
    /// or of threads where there are no ranks. The others are compared with the first.
    Experiment(&'static [usize]),
    /// An ideal trace alone: the virtual engine does what no program can plant.
    Trace,
}

impl Entry {
    /// Whether programs can call it, beside others.
    pub fn is_function(self) -> bool {
        matches!(self, Entry::Function | Entry::Experiment(_))
    }

    /// Whether there can be a program of it.
    pub fn has_program(self) -> bool {
        self != Entry::Trace
    }

    /// The word for it, in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Entry::Function => "function",
            Entry::Program => "program",
            Entry::Experiment(_) => "experiment",
            Entry::Trace => "trace",
        }
    }
}

//! Kinds of entries of the catalogue.

/// The kind of program that shows the property of an entry of the catalogue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Entry {
    /// A function that programs call, in their measured part.
    #[default]
    Function,
    /// A program of its own, which initialises and finalizes MPI itself: all of it is measured.
    Program,
    /// A function whose program is run several times, with a truth about all runs: the numbers of ranks of the runs,
    /// or of threads if there are no ranks. The other runs are compared with the first.
    Experiment(&'static [usize]),
    /// An ideal trace alone: the virtual engine does something that a program cannot plant.
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

//! The size of a run.

use std::fmt;

use ats_compose::{CompositionError, Subject};
use ats_model::locations::size_in_words;
use ats_props::{ArgumentError, Entry, Needs, Property};
use thiserror::Error;

/// Why a program does not show at a size what it is meant to.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SizeError {
    /// It needs more.
    #[error(transparent)]
    TooFew(#[from] ArgumentError),
    /// A composition does not fit.
    #[error(transparent)]
    Composition(#[from] CompositionError),
    /// It has no use for several.
    #[error("{property} {what}; omit {option}")]
    Unfit {
        /// The property.
        property: &'static str,
        /// The reason, as the rest of a sentence.
        what: &'static str,
        /// The option that asks for more.
        option: &'static str,
    },
}

/// The number of processes of a run, and the number of threads of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    /// The number of processes.
    pub ranks: usize,
    /// Threads of each process, the master included.
    pub threads: usize,
}

impl Size {
    /// Processes of one thread.
    pub const fn ranks(ranks: usize) -> Self {
        Size { ranks, threads: 1 }
    }

    /// The default sizes of a program with these needs, the smallest first.
    pub fn defaults(needs: Needs) -> &'static [Size] {
        match needs {
            Needs::RANKS => &[Size { ranks: 4, threads: 1 }],
            Needs::TEAM => &[Size { ranks: 1, threads: 4 }],
            Needs::RANKS_AND_TEAM => &[Size { ranks: 2, threads: 2 }, Size { ranks: 2, threads: 4 }],
            Needs::NOTHING => &[Size { ranks: 1, threads: 1 }],
        }
    }

    /// The default sizes of a property, the smallest first; for an experiment, those of its runs.
    pub fn for_property(property: &Property) -> Vec<Size> {
        let defaults = Size::defaults(property.needs);
        match property.entry {
            Entry::Experiment(runs) if property.needs.ranks => {
                runs.iter().map(|&ranks| Size { ranks, ..defaults[0] }).collect()
            }
            Entry::Experiment(runs) => runs.iter().map(|&threads| Size { threads, ..defaults[0] }).collect(),
            _ => defaults.to_vec(),
        }
    }

    /// Whether a program shows at this size what it is meant to.
    ///
    /// # Errors
    /// It needs more ranks or threads, or has no use for so many.
    pub fn check(self, subject: &Subject) -> Result<(), SizeError> {
        match subject {
            Subject::Property { program, .. } => self.check_property(program.property),
            Subject::Composition(composition) => Ok(composition.plan(self.ranks, self.threads).map(drop)?),
        }
    }

    fn check_property(self, property: &Property) -> Result<(), SizeError> {
        let unfit = |what, option| SizeError::Unfit { property: property.name, what, option };
        if self.ranks > 1 && !property.needs.ranks {
            return Err(unfit("runs as one process", "--np"));
        }
        if self.threads > 1 && !property.needs.team {
            return Err(unfit("has processes of one thread", "--threads"));
        }
        property.check_ranks(self.ranks)?;
        Ok(property.check_threads(self.threads)?)
    }

    /// Processes × threads.
    pub fn locations(self) -> usize {
        self.ranks * self.threads
    }
}

/// The numbers of a size that are asked for; the others have their defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GivenSize {
    /// The number of processes.
    pub ranks: Option<usize>,
    /// Threads of each process, the master included.
    pub threads: Option<usize>,
}

impl GivenSize {
    /// The given numbers, and those of `default` for the others.
    pub fn instead_of(self, default: Size) -> Size {
        Size { ranks: self.ranks.unwrap_or(default.ranks), threads: self.threads.unwrap_or(default.threads) }
    }

    /// The default sizes of a property with the given numbers, the smallest first.
    pub fn sizes(self, property: &Property) -> Vec<Size> {
        let mut sizes: Vec<Size> =
            Size::for_property(property).into_iter().map(|default| self.instead_of(default)).collect();
        sizes.dedup();
        sizes
    }

    /// The given numbers that are of use to a program with these needs.
    pub fn of_use(self, needs: Needs) -> Self {
        GivenSize { ranks: self.ranks.filter(|_| needs.ranks), threads: self.threads.filter(|_| needs.team) }
    }
}

/// `4 ranks`, `1 rank with 4 threads`, `2 ranks with 4 threads each`.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&size_in_words(self.ranks, self.threads))
    }
}

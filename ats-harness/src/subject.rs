//! What a program is about.

use ats_mpi::SendMode;
use ats_props::{ArgumentError, Paradigm, Property};

/// What a program is about.
#[derive(Clone, Copy, Debug)]
pub enum Subject {
    /// A property, or its twin.
    Property(&'static Property),
    /// Several properties.
    Composition(Composed),
}

/// A program of several properties, as far as what surrounds them has to know it.
#[derive(Clone, Copy, Debug)]
pub struct Composed {
    /// The program's name.
    pub name: &'static str,
    /// What it shows, in words.
    pub description: &'static str,
    /// What it is written with.
    pub paradigm: Paradigm,
    /// How many ranks it has; none where it takes others, too.
    pub ranks: Option<usize>,
    /// How many threads each of them has, unless the command line says otherwise.
    pub threads: usize,
    /// Whether what it shows needs standard sends that are eager.
    pub sends_eagerly: bool,
}

impl Subject {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Subject::Property(property) => property.name,
            Subject::Composition(composed) => composed.name,
        }
    }

    pub(crate) fn paradigm(&self) -> Paradigm {
        match self {
            Subject::Property(property) => property.paradigm,
            Subject::Composition(composed) => composed.paradigm,
        }
    }

    /// Where it is only one.
    pub(crate) fn property(&self) -> Option<&'static Property> {
        match *self {
            Subject::Property(property) => Some(property),
            Subject::Composition(_) => None,
        }
    }

    pub(crate) fn summary(&self) -> &'static str {
        self.property().map_or(self.doc(), Property::summary)
    }

    pub(crate) fn doc(&self) -> &'static str {
        match self {
            Subject::Property(property) => property.doc,
            Subject::Composition(composed) => composed.description,
        }
    }

    /// How many ranks it has to have, where it says so.
    pub(crate) fn ranks(&self) -> Option<usize> {
        match self {
            Subject::Property(_) => None,
            Subject::Composition(composed) => composed.ranks,
        }
    }

    /// Whether what it shows needs standard sends that are eager.
    pub(crate) fn sends_eagerly(&self) -> bool {
        match self {
            Subject::Property(property) => property.send_mode == Some(SendMode::Standard),
            Subject::Composition(composed) => composed.sends_eagerly,
        }
    }

    /// Whether there are enough ranks of enough threads to show anything.
    pub(crate) fn check(&self, ranks: usize, threads: usize) -> Result<(), ArgumentError> {
        let Some(property) = self.property() else { return Ok(()) };
        property.check_ranks(ranks)?;
        property.check_threads(threads)
    }
}

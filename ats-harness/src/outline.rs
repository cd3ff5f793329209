//! What surrounds a program's properties has to know of it.

use ats_mpi::SendMode;
use ats_props::{ArgumentError, Entry, Needs, Property};

/// A program as far as what surrounds its properties has to know it.
#[derive(Clone, Copy, Debug)]
pub struct Outline {
    /// The program's name.
    pub name: &'static str,
    /// What it shows, in words.
    pub doc: &'static str,
    /// What it runs on.
    pub needs: Needs,
    /// Its property, where it is only one: the command line then has its parameters, and its twin.
    pub property: Option<&'static Property>,
    /// How many ranks it has; none where it takes others, too.
    pub ranks: Option<usize>,
    /// How many threads each of them has, unless the command line says otherwise; none where that is for the machine to say.
    pub threads: Option<usize>,
    /// Whether it initialises and finalizes MPI itself.
    pub owns_mpi: bool,
    /// Whether what it shows needs standard sends that are eager.
    pub sends_eagerly: bool,
    /// Whether it depends on the eager limit, whatever the command line says.
    pub needs_limit: bool,
}

impl From<&'static Property> for Outline {
    fn from(property: &'static Property) -> Self {
        Outline {
            name: property.name,
            doc: property.doc,
            needs: property.needs,
            property: Some(property),
            ranks: None,
            threads: None,
            owns_mpi: property.entry == Entry::Program,
            sends_eagerly: property.send_mode == Some(SendMode::Standard),
            needs_limit: property.defaults().are_probed(),
        }
    }
}

impl Outline {
    pub(crate) fn summary(&self) -> &'static str {
        self.property.map_or(self.doc, Property::summary)
    }

    /// Whether there are enough ranks of enough threads to show anything.
    pub(crate) fn check(&self, ranks: usize, threads: usize) -> Result<(), ArgumentError> {
        let Some(property) = self.property else { return Ok(()) };
        property.check_ranks(ranks)?;
        property.check_threads(threads)
    }
}

//! Facts about a program that the code around its properties needs.

use ats_mpi::SendMode;
use ats_props::{ArgumentError, Entry, Needs, Property};

/// The facts about a program that the code around its properties needs.
#[derive(Clone, Debug)]
pub struct Outline {
    /// The program's name.
    pub name: &'static str,
    /// Its purpose, in words.
    pub doc: &'static str,
    /// The resources that it runs on.
    pub needs: Needs,
    /// Its property, if it has only one: the command line then has its parameters, and its twin.
    pub property: Option<&'static Property>,
    /// The number of its ranks; `None` if it runs on others, too.
    pub ranks: Option<usize>,
    /// The number of threads of each, unless the command line overrides it; `None` if the machine decides.
    pub threads: Option<usize>,
    /// Whether it initialises and finalizes MPI itself.
    pub owns_mpi: bool,
    /// Whether it needs standard sends that are eager.
    pub sends_eagerly: bool,
    /// Whether it depends on the eager limit, whatever the command line says.
    pub needs_limit: bool,
    /// The regions whose time and counts belong into the witness.
    pub measured: Vec<&'static str>,
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
            measured: property.finds.measured().collect(),
        }
    }
}

impl Outline {
    /// Whether there are enough ranks of enough threads to show anything.
    pub(crate) fn check(&self, ranks: usize, threads: usize) -> Result<(), ArgumentError> {
        let Some(property) = self.property else { return Ok(()) };
        property.check_ranks(ranks)?;
        property.check_threads(threads)
    }
}

//! Regions as recorders define them: what those who write traces have in common.

use crate::definitions::{Paradigm, Region, RegionRole};
use crate::mpi::Function;
use crate::openmp::Construct;

/// What stands for the source file of a region whose own nobody knows, after Score-P and OPARI2; empty where they have
/// nothing either.
///
/// Scalasca knows the calls of MPI and OpenMP's functions by this file alone, whatever role and paradigm are.
pub const fn source_file(paradigm: Paradigm) -> &'static str {
    match paradigm {
        Paradigm::Mpi => "MPI",
        Paradigm::OpenMp => "OMP",
        Paradigm::Unknown | Paradigm::User | Paradigm::Compiler | Paradigm::Other => "",
    }
}

/// The definition of a region whose place in the source nobody knows.
///
/// ```
/// use ats_model::definitions::{Paradigm, RegionRole};
/// let barrier = ats_model::regions::definition("MPI_Barrier", Paradigm::Mpi);
/// assert_eq!((barrier.role, barrier.file.as_str()), (RegionRole::Barrier, "MPI"));
/// ```
pub fn definition(name: &str, paradigm: Paradigm) -> Region {
    let role = match paradigm {
        Paradigm::Mpi => Function::of_spelling(name).map_or(RegionRole::Function, Function::role),
        Paradigm::OpenMp => Construct::of_region(name).map_or(RegionRole::Unknown, Construct::role),
        _ => RegionRole::Function,
    };
    Region {
        name: name.to_owned(),
        file: source_file(paradigm).to_owned(),
        line: 0,
        last_line: 0,
        role,
        paradigm,
        call_site: None,
    }
}

/// Whose a region of this name is: MPI's, OpenMP's, or else the program's.
pub fn paradigm(name: &str) -> Paradigm {
    match (Construct::of_region(name), Function::of_name(name)) {
        (Some(_), _) => Paradigm::OpenMp,
        (None, Some(_)) => Paradigm::Mpi,
        (None, None) => Paradigm::User,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_known_by_their_source_files() {
        let file = |name| definition(name, paradigm(name)).file;
        assert_eq!(Function::ALL.map(|function| file(function.name())), Function::ALL.map(|_| "MPI"));
        assert_eq!(Construct::ALL.map(|construct| file(construct.region())), Construct::ALL.map(|_| "OMP"));
        assert_eq!(file("mpi_commpattern_sendrecv"), "");
    }
}

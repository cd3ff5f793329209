//! Regions as recorders define them, shared by all writers of traces.

use crate::definitions::{Paradigm, Region, RegionRole};
use crate::mpi::Function;
use crate::openmp::Construct;

/// The region in which a harness lets all ranks wait for each other, before a phase of a composition.
pub const ALIGN_REGION: &str = "ats_align";

/// The stand-in for an unknown source file of a region, after Score-P and OPARI2; empty if they have none either.
///
/// Scalasca knows the calls of MPI and OpenMP's functions by this file alone, whatever role and paradigm are.
pub const fn source_file(paradigm: Paradigm) -> &'static str {
    match paradigm {
        Paradigm::Mpi => "MPI",
        Paradigm::OpenMp => "OMP",
        Paradigm::Unknown | Paradigm::User | Paradigm::Compiler | Paradigm::Other => "",
    }
}

/// The definition of a region whose place in the source is unknown.
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

/// The paradigm that a region of this name belongs to: MPI, OpenMP, or else the program.
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

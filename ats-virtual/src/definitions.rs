//! What the events of a simulation refer to.

use ats_model::Definitions;
use ats_model::definitions::{
    Clock, Communicator as CommunicatorDefinition, Members, Paradigm, Region, RegionRole,
};
use ats_model::openmp::Construct;

use crate::kernel::location::Location;
use crate::kernel::time::TICKS_PER_SECOND;
use crate::mpi::group::Group;
use crate::world::World;

/// All definitions, after the end; `begins` are those of the ranks.
pub(crate) fn definitions(world: &World<'_>, begins: &[u64]) -> Definitions {
    let World { kernel, mpi, omp } = world;
    let first = begins.iter().copied().min().unwrap_or(0);
    let last = kernel.locations.iter().map(|location| location.clock).max().unwrap_or(0);
    let communicator = |group: &Group| CommunicatorDefinition {
        name: group.name.clone(),
        members: Members::Ranks(group.members.to_vec()),
    };
    Definitions {
        clock: Clock { resolution: TICKS_PER_SECOND, offset: first, length: last - first },
        regions: kernel.regions.names.iter().map(|name| region(name)).collect(),
        communicators: mpi.groups.iter().map(communicator).collect(),
        teams: omp.definitions.clone(),
        locations: kernel.locations.iter().map(Location::definition).collect(),
    }
}

fn region(name: &str) -> Region {
    let (role, paradigm) = match Construct::of_region(name) {
        Some(construct) => (construct.role(), Paradigm::OpenMp),
        None if name.starts_with("MPI_") => (role(name), Paradigm::Mpi),
        None => (RegionRole::Function, Paradigm::User),
    };
    Region { name: name.to_owned(), role, paradigm, ..Region::default() }
}

fn role(call: &str) -> RegionRole {
    match call {
        "MPI_Barrier" => RegionRole::Barrier,
        "MPI_Bcast" | "MPI_Scatter" | "MPI_Scatterv" => RegionRole::CollOneToAll,
        "MPI_Reduce" | "MPI_Gather" | "MPI_Gatherv" => RegionRole::CollAllToOne,
        "MPI_Scan" | "MPI_Exscan" => RegionRole::CollOther,
        _ if call.contains("send")
            || call.contains("recv")
            || call.contains("Send")
            || call.contains("Recv") =>
        {
            RegionRole::PointToPoint
        }
        _ if call.starts_with("MPI_All") || call.starts_with("MPI_Reduce_") => RegionRole::CollAllToAll,
        _ => RegionRole::Function,
    }
}

//! Definitions that the events of a simulation refer to.

use ats_model::Definitions;
use ats_model::definitions::{Clock, Communicator as CommunicatorDefinition, Members};
use ats_model::own_attribute::Own;
use ats_model::regions;

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
        regions: kernel
            .regions
            .names
            .iter()
            .map(|name| regions::definition(name, regions::paradigm(name)))
            .collect(),
        communicators: mpi.groups.iter().map(communicator).collect(),
        teams: omp.definitions.clone(),
        attributes: Own::ALL.into_iter().filter(|_| kernel.has_notes).map(Own::definition).collect(),
        locations: kernel.locations.iter().map(Location::definition).collect(),
        ..Definitions::default()
    }
}

//! Definitions that the events of a simulation refer to.

use std::collections::BTreeMap;

use ats_model::Definitions;
use ats_model::definitions::{Clock, Communicator as CommunicatorDefinition, Members};
use ats_model::event::CommunicatorRef;
use ats_model::neighbors::Neighbors;
use ats_model::own_attribute::Own;
use ats_model::regions;

use crate::kernel::counters;
use crate::kernel::location::Location;
use crate::kernel::time::TICKS_PER_SECOND;
use crate::mpi::group::Group;
use crate::mpi::neighborhood::Topology;
use crate::world::World;

/// The neighbours of processes, by communicator.
fn neighbors(groups: &[Group]) -> BTreeMap<(u32, CommunicatorRef), Neighbors> {
    let of_group = |(number, group): (usize, &Group)| {
        let of_member = |topology: &Topology| -> Vec<_> {
            let members = (0..).zip(group.members.iter());
            let reference = CommunicatorRef(number as u32);
            members.map(|(rank, &process)| ((process, reference), topology.neighbors(rank).clone())).collect()
        };
        group.topology.as_deref().map(of_member).unwrap_or_default()
    };
    groups.iter().enumerate().flat_map(of_group).collect()
}

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
        neighbors: neighbors(&mpi.groups),
        system_tree: kernel
            .turns
            .as_ref()
            .map(|turns| turns.processors.system_tree(kernel.ranks as u32))
            .unwrap_or_default(),
        teams: omp.definitions.clone(),
        attributes: Own::ALL.into_iter().filter(|_| kernel.has_notes).map(Own::definition).collect(),
        metrics: counters::definitions(&kernel.costs),
        locations: kernel.locations.iter().map(Location::definition).collect(),
        ..Definitions::default()
    }
}

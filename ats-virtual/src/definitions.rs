//! What the events of a simulation refer to.

use ats_model::Definitions;
use ats_model::definitions::{
    Clock, Communicator as CommunicatorDefinition, LocationDefinition, Members, Paradigm, Region, RegionRole,
};
use ats_model::openmp::Construct;

use crate::collective::Group;
use crate::error::Place;
use crate::time::TICKS_PER_SECOND;
use crate::world::World;

impl World<'_> {
    /// Tells the sink of a location.
    pub(crate) fn announce(&mut self, location: usize) {
        if self.sink.is_none() {
            return;
        }
        let definition = self.location_definition(location);
        if let Some(sink) = &mut self.sink {
            sink.location(&definition);
        }
    }

    /// As Score-P numbers and names its locations.
    fn location_definition(&self, location: usize) -> LocationDefinition {
        let Place { rank, thread } = self.place(location);
        let name = match thread {
            0 => "Master thread".to_owned(),
            _ => format!("OMP thread {thread}"),
        };
        let (rank, thread) = (rank as u32, thread as u32);
        LocationDefinition { id: u64::from(thread) << 32 | u64::from(rank), name, rank, thread, events: 0 }
    }

    /// All definitions, after the end.
    pub(crate) fn definitions(&self, begins: &[u64]) -> Definitions {
        let first = begins.iter().copied().min().unwrap_or(0);
        let last = self.locations.iter().map(|location| location.clock).max().unwrap_or(0);
        let communicator = |group: &Group| CommunicatorDefinition {
            name: group.name.clone(),
            members: Members::Ranks(group.members.to_vec()),
        };
        Definitions {
            clock: Clock { resolution: TICKS_PER_SECOND, offset: first, length: last - first },
            regions: self.regions.names.iter().map(|name| region(name)).collect(),
            communicators: self.groups.iter().map(communicator).collect(),
            teams: self.threads.definitions.clone(),
            locations: (0..self.locations.len()).map(|number| self.location_definition(number)).collect(),
        }
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

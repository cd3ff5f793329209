//! Communicators that are made of others.

use ats_model::mpi::Function;
use ats_model::neighbors::Neighbors;
use ats_mpi::{Communicator, Dimension, Op, grid_neighbors};

use super::{VirtualCommunicator, misuse};
use crate::mpi::part::Part;
use crate::world::mpi;

/// Notes that the running location is about to make a communicator with these neighbours.
fn announce(neighbors: Option<Neighbors>) {
    mpi(|mpi, kernel| {
        if kernel.current >= kernel.ranks {
            mpi.make_caller(kernel.number());
        }
        mpi.caller(kernel.number()).neighbors = neighbors;
    });
}

impl VirtualCommunicator {
    /// The rank that this member gets among those listed; `None` if it is not there.
    pub(super) fn rank_among(&self, ranks: &[usize]) -> Option<i32> {
        let fix = "list each rank of the communicator at most once";
        let mut listed = vec![false; self.size as usize];
        for &rank in ranks {
            match listed.get_mut(rank) {
                Some(is_listed) if !*is_listed => *is_listed = true,
                Some(_) => misuse(format!("{} names rank {rank} twice; {fix}", Function::Comm_create)),
                None => misuse(format!(
                    "{} names rank {rank} of a communicator of {} ranks; {fix}",
                    Function::Comm_create,
                    self.size
                )),
            }
        }
        ranks.iter().position(|&rank| rank == self.rank as usize).map(|rank| rank as i32)
    }

    /// Its neighbours here, if there is a topology.
    pub(super) fn neighbors(&self) -> Option<Neighbors> {
        mpi(|mpi, _| Some(mpi.groups[self.group as usize].topology.as_ref()?.neighbors(self.rank).clone()))
    }

    /// Ends the simulation if there is no topology, where an operation needs one.
    pub(super) fn check_topology(&self, op: &Op) {
        let known = mpi(|mpi, _| {
            let group = &mpi.groups[self.group as usize];
            group.topology.is_none().then(|| group.name.clone())
        });
        if let Some(name) = known {
            misuse(format!(
                "{}: {name} has no neighbours; make a communicator with `cart` or `dist_graph`",
                op.function()
            ));
        }
    }

    /// A communicator of all members, which keep their ranks, with these neighbours of this one.
    pub(super) fn copied_by(
        &self,
        function: Function,
        neighbors: Option<Neighbors>,
    ) -> Box<dyn Communicator> {
        announce(neighbors);
        // Only where the simulation is over is there none.
        self.split_by(function, Some(0), self.rank as i32).unwrap_or_else(|| Box::new(*self))
    }

    /// A grid of the first members.
    pub(super) fn grid_of(&self, grid: &[Dimension]) -> Option<Box<dyn Communicator>> {
        let function = Function::Cart_create;
        let places = grid.iter().fold(1, |places: usize, dimension| places.saturating_mul(dimension.extent));
        if places == 0 || places > self.size as usize {
            misuse(format!(
                "{function}: a grid of {places} places on a communicator of {size} ranks; make it of 1 to {size}",
                size = self.size
            ));
        }
        let is_in = (self.rank as usize) < places;
        let neighbors = is_in.then(|| {
            let both_sides = grid_neighbors(grid, self.rank as usize);
            let ranks: Vec<u32> = both_sides.into_iter().flatten().map(|rank| rank as u32).collect();
            Neighbors { sources: ranks.clone(), destinations: ranks }
        });
        announce(neighbors);
        self.split_by(function, is_in.then_some(0), self.rank as i32)
    }

    /// A graph of all members, in which this one receives from `sources` and sends to `destinations`.
    pub(super) fn graph_of(&self, sources: &[usize], destinations: &[usize]) -> Box<dyn Communicator> {
        let function = Function::Dist_graph_create_adjacent;
        if let Some(rank) = sources.iter().chain(destinations).find(|&&rank| rank >= self.size as usize) {
            misuse(format!("{function} names rank {rank} of a communicator of {} ranks", self.size));
        }
        let [sources, destinations] =
            [sources, destinations].map(|ranks| ranks.iter().map(|&rank| rank as u32).collect());
        self.copied_by(function, Some(Neighbors { sources, destinations }))
    }

    /// Splits it; the new communicator, if this rank is in one.
    pub(super) fn split_by(
        &self,
        function: Function,
        color: Option<u32>,
        key: i32,
    ) -> Option<Box<dyn Communicator>> {
        self.call_collective(&Part::split(function, color, key));
        mpi(|mpi, kernel| {
            let (group, rank) = mpi.caller(kernel.number()).made.take()?;
            let size = mpi.groups[group as usize].members.len() as u32;
            Some(Box::new(VirtualCommunicator { group, rank, size }) as Box<dyn Communicator>)
        })
    }
}

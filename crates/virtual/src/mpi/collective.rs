//! Collective operations: starting a member's part, and releasing members (MPI 4.1, chapter 6).

use std::sync::Arc;

use ats_model::mpi::Function;

use crate::kernel::error::SimulationError;
use crate::kernel::state::Kernel;
use crate::kernel::time::Picoseconds;
use crate::mpi::group::Group;
use crate::mpi::instance::{Assembly, Leaver};
use crate::mpi::neighborhood::{Disagreement, Topology};
use crate::mpi::operation::{OperationKind, Progress, Waiter};
use crate::mpi::part::{Part, Shape};
use crate::mpi::state::Mpi;

impl Mpi {
    /// The location that runs is about to make a collective call, while other threads of its process are at work. Fails
    /// if one of them is in such a call on the same communicator: MPI leaves their order to the program.
    pub(crate) fn enter_collective(&mut self, kernel: &mut Kernel<'_>, group: u32, function: Function) {
        let here = (kernel.number(), function);
        let Some((other, its)) = self.in_collective.insert((kernel.rank() as u32, group), here) else {
            return;
        };
        let (name, thread) = (&self.groups[group as usize].name, kernel.locations[other as usize].thread);
        let failure = kernel.misuse(format!(
            "{function} on {name}, where thread {thread} of the process is in {its}: collective calls of threads on \
             one communicator must follow each other; put a barrier of the team between them, or give each thread a \
             communicator of its own (MPI_Comm_dup)"
        ));
        kernel.fail(failure);
    }

    /// The location that runs has made a collective call.
    pub(crate) fn leave_collective(&mut self, kernel: &Kernel<'_>, group: u32) {
        self.in_collective.remove(&(kernel.rank() as u32, group));
    }

    /// Starts a collective operation of the location that runs. `leaves` is when it will leave, if that is pinned.
    #[inline(never)]
    pub(crate) fn start_collective(
        &mut self,
        kernel: &mut Kernel<'_>,
        operation_number: u32,
        part: &Part,
        leaves: Option<Picoseconds>,
    ) {
        let (here, process, now) = (kernel.number(), kernel.rank() as u32, kernel.now());
        kernel.operations += 1;
        let Some(operation) = self.processes[process as usize].operations.get_mut(operation_number) else {
            return;
        };
        operation.progress = Progress::Started;
        let group_number = operation.group as usize;
        let OperationKind::Collective { instance: number, .. } = &mut operation.kind else { return };
        let group = &mut self.groups[group_number];
        let costs = match &mut self.nodes {
            None => &self.costs,
            Some(nodes) => nodes.costs_of(group_number, &group.members, &self.costs),
        };
        let rank = group.rank_of(process);
        *number = group.begin(rank, part);
        let number = *number;
        let instance = group.instance(number);
        if !instance.fits(part) {
            let failure = mismatch(kernel, group, number, part);
            kernel.fail(failure);
            return;
        }
        let waiter = Waiter { location: here, operation: operation_number, rank, begun: now };
        instance.count(&waiter, part, leaves);
        let complete = instance.is_complete();
        if part.shape == Shape::All {
            let passes = part.waits_for_nobody.then(|| instance.pass(waiter, costs));
            let assembly = instance.assemble(waiter, passes.is_some(), costs);
            if let Some(leaver) = passes {
                self.released(kernel, leaver);
            }
            if let Some(assembly) = assembly {
                self.dissolve(kernel, group_number, part, assembly);
            }
        } else {
            if part.shape == Shape::ToRoot(rank) {
                for sender in std::mem::take(&mut instance.left) {
                    sender.charge_root(&mut kernel.locations[sender.location as usize].account, now);
                }
                for sender in std::mem::take(&mut instance.eager) {
                    let process = kernel.process_of(sender.location) as usize;
                    let of_request = self.processes[process].operations.get_mut(sender.operation);
                    if let Some(operation) = of_request {
                        operation.root_came(group_number as u32, number, now);
                    }
                }
            }
            if part.function.yields_request() && matches!(part.shape, Shape::ToRoot(root) if root != rank) {
                instance.eager.push(waiter);
            }
            for leaver in instance.arrive(waiter, part, leaves.is_some(), costs) {
                self.released(kernel, leaver);
            }
        }
        if complete {
            self.groups[group_number].forget_complete();
        }
    }

    /// Releases the members of an operation that all have reached, some of them with a new communicator.
    #[inline(never)]
    fn dissolve(&mut self, kernel: &mut Kernel<'_>, group: usize, part: &Part, assembly: Assembly) {
        let Assembly { waiters, splits, latest, exit } = assembly;
        let places = if part.split.is_some() { self.split_group(group, splits) } else { Vec::new() };
        if part.split.is_some()
            && let Err(disagreement) = self.add_topology(&places, &waiters)
        {
            kernel.fail(disagree(kernel, part, &disagreement));
            return;
        }
        // Not collected first: with thousands of members the list would not fit into the cache.
        for waiter in waiters {
            if let Some(&place) = places.get(waiter.rank as usize) {
                self.caller(waiter.location).made = place;
            }
            self.released(kernel, exit.after(waiter, latest));
        }
    }

    /// A member may leave.
    #[inline(always)]
    fn released(&mut self, kernel: &mut Kernel<'_>, leaver: Leaver) {
        let Leaver { waiter, done, rounds } = leaver;
        let process = kernel.process_of(waiter.location);
        // The process of a blocking one is in its call.
        if self.in_calls.is_some()
            && rounds.duration > 0
            && self.processes[process as usize].parts.contains_key(&waiter.operation)
        {
            return self.rounds_in_calls(process, leaver);
        }
        self.done(kernel, process, waiter.operation, done);
    }

    /// Makes the communicators of a split; per old rank, the new communicator and the rank in it.
    fn split_group(&mut self, group: usize, mut splits: Vec<(u32, i32, u32)>) -> Vec<Option<(u32, u32)>> {
        splits.sort_unstable();
        let old = Arc::clone(&self.groups[group].members);
        let mut places = vec![None; old.len()];
        for same in splits.chunk_by(|a, b| a.0 == b.0) {
            let number = self.groups.len() as u32;
            for (new_rank, &(_, _, rank)) in (0..).zip(same) {
                places[rank as usize] = Some((number, new_rank));
            }
            let members = same.iter().map(|&(_, _, rank)| old[rank as usize]).collect();
            self.groups.push(Group::new(format!("communicator {number}"), members));
        }
        places
    }
}

impl Mpi {
    /// The new communicator gets the topology that its members make with it, if they do.
    fn add_topology(
        &mut self,
        places: &[Option<(u32, u32)>],
        waiters: &[Waiter],
    ) -> Result<(), Disagreement> {
        let mut neighbors = Vec::new();
        let mut made = None;
        for waiter in waiters {
            let Some(own) = self.caller(waiter.location).neighbors.take() else { continue };
            let Some((number, rank)) = places[waiter.rank as usize] else { continue };
            made = Some(number as usize);
            neighbors.push((rank, own));
        }
        if let Some(made) = made {
            neighbors.sort_unstable_by_key(|(rank, _)| *rank);
            let neighbors = neighbors.into_iter().map(|(_, neighbors)| neighbors).collect();
            self.groups[made].topology = Some(Arc::new(Topology::new(neighbors)?));
        }
        Ok(())
    }
}

#[cold]
fn disagree(kernel: &Kernel<'_>, part: &Part, &Disagreement { by, other }: &Disagreement) -> SimulationError {
    kernel.misuse(format!(
        "{part}: rank {by} names rank {other} as a neighbour, but rank {other} does not name it in return; a source of \
         one rank is to have it as a destination, as often"
    ))
}

#[cold]
fn mismatch(kernel: &Kernel<'_>, group: &mut Group, number: u32, part: &Part) -> SimulationError {
    let instance = group.instance(number);
    let (other, by) = (instance.part, instance.by);
    let name = &group.name;
    kernel.misuse(format!("collective operation {number} of {name} is {part} here, but {other} on rank {by}"))
}

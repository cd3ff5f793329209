//! A communicator's members and the collective operations that are going on among them.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::mpi::instance::Instance;
use crate::mpi::neighborhood::Topology;
use crate::mpi::part::Part;

/// The members of a communicator.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) name: String,
    /// Member i is this process.
    pub(crate) members: Arc<[u32]>,
    /// The neighbours of its members, if it has a topology.
    pub(crate) topology: Option<Arc<Topology>>,
    /// Of a process, its rank here; empty for the world, where they are equal.
    ranks: Vec<(u32, u32)>,
    /// Per member, how many collective operations it has begun.
    begun: Vec<u32>,
    /// The number of the first instance that is kept.
    first: u32,
    instances: VecDeque<Instance>,
}

impl Group {
    /// The group of all processes.
    pub(crate) fn world(size: usize) -> Self {
        let members: Arc<[u32]> = (0..size as u32).collect();
        Group { ranks: Vec::new(), ..Group::new("MPI_COMM_WORLD".to_owned(), members) }
    }

    pub(crate) fn new(name: String, members: Arc<[u32]>) -> Self {
        let mut ranks: Vec<(u32, u32)> =
            (0..).zip(members.iter()).map(|(rank, &member)| (member, rank)).collect();
        ranks.sort_unstable();
        let begun = vec![0; members.len()];
        Group { name, members, topology: None, ranks, begun, first: 0, instances: VecDeque::new() }
    }

    /// The rank of a member.
    pub(crate) fn rank_of(&self, process: u32) -> u32 {
        if self.ranks.is_empty() {
            return process;
        }
        let at = self.ranks.binary_search_by_key(&process, |&(member, _)| member);
        at.map_or(0, |at| self.ranks[at].1)
    }

    /// A member begins its next collective operation: the number of that.
    #[inline(always)]
    pub(crate) fn begin(&mut self, rank: u32, part: &Part) -> u32 {
        let begun = &mut self.begun[rank as usize];
        let number = *begun;
        *begun += 1;
        if (number - self.first) as usize == self.instances.len() {
            self.begin_first(rank, part);
        }
        number
    }

    #[inline(never)]
    fn begin_first(&mut self, rank: u32, part: &Part) {
        let size = self.members.len();
        self.instances.push_back(Instance::new(*part, rank, size, self.topology.as_ref()));
    }

    /// A collective operation that is going on.
    #[inline(always)]
    pub(crate) fn instance(&mut self, number: u32) -> &mut Instance {
        &mut self.instances[(number - self.first) as usize]
    }

    /// Forgets the collective operations that all have begun.
    pub(crate) fn forget_complete(&mut self) {
        while self.instances.front().is_some_and(Instance::is_complete) {
            self.instances.pop_front();
            self.first += 1;
        }
    }

    /// The name of the call that a collective operation is made with.
    pub(crate) fn call(&self, number: u32) -> &'static str {
        let instance = self.instances.get((number - self.first) as usize);
        instance.map_or("a collective operation", |instance| instance.part.function.name())
    }

    /// The members that have not begun a collective operation.
    pub(crate) fn missing(&self, number: u32) -> Vec<u32> {
        let members = self.members.iter().zip(&self.begun);
        members.filter(|&(_, &begun)| begun <= number).map(|(&member, _)| member).collect()
    }
}

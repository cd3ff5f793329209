//! Topologies, and operations between neighbours (MPI 4.1, chapter 8).

use std::sync::Arc;

use ats_model::neighbors::Neighbors;

use crate::kernel::time::Picoseconds;
use crate::mpi::operation::Waiter;

/// The neighbours of each member of a communicator.
#[derive(Debug)]
pub(crate) struct Topology(Vec<Neighbors>);

/// Two members that disagree about whether one sends to the other.
pub(crate) struct Disagreement {
    /// Names the other as a neighbour,
    pub(crate) by: u32,
    /// which does not name it as often.
    pub(crate) other: u32,
}

impl Topology {
    /// That of members with these neighbours, which are members.
    ///
    /// # Errors
    /// Some member receives from another more or less often than that sends to it.
    pub(crate) fn new(neighbors: Vec<Neighbors>) -> Result<Self, Disagreement> {
        let each = || (0..).zip(&neighbors);
        let received = each().flat_map(|(to, it)| it.sources.iter().map(move |&from| (from, to)));
        let sent = each().flat_map(|(from, it)| it.destinations.iter().map(move |&to| (from, to)));
        let [mut received, mut sent]: [Vec<(u32, u32)>; 2] = [received.collect(), sent.collect()];
        received.sort_unstable();
        sent.sort_unstable();
        let differs = |at: &usize| received.get(*at) != sent.get(*at);
        let Some(at) = (0..received.len().max(sent.len())).find(differs) else {
            return Ok(Topology(neighbors));
        };
        // Of two sorted lists, the lesser of the first entries that differ is missing in the other.
        Err(match (received.get(at), sent.get(at)) {
            (Some(&(from, to)), other) if other.is_none_or(|&other| (from, to) < other) => {
                Disagreement { by: to, other: from }
            }
            (_, Some(&(from, to))) => Disagreement { by: from, other: to },
            (_, None) => unreachable!("one of them is there"),
        })
    }

    /// The neighbours of a member.
    pub(crate) fn neighbors(&self, rank: u32) -> &Neighbors {
        &self.0[rank as usize]
    }
}

/// The members of an operation between neighbours.
#[derive(Debug)]
pub(crate) struct Neighborhood {
    topology: Arc<Topology>,
    /// By rank: the begin of each member that has come, and the member itself while it waits.
    come: Vec<Option<(Picoseconds, Option<Waiter>)>>,
}

impl Neighborhood {
    /// No member has come yet.
    pub(crate) fn new(topology: &Arc<Topology>) -> Self {
        Neighborhood { topology: Arc::clone(topology), come: vec![None; topology.0.len()] }
    }

    /// A member has come. Returns the members that may go now, with the latest begin of those that each receives from, if
    /// it receives from any.
    pub(crate) fn arrive(&mut self, waiter: Waiter) -> Vec<(Waiter, Option<Picoseconds>)> {
        self.come[waiter.rank as usize] = Some((waiter.begun, Some(waiter)));
        let topology = Arc::clone(&self.topology);
        // One that is listed twice has gone by the second time.
        let may_go = [&waiter.rank].into_iter().chain(&topology.neighbors(waiter.rank).destinations);
        may_go.filter_map(|&rank| self.release(rank)).collect()
    }

    /// Releases a member whose neighbours have all come.
    fn release(&mut self, rank: u32) -> Option<(Waiter, Option<Picoseconds>)> {
        let (_, Some(waiter)) = self.come[rank as usize]? else { return None };
        let mut latest = None;
        for &source in &self.topology.neighbors(rank).sources {
            latest = latest.max(Some(self.come[source as usize]?.0));
        }
        self.come[rank as usize] = Some((waiter.begun, None));
        Some((waiter, latest))
    }
}

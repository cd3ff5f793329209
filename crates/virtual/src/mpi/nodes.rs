//! Nodes: processes on one have other links to each other.

use crate::kernel::time::Picoseconds;
use crate::mpi::costs::{Costs, Link};
use crate::mpi::network::Network;

/// The nodes of all processes.
#[derive(Debug)]
pub(crate) struct Nodes {
    /// By process.
    of: Vec<u32>,
    link: Link,
    /// The costs within a node.
    inside: Costs,
    /// By number of a group, the costs among its members, once they are known.
    groups: Vec<Option<Costs>>,
}

impl Nodes {
    /// Those of so many processes; `given` has the node of each process, if the network does not tell it. `None` if nodes make
    /// no difference.
    pub(crate) fn new(network: &Network, processes: usize, given: Option<&[u32]>) -> Option<Self> {
        let node = network.node?;
        let of = match (node.ranks, given) {
            (Some(ranks), _) => (0..processes as u32).map(|rank| rank / ranks.max(1)).collect(),
            (None, Some(given)) if given.len() == processes => given.to_vec(),
            (None, _) => return None,
        };
        let link = Link::new(node.latency, node.bandwidth);
        let inside = Costs { link, near_link: link, ..Costs::from(*network) };
        Some(Nodes { of, link, inside, groups: Vec::new() })
    }

    /// The costs between two processes, where `between` are those between nodes.
    pub(crate) fn costs<'c>(&'c self, one: u32, other: u32, between: &'c Costs) -> &'c Costs {
        let [one, other] = [one, other].map(|process| self.of.get(process as usize));
        if one == other { &self.inside } else { between }
    }

    /// The costs among the members of a group.
    pub(crate) fn costs_of(&mut self, group: usize, members: &[u32], between: &Costs) -> &Costs {
        if self.groups.len() <= group {
            self.groups.resize(group + 1, None);
        }
        let Nodes { of, link, inside, groups } = self;
        groups[group].get_or_insert_with(|| {
            let node = |rank: usize| members.get(rank).and_then(|&process| of.get(process as usize));
            let is_near = |distance: usize| {
                (0..members.len()).all(|rank| match rank ^ distance {
                    partner if partner < members.len() => node(rank) == node(partner),
                    _ => true,
                })
            };
            if (1..members.len()).all(|rank| node(rank) == node(0)) {
                return *inside;
            }
            let near =
                (0..usize::BITS).take_while(|&round| 1 << round < members.len() && is_near(1 << round));
            Costs { near_link: *link, near: near.count() as u32, ..*between }
        })
    }
}

impl Network {
    /// The picoseconds that so many processes, all of them, take to meet after the last has come, with `nodes` as for
    /// [`crate::Simulation::nodes`].
    pub fn meeting(&self, processes: usize, nodes: Option<&[u32]>) -> Picoseconds {
        let mut costs = Costs::from(*self);
        if let Some(mut nodes) = Nodes::new(self, processes, nodes) {
            let all: Vec<u32> = (0..processes as u32).collect();
            costs = *nodes.costs_of(0, &all, &costs);
        }
        costs.overhead.saturating_add(costs.rounds(None, processes, 0).duration)
    }
}

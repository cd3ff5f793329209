//! The sharing of clocks among processes.

use std::collections::BTreeMap;

use ats_model::definitions::SystemTree;

/// The clocks, and the processes that share each.
pub(super) struct Sharing {
    /// The clock of each process.
    clocks: Vec<usize>,
    /// The processes of each clock, by rising number.
    members: Vec<Vec<usize>>,
}

impl Sharing {
    /// A clock of its own for each of the `processes`.
    pub(super) fn none(processes: usize) -> Self {
        Sharing::new((0..processes).map(|process| vec![process]).collect())
    }

    /// The processes with these ranks share the clocks of their nodes; those with unknown nodes share none.
    pub(super) fn of_nodes(tree: &SystemTree, ranks: impl Iterator<Item = u32>) -> Self {
        let (mut members, mut of_node) = (Vec::<Vec<usize>>::new(), BTreeMap::new());
        for (process, rank) in ranks.enumerate() {
            let new = members.len();
            let clock = tree.shared_memory_of(rank).map_or(new, |node| *of_node.entry(node).or_insert(new));
            if clock == new {
                members.push(Vec::new());
            }
            members[clock].push(process);
        }
        Sharing::new(members)
    }

    fn new(members: Vec<Vec<usize>>) -> Self {
        let mut clocks = vec![0; members.iter().map(Vec::len).sum()];
        for (clock, members) in members.iter().enumerate() {
            members.iter().for_each(|&process| clocks[process] = clock);
        }
        Sharing { clocks, members }
    }

    /// Gives the processes of a clock clocks of their own if `is_contradicted` holds for them.
    pub(super) fn split_if(&mut self, mut is_contradicted: impl FnMut(&[usize]) -> bool) {
        let split = std::mem::take(&mut self.members).into_iter().flat_map(|members| {
            if members.len() > 1 && is_contradicted(&members) {
                members.into_iter().map(|process| vec![process]).collect()
            } else {
                vec![members]
            }
        });
        *self = Sharing::new(split.collect());
    }

    /// The clock of a process.
    pub(super) fn clock_of(&self, process: usize) -> usize {
        self.clocks[process]
    }

    /// The processes of each clock.
    pub(super) fn clocks(&self) -> &[Vec<usize>] {
        &self.members
    }
}

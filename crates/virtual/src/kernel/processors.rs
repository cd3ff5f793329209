//! Processors that processes share.
//!
//! A processor serves one location at a time, first come, first served. A location finishes its piece of work before the
//! next one begins. Locations that wait in MPI or OpenMP need no processor.

use std::collections::{BTreeMap, BTreeSet};

use ats_model::definitions::{SystemNode, SystemTree};

use crate::kernel::time::Picoseconds;

/// The processors that processes run on; their threads share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Processors {
    of_ranks: Vec<u32>,
}

impl Processors {
    /// The processors of the ranks from 0, by number; with more ranks, they begin again. `None` for no processor.
    pub fn of_ranks(of_ranks: Vec<u32>) -> Option<Self> {
        (!of_ranks.is_empty()).then_some(Processors { of_ranks })
    }

    /// The processors of the first ranks, before they begin again.
    pub fn as_slice(&self) -> &[u32] {
        &self.of_ranks
    }

    /// The number of a rank's processor.
    fn number(&self, rank: u32) -> u32 {
        self.of_ranks[rank as usize % self.of_ranks.len()]
    }

    /// A node with the cores that are used.
    pub(crate) fn system_tree(&self, ranks: u32) -> SystemTree {
        let numbers: BTreeSet<u32> = (0..ranks).map(|rank| self.number(rank)).collect();
        let cores: BTreeMap<u32, u32> = numbers.into_iter().zip(1..).collect();
        let node = SystemNode { name: "virtual".to_owned(), class: "node".to_owned(), parent: None };
        let core =
            |number| SystemNode { name: format!("core {number}"), class: "core".to_owned(), parent: Some(0) };
        SystemTree {
            nodes: std::iter::once(node).chain(cores.keys().map(core)).collect(),
            processes: (0..ranks).map(|rank| (rank, cores[&self.number(rank)])).collect(),
        }
    }
}

/// State of shared processors: the time that each is free at.
#[derive(Debug)]
pub(crate) struct Turns {
    pub(crate) processors: Processors,
    free_from: BTreeMap<u32, Picoseconds>,
}

impl Turns {
    pub(crate) fn new(processors: Processors) -> Self {
        Turns { processors, free_from: BTreeMap::new() }
    }

    /// Work of a rank that is ready at `now`; nothing can happen before any more. Returns the end. Without work, a rank
    /// needs no processor.
    pub(crate) fn work(&mut self, rank: u32, now: Picoseconds, length: Picoseconds) -> Picoseconds {
        if length == 0 {
            return now;
        }
        let free_from = self.free_from.entry(self.processors.number(rank)).or_default();
        *free_from = now.max(*free_from).saturating_add(length);
        *free_from
    }
}

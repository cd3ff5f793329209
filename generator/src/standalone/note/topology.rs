//! Communicators with a topology.

use ats_model::mpi::Function;
use ats_mpi::Dimension;

use super::super::arguments::{Passed, WORLD};
use super::Noting;

impl Noting {
    /// A call makes a grid of all ranks.
    pub(super) fn makes_grid(&mut self, grid: &[Dimension]) {
        let places: usize = grid.iter().map(|dimension| dimension.extent).product();
        if places != self.ranks.len() {
            self.unfit(&format!("it calls {} with a part of the ranks", Function::Cart_create));
        }
        let passed = Passed::default().word(WORLD).number("dimensions", grid.len());
        let passed = passed.list("extents", grid.iter().map(|dimension| dimension.extent));
        let passed = passed.list("periodic", grid.iter().map(|dimension| dimension.periodic.into()));
        self.makes(Function::Cart_create, passed.number("reorder", 0));
    }

    /// A call makes a graph of all ranks.
    pub(super) fn makes_graph(&mut self, sources: &[usize], destinations: &[usize]) {
        let mut passed = Passed::default().word(WORLD);
        for (count, name, ranks) in
            [("indegree", "sources", sources), ("outdegree", "destinations", destinations)]
        {
            passed =
                passed.number(count, ranks.len()).list(name, ranks.iter().copied()).word("MPI_UNWEIGHTED");
        }
        let passed = passed.word("MPI_INFO_NULL").number("reorder", 0);
        self.makes(Function::Dist_graph_create_adjacent, passed);
    }
}

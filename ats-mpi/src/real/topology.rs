//! Checks of topologies before they are made.

use std::ffi::c_int;

use ats_model::mpi::Function;

use super::arguments::int;
use super::failure::fatal;
use crate::Dimension;

/// Ends all ranks with a message if a communicator of `size` ranks has no room for a grid.
pub(super) fn require_grid(grid: &[Dimension], size: usize) {
    let places = grid.iter().fold(1, |places: usize, dimension| places.saturating_mul(dimension.extent));
    if places == 0 || places > size {
        fatal(
            Function::Cart_create,
            &format!("a grid of {places} places on a communicator of {size} ranks; make it of 1 to {size}"),
        );
    }
}

/// Neighbours as MPI wants them. Ends all ranks with a message if one is no rank of a communicator of `size` ranks.
pub(super) fn neighbors(ranks: &[usize], size: usize) -> Vec<c_int> {
    if let Some(rank) = ranks.iter().find(|&&rank| rank >= size) {
        let function = Function::Dist_graph_create_adjacent;
        fatal(function, &format!("names rank {rank} of a communicator of {size} ranks"));
    }
    ranks.iter().map(|&rank| int(rank)).collect()
}

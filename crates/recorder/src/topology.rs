#![allow(unsafe_code, reason = "makes PMPI calls through mpi::ffi")]
//! Topologies of communicators: the neighbours that neighbourhood collectives have.

use std::ffi::c_int;

use ats_model::neighbors::Neighbors;
use mpi::ffi::{self, MPI_Comm};

unsafe extern "C" {
    static ATS_CART: c_int;
    static ATS_GRAPH: c_int;
    static ATS_DIST_GRAPH: c_int;
}

/// The neighbours of this process, which has this rank in `comm`; `None` if that has no topology.
pub(crate) fn neighbors(comm: MPI_Comm, rank: u32) -> Option<Neighbors> {
    let mut kind = 0;
    // SAFETY: the program has just made the communicator; the result is ours.
    unsafe { ffi::PMPI_Topo_test(comm, &mut kind) };
    // SAFETY: constants of the library; the communicator has the topology that each function asks for.
    let (sources, destinations) = unsafe {
        if kind == ATS_CART {
            let neighbors = of_grid(comm);
            (neighbors.clone(), neighbors)
        } else if kind == ATS_GRAPH {
            let neighbors = of_graph(comm, rank as c_int);
            (neighbors.clone(), neighbors)
        } else if kind == ATS_DIST_GRAPH {
            of_distributed_graph(comm)
        } else {
            return None;
        }
    };
    // Beyond the edge of a grid there is nobody.
    let ranks = |ranks: Vec<c_int>| ranks.into_iter().filter_map(|rank| u32::try_from(rank).ok()).collect();
    Some(Neighbors { sources: ranks(sources), destinations: ranks(destinations) })
}

/// # Safety
/// The communicator is a grid.
unsafe fn of_grid(comm: MPI_Comm) -> Vec<c_int> {
    let mut dimensions = 0;
    // SAFETY: as the caller promises; the result is ours.
    unsafe { ffi::PMPI_Cartdim_get(comm, &mut dimensions) };
    let both_sides = |dimension| {
        let mut sides = [-1; 2];
        let [before, behind] = &mut sides;
        // SAFETY: as the caller promises, it has this dimension; the results are ours.
        unsafe { ffi::PMPI_Cart_shift(comm, dimension, 1, before, behind) };
        sides
    };
    (0..dimensions).flat_map(both_sides).collect()
}

/// # Safety
/// The communicator is a graph.
unsafe fn of_graph(comm: MPI_Comm, rank: c_int) -> Vec<c_int> {
    let mut count = 0;
    // SAFETY: as the caller promises; the result is ours.
    unsafe { ffi::PMPI_Graph_neighbors_count(comm, rank, &mut count) };
    let mut neighbors = places(count);
    // SAFETY: as the caller promises; there is room for so many.
    unsafe { ffi::PMPI_Graph_neighbors(comm, rank, count, neighbors.as_mut_ptr()) };
    neighbors
}

/// # Safety
/// The communicator is a distributed graph.
unsafe fn of_distributed_graph(comm: MPI_Comm) -> (Vec<c_int>, Vec<c_int>) {
    let (mut ins, mut outs, mut is_weighted) = (0, 0, 0);
    // SAFETY: as the caller promises; the results are ours.
    unsafe { ffi::PMPI_Dist_graph_neighbors_count(comm, &mut ins, &mut outs, &mut is_weighted) };
    let [mut sources, mut from] = [places(ins), places(ins)];
    let [mut destinations, mut to] = [places(outs), places(outs)];
    // SAFETY: as the caller promises; there is room for so many, and for their weights.
    unsafe {
        let (of_sources, of_destinations) = (from.as_mut_ptr(), to.as_mut_ptr());
        let (in_ranks, out_ranks) = (sources.as_mut_ptr(), destinations.as_mut_ptr());
        ffi::PMPI_Dist_graph_neighbors(comm, ins, in_ranks, of_sources, outs, out_ranks, of_destinations);
    }
    (sources, destinations)
}

fn places(count: c_int) -> Vec<c_int> {
    vec![-1; usize::try_from(count).unwrap_or_default()]
}

//! Idle threads, which Scalasca leaves to Cube to derive from the times of runs with OpenMP.
//!
//! `cube_remap2 -s` (CubeLib 4.8, `remap2_calls.cpp`) gives a worker its master's time outside of parallel regions as
//! idle time, and its master's time in a parallel region beyond its own as limited parallelism, at the region.
//!
//! In two cases it counts time as idle that is not, and this module does not:
//!
//! - below a `masked` or `master` construct, the master's time in MPI. Its workers wait at the barrier behind the
//!   construct meanwhile, which their own times have already, so that it is there twice;
//! - of tasks, the master's time below the artificial root `TASKS`, which lies outside of all parallel regions and is
//!   taken for serial code of the master; and some of their time as limited parallelism.

use std::collections::HashMap;

use super::anchor::Location;
use super::tree::Tree;

/// The smallest time that a clock can measure, in seconds.
const THRESHOLD: f64 = 1e-10;

/// For each column that of its master; `None` for a column that is not a thread of a process with a master.
pub(crate) fn masters(locations: &[Location]) -> Vec<Option<usize>> {
    let threads = || locations.iter().enumerate().filter(|(_, location)| location.is_thread);
    let masters: HashMap<u32, usize> =
        threads().filter(|(_, of)| of.thread == 0).map(|(at, of)| (of.rank, at)).collect();
    let mut master_of = vec![None; locations.len()];
    threads().for_each(|(at, of)| master_of[at] = masters.get(&of.rank).copied());
    master_of
}

/// For each call path the outermost OpenMP construct that it lies in.
pub(crate) fn constructs(tree: &Tree, is_openmp: impl Fn(u32) -> bool) -> Vec<Option<u32>> {
    let mut outermost: Vec<Option<u32>> = Vec::with_capacity(tree.len());
    for (index, node) in tree.nodes() {
        let above = node.parent.and_then(|parent| outermost[parent as usize]);
        outermost.push(above.or_else(|| is_openmp(node.callee).then_some(index as u32)));
    }
    outermost
}

/// The idle time of the workers in a row of exclusive times outside of parallel regions.
pub(crate) fn idle(masters: &[Option<usize>], row: &[f64]) -> Vec<f64> {
    beyond(masters, |master, _| row[master])
}

/// The limited parallelism of the workers in a row of exclusive times in a parallel region.
pub(crate) fn limited(masters: &[Option<usize>], row: &[f64]) -> Vec<f64> {
    beyond(masters, |master, own| row[master] - row[own])
}

fn beyond(masters: &[Option<usize>], seconds: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    let of = |(at, master): (usize, &Option<usize>)| match *master {
        Some(master) if master != at => seconds(master, at),
        _ => 0.0,
    };
    masters.iter().enumerate().map(of).map(|idle| if idle < THRESHOLD { 0.0 } else { idle }).collect()
}

//! Threads that have nothing to do, which Scalasca leaves to Cube to work out of the times where a run has OpenMP.
//!
//! `cube_remap2 -s` (CubeLib 4.8, `remap2_calls.cpp`) gives a worker what its master spends outside of parallel regions
//! as idle time, and what its master spends in a parallel region beyond its own as limited parallelism, at the region.
//!
//! In two cases it counts time as idle that is not, and this module does not:
//!
//! - below a `masked` or `master` construct, what the master spends in MPI. Its workers wait at the barrier behind the
//!   construct meanwhile, which their own times have already, so that it is there twice;
//! - of tasks, what the master spends in them below the artificial root `TASKS`, which lies outside of all parallel
//!   regions and is taken for serial code of the master; and some of their time as limited parallelism.

use std::collections::HashMap;

use super::anchor::Location;
use super::matrix::Matrix;
use super::tree::Tree;
use crate::ReportError;
use crate::error::Origin;

/// Less than a clock tells.
const THRESHOLD: f64 = 1e-10;

/// Idle threads and limited parallelism, of the exclusive times.
pub(crate) fn derive(
    origin: Origin<'_>,
    tree: &Tree,
    locations: &[Location],
    is_openmp: impl Fn(u32) -> bool,
    time: &Matrix,
) -> Result<[Matrix; 2], ReportError> {
    let threads = || locations.iter().enumerate().filter(|(_, location)| location.is_thread);
    let masters: HashMap<u32, usize> =
        threads().filter(|(_, of)| of.thread == 0).map(|(at, of)| (of.rank, at)).collect();
    let mut master_of = vec![None; locations.len()];
    threads().for_each(|(at, of)| master_of[at] = masters.get(&of.rank).copied());
    let beyond_own = |row: &[f64], own: bool| -> Vec<f64> {
        let of = |(at, master): (usize, &Option<usize>)| match *master {
            Some(master) if master != at => row[master] - if own { row[at] } else { 0.0 },
            _ => 0.0,
        };
        master_of.iter().enumerate().map(of).map(|idle| if idle < THRESHOLD { 0.0 } else { idle }).collect()
    };
    let mut idle = Matrix::new(tree.len(), locations.len());
    let mut in_regions = Matrix::new(tree.len(), locations.len());
    // The outermost OpenMP construct that each call path lies in.
    let mut outermost: Vec<Option<usize>> = Vec::with_capacity(tree.len());
    for (index, node) in tree.nodes() {
        let above = node.parent.and_then(|parent| outermost[parent as usize]);
        let construct = above.or_else(|| is_openmp(node.callee).then_some(index));
        outermost.push(construct);
        let Some(row) = time.row(index) else { continue };
        match construct {
            Some(construct) => in_regions.add(origin, construct, 1.0, row)?,
            None => idle.add(origin, index, 1.0, &beyond_own(row, false))?,
        }
    }
    let mut limited = Matrix::new(tree.len(), locations.len());
    for (index, _) in tree.nodes() {
        if let Some(row) = in_regions.row(index) {
            limited.add(origin, index, 1.0, &beyond_own(row, true))?;
        }
    }
    Ok([idle, limited])
}

//! Useful computation of a run.

use std::collections::BTreeMap;

use ats_documents::Profile;
use ats_model::hardware::Counted;

use crate::spending::{Path, Spending};

/// Useful computation of a run, and the time around it.
#[derive(Clone, Debug)]
pub(crate) struct Useful {
    /// The time of the slowest unit.
    pub(crate) time: f64,
    /// Useful seconds of each unit.
    pub(crate) of_units: Vec<f64>,
    /// Seconds of each unit in which it computes or would, if it had a processor.
    pub(crate) ready: Vec<f64>,
    /// Whether the time without a processor was counted.
    pub(crate) counts_processors: bool,
    /// Seconds of all units outside of the run.
    pub(crate) outside: f64,
    /// Seconds of each process outside of MPI, by its first thread.
    pub(crate) outside_mpi: Vec<f64>,
    /// Useful seconds of the processes outside of parallel regions that only one of several threads has, times the
    /// other threads.
    pub(crate) idle: f64,
    /// The most threads of a process.
    pub(crate) threads: u32,
    /// Instructions and cycles of the useful computation, if they were counted.
    pub(crate) counted: [Option<f64>; 2],
}

/// Amounts of computation to compare two runs by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Amounts {
    /// The time of the slowest unit, in seconds.
    pub(crate) time: f64,
    /// Useful seconds of all units.
    pub(crate) useful: f64,
    /// The number of units.
    pub(crate) units: f64,
    /// Instructions and cycles of the useful computation, if they were counted.
    pub(crate) counted: [Option<f64>; 2],
}

impl Amounts {
    /// The mean of the amounts of runs; what one of them did not count is unknown.
    pub(crate) fn mean(runs: &[Amounts]) -> Self {
        let mean =
            |amount: &dyn Fn(&Amounts) -> f64| runs.iter().map(amount).sum::<f64>() / runs.len() as f64;
        let counted = |at: usize| {
            let counts = runs.iter().map(|run| run.counted[at]).collect::<Option<Vec<f64>>>()?;
            Some(counts.iter().sum::<f64>() / counts.len() as f64)
        };
        Amounts {
            time: mean(&|run| run.time),
            useful: mean(&|run| run.useful),
            units: mean(&|run| run.units),
            counted: [0, 1].map(counted),
        }
    }
}

impl Useful {
    /// That in some call paths.
    pub(crate) fn new(spending: &Spending, paths: &[usize]) -> Self {
        let time = spending.of_units(paths, |_| true).into_iter().fold(0.0, f64::max);
        let code = spending.code_of_units(paths);
        let mut outside = spending.of_units(paths, |path| !path.is_mpi);
        // Between tests a unit waits as in a call.
        outside.iter_mut().zip(&code).for_each(|(seconds, of)| *seconds -= of.testing + of.polling);
        let mut of_ranks: BTreeMap<u32, f64> = BTreeMap::new();
        for (unit, seconds) in spending.profile.units.iter().zip(outside) {
            if unit.thread == 0 {
                *of_ranks.entry(unit.rank).or_default() += seconds;
            }
        }
        let is_serial = |path: &Path| path.construct.is_none() && path.is_code();
        let serial = spending.of_units(paths, is_serial);
        let others = spending.threads.iter().map(|&threads| f64::from(threads - 1));
        let counted = [Counted::Instructions, Counted::Cycles].map(|what| counted(spending, paths, what));
        Useful {
            time,
            of_units: code.iter().map(|of| of.useful).collect(),
            ready: code.iter().map(|of| of.useful + of.not_running).collect(),
            counts_processors: spending.profile.values.contains_key(Profile::NOT_RUNNING),
            outside: spending.outside(),
            outside_mpi: of_ranks.into_values().collect(),
            idle: serial.into_iter().zip(others).map(|(seconds, others)| seconds * others).sum(),
            threads: spending.threads.iter().copied().max().unwrap_or(1),
            counted,
        }
    }

    /// Seconds of all units that they compute without a processor, if they were counted.
    pub(crate) fn not_running(&self) -> Option<f64> {
        let seconds = self.ready.iter().zip(&self.of_units).map(|(ready, useful)| ready - useful);
        self.counts_processors.then(|| seconds.fold(0.0, |sum, of| sum + of))
    }

    pub(crate) fn amounts(&self) -> Amounts {
        let useful = self.of_units.iter().fold(0.0, |sum, seconds| sum + seconds);
        let (time, units) = (self.time, self.of_units.len() as f64);
        Amounts { time, useful, units, counted: self.counted }
    }
}

/// A counter in the useful computation; `None` if it was not counted.
fn counted(spending: &Spending, paths: &[usize], what: Counted) -> Option<f64> {
    let counters = spending.profile.counters();
    let metrics = counters.get(&what)?;
    let mut is_meant = vec![false; spending.paths.len()];
    paths.iter().for_each(|&path| is_meant[path] = spending.paths[path].is_code());
    let of_metric = |name: &str| {
        let values = spending.profile.values_of(name);
        values.filter(|of| is_meant[of.0 as usize]).map(|of| of.2).sum::<f64>()
    };
    Some(metrics.iter().map(|(metric, one)| one * of_metric(&metric.name)).sum())
}

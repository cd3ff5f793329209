//! The hierarchies of POP's efficiencies.

use ats_documents::efficiencies::Scaling;

use crate::useful::{Amounts, Useful};

/// A factor: the number of those above it, its name, and its value or the reason why that is not known.
pub(crate) type Known = (u32, &'static str, Result<f64, &'static str>);

pub(crate) const NO_TIME: &str = "the region takes no time";
/// The factor of computation that has no processor.
const RUNNING: &str = "processor availability";
const NO_COMPUTATION: &str = "nothing is computed";
const NO_COUNTER: &str = "the runs do not count instructions and cycles";
const NO_INSTRUCTIONS: &str = "the runs do not count instructions";
const NO_CYCLES: &str = "the runs do not count cycles";

/// A ratio, if its denominator is not 0.
fn ratio(of: f64, to: f64, why: &'static str) -> Result<f64, &'static str> {
    if to > 0.0 { Ok(of / to) } else { Err(why) }
}

fn mean(seconds: &[f64]) -> f64 {
    seconds.iter().sum::<f64>() / seconds.len().max(1) as f64
}

fn most(seconds: &[f64]) -> f64 {
    seconds.iter().copied().fold(0.0, f64::max)
}

/// The ratio of two efficiencies.
fn quotient(one: Result<f64, &'static str>, other: Result<f64, &'static str>) -> Result<f64, &'static str> {
    one.and_then(|one| ratio(one, other?, NO_COMPUTATION))
}

/// Load balance, communication efficiency, serialisation and transfer of units with these seconds.
fn level(seconds: &[f64], time: f64, ideal: Result<f64, &'static str>) -> [Result<f64, &'static str>; 4] {
    [
        ratio(mean(seconds), most(seconds), NO_COMPUTATION),
        ratio(most(seconds), time, NO_TIME),
        ideal.and_then(|ideal| ratio(most(seconds), ideal, NO_TIME)),
        ideal.and_then(|ideal| ratio(ideal, time, NO_TIME)),
    ]
}

/// Each factor is the product of those below it; `parallel` are those of the parallel efficiency, from that on.
pub(crate) fn multiplicative(
    parallel: Vec<Known>,
    own: &Amounts,
    base: &Amounts,
    scaling: Scaling,
) -> Vec<Known> {
    let computation = match scaling {
        Scaling::Strong => ratio(base.useful, own.useful, NO_COMPUTATION),
        Scaling::Weak => ratio(base.useful * own.units, own.useful * base.units, NO_COMPUTATION),
    };
    let of_parallel = parallel.first().map_or(Err(NO_TIME), |parallel| parallel.2);
    let global = of_parallel.and_then(|parallel| Ok(parallel * computation?));
    let head = [(0, "global efficiency", global)];
    let scalability = [(1, "computation scalability", computation)];
    let parts = head.into_iter().chain(parallel).chain(scalability).chain(counters(own, base, scaling));
    parts.collect()
}

/// The factors of the parallel efficiency of a measured run.
pub(crate) fn parallel(useful: &Useful, ideal: Result<f64, &'static str>) -> Vec<Known> {
    let parallel = ratio(mean(&useful.of_units), useful.time, NO_TIME);
    let ready = ratio(mean(&useful.ready), useful.time, NO_TIME);
    let [balance, communication, serialisation, transfer] = level(&useful.ready, useful.time, ideal);
    let mut factors = vec![(1, "parallel efficiency", parallel)];
    if useful.threads > 1 && useful.outside_mpi.len() > 1 {
        let mpi = ratio(mean(&useful.outside_mpi), useful.time, NO_TIME);
        let [mpi_balance, mpi_communication, serialisation, transfer] =
            level(&useful.outside_mpi, useful.time, ideal);
        factors.extend([
            (2, "MPI parallel efficiency", mpi),
            (3, "MPI load balance", mpi_balance),
            (3, "MPI communication efficiency", mpi_communication),
            (4, "MPI serialisation efficiency", serialisation),
            (4, "MPI transfer efficiency", transfer),
            (2, "OpenMP parallel efficiency", quotient(ready, mpi)),
            (3, "OpenMP load balance", quotient(balance, mpi_balance)),
            (3, "OpenMP communication efficiency", quotient(communication, mpi_communication)),
        ]);
    } else {
        factors.extend([(2, "load balance", balance), (2, "communication efficiency", communication)]);
        if useful.threads == 1 {
            factors.push((3, "serialisation efficiency", serialisation));
            factors.push((3, "transfer efficiency", transfer));
        }
    }
    if useful.counts_processors {
        factors.push((2, RUNNING, quotient(parallel, ready)));
    }
    factors
}

/// The factors of the scalability of the computation, each from the counters that it needs.
fn counters(own: &Amounts, base: &Amounts, scaling: Scaling) -> [Known; 3] {
    let both = [0, 1].map(|at| own.counted[at].zip(base.counted[at]));
    let why = match both {
        [None, None] => NO_COUNTER,
        [None, _] => NO_INSTRUCTIONS,
        _ => NO_CYCLES,
    };
    let [instructions, cycles] = both.map(|both| both.ok_or(why));
    let units = match scaling {
        Scaling::Strong => 1.0,
        Scaling::Weak => own.units / base.units.max(1.0),
    };
    let ipc = instructions.and_then(|(own, base)| {
        let (own_cycles, base_cycles) = cycles?;
        ratio(own * base_cycles, own_cycles * base, NO_COMPUTATION)
    });
    let frequency = cycles.and_then(|(own_cycles, base_cycles)| {
        ratio(own_cycles * base.useful, own.useful * base_cycles, NO_COMPUTATION)
    });
    let instructions = instructions.and_then(|(own, base)| ratio(base, own, NO_COMPUTATION));
    [
        (2, "instruction scalability", instructions.map(|ratio| ratio * units)),
        (2, "IPC scalability", ipc),
        (2, "frequency scalability", frequency),
    ]
}

/// The additive hierarchy: a factor lacks as much of 1 as those below it together.
pub(crate) fn additive(useful: &Useful) -> Vec<Known> {
    let units = useful.of_units.len().max(1) as f64;
    let rest = |lost: f64| ratio(useful.time - lost, useful.time, NO_TIME);
    let parallel = mean(&useful.of_units);
    let ready = mean(&useful.ready);
    let process = mean(&useful.outside_mpi);
    let serial = useful.idle / units;
    let mut factors = vec![(0, "parallel efficiency", ratio(parallel, useful.time, NO_TIME))];
    let balance = rest(most(&useful.outside_mpi) - process);
    let communication = ratio(most(&useful.outside_mpi), useful.time, NO_TIME);
    if useful.outside_mpi.len() > 1 || useful.threads == 1 {
        factors.extend([
            (1, "process efficiency", ratio(process, useful.time, NO_TIME)),
            (2, "MPI load balance", balance),
            (2, "MPI communication efficiency", communication),
        ]);
    }
    if useful.threads > 1 {
        let lost = if useful.outside_mpi.len() > 1 { process } else { useful.time } - ready;
        factors.extend([
            (1, "thread efficiency", rest(lost)),
            (2, "OpenMP region efficiency", rest(lost - serial)),
            (2, "serial region efficiency", rest(serial)),
        ]);
    }
    if useful.counts_processors {
        factors.push((1, RUNNING, rest(ready - parallel)));
    }
    factors
}

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

/// Instructions and cycles of the useful computation, and its seconds.
type Counts = (f64, f64, f64);

/// The factors of the scalability of the computation.
fn counters(own: &Amounts, base: &Amounts, scaling: Scaling) -> [Known; 3] {
    let of = |amounts: &Amounts| {
        let [instructions, cycles] = amounts.counted.map(|counted| counted.ok_or(NO_COUNTER));
        Ok((instructions?, cycles?, amounts.useful))
    };
    let both = of(own).and_then(|own| Ok((own, of(base)?)));
    let units = match scaling {
        Scaling::Strong => 1.0,
        Scaling::Weak => own.units / base.units.max(1.0),
    };
    let of_both = |factor: fn(Counts, Counts) -> [f64; 2]| {
        both.and_then(|(own, base)| {
            let [of, to] = factor(own, base);
            ratio(of, to, NO_COMPUTATION)
        })
    };
    let instructions = of_both(|own, base| [base.0, own.0]).map(|ratio| ratio * units);
    [
        (2, "instruction scalability", instructions),
        (2, "IPC scalability", of_both(|own, base| [own.0 * base.1, own.1 * base.0])),
        (2, "frequency scalability", of_both(|own, base| [own.1 * base.2, own.2 * base.1])),
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

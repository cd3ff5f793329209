//! The distance between the stamps of recorder and witness for the same call.
//!
//! Both read the same machine's clock, one right after the other: the witness before the recorder where a call is entered, after
//! it where it is left. A process that loses its core in between shows more in the trace than the witness knows, or less.
//! That holds for MPI calls, parallel regions, barriers, criticals and locks; other constructs of OpenMP are divided
//! differently by the two.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use ats_documents::finding::MEASURED_REGION;
use ats_model::event::RegionRef;
use ats_model::mpi::Function;
use ats_model::openmp::{Construct as OmpConstruct, without_place};
use ats_model::witness::{Construct, Span};
use ats_model::{Definitions, Event, EventSource, Witness};

/// The longest time between two stamps of one moment that the tolerances cover, in seconds; losing a core takes longer.
const USUAL: f64 = 1e-4;

/// Seconds beyond the usual time between the stamps of witness and recorder, summed over all threads and all that both
/// stamp alike in the measured part; and such time of a master between what it stamped last and what it stamped next,
/// since the regions of a program that begin or end there have no stamps.
///
/// # Errors
/// The trace is damaged.
pub fn apart<S: EventSource>(trace: &S, witnesses: &[Witness]) -> Result<f64, S::Error> {
    let definitions = trace.definitions();
    let measured = measured(trace)?;
    let mut seconds = 0.0;
    for (index, location) in definitions.locations.iter().enumerate() {
        let witness = witnesses.iter().find(|witness| witness.rank == location.rank);
        let constructs = witness.and_then(|witness| match location.thread {
            0 => Some(&witness.constructs),
            thread => {
                let other = witness.threads.iter().find(|other| other.path == [thread]);
                other.map(|other| &other.constructs)
            }
        });
        if let Some((constructs, measured)) = constructs.zip(measured.get(&location.rank)) {
            let mut calls = Calls { definitions, measured, stack: Vec::new(), visits: Visits::new() };
            trace.read_location(index, |time, event| calls.take(time, event))?;
            seconds += gaps(&calls.visits, constructs, definitions.clock.resolution);
        }
    }
    Ok(seconds + witnesses.iter().map(unstamped).sum::<f64>())
}

/// The measured part of each rank, in ticks: its master alone enters the region.
fn measured<S: EventSource>(trace: &S) -> Result<BTreeMap<u32, Range<u64>>, S::Error> {
    let definitions = trace.definitions();
    let is_measured = |region: RegionRef| definitions.regions[region.0 as usize].name == MEASURED_REGION;
    let mut parts = BTreeMap::new();
    for (index, location) in definitions.locations.iter().enumerate().filter(|(_, one)| one.thread == 0) {
        let mut part = 0..0;
        trace.read_location(index, |time, event| match event {
            Event::Enter { region } if is_measured(region) => part = time..u64::MAX,
            Event::Leave { region } if is_measured(region) => part.end = time,
            _ => {}
        })?;
        parts.insert(location.rank, part);
    }
    Ok(parts)
}

/// Entries and exits of each MPI call, in ticks and in their order.
type Visits<'a> = BTreeMap<&'a str, VecDeque<(u64, u64)>>;

/// The MPI calls and parallel regions of one location's measured part.
struct Calls<'a> {
    definitions: &'a Definitions,
    /// In ticks.
    measured: &'a Range<u64>,
    /// The regions that it is in, each with its place among the visits, if it is one.
    stack: Vec<(&'a str, Option<usize>)>,
    visits: Visits<'a>,
}

impl<'a> Calls<'a> {
    fn take(&mut self, time: u64, event: Event) {
        match event {
            Event::Enter { region } => {
                let name = without_place(&self.definitions.regions[region.0 as usize].name);
                let visit = (self.measured.contains(&time) && is_stamped_alike(name)).then(|| {
                    let visits = self.visits.entry(name).or_default();
                    visits.push_back((time, time));
                    visits.len() - 1
                });
                self.stack.push((name, visit));
            }
            Event::Leave { .. } => {
                if let Some((name, Some(visit))) = self.stack.pop()
                    && let Some(visits) = self.visits.get_mut(name)
                {
                    visits[visit].1 = time;
                }
            }
            _ => {}
        }
    }
}

/// Whether witness and recorder mean the same by a visit of this region.
fn is_stamped_alike(name: &str) -> bool {
    use OmpConstruct::{Barrier, Critical, ImplicitBarrier, Parallel, SetLock};

    let is_construct =
        |construct| matches!(construct, Parallel | Barrier | ImplicitBarrier | Critical | SetLock);
    Function::of_name(name).is_some() || OmpConstruct::of_region(name).is_some_and(is_construct)
}

/// Seconds that are between the stamps of these calls and those of the same ones in the trace, beyond the usual.
fn gaps(visits: &Visits<'_>, constructs: &[Construct], resolution: u64) -> f64 {
    let made = |name: &str| -> u64 {
        constructs.iter().filter(|construct| construct.name == name).map(|construct| construct.times).sum()
    };
    // A call that one of both has not stamped cannot be told from the next of its name.
    let mut visits = visits.clone();
    visits.retain(|name, visits| visits.len() as u64 == made(name));
    let seconds = |ticks: u64| ticks as f64 / resolution.max(1) as f64;
    let (mut enters, mut leaves) = (Vec::new(), Vec::new());
    for Construct { name, span: Span { enter_ns, leave_ns }, times } in constructs {
        let Some(visits) = visits.get_mut(name.as_str()) else { continue };
        let mut own = visits.drain(..*times as usize);
        let Some(first) = own.next() else { continue };
        let last = own.next_back().unwrap_or(first);
        enters.push(seconds(first.0) - *enter_ns as f64 * 1e-9);
        // A thread does not know when an implicit barrier ended that it left to work for another team.
        if name != OmpConstruct::ImplicitBarrier.region() {
            leaves.push(*leave_ns as f64 * 1e-9 - seconds(last.1));
        }
    }
    beyond_usual(&enters) + beyond_usual(&leaves)
}

/// Seconds from the end of one thing that the master stamped to the beginning of the next, where that is unusually long.
fn unstamped(witness: &Witness) -> f64 {
    let spans = witness.constructs.iter().map(|construct| construct.span);
    let spans = spans.chain(witness.work.iter().map(|work| work.span));
    let mut moments: Vec<(u64, bool)> =
        spans.flat_map(|span| [(span.enter_ns, true), (span.leave_ns, false)]).collect();
    moments.sort_unstable();
    let gaps = moments.windows(2).filter(|pair| !pair[0].1 && pair[1].1);
    gaps.map(|pair| (pair[1].0 - pair[0].0) as f64 * 1e-9).filter(|&seconds| seconds > USUAL).sum()
}

/// By how much the distances are greater than the least of them, which is how the clocks differ, where that is unusual.
fn beyond_usual(distances: &[f64]) -> f64 {
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    distances.iter().map(|distance| distance - least).filter(|&more| more > USUAL).sum()
}

#[cfg(test)]
mod tests {
    use ats_analyzer::notation;
    use serde_json::{Value, json};

    use super::*;

    /// Seconds between these stamps of rank 0's witness, in microseconds, and a trace of its calls: two receives and a test that
    /// was made three times in a row, from 100 to 120, 200 to 300 and 400 to 430; and a receive that is not measured.
    fn between(stamps: &[(&str, u64, u64, u64)]) -> f64 {
        let text = "0: 0..50 MPI_Recv; 60 enter ats_measured; 100..120 MPI_Recv; 200..300 MPI_Recv; 400..410 MPI_Test; \
                       411..420 MPI_Test; 421..430 MPI_Test; 440..900 work; 1000 leave";
        between_in(text, stamps)
    }

    /// The same for another trace.
    fn between_in(text: &str, stamps: &[(&str, u64, u64, u64)]) -> f64 {
        let mut trace = notation::parse(text).unwrap();
        trace.definitions.clock.resolution = 1_000_000;
        let seconds = apart(&trace, &[witness(stamps)]).unwrap();
        (seconds * 1e9).round() / 1e9
    }

    /// A witness with these stamps, and with work around all but the first.
    fn witness(stamps: &[(&str, u64, u64, u64)]) -> Witness {
        let construct = |&(name, enter, leave, times): &(&str, u64, u64, u64)| -> Value {
            json!({"name": name, "enter_ns": 1000 * enter, "leave_ns": 1000 * leave, "times": times})
        };
        let span = json!({"enter_ns": 0, "leave_ns": 0});
        let offset = json!({"at_ns": 0, "offset_ns": 0});
        let work = json!({"seconds": 1, "enter_ns": 122_000, "leave_ns": 1_000_000_000});
        let witness = json!({
            "schema": Witness::SCHEMA, "program": "", "parameters": {}, "rank": 0, "ranks": 1, "measured": span,
            "clock": {"start": offset, "end": offset}, "work": [work], "choices": [], "environment": {},
            "constructs": stamps.iter().map(construct).collect::<Vec<_>>(),
        });
        serde_json::from_value(witness).unwrap()
    }

    #[test]
    fn clocks_may_differ_and_a_stamp_takes_a_moment() {
        assert_eq!(
            between(&[("MPI_Recv", 99, 121, 1), ("MPI_Recv", 199, 302, 1), ("MPI_Test", 397, 431, 3)]),
            0.0
        );
        let later = [("MPI_Recv", 7099, 7121, 1), ("MPI_Recv", 7199, 7302, 1), ("MPI_Test", 7397, 7431, 3)];
        assert_eq!(between(&later), 0.0);
    }

    #[test]
    fn a_core_that_is_lost_between_two_stamps_shows() {
        let (recv, test) = (("MPI_Recv", 99, 121, 1), ("MPI_Test", 399, 431, 3));
        assert_eq!(between(&[recv, ("MPI_Recv", 0, 301, 1), test]), 199e-6, "before the call");
        assert_eq!(between(&[recv, ("MPI_Recv", 199, 801, 1), test]), 500e-6, "after it");
        assert_eq!(between(&[recv, ("MPI_Recv", 199, 301, 1), ("MPI_Test", 399, 731, 3)]), 300e-6);
        assert_eq!(between(&[recv, ("MPI_Recv", 0, 501, 1), test]), 399e-6, "both");
    }

    #[test]
    fn a_core_that_is_lost_where_a_region_may_begin_shows() {
        let mut witness = witness(&[("MPI_Recv", 99, 121, 1), ("MPI_Send", 5121, 5130, 1)]);
        assert_eq!(unstamped(&witness), 0.0);
        witness.work.clear();
        assert_eq!(unstamped(&witness), 5e-3);
    }

    #[test]
    fn regions_with_a_team_are_compared_in_the_order_of_their_entries() {
        let trace = "0: 0 enter ats_measured; 10 enter $parallel; 20..30 $parallel; 40 leave; 50..60 $parallel; \
                        70..80 $for; 1000 leave";
        let parallel = |enter, leave| ("!$omp parallel", enter, leave, 1);
        let outer =
            |leave| [parallel(9, leave), parallel(19, 31), parallel(49, 61), ("!$omp for", 69, 900, 1)];
        assert_eq!(between_in(trace, &outer(41)), 0.0);
        assert_eq!(between_in(trace, &outer(641)), 600e-6, "after the region");
    }

    #[test]
    fn the_other_threads_are_compared_in_the_time_that_the_master_measures() {
        let mut trace = notation::parse(
            "0: 0..20 $barrier; 30 enter ats_measured; 600..620 $barrier; 1000 leave\n\
             0.1: 0..20 $barrier; 550..620 $barrier; 900..910 $barrier",
        )
        .unwrap();
        trace.definitions.clock.resolution = 1_000_000;
        let apart_by = |enter| {
            let barrier = |enter, leave| ("!$omp barrier", enter, leave, 1);
            let mut whole = serde_json::to_value(witness(&[barrier(599, 621)])).unwrap();
            let mut other = serde_json::to_value(witness(&[barrier(enter, 621), barrier(899, 911)])).unwrap();
            (other["path"], other["begins_ns"]) = (json!([1]), json!([]));
            whole["threads"] = json!([other]);
            let seconds = apart(&trace, &[serde_json::from_value(whole).unwrap()]).unwrap();
            (seconds * 1e9).round() / 1e9
        };
        assert_eq!((apart_by(549), apart_by(49)), (0.0, 500e-6));
    }

    #[test]
    fn calls_that_one_of_both_does_not_know_say_nothing() {
        assert_eq!(between(&[("MPI_Recv", 99, 121, 1), ("MPI_Test", 399, 431, 2)]), 0.0);
        assert_eq!(
            between(&[("MPI_Recv", 99, 121, 1), ("MPI_Recv", 199, 801, 1), ("MPI_Send", 0, 1, 1)]),
            500e-6
        );
        assert_eq!(between(&[]), 0.0);
    }
}

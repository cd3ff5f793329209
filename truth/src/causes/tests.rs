//! Against Scalasca, and in ideal traces.

use std::collections::BTreeMap;

use ats_compose::{Composition, Subject};
use ats_model::{EventSource, WaitState, source::InMemory};
use ats_props::Catalogue;
use ats_testing::causes::examples::{
    COLLECTIVE, Example, INIT_FINALIZE, LATE_RECEIVER, LATE_SENDER, THREADS,
};
use ats_testing::causes::{RUNS, Values, assert_scalascas};
use ats_testing::peer;

use super::{Causes, Cell, Kind, causes};
use crate::{Size, TruthOptions, ideal_trace};

fn seconds(trace: &impl EventSource, ticks: f64) -> f64 {
    ticks * trace.definitions().clock.seconds(1_000_000_000) / 1e9
}

/// All that is computed, under Scalasca's names.
fn found(trace: &impl EventSource, causes: &Causes) -> Values {
    let document = causes.document(trace.definitions());
    let mut found = Values::new();
    for (metric, rows) in document.metrics {
        for (path, unit, seconds) in rows {
            let key = (metric.clone(), document.call_paths[path as usize].join("/"), unit.into());
            *found.entry(key).or_default() += seconds;
        }
    }
    found
}

#[test]
fn every_value_is_scalascas() {
    let compared = RUNS.map(|run| {
        let trace = ats_trace::Archive::open(&peer(run).join("traces.otf2")).unwrap();
        assert_scalascas(run, found(&trace, &causes(&trace).unwrap()))
    });
    assert_eq!(compared.iter().sum::<usize>(), 868);
}

#[test]
fn small_traces_have_the_causes_calculated_by_hand() {
    let examples = [LATE_SENDER, LATE_RECEIVER, COLLECTIVE, INIT_FINALIZE, THREADS];
    for example in examples.into_iter().flat_map(Example::all) {
        let trace = ats_analyzer::notation::parse(&example.trace).unwrap();
        let locations: Vec<(u32, u32)> =
            trace.definitions.locations.iter().map(|location| (location.rank, location.thread)).collect();
        let found = found(&trace, &causes(&trace).unwrap());
        assert_eq!(example.rows(&found, &locations), example.expected, "{}", example.title);
    }
}

fn of_ideal_trace(subject: &Subject, ranks: usize) -> (InMemory, Causes) {
    let trace = ideal_trace::in_memory(subject, Size::ranks(ranks), &TruthOptions::default()).unwrap();
    let causes = causes(&trace).unwrap();
    (trace, causes)
}

/// Rank 0 is late by 50 ms in each of 3 repetitions; of five ranks the last four wait.
#[test]
fn one_late_rank_is_blamed_for_all_that_follows() {
    let program = Catalogue::builtin().program("late_sender_propagation").unwrap();
    let arguments = program.property.arguments([("r", "3")]).unwrap();
    let (trace, causes) = of_ideal_trace(&Subject::Property { program, arguments }, 5);
    let of = |values: &BTreeMap<(Kind, Cell), f64>| -> Vec<(Kind, usize, i64)> {
        let rounded = |ticks: f64| (seconds(&trace, ticks) * 1e9).round() as i64;
        let values = values.iter().map(|(&(kind, (location, _)), &ticks)| (kind, location, rounded(ticks)));
        values.filter(|&(_, _, nanoseconds)| nanoseconds > 0).collect()
    };
    let late = |location, nanoseconds| (Kind::LateSender, location, nanoseconds);
    assert_eq!(of(&causes.short_term), [late(0, 150_000_000)]);
    assert_eq!(of(&causes.long_term), [late(0, 450_000_000)]);
    assert_eq!(of(&causes.indirect), [2, 3, 4].map(|location| late(location, 150_000_000)));
    assert_eq!(of(&causes.propagating), [1, 2, 3].map(|location| late(location, 150_000_000)));
}

/// The waits of each kind, as the analyzer finds them.
fn waits(trace: &InMemory) -> BTreeMap<Kind, f64> {
    let analysis = ats_analyzer::analyze(trace, "random", &ats_analyzer::Options::default()).unwrap();
    let mut waits = BTreeMap::new();
    for finding in &analysis.findings {
        let kind = match finding.property {
            Some(
                WaitState::LateSender
                | WaitState::LateSenderWrongOrderSameSource
                | WaitState::LateSenderWrongOrderDifferentSources,
            ) => Kind::LateSender,
            Some(WaitState::LateReceiver) => Kind::LateReceiver,
            Some(WaitState::WaitAtBarrier) => Kind::Barrier,
            Some(WaitState::WaitAtNxN) => Kind::AllToAll,
            Some(WaitState::LateBroadcast) => Kind::OneToAll,
            Some(WaitState::EarlyReduce) => Kind::AllToOne,
            _ => continue,
        };
        *waits.entry(kind).or_default() += finding.waiting_time;
    }
    waits
}

#[test]
fn what_is_waited_is_charged_to_somebody() {
    let mut kinds = BTreeMap::<Kind, u32>::new();
    for seed in 0..200 {
        let (ranks, phases) = (2 + seed as usize % 32, 1 + seed as usize % 4);
        let composition = Composition::random(&Catalogue::builtin(), seed, ranks, 1, phases).unwrap();
        let (trace, causes) = of_ideal_trace(&Subject::from(&composition), ranks);
        let mut charged: BTreeMap<Kind, f64> = BTreeMap::new();
        for (&(kind, _), &ticks) in causes.short_term.iter().chain(&causes.long_term) {
            *charged.entry(kind).or_default() += seconds(&trace, ticks);
        }
        for (kind, waited) in waits(&trace) {
            let charged = charged.remove(&kind).unwrap_or_default();
            assert!(
                (waited - charged).abs() <= 1e-9 * waited,
                "{seed}: {kind:?} {waited}, charged {charged}"
            );
            *kinds.entry(kind).or_default() += 1;
        }
        assert!(charged.values().all(|&ticks| ticks == 0.0), "{seed}: {charged:?}");
    }
    assert!(kinds.len() == 6 && kinds.values().all(|&number| number > 10), "{kinds:?}");
}

/// All that the analyzer computes by these definitions, under Scalasca's names.
fn analyzed(trace: &InMemory, records_in_memory: usize) -> Values {
    let causes = Some(ats_model::delay::Extent::Scalasca);
    let options = ats_analyzer::Options { causes, records_in_memory, ..ats_analyzer::Options::default() };
    let analysis = ats_analyzer::analyze(trace, "random", &options).unwrap();
    let causes = analysis.causes.unwrap();
    for caused in &causes.findings {
        let finding = analysis.findings.iter().find(|finding| finding.id == caused.finding).unwrap();
        let all: f64 = caused.causes.iter().map(|cause| cause.seconds()).sum();
        let sum = all + caused.unattributed;
        assert!(
            (finding.waiting_time - sum).abs() <= 1e-9 * finding.waiting_time,
            "{}: {} waited, {sum} caused",
            caused.finding,
            finding.waiting_time
        );
    }
    let mut values = Values::new();
    for (metric, rows) in &causes.metrics {
        let is_common = !["activities", "imbalance"].iter().any(|part| metric.contains(part));
        for &(path, unit, seconds) in rows.iter().filter(|_| is_common) {
            let key = (metric.clone(), causes.call_paths[path as usize].join("/"), unit.into());
            *values.entry(key).or_default() += seconds;
        }
    }
    values
}

#[test]
fn the_analyzer_computes_the_same_with_any_memory() {
    for seed in 0..1000 {
        let (ranks, phases) = (2 + seed as usize % 32, 1 + seed as usize % 4);
        let composition = Composition::random(&Catalogue::builtin(), seed, ranks, 1, phases).unwrap();
        let (trace, causes) = of_ideal_trace(&Subject::from(&composition), ranks);
        let ours = found(&trace, &causes);
        for records_in_memory in [1, 4_000_000] {
            let theirs = analyzed(&trace, records_in_memory);
            for key in ours.keys().chain(theirs.keys()) {
                let of = |values: &Values| values.get(key).copied().unwrap_or_default();
                let (ours, theirs) = (of(&ours), of(&theirs));
                assert!(
                    (ours - theirs).abs() <= 1e-9 * ours.max(theirs) + 1e-12,
                    "{seed}, {records_in_memory} records: {key:?} is {ours}, the analyzer says {theirs}"
                );
            }
        }
    }
}

/// A thread that executes tasks in a barrier waits for less than the whole: 2 of 4 threads wait 10 × 50 ms.
#[test]
fn tasks_in_a_barrier_are_no_wait_for_it() {
    let program = Catalogue::builtin().program("fewer_tasks_than_threads").unwrap();
    let arguments = program.property.arguments([]).unwrap();
    let size = Size { threads: 4, ..Size::ranks(1) };
    let subject = Subject::Property { program, arguments };
    let trace = ideal_trace::in_memory(&subject, size, &TruthOptions::default()).unwrap();
    let causes = causes(&trace).unwrap();
    let costs: Vec<f64> = causes.short_term.values().map(|&ticks| seconds(&trace, ticks)).collect();
    assert!(matches!(costs[..], [cost] if (cost - 1.0).abs() < 1e-9), "{costs:?}");
}

/// With teams of threads, too, nothing is lost: all that a finding waits has its causes.
#[test]
fn the_analyzer_charges_all_that_threads_wait() {
    let mut kinds = BTreeMap::<String, u32>::new();
    for seed in 0..200 {
        let (ranks, threads) = (1 + seed as usize % 9, 2 + seed as usize % 7);
        let composition = Composition::random(&Catalogue::builtin(), seed, ranks, threads, 3).unwrap();
        let threads = if composition.needs().team { threads } else { 1 };
        let size = Size { threads, ..Size::ranks(ranks) };
        let options = TruthOptions::default();
        let trace = ideal_trace::in_memory(&Subject::from(&composition), size, &options).unwrap();
        let [early, late] = [1, 4_000_000].map(|records_in_memory| analyzed(&trace, records_in_memory));
        assert_eq!(early, late, "{seed}");
        let ours = found(&trace, &causes(&trace).unwrap());
        // Beside nested teams, they count other threads as idle.
        let compared = ours.keys().chain(early.keys()).filter(|(metric, ..)| !metric.contains("ompidle"));
        for key in compared {
            let of = |values: &Values| values.get(key).copied().unwrap_or_default();
            let (ours, theirs) = (of(&ours), of(&early));
            assert!(
                (ours - theirs).abs() <= 1e-9 * ours.max(theirs) + 1e-12,
                "{seed}: {key:?} is {ours}, the analyzer says {theirs}"
            );
        }
        early.into_keys().for_each(|(metric, ..)| *kinds.entry(metric).or_default() += 1);
    }
    assert!(kinds.contains_key("delay_ompidle") && kinds.contains_key("delay_ompbarrier"), "{kinds:?}");
}

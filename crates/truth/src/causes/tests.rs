//! Against Scalasca, against values calculated by hand, and in ideal traces.

mod against_analyzer;

use std::collections::BTreeMap;

use ats_compose::Subject;
use ats_model::{
    EventSource,
    delay::{Delay, Extent},
    source::InMemory,
};
use ats_props::Catalogue;
use ats_testing::causes::examples::{
    BEYOND, COLLECTIVE, Example, INIT_FINALIZE, LATE_RECEIVER, LATE_SENDER, THREADS,
};
use ats_testing::causes::{RUNS, Values, assert_scalascas};
use ats_testing::peer;

use super::{Causes, Cell, causes};
use crate::{Size, TruthOptions, ideal_trace};

fn seconds(trace: &impl EventSource, ticks: f64) -> f64 {
    ticks * trace.definitions().clock.seconds(1_000_000_000) / 1e9
}

/// All that is computed, under Scalasca's names.
fn found(trace: &impl EventSource, causes: &Causes) -> Values {
    let document = causes.document(trace.definitions());
    let mut found = Values::new();
    for (metric, rows) in &document.metrics {
        for &(path, unit, seconds) in rows {
            let key = (metric.clone(), document.label(path), unit.into());
            *found.entry(key).or_default() += seconds;
        }
    }
    found
}

#[test]
fn every_value_is_scalascas() {
    let compared = RUNS.map(|run| {
        let trace = ats_trace::Archive::open(&peer(run).join("traces.otf2")).unwrap();
        assert_scalascas(run, found(&trace, &causes(&trace, Extent::Scalasca).unwrap()))
    });
    assert_eq!(compared.iter().sum::<usize>(), 868);
}

#[test]
fn small_traces_have_the_causes_calculated_by_hand() {
    let scalascas = [LATE_SENDER, LATE_RECEIVER, COLLECTIVE, INIT_FINALIZE, THREADS];
    let examples = scalascas.into_iter().flat_map(Example::parse).map(|example| (example, Extent::Scalasca));
    for (example, extent) in examples.chain(Example::parse(BEYOND).map(|example| (example, Extent::All))) {
        let trace = ats_analyzer::notation::parse(&example.trace).unwrap();
        let locations: Vec<(u32, u32)> =
            trace.definitions.locations.iter().map(|location| (location.rank, location.thread)).collect();
        let found = found(&trace, &causes(&trace, extent).unwrap());
        assert_eq!(example.rows(&found, &locations), example.expected, "{}", example.title);
    }
}

fn of_ideal_trace(subject: &Subject, size: Size) -> (InMemory, Causes) {
    let trace = ideal_trace::in_memory(subject, size, &TruthOptions::default()).unwrap();
    let causes = causes(&trace, Extent::Scalasca).unwrap();
    (trace, causes)
}

/// Rank 0 is late by 50 ms in each of 3 repetitions; of five ranks the last four wait.
#[test]
fn one_late_rank_is_blamed_for_all_that_follows() {
    let program = Catalogue::builtin().program("late_sender_propagation").unwrap();
    let arguments = program.property.arguments([("r", "3")]).unwrap();
    let (trace, causes) = of_ideal_trace(&Subject::Property { program, arguments }, Size::ranks(5));
    let of = |values: &BTreeMap<(Delay, Cell), f64>| -> Vec<(Delay, usize, i64)> {
        let rounded = |ticks: f64| (seconds(&trace, ticks) * 1e9).round() as i64;
        let values = values.iter().map(|(&(kind, (location, _)), &ticks)| (kind, location, rounded(ticks)));
        values.filter(|&(_, _, nanoseconds)| nanoseconds > 0).collect()
    };
    let late = |location, nanoseconds| (Delay::LateSender, location, nanoseconds);
    assert_eq!(of(&causes.short_term), [late(0, 150_000_000)]);
    assert_eq!(of(&causes.long_term), [late(0, 450_000_000)]);
    assert_eq!(of(&causes.indirect), [2, 3, 4].map(|location| late(location, 150_000_000)));
    assert_eq!(of(&causes.propagating), [1, 2, 3].map(|location| late(location, 150_000_000)));
}

/// Of 4 threads, 2 have a task of 0.5 s each inside the barrier at the end of a single.
#[test]
fn tasks_inside_a_barrier_are_work() {
    let program = Catalogue::builtin().program("fewer_tasks_than_threads").unwrap();
    let size = Size { threads: 4, ..Size::ranks(1) };
    let (trace, causes) = of_ideal_trace(&Subject::from(program), size);
    let charged = charged(&trace, &causes);
    assert!((charged[&Delay::OmpBarrier] - 1.0).abs() < 1e-9, "{charged:?}");
}

/// The seconds of each kind that have a cause, and those that have none.
fn charged(trace: &impl EventSource, causes: &Causes) -> BTreeMap<Delay, f64> {
    let mut charged: BTreeMap<Delay, f64> = BTreeMap::new();
    for (&(kind, _), &ticks) in causes.short_term.iter().chain(&causes.long_term).chain(&causes.unattributed)
    {
        *charged.entry(kind).or_default() += seconds(trace, ticks);
    }
    charged
}

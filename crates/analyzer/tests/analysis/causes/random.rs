//! Random traces, whole and damaged: what is waited is charged to somebody, and no cost is less than nothing.

use ats_analyzer::{Options, analyze};
use ats_documents::{
    Analysis,
    causes::{Cause, Stretch},
};
use ats_model::{
    EventSource,
    delay::Extent,
    source::{InMemory, Unmeasured},
};
use proptest::prelude::*;

use super::{analysis, values};
use crate::{has_lost_places, in_parts::InParts, omp_random, random};

/// Analyzes a trace with and without causes; the rest of the analysis is the same.
fn checked(trace: &impl EventSource, extent: Extent, records_in_memory: usize) -> Analysis {
    let options = Options { records_in_memory, ..Options::default() };
    let without = analyze(trace, "test", &options).unwrap_or_else(|error| panic!("{error}"));
    let mut with = analysis(trace, extent, records_in_memory);
    let causes = with.causes.take();
    let is_of_causes = |warning: &String| warning.contains("cause");
    let mut others = with.clone();
    others.warnings.retain(|warning| !is_of_causes(warning));
    if ![&others, &without].into_iter().any(has_lost_places) {
        assert_eq!(others, without);
    }
    assert!(causes.is_some() || with.warnings.iter().any(is_of_causes), "{:?}", with.warnings);
    let analysis = Analysis { causes, ..with };
    assert_sound(&analysis);
    analysis
}

/// Asserts that all costs are amounts, and that those of each finding add up to its waits.
pub(super) fn assert_sound(analysis: &Analysis) {
    let Some(causes) = &analysis.causes else { return };
    let is_amount = |seconds: f64| seconds.is_finite() && seconds >= 0.0;
    for (metric, rows) in &causes.metrics {
        assert!(rows.iter().all(|&(_, _, seconds)| is_amount(seconds)), "{metric}: {rows:?}");
    }
    for caused in &causes.findings {
        let sums = [caused.direct, caused.indirect, caused.propagating, caused.terminal, caused.unattributed];
        assert!(sums.into_iter().all(is_amount), "{caused:?}");
        let is_sound = |cause: &Cause| [cause.direct, cause.indirect, cause.hops].into_iter().all(is_amount);
        assert!(caused.causes.iter().all(is_sound), "{caused:?}");
        let finding = analysis.findings.iter().find(|finding| finding.id == caused.finding).unwrap();
        let all = caused.causes.iter().map(|cause| cause.seconds()).sum::<f64>() + caused.unattributed;
        let waits = finding.waiting_time;
        assert!((all - waits).abs() <= 1e-9 * waits, "{waits} waited, {all} caused: {caused:#?}");
    }
    assert!(is_amount(causes.critical_path.seconds), "{:?}", causes.critical_path);
    let is_part = |part: &Stretch| is_amount(part.begin) && part.begin <= part.end;
    assert!(causes.critical_path.stretches.iter().all(is_part), "{:?}", causes.critical_path);
}

/// Asserts that two analyses are the same, but for the numbers of call paths.
pub(super) fn assert_same(mut one: Analysis, mut other: Analysis) {
    let (of_one, of_other) = (values(&one), values(&other));
    assert!(of_one.keys().eq(of_other.keys()), "{of_one:?}\n{of_other:?}");
    for (key, value) in of_one {
        assert!((of_other[&key] - value).abs() <= 1e-9 * value, "{key:?}: {value} and {}", of_other[&key]);
    }
    let (of_one, of_other) = (one.causes.take().unwrap(), other.causes.take().unwrap());
    for (one, other) in of_one.findings.iter().zip(&of_other.findings) {
        assert!((one.direct - other.direct).abs() <= 1e-9 * one.direct, "{one:?}\n{other:?}");
        assert!((one.propagating - other.propagating).abs() <= 1e-9 * one.propagating, "{one:?}\n{other:?}");
        assert_eq!((&one.finding, one.causes.len()), (&other.finding, other.causes.len()));
    }
    assert_eq!(of_one.findings.len(), of_other.findings.len());
    assert_eq!(of_one.critical_path, of_other.critical_path);
    assert_eq!(one, other);
}

/// Damages a trace: a location, an event of it, a number of ticks, and the kind of damage.
fn damage(trace: &mut InMemory, damages: Vec<(prop::sample::Index, prop::sample::Index, u64, u8)>) {
    let locations = trace.events.len();
    for (location, index, ticks, kind) in damages {
        let location = location.index(locations);
        let events = &mut trace.events[location];
        if events.is_empty() {
            continue;
        }
        let at = index.index(events.len());
        match kind {
            0 => _ = events.remove(at),
            1 => events.truncate(at),
            2 => events.insert(at, events[at]),
            3 => {
                let (time, event) = events.remove(at);
                let other = &mut trace.events[(location + 1) % locations];
                let position = other.partition_point(|&(other, _)| other < time);
                other.insert(position, (time, event));
            }
            // The clock leaps ahead, or lies behind all others.
            4 => events[at..].iter_mut().for_each(|(time, _)| *time += ticks),
            5 => events.iter_mut().for_each(|(time, _)| *time = time.saturating_sub(ticks)),
            6 => events.clear(),
            // One time stamp is wrong, or two events have changed places.
            7 => events[at].0 = ticks,
            _ => events.swap(at, at / 2),
        }
    }
}

/// Damages of the first `kinds`.
fn damages(kinds: u8) -> impl Strategy<Value = Vec<(prop::sample::Index, prop::sample::Index, u64, u8)>> {
    prop::collection::vec(
        (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..60u64, 0..kinds),
        0..8,
    )
}

fn extent() -> impl Strategy<Value = Extent> {
    prop_oneof![Just(Extent::Scalasca), Just(Extent::All)]
}

proptest! {
    #[test]
    fn all_waits_of_processes_have_causes(
        steps in random::steps(),
        damages in damages(9),
        extent in extent(),
        part in 1..40usize,
        records in 0..30usize,
    ) {
        let mut trace = random::trace(&steps);
        damage(&mut trace, damages);
        checked(&trace, extent, 4_000_000);
        // Where time runs backwards, what is found depends on when it is settled.
        assert_sound(&analysis(&InParts { trace, part, has_common_clock: true }, extent, records));
    }

    #[test]
    fn all_waits_of_threads_have_causes(
        steps in omp_random::steps(),
        damages in damages(9),
        extent in extent(),
        part in 1..40usize,
        records in 0..30usize,
    ) {
        let mut trace = omp_random::play(&steps).trace();
        damage(&mut trace, damages);
        checked(&trace, extent, 4_000_000);
        // Where time runs backwards, what is found depends on when it is settled.
        assert_sound(&analysis(&InParts { trace, part, has_common_clock: true }, extent, records));
    }

    #[test]
    fn clocks_that_were_not_measured_give_sound_causes(
        steps in random::steps(),
        damages in damages(9),
        extent in extent(),
    ) {
        let mut trace = random::trace(&steps);
        damage(&mut trace, damages);
        checked(&Unmeasured(trace), extent, 4_000_000);
    }

    #[test]
    fn early_settling_keeps_the_causes(
        of_processes in random::steps(),
        of_threads in omp_random::steps(),
        damages in damages(1),
        extent in extent(),
        part in 1..40usize,
        records in 0..30usize,
    ) {
        for mut trace in [random::trace(&of_processes), omp_random::play(&of_threads).trace()] {
            damage(&mut trace, damages.clone());
            let mut trace = InParts { trace, part: usize::MAX, has_common_clock: true };
            let at_once = checked(&trace, extent, 4_000_000);
            trace.part = part;
            let early = checked(&trace, extent, records);
            if ![&at_once, &early].into_iter().any(has_lost_places) {
                assert_same(early, at_once);
            }
        }
    }
}

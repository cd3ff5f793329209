//! Against the analyzer, which computes causes by another way, with any memory.

use std::{collections::BTreeMap, fmt::Debug};

use ats_compose::{Composition, Subject};
use ats_documents::Analysis;
use ats_model::{
    CallSite, Event, EventSource,
    definitions::Paradigm,
    delay::{Delay, Extent, Term},
    event::RegionRef,
    source::InMemory,
};
use ats_props::Catalogue;
use ats_testing::causes::{RUNS, Values};
use ats_testing::peer;

use super::{charged, found, of_ideal_trace, seconds};
use crate::{
    Size,
    causes::{Causes, causes},
};

fn analysis(trace: &impl EventSource, extent: Extent, records_in_memory: usize) -> Analysis {
    let causes = Some(extent);
    let options = ats_analyzer::Options { causes, records_in_memory, ..ats_analyzer::Options::default() };
    ats_analyzer::analyze(trace, "random", &options).unwrap()
}

/// The kind of a wait's causes, if they are asked for.
fn delay(finding: &ats_documents::Finding, extent: Extent) -> Option<Delay> {
    finding.property.and_then(Delay::from_wait_state).filter(|delay| delay.extent() <= extent)
}

/// All that the analyzer computes by these definitions, under Scalasca's names, and the sums of findings by kind and call
/// path.
fn analyzed(analysis: &Analysis) -> Values {
    let causes = analysis.causes.as_ref().unwrap();
    let mut values = Values::new();
    for (metric, rows) in &causes.metrics {
        let is_common = !["activities", "imbalance"].iter().any(|part| metric.contains(part));
        for &(path, unit, seconds) in rows.iter().filter(|_| is_common) {
            let key = (metric.clone(), causes.label(path), unit.into());
            *values.entry(key).or_default() += seconds;
        }
    }
    for caused in &causes.findings {
        let finding = analysis.findings.iter().find(|finding| finding.id == caused.finding).unwrap();
        let all: f64 = caused.causes.iter().map(|cause| cause.seconds()).sum();
        let waited = finding.waiting_time;
        for (sum, what) in [
            (all + caused.unattributed, "caused"),
            (caused.propagating + caused.terminal, "propagating or terminal"),
        ] {
            assert!((waited - sum).abs() <= 1e-9 * waited, "{}: {waited} s, {sum} {what}", caused.finding);
        }
        let kind = delay(finding, causes.extent).unwrap().metric(Term::Short);
        for (sum, seconds) in [
            ("indirect", caused.indirect),
            ("propagating", caused.propagating),
            ("unattributed", caused.unattributed),
        ] {
            let place = CallSite::label(&finding.call_path.join("/"), finding.call_site.as_ref());
            let key = (format!("{kind}: {sum}"), place, 0);
            *values.entry(key).or_default() += seconds;
        }
    }
    values
}

/// The same, as the truth has it.
fn expected(trace: &impl EventSource, causes: &Causes) -> Values {
    let mut values = found(trace, causes);
    for (sum, of_waits) in [
        ("indirect", &causes.indirect),
        ("propagating", &causes.propagating),
        ("unattributed", &causes.unattributed),
    ] {
        for (&(kind, (_, path)), &ticks) in of_waits {
            let kind = kind.metric(Term::Short);
            let (names, site) = causes.call_path(path);
            let key = (format!("{kind}: {sum}"), CallSite::label(&names.join("/"), site), 0);
            *values.entry(key).or_default() += seconds(trace, ticks);
        }
    }
    values
}

/// Asserts that both agree about the causes of waits in an ideal trace; counts the kinds of waits.
fn assert_same(subject: &Subject, size: Size, kinds: &mut BTreeMap<Delay, u32>) {
    let (trace, of_scalasca) = of_ideal_trace(subject, size);
    assert_same_in_extent(&trace, &of_scalasca, &mut BTreeMap::new());
    let Ok(of_all) = causes(&trace, Extent::All);
    assert_same_in_extent(&trace, &of_all, kinds);
}

/// Asserts that both agree about the causes of waits in a trace; counts the kinds of waits.
fn assert_same_in<S: EventSource<Error: Debug>>(trace: &S, kinds: &mut BTreeMap<Delay, u32>) {
    assert_same_in_extent(trace, &causes(trace, Extent::Scalasca).unwrap(), &mut BTreeMap::new());
    assert_same_in_extent(trace, &causes(trace, Extent::All).unwrap(), kinds);
}

/// Asserts that both agree about the causes of the waits of an extent, and that the costs are as much as the waits;
/// counts the kinds of waits.
fn assert_same_in_extent(trace: &impl EventSource, causes: &Causes, kinds: &mut BTreeMap<Delay, u32>) {
    let expected = expected(trace, causes);
    let mut charged = charged(trace, causes);
    for records_in_memory in [1, 4_000_000] {
        let analysis = analysis(trace, causes.extent, records_in_memory);
        let values = analyzed(&analysis);
        for key in expected.keys().chain(values.keys()) {
            let of = |values: &Values| values.get(key).copied().unwrap_or_default();
            let (ours, theirs) = (of(&expected), of(&values));
            assert!(
                (ours - theirs).abs() <= 1e-9 * ours.max(theirs) + 1e-12,
                "{records_in_memory} records: {key:?} is {ours}, the analyzer says {theirs}"
            );
        }
        if records_in_memory > 1 {
            let mut waits: BTreeMap<Delay, f64> = BTreeMap::new();
            for finding in &analysis.findings {
                if let Some(delay) = delay(finding, causes.extent) {
                    *waits.entry(delay).or_default() += finding.waiting_time;
                }
            }
            for (kind, waited) in waits {
                let charged = charged.remove(&kind).unwrap_or_default();
                assert!((waited - charged).abs() <= 1e-9 * waited, "{kind:?} {waited}, charged {charged}");
                *kinds.entry(kind).or_default() += 1;
            }
        }
    }
    assert!(charged.values().all(|&seconds| seconds == 0.0), "{charged:?}");
}

/// Compares compositions of random properties; returns how many there were, and the waits of each kind in them.
fn assert_same_in_compositions(
    seeds: std::ops::Range<u64>,
    size: impl Fn(usize) -> (Size, usize),
    is_wanted: impl Fn(&Composition) -> bool,
) -> (u32, BTreeMap<Delay, u32>) {
    let (mut compared, mut kinds) = (0, BTreeMap::new());
    for seed in seeds {
        let (size, phases) = size(seed as usize);
        let catalogue = Catalogue::builtin();
        let composition = Composition::random(&catalogue, seed, size.ranks, size.threads, phases).unwrap();
        if is_wanted(&composition) {
            println!("seed {seed}");
            assert_same(&Subject::from(&composition), size, &mut kinds);
            compared += 1;
        }
    }
    (compared, kinds)
}

#[test]
fn the_analyzer_computes_the_same_in_compositions_of_processes() {
    let size = |seed| (Size::ranks(2 + seed % 32), 1 + seed % 4);
    let (compared, kinds) = assert_same_in_compositions(0..100, size, |_| true);
    assert_eq!(compared, 100);
    assert!(kinds.len() == 11 && kinds.values().all(|&number| number > 2), "{kinds:?}");
}

#[test]
fn the_analyzer_computes_the_same_in_compositions_of_teams() {
    let size = |seed| (Size { threads: 2 + seed % 7, ..Size::ranks(1 + seed % 9) }, 3);
    let (compared, kinds) = assert_same_in_compositions(0..100, size, |composition| composition.needs().team);
    assert!(compared > 90, "{compared}");
    // All but waits in `MPI_Init`: a composition has one, at its begin.
    assert!(kinds.len() == Delay::ALL.len() - 1 && kinds.values().all(|&number| number > 1), "{kinds:?}");
}

#[test]
fn the_analyzer_computes_the_same_in_traces_of_scorep() {
    let mut kinds = BTreeMap::new();
    for run in RUNS {
        println!("{run}");
        let trace = ats_trace::Archive::open(&peer(run).join("traces.otf2")).unwrap();
        assert_same_in(&trace, &mut kinds);
    }
    assert_eq!(kinds.len(), 13, "{kinds:?}");
}

/// A trace whose calls of each function of MPI come from two places in turn.
fn called_from_two_places(mut trace: InMemory) -> InMemory {
    let regions = &mut trace.definitions.regions;
    let known = regions.len();
    let mut others = regions.clone();
    for (function, of) in [("first", &mut *regions), ("second", &mut others)] {
        for region in of.iter_mut().filter(|region| region.paradigm == Paradigm::Mpi) {
            let function = function.to_owned();
            region.call_site = Some(CallSite { function, file: "random.c".to_owned(), line: 7 });
        }
    }
    regions.append(&mut others);
    for events in &mut trace.events {
        let (mut open, mut calls) = (Vec::new(), 0);
        for (_, event) in events.iter_mut() {
            match event {
                Event::Enter { region } => {
                    let is_call = trace.definitions.regions[region.0 as usize].paradigm == Paradigm::Mpi;
                    calls += u32::from(is_call);
                    if is_call && calls % 2 == 0 {
                        *region = RegionRef(region.0 + known as u32);
                    }
                    open.push(*region);
                }
                Event::Leave { region } => *region = open.pop().unwrap(),
                _ => {}
            }
        }
    }
    trace
}

#[test]
fn the_analyzer_computes_the_same_of_calls_from_several_places() {
    let (mut kinds, mut with_sites) = (BTreeMap::new(), 0);
    for seed in 0..100 {
        println!("seed {seed}");
        let size = Size::ranks(2 + seed as usize % 7);
        let composition =
            Composition::random(&Catalogue::builtin(), seed, size.ranks, size.threads, 3).unwrap();
        let (trace, _) = of_ideal_trace(&Subject::from(&composition), size);
        let trace = called_from_two_places(trace);
        assert_same_in(&trace, &mut kinds);
        let causes = analysis(&trace, Extent::All, 4_000_000).causes.unwrap();
        with_sites += causes.call_sites.len();
    }
    assert!(kinds.len() == 11 && with_sites > 200, "{kinds:?}, {with_sites} call sites");
}

#[test]
fn the_analyzer_computes_the_same_in_every_program() {
    let mut kinds = BTreeMap::new();
    for program in Catalogue::builtin().programs() {
        let subject = Subject::from(program);
        for size in Size::for_property(program.property) {
            println!("{} {size:?}", subject.name());
            assert_same(&subject, size, &mut kinds);
        }
    }
    assert_eq!(kinds.len(), Delay::ALL.len(), "{kinds:?}");
}

//! Comparisons of programs in virtual time, whose waits are known, and of small traces.

use std::collections::BTreeMap;
use std::sync::Arc;

use ats_analyzer::{Options, notation};
use ats_compose::{Composition, Subject};
use ats_diagnosis::{Divided, compare, divide_trace};
use ats_documents::comparison::{Comparison, Measure, PlaceDifference, Side, Term};
use ats_documents::finding::{HARNESS_REGIONS, MEASURED_REGION};
use ats_model::WaitState;
use ats_model::quantity::View;
use ats_props::{Catalogue, Entry, Location};
use ats_trace::Trace;
use ats_truth::{GivenSize, Planned, Size, TruthOptions, ideal_trace, nominal};

use crate::common::{assert_close, planned, simulated};

fn run(planned: &Planned) -> Divided {
    let trace = ideal_trace::in_memory(&planned.subject, planned.size, &TruthOptions::default()).unwrap();
    divide_trace(&trace, planned.subject.name(), &Options::default()).unwrap()
}

fn of_text(text: &str) -> Divided {
    divide_trace(&notation::parse(text).unwrap(), "test", &Options::default()).unwrap()
}

/// A comparison in seconds, which adds up.
fn compared(a: &[Divided], b: &[Divided]) -> Comparison {
    let document = compare(a, b, Measure::Seconds);
    let terms: f64 = document.terms.iter().map(|of| of.difference.change()).sum();
    assert_close(terms, document.whole.change(), "sum of the terms");
    for of in &document.terms {
        let places: f64 = of.places.iter().map(|place| place.difference.change()).sum();
        assert_close(places, of.difference.change(), of.term.name());
    }
    document
}

/// The waits in another location's place, by state and call path: those that a comparison tells from work.
type Waits = BTreeMap<(WaitState, Vec<String>), f64>;

fn waits_of_truth(planned: &Planned) -> Waits {
    let truth = nominal(&planned.subject, planned.size, &TruthOptions::default()).unwrap();
    let mut waits = Waits::new();
    for finding in truth.findings.iter().chain(&truth.ambient) {
        let Some(state) = finding.property.filter(|state| state.awaited().is_some()) else { continue };
        if finding.view == View::Wait && finding.in_basis {
            let path = finding.call_path.iter().filter(|name| *name != MEASURED_REGION).cloned().collect();
            *waits.entry((state, path)).or_default() += finding.waiting_time;
        }
    }
    waits
}

/// Places where waits differ, with their paths in A.
fn waits(document: &Comparison) -> impl Iterator<Item = (WaitState, &PlaceDifference)> {
    let of_waits =
        |term| matches!(term, Term::Messages | Term::Collectives | Term::OmpBarriers | Term::Locks);
    let places = document.terms.iter().filter(move |of| of_waits(of.term)).flat_map(|of| &of.places);
    places.filter_map(|place| Some((place.wait_state?, place)))
}

/// Checks that waits differ as the truths of both programs do, at each call path; returns the seconds of all differences.
/// Paths are those in B, and those of A have `renamed` names.
fn check_waits(document: &Comparison, [a, b]: [&Planned; 2], renamed: [&str; 2], what: &str) -> f64 {
    let mut expected = waits_of_truth(b);
    for ((state, mut path), seconds) in waits_of_truth(a) {
        path.iter_mut().filter(|name| *name == renamed[0]).for_each(|name| *name = renamed[1].to_owned());
        *expected.entry((state, path)).or_default() -= seconds;
    }
    let mut found = Waits::new();
    for (state, place) in waits(document) {
        let path = place.place.call_path_in_b.as_ref().unwrap_or(&place.place.call_path);
        let path = path.iter().filter(|name| *name != MEASURED_REGION).cloned().collect();
        *found.entry((state, path)).or_default() += place.difference.change();
    }
    for key in expected.keys().chain(found.keys()) {
        let of = |waits: &Waits| waits.get(key).copied().unwrap_or_default();
        assert_close(of(&found), of(&expected), &format!("{what}: {key:?}"));
    }
    expected.values().map(|seconds| seconds.abs()).sum()
}

/// Properties that show another wait, or threads without work, that is as large as theirs.
const WITH_MORE: [&str; 8] = [
    "blocked_sender",
    "heat_solver_serial_output",
    "heat_solver_slow_rank",
    "mpi_in_master_with_barrier",
    "mpi_outside_parallel",
    "omp_imbalance_at_mpi_barrier",
    "unparallelized_in_ordered_loop",
    "wrong_order",
];

#[test]
fn each_property_differs_from_its_twin_by_what_it_shows() {
    let catalogue = Catalogue::builtin();
    let size = GivenSize { ranks: Some(4), threads: None };
    let mut by_formula = 0;
    for program in catalogue.programs() {
        let (Some(twin), Some(state)) = (program.twin(), program.property.finds.wait_state()) else {
            continue;
        };
        if program.property.entry != Entry::Function || state.awaited().is_none() {
            continue;
        }
        let renamed = [twin.name(), program.name()];
        let [twin, property] = [twin, program].map(|of| {
            let size = if of.property.needs.ranks { size } else { GivenSize::default() };
            Planned::named(of.name(), &[], size, &catalogue).unwrap()
        });
        let document = compared(&[run(&twin)], &[run(&property)]);
        let what = program.name();
        check_waits(&document, [&twin, &property], renamed, what);
        if state.view() != View::Wait {
            continue;
        }
        let first = document.terms[0].places.first().and_then(|place| place.wait_state);
        assert_eq!(first == Some(state), !WITH_MORE.contains(&what), "{what}: {document:#?}");
        let shown = program.property.finds.find(state).unwrap();
        let (Some(total), None) = (shown.total, shown.of_twin) else { continue };
        let Subject::Property { arguments, .. } = &property.subject else { continue };
        let Size { ranks, threads } = property.size;
        let participants = if program.property.needs.ranks { ranks } else { threads };
        let location = Location { ranks, threads, rank: 0, thread: 0, participants, eager_limit: 65536 };
        let of_state = waits(&document).filter(|(of, _)| *of == state);
        let found = of_state.map(|(_, place)| place.difference.change()).sum();
        assert_close(found, total(arguments, &location), what);
        by_formula += 1;
    }
    assert!(by_formula > 40, "{by_formula}");
}

/// The numbers of a composition that are seconds, or repetitions, each with the property that it is of.
fn parameters<'a>(
    value: &'a mut toml::Value,
    name: &str,
    step: &str,
    found: &mut Vec<(String, &'a mut toml::Value)>,
) {
    match value {
        toml::Value::Float(_) => found.push((step.to_owned(), value)),
        toml::Value::Integer(_) if name == "r" => found.push((step.to_owned(), value)),
        toml::Value::Array(all) => all.iter_mut().for_each(|value| parameters(value, name, step, found)),
        toml::Value::Table(table) => {
            let own = table.get("name").and_then(toml::Value::as_str).map(str::to_owned);
            let step = own.as_deref().unwrap_or(step);
            table.iter_mut().for_each(|(name, value)| parameters(value, name, step, found));
        }
        _ => {}
    }
}

/// Checks pairs of compositions that differ in one parameter, of a seed each; at least so many of these differ in time.
fn check_pairs(seeds: std::ops::Range<u64>, least: usize, size: fn(u64) -> (usize, usize)) {
    let catalogue = Catalogue::builtin();
    let mut differ = 0;
    for seed in seeds {
        let (ranks, threads) = size(seed);
        let composition =
            Composition::random(&catalogue, seed, ranks, threads, 1 + seed as usize % 3).unwrap();
        let mut other: toml::Value = toml::from_str(&composition.to_toml()).unwrap();
        let mut numbers = Vec::new();
        parameters(&mut other, "", "", &mut numbers);
        let chosen = seed as usize % numbers.len().max(1);
        let Some((step, number)) = numbers.into_iter().nth(chosen) else { continue };
        match number {
            toml::Value::Float(seconds) => *seconds = *seconds * 1.5 + 0.01,
            toml::Value::Integer(times) => *times += 1,
            _ => unreachable!("it is a number"),
        }
        let other = Composition::parse(&toml::to_string(&other).unwrap(), "other", &catalogue).unwrap();
        let [before, after] = [composition, other].map(|composition| {
            let size = Size { ranks: composition.ranks(), threads: composition.threads() };
            Planned { subject: Subject::Composition(Arc::new(composition)), size }
        });
        // A test in vain takes time, which is part of a wait but for the end of the last one.
        let polls = |state: Option<WaitState>| state.is_some_and(WaitState::is_of_tests);
        if before.subject.properties().into_iter().any(|property| polls(property.finds.wait_state())) {
            continue;
        }
        let document = compared(&[run(&before)], &[run(&after)]);
        let seconds = check_waits(&document, [&before, &after], [""; 2], &format!("seed {seed}"));
        // Work differs in the property or its twin alone, and where ranks wait for each other unseen, between phases.
        let more = work(&document, Term::MoreWork).into_iter();
        for (path, change) in more.chain(work(&document, Term::SlowerWork)) {
            let is_step =
                |name: &str| name.trim_end_matches("_balanced") == step || HARNESS_REGIONS.contains(&name);
            let is_of_step = path.split('/').any(is_step);
            assert!(is_of_step || change.abs() < 1e-9, "seed {seed}: {change} s of {path}, not of {step}");
        }
        differ += usize::from(seconds > 0.0 || document.whole.change().abs() > 1e-9);
    }
    assert!(differ >= least, "{differ} of at least {least}");
}

#[test]
fn compositions_of_processes_differ_by_what_one_parameter_changes() {
    check_pairs(ats_testing::seeds(240), 200, |seed| (2 + 5 * seed as usize % 13, 1));
}

#[test]
fn compositions_of_threads_differ_by_what_one_parameter_changes() {
    check_pairs(ats_testing::seeds(120), 90, |seed| (1 + seed as usize % 5, 2 + seed as usize % 4));
}

#[test]
fn a_trace_does_not_differ_from_itself() {
    for peer in
        ["scorep-7props-4ranks", "scorep-hybrid-2x2", "extrae-patterns-4ranks", "recorder-patterns-4ranks"]
    {
        let folder = ats_testing::peer(peer);
        let file =
            ["traces.otf2", "trace.prv"].map(|name| folder.join(name)).into_iter().find(|file| file.exists());
        let trace = Trace::open(&file.unwrap()).unwrap();
        let run = divide_trace(&trace, peer, &Options::default()).unwrap();
        let document = compared(std::slice::from_ref(&run), std::slice::from_ref(&run));
        assert!(document.terms.iter().all(|of| of.places.is_empty()), "{peer}: {document:#?}");
        assert!(document.whole.a > 0.0 && document.slower(0.0).next().is_none());
    }
}

#[test]
fn profiles_differ_by_the_same_waits_as_traces() {
    for (program, twin, ranks, threads) in [
        ("late_sender", "late_sender_balanced", 4, 1),
        ("early_reduce", "early_reduce_balanced", 4, 1),
        ("imbalance_at_omp_barrier", "imbalance_at_omp_barrier_balanced", 1, 3),
    ] {
        let [before, after] = [twin, program].map(|name| simulated(name, ranks, threads));
        let [a, b] = [&before, &after].map(|kept| Divided::of_profile(&kept.profile));
        let document = compared(&[a], &[b]);
        let seconds = waits(&document).map(|(_, place)| place.difference.change()).sum();
        let [a, b] = [twin, program].map(|name| {
            let waits = waits_of_truth(&planned(name, &[], ranks, threads));
            waits.values().sum::<f64>()
        });
        assert_close(seconds, b - a, program);
        assert!(seconds > 0.0, "{program}");
    }
}

/// The differences of computing, by place.
fn work(document: &Comparison, term: Term) -> Vec<(String, f64)> {
    let of = document.terms.iter().filter(|of| of.term == term).flat_map(|of| &of.places);
    of.map(|place| (place.place.call_path.join("/"), place.difference.change())).collect()
}

#[test]
fn more_passes_are_more_work_and_longer_ones_slower_work() {
    let before = of_text("0: 0..2 a; 2..4 a; 4..5 b");
    let after = of_text("0: 0..3 a; 3..6 a; 6..9 a; 9..10 c");
    let document = compared(&[before], &[after]);
    // Of a, a pass of 2 s more, and 1 s more in each of 3 passes.
    assert_eq!(work(&document, Term::MoreWork), [("a".to_owned(), 2.0)]);
    assert_eq!(work(&document, Term::SlowerWork), [("a".to_owned(), 3.0)]);
    let before = of_text("0: 0..2 a; 2..3 b; 3..4 c");
    let document = compared(&[before], &[of_text("0: 0..2 a; 2..7 d")]);
    let mut more = work(&document, Term::MoreWork);
    more.sort_by(|one, other| one.0.cmp(&other.0));
    assert_eq!(more, [("b".to_owned(), -1.0), ("c".to_owned(), -1.0), ("d".to_owned(), 5.0)]);
    let sides: Vec<_> = document.terms[0].places.iter().map(|place| place.place.only_in).collect();
    assert_eq!(sides, [Some(Side::B), Some(Side::A), Some(Side::A)]);
}

#[test]
fn moved_and_renamed_code_is_the_same() {
    let before = of_text("0: 0 enter main; 0 enter old; 0..4 solve; 4 leave; 4..5 write; 5 leave");
    let after = of_text("0: 0 enter main; 0 enter new; 0..6 solve; 6 leave; 6..7 write; 7 leave");
    let document = compared(&[before], &[after]);
    assert_eq!(work(&document, Term::SlowerWork), [("main/old/solve".to_owned(), 2.0)]);
    let place = &document.terms[0].places[0].place;
    assert_eq!(place.call_path_in_b.as_ref().unwrap().join("/"), "main/new/solve");
    assert_eq!(place.only_in, None);
}

#[test]
fn runs_of_other_sizes_are_compared_by_shares() {
    let two = "0: 0..8 a; 8..10 MPI_Barrier barrier\n 1: 0..10 a; 10..10 MPI_Barrier barrier";
    let document = compare(&[of_text("0: 0..20 a")], &[of_text(two)], Measure::Seconds);
    assert_eq!(document.measure, Measure::Shares);
    let changes: Vec<_> = document.terms.iter().map(|of| (of.term, of.difference.change())).collect();
    assert_close(changes[0].1.abs(), 0.1, "waits");
    assert_close(changes[0].1 + changes[1].1, 0.0, "all");
    assert_eq!(changes.len(), 2);
}

#[test]
fn differences_of_repeats_are_noise() {
    let of = |seconds: &[u32]| -> Vec<Divided> {
        seconds.iter().map(|seconds| of_text(&format!("0: 0..{seconds} a"))).collect()
    };
    let noise = |a: &[u32], b: &[u32]| compared(&of(a), &of(b)).whole.noise;
    assert_eq!(noise(&[100], &[200]), None);
    let is_noise = |a: &[u32], b: &[u32]| compared(&of(a), &of(b)).terms[0].difference.is_noise();
    assert!(is_noise(&[100, 110, 120], &[105, 115, 125]));
    assert!(!is_noise(&[100, 102, 101], &[110, 112, 111]));
    // Student's t of 4 degrees of freedom, and a standard deviation of 1 s.
    assert_close(noise(&[100, 102, 101], &[110, 112, 111]).unwrap(), 4.604 * (2.0_f64 / 3.0).sqrt(), "noise");
    let document = compared(&of(&[100, 102, 101]), &of(&[110, 112, 111]));
    let slower = |share| document.slower(share).map(|of| of.term).collect::<Vec<_>>();
    assert_eq!(slower(0.05), [Term::SlowerWork]);
    assert_eq!(slower(0.15), []);
}

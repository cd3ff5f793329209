//! One property in three languages, and on the virtual engine: the same calls, the same call paths, the same findings.

#[path = "../../ats-harness/tests/common/mod.rs"]
mod in_rust;
mod suite;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ats_generator::{Generated, Language, Mpi, Options, SuiteSource, generate_set};
use ats_model::openmp::without_place;
use ats_model::{Event, EventSource, Finding};
use ats_props::{Catalogue, Program, Property};
use ats_validation::ideal_trace;
use ats_validation::size::Size;
use ats_validation::truth::{TruthOptions, nominal};
use suite::{has, prefix, record, succeed};

/// What is the same in all of them: how often each call was made, how often the masters were at each call path, and
/// how long was waited, by wait state and call path.
#[derive(Debug, Default, PartialEq)]
struct Shown {
    counts: BTreeMap<String, u64>,
    visits: BTreeMap<String, u64>,
    waits: BTreeMap<String, f64>,
}

/// How far a wait may be off: a share of it, and seconds.
const TOLERANCE: (f64, f64) = (0.2, 0.02);

/// How often a program may be run until it conforms: the machine may be busy with something else.
const ATTEMPTS: usize = 5;

impl Shown {
    fn virtually(program: Program, size: Size) -> Self {
        let arguments = program.property.arguments(short(program.property)).unwrap();
        let truth = nominal(&program, &arguments, size, &TruthOptions::default()).unwrap();
        let trace = ideal_trace::in_memory(&program, &arguments, size, &TruthOptions::default()).unwrap();
        Shown {
            counts: counts(truth.counts.iter().map(|(call, count)| (call, count.calls))),
            visits: visits(&trace, program.name()),
            waits: waits(&truth.findings, program.name()),
        }
    }

    fn really(program: Program, size: Size, executable: &Path) -> Self {
        let mut arguments: Vec<String> =
            short(program.property).map(|(name, value)| format!("{name}={value}")).into();
        arguments.extend(program.property.paradigm.has_team().then(|| format!("--threads={}", size.threads)));
        let ranks = program.property.paradigm.has_ranks().then_some(size.ranks as u32);
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        let run = record(ranks, executable, &arguments);
        Shown {
            counts: counts(run.analysis.counts.iter().map(|(call, &calls)| (call, calls))),
            visits: visits(&run.archive, program.name()),
            waits: waits(&run.analysis.findings, program.name()),
        }
    }

    /// What is not as expected, by what it is, in words.
    fn differences(&self, expected: &Shown) -> BTreeMap<String, String> {
        let mut all = BTreeMap::new();
        let keys = |a: &BTreeMap<String, f64>, b: &BTreeMap<String, f64>| {
            a.keys().chain(b.keys()).cloned().collect::<BTreeSet<_>>()
        };
        for place in keys(&self.waits, &expected.waits) {
            let [found, known] =
                [self, expected].map(|shown| shown.waits.get(&place).copied().unwrap_or_default());
            if (found - known).abs() > TOLERANCE.0 * known + TOLERANCE.1 {
                all.insert(place, format!("{found} s, not {known} s"));
            }
        }
        if self.counts != expected.counts {
            all.insert("calls".to_owned(), format!("{:#?}, not {:#?}", self.counts, expected.counts));
        }
        if self.visits != expected.visits {
            all.insert("visits".to_owned(), format!("{:#?}, not {:#?}", self.visits, expected.visits));
        }
        all
    }
}

/// Calls that are no communication, and a construct that LLVM's runtime does not tell of.
const UNTOLD: [&str; 3] = ["MPI_Comm_rank", "MPI_Comm_size", "!$omp section"];

/// What any thread may execute.
const ANYWHERE: [&str; 2] = ["!$omp single sblock", "!$omp task"];

fn counts<'a>(calls: impl Iterator<Item = (&'a String, u64)>) -> BTreeMap<String, u64> {
    let told = calls.filter(|(call, _)| !UNTOLD.contains(&call.as_str()));
    told.map(|(call, calls)| (call.clone(), calls)).collect()
}

/// How often the masters enter each region in a property.
fn visits(source: &impl EventSource, property: &str) -> BTreeMap<String, u64> {
    let mut visits = BTreeMap::new();
    let definitions = source.definitions();
    for (index, location) in definitions.locations.iter().enumerate() {
        if location.thread > 0 {
            continue;
        }
        let mut stack: Vec<&str> = Vec::new();
        source
            .read_location(index, |_, event| match event {
                Event::Enter { region } => {
                    stack.push(without_place(&definitions.regions[region.0 as usize].name));
                    if let Some(at) = stack.iter().position(|&name| name == property)
                        && !stack.iter().any(|name| UNTOLD.contains(name) || ANYWHERE.contains(name))
                    {
                        *visits.entry(stack[at..].join("/")).or_default() += 1;
                    }
                }
                Event::Leave { .. } => drop(stack.pop()),
                _ => {}
            })
            .unwrap();
    }
    visits
}

fn waits(findings: &[Finding], property: &str) -> BTreeMap<String, f64> {
    let mut waits = BTreeMap::new();
    for finding in findings {
        let path: Vec<_> = finding.call_path.iter().map(|region| without_place(region)).collect();
        if let (Some(state), Some(at)) = (finding.property, path.iter().position(|&name| name == property)) {
            *waits.entry(format!("{} at {}", state.name(), path[at..].join("/"))).or_default() +=
                finding.waiting_time;
        }
    }
    waits
}

/// Few repetitions.
fn short(property: &Property) -> [(&'static str, &'static str); 1] {
    assert!(property.repeats());
    [(Property::REPETITIONS, "2")]
}

fn size(property: &Property) -> Size {
    Size::defaults(property.paradigm)[0]
}

/// Notes what a program does not show as it should, each time that it is run.
fn conforms(program: Program, executable: &Path, failures: &mut Vec<String>) {
    let size = size(program.property);
    let expected = Shown::virtually(program, size);
    assert!(!expected.visits.is_empty(), "{}", program.name());
    let run = || Shown::really(program, size, executable).differences(&expected);
    let mut differing = run();
    for _ in 1..ATTEMPTS {
        if differing.is_empty() {
            return;
        }
        let again = run();
        differing.retain(|what, _| again.contains_key(what));
    }
    let words = differing.iter().map(|(what, how)| format!("{}: {what}: {how}", executable.display()));
    failures.extend(words);
}

fn mpi() -> Mpi {
    Mpi { compiler: "mpicc.openmpi".to_owned() }
}

/// Programs of properties, built with `libats`.
fn programs<'a>(language: Language, properties: impl IntoIterator<Item = &'a Property>) -> Generated {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("programs-{}", language.name()));
    let suite = SuiteSource::find().unwrap();
    let options = Options { language, force: true, ..Options::new(suite) };
    let programs = generate_set(properties, &dir, &options).unwrap();
    for (_, mut command) in programs.build_commands(&mpi()) {
        succeed(command.env("ATS_PREFIX", prefix()));
    }
    programs
}

#[test]
fn every_c_program_is_held_to_the_virtual_engine() {
    let catalogue = Catalogue::builtin();
    let built = programs(Language::C, catalogue.properties());
    let mut failures = Vec::new();
    for program in catalogue.programs().filter(|program| !program.balanced) {
        conforms(program, &built.executable(program.name(), &mpi()), &mut failures);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// One of each kind: between two ranks, among all, a barrier and a lock of threads, and both.
const CHOSEN: [&str; 5] = [
    "late_sender",
    "imbalance_at_mpi_alltoall",
    "imbalance_at_omp_barrier",
    "critical_section_contention",
    "late_sender_hybrid",
];

#[test]
fn programs_in_rust_and_fortran_show_what_those_in_c_show() {
    let chosen = CHOSEN.map(|name| Catalogue::builtin().program(name).unwrap());
    let mut failures = Vec::new();
    for program in chosen {
        let executable = in_rust::programs().executable(program.name(), &in_rust::openmpi());
        conforms(program, &executable, &mut failures);
    }
    if has("mpifort.openmpi") {
        let built = programs(Language::Fortran, chosen.map(|program| program.property));
        for program in chosen {
            conforms(program, &built.executable(program.name(), &mpi()), &mut failures);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

//! One property in three languages, and on the virtual engine: the same calls, the same call paths, the same findings.

mod suite;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ats_generator::{Generated, Language, Mpi, Options, SuiteSource, generate_set};
use ats_model::openmp::without_place;
use ats_model::{Analysis, Event, EventSource, Finding};
use ats_props::{Catalogue, Program, Property};
use ats_trace::Archive;
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
const TOLERANCE: (f64, f64) = (0.1, 0.015);

impl Shown {
    fn virtually(program: Program, size: Size) -> Self {
        let arguments = program.property.arguments(short(program.property)).unwrap();
        let truth = nominal(&program, &arguments, size, &TruthOptions::default()).unwrap();
        let trace = ideal_trace::in_memory(&program, &arguments, size, &TruthOptions::default()).unwrap();
        Shown {
            counts: truth.counts.iter().map(|(call, count)| (call.clone(), count.calls)).collect(),
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
        let (archive, Analysis { counts, findings, .. }) = record(ranks, executable, &arguments);
        Shown {
            counts: counts.into_iter().filter(|(call, _)| !is_local(call)).collect(),
            visits: visits(&archive, program.name()),
            waits: waits(&findings, program.name()),
        }
    }

    /// What is not as expected, in words.
    fn differences(&self, expected: &Shown) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        let keys = |a: &BTreeMap<String, f64>, b: &BTreeMap<String, f64>| {
            a.keys().chain(b.keys()).cloned().collect::<BTreeSet<_>>()
        };
        for place in keys(&self.waits, &expected.waits) {
            let [found, known] =
                [self, expected].map(|shown| shown.waits.get(&place).copied().unwrap_or_default());
            if (found - known).abs() > TOLERANCE.0 * known + TOLERANCE.1 {
                all.insert(place);
            }
        }
        all.extend((self.counts != expected.counts).then(|| {
            format!("calls are {:?}, not {:?}", self.counts, expected.counts)
        }));
        all.extend((self.visits != expected.visits).then(|| {
            format!("visits are {:#?}, not {:#?}", self.visits, expected.visits)
        }));
        all
    }
}

/// Calls that are no communication.
fn is_local(call: &str) -> bool {
    ["MPI_Comm_rank", "MPI_Comm_size"].contains(&call)
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
                        && !stack.last().is_some_and(|name| is_local(name))
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

/// Fails if a program does not show what it should. Since the machine may be busy with something else, only what differs
/// in each of three runs counts.
fn conforms(program: Program, executable: &Path, failures: &mut Vec<String>) {
    let size = size(program.property);
    let expected = Shown::virtually(program, size);
    assert!(!expected.visits.is_empty(), "{}", program.name());
    let run = || Shown::really(program, size, executable).differences(&expected);
    let mut differing = run();
    for _ in 1..3 {
        if !differing.is_empty() {
            differing = &differing & &run();
        }
    }
    failures.extend(differing.iter().map(|what| format!("{}: {what}", executable.display())));
}

fn mpi() -> Mpi {
    Mpi { compiler: "mpicc.openmpi".to_owned() }
}

/// Programs of properties, built.
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
fn three_languages_and_the_virtual_engine_show_the_same() {
    let catalogue = Catalogue::builtin();
    let mut failures = Vec::new();
    for language in [Language::Rust, Language::Fortran] {
        if language == Language::Fortran && !has("mpifort.openmpi") {
            continue;
        }
        let chosen = CHOSEN.map(|name| catalogue.program(name).unwrap());
        let built = programs(language, chosen.map(|program| program.property));
        for program in chosen {
            conforms(program, &built.executable(program.name(), &mpi()), &mut failures);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

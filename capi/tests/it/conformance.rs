//! One property in three languages, and on the virtual engine: the same calls, the same call paths, the same findings.

#[path = "../../../ats-harness/tests/it/common/mod.rs"]
mod in_rust;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::suite::{has, prefix, record, succeed};
use ats_compose::Composition;
use ats_generator::{Generated, Language, Mpi, Options, Subject as Source, SuiteSource, generate_set};
use ats_model::finding::{MEASURED_REGION, View};
use ats_model::openmp::without_place;
use ats_model::{Event, EventSource, Finding, Witness};
use ats_props::{Catalogue, Paradigm, Property};
use ats_validation::ideal_trace;
use ats_validation::size::Size;
use ats_validation::subject::Subject;
use ats_validation::truth::{TruthOptions, nominal, observed};

/// What is the same in all of them: how often each call was made, how often the masters were at each call path, and
/// how long was waited, by wait state and call path.
#[derive(Debug, Default, PartialEq)]
struct Shown {
    counts: BTreeMap<String, u64>,
    visits: BTreeMap<String, u64>,
    waits: BTreeMap<String, f64>,
    /// The same by the witness, where there are no threads.
    witnessed: Option<BTreeMap<String, f64>>,
}

/// How far a wait may be off: a share of it, and seconds.
const TOLERANCE: (f64, f64) = (0.2, 0.02);

/// How far the analyzer may be off the witness of the very same run.
const WITNESS_TOLERANCE: (f64, f64) = (0.02, 0.002);

/// How often a program may be run until it conforms: the machine may be busy with something else.
const ATTEMPTS: usize = 10;

impl Shown {
    fn virtually(subject: &Subject, size: Size) -> Self {
        let truth = nominal(subject, size, &TruthOptions::default()).unwrap();
        let trace = ideal_trace::in_memory(subject, size, &TruthOptions::default()).unwrap();
        Shown {
            counts: counts(truth.counts.iter().map(|(call, count)| (call, count.calls))),
            visits: visits(&trace),
            waits: waits(subject, &truth.findings),
            witnessed: None,
        }
    }

    fn really(subject: &Subject, size: Size, executable: &Path) -> Self {
        let pairs = subject.parameters().into_iter();
        let mut arguments: Vec<_> = pairs.map(|(name, value)| format!("{name}={value}")).collect();
        arguments.extend(subject.paradigm().has_team().then(|| format!("--threads={}", size.threads)));
        let ranks = subject.paradigm().has_ranks().then_some(size.ranks as u32);
        let witness = tempfile::tempdir().unwrap();
        arguments.push(format!("--witness={}", witness.path().display()));
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        let run = record(ranks, executable, &arguments);
        Shown {
            counts: counts(run.analysis.counts.iter().map(|(call, &calls)| (call, calls))),
            visits: visits(&run.archive),
            waits: waits(subject, &run.analysis.findings),
            witnessed: (subject.paradigm() == Paradigm::Mpi).then(|| {
                let read = |rank| fs::read(witness.path().join(Witness::file_name(rank as u32))).unwrap();
                let witnesses: Vec<Witness> =
                    (0..size.ranks).map(|rank| serde_json::from_slice(&read(rank)).unwrap()).collect();
                waits(subject, &observed(subject, size, &witnesses).unwrap().findings)
            }),
        }
    }

    /// What is not as expected, by what it is, in words.
    fn differences(&self, expected: &Shown) -> BTreeMap<String, String> {
        let mut all = differing(&self.waits, &expected.waits, TOLERANCE);
        if let Some(witnessed) = &self.witnessed {
            let differing = differing(&self.waits, witnessed, WITNESS_TOLERANCE).into_iter();
            all.extend(differing.map(|(place, how)| (format!("witness: {place}"), how)));
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

/// The waits that are not as known, in words.
fn differing(
    found: &BTreeMap<String, f64>,
    known: &BTreeMap<String, f64>,
    (relative, absolute): (f64, f64),
) -> BTreeMap<String, String> {
    let places: BTreeSet<_> = found.keys().chain(known.keys()).collect();
    let amount = |of: &BTreeMap<String, f64>, place| of.get(place).copied().unwrap_or_default();
    let pairs = places.into_iter().map(|place| (place, amount(found, place), amount(known, place)));
    let is_off = |found: f64, known: f64| (found - known).abs() > relative * known + absolute;
    pairs
        .filter(|&(_, found, known)| is_off(found, known))
        .map(|(place, found, known)| (place.clone(), format!("{found} s, not {known} s")))
        .collect()
}

/// Calls that only ask, those before the measured part, and a construct that LLVM's runtime does not tell of.
const UNTOLD: [&str; 4] = ["MPI_Comm_rank", "MPI_Comm_size", "MPI_Comm_split", "!$omp section"];

/// What any thread may execute.
const ANYWHERE: [&str; 2] = ["!$omp single sblock", "!$omp task"];

fn counts<'a>(calls: impl Iterator<Item = (&'a String, u64)>) -> BTreeMap<String, u64> {
    let told = calls.filter(|(call, _)| !UNTOLD.contains(&call.as_str()));
    told.map(|(call, calls)| (call.clone(), calls)).collect()
}

/// How often the masters enter each region of the measured part.
fn visits(source: &impl EventSource) -> BTreeMap<String, u64> {
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
                    let path = measured(&stack);
                    if !path.is_empty()
                        && !path.iter().any(|name| UNTOLD.contains(name) || ANYWHERE.contains(name))
                    {
                        *visits.entry(path.join("/")).or_default() += 1;
                    }
                }
                Event::Leave { .. } => drop(stack.pop()),
                _ => {}
            })
            .unwrap();
    }
    visits
}

/// A call path below the measured part.
fn measured<'a>(path: &'a [&'a str]) -> &'a [&'a str] {
    path.iter().position(|&name| name == MEASURED_REGION).map_or(&[], |at| &path[at + 1..])
}

/// How many threads idle beside teams that are nested is the runtime's choice.
fn is_fixed(subject: &Subject, finding: &Finding) -> bool {
    let has_teams = match subject {
        Subject::Property { .. } => false,
        Subject::Composition(composition) => {
            composition.phases().iter().flat_map(|phase| &phase.groups).any(|group| !group.teams.is_empty())
        }
    };
    finding.in_basis && !(has_teams && finding.view == View::Idle)
}

fn waits(subject: &Subject, findings: &[Finding]) -> BTreeMap<String, f64> {
    let mut waits = BTreeMap::new();
    for finding in findings.iter().filter(|finding| is_fixed(subject, finding)) {
        let path: Vec<_> = finding.call_path.iter().map(|region| without_place(region)).collect();
        // What is known of a program says nothing of what is above its properties.
        let below = measured(&path);
        let path = if below.is_empty() { &path } else { below };
        if let Some(state) = finding.property {
            *waits.entry(format!("{} at {}", state.name(), path.join("/"))).or_default() +=
                finding.waiting_time;
        }
    }
    waits
}

/// A property with few repetitions.
fn short(property: &'static Property) -> Subject {
    let program = Catalogue::builtin().program(property.name).unwrap();
    assert!(property.repeats());
    Subject::Property { program, arguments: property.arguments([(Property::REPETITIONS, "2")]).unwrap() }
}

fn size(property: &Property) -> Size {
    Size::defaults(property.paradigm)[0]
}

/// Notes what a program does not show as it should, each time that it is run.
fn conforms(subject: &Subject, size: Size, executable: &Path, failures: &mut Vec<String>) {
    let expected = Shown::virtually(subject, size);
    assert!(!expected.visits.is_empty(), "{}", subject.name());
    let run = || Shown::really(subject, size, executable).differences(&expected);
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

/// Programs built with `libats`.
fn programs<'a>(
    name: &str,
    language: Language,
    subjects: impl IntoIterator<Item = impl Into<Source<'a>>>,
) -> Generated {
    let folder = format!("{name}-{}", language.name());
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let suite = SuiteSource::find().unwrap();
    let options = Options { language, force: true, ..Options::new(suite) };
    let programs = generate_set(subjects, &dir, &options).unwrap();
    for (_, mut command) in programs.build_commands(&mpi()) {
        succeed(command.env("ATS_PREFIX", prefix()));
    }
    programs
}

/// The languages that there is a compiler for.
fn native() -> impl Iterator<Item = Language> {
    [Language::C, Language::Fortran]
        .into_iter()
        .filter(|language| *language == Language::C || has("mpifort.openmpi"))
}

#[test]
fn every_c_program_is_held_to_the_virtual_engine() {
    let catalogue = Catalogue::builtin();
    let built = programs("properties", Language::C, catalogue.properties());
    let mut failures = Vec::new();
    for property in catalogue.properties() {
        let executable = built.executable(property.name, &mpi());
        conforms(&short(property), size(property), &executable, &mut failures);
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
    let chosen = CHOSEN.map(|name| Catalogue::builtin().program(name).unwrap().property);
    let mut failures = Vec::new();
    for property in chosen {
        let executable = in_rust::programs().executable(property.name, &in_rust::openmpi());
        conforms(&short(property), size(property), &executable, &mut failures);
    }
    if has("mpifort.openmpi") {
        let built = programs("properties", Language::Fortran, chosen);
        for property in chosen {
            let executable = built.executable(property.name, &mpi());
            conforms(&short(property), size(property), &executable, &mut failures);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Groups of ranks side by side, regions, and a severity that grows; and teams of threads side by side.
const COMPOSITIONS: [&str; 2] = ["hybrid", "nested"];

#[test]
fn compositions_written_out_are_held_to_the_virtual_engine() {
    let composition = |name: &str| {
        let file = format!("{}/../examples/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        Arc::new(Composition::read(file.as_ref(), &Catalogue::builtin()).unwrap())
    };
    let chosen = COMPOSITIONS.map(composition);
    let mut failures = Vec::new();
    for language in native() {
        let built = programs("compositions", language, chosen.iter().map(|composition| &**composition));
        for composition in &chosen {
            let size = Size { ranks: composition.ranks(), threads: composition.threads() };
            let subject = Subject::Composition(Arc::clone(composition));
            conforms(&subject, size, &built.executable(composition.name(), &mpi()), &mut failures);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

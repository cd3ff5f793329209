//! Every property in Rust, C and Fortran, really run, beside the virtual engine.
//!
//! Exact, in each single run: the number of every call and construct, all call paths and the number of their visits,
//! and the checksum, which is the same in all three languages. Atomics are counted in Rust alone, as compilers of C do
//! not tell the runtime of them. None of this depends on how long a location works, so what many programs share is run
//! with work of a millisecond.
//!
//! Waits are judged in programs in Rust, and in C and Fortran for each kind of parameter, as `ats validate` does it, by
//! the run's own witness: where less than half of what is planned shows by its stamps, these are so far from the
//! trace's that it explains what is wrong, or an unplanned wait shows, the machine disturbed it, and it is run again.

#[path = "../../../harness/tests/it/common/mod.rs"]
mod in_rust;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::suite::plan::{alarms, least_disturbed, wrong};
use crate::suite::visits::{Visits, counts, differing, visits, without_tests, without_untold};
use crate::suite::{prefix, prefix_without_mpi, recorder, source, succeed, turn, turn_beside_others};
use ats_compose::{Composition, Subject};
use ats_documents::score::{Judgement, Outcome, ProgramResult};
use ats_documents::{Analysis, Report, Truth};
use ats_generator::{Generated, Language, Mpi, Options, SuiteSource, generate_set, share_crates};
use ats_launch::folder::RunFolder;
use ats_launch::ready::choose_launcher;
use ats_launch::semantics::Summary;
use ats_launch::stamps::apart;
use ats_launch::tool::CallPaths;
use ats_launch::{Run, analyzed, empty};
use ats_model::Witness;
use ats_props::{Catalogue, Entry, Needs, Program, Property};
use ats_reports::source::opening::check_complete;
use ats_trace::Archive;
use ats_truth::{Size, TruthOptions, ideal_trace, nominal, observed, promised};
use ats_validation::score::interruption::explains;
use ats_validation::score::judge::{Case, Rules, judge};

/// The length of a program's work.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    /// Of the default parameters, with few repetitions: its waits are judged.
    Judged,
    /// Too short for that.
    Brief,
}

impl Work {
    /// The number of properties in a program of several: a property starts in a hundredth of a second, a program in half of
    /// one; but what a long program shows of a wait is a small share of it.
    fn together(self) -> usize {
        match self {
            Work::Judged => 8,
            Work::Brief => 24,
        }
    }
}

/// The expected behaviour of a program, in any language.
struct Expected {
    work: Work,
    subject: Subject,
    size: Size,
    truth: Truth,
    visits: Visits,
}

/// The behaviour of a recorded run.
struct Ran {
    analysis: Analysis,
    visits: Visits,
    witnesses: Vec<Witness>,
    /// Seconds between stamps of one moment.
    apart: f64,
    summary: Summary,
}

impl Expected {
    fn new(subject: Subject, size: Size, work: Work) -> Self {
        let truth = nominal(&subject, size, &TruthOptions::default()).unwrap();
        let visits = visits(&ideal_trace::in_memory(&subject, size, &TruthOptions::default()).unwrap());
        assert!(!visits.is_empty(), "{}", subject.name());
        Expected { work, subject, size, truth, visits }
    }

    /// Runs the program in a language; returns all differences from the expectation, and the program's summary.
    fn compare(&self, language: Language, executable: &Path) -> (Vec<String>, Summary) {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance").join(language.name());
        recorder();
        let run = |number: usize| {
            let _beside = turn_beside_others();
            ats_testing::before_others(ats_testing::Priority::OfRunsThatMayBeRepeated);
            self.run(executable, recorder(), &dir.join(format!("{}.{number}", self.subject.name())))
        };
        if self.work == Work::Brief {
            let ran = run(1);
            return (self.inexact(&ran, language), ran.summary);
        }
        let (mut failures, mut first) = (Vec::new(), None);
        let (result, summary) = least_disturbed(0.0, |number| {
            let ran = run(number);
            failures.extend(self.inexact(&ran, language));
            let first = first.get_or_insert_with(|| ran.summary.clone());
            failures.extend(first.difference(&ran.summary).map(|how| format!("in run {number}: {how}")));
            let result = self.judge(&ran);
            // An alarm of the analyzer comes again; a thread that was woken late does not, and has no stamps.
            let is_alarmed = alarms(&result, Rules::MEASURED.threshold).next().is_some();
            let is_disturbed = was_disturbed(&result) || explains(ran.apart, &result) || is_alarmed;
            (if is_disturbed { f64::INFINITY } else { 0.0 }, (result, ran.summary))
        });
        failures.extend(wrong(&result, Rules::MEASURED.threshold));
        (failures, summary)
    }

    fn run(&self, executable: &Path, recorder: &Path, dir: &Path) -> Ran {
        let (launcher, _) = choose_launcher(Some(&"mpirun.openmpi".into())).unwrap();
        let run = Run {
            subject: &self.subject,
            executable,
            size: self.size,
            launcher: self.subject.needs().ranks.then_some(&launcher),
            recorder: Some(recorder),
            options: &["--warmup=1".into()],
            time: Duration::from_secs(120),
            causes: None,
        };
        empty(dir)
            .and_then(|()| run.start(dir, run.command(dir), &AtomicBool::new(false)))
            .unwrap_or_else(|failure| panic!("{}: {}", executable.display(), failure.message));
        let trace = RunFolder(dir).trace();
        check_complete(&trace).unwrap();
        let archive = Archive::open(&trace).unwrap();
        let witness =
            |rank| fs::read(RunFolder(dir).witness().join(Witness::file_name(rank as u32))).unwrap();
        let witnesses: Vec<Witness> =
            (0..self.size.ranks).map(|rank| serde_json::from_slice(&witness(rank)).unwrap()).collect();
        Ran {
            apart: apart(&archive, &witnesses).unwrap(),
            analysis: analyzed(&archive, "program", &self.truth).unwrap(),
            visits: visits(&archive),
            witnesses,
            summary: Summary::in_folder(dir, self.subject.name()).unwrap(),
        }
    }

    /// The differences in everything that can be counted.
    fn inexact(&self, ran: &Ran, language: Language) -> Vec<String> {
        let calls = counts(self.truth.counts.iter().map(|(call, count)| (call, count.calls)));
        let (mut calls, mut visits) = (without_tests(&calls), without_tests(&self.visits));
        if language != Language::Rust {
            (calls, visits) = (without_untold(&calls), without_untold(&visits));
        }
        let counted = counts(ran.analysis.counts.iter().map(|(call, &calls)| (call, calls)));
        let (counted, visited) = (without_tests(&counted), without_tests(&ran.visits));
        let calls = differing(&counted, &calls).map(|how| format!("calls of {how}"));
        calls.chain(differing(&visited, &visits).map(|how| format!("visits of {how}"))).collect()
    }

    /// Judges by the stamps of the run itself.
    fn judge(&self, ran: &Ran) -> ProgramResult {
        let observed = observed(&self.subject, self.size, &ran.witnesses).unwrap();
        let report = Report::from(ran.analysis.clone());
        let promised = promised(&self.subject, self.size, &ran.witnesses, None).unwrap();
        let nominal = promised.as_ref().unwrap_or(&self.truth);
        let (observed, call_paths) = (&observed, CallPaths::UserRegions);
        let catalogue = &Catalogue::builtin();
        judge(Case { nominal, observed, report: &report, call_paths, catalogue }, &RULES)
    }
}

/// Rules with half of the usual threshold: on a slow machine the run is longer, and the share of a planned wait smaller.
const RULES: Rules = Rules { threshold: Rules::MEASURED.threshold / 2.0, ..Rules::MEASURED };

/// Whether less than half of the planned waits show by the run's own stamps, for no reason of the library.
fn was_disturbed(result: &ProgramResult) -> bool {
    result.expectations.iter().any(|one| one.outcome == Outcome::NotManifested && !one.may_stay_away())
}

/// A program with few repetitions.
fn short(program: Program, work: Work) -> Subject {
    let property = program.property;
    let brief = in_rust::short(property);
    let given: Vec<(&str, &str)> = match work {
        Work::Judged => property.repeated("2").into_iter().collect(),
        Work::Brief => brief.iter().filter_map(|argument| argument.split_once('=')).collect(),
    };
    Subject::Property { program, arguments: property.arguments(given).unwrap() }
}

fn mpi() -> Mpi {
    Mpi { compiler: "mpicc.openmpi".to_owned() }
}

/// Programs built as users build them: those in Rust by Cargo, the others with `libats`.
fn built(
    name: &str,
    language: Language,
    subjects: impl IntoIterator<Item = impl Into<Subject>>,
) -> Generated {
    let folder = format!("{name}-{}", language.name());
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let suite = SuiteSource::find().unwrap();
    let options = Options { language, force: true, ..Options::new(suite) };
    let programs = generate_set(subjects, &dir, &options).unwrap();
    for (workspace, mut command) in programs.build_commands(&mpi()) {
        let prefix = if workspace.needs.ranks { prefix() } else { prefix_without_mpi() };
        let _turn = turn();
        if language == Language::Rust {
            share_crates(&mut command, &in_rust::target());
        }
        succeed(command.env("ATS_PREFIX", prefix));
        for program in &workspace.programs {
            let executable = programs.executable(program, &mpi());
            let linked = ats_launch::mpi::Mpi::of_program(&executable);
            assert_eq!(linked.is_some(), workspace.needs.ranks, "{}: {linked:?}", executable.display());
        }
    }
    programs
}

/// All programs in Rust.
fn rust_programs() -> &'static Generated {
    let _turn = turn();
    in_rust::programs()
}

/// Compares a program in each of the languages with the expectation, and their summaries with each other.
fn compare(expected: &Expected, programs: &[(Language, PathBuf)]) -> Vec<String> {
    let mut failures = Vec::new();
    let mut first: Option<(Language, Summary)> = None;
    for (language, executable) in programs {
        let (mut wrong, summary) = expected.compare(*language, executable);
        match &first {
            None => first = Some((*language, summary)),
            Some((other, said)) => {
                let difference = said.difference(&summary);
                wrong.extend(difference.map(|how| format!("not as in {}: {how}", other.name())));
            }
        }
        let name = |how| format!("{} in {}: {how}", expected.subject.name(), language.name());
        failures.extend(wrong.into_iter().map(name));
    }
    failures
}

/// The properties with these needs in all languages, each in a program of its own, and their twins in C.
fn conform(needs: Needs, properties: &[&'static Property]) {
    let built = [Language::C, Language::Fortran]
        .map(|language| built(needs.paradigm(), language, properties.iter().copied()));
    let (in_rust, size) = (rust_programs(), Size::defaults(needs)[0]);
    let program = |&property: &&'static Property| Program { property, balanced: false };
    let programs: Vec<_> =
        properties.iter().map(program).flat_map(|one| [one].into_iter().chain(one.twin())).collect();
    let failures = Mutex::new(Vec::new());
    in_rust::for_each(programs, |program| {
        let languages = if program.balanced { &[Language::C][..] } else { &Language::ALL };
        let executable = |&language: &Language| {
            let name = program.property.name;
            let executable = match language {
                Language::Rust => in_rust.executable(name, &in_rust::openmpi()),
                Language::C => built[0].executable(name, &mpi()),
                Language::Fortran => built[1].executable(name, &mpi()),
            };
            (language, executable)
        };
        let executables: Vec<_> = languages.iter().map(executable).collect();
        let failed = compare(&Expected::new(short(program, Work::Judged), size, Work::Judged), &executables);
        failures.lock().unwrap_or_else(PoisonError::into_inner).extend(failed);
    });
    let failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The properties with these needs that programs call.
fn properties(needs: Needs) -> Vec<&'static Property> {
    let catalogue = Catalogue::builtin().filter(Entry::is_function);
    // Open MPI 4 cannot run what is new in MPI 4.
    let is_there = |property: &&Property| property.mpi_version.is_none() && in_rust::runs_here(property);
    catalogue.properties().filter(|property| property.needs == needs).filter(is_there).collect()
}

/// A program of its own takes the parameters of its property from its command line: one for each kind of parameter.
#[test]
fn properties_of_mpi_by_themselves_take_parameters_of_every_kind() {
    let mut known = BTreeSet::new();
    let is_new = |property: &&'static Property| {
        let kinds: Vec<_> = property.parameters.iter().map(|parameter| parameter.kind.name).collect();
        kinds.into_iter().filter(|&kind| known.insert(kind)).count() > 0
    };
    let few: Vec<_> = properties(Needs::RANKS).into_iter().filter(is_new).collect();
    conform(Needs::RANKS, &few);
}

/// Programs of several properties or twins each, one after the other.
fn bundles(name: &str, programs: &[Program], size: Size, work: Work) -> Vec<Arc<Composition>> {
    let bundle = |(number, programs): (usize, &[Program])| {
        let Size { ranks, threads } = size;
        let name = format!("{name}_{number}");
        let mut text = format!(
            "schema = \"ats-composition/1\"\nname = \"{name}\"\nranks = {ranks}\nthreads = {threads}\n"
        );
        for &program in programs {
            let given = short(program, work).parameters();
            let given: Vec<_> = given.iter().map(|(name, value)| format!("{name} = {value:?}")).collect();
            let (name, given) = (program.name(), given.join(", "));
            text += &format!("[[phase]]\nproperty = [{{ name = \"{name}\", parameters = {{ {given} }} }}]\n");
        }
        Arc::new(Composition::parse(&text, &name, &Catalogue::builtin()).unwrap())
    };
    (1..).zip(programs.chunks(work.together())).map(bundle).collect()
}

/// Builds bundles in these languages, runs each, and compares.
fn compare_bundles(bundles: &[Arc<Composition>], languages: &[Language], size: Size, work: Work) {
    let build =
        |&language: &Language| built(bundles[0].name(), language, bundles.iter().map(|bundle| &**bundle));
    let built: Vec<Generated> = languages.iter().map(build).collect();
    let failures = Mutex::new(Vec::new());
    in_rust::for_each(bundles, |bundle| {
        let executable = |built: &Generated| (built.language, built.executable(bundle.name(), &mpi()));
        let executables: Vec<_> = built.iter().map(executable).collect();
        let expected = Expected::new(Subject::Composition(Arc::clone(bundle)), size, work);
        let failed = compare(&expected, &executables);
        failures.lock().unwrap_or_else(PoisonError::into_inner).extend(failed);
    });
    let failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// All properties of MPI, or their twins, several in a program.
fn of_mpi(name: &str, balanced: bool, work: Work) -> (Vec<Arc<Composition>>, Size) {
    let programs = properties(Needs::RANKS).into_iter().map(|property| Program { property, balanced: false });
    let programs: Vec<_> =
        if balanced { programs.filter_map(Program::twin).collect() } else { programs.collect() };
    let size = Size::defaults(Needs::RANKS)[0];
    (bundles(name, &programs, size, work), size)
}

#[test]
fn properties_of_mpi_are_the_same_in_every_language() {
    let (bundles, size) = of_mpi("properties", false, Work::Brief);
    compare_bundles(&bundles, &Language::ALL, size, Work::Brief);
}

#[test]
fn twins_of_mpi_are_the_same_in_c() {
    let (bundles, size) = of_mpi("twins", true, Work::Brief);
    compare_bundles(&bundles, &[Language::C], size, Work::Brief);
}

#[test]
fn properties_of_mpi_show_their_waits_in_rust() {
    let (bundles, size) = of_mpi("waits", false, Work::Judged);
    compare_bundles(&bundles, &[Language::Rust], size, Work::Judged);
}

#[test]
fn twins_of_mpi_show_no_waits_in_rust() {
    let (bundles, size) = of_mpi("silent_twins", true, Work::Judged);
    compare_bundles(&bundles, &[Language::Rust], size, Work::Judged);
}

#[test]
fn properties_of_openmp_are_the_same_in_every_language() {
    conform(Needs::TEAM, &properties(Needs::TEAM));
}

#[test]
fn hybrid_properties_are_the_same_in_every_language() {
    conform(Needs::RANKS_AND_TEAM, &properties(Needs::RANKS_AND_TEAM));
}

/// Groups of ranks side by side, regions, and a severity that grows; teams of threads side by side; and MPI alone.
#[test]
fn compositions_are_the_same_in_every_language() {
    let composition = |name: &str| {
        let file = format!("{}/../../examples/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        // Every work ten times as long.
        let text = fs::read_to_string(&file).unwrap().replace("ms:", "0ms:").replace("ms\"", "0ms\"");
        Composition::parse(&text, &file, &Catalogue::builtin()).unwrap()
    };
    let chosen = ["hybrid", "nested", "report-figure-3.5"].map(|name| Arc::new(composition(name)));
    let built = [Language::C, Language::Fortran]
        .map(|language| built("compositions", language, chosen.iter().map(|composition| &**composition)));
    let mut failures = Vec::new();
    for composition in &chosen {
        let size = Size { ranks: composition.ranks(), threads: composition.threads() };
        let expected = Expected::new(Subject::Composition(Arc::clone(composition)), size, Work::Judged);
        let executable = |built: &Generated| (built.language, built.executable(composition.name(), &mpi()));
        failures.extend(compare(&expected, &built.each_ref().map(executable)));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Receivers that come 20 ms later for the recorder than for the witness wait that much less in the trace; only the
/// machine is to blame for that.
#[test]
fn a_core_that_is_lost_between_two_stamps_is_told_from_a_wrong_analysis() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("interruption");
    fs::create_dir_all(&folder).unwrap();
    let library = folder.join("libinterruption.so");
    let mut compile = Command::new("mpicc.openmpi");
    succeed(compile.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(source("interruption.c")));
    let program = Catalogue::builtin().program("late_sender").unwrap();
    let size = Size::defaults(Needs::RANKS)[0];
    let expected = Expected::new(short(program, Work::Judged), size, Work::Judged);
    let executable = rust_programs().executable("late_sender", &in_rust::openmpi());
    let mut preloaded = library.into_os_string();
    preloaded.push(":");
    preloaded.push(recorder());
    let _beside = turn_beside_others();
    let ran = expected.run(&executable, Path::new(&preloaded), &folder.join("run"));
    let result = expected.judge(&ran);
    let [late_sender] = &result.expectations[..] else { panic!("{result:?}") };
    assert_eq!((late_sender.outcome, late_sender.amount), (Outcome::Wrong, Judgement::No), "{result:?}");
    assert!(ran.apart >= 0.019, "{}", ran.apart);
    assert!(explains(ran.apart, &result), "{result:?}");
    assert!(!explains(0.0, &result));
}

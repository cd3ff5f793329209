//! Properties as single files in C: what is in them, that a compiler alone builds them, and that they do what they say.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

use crate::common::{answer, ats_in};
use ats_compose::Subject;
use ats_documents::{Analysis, Finding};
use ats_model::event::RegionRef;
use ats_model::witness::{Choice, Clock, Construct, Span};
use ats_model::{Event, EventSource, WaitState, Witness};
use ats_props::{Catalogue, Entry, Needs, Property};
use ats_testing::required;
use ats_trace::Archive;
use ats_truth::{Size, TruthOptions, nominal, observed};
use serde_json::Value;
use tempfile::TempDir;

/// Writes a file into a folder, and returns its text.
fn written(dir: &Path, words: &[&str]) -> String {
    answer(dir, &[&["generate"], words, &["--standalone", "-o", "file.c"]].concat());
    fs::read_to_string(dir.join("file.c")).unwrap()
}

#[test]
fn files_are_what_a_person_would_have_written() {
    for name in ["late_sender", "intensive_server", "imbalance_at_omp_barrier", "late_sender_hybrid"] {
        let dir = TempDir::new().unwrap();
        insta::assert_snapshot!(format!("standalone_{name}"), written(dir.path(), &[name]));
    }
}

#[test]
fn a_file_is_made_for_its_parameters_and_size() {
    let dir = TempDir::new().unwrap();
    let text = written(dir.path(), &["late_sender", "extrawork=20ms", "r=3", "--np", "7"]);
    let said = ["RANKS = 7", "0.06 s each  late_sender  ranks 1,3,5", "? 0.03 : 0.01", "i < 3;", "-np 7"];
    for said in said {
        assert!(text.contains(said), "{said} is not in\n{text}");
    }
    let text = written(TempDir::new().unwrap().path(), &["imbalance_in_omp_sections", "--threads", "6"]);
    assert!(text.contains("THREADS = 6") && text.contains("do_work(df(5, "), "{text}");
}

#[test]
fn every_property_that_has_a_program_is_a_file() {
    let dir = TempDir::new().unwrap();
    let said = answer(dir.path(), &["generate", "--all", "--standalone", "-o", "all", "--format", "json"]);
    let document: Value = serde_json::from_str(&said).unwrap();
    let catalogue = Catalogue::builtin().filter(Entry::has_program);
    let expected: Vec<Value> = catalogue.properties().map(|property| property.name.into()).collect();
    assert_eq!(document["programs"], Value::from(expected));
    assert_eq!(fs::read_dir(dir.path().join("all")).unwrap().count(), catalogue.properties().count());
}

/// Compiles a file with every warning, by what its head says; `to` is where to, or nowhere. Open MPI 4 lacks what is new in
/// MPI 4.
fn compile(file: &Path, to: Option<&Path>) {
    let text = fs::read_to_string(file).unwrap();
    let compiler = match () {
        () if text.contains("is new in MPI 4") => "mpicc.mpich",
        () if text.contains("<mpi.h>") => "mpicc.openmpi",
        () => "cc",
    };
    let mut command = Command::new(compiler);
    command.args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]).arg(file);
    if text.contains("<omp.h>") {
        command.arg("-fopenmp");
    }
    match to {
        Some(to) => command.arg("-o").arg(to),
        None => command.arg("-fsyntax-only"),
    };
    let output = command.arg("-lm").output().unwrap();
    assert!(output.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&output.stderr));
}

#[test]
fn files_are_compiled_alone() {
    if !required("mpicc.openmpi") || !required("cc") {
        return;
    }
    let dir = TempDir::new().unwrap();
    let written = written(dir.path(), &["partitioned_late_ready"]);
    let refused =
        "#if MPI_VERSION < 4\n#error \"MPI_Pready is new in MPI 4: use another MPI library\"\n#endif\n";
    assert!(written.contains(refused), "{written}");
    let names =
        ["intensive_server", "imbalance_at_mpi_alltoallw", "nested_parallel_imbalance", "late_sender_hybrid"];
    let words = [&["generate"], &names[..], &["--standalone", "-o", "files"]].concat();
    answer(dir.path(), &words);
    for name in names {
        compile(&dir.path().join(format!("files/{name}.c")), None);
    }
}

/// Writes a file for each program and compiles it, several at a time; the executable is `files/NAME.program`.
fn write_and_compile(dir: &Path, names: &[&str]) {
    answer(dir, &[&["generate"], names, &["--standalone", "-o", "files"]].concat());
    thread::scope(|scope| {
        for names in names.chunks(names.len().div_ceil(4)) {
            scope.spawn(move || {
                for name in names {
                    let file = dir.join(format!("files/{name}.c"));
                    compile(&file, Some(&file.with_extension("program")));
                }
            });
        }
    });
}

#[test]
fn every_file_is_compiled_alone() {
    if !required("mpicc.openmpi") || !required("mpicc.mpich") {
        return;
    }
    let dir = TempDir::new().unwrap();
    let catalogue = Catalogue::builtin().filter(Entry::has_program);
    let names: Vec<&str> = catalogue.programs().map(|program| program.name()).collect();
    write_and_compile(dir.path(), &names);
}

#[test]
fn another_number_of_ranks_is_told() {
    if !required("mpicc.openmpi") {
        return;
    }
    let dir = TempDir::new().unwrap();
    written(dir.path(), &["late_sender", "--np", "3"]);
    compile(&dir.path().join("file.c"), Some(&dir.path().join("program")));
    let output = Command::new(dir.path().join("program")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = "late_sender is made for 3 ranks, and there are 1; use mpirun -np 3";
    assert!(String::from_utf8_lossy(&output.stderr).contains(said));
}

/// The functions of MPI that `main` calls, and those that no witness tells of: of groups, and the end of persistent requests.
const AROUND: [&str; 7] = [
    "MPI_Init",
    "MPI_Comm_rank",
    "MPI_Comm_size",
    "MPI_Finalize",
    "MPI_Request_free",
    "MPI_Comm_group",
    "MPI_Group_free",
];

/// The witness that a program without one would have written: the calls between those of `main`.
fn witness(archive: &Archive, subject: &Subject, size: Size, rank: usize) -> Witness {
    let definitions = archive.definitions();
    let name = |region: RegionRef| definitions.regions[region.0 as usize].name.as_str();
    let ns = |tick: u64| (definitions.clock.seconds(tick - definitions.clock.offset) * 1e9).round() as u64;
    let (mut constructs, mut tests, mut from_anybody) = (Vec::<Construct>::new(), Vec::new(), Vec::new());
    let mut measured = Span::default();
    let visit = |time: u64, event: Event| match event {
        Event::Leave { region } if name(region) == "MPI_Comm_size" => measured.enter_ns = ns(time),
        Event::Enter { region } if name(region) == "MPI_Finalize" => measured.leave_ns = ns(time),
        Event::Enter { region } | Event::Leave { region } if AROUND.contains(&name(region)) => {}
        Event::Enter { region } => {
            let span = Span { enter_ns: ns(time), leave_ns: 0 };
            constructs.push(Construct { name: name(region).to_owned(), span, times: 1 });
        }
        Event::Leave { .. } => constructs.last_mut().unwrap().span.leave_ns = ns(time),
        Event::MpiRecv { sender, .. } => from_anybody.push((constructs.len() - 1, sender)),
        Event::MpiIrecv { .. } if constructs.last().is_some_and(|last| last.name == "MPI_Test") => {
            tests.push(Choice { construct: constructs.len() - 1, chosen: 1 });
        }
        _ => {}
    };
    archive.read_location(rank, visit).unwrap();
    let choices = match subject.name() {
        "intensive_server" if rank == 0 => {
            from_anybody.into_iter().map(|(construct, chosen)| Choice { construct, chosen }).collect()
        }
        _ => tests,
    };
    Witness {
        schema: Witness::SCHEMA.to_owned(),
        program: subject.name().to_owned(),
        parameters: subject.parameters(),
        rank: rank as u32,
        ranks: size.ranks as u32,
        clock: Clock::default(),
        measured,
        constructs,
        work: Vec::new(),
        choices,
        begins_ns: Vec::new(),
        regions: Vec::new(),
        threads: Vec::new(),
        eager_held: None,
        eager_limit: None,
        environment: Default::default(),
    }
}

/// Seconds of a wait state in a call.
fn seconds<'a>(findings: impl Iterator<Item = &'a Finding>, like: &Finding) -> f64 {
    let is_like = |finding: &&Finding| {
        finding.property == like.property && finding.call_path.last() == like.call_path.last()
    };
    findings.filter(is_like).map(|finding| finding.waiting_time).sum()
}

/// Each rank makes the calls that it makes on the virtual engine, in their order, or there is no observed truth; and
/// what the recording shows is that truth, within the tolerance that every tool has.
#[test]
fn files_show_what_they_say() {
    let catalogue = Catalogue::builtin().filter(Entry::is_function);
    let runs_here =
        |property: &&'static Property| property.needs == Needs::RANKS && property.mpi_version.is_none();
    let properties: Vec<_> = catalogue.properties().filter(runs_here).collect();
    let dir = TempDir::new().unwrap();
    write_and_compile(dir.path(), &properties.iter().map(|property| property.name).collect::<Vec<_>>());
    for property in properties {
        let name = property.name;
        let (trace, program) = (format!("{name}.trace"), format!("files/{name}.program"));
        let words = ["record", "-o", &trace, "--", "mpirun.openmpi", "--oversubscribe", "-np", "4", &program];
        let output = ats_in(dir.path(), &words);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let analysis = answer(dir.path(), &["analyze", &trace, "--format", "json"]);
        let analysis: Analysis = serde_json::from_str(&analysis).unwrap();
        let archive = Archive::open(&dir.path().join(&trace).join("traces.otf2")).unwrap();

        let subject = Subject::from(property);
        let size = Size::ranks(4);
        let witnesses: Vec<_> = (0..4).map(|rank| witness(&archive, &subject, size, rank)).collect();
        let truth = observed(&subject, size, &witnesses).unwrap_or_else(|error| panic!("{name}: {error}"));
        // What the machine has added is judged elsewhere.
        let promised = nominal(&subject, size, &TruthOptions::default()).unwrap();
        for finding in promised.findings.iter().filter(|finding| finding.unit().is_time()) {
            let tolerance = finding.tolerance.unwrap();
            let expected = seconds(truth.findings.iter(), finding);
            let found = seconds(analysis.findings.iter(), finding);
            let allowed = tolerance.absolute + tolerance.relative * expected;
            let what = format!("{name}: {}: {found} s of {expected} s", finding.id);
            let may_stay_away = finding.property.is_some_and(WaitState::depends_on_progress);
            let is_shown = expected > 0.0 || may_stay_away;
            assert!(is_shown && (found - expected).abs() <= allowed, "{what}");
        }
        // How often a program tests is a choice of the run.
        for (call, count) in promised.counts.iter().filter(|(call, _)| *call != "MPI_Test") {
            assert_eq!(analysis.counts.get(call), Some(&count.calls), "{name}: {call}");
        }
    }
}

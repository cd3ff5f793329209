//! Generated programs, built and run under Open MPI. Needs `mpirun`, `mpirun.mpich` and `mpicc`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Mutex, OnceLock, PoisonError};

use ats_generator::{Generated, Mpi, Options, SuiteSource, generate_set};
use ats_model::Witness;
use ats_props::{Catalogue, Property, SendMode};
use tempfile::TempDir;

/// All programs, built once; the folder stays for the next time.
fn programs() -> &'static Generated {
    static PROGRAMS: OnceLock<Generated> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
        let options = Options { force: true, ..Options::new(SuiteSource::find().unwrap()) };
        let catalogue = Catalogue::builtin().with(&lazy::PROPERTY);
        let programs = generate_set(catalogue.properties(), &dir, &options).unwrap();
        let build = programs.build_command(&openmpi()).output().unwrap();
        assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
        programs
    })
}

fn openmpi() -> Mpi {
    Mpi { compiler: "mpicc".to_owned() }
}

struct Ended {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// A launcher with a time limit, on few cores and as whoever runs the tests; one at a time.
fn launch(launcher: &[&str], ranks: usize, program: &str, arguments: &[&str]) -> Ended {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let executable = programs().executable(program, &openmpi());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let Output { status, stdout, stderr } = Command::new("timeout")
        .arg("60")
        .args(launcher)
        .args(["-n", &ranks.to_string()])
        .arg(executable)
        .args(arguments)
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env_remove("ATS_WITNESS")
        .env_remove("ATS_EXPECTED_RANKS")
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ended { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
}

fn mpirun(ranks: usize, program: &str, arguments: &[&str]) -> Ended {
    launch(&["mpirun", "--oversubscribe", "--bind-to", "none"], ranks, program, arguments)
}

/// The run's witnesses, by rank.
fn witnesses(dir: &Path, ranks: usize) -> Vec<Witness> {
    let read = |rank| fs::read_to_string(dir.join(Witness::file_name(rank))).unwrap();
    (0..ranks).map(|rank| serde_json::from_str(&read(rank as u32)).unwrap()).collect()
}

/// Runs with witness and no error.
fn run(ranks: usize, program: &str, arguments: &[&str]) -> (String, Vec<Witness>) {
    let dir = TempDir::new().unwrap();
    let witness = ["--witness", dir.path().to_str().unwrap()];
    let ended = mpirun(ranks, program, &[arguments, &witness].concat());
    assert_eq!(ended.code, Some(0), "{program}: {}{}", ended.stdout, ended.stderr);
    let lines: Vec<_> = ended.stdout.lines().filter(|line| line.starts_with("ATS ")).collect();
    assert_eq!(lines.len(), 1, "{}", ended.stdout);
    (lines[0].to_owned(), witnesses(dir.path(), ranks))
}

fn calls<'a>(witness: &'a Witness, name: &'a str) -> usize {
    witness.constructs.iter().filter(|construct| construct.name == name).count()
}

fn assert_consistent(witness: &Witness) {
    let within = |span: &ats_model::witness::Span| {
        let measured = witness.measured;
        measured.enter_ns <= span.enter_ns
            && span.enter_ns <= span.leave_ns
            && span.leave_ns <= measured.leave_ns
    };
    assert!(within(&witness.measured));
    assert!(witness.constructs.iter().all(|construct| within(&construct.span)), "{witness:?}");
    assert!(witness.work.iter().all(|work| within(&work.span)), "{witness:?}");
    assert!(witness.constructs.windows(2).all(|pair| pair[0].span.leave_ns <= pair[1].span.enter_ns));
    assert!(witness.choices.iter().all(|choice| choice.construct < witness.constructs.len()));
    let (start, end) = (witness.clock.start, witness.clock.end);
    assert!(start.at_ns <= witness.measured.enter_ns && witness.measured.leave_ns <= end.at_ns);
    assert_eq!((start.offset_ns, end.offset_ns), (0, 0), "ranks of one machine have one clock");
}

/// Short work and few repetitions, for the parameters that the property has.
fn short(property: &Property) -> Vec<String> {
    let value = |kind| match kind {
        "seconds" => Some("1ms"),
        "distribution" => Some("block2:0.001:0.002"),
        _ => None,
    };
    let parameters = property.parameters.iter();
    let valued = parameters.filter_map(|p| Some(format!("{}={}", p.name, value(p.kind)?)));
    valued.chain(["r=3".to_owned()]).collect()
}

#[test]
fn every_program_runs_with_any_number_of_ranks() {
    for program in Catalogue::builtin().programs() {
        let property = program.property;
        let short = short(property);
        let mut arguments: Vec<_> = short.iter().map(String::as_str).collect();
        if program.balanced {
            arguments.push("--balanced");
        }
        let sizes: &[usize] = if program.balanced { &[4] } else { &[1, 2, 4, 5] };
        for &ranks in sizes {
            if ranks < property.min_ranks {
                let ended = mpirun(ranks, property.name, &arguments);
                assert_eq!(ended.code, Some(2), "{}", ended.stderr);
                let needed = format!("needs at least {} ranks", property.min_ranks);
                assert!(ended.stderr.contains(&needed), "{}", ended.stderr);
                continue;
            }
            let (summary, witnesses) = run(ranks, property.name, &arguments);
            assert!(summary.starts_with(&format!("ATS {} ranks={ranks} work=", program.name())), "{summary}");
            assert!(summary.contains(" r=3 "), "{summary}");
            for (rank, witness) in witnesses.iter().enumerate() {
                assert_consistent(witness);
                assert_eq!(witness.program, program.name());
                assert_eq!((witness.rank, witness.ranks), (rank as u32, ranks as u32));
                assert_eq!(witness.parameters["r"], "3");
                let eager = property.send_mode == Some(SendMode::Standard);
                assert_eq!(witness.eager_held, eager.then_some(true));
            }
        }
    }
}

#[test]
fn the_witness_has_every_call_and_all_work() {
    let line = ["basework=1ms", "extrawork=4ms", "r=7", "--work=sleep", "--seed=5"];
    let (summary, ranks) = run(3, "late_sender", &line);
    assert!(
        summary.contains("ranks=3 work=sleep seed=5 basework=0.001 extrawork=0.004 r=7 wall=0."),
        "{summary}"
    );
    let asked = [0.005, 0.001, 0.005];
    for (witness, (sends, receives, asked)) in
        ranks.iter().zip([(7, 0, asked[0]), (0, 7, asked[1]), (0, 0, asked[2])])
    {
        assert_eq!((calls(witness, "MPI_Ssend"), calls(witness, "MPI_Recv")), (sends, receives));
        assert_eq!(witness.constructs.len(), sends + receives, "the warm-up is not in it");
        assert_eq!(witness.work.len(), 7);
        for work in &witness.work {
            assert!((work.seconds - asked).abs() < 1e-12);
            assert!((work.span.leave_ns - work.span.enter_ns) as f64 * 1e-9 >= 0.999 * asked);
        }
    }
    let environment = &ranks[0].environment;
    assert!(environment["mpi_library"].as_str().unwrap().starts_with("Open MPI"), "{environment:?}");
    assert_eq!((&environment["work"], &environment["seed"]), (&"sleep".into(), &5.into()));

    let (_, ranks) = run(4, "imbalance_at_mpi_barrier", &["distribution=same:0.001", "r=6"]);
    assert!(ranks.iter().all(|witness| calls(witness, "MPI_Barrier") == 6 && witness.constructs.len() == 6));
}

#[test]
fn a_visible_harness_measures_the_same() {
    let (_, ranks) =
        run(2, "late_sender", &["basework=1ms", "extrawork=1ms", "r=2", "--harness=mpi", "--warmup=0"]);
    assert_eq!(calls(&ranks[0], "MPI_Ssend"), 2);
    assert_eq!(ranks[0].constructs.len(), 2, "alignment is not in it");
    assert_eq!(ranks[0].environment["harness"], "mpi");
}

#[test]
fn bad_usage_is_said_once_and_ends_all() {
    for (arguments, part) in [
        (&["extrawrok=1"][..], "did you mean extrawork"),
        (&["--np=5"], "5 ranks are expected"),
        (&["--work=hard"], "there is no kind of work `hard`"),
    ] {
        let ended = mpirun(3, "late_sender", arguments);
        assert!(ended.code.is_some_and(|code| code != 0 && code != 124), "{:?} {}", ended.code, ended.stderr);
        assert_eq!(ended.stderr.matches(part).count(), 1, "{}", ended.stderr);
        assert_eq!(ended.stdout.matches("ATS ").count(), 0);
    }
    assert_eq!(mpirun(2, "late_sender", &["r=x"]).code, Some(2));
}

#[test]
fn help_needs_no_launcher() {
    let executable = programs().executable("late_sender", &openmpi());
    let output = Command::new(executable).arg("--help").output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["basework=0.01 s", "extrawork=0.05 s", "r=10", "0 or more", "--balanced", "W = floor(P/2)"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let ended = mpirun(3, "late_sender", &["--help"]);
    assert_eq!((ended.code, ended.stdout.matches("Usage:").count()), (Some(0), 1));
}

#[test]
fn singletons_of_the_wrong_launcher_notice() {
    let ended = launch(&["mpirun.mpich"], 3, "late_sender", &[]);
    assert!(ended.code.is_some_and(|code| code != 0 && code != 124), "{:?}", ended.code);
    let all = ended.stdout + &ended.stderr;
    assert_eq!(all.matches("started 3 processes").count(), 1, "{all}");
    assert!(all.contains("linked with Open MPI"), "{all}");
    assert!(!all.contains("ATS late_sender"), "{all}");
}

#[test]
fn a_witness_that_cannot_be_written_ends_all() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let inside = file.join("witness");
    let ended = mpirun(3, "late_sender", &["--witness", inside.to_str().unwrap()]);
    assert!(ended.code.is_some_and(|code| code != 0 && code != 124), "{:?} {}", ended.code, ended.stderr);
    let part = format!("rank 0: cannot write {}", inside.display());
    assert_eq!(ended.stderr.matches(&part).count(), 1, "{}", ended.stderr);
    assert_eq!(ended.stderr.matches("cannot write").count(), 1, "{}", ended.stderr);
}

#[test]
fn a_property_of_another_crate_is_a_program_like_any() {
    let (summary, ranks) = run(3, "lazy_master", &["work=2ms", "--warmup=1"]);
    assert!(summary.starts_with("ATS lazy_master ranks=3 "), "{summary}");
    assert!(ranks.iter().all(|witness| calls(witness, "MPI_Barrier") == 1));
    let work: Vec<_> = ranks.iter().map(|witness| witness.work.len()).collect();
    assert_eq!(work, [1, 0, 0]);
}

#[test]
fn a_rank_that_panics_ends_all() {
    let ended = mpirun(3, "lazy_master", &["broken=1"]);
    assert!(ended.code.is_some_and(|code| code != 0 && code != 124), "{:?} {}", ended.code, ended.stderr);
    assert!(ended.stderr.contains("lazy_master: rank 1: panicked at"), "{}", ended.stderr);
    assert!(ended.stderr.contains("broken as asked for"), "{}", ended.stderr);
}

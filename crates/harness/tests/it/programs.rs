//! Generated MPI programs, built and run under Open MPI. Needs `mpirun.openmpi` and `mpicc.openmpi`.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use ats_compose::Subject;
use ats_model::Witness;
use ats_model::mpi::LACKING_EXIT_CODE;
use ats_model::witness::Work;
use ats_props::{Catalogue, Entry, Needs, Program, SendMode};
use ats_truth::{Size, observed};
use tempfile::TempDir;

use crate::common;
use crate::common::{assert_consistent, checksum, for_each, mpirun, openmpi, programs, short, start};

fn calls<'a>(witness: &'a Witness, name: &'a str) -> usize {
    witness.constructs.iter().filter(|construct| construct.name == name).count()
}

fn run(ranks: usize, program: &str, arguments: &[&str]) -> (String, Vec<Witness>) {
    common::run(Some(ranks), program, arguments)
}

/// With the fewest ranks it can have and with some more, and whether it works or not, since a checksum is that of
/// computed and communicated data.
#[test]
fn every_program_runs() {
    // Open MPI 4 cannot run what is new in MPI 4.
    let of_mpi =
        |program: &Program| program.property.needs == Needs::RANKS && program.property.mpi_version.is_none();
    let programs: Vec<Program> =
        Catalogue::builtin().filter(Entry::has_program).programs().filter(of_mpi).collect();
    for_each(programs, |program| {
        let property = program.property;
        let short = short(property);
        let mut arguments: Vec<_> = short.iter().map(String::as_str).collect();
        if program.balanced {
            arguments.push("--balanced");
        }
        let sizes = if program.balanced { vec![4] } else { vec![property.min_ranks, 5] };
        let summaries: Vec<_> = sizes.into_iter().map(|ranks| runs(program, ranks, &arguments)).collect();
        if !program.balanced {
            let (without_work, _) = run(5, property.name, &[&arguments[..], &["--work=none"]].concat());
            assert_eq!(checksum(&without_work), checksum(&summaries[1]), "{}", property.name);
        }
    });
}

/// Runs a program, which prints its name; returns its summary.
fn runs(program: Program, ranks: usize, arguments: &[&str]) -> String {
    let property = program.property;
    let (summary, witnesses) = run(ranks, property.name, arguments);
    let begin = format!("ATS {} ranks={ranks} threads=1 --work=", program.name());
    assert!(summary.starts_with(&begin), "{summary}");
    let times = property.repeats().then(|| "3".to_owned());
    assert_eq!(summary.contains(" r=3 "), property.repeats(), "{summary}");
    for (rank, witness) in witnesses.iter().enumerate() {
        assert_consistent(witness);
        assert_eq!(witness.program, program.name());
        assert_eq!((witness.rank, witness.ranks), (rank as u32, ranks as u32));
        assert_eq!(witness.parameters.get("r"), times.as_ref());
        let eager = property.send_mode == Some(SendMode::Standard);
        assert_eq!(witness.eager_held, eager.then_some(true));
    }
    summary
}

#[test]
fn the_witness_has_every_call_and_all_work() {
    let line = ["basework=1ms", "extrawork=4ms", "r=7", "--work=sleep", "--seed=5"];
    let (summary, ranks) = run(3, "late_sender", &line);
    assert!(
        summary
            .contains("ranks=3 threads=1 --work=sleep --seed=5 basework=0.001 extrawork=0.004 r=7 wall=0."),
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
fn a_checksum_tells_runs_apart() {
    let of = |ranks, more: &[&str]| {
        checksum(&run(ranks, "late_sender", &[&["--work=none", "r=3"], more].concat()).0)
    };
    let once = of(4, &[]);
    for other in ["--balanced", "--seed=2", "--base-comm=int:2", "basework=0.02"] {
        assert_ne!(of(4, &[other]), once, "{other}");
    }
    assert_ne!(of(3, &[]), once);
    assert_eq!(of(4, &["--warmup=1"]), once, "it is that of the measured part");
    let large = |type_and_count| of(2, &["--base-comm", type_and_count]);
    assert_eq!(large("double:1000000"), large("double:1000000"));
    assert_ne!(large("double:1000000"), large("double:1000001"));
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
fn a_missing_function_ends_the_run_as_unsupported() {
    let ended = mpirun(2, "partitioned_late_ready", &[]);
    assert_eq!(ended.code, Some(LACKING_EXIT_CODE), "{}", ended.stderr);
    let library = "does not have it; use a library of MPI 4 or later";
    assert!(ended.stderr.contains(": Open MPI v4") && ended.stderr.contains(library), "{}", ended.stderr);
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
    let ended = mpirun(1, "late_sender", &[]);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("needs at least 2 ranks"), "{}", ended.stderr);
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
    if !ats_testing::required("mpirun.mpich") {
        return;
    }
    let ended = start(&["mpirun.mpich", "-n", "3"], "late_sender", &[], &[]);
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

/// The choices of the run show in the calls that the program makes; a replay that chose otherwise would not fit.
#[test]
fn a_replay_makes_the_choices_of_the_run() {
    let program = Catalogue::builtin().with(&lazy::open_ended::PROPERTY).program("open_ended").unwrap();
    let subject = Subject::from(program);
    let (_, ranks) = run(4, "open_ended", &[]);
    ranks.iter().for_each(assert_consistent);
    let replayed = observed(&subject, Size::ranks(4), &ranks).unwrap();
    let mut made: BTreeMap<&str, u64> = BTreeMap::new();
    for construct in ranks.iter().flat_map(|witness| &witness.constructs) {
        *made.entry(&construct.name).or_default() += construct.times;
    }
    let counts: BTreeMap<&str, u64> =
        replayed.counts.iter().map(|(name, count)| (&name[..], count.calls)).collect();
    assert_eq!(counts, made);
    for name in
        [&["MPI_Recv", "MPI_Sendrecv", "MPI_Probe", "MPI_Waitany", "MPI_Waitsome"][..], &POLLS].concat()
    {
        let mut less = ranks.clone();
        let Witness { constructs, choices, .. } = &mut less[0];
        choices.retain(|choice| constructs[choice.construct].name != name);
        let error = observed(&subject, Size::ranks(4), &less).unwrap_err().to_string();
        assert!(error.contains("the witness of rank 0 does not fit the program"), "without {name}: {error}");
    }
    // Polls in a row that found nothing are one.
    let Witness { constructs, choices, work, .. } = &ranks[0];
    assert!(constructs.iter().any(|construct| construct.times > 1));
    let found = |at| choices.iter().any(|choice| choice.construct == at);
    for (at, pair) in constructs.windows(2).enumerate() {
        let between = |work: &&Work| {
            pair[0].span.leave_ns <= work.span.enter_ns && work.span.leave_ns <= pair[1].span.enter_ns
        };
        let polls = pair[0].name == pair[1].name && POLLS.contains(&&pair[0].name[..]);
        assert!(!polls || found(at) || found(at + 1) || work.iter().any(|work| between(&work)), "{pair:?}");
    }
}

const POLLS: [&str; 5] = ["MPI_Test", "MPI_Testany", "MPI_Testsome", "MPI_Testall", "MPI_Iprobe"];

#[test]
fn a_rank_that_panics_ends_all() {
    let ended = mpirun(3, "lazy_master", &["broken=1"]);
    assert!(ended.code.is_some_and(|code| code != 0 && code != 124), "{:?} {}", ended.code, ended.stderr);
    assert!(ended.stderr.contains("lazy_master: rank 1: panicked at"), "{}", ended.stderr);
    assert!(ended.stderr.contains("broken as asked for"), "{}", ended.stderr);
}

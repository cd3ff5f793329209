//! Programs against the library: their results, their findings, and their ends.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::suite::plan::{judged, least_disturbed, undisturbed, wrong};
use crate::suite::{c_program, compile, pkg_config, prefix, record, run, source, stderr, succeed, succeeded};
use ats_documents::finding::LocationShare;
use ats_documents::{Basis, Finding, Report, Truth};
use ats_model::WaitState;

/// A wait that a program shows: its state, its call path, and the seconds of every rank.
type Shown<'a> = (WaitState, &'a [&'a str], &'a [f64]);

/// Two repetitions of the extra work.
const EXTRA: f64 = 2.0 * 0.2;
const PATTERN: &str = "mpi_commpattern_sendrecv";
const CHAIN: &str = "mpi_commpattern_chain";

/// The findings of `report.c` and `report.f90` on four ranks.
const REPORT: [Shown<'static>; 19] = [
    (WaitState::LateSender, &[PATTERN, "MPI_Recv"], &[0.0, EXTRA, 0.0, EXTRA]),
    (WaitState::LateSender, &["late_sender", PATTERN, "MPI_Recv"], &[0.0, EXTRA, 0.0, EXTRA]),
    (WaitState::LateReceiver, &["late_receiver", PATTERN, "MPI_Ssend"], &[EXTRA, 0.0, EXTRA, 0.0]),
    (WaitState::WaitAtBarrier, &["imbalance_at_mpi_barrier", "MPI_Barrier"], &[0.6, 0.4, 0.2, 0.0]),
    (WaitState::WaitAtNxN, &["imbalance_at_mpi_alltoall", "MPI_Alltoall"], &[0.6, 0.4, 0.2, 0.0]),
    (WaitState::LateBroadcast, &["late_broadcast", "MPI_Bcast"], &[EXTRA, 0.0, EXTRA, EXTRA]),
    (WaitState::LateBroadcast, &["late_scatter", "MPI_Scatter"], &[EXTRA, 0.0, EXTRA, EXTRA]),
    (WaitState::LateBroadcast, &["late_scatterv", "MPI_Scatterv"], &[EXTRA, EXTRA, 0.0, EXTRA]),
    (WaitState::EarlyReduce, &["early_reduce", "MPI_Reduce"], &[0.0, 0.0, 0.0, EXTRA]),
    (WaitState::EarlyReduce, &["early_gather", "MPI_Gather"], &[EXTRA, 0.0, 0.0, 0.0]),
    (WaitState::EarlyReduce, &["early_gatherv", "MPI_Gatherv"], &[0.0, EXTRA, 0.0, 0.0]),
    (WaitState::LateSenderWrongOrderDifferentSources, &["wrong_order", "MPI_Recv"], &[0.6, 0.0, 0.0, 0.0]),
    (WaitState::LateSender, &["wrong_order", CHAIN, "MPI_Recv"], &[0.0, 0.2, 0.3, 0.4]),
    (WaitState::LateSender, &["right_order", "MPI_Recv"], &[0.6, 0.0, 0.0, 0.0]),
    (WaitState::LateSender, &["right_order", CHAIN, "MPI_Recv"], &[0.0, 0.2, 0.3, 0.4]),
    (WaitState::LateSender, &[CHAIN, "MPI_Recv"], &[0.0, 0.2, 0.4, 0.6]),
    (WaitState::LateSender, &["mpi_commpattern_one_to_all", "MPI_Recv"], &[0.0, 0.2, 0.4, 0.6]),
    (WaitState::LateReceiver, &["mpi_commpattern_all_to_one", "MPI_Ssend"], &[0.0, 0.4, 0.2, 0.0]),
    (WaitState::LateSender, &["late_sender_balanced", PATTERN, "MPI_Recv"], &[0.0; 4]),
];

/// Seconds that it takes: as long as the slowest rank of each property and pattern in turn.
const REPORT_TAKES: f64 = 8.08;

/// The least share of all time for findings other than counts to be reported.
const THRESHOLD: f64 = 0.001;

/// Fails unless a program that takes `seconds` shows exactly the expected findings.
#[track_caller]
fn shows(expected: &[Shown<'_>], seconds: f64, program: &Path) {
    let ranks = expected[0].2.len();
    let planned = |basis: &Basis| truth(expected, ranks as u32, basis);
    let most = undisturbed(seconds, &planned(&Basis::default()));
    let mut analysis = least_disturbed(most, |_| {
        let (printed, analysis) = record(ranks, program);
        (printed.trim().parse().expect("the program prints how long it took"), analysis)
    });
    // Outside the properties are the program's own barriers.
    analysis.findings.retain(|finding| finding.call_path.len() > 1);
    let planned = planned(&analysis.basis);
    let wrong = wrong(&judged(planned, Report::from(analysis), THRESHOLD), THRESHOLD);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The truth about a program that shows this.
fn truth(shown: &[Shown<'_>], ranks: u32, basis: &Basis) -> Truth {
    let finding = |(state, path, shares): &Shown<'_>| {
        let share = |(rank, &waiting_time)| LocationShare { rank, thread: 0, waiting_time };
        let path = path.iter().map(|&region| region.to_owned()).collect();
        let shares = (0..).zip(*shares).map(share).collect();
        Finding::wait(Some(*state), path, shares, 1, basis, true)
    };
    Truth {
        schema: Truth::SCHEMA.to_owned(),
        program: "program".to_owned(),
        parameters: BTreeMap::new(),
        ranks,
        threads: 1,
        basis: basis.clone(),
        findings: shown.iter().map(finding).collect(),
        absent: Vec::new(),
        ambient: Vec::new(),
        counts: BTreeMap::new(),
        network: None,
        costs: None,
        processors: None,
        skew_left: Vec::new(),
        causes: None,
        runs: Vec::new(),
    }
}

/// 5 % of one delay of a root that three wait for is 1 % of all time in the report's program.
#[test]
fn a_run_in_which_a_wait_may_be_wrong_is_disturbed() {
    let planned = truth(&REPORT, 4, &Basis::default());
    let more = undisturbed(REPORT_TAKES, &planned) - REPORT_TAKES;
    assert!((0.015..0.0204).contains(&more), "{more}");
    assert!((undisturbed(0.1, &planned) - 0.101).abs() < 1e-12, "nor by more than 1 %");
}

#[test]
fn a_c_program_shows_its_severities() {
    let (_folder, program) = c_program("report.c", &["-std=c89"]);
    shows(&REPORT, REPORT_TAKES, &program);
}

#[test]
fn a_fortran_program_shows_its_severities() {
    if ats_testing::required("mpifort.openmpi") {
        let folder = tempfile::tempdir().unwrap();
        let module = pkg_config(&["--variable=fortran_module"]).remove(0).into();
        let program = compile("mpifort.openmpi", &[], &[module, source("report.f90")], folder.path());
        shows(&REPORT, REPORT_TAKES, &program);
    }
}

#[test]
fn programs_built_by_cmake_find_the_library_shared_and_static() {
    if ats_testing::required("cmake") {
        let folder = tempfile::tempdir().unwrap();
        succeed(
            Command::new("cmake")
                .arg("-S")
                .arg(source(""))
                .arg("-B")
                .arg(folder.path())
                .arg(format!("-DCMAKE_PREFIX_PATH={}", prefix().display()))
                .arg("-DMPI_C_COMPILER=mpicc.openmpi"),
        );
        succeed(Command::new("cmake").arg("--build").arg(folder.path()));
        let needed = succeed(Command::new("ldd").arg(folder.path().join("static")));
        assert!(!needed.contains("libats"), "{needed}");
        for kind in ["static", "shared"] {
            succeeded(&run(2, &folder.path().join(kind), &[], &[]));
        }
    }
}

/// Score-P's instrumenter links its library only as far as it is needed.
#[test]
fn the_library_of_score_ps_user_regions_is_linked_where_its_instrumenter_asks_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("libscorep_user.so");
    succeed(Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(source("scorep_user.c")));
    let linked = |options: &[&str]| {
        let sources = [source("region.c"), library.clone()];
        let program =
            compile("mpicc.openmpi", &[&["-Wl,--as-needed"], options].concat(), &sources, folder.path());
        let output = run(1, &program, &[], &[]);
        succeeded(&output);
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(linked(&[]), "");
    assert_eq!(linked(&["-DSCOREP_USER_ENABLE"]), "late_sender\nmpi_commpattern_sendrecv\n");
}

/// Each half waits for its own reason: in the upper one for its local rank 1.
#[test]
fn two_properties_at_the_same_time_are_found_in_their_halves() {
    let (_folder, program) = c_program("halves.c", &[]);
    let lower = &[0.0, EXTRA, 0.0, EXTRA, 0.0, 0.0, 0.0, 0.0];
    let upper = &[0.0, 0.0, 0.0, 0.0, EXTRA, 0.0, EXTRA, EXTRA];
    let expected: [Shown<'_>; 2] = [
        (WaitState::LateSender, &["late_sender", PATTERN, "MPI_Recv"], lower),
        (WaitState::LateBroadcast, &["late_broadcast", "MPI_Bcast"], upper),
    ];
    shows(&expected, 2.0 * 0.22, &program);
}

#[test]
fn functions_compute_and_move_what_the_report_says() {
    let (_folder, program) = c_program("values.c", &[]);
    for ranks in [1, 3, 4] {
        let output = run(ranks, &program, &[], &[]);
        succeeded(&output);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "all values hold\n");
    }
}

#[test]
fn work_of_a_team_is_shared_by_its_threads() {
    let (_folder, program) = c_program("openmp.c", &["-fopenmp"]);
    let output = run(1, &program, &[("OMP_NUM_THREADS", "3")], &[]);
    succeeded(&output);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "asked: 2 2 2\n");
}

#[test]
fn a_composition_is_of_the_paradigm_that_it_names() {
    let (_folder, program) = c_program("paradigm.c", &["-fopenmp"]);
    for (name, said) in [
        ("mpi", "MPI: 1, threads: 2"),
        ("openmp", "MPI: 0, threads: 3"),
        ("hybrid", "MPI: 1, threads: 3"),
        ("sequential", "MPI: 0, threads: 2"),
    ] {
        let output = run(1, &program, &[("OMP_NUM_THREADS", "2")], &[name]);
        succeeded(&output);
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(printed.starts_with(said), "{name}: {printed}");
    }
}

#[test]
fn wrong_calls_end_with_a_message_that_names_them() {
    let (_folder, program) = c_program("misuse.c", &[]);
    for (wrong, message) in [
        ("before", "late_sender: MPI is not initialised; call it between MPI_Init and MPI_Finalize"),
        ("after", "late_sender: MPI is not initialised; call it between MPI_Init and MPI_Finalize"),
        ("count", "late_sender on rank 0: r is -3; it must be 0 or more"),
        (
            "negative",
            "late_sender on rank 0: extrawork is -0.5; a duration in seconds is finite and not negative",
        ),
        (
            "nan",
            "late_broadcast on rank 0: basework is NaN; a duration in seconds is finite and not negative",
        ),
        ("root", "late_broadcast_balanced on rank 0: root is -1; it must be 0 or more"),
        ("null", "early_reduce on rank 0: the communicator is MPI_COMM_NULL"),
        ("function", "imbalance_at_mpi_barrier on rank 0: the distribution function is a null pointer"),
        ("descriptor", "df_same on rank 0: the descriptor is a null pointer"),
        (
            "share",
            "imbalance_at_mpi_barrier on rank 0: the distribution gives participant 0 of 1 -1; a share is finite and \
             not negative",
        ),
        ("mark", "ats_leave_construct on rank 0: it is not its turn: nothing was begun that it could end"),
        (
            "construct",
            "ats_enter_construct on rank 0: `!$omp teams` is neither a construct nor a call of MPI",
        ),
        (
            "many",
            "alloc_mpi_vbuf on rank 0: a part would have more than 2147483647 elements, which MPI cannot send",
        ),
        ("elements", "alloc_mpi_buf on rank 0: cnt is -1; it must be 0 or more"),
        ("buffer", "mpi_commpattern_sendrecv on rank 0: buf is a null pointer"),
        ("direction", "mpi_commpattern_shift on rank 0: dir is 7; it must be DIR_UP or DIR_DOWN"),
        (
            "pattern",
            "mpi_commpattern_chain on rank 0: work is -0.5; a duration in seconds is finite and not negative",
        ),
        (
            "gaps",
            "set_base_comm on rank 0: the type has gaps, which the suite does not send; use one without",
        ),
    ] {
        let output = run(1, &program, &[], &[wrong]);
        assert!(!output.status.success(), "{wrong}");
        assert!(stderr(&output).lines().any(|line| line == message), "{wrong}: {}", stderr(&output));
    }
    let output = run(1, &program, &[("ATS_WORK", "fast")], &["work"]);
    let message = "do_work on rank 0: ATS_WORK: there is no kind of work `fast`; use one of spin, hybrid";
    assert!(!output.status.success() && stderr(&output).contains(message), "{}", stderr(&output));
    succeeded(&run(1, &program, &[("ATS_WORK", "sleep")], &["work"]));
}

//! Programs against the library: what they compute, what they show, and how they end.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::suite::{
    c_program, compile, findings, has, pkg_config, prefix, run, source, stderr, succeed, succeeded,
};
use ats_model::{Finding, WaitState};

/// A wait that a program shows: its state, its call path, and the seconds of every rank.
type Shown<'a> = (WaitState, &'a [&'a str], &'a [f64]);

/// Two repetitions of what somebody works longer.
const EXTRA: f64 = 2.0 * 0.2;
const PATTERN: &str = "mpi_commpattern_sendrecv";

/// What `report.c` and `report.f90` show on four ranks.
const REPORT: [Shown<'static>; 15] = [
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
    (WaitState::LateSender, &["wrong_order", "MPI_Recv"], &[0.0, 0.2, 0.3, 0.4]),
    (WaitState::LateSender, &["right_order", "MPI_Recv"], &[0.6, 0.2, 0.3, 0.4]),
    (WaitState::LateSender, &["late_sender_balanced", PATTERN, "MPI_Recv"], &[0.0; 4]),
];

/// How far a rank may be off, in seconds: a tenth of what most of them wait.
const TOLERANCE: f64 = EXTRA / 10.0;

/// Fails unless the program shows just that. Since the machine may be busy with something else, only what differs in
/// each of three runs counts.
#[track_caller]
fn shows(expected: &[Shown<'_>], program: &Path) {
    let ranks = expected[0].2.len();
    let run = || differences(expected, &findings(ranks as u32, program));
    let mut differing = run();
    for _ in 1..3 {
        if differing.is_empty() {
            return;
        }
        let again = run();
        differing.retain(|place, _| again.contains_key(place));
    }
    assert!(differing.is_empty(), "differs in every run: {differing:#?}");
}

/// What differs, by wait state, call path and rank.
fn differences(
    expected: &[Shown<'_>],
    findings: &[Finding],
) -> BTreeMap<(WaitState, Vec<String>, usize), String> {
    let mut seconds: BTreeMap<_, [f64; 2]> = BTreeMap::new();
    for (state, path, shares) in expected {
        let path: Vec<String> = path.iter().map(|&region| region.to_owned()).collect();
        for (rank, share) in shares.iter().enumerate() {
            seconds.entry((*state, path.clone(), rank)).or_default()[0] = *share;
        }
    }
    // Outside the properties are the program's own barriers.
    for finding in findings.iter().filter(|finding| finding.call_path.len() > 1) {
        let Some(state) = finding.property else { continue };
        for share in &finding.locations {
            let place = (state, finding.call_path.clone(), share.rank as usize);
            seconds.entry(place).or_default()[1] += share.waiting_time;
        }
    }
    seconds.retain(|_, [expected, found]| (*expected - *found).abs() > TOLERANCE);
    seconds
        .into_iter()
        .map(|(place, [expected, found])| (place, format!("{found} s, not {expected} s")))
        .collect()
}

#[test]
fn a_c_program_shows_its_severities() {
    let (_folder, program) = c_program("report.c", &["-std=c89"]);
    shows(&REPORT, &program);
}

#[test]
fn a_fortran_program_shows_its_severities() {
    if has("mpifort.openmpi") {
        let folder = tempfile::tempdir().unwrap();
        let module = pkg_config(&["--variable=fortran_module"]).remove(0).into();
        let program = compile("mpifort.openmpi", &[], &[module, source("report.f90")], folder.path());
        shows(&REPORT, &program);
    }
}

#[test]
fn programs_built_by_cmake_find_the_library_shared_and_static() {
    if has("cmake") {
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
        shows(&REPORT, &folder.path().join("static"));
        let needed = succeed(Command::new("ldd").arg(folder.path().join("static")));
        assert!(!needed.contains("libats"), "{needed}");
        succeeded(&run(2, &folder.path().join("shared"), &[], &[]));
    }
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
    shows(&expected, &program);
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
        (
            "many",
            "alloc_mpi_vbuf on rank 0: a part would have more than 2147483647 elements, which MPI cannot send",
        ),
        ("elements", "alloc_mpi_buf on rank 0: cnt is -1; it must be 0 or more"),
        ("buffer", "mpi_commpattern_sendrecv on rank 0: buf is a null pointer"),
        ("direction", "mpi_commpattern_shift on rank 0: dir is 7; it must be DIR_UP or DIR_DOWN"),
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

//! Generated programs with threads, built and run: by themselves, and under Open MPI.

use std::process::Command;

use ats_model::Witness;
use ats_model::witness::{Choice, Construct};
use ats_props::{Catalogue, Needs, Program};

use crate::common::{
    Ended, arguments, assert_consistent, checksum, for_each, is_within, mpirun, openmpi, programs, run,
    runs_here, start,
};

fn with_needs(needs: Needs) -> Vec<Program> {
    let runs = |program: &Program| program.property.needs == needs && runs_here(program.property);
    Catalogue::builtin().programs().filter(runs).collect()
}

fn names(constructs: &[Construct]) -> Vec<&str> {
    constructs.iter().map(|construct| construct.name.as_str()).collect()
}

/// The constructs of each thread of a process, the master first.
fn by_thread(witness: &Witness) -> Vec<&[Construct]> {
    let others = witness.threads.iter().map(|thread| &thread.constructs[..]);
    std::iter::once(&witness.constructs[..]).chain(others).collect()
}

/// Asserts that all leave the barrier after the last has come, except those that lead to it: they leave when they
/// enter.
fn assert_barrier<'a>(constructs: impl Iterator<Item = &'a Construct>) {
    let spans: Vec<_> = constructs.map(|construct| construct.span).collect();
    let last = spans.iter().map(|span| span.enter_ns).max().unwrap();
    assert!(spans.iter().all(|span| last <= span.leave_ns), "{spans:?}");
}

fn assert_runs(program: &Program, ranks: Option<usize>, threads: usize) {
    let arguments = arguments(program, threads);
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let (summary, witnesses) = run(ranks, program.property.name, &arguments);
    let ranks = ranks.unwrap_or(1);
    let start = format!("ATS {} ranks={ranks} threads={threads} --work=", program.name());
    assert!(summary.starts_with(&start), "{summary}");
    for (rank, witness) in witnesses.iter().enumerate() {
        assert_consistent(witness);
        assert_eq!(witness.program, program.name());
        assert_eq!((witness.rank, witness.ranks), (rank as u32, ranks as u32));
        assert_eq!(witness.environment["threads"], threads);
        let fits = |path: &[u32]| path.iter().all(|&number| (number as usize) < threads);
        assert!(witness.threads.iter().all(|thread| fits(&thread.path)), "{witness:?}");
    }
}

#[test]
fn every_openmp_program_runs() {
    for_each(with_needs(Needs::TEAM), |program| {
        let sizes: &[usize] = if program.balanced { &[4] } else { &[2, 5] };
        for &threads in sizes.iter().filter(|&&threads| threads >= program.property.min_threads) {
            assert_runs(&program, None, threads);
        }
    });
}

#[test]
fn every_hybrid_program_runs() {
    for_each(with_needs(Needs::RANKS_AND_TEAM), |program| assert_runs(&program, Some(2), 2));
}

/// Pages are placed on two nodes of memory, which many machines do not have.
#[test]
fn a_machine_with_one_node_of_memory_does_not_run_what_needs_two() {
    if ats_work::memory_nodes() > 1 {
        return;
    }
    let ended = start(&[], "numa_first_touch", &["--threads=2", "r=1"], &[]);
    assert_eq!(ended.code, Some(ats_work::machine::UNFIT_EXIT_CODE), "{}", ended.stderr);
    let reason = "two nodes of memory, and the machine has one: this program is unsupported here";
    assert!(ended.stderr.contains(reason), "{}", ended.stderr);
}

#[test]
fn the_witness_of_a_team_has_every_thread() {
    let line = ["--threads=4", "distribution=block2:0.001:0.004", "r=3"];
    let (_, witnesses) = run(None, "imbalance_at_omp_barrier", &line);
    let witness = &witnesses[0];
    let paths: Vec<_> = witness.threads.iter().map(|thread| thread.path.clone()).collect();
    assert_eq!(paths, [[1], [2], [3]]);
    let team = by_thread(witness);
    let barriers = ["!$omp barrier"; 3];
    let ends = ["!$omp implicit barrier"];
    assert_eq!(names(team[0]), [&["!$omp parallel"][..], &barriers, &ends].concat());
    for member in &team[1..] {
        assert_eq!(names(member), [&barriers[..], &ends].concat());
        assert!(member.iter().all(|construct| is_within(&construct.span, &team[0][0].span)), "{witness:?}");
    }
    for repetition in 0..3 {
        let of_master = &team[0][1 + repetition];
        assert_barrier(team[1..].iter().map(|member| &member[repetition]).chain([of_master]));
    }
    let asked = |work: &[ats_model::witness::Work]| work.iter().map(|work| work.seconds).collect::<Vec<_>>();
    assert_eq!(asked(&witness.work), [0.001; 3]);
    let others: Vec<_> = witness.threads.iter().map(|thread| asked(&thread.work)).collect();
    assert_eq!(others, [[0.001; 3], [0.004; 3], [0.004; 3]]);
    let environment = &witness.environment;
    assert!(environment["team"].as_str().unwrap().contains("libomp"), "{environment:?}");
    assert!(environment["mpi_library"].is_null() && environment["base_comm"].is_null(), "{environment:?}");
}

#[test]
fn the_witness_has_what_the_run_chose() {
    let (_, witnesses) = run(None, "critical_section_contention", &["--threads=4", "r=3"]);
    let witness = &witnesses[0];
    let mut turns: Vec<u32> = Vec::new();
    let others = witness.threads.iter().map(|thread| (&thread.constructs, &thread.choices));
    for (constructs, choices) in [(&witness.constructs, &witness.choices)].into_iter().chain(others) {
        for &Choice { construct, chosen } in choices {
            assert_eq!(constructs[construct].name, "!$omp critical");
            assert_eq!(constructs[construct + 1].name, "!$omp critical sblock");
            turns.push(chosen);
        }
    }
    turns.sort_unstable();
    assert_eq!(turns, (0..turns.len() as u32).collect::<Vec<_>>());
    assert!(turns.len() >= 4, "every thread had its turn");
}

#[test]
fn a_checksum_does_not_depend_on_who_does_what() {
    for (needs, ranks) in [(Needs::TEAM, None), (Needs::RANKS_AND_TEAM, Some(2))] {
        let unbalanced = with_needs(needs).into_iter().filter(|program| !program.balanced);
        for_each(unbalanced, |program| {
            let arguments = arguments(&program, 4);
            let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
            let of =
                |more: &[&str]| checksum(&run(ranks, program.property.name, &[&arguments, more].concat()).0);
            let once = of(&[]);
            assert_eq!(of(&["--work=none"]), once, "{}", program.name());
            // Amounts of work are the same for every seed.
            if !program.property.finds.are_of_the_machine() {
                assert_ne!(of(&["--work=none", "--seed=2"]), once, "{}", program.name());
            }
        });
    }
}

#[test]
fn a_hybrid_witness_has_calls_and_constructs_in_order() {
    let line = ["--threads=3", "basework=1ms", "extrawork=4ms", "r=2"];
    let (summary, witnesses) = run(Some(2), "late_sender_hybrid", &line);
    assert!(summary.starts_with("ATS late_sender_hybrid ranks=2 threads=3 --work=hybrid"), "{summary}");
    for (witness, call) in witnesses.iter().zip(["MPI_Ssend", "MPI_Recv"]) {
        let team = by_thread(witness);
        let master = ["!$omp parallel", "!$omp implicit barrier", call];
        assert_eq!(names(team[0]), [master, master].concat());
        assert_eq!(team.len(), 3);
        for member in &team[1..] {
            assert_eq!(names(member), ["!$omp implicit barrier"; 2]);
            for (construct, region) in member.iter().zip([&team[0][0], &team[0][3]]) {
                assert!(is_within(&construct.span, &region.span), "{construct:?} in {region:?}");
            }
        }
    }
}

#[test]
fn programs_are_linked_with_what_they_need() {
    for (program, mpi, openmp) in [
        ("late_sender", true, false),
        ("imbalance_at_omp_barrier", false, true),
        ("late_sender_hybrid", true, true),
    ] {
        let executable = programs().executable(program, &openmpi());
        let libraries = Command::new("ldd").arg(executable).output().unwrap();
        let libraries = String::from_utf8(libraries.stdout).unwrap();
        let linked = (libraries.contains("libmpi.so"), libraries.contains("libomp.so"));
        assert_eq!(linked, (mpi, openmp), "{program}: {libraries}");
    }
}

#[test]
fn the_environment_says_how_many_threads() {
    let ended = start(&[], "imbalance_in_omp_pregion", &["r=1"], &[("OMP_NUM_THREADS", "3,2")]);
    assert!(ended.stdout.starts_with("ATS imbalance_in_omp_pregion ranks=1 threads=3 "), "{}", ended.stdout);
}

#[test]
fn impossible_requests_are_reported_once() {
    let alone = |program, arguments: &[&str], environment: &[(&str, &str)]| {
        start(&[], program, arguments, environment)
    };
    let assert_refused = |ended: Ended, code: i32, parts: &[&str]| {
        assert_eq!(ended.code, Some(code), "{}{}", ended.stdout, ended.stderr);
        for part in parts {
            assert_eq!(ended.stderr.matches(part).count(), 1, "{part} in {}", ended.stderr);
        }
        assert!(!ended.stdout.contains("ATS "), "{}", ended.stdout);
    };
    let program = "imbalance_at_omp_barrier";
    assert_refused(alone(program, &["--threads=1"], &[]), 2, &["at least 2 threads, 1 given", "--threads 2"]);
    assert_refused(alone(program, &[], &[("OMP_NUM_THREADS", "1")]), 2, &["--threads 2"]);
    assert_refused(alone(program, &[], &[("OMP_NUM_THREADS", "few")]), 2, &["$OMP_NUM_THREADS is `few`"]);
    assert_refused(
        alone(program, &["--threads=4"], &[("OMP_THREAD_LIMIT", "3")]),
        1,
        &["OMP_THREAD_LIMIT is 3"],
    );
    assert_refused(
        alone("nested_parallel_imbalance", &["--threads=2"], &[("OMP_MAX_ACTIVE_LEVELS", "1")]),
        1,
        &["OMP_MAX_ACTIVE_LEVELS is 1"],
    );
    let ended = mpirun(3, program, &["--threads=2"]);
    assert_eq!(ended.stderr.matches("started 3 processes").count(), 1, "{}", ended.stderr);
    assert!(ended.code != Some(0) && !ended.stdout.contains("ATS "), "{}", ended.stdout);
}

#[test]
fn a_thread_that_panics_ends_the_program() {
    let ended = start(&[], "clumsy_team", &["--threads=4"], &[]);
    assert!(ended.code.is_none_or(|code| code != 0 && code != 124), "{:?} {}", ended.code, ended.stderr);
    assert!(ended.stderr.contains("broken as asked for"), "{}", ended.stderr);
}

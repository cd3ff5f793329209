//! Overheads of programs in virtual time, whose losses are known.

use std::fmt::Debug;

use ats_diagnosis::{DiagnosisError, Reference};
use ats_documents::classes::Classes;
use ats_documents::overheads::RegionOverheads;
use ats_documents::profile::{Combine, Metric, Origin};
use ats_experiment::Given;
use ats_model::delay::Extent;
use ats_truth::TruthOptions;

use crate::common::{self, Kept, assert_close, of_run, planned, profile, simulated, simulated_with};

/// Of a program with parameters at a size, over the same with one process.
fn over_one_process(program: &str, ranks: usize) -> RegionOverheads {
    of_run(&simulated(program, ranks, 1), &simulated(program, 1, 1)).program
}

/// The same over one unit that does all of the work.
fn over_one_unit(program: &str, ranks: usize, threads: usize) -> RegionOverheads {
    common::over_one_unit(&planned(program, &[], ranks, threads), &TruthOptions::default()).program
}

/// All overhead is in these parts, and there is none unidentified.
#[track_caller]
fn assert_parts(of: &RegionOverheads, parts: &[(&str, f64)], what: impl Debug) {
    let overhead: f64 = parts.iter().map(|(_, seconds)| seconds).sum();
    assert_close(of.overhead.unwrap(), overhead, &format!("T_o of {what:?}: {of:?}"));
    for (part, seconds) in parts {
        let found = of.parts.get(*part).copied().unwrap_or_default();
        assert_close(found, *seconds, &format!("{part} of {what:?}: {of:?}"));
    }
    assert_close(of.identified.unwrap(), overhead, &format!("T_i of {what:?}: {of:?}"));
}

fn sizes() -> impl Iterator<Item = usize> {
    (1..=10).chain([16, 31, 64])
}

#[test]
fn unparallelised_work() {
    for ranks in sizes() {
        let p = ranks as f64;
        let of = over_one_process("amdahl", ranks);
        assert_parts(&of, &[("loss/unparallelised", 5.0 * 0.02 * (1.0 - 1.0 / p))], ("amdahl", ranks));
        assert_close(of.speed_up.unwrap(), 0.1 / (0.02 + 0.08 / p), "speed-up");
        assert_eq!(of.estimated.is_empty(), ranks == 1);
    }
}

#[test]
fn replicated_and_additional_work() {
    for ranks in sizes() {
        let p = ranks as f64;
        let additional = if ranks > 1 { 5.0 * 0.005 } else { 0.0 };
        let parts =
            [("loss/replicated", 5.0 * 0.02 * (1.0 - 1.0 / p)), ("additional/computation", additional)];
        assert_parts(&over_one_process("replicated", ranks), &parts, ("replicated", ranks));
    }
}

#[test]
fn additional_work_alone() {
    for ranks in sizes() {
        let of = |ranks: usize| {
            let words = ["common=0s", "additional=7ms", "r=3"];
            simulated_with(&planned("replicated", &words, ranks, 1), &TruthOptions::default())
        };
        let seconds = if ranks > 1 { 3.0 * 0.007 } else { 0.0 };
        let of = of_run(&of(ranks), &of(1)).program;
        assert_parts(&of, &[("additional/computation", seconds)], ("replicated", ranks));
        assert!(of.estimated.is_empty(), "{of:?}");
    }
}

#[test]
fn forks_cost_the_threads_that_begin_late() {
    for (ranks, threads) in [(1, 2), (1, 3), (1, 16), (1, 64), (2, 4), (8, 8)] {
        let program =
            if ranks == 1 { "parallel_region_startup_overhead" } else { "thread_imbalance_only_balanced" };
        let options = TruthOptions { fork: 1e-4, ..TruthOptions::default() };
        let planned = planned(program, &[], ranks, threads);
        let regions = if ranks == 1 { 10.0 * 21.0 } else { 10.0 };
        let share = 1.0 / threads as f64;
        let cost = regions * 1e-4;
        // The masters wait for the others at the end of each region.
        let parts =
            [("control/fork_join", cost * (1.0 - share)), ("synchronisation/implicit_barrier", cost * share)];
        assert_parts(&common::over_one_unit(&planned, &options).program, &parts, (program, threads));
    }
}

#[test]
fn work_for_some() {
    for ranks in sizes() {
        let p = ranks as f64;
        let lost = 5.0 * (0.1 / f64::min(p, 2.0) - 0.1 / p);
        assert_parts(&over_one_process("partial", ranks), &[("loss/partial", lost)], ("partial", ranks));
    }
}

#[test]
fn root_causes_give_the_loss_that_is_planted() {
    let causes = TruthOptions { causes: Some(Extent::All), ..TruthOptions::default() };
    let over_one_process = |program: &str, ranks: usize| {
        let of = |ranks| simulated_with(&planned(program, &[], ranks, 1), &causes);
        of_run(&of(ranks), &of(1)).program
    };
    for ranks in sizes() {
        let p = ranks as f64;
        let alone = ("loss/unparallelised", 5.0 * 0.02 * (1.0 - 1.0 / p));
        let some = ("loss/partial", 5.0 * (0.1 / f64::min(p, 2.0) - 0.1 / p));
        for (program, part) in [("amdahl", alone), ("partial", some)] {
            let of = over_one_process(program, ranks);
            assert_parts(&of, &[part], (program, ranks));
            assert!(of.estimated.is_empty(), "{of:?}");
        }
        // Nothing in a trace tells that work is done again.
        let of = over_one_process("replicated", ranks);
        assert_eq!(of.estimated.is_empty(), ranks == 1, "{of:?}");
    }
    for threads in [2, 3, 8, 64] {
        let lost = 10.0 * 0.05 * (1.0 - 1.0 / threads as f64);
        for program in ["unparallelized_in_master_region", "unparallelized_in_single_region"] {
            let of = common::over_one_unit(&planned(program, &[], 1, threads), &causes).program;
            assert_parts(&of, &[("loss/unparallelised", lost)], (program, threads));
            assert!(of.estimated.is_empty(), "{of:?}");
        }
    }
}

/// One process has work of its own, and all share the rest unevenly: only root causes tell which of it was waited for.
#[test]
fn root_causes_tell_loss_from_waits_for_uneven_shares() {
    let paths: &[(&str, Option<u32>, &[f64])] = &[
        ("serial", None, &[1.0, 0.0, 0.0]),
        ("shared", None, &[1.0, 1.5, 1.25]),
        ("MPI_Barrier", None, &[0.0, 0.5, 0.75]),
    ];
    let mut parallel = profile(&[(0, 0), (1, 0), (2, 0)], paths);
    let alone = profile(&[(0, 0)], &[("serial", None, &[1.0]), ("shared", None, &[3.75])]);
    let alone = Kept::new(alone, Given::default());
    let of = of_run(&Kept::new(parallel.clone(), Given::default()), &alone).program;
    assert_parts(&of, &[("loss/unparallelised", 1.25 / 3.0)], "an estimate");
    assert_eq!(of.estimated, ["loss/unparallelised"]);
    parallel.metrics.push(Metric::new("delay_barrier", "s", Origin::Derived, Combine::Sum));
    parallel.values.insert("delay_barrier".to_owned(), vec![(0, 0, 0.75), (1, 1, 0.5)].into());
    let of = of_run(&Kept::new(parallel, Given::default()), &alone).program;
    let parts = [("loss/unparallelised", 0.25), ("synchronisation/mpi_barrier", 0.5 / 3.0)];
    assert_parts(&of, &parts, "by root causes");
    assert!(of.estimated.is_empty(), "{of:?}");
}

/// The seconds of all units that are lost by work of one and of some, if each also waits ten seconds at barriers.
fn lost(in_team: bool, work: &[f64]) -> [f64; 2] {
    let (idle, waits) = (vec![0.0; work.len()], vec![10.0; work.len()]);
    let (of_ranks, of_threads);
    let paths: &[(&str, Option<u32>, &[f64])] = if in_team {
        of_threads = [
            ("!$omp parallel", None, &*idle),
            ("!$omp for", Some(0), work),
            ("!$omp implicit barrier", Some(0), &*waits),
        ];
        &of_threads
    } else {
        of_ranks = [("work", None, work), ("MPI_Barrier", None, &*waits)];
        &of_ranks
    };
    let units: Vec<_> = (0..work.len() as u32).map(|at| if in_team { (0, at) } else { (at, 0) }).collect();
    let parallel = Kept::new(profile(&units, paths), Given::default());
    let alone = profile(&[(0, 0)], &[("work", None, &[work.iter().sum()])]);
    let of = of_run(&parallel, &Kept::new(alone, Given::default())).program;
    ["loss/unparallelised", "loss/partial"]
        .map(|part| of.parts.get(part).copied().unwrap_or_default() * work.len() as f64)
}

#[test]
fn work_of_one_and_of_some_is_a_loss_and_an_uneven_share_is_none() {
    assert_eq!(lost(false, &[3.0, 1.0, 1.0, 1.0]), [6.0, 0.0]);
    assert_eq!(lost(true, &[3.0, 1.0, 1.0, 1.0]), [0.0, 0.0]);
    assert_eq!(lost(true, &[0.0, 2.0]), [2.0, 0.0]);
    assert_eq!(lost(false, &[2.0, 2.0, 0.0, 0.0]), [0.0, 4.0]);
    assert_eq!(lost(false, &[2.0, 2.0, 1.0, 1.0]), [0.0, 0.0]);
    assert_eq!(lost(false, &[1.0, 2.0, 3.0]), [0.0, 0.0]);
    for alike in [&[1.0, 1.0][..], &[0.0, 0.0], &[1.0]] {
        assert_eq!(lost(false, alike), [0.0, 0.0]);
    }
}

/// The parts of the overhead of a program with root causes, and with an estimate.
fn parts(program: &str, arguments: &[&str], ranks: usize) -> [Vec<String>; 2] {
    [Some(Extent::All), None].map(|causes| {
        let options = TruthOptions { causes, ..TruthOptions::default() };
        let planned = planned(program, arguments, ranks, 1);
        common::over_one_unit(&planned, &options).program.parts.into_keys().collect()
    })
}

#[test]
fn two_units_are_told_from_each_other_as_more_are() {
    for ranks in [2, 3, 4, 8] {
        assert_eq!(
            parts("amdahl", &[], ranks),
            [["loss/unparallelised"], ["loss/unparallelised"]],
            "{ranks}"
        );
        let linear = ["distribution=linear:10ms:50ms"];
        let [by_causes, estimated] = parts("imbalance_at_mpi_barrier", &linear, ranks);
        for parts in [by_causes, estimated] {
            assert!(parts.contains(&"synchronisation/mpi_barrier".to_owned()), "{ranks}: {parts:?}");
            assert!(!parts.iter().any(|part| part.starts_with("loss")), "{ranks}: {parts:?}");
        }
    }
    assert_eq!(lost(false, &[3.0, 1.0]), [2.0, 0.0]);
    assert_eq!(lost(false, &[1.0, 3.0]), [0.0, 0.0]);
    assert_eq!(lost(false, &[0.0, 3.0]), [3.0, 0.0]);
}

#[test]
fn critical_sections() {
    for threads in [2, 3, 4, 7, 16, 64] {
        let t = threads as f64;
        let waits = t * (t - 1.0) / 2.0 * 0.02 + 9.0 * t * f64::max(0.0, (t - 1.0) * 0.02 - 0.01);
        let of = over_one_unit("critical_section_contention", 1, threads);
        let critical = of.parts["synchronisation/critical"];
        assert!(critical >= waits / t - 1e-9, "{threads}: {critical} {waits}");
        let barrier = of.parts["synchronisation/implicit_barrier"];
        let parts = [("synchronisation/critical", critical), ("synchronisation/implicit_barrier", barrier)];
        assert_parts(&of, &parts, ("critical", threads));
    }
}

#[test]
fn late_senders() {
    for ranks in sizes().filter(|ranks| ranks % 2 == 0) {
        let parts = [("movement/receive", 10.0 * 0.05 / 2.0)];
        assert_parts(&over_one_unit("late_sender", ranks, 1), &parts, ("late_sender", ranks));
    }
}

#[test]
fn threads_that_have_no_work() {
    for threads in [2, 3, 4, 8, 33, 64] {
        let lost = 10.0 * 0.05 * (1.0 - 1.0 / threads as f64);
        for program in [
            "unparallelized_in_master_region",
            "unparallelized_in_single_region",
            "idle_threads_sequential_part",
        ] {
            let of = over_one_unit(program, 1, threads);
            assert_parts(&of, &[("loss/unparallelised", lost)], (program, threads));
        }
        let of = over_one_unit("imbalance_in_omp_loop", 1, threads);
        assert_parts(&of, &[("synchronisation/implicit_barrier", of.overhead.unwrap())], "an uneven loop");
    }
}

#[test]
fn processes_with_threads() {
    let all = 10.0 * 0.05;
    for (ranks, threads) in [(2, 2), (2, 4), (4, 2), (8, 8), (2, 32)] {
        let idle = 1.0 - 1.0 / threads as f64;
        let outside = [("loss/unparallelised", all / 2.0 * idle), ("movement/receive", all / 2.0)];
        for (program, parts) in [
            ("late_sender_hybrid", &outside[1..]),
            ("mpi_outside_parallel", &outside),
            ("process_imbalance_only", &[("synchronisation/mpi_barrier", all / 2.0)]),
            (
                "thread_imbalance_only",
                &[("synchronisation/implicit_barrier", all * (threads / 2) as f64 / threads as f64)],
            ),
        ] {
            assert_parts(&over_one_unit(program, ranks, threads), parts, (program, ranks, threads));
        }
    }
}

#[test]
fn units_that_compute_less_together_gain_time() {
    let parallel = Kept::new(profile(&[(0, 0), (1, 0)], &[("main", None, &[1.0, 1.0])]), Given::default());
    let alone = Kept::new(profile(&[(0, 0)], &[("main", None, &[3.0])]), Given::default());
    let of = of_run(&parallel, &alone).program;
    assert_eq!((of.overhead, of.identified, of.unidentified), (Some(-0.5), Some(0.0), Some(-0.5)));
    assert!(of.reasons[0].why.contains("compute less"), "{of:?}");
}

#[test]
fn regions_without_a_counterpart() {
    let paths: &[(&str, Option<u32>, &[f64])] =
        &[("main", None, &[1.0, 1.0]), ("new", Some(0), &[0.5, 0.7]), ("MPI_Barrier", Some(0), &[0.2, 0.0])];
    let parallel = Kept::new(profile(&[(0, 0), (1, 0)], paths), Given::default());
    let alone = Kept::new(profile(&[(0, 0)], &[("main", None, &[2.0])]), Given::default());
    let run = of_run(&parallel, &alone);
    let region = |name: &str| run.regions.iter().find(|of| of.region == name).unwrap();
    let new = region("new");
    assert_eq!((new.time, new.sequential, new.overhead, new.unidentified), (Some(0.7), None, None, None));
    assert!(new.reasons.iter().any(|reason| reason.why.contains("no such region")), "{new:?}");
    let barrier = region("MPI_Barrier");
    assert_eq!((barrier.sequential, barrier.overhead), (Some(0.0), Some(0.2)), "a call has no counterpart");
}

#[test]
fn balanced_programs_lose_nothing() {
    for twin in ["amdahl_balanced", "partial_balanced"] {
        for ranks in sizes() {
            assert_parts(&over_one_process(twin, ranks), &[], (twin, ranks));
        }
    }
}

#[test]
fn a_region_that_is_not_there() {
    let run = simulated("amdahl", 2, 1);
    let classes = Classes::default();
    let reference = Reference { run: run.run(), classes: &classes, region: Some("amdal") };
    let error = reference.overheads(&[run.run()]).unwrap_err();
    assert!(matches!(&error, DiagnosisError::Region { .. }));
    assert!(error.to_string().contains("it has no region `amdal` (did you mean `amdahl`?)"), "{error}");
}

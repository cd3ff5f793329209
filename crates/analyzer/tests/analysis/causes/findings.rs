//! The causes of findings, the critical path and the performance impact, calculated by hand.

use ats_analyzer::notation::parse;
use ats_documents::{Analysis, Causes};
use ats_model::delay::Extent;

use super::analysis;
use crate::trimmed;

fn analyze(trace: &str, extent: Extent) -> Analysis {
    analysis(&parse(trace).unwrap(), extent, 4_000_000)
}

fn place(causes: &Causes, path: u32, unit: u32) -> String {
    let unit = causes.units[unit as usize];
    let thread = if unit.thread == 0 { String::new() } else { format!(".{}", unit.thread) };
    format!("{} {}{thread}", causes.label(path), unit.rank)
}

/// Each finding with its sums, and below it its causes: `CALL/PATH RANK direct + indirect through HOPS`.
fn table(analysis: &Analysis) -> String {
    let causes = analysis.causes.as_ref().unwrap();
    let mut rows = Vec::new();
    for caused in &causes.findings {
        rows.push(format!(
            "{}: direct {}, indirect {}, propagating {}, terminal {}, unattributed {}",
            caused.finding,
            caused.direct,
            caused.indirect,
            caused.propagating,
            caused.terminal,
            caused.unattributed
        ));
        for cause in &caused.causes {
            let place = place(causes, cause.call_path, cause.unit);
            rows.push(format!("{place}: {} + {} through {}", cause.direct, cause.indirect, cause.hops));
        }
    }
    rows.join("\n")
}

/// The values of a metric.
fn metric(analysis: &Analysis, metric: &str) -> String {
    let causes = analysis.causes.as_ref().unwrap();
    let rows = causes.metrics.get(metric).into_iter().flatten();
    let mut rows: Vec<String> =
        rows.map(|&(path, unit, value)| format!("{}:{value}", place(causes, path, unit))).collect();
    rows.sort_unstable();
    rows.join("\n")
}

/// The parts of the critical path: `RANK BEGIN..END`.
fn stretches(analysis: &Analysis) -> String {
    let path = &analysis.causes.as_ref().unwrap().critical_path;
    let row = |part: &ats_documents::causes::Stretch| format!("{} {}..{}", part.unit, part.begin, part.end);
    path.stretches.iter().map(row).collect::<Vec<_>>().join(", ")
}

#[test]
fn a_chain_has_direct_and_indirect_causes() {
    // As in the examples: w is 6, 8 and 9 on ranks 1, 2 and 3.
    // Rank 0 costs 6 directly, 6 through the wait on rank 1, and 6 through those on ranks 1 and 2: (6 + 12) / 12 hops.
    // Indirect: 6 of 8, 8 of 9. Propagating: 6 and 8.
    let analysis = analyze(
        "0: 0..8 work; 8..9 MPI_Send send 1
         1: 0..2 work; 2..9 MPI_Recv recv 0; 9..10 MPI_Send send 2
         2: 0..1 work; 1..10 MPI_Recv recv 1; 10..11 MPI_Send send 3
         3: 0..1 work; 1..12 MPI_Recv recv 2",
        Extent::Scalasca,
    );
    assert_eq!(
        table(&analysis),
        trimmed(
            "late_sender@MPI_Recv: direct 9, indirect 14, propagating 14, terminal 9, unattributed 0
             work 0: 6 + 12 through 1.5
             work 1: 1 + 1 through 1
             MPI_Recv 1: 1 + 1 through 1
             MPI_Recv 2: 1 + 0 through 0"
        )
    );
}

#[test]
fn each_finding_has_its_own_costs() {
    // Late sender: w = 6, d: work 6. Barrier: w = 7, d: MPI_Recv 1, W = 6; s = 1.
    // The whole wait for the sender propagates, though by Scalasca's metric no message takes a part of it.
    let analysis = analyze(
        "comm pair 1 2
         0: 0..8 work; 8..9 MPI_Send send 1
         1: 0..2 work; 2..9 MPI_Recv recv 0; 9..10 MPI_Barrier barrier on pair
         2: 0..2 work; 2..10 MPI_Barrier barrier on pair",
        Extent::Scalasca,
    );
    assert_eq!(
        table(&analysis),
        trimmed(
            "wait_at_barrier@MPI_Barrier: direct 1, indirect 6, propagating 0, terminal 7, unattributed 0
             work 0: 0 + 6 through 1
             MPI_Recv 1: 1 + 0 through 0
             late_sender@MPI_Recv: direct 6, indirect 0, propagating 6, terminal 0, unattributed 0
             work 0: 6 + 0 through 0"
        )
    );
    assert_eq!(metric(&analysis, "mpi_wait_propagating_ls"), "");
}

#[test]
fn a_sender_explains_no_more_than_it_does() {
    // w = 6. d: work 3 − 2 = 1. s = 1, and 5 of the wait have no cause.
    let analysis = analyze(
        "0: 5..8 work; 8..9 MPI_Send send 1 \n 1: 0..2 work; 2..10 MPI_Recv recv 0",
        Extent::Scalasca,
    );
    assert_eq!(
        table(&analysis),
        trimmed(
            "late_sender@MPI_Recv: direct 1, indirect 0, propagating 0, terminal 6, unattributed 5
             work 0: 1 + 0 through 0"
        )
    );
}

#[test]
fn unexplained_waits_stay_unexplained_through_others() {
    // x1 on rank 1: w = 6, of which rank 0 explains 1. x2 on rank 2: w = 8. d: work 1, MPI_Recv 1; W = 6; s = 1.
    // C(x1) = 6: 6/1 per tick of d, so that it is charged whole. Unattributed is what the limit cuts off: 5 of x1.
    let analysis = analyze(
        "0: 5..8 work; 8..9 MPI_Send send 1
         1: 0..2 work; 2..9 MPI_Recv recv 0; 9..10 MPI_Send send 2
         2: 0..1 work; 1..11 MPI_Recv recv 1",
        Extent::Scalasca,
    );
    assert_eq!(
        table(&analysis),
        trimmed(
            "late_sender@MPI_Recv: direct 3, indirect 6, propagating 6, terminal 8, unattributed 5
             work 0: 1 + 6 through 1
             work 1: 1 + 0 through 0
             MPI_Recv 1: 1 + 0 through 0"
        )
    );
}

#[test]
fn a_wait_without_a_cause_has_none_in_the_long_term_either() {
    // x1 on rank 1: w = 6, D = 0. x2 on rank 2: w = 8, d: work 1, MPI_Recv 1; C(x1) = 6, which nobody caused.
    let analysis = analyze(
        "0: 8..9 MPI_Send send 1
         1: 0..2 work; 2..9 MPI_Recv recv 0; 9..10 MPI_Send send 2
         2: 0..1 work; 1..11 MPI_Recv recv 1",
        Extent::Scalasca,
    );
    assert_eq!(
        table(&analysis),
        trimmed(
            "late_sender@MPI_Recv: direct 2, indirect 6, propagating 6, terminal 8, unattributed 12
             work 1: 1 + 0 through 0
             MPI_Recv 1: 1 + 0 through 0"
        )
    );
}

#[test]
fn idle_threads_have_the_causes_of_what_their_master_waits_for() {
    // w = 6, d: a 6. Idle: a 2 + MPI_Recv 7 = 9, of which 6 through the wait.
    let analysis = analyze(
        "team t 0 0.1
         0: 0..2 a; 2..9 MPI_Recv recv 1; 9 fork; 9 begin t; 9..10 $parallel; 10 end t; 10 join
         0.1: 9 begin t; 9..10 $parallel; 10 end t
         1: 0..8 a; 8..9 MPI_Send send 0",
        Extent::Scalasca,
    );
    assert_eq!(
        table(&analysis),
        trimmed(
            "idle_threads@MPI_Recv: direct 1, indirect 6, propagating 0, terminal 7, unattributed 0
             a 1: 0 + 6 through 1
             MPI_Recv 0: 1 + 0 through 0
             late_sender@MPI_Recv: direct 6, indirect 0, propagating 0, terminal 6, unattributed 0
             a 1: 6 + 0 through 0
             idle_threads@a: direct 2, indirect 0, propagating 0, terminal 2, unattributed 0
             a 0: 2 + 0 through 0"
        )
    );
}

#[test]
fn finalize_has_causes_where_all_are_asked_for() {
    let trace = "
        0: 0..2 MPI_Init; 2..4 work; 4..20 MPI_Finalize
        1: 0..2 MPI_Init; 2..15 work; 15..20 MPI_Finalize";
    // w = 11. d: work 13 − 2 = 11.
    assert_eq!(
        table(&analyze(trace, Extent::All)),
        trimmed(
            "wait_at_finalize@MPI_Finalize: direct 11, indirect 0, propagating 0, terminal 11, unattributed 0
             work 1: 11 + 0 through 0"
        )
    );
    assert_eq!(table(&analyze(trace, Extent::Scalasca)), "");
}

#[test]
fn the_critical_path_goes_back_from_a_wait_to_its_cause() {
    let analysis = analyze(
        "0: 0..1 MPI_Init; 1..9 work; 9..10 MPI_Send send 1; 10..11 work; 11..20 MPI_Finalize
         1: 0..1 MPI_Init; 1..3 work; 3..10 MPI_Recv recv 0; 10..19 work; 19..20 MPI_Finalize",
        Extent::Scalasca,
    );
    // On rank 1 it begins at the enter of the call that waits.
    assert_eq!(stretches(&analysis), "0 0..9, 1 3..19");
    assert_eq!(analysis.causes.unwrap().critical_path.seconds, 19.0);
}

#[test]
fn without_mpi_the_critical_path_ends_with_the_last_main_thread() {
    let trace = "
        team t 0 0.1
        0: 0 enter main; 0..2 serial; 2 fork; 2 begin t; 2 enter $parallel; 2..4 a; 4..9 $barrier; 9 leave; 9 end t
        0: 9 join; 12 leave
        0.1: 2 begin t; 2 enter $parallel; 2..8 a; 8..9 $barrier; 9 leave; 9 end t";
    let analysis = analyze(trace, Extent::Scalasca);
    // From 12 back to 4 on the master, less w = 4; from 8 back to 2 on the last thread; from the fork to the begin.
    assert_eq!(stretches(&analysis), "0 0..2, 1 2..8, 0 4..12");
    assert_eq!(
        metric(&analysis, "critical_path"),
        trimmed(
            "main 0:3
             main/!$omp parallel/!$omp barrier 0:1
             main/!$omp parallel/a 0.1:6
             main/serial 0:2"
        )
    );
}

#[test]
fn the_performance_impact_is_that_of_the_path() {
    // g: MPI_Init 1, work 16 on rank 1. l of rank 0: MPI_Init 1, work 8, MPI_Finalize 11 − 8. l of rank 1: 1, 16, 3.
    let analysis = analyze(
        "0: 0..1 MPI_Init; 1..9 work; 9..20 MPI_Finalize
         1: 0..1 MPI_Init; 1..17 work; 17..20 MPI_Finalize",
        Extent::Scalasca,
    );
    let of = |name: &str| metric(&analysis, name);
    assert_eq!(of("critical_path"), "MPI_Init 1:1\nwork 1:16");
    assert_eq!(of("critical_path_activities"), "MPI_Init 0:1\nMPI_Init 1:1\nwork 0:8\nwork 1:16");
    assert_eq!(of("non_critical_path_activities"), "MPI_Finalize 0:3\nMPI_Finalize 1:3");
    // 16 − (8 + 16) / 2.
    assert_eq!(of("critical_path_imbalance"), "work 1:4");
    // e of rank 0: work 8, scaled by (17 − 12) / 8. Rank 1 has none.
    assert_eq!(of("critical_imbalance_impact"), "work 1:5");
    assert_eq!(of("inter_partition_imbalance"), "");
}

#[test]
fn imbalance_is_that_of_those_who_do_the_same_and_of_those_who_do_not() {
    let impact = |of_rank_2: &str| {
        let trace = format!(
            "0: 0..10 a; 10..10 MPI_Send send 1
             1: 0..2 c; 2..10 MPI_Recv recv 0; 10..20 b
             2: {of_rank_2}"
        );
        let analysis = analyze(&trace, Extent::Scalasca);
        ["critical_path", "critical_imbalance_impact", "inter_partition_imbalance"]
            .map(|name| metric(&analysis, name))
    };
    // g: a 10, b 10. Rank 0 lacks b and waits 10 for it, rank 1 lacks a and waits 20 - 12 for it.
    // Rank 2 lacks a and waits 20 - 4: 6 for b, which it does, too, and 10 for a.
    assert_eq!(impact("0..4 b"), ["a 0:10\nb 1:10", "b 1:6", "a 0:18\nb 1:10"]);
    // Scalasca divides nothing if one location lacks nothing. Rank 2 waits 20 - 5: 9 for a and 6 for b.
    assert_eq!(impact("0..1 a; 1..5 b"), ["a 0:10\nb 1:10", "a 0:17\nb 1:16", ""]);
}

/// A barrier in each of `findings` functions, which rank 1 reaches later than rank 0: 2 ticks each.
fn many(findings: usize) -> String {
    let line = |rank: u32, late: usize| {
        let step = |number: usize| {
            let begin = 4 * number;
            format!(
                "{} enter f{number}; {}..{} MPI_Barrier barrier; {} leave",
                begin,
                begin + late,
                begin + 3,
                begin + 4
            )
        };
        format!("{rank}: {}\n", (0..findings).map(step).collect::<Vec<_>>().join("; "))
    };
    line(0, 0) + &line(1, 2)
}

#[test]
fn every_finding_has_its_causes_up_to_a_limit_that_is_told() {
    let all = analyze(&many(100), Extent::Scalasca);
    let causes = all.causes.unwrap();
    assert_eq!((causes.findings.len(), causes.omitted), (100, 0));
    let one =
        |caused: &ats_documents::causes::CausedFinding| caused.waited() == 2.0 && caused.unattributed == 0.0;
    assert!(causes.findings.iter().all(one), "{causes:?}");
    let more = analyze(&many(Causes::LARGEST + 7), Extent::Scalasca);
    let causes = more.causes.unwrap();
    assert_eq!((causes.findings.len(), causes.omitted), (Causes::LARGEST, 7));
    let charged: f64 = causes.metrics["delay_barrier"].iter().map(|(.., seconds)| seconds).sum();
    assert_eq!(charged, 2.0 * (Causes::LARGEST + 7) as f64);
}

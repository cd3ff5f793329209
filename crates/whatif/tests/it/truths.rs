//! A changed program is the truth of a change.

use std::collections::BTreeMap;

use ats_model::source::InMemory;
use ats_props::{Catalogue, Program};
use ats_truth::{Network, Planned, Processors, TruthOptions};
use ats_whatif::{Changes, NetworkOfReplay, Selection, Speed};

use crate::{ideal, planned, program_again};

/// Programs whose calls last longer than they need: that is neither work nor network.
const DELAYED: [&str; 2] = ["barrier_completion", "nxn_completion"];

/// A program that tests for a message again and again: how often, the trace repeats.
pub(crate) const POLLING: &str = "late_sender_test_polling";

/// Its messages are gathered from memory and scattered to it, and no record tells that from other time in the calls.
const PACKED: &str = "derived_datatype_packing";

/// Parameters that are times, scaled.
fn scaled(program: Program, factor: f64) -> Vec<String> {
    let is_time = |kind: &str| matches!(kind, "seconds" | "distribution");
    let times = program.property.parameters.iter().filter(|parameter| is_time(parameter.kind.name));
    times.filter_map(|it| Some(format!("{}={}", it.name, (it.default)().scaled(factor).ok()?))).collect()
}

/// The end of each location, in picoseconds.
fn ends(trace: &InMemory) -> Vec<u64> {
    trace.events.iter().map(|events| events.last().map_or(0, |event| event.0)).collect()
}

/// How a changed replay of a program differs from the changed program: by more than 1e-9 of that.
fn differs(
    (before, options): (&Planned, &TruthOptions),
    changes: &Changes,
    (after, changed): (&Planned, &TruthOptions),
) -> Option<String> {
    let name = format!("{} on {}", before.subject.name(), before.size);
    let trace = ideal(before, options);
    let predicted = match program_again(&trace, before).run_in_memory(changes) {
        Ok((_, predicted)) => predicted,
        Err(error) => return Some(format!("{name}: {error}")),
    };
    let (is, should) = (ends(&predicted), ends(&ideal(after, changed)));
    let worst = is.iter().zip(&should).map(|(is, should)| is.abs_diff(*should)).max()?;
    let wall = should.iter().max().copied()?;
    // Every piece of work is rounded to a picosecond.
    let rounding = 100;
    (worst > wall / 1_000_000_000 + rounding)
        .then(|| format!("{name}: off by {} of {} s", worst as f64 / 1e12, wall as f64 / 1e12))
}

/// Checks all programs of the suite but those whose names begin with one of these.
fn check_all(undefined: &[&str], mut differs: impl FnMut(Program, &Planned) -> Option<String>) {
    let catalogue = Catalogue::builtin();
    let mut differences = Vec::new();
    for program in catalogue.programs() {
        let needs = program.property.needs;
        let (ranks, threads) = (if needs.ranks { 5 } else { 1 }, if needs.team { 3 } else { 1 });
        if !undefined.contains(&program.property.name) {
            differences.extend(differs(program, &planned(program.name(), &[], ranks, threads)));
        }
    }
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn of_speed() {
    let options = TruthOptions::default();
    let speed = Speed { selection: Selection::default(), factor: 2.0 };
    let changes = Changes { speeds: vec![speed], ..Changes::default() };
    // Its pages are amounts beside its times.
    let undefined = [&DELAYED[..], &[POLLING, "concurrent_page_faults"]].concat();
    check_all(&undefined, |program, it| {
        let parameters = scaled(program, 0.5);
        let words: Vec<&str> = parameters.iter().map(String::as_str).collect();
        let faster = planned(program.name(), &words, it.size.ranks, it.size.threads);
        if words.is_empty() { None } else { differs((it, &options), &changes, (&faster, &options)) }
    });
}

#[test]
fn of_network() {
    let on = |network| TruthOptions { network, ..TruthOptions::default() };
    let a = Network { latency: 1e-6, bandwidth: 1e10, overhead: 2e-7, ..Network::default() };
    let b = Network { latency: 1e-4, bandwidth: 1e8, overhead: 5e-6, eager_limit: 64, ..Network::default() };
    // The size of its messages depends on the eager limit, and no record has the bytes of an operation between neighbours.
    let undefined =
        [&DELAYED[..], &[POLLING, PACKED, "near_eager_threshold_traffic", "imbalance_at_neighbor_alltoall"]];
    check_all(&undefined.concat(), |program, it| {
        let b = Network { progress: program.property.progress, ..b };
        let changes = Changes { network: NetworkOfReplay::Model(b), ..Changes::default() };
        differs((it, &on(a)), &changes, (it, &on(b)))
    });
}

#[test]
fn of_processors() {
    let processors = Processors::of_ranks(vec![0, 0, 1]);
    let on = TruthOptions { processors: processors.clone(), ..TruthOptions::default() };
    let changes = Changes { processors, ..Changes::default() };
    // The transfers of its operations take time on the ideal machine, and those of a replay do not.
    // Threads of one process share its processor: pieces of work that no event divides are one piece in a replay.
    let in_pieces =
        ["late_broadcast_hybrid_serial_root", "mpi_outside_parallel", "unparallelized_in_ordered_loop"];
    let undefined =
        [&DELAYED[..], &[POLLING, PACKED, "no_overlap_nonblocking_collective"], &in_pieces].concat();
    check_all(&undefined, |_, it| differs((it, &TruthOptions::default()), &changes, (it, &on)));
}

/// Properties whose balanced twin shares the work of their own region evenly.
const EVEN: [&str; 75] = [
    "amdahl",
    "big_message",
    "critical_section_overhead",
    "diffuse_procedure",
    "early_exscan",
    "early_gather",
    "early_gatherv",
    "early_igather",
    "early_ireduce",
    "early_iscan",
    "early_reduce",
    "early_scan",
    "empty_tasks",
    "frequent_atomic",
    "frequent_barrier",
    "frequent_explicit_barrier",
    "frequent_flush",
    "frequent_small_collectives",
    "heat_solver_barrier",
    "heat_solver_serial_output",
    "heat_solver_slow_rank",
    "hot_procedure",
    "imbalance_at_comm_create",
    "imbalance_at_comm_dup",
    "imbalance_at_comm_split",
    "imbalance_at_iallreduce",
    "imbalance_at_ialltoall",
    "imbalance_at_ibarrier_wait",
    "imbalance_at_mpi_allgather",
    "imbalance_at_mpi_allgatherv",
    "imbalance_at_mpi_allreduce",
    "imbalance_at_mpi_alltoall",
    "imbalance_at_mpi_alltoallv",
    "imbalance_at_mpi_alltoallw",
    "imbalance_at_mpi_barrier",
    "imbalance_at_mpi_init",
    "imbalance_at_mpi_reduce_scatter",
    "imbalance_at_mpi_reduce_scatter_block",
    "imbalance_at_neighbor_alltoall",
    "imbalance_at_shift",
    "late_broadcast",
    "late_ibcast",
    "late_iscatter",
    "late_receiver",
    "late_receiver_isend_wait",
    "late_receiver_persistent",
    "late_receiver_waitall",
    "late_reduce_root",
    "late_scatter",
    "late_scatterv",
    "late_sender",
    "late_sender_nonblocking",
    "late_sender_persistent",
    "late_sender_probe",
    "late_sender_propagation",
    "late_sender_waitall",
    "moving_imbalance",
    "no_overlap_nonblocking_collective",
    "noise_amplification",
    "parallel_region_startup_overhead",
    "partial",
    "periodic_outlier",
    "persistent_collective_wait",
    "random_barrier",
    "redundant_barrier",
    "serialized_broadcast",
    "serialized_output",
    "severity_growing_over_time",
    "slow_slaves",
    "small_messages",
    "synchronous_send_without_progress",
    "uneven_message_distribution",
    "uneven_vector_collective",
    "wait_at_mpi_finalize",
    "zero_byte_synchronization",
];

/// Those whose twin shares that of a construct.
const EVEN_IN_TEAMS: [(&str, &str); 14] = [
    ("coarse_dynamic_chunk", "for"),
    ("imbalance_at_omp_barrier", "parallel"),
    ("imbalance_due_to_not_enough_sections", "parallel"),
    ("imbalance_due_to_uneven_section_distribution", "parallel"),
    ("imbalance_in_omp_loop", "for"),
    ("imbalance_in_omp_loop_nowait", "for"),
    ("imbalance_in_omp_pregion", "parallel"),
    ("imbalance_in_omp_sections", "parallel"),
    ("imbalance_in_parallel_loop", "for"),
    ("io_in_sequential_loop", "parallel"),
    ("thread_imbalance_only", "parallel"),
    ("too_fine_grained_tasks", "task"),
    ("unparallelized_in_master_region", "parallel"),
    ("unparallelized_in_single_region", "parallel"),
];

/// The regions whose work twins share evenly, by property.
pub(crate) fn even() -> BTreeMap<&'static str, String> {
    let own = EVEN.iter().map(|&name| (name, name.to_owned()));
    let in_teams =
        EVEN_IN_TEAMS.iter().map(|&(name, construct)| (name, format!("!$omp {construct};in:{name}")));
    own.chain(in_teams).collect()
}

#[test]
fn of_even_work() {
    let options = TruthOptions::default();
    let even = even();
    let mut checked = 0;
    check_all(&[], |program, it| {
        let region = even.get(program.property.name).filter(|_| !program.balanced)?;
        checked += 1;
        let changes = Changes { balances: vec![region.parse().unwrap()], ..Changes::default() };
        let twin = planned(program.twin()?.name(), &[], it.size.ranks, it.size.threads);
        differs((it, &options), &changes, (&twin, &options))
    });
    assert_eq!(checked, even.len());
}

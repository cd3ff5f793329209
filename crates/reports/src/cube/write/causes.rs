//! The metrics of root causes and of the critical path, as Scalasca arranges and titles them, and those of our own.

use ats_documents::Profile;
use ats_model::WaitState;
use ats_model::delay::{Delay, Term};

use super::parts::{Part, is_in};

/// A metric: its name, the one that it is a part of or nothing, and its title in Scalasca's finished reports.
type Row = (&'static str, &'static str, &'static str);

/// The metrics besides those of delays, each behind the one that it is a part of.
const OTHERS: [Row; 22] = [
    ("critical_path", "", "Critical Path Profile"),
    ("critical_path_imbalance", "critical_path", "Critical-Path Imbalance"),
    ("performance_impact", "", "Performance Impact"),
    ("performance_impact_criticalpath", "performance_impact", "Critical-path Activities"),
    ("critical_path_activities", "performance_impact_criticalpath", "Activity Impact"),
    (IMBALANCE, "performance_impact_criticalpath", "Critical Imbalance Impact"),
    (BETWEEN, IMBALANCE, "Inter-partition Imbalance"),
    ("non_critical_path_activities", "performance_impact", "Non-critical-path Activities"),
    (
        "waitstates_direct_vs_indirect",
        "",
        "MPI Point-to-point Wait State Classification: Direct vs. Indirect",
    ),
    ("mpi_wait_direct", "waitstates_direct_vs_indirect", "Direct MPI Point-to-point Wait States"),
    ("mpi_wait_direct_latesender", "mpi_wait_direct", "Direct MPI Late Sender Wait States"),
    ("mpi_wait_direct_latereceiver", "mpi_wait_direct", "Direct MPI Late Receiver Wait States"),
    ("mpi_wait_indirect", "waitstates_direct_vs_indirect", "Indirect MPI Point-to-point Wait States"),
    ("mpi_wait_indirect_latesender", "mpi_wait_indirect", "Indirect MPI Late Sender Wait States"),
    ("mpi_wait_indirect_latereceiver", "mpi_wait_indirect", "Indirect MPI Late Receiver Wait States"),
    (
        "waitstates_propagating_vs_terminal",
        "",
        "MPI Point-to-point Wait State Classification: Propagating vs. Terminal",
    ),
    (
        "mpi_wait_propagating",
        "waitstates_propagating_vs_terminal",
        "Propagating MPI Point-to-point Wait States",
    ),
    ("mpi_wait_propagating_ls", "mpi_wait_propagating", "Propagating MPI Late Sender Wait States"),
    ("mpi_wait_propagating_lr", "mpi_wait_propagating", "Propagating MPI Late Receiver Wait States"),
    ("mpi_wait_terminal", "waitstates_propagating_vs_terminal", "Terminal MPI Point-to-point Wait States"),
    ("mpi_wait_terminal_ls", "mpi_wait_terminal", "Terminal MPI Late Sender Wait States"),
    ("mpi_wait_terminal_lr", "mpi_wait_terminal", "Terminal MPI Late Receiver Wait States"),
];

/// The impact of imbalance among locations that do the same; in Cube it contains [`BETWEEN`], which a profile has apart.
const IMBALANCE: &str = "critical_imbalance_impact";

/// The impact of imbalance among locations that do different things.
const BETWEEN: &str = "inter_partition_imbalance";

/// The classes of delays.
const DELAYS: [Row; 5] = [
    ("delay", "", "Delay Costs"),
    ("delay_mpi", "delay", "MPI Delay Costs"),
    ("delay_p2p", "delay_mpi", "MPI Point-to-point Delay Costs"),
    ("delay_collective", "delay_mpi", "MPI Collective Delay Costs"),
    ("delay_omp", "delay", "OpenMP Delay Costs"),
];

/// The sum of a delay's short-term and long-term costs.
fn whole(delay: Delay) -> Row {
    match delay {
        Delay::LateSender => ("delay_latesender_aggregate", "delay_p2p", "MPI Late Sender Delay Costs"),
        Delay::LateReceiver => ("delay_latereceiver_aggregate", "delay_p2p", "MPI Late Receiver Delay Costs"),
        Delay::Barrier => ("delay_barrier_aggregate", "delay_collective", "MPI Wait at Barrier Delay Costs"),
        Delay::AllToAll => ("delay_n2n_aggregate", "delay_collective", "MPI Wait at N x N Delay Costs"),
        Delay::OneToAll => ("delay_12n_aggregate", "delay_collective", "MPI Late Broadcast Delay Costs"),
        Delay::AllToOne => ("delay_n21_aggregate", "delay_collective", "MPI Early Reduce Delay Costs"),
        Delay::Finalize => ("delay_finalize_aggregate", "delay_mpi", "MPI Finalize Delay Costs"),
        Delay::Nonblocking => {
            ("delay_nonblocking_aggregate", "delay_collective", "MPI Non-blocking Collective Delay Costs")
        }
        Delay::Management => {
            ("delay_mgmt_comm_aggregate", "delay_mpi", "MPI Communicator Management Delay Costs")
        }
        Delay::Init => ("delay_init_aggregate", "delay_mpi", "MPI Init Delay Costs"),
        Delay::Prefix => ("delay_scan_aggregate", "delay_collective", "MPI Early Scan Delay Costs"),
        Delay::Irregular => {
            ("delay_irregular_n2n_aggregate", "delay_collective", "MPI Wait at Irregular N x N Delay Costs")
        }
        Delay::OmpBarrier => {
            ("delay_ompbarrier_aggregate", "delay_omp", "OpenMP Wait at Barrier Delay Costs")
        }
        Delay::OmpIdle => ("delay_ompidle_aggregate", "delay_omp", "OpenMP Thread Idleness Delay Costs"),
        Delay::OmpCritical => ("delay_ompcritical_aggregate", "delay_omp", "OpenMP Critical Delay Costs"),
        Delay::OmpLock => ("delay_omplock_aggregate", "delay_omp", "OpenMP Lock Delay Costs"),
        Delay::OmpLimited => {
            ("delay_omplimited_aggregate", "delay_omp", "OpenMP Limited Parallelism Delay Costs")
        }
    }
}

/// All metrics, each behind the one that it is a part of.
fn rows() -> impl Iterator<Item = Row> + Clone {
    let of_delay = |delay| {
        let whole = whole(delay);
        let term = move |term| (delay.metric(term), whole.0, delay.title(term));
        [whole, term(Term::Short), term(Term::Long)]
    };
    OTHERS.into_iter().chain(DELAYS).chain(Delay::ALL.into_iter().flat_map(of_delay))
}

/// Differences of two amounts: the name of the difference, the amount, and the one to take away.
const RESTS: [(&str, &str, &str); 4] = [
    ("mpi_wait_direct_latesender", "mpi_latesender", "mpi_wait_indirect_latesender"),
    ("mpi_wait_direct_latereceiver", "mpi_latereceiver", "mpi_wait_indirect_latereceiver"),
    ("mpi_wait_terminal_ls", "mpi_latesender", "mpi_wait_propagating_ls"),
    ("mpi_wait_terminal_lr", "mpi_latereceiver", "mpi_wait_propagating_lr"),
];

/// Whether a metric is one of these.
pub(super) fn is_one(metric: &str) -> bool {
    title(metric).is_some()
}

/// The metrics that have values in a profile, or parts with values, each with the one that it is a part of.
pub(super) fn written(profile: &Profile) -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    let written = rows().filter(|row| !parts(row.0, profile).is_empty());
    written.map(|(name, above, _)| (name, Some(above).filter(|above| !above.is_empty())))
}

/// The title of a metric.
pub(super) fn title(metric: &str) -> Option<&'static str> {
    rows().find(|row| row.0 == metric).map(|row| row.2)
}

/// The parts that a metric is the sum of: its own values, or a rest, or those of the metrics below it.
pub(super) fn parts(metric: &str, profile: &Profile) -> Vec<Part> {
    let is_declared = |name: &str| profile.metrics.iter().any(|metric| metric.name == name);
    if !is_one(metric) {
        return Vec::new();
    }
    if is_declared(metric) {
        let below = Some(BETWEEN).filter(|below| metric == IMBALANCE && is_declared(below));
        return std::iter::once(metric).chain(below).map(Part::all_of).collect();
    }
    let rest = RESTS.iter().find(|rest| rest.0 == metric && is_declared(rest.2));
    if let Some(&(_, whole, other)) = rest {
        let states = WaitState::ALL.into_iter().filter(|state| is_in(state.label(), whole));
        let waits = states.map(|state| Part::all_of(state.name()));
        return waits.chain([Part::less(other)]).collect();
    }
    let below = rows().filter(|row| row.1 == metric);
    below.flat_map(|row| parts(row.0, profile)).collect()
}

//! The metrics of root causes and of the critical path, as Scalasca arranges and titles them, and those of our own.

use ats_documents::Profile;
use ats_model::WaitState;

use super::parts::{Part, is_in};

/// A metric: its name, the one that it is a part of or nothing, its title in Scalasca's finished reports, and its
/// description.
type Row = (&'static str, &'static str, &'static str, &'static str);

/// The metrics, each behind the one that it is a part of.
const ROWS: [Row; 70] = [
    ("critical_path", "", "Critical Path Profile", "Profile of the application's critical path"),
    ("critical_path_imbalance", "critical_path", "Critical-Path Imbalance", ""),
    ("performance_impact", "", "Performance Impact", ""),
    ("performance_impact_criticalpath", "performance_impact", "Critical-path Activities", ""),
    (
        "critical_path_activities",
        "performance_impact_criticalpath",
        "Activity Impact",
        "Resource consumption of activities on the critical path",
    ),
    (
        "critical_imbalance_impact",
        "performance_impact_criticalpath",
        "Critical Imbalance Impact",
        "Performance impact of load imbalance on the critical path",
    ),
    ("intra_partition_imbalance", "critical_imbalance_impact", "Intra-partition Imbalance", ""),
    (
        "inter_partition_imbalance",
        "critical_imbalance_impact",
        "Inter-partition Imbalance",
        "Performance impact of load imbalance between process partitions that perform different activities",
    ),
    (
        "non_critical_path_activities",
        "performance_impact",
        "Non-critical-path Activities",
        "Overall resource consumption of activities that are not on the critical path",
    ),
    ("delay", "", "Delay Costs", ""),
    ("delay_mpi", "delay", "MPI Delay Costs", ""),
    ("delay_p2p", "delay_mpi", "MPI Point-to-point Delay Costs", ""),
    ("delay_latesender_aggregate", "delay_p2p", "MPI Late Sender Delay Costs", ""),
    (
        "delay_latesender",
        "delay_latesender_aggregate",
        "Short-term MPI Late Sender Delay Costs",
        "Delays that directly cause MPI Late Sender wait states",
    ),
    (
        "delay_latesender_longterm",
        "delay_latesender_aggregate",
        "Long-term MPI Late Sender Delay Costs",
        "Delays that indirectly cause MPI Late Sender wait states through wait-state propagation",
    ),
    ("delay_latereceiver_aggregate", "delay_p2p", "MPI Late Receiver Delay Costs", ""),
    (
        "delay_latereceiver",
        "delay_latereceiver_aggregate",
        "Short-term MPI Late Receiver Delay Costs",
        "Delays that directly cause MPI Late Receiver wait states",
    ),
    (
        "delay_latereceiver_longterm",
        "delay_latereceiver_aggregate",
        "Long-term MPI Late Receiver Delay Costs",
        "Delays that indirectly cause MPI Late Receiver wait states through wait-state propagation",
    ),
    ("delay_collective", "delay_mpi", "MPI Collective Delay Costs", ""),
    ("delay_barrier_aggregate", "delay_collective", "MPI Wait at Barrier Delay Costs", ""),
    (
        "delay_barrier",
        "delay_barrier_aggregate",
        "Short-term MPI Barrier Delay Costs",
        "Delays that directly cause wait states in MPI barriers",
    ),
    (
        "delay_barrier_longterm",
        "delay_barrier_aggregate",
        "Long-term MPI Barrier Delay Costs",
        "Delays that indirectly cause wait states in MPI barriers through wait-state propagation",
    ),
    ("delay_n2n_aggregate", "delay_collective", "MPI Wait at N x N Delay Costs", ""),
    (
        "delay_n2n",
        "delay_n2n_aggregate",
        "Short-term MPI N x N Collectives Delay Costs",
        "Delays that directly cause wait states in MPI n-to-n collective communications",
    ),
    (
        "delay_n2n_longterm",
        "delay_n2n_aggregate",
        "Long-term MPI N x N Collectives Delay Costs",
        "Delays that indirectly cause wait states in MPI n-to-n collective communications through wait-state propagation",
    ),
    ("delay_12n_aggregate", "delay_collective", "MPI Late Broadcast Delay Costs", ""),
    (
        "delay_12n",
        "delay_12n_aggregate",
        "Short-term MPI 1-to-N Collectives Delay Costs",
        "Delays that directly cause wait states in MPI 1-to-n collective communications",
    ),
    (
        "delay_12n_longterm",
        "delay_12n_aggregate",
        "Long-term MPI 1-to-N Collectives Delay Costs",
        "Delays that indirectly cause wait states in MPI 1-to-n collective communications through wait-state propagation",
    ),
    ("delay_n21_aggregate", "delay_collective", "MPI Early Reduce Delay Costs", ""),
    (
        "delay_n21",
        "delay_n21_aggregate",
        "Short-term MPI N-to-1 Collectives Delay Costs",
        "Delays that directly cause wait states in MPI n-to-1 collective communications",
    ),
    (
        "delay_n21_longterm",
        "delay_n21_aggregate",
        "Long-term MPI N-to-1 Collectives Delay Costs",
        "Delays that indirectly cause wait states in MPI n-to-1 collective communications through wait-state propagation",
    ),
    ("delay_finalize_aggregate", "delay_mpi", "MPI Finalize Delay Costs", ""),
    (
        "delay_finalize",
        "delay_finalize_aggregate",
        "Short-term MPI Finalize Delay Costs",
        "Delays that directly cause wait states at MPI_Finalize",
    ),
    (
        "delay_finalize_longterm",
        "delay_finalize_aggregate",
        "Long-term MPI Finalize Delay Costs",
        "Delays that indirectly cause wait states at MPI_Finalize through wait-state propagation",
    ),
    ("delay_scan_aggregate", "delay_collective", "MPI Early Scan Delay Costs", ""),
    (
        "delay_scan",
        "delay_scan_aggregate",
        "Short-term MPI Prefix Collectives Delay Costs",
        "Delays that directly cause wait states in MPI prefix operations",
    ),
    (
        "delay_scan_longterm",
        "delay_scan_aggregate",
        "Long-term MPI Prefix Collectives Delay Costs",
        "Delays that indirectly cause wait states in MPI prefix operations through wait-state propagation",
    ),
    ("delay_irregular_n2n_aggregate", "delay_collective", "MPI Wait at Irregular N x N Delay Costs", ""),
    (
        "delay_irregular_n2n",
        "delay_irregular_n2n_aggregate",
        "Short-term MPI Irregular N x N Collectives Delay Costs",
        "Delays that directly cause wait states in MPI n-to-n operations of unequal payload",
    ),
    (
        "delay_irregular_n2n_longterm",
        "delay_irregular_n2n_aggregate",
        "Long-term MPI Irregular N x N Collectives Delay Costs",
        "Delays that indirectly cause wait states in MPI n-to-n operations of unequal payload through wait-state propagation",
    ),
    ("delay_omp", "delay", "OpenMP Delay Costs", ""),
    ("delay_ompbarrier_aggregate", "delay_omp", "OpenMP Wait at Barrier Delay Costs", ""),
    (
        "delay_ompbarrier",
        "delay_ompbarrier_aggregate",
        "Short-term OpenMP Barrier Delay Costs",
        "Delays that directly cause wait states in OpenMP barriers",
    ),
    (
        "delay_ompbarrier_longterm",
        "delay_ompbarrier_aggregate",
        "Long-term OpenMP Barrier Delay Costs",
        "Delays that indirectly cause wait states in OpenMP barriers through wait-state propagation",
    ),
    ("delay_ompidle_aggregate", "delay_omp", "OpenMP Thread Idleness Delay Costs", ""),
    (
        "delay_ompidle",
        "delay_ompidle_aggregate",
        "Short-term OpenMP Thread Idleness Delay Costs",
        "Delays on the OpenMP master thread that leave OpenMP worker threads idle",
    ),
    (
        "delay_ompidle_longterm",
        "delay_ompidle_aggregate",
        "Long-term OpenMP Thread Idleness Delay Costs",
        "Delays that indirectly leave OpenMP worker threads idle",
    ),
    ("delay_ompcritical_aggregate", "delay_omp", "OpenMP Critical Delay Costs", ""),
    (
        "delay_ompcritical",
        "delay_ompcritical_aggregate",
        "Short-term OpenMP Critical Delay Costs",
        "Delays that directly cause wait states in OpenMP critical sections",
    ),
    (
        "delay_ompcritical_longterm",
        "delay_ompcritical_aggregate",
        "Long-term OpenMP Critical Delay Costs",
        "Delays that indirectly cause wait states in OpenMP critical sections through wait-state propagation",
    ),
    ("delay_omplock_aggregate", "delay_omp", "OpenMP Lock Delay Costs", ""),
    (
        "delay_omplock",
        "delay_omplock_aggregate",
        "Short-term OpenMP Lock Delay Costs",
        "Delays that directly cause wait states in OpenMP locks",
    ),
    (
        "delay_omplock_longterm",
        "delay_omplock_aggregate",
        "Long-term OpenMP Lock Delay Costs",
        "Delays that indirectly cause wait states in OpenMP locks through wait-state propagation",
    ),
    ("delay_omplimited_aggregate", "delay_omp", "OpenMP Limited Parallelism Delay Costs", ""),
    (
        "delay_omplimited",
        "delay_omplimited_aggregate",
        "Short-term OpenMP Limited Parallelism Delay Costs",
        "Delays that directly cause wait states of threads that no parallel region uses",
    ),
    (
        "delay_omplimited_longterm",
        "delay_omplimited_aggregate",
        "Long-term OpenMP Limited Parallelism Delay Costs",
        "Delays that indirectly cause wait states of threads that no parallel region uses through wait-state propagation",
    ),
    (
        "waitstates_direct_vs_indirect",
        "",
        "MPI Point-to-point Wait State Classification: Direct vs. Indirect",
        "",
    ),
    ("mpi_wait_direct", "waitstates_direct_vs_indirect", "Direct MPI Point-to-point Wait States", ""),
    ("mpi_wait_direct_latesender", "mpi_wait_direct", "Direct MPI Late Sender Wait States", ""),
    ("mpi_wait_direct_latereceiver", "mpi_wait_direct", "Direct MPI Late Receiver Wait States", ""),
    ("mpi_wait_indirect", "waitstates_direct_vs_indirect", "Indirect MPI Point-to-point Wait States", ""),
    (
        "mpi_wait_indirect_latesender",
        "mpi_wait_indirect",
        "Indirect MPI Late Sender Wait States",
        "Indirect waiting time in MPI Late Sender wait states that results from propagation",
    ),
    (
        "mpi_wait_indirect_latereceiver",
        "mpi_wait_indirect",
        "Indirect MPI Late Receiver Wait States",
        "Indirect waiting time in MPI Late Receiver wait states that results from propagation",
    ),
    (
        "waitstates_propagating_vs_terminal",
        "",
        "MPI Point-to-point Wait State Classification: Propagating vs. Terminal",
        "",
    ),
    (
        "mpi_wait_propagating",
        "waitstates_propagating_vs_terminal",
        "Propagating MPI Point-to-point Wait States",
        "",
    ),
    (
        "mpi_wait_propagating_ls",
        "mpi_wait_propagating",
        "Propagating MPI Late Sender Wait States",
        "MPI Late Sender wait states which cause further waiting time on other processes",
    ),
    (
        "mpi_wait_propagating_lr",
        "mpi_wait_propagating",
        "Propagating MPI Late Receiver Wait States",
        "MPI Late Receiver wait states which cause further waiting time on other processes",
    ),
    (
        "mpi_wait_terminal",
        "waitstates_propagating_vs_terminal",
        "Terminal MPI Point-to-point Wait States",
        "",
    ),
    ("mpi_wait_terminal_ls", "mpi_wait_terminal", "Terminal MPI Late Sender Wait States", ""),
    ("mpi_wait_terminal_lr", "mpi_wait_terminal", "Terminal MPI Late Receiver Wait States", ""),
];

/// What is left of an amount if another is taken away: the name of the rest, the amount, and the other.
const RESTS: [(&str, &str, &str); 5] = [
    ("intra_partition_imbalance", "critical_imbalance_impact", "inter_partition_imbalance"),
    ("mpi_wait_direct_latesender", "mpi_latesender", "mpi_wait_indirect_latesender"),
    ("mpi_wait_direct_latereceiver", "mpi_latereceiver", "mpi_wait_indirect_latereceiver"),
    ("mpi_wait_terminal_ls", "mpi_latesender", "mpi_wait_propagating_ls"),
    ("mpi_wait_terminal_lr", "mpi_latereceiver", "mpi_wait_propagating_lr"),
];

fn row(metric: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.0 == metric)
}

/// Whether a metric is one of these.
pub(super) fn is_one(metric: &str) -> bool {
    row(metric).is_some()
}

/// The metrics that have values in a profile, or parts with values, each with the one that it is a part of.
pub(super) fn written(profile: &Profile) -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    let written = ROWS.iter().filter(|row| !parts(row.0, profile).is_empty());
    written.map(|&(name, above, ..)| (name, Some(above).filter(|above| !above.is_empty())))
}

/// The title and the description of a metric.
pub(super) fn text(metric: &str) -> Option<(&'static str, &'static str)> {
    row(metric).map(|&(_, _, title, text)| (title, text))
}

/// The parts that a metric is the sum of: its own values, or a rest, or those of the metrics below it.
pub(super) fn parts(metric: &str, profile: &Profile) -> Vec<Part> {
    let is_declared = |name: &str| profile.metrics.iter().any(|metric| metric.name == name);
    if !is_one(metric) {
        return Vec::new();
    }
    if is_declared(metric) {
        return vec![Part::all_of(metric)];
    }
    let rest = RESTS.iter().find(|rest| rest.0 == metric && is_declared(rest.2));
    if let Some(&(_, whole, other)) = rest {
        let states = WaitState::ALL.into_iter().filter(|state| is_in(state.label(), whole));
        let waits = states.map(|state| Part::all_of(state.name()));
        let own = is_one(whole).then(|| Part::all_of(whole));
        return waits.chain(own).chain([Part::less(other)]).collect();
    }
    let below = ROWS.iter().filter(|row| row.1 == metric);
    below.flat_map(|row| parts(row.0, profile)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use ats_model::delay::{Delay, Term};

    use super::*;

    #[test]
    fn every_delay_has_its_metrics_and_every_part_its_whole() {
        for delay in Delay::ALL {
            for term in [Term::Short, Term::Long] {
                assert_eq!(text(delay.metric(term)).map(|text| text.0), Some(delay.title(term)));
            }
        }
        let mut seen = BTreeSet::from([""]);
        for (name, above, title, _) in ROWS {
            assert!(seen.contains(above) && seen.insert(name) && !title.is_empty(), "{name} in {above}");
        }
        for (rest, _, other) in RESTS {
            assert!(is_one(rest) && is_one(other));
        }
    }
}

//! Numbers of waits for messages, as Scalasca names them: `c` is of messages with contents, `s` of those without.

use crate::WaitState;

/// A metric of a number of waits: its name, the metric that it is a part of, and its title.
pub type Row = (&'static str, &'static str, &'static str);

/// The metrics, each behind the one that it is a part of (Scalasca 2.6).
pub const METRICS: [Row; 6] = [
    ("mpi_slr_count", "syncs_send", "MPI Late Receiver Instances (Synchronizations)"),
    ("mpi_sls_count", "syncs_recv", "MPI Late Sender Instances (Synchronizations)"),
    ("mpi_slswo_count", "mpi_sls_count", "MPI Late Sender, Wrong Order Instances (Synchronizations)"),
    ("mpi_clr_count", "comms_send", "MPI Late Receiver Instances (Communications)"),
    ("mpi_cls_count", "comms_recv", "MPI Late Sender Instances (Communications)"),
    ("mpi_clswo_count", "mpi_cls_count", "MPI Late Sender, Wrong Order Instances (Communications)"),
];

/// The metrics that count a wait for a message, which may be empty.
pub fn metrics(state: WaitState, is_empty: bool) -> &'static [&'static str] {
    match (state, is_empty) {
        (WaitState::LateReceiver, false) => &["mpi_clr_count"],
        (WaitState::LateReceiver, true) => &["mpi_slr_count"],
        (WaitState::LateSender, false) => &["mpi_cls_count"],
        (WaitState::LateSender, true) => &["mpi_sls_count"],
        (
            WaitState::LateSenderWrongOrderSameSource | WaitState::LateSenderWrongOrderDifferentSources,
            false,
        ) => &["mpi_cls_count", "mpi_clswo_count"],
        (
            WaitState::LateSenderWrongOrderSameSource | WaitState::LateSenderWrongOrderDifferentSources,
            true,
        ) => &["mpi_sls_count", "mpi_slswo_count"],
        _ => &[],
    }
}

/// The row of a metric.
pub fn row(metric: &str) -> Option<&'static Row> {
    METRICS.iter().find(|row| row.0 == metric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_wait_is_counted_by_a_metric_and_by_those_around_it() {
        let mut counted: Vec<&str> = Vec::new();
        for state in WaitState::ALL {
            for is_empty in [false, true] {
                let all = metrics(state, is_empty);
                counted.extend(all.iter().copied());
                for inner in all.windows(2) {
                    assert_eq!(row(inner[1]).unwrap().1, inner[0], "{state:?}");
                }
            }
        }
        counted.sort_unstable();
        counted.dedup();
        assert_eq!(counted.len(), METRICS.len());
        assert!(counted.iter().all(|metric| row(metric).is_some()));
        assert_eq!(row("mpi_latesender"), None);
    }
}

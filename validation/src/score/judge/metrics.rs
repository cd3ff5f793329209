//! The metrics of root causes, and those that a report has.

use ats_documents::Report;
use ats_model::delay::{CRITICAL_PATH, Delay, Extent, Term};

/// The metrics that both the oracle and Scalasca have, the critical path last.
pub(super) fn metrics() -> impl Iterator<Item = &'static str> {
    let delays = Delay::ALL.into_iter().filter(|delay| delay.extent() == Extent::Scalasca);
    delays.flat_map(Delay::metrics).chain([CRITICAL_PATH])
}

/// Whether a report has a metric. One with root causes has all costs; indirect and propagating waits and the critical
/// path it has if it has a metric of these.
pub(super) fn is_supported(metric: &str, report: &Report) -> bool {
    let Some(causes) = &report.causes else { return false };
    let is_other = |metric: &str| !is_cost(metric) && metrics().any(|other| other == metric);
    is_cost(metric) || causes.metrics.keys().any(|reported| is_other(reported))
}

/// Whether a metric is a cost: waits by those who cause them.
pub(super) fn is_cost(metric: &str) -> bool {
    Delay::ALL.iter().any(|delay| [Term::Short, Term::Long].iter().any(|&term| delay.metric(term) == metric))
}

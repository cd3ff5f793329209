//! The meanings of Score-P's and Scalasca's metrics.
//!
//! The names of the wait states, and those of the coarser metrics under which the same time may be reported, are
//! [`WaitState::metric`] and [`WaitState::accept`].

use ats_model::WaitState;
use ats_model::delay;
use ats_model::hardware::is_counter;
use ats_model::traffic::CallCounter;

use super::classes::class;

/// The meaning of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A wait state, including parts of it without a name of ours (`omp_fork` is a part of `omp_management`).
    Wait(WaitState),
    /// Waiting, of one of several wait states.
    WaitOfSeveral,
    /// The time of a class of calls, the waiting in them included.
    Class,
    /// All the time.
    Time,
    /// Root causes: time that others wait for a call path, or that is on the critical path; or a kind of waits by cause.
    Cost,
    /// An amount counted at a call path.
    Count(CallCounter),
    /// A counter of the machine, under its own name.
    Machine,
}

/// Metrics of waiting that stand for several wait states, and are not sums of calls' times.
pub(crate) const WAITS_OF_SEVERAL: [&str; 1] = ["mpi_latesender_wo"];

/// The wait state of a metric; by our name for it if Scalasca has none.
pub(crate) fn wait_state(metric: &str) -> Option<WaitState> {
    WaitState::from_metric(metric).or_else(|| WaitState::from_name(metric))
}

/// The meaning of a metric, by its unique name.
pub(crate) fn meaning(metric: &str) -> Option<Meaning> {
    if let Some(state) = wait_state(metric) {
        return Some(Meaning::Wait(state));
    }
    if let Some(counter) = CallCounter::of_metric(metric) {
        return Some(Meaning::Count(counter));
    }
    if is_counter(metric) {
        return Some(Meaning::Machine);
    }
    if delay::metrics().any(|cost| cost == metric) {
        return Some(Meaning::Cost);
    }
    match metric {
        "time" => Some(Meaning::Time),
        _ if WAITS_OF_SEVERAL.contains(&metric) => Some(Meaning::WaitOfSeveral),
        _ if class(metric).is_some()
            || WaitState::ALL.iter().any(|state| state.accept().contains(&metric)) =>
        {
            Some(Meaning::Class)
        }
        _ => None,
    }
}

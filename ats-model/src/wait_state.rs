//! The wait states that are told apart, and what the field calls them.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::View;

/// A wait state: a leaf of the metric tree of Scalasca 2.6, in our words.
///
/// The analyzer's README defines each at event level; [`WaitState::metric`] gives the Score-P/Scalasca
/// unique name, under which it is read as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitState {
    /// A receive waits for a message that is sent later.
    LateSender,
    /// A late sender's wait that would have been shorter had messages of the same source been received in the order sent.
    LateSenderWrongOrderSameSource,
    /// A late sender's wait that would have been shorter had messages of different sources been received in the order sent.
    LateSenderWrongOrderDifferentSources,
    /// A send waits for a receive that is posted later.
    LateReceiver,
    /// Waiting for the last process to reach a barrier.
    WaitAtBarrier,
    /// Time in a barrier after the first process has left it.
    BarrierCompletion,
    /// Waiting for the last process to reach an n-to-n operation.
    #[serde(rename = "wait_at_nxn")]
    WaitAtNxN,
    /// Time in an n-to-n operation after the first process has left it.
    #[serde(rename = "nxn_completion")]
    NxNCompletion,
    /// A receiver of a 1-to-n operation waits for the root.
    LateBroadcast,
    /// The root of an n-to-1 operation waits for the senders.
    EarlyReduce,
    /// A process in a prefix operation waits for those of lower rank.
    EarlyScan,
    /// Time in `MPI_Init` after the first process has left it.
    InitCompletion,
    /// Waiting in `MPI_Finalize` for the last process to reach it.
    WaitAtFinalize,
    /// Waiting at a `barrier` construct for the last thread of the team.
    WaitAtExplicitOmpBarrier,
    /// Waiting for the last thread of the team at the end of a parallel region, a loop, sections or a single.
    WaitAtImplicitOmpBarrier,
    /// Waiting at a `critical` until another thread leaves it.
    OmpCriticalContention,
    /// Waiting in `omp_set_lock` until another thread gives the lock back.
    OmpLockContention,
    /// From fork to a thread's entry into the parallel region, and from its exit to join.
    OmpManagement,
    /// A thread has nothing to do because its process executes serial code.
    IdleThreads,
    /// A thread has nothing to do because a parallel region has fewer threads than its process.
    LimitedParallelism,
}

/// A family of wait states, or the counts: what scores are averaged over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the words are the field's")]
pub enum Class {
    PointToPoint,
    Barrier,
    Collective,
    InitAndFinalize,
    OmpBarrier,
    OmpLock,
    OmpThreads,
    Count,
}

impl Class {
    /// As in every document.
    pub fn name(self) -> &'static str {
        match self {
            Class::PointToPoint => "point_to_point",
            Class::Barrier => "barrier",
            Class::Collective => "collective",
            Class::InitAndFinalize => "init_and_finalize",
            Class::OmpBarrier => "omp_barrier",
            Class::OmpLock => "omp_lock",
            Class::OmpThreads => "omp_threads",
            Class::Count => "count",
        }
    }
}

impl WaitState {
    /// Every wait state.
    pub const ALL: [WaitState; 20] = [
        WaitState::LateSender,
        WaitState::LateSenderWrongOrderSameSource,
        WaitState::LateSenderWrongOrderDifferentSources,
        WaitState::LateReceiver,
        WaitState::WaitAtBarrier,
        WaitState::BarrierCompletion,
        WaitState::WaitAtNxN,
        WaitState::NxNCompletion,
        WaitState::LateBroadcast,
        WaitState::EarlyReduce,
        WaitState::EarlyScan,
        WaitState::InitCompletion,
        WaitState::WaitAtFinalize,
        WaitState::WaitAtExplicitOmpBarrier,
        WaitState::WaitAtImplicitOmpBarrier,
        WaitState::OmpCriticalContention,
        WaitState::OmpLockContention,
        WaitState::OmpManagement,
        WaitState::IdleThreads,
        WaitState::LimitedParallelism,
    ];

    /// Our name, as in every document (`late_sender`, `wait_at_barrier` …).
    pub fn name(self) -> &'static str {
        match self {
            WaitState::LateSender => "late_sender",
            WaitState::LateSenderWrongOrderSameSource => "late_sender_wrong_order_same_source",
            WaitState::LateSenderWrongOrderDifferentSources => "late_sender_wrong_order_different_sources",
            WaitState::LateReceiver => "late_receiver",
            WaitState::WaitAtBarrier => "wait_at_barrier",
            WaitState::BarrierCompletion => "barrier_completion",
            WaitState::WaitAtNxN => "wait_at_nxn",
            WaitState::NxNCompletion => "nxn_completion",
            WaitState::LateBroadcast => "late_broadcast",
            WaitState::EarlyReduce => "early_reduce",
            WaitState::EarlyScan => "early_scan",
            WaitState::InitCompletion => "init_completion",
            WaitState::WaitAtFinalize => "wait_at_finalize",
            WaitState::WaitAtExplicitOmpBarrier => "wait_at_explicit_omp_barrier",
            WaitState::WaitAtImplicitOmpBarrier => "wait_at_implicit_omp_barrier",
            WaitState::OmpCriticalContention => "omp_critical_contention",
            WaitState::OmpLockContention => "omp_lock_contention",
            WaitState::OmpManagement => "omp_management",
            WaitState::IdleThreads => "idle_threads",
            WaitState::LimitedParallelism => "limited_parallelism",
        }
    }

    /// The wait state of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// The wait state of a [metric](WaitState::metric).
    pub fn from_metric(metric: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.metric() == metric)
    }

    /// The unique name that Score-P and Scalasca 2.6 use.
    pub fn metric(self) -> &'static str {
        match self {
            WaitState::LateSender => "mpi_latesender",
            WaitState::LateSenderWrongOrderSameSource => "mpi_lswo_same",
            WaitState::LateSenderWrongOrderDifferentSources => "mpi_lswo_different",
            WaitState::LateReceiver => "mpi_latereceiver",
            WaitState::WaitAtBarrier => "mpi_barrier_wait",
            WaitState::BarrierCompletion => "mpi_barrier_completion",
            WaitState::WaitAtNxN => "mpi_wait_nxn",
            WaitState::NxNCompletion => "mpi_nxn_completion",
            WaitState::LateBroadcast => "mpi_latebroadcast",
            WaitState::EarlyReduce => "mpi_earlyreduce",
            WaitState::EarlyScan => "mpi_earlyscan",
            WaitState::InitCompletion => "mpi_init_completion",
            WaitState::WaitAtFinalize => "mpi_finalize_wait",
            WaitState::WaitAtExplicitOmpBarrier => "omp_ebarrier_wait",
            WaitState::WaitAtImplicitOmpBarrier => "omp_ibarrier_wait",
            WaitState::OmpCriticalContention => "omp_lock_contention_critical",
            WaitState::OmpLockContention => "omp_lock_contention_api",
            WaitState::OmpManagement => "omp_management",
            WaitState::IdleThreads => "omp_idle_threads",
            WaitState::LimitedParallelism => "omp_limited_parallelism",
        }
    }

    /// Other metrics under which a tool may rightly report the same time, nearest first.
    pub fn accept(self) -> &'static [&'static str] {
        match self {
            WaitState::LateSender | WaitState::LateReceiver => &["mpi_point2point"],
            WaitState::LateSenderWrongOrderSameSource | WaitState::LateSenderWrongOrderDifferentSources => {
                &["mpi_latesender_wo", "mpi_latesender", "mpi_point2point"]
            }
            WaitState::WaitAtBarrier | WaitState::BarrierCompletion => &["mpi_sync_collective"],
            WaitState::WaitAtNxN
            | WaitState::NxNCompletion
            | WaitState::LateBroadcast
            | WaitState::EarlyReduce
            | WaitState::EarlyScan => &["mpi_collective"],
            WaitState::InitCompletion | WaitState::WaitAtFinalize => &["mpi_init_exit"],
            WaitState::WaitAtExplicitOmpBarrier => {
                &["omp_ebarrier", "omp_barrier", "omp_synchronization", "omp_time"]
            }
            WaitState::WaitAtImplicitOmpBarrier => {
                &["omp_ibarrier", "omp_barrier", "omp_synchronization", "omp_time"]
            }
            WaitState::OmpCriticalContention => &["omp_critical", "omp_synchronization", "omp_time"],
            WaitState::OmpLockContention => &["omp_lock_api", "omp_synchronization", "omp_time"],
            WaitState::OmpManagement => &["omp_time"],
            WaitState::IdleThreads => &[],
            WaitState::LimitedParallelism => &["omp_idle_threads"],
        }
    }

    /// The family that it belongs to.
    pub fn class(self) -> Class {
        match self {
            WaitState::LateSender
            | WaitState::LateSenderWrongOrderSameSource
            | WaitState::LateSenderWrongOrderDifferentSources
            | WaitState::LateReceiver => Class::PointToPoint,
            WaitState::WaitAtBarrier | WaitState::BarrierCompletion => Class::Barrier,
            WaitState::WaitAtNxN
            | WaitState::NxNCompletion
            | WaitState::LateBroadcast
            | WaitState::EarlyReduce
            | WaitState::EarlyScan => Class::Collective,
            WaitState::InitCompletion | WaitState::WaitAtFinalize => Class::InitAndFinalize,
            WaitState::WaitAtExplicitOmpBarrier | WaitState::WaitAtImplicitOmpBarrier => Class::OmpBarrier,
            WaitState::OmpCriticalContention | WaitState::OmpLockContention => Class::OmpLock,
            WaitState::OmpManagement | WaitState::IdleThreads | WaitState::LimitedParallelism => {
                Class::OmpThreads
            }
        }
    }

    /// Whether it lies before or after the program proper: where no region is the basis, it is outside that.
    pub fn is_outside_program(self) -> bool {
        matches!(self, WaitState::InitCompletion | WaitState::WaitAtFinalize)
    }

    /// The view whose seconds it divides.
    pub fn view(self) -> View {
        match self {
            WaitState::IdleThreads | WaitState::LimitedParallelism => View::Idle,
            _ => View::Wait,
        }
    }
}

/// By its name, or by its metric.
impl<'de> Deserialize<'de> for WaitState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let known = WaitState::from_name(&name).or_else(|| WaitState::from_metric(&name));
        known.ok_or_else(|| {
            de::Error::custom(format!("there is no wait state `{name}`; did you mean {}?", nearest(&name)))
        })
    }
}

/// The name or metric that is most like a word, however its parts are joined.
fn nearest(word: &str) -> &'static str {
    let plain = |name: &str| name.replace(|c: char| !c.is_ascii_alphanumeric(), "").to_ascii_lowercase();
    let word = plain(word);
    let names = WaitState::ALL.into_iter().flat_map(|state| [state.name(), state.metric()]);
    names.min_by_key(|name| strsim::damerau_levenshtein(&plain(name), &word)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::WaitState;

    #[test]
    fn a_wait_state_is_read_by_its_name_and_by_its_metric() {
        for state in WaitState::ALL {
            for name in [state.name(), state.metric()] {
                assert_eq!(serde_json::from_value::<WaitState>(name.into()).unwrap(), state);
            }
            assert_eq!(serde_json::to_value(state).unwrap(), state.name());
        }
        let error = |name: &str| serde_json::from_value::<WaitState>(name.into()).unwrap_err().to_string();
        assert_eq!(error("LateSender"), "there is no wait state `LateSender`; did you mean late_sender?");
        assert_eq!(error("mpi_waitnxn"), "there is no wait state `mpi_waitnxn`; did you mean mpi_wait_nxn?");
    }
}

//! The table of wait states.

use serde::Serialize;

use super::class::Class;
use crate::quantity::View;

/// The properties of a wait state besides its name and definition.
pub(super) struct Row {
    pub(super) class: Class,
    pub(super) parents: &'static [&'static str],
    pub(super) view: View,
    pub(super) metric: Option<&'static str>,
    pub(super) title: Option<&'static str>,
    pub(super) accept: &'static [&'static str],
    pub(super) awaited: Option<&'static str>,
    pub(super) is_outside_program: bool,
    pub(super) depends_on_progress: bool,
    pub(super) is_of_tests: bool,
}

impl Row {
    /// Waiting in the program proper, under no metric.
    const fn waiting(class: Class, parents: &'static [&'static str]) -> Row {
        Row {
            class,
            parents,
            view: View::Wait,
            metric: None,
            title: None,
            accept: &[],
            awaited: None,
            is_outside_program: false,
            depends_on_progress: false,
            is_of_tests: false,
        }
    }

    /// Under this metric of Score-P and Scalasca, which the reports of Scalasca 2.6 give this title.
    const fn metric(self, metric: &'static str, title: &'static str) -> Row {
        Row { metric: Some(metric), title: Some(title), ..self }
    }

    /// Names the partner that is awaited.
    const fn awaits(self, whom: &'static str) -> Row {
        Row { awaited: Some(whom), ..self }
    }

    /// Under these metrics a tool may rightly report it, too, nearest first.
    const fn accept(self, accept: &'static [&'static str]) -> Row {
        Row { accept, ..self }
    }

    /// For an operation in progress while its members work.
    const fn in_progress(self) -> Row {
        Row { depends_on_progress: true, ..self }
    }
}

/// Rows are `/// definition`, `Variant = "name" => Row;`.
macro_rules! wait_states {
    ($($(#[doc = $doc:tt])+ $state:ident = $name:tt => $row:expr;)*) => {
        /// A wait state: a leaf of the metric tree of Scalasca 2.6, in our words, or one of our own.
        ///
        /// `docs/wait-states.md` defines each, event by event; [`WaitState::metric`] gives the Score-P/Scalasca
        /// unique name, under which it is read as well, if there is one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum WaitState {
            $($(#[doc = $doc])+ #[serde(rename = $name)] $state),*
        }

        const DEFINITIONS: &[&str] = &[$(concat!($($doc),+)),*];

        impl WaitState {
            /// Every wait state.
            pub const ALL: [WaitState; DEFINITIONS.len()] = [$(WaitState::$state),*];

            /// Our name, as in every document (`late_sender`, `wait_at_barrier` …).
            pub fn name(self) -> &'static str {
                match self {
                    $(WaitState::$state => $name),*
                }
            }

            /// Its definition, in a sentence.
            pub fn definition(self) -> &'static str {
                DEFINITIONS[self as usize].trim()
            }

            pub(super) fn row(self) -> &'static Row {
                static ROWS: [Row; DEFINITIONS.len()] = [$($row),*];
                &ROWS[self as usize]
            }
        }
    };
}

const POINT_TO_POINT: Row =
    Row::waiting(Class::PointToPoint, &["Waiting", "MPI", "Point-to-point"]).accept(&["mpi_point2point"]);
const WRONG_ORDER: Row =
    Row::waiting(Class::PointToPoint, &["Waiting", "MPI", "Point-to-point", "Wrong order"]).accept(&[
        "mpi_latesender_wo",
        "mpi_latesender",
        "mpi_point2point",
    ]);
const BARRIER: Row =
    Row::waiting(Class::Barrier, &["Waiting", "MPI", "Barrier"]).accept(&["mpi_sync_collective"]);
const COLLECTIVE: Row =
    Row::waiting(Class::Collective, &["Waiting", "MPI", "Collective"]).accept(&["mpi_collective"]);
// Scalasca counts all time in MPI_Wait as that of messages.
const NONBLOCKING_BARRIER: Row = BARRIER.accept(&["mpi_sync_collective", "mpi_point2point"]).in_progress();
const NONBLOCKING: Row = COLLECTIVE.accept(&["mpi_collective", "mpi_point2point"]).in_progress();
const COMMUNICATOR: Row = Row::waiting(Class::Collective, &["Waiting", "MPI", "Communicator management"])
    .accept(&["mpi_mgmt_comm"]);
const INIT_AND_FINALIZE: Row = Row {
    is_outside_program: true,
    ..Row::waiting(Class::InitAndFinalize, &["Waiting", "MPI", "Init and finalize"])
        .accept(&["mpi_init_exit"])
};
const OMP_BARRIER: Row = Row::waiting(Class::OmpBarrier, &["Waiting", "OpenMP", "Barrier"]);
const OMP_LOCK: Row = Row::waiting(Class::OmpLock, &["Waiting", "OpenMP", "Contention"]);
const IDLE: Row = Row { view: View::Idle, ..Row::waiting(Class::OmpThreads, &["Idle"]) };

wait_states! {
    /// A receive waits for a message that is sent later.
    LateSender = "late_sender" => POINT_TO_POINT.metric("mpi_latesender", "MPI Late Sender").awaits("the sender");
    /// A late sender's wait that would have been shorter had messages of the same source been received in the order sent.
    LateSenderWrongOrderSameSource = "late_sender_wrong_order_same_source" => WRONG_ORDER.metric("mpi_lswo_same", "MPI Late Sender, wrong order (same source)").awaits("the sender");
    /// A late sender's wait that would have been shorter had messages of different sources been received in the order sent.
    LateSenderWrongOrderDifferentSources = "late_sender_wrong_order_different_sources" =>
        WRONG_ORDER.metric("mpi_lswo_different", "MPI Late Sender, wrong order (different source)").awaits("the sender");
    /// A send waits for a receive that is posted later.
    LateReceiver = "late_receiver" => POINT_TO_POINT.metric("mpi_latereceiver", "MPI Late Receiver").awaits("the receiver");
    /// A probe waits for a message that is sent later.
    LateSenderInProbe = "late_sender_in_probe" => POINT_TO_POINT.awaits("the sender");
    /// A thread tests a receive in vain, again and again, because its message is sent later.
    LateSenderInTest = "late_sender_in_test" =>
        Row { is_of_tests: true, ..POINT_TO_POINT.awaits("the sender") };
    /// A call waits for its partner, which has started its part of a message, to act on it in its next call of MPI.
    LateProgress = "late_progress" => POINT_TO_POINT.awaits("the partner's next call").in_progress();
    /// Waiting for the last process to reach a barrier.
    WaitAtBarrier = "wait_at_barrier" => BARRIER.metric("mpi_barrier_wait", "MPI Wait at Barrier").awaits("the last process to come");
    /// Time in a barrier after the first process has left it.
    BarrierCompletion = "barrier_completion" => BARRIER.metric("mpi_barrier_completion", "MPI Barrier Completion");
    /// Waiting for the last process to reach an n-to-n operation.
    WaitAtNxN = "wait_at_nxn" => COLLECTIVE.metric("mpi_wait_nxn", "MPI Wait at N x N").awaits("the last process to come");
    /// Time in an n-to-n operation after the first process has left it.
    NxNCompletion = "nxn_completion" => COLLECTIVE.metric("mpi_nxn_completion", "MPI N x N Completion");
    /// Waiting for the last process to reach an n-to-n operation in which some members need not exchange data.
    WaitAtIrregularNxN = "wait_at_irregular_nxn" => COLLECTIVE.awaits("the last process to come");
    /// A receiver of a 1-to-n operation waits for the root.
    LateBroadcast = "late_broadcast" => COLLECTIVE.metric("mpi_latebroadcast", "MPI Late Broadcast").awaits("the root");
    /// The root of an n-to-1 operation waits for the senders.
    EarlyReduce = "early_reduce" => COLLECTIVE.metric("mpi_earlyreduce", "MPI Early Reduce").awaits("the last sender to come");
    /// A sender of an n-to-1 operation waits for the root.
    WaitForRoot = "wait_for_root" => COLLECTIVE.awaits("the root");
    /// A process in a prefix operation waits for those of lower rank.
    EarlyScan = "early_scan" => COLLECTIVE.metric("mpi_earlyscan", "MPI Early Scan").awaits("the last process of lower rank to come");
    /// The completion of a non-blocking barrier waits for the last process to start it.
    WaitAtNonblockingBarrier = "wait_at_nonblocking_barrier" => NONBLOCKING_BARRIER.awaits("the last process to start it");
    /// The completion of a non-blocking n-to-n operation waits for the last process to start it.
    WaitAtNonblockingNxN = "wait_at_nonblocking_nxn" => NONBLOCKING.awaits("the last process to start it");
    /// The completion of a receiver's part in a non-blocking 1-to-n operation waits for the root to start it.
    LateNonblockingBroadcast = "late_nonblocking_broadcast" => NONBLOCKING.awaits("the root");
    /// The completion of the root's part in a non-blocking n-to-1 operation waits for the senders to start it.
    EarlyNonblockingReduce = "early_nonblocking_reduce" => NONBLOCKING.awaits("the last sender to start it");
    /// The completion of a non-blocking prefix operation waits for a process of lower rank to start it.
    EarlyNonblockingScan = "early_nonblocking_scan" => NONBLOCKING.awaits("the last process of lower rank to start it");
    /// A process in an operation between neighbours, or in the completion of one, waits for those that it receives from.
    WaitAtNeighbors = "wait_at_neighbors" =>
        COLLECTIVE.accept(&["mpi_collective", "mpi_point2point"]).awaits("the last neighbour to come");
    /// Waiting for the last process to take part in making or freeing a communicator.
    WaitAtCommunicatorManagement = "wait_at_communicator_management" => COMMUNICATOR.awaits("the last process to come");
    /// Time in `MPI_Init` after the first process has left it.
    InitCompletion = "init_completion" => INIT_AND_FINALIZE.metric("mpi_init_completion", "MPI Initialization Completion");
    /// Waiting in `MPI_Init` for the last process to reach it.
    WaitAtInit = "wait_at_init" => INIT_AND_FINALIZE.awaits("the last process to come");
    /// Waiting in `MPI_Finalize` for the last process to reach it.
    WaitAtFinalize = "wait_at_finalize" => INIT_AND_FINALIZE.metric("mpi_finalize_wait", "MPI Wait at Finalize").awaits("the last process to come");
    /// Waiting at a `barrier` construct for the last thread of the team.
    WaitAtExplicitOmpBarrier = "wait_at_explicit_omp_barrier" =>
        OMP_BARRIER.metric("omp_ebarrier_wait", "OMP Wait at Explicit Barrier").awaits("the last thread to come")
        .accept(&["omp_ebarrier", "omp_barrier", "omp_synchronization", "omp_time"]);
    /// Waiting for the last thread of the team at the end of a parallel region, a loop, sections or a single.
    WaitAtImplicitOmpBarrier = "wait_at_implicit_omp_barrier" =>
        OMP_BARRIER.metric("omp_ibarrier_wait", "OMP Wait at Implicit Barrier").awaits("the last thread to come")
        .accept(&["omp_ibarrier", "omp_barrier", "omp_synchronization", "omp_time"]);
    /// Waiting at a `critical` until another thread leaves it.
    OmpCriticalContention = "omp_critical_contention" =>
        OMP_LOCK.metric("omp_lock_contention_critical", "OMP Critical Contention").awaits("the thread that is in it")
        .accept(&["omp_critical", "omp_synchronization", "omp_time"]);
    /// Waiting in `omp_set_lock` until another thread gives the lock back.
    OmpLockContention = "omp_lock_contention" =>
        OMP_LOCK.metric("omp_lock_contention_api", "OMP Lock API Contention").awaits("the thread that has the lock")
        .accept(&["omp_lock_api", "omp_synchronization", "omp_time"]);
    /// From fork to a thread's entry into the parallel region, and from its exit to join.
    OmpManagement = "omp_management" =>
        Row::waiting(Class::OmpThreads, &["Waiting", "OpenMP"]).metric("omp_management", "OMP Management")
        .accept(&["omp_time"]);
    /// A thread has nothing to do because its process executes serial code.
    IdleThreads = "idle_threads" => IDLE.metric("omp_idle_threads", "Idle threads").awaits("the master of its process");
    /// A thread has nothing to do because a parallel region has fewer threads than its process.
    LimitedParallelism = "limited_parallelism" =>
        IDLE.metric("omp_limited_parallelism", "Limited parallelism").awaits("the threads of the region").accept(&["omp_idle_threads"]);
}

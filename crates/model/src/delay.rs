//! The kinds of waits that have root causes, and the metrics of their costs.

use serde::{Deserialize, Serialize};

use crate::wait_state::WaitState;

/// The time that a wait is charged to: spent more by its causer directly, or lost by that in waits of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Term {
    /// Time that the causer worked.
    Short,
    /// Time that others had worked before, which the causer waited for.
    Long,
}

macro_rules! delays {
    ($($(#[doc = $doc:tt])+ $delay:ident = $name:literal, $title:literal, [$($state:ident),+], $extent:ident;)*) => {
        /// A kind of waits that have root causes, as Scalasca 2.6 tells delays apart, and those of our own.
        ///
        /// ```
        /// use ats_model::{WaitState, delay::{Delay, Term}};
        /// let delay = Delay::from_wait_state(WaitState::WaitAtNxN).unwrap();
        /// assert_eq!(delay.metric(Term::Long), "delay_n2n_longterm");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum Delay {
            $($(#[doc = $doc])+ $delay),*
        }

        impl Delay {
            /// Every kind.
            pub const ALL: [Delay; [$($name),*].len()] = [$(Delay::$delay),*];

            /// The kind of a wait state; `None` if its causes are not analyzed.
            pub fn from_wait_state(state: WaitState) -> Option<Self> {
                match state {
                    $($(WaitState::$state)|+ => Some(Delay::$delay),)*
                    _ => None,
                }
            }

            /// The unique name of its costs: Scalasca's, if it has them.
            pub fn metric(self, term: Term) -> &'static str {
                match (self, term) {
                    $((Delay::$delay, Term::Short) => $name,
                    (Delay::$delay, Term::Long) => concat!($name, "_longterm"),)*
                }
            }

            /// The title of its costs, as Cube shows it.
            pub fn title(self, term: Term) -> &'static str {
                match (self, term) {
                    $((Delay::$delay, Term::Short) => concat!("Short-term ", $title, " Delay Costs"),
                    (Delay::$delay, Term::Long) => concat!("Long-term ", $title, " Delay Costs"),)*
                }
            }

            /// The causes that have to be asked for.
            pub fn extent(self) -> Extent {
                match self {
                    $(Delay::$delay => Extent::$extent),*
                }
            }
        }
    };
}

/// The metric of the critical path: the seconds of each call path on it.
pub const CRITICAL_PATH: &str = "critical_path";

/// The waits that have causes in an analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// Those that Scalasca analyzes, by its definitions.
    #[default]
    Scalasca,
    /// All whose causes are known.
    All,
}

delays! {
    /// A message that was sent late.
    LateSender = "delay_latesender", "MPI Late Sender",
        [LateSender, LateSenderWrongOrderSameSource, LateSenderWrongOrderDifferentSources], Scalasca;
    /// A message whose receive was posted late.
    LateReceiver = "delay_latereceiver", "MPI Late Receiver", [LateReceiver], Scalasca;
    /// A barrier that a process reached late.
    Barrier = "delay_barrier", "MPI Barrier", [WaitAtBarrier], Scalasca;
    /// An n-to-n operation that a process reached late.
    AllToAll = "delay_n2n", "MPI N x N Collectives", [WaitAtNxN], Scalasca;
    /// A 1-to-n operation whose root came late.
    OneToAll = "delay_12n", "MPI 1-to-N Collectives", [LateBroadcast], Scalasca;
    /// An n-to-1 operation that a sender reached late.
    AllToOne = "delay_n21", "MPI N-to-1 Collectives", [EarlyReduce], Scalasca;
    /// An OpenMP barrier that a thread reached late.
    OmpBarrier = "delay_ompbarrier", "OpenMP Barrier",
        [WaitAtExplicitOmpBarrier, WaitAtImplicitOmpBarrier], Scalasca;
    /// Serial code, during which threads are idle.
    OmpIdle = "delay_ompidle", "OpenMP Thread Idleness", [IdleThreads], Scalasca;
    /// An operation that a process started late, and that others completed before.
    Nonblocking = "delay_nonblocking", "MPI Non-blocking Collectives",
        [WaitAtNonblockingBarrier, WaitAtNonblockingNxN, LateNonblockingBroadcast, EarlyNonblockingReduce,
         EarlyNonblockingScan], All;
    /// A communicator that a process made or freed late.
    Management = "delay_mgmt_comm", "MPI Communicator Management", [WaitAtCommunicatorManagement], All;
    /// An `MPI_Init` that a process reached late.
    Init = "delay_init", "MPI Init", [WaitAtInit], All;
    /// An `MPI_Finalize` that a process reached late.
    Finalize = "delay_finalize", "MPI Finalize", [WaitAtFinalize], All;
    /// A prefix operation that a process of lower rank reached late.
    Prefix = "delay_scan", "MPI Prefix Collectives", [EarlyScan], All;
    /// An n-to-n operation of unequal payload that a process reached late.
    Irregular = "delay_irregular_n2n", "MPI Irregular N x N Collectives", [WaitAtIrregularNxN], All;
    /// A critical section that another thread was in.
    OmpCritical = "delay_ompcritical", "OpenMP Critical", [OmpCriticalContention], All;
    /// A lock that another thread had.
    OmpLock = "delay_omplock", "OpenMP Lock", [OmpLockContention], All;
    /// A parallel region with fewer threads than its process has.
    OmpLimited = "delay_omplimited", "OpenMP Limited Parallelism", [LimitedParallelism], All;
}

/// Every metric of root causes: those of all kinds of waits, and the critical path.
pub fn metrics() -> impl Iterator<Item = &'static str> {
    Delay::ALL.into_iter().flat_map(Delay::metrics).chain([CRITICAL_PATH])
}

impl Delay {
    /// Whether the critical path continues where such a wait was caused.
    pub fn moves_path(state: WaitState) -> bool {
        Delay::from_wait_state(state).is_some_and(|delay| delay.extent() == Extent::Scalasca)
    }

    /// The metric of such waits that waits of their causers explain; `None` if Scalasca has none.
    pub fn indirect_waits(self) -> Option<&'static str> {
        match self {
            Delay::LateSender => Some("mpi_wait_indirect_latesender"),
            Delay::LateReceiver => Some("mpi_wait_indirect_latereceiver"),
            _ => None,
        }
    }

    /// The metric of such waits that make others wait; `None` if Scalasca has none.
    pub fn propagating_waits(self) -> Option<&'static str> {
        match self {
            Delay::LateSender => Some("mpi_wait_propagating_ls"),
            Delay::LateReceiver => Some("mpi_wait_propagating_lr"),
            _ => None,
        }
    }

    /// All metrics of this kind: costs, short-term and long-term, indirect and propagating waits.
    pub fn metrics(self) -> impl Iterator<Item = &'static str> {
        let costs = [Term::Short, Term::Long].map(|term| Some(self.metric(term)));
        costs.into_iter().chain([self.indirect_waits(), self.propagating_waits()]).flatten()
    }

    /// Whether it is of single messages, whose waits no causer explains by more than they last.
    pub fn is_of_message(self) -> bool {
        matches!(self, Delay::LateSender | Delay::LateReceiver)
    }
}

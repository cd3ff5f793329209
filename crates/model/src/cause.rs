//! Causes of waits, as explanations name them.

use serde::{Deserialize, Serialize};

use crate::defined;

defined! {
    /// A cause of waits. Those of messages and barriers are Kappa-PI's.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum CauseKind {
        /// All others need what one location works out alone.
        LackOfParallelism = "lack_of_parallelism",
        /// Senders are late because they wait for messages themselves.
        BlockedSender = "blocked_sender",
        /// Locations work one after the other, since each needs the result of another.
        Turns = "turns",
        /// A location sends to several others one after the other, and each waits for its turn.
        MultipleOutput = "multiple_output",
        /// A master has too much to do for its workers.
        BusyMaster = "busy_master",
        /// A master waits for its workers.
        BusyWorkers = "busy_workers",
        /// Ranks share a processor, with each other or with other programs, and work one after the other.
        Mapping = "mapping",
        /// A location works longer than those that wait for its messages.
        UnevenWork = "uneven_work",
        /// A location works longer than others, and reaches an operation of all of them last.
        LateArrival = "late_arrival",
        /// Moving data takes long.
        SlowCommunication = "slow_communication",
        /// Messages are so small that each costs more than its bytes.
        SmallMessages = "small_messages",
        /// Messages are a little too large to be sent before their receives start.
        EagerLimit = "eager_limit",
        /// Locations test for messages again and again, and neither wait nor send meanwhile.
        Polling = "polling",
        /// Messages are received in another order than they are sent in.
        WrongOrder = "wrong_order",
        /// A send waits for its receive.
        LateReceiver = "late_receiver",
        /// A message moves only while its partner is in a call of MPI.
        LateProgress = "late_progress",
        /// Threads have nothing to do in the serial part of a process.
        SerialPart = "serial_part",
        /// A parallel region has fewer threads than its process.
        FewThreads = "few_threads",
        /// Threads of a team get different work.
        UnevenTeam = "uneven_team",
        /// A loop, sections or tasks have too few pieces for the threads of a team.
        FewPieces = "few_pieces",
        /// One task takes much longer than the others, and threads wait until it is done.
        LargeTask = "large_task",
        /// Tasks take less time than the runtime needs for each.
        SmallTasks = "small_tasks",
        /// One thread creates all tasks, and others wait for the next one.
        TaskCreation = "task_creation",
        /// One thread of a team works in a `single` or `master`, and the others wait.
        OneThread = "one_thread",
        /// Threads wait for a critical section or a lock.
        Contention = "contention",
        /// Starting and ending parallel regions takes long.
        ThreadManagement = "thread_management",
        /// The trace does not show what is waited for.
        Unknown = "unknown",
    }
}

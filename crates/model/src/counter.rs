//! Counters: numbers that belong to a region of a program.

use crate::traffic::CallCounter;

/// A number that belongs to a region: its name, which says its unit, and its source.
///
/// The name of a counter of bytes begins with `bytes`, as in Score-P; all others are plain numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Counter {
    /// A number of calls or of their messages. The virtual engine counts it, and every trace shows it.
    Engine(CallCounter),
    /// A number that the program itself says with `ats_work::count`, and that the witness of a run keeps.
    Witness(&'static str),
    /// A number that the hardware or the kernel counts. The program says with `ats_work::count` how much it causes.
    Hardware {
        /// The name, as PAPI or perf gives it (`PAPI_L1_DCM`, `page-faults`).
        name: &'static str,
        /// The deviation that is allowed to a measured number, in per cent of what the program causes.
        within_percent: u8,
    },
}

impl Counter {
    /// Entries into a call or construct.
    pub const VISITS: Counter = Counter::Engine(CallCounter::Visits);
    /// Messages with contents that a call sends.
    pub const MESSAGES_SENT: Counter = Counter::Engine(CallCounter::MessagesSent);
    /// Bytes that a call sends.
    pub const BYTES_SENT: Counter = Counter::Engine(CallCounter::BytesSent);
    /// Messages with contents that a call receives.
    pub const MESSAGES_RECEIVED: Counter = Counter::Engine(CallCounter::MessagesReceived);
    /// Bytes that a call receives.
    pub const BYTES_RECEIVED: Counter = Counter::Engine(CallCounter::BytesReceived);
    /// Messages without contents that a call sends.
    pub const SYNCS_SENT: Counter = Counter::Engine(CallCounter::SyncsSent);
    /// Messages without contents that a call receives.
    pub const SYNCS_RECEIVED: Counter = Counter::Engine(CallCounter::SyncsReceived);
    /// Parts in collective operations that move something, one of each member.
    pub const COLLECTIVES: Counter = Counter::Engine(CallCounter::Collectives);
    /// Parts in collective operations that move nothing.
    pub const COLLECTIVE_SYNCS: Counter = Counter::Engine(CallCounter::CollectiveSyncs);

    /// The name under which tools report it at a region.
    pub fn metric(self, region: &str) -> &'static str {
        match self {
            Counter::Engine(counter) => counter.metric(region),
            Counter::Witness(name) | Counter::Hardware { name, .. } => name,
        }
    }
}

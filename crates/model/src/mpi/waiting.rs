//! Whether a call may wait, and whether that is analyzed.

use serde::{Deserialize, Serialize};

/// Whether a call may wait for other processes or for a file, and whether the analysis knows for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// It may wait, by itself or when it completes, and that is analyzed.
    Analyzed,
    /// It may wait, by itself or when it completes, and that is not analyzed.
    NotAnalyzed(Unanalyzed),
    /// Never: it is local, or returns without other processes in practice.
    Never,
}

/// A kind of calls that are not analyzed, though they may wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Unanalyzed {
    /// Preparations of persistent collective operations, and non-blocking ones that were not recorded.
    NonBlockingCollectives,
    /// Collective operations among neighbours in a topology.
    NeighborhoodCollectives,
    /// `MPI_Isendrecv` and `MPI_Isendrecv_replace`.
    SendReceives,
    /// Calls that look for partitions of messages.
    PartitionedMessages,
    /// Messages and collective operations on intercommunicators.
    BetweenGroups,
    /// Messages and collective operations with large counts, `MPI_Send_c`, that were not recorded.
    LargeCounts,
    /// Calls that look for a message.
    Probes,
    /// Calls that complete requests other than those of messages.
    Completions,
    /// Generalized requests.
    GeneralizedRequests,
    /// Buffers of sends, which are given back when they are empty.
    Buffers,
    /// One-sided communication and its windows.
    OneSided,
    /// Operations on files.
    Files,
    /// Communicators that are made or freed.
    Communicators,
    /// Processes that come later, and ports.
    Processes,
    /// Functions of sessions.
    Sessions,
}

impl Unanalyzed {
    /// A name for people: `non-blocking collective operations`.
    pub fn title(self) -> &'static str {
        match self {
            Unanalyzed::NonBlockingCollectives => "non-blocking collective operations",
            Unanalyzed::NeighborhoodCollectives => "neighborhood collective operations",
            Unanalyzed::SendReceives => "non-blocking send-receive operations",
            Unanalyzed::PartitionedMessages => "partitions of messages",
            Unanalyzed::BetweenGroups => "communication between groups",
            Unanalyzed::LargeCounts => "communication with large counts",
            Unanalyzed::Probes => "probes",
            Unanalyzed::Completions => "completion of requests other than messages",
            Unanalyzed::GeneralizedRequests => "generalized requests",
            Unanalyzed::Buffers => "buffers of sends",
            Unanalyzed::OneSided => "one-sided communication",
            Unanalyzed::Files => "files",
            Unanalyzed::Communicators => "communicators made or freed",
            Unanalyzed::Processes => "processes and ports",
            Unanalyzed::Sessions => "sessions",
        }
    }
}

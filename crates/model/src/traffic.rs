//! Traffic of calls: messages and bytes, both ways.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::mpi::Function;
use crate::quantity::VISITS;

/// Number of calls or entries into a construct, and their traffic, over all locations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CallCount {
    /// Number of calls.
    pub calls: u64,
    /// Their traffic.
    #[serde(flatten, with = "OfCalls")]
    #[cfg_attr(feature = "schema", schemars(with = "OfCalls"))]
    pub moved: Traffic,
}

/// [`Traffic`] as `ats-truth/1` names it.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Traffic")]
struct OfCalls {
    /// Messages sent by these calls, at the call that starts to send them.
    #[serde(rename = "messages")]
    messages_sent: u64,
    /// Bytes sent by these calls, in messages and in collective operations.
    #[serde(rename = "bytes")]
    bytes_sent: u64,
    /// Messages received by these calls, at the call that completes their receive.
    #[serde(default)]
    messages_received: u64,
    /// Bytes received by these calls, in messages and in collective operations.
    #[serde(default)]
    bytes_received: u64,
    /// Of the messages sent, those without contents.
    #[serde(default)]
    syncs_send: u64,
    /// Of the messages received, those without contents.
    #[serde(default)]
    syncs_recv: u64,
    /// Parts in collective operations that send or receive bytes, one of each member.
    #[serde(default)]
    comms_coll: u64,
    /// Parts in collective operations that move nothing, as in a barrier.
    #[serde(default)]
    syncs_coll: u64,
    /// Of the parts that move bytes, those that only send.
    #[serde(default)]
    comms_csrc: u64,
    /// Of the parts that move bytes, those that only receive.
    #[serde(default)]
    comms_cdst: u64,
    #[serde(skip)]
    bytes_cout: u64,
    #[serde(skip)]
    bytes_cin: u64,
}

/// Traffic of the calls of a name, over all locations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Traffic {
    /// Messages sent, at the call that starts to send them.
    pub messages_sent: u64,
    /// Bytes sent, in messages and in collective operations.
    pub bytes_sent: u64,
    /// Messages received, at the call that completes their receive.
    pub messages_received: u64,
    /// Bytes received, in messages and in collective operations.
    pub bytes_received: u64,
    /// Of the messages sent, those without contents.
    #[serde(default)]
    pub syncs_send: u64,
    /// Of the messages received, those without contents.
    #[serde(default)]
    pub syncs_recv: u64,
    /// Parts in collective operations that send or receive bytes, one of each member.
    #[serde(default)]
    pub comms_coll: u64,
    /// Parts in collective operations that move nothing, as in a barrier.
    #[serde(default)]
    pub syncs_coll: u64,
    /// Of the parts that move bytes, those that only send.
    #[serde(default)]
    pub comms_csrc: u64,
    /// Of the parts that move bytes, those that only receive.
    #[serde(default)]
    pub comms_cdst: u64,
    /// Of the bytes sent, those in collective operations. Documents do not tell them apart.
    #[serde(skip)]
    pub bytes_cout: u64,
    /// Of the bytes received, those in collective operations.
    #[serde(skip)]
    pub bytes_cin: u64,
}

impl Traffic {
    /// No traffic.
    const NONE: Traffic = Traffic {
        messages_sent: 0,
        bytes_sent: 0,
        messages_received: 0,
        bytes_received: 0,
        syncs_send: 0,
        syncs_recv: 0,
        comms_coll: 0,
        syncs_coll: 0,
        comms_csrc: 0,
        comms_cdst: 0,
        bytes_cout: 0,
        bytes_cin: 0,
    };

    /// A message that is sent, of this many bytes.
    pub const fn message_sent(bytes: u64) -> Self {
        Traffic { messages_sent: 1, bytes_sent: bytes, syncs_send: (bytes == 0) as u64, ..Traffic::NONE }
    }

    /// A message that is received, of this many bytes.
    pub const fn message_received(bytes: u64) -> Self {
        Traffic {
            messages_received: 1,
            bytes_received: bytes,
            syncs_recv: (bytes == 0) as u64,
            ..Traffic::NONE
        }
    }

    /// The kinds of parts in collective operations that move bytes, by Scalasca's names, with their numbers: exchanges,
    /// sources, and destinations.
    pub fn collectives(&self) -> [(&'static str, u64); 3] {
        let exchanges = self.comms_coll.saturating_sub(self.comms_csrc + self.comms_cdst);
        let [exchange, source, destination] = Traffic::COLLECTIVES.map(|(name, _)| name);
        [(exchange, exchanges), (source, self.comms_csrc), (destination, self.comms_cdst)]
    }

    /// The bytes by Score-P's names: of messages sent and received, and of collective operations likewise. A call that
    /// completes requests may move both.
    pub fn bytes(&self) -> [(&'static str, u64); 4] {
        [
            ("bytes_sent", self.bytes_sent.saturating_sub(self.bytes_cout)),
            ("bytes_rcvd", self.bytes_received.saturating_sub(self.bytes_cin)),
            ("bytes_cout", self.bytes_cout),
            ("bytes_cin", self.bytes_cin),
        ]
    }

    /// The names of these kinds, and their titles.
    pub const COLLECTIVES: [(&'static str, &'static str); 3] = [
        ("comms_cxch", "MPI Collective Exchange Communications"),
        ("comms_csrc", "MPI Collective Communications as Source"),
        ("comms_cdst", "MPI Collective Communications as Destination"),
    ];

    /// A member's part in a collective operation, which consists of no messages.
    pub const fn collective(bytes_sent: u64, bytes_received: u64) -> Self {
        let is_empty = bytes_sent == 0 && bytes_received == 0;
        let (comms_coll, syncs_coll) = (!is_empty as u64, is_empty as u64);
        Traffic {
            bytes_sent,
            bytes_received,
            comms_coll,
            syncs_coll,
            comms_csrc: (bytes_sent > 0 && bytes_received == 0) as u64,
            comms_cdst: (bytes_sent == 0 && bytes_received > 0) as u64,
            bytes_cout: bytes_sent,
            bytes_cin: bytes_received,
            ..Traffic::NONE
        }
    }
}

/// Adds up. Bytes saturate, because a trace may claim any number; counts of single events never get that large.
impl AddAssign for Traffic {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        self.messages_sent += other.messages_sent;
        self.bytes_sent = self.bytes_sent.saturating_add(other.bytes_sent);
        self.messages_received += other.messages_received;
        self.bytes_received = self.bytes_received.saturating_add(other.bytes_received);
        self.syncs_send += other.syncs_send;
        self.syncs_recv += other.syncs_recv;
        self.comms_coll += other.comms_coll;
        self.syncs_coll += other.syncs_coll;
        self.comms_csrc += other.comms_csrc;
        self.comms_cdst += other.comms_cdst;
        self.bytes_cout = self.bytes_cout.saturating_add(other.bytes_cout);
        self.bytes_cin = self.bytes_cin.saturating_add(other.bytes_cin);
    }
}

/// A quantity that is counted for a call or construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallCounter {
    /// Number of entries.
    Visits,
    /// Messages with contents that it sends.
    MessagesSent,
    /// Bytes that it sends.
    BytesSent,
    /// Messages with contents that it receives.
    MessagesReceived,
    /// Bytes that it receives.
    BytesReceived,
    /// Messages without contents that it sends.
    SyncsSent,
    /// Messages without contents that it receives.
    SyncsReceived,
    /// Parts in collective operations that move something, one of each member.
    Collectives,
    /// Parts in collective operations that move nothing.
    CollectiveSyncs,
}

impl CallCounter {
    /// The counters of traffic.
    pub const OF_TRAFFIC: [CallCounter; 8] = [
        CallCounter::MessagesSent,
        CallCounter::BytesSent,
        CallCounter::MessagesReceived,
        CallCounter::BytesReceived,
        CallCounter::SyncsSent,
        CallCounter::SyncsReceived,
        CallCounter::Collectives,
        CallCounter::CollectiveSyncs,
    ];

    /// The name that Score-P and Scalasca give it at a call or construct: bytes of collective operations have others than
    /// those of messages.
    pub fn metric(self, region: &str) -> &'static str {
        let is_collective =
            || Function::of_spelling(region).is_some_and(|function| function.collective().is_some());
        match self {
            CallCounter::Visits => VISITS,
            CallCounter::MessagesSent => "comms_send",
            CallCounter::MessagesReceived => "comms_recv",
            CallCounter::BytesSent if is_collective() => "bytes_cout",
            CallCounter::BytesSent => "bytes_sent",
            CallCounter::BytesReceived if is_collective() => "bytes_cin",
            CallCounter::BytesReceived => "bytes_rcvd",
            CallCounter::SyncsSent => "syncs_send",
            CallCounter::SyncsReceived => "syncs_recv",
            CallCounter::Collectives => "comms_coll",
            CallCounter::CollectiveSyncs => "syncs_coll",
        }
    }

    /// The counter that a name of Score-P or Scalasca stands for; bytes of messages and of collective operations share
    /// one, and so do members' parts of any kind (exchange, source, destination).
    pub fn of_metric(metric: &str) -> Option<Self> {
        match metric {
            VISITS => Some(CallCounter::Visits),
            "comms_send" => Some(CallCounter::MessagesSent),
            "comms_recv" => Some(CallCounter::MessagesReceived),
            "bytes_sent" | "bytes_cout" => Some(CallCounter::BytesSent),
            "bytes_rcvd" | "bytes_received" | "bytes_cin" => Some(CallCounter::BytesReceived),
            "syncs_send" => Some(CallCounter::SyncsSent),
            "syncs_recv" => Some(CallCounter::SyncsReceived),
            "comms_coll" | "comms_cxch" | "comms_csrc" | "comms_cdst" => Some(CallCounter::Collectives),
            "syncs_coll" => Some(CallCounter::CollectiveSyncs),
            _ => None,
        }
    }

    /// The value of this counter in a call's counts.
    pub fn value(self, count: &CallCount) -> u64 {
        match self {
            CallCounter::Visits => count.calls,
            _ => self.of_traffic(&count.moved),
        }
    }

    /// The value of this counter in traffic; 0 for visits, which traffic does not know.
    pub fn of_traffic(self, traffic: &Traffic) -> u64 {
        match self {
            CallCounter::Visits => 0,
            CallCounter::MessagesSent => traffic.messages_sent.saturating_sub(traffic.syncs_send),
            CallCounter::BytesSent => traffic.bytes_sent,
            CallCounter::MessagesReceived => traffic.messages_received.saturating_sub(traffic.syncs_recv),
            CallCounter::BytesReceived => traffic.bytes_received,
            CallCounter::SyncsSent => traffic.syncs_send,
            CallCounter::SyncsReceived => traffic.syncs_recv,
            CallCounter::Collectives => traffic.comms_coll,
            CallCounter::CollectiveSyncs => traffic.syncs_coll,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CallCounter, Traffic};
    use crate::mpi::Function;

    #[test]
    fn bytes_of_collective_operations_have_names_of_their_own() {
        let names = |function: Function| {
            [CallCounter::BytesSent, CallCounter::BytesReceived]
                .map(|counter| counter.metric(function.name()))
        };
        assert_eq!(names(Function::Send), ["bytes_sent", "bytes_rcvd"]);
        assert_eq!(names(Function::Gatherv), ["bytes_cout", "bytes_cin"]);
        for counter in CallCounter::OF_TRAFFIC.into_iter().chain([CallCounter::Visits]) {
            for function in [Function::Send, Function::Gatherv] {
                assert_eq!(CallCounter::of_metric(counter.metric(function.name())), Some(counter));
            }
        }
        assert_eq!(CallCounter::of_metric("time"), None);
    }

    #[test]
    fn calls_without_traffic_synchronize() {
        let counted = |moved: Traffic| {
            let there = CallCounter::OF_TRAFFIC
                .map(|counter| (counter.metric("MPI_Send"), counter.of_traffic(&moved)));
            there.into_iter().filter(|(_, number)| *number > 0).collect::<Vec<_>>()
        };
        assert_eq!(counted(Traffic::message_sent(8)), [("comms_send", 1), ("bytes_sent", 8)]);
        assert_eq!(counted(Traffic::message_sent(0)), [("syncs_send", 1)]);
        assert_eq!(counted(Traffic::message_received(0)), [("syncs_recv", 1)]);
        assert_eq!(counted(Traffic::collective(0, 8)), [("bytes_rcvd", 8), ("comms_coll", 1)]);
        assert_eq!(counted(Traffic::collective(0, 0)), [("syncs_coll", 1)]);
        let mut both = Traffic::collective(0, 8);
        both += Traffic::message_received(3);
        both += Traffic::message_sent(2);
        let bytes = [("bytes_sent", 2), ("bytes_rcvd", 3), ("bytes_cout", 0), ("bytes_cin", 8)];
        assert_eq!(both.bytes(), bytes, "as of one MPI_Waitall");
        let mut both = Traffic::message_sent(0);
        both += Traffic::message_sent(3);
        assert_eq!(counted(both), [("comms_send", 1), ("bytes_sent", 3), ("syncs_send", 1)]);
    }
}

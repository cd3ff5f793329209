//! What calls move: messages and bytes, both ways.

use std::ops::AddAssign;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::mpi::Function;
use crate::quantity::VISITS;
use crate::truth::CallCount;

/// What the calls of a name move, over all locations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Traffic {
    /// Messages sent, at the call that starts to send them.
    pub messages_sent: u64,
    /// Bytes sent, in messages and in collective operations.
    pub bytes_sent: u64,
    /// Messages received, at the call that completes their receive.
    pub messages_received: u64,
    /// Bytes received, in messages and in collective operations.
    pub bytes_received: u64,
}

impl Traffic {
    /// A message of so many bytes that is sent.
    pub const fn message_sent(bytes: u64) -> Self {
        Traffic { messages_sent: 1, bytes_sent: bytes, messages_received: 0, bytes_received: 0 }
    }

    /// A message of so many bytes that is received.
    pub const fn message_received(bytes: u64) -> Self {
        Traffic { messages_sent: 0, bytes_sent: 0, messages_received: 1, bytes_received: bytes }
    }

    /// A member's part in a collective operation, which consists of no messages.
    pub const fn collective(bytes_sent: u64, bytes_received: u64) -> Self {
        Traffic { messages_sent: 0, bytes_sent, messages_received: 0, bytes_received }
    }
}

/// No sum leaves the range of its type.
impl AddAssign for Traffic {
    fn add_assign(&mut self, other: Self) {
        let add = |sum: &mut u64, number: u64| *sum = sum.saturating_add(number);
        add(&mut self.messages_sent, other.messages_sent);
        add(&mut self.bytes_sent, other.bytes_sent);
        add(&mut self.messages_received, other.messages_received);
        add(&mut self.bytes_received, other.bytes_received);
    }
}

/// Its calls move this, too.
impl AddAssign<Traffic> for CallCount {
    #[inline(always)]
    fn add_assign(&mut self, moved: Traffic) {
        self.messages += moved.messages_sent;
        self.bytes += moved.bytes_sent;
        self.messages_received += moved.messages_received;
        self.bytes_received += moved.bytes_received;
    }
}

impl From<&CallCount> for Traffic {
    fn from(count: &CallCount) -> Self {
        Traffic {
            messages_sent: count.messages,
            bytes_sent: count.bytes,
            messages_received: count.messages_received,
            bytes_received: count.bytes_received,
        }
    }
}

/// What is counted of a call or construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Counter {
    /// How often it is entered.
    Visits,
    /// Messages that it sends.
    MessagesSent,
    /// Bytes that it sends.
    BytesSent,
    /// Messages that it receives.
    MessagesReceived,
    /// Bytes that it receives.
    BytesReceived,
}

impl Counter {
    /// What is counted of what calls move.
    pub const OF_TRAFFIC: [Counter; 4] =
        [Counter::MessagesSent, Counter::BytesSent, Counter::MessagesReceived, Counter::BytesReceived];

    /// The name that Score-P and Scalasca give it at a call or construct: bytes of collective operations have others than
    /// those of messages.
    pub fn metric(self, region: &str) -> &'static str {
        let is_collective =
            || Function::of_spelling(region).is_some_and(|function| function.collective().is_some());
        match self {
            Counter::Visits => VISITS,
            Counter::MessagesSent => "comms_send",
            Counter::MessagesReceived => "comms_recv",
            Counter::BytesSent if is_collective() => "bytes_cout",
            Counter::BytesSent => "bytes_sent",
            Counter::BytesReceived if is_collective() => "bytes_cin",
            Counter::BytesReceived => "bytes_rcvd",
        }
    }

    /// What a name of Score-P or Scalasca counts, that of bytes of messages and of collective operations alike.
    pub fn of_metric(metric: &str) -> Option<Self> {
        match metric {
            VISITS => Some(Counter::Visits),
            "comms_send" => Some(Counter::MessagesSent),
            "comms_recv" => Some(Counter::MessagesReceived),
            "bytes_sent" | "bytes_cout" => Some(Counter::BytesSent),
            "bytes_rcvd" | "bytes_received" | "bytes_cin" => Some(Counter::BytesReceived),
            _ => None,
        }
    }

    /// How many there are.
    pub fn of(self, count: &CallCount) -> u64 {
        match self {
            Counter::Visits => count.calls,
            _ => self.of_traffic(&count.into()),
        }
    }

    /// How many there are of what is moved; nothing is known of visits.
    pub fn of_traffic(self, traffic: &Traffic) -> u64 {
        match self {
            Counter::Visits => 0,
            Counter::MessagesSent => traffic.messages_sent,
            Counter::BytesSent => traffic.bytes_sent,
            Counter::MessagesReceived => traffic.messages_received,
            Counter::BytesReceived => traffic.bytes_received,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Counter;
    use crate::mpi::Function;

    #[test]
    fn bytes_of_collective_operations_have_names_of_their_own() {
        let names = |function: Function| Counter::OF_TRAFFIC.map(|counter| counter.metric(function.name()));
        assert_eq!(names(Function::Send), ["comms_send", "bytes_sent", "comms_recv", "bytes_rcvd"]);
        assert_eq!(names(Function::Gatherv), ["comms_send", "bytes_cout", "comms_recv", "bytes_cin"]);
        for counter in Counter::OF_TRAFFIC.into_iter().chain([Counter::Visits]) {
            for function in [Function::Send, Function::Gatherv] {
                assert_eq!(Counter::of_metric(counter.metric(function.name())), Some(counter));
            }
        }
        assert_eq!(Counter::of_metric("time"), None);
    }
}

//! Begins and ends of messages and collective operations on a location, and the matching of those that belong together.

use ats_model::{
    Definitions, Event,
    event::{CollectiveOperation, CommunicatorRef, MeasurementMode},
    groups::Groups,
    messages::{Channel, Envelope},
};
use rustc_hash::FxHashMap;

/// One end of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MessageEnd {
    pub(crate) channel: Channel,
    /// The time when it took its place in the channel: sent, or the receive posted.
    pub(crate) ordered: u64,
    /// The time when it is drawn: sent, or received.
    pub(crate) at: u64,
    pub(crate) bytes: u64,
}

/// A location's part in a collective operation. The *k*-th of every member of a communicator belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CollectivePart {
    pub(crate) communicator: CommunicatorRef,
    pub(crate) operation: CollectiveOperation,
    pub(crate) begin: u64,
    pub(crate) end: u64,
}

/// The stamps of one location.
#[derive(Debug, Default)]
pub(crate) struct Stamps {
    rank: u32,
    pub(crate) sends: Vec<MessageEnd>,
    pub(crate) receives: Vec<MessageEnd>,
    pub(crate) collectives: Vec<CollectivePart>,
    /// The times when receives were posted, and the places of sends, by request.
    posted: FxHashMap<u64, u64>,
    started: FxHashMap<u64, usize>,
    begun: Option<u64>,
    /// Since when recording was off for the first time; 0 if it went on without having stopped.
    first_gap: Option<u64>,
}

impl Stamps {
    /// The empty stamps of a location of the process of this rank.
    pub(crate) fn new(rank: u32) -> Self {
        Stamps { rank, ..Stamps::default() }
    }

    /// The rank of the process.
    pub(crate) fn rank(&self) -> u32 {
        self.rank
    }

    /// The number of stamps.
    pub(crate) fn len(&self) -> usize {
        self.sends.len() + self.receives.len() + self.collectives.len()
    }

    /// Whether recording was off for a time.
    pub(crate) fn has_gap(&self) -> bool {
        self.first_gap.is_some()
    }

    /// The end of the time in which the places of messages and operations among others are known: after it some may not
    /// have been recorded; the end of time if all were.
    pub(crate) fn sure_until(&self) -> u64 {
        let Some(gap) = self.first_gap else { return u64::MAX };
        // A receive that was posted before may have been complete meanwhile.
        self.posted.values().copied().fold(gap, u64::min)
    }

    /// Brings every time to another clock.
    pub(crate) fn retime(&mut self, clock: impl Fn(u64) -> u64) {
        let others = self.posted.values_mut().chain(self.first_gap.iter_mut().filter(|gap| **gap > 0));
        others.for_each(|time| *time = clock(*time));
        for end in self.sends.iter_mut().chain(&mut self.receives) {
            (end.ordered, end.at) = (clock(end.ordered), clock(end.at));
        }
        for part in &mut self.collectives {
            (part.begin, part.end) = (clock(part.begin), clock(part.end));
        }
    }

    /// Takes one event; those of no message and no collective operation change nothing, unless they stop recording.
    pub(crate) fn visit(&mut self, definitions: &Definitions, at: u64, event: Event) {
        match event {
            Event::MpiSend { receiver, communicator, tag, bytes }
            | Event::MpiIsend { receiver, communicator, tag, bytes, .. } => {
                let envelope = Envelope { communicator, peer: receiver, tag };
                let Some(channel) = envelope.sent_by(self.rank, definitions) else { return };
                if let Event::MpiIsend { request, .. } = event {
                    self.started.insert(request, self.sends.len());
                }
                self.sends.push(MessageEnd { channel, ordered: at, at, bytes });
            }
            Event::MpiRecv { sender, communicator, tag, bytes }
            | Event::MpiIrecv { sender, communicator, tag, bytes, .. } => {
                let envelope = Envelope { communicator, peer: sender, tag };
                let Some(channel) = envelope.received_by(self.rank, definitions) else { return };
                let posted = match event {
                    Event::MpiIrecv { request, .. } => self.posted.remove(&request),
                    _ => None,
                };
                self.receives.push(MessageEnd { channel, ordered: posted.unwrap_or(at), at, bytes });
            }
            Event::MpiIrecvRequest { request } => {
                self.posted.insert(request, at);
            }
            Event::MpiIsendComplete { request } => {
                self.started.remove(&request);
            }
            Event::MpiRequestCancelled { request } => {
                self.posted.remove(&request);
                if let Some(send) = self.started.remove(&request) {
                    self.sends.remove(send);
                    self.started.values_mut().filter(|other| **other > send).for_each(|other| *other -= 1);
                }
            }
            Event::MeasurementOnOff { mode: MeasurementMode::Off } => _ = self.first_gap.get_or_insert(at),
            Event::MeasurementOnOff { mode: MeasurementMode::On } => _ = self.first_gap.get_or_insert(0),
            Event::MpiCollectiveBegin => self.begun = Some(at),
            Event::MpiCollectiveEnd { operation, communicator, .. } => {
                let begin = self.begun.take().unwrap_or(at);
                self.collectives.push(CollectivePart { communicator, operation, begin, end: at });
            }
            _ => {}
        }
    }
}

/// Ends of messages by channel, each channel in MPI's order.
pub(crate) fn by_channel<'a>(ends: impl Iterator<Item = &'a MessageEnd> + Clone) -> Groups<Channel> {
    let ordered: Vec<u64> = ends.clone().map(|end| end.ordered).collect();
    let mut groups = Groups::by_key(ends.map(|end| end.channel));
    groups.sort_by_key(|end| ordered[end as usize]);
    groups
}

//! Where messages and collective operations begin and end on a location, and which of them belong together.

use ats_model::{
    Definitions, Event,
    definitions::Members,
    event::{CollectiveOperation, CommunicatorRef},
};
use rustc_hash::FxHashMap;

/// The way from one process to another on which MPI keeps messages in order; ranks are those of `MPI_COMM_WORLD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Channel {
    pub(crate) communicator: CommunicatorRef,
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) tag: u32,
}

/// One end of a message. The *k*-th send of a channel belongs to its *k*-th receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MessageEnd {
    pub(crate) channel: Channel,
    /// When it took its place in the channel: sent, or the receive posted.
    pub(crate) ordered: u64,
    /// When it shows: sent, or received.
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
    /// When receives were posted, and the places of sends, by request.
    posted: FxHashMap<u64, u64>,
    started: FxHashMap<u64, usize>,
    begun: Option<u64>,
}

impl Stamps {
    /// Of a location of the process of this rank.
    pub(crate) fn new(rank: u32) -> Self {
        Stamps { rank, ..Stamps::default() }
    }

    /// How many stamps there are.
    pub(crate) fn len(&self) -> usize {
        self.sends.len() + self.receives.len() + self.collectives.len()
    }

    /// Brings every time to another clock.
    pub(crate) fn retime(&mut self, clock: impl Fn(u64) -> u64) {
        for end in self.sends.iter_mut().chain(&mut self.receives) {
            (end.ordered, end.at) = (clock(end.ordered), clock(end.at));
        }
        for part in &mut self.collectives {
            (part.begin, part.end) = (clock(part.begin), clock(part.end));
        }
    }

    /// Takes one event; what belongs to no message and no collective operation changes nothing.
    pub(crate) fn visit(&mut self, definitions: &Definitions, at: u64, event: Event) {
        let world_rank = |communicator, rank| world_rank(definitions, communicator, rank, self.rank);
        match event {
            Event::MpiSend { receiver, communicator, tag, bytes }
            | Event::MpiIsend { receiver, communicator, tag, bytes, .. } => {
                let Some(to) = world_rank(communicator, receiver) else { return };
                if let Event::MpiIsend { request, .. } = event {
                    self.started.insert(request, self.sends.len());
                }
                let channel = Channel { communicator, from: self.rank, to, tag };
                self.sends.push(MessageEnd { channel, ordered: at, at, bytes });
            }
            Event::MpiRecv { sender, communicator, tag, bytes }
            | Event::MpiIrecv { sender, communicator, tag, bytes, .. } => {
                let Some(from) = world_rank(communicator, sender) else { return };
                let posted = match event {
                    Event::MpiIrecv { request, .. } => self.posted.remove(&request),
                    _ => None,
                };
                let channel = Channel { communicator, from, to: self.rank, tag };
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
            Event::MpiCollectiveBegin => self.begun = Some(at),
            Event::MpiCollectiveEnd { operation, communicator, .. } => {
                let begin = self.begun.take().unwrap_or(at);
                self.collectives.push(CollectivePart { communicator, operation, begin, end: at });
            }
            _ => {}
        }
    }
}

fn world_rank(definitions: &Definitions, communicator: CommunicatorRef, rank: u32, own: u32) -> Option<u32> {
    match &definitions.communicators.get(communicator.0 as usize)?.members {
        Members::Ranks(ranks) => ranks.get(rank as usize).copied(),
        Members::SelfOnly => Some(own),
    }
}

/// The ends of messages with the number of each in its channel.
pub(crate) fn numbered(mut ends: Vec<(usize, MessageEnd)>) -> Vec<(u64, usize, MessageEnd)> {
    ends.sort_by_key(|(_, end)| (end.channel, end.ordered));
    let channels = ends.chunk_by(|(_, a), (_, b)| a.channel == b.channel);
    let number = |channel: &[(usize, MessageEnd)]| {
        (0..).zip(channel).map(|(number, &(row, end))| (number, row, end)).collect::<Vec<_>>()
    };
    channels.flat_map(number).collect()
}

//! What pass 1 keeps of a process: its MPI calls, messages and collective operations, flat and in order.

use ats_model::{
    CallPathId,
    event::{CollectiveOperation, CommunicatorRef},
    groups::{Groups, Interner},
    messages::Channel,
};

use rustc_hash::FxHashMap;

use crate::{base::Base, calls::CallKind};

/// Where time is spent: a location of the trace, and a path in that location's call tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) location: u32,
    pub(crate) path: CallPathId,
    /// What the path continues.
    pub(crate) base: Base,
}

/// By location, what its memberships ([`crate::threads::Threads::memberships`]) turned out to be.
pub(crate) type KnownBases = FxHashMap<u32, Vec<Base>>;

impl Place {
    pub(crate) fn renumber(&mut self, known: &KnownBases) {
        if self.base.membership().is_some()
            && let Some(bases) = known.get(&self.location)
        {
            self.base = self.base.renumbered(bases);
        }
    }
}

/// A region instance that sends, receives or completes messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) enter: u64,
    pub(crate) leave: u64,
    pub(crate) place: Place,
    pub(crate) kind: CallKind,
}

impl Call {
    /// In ticks.
    pub(crate) fn duration(&self) -> u64 {
        self.leave.saturating_sub(self.enter)
    }
}

/// One end of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessageEnd {
    /// The call that sends it, or posts its receive: index into [`Records::calls`].
    pub(crate) start: u32,
    /// Number of its channel; none if it was cancelled.
    pub(crate) channel: Option<u32>,
}

/// An index into [`Records::sends`] or [`Records::receives`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum Message {
    Send(u32),
    Receive(u32),
}

/// A message end is complete.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Completion {
    /// The completing call: index into [`Records::calls`].
    pub(crate) call: u32,
    pub(crate) message: Message,
}

/// A process's part in a collective operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Collective {
    pub(crate) begin: u64,
    pub(crate) end: u64,
    pub(crate) place: Place,
    /// Number of its communicator.
    pub(crate) communicator: u32,
    /// The root's rank in the communicator.
    pub(crate) root: Option<u32>,
    pub(crate) operation: CollectiveOperation,
    pub(crate) sends: bool,
    pub(crate) receives: bool,
}

impl Collective {
    /// In ticks.
    pub(crate) fn duration(&self) -> u64 {
        self.end.saturating_sub(self.begin)
    }
}

/// `MPI_Init` or `MPI_Finalize` of a process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) enter: u64,
    pub(crate) leave: u64,
    pub(crate) place: Place,
}

impl Span {
    /// In ticks.
    pub(crate) fn duration(&self) -> u64 {
        self.leave.saturating_sub(self.enter)
    }
}

/// The MPI records of a location, or of all locations of a process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Records {
    /// By time of entry.
    pub(crate) calls: Vec<Call>,
    /// In the order started.
    pub(crate) sends: Vec<MessageEnd>,
    pub(crate) send_channels: Interner<Channel>,
    /// In the order completed.
    pub(crate) receives: Vec<MessageEnd>,
    pub(crate) receive_channels: Interner<Channel>,
    /// In order; those of one call are neighbours.
    pub(crate) completions: Vec<Completion>,
    /// In order.
    pub(crate) collectives: Vec<Collective>,
    pub(crate) communicators: Interner<CommunicatorRef>,
    pub(crate) init: Option<Span>,
    pub(crate) finalize: Option<Span>,
}

impl Records {
    /// How many there are, of all kinds.
    pub(crate) fn count(&self) -> usize {
        self.calls.len()
            + self.sends.len()
            + self.receives.len()
            + self.completions.len()
            + self.collectives.len()
    }

    /// Gives back the memory of those that are gone.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.calls.shrink_to_fit();
        self.sends.shrink_to_fit();
        self.receives.shrink_to_fit();
        self.completions.shrink_to_fit();
        self.collectives.shrink_to_fit();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.calls.is_empty() && self.collectives.is_empty() && self.init.is_none() && self.finalize.is_none()
    }

    /// Every place in the records.
    pub(crate) fn places_mut(&mut self) -> impl Iterator<Item = &mut Place> {
        let calls = self.calls.iter_mut().map(|call| &mut call.place);
        let collectives = self.collectives.iter_mut().map(|collective| &mut collective.place);
        let spans = self.init.iter_mut().chain(&mut self.finalize).map(|span| &mut span.place);
        calls.chain(collectives).chain(spans)
    }
}

/// All that has times of a process.
pub(crate) type Times = (Vec<Call>, Vec<Collective>, Option<Span>, Option<Span>);

/// A process with its records, messages grouped by channel in MPI's order, collectives by communicator.
#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) rank: u32,
    /// Its first location: index into the trace's locations.
    pub(crate) main_location: usize,
    pub(crate) calls: Vec<Call>,
    pub(crate) sends: Vec<MessageEnd>,
    pub(crate) receives: Vec<MessageEnd>,
    /// [`Process::sends`] in the order sent.
    pub(crate) sends_by_channel: Groups<Channel>,
    /// [`Process::receives`] in the order posted, which is the order in which MPI matches them.
    pub(crate) receives_by_channel: Groups<Channel>,
    pub(crate) completions: Vec<Completion>,
    pub(crate) collectives: Vec<Collective>,
    pub(crate) collectives_by_communicator: Groups<CommunicatorRef>,
    /// Before those that begin then or later, others may come that are not known yet.
    pub(crate) collectives_until: u64,
    pub(crate) init: Option<Span>,
    pub(crate) finalize: Option<Span>,
}

impl Process {
    pub(crate) fn new(rank: u32, main_location: usize, records: Records) -> Self {
        let Records {
            calls,
            sends,
            send_channels,
            receives,
            receive_channels,
            completions,
            collectives,
            communicators,
            init,
            finalize,
        } = records;
        let by_channel = |ends: &[MessageEnd], channels| {
            let mut groups = Groups::new(channels, ends.iter().map(|end| end.channel));
            groups.sort_by_key(|end| ends[end as usize].start);
            groups
        };
        Process {
            rank,
            main_location,
            sends_by_channel: by_channel(&sends, send_channels),
            receives_by_channel: by_channel(&receives, receive_channels),
            collectives_by_communicator: Groups::new(
                communicators,
                collectives.iter().map(|collective| Some(collective.communicator)),
            ),
            calls,
            sends,
            receives,
            completions,
            collectives,
            collectives_until: u64::MAX,
            init,
            finalize,
        }
    }

    /// How many channels and communicators there are.
    pub(crate) fn links(&self) -> usize {
        self.sends_by_channel.keys().keys().len()
            + self.receives_by_channel.keys().keys().len()
            + self.collectives_by_communicator.keys().keys().len()
    }

    /// The records that it was made of.
    pub(crate) fn to_records(&self) -> Records {
        Records {
            calls: self.calls.clone(),
            sends: self.sends.clone(),
            send_channels: self.sends_by_channel.keys().clone(),
            receives: self.receives.clone(),
            receive_channels: self.receives_by_channel.keys().clone(),
            completions: self.completions.clone(),
            collectives: self.collectives.clone(),
            communicators: self.collectives_by_communicator.keys().clone(),
            init: self.init,
            finalize: self.finalize,
        }
    }

    /// The records that it was made of.
    pub(crate) fn into_records(self) -> Records {
        Records {
            calls: self.calls,
            sends: self.sends,
            send_channels: self.sends_by_channel.into_keys(),
            receives: self.receives,
            receive_channels: self.receives_by_channel.into_keys(),
            completions: self.completions,
            collectives: self.collectives,
            communicators: self.collectives_by_communicator.into_keys(),
            init: self.init,
            finalize: self.finalize,
        }
    }

    /// Brings every time of the process to another clock.
    pub(crate) fn retime(&mut self, clock: impl Fn(u64) -> u64) {
        let calls = self.calls.iter_mut().flat_map(|call| [&mut call.enter, &mut call.leave]);
        let parts = self.collectives.iter_mut().flat_map(|part| [&mut part.begin, &mut part.end]);
        let spans = self.init.iter_mut().chain(&mut self.finalize);
        let spans = spans.flat_map(|span| [&mut span.enter, &mut span.leave]);
        let times = calls.chain(parts).chain(spans).chain([&mut self.collectives_until]);
        // What is not over has no time yet.
        times.filter(|time| **time != u64::MAX).for_each(|time| *time = clock(*time));
    }

    /// What [`Process::retime`] changes.
    pub(crate) fn times(&self) -> Times {
        (self.calls.clone(), self.collectives.clone(), self.init, self.finalize)
    }

    /// Takes [`Process::retime`] back.
    pub(crate) fn set_times(&mut self, times: Times) {
        (self.calls, self.collectives, self.init, self.finalize) = times;
    }
}

//! Messages of a location that are under way.

use ats_model::{
    attribute::AttributeDefinition,
    groups::{Groups, Interner},
    messages::{Channel, Envelope},
};
use rustc_hash::FxHashMap;

use super::{
    polls::Polls,
    probes::{Probe, Probes},
};
use crate::{records::Records, scan::lookahead::Lookahead};

/// The messages of a location that are under way.
#[derive(Default)]
pub(super) struct OpenMessages {
    pub(super) requests: FxHashMap<u64, Pending>,
    /// The number of requests started.
    pub(super) started: u64,
    /// The calls that have started messages, until the location acts on them in its next that does: indices into
    /// [`Records::calls`].
    pub(super) unacted: Vec<u32>,
    /// The records outside every call whose call may be left yet.
    pub(super) outside: Option<Outside>,
    /// The ends of requests that the location has not started.
    pub(super) handed: Vec<HandedEnd>,
    pub(super) lookahead: Lookahead,
    pub(super) sent_on: Channels,
    pub(super) received_on: Channels,
    pub(super) polls: Polls,
    pub(super) probes: Probes,
}

impl OpenMessages {
    /// None yet, in a trace with these attributes.
    pub(super) fn new(attributes: &[AttributeDefinition]) -> Self {
        OpenMessages {
            polls: Polls::new(attributes),
            probes: Probes::new(attributes),
            ..OpenMessages::default()
        }
    }
}

/// Records outside every call of MPI, which are those of a call that has lost its enter if such a call is left before
/// another is entered.
#[derive(Clone, Copy)]
pub(super) struct Outside {
    /// The call of the first: index into [`Records::calls`].
    pub(super) first: u32,
    pub(super) time: u64,
    /// The number of regions around it.
    pub(super) depth: usize,
}

/// The kind of a pending request.
#[derive(Clone, Copy)]
pub(super) enum Request {
    /// A send: index into [`Records::sends`].
    Send(u32),
    /// A receive and the call that posted it: index into [`Records::calls`].
    Receive(u32),
    /// A receive whose channel is foreseen: index into [`Records::receives`].
    Foreseen(u32),
    /// A collective operation: index into [`Records::requested`].
    Collective(u32),
}

impl Request {
    pub(super) fn is_receive(self) -> bool {
        matches!(self, Request::Receive(_) | Request::Foreseen(_))
    }

    /// The call that started it: index into [`Records::calls`].
    pub(super) fn start(self, records: &Records) -> u32 {
        match self {
            Request::Send(send) => records.sends[send as usize].start,
            Request::Receive(call) => call,
            Request::Foreseen(receive) => records.receives[receive as usize].start,
            Request::Collective(requested) => records.requested[requested as usize].start,
        }
    }
}

/// A request that is started and not complete.
#[derive(Clone, Copy)]
pub(super) struct Pending {
    /// The number of requests started before it.
    pub(super) number: u64,
    pub(super) request: Request,
    /// Whether its effect on its channel is known.
    pub(super) is_sure: bool,
    /// Its polling, if it was tested in vain.
    pub(super) poll: Option<u32>,
    /// The probe that may have found its message.
    pub(super) probe: Option<Probe>,
}

/// The end of a request that another thread may have started.
#[derive(Clone, Copy)]
pub(super) struct HandedEnd {
    /// The name of the request.
    pub(super) name: u64,
    /// The enter of the call that completes it.
    pub(super) enter: u64,
    pub(super) time: u64,
    pub(super) outcome: Outcome,
}

/// The outcome of a request that another thread may have started.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A send, complete in this call: index into [`Records::calls`].
    Sent {
        call: u32,
    },
    /// A receive, which is posted in the call that completes it as long as nothing else is known: index into
    /// [`Records::receives`].
    Received(u32),
    /// A part in a collective operation, which is started in the call that completes it as long as nothing else is
    /// known: index into [`Records::requested`].
    Collective(u32),
    Cancelled,
}

/// The channel of each envelope seen; `None` if the envelope cannot be right.
#[derive(Default)]
pub(super) struct Channels {
    envelopes: Interner<Envelope>,
    numbers: Vec<Option<u32>>,
}

impl Channels {
    pub(super) fn number(
        &mut self,
        channels: &mut Groups<Channel>,
        envelope: Envelope,
        channel: impl FnOnce() -> Option<Channel>,
    ) -> Option<u32> {
        let number = self.envelopes.number(envelope) as usize;
        if number == self.numbers.len() {
            self.numbers.push(channel().map(|channel| channels.number(channel)));
        }
        self.numbers[number]
    }
}
